//! The network between the nodes of a virtual machine, in the terms of LogGP (Alexandrov, Ionescu, Schauser and
//! Scheiman, SPAA 1995): sending and receiving a letter take a processor the *overhead* o, a byte takes the *gap a
//! byte* G on the way out, and the *latency* L passes until it is there. A node has one port to the network: a letter
//! waits until the one before is out, and for the gap between letters after that.
//!
//! A letter of k bytes that is posted at t thus arrives at t + o + k G + L, if the port is free. Letters are received
//! in the order of their arrivals, of equal ones that of the lower node, and of one node in the order of sending. What
//! a node receives at a moment does not depend on where else turns change: who posts earlier has gone first.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::cost::CostModel;

/// Bytes of the unit in which the gap a byte is given.
const KIB: u64 = 1024;

/// A letter on its way, by the order in which it is received.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct UnderWay {
    arrival: u64,
    from: usize,
    /// Number of letters that were posted before.
    number: u64,
    words: Box<[u64]>,
}

/// Ports and inboxes of all nodes.
pub struct Network {
    latency: u64,
    gap: u64,
    kib: u64,
    posted: Cell<u64>,
    nodes: Vec<AtNode>,
}

#[derive(Default)]
struct AtNode {
    /// Clock at which the port is free again.
    port_free_at: Cell<u64>,
    inbox: RefCell<BinaryHeap<Reverse<UnderWay>>>,
    /// Processor that waits for a letter, by its place.
    waits: Cell<Option<usize>>,
}

impl Network {
    pub fn new(model: &CostModel, nodes: usize) -> Self {
        let nodes = (0..nodes).map(|_| AtNode::default()).collect();
        let CostModel { net_latency: latency, net_message: gap, net_kib: kib, .. } = *model;
        Self { latency, gap, kib, posted: Cell::new(0), nodes }
    }

    /// Sends some bytes through the port of a node from this clock on. Returns the clock at which they have arrived.
    pub fn transmit(&self, from: usize, bytes: u64, clock: u64) -> u64 {
        let port = &self.nodes[from].port_free_at;
        let out = port.get().max(clock) + bytes * self.kib / KIB;
        port.set(out + self.gap);
        out + self.latency
    }

    /// Sends a letter to another node. Returns the clock at which it arrives, and who waits for it there.
    pub fn post(&self, from: usize, to: usize, words: Box<[u64]>, clock: u64) -> (u64, Option<usize>) {
        let arrival = self.transmit(from, size_of_val(&*words) as u64, clock);
        let number = self.posted.replace(self.posted.get() + 1);
        self.nodes[to].inbox.borrow_mut().push(Reverse(UnderWay { arrival, from, number, words }));
        (arrival, self.nodes[to].waits.take())
    }

    /// Takes the first letter that has arrived at a node by this clock, with the node that it is from.
    pub fn receive(&self, at: usize, clock: u64) -> Option<(usize, Box<[u64]>)> {
        let mut inbox = self.nodes[at].inbox.borrow_mut();
        let has_arrived = inbox.peek().is_some_and(|Reverse(first)| first.arrival <= clock);
        has_arrived.then(|| inbox.pop().map(|Reverse(letter)| (letter.from, letter.words)))?
    }

    /// Clock at which the next letter for a node arrives, of those that are on their way.
    pub fn next_arrival(&self, at: usize) -> Option<u64> {
        self.nodes[at].inbox.borrow().peek().map(|Reverse(first)| first.arrival)
    }

    /// Notes that a processor waits for the next letter for its node.
    pub fn wait(&self, at: usize, place: usize) {
        self.nodes[at].waits.set(Some(place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "reference,net_latency=1000,net_message=30,net_kib=512";

    fn words(bytes: u64) -> Box<[u64]> {
        vec![7; bytes as usize / 8].into()
    }

    #[test]
    fn a_letter_arrives_after_its_bytes_and_the_latency() {
        let network = Network::new(&MODEL.parse().unwrap(), 3);
        assert_eq!(network.post(0, 1, words(64), 500), (500 + 32 + 1000, None));
        assert_eq!(network.receive(1, 1531), None);
        assert_eq!(network.receive(2, 1532), None);
        assert_eq!(network.receive(1, 1532), Some((0, words(64))));
        assert_eq!(network.receive(1, 9999), None);
    }

    #[test]
    fn a_busy_port_makes_letters_wait() {
        let network = Network::new(&MODEL.parse().unwrap(), 3);
        let arrivals =
            [(0, 500), (0, 510), (2, 510), (0, 700)].map(|(from, at)| network.post(from, 1, words(64), at).0);
        // The second one waits until the first is out at 532, and for the gap.
        assert_eq!(arrivals, [1532, 562 + 32 + 1000, 1542, 1732]);
    }

    #[test]
    fn equal_arrivals_come_by_node_and_then_by_number() {
        let network = Network::new(&"reference,net_latency=1000".parse().unwrap(), 3);
        for (from, bytes) in [(2, 8), (0, 16), (2, 24), (0, 32)] {
            network.post(from, 1, words(bytes), 500);
        }
        let order: Vec<_> = std::iter::from_fn(|| network.receive(1, 1500)).collect();
        assert_eq!(order, [(0, words(16)), (0, words(32)), (2, words(8)), (2, words(24))]);
    }

    #[test]
    fn who_waits_is_told_of_the_next_letter() {
        let network = Network::new(&MODEL.parse().unwrap(), 2);
        network.wait(1, 11);
        assert_eq!(network.post(0, 1, words(0), 0), (1000, Some(11)));
        assert_eq!((network.next_arrival(1), network.next_arrival(0)), (Some(1000), None));
        assert_eq!(network.post(0, 1, words(0), 40), (1040, None));
    }
}
