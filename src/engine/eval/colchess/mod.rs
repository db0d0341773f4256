//! The evaluation of ColChess (Frayn, about 2000) in two passes. The first counts, for every square, the pieces that
//! attack and defend it, and the pawns of each file; the second goes through squares and pieces, and adds what holds of
//! the position as a whole. Positions of kings and pawns have an evaluation of their own.
//!
//! The list of terms is published, and that material is on a scale on which a pawn is 100 (knights and bishops about
//! 300, rooks 500, queens 900), that bishops rise in open endgames, and that two doubled and blocked pawns may be worth
//! 150 instead of 200. All other figures are ours: no weight is published. Each term is a switch (`terms`).

mod attackers;
mod pawns;

use super::{Evaluation, Terms};
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Piece, Score, Square, SquareSet, see};
use attackers::Side;

/// The evaluation.
pub struct ColChess;

/// State of the evaluation `colchess`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Material, White's minus Black's, in thousandths of a pawn.
    material: i32,
    /// Weight of all officers.
    officers: i32,
}

/// Thousandths of a pawn in a hundredth.
const HUNDREDTH: i32 = 10;
/// Weight of an officer, by kind, in the stage of the game.
const WEIGHT: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// Weight of all officers at the beginning, and number of all pawns.
const ALL_OFFICERS: i32 = 24;
const ALL_PAWNS: i32 = 16;

/// Values of the pieces, pawns first.
const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];
/// Value that a piece gains from the beginning to the end of the game, pawns first.
const RISE: [i32; 6] = [20, 0, 0, 30, 0, 0];
/// Amount that is added to the value of a bishop when all officers and pawns are gone, less while some are left.
const BISHOP_RISE: i32 = 60;
const BISHOP_PAIR: i32 = 30;
/// Worth of an empty square for the side that attacks it more often, and of one in the centre in addition.
const EMPTY_SQUARE: i32 = 1;
const EMPTY_IN_CENTRE: i32 = 3;
/// Worth of a square of the opponent's half that a side attacks more often.
const CONTROL: i32 = 2;
/// Worth of each step that a knight is nearer to the centre.
const KNIGHT_STEP: i32 = 8;
/// Worth of each step that a king is nearer to a corner in the beginning, or to the centre in the end.
const KING_STEP: i32 = 10;
const CONNECTED_ROOKS: i32 = 10;
const DOUBLED_ROOKS: i32 = 20;
/// A piece that is attacked and not protected loses one part in so many.
const HANGING: i32 = 12;

/// The 16 squares in the centre, from c3 to f6.
const CENTRE: SquareSet = SquareSet(0x0000_3C3C_3C3C_0000);
/// The half of the board that is each side's opponent's.
const OTHER_HALF: [SquareSet; 2] = [SquareSet(0xFFFF_FFFF_0000_0000), SquareSet(0x0000_0000_FFFF_FFFF)];

impl Evaluation for ColChess {
    type State = State;
    type Cache = Terms;

    fn cache(terms: &Terms) -> Terms {
        *terms
    }

    #[inline(always)]
    fn change(state: &mut State, piece: Piece, _: Square, count: i32) {
        let kind = piece.kind();
        // Kings are never exchanged, and each side has one.
        if kind != King {
            state.material += count * piece.color().sign() * see::value(kind).0;
            state.officers += count * WEIGHT[kind.index()];
        }
    }

    #[inline(always)]
    fn material(state: State, color: Color) -> Score {
        Score(color.sign() * state.material)
    }

    fn score<B: Board>(state: State, terms: &mut Terms, board: &B) -> Score {
        let white = if state.officers == 0 && terms.kings_and_pawns {
            pawns::kings_and_pawns(board, terms)
        } else {
            let stage = Stage::of(state, board, terms);
            // The first pass.
            let sides = Color::ALL.map(|color| Side::of(board, color, terms.queen_batteries));
            // The second.
            Color::ALL.map(|color| color.sign() * of_side(board, color, &sides, stage, terms)).iter().sum()
        };
        Score(board.turn().sign() * white * HUNDREDTH)
    }
}

