//! Published time speedups beside ours, each with its signed error: by how much ours is higher or lower than what was
//! published for as many processors. An arithmetic mean over positions stands beside our arithmetic mean, a ratio of
//! sums beside ours, and a geometric mean, or one that the publication does not tell, beside the geometric mean, which
//! is no higher than the arithmetic one. The interval of an error is that of our speedup: published figures have none.
//!
//! That a published figure lies inside our interval does not show that the two are equal, and no error says what would
//! come out at their size of searches.

use crate::published::{Mean, Published, PublishedSpeedup, THESIS_STRATEGY, THESIS_SUITE};
use crate::statistics::Interval;

use super::{Analysis, Replication};

/// Published time speedup beside a configuration of ours with as many processors.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedPoint {
    /// Place in [`Analysis::curves`].
    pub curve: usize,
    /// Place in [`Analysis::groups`].
    pub group: usize,
    /// Row that was published.
    pub published: PublishedSpeedup,
    /// Value that was published.
    pub value: f64,
    /// Relation of our positions to the published ones.
    pub positions: Positions,
}

/// Positions of ours as against the published ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positions {
    /// All of the published ones, and no others.
    Same,
    /// A part of the published ones.
    Part,
    /// Others, or nobody knows which those were.
    Other,
}

/// Errors of a curve over several published points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanError {
    /// Number of points.
    pub points: usize,
    /// Number of those that lie inside our interval.
    pub inside: usize,
    /// Number of those that have an interval of ours beside them.
    pub with_interval: usize,
    /// Mean of the signed errors, as a share.
    pub signed: f64,
    /// Mean of the errors without their signs.
    pub absolute: f64,
}

/// All published speedups of more than one processor beside each configuration that shares its search by the same
/// rule: first those of the printed program, whose tables have all numbers of processors.
pub(super) fn points(analysis: &Analysis, published: &Published) -> Vec<PublishedPoint> {
    let of_thesis = analysis.replications.iter().flat_map(|one| of_replication(analysis, one, published));
    let mut points: Vec<PublishedPoint> = of_thesis.collect();
    for (curve, groups) in analysis.curves.iter().map(|curve| &curve.groups).enumerate() {
        for &group in groups {
            let configuration = &analysis.groups[group].configuration;
            let is_beside = |row: &&PublishedSpeedup| {
                !row.is_of_thesis()
                    && row.processors > 1
                    && row.processors == configuration.threads
                    && row.stands_beside(&configuration.strategy)
            };
            let rows = published.speedups.iter().filter(is_beside).filter(|_| !configuration.is_outside());
            let point = |row: &PublishedSpeedup| PublishedPoint::of(analysis, curve, group, row.clone());
            points.extend(rows.filter_map(point));
        }
    }
    points
}

/// Rows of a table of the thesis as published speedups: ratios of its mean times.
fn of_replication<'a>(
    analysis: &'a Analysis,
    one: &'a Replication,
    published: &'a Published,
) -> impl Iterator<Item = PublishedPoint> + 'a {
    let table = published.thesis.iter().find(|table| table.source == one.source);
    let t1_s = table.and_then(|table| Some(table.rows.first()?.1.time_s?.estimate));
    one.rows.iter().filter_map(move |row| {
        let published = PublishedSpeedup {
            source: one.source.to_owned(),
            engine: "thesis".to_owned(),
            algorithm: "YBWC".to_owned(),
            positions: THESIS_SUITE.to_owned(),
            measure: "time-to-depth".to_owned(),
            processors: analysis.groups[row.group].configuration.threads,
            value: row.published.time_speedup?.estimate.to_string(),
            mean: Mean::Sums,
            ours: THESIS_STRATEGY.to_owned(),
            t1_s,
        };
        PublishedPoint::of(analysis, one.curve, row.group, published)
    })
}

impl PublishedPoint {
    /// A published row beside a configuration; nothing if its value is no number.
    fn of(analysis: &Analysis, curve: usize, group: usize, published: PublishedSpeedup) -> Option<Self> {
        let description = &analysis.description;
        let positions = match () {
            () if description.suite.as_deref() != Some(published.positions.as_str()) => Positions::Other,
            () if description.positions.len() < description.positions_of => Positions::Part,
            () => Positions::Same,
        };
        Some(Self { curve, group, value: published.number()?, published, positions })
    }

    /// Our time speedup, by the mean over positions that was published; nothing if there is none.
    pub fn ours(&self, analysis: &Analysis) -> Option<Interval> {
        let group = &analysis.groups[self.group];
        let against = group.against_baseline.as_ref()?;
        let ours = match self.published.mean {
            Mean::Arithmetic => against.mean_of_ratios,
            Mean::Geometric | Mean::Unstated => against.time_speedup,
            // Without a common depth there is no time speedup of whatever mean.
            Mean::Sums => group.thesis.time_speedup.filter(|_| against.time_speedup.estimate.is_finite())?,
        };
        ours.estimate.is_finite().then_some(ours)
    }

    /// Error of ours as a share of what was published: above 0 if ours is higher.
    pub fn error(&self, analysis: &Analysis) -> Option<Interval> {
        let Interval { estimate, low, high } = self.ours(analysis)?;
        let error = |ours: f64| ours / self.value - 1.0;
        Some(Interval { estimate: error(estimate), low: error(low), high: error(high) })
    }

    /// Whether what was published lies inside our interval; nothing if there is no interval.
    pub fn is_inside(&self, analysis: &Analysis) -> Option<bool> {
        let ours = self.ours(analysis).filter(|ours| ours.is_known())?;
        Some((ours.low..=ours.high).contains(&self.value))
    }
}

impl MeanError {
    /// Means over these points; nothing if there is none. Rows that were computed here from others are no further
    /// points.
    pub fn of<'a>(analysis: &Analysis, points: impl IntoIterator<Item = &'a PublishedPoint>) -> Option<Self> {
        let of_point = |point: &PublishedPoint| Some((point.error(analysis)?.estimate, point.is_inside(analysis)));
        let points = points.into_iter().filter(|point| !point.published.is_derived());
        let all: Vec<(f64, Option<bool>)> = points.filter_map(of_point).collect();
        let count = all.len() as f64;
        (!all.is_empty()).then(|| Self {
            points: all.len(),
            inside: all.iter().filter(|(_, inside)| *inside == Some(true)).count(),
            with_interval: all.iter().filter(|(_, inside)| inside.is_some()).count(),
            signed: all.iter().map(|(error, _)| error).sum::<f64>() / count,
            absolute: all.iter().map(|(error, _)| error.abs()).sum::<f64>() / count,
        })
    }
}
