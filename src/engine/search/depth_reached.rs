//! Time to depth. If several workers think by themselves it has three meanings: the time until the first of them
//! completes the depth, until the master does, and until a vote among them is for an answer of that depth, as programs
//! of 2020 choose the move they play. All three are read off the iterations when the search is over.

use super::answer::{Answer, Iteration};
use crate::chess::{Move, Score};

/// Times to a depth, in nanoseconds of the machine since the master began; `None` if the depth was not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthReached {
    /// Time until the first worker completed the depth.
    pub first: Option<u64>,
    /// Time until the master, worker 0, completed the depth.
    pub master: Option<u64>,
    /// Time until the workers' vote was for an answer of the depth.
    pub voted: Option<u64>,
    /// Vote when it was first for an answer of the depth; if it never was, at the end.
    pub vote: Option<Vote>,
}

/// Result of a vote among workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Move with the greatest sum of weights.
    pub best: Move,
    /// Depth of the deepest worker that votes for the move.
    pub depth: u32,
}

/// Weight of the worst answer for each ply of its depth, in thousandths of a pawn: 14 of 213 to a pawn, in the programs
/// of 2020.
const WORST_WEIGHT: i32 = 66;

impl DepthReached {
    /// Times to a depth from the answers of the workers that think, with their ids and in the order of those.
    pub(super) fn of(answers: &[(usize, Answer)], depth: u32) -> Self {
        let completed = completed(answers);
        let when = |is_meant: &dyn Fn(usize) -> bool| {
            let reached =
                |(_, voter, iteration): &&(u64, usize, &Iteration)| iteration.depth >= depth && is_meant(*voter);
            completed.iter().find(reached).map(|(at, ..)| *at)
        };
        let (first, master) = (when(&|_| true), when(&|voter| answers[voter].0 == 0));
        let mut ballots = vec![None; answers.len()];
        let (mut voted, mut vote) = (None, None);
        for (at, voter, iteration) in completed {
            if let [best, ..] = iteration.line[..] {
                ballots[voter] = Some(Ballot { best, score: iteration.score, depth: iteration.depth });
            }
            vote = Vote::among(&ballots);
            if vote.is_some_and(|vote| vote.depth >= depth) {
                voted = Some(at);
                break;
            }
        }
        Self { first, master, voted, vote }
    }
}

/// Completed iterations of all workers that think, by time in nanoseconds since the master began: when which worker
/// completed which.
fn completed(answers: &[(usize, Answer)]) -> Vec<(u64, usize, &Iteration)> {
    let began = answers.first().map_or(0, |(_, answer)| answer.began);
    let mut completed: Vec<(u64, usize, &Iteration)> = Vec::new();
    for (voter, (_, answer)) in answers.iter().enumerate() {
        let late = answer.began.saturating_sub(began);
        completed.extend(answer.iterations.iter().map(|iteration| (late + iteration.nanoseconds, voter, iteration)));
    }
    completed.sort_by_key(|(at, voter, _)| (*at, *voter));
    completed
}

/// Iterations that were deeper than any that a worker had completed before, each with the time in nanoseconds since the
/// master began.
pub(super) fn deepening(answers: &[(usize, Answer)]) -> Vec<(u64, &Iteration)> {
    let mut deepest = 0;
    let mut deepening = Vec::new();
    for (at, _, iteration) in completed(answers) {
        if iteration.depth > deepest {
            deepest = iteration.depth;
            deepening.push((at, iteration));
        }
    }
    deepening
}

/// Vote of a worker for a move, weighted by its score and depth.
#[derive(Clone, Copy)]
struct Ballot {
    best: Move,
    score: Score,
    depth: u32,
}

/// Answer for the move that the workers elect: of several the deepest, of equals the first. `None` if nobody has
/// completed an iteration.
pub(super) fn elected<'a>(answers: &[&'a Answer]) -> Option<&'a Answer> {
    let ballot = |answer: &&Answer| {
        let Answer { best, score, depth, .. } = **answer;
        best.filter(|_| depth > 0).map(|best| Ballot { best, score, depth })
    };
    let Vote { best, depth } = Vote::among(&answers.iter().map(ballot).collect::<Vec<_>>())?;
    answers.iter().copied().find(|answer| answer.best == Some(best) && answer.depth == depth)
}

