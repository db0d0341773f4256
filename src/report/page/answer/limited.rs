//! Sentences on searches that a limit ended: without a common depth there is no time to it, and of searches that were
//! cut off there is only a bound.

use super::{full_interval, processors};
use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Group};
use crate::statistics::Interval;
use crate::table::number::{counted, figure, interval};

/// Number of configurations beyond which only the first are named; the tables have the others.
const NAMED: usize = 3;

/// Sentences on the searches on this machine that a limit ended; none if there is no such search.
pub(super) fn sentences(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let of_machine = |group: &&Group| group.configuration.machine == machine && !group.configuration.is_baseline();
    let groups: Vec<&Group> = analysis.groups.iter().filter(of_machine).collect();
    let mut sentences = with_most(&groups, |group| group.limited.depth.and(group.against_baseline.as_ref()).is_some())
        .into_iter()
        .take(NAMED)
        .filter_map(|group| without_depth(analysis, group))
        .collect::<Vec<_>>();
    let bounds = with_most(&groups, |group| group.limited.cut + group.limited.baseline_cut > 0);
    sentences.extend(bounds.into_iter().take(NAMED).map(cut_off));
    sentences
}

/// Accepted groups with the largest number of processors.
fn with_most<'a>(groups: &[&'a Group], accept: impl Fn(&Group) -> bool) -> Vec<&'a Group> {
    let accepted: Vec<&Group> = groups.iter().copied().filter(|group| accept(group)).collect();
    let most = accepted.iter().map(|group| group.configuration.threads).max();
    accepted.into_iter().filter(|group| Some(group.configuration.threads) == most).collect()
}

fn without_depth(analysis: &Analysis, group: &Group) -> Option<String> {
    let (nps, depth) = (group.against_baseline.as_ref()?.nps_speedup, group.limited.depth?);
    let deeper = group.limited.depth_gain.map(|gain| match gain.estimate >= 0.0 {
        true => format!(", {} plies deeper than one processor", interval(&gain)),
        false => {
            let less = Interval { estimate: -gain.estimate, low: -gain.high, high: -gain.low };
            format!(", {} plies less deep than one processor", interval(&less))
        }
    });
    Some(format!(
        "On {}, {} searched {} times as many nodes per second as one processor ({}) and reached depth {}{}. Its \
         searches have no common depth, and so no time to depth.",
        processors(group.configuration.threads, group.configuration.machine),
        group.label,
        figure(nps.estimate),
        full_interval(analysis, &nps),
        interval(&depth),
        deeper.unwrap_or_default()
    ))
}

fn cut_off(group: &Group) -> String {
    let limited = &group.limited;
    let on = processors(group.configuration.threads, group.configuration.machine);
    let bound = limited.bound.map_or_else(
        || "is not known".to_owned(),
        |bound| format!("is {} {}", bound.side.words(), figure(bound.ratio)),
    );
    let cut =
        |count: usize, whose: &str| (count > 0).then(|| format!("{} of {whose}", counted(count, "search", "searches")));
    let cut: Vec<String> =
        [cut(limited.cut, "its own"), cut(limited.baseline_cut, "its baseline")].into_iter().flatten().collect();
    format!("On {on}, the time speedup of {} {bound}: the limit cut off {}.", group.label, cut.join(" and "))
}
