//! The transposition table: what is known of positions that were searched before, by whatever moves they were reached.
//!
//! [`Scheme`] says who shares a table and how; its arrangement, in two tiers or in buckets, says where a position may
//! lie. On a virtual machine the caller touches the table and then probes or stores, and the whole entry is read or
//! written in that one step.
//!
//! # Memory ordering
//! An entry is 16 bytes: a word of data, and a check, which is the position's key exclusive-or'ed with the data. Both
//! words are read and written `Relaxed`, without a lock, and nothing is inferred from their order: a reader that meets
//! the check of one entry and the data of another computes a key that is not the one it looks for, and takes the entry
//! for another position's (Hyatt and Mann 2002). An entry is all that it publishes, so there is nothing else for a
//! reader to wait for. This is sound only if each word is read once and written once. The program of the 2004 thesis
//! wrote the data field by field, read it again to compute the check, and decoded it from shared memory after having
//! verified it; a table that stores in place does the same, so that one can count what comes of it. A striped table is
//! guarded by locks; their orderings are those of [`LockWord`]. Clearing needs `&mut`, so no search is running.

mod aging;
mod audit;
mod buckets;
mod cells;
mod entry;
mod key_width;
#[cfg(all(test, loom))]
mod loom;
#[cfg_attr(loom, path = "memory_of_loom.rs")]
mod memory;
mod parts;
mod sharing;
mod slot;
mod tables;
#[cfg(test)]
mod tests;
mod two_tier;

use std::io;

use super::across::Exchange;
use crate::chess::{Color, Score};
use crate::choices::choices;
use crate::machine::{Access, Home, LockWord, Processor, Work};
use audit::Audited;
use cells::Cells;
use entry::{Generation, Packed};
use memory::Memory;
use slot::{Slot, is_torn};

pub use aging::Aging;
pub(super) use entry::{Bound, Entry, Hint, Sealed};
pub use key_width::KeyWidth;
pub use sharing::TableSharing;
pub(super) use slot::{Stamp, Torn};
pub use tables::Tables;

choices! {
    /// Sharing of transposition tables among workers.
    pub enum Scheme, "scheme";
    /// One table for all, each entry checked by exclusive-or.
    Lockless "lockless",
    /// One table for all, guarded by 1024 locks.
    Striped "striped",
    /// A table for each worker; the size is that of all together.
    Private "private",
    /// One table in parts, one for each worker, which alone reads and writes it: others ask by messages and wait.
    Distributed "distributed",
    /// As distributed, but who has no answer when it needs one goes on without.
    Unawaited "unawaited",
    /// No table.
    None "none",
}

/// Largest table that can be asked for, in MiB: 1 TiB. More is a slip of the finger.
pub const MOST_MIB: u32 = 1 << 20;

/// Size, sharing and arrangement of the tables of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// Size of all tables of a node together, in bytes.
    pub bytes: u64,
    /// Number of nodes, each of which has tables of its own.
    pub nodes: usize,
    /// Sharing among workers of a node.
    pub scheme: Scheme,
    /// Exchange of entries between nodes.
    pub exchange: Exchange,
    /// Two tiers for each side to move, not buckets.
    pub two_tier: bool,
    /// Slots of the tiers by the remainder of the key, not by its higher bits.
    pub by_remainder: bool,
    /// Demoting of entries from the first tier to the place of their check, not of their key.
    pub demotes_by_check: bool,
    /// If both tiers hold a position, the move of the second is given even where it has none.
    pub last_hint_wins: bool,
    /// Stamping of each word with its writer.
    pub audit: bool,
    /// Whether entries are written field by field, and read again after they were verified.
    pub in_place: bool,
    /// Whether entries of earlier searches give way, whatever their draft.
    pub ages: bool,
    /// Bits of keys that are compared.
    pub key_width: KeyWidth,
}

impl TableOptions {
    /// Bytes of memory that the tables take.
    pub fn memory_bytes(&self) -> u64 {
        match self.scheme {
            Scheme::None => 0,
            _ => self.times_audit(self.bytes).saturating_mul(self.nodes as u64),
        }
    }

    /// Bytes of memory that so many bytes of table take, with the stamps of an audit.
    fn times_audit(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(if self.audit { audit::MEMORY_FACTOR } else { 1 })
    }
}

