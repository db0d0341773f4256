//! One processor's part in a search: its board, its memory of the line, its counters, and references to what is shared.

use super::answer::Answer;
use super::counters::Counters;
use super::features::Features;
use super::line::Lines;
use super::losses::{Account, Loss};
use super::node::Node;
use super::picker::Ranked;
use super::quiet_history::QuietHistory;
use super::root::RootMove;
use super::session::{Common, Job};
use super::strategy::{At, Strategy};
use super::table::{Bound, Entry, Hint, Stamp, Table};
use crate::chess::order::CanonicalOrder;
use crate::chess::{Board, History, Move, MoveList, Piece, PieceKind, Score, see};
use crate::choices::choices;
use crate::eval::{self, Balance};
use crate::machine::{Access, Activity, Processor, Work};

/// Drafts are counted in hundredths of a ply.
pub const ONE_PLY: i32 = 100;
/// No line is longer. Mate scores reach further.
pub const MAX_PLY: usize = 256;
/// At this ply a position is evaluated whatever is left of its draft.
pub(super) const LAST_PLY: usize = MAX_PLY - 2;
/// A node has few moves on average; the longest possible line of positions with the most possible moves fits as well.
const MOVE_STACK: usize = MAX_PLY * MoveList::CAPACITY;
/// Whether the search is over is asked once in so many nodes, at least.
const NODES_BETWEEN_LOOKS: u64 = 64;
/// The time is asked for once in so many of those looks.
const LOOKS_BETWEEN_TIMES: u32 = 16;

/// What a worker remembers of each ply of the line that is being searched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ply {
    /// The move that led here; none at the root and after a null move.
    pub arrived_by: Option<Move>,
    /// The two quiet moves that last cut here.
    pub killers: [Option<Move>; 2],
    /// Material and squares.
    pub balance: Balance,
}

/// What a worker that comes to a node from elsewhere needs to know of the line that led there, beside position and past.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    iteration: i32,
    balance: Balance,
    /// The last move, and the one before.
    arrived_by: [Option<Move>; 2],
    /// The killers of the children's ply and some below.
    killers: [[Option<Move>; 2]; KILLER_PLIES],
}

/// What a worker remembers of each ply, put aside while it works elsewhere.
pub struct LineMemory(Box<[Ply]>);

impl LineMemory {
    /// Of a line that nobody has searched yet.
    pub(crate) fn new() -> Self {
        Self(vec![Ply::default(); MAX_PLY].into_boxed_slice())
    }
}

choices! {
    /// With which killers a worker begins at a node that comes from elsewhere.
    pub enum Killers, "treatment of killers";
    /// Those of the worker it comes from.
    Copied "copied",
    /// None.
    Reset "reset",
    /// Those that it has left at these plies itself.
    Stale "stale",
}

/// Below a node that is handed over, killers of so many plies go with it.
const KILLER_PLIES: usize = 6;

/// One processor's part in a search.
pub struct Worker<'a, B: Board, P: Processor, S: Strategy> {
    /// What it runs on.
    pub(crate) processor: &'a P,
    /// What all workers share.
    pub(crate) common: &'a Common<'a>,
    /// How the search is shared.
    pub(crate) strategy: &'a S,
    /// State of the strategy that all workers share.
    shared: &'a S::Shared<B>,
    /// State of the strategy that this worker keeps to itself.
    own: &'a S::Own,
    /// The position that is being searched.
    pub(crate) board: B,
    /// The positions that led to it.
    pub(crate) past: History,
    pub(super) features: Features,
    pub(super) exchange: see::Rules,
    pub(super) order: &'a CanonicalOrder,
    pub(super) table: &'a Table,
    pub(super) quiet: &'a QuietHistory,
    pub(super) plies: Box<[Ply]>,
    pub(super) moves: Vec<Ranked>,
    /// The best lines from each ply.
    pub(crate) lines: Lines,
    /// What has been counted.
    pub(crate) counters: Counters,
    /// The depth of the present iteration, in hundredths of a ply.
    pub(super) iteration: i32,
    pub(super) root_moves: Vec<RootMove>,
    /// What helpers have done at nodes of this worker.
    pub(crate) for_this_worker: Account,
    /// What this worker did at nodes that were shared, if that is kept.
    pub(crate) jobs: Vec<Job>,
    /// With the ledger: nodes of the subtree that is being searched which have been classed.
    classed: u64,
    /// This worker's share of the limit on nodes.
    node_limit: u64,
    /// Nodes until it looks up again, and such looks until the time is asked for.
    until_look: u64,
    until_time: u32,
    /// What has been found so far, by a worker that thinks.
    pub(crate) answer: Option<Answer>,
}

/// With the ledger: a node that has been entered and is to be left.
pub(super) struct Entered {
    key: u64,
    draft: i32,
    loss: Option<Loss>,
    nodes: u64,
    classed: u64,
}

/// What making a move leaves to be put back.
pub(super) struct Made<B> {
    undo: crate::chess::Undo,
    /// The board before, if boards are copied.
    before: Option<B>,
}

