//! Agreement of runs with their baselines, beside that of the baselines with each other: a search by one processor with
//! another seed may choose another move too, so that only the difference says anything of sharing.

use std::collections::BTreeMap;

use super::grouping::{Gathered, Run};
use crate::statistics::mean;

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

/// Moves and scores that the runs of one position chose. The runs may be many: nothing here looks at pairs.
struct Chosen<'a> {
    /// Number of runs by the move that they chose.
    moves: BTreeMap<Option<&'a str>, usize>,
    /// Scores, the lowest first.
    scores: Vec<i32>,
}

impl<'a> Chosen<'a> {
    fn by(runs: &[Run<'a>]) -> Self {
        let mut moves = BTreeMap::new();
        runs.iter().for_each(|run| *moves.entry(run.measured.bestmove.as_deref()).or_default() += 1);
        let mut scores: Vec<i32> = runs.iter().map(|run| run.measured.score_raw).collect();
        scores.sort_unstable();
        Self { moves, scores }
    }

    /// Number of pairs with one of the others that chose the same move.
    fn same_moves(&self, others: &Self) -> usize {
        self.moves.iter().map(|(mv, count)| count * others.moves.get(mv).unwrap_or(&0)).sum()
    }

    /// Share of ordered pairs of two runs that chose the same move.
    fn agreement(&self) -> Option<f64> {
        let runs = self.scores.len();
        share(self.moves.values().map(|count| count * (count - 1)).sum(), runs * runs.saturating_sub(1))
    }

    /// Lowest and highest score of all but one, by the one left out: the lowest, the highest, and each other. Nothing
    /// if the runs are too few for it.
    fn spreads(&self) -> Option<[((i32, i32), usize); 3]> {
        let (scores, count) = (&self.scores, self.scores.len());
        (count >= FEWEST_FOR_SPREAD).then(|| {
            let [lowest, second, before, highest] = [0, 1, count - 2, count - 1].map(|at| scores[at]);
            [((second, highest), 1), ((lowest, before), 1), ((lowest, highest), count - 2)]
        })
    }

    /// Number of scores outside.
    fn outside(&self, (low, high): (i32, i32)) -> usize {
        self.scores.partition_point(|score| *score < low) + self.scores.len()
            - self.scores.partition_point(|score| *score <= high)
    }
}

/// Agreement of a group with its baseline.
pub(super) fn agreement(group: &Gathered<'_>, baseline: &Gathered<'_>) -> Agreement {
    let positions = group.runs.iter().zip(&baseline.runs).filter(|(runs, _)| !runs.is_empty());
    let shares: Vec<[Option<f64>; 4]> = positions
        .map(|(runs, baselines)| {
            let (own, theirs) = (Chosen::by(runs), Chosen::by(baselines));
            let pairs = runs.len() * baselines.len();
            let moves = share(own.same_moves(&theirs), pairs).filter(|_| baselines.len() > 1);
            let outside = theirs.spreads().and_then(|spreads| {
                share(spreads.iter().map(|(spread, count)| count * own.outside(*spread)).sum(), pairs)
            });
            let of_baselines = theirs.spreads().and_then(|[(without_lowest, _), (without_highest, _), _]| {
                // Whoever is neither the lowest nor the highest is between them.
                let [low, high] = [theirs.scores[0], theirs.scores[baselines.len() - 1]];
                let is_outside = |score: i32, (low, high)| usize::from(score < low || score > high);
                share(is_outside(low, without_lowest) + is_outside(high, without_highest), baselines.len())
            });
            [moves, theirs.agreement(), outside, of_baselines]
        })
        .collect();
    let over_positions = |which: usize| mean(&shares.iter().filter_map(|shares| shares[which]).collect::<Vec<f64>>());
    Agreement {
        moves: over_positions(0),
        moves_of_baselines: over_positions(1),
        outside: over_positions(2),
        outside_of_baselines: over_positions(3),
    }
}

fn share(holds: usize, all: usize) -> Option<f64> {
    (all > 0).then(|| holds as f64 / all as f64)
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
            (measured.bestmove, measured.score_raw) = (Some(mv.into()), score);
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
