//! Squares and state in 40 bytes; the helper rebuilds all else.

use super::form::{Destination, Form, Origin};
use crate::chess::{Board, Compact, Sizes};
use crate::machine::Work;

impl<B: Board> Form<B> for Compact {
    fn pack(origin: &Origin<'_, B>, _parts: usize) -> Self {
        Self::of(origin.board)
    }

    fn bytes(&self, _sizes: &Sizes) -> usize {
        size_of::<Self>()
    }

    fn unpack(&self, destination: &mut Destination<'_, B>, _sizes: &Sizes) -> Option<Work> {
        self.rebuild(destination.board);
        Some(Work::Rebuilding { permille: 1000 })
    }
}