/// Result of a probe.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// Number of entries of the position, up to two.
    pub matches: u32,
    /// Number of those that have the draft that was asked for.
    pub deep: u32,
    /// Move to try first.
    pub hint: Hint,
    /// Whether the position was once one of the principal variation, if that is asked for.
    pub once_pv: bool,
    /// Score that ends the node, of the first entry that gives one. The others are not looked at any more.
    pub score: Option<Score>,
    /// With audit: whether another worker wrote what was found.
    pub foreign: Foreign,
    /// Whether the move to try first is of another node, and so is the score that ends the node.
    pub hint_from_afar: bool,
    /// Likewise.
    pub score_from_afar: bool,
    /// Whether all this is from the table of the position's home, which is another node.
    pub is_of_home: bool,
    /// With audit: entries whose two words are of two stores.
    pub torn: Torn,
    /// With audit: whole entries of another position that has the same key.
    pub false_matches: u64,
}

impl Found {
    /// Result of a probe of the node's own table, completed by that of a probe at the position's home.
    #[must_use]
    pub fn with_those_of_home(self, home: Self) -> Self {
        Self {
            matches: self.matches + home.matches,
            deep: self.deep + home.deep,
            hint: self.hint.or(home.hint),
            once_pv: self.once_pv | home.once_pv,
            hint_from_afar: !self.hint.is_some() && home.hint.is_some(),
            score_from_afar: home.score.is_some(),
            is_of_home: true,
            ..home
        }
    }
}

/// Whether another worker wrote what a probe found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Foreign {
    /// Any of the entries of the position.
    pub matches: bool,
    /// Any of those with enough draft.
    pub deep: bool,
    /// Entry that ended the node.
    pub score: bool,
}

/// Places where a position may lie.
enum Arrangement {
    TwoTier(two_tier::TwoTier),
    Buckets(buckets::Buckets),
    Parts(parts::Parts),
    Nowhere,
}

/// An entry as a probe reads it.
#[derive(Clone, Copy)]
struct Probed {
    data: Packed,
    stamps: [Stamp; 2],
    /// Whether the entry is of the position that was asked for.
    is_verified: bool,
}

/// A lock that has its cache line for itself.
#[derive(Default)]
#[repr(align(64))]
struct Stripe(LockWord);

/// Number of locks of a striped table.
const STRIPES: usize = if cfg!(loom) { 1 } else { 1024 };

/// One transposition table.
pub(super) struct Table {
    cells: Cells,
    arrangement: Arrangement,
    stripes: Box<[Stripe]>,
    bytes: u64,
    /// Node that it belongs to.
    home: Home,
    in_place: bool,
    /// Whether there are neither locks, nor are entries written field by field.
    is_usual: bool,
    last_hint_wins: bool,
    ages: bool,
    /// Bits of keys that are compared.
    compared: u64,
    /// Generation of what is stored now.
    generation: Generation,
}

impl Table {
    fn new(options: &TableOptions, bytes: u64, threads: usize) -> io::Result<Self> {
        // With 32 bits, more than can be counted.
        if isize::try_from(options.times_audit(bytes)).is_err() {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let arrangement = match options {
            TableOptions { scheme: Scheme::None, .. } => Arrangement::Nowhere,
            TableOptions { two_tier: true, .. } => Arrangement::TwoTier(two_tier::TwoTier::new(bytes, options)),
            _ => Arrangement::Buckets(buckets::Buckets::new(bytes)),
        };
        let slots = match &arrangement {
            Arrangement::TwoTier(tiers) => tiers.slots(),
            Arrangement::Buckets(buckets) => buckets.slots(),
            Arrangement::Parts(_) | Arrangement::Nowhere => 0,
        };
        let cells = if options.audit {
            Cells::Audited(Audited::zeroed(slots)?)
        } else {
            Cells::Plain(Memory::zeroed(2 * slots)?)
        };
        cells.clear(threads);
        let stripes = if options.scheme == Scheme::Striped { STRIPES } else { 0 };
        Ok(Self {
            cells,
            arrangement,
            stripes: (0..stripes).map(|_| Stripe::default()).collect(),
            bytes: slots as u64 * 16,
            home: Home::default(),
            in_place: options.in_place,
            is_usual: stripes == 0 && !options.in_place,
            last_hint_wins: options.last_hint_wins,
            ages: options.ages,
            compared: options.key_width.mask(),
            generation: Generation::FIRST,
        })
    }

    /// A table in parts, one for each of so many workers.
    fn in_parts(options: &TableOptions, workers: usize, threads: usize) -> io::Result<Self> {
        let nothing = Self::new(&TableOptions { scheme: Scheme::None, audit: false, ..*options }, 0, 1)?;
        Ok(Self { arrangement: Arrangement::Parts(parts::Parts::new(options, workers, threads)?), ..nothing })
    }

    /// Memory that a probe or store is about to touch. Of a table in parts, probes and stores say it themselves.
    #[inline(always)]
    pub fn access(&self) -> Access<'_> {
        if self.bytes == 0 { Access::Free } else { Access::Table { bytes: self.bytes, home: &self.home } }
    }

