//! Bitboards in parts: sets of colours, sets of kinds, and what a sliding method keeps.

use super::Bitboards;
use super::sets::BY_KIND;
use super::sliders::Sliders;
use crate::chess::parts::{DerivedPart, InParts};
use crate::chess::placement::Placement;
use crate::chess::state::State;
use crate::chess::{Piece, Square, SquareSet};

impl<S: Sliders, const SETS: usize, const ATTACKS: usize> Bitboards<S, SETS, ATTACKS> {
    /// The last is what some boards keep beside the sets: rotated ones, or attacks.
    const PARTS: [DerivedPart; 3] = [
        DerivedPart { name: "colours", bytes: size_of::<[SquareSet; 2]>() },
        DerivedPart { name: if SETS == BY_KIND { "kinds" } else { "pieces" }, bytes: size_of::<[SquareSet; SETS]>() },
        DerivedPart {
            name: if ATTACKS == 0 { "rotated sets" } else { "attacks" },
            bytes: size_of::<S::Kept>() + size_of::<[SquareSet; ATTACKS]>(),
        },
    ];
}

impl<S: Sliders, const SETS: usize, const ATTACKS: usize> InParts for Bitboards<S, SETS, ATTACKS> {
    const BASE_BYTES: usize = size_of::<[Option<Piece>; 64]>() + size_of::<State>();

    fn derived_parts() -> &'static [DerivedPart] {
        let all: &'static [DerivedPart; 3] = const { &Self::PARTS };
        if all[2].bytes == 0 { &all[..2] } else { all }
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
            (self.kept, self.attacks) = (from.kept, from.attacks);
        }
    }

    #[inline]
    fn rebuild_parts(&mut self, parts: usize) {
        if parts < 2 {
            let (mut colors, mut kinds) = ([SquareSet::EMPTY; 2], [SquareSet::EMPTY; SETS]);
            for square in Square::all() {
                if let Some(piece) = self.squares[square.index()] {
                    kinds[Self::place(piece)] |= SquareSet::of(square);
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
            self.settle();
        }
    }
}
