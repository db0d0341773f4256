//! The standing of a contest: points of the first entrant, and what its games took.

use std::collections::BTreeMap;

use crate::record::{Ending, GameRecord, Pairing};
use crate::statistics::{LEVEL, Observation, Pairs, student_factor};

/// Standing from the first entrant's view.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Number of games that the first entrant lost, drew and won.
    pub results: [u64; 3],
    /// Pairs of games with one opening of which both are over.
    pub pairs: Pairs,
    /// Number of these pairs of which both games were drawn.
    pub drawn_pairs: u64,
    /// Number of games by their endings.
    pub endings: BTreeMap<Ending, u64>,
    /// Plies of all games.
    pub plies: u64,
    /// Work of each entrant.
    pub work: [Work; 2],
    /// Half points of games whose other game with the same opening is not over, by pair.
    halves: BTreeMap<u32, u32>,
}

/// Two players and their games.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub pairing: Pairing,
    pub games: Vec<GameRecord>,
    pub standing: Standing,
}

impl Played {
    /// Side of a player, if it plays here. With odds both sides have its number, and it is the first.
    pub fn side_of(&self, player: usize) -> Option<usize> {
        [self.pairing.first, self.pairing.second].iter().position(|side| *side == player)
    }
}

/// Games as observations for a logistic curve, each contest at its own place. The two games of an opening depend on one
/// another, and are a cluster.
pub(super) fn observations<'a>(contests: impl Iterator<Item = (Vec<f64>, &'a Played)>) -> Vec<Observation> {
    let (mut observations, mut clusters) = (Vec::new(), 0);
    for (x, Played { games, .. }) in contests {
        observations.extend(games.iter().map(|game| Observation {
            x: x.clone(),
            score: f64::from(game.half_points(0)) / 2.0,
            cluster: clusters + game.number as usize / 2,
        }));
        clusters += games.iter().map(|game| game.number as usize / 2 + 1).max().unwrap_or_default();
    }
    observations
}

/// Degrees of freedom with which Student's factor is the normal one.
const MANY: f64 = 1e6;
/// Share of matches that are to show a difference.
const POWER: f64 = 0.8;
/// Largest number of games that is worth telling.
const MOST_GAMES_TOLD: f64 = 1e6;

/// Work of an entrant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Moves that were searched for.
    pub moves: u64,
    /// Nodes of these searches.
    pub nodes: u64,
    /// Sum of the depths that they completed.
    pub depths: u64,
    /// Nanoseconds that they took.
    pub time_ns: u64,
}

impl Work {
    /// Mean of a sum over all moves.
    pub fn mean(&self, sum: u64) -> f64 {
        sum as f64 / self.moves as f64
    }
}

