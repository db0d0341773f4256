//! The tables of a search: on each node one that all workers share, one for each, or one in parts.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use super::cells::Cells;
use super::entry::Generation;
use super::parts::Parts;
use super::{Arrangement, Scheme, Table, TableOptions};
use crate::search::across::Exchange;

/// The table that all workers of a node share, or one for each.
pub struct Tables {
    /// Tables of the first node, then those of the second, and so on.
    all: Vec<Table>,
    nodes: usize,
    exchange: Exchange,
    /// Number that no other tables of this process have had, and none of these before they were emptied.
    id: u64,
    /// Number of searches that have ended since.
    ended: u32,
}

/// Number that no tables of this process have had.
fn next_id() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    // Relaxed: only that no two are equal.
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

impl Tables {
    /// Empty tables for a number of workers, of all nodes, zeroed by a number of threads.
    ///
    /// # Panics
    /// If there is no room for them.
    pub fn new(options: &TableOptions, workers: usize, threads: usize) -> Self {
        Self::try_new(options, workers, threads).expect("room for the tables")
    }

    /// Empty tables like those of [`new`](Self::new), if there is room for them.
    pub fn try_new(options: &TableOptions, workers: usize, threads: usize) -> io::Result<Self> {
        let nodes = options.nodes.max(1);
        let workers = workers / nodes;
        let is_distributed = matches!(options.scheme, Scheme::Distributed | Scheme::Unawaited) && workers > 1;
        let tables = if options.scheme == Scheme::Private { workers.max(1) } else { 1 };
        let table = |_| match is_distributed {
            true => Table::in_parts(options, workers, threads),
            false => Table::new(options, options.bytes / tables as u64, threads),
        };
        let all = (0..nodes * tables).map(table).collect::<io::Result<_>>()?;
        Ok(Self { all, nodes, exchange: options.exchange, id: next_id(), ended: 0 })
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Exchange of entries between the nodes.
    pub(in crate::search) fn exchange(&self) -> Exchange {
        self.exchange
    }

    /// State that tables of another process can follow: a number for each time that they are empty, and how many
    /// searches have ended since.
    pub(crate) fn state(&self) -> (u64, u32) {
        (self.id, self.ended)
    }

    /// Tables that hold entries: those of all workers, or the parts of those in parts.
    pub(super) fn all(&self) -> Vec<&Table> {
        let those = |table| match table {
            &Table { arrangement: Arrangement::Parts(ref parts), .. } => &parts.tables[..],
            whole => std::slice::from_ref(whole),
        };
        self.all.iter().flat_map(those).collect()
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Table> {
        self.all.iter_mut().flat_map(|table| match table {
            Table { arrangement: Arrangement::Parts(parts), .. } => &mut parts.tables[..],
            whole => std::slice::from_mut(whole),
        })
    }

    fn parts(&self) -> impl Iterator<Item = &Parts> {
        self.all.iter().filter_map(|table| match &table.arrangement {
            Arrangement::Parts(parts) => Some(parts),
            _ => None,
        })
    }

    /// Table of a worker of a node.
    pub(in crate::search) fn of(&self, node: usize, worker: usize) -> &Table {
        let on_node = self.all.len() / self.nodes;
        // Where the nodes are processes, each has its own only.
        let node = if self.nodes == 1 { 0 } else { node };
        &self.all[node * on_node + worker % on_node]
    }

    /// Empties the tables, by a number of threads.
    pub fn clear(&mut self, threads: usize) {
        (self.id, self.ended) = (next_id(), 0);
        for table in self.all_mut() {
            table.cells.clear(threads);
            table.generation = Generation::FIRST;
        }
        for table in &mut self.all {
            if let Arrangement::Parts(parts) = &mut table.arrangement {
                parts.forget_letters();
            }
        }
    }

    /// Ends a search, where the tables are kept for another: if they age, what they hold is now of an earlier search.
    pub fn end_search(&mut self) {
        self.ended += 1;
        let aging = self.all_mut().filter(|table| table.ages);
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
        let counts = self.parts().map(Parts::asked_and_unanswered);
        counts.reduce(|sum, one| [sum[0] + one[0], sum[1] + one[1]])
    }
}
