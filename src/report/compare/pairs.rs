//! A configuration beside its counterpart: their runs laid position by position, and the ratios between them. At a
//! position both have the same board and the same depth, else it is not the same question.

use crate::analysis::diagnosis::equal_pairs;
use crate::analysis::grouping::{Gathered, Run};
use crate::analysis::logs::{log_nodes, log_time};
use crate::analysis::scope::Holds;
use crate::analysis::sides::{Difference, Sides, relative};
use crate::record::{MachineKind, Measured};
use crate::statistics::{Interval, Test};

use super::{Counterparts, Speedup, Tested, Verdict};

/// Choices by which groups are compared.
pub(super) struct How<'a> {
    /// Fields in which they may differ.
    pub ignored: &'a [String],
    pub holds: Holds,
    /// Margin of equivalence, in logarithms.
    pub log_margin: f64,
}

/// Two groups, of the first folder and of another, with their baselines if they have a time speedup; nothing if they
/// have no position in common. Tests are not adjusted yet.
pub(super) fn beside(
    groups: [&Gathered<'_>; 2],
    baselines: Option<[&Gathered<'_>; 2]>,
    how: &How<'_>,
) -> Option<Counterparts> {
    let ignores_depth = how.ignored.iter().any(|field| field == "depth");
    let sides = Sides::across(groups, ignores_depth, how.holds)?;
    let is_identical = sides.are_all_paired() && sides.all_pairs(is_bit_equal);
    let has_copies =
        sides.by_position().any(|[ours, theirs]| ours.iter().any(|our| theirs.iter().any(|their| is_copy(our, their))));
    // Copies vary less than measurements do.
    let certain = |ratio: Interval| if has_copies { Interval::unknown(ratio.estimate) } else { ratio };
    let tested = |difference: Option<Difference>, is_equal: fn(&Measured, &Measured) -> bool, is_doubtful: bool| {
        let verdict = match () {
            () if has_copies => Verdict::Copied,
            () if is_identical => Verdict::Identical,
            () if sides.all_pairs(is_equal) => Verdict::Equal,
            () if is_doubtful => Verdict::Disturbed,
            () => Verdict::NotKnown,
        };
        let is_tested = matches!(verdict, Verdict::NotKnown | Verdict::Disturbed);
        Tested {
            ratio: difference.as_ref().map_or(Interval::unknown(f64::NAN), |difference| certain(difference.ratio)),
            test: difference.as_ref().and_then(|difference| difference.test).filter(|_| is_tested),
            equivalence: difference.as_ref().and_then(|difference| difference.equivalence).filter(|_| is_tested),
            verdict,
        }
    };
    let relative = |figure| relative(groups, baselines?, ignores_depth, how.holds, figure);
    let overhead = relative(log_nodes).map(|(contrast, _)| Tested {
        ratio: certain(how.holds.ratio(&contrast).inverse()),
        test: how.holds.p_value(&contrast).filter(|_| !has_copies).map(Test::of),
        equivalence: None,
        verdict: if has_copies { Verdict::Copied } else { Verdict::NotKnown },
    });
    let idle = |side: usize| baselines.is_some_and(|of_one| equal_pairs(groups[side], of_one[side]).is_some());
    let speedup =
        relative(log_time).map(|(contrast, is_paired)| Speedup { ratio: how.holds.ratio(&contrast), is_paired });
    // On one processor nodes do not depend on time.
    let nodes_depend_on_time = groups[0].configuration.threads > 1;
    let is_doubtful = sides.is_doubtful();
    Some(Counterparts {
        folder: 0,
        label: String::new(),
        configuration: groups[0].configuration.clone(),
        counterpart: groups[1].configuration.clone(),
        positions: sides.positions(),
        is_paired: sides.is_paired,
        runs: sides.runs(),
        time: tested(sides.times(Some(how.log_margin)), |ours, theirs| ours.time_ns == theirs.time_ns, is_doubtful),
        nodes: tested(
            sides.nodes(Some(how.log_margin)),
            |ours, theirs| ours.nodes == theirs.nodes,
            is_doubtful && nodes_depend_on_time,
        ),
        nps: sides.rates().map_or(Interval::unknown(f64::NAN), |rates| certain(rates.ratio)),
        overhead,
        are_idle: [idle(0), idle(1)],
        speedup: speedup.map(|speedup| Speedup { ratio: certain(speedup.ratio), ..speedup }),
    })
}

/// Whether a search on a real machine is the very same one, found in two folders. On a virtual machine that does not
/// matter, since it would come out the same if it were made again.
fn is_copy(ours: &Run<'_>, theirs: &Run<'_>) -> bool {
    let (ours, theirs) = (ours.record, theirs.record);
    ours.cell.configuration.machine == MachineKind::Real
        && ours.session == theirs.session
        && ours.started == theirs.started
        && ours.cell == theirs.cell
}

/// Whether two searches found the same in the same way. What the host gave them for memory is not a part of that.
fn is_bit_equal(ours: &Measured, theirs: &Measured) -> bool {
    // Older journals do not tell of answers on the way.
    let are_told = !ours.answers.is_empty() && !theirs.answers.is_empty();
    let of_search = |measured: &Measured| {
        let answers = if are_told { measured.answers.clone() } else { Vec::new() };
        Measured { table_on_large_pages_bytes: None, answers, ..measured.clone() }
    };
    of_search(ours) == of_search(theirs)
}
