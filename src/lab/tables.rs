//! Transposition tables that a laboratory lends to its searches. Tables that cannot be held in memory are refused
//! before anything is allocated: the system would end the program instead of the search, and an experiment with it.
//! Searches that run side by side and do not fit in together wait for one another.

use std::io;
use std::ops::Deref;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::machine::host::Memory;
use crate::search::table::{TableOptions, Tables};

/// Options of a table and number of workers: tables that agree in both are exchangeable.
pub type TableShape = (TableOptions, usize);

/// Memory that a worker takes beside the table: the used part of its stack, histories and split points. Measured with
/// 1024 virtual processors, where the strategies take 40 to 90 KiB each in shallow searches.
const WORKER_BYTES: u64 = 128 << 10;

/// Addresses that a worker takes beside the table: its whole stack of 16 MiB, of which little is used, its moves and
/// its memory of the line.
const WORKER_ADDRESSES: u64 = 20 << 20;
/// Addresses that the program itself takes, with its tables of moves and what a report needs.
const PROGRAM_ADDRESSES: u64 = 192 << 20;

/// Reason why a search gets no tables.
#[derive(Debug, thiserror::Error)]
pub enum NoTables {
    /// Tables larger than the memory that the process can have.
    #[error("{} does not fit into the memory available to this process, {} MiB",
        wanted(.shape, Some(*.room)), in_mib(*.room))]
    TooLarge {
        /// Tables that were asked for.
        shape: TableShape,
        /// Bytes that the process can have at most.
        room: u64,
    },
    /// The system did not give the memory.
    #[error("there is no memory for {}: {error}", wanted(.shape, None))]
    Refused {
        /// Tables that were asked for.
        shape: TableShape,
        /// Answer of the system.
        error: io::Error,
    },
}

fn in_mib(bytes: u64) -> u64 {
    bytes >> 20
}

/// Tables of this shape in words; with their workers, where these make them too large for the room.
fn wanted((options, workers): &TableShape, room: Option<u64>) -> String {
    let audit = if options.audit { " (with audit, which doubles it)" } else { "" };
    let workers = match room {
        Some(room) if options.memory_bytes() <= room => format!(" (processors: {workers})"),
        _ => String::new(),
    };
    format!("a table of {} MiB{audit}{workers}", in_mib(options.bytes))
}

/// Tables of a laboratory: those that are lent, and spare ones that no search uses at the moment.
pub struct Stock {
    /// Bytes that the process could have at the beginning, where the system tells.
    room: Option<u64>,
    /// Whether the room is asked for again before memory is taken: other programs have taken some since, or given back.
    is_of_system: bool,
    /// Addresses that the process can have at most, where that is limited.
    addresses: Option<u64>,
    state: Mutex<State>,
    /// Signalled when tables come back.
    returned: Condvar,
}

#[derive(Default)]
struct State {
    /// Bytes that searches use.
    lent: u64,
    spare: Vec<(TableShape, Tables)>,
}

impl State {
    fn taken(&self) -> u64 {
        self.lent + self.spare.iter().map(|(shape, _)| needed(shape)).sum::<u64>()
    }
}

/// Bytes that a search with tables of this shape takes.
fn needed((options, workers): &TableShape) -> u64 {
    options.memory_bytes().saturating_add(WORKER_BYTES * *workers as u64)
}

/// Addresses that a search with tables of this shape takes, with the program.
fn addresses((options, workers): &TableShape) -> u64 {
    options.memory_bytes().saturating_add(WORKER_ADDRESSES * *workers as u64).saturating_add(PROGRAM_ADDRESSES)
}

impl Default for Stock {
    fn default() -> Self {
        let memory = Memory::of_system();
        let addresses = memory.address_space_bytes;
        Self { addresses, is_of_system: true, ..Self::with_room(memory.room_bytes()) }
    }
}

