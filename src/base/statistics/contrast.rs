//! Contrasts: what a change does, with its uncertainty. A contrast is the difference between two sides, measured at the
//! same positions.
//!
//! All values are logarithms, so a difference is the logarithm of a ratio. At each position it is the difference of the
//! means over runs; the estimate is the mean over positions. How certain that is depends on the question, the
//! [`Scope`].
//!
//! **Positions like these.** The positions are a sample of many. The differences of P positions vary among themselves,
//! by their nature and by the noise of their runs together; Student's t with P - 1 degrees of freedom takes in both.
//!
//! **These positions.** The positions are fixed and only runs vary. The estimate is a sum of independent means, so its
//! variance is the sum of `s^2 / n` over all sides and positions, divided by P^2. Its degrees of freedom are those of
//! Satterthwaite, "An Approximate Distribution of Estimates of Variance Components", Biometrics Bulletin 2 (1946),
//! `(sum v)^2 / sum (v^2 / f)` for components `v` with `f` degrees of freedom, but with squares of variances estimated
//! without bias. The square of an estimate `v` is too large by `(f + 2) / f`, threefold with two runs; so they are
//! `(sum v)^2 / sum (v^2 / (f + 2)) - 2`, and no fewer than the least `f` and no more than all `f` together. A
//! bootstrap of two to eight runs is too narrow, since so few values understate their own spread.
//!
//! P values take Satterthwaite's own degrees of freedom. The corrected ones are right for 95 %, but their tails are too
//! light for the small p values that a correction for many tests needs, where noise differs between positions: of
//! fifteen tests of equal sides, Holm's correction let one through in 8 to 11 % of simulated experiments, and with
//! Satterthwaite's in 1 to 3 %. So an interval may leave out nothing where a test finds no difference.
//!
//! Each position is a component of its own, for noise differs between positions. Of 10,000 simulated comparisons of
//! equal sides at 10 positions these intervals miss the truth in 4.4 % (2 pairs) to 5.4 % (2 runs against 8) if noise
//! is the same everywhere, in 4.6 to 5.5 % if it differs threefold and in 5.5 to 6.2 % if tenfold; at 5 positions in
//! 4.3 to 6.0 %, 5.0 to 6.7 % and 6.6 to 8.7 %. Satterthwaite's own formula misses 1.8 to 4.4 % there, and is up to a
//! fifth wider. At 3 positions with 2 runs against 8, misses reach 10 %: that is too little to say how certain it is.
//!
//! With two to four positions and noise that differs tenfold, Holm's correction of ten tests of equal sides, two runs
//! against eight, lets one through in 11 to 19 % of simulations. There tests have no more degrees of freedom than the
//! positions less one or than the least of the parts, whichever is more. The least is always enough (Mickey and Brown,
//! "Bounds on the Distribution Functions of the Behrens-Fisher Statistic", Annals of Mathematical Statistics 37, 1966).
//!
//! **One run more.** The difference that one further run of each side will show, at these positions, varies by the
//! noise of that run and by that of the estimate: `s^2 (1 + 1 / n)` in place of `s^2 / n`. This is what a single
//! measurement by others is to be held against.
//!
//! A position with one run on a side says nothing of its noise. It is given the noise of the others on that side,
//! pooled by their degrees of freedom. If no position has two runs on that side, the interval is not known.

use super::distribution::{student_factor, student_two_sided};
use super::interval::{Interval, LEVEL};
use super::sample::{mean, squares_about};
use crate::choices::choices;
use crate::random::SplitMix;

/// Difference of logarithms below which it is rounding, not measurement.
const ROUNDING: f64 = 1e-12;
/// Number of positions from which on Satterthwaite's degrees of freedom hold for tests without a bound.
const ENOUGH_POSITIONS: f64 = 5.0;

choices! {
    /// Positions for which an interval or a test holds.
    pub enum Scope, "interval";
    /// If these positions were searched again: only runs vary.
    ThesePositions "these positions",
    /// If other positions of the same kind were searched.
    PositionsLikeThese "positions like these",
}

impl Scope {
    /// Name in JSON, where it has always had hyphens: `these-positions`.
    pub fn hyphenated(self) -> String {
        self.name().replace(' ', "-")
    }
}

