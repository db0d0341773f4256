//! Bounds of differences between figures that are mostly 0 and sometimes large, such as regrets: a few runs in which
//! nothing happened do not show that nothing can happen, however little they vary. To show that one side is no worse
//! than another by a margin, the one-sided bound of their difference must lie below it (a non-inferiority test), and
//! that bound must allow for what has not been seen.
//!
//! It allows for one event more than there was. If an event adds `b` to the difference, `s` is its standard error and
//! `t` Student's factor, the bound is the larger of `difference + b + t sqrt(s^2 + b^2)` and `difference + 3 b`. The
//! first is the usual bound with one event more, whose variance is that of a rare count. The second is the rule of
//! three: an event that has not happened in `n` runs has a probability below `3 / n`, at a level of 95 % (Hanley and
//! Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?", JAMA 249, 1983).

use super::contrast::{Contrast, Scope};
use super::distribution::{student_factor, student_two_sided};
use super::interval::LEVEL;

impl Contrast {
    /// One-sided upper bound of the difference at [`LEVEL`], if it is known, where an event that was not seen would add
    /// `event` to it.
    pub fn bound_above(&self, scope: Scope, event: f64) -> Option<f64> {
        Some(self.estimate() + self.allowance(scope, event)?)
    }

    /// One-sided lower bound of the difference, where an event that was not seen would take `event` from it.
    pub fn bound_below(&self, scope: Scope, event: f64) -> Option<f64> {
        Some(self.estimate() - self.allowance(scope, event)?)
    }

    /// P value of the difference, where an event that was not seen would make it smaller by `event`. Without one a
    /// difference that did not vary among a few runs would be taken for certain.
    pub fn p_value_beside(&self, scope: Scope, event: f64) -> Option<f64> {
        let (standard_error, [_, freedom]) = self.uncertainty(scope)?;
        let beyond = (self.estimate().abs() - event).max(0.0);
        Some(if beyond > 0.0 { student_two_sided(beyond / standard_error.hypot(event), freedom) } else { 1.0 })
    }

