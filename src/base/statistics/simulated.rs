//! Simulated experiments, of which the truth is known: an interval of 95 % must miss it in about 5 of 100. For tests
//! only.

use super::contrast::{Contrast, Scope};
use super::interval::{Interval, LEVEL};
use crate::random::SplitMix;

/// Number of experiments that a test of coverage makes.
pub(super) const EXPERIMENTS: u32 = 1_000;

/// Student's t with three degrees of freedom, scaled to deviation 1: outliers as real measurements have them.
fn heavy_tailed(random: &mut SplitMix) -> f64 {
    let square: f64 = (0..3).map(|_| random.normal().powi(2)).sum();
    random.normal() / square.sqrt()
}

/// Share of experiments whose outcome is a miss. `None` counts as one: an interval that is not there covers nothing.
pub fn miss_rate(mut covers: impl FnMut() -> Option<bool>) -> f64 {
    let misses = (0..EXPERIMENTS).filter(|_| covers() != Some(true)).count();
    misses as f64 / f64::from(EXPERIMENTS)
}

/// Requires an interval of 95 % to miss in 3 to 7 % of experiments.
pub(super) fn assert_misses_five_percent(what: &str, rate: f64) {
    println!("{what}: misses {:.1} %", 100.0 * rate);
    assert!((0.03..=0.07).contains(&rate), "{what}: misses {:.1} %", 100.0 * rate);
}

/// Size of a simulated experiment: positions, runs and baselines at each, and by what factor noise differs between the
/// first position and the last.
struct Plan {
    name: &'static str,
    positions: usize,
    runs: &'static [usize],
    baselines: &'static [usize],
    uneven: f64,
    heavy_tailed: bool,
}

fn plan(
    name: &'static str,
    positions: usize,
    runs: &'static [usize],
    baselines: &'static [usize],
    uneven: f64,
) -> Plan {
    Plan { name, positions, runs, baselines, uneven, heavy_tailed: false }
}

/// Checks over plans that intervals of this scope, for positions that differ by so much, miss as often as they say.
fn assert_intervals_miss_five_percent(plans: &[Plan], scope: Scope, between: f64, random: &mut SplitMix) {
    for plan in plans {
        let rate = miss_rate(|| {
            let (upper, lower) = simulate(plan, random, between);
            covers(Contrast::unpaired(&upper, &lower)?.interval(scope, LEVEL))
        });
        match plan.heavy_tailed {
            true => println!("{}: misses {:.1} %", plan.name, 100.0 * rate),
            false => assert_misses_five_percent(plan.name, rate),
        }
    }
}

/// Runs and baselines of a simulated experiment. Every position has a time of its own, and on runs a difference of its
/// own from the mean difference of `truth`.
fn simulate(plan: &Plan, random: &mut SplitMix, between: f64) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let mut sides = (Vec::new(), Vec::new());
    for position in 0..plan.positions {
        let time = 3.0 * random.normal();
        let difference = TRUTH + between * random.normal();
        let deviation = 0.3 * plan.uneven.powf(position as f64 / plan.positions as f64);
        let mut draw = |mean: f64, counts: &[usize]| -> Vec<f64> {
            let mut one = || if plan.heavy_tailed { heavy_tailed(random) } else { random.normal() };
            (0..counts[position % counts.len()]).map(|_| mean + deviation * one()).collect()
        };
        sides.0.push(draw(time + difference, plan.runs));
        sides.1.push(draw(time, plan.baselines));
    }
    sides
}

/// Logarithm of the ratio that simulated comparisons have in truth.
const TRUTH: f64 = 0.1;

fn covers(interval: Option<Interval>) -> Option<bool> {
    interval.map(|interval| interval.low <= TRUTH && TRUTH <= interval.high)
}

#[test]
fn intervals_of_these_positions_miss_in_five_of_a_hundred() {
    let mut random = SplitMix::new(1);
    let plans = [
        plan("10 positions, 3 runs, 8 baselines", 10, &[3], &[8], 1.0),
        plan("10 positions, 3 runs, 8 baselines, uneven noise", 10, &[3], &[8], 5.0),
        plan("24 positions, 2 runs, 4 baselines", 24, &[2], &[4], 2.0),
        plan("1 position, 4 runs, 8 baselines", 1, &[4], &[8], 1.0),
        plan("10 positions, 1 to 4 runs, 3 or 8 baselines", 10, &[3, 1, 4, 2], &[8, 3], 1.0),
        Plan { heavy_tailed: true, ..plan("(not required) heavy tails", 10, &[3], &[8], 1.0) },
    ];
    assert_intervals_miss_five_percent(&plans, Scope::ThesePositions, 0.0, &mut random);
}

#[test]
fn intervals_of_positions_like_these_miss_in_five_of_a_hundred() {
    let mut random = SplitMix::new(2);
    let plans = [
        plan("40 positions, one run each", 40, &[1], &[1], 1.0),
        plan("10 positions, 3 runs, 8 baselines", 10, &[3], &[8], 1.0),
        plan("3 positions, 2 runs, 4 baselines", 3, &[2], &[4], 1.0),
        Plan { heavy_tailed: true, ..plan("(not required) heavy tails", 40, &[1], &[1], 1.0) },
    ];
    assert_intervals_miss_five_percent(&plans, Scope::PositionsLikeThese, 0.2, &mut random);
}

/// Runs with the same seed share half of their variance; differences by seed do not contain it.
#[test]
fn paired_intervals_miss_in_five_of_a_hundred_and_are_narrower() {
    let mut random = SplitMix::new(3);
    for (positions, seeds, between) in [(10, 4, 0.0), (10, 8, 0.0), (40, 1, 0.1), (10, 4, 0.1)] {
        let (mut paired_width, mut unpaired_width) = (0.0, 0.0);
        let rate = miss_rate(|| {
            let mut sides = (Vec::new(), Vec::new());
            for _ in 0..positions {
                let difference = TRUTH + between * random.normal();
                let shared: Vec<f64> = (0..seeds).map(|_| 0.3 * random.normal()).collect();
                sides.0.push(shared.iter().map(|seed| seed + difference + 0.1 * random.normal()).collect::<Vec<_>>());
                sides.1.push(shared.iter().map(|seed| seed + 0.1 * random.normal()).collect::<Vec<_>>());
            }
            let differ = |(upper, lower): (&Vec<f64>, &Vec<f64>)| upper.iter().zip(lower).map(|(u, l)| u - l).collect();
            let differences: Vec<Vec<f64>> = sides.0.iter().zip(&sides.1).map(differ).collect();
            let scope = if between > 0.0 { Scope::PositionsLikeThese } else { Scope::ThesePositions };
            let interval = Contrast::paired(&differences)?.interval(scope, LEVEL)?;
            let unpaired = Contrast::unpaired(&sides.0, &sides.1)?.interval(scope, LEVEL)?;
            paired_width += interval.high - interval.low;
            unpaired_width += unpaired.high - unpaired.low;
            covers(Some(interval))
        });
        assert_misses_five_percent(&format!("paired, {positions} positions, {seeds} seeds"), rate);
        assert!(between > 0.0 || paired_width < 0.6 * unpaired_width, "{paired_width} {unpaired_width}");
    }
}
