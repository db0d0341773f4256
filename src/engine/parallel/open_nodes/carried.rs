//! Nodes without owners: a processor without work has another one split any node of its stack, and whoever is the last
//! to leave a node carries the result up and goes on above, so that nobody waits.
//!
//! A worker has a *base*, the move that it searches at a point, and frames for the nodes below that nobody else knows
//! of. One of these nodes becomes a point when somebody has nothing to do: then its frame and all above it go into the
//! point, together with the worker's base, and the move that is being searched there becomes the new base. When a
//! point gives no more moves, a worker leaves, for good, unless it is the last one: that takes the frames and the base
//! out of the point and goes on with them as if they were its own. The root is a point from the beginning.

use std::ops::ControlFlow::{Break, Continue};
use std::sync::PoisonError;

use super::desk::Desk;
use super::moves::Report;
use super::owner::BETWEEN_LOOKS;
use super::split_point::{Base, PointId, Seat, SharedWindow};
use super::{OpenNodes, Opens, Protocol};
use crate::chess::{Board, Move};
use crate::counts::Account;
use crate::machine::{Access, Activity, Processor, Tick, Work};
use crate::search::{Begun, Below, End, Frame, Node, Picker, Place, Progress, Role, Sharing, Team};
use crate::sync::Ordering;

/// A worker at a point.
struct Hand<B: Board> {
    id: PointId,
    node: Node,
    base: Option<Base<B>>,
    /// Account of the worker when it came.
    since: Account,
    /// The part in the timeline that ends when the worker leaves; none if it came with a result from below, or is
    /// alone.
    begun: Option<Begun>,
    /// Reading of the clock when it came, and nanoseconds that it and others have spent below the node before that.
    from: Tick,
    stay_ns: u64,
    /// Whether the worker has joined, and not taken a move yet.
    has_come: bool,
    frames: Vec<Frame<B>>,
    /// Frame that is offered to be split.
    offered: Option<usize>,
    /// Whether idle processors may not know of the offer.
    is_news: bool,
}

impl<T: Team> Protocol<'_, '_, T> {
    /// Searches the root as a point. Whoever is the last there, the caller takes the result.
    pub(super) fn share_root(&mut self, node: &Node, progress: &mut Progress, picker: &mut Picker) -> Option<Sharing> {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let before = processor.enter(Activity::Split);
        let from = processor.tick();
        let id = nodes.new_point(processor)?;
        let point = nodes.point(id);
        let mut state = processor.lock(&point.state);
        state.shared.moves.clear();
        state.shared.places.clear();
        self.list(&mut state.shared, node, progress, picker);
        let Some(mv) = state.shared.moves.first().copied() else {
            drop(state);
            nodes.free_point(processor, id);
            processor.enter(before);
            return Some(Sharing::NotAtAll);
        };
        state.shared.begin(self.worker, node, progress);
        if nodes.team > 1 {
            self.pack(id, node);
        }
        self.open_point(&mut state, id, node, progress, None);
        // The eldest is searched alone, like a move that is searched again.
        let (listed, _) = state.take()?;
        let place = state.shared.place(listed);
        state.researching = 1;
        nodes.set_rate(processor, id, 0);
        drop(state);
        point.carried.lock().unwrap_or_else(PoisonError::into_inner).above = None;
        nodes.set_root_is_done(processor, false);
        let shared = processor.now();
        let begun = (nodes.team > 1).then(|| {
            self.worker.counters.splits.make(node.kind(), progress.searched);
            self.worker.begin_job(Role::Own, processor.id(), shared)
        });
        let mut hand = self.sit_at(id, node, begun, from);
        hand.has_come = false;
        processor.enter(Activity::Search);
        self.carry(&mut hand, Some((listed, place, mv)));
        self.wait_for_root();
        self.worker.go_to_root();

        let state = processor.lock(&point.state);
        *progress = state.shared.progress;
        self.worker.for_this_worker += state.shared.by_helpers;
        state.shared.tell_owner(self.worker);
        let is_known = progress.cut.is_some() || !state.is_broken;
        drop(state);
        nodes.free_point(processor, id);
        processor.enter(before);
        is_known.then_some(Sharing::Completely)
    }

    /// Helps wherever it can until the root is done.
    fn wait_for_root(&mut self) {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        processor.enter(Activity::Idle);
        self.place.free_since.set(processor.now());
        let mut in_vain = 0;
        while !nodes.root_is_done(processor) {
            if processor.is_stopped() {
                // Nobody sleeps any more; the others see the stop and leave, or have failed, and then so does this one.
                processor.park("the root");
                processor.spend(Work::Nanoseconds(BETWEEN_LOOKS));
                if !T::Processor::IS_VIRTUAL {
                    std::thread::yield_now();
                }
                continue;
            }
            self.help_or_sleep(&mut in_vain);
        }
    }

