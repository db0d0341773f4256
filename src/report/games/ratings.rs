//! Ratings by maximum likelihood: those with which the points of all games are likeliest, if the expected score of a
//! game is the logistic curve of the difference between its players.

use super::standing::{Played, observations};
use crate::statistics::{Interval, Logistic, elo_of_odds};

/// Rating of each player with its interval, about the mean of those that have one. The two games of an opening depend
/// on one another, and are a cluster. A player that has won all games or lost all has no rating, nor has one that
/// others are not connected with.
pub(super) fn ratings(players: usize, played: &[Played]) -> Vec<Option<Interval>> {
    let mut rated: Vec<usize> = (0..players).collect();
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
    let mut ratings = vec![None; players];
    let Some(fit) = Logistic::fit(&observations(contests)) else { return ratings };
    let share = 1.0 / rated.len() as f64;
    for (place, player) in rated.iter().enumerate() {
        let weight = |other: usize| if other + 1 == place { 1.0 - share } else { -share };
        let weights: Vec<f64> = (0..rated.len() - 1).map(weight).collect();
        ratings[*player] = Some(fit.sum(&weights).map(elo_of_odds));
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
