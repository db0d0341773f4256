//! Description of a sample of numbers: its middle, its spread, and how far each value lies from the middle.
//!
//! That distance is the modified z-score of Iglewicz and Hoaglin, "How to Detect and Handle Outliers" (1993).

use super::distribution::student_factor;
use super::interval::{Interval, LEVEL};

/// Median absolute deviation of a normal variable in standard deviations.
pub(super) const NORMAL_MAD: f64 = 0.6745;

/// Arithmetic mean; nothing of an empty sample. Exact if all values are equal.
pub fn mean(values: &[f64]) -> Option<f64> {
    let (first, others) = values.split_first()?;
    Some(others.iter().fold(Mean::of(*first), |mean, value| mean.with(*value)).value())
}

/// Arithmetic mean of values as they come.
#[derive(Clone, Copy, Debug)]
pub struct Mean {
    first: f64,
    /// Sum of the differences from the first value: so a deterministic measurement has a mean equal to each of its
    /// runs.
    differences: f64,
    count: f64,
}

impl Mean {
    /// Mean of a single value, to which others are added.
    pub fn of(first: f64) -> Self {
        Self { first, differences: 0.0, count: 1.0 }
    }

    /// The mean with one value more.
    #[must_use]
    pub fn with(self, value: f64) -> Self {
        Self { differences: self.differences + (value - self.first), count: self.count + 1.0, ..self }
    }

    /// Arithmetic mean of the values so far.
    pub fn value(self) -> f64 {
        self.first + self.differences / self.count
    }
}

/// Sum of the squared differences from `centre`.
pub(super) fn squares_about(values: &[f64], centre: f64) -> f64 {
    values.iter().map(|value| (value - centre).powi(2)).sum()
}

/// Sum of variances, each with its degrees of freedom, and Satterthwaite's degrees of freedom of the sum.
pub(super) fn satterthwaite(parts: impl IntoIterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let variance: f64 = parts.clone().into_iter().map(|(variance, _)| variance).sum();
    let squares: f64 = parts.into_iter().map(|(variance, freedom)| variance * variance / freedom).sum();
    (variance, if squares > 0.0 { variance * variance / squares } else { f64::INFINITY })
}

/// Standard error of an estimate, from the estimates that leave out one part of the sample each (Efron and Tibshirani,
/// "An Introduction to the Bootstrap", 1993, 11.5).
pub(super) fn jackknife(without: &[f64]) -> f64 {
    let count = without.len() as f64;
    let centre = without.iter().sum::<f64>() / count;
    ((count - 1.0) / count * squares_about(without, centre)).sqrt()
}

/// Mean of the population that this is a sample of, with its interval by Student's t; no interval with fewer than two
/// values.
pub fn mean_interval(values: &[f64]) -> Interval {
    let estimate = mean(values).unwrap_or(f64::NAN);
    let Some(deviation) = standard_deviation(values) else { return Interval::unknown(estimate) };
    let number = values.len() as f64;
    Interval::around(estimate, student_factor(LEVEL, number - 1.0) * deviation / number.sqrt())
}

/// Standard deviation of the population that this is a sample of; nothing with fewer than two values.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    deviation_within(&[values])
}

/// Standard deviation within groups, pooled over them by their degrees of freedom; nothing if no group has two values.
pub fn deviation_within(groups: &[impl AsRef<[f64]>]) -> Option<f64> {
    let several = || groups.iter().map(AsRef::as_ref).filter(|group| group.len() > 1);
    let freedom: usize = several().map(|group| group.len() - 1).sum();
    let squares: f64 = several().filter_map(|group| Some(squares_about(group, mean(group)?))).sum();
    (freedom > 0).then(|| (squares / freedom as f64).sqrt())
}

/// Mean over groups of the means within them; groups without a value are left out.
pub fn mean_of_means(groups: &[Vec<f64>]) -> Option<f64> {
    let means: Vec<f64> = groups.iter().filter_map(|group| mean(group)).collect();
    mean(&means)
}

/// Value with half the sample on either side.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Value below which this share of the sample lies, interpolated between neighbours (type 7). Nothing for an empty
/// sample or a share that is not from 0 to 1.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    // Two equal infinite values have no difference.
    Some(if below == above { below } else { below + place.fract() * (above - below) })
}

/// Median of the distances from the median.
pub fn median_absolute_deviation(values: &[f64]) -> Option<f64> {
    let middle = median(values)?;
    median(&values.iter().map(|value| (value - middle).abs()).collect::<Vec<_>>())
}

/// Distances of the values from their median, in robust standard deviations; nothing if more than half of them are
/// equal.
pub fn modified_z_scores(values: &[f64]) -> Option<Vec<f64>> {
    let middle = median(values)?;
    let deviation = median_absolute_deviation(values).filter(|&deviation| deviation > 0.0)?;
    Some(values.iter().map(|value| NORMAL_MAD * (value - middle) / deviation).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares about it 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32.
    #[test]
    fn a_sample_worked_by_hand() {
        let sample = [9.0, 2.0, 4.0, 5.0, 4.0, 7.0, 4.0, 5.0];
        assert_eq!(mean(&sample), Some(5.0));
        assert_eq!(standard_deviation(&sample), Some((32.0_f64 / 7.0).sqrt()));
        assert_eq!(median(&sample), Some(4.5));
        // Distances from 4.5 in order: 0.5 five times, then 2.5, 2.5 and 4.5.
        assert_eq!(median_absolute_deviation(&sample), Some(0.5));
        assert_eq!(modified_z_scores(&sample).unwrap()[0], 0.6745 * 4.5 / 0.5);
    }

    /// 2, 4, 6: mean 4, standard deviation 2, standard error 1.154701; Student's factor of 2 degrees of freedom is
    /// 4.302653.
    #[test]
    fn a_mean_with_its_interval() {
        let found = mean_interval(&[2.0, 4.0, 6.0]);
        assert_eq!(found.estimate, 4.0);
        assert!((found.high - 8.968_275).abs() < 1e-5 && (found.low + 0.968_275).abs() < 1e-5, "{found:?}");
        assert!(!mean_interval(&[2.0]).is_known() && mean_interval(&[]).estimate.is_nan());
    }

    #[test]
    fn what_is_not_known_is_nothing() {
        assert_eq!((mean(&[]), median(&[]), standard_deviation(&[3.0])), (None, None, None));
        assert_eq!(modified_z_scores(&[3.0, 3.0, 3.0, 8.0]), None);
        assert_eq!(mean_of_means(&[vec![], vec![]]), None);
        assert_eq!(deviation_within(&[vec![1.0], vec![2.0], vec![]]), None);
    }

    #[test]
    fn groups_count_equally_in_the_mean_of_means() {
        assert_eq!(mean_of_means(&[vec![1.0, 2.0, 3.0], vec![], vec![10.0]]), Some(6.0));
        // Squares 2 and 2 with 2 and 1 degrees of freedom; the third group has none.
        let within = deviation_within(&[vec![1.0, 2.0, 3.0], vec![4.0, 6.0], vec![100.0]]).unwrap();
        assert!((within - (4.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn equal_values_have_no_variance() {
        let sample = [0.1; 7];
        assert_eq!((mean(&sample), standard_deviation(&sample)), (Some(0.1), Some(0.0)));
    }
}
