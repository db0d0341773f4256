//! The search for magic multipliers: sparse random numbers are tried until one sends all occupations with different
//! answers to different places.

use super::subsets::{Slider, subsets};
use crate::chess::{Square, SquareSet};
use crate::random::SplitMix;

/// The seed of the search whose result is in `magic_multipliers.rs`.
pub const SEED: u64 = 2004;

/// Finds a multiplier for each square, `a1` first.
pub fn find(slider: Slider) -> [u64; 64] {
    std::array::from_fn(|i| find_for(slider, Square::wrapping(i)))
}

fn find_for(slider: Slider, from: Square) -> u64 {
    let mask = slider.mask(from);
    let shift = 64 - mask.len();
    let answers: Vec<_> = subsets(mask).map(|occupied| (occupied, slider.attacks(from, occupied))).collect();
    // Which attempt wrote each place: nothing needs to be cleared between attempts.
    let mut places = vec![(0_u32, SquareSet::EMPTY); answers.len()];
    let mut random = SplitMix::new(SEED ^ (slider as u64) << 32 ^ from.index() as u64);
    (1..)
        .find_map(|attempt| {
            // About 8 of 64 bits: dense multipliers hardly ever work.
            let multiplier = random.next() & random.next() & random.next();
            let spread = mask.0.wrapping_mul(multiplier) >> 56;
            // A good multiplier carries the mask into the top bits.
            let separates = spread.count_ones() >= 6
                && answers.iter().all(|&(occupied, answer)| {
                    let place = &mut places[(occupied.0.wrapping_mul(multiplier) >> shift) as usize];
                    let free = place.0 != attempt;
                    if free {
                        *place = (attempt, answer);
                    }
                    free || place.1 == answer
                });
            separates.then_some(multiplier)
        })
        .expect("the attempts do not end")
}

#[cfg(test)]
mod tests {
    use super::super::magic_multipliers::{BISHOP, ROOK};
    use super::*;

    /// If this fails after a change of the search, the message is what belongs into the file.
    #[test]
    fn the_multipliers_are_those_that_the_search_finds() {
        for (name, slider, kept) in [("ROOK", Slider::Rook, &ROOK), ("BISHOP", Slider::Bishop, &BISHOP)] {
            let found = find(slider);
            let rows: Vec<_> = found
                .chunks(4)
                .map(|row| row.iter().map(|m| format!("0x{m:016X}")).collect::<Vec<_>>().join(", "))
                .collect();
            assert!(found == *kept, "pub const {name}: [u64; 64] = [\n    {},\n];", rows.join(",\n    "));
        }
    }
}
