//! Sizes of a validation: the default, the trial, and that of a calibration.

use super::Size;

/// Number of processors up to which searches are of the ordinary size; on a larger computer they grow with it, so that
/// many processors still have enough to share.
const ORDINARY_PROCESSORS: u64 = 4;

impl Size {
    /// Default size for a computer with this number of processors: about four minutes on two.
    pub fn for_processors(processors: usize) -> Self {
        const NODES: u64 = 400_000;
        Self {
            positions: 20,
            alone_positions: 80,
            skipped_positions: 0,
            calibration_positions: 100,
            seeds: 12,
            alone_seeds: 1,
            calibration_seeds: 1,
            calibration_repetitions: 5,
            nodes: NODES * (processors as u64).div_ceil(ORDINARY_PROCESSORS),
            features: String::new(),
            strategies: Vec::new(),
            mechanism_batches: 20,
        }
    }

    /// Size for the cost model alone: a few seconds.
    pub fn for_calibration() -> Self {
        Self { calibration_positions: 40, alone_positions: 0, ..Self::quick() }
    }

    /// Size of a trial of about a minute: enough to see that it works, too little to show anything.
    pub fn quick() -> Self {
        Self {
            positions: 6,
            alone_positions: 24,
            calibration_positions: 30,
            seeds: 3,
            calibration_repetitions: 3,
            nodes: 100_000,
            mechanism_batches: 10,
            ..Self::for_processors(1)
        }
    }
}
