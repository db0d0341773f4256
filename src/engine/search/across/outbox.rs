//! Entries that the workers of a node have collected for the others, and when they are sent.
//!
//! *Push*: when each worker has handed in as many as it collects at a time, all of them go to every other node, as in
//! Texel (P. Österlund). Who has read a letter says so, and no more than [`MOST_UNREAD`] are on their way to a node.
//! Where one is due and may not be sent, its entries are withheld, and the least draft of those for this node rises by
//! a ply; with each letter that is sent, it falls by one. So nothing grows without bound, whatever the network.
//!
//! *Ring*: as in Stockfish's cluster branch (2019) the same number goes to the next node of a ring, with what the other
//! nodes have sent in the step before: so an entry comes to all in as many steps as there are other nodes. A step
//! begins when the entries are there and the step before has been received. Until then the deepest are kept.
//!
//! *Home*: as push, but an entry goes only to the home of its position.

use std::collections::BTreeMap;

use super::letter::Letter;
use super::{Exchange, Rule, home_of};
use crate::search::node::ONE_PLY;
use crate::search::table::Sealed;

/// Number of letters with entries that may be on their way to a node.
const MOST_UNREAD: u32 = 2;
/// Draft above that of all entries.
const NO_DRAFT: u32 = 1 << 14;

/// Entries of a node for the others.
pub(super) struct Outbox {
    rule: Rule,
    node: usize,
    /// Least draft of entries that are sent.
    least: u32,
    /// Number of entries with which a letter is due.
    full: usize,
    entries: Vec<Sealed>,
    to: Vec<ToNode>,
    /// Number of entries that were not sent to a node, since the last time that somebody asked.
    withheld: u64,
    /// Number of steps on the ring that this node has made.
    steps: u64,
    /// Entries that have come in steps from the one before the next.
    come: BTreeMap<u64, Vec<Vec<Sealed>>>,
}

/// State of the entries for one other node.
#[derive(Clone)]
struct ToNode {
    unread: u32,
    least: u32,
    /// Entries of positions whose home it is.
    entries: Vec<Sealed>,
}

impl Outbox {
    pub fn new(exchange: &Exchange, node: usize, nodes: usize, workers: usize) -> Self {
        let (least, batch) = ((exchange.draft * ONE_PLY) as u32, exchange.batch as usize);
        Self {
            rule: exchange.rule,
            node,
            least,
            full: batch * workers,
            entries: Vec::new(),
            to: vec![ToNode { unread: 0, least, entries: Vec::new() }; nodes],
            withheld: 0,
            steps: 0,
            come: BTreeMap::new(),
        }
    }

    /// Takes what a worker has collected. Returns the letters that are due.
    pub fn hand_in(&mut self, collected: &[Sealed]) -> Vec<(usize, Letter)> {
        match self.rule {
            Rule::None => Vec::new(),
            Rule::Push => {
                self.entries.extend(collected);
                if self.entries.len() < self.full {
                    return Vec::new();
                }
                let entries = std::mem::take(&mut self.entries);
                self.others().filter_map(|node| Some((node, self.letter_to(node, &entries)?))).collect()
            }
            Rule::Home => {
                let nodes = self.to.len();
                collected.iter().for_each(|entry| self.to[home_of(entry.key(), nodes)].entries.push(*entry));
                self.to[self.node].entries.clear();
                let due: Vec<usize> = self.others().filter(|node| self.to[*node].entries.len() >= self.full).collect();
                let letter = |node: usize| {
                    let entries = std::mem::take(&mut self.to[node].entries);
                    Some((node, self.letter_to(node, &entries)?))
                };
                due.into_iter().filter_map(letter).collect()
            }
            Rule::Ring => {
                collected.iter().for_each(|entry| self.keep_deepest(*entry));
                self.next_step().into_iter().collect()
            }
        }
    }

    /// Number of entries that were not sent to a node since the last call.
    pub fn take_withheld(&mut self) -> u64 {
        std::mem::take(&mut self.withheld)
    }

    /// Notes that a node has read a letter with entries.
    pub fn is_read_by(&mut self, node: usize) {
        self.to[node].unread -= 1;
    }

    /// Takes the entries of a step on the ring. Returns the letter that is due.
    pub fn has_come(&mut self, step: u64, entries: Vec<Vec<Sealed>>) -> Option<(usize, Letter)> {
        self.come.insert(step, entries);
        self.next_step()
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let (node, nodes) = (self.node, self.to.len());
        (node + 1..nodes).chain(0..node)
    }

    fn letter_to(&mut self, node: usize, entries: &[Sealed]) -> Option<Letter> {
        let to = &mut self.to[node];
        if to.unread == MOST_UNREAD {
            to.least = (to.least + ONE_PLY as u32).min(NO_DRAFT);
            self.withheld += entries.len() as u64;
            return None;
        }
        let sent: Vec<Sealed> = entries.iter().filter(|entry| entry.draft() >= to.least).copied().collect();
        to.least = self.least.max(to.least.saturating_sub(ONE_PLY as u32));
        self.withheld += (entries.len() - sent.len()) as u64;
        (!sent.is_empty()).then(|| {
            to.unread += 1;
            Letter::Entries(sent)
        })
    }

