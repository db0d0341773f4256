//! The moves from the root; the helper makes them. Their number grows with the depth of the node, not with the size of
//! a board.

use super::{Form, Past};
use crate::chess::{Board, Move};
use crate::machine::{Processor, Work};
use crate::search::{MAX_PLY, Strategy, Worker};

/// Thousandths of the work of rebuilding a position that making a move is taken to be. Measured on bitboards: 8 to 15
/// ns beside 80 to 100.
const MOVE_PERMILLE: u32 = 125;

/// Moves from the root to a node; nothing for a null move.
pub(super) struct Line(Vec<Option<Move>>);

impl<B: Board> Form<B> for Line {
    /// The helper remembers the positions that it goes through.
    const PAST: Past = Past::Remade;

    fn pack<P: Processor, S: Strategy>(worker: &Worker<'_, B, P, S>, ply: usize, parts: usize) -> Self {
        let mut line = Self(Vec::with_capacity(MAX_PLY));
        Form::<B>::repack(&mut line, worker, ply, parts);
        line
    }

    fn repack<P: Processor, S: Strategy>(&mut self, worker: &Worker<'_, B, P, S>, ply: usize, _parts: usize) {
        self.0.clear();
        self.0.extend(worker.line_to(ply));
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }

    fn unpack<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>) -> Option<Work> {
        worker.replay(&self.0);
        Some(Work::Rebuilding { permille: MOVE_PERMILLE * self.0.len() as u32 })
    }

    fn adopt<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>) {
        worker.set_line(&self.0);
    }
}
