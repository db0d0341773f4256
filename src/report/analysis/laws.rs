//! Laws of speedup by the number of processors: Amdahl's, and the universal scalability law (Gunther, "A General Theory
//! of Computational Scalability Based on Rational Functions", 2008), which adds what processors cost each other in
//! pairs. Nothing is foretold beyond what was measured.
//!
//! That a test does not reject a law is no evidence for it. A curve is said to follow a law only if all its points are
//! shown to lie near it, and Amdahl's only if pairs are shown to cost little: both are tests of equivalence.

use crate::statistics::{Interval, LEVEL, student_factor};

use super::forms::{Growth, losses};
use super::{Analysis, Curve, Group};

/// Smallest number of different processor counts above one that a law is fitted to.
const FEWEST: usize = 5;
/// Largest distance of a law that is said to fit from any of its points, as a share. Also the largest share of the time
/// on the most processors that pairs may cost where a curve is said to follow Amdahl's law.
const CLOSE: f64 = 0.10;
/// Steps of a fit.
const STEPS: usize = 60;

/// Law of speedups: `S(n) = n / (1 + s (n - 1) + k n (n - 1))`, where Amdahl's has no k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Law {
    /// Share of the work that is done one after the other, or waits.
    pub serial: Interval,
    /// Share that each pair of processors costs.
    pub pairs: Option<Interval>,
    /// Number of processors beyond which the speedup falls again, where it lies within twice what was measured.
    pub peak: Option<Interval>,
    /// Largest distance of a point from the law, as a share.
    pub distance: f64,
}

/// Law from which no point is far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fit {
    pub law: Law,
    /// Whether tests show that the curve follows it. Otherwise it cannot be told from one that does.
    pub is_shown: bool,
}

/// Laws of scaling that were fitted to a speedup curve, and how its losses grow.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Laws {
    /// The law that fits: with pairs only if a test shows that Amdahl's does not do.
    pub fits: Option<Fit>,
    /// Amdahl's law, whether it fits or not.
    pub amdahl: Law,
    /// The universal law likewise.
    pub universal: Law,
    /// Growth of each loss, by name, with the time of one processor from which on half of them are worth it.
    pub losses: Vec<(&'static str, Growth)>,
}

/// Fit to the means of positions: the parameters, and the logarithms of the speedups less those of the law.
struct Fitted {
    law: [f64; 2],
    misses: Vec<f64>,
}

/// Logarithms of the speedups of a curve.
struct Speedups {
    /// Numbers of processors.
    numbers: Vec<f64>,
    /// By position, and for each number of processors.
    logs: Vec<Vec<f64>>,
}

impl Speedups {
    /// Means over all positions, or over all but one, by number of processors.
    fn points(&self, without: Option<usize>) -> Vec<(f64, f64)> {
        let kept = || self.logs.iter().enumerate().filter(|(place, _)| Some(*place) != without).map(|(_, logs)| logs);
        let mean = |at: usize| kept().map(|logs| logs[at]).sum::<f64>() / kept().count() as f64;
        self.numbers.iter().enumerate().map(|(at, &n)| (n, mean(at))).collect()
    }

    /// Largest number of processors.
    fn most(&self) -> f64 {
        self.numbers.iter().copied().fold(0.0, f64::max)
    }
}

/// Fit to all positions, and to all but one each.
struct Jackknife {
    all: Fitted,
    without: Vec<Fitted>,
}

impl Jackknife {
    /// Fit of Amdahl's law, or with pairs of the universal one.
    fn of(speedups: &Speedups, has_pairs: bool) -> Self {
        let fit = |without: Option<usize>| {
            let points = speedups.points(without);
            let law = fitted(&points, [true, has_pairs]);
            Fitted { law, misses: misses(&points, law) }
        };
        Self { all: fit(None), without: (0..speedups.logs.len()).map(|place| fit(Some(place))).collect() }
    }

    /// The law that was fitted to up to this number of processors.
    fn law(&self, has_pairs: bool, most: f64) -> Law {
        let within = |peak: &Interval| peak.estimate <= 2.0 * most;
        let peak = self.interval(|fitted| ((1.0 - fitted.law[0]) / fitted.law[1]).sqrt());
        let farthest = self.all.misses.iter().map(|miss| miss.abs()).fold(0.0, f64::max);
        Law {
            serial: self.interval(|fitted| fitted.law[0]),
            pairs: has_pairs.then(|| self.interval(|fitted| fitted.law[1])),
            peak: Some(peak).filter(|peak| has_pairs && self.all.law[1] > 0.0 && within(peak)),
            distance: farthest.exp() - 1.0,
        }
    }

    /// Figure of a fit with its interval.
    fn interval(&self, figure: impl Fn(&Fitted) -> f64) -> Interval {
        let count = self.without.len() as f64;
        let others: Vec<f64> = self.without.iter().map(&figure).collect();
        let mean = others.iter().sum::<f64>() / count;
        let variance = others.iter().map(|other| (other - mean).powi(2)).sum::<f64>() * (count - 1.0) / count;
        Interval::around(figure(&self.all), student_factor(LEVEL, count - 1.0) * variance.sqrt())
    }

