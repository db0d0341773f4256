//! `splitpoint reproduce`: the thesis's main experiment, built in, in three sizes.

use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CliError;
use super::run::{Order, new_folder};
use crate::lab::{Experiment, shipped};
use crate::report::charts;

/// Name of the experiment.
const EXPERIMENT: &str = "thesis-main";
/// Changes for a run of four minutes on two cores: a ply less deep, and fewer points on the curve.
const USUAL: &[&str] =
    &["axes.depth=10", "plan.2.threads=[3, 6, 12, 20]", "title=\"The thesis's main experiment, one ply less deep\""];
/// Changes for a run of ten seconds on two cores.
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

/// Repeat the main experiment of the 2004 thesis: four minutes on two cores
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint reproduce
  splitpoint reproduce --quick --out /tmp/quick
  splitpoint reproduce --full

The thesis's program, as printed, searches the thesis's ten positions on the cores of this computer, and on 1 to 24 \
virtual processors with the costs of the thesis's computer. The depth is 10, one ply less than in the thesis.")]
pub struct Reproduce {
    /// Search half of the positions, to depth 7, to see that everything works: ten seconds on two cores
    #[arg(long, conflicts_with = "full")]
    quick: bool,

    /// Search to depth 11, as in the thesis, on every number of processors: a quarter of an hour on two cores
    #[arg(long)]
    full: bool,

    /// Folder for the results [default: a new one under results/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Run what is missing in the folder of --out; start there if it holds no run
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
