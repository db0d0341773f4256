//! Forms in which a position travels from its owner to helpers.

use crate::chess::{Board, History, Move, Sizes};
use crate::machine::Work;
use crate::search::LineTo;

/// Position that an owner hands over, with how it was reached.
pub struct Origin<'a, B> {
    /// Position.
    pub board: &'a B,
    /// Positions before it.
    pub past: &'a History,
    /// Moves that led to it from the root.
    pub line: LineTo<'a>,
    /// Sizes that are counted: those of its board, or of the one that it stands for in simulated time.
    pub sizes: Sizes,
}

/// Places into which a helper takes a position over, and the root of its search.
pub struct Destination<'a, B> {
    /// Place of the position.
    pub board: &'a mut B,
    /// Place of the positions before it.
    pub past: &'a mut History,
    /// Root, and the positions before it.
    pub root: (&'a B, &'a History),
}

/// Form in which a position of board `B` travels from its owner to helpers.
pub(super) trait Form<B: Board>: Sized {
    /// Earlier positions that travel with it.
    const PAST: Past = Past::Reversible;
    /// Fewest bytes that are copied, needed or not.
    const AT_LEAST: usize = 0;

    /// Position of the owner, with as many derived parts as the form leaves open.
    fn pack(origin: &Origin<'_, B>, parts: usize) -> Self;

    /// Packs another position in place of this one.
    fn repack(&mut self, origin: &Origin<'_, B>, parts: usize) {
        *self = Self::pack(origin, parts);
    }

    /// Number of bytes that are copied.
    fn bytes(&self, sizes: &Sizes) -> usize;

    /// Puts the position into its place. Returns the work beside reading the bytes.
    fn unpack(&self, destination: &mut Destination<'_, B>, sizes: &Sizes) -> Option<Work>;

    /// Moves from the root, if they are what travels.
    fn line(&self) -> Option<&[Option<Move>]> {
        None
    }
}

/// Earlier positions that a helper gets with a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Past {
    /// Positions that can still be repeated.
    Reversible,
    /// Positions of the whole game and line.
    All,
    /// None: it makes them for itself.
    Remade,
}
