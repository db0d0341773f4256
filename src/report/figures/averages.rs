//! Means of all figures of a group of searches.

use super::{Figure, Known, Reading, register};
use crate::analysis::grouping::Gathered;
use crate::statistics::mean_of_means;

/// Arithmetic means over positions of means over runs, of all figures of the register.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Averages(Vec<Option<f64>>);

impl Averages {
    /// Means of a group.
    pub(crate) fn of(group: &Gathered<'_>) -> Self {
        Self(register::all().map(|figure| average(&figure, group)).collect())
    }

    /// Mean of a figure; nothing where there is nothing to be averaged, or where that says nothing.
    pub fn get(&self, figure: &Figure) -> Option<f64> {
        let place = register::all().position(|one| one.is(figure))?;
        self.0.get(place).copied().flatten()
    }

    /// The means without those that times are a part of.
    pub(crate) fn without_times(&self) -> Self {
        let kept = |(figure, mean): (Figure, &Option<f64>)| mean.filter(|_| !figure.is_time);
        Self(register::all().zip(&self.0).map(kept).collect())
    }
}

fn average(figure: &Figure, group: &Gathered<'_>) -> Option<f64> {
    let configuration = group.configuration;
    let is_known = match (figure.known, figure.reading) {
        (_, Reading::Loss(class)) => configuration.losses || !class.needs_ledger(),
        (Known::Always, _) => true,
        (Known::Ours, _) => !configuration.is_outside(),
        (Known::Whole, _) => !group.is_cut(),
        (Known::Audited, _) => configuration.audit,
    };
    let mean = match figure.reading {
        _ if !is_known => None,
        Reading::OfMeans(upper, lower) => Some(average(upper, group)? / average(lower, group)?),
        Reading::Value(_) => mean_of_means(&group.figures(|run| figure.averaged(run.measured))),
        _ => mean_of_means(&group.figures(|run| figure.averaged(run.measured))).map(|mean| figure.unit.of_mean(mean)),
    };
    mean.filter(|mean| *mean >= figure.least)
}
