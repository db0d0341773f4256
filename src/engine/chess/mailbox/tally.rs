//! What happens on a mailbox board, told to a type that may count it. The ordinary board's type does nothing, so that
//! nothing of this is left in the compiled program; a board that counts is the same code, and walks the same trees.

use std::fmt::Debug;

use super::ListBoard;
use crate::chess::Move;
use crate::chess::see::Asker;

/// Listener to the accesses of a mailbox board.
pub trait Tally: Copy + Debug + Send + Sync + Sized + 'static {
    /// A list with this number of pieces is about to be read.
    #[inline(always)]
    fn list(_pieces: usize) {}

    /// The first piece from a cell along a line was found, or the border, after this number of empty cells.
    #[inline(always)]
    fn ray(_steps: usize) {}

    /// The search is about to ask what a move wins on its target square.
    #[inline(always)]
    fn exchange(_board: &ListBoard<Self>, _mv: Move, _asker: Asker) {}
}

/// Listener of the ordinary board, which does nothing.
#[derive(Clone, Copy, Debug)]
pub struct Untallied;

impl Tally for Untallied {}
