//! `splitpoint run`: runs an experiment file, and makes tables, charts and a page of it.

mod dry;
mod progress;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Args;

use super::error::{CliError, did_you_mean};
use super::interrupt;
use super::output::tell;
use crate::lab::shipped::{self, EXPERIMENTS};
use crate::lab::{Conditions, Experiment, Laboratory, Plan, Runner, Shard, begin_session, name_of_filling, reuse};
use crate::record::folder::{self, RunFolder};
use crate::record::{Description, Record, calendar};
use crate::report::{self, charts, sufficiency};
use crate::table::number::counted;
use progress::Progress;

/// Folder of run folders.
const RESULTS: &str = "results";

/// Run an experiment file, and make tables, charts and a page from its records
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint run experiments/quick.toml
  splitpoint run experiments/quick.toml --dry-run
  splitpoint run experiments/quick.toml --out /tmp/r1 --resume
  splitpoint run experiments/quick.toml --set plan.depth=6 --set repetitions=2
  splitpoint run experiments/hyatt-24.toml --shard 1/3 --out /tmp/part-1

After an interruption, --resume runs what is missing: only the searches that were being made are lost.")]
pub struct Run {
    /// Experiment file in TOML or JSON, or the name of one that ships ('splitpoint list experiments')
    #[arg(value_name = "EXPERIMENT", required_unless_present = "schema")]
    experiment: Option<PathBuf>,

    /// Folder for the results [default: a new one under results/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Run what is missing in the folder of --out; start there if it holds no run
    #[arg(long, requires = "out")]
    resume: bool,

    /// Copy records of identical searches from other run folders instead of measuring again; real ones of this computer
    #[arg(long, value_name = "DIR")]
    reuse: Vec<PathBuf>,

    /// Print the plan, the estimated time and the intervals to expect, and do not run it
    #[arg(long)]
    dry_run: bool,

    /// Run part I of N of the plan; 'splitpoint merge' joins the parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Override a key of the file: axes.depth=6, plan.0.threads="1..=8"
    #[arg(long = "set", value_name = "KEY=VALUE")]
    changes: Vec<String>,

    /// Print the JSON schema of experiment files, for editors
    #[arg(long, exclusive = true)]
    schema: bool,
}

impl Run {
    pub fn run(&self) -> Result<(), CliError> {
        let Some(path) = self.experiment.as_ref().filter(|_| !self.schema) else {
            return Ok(stdout().write_all(crate::lab::schema::text().as_bytes())?);
        };
        let (name, text) = source(path)?;
        let experiment = Experiment::parse(&name, &text, &self.changes, &charts::names())?;
        if self.dry_run {
            let plan = Plan::of(&experiment, &command())?;
            return dry::print(&mut stdout().lock(), &plan, self.shard);
        }
        let stem = name.file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned());
        let out = self.out.clone().unwrap_or_else(|| new_folder(&stem));
        Order {
            experiment: &experiment,
            text: &text,
            out: &out,
            resumes: self.resume,
            shard: self.shard,
            reused: &self.reuse,
        }
        .perform()
    }
}

/// The text of an experiment, with the name of its file: a file, or one that ships.
fn source(path: &Path) -> Result<(PathBuf, String), CliError> {
    std::fs::read_to_string(path).map(|text| (path.to_owned(), text)).or_else(|error| {
        let name = path.to_string_lossy();
        let shipped = shipped::named(&name).map(|one| (PathBuf::from(format!("{name}.toml")), one.text.to_owned()));
        let near = || did_you_mean(&name, EXPERIMENTS.iter().map(|one| one.name));
        shipped.ok_or_else(|| CliError::BadInput(format!("{name}: {error}{}", near())))
    })
}

/// The command as it was given.
pub fn command() -> String {
    let quoted = |word: String| {
        let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,+:".contains(c));
        if is_plain && !word.is_empty() { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("splitpoint".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
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
    /// Text of its file.
    pub text: &'a str,
    /// Folder for its results.
    pub out: &'a Path,
    /// Whether what the folder holds is completed.
    pub resumes: bool,
    /// Part of the plan that is run; all of it if there is none.
    pub shard: Option<Shard>,
    /// Folders whose records are taken over.
    pub reused: &'a [PathBuf],
}

impl Order<'_> {
    /// Runs what is missing in the folder, makes the report and prints its summary. Fails if cells failed.
    pub fn perform(&self) -> Result<(), CliError> {
        let Self { experiment, text, out, .. } = self;
        let command = command();
        let plan = Plan::of(experiment, &command)?;
        let cells = plan.part(self.shard);
        let held = folder::description(out).ok().filter(|_| self.resumes);
        let fill = experiment.conduct.fill.resolved(held.as_ref());
        let description = Description {
            shard: self.shard.map(|shard| (shard.number, shard.of)),
            own_cells: cells.len() as u64,
            fill: Some(name_of_filling(fill)),
            ..plan.description.clone()
        };
        let (folder, mut journal, held) = RunFolder::open(out, &description, text, self.resumes)?;
        if let Some(warning) = &held.warning {
            tell(format_args!("warning: {warning}"));
        }
        let session = begin_session(&command, &plan.models);
        folder.add_sessions([serde_json::json!(session)])?;
        let mut records = held.records;
        for other in self.reused {
            let taken = reuse(&cells, other, (&folder, &session), &mut journal, &mut records)?;
            tell(format_args!("{taken} records are taken over from {}", other.display()));
        }
        let conduct = &experiment.conduct;
        let laboratory = Laboratory::new(Conditions {
            models: plan.models.clone(),
            positions: description.positions.clone(),
            limit_s: conduct.limit_s,
            fill,
            random_addresses: true,
        });
        let journal = Arc::new(Mutex::new(journal));
        let progress = Arc::new(Progress::new(&description, &records));
        let (display, path) = (Arc::clone(&progress), out.to_path_buf());
        interrupt::watch(Arc::clone(&journal), move || {
            display.clear();
            let path = path.display();
            tell(format_args!("interrupted; what was measured is kept: go on with --resume --out {path}"));
        });
        let runner = Runner {
            cells: &cells,
            planned: description.cells,
            conduct,
            most_repeats: usize::MAX,
            searcher: &laboratory,
            journal: Some(journal),
            observer: &*progress,
            session: &session.id,
        };
        let half_width = conduct.until.map_or(f64::INFINITY, |until| until.half_width);
        let judge = |records: &[Record]| sufficiency::needy(&description, records, half_width);
        let result = runner.run(&mut records, Some(&judge));
        progress.clear();
        result?;
        let report = report::make(out, None)?;
        let mut stdout = stdout().lock();
        writeln!(stdout, "{}\n{}", report.summary, report.answer)?;
        writeln!(stdout, "\nreport  {}", out.join("report.html").display())?;
        writeln!(stdout, "tables  {}", out.join("runs.csv").display())?;
        stdout.flush()?;
        let cut = records.iter().filter(|record| record.cut().is_some()).count();
        if cut > 0 {
            let searches = counted(cut, "search", "searches");
            tell(format_args!("the limit cut off {searches}: what is made of them are bounds"));
        }
        let reason = |record: &Record| Some(format!("{}: {}", record.cell.position, record.failure()?));
        let reasons = records.iter().filter_map(reason);
        match reasons.clone().next() {
            None => Ok(()),
            Some(first) => Err(CliError::Failed(format!("{} cells failed; the first: {first}", reasons.count()))),
        }
    }
}
