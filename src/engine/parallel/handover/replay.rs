//! The moves from the root; the helper makes them. Their number grows with the depth of the node, not with the size of
//! a board.

use super::form::{Destination, Form, Origin, Past};
use crate::chess::{Board, Move, Sizes};
use crate::machine::Work;
use crate::search::MAX_PLY;

/// Thousandths of the work of rebuilding a position that making a move is taken to be. Measured on bitboards: 8 to 15
/// ns beside 80 to 100.
const MOVE_PERMILLE: u32 = 125;

/// Moves from the root to a node; nothing for a null move.
pub(super) struct Line(Vec<Option<Move>>);

impl<B: Board> Form<B> for Line {
    /// The helper remembers the positions that it goes through.
    const PAST: Past = Past::Remade;

    fn pack(origin: &Origin<'_, B>, parts: usize) -> Self {
        let mut line = Self(Vec::with_capacity(MAX_PLY));
        Form::<B>::repack(&mut line, origin, parts);
        line
    }

    fn repack(&mut self, origin: &Origin<'_, B>, _parts: usize) {
        self.0.clear();
        self.0.extend(origin.line.moves());
    }

    fn bytes(&self, _sizes: &Sizes) -> usize {
        size_of_val(&self.0[..])
    }

    fn unpack(&self, destination: &mut Destination<'_, B>, _sizes: &Sizes) -> Option<Work> {
        let Destination { board, past, root: (root, before) } = destination;
        board.clone_from(root);
        past.copy_reversible_from(before, root.state());
        past.mark_root();
        for mv in &self.0 {
            past.push(board.key());
            let _ = match mv {
                Some(mv) => board.make(*mv),
                None => board.make_null(),
            };
        }
        Some(Work::Rebuilding { permille: MOVE_PERMILLE * self.0.len() as u32 })
    }

    fn line(&self) -> Option<&[Option<Move>]> {
        Some(&self.0)
    }
}
