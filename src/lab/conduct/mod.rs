//! Conducting an experiment: the steps from an order to a folder of records.
//!
//! [`Order::prepare`] finds out what the run is and writes nothing. [`Prepared::open`] makes the folder or takes it up
//! again. [`Opened::fill_in`] copies records from other folders, [`Opened::announce`] says what is going to be
//! searched, and [`Opened::measure`] measures what is missing. [`Opened::judge`] judges the moves, and
//! [`Opened::finish`] hands the folder over, still locked, to whoever makes the report. [`Prepared::conduct`] takes all
//! steps.

mod opening;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::choice::check_processes;
use super::companions;
use super::conditions::Conditions;
use super::engines::check as check_engines;
use super::environment::begin_session;
use super::equals::Equals;
use super::experiment::{Conduct, Experiment};
use super::fill::{Filling, name_of};
use super::judge::Judges;
use super::laboratory::{Laboratory, Searcher};
use super::measure_error::MeasureError;
use super::pilot::Evidence;
use super::plan::{Plan, PlanError, Shard};
use super::promises::{kinds, promises};
use super::reuse::{on_same_computer, reusable, reuse};
use super::runner::{Ledger, Observer, Runner, SharedJournal};
use super::{advice, warnings};
use crate::random::SplitMix;
use crate::record::folder::{self, EXPERIMENT, FolderError, RunFolder};
use crate::record::journal::{self, Journal};
use crate::record::{Cell, Description, Record, Session, State, calendar};

/// Seeds of orders that nobody chose are below this: short enough to be typed.
const ORDER_SEEDS: u64 = 1_000_000_000;

/// An experiment that is to be run.
pub struct Order<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The command that asks for it, for its records.
    pub command: String,
    /// Folder for its results.
    pub out: &'a Path,
    /// Whether what the folder holds is completed.
    pub resumes: bool,
    /// Part of the plan that is run; all of it if there is none.
    pub shard: Option<Shard>,
    /// Folders whose records are taken over.
    pub reused: &'a [PathBuf],
    /// Run folder from which the intervals are predicted; else those of similar runs are looked for.
    pub pilot: Option<&'a Path>,
    /// Folder in which similar runs are looked for.
    pub results: &'a Path,
}

/// Reason why an experiment cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// A program that searches or measures cannot be used.
    #[error(transparent)]
    Program(#[from] MeasureError),
    /// A folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// Callbacks of a whole run, for a display: of its measurements, and of the steps before and after them.
#[allow(unused_variables)]
pub trait Audience: Observer {
    /// Called with a record that takes no measurement: the folder holds it, or it is copied from another.
    fn known(&self, record: &Record) {}
    /// Called with a line for the user, while nothing is measured.
    fn line(&self, text: &str) {}
    /// Called before the first measurement. While the journal is locked, no record is half written.
    fn begun(&self, journal: &SharedJournal) {}
    /// Called after the last measurement, even if it failed.
    fn measured(&self) {}
    /// Called when this number of the searches in a round of judging is done.
    fn judged(&self, done: usize, all: usize) {}
    /// Called after the last judgement, even if it failed.
    fn all_judged(&self) {}
}

impl Order<'_> {
    /// Plan of the experiment.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        Plan::of(self.experiment, &self.command)
    }

    /// Records of the pilot or of similar runs, from which the precision of the plan is predicted.
    pub fn evidence(&self, plan: &Plan) -> Result<Evidence, FolderError> {
        Evidence::gather(self.pilot, self.results, &kinds(plan))
    }

    /// Cells that a run of the plan would not measure, since its folder or others hold them.
    ///
    /// # Errors
    /// If a folder cannot be read, or if its records cannot stand among those of this run.
    pub fn held(&self, plan: &Plan) -> Result<Held<'_>, FolderError> {
        let (mut held, mut of_folders) = (HashSet::new(), Vec::new());
        if self.resumes && self.out.join(EXPERIMENT).exists() {
            folder::holds(self.out, &Description { shard: self.part(), ..plan.description.clone() })?;
        }
        if self.resumes && self.out.join(journal::JOURNAL).exists() {
            journal::visit(self.out, |record| {
                held.extend(record.failure().is_none().then_some(record.index));
            })?;
            of_folders.push((self.out, held.len()));
        }
        let session = (!self.reused.is_empty()).then(|| begin_session(&self.command, &plan.models));
        let cells = plan.part(self.shard);
        for (other, session) in self.reused.iter().zip(session.iter().cycle()) {
            let missing = cells.iter().filter(|(index, _)| !held.contains(index));
            let found: HashSet<u64> = reusable(missing, other, session)?.into_iter().map(|(index, _)| index).collect();
            of_folders.push((other, found.len()));
            held.extend(found);
        }
        Ok(Held { places: held, of_folders })
    }

    /// Number of the shard, counted from 1, and number of shards, if this is a part of the plan.
    fn part(&self) -> Option<(u32, u32)> {
        self.shard.map(|shard| (shard.number, shard.of))
    }

    /// Prepares a run of the plan: what it is, and by which rules. What a run was begun with holds until its end.
    ///
    /// # Errors
    /// If an engine cannot be started, the program of micro-measurements is missing, or the folder or the pilot cannot
    /// be read.
    pub fn prepare<'p>(&'p self, plan: &'p Plan) -> Result<Prepared<'p>, ConductError> {
        let Self { experiment, out, .. } = self;
        let cells = plan.part(self.shard);
        check_engines(plan)?;
        companions::check(cells.iter().map(|(_, cell)| *cell))?;
        check_processes(cells.iter().map(|(_, cell)| *cell))?;
        let before = if self.resumes && out.join(EXPERIMENT).exists() { Some(folder::description(out)?) } else { None };
        let order_seed = self.order_seed(before.as_ref());
        let fill = experiment.conduct.fill.resolved(before.as_ref());
        let conditions = Conditions { models: plan.models.clone(), ..Conditions::default() };
        let equals = Equals::among(&cells, &conditions);
        let description = Description {
            shard: self.part(),
            own_cells: cells.len() as u64,
            order_seed,
            fill: name_of(fill),
            promises: match before {
                Some(before) => before.promises,
                None => promises(plan, &self.evidence(plan)?),
            },
            notes: advice::notes(plan).into_iter().chain(equals.note()).collect(),
            ..plan.description.clone()
        };
        let conduct = Conduct { order_seed, ..experiment.conduct.clone() };
        Ok(Prepared { order: self, plan, cells, equals, description, conduct, fill })
    }

    /// Seed of the order of the searches: that of the file, or that with which the run was begun, or a new one.
    fn order_seed(&self, before: Option<&Description>) -> Option<u64> {
        let Conduct { is_shuffled, order_seed, .. } = self.experiment.conduct;
        let new = || SplitMix::new(calendar::now().to_bits() ^ u64::from(std::process::id())).below(ORDER_SEEDS);
        let own = || before.and_then(|before| before.order_seed).unwrap_or_else(new);
        is_shuffled.then(|| order_seed.unwrap_or_else(own))
    }
}

