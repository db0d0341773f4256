//! What can be counted of multipliers: those that scan for a bit, answers of the rook, what a filter of candidates
//! drops, and tables that are smaller by half.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::Deserialize;

use super::task::{Task, with_ones};
use super::{by_slider, name};
use crate::chess::Square;
use crate::chess::bitboards::sliders::{Slider, subsets};
use crate::published::{ATTACK_SETS, SCAN_MULTIPLIERS};
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

/// Times for a figure that the search for smaller tables takes.
const TIMES: u32 = 20;
/// One-bits of the candidates that a filter sees.
const ONES: u32 = 9;
/// Candidates of which a filter drops some, for each square.
const FILTERED: u32 = 2_000;
/// Bits of the highest sixteen of the product of mask and candidate that the filter wants.
const WANTED: u32 = 8;

/// All of them.
pub fn counts(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let mut all = Vec::new();
    for ScanRow { bits, multipliers } in SCAN_MULTIPLIERS.rows::<ScanRow>()? {
        let of = format!("bit scan, {bits} bits");
        let found = Figure::new(of, "multipliers", Unit::Count, scan_multipliers(bits) as f64);
        all.push(found.beside(Some(multipliers as f64), SCAN_MULTIPLIERS.source));
    }
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
        let dropped = dropped(slider, spec.seed);
        all.push(Figure::new(name(slider), "dropped by the filter of candidates", Unit::Share, dropped));
        let narrow = narrow(slider, spec.seed, spec.time * TIMES);
        let of = format!("{}, half the places", name(slider));
        let saved: usize = narrow.iter().map(|from| 8 << (slider.mask(*from).len() - 1)).sum();
        all.push(Figure::new(&of, "squares for which a multiplier was found", Unit::Count, narrow.len() as f64));
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

/// Share of random candidates that a filter drops before they are tried: those that move few squares to the highest
/// sixteen bits.
fn dropped(slider: Slider, seed: u64) -> f64 {
    let mut random = SplitMix::new(seed);
    let all = Square::all().flat_map(|from| (0..FILTERED).map(move |_| from));
    let is_dropped = |from: &Square| {
        let product = slider.mask(*from).0.wrapping_mul(with_ones(ONES, &mut random));
        (product >> 48).count_ones() < WANTED
    };
    all.filter(is_dropped).count() as f64 / f64::from(64 * FILTERED)
}

/// Squares for which a multiplier is found within the time that needs half the places: different occupations with one
/// answer share them.
fn narrow(slider: Slider, seed: u64, time: Duration) -> Vec<Square> {
    let start = Instant::now();
    let squares: Vec<Square> = Square::all().collect();
    let mut tasks: Vec<(Square, Task, SplitMix)> = squares
        .into_iter()
        .map(|from| (from, Task::narrower(slider, from), SplitMix::new(seed ^ from.index() as u64)))
        .collect();
    let mut found = Vec::new();
    // All take turns, so that none has more time than others.
    while !tasks.is_empty() && start.elapsed() < time {
        let turn = |(from, task, random): &mut (Square, Task, SplitMix)| {
            // Many one-bits are more often such than few.
            (0..FILTERED).any(|_| task.is_magic(random.next())).then_some(*from)
        };
        let now: Vec<Square> = tasks.par_iter_mut().filter_map(turn).collect();
        tasks.retain(|(from, ..)| !now.contains(from));
        found.extend(now);
    }
    found
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

    /// A multiplier for half the places of a bishop on a2, and one that is none.
    #[test]
    fn some_tables_can_be_halved() {
        let mut task = Task::narrower(Slider::Bishop, Square::A2);
        assert!(task.is_magic(0x429d_a59a_0612_effd) && !task.is_magic(0x429d_a59a_0612_effc >> 9));
    }
}
