//! One table in parts, each of which belongs to one processor and is read and written by it alone, as on a computer
//! whose processors share no memory. Who wants another's part writes it a letter, which the owner answers at its next
//! node.
//!
//! Each processor has one letter to each other, on a cache line of its own, so it has one request to an owner on the
//! way at a time. An owner finds its letters by a bit for each writer. The letter about a position is written where the
//! position is about to be reached, so that the answer may come before it is needed. An owner that waits or has no work
//! reads no letters: whoever wrote to it answers in its stead, and pays for it. So does who has waited very long, since
//! an owner may wait for a lock that the writer holds, or be suspended by the system.
//!
//! # Memory ordering
//! The state of a letter says who may touch its words: the writer where it is [`FREE`] or [`ANSWERED`], and where it is
//! [`TAKEN`] whoever made it so by an exchange. States that hand the words over are stored `Release`, and seen by an
//! `Acquire` before the words are touched, so the words are `Relaxed`. The bit of a letter is set after its state,
//! `Release`, and taken by an `Acquire` swap, so an owner that finds the bit finds the request. That an owner works is
//! only a hint: the exchange decides who answers.

use std::io;

use super::entry::{Entry, Packed};
use super::slot::Stamp;
use super::{Found, Probed, Table, TableOptions};
use crate::chess::{Color, Score};
use crate::machine::{Access, Line, Processor, Work};
use crate::sync::{AtomicU32, AtomicU64, Ordering, spin_loop, yield_now};

/// The parts, and the letters to their owners.
pub(super) struct Parts {
    pub tables: Box<[Table]>,
    desks: Box<[Desk]>,
    /// Letters of all processors to the first owner, then to the second, and so on.
    letters: Box<[Letter]>,
    /// Whether who asks waits for the answer.
    waits: bool,
}

/// Place where an owner looks for letters, and counts of its own probes.
#[repr(align(128))]
struct Desk {
    /// A bit for each processor that has written.
    written: Box<[AtomicU64]>,
    line: Line,
    /// Probes of others' parts.
    asked: AtomicU64,
    /// Those that the owner has not answered in time.
    unanswered: AtomicU64,
}

/// Request of one processor to one owner, or the answer.
#[derive(Default)]
#[repr(align(128))]
struct Letter {
    state: AtomicU32,
    key: AtomicU64,
    /// Data and stamps of the entry to store, or of those that were found.
    entries: [[AtomicU64; 3]; MOST_MATCHES],
    line: Line,
}

/// Whether a letter was answered before its writer had waited very long.
#[derive(Clone, Copy, PartialEq, Eq)]
struct InTime(bool);

/// Entries of one position that a table may hold.
const MOST_MATCHES: usize = 2;

/// There is nothing to be answered, and no answer.
const FREE: u32 = 0;
/// Somebody answers the letter.
const TAKEN: u32 = 1;
/// The letter holds what was found for a position with White to move; with Black, it is the next number.
const ANSWERED: u32 = 2;
/// Request for the entries of a position, likewise.
const PROBE: u32 = 4;
/// Request to store an entry, likewise.
const STORE: u32 = 6;

/// Number of times that who waits looks for its answer before it answers itself.
const MOST_LOOKS: u32 = if cfg!(loom) { 2 } else { 2_000 };
/// Number of looks after which a thread offers its core to others.
const LOOKS_AT_ONCE: u32 = if cfg!(loom) { 1 } else { 100 };
/// Time between two looks on a virtual machine.
const LOOK: Work = Work::Nanoseconds(100);

/// Processor to whose part a position belongs. Its place there follows from other bits of the key.
fn owner_of(key: u64, owners: usize) -> usize {
    ((((key >> 16) & 0xFFFF_FFFF) * owners as u64) >> 32) as usize
}