/// Difference between two sides, with its uncertainty.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    places: Vec<usize>,
    by_position: Vec<f64>,
    estimate: f64,
    these_positions: Option<Noise>,
    positions_like_these: Option<Noise>,
    one_run_more: Option<Noise>,
}

/// Uncertainty of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Noise {
    standard_error: f64,
    /// Degrees of freedom of Student's t for an interval.
    freedom: f64,
    /// Degrees of freedom of Student's t for a test, whose tails must be heavy enough far out.
    test_freedom: f64,
}

/// Part of a variance that is estimated by itself.
#[derive(Clone, Copy, Debug)]
struct Component {
    variance: f64,
    freedom: f64,
}

/// Largest number of choices of signs that are tried.
const SIGNS: u64 = 1 << 13;

impl Contrast {
    /// Difference of `upper` less `lower`. Both hold the logarithms of runs by position, in the same order of
    /// positions; runs of the two sides have nothing to do with each other. A position without a run on both sides is
    /// left out. Nothing if none remains or a value is not finite.
    pub fn unpaired(upper: &[Vec<f64>], lower: &[Vec<f64>]) -> Option<Self> {
        Self::unpaired_sums(&[upper], &[lower])
    }

    /// Difference of the sum of all `upper` less that of all `lower`, each of them a side as above: with two of each,
    /// the difference of two differences. A position without a run on any side is left out.
    pub fn unpaired_sums(upper: &[&[Vec<f64>]], lower: &[&[Vec<f64>]]) -> Option<Self> {
        let sides = || upper.iter().chain(lower);
        let positions = sides().map(|side| side.len()).min()?;
        let places: Vec<usize> = (0..positions).filter(|&i| sides().all(|side| !side[i].is_empty())).collect();
        let sum = |sides: &[&[Vec<f64>]], i: usize| sides.iter().map(|side| mean(&side[i])).sum::<Option<f64>>();
        let difference = |&i: &usize| Some(sum(upper, i)? - sum(lower, i)?);
        let by_position: Vec<f64> = places.iter().map(difference).collect::<Option<_>>()?;
        let estimate = mean(&by_position).filter(|estimate| estimate.is_finite())?;
        let count = by_position.len() as f64;
        let noise = |runs_more: f64| {
            let of_side = |side: &&[Vec<f64>]| {
                components(&places.iter().map(|&i| side[i].clone()).collect::<Vec<Vec<f64>>>(), runs_more)
            };
            let components: Option<Vec<Vec<Component>>> = sides().map(of_side).collect();
            components.map(|components| Noise::of_sum(&components.concat(), count))
        };
        let freedom = count - 1.0;
        let positions_like_these = (freedom > 0.0).then(|| Noise {
            standard_error: (squares_about(&by_position, estimate) / freedom / count).sqrt(),
            freedom,
            test_freedom: freedom,
        });
        let (these_positions, one_run_more) = (noise(0.0), noise(1.0));
        Some(Self { places, by_position, estimate, these_positions, positions_like_these, one_run_more })
    }

    /// Mean of differences that were formed run by run, grouped by position: those of two runs with the same seed. A
    /// position without any is left out. Nothing if none remains or a value is not finite.
    pub fn paired(differences: &[Vec<f64>]) -> Option<Self> {
        Self::unpaired_sums(&[differences], &[])
    }

    /// Mean difference over positions.
    pub fn estimate(&self) -> f64 {
        self.estimate
    }

    /// Difference at each position that counts.
    pub fn by_position(&self) -> &[f64] {
        &self.by_position
    }

    /// Places of the positions that count in the sides that the contrast was made from.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// Interval of this level, if it is known: for these positions some position must have two runs on each side, for
    /// others like these there must be two positions. A measurement that never varies has an interval of no width.
    pub fn interval(&self, scope: Scope, level: f64) -> Option<Interval> {
        Some(Interval::around(self.estimate, self.noise(scope)?.half_width(level)))
    }

    /// Interval that leaves out no difference just where a test at one less this level shows one: with the degrees of
    /// freedom of tests it is a little wider than [`interval`](Self::interval).
    pub fn interval_of_test(&self, scope: Scope, level: f64) -> Option<Interval> {
        let noise = self.noise(scope)?;
        Some(Interval::around(self.estimate, Noise { freedom: noise.test_freedom, ..noise }.half_width(level)))
    }

