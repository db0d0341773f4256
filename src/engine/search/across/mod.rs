//! What the nodes of a search tell one another. Each searches as if it were alone, with a table and histories of its
//! own; by letters they exchange entries of their tables, end the search together, and agree on its answer.
//!
//! - *Entries* of drafts above a limit are collected by each worker, handed to the [`Outbox`] of its node, and sent by
//!   one of the [rules](Rule).
//! - *Stop*: the worker that ends the search stops its node, and tells the others.
//! - *Done*: the last worker to leave a node tells all others how deep its node has got, and waits until they have told
//!   it. So no letter is left over, and every node knows whose answer counts: the deepest, of equals that of the lowest
//!   node. Where clocks cannot be compared there is no better rule.
//!
//! Letters are read at the look at the limits, by whichever worker comes there. Each has the number of its search;
//! those of another are counted and dropped.
//!
//! # Memory ordering
//! What workers of a node share lies behind locks. `has_told` is `Relaxed`: of those that swap it one sees that it was
//! not set, and it publishes nothing.

mod letter;
mod outbox;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::node::ONE_PLY;
use super::strategy::Strategy;
use super::table::{Found, Sealed};
use super::worker::Worker;
use crate::chess::{Board, Score};
use crate::choices::choices;
use crate::counts::LetterCounts;
use crate::machine::{Activity, Lock, Processor};
use crate::search::table::Entry;
use crate::settings::settings;
use letter::{Done, Letter};
use outbox::Outbox;

choices! {
    /// Rule by which nodes exchange entries of their tables.
    pub enum Rule, "exchange";
    /// They exchange none.
    None "none",
    /// A node sends what it has collected to all others, and to one that has not read the last letters only what is
    /// deeper.
    Push "push",
    /// As Stockfish's cluster: what a node has collected goes one step round a ring, with what it has received in the
    /// step before.
    Ring "ring",
    /// Each position has a home node, which is told of its entries; the others ask it and wait for the answer, as by
    /// one-sided access to memory.
    Home "home",
}

settings! {
    /// Parameters by which nodes exchange entries of their tables.
    pub struct Exchange, "parameter of a table";
    rule: Rule = Rule::None, "exchange",
        "entries that nodes of a cluster send one another: none; all that they collect to all others (push) or one \
         step round a ring, as in Stockfish's cluster (ring); each to the home of its position, which is asked (home)";
    draft: i32 [0..=60 "plies"] = 4, "exchange-draft", "least draft of an entry that is sent or asked for";
    batch: i32 [1..=1024 "entries"] = 16, "exchange-batch",
        "number of entries that each processor of a node collects for a letter";
}

/// State of one node's correspondence in a search, which its workers share.
pub(crate) struct Across {
    number: u32,
    exchange: Exchange,
    outbox: Lock<Outbox>,
    ending: Lock<Ending>,
    /// Whether the other nodes know that the search is over.
    has_told: AtomicBool,
}

/// Answers with which the nodes end a search, as far as this node knows them.
struct Ending {
    /// Number of workers of this node that have left.
    left: usize,
    /// Deepest answer of this node, and the time at which it was found.
    own: (Done, u64),
    /// Answers that other nodes have told, by node.
    told: Vec<Option<Done>>,
}

/// Number that no search of this process has had.
pub(crate) fn next_number() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    // Relaxed: only that no two are equal.
    LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
}

impl Across {
    /// Correspondence of all nodes of a search, each with this number of workers.
    pub fn of_all(nodes: usize, workers: usize, exchange: Exchange) -> Vec<Self> {
        let number = next_number();
        (0..nodes).map(|node| Self::of((node, nodes), workers, (exchange, number))).collect()
    }

    /// Correspondence of one node of several, with this number of workers, in the search of this number.
    pub fn of((node, nodes): (usize, usize), workers: usize, (exchange, number): (Exchange, u32)) -> Self {
        Self {
            number,
            exchange,
            outbox: Lock::new(Outbox::new(&exchange, node, nodes, workers)),
            ending: Lock::new(Ending { left: 0, own: Default::default(), told: vec![None; nodes] }),
            has_told: AtomicBool::new(false),
        }
    }

