//! `splitpoint whatif`: what each cost of the virtual machine is worth, by the experiment `whatif`.

use clap::Args;

use super::error::CliError;
use super::run::{Destination, foretell, order, perform};
use super::source::shipped_experiment;

/// Name of the experiment.
const EXPERIMENT: &str = "whatif";
/// Shares to which each cost is lowered, in hundredths.
const SHARES: [u32; 4] = [90, 75, 50, 0];
/// Costs that are lowered if none are named.
const COSTS: &str = "reference-modern";

/// Lower each cost of the virtual machine in turn, and say how much sooner a search is done: minutes on two cores
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint whatif --dry-run
  splitpoint whatif
  splitpoint whatif --strategy lazy --threads 4
  splitpoint whatif --costs reference-modern,lock_handoff*4 --out results/dear-locks

Each cost is lowered by a tenth, a quarter, a half and to nothing, all others staying as they are. The chart has the \
changes that matter most first. To change the preset or the positions, run the experiment: splitpoint run whatif --set \
axes.features=thesis.")]
pub struct WhatIf {
    /// Strategy of the searches [default: teams]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    strategy: Option<String>,

    /// Numbers of processors [default: 16,64]
    #[arg(long, value_name = "N", value_delimiter = ',')]
    threads: Vec<u32>,

    /// Cost model whose costs are lowered
    #[arg(long, value_name = "MODEL", default_value = COSTS)]
    costs: String,

    #[command(flatten)]
    to: Destination,

    /// Print the plan and the estimated time, without running it
    #[arg(long)]
    dry_run: bool,
}

impl WhatIf {
    pub fn run(&self) -> Result<(), CliError> {
        let mut changes: Vec<String> = Vec::new();
        changes.extend(self.strategy.iter().map(|strategy| format!("axes.strategy={strategy}")));
        if !self.threads.is_empty() {
            changes.push(format!("axes.threads={:?}", self.threads));
        }
        if self.costs != COSTS {
            let each = SHARES.map(|share| format!("{},each*{share}%", self.costs));
            let all: Vec<&String> = std::iter::once(&self.costs).chain(&each).collect();
            changes.push(format!("axes.costs={all:?}"));
            changes.push(format!("report.reference={{ costs = {:?} }}", self.costs));
        }
        let experiment = shipped_experiment(EXPERIMENT, &changes)?;
        let out = self.to.folder(EXPERIMENT);
        let order = order(&experiment, &out, self.to.resume);
        if self.dry_run { foretell(&order, false) } else { perform(&order) }
    }
}
