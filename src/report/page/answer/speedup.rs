//! The time speedups at the largest number of processors: which configurations may be the fastest, what their speedup
//! is made of, and how far it hangs on the costs. On the virtual machine the first cost model speaks.
//!
//! Nothing is ranked by its estimate. Of several configurations those may be the fastest that no other is shown to be
//! faster than, by paired tests; their intervals hold all at once, so that the best of many is not flattered.

use super::{full_interval, is_shown, losses, p_in_words, processors, regret};
use crate::record::{Configuration, MachineKind};
use crate::report::analysis::{AgainstBaseline, Analysis, Group, Rivalry, rivals};
use crate::statistics::Interval;
use crate::table::number::{counted, estimate, listed, range};

/// A group that was measured with more than one processor and can be divided by its baseline.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    place: usize,
    group: &'a Group,
    against: &'a AgainstBaseline,
}

/// Number of configurations beyond which only the first are named; the tables have the others.
const NAMED: usize = 4;

/// Sentences on one machine; none if there is no speedup.
pub(super) fn sentences(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let all = at_most_processors(analysis, machine);
    let Some(first) = all.first() else { return Vec::new() };
    let costs = spoken_costs(analysis, &all, first);
    let candidates: Vec<Candidate> = all.iter().copied().filter(|one| costs_of(one.group) == costs).collect();
    let (unbeaten, beaten): (Vec<Candidate>, Vec<Candidate>) =
        candidates.iter().partition(|one| !candidates.iter().any(|other| is_faster(analysis, other, one)));
    let mut sentences = vec![order(analysis, machine, &candidates, &unbeaten, &beaten)];
    // One of those that may be the fastest stands for all: the first of the plan.
    let Some(spoken) = unbeaten.first().or(candidates.first()) else { return sentences };
    let is_alone = candidates.len() == 1;
    let subject = if is_alone { "It" } else { spoken.group.label.as_str() };
    sentences.extend(verdict(analysis, spoken.against, subject));
    sentences.extend(boards(machine, &candidates));
    let losses = losses::sentence(spoken.against.time_speedup.estimate, &spoken.against.factors);
    let with_name = |text: String| match is_alone {
        true => text,
        false => text.replacen("The efficiency", &format!("The efficiency of {}", spoken.group.label), 1),
    };
    sentences.extend(losses.map(with_name));
    let outside = candidates.iter().filter(|one| one.group.configuration.is_outside());
    sentences.extend(outside.filter_map(|one| losses::hidden_by_nps(&one.group.label, one.against)));
    sentences.extend(regret::sentences(spoken.group, spoken.against));
    sentences.extend(costs_matter(analysis, &all, spoken));
    sentences
}

/// The candidates of this machine.
fn at_most_processors(analysis: &Analysis, machine: MachineKind) -> Vec<Candidate<'_>> {
    let candidates = rivals::candidates(&analysis.groups, &analysis.curves, !analysis.effects.is_empty());
    let candidate = |place: usize| {
        let group = &analysis.groups[place];
        Some(Candidate { place, group, against: group.against_baseline.as_ref()? })
    };
    let all = candidates.into_iter().filter_map(candidate);
    all.filter(|one| one.group.configuration.machine == machine).collect()
}

/// The cost model that others are compared with; where it was not used, the first of the plan.
fn spoken_costs(analysis: &Analysis, all: &[Candidate], first: &Candidate) -> Option<String> {
    let reference = analysis.description.references.iter().find_map(|family| family.fields.get("costs")).cloned();
    let is_used = |costs: &String| all.iter().any(|one| one.group.configuration.costs.as_ref() == Some(costs));
    reference.filter(is_used).or_else(|| costs_of(first.group))
}

fn costs_of(group: &Group) -> Option<String> {
    group.configuration.costs.clone()
}

/// The pair of these two, and whether the first of the pair is the first of the two.
fn rivalry<'a>(analysis: &'a Analysis, one: &Candidate, other: &Candidate) -> Option<(&'a Rivalry, bool)> {
    analysis.rivalries.iter().find_map(|rivalry| match rivalry.groups {
        [first, second] if [first, second] == [one.place, other.place] => Some((rivalry, true)),
        [first, second] if [second, first] == [one.place, other.place] => Some((rivalry, false)),
        _ => None,
    })
}

/// Whether a test has shown the first of the two to be faster.
fn is_faster(analysis: &Analysis, one: &Candidate, other: &Candidate) -> bool {
    rivalry(analysis, one, other)
        .is_some_and(|(rivalry, is_first)| is_shown(rivalry.p) && (rivalry.time.estimate > 1.0) == is_first)
}

