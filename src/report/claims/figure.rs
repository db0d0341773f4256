//! Figures of tests, from the records of runs. Terms of one experiment share their positions, so that their sum is one
//! contrast; those of different runs have nothing to do with each other.

use std::collections::{BTreeMap, BTreeSet};

use super::file::{Measure, Term, Test};
use crate::Source;
use crate::analysis::by_size::{parts_at, slope_parts};
use crate::analysis::grouping::{Gathered, Gathering, Run, cells};
use crate::analysis::labels;
use crate::analysis::logs::{log_nodes, log_time};
use crate::analysis::parallelism::{BY_YBWC, RULES};
use crate::analysis::scope::Holds;
use crate::analysis::sums::{Part, Sum};
use crate::games::Results;
use crate::record::{PlayerInfo, axes};
use crate::statistics::{Interval, LEVEL, Scope, mean};

/// Results of a run.
#[derive(Debug)]
pub(crate) enum Ran {
    Searches(Box<Source>),
    Games(Box<Results>),
}

/// Figure of a test with an interval of this level; nothing if one of its runs is not there.
///
/// # Errors
/// If a run has not what a term asks for.
pub(super) fn figure(test: &Test, runs: &BTreeMap<String, Ran>, level: f64) -> Result<Option<Interval>, String> {
    let mut names: Vec<&str> = test.terms().map(|(term, _)| test.run_of(term)).collect();
    names.sort_unstable();
    names.dedup();
    let mut parts = Vec::new();
    for name in names {
        let Some(run) = runs.get(name) else { return Ok(None) };
        let terms = test.terms().filter(|(term, _)| test.run_of(term) == name);
        match run {
            Ran::Searches(source) => parts.push((of_searches(test, terms, source, level)?, true)),
            Ran::Games(results) if test.measure == Measure::Elo => return elo(test, results, level).map(Some),
            Ran::Games(results) => {
                for (term, is_above) in terms {
                    let even = results.even(player(term, results)?, level);
                    parts.push((even.ok_or("this player has no strength: one side has won all games")?, is_above));
                }
            }
        }
    }
    let sum = sum(&parts);
    Ok(Some(if test.is_plain() { sum } else { sum.exp() }))
}

/// Difference in rating by the run with more time for a move.
///
/// # Errors
/// If that run has not what the test asks for.
pub(super) fn longer(test: &Test, runs: &BTreeMap<String, Ran>, level: f64) -> Result<Option<Interval>, String> {
    let results = test.longer.as_ref().and_then(|name| runs.get(name));
    match results {
        Some(Ran::Games(results)) => elo(test, results, level).map(Some),
        Some(Ran::Searches(_)) => Err("an experiment has no games".to_owned()),
        None => Ok(None),
    }
}

fn elo(test: &Test, results: &Results, level: f64) -> Result<Interval, String> {
    let players = players(test, results)?;
    let [first, second] = players[..] else { return Err("both players must be in one run".to_owned()) };
    results.elo(first, second, level).ok_or_else(|| "these two players have not met".to_owned())
}

/// Places of the players of a test in a run.
fn players(test: &Test, results: &Results) -> Result<Vec<usize>, String> {
    test.terms().map(|(term, _)| player(term, results)).collect()
}

/// Points that a difference in rating gains when the time for a move doubles, from the run with less and the one with
/// more of it.
pub(super) fn growth_of_rating(test: &Test, runs: &BTreeMap<String, Ran>) -> Option<Interval> {
    let run = |name: &str| match runs.get(name)? {
        Ran::Games(results) => Some((elo(test, results, LEVEL).ok()?, work_s(test, results)?)),
        Ran::Searches(_) => None,
    };
    let ((less, less_s), (more, more_s)) = (run(&test.run)?, run(test.longer.as_ref()?)?);
    let doublings = (more_s / less_s).log2();
    (doublings > 0.0).then(|| sum(&[(more, true), (less, false)]).map(|points| points / doublings))
}

/// Least time of all processors together that the players of a test have for a move, in seconds.
fn work_s(test: &Test, results: &Results) -> Option<f64> {
    let players = players(test, results).ok()?;
    let all = players.iter().map(|player| &results.tournament().players[*player]);
    all.filter_map(|player| Some(seconds_each_of(player)? * f64::from(player.processors))).reduce(f64::min)
}

/// Time for a move that each processor of a player has. Limits in nodes are for all processors together.
fn seconds_each_of(player: &PlayerInfo) -> Option<f64> {
    /// About as many as one processor of today searches.
    const NODES_A_SECOND: f64 = 1e6;
    let of_nodes = || Some(player.nodes()? / NODES_A_SECOND / f64::from(player.processors));
    player.move_time_s().or_else(of_nodes)
}

/// Size of the searches of a test, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    /// Time that the smallest search of a test takes one processor.
    pub alone_s: f64,
    /// That time divided by the number of processors, where it is smallest.
    pub each_s: f64,
}

