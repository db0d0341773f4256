//! `splitpoint validate`: the virtual machine against this host, as one page and one file.

mod progress;

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CliError;
use super::output::{self, VERSION, object};
use super::run::{command, new_folder};
use crate::lab::validation::measure;
use crate::machine::RealMachine;
use crate::parallel::AnyStrategy;
use crate::record::SEQUENTIAL;
use crate::record::folder::{FolderError, write_whole};
use crate::record::validation::Size;
use crate::report::validation::Validated;
use crate::search::features::Recipe;

pub use progress::Progress;

/// Compare the virtual machine with this host: calibrate a cost model, and run the same searches and micro-programs on
/// both
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint validate
  splitpoint validate --features modern --strategy teams --strategy lazy
  splitpoint validate --quick
  splitpoint validate --skip 20
  splitpoint validate --out results/validation-of-64-cores.html
  splitpoint validate --quick --json

It writes a page, beside it the figures of each strategy (.csv), and a file of the same name that ends in .json: send \
that file to anybody who asks how far the virtual machine can be trusted on your computer. Let nothing else run \
while it measures.")]
pub struct Validate {
    /// Page to write; the file with all figures goes beside it [default: a new one under results/]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Run a trial of about a minute: enough to check that it works, too little to show anything
    #[arg(long)]
    quick: bool,

    /// Features of the searches: a preset, with changes
    #[arg(long, value_name = "F", default_value = "thesis", allow_hyphen_values = true)]
    features: Recipe,

    /// Strategy by which several processors share a search, with changes to its parameters; may be given several times
    /// [default: all strategies, one after the other]
    #[arg(long = "strategy", value_name = "S", allow_hyphen_values = true)]
    strategies: Vec<AnyStrategy>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Number of seeds for searching each position on several processors
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(1..=1000))]
    seeds: Option<u64>,

    /// Number of nodes that sets the depth of a position: the last depth that one processor completes within them
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(1_000..=u64::MAX))]
    nodes: Option<u64>,

    /// Number of positions of the comparison to leave out, to try at others what is known of the first ones
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = super::values::whole::<usize>(0..=100))]
    skip: usize,
}

impl Validate {
    pub fn run(&self) -> Result<(), CliError> {
        let [page, file, table] = self.paths()?;
        let progress = Progress::new();
        let measured = measure(&self.size(), &command(), &progress);
        progress.clear();
        let validated = Validated::of(measured?);
        // The figures first: whatever becomes of the page, they are kept.
        let text = serde_json::to_vec(&validated).map_err(|error| CliError::Failed(error.to_string()))?;
        write_whole(&file, &text).map_err(FolderError::io(&file))?;
        write_whole(&page, validated.page()?.as_bytes()).map_err(FolderError::io(&page))?;
        let figures = validated.csv().map_err(FolderError::io(&table))?;
        write_whole(&table, &figures).map_err(FolderError::io(&table))?;
        let mut out = stdout().lock();
        if self.json {
            // The file has all of it and the records.
            let (measured, findings) = (&validated.measurements, &validated.findings);
            let (model, model_hash) = (&measured.model, &measured.model_hash);
            let printed =
                object! { version: VERSION, page: &page, file: &file, table: &table, model, model_hash, findings };
            output::json(&mut out, &printed)?;
        } else {
            writeln!(out, "{}", validated.text())?;
            writeln!(out, "page  {}\nfile  {}\ntable {}", page.display(), file.display(), table.display())?;
        }
        Ok(())
    }

    fn size(&self) -> Size {
        let size = if self.quick { Size::quick() } else { Size::for_processors(RealMachine::room()) };
        let seeds = self.seeds.unwrap_or(size.seeds);
        let features = self.features.to_string();
        let nodes = self.nodes.unwrap_or(size.nodes);
        Size { seeds, features, strategies: self.strategies(), nodes, skipped_positions: self.skip, ..size }
    }

    /// Strategies that are compared, as a configuration has them.
    fn strategies(&self) -> Vec<String> {
        let given: Vec<String> = self.strategies.iter().filter(is_shared).map(AnyStrategy::to_string).collect();
        if given.is_empty() { all_strategies() } else { given }
    }

    /// Paths of page, file, and table. What cannot be written there is found out before minutes have passed.
    fn paths(&self) -> Result<[PathBuf; 3], CliError> {
        let given = self.out.clone().unwrap_or_else(|| new_folder("validation"));
        let bad = |path: &Path, error: &dyn Display| CliError::BadInput(format!("{}: {error}", path.display()));
        if given.is_dir() || given.file_name().is_none() {
            return Err(bad(&given, &"this is a folder; expected a file, for example validation.html"));
        }
        let is_known = given.extension().is_some_and(|ending| ending == "html" || ending == "json");
        let stem = if is_known { given.with_extension("") } else { given };
        if let Some(folder) = stem.parent() {
            std::fs::create_dir_all(folder).map_err(|error| bad(folder, &error))?;
        }
        let paths = [".html", ".json", ".csv"].map(|ending| {
            let mut path = stem.clone().into_os_string();
            path.push(ending);
            PathBuf::from(path)
        });
        for path in &paths {
            let is_new = !path.exists();
            OpenOptions::new().append(true).create(true).open(path).map_err(|error| bad(path, &error))?;
            if is_new {
                std::fs::remove_file(path).map_err(|error| bad(path, &error))?;
            }
        }
        Ok(paths)
    }
}

/// Whether several processors search by a strategy.
fn is_shared(strategy: &&AnyStrategy) -> bool {
    strategy.name() != SEQUENTIAL
}

/// All strategies by which several processors search, as a configuration has them.
pub fn all_strategies() -> Vec<String> {
    AnyStrategy::all().iter().filter(is_shared).map(AnyStrategy::to_string).collect()
}
