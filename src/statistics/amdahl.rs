//! Amdahl's law ("Validity of the Single Processor Approach to Achieving Large Scale Computing Capabilities", AFIPS
//! 1967) fitted to a curve of speedups: one number, the share of the work that cannot be shared, for a whole curve.
//!
//! The fit makes the errors of the logarithms small, since speedups err in proportion. Each point alone gives a serial
//! share, the experimentally determined one of Karp and Flatt ("Measuring Parallel Processor Performance", CACM 33,
//! 1990); the fit lies between the least and the greatest of them. A search that is faster than its processors are many
//! has a negative one.

use super::distribution::student_factor;
use super::interval::Interval;
use super::sample::narrow;

/// Least number of points that tell how well the law describes them.
const LEAST_POINTS: usize = 3;
/// Number of steps in which the neighbourhood of the best share is looked for, before it is narrowed down.
const SCAN_STEPS: u32 = 16;

/// Speedup by Amdahl's law on this number of processors if this share of the work is done by one.
pub(crate) fn amdahl_speedup(serial: f64, processors: f64) -> f64 {
    1.0 / (serial + (1.0 - serial) / processors)
}

/// Serial share that fits points of (processors, speedup) best, whatever its sign. Points of one processor or fewer say
/// nothing and are left out. Nothing if none remains or a speedup is not a positive number.
fn serial_share(points: &[(f64, f64)]) -> Option<f64> {
    let points = telling(points)?;
    let alone = |&(processors, speedup): &(f64, f64)| (1.0 / speedup - 1.0 / processors) / (1.0 - 1.0 / processors);
    let low = points.iter().map(alone).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(alone).fold(f64::NEG_INFINITY, f64::max);
    let step = (high - low) / f64::from(SCAN_STEPS);
    let at = |i: u32| low + f64::from(i) * step;
    let best = (0..=SCAN_STEPS).min_by(|&i, &j| misfit(&points, at(i)).total_cmp(&misfit(&points, at(j))))?;
    let (from, to) = (at(best.saturating_sub(1)), at((best + 1).min(SCAN_STEPS)));
    let (from, to) = narrow(from, to, |serial| slope(&points, serial) <= 0.0);
    Some(f64::midpoint(from, to))
}

/// Serial share of a curve and its interval from how far the points are off it: all shares whose sum of squares is not
/// larger than Student's t with (points - 1) degrees of freedom allows. It takes the points to err independently, so it
/// is the uncertainty of the law for this curve, not of the runs, whose points share a baseline.
///
/// Cut to the range from 0 to 1; nothing if it lies outside, where the law does not hold, or with fewer than
/// [`LEAST_POINTS`] points of more than one processor.
pub(crate) fn fit_amdahl(points: &[(f64, f64)], level: f64) -> Option<Interval> {
    let points = telling(points).filter(|points| points.len() >= LEAST_POINTS)?;
    let estimate = serial_share(&points)?;
    let freedom = points.len() as f64 - 1.0;
    let allowed = misfit(&points, estimate) * (1.0 + student_factor(level, freedom).powi(2) / freedom);
    // Below this the law gives no speedup: time would be negative on the largest number of processors.
    let least = points.iter().map(|&(processors, _)| -1.0 / (processors - 1.0)).fold(f64::NEG_INFINITY, f64::max);
    let mut reach = estimate - least;
    while misfit(&points, estimate + reach) <= allowed && reach.is_finite() {
        reach *= 2.0;
    }
    let end = |outside: f64| narrow(estimate, outside, |serial| misfit(&points, serial) <= allowed).0;
    let interval = Interval { estimate, low: end(least), high: end(estimate + reach) };
    (interval.low <= 1.0 && interval.high >= 0.0).then(|| interval.map(|share| share.clamp(0.0, 1.0)))
}

/// Points of more than one processor, which alone tell the serial share. Nothing if there are none or one makes no
/// sense.
fn telling(points: &[(f64, f64)]) -> Option<Vec<(f64, f64)>> {
    let telling: Vec<(f64, f64)> = points.iter().copied().filter(|&(processors, _)| processors > 1.0).collect();
    let makes_sense =
        |&(processors, speedup): &(f64, f64)| processors.is_finite() && speedup > 0.0 && speedup.is_finite();
    (!telling.is_empty() && telling.iter().all(makes_sense)).then_some(telling)
}

/// Sum of the squared errors of the logarithms; infinite where the law gives no speedup.
fn misfit(points: &[(f64, f64)], serial: f64) -> f64 {
    let error = |&(processors, speedup): &(f64, f64)| speedup.ln() - amdahl_speedup(serial, processors).ln();
    let sum: f64 = points.iter().map(|point| error(point).powi(2)).sum();
    if sum.is_nan() { f64::INFINITY } else { sum }
}

