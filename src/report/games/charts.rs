//! Charts of matches and tournaments: ratings and strength speedups by processors, scores by multiples with the fitted
//! curve, how long games last, and what is spent on a move.

use super::lengths::{Spent, lengths, spent};
use super::strength::Strength;
use super::{Results, Standing};
use crate::charts::{BarChart, Compared, Line, LineChart, Quantity, Sheet, ValueChart, Words};
use crate::distinct::{distinct, found_or_added};
use crate::record::{Part, PlayerInfo, distinguishing};
use crate::statistics::Interval;
use crate::table::number::{counted, level};

/// Places of a fitted curve.
const PIECES: u32 = 40;
/// Lines in one panel of a chart by moves; of more players none could be told apart.
const MOST_LINES: usize = 8;

/// Frame that all charts of a tournament have in common.
fn chart(results: &Results, title: &'static str) -> LineChart {
    LineChart {
        title,
        subtitle: counted(results.games().count(), "game", "games"),
        mark: results.is_virtual().then(|| "virtual machine".to_owned()),
        notes: vec![format!("Bars: {} intervals; the two games of an opening count as one.", level())],
        ..LineChart::default()
    }
}

/// Line of figures of this tournament, which other lines of the chart look unlike.
fn line(results: &Results, name: impl Into<String>, look: usize, points: Vec<(f64, Interval)>) -> Line {
    Line { name: name.into(), look, is_virtual: results.is_virtual(), points, ..Line::default() }
}

/// Lines of a chart that has a single panel.
fn one_panel(lines: Vec<Line>) -> Vec<(String, Vec<Line>)> {
    vec![(String::new(), lines)]
}

/// Names of players but for their numbers of processors, and these numbers. Where more players have the processor time
/// for a move in common than the time, that tells them apart.
fn curves(results: &Results) -> Vec<(String, u32)> {
    let players = &results.tournament.players;
    // In microseconds, since the times of players are rounded.
    let in_all =
        |player: &PlayerInfo| Some((player.move_time_s()? * f64::from(player.processors) * 1e6).round() as u64);
    let of_all: Option<Vec<u64>> = players.iter().map(in_all).collect();
    let limits = distinct(players.iter().map(|player| &player.limit)).len();
    let names = match of_all.filter(|of_all| distinct(of_all).len() < limits) {
        Some(of_all) => {
            let names = distinguishing(players, &[Part::Processors, Part::Limit]);
            let is_one = names.iter().all(|name| *name == names[0]);
            let name = |(name, time): (&String, u64)| {
                let time = format!("{} ms of processor time a move", time as f64 / 1e3);
                if is_one { time } else { format!("{name}, {time}") }
            };
            names.iter().zip(of_all).map(name).collect()
        }
        None => distinguishing(players, &[Part::Processors]),
    };
    names.into_iter().zip(players).map(|(name, player)| (name, player.processors)).collect()
}

/// Lines by processors of what is known of players. Nothing if no line has several points.
fn by_processors(results: &Results, values: impl Iterator<Item = (usize, Interval)>) -> Option<Vec<Line>> {
    let curves = curves(results);
    let mut lines: Vec<Line> = Vec::new();
    for (player, value) in values {
        let (name, processors) = &curves[player];
        let look = lines.len();
        let line = found_or_added(&mut lines, |line| line.name == *name, || line(results, name, look, Vec::new()));
        line.points.push((f64::from(*processors), value));
    }
    lines.iter_mut().for_each(|line| line.points.sort_by(|one, other| one.0.total_cmp(&other.0)));
    lines.iter().any(|line| line.points.len() > 1).then_some(lines)
}

pub(super) fn strength_by_processors(results: &Results) -> Option<Sheet> {
    let lines = |value: fn(&Strength) -> Option<Interval>| {
        by_processors(results, results.strengths.iter().filter_map(|one| Some((one.player, value(one)?))))
    };
    let ours = lines(|strength| strength.even)?;
    let beside = lines(|strength| strength.time_speedup).unwrap_or_default();
    let panels = ours.into_iter().map(|line| {
        let other = beside.iter().find(|other| other.name == line.name).cloned();
        let other = other.map(|other| Line { name: "time speedup".to_owned(), is_beside: true, look: 0, ..other });
        (line.name.clone(), other.into_iter().chain([Line { name: "strength".to_owned(), look: 0, ..line }]).collect())
    });
    let is_unbounded = |strength: &Strength| strength.even.is_some_and(|even| !even.is_known() || even.low <= 0.0);
    let unbounded = results.strengths.iter().any(is_unbounded);
    let unbounded = unbounded.then(|| "Points without a bar: the games allow any speedup.".to_owned());
    let base = chart(results, "Strength speedup");
    let caption = "At 4, an opponent on one processor needs four times the time to play as well. Where \
                   the strength is above the time speedup by more than the intervals, the processors find more than \
                   the same depth sooner; where it is as far below, they overlook something. The line y = x is a \
                   speedup without loss.";
    LineChart {
        caption: caption.to_owned(),
        notes: base.notes.iter().cloned().chain(unbounded).collect(),
        x: ("processors".to_owned(), Quantity::Processors),
        y: ("speedup".to_owned(), Quantity::Speedups),
        compared: Some(Compared::Diagonal),
        panels: panels.collect(),
        ..base
    }
    .sheet()
}

