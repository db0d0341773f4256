//! `splitpoint contribute`: what this computer adds to what is known of scaling, and what others have added.

use std::fmt::Display;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::CliError;
use super::output;
use super::run::command;
use super::validate::{Progress, all_strategies};
use crate::lab::begin_session;
use crate::lab::validation::{boards, measure};
use crate::machine::RealMachine;
use crate::record::contribution::Contribution;
use crate::record::folder::{CONTRIBUTION, read_json, take, write_json};
use crate::record::validation::Size;
use crate::report::contributions::Contributions;
use crate::report::validation::Validated;
use crate::search::signature;

/// Sets of features that are measured.
const FEATURES: [&str; 2] = ["thesis", "modern"];
/// Folder of the measurement where none is named.
const FOLDER: &str = "results/contribution";

/// Measure how searches scale on this computer, to send the figures to us; or show what computers have contributed
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint contribute
  splitpoint contribute --quick --out /tmp/trial
  splitpoint contribute /tmp/trial/contribution.json --page /tmp/contributed.html

Let nothing else run while it measures, which takes some minutes on two cores and longer on many. Every strategy is \
searched with on 2, 4, 8 processors and so on, up to all cores, on real processors and on virtual ones with the costs \
of this computer; every board on one. A rerun goes on after the last step that was finished. The file, of less than \
200 kB, has a hash in place of the computer's name. CONTRIBUTING.md says where to send it.")]
pub struct Contribute {
    /// Contributions to show side by side; without any, this computer is measured
    #[arg(value_name = "FILE", conflicts_with_all = ["quick", "out", "nodes"])]
    files: Vec<PathBuf>,

    /// Folder that keeps what is measured; a rerun goes on there [default: results/contribution]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Run a trial: enough to check that it works, too little to show anything
    #[arg(long)]
    quick: bool,

    /// Number of nodes of a search by one processor; others than the usual one are not for sending
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(1_000..=u64::MAX))]
    nodes: Option<u64>,

    /// Also write a page to this file
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

/// A step that is finished: what it found, and for which program and size.
#[derive(Serialize, Deserialize)]
struct Step<T> {
    signature: u64,
    size: Size,
    found: T,
}

impl Contribute {
    pub fn run(&self) -> Result<(), CliError> {
        let mut out = stdout().lock();
        let contributions = if self.files.is_empty() {
            let folder = self.out.clone().unwrap_or_else(|| FOLDER.into());
            let (contribution, file) = self.measured(&folder)?;
            writeln!(out, "file  {}", file.display())?;
            vec![contribution]
        } else {
            self.files.iter().map(|file| Contribution::read(file)).collect::<Result<_, _>>()?
        };
        let contributions = Contributions(contributions);
        writeln!(out, "{}", contributions.text())?;
        if let Some(page) = &self.page {
            output::file(page, contributions.page()?)?;
            writeln!(out, "page  {}", page.display())?;
        }
        Ok(())
    }

    /// Contribution of this computer, and its file.
    fn measured(&self, folder: &Path) -> Result<(Contribution, PathBuf), CliError> {
        let _lock = take(folder, CONTRIBUTION)?;
        let size = if self.quick { Size::quick() } else { Size::for_contribution(RealMachine::room()) };
        let size = Size { nodes: self.nodes.unwrap_or(size.nodes), ..size };
        let progress = Progress::new();
        let mut parts = Vec::new();
        for features in FEATURES {
            let size = Size { features: features.to_owned(), strategies: all_strategies(), ..size.clone() };
            parts.push(step(folder, features, &size, || {
                output::tell(format_args!("searches with the features {features}"));
                Ok(Validated::of(measure(&size, &command(), &progress).map_err(failed)?).contributed())
            })?);
        }
        let boards = step(folder, "boards", &size, || boards(&size, &progress).map_err(failed))?;
        progress.clear();
        let session = begin_session("", &Default::default());
        let (contribution, file) = (Contribution::new(&session, parts, boards), folder.join(CONTRIBUTION));
        contribution.write(&file)?;
        Ok((contribution, file))
    }
}

fn failed(error: impl Display) -> CliError {
    CliError::Failed(error.to_string())
}

/// Result of a step of the measurement: from its file, if this program has finished the step with the same size.
fn step<T: Serialize + DeserializeOwned>(
    folder: &Path,
    name: &str,
    size: &Size,
    find: impl FnOnce() -> Result<T, CliError>,
) -> Result<T, CliError> {
    let (path, signature) = (folder.join(format!("step-{name}.json")), signature::recorded());
    let known: Option<Step<T>> = read_json(&path)?;
    if let Some(step) = known.filter(|step| (step.signature, &step.size) == (signature, size)) {
        return Ok(step.found);
    }
    let step = Step { signature, size: size.clone(), found: find()? };
    write_json(&path, &step)?;
    Ok(step.found)
}
