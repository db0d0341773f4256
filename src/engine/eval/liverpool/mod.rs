//! The evaluation of "Chess Engine AI" (Szabo 2023, University of Liverpool): values of pieces and squares, mobility,
//! and the safety of kings.
//!
//! Published are: the values of pieces and squares, which are PeSTO's; that middlegame and endgame are mixed by the
//! officers that are left, up to a weight of 24; which squares count as mobility; that the safety of kings counts in
//! the middlegame only, by units of attack in a table of 100 entries, 5 for a queen and 2 for a knight, by pawns beside
//! the king, and by what a queen in its place would attack. Ours, because the report does not print them, are the
//! figures: the weights of mobility, the units of bishops and rooks, and all figures of safety (`king`). It counts in
//! centipawns, as the report does.

mod king;
mod squares;

use super::{Evaluation, Terms};
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Piece, Score, Square, see};

pub use king::units as attack_units;

/// The evaluation.
pub struct Liverpool;

/// State of the evaluation `liverpool`: sums over pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Values of pieces and squares in the middlegame, White's minus Black's, in centipawns.
    middle: i32,
    end: i32,
    /// Material, White's minus Black's, in thousandths of a pawn.
    material: i32,
    /// Weight of all officers.
    phase: i32,
}

/// Weight of an officer, by kind, in the phase of the game.
const WEIGHT: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// Weight of all officers at the beginning: then only the middlegame's sum counts.
const ALL_OFFICERS: i32 = 24;
/// Thousandths of a pawn in a centipawn.
const CENTIPAWN: i32 = 10;

/// Mobility of an officer: the number of squares that counts for nothing, and the worth of each one more in the
/// middlegame and in the endgame, in centipawns. Ours.
const MOBILITY: [(PieceKind, i32, [i32; 2]); 4] =
    [(Knight, 4, [4, 4]), (Bishop, 6, [4, 5]), (Rook, 7, [2, 4]), (Queen, 13, [1, 3])];

/// Share of each piece on each square in the sums, by the piece's code; Black's are negative.
static SHARES: [[State; Square::COUNT]; 16] = {
    let mut table = [[State { middle: 0, end: 0, material: 0, phase: 0 }; Square::COUNT]; 16];
    let mut i = 0;
    while i < 2 * 6 * Square::COUNT {
        let (color, kind) = (Color::ALL[i % 2], PieceKind::ALL[i / 2 % 6]);
        let square = Square::wrapping(i / 12);
        let (middle, end) = squares::value(kind, square.seen_by(color));
        // Kings are never exchanged, and each side has one.
        let material = if matches!(kind, King) { 0 } else { see::value(kind).0 };
        let sign = color.sign();
        table[Piece::new(color, kind).code()][square.index()] =
            State { middle: sign * middle, end: sign * end, material: sign * material, phase: WEIGHT[kind.index()] };
        i += 1;
    }
    table
};

impl Evaluation for Liverpool {
    type State = State;
    type Cache = Terms;

    fn cache(terms: &Terms) -> Terms {
        *terms
    }

    #[inline(always)]
    fn change(state: &mut State, piece: Piece, square: Square, count: i32) {
        let share = &SHARES[piece.code()][square.index()];
        state.middle += share.middle * count;
        state.end += share.end * count;
        state.material += share.material * count;
        state.phase += share.phase * count;
    }

    #[inline(always)]
    fn material(state: State, color: Color) -> Score {
        Score(color.sign() * state.material)
    }

    fn score<B: Board>(state: State, terms: &mut Terms, board: &B) -> Score {
        let (mut middle, mut end) = (state.middle, state.end);
        for color in Color::ALL {
            let [own_middle, own_end] = side(board, color, terms);
            middle += color.sign() * own_middle;
            end += color.sign() * own_end;
        }
        let phase = terms.middlegame(state.phase.min(ALL_OFFICERS), ALL_OFFICERS);
        let white = (middle * phase + end * (ALL_OFFICERS - phase)) / ALL_OFFICERS;
        Score(board.turn().sign() * white * CENTIPAWN)
    }
}

