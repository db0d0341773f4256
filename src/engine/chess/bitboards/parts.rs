//! Bitboards in parts: sets of colours, sets of kinds, and what a sliding method keeps.

use super::Bitboards;
use super::sliders::Sliders;
use crate::chess::parts::{DerivedPart, InParts};
use crate::chess::state::State;
use crate::chess::{Piece, Square, SquareSet};

impl<S: Sliders> Bitboards<S> {
    const PARTS: [DerivedPart; 3] = [
        DerivedPart { name: "colours", bytes: size_of::<[SquareSet; 2]>() },
        DerivedPart { name: "kinds", bytes: size_of::<[SquareSet; 6]>() },
        DerivedPart { name: "rotated sets", bytes: size_of::<S::Kept>() },
    ];
}

impl<S: Sliders> InParts for Bitboards<S> {
    const BASE_BYTES: usize = size_of::<[Option<Piece>; 64]>() + size_of::<State>();

    fn derived_parts() -> &'static [DerivedPart] {
        // Most sliding methods keep nothing.
        let all: &'static [DerivedPart; 3] = const { &Self::PARTS };
        if size_of::<S::Kept>() == 0 { &all[..2] } else { all }
    }

    #[inline]
    fn copy_parts(&mut self, from: &Self, parts: usize) {
        (self.squares, self.state) = (from.squares, from.state);
        if parts > 0 {
            self.colors = from.colors;
        }
        if parts > 1 {
            self.kinds = from.kinds;
        }
        if parts > 2 {
            self.kept = from.kept;
        }
    }

    #[inline]
    fn rebuild_parts(&mut self, parts: usize) {
        if parts < 2 {
            let (mut colors, mut kinds) = ([SquareSet::EMPTY; 2], [SquareSet::EMPTY; 6]);
            for square in Square::all() {
                if let Some(piece) = self.squares[square.index()] {
                    kinds[piece.kind().index()] |= SquareSet::of(square);
                    if parts == 0 {
                        colors[piece.color().index()] |= SquareSet::of(square);
                    }
                }
            }
            self.kinds = kinds;
            if parts == 0 {
                self.colors = colors;
            }
        }
        if parts < 3 {
            self.kept = S::Kept::default();
            for square in self.all() {
                S::toggle(&mut self.kept, square);
            }
        }
    }
}
