//! Where the pieces are: nowhere but on the board, or in lists.

use std::fmt::Debug;

use crate::chess::parts::DerivedPart;
use crate::chess::{Piece, Square};

/// Finds the pieces of a board.
pub trait Finder: Clone + Debug + Default + Send + Sync + 'static {
    /// Bytes of lists and their lengths. What is left is for finding a piece in its list.
    const LIST_BYTES: usize;
    /// What a board that is copied may leave out.
    const PARTS: &'static [DerivedPart];

    /// Squares of a piece; `on` tells what stands on a square.
    fn squares(&self, piece: Piece, on: impl Fn(Square) -> Option<Piece>) -> impl Iterator<Item = Square>;

    /// A piece has come to a square.
    fn put(&mut self, _piece: Piece, _square: Square) {}

    /// A piece leaves its square.
    fn take(&mut self, _piece: Piece, _square: Square) {}

    /// A piece goes from one square to another.
    fn shift(&mut self, _piece: Piece, _from: Square, _to: Square) {}
}

/// Looks at every square.
#[derive(Clone, Debug, Default)]
pub struct Scan;

impl Finder for Scan {
    const LIST_BYTES: usize = 0;
    const PARTS: &'static [DerivedPart] = &[];

    #[inline(always)]
    fn squares(&self, piece: Piece, on: impl Fn(Square) -> Option<Piece>) -> impl Iterator<Item = Square> {
        Square::all().filter(move |square| on(*square) == Some(piece))
    }
}

/// Most pieces of a kind and colour: two from the start, and eight by promotion.
const MOST: usize = 10;
/// Number of codes of pieces, see [`Piece::code`].
const CODES: usize = 16;

/// A list for each kind and colour, and for each square the place of its piece there.
#[derive(Clone, Debug)]
pub struct Lists {
    squares: [[Square; MOST]; CODES],
    counts: [u8; CODES],
    places: [u8; Square::COUNT],
}

impl Default for Lists {
    fn default() -> Self {
        Self { squares: [[Square::A1; MOST]; CODES], counts: [0; CODES], places: [0; Square::COUNT] }
    }
}

impl Finder for Lists {
    const LIST_BYTES: usize = CODES * (MOST + 1);
    const PARTS: &'static [DerivedPart] = &[DerivedPart { name: "piece lists", bytes: size_of::<Self>() }];

    #[inline(always)]
    fn squares(&self, piece: Piece, _: impl Fn(Square) -> Option<Piece>) -> impl Iterator<Item = Square> {
        let list = piece.code();
        self.squares[list][..usize::from(self.counts[list])].iter().copied()
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        let list = piece.code();
        let place = self.counts[list];
        self.squares[list][usize::from(place)] = square;
        self.places[square.index()] = place;
        self.counts[list] += 1;
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        let list = piece.code();
        self.counts[list] -= 1;
        let last = self.squares[list][usize::from(self.counts[list])];
        let place = self.places[square.index()];
        self.squares[list][usize::from(place)] = last;
        self.places[last.index()] = place;
    }

    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let place = self.places[from.index()];
        self.squares[piece.code()][usize::from(place)] = to;
        self.places[to.index()] = place;
    }
}
