//! Sets of multipliers as the boards keep theirs: for each square the first seed, from some start on, whose number is
//! a multiplier.

use std::fmt;

use rayon::prelude::*;

use super::by_slider;
use super::task::Task;
use crate::chess::Square;
use crate::chess::bitboards::sliders::Slider;
use crate::random::SplitMix;

/// Seeds and multipliers of both sliders, by square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    rook: Vec<(u32, u64)>,
    bishop: Vec<(u32, u64)>,
}

impl Set {
    /// Set that is found from this seed; from 0 it is the one that ships.
    pub fn of(seed: u64) -> Self {
        let start = if seed == 0 { 1 } else { SplitMix::new(seed).next() as u32 };
        let squares: Vec<Square> = Square::all().collect();
        let found = |slider| squares.par_iter().map(|from| Task::new(slider, *from).first_seed(start)).collect();
        Self { rook: found(Slider::Rook), bishop: found(Slider::Bishop) }
    }

    /// Multiplier for a slider on a square.
    pub fn multiplier(&self, slider: Slider, from: Square) -> u64 {
        by_slider(slider, &self.bishop, &self.rook)[from.index()].1
    }
}

/// The two tables of `src/engine/chess/bitboards/sliders/magic_multipliers.rs`.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rook.iter().chain(&self.bishop).map(|(seed, _)| seed.to_string().len()).max().unwrap_or(0);
        for (name, gap, found) in [("ROOK", "\n", &self.rook), ("BISHOP", "", &self.bishop)] {
            writeln!(f, "#[rustfmt::skip]\nconst {name}: [u32; 64] = [")?;
            for rank in found.chunks(8) {
                let seeds: Vec<String> = rank.iter().map(|(seed, _)| format!("{seed:>width$}")).collect();
                writeln!(f, "    {},", seeds.join(", "))?;
            }
            writeln!(f, "];{gap}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::task::tests::is_valid;
    use super::*;
    use crate::chess::bitboards::sliders::candidate;

    /// If this fails after a change of the search, what `micro magics --print` writes belongs into that file.
    #[test]
    fn the_seeds_that_ship_are_those_that_are_printed() {
        let kept = include_str!("../../engine/chess/bitboards/sliders/magic_multipliers.rs");
        let printed = Set::of(0).to_string();
        assert!(kept.contains(printed.trim_end()), "{printed}");
    }

    #[test]
    fn every_printed_seed_is_one_of_a_multiplier() {
        let printed = Set::of(7).to_string();
        let (rook, bishop) = printed.split_once("const BISHOP").unwrap();
        for (slider, table) in [(Slider::Rook, rook), (Slider::Bishop, bishop)] {
            let (_, numbers) = table.split_once("= [").unwrap();
            let numbers = numbers.split_once("]").unwrap().0.split(',').map(str::trim).filter(|text| !text.is_empty());
            let seeds: Vec<u32> = numbers.map(|text| text.parse().unwrap()).collect();
            assert_eq!(seeds.len(), 64, "{printed}");
            for (from, seed) in Square::all().zip(seeds) {
                let number = candidate(seed, slider.mask(from)).unwrap();
                assert!(is_valid(slider, from, number), "{slider:?} {from}: {seed}");
            }
        }
        assert!(printed.trim_end().ends_with("];") && printed != Set::of(8).to_string());
    }
}
