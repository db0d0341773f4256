//! Magic multipliers: how long it takes to find them by trial and error, by the number of one-bits of the candidates
//! (table 3.1), how few one-bits will do (figures 3.18 and 3.19), two layouts of the tables that they serve, and what
//! can be counted of them.

mod counts;
mod half;
mod layout;
mod multipliers;
mod set;
pub mod set_times;
mod task;

use std::hint::black_box;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::Deserialize;

use super::published::{FEWEST_BITS, LAYOUTS, MAGIC_TIMES};
use super::turns::{Entry, take_turns};
use super::{Figure, Micro, MicroError, Spec, Takes, Unit, pinned};
use crate::chess::bitboards::sliders::{Magic, Slider, Sliders, multiplier};
use crate::chess::suites::Suite;
use crate::chess::{Square, SquareSet};
use crate::random::SplitMix;
use crate::statistics::{Interval, LEVEL, mean, mean_interval, standard_deviation, student_factor};
use layout::{Answers, Layout};
use task::Task;

/// Micro-measurement of magic multipliers.
pub const MICRO: Micro = Micro {
    name: "magics",
    title: "magic bitboards",
    about: "Time to find a set of magic multipliers by trial and error, by the one-bits of the candidates; the fewest \
            one-bits that will do; look-up time in the two layouts of the tables; and counts: multipliers that scan \
            for a bit, attack sets, candidates that a filter drops, tables of half the size. More --time, more rows.",
    published: &[MAGIC_TIMES.source, FEWEST_BITS.source, LAYOUTS.source],
    takes: Takes { boards: false, positions: false, depth: None },
    is_averaged: false,
    measure,
    print: Some(multipliers::print),
    check: Some(multipliers::check),
    verdict: None,
};

/// A set takes many times as long as other things that are timed.
const TIMES_LONGER: u32 = 6;
/// Number of sets whose times were published as one: more are not needed.
const SETS: usize = 100;
/// One-bits of the candidates for bishops that sets are found of only with a filter.
const FILTERED: RangeInclusive<u32> = 16..=19;
/// Time for the search for the fewest one-bits, in times for a figure.
const FEWEST_TIMES: u32 = 100;
/// Most one-bits that the exhaustive search tries.
const MOST_ONES: u32 = 6;
/// Suites from whose positions occupations are taken.
const SUITES: [&str; 2] = ["thesis-10", "hyatt-24"];

/// Row of table 3.1.
#[derive(Clone, Copy, Debug, Deserialize)]
struct TimeRow {
    ones: u32,
    bishop_100_sets_ms: Option<f64>,
    rook_100_sets_ms: Option<f64>,
}

/// Row of figures 3.18 and 3.19.
#[derive(Clone, Debug, Deserialize)]
struct FewestRow {
    square: String,
    bishop: u32,
    rook: u32,
}

/// Row of the sizes of layouts.
#[derive(Clone, Debug, Deserialize)]
struct LayoutRow {
    slider: String,
    layout: Layout,
    entries: u64,
    kib: u64,
}

const fn name(slider: Slider) -> &'static str {
    by_slider(slider, "bishop", "rook")
}

/// The one of two things that belongs to the slider.
const fn by_slider<T: Copy>(slider: Slider, bishop: T, rook: T) -> T {
    match slider {
        Slider::Rook => rook,
        Slider::Bishop => bishop,
    }
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let mut all = pinned(|| times(spec))?;
    all.extend(fewest(spec)?);
    all.extend(layouts(spec)?);
    all.extend(counts::counts(spec)?);
    Ok(all)
}

/// Candidates with one number of one-bits.
struct Kind {
    ones: u32,
    /// Whether a filter drops some before they are tried.
    filters: bool,
    /// Published milliseconds of a set.
    published: Option<f64>,
    random: SplitMix,
    /// Milliseconds of each set that was found.
    times: Vec<f64>,
    /// Number of candidates that were tried for these sets.
    candidates: u64,
    spent: Duration,
    /// Number of squares that had a multiplier when the time was over, if that was before the first set was complete.
    given_up: Option<usize>,
}

impl Kind {
    fn new(ones: u32, published: Option<f64>, seed: u64) -> Self {
        let (random, spent) = (SplitMix::new(seed ^ u64::from(ones)), Duration::ZERO);
        let filters = FILTERED.contains(&ones);
        Self { ones, filters, published, random, times: Vec::new(), candidates: 0, spent, given_up: None }
    }

