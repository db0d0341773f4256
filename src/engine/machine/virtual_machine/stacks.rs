//! Stacks of coroutines: large, with a guard page, and used again by the next run.

use std::cell::RefCell;
use std::io;

use corosensei::stack::DefaultStack;

use super::super::Failure;

/// Size of a stack. Only pages that were used take memory. Protocols that let a waiting owner help anywhere nest
/// without bound, and an overflow ends the whole process.
const STACK_BYTES: usize = 16 << 20;

thread_local! {
    static UNUSED: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
}

/// Takes a stack for each processor, used or new.
pub fn take(processors: usize) -> Result<Vec<DefaultStack>, Failure> {
    let one = |_| {
        let used = UNUSED.with_borrow_mut(Vec::pop);
        used.map_or_else(|| DefaultStack::new(STACK_BYTES), Ok)
    };
    let no_stack = |error: io::Error| Failure::NoStack { processors, bytes: STACK_BYTES, error: error.to_string() };
    (0..processors).map(one).collect::<io::Result<_>>().map_err(no_stack)
}

/// Keeps a stack for the next coroutine of this thread.
pub fn give_back(stack: DefaultStack) {
    UNUSED.with_borrow_mut(|unused| unused.push(stack));
}
