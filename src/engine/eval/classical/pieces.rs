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
pub(super) const OUTPOSTS: [SquareSet; 2] = [SquareSet(0x0000_FFFF_FF00_0000), SquareSet(0x0000_00FF_FFFF_0000)];

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
    count_places(tally, [&white, &black], facts, kings, terms);
    count_threats(tally, [&white, &black], &attacks, facts, terms);
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

/// Counts a term for both sides: so many times for White, and so many for Black.
#[inline(always)]
fn add<T: Tally>(tally: &mut T, term: usize, of: impl Fn(Color) -> u32) {
    tally.add(term, of(Color::White) as i32 - of(Color::Black) as i32);
}

/// Counts where officers stand.
#[inline(always)]
fn count_places<T: Tally>(tally: &mut T, men: [&Men; 2], facts: &Facts, kings: [Square; 2], terms: &Terms) {
    let of = |color: Color| men[color.index()];
    let files = |color: Color| SquareSet::of_files(facts.files[color.index()]);
    if terms.outposts {
        let outposts = |color: Color| facts.outposts[color.index()];
        add(tally, KNIGHT_OUTPOST, |color| (of(color).knights & outposts(color)).len());
        add(tally, BISHOP_OUTPOST, |color| (of(color).bishops & outposts(color)).len());
    }
    if terms.bishop_diagonals {
        let all_pawns = facts.pawns[0] | facts.pawns[1];
        for (colour, diagonal) in [(SquareSet::LIGHT, LIGHT_DIAGONAL), (!SquareSet::LIGHT, DARK_DIAGONAL)] {
            add(tally, BAD_BISHOP, |color| (of(color).bishops & colour).len() * (of(color).pawns & colour).len());
            if (all_pawns & diagonal & CENTRE).is_empty() {
                add(tally, BISHOP_DIAGONAL, |color| (of(color).bishops & diagonal).len());
            }
        }
    }
    if terms.weak_colours {
        let weak = |color: Color| HOME[color.index()] - of(color).pawns - facts.attacks[color.index()];
        for colour in [SquareSet::LIGHT, !SquareSet::LIGHT] {
            let is_without = |color: Color| (of(color).bishops & colour).is_empty();
            add(tally, WEAK_COLOUR, |color| if is_without(color) { (weak(color) & colour).len() } else { 0 });
        }
    }
    if terms.rook_files && !(men[0].rooks | men[1].rooks).is_empty() {
        let half_open = |color: Color| of(color).rooks - files(color);
        let open = |color: Color| half_open(color) - files(!color);
        add(tally, ROOK_OPEN, |color| open(color).len());
        add(tally, ROOK_HALF_OPEN, |color| half_open(color).len() - open(color).len());
        let seventh = |color: Color| SquareSet::rank(color.rank(SEVENTH));
        let has_aim = |color: Color| {
            !(facts.pawns[(!color).index()] & seventh(color)).is_empty()
                || kings[(!color).index()].seen_by(color).rank() == 7
        };
        let on_seventh = |color: Color| (of(color).rooks & seventh(color)).len();
        add(tally, ROOK_SEVENTH, |color| if has_aim(color) { on_seventh(color) } else { 0 });
    }
    if terms.king_lines {
        // Those of the own king, while the opponent can come along them.
        let counts = |color: Color| !(of(!color).rooks | of(!color).queens).is_empty();
        add(tally, KING_OPEN, |color| if counts(color) { facts.open[color.index()].into() } else { 0 });
    }
}

/// Counts what either side threatens.
#[inline(always)]
fn count_threats<T: Tally>(tally: &mut T, men: [&Men; 2], attacks: &Attacks, facts: &Facts, terms: &Terms) {
    let theirs = |color: Color| men[(!color).index()];
    if terms.threats {
        add(tally, PAWN_THREAT, |color| (theirs(color).officers() & facts.attacks[color.index()]).len());
        add(tally, MINOR_THREAT, |color| {
            ((theirs(color).rooks | theirs(color).queens) & attacks.minor[color.index()]).len()
        });
        add(tally, ROOK_THREAT, |color| (theirs(color).queens & attacks.rook[color.index()]).len());
    }
    if terms.hanging_pieces {
        add(tally, HANGING, |color| {
            let men = theirs(color).officers() | theirs(color).pawns;
            ((men & attacks.all[color.index()]) - attacks.all[(!color).index()]).len()
        });
    }
}
