//! The part of a position that is not pieces, in 16 bytes: key, clocks, castling, en passant, side to move.
//!
//! A move cannot be inverted on it, so making a move returns the old state as an [`Undo`], which the caller keeps on
//! its own stack: a board holds no list of earlier states, and copying a board copies none.

use std::fmt;

use super::castling::CastlingRights;
use super::setup::Setup;
use super::{Color, Square};

/// Key, clocks, castling rights, en passant square and side to move of a position.
///
/// All but the key is packed into one word by hand. A state is copied as a whole at every move; had it been written
/// field by field just before, the copy would have to wait for all those small stores.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct State {
    key: u64,
    rest: u64,
}

/// Parts of a [`State`], unpacked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Plies since the game began: even if White is to move.
    pub ply: u16,
    pub halfmove_clock: u16,
    /// Plies since the last capture, pawn move or null move. Saturates at 255.
    pub reversible: u8,
    pub castling: CastlingRights,
    pub en_passant: Option<Square>,
    pub turn: Color,
}

/// First bit of each part in the packed word. Whole bytes, so that each part can be read by itself.
const PLY: u32 = 0;
const HALFMOVE_CLOCK: u32 = 16;
const REVERSIBLE: u32 = 32;
const CASTLING: u32 = 40;
const EN_PASSANT: u32 = 48;
const TURN: u32 = 56;
/// Code for 'no en passant square'.
const NO_SQUARE: u64 = Square::COUNT as u64;

/// State before a move, to be kept until the move is unmade.
#[derive(Clone, Copy, Debug)]
#[must_use = "without it the move cannot be taken back"]
pub struct Undo(pub(super) State);

impl State {
    #[inline(always)]
    pub(super) fn new(key: u64, parts: Parts) -> Self {
        let en_passant = parts.en_passant.map_or(NO_SQUARE, |square| square as u64);
        let rest = u64::from(parts.ply) << PLY
            | u64::from(parts.halfmove_clock) << HALFMOVE_CLOCK
            | u64::from(parts.reversible) << REVERSIBLE
            | (parts.castling.index() as u64) << CASTLING
            | en_passant << EN_PASSANT
            | (parts.turn as u64) << TURN;
        Self { key, rest }
    }

    #[inline(always)]
    pub(super) fn parts(&self) -> Parts {
        Parts {
            ply: self.ply(),
            halfmove_clock: self.halfmove_clock(),
            reversible: self.reversible(),
            castling: self.castling(),
            en_passant: self.en_passant(),
            turn: self.turn(),
        }
    }

    /// State of a position, with a key of 0 until the pieces are placed.
    pub(super) fn of(setup: &Setup) -> Self {
        let parts = Parts {
            ply: 2 * (setup.fullmove as u16 - 1) + setup.turn as u16,
            halfmove_clock: setup.halfmove_clock as u16,
            reversible: setup.halfmove_clock.min(255) as u8,
            castling: setup.castling,
            en_passant: setup.en_passant,
            turn: setup.turn,
        };
        Self::new(0, parts)
    }

    /// The state with another key and another en passant square.
    #[inline(always)]
    pub(super) fn with(&self, key: u64, en_passant: Option<Square>) -> Self {
        Self::new(key, Parts { en_passant, ..self.parts() })
    }

    /// The Zobrist key.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Side to move.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        if self.rest >> TURN == 0 { Color::White } else { Color::Black }
    }

    /// Castling rights.
    #[inline(always)]
    pub fn castling(&self) -> CastlingRights {
        CastlingRights::from_index((self.rest >> CASTLING) as usize)
    }

    /// En passant square, if the key rule keeps it.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        let square = self.rest >> EN_PASSANT & 0xFF;
        (square != NO_SQUARE).then(|| Square::wrapping(square as usize))
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        (self.rest >> HALFMOVE_CLOCK) as u16
    }

    /// Plies since the last capture, pawn move or null move: how far back a position can have occurred before.
    #[inline(always)]
    pub fn reversible(&self) -> u8 {
        (self.rest >> REVERSIBLE) as u8
    }

    #[inline(always)]
    fn ply(&self) -> u16 {
        (self.rest >> PLY) as u16
    }

    /// Move number, 1 at the start of the game.
    #[inline(always)]
    pub fn fullmove(&self) -> u16 {
        self.ply() / 2 + 1
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State {{ key: {:016X}, {:?} }}", self.key, self.parts())
    }
}
