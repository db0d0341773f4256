//! Squares, state and some of the derived parts; the helper rebuilds the others. Where the best ratio of copied and
//! calculated parts lies is a question of the 2004 thesis.

use super::form::{Destination, Form, Origin};
use crate::chess::{Board, Sizes};
use crate::machine::Work;

/// Board of which only some parts are copied.
pub(super) struct Partial<B> {
    /// The parts that are not copied are those of an earlier position.
    board: B,
    /// Number of derived parts that are copied.
    parts: usize,
}

impl<B: Board> Form<B> for Partial<B> {
    fn pack(origin: &Origin<'_, B>, parts: usize) -> Self {
        Self { board: origin.board.clone(), parts }
    }

    fn repack(&mut self, origin: &Origin<'_, B>, parts: usize) {
        self.board.copy_parts(origin.board, parts);
        self.parts = parts;
    }

    fn bytes(&self, sizes: &Sizes) -> usize {
        sizes.with_parts(self.parts)
    }

    fn unpack(&self, destination: &mut Destination<'_, B>, sizes: &Sizes) -> Option<Work> {
        destination.board.copy_parts(&self.board, self.parts);
        destination.board.rebuild_parts(self.parts);
        sizes.rebuilt_permille(self.parts).map(|permille| Work::Rebuilding { permille })
    }
}