pub(super) fn elo_by_processors(results: &Results) -> Option<Sheet> {
    let of_entries = results.entries.iter().filter_map(|entry| Some((entry.player, entry.rating?)));
    let of_strengths = results.strengths.iter().filter_map(|one| Some((one.player, one.elo?)));
    let lines = by_processors(results, of_entries.chain(of_strengths))?;
    let (caption, axis) = match results.has_odds() {
        true => (
            "Difference in rating from an opponent that has its limit once, by the curve that is \
             fitted to all games of the player.",
            "Elo above the opponent",
        ),
        false => ("Ratings about the mean of all players.", "Elo"),
    };
    LineChart {
        caption: caption.to_owned(),
        x: ("processors".to_owned(), Quantity::Processors),
        y: (axis.to_owned(), Quantity::Differences),
        compared: Some(Compared::Level(0.0, if results.has_odds() { "equal" } else { "mean" })),
        panels: one_panel(lines),
        ..chart(results, "Elo by processors")
    }
    .sheet()
}

/// Largest number of points at which a difference is shown as games go on.
const MOST_LOOKS: usize = 15;

/// Difference in rating of two players as games go on.
pub(super) fn running(results: &Results) -> Option<Sheet> {
    let [one] = results.played.as_slice() else { return None };
    let games = one.games.len();
    let after = |look: usize| {
        let played = (games * look).div_ceil(MOST_LOOKS) / 2 * 2;
        let elo = Standing::of(&one.games[..played]).pairs.elo();
        elo.estimate.is_finite().then_some((played as f64, elo))
    };
    let mut points: Vec<(f64, Interval)> = (1..=MOST_LOOKS).filter_map(after).collect();
    points.dedup_by_key(|(played, _)| *played);
    let first = results.name(one.pairing.first);
    LineChart {
        caption: format!(
            "Difference in rating of {first} after so many games. An interval that holds 0 does not show who is \
             stronger; the last point is the result, and the earlier ones are no tests of their own."
        ),
        x: ("games".to_owned(), Quantity::Amounts),
        y: ("Elo".to_owned(), Quantity::Differences),
        compared: Some(Compared::Level(0.0, "equal")),
        panels: one_panel(vec![line(results, first, 0, points)]),
        ..chart(results, "Difference in rating as games go on")
    }
    .sheet()
}

/// Words around a chart that is no chart of lines.
fn words(results: &Results, title: &'static str, caption: &str) -> Words {
    let LineChart { subtitle, mark, notes, .. } = chart(results, title);
    Words { title, subtitle, mark, caption: caption.to_owned(), notes }
}

/// Ratings of all players of a tournament, the best first.
pub(super) fn ratings(results: &Results) -> Option<Sheet> {
    let mut rows: Vec<(String, Interval)> = results
        .entries
        .iter()
        .filter_map(|entry| Some((results.name(entry.player).to_owned(), entry.rating?)))
        .collect();
    rows.sort_by(|one, other| other.1.estimate.total_cmp(&one.1.estimate));
    if results.tournament.players.len() < 3 || rows.len() < 2 {
        return None;
    }
    // Where ratings are known, the mean of all says nothing.
    let has_scale = results.tournament.players.iter().any(|player| player.rating.is_some());
    let caption = match has_scale {
        true => "Ratings on the scale of the players whose rating is known, the best first.",
        false => "Ratings about the mean of all players, the best first. The line at 0 is that mean.",
    };
    let words = words(results, "Ratings", caption);
    ValueChart { words, axis: "Elo", neutral: (!has_scale).then_some(0.0), rows }.sheet()
}

/// Largest number of pairs of games whose points say more than how a difference goes on.
const FEW_PAIRS: u64 = 30;

/// Pairs of games of a small match by the points of the first player.
pub(super) fn pairs(results: &Results) -> Option<Sheet> {
    let [one] = results.played.as_slice() else { return None };
    let pairs = one.standing.pairs;
    if pairs.number() > FEW_PAIRS || results.has_odds() {
        return None;
    }
    let share = |count: u64| count as f64 / pairs.number().max(1) as f64;
    let names = ["0", "0.5", "1", "1.5", "2"].map(str::to_owned);
    let first = results.name(one.pairing.first);
    let caption = format!(
        "Points of {first} in the two games of an opening, with colours reversed. Bars on the right are pairs that it \
         won, on the left pairs that it lost."
    );
    let words = Words {
        subtitle: format!("{first}; {}", counted(pairs.number(), "pair of games", "pairs of games")),
        notes: Vec::new(),
        ..words(results, "Points in pairs of games", &caption)
    };
    let shares = names.into_iter().zip(pairs.counts().map(share)).collect();
    BarChart { words, bars: "points of two", axis: "share of the pairs, %", shares }.sheet()
}

