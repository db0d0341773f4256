//! Whether speedups on many virtual processors are told with their range over prices that two cores cannot measure.

use super::super::plan::price_range::FEWEST;
use super::Block;
use super::document::DocumentError;
use super::section::Section;
use super::values::switch;
use crate::record::axes::{MACHINE, THREADS};
use crate::record::{Baseline, MachineKind};

/// Whether the plan of a file has searches for the range. Without a word in the file it has them where they may matter.
pub fn read(root: &Section<'_>, blocks: &[Block], baseline: Baseline) -> Result<bool, DocumentError> {
    let is_large = |block: &Block| {
        let axes = &block.axes;
        axes.of(&MACHINE).any(|choice| choice.machine == MachineKind::Virtual)
            && axes.of(&THREADS).any(|choice| choice.threads >= FEWEST)
    };
    let may_matter = || baseline != Baseline::None && blocks.iter().any(is_large);
    Ok(root.one("price_range", switch)?.unwrap_or_else(may_matter))
}
