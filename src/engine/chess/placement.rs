//! Making and unmaking a move, written once for all boards. A board only moves its pieces; what a move means for
//! castling, en passant, clocks and keys is the same everywhere and stands here.

use super::board::Board;
use super::castling::rook_way;
use super::geometry;
use super::moves::{Move, MoveKind, behind};
use super::state::{Parts, State, Undo};
use super::zobrist::Keys;
use super::{Color, Piece, PieceKind::*, Square};

/// The changes of pieces and state that moves are made of. To be called by the boards and by this file only: what
/// stands on the board and what its key says agree only when a move is complete.
pub trait Placement {
    /// Mutable state of the board.
    fn state_mut(&mut self) -> &mut State;
    /// Moves a piece to an empty square.
    fn shift(&mut self, piece: Piece, from: Square, to: Square);
    /// Moves a piece to the square of its victim, which leaves the board.
    fn capture(&mut self, piece: Piece, from: Square, victim: Piece, to: Square);
    /// Moves a piece back from `to` to `from` and puts its victim back on `to`.
    fn uncapture(&mut self, piece: Piece, from: Square, victim: Piece, to: Square);
    /// Puts a piece on an empty square.
    fn put(&mut self, piece: Piece, square: Square);
    /// Takes a piece off the board.
    fn take(&mut self, piece: Piece, square: Square);
    /// Takes all pieces off the board.
    fn clear(&mut self);
    /// Told when all pieces stand where they belong, after such changes. Most boards know all by then.
    #[inline(always)]
    fn settle(&mut self) {}
}

#[inline(always)]
pub(super) fn make<B: Board>(board: &mut B, mv: Move) -> Undo {
    let undo = Undo(*board.state());
    let before = undo.0.parts();
    let keys = board.keys();
    let (us, from, to, move_kind) = (before.turn, mv.from(), mv.to(), mv.kind());
    let piece = Piece::new(us, mv.piece());
    let victim = mv.captured().map(|kind| Piece::new(!us, kind));
    let castling = before.castling.after(from, to);

    let mut key = undo.0.key()
        ^ keys.turn()
        ^ keys.en_passant(before.en_passant)
        ^ keys.castling(before.castling)
        ^ keys.castling(castling)
        ^ keys.piece(piece, from);
    if let Some(victim) = victim {
        key ^= keys.piece(victim, mv.victim_square());
    }
    match move_kind {
        MoveKind::Plain | MoveKind::DoublePush => {
            key ^= keys.piece(piece, to);
            match victim {
                None => board.shift(piece, from, to),
                Some(victim) => board.capture(piece, from, victim, to),
            }
        }
        MoveKind::EnPassant => {
            key ^= keys.piece(piece, to);
            board.shift(piece, from, to);
            board.take(Piece::new(!us, Pawn), mv.victim_square());
        }
        MoveKind::Castling => {
            let rook = Piece::new(us, Rook);
            let (rook_from, rook_to) = rook_way(to);
            key ^= keys.piece(piece, to) ^ keys.piece(rook, rook_from) ^ keys.piece(rook, rook_to);
            board.shift(piece, from, to);
            board.shift(rook, rook_from, rook_to);
        }
        MoveKind::PromoteToKnight | MoveKind::PromoteToBishop | MoveKind::PromoteToRook | MoveKind::PromoteToQueen => {
            let promoted = promoted(us, mv);
            key ^= keys.piece(promoted, to);
            if let Some(victim) = victim {
                board.take(victim, to);
            }
            board.take(piece, from);
            board.put(promoted, to);
        }
    }

    board.settle();
    let irreversible = mv.piece() == Pawn || victim.is_some();
    let after = Parts {
        ply: before.ply + 1,
        halfmove_clock: if irreversible { 0 } else { before.halfmove_clock + 1 },
        reversible: if irreversible { 0 } else { before.reversible.saturating_add(1) },
        castling,
        en_passant: None,
        turn: !us,
    };
    *board.state_mut() = State::new(key, after);
    if move_kind == MoveKind::DoublePush {
        remember_double_push(board, keys, behind(to, us));
    }
    undo
}

#[inline(always)]
pub(super) fn unmake<B: Board>(board: &mut B, mv: Move, undo: Undo) {
    let us = undo.0.turn();
    let (from, to) = (mv.from(), mv.to());
    let piece = Piece::new(us, mv.piece());
    let victim = mv.captured().map(|kind| Piece::new(!us, kind));
    *board.state_mut() = undo.0;
    match mv.kind() {
        MoveKind::Plain | MoveKind::DoublePush => match victim {
            None => board.shift(piece, to, from),
            Some(victim) => board.uncapture(piece, from, victim, to),
        },
        MoveKind::EnPassant => {
            board.put(Piece::new(!us, Pawn), mv.victim_square());
            board.shift(piece, to, from);
        }
        MoveKind::Castling => {
            let (rook_from, rook_to) = rook_way(to);
            board.shift(Piece::new(us, Rook), rook_to, rook_from);
            board.shift(piece, to, from);
        }
        MoveKind::PromoteToKnight | MoveKind::PromoteToBishop | MoveKind::PromoteToRook | MoveKind::PromoteToQueen => {
            board.take(promoted(us, mv), to);
            board.put(piece, from);
            if let Some(victim) = victim {
                board.put(victim, to);
            }
        }
    }
    board.settle();
}

#[inline(always)]
pub(super) fn make_null<B: Board>(board: &mut B) -> Undo {
    let undo = Undo(*board.state());
    let before = undo.0.parts();
    let keys = board.keys();
    let key = undo.0.key() ^ keys.turn() ^ keys.en_passant(before.en_passant);
    let after = Parts {
        ply: before.ply + 1,
        halfmove_clock: before.halfmove_clock + 1,
        reversible: 0,
        en_passant: None,
        turn: !before.turn,
        ..before
    };
    *board.state_mut() = State::new(key, after);
    undo
}

/// Completes the state of a board whose pieces have just been placed.
pub(super) fn complete_state<B: Board>(board: &mut B) {
    board.settle();
    let en_passant = board.state().en_passant();
    *board.state_mut() = board.state().with(0, None);
    *board.state_mut() = board.state().with(board.recomputed_key(), None);
    if let Some(square) = en_passant {
        remember_double_push(board, board.keys(), square);
    }
}

/// Records the square passed by a double push, if the key rule asks for it.
#[inline(always)]
fn remember_double_push<B: Board>(board: &mut B, keys: &Keys, passed: Square) {
    if keys.remembers_every_double_push() || can_capture_en_passant(board, passed) {
        let key = board.key() ^ keys.en_passant(Some(passed));
        *board.state_mut() = board.state().with(key, Some(passed));
    }
}

#[inline(always)]
pub(super) fn can_capture_en_passant<B: Board>(board: &B, passed: Square) -> bool {
    let us = board.turn();
    let pawn = Piece::new(us, Pawn);
    // A pawn captures onto a square from where a pawn of the other colour on it would capture.
    let mut origins = geometry::pawn(!us, passed).filter(|from| board.has(pawn, *from));
    // Whether there is check makes no difference to an en passant capture's test.
    origins.any(|from| board.is_legal(Move::en_passant(from, passed), false))
}

#[inline(always)]
fn promoted(color: Color, mv: Move) -> Piece {
    Piece::new(color, mv.promoted().unwrap_or(Queen))
}