    /// Whether each point is shown to lie near the law: the interval of its distance does.
    fn is_near(&self) -> bool {
        let near = |miss: Interval| miss.low > -(1.0 + CLOSE).ln() && miss.high < (1.0 + CLOSE).ln();
        (0..self.all.misses.len()).all(|at| near(self.interval(|fitted| fitted.misses[at])))
    }

    fn squares(&self) -> f64 {
        squares(&self.all.misses)
    }
}

/// Laws of a curve; nothing if too few numbers of processors were measured, or too few positions at all of them.
pub(crate) fn laws(analysis: &Analysis, curve: &Curve) -> Option<Laws> {
    let groups = || curve.groups.iter().map(|&place| &analysis.groups[place]).filter(|group| threads(group) > 1.0);
    let groups: Vec<&Group> = groups().filter(|group| group.time_speedup().is_finite()).collect();
    let speedups =
        Speedups { numbers: groups.iter().map(|group| threads(group)).collect(), logs: by_position(&groups) };
    if speedups.numbers.len() < FEWEST || speedups.logs.len() < 2 {
        return None;
    }
    let [without_pairs, with_pairs] = [false, true].map(|has_pairs| Jackknife::of(&speedups, has_pairs));
    let most = speedups.most();
    let (amdahl, universal) = (without_pairs.law(false, most), with_pairs.law(true, most));
    let freedom = speedups.numbers.len() as f64 - 2.0;
    // Student's t of a law with fewer free parameters beside the universal one: the root of an F test.
    let t = |squares: f64| ((squares - with_pairs.squares()).max(0.0) / (with_pairs.squares() / freedom)).sqrt();
    let has_pairs = t(without_pairs.squares()) > student_factor(LEVEL, freedom);
    let are_pairs_cheap = || {
        // What pairs would cost at most in a law that is as good as Amdahl's. To be below it is tested on one side.
        let [serial, _] = without_pairs.all.law;
        let pairs = CLOSE * (1.0 + serial * (most - 1.0)) / (most * (most - 1.0));
        let points = speedups.points(None);
        let costly = squares(&misses(&points, fitted_with(&points, pairs)));
        with_pairs.all.law[1] < pairs && t(costly) > student_factor(2.0 * LEVEL - 1.0, freedom)
    };
    let fit = match has_pairs {
        true => Fit { law: universal, is_shown: with_pairs.is_near() },
        false => Fit { law: amdahl, is_shown: without_pairs.is_near() && are_pairs_cheap() },
    };
    let fits = Some(fit).filter(|fit| fit.law.distance < CLOSE);
    Some(Laws { fits, amdahl, universal, losses: losses(&groups) })
}

fn squares(misses: &[f64]) -> f64 {
    misses.iter().map(|miss| miss * miss).sum()
}

/// Logarithms of speedups less those of a law.
fn misses(points: &[(f64, f64)], law: [f64; 2]) -> Vec<f64> {
    points.iter().map(|&(n, log)| log - speedup(law, n).ln()).collect()
}

/// Law with these costs of pairs that is nearest to the points, the serial share by least squares.
fn fitted_with(points: &[(f64, f64)], pairs: f64) -> [f64; 2] {
    let mut serial = 0.0_f64;
    for _ in 0..STEPS {
        let (mut below, mut above) = (0.0, 0.0);
        for (&(n, _), miss) in points.iter().zip(misses(points, [serial, pairs])) {
            let slope = (n - 1.0) * speedup([serial, pairs], n) / n;
            (above, below) = (above - slope * miss, below + slope * slope);
        }
        serial = (serial + above / below).max(0.0);
    }
    [serial, pairs]
}

pub(super) fn threads(group: &Group) -> f64 {
    f64::from(group.configuration.threads)
}

/// Logarithms of the speedups of each position that has one in all groups, by group.
fn by_position(groups: &[&Group]) -> Vec<Vec<f64>> {
    let at = |group: &&Group, position: &str| {
        let row = group.by_position.iter().find(|row| row.position == position)?;
        row.time_speedup.map(f64::ln)
    };
    let positions = groups.first().map_or(&[][..], |group| &group.by_position);
    positions.iter().filter_map(|row| groups.iter().map(|group| at(group, &row.position)).collect()).collect()
}

fn speedup([serial, pairs]: [f64; 2], n: f64) -> f64 {
    n / (1.0 + serial * (n - 1.0) + pairs * n * (n - 1.0))
}

