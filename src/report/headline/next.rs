//! What to do next: how many runs or positions tell apart the best and the first whose order is not shown, if they
//! differ as much as they seem to, and the command that makes them.

use crate::Source;
use crate::analysis::{Contest, Rivalry};
use crate::record::{IntervalKind, MachineKind};
use crate::state::State;
use crate::statistics::{LEVEL, student_factor};
use crate::table::number::percent;

use super::contest::is_small;
use super::standing::Standing;
use crate::questions::is_shown;

/// Share of experiments that are to find the difference.
const POWER: f64 = 0.8;
/// Largest factor by which an experiment is worth being made larger: what needs more differs too little to be found.
const MOST: f64 = 50.0;
/// Suites that hold the positions of the thesis, and how many each has.
const LARGER_SUITES: [(&str, usize); 2] = [("bratko-kopec", 24), ("balanced-200", 200)];

/// Sentence for what the verdict leaves open. `DIR` stands for the folder of the run.
pub(super) fn next(source: &Source, contests: &[&Contest], state: &State) -> Option<String> {
    let analysis = &source.analysis;
    let contest = contests.first()?;
    let standing = Standing::of(analysis, contest);
    let (&leader, others) = standing.ranked.split_first()?;
    let is_real = analysis.groups[leader].configuration.machine == MachineKind::Real;
    // Of searches that are too small the verdict says itself what is needed.
    if is_real && state.is_ruined() || is_small(analysis, contest) {
        return None;
    }
    let is_open = |rivalry: &Rivalry| rivalry.test.is_some() && !is_shown(rivalry.test) && !rivalry.is_identical;
    let rivalry = others.iter().find_map(|&other| contest.between(leader, other).filter(is_open))?;
    let [first, second] = rivalry.groups.map(|place| &analysis.groups[place]);
    let tests = contests.iter().map(|contest| contest.rivalries.len()).sum();
    let (positions, runs) = (first.positions.min(second.positions), first.runs.min(second.runs));
    let of_each = (runs / positions.max(1)).max(1);
    let kind = analysis.description.interval;
    let freedom = match kind {
        IntervalKind::ThesePositions => positions * of_each.saturating_sub(1),
        IntervalKind::PositionsLikeThese => positions.saturating_sub(1),
    };
    let factor = factor_to_find(&rivalry, freedom as f64, tests)?;
    let pair = format!("To tell {} from {}", first.label, second.label);
    let seen = percent((rivalry.time.estimate.ln().abs()).exp_m1());
    if factor > MOST {
        let most = rivalry.time.high.max(1.0 / rivalry.time.low) - 1.0;
        return Some(format!(
            "{pair} would take over {MOST} times as many searches: they differ by {} at most.",
            percent(most)
        ));
    }
    let larger = |now: usize| ((now as f64 * factor).ceil() as usize).max(now + 1);
    let (what, settings, times) = match kind {
        IntervalKind::ThesePositions => {
            let wanted = larger(of_each);
            let settings = Some(format!("repetitions={wanted}"));
            (format!("{wanted} runs at each position"), settings, wanted as f64 / of_each as f64)
        }
        IntervalKind::PositionsLikeThese => {
            let wanted = larger(positions);
            let of = analysis.description.positions_of;
            let suites = analysis.description.suite.iter().flat_map(|_| LARGER_SUITES);
            let settings = match suites.into_iter().find(|(_, size)| *size >= wanted) {
                _ if wanted <= of => Some(format!("positions.every=1 --set positions.first={wanted}")),
                Some((suite, _)) => {
                    Some(format!("positions.suite={suite} --set positions.every=1 --set positions.first={wanted}"))
                }
                None => None,
            };
            (format!("{wanted} positions"), settings, wanted as f64 / positions as f64)
        }
    };
    let minutes = (seconds(source) * (times - 1.0) / 60.0).ceil().max(1.0);
    let command = settings
        .map(|settings| format!(": splitpoint run DIR/experiment.toml --set {settings} --reuse DIR --out DIR-more"));
    Some(format!(
        "{pair}, if they differ by the {seen} seen: about {what}, {minutes} processor-minutes more{}",
        command.unwrap_or_else(|| ".".to_owned())
    ))
}

/// Factor by which a pair of configurations needs more runs or positions, so that most experiments find a difference as
/// large as the one seen among this many tests.
fn factor_to_find(rivalry: &Rivalry, freedom: f64, tests: usize) -> Option<f64> {
    let time = &rivalry.time;
    let half_width = (time.high / time.low).ln() / 2.0;
    let error = half_width / student_factor(LEVEL, freedom);
    let level = 1.0 - (1.0 - LEVEL) / tests.max(1) as f64;
    let wanted = student_factor(level, f64::INFINITY) + student_factor(2.0 * POWER - 1.0, f64::INFINITY);
    let factor = (wanted * error / time.estimate.ln()).powi(2);
    (half_width.is_finite() && half_width > 0.0 && !factor.is_nan()).then_some(factor)
}

/// Seconds of processors that the records took.
fn seconds(source: &Source) -> f64 {
    let of = |record: &crate::record::Record| {
        let configuration = &record.cell.configuration;
        let processors =
            if configuration.machine == MachineKind::Real { f64::from(configuration.threads) } else { 1.0 };
        record.host_s * processors
    };
    source.records.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Interval, Test};

    /// A difference of two standard errors needs (1.96 + 0.84)^2 / 2^2 times as much; with ten tests more.
    #[test]
    fn what_is_needed_follows_from_the_spread_that_was_seen() {
        let of = |log: f64, error: f64, tests: usize| {
            let at = |log: f64| log.exp();
            let half = error * student_factor(LEVEL, 40.0);
            let time = Interval { estimate: at(log), low: at(log - half), high: at(log + half) };
            let test = Some(Test::alone(0.1));
            let rivalry = Rivalry { groups: [0, 1], time, test, sign_flip: None, outgrowth: None, is_identical: false };
            factor_to_find(&rivalry, 40.0, tests).unwrap()
        };
        assert!((of(0.1, 0.05, 1) - 1.962).abs() < 0.01, "{}", of(0.1, 0.05, 1));
        assert!((of(-0.1, 0.05, 1) - of(0.1, 0.05, 1)).abs() < 1e-9);
        assert!(of(0.1, 0.05, 10) > 1.5 * of(0.1, 0.05, 1));
        assert!(of(0.0001, 0.05, 1) > MOST);
    }
}