impl Parts {
    /// Empty parts of a table for so many processors.
    pub fn new(options: &TableOptions, owners: usize, threads: usize) -> io::Result<Self> {
        let table = |_| Table::new(options, options.bytes / owners as u64, threads);
        let desk = |_| Desk {
            written: (0..owners.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            line: Line::new(),
            asked: AtomicU64::new(0),
            unanswered: AtomicU64::new(0),
        };
        Ok(Self {
            tables: (0..owners).map(table).collect::<io::Result<_>>()?,
            desks: (0..owners).map(desk).collect(),
            letters: (0..owners * owners).map(|_| Letter::default()).collect(),
            waits: options.scheme == super::Scheme::Distributed,
        })
    }

    /// Numbers of probes of others' parts, and of those that the owner has not answered in time.
    pub fn asked_and_unanswered(&self) -> [u64; 2] {
        let sum = |count: fn(&Desk) -> &AtomicU64| self.desks.iter().map(|it| count(it).load(Ordering::Relaxed)).sum();
        [sum(|desk| &desk.asked), sum(|desk| &desk.unanswered)]
    }

    /// Forgets all letters and counts.
    pub fn forget_letters(&mut self) {
        self.letters.iter().for_each(|letter| letter.state.store(FREE, Ordering::Relaxed));
        for desk in &self.desks {
            desk.written.iter().chain([&desk.asked, &desk.unanswered]).for_each(|it| it.store(0, Ordering::Relaxed));
        }
    }

    fn letter(&self, owner: usize, writer: usize) -> &Letter {
        &self.letters[owner * self.desks.len() + writer]
    }

    /// Asks for a position that is about to be reached, if its owner works and has answered all else.
    #[inline(never)]
    pub fn ask_early<P: Processor>(&self, processor: &P, key: u64, side: Color) {
        let owner = owner_of(key, self.desks.len());
        if owner == processor.id() {
            return self.tables[owner].prefetch(processor, key, side);
        }
        let letter = self.letter(owner, processor.id());
        processor.touch(Access::Read(&letter.line));
        if !letter.is_under_way() && processor.is_busy(owner) {
            self.write(processor, owner, PROBE + side.index() as u32, key, [0; 3]);
        }
    }

    /// Looks a position up, as [`Table::probe`] does.
    #[inline(never)]
    pub fn probe<P: Processor>(
        &self,
        processor: &P,
        (key, second_key): (u64, u64),
        side: Color,
        draft: u32,
        ends: impl Fn(&Entry) -> Option<Score>,
    ) -> Found {
        let (me, owner) = (processor.id(), owner_of(key, self.desks.len()));
        let own = &self.tables[me];
        if owner == me {
            processor.touch(own.access());
            return own.probe(processor, (key, second_key), side, draft, ends);
        }
        self.desks[me].asked.fetch_add(1, Ordering::Relaxed);
        let mut found = Found::default();
        let letter = self.letter(owner, me);
        let answered = self.ask(processor, owner, key, side);
        if answered.is_some() {
            for [data, first, second] in letter.entries() {
                let slot = Probed { data: Packed(data), stamps: [Stamp(first), Stamp(second)], is_verified: true };
                if data != 0 && found.score.is_none() {
                    own.consider(processor, &mut found, &slot, (draft, second_key), &ends);
                }
            }
        }
        if answered != Some(InTime(true)) {
            self.desks[me].unanswered.fetch_add(1, Ordering::Relaxed);
        }
        found
    }

    /// Has the letter to an owner answered for a position, if there is time.
    fn ask<P: Processor>(&self, processor: &P, owner: usize, key: u64, side: Color) -> Option<InTime> {
        let letter = self.letter(owner, processor.id());
        let is_answered = || {
            let is_of_side = letter.state.load(Ordering::Relaxed) == ANSWERED + side.index() as u32;
            is_of_side && letter.key.load(Ordering::Relaxed) == key
        };
        let before = self.wait(processor, owner)?;
        if is_answered() {
            return Some(before);
        }
        if !self.waits && processor.is_busy(owner) {
            return None;
        }
        self.write(processor, owner, PROBE + side.index() as u32, key, [0; 3]);
        self.wait(processor, owner)
    }

    /// Stores an entry of a position, as [`Table::store`] does. Nobody waits for what comes of it.
    #[inline(never)]
    pub fn store<P: Processor>(&self, processor: &P, key: u64, side: Color, entry: &Entry, stamp: Stamp) {
        let owner = owner_of(key, self.desks.len());
        let table = &self.tables[owner];
        if owner == processor.id() {
            return table.store(processor, key, side, entry, stamp);
        }
        if self.wait(processor, owner).is_some() {
            let data = Packed::new(entry, table.generation);
            self.write(processor, owner, STORE + side.index() as u32, key, [data.0, stamp.0, 0]);
        }
    }

    /// Writes a letter to an owner, which has answered the last one.
    fn write<P: Processor>(&self, processor: &P, owner: usize, state: u32, key: u64, entry: [u64; 3]) {
        let (letter, me) = (self.letter(owner, processor.id()), processor.id());
        processor.touch(Access::Write(&letter.line));
        letter.key.store(key, Ordering::Relaxed);
        letter.note(0, entry);
        // Release: pairs with the exchange in `answer_letter`.
        letter.state.store(state, Ordering::Release);
        let desk = &self.desks[owner];
        processor.touch(Access::Write(&desk.line));
        // Release: pairs with the swap in `answer`.
        desk.written[me / 64].fetch_or(1 << (me % 64), Ordering::Release);
    }

    /// Waits until the letter to an owner is no longer under way, and answers others' meanwhile. `None` if it still is:
    /// who does not wait for answers gives up while the owner works.
    fn wait<P: Processor>(&self, processor: &P, owner: usize) -> Option<InTime> {
        let (letter, me) = (self.letter(owner, processor.id()), processor.id());
        let mut looks = 0;
        loop {
            processor.touch(Access::Read(&letter.line));
            if !letter.is_under_way() {
                return Some(InTime(looks < MOST_LOOKS));
            }
            looks += 1;
            if !processor.is_busy(owner) {
                self.answer_letter(processor, owner, me);
            } else if !self.waits {
                return None;
            } else if looks % MOST_LOOKS == 0 {
                self.answer_letter(processor, owner, me);
            } else {
                self.answer(processor);
                processor.spend(LOOK);
                spin_loop();
            }
            if !P::IS_VIRTUAL && looks % LOOKS_AT_ONCE == 0 {
                yield_now();
            }
        }
    }

    /// Answers the letters that have come for this processor.
    #[inline(never)]
    pub fn answer<P: Processor>(&self, processor: &P) {
        let me = processor.id();
        let desk = &self.desks[me];
        processor.touch(Access::Read(&desk.line));
        for (word, written) in desk.written.iter().enumerate() {
            if written.load(Ordering::Relaxed) == 0 {
                continue;
            }
            processor.touch(Access::Write(&desk.line));
            // Acquire: pairs with the change in `write`.
            let mut writers = written.swap(0, Ordering::Acquire);
            while writers != 0 {
                self.answer_letter(processor, me, 64 * word + writers.trailing_zeros() as usize);
                writers &= writers - 1;
            }
        }
    }

    /// Answers a letter to an owner, unless somebody else does.
    fn answer_letter<P: Processor>(&self, processor: &P, owner: usize, writer: usize) {
        let (letter, table) = (self.letter(owner, writer), &self.tables[owner]);
        processor.touch(Access::Write(&letter.line));
        let request = letter.state.load(Ordering::Relaxed);
        // Acquire: pairs with the store in `write`.
        let take = |from| letter.state.compare_exchange(from, TAKEN, Ordering::Acquire, Ordering::Relaxed);
        if request < PROBE || take(request).is_err() {
            return;
        }
        let (key, side) = (letter.key.load(Ordering::Relaxed), Color::ALL[request as usize % 2]);
        processor.touch(table.access());
        let answer = if request >= STORE {
            let [data, stamp, _] = letter.entries()[0];
            table.keep(processor, key, side, Packed(data), Stamp(stamp));
            FREE
        } else {
            let mut found = 0;
            table.matches(processor, key, side, |slot| {
                if found < MOST_MATCHES {
                    letter.note(found, [slot.data.0, slot.stamps[0].0, slot.stamps[1].0]);
                    found += 1;
                }
            });
            (found..MOST_MATCHES).for_each(|rest| letter.note(rest, [0; 3]));
            ANSWERED + side.index() as u32
        };
        processor.touch(Access::Write(&letter.line));
        // Release: pairs with the load in `is_under_way`.
        letter.state.store(answer, Ordering::Release);
    }
}

impl Letter {
    /// Whether a request has been written that nobody has answered yet.
    fn is_under_way(&self) -> bool {
        // Acquire: pairs with the store that ends `answer_letter`.
        !matches!(self.state.load(Ordering::Acquire), FREE | ANSWERED..PROBE)
    }

    fn entries(&self) -> [[u64; 3]; MOST_MATCHES] {
        self.entries.each_ref().map(|entry| entry.each_ref().map(|word| word.load(Ordering::Relaxed)))
    }

    fn note(&self, place: usize, entry: [u64; 3]) {
        self.entries[place].iter().zip(entry).for_each(|(word, value)| word.store(value, Ordering::Relaxed));
    }
}