    /// Interval of 95 %, without ends if it is not known.
    pub fn estimated(&self, scope: Scope) -> Interval {
        self.interval(scope, LEVEL).unwrap_or(Interval::unknown(self.estimate))
    }

    /// Interval in which the difference between one further run of each side at these positions will lie with the
    /// probability of the level, if it is known: some position must have two runs on each side.
    pub fn prediction(&self, level: f64) -> Option<Interval> {
        Some(Interval::around(self.estimate, self.one_run_more?.half_width(level)))
    }

    /// P value that supposes nothing of the distribution but that it is symmetric about no difference: the share of all
    /// choices of signs for the differences of the positions that give a mean as large. With many positions a sample of
    /// the choices, always the same. Nothing for fewer than two positions.
    pub fn sign_flip(&self) -> Option<f64> {
        let differences = &self.by_position;
        let wanted = differences.iter().sum::<f64>().abs() * (1.0 - 1e-12);
        let is_as_large = |signs: u64| {
            let signed = |(at, one): (usize, &f64)| if signs >> (at % 64) & 1 == 0 { *one } else { -one };
            differences.iter().enumerate().map(signed).sum::<f64>().abs() >= wanted
        };
        let count = differences.len();
        let all = 1_u64.checked_shl(count as u32).unwrap_or(u64::MAX);
        if all <= SIGNS {
            return (count > 1).then(|| (0..all).filter(|signs| is_as_large(*signs)).count() as f64 / all as f64);
        }
        let mut random = SplitMix::new(0);
        // Beyond 64 positions the signs of some are the same, which a sample allows.
        let found = (1..SIGNS).filter(|_| is_as_large(random.next())).count();
        Some((found + 1) as f64 / SIGNS as f64)
    }

    /// P value: the probability of a difference as large, in either direction, by chance if there is none in truth.
    pub fn p_value(&self, scope: Scope) -> Option<f64> {
        Some(self.noise(scope)?.beyond(self.estimate))
    }

    /// P value of equivalence: the probability of a difference as small by chance if in truth it is as large as
    /// `margin` (in logarithms) or larger. A small value shows that the sides are equal but for less than the margin.
    /// Two one-sided tests (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). Nothing for a
    /// margin that is not positive.
    pub fn equivalence(&self, scope: Scope, margin: f64) -> Option<f64> {
        let noise = self.noise(scope)?;
        let inside = margin - self.estimate.abs();
        // The truth is most easily as large as the margin on the side on which the estimate is.
        let tail = noise.beyond(inside) / 2.0;
        (margin > 0.0).then_some(if inside >= 0.0 { tail } else { 1.0 - tail })
    }

    /// Probability of so large an estimate, on either side, if the truth is no larger than the margin.
    pub fn larger_than(&self, scope: Scope, margin: f64) -> Option<f64> {
        let near = 1.0 - self.equivalence(scope, margin)?;
        Some((near + self.noise(scope)?.beyond(margin + self.estimate.abs()) / 2.0).min(1.0))
    }

    /// Standard error, and the degrees of freedom of Student's t for an interval and for a test.
    pub(super) fn uncertainty(&self, scope: Scope) -> Option<(f64, [f64; 2])> {
        self.noise(scope).map(|noise| (noise.standard_error, [noise.freedom, noise.test_freedom]))
    }

    fn noise(&self, scope: Scope) -> Option<Noise> {
        match scope {
            Scope::ThesePositions => self.these_positions,
            Scope::PositionsLikeThese => self.positions_like_these,
        }
    }
}

impl Noise {
    /// Uncertainty of a mean over `count` positions whose variances add up from these parts.
    fn of_sum(components: &[Component], count: f64) -> Self {
        let variance: f64 = components.iter().map(|part| part.variance).sum();
        let squares = |more: f64| components.iter().map(|part| part.variance.powi(2) / (part.freedom + more)).sum();
        let (unbiased, plain): (f64, f64) = (squares(2.0), squares(0.0));
        let all: f64 = components.iter().map(|part| part.freedom).sum();
        let least = components.iter().map(|part| part.freedom).fold(f64::INFINITY, f64::min);
        let of = |squares: f64, less: f64| match squares > 0.0 {
            true => (variance * variance / squares - less).clamp(least, all),
            false => f64::INFINITY,
        };
        let plain = of(plain, 0.0);
        let is_small = count > 1.0 && count < ENOUGH_POSITIONS;
        let test_freedom = if is_small { plain.min(least.max(count - 1.0)) } else { plain };
        Self { standard_error: variance.sqrt() / count, freedom: of(unbiased, 2.0), test_freedom }
    }

