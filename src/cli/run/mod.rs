//! `splitpoint run`: runs an experiment file, and makes tables, charts and a page of it.

mod dry;
mod judging;
mod opening;
mod progress;

use std::collections::{BTreeSet, HashSet};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Args;

use super::error::CliError;
use super::interrupt;
use super::output::tell;
use super::source::Source;
use crate::lab::pilot::Evidence;
use crate::lab::promises::{kinds, promises};
use crate::lab::{
    Conditions, Conduct, Experiment, Laboratory, Ledger, NewPosition, Plan, Runner, Shard, advice, begin_session,
    check_engines, name_of_filling, on_same_computer, reuse, warnings,
};
use crate::random::SplitMix;
use crate::record::folder::{self, EXPERIMENT, RunFolder};
use crate::record::{Cell, Description, Outlines, State, calendar};
use crate::report::{self, charts, sufficiency};
use crate::statistics::stopping_half_width;
use crate::table::number::counted;
use progress::Progress;

/// Folder of run folders.
const RESULTS: &str = "results";
/// Seed of the order of searches in folders from before each run had its own.
const OLD_ORDER_SEED: u64 = 1;
/// Seeds of orders that nobody chose are below this: short enough to be typed.
const ORDER_SEEDS: u64 = 1_000_000_000;

/// Largest number of presets or cost models that the first line names; more are counted.
const MOST_NAMED: usize = 3;

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

After an interruption, --resume runs what is missing: only the searches that were running are lost.")]
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

    /// Copy records of identical searches from other run folders instead of measuring again; records of real
    /// processors must come from this computer
    #[arg(long, value_name = "DIR")]
    reuse: Vec<PathBuf>,

    /// Print the plan, the estimated time and the expected intervals, without running it
    #[arg(long)]
    dry_run: bool,

    /// Predict the expected intervals from the records of this run folder [default: from similar runs under results/]
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
        let (name, text) = Source::Experiment.read(path)?;
        let experiment = Experiment::parse(&name, &text, &self.changes, &charts::names())?;
        let stem = name.file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned());
        let out = self.out.clone().unwrap_or_else(|| new_folder(&stem));
        let order = Order {
            experiment: &experiment,
            out: &out,
            resumes: self.resume,
            shard: self.shard,
            reused: &self.reuse,
            pilot: self.pilot.as_deref(),
        };
        if self.dry_run { order.foretell() } else { order.perform() }
    }
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
}

