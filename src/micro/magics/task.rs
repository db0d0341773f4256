//! What a magic multiplier of a square has to do: send occupations of the square's lines with different answers to
//! different places, in as many bits as there are squares that matter.

use crate::chess::bitboards::sliders::{Slider, candidate, subsets};
use crate::chess::{Square, SquareSet};
use crate::random::SplitMix;

/// First of the highest bits of a product that the filter of candidates looks at.
const HIGHEST: u32 = 48;
/// One-bits there that the filter wants.
const WANTED: u32 = 8;

/// Most bits of a table: as many as a rook in the corner needs.
pub const MOST_BITS: u32 = 12;

/// Search for a multiplier of one square.
pub struct Task {
    mask: u64,
    shift: u32,
    /// Every occupation with its answer.
    answers: Vec<(u64, SquareSet)>,
    /// Answer at each place, with the number of the candidate that wrote it: nothing needs to be cleared.
    places: Vec<(u64, SquareSet)>,
    /// Number of candidates that have been tried.
    tried: u64,
}

impl Task {
    /// Search for a slider on a square.
    pub fn new(slider: Slider, from: Square) -> Self {
        let mask = slider.mask(from);
        let answers: Vec<_> = subsets(mask).map(|occupied| (occupied.0, slider.attacks(from, occupied))).collect();
        let places = vec![(0, SquareSet::EMPTY); answers.len()];
        Self { mask: mask.0, shift: 64 - mask.len(), answers, places, tried: 0 }
    }

    /// Search for a multiplier for a table of 2 to the power of so many bits, at most [`MOST_BITS`]. In a small one
    /// different occupations with one answer share a place.
    pub fn with_bits(slider: Slider, from: Square, bits: u32) -> Self {
        let task = Self::new(slider, from);
        let places = vec![(0, SquareSet::EMPTY); 1 << bits];
        Self { shift: 64 - bits, places, ..task }
    }

    /// Search for a multiplier that needs half the places.
    pub fn narrower(slider: Slider, from: Square) -> Self {
        Self::with_bits(slider, from, slider.mask(from).len() - 1)
    }

    /// Number of candidates that have been tried.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Whether a candidate tells all answers apart.
    #[inline]
    pub fn is_magic(&mut self, candidate: u64) -> bool {
        self.tried += 1;
        let (shift, tried) = (self.shift, self.tried);
        for &(occupied, answer) in &self.answers {
            let place = &mut self.places[(occupied.wrapping_mul(candidate) >> shift) as usize];
            if place.0 != tried {
                *place = (tried, answer);
            } else if place.1 != answer {
                return false;
            }
        }
        true
    }

    /// Number of occupations whose place has another answer already, by a candidate; counted to one more than `most`.
    pub fn collisions(&mut self, candidate: u64, most: u32) -> u32 {
        self.tried += 1;
        let (shift, tried) = (self.shift, self.tried);
        let mut collisions = 0;
        for &(occupied, answer) in &self.answers {
            let place = &mut self.places[(occupied.wrapping_mul(candidate) >> shift) as usize];
            if place.0 != tried {
                *place = (tried, answer);
            } else if place.1 != answer {
                collisions += 1;
                if collisions > most {
                    break;
                }
            }
        }
        collisions
    }

    /// Whether a candidate sends as many of the squares that matter to the highest bits as most multipliers do. Others
    /// are not worth a trial (Reul 2009, section 3.8.2).
    #[inline]
    pub fn is_promising(&self, candidate: u64) -> bool {
        (self.mask.wrapping_mul(candidate) >> HIGHEST).count_ones() >= WANTED
    }

    /// A multiplier with this number of one-bits, by trial and error, of all candidates or the promising ones.
    pub fn draw(&mut self, ones: u32, filters: bool, random: &mut SplitMix) -> u64 {
        loop {
            let candidate = with_ones(ones, random);
            if (!filters || self.is_promising(candidate)) && self.is_magic(candidate) {
                return candidate;
            }
        }
    }

    /// The first seed from this one on whose number is a multiplier, with the number. Behind the last comes 0.
    pub fn first_seed(&mut self, start: u32) -> (u32, u64) {
        let mask = SquareSet(self.mask);
        let mut seed = start;
        loop {
            if let Some(found) = candidate(seed, mask).filter(|number| self.is_magic(*number)) {
                return (seed, found);
            }
            seed = seed.wrapping_add(1);
        }
    }

