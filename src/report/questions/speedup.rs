//! How much faster? The time speedup of every configuration, by processors.

use crate::Source;
use crate::analysis::price_range::range_over_prices;
use crate::analysis::{AgainstBaseline, Analysis, Group};
use crate::charts::figures::speedup as charts;
use crate::distinct::found_or_added;
use crate::record::{Asks, MachineKind};
use crate::sentence::Sentence;
use crate::state::is_ruined;
use crate::statistics::Interval;
use crate::table::{Cell, Columns, columns, number};

use super::rows::{self, Row, kind_of};
use super::{Question, adjusted, few, leaders, processors};

pub(super) const SPEEDUP: Question<Source> = Question {
    key: "speedup",
    title: "How much faster are several processors?",
    reading: "At a time speedup of 4 a search to the same depth takes a quarter of the time of one processor. \
              Geometric means over positions, so that all weigh the same, each interval for one figure alone; in the \
              ratio of sums, positions that take long weigh more. Strategies that leave out iterations stand beside \
              one processor as it is, and beside one that leaves them out too, by the best of the schedules that are \
              declared: what it gains so is no parallelism. The range over prices is of the estimates on 16 and more \
              virtual processors, with all prices halved or doubled that a computer with two cores cannot measure.",
    sentence,
    charts: &[
        ("time-speedup", "time speedup by number of processors, with intervals", charts::time_speedup),
        (
            "time-speedup-bounds",
            "time speedup beside what the trees that were searched allow without loss; if it is asked for",
            charts::time_speedup_bounds,
        ),
    ],
    columns: Some(columns),
    table: |source| rows::table(source, columns(source).and(of_sums()), has_row),
    ..Question::PLAIN
};

/// Largest number of configurations of a machine that the sentence names.
const NAMED: usize = 4;

/// Sentence on speedups beside one processor that leaves out iterations, as the fastest configurations do; empty if
/// none of them has such a baseline.
fn beside_best_schedules(source: &Source) -> String {
    let has_times = |group: &&&Group| group.configuration.machine != MachineKind::Real || !is_ruined(&source.analysis);
    let leaders = leaders(&source.analysis);
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for group in leaders.iter().flatten().filter(has_times) {
        let Some(harder) = group.against_baseline.as_ref().map(AgainstBaseline::harder) else { continue };
        if harder.step.is_some() {
            let beside = format!("{}, on {}", harder.alone, processors(&group.configuration));
            let words = format!("{} {}", group.label, number::interval(&harder.time_speedup));
            found_or_added(&mut all, |(other, _)| *other == beside, || (beside.clone(), Vec::new())).1.push(words);
        }
    }
    all.iter().map(|(beside, words)| format!(" Beside {beside}: {}.", few(words, NAMED))).collect()
}

/// Sentence on how far the speedups depend on prices that two cores cannot measure; empty if no search tells.
fn over_prices(source: &Source) -> String {
    let leaders = leaders(&source.analysis);
    let words = |group: &&Group| {
        let ends = range_of_prices(group)?;
        Some(format!("{} {}", group.label, number::range(&ends)))
    };
    let words: Vec<String> = leaders.iter().flatten().filter_map(words).collect();
    match words.is_empty() {
        true => String::new(),
        false => format!(" From half to double the model's unmeasured prices: {}.", few(&words, NAMED)),
    }
}

/// Ends of the time speedup beside one processor as it is over prices that two cores cannot measure.
fn range_of_prices(group: &Group) -> Option<Interval> {
    range_over_prices(group.time_speedup(), &group.repricings)
}

/// Whether a configuration has a row.
fn has_row(group: &Group) -> bool {
    group.against_baseline.is_some() || group.limited.bound.is_some() || group.limited.depth.is_some()
}

fn sentence(source: &Source) -> Option<Sentence> {
    let speedup = |group: &&Group| {
        let speedup = group.against_baseline.as_ref()?.time_speedup;
        speedup.estimate.is_finite().then(|| format!("{} {}", group.label, number::interval(&speedup)))
    };
    let is_ruined = is_ruined(&source.analysis);
    let of_machine = |groups: &Vec<&Group>| {
        let configuration = &groups[0].configuration;
        let on = processors(configuration);
        if configuration.machine == MachineKind::Real && is_ruined {
            return Some(format!("on {on}: not known, since the searches were disturbed"));
        }
        let words: Vec<String> = groups.iter().filter_map(speedup).collect();
        (!words.is_empty()).then(|| format!("on {on}: {}", few(&words, NAMED)))
    };
    let machines: Vec<String> = leaders(&source.analysis).iter().filter_map(of_machine).collect();
    let any = || source.analysis.groups.iter().any(has_row);
    let beside = beside_best_schedules(source) + &over_prices(source);
    let words = match machines.is_empty() {
        true if !any() => return None,
        true => "No search to a common depth was measured whole; see the bounds and depths.".to_owned(),
        // Beside the thesis's averages these are others.
        false if source.analysis.asks() == Asks::Published => {
            format!("Time speedup, as a geometric mean over positions, {}.{beside}", machines.join("; "))
        }
        false => format!("Time speedup {}.{beside}", machines.join("; ")),
    };
    Some(Sentence::described(words))
}

