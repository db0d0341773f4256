//! One processor's part in a search: its board, its memory of the line, its counters, and references to what is shared.

use std::cell::Cell;

use super::across::Across;
use super::answer::Answer;
use super::common::Common;
use super::contexts::ContextHistory;
use super::corrections::CorrectionTable;
use super::features::Features;
use super::line::Lines;
use super::node::{MAX_PLY, Node};
use super::ordering::CounterMoves;
use super::picker::Ranked;
use super::plan::Plan;
use super::quiescence_widths::Width;
use super::quiet_history::QuietHistory;
use super::root_moves::RootMoves;
use super::spans::Spans;
use super::strategy::{At, Strategy};
use super::table::{Bound, Entry, Found, Hint, Sealed, Stamp, Table};
use super::trace::{Begun, End, Moment, Role, Trace};
use crate::chess::order::CanonicalOrder;
use crate::chess::{Board, History, Move, MoveList, Piece, PieceKind, Score, Task, see};
use crate::counts::{Account, Counters, LetterCounts};
use crate::eval;
use crate::machine::{Access, Activity, Processor, Work};

/// Capacity of the stack of moves: the longest possible line of positions with the most possible moves.
const MOVE_STACK: usize = MAX_PLY * MoveList::CAPACITY;
/// Most nodes between two checks of whether the search is over.
const NODES_BETWEEN_CHECKS: u64 = 64;
/// Number of checks whether the search is over between two readings of the clock.
const CHECKS_BETWEEN_TIMES: u32 = 16;

/// Memory of one ply of the line that is being searched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ply {
    /// Move that led here; none at the root and after a null move.
    pub arrived_by: Option<Move>,
    /// Two quiet moves that last cut here.
    pub killers: [Option<Move>; 2],
    /// Scores of the killers when they cut, if killers are kept by score.
    pub killer_scores: [Score; 2],
    /// State of the evaluation.
    pub evaluation: eval::State,
    /// Width of quiescence, if that depends on the line.
    pub width: Width,
}

/// One processor's part in a search.
pub struct Worker<'a, B: Board, P: Processor, S: Strategy> {
    /// Processor that it runs on.
    pub(crate) processor: &'a P,
    /// State that all workers share.
    pub(crate) common: &'a Common<'a>,
    /// Strategy by which the search is shared.
    pub(crate) strategy: &'a S,
    /// State of the strategy that all workers share.
    shared: &'a S::Shared<B>,
    /// State of the strategy that this worker keeps to itself.
    own: &'a S::Own,
    /// Root of the search, and the positions before it.
    pub(crate) root: (&'a B, &'a History),
    /// Position that is being searched.
    pub(crate) board: B,
    /// Positions that led to the present one.
    pub(crate) past: History,
    pub(super) features: Features,
    /// Decisions that follow from the features alone.
    pub(super) plan: Plan,
    /// Whether the strategy is asked to share nodes.
    pub(crate) shares: bool,
    /// Least draft of a node about which it is asked.
    pub(crate) shares_from: i32,
    /// Whether the root and expected ALL nodes are offered to others before any of their moves is searched.
    pub(super) offers_at_once: bool,
    /// Whether the strategy is told where the worker enters a node.
    pub(super) follows_nodes: bool,
    pub(super) order: &'a CanonicalOrder,
    pub(super) table: &'a Table,
    pub(super) quiet: &'a QuietHistory,
    pub(super) contexts: &'a ContextHistory,
    pub(super) corrections: &'a CorrectionTable,
    pub(super) plies: Box<[Ply]>,
    /// Memory of evaluations on a real machine; on a virtual one all use that of [`Common`].
    evaluation_cache: eval::Cache,
    pub(super) counter_moves: CounterMoves,
    pub(super) moves: Vec<Ranked>,
    /// Principal variations from each ply.
    pub(crate) lines: Lines,
    /// Counts of this worker.
    pub(crate) counters: Counters,
    /// Letters that it has sent and received.
    pub(super) letters: Cell<LetterCounts>,
    /// Entries that it has collected for other nodes.
    pub(super) collected: Vec<Sealed>,
    /// Least draft of those, in hundredths of a ply.
    collects_from: u32,
    /// Least draft of a position about which its home is asked, if that is another node.
    asks_from: i32,
    /// Whether all workers of the node have left, and this one is the last.
    pub(super) has_left: bool,
    /// Depth of the present iteration, in hundredths of a ply.
    pub(super) iteration: i32,
    pub(super) root_moves: RootMoves,
    /// Work of helpers at nodes of this worker, minus this worker's for others.
    pub(crate) for_this_worker: Account,
    /// Timeline of this worker, if it is kept.
    pub(crate) trace: Trace,
    /// Spans of the tree, on one virtual processor.
    pub(super) spans: Spans,
    /// With the ledger: nodes of the present subtree whose class is settled.
    pub(super) classed: u64,
    /// Share of this worker in the limit on nodes.
    node_limit: u64,
    /// Most nodes between two checks of the limits, at which others' letters are answered too.
    between_looks: u64,
    /// Nodes until the limits are checked again.
    until_look: u64,
    /// Checks of the limits until the clock is read.
    until_time: u32,
    /// Answer of a worker that thinks, when it is done.
    pub(crate) answer: Option<Answer>,
}

