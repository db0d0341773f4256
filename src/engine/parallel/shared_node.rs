//! A node whose moves several workers search: the part that both protocols which share nodes keep behind a lock.

use crate::chess::{Board, Move, Score};
use crate::counts::{Account, Counters, Loss};
use crate::machine::Processor;
use crate::search::{Node, Picker, Place, Progress, Strategy, Verdict, Worker};

/// A node and what has been found there.
pub struct SharedNode {
    pub node: Node,
    pub progress: Progress,
    /// Moment at which the owner shared it.
    pub since: u64,
    /// Number of moves in the protocol's list that have been taken.
    pub next: usize,
    /// Number of legal moves that the owner had searched before.
    before: u32,
    /// Best line, if somebody has found a better one than the owner had.
    pub best_line: Vec<Move>,
    /// Number of moves that the owner searched before anybody else came: all are before those that came later.
    pub done_alone: usize,
    /// Places of the other moves that have been searched, with the work that each took.
    pub done: Vec<(usize, Account)>,
    /// At the root: each move that was searched, the effort it took, and what its score meant.
    pub efforts: Vec<(Move, u64, (Verdict, Score))>,
    /// Place of the move that cut.
    cutting: Option<usize>,
    /// Nodes below moves that were given up, or come after the one that cut.
    pub in_vain: i64,
    /// Work of all helpers that have left.
    pub by_helpers: Account,
    /// Nanoseconds that sharing the node has taken helpers that have left.
    pub cost_ns: u64,
    /// Nanoseconds that those helpers have spent at the node.
    pub stay_ns: u64,
}

impl SharedNode {
    /// Place for a node, with nothing shared yet.
    pub fn empty() -> Self {
        let node = Node::root(0, Score::DRAW, Score::DRAW, false);
        Self {
            node,
            progress: Progress::of(&node),
            since: 0,
            next: 0,
            before: 0,
            best_line: Vec::new(),
            done_alone: 0,
            done: Vec::new(),
            efforts: Vec::new(),
            cutting: None,
            in_vain: 0,
            by_helpers: Account::default(),
            cost_ns: 0,
            stay_ns: 0,
        }
    }

    /// Shares the worker's node. Its moves and position are still to be handed over, or have been.
    pub fn begin<B: Board, P: Processor, S: Strategy>(
        &mut self,
        worker: &mut Worker<'_, B, P, S>,
        node: &Node,
        progress: &Progress,
    ) {
        (self.node, self.progress, self.next, self.cutting) = (*node, *progress, 0, None);
        self.before = progress.searched;
        self.since = worker.processor.now();
        self.best_line.clear();
        self.done_alone = 0;
        self.done.clear();
        self.efforts.clear();
        self.by_helpers = Account::default();
        (self.cost_ns, self.stay_ns, self.in_vain) = (0, 0, 0);
    }

    /// Place of a listed move among all legal moves of the node, if all that are left are listed.
    pub fn place(&self, listed: usize) -> Place {
        Place::later(self.before + listed as u32)
    }

    /// Notes that the move at this place has cut: what was done for later ones was of no use.
    pub fn cut(&mut self, place: usize, counters: &mut Counters) {
        self.cutting = Some(place);
        let later = self.done.iter().filter(|(done, _)| *done > place);
        for (_, account) in later {
            counters.losses.claim(account, Loss::Useless);
            self.in_vain += account.nodes;
        }
        let earlier = self.done_alone + self.done.iter().filter(|(done, _)| *done < place).count();
        counters.saved_moves += place.saturating_sub(earlier) as u64;
    }

    /// Whether a move at this place is of no use, since an earlier one has cut.
    pub fn is_useless(&self, place: usize) -> bool {
        self.cutting.is_some_and(|cutting| place > cutting)
    }

    /// Nodes that need not have been searched, if a move has cut.
    pub fn superfluous(&self) -> Option<u64> {
        self.progress.cut.map(|_| u64::try_from(self.in_vain).unwrap_or(0))
    }

    /// Tells the owner the best line, and at the root the efforts.
    pub fn tell_owner<B: Board, P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>) {
        if !self.best_line.is_empty() {
            worker.lines.set(self.node.ply, &self.best_line);
        }
        for (mv, effort, outcome) in &self.efforts {
            worker.set_root_effort(*mv, *effort, *outcome);
        }
    }
}

/// Lists the legal moves that are left at a node, after those listed already.
pub fn list_legal_moves<B: Board, P: Processor, S: Strategy>(
    worker: &mut Worker<'_, B, P, S>,
    node: &Node,
    picker: &mut Picker,
    moves: &mut Vec<Move>,
) {
    while let Some(mv) = worker.pick(picker) {
        if node.in_check || worker.board.is_legal(mv, false) {
            moves.push(mv);
        }
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Makes a line of this move at a ply and of the best line after it.
    pub(super) fn write_line(&self, line: &mut Vec<Move>, ply: usize, mv: Move) {
        line.clear();
        line.push(mv);
        line.extend(self.lines.from(ply + 1));
    }
}
