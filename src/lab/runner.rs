//! Running a plan: which cells are missing, in which order they are measured, and where their records go.
//!
//! Real cells come first, one at a time with the computer to themselves, interleaved in a seeded random order, so that
//! a drift does not fall on one configuration. Virtual cells follow, side by side on all processors. A cell that panics
//! or exceeds its limit becomes a failed record, and the run goes on. Where the file asks, a disturbed measurement is
//! repeated, and more repetitions are made until the intervals are narrow enough.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::experiment::Conduct;
use super::laboratory::Searcher;
use super::pace::Pace;
use crate::machine::{RealMachine, message_of};
use crate::random::SplitMix;
use crate::record::calendar;
use crate::record::folder::FolderError;
use crate::record::journal::Journal;
use crate::record::{Cell, CellResult, Configuration, MachineKind, Record};

/// Journal that the handler of signals can lock, so that no line is left half written.
pub type SharedJournal = Arc<Mutex<Journal>>;

/// Callbacks of a [`Runner`], for a display.
#[allow(unused_variables)]
pub trait Observer: Sync {
    /// Called before this number of cells of this kind is measured.
    fn begin(&self, machine: MachineKind, cells: usize) {}
    /// Called when the measurement of a cell begins.
    fn started(&self, cell: &Cell) {}
    /// Called when a record has been written; about `left_s` seconds are left.
    fn recorded(&self, record: &Record, left_s: f64);
    /// Called with a message to the user.
    fn note(&self, text: &str) {}
}

/// Decides from all records so far which configurations need more repetitions.
pub type Judge<'a> = &'a dyn Fn(&[Record]) -> Vec<Configuration>;

/// Run of cells of a plan.
pub struct Runner<'a> {
    /// Cells to be measured, each with its index in records.
    pub cells: &'a [(u64, &'a Cell)],
    /// Number of cells of the whole plan, from which further ones are numbered.
    pub planned: u64,
    /// Order, repetitions and limits.
    pub conduct: &'a Conduct,
    /// Largest number of disturbed measurements that are repeated in all, whatever the conduct allows a cell.
    pub most_repeats: usize,
    /// Searcher that measures the cells.
    pub searcher: &'a dyn Searcher,
    /// Journal that gets each record before the next measurement begins; none for records that nobody resumes.
    pub journal: Option<SharedJournal>,
    /// Observer that is told of progress, for a display.
    pub observer: &'a dyn Observer,
    /// Id of the session that records name.
    pub session: &'a str,
}

/// Cell to be measured, with its place in the plan and the number of earlier attempts.
#[derive(Clone, Debug)]
struct Task {
    index: u64,
    attempt: u32,
    cell: Cell,
}

