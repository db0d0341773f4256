//! `splitpoint run`: runs an experiment file, and makes tables, charts and a page of it.

mod dry;
mod progress;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Args;

use super::error::CliError;
use super::interrupt;
use crate::lab::{Conditions, Experiment, FileError, Laboratory, Plan, PlanError, Runner, Shard, begin_session, reuse};
use crate::record::folder::{FolderError, RunFolder};
use crate::record::journal::JournalError;
use crate::record::{CellResult, calendar};
use crate::report::{self, charts, sufficiency};
use progress::Progress;

/// Where runs land.
const RESULTS: &str = "results";

/// Run an experiment file: search, and make tables, charts and a page
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint run experiments/quick.toml
  splitpoint run experiments/quick.toml --dry-run
  splitpoint run experiments/quick.toml --out /tmp/r1 --resume
  splitpoint run experiments/quick.toml --set plan.depth=6 --set repetitions=2
  splitpoint run experiments/hyatt-24.toml --shard 1/3 --out /tmp/part-1

A run that was interrupted, or killed, is completed with --resume: at most the cells in flight are lost.")]
pub struct Run {
    /// A file in TOML or JSON, or the name of an experiment that ships ('splitpoint list experiments')
    #[arg(value_name = "EXPERIMENT", required_unless_present = "schema")]
    experiment: Option<PathBuf>,

    /// The folder for its results [default: a new one under results/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Complete what is in the folder; begin if there is nothing
    #[arg(long, requires = "out")]
    resume: bool,

    /// Take over what was measured of the same searches in other folders
    #[arg(long, value_name = "DIR")]
    reuse: Vec<PathBuf>,

    /// Print the plan, the time it will take, and the intervals to expect
    #[arg(long)]
    dry_run: bool,

    /// Run the I-th of N parts of the plan; 'splitpoint merge' joins them
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,

    /// Change the file: axes.depth=6, plan.0.threads="1..=8"
    #[arg(long = "set", value_name = "KEY=VALUE")]
    changes: Vec<String>,

    /// Print the JSON schema of experiment files, for editors
    #[arg(long, exclusive = true)]
    schema: bool,
}

fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
    match parts {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
        _ => Err("expected the number of a part and how many there are, as 1/3".to_owned()),
    }
}

impl From<FileError> for CliError {
    fn from(error: FileError) -> Self {
        Self::BadInput(error.to_string())
    }
}

impl From<PlanError> for CliError {
    fn from(error: PlanError) -> Self {
        Self::BadInput(error.to_string())
    }
}

impl From<FolderError> for CliError {
    fn from(error: FolderError) -> Self {
        if error.is_bad_input() { Self::BadInput(error.to_string()) } else { Self::Failed(error.to_string()) }
    }
}

impl From<JournalError> for CliError {
    fn from(error: JournalError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl Run {
    pub fn run(&self) -> Result<(), CliError> {
        let Some(path) = self.experiment.as_ref().filter(|_| !self.schema) else {
            let schema = crate::lab::schema::text();
            return Ok(stdout().write_all(schema.as_bytes())?);
        };
        let (name, text) = source(path)?;
        let experiment = Experiment::parse(&name, &text, &self.changes, charts::NAMES)?;
        let command = command();
        let plan = Plan::of(&experiment, &command)?;
        if self.dry_run {
            return dry::print(&mut stdout().lock(), &experiment, &plan, self.shard);
        }
        let stem = name.file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned());
        let out = self.out.clone().unwrap_or_else(|| new_folder(&stem));
        let order = Order { experiment: &experiment, text: &text, command: &command };
        let done = order.perform(plan, &out, self.resume, self.shard, &self.reuse)?;
        done.print(&mut stdout().lock())?;
        done.status()
    }
}

/// The text of an experiment: a file, or one that ships.
fn source(path: &Path) -> Result<(PathBuf, String), CliError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok((path.to_owned(), text)),
        Err(error) => {
            let name = path.to_string_lossy();
            let shipped = crate::lab::shipped::named(&name);
            shipped.map(|one| (PathBuf::from(format!("{}.toml", one.name)), one.text.to_owned())).ok_or_else(|| {
                let names = crate::lab::shipped::EXPERIMENTS.iter().map(|one| one.name);
                let near = super::error::did_you_mean(&name, names);
                CliError::BadInput(format!("{name}: {error}{near}"))
            })
        }
    }
}

