//! Buckets of four entries that share a cache line, one table for both sides. The shallowest entry gives way; with
//! aging, those of earlier searches first.

use super::Table;
use super::entry::Packed;
use super::slot::{Slot, Stamp};
use super::two_tier::scaled;
use crate::chess::{Color, with_side};
use crate::machine::Processor;
use crate::sync::AtomicU64;

/// Number of 4-entry buckets.
pub(super) struct Buckets {
    count: usize,
}

/// Entries in a bucket.
pub(super) const ENTRIES: usize = 4;
const BUCKET_BYTES: u64 = 64;
/// Draft by which an inexact score may be shallower than the one of the same position that it replaces, in hundredths
/// of a ply.
const SHALLOWER: u32 = 300;
/// Advantage of an entry of this search over one of an earlier search, in plies: above all drafts.
const OF_THIS_SEARCH: u32 = 1 << 16;

impl Buckets {
    pub fn new(bytes: u64) -> Self {
        Self { count: ((bytes / BUCKET_BYTES) as usize).max(1) }
    }

    pub fn slots(&self) -> usize {
        self.count * ENTRIES
    }

    /// Key under which a position is kept here.
    #[inline(always)]
    pub fn key(&self, key: u64, side: Color) -> u64 {
        with_side(key, side)
    }

    /// First slot of the position's bucket.
    #[inline(always)]
    pub fn start(&self, key: u64) -> usize {
        scaled(key, self.count) * ENTRIES
    }

    /// Words of the slots of the position's bucket, among those of all.
    #[inline(always)]
    pub fn words<'a>(&self, all: &'a [AtomicU64], key: u64) -> impl Iterator<Item = [&'a AtomicU64; 2]> {
        let first = 2 * self.start(key);
        all[first..first + 2 * ENTRIES].chunks_exact(2).map(|words| [&words[0], &words[1]])
    }

    #[inline(always)]
    pub fn store<P: Processor>(&self, table: &Table, processor: &P, key: u64, data: Packed, stamp: Stamp) {
        let start = self.start(key);
        table.guarded(processor, start, || {
            let (mut place, mut least) = (start, u32::MAX);
            for slot in start..start + ENTRIES {
                let old = table.cells.read(slot);
                let is_old = table.is_old(old.data);
                if old.is_of(key, table.compared) {
                    let is_much_deeper = old.data.draft() >= data.draft() + SHALLOWER;
                    if is_much_deeper && !is_old && !data.is_exact() {
                        return;
                    }
                    place = slot;
                    break;
                }
                // An empty slot has draft 0; entries have more.
                let worth = old.data.draft() + if is_old { 0 } else { OF_THIS_SEARCH };
                if worth < least {
                    (place, least) = (slot, worth);
                }
            }
            table.write(processor, place, Slot::new(key, data, stamp));
        });
    }
}