    /// Works at a point that it has joined, and wherever that leads.
    pub(super) fn work_from(&mut self, id: PointId, node: &Node, shared: u64, from: Tick) {
        let begun = Some(self.worker.begin_job(Role::Help, id.owner as usize, shared));
        let mut hand = self.sit_at(id, node, begun, from);
        self.carry(&mut hand, None);
    }

    fn sit_at(&mut self, id: PointId, node: &Node, begun: Option<Begun>, from: Tick) -> Hand<T::Board> {
        self.place.sit_down(id, node);
        Hand {
            id,
            node: *node,
            base: None,
            since: self.worker.account(),
            begun,
            from,
            stay_ns: 0,
            has_come: true,
            frames: Vec::new(),
            offered: None,
            is_news: false,
        }
    }

    /// Nanoseconds that have been spent for the node of a hand and are not counted there.
    fn stay(&self, hand: &Hand<T::Board>) -> u64 {
        hand.stay_ns + self.worker.processor.between(hand.from, self.worker.processor.tick())
    }

    /// Takes moves at a point and searches them; who is the last there goes on above. Ends where others are left.
    fn carry(&mut self, hand: &mut Hand<T::Board>, mut first: Option<(usize, Place, Move)>) {
        let mut report = None;
        let mut below = Break(None);
        loop {
            let processor = self.worker.processor;
            let Some(base) = &mut hand.base else {
                let next = match first.take() {
                    Some(first) => Some(first),
                    None => self.next_move(hand.id, &hand.node, report.take()),
                };
                let Some((listed, place, mv)) = next else {
                    match self.leave(hand) {
                        Some(carried) => below = carried,
                        None => return,
                    }
                    continue;
                };
                if std::mem::take(&mut hand.has_come) {
                    let join_ns = self.stay(hand);
                    self.worker.counters.times.joined(Some(join_ns), join_ns);
                    self.worker.counters.spend(hand.node.kind(), join_ns, 0);
                }
                if hand.node.ply == 0 {
                    self.worker.tell_root_step(mv, place.number + 1);
                }
                let window = SharedWindow { point: self.nodes.point(hand.id), processor };
                let before = self.worker.account();
                match self.worker.begin_trial(&hand.node, &window, mv, place) {
                    Some((trial, child)) => {
                        hand.base = Some(Base { listed, trial, before });
                        below = Continue(child);
                    }
                    None => {
                        let score = Some(crate::search::Window::alpha(&window));
                        report = Some(Report { mv, place: listed, score, account: Account::default() });
                    }
                }
                continue;
            };
            if let (Break(score), true) = (&below, hand.frames.is_empty()) {
                let window = SharedWindow { point: self.nodes.point(hand.id), processor };
                below = self.worker.go_on(&mut base.trial, &hand.node, &window, *score);
                if let Break(score) = below {
                    let account = self.worker.account() - base.before;
                    report = Some(Report { mv: base.trial.mv, place: base.listed, score, account });
                    hand.base = None;
                }
            } else {
                if self.nodes.team > 1 && below.is_continue() {
                    processor.spend(Work::StackedNode);
                }
                below = self.worker.step(&mut hand.frames, below);
                if self.nodes.team > 1 {
                    self.look_around(hand, below.is_continue());
                }
            }
        }
    }