/// Record by which a move is taken back.
pub(super) struct Made<B> {
    pub undo: crate::chess::Undo,
    /// Board before the move, if boards are copied.
    pub before: Option<B>,
}

impl<'a, B: Board, P: Processor, S: Strategy> Worker<'a, B, P, S> {
    /// A worker at the root.
    pub(crate) fn new(
        processor: &'a P,
        common: &'a Common<'a>,
        (strategy, shared, own): (&'a S, &'a S::Shared<B>, &'a S::Own),
        root: &'a B,
        past: &'a History,
    ) -> Self {
        let features = common.features;
        let mut plies = vec![Ply::default(); MAX_PLY].into_boxed_slice();
        plies[0].evaluation = features.evaluation.from_scratch(root);
        plies[0].width = Width::at_root(root.in_check());
        let mut own_past = History::with_capacity(past.plies() + MAX_PLY);
        own_past.copy_reversible_from(past, root.state());
        own_past.mark_root();
        let learnt = common.learnt_by(processor.id());
        let shares = processor.count() > 1 || strategy.takes_part_alone();
        Self {
            processor,
            common,
            strategy,
            shared,
            own,
            root: (root, past),
            board: root.clone(),
            past: own_past,
            features,
            plan: Plan::of(&features),
            shares,
            shares_from: if shares { strategy.least_draft(processor.count()) } else { i32::MAX },
            offers_at_once: strategy.offers_at_once(),
            follows_nodes: processor.count() > 1 && strategy.follows_nodes(),
            order: &common.order,
            table: common.tables.of(processor.node(), processor.id()),
            quiet: &learnt.quiet,
            contexts: &learnt.contexts,
            corrections: common.corrections_of(processor.id()),
            plies,
            evaluation_cache: if P::IS_VIRTUAL {
                eval::Cache::default()
            } else {
                features.evaluation.cache(&features.terms)
            },
            counter_moves: CounterMoves::new(features.ordering.counter_moves),
            moves: Vec::with_capacity(MOVE_STACK),
            lines: Lines::new(),
            counters: Counters::default(),
            letters: Cell::default(),
            collected: Vec::new(),
            collects_from: common.across.as_ref().map_or(u32::MAX, Across::writes_from),
            asks_from: common.across.as_ref().map_or(i32::MAX, Across::asks_from),
            has_left: false,
            iteration: 0,
            root_moves: RootMoves::default(),
            for_this_worker: Account::default(),
            trace: Trace::default(),
            spans: Spans::default(),
            classed: 0,
            node_limit: {
                let searchers = strategy.searchers(processor.count()) * processor.nodes();
                common.limits.nodes.div_ceil(searchers as u64)
            },
            between_looks: if common.tables.of(processor.node(), processor.id()).is_in_parts() {
                1
            } else {
                NODES_BETWEEN_CHECKS
            },
            until_look: 1,
            until_time: 1,
            answer: None,
        }
    }

    /// Goes to the root, from wherever it is.
    pub(crate) fn go_to_root(&mut self) {
        let (root, past) = self.root;
        self.board.clone_from(root);
        self.past.copy_reversible_from(past, root.state());
        self.past.mark_root();
    }

    /// Worker with its strategy's state, as the strategy is told of a moment.
    #[inline(always)]
    pub(super) fn at(&mut self) -> At<'_, 'a, S, (B, P, S)> {
        At { shared: self.shared, own: self.own, worker: self }
    }

    /// Begins the worker's part at a node that its owner, a worker of the same machine node, has shared at this moment.
    pub(crate) fn begin_job(&self, role: Role, owner: usize, shared: u64) -> Begun {
        let from = if role == Role::Own { shared } else { self.processor.now() };
        let owner = self.processor.place() - self.processor.id() + owner;
        Begun { role, owner, shared, from, nodes: self.counters.nodes() }
    }

    /// Ends the worker's part at a shared node.
    pub(crate) fn end_job(&mut self, begun: Begun, node: &Node, end: End) {
        if self.common.keeps_traces {
            let (now, nodes) = (self.processor.now(), self.counters.nodes());
            self.trace.jobs.push(begun.ended(node, end, now, nodes));
        }
    }

    /// Notes that a move of this worker has cut a shared node off.
    pub(crate) fn note_cutoff(&mut self, node: &Node) {
        if self.common.keeps_traces {
            let at = self.processor.now();
            self.trace.moments.push(Moment::Cutoff { at, ply: node.ply });
        }
    }

    /// Gives to all workers' histories of quiet moves what the others have added.
    pub(crate) fn merge_histories(&mut self) {
        let before = self.processor.enter(Activity::Other);
        self.processor.touch(Access::Free);
        self.common.merge_histories();
        self.processor.touch(Access::Copy { bytes: (QuietHistory::BYTES * self.processor.count()) as u32 });
        self.processor.enter(before);
    }

    /// Makes a move at this ply. The caller keeps what comes back until the move is taken back.
    #[inline(always)]
    pub(super) fn make(&mut self, ply: usize, mv: Move) -> Made<B> {
        let before = if self.features.copy_make { Some(self.board.clone()) } else { None };
        let (here, next) = self.plies.split_at_mut(ply + 1);
        next[0].arrived_by = Some(mv);
        B::begin(Task::EvaluationChange);
        here[ply].evaluation.advance(&mut next[0].evaluation, &self.board, mv);
        B::end();
        Made { undo: self.board.make(mv), before }
    }

    #[inline(always)]
    pub(super) fn take_back(&mut self, mv: Move, made: Made<B>) {
        match made.before {
            Some(before) => self.board = before,
            None => self.board.unmake(mv, made.undo),
        }
    }

    /// Static evaluation of the position at this ply.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, ply: usize) -> Score {
        self.counters.evaluations += 1;
        self.processor.spend(Work::Evaluation);
        B::begin(Task::Evaluation);
        let score = if self.features.incremental {
            self.score_of(self.plies[ply].evaluation)
        } else {
            self.score_of(self.features.evaluation.from_scratch(&self.board))
        };
        B::end();
        score
    }

