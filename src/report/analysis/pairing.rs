//! Pairs of runs: those of several groups that searched the same position with the same seed, so that what the seed
//! does cancels.

use std::collections::BTreeMap;

use crate::statistics::Contrast;

use super::grouping::{Gathered, Run, means_of_seeds};

/// Runs of several sides that are partners.
pub(crate) type Partners<'a, const SIDES: usize> = Vec<[Run<'a>; SIDES]>;

/// Seed and repetition, which make runs of two groups a pair.
pub(super) fn pairing(run: Run<'_>) -> (u64, u32) {
    (run.record.cell.seed, run.record.cell.repetition)
}

/// Runs at one position with the same seed and repetition on all sides.
pub(crate) fn partners<'a, const SIDES: usize>(sides: [&[Run<'a>]; SIDES]) -> Partners<'a, SIDES> {
    let by_pairing: Vec<BTreeMap<_, Run<'a>>> =
        sides.iter().map(|runs| runs.iter().map(|&run| (pairing(run), run)).collect()).collect();
    let partners = |wanted: &(u64, u32)| {
        let runs: Option<Vec<Run<'a>>> = by_pairing.iter().map(|side| side.get(wanted).copied()).collect();
        runs?.try_into().ok()
    };
    by_pairing[0].keys().filter_map(partners).collect()
}

/// Partners at each position of groups of one experiment.
pub(super) fn partners_of<'a, const SIDES: usize>(groups: [&Gathered<'a>; SIDES]) -> Vec<Partners<'a, SIDES>> {
    let at = |place: usize| partners(groups.map(|group| group.runs[place].as_slice()));
    (0..groups[0].runs.len()).map(at).collect()
}

/// Contrast of a figure in logarithms, the second side less the first, pair by pair.
pub(crate) fn paired(pairs: &[Partners<'_, 2>], figure: fn(Run<'_>) -> Option<f64>) -> Option<Contrast> {
    differences(pairs, |&[first, other]| Some(figure(other)? - figure(first)?))
}

/// Contrast of the logarithms of how many times as small a figure is as that of the baseline, the second side's less
/// the first's. Behind both come their baselines.
pub(crate) fn paired_savings(pairs: &[Partners<'_, 4>], figure: fn(Run<'_>) -> Option<f64>) -> Option<Contrast> {
    differences(pairs, |runs| {
        let [first, other, first_alone, other_alone] = runs.map(figure);
        Some((other_alone? - other?) - (first_alone? - first?))
    })
}

/// Contrast of what is formed of the runs of each set of partners.
pub(super) fn differences<const SIDES: usize>(
    pairs: &[Partners<'_, SIDES>],
    difference: impl Fn(&[Run<'_>; SIDES]) -> Option<f64>,
) -> Option<Contrast> {
    let of_position =
        |pairs: &Partners<'_, SIDES>| means_of_seeds(pairs.iter().map(|pair| (pair[0], difference(pair))));
    Contrast::paired(&pairs.iter().map(of_position).collect::<Vec<_>>())
}