impl Runner<'_> {
    /// Measures all missing cells. `records` are those of the journal, and receive the new ones.
    pub fn run(&self, records: &mut Vec<Record>, judge: Option<Judge<'_>>) -> Result<(), FolderError> {
        let begun = Instant::now();
        let missing = self.missing(records);
        self.measure(missing, records)?;
        let (Some(until), Some(judge)) = (self.conduct.until, judge) else { return Ok(()) };
        loop {
            let needy = judge(records);
            if needy.is_empty() {
                self.observer.note("every interval is narrow enough");
                return Ok(());
            }
            let more = self.more(&needy, records);
            let expected_s = left(&Pace::of(records), &more, 1);
            if begun.elapsed().as_secs_f64() + expected_s > until.budget_s || more.is_empty() {
                self.observer
                    .note(&format!("the budget is spent; {} configurations have wider intervals", needy.len()));
                return Ok(());
            }
            self.measure(more, records)?;
        }
    }

    /// Cells without a record that counts.
    fn missing(&self, records: &[Record]) -> Vec<Task> {
        let mut attempts: HashMap<u64, (u32, bool)> = HashMap::new();
        for record in records {
            let (count, is_settled) = attempts.entry(record.index).or_default();
            *count += 1;
            *is_settled |= !record.is_disturbed() || record.measured().is_none();
        }
        let task = |&(index, cell): &(u64, &Cell)| {
            let (attempt, is_settled) = attempts.get(&index).copied().unwrap_or_default();
            (!is_settled && attempt <= self.conduct.retries).then(|| Task { index, attempt, cell: cell.clone() })
        };
        self.cells.iter().filter_map(task).collect()
    }

    /// One more run at each position for these configurations and their baselines, first where there are fewer runs.
    fn more(&self, needy: &[Configuration], records: &[Record]) -> Vec<Task> {
        let mut next = records.iter().map(|record| record.index + 1).max().unwrap_or(0).max(self.planned);
        let mut tasks: Vec<Task> = Vec::new();
        let mut taken = HashSet::new();
        for configuration in needy.iter().flat_map(|one| [one.clone(), one.baseline()]) {
            if !taken.insert(configuration.clone()) {
                continue;
            }
            // However often a disturbed cell was repeated, it is one run.
            let of = |position: &str| {
                let is_one =
                    |record: &&Record| record.cell.configuration == configuration && record.cell.position == position;
                records.iter().filter(is_one).map(|record| (record.index, record.cell.seed)).collect::<HashMap<_, _>>()
            };
            let mut positions: Vec<&Cell> = Vec::new();
            for (_, cell) in self.cells.iter().filter(|(_, cell)| cell.configuration == configuration) {
                if positions.iter().all(|known| known.position != cell.position) {
                    positions.push(cell);
                }
            }
            let counts: Vec<usize> = positions.iter().map(|cell| of(&cell.position).len()).collect();
            let (least, most) = (counts.iter().min().copied(), counts.iter().max().copied());
            for (cell, count) in positions.iter().zip(&counts) {
                if least != most && Some(*count) == most {
                    continue;
                }
                let seed = of(&cell.position).values().map(|seed| seed + 1).max().unwrap_or(cell.seed);
                tasks.push(Task { index: next, attempt: 0, cell: Cell { seed, ..(*cell).clone() } });
                next += 1;
            }
        }
        tasks
    }

    fn measure(&self, tasks: Vec<Task>, records: &mut Vec<Record>) -> Result<(), FolderError> {
        let (mut real, mut simulated): (Vec<Task>, Vec<Task>) =
            tasks.into_iter().partition(|task| task.cell.configuration.machine == MachineKind::Real);
        if let Some(seed) = self.conduct.shuffle {
            SplitMix::new(seed).shuffle(&mut real);
            SplitMix::new(seed).shuffle(&mut simulated);
        }
        let mut pace = Pace::of(records);
        self.measure_real(&real, &simulated, &mut pace, records)?;
        self.measure_virtual(&simulated, &mut pace, records)
    }

    /// Measures real cells, one at a time.
    fn measure_real(
        &self,
        tasks: &[Task],
        later: &[Task],
        pace: &mut Pace,
        records: &mut Vec<Record>,
    ) -> Result<(), FolderError> {
        let Some(first) = tasks.first() else { return Ok(()) };
        self.observer.begin(MachineKind::Real, tasks.len());
        if self.conduct.warm_up {
            self.observer.started(&first.cell);
            // Not counted, so that what becomes of it is of no interest.
            let _ = self.search(first);
        }
        let mut repeats = self.most_repeats;
        for (done, task) in tasks.iter().enumerate() {
            let mut attempt = task.attempt;
            loop {
                self.observer.started(&task.cell);
                let record = self.search(&Task { attempt, ..task.clone() });
                let is_disturbed = record.measured().is_some() && record.is_disturbed();
                pace.learn(&task.cell, record.host_s);
                let left = left(pace, &tasks[done + 1..], 1) + left(pace, later, RealMachine::room());
                self.keep(record, left, records)?;
                attempt += 1;
                if !is_disturbed || attempt > self.conduct.retries || repeats == 0 {
                    break;
                }
                repeats -= 1;
            }
        }
        Ok(())
    }

    /// Measures virtual cells, side by side.
    fn measure_virtual(&self, tasks: &[Task], pace: &mut Pace, records: &mut Vec<Record>) -> Result<(), FolderError> {
        if tasks.is_empty() {
            return Ok(());
        }
        self.observer.begin(MachineKind::Virtual, tasks.len());
        let (next, stops) = (AtomicUsize::new(0), AtomicBool::new(false));
        let side_by_side = RealMachine::room().min(tasks.len());
        let kept = Mutex::new((pace, records, Ok(())));
        std::thread::scope(|scope| {
            for _ in 0..side_by_side {
                scope.spawn(|| {
                    while !stops.load(Ordering::Relaxed) {
                        let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                        self.observer.started(&task.cell);
                        let record = self.search(task);
                        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                        let (pace, records, result) = &mut *kept;
                        pace.learn(&task.cell, record.host_s);
                        let begun = next.load(Ordering::Relaxed).min(tasks.len());
                        let left = left(pace, &tasks[begun..], side_by_side);
                        if let Err(error) = self.keep(record, left, records) {
                            stops.store(true, Ordering::Relaxed);
                            *result = Err(error);
                        }
                    }
                });
            }
        });
        kept.into_inner().unwrap_or_else(PoisonError::into_inner).2
    }

    /// Measures a cell. Whatever happens, there is a record of it.
    fn search(&self, task: &Task) -> Record {
        let (started, clock) = (calendar::now(), Instant::now());
        let found = catch_unwind(AssertUnwindSafe(|| self.searcher.search(&task.cell)));
        let found = found.unwrap_or_else(|panic| Err(format!("it panicked: {}", message_of(panic.as_ref()))));
        let (result, surroundings) = match found {
            Ok((result, surroundings)) => (result, surroundings),
            Err(reason) => (CellResult::Failed(reason), None),
        };
        Record {
            index: task.index,
            cell: task.cell.clone(),
            attempt: task.attempt,
            result,
            surroundings,
            started,
            host_s: clock.elapsed().as_secs_f64(),
            session: self.session.to_owned(),
        }
    }

    fn keep(&self, record: Record, left_s: f64, records: &mut Vec<Record>) -> Result<(), FolderError> {
        if let Some(journal) = &self.journal {
            journal.lock().unwrap_or_else(PoisonError::into_inner).append(&record)?;
        }
        self.observer.recorded(&record, left_s);
        records.push(record);
        Ok(())
    }
}

/// Expected seconds of these tasks.
fn left(pace: &Pace, tasks: &[Task], side_by_side: usize) -> f64 {
    tasks.iter().filter_map(|task| pace.expect(&task.cell)).sum::<f64>() / side_by_side.max(1) as f64
}

#[cfg(test)]
mod tests;