    /// Whether each worker has a part, about which others write to it.
    pub fn is_in_parts(&self) -> bool {
        matches!(self.arrangement, Arrangement::Parts(_))
    }

    /// Answers what other workers ask this one, if the table is in parts.
    #[inline]
    pub fn answer<P: Processor>(&self, processor: &P) {
        if let Arrangement::Parts(parts) = &self.arrangement {
            parts.answer(processor);
        }
    }

    /// Whether anything can be stored.
    #[inline(always)]
    pub fn exists(&self) -> bool {
        !matches!(self.arrangement, Arrangement::Nowhere)
    }

    /// Tells the processor that this position will be asked for soon.
    #[inline(always)]
    pub fn prefetch<P: Processor>(&self, processor: &P, key: u64, side: Color) {
        match &self.arrangement {
            Arrangement::Parts(parts) => parts.ask_early(processor, key, side),
            Arrangement::TwoTier(tiers) => {
                self.cells.prefetch(tiers.first(key, side));
                self.cells.prefetch(tiers.second(key, side));
            }
            Arrangement::Buckets(buckets) => self.cells.prefetch(buckets.start(buckets.key(key, side))),
            Arrangement::Nowhere => {}
        }
    }

    /// Looks up the position with this key, and with this second key for the audit. `ends` says which score an entry of
    /// enough draft gives the node, if any; the first tier is asked first, and the second only if the first has not
    /// ended the node.
    #[inline(always)]
    pub fn probe<P: Processor>(
        &self,
        processor: &P,
        (key, second_key): (u64, u64),
        side: Color,
        draft: u32,
        ends: impl Fn(&Entry) -> Option<Score>,
    ) -> Found {
        match (&self.arrangement, self.cells.plain()) {
            (Arrangement::Buckets(buckets), Some(words)) if self.is_usual => {
                let key = buckets.key(key, side);
                let mut found = Found::default();
                // As a rule few entries are of this position: the others are passed by.
                for words in buckets.words(words, key) {
                    let slot = Slot::read(processor, words);
                    if slot.is_of(key, self.compared) {
                        self.take(processor, &mut found, (slot.data, Stamp::NONE), draft, &ends);
                    }
                }
                found
            }
            _ => self.probe_otherwise(processor, (key, second_key), side, draft, ends),
        }
    }

    /// [`probe`](Self::probe) of a table that is arranged, guarded, written or watched in another way than usual.
    #[inline(never)]
    fn probe_otherwise<P: Processor>(
        &self,
        processor: &P,
        (key, second_key): (u64, u64),
        side: Color,
        draft: u32,
        ends: impl Fn(&Entry) -> Option<Score>,
    ) -> Found {
        let mut found = Found::default();
        match &self.arrangement {
            Arrangement::TwoTier(tiers) => {
                for slot in [tiers.first(key, side), tiers.second(key, side)] {
                    let entry = self.guarded(processor, slot, || self.read(processor, slot, key));
                    self.consider(processor, &mut found, &entry, (draft, second_key), &ends);
                    if found.score.is_some() {
                        break;
                    }
                }
            }
            Arrangement::Buckets(buckets) => {
                let key = buckets.key(key, side);
                let start = buckets.start(key);
                self.guarded(processor, start, || {
                    for slot in start..start + buckets::ENTRIES {
                        let entry = self.read(processor, slot, key);
                        self.consider(processor, &mut found, &entry, (draft, second_key), &ends);
                    }
                });
            }
            Arrangement::Parts(parts) => return parts.probe(processor, (key, second_key), side, draft, ends),
            Arrangement::Nowhere => {}
        }
        found
    }

