//! Sizes of a validation: the default, the trial, and that of a calibration.

use super::Size;

/// Number of processors up to which searches are of the ordinary size; on a larger computer they grow with it, so that
/// many processors still have enough to share.
const ORDINARY_PROCESSORS: u64 = 4;

/// Smallest number of positions that shows how well others are predicted.
const FEWEST_POSITIONS: usize = 3;

impl Size {
    /// Default size for a computer with this number of processors: about four minutes on two.
    pub fn for_processors(processors: usize) -> Self {
        const NODES: u64 = 400_000;
        Self {
            positions: 20,
            alone_positions: 80,
            calibration_positions: 100,
            seeds: 12,
            alone_seeds: 1,
            calibration_seeds: 1,
            calibration_repetitions: 5,
            nodes: NODES * (processors as u64).div_ceil(ORDINARY_PROCESSORS),
            cost_positions: 8,
            cost_seeds: 2,
            cost_processors: vec![2, 16],
            mechanism_batches: 20,
        }
    }

    /// Size with several processors at `positions` positions, and one processor at others in proportion.
    #[must_use]
    pub fn with_positions(self, positions: usize) -> Self {
        let in_proportion = |count: usize| (count * positions / self.positions.max(1)).max(FEWEST_POSITIONS);
        Self {
            positions,
            alone_positions: in_proportion(self.alone_positions).max(positions),
            calibration_positions: in_proportion(self.calibration_positions),
            cost_positions: self.cost_positions.min(positions),
            ..self
        }
    }

    /// Size with `seeds` seeds for several processors.
    #[must_use]
    pub fn with_seeds(self, seeds: u64) -> Self {
        Self { seeds, cost_seeds: self.cost_seeds.min(seeds), ..self }
    }

    /// Size for the cost model alone: a few seconds.
    pub fn for_calibration() -> Self {
        Self { calibration_positions: 40, nodes: 100_000, ..Self::quick() }
    }

    /// Size of a trial of about a minute: enough to see that it works, too little to show anything.
    pub fn quick() -> Self {
        Self {
            positions: 6,
            alone_positions: 24,
            calibration_positions: 30,
            seeds: 3,
            alone_seeds: 1,
            calibration_seeds: 1,
            calibration_repetitions: 3,
            nodes: 100_000,
            cost_positions: 3,
            cost_seeds: 1,
            cost_processors: vec![2, 16],
            mechanism_batches: 10,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_keep_their_proportion() {
        for (positions, alone, calibration, costs) in [(20, 80, 100, 8), (10, 40, 50, 8), (2, 8, 10, 2), (1, 4, 5, 1)] {
            let size = Size::for_processors(2).with_positions(positions);
            let expected = (positions, alone, calibration, costs);
            let found = (size.positions, size.alone_positions, size.calibration_positions, size.cost_positions);
            assert_eq!(found, expected);
        }
        assert_eq!(Size::quick().with_seeds(1).cost_seeds, 1);
        assert_eq!(Size::for_processors(64).nodes, 16 * Size::for_processors(2).nodes);
    }
}