    /// Score of the position, whose state this is.
    #[inline(always)]
    pub(super) fn score_of(&mut self, state: eval::State) -> Score {
        if P::IS_VIRTUAL {
            return self.common.with_evaluations(|cache| state.score(cache, &self.board));
        }
        state.score(&mut self.evaluation_cache, &self.board)
    }

    /// Arrives at the next ply by a null move.
    #[inline(always)]
    pub(super) fn pass(&mut self, ply: usize) {
        let (here, next) = self.plies.split_at_mut(ply + 1);
        next[0].arrived_by = None;
        here[ply].evaluation.keep(&mut next[0].evaluation);
    }

    /// Value of the side to move's pieces other than pawns and king.
    #[inline(always)]
    pub(super) fn non_pawn_material(&self) -> Score {
        let us = self.board.turn();
        let worth = |kind| self.board.count(Piece::new(us, kind)) as i32 * see::value(kind).0;
        use PieceKind::{Bishop, Knight, Queen, Rook};
        Score(worth(Knight) + worth(Bishop) + worth(Rook) + worth(Queen))
    }

    /// Generates moves.
    #[inline(always)]
    pub(super) fn generate(&mut self, generator: impl FnOnce(&B, &mut MoveList), list: &mut MoveList) {
        self.counters.generations += 1;
        self.processor.spend(Work::Generation);
        generator(&self.board, list);
    }

    /// Looks the present position up in the table. `ends` says which score an entry of enough draft gives it, if any.
    #[inline(always)]
    pub(super) fn look_up(&self, draft: i32, ends: impl Fn(&Entry) -> Option<Score>) -> Found {
        if !self.table.exists() {
            return Found::default();
        }
        if P::IS_VIRTUAL && draft >= self.asks_from {
            return self.look_up_at_home(draft, ends);
        }
        self.processor.touch(self.table.access());
        self.table.probe(self.processor, self.keys(), self.board.turn(), draft as u32, ends)
    }

