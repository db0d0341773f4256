//! The choice of the records that count. A cell may have been searched several times, because it was disturbed or
//! failed; of its attempts one counts at most.

use super::description::Description;
use super::result::{Measured, Record};

/// All attempts at one cell, in the order in which they were made.
pub struct Attempts<'a> {
    /// Records of the attempts.
    pub records: Vec<&'a Record>,
    /// Place among them of the one that counts: the last quiet one, else the last that is not known to be disturbed,
    /// else the last with a measurement.
    pub counting: Option<usize>,
}

/// Search that counts.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The whole record.
    pub record: &'a Record,
    /// The measurement in it.
    pub measured: &'a Measured,
}

/// Attempts at each cell that has records, in the order of the plan. The order in which records come does not matter.
pub fn attempts(records: &[Record]) -> Vec<Attempts<'_>> {
    let mut sorted: Vec<&Record> = records.iter().collect();
    // The beginning tells attempts apart if folders that repeat the same cell were joined.
    sorted.sort_by(|a, b| (a.index, a.attempt).cmp(&(b.index, b.attempt)).then(a.started.total_cmp(&b.started)));
    sorted.chunk_by(|a, b| a.index == b.index).map(Attempts::of).collect()
}

impl<'a> Attempts<'a> {
    fn of(records: &[&'a Record]) -> Self {
        let measured = records.iter().enumerate().filter(|(_, record)| record.measured().is_some());
        // Of equals it is the last.
        let counting = measured.max_by_key(|(_, record)| record.state()).map(|(place, _)| place);
        Self { records: records.to_vec(), counting }
    }

    /// Whether the cell is one of the plan, and was not added later.
    pub fn is_planned(&self, description: &Description) -> bool {
        self.records.iter().all(|record| record.index < description.cells)
    }

    /// The attempt that a limit cut off, if none has a measurement.
    pub fn cut(&self) -> Option<&'a Record> {
        let cut = self.records.iter().rev().find(|record| record.exceeds_ns().is_some());
        cut.copied().filter(|_| self.counting.is_none())
    }

    /// The attempt that counts.
    pub fn run(&self) -> Option<Run<'a>> {
        let record = self.records[self.counting?];
        Some(Run { record, measured: record.measured()? })
    }
}
