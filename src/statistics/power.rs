//! What an experiment will be able to tell, before it is made: the width of its intervals from its size and from how much
//! searches are known to vary.

use super::contrast::Scope;
use super::distribution::student_factor;

/// Searches at more positions than this are not planned.
const MOST_POSITIONS: usize = 1_000_000;

/// A contrast that is planned. Deviations are of logarithms. Of differences that are paired by seed give the deviation as that
/// of a run, and none of the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedContrast {
    /// How many positions.
    pub positions: usize,
    /// Runs at each.
    pub runs: usize,
    /// Baselines at each.
    pub baselines: usize,
    /// The standard deviation of runs within a position.
    pub run_deviation: f64,
    /// That of baselines.
    pub baseline_deviation: f64,
    /// That of the true differences between positions.
    pub position_deviation: f64,
}

impl PlannedContrast {
    /// Half the width, in logarithms, that the interval of this level may be expected to have. Nothing where a
    /// [`Contrast`](super::Contrast) would have none.
    pub fn half_width(&self, scope: Scope, level: f64) -> Option<f64> {
        let positions = self.positions as f64;
        let sides = [(self.run_deviation, self.runs), (self.baseline_deviation, self.baselines)];
        if self.positions == 0 || sides.iter().any(|&(deviation, count)| deviation > 0.0 && count == 0) {
            return None;
        }
        let varying = || sides.iter().filter(|(deviation, _)| *deviation > 0.0);
        let of_mean = |&(deviation, count): &(f64, usize)| deviation * deviation / count as f64;
        let of_runs: f64 = varying().map(of_mean).sum();
        let (variance, freedom) = match scope {
            Scope::ThesePositions if varying().any(|&(_, count)| count < 2) => return None,
            Scope::ThesePositions => {
                let squares: f64 =
                    varying().map(|side| of_mean(side).powi(2) / counted_freedom(positions, side.1 as f64 - 1.0)).sum();
                (of_runs, if squares > 0.0 { of_runs * of_runs / squares } else { f64::INFINITY })
            }
            Scope::PositionsLikeThese if self.positions < 2 => return None,
            Scope::PositionsLikeThese => (of_runs + self.position_deviation.powi(2), positions - 1.0),
        };
        let half_width = student_factor(level, freedom) * (variance / positions).sqrt();
        half_width.is_finite().then_some(half_width)
    }

    /// The least number of positions at which half the width is not above `half_width`, all else as planned. Nothing if no
    /// number is enough that could be searched.
    pub fn positions_needed(&self, half_width: f64, scope: Scope, level: f64) -> Option<usize> {
        let is_enough = |positions: usize| {
            Self { positions, ..*self }.half_width(scope, level).is_some_and(|expected| expected <= half_width)
        };
        let mut enough = 1;
        while !is_enough(enough) {
            enough *= 2;
            if enough > MOST_POSITIONS {
                return None;
            }
        }
        let (mut too_few, mut enough) = (enough / 2, enough);
        while enough - too_few > 1 {
            let middle = usize::midpoint(too_few, enough);
            if is_enough(middle) { enough = middle } else { too_few = middle }
        }
        Some(enough)
    }
}

/// The degrees of freedom of a side of so many positions, each with `own`.
fn counted_freedom(positions: f64, own: f64) -> f64 {
    positions * own
}

#[cfg(test)]
mod tests {
    use super::super::Contrast;
    use super::super::interval::LEVEL;
    use super::super::simulated::Random;
    use super::*;

    const PLAN: PlannedContrast = PlannedContrast {
        positions: 10,
        runs: 3,
        baselines: 8,
        run_deviation: 0.35,
        baseline_deviation: 0.3,
        position_deviation: 0.0,
    };

    /// For 5 % with deviations of 0.3 and 0.35 it takes about (1.96 / 0.05)^2 (0.3^2 + 0.35^2) = 327 positions with single
    /// searches, and as many divided by the runs where there are more; a few more for Student's t, as these factors are
    /// 1.967, 1.99 and 2.02.
    #[test]
    fn the_size_of_an_experiment() {
        for (runs, positions) in [(1, 329), (4, 85), (8, 44)] {
            let plan = PlannedContrast { runs, baselines: runs, ..PLAN };
            assert_eq!(plan.positions_needed(0.05, Scope::PositionsLikeThese, LEVEL), Some(positions), "{runs} runs");
        }
        assert_eq!(PLAN.positions_needed(0.0, Scope::PositionsLikeThese, LEVEL), None);
    }

    #[test]
    fn where_a_contrast_has_no_interval_none_is_promised() {
        let (these, like_these) = (Scope::ThesePositions, Scope::PositionsLikeThese);
        for (what, plan, expected) in [
            ("enough", PLAN, (true, true)),
            ("one run", PlannedContrast { runs: 1, ..PLAN }, (false, true)),
            ("one baseline", PlannedContrast { baselines: 1, ..PLAN }, (false, true)),
            ("one that never varies", PlannedContrast { baselines: 1, baseline_deviation: 0.0, ..PLAN }, (true, true)),
            ("one position", PlannedContrast { positions: 1, ..PLAN }, (true, false)),
            ("no position", PlannedContrast { positions: 0, ..PLAN }, (false, false)),
            ("no run", PlannedContrast { runs: 0, ..PLAN }, (false, false)),
        ] {
            let found = (plan.half_width(these, LEVEL).is_some(), plan.half_width(like_these, LEVEL).is_some());
            assert_eq!(found, expected, "{what}");
        }
    }

    #[test]
    fn what_is_expected_comes() {
        const EXPERIMENTS: usize = 300;
        let mut random = Random::new(61);
        for plan in [
            PLAN,
            PlannedContrast { runs: 2, baselines: 2, ..PLAN },
            PlannedContrast { positions: 1, runs: 6, ..PLAN },
            PlannedContrast { positions: 30, runs: 4, baselines: 4, position_deviation: 0.2, ..PLAN },
        ] {
            let mut widths = [0.0; 2];
            for _ in 0..EXPERIMENTS {
                let (mut upper, mut lower) = (Vec::new(), Vec::new());
                for _ in 0..plan.positions {
                    let difference = plan.position_deviation * random.normal();
                    upper.push((0..plan.runs).map(|_| difference + plan.run_deviation * random.normal()).collect());
                    lower.push((0..plan.baselines).map(|_| plan.baseline_deviation * random.normal()).collect());
                }
                let contrast = Contrast::unpaired(&upper, &lower).unwrap();
                for (width, scope) in widths.iter_mut().zip([Scope::ThesePositions, Scope::PositionsLikeThese]) {
                    let interval = contrast.interval(scope, LEVEL);
                    *width += interval.map_or(0.0, |interval| interval.high - interval.low) / 2.0 / EXPERIMENTS as f64;
                }
            }
            for (width, scope) in widths.into_iter().zip([Scope::ThesePositions, Scope::PositionsLikeThese]) {
                let expected = plan.half_width(scope, LEVEL).unwrap_or_default();
                assert!((width - expected).abs() <= 0.06 * expected, "{plan:?} {scope:?}: {width}, not {expected}");
            }
        }
    }
}
