//! What to do next: how many runs or positions tell apart the best and the first whose order is not shown, if they
//! differ as much as they seem to, and the command that makes them.

use crate::Source;
use crate::analysis::{Contest, Rivalry};
use crate::record::{IntervalKind, MachineKind};
use crate::state::State;
use crate::table::number::{figure, percent};

use super::contest::is_small;
use super::standing::Standing;
use crate::questions::is_shown;

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
    let factor = factor_to_find(&rivalry, rivalry.difference_found(&analysis.groups, kind, tests)?)?;
    let pair = format!("To tell {} from {}", first.label, second.label);
    let (slow, ratio) = match rivalry.time.estimate > 1.0 {
        true => (second, rivalry.time.estimate),
        false => (first, 1.0 / rivalry.time.estimate),
    };
    let fast = if slow.label == second.label { first } else { second };
    let seen = format!("if {} takes {} times as long as {}, as seen", slow.label, figure(ratio), fast.label);
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
            let available = analysis.description.positions_of;
            let suites = analysis.description.suite.iter().flat_map(|_| LARGER_SUITES);
            let settings = match suites.into_iter().find(|(_, size)| *size >= wanted) {
                _ if wanted <= available => Some(format!("positions.every=1 --set positions.first={wanted}")),
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
        "{pair}, {seen}: about {what}, {minutes} processor-minutes more{}",
        command.unwrap_or_else(|| ".".to_owned())
    ))
}

/// Factor by which a pair of configurations needs more runs or positions, so that most experiments find a difference as
/// large as the one seen, where this difference would be found now.
fn factor_to_find(rivalry: &Rivalry, found: f64) -> Option<f64> {
    Some((found / rivalry.time.estimate.ln()).powi(2)).filter(|factor| !factor.is_nan())
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
