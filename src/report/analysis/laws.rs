//! Laws of speedup by the number of processors: Amdahl's, and the universal scalability law (Gunther, "A General Theory
//! of Computational Scalability Based on Rational Functions", 2008), which adds what processors cost each other in
//! pairs. And how each loss grows, by the forms of Extra-P (Calotoiu et al., "Using Automated Performance Modeling to
//! Find Scalability Bugs in Complex Codes", SC13). Nothing is foretold beyond what was measured.

use crate::statistics::{Interval, LEVEL, student_factor};

use super::{Analysis, Curve, Factors, Group};

/// Smallest number of different processor counts above one that a law is fitted to.
const FEWEST: usize = 5;
/// Largest distance of a law that is said to fit from any of its points, as a share.
const CLOSE: f64 = 0.10;
/// By how much the corrected information criterion of Akaike of a growing form must be the better, to be no constant.
const BETTER: f64 = 4.0;
/// Change over all numbers of processors, as a share, below which nothing is said to grow.
const SMALL: f64 = 0.01;
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

/// Laws of scaling that were fitted to a speedup curve, and how its losses grow.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Laws {
    /// The law that fits: with pairs only if a test shows that Amdahl's does not do.
    pub fits: Option<Law>,
    /// Amdahl's law, whether it fits or not.
    pub amdahl: Law,
    /// The universal law likewise.
    pub universal: Law,
    /// How each loss grows, by name, and the time of one processor from which on half of them are worth it.
    pub losses: Vec<(&'static str, Growth)>,
}

/// Form of a quantity by the number of processors n: `start + slope n^power log2(n)^logarithms`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Growth {
    pub start: f64,
    pub slope: f64,
    pub power: f64,
    pub logarithms: i32,
}

/// Laws of a curve; nothing if too few numbers of processors were measured, or too few positions at all of them.
pub(crate) fn laws(analysis: &Analysis, curve: &Curve) -> Option<Laws> {
    let groups = || curve.groups.iter().map(|&place| &analysis.groups[place]).filter(|group| threads(group) > 1.0);
    let groups: Vec<&Group> = groups().filter(|group| group.time_speedup().is_finite()).collect();
    let (numbers, logs) = (groups.iter().map(|group| threads(group)).collect::<Vec<f64>>(), by_position(&groups));
    if numbers.len() < FEWEST || logs.len() < 2 {
        return None;
    }
    // A law of all positions, and of all but one each for its uncertainty.
    let fit = |without: Option<usize>, free: [bool; 2]| {
        let kept = || logs.iter().enumerate().filter(|(place, _)| Some(*place) != without).map(|(_, logs)| logs);
        let mean = |at: usize| kept().map(|logs| logs[at]).sum::<f64>() / kept().count() as f64;
        let points: Vec<(f64, f64)> = numbers.iter().enumerate().map(|(at, &n)| (n, mean(at))).collect();
        let law = fitted(&points, free);
        let misses = points.iter().map(|&(n, log)| log - speedup(law, n).ln()).collect::<Vec<f64>>();
        (law, misses)
    };
    let jackknifed = |free: [bool; 2], of: fn([f64; 2]) -> f64| {
        let all = logs.len() as f64;
        let estimate = of(fit(None, free).0);
        let others: Vec<f64> = (0..logs.len()).map(|place| of(fit(Some(place), free).0)).collect();
        let mean = others.iter().sum::<f64>() / all;
        let variance = others.iter().map(|other| (other - mean).powi(2)).sum::<f64>() * (all - 1.0) / all;
        Interval::around(estimate, student_factor(LEVEL, all - 1.0) * variance.sqrt())
    };
    let law = |free: [bool; 2]| {
        let (parameters, misses) = fit(None, free);
        let within = |peak: &Interval| peak.estimate <= 2.0 * numbers.iter().copied().fold(0.0, f64::max);
        let peak = || jackknifed(free, |[serial, pairs]| ((1.0 - serial) / pairs).sqrt());
        let farthest = misses.iter().map(|miss| miss.abs()).fold(0.0, f64::max);
        let squares: f64 = misses.iter().map(|miss| miss * miss).sum();
        let law = Law {
            serial: jackknifed(free, |[serial, _]| serial),
            pairs: free[1].then(|| jackknifed(free, |[_, pairs]| pairs)),
            peak: Some(peak()).filter(|peak| free[1] && parameters[1] > 0.0 && within(peak)),
            distance: farthest.exp() - 1.0,
        };
        (law, squares)
    };
    let ((amdahl, amdahls), (universal, squares)) = (law([true, false]), law([true, true]));
    let freedom = numbers.len() as f64 - 2.0;
    let t = ((amdahls - squares).max(0.0) / (squares / freedom)).sqrt();
    let is_shown = t > student_factor(LEVEL, freedom) && universal.distance < CLOSE;
    let fits = if is_shown { Some(universal) } else { Some(amdahl).filter(|law| law.distance < CLOSE) };
    Some(Laws { fits, amdahl, universal, losses: losses(&groups) })
}

