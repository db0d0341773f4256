//! A static table that is filled once, before it can be read, and then read without a check.

use std::cell::UnsafeCell;
use std::sync::{Mutex, PoisonError};

/// Table that [`Filled::fill`] completes. Reading it costs what reading any static costs.
pub struct Filled<T> {
    /// Whether the table is filled. Unlike a `Once` it begins as zeros, without which the whole table would stand in
    /// the binary.
    is_filled: Mutex<bool>,
    table: UnsafeCell<T>,
}

// SAFETY: the table is written only under the lock and before it counts as filled, and `get` demands that it does.
unsafe impl<T: Send + Sync> Sync for Filled<T> {}

impl<T> Filled<T> {
    /// The table before it is filled; all zero, it takes no room in the binary.
    pub const fn new(blank: T) -> Self {
        Self { is_filled: Mutex::new(false), table: UnsafeCell::new(blank) }
    }

    /// Fills the table if that has not been done. Returns when it is filled, by this thread or another.
    pub fn fill(&'static self, write: impl FnOnce(&mut T)) {
        let mut is_filled = self.is_filled.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_filled {
            // SAFETY: others wait for the lock, and nobody reads before this has returned.
            write(unsafe { &mut *self.table.get() });
            *is_filled = true;
        }
    }

    /// The filled table.
    ///
    /// # Safety
    /// A call of [`Filled::fill`] must have returned before. The slider types are the proof of that: a value of them is
    /// made by `prepare` alone, after filling.
    #[inline(always)]
    pub unsafe fn get(&'static self) -> &'static T {
        // SAFETY: filled, and never written again.
        unsafe { &*self.table.get() }
    }
}
