//! What the other processes tell rank 0.

use serde::{Deserialize, Serialize};

use super::order::moves_of;
use super::{Ended, Member};
use crate::chess::{Board, Move, Score};
use crate::compiled::Simulated;
use crate::counts::{Activities, Counters, Disturbance, LetterCounts};
use crate::door::Searched;
use crate::search::{Answer, Iteration, Part, Trace};

/// Letter of a process to rank 0.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Told {
    /// Host, version and signature of the process.
    Member(Member),
    /// It is ready to search.
    Ready,
    /// It cannot search, or could not.
    Failed(String),
    /// Results of its workers.
    Found(Box<FoundThere>),
}

/// Results of the workers of one process of MPI, as its letter to the first process carries them.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FoundThere {
    parts: Vec<PartThere>,
    times: Vec<Activities>,
    disturbances: Vec<Disturbance>,
    /// Processor time that the process has used meanwhile.
    pub cpu_ns: u64,
}

/// Part of a worker, with moves as bits.
#[derive(Debug, Serialize, Deserialize)]
struct PartThere {
    counters: Counters,
    node: usize,
    answering_node: Option<usize>,
    letters: LetterCounts,
    answer: Option<AnswerThere>,
    may_play: bool,
    votes: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct AnswerThere {
    best: Option<u32>,
    score: i32,
    depth: u32,
    line: Vec<u32>,
    iterations: Vec<IterationThere>,
    began: u64,
    nanoseconds: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct IterationThere {
    depth: u32,
    rank: usize,
    score: i32,
    line: Vec<u32>,
    nodes: u64,
    leaves: u64,
    deepest: u64,
    nanoseconds: u64,
    failed_window: bool,
}

impl FoundThere {
    /// Results of the workers of this process, once their searches have ended, and its processor time.
    pub fn of(Ended { run, disturbances, cpu_ns_beside: _ }: Ended, cpu_ns: u64) -> Self {
        let parts = run.outputs.into_iter().map(PartThere::from).collect();
        Self { parts, times: run.times, disturbances, cpu_ns }
    }

    /// Adds what was found to what other processes have found; nothing if it cannot be of this search.
    pub fn join(self, to: &mut Ended, search: &Searched<'_>) -> Option<()> {
        let keys = search.setup.settings.keys();
        let mut root = Simulated::set_up(search.line.start, keys).ok()?;
        for mv in search.line.moves {
            let _ = root.make(*mv);
        }
        let parts = self.parts.into_iter().map(|part| part.read(&root)).collect::<Option<Vec<_>>>()?;
        to.run.outputs.extend(parts);
        to.run.times.extend(self.times);
        to.disturbances.extend(self.disturbances);
        Some(())
    }
}

fn bits(moves: &[Move]) -> Vec<u32> {
    moves.iter().map(|mv| mv.bits()).collect()
}

impl From<Part> for PartThere {
    fn from(part: Part) -> Self {
        let Part { counters, node, answering_node, letters, answer, may_play, votes, trace: _ } = part;
        Self { counters, node, answering_node, letters, answer: answer.map(AnswerThere::from), may_play, votes }
    }
}

impl PartThere {
    fn read<B: Board>(self, root: &B) -> Option<Part> {
        let Self { counters, node, answering_node, letters, answer, may_play, votes } = self;
        let answer = answer.map(|answer| answer.read(root).ok_or(())).transpose().ok()?;
        Some(Part { counters, node, answering_node, letters, answer, may_play, votes, trace: Trace::default() })
    }
}

impl From<Answer> for AnswerThere {
    fn from(answer: Answer) -> Self {
        let Answer { best, score, depth, line, iterations, began, nanoseconds } = answer;
        let iterations = iterations.into_iter().map(IterationThere::from).collect();
        Self { best: best.map(Move::bits), score: score.0, depth, line: bits(&line), iterations, began, nanoseconds }
    }
}

impl AnswerThere {
    fn read<B: Board>(self, root: &B) -> Option<Answer> {
        let Self { best, score, depth, line, iterations, began, nanoseconds } = self;
        let best =
            best.map(|best| moves_of(&mut root.clone(), &[best])).map_or(Some(None), |best| Some(best?.pop()))?;
        let line = moves_of(&mut root.clone(), &line)?;
        let iterations = iterations.into_iter().map(|iteration| iteration.read(root)).collect::<Option<_>>()?;
        Some(Answer { best, score: Score(score), depth, line, iterations, began, nanoseconds })
    }
}

impl From<Iteration> for IterationThere {
    fn from(iteration: Iteration) -> Self {
        let Iteration { depth, rank, score, line, nodes, leaves, deepest, nanoseconds, failed_window } = iteration;
        let (score, line) = (score.0, bits(&line));
        Self { depth, rank, score, line, nodes, leaves, deepest, nanoseconds, failed_window }
    }
}

impl IterationThere {
    fn read<B: Board>(self, root: &B) -> Option<Iteration> {
        let Self { depth, rank, score, line, nodes, leaves, deepest, nanoseconds, failed_window } = self;
        let (score, line) = (Score(score), moves_of(&mut root.clone(), &line)?);
        Some(Iteration { depth, rank, score, line, nodes, leaves, deepest, nanoseconds, failed_window })
    }
}
