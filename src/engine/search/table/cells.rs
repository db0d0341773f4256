//! The words of a table's slots: for an entry its check and its data.

use std::sync::atomic::Ordering::Relaxed;

use super::audit::Audited;
use super::entry::Packed;
use super::memory::Memory;
use super::slot::{Slot, Stamp};
use crate::sync::AtomicU64;

/// The words of all slots.
pub(super) enum Cells {
    Plain(Memory),
    Audited(Audited),
}

impl Cells {
    #[inline(always)]
    pub fn read(&self, slot: usize) -> Slot {
        match self {
            Self::Plain(words) => {
                let (check, data) = (words[2 * slot].load(Relaxed), words[2 * slot + 1].load(Relaxed));
                Slot { check, data: Packed(data), stamps: [Stamp::NONE; 2] }
            }
            Self::Audited(audited) => audited.read(slot),
        }
    }

    /// All words, if they have no stamps.
    #[inline(always)]
    pub fn plain(&self) -> Option<&[AtomicU64]> {
        match self {
            Self::Plain(words) => Some(words),
            Self::Audited(_) => None,
        }
    }

    #[inline(always)]
    pub fn read_data(&self, slot: usize) -> (Packed, Stamp) {
        match self {
            Self::Plain(words) => (Packed(words[2 * slot + 1].load(Relaxed)), Stamp::NONE),
            Self::Audited(audited) => {
                let (data, stamp) = audited.word(2 * slot + 1);
                (Packed(data), stamp)
            }
        }
    }

    #[inline(always)]
    pub fn write(&self, place: usize, word: u64, stamp: Stamp) {
        match self {
            Self::Plain(words) => words[place].store(word, Relaxed),
            Self::Audited(audited) => audited.write(place, word, stamp),
        }
    }

    #[inline(always)]
    pub fn prefetch(&self, slot: usize) {
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

    pub fn clear(&self, threads: usize) {
        match self {
            Self::Plain(words) => words.clear(threads),
            Self::Audited(audited) => audited.clear(),
        }
    }

    pub fn on_large_pages(&self) -> Option<u64> {
        match self {
            Self::Plain(words) => words.on_large_pages(),
            Self::Audited(_) => None,
        }
    }

    pub fn standing_torn(&self) -> u64 {
        match self {
            Self::Plain(_) => 0,
            Self::Audited(audited) => (0..audited.slots()).filter(|slot| audited.read(*slot).is_torn()).count() as u64,
        }
    }
}
