//! A search from outside: what it is asked, running it on a machine, and what comes back.

use super::answer::{Answer, Iteration};
use super::common::{Common, SearchSettings, Watcher};
use super::control::Control;
use super::depth_reached::{DepthReached, deepening, elected};
use super::ledger::Ledger;
use super::node::{Node, ONE_PLY};
use super::quiet_history::Histories;
use super::strategy::Strategy;
use super::table::{Hint, Tables};
use super::trace::Trace;
use super::worker::Worker;
use crate::chess::{Board, History, Move, MoveList, Score, Sizes};
use crate::counts::{Activities, Counters};
use crate::machine::{Processor, Program, Run, Span};

/// A search of one position, ready to be run on a machine.
pub struct Session<'a, B: Board, S: Strategy> {
    root: &'a B,
    past: &'a History,
    common: Common<'a>,
    strategy: &'a S,
    shared: S::Shared<B>,
}

/// Result of one worker's part in a search.
#[derive(Clone, Debug)]
pub struct Part {
    /// Counters of the worker.
    pub counters: Counters,
    /// Answer of the worker, if it was one that thinks.
    pub answer: Option<Answer>,
    /// Whether the worker's move may be the one to play.
    pub may_play: bool,
    /// Whether such workers vote.
    pub votes: bool,
    /// Timeline, if it is kept.
    pub trace: Trace,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Answer of the search.
    pub answer: Answer,
    /// Answers of all workers that think, by id.
    pub answers: Vec<(usize, Answer)>,
    /// Counters of all workers added up.
    pub counters: Counters,
    /// Counters of each worker, and where its time went.
    pub workers: Vec<(Counters, Activities)>,
    /// Timeline of each worker, if it is kept.
    pub traces: Vec<Trace>,
    /// Time of each worker piece by piece, if the machine keeps it.
    pub spans: Vec<Vec<Span>>,
}

impl<'a, B: Board, S: Strategy> Session<'a, B, S> {
    /// A search of the position on this board, which `past` has led to. The board must have been set up with the
    /// settings' keys, and the tables be for as many workers as will run it.
    pub fn new(
        root: &'a B,
        past: &'a History,
        settings: &SearchSettings,
        tables: &'a Tables,
        strategy: &'a S,
        workers: usize,
    ) -> Self {
        let workers = workers.max(1);
        let users = |of: Histories| match of {
            Histories::Shared => workers,
            Histories::Private | Histories::Merged => 1,
            Histories::Team => strategy.team(workers),
        };
        let users = [strategy.histories(), strategy.corrections()].map(users);
        let common = Common::new(settings, tables, Sizes::of::<B>(), workers, users);
        Self { root, past, common, strategy, shared: strategy.shared(workers) }
    }

    /// Counts and pays handing over as of boards of these sizes, which this one stands for in simulated time.
    #[must_use]
    pub fn sized_as(mut self, sizes: Sizes) -> Self {
        self.common.sizes = sizes;
        self
    }

    /// Counts nodes that are searched a second time. Slower, and needs memory for every position.
    #[must_use]
    pub fn with_ledger(mut self) -> Self {
        self.common.ledger = Some(Ledger::new());
        self
    }

    /// Keeps the timelines of all workers: who worked at which shared node when, and what ended it.
    #[must_use]
    pub fn keeping_traces(mut self) -> Self {
        self.common.keeps_traces = true;
        self
    }

    /// Tells this function of each iteration.
    #[must_use]
    pub fn watched_by(mut self, watcher: Watcher<'a>) -> Self {
        self.common.watcher = Some(watcher);
        self
    }

    /// Searches these moves of the root only, or all if there are none.
    #[must_use]
    pub fn among(mut self, moves: &'a [Move]) -> Self {
        self.common.among = moves;
        self
    }

    /// Lets the search be controlled while it runs, by as many workers as the control is for.
    #[must_use]
    pub fn controlled_by(mut self, control: &'a Control) -> Self {
        self.common.control = Some(control);
        self
    }
}