    /// Leaves a point that gives no more moves. The last one there goes on above, with the result of the node.
    fn leave(&mut self, hand: &mut Hand<T::Board>) -> Option<Below> {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let Hand { id, node, .. } = *hand;
        let before = processor.enter(Activity::Split);
        let point = nodes.point(id);
        let account = self.worker.account() - hand.since;
        self.worker.for_this_worker -= account;
        if std::mem::take(&mut hand.has_come) {
            // The others have taken all moves meanwhile.
            let join_ns = self.stay(hand);
            self.worker.counters.times.joined(None, join_ns);
            self.worker.counters.spend(node.kind(), join_ns, 0);
        }
        let stay_ns = self.stay(hand);
        let mut state = processor.lock(&point.state);
        state.shared.by_helpers += account;
        state.shared.stay_ns += stay_ns;
        let progress = state.shared.progress;
        let is_known = progress.cut.is_some() || !state.is_broken;
        let end = match (progress.cut, is_known) {
            (Some(_), _) => End::Cut,
            (None, true) => End::Done,
            (None, false) => End::Stopped,
        };
        self.end_part(hand, end);
        let is_last = state.helpers == 0;
        if !is_last {
            state.helpers -= 1;
            if state.is_open && state.researching == 0 {
                self.rate(id, &node, state.helpers);
            }
            drop(state);
            self.place.at.set(None);
            nodes.give_up_desk(processor);
            self.place.free_since.set(processor.now());
            processor.enter(before);
            return None;
        }
        nodes.close(processor, id, &mut state);
        let by_helpers = state.shared.by_helpers;
        if nodes.team > 1 {
            self.worker.counters.splits.close(node.kind(), state.joined, state.joined == 0, progress.cut.is_some());
            self.worker.counters.spend(node.kind(), 0, state.shared.stay_ns);
        }
        let mut carried = point.carried.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((seat, above, mut base)) = carried.above.take() else {
            drop(carried);
            drop(state);
            self.place.at.set(None);
            nodes.give_up_desk(processor);
            nodes.set_root_is_done(processor, true);
            processor.enter(before);
            return None;
        };
        if carried.by != processor.id() {
            processor.touch(Access::Copy { bytes: carried.trunk.bytes() as u32 });
        }
        self.worker.take_over(&mut hand.frames, &mut carried.trunk);
        if !state.shared.best_line.is_empty() {
            self.worker.lines.set(node.ply, &state.shared.best_line);
        }
        let (mut spent, mut on_move) = carried.spent;
        (hand.from, hand.stay_ns) = (processor.tick(), carried.stay_ns + state.shared.stay_ns);
        drop(carried);
        drop(state);
        nodes.free_point(processor, id);
        spent += by_helpers;
        on_move += by_helpers;
        hand.since = self.worker.account();
        self.worker.for_this_worker += spent;
        let now = self.worker.account();
        base.before = now - on_move;
        base.trial.before = base.trial.before.map(|so_far| now - so_far - by_helpers);
        (hand.id, hand.node, hand.base, hand.offered) = (seat.id, above, Some(base), None);
        self.place.at.set(Some(seat));
        self.place.ply.set(above.ply);
        processor.enter(before);
        let frame = hand.frames.last_mut().expect("a point lies below a frame");
        let Break(score) = self.worker.end(frame, is_known.then_some(progress)) else {
            unreachable!("a node ends with a result or without")
        };
        let below = Break(self.worker.pop(&mut hand.frames, score));
        if nodes.team > 1 {
            self.offer_best(hand);
        }
        Some(below)
    }

    /// Ends the worker's part at its point, if it has one there.
    fn end_part(&mut self, hand: &mut Hand<T::Board>, end: End) {
        if let Some(begun) = hand.begun.take() {
            self.worker.end_job(begun, &hand.node, end);
        }
    }

    /// Offers the best node of the stack, and splits it if somebody wants that.
    fn look_around(&mut self, hand: &mut Hand<T::Board>, may_split: bool) {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let desk = &nodes.desks[processor.id()];
        if hand.offered.is_some_and(|at| at >= hand.frames.len()) {
            self.offer(hand, None);
        }
        if !may_split {
            return;
        }
        // Only the node on top has changed.
        let Some(top) = hand.frames.len().checked_sub(1) else { return };
        if hand.offered.is_none_or(|at| at == top) {
            let may_split = self.may_split(&hand.frames[top]);
            self.offer(hand, Some(top).filter(|_| may_split));
        }
        let asks = desk.take_request(processor);
        if asks == 0 && !(std::mem::take(&mut hand.is_news) && nodes.idle(processor).is_any(processor)) {
            return;
        }
        let mut is_split = false;
        while let Some(at) = hand.offered
            && (!is_split || nodes.idle(processor).is_any(processor))
        {
            let is_one_more = self.split(hand, at);
            // What is left may be offered, too.
            self.offer_best(hand);
            if !is_one_more {
                break;
            }
            is_split = true;
        }
        if !is_split {
            Desk::answer(processor, asks);
        }
    }

    /// Offers the best node of the stack.
    fn offer_best(&mut self, hand: &mut Hand<T::Board>) {
        let best = (0..hand.frames.len()).find(|at| self.may_split(&hand.frames[*at]));
        self.offer(hand, best);
    }

    fn offer(&mut self, hand: &mut Hand<T::Board>, at: Option<usize>) {
        hand.is_news = at.is_some();
        hand.offered = at;
        let rate = at.map_or(0, |at| self.policy.rate(&hand.frames[at].node, 0));
        self.nodes.desks[self.worker.processor.id()].set_offer(self.worker.processor, rate);
    }

