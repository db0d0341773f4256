//! `splitpoint run`: runs an experiment file, and makes tables, charts and a page of it.

mod dry;
mod progress;

use std::collections::BTreeSet;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CliError;
use super::output::tell;
use super::source::EXPERIMENT;
use crate::lab::{Experiment, Order, Plan, Shard, companions, without_details};
use crate::record::axes::{COSTS, FEATURES};
use crate::record::{Named, calendar};
use crate::report::compare::since_last;
use crate::report::{self, Made, charts};
use crate::table::foreign::word;
use crate::table::number::counted;
use crate::table::terminal::{paragraph, width};
use progress::Progress;

/// Folder of run folders.
const RESULTS: &str = "results";
/// Largest number of presets or cost models that the first line names; more are counted.
const MOST_NAMED: usize = 3;

/// Folder of a run that is begun or continued.
#[derive(Args)]
pub struct Destination {
    /// Folder for the results [default: a new one under results/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Run what is missing in the folder of --out; start there if it holds no run
    #[arg(long, requires = "out")]
    pub resume: bool,
}

impl Destination {
    /// The folder; without one, a new one whose name begins so.
    pub fn folder(&self, stem: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| new_folder(stem))
    }
}

/// Run an experiment, and make tables, charts and a page from its records
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint run experiments/quick.toml
  splitpoint run experiments/quick.toml --dry-run
  splitpoint run experiments/quick.toml --dry-run --pilot results/earlier
  splitpoint run experiments/quick.toml --out /tmp/r1 --resume
  splitpoint run experiments/quick.toml --set plan.depth=6 --set repetitions=2
  splitpoint run experiments/hyatt-24.toml --shard 1/3 --out /tmp/part-1

A file may name engines from outside: programs that are started with your rights, so look at its [engines] first if it \
is somebody else's. --dry-run starts none.

After an interruption, --resume runs what is missing: only the searches that were running are lost.")]
pub struct Run {
    /// Experiment file in TOML or JSON, or the name of one that ships ('splitpoint list experiments')
    #[arg(value_name = "EXPERIMENT", required_unless_present = "schema")]
    experiment: Option<PathBuf>,

    #[command(flatten)]
    to: Destination,

    /// Copy records of identical searches from other run folders instead of measuring again; records of real
    /// processors must come from this computer
    #[arg(long, value_name = "DIR")]
    reuse: Vec<PathBuf>,

    /// Print the plan, the estimated time and the expected intervals, without running it
    #[arg(long)]
    dry_run: bool,

    /// Predict the expected intervals, and the time of equal searches, from the records of this run folder
    /// [default: intervals from similar runs under results/]
    #[arg(long, value_name = "DIR")]
    pilot: Option<PathBuf>,

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
        let (name, text) = EXPERIMENT.read(path)?;
        let mut experiment = Experiment::parse(&name, &text, &self.changes, &charts::names())?;
        let stem = name.file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned());
        let out = self.to.folder(&stem);
        let others: Vec<&Path> = self.reuse.iter().chain(&self.pilot).map(PathBuf::as_path).collect();
        let resumed = self.to.out.as_deref().filter(|_| self.to.resume);
        experiment.find_depths(resumed, &others, |searches| {
            let searches = counted(searches, "short search", "short searches");
            tell(format_args!("finding the depths for the sizes by {searches}"));
        })?;
        let order = Order {
            shard: self.shard,
            reused: &self.reuse,
            pilot: self.pilot.as_deref(),
            ..order(&experiment, &out, self.to.resume)
        };
        if self.dry_run { foretell(&order, false) } else { perform(&order) }
    }
}

/// The command as it was given.
pub fn command() -> String {
    let words = std::env::args_os().skip(1).map(|one| word(&one.to_string_lossy()).into_owned());
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

/// Order to run an experiment into this folder, with nothing else asked for.
pub fn order<'a>(experiment: &'a Experiment, out: &'a Path, resumes: bool) -> Order<'a> {
    Order {
        experiment,
        command: command(),
        out,
        resumes,
        shard: None,
        reused: &[],
        pilot: None,
        results: Path::new(RESULTS),
    }
}

/// Prints the plan, the time that it takes and the intervals to expect; of engines from outside too, if these may be
/// started.
pub fn foretell(order: &Order<'_>, starts_engines: bool) -> Result<(), CliError> {
    let plan = order.plan()?;
    companions::check_boards(&plan.cells)?;
    tell(format_args!("{}: {}", plan.description.title, summary(&plan)));
    dry::print(&mut stdout().lock(), order, &plan, starts_engines)
}

/// Runs what is missing in the folder, makes the report, prints its summary and what has changed since the last run of
/// the same plan. Fails if cells failed.
pub fn perform(order: &Order<'_>) -> Result<(), CliError> {
    let (report, ended) = measure(order)?;
    let mut out = stdout().lock();
    super::report::print(&mut out, &report, order.out, false)?;
    let beside = order.out.parent().filter(|beside| !beside.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Some((last, changes)) = since_last(order.out, &[order.results, beside]) {
        writeln!(out, "{}", paragraph("last    ", &format!("{}: {changes}", last.display()), width()))?;
        let [one, other] = [&last, order.out].map(|folder| folder.to_string_lossy());
        writeln!(out, "        splitpoint compare {} {}", word(&one), word(&other))?;
    }
    ended
}

/// Runs what is missing in the folder and makes the report; and whether no cell failed.
pub fn measure(order: &Order<'_>) -> Result<(Made, Result<(), CliError>), CliError> {
    let plan = order.plan()?;
    let run = order.prepare(&plan)?;
    let progress = Progress::new(&run.description, order.out);
    let done = run.conduct(&progress)?;
    let report = report::make(order.out, report::Wishes::default())?;
    if done.cut > 0 {
        let searches = counted(done.cut, "search", "searches");
        tell(format_args!("the limit cut off {searches}: figures computed from them are bounds"));
    }
    let ended = match done.first_failure {
        None => Ok(()),
        Some(first) => {
            let failed = counted(done.failed, "search", "searches");
            Err(CliError::Failed(format!("{failed} failed; the first: {}", without_details(&first))))
        }
    };
    Ok((report, ended))
}

/// A plan in one line: its presets with their changes, its cost models, and its number of searches.
fn summary(plan: &Plan) -> String {
    let configurations = || {
        let all = plan.cells.iter().map(|cell| &cell.configuration);
        all.filter(|one| !plan.description.is_for_price_range(one))
    };
    let words = |what: &str, all: BTreeSet<&str>| match all.len() {
        0 => None,
        1..=MOST_NAMED => Some(format!("{what} {}", all.into_iter().collect::<Vec<_>>().join(" and "))),
        many => Some(format!("{many} {what}")),
    };
    // Baselines under other schedules are what others are divided by, and not asked about.
    let asked = || configurations().filter(|one| !one.is_baseline());
    let all: Vec<_> = if asked().next().is_some() { asked().collect() } else { configurations().collect() };
    let features = all.iter().map(|one| one.features.as_str()).filter(|text| !text.is_empty()).collect();
    let costs = configurations().filter_map(|one| one.costs_name()).map(Named::as_str).collect();
    let searches = counted(plan.cells.len(), "search", "searches");
    let positions = counted(plan.description.positions.len(), "position", "positions");
    let size = format!("{searches} of {positions}");
    let parts = [words(FEATURES.name, features), words(COSTS.name, costs), Some(size)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
