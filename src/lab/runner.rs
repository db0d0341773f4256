//! Running a plan: which cells are missing, in which order they are measured, and where their records go.
//!
//! Real cells come first, one at a time with the computer to themselves, interleaved in a seeded random order, so that
//! a drift does not fall on one configuration. Virtual cells follow, side by side on all processors. A cell that panics
//! or exceeds its limit becomes a failed record, and the run goes on. Where the file asks, a disturbed measurement is
//! repeated. A search that several cells ask for is made once, and becomes a record of each. Records go to the journal
//! and the observer; what is kept of them here is an outline.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::equals::Equals;
use super::experiment::Conduct;
use super::laboratory::Searcher;
use super::pace::Pace;
use super::side_by_side;
use crate::machine::RealMachine;
use crate::random::SplitMix;
use crate::record::calendar;
use crate::record::folder::FolderError;
use crate::record::journal::Journal;
use crate::record::{Cell, CellResult, Configuration, MachineKind, Outlines, Record, State, contradiction};

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

/// Number of equal failures after which an engine from outside is given up.
const MOST_ALIKE: u32 = 3;
/// Words of a failure after which details follow that differ from search to search.
const DETAILS: &str = "; the last it wrote";

/// Words of a failure before the move that an engine has played though it is not legal.
const ILLEGAL: &str = " plays '";

/// A failure without what differs from search to search.
pub fn without_details(reason: &str) -> &str {
    reason.split(DETAILS).next().unwrap_or(reason)
}

/// A failure without what differs even between alike ones: the move that is not legal, and the position.
pub fn kind_of_failure(reason: &str) -> &str {
    let reason = without_details(reason);
    reason.split(ILLEGAL).next().unwrap_or(reason)
}

/// Failures of engines from outside, by engine and processors: the last reason, and how often it came in a row.
#[derive(Default)]
struct GivenUp(HashMap<Contender, (String, u32)>);

/// An engine from outside with its number of processors, and of nodes if it takes one.
type Contender = (String, u32, Option<u32>);

impl GivenUp {
    /// Key of a search by an engine from outside.
    fn key(cell: &Cell) -> Option<Contender> {
        let Configuration { threads, cluster_nodes, .. } = *cell.configuration;
        Some((cell.configuration.engine_name()?.to_owned(), threads, cluster_nodes))
    }

    fn holds(&self, cell: &Cell) -> bool {
        Self::key(cell).is_some_and(|key| self.0.get(&key).is_some_and(|(_, count)| *count >= MOST_ALIKE))
    }

    /// Remembers how a search ended; a message to the user if its engine is given up.
    fn note(&mut self, record: &Record) -> Option<String> {
        let key = Self::key(&record.cell)?;
        let Some(reason) = record.failure().map(kind_of_failure) else {
            self.0.remove(&key);
            return None;
        };
        let (engine, threads, _) = key.clone();
        let (known, count) = self.0.entry(key).or_default();
        if known != reason {
            (*known, *count) = (reason.to_owned(), 0);
        }
        *count += 1;
        (*count == MOST_ALIKE).then(|| {
            format!(
                "{engine} on {threads} has failed {MOST_ALIKE} times alike: its other searches are left out, and \
                 --resume tries them again"
            )
        })
    }
}

/// Largest number of cells that are looked at after each record to tell how much time is left.
const MOST_LOOKED_AT: usize = 256;

/// Memory of a run of its records: outlines, and the times that they took.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Outlines of the records.
    pub outlines: Outlines,
    /// Number of records of failed cells.
    pub failed: usize,
    /// Position and reason of the first failure.
    pub first_failure: Option<String>,
    /// Times that they took.
    pace: Pace,
}

impl Ledger {
    /// Ledger of these records.
    #[cfg(test)]
    fn of(records: &[Record]) -> Self {
        let mut ledger = Self::default();
        records.iter().for_each(|record| ledger.add(record));
        ledger
    }

    /// Remembers a record.
    pub fn add(&mut self, record: &Record) {
        self.pace.learn(&record.cell, record.host_s);
        self.add_shared(record);
    }

    /// Remembers a record whose search was made for another cell, and so took no time of its own.
    fn add_shared(&mut self, record: &Record) {
        self.outlines.add(record);
        if let Some(reason) = record.failure() {
            self.failed += 1;
            self.first_failure.get_or_insert_with(|| format!("{}: {reason}", record.cell.position));
        }
    }

