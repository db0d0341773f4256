//! Statistics of measurements. This room knows numbers only: what an average is, how certain it is, and what can be claimed.
//!
//! A [`Contrast`] is the difference between two sides measured at the same positions, with the two intervals that it can
//! have; most figures of a report are one. The others take what has another shape.

mod contrast;
mod distribution;
mod interval;
mod sample;
#[cfg(test)]
mod simulated;

pub use contrast::{Contrast, Scope};
pub use distribution::{
    normal_probability, normal_quantile, student_factor, student_probability, student_quantile, student_two_sided,
};
pub use interval::{Interval, LEVEL};
pub use sample::{
    OUTLIER_Z, deviation_within, geometric_mean, mean, mean_of_means, median, median_absolute_deviation,
    modified_z_scores, quantile, standard_deviation, variance,
};