    /// Whether another set is wanted. A second is, whatever the time: one has no interval.
    fn wants_more(&self, time: Duration) -> bool {
        self.given_up.is_none() && self.times.len() < SETS && (self.times.len() == 1 || self.spent < time)
    }

    /// Finds a set. One that was begun is completed, or short ones would be preferred; only the first may be given up.
    fn find_set(&mut self, tasks: &mut [Task], time: Duration) {
        let tried = |tasks: &[Task]| tasks.iter().map(Task::tried).sum::<u64>();
        let (start, before) = (Instant::now(), tried(tasks));
        for (others, task) in tasks.iter_mut().enumerate() {
            black_box(task.draw(self.ones, self.filters, &mut self.random));
            if self.times.is_empty() && start.elapsed() > time {
                self.given_up = Some(others + 1);
                return;
            }
        }
        let took = start.elapsed();
        self.spent += took;
        self.times.push(took.as_secs_f64() * 1e3);
        self.candidates += tried(tasks) - before;
    }
}

/// Times to find a set by trial and error. The kinds of candidates take turns, set by set.
fn times(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let rows: Vec<TimeRow> = MAGIC_TIMES.rows()?;
    let mut all = Vec::new();
    for slider in [Slider::Bishop, Slider::Rook] {
        let kind = |row: &TimeRow| {
            let published = by_slider(slider, row.bishop_100_sets_ms, row.rook_100_sets_ms);
            published.map(|ms| Kind::new(row.ones, Some(ms / SETS as f64), spec.seed))
        };
        let filtered = FILTERED.filter(|_| slider == Slider::Bishop).map(|ones| Kind::new(ones, None, spec.seed));
        let mut kinds: Vec<Kind> = rows.iter().filter_map(kind).chain(filtered).collect();
        let mut tasks: Vec<Task> = Square::all().map(|from| Task::new(slider, from)).collect();
        let time = spec.time * TIMES_LONGER;
        while kinds.iter().any(|kind| kind.wants_more(time)) {
            kinds.iter_mut().filter(|kind| kind.wants_more(time)).for_each(|kind| kind.find_set(&mut tasks, time));
        }
        all.extend(kinds.iter().filter(|kind| kind.filters).filter_map(|kind| given_up(slider, kind)));
        kinds.retain(|kind| kind.given_up.is_none());
        all.extend(kinds.iter().flat_map(|kind| figures_of(slider, kind)));
        // How the time depends on the number of bits is what can be compared.
        let known = || kinds.iter().filter_map(|kind| Some((kind, kind.published?)));
        if let Some((fastest, least)) = known().min_by(|(_, a), (_, b)| a.total_cmp(b)) {
            all.extend(known().map(|(kind, ms)| to_fastest(slider, kind, fastest, ms / least)));
        }
    }
    Ok(all)
}

/// Circumstance of figures of a kind.
fn of_kind(slider: Slider, kind: &Kind) -> String {
    let filtered = if kind.filters { ", filtered" } else { "" };
    format!("{}, {} one-bits{filtered}", name(slider), kind.ones)
}

/// Number of squares that had a multiplier when the time of the first set was over.
fn given_up(slider: Slider, kind: &Kind) -> Option<Figure> {
    let squares = kind.given_up? as f64;
    Some(Figure::new(of_kind(slider, kind), "squares with a multiplier when time was over", Unit::Count, squares))
}

fn figures_of(slider: Slider, kind: &Kind) -> Vec<Figure> {
    let of = of_kind(slider, kind);
    let candidates = kind.candidates as f64 / kind.times.len().max(1) as f64;
    let mut time = mean_interval(&kind.times);
    if time.low < 0.0 {
        time.low = 0.0; // a time is not negative
    }
    vec![
        Figure::new(&of, "candidates tried for a set", Unit::Count, candidates),
        Figure::measured(&of, "time of a set", Unit::Milliseconds, time).beside(kind.published, MAGIC_TIMES.source),
    ]
}

/// Time in relation to that of the kind that is published as the fastest.
fn to_fastest(slider: Slider, kind: &Kind, fastest: &Kind, published: f64) -> Figure {
    let of = format!("{}, {} one-bits", name(slider), kind.ones);
    let figure = format!("time of a set, to that of {}", fastest.ones);
    let ratio = if kind.ones == fastest.ones {
        Interval { estimate: 1.0, low: 1.0, high: 1.0 }
    } else {
        ratio_of_means(&kind.times, &fastest.times)
    };
    Figure::measured(of, figure, Unit::Ratio, ratio).beside(Some(published), MAGIC_TIMES.source)
}

