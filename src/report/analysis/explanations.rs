//! How much of what was published a curve of ours foretells. A published figure is one run. A model that is right would
//! show it, in 95 of 100 cases, within the interval in which one further run of ours lies.
//!
//! Rows of even numbers of processors are for choosing among several curves: of those that stand for one machine the
//! *best* is the one whose trees and search speeds are nearest. Rows of odd numbers judge it. A row of a number of
//! processors that was not searched is foretold by the straight line between its neighbours.
//!
//! All rows of a table are relative to its first, which is one run too. What is odd about that run is in all of them,
//! so that they are right or wrong together more often than independent figures would be.

use crate::published::{Published, THESIS_DEPTH, THESIS_FEATURES, THESIS_SUITE, ThesisTable};
use crate::record::Depth;
use crate::statistics::Interval;

use super::thesis::FIGURES;
use super::{Analysis, Curve};

/// Curve beside a published table.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Place in [`Analysis::curves`].
    pub curve: usize,
    /// Source of the table.
    pub source: &'static str,
    /// Every figure of the table that the curve foretells.
    pub figures: Vec<Foretold>,
    /// Root of the mean square of the logarithms of published to foretold trees and search speeds, in the half that
    /// chooses.
    pub misfit: f64,
    /// Whether no other curve of this machine is nearer.
    pub is_best: bool,
    /// Whether this explanation was chosen among several, by half of the figures: those are no evidence for it.
    pub is_chosen: bool,
}

/// Published figure beside what a curve foretells.
#[derive(Clone, Debug, PartialEq)]
pub struct Foretold {
    /// Number of processors.
    pub cpus: u32,
    /// Name of the figure.
    pub figure: &'static str,
    /// Value that was published.
    pub published: f64,
    /// Interval in which one further run of ours would lie.
    pub predicted: Interval,
    /// Whether this number of processors was searched, and not only its neighbours.
    pub is_searched: bool,
}

/// Curves of the printed program on the thesis's positions to its depth, each beside the table of the machine whose
/// costs it has.
pub(super) fn explanations(analysis: &Analysis, published: &Published) -> Vec<Explanation> {
    if analysis.description.suite.as_deref() != Some(THESIS_SUITE) {
        return Vec::new();
    }
    let mut explanations = Vec::new();
    for table in &published.thesis {
        let curves = analysis.curves.iter().enumerate();
        let mut rivals: Vec<Explanation> =
            curves.filter_map(|(place, curve)| explanation(analysis, place, curve, table)).collect();
        let least = rivals.iter().map(|one| one.misfit).fold(f64::INFINITY, f64::min);
        let are_several = rivals.len() > 1;
        rivals.iter_mut().for_each(|one| (one.is_best, one.is_chosen) = (one.misfit <= least, are_several));
        explanations.extend(rivals);
    }
    explanations
}

fn explanation(analysis: &Analysis, place: usize, curve: &Curve, table: &ThesisTable) -> Option<Explanation> {
    let groups = || curve.groups.iter().map(|&at| &analysis.groups[at]);
    let searched: Vec<(u32, &[Interval])> =
        groups().filter_map(|group| Some((group.configuration.threads, group.predicted.as_deref()?))).collect();
    let configuration = &groups().next_back()?.configuration;
    let costs = configuration.costs_name()?;
    let is_like = configuration.features == THESIS_FEATURES
        && configuration.depth == Depth::Plies(THESIS_DEPTH)
        && table.stands_for(costs);
    if !is_like || searched.len() < 2 {
        return None;
    }
    let first = &table.rows.first()?.1;
    let mut figures = Vec::new();
    for (cpus, row) in &table.rows[1..] {
        for (at, figure) in FIGURES.iter().enumerate() {
            let (now, alone) = ((figure.published)(row)?.estimate, (figure.published)(first)?.estimate);
            let Some((predicted, is_searched)) = foretell(&searched, *cpus, at) else { continue };
            // The ratios of the table are relative to its first row already.
            let published = if figure.is_ratio { now } else { now - alone };
            figures.push(Foretold { cpus: *cpus, figure: figure.name, published, predicted, is_searched });
        }
    }
    let distances: Vec<f64> = figures.iter().filter(|one| !one.judges()).filter_map(Foretold::distance).collect();
    let mean_square = distances.iter().map(|distance| distance * distance).sum::<f64>() / distances.len() as f64;
    Some(Explanation {
        curve: place,
        source: table.source,
        figures,
        misfit: mean_square.sqrt(),
        is_best: false,
        is_chosen: false,
    })
}

/// Prediction for this number of processors, and whether it was searched; nothing beyond what was.
fn foretell(searched: &[(u32, &[Interval])], cpus: u32, figure: usize) -> Option<(Interval, bool)> {
    let predicted = |place: usize| (searched[place].0, searched[place].1[figure]);
    let above = searched.iter().position(|(threads, _)| *threads >= cpus)?;
    let (high, upper) = predicted(above);
    if high == cpus {
        return Some((upper, true));
    }
    let (low, lower) = predicted(above.checked_sub(1)?);
    let share = f64::from(cpus - low) / f64::from(high - low);
    let between = |of: fn(&Interval) -> f64| of(&lower) + share * (of(&upper) - of(&lower));
    let estimate = between(|interval| interval.estimate);
    Some((Interval { estimate, low: between(|interval| interval.low), high: between(|interval| interval.high) }, false))
}

impl Foretold {
    /// Whether the published value lies in the interval.
    pub fn is_inside(&self) -> bool {
        (self.predicted.low..=self.predicted.high).contains(&self.published)
    }

    /// Whether the row judges, and takes no part in choosing.
    pub fn judges(&self) -> bool {
        self.cpus % 2 == 1
    }

    /// Whether the figure is a ratio to one processor, and not a difference in hundredths.
    pub fn is_ratio(&self) -> bool {
        FIGURES.iter().any(|figure| figure.name == self.figure && figure.is_ratio)
    }

    /// Logarithm of published to foretold, of ratios.
    fn distance(&self) -> Option<f64> {
        self.is_ratio().then(|| (self.published / self.predicted.estimate).ln())
    }
}

impl Explanation {
    /// Number of figures of this name that are inside, and of all: of a curve that was chosen, those that took no part
    /// in the choice.
    pub fn inside(&self, figure: &str) -> (usize, usize) {
        let is_counted = |one: &&Foretold| one.figure == figure && (one.judges() || !self.is_chosen);
        let counted = || self.figures.iter().filter(is_counted);
        (counted().filter(|one| one.is_inside()).count(), counted().count())
    }
}