/// Size of the smallest searches of a test that several processors share; nothing if none do, or if it is not known.
pub(super) fn size(test: &Test, runs: &BTreeMap<String, Ran>) -> Option<Size> {
    let sizes = test.terms().filter_map(|(term, _)| size_of_term(term, runs.get(test.run_of(term))?));
    sizes.reduce(|one, other| if other.each_s < one.each_s { other } else { one })
}

/// Size of the searches that a term of a test is about.
fn size_of_term(term: &Term, ran: &Ran) -> Option<Size> {
    match ran {
        Ran::Searches(source) => {
            let cells = cells(&source.records);
            let gathering = Gathering::of(&source.analysis.description, &cells);
            let group = group(term, &gathering, source).ok()?;
            let processors = f64::from(group.configuration.threads);
            let time_s = |group: &Gathered<'_>| Some(group.mean(log_time)?.estimate().exp());
            let alone_s = match (term.at, gathering.baseline(group)) {
                (Some(t1_s), _) => t1_s,
                (None, Some(baseline)) => time_s(baseline)?,
                // Without a baseline it is no more than this.
                (None, None) => time_s(group)? * processors,
            };
            (processors > 1.0).then_some(Size { alone_s, each_s: alone_s / processors })
        }
        Ran::Games(results) => {
            let player = &results.tournament().players[player(term, results).ok()?];
            let each_s = seconds_each_of(player).filter(|_| player.processors > 1)?;
            Some(Size { alone_s: each_s * f64::from(player.processors), each_s })
        }
    }
}

/// Factor by which the figure of a test grows when the time of one processor doubles, if it is made of the speedups of
/// one run at the end of its searches.
pub(super) fn growth(test: &Test, runs: &BTreeMap<String, Ran>) -> Option<Interval> {
    let (first, _) = test.terms().next()?;
    let Ran::Searches(source) = runs.get(test.run_of(first))? else { return None };
    let is_like_it = |(term, _): (&Term, bool)| {
        test.run_of(term) == test.run_of(first) && test.measure_of(term) == Measure::Speedup && term.at.is_none()
    };
    if !test.terms().all(is_like_it) {
        return None;
    }
    let cells = cells(&source.records);
    let gathering = Gathering::of(&source.analysis.description, &cells);
    let mut sum = Sum::default();
    for (term, is_above) in test.terms() {
        let group = group(term, &gathering, source).ok()?;
        sum.0.extend(slope_parts([group, baseline(group, &gathering).ok()?], is_above)?);
    }
    Some(sum.tested(holds(source), LEVEL)?.exp())
}

/// Sum of independent estimates and of the negatives of others, by the distances of their ends (the method of variance
/// estimates recovery of Zou and Donner, Statistics in Medicine 27, 2008).
fn sum(parts: &[(Interval, bool)]) -> Interval {
    if let [(one, true)] = parts {
        return *one;
    }
    let (mut estimate, mut below, mut above) = (0.0, 0.0, 0.0);
    for (part, is_added) in parts {
        let (down, up) = (part.estimate - part.low, part.high - part.estimate);
        let (sign, down, up) = if *is_added { (1.0, down, up) } else { (-1.0, up, down) };
        estimate += sign * part.estimate;
        below += down.powi(2);
        above += up.powi(2);
    }
    Interval { estimate, low: estimate - below.sqrt(), high: estimate + above.sqrt() }
}

/// Logarithm of the figure of some terms of an experiment.
fn of_searches<'t>(
    test: &Test,
    terms: impl Iterator<Item = (&'t Term, bool)>,
    source: &Source,
    level: f64,
) -> Result<Interval, String> {
    let cells = cells(&source.records);
    let gathering = Gathering::of(&source.analysis.description, &cells);
    let mut sum = Sum::default();
    for (term, is_above) in terms {
        let group = group(term, &gathering, source)?;
        match (test.measure_of(term), term.at) {
            (Measure::Time, _) => sum.0.push(Part::new(group, is_above, |_, run| log_time(run))),
            (Measure::Nodes, _) => sum.0.push(Part::new(group, is_above, |_, run| log_nodes(run))),
            (Measure::Speedup, None) => sum.0.extend([
                Part::new(baseline(group, &gathering)?, is_above, |_, run| log_time(run)),
                Part::new(group, !is_above, |_, run| log_time(run)),
            ]),
            (Measure::Speedup, Some(t1_s)) => {
                let parts = parts_at([group, baseline(group, &gathering)?], t1_s, is_above);
                sum.0.extend(parts.ok_or("its records tell no earlier depths")?);
            }
            (Measure::BesideLaw, _) => {
                sum.0.push(beside_law(group, baseline(group, &gathering)?, test.law, is_above));
            }
            (Measure::Figure, _) => {
                let (figure, is_plain) = (test.figure().ok_or("it names no figure")?, test.is_plain());
                let value = move |_, run: Run<'_>| {
                    let value = figure.in_files(run.measured)?;
                    if is_plain { Some(value) } else { (value > 0.0).then(|| value.ln()) }
                };
                sum.0.push(Part::new(group, is_above, value));
            }
            (Measure::Strength | Measure::Elo, _) => return Err("an experiment has no games".to_owned()),
        }
    }
    let found = sum.tested(holds(source), level);
    found.ok_or_else(|| "no position has been searched by all that it compares".to_owned())
}

