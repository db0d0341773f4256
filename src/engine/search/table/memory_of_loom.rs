//! Memory of a table in loom's checks: words that loom knows, in place of `memory.rs`.

use std::io;
use std::ops::Deref;

use crate::sync::{AtomicU64, Ordering};

/// Words that many threads read and write.
pub(super) struct Memory(Box<[AtomicU64]>);

impl Memory {
    pub fn zeroed(length: usize) -> io::Result<Self> {
        Ok(Self((0..length).map(|_| AtomicU64::new(0)).collect()))
    }

    pub fn clear(&self, _: usize) {
        self.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    pub fn on_large_pages(&self) -> Option<u64> {
        None
    }
}

impl Deref for Memory {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        &self.0
    }
}
