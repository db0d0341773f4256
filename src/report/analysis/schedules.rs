//! The hardest of several baselines. A strategy that leaves out iterations gains by that what one processor would gain
//! too, so it is compared with one processor under each of the schedules that the experiment declares, and what counts
//! is the best of them: that with the shortest time.
//!
//! The smallest of several estimates is too small on average, so the interval is of the smallest of the true speedups,
//! whichever it is. Its lower end is the smallest of the lower ends: below it the truth is only where one of them
//! fails, the best schedule's own. Its upper end is the smallest of upper ends that hold together (Bonferroni), since
//! any of them may fail. That the speedup is more than 1 must be shown against each (intersection-union test: Berger,
//! "Multiparameter Hypothesis Testing and Acceptance Sampling", Technometrics 24, 1982).

use std::collections::BTreeSet;

use crate::record::{Description, Schedule};
use crate::statistics::{Contrast, Interval, Test};

use super::grouping::{Gathered, Gathering, in_common};
use super::logs::log_time;
use super::ratios::Pair;
use super::scope::Holds;
use super::{AgainstBaseline, conditions};

/// Comparison of a group with one processor under the best of the schedules that are declared.
#[derive(Clone, Debug, PartialEq)]
pub struct BestSchedule {
    /// Plies by which each iteration of the one processor is deeper than the one before.
    pub step: u32,
    /// Whether that is the schedule of the ordinary baseline.
    pub is_usual: bool,
    /// Time of the one processor to the same depth, as a ratio to that of the group: the smallest of those by each
    /// schedule, with an interval that takes into account that it was chosen.
    pub time_speedup: Interval,
    /// Time of the ordinary baseline, as a ratio to that of the best: at least 1, and so the part of the speedup that
    /// is no parallelism.
    pub gain: Interval,
    /// Test of that speedup's difference from 1.
    pub faster: Option<Test>,
    /// Logarithms of the speedups beside one processor under each of the schedules.
    speedups: Vec<Contrast>,
    /// Seconds of the one processor, geometric mean over the positions of the speedup.
    pub t1_s: f64,
}

/// Smaller of the time speedups beside one processor as it is and under the best schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Harder {
    pub time_speedup: Interval,
    /// Test of its difference from 1.
    pub faster: Option<Test>,
    /// Seconds of the one processor.
    pub t1_s: f64,
    /// Words for the one processor: `one processor that searches every second iteration`.
    pub alone: String,
    /// Plies from one of its iterations to the next, where it is not the ordinary baseline.
    pub step: Option<u32>,
}

impl AgainstBaseline {
    /// The speedup beside the harder baseline, with an interval that belongs to a test at this level.
    pub fn harder_tested(&self, level: f64, holds: Holds) -> Interval {
        match (&self.best_schedule, &self.speedup) {
            (Some(best), _) if !best.is_usual => best.tested(level, holds),
            (_, Some(speedup)) => holds.tested(speedup, level),
            _ => self.time_speedup,
        }
    }

    /// Time speedup beside the harder of the two baselines: of what a strategy gains, the part that one processor
    /// cannot have too.
    pub fn harder(&self) -> Harder {
        let Self { time_speedup, faster, t1_s, .. } = *self;
        match &self.best_schedule {
            Some(best) if !best.is_usual => Harder {
                time_speedup: best.time_speedup,
                faster: best.faster,
                t1_s: best.t1_s,
                alone: best.alone(),
                step: Some(best.step),
            },
            _ => Harder { time_speedup, faster, t1_s, alone: "one processor".to_owned(), step: None },
        }
    }
}

impl BestSchedule {
    /// The speedup with an interval that belongs to a test at this level, though the schedule was chosen.
    pub fn tested(&self, level: f64, holds: Holds) -> Interval {
        let least = |level: f64, end: fn(&Interval) -> f64| {
            let ends = self.speedups.iter().map(|speedup| end(&holds.tested(speedup, level)));
            ends.reduce(|one, other| if one.is_nan() || other.is_nan() { f64::NAN } else { one.min(other) })
        };
        let together = 1.0 - (1.0 - level) / self.speedups.len() as f64;
        let (low, high) = (least(level, |one| one.low), least(together, |one| one.high));
        Interval { low: low.unwrap_or(f64::NAN), high: high.unwrap_or(f64::NAN), ..self.time_speedup }
    }