impl Standing {
    /// Standing after these games, in whatever order.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Self {
        let mut standing = Self::default();
        games.into_iter().for_each(|game| standing.add(game));
        standing
    }

    /// Standing of a player in these contests.
    pub(super) fn of_player<'a>(player: usize, contests: impl IntoIterator<Item = &'a Played>) -> Self {
        Self::of_sides(contests.into_iter().filter_map(|played| Some((played.side_of(player)?, played))))
    }

    /// Standing after several contests, each from the view of a side.
    pub(super) fn of_sides<'a>(contests: impl IntoIterator<Item = (usize, &'a Played)>) -> Self {
        let mut standing = Self::default();
        for (side, played) in contests {
            played.games.iter().for_each(|game| standing.add_for(side, game));
            // The other game of an opening is in no other contest.
            standing.halves.clear();
        }
        standing
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.add_for(0, game);
    }

    /// Adds a game from the view of one of its entrants.
    fn add_for(&mut self, entrant: usize, game: &GameRecord) {
        let points = game.half_points(entrant);
        self.results[points as usize] += 1;
        match self.halves.remove(&(game.number / 2)) {
            Some(other) => {
                self.pairs.add(points + other);
                self.drawn_pairs += u64::from([points, other] == [1, 1]);
            }
            None => drop(self.halves.insert(game.number / 2, points)),
        }
        *self.endings.entry(game.ending).or_default() += 1;
        self.plies += game.plies() as u64;
        for (entrant, work) in [entrant, 1 - entrant].into_iter().zip(&mut self.work) {
            let color = game.color_of(entrant);
            work.moves += game.moves_of(color) as u64;
            work.nodes += game.nodes[color.index()];
            work.time_ns += game.time_ns[color.index()];
            work.depths += game.places_of(color).map(|place| u64::from(game.depths[place])).sum::<u64>();
        }
    }

    /// Number of games with which four of five matches would show who is stronger, if they went on as so far. Nothing
    /// if their spread is not known or the score is even.
    pub fn games_to_show(&self) -> Option<u64> {
        let difference = self.pairs.normalised_elo();
        let of_deviation = difference.estimate * std::f64::consts::LN_10 / 800.0;
        let wanted = student_factor(LEVEL, MANY) + student_factor(2.0 * POWER - 1.0, MANY);
        let games = (wanted / of_deviation).powi(2);
        (difference.is_known() && games <= MOST_GAMES_TOLD).then(|| games.ceil() as u64)
    }

    /// Number of games whose other game with the same opening is not over.
    pub fn unpaired(&self) -> u64 {
        self.games() - 2 * self.pairs.number()
    }

    /// The standing from the second entrant's view.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut reversed = Self { pairs: self.pairs.reversed(), ..self.clone() };
        reversed.results.reverse();
        reversed.work.reverse();
        reversed.halves.values_mut().for_each(|half_points| *half_points = 2 - *half_points);
        reversed
    }

    /// Share of the points that the first entrant has.
    pub fn score(&self) -> f64 {
        (self.results[2] as f64 + self.results[1] as f64 / 2.0) / self.games() as f64
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameResult;

    fn game(number: u32, result: GameResult) -> GameRecord {
        GameRecord {
            number,
            white: number as usize % 2,
            start: String::new(),
            opening: "e2e4".into(),
            moves: "e7e5 g1f3 b8c6".into(),
            scores: vec![1, 2, 3],
            depths: vec![4, 7, 5],
            result,
            ending: Ending::Mate,
            nodes: [30, 70],
            time_ns: [3, 7],
            times_ms: Vec::new(),
            least_left_ms: [None; 2],
            fault: None,
        }
    }

    #[test]
    fn games_are_counted_for_the_first_entrant() {
        use GameResult::*;
        // A win with White and a draw with Black; a loss with White, whose other game is not over.
        let games = [game(1, Draw), game(0, WhiteWins), game(2, BlackWins)];
        let standing = Standing::of(&games);
        assert_eq!((standing.results, standing.games()), ([1, 1, 1], 3));
        assert_eq!(standing.pairs.counts(), [0, 0, 0, 1, 0]);
        assert_eq!(standing.plies, 12);
        // White makes one of the three moves, with depth 7, and the first entrant has White twice.
        let [a, b] = standing.work;
        assert_eq!((a.moves, a.nodes, a.depths, a.time_ns), (4, 130, 7 + 7 + 9, 13));
        assert_eq!((b.moves, b.nodes, b.depths, b.time_ns), (5, 170, 9 + 9 + 7, 17));

        // From the other side, and both sides together.
        let reversed = standing.reversed();
        assert_eq!((reversed.results, reversed.pairs.counts()), ([1, 1, 1], [0, 1, 0, 0, 0]));
        assert_eq!((reversed.work[0].nodes, reversed.work[1].depths), (170, 7 + 7 + 9));
        let pair = Standing::of(&games[..2]);
        assert_eq!((pair.results, pair.score(), pair.reversed().score()), ([0, 1, 1], 0.75, 0.25));
        let contest = |first, second, games: &[GameRecord]| Played {
            pairing: Pairing { first, second, multiple: None, folder: String::new() },
            games: games.to_vec(),
            standing: Standing::default(),
        };
        let contests = [contest(7, 8, &games[..2]), contest(9, 7, &games), contest(8, 9, &games)];
        let both = Standing::of_player(7, &contests);
        assert_eq!((both.results, both.games(), both.plies), ([1, 2, 2], 5, 20));
        assert_eq!((both.endings[&Ending::Mate], both.pairs.counts()), (5, [0, 1, 0, 1, 0]));
        assert_eq!((both.work[0].nodes, both.work[1].depths), (100 + 170, 16 + 7 + 7 + 9));
    }
}
