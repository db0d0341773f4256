//! The transposition table: what is known of positions that were searched before, by whatever way they were reached.
//!
//! An entry is 16 bytes: a word of data, and a check, which is the position's key exclusive-or'ed with the data. Readers
//! and writers take no lock; a reader that meets half of one entry and half of another computes a key that is not the one
//! it looks for and takes the entry for another position's (Hyatt and Mann 2002). That is sound only if each word is read once
//! and written once, as here: the program of the 2004 thesis wrote the data field by field, read it again to compute the
//! check, and decoded it from shared memory after having verified it.
//!
//! [`Scheme`] says who shares a table and how; its arrangement, in two tiers or in buckets, where a position may lie. The order of a probe's work on a
//! virtual machine: the caller touches the table, then probes or stores, and the whole entry is read or written in that one
//! step, unless `tear` puts another touch between the two words of a store.

mod audit;
mod buckets;
mod entry;
mod memory;
mod two_tier;

use serde::Serialize;

use crate::chess::Color;
use crate::machine::{Access, LockWord, Processor};
use audit::Audited;
use entry::Packed;
use memory::Memory;

pub use audit::{Stamp, Torn};
pub use entry::{Bound, Entry, Generation, Hint};

/// Who shares a table, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// All workers, without locks.
    #[default]
    Lockless,
    /// All workers; each part of the table has a lock.
    Striped,
    /// Nobody: each worker has a table of its own. The size is that of all together.
    Private,
    /// There is no table.
    None,
}

/// Largest table that can be asked for, in MiB: 1 TiB. More is a slip of the finger.
pub const MOST_MIB: u32 = 1 << 20;

/// How a table is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct TableOptions {
    /// The size of all tables together, in bytes.
    pub bytes: u64,
    /// Who shares it.
    pub scheme: Scheme,
    /// Where a position may lie.
    pub two_tier: bool,
    /// What the first tier gives up goes where the stored check, not the key, says.
    pub demotes_by_check: bool,
    /// If both tiers hold a position, the move of the second is given even where it has none.
    pub last_hint_wins: bool,
    /// Stamp each word with its writer.
    pub audit: bool,
    /// On a virtual machine, let others go first between the two words of a store.
    pub tear: bool,
}

/// What a probe found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// How many entries of the position there were: up to two.
    pub matches: u32,
    /// How many of them had the draft that was asked for.
    pub deep: u32,
    /// A move to try first.
    pub hint: Hint,
    /// The last of those with enough draft.
    pub entry: Option<Entry>,
    /// With audit: whether another worker wrote what was found.
    pub foreign: Foreign,
    /// With audit: entries whose two words are of two stores.
    pub torn: Torn,
}

/// Whether what a probe found was written by another worker.
#[derive(Clone, Copy, Debug, Default)]
pub struct Foreign {
    /// Any of the entries of the position.
    pub matches: bool,
    /// Any of those with enough draft.
    pub deep: bool,
    /// The one that was given.
    pub entry: bool,
}

/// Where a position may lie.
#[derive(Clone, Copy, Debug)]
enum Arrangement {
    TwoTier(two_tier::TwoTier),
    Buckets(buckets::Buckets),
    Nowhere,
}

/// The words of all slots.
enum Cells {
    Plain(Memory),
    Audited(Audited),
}

/// One slot as it was read.
#[derive(Clone, Copy)]
struct Slot {
    check: u64,
    data: Packed,
    stamps: [Stamp; 2],
}

/// A lock that has its cache line for itself.
#[derive(Default)]
#[repr(align(64))]
struct Stripe(LockWord);

/// How many locks a striped table has.
const STRIPES: usize = 1024;

/// One transposition table.
pub struct Table {
    cells: Cells,
    arrangement: Arrangement,
    stripes: Box<[Stripe]>,
    generation: Generation,
    bytes: u64,
    tear: bool,
    last_hint_wins: bool,
}

/// The table that all workers share, or one for each.
pub struct Tables(Vec<Table>);

impl Scheme {
    /// All schemes.
    pub const ALL: [Self; 4] = [Self::Lockless, Self::Striped, Self::Private, Self::None];

    /// The name on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lockless => "lockless",
            Self::Striped => "striped",
            Self::Private => "private",
            Self::None => "none",
        }
    }

    /// What it is, in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Lockless => "one table for all, each entry checked by exclusive-or",
            Self::Striped => "one table for all, guarded by 1024 locks",
            Self::Private => "a table for each worker; the size is that of all together",
            Self::None => "no table",
        }
    }
}

