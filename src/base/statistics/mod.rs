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
mod letters;
mod logistic;
mod multiple;
mod order;
mod outlier;
mod pentanomial;
mod power;
mod rare;
mod residuals;
mod ridge;
mod sample;
mod sequential;
#[cfg(test)]
mod simulated;

pub use contrast::{Contrast, Scope};
pub use distribution::student_factor;
pub use factorial::Design;
pub use interval::Interval;
pub use interval::LEVEL;
pub use kaplan_meier::{KaplanMeier, Observed, time_ratio};
pub use letters::letters;
pub use logistic::{Logistic, Observation};
pub use multiple::{Test, adjust, holm};
pub use order::quantile_interval;
pub use outlier::outliers;
pub use pentanomial::{Pairs, elo, elo_of_odds, score_of_elo};
pub use power::{Chances, PlannedContrast, PlannedEstimate};
pub use residuals::Residuals;
pub use ridge::{Ridge, Totals};
pub use sample::{
    Mean, deviation_within, mean, mean_interval, mean_of_means, median, modified_z_scores, quantile, standard_deviation,
};
pub use sequential::{Decision, EloModel, Sequential};
