//! Officers: mobility, where they stand, and what they threaten.

use super::pawns::Facts;
use super::tally::Tally;
use super::terms::*;
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Piece, Square, SquareSet, geometry};

/// What officers attack, by colour.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attacks {
    pub occupied: SquareSet,
    /// Squares that anything attacks, pawns and kings included.
    pub all: [SquareSet; 2],
    /// Squares that knights and bishops attack.
    pub minor: [SquareSet; 2],
    pub rook: [SquareSet; 2],
    /// Number of officers.
    pub officers: [u32; 2],
    /// Units of attack on the squares around the enemy king, and number of officers that attack there.
    pub units: [u32; 2],
    pub attackers: [u32; 2],
}

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
pub fn count<B: Board, T: Tally>(tally: &mut T, board: &B, facts: &Facts) -> Attacks {
    let mut attacks = Attacks::default();
    let [white, black] =
        [Men::of(board, Color::White, facts.pawns[0]), Men::of(board, Color::Black, facts.pawns[1])];
    let kings = [board.king(Color::White), board.king(Color::Black)];
    attacks.officers = [white.officers().len(), black.officers().len()];
    attacks.occupied = white.officers()
        | black.officers()
        | facts.pawns[0]
        | facts.pawns[1]
        | SquareSet::of(kings[0])
        | SquareSet::of(kings[1]);
    count_side(tally, board, Color::White, &white, facts, kings, &mut attacks);
    count_side(tally, board, Color::Black, &black, facts, kings, &mut attacks);
    count_threats(tally, Color::White, &black, &attacks, facts);
    count_threats(tally, Color::Black, &white, &attacks, facts);
    attacks
}

/// Counts the officers of one side. Inlined for each.
#[inline(always)]
fn count_side<B: Board, T: Tally>(
    tally: &mut T,
    board: &B,
    color: Color,
    men: &Men,
    facts: &Facts,
    kings: [Square; 2],
    attacks: &mut Attacks,
) {
    let side = color.sign();
    let (us, them) = (color.index(), (!color).index());
    let wanted = !(facts.attacks[them] | men.pawns | SquareSet::of(kings[us]));
    let around = geometry::king(kings[them]);
    let (mut units, mut attackers) = (0, 0);
    let mut reach = |set: SquareSet, kind: PieceKind, mobility: usize| {
        let mut all = SquareSet::EMPTY;
        for square in set {
            let reached = board.attacks_of(Piece::new(color, kind), square);
            tally.add(mobility + (reached & wanted).len() as usize, side);
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

    let outposts = (facts.attacks[us] - facts.reach[them]) & OUTPOSTS[us];
    tally.add(KNIGHT_OUTPOST, side * (men.knights & outposts).len() as i32);
    tally.add(BISHOP_OUTPOST, side * (men.bishops & outposts).len() as i32);
    let [light, dark] = [SquareSet::LIGHT, !SquareSet::LIGHT]
        .map(|alike| (men.bishops & alike).len() as i32 * (men.pawns & alike).len() as i32);
    tally.add(BAD_BISHOP, side * (light + dark));

    let without_own = men.rooks - men.pawns.files();
    let open = without_own - facts.pawns[them].files();
    tally.add(ROOK_OPEN, side * open.len() as i32);
    tally.add(ROOK_HALF_OPEN, side * (without_own - open).len() as i32);
    let seventh = SquareSet::rank(color.rank(SEVENTH));
    let has_aim = !(facts.pawns[them] & seventh).is_empty() || kings[them].seen_by(color).rank() == 7;
    if has_aim {
        tally.add(ROOK_SEVENTH, side * (men.rooks & seventh).len() as i32);
    }
    if !(men.rooks | men.queens).is_empty() {
        tally.add(KING_OPEN, -side * i32::from(facts.open[them]));
    }
}

/// Counts what a side threatens.
#[inline(always)]
fn count_threats<T: Tally>(tally: &mut T, color: Color, theirs: &Men, attacks: &Attacks, facts: &Facts) {
    let side = color.sign();
    let (us, them) = (color.index(), (!color).index());
    let officers = theirs.officers();
    tally.add(PAWN_THREAT, side * (officers & facts.attacks[us]).len() as i32);
    tally.add(MINOR_THREAT, side * ((theirs.rooks | theirs.queens) & attacks.minor[us]).len() as i32);
    tally.add(ROOK_THREAT, side * (theirs.queens & attacks.rook[us]).len() as i32);
    let hanging = ((officers | theirs.pawns) & attacks.all[us]) - attacks.all[them];
    tally.add(HANGING, side * hanging.len() as i32);
}
