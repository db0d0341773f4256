//! Residuals of runs about the mean of their position, and whether they look like those of a normal distribution, as
//! intervals and tests suppose.

use super::sample::{deviation_within, mean};

/// Smallest number of residuals of which anything is said.
const FEWEST: usize = 20;

/// Shape of residuals, each divided by what is expected of its side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// Number of residuals.
    pub count: usize,
    /// Skewness: 0 for a normal distribution.
    pub skewness: f64,
    /// Kurtosis beyond that of a normal distribution.
    pub kurtosis: f64,
    /// Probability that residuals of a normal distribution have so much of both (Jarque and Bera, "A Test for Normality
    /// of Observations and Regression Residuals", International Statistical Review 55, 1987).
    pub p: f64,
}

impl Residuals {
    /// Residuals of these sides: logarithms of runs by position. Nothing for too few runs.
    pub fn of<'a>(sides: impl IntoIterator<Item = &'a [Vec<f64>]>) -> Option<Self> {
        let of_side = |side: &[Vec<f64>]| -> Vec<f64> {
            let deviation = deviation_within(side).filter(|deviation| *deviation > 0.0);
            let positions = side.iter().filter(|runs| runs.len() > 1);
            let residuals = positions.flat_map(|runs| {
                let (middle, count) = (mean(runs).unwrap_or(f64::NAN), runs.len() as f64);
                runs.iter().map(move |run| (run - middle) / (1.0 - 1.0 / count).sqrt())
            });
            deviation.map_or_else(Vec::new, |deviation| residuals.map(|residual| residual / deviation).collect())
        };
        let all: Vec<f64> = sides.into_iter().flat_map(of_side).collect();
        if all.len() < FEWEST {
            return None;
        }
        let count = all.len() as f64;
        let moment = |power: i32| all.iter().map(|residual| residual.powi(power)).sum::<f64>() / count;
        let variance = moment(2);
        let (skewness, kurtosis) = (moment(3) / variance.powf(1.5), moment(4) / variance.powi(2) - 3.0);
        let statistic = count / 6.0 * (skewness * skewness + kurtosis * kurtosis / 4.0);
        Some(Self { count: all.len(), skewness, kurtosis, p: (-statistic / 2.0).exp() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    /// Positions of eight runs each, of a distribution.
    fn side(random: &mut SplitMix, draw: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
        (0..20).map(|position| (0..8).map(|_| f64::from(position) + draw(random.normal())).collect()).collect()
    }

    #[test]
    fn what_is_normal_seldom_looks_otherwise_and_what_is_skewed_does() {
        let mut random = SplitMix::new(5);
        let mut of = |draw: fn(f64) -> f64| {
            let sides = [side(&mut random, draw), side(&mut random, |x| 10.0 * draw(x))];
            Residuals::of(sides.iter().map(Vec::as_slice)).unwrap()
        };
        let rejected = (0..100).filter(|_| of(|x| x).p < 0.05).count();
        assert!(rejected <= 10, "{rejected}");
        assert!((0..20).all(|_| of(f64::exp).p < 1e-6 && of(f64::exp).skewness > 0.5));
        assert!((0..20).all(|_| of(|x| x.powi(3)).kurtosis > 1.0));
        assert_eq!(of(|x| x).count, 320);
        let few = [vec![vec![1.0, 2.0]; 9]];
        assert_eq!(Residuals::of(few.iter().map(Vec::as_slice)), None);
    }
}
