//! Running a plan: which cells are missing, in which order they are measured, and what is done with what comes of them.
//!
//! Real cells come first, one at a time with the computer to themselves, interleaved in a seeded random order, so that a drift
//! does not fall on one configuration. Virtual cells follow, side by side on all processors. A cell that panics or exceeds
//! its limit becomes a failed record, and the run goes on. Where the file asks, a disturbed measurement is repeated, and
//! more repetitions are made until the intervals are narrow enough.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::experiment::Conduct;
use super::laboratory::Searcher;
use super::pace::Pace;
use super::plan::Plan;
use crate::machine::RealMachine;
use crate::random::SplitMix;
use crate::record::calendar;
use crate::record::journal::{Journal, JournalError};
use crate::record::{Cell, Configuration, MachineKind};
use crate::record::{CellResult, Record};

/// A journal that a watcher of signals can hold, so that no line is left half written.
pub type SharedJournal = Arc<Mutex<Journal>>;

/// Is told what happens.
pub trait Observer: Sync {
    /// So many cells of this kind are to be measured now.
    fn begin(&self, machine: MachineKind, cells: usize);
    /// This cell is being measured.
    fn started(&self, cell: &Cell);
    /// A record was written; about so many seconds are left.
    fn recorded(&self, record: &Record, left_s: f64);
    /// Something to be said.
    fn note(&self, text: &str);
}

/// Says which configurations need more repetitions, of all records so far.
pub type Judge<'a> = &'a dyn Fn(&[Record]) -> Vec<Configuration>;

/// A run of a plan.
pub struct Runner<'a> {
    /// What is to be run.
    pub plan: &'a Plan,
    /// Which cells of it.
    pub is_wanted: &'a [bool],
    /// How.
    pub conduct: &'a Conduct,
    /// By whom.
    pub searcher: &'a dyn Searcher,
    /// Where records go.
    pub journal: SharedJournal,
    /// Who is told.
    pub observer: &'a dyn Observer,
    /// The session that records name.
    pub session: &'a str,
}

/// A cell to be measured, with its place in the plan and how often it has been.
#[derive(Clone, Debug)]
struct Task {
    index: u64,
    attempt: u32,
    cell: Cell,
}

