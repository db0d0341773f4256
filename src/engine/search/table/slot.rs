//! One slot of a table as it is read: the words of an entry, and the stamps by which an audited table tells torn
//! entries.

use std::sync::atomic::Ordering::Relaxed;

use super::entry::Packed;
use crate::machine::Processor;
use crate::random::SplitMix;
use crate::sync::AtomicU64;

/// Both words of a slot, with their stamps.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub check: u64,
    pub data: Packed,
    pub stamps: [Stamp; 2],
}

/// Whether these are words of several stores, or a word of several.
#[inline(always)]
pub(super) fn is_torn(data: Packed, stamps: [Stamp; 2]) -> bool {
    stamps[0].store() != stamps[1].store() || !stamps[1].is_on(data.0)
}

impl Slot {
    /// Reads a slot without stamps: its check, and then its data.
    #[inline(always)]
    pub fn read<P: Processor>(processor: &P, words: [&AtomicU64; 2]) -> Self {
        let (check, mut data) = (words[0].load(Relaxed), words[1].load(Relaxed));
        if processor.midway() {
            data = words[1].load(Relaxed);
        }
        Self { check, data: Packed(data), stamps: [Stamp::NONE; 2] }
    }

    /// An entry, and the stamp on its position.
    #[inline(always)]
    pub fn new(key: u64, data: Packed, stamp: Stamp) -> Self {
        Self { check: key ^ data.0, data, stamps: [stamp, stamp.on(data.0)] }
    }

    /// Key that the check and the data make together.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.check ^ self.data.0
    }

    /// Whether this is an entry of a position with this key, by the bits that are compared.
    #[inline(always)]
    pub fn is_of(&self, key: u64, compared: u64) -> bool {
        (self.key() ^ key) & compared == 0 && !self.data.is_empty()
    }

    #[inline(always)]
    pub fn is_torn(&self) -> bool {
        is_torn(self.data, self.stamps)
    }
}

/// Writer of a word, number of the store, and a digest of what was stored: of the position, or of its data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp(pub(super) u64);

/// Torn entries that a probe met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Torn {
    /// Torn entries whose check failed.
    pub rejected: u64,
    /// Torn entries whose check passed.
    pub accepted: u64,
}

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

    /// Stamp of the same store on this word: the second key of a position, or data.
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
