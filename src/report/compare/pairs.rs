//! A configuration beside its counterpart: their runs laid position by position, and the ratios between them. At a
//! position both have the same board and the same depth, else it is not the same question.

use std::collections::{HashMap, HashSet};

use crate::record::{MachineKind, Measured};
use crate::report::analysis::conditions::is_doubtful;
use crate::report::analysis::grouping::{Gathered, Run, means_of_seeds};
use crate::report::analysis::pairing::{Partners, paired, paired_speedups, partners};
use crate::report::analysis::ratios::{log_nodes, log_time};
use crate::report::analysis::scope::Holds;
use crate::statistics::{Contrast, Interval};

use super::{Runs, Speedup};

/// The runs of several groups at the positions that all of them have, in the same order.
type Laid<'a, const SIDES: usize> = Vec<[Vec<Run<'a>>; SIDES]>;

/// Ratios of two groups, before they are tested.
pub(super) struct Beside {
    /// Positions that both have searched.
    pub positions: usize,
    /// Runs that are compared.
    pub runs: Runs,
    /// The ratio of times.
    pub time: Contrast,
    /// The ratio of nodes.
    pub nodes: Contrast,
    /// The ratio of nodes a second.
    pub nps: Interval,
    /// Respects in which they are the same.
    pub sameness: Sameness,
}

/// Respects in which two groups are the same without a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sameness {
    /// Searches of a real machine that are in both folders: not measured twice, but copied.
    pub has_copies: bool,
    /// Too many searches of a side were disturbed, or may have been, for times to be compared.
    pub is_disturbed_in_time: bool,
    /// Likewise for nodes, which on one processor do not depend on time.
    pub is_disturbed_in_nodes: bool,
    /// Every run at these positions has a partner, from which it differs in nothing.
    pub is_identical: bool,
    /// All pairs took equally long.
    pub is_equal_in_time: bool,
    /// All pairs took equally many nodes.
    pub is_equal_in_nodes: bool,
}

impl Sameness {
    /// A ratio with the interval that can be claimed: none among copies, which vary less than measurements do.
    pub(super) fn certain(self, ratio: Interval) -> Interval {
        if self.has_copies { Interval::unknown(ratio.estimate) } else { ratio }
    }
}

/// Key of a position, equal in two folders if the position is. The depth does not count where it is ignored.
fn position_key(run: Run<'_>, ignores_depth: bool) -> (&str, &str, Option<u32>) {
    let cell = &run.record.cell;
    (&cell.position, &cell.fen, cell.depth.filter(|_| !ignores_depth))
}

/// Lays groups beside each other.
fn lay<'a, const SIDES: usize>(groups: [&Gathered<'a>; SIDES], ignored: &[String]) -> Laid<'a, SIDES> {
    let ignores_depth = ignored.iter().any(|field| field == "depth");
    // Where a limit cut searches off, what is left are the fast ones.
    let cut: HashSet<&str> = groups
        .iter()
        .flat_map(|group| group.cut.iter().flatten())
        .map(|record| record.cell.position.as_str())
        .collect();
    let is_whole = |run: Run<'_>| !cut.contains(run.record.cell.position.as_str());
    let mut found: HashMap<_, [Vec<Run<'a>>; SIDES]> = HashMap::new();
    let mut order = Vec::new();
    for (side, group) in groups.iter().enumerate() {
        // A run that took no time or saw no node has no logarithms and is in no ratio.
        for run in group.all().filter(|&run| log_time(run).is_some() && is_whole(run)) {
            let key = position_key(run, ignores_depth);
            let at = found.entry(key).or_insert_with(|| {
                order.push(key);
                [const { Vec::new() }; SIDES]
            });
            at[side].push(run);
        }
    }
    let laid = order.into_iter().filter_map(|key| found.remove(&key));
    laid.filter(|sides| sides.iter().all(|runs| !runs.is_empty())).collect()
}

/// Runs with the same seed and repetition on all sides, by position.
fn all_partners<'a, const SIDES: usize>(laid: &Laid<'a, SIDES>) -> Vec<Partners<'a, SIDES>> {
    laid.iter().map(|sides| partners(sides.each_ref().map(Vec::as_slice))).collect()
}

/// A figure of one side's seeds, by position.
fn figures<const N: usize>(laid: &Laid<'_, N>, side: usize, figure: fn(Run<'_>) -> Option<f64>) -> Vec<Vec<f64>> {
    laid.iter().map(|sides| means_of_seeds(sides[side].iter().map(|&run| (run, figure(run))))).collect()
}