/// Derivative of the misfit by the serial share, but for a positive factor.
fn slope(points: &[(f64, f64)], serial: f64) -> f64 {
    let part = |&(processors, speedup): &(f64, f64)| {
        let expected = amdahl_speedup(serial, processors);
        (speedup.ln() - expected.ln()) * expected * (1.0 - 1.0 / processors)
    };
    points.iter().map(part).sum()
}

#[cfg(test)]
mod tests {
    use super::super::interval::LEVEL;
    use super::super::simulated::{Random, assert_misses_five_percent, miss_rate};
    use super::*;

    const PROCESSORS: [f64; 5] = [2.0, 4.0, 8.0, 16.0, 32.0];

    fn curve(serial: f64) -> Vec<(f64, f64)> {
        PROCESSORS.map(|processors| (processors, amdahl_speedup(serial, processors))).into()
    }

    #[test]
    fn the_law_is_the_textbooks() {
        // A twentieth serial: at most 20, 10.26 on 20 processors.
        assert!((amdahl_speedup(0.05, 20.0) - 20.0 / 1.95).abs() < 1e-12);
        assert!((amdahl_speedup(0.05, 1e12) - 20.0).abs() < 1e-6);
        assert_eq!((amdahl_speedup(0.0, 8.0), amdahl_speedup(1.0, 8.0), amdahl_speedup(0.3, 1.0)), (8.0, 1.0, 1.0));
    }

    #[test]
    fn the_share_of_an_exact_curve_is_found() {
        for serial in [0.0, 0.01, 0.07, 0.5, 1.0, 1.5, -0.01] {
            assert!((serial_share(&curve(serial)).unwrap() - serial).abs() < 1e-9, "{serial}");
        }
        let interval = fit_amdahl(&curve(0.07), LEVEL).unwrap();
        assert!((interval.low - 0.07).abs() < 1e-6 && (interval.high - 0.07).abs() < 1e-6, "{interval:?}");
    }

    /// A curve whose points are off by a tenth, up and down in turn: shares a little larger and smaller fit worse.
    #[test]
    fn the_fit_is_the_best_of_its_neighbours() {
        let points: Vec<(f64, f64)> = curve(0.2)
            .iter()
            .enumerate()
            .map(|(i, &(processors, speedup))| (processors, speedup * [0.9, 1.1][i % 2]))
            .collect();
        let share = serial_share(&points).unwrap();
        for step in [1e-6, 1e-3, 0.1, -1e-6, -1e-3, -0.02] {
            assert!(misfit(&points, share) < misfit(&points, share + step), "{share} {step}");
        }
    }

    #[test]
    fn what_is_no_share_is_nothing() {
        let with = |changes: &[(usize, f64)]| {
            let mut points = curve(0.1);
            changes.iter().for_each(|&(i, speedup)| points[i].1 = speedup);
            points
        };
        assert!(fit_amdahl(&curve(0.1)[..3], LEVEL).is_some());
        assert_eq!(fit_amdahl(&curve(0.1)[..2], LEVEL), None, "two points");
        let of_one = [&curve(0.1)[..2], &[(1.0, 1.0); 3]].concat();
        assert_eq!(fit_amdahl(&of_one, LEVEL), None, "points of one processor say nothing");
        assert_eq!(fit_amdahl(&with(&[(1, 0.0)]), LEVEL), None, "no speed");
        assert_eq!(fit_amdahl(&with(&[(1, f64::NAN)]), LEVEL), None, "not a number");
        assert_eq!(fit_amdahl(&curve(-0.01), LEVEL), None, "more than linear");
        assert_eq!(fit_amdahl(&curve(1.2), LEVEL), None, "slower than one");
        // A little above linear by chance: the share is 0 and may be more.
        let nearly = fit_amdahl(&[(2.0, 2.1), (4.0, 3.9), (8.0, 8.3)], LEVEL).unwrap();
        assert_eq!((nearly.estimate, nearly.low), (0.0, 0.0));
        assert!(nearly.high > 0.0 && nearly.high < 0.1);
    }

    #[test]
    fn intervals_from_points_miss_in_five_of_a_hundred() {
        let mut random = Random::new(41);
        for (serial, noise) in [(0.05, 0.05), (0.3, 0.2)] {
            let rate = miss_rate(|| {
                let mut err =
                    |(processors, speedup): (f64, f64)| (processors, speedup * (noise * random.normal()).exp());
                let interval = fit_amdahl(&curve(serial).into_iter().map(&mut err).collect::<Vec<_>>(), LEVEL)?;
                Some((interval.low..=interval.high).contains(&serial))
            });
            assert_misses_five_percent(&format!("serial share {serial}, noise {noise}"), rate);
        }
    }
}
