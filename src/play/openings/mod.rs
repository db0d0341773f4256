//! Openings of games: drawn at random, or from the book that ships.

pub mod book;
mod file;
mod random;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::entrant::Entrant;
use super::error::PlayError;
use super::game::Game;
use super::player::Player;
use crate::chess::choice::BoardChoice;
use crate::chess::{Board, Move, Setup};
use crate::random::SplitMix;

pub use file::OpeningsFile;
pub use random::{OpeningRule, openings};

/// An opening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Position that it begins with, if it is not the start position.
    pub start: Option<Setup>,
    /// Moves that are made from there before the players begin.
    pub moves: Vec<Move>,
}

impl Opening {
    /// Game in which it has been played.
    pub fn game(&self) -> Game {
        let mut game = self.start.as_ref().map_or_else(Game::default, Game::from_setup);
        self.moves.iter().for_each(|mv| game.play(*mv));
        game
    }
}

/// The moves in coordinates: `e2e4 e7e5`.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> = self.moves.iter().map(Move::to_string).collect();
        f.write_str(&moves.join(" "))
    }
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// Random moves.
    Random(OpeningRule),
    /// The book that ships, in an order that this seed gives.
    Book {
        /// Seed of the order.
        seed: u64,
    },
    /// Those of a file, in an order that this seed gives.
    File {
        /// The openings.
        file: Arc<OpeningsFile>,
        /// Seed of the order.
        seed: u64,
    },
}

impl Openings {
    /// Draws a number of different openings; searches are on this board.
    ///
    /// # Errors
    /// If there are not as many, or if a search fails.
    pub fn draw(&self, count: usize, board: BoardChoice) -> Result<Vec<Opening>, PlayError> {
        match self {
            Self::Random(rule) => openings(rule, count, board),
            Self::Book { seed } => book::openings(*seed, count),
            Self::File { file, seed } => shuffled(file.openings.iter(), *seed, count).map(|all| all.cloned().collect()),
        }
    }

    /// Openings of the same kind in another order, or others, by a number of which 0 is the same openings.
    #[must_use]
    pub fn others(&self, number: i32) -> Self {
        let seed_of = |seed: &u64| seed.wrapping_add(u64::from(number.rem_euclid(1 << 16) as u32) << 32);
        match self {
            Self::Random(rule) => Self::Random(OpeningRule { seed: seed_of(&rule.seed), ..rule.clone() }),
            Self::Book { seed } => Self::Book { seed: seed_of(seed) },
            Self::File { file, seed } => Self::File { file: Arc::clone(file), seed: seed_of(seed) },
        }
    }

    /// Settings that the openings depend on.
    pub fn description(&self) -> Value {
        match self {
            Self::Random(OpeningRule { plies, bound, seed }) => {
                json!({ "opening_plies": [plies.start(), plies.end()], "opening_bound": bound, "seed": seed })
            }
            Self::Book { seed } => json!({ "openings": book::fingerprint(), "seed": seed }),
            Self::File { file, seed } => json!({ "openings": file.fingerprint, "seed": seed }),
        }
    }
}

/// The first of these in an order that the seed gives.
fn shuffled<T>(all: impl Iterator<Item = T>, seed: u64, count: usize) -> Result<impl Iterator<Item = T>, PlayError> {
    let mut all: Vec<T> = all.collect();
    if all.len() < count {
        return Err(PlayError::FewOpenings { found: all.len(), wanted: count });
    }
    let mut random = SplitMix::new(seed);
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last as u64 + 1) as usize);
    }
    Ok(all.into_iter().take(count))
}

/// A line of moves that may be taken.
struct Candidate {
    opening: Opening,
    /// Position that it leads to.
    position: String,
    /// Whether the opening is good enough.
    is_taken: bool,
}

impl Candidate {
    /// The moves of a game, and its position without the counters.
    fn of(game: &Game) -> Self {
        let position = game.board().setup().to_string().split(' ').take(4).collect::<Vec<_>>().join(" ");
        Self { opening: Opening { start: None, moves: game.moves().to_vec() }, position, is_taken: true }
    }
}

/// Candidates in a row without a new position after which there are taken to be no more.
const MOST_KNOWN: usize = 4_096;
/// Candidates that are looked at side by side.
const AT_ONCE: usize = 64;

/// The first candidates of different positions that are good enough. Each is drawn with a generator of its own number,
/// by players of these entrants, and knows the positions before. `tell` gets the number of openings from time to time.
///
/// # Errors
/// If there are not as many, or if a search fails.
fn gather<const N: usize>(
    (seed, count): (u64, usize),
    (entrants, board): (&[Entrant; N], BoardChoice),
    candidate: impl Fn(SplitMix, &mut [Player], &HashSet<String>) -> Result<Option<Candidate>, PlayError> + Sync,
    tell: &dyn Fn(usize),
) -> Result<Vec<Opening>, PlayError> {
    let base = SplitMix::new(seed).next();
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    let (mut next, mut newest) = (0, 0);
    while found.len() < count {
        if next - newest >= MOST_KNOWN {
            return Err(PlayError::FewOpenings { found: found.len(), wanted: count });
        }
        let candidates: Vec<Option<Candidate>> = (next..next + AT_ONCE)
            .into_par_iter()
            .map_init(
                || entrants.iter().map(|entrant| Player::new(entrant, board)).collect::<Result<Vec<_>, _>>(),
                |players, number| {
                    let players = players.as_mut().map_err(|error| PlayError::NoTable(error.to_string()))?;
                    candidate(SplitMix::new(base ^ number as u64), players, &known)
                },
            )
            .collect::<Result<_, PlayError>>()?;
        next += AT_ONCE;
        for Candidate { opening, position, is_taken } in candidates.into_iter().flatten() {
            if known.insert(position) {
                newest = next;
                found.extend(Some(opening).filter(|_| is_taken));
            }
        }
        found.truncate(count);
        tell(found.len());
    }
    Ok(found)
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random(rule) => write!(f, "openings of {} random plies, seed {}", rule.plies.start(), rule.seed),
            Self::Book { seed } => write!(f, "openings of the book, seed {seed}"),
            Self::File { file, seed } => write!(f, "openings of {}, seed {seed}", file.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_the_same_at_zero_and_others_at_every_other_number() {
        let random = OpeningRule { plies: 8..=8, bound: 1_000, seed: 7 };
        for openings in [Openings::Random(random), Openings::Book { seed: 7 }] {
            let drawn = |openings: &Openings| openings.draw(3, BoardChoice::Mailbox).unwrap();
            let of =
                |number| -> Vec<String> { drawn(&openings.others(number)).iter().map(Opening::to_string).collect() };
            assert_eq!(drawn(&openings.others(0)), drawn(&openings), "{openings}");
            assert_eq!(of(-3), of(-3), "{openings}");
            let different: HashSet<Vec<String>> = (-4..=4).map(of).collect();
            assert_eq!(different.len(), 9, "{openings}");
        }
    }
}