impl Tables {
    /// New tables for so many workers, zeroed by so many threads.
    pub fn new(options: &TableOptions, workers: usize, threads: usize) -> Self {
        let tables = if options.scheme == Scheme::Private { workers.max(1) } else { 1 };
        Self((0..tables).map(|_| Table::new(options, options.bytes / tables as u64, threads)).collect())
    }

    /// The table of this worker.
    pub fn of(&self, worker: usize) -> &Table {
        &self.0[worker % self.0.len()]
    }

    /// Another search begins. What the last one left stays, and is the first to go.
    pub fn begin_search(&mut self) {
        for table in &mut self.0 {
            table.generation = table.generation.next();
        }
    }

    /// Forgets everything, with so many threads.
    pub fn clear(&mut self, threads: usize) {
        for table in &mut self.0 {
            table.cells.clear(threads);
            table.generation = Generation::FIRST;
        }
    }

    /// How many bytes lie on large pages, where the system tells.
    pub fn on_large_pages(&self) -> Option<u64> {
        self.0.iter().map(|table| table.cells.on_large_pages()).sum()
    }

    /// Whether words are stamped with their writers.
    pub fn are_audited(&self) -> bool {
        self.0.iter().any(|table| matches!(table.cells, Cells::Audited(_)))
    }

    /// With audit: how many slots hold words of two different stores.
    pub fn standing_torn(&self) -> u64 {
        self.0.iter().map(|table| table.cells.standing_torn()).sum()
    }

    /// How many slots there are in all.
    pub fn slots(&self) -> u64 {
        self.0.iter().map(|table| table.cells.slots() as u64).sum()
    }
}

impl Table {
    fn new(options: &TableOptions, bytes: u64, threads: usize) -> Self {
        let arrangement = match options {
            TableOptions { scheme: Scheme::None, .. } => Arrangement::Nowhere,
            TableOptions { two_tier: true, .. } => {
                Arrangement::TwoTier(two_tier::TwoTier::new(bytes, options.demotes_by_check))
            }
            _ => Arrangement::Buckets(buckets::Buckets::new(bytes)),
        };
        let slots = match &arrangement {
            Arrangement::TwoTier(tiers) => tiers.slots(),
            Arrangement::Buckets(buckets) => buckets.slots(),
            Arrangement::Nowhere => 0,
        };
        let cells = if options.audit {
            Cells::Audited(Audited::zeroed(slots))
        } else {
            Cells::Plain(Memory::zeroed(2 * slots))
        };
        cells.clear(threads);
        let stripes = if options.scheme == Scheme::Striped { STRIPES } else { 0 };
        Self {
            cells,
            arrangement,
            stripes: (0..stripes).map(|_| Stripe::default()).collect(),
            generation: Generation::FIRST,
            bytes: slots as u64 * 16,
            tear: options.tear,
            last_hint_wins: options.last_hint_wins,
        }
    }

