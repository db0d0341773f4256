//! The owner's side: opening a node, working there like everybody else, waiting for those who are still there, and
//! taking the result.

use super::split_point::{PointId, Seat};
use super::state::State;
use super::{OpenNodes, Protocol};
use crate::chess::{Board, History, Move};
use crate::machine::{Activity, Processor, Work};
use crate::search::{Begun, End, MAX_PLY, Node, Picker, Place, Progress, Role, Sharing, Strategy, Team, Worker};

/// Least number of moves that are worth a split point.
const FEWEST_MOVES: usize = 2;

/// Time after which somebody in a stopped search looks again whether the others have left, in nanoseconds of the
/// virtual machine.
pub(super) const BETWEEN_LOOKS: u32 = 100;

impl<T: Team> Protocol<'_, '_, T> {
    /// Opens a node and searches the rest of it together with whoever comes.
    pub(super) fn share(&mut self, node: &Node, progress: &mut Progress, picker: &mut Picker) -> Option<Sharing> {
        let processor = self.worker.processor;
        let level = self.place.level.get();
        let id = PointId { owner: processor.id() as u32, level };
        let mut split = self.worker.begin_split();
        let begun = if picker.is_empty() { None } else { self.open(id, node, progress, picker) };
        let Some(begun) = begun else {
            return Some(Sharing::NotAtAll);
        };
        self.worker.has_split(&mut split);
        let above = self.place.sit_down(id, node);
        self.place.level.set(level + 1);
        loop {
            self.work_at(id, node);
            if !self.wait_for_helpers(id) {
                break;
            }
        }
        self.place.level.set(level);
        self.place.go_back(above);

        let state = processor.lock(&self.nodes.point(id).state);
        *progress = state.shared.progress;
        self.worker.end_split(split, &state.shared, state.joined, state.joined == 0);
        state.shared.tell_owner(self.worker);
        let is_known = progress.cut.is_some() || !state.is_broken;
        drop(state);
        self.worker.end_job(begun, node, End::of(progress, is_known));
        is_known.then_some(Sharing::Completely)
    }

    /// Fills a split point and opens it. `None`: there are too few moves left that will be searched. The picker has no
    /// other moves any more.
    fn open(&mut self, id: PointId, node: &Node, progress: &mut Progress, picker: &mut Picker) -> Option<Begun> {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let before = processor.enter(Activity::Split);
        let point = nodes.point(id);
        let copying = &self.policy.teamwork().copying;
        let unpacked = (!copying.copier.locks_owner()).then_some(self.worker.counters.times);
        let pack = |worker: &mut Worker<'_, _, _, _>| point.handover.pack(worker, node.ply, copying, 0).pass(worker);
        if !copying.copier.locks_owner() {
            pack(self.worker);
        }
        let mut held = processor.lock(&point.state);
        let locked = processor.tick();
        let state = &mut *held;
        state.moves.clear();
        let number = self.list(&mut state.moves, node, progress, picker);
        if state.moves.len() < FEWEST_MOVES {
            progress.searched = state.moves.first().map_or(number, |(_, place)| place.number);
            state.moves.iter().for_each(|(mv, _)| self.worker.put_back(picker, *mv));
            drop(held);
            if let Some(unpacked) = unpacked {
                self.worker.counters.waste_packs_since(&unpacked, node.kind());
            }
            processor.enter(before);
            return None;
        }
        let helpers_wanted = (state.moves.len() - 1).min(self.policy.most_helpers(nodes.team) as usize);
        self.worker.counters.splits.make(node.kind(), progress.searched);
        state.shared.begin(self.worker, node, progress);
        let begun = self.worker.begin_job(Role::Own, processor.id(), state.shared.since);
        if copying.copier.locks_owner() {
            pack(self.worker);
        }
        self.open_point(state, id, node, progress, self.place.at.get());
        drop(held);
        let unlocked = processor.tick();
        let missing = nodes.idle(processor).call(processor, helpers_wanted);
        if self.policy.teamwork().helpful_master {
            nodes.call_masters(processor, id, missing);
        }
        self.worker.count_opened(locked, unlocked);
        processor.enter(before);
        Some(begun)
    }

