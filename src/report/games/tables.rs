//! Tables of matches and tournaments: for terminal and page, and for files.

use splitpoint_data::color::Color;

use super::fairness::is_fair;
use super::strength::Strength;
use super::{Entry, Played, Results, Standing};

use crate::question::File;
use crate::record::{Ending, GameRecord};
use crate::table::number::figure;
use crate::table::{Cell, Columns, Digits, Table, columns};

/// Files beside those of the questions.
pub(super) const GAMES: File<Results> = File { name: "games.csv", rows: "One row per game.", table: games };
/// Players with what their games took.
pub(super) const PLAYERS: File<Results> = File {
    name: "players.csv",
    rows: "One row per player: its points and rating, and what a move took.",
    table: |results| standings(results).and(work_of(results)).table("", "", &results.entries),
};
/// Pairs of players.
pub(super) const PAIRINGS: File<Results> = File {
    name: "pairings.csv",
    rows: "One row per pair of players, or per player and multiple of its opponent's limit.",
    table: |results| of_pairings(results).table("", "", &results.played),
};
/// Players with odds.
pub(super) const STRENGTHS: File<Results> = File {
    name: "strength.csv",
    rows: "One row per player against opponents with more of its limit. There is no such file without odds.",
    table: |results| of_strengths(results).table("", "", &results.strengths),
};

/// The table of the first screen.
pub(super) fn first(results: &Results) -> Table {
    match results.played.as_slice() {
        _ if results.has_odds() => strengths(results),
        [one] if results.tournament.players.len() == 2 => of_match(results, one),
        _ => players(results),
    }
}

/// Both players of a match: the difference between them, and how likely each is the stronger.
fn of_match(results: &Results, played: &Played) -> Table {
    let Played { pairing, standing, .. } = played;
    let is_fair = is_fair(&results.tournament.players, played);
    let sides = [(pairing.first, standing.clone()), (pairing.second, standing.reversed())];
    let columns = columns! { (usize, Standing), side;
        "player" as "player": "Name of the player" => results.name(side.0).to_owned();
        "elo" as "Elo": "Difference in rating from the other" => side.1.pairs.elo();
        "superiority" as "LOS, %" [optional]:
            "Likelihood that it is the stronger: one minus the probability of at least its score between equals" =>
            Cell::share(side.1.pairs.superiority().filter(|_| is_fair));
        "games" as "games": "Number of its games" => side.1.games();
        "won" as "won": "Games that it won" => side.1.results[2];
        "drawn" as "drawn": "Drawn games" => side.1.results[1];
        "lost" as "lost": "Games that it lost" => side.1.results[0];
        "score" as "score, %": "Its points in pairs of games, in hundredths" =>
            side.1.pairs.score().map(|score| 100.0 * score);
        "pairs" as "pairs 0 to 2": "Pairs of games in which it had 0, 0.5, 1, 1.5 and 2 points" =>
            side.1.pairs.counts().map(|count| count.to_string()).join(" ");
    };
    columns.for_readers().table("", "", sides).without_empty_columns()
}

/// Points of a player in hundredths: those of pairs, on which intervals rest, where there are any.
fn score(standing: &Standing) -> f64 {
    match standing.pairs.number() {
        0 => standing.score(),
        _ => standing.pairs.score().estimate,
    }
}

/// Games of a player that ended in a way that it lost by.
fn lost_by(results: &Results, entry: &Entry, ending: Ending) -> u64 {
    let is_lost = |game: &GameRecord, color| game.ending == ending && game.result.half_points(color) == 0;
    games_of(results, entry).filter(|(game, color)| is_lost(game, *color)).count() as u64
}

/// Games of a player, with its place in each.
fn games_of<'a>(results: &'a Results, entry: &Entry) -> impl Iterator<Item = (&'a GameRecord, Color)> {
    let player = entry.player;
    let played = results.played.iter().filter_map(move |played| Some((played.side_of(player)?, &played.games)));
    played.flat_map(|(side, games)| games.iter().map(move |game| (game, game.color_of(side))))
}

/// Least milliseconds on a player's clock after a move; none where it had no clock.
fn least_left(results: &Results, entry: &Entry) -> Option<Cell> {
    let left = games_of(results, entry).filter_map(|(game, color)| game.least_left_ms[color.index()]);
    left.min().map(Cell::Count)
}

/// Milliseconds that a player took beyond its time for a move, for each of its moves, the longest last; none where it
/// had another limit.
fn beyond_time(results: &Results, entry: &Entry) -> Vec<f64> {
    let Some(seconds) = results.tournament.players[entry.player].move_time_s() else { return Vec::new() };
    let games = games_of(results, entry);
    let times = games.flat_map(|(game, color)| game.places_of(color).filter_map(|place| game.times_ms.get(place)));
    let mut beyond: Vec<f64> = times.map(|time| (*time as f64 - seconds * 1e3).max(0.0)).collect();
    beyond.sort_by(f64::total_cmp);
    beyond
}

