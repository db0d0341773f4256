//! Random openings: legal moves from the start position that leave it about even.
//!
//! Candidates are numbered, and each is drawn with a generator of its own number; the first that are balanced and new
//! are taken. So the openings depend on the rule alone, and a longer match begins with those of a shorter one. What is
//! balanced is judged by the search of the 2004 thesis, whose signature does not change from version to version.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::{Candidate, Opening, gather};
use crate::chess::Score;
use crate::chess::choice::BoardChoice;
use crate::chess::order::CanonicalOrder;
use crate::entrant::Entrant;
use crate::error::PlayError;
use crate::game::Game;
use crate::player::Player;
use crate::random::SplitMix;
use crate::search::features::Preset;

/// Rule by which openings are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningRule {
    /// Number of random plies.
    pub plies: RangeInclusive<u32>,
    /// Largest score of either side, in thousandths of a pawn.
    pub bound: i32,
    /// Seed of the moves.
    pub seed: u64,
}

/// Nodes of the search that says whether an opening is balanced.
const NODES: u64 = 4_000;
/// Size of its table in MiB.
const TABLE_MIB: u32 = 1;

/// Draws a number of different openings; searches are on this board.
///
/// # Errors
/// If there are not as many, or if a search fails.
pub fn openings(rule: &OpeningRule, count: usize, board: BoardChoice) -> Result<Vec<Opening>, PlayError> {
    let judge = [Entrant::of_nodes(Preset::Thesis, NODES, TABLE_MIB)];
    gather(
        (rule.seed, count),
        (&judge, board),
        |random, players, judged| candidate(rule, random, players, judged),
        &|_| {},
    )
}

/// A candidate, unless its game is over or its position has been judged before.
fn candidate(
    rule: &OpeningRule,
    mut random: SplitMix,
    players: &mut [Player],
    judged: &HashSet<String>,
) -> Result<Option<Candidate>, PlayError> {
    let mut game = Game::default();
    let order = CanonicalOrder::of_seed(0);
    let (least, most) = (*rule.plies.start(), *rule.plies.end());
    let plies = least + random.below(u64::from(most.saturating_sub(least)) + 1) as u32;
    for _ in 0..plies {
        if game.end().is_some() {
            return Ok(None);
        }
        let mut list = game.legal_moves();
        order.sort(&mut list);
        game.play(list[random.below(list.len() as u64) as usize]);
    }
    let found = Candidate::of(&game);
    if game.end().is_some() || judged.contains(&found.position) {
        return Ok(None);
    }
    players[0].forget()?;
    let Score(score) = players[0].think(&game, None)?.score;
    Ok(Some(Candidate { is_taken: score.abs() <= rule.bound, ..found }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::choice::SlidersChoice;

    fn drawn(plies: RangeInclusive<u32>, bound: i32, seed: u64, count: usize) -> Vec<Opening> {
        openings(&OpeningRule { plies, bound, seed }, count, BoardChoice::Bitboards(SlidersChoice::default())).unwrap()
    }

    #[test]
    fn openings_depend_on_the_rule_alone() {
        let found = drawn(8..=8, 800, 1, 12);
        assert!(found.iter().all(|opening| opening.moves.len() == 8));
        let texts: HashSet<String> = found.iter().map(Opening::to_string).collect();
        assert_eq!(texts.len(), 12);
        assert_eq!(drawn(8..=8, 800, 1, 5), found[..5], "a longer match begins with those of a shorter one");
        assert_ne!(drawn(8..=8, 800, 2, 5), found[..5]);
        let rule = OpeningRule { plies: 8..=8, bound: 800, seed: 1 };
        let by_one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(
            by_one.install(|| openings(&rule, 12, BoardChoice::Mailbox)).unwrap(),
            found,
            "whatever board and threads"
        );
    }

    #[test]
    fn lengths_are_drawn_too() {
        let lengths: HashSet<usize> = drawn(2..=4, 5_000, 3, 40).iter().map(|opening| opening.moves.len()).collect();
        assert_eq!(lengths, HashSet::from([2, 3, 4]));
    }

    #[test]
    fn there_are_twenty_first_moves() {
        let rule = OpeningRule { plies: 1..=1, bound: 5_000, seed: 0 };
        assert_eq!(openings(&rule, 20, BoardChoice::Mailbox).unwrap().len(), 20);
        let error = openings(&rule, 21, BoardChoice::Mailbox).unwrap_err().to_string();
        assert!(error.contains("only 20 different openings"), "{error}");
    }
}