/// Positions for which the intervals of a run hold, whatever its own are for: a claim is one on positions like these.
/// Those of one game stand for no others.
fn holds(source: &Source) -> Holds {
    let is_one_game = source.analysis.description.is_one_game;
    Holds(Some(if is_one_game { Scope::ThesePositions } else { Scope::PositionsLikeThese }))
}

/// Logarithms of times by those of a law: c times the span of one processor's tree, and w times the work of the run by
/// its processors. The work of a run is the time of one processor, as many times as the run searched its nodes.
fn beside_law<'a, 'g>(
    group: &'g Gathered<'a>,
    baseline: &'g Gathered<'a>,
    [c, w]: [f64; 2],
    is_above: bool,
) -> Part<'a, 'g> {
    let processors = f64::from(group.configuration.threads);
    let of_baseline = |place, figure: fn(Run<'_>) -> Option<f64>| mean(&baseline.figures_at(place, figure));
    Part::new(group, is_above, move |place, run| {
        let span = |run: Run<'_>| Some((run.measured.count(RULES[BY_YBWC].count)? as f64 * 1e-9).ln());
        let (time, nodes) = of_baseline(place, log_time).zip(of_baseline(place, log_nodes))?;
        let work = (time + log_nodes(run)? - nodes).exp();
        Some(log_time(run)? - (c * of_baseline(place, span)?.exp() + w * work / processors).ln())
    })
}

/// The one group that a term means: by the values of its fields, or by the experiment's own names for them.
fn group<'g, 'a>(term: &Term, gathering: &'g Gathering<'a>, source: &Source) -> Result<&'g Gathered<'a>, String> {
    let wanted = term.wanted();
    if let Some((field, _)) = wanted.iter().find(|(field, _)| axes::named(field).is_none()) {
        return Err(format!("'{field}' is not a field of a configuration"));
    }
    let names = &source.analysis.description.names;
    let named =
        |group: &Gathered<'_>, field: &str| labels::shortest(&group.configuration.field(field).as_str().into(), names);
    let has = |group: &Gathered<'_>, (field, value): &(&str, String)| {
        group.configuration.field(field) == *value || named(group, field) == *value
    };
    let is_meant = |group: &&Gathered<'_>| wanted.iter().all(|one| has(group, one)) && group.has_common_depth();
    let others = || {
        let unknown = wanted.iter().find(|one| !gathering.groups.iter().any(|group| has(group, one)));
        unknown.map(|(field, _)| {
            let all: BTreeSet<String> = gathering.groups.iter().map(|group| named(group, field)).collect();
            format!("; '{field}' is {}", all.into_iter().collect::<Vec<_>>().join(" or "))
        })
    };
    let found = only(term, gathering.groups.iter().filter(is_meant));
    found.map_err(|error| format!("{error}{}", others().unwrap_or_default()))
}

fn baseline<'g, 'a>(group: &Gathered<'a>, gathering: &'g Gathering<'a>) -> Result<&'g Gathered<'a>, String> {
    gathering.baseline(group).ok_or_else(|| "there is no search by one processor beside it".to_owned())
}

/// Place of the one player that a term means.
fn player(term: &Term, results: &Results) -> Result<usize, String> {
    let wanted = term.wanted();
    let field = |player: &PlayerInfo, field: &str| match field {
        "name" => Some(player.name.clone()),
        "program" => Some(player.program.clone()),
        "strategy" => Some(player.strategy.clone().unwrap_or_default()),
        "processors" => Some(player.processors.to_string()),
        "limit" => Some(player.limit.clone()),
        _ => None,
    };
    let players = &results.tournament().players;
    let is_meant = |player: &PlayerInfo| wanted.iter().all(|(name, value)| field(player, name).as_ref() == Some(value));
    only(term, (0..players.len()).filter(|place| is_meant(&players[*place])))
}

/// The only one.
fn only<T>(term: &Term, mut all: impl Iterator<Item = T>) -> Result<T, String> {
    let words =
        || term.wanted().iter().map(|(field, value)| format!("{field} = {value}")).collect::<Vec<_>>().join(", ");
    let first = all.next().ok_or_else(|| format!("nothing in the run has {}", words()))?;
    match all.next() {
        None => Ok(first),
        Some(_) => Err(format!("several things in the run have {}", words())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_ends_add_up_in_squares() {
        let part = |estimate: f64, low: f64, high: f64| Interval { estimate, low, high };
        let both = sum(&[(part(5.0, 2.0, 6.0), true), (part(1.0, -2.0, 5.0), false)]);
        // 3 below the first and 4 above the second make 5 below; 1 above the first and 3 below the second.
        assert_eq!((both.estimate, both.low), (4.0, -1.0));
        assert!((both.high - (4.0 + 10.0_f64.sqrt())).abs() < 1e-12);
        let one = part(1.0, f64::NEG_INFINITY, 2.0);
        assert_eq!(sum(&[(one, true)]), one);
        assert_eq!(sum(&[(one, true), (one, false)]).low, f64::NEG_INFINITY);
    }
}