    /// Half the width of the interval of this level.
    fn half_width(self, level: f64) -> f64 {
        if self.is_rounding() { 0.0 } else { student_factor(level, self.freedom) * self.standard_error }
    }

    /// Probability of being as far from 0 as `difference`, on either side.
    fn beyond(self, difference: f64) -> f64 {
        match self.is_rounding() {
            true if difference.abs() < ROUNDING => 1.0,
            true => 0.0,
            false => student_two_sided(difference / self.standard_error, self.test_freedom),
        }
    }

    fn is_rounding(self) -> bool {
        self.standard_error < ROUNDING
    }
}

/// Variances of the means of groups, each with that of so many runs more, which add up to that of the sum. Nothing if
/// no group has two values.
fn components(groups: &[Vec<f64>], runs_more: f64) -> Option<Vec<Component>> {
    let several = || groups.iter().filter(|group| group.len() > 1);
    let freedom: f64 = several().map(|group| group.len() as f64 - 1.0).sum();
    let singles = groups.iter().filter(|group| group.len() == 1).count() as f64;
    // Each single value has the pooled variance, to which each group contributes by its degrees of freedom.
    let of_group = |group: &Vec<f64>| {
        let own = group.len() as f64 - 1.0;
        let variance = squares_about(group, mean(group)?) / own;
        let multiple = (1.0 / group.len() as f64 + runs_more) + (1.0 + runs_more) * singles * own / freedom;
        Some(Component { variance: variance * multiple, freedom: own })
    };
    let components: Vec<Component> = several().filter_map(of_group).collect();
    (!components.is_empty()).then_some(components)
}

#[cfg(test)]
mod tests {
    use super::super::simulated::{assert_misses_five_percent, miss_rate};
    use super::*;

    fn assert_close(value: f64, expected: f64, what: &str) {
        assert!((value - expected).abs() < 1e-9, "{what}: {value} is not {expected}");
    }

    /// P values from signs, worked by hand: of the eight choices for 1, 2 and 3 two give a sum of 6, and of the sixteen
    /// for 1, 1, 1 and -1 ten give 2 or more. Those of many positions are sampled, and agree with Student's t.
    #[test]
    fn signs_are_flipped() {
        let p = |differences: &[f64]| {
            Contrast::paired(&differences.iter().map(|one| vec![*one]).collect::<Vec<_>>()).unwrap().sign_flip()
        };
        assert_eq!((p(&[1.0, 2.0, 3.0]), p(&[1.0, 1.0, 1.0, -1.0]), p(&[1.0])), (Some(0.25), Some(10.0 / 16.0), None));
        let mut random = SplitMix::new(1);
        for shift in [0.0, 0.1, 0.3] {
            let differences: Vec<Vec<f64>> = (0..80).map(|_| vec![shift + random.normal()]).collect();
            let contrast = Contrast::paired(&differences).unwrap();
            let of_student = contrast.p_value(Scope::PositionsLikeThese).unwrap();
            assert!((contrast.sign_flip().unwrap() - of_student).abs() < 0.02, "{of_student} {contrast:?}");
        }
    }