impl<'a, B: Board, P: Processor, S: Strategy> Worker<'a, B, P, S> {
    /// A worker at the root.
    pub(crate) fn new(
        processor: &'a P,
        common: &'a Common<'a>,
        (strategy, shared, own): (&'a S, &'a S::Shared<B>, &'a S::Own),
        root: &B,
        past: &History,
    ) -> Self {
        let features = common.features;
        let mut plies = vec![Ply::default(); MAX_PLY].into_boxed_slice();
        plies[0].balance = Balance::of(root);
        let mut own_past = History::with_capacity(past.len() + MAX_PLY);
        own_past.copy_reversible_from(past, root.state());
        own_past.mark_root();
        Self {
            processor,
            common,
            strategy,
            shared,
            own,
            board: root.clone(),
            past: own_past,
            features,
            exchange: see::Rules {
                en_passant: !features.defect_en_passant_exchange,
                promotions: !features.defect_promotion_exchange,
            },
            order: &common.order,
            table: common.tables.of(processor.id()),
            quiet: common.quiet_history_of(processor.id()),
            plies,
            moves: Vec::with_capacity(MOVE_STACK),
            lines: Lines::new(),
            counters: Counters::default(),
            iteration: 0,
            root_moves: Vec::new(),
            for_this_worker: Account::default(),
            jobs: Vec::new(),
            classed: 0,
            node_limit: common.limits.nodes.div_ceil(strategy.searchers(processor.count()) as u64),
            until_look: 1,
            until_time: 1,
            answer: None,
        }
    }

    /// This worker with its strategy's state, as the strategy is told of a moment.
    #[inline(always)]
    pub(super) fn at(&mut self) -> At<'_, 'a, S, B, P, S> {
        At { shared: self.shared, own: self.own, worker: self }
    }

    /// What another worker needs to search at this ply.
    pub(crate) fn context(&self, ply: usize) -> Context {
        let before = ply.checked_sub(1).and_then(|before| self.plies[before].arrived_by);
        Context {
            iteration: self.iteration,
            balance: self.plies[ply].balance,
            arrived_by: [self.plies[ply].arrived_by, before],
            killers: std::array::from_fn(|i| self.plies[(ply + 1 + i).min(MAX_PLY - 1)].killers),
        }
    }

    /// Takes over what another worker knew at this ply.
    pub(crate) fn adopt(&mut self, ply: usize, context: &Context, killers: Killers) {
        self.iteration = context.iteration;
        self.plies[ply].balance = context.balance;
        self.plies[ply].arrived_by = context.arrived_by[0];
        if ply > 0 {
            self.plies[ply - 1].arrived_by = context.arrived_by[1];
        }
        match killers {
            Killers::Copied => {
                for (i, killers) in context.killers.iter().enumerate() {
                    self.plies[(ply + 1 + i).min(MAX_PLY - 1)].killers = *killers;
                }
            }
            Killers::Reset => self.plies[ply..].iter_mut().for_each(|ply| ply.killers = [None; 2]),
            Killers::Stale => {}
        }
    }

    /// The worker has been at a shared node since this moment.
    pub(crate) fn note_job(&mut self, node: &Node, owner: usize, from: u64) {
        if self.common.keeps_jobs {
            let (to, plies) = (self.processor.now(), node.plies());
            self.jobs.push(Job { from, to, owner, ply: node.ply, plies, expected: node.expected });
        }
    }

    /// Puts aside what it remembers of each ply, and takes up what was put aside before.
    pub(crate) fn swap_memory(&mut self, memory: &mut LineMemory) {
        std::mem::swap(&mut self.plies, &mut memory.0);
    }

    /// All workers' histories of quiet moves receive what the others have added.
    pub(crate) fn merge_histories(&mut self) {
        let before = self.processor.enter(Activity::Other);
        self.processor.touch(Access::Free);
        self.common.merge_histories();
        self.processor.spend(Work::Copy { bytes: (QuietHistory::BYTES * self.processor.count()) as u32 });
        self.processor.enter(before);
    }

    /// Makes a move at this ply. The caller keeps what comes back until the move is taken back.
    #[inline(always)]
    pub(super) fn make(&mut self, ply: usize, mv: Move) -> Made<B> {
        let before = if self.features.copy_make { Some(self.board.clone()) } else { None };
        let balance = self.plies[ply].balance.after(mv, self.board.turn());
        let next = &mut self.plies[ply + 1];
        (next.arrived_by, next.balance) = (Some(mv), balance);
        Made { undo: self.board.make(mv), before }
    }

    #[inline(always)]
    pub(super) fn take_back(&mut self, mv: Move, made: Made<B>) {
        match made.before {
            Some(before) => self.board = before,
            None => self.board.unmake(mv, made.undo),
        }
    }

    /// What the position at this ply is worth without looking ahead.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, ply: usize) -> Score {
        self.counters.evaluations += 1;
        self.processor.spend(Work::Evaluation);
        if self.features.incremental {
            self.plies[ply].balance.score(self.board.turn())
        } else {
            eval::evaluate(&self.board)
        }
    }

