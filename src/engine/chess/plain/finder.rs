//! Where the pieces are: nowhere but on the board, or in lists.

use std::fmt::Debug;

use crate::chess::parts::DerivedPart;
use crate::chess::{Piece, Square};

/// Finds the pieces of a board.
pub trait Finder: Clone + Debug + Default + Send + Sync + 'static {
    /// Bytes of lists and their lengths. What is left is for finding a piece in its list.
    const LIST_BYTES: usize;
    /// Parts that a copy of a board may leave out.
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

/// A list for each kind and colour, and for each square the place of its piece there. It is read from its end if it is
/// `REVERSED`.
#[derive(Clone, Debug)]
pub struct Lists<const REVERSED: bool> {
    squares: [[Square; MOST]; CODES],
    counts: [u8; CODES],
    places: [u8; Square::COUNT],
}

impl<const REVERSED: bool> Default for Lists<REVERSED> {
    fn default() -> Self {
        Self { squares: [[Square::A1; MOST]; CODES], counts: [0; CODES], places: [0; Square::COUNT] }
    }
}

impl<const REVERSED: bool> Finder for Lists<REVERSED> {
    const LIST_BYTES: usize = CODES * (MOST + 1);
    const PARTS: &'static [DerivedPart] = &[DerivedPart { name: "piece lists", bytes: size_of::<Self>() }];

    #[inline(always)]
    fn squares(&self, piece: Piece, _: impl Fn(Square) -> Option<Piece>) -> impl Iterator<Item = Square> {
        let list = piece.code();
        let pieces = usize::from(self.counts[list]);
        (0..pieces).map(move |i| self.squares[list][if REVERSED { pieces - 1 - i } else { i }])
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

/// Lists without places: each piece knows the one before and the one after it.
#[derive(Clone, Debug)]
pub struct Linked {
    first: [u8; CODES],
    next: [u8; Square::COUNT],
    before: [u8; Square::COUNT],
}

/// Stands for a neighbour that there is not.
const NONE: u8 = Square::COUNT as u8;

impl Default for Linked {
    fn default() -> Self {
        Self { first: [NONE; CODES], next: [NONE; Square::COUNT], before: [NONE; Square::COUNT] }
    }
}

impl Linked {
    /// Makes a square follow `before`, or come first if there is none.
    #[inline(always)]
    fn set_next(&mut self, piece: Piece, before: u8, square: u8) {
        match before {
            NONE => self.first[piece.code()] = square,
            before => self.next[usize::from(before)] = square,
        }
    }

    #[inline(always)]
    fn set_before(&mut self, next: u8, square: u8) {
        if next != NONE {
            self.before[usize::from(next)] = square;
        }
    }
}

impl Finder for Linked {
    const LIST_BYTES: usize = size_of::<Self>();
    const PARTS: &'static [DerivedPart] = &[DerivedPart { name: "linked lists", bytes: size_of::<Self>() }];

    #[inline(always)]
    fn squares(&self, piece: Piece, _: impl Fn(Square) -> Option<Piece>) -> impl Iterator<Item = Square> {
        let known = |square: u8| (square != NONE).then(|| Square::wrapping(square.into()));
        std::iter::successors(known(self.first[piece.code()]), move |square| known(self.next[square.index()]))
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        let next = self.first[piece.code()];
        (self.next[square.index()], self.before[square.index()]) = (next, NONE);
        self.set_before(next, square as u8);
        self.first[piece.code()] = square as u8;
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        let (next, before) = (self.next[square.index()], self.before[square.index()]);
        self.set_next(piece, before, next);
        self.set_before(next, before);
    }

    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let (next, before) = (self.next[from.index()], self.before[from.index()]);
        (self.next[to.index()], self.before[to.index()]) = (next, before);
        self.set_next(piece, before, to as u8);
        self.set_before(next, to as u8);
    }
}
