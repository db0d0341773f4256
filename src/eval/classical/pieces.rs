//! Officers: mobility, where they stand, and what they threaten.

use super::pawns::{Facts, files};
use super::seen_by;
use super::tally::Tally;
use super::terms::*;
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Piece, Square, SquareSet};

/// What officers attack, by colour.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attacks {
    pub occupied: SquareSet,
    /// Squares that anything attacks, pawns and kings included.
    pub all: [SquareSet; 2],
    /// Squares that knights and bishops attack.
    pub minor: [SquareSet; 2],
    pub rook: [SquareSet; 2],
    pub queen: [SquareSet; 2],
    /// Number of officers.
    pub officers: [u32; 2],
    /// Units of attack on the squares around the enemy king, and number of officers that attack there.
    pub units: [u32; 2],
    pub attackers: [u32; 2],
}

/// Officers with the first weights of their mobility.
const OFFICERS: [(PieceKind, usize); 4] =
    [(Knight, KNIGHT_MOBILITY), (Bishop, BISHOP_MOBILITY), (Rook, ROOK_MOBILITY), (Queen, QUEEN_MOBILITY)];
/// Units of an attack on a square beside the king, by officer.
const UNITS: [u32; 4] = [2, 2, 3, 5];
/// Number of own pawns for which knights and rooks have their usual worth.
const USUAL_PAWNS: i32 = 5;
/// Seventh rank, counted from 0.
const SEVENTH: u8 = 6;

/// Counts what officers are worth where they stand. Returns what they attack.
pub fn count<B: Board, T: Tally>(tally: &mut T, board: &B, facts: &Facts) -> Attacks {
    let mut attacks = Attacks::default();
    let kings = Color::ALL.map(|color| board.king(color));
    let around = kings.map(crate::chess::geometry::king);
    let mut pieces = [[SquareSet::EMPTY; 6]; 2];
    for color in Color::ALL {
        let us = color.index();
        pieces[us][Pawn.index()] = facts.pawns[us];
        pieces[us][King.index()] = SquareSet::of(kings[us]);
        for (kind, _) in OFFICERS {
            let set = board.squares_of(Piece::new(color, kind)).fold(SquareSet::EMPTY, SquareSet::with);
            pieces[us][kind.index()] = set;
            attacks.officers[us] += set.len();
        }
        attacks.all[us] = facts.attacks[us] | around[us];
    }
    attacks.occupied = pieces.iter().flatten().fold(SquareSet::EMPTY, |all, set| all | *set);
    for color in Color::ALL {
        let side = if color == Color::White { 1 } else { -1 };
        let (us, them) = (color.index(), (!color).index());
        let own_pawns = facts.pawns[us];
        let wanted = !(facts.attacks[them] | own_pawns | pieces[us][King.index()]);
        for (place, (kind, mobility)) in OFFICERS.into_iter().enumerate() {
            for square in pieces[us][kind.index()] {
                let reached = board.attacks_from(square);
                tally.add(mobility + (reached & wanted).len() as usize, side);
                attacks.all[us] |= reached;
                match kind {
                    Knight | Bishop => attacks.minor[us] |= reached,
                    Rook => attacks.rook[us] |= reached,
                    _ => attacks.queen[us] |= reached,
                }
                let near = (reached & around[them]).len();
                if near > 0 {
                    attacks.units[us] += UNITS[place] * near;
                    attacks.attackers[us] += 1;
                }
            }
        }
        let count = |kind: PieceKind| pieces[us][kind.index()].len() as i32;
        let pawns = own_pawns.len() as i32 - USUAL_PAWNS;
        tally.add(KNIGHT_PAWNS, side * count(Knight) * pawns);
        tally.add(ROOK_PAWNS, side * count(Rook) * pawns);
        tally.add(BISHOP_PAIR, side * i32::from(count(Bishop) > 1));
        let outposts = (facts.attacks[us] - facts.reach[them]) & ranks_from_fourth(color);
        tally.add(KNIGHT_OUTPOST, side * (pieces[us][Knight.index()] & outposts).len() as i32);
        tally.add(BISHOP_OUTPOST, side * (pieces[us][Bishop.index()] & outposts).len() as i32);
        for square in pieces[us][Bishop.index()] {
            let alike = if SquareSet::LIGHT.contains(square) { SquareSet::LIGHT } else { !SquareSet::LIGHT };
            tally.add(BAD_BISHOP, side * (own_pawns & alike).len() as i32);
        }
        for square in pieces[us][Rook.index()] {
            count_rook(tally, color, square, facts, kings[them]);
        }
    }
    count_threats(tally, &pieces, &attacks, facts);
    attacks
}

fn ranks_from_fourth(color: Color) -> SquareSet {
    (3..6).fold(SquareSet::EMPTY, |all, rank| all | SquareSet::rank(color.rank(rank)))
}

fn count_rook<T: Tally>(tally: &mut T, color: Color, square: Square, facts: &Facts, enemy_king: Square) {
    let side = if color == Color::White { 1 } else { -1 };
    let file = files(SquareSet::of(square));
    let (own, theirs) = (facts.pawns[color.index()] & file, facts.pawns[(!color).index()] & file);
    match (own.is_empty(), theirs.is_empty()) {
        (true, true) => tally.add(ROOK_OPEN, side),
        (true, false) => tally.add(ROOK_HALF_OPEN, side),
        _ => {}
    }
    let seventh = SquareSet::rank(color.rank(SEVENTH));
    let has_aim = !(facts.pawns[(!color).index()] & seventh).is_empty() || seen_by(color, enemy_king).rank() == 7;
    if seen_by(color, square).rank() == SEVENTH && has_aim {
        tally.add(ROOK_SEVENTH, side);
    }
}

fn count_threats<T: Tally>(tally: &mut T, pieces: &[[SquareSet; 6]; 2], attacks: &Attacks, facts: &Facts) {
    for color in Color::ALL {
        let side = if color == Color::White { 1 } else { -1 };
        let (us, them) = (color.index(), (!color).index());
        let of = |kind: PieceKind| pieces[them][kind.index()];
        let officers = of(Knight) | of(Bishop) | of(Rook) | of(Queen);
        tally.add(PAWN_THREAT, side * (officers & facts.attacks[us]).len() as i32);
        tally.add(MINOR_THREAT, side * ((of(Rook) | of(Queen)) & attacks.minor[us]).len() as i32);
        tally.add(ROOK_THREAT, side * (of(Queen) & attacks.rook[us]).len() as i32);
        let hanging = ((officers | of(Pawn)) & attacks.all[us]) - attacks.all[them];
        tally.add(HANGING, side * hanging.len() as i32);
    }
}
