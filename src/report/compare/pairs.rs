//! A configuration beside its counterpart: their runs laid position by position, and the ratios between them. At a
//! position both have the same board and the same depth, else it is not the same question.

use std::collections::{HashMap, HashSet};

use crate::analysis::conditions::is_doubtful;
use crate::analysis::diagnosis::equal_pairs;
use crate::analysis::grouping::{Gathered, Run, means_of_seeds};
use crate::analysis::logs::{log_nodes, log_nps, log_time};
use crate::analysis::pairing::{Partners, paired, paired_savings, partners};
use crate::analysis::scope::Holds;
use crate::record::{MachineKind, Measured};
use crate::statistics::{Contrast, Interval};

use super::{Counterparts, Speedup, Tested, Verdict};

/// How groups are compared.
pub(super) struct How<'a> {
    /// Fields in which they may differ.
    pub ignored: &'a [String],
    pub holds: Holds,
    /// Margin of equivalence, in logarithms.
    pub log_margin: f64,
}

/// Runs of several groups at the positions that all of them have.
struct Laid<'a, const SIDES: usize> {
    positions: Vec<[Vec<Run<'a>>; SIDES]>,
    /// Runs with the same seed and repetition on all sides.
    partners: Vec<Partners<'a, SIDES>>,
}

impl<'a, const SIDES: usize> Laid<'a, SIDES> {
    fn of(groups: [&Gathered<'a>; SIDES], how: &How<'_>) -> Self {
        let ignores_depth = how.ignored.iter().any(|field| field == "depth");
        // Where a limit cut searches off, what is left are the fast ones.
        let cut = groups.iter().flat_map(|group| group.cut.iter().flatten());
        let cut: HashSet<&str> = cut.map(|record| record.cell.position.as_str()).collect();
        let mut found: HashMap<_, [Vec<Run<'a>>; SIDES]> = HashMap::new();
        let mut order = Vec::new();
        for (side, group) in groups.iter().enumerate() {
            // A run that took no time or saw no node has no logarithms and is in no ratio.
            for run in group.all().filter(|&run| log_time(run).is_some()) {
                let cell = &run.record.cell;
                let key = (&cell.position, &cell.fen, cell.depth.filter(|_| !ignores_depth));
                let at = found.entry(key).or_insert_with(|| {
                    order.push(key);
                    [const { Vec::new() }; SIDES]
                });
                at[side].push(run);
            }
        }
        let whole = order.into_iter().filter(|(position, ..)| !cut.contains(position.as_str()));
        let laid = whole.filter_map(|key| found.remove(&key));
        let positions: Vec<[Vec<Run<'a>>; SIDES]> =
            laid.filter(|sides| sides.iter().all(|runs| !runs.is_empty())).collect();
        let partners = positions.iter().map(|sides| partners(sides.each_ref().map(Vec::as_slice))).collect();
        Self { positions, partners }
    }

    /// Figure of the seeds of each side, by position.
    fn figures(&self, figure: fn(Run<'_>) -> Option<f64>) -> [Vec<Vec<f64>>; SIDES] {
        let at = |runs: &[Run<'_>]| means_of_seeds(runs.iter().map(|&run| (run, figure(run))));
        std::array::from_fn(|side| self.positions.iter().map(|sides| at(&sides[side])).collect())
    }

    /// Whether pairs are the better choice: there are some at every position, and either they say how certain the ratio
    /// is, or nothing does. It depends on which runs there are, never on what they measured.
    fn is_paired(&self, pairs: Option<&Contrast>, unpaired: Option<&Contrast>, holds: Holds) -> bool {
        let is_certain = |contrast: Option<&Contrast>| contrast.is_some_and(|one| holds.ratio(one).is_known());
        self.partners.iter().all(|pairs| !pairs.is_empty()) && (is_certain(pairs) || !is_certain(unpaired))
    }
}

/// Two groups, of the first folder and of another, with their baselines if they have a time speedup; nothing if they
/// have no position in common. P values are not adjusted yet.
pub(super) fn beside(
    groups: [&Gathered<'_>; 2],
    baselines: Option<[&Gathered<'_>; 2]>,
    how: &How<'_>,
) -> Option<Counterparts> {
    let (laid, holds) = (Laid::of(groups, how), how.holds);
    let unpaired = |figure| {
        let [first, other] = laid.figures(figure);
        Contrast::unpaired(&other, &first)
    };
    let is_paired = laid.is_paired(paired(&laid.partners, log_time).as_ref(), unpaired(log_time).as_ref(), holds);
    let contrast = |figure| if is_paired { paired(&laid.partners, figure) } else { unpaired(figure) };
    let all_pairs = |is_same: fn(&Measured, &Measured) -> bool| {
        is_paired && laid.partners.iter().flatten().all(|[ours, theirs]| is_same(ours.measured, theirs.measured))
    };
    let (both, partners) = (&laid.positions, &laid.partners);
    let has_partners = both.iter().zip(partners).all(|(at, pairs)| at.iter().all(|runs| runs.len() == pairs.len()));
    let is_identical = has_partners && all_pairs(is_bit_equal);
    let has_copies = both.iter().any(|[ours, theirs]| ours.iter().any(|one| theirs.iter().any(|it| is_copy(one, it))));
    // Copies vary less than measurements do.
    let certain = |ratio: Interval| if has_copies { Interval::unknown(ratio.estimate) } else { ratio };
    let is_disturbed = groups.into_iter().any(is_doubtful);
    let tested = |figure: fn(Run<'_>) -> Option<f64>, is_equal: fn(&Measured, &Measured) -> bool, is_disturbed| {
        let contrast = contrast(figure)?;
        let verdict = match () {
            () if has_copies => Verdict::Copied,
            () if is_identical => Verdict::Identical,
            () if all_pairs(is_equal) => Verdict::Equal,
            () if is_disturbed => Verdict::Disturbed,
            () => Verdict::NotKnown,
        };
        let is_tested = |_: &f64| verdict == Verdict::NotKnown;
        Some(Tested {
            ratio: certain(holds.ratio(&contrast)),
            p: holds.p_value(&contrast).filter(is_tested),
            p_equivalence: holds.0.and_then(|scope| contrast.equivalence(scope, how.log_margin)).filter(is_tested),
            verdict,
        })
    };
    let relative = |figure| baselines.and_then(|baselines| speedup(groups, baselines, how, figure));
    let overhead = relative(log_nodes).map(|(contrast, _)| Tested {
        ratio: certain(holds.ratio(&contrast).inverse()),
        p: holds.p_value(&contrast).filter(|_| !has_copies),
        p_equivalence: holds.0.and_then(|scope| contrast.equivalence(scope, how.log_margin)).filter(|_| !has_copies),
        verdict: if has_copies { Verdict::Copied } else { Verdict::NotKnown },
    });
    let speedup = relative(log_time).map(|(contrast, is_paired)| Speedup { ratio: holds.ratio(&contrast), is_paired });
    let idle = |side: usize| baselines.is_some_and(|of_one| equal_pairs(groups[side], of_one[side]).is_some());
    let runs = |side: usize| match is_paired {
        true => partners.iter().map(Vec::len).sum(),
        false => both.iter().map(|sides| sides[side].len()).sum(),
    };
    Some(Counterparts {
        folder: 0,
        label: String::new(),
        configuration: groups[0].configuration.clone(),
        counterpart: groups[1].configuration.clone(),
        positions: both.len(),
        is_paired,
        runs: [runs(0), runs(1)],
        time: tested(log_time, |ours, theirs| ours.time_ns == theirs.time_ns, is_disturbed)?,
        // On one processor nodes do not depend on time.
        nodes: tested(
            log_nodes,
            |ours, theirs| ours.nodes == theirs.nodes,
            is_disturbed && groups[0].configuration.threads > 1,
        )?,
        nps: certain(holds.ratio(&contrast(log_nps)?)),
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

/// Logarithm of the ratio of two speedups in a figure, each against the baseline of its own folder, and whether it is
/// formed in pairs. With pairs all four searches have the same seed.
fn speedup(
    groups: [&Gathered<'_>; 2],
    baselines: [&Gathered<'_>; 2],
    how: &How<'_>,
    figure: fn(Run<'_>) -> Option<f64>,
) -> Option<(Contrast, bool)> {
    let laid = Laid::of([groups[0], groups[1], baselines[0], baselines[1]], how);
    let pairs = paired_savings(&laid.partners, figure);
    let [first, other, first_alone, other_alone] = laid.figures(figure);
    let unpaired = Contrast::unpaired_sums(&[&other_alone, &first], &[&other, &first_alone]);
    let is_paired = laid.is_paired(pairs.as_ref(), unpaired.as_ref(), how.holds);
    Some((if is_paired { pairs? } else { unpaired? }, is_paired))
}
