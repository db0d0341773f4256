//! Officers: mobility, where they stand, and what they threaten.

use super::attacks::Attacks;
use super::pawns::Facts;
use super::tally::Tally;
use super::terms::*;
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Piece, Square, SquareSet, geometry};
use crate::eval::Terms;

/// Sets of a side's pieces.
#[derive(Clone, Copy, Debug, Default)]
struct Men {
    pawns: SquareSet,
    knights: SquareSet,
    bishops: SquareSet,
    rooks: SquareSet,
    queens: SquareSet,
}

/// Units of an attack on a square beside the king, by officer.
const UNITS: [u32; 6] = [0, 2, 2, 3, 5, 0];
/// Seventh rank, counted from 0.
const SEVENTH: u8 = 6;
/// Ranks of outposts: the fourth to the sixth, as either side sees them.
const OUTPOSTS: [SquareSet; 2] = [SquareSet(0x0000_FFFF_FF00_0000), SquareSet(0x0000_00FF_FFFF_0000)];

/// Ranks in which weak squares of one colour count: the second to the fourth, as either side sees them.
const HOME: [SquareSet; 2] = [SquareSet(0x0000_0000_FFFF_FF00), SquareSet(0x00FF_FFFF_0000_0000)];

/// The main diagonals, by the colour of their squares, and the four squares in the centre of the board.
const LIGHT_DIAGONAL: SquareSet = SquareSet(0x0102_0408_1020_4080);
const DARK_DIAGONAL: SquareSet = SquareSet(0x8040_2010_0804_0201);
const CENTRE: SquareSet = SquareSet(0x0000_0018_1800_0000);

impl Men {
    #[inline(always)]
    fn of<B: Board>(board: &B, color: Color, pawns: SquareSet) -> Self {
        let of = |kind| board.set_of(Piece::new(color, kind));
        Self { pawns, knights: of(Knight), bishops: of(Bishop), rooks: of(Rook), queens: of(Queen) }
    }

    #[inline(always)]
    fn officers(&self) -> SquareSet {
        self.knights | self.bishops | self.rooks | self.queens
    }
}

/// Counts what officers are worth where they stand. Returns what they attack.
#[inline(always)]
pub fn count<B: Board, T: Tally>(tally: &mut T, board: &B, facts: &Facts, terms: &Terms) -> Attacks {
    let mut attacks = Attacks::default();
    let [white, black] = [Men::of(board, Color::White, facts.pawns[0]), Men::of(board, Color::Black, facts.pawns[1])];
    let kings = [board.king(Color::White), board.king(Color::Black)];
    attacks.officers = [white.officers().len(), black.officers().len()];
    attacks.occupied = white.officers()
        | black.officers()
        | facts.pawns[0]
        | facts.pawns[1]
        | SquareSet::of(kings[0])
        | SquareSet::of(kings[1]);
    let needs_attacks = terms.mobility | terms.king_attack | terms.threats | terms.hanging_pieces | terms.passed_pawns;
    if needs_attacks {
        count_attacks(tally, board, Color::White, &white, facts, kings, &mut attacks, terms);
        count_attacks(tally, board, Color::Black, &black, facts, kings, &mut attacks, terms);
    }
    count_places(tally, Color::White, &white, facts, kings[1], terms);
    count_places(tally, Color::Black, &black, facts, kings[0], terms);
    count_threats(tally, Color::White, &black, &attacks, facts, terms);
    count_threats(tally, Color::Black, &white, &attacks, facts, terms);
    attacks
}

