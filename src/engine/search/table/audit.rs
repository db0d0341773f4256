//! Audited tables: every word is stored together with a stamp of its writer, as one atomic of 16 bytes.
//!
//! Without it a torn entry cannot be told from another position's. With it, an entry is torn if its words carry stamps
//! of two stores, or if its data is not what the stamp is on: rejected if its check fails, accepted if it passes. The
//! stamp of the check is on the position, by its second key: an entry whose check passes is a false match if it is of
//! another position.
//! Twice the memory and slower stores: for counting, not for timing.

use std::io;

use portable_atomic::{AtomicU128, Ordering};

use super::entry::Packed;
use super::slot::{Slot, Stamp};

/// Words of all slots, each with its stamp.
pub(super) struct Audited(Box<[AtomicU128]>);

/// Factor by which stamps enlarge a table.
pub(super) const MEMORY_FACTOR: u64 = 2;

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