/// Ratio of two means with an interval by the delta method: the variances of the logarithms of the means add up. Its
/// degrees of freedom are those of the smaller sample.
fn ratio_of_means(upper: &[f64], lower: &[f64]) -> Interval {
    let log_variance = |values: &[f64]| {
        let relative = standard_deviation(values)? / mean(values)?;
        Some(relative * relative / values.len() as f64)
    };
    let (Some(above), Some(below)) = (mean(upper), mean(lower)) else { return Interval::unknown(f64::NAN) };
    let estimate = (above / below).ln();
    let freedom = upper.len().min(lower.len()) as f64 - 1.0;
    let half = log_variance(upper)
        .zip(log_variance(lower))
        .map(|(up, low)| student_factor(LEVEL, freedom) * (up + low).sqrt());
    let ends = |half: f64| Interval { estimate, low: estimate - half, high: estimate + half };
    half.map_or(Interval::unknown(estimate), ends).exp()
}

/// The fewest one-bits of each square, as far as there is time, beside the published ones.
fn fewest(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let rows: Vec<FewestRow> = FEWEST_BITS.rows()?;
    let mut all = Vec::new();
    let start = Instant::now();
    for slider in [Slider::Bishop, Slider::Rook] {
        let mut squares: Vec<Square> = Square::all().collect();
        SplitMix::new(spec.seed).shuffle(&mut squares);
        let of_square = |from: Square| {
            let is_over = start.elapsed() > spec.time * FEWEST_TIMES;
            let row = rows.iter().find(|row| row.square == from.to_string())?;
            let found = if is_over { None } else { Task::new(slider, from).fewest(MOST_ONES) };
            found.map(|(ones, _)| (ones, by_slider(slider, row.bishop, row.rook)))
        };
        let found: Vec<(u32, u32)> = squares.into_par_iter().filter_map(of_square).collect();
        let figure = |figure: &str, ours: u32, theirs: u32| {
            let figure =
                Figure::new(format!("{}, fewest one-bits", name(slider)), figure, Unit::Count, f64::from(ours));
            figure.beside(Some(f64::from(theirs)), FEWEST_BITS.source)
        };
        let agree = found.iter().filter(|(ours, theirs)| ours == theirs).count() as u32;
        all.push(figure("squares searched", found.len() as u32, rows.len() as u32));
        all.push(figure("squares that agree", agree, found.len() as u32));
        let (ours, theirs): (Vec<u32>, Vec<u32>) = found.into_iter().unzip();
        all.push(figure("one-bits in all of these", ours.iter().sum(), theirs.iter().sum()));
    }
    Ok(all)
}

/// Squares with occupations, in random order.
fn look_ups(seed: u64) -> Vec<(Square, SquareSet)> {
    let positions = SUITES.into_iter().filter_map(Suite::named).flat_map(Suite::positions);
    let occupied = positions.map(|epd| epd.setup.pieces().map(|(square, _)| square).collect::<SquareSet>());
    let mut look_ups: Vec<_> = occupied.flat_map(|occupied| Square::all().map(move |from| (from, occupied))).collect();
    SplitMix::new(seed).shuffle(&mut look_ups);
    look_ups
}

/// Sizes of both layouts, and times of look-ups in them and in the boards' own tables.
fn layouts(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let rows: Vec<LayoutRow> = LAYOUTS.rows()?;
    let look_ups = look_ups(spec.seed);
    let mut all = Vec::new();
    for slider in [Slider::Rook, Slider::Bishop] {
        let meet = || MicroError::Wrong(format!("two answers of a {} meet at one place", name(slider)));
        let minimal = <Answers<false>>::new(slider, |from| multiplier(slider, from)).ok_or_else(meet)?;
        let homogeneous = <Answers<true>>::new(slider, |from| multiplier(slider, from)).ok_or_else(meet)?;
        let own = Magic::prepare()?;
        for (layout, places) in [(Layout::Minimal, minimal.places()), (Layout::Homogeneous, homogeneous.places())] {
            let row = rows.iter().find(|row| row.slider == name(slider) && row.layout == layout);
            let of = format!("{}, {layout}", name(slider));
            let bytes = (places * size_of::<SquareSet>()) as f64;
            let published = |pick: fn(&LayoutRow) -> u64| row.map(|row| pick(row) as f64);
            let source = LAYOUTS.source;
            all.push(
                Figure::new(&of, "places", Unit::Count, places as f64).beside(published(|row| row.entries), source),
            );
            all.push(Figure::new(&of, "bytes", Unit::Bytes, bytes).beside(published(|row| row.kib << 10), source));
        }
        let rounds = pinned(|| {
            let mut entries = [
                over(&look_ups, |from, occupied| minimal.attacks(from, occupied)),
                over(&look_ups, |from, occupied| homogeneous.attacks(from, occupied)),
                over(&look_ups, move |from, occupied| match slider {
                    Slider::Rook => own.rook(from, occupied),
                    Slider::Bishop => own.bishop(from, occupied),
                }),
            ];
            Ok(take_turns(&mut entries, spec.time, spec.seed))
        })?;
        for (entry, layout) in ["minimal", "homogeneous", "of the boards"].into_iter().enumerate() {
            let of = format!("{}, {layout}", name(slider));
            all.push(Figure::measured(of, "time of a look-up", Unit::Nanoseconds, rounds.time(entry)));
        }
        let of = format!("{}, homogeneous", name(slider));
        all.push(Figure::measured(of, "time of a look-up, to minimal", Unit::Ratio, rounds.ratio(1, 0)));
    }
    Ok(all)
}

