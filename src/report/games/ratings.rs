//! Ratings by maximum likelihood: those with which the points of all games are likeliest, if the expected score of a
//! game is the logistic curve of the difference between its players.

use super::standing::{Played, observations};
use crate::record::PlayerInfo;
use crate::statistics::{Interval, Logistic, elo_of_odds};

/// Width of an interval in Elo below which there is none.
const LEAST_WIDTH: f64 = 1e-3;

/// Rating of each player with its interval: on the scale of those whose rating is known, else about the mean of those
/// that have one. The two games of an opening depend on one another, and are a cluster. A player that has won all games
/// or lost all has no rating, nor has one that others are not connected with.
pub(super) fn ratings(players: &[PlayerInfo], played: &[Played]) -> Vec<Option<Interval>> {
    let mut rated: Vec<usize> = (0..players.len()).collect();
    // Without a player that is beyond all others, another may be.
    while let Some(beyond) = rated.iter().position(|player| is_beyond(*player, &rated, played)) {
        rated.remove(beyond);
    }
    let place = |player: usize| rated.iter().position(|other| *other == player);
    let contests = played.iter().filter_map(|one| {
        let sides = [(place(one.pairing.first)?, 1.0), (place(one.pairing.second)?, -1.0)];
        // The first of those that are rated is what the others are compared with.
        let mut x = vec![0.0; rated.len() - 1];
        for (place, sign) in sides.into_iter().filter(|(place, _)| *place > 0) {
            x[place - 1] += sign;
        }
        Some((x, one))
    });
    let mut ratings = vec![None; players.len()];
    let Some(fit) = Logistic::fit(&observations(contests)) else { return ratings };
    // What others are measured from: the mean of those that are known.
    let known: Vec<(usize, i32)> =
        rated.iter().enumerate().filter_map(|(at, player)| Some((at, players[*player].rating?))).collect();
    let mean = known.iter().map(|(_, rating)| f64::from(*rating)).sum::<f64>() / known.len().max(1) as f64;
    let is_scale = |place: usize| known.is_empty() || known.iter().any(|(at, _)| *at == place);
    let share = 1.0 / (0..rated.len()).filter(|place| is_scale(*place)).count() as f64;
    for (place, player) in rated.iter().enumerate() {
        let own = |other: usize| if other == place { 1.0 } else { 0.0 };
        let weight = |other: usize| own(other) - if is_scale(other) { share } else { 0.0 };
        let weights: Vec<f64> = (1..rated.len()).map(weight).collect();
        let rating = fit.sum(&weights).map(|difference| mean + elo_of_odds(difference));
        // Games that all went the same way have no spread, and what the scale is fixed by has none of its own.
        let has_spread = rating.high - rating.low > LEAST_WIDTH;
        ratings[*player] = Some(if has_spread { rating } else { Interval::unknown(rating.estimate) });
    }
    ratings
}

/// Whether a player has won all its games against these players, or lost all, or has played none.
fn is_beyond(player: usize, among: &[usize], played: &[Played]) -> bool {
    let (mut half_points, mut games) = (0, 0);
    for one in played {
        let is_among = among.contains(&one.pairing.first) && among.contains(&one.pairing.second);
        if let (Some(side), true) = (one.side_of(player), is_among) {
            half_points += one.games.iter().map(|game| game.half_points(side)).sum::<u32>();
            games += one.games.len() as u32;
        }
    }
    half_points == 0 || half_points == 2 * games
}