    /// Whether any of these cells is to be searched on real processors and has no record.
    pub fn lacks_real(&self, cells: &[(u64, &Cell)]) -> bool {
        self.without_record(cells).iter().any(|(_, cell)| cell.configuration.machine == MachineKind::Real)
    }

    /// Cells among these that have no record.
    pub fn without_record<'c>(&self, cells: &[(u64, &'c Cell)]) -> Vec<(u64, &'c Cell)> {
        let known: HashSet<u64> = self.outlines.all().iter().map(|outline| outline.index).collect();
        cells.iter().copied().filter(|(index, _)| !known.contains(index)).collect()
    }
}

/// Run of cells of a plan.
pub struct Runner<'a> {
    /// Cells to be measured, each with its index in records.
    pub cells: &'a [(u64, &'a Cell)],
    /// Cells that ask for the same search as an earlier one, which makes it for them.
    pub equals: &'a Equals,
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
#[derive(Clone, Copy, Debug)]
struct Task<'a> {
    index: u64,
    attempt: u32,
    cell: &'a Cell,
}

/// Tasks whose search is made for another task, by the index of that one.
#[derive(Default)]
struct Sharers<'a>(HashMap<u64, (Task<'a>, Vec<Task<'a>>)>);

impl<'a> Sharers<'a> {
    /// Splits tasks into those that are searched for, in their order, and those that share their searches.
    fn split(tasks: Vec<Task<'a>>, equals: &Equals) -> (Vec<Task<'a>>, Self) {
        let mut searched: HashMap<u64, Task<'a>> = HashMap::new();
        let (mut own, mut sharers) = (Vec::new(), Self::default());
        for task in tasks {
            let by = *searched.entry(equals.first(task.index)).or_insert(task);
            match by.index == task.index {
                true => own.push(task),
                false => sharers.0.entry(by.index).or_insert_with(|| (by, Vec::new())).1.push(task),
            }
        }
        (own, sharers)
    }

    /// Number of tasks that share the searches of these.
    fn count(&self, tasks: &[Task<'_>]) -> usize {
        tasks.iter().filter_map(|task| self.0.get(&task.index)).map(|(_, sharers)| sharers.len()).sum()
    }

    /// Records of the tasks that share the search of this record.
    fn records(&self, record: &Record) -> impl Iterator<Item = Record> {
        self.0.get(&record.index).into_iter().flat_map(move |(by, sharers)| {
            let again = record.attempt - by.attempt;
            let of = move |task: &Task<'_>| {
                let (index, cell, attempt) = (task.index, task.cell.clone(), task.attempt + again);
                Record { index, cell, attempt, ..record.clone() }
            };
            sharers.iter().map(of)
        })
    }
}

impl<'a> Runner<'a> {
    /// Measures all missing cells. `ledger` knows the records of the journal, and receives the new ones.
    pub fn run(&self, ledger: &mut Ledger) -> Result<(), FolderError> {
        let (tasks, sharers) = Sharers::split(self.missing(&ledger.outlines), self.equals);
        let (mut real, mut simulated): (Vec<Task<'_>>, Vec<Task<'_>>) =
            tasks.into_iter().partition(|task| task.cell.configuration.machine == MachineKind::Real);
        if self.conduct.is_shuffled {
            let seed = self.conduct.order_seed.unwrap_or_default();
            SplitMix::new(seed).shuffle(&mut real);
            SplitMix::new(seed).shuffle(&mut simulated);
        }
        self.measure_real(&real, &simulated, &sharers, ledger)?;
        self.measure_virtual(&simulated, &sharers, ledger)
    }

