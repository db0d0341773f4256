//! Schedules of iterations under which one processor searches too, where strategies leave out iterations.

use super::Block;
use super::document::DocumentError;
use super::section::Section;
use super::values::whole;
use crate::parallel::AnyStrategy;
use crate::record::Baseline;
use crate::record::axes::{STRATEGY, THREADS};
use crate::search::Strategy;

/// Largest number of plies from one iteration to the next.
const MOST_PLIES: i64 = 99;
/// Schedules without a word in the file: every iteration, and every second one.
const USUAL: [u32; 2] = [1, 2];
/// Error about schedules in an experiment without baselines.
const NOTHING_TO_SEARCH: &str =
    "these are schedules of the search on one processor, and there is none: change baseline = \"none\"";

/// Schedules of a file, as plies from one iteration to the next. Where it has none they follow from its strategies.
pub fn read(root: &Section<'_>, blocks: &[Block], baseline: Baseline) -> Result<Vec<u32>, DocumentError> {
    let given = root.each("schedules", |item| Ok(vec![whole(item, 1..=MOST_PLIES)? as u32]))?;
    match (given, baseline) {
        (Some(_), Baseline::None) => Err(root.wrong("schedules", NOTHING_TO_SEARCH)),
        (Some(schedules), _) => Ok(schedules),
        (None, Baseline::None) => Ok(Vec::new()),
        (None, _) => Ok(if blocks.iter().any(leaves_out_iterations) { USUAL.to_vec() } else { Vec::new() }),
    }
}

/// Whether a block has a strategy that leaves out iterations.
fn leaves_out_iterations(block: &Block) -> bool {
    let threads: Vec<usize> = block.axes.of(&THREADS).map(|choice| choice.threads as usize).collect();
    let does = |strategy: &AnyStrategy| threads.iter().any(|&n| strategy.leaves_out_iterations(n));
    block.axes.of(&STRATEGY).any(|choice| choice.strategy.ours().is_some_and(does))
}