/// Counts the mobility of a side's officers, and notes what they attack. Inlined for each side.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // a loop that is written once for both sides
fn count_attacks<B: Board, T: Tally>(
    tally: &mut T,
    board: &B,
    color: Color,
    men: &Men,
    facts: &Facts,
    kings: [Square; 2],
    attacks: &mut Attacks,
    terms: &Terms,
) {
    let (us, them) = (color.index(), (!color).index());
    let wanted = !(facts.attacks[them] | men.pawns | SquareSet::of(kings[us]));
    let around = geometry::king(kings[them]);
    let (mut units, mut attackers) = (0, 0);
    let mut reach = |set: SquareSet, kind: PieceKind, mobility: usize| {
        let mut all = SquareSet::EMPTY;
        for square in set {
            let reached = board.attacks_of(Piece::new(color, kind), square);
            if terms.mobility {
                tally.add(mobility + (reached & wanted).len() as usize, color.sign());
            }
            all |= reached;
            let near = (reached & around).len();
            units += UNITS[kind.index()] * near;
            attackers += u32::from(near > 0);
        }
        all
    };
    let knights = reach(men.knights, Knight, KNIGHT_MOBILITY);
    let bishops = reach(men.bishops, Bishop, BISHOP_MOBILITY);
    let rooks = reach(men.rooks, Rook, ROOK_MOBILITY);
    let queens = reach(men.queens, Queen, QUEEN_MOBILITY);
    attacks.minor[us] = knights | bishops;
    attacks.rook[us] = rooks;
    attacks.all[us] = facts.attacks[us] | geometry::king(kings[us]) | knights | bishops | rooks | queens;
    attacks.units[us] = units;
    attacks.attackers[us] = attackers;
}

/// Counts where a side's officers stand. Inlined for each side.
#[inline(always)]
fn count_places<T: Tally>(tally: &mut T, color: Color, men: &Men, facts: &Facts, enemy_king: Square, terms: &Terms) {
    let (us, them) = (color.index(), (!color).index());
    let mut add = |term: usize, count: u32| tally.add(term, color.sign() * count as i32);
    if terms.outposts {
        let outposts = (facts.attacks[us] - facts.reach[them]) & OUTPOSTS[us];
        add(KNIGHT_OUTPOST, (men.knights & outposts).len());
        add(BISHOP_OUTPOST, (men.bishops & outposts).len());
    }
    if terms.bishop_diagonals {
        let all_pawns = facts.pawns[0] | facts.pawns[1];
        for (colour, diagonal) in [(SquareSet::LIGHT, LIGHT_DIAGONAL), (!SquareSet::LIGHT, DARK_DIAGONAL)] {
            add(BAD_BISHOP, (men.bishops & colour).len() * (men.pawns & colour).len());
            if (all_pawns & diagonal & CENTRE).is_empty() {
                add(BISHOP_DIAGONAL, (men.bishops & diagonal).len());
            }
        }
    }
    if terms.weak_colours {
        let weak = HOME[us] - men.pawns - facts.attacks[us];
        for colour in [SquareSet::LIGHT, !SquareSet::LIGHT] {
            if (men.bishops & colour).is_empty() {
                add(WEAK_COLOUR, (weak & colour).len());
            }
        }
    }
    if terms.rook_files {
        let without_own = men.rooks - men.pawns.files();
        let open = without_own - facts.pawns[them].files();
        add(ROOK_OPEN, open.len());
        add(ROOK_HALF_OPEN, (without_own - open).len());
        let seventh = SquareSet::rank(color.rank(SEVENTH));
        let has_aim = !(facts.pawns[them] & seventh).is_empty() || enemy_king.seen_by(color).rank() == 7;
        if has_aim {
            add(ROOK_SEVENTH, (men.rooks & seventh).len());
        }
    }
    if terms.king_lines && !(men.rooks | men.queens).is_empty() {
        // The enemy king's files.
        tally.add(KING_OPEN, -color.sign() * i32::from(facts.open[them]));
    }
}

/// Counts what a side threatens.
#[inline(always)]
fn count_threats<T: Tally>(tally: &mut T, color: Color, theirs: &Men, attacks: &Attacks, facts: &Facts, terms: &Terms) {
    let (us, them) = (color.index(), (!color).index());
    let officers = theirs.officers();
    let mut add = |term: usize, set: SquareSet| tally.add(term, color.sign() * set.len() as i32);
    if terms.threats {
        add(PAWN_THREAT, officers & facts.attacks[us]);
        add(MINOR_THREAT, (theirs.rooks | theirs.queens) & attacks.minor[us]);
        add(ROOK_THREAT, theirs.queens & attacks.rook[us]);
    }
    if terms.hanging_pieces {
        add(HANGING, ((officers | theirs.pawns) & attacks.all[us]) - attacks.all[them]);
    }
}