fn log_nps(run: Run<'_>) -> Option<f64> {
    Some(log_nodes(run)? - log_time(run)?)
}

/// Whether pairs are the better choice: there are some at every position, and either they say how certain the ratio is,
/// or nothing does. It depends on which runs there are, never on what they measured.
fn pairs_suffice<const SIDES: usize>(
    partners: &[Vec<[Run<'_>; SIDES]>],
    pairs: Option<&Contrast>,
    unpaired: Option<&Contrast>,
    holds: Holds,
) -> bool {
    let is_certain = |contrast: Option<&Contrast>| contrast.is_some_and(|contrast| holds.ratio(contrast).is_known());
    partners.iter().all(|pairs| !pairs.is_empty()) && (is_certain(pairs) || !is_certain(unpaired))
}

/// Two groups, of the first folder and of another; nothing if they have no position in common.
pub(super) fn beside(first: &Gathered<'_>, other: &Gathered<'_>, ignored: &[String], holds: Holds) -> Option<Beside> {
    let laid = lay([first, other], ignored);
    let partners = all_partners(&laid);
    let unpaired = |figure| Contrast::unpaired(&figures(&laid, 1, figure), &figures(&laid, 0, figure));
    let has_pairs = pairs_suffice(&partners, paired(&partners, log_time).as_ref(), unpaired(log_time).as_ref(), holds);
    let contrast = |figure| if has_pairs { paired(&partners, figure) } else { unpaired(figure) };
    let count = |side: usize| laid.iter().map(|sides| sides[side].len()).sum();
    let runs = match has_pairs {
        true => Runs::Pairs(partners.iter().map(Vec::len).sum()),
        false => Runs::Unpaired([count(0), count(1)]),
    };
    let is_disturbed = [first, other].into_iter().any(is_doubtful);
    Some(Beside {
        positions: laid.len(),
        runs,
        time: contrast(log_time)?,
        nodes: contrast(log_nodes)?,
        nps: holds.ratio(&contrast(log_nps)?),
        sameness: Sameness {
            is_disturbed_in_time: is_disturbed,
            is_disturbed_in_nodes: is_disturbed && first.configuration.threads > 1,
            ..sameness(&laid, &partners, has_pairs)
        },
    })
}

fn sameness(laid: &Laid<'_, 2>, partners: &[Vec<[Run<'_>; 2]>], has_pairs: bool) -> Sameness {
    let all = |holds: fn(&[Run<'_>; 2]) -> bool| has_pairs && partners.iter().flatten().all(holds);
    let nobody_is_left = || {
        let is_complete =
            |(sides, pairs): (&[Vec<Run<'_>>; 2], &Vec<_>)| sides.iter().all(|runs| runs.len() == pairs.len());
        laid.iter().zip(partners).all(is_complete)
    };
    let has_copies =
        laid.iter().any(|[first, other]| first.iter().any(|&ours| other.iter().any(|&theirs| is_copy(ours, theirs))));
    Sameness {
        has_copies,
        is_disturbed_in_time: false,
        is_disturbed_in_nodes: false,
        is_identical: all(|[first, other]| is_bit_equal(first.measured, other.measured)) && nobody_is_left(),
        is_equal_in_time: all(|[first, other]| first.measured.time_ns == other.measured.time_ns),
        is_equal_in_nodes: all(|[first, other]| first.measured.nodes == other.measured.nodes),
    }
}

/// Whether a search on a real machine is the very same one, found in two folders. On a virtual machine that does not
/// matter, since it would come out the same if it were made again.
fn is_copy(ours: Run<'_>, theirs: Run<'_>) -> bool {
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

/// The ratio of the time speedups of two groups, each against the baseline of its own folder. With pairs all four
/// searches have the same seed.
pub(super) fn speedup(
    [first, other]: [&Gathered<'_>; 2],
    [first_baseline, other_baseline]: [&Gathered<'_>; 2],
    ignored: &[String],
    holds: Holds,
) -> Option<Speedup> {
    let laid = lay([first, other, first_baseline, other_baseline], ignored);
    let partners = all_partners(&laid);
    let pairs = paired_speedups(&partners);
    let [first, other, first_alone, other_alone] = [0, 1, 2, 3].map(|side| figures(&laid, side, log_time));
    let unpaired = Contrast::unpaired_sums(&[&other_alone, &first], &[&other, &first_alone]);
    let is_paired = pairs_suffice(&partners, pairs.as_ref(), unpaired.as_ref(), holds);
    let contrast = if is_paired { pairs? } else { unpaired? };
    Some(Speedup { ratio: holds.ratio(&contrast), is_paired })
}