impl Runner<'_> {
    /// Measures all that is missing. `records` are those of the journal, and receive the new ones.
    pub fn run(&self, records: &mut Vec<Record>, judge: Option<Judge<'_>>) -> Result<(), JournalError> {
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
            let mut pace = Pace::default();
            records.iter().for_each(|record| pace.learn(&record.cell, record.host_s));
            let expected: f64 = more.iter().filter_map(|task| pace.expect(&task.cell)).sum();
            if begun.elapsed().as_secs_f64() + expected > until.budget_s || more.is_empty() {
                self.observer
                    .note(&format!("the budget is spent; {} configurations have wider intervals", needy.len()));
                return Ok(());
            }
            self.measure(more, records)?;
        }
    }

    /// The cells without a record that stands.
    fn missing(&self, records: &[Record]) -> Vec<Task> {
        let mut attempts: HashMap<u64, (u32, bool)> = HashMap::new();
        for record in records {
            let (count, stands) = attempts.entry(record.index).or_default();
            *count += 1;
            *stands |= record.is_quiet() || record.measured().is_none();
        }
        let wanted = self.plan.cells.iter().zip(self.is_wanted).enumerate().filter(|(_, (_, is_wanted))| **is_wanted);
        let task = |(index, (cell, _)): (usize, (&Cell, &bool))| {
            let (attempt, stands) = attempts.get(&(index as u64)).copied().unwrap_or_default();
            (!stands && (attempt == 0 || attempt <= self.conduct.retries)).then(|| Task {
                index: index as u64,
                attempt,
                cell: cell.clone(),
            })
        };
        wanted.filter_map(task).collect()
    }

    /// One more run at each position for these configurations and their baselines; first where there are fewer than elsewhere.
    fn more(&self, needy: &[Configuration], records: &[Record]) -> Vec<Task> {
        let planned = self.plan.cells.len() as u64;
        let mut next = records.iter().map(|record| record.index + 1).max().unwrap_or(0).max(planned);
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
            let wanted = self.plan.cells.iter().zip(self.is_wanted).filter(|(_, is_wanted)| **is_wanted);
            let mut positions: Vec<&Cell> = Vec::new();
            for (cell, _) in wanted.filter(|(cell, _)| cell.configuration == configuration) {
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

    fn measure(&self, tasks: Vec<Task>, records: &mut Vec<Record>) -> Result<(), JournalError> {
        let (mut real, mut simulated): (Vec<Task>, Vec<Task>) =
            tasks.into_iter().partition(|task| task.cell.configuration.machine == MachineKind::Real);
        if let Some(seed) = self.conduct.shuffle {
            SplitMix::new(seed).shuffle(&mut real);
            SplitMix::new(seed).shuffle(&mut simulated);
        }
        let mut pace = Pace::default();
        records.iter().for_each(|record| pace.learn(&record.cell, record.host_s));
        self.measure_real(&real, &simulated, &mut pace, records)?;
        self.measure_virtual(&simulated, &mut pace, records)
    }

    /// One at a time.
    fn measure_real(
        &self,
        tasks: &[Task],
        later: &[Task],
        pace: &mut Pace,
        records: &mut Vec<Record>,
    ) -> Result<(), JournalError> {
        let Some(first) = tasks.first() else { return Ok(()) };
        self.observer.begin(MachineKind::Real, tasks.len());
        if self.conduct.warm_up {
            self.observer.started(&first.cell);
            // Not counted, so that what becomes of it is of no interest.
            let _ = self.search(first);
        }
        for (done, task) in tasks.iter().enumerate() {
            let mut attempt = task.attempt;
            loop {
                self.observer.started(&task.cell);
                let record = self.search(&Task { attempt, ..task.clone() });
                let is_disturbed = record.measured().is_some() && !record.is_quiet();
                pace.learn(&task.cell, record.host_s);
                let left = left(pace, &tasks[done + 1..], 1) + left(pace, later, RealMachine::room());
                self.keep(record, left, records)?;
                attempt += 1;
                if !is_disturbed || attempt > self.conduct.retries {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Side by side.
    fn measure_virtual(&self, tasks: &[Task], pace: &mut Pace, records: &mut Vec<Record>) -> Result<(), JournalError> {
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

    fn search(&self, task: &Task) -> Record {
        record(self.searcher, &task.cell, (task.index, task.attempt), self.session)
    }

    fn keep(&self, record: Record, left_s: f64, records: &mut Vec<Record>) -> Result<(), JournalError> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).append(&record)?;
        self.observer.recorded(&record, left_s);
        records.push(record);
        Ok(())
    }
}

/// Measures a cell for this attempt at this place of a plan. Whatever happens, there is a record of it.
pub(super) fn record(searcher: &dyn Searcher, cell: &Cell, (index, attempt): (u64, u32), session: &str) -> Record {
    let (started, clock) = (calendar::now(), Instant::now());
    let found = catch_unwind(AssertUnwindSafe(|| searcher.search(cell)));
    let found = found.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Err(format!("it panicked: {}", text.unwrap_or_else(|| "without a message".to_owned())))
    });
    let (result, surroundings) = match found {
        Ok((measured, surroundings)) => (CellResult::Done(Box::new(measured)), surroundings),
        Err(reason) => (CellResult::Failed(reason), None),
    };
    Record {
        index,
        cell: cell.clone(),
        attempt,
        result,
        surroundings,
        started,
        host_s: clock.elapsed().as_secs_f64(),
        session: session.to_owned(),
    }
}

fn left(pace: &Pace, tasks: &[Task], side_by_side: usize) -> f64 {
    tasks.iter().filter_map(|task| pace.expect(&task.cell)).sum::<f64>() / side_by_side.max(1) as f64
}

#[cfg(test)]
mod tests;
