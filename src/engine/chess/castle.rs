//! Castling moves, generated for all boards alike.

use super::PieceKind::King;
use super::board::Board;
use super::castling::{CASTLINGS, Castling, CastlingRights};
use super::moves::{Move, MoveKind};

/// Generates the legal castling moves of the side to move. `is_clear` tells whether the squares between king and rook
/// are empty.
#[inline(always)]
pub(super) fn castling_moves<B: Board>(board: &B, is_clear: impl Fn(&Castling) -> bool, mut emit: impl FnMut(Move)) {
    let us = board.turn();
    for i in CastlingRights::of(us) {
        let castling = &CASTLINGS[i];
        if board.state().castling().has(i)
            && is_clear(castling)
            && !castling.king_way.iter().any(|square| board.is_attacked(*square, !us))
        {
            emit(Move::new(King, castling.king_from, castling.king_to, None, MoveKind::Castling));
        }
    }
}
