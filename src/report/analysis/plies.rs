//! Plies that a change is worth: by how much it searches deeper in the time that the reference takes to its depth. That
//! is the logarithm of the ratio of times to one depth, divided by that of the growth of the changed search's time with
//! a ply, for it is the changed search that goes on.

use crate::statistics::Interval;

use super::deepening::{SHORTEST_S, log_time_at};
use super::grouping::Run;
use super::logs::log_time;
use super::sides::Sides;

/// Number of last plies over which growth is taken: even, since trees of odd and of even depths grow differently.
const LAST: u32 = 2;

/// Plies by which searches of the second side, on one processor, are deeper than those of the first in the same time.
/// Nothing if some search has no partner, or was too short for its growth to be measured.
pub(super) fn plies(sides: &Sides<'_>) -> Option<Interval> {
    let is_alone = sides.groups.iter().all(|group| group.configuration.threads == 1 && group.has_common_depth());
    if !is_alone || !sides.are_all_paired() {
        return None;
    }
    let saved = |[reference, changed]: &[Run<'_>; 2]| Some(log_time(*reference)? - log_time(*changed)?);
    let mean_saved = sides.by_pair(saved)?;
    let mean_growth = sides.by_pair(|[_, changed]| growth(*changed))?;
    let is_known_everywhere = mean_growth.places() == mean_saved.places();
    let growth_of_all = Some(mean_growth.estimate()).filter(|growth| *growth > 0.0 && is_known_everywhere)?;
    let plies = mean_saved.estimate() / growth_of_all;
    // The noise of a ratio of two means is that of what it leaves unexplained at each position.
    let left = sides.by_pair(|pair| Some((saved(pair)? - plies * growth(pair[1])?) / growth_of_all))?;
    Some(sides.holds.interval(&left).map(|deviation| plies + deviation))
}

/// Logarithm of the factor by which the time of a run grew with each of its last plies.
fn growth(run: Run<'_>) -> Option<f64> {
    let depth = run.record.cell.depth?;
    let [before, last] = [log_time_at(run, depth.checked_sub(LAST)?)?, log_time_at(run, depth)?];
    (before >= SHORTEST_S.ln()).then(|| (last - before) / f64::from(LAST))
}

#[cfg(test)]
mod tests {
    use super::super::Analysis;
    use super::super::samples::{configuration, description, measured, record};
    use crate::record::{Configuration, DepthAnswer, Description, MachineKind, Record, Reference};

    /// Searches of two positions and two seeds, of which each last ply took so many times the time of the one before.
    fn searches(features: &str, first: u64, seconds: [u64; 2], growth: u64) -> Vec<Record> {
        let configuration = Configuration { features: features.into(), ..configuration("sequential", 1) };
        let of = |place: u64| {
            let (id, seconds) = if place < 2 { ("A", seconds[0]) } else { ("B", seconds[1]) };
            let mut record = record(first + place, &configuration, id, place % 2 + 1, (seconds, 100));
            let depth = record.cell.depth.expect("to a depth");
            let run = measured(&mut record);
            run.answers = [2, 1, 0]
                .map(|less| {
                    let time_ns = run.time_ns / growth.pow(less);
                    DepthAnswer { depth: depth - less, time_ns, ..DepthAnswer::default() }
                })
                .to_vec();
            record
        };
        (0..4).map(of).collect()
    }

    /// Time to a depth falls to a ninth, and grows threefold with a ply: in the same time the search is two plies
    /// deeper.
    #[test]
    fn plies_worked_by_hand() {
        let all = [searches("thesis,-null-move", 0, [9, 18], 6), searches("thesis", 4, [1, 2], 3)].concat();
        let reference = Reference {
            fields: [("features".to_owned(), "thesis,-null-move".to_owned())].into(),
            ..Reference::default()
        };
        let description = Description { references: vec![reference], ..description(&["features"], 8) };
        let analysis = Analysis::of(description, &all);
        let [comparison] = &analysis.comparisons[..] else { panic!("{:?}", analysis.comparisons) };
        let plies = comparison.plies.expect("searches of one processor that tell their depths");
        assert!((plies.estimate - 2.0).abs() < 1e-6 && plies.high - plies.low < 1e-6, "{plies:?}");
        assert!(!comparison.never_acts);
    }

    /// Real searches take other times; virtual ones that take the same are the same.
    #[test]
    fn searches_that_are_the_same_show_nothing() {
        let all = [searches("thesis", 0, [9, 18], 3), searches("thesis,+mate-distance", 4, [9, 18], 3)].concat();
        let reference =
            Reference { fields: [("features".to_owned(), "thesis".to_owned())].into(), ..Reference::default() };
        let description = Description { references: vec![reference], ..description(&["features"], 8) };
        for (machine, expected) in [(MachineKind::Real, false), (MachineKind::Virtual, true)] {
            let of = |record: &Record| {
                let mut record = record.clone();
                record.cell.configuration.machine = machine;
                record
            };
            let analysis = Analysis::of(description.clone(), &all.iter().map(of).collect::<Vec<_>>());
            let [comparison] = &analysis.comparisons[..] else { panic!("{:?}", analysis.comparisons) };
            assert_eq!(comparison.never_acts, expected);
            assert_eq!(comparison.time.is_known(), !expected, "an interval of no width");
        }
    }
}
