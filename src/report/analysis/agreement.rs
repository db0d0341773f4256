//! Agreement of runs with their baselines, beside that of the baselines with each other: a search by one processor with
//! another seed may choose another move too, so that only the difference says anything of sharing.

use crate::statistics::mean;

use super::grouping::{Gathered, Run};

/// Smallest number of baselines of which one can be held against the spread of the others.
const FEWEST_FOR_SPREAD: usize = 3;

/// Agreement of runs with baselines, and of baselines with each other: means over positions of shares of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Pairs of a run and a baseline that chose the same move.
    pub moves: Option<f64>,
    /// Pairs of baselines that chose the same move.
    pub moves_of_baselines: Option<f64>,
    /// Runs with a score outside the spread of all baselines but one, on average over the one left out.
    pub outside: Option<f64>,
    /// Baselines with a score outside the spread of the others.
    pub outside_of_baselines: Option<f64>,
}

/// Share of something among the runs and the baselines of one position.
type ShareOf<'f> = &'f dyn Fn(&[Run<'_>], &[Run<'_>]) -> Option<f64>;

/// Agreement of a group with its baseline.
pub(super) fn agreement(group: &Gathered<'_>, baseline: &Gathered<'_>) -> Agreement {
    let positions = || group.runs.iter().zip(&baseline.runs).filter(|(runs, _)| !runs.is_empty());
    let over_positions = |share: ShareOf<'_>| {
        mean(&positions().filter_map(|(runs, baselines)| share(runs, baselines)).collect::<Vec<f64>>())
    };
    Agreement {
        moves: over_positions(&|runs, baselines| {
            let pairs = runs.iter().flat_map(|run| baselines.iter().map(move |other| same_move(*run, *other)));
            share(pairs).filter(|_| baselines.len() > 1)
        }),
        moves_of_baselines: over_positions(&|_, baselines| {
            share(each_with_others(baselines).flat_map(|(one, others)| others.map(move |other| same_move(one, other))))
        }),
        outside: over_positions(&|runs, baselines| {
            let spreads = || each_with_others(baselines).map(|(_, others)| spread(others));
            share(runs.iter().flat_map(|run| spreads().map(move |spread| is_outside(*run, spread))))
                .filter(|_| baselines.len() >= FEWEST_FOR_SPREAD)
        }),
        outside_of_baselines: over_positions(&|_, baselines| {
            share(each_with_others(baselines).map(|(one, others)| is_outside(one, spread(others))))
                .filter(|_| baselines.len() >= FEWEST_FOR_SPREAD)
        }),
    }
}

/// Each run with all others.
fn each_with_others<'a, 'r>(
    runs: &'r [Run<'a>],
) -> impl Iterator<Item = (Run<'a>, impl Iterator<Item = Run<'a>> + 'r)> {
    let others = move |at: usize| runs.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, run)| *run);
    runs.iter().enumerate().map(move |(at, run)| (*run, others(at)))
}

fn same_move(one: Run<'_>, other: Run<'_>) -> bool {
    one.measured.bestmove == other.measured.bestmove
}

/// Lowest and highest score.
fn spread<'a>(runs: impl Iterator<Item = Run<'a>>) -> (i32, i32) {
    runs.map(|run| run.measured.score_raw)
        .fold((i32::MAX, i32::MIN), |(low, high), score| (low.min(score), high.max(score)))
}

fn is_outside(run: Run<'_>, (low, high): (i32, i32)) -> bool {
    !(low..=high).contains(&run.measured.score_raw)
}

fn share(all: impl Iterator<Item = bool>) -> Option<f64> {
    let (mut count, mut holds) = (0_usize, 0_usize);
    for one in all {
        count += 1;
        holds += usize::from(one);
    }
    (count > 0).then(|| holds as f64 / count as f64)
}

#[cfg(test)]
mod tests {
    use super::super::Analysis;
    use super::super::samples::{configuration, description, measured, record};
    use super::*;
    use crate::record::Record;

    /// Three baselines at A with moves a, a, b and scores 0, 10, 20; two runs with a, b and 15, 30.
    #[test]
    fn shares_worked_by_hand() {
        let (one, four) = (configuration("sequential", 1), configuration("ybwc", 4));
        let run = |index: u64, shared: bool, mv: &str, score: i32| -> Record {
            let mut record = record(index, if shared { &four } else { &one }, "A", index, (1, 100));
            let measured = measured(&mut record);
            (measured.bestmove, measured.score_raw) = (Some(mv.to_owned()), score);
            record
        };
        let records = [
            run(0, false, "a", 0),
            run(1, false, "a", 10),
            run(2, false, "b", 20),
            run(3, true, "a", 15),
            run(4, true, "b", 30),
        ];
        let analysis = Analysis::of(description(&["threads"], 5), &records);
        let found = analysis.groups[1].against_baseline.as_ref().unwrap().agreement;
        let expected = Agreement {
            // 2 of 3 and 1 of 3.
            moves: Some(0.5),
            // Of the three pairs one, twice.
            moves_of_baselines: Some(1.0 / 3.0),
            // 15 is outside 0 to 10 and inside the others, 30 is outside all.
            outside: Some(4.0 / 6.0),
            // 0 is outside 10 to 20, 20 outside 0 to 10.
            outside_of_baselines: Some(2.0 / 3.0),
        };
        assert_eq!(found, expected);
        let two = Analysis::of(description(&["threads"], 4), &records[1..]);
        let found = two.groups[1].against_baseline.as_ref().unwrap().agreement;
        assert_eq!((found.moves, found.outside), (Some(0.5), None));
    }
}
