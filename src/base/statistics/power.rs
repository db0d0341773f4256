//! Power of an experiment before it is made: the width of its intervals from its size and from how much
//! searches are known to vary.

use super::contrast::Scope;
use super::distribution::{student_factor, student_two_sided};
use super::interval::LEVEL;
use super::sample::satterthwaite;

/// Share of experiments that are to find a difference.
const POWER: f64 = 0.8;

/// Size of a contrast that is planned. Deviations are of logarithms. For differences paired by seed, `run_deviation` is
/// that of the differences and `baseline_deviation` is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedContrast {
    /// Number of positions.
    pub positions: usize,
    /// Number of runs at each position.
    pub runs: usize,
    /// Number of baseline runs at each position.
    pub baselines: usize,
    /// Standard deviation of runs within a position.
    pub run_deviation: f64,
    /// Standard deviation of baseline runs within a position.
    pub baseline_deviation: f64,
    /// Standard deviation of the true differences between positions.
    pub position_deviation: f64,
}

impl PlannedContrast {
    /// Expected half width, in logarithms, of the interval of this level. Nothing where a
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
                satterthwaite(varying().map(|side| (of_mean(side), positions * (side.1 as f64 - 1.0))))
            }
            Scope::PositionsLikeThese if self.positions < 2 => return None,
            Scope::PositionsLikeThese => (of_runs + self.position_deviation.powi(2), positions - 1.0),
        };
        let half_width = student_factor(level, freedom) * (variance / positions).sqrt();
        half_width.is_finite().then_some(half_width)
    }

    /// Smallest difference, in logarithms, between two sides with these runs that [`POWER`] of such experiments find,
    /// with a test of pairs of runs that is one of this many claims. Nothing where runs say nothing of their noise.
    pub fn difference_found(&self, claims: usize) -> Option<f64> {
        let (positions, runs) = (self.positions as f64, self.runs as f64);
        let freedom = positions * (runs - 1.0);
        let error = self.run_deviation * (2.0 / (positions * runs)).sqrt();
        // A difference may be found on either side, but has to be on one.
        let level_of_each = 1.0 - (1.0 - LEVEL) / claims.max(1) as f64;
        let factor = student_factor(level_of_each, freedom) + student_factor(2.0 * POWER - 1.0, freedom);
        (freedom > 0.0).then_some(factor * error)
    }
}

/// Degrees of freedom with which Student's distribution is the normal one.
const MANY: f64 = 1e6;

/// Probabilities of where an interval will lie: wholly in a region, or wholly elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chances {
    /// Probability that both ends lie in the region.
    pub inside: f64,
    /// Probability that both ends lie on one side of it.
    pub elsewhere: f64,
}

/// Estimate that is planned: how certain it will be, and the level of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedEstimate {
    /// Standard error.
    pub standard_error: f64,
    /// Degrees of freedom of the standard error.
    pub freedom: f64,
    /// Confidence level of its interval.
    pub level: f64,
}

impl PlannedEstimate {
    /// Expected half width of its interval.
    pub fn half_width(&self) -> f64 {
        student_factor(self.level, self.freedom) * self.standard_error
    }

    /// Chances of its interval for a region from its lower to its upper end, if this is the truth. The half width is
    /// taken to be the expected one.
    pub fn chances(&self, truth: f64, [low, high]: [f64; 2]) -> Chances {
        let half = self.half_width();
        if !half.is_finite() || half <= 0.0 {
            return Chances::default();
        }
        let below = |end: f64| normal_below((end - truth) / self.standard_error);
        let inside = below(high - half) - below(low + half);
        Chances { inside: inside.max(0.0), elsewhere: below(low - half) + 1.0 - below(high + half) }
    }
}

/// Probability that a normal variable of deviation 1 lies below a value.
fn normal_below(value: f64) -> f64 {
    let beyond = if value.is_infinite() { 0.0 } else { student_two_sided(value.abs(), MANY) / 2.0 };
    if value > 0.0 { 1.0 - beyond } else { beyond }
}

#[cfg(test)]
mod tests {
    use super::super::Contrast;
    use super::*;
    use crate::random::SplitMix;

    const PLAN: PlannedContrast = PlannedContrast {
        positions: 10,
        runs: 3,
        baselines: 8,
        run_deviation: 0.35,
        baseline_deviation: 0.3,
        position_deviation: 0.0,
    };

