//! Points of matches in which each opening is played twice with colours reversed. The two games of a pair depend on one
//! another through their opening, so that the pair is what is counted: it has 0 to 4 half points, and five frequencies
//! tell all ("pentanomial").
//!
//! A score is converted to a difference in rating by the logistic curve of Elo's scale: 400 points are odds of ten.

use super::distribution::{student_factor, student_two_sided};
use super::interval::{Interval, LEVEL};

/// Number of pairs by their half points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs([u64; 5]);

impl Pairs {
    /// Adds a pair of this many half points, at most 4.
    pub fn add(&mut self, half_points: u32) {
        self.0[half_points as usize] += 1;
    }

    /// The pairs from the view of the other side.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// Number of pairs of 0, 1, 2, 3 and 4 half points.
    pub fn counts(&self) -> [u64; 5] {
        self.0
    }

    /// Number of pairs.
    pub fn number(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean score of a game, from 0 to 1; and its standard error, which is not a number for fewer than two pairs.
    fn moments(&self) -> (f64, f64) {
        let number = self.number() as f64;
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            self.0.iter().enumerate().map(|(half_points, count)| *count as f64 * of(half_points as f64 / 4.0)).sum()
        };
        let mean = sum(&|score| score) / number;
        let variance = sum(&|score| (score - mean).powi(2)) / (number - 1.0);
        (mean, (variance / number).sqrt())
    }

    /// Mean score of a game with its interval by Student's t over the pairs. Without an interval if all pairs have the
    /// same points: their spread is not known then.
    pub fn score(&self) -> Interval {
        self.score_at(LEVEL)
    }

    fn score_at(&self, level: f64) -> Interval {
        let (mean, error) = self.moments();
        if error.is_nan() || error == 0.0 {
            return Interval::unknown(mean);
        }
        let half = student_factor(level, self.number() as f64 - 1.0) * error;
        Interval { estimate: mean, low: (mean - half).max(0.0), high: (mean + half).min(1.0) }
    }

    /// Difference in rating, in points of Elo's scale. Its ends are infinite where the score may be 0 or 1.
    pub fn elo(&self) -> Interval {
        self.elo_at(LEVEL)
    }

    /// That difference with an interval of this level.
    pub fn elo_at(&self, level: f64) -> Interval {
        self.score_at(level).map(elo)
    }

    /// Normalised difference in rating: the distance of the score from one half in deviations of a game, which tells
    /// how many games it takes to show it. Scaled so that it is near the other for players that seldom draw.
    pub fn normalised_elo(&self) -> Interval {
        let (_, error) = self.moments();
        let deviation = (2.0 * self.number() as f64).sqrt() * error;
        self.score().map(|score| (score - 0.5) / deviation * 800.0 / std::f64::consts::LN_10)
    }

    /// Likelihood of superiority: one minus the probability, by chance, of at least this score between equals. Nothing
    /// if the spread is not known.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, error) = self.moments();
        if error.is_nan() || error == 0.0 {
            return None;
        }
        let t = (mean - 0.5) / error;
        let tail = student_two_sided(t, self.number() as f64 - 1.0) / 2.0;
        Some(if t > 0.0 { 1.0 - tail } else { tail })
    }
}

