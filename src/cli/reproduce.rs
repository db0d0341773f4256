//! `splitpoint reproduce`: the thesis's main experiment, built in, in three sizes.

use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CliError;
use super::run::{Order, new_folder};
use crate::lab::{Experiment, shipped};
use crate::report::charts;

/// Name of the experiment.
const EXPERIMENT: &str = "thesis-main";
/// Changes for a run of a few minutes on two cores: a ply less deep, and fewer points on the curve.
const USUAL: &[&str] =
    &["axes.depth=10", "plan.2.threads=[3, 6, 12, 20]", "title=\"The thesis's main experiment, one ply less deep\""];
/// Changes for a run of less than half a minute.
const QUICK: &[&str] = &[
    "axes.depth=7",
    "baseline=3",
    "plan.0.repetitions=2",
    "plan.1.repetitions=2",
    "plan.2.threads=[2]",
    "positions.suite=\"thesis-10\"",
    "positions.every=2",
    "title=\"The thesis's main experiment, very small\"",
];

/// Repeat the main experiment of the 2004 thesis: a few minutes on two cores
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint reproduce
  splitpoint reproduce --quick --out /tmp/quick
  splitpoint reproduce --full

Its ten positions are searched by its program as printed, on the cores of this computer and on 1 to 24 virtual
processors with the costs of its own. --full searches to its depth of 11 on every number of processors, and takes a
quarter of an hour.")]
pub struct Reproduce {
    /// Half a minute, to see that everything works
    #[arg(long, conflicts_with = "full")]
    quick: bool,

    /// The real thing: depth 11, on 1 to 24 processors
    #[arg(long)]
    full: bool,

    /// The folder for its results [default: a new one under results/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Complete what is in the folder; begin if there is nothing
    #[arg(long, requires = "out")]
    resume: bool,
}

impl Reproduce {
    pub fn run(&self) -> Result<(), CliError> {
        let text = shipped::named(EXPERIMENT).map(|shipped| shipped.text).unwrap_or_default();
        let changes: &[&str] = match (self.quick, self.full) {
            (true, _) => QUICK,
            (_, true) => &[],
            _ => USUAL,
        };
        let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
        let experiment = Experiment::parse(Path::new("thesis-main.toml"), text, &changes, &charts::names())?;
        let out = self.out.clone().unwrap_or_else(|| new_folder("reproduce"));
        Order { experiment: &experiment, text, out: &out, resumes: self.resume, shard: None, reused: &[] }.perform()
    }
}
