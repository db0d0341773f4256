//! Sentences on what it costs to hand positions over. The first answers the question of 2004: is a position too big?

use super::{full_interval, processors};
use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Group, Sizes};
use crate::statistics::Interval;
use crate::table::number::{count, estimate, figure, level, listed, range};

/// Share of the processors' time from which on copying is called expensive, in hundredths.
const EXPENSIVE_PCT: f64 = 1.0;
/// Number of sweeps that are spoken of.
const SPOKEN_OF: usize = 3;

/// Sentences on this machine.
pub(super) fn sentences(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let is_timed = |group: &&Group| group.configuration.machine == machine && copying(group).is_some();
    let timed: Vec<&Group> = analysis.groups.iter().filter(is_timed).collect();
    let Some(most) = timed.iter().map(|group| group.configuration.threads).max() else { return Vec::new() };
    let largest: Vec<&Group> = timed.into_iter().filter(|group| group.configuration.threads == most).collect();
    let mut sentences: Vec<String> = verdict(analysis, machine, &largest).into_iter().collect();
    sentences.extend(by_board(&largest));
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

/// Whether a position is too big to be handed over: by the configuration whose copies take most time.
fn verdict(analysis: &Analysis, machine: MachineKind, groups: &[&Group]) -> Option<String> {
    let share = |group: &Group| copying(group).map_or(f64::NEG_INFINITY, |share| share.estimate);
    let real = groups.iter().copied().filter(|group| !is_padded(group));
    let costliest = real.max_by(|one, other| share(one).total_cmp(&share(other)))?;
    let interval = copying(costliest)?;
    let on = processors(costliest.configuration.threads, machine);
    let answer = match (interval.low > EXPENSIVE_PCT, interval.high < EXPENSIVE_PCT) {
        (true, _) => "Handing positions over is expensive here",
        (_, true) => "No position is too big to be handed over here",
        _ => "Whether a position is too big to be handed over is not settled here",
    };
    let of = if groups.len() > 1 { format!(", with {}", costliest.label) } else { String::new() };
    Some(format!(
        "{answer}: on {on}, copying positions took at most {} % of the processors' time ({}){of}.",
        estimate(&interval),
        full_interval(analysis, &interval),
    ))
}

/// Bytes and time of a copy, board by board, of those with the usual copies.
fn by_board(groups: &[&Group]) -> Option<String> {
    let usual = |group: &&&Group| {
        let Configured { copy, copier } = configured(group);
        copy.is_none_or(|copy| copy == "trimmed") && copier.is_none_or(|copier| copier == "owner-locked")
    };
    let mut boards: Vec<String> = Vec::new();
    for group in groups.iter().filter(usual) {
        let board = [Some(group.configuration.board.clone()), group.configuration.sliders.clone()];
        let board = board.into_iter().flatten().collect::<Vec<_>>().join(" with ");
        let [_, pack, _, _, copy, fetch, _] = group.splitting.stages;
        let (Some(bytes), Some(pack), Some(copy), Some(fetch)) = (group.splitting.bytes, pack, copy, fetch) else {
            continue;
        };
        let words = format!(
            "{} bytes on {board}, which take {} ns to pack, {} ns to fetch and {} ns to take over",
            count(bytes.estimate),
            figure(pack.estimate),
            figure(fetch.estimate),
            figure(copy.estimate)
        );
        if !boards.iter().any(|other| other.contains(&format!("on {board},"))) {
            boards.push(words);
        }
    }
    (!boards.is_empty()).then(|| format!("A copy has {}.", listed(&boards)))
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
    Some(format!(
        "The search is 1 % slower on {on} ({}) when a copy is {} bytes larger ({} interval {} to {}), if it slows \
         evenly with the bytes.",
        group.label,
        count(bytes.estimate),
        level(),
        count(bytes.low),
        count(bytes.high)
    ))
}
