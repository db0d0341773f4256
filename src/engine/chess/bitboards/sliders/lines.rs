//! Magic multiplication for single lines: a table for ranks, one for files, and one for either kind of diagonals. At
//! most six squares of a line matter, so that each table has 64 answers a square.

use super::filled::Filled;
use super::look_up::subsets;
use super::{Sliders, plain_occupancy};
use crate::chess::board::Unsupported;
use crate::chess::geometry::{Step, slide};
use crate::chess::{Square, SquareSet};
use crate::random::SplitMix;

/// Sliding method that looks up the lines of a slider one by one.
#[derive(Clone, Copy, Debug)]
pub struct Lines(());

/// A line through a square.
#[derive(Clone, Copy)]
struct Line {
    /// Squares whose occupation matters.
    mask: SquareSet,
    multiplier: u64,
    answers: [SquareSet; ANSWERS],
}

const ANSWERS: usize = 64;
/// Steps along the lines of bishops, then of rooks.
const STEPS: [Step; 4] = [(1, 1), (1, -1), (1, 0), (0, 1)];

static TABLES: Filled<[[Line; 64]; STEPS.len()]> = Filled::new([[Line::BLANK; 64]; STEPS.len()]);

impl Line {
    const BLANK: Self = Self { mask: SquareSet::EMPTY, multiplier: 0, answers: [SquareSet::EMPTY; ANSWERS] };

    #[inline(always)]
    fn place(mask: SquareSet, multiplier: u64, occupied: SquareSet) -> usize {
        ((occupied & mask).0.wrapping_mul(multiplier) >> 58) as usize
    }

    fn new(from: Square, (files, ranks): Step, random: &mut SplitMix) -> Self {
        let steps = [(files, ranks), (-files, -ranks)];
        // What stands on the last square of a line stops the slider no sooner than the edge.
        let matters = |square: &Square| {
            let others = slide(from, &steps, SquareSet::of(*square));
            others != slide(from, &steps, SquareSet::EMPTY)
        };
        let mask: SquareSet = slide(from, &steps, SquareSet::EMPTY).filter(matters).collect();
        loop {
            let multiplier = random.next() & random.next() & random.next();
            let mut answers = [None; ANSWERS];
            let separates = subsets(mask).all(|occupied| {
                let answer = slide(from, &steps, occupied);
                *answers[Self::place(mask, multiplier, occupied)].get_or_insert(answer) == answer
            });
            if separates {
                return Self { mask, multiplier, answers: answers.map(Option::unwrap_or_default) };
            }
        }
    }

    #[inline(always)]
    fn answer(&self, occupied: SquareSet) -> SquareSet {
        self.answers[Self::place(self.mask, self.multiplier, occupied)]
    }
}

impl Lines {
    #[inline(always)]
    fn both(self, lines: [usize; 2], from: Square, occupied: SquareSet) -> SquareSet {
        // SAFETY: `self` was made by `prepare`, which filled them.
        let tables = unsafe { TABLES.get() };
        let [one, other] = lines.map(|line| tables[line][from.index()].answer(occupied));
        one | other
    }
}

impl Sliders for Lines {
    plain_occupancy!();

    fn prepare() -> Result<Self, Unsupported> {
        TABLES.fill(|tables| {
            let mut random = SplitMix::new(0);
            for (step, lines) in STEPS.into_iter().zip(tables) {
                Square::all().for_each(|from| lines[from.index()] = Line::new(from, step, &mut random));
            }
        });
        Ok(Self(()))
    }

    fn table_bytes() -> usize {
        size_of_val(&TABLES)
    }

    #[inline(always)]
    fn bishop(self, from: Square, occupied: SquareSet) -> SquareSet {
        self.both([0, 1], from, occupied)
    }

    #[inline(always)]
    fn rook(self, from: Square, occupied: SquareSet) -> SquareSet {
        self.both([2, 3], from, occupied)
    }
}