/// Score that is expected at this difference in rating.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// Difference in rating at which this score is expected.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Difference in rating that belongs to a logarithm of the odds of a score.
pub fn elo_of_odds(logarithm: f64) -> f64 {
    400.0 / std::f64::consts::LN_10 * logarithm
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(counts: [u64; 5]) -> Pairs {
        Pairs(counts)
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-3, "{found} is not {expected}");
    }

    /// Scores 0.25, 0.5, 0.5, 0.75, 1: mean 0.6, squares about it 0.1225 + 0.01 + 0.01 + 0.0225 + 0.16 = 0.325,
    /// variance 0.08125, standard error 0.127475; Student's factor of 4 degrees of freedom is 2.776445.
    #[test]
    fn a_match_worked_by_hand() {
        let mut five = Pairs::default();
        [1, 2, 2, 3, 4].into_iter().for_each(|half_points| five.add(half_points));
        assert_eq!((five.counts(), five.number()), ([0, 1, 2, 1, 1], 5));
        let score = five.score();
        close(score.estimate, 0.6);
        close(score.low, 0.6 - 0.353_928);
        close(score.high, 0.6 + 0.353_928);
        close(five.elo().estimate, 70.4365);
        close(five.elo().low, 400.0 * (0.246_072_f64 / 0.753_928).log10());
        // A deviation of pairs of 0.285044, of games 0.403113: 0.1 of it times 347.4356.
        close(five.normalised_elo().estimate, 0.1 / 0.403_113 * 347.435_6);
        // t = 0.1 / 0.127475 = 0.784465 with 4 degrees of freedom.
        close(five.superiority().unwrap(), 0.7617);
    }

    #[test]
    fn scores_become_differences_in_rating() {
        for (score, difference) in [(0.5, 0.0), (10.0 / 11.0, 400.0), (1.0 / 11.0, -400.0), (0.76, 200.2406)] {
            close(elo(score), difference);
            close(score_of_elo(difference), score);
        }
        assert_eq!((elo(1.0), elo(0.0)), (f64::INFINITY, f64::NEG_INFINITY));
        close(elo_of_odds(10.0_f64.ln()), 400.0);
    }

    /// Figures that fastchess prints for these pairs: differences in rating, plain and normalised, with half of their
    /// intervals. Its intervals are those of a normal distribution, ours of Student's with as many pairs.
    #[test]
    fn ratings_are_those_of_fastchess() {
        let printed = |value: f64| format!("{value:.2}");
        for (counts, elo, normalised) in [
            ([7895, 8757, 5685, 568, 9999], ["-21.04", "2.95"], ["-19.01", "2.65"]),
            ([365, 16_618, 36_229, 16_974, 390], ["1.00", "0.92"], ["1.96", "1.81"]),
            ([332, 433, 498, 333, 334], ["-8.64", "10.33"], ["-9.17", "10.96"]),
            ([34, 54, 63, 64, 75], ["55.58", "27.65"], ["57.94", "28.28"]),
            ([3, 10, 40, 30, 8], ["57.80", "33.22"], ["89.75", "50.48"]),
        ] {
            let pairs = pairs(counts);
            let number = pairs.number() as f64;
            // From n - 1 to n, and from Student's factor to the normal one.
            let theirs = |value: f64| value * ((number - 1.0) / number).sqrt();
            let factor = student_factor(LEVEL, 1e9) / student_factor(LEVEL, number - 1.0) * theirs(1.0);
            let error = pairs.score().map(|end| 0.5 + (end - pairs.score().estimate) * factor);
            let score = pairs.score().estimate;
            let half = (super::elo(score + error.high - 0.5) - super::elo(score + error.low - 0.5)) / 2.0;
            assert_eq!([printed(pairs.elo().estimate), printed(half)], elo, "{counts:?}");
            let found = pairs.normalised_elo();
            let half = (found.high - found.low) / 2.0 * factor / theirs(1.0);
            assert_eq!([printed(found.estimate / theirs(1.0)), printed(half)], normalised, "{counts:?}");
        }
    }

    #[test]
    fn pairs_that_are_all_alike_have_no_interval() {
        for (counts, estimate) in [([0, 0, 7, 0, 0], 0.5), ([0, 0, 0, 0, 3], 1.0), ([1, 0, 0, 0, 0], 0.0)] {
            let score = pairs(counts).score();
            assert_eq!((score.estimate, score.is_known()), (estimate, false));
            assert_eq!(pairs(counts).superiority(), None);
        }
        assert!(pairs([0; 5]).score().estimate.is_nan());
    }

    #[test]
    fn a_mirrored_match_has_the_opposite_rating() {
        assert_eq!(pairs([3, 10, 40, 30, 8]).reversed(), pairs([8, 30, 40, 10, 3]));
        let (ours, theirs) = (pairs([3, 10, 40, 30, 8]), pairs([8, 30, 40, 10, 3]));
        close(ours.elo().estimate, -theirs.elo().estimate);
        close(ours.elo().low, -theirs.elo().high);
        close(ours.superiority().unwrap() + theirs.superiority().unwrap(), 1.0);
    }
}
