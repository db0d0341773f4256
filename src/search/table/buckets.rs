//! Buckets of four entries that share a cache line, one table for both sides. The shallowest entry gives way, and each
//! search that has begun since it was written counts against it.

use super::audit::Stamp;
use super::entry::Packed;
use super::two_tier::scaled;
use super::{Slot, Table};
use crate::chess::Color;
use crate::machine::Processor;

/// How many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buckets {
    count: usize,
}

/// Entries in a bucket.
pub(super) const ENTRIES: usize = 4;
const BUCKET_BYTES: u64 = 64;
/// What an entry loses in worth for each search since, in hundredths of a ply.
const AGE: i32 = 800;
/// An inexact score may replace one of the same position that is deeper by less than this.
const SHALLOWER: u32 = 300;
/// Tells the sides apart where the key does not.
const BLACK: u64 = 0x9E6C_63D0_876A_3F2B;

impl Buckets {
    pub fn new(bytes: u64) -> Self {
        Self { count: ((bytes / BUCKET_BYTES) as usize).max(1) }
    }

    pub fn slots(&self) -> usize {
        self.count * ENTRIES
    }

    /// The key under which a position is kept here.
    #[inline(always)]
    pub fn key(&self, key: u64, side: Color) -> u64 {
        match side {
            Color::White => key,
            Color::Black => key ^ BLACK,
        }
    }

    /// The first slot of the position's bucket.
    #[inline(always)]
    pub fn start(&self, key: u64) -> usize {
        scaled(key, self.count) * ENTRIES
    }

    #[inline(always)]
    pub fn store<P: Processor>(&self, table: &Table, processor: &P, key: u64, data: Packed, stamp: Stamp) {
        let start = self.start(key);
        table.guarded(processor, start, || {
            let (mut place, mut least) = (start, i32::MAX);
            for slot in start..start + ENTRIES {
                let old = table.cells.read(slot);
                if old.is_of(key) {
                    let is_much_deeper = old.data.draft() >= data.draft() + SHALLOWER;
                    if is_much_deeper && !data.is_exact() && !old.data.is_old(table.generation) {
                        return;
                    }
                    place = slot;
                    break;
                }
                let worth = if old.data.is_empty() {
                    i32::MIN
                } else {
                    old.data.draft() as i32 - AGE * old.data.age(table.generation) as i32
                };
                if worth < least {
                    (place, least) = (slot, worth);
                }
            }
            table.write(processor, place, Slot::new(key, data, stamp));
        });
    }
}
