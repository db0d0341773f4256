//! Wald's sequential probability ratio test on pairs of games: whether a difference in rating is rather the one or the
//! other of two. Games are added until the logarithm of the likelihood ratio leaves its bounds.
//!
//! The likelihood of a score is that of the most likely distribution of pairs which has it (Van den Bergh's generalised
//! ratio for multinomial samples): frequencies p become p / (1 + t (x - s)) for points x, where t makes s their mean.

use super::pentanomial::{Pairs, score_of_elo};
use crate::choices::choices;

/// Test of one difference in rating against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequential {
    /// The two differences, the smaller one first.
    pub elo: [f64; 2],
    /// Meaning of a difference.
    pub model: EloModel,
    /// Probability of deciding for the second though the first is true, and for the first though the second is.
    pub errors: [f64; 2],
}

choices! {
    /// Meaning of a difference in rating in a sequential test.
    pub enum EloModel, "model of differences in rating";
    /// Expected score by the logistic curve.
    Logistic "logistic",
    /// Distance of the score from one half in deviations of a game, which does not depend on the share of draws.
    Normalised "normalised",
}

/// Decision of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// For the first difference.
    First,
    /// For the second.
    Second,
}

/// Number of pairs that stands for none, so that no likelihood is zero.
const NONE: f64 = 1e-3;
/// Normalised difference in rating of a deviation of a game.
const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;
/// Steps in which frequencies of a normalised difference are found.
const STEPS: usize = 20;
/// Halvings of the interval in which a root is looked for.
const HALVINGS: u32 = 60;

impl Sequential {
    /// Bounds of the logarithm of the likelihood ratio.
    pub fn bounds(&self) -> [f64; 2] {
        let [alpha, beta] = self.errors;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// Logarithm of the likelihood ratio of the second difference to the first.
    pub fn log_ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.number() == 0 {
            return 0.0;
        }
        let counts = pairs.counts().map(|count| if count == 0 { NONE } else { count as f64 });
        let [first, second] = self.elo.map(|elo| match self.model {
            EloModel::Logistic => tilts(&counts, score_of_elo(elo)),
            EloModel::Normalised => normalised_tilts(&counts, elo / NORMALISED * std::f64::consts::SQRT_2),
        });
        counts.iter().zip(first.iter().zip(&second)).map(|(count, (first, second))| count * (first / second).ln()).sum()
    }

    /// Decision by these pairs of games, if there is one yet.
    pub fn decision(&self, pairs: &Pairs) -> Option<Decision> {
        let ([low, high], ratio) = (self.bounds(), self.log_ratio(pairs));
        if ratio <= low {
            return Some(Decision::First);
        }
        (ratio >= high).then_some(Decision::Second)
    }
}

/// Points of a game by the half points of its pair.
const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Divisors of the frequencies by which their mean becomes this score.
fn tilts(counts: &[f64; 5], score: f64) -> [f64; 5] {
    without_mean(counts, &POINTS.map(|points| points - score))
}

/// Divisors of the frequencies by which the mean of the points is this many deviations above one half. The deviation
/// depends on the frequencies, so that they are found step by step (Van den Bergh, as in fishtest).
fn normalised_tilts(counts: &[f64; 5], deviations: f64) -> [f64; 5] {
    let all: f64 = counts.iter().sum();
    let (mut frequencies, mut divisors) = ([0.2; 5], [1.0; 5]);
    for _ in 0..STEPS {
        let moment = |of: &dyn Fn(f64) -> f64| -> f64 {
            frequencies.iter().zip(POINTS).map(|(frequency, points)| frequency * of(points)).sum()
        };
        let mean = moment(&|points| points);
        let deviation = moment(&|points| (points - mean).powi(2)).sqrt();
        let surplus =
            |points: f64| points - 0.5 - deviations * deviation * (1.0 + ((mean - points) / deviation).powi(2)) / 2.0;
        divisors = without_mean(counts, &POINTS.map(surplus));
        frequencies = std::array::from_fn(|i| counts[i] / all / divisors[i]);
    }
    divisors
}