/// Cells of a plan that folders hold.
pub struct Held<'a> {
    /// Their places in the plan.
    pub places: HashSet<u64>,
    /// Each folder, and the number of cells that it holds and those before it do not.
    pub of_folders: Vec<(&'a Path, usize)>,
}

/// A run of which nothing has been written yet.
pub struct Prepared<'a> {
    order: &'a Order<'a>,
    plan: &'a Plan,
    /// Cells of this part of the plan.
    cells: Vec<(u64, &'a Cell)>,
    /// Cells that ask for the same search as an earlier one, which makes it for them.
    equals: Equals,
    /// Description for readers of the results.
    pub description: Description,
    conduct: Conduct,
    fill: Option<Filling>,
}

impl<'a> Prepared<'a> {
    /// Takes all steps of the run.
    ///
    /// # Errors
    /// If the folder cannot be used or written, or if records cannot be reused. All records until then are kept.
    pub fn conduct(self, audience: &'a dyn Audience) -> Result<Finished, FolderError> {
        let mut run = self.open(audience)?;
        run.fill_in()?;
        let laboratory = run.laboratory();
        run.announce(&laboratory);
        run.measure(&laboratory)?;
        run.judge()?;
        Ok(run.finish())
    }

    /// Makes the folder, or takes up the run that it holds.
    ///
    /// # Errors
    /// If the folder holds a run that is not to be resumed, or another one; if its real searches are of another
    /// computer.
    pub fn open(self, audience: &'a dyn Audience) -> Result<Opened<'a>, FolderError> {
        let Self { order, plan, cells, equals, description, .. } = &self;
        advice::notes(plan).iter().for_each(|note| warn(audience, note));
        equals.note().iter().for_each(|note| audience.line(note));
        let file = order.experiment.what_ran.file(description.order_seed)?;
        let (mut ledger, mut records) = (Ledger::default(), Vec::new());
        let mut sessions_on_real_processors = HashSet::new();
        let (folder, journal) = RunFolder::open(order.out, description, &file, order.resumes, |record| {
            ledger.add(&record);
            audience.known(&record);
            if record.is_real() && !sessions_on_real_processors.contains(&record.session) {
                sessions_on_real_processors.insert(record.session.clone());
            }
            // Whole records take much room: they are kept only where others are to be compared with them.
            if !order.reused.is_empty() {
                records.push(record);
            }
        })?;
        let session = begin_session(&order.command, &plan.models);
        if ledger.lacks_real(cells) {
            on_same_computer(order.out, &sessions_on_real_processors, &session)?;
        }
        folder.add_sessions([serde_json::json!(session)])?;
        let journal = Arc::new(Mutex::new(journal));
        Ok(Opened { run: self, audience, folder, journal, session, ledger, records })
    }
}

/// A run that has its folder.
pub struct Opened<'a> {
    run: Prepared<'a>,
    audience: &'a dyn Audience,
    folder: RunFolder,
    journal: SharedJournal,
    session: Session,
    ledger: Ledger,
    /// Records of the folder, if others are to be reused.
    records: Vec<Record>,
}

