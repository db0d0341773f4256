//! Open nodes: owners publish what is worth sharing, and processors without work choose.
//!
//! An owner that has searched a node's eldest brothers may *open* the node: it fills a split point of its own with position,
//! window and the legal moves that are left, gives it a rate, and goes on with the moves as one worker among others. It calls
//! some who sleep and waits for nobody. A processor without work looks at the rates of its neighbours, without a lock, takes the best,
//! and *joins*: under the point's lock it is counted in and copies what it needs. So there is no central lock, no idle test
//! in the owner, and late joining is the only kind of joining.
//!
//! At the point everybody does the same: take the next move under the lock, search it by `Worker::brother` with the alpha
//! that all share, report under the lock. Whoever takes the last move or cuts closes the point. A cut sets a flag; whoever
//! works below walks up the chain of points at every node, and comes back without a result. A helper that leaves counts
//! itself out and calls the owner if it was the last; it touches the point no more, for the owner may use it again. The owner
//! waits until nobody is left, and takes the result. Meanwhile it may help below its own point, and only there, so that it is
//! back as soon as its node is done.
//!
//! At a node with an open window a move may turn out to be better than alpha, and is then searched again with the open window.
//! Its brothers would have a higher alpha after that, and be refuted more cheaply. So they may be *given back* meanwhile:
//! whoever searches one is sent away, by the same walk that notices a cut, and can help with the new best move instead; when
//! that has its score the point is open again.
//!
//! A search that was stopped from above leaves the point broken: unless a move had cut, its result is not known, and the
//! owner comes back without one, as somebody above it wants none.
//!
//! What is published when, is a [`Policy`]: root splitting, splitting along the principal variation, and young brothers wait
//! differ in nothing else.

mod helper;
mod idle;
mod moves;
mod owner;
mod split_point;

use std::sync::atomic::{AtomicBool, Ordering};

use super::handover::Copy;
use super::{AnyStrategy, Common, Way};
use crate::chess::Board;
use crate::machine::{Access, Processor};
use crate::search::{Histories, Killers, MAX_PLY, Node, Picker, Progress, Shared, Worker};
use crate::settings::Settings;
use idle::Idle;
use split_point::{LEVELS, NO_ROUND, Point, PointId, Rates, Seat};

/// Which nodes are opened, and which of them a processor without work prefers.
pub(crate) trait Policy: Settings + Default {
    /// Whether to open a node with so many moves left, illegal ones included.
    fn opens(&self, node: &Node, progress: &Progress, left: usize, processors: usize) -> bool;

    /// How much it is worth joining when so many helpers are there already, at least 1.
    fn rate(&self, node: &Node, _helpers: u32) -> u32 {
        // Large subtrees first: a helper is longer busy with them.
        node.plies().max(0) as u32 + 1
    }

    /// How many helpers may be at one node.
    fn most_helpers(&self, _processors: usize) -> u32 {
        u32::MAX
    }

    /// How owners and helpers deal with each other.
    fn manners(&self) -> Manners;
}

impl<T: Policy> Way for T {
    const SHARES_NODES: bool = true;

    fn histories(&self) -> Histories {
        self.manners().histories
    }

    fn shared<B: Board>(&self, workers: usize) -> Common<B> {
        Common { open: OpenNodes::new(workers), ..Common::default() }
    }

    fn run<B: Board, P: Processor>(&self, worker: Own<'_, '_, B, P>) {
        if worker.processor.id() == 0 {
            worker.think();
            end(&worker.shared.open, worker.processor);
        } else {
            helper::serve(worker, self);
        }
    }

