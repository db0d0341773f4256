//! A static table that is filled once, before it can be read, and then read without a check.

use std::cell::UnsafeCell;
use std::sync::Once;

/// Table that [`Filled::fill`] completes. Reading it costs what reading any static costs.
pub struct Filled<T> {
    once: Once,
    table: UnsafeCell<T>,
}

// SAFETY: the table is written only inside `Once::call_once`, and `get` demands that this has happened before.
unsafe impl<T: Send + Sync> Sync for Filled<T> {}

impl<T> Filled<T> {
    /// The table before it is filled; all zero, it takes no room in the binary.
    pub const fn new(blank: T) -> Self {
        Self { once: Once::new(), table: UnsafeCell::new(blank) }
    }

    /// Fills the table if that has not been done. Returns when it is filled, by this thread or another.
    pub fn fill(&'static self, write: impl FnOnce(&mut T)) {
        // SAFETY: `call_once` runs one closure only, others wait for it, and nobody reads before it has returned.
        self.once.call_once(|| write(unsafe { &mut *self.table.get() }));
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
