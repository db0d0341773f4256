//! The share of things that have happened by a time, where some were given up before: the product-limit estimate of
//! Kaplan and Meier, "Nonparametric Estimation from Incomplete Observations", Journal of the American Statistical
//! Association 53 (1958). Its variance is Greenwood's, and its interval is formed on the scale of ln(-ln S), on which
//! it keeps within 0 and 1 (Kalbfleisch and Prentice, "The Statistical Analysis of Failure Time Data", 1980).
//!
//! Both take observations to be independent. Several of one subject are not; then the variance is multiplied by their
//! number (`clustered`), as if each subject had been observed once. That is too much where they differ.

use super::distribution::student_factor;
use super::interval::{Interval, LEVEL};
use super::sample::jackknife;

/// Time of a subject, and whether it happened then; if not, it was given up.
pub type Observed = (f64, bool);

/// Estimate of the share that has happened, as a step function of time.
#[derive(Clone, Debug, PartialEq)]
pub struct KaplanMeier {
    /// Times at which something happened, ascending.
    steps: Vec<Step>,
    clustered: f64,
}

/// Estimate from this time on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    time: f64,
    /// Share that has not happened yet.
    survival: f64,
    /// Greenwood's sum of d / (n (n - d)).
    greenwood: f64,
}

impl KaplanMeier {
    /// Estimate from these observations, of which each subject has so many; nothing if there is none.
    pub fn of(observed: &[Observed], clustered: f64) -> Option<Self> {
        let mut sorted = observed.to_vec();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut survival, mut greenwood) = (1.0, 0.0);
        let mut steps = Vec::new();
        let mut at_risk = sorted.len() as f64;
        // What was given up at a time was still there when something happened at that time.
        for ties in sorted.chunk_by(|a, b| a.0 == b.0) {
            let happened = ties.iter().filter(|(_, happened)| *happened).count() as f64;
            if happened > 0.0 {
                survival *= 1.0 - happened / at_risk;
                greenwood += happened / (at_risk * (at_risk - happened));
                steps.push(Step { time: ties[0].0, survival, greenwood });
            }
            at_risk -= ties.len() as f64;
        }
        (!sorted.is_empty()).then_some(Self { steps, clustered })
    }

    /// Share that has happened by a time, with its interval; not known before anything has and after all has.
    pub fn share(&self, time: f64) -> Interval {
        match self.steps.iter().rev().find(|step| step.time <= time) {
            None => Interval::unknown(0.0),
            Some(step) => self.interval(step),
        }
    }

    fn interval(&self, Step { survival, greenwood, .. }: &Step) -> Interval {
        let estimate = 1.0 - survival;
        if *survival <= 0.0 || *survival >= 1.0 {
            return Interval::unknown(estimate);
        }
        let error = (self.clustered * greenwood).sqrt() / -survival.ln();
        let factor = (student_factor(LEVEL, f64::INFINITY) * error).exp();
        Interval { estimate, low: 1.0 - survival.powf(1.0 / factor), high: 1.0 - survival.powf(factor) }
    }

    /// Share that has happened in the end.
    pub fn last_share(&self) -> f64 {
        self.steps.last().map_or(0.0, |step| 1.0 - step.survival)
    }

    /// Time by which this share has happened, with its interval: the times at which that of the share holds it
    /// (Brookmeyer and Crowley, Biometrics 38, 1982). The upper end is infinite if it never ends. Nothing if the share
    /// is never reached.
    pub fn time_of(&self, share: f64) -> Option<Interval> {
        let first =
            |reaches: &dyn Fn(&Step) -> bool| self.steps.iter().find(|step| reaches(step)).map(|step| step.time);
        // Sums of shares are rounded.
        let estimate = first(&|step| 1.0 - step.survival >= share - 1e-12)?;
        let low = first(&|step| step.survival <= 0.0 || self.interval(step).high >= share)?;
        let high = first(&|step| step.survival > 0.0 && self.interval(step).low > share);
        Some(Interval { estimate, low, high: high.unwrap_or(f64::INFINITY) })
    }

    /// Mean distance of the logarithms of the times at which two curves reach the same share, over all shares above
    /// `from` that both reach: that of `self` less that of `other`. Nothing if there are none.
    pub fn log_distance(&self, other: &Self, from: f64) -> Option<f64> {
        let to = self.last_share().min(other.last_share());
        let (mut at, mut sum) = (from, 0.0);
        let (mut ours, mut theirs) = (self.steps.as_slice(), other.steps.as_slice());
        while at < to {
            // The steps at which the shares just above this one are reached.
            let is_past = |step: &Step| 1.0 - step.survival <= at;
            ours = &ours[ours.iter().take_while(|step| is_past(step)).count()..];
            theirs = &theirs[theirs.iter().take_while(|step| is_past(step)).count()..];
            let (one, two) = (ours.first()?, theirs.first()?);
            let next = (1.0 - one.survival).min(1.0 - two.survival).min(to);
            sum += (next - at) * (one.time / two.time).ln();
            at = next;
        }
        (to > from).then(|| sum / (to - from))
    }
}