fn standings(results: &Results) -> Columns<'_, &Entry> {
    columns! { &Entry, entry;
        "player" as "player": "Name of the player" => results.name(entry.player).to_owned();
        "rating" as "Elo" [optional with_ends]:
            "Rating on the scale of those that are known, or its difference from the mean of all players" =>
            entry.rating;
        "rating_known" as "known" [optional]: "Rating that it was said to have" =>
            results.tournament.players[entry.player].rating.map(f64::from).map(Cell::whole);
        "games" as "games": "Number of its games" => entry.standing.games();
        "won" as "won": "Games that it won" => entry.standing.results[2];
        "drawn" as "drawn": "Drawn games" => entry.standing.results[1];
        "lost" as "lost": "Games that it lost" => entry.standing.results[0];
        "score" as "score %": "Its points in hundredths, of pairs of games" => Cell::share(score(&entry.standing));
        "lost_on_time" as "on time": "Games that it lost on time" => lost_by(results, entry, Ending::Time);
        "forfeited" as "forfeited": "Games that it lost since it ended, hung or played an illegal move" =>
            lost_by(results, entry, Ending::Forfeit);
    }
}

/// Work of each player's moves, with its limits.
fn work_of(results: &Results) -> Columns<'_, &Entry> {
    let info = move |entry: &&Entry| &results.tournament.players[entry.player];
    columns! { &Entry, entry;
        "nodes_per_move" as "nodes/move": "Mean number of nodes for a move" =>
            { let work = entry.standing.work[0]; Cell::whole(work.mean(work.nodes)) };
        "depth" as "depth": "Mean depth of a move" =>
            { let work = entry.standing.work[0]; Cell::Number(work.mean(work.depths), Digits::Decimals(1)) };
        "ms_per_move" as "ms/move": "Mean time of a move in milliseconds, of the machine" =>
            { let work = entry.standing.work[0]; work.mean(work.time_ns) * 1e-6 };
        "late_ms" as "late, ms" [optional]: "Mean time of a move beyond its limit in milliseconds" =>
            crate::statistics::mean(&beyond_time(results, entry));
        "latest_ms" as "latest, ms" [optional]: "Longest time of a move beyond its limit in milliseconds" =>
            beyond_time(results, entry).last().copied();
        "least_left_ms" as "least left, ms" [optional]:
            "Least time that was left on the clock after a move, in milliseconds" => least_left(results, entry);
        "program" as "program": "Recipe of features, or command" => info(entry).program.clone();
        "machine": "Machine that it plays on" => info(entry).machine.name();
        "processors": "Processors, or threads of an engine from outside" => info(entry).processors;
        "strategy": "Strategy by which they share a search" => info(entry).strategy.clone();
        "limit" as "limit": "Limit of a move" => info(entry).limit.clone();
    }
}

/// Standing of each player.
pub(super) fn players(results: &Results) -> Table {
    let mut table = standings(results).for_readers().table("", "", &results.entries);
    // Of two players the difference is told, and the mean of both means nothing.
    let players = &results.tournament.players;
    let is_pair = players.len() == 2 && players.iter().all(|player| player.rating.is_none());
    for (place, column) in table.columns.iter().enumerate() {
        let is_zero = || table.rows.iter().all(|row| row[place] == Cell::Count(0));
        let is_left_out = match column.name.as_str() {
            "rating" => is_pair,
            // What has not happened.
            "lost_on_time" | "forfeited" => is_zero(),
            _ => false,
        };
        if is_left_out {
            table.rows.iter_mut().for_each(|row| row[place] = Cell::Nothing);
        }
    }
    table.without_empty_columns()
}

/// Table of the work of each player's moves.
pub(super) fn work(results: &Results) -> Table {
    let player = columns! { &Entry, entry; "player": "" => results.name(entry.player).to_owned(); };
    player.and(work_of(results).for_readers()).table("", "", &results.entries)
}

/// Points of each player against each other; nothing of two players.
pub(super) fn cross(results: &Results) -> Table {
    let name = Columns::new()
        .with("player", "", |(place, entry): &(usize, &Entry)| format!("{} {}", place + 1, results.name(entry.player)));
    let columns = results.entries.iter().enumerate().fold(name, |columns, (place, other)| {
        let against = |(_, entry): &(usize, &Entry)| points(results, entry.player, other.player);
        columns.with((place + 1).to_string(), &format!("Points against {}", results.name(other.player)), against)
    });
    let title = "Points of each player against each other";
    let rows = results.entries.iter().enumerate().filter(|_| !results.has_odds() && results.entries.len() > 2);
    columns.table(title, "The number of games stands after the points.", rows)
}

fn points(results: &Results, player: usize, against: usize) -> String {
    let contests = results.played.iter().filter(|one| player != against && one.side_of(against).is_some());
    let standing = Standing::of_player(player, contests);
    let games = standing.games();
    if games == 0 { String::new() } else { format!("{:.1}/{games}", standing.score() * games as f64) }
}

