//! The book of openings that ships, and how it was made: our engine looks at the best few moves of each position, one
//! of those that are nearly as good as the best is drawn, and what comes out is kept if a longer search finds it even.

use std::collections::HashSet;

use rayon::prelude::*;

use super::Opening;
use crate::chess::choice::BoardChoice;
use crate::chess::{Board, Move, Score};
use crate::play::contest::PlayError;
use crate::play::game::Game;
use crate::play::player::{Entrant, Player};
use crate::random::SplitMix;
use crate::search::features::Preset;

/// Lines of the book, and comments.
static TEXT: &str = include_str!("../../../positions/openings.txt");

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
    /// Largest score of either side at the end of a line, in thousandths of a pawn.
    pub bound: i32,
    /// Nodes of the search for that score.
    pub nodes_at_end: u64,
    /// Seed of the moves.
    pub seed: u64,
}

/// Size of the table of the searches in MiB.
const TABLE_MIB: u32 = 4;
/// Candidates that are looked at side by side.
const AT_ONCE: usize = 64;
/// Candidates in a row without a new line after which there are taken to be no more.
const MOST_KNOWN: usize = 4_096;

/// Lines of the book.
pub fn lines() -> impl Iterator<Item = &'static str> {
    TEXT.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

/// Fingerprint of the lines of the book.
pub fn fingerprint() -> String {
    crate::fingerprint::fingerprint(lines().flat_map(|line| line.bytes().chain([b'\n'])))
}

/// Openings of the book, in an order that the seed gives.
pub(super) fn openings(seed: u64, count: usize) -> Result<Vec<Opening>, PlayError> {
    let mut lines: Vec<&str> = lines().collect();
    if lines.len() < count {
        return Err(PlayError::FewOpenings { found: lines.len(), wanted: count });
    }
    let mut random = SplitMix::new(seed);
    for last in (1..lines.len()).rev() {
        lines.swap(last, random.below(last as u64 + 1) as usize);
    }
    Ok(lines.into_iter().take(count).map(opening).collect())
}

/// The opening of a line.
fn opening(line: &str) -> Opening {
    let mut game = Game::default();
    for text in line.split_whitespace() {
        let is_legal = game.play_text(text);
        debug_assert!(is_legal, "a test reads the book");
    }
    Opening(game.moves().to_vec())
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
    let base = SplitMix::new(rule.seed).next();
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let (mut next, mut newest) = (0, 0);
    while found.len() < count {
        if next - newest >= MOST_KNOWN {
            return Err(PlayError::FewOpenings { found: found.len(), wanted: count });
        }
        let candidates: Vec<Option<(Opening, String)>> = (next..next + AT_ONCE)
            .into_par_iter()
            .map_init(
                || [rule.nodes, rule.nodes_at_end].map(|nodes| player(nodes, board)),
                |players, number| candidate(rule, SplitMix::new(base ^ number as u64), players),
            )
            .collect::<Result<_, PlayError>>()?;
        next += AT_ONCE;
        for (opening, position) in candidates.into_iter().flatten() {
            if found.len() < count && seen.insert(position) {
                newest = next;
                found.push(opening);
            }
        }
        tell(found.len());
    }
    Ok(found)
}

fn player(nodes: u64, board: BoardChoice) -> Result<Player, PlayError> {
    let entrant = Entrant::of_nodes(Preset::Modern, nodes, TABLE_MIB);
    Player::new(&entrant, board)
}

/// A line, if it ends evenly, with the position that it leads to.
fn candidate(
    rule: &BookRule,
    mut random: SplitMix,
    players: &mut [Result<Player, PlayError>; 2],
) -> Result<Option<(Opening, String)>, PlayError> {
    let [chooser, judge] = players;
    let [chooser, judge] =
        [chooser, judge].map(|player| player.as_mut().map_err(|error| PlayError::NoTable(error.to_string())));
    let (chooser, judge) = (chooser?, judge?);
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
    let position = game.board().setup().to_string().split(' ').take(4).collect::<Vec<_>>().join(" ");
    Ok((score.abs() <= rule.bound).then(|| (Opening(game.moves().to_vec()), position)))
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let rule = BookRule { plies: 4, choices: 3, distance: 400, nodes: 300, bound: 800, nodes_at_end: 500, seed: 3 };
        let made = make(&rule, 8, BoardChoice::Bitboards(SlidersChoice::default()), &|_| {}).unwrap();
        let by_one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(by_one.install(|| make(&rule, 8, BoardChoice::Mailbox, &|_| {})).unwrap(), made);
        assert!(made.iter().all(|opening| opening.0.len() == 4));
    }
}