/// Mean logarithm of the ratio of the times at which two sides reach the same share of subjects, over all shares that
/// both reach later than `since`, the first side's times by the second's, with its interval: the jackknife over
/// subjects, Student's t with one degree of freedom less than there are subjects. Both sides hold the observations of
/// each subject, in the same order. It is a mean of logarithms between two shares, smooth enough for the jackknife, as
/// a single time would not be. Nothing if there is no such share.
pub fn time_ratio(first: &[Vec<Observed>], second: &[Vec<Observed>], since: f64) -> Option<Interval> {
    let without = |left_out: Option<usize>| {
        let curve = |side: &[Vec<Observed>]| {
            let kept = side.iter().enumerate().filter(|(place, _)| Some(*place) != left_out);
            KaplanMeier::of(&kept.flat_map(|(_, observed)| observed.iter().copied()).collect::<Vec<_>>(), 1.0)
        };
        let (first, second) = (curve(first)?, curve(second)?);
        let from = first.share(since).estimate.max(second.share(since).estimate);
        first.log_distance(&second, from)
    };
    let estimate = without(None)?;
    let others: Option<Vec<f64>> = (0..first.len()).map(|place| without(Some(place))).collect();
    let Some(others) = others.filter(|others| others.len() > 1) else { return Some(Interval::unknown(estimate)) };
    let half_width = student_factor(LEVEL, others.len() as f64 - 1.0) * jackknife(&others);
    Some(Interval::around(estimate, half_width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    /// Weeks of remission of 21 patients on 6-mercaptopurine, of whom 12 were still in remission when last seen
    /// (Freireich et al., Blood 21, 1963; the worked example of Gehan, Biometrika 52, 1965, and of many books).
    fn remissions() -> Vec<Observed> {
        let ended = [6, 6, 6, 7, 10, 13, 16, 22, 23].map(|week| (f64::from(week), true));
        let not_yet = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map(|week| (f64::from(week), false));
        ended.into_iter().chain(not_yet).collect()
    }

    #[test]
    fn a_published_example() {
        let curve = KaplanMeier::of(&remissions(), 1.0).unwrap();
        // Survival, its standard error, and the ends of its interval.
        for (week, survival, error, low, high) in [
            (6.0, 0.8571, 0.0764, 0.6197, 0.9516),
            (7.0, 0.8067, 0.0869, 0.5631, 0.9228),
            (10.0, 0.7529, 0.0963, 0.5032, 0.8894),
            (13.0, 0.6902, 0.1068, 0.4316, 0.8491),
            (16.0, 0.6275, 0.1141, 0.3675, 0.8049),
            (22.0, 0.5378, 0.1282, 0.2678, 0.7468),
            (23.0, 0.4482, 0.1346, 0.1881, 0.6801),
        ] {
            let step = curve.steps.iter().find(|step| step.time == week).unwrap();
            assert!((step.survival - survival).abs() < 1e-4, "{week}: {step:?}");
            assert!((step.survival * step.greenwood.sqrt() - error).abs() < 1e-4, "{week}: {step:?}");
            let share = curve.share(week + 0.5);
            assert!(
                (1.0 - share.high - low).abs() < 1e-4 && (1.0 - share.low - high).abs() < 1e-4,
                "{week}: {share:?}"
            );
        }
        let median = curve.time_of(0.5).unwrap();
        assert_eq!((median.estimate, median.low, median.high), (23.0, 13.0, f64::INFINITY));
        assert_eq!((curve.time_of(0.9), curve.share(5.0).estimate), (None, 0.0));
    }

    #[test]
    fn without_censoring_it_is_the_share_that_has_happened() {
        let observed: Vec<Observed> = (1..=8).map(|time| (f64::from(time), true)).collect();
        let curve = KaplanMeier::of(&observed, 1.0).unwrap();
        for (time, share) in [(0.5, 0.0), (1.0, 0.125), (4.5, 0.5), (8.0, 1.0)] {
            assert!((curve.share(time).estimate - share).abs() < 1e-12, "{time}");
        }
        assert_eq!(curve.time_of(0.5).unwrap().estimate, 4.0);
        // Observed twice each, as if once.
        let twice = KaplanMeier::of(&[observed.clone(), observed].concat(), 2.0).unwrap();
        let (one, two) = (curve.share(4.5), twice.share(4.5));
        assert!((one.low - two.low).abs() < 1e-12 && (one.high - two.high).abs() < 1e-12, "{one:?} {two:?}");
        assert_eq!(KaplanMeier::of(&[], 1.0), None);
    }

    #[test]
    fn twice_as_fast_is_twice_as_fast_at_every_share() {
        let side = |factor: f64| -> Vec<Vec<Observed>> {
            (1..=9).map(|at| vec![(factor * f64::from(at * at), at % 4 != 0)]).collect()
        };
        let ratio = time_ratio(&side(2.0), &side(1.0), 0.0).unwrap();
        assert!((ratio.estimate - 2_f64.ln()).abs() < 1e-12 && (ratio.high - ratio.low) < 1e-9, "{ratio:?}");
        assert_eq!(time_ratio(&side(2.0), &side(1.0), 1e9), None);
    }

    /// Intervals of 95 % hold the truth where runs of a position are alike, positions differ a hundredfold, and many
    /// are never solved.
    #[test]
    fn intervals_of_time_ratios_hold_the_truth() {
        const EXPERIMENTS: u32 = 1_000;
        const TRUTH: f64 = 1.1;
        let mut random = SplitMix::new(41);
        for (positions, runs, horizon) in [(24, 4, 1.0), (10, 2, 2.0), (24, 4, -0.5)] {
            let mut misses = 0;
            for _ in 0..EXPERIMENTS {
                let of_positions: Vec<[f64; 2]> = (0..positions).map(|_| [random.normal(), random.normal()]).collect();
                let mut side = |log_factor: f64| -> Vec<Vec<Observed>> {
                    let mut run = |[time, end]: &[f64; 2]| {
                        let solved = 2.0 * time + 0.5 * random.normal() + log_factor;
                        // Each position has a depth of its own, and so a time, at which the search ends.
                        let ended = horizon + 0.5 * end + 0.2 * random.normal() + log_factor;
                        (solved.min(ended).exp(), solved <= ended)
                    };
                    of_positions.iter().map(|position| (0..runs).map(|_| run(position)).collect()).collect()
                };
                let ratio = time_ratio(&side(TRUTH), &side(0.0), 0.0).unwrap();
                misses += u32::from(!(ratio.low..=ratio.high).contains(&TRUTH));
            }
            println!("{positions} positions, {runs} runs, to {horizon}: {misses} of {EXPERIMENTS} missed");
            assert!(misses <= EXPERIMENTS * 8 / 100, "{positions} positions, {runs} runs, to {horizon}: {misses}");
        }
    }
}
