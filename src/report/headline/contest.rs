//! Words for a contest: how much faster than one processor its configurations are, and which of them tests tell apart.

use crate::analysis::labels::in_words;
use crate::analysis::state::is_too_small;
use crate::analysis::{Analysis, Contest, Group, Outgrowth, Rivalry};
use crate::questions::{self, is_shown, processors};
use crate::record::axes::{COSTS, DEPTH, ENGINE, FEATURES};
use crate::record::{Axis, Configuration, Depth, MachineKind};
use crate::share::smallest_s;
use crate::state::State;
use crate::statistics::Interval;
use crate::table::number::{self, counted, estimate, figure, range};

use super::price_range::{over_prices, over_prices_of_all};
use super::standing::{BesideOne, Standing};

/// Largest number of configurations that a sentence names.
const NAMED: usize = 2;
/// Doublings of the size of searches within which an order must not turn.
const FORESEEN_DOUBLINGS: f64 = 4.0;
/// Largest multiple of the size of searches that the end of an interval names.
const FORESEEN_AT_MOST: f64 = 1_000.0;
/// Share by which sizes of searches may differ and still be the same.
pub(super) const SAME_SIZE: f64 = 0.01;

/// Words for what the first contest shows, and in brief for that of the other machine.
pub(super) fn of_contests(analysis: &Analysis, contests: &[&Contest], state: &State) -> Option<String> {
    let first = contests.first()?;
    if let Some(text) = analysis.description.size_s.and_then(|size_s| at_one_size(analysis, contests, size_s)) {
        return Some(text);
    }
    let mut text = of_contest(analysis, first, contests, state)?;
    let machine = |contest: &Contest| analysis.groups[contest.candidates[0]].configuration.machine;
    let other = contests.iter().find(|contest| machine(contest) != machine(first));
    if let Some(brief) = other.and_then(|other| in_brief(analysis, other, state)) {
        text.push_str(&format!(" {brief}"));
    }
    Some(text)
}

/// Whether the verdict on a contest can only be tentative: its searches are too small.
pub(super) fn is_small(analysis: &Analysis, contest: &Contest) -> bool {
    contest.candidates.iter().any(|&place| is_too_small(&analysis.groups[place]))
}

/// Speedups at the size that the experiment asks for, where searches of all problems can be held side by side. Nothing
/// is ranked: the order of times is that of the problem, and between problems there is none.
fn at_one_size(analysis: &Analysis, contests: &[&Contest], size_s: f64) -> Option<String> {
    let at = |&place: &usize| {
        let group = &analysis.groups[place];
        let size = group.by_size.as_ref()?.sizes.iter().find(|size| size.t1_s == size_s)?;
        Some((size.time_speedup, group))
    };
    let all: Vec<(Interval, &Group)> = contests.iter().flat_map(|contest| &contest.candidates).filter_map(at).collect();
    let (_, first) = all.first()?;
    let on = processors(&first.configuration);
    let words: Vec<String> = all
        .iter()
        .filter(|(_, group)| group.configuration.threads == first.configuration.threads)
        .map(|(speedup, group)| format!("{} {}", group.label, number::interval(speedup)))
        .collect();
    Some(format!("Time speedup on {on}, where one takes {}: {}.", seconds(size_s), few(&words)))
}

fn of_contest(analysis: &Analysis, contest: &Contest, all: &[&Contest], state: &State) -> Option<String> {
    let standing = Standing::of(analysis, contest);
    let group = standing.leader()?;
    let against = group.against_baseline.as_ref()?;
    let is_real = group.configuration.machine == MachineKind::Real;
    if is_real && state.is_ruined() && !standing.has_order() {
        return Some(format!(
            "No verdict on real processors: {} of {} searches disturbed.",
            state.disturbed, state.records
        ));
    }
    let on = processors(&group.configuration);
    let asked = asked(analysis, &group.configuration, all);
    if !against.time_speedup.estimate.is_finite() {
        let bound = group.limited.bound?;
        return Some(format!(
            "{asked}On {on} the time speedup of {} is {} {}: the limit cut searches off.",
            group.label,
            bound.side.words(),
            figure(bound.ratio)
        ));
    }
    if is_small(analysis, contest) {
        let verdict = format!(
            "Too small to judge: one processor takes {}, and {} need searches of {} or more. {asked}At this size, on \
             {on}, times as fast as {}: {}.",
            seconds(against.t1_s),
            group.configuration.threads,
            seconds(smallest_s(group.configuration.threads)),
            standing.alone(&standing.ranked),
            few(&speedups(&standing, &standing.ranked))
        );
        return Some(verdict + &over_prices_of_all(&standing));
    }
    let size = format!("which takes {}", sizes(&standing));
    let verdict = format!("{asked}On {on}, {}, {size}{}.", ahead(&standing), behind(&standing));
    Some(verdict + &over_prices(&standing))
}