pub(super) fn score_by_multiple(results: &Results) -> Option<Sheet> {
    let curves = curves(results);
    let has_several = curves.iter().any(|(name, _)| curves.iter().filter(|(other, _)| other == name).count() > 1);
    // A score at a single multiple is in the table.
    if results.strengths.iter().all(|strength| strength.points.len() < 2) {
        return None;
    }
    let mut panels: Vec<(String, Vec<Line>)> = Vec::new();
    for strength in &results.strengths {
        let (name, processors) = &curves[strength.player];
        let (panel, name) = match has_several {
            true => (name.clone(), counted(*processors as usize, "processor", "processors")),
            false => (String::new(), results.name(strength.player).to_owned()),
        };
        let lines = &mut found_or_added(&mut panels, |(other, _)| *other == panel, || (panel.clone(), Vec::new())).1;
        let (first, last) = (strength.points.first()?.0, strength.points.last()?.0);
        let places = (0..=PIECES).map(|piece| first * (last / first).powf(f64::from(piece) / f64::from(PIECES)));
        let fit = places.filter_map(|multiple| Some((multiple, strength.expected(multiple)?)));
        let points = strength.points.clone();
        lines.push(Line { fit: fit.collect(), ..line(results, name, lines.len(), points) });
    }
    let base = chart(results, "Score by the multiple of the limit");
    LineChart {
        caption: "Score of the player against an opponent that has k times its limit. Where a line crosses one half, \
                  that opponent is as strong."
            .to_owned(),
        notes: [base.notes.clone(), vec!["Lines: the fitted logistic curves.".to_owned()]].concat(),
        x: ("multiple k of the limit".to_owned(), Quantity::Factors),
        y: ("score, %".to_owned(), Quantity::Shares),
        compared: Some(Compared::Level(0.5, "even")),
        panels,
        ..base
    }
    .sheet()
}

pub(super) fn game_lengths(results: &Results) -> Option<Sheet> {
    let [won, drawn] = lengths(results);
    // A point at the end, and the steps to it.
    let curve = |name: &str, look: usize, points: Vec<(f64, f64)>| {
        let before = std::iter::once(0.0).chain(points.iter().map(|point| point.1));
        let steps = points.iter().zip(before).flat_map(|((plies, share), before)| [(*plies, before), (*plies, *share)]);
        let end = points.last().map(|(plies, share)| (*plies, Interval::unknown(*share)));
        Line { name: name.to_owned(), look, points: end.into_iter().collect(), fit: steps.collect(), ..Line::default() }
    };
    LineChart {
        caption: "The share of all games that are over after so many plies, those of the opening included, \
                  apart for games that somebody won and games that were drawn."
            .to_owned(),
        notes: Vec::new(),
        x: ("plies".to_owned(), Quantity::Amounts),
        y: ("share of games that are over, %".to_owned(), Quantity::Shares),
        panels: one_panel(vec![curve("won by either side", 0, won), curve("drawn", 1, drawn)]),
        ..chart(results, "Lengths of games")
    }
    .sheet()
}

pub(super) fn by_move(results: &Results, what: Spent) -> Option<Sheet> {
    let is_timed = results.games().any(|game| !game.times_ms.is_empty());
    let (title, axis) = match what {
        Spent::Milliseconds if !is_timed => return None,
        Spent::Milliseconds => ("Time for a move", "milliseconds"),
        Spent::Depth => ("Depth of a move", "plies"),
    };
    let of_player = |(look, entry): (usize, &super::Entry)| {
        line(results, results.name(entry.player), look, spent(results, entry.player, what))
    };
    let lines: Vec<Line> = results.entries.iter().enumerate().map(of_player).collect();
    // As many in each panel.
    let size = lines.len().div_ceil(lines.len().div_ceil(MOST_LINES).max(1)).max(1);
    let panels = lines.chunks(size).map(|lines| (String::new(), lines.to_vec())).collect();
    LineChart {
        caption: "Means over games, five moves at once, as far as ten games or more last that long.".to_owned(),
        notes: vec![format!("Bars: {} intervals for games like these.", level())],
        x: ("number of the move".to_owned(), Quantity::Amounts),
        y: (axis.to_owned(), Quantity::Amounts),
        panels,
        ..chart(results, title)
    }
    .sheet()
}
