//! The book of openings that ships, and how it was made: our engine looks at the best few moves of each position, one
//! of those that are nearly as good as the best is drawn, and what comes out is kept if a longer search finds it even,
//! or one side as far ahead as the rule says.

use super::{Candidate, Opening, gather};
use crate::chess::choice::BoardChoice;
use crate::chess::{Move, Score};
use crate::entrant::Entrant;
use crate::error::PlayError;
use crate::game::Game;
use crate::player::Player;
use crate::random::SplitMix;
use crate::search::features::Preset;
use splitpoint_positions::OPENINGS as TEXT;

/// Rule by which a book is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookRule {
    /// Number of plies of a line.
    pub plies: u32,
    /// Number of best moves of which one is drawn.
    pub choices: usize,
    /// Largest distance of a move that is drawn from the best, in thousandths of a pawn.
    pub distance: i32,
    /// Nodes of the search for the best moves.
    pub nodes: u64,
    /// Smallest score of the side that is ahead at the end of a line, in thousandths of a pawn.
    pub ahead: i32,
    /// Largest score of it.
    pub bound: i32,
    /// Nodes of the search for that score.
    pub nodes_at_end: u64,
    /// Seed of the moves.
    pub seed: u64,
}

/// Size of the table of the searches in MiB.
const TABLE_MIB: u32 = 4;

/// Lines of the book.
pub fn lines() -> impl Iterator<Item = &'static str> {
    TEXT.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

/// Fingerprint of the lines of the book.
pub fn fingerprint() -> String {
    crate::fingerprint::fingerprint(lines().flat_map(|line| [line, "\n"]))
}

/// Openings of the book, in an order that the seed gives.
pub(super) fn openings(seed: u64, count: usize) -> Result<Vec<Opening>, PlayError> {
    Ok(super::shuffled(lines(), seed, count)?.map(opening).collect())
}

/// The opening of a line.
fn opening(line: &str) -> Opening {
    let mut game = Game::default();
    for text in line.split_whitespace() {
        let is_legal = game.play_text(text);
        debug_assert!(is_legal, "a test reads the book");
    }
    Opening { start: None, moves: game.moves().to_vec() }
}

/// Makes the lines of a book. They depend on the rule alone. `tell` gets their number from time to time.
///
/// # Errors
/// If there are not as many, or if a search fails.
pub fn make(
    rule: &BookRule,
    count: usize,
    board: BoardChoice,
    tell: &dyn Fn(usize),
) -> Result<Vec<Opening>, PlayError> {
    let players = [rule.nodes, rule.nodes_at_end].map(|nodes| Entrant::of_nodes(Preset::Modern, nodes, TABLE_MIB));
    gather((rule.seed, count), (&players, board), |random, players, _| candidate(rule, random, players), tell)
}

/// A line, if it ends as evenly as the rule says.
fn candidate(rule: &BookRule, mut random: SplitMix, players: &mut [Player]) -> Result<Option<Candidate>, PlayError> {
    let [chooser, judge] = players else { return Ok(None) };
    let mut game = Game::default();
    for _ in 0..rule.plies {
        if game.end().is_some() {
            return Ok(None);
        }
        chooser.forget()?;
        let best = chooser.best_moves(&game, rule.choices)?;
        let Some((_, Score(most))) = best.first().copied() else { return Ok(None) };
        let good: Vec<Move> =
            best.iter().filter(|(_, Score(score))| most - score <= rule.distance).map(|(mv, _)| *mv).collect();
        game.play(good[random.below(good.len() as u64) as usize]);
    }
    if game.end().is_some() {
        return Ok(None);
    }
    judge.forget()?;
    let Score(score) = judge.think(&game, None)?.score;
    Ok((rule.ahead..=rule.bound).contains(&score.abs()).then(|| Candidate::of(&game)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::chess::Board;
    use crate::chess::choice::SlidersChoice;

    #[test]
    fn the_book_has_enough_different_lines_of_legal_moves() {
        let lines: Vec<&str> = lines().collect();
        assert!(lines.len() >= 2_000, "{}", lines.len());
        let mut positions = HashSet::new();
        for line in &lines {
            let mut game = Game::default();
            assert!(line.split(' ').all(|text| game.play_text(text)), "{line}");
            assert_eq!((game.plies(), game.end()), (8, None), "{line}");
            positions.insert(game.board().setup().to_string());
        }
        assert_eq!(positions.len(), lines.len());
    }

    #[test]
    fn a_seed_gives_an_order() {
        let drawn = |seed, count| openings(seed, count).unwrap();
        assert_eq!(drawn(1, 5), drawn(1, 9)[..5], "a longer match begins with the openings of a shorter one");
        assert_ne!(drawn(1, 5), drawn(2, 5));
        let error = openings(0, 1_000_000).unwrap_err();
        assert!(error.to_string().contains("different openings"), "{error}");
    }

    #[test]
    fn making_depends_on_the_rule_alone() {
        let (bound, nodes_at_end) = (200, 500);
        let rule = BookRule { plies: 6, choices: 3, distance: 400, nodes: 300, ahead: 0, bound, nodes_at_end, seed: 3 };
        let made = make(&rule, 8, BoardChoice::Bitboards(SlidersChoice::default()), &|_| {}).unwrap();
        let by_one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(by_one.install(|| make(&rule, 8, BoardChoice::Mailbox, &|_| {})).unwrap(), made);
        assert!(made.iter().all(|opening| opening.moves.len() == 6));
        // Where one side is to be ahead, these are left out.
        let rule = BookRule { ahead: bound + 1, bound: 2_000, ..rule };
        let unbalanced = make(&rule, 8, BoardChoice::Mailbox, &|_| {}).unwrap();
        assert!(unbalanced.iter().all(|opening| !made.contains(opening)));
    }
}