    /// What the side to move has in pieces other than pawns and king.
    #[inline(always)]
    pub(super) fn pieces_worth(&self) -> Score {
        let us = self.board.turn();
        let worth = |kind| self.board.count(Piece::new(us, kind)) as i32 * eval::value(kind).0;
        use PieceKind::{Bishop, Knight, Queen, Rook};
        Score(worth(Knight) + worth(Bishop) + worth(Rook) + worth(Queen))
    }

    /// The moves that a generator finds.
    #[inline(always)]
    pub(super) fn generate(&mut self, generator: impl FnOnce(&B, &mut MoveList), list: &mut MoveList) {
        self.counters.generations += 1;
        self.processor.spend(Work::Generation);
        generator(&self.board, list);
    }

    /// Remembers this position with a score from this ply. The caller has let others go first.
    #[inline(always)]
    pub(super) fn remember(&mut self, ply: usize, draft: i32, score: Score, bound: Bound, hint: Hint) {
        if !self.table.exists() {
            return;
        }
        self.counters.stores += 1;
        let stamp = Stamp::new(self.processor.id(), self.counters.stores);
        let entry = Entry { score: self.seen_from_position(score, bound, ply), draft: draft as u32, bound, hint };
        self.table.store(self.processor, self.board.key(), self.board.turn(), &entry, stamp);
    }

    /// A score from the root's view, as the position itself sees it: mates are counted from here.
    #[inline(always)]
    fn seen_from_position(&self, score: Score, bound: Bound, ply: usize) -> Score {
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

    /// The score of an entry, from the root's view.
    #[inline(always)]
    pub(super) fn seen_from_root(&self, entry: &Entry, ply: usize) -> Score {
        let score = entry.score;
        let is_mate = score.0.abs() > Score::LONGEST_MATE.0;
        if !is_mate || self.features.defect_mate_bounds && entry.bound != Bound::Exact {
            return score;
        }
        Score(score.0 - score.0.signum() * ply as i32)
    }

    /// Whether the search is over for this worker: stopped, or its result no longer wanted. Asking for the stop flag lets
    /// others who are behind go first, so a strategy may look at what is shared.
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

    /// The worker notices that its result has not been wanted since this moment.
    pub(crate) fn count_stop(&mut self, since: u64) {
        self.counters.stopped(self.processor.now().saturating_sub(since));
    }

    /// The search is over for all workers.
    #[cold]
    pub(crate) fn stop_all(&mut self) {
        self.processor.touch(Access::Free);
        self.common.stop_at(self.processor.now());
        self.processor.stop();
    }

    /// With the ledger: a node with draft left is entered. What comes back is for [`leave`](Self::leave).
    #[inline(always)]
    pub(super) fn enter(&mut self, node: &Node, is_lost: bool) -> Option<Entered> {
        self.common.ledger.is_some().then(|| self.enter_in_ledger(node, is_lost))
    }

    /// With the ledger: the node is left.
    #[inline(always)]
    pub(super) fn leave(&mut self, entered: Option<Entered>, has_result: bool) {
        if let Some(entered) = entered {
            self.leave_in_ledger(&entered, has_result);
        }
    }

    #[cold]
    fn enter_in_ledger(&mut self, node: &Node, is_lost: bool) -> Entered {
        let key = self.board.key();
        let ledger = self.common.ledger.as_ref();
        let loss = ledger.and_then(|ledger| ledger.enter(self.processor.id(), key, node.draft, is_lost));
        // The node itself has been counted.
        Entered { key, draft: node.draft, loss, nodes: self.counters.nodes() - 1, classed: self.classed }
    }

    #[cold]
    fn leave_in_ledger(&mut self, entered: &Entered, has_result: bool) {
        self.processor.touch(Access::Free);
        if let Some(ledger) = &self.common.ledger {
            ledger.leave(self.processor.id(), entered.key, entered.draft, has_result);
        }
        // Nodes below that have been entered themselves have their own class, or none.
        let below = self.counters.nodes() - entered.nodes;
        let own = below - (self.classed - entered.classed);
        self.classed = entered.classed + below;
        if let Some(loss) = entered.loss {
            self.counters.losses.add(loss, own);
        }
    }

    /// Whether the search is over, or a limit is reached. Asked at least once for each node that is counted, and cheap: it is
    /// looked at once in a few nodes, and limits when they may have been reached at the earliest. So nobody goes on for long
    /// whose result is not wanted any more, in quiescence neither.
    #[inline(always)]
    pub(super) fn is_at_limit(&mut self) -> bool {
        self.until_look -= 1;
        self.until_look == 0 && self.check_limits()
    }

    #[cold]
    fn check_limits(&mut self) -> bool {
        if self.is_over() {
            self.until_look = 1;
            return true;
        }
        let left = self.node_limit.saturating_sub(self.counters.nodes());
        self.until_look = left.clamp(1, NODES_BETWEEN_LOOKS);
        self.until_time = self.until_time.saturating_sub(1);
        if left > 0 && self.until_time > 0 {
            return false;
        }
        self.until_time = LOOKS_BETWEEN_TIMES;
        self.processor.touch(Access::Free);
        if left > 0 && self.processor.now() < self.common.limits.nanoseconds {
            return false;
        }
        self.stop_all();
        true
    }
}
