//! Blockers and beyond: of all squares that a slider attacks on an empty board, those beyond each blocker are taken
//! away, one blocker after the other. The fewer pieces there are, the faster it is (Szabo 2023, section 3.1.5).

use super::filled::Filled;
use super::look_up::Slider;
use super::{Sliders, plain_occupancy};
use crate::chess::board::Unsupported;
use crate::chess::geometry::{self, KING_STEPS, slide};
use crate::chess::{Square, SquareSet};

/// Sliding method that takes away what lies beyond blockers.
#[derive(Clone, Copy, Debug)]
pub struct Beyond(());

struct Tables {
    /// Squares on which a piece blocks a rook or a bishop from this square, unless it stands at the edge.
    blockers: [[SquareSet; 64]; 2],
    /// Squares that somebody on the first square does not see for a piece on the second.
    beyond: [[SquareSet; 64]; 64],
}

static TABLES: Filled<Tables> =
    Filled::new(Tables { blockers: [[SquareSet::EMPTY; 64]; 2], beyond: [[SquareSet::EMPTY; 64]; 64] });

impl Beyond {
    #[inline(always)]
    fn attacks(self, slider: Slider, lines: SquareSet, from: Square, occupied: SquareSet) -> SquareSet {
        // SAFETY: `self` was made by `prepare`, which filled them.
        let tables = unsafe { TABLES.get() };
        let blockers = occupied & tables.blockers[slider as usize][from.index()];
        blockers.fold(lines, |attacks, blocker| attacks - tables.beyond[from.index()][blocker.index()])
    }
}

impl Sliders for Beyond {
    plain_occupancy!();

    fn prepare() -> Result<Self, Unsupported> {
        TABLES.fill(|tables| {
            for from in Square::all() {
                let free = slide(from, &KING_STEPS, SquareSet::EMPTY);
                for blocker in free {
                    let seen = slide(from, &KING_STEPS, SquareSet::of(blocker));
                    tables.beyond[from.index()][blocker.index()] = free - seen;
                }
                for slider in [Slider::Rook, Slider::Bishop] {
                    tables.blockers[slider as usize][from.index()] = slider.mask(from);
                }
            }
        });
        Ok(Self(()))
    }

    fn table_bytes() -> usize {
        size_of::<Tables>()
    }

    #[inline(always)]
    fn bishop(self, from: Square, occupied: SquareSet) -> SquareSet {
        self.attacks(Slider::Bishop, geometry::bishop_lines(from), from, occupied)
    }

    #[inline(always)]
    fn rook(self, from: Square, occupied: SquareSet) -> SquareSet {
        self.attacks(Slider::Rook, geometry::rook_lines(from), from, occupied)
    }
}