impl Opened<'_> {
    /// Copies what other folders hold of the missing cells.
    ///
    /// # Errors
    /// If the records of a folder cannot stand among those of this run.
    pub fn fill_in(&mut self) -> Result<(), FolderError> {
        let mut records = std::mem::take(&mut self.records);
        for other in self.run.order.reused {
            let known = records.len();
            let here = (&self.folder, &self.session);
            let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
            let taken = reuse(&self.run.cells, other, here, &mut journal, &mut records)?;
            drop(journal);
            for record in &records[known..] {
                self.ledger.add(record);
                self.audience.known(record);
            }
            self.audience.line(&format!("reused {taken} records from {}", other.display()));
        }
        Ok(())
    }

    /// Laboratory under the conditions of the run.
    pub fn laboratory(&self) -> Laboratory {
        let Prepared { plan, description, conduct, fill, .. } = &self.run;
        Laboratory::new(Conditions {
            models: plan.models.clone(),
            engines: plan.engines.clone(),
            positions: description.positions.clone(),
            limit_s: conduct.limit_s,
            limit_nodes: conduct.limit_nodes,
            fill: *fill,
            random_addresses: true,
            interleaves: conduct.interleaves,
            ..Conditions::default()
        })
    }

    /// Tells the audience what is going to be searched, and what speaks against it.
    pub fn announce(&self, laboratory: &Laboratory) {
        let Prepared { cells, description, .. } = &self.run;
        if let Some(busy) = opening::busy(&self.session).filter(|_| self.ledger.lacks_real(cells)) {
            warn(self.audience, &busy);
        }
        for warning in warnings(cells.iter().map(|(_, cell)| *cell), laboratory) {
            warn(self.audience, &warning);
        }
        let missing = self.ledger.without_record(cells);
        if !missing.is_empty() {
            self.audience.line(&opening::line(&description.title, &missing, laboratory));
        }
    }

    /// Measures the missing cells.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub fn measure(&mut self, searcher: &dyn Searcher) -> Result<(), FolderError> {
        let Self { run: Prepared { cells, equals, conduct, .. }, audience, journal, session, ledger, .. } = self;
        audience.begun(journal);
        let runner = Runner {
            cells,
            equals,
            conduct,
            most_repeats: usize::MAX,
            searcher,
            journal: Some(Arc::clone(journal)),
            observer: *audience,
            session: &session.id,
        };
        let measured = runner.run(ledger);
        audience.measured();
        measured
    }

    /// Judges the moves of all records, if the experiment asks for it, and keeps the judgements in the folder.
    ///
    /// # Errors
    /// If the journals cannot be read or written.
    pub fn judge(&self) -> Result<(), FolderError> {
        let Some(plies_deeper) = self.run.description.judge else { return Ok(()) };
        let (path, audience) = (&self.folder.path, self.audience);
        let mut known = Vec::new();
        let mut judgements = Journal::open(path, |judgement| known.push(judgement))?;
        let writing = |write: &mut dyn FnMut()| {
            let _nobody_ends_the_program = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
            write();
        };
        let judges = Judges {
            plies_deeper,
            limit_s: self.run.conduct.limit_s,
            session: &self.session.id,
            writing: &writing,
            progress: &|done, all| audience.judged(done, all),
        };
        let failures = judges.judge(&journal::read(path)?.records, &mut judgements, &mut known);
        audience.all_judged();
        if let [first, ..] = failures?.as_slice() {
            audience.line(&format!("some moves could not be judged; the first: {first}"));
        }
        Ok(())
    }

    /// Ends the run.
    pub fn finish(self) -> Finished {
        let Self { folder, ledger: Ledger { outlines, failed, first_failure, .. }, .. } = self;
        let cut = outlines.all().iter().filter(|outline| outline.state == State::Cut).count();
        Finished { folder, cut, failed, first_failure }
    }
}

/// A run that is complete.
#[derive(Debug)]
pub struct Finished {
    /// Run folder, which no other process can take while this value lives.
    pub folder: RunFolder,
    /// Number of searches that a limit cut off.
    pub cut: usize,
    /// Number of cells that failed.
    pub failed: usize,
    /// Position and reason of the first failure.
    pub first_failure: Option<String>,
}

fn warn(audience: &dyn Audience, text: &str) {
    audience.line(&format!("warning: {text}"));
}

#[cfg(test)]
mod tests;
