//! Squares and state in 40 bytes; the helper rebuilds all else.

use super::Form;
use crate::chess::{Board, Compact};
use crate::machine::{Processor, Work};
use crate::search::{Strategy, Worker};

impl<B: Board> Form<B> for Compact {
    fn pack<P: Processor, S: Strategy>(worker: &Worker<'_, B, P, S>, _ply: usize, _parts: usize) -> Self {
        Self::of(&worker.board)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn unpack<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>) -> Option<Work> {
        self.rebuild(&mut worker.board);
        Some(Work::Rebuilding { permille: 1000 })
    }
}
