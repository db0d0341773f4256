//! Loom's checks of the handshakes of open nodes.
//!
//! Real are the split points with their states and words, the rates, the idle processors, looking for work, going to
//! sleep, calling, closing, and the machine. A model is what a worker does with them: [`Shares::open`], `join`,
//! `work_at` and `wait_for_helpers` are those of `owner.rs`, `helper.rs` and `moves.rs` without the search, so without
//! cuts and moves that are given back. A worker has one point, not 16.

use super::*;
use crate::chess::mailbox::Mailbox;
use crate::chess::suites::Suite;
use crate::chess::{Keys, Move, MoveList, Score};
use crate::machine::loom::{Watched, check};
use crate::machine::{Program, Waiting};
use crate::sync::{AtomicU32, yield_now};

/// Processor 0 sets a rate and calls as many as can be called; the others look for work or sleep until they find it.
/// Without locks, so that there are few steps.
struct Publishes(OpenNodes<Mailbox>);

impl Program for Publishes {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        if processor.id() == 0 {
            self.0.set_rate(processor, PointId { owner: 0, level: 0 }, 1);
            self.0.idle(processor).call(processor, processor.count() - 1);
            return;
        }
        while self.0.look_for_work(processor, None).is_none() {
            self.0.sleep(processor);
        }
    }
}

#[test]
fn who_goes_idle_is_called_or_sees_the_rate() {
    check("publishing", (2, Waiting::Park), None, || Publishes(OpenNodes::new(2, 2, &Teamwork::DEFAULT)));
    check("publishing", (3, Waiting::Park), Some(3), || Publishes(OpenNodes::new(3, 3, &Teamwork::DEFAULT)));
}

/// Processor 1 opens a point below that of processor 0, which waits for its helpers.
struct CallsMaster(OpenNodes<Mailbox>);

impl Program for CallsMaster {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let [above, below] = [0, 1].map(|owner| PointId { owner, level: 0 });
        if processor.id() == 1 {
            self.0.point(below).renew(Score::DRAW, Some(Seat { id: above, round: NO_ROUND }));
            self.0.set_rate(processor, below, 1);
            return self.0.call_masters(processor, below, 1);
        }
        let point = self.0.point(above);
        loop {
            point.set_owner_waits(processor, true);
            if self.0.look_for_work(processor, Some(above)).is_some() {
                return;
            }
            processor.park("helpers");
            point.set_owner_waits(processor, false);
        }
    }
}

#[test]
fn an_owner_that_goes_to_sleep_is_called_or_sees_the_rate() {
    check("master", (2, Waiting::Park), None, || CallsMaster(OpenNodes::new(2, 2, &Teamwork::DEFAULT)));
}

/// Processor 0 offers a node to be split, and splits it for whoever asks or is idle; the other looks for work or sleeps
/// until there is some.
struct Offers(OpenNodes<Mailbox>);

impl Program for Offers {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let (nodes, desk) = (&self.0, &self.0.desks[0]);
        if processor.id() == 0 {
            desk.set_offer(processor, 1);
            if !nodes.idle(processor).is_any(processor) {
                while desk.take_request(processor) == 0 {
                    yield_now();
                }
            }
            nodes.set_rate(processor, PointId { owner: 0, level: 0 }, 1);
            nodes.idle(processor).call(processor, 1);
            return;
        }
        while nodes.look_for_work(processor, None).is_none() {
            nodes.sleep(processor);
        }
    }
}

#[test]
fn who_has_nothing_to_do_is_given_a_split_that_is_offered() {
    let leave = Teamwork { owner_waits: false, ..Teamwork::DEFAULT };
    check("offers", (2, Waiting::Park), Some(4), move || Offers(OpenNodes::new(2, 2, &leave)));
}

/// Stand-in for the node that an owner opens, which finds out who uses it too early or twice.
struct Shared {
    /// Stand-in for the position, which helpers read without a lock.
    position: Watched,
    /// Number of times that each move was searched.
    searched: Vec<Watched>,
    /// Number of helpers that have come.
    came: AtomicU32,
}

/// Processor 0 opens a node, and ends the search when it is done; the others look for work.
struct Shares {
    nodes: OpenNodes<Mailbox>,
    moves: Vec<Move>,
    shared: Vec<Shared>,
    /// Number of helpers without which the owner of a node does not go on.
    needs: u32,
    /// Whether each helper at the first node opens one below it.
    is_nested: bool,
}

impl Shares {
    fn new(processors: usize, moves: &[Move], needs: u32, is_nested: bool) -> Self {
        let shared = || Shared {
            position: Watched::default(),
            searched: moves.iter().map(|_| Watched::default()).collect(),
            came: AtomicU32::new(0),
        };
        Self {
            nodes: OpenNodes::new(processors, processors, &Teamwork::DEFAULT),
            moves: moves.to_vec(),
            shared: (0..processors).map(|_| shared()).collect(),
            needs,
            is_nested,
        }
    }

    fn of(&self, id: PointId) -> &Shared {
        &self.shared[id.owner as usize]
    }

