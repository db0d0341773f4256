//! Advice on a plan before it is run, which its report repeats.

use super::plan::Plan;
use crate::machine::RealMachine;
use crate::record::MachineKind;
use crate::table::number::counted;

/// Warnings about a plan on this computer, a sentence each.
pub fn notes(plan: &Plan) -> Vec<String> {
    too_few_processors(plan, RealMachine::room() as u32).into_iter().collect()
}

fn too_few_processors(plan: &Plan, room: u32) -> Option<String> {
    let real = plan.cells.iter().map(|cell| &cell.configuration).filter(|one| one.machine == MachineKind::Real);
    let most = real.map(|configuration| configuration.threads).max().filter(|most| *most > room)?;
    let here = counted(u64::from(room), "processor", "processors");
    Some(format!(
        "Real searches by up to {most} threads were asked for on a computer with {here}: threads that take turns on a \
         processor do not show what as many processors would do."
    ))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Experiment;
    use super::*;

    #[test]
    fn more_threads_than_processors_are_warned_of() {
        let text = "positions.first = 1\n[axes]\nmachine = [\"real\", \"virtual\"]\nthreads = [1, 3]\ndepth = 3\n\
                    [[plan]]\n[[plan]]\nmachine = \"virtual\"\nthreads = 99\n";
        let experiment = Experiment::parse(Path::new("x.toml"), text, &[], &[]).unwrap();
        let plan = Plan::of(&experiment, "").unwrap();
        assert_eq!(too_few_processors(&plan, 3), None);
        let note = too_few_processors(&plan, 2).unwrap();
        assert!(note.contains("up to 3 threads were asked for on a computer with 2 processors"), "{note}");
    }
}
