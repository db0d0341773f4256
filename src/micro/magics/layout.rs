//! The two layouts of the tables of magic bitboards: *minimal*, where each square has as many places as it needs and a
//! shift of its own (Romstad 2007; what the boards use), and *homogeneous*, where every square has as many as the one
//! that needs most.

use crate::chess::bitboards::sliders::{Slider, subsets};
use crate::chess::{Square, SquareSet};
use crate::choices::choices;

choices! {
    /// Layout of the tables of magic bitboards.
    pub enum Layout, "layout";
    /// Each square has the places that it needs.
    Minimal "minimal",
    /// All squares have as many places.
    Homogeneous "homogeneous",
}

/// Answers of a slider, in a layout that is known when this is compiled.
#[derive(Debug)]
pub struct Answers<const HOMOGENEOUS: bool> {
    squares: [Entry; 64],
    /// Shift of all squares, if they have one in common.
    shift: u32,
    answers: Vec<SquareSet>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    mask: u64,
    multiplier: u64,
    first: u32,
    shift: u32,
}

impl<const HOMOGENEOUS: bool> Answers<HOMOGENEOUS> {
    /// Tables of a slider, filled by these multipliers; nothing if two answers meet at a place.
    pub fn new(slider: Slider, multiplier: impl Fn(Square) -> u64) -> Option<Self> {
        let widest = Square::all().map(|from| slider.mask(from).len()).max().unwrap_or(0);
        let mut table = Self { squares: [Entry::default(); 64], shift: 64 - widest, answers: Vec::new() };
        for from in Square::all() {
            let mask = slider.mask(from);
            let width = if HOMOGENEOUS { widest } else { mask.len() };
            let entry = Entry {
                mask: mask.0,
                multiplier: multiplier(from),
                first: table.answers.len() as u32,
                shift: 64 - width,
            };
            table.squares[from.index()] = entry;
            let mut answers = vec![None; 1 << width];
            for occupied in subsets(mask) {
                let place = (occupied.0.wrapping_mul(entry.multiplier) >> entry.shift) as usize;
                let answer = slider.attacks(from, occupied);
                if *answers[place].get_or_insert(answer) != answer {
                    return None;
                }
            }
            table.answers.extend(answers.into_iter().map(Option::unwrap_or_default));
        }
        Some(table)
    }

    /// Number of places.
    pub fn places(&self) -> usize {
        self.answers.len()
    }

    /// Squares that the slider attacks.
    #[inline(always)]
    pub fn attacks(&self, from: Square, occupied: SquareSet) -> SquareSet {
        let entry = &self.squares[from.index()];
        let product = (occupied.0 & entry.mask).wrapping_mul(entry.multiplier);
        let place = if HOMOGENEOUS {
            (from.index() << (64 - self.shift)) + (product >> self.shift) as usize
        } else {
            entry.first as usize + (product >> entry.shift) as usize
        };
        self.answers[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::bitboards::sliders::multiplier;

    fn check<const HOMOGENEOUS: bool>(slider: Slider, places: usize) {
        let table = <Answers<HOMOGENEOUS>>::new(slider, |from| multiplier(slider, from)).unwrap();
        assert_eq!(table.places(), places);
        for from in Square::all() {
            for occupied in subsets(slider.mask(from)) {
                assert_eq!(table.attacks(from, occupied), slider.attacks(from, occupied), "{slider:?} {from}");
            }
        }
    }

    #[test]
    fn both_layouts_answer_rightly() {
        check::<false>(Slider::Rook, 102_400);
        check::<true>(Slider::Rook, 262_144);
        check::<false>(Slider::Bishop, 5_248);
        check::<true>(Slider::Bishop, 32_768);
        assert!(<Answers<false>>::new(Slider::Bishop, |_| 1).is_none(), "not every number is a multiplier");
    }
}