/// `lazy is 3.55 times (3.08 to 4.08) as fast as one processor`, or of several that are not told apart, between what
/// they are.
fn ahead(standing: &Standing<'_>) -> String {
    let top = standing.top();
    let labels = |places: &[usize]| few(&places.iter().map(|&place| name(standing, place)).collect::<Vec<_>>());
    if let [place] = top[..] {
        return beside_one(standing, place);
    }
    if !standing.is_tested() && !standing.is_identical() {
        let all = few(&speedups(standing, &standing.ranked));
        return format!("time speedups, of which none is tested since nothing was repeated, are {all}");
    }
    let between = range(&range_of(standing, &top));
    let (faster, others): (Vec<usize>, Vec<usize>) =
        top.iter().partition(|&&place| standing.beside_one(place) == BesideOne::Faster);
    let among = match standing.is_identical() {
        true => format!("all {} took the same time in every search", top.len()),
        false => format!("{} are not shown to differ", labels(&top)),
    };
    let alone = standing.alone(&top);
    match (faster.is_empty(), others.is_empty()) {
        (false, true) => format!("{among}: {between} times as fast as {alone}"),
        (true, _) => format!("{among}, nor to be faster than {alone} ({between} times as fast)"),
        (false, false) => {
            format!(
                "{among}: {between} times as fast as {alone}, which for {} is not shown to be a gain",
                labels(&others)
            )
        }
    }
}

/// Time of the one processor that the verdict compares with, or from the least to the most where those that it names
/// have baselines of their own.
fn sizes(standing: &Standing<'_>) -> String {
    let t1_s = |&place: &usize| Some(standing.group(place).against_baseline.as_ref()?.harder().t1_s);
    let all: Vec<f64> = standing.top().iter().filter_map(t1_s).collect();
    let (least, most) = (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(0.0, f64::max));
    match most > least * (1.0 + SAME_SIZE) {
        true => format!("{} to {}", seconds(least), seconds(most)),
        false => seconds(most),
    }
}

/// From the lowest end of the intervals of several speedups to the highest, all of which hold together.
pub(super) fn range_of(standing: &Standing<'_>, places: &[usize]) -> Interval {
    let all: Vec<Interval> = places.iter().filter_map(|&place| standing.speedup(place)).collect();
    let ends = |of: fn(&Interval) -> f64| all.iter().map(of);
    let (low, high) = match all.iter().all(|interval| interval.is_known()) {
        true => (ends(|one| one.low).fold(f64::INFINITY, f64::min), ends(|one| one.high).fold(0.0, f64::max)),
        false => (ends(|one| one.estimate).fold(f64::INFINITY, f64::min), ends(|one| one.estimate).fold(0.0, f64::max)),
    };
    Interval { estimate: (low * high).sqrt(), low, high }
}

fn beside_one(standing: &Standing<'_>, place: usize) -> String {
    let label = &standing.group(place).label;
    let Some(speedup) = standing.speedup(place) else { return format!("{label} is ahead") };
    let factor = format!("{} ({})", estimate(&speedup), range(&speedup));
    let alone = standing.alone(&[place]);
    match standing.beside_one(place) {
        BesideOne::NotShown => format!("{label} is not shown to be faster than {alone}: {factor}"),
        BesideOne::Slower => format!("{label} is slower than {alone}: {factor}"),
        BesideOne::NotTested if !speedup.is_known() => format!("the time speedup of {label} is {}", estimate(&speedup)),
        _ => format!("{label} is {} times ({}) as fast as {alone}", estimate(&speedup), range(&speedup)),
    }
}

/// `lazy (3.55)`; without the figure where it is beside another baseline than the leader's, for figures of a sentence
/// are comparable.
fn name(standing: &Standing<'_>, place: usize) -> String {
    let label = &standing.group(place).label;
    let is_comparable =
        standing.ranked.first().is_some_and(|&first| standing.alone(&[first]) == standing.alone(&[place]));
    let speedup = standing.speedup(place).filter(|_| is_comparable);
    speedup.map_or(label.clone(), |speedup| format!("{label} ({})", estimate(&speedup)))
}

/// `lazy 3.55 (3.08 to 4.08)`, of each.
fn speedups(standing: &Standing<'_>, places: &[usize]) -> Vec<String> {
    let words = |&place: &usize| {
        Some(format!("{} {}", standing.group(place).label, number::interval(&standing.speedup(place)?)))
    };
    places.iter().filter_map(words).collect()
}

/// `; ybwc (2.89) is slower than teams; root (1.22) is slower`: every configuration that a test puts behind another.
fn behind(standing: &Standing<'_>) -> String {
    let beaten = standing.beaten();
    let has_single_top = standing.top().len() == 1;
    // Of those that are slower than all of several, no single one need be named.
    let than = |(rivalry, by_all): &(Rivalry, bool)| match *by_all && !has_single_top {
        true => String::new(),
        false => format!(" than {}", standing.group(rivalry.groups[0]).label),
    };
    let mut parts: Vec<(String, Vec<Rivalry>)> = Vec::new();
    for one in &beaten {
        let than = than(one);
        match parts.iter_mut().find(|(other, _)| *other == than) {
            Some((_, rivals)) => rivals.push(one.0),
            None => parts.push((than, vec![one.0])),
        }
    }
    let part = |(than, rivals): &(String, Vec<Rivalry>)| {
        let names: Vec<String> = rivals.iter().map(|rivalry| name(standing, rivalry.groups[1])).collect();
        let are = if rivals.len() == 1 { "is" } else { "are" };
        format!("; {} {are} slower{than}{}", few(&names), turning(standing, rivals))
    };
    parts.iter().map(part).collect()
}