/// Parameters of the law that is nearest to these numbers of processors and logarithms of speedups, by least squares
/// (Gauss and Newton). Those that are not free are zero, and none is negative.
fn fitted(points: &[(f64, f64)], free: [bool; 2]) -> [f64; 2] {
    let mut law = [if free[0] { 0.01 } else { 0.0 }, 0.0];
    for _ in 0..STEPS {
        // Normal equations of a step: slopes of the logarithm by either parameter.
        let (mut matrix, mut right) = ([[0.0; 2]; 2], [0.0; 2]);
        for &(n, log) in points {
            let whole = n / speedup(law, n);
            let slopes = [(n - 1.0) / whole, n * (n - 1.0) / whole];
            let miss = (n.ln() - log) - whole.ln();
            for row in 0..2 {
                right[row] += slopes[row] * miss;
                (0..2).for_each(|column| matrix[row][column] += slopes[row] * slopes[column]);
            }
        }
        let [[a, b], [_, d]] = matrix;
        let step = match free {
            [true, true] => {
                let determinant = a * d - b * b;
                [(right[0] * d - right[1] * b) / determinant, (right[1] * a - right[0] * b) / determinant]
            }
            [true, false] => [right[0] / a, 0.0],
            [false, true] => [0.0, right[1] / d],
            [false, false] => [0.0; 2],
        };
        law = [(law[0] + step[0]).max(-1e-3), (law[1] + step[1]).max(-1e-3)];
    }
    match law {
        [serial, _] if serial < 0.0 => fitted_or_zero(points, [false, free[1]]),
        [_, pairs] if pairs < 0.0 => fitted_or_zero(points, [free[0], false]),
        law => law,
    }
}

/// As [`fitted`], from the start with fewer free parameters.
fn fitted_or_zero(points: &[(f64, f64)], free: [bool; 2]) -> [f64; 2] {
    let law = if free == [false, false] { [0.0; 2] } else { fitted(points, free) };
    [if free[0] { law[0] } else { 0.0 }, if free[1] { law[1] } else { 0.0 }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::samples::processors;
    use crate::record::MachineKind;

    const NUMBERS: [f64; 6] = [2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

    fn points(law: [f64; 2]) -> Vec<(f64, f64)> {
        NUMBERS.map(|n| (n, speedup(law, n).ln())).to_vec()
    }

    #[test]
    fn a_law_comes_back_from_its_own_points() {
        for law in [[0.2, 0.0], [0.01, 0.0], [0.05, 0.001], [0.0, 0.002], [0.0, 0.0]] {
            let found = fitted(&points(law), [true, true]);
            assert!((0..2).all(|at| (found[at] - law[at]).abs() < 1e-6), "{law:?} {found:?}");
            let amdahl = fitted(&points([law[0], 0.0]), [true, false]);
            assert!((amdahl[0] - law[0]).abs() < 1e-6 && amdahl[1] == 0.0, "{law:?} {amdahl:?}");
        }
        // Faster than so many processors can be is the smallest share there is.
        let superlinear = NUMBERS.map(|n| (n, (1.1 * n).ln()));
        assert_eq!(fitted(&superlinear, [true, true]), [0.0, 0.0]);
    }

    /// Curves whose positions follow a law but for factors of their own.
    #[test]
    fn the_law_that_fits_is_told() {
        let of = |law: fn(f64) -> f64| {
            let mut analysis = processors(&[1, 2, 4, 8, 16, 32, 64], &["ybwc"], MachineKind::Virtual);
            for group in &mut analysis.groups {
                let n = threads(group);
                for (place, row) in group.by_position.iter_mut().enumerate() {
                    // A position is better on many processors, another worse.
                    let own = n.powf(0.02 * (place as f64 - 4.5) / 4.5);
                    row.time_speedup = Some(law(n) * own);
                }
            }
            laws(&analysis, &analysis.curves[0]).unwrap()
        };
        let Fit { law: amdahl, is_shown } = of(|n| speedup([0.1, 0.0], n)).fits.unwrap();
        assert!(is_shown && amdahl.pairs.is_none(), "{amdahl:?}");
        assert!(amdahl.serial.low < 0.1 && 0.1 < amdahl.serial.high, "{amdahl:?}");
        assert!(amdahl.serial.high - amdahl.serial.low < 0.05, "{amdahl:?}");
        // Pairs that chance alone suggests are none. But the same noise would hide some that cost something.
        let noisy = of(|n| speedup([0.1, 0.0], n) * if (n.log2() as u32).is_multiple_of(2) { 0.97 } else { 1.03 });
        let fit = noisy.fits.unwrap();
        assert!(noisy.universal.pairs.unwrap().estimate > 0.0 && fit.law.pairs.is_none(), "{noisy:?}");
        assert!(!fit.is_shown, "{noisy:?}");
        let Fit { law: universal, is_shown } = of(|n| speedup([0.05, 0.002], n)).fits.unwrap();
        let (pairs, peak) = (universal.pairs.unwrap(), universal.peak.unwrap());
        assert!(is_shown && pairs.low < 0.002 && 0.002 < pairs.high, "{universal:?}");
        assert!((peak.estimate - 21.8).abs() < 0.5, "{universal:?}");
        assert_eq!(of(|n| if n < 10.0 { n } else { 8.0 + (n - 8.0) / 2.0 }).fits, None, "in steps");
    }
}