fn of_pairings(results: &Results) -> Columns<'_, &Played> {
    columns! { &Played, played;
        "first" as "first": "First player" => results.name(played.pairing.first).to_owned();
        "second" as "second": "Second player" => match played.pairing.multiple {
            Some(_) => "opponent".to_owned(),
            None => results.name(played.pairing.second).to_owned(),
        };
        "multiple" as "k" [optional]: "Multiple of its limit that the opponent has" => played.pairing.multiple;
        "games" as "games": "Number of games" => played.standing.games();
        "won" as "won": "Games that the first player won" => played.standing.results[2];
        "drawn" as "drawn": "Drawn games" => played.standing.results[1];
        "lost" as "lost": "Games that the first player lost" => played.standing.results[0];
        "score" as "score" [with_ends]: "Points of the first player as a share of one" => played.standing.pairs.score();
        "elo" as "Elo" [with_ends]: "Difference in rating" => played.standing.pairs.elo();
        "normalised_elo" as "nElo" [with_ends]: "Difference in rating by the deviation of a game" =>
            played.standing.pairs.normalised_elo();
        "superiority" as "LOS, %" [optional]:
            "Likelihood that the first player is the stronger: one minus the probability of at least its score \
             between equals" =>
            Cell::share(played.standing.pairs.superiority());
        "pairs" as "pairs 0 to 2": "Pairs of games in which the first player had 0, 0.5, 1, 1.5 and 2 points" =>
            played.standing.pairs.counts().map(|count| count.to_string()).join(" ");
    }
}

/// All pairs of players.
pub(super) fn pairings(results: &Results) -> Table {
    of_pairings(results).for_readers().table("", "", &results.played).without_empty_columns()
}

fn of_strengths(results: &Results) -> Columns<'_, &Strength> {
    let info = move |strength: &&Strength| &results.tournament.players[strength.player];
    columns! { &Strength, strength;
        "player" as "player": "Name of the player" => results.name(strength.player).to_owned();
        "processors": "Its processors, or threads" => info(strength).processors;
        "games" as "games": "Number of its games" => strength.games;
        "even_multiple" as "even at k" [with_ends]:
            "Multiple of its limit with which the opponent scores the same" => strength.even;
        "even_nodes" as "even in nodes" [optional with_ends]:
            "Nodes of the opponent for a move, as a multiple of the player's, where both score the same" =>
            strength.even_nodes;
        "elo" as "Elo at k = 1" [with_ends]: "Difference in rating by the fitted curve at k = 1" =>
            strength.elo;
        "time_speedup" as "time speedup" [optional with_ends]:
            "Time speedup of the same strategy on as many processors, from another run" => strength.time_speedup;
        "played" as "k played": "Smallest and largest multiple that was played" => range(strength);
        "strategy": "Strategy by which its processors share a search" => info(strength).strategy.clone();
        "limit": "Limit of a move of the player" => info(strength).limit.clone();
    }
}

fn range(strength: &Strength) -> Option<String> {
    let (first, last) = (strength.points.first()?, strength.points.last()?);
    Some(format!("{} to {}", figure(first.0), figure(last.0)))
}

/// Strength of each player in multiples of its opponent's limit.
pub(super) fn strengths(results: &Results) -> Table {
    of_strengths(results).for_readers().table("", "", &results.strengths).without_empty_columns()
}

/// Number of games by their ending.
pub(super) fn endings(results: &Results) -> Table {
    let total = results.total();
    let games = total.games() as f64;
    let columns = columns! { (Ending, u64), row;
        "ending": "How a game ended" => row.0.name();
        "games": "Number of games" => row.1;
        "share" as "%": "Share of all games in hundredths" => Cell::share(row.1 as f64 / games);
    };
    columns.table("", "", total.endings)
}

fn games(results: &Results) -> Table {
    let rows = results.played.iter().flat_map(|played| played.games.iter().map(move |game| (played, game)));
    let columns = columns! { (&Played, &GameRecord), row;
        "first": "First player" => results.name(row.0.pairing.first).to_owned();
        "second": "Second player" => results.name(row.0.pairing.second).to_owned();
        "multiple": "Multiple of its limit that the opponent has" => row.0.pairing.multiple;
        "game": "Number of the game, from 0" => row.1.number;
        "white": "Which of the two has White" => ["first", "second"][row.1.white];
        "result": "Result" => row.1.result.name();
        "points": "Points of the first player" => f64::from(row.1.half_points(0)) / 2.0;
        "ending": "How the game ended" => row.1.ending.name();
        "plies": "Number of plies with those of the opening" => row.1.plies();
        "start": "Position that the opening begins with, if it is not the start position" => row.1.start.clone();
        "opening": "Moves of the opening" => row.1.opening.clone();
        "nodes_white": "Nodes that White searched" => row.1.nodes[0];
        "nodes_black": "Nodes that Black searched" => row.1.nodes[1];
        "time_white_s": "Seconds that White took" => Cell::Time(row.1.time_ns[0]);
        "time_black_s": "Seconds that Black took" => Cell::Time(row.1.time_ns[1]);
    };
    columns.table("", "", rows)
}
