//! Sliding methods: how the attacks of bishops and rooks are looked up.
//!
//! A sliding method is a type, so that the boards that use it are compiled for it. A value of the type proves that its
//! tables are filled and that the processor can run it: only [`Sliders::prepare`] gives one out, and every board holds
//! one.

mod beyond;
mod filled;
mod homogeneous;
mod lines;
mod look_up;
mod magic;
mod magic_multipliers;
mod pext;
mod ray;
mod rotated;

use std::fmt::Debug;

use crate::chess::board::Unsupported;
use crate::chess::{Square, SquareSet};

pub use beyond::Beyond;
pub use homogeneous::Homogeneous;
pub use lines::Lines;
pub use look_up::{Slider, subsets};
pub use magic::Magic;
pub use magic_multipliers::{candidate, multiplier};
pub use pext::Pext;
pub use ray::Ray;
pub use rotated::Rotated;

/// Sliding method: how the attacks of bishops and rooks are looked up.
pub trait Sliders: Copy + Debug + Send + Sync + 'static {
    /// Data that a board keeps for sliding beside its bitboards, updated by every move.
    type Kept: Copy + Debug + Default + PartialEq + Send + Sync + 'static;

    /// Occupied squares in the form in which attacks are looked up.
    type Occupied: Copy;

    /// Checks the processor and fills the tables, if that has not been done.
    fn prepare() -> Result<Self, Unsupported>;

    /// Bytes of the tables, which all boards share.
    fn table_bytes() -> usize;

    /// Records that a square has become occupied or empty.
    fn toggle(kept: &mut Self::Kept, square: Square);

    /// Occupied squares, from the plain set and from what the board keeps.
    fn occupied(all: SquareSet, kept: Self::Kept) -> Self::Occupied;

    /// Occupied squares with these squares changed from empty to occupied or back.
    fn toggled(occupied: Self::Occupied, squares: SquareSet) -> Self::Occupied;

    /// Squares that a bishop attacks; the first piece on each line is included.
    fn bishop(self, from: Square, occupied: Self::Occupied) -> SquareSet;

    /// Squares that a rook attacks; the first piece on each line is included.
    fn rook(self, from: Square, occupied: Self::Occupied) -> SquareSet;
}

/// Items of sliding methods that need nothing but the set of occupied squares.
macro_rules! plain_occupancy {
    () => {
        type Kept = ();
        type Occupied = SquareSet;

        #[inline(always)]
        fn toggle((): &mut (), _: Square) {}

        #[inline(always)]
        fn occupied(all: SquareSet, (): ()) -> SquareSet {
            all
        }

        #[inline(always)]
        fn toggled(occupied: SquareSet, squares: SquareSet) -> SquareSet {
            occupied ^ squares
        }
    };
}
use plain_occupancy;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::choice::on_all_sliders;
    use crate::chess::geometry::{BISHOP_STEPS, ROOK_STEPS, slide};
    use crate::random::SplitMix;

    fn agrees_with_walking<S: Sliders>() {
        let Ok(sliders) = S::prepare() else { return };
        let mut random = SplitMix::new(1);
        for round in 0..2_000 {
            let full = SquareSet(random.next());
            // From sparse to crowded boards.
            let all = match round % 3 {
                0 => full & SquareSet(random.next()) & SquareSet(random.next()),
                1 => full,
                _ => full | SquareSet(random.next()),
            };
            let mut kept = S::Kept::default();
            all.for_each(|square| S::toggle(&mut kept, square));
            let occupied = S::occupied(all, kept);
            let lifted = all & SquareSet(random.next());
            for from in Square::all() {
                for (occupied, squares) in [(occupied, all), (S::toggled(occupied, lifted), all - lifted)] {
                    let [bishop, rook] = [&BISHOP_STEPS, &ROOK_STEPS].map(|steps| slide(from, steps, squares));
                    assert_eq!(sliders.bishop(from, occupied), bishop, "{sliders:?} bishop {from}");
                    assert_eq!(sliders.rook(from, occupied), rook, "{sliders:?} rook {from}");
                }
            }
        }
    }

    #[test]
    fn all_sliders_agree_with_walking_square_by_square() {
        on_all_sliders!(agrees_with_walking);
        agrees_with_walking::<Homogeneous>();
        agrees_with_walking::<Lines>();
        agrees_with_walking::<Beyond>();
    }
}
