//! What games say ply by ply: how many are over, and what each player spends on a move.

use std::collections::BTreeMap;

use super::Results;
use crate::record::{GameRecord, GameResult};
use crate::statistics::{Interval, mean_interval};

/// Moves of a player on which a mean is based, at least.
const FEWEST_MOVES: usize = 10;
/// Moves that are taken together.
const MOVES_AT_ONCE: usize = 5;

/// Share of games that are over after so many plies, for those that somebody has won and for those that are drawn.
pub(super) fn lengths(results: &Results) -> [Vec<(f64, f64)>; 2] {
    [false, true].map(|is_draw| {
        let of_kind = results.games().filter(|game| (game.result == GameResult::Draw) == is_draw);
        let mut plies: Vec<usize> = of_kind.map(GameRecord::plies).collect();
        plies.sort_unstable();
        let all = results.games().count() as f64;
        let mut points: BTreeMap<usize, usize> = BTreeMap::new();
        for (place, length) in plies.iter().enumerate() {
            points.insert(*length, place + 1);
        }
        points.into_iter().map(|(length, games)| (length as f64, games as f64 / all)).collect()
    })
}

/// Quantity that a player spends on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spent {
    /// Milliseconds, where they are known.
    Milliseconds,
    /// Depth that was completed.
    Depth,
}

/// Mean of what a player spends by the number of its move, each over a few moves, with its interval over games.
pub(super) fn spent(results: &Results, player: usize, spent: Spent) -> Vec<(f64, Interval)> {
    let mut by_move: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for played in &results.played {
        let Some(side) = played.side_of(player) else { continue };
        for game in &played.games {
            let mut of_game: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
            for place in game.places_of(game.color_of(side)) {
                let value = match spent {
                    Spent::Depth => Some(f64::from(game.depths[place])),
                    Spent::Milliseconds => game.times_ms.get(place).map(|time| *time as f64),
                };
                let Some(value) = value else { continue };
                let number = (game.opening_plies() + place) / 2 + 1;
                let (sum, count) = of_game.entry(number.div_ceil(MOVES_AT_ONCE)).or_default();
                *sum += value;
                *count += 1.0;
            }
            for (at, (sum, count)) in of_game {
                by_move.entry(at).or_default().push(sum / count);
            }
        }
    }
    let middle = |at: usize| (at * MOVES_AT_ONCE) as f64 - (MOVES_AT_ONCE as f64 - 1.0) / 2.0;
    let known = by_move.into_iter().filter(|(_, values)| values.len() >= FEWEST_MOVES);
    known.map(|(at, values)| (middle(at), mean_interval(&values))).collect()
}
