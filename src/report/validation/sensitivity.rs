//! Dependence on each cost: the time speedup of the virtual machine with each cost halved and doubled, at the same
//! positions with the same seeds. Another cost makes another tree, so these ratios have intervals like those of other
//! searches.

use std::collections::BTreeMap;

use serde::Serialize;

use super::agreement::{SPEEDUP_MARGIN, Searches, interval, ratio_margin};
use super::verdict::{Judgement, Verdict, judge};
use crate::distinct::distinct;
use crate::record::validation::{CostRun, Measurements};
use crate::record::written;
use crate::statistics::{Contrast, Interval};

/// Effect of a changed cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostEffect {
    /// Name of the cost, as the model names it.
    pub cost: String,
    /// Whether it was doubled; else halved.
    pub is_doubled: bool,
    /// Value before, in nanoseconds where its name does not say otherwise.
    pub before: u64,
    /// Value after.
    pub after: u64,
    /// Number of virtual processors.
    pub threads: u32,
    /// The time speedup with the changed cost by that with the model's.
    pub ratio: Interval,
    /// Whether that is 1 but for the margin.
    pub judgement: Judgement,
    /// Whether the time speedup agrees with the real one at these positions, with the model's cost and with the changed
    /// one.
    pub agreement: Option<[Verdict; 2]>,
}

impl CostEffect {
    /// Name of the change: `lock handoff doubled`.
    pub fn name(&self) -> String {
        format!("{} {}", self.cost.replace('_', " "), if self.is_doubled { "doubled" } else { "halved" })
    }

    /// Whether the verdict on agreement with real processors is another one with this cost.
    pub fn changes_verdict(&self) -> bool {
        self.agreement.is_some_and(|[before, after]| before != after)
    }

    /// Whether no search took another time: the cost is of something that these searches never do.
    pub fn is_nothing(&self) -> bool {
        self.ratio == Interval { estimate: 1.0, low: 1.0, high: 1.0 }
    }

    /// Whether the time speedup has been shown to depend on this cost.
    pub fn is_shown(&self) -> bool {
        self.judgement.verdict == Verdict::ShownOutside
    }
}

/// Virtual times by cost model, processors, position and seed.
type Times<'a> = BTreeMap<Key<'a>, u64>;
type Key<'a> = (&'a str, u32, &'a str, u64);

fn key(run: &CostRun) -> Key<'_> {
    (&run.costs, run.threads, &run.position, run.seed)
}

/// The effect of every change. All are claimed together.
pub fn cost_effects(measurements: &Measurements, searches: &Searches<'_>) -> Vec<CostEffect> {
    let runs = measurements.cost_runs.iter().filter(|run| run.time_ns > 0);
    let times: Times<'_> = runs.map(|run| (key(run), run.time_ns)).collect();
    let Some(model) = measurements.model.get("name").and_then(serde_json::Value::as_str) else { return Vec::new() };
    let names = distinct(measurements.cost_runs.iter().map(|run| run.costs.as_str()));
    let changes: Vec<Change<'_>> = names.into_iter().filter_map(|name| Change::of(name, model)).collect();

    let margin = ratio_margin(SPEEDUP_MARGIN);
    let mut found = Vec::new();
    for &threads in &measurements.size.cost_processors {
        let is_checked = measurements.processors.contains(&threads);
        let pairs = |costs: &str| pairs(&times, model, costs, threads);
        let agreement = |costs: &str| {
            let difference = |(position, seed, _, speedup): &Pair<'_>| {
                Some(speedup - searches.log_speedup(false, threads, position, *seed)?)
            };
            let contrast = Contrast::paired(&by_position(&pairs(costs), difference)).filter(|_| is_checked)?;
            Some(judge(&[(&contrast, margin)])[0].verdict)
        };
        let before = agreement(model);
        for change in &changes {
            let pairs = pairs(change.name);
            let contrast = Contrast::paired(&by_position(&pairs, |(_, _, before, after)| Some(after - before)));
            let Some(contrast) = contrast else { continue };
            let Some(cost) = measurements.model.get(change.cost).and_then(serde_json::Value::as_u64) else { continue };
            found.push((threads, change, cost, contrast, before.zip(agreement(change.name))));
        }
    }
    let judgements = judge(&found.iter().map(|(_, _, _, contrast, _)| (contrast, margin)).collect::<Vec<_>>());
    let judged = found.iter().zip(judgements);
    let effect = judged.map(|((threads, change, cost, contrast, agreement), judgement)| CostEffect {
        cost: change.cost.to_owned(),
        is_doubled: change.is_doubled,
        before: *cost,
        after: if change.is_doubled { cost * 2 } else { cost / 2 },
        threads: *threads,
        ratio: interval(contrast).exp(),
        judgement,
        agreement: agreement.map(Into::into),
    });
    effect.collect()
}

/// A cost model that is another with one cost halved or doubled.
struct Change<'a> {
    name: &'a str,
    cost: &'a str,
    is_doubled: bool,
}

impl<'a> Change<'a> {
    fn of(name: &'a str, model: &str) -> Option<Self> {
        let change = written::changes(name).next().filter(|_| written::base(name) == model)?;
        let is_doubled = change.amount? == ('*', "2");
        (is_doubled || change.amount? == ('/', "2")).then_some(Self { name, cost: change.name, is_doubled })
    }
}

/// Position, seed, and the logarithms of the time speedup with the model's costs and with others.
type Pair<'a> = (&'a str, u64, f64, f64);

/// Pairs by position. One processor that does not pay the changed cost was not searched again.
fn pairs<'a>(times: &Times<'a>, model: &str, costs: &str, threads: u32) -> Vec<Pair<'a>> {
    let time = |costs: &str, threads: u32, position: &str, seed: u64| {
        times.get(&(costs, threads, position, seed)).map(|time| (*time as f64).ln())
    };
    let of_model = times.keys().filter(|(name, number, ..)| *name == model && *number == threads);
    let pair = |&(_, _, position, seed): &Key<'a>| {
        let alone = time(model, 1, position, seed)?;
        let before = alone - time(model, threads, position, seed)?;
        let after = time(costs, 1, position, seed).unwrap_or(alone) - time(costs, threads, position, seed)?;
        Some((position, seed, before, after))
    };
    of_model.filter_map(pair).collect()
}

fn by_position<'a>(pairs: &[Pair<'a>], of: impl Fn(&Pair<'a>) -> Option<f64>) -> Vec<Vec<f64>> {
    let positions = pairs.chunk_by(|one, next| one.0 == next.0);
    positions.map(|at_position| at_position.iter().filter_map(&of).collect()).collect()
}