    /// Lists the moves that are left at a node and will be searched. Returns the number of the next legal one.
    pub(super) fn list(
        &mut self,
        moves: &mut Vec<(Move, Place)>,
        node: &Node,
        progress: &Progress,
        picker: &mut Picker,
    ) -> u32 {
        let mut number = progress.searched;
        while let Some(listed) = self.worker.pick_to_search(node, progress.alpha, &mut number, picker) {
            moves.push(listed);
        }
        number
    }

    /// Opens a point that has been filled, below this seat. The caller has its lock: one who remembers an older rate
    /// may join, take the last move and close the point at once.
    pub(super) fn open_point(
        &self,
        state: &mut State,
        id: PointId,
        node: &Node,
        progress: &Progress,
        above: Option<Seat>,
    ) {
        let processor = self.worker.processor;
        (state.is_open, state.is_broken) = (true, false);
        (state.helpers, state.joined, state.researching) = (0, 0, 0);
        state.given_back.clear();
        self.nodes.point(id).renew(progress.alpha, above);
        processor.spend(Work::Split);
        state.open_since = processor.now();
        self.rate(id, node, 0);
    }

    /// Waits until the helpers of the owner's point have left, and helps below it meanwhile if that is allowed. Returns
    /// whether there are moves to search again.
    fn wait_for_helpers(&mut self, id: PointId) -> bool {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let point = nodes.point(id);
        // Readings of a real clock take longer than to see that nobody is there.
        if !T::Processor::IS_VIRTUAL {
            let mut state = processor.lock(&point.state);
            if state.helpers == 0 && !state.gives_moves() {
                nodes.close(processor, id, &mut state);
                return false;
            }
        }
        let before = processor.enter(Activity::Wait);
        self.place.free_since.set(processor.now());
        // Where it was, once it has left to help.
        let mut home = None;
        let has_work = loop {
            let mut state = processor.lock(&point.state);
            let has_work = state.gives_moves() && !state.is_broken;
            let is_empty = state.helpers == 0;
            if !has_work && state.researching == 0 || is_empty {
                nodes.close(processor, id, &mut state);
            }
            drop(state);
            if has_work || is_empty {
                break has_work;
            }
            nodes.set_owner_waits(processor, id, true);
            if self.policy.teamwork().helpful_master {
                let is_wanted = !processor.is_stopped() && nodes.cut_at(self.place.at.get()).is_none();
                let work = if is_wanted { nodes.look_for_work(processor, Some(id)) } else { None };
                if let Some(work) = work {
                    nodes.set_owner_waits(processor, id, false);
                    home.get_or_insert_with(|| Home::of(self.worker));
                    self.join(work, Some(id));
                    continue;
                }
            }
            processor.park("helpers");
            nodes.set_owner_waits(processor, id, false);
            if processor.is_stopped() {
                // Nobody sleeps any more; the helpers see the stop and leave, and only then the point is free.
                processor.spend(Work::Nanoseconds(BETWEEN_LOOKS));
                if !T::Processor::IS_VIRTUAL {
                    std::thread::yield_now();
                }
            }
        };
        if let Some(home) = home {
            home.restore(self.worker);
        }
        processor.enter(before);
        has_work
    }
}

impl<B: Board> OpenNodes<B> {
    /// Calls owners that wait above a point.
    pub(super) fn call_masters<P: Processor>(&self, processor: &P, id: PointId, wanted: usize) {
        let waiting = self.above(id).filter(|id| self.point(*id).owner_waits(processor));
        for id in waiting.take(wanted) {
            processor.unpark(id.owner as usize);
        }
    }
}

/// Position to which an owner comes back from helping. All else that it knows of the line to it, a position below
/// agrees with.
struct Home<B> {
    board: B,
    past: History,
}

impl<B: Board> Home<B> {
    fn of<P: Processor, S: Strategy>(worker: &mut Worker<'_, B, P, S>) -> Self {
        let elsewhere = History::with_capacity(2 * MAX_PLY);
        Self { board: worker.board.clone(), past: std::mem::replace(&mut worker.past, elsewhere) }
    }

    fn restore<P: Processor, S: Strategy>(self, worker: &mut Worker<'_, B, P, S>) {
        worker.board = self.board;
        worker.past = self.past;
    }
}