    /// Tells of each entry of a position, of whatever draft.
    fn matches<P: Processor>(&self, processor: &P, key: u64, side: Color, mut tell: impl FnMut(&Probed)) {
        let mut look = |slot: usize, key: u64| {
            let entry = self.read(processor, slot, key);
            if entry.is_verified {
                tell(&entry);
            }
        };
        match &self.arrangement {
            Arrangement::TwoTier(tiers) => {
                [tiers.first(key, side), tiers.second(key, side)].into_iter().for_each(|slot| look(slot, key));
            }
            Arrangement::Buckets(buckets) => {
                let key = buckets.key(key, side);
                let start = buckets.start(key);
                (start..start + buckets::ENTRIES).for_each(|slot| look(slot, key));
            }
            Arrangement::Parts(_) | Arrangement::Nowhere => {}
        }
    }

    /// The entry of a position as nodes send it.
    pub fn seal(&self, key: u64, side: Color, entry: &Entry) -> Sealed {
        Sealed::new(key, side, Packed::new(entry, self.generation))
    }

    /// Stores an entry that another node has found, unless one of the position is there that is as deep. Returns
    /// whether it did.
    pub fn take_in<P: Processor>(&self, processor: &P, sealed: &Sealed) -> bool {
        let (side, data) = sealed.open(self.generation);
        let mut is_known = false;
        self.matches(processor, sealed.key(), side, |slot| is_known |= slot.data.draft() >= data.draft());
        if !is_known {
            self.keep(processor, sealed.key(), side, data, Stamp::NONE);
        }
        !is_known
    }

    /// Forgets of entries of a position that another node has found them.
    pub fn forget_origin(&self, key: u64, side: Color) {
        let forget = |place: usize, key: u64| {
            let slot = self.cells.read(place);
            if slot.is_of(key, self.compared) && slot.data.is_from_afar() {
                let data = slot.data.as_own();
                self.cells.write(2 * place, slot.key() ^ data.0, slot.stamps[0]);
                self.cells.write(2 * place + 1, data.0, slot.stamps[0].on(data.0));
            }
        };
        match &self.arrangement {
            Arrangement::TwoTier(tiers) => {
                [tiers.first(key, side), tiers.second(key, side)].into_iter().for_each(|place| forget(place, key));
            }
            Arrangement::Buckets(buckets) => {
                let key = buckets.key(key, side);
                let start = buckets.start(key);
                (start..start + buckets::ENTRIES).for_each(|place| forget(place, key));
            }
            Arrangement::Parts(_) | Arrangement::Nowhere => {}
        }
    }

    /// Stores an entry of a position. `stamp` is the writer's on the position, for the audit.
    #[inline]
    pub fn store<P: Processor>(&self, processor: &P, key: u64, side: Color, entry: &Entry, stamp: Stamp) {
        if let Arrangement::Parts(parts) = &self.arrangement {
            return parts.store(processor, key, side, entry, stamp);
        }
        self.keep(processor, key, side, Packed::new(entry, self.generation), stamp);
    }

    /// Stores what an entry of a position was packed into.
    #[inline(always)]
    fn keep<P: Processor>(&self, processor: &P, key: u64, side: Color, data: Packed, stamp: Stamp) {
        match &self.arrangement {
            Arrangement::TwoTier(tiers) => tiers.store(self, processor, (key, side), data, stamp),
            Arrangement::Buckets(buckets) => buckets.store(self, processor, buckets.key(key, side), data, stamp),
            Arrangement::Parts(_) | Arrangement::Nowhere => {}
        }
    }

    /// Whether an earlier search has stored this, and it gives way for that; or nobody has.
    #[inline(always)]
    fn is_old(&self, data: Packed) -> bool {
        self.ages && data.generation() != self.generation
    }