fn threads(group: &Group) -> f64 {
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

/// How each loss of these groups grows.
fn losses(groups: &[&Group]) -> Vec<(&'static str, Growth)> {
    let factor = |of: fn(&Factors) -> f64| -> Vec<(f64, f64)> {
        // One processor loses nothing, by definition.
        let all =
            groups.iter().filter_map(|group| Some((threads(group), of(&group.against_baseline.as_ref()?.factors))));
        std::iter::once((1.0, 1.0)).chain(all).filter(|(_, value)| value.is_finite()).collect()
    };
    let half = |group: &&Group| Some((threads(group), group.by_size.as_ref()?.half_efficiency?.seen_s()?));
    let all = [
        ("waiting", factor(|factors| factors.utilisation.ratio.estimate.recip())),
        ("extra nodes", factor(|factors| factors.nodes.ratio.estimate)),
        ("slower nodes", factor(|factors| factors.rate.ratio.estimate.recip())),
        ("coordination", factor(|factors| factors.productive.ratio.estimate.recip())),
        ("half efficiency", groups.iter().filter_map(half).collect()),
    ];
    all.into_iter().filter_map(|(name, points)| Some((name, growth(&points)?))).collect()
}

/// Form that leaves the smallest error where each point is foretold by the others; the constant unless a growing one is
/// clearly better. Nothing for too few points.
fn growth(points: &[(f64, f64)]) -> Option<Growth> {
    if points.len() < FEWEST {
        return None;
    }
    let powers = [0.0, 0.25, 1.0 / 3.0, 0.5, 2.0 / 3.0, 0.75, 1.0];
    let forms = powers.into_iter().flat_map(|power| [0, 1].map(|logarithms| (power, logarithms)));
    let error = |&(power, logarithms): &(f64, i32)| -> f64 {
        let foretold = |left_out: usize| {
            let others: Vec<(f64, f64)> =
                points.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, point)| *point).collect();
            (points[left_out].1 - Growth::of(&others, power, logarithms).at(points[left_out].0)).powi(2)
        };
        (0..points.len()).map(foretold).sum()
    };
    let growing = forms.filter(|form| *form != (0.0, 0));
    let (power, logarithms) = growing.min_by(|one, other| error(one).total_cmp(&error(other)))?;
    let (growing, constant) = (Growth::of(points, power, logarithms), Growth::of(points, 0.0, 0));
    let is_better = growing.criterion(points, 2.0) + BETTER < constant.criterion(points, 1.0);
    let change = (growing.at(points[points.len() - 1].0) - growing.at(points[0].0)).abs();
    Some(if is_better && change > SMALL * constant.start { growing } else { constant })
}