    /// What a probe or store is about to touch.
    #[inline(always)]
    pub fn access(&self) -> Access<'_> {
        Access::Table { bytes: self.bytes }
    }

    /// Whether there is a table at all.
    #[inline(always)]
    pub fn exists(&self) -> bool {
        !matches!(self.arrangement, Arrangement::Nowhere)
    }

    /// Tells the processor that this position will be asked for soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64, side: Color) {
        match &self.arrangement {
            Arrangement::TwoTier(tiers) => {
                self.cells.prefetch(tiers.first(key, side));
                self.cells.prefetch(tiers.second(key, side));
            }
            Arrangement::Buckets(buckets) => self.cells.prefetch(buckets.start(buckets.key(key, side))),
            Arrangement::Nowhere => {}
        }
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe<P: Processor>(&self, processor: &P, key: u64, side: Color, draft: u32) -> Found {
        let mut found = Found::default();
        match &self.arrangement {
            Arrangement::TwoTier(tiers) => {
                for slot in [tiers.first(key, side), tiers.second(key, side)] {
                    let slot = self.guarded(processor, slot, || self.cells.read(slot));
                    self.consider(processor, &mut found, &slot, key, draft);
                }
            }
            Arrangement::Buckets(buckets) => {
                let key = buckets.key(key, side);
                let start = buckets.start(key);
                self.guarded(processor, start, || {
                    for slot in start..start + buckets::ENTRIES {
                        self.consider(processor, &mut found, &self.cells.read(slot), key, draft);
                    }
                });
            }
            Arrangement::Nowhere => {}
        }
        found
    }

    /// Remembers a position. `stamp` is the writer's, for the audit.
    #[inline]
    pub fn store<P: Processor>(&self, processor: &P, key: u64, side: Color, entry: &Entry, stamp: Stamp) {
        let data = Packed::new(entry, self.generation);
        match &self.arrangement {
            Arrangement::TwoTier(tiers) => tiers.store(self, processor, (key, side), data, stamp),
            Arrangement::Buckets(buckets) => buckets.store(self, processor, buckets.key(key, side), data, stamp),
            Arrangement::Nowhere => {}
        }
    }

    #[inline(always)]
    fn consider<P: Processor>(&self, processor: &P, found: &mut Found, slot: &Slot, key: u64, draft: u32) {
        let is_ours = slot.is_of(key);
        if slot.is_torn() {
            found.torn.count(is_ours);
        }
        if !is_ours {
            return;
        }
        let foreign = slot.stamps[1].is_foreign_to(processor.id());
        found.matches += 1;
        found.foreign.matches |= foreign;
        found.hint = if self.last_hint_wins { slot.data.hint() } else { slot.data.hint().or(found.hint) };
        if slot.data.draft() >= draft {
            found.deep += 1;
            found.foreign.deep |= foreign;
            found.foreign.entry = foreign;
            found.entry = Some(slot.data.entry());
        }
    }

    /// Does something with a slot, or with the bucket that begins there, under its lock if there are locks.
    #[inline(always)]
    fn guarded<P: Processor, T>(&self, processor: &P, slot: usize, work: impl FnOnce() -> T) -> T {
        if self.stripes.is_empty() {
            return work();
        }
        let lock = &self.stripes[slot / buckets::ENTRIES % STRIPES].0;
        processor.acquire(lock);
        let result = work();
        processor.release(lock);
        result
    }

    /// Writes a slot. A striped table's lock is held by the caller.
    #[inline(always)]
    fn write<P: Processor>(&self, processor: &P, place: usize, slot: Slot) {
        self.cells.write_check(place, slot);
        if P::IS_VIRTUAL && self.tear {
            processor.touch(Access::Free);
        }
        self.cells.write_data(place, slot);
    }
}

impl Slot {
    #[inline(always)]
    fn new(key: u64, data: Packed, stamp: Stamp) -> Self {
        Self { check: key ^ data.0, data, stamps: [stamp; 2] }
    }

    /// The key that the check and the data make together.
    #[inline(always)]
    fn key(&self) -> u64 {
        self.check ^ self.data.0
    }

    #[inline(always)]
    fn is_of(&self, key: u64) -> bool {
        self.key() == key && !self.data.is_empty()
    }

    #[inline(always)]
    fn is_torn(&self) -> bool {
        self.stamps[0] != self.stamps[1]
    }
}

impl Cells {
    #[inline(always)]
    fn read(&self, slot: usize) -> Slot {
        use std::sync::atomic::Ordering::Relaxed;
        match self {
            Self::Plain(words) => {
                let (check, data) = (words[2 * slot].load(Relaxed), words[2 * slot + 1].load(Relaxed));
                Slot { check, data: Packed(data), stamps: [Stamp::NONE; 2] }
            }
            Self::Audited(audited) => audited.read(slot),
        }
    }

    #[inline(always)]
    fn write_check(&self, place: usize, slot: Slot) {
        match self {
            Self::Plain(words) => words[2 * place].store(slot.check, std::sync::atomic::Ordering::Relaxed),
            Self::Audited(audited) => audited.write(2 * place, slot.check, slot.stamps[0]),
        }
    }

    #[inline(always)]
    fn write_data(&self, place: usize, slot: Slot) {
        match self {
            Self::Plain(words) => words[2 * place + 1].store(slot.data.0, std::sync::atomic::Ordering::Relaxed),
            Self::Audited(audited) => audited.write(2 * place + 1, slot.data.0, slot.stamps[1]),
        }
    }

    #[inline(always)]
    fn prefetch(&self, slot: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Self::Plain(words) = self {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let address: *const _ = &words[2 * slot];
            // SAFETY: every x86-64 processor has the instruction, and it reads nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = slot;
    }

    fn clear(&self, threads: usize) {
        match self {
            Self::Plain(words) => words.clear(threads),
            Self::Audited(audited) => audited.clear(),
        }
    }

    fn slots(&self) -> usize {
        match self {
            Self::Plain(words) => words.len() / 2,
            Self::Audited(audited) => audited.slots(),
        }
    }

    fn on_large_pages(&self) -> Option<u64> {
        match self {
            Self::Plain(words) => words.on_large_pages(),
            Self::Audited(_) => None,
        }
    }

    fn standing_torn(&self) -> u64 {
        match self {
            Self::Plain(_) => 0,
            Self::Audited(audited) => (0..audited.slots()).filter(|slot| audited.read(*slot).is_torn()).count() as u64,
        }
    }
}