    #[inline(always)]
    fn consider<P: Processor>(
        &self,
        processor: &P,
        found: &mut Found,
        slot: &Probed,
        (draft, second_key): (u32, u64),
        ends: &impl Fn(&Entry) -> Option<Score>,
    ) {
        let is_ours = slot.is_verified;
        if slot.is_torn() {
            found.torn.accepted += u64::from(is_ours);
            found.torn.rejected += u64::from(!is_ours);
        } else if is_ours && !slot.stamps[0].is_on(second_key) {
            found.false_matches += 1;
        }
        if is_ours {
            self.take(processor, found, (slot.data, slot.stamps[1]), draft, ends);
        }
    }

    /// Takes what an entry of the position says.
    #[inline(always)]
    fn take<P: Processor>(
        &self,
        processor: &P,
        found: &mut Found,
        (data, stamp): (Packed, Stamp),
        draft: u32,
        ends: &impl Fn(&Entry) -> Option<Score>,
    ) {
        let foreign = stamp.is_foreign_to(processor.place());
        found.matches += 1;
        found.foreign.matches |= foreign;
        found.hint = if self.last_hint_wins { data.hint() } else { data.hint().or(found.hint) };
        if P::MAY_HAVE_NODES && (data.hint().is_some() || self.last_hint_wins) {
            found.hint_from_afar = data.is_from_afar();
        }
        found.once_pv |= data.once_pv();
        if data.draft() >= draft {
            found.deep += 1;
            found.foreign.deep |= foreign;
            let had_score = found.score.is_some();
            found.score = found.score.or_else(|| ends(&data.entry()));
            found.foreign.score = foreign;
            if P::MAY_HAVE_NODES && !had_score {
                found.score_from_afar = data.is_from_afar();
            }
        }
    }

    /// Works on a slot, or on the bucket that begins there, under its lock if there are locks.
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

    /// Reads a slot that may have the entry of this position. A striped table's lock is held by the caller.
    #[inline(always)]
    fn read<P: Processor>(&self, processor: &P, place: usize, key: u64) -> Probed {
        let mut slot = self.cells.read(place);
        if processor.midway() {
            (slot.data, slot.stamps[1]) = self.cells.read_data(place);
        }
        let is_verified = slot.is_of(key, self.compared);
        let mut probed = Probed { data: slot.data, stamps: slot.stamps, is_verified };
        if self.in_place && is_verified {
            self.let_others_write(processor);
            (probed.data, probed.stamps[1]) = self.cells.read_data(place);
        }
        probed
    }

    /// Writes a new entry to a slot. A striped table's lock is held by the caller.
    #[inline(always)]
    fn write<P: Processor>(&self, processor: &P, place: usize, slot: Slot) {
        if self.in_place {
            return self.write_in_place(processor, place, slot);
        }
        self.cells.write(2 * place, slot.check, slot.stamps[0]);
        processor.midway();
        self.cells.write(2 * place + 1, slot.data.0, slot.stamps[1]);
    }

    /// Writes a new entry field by field, and computes its check from what the slot holds then.
    #[cold]
    fn write_in_place<P: Processor>(&self, processor: &P, place: usize, slot: Slot) {
        for field in Packed::FIELDS {
            let (data, _) = self.cells.read_data(place);
            self.cells.write(2 * place + 1, data.0 & !field | slot.data.0 & field, slot.stamps[1]);
            self.let_others_write(processor);
        }
        let (data, _) = self.cells.read_data(place);
        self.cells.write(2 * place, slot.key() ^ data.0, slot.stamps[0]);
    }

    /// Writes an entry that was in another slot, one word after the other.
    #[inline(always)]
    fn write_moved<P: Processor>(&self, processor: &P, place: usize, slot: Slot) {
        self.cells.write(2 * place, slot.check, slot.stamps[0]);
        if self.in_place {
            self.let_others_write(processor);
        }
        self.cells.write(2 * place + 1, slot.data.0, slot.stamps[1]);
    }

    /// A moment passes between two accesses to an entry.
    fn let_others_write<P: Processor>(&self, processor: &P) {
        processor.spend(Work::TableField);
        processor.touch(Access::Free);
    }
}

impl Probed {
    /// Whether the entry is of several stores.
    #[inline(always)]
    fn is_torn(&self) -> bool {
        is_torn(self.data, self.stamps)
    }
}
