//! Kings: the pawns that shelter them, and the enemy officers that attack around them.

use super::pieces::Attacks;
use super::tally::Tally;
use super::terms::*;
use crate::chess::{Color, Square, SquareSet};

/// Number of weights of attacks.
const MOST_UNITS: u32 = 31;
/// Units of attack for each further attacker.
const TOGETHER: u32 = 2;

/// Counts the pawns in front of both kings. Returns the number of files without pawns beside each.
pub fn count_shelter<T: Tally>(tally: &mut T, pawns: [SquareSet; 2], kings: [Square; 2]) -> [u8; 2] {
    Color::ALL.map(|color| {
        let king = kings[color.index()];
        let centre = king.file().clamp(1, 6);
        let mut open = 0;
        for file in centre - 1..=centre + 1 {
            let file = SquareSet::file(file);
            // Pawns behind the king shelter nobody.
            let own_rank = SquareSet::rank(king.rank());
            let ahead = file & (own_rank | own_rank.in_front(color));
            let [own, enemy] = [pawns[color.index()], pawns[(!color).index()]].map(|pawns| rank(pawns & ahead, color));
            tally.add(SHELTER + own, color.sign());
            tally.add(STORM + enemy, color.sign());
            open += u8::from((file & (pawns[0] | pawns[1])).is_empty());
        }
        open
    })
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
