//! What workers that may leave their nodes tell each other: how much a split of one's stack is worth, who asks for one,
//! and which split points are in use.

use super::OpenNodes;
use super::split_point::{LEVELS, PointId};
use crate::chess::Board;
use crate::machine::{Access, Line, Processor};
use crate::sync::{AtomicU32, Ordering};

/// A worker's offer of a node to be split, and the request for it: words that all processors read and write.
#[repr(align(64))]
#[derive(Default)]
pub struct Desk {
    /// Worth of splitting the best node of its stack; 0 if there is none.
    offer: AtomicU32,
    /// Number of the processor that asks for a split, plus 1.
    request: AtomicU32,
    /// The worker's points that are in use, a bit each.
    used: AtomicU32,
    line: Line,
}

impl<B: Board> OpenNodes<B> {
    /// A point of this processor that is not in use, until [`free_point`](Self::free_point).
    pub(super) fn new_point<P: Processor>(&self, processor: &P) -> Option<PointId> {
        processor.touch(Access::Free);
        let used = &self.desks[processor.id()].used;
        // Acquire: pairs with `free_point`.
        let level = used.load(Ordering::Acquire).trailing_ones();
        if level as usize >= LEVELS {
            return None;
        }
        used.fetch_or(1 << level, Ordering::Relaxed);
        Some(PointId { owner: processor.id() as u32, level })
    }

    /// Gives a point back, whoever used it last.
    pub(super) fn free_point<P: Processor>(&self, processor: &P, id: PointId) {
        processor.touch(Access::Free);
        // Release: what was done there comes before its next use.
        self.desks[id.owner as usize].used.fetch_and(!(1 << id.level), Ordering::Release);
    }

    /// Has the processor with the best offer split a node. Whether there is none, or it has been asked and this one
    /// may sleep.
    pub(super) fn ask<P: Processor>(&self, processor: &P) -> bool {
        if self.desks.is_empty() {
            return true;
        }
        let others = self.members(processor).filter(|id| *id != processor.id());
        let best = others.map(|id| (self.desks[id].offer(processor), id)).max_by_key(|(offer, id)| (*offer, !*id));
        let Some((1.., id)) = best else { return true };
        let desk = &self.desks[id];
        processor.touch(Access::Write(&desk.line));
        desk.request.store(processor.id() as u32 + 1, Ordering::SeqCst);
        // Whoever takes the offer back looks for requests afterwards.
        desk.offer(processor) > 0
    }

    /// Takes back what a worker without work has offered, and wakes who asked for it.
    pub(super) fn give_up_desk<P: Processor>(&self, processor: &P) {
        let desk = &self.desks[processor.id()];
        desk.set_offer(processor, 0);
        Desk::answer(processor, desk.request.swap(0, Ordering::SeqCst));
    }
}

impl Desk {
    /// Says how much a split of this worker's is worth.
    pub(super) fn set_offer<P: Processor>(&self, processor: &P, rate: u32) {
        if self.offer.load(Ordering::Relaxed) != rate {
            processor.touch(Access::Write(&self.line));
            // Before looking who is idle, or who asks: see `OpenNodes::ask`.
            self.offer.store(rate, Ordering::SeqCst);
        }
    }

    fn offer<P: Processor>(&self, processor: &P) -> u32 {
        processor.touch(Access::Read(&self.line));
        // After saying that this processor is idle: see `set_offer`.
        self.offer.load(Ordering::SeqCst)
    }

    /// Takes a request away: the number of the processor that asks, plus 1, or 0.
    pub(super) fn take_request<P: Processor>(&self, processor: &P) -> u32 {
        processor.touch(Access::Read(&self.line));
        let asks = self.request.load(Ordering::SeqCst);
        if asks > 0 {
            processor.touch(Access::Write(&self.line));
            self.request.store(0, Ordering::Relaxed);
        }
        asks
    }

    /// Wakes who has asked, if anybody has.
    pub(super) fn answer<P: Processor>(processor: &P, asks: u32) {
        if asks > 0 {
            processor.unpark(asks as usize - 1);
        }
    }
}
