//! Audited tables: every word is stored together with a stamp of its writer, as one atomic of 16 bytes.
//!
//! Without it a torn entry cannot be told from another position's. With it, an entry is torn if its words carry stamps
//! of two stores, or if its data is not what the stamp is on: rejected if its check fails, accepted if it passes. The
//! stamp of the check is on the position, by its second key: an entry whose check passes is a false match if it is of
//! another position.
//! Twice the memory and slower stores: for counting, not for timing.

use std::io;

use portable_atomic::{AtomicU128, Ordering};

use super::Slot;
use super::entry::Packed;
use crate::random::SplitMix;

/// Writer of a word, number of the store, and a digest of what was stored: of the position, or of its data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

/// Torn entries that a probe met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Torn {
    /// Torn entries whose check failed.
    pub rejected: u64,
    /// Torn entries whose check passed.
    pub accepted: u64,
}

/// Words of all slots, each with its stamp.
pub(super) struct Audited(Box<[AtomicU128]>);

/// Factor by which stamps enlarge a table.
pub(super) const MEMORY_FACTOR: u64 = 2;
const WRITER: u32 = 48;
const STORE: u32 = 24;

/// Bits of a word of which few others have the same, never 0.
fn digest(word: u64) -> u64 {
    SplitMix::new(word).next() >> (64 - STORE) | 1
}

impl Stamp {
    /// Stamp of a word that nobody has written.
    pub const NONE: Self = Self(0);

    /// Stamp of a worker's store with this number.
    #[inline(always)]
    pub fn new(worker: usize, store: u64) -> Self {
        Self((worker as u64 + 1) << WRITER | (store & ((1 << (WRITER - STORE)) - 1)) << STORE)
    }

    /// The same stamp on this word: the second key of a position, or data.
    #[inline(always)]
    pub fn on(self, word: u64) -> Self {
        if self == Self::NONE { self } else { Self(self.store() << STORE | digest(word)) }
    }

    /// Whether the stamp is on this word.
    #[inline(always)]
    pub(super) fn is_on(self, word: u64) -> bool {
        self == Self::NONE || self.0 & ((1 << STORE) - 1) == digest(word)
    }

    /// Writer and number of the store.
    #[inline(always)]
    pub(super) fn store(self) -> u64 {
        self.0 >> STORE
    }

    /// Whether another worker than this one wrote it.
    #[inline(always)]
    pub(super) fn is_foreign_to(self, worker: usize) -> bool {
        self != Self::NONE && self.0 >> WRITER != worker as u64 + 1
    }
}

impl Audited {
    pub fn zeroed(slots: usize) -> io::Result<Self> {
        let mut words = Vec::new();
        words.try_reserve_exact(2 * slots).map_err(|_| io::ErrorKind::OutOfMemory)?;
        words.resize_with(2 * slots, || AtomicU128::new(0));
        Ok(Self(words.into()))
    }

    pub fn slots(&self) -> usize {
        self.0.len() / 2
    }

    pub fn clear(&self) {
        self.0.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    pub fn read(&self, slot: usize) -> Slot {
        let [(check, first), (data, second)] = [2 * slot, 2 * slot + 1].map(|place| self.word(place));
        Slot { check, data: Packed(data), stamps: [first, second] }
    }

    pub fn word(&self, place: usize) -> (u64, Stamp) {
        let both = self.0[place].load(Ordering::Relaxed);
        ((both >> 64) as u64, Stamp(both as u64))
    }

    pub fn write(&self, place: usize, word: u64, stamp: Stamp) {
        self.0[place].store(u128::from(word) << 64 | u128::from(stamp.0), Ordering::Relaxed);
    }
}