impl Vote {
    /// Move with the greatest sum of weights. A ballot weighs the more the better its score and the greater its depth;
    /// a mate outweighs all.
    fn among(ballots: &[Option<Ballot>]) -> Option<Self> {
        let ballots = || ballots.iter().copied().flatten();
        let lowest = ballots().map(|ballot| ballot.score).min()?;
        let weight = |ballot: Ballot| i64::from((ballot.score - lowest).0 + WORST_WEIGHT) * i64::from(ballot.depth);
        let votes = |best| ballots().filter(|ballot| ballot.best == best).map(weight).sum::<i64>();
        let mate = |ballot: &Ballot| Some(ballot.score).filter(|score| *score > Score::LONGEST_MATE);
        // Of equals, the first.
        let best = ballots().rev().max_by_key(|ballot| (mate(ballot), votes(ballot.best)))?.best;
        let depth = ballots().filter(|ballot| ballot.best == best).map(|ballot| ballot.depth).max()?;
        Some(Self { best, depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;
    use crate::chess::{Board, Keys, MoveList, Setup};

    fn moves() -> Vec<Move> {
        let mut list = MoveList::new();
        Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap().moves(&mut list);
        list.iter().copied().collect()
    }

    /// A completed iteration: depth, score, place of the move, and when.
    fn iteration(depth: u32, score: i32, best: usize, at: u64) -> Iteration {
        let line = vec![moves()[best]];
        Iteration {
            depth,
            rank: 0,
            score: Score(score),
            line,
            nodes: 0,
            leaves: 0,
            deepest: 0,
            nanoseconds: at,
            failed_window: false,
        }
    }

    /// An answer from completed iterations.
    fn answer(began: u64, iterations: &[(u32, i32, usize, u64)]) -> Answer {
        let iterations =
            iterations.iter().map(|(depth, score, best, at)| iteration(*depth, *score, *best, *at)).collect();
        Answer { best: None, score: Score(0), depth: 0, line: Vec::new(), iterations, began, nanoseconds: 0 }
    }

    #[test]
    fn three_ways_of_saying_when() {
        let answers = [
            (0, answer(100, &[(1, 0, 0, 10), (2, 0, 0, 20), (3, 0, 0, 90)])),
            (1, answer(105, &[(2, 0, 1, 15), (3, -10, 1, 40)])),
            (2, answer(100, &[(1, 0, 0, 12), (2, 5, 0, 30), (3, 7, 0, 60)])),
        ];
        let reached = DepthReached::of(&answers, 3);
        // Worker 1 is alone with its move; worker 2 has worker 0 on its side.
        let vote = Some(Vote { best: moves()[0], depth: 3 });
        assert_eq!(reached, DepthReached { first: Some(45), master: Some(90), voted: Some(60), vote });
        let first: Vec<(u64, u32, i32)> =
            deepening(&answers).iter().map(|(at, iteration)| (*at, iteration.depth, iteration.score.0)).collect();
        assert_eq!(first, [(10, 1, 0), (20, 2, 0), (45, 3, -10)]);
        let deeper = DepthReached::of(&answers, 4);
        assert_eq!(deeper, DepthReached { first: None, master: None, voted: None, vote });
        assert_eq!(DepthReached::of(&[], 1).vote, None);
    }

    #[test]
    fn ballots_count_by_score_and_depth_and_mates_come_first() {
        let moves = moves();
        let ballot = |best: usize, score, depth| Some(Ballot { best: moves[best], score: Score(score), depth });
        let chosen = |ballots: &[Option<Ballot>]| Vote::among(ballots).unwrap();
        // 66 x 8 + 66 x 8 against (300 + 66) x 3.
        assert_eq!(chosen(&[ballot(0, 0, 8), ballot(0, 0, 8), ballot(1, 300, 3)]).best, moves[1]);
        assert_eq!(chosen(&[ballot(0, 0, 9), ballot(0, 0, 8), ballot(1, 300, 3)]).best, moves[0]);
        assert_eq!(chosen(&[ballot(0, 0, 9), None, ballot(1, 0, 9)]), Vote { best: moves[0], depth: 9 });
        let (near, far) = (Score::mate_in(3).0, Score::mate_in(5).0);
        assert_eq!(chosen(&[ballot(0, far, 9), ballot(0, far, 9), ballot(1, near, 2)]).best, moves[1]);
    }

    #[test]
    fn the_deepest_of_those_who_voted_for_the_move_is_elected() {
        let moves = moves();
        let answer = |best: usize, depth, score| Answer {
            best: Some(moves[best]),
            score: Score(score),
            depth,
            line: Vec::new(),
            iterations: Vec::new(),
            began: 0,
            nanoseconds: 0,
        };
        let (first, second, alone) = (answer(0, 7, 5), answer(0, 8, 0), answer(1, 9, 0));
        let none = Answer { best: None, ..answer(2, 9, 0) };
        let of = |answers: &[&Answer]| elected(answers).cloned();
        assert_eq!(of(&[&alone, &first, &second, &none]), Some(second));
        assert_eq!(of(&[&alone, &first]), Some(alone.clone()));
        // Nothing was completed.
        assert_eq!(of(&[&none, &answer(0, 0, 5)]), None);
    }
}