/// Sentence on which of the configurations may be the fastest.
fn order(
    analysis: &Analysis,
    machine: MachineKind,
    candidates: &[Candidate],
    unbeaten: &[Candidate],
    beaten: &[Candidate],
) -> String {
    let first = candidates[0];
    let configuration = &first.group.configuration;
    let costs = match &configuration.costs {
        Some(costs) if machine == MachineKind::Virtual => format!(" (cost model {costs})"),
        _ => String::new(),
    };
    let on = format!("On {}{costs}", processors(configuration.threads, machine));
    if candidates.len() == 1 {
        let (speedup, interval) = (&first.against.time_speedup, full_interval(analysis, &first.against.time_speedup));
        let label = &first.group.label;
        return format!(
            "{on}, {label} reached the same depth {} times as fast as on one ({interval}).",
            estimate(speedup)
        );
    }
    let shares_baseline = |one: &Candidate| one.group.configuration.baseline() == configuration.baseline();
    let than = if candidates.iter().all(shares_baseline) { "one processor" } else { "each one's own baseline" };
    let all = candidates.len();
    let named = |some: &[Candidate]| {
        let mut words: Vec<String> = some.iter().take(NAMED).map(|one| speedup_of(one)).collect();
        if some.len() > NAMED {
            words.push(counted(some.len() - NAMED, "other", "others"));
        }
        listed(&words)
    };
    let holds = match first.against.simultaneous.is_some_and(|interval| interval.is_known()) {
        true => format!("simultaneous intervals of {}", full_level(analysis)),
        false => "no intervals can be given".to_owned(),
    };
    let are_identical = |one: &Candidate| {
        one.place == first.place || rivalry(analysis, &first, one).is_some_and(|(rivalry, _)| rivalry.is_identical)
    };
    let is_tested = analysis.rivalries.iter().any(|one| one.p.is_some() && one.groups.contains(&first.place));
    let (shown, speedups) = match (unbeaten, beaten) {
        _ if candidates.iter().all(are_identical) => {
            (format!("all {all} configurations took the same time in every search"), speedup_of(&first))
        }
        _ if !is_tested => (format!("the order of {all} configurations could not be tested"), named(candidates)),
        ([fastest], beaten) if !beaten.is_empty() => {
            (format!("{} is shown to be the fastest of {all} configurations", fastest.group.label), speedup_of(fastest))
        }
        (unbeaten, []) => (format!("no configuration of {all} is shown to be slower than another"), named(unbeaten)),
        (unbeaten, beaten) => {
            let others = if beaten.len() == 1 { "is".to_owned() } else { format!("{} are", beaten.len()) };
            let shown = format!(
                "{} of {all} configurations are not shown to be slower than another; the other {others} shown to be",
                unbeaten.len()
            );
            (shown, named(unbeaten))
        }
    };
    format!("{on}, {shown}. Time speedup relative to {than} ({holds}): {speedups}.")
}

/// `3.25 (3.12 to 3.38) for ybwc`, with the interval that holds for all configurations at once.
fn speedup_of(one: &Candidate) -> String {
    let speedup = one.against.simultaneous.unwrap_or(one.against.time_speedup);
    format!("{} for {}", crate::table::number::interval(&speedup), one.group.label)
}

fn full_level(analysis: &Analysis) -> String {
    format!("{} for {}", crate::table::number::level(), analysis.description.interval.name())
}

/// Sentence on whether there is a speedup at all, if that is not shown.
fn verdict(analysis: &Analysis, against: &AgainstBaseline, subject: &str) -> Option<String> {
    let p = against.faster_p?;
    match (is_shown(Some(p)), against.time_speedup.estimate > 1.0) {
        (true, true) => None,
        (true, false) => Some(format!("{subject} is shown to be slower than one processor.")),
        // An interval by itself may exclude 1 all the same.
        (false, _) => Some(format!(
            "{subject} is not shown to be faster than one processor ({} after correction for all {}).",
            p_in_words(p),
            counted(analysis.claims, "claim", "claims")
        )),
    }
}

/// Sentence on what boards can differ by on the virtual machine, where work costs the same on all.
fn boards(machine: MachineKind, candidates: &[Candidate]) -> Option<String> {
    let board = |one: &Candidate| (one.group.configuration.board.clone(), one.group.configuration.sliders.clone());
    let differ = candidates.iter().any(|one| board(one) != board(&candidates[0]));
    (differ && machine == MachineKind::Virtual).then(|| {
        "The virtual costs of work do not depend on the board: on the virtual machine, boards differ only in the bytes \
         that a split copies."
            .to_owned()
    })
}

/// Sentence on how far the speedup moves with the costs, and on under which of them another configuration is shown to
/// be faster.
fn costs_matter(analysis: &Analysis, all: &[Candidate], spoken: &Candidate) -> Option<String> {
    let without_costs = |group: &Group| Configuration { costs: None, costs_hash: None, ..group.configuration.clone() };
    let is_same = |one: &&Candidate| without_costs(one.group) == without_costs(spoken.group);
    let same: Vec<&Candidate> = all.iter().filter(is_same).collect();
    if same.len() < 2 {
        return None;
    }
    let speedup = |one: &&Candidate| one.against.time_speedup.estimate;
    let extreme = |of: fn(f64, f64) -> f64| same.iter().map(speedup).reduce(of).unwrap_or(f64::NAN);
    let spread = Interval { low: extreme(f64::min), high: extreme(f64::max), ..spoken.against.time_speedup };
    let mut text = format!(
        "Over the {} cost models tried, the time speedup of {} ranges from {}",
        same.len(),
        spoken.group.label,
        range(&spread)
    );
    let is_beaten = |ours: &&&Candidate| all.iter().any(|rival| is_faster(analysis, rival, ours));
    let others: Vec<String> = same.iter().filter(is_beaten).filter_map(|one| costs_of(one.group)).collect();
    if !others.is_empty() {
        text.push_str(&format!("; with {} another configuration is shown to be faster", listed(&others)));
    }
    text.push('.');
    Some(text)
}
