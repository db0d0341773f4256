//! The arrangement of the 2004 thesis: a table for each side to move, each in two tiers.
//!
//! A position has one place in each tier. The first, a third of the table, keeps the entry of greater draft; what it
//! gives up moves to the second tier, and what it does not take goes there directly, whatever it replaces. With aging,
//! what an earlier search has left in the first is given up in any case, and not moved: the second has the latest.

use super::entry::Packed;
use super::slot::{Slot, Stamp};
use super::{Table, TableOptions};
use crate::chess::Color;
use crate::machine::Processor;

/// Sizes of the tiers of one side to move, in slots.
pub(super) struct TwoTier {
    per_side: usize,
    first: usize,
    by_remainder: bool,
    demotes_by_check: bool,
}

/// Part of a side's table that is the first tier, in hundredths.
const FIRST_TIER: usize = 33;
const SLOT_BYTES: u64 = 16;

impl TwoTier {
    pub fn new(bytes: u64, options: &TableOptions) -> Self {
        let per_side = ((bytes / SLOT_BYTES / 2) as usize).max(4);
        let TableOptions { by_remainder, demotes_by_check, .. } = *options;
        Self { per_side, first: per_side * FIRST_TIER / 100, by_remainder, demotes_by_check }
    }

    pub fn slots(&self) -> usize {
        2 * self.per_side
    }

    /// Place of a position in the first tier.
    #[inline(always)]
    pub fn first(&self, key: u64, side: Color) -> usize {
        side.index() * self.per_side + self.place(key, self.first)
    }

    /// Place of a position in the second tier. The other half of the key comes first here, so that neighbours in one
    /// tier are strangers in the other.
    #[inline(always)]
    pub fn second(&self, key: u64, side: Color) -> usize {
        let key = if self.by_remainder { key } else { key.rotate_left(32) };
        side.index() * self.per_side + self.first + self.place(key, self.per_side - self.first)
    }

    #[inline(always)]
    fn place(&self, key: u64, places: usize) -> usize {
        if self.by_remainder { (key % places as u64) as usize } else { scaled(key, places) }
    }

    #[inline(always)]
    pub fn store<P: Processor>(
        &self,
        table: &Table,
        processor: &P,
        (key, side): (u64, Color),
        data: Packed,
        stamp: Stamp,
    ) {
        let (first, new) = (self.first(key, side), Slot::new(key, data, stamp));
        // `None` if the first tier keeps what it has, else what it gave up.
        let given_up = table.guarded(processor, first, || {
            let old = table.cells.read(first);
            let takes = old.data.is_empty() || data.draft() > old.data.draft() || table.is_old(old.data);
            takes.then(|| {
                table.write(processor, first, new);
                old
            })
        });
        let Some(old) = given_up else {
            let place = self.second(key, side);
            return table.guarded(processor, place, || table.write(processor, place, new));
        };
        if !old.data.is_empty() && !table.is_old(old.data) {
            let place = self.second(if self.demotes_by_check { old.check } else { old.key() }, side);
            table.guarded(processor, place, || table.write_moved(processor, place, old));
        }
    }
}

/// Maps keys evenly onto places 0 to `places` - 1, without a division.
#[inline(always)]
pub(super) fn scaled(key: u64, places: usize) -> usize {
    ((u128::from(key) * places as u128) >> 64) as usize
}