fn over<'a>(look_ups: &'a [(Square, SquareSet)], attacks: impl Fn(Square, SquareSet) -> SquareSet + 'a) -> Entry<'a> {
    Entry::new(move || {
        for &(from, occupied) in look_ups {
            black_box(attacks(from, black_box(occupied)));
        }
        look_ups.len() as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One square of each kind of the grids; a search of all takes a minute without optimisation.
    #[test]
    fn the_fewest_bits_are_the_published_ones() {
        let rows: Vec<FewestRow> = FEWEST_BITS.rows().unwrap();
        assert_eq!(rows.len(), 64);
        assert_eq!(rows.iter().fold([0, 0], |[b, r], row| [b + row.bishop, r + row.rook]), [294, 278]);
        for (slider, squares) in [(Slider::Bishop, "d8 e2 d5 a2"), (Slider::Rook, "d4 b1")] {
            for square in squares.split(' ') {
                let row = rows.iter().find(|row| row.square == square).unwrap();
                let expected = by_slider(slider, row.bishop, row.rook);
                let from: Square = square.parse().unwrap();
                assert_eq!(Task::new(slider, from).fewest(MOST_ONES).map(|(ones, _)| ones), Some(expected), "{square}");
            }
        }
    }

    #[test]
    fn a_kind_has_no_set_or_at_least_two() {
        let mut tasks: Vec<Task> = Square::all().take(3).map(|from| Task::new(Slider::Bishop, from)).collect();
        for (time, expected) in [(Duration::ZERO, 0), (Duration::from_secs(600), SETS)] {
            let mut kind = Kind::new(9, Some(1.0), 1);
            // The first is tried in any case.
            kind.find_set(&mut tasks, time);
            while kind.wants_more(time) {
                kind.find_set(&mut tasks, time);
            }
            let given_up = (expected == 0).then_some(1);
            assert_eq!((kind.times.len(), kind.given_up), (expected, given_up));
            assert_eq!(kind.candidates > 0, expected > 0);
        }
        let mut kind = Kind::new(9, Some(1.0), 1);
        kind.times.push(1.0);
        kind.spent = Duration::from_secs(1);
        assert!(kind.wants_more(Duration::ZERO), "a second, whatever the time");
    }

    /// Means 4 and 2, deviations 2 and 1 of four values: relative variances of the means 1/16 each.
    #[test]
    fn a_ratio_of_means_worked_by_hand() {
        let spread = (1.5_f64).sqrt();
        let values = |mean: f64, by: f64| vec![mean - by * spread, mean + by * spread, mean, mean];
        let ratio = ratio_of_means(&values(4.0, 2.0), &values(2.0, 1.0));
        let half = 3.182_446_305 * (0.125_f64).sqrt();
        assert!((ratio.estimate - 2.0).abs() < 1e-12 && (ratio.high - 2.0 * half.exp()).abs() < 1e-6, "{ratio:?}");
    }

    #[test]
    fn a_time_has_an_interval_from_two_sets_on() {
        let time = |times: &[f64]| {
            let kind = Kind { times: times.to_vec(), ..Kind::new(9, Some(1.0), 1) };
            figures_of(Slider::Rook, &kind)[1].interval
        };
        assert_eq!((time(&[]), time(&[3.0])), (None, None));
        // Deviation 1.414, standard error 1, t = 12.7.
        let [low, high] = time(&[2.0, 4.0]).unwrap();
        assert!(low == 0.0 && (high - 15.706).abs() < 0.001, "{low} to {high}");
    }
}
