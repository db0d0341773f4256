//! Statistics of measurements. This room knows numbers only: what an average is, how certain it is, and what can be
//! claimed.
//!
//! A [`Contrast`] is the difference between two sides measured at the same positions, with the two intervals that it
//! can have; most figures of a report are one. The others take what has another shape.

mod contrast;
mod distribution;
mod factorial;
mod interval;
mod kaplan_meier;
mod logistic;
mod multiple;
mod order;
mod outlier;
mod pentanomial;
mod power;
mod rare;
mod ridge;
mod sample;
mod sequential;
#[cfg(test)]
pub(crate) mod simulated;

pub(crate) use contrast::{Contrast, Scope};
pub(crate) use distribution::student_factor;
pub(crate) use factorial::Design;
pub use interval::Interval;
pub(crate) use interval::LEVEL;
pub(crate) use kaplan_meier::{KaplanMeier, Observed, time_ratio};
pub(crate) use logistic::{Logistic, Observation};
pub(crate) use multiple::holm;
pub(crate) use order::quantile_interval;
pub(crate) use outlier::outliers;
pub(crate) use pentanomial::{Pairs, elo_of_odds};
pub(crate) use power::{PlannedContrast, stopping_half_width};
pub(crate) use ridge::{Ridge, Totals};
pub(crate) use sample::{
    deviation_within, mean, mean_interval, mean_of_means, median, modified_z_scores, quantile, standard_deviation,
};
pub(crate) use sequential::{Decision, Sequential};
