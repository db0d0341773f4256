//! How losses grow with the number of processors: by forms of n, after Extra-P (Calotoiu et al., "Using Automated
//! Performance Modeling to Find Scalability Bugs in Complex Codes", SC13).
//!
//! A handful of points rarely tells one form from all others. So a loss has the set of forms between which they do not
//! decide, and never the best one alone where there are several. What is compared are errors as shares of the values.
//! The point of one processor is 1 by definition and no measurement, so it does not count.

use super::by_size::HalfEfficiency;
use super::laws::threads;
use super::{Factors, Group};

/// Smallest number of points that forms are fitted to.
const FEWEST: usize = 5;
/// By how much the corrected information criterion of Akaike of a form may be the worse, to be told beside the best.
const NEAR: f64 = 4.0;
/// Change over all numbers of processors, as a share, below which nothing is said to grow.
const SMALL: f64 = 0.01;
/// Powers of n.
const POWERS: [f64; 13] = [0.0, 0.25, 1.0 / 3.0, 0.5, 2.0 / 3.0, 0.75, 1.0, 1.25, 4.0 / 3.0, 1.5, 5.0 / 3.0, 1.75, 2.0];

/// Form of a quantity by the number of processors n: `start + slope n^power log2(n)^logarithms`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Form {
    pub start: f64,
    /// Zero for a constant.
    pub slope: f64,
    pub power: f64,
    pub logarithms: i32,
}

/// Forms of a quantity that its points do not tell apart, those first that grow least in the last doubling.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Growth(pub Vec<Form>);

/// Growth of each loss of these groups, with the time of one processor from which on half of them are worth it.
pub(super) fn losses(groups: &[&Group]) -> Vec<(&'static str, Growth)> {
    let factor = |of: fn(&Factors) -> f64| -> Vec<(f64, f64)> {
        let all =
            groups.iter().filter_map(|group| Some((threads(group), of(&group.against_baseline.as_ref()?.factors))));
        all.filter(|(_, value)| value.is_finite()).collect()
    };
    // A size that was not seen is no point: a bound would make a law of the smallest searches.
    let half = |group: &&Group| {
        let half = group.by_size.as_ref()?.half_efficiency?;
        Some((threads(group), HalfEfficiency::seen_s(half)?))
    };
    let all = [
        (WAITING, factor(|factors| factors.utilisation.ratio.estimate.recip())),
        (EXTRA_NODES, factor(|factors| factors.nodes.ratio.estimate)),
        (SLOWER_NODES, factor(|factors| factors.rate.ratio.estimate.recip())),
        (COORDINATION, factor(|factors| factors.productive.ratio.estimate.recip())),
        (HALF_EFFICIENCY, groups.iter().filter_map(half).collect()),
    ];
    all.into_iter().filter_map(|(name, points)| Some((name, Growth::of(&points)?))).collect()
}

pub(crate) const WAITING: &str = "waiting";
pub(crate) const EXTRA_NODES: &str = "extra nodes";
pub(crate) const SLOWER_NODES: &str = "slower nodes";
pub(crate) const COORDINATION: &str = "coordination";
/// Name of half efficiency, which is no loss, among the losses.
pub(crate) const HALF_EFFICIENCY: &str = "half efficiency";

impl Growth {
    /// Forms near the best one. The constant is among them unless it is clearly worse, and alone if nothing changes.
    /// Nothing for too few points.
    fn of(points: &[(f64, f64)]) -> Option<Self> {
        if points.len() < FEWEST {
            return None;
        }
        let most = points.iter().map(|(n, _)| *n).fold(0.0, f64::max);
        let constant = Form::of(points, 0.0, 0);
        let values = || points.iter().map(|(_, value)| *value);
        let change = values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min);
        if change < SMALL * constant.start {
            return Some(Self(vec![constant]));
        }
        let shapes = POWERS.into_iter().flat_map(|power| [0, 1].map(|logarithms| (power, logarithms)));
        let growing = shapes.filter(|shape| *shape != (0.0, 0)).map(|(power, logs)| Form::of(points, power, logs));
        let mut rated: Vec<(f64, Form)> = growing.map(|form| (form.criterion(points, 2.0), form)).collect();
        rated.push((constant.criterion(points, 1.0), constant));
        // Where points are few, the criterion holds a second parameter against a form, however well it fits. So growing
        // forms stand beside the best of their kind.
        let best = rated.iter().filter(|(_, form)| form.slope != 0.0).map(|(criterion, _)| *criterion);
        let best = best.fold(f64::INFINITY, f64::min);
        let mut near: Vec<Form> =
            rated.into_iter().filter(|(criterion, _)| *criterion <= best + NEAR).map(|(_, form)| form).collect();
        near.sort_by(|one, other| one.last_doubling(most).total_cmp(&other.last_doubling(most)));
        Some(Self(near))
    }
}

