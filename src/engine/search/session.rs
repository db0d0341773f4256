//! A search from outside: what it is asked, running it on a machine, and what comes back.

use std::cmp::Reverse;
use std::sync::Arc;

use super::across::Across;
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
use crate::counts::{Activities, Counters, LetterCounts};
use crate::machine::{Processor, Program, Run, Span};

/// A search of one position, ready to be run on a machine.
pub struct Session<'a, B: Board, S: Strategy> {
    root: &'a B,
    past: &'a History,
    strategy: &'a S,
    nodes: Vec<OnNode<'a, B, S>>,
}

/// Memory of a node for a search: what its workers share.
struct OnNode<'a, B: Board, S: Strategy> {
    common: Common<'a>,
    shared: S::Shared<B>,
}

/// Result of one worker's part in a search.
#[derive(Clone, Debug)]
pub struct Part {
    /// Counters of the worker.
    pub counters: Counters,
    /// Node of the worker.
    pub node: usize,
    /// Node whose answer counts, as the last worker of a node knows; none if there is but one.
    pub answering_node: Option<usize>,
    /// Letters to other nodes.
    pub letters: LetterCounts,
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
    /// Letters between nodes, if there are several.
    pub letters: Option<LetterCounts>,
    /// Counters of each worker, and where its time went.
    pub workers: Vec<(Counters, Activities)>,
    /// Timeline of each worker, if it is kept.
    pub traces: Vec<Trace>,
    /// Time of each worker piece by piece, if the machine keeps it.
    pub spans: Vec<Vec<Span>>,
}

impl<'a, B: Board, S: Strategy> Session<'a, B, S> {
    /// A search of the position on this board, which `past` has led to. The board must have been set up with the
    /// settings' keys, and the tables be for as many workers and nodes as will run it.
    ///
    /// # Panics
    /// If there are several nodes and the strategy does not span them, or the workers do not fill them.
    pub fn new(
        root: &'a B,
        past: &'a History,
        settings: &SearchSettings,
        tables: &'a Tables,
        strategy: &'a S,
        workers: usize,
    ) -> Self {
        let nodes = tables.nodes();
        assert!(nodes == 1 || strategy.spans_nodes(), "a strategy that shares memory searches on {nodes} nodes");
        assert!(workers.is_multiple_of(nodes), "{workers} workers do not fill {nodes} nodes");
        let workers = (workers / nodes).max(1);
        let users = |of: Histories| match of {
            Histories::Shared => workers,
            Histories::Private | Histories::Merged => 1,
            Histories::Team => strategy.team(workers),
        };
        let users = [strategy.histories(), strategy.corrections()].map(users);
        let node = |_| OnNode {
            common: Common::new(settings, tables, Sizes::of::<B>(), workers, users),
            shared: strategy.shared(workers),
        };
        let mut session = Self { root, past, strategy, nodes: (0..nodes).map(node).collect() };
        if nodes > 1 {
            let across = Across::of_all(nodes, workers, tables.exchange());
            session.nodes.iter_mut().zip(across).for_each(|(node, across)| node.common.across = Some(across));
        }
        session
    }

    /// The search as a part in one of several processes, each of which has a session of its own: the one of this node,
    /// in the search of this number.
    #[must_use]
    pub fn as_node(mut self, (node, nodes): (usize, usize), number: u32) -> Self {
        let [OnNode { common, .. }] = &mut self.nodes[..] else { panic!("a process is one node") };
        let across = (common.tables.exchange(), number);
        common.across = Some(Across::of((node, nodes), common.workers(), across));
        self
    }

    /// Memory of a node in this process, which may be that of all nodes or only of its own.
    fn memory_of(&self, node: usize) -> &OnNode<'a, B, S> {
        if let [own] = &self.nodes[..] { own } else { &self.nodes[node] }
    }

    /// Changes what the workers of each node are told.
    fn telling(mut self, change: impl Fn(&mut Common<'a>)) -> Self {
        self.nodes.iter_mut().for_each(|node| change(&mut node.common));
        self
    }

    /// Counts and pays handing over as of boards of these sizes, which this one stands for in simulated time.
    #[must_use]
    pub fn sized_as(self, sizes: Sizes) -> Self {
        self.telling(|common| common.sizes = sizes)
    }

    /// Counts nodes that are searched a second time. Slower, and needs memory for every position.
    #[must_use]
    pub fn with_ledger(self) -> Self {
        let ledger = Arc::new(Ledger::new());
        self.telling(|common| common.ledger = Some(Arc::clone(&ledger)))
    }

    /// Keeps the timelines of all workers: who worked at which shared node when, and what ended it.
    #[must_use]
    pub fn keeping_traces(self) -> Self {
        self.telling(|common| common.keeps_traces = true)
    }

    /// Tells this function of each iteration.
    #[must_use]
    pub fn watched_by(self, watcher: Watcher<'a>) -> Self {
        self.telling(|common| common.watcher = Some(watcher))
    }

    /// Searches these moves of the root only, or all if there are none.
    #[must_use]
    pub fn among(self, moves: &'a [Move]) -> Self {
        self.telling(|common| common.among = moves)
    }

    /// Lets the search be controlled while it runs, by as many workers as the control is for.
    #[must_use]
    pub fn controlled_by(self, control: &'a Control) -> Self {
        self.telling(|common| common.control = Some(control))
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
        let OnNode { common, shared } = self.memory_of(processor.node());
        let strategy = (self.strategy, shared, &own);
        work(&mut Worker::new(processor, common, strategy, self.root, self.past))
    }
}

impl<B: Board, S: Strategy> Program for Session<'_, B, S> {
    type Output = Part;

    fn run<P: Processor>(&self, processor: &P) -> Part {
        self.with_worker(processor, |worker| {
            self.strategy.run(worker.at());
            let (may_play, votes) = (self.strategy.may_play(processor.place()), self.strategy.votes());
            let answering_node = worker.leave_node(may_play);
            let (counters, node, letters) = (worker.counters, processor.node(), worker.letters.get());
            let (answer, trace) = (worker.answer.take(), std::mem::take(&mut worker.trace));
            Part { counters, node, answering_node, letters, answer, may_play, votes, trace }
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
        let node = run.outputs.iter().find_map(|part| part.answering_node);
        let letters = node.map(|_| run.outputs.iter().map(|part| &part.letters).sum());
        let players = run.outputs.iter().filter(|part| part.may_play && node.is_none_or(|node| part.node == node));
        let players: Vec<&Answer> = players.filter_map(|part| part.answer.as_ref()).collect();
        let voted = run.outputs.iter().any(|part| part.votes).then(|| elected(&players)).flatten();
        // Of several that think, the one that got deepest; of those, the first.
        let deepest = || players.iter().copied().min_by_key(|answer| (Reverse(answer.depth), answer.nanoseconds));
        let answer = voted.or_else(deepest).cloned();
        let of = |(id, part): (usize, Part)| part.answer.map(|answer| (id, answer));
        let answers = run.outputs.into_iter().enumerate().filter_map(of).collect();
        Self {
            answer: answer.expect("every strategy lets a worker think"),
            answers,
            counters,
            letters,
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
