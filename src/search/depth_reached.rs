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
    /// Time until the master, worker 0, completed it.
    pub master: Option<u64>,
    /// Time until the workers' vote was for an answer of that depth.
    pub voted: Option<u64>,
    /// Vote at that moment; if there was none, at the end.
    pub vote: Option<Vote>,
}

/// Result of a vote among workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Move with the greatest sum of weights.
    pub best: Move,
    /// Depth of the deepest worker that votes for it.
    pub depth: u32,
}

/// Weight of the worst answer for each ply of its depth, in thousandths of a pawn: 14 of 213 to a pawn, in the programs
/// of 2020.
const WORST_WEIGHT: i64 = 66;

/// Completion of an iteration by a worker.
struct Event<'a> {
    at: u64,
    voter: usize,
    iteration: &'a Iteration,
}

/// Vote of one worker.
#[derive(Clone, Copy)]
struct Ballot {
    best: Move,
    score: Score,
    depth: u32,
}

impl DepthReached {
    /// Times to a depth from the answers of the workers that think, with their ids and in the order of those.
    pub(super) fn of(answers: &[(usize, Answer)], depth: u32) -> Self {
        let began = answers.first().map_or(0, |(_, answer)| answer.began);
        let mut events: Vec<Event> = answers
            .iter()
            .enumerate()
            .flat_map(|(voter, (_, answer))| {
                let late = answer.began.saturating_sub(began);
                answer.iterations.iter().map(move |iteration| Event {
                    at: late + iteration.nanoseconds,
                    voter,
                    iteration,
                })
            })
            .collect();
        events.sort_by_key(|event| (event.at, event.voter));
        let when = |is_meant: &dyn Fn(&Event) -> bool| {
            events.iter().find(|event| event.iteration.depth >= depth && is_meant(event)).map(|event| event.at)
        };
        let (first, master) = (when(&|_| true), when(&|event| answers[event.voter].0 == 0));
        let mut ballots: Vec<Option<Ballot>> = vec![None; answers.len()];
        let (mut voted, mut vote) = (None, None);
        for Event { at, voter, iteration } in &events {
            if let Some(best) = iteration.line.first() {
                ballots[*voter] = Some(Ballot { best: *best, score: iteration.score, depth: iteration.depth });
            }
            vote = Vote::among(&ballots);
            if vote.is_some_and(|vote| vote.depth >= depth) {
                voted = Some(*at);
                break;
            }
        }
        Self { first, master, voted, vote }
    }
}

impl Vote {
    /// Move with the greatest sum of weights. A ballot weighs the more the better and deeper its answer is; a mate
    /// outweighs all.
    fn among(ballots: &[Option<Ballot>]) -> Option<Self> {
        let ballots = || ballots.iter().flatten();
        let lowest = ballots().map(|ballot| ballot.score).min()?;
        let weight =
            |ballot: &Ballot| i64::from((ballot.score - lowest).0 + WORST_WEIGHT as i32) * i64::from(ballot.depth);
        let votes = |best| ballots().filter(|ballot| ballot.best == best).map(weight).sum::<i64>();
        let mut chosen: Option<(Option<Score>, i64, Move)> = None;
        for ballot in ballots() {
            let mate = Some(ballot.score).filter(|score| *score > Score::LONGEST_MATE);
            let rank = (mate, votes(ballot.best), ballot.best);
            if chosen.is_none_or(|(mate, votes, _)| (rank.0, rank.1) > (mate, votes)) {
                chosen = Some(rank);
            }
        }
        let (_, _, best) = chosen?;
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

    /// An answer from what was completed: depth, score, place of the move, and when.
    fn answer(began: u64, iterations: &[(u32, i32, usize, u64)]) -> Answer {
        let moves = moves();
        let iterations: Vec<Iteration> = iterations
            .iter()
            .map(|(depth, score, best, at)| Iteration {
                depth: *depth,
                score: Score(*score),
                line: vec![moves[*best]],
                nodes: 0,
                nanoseconds: *at,
                failed_window: false,
            })
            .collect();
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
}