impl Stock {
    fn with_room(room: Option<u64>) -> Self {
        Self { room, is_of_system: false, addresses: None, state: Mutex::default(), returned: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of spare tables.
    #[cfg(test)]
    pub fn spare(&self) -> usize {
        self.state().spare.len()
    }

    /// Checks that a search with tables of this shape fits into memory, if no other runs beside it.
    pub fn check(&self, shape: &TableShape) -> Result<(), NoTables> {
        let limits = [(self.room, needed(shape)), (self.addresses, addresses(shape))];
        let too_small = limits.into_iter().find_map(|(room, needed)| room.filter(|room| needed > *room));
        match too_small {
            Some(room) => Err(NoTables::TooLarge { shape: *shape, room }),
            None => Ok(()),
        }
    }

    /// Lends empty tables of this shape, zeroed by this many threads: spare ones, if there are any. Waits until there
    /// is room beside those that are lent.
    pub fn lend(&self, shape: TableShape, zeroing: usize) -> Result<Lent<'_>, NoTables> {
        self.check(&shape)?;
        let mut state = self.state();
        if let Some(place) = state.spare.iter().position(|(known, _)| *known == shape) {
            let (_, mut tables) = state.spare.swap_remove(place);
            let share = self.share(state, shape);
            tables.clear(zeroing);
            return Ok(Lent { tables, share });
        }
        // Never more tables than searches at once.
        state.spare.clear();
        while state.lent > 0 && self.room.is_some_and(|room| state.taken() + needed(&shape) > room) {
            state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.spare.clear();
        }
        let now = self.is_of_system.then(|| Memory::of_system().room_bytes()).flatten();
        if let Some(room) = now.filter(|room| needed(&shape) > *room) {
            return Err(NoTables::TooLarge { shape, room });
        }
        let share = self.share(state, shape);
        let tables = Tables::try_new(&shape.0, shape.1, zeroing);
        let tables = tables.map_err(|error| NoTables::Refused { shape, error })?;
        Ok(Lent { tables, share })
    }

    fn share(&self, mut state: MutexGuard<'_, State>, shape: TableShape) -> Share<'_> {
        state.lent += needed(&shape);
        Share { stock: self, shape }
    }
}

/// Tables that a search has for itself. Their memory is free again when they are dropped.
pub struct Lent<'a> {
    tables: Tables,
    share: Share<'a>,
}

/// Part of the memory that a search uses, until it is dropped.
struct Share<'a> {
    stock: &'a Stock,
    shape: TableShape,
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.stock.state().lent -= needed(&self.shape);
        self.stock.returned.notify_all();
    }
}

impl Lent<'_> {
    /// Gives the tables back, for the next search that needs such.
    pub fn give_back(self) {
        let Self { tables, share } = self;
        share.stock.state().spare.push((share.shape, tables));
    }
}

impl Deref for Lent<'_> {
    type Target = Tables;

    fn deref(&self) -> &Tables {
        &self.tables
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::search::features::Features;
    use crate::search::table::Scheme;
    use crate::search::{Limits, SearchSettings};

    const MIB: u64 = 1 << 20;

    fn shape(mib: u64, workers: usize) -> TableShape {
        let settings = SearchSettings { features: Features::default(), limits: Limits::depth(1), seed: 0 };
        (settings.table(Scheme::Lockless, mib * MIB), workers)
    }

    #[test]
    fn stacks_must_fit_into_the_address_space() {
        let stock = Stock { addresses: Some(3 << 30), ..Stock::with_room(Some(64 << 30)) };
        for (shape, fits) in [(shape(1000, 65), true), (shape(2000, 65), false), (shape(1, 1024), false)] {
            assert_eq!(stock.check(&shape).is_ok(), fits, "{shape:?}");
        }
        let told = stock.check(&shape(1, 1024)).unwrap_err().to_string();
        assert!(told.contains("(processors: 1024) does not fit into the memory available to this process, 3072 MiB"));
    }

    #[test]
    fn what_does_not_fit_is_refused_before_it_is_allocated() {
        let stock = Stock::with_room(Some(64 * MIB));
        let audited = |(options, workers): TableShape| (TableOptions { audit: true, ..options }, workers);
        for (shape, expected) in [
            (shape(63, 1), None),
            (shape(64, 1), Some("a table of 64 MiB (processors: 1)")),
            (shape(1 << 40, 1), Some("1099511627776 MiB does not fit into the memory")),
            (audited(shape(40, 1)), Some("a table of 40 MiB (with audit, which doubles it) does not")),
            (shape(1, 1024), Some("(processors: 1024) does not fit into the memory available to this process, 64 MiB")),
            ((TableOptions { scheme: Scheme::None, ..shape(100, 1).0 }, 1), None),
        ] {
            let found = stock.check(&shape).err().map(|error| error.to_string());
            match expected {
                None => assert_eq!(found, None),
                Some(part) => assert!(found.as_ref().is_some_and(|text| text.contains(part)), "{found:?}"),
            }
            assert_eq!(stock.lend(shape, 1).is_ok(), expected.is_none());
        }
        assert!(Stock::with_room(None).check(&shape(1 << 30, 1024)).is_ok(), "what is not known is allowed");
    }

    /// Ten searches side by side, each with more than a third of the memory: at most two have tables at once.
    #[test]
    fn searches_wait_for_one_another() {
        let (stock, at_once, most) = (Stock::with_room(Some(10 * MIB)), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for i in 0..10 {
                let (stock, at_once, most) = (&stock, &at_once, &most);
                scope.spawn(move || {
                    let tables = stock.lend(shape(4, 1), 1).unwrap();
                    most.fetch_max(at_once.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
                    std::thread::sleep(std::time::Duration::from_millis(2));
                    at_once.fetch_sub(1, Ordering::Relaxed);
                    if i % 2 == 0 {
                        tables.give_back();
                    }
                });
            }
        });
        assert!((1..=2).contains(&most.into_inner()));
        assert_eq!(stock.state().lent, 0);
    }
}
