//! Whether some sets of magic multipliers are faster than others: perft with each of them. A program of 2023 looks for
//! the seed of its fastest set in this way (Szabo 2023, `PerftTestFindMagic`), from one time of each.
//!
//! All tables have the same size; sets differ in which of their entries are used, and so in what shares a cache line.
//! Boards that slide by a set have its tables chosen at run time, and take turns. The set that ships is measured twice,
//! with tables at two places in memory: what its ratio to itself differs from 1 by is due to places and to chance. The
//! intervals of all ratios hold together: each has the level at which all of them miss in 5 % at most (Bonferroni).

use std::cell::Cell;

use super::layout::Answers;
use super::multipliers;
use super::set::Set;
use super::{Entry, Figure, Interval, LEVEL, Micro, MicroError, Slider, Sliders, Spec, Takes, Unit, take_turns};
use crate::chess::bitboards::Bitboards;
use crate::chess::epd::Epd;
use crate::chess::perft::{Leaves, perft};
use crate::chess::suites::Suite;
use crate::chess::{Board, Keys, Square, SquareSet, Unsupported};
use crate::pinned;

/// Micro-measurement of sets of multipliers.
pub const MICRO: Micro = Micro {
    name: "magic-sets",
    title: "sets of magic multipliers",
    about: "Time for a leaf of perft by sets of magic multipliers that were found from other seeds, relative to the \
            set that ships. That set is measured twice, as a control. The intervals of the ratios hold for all sets \
            together. More --time, narrower intervals.",
    published: &[],
    takes: Takes { boards: false, positions: true, depth: Some(DEPTH) },
    is_averaged: false,
    measure,
    print: Some(multipliers::print),
    check: Some(multipliers::check),
    verdict: Some(verdict),
};

const DEPTH: u32 = 3;
/// Number of sets beside the one that ships.
const SETS: u64 = 8;
/// Suite whose positions are walked by default.
const SUITE: &str = "thesis-10";
/// Names of the two entries of the set that ships.
const SHIPPED: &str = "set that ships";
const CONTROL: &str = "set that ships, again";

/// Tables of both sliders.
#[derive(Debug)]
struct Tables {
    rook: Answers<false>,
    bishop: Answers<false>,
}

impl Tables {
    fn new(set: &Set) -> Result<Self, MicroError> {
        let answers = |slider| {
            let meet = || MicroError::Wrong("two answers of a set of multipliers meet at one place".to_owned());
            Answers::new(slider, |from| set.multiplier(slider, from)).ok_or_else(meet)
        };
        Ok(Self { rook: answers(Slider::Rook)?, bishop: answers(Slider::Bishop)? })
    }
}

thread_local! {
    /// Tables of the boards that this thread sets up next.
    static NEXT: Cell<Option<&'static Tables>> = const { Cell::new(None) };
}

