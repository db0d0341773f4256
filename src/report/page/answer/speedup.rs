//! The greatest time speedup at the largest number of processors, what it is made of, and whether another configuration
//! comes close. On the virtual machine the first cost model speaks; the others say how much hangs on the costs.

use super::{full_interval, is_measured, losses, processors};
use crate::record::{Configuration, MachineKind};
use crate::report::analysis::{AgainstBaseline, Analysis, Group};
use crate::statistics::Interval;
use crate::table::number::{estimate, interval, listed, percent, range};

/// A group that was measured with more than one processor and can be divided by its baseline.
type Candidate<'a> = (&'a Group, &'a AgainstBaseline);

/// Sentences on one machine; none if there is no speedup.
pub(super) fn sentences(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let all = at_most_processors(analysis, machine);
    let Some(first) = all.first() else { return Vec::new() };
    let costs = spoken_costs(analysis, &all, first);
    let mut ranked: Vec<Candidate> = all.iter().copied().filter(|(group, _)| costs_of(group) == costs).collect();
    // Stable: of equal ones the first of the plan.
    ranked.sort_by(|a, b| b.1.time_speedup.estimate.total_cmp(&a.1.time_speedup.estimate));
    let Some(&best) = ranked.first() else { return Vec::new() };

    let mut sentences = vec![greatest(analysis, machine, &ranked)];
    sentences.extend(verdict(&best.1.time_speedup));
    sentences.extend(losses::sentence(best.1.time_speedup.estimate, &best.1.factors));
    sentences.extend(best.1.same_move.map(|share| {
        format!(
            "It chose the move of most baselines in {} of its runs: the same depth is not the same result.",
            percent(share)
        )
    }));
    sentences.extend(costs_matter(&all, best));
    sentences.extend(ranked.get(1).map(|next| runner_up(best, *next)));
    sentences
}

/// The candidates that have the largest number of processors.
fn at_most_processors(analysis: &Analysis, machine: MachineKind) -> Vec<Candidate<'_>> {
    // Of a factorial design only those runs are candidates that are curves for themselves.
    let is_in_curve =
        |place: usize| analysis.effects.is_empty() || analysis.curves.iter().any(|curve| curve.groups.contains(&place));
    let candidates: Vec<Candidate> = analysis
        .groups
        .iter()
        .enumerate()
        .filter(|(place, _)| is_in_curve(*place))
        .map(|(_, group)| group)
        .filter(|group| is_measured(group, machine) && group.configuration.threads > 1)
        .filter_map(|group| Some((group, group.against_baseline.as_ref()?)))
        .filter(|(_, against)| against.time_speedup.estimate.is_finite())
        .collect();
    let most = candidates.iter().map(|(group, _)| group.configuration.threads).max();
    candidates.into_iter().filter(|(group, _)| Some(group.configuration.threads) == most).collect()
}

/// The cost model that others are compared with; where it was not used, the first of the plan.
fn spoken_costs(analysis: &Analysis, all: &[Candidate], first: &Candidate) -> Option<String> {
    let reference = analysis.description.references.iter().find_map(|family| family.fields.get("costs")).cloned();
    let is_used = |costs: &String| all.iter().any(|(group, _)| group.configuration.costs.as_ref() == Some(costs));
    reference.filter(is_used).or_else(|| costs_of(first.0))
}

fn costs_of(group: &Group) -> Option<String> {
    group.configuration.costs.clone()
}

/// The first of those that are ranked.
fn greatest(analysis: &Analysis, machine: MachineKind, ranked: &[Candidate]) -> String {
    let (group, against) = ranked[0];
    let costs = match &group.configuration.costs {
        Some(costs) if machine == MachineKind::Virtual => format!(" (cost model {costs})"),
        _ => String::new(),
    };
    let with = format!("With {}{costs}", processors(group.configuration.threads, machine));
    let (speedup, label) = (estimate(&against.time_speedup), &group.label);
    let interval = full_interval(analysis, &against.time_speedup);
    if ranked.len() == 1 {
        return format!("{with}, {label} was {speedup} times as fast to the same depth as one ({interval}).");
    }
    let shares_baseline = |(rival, _): &Candidate| rival.configuration.baseline() == group.configuration.baseline();
    let own = if ranked.iter().all(shares_baseline) { "" } else { ", each against its own baseline," };
    let of = ranked.len();
    format!("{with} the greatest time speedup of {of} configurations{own} was that of {label}: {speedup} ({interval}).")
}

/// Sentence on whether there is a speedup at all, by its interval.
fn verdict(speedup: &Interval) -> Option<String> {
    if speedup.low > 1.0 || !speedup.is_known() {
        None
    } else if speedup.high < 1.0 {
        Some("It was slower than one processor.".to_owned())
    } else {
        Some("So it is not shown to be faster than one processor.".to_owned())
    }
}

fn runner_up((_, best): Candidate, (group, next): Candidate) -> String {
    let (best, next) = (&best.time_speedup, &next.time_speedup);
    let settled = if !best.is_known() || !next.is_known() {
        "; without intervals their order is not settled"
    } else if next.high >= best.low {
        "; the intervals overlap, so they do not settle the order of the two"
    } else {
        ""
    };
    format!("Next was {} with {}{settled}.", group.label, interval(next))
}

/// Sentence on how far the speedup moves with the costs, and on whether another configuration comes first under some of
/// them.
fn costs_matter(all: &[Candidate], (best, against): Candidate) -> Option<String> {
    let without_costs = |group: &Group| Configuration { costs: None, costs_hash: None, ..group.configuration.clone() };
    let is_same = |(group, _): &&Candidate| without_costs(group) == without_costs(best);
    let same: Vec<&Candidate> = all.iter().filter(is_same).collect();
    if same.len() < 2 {
        return None;
    }
    let speedup = |(_, against): &Candidate| against.time_speedup.estimate;
    let extreme = |of: fn(f64, f64) -> f64| same.iter().map(|one| speedup(one)).reduce(of).unwrap_or(f64::NAN);
    let spread = Interval { low: extreme(f64::min), high: extreme(f64::max), ..against.time_speedup };
    let mut text =
        format!("Over the {} cost models tried the speedup of {} lies at {}", same.len(), best.label, range(&spread));
    let is_beaten = |ours: &&&Candidate| {
        all.iter().any(|rival| costs_of(rival.0) == costs_of(ours.0) && speedup(rival) > speedup(ours))
    };
    let others: Vec<String> = same.iter().filter(is_beaten).filter_map(|(group, _)| costs_of(group)).collect();
    if !others.is_empty() {
        text.push_str(&format!("; that it comes first depends on them: under {} another does", listed(&others)));
    }
    text.push('.');
    Some(text)
}
