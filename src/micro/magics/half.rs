//! Search for multipliers of tables that are smaller by half: different occupations with one answer share their places.
//! Reul (2009, section 3.9) expects that some tables can lose one or two bits.
//!
//! Random candidates hardly ever do. Two ways find some. One changes a candidate bit by bit as long as there are not
//! more collisions, and begins anew when it is stuck: that finds bishops. The other draws numbers with few one-bits and
//! takes their negatives, whose products borrow along a line and so give the same place to many occupations of it: that
//! finds rooks.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::task::Task;
use crate::chess::Square;
use crate::chess::bitboards::sliders::Slider;
use crate::random::SplitMix;

/// Candidates that a square tries before it is another's turn: one that is drawn is rejected after a few occupations,
/// one that is changed is tried with all.
const CLIMBED: u32 = 1_000;
const DRAWN: u32 = 20_000;
/// Number of changes without an improvement after which a candidate is given up.
const STUCK: u32 = 3_000;
/// Largest number of bits that are changed at once.
const MOST_CHANGES: u64 = 3;
/// Bits that are drawn for a number whose negative is tried, some of them twice: fewest, and how many numbers from
/// there on.
const ONES: [u64; 2] = [7, 9];
/// Higher bits have no effect on the place, or little.
const LIVE_BITS: u64 = 56;

/// Search of one square.
struct Search {
    from: Square,
    task: Task,
    random: SplitMix,
    /// Candidate that is changed, with its collisions.
    candidate: u64,
    collisions: u32,
    /// Number of changes since there were more collisions.
    since: u32,
}

impl Search {
    fn new(slider: Slider, from: Square, seed: u64) -> Self {
        let (task, random) = (Task::narrower(slider, from), SplitMix::new(seed ^ from.index() as u64));
        Self { from, task, random, candidate: 0, collisions: u32::MAX, since: STUCK }
    }

    /// Changes the candidate, if that does not make it worse. Returns it if it is a multiplier.
    fn climb(&mut self) -> Option<u64> {
        if self.since >= STUCK {
            self.candidate = self.random.next();
            self.collisions = self.task.collisions(self.candidate, u32::MAX);
            self.since = 0;
        }
        let mut changed = self.candidate;
        for _ in 0..=self.random.below(MOST_CHANGES) {
            let bit = 1 << self.random.below(64);
            changed = match self.random.below(3) {
                0 => changed ^ bit,
                1 => changed.wrapping_add(bit),
                _ => changed.wrapping_sub(bit),
            };
        }
        let collisions = self.task.collisions(changed, self.collisions);
        self.since = if collisions < self.collisions { 0 } else { self.since + 1 };
        if collisions <= self.collisions {
            (self.candidate, self.collisions) = (changed, collisions);
        }
        (self.collisions == 0).then_some(self.candidate)
    }

    /// Tries the negative of a number with few one-bits.
    fn draw(&mut self) -> Option<u64> {
        let [fewest, numbers] = ONES;
        let ones = fewest + self.random.below(numbers);
        let sparse = (0..ones).fold(0_u64, |number, _| number | 1 << self.random.below(LIVE_BITS));
        let candidate = sparse.wrapping_neg();
        self.task.is_magic(candidate).then_some(candidate)
    }
}

/// Squares for which a multiplier was found within the time, with the multipliers, by square; and the number of
/// candidates that were tried.
pub fn search(slider: Slider, seed: u64, time: Duration) -> (Vec<(Square, u64)>, u64) {
    let start = Instant::now();
    let squares: Vec<Square> = Square::all().collect();
    let mut searches: Vec<Search> = squares.into_iter().map(|from| Search::new(slider, from, seed)).collect();
    let (mut found, mut tried) = (Vec::new(), 0);
    // All take turns, so that none has more time than others.
    while !searches.is_empty() && start.elapsed() < time {
        let turn = |search: &mut Search| {
            let multiplier = match slider {
                Slider::Bishop => (0..CLIMBED).find_map(|_| search.climb()),
                Slider::Rook => (0..DRAWN).find_map(|_| search.draw()),
            };
            multiplier.map(|multiplier| (search.from, multiplier))
        };
        let now: Vec<(Square, u64)> = searches.par_iter_mut().filter_map(turn).collect();
        let is_found = |search: &Search| now.iter().any(|(from, _)| *from == search.from);
        tried += searches.iter().filter(|search| is_found(search)).map(|search| search.task.tried()).sum::<u64>();
        searches.retain(|search| !is_found(search));
        found.extend(now);
    }
    tried += searches.iter().map(|search| search.task.tried()).sum::<u64>();
    found.sort();
    (found, tried)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A multiplier for half the places of a bishop on a2, and one that is none.
    #[test]
    fn some_tables_can_be_halved() {
        let mut task = Task::narrower(Slider::Bishop, Square::A2);
        assert!(task.is_magic(0x429d_a59a_0612_effd) && !task.is_magic(0x429d_a59a_0612_effc >> 9));
        assert_eq!(task.collisions(0x429d_a59a_0612_effd, u32::MAX), 0);
        assert!(task.collisions(1, 7) == 8 && task.collisions(1, u32::MAX) > 8);
    }

    /// A rook on d8, found so from a number of ten one-bits.
    #[test]
    fn a_negative_halves_a_table_of_a_rook() {
        let (mut task, found) = (Task::narrower(Slider::Rook, Square::D8), 0xffff_ffdf_b9ff_b376_u64);
        assert!(task.is_magic(found) && found.wrapping_neg().count_ones() == 10);
        assert!(!task.is_magic(found.wrapping_neg()));
    }

    #[test]
    fn the_search_finds_a_bishop_on_b7() {
        let mut search = Search::new(Slider::Bishop, Square::B7, 1);
        let found = (0..2_000_000).find_map(|_| search.climb()).unwrap();
        assert!(Task::narrower(Slider::Bishop, Square::B7).is_magic(found), "{found:x}");
    }
}
