//! The tables of a search: one that all workers share, one for each, or one in parts.

use std::io;

use super::cells::Cells;
use super::entry::Generation;
use super::{Arrangement, Scheme, Table, TableOptions};

/// The table that all workers share, or one for each.
pub struct Tables(Vec<Table>);

impl Tables {
    /// Empty tables for a number of workers, zeroed by a number of threads.
    ///
    /// # Panics
    /// If there is no room for them.
    pub fn new(options: &TableOptions, workers: usize, threads: usize) -> Self {
        Self::try_new(options, workers, threads).expect("room for the tables")
    }

    /// Empty tables like those of [`new`](Self::new), if there is room for them.
    pub fn try_new(options: &TableOptions, workers: usize, threads: usize) -> io::Result<Self> {
        let is_distributed = matches!(options.scheme, Scheme::Distributed | Scheme::Unawaited);
        if is_distributed && workers > 1 {
            return Table::in_parts(options, workers, threads).map(|table| Self(vec![table]));
        }
        let tables = if options.scheme == Scheme::Private { workers.max(1) } else { 1 };
        let table = |_| Table::new(options, options.bytes / tables as u64, threads);
        (0..tables).map(table).collect::<io::Result<_>>().map(Self)
    }

    /// Tables that hold entries: those of all workers, or the parts of the one table.
    pub(super) fn all(&self) -> &[Table] {
        match &self.0[0].arrangement {
            Arrangement::Parts(parts) => &parts.tables,
            _ => &self.0,
        }
    }

    fn all_mut(&mut self) -> &mut [Table] {
        match self.0[0].arrangement {
            Arrangement::Parts(_) => match &mut self.0[0].arrangement {
                Arrangement::Parts(parts) => &mut parts.tables,
                _ => &mut [],
            },
            _ => &mut self.0,
        }
    }

    /// Table of a worker.
    pub(in crate::search) fn of(&self, worker: usize) -> &Table {
        &self.0[worker % self.0.len()]
    }

    /// Empties the tables, by a number of threads.
    pub fn clear(&mut self, threads: usize) {
        for table in self.all_mut() {
            table.cells.clear(threads);
            table.generation = Generation::FIRST;
        }
        if let Arrangement::Parts(parts) = &mut self.0[0].arrangement {
            parts.forget_letters();
        }
    }

    /// Ends a search, where the tables are kept for another: if they age, what they hold is now of an earlier search.
    pub fn end_search(&mut self) {
        let aging = self.all_mut().iter_mut().filter(|table| table.ages);
        aging.for_each(|table| table.generation = table.generation.next());
    }

    /// Number of bytes that lie on large pages, where the system tells.
    pub fn on_large_pages(&self) -> Option<u64> {
        self.all().iter().map(|table| table.cells.on_large_pages()).sum()
    }

    /// Whether words are stamped with their writers.
    pub fn are_audited(&self) -> bool {
        self.all().iter().any(|table| matches!(table.cells, Cells::Audited(_)))
    }

    /// Used slots of a thousand, by some of them, which lie evenly in all tables. `None`: there are no slots.
    pub fn thousandths_used(&self) -> Option<u32> {
        const ASKED: usize = 4_096;
        let tables = self.all();
        let slots = tables[0].bytes as usize / 16;
        let all = slots * tables.len();
        let asked = all.min(ASKED);
        let is_used = |place: &usize| {
            let slot = place * all / asked;
            !tables[slot / slots].cells.read_data(slot % slots).0.is_empty()
        };
        let used = (0..asked).filter(is_used).count();
        (asked > 0).then(|| (used * 1_000 / asked) as u32)
    }

    /// With audit: number of slots that hold words of two different stores.
    pub fn standing_torn(&self) -> u64 {
        self.all().iter().map(|table| table.cells.standing_torn()).sum()
    }

    /// Numbers of probes of other workers' parts of a distributed table, and of those that were not answered in time.
    /// None if each worker reads the tables by itself.
    pub fn asked_and_unanswered(&self) -> Option<[u64; 2]> {
        match &self.0[0].arrangement {
            Arrangement::Parts(parts) => Some(parts.asked_and_unanswered()),
            _ => None,
        }
    }
}