/// Qualification of an order that larger searches may turn, within a factor of 16 of the size: by a growth that a test
/// shows.
fn turning(standing: &Standing<'_>, slower: &[Rivalry]) -> String {
    slower.iter().find_map(|rivalry| level_at(standing, rivalry)).unwrap_or_default()
}

/// Size at which two rivals would be level, if larger searches may turn their order.
fn level_at(standing: &Standing<'_>, rivalry: &Rivalry) -> Option<String> {
    let Outgrowth { ratio: growth, test } = rivalry.outgrowth?;
    let [first, second] = rivalry.groups.map(|place| standing.group(place));
    let gap = (first.time_speedup() / second.time_speedup()).ln();
    let may_turn = is_shown(test) && growth.estimate > 1.0 && gap < FORESEEN_DOUBLINGS * growth.high.ln();
    let level = standing.level_after(rivalry)?.map(|factor| first.t1_s() * factor);
    let to = match level.high > first.t1_s() * FORESEEN_AT_MOST {
        true => "or more".to_owned(),
        false => format!("to {}", seconds(level.high)),
    };
    may_turn.then(|| {
        format!(
            " for searches of this size; {} gains more from size, and would be level where one processor takes \
             about {} ({} {to})",
            second.label,
            seconds(level.estimate),
            seconds(level.low)
        )
    })
}

/// `On 2 real processors, times as fast as one processor: lazy 1.46 (1.40 to 1.52), ybwc 1.20 (1.15 to 1.25).`
fn in_brief(analysis: &Analysis, contest: &Contest, state: &State) -> Option<String> {
    let standing = Standing::of(analysis, contest);
    let group = standing.leader()?;
    let on = processors(&group.configuration);
    if group.configuration.machine == MachineKind::Real && state.is_ruined() {
        return Some(format!("On {on}: no verdict, {} of {} searches disturbed.", state.disturbed, state.records));
    }
    if is_small(analysis, contest) {
        return Some(format!("On {on}: too small to judge, one takes {}.", seconds(group.t1_s())));
    }
    let is_gain = |&place: &usize| standing.beside_one(place) == BesideOne::Faster;
    let gain = if standing.ranked.iter().any(is_gain) { "" } else { "no gain is shown; " };
    let words = speedups(&standing, &standing.ranked);
    let alone = standing.alone(&standing.ranked);
    (!words.is_empty()).then(|| format!("On {on}, {gain}times as fast as {alone}: {}.", few(&words)))
}

/// A time with its unit.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1e-3 => format!("{} µs", figure(seconds * 1e6)),
        seconds if seconds < 0.1 => format!("{} ms", figure(seconds * 1e3)),
        seconds => format!("{} s", figure(seconds)),
    }
}

/// Words for the problem, where there are several.
fn asked(analysis: &Analysis, configuration: &Configuration, all: &[&Contest]) -> String {
    let of_machine = all.iter().filter(|contest| contest.problem.machine == configuration.machine).count();
    if of_machine < 2 {
        return String::new();
    }
    let varies = |axis: &Axis| all.iter().any(|contest| axis.differs(&contest.problem, configuration));
    let words: Vec<String> = [FEATURES, ENGINE, DEPTH, COSTS]
        .iter()
        .filter(|axis| varies(axis))
        .filter(|axis| **axis != DEPTH || configuration.depth != Depth::Unlimited)
        .map(|axis| in_words(axis, configuration, &analysis.description.names))
        .filter(|words| !words.is_empty())
        .collect();
    if words.is_empty() { String::new() } else { format!("With {}: ", words.join(", ")) }
}

/// Sentence on searches that are too small for their processors, where the verdict is on something else than speedups.
pub(super) fn caution(analysis: &Analysis) -> Option<String> {
    let small = analysis.groups.iter().filter(|group| is_too_small(group));
    let group = small.max_by_key(|group| group.configuration.threads)?;
    let threads = group.configuration.threads;
    Some(format!(
        "Searches of {} on one processor are too small for {}: {} need {} or more. Search deeper.",
        seconds(group.t1_s()),
        counted(threads, "processor", "processors"),
        threads,
        seconds(smallest_s(threads))
    ))
}

/// A single one more than are named is named too: `1 other` is no shorter.
pub(super) fn few(words: &[String]) -> String {
    questions::few(words, if words.len() == NAMED + 1 { NAMED + 1 } else { NAMED })
}
