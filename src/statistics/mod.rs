//! Statistics of measurements. This room knows numbers only: what an average is, how certain it is, and what can be claimed.
//!
//! A [`Contrast`] is the difference between two sides measured at the same positions, with the two intervals that it can
//! have; most figures of a report are one. The others take what has another shape.

mod amdahl;
mod bootstrap;
mod contrast;
mod distribution;
mod factorial;
mod interval;
mod least_squares;
mod multiple;
mod power;
mod ridge;
mod sample;
#[cfg(test)]
mod simulated;

pub use amdahl::{LEAST_POINTS, amdahl_speedup, fit_amdahl, fit_amdahl_to_runs, serial_share};
pub use bootstrap::{RESAMPLES, bootstrap_sides, bootstrap_these_positions};
pub use contrast::{Contrast, Scope};
pub use distribution::{
    normal_probability, normal_quantile, student_factor, student_probability, student_quantile, student_two_sided,
};
pub use factorial::{Design, MOST_FACTORS, MOST_RUNS};
pub use interval::{Interval, LEVEL};
pub use least_squares::LeastSquares;
pub use multiple::holm;
pub use power::PlannedContrast;
pub use ridge::{Ridge, Totals};
pub use sample::{
    OUTLIER_Z, deviation_within, geometric_mean, mean, mean_of_means, median, median_absolute_deviation,
    modified_z_scores, quantile, standard_deviation, variance,
};
