//! What can be counted of multipliers: those that scan for a bit, answers of the rook, what a filter of candidates
//! drops, and tables that are smaller by half.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::task::{Task, with_ones};
use super::{by_slider, half, name};
use crate::chess::Square;
use crate::chess::bitboards::sliders::{Slider, subsets};
use crate::published::{ATTACK_SETS, FILTER, SCAN_MULTIPLIERS};
use crate::random::SplitMix;
use crate::{Figure, MicroError, Spec, Unit};

/// Row of the counts of scan multipliers.
#[derive(Clone, Copy, Debug, Deserialize)]
struct ScanRow {
    bits: u32,
    multipliers: u64,
}

/// Row of table 3.2.
#[derive(Clone, Debug, Deserialize)]
struct SetsRow {
    square: String,
    rook: usize,
}

/// Least and largest share that the filter drops.
#[derive(Clone, Debug, Deserialize)]
struct FilterRow {
    slider: String,
    least: f64,
    most: f64,
}

/// Times for a figure that the search for smaller tables takes.
const TIMES: u32 = 20;
/// One-bits of the candidates that the filter sees: those for which a time was published.
const ONES: RangeInclusive<u32> = 7..=15;
/// Candidates of which the filter drops some, for each square and number of one-bits.
const CANDIDATES: u32 = 500;

/// All of them.
pub fn counts(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let mut all = Vec::new();
    for ScanRow { bits, multipliers } in SCAN_MULTIPLIERS.rows::<ScanRow>()? {
        let of = format!("bit scan, {bits} bits");
        let found = Figure::new(of, "multipliers", Unit::Count, scan_multipliers(bits) as f64);
        all.push(found.beside(Some(multipliers as f64), SCAN_MULTIPLIERS.source));
    }
    let filters: Vec<FilterRow> = FILTER.rows()?;
    let rows: Vec<SetsRow> = ATTACK_SETS.rows()?;
    let published = |from: Square| rows.iter().find(|row| row.square == from.to_string()).map(|row| row.rook);
    for slider in [Slider::Rook, Slider::Bishop] {
        let sets: Vec<(usize, Option<usize>)> =
            Square::all().map(|from| (attack_sets(slider, from), published(from))).collect();
        let of = format!("{}, attack sets", name(slider));
        let theirs = |sum: usize| by_slider(slider, None, Some(sum as f64));
        let figure = |figure: &str, ours: usize, theirs: Option<f64>| {
            Figure::new(&of, figure, Unit::Count, ours as f64).beside(theirs, ATTACK_SETS.source)
        };
        let (ours, printed): (Vec<usize>, Vec<Option<usize>>) = sets.into_iter().unzip();
        let sum = printed.iter().flatten().sum();
        let agree = ours.iter().zip(&printed).filter(|(ours, theirs)| Some(**ours) == **theirs).count();
        all.push(figure("on all squares", ours.iter().sum(), theirs(sum)));
        if slider == Slider::Rook {
            all.push(figure("squares that agree", agree, theirs(64)));
        }
        let shares: Vec<f64> = ONES.map(|ones| dropped(slider, ones, spec.seed)).collect();
        let row = filters.iter().find(|row| row.slider == name(slider));
        let of = format!("{}, {} to {} one-bits", name(slider), ONES.start(), ONES.end());
        for (figure, ours, theirs) in [
            (
                "smallest share dropped by the filter",
                shares.iter().copied().fold(1.0, f64::min),
                row.map(|row| row.least),
            ),
            (
                "largest share dropped by the filter",
                shares.iter().copied().fold(0.0, f64::max),
                row.map(|row| row.most),
            ),
        ] {
            all.push(Figure::new(&of, figure, Unit::Share, ours).beside(theirs, FILTER.source));
        }
        let (found, tried) = half::search(slider, spec.seed, spec.time * TIMES);
        let of = format!("{}, half the places", name(slider));
        let saved: usize = found.iter().map(|(from, _)| 8 << (slider.mask(*from).len() - 1)).sum();
        all.push(Figure::new(&of, "squares for which a multiplier was found", Unit::Count, found.len() as f64));
        all.push(Figure::new(&of, "candidates tried", Unit::Count, tried as f64));
        all.push(Figure::new(&of, "bytes saved", Unit::Bytes, saved as f64));
    }
    Ok(all)
}

/// Number of multipliers of so many bits, a power of two, whose shifts all have different highest bits, and so tell
/// where the single bit of a number is. They begin with the zeros of the first of these patterns.
fn scan_multipliers(bits: u32) -> u64 {
    fn extended(pattern: u32, seen: u64, left: u32, width: u32) -> u64 {
        if seen >> pattern & 1 != 0 {
            return 0;
        }
        let seen = seen | 1 << pattern;
        // Beyond the last bit of the multiplier there are zeros.
        let next = |bit: u32| (pattern << 1 | bit) & ((1 << width) - 1);
        match left {
            0 => u64::from(seen.count_ones() == 1 << width),
            left if left < width => extended(next(0), seen, left - 1, width),
            left => (0..2).map(|bit| extended(next(bit), seen, left - 1, width)).sum(),
        }
    }
    let width = bits.ilog2();
    (0..1 << width).map(|pattern| extended(pattern, 0, bits - 1, width)).sum()
}

/// Number of different answers of a slider on a square.
fn attack_sets(slider: Slider, from: Square) -> usize {
    subsets(slider.mask(from)).map(|occupied| slider.attacks(from, occupied).0).collect::<HashSet<_>>().len()
}

/// Share of random candidates with this number of one-bits that the filter drops before they are tried, on all squares.
fn dropped(slider: Slider, ones: u32, seed: u64) -> f64 {
    let mut random = SplitMix::new(seed);
    let mut of_square = |from: Square| {
        let task = Task::new(slider, from);
        (0..CANDIDATES).filter(|_| !task.is_promising(with_ones(ones, &mut random))).count()
    };
    Square::all().map(&mut of_square).sum::<usize>() as f64 / f64::from(64 * CANDIDATES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_the_published_ones() {
        let rows: Vec<ScanRow> = SCAN_MULTIPLIERS.rows().unwrap();
        assert_eq!(rows.len(), 3);
        assert!(rows.iter().all(|row| scan_multipliers(row.bits) == row.multipliers), "{rows:?}");
        let rows: Vec<SetsRow> = ATTACK_SETS.rows().unwrap();
        assert_eq!(rows.len(), 64);
        for row in &rows {
            assert_eq!(attack_sets(Slider::Rook, row.square.parse().unwrap()), row.rook, "{}", row.square);
        }
        assert_eq!(Square::all().map(|from| attack_sets(Slider::Bishop, from)).sum::<usize>(), 1_428);
    }
}
