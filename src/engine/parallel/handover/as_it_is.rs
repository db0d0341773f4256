//! The board as it is: with the keys of the earlier positions that can still be repeated, with those of all, or with as
//! many bytes as the position of the 2004 thesis has.

use super::form::{Destination, Form, Origin, Past};
use crate::chess::{Board, Sizes};
use crate::machine::Work;

/// Bytes of the thesis's position: 152 of sets of squares, 512 of squares, 1600 of its record of the game, 56 of state.
pub(in crate::parallel) const PRINTED_POSITION: usize = 2320;

/// Board as it is, with all keys or with those that matter, in at least so many bytes.
pub(super) struct AsItIs<B, const ALL_KEYS: bool, const AT_LEAST: usize>(B);

/// Board with the keys that can still be repeated.
pub(super) type Trimmed<B> = AsItIs<B, false, 0>;
/// Board with the keys of the whole game and line.
pub(super) type Whole<B> = AsItIs<B, true, 0>;
/// Board in as many bytes as the printed position has.
pub(super) type Printed<B> = AsItIs<B, true, PRINTED_POSITION>;

impl<B: Board, const ALL_KEYS: bool, const AT_LEAST: usize> Form<B> for AsItIs<B, ALL_KEYS, AT_LEAST> {
    const PAST: Past = if ALL_KEYS { Past::All } else { Past::Reversible };
    const AT_LEAST: usize = AT_LEAST;

    fn pack(origin: &Origin<'_, B>, _parts: usize) -> Self {
        Self(origin.board.clone())
    }

    fn repack(&mut self, origin: &Origin<'_, B>, _parts: usize) {
        self.0.clone_from(origin.board);
    }

    fn bytes(&self, sizes: &Sizes) -> usize {
        sizes.whole
    }

    fn unpack(&self, destination: &mut Destination<'_, B>, _sizes: &Sizes) -> Option<Work> {
        destination.board.clone_from(&self.0);
        None
    }
}
