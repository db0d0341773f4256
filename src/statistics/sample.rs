//! What a sample of numbers says by itself: its middle, its spread, its outliers.
//!
//! Quantiles are of type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50
//! (1996). Outliers are found by the modified z-score of Iglewicz and Hoaglin, "How to Detect and Handle Outliers" (1993).

/// A modified z-score beyond this, on either side, marks an outlier (Iglewicz and Hoaglin).
pub const OUTLIER_Z: f64 = 3.5;
/// The median absolute deviation of a normal variable in standard deviations.
pub(super) const NORMAL_MAD: f64 = 0.6745;

/// The arithmetic mean; nothing of an empty sample. Exact if all values are equal.
pub fn mean(values: &[f64]) -> Option<f64> {
    // Added up as differences from the first, so that a deterministic measurement has a mean equal to each of its runs.
    let first = *values.first()?;
    Some(first + values.iter().map(|value| value - first).sum::<f64>() / values.len() as f64)
}

/// The variance of that of which this is a sample (divided by n - 1); nothing with fewer than two values.
pub fn variance(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    (values.len() > 1).then(|| squares_about(values, mean) / (values.len() - 1) as f64)
}

/// The sum of the squared differences from `centre`.
pub(super) fn squares_about(values: &[f64], centre: f64) -> f64 {
    values.iter().map(|value| (value - centre).powi(2)).sum()
}

/// The standard deviation of that of which this is a sample; nothing with fewer than two values.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    variance(values).map(f64::sqrt)
}

/// The standard deviation within groups, pooled over them by their degrees of freedom; nothing if no group has two values.
pub fn deviation_within(groups: &[Vec<f64>]) -> Option<f64> {
    let several = || groups.iter().filter(|group| group.len() > 1);
    let freedom: usize = several().map(|group| group.len() - 1).sum();
    let squares: f64 = several().filter_map(|group| Some(squares_about(group, mean(group)?))).sum();
    (freedom > 0).then(|| (squares / freedom as f64).sqrt())
}

/// The geometric mean of positive values; nothing if there are none or one is not positive.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: Option<Vec<f64>> = values.iter().map(|&value| (value > 0.0).then(|| value.ln())).collect();
    mean(&logarithms?).map(f64::exp)
}

/// The mean over groups of the means within them; groups without a value are left out.
pub fn mean_of_means(groups: &[Vec<f64>]) -> Option<f64> {
    let means: Vec<f64> = groups.iter().filter_map(|group| mean(group)).collect();
    mean(&means)
}

/// The value with half the sample on either side.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The value below which this share of the sample lies, between neighbours in proportion (type 7). Nothing of an empty
/// sample or for a share that is not from 0 to 1.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    // Where the place is whole nothing is added, which keeps infinite values out of others' quantiles.
    Some(if below == above { below } else { below + place.fract() * (above - below) })
}

/// The median of the distances from the median.
pub fn median_absolute_deviation(values: &[f64]) -> Option<f64> {
    let middle = median(values)?;
    median(&values.iter().map(|value| (value - middle).abs()).collect::<Vec<_>>())
}

/// How far each value is from the median, in robust standard deviations; nothing if more than half of them are equal.
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
        assert_eq!(variance(&sample), Some(32.0 / 7.0));
        assert_eq!(standard_deviation(&sample), Some((32.0_f64 / 7.0).sqrt()));
        assert_eq!(median(&sample), Some(4.5));
        // Distances from 4.5 in order: 0.5 five times, then 2.5, 2.5 and 4.5.
        assert_eq!(median_absolute_deviation(&sample), Some(0.5));
        assert_eq!(modified_z_scores(&sample).unwrap()[0], 0.6745 * 4.5 / 0.5);
        // The place of the first quartile among 8 is 0.25 * 7 = 1.75: between 4 and 4; of the ninth decile 6.3.
        assert_eq!(quantile(&sample, 0.25), Some(4.0));
        assert!((quantile(&sample, 0.9).unwrap() - 7.6).abs() < 1e-12);
        assert_eq!((quantile(&sample, 0.0), quantile(&sample, 1.0)), (Some(2.0), Some(9.0)));
    }

    #[test]
    fn what_is_not_known_is_nothing() {
        assert_eq!((mean(&[]), median(&[]), variance(&[3.0]), geometric_mean(&[])), (None, None, None, None));
        assert_eq!(quantile(&[1.0], 1.5), None);
        assert_eq!(geometric_mean(&[1.0, 0.0]), None);
        assert_eq!(modified_z_scores(&[3.0, 3.0, 3.0, 8.0]), None);
        assert_eq!(mean_of_means(&[vec![], vec![]]), None);
        assert_eq!(deviation_within(&[vec![1.0], vec![2.0], vec![]]), None);
    }

    #[test]
    fn groups_count_equally_in_the_mean_of_means() {
        assert_eq!(mean_of_means(&[vec![1.0, 2.0, 3.0], vec![], vec![10.0]]), Some(6.0));
        assert!((geometric_mean(&[1.0, 10.0, 100.0]).unwrap() - 10.0).abs() < 1e-12);
        // Squares 2 and 2 with 2 and 1 degrees of freedom; the third group has none.
        let within = deviation_within(&[vec![1.0, 2.0, 3.0], vec![4.0, 6.0], vec![100.0]]).unwrap();
        assert!((within - (4.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn equal_values_have_no_variance() {
        let sample = [0.1; 7];
        assert_eq!((mean(&sample), variance(&sample)), (Some(0.1), Some(0.0)));
    }
}