    /// Two positions. Upper: 1, 3 (mean 2, s^2 = 2) and 4, 4, 7 (mean 5, s^2 = 3). Lower: 0, 2 (mean 1, s^2 = 2) and 3,
    /// 3 (mean 3, s^2 = 0). So differences 1 and 2, and v = 2/2, 3/3, 2/2, 0 with 1, 2, 1, 1 degrees of freedom:
    /// standard error sqrt(3) / 2; degrees of freedom 9 / (1/3 + 1/4 + 1/3) - 2, which is more than there are: 5.
    #[test]
    fn an_unpaired_contrast_worked_by_hand() {
        let upper = [vec![1.0, 3.0], vec![9.0], vec![4.0, 4.0, 7.0]];
        let lower = [vec![0.0, 2.0], vec![], vec![3.0, 3.0]];
        let contrast = Contrast::unpaired(&upper, &lower).unwrap();
        assert_eq!(
            (contrast.estimate(), contrast.by_position(), contrast.places()),
            (1.5, &[1.0, 2.0][..], &[0, 2][..])
        );
        let Noise { standard_error: error, freedom, .. } = contrast.noise(Scope::ThesePositions).unwrap();
        assert_close(error, 0.75_f64.sqrt(), "standard error");
        assert_close(freedom, 5.0, "degrees of freedom");
        let these = contrast.interval(Scope::ThesePositions, LEVEL).unwrap();
        assert_close(these.high - these.estimate, student_factor(LEVEL, 5.0) * 0.75_f64.sqrt(), "half width");
        // Differences 1 and 2: s = sqrt(1/2), standard error 1/2, t = 12.7062 with one degree of freedom.
        let like_these = contrast.interval(Scope::PositionsLikeThese, LEVEL).unwrap();
        assert_close(like_these.low, 1.5 - 0.5 * 12.706_204_736_432_1, "low end");
        // With one degree of freedom t = 3 is exceeded with probability 2 / pi * atan(1 / 3).
        let p = contrast.p_value(Scope::PositionsLikeThese).unwrap();
        assert_close(p, std::f64::consts::FRAC_2_PI * (1.0_f64 / 3.0).atan(), "p");
    }

    /// An interval of a test and the test agree, whatever the level.
    #[test]
    fn an_interval_of_a_test_leaves_out_nothing_just_where_it_shows_something() {
        let mut random = SplitMix::new(5);
        for _ in 0..300 {
            let mut side = |shift: f64| -> Vec<Vec<f64>> {
                (0..5).map(|_| (0..3).map(|_| shift + random.normal()).collect()).collect()
            };
            let contrast = Contrast::unpaired(&side(0.8), &side(0.0)).unwrap();
            for scope in [Scope::ThesePositions, Scope::PositionsLikeThese] {
                for level in [0.9, 0.95, 0.99] {
                    let interval = contrast.interval_of_test(scope, level).unwrap();
                    let is_shown = contrast.p_value(scope).unwrap() < 1.0 - level;
                    assert_eq!(interval.low > 0.0 || interval.high < 0.0, is_shown, "{interval:?} {level}");
                }
            }
        }
    }

    /// The contrast above, less a side of 1, 1 (mean 1, s^2 = 0) and 0, 4 (mean 2, s^2 = 8), plus one of 2, 2 and 2, 2:
    /// so differences 1 + 1 = 2 and 2 + 0 = 2, and beside the parts above v = 8/2 with 1 degree of freedom.
    #[test]
    fn four_sides_worked_by_hand() {
        let upper = [vec![1.0, 3.0], vec![4.0, 4.0, 7.0]];
        let lower = [vec![0.0, 2.0], vec![3.0, 3.0]];
        let (less, plus) = ([vec![1.0, 1.0], vec![0.0, 4.0]], [vec![2.0, 2.0], vec![2.0, 2.0]]);
        let contrast = Contrast::unpaired_sums(&[&upper, &plus], &[&lower, &less]).unwrap();
        assert_eq!((contrast.estimate(), contrast.by_position()), (2.0, &[2.0, 2.0][..]));
        let Noise { standard_error: error, freedom, .. } = contrast.noise(Scope::ThesePositions).unwrap();
        assert_close(error, 7.0_f64.sqrt() / 2.0, "standard error");
        assert_close(freedom, 49.0 / (1.0 / 3.0 + 1.0 / 4.0 + 1.0 / 3.0 + 16.0 / 3.0) - 2.0, "degrees of freedom");
        let one_is_empty = [vec![1.0, 1.0], vec![]];
        let contrast = Contrast::unpaired_sums(&[&upper, &plus], &[&lower, &one_is_empty]).unwrap();
        assert_eq!(contrast.places(), [0], "a position without a run on any side is left out");
    }

