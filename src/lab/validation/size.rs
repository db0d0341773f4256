//! How much is measured: positions, seeds, and how large the searches are. Sizes are counts of nodes, never times, so that
//! all computers search the same trees.

use serde::{Deserialize, Serialize};

/// How much is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Positions at which real and virtual machine are compared.
    pub positions: usize,
    /// Other positions, to which the costs of work are fitted.
    pub calibration_positions: usize,
    /// Seeds with which each position is searched for the comparison.
    pub seeds: u64,
    /// Seeds with which each position is searched for the fit.
    pub calibration_seeds: u64,
    /// Positions are searched to the last depth that one processor completes within so many nodes.
    pub nodes: u64,
    /// Of the positions of the comparison, those at which costs are halved and doubled.
    pub cost_positions: usize,
    /// Of the seeds, those with which that is done.
    pub cost_seeds: u64,
    /// The numbers of virtual processors on which that is done.
    pub cost_processors: Vec<u32>,
}

/// On a computer of so many processors the searches are of the ordinary size; on a larger one they grow with it, so that
/// many processors still have enough to share.
const ORDINARY_PROCESSORS: u64 = 4;

impl Size {
    /// The default for a computer of so many processors: three to four minutes on two.
    pub fn for_processors(processors: usize) -> Self {
        const NODES: u64 = 400_000;
        Self {
            positions: 20,
            calibration_positions: 16,
            seeds: 8,
            calibration_seeds: 3,
            nodes: NODES * (processors as u64).div_ceil(ORDINARY_PROCESSORS),
            cost_positions: 8,
            cost_seeds: 2,
            cost_processors: vec![2, 16],
        }
    }

    /// For the cost model alone: a few seconds.
    pub fn for_calibration() -> Self {
        Self { calibration_positions: 12, calibration_seeds: 2, nodes: 200_000, ..Self::quick() }
    }

    /// A look in less than 40 seconds: enough to see that it works, too little to show anything.
    pub fn quick() -> Self {
        Self {
            positions: 6,
            calibration_positions: 8,
            seeds: 3,
            calibration_seeds: 2,
            nodes: 100_000,
            cost_positions: 3,
            cost_seeds: 1,
            cost_processors: vec![2, 16],
        }
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::for_processors(1)
    }
}