    /// Whether a node may be split now.
    fn may_split(&self, frame: &Frame<T::Board>) -> bool {
        let Some((_, mut progress)) = frame.present() else { return false };
        // The move that is being searched has not been waited for.
        progress.searched -= 1;
        !frame.picker.is_empty() && self.policy.opens(&frame.node, &progress, self.nodes.team, None) != Opens::Never
    }

    /// Makes a point of a node of the stack. Whether that had moves left.
    fn split(&mut self, hand: &mut Hand<T::Board>, at: usize) -> bool {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let Some((mv, progress)) = hand.frames[at].present().filter(|_| self.may_split(&hand.frames[at])) else {
            return false;
        };
        let Some(id) = nodes.new_point(processor) else { return false };
        let before = processor.enter(Activity::Split);
        let from = processor.tick();
        let away = self.worker.climb_to(&hand.frames, at);
        let point = nodes.point(id);
        let packs_first = !self.policy.teamwork().copying.copier.locks_owner();
        let unpacked = self.worker.counters.times;
        if packs_first {
            self.pack(id, &hand.frames[at].node);
        }
        let mut state = processor.lock(&point.state);
        let frame = &mut hand.frames[at];
        let node = frame.node;
        state.shared.moves.clear();
        state.shared.places.clear();
        let number = progress.searched - 1;
        state.shared.moves.push(mv);
        state.shared.places.push(Place { number, is_eldest: number == 0, reduction: None });
        self.list(&mut state.shared, &node, &progress, &mut frame.picker);
        if state.shared.moves.len() < 2 {
            drop(state);
            self.worker.counters.waste_packs_since(&unpacked, node.kind());
            frame.picker.forget_beyond(away.height);
            self.worker.climb_back(away);
            nodes.free_point(processor, id);
            processor.enter(before);
            return false;
        }
        self.worker.counters.splits.make(node.kind(), progress.searched);
        state.shared.begin(self.worker, &node, &progress);
        if !packs_first {
            self.pack(id, &node);
        }
        let above = self.place.at.get().expect("it works at a point");
        self.open_point(&mut state, id, &node, &progress, Some(above));
        state.shared.next = 1;
        let wanted = (state.shared.moves.len() - 1).min(self.policy.most_helpers(nodes.team) as usize);
        let shared = state.shared.since;
        {
            let mut carried = point.carried.lock().unwrap_or_else(PoisonError::into_inner);
            let carried = &mut *carried;
            let trial = self.worker.cut_off(&mut hand.frames, at, &mut carried.trunk);
            processor.touch(Access::Copy { bytes: carried.trunk.bytes() as u32 });
            let mut base = hand.base.take().expect("it works at a point");
            let now = self.worker.account();
            base.trial.before = base.trial.before.map(|before| now - before);
            carried.spent = (now - hand.since, now - base.before);
            carried.stay_ns = hand.stay_ns + processor.between(hand.from, from);
            carried.by = processor.id();
            carried.above = Some((above, hand.node, base));
            self.worker.for_this_worker -= carried.spent.0;
            let before = self.worker.account();
            hand.base = Some(Base { listed: 0, trial, before });
            hand.since = before;
        }
        self.worker.climb_back(away);
        drop(state);
        self.end_part(hand, End::Done);
        (hand.id, hand.node) = (id, node);
        hand.begun = Some(self.worker.begin_job(Role::Own, processor.id(), shared));
        self.place.at.set(Some(Seat { id, round: 0 }));
        self.place.ply.set(node.ply);
        nodes.idle(processor).call(processor, wanted);
        let open_ns = processor.between(from, processor.tick());
        self.worker.counters.spend(node.kind(), open_ns, 0);
        let times = &mut self.worker.counters.times;
        (times.opened, times.open_ns) = (times.opened + 1, times.open_ns + open_ns);
        (hand.from, hand.stay_ns, hand.has_come) = (from, 0, false);
        processor.enter(before);
        true
    }

    fn pack(&mut self, id: PointId, node: &Node) {
        let copying = &self.policy.teamwork().copying;
        self.nodes.point(id).handover.pack(self.worker, node.ply, copying, 0).pass(self.worker);
    }
}

impl<B: Board> OpenNodes<B> {
    fn set_root_is_done<P: Processor>(&self, processor: &P, is_done: bool) {
        processor.touch(Access::Free);
        // Release: pairs with `root_is_done`.
        self.roots_done[self.team_of(processor)].store(is_done, Ordering::Release);
        if is_done {
            processor.unpark(self.members(processor).start);
        }
    }

    fn root_is_done<P: Processor>(&self, processor: &P) -> bool {
        processor.touch(Access::Free);
        // Acquire: pairs with `set_root_is_done`.
        self.roots_done[self.team_of(processor)].load(Ordering::Acquire)
    }
}