    /// Least draft, in hundredths of a ply, of an entry about which nodes write.
    pub fn writes_from(&self) -> u32 {
        match self.exchange.rule {
            Rule::None => u32::MAX,
            Rule::Push | Rule::Ring | Rule::Home => (self.exchange.draft * ONE_PLY) as u32,
        }
    }

    /// Least draft of a position about which its home is asked.
    pub fn asks_from(&self) -> i32 {
        if self.exchange.rule == Rule::Home { self.exchange.draft * ONE_PLY } else { i32::MAX }
    }
}

/// Last letters of a node to another that has to leave a search before its workers have found anything.
pub(crate) fn farewell(number: u32) -> [Box<[u64]>; 2] {
    [Letter::Stop, Letter::Done(Done::default())].map(|letter| letter.words(number))
}

/// Node that knows most of a position.
fn home_of(key: u64, nodes: usize) -> usize {
    ((((key >> 16) & 0xFFFF_FFFF) * nodes as u64) >> 32) as usize
}

/// Bytes of a question about a position, and of the answer.
const QUESTION: [u64; 2] = [16, 32];

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    fn count_letters(&self, count: impl FnOnce(&mut LetterCounts)) {
        let mut counts = self.letters.get();
        count(&mut counts);
        self.letters.set(counts);
    }

    /// All other nodes, the next one first.
    fn others(&self) -> impl Iterator<Item = usize> + use<B, P, S> {
        let (node, nodes) = (self.processor.node(), self.processor.nodes());
        (node + 1..nodes).chain(0..node)
    }

    fn send(&self, across: &Across, to: usize, letter: &Letter) {
        let words = letter.words(across.number);
        self.count_letters(|counts| {
            counts.letters += 1;
            counts.bytes += size_of_val(&*words) as u64;
        });
        self.processor.during(Activity::Network, || self.processor.post(to, &words));
    }

    /// Notes an entry that has been stored here, for the other nodes.
    #[inline(never)]
    pub(super) fn collect(&mut self, entry: Sealed) {
        let Some(across) = &self.common.across else { return };
        self.collected.push(entry);
        if self.collected.len() < across.exchange.batch as usize {
            return;
        }
        let due = {
            let mut outbox = self.processor.lock(&across.outbox);
            let due = outbox.hand_in(&self.collected);
            self.count_letters(|counts| counts.withheld += outbox.take_withheld());
            due
        };
        self.collected.clear();
        due.iter().for_each(|(to, letter)| self.send(across, *to, letter));
    }

    /// Reads the letters that have come for this node.
    #[inline(never)]
    pub(super) fn read_letters(&mut self) {
        let Some(across) = &self.common.across else { return };
        let before = self.processor.enter(Activity::Network);
        while let Some((from, words)) = self.processor.receive() {
            self.count_letters(|counts| counts.received += 1);
            match Letter::read(&words) {
                Some((number, letter)) if number == across.number => self.read(across, from, letter),
                _ => self.count_letters(|counts| counts.stale += 1),
            }
        }
        self.processor.enter(before);
    }

    fn read(&mut self, across: &Across, from: usize, letter: Letter) {
        match letter {
            Letter::Entries(entries) => {
                self.keep_entries(&entries);
                // After what it has told the others last, a node sends nothing more.
                if !self.has_left {
                    self.send(across, from, &Letter::Read);
                }
            }
            Letter::Read => self.processor.lock(&across.outbox).is_read_by(from),
            Letter::Step { step, entries } => {
                let own = self.processor.node();
                let others = entries.iter().enumerate().filter(|(node, _)| *node != own);
                others.for_each(|(_, entries)| self.keep_entries(entries));
                let due = self.processor.lock(&across.outbox).has_come(step, entries);
                if let Some((to, letter)) = due.filter(|_| !self.has_left) {
                    self.send(across, to, &letter);
                }
            }
            Letter::Stop => {
                across.has_told.store(true, Ordering::Relaxed);
                self.common.stop_at(self.processor.now());
                self.processor.stop();
            }
            Letter::Done(done) => self.processor.lock(&across.ending).told[from] = Some(done),
        }
    }

    /// Keeps entries of other nodes in the table, unless it knows as much.
    fn keep_entries(&self, entries: &[Sealed]) {
        for entry in entries {
            self.processor.touch(self.table.access());
            let is_kept = self.table.take_in(self.processor, entry);
            self.count_letters(|counts| {
                counts.kept += u64::from(is_kept);
                counts.refused += u64::from(!is_kept);
            });
        }
    }

    /// Notes that an entry of another node, which a probe has found, was of use.
    #[cold]
    pub(super) fn use_of_another_node(&self, found: &Found) {
        self.count_letters(|counts| counts.used += 1);
        if !found.is_of_home {
            self.table.forget_origin(self.board.key(), self.board.turn());
        }
    }

    /// Looks the present position up in the table, and then, if that does not end the node, in that of its home.
    #[inline(never)]
    pub(super) fn look_up_at_home(&self, draft: i32, ends: impl Fn(&Entry) -> Option<Score>) -> Found {
        let (keys, side) = (self.keys(), self.board.turn());
        self.processor.touch(self.table.access());
        let found = self.table.probe(self.processor, keys, side, draft as u32, &ends);
        let home = home_of(keys.0, self.processor.nodes());
        if found.score.is_some() || home == self.processor.node() {
            return found;
        }
        self.count_letters(|counts| counts.asked += 1);
        let table = self.common.tables.of(home, 0);
        let look = || table.probe(self.processor, keys, side, draft as u32, &ends);
        let at_home = self.processor.during(Activity::Wait, || self.processor.consult(home, QUESTION, look));
        if at_home.matches == 0 { found } else { found.with_those_of_home(at_home) }
    }

    /// Tells the other nodes that the search is over, unless they know.
    pub(super) fn tell_end(&mut self) {
        let Some(across) = &self.common.across else { return };
        if !across.has_told.swap(true, Ordering::Relaxed) {
            self.others().for_each(|node| self.send(across, node, &Letter::Stop));
        }
    }

    /// Leaves the search. The last worker of a node exchanges with the other nodes what they have found, and returns
    /// the node whose answer counts.
    pub(super) fn leave_node(&mut self, may_play: bool) -> Option<usize> {
        let across = self.common.across.as_ref()?;
        let own = {
            let mut ending = self.processor.lock(&across.ending);
            let ((own, at), answer) = (&mut ending.own, self.answer.as_ref().filter(|_| may_play));
            own.nodes += self.counters.nodes();
            if let Some(answer) = answer {
                let is_first = own.best == 0 && own.depth == 0;
                if is_first || answer.depth > own.depth || answer.depth == own.depth && answer.nanoseconds < *at {
                    let best = answer.best.map_or(0, |mv| mv.bits());
                    *own = Done { depth: answer.depth, score: answer.score.0, best, ..*own };
                    *at = answer.nanoseconds;
                }
            }
            let own = *own;
            ending.left += 1;
            (ending.left == self.processor.count()).then_some(own)
        }?;
        self.has_left = true;
        self.others().for_each(|node| self.send(across, node, &Letter::Done(own)));
        let before = self.processor.enter(Activity::Wait);
        let told = loop {
            self.read_letters();
            let told = self.processor.lock(&across.ending).told.clone();
            if told.iter().flatten().count() + 1 == told.len() {
                break told;
            }
            self.processor.await_letter("what the other nodes have found");
        };
        self.processor.enter(before);
        let all = told.iter().enumerate().map(|(node, told)| (told.as_ref().unwrap_or(&own).depth, node));
        all.min_by_key(|(depth, node)| (std::cmp::Reverse(*depth), *node)).map(|(_, node)| node)
    }
}
