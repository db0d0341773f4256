//! Waiting for a lock in the order of asking, by two methods that cost differently where many wait.
//!
//! Who finds the lock free takes it at once, whatever the waiting mode; only who finds it taken lines up. The head
//! of the line takes the word by the same exchange as everybody, so a newcomer may come before it, in the moment after
//! the lock was given back. Those who wait are served in the order of asking.
//! - [`Tickets`]: a waiter draws a number, and reads until its number is served and the word is free. All read the
//!   cache line of the lock, so all fetch it anew whenever the lock is given back.
//! - [`Queue`]: a waiter goes to the end of a queue, and reads its own [`Seat`] until the one before it, who has taken
//!   the lock, makes it the head. Only the head reads the line of the lock (Mellor-Crummey and Scott, "Algorithms for
//!   Scalable Synchronization on Shared-Memory Multiprocessors", 1991; with a word that the head waits for, as in
//!   Linux's queued spinlock). A thread waits for one lock at a time, so that one seat is enough, and it is free again
//!   when the thread has the lock.
//!
//! If there are more threads than cores, the one whose turn it is may have none. So a thread that has waited for some
//! time offers its core to others at each check: see [`Patience`].
//!
//! # Memory ordering
//! What a lock guards is ordered by its word, see the module `lock`; the line only says when to try it. So numbers
//! of [`Tickets`] are `Relaxed`: each is drawn once, and `serving` is changed only by who reads its own number there.
//! Seats are used again and again, so what is written to them is ordered:
//! - The `AcqRel` swap of `last` in [`Queue::line_up`] pairs with that of the next in line, which so writes to the seat
//!   before it after the owner of that seat has cleared it.
//! - The `Release` store of `next` there pairs with the `Acquire` load in [`Queue::leave`], so a thread is made the
//!   head after it has cleared its seat.
//!
//! `is_head` needs no more than its value, and a `last` that is cleared says nothing about any seat.

use crate::sync::{AtomicBool, AtomicU16, Ordering, spin_loop, yield_now};

use super::call::CHECKS;

/// Numbers in the order of asking. Fewer than 65536 wait at once.
#[derive(Debug, Default)]
pub(super) struct Tickets {
    /// Number that is drawn next.
    next: AtomicU16,
    /// Number of whose turn it is, or `next` if nobody waits.
    serving: AtomicU16,
}

impl Tickets {
    /// Draws the next number.
    pub fn draw(&self) -> Ticket<'_> {
        Ticket { number: self.next.fetch_add(1, Ordering::Relaxed), of: self }
    }

    /// Number of those who wait.
    pub fn waiting(&self) -> u16 {
        self.before(self.next.load(Ordering::Relaxed))
    }

    fn before(&self, number: u16) -> u16 {
        number.wrapping_sub(self.serving.load(Ordering::Relaxed))
    }
}

/// Number of one who waits. It is dropped when its owner has the lock, and the next number is served.
pub(super) struct Ticket<'a> {
    number: u16,
    of: &'a Tickets,
}

impl Ticket<'_> {
    /// Number of those who come before.
    pub fn before(&self) -> u16 {
        self.of.before(self.number)
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.of.serving.fetch_add(1, Ordering::Relaxed);
    }
}

/// Place of a thread in the queue for a lock. On a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Seat {
    /// Id of the next in line plus 1, or 0.
    next: AtomicU16,
    is_head: AtomicBool,
}

/// Threads that wait for a lock, each linked to the next by its seat.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Id of the last in line plus 1, or 0.
    last: AtomicU16,
}

impl Queue {
    /// Waits until this thread is the head of the line.
    pub fn line_up(&self, id: usize, seats: &[Seat]) {
        let (seat, own) = (&seats[id], id as u16 + 1);
        seat.next.store(0, Ordering::Relaxed);
        seat.is_head.store(false, Ordering::Relaxed);
        // AcqRel: pairs with the same swap of those before and after.
        let before = self.last.swap(own, Ordering::AcqRel);
        if before != 0 {
            // Release: pairs with the load in `leave`.
            seats[usize::from(before) - 1].next.store(own, Ordering::Release);
            let mut patience = Patience::default();
            while !seat.is_head.load(Ordering::Relaxed) {
                patience.pause();
            }
        }
    }

    /// Whether this thread is the last in line.
    #[cfg(test)]
    pub fn is_last(&self, id: usize) -> bool {
        self.last.load(Ordering::Relaxed) == id as u16 + 1
    }

    /// Leaves the line, and makes the next its head. For the head, once it has the lock.
    pub fn leave(&self, id: usize, seats: &[Seat]) {
        let own = id as u16 + 1;
        if self.last.compare_exchange(own, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            return;
        }
        let mut patience = Patience::default();
        loop {
            // Acquire: pairs with the store in `line_up`.
            let next = seats[id].next.load(Ordering::Acquire);
            if next != 0 {
                return seats[usize::from(next) - 1].is_head.store(true, Ordering::Relaxed);
            }
            patience.pause();
        }
    }
}

/// Pauses between the checks of a thread that waits in line: short ones at first, then it lets other threads go.
pub(super) struct Patience {
    checks: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self { checks: CHECKS }
    }
}

impl Patience {
    /// Pauses between two checks.
    pub fn pause(&mut self) {
        if self.checks > 0 {
            self.checks -= 1;
            spin_loop();
        } else {
            yield_now();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Mutex;

    use super::super::lock::LockWord;
    use super::super::{RealMachine, Waiting};
    use super::*;

    /// Threads ask one after the other for a lock that is taken, and each again when it has had it.
    #[test]
    fn those_who_wait_are_served_in_the_order_of_asking() {
        let count = 4 * RealMachine::room();
        for waiting in [Waiting::Ticket, Waiting::Queue] {
            let (lock, served) = (LockWord::default(), Mutex::new(Vec::new()));
            let seats: Vec<Seat> = (0..=count).map(|_| Seat::default()).collect();
            for round in 0..20 {
                assert!(lock.try_take(0));
                let mut order: Vec<usize> = (1..=count).collect();
                order.rotate_left(round % count);
                if round % 2 == 1 {
                    order.reverse();
                }
                std::thread::scope(|scope| {
                    for (place, &id) in order.iter().enumerate() {
                        let (lock, served, seats) = (&lock, &served, &seats);
                        scope.spawn(move || {
                            lock.take_contended(id, waiting, seats);
                            served.lock().unwrap().push(id);
                            lock.give_back();
                        });
                        while !lock.has_in_line(place + 1, id) {
                            yield_now();
                        }
                    }
                    lock.give_back();
                });
                assert_eq!(std::mem::take(&mut *served.lock().unwrap()), order, "{waiting:?}, round {round}");
            }
        }
    }

    /// Numbers begin anew after 65535, and nobody is lost there.
    #[test]
    fn tickets_begin_anew() {
        let tickets = Tickets::default();
        for _ in 0..70_000 {
            let (first, second) = (tickets.draw(), tickets.draw());
            assert_eq!([first.before(), second.before(), tickets.waiting()], [0, 1, 2]);
            drop(first);
            assert_eq!((second.before(), tickets.waiting()), (0, 1));
        }
    }
}