    /// The others have s^2 = 2 with one degree of freedom and s^2 = 4 with two, pooled (2 + 8) / 3, which the position
    /// with one run is given. So the variance is 2/2 + 4/3 + 10/3, of which the first contributes 2 (1/2 + 1/3) and the
    /// second the rest.
    #[test]
    fn a_single_run_has_the_noise_of_the_others() {
        let contrast = Contrast::paired(&[vec![0.0, 2.0], vec![5.0], vec![1.0, 3.0, 5.0]]).unwrap();
        let parts: [f64; 2] = [2.0 * (1.0 / 2.0 + 1.0 / 3.0), 4.0 * (1.0 / 3.0 + 2.0 / 3.0)];
        let Noise { standard_error: error, freedom, .. } = contrast.noise(Scope::ThesePositions).unwrap();
        assert_close(error, (parts[0] + parts[1]).sqrt() / 3.0, "standard error");
        // (5/3 + 4)^2 / ((5/3)^2 / 3 + 4^2 / 4) - 2 is more than the three that there are.
        assert_close(freedom, 3.0, "freedom");
    }

    /// Three positions, the noisiest ten times as noisy as the calmest, ten tests of equal sides, two runs against
    /// eight: Holm's correction lets one through in at most 5 % of experiments.
    #[test]
    fn tests_hold_at_few_positions_with_uneven_noise() {
        const EXPERIMENTS: usize = 2_000;
        let mut random = SplitMix::new(9);
        let mut wrong = 0;
        for _ in 0..EXPERIMENTS {
            let mut side = |runs: usize| -> Vec<Vec<f64>> {
                [1.0, 3.2, 10.0].map(|noise| (0..runs).map(|_| noise * random.normal()).collect()).to_vec()
            };
            let p: Vec<Option<f64>> = (0..10)
                .map(|_| Contrast::unpaired(&side(2), &side(8)).unwrap().p_value(Scope::ThesePositions))
                .collect();
            wrong += usize::from(super::super::holm(&p).into_iter().flatten().any(|p| p < 0.05));
        }
        assert!(wrong * 100 <= 5 * EXPERIMENTS, "{wrong} of {EXPERIMENTS}");
    }

    #[test]
    fn what_is_not_known_is_nothing() {
        let singles = [vec![1.0], vec![2.0]];
        let several = [vec![1.0, 2.0], vec![2.0, 4.0]];
        let known = |contrast: Option<Contrast>| {
            contrast.map(|contrast| {
                (
                    contrast.interval(Scope::ThesePositions, LEVEL).is_some(),
                    contrast.interval(Scope::PositionsLikeThese, LEVEL).is_some(),
                )
            })
        };
        for (what, contrast, expected) in [
            ("single runs", Contrast::unpaired(&singles, &several), Some((false, true))),
            ("single baselines", Contrast::unpaired(&several, &singles), Some((false, true))),
            ("single differences", Contrast::paired(&singles), Some((false, true))),
            ("several runs", Contrast::unpaired(&several, &several), Some((true, true))),
            ("one position", Contrast::unpaired(&several[..1], &several), Some((true, false))),
            ("one run in all", Contrast::paired(&singles[..1]), Some((false, false))),
            ("no position", Contrast::paired(&[]), None),
            ("no common position", Contrast::unpaired(&[vec![], vec![1.0]], &[vec![1.0], vec![]]), None),
            ("no nodes", Contrast::unpaired(&[vec![f64::NEG_INFINITY, 1.0]], &several), None),
        ] {
            assert_eq!(known(contrast), expected, "{what}");
        }
    }

    /// On the virtual machine equal runs are equal to the last digit.
    #[test]
    fn what_never_varies_is_certain() {
        let side = |value: f64| vec![vec![value; 3], vec![2.0 * value; 3]];
        let scope = Scope::ThesePositions;
        let same = Contrast::unpaired(&side(0.1), &side(0.1)).unwrap();
        assert_eq!(same.interval(Scope::ThesePositions, LEVEL), Some(Interval { estimate: 0.0, low: 0.0, high: 0.0 }));
        assert_eq!((same.p_value(scope), same.equivalence(scope, 0.05)), (Some(1.0), Some(0.0)));
        let other = Contrast::unpaired(&side(0.3), &side(0.1)).unwrap();
        assert_eq!(
            other.interval(Scope::ThesePositions, LEVEL).map(|interval| interval.high - interval.low),
            Some(0.0)
        );
        assert_eq!((other.p_value(scope), other.equivalence(scope, 0.05)), (Some(0.0), Some(1.0)));
        assert_eq!(other.equivalence(scope, 0.0), None);
    }