    /// The fewest one-bits of a multiplier, with the first that has so few: all candidates with fewer have been ruled
    /// out. Nothing if there is none with at most `most`.
    pub fn fewest(&mut self, most: u32) -> Option<(u32, u64)> {
        let windows = self.windows();
        (1..=most).find_map(|ones| Some((ones, self.extend(&windows, 0, 0, ones)?)))
    }

    /// For each square that matters: the bits of a multiplier of which it needs one. A single piece on that square has
    /// another answer than none, so its place must not be 0, and its place is the multiplier's bits from here.
    fn windows(&self) -> Vec<u64> {
        let top = u64::MAX << self.shift;
        SquareSet(self.mask).map(|square| top >> square.index()).collect()
    }

    /// A multiplier with the bits of `candidate` and `ones` more, none of them in `excluded`.
    fn extend(&mut self, windows: &[u64], candidate: u64, excluded: u64, ones: u32) -> Option<u64> {
        let free = |window: &u64| window & !excluded;
        let empty = windows.iter().filter(|window| *window & candidate == 0).map(free);
        // The window that leaves the least choice; if all have a bit, any bit will do.
        let choice = empty.min_by_key(|window| window.count_ones());
        if ones == 0 {
            return (choice.is_none() && self.is_magic(candidate)).then_some(candidate);
        }
        let mut excluded = excluded;
        for bit in SquareSet(choice.unwrap_or(!excluded & !candidate)) {
            let bit = 1 << bit.index();
            if let Some(found) = self.extend(windows, candidate | bit, excluded, ones - 1) {
                return Some(found);
            }
            // All candidates with this bit have been seen.
            excluded |= bit;
        }
        None
    }
}

/// Random number with exactly this number of one-bits.
pub fn with_ones(ones: u32, random: &mut SplitMix) -> u64 {
    let mut number = 0_u64;
    while number.count_ones() < ones {
        number |= 1 << random.below(64);
    }
    number
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Whether a multiplier tells all answers apart, found out in another way.
    pub fn is_valid(slider: Slider, from: Square, multiplier: u64) -> bool {
        let mask = slider.mask(from);
        let mut places = std::collections::HashMap::new();
        subsets(mask).all(|occupied| {
            let place = occupied.0.wrapping_mul(multiplier) >> (64 - mask.len());
            let answer = slider.attacks(from, occupied);
            *places.entry(place).or_insert(answer) == answer
        })
    }

    #[test]
    fn candidates_have_their_number_of_bits() {
        let mut random = SplitMix::new(3);
        for ones in 1..=20 {
            assert!((0..50).all(|_| with_ones(ones, &mut random).count_ones() == ones));
        }
    }

    #[test]
    fn what_is_drawn_is_valid() {
        let mut random = SplitMix::new(1);
        for (slider, step) in [(Slider::Bishop, 5), (Slider::Rook, 17)] {
            for from in Square::all().step_by(step) {
                let mut task = Task::new(slider, from);
                let found = task.draw(9, false, &mut random);
                assert!(found.count_ones() == 9 && is_valid(slider, from, found), "{slider:?} {from}");
                assert!(task.tried() > 0 && task.is_magic(found));
            }
        }
    }

    /// Products of a rook's mask on a1, of 6 squares on the file and 6 on the rank, with a single bit.
    #[test]
    fn a_promising_candidate_moves_many_squares_to_the_top() {
        let task = Task::new(Slider::Rook, Square::A1);
        // Moved by 9, the file gives its two highest squares; by 57 the rank its six.
        assert!(!task.is_promising(1 << 9) && !task.is_promising(1 << 57));
        assert!(task.is_promising(1 << 9 | 1 << 57));
        let (mut task, mut random) = (Task::new(Slider::Bishop, Square::B4), SplitMix::new(7));
        let found = task.draw(16, true, &mut random);
        assert!(found.count_ones() == 16 && task.is_promising(found) && is_valid(Slider::Bishop, Square::B4, found));
    }

    /// All numbers of two or fewer bits, and random ones of three, are judged as by the other way.
    #[test]
    fn a_candidate_is_judged_rightly() {
        let from = Square::D8;
        let mut task = Task::new(Slider::Bishop, from);
        let mut random = SplitMix::new(2);
        let three = (0..2_000).map(|_| with_ones(3, &mut random));
        // The three of three bits that there are.
        for candidate in three.chain([0x420200, 0x840400, 0x208800]) {
            assert_eq!(task.is_magic(candidate), is_valid(Slider::Bishop, from, candidate), "{candidate:x}");
        }
        let (ones, found) = task.fewest(6).unwrap();
        assert!(ones == 3 && [0x420200, 0x840400, 0x208800].contains(&found), "{ones} {found:x}");
    }
}