/// Sum of the positional terms of a side's officers and king, in the middlegame and in the endgame; their values are
/// not in it.
#[inline(always)]
fn side<B: Board>(board: &B, color: Color, terms: &Terms) -> [i32; 2] {
    let (mut middle, mut end, mut units) = (0, 0, 0);
    if terms.mobility || terms.king_attack {
        let attacked = board.set_of(Piece::new(!color, Pawn)).forward(!color).beside();
        let zone = king::zone(board, !color);
        for (kind, usual, worth) in MOBILITY {
            let piece = Piece::new(color, kind);
            for square in board.set_of(piece) {
                let reached = board.attacks_of(piece, square);
                if terms.mobility {
                    let more = (reached - attacked).len() as i32 - usual;
                    middle += worth[0] * more;
                    end += worth[1] * more;
                }
                units += king::attack(kind, reached, zone);
            }
        }
    }
    if terms.king_attack {
        middle += king::danger(units);
    }
    if terms.king_shelter {
        middle += king::shield(board, color);
    }
    if terms.king_lines {
        middle -= king::open_lines(board, color);
    }
    [middle, end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::bitboards::{Bitboards, sliders::Magic};
    use crate::chess::{Keys, Setup};

    fn board(fen: &str) -> Bitboards<Magic> {
        Board::set_up(&fen.parse::<Setup>().unwrap(), Keys::of_seed(0)).unwrap()
    }

    #[test]
    fn worked_out_by_hand() {
        let score = |fen: &str, terms: Terms| {
            let board = board(fen);
            Liverpool::score(Liverpool::from_scratch(&board), &mut { terms }, &board).0
        };
        // A pawn on e4 for one on e2: -7 for 13 in the endgame, 17 for -15 in the middlegame, which alone counts.
        let moved = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(score(moved, Terms::NOTHING), -320);
        // Bishop and queen attack three squares more; a6 is a pawn's.
        let mobility = Terms { mobility: true, ..Terms::NOTHING };
        assert_eq!(score(moved, mobility), -320 - 10 * 3 * (4 + 1));
        // One pawn less beside the king, and two squares more of a line to it.
        let king = Terms { king_shelter: true, king_lines: true, ..Terms::NOTHING };
        assert_eq!(score(moved, king), -320 + 10 * (8 + 2 * 2));
    }

    #[test]
    fn attacks_are_counted_in_units() {
        // A knight that attacks f7; with half of the officers, half as much.
        let attacked = board("rnbqkbnr/pppppppp/8/6N1/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1");
        assert_eq!([Color::White, Color::Black].map(|king| attack_units(&attacked, king)), [0, 2]);
        let queen = board("4k3/8/8/3Q4/8/8/8/4K3 w - - 0 1");
        // d8 and f7 and d7, 5 each, of a queen's share of all officers, 4 of 24.
        assert_eq!(attack_units(&queen, Color::Black), 15 * 4 / 24);
        assert_eq!((king::danger(2), king::danger(20), king::danger(1_000)), (0, 50, 500));
    }

    /// Sums of the tables, of the middlegame and of the endgame, by kind: no figure changes unnoticed.
    #[test]
    fn tables_are_as_they_were_compared_with_published_ones() {
        let sums = PieceKind::ALL.map(|kind| {
            Square::all()
                .map(|square| squares::value(kind, square))
                .fold((0, 0), |sum, value| (sum.0 + value.0, sum.1 + value.1))
        });
        assert_eq!(sums, [(6007, 8059), (21509, 16966), (23701, 18740), (31033, 32820), (65746, 60469), (-999, 176)]);
        // White's pawn on e4 and knight on b1, the queen on d8.
        assert_eq!(squares::value(Pawn, Square::E4), (82 + 17, 94 - 7));
        assert_eq!(squares::value(Knight, Square::B1), (337 - 21, 281 - 51));
        assert_eq!(squares::value(Queen, Square::D8), (1025 + 12, 936 + 27));
    }
}