/// Stage of the game.
#[derive(Clone, Copy, Debug)]
struct Stage {
    /// Weight of the middlegame: that of the officers that are left, from [`ALL_OFFICERS`] down to 0.
    left: i32,
    /// Number of pawns of both sides that are gone: how open the position is.
    open: i32,
}

impl Stage {
    fn of<B: Board>(state: State, board: &B, terms: &Terms) -> Self {
        let pawns = Color::ALL.map(|color| board.count(Piece::new(color, Pawn)) as i32);
        let left = terms.middlegame(state.officers.min(ALL_OFFICERS), ALL_OFFICERS);
        Self { left, open: ALL_PAWNS - pawns[0] - pawns[1] }
    }

    fn gone(self) -> i32 {
        ALL_OFFICERS - self.left
    }

    /// Value of a piece at this stage.
    fn value(self, kind: PieceKind, terms: &Terms) -> i32 {
        let rise = if kind == Bishop {
            BISHOP_RISE * self.gone() * self.open / (ALL_OFFICERS * ALL_PAWNS)
        } else {
            RISE[kind.index()] * self.gone() / ALL_OFFICERS
        };
        VALUES[kind.index()] + if terms.game_stage { rise } else { 0 }
    }
}

/// Worth of all that a side has.
#[inline(always)]
fn of_side<B: Board>(board: &B, color: Color, sides: &[Side; 2], stage: Stage, terms: &Terms) -> i32 {
    let (ours, theirs) = (&sides[color.index()], &sides[(!color).index()]);
    let occupied = ours.all() | theirs.all();
    let controlled = ours.attackers.above(&theirs.attackers);
    let mut sum = 0;
    for kind in [Pawn, Knight, Bishop, Rook, Queen] {
        let value = stage.value(kind, terms);
        sum += value * ours.count(kind);
        if terms.hanging_pieces {
            let hanging = (ours.set(kind) & theirs.attackers.any()) - ours.attackers.any();
            sum -= value / HANGING * hanging.len() as i32;
        }
    }
    if terms.empty_squares {
        let empty = controlled - occupied;
        sum += EMPTY_SQUARE * empty.len() as i32 + EMPTY_IN_CENTRE * (empty & CENTRE).len() as i32;
    }
    if terms.board_control {
        sum += CONTROL * (controlled & OTHER_HALF[color.index()]).len() as i32;
    }
    if terms.knight_centre {
        sum += ours.set(Knight).map(|square| KNIGHT_STEP * (2 - square.from_centre())).sum::<i32>();
    }
    if terms.king_corner {
        sum += KING_STEP * king_place(board.king(color), stage) / ALL_OFFICERS;
    }
    if terms.bishop_pair && ours.count(Bishop) > 1 {
        sum += BISHOP_PAIR;
    }
    if terms.connected_rooks || terms.doubled_rooks {
        let [mut connected, mut doubled] = [false; 2];
        for rook in ours.protected_rooks {
            let others = ours.protected_rooks - SquareSet::of(rook);
            connected |= !(others & SquareSet::rank(rook.rank())).is_empty();
            doubled |= !(others & SquareSet::file(rook.file())).is_empty();
        }
        sum += CONNECTED_ROOKS * i32::from(connected && terms.connected_rooks);
        sum += DOUBLED_ROOKS * i32::from(doubled && terms.doubled_rooks);
    }
    sum + pawns::structure(color, ours.set(Pawn), theirs.set(Pawn), occupied, terms)
}

/// Steps that a king is nearer to a corner than the farthest square while officers are left, and nearer to the centre
/// as they go, in parts of [`ALL_OFFICERS`].
fn king_place(king: Square, stage: Stage) -> i32 {
    let [file, rank] = [king.file(), king.rank()].map(|at| i32::from(at.min(7 - at)));
    let from_corner = file.max(rank);
    (3 - from_corner) * stage.left + (3 - king.from_centre()) * stage.gone()
}

#[cfg(test)]
mod tests;