    /// Words for the one processor.
    pub fn alone(&self) -> String {
        match self.step {
            1 => "one processor that searches every iteration".to_owned(),
            2 => "one processor that searches every second iteration".to_owned(),
            3 => "one processor that searches every third iteration".to_owned(),
            step => format!("one processor that searches every {step}th iteration"),
        }
    }
}

/// Group beside one processor under one of the schedules. Figures are at the usual level, and at one that holds for all
/// candidates together.
struct Candidate {
    step: u32,
    is_usual: bool,
    time_speedup: [Interval; 2],
    gain: [Interval; 2],
    p: Option<f64>,
    speedup: Contrast,
    t1_s: f64,
}

/// Comparison of a group with one processor under the best of the schedules; nothing if it has none but its ordinary
/// baseline, or if they have no common depth.
pub(super) fn best_schedule(
    group: &Gathered<'_>,
    gathering: &Gathering<'_>,
    description: &Description,
    holds: Holds,
) -> Option<BestSchedule> {
    let usual = group.configuration.baseline();
    let is_of = |one: &&Schedule| one.of.contains(group.configuration);
    let of_group = description.schedules.iter().filter(is_of);
    let sides: Vec<(&Schedule, &Gathered<'_>)> =
        of_group.filter_map(|one| Some((one, gathering.alone(&one.alone)?))).collect();
    if sides.len() < 2 {
        return None;
    }
    // All at the same positions.
    let every: Vec<&Gathered<'_>> = std::iter::once(group).chain(sides.iter().map(|(_, alone)| *alone)).collect();
    let places = in_common(&every, &mut BTreeSet::new());
    let group = group.at(&places);
    let ordinary = sides.iter().find(|(one, _)| one.alone == usual)?.1.at(&places);
    let candidate = |(one, alone): &(&Schedule, &Gathered<'_>)| {
        let alone = alone.at(&places);
        let pair = Pair::of(&group, &alone)?;
        let both = |contrast| [holds.ratio(contrast), holds.interval_among(contrast, sides.len()).exp()];
        let is_usual = one.alone == usual;
        let gain = ordinary.less(&alone, log_time)?;
        Some(Candidate {
            step: one.step,
            is_usual,
            time_speedup: both(pair.speedup()?),
            // It is one times as fast as itself, exactly.
            gain: if is_usual { [Interval::around(1.0, 0.0); 2] } else { both(&gain) },
            p: conditions::p_value(&group, &alone, holds, |group, alone| group.less(alone, log_time)),
            speedup: pair.speedup()?.clone(),
            t1_s: pair.t1_s(),
        })
    };
    best(&sides.iter().map(candidate).collect::<Option<Vec<_>>>()?)
}

/// The best of the schedules, with figures that take into account that it was chosen.
fn best(candidates: &[Candidate]) -> Option<BestSchedule> {
    let speedup = |one: &Candidate| one.time_speedup[0].estimate;
    let best = candidates.iter().min_by(|one, other| speedup(one).total_cmp(&speedup(other)))?;
    let end = |figure: fn(&Candidate) -> f64, of: fn(f64, f64) -> f64| {
        let ends = candidates.iter().map(figure);
        // An end that is not known is passed on.
        ends.reduce(|one, other| if one.is_nan() || other.is_nan() { f64::NAN } else { of(one, other) })
    };
    let faster_p = match candidates.iter().all(|one| speedup(one) > 1.0) {
        true => candidates.iter().map(|one| one.p).try_fold(0.0, |most: f64, p| Some(most.max(p?))),
        false => best.p.map(|p| (p * candidates.len() as f64).min(1.0)),
    };
    Some(BestSchedule {
        step: best.step,
        is_usual: best.is_usual,
        time_speedup: Interval {
            estimate: speedup(best),
            low: end(|one| one.time_speedup[0].low, f64::min)?,
            high: end(|one| one.time_speedup[1].high, f64::min)?,
        },
        gain: Interval {
            estimate: best.gain[0].estimate,
            low: end(|one| one.gain[1].low, f64::max)?,
            high: end(|one| one.gain[0].high, f64::max)?,
        },
        faster: faster_p.map(Test::of),
        speedups: candidates.iter().map(|one| one.speedup.clone()).collect(),
        t1_s: best.t1_s,
    })
}