/// The command as it was given.
pub fn command() -> String {
    let quoted = |word: String| {
        let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,+:".contains(c));
        if is_plain && !word.is_empty() { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    ["splitpoint".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// A folder under `results/` that is not there yet.
pub fn new_folder(stem: &str) -> PathBuf {
    let now: String = calendar::utc(calendar::now()).chars().filter(|c| !matches!(c, '-' | ':' | 'Z')).collect();
    let name = format!("{stem}-{}", now.replace('T', "-"));
    let candidates = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name}-{n}")));
    let free = candidates.map(|name| Path::new(RESULTS).join(name)).find(|path| !path.exists());
    free.unwrap_or_else(|| Path::new(RESULTS).join(name))
}

/// An experiment that is to be run.
pub struct Order<'a> {
    pub experiment: &'a Experiment,
    /// Its file.
    pub text: &'a str,
    /// The command that asks for it.
    pub command: &'a str,
}

/// What came of a run.
pub struct Done {
    pub folder: PathBuf,
    pub report: report::Made,
    failed: Vec<String>,
}

impl Order<'_> {
    /// Runs what is missing in the folder and makes the report.
    pub fn perform(
        &self,
        mut plan: Plan,
        out: &Path,
        resumes: bool,
        shard: Option<Shard>,
        reused: &[PathBuf],
    ) -> Result<Done, CliError> {
        let is_wanted = match shard {
            None => vec![true; plan.cells.len()],
            Some(shard) => {
                plan.description.shard = Some((shard.number, shard.of));
                plan.is_in(shard)
            }
        };
        plan.description.own_cells = is_wanted.iter().filter(|is_wanted| **is_wanted).count() as u64;
        let (folder, mut journal, held) = RunFolder::open(out, &plan.description, self.text, resumes)?;
        if let Some(warning) = &held.warning {
            eprintln!("warning: {warning}");
        }
        let session = begin_session(self.command, &plan.models);
        folder.add_session(&session)?;
        let mut records = held.records;
        for other in reused {
            let taken = reuse(&plan, &is_wanted, other, &folder, &mut journal, &mut records)?;
            eprintln!("{taken} records are taken over from {}", other.display());
        }
        let conduct = &self.experiment.conduct;
        let laboratory = Laboratory::new(Conditions {
            models: plan.models.clone(),
            positions: plan.description.positions.clone(),
            limit_s: conduct.limit_s,
            fill: conduct.fill,
            random_addresses: true,
        });
        let journal = Arc::new(Mutex::new(journal));
        let progress = Arc::new(Progress::new(&plan.description, &records));
        let (display, path) = (Arc::clone(&progress), out.to_owned());
        interrupt::watch(Arc::clone(&journal), move || {
            display.clear();
            eprintln!("interrupted; what was measured is kept: go on with --resume --out {}", path.display());
        });
        let runner = Runner {
            cells: &plan.cells,
            is_wanted: &is_wanted,
            conduct,
            most_repeats: usize::MAX,
            searcher: &laboratory,
            journal: Some(journal),
            observer: &*progress,
            session: &session.id,
        };
        let description = plan.description.clone();
        let judge = |records: &[crate::record::Record]| {
            let half_width = conduct.until.map_or(f64::INFINITY, |until| until.half_width);
            sufficiency::needy(&description, records, half_width)
        };
        let result = runner.run(&mut records, Some(&judge));
        progress.clear();
        result?;
        let failed = records.iter().filter_map(|record| match &record.result {
            CellResult::Failed(reason) => Some(format!("{}: {reason}", record.cell.position)),
            CellResult::Done(_) => None,
        });
        let failed = failed.collect();
        let report = report::make(out)?;
        Ok(Done { folder: out.to_owned(), report, failed })
    }
}

impl Done {
    pub fn print(&self, out: &mut impl Write) -> Result<(), CliError> {
        writeln!(out, "{}", self.report.summary)?;
        writeln!(out, "{}", self.report.answer)?;
        writeln!(out, "\nreport  {}", self.folder.join("report.html").display())?;
        writeln!(out, "tables  {}", self.folder.join("runs.csv").display())?;
        Ok(())
    }

    /// Bad if cells failed.
    pub fn status(&self) -> Result<(), CliError> {
        match self.failed.first() {
            None => Ok(()),
            Some(first) => Err(CliError::Failed(format!("{} cells failed; the first: {first}", self.failed.len()))),
        }
    }
}
