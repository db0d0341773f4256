//! Stacks of coroutines: large, with a guard page, and used again by the next run.

use std::cell::RefCell;

use corosensei::stack::DefaultStack;

/// Size of a stack. Only pages that were used take memory. Protocols that let a waiting owner help anywhere nest
/// without bound, and an overflow ends the whole process.
const STACK_BYTES: usize = 16 << 20;

thread_local! {
    static UNUSED: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
}

/// Takes a stack, used or new.
pub fn take() -> DefaultStack {
    let used = UNUSED.with_borrow_mut(Vec::pop);
    used.unwrap_or_else(|| {
        DefaultStack::new(STACK_BYTES)
            .unwrap_or_else(|error| panic!("no room to reserve a stack of {STACK_BYTES} bytes: {error}"))
    })
}

/// Keeps a stack for the next coroutine of this thread.
pub fn give_back(stack: DefaultStack) {
    UNUSED.with_borrow_mut(|unused| unused.push(stack));
}