    /// Cells without a record that counts.
    fn missing(&self, known: &Outlines) -> Vec<Task<'a>> {
        let mut attempts: HashMap<u64, (u32, bool)> = HashMap::new();
        for outline in known.all() {
            let (count, is_settled) = attempts.entry(outline.index).or_default();
            *count += 1;
            *is_settled |= outline.state != State::Disturbed;
        }
        let task = |&(index, cell): &(u64, &'a Cell)| {
            let (attempt, is_settled) = attempts.get(&index).copied().unwrap_or_default();
            (!is_settled && attempt <= self.conduct.retries).then_some(Task { index, attempt, cell })
        };
        self.cells.iter().filter_map(task).collect()
    }

    /// Measures real cells, one at a time.
    fn measure_real(
        &self,
        tasks: &[Task<'_>],
        later: &[Task<'_>],
        sharers: &Sharers<'_>,
        ledger: &mut Ledger,
    ) -> Result<(), FolderError> {
        let Some(first) = tasks.first() else { return Ok(()) };
        self.observer.begin(MachineKind::Real, tasks.len() + sharers.count(tasks));
        if self.conduct.warm_up {
            self.observer.started(first.cell);
            // Not counted, so that what becomes of it is of no interest.
            let _ = self.search(first);
        }
        let (mut repeats, mut given_up) = (self.most_repeats, GivenUp::default());
        for (done, task) in tasks.iter().enumerate() {
            if given_up.holds(task.cell) {
                continue;
            }
            let mut attempt = task.attempt;
            loop {
                self.observer.started(task.cell);
                let record = self.search(&Task { attempt, ..*task });
                let is_disturbed = record.measured().is_some() && record.is_disturbed();
                ledger.add(&record);
                let (pace, next) = (&ledger.pace, &tasks[done + 1..]);
                let left_s = left(pace, next, 1) + left(pace, later, RealMachine::room());
                self.keep_all(&record, sharers, left_s, ledger)?;
                given_up.note(&record).iter().for_each(|message| self.observer.note(message));
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
    fn measure_virtual(
        &self,
        tasks: &[Task<'_>],
        sharers: &Sharers<'_>,
        ledger: &mut Ledger,
    ) -> Result<(), FolderError> {
        if tasks.is_empty() {
            return Ok(());
        }
        self.observer.begin(MachineKind::Virtual, tasks.len() + sharers.count(tasks));
        let search = |(): &(), task: &Task<'_>| {
            self.observer.started(task.cell);
            self.search(task)
        };
        let keep = |record: Record, begun: usize| {
            ledger.add(&record);
            let left_s = left(&ledger.pace, &tasks[begun..], side_by_side::threads(tasks.len()));
            self.keep_all(&record, sharers, left_s, ledger)
        };
        side_by_side::work(tasks, || (), search, keep)
    }

    /// Measures a cell. Whatever happens, there is a record of it.
    fn search(&self, task: &Task<'_>) -> Record {
        let (started, clock) = (calendar::now(), Instant::now());
        let found = side_by_side::caught(|| self.searcher.search(task.cell));
        let (result, surroundings) = found.unwrap_or_else(|reason| (CellResult::Failed(reason), None));
        let mut record = Record {
            index: task.index,
            cell: task.cell.clone(),
            attempt: task.attempt,
            result,
            surroundings,
            started,
            host_s: clock.elapsed().as_secs_f64(),
            session: self.session.into(),
        };
        if let Some(why) = contradiction(&record) {
            record.result = CellResult::Failed(format!("what it told of the search cannot be true: {why}"));
        }
        record
    }

    /// Writes a record, and those of the cells that share its search.
    fn keep_all(
        &self,
        record: &Record,
        sharers: &Sharers<'_>,
        left_s: f64,
        ledger: &mut Ledger,
    ) -> Result<(), FolderError> {
        self.keep(record, left_s)?;
        for shared in sharers.records(record) {
            ledger.add_shared(&shared);
            self.keep(&shared, left_s)?;
        }
        Ok(())
    }

    /// Writes a record, and tells of it.
    fn keep(&self, record: &Record, left_s: f64) -> Result<(), FolderError> {
        if let Some(journal) = &self.journal {
            journal.lock().unwrap_or_else(PoisonError::into_inner).append(record)?;
        }
        self.observer.recorded(record, left_s);
        Ok(())
    }
}

/// Expected seconds of these tasks: where they are many, of as many as are looked at, evenly spread.
fn left(pace: &Pace, tasks: &[Task<'_>], side_by_side: usize) -> f64 {
    let every = tasks.len().div_ceil(MOST_LOOKED_AT).max(1);
    let looked_at = tasks.iter().step_by(every);
    let share = tasks.len() as f64 / looked_at.len().max(1) as f64;
    looked_at.filter_map(|task| pace.expect(task.cell)).sum::<f64>() * share / side_by_side.max(1) as f64
}

#[cfg(test)]
pub(super) mod tests;
