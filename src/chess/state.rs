//! What every board knows beside the pieces, in 16 bytes: the key, the clocks, castling, en passant, whose turn it is.
//!
//! A move changes it for good, so making a move hands the old state to the caller as an [`Undo`], who keeps it on its own
//! stack: a board carries no list of what was, and copying one copies no past.

use super::castling::CastlingRights;
use super::setup::Setup;
use super::{Color, Square};

/// The part of a position that is not pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub(super) key: u64,
    /// Plies since the game began; even when White is to move.
    pub(super) ply: u16,
    pub(super) halfmove_clock: u16,
    /// Plies that can be taken back by moves: since the last capture, pawn move or null move. Stays at 255.
    pub(super) reversible: u8,
    pub(super) castling: CastlingRights,
    pub(super) en_passant: Option<Square>,
    pub(super) turn: Color,
}

/// What a move destroys. Whoever makes a move keeps this until taking it back.
#[derive(Clone, Copy, Debug)]
#[must_use = "without it the move cannot be taken back"]
pub struct Undo(pub(super) State);

impl State {
    pub(super) fn of(setup: &Setup) -> Self {
        Self {
            key: 0,
            ply: 2 * (setup.fullmove() - 1) + setup.turn() as u16,
            halfmove_clock: setup.halfmove_clock(),
            reversible: setup.halfmove_clock().min(255) as u8,
            castling: setup.castling(),
            en_passant: setup.en_passant(),
            turn: setup.turn(),
        }
    }

    /// The Zobrist key.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Who may still castle.
    #[inline(always)]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square where a pawn can be captured en passant, as the key's rule remembers it.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Plies since the last capture, pawn move or null move: how far back a position can have occurred before.
    #[inline(always)]
    pub fn reversible(&self) -> u8 {
        self.reversible
    }

    /// The number of the move, 1 at the start.
    #[inline(always)]
    pub fn fullmove(&self) -> u16 {
        self.ply / 2 + 1
    }
}