fn columns(source: &Source) -> Columns<'_, Row<'_>> {
    let analysis = &source.analysis;
    let counts = columns! { Row<'_>, row;
        "runs": "searches that count" => row.group.runs;
        "positions": "positions that were measured" => row.group.positions;
        "failed": "searches that failed" => row.group.failed;
        "disturbed": "disturbed searches that count nevertheless" => row.group.disturbed;
    };
    let any = |count: usize| Some(count).filter(|count| *count > 0);
    let limited = columns! { Row<'_>, row;
        "cut" as "Cut off": "searches that the limit cut off" => any(row.group.limited.cut);
        "baseline_cut" as "Baseline cut off": "searches of its baseline that the limit cut off" =>
            any(row.group.limited.baseline_cut);
        "time_speedup_bound" as "Time speedup is":
            "kind of bound on a time speedup of which searches were cut off: at most or at least" =>
            row.group.limited.bound.map(|bound| bound.side.words());
        "time_speedup_bound_at" as "this": "the bound: that end of its 95 % interval" =>
            row.group.limited.bound.map(|bound| bound.ratio);
        "mean_depth" as "Depth reached" [with_ends]:
            "mean depth reached in plies, of searches limited by time or nodes" => row.group.limited.depth;
        "depth_gain" as "Deeper by" [with_ends]: "by how many plies that is deeper than the baseline" =>
            row.group.limited.depth_gain;
    };
    let prices = columns! { Row<'_>, row;
        "price_range_low": "least time speedup over prices that two cores cannot measure: with those of the model, \
                            with all of these halved and with all doubled. Estimates, of which those with other prices \
                            rest on one run of each position; empty where no search tells" =>
            range_of_prices(row.group).map(|ends| ends.low);
        "price_range_high": "largest of those time speedups" => range_of_prices(row.group).map(|ends| ends.high);
    };
    let strength = columns! { Row<'_>, row;
        "strength_speedup" as "In games" [optional with_ends]:
            "multiple of the time of a move with which one processor plays as well, from the tournament beside" =>
            row.group.strength.map(|strength| strength.speedup);
        "strength_move_s" [optional]: "seconds of such a move of one processor, about as long as its searches here" =>
            row.group.strength.map(|strength| strength.move_s);
    };
    counts.and(ratios(analysis).of(rows_ratios)).and(prices).and(strength).and(limited)
}

/// The other average of a time speedup, for readers.
fn of_sums<'a>() -> Columns<'a, Row<'a>> {
    columns! { Row<'_>, row;
        "ratio_of_sums" as "Ratio of sums" [optional]: "mean time of the baseline / mean time" =>
            row.group.thesis.time_speedup.filter(|_| row.group.against_baseline.is_some());
    }
}

/// Ratios of a row to its baseline: 1 for a baseline that was measured whole.
pub(super) fn rows_ratios<'r>(row: &'r Row<'_>) -> Option<&'r AgainstBaseline> {
    let is_whole = row.group.runs > 0 && row.group.limited.cut == 0;
    let itself = (row.group.configuration.is_baseline() && is_whole).then_some(&AgainstBaseline::ITSELF);
    row.group.against_baseline.as_ref().or(itself)
}

fn ratios(analysis: &Analysis) -> Columns<'_, AgainstBaseline> {
    columns! { AgainstBaseline, ratios;
        "time_speedup" as "Time speedup" [with_ends]:
            "how many times as fast as the baseline the same depth was reached; empty if there is no baseline" =>
            ratios.time_speedup;
        "time_speedup_best_schedule" as "By the best schedule" [with_ends]:
            "how many times as fast as one processor that leaves out iterations too, by the best of the schedules that \
             are declared; empty for strategies that leave out none" =>
            ratios.best_schedule.as_ref().map(|best| best.time_speedup);
        "best_schedule" as "Schedule" [optional]: "plies from one iteration to the next by that schedule" =>
            ratios.best_schedule.as_ref().map(|best| best.step);
        "best_schedule_gain" as "One processor gains" [optional with_ends]:
            "how many times as fast one processor becomes by that schedule" =>
            ratios.best_schedule.as_ref().map(|best| best.gain);
        "efficiency" as "Efficiency, %": "time speedup / number of processors" =>
            Cell::share(ratios.time_speedup.estimate / ratios.factors.processors);
        "t1_s" as "One processor":
            "seconds that one processor takes to the same depth: geometric mean over positions" => ratios.t1_s;
        "nodes_1": "nodes that one processor searches likewise" => Cell::whole(ratios.nodes_1);
        "nps_ratio" as "NPS" [optional with_ends]: "nodes per second relative to the baseline" => ratios.nps_speedup;
        "master_time_speedup" as "To worker 0" [optional with_ends]:
            "time speedup until worker 0 could answer with that depth, where that is another moment" =>
            ratios.ends.master;
        "voted_time_speedup" as "To the vote" [optional with_ends]:
            "time speedup until the workers would have voted for an answer of that depth, where that is another moment"
            => ratios.ends.voted;
        "interval": "positions for which the intervals hold; empty if there are none" =>
            kind_of(analysis, ratios.time_speedup);
        "mean_of_ratios" [with_ends]: "the arithmetic mean of the positions' time speedups" => ratios.mean_of_ratios;
        "median": "the median of the positions' time speedups" => ratios.median;
        "speedup_p10": "time speedup that nine of ten positions exceed" => ratios.tenths[0];
        "speedup_p90": "time speedup that one of ten positions exceeds" => ratios.tenths[1];
        "faster_p": "probability that chance alone makes its time differ so much from one processor's, adjusted" =>
            Cell::probability(adjusted(ratios.faster));
    }
}
