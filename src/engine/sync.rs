//! The atomics, and the sleep on a word, of protocols that loom checks: the plain ones, or loom's with `--cfg loom`.
//!
//! Loom runs a small program of threads through all interleavings, and lets a load return any value that the C11 model
//! allows. Two things it does not have are modelled here:
//! - A word to sleep on, as a mutex and a condition variable. Who sleeps checks the word under the mutex, as the kernel
//!   does; nobody wakes without being woken, so a lost call is a deadlock, which loom reports. Like the kernel's lock,
//!   the mutex orders what comes before a call of `wake_one` before what comes after a later `wait`.
//! - The single order of `SeqCst` accesses. To loom they are `AcqRel`, which is less. So a thread's first `SeqCst` load
//!   after a `SeqCst` write of its own comes with a fence in between; if either of the two is weaker, there is none.
//!   The fence also orders what lies around it, which is more than C11 says of accesses.

#[cfg(not(loom))]
mod plain {
    pub use std::hint::spin_loop;
    pub use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU16, AtomicU32, AtomicU64, Ordering};
    pub use std::thread::yield_now;

    pub use atomic_wait::{wait, wake_one};

    /// A word that threads may sleep on.
    pub type Futex = AtomicU32;
}
#[cfg(not(loom))]
pub(crate) use plain::*;

#[cfg(loom)]
mod model {
    use std::cell::Cell;
    use std::ops::Deref;

    pub use loom::hint::spin_loop;
    pub use loom::sync::atomic::Ordering;
    use loom::sync::{Condvar, Mutex, atomic};
    pub use loom::thread::yield_now;

    loom::thread_local! {
        /// Whether this thread has written `SeqCst`, and has not loaded so since.
        static HAS_WRITTEN: Cell<bool> = Cell::new(false);
    }

    fn before_load(ordering: Ordering) {
        if ordering == Ordering::SeqCst && HAS_WRITTEN.with(|written| written.replace(false)) {
            atomic::fence(Ordering::SeqCst);
        }
    }

    fn after_write(ordering: Ordering) {
        if ordering == Ordering::SeqCst {
            HAS_WRITTEN.with(|written| written.set(true));
        }
    }

    macro_rules! atomics {
        ($($name:ident: $value:ty, $($operation:ident)*;)*) => {$(
            /// Loom's atomic, with a model of `SeqCst` where that is used.
            #[derive(Debug, Default)]
            #[allow(dead_code, reason = "not every word has every operation")]
            pub struct $name(atomic::$name);

            impl $name {
                pub fn new(value: $value) -> Self {
                    Self(atomic::$name::new(value))
                }

                pub fn load(&self, ordering: Ordering) -> $value {
                    before_load(ordering);
                    self.0.load(ordering)
                }

                pub fn store(&self, value: $value, ordering: Ordering) {
                    self.0.store(value, ordering);
                    after_write(ordering);
                }

                fn change(&self, ordering: Ordering, change: impl FnOnce(&atomic::$name) -> $value) -> $value {
                    before_load(ordering);
                    let before = change(&self.0);
                    after_write(ordering);
                    before
                }

                pub fn swap(&self, value: $value, ordering: Ordering) -> $value {
                    self.change(ordering, |word| word.swap(value, ordering))
                }

                $( pub fn $operation(&self, value: $value, ordering: Ordering) -> $value {
                    self.change(ordering, |word| word.$operation(value, ordering))
                } )*
            }

            impl Deref for $name {
                type Target = atomic::$name;

                fn deref(&self) -> &Self::Target {
                    &self.0
                }
            }
        )*};
    }

    atomics! {
        AtomicBool: bool,;
        AtomicI32: i32,;
        AtomicU16: u16, fetch_add;
        AtomicU32: u32, fetch_add fetch_sub;
        AtomicU64: u64, fetch_or;
    }

    /// A word that threads may sleep on.
    #[derive(Debug, Default)]
    pub struct Futex {
        word: atomic::AtomicU32,
        sleepers: Mutex<()>,
        woken: Condvar,
    }

    impl Deref for Futex {
        type Target = atomic::AtomicU32;

        fn deref(&self) -> &Self::Target {
            &self.word
        }
    }

    pub fn wait(futex: &Futex, value: u32) {
        let sleepers = futex.sleepers.lock().unwrap();
        if futex.word.load(Ordering::Relaxed) == value {
            drop(futex.woken.wait(sleepers));
        }
    }

    pub fn wake_one(futex: &Futex) {
        let _sleepers = futex.sleepers.lock().unwrap();
        futex.woken.notify_one();
    }
}
#[cfg(loom)]
pub(crate) use model::*;