impl<B: Board, S: Strategy> Session<'_, B, S> {
    /// Makes a worker at the root on this processor, and hands it over.
    pub(super) fn with_worker<P: Processor, T>(
        &self,
        processor: &P,
        work: impl FnOnce(&mut Worker<'_, B, P, S>) -> T,
    ) -> T {
        let own = S::Own::default();
        let strategy = (self.strategy, &self.shared, &own);
        work(&mut Worker::new(processor, &self.common, strategy, self.root, self.past))
    }
}

impl<B: Board, S: Strategy> Program for Session<'_, B, S> {
    type Output = Part;

    fn run<P: Processor>(&self, processor: &P) -> Part {
        self.with_worker(processor, |worker| {
            self.strategy.run(worker.at());
            let (may_play, votes) = (self.strategy.may_play(processor.id()), self.strategy.votes());
            let (answer, trace) = (worker.answer.take(), std::mem::take(&mut worker.trace));
            Part { counters: worker.counters, answer, may_play, votes, trace }
        })
    }
}

/// The move that the tables of a session hold for its position, if they hold one: to be run in place of the session.
pub struct Remembered<'s, 'a, B: Board, S: Strategy>(pub &'s Session<'a, B, S>);

impl<B: Board, S: Strategy> Program for Remembered<'_, '_, B, S> {
    type Output = Option<Move>;

    fn run<P: Processor>(&self, processor: &P) -> Option<Move> {
        self.0.with_worker(processor, |worker| {
            let found = worker.table.probe(processor, worker.keys(), worker.board.turn(), 0, |_| None);
            found.hint.move_on(&worker.board)
        })
    }
}

/// The legal moves of a session's position in the order in which a search would try them that knows nothing yet: to be
/// run in place of the session.
pub struct InOrder<'s, 'a, B: Board, S: Strategy>(pub &'s Session<'a, B, S>);

impl<B: Board, S: Strategy> Program for InOrder<'_, '_, B, S> {
    type Output = Vec<Move>;

    fn run<P: Processor>(&self, processor: &P) -> Vec<Move> {
        self.0.with_worker(processor, |worker| {
            let node = Node::root(ONE_PLY, Score(-1), Score(1), worker.board.in_check());
            let mut list = MoveList::new();
            if node.in_check {
                worker.board.legal_moves(&mut list);
            }
            let mut picker = worker.rank_all(&node, &mut list, Hint::NONE);
            let picked =
                std::iter::from_fn(|| worker.pick(&mut picker).map(|mv| (mv, worker.board.is_legal(mv, false))));
            picked.filter_map(|(mv, is_legal)| (node.in_check || is_legal).then_some(mv)).collect()
        })
    }
}

impl From<Run<Part>> for Outcome {
    /// # Panics
    /// If no worker was one that thinks.
    fn from(run: Run<Part>) -> Self {
        let counters = run.outputs.iter().map(|part| &part.counters).sum();
        let workers = run.outputs.iter().zip(&run.times).map(|(part, times)| (part.counters, *times)).collect();
        let traces = run.outputs.iter().map(|part| part.trace.clone()).collect();
        let players = run.outputs.iter().filter(|part| part.may_play).filter_map(|part| part.answer.as_ref());
        let players: Vec<&Answer> = players.collect();
        let voted = run.outputs.iter().any(|part| part.votes).then(|| elected(&players)).flatten();
        // Of several that think, the one that got deepest; of those, the first.
        let deepest = || players.iter().copied().min_by_key(|one| (std::cmp::Reverse(one.depth), one.nanoseconds));
        let answer = voted.or_else(deepest).cloned();
        let of = |(id, part): (usize, Part)| part.answer.map(|answer| (id, answer));
        let answers = run.outputs.into_iter().enumerate().filter_map(of).collect();
        Self {
            answer: answer.expect("every strategy lets a worker think"),
            answers,
            counters,
            workers,
            traces,
            spans: run.spans,
        }
    }
}

impl Outcome {
    /// Times at which this depth was reached, by the three definitions that there are.
    pub fn depth_reached(&self, depth: u32) -> DepthReached {
        DepthReached::of(&self.answers, depth)
    }

    /// Iterations that were deeper than any that a worker had completed before, each with the time in nanoseconds since
    /// the master began.
    pub fn deepening(&self) -> Vec<(u64, &Iteration)> {
        deepening(&self.answers)
    }
}