impl Growth {
    /// The form of these powers by least squares; a constant where both are zero.
    fn of(points: &[(f64, f64)], power: f64, logarithms: i32) -> Self {
        let form = Self { start: 0.0, slope: 1.0, power, logarithms };
        let count = points.len() as f64;
        let mean = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|&(n, y)| of(n, y)).sum::<f64>() / count;
        let (x, y) = (mean(&|n, _| form.at(n)), mean(&|_, y| y));
        let (both, squares) =
            (mean(&|n, value| (form.at(n) - x) * (value - y)), mean(&|n, _| (form.at(n) - x).powi(2)));
        let slope = if power == 0.0 && logarithms == 0 { 0.0 } else { both / squares };
        Self { start: y - slope * x, slope, ..form }
    }

    /// Value with so many processors.
    pub fn at(&self, n: f64) -> f64 {
        self.start + self.slope * n.powf(self.power) * n.log2().powi(self.logarithms)
    }

    /// Akaike's criterion, corrected for few points, of a form with so many parameters and the size of its errors.
    fn criterion(&self, points: &[(f64, f64)], parameters: f64) -> f64 {
        let (count, k) = (points.len() as f64, parameters + 1.0);
        let squares: f64 = points.iter().map(|&(n, y)| (y - self.at(n)).powi(2)).sum();
        count * (squares / count).max(f64::MIN_POSITIVE).ln() + 2.0 * k + 2.0 * k * (k + 1.0) / (count - k - 1.0)
    }

    /// Factor by which it grows when the number of processors doubles to this.
    pub fn last_doubling(&self, n: f64) -> f64 {
        self.at(n) / self.at(n / 2.0)
    }
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
        let amdahl = of(|n| speedup([0.1, 0.0], n)).fits.unwrap();
        assert!(amdahl.pairs.is_none() && amdahl.serial.low < 0.1 && 0.1 < amdahl.serial.high, "{amdahl:?}");
        assert!(amdahl.serial.high - amdahl.serial.low < 0.05, "{amdahl:?}");
        // Pairs that chance alone suggests are none.
        let noisy = of(|n| speedup([0.1, 0.0], n) * if (n.log2() as u32).is_multiple_of(2) { 0.97 } else { 1.03 });
        assert!(noisy.universal.pairs.unwrap().estimate > 0.0 && noisy.fits.unwrap().pairs.is_none(), "{noisy:?}");
        let universal = of(|n| speedup([0.05, 0.002], n)).fits.unwrap();
        let (pairs, peak) = (universal.pairs.unwrap(), universal.peak.unwrap());
        assert!(pairs.low < 0.002 && 0.002 < pairs.high && (peak.estimate - 21.8).abs() < 0.5, "{universal:?}");
        assert_eq!(of(|n| if n < 10.0 { n } else { 8.0 + (n - 8.0) / 2.0 }).fits, None, "in steps");
    }

    #[test]
    fn a_form_comes_back_from_its_own_points_and_noise_is_constant() {
        let of = |form: Growth| std::iter::once(1.0).chain(NUMBERS).map(|n| (n, form.at(n))).collect::<Vec<_>>();
        for (start, slope, power, logarithms) in [(1.0, 0.1, 0.75, 0), (0.9, 0.2, 0.0, 1), (1.0, 0.02, 1.0, 1)] {
            let form = Growth { start, slope, power, logarithms };
            let found = growth(&of(form)).unwrap();
            assert_eq!((found.power, found.logarithms), (power, logarithms));
            assert!((found.start - start).abs() < 1e-9 && (found.slope - slope).abs() < 1e-9, "{found:?}");
        }
        let noise = [1.0, 1.02, 0.97, 1.01, 0.98, 1.03, 0.99];
        let noise: Vec<(f64, f64)> = std::iter::once(1.0).chain(NUMBERS).zip(noise).collect();
        assert_eq!(growth(&noise).unwrap().slope, 0.0);
        assert_eq!(growth(&noise[..FEWEST - 1]), None);
    }
}