/// Divisors of the frequencies by which the mean of these values becomes nothing. Some must be negative and some
/// positive.
fn without_mean(counts: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    // The sum falls as t rises, from infinity to minus infinity between the poles.
    let sum = |t: f64| -> f64 { counts.iter().zip(values).map(|(count, x)| count * x / (1.0 + t * x)).sum() };
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = f64::midpoint(low, high);
    values.map(|x| 1.0 + t * x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    const TEST: Sequential = Sequential { elo: [0.0, 40.0], model: EloModel::Logistic, errors: [0.05, 0.05] };

    fn pairs(counts: [u64; 5]) -> Pairs {
        let mut pairs = Pairs::default();
        for (half_points, count) in (0..).zip(counts) {
            (0..count).for_each(|_| pairs.add(half_points));
        }
        pairs
    }

    /// With wins and losses of whole pairs only, the most likely distribution of a score s has the frequencies s and
    /// 1 - s, and the ratio is that of a coin.
    #[test]
    fn a_coin_worked_by_hand() {
        let (won, lost) = (30_u64, 20_u64);
        let score = score_of_elo(40.0);
        let expected = won as f64 * (score / 0.5).ln() + lost as f64 * ((1.0 - score) / 0.5).ln();
        let found = TEST.log_ratio(&pairs([lost, 0, 0, 0, won]));
        assert!((found - expected).abs() < 1e-2, "{found} is not {expected}");
        let [low, high] = TEST.bounds();
        assert!((high - 19.0_f64.ln()).abs() < 1e-12 && (low + high).abs() < 1e-12);
    }

    /// Logarithms of the likelihood ratio of 5 to 0 and of 40 to -20, by both models, as fastchess prints them.
    #[test]
    fn ratios_are_those_of_fastchess() {
        for (counts, logistic, normalised) in [
            ([34, 54, 63, 64, 75], ["1.34", "13.76"], ["1.30", "13.47"]),
            ([332, 433, 498, 333, 334], ["-2.00", "-39.59"], ["-1.86", "-36.62"]),
            ([3, 10, 40, 30, 8], ["0.83", "8.64"], ["0.59", "6.46"]),
            ([20, 180, 420, 240, 40], ["3.44", "22.32"], ["2.19", "19.67"]),
        ] {
            for (model, expected) in [(EloModel::Logistic, logistic), (EloModel::Normalised, normalised)] {
                let ratio = |elo| Sequential { elo, model, ..TEST }.log_ratio(&pairs(counts));
                let found = [[0.0, 5.0], [-20.0, 40.0]].map(|elo| format!("{:.2}", ratio(elo)));
                assert_eq!(found, expected, "{model} {counts:?}");
            }
        }
    }

    #[test]
    fn the_mean_becomes_the_score() {
        let counts = [3.0, 10.0, 40.0, 30.0, 8.0];
        for score in [0.2, 0.5, 0.55, 0.9] {
            let tilts = tilts(&counts, score);
            let all: f64 = counts.iter().zip(tilts).map(|(count, tilt)| count / tilt).sum();
            let points: f64 = (0..5).map(|i| i as f64 / 4.0 * counts[i] / tilts[i]).sum();
            assert!((all - 91.0).abs() < 1e-6 && (points / all - score).abs() < 1e-9, "{score}: {all} {points}");
        }
    }

    /// The mean of the tilted frequencies is as many of their own deviations above one half as was asked for.
    #[test]
    fn the_mean_becomes_a_number_of_deviations() {
        let counts = [3.0, 10.0, 40.0, 30.0, 8.0];
        for deviations in [-0.3, 0.0, 0.02, 0.5] {
            let tilts = normalised_tilts(&counts, deviations);
            let frequencies: [f64; 5] = std::array::from_fn(|i| counts[i] / 91.0 / tilts[i]);
            let mean: f64 = (0..5).map(|i| POINTS[i] * frequencies[i]).sum();
            let variance: f64 = (0..5).map(|i| (POINTS[i] - mean).powi(2) * frequencies[i]).sum();
            assert!((frequencies.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{deviations}");
            assert!(((mean - 0.5) / variance.sqrt() - deviations).abs() < 1e-6, "{deviations}: {mean} {variance}");
        }
        // Between differences around the one that was found nothing is decided, and beyond it is.
        let found = pairs([3, 10, 40, 30, 8]);
        let ratio = |elo: [f64; 2]| Sequential { elo, model: EloModel::Normalised, ..TEST }.log_ratio(&found);
        let nelo = found.normalised_elo().estimate;
        assert!(ratio([nelo - 5.0, nelo + 5.0]).abs() < 0.02 && ratio([0.0, nelo]) > 1.0, "{nelo}");
    }

    #[test]
    fn what_is_clear_is_decided_and_nothing_decides_nothing() {
        assert_eq!((TEST.log_ratio(&Pairs::default()), TEST.decision(&Pairs::default())), (0.0, None));
        assert_eq!(TEST.decision(&pairs([5, 40, 200, 120, 40])), Some(Decision::Second));
        assert_eq!(TEST.decision(&pairs([40, 120, 200, 40, 5])), Some(Decision::First));
        assert_eq!(TEST.decision(&pairs([1, 2, 5, 3, 1])), None);
    }

    /// Pairs of games, half of them drawn, in which openings favour either side.
    #[test]
    fn errors_are_as_rare_as_promised() {
        const TESTS: u32 = 400;
        let mut random = SplitMix::new(9);
        for (truth, wrong) in [(0.0, Decision::Second), (40.0, Decision::First)] {
            let mut errors = 0;
            for _ in 0..TESTS {
                let mut pairs = Pairs::default();
                let decision = loop {
                    // Enough for the bounds not to be overshot by much.
                    for _ in 0..4 {
                        let opening = 0.1 * random.normal();
                        let mut points = 0;
                        for side in [opening, -opening] {
                            let (score, drawn) = (score_of_elo(truth) + side, 0.5);
                            let at = random.uniform();
                            points += if at < score - drawn / 2.0 { 2 } else { u32::from(at < score + drawn / 2.0) };
                        }
                        pairs.add(points);
                    }
                    if let Some(decision) = TEST.decision(&pairs) {
                        break decision;
                    }
                };
                errors += u32::from(decision == wrong);
            }
            // 5 % of 400 are 20, with a deviation of 4.4.
            assert!(errors <= 33, "{errors} of {TESTS} at {truth}");
        }
    }
}
