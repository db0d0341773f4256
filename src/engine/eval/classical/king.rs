//! Kings: the pawns that shelter them, and the enemy officers that attack around them.

use super::attacks::Attacks;
use super::tally::Tally;
use super::terms::*;
use crate::chess::{Color, Square, SquareSet};

/// Number of weights of attacks.
const MOST_UNITS: u32 = 31;
/// Units of attack for each further attacker.
const TOGETHER: u32 = 2;

/// Files of a king and of the squares beside it; at the rim those nearest to it.
fn files_of(king: Square) -> impl Iterator<Item = SquareSet> {
    let centre = king.file().clamp(1, 6);
    (centre - 1..=centre + 1).map(SquareSet::file)
}

/// Counts the pawns in front of both kings.
pub fn count_shelter<T: Tally>(tally: &mut T, pawns: [SquareSet; 2], kings: [Square; 2]) {
    for color in Color::ALL {
        let king = kings[color.index()];
        // Pawns behind the king shelter nobody.
        let own_rank = SquareSet::rank(king.rank());
        let ahead = own_rank | own_rank.in_front(color);
        for file in files_of(king) {
            let nearest = |color_of_pawn: Color| rank(pawns[color_of_pawn.index()] & file & ahead, color);
            tally.add(SHELTER + nearest(color), color.sign());
            tally.add(STORM + nearest(!color), color.sign());
        }
    }
}

/// Number of files without pawns beside each king.
pub fn open_files(pawns: [SquareSet; 2], kings: [Square; 2]) -> [u8; 2] {
    kings.map(|king| files_of(king).filter(|file| (*file & (pawns[0] | pawns[1])).is_empty()).count() as u8)
}

/// Lowest rank of these squares as a side sees them; 0 for none.
fn rank(set: SquareSet, color: Color) -> usize {
    let lowest = if color == Color::White { set.0 } else { set.0.swap_bytes() };
    if lowest == 0 { 0 } else { lowest.trailing_zeros() as usize / 8 }
}

/// Counts the attacks on both kings.
#[inline(always)]
pub fn count_attacks<T: Tally>(tally: &mut T, attacks: &Attacks) {
    for color in Color::ALL {
        let us = color.index();
        // One officer alone seldom mates.
        if attacks.attackers[us] > 1 {
            let units = attacks.units[us] + TOGETHER * (attacks.attackers[us] - 2);
            tally.add(ATTACK + units.min(MOST_UNITS) as usize, color.sign());
        }
    }
}