    /// Stores the present position, which is that of this node, with a score, unless that is the best of some of its
    /// moves only. The caller has let others go first.
    #[inline(always)]
    pub(super) fn remember(&mut self, node: &Node, score: Score, bound: Bound, hint: Hint) {
        let is_partial = node.ply == 0 && self.root_moves.are_restricted;
        if is_partial || !self.table.exists() {
            return;
        }
        self.counters.stores += 1;
        let (key, second_key) = self.keys();
        let stamp = Stamp::new(self.processor.place(), self.counters.stores).on(second_key);
        let (score, draft) = (self.score_to_table(score, bound, node.ply), node.draft as u32);
        let entry = Entry { score, draft, bound, hint, once_pv: node.once_pv };
        self.table.store(self.processor, key, self.board.turn(), &entry, stamp);
        if P::MAY_HAVE_NODES && draft >= self.collects_from {
            self.collect(self.table.seal(key, self.board.turn(), &entry));
        }
    }

    /// Key of the present position, and its second key if the table is audited.
    #[inline(always)]
    pub(super) fn keys(&self) -> (u64, u64) {
        (self.board.key(), if self.common.audit { self.board.second_key() } else { 0 })
    }

    /// Score as the table keeps it: mates are counted from the position, not from the root.
    #[inline(always)]
    fn score_to_table(&self, score: Score, bound: Bound, ply: usize) -> Score {
        let is_mate = score.0.abs() > Score::LONGEST_MATE.0;
        if !is_mate {
            return score;
        }
        if self.features.defect_mate_bounds {
            match bound {
                Bound::Upper => return score.max(-Score::LONGEST_MATE),
                Bound::Lower => return score.min(Score::LONGEST_MATE),
                Bound::Exact => {}
            }
        }
        Score(score.0 + score.0.signum() * ply as i32)
    }

    /// Score of an entry, with mates counted from the root.
    #[inline(always)]
    pub(super) fn score_from_table(&self, entry: &Entry, ply: usize) -> Score {
        let score = entry.score;
        let is_mate = score.0.abs() > Score::LONGEST_MATE.0;
        if !is_mate || self.features.defect_mate_bounds && entry.bound != Bound::Exact {
            return score;
        }
        Score(score.0 - score.0.signum() * ply as i32)
    }

    /// Whether the search is over for this worker: stopped, or its result no longer wanted. Asking for the stop flag
    /// lets others who are behind go first, so a strategy may look at what is shared.
    #[inline(always)]
    pub(super) fn is_over(&mut self) -> bool {
        if self.processor.is_stopped() {
            self.notice_stop();
            return true;
        }
        let strategy = self.strategy;
        strategy.is_cut_off(self.at())
    }

    #[cold]
    fn notice_stop(&mut self) {
        if let Some(since) = self.common.stopped_at() {
            self.count_stop(since);
        }
    }

    /// Counts a stop: the worker's result has not been wanted since this moment.
    pub(crate) fn count_stop(&mut self, since: u64) {
        let at = self.processor.now();
        self.counters.stopped(at.saturating_sub(since));
        if self.common.keeps_traces {
            self.trace.moments.push(Moment::Stop { at, since });
        }
    }

    /// Ends the search of all workers.
    #[cold]
    pub(crate) fn stop_all(&mut self) {
        self.processor.touch(Access::Free);
        self.common.stop_at(self.processor.now());
        self.processor.stop();
        self.tell_end();
    }

    /// Whether the search is over, or a limit is reached. Asked at each node that is counted, and cheap: most calls
    /// only count down to the next check, which comes before a limit can have been exceeded. A worker whose result is
    /// not wanted any more notices soon, in quiescence too.
    #[inline(always)]
    pub(super) fn is_at_limit(&mut self) -> bool {
        self.until_look -= 1;
        self.until_look == 0 && self.check_limits()
    }

    #[cold]
    fn check_limits(&mut self) -> bool {
        self.table.answer(self.processor);
        self.read_letters();
        if self.is_over() {
            self.until_look = 1;
            return true;
        }
        let left = self.node_limit.saturating_sub(self.counters.nodes());
        self.until_look = left.clamp(1, self.between_looks);
        self.until_time = self.until_time.saturating_sub(1);
        if left > 0 && self.until_time > 0 {
            return false;
        }
        self.until_time = CHECKS_BETWEEN_TIMES;
        self.processor.touch(Access::Free);
        if let Some(control) = self.common.control {
            control.note_nodes(self.processor.place(), self.counters.nodes());
        }
        if left > 0 && self.processor.now() < self.common.end() || self.is_below_least_depth() {
            return false;
        }
        self.stop_all();
        true
    }
}
