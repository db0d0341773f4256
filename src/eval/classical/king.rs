//! Kings: the pawns that shelter them, and the enemy officers that attack around them.

use super::pawns::{Facts, files};
use super::pieces::Attacks;
use super::seen_by;
use super::tally::Tally;
use super::terms::*;
use crate::chess::PieceKind::{Queen, Rook};
use crate::chess::{Board, Color, Piece, SquareSet};

/// Number of weights of attacks.
const MOST_UNITS: u32 = 31;
/// Units of attack for each further attacker.
const TOGETHER: u32 = 2;

/// Counts the safety of both kings.
pub fn count<B: Board, T: Tally>(tally: &mut T, board: &B, facts: &Facts, attacks: &Attacks) {
    for color in Color::ALL {
        let side = if color == Color::White { 1 } else { -1 };
        let (us, them) = (color.index(), (!color).index());
        let king = board.king(color);
        let centre = king.file().clamp(1, 6);
        let has_heavy = board.has_any(Piece::new(!color, Rook)) || board.has_any(Piece::new(!color, Queen));
        for file in centre - 1..=centre + 1 {
            let file = SquareSet::file(file);
            // Pawns behind the king shelter nobody.
            let in_front = |set: SquareSet| {
                let ranks = (set & file).into_iter().map(|square| usize::from(seen_by(color, square).rank()));
                ranks.filter(|rank| *rank >= usize::from(seen_by(color, king).rank())).min().unwrap_or(0)
            };
            tally.add(SHELTER + in_front(facts.pawns[us]), side);
            tally.add(STORM + in_front(facts.pawns[them]), side);
            if has_heavy && (files(file) & (facts.pawns[us] | facts.pawns[them])).is_empty() {
                tally.add(KING_OPEN, side);
            }
        }
        // One officer alone seldom mates.
        if attacks.attackers[us] > 1 {
            let units = attacks.units[us] + TOGETHER * (attacks.attackers[us] - 2);
            tally.add(ATTACK + units.min(MOST_UNITS) as usize, side);
        }
    }
}
