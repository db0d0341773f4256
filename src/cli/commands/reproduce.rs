//! `splitpoint reproduce`: the thesis's main experiment, built in, in three sizes.

use clap::Args;

use super::error::CliError;
use super::run::{Destination, order, perform};
use super::source::shipped_experiment;

/// Name of the experiment.
const EXPERIMENT: &str = "thesis-main";
/// Changes for a run of five minutes on two cores: a ply less deep, and fewer points on the curve.
const USUAL: &[&str] = &[
    "axes.depth=10",
    "plan.1.repetitions=4",
    "plan.2.threads=[3, 6, 12, 20]",
    "title=\"The thesis's main experiment, one ply less deep\"",
];
/// Changes for a run of a quarter of a minute on two cores: few positions, but searches that are large enough for 24
/// processors.
const QUICK: &[&str] = &[
    "axes.depth=7",
    "plan.0.depth=8", // enough for two real processors
    "baseline=4",
    "plan.0.repetitions=4",
    "plan.1.repetitions=4",
    "plan.2.threads=[2]",
    "positions.suite=\"thesis-10\"",
    "positions.every=2",
    "title=\"The thesis's main experiment, very small\"",
];

/// Repeat the main experiment of the 2004 thesis: five minutes on two cores
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint reproduce
  splitpoint reproduce --quick --out /tmp/quick
  splitpoint reproduce --full

The thesis's program, as printed, searches the thesis's ten positions on the cores of this computer, and on 1 to 24 \
virtual processors with the costs of the thesis's computer. The depth is 10, one ply less than in the thesis.")]
pub struct Reproduce {
    /// Search half of the positions to depth 7, to check that everything works: a quarter of a minute on two cores
    #[arg(long, conflicts_with = "full")]
    quick: bool,

    /// Search to depth 11, as in the thesis, on every number of processors: half an hour on two cores
    #[arg(long)]
    full: bool,

    #[command(flatten)]
    to: Destination,
}

impl Reproduce {
    pub fn run(&self) -> Result<(), CliError> {
        let changes = match (self.quick, self.full) {
            (true, _) => QUICK,
            (_, true) => &[],
            _ => USUAL,
        };
        let experiment = shipped_experiment(EXPERIMENT, changes)?;
        let out = self.to.folder("reproduce");
        perform(&order(&experiment, &out, self.to.resume))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::lab::estimate::estimate;
    use crate::lab::pace::Pace;
    use crate::lab::{Conditions, Experiment, Laboratory, Plan};
    use crate::record::MachineKind;
    use crate::report::charts;

    /// The file that is kept of each size, run again, is that size and not another.
    #[test]
    fn each_size_runs_again() {
        let mut plans = Vec::new();
        for changes in [QUICK, USUAL, &[]] {
            let first = shipped_experiment(EXPERIMENT, changes).unwrap();
            let kept = first.what_ran.file(first.conduct.order_seed).unwrap().text;
            let again = Experiment::parse(Path::new("experiment.toml"), &kept, &[], &charts::names()).unwrap();
            let (plan, planned) = (Plan::of(&first, "").unwrap(), Plan::of(&again, "").unwrap());
            assert!(plan.cells == planned.cells && plan.description == planned.description, "{kept}");
            plans.push(plan.description.plan);
        }
        plans.sort();
        plans.dedup();
        assert_eq!(plans.len(), 3);
    }

    /// Virtual searches of `reproduce --quick` are large enough for their processors: it ends without a warning.
    #[test]
    fn searches_of_the_quick_size_are_large_enough() {
        let too_small = |changes: &[&str]| {
            let plan = Plan::of(&shipped_experiment(EXPERIMENT, changes).unwrap(), "").unwrap();
            let is_virtual = |cell: &&crate::record::Cell| cell.configuration.machine == MachineKind::Virtual;
            let cells: Vec<_> = (0..).zip(plan.cells.iter().filter(is_virtual)).collect();
            assert!(!cells.is_empty());
            let laboratory = Laboratory::new(Conditions { models: plan.models.clone(), ..Conditions::default() });
            estimate(&cells, &laboratory, &Pace::default()).too_small
        };
        assert_eq!(too_small(QUICK), []);
        assert_ne!(too_small(&[QUICK, &["axes.depth=5"]].concat()), []);
    }
}
