//! Squares, state and some of the derived parts; the helper rebuilds the others. Where the best ratio of copied and
//! calculated parts lies is a question of the 2004 thesis.

use super::Form;
use crate::chess::{Board, DerivedPart};
use crate::machine::{Processor, Work};
use crate::search::{Strategy, Worker};

/// Board of which only some parts are copied.
pub(super) struct Partial<B> {
    /// The parts that are not copied are those of an earlier position.
    board: B,
    /// Number of derived parts that are copied.
    parts: usize,
}

/// Bytes of these parts.
fn bytes_of(parts: &[DerivedPart]) -> usize {
    parts.iter().map(|part| part.bytes).sum()
}

impl<B: Board> Form<B> for Partial<B> {
    fn pack<P: Processor, S: Strategy>(worker: &Worker<'_, B, P, S>, _ply: usize, parts: usize) -> Self {
        Self { board: worker.board.clone(), parts }
    }

    fn repack<P: Processor, S: Strategy>(&mut self, worker: &Worker<'_, B, P, S>, _ply: usize, parts: usize) {
        self.board.copy_parts(&worker.board, parts);
        self.parts = parts;
    }

    fn bytes(&self) -> usize {
        B::BASE_BYTES + bytes_of(&B::derived_parts()[..self.parts.min(B::derived_parts().len())])
    }

    fn unpack<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>) -> Option<Work> {
        worker.board.copy_parts(&self.board, self.parts);
        worker.board.rebuild_parts(self.parts);
        let all = B::derived_parts();
        let rebuilt = bytes_of(all.get(self.parts..).unwrap_or_default());
        (rebuilt > 0).then(|| Work::Rebuilding { permille: (1000 * rebuilt / bytes_of(all)) as u32 })
    }
}