    /// Equality within a margin is shown at 5 % exactly if the interval of 90 % lies within the margin, where an
    /// interval and a test have the same degrees of freedom; for these positions the test is the stricter.
    #[test]
    fn a_difference_is_larger_than_a_tiny_margin_if_it_is_one() {
        let contrast = Contrast::paired(&[vec![0.01, 0.03], vec![-0.02, 0.04], vec![0.02, 0.0]]).unwrap();
        for scope in [Scope::ThesePositions, Scope::PositionsLikeThese] {
            let noise = contrast.noise(scope).unwrap();
            let either_side = noise.beyond(contrast.estimate());
            assert_close(contrast.larger_than(scope, 1e-12).unwrap(), either_side, "both tails count");
            let far = contrast.larger_than(scope, 10.0 * contrast.estimate()).unwrap();
            assert!(far > 0.99 - either_side, "{far}");
        }
    }

    #[test]
    fn equivalence_is_the_interval_within_the_margin() {
        let contrast = Contrast::paired(&[vec![0.01, 0.03], vec![-0.02, 0.04], vec![0.02, 0.0]]).unwrap();
        for scope in [Scope::ThesePositions, Scope::PositionsLikeThese] {
            let inner = contrast.interval(scope, 0.9).unwrap();
            let margin = inner.high.max(-inner.low);
            if scope == Scope::PositionsLikeThese {
                assert_close(contrast.equivalence(scope, margin).unwrap(), 0.05, "at the margin");
                assert!(contrast.equivalence(scope, margin * 1.1).unwrap() < 0.05);
            }
            assert!(contrast.equivalence(scope, margin).unwrap() > 0.05 - 1e-9);
            assert!(contrast.equivalence(scope, margin * 0.5).unwrap() > 0.05);
            assert!(contrast.equivalence(scope, contrast.estimate() / 2.0).unwrap() > 0.5);
        }
    }

    /// One position, 1 and 3 against 0 and 2: s^2 = 2 on each side, so that one run more on each varies by 2 (1 + 1/2)
    /// twice, 6, where the estimate varies by 2; and one run of each side lies in 95 of 100 intervals.
    #[test]
    fn a_prediction_holds_one_run_more() {
        let contrast = Contrast::unpaired(&[vec![1.0, 3.0]], &[vec![0.0, 2.0]]).unwrap();
        assert_close(contrast.one_run_more.unwrap().standard_error, 6.0_f64.sqrt(), "one run more");
        assert_close(contrast.these_positions.unwrap().standard_error, 2.0_f64.sqrt(), "the estimate");
        let mut random = SplitMix::new(9);
        let rate = miss_rate(|| {
            let mut side = |runs: usize| -> Vec<Vec<f64>> {
                (0..10).map(|i| (0..runs).map(|_| (0.1 + 0.03 * f64::from(i)) * random.normal()).collect()).collect()
            };
            let prediction = Contrast::unpaired(&side(8), &side(10))?.prediction(LEVEL)?;
            let further = Contrast::unpaired(&side(1), &side(1))?.estimate();
            Some(prediction.low <= further && further <= prediction.high)
        });
        assert_misses_five_percent("prediction", rate);
    }

    /// The p value is below 0.05 only if the interval of 95 % does not contain 0; exactly then for positions like
    /// these.
    #[test]
    fn the_test_and_the_interval_agree() {
        let mut random = SplitMix::new(4);
        let mut significant = 0;
        for _ in 0..200 {
            let mut side = |mean: f64, runs: usize| -> Vec<Vec<f64>> {
                (0..6).map(|_| (0..runs).map(|_| mean + random.normal()).collect()).collect()
            };
            let (upper, lower) = (side(0.7, 3), side(0.0, 4));
            let contrast = Contrast::unpaired(&upper, &lower).unwrap();
            for scope in [Scope::ThesePositions, Scope::PositionsLikeThese] {
                let interval = contrast.interval(scope, LEVEL).unwrap();
                let outside = interval.low > 0.0 || interval.high < 0.0;
                let is_significant = contrast.p_value(scope).unwrap() < 1.0 - LEVEL;
                assert!(outside || !is_significant);
                assert!(is_significant == outside || scope == Scope::ThesePositions);
                significant += u32::from(is_significant);
            }
        }
        assert!((40..360).contains(&significant), "{significant}");
    }
}