    /// Keeps an entry for the next step, if it is one of the deepest.
    fn keep_deepest(&mut self, entry: Sealed) {
        if self.entries.len() < self.full {
            return self.entries.push(entry);
        }
        self.withheld += 1;
        if let Some(shallowest) = self.entries.iter_mut().min_by_key(|entry| entry.draft())
            && shallowest.draft() < entry.draft()
        {
            *shallowest = entry;
        }
    }

    fn next_step(&mut self) -> Option<(usize, Letter)> {
        if self.entries.len() < self.full {
            return None;
        }
        let nodes = self.to.len();
        let mut entries = match self.steps.checked_sub(1) {
            Some(before) => self.come.remove(&before)?,
            None => vec![Vec::new(); nodes],
        };
        entries.resize(nodes, Vec::new());
        entries[self.node] = std::mem::take(&mut self.entries);
        self.steps += 1;
        Some(((self.node + 1) % nodes, Letter::Step { step: self.steps - 1, entries }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of these drafts in plies.
    fn entries(drafts: &[u32]) -> Vec<Sealed> {
        drafts.iter().map(|draft| Sealed::sample(u64::from(*draft) << 40, draft * ONE_PLY as u32)).collect()
    }

    fn exchange(rule: Rule) -> Exchange {
        Exchange { rule, batch: 2, ..Exchange::default() }
    }

    #[test]
    fn a_full_outbox_goes_to_all_others() {
        let mut outbox = Outbox::new(&exchange(Rule::Push), 1, 3, 2);
        assert_eq!(outbox.hand_in(&entries(&[5, 6])), []);
        let letter = Letter::Entries(entries(&[5, 6, 7, 8]));
        assert_eq!(outbox.hand_in(&entries(&[7, 8])), [(2, letter.clone()), (0, letter)]);
        assert_eq!(outbox.take_withheld(), 0);
    }

    #[test]
    fn who_does_not_read_gets_less() {
        let mut outbox = Outbox::new(&exchange(Rule::Push), 0, 2, 1);
        let send = |outbox: &mut Outbox| outbox.hand_in(&entries(&[4, 5])).len();
        assert_eq!([send(&mut outbox), send(&mut outbox), send(&mut outbox), send(&mut outbox)], [1, 1, 0, 0]);
        assert_eq!(outbox.take_withheld(), 4);
        outbox.is_read_by(1);
        // The least draft has risen from 4 to 6.
        assert_eq!(outbox.hand_in(&entries(&[5, 6])), [(1, Letter::Entries(entries(&[6])))]);
        outbox.is_read_by(1);
        assert_eq!(outbox.hand_in(&entries(&[4, 5])), [(1, Letter::Entries(entries(&[5])))]);
        outbox.is_read_by(1);
        assert_eq!(send(&mut outbox), 1);
    }

    #[test]
    fn an_entry_goes_home() {
        let mut outbox = Outbox::new(&exchange(Rule::Home), 0, 2, 1);
        let [here, there] = [0, 1 << 47].map(|key| Sealed::sample(key, 500));
        assert_eq!(outbox.hand_in(&[here, there]), []);
        assert_eq!(outbox.hand_in(&[there, here]), [(1, Letter::Entries(vec![there, there]))]);
    }

    #[test]
    fn entries_go_round_a_ring_step_by_step() {
        let ring = |node| Outbox::new(&exchange(Rule::Ring), node, 3, 1);
        let (mut first, mut second) = (ring(0), ring(1));
        let [a, b, c] = [[4, 5], [6, 7], [8, 9]].map(|drafts| entries(&drafts));
        let step = |step, entries: [&Vec<Sealed>; 3]| Letter::Step { step, entries: entries.map(Clone::clone).into() };
        let none = Vec::new();
        assert_eq!(first.hand_in(&a), [(1, step(0, [&a, &none, &none]))]);
        // The next step waits for the last one, with the deepest entries of the meantime.
        assert_eq!(first.hand_in(&entries(&[4, 6])), []);
        assert_eq!(first.hand_in(&entries(&[7, 5])), []);
        assert_eq!(second.hand_in(&b), [(2, step(0, [&none, &b, &none]))]);
        assert_eq!(second.has_come(0, vec![a.clone(), none.clone(), none.clone()]), None);
        assert_eq!(second.hand_in(&c), [(2, step(1, [&a, &c, &none]))]);
        let (to, letter) = first.has_come(0, vec![none.clone(), none.clone(), c.clone()]).unwrap();
        assert_eq!((to, letter), (1, step(1, [&entries(&[7, 6]), &none, &c])));
    }
}
