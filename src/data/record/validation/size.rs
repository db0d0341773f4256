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

    /// Size of one set of features of a contribution. On many processors there are fewer searches, each of which takes
    /// longer.
    pub fn for_contribution(processors: usize) -> Self {
        const MOST_TIMES: u64 = 8;
        let whole = Self::for_processors(processors);
        let is_ordinary = processors as u64 <= ORDINARY_PROCESSORS;
        let [positions, alone, calibration] = if is_ordinary { [12, 30, 60] } else { [6, 12, 24] };
        Self {
            positions,
            alone_positions: alone,
            calibration_positions: calibration,
            seeds: if is_ordinary { 4 } else { 2 },
            calibration_repetitions: if is_ordinary { 5 } else { 3 },
            nodes: whole.nodes.min(MOST_TIMES * Self::for_processors(1).nodes),
            mechanism_batches: 0,
            ..whole
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
