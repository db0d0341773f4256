//! What a worker asks about the points above its own: whether its result is still wanted, at every node, and whether
//! somebody there waits for work, at nodes that are opened only then.
//!
//! Both mean a walk up the points, so one word is asked first. On a machine of few processors *alarms* are counted: a
//! worker need not walk again before somebody has cut a point or sent workers away. Each alarm makes all fetch the word
//! again, and where there are many processors there are many alarms: those walk every time. Whether anybody of the team
//! waits at all is told by its word of idle processors, which counts owners that wait, too.

use super::split_point::{PointId, Seat};
use super::{OpenNodes, Place};
use crate::chess::Board;
use crate::machine::Processor;
use crate::search::{MAX_PLY, Strategy, Worker};
use crate::sync::Ordering;

/// Greatest number of points above a point.
const MOST_NESTED: usize = MAX_PLY;
/// Number of processors up to which alarms are counted.
pub(super) const MOST_ALARMED: usize = 4;

/// Whether the result of work at this place is not wanted. Never inlined: the search would contain it once per policy.
#[inline(never)]
pub(super) fn is_cut_off_at<B: Board, P: Processor, S: Strategy>(
    place: &Place,
    nodes: &OpenNodes<B>,
    worker: &mut Worker<'_, B, P, S>,
) -> bool {
    let alarms = nodes.alarms();
    let Some(since) = nodes.cut_at(place.at.get()) else {
        if nodes.has_alarm {
            place.calm_until.set(alarms + 1);
        }
        return false;
    };
    worker.count_stop(since);
    true
}

impl<B: Board> OpenNodes<B> {
    /// Moment since which nobody wants the result of work at this seat, because of its point or of one above.
    #[inline]
    pub(super) fn cut_at(&self, mut next: Option<Seat>) -> Option<u64> {
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

    /// Points above this one, the nearest first.
    pub(super) fn above(&self, id: PointId) -> impl Iterator<Item = PointId> + '_ {
        // On threads a chain may be read while it changes; then it must still come to an end.
        let seats = std::iter::successors(self.point(id).above(), |seat| self.point(seat.id).above());
        seats.take(MOST_NESTED).map(|seat| seat.id)
    }

    /// Whether somebody waits for work at a node below this seat: one who has nothing to do, or the owner of a point
    /// above.
    pub(super) fn is_asked<P: Processor>(&self, processor: &P, seat: Option<Seat>) -> bool {
        let points = || seat.into_iter().flat_map(|seat| std::iter::once(seat.id).chain(self.above(seat.id)));
        self.idle(processor).is_any(processor) || points().any(|id| self.point(id).owner_waits(processor))
    }

    /// Whether nobody of a processor's team waits for work or for helpers, as far as one word tells that is mostly in
    /// this processor's cache. One who has just begun to wait may be missed: it is seen at the next node.
    #[inline(always)]
    pub(super) fn seems_busy<P: Processor>(&self, processor: &P) -> bool {
        !self.idle(processor).seems_wanted()
    }

    /// Number of alarms so far.
    #[inline(always)]
    pub(super) fn alarms(&self) -> u64 {
        // Acquire: pairs with `alarm`.
        self.alarms.load(Ordering::Acquire)
    }

    /// Tells all workers to look whether their results are still wanted, after a point was cut or workers were sent
    /// away.
    pub(super) fn alarm(&self) {
        if self.has_alarm {
            // Release: whoever sees the alarm sees its reason.
            self.alarms.fetch_add(1, Ordering::Release);
        }
    }

    /// Says that the owner of a point is about to sleep until its helpers have left, or that it has woken.
    pub(super) fn set_owner_waits<P: Processor>(&self, processor: &P, id: PointId, waits: bool) {
        self.idle(processor).count_owner(processor, waits);
        self.point(id).set_owner_waits(processor, waits);
    }

    /// Whether a point lies below another. Only to be relied on while the lower one cannot be closed.
    pub(super) fn is_below(&self, id: PointId, above: PointId) -> bool {
        self.above(id).any(|parent| parent == above)
    }
}