    fn share<B: Board, P: Processor>(
        &self,
        worker: Own<'_, '_, B, P>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Shared> {
        owner::share(worker, self, node, progress, picker)
    }

    #[inline(always)]
    fn opens_window<B: Board, P: Processor>(&self, worker: Own<'_, '_, B, P>, node: &Node) {
        if self.manners().gives_back {
            moves::send_others_away(worker, node);
        }
    }
}

/// How owners and helpers deal with each other, whichever nodes are opened.
#[derive(Clone, Copy, Debug)]
pub struct Manners {
    /// Who uses which history of quiet moves.
    pub histories: Histories,
    /// How a position reaches a helper.
    pub copy: Copy,
    /// With which killers a helper begins.
    pub killers: Killers,
    /// Whether an owner that waits helps below its own node.
    pub helpful_master: bool,
    /// Whether moves are given back while a better one is searched with the open window.
    pub gives_back: bool,
}

/// What all workers share.
pub struct OpenNodes<B: Board> {
    /// A row of split points for each worker.
    points: Vec<Vec<Point<B>>>,
    rates: Vec<Rates>,
    idle: Idle,
    is_over: AtomicBool,
}

/// What each worker keeps.
#[derive(Default)]
pub struct Place {
    /// The point it works at, with all points above.
    at: Option<Seat>,
    /// The ply of that point's node.
    ply: usize,
    /// How many of its own points are open or waited for.
    level: u32,
}

/// No point has more above it.
const MOST_NESTED: usize = MAX_PLY;

type Own<'a, 'b, B, P> = &'a mut Worker<'b, B, P, AnyStrategy>;

impl<B: Board> OpenNodes<B> {
    /// No node is open.
    pub fn new(workers: usize) -> Self {
        Self {
            points: (0..workers).map(|_| (0..LEVELS).map(|_| Point::closed()).collect()).collect(),
            rates: (0..workers).map(|_| Rates::closed()).collect(),
            idle: Idle::new(workers),
            is_over: AtomicBool::new(false),
        }
    }

    fn point(&self, id: PointId) -> &Point<B> {
        &self.points[id.owner as usize][id.level as usize]
    }

    fn set_rate<P: Processor>(&self, processor: &P, id: PointId, rate: u32) {
        self.rates[id.owner as usize].set(processor, id.level, rate);
    }

    /// Since when the result of the point, or of one above it, is not wanted any more.
    #[inline]
    pub fn cut_at(&self, place: &Place) -> Option<u64> {
        self.cut_at_or_above(place.at)
    }

    fn cut_at_or_above(&self, mut next: Option<Seat>) -> Option<u64> {
        while let Some(seat) = next {
            let point = self.point(seat.id);
            let cut_at = point.cut_at().or_else(|| point.sent_away_at(seat.round));
            if cut_at.is_some() {
                return cut_at;
            }
            next = point.above();
        }
        None
    }

    /// All points above one.
    fn above(&self, id: PointId) -> impl Iterator<Item = PointId> + '_ {
        // On threads a chain may be read while it changes; then it must still come to an end.
        let seats = std::iter::successors(self.point(id).above(), |seat| self.point(seat.id).above());
        seats.take(MOST_NESTED).map(|seat| seat.id)
    }

    /// Whether a point lies below another. Only to be relied on while the lower one cannot be closed.
    fn is_below(&self, id: PointId, above: PointId) -> bool {
        self.above(id).any(|parent| parent == above)
    }
}

impl Place {
    /// Begins work at a point. Returns where it was.
    fn sit_down(&mut self, id: PointId, node: &Node) -> (Option<Seat>, usize) {
        let before = (self.at, self.ply);
        (self.at, self.ply) = (Some(Seat { id, round: NO_ROUND }), node.ply);
        before
    }

    fn go_back(&mut self, before: (Option<Seat>, usize)) {
        (self.at, self.ply) = before;
    }

    /// From now on it searches a move with a null window that it took in this round, or with the open window.
    fn set_round(&mut self, round: u32) {
        if let Some(seat) = &mut self.at {
            seat.round = round;
        }
    }
}

/// The first processor has its answer.
fn end<B: Board, P: Processor>(nodes: &OpenNodes<B>, processor: &P) {
    processor.touch(Access::Free);
    nodes.is_over.store(true, Ordering::SeqCst);
    for id in (0..processor.count()).filter(|id| *id != processor.id()) {
        processor.unpark(id);
    }
}