impl Order<'_> {
    /// Prints the plan, the time that it takes and the intervals to expect.
    pub fn foretell(&self) -> Result<(), CliError> {
        let plan = Plan::of(self.experiment, &command())?;
        tell(format_args!("{}: {}", plan.description.title, summary(&plan)));
        dry::print(&mut stdout().lock(), &plan, self.shard, &evidence(&plan, self.pilot)?)
    }

    /// Runs what is missing in the folder, makes the report and prints its summary. Fails if cells failed.
    pub fn perform(&self) -> Result<(), CliError> {
        let Self { experiment, out, .. } = self;
        let command = command();
        let plan = Plan::of(experiment, &command)?;
        let cells = plan.part(self.shard);
        check_engines(&plan)?;
        // What a run was begun with holds until its end.
        let before = if self.resumes && out.join(EXPERIMENT).exists() { Some(folder::description(out)?) } else { None };
        let order_seed = self.order_seed(before.as_ref());
        let fill = experiment.conduct.fill.resolved(before.as_ref());
        let conduct = Conduct { order_seed, ..experiment.conduct.clone() };
        let mut description = Description {
            shard: self.shard.map(|shard| (shard.number, shard.of)),
            own_cells: cells.len() as u64,
            order_seed,
            fill: Some(name_of_filling(fill)),
            promises: match before {
                Some(before) => before.promises,
                None => promises(&plan, &evidence(&plan, self.pilot)?),
            },
            notes: advice::notes(&plan),
            ..plan.description.clone()
        };
        description.notes.iter().for_each(|note| tell(format_args!("warning: {note}")));
        let file = experiment.what_ran.file(order_seed)?;
        let progress = Arc::new(Progress::new(&description));
        let (mut ledger, mut records) = (Ledger::default(), Vec::new());
        let mut sessions_on_real_processors = HashSet::new();
        let (folder, mut journal, damages) = RunFolder::open(out, &description, &file, self.resumes, |record| {
            ledger.add(&record);
            progress.know(&record);
            if record.is_real() && !sessions_on_real_processors.contains(&record.session) {
                sessions_on_real_processors.insert(record.session.clone());
            }
            // Whole records take much room: they are kept only where others are to be compared with them.
            if !self.reused.is_empty() {
                records.push(record);
            }
        })?;
        damages.iter().for_each(|damage| tell(format_args!("warning: {damage}")));
        let session = begin_session(&command, &plan.models);
        if conduct.until.is_some() || ledger.lacks_real(&cells) {
            on_same_computer(out, &sessions_on_real_processors, &session)?;
        }
        folder.add_sessions([serde_json::json!(session)])?;
        for other in self.reused {
            let known = records.len();
            let taken = reuse(&cells, other, (&folder, &session), &mut journal, &mut records)?;
            for record in &records[known..] {
                ledger.add(record);
                progress.know(record);
            }
            tell(format_args!("reused {taken} records from {}", other.display()));
        }
        drop(records);
        if let Some(busy) = opening::busy(&session).filter(|_| ledger.lacks_real(&cells)) {
            tell(format_args!("warning: {busy}"));
        }
        let laboratory = Laboratory::new(Conditions {
            models: plan.models.clone(),
            engines: plan.engines.clone(),
            positions: description.positions.iter().chain(&description.more_positions).cloned().collect(),
            limit_s: conduct.limit_s,
            limit_nodes: conduct.limit_nodes,
            fill,
            random_addresses: true,
        });
        for warning in warnings(cells.iter().map(|(_, cell)| *cell), &laboratory) {
            tell(format_args!("warning: {warning}"));
        }
        let known: HashSet<u64> = ledger.outlines.all().iter().map(|outline| outline.index).collect();
        let missing: Vec<(u64, &Cell)> = cells.iter().copied().filter(|(index, _)| !known.contains(index)).collect();
        if !missing.is_empty() {
            tell(opening::line(&description.title, &missing, &laboratory));
        }
        let journal = Arc::new(Mutex::new(journal));
        let (display, path) = (Arc::clone(&progress), out.to_path_buf());
        interrupt::watch(Arc::clone(&journal), move || {
            display.clear();
            let path = path.display();
            tell(format_args!("interrupted; all records so far are kept: continue with --resume --out {path}"));
        });
        let runner = Runner {
            cells: &cells,
            planned: description.cells,
            conduct: &conduct,
            most_repeats: usize::MAX,
            searcher: &laboratory,
            journal: Some(Arc::clone(&journal)),
            observer: &*progress,
            session: &session.id,
            more_positions: &self.more_positions(),
        };
        let half_width = conduct.until.map_or(f64::INFINITY, |until| stopping_half_width(until.half_width));
        let judge = |known: &Outlines| sufficiency::verdict(&description, known, half_width);
        let result = runner.run(&mut ledger, Some(&judge));
        progress.clear();
        if let Some(ending) = result? {
            description.notes.push(ending);
            folder.describe(&description)?;
        }
        let cut = ledger.outlines.all().iter().filter(|outline| outline.state == State::Cut).count();
        drop(ledger);
        judging::judge(experiment, &folder, &journal, &session.id)?;
        let report = report::make(out, report::Wishes::default())?;
        super::report::print(&mut stdout().lock(), &report, out, false)?;
        if cut > 0 {
            let searches = counted(cut, "search", "searches");
            tell(format_args!("the limit cut off {searches}: figures computed from them are bounds"));
        }
        match progress.failures() {
            (_, None) => Ok(()),
            (count, Some(first)) => Err(CliError::Failed(format!("{count} cells failed; the first: {first}"))),
        }
    }

    /// Seed of the order of the searches: that of the file, or that with which the run was begun, or a new one.
    fn order_seed(&self, before: Option<&Description>) -> Option<u64> {
        let Conduct { is_shuffled, order_seed, .. } = self.experiment.conduct;
        let own = || match before {
            Some(before) => before.order_seed.unwrap_or(OLD_ORDER_SEED),
            None => SplitMix::new(calendar::now().to_bits() ^ u64::from(std::process::id())).below(ORDER_SEEDS),
        };
        is_shuffled.then(|| order_seed.unwrap_or_else(own))
    }

    /// Positions that may be added; of a part of the plan, its part of them.
    fn more_positions(&self) -> Vec<NewPosition> {
        let Shard { number, of } = self.shard.unwrap_or(Shard { number: 1, of: 1 });
        let all = self.experiment.description.more_positions.iter();
        let own = all.skip(number as usize - 1).step_by(of as usize);
        let depth = |id: &str| self.experiment.depths.get(id).copied();
        own.map(|one| NewPosition { id: one.id.clone(), fen: one.fen.clone(), depth: depth(&one.id) }).collect()
    }
}

/// A plan in one line: its presets with their changes, its cost models, and its number of searches.
fn summary(plan: &Plan) -> String {
    let configurations = || plan.cells.iter().map(|cell| &cell.configuration);
    let words = |what: &str, all: BTreeSet<&str>| match all.len() {
        0 => None,
        1..=MOST_NAMED => Some(format!("{what} {}", all.into_iter().collect::<Vec<_>>().join(" and "))),
        many => Some(format!("{many} {what}")),
    };
    let features = configurations().map(|one| one.features.as_str()).filter(|text| !text.is_empty()).collect();
    let costs = configurations().filter_map(|one| one.costs.as_deref()).collect();
    let searches = counted(plan.cells.len(), "search", "searches");
    let positions = counted(plan.description.positions.len(), "position", "positions");
    let size = format!("{searches} of {positions}");
    let parts = [words("features", features), words("costs", costs), Some(size)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Records of a pilot or of similar runs, from which the precision of a plan is predicted.
fn evidence(plan: &Plan, pilot: Option<&Path>) -> Result<Evidence, CliError> {
    Ok(Evidence::gather(pilot, Path::new(RESULTS), &kinds(plan))?)
}
