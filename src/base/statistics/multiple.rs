//! Several claims at once: among twenty differences that are none, one is "significant" at 5 % by chance.
//!
//! Holm's adjustment ("A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6,
//! 1979) keeps the probability of even one false claim below the level, whatever the tests have in common.

use super::interval::LEVEL;

/// A test of one difference. By itself it shows nothing: its p value must first be adjusted for all tests of its
/// family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    p: f64,
    adjusted: Option<f64>,
}

impl Test {
    /// Test with this p value by itself.
    pub const fn of(p: f64) -> Self {
        Self { p, adjusted: None }
    }

    /// Test that stands alone, for what belongs to no family.
    pub const fn alone(p: f64) -> Self {
        Self { p, adjusted: Some(p) }
    }

    /// P value by itself.
    pub const fn p(self) -> f64 {
        self.p
    }

    /// P value adjusted for the family; nothing as long as the family is not known.
    pub const fn adjusted(self) -> Option<f64> {
        self.adjusted
    }

    /// Whether a difference is shown: chance makes one as large less often than the level allows, with all tests of the
    /// family counted.
    pub fn is_shown(self) -> bool {
        self.adjusted.is_some_and(|adjusted| adjusted < 1.0 - LEVEL)
    }

    /// Level of the interval that belongs to the test: it leaves out no difference just where one is shown.
    pub fn level(self) -> f64 {
        let factor = self.adjusted.filter(|_| self.p > 0.0).map_or(1.0, |adjusted| adjusted / self.p);
        1.0 - (1.0 - LEVEL) / factor.max(1.0)
    }
}

/// Adjusts tests of one family in place, by Holm's procedure at this share of the level.
pub fn adjust<'t>(tests: impl IntoIterator<Item = &'t mut Test>, share: f64) {
    let tests: Vec<&mut Test> = tests.into_iter().collect();
    let adjusted = holm(&tests.iter().map(|test| Some(test.p)).collect::<Vec<_>>());
    tests.into_iter().zip(adjusted).for_each(|(test, adjusted)| {
        test.adjusted = adjusted.map(|adjusted| (adjusted / share).min(1.0));
    });
}

/// P values adjusted for their number, in the same order. A claim that is not tested (`None`) does not count.
pub fn holm(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut tested: Vec<(usize, f64)> =
        p_values.iter().enumerate().filter_map(|(place, &value)| Some((place, value?))).collect();
    tested.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut adjusted = vec![None; p_values.len()];
    let mut least = 0.0;
    for (rank, &(place, value)) in tested.iter().enumerate() {
        // The smallest is one of all, the next one of those that are left; none may become smaller than one before it.
        least = (value * (tested.len() - rank) as f64).clamp(least, 1.0);
        adjusted[place] = Some(least);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::super::{Contrast, Scope};
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn adjusted_by_hand() {
        for (p_values, expected) in [
            (vec![], vec![]),
            (vec![None], vec![None]),
            (vec![Some(0.04)], vec![Some(0.04)]),
            // In order 0.01 x 4, 0.015 x 3 = 0.045, 0.03 x 2 = 0.06, 0.04 x 1, raised to 0.06.
            (
                vec![Some(0.03), Some(0.01), None, Some(0.04), Some(0.015)],
                vec![Some(0.06), Some(0.04), None, Some(0.06), Some(0.045)],
            ),
            (vec![Some(0.6), Some(0.7)], vec![Some(1.0), Some(1.0)]),
        ] {
            let adjusted = holm(&p_values);
            let close = |a: &Option<f64>, b: &Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-12,
                _ => a == b,
            };
            assert_eq!(adjusted.len(), expected.len());
            assert!(adjusted.iter().zip(&expected).all(|(a, b)| close(a, b)), "{p_values:?}: {adjusted:?}");
        }
    }

    #[test]
    fn a_test_shows_nothing_before_its_family_is_known() {
        let mut tests = [0.001, 0.03, 0.5].map(Test::of);
        assert!(tests.iter().all(|test| !test.is_shown() && test.adjusted().is_none()));
        adjust(&mut tests, 0.8);
        let adjusted = tests.map(|test| test.adjusted().unwrap());
        assert!(adjusted.iter().zip([0.00375, 0.075, 0.625]).all(|(one, other)| (one - other).abs() < 1e-12));
        assert_eq!(tests.map(Test::is_shown), [true, false, false]);
        assert!((tests[1].level() - (1.0 - 0.05 / 2.5)).abs() < 1e-12);
        assert_eq!((Test::alone(0.04).is_shown(), Test::alone(0.04).level()), (true, LEVEL));
    }

    /// Tests of equal sides whose noise differs from position to position, as many as shipped experiments make: one of
    /// them is a false claim in at most 5 of 100 experiments.
    #[test]
    fn false_claims_are_rare_where_noise_is_uneven() {
        const EXPERIMENTS: u32 = 1_000;
        /// Standard deviation of the logarithm of the deviation from position to position.
        const UNEVEN: f64 = 0.8;
        let mut random = SplitMix::new(12);
        for (positions, runs, tests) in [(5, 2, 15), (10, 2, 22), (10, 4, 22)] {
            let mut claims = 0;
            for _ in 0..EXPERIMENTS {
                let deviations: Vec<f64> = (0..positions).map(|_| (UNEVEN * random.normal()).exp()).collect();
                let mut test = || {
                    let mut runs_at = |deviation: &f64| (0..runs).map(|_| deviation * random.normal()).collect();
                    let differences: Vec<Vec<f64>> = deviations.iter().map(&mut runs_at).collect();
                    Contrast::paired(&differences)?.p_value(Scope::ThesePositions)
                };
                let p_values: Vec<Option<f64>> = (0..tests).map(|_| test()).collect();
                claims += u32::from(holm(&p_values).iter().any(|p| p.unwrap() < 0.05));
            }
            println!("{positions} positions, {runs} runs, {tests} tests: {claims} of {EXPERIMENTS}");
            assert!(claims < EXPERIMENTS * 7 / 100, "{positions} positions, {runs} runs, {tests} tests: {claims}");
        }
    }

    /// Ten comparisons of equal sides that share one baseline: a claim in at most 5 of 100 experiments, without the
    /// adjustment in far more.
    #[test]
    fn false_claims_are_rare() {
        const EXPERIMENTS: u32 = 400;
        let mut random = SplitMix::new(11);
        let (mut raw_claims, mut adjusted_claims) = (0, 0);
        for _ in 0..EXPERIMENTS {
            let mut side = || -> Vec<Vec<f64>> { (0..6).map(|_| (0..4).map(|_| random.normal()).collect()).collect() };
            let baseline = side();
            let p_values: Vec<Option<f64>> =
                (0..10).map(|_| Contrast::unpaired(&side(), &baseline)?.p_value(Scope::ThesePositions)).collect();
            let claims = |values: &[Option<f64>]| u32::from(values.iter().any(|value| value.unwrap() < 0.05));
            raw_claims += claims(&p_values);
            adjusted_claims += claims(&holm(&p_values));
        }
        assert!(raw_claims > EXPERIMENTS / 6, "{raw_claims}");
        assert!(adjusted_claims < EXPERIMENTS * 7 / 100, "{adjusted_claims}");
    }
}