impl Form {
    /// The form of these powers that has the smallest errors as shares of the values, by least squares; a constant
    /// where both powers are zero.
    fn of(points: &[(f64, f64)], power: f64, logarithms: i32) -> Self {
        let form = Self { start: 0.0, slope: 1.0, power, logarithms };
        let weight = |value: f64| value.powi(-2);
        let all: f64 = points.iter().map(|&(_, value)| weight(value)).sum();
        let mean = |of: &dyn Fn(f64, f64) -> f64| {
            points.iter().map(|&(n, value)| weight(value) * of(n, value)).sum::<f64>() / all
        };
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
        let squares: f64 = points.iter().map(|&(n, y)| (1.0 - self.at(n) / y).powi(2)).sum();
        count * (squares / count).max(f64::MIN_POSITIVE).ln() + 2.0 * k + 2.0 * k * (k + 1.0) / (count - k - 1.0)
    }

    /// Factor by which it grows when the number of processors doubles to this.
    fn last_doubling(&self, n: f64) -> f64 {
        self.at(n) / self.at(n / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::samples;

    const NUMBERS: [f64; 6] = [2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

    fn shapes(of: impl Fn(f64) -> f64) -> Vec<(f64, i32)> {
        let points = NUMBERS.map(|n| (n, of(n)));
        Growth::of(&points).unwrap().0.iter().map(|form| (form.power, form.logarithms)).collect()
    }

    /// Half of the processors that are worth it from the smallest size on make no law of sizes.
    #[test]
    fn bounds_of_half_efficiency_are_no_points() {
        let mut groups = samples::processors(&[1, 2, 4, 8, 16, 32, 64], &["ybwc"], samples::VIRTUAL).groups;
        let mut names = |half: fn(f64) -> HalfEfficiency| -> Vec<&'static str> {
            for group in &mut groups {
                let n = threads(group);
                group.by_size.iter_mut().for_each(|by_size| by_size.half_efficiency = Some(half(n)));
            }
            losses(&groups.iter().skip(1).collect::<Vec<_>>()).into_iter().map(|(name, _)| name).collect()
        };
        assert!(names(|n| HalfEfficiency::At(0.01 * n)).contains(&HALF_EFFICIENCY));
        let bounds = names(|n| HalfEfficiency::AtMost(5e-4 * n));
        assert!(bounds.contains(&WAITING) && !bounds.contains(&HALF_EFFICIENCY), "{bounds:?}");
    }

    #[test]
    fn a_form_comes_back_from_its_own_points_alone() {
        for (start, slope, power, logarithms) in [(1.0, 0.1, 0.75, 0), (0.9, 0.2, 0.0, 1), (1.0, 0.002, 2.0, 0)] {
            let form = Form { start, slope, power, logarithms };
            let points = NUMBERS.map(|n| (n, form.at(n)));
            let found = Growth::of(&points).unwrap();
            let [found] = found.0[..] else { panic!("{found:?}") };
            assert_eq!((found.power, found.logarithms), (power, logarithms));
            assert!((found.start - start).abs() < 1e-9 && (found.slope - slope).abs() < 1e-9, "{found:?}");
        }
        let constant = Growth::of(&NUMBERS.map(|n| (n, 1.03 + 1e-4 * n.log2()))).unwrap();
        assert!(constant.0.len() == 1 && constant.0[0].slope == 0.0, "{constant:?}");
        assert_eq!(Growth::of(&NUMBERS.map(|n| (n, n))[..FEWEST - 1]), None);
    }

    /// Noise of a few hundredths leaves several forms, the true one among them, the slowest first.
    #[test]
    fn forms_that_points_do_not_tell_apart_are_all_there() {
        const NOISE: [f64; 6] = [1.0, 1.02, 0.97, 1.01, 0.98, 1.03];
        let noisy = |of: fn(f64) -> f64| {
            let points: Vec<(f64, f64)> = NUMBERS.iter().zip(NOISE).map(|(&n, noise)| (n, of(n) * noise)).collect();
            Growth::of(&points).unwrap().0.iter().map(|form| (form.power, form.logarithms)).collect::<Vec<_>>()
        };
        let square_root = noisy(|n| 1.0 + 0.2 * n.sqrt());
        assert!(square_root.len() > 1 && square_root.contains(&(0.5, 0)), "{square_root:?}");
        assert!(!square_root.contains(&(0.0, 0)) && !square_root.contains(&(2.0, 0)), "{square_root:?}");
        let nothing = noisy(|_| 1.0);
        assert!(nothing.contains(&(0.0, 0)) && nothing.len() > 10, "{nothing:?}");
        // What pairs cost, beside what is done one after the other, is between n and its square, and not n log n.
        let universal = shapes(|n| 1.0 + 0.05 * (n - 1.0) + 0.001 * n * (n - 1.0));
        assert!(universal.iter().all(|(power, _)| *power > 1.0 && *power < 2.0), "{universal:?}");
    }
}
