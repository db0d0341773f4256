//! When a search has reached a depth. If several workers think by themselves there are three answers: the first of any worker,
//! the master's, and that of a vote, as programs of 2020 choose the move they play. All are read from the records of the
//! iterations when the search is over.

use super::answer::{Answer, Iteration};
use crate::chess::{Move, Score};

/// When a depth was reached, in nanoseconds of the machine since the master began; `None`: not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthReached {
    /// Any worker had completed the depth.
    pub first: Option<u64>,
    /// Worker 0 had.
    pub master: Option<u64>,
    /// The workers' vote was for an answer of that depth.
    pub voted: Option<u64>,
    /// The vote at that moment; if there was none, at the end.
    pub vote: Option<Vote>,
}

/// For what the workers have voted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vote {
    /// The move.
    pub best: Move,
    /// How deep the deepest worker has searched that votes for it.
    pub depth: u32,
}

/// What the worst answer's voice has beside its depth, in thousandths of a pawn: 14 of 213 to a pawn, in the programs of
/// 2020.
const WORST_VOICE: i64 = 66;

/// A worker has completed an iteration.
struct Event<'a> {
    at: u64,
    voter: usize,
    iteration: &'a Iteration,
}

/// One worker's voice.
#[derive(Clone, Copy)]
struct Voice {
    best: Move,
    score: Score,
    depth: u32,
}

impl DepthReached {
    /// From the answers of the workers that think, in the order of their ids; they are told apart by their ids.
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
        let mut voices: Vec<Option<Voice>> = vec![None; answers.len()];
        let (mut voted, mut vote) = (None, None);
        for Event { at, voter, iteration } in &events {
            if let Some(best) = iteration.line.first() {
                voices[*voter] = Some(Voice { best: *best, score: iteration.score, depth: iteration.depth });
            }
            vote = Vote::among(&voices);
            if vote.is_some_and(|vote| vote.depth >= depth) {
                voted = Some(*at);
                break;
            }
        }
        Self { first, master, voted, vote }
    }
}

impl Vote {
    /// What is voted for. Each worker's move gets the more voices the better and deeper it is; a mate needs none.
    fn among(voices: &[Option<Voice>]) -> Option<Self> {
        let voices = || voices.iter().flatten();
        let lowest = voices().map(|voice| voice.score).min()?;
        let weight = |voice: &Voice| i64::from((voice.score - lowest).0 + WORST_VOICE as i32) * i64::from(voice.depth);
        let votes = |best| voices().filter(|voice| voice.best == best).map(weight).sum::<i64>();
        let mut chosen: Option<(Option<Score>, i64, Move)> = None;
        for voice in voices() {
            let mate = Some(voice.score).filter(|score| *score > Score::LONGEST_MATE);
            let rank = (mate, votes(voice.best), voice.best);
            if chosen.is_none_or(|(mate, votes, _)| (rank.0, rank.1) > (mate, votes)) {
                chosen = Some(rank);
            }
        }
        let (_, _, best) = chosen?;
        let depth = voices().filter(|voice| voice.best == best).map(|voice| voice.depth).max()?;
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
    fn voices_count_by_score_and_depth_and_mates_come_first() {
        let moves = moves();
        let voice = |best: usize, score, depth| Some(Voice { best: moves[best], score: Score(score), depth });
        let chosen = |voices: &[Option<Voice>]| Vote::among(voices).unwrap();
        // 66 x 8 + 66 x 8 against (300 + 66) x 3.
        assert_eq!(chosen(&[voice(0, 0, 8), voice(0, 0, 8), voice(1, 300, 3)]).best, moves[1]);
        assert_eq!(chosen(&[voice(0, 0, 9), voice(0, 0, 8), voice(1, 300, 3)]).best, moves[0]);
        assert_eq!(chosen(&[voice(0, 0, 9), None, voice(1, 0, 9)]), Vote { best: moves[0], depth: 9 });
        let (near, far) = (Score::mate_in(3).0, Score::mate_in(5).0);
        assert_eq!(chosen(&[voice(0, far, 9), voice(0, far, 9), voice(1, near, 2)]).best, moves[1]);
    }
}