    /// Opens a node, works there, and waits until all have left.
    fn share<P: Processor>(&self, processor: &P, above: Option<Seat>) {
        let id = PointId { owner: processor.id() as u32, level: 0 };
        self.of(id).position.add_one();
        self.open(processor, id, above);
        while self.of(id).came.load(Ordering::Relaxed) < self.needs {
            processor.park("a helper");
        }
        self.work_at(processor, id);
        self.wait_for_helpers(processor, id, above);
        // As if it opened the next node: who were still here would be found out.
        self.of(id).position.add_one();
        self.of(id).searched.iter().for_each(|searched| assert_eq!(searched.get(), 1));
    }

    fn open<P: Processor>(&self, processor: &P, id: PointId, above: Option<Seat>) {
        let point = self.nodes.point(id);
        let mut state = processor.lock(&point.state);
        state.moves = self.moves.iter().map(|mv| (*mv, crate::search::Place::later(0))).collect();
        state.shared.next = 0;
        (state.is_open, state.helpers) = (true, 0);
        point.renew(Score::DRAW, above);
        self.nodes.set_rate(processor, id, 1);
        drop(state);
        let missing = self.nodes.idle(processor).call(processor, self.moves.len() - 1);
        self.nodes.call_masters(processor, id, missing);
    }

    fn join<P: Processor>(&self, processor: &P, id: PointId, below: Option<PointId>) {
        let point = self.nodes.point(id);
        let Some(mut state) = processor.try_lock(&point.state) else {
            return yield_now();
        };
        let is_there = below.is_none_or(|above| self.nodes.is_below(id, above));
        if !(state.is_open && state.gives_moves() && is_there) {
            return;
        }
        state.helpers += 1;
        self.nodes.set_rate(processor, id, 1);
        drop(state);
        assert_eq!(self.of(id).position.get(), 1, "the node is not open");
        self.of(id).came.fetch_add(1, Ordering::Relaxed);
        if self.needs > 0 {
            processor.unpark(id.owner as usize);
        }
        if self.is_nested && id.owner == 0 {
            self.share(processor, Some(Seat { id, round: NO_ROUND }));
        }
        self.work_at(processor, id);

        let mut state = processor.lock(&point.state);
        state.helpers -= 1;
        if state.is_open {
            self.nodes.set_rate(processor, id, 1);
        }
        let was_last = state.helpers == 0;
        drop(state);
        if was_last {
            processor.unpark(id.owner as usize);
        }
    }

    fn work_at<P: Processor>(&self, processor: &P, id: PointId) {
        loop {
            let mut state = processor.lock(&self.nodes.point(id).state);
            let taken = state.take();
            if taken.is_some() && state.left() == 0 {
                self.nodes.close(processor, id, &mut state);
            }
            drop(state);
            let Some((place, ..)) = taken else {
                return;
            };
            self.of(id).searched[place].add_one();
        }
    }

    fn wait_for_helpers<P: Processor>(&self, processor: &P, id: PointId, above: Option<Seat>) {
        let point = self.nodes.point(id);
        loop {
            let mut state = processor.lock(&point.state);
            assert!(!state.gives_moves());
            self.nodes.close(processor, id, &mut state);
            let is_empty = state.helpers == 0;
            drop(state);
            if is_empty {
                return;
            }
            point.set_owner_waits(processor, true);
            let is_wanted = self.nodes.cut_at(above).is_none();
            if let Some(work) = is_wanted.then(|| self.nodes.look_for_work(processor, Some(id))).flatten() {
                point.set_owner_waits(processor, false);
                self.join(processor, work, Some(id));
                continue;
            }
            processor.park("helpers");
            point.set_owner_waits(processor, false);
        }
    }
}

impl Program for Shares {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        if processor.id() == 0 {
            self.share(processor, None);
            return self.nodes.end(processor);
        }
        while !self.nodes.is_over(processor) {
            match self.nodes.look_for_work(processor, None) {
                Some(id) => self.join(processor, id, None),
                None => self.nodes.sleep(processor),
            }
        }
    }
}

/// Helpers that find the point's lock taken look again in a loop: with three threads and a second preemption, loom
/// gives up at a path of too many steps.
fn check_shares(processors: usize, preemptions: Option<usize>, moves: usize, needs: u32, is_nested: bool) {
    let board = Mailbox::set_up(&Suite::named("perft").unwrap().positions()[1].setup, Keys::of_seed(0)).unwrap();
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    let list = list[..moves].to_vec();
    let name = format!("{moves} moves, {needs} helpers needed, nested: {is_nested}");
    let make = move || Shares::new(processors, &list, needs, is_nested);
    check(&name, (processors, Waiting::Park), preemptions, make);
}

#[test]
fn nobody_sleeps_while_a_node_is_open() {
    check_shares(2, Some(2), 2, 1, false);
    check_shares(3, Some(1), 2, 1, false);
}

#[test]
fn a_node_is_left_before_it_is_used_again() {
    check_shares(2, Some(3), 2, 0, false);
    check_shares(3, Some(1), 2, 0, false);
}

#[test]
fn an_owner_that_waits_is_called_below_its_node() {
    check_shares(2, Some(2), 2, 1, true);
}

/// Processor 1 sends workers away.
struct SendsAway(Point<Mailbox>);

impl Program for SendsAway {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        if processor.id() == 1 {
            return self.0.send_away(7);
        }
        assert!(self.0.sent_away_at(0).is_none_or(|at| at == 7), "the moment is not known yet");
    }
}

#[test]
fn who_is_sent_away_knows_since_when() {
    check("sent away", (2, Waiting::Park), None, || SendsAway(Point::closed()));
}
