//! Sentences on what it costs to hand positions over. The first answers the question of 2004: is a position too big?

use super::{full_interval, processors};
use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Group, Sizes};
use crate::statistics::Interval;
use crate::table::number::{count, estimate, figure, level, range};

/// Share of the processors' time from which on copying is called expensive, in hundredths.
const EXPENSIVE_PCT: f64 = 1.0;
/// Number of sweeps and of configurations that are spoken of.
const SPOKEN_OF: usize = 5;

/// Sentences on this machine.
pub(super) fn sentences(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let is_timed = |group: &&Group| group.configuration.machine == machine && group.splitting.bytes.is_some();
    let timed: Vec<&Group> = analysis.groups.iter().filter(is_timed).collect();
    let Some(most) = timed.iter().map(|group| group.configuration.threads).max() else { return Vec::new() };
    let largest: Vec<&Group> = timed.into_iter().filter(|group| group.configuration.threads == most).collect();
    let mut sentences: Vec<String> = verdict(analysis, machine, &largest).into_iter().collect();
    sentences.extend(usual_copies(&largest));
    sentences.extend(sizes(analysis, machine));
    sentences
}

/// Share of time that copying takes, in hundredths.
fn copying(group: &Group) -> Option<Interval> {
    group.splitting.copy_share.map(|share| share.map(|share| 100.0 * share))
}

/// Bytes that are copied because the configuration asks for it, and not because anybody needs them.
fn is_padded(group: &Group) -> bool {
    group.configuration.copy.as_deref().is_some_and(|copy| copy.contains('+'))
}

/// Whether a position is too big to be handed over: by the upper ends of the intervals of all configurations.
fn verdict(analysis: &Analysis, machine: MachineKind, groups: &[&Group]) -> Option<String> {
    let real: Vec<(&Group, Interval)> =
        groups.iter().filter(|group| !is_padded(group)).filter_map(|group| Some((*group, copying(group)?))).collect();
    let upper = |interval: &Interval| if interval.is_known() { interval.high } else { f64::INFINITY };
    let (costliest, interval) = real.iter().copied().max_by(|one, other| upper(&one.1).total_cmp(&upper(&other.1)))?;
    let on = processors(costliest.configuration.threads, machine);
    let count = real.len();
    let answer = match (interval.is_known() && interval.low > EXPENSIVE_PCT, upper(&interval) < EXPENSIVE_PCT) {
        (true, _) => "Copying positions is expensive here",
        (_, true) => "No position is too big to be copied to helpers here",
        _ => "Whether a position is too big to be copied to helpers is not settled here",
    };
    let which = match count {
        1 => String::new(),
        _ => format!(", with {}, whose interval reaches highest of {count}", costliest.label),
    };
    Some(format!(
        "{answer}: on {on}, copying itself took {} % of the processors' time ({}){which}.",
        estimate(&interval),
        full_interval(analysis, &interval),
    ))
}

/// Bytes and time of a copy, of configurations with the usual copies.
fn usual_copies(groups: &[&Group]) -> Option<String> {
    let is_usual = |group: &&&Group| {
        let Configured { copy, copier } = configured(group);
        copy.is_none_or(|copy| copy == "trimmed") && copier.is_none_or(|copier| copier == "owner-locked")
    };
    let words = |group: &&Group| {
        let [_, pack, _, _, copy, fetch, _] =
            group.splitting.stages.map(|stage| stage.map(|stage| figure(stage.estimate)));
        let bytes = count(group.splitting.bytes?.estimate);
        let label = &group.label;
        Some(format!(
            "{bytes} bytes with {label}: {} ns to pack, {} to fetch and {} to take over",
            pack?, fetch?, copy?
        ))
    };
    let all: Vec<String> = groups.iter().filter(is_usual).filter_map(words).take(SPOKEN_OF).collect();
    (!all.is_empty()).then(|| format!("A copy has {} (means).", all.join("; ")))
}

/// How a group's positions are copied, where that is an axis.
struct Configured<'a> {
    copy: Option<&'a str>,
    copier: Option<&'a str>,
}

fn configured(group: &Group) -> Configured<'_> {
    let configuration = &group.configuration;
    Configured { copy: configuration.copy.as_deref(), copier: configuration.copier.as_deref() }
}

/// Sizes at which copies cost one in a hundred.
fn sizes(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let of_machine = |sizes: &&Sizes| analysis.groups[sizes.smallest].configuration.machine == machine;
    let mut sweeps: Vec<&Sizes> = analysis.sizes.iter().filter(of_machine).collect();
    // Of the largest machine first.
    sweeps.sort_by_key(|sizes| std::cmp::Reverse(analysis.groups[sizes.smallest].configuration.threads));
    sweeps.into_iter().take(SPOKEN_OF).filter_map(|sizes| size(analysis, machine, sizes)).collect()
}

fn size(analysis: &Analysis, machine: MachineKind, sizes: &Sizes) -> Option<String> {
    let group = &analysis.groups[sizes.smallest];
    let on = processors(group.configuration.threads, machine);
    let (first, last) = (sizes.points.first()?, sizes.points.last()?);
    let Some(bytes) = sizes.one_percent.filter(|bytes| bytes.high.is_finite()) else {
        return Some(format!(
            "From {} to {} bytes a copy, a node is not shown to take longer on {on} ({}): time ratio {} ({}).",
            count(first.bytes),
            count(last.bytes),
            group.label,
            estimate(&last.slowdown),
            range(&last.slowdown)
        ));
    };
    let beyond = match bytes.estimate > last.bytes - first.bytes {
        true => ", which is beyond the largest that was measured",
        false => "",
    };
    Some(format!(
        "A node takes 1 % longer on {on} ({}) when a copy is {} bytes larger ({} interval {} to {}), if time grows \
         evenly with the bytes{beyond}.",
        group.label,
        count(bytes.estimate),
        level(),
        count(bytes.low),
        count(bytes.high)
    ))
}