/// Sliding method of magic bitboards with multipliers that are chosen when a board is set up.
#[derive(Clone, Copy, Debug)]
struct Chosen(&'static Tables);

impl Sliders for Chosen {
    type Kept = ();
    type Occupied = SquareSet;

    fn prepare() -> Result<Self, Unsupported> {
        NEXT.get().map(Self).ok_or(Unsupported { what: "a chosen set", needs: "multipliers", instead: "magic" })
    }

    fn table_bytes() -> usize {
        size_of::<Tables>()
    }

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

    #[inline(always)]
    fn bishop(self, from: Square, occupied: SquareSet) -> SquareSet {
        self.0.bishop.attacks(from, occupied)
    }

    #[inline(always)]
    fn rook(self, from: Square, occupied: SquareSet) -> SquareSet {
        self.0.rook.attacks(from, occupied)
    }
}

/// Walk over all positions with these tables.
fn walk(tables: &'static Tables, positions: &[Epd], depth: u32) -> Result<Entry<'static>, Unsupported> {
    NEXT.set(Some(tables));
    let set_up = |epd: &Epd| <Bitboards<Chosen>>::set_up(&epd.setup, Keys::of_seed(0));
    let mut boards = positions.iter().map(set_up).collect::<Result<Vec<_>, _>>()?;
    Ok(Entry::new(move || boards.iter_mut().map(|board| perft(board, depth, Leaves::Counted)).sum()))
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let own = || Suite::named(SUITE).map(Suite::positions).unwrap_or_default();
    let positions = if spec.positions.is_empty() { own() } else { spec.positions.clone() };
    let depth = spec.depth.unwrap_or(DEPTH);
    let others = (1..=SETS).map(|by| spec.seed.wrapping_add(by)).map(|seed| (format!("set of seed {seed}"), seed));
    let sets: Vec<(String, u64)> =
        [(SHIPPED.to_owned(), 0), (CONTROL.to_owned(), 0)].into_iter().chain(others).collect();
    let mut tables: Vec<&'static Tables> = Vec::new();
    for (_, seed) in &sets {
        // A sliding method borrows nothing: these tables, of less than a megabyte each, stay until the program ends.
        tables.push(Box::leak(Box::new(Tables::new(&Set::of(*seed))?)));
    }
    let rounds = pinned(|| {
        let walks = tables.iter().map(|&tables| walk(tables, &positions, depth));
        Ok(take_turns(&mut walks.collect::<Result<Vec<_>, _>>()?, spec.time, spec.seed))
    })?;
    let level = 1.0 - (1.0 - LEVEL) / (sets.len() - 1) as f64;
    let time = |(entry, (of, _)): (usize, &(String, u64))| {
        Figure::measured(of, "time of a leaf", Unit::Nanoseconds, rounds.time(entry))
    };
    let ratio = |(entry, (of, _)): (usize, &(String, u64))| {
        let name = format!("time of a leaf, to the {SHIPPED}");
        Figure::measured(of, name, Unit::Ratio, rounds.ratio_at(entry, 0, level))
    };
    let numbered = || sets.iter().enumerate();
    Ok(numbered().map(time).chain(numbered().skip(1).map(ratio)).collect())
}

/// Sentence about which sets are faster than the one that ships: those that differ by more than it does from itself at
/// another place, whichever of the two places is the slower.
fn verdict(figures: &[Figure]) -> String {
    let ratios: Vec<&Figure> = figures.iter().filter(|figure| figure.unit == Unit::Ratio).collect();
    let (controls, others): (Vec<&Figure>, Vec<&Figure>) = ratios.into_iter().partition(|figure| figure.of == CONTROL);
    let told = |Interval { low, high, .. }: Interval| format!("{low:.3} to {high:.3}");
    let control = controls.first().map_or(Interval::unknown(f64::NAN), |figure| figure.value());
    let least = control.low.min(control.high.recip());
    let is_faster = |figure: &&&Figure| control.is_known() && figure.value().high < least;
    let faster: Vec<String> =
        others.iter().filter(is_faster).map(|figure| format!("{} ({})", figure.of, told(figure.value()))).collect();
    let shown = match (&faster[..], others.iter().min_by(|a, b| a.estimate.total_cmp(&b.estimate))) {
        ([], None) => "No set was measured beside the one that ships".to_owned(),
        ([], Some(best)) => format!(
            "No set is shown to be faster than the one that ships: the fastest, {}, takes {} times its time",
            best.of,
            told(best.value())
        ),
        _ => format!("Shown to be faster than the set that ships, by the ratio of times: {}", faster.join(", ")),
    };
    format!("{shown}. Beside itself, that set takes {}. These intervals of 95 % hold together.", told(control))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::suites::position;
    use std::time::Duration;

    fn ratio(of: &str, estimate: f64, by: f64) -> Figure {
        Figure::measured(of, "time", Unit::Ratio, Interval::around(estimate, by))
    }

    #[test]
    fn a_set_is_faster_if_no_interval_says_otherwise() {
        let of = |control: Figure, sets: &[&Figure]| {
            verdict(&[&control].into_iter().chain(sets.iter().copied()).cloned().collect::<Vec<_>>())
        };
        let control = || ratio(CONTROL, 1.0, 0.02);
        let [clear, near] = [ratio("set of seed 3", 0.9, 0.01), ratio("set of seed 4", 0.97, 0.01)];
        let none = of(control(), &[&near]);
        assert!(none.starts_with("No set is shown to be faster") && none.contains("seed 4, takes 0.960 to 0.980"));
        assert!(none.contains("itself, that set takes 0.980 to 1.020"), "{none}");
        let one = of(control(), &[&near, &clear]);
        assert!(one.starts_with("Shown to be faster") && one.contains("seed 3 (0.890 to 0.910)"), "{one}");
        assert!(!one.contains("seed 4"), "{one}");
        // Below 1, but the control is too.
        assert!(of(ratio(CONTROL, 0.95, 0.02), &[&near]).starts_with("No set"));
        // A place makes as much of a difference.
        assert!(of(ratio(CONTROL, 1.1, 0.01), &[&near]).starts_with("No set"));
        assert!(of(Figure::new(CONTROL, "time", Unit::Ratio, 1.0), &[&near]).starts_with("No set"));
    }

    #[test]
    fn all_sets_are_walked() {
        let positions = vec![position("kiwipete").unwrap()];
        let (boards, time) = (Vec::new(), Duration::from_millis(1));
        let figures = measure(&Spec { boards, positions, depth: Some(1), time, seed: 3 }).unwrap();
        let names = |unit| figures.iter().filter(|figure| figure.unit == unit).map(|figure| &*figure.of).collect();
        let (times, ratios): (Vec<&str>, Vec<&str>) = (names(Unit::Nanoseconds), names(Unit::Ratio));
        assert_eq!(times.len(), 2 + SETS as usize);
        assert_eq!((times[0], &times[1..], ratios[0], ratios[8]), (SHIPPED, &ratios[..], CONTROL, "set of seed 11"));
    }

    #[test]
    fn boards_with_a_chosen_set_walk_the_right_tree() {
        let tables: &'static Tables = Box::leak(Box::new(Tables::new(&Set::of(5)).unwrap()));
        let Entry::Pass(mut pass) = walk(tables, &[position("kiwipete").unwrap()], 3).unwrap() else { panic!() };
        assert_eq!(pass(), 97_862);
    }
}
