//! The mailbox board with a listener of its own, as a board to choose.

use super::mailbox::{ListBoard, Tally};

/// Listener that does nothing.
#[derive(Clone, Copy, Debug)]
pub struct Deaf;

impl Tally for Deaf {}

/// The board.
pub type Tallied = ListBoard<Deaf>;