    /// For 5 % with deviations of 0.3 and 0.35 it takes about (1.96 / 0.05)^2 (0.3^2 + 0.35^2) = 327 positions with
    /// single searches, and as many divided by the runs where there are more; a few more for Student's t, as these
    /// factors are 1.967, 1.99 and 2.02.
    #[test]
    fn the_size_of_an_experiment() {
        for (runs, positions) in [(1, 329), (4, 85), (8, 44)] {
            let expected = |positions| {
                let plan = PlannedContrast { positions, runs, baselines: runs, ..PLAN };
                plan.half_width(Scope::PositionsLikeThese, LEVEL).unwrap()
            };
            assert!(expected(positions) <= 0.05 && expected(positions - 1) > 0.05, "{runs} runs");
        }
    }

    const STRATEGIES: PlannedContrast = PlannedContrast {
        positions: 8,
        runs: 4,
        baselines: 8,
        run_deviation: 0.20,
        baseline_deviation: 0.135,
        position_deviation: 0.0,
    };

    /// Three strategies were compared in reports of simulated runs: one that was slower by 10 % was shown to be so in
    /// 15 of 60 reports, by 20 % in 51, by 30 % in 58.
    #[test]
    fn differences_are_found_as_reports_find_them() {
        let found = STRATEGIES.difference_found(3).unwrap().exp();
        assert!((1.15..1.20).contains(&found), "{found}");
        let single = PlannedContrast { runs: 1, ..STRATEGIES };
        assert_eq!(single.difference_found(3), None, "a single run says nothing of its noise");
        assert!(STRATEGIES.difference_found(15) > STRATEGIES.difference_found(3));
    }

    #[test]
    fn four_of_five_experiments_find_the_difference() {
        const EXPERIMENTS: usize = 1_000;
        let mut random = SplitMix::new(29);
        for (plan, claims) in [(STRATEGIES, 1), (STRATEGIES, 3), (PLAN, 6)] {
            let difference = plan.difference_found(claims).unwrap();
            let found = (0..EXPERIMENTS).filter(|_| {
                let mut run = |level: f64| level + plan.run_deviation * random.normal();
                let pairs: Vec<Vec<f64>> =
                    (0..plan.positions).map(|_| (0..plan.runs).map(|_| run(difference) - run(0.0)).collect()).collect();
                let level = 1.0 - 0.05 / claims as f64;
                Contrast::paired(&pairs).unwrap().interval(Scope::ThesePositions, level).unwrap().low > 0.0
            });
            let share = found.count() as f64 / EXPERIMENTS as f64;
            assert!((0.75..0.85).contains(&share), "{plan:?} with {claims} claims: {share}");
        }
    }

    /// The half width of ten positions varies, so that the shares are near the chances and not equal to them.
    #[test]
    fn intervals_lie_where_they_are_expected_to() {
        const EXPERIMENTS: usize = 2_000;
        const DEVIATION: f64 = 0.3;
        let mut random = SplitMix::new(31);
        for (positions, truth, region) in [
            (60, 0.0, [-0.15, 0.15]),
            (60, 0.0, [-0.1, 0.1]),
            (60, 0.3, [-0.15, 0.15]),
            (20, 0.2, [0.0, f64::INFINITY]),
            (10, -0.3, [0.0, f64::INFINITY]),
        ] {
            let error = DEVIATION / f64::sqrt(positions as f64);
            let plan = PlannedEstimate { standard_error: error, freedom: positions as f64 - 1.0, level: LEVEL };
            let chances = plan.chances(truth, region);
            let (mut inside, mut elsewhere) = (0.0, 0.0);
            for _ in 0..EXPERIMENTS {
                let at = |_| vec![truth + DEVIATION * random.normal()];
                let contrast = Contrast::paired(&(0..positions).map(at).collect::<Vec<_>>()).unwrap();
                let found = contrast.interval(Scope::PositionsLikeThese, LEVEL).unwrap();
                inside += f64::from(u8::from(found.low > region[0] && found.high < region[1]));
                elsewhere += f64::from(u8::from(found.high < region[0] || found.low > region[1]));
            }
            for (share, chance) in [(inside, chances.inside), (elsewhere, chances.elsewhere)] {
                let share = share / EXPERIMENTS as f64;
                assert!((share - chance).abs() < 0.05, "{positions} {truth} {region:?}: {share}, not {chance}");
            }
        }
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
        let mut random = SplitMix::new(61);
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
