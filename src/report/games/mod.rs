//! Matches and tournaments: from the games of a folder to ratings and strength speedups, and the questions that they
//! answer.
//!
//! Two players are not compared as two sides over common positions are, for there are no two sides to subtract: one
//! game gives one result of both. What is independent is the pair of games of an opening, whose points are bounded and
//! add up to a score, and a rating follows from that score; so intervals and tests are those of pairs of games.

mod answer;
mod block;
mod charts;
mod fairness;
mod lengths;
mod questions;
mod ratings;
mod standing;
mod strength;
mod tables;
#[cfg(test)]
mod tests;

use std::path::Path;

use super::beside::Beside;
use super::error::ReportError;
use super::source::in_short;
use crate::record::folder::{self, FolderError};
use crate::record::journal::{self, Held};
use crate::record::{Environment, Form, GameRecord, Pairing, TOURNAMENT, Tournament};
use crate::statistics::Interval;
use standing::Played;
use strength::Strength;

pub use answer::PairVerdict;
pub use block::block;
pub use standing::{Standing, Work};

/// Player with what its games say of it.
#[derive(Clone, Debug)]
struct Entry {
    /// Place among the players of the tournament.
    player: usize,
    /// Standing against all others together.
    standing: Standing,
    /// Rating on the scale of those that are known, or its difference from the mean of all players. With odds there is
    /// none.
    rating: Option<Interval>,
}

/// All that is known of a tournament.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    tournament: Tournament,
    /// Pairings of which games are over.
    played: Vec<Played>,
    /// Players, the best first; with odds in the order of the tournament.
    entries: Vec<Entry>,
    /// With odds, strength of each player in multiples of its opponent's limit.
    strengths: Vec<Strength>,
    /// Sentences on lines of the journals that are left out.
    pub(super) left_out: Vec<String>,
    /// Where the games were played.
    environment: Environment,
}

impl Results {
    fn of(tournament: Tournament, games: Vec<Held<GameRecord>>, beside: Option<&Beside>) -> Self {
        let left_out = in_short(&games.iter().flat_map(|held| held.warnings.clone()).collect::<Vec<_>>());
        let all = tournament.pairings.iter().zip(games).map(|(pairing, held)| {
            let (pairing, standing, mut games) = (pairing.clone(), Standing::of(&held.records), held.records);
            games.sort_by_key(|game| game.number);
            Played { pairing, games, standing }
        });
        let played: Vec<Played> = all.filter(|played| !played.games.is_empty()).collect();
        let has_odds = tournament.form == Form::Odds;
        let ratings = if has_odds { Vec::new() } else { ratings::ratings(&tournament.players, &played) };
        let entry = |player: usize| Entry {
            player,
            standing: Standing::of_player(player, &played),
            rating: ratings.get(player).copied().flatten(),
        };
        let mut entries: Vec<Entry> = (0..tournament.players.len()).map(entry).collect();
        entries.retain(|entry| entry.standing.games() > 0);
        let strengths = if has_odds { strength::strengths(&tournament, &played, beside) } else { Vec::new() };
        if !has_odds {
            let score = |entry: &Entry| entry.standing.score();
            entries.sort_by(|one, other| score(other).total_cmp(&score(one)));
        }
        Self { tournament, played, entries, strengths, left_out, environment: Environment::default() }
    }

    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Difference in rating of one player from another, with an interval of this level; nothing if they have not met.
    pub fn elo(&self, first: usize, second: usize, level: f64) -> Option<Interval> {
        let met = self.played.iter().find_map(|played| Some((played.side_of(first)?, played.side_of(second)?, played)));
        let (side, _, played) = met.filter(|_| first != second && !self.has_odds())?;
        let pairs = if side == 0 { played.standing.pairs } else { played.standing.pairs.reversed() };
        Some(pairs.elo_at(level))
    }

    /// Logarithm of the multiple of its opponent's limit at which a player scores one half, with an interval of this
    /// level; nothing without odds, or if one side has won everything.
    pub fn even(&self, player: usize, level: f64) -> Option<Interval> {
        let strength = self.strengths.iter().find(|strength| strength.player == player)?;
        Some(strength.curve.as_ref()?.even_at(level))
    }

    /// Words for the number of games that are missing: none are if a sequential test has decided before them.
    pub fn missing(&self) -> Option<String> {
        let (all, played) = (self.tournament.total_games() as usize, self.games().count());
        let is_decided = self.tournament.test.is_some_and(|test| test.decision.is_some());
        (played < all && !is_decided)
            .then(|| format!("preliminary, since {} of {all} games are missing.", all - played))
    }

    fn name(&self, player: usize) -> &str {
        &self.tournament.players[player].name
    }

    fn has_odds(&self) -> bool {
        self.tournament.form == Form::Odds
    }

    /// Whether all players play on virtual processors, so that the games depend on nothing else.
    fn is_virtual(&self) -> bool {
        let mut all = self.tournament.players.iter().chain(&self.tournament.opponents);
        all.all(|player| player.machine == crate::record::MachineKind::Virtual)
    }

    /// Standing after all games, from the view of the first player of each.
    fn total(&self) -> Standing {
        Standing::of_sides(self.played.iter().map(|played| (0, played)))
    }

    /// All games.
    pub fn games(&self) -> impl Iterator<Item = &GameRecord> {
        self.played.iter().flat_map(|played| &played.games)
    }
}

impl Results {
    /// Reads the games of a folder, and the results beside them.
    pub fn read(folder: &Path, beside: Option<&Path>) -> Result<Self, ReportError> {
        let tournament = Tournament::read(folder)?
            .ok_or_else(|| FolderError::damaged(folder, format!("it holds no games: it has no {TOURNAMENT}")))?;
        let read = |pairing: &Pairing| journal::read_lines(&folder.join(&pairing.folder));
        let games = tournament.pairings.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let environment = Environment::read(&folder::environment(folder)?);
        let beside = beside.map(Beside::read).transpose()?;
        Ok(Self { environment, ..Self::of(tournament, games, beside.as_ref()) })
    }
}