    fn allowance(&self, scope: Scope, event: f64) -> Option<f64> {
        let (standard_error, [freedom, _]) = self.uncertainty(scope)?;
        // Each side of a two-sided interval of this level has the probability that one side of ours has.
        let factor = student_factor(2.0 * LEVEL - 1.0, freedom);
        let rule_of_three = -(1.0 - LEVEL).ln() * event;
        Some((event + factor * standard_error.hypot(event)).max(rule_of_three))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    /// Two runs and two baselines at one position, 1, 3 and 0, 2: difference 1, variance 2/2 + 2/2, two degrees of
    /// freedom, of which Student's factor at 90 % is 2.919986.
    #[test]
    fn a_bound_worked_by_hand() {
        let contrast = Contrast::unpaired(&[vec![1.0, 3.0]], &[vec![0.0, 2.0]]).unwrap();
        for (event, expected) in [(0.0, 1.0 + 2.919_986 * 2.0_f64.sqrt()), (0.5, 1.5 + 2.919_986 * 2.25_f64.sqrt())] {
            let bound = contrast.bound_above(Scope::ThesePositions, event).unwrap();
            assert!((bound - expected).abs() < 1e-5, "{bound} is not {expected}");
        }
        // Where nothing varies the rule of three is left: 1 + 1.645 is less than 2.996.
        let same = Contrast::unpaired(&[vec![5.0; 4]], &[vec![5.0; 4]]).unwrap();
        let bound = same.bound_above(Scope::ThesePositions, 2.0).unwrap();
        assert!((bound - 2.0 * 20.0_f64.ln()).abs() < 1e-9, "{bound}");
        assert_eq!(Contrast::paired(&[vec![1.0]]).unwrap().bound_above(Scope::ThesePositions, 1.0), None);
        let below = contrast.bound_below(Scope::ThesePositions, 0.5).unwrap();
        assert!((below - (0.5 - 2.919_986 * 2.25_f64.sqrt())).abs() < 1e-5, "{below}");
        // A third of a standard error with two degrees of freedom: 1 - t / sqrt(2 + t^2).
        let p = contrast.p_value_beside(Scope::ThesePositions, 0.5).unwrap();
        let expected = 1.0 - (1.0_f64 / 3.0) / (2.0 + 1.0 / 9.0_f64).sqrt();
        assert!((p - expected).abs() < 1e-9, "{p} is not {expected}");
        // Two runs that chose the same bad move, once each in ten positions, are no proof.
        let constant = Contrast::unpaired(&[vec![3.0; 4]], &[vec![0.0; 4]]).unwrap();
        assert!(constant.p_value_beside(Scope::ThesePositions, 2.5).unwrap() > 0.8);
        assert_eq!(same.p_value_beside(Scope::ThesePositions, 2.5), Some(1.0));
    }

    /// Experiment of which the truth is that the first side is worse by exactly the margin: at some positions an event
    /// happens with one probability on that side and another on the other.
    struct Truth {
        name: &'static str,
        positions: usize,
        /// Positions at which the event can happen.
        struck: usize,
        runs: usize,
        /// Mean size of an event.
        size: f64,
        /// Whether sizes differ as much as those of an exponential distribution, so that some are four times the mean.
        is_mixed: bool,
        baseline: f64,
    }

    /// Bounds lie below the truth in at most 5 of 100 experiments if events are on average no larger than is allowed
    /// for.
    #[test]
    fn bounds_hold_where_events_are_rare() {
        const EXPERIMENTS: u32 = 2_000;
        const MARGIN: f64 = 5.0;
        const EVENT: f64 = 50.0;
        let truth = |name, [positions, struck, runs]: [usize; 3], size, baseline| {
            let is_mixed = size < EVENT;
            Truth { name, positions, struck, runs, size, is_mixed, baseline }
        };
        let mut random = SplitMix::new(31);
        for truth in [
            truth("as large as allowed, anywhere", [10, 10, 4], 50.0, 0.0),
            truth("as large as allowed, at a third", [24, 8, 4], 50.0, 0.1),
            truth("as large as allowed, at two positions", [10, 2, 8], 50.0, 0.1),
            truth("as large as allowed, many positions", [40, 40, 4], 50.0, 0.02),
            truth("half as large, mixed, anywhere", [10, 10, 4], 25.0, 0.0),
            truth("half as large, mixed, at a third", [24, 8, 4], 25.0, 0.1),
            truth("half as large, mixed, often", [10, 10, 8], 25.0, 0.3),
        ] {
            let worse = truth.baseline + MARGIN / truth.size * truth.positions as f64 / truth.struck as f64;
            let mut misses = [0_u32; 2];
            for _ in 0..EXPERIMENTS {
                let mut side = |probability: f64| -> Vec<Vec<f64>> {
                    let run = |random: &mut SplitMix| {
                        let size = if truth.is_mixed { -truth.size * random.uniform().ln() } else { truth.size };
                        if random.uniform() < probability { size } else { 0.0 }
                    };
                    let runs = |struck: bool, random: &mut SplitMix| {
                        (0..truth.runs).map(|_| if struck { run(random) } else { 0.0 }).collect()
                    };
                    (0..truth.positions).map(|place| runs(place < truth.struck, &mut random)).collect()
                };
                let contrast = Contrast::unpaired(&side(worse), &side(truth.baseline)).unwrap();
                let event = EVENT / (truth.positions * truth.runs) as f64;
                for (miss, event) in misses.iter_mut().zip([0.0, event]) {
                    *miss += u32::from(contrast.bound_above(Scope::ThesePositions, event).unwrap() < MARGIN);
                }
            }
            let [without, with] = misses.map(|misses| 100.0 * f64::from(misses) / f64::from(EXPERIMENTS));
            println!("{}: {with:.1} % below the truth, {without:.1} % without the event", truth.name);
            assert!(with <= 6.0, "{}: {with:.1} %", truth.name);
        }
    }
}
