//! Magic multipliers: how long it takes to find them by trial and error, by the number of one-bits of the candidates
//! (table 3.1), how few one-bits will do (figures 3.18 and 3.19), and two layouts of the tables that they serve.

mod layout;
mod task;

use std::hint::black_box;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::Deserialize;

use super::published::{FEWEST_BITS, LAYOUTS, MAGIC_TIMES};
use super::turns::{Entry, take_turns};
use super::{Figure, Micro, MicroError, Spec, Takes, Unit, pinned};
use crate::chess::bitboards::sliders::{Magic, Slider, Sliders};
use crate::chess::suites::Suite;
use crate::chess::{Square, SquareSet};
use crate::random::SplitMix;
use crate::statistics::{Interval, LEVEL, mean, standard_deviation, student_factor};
use layout::{Answers, Layout};
use task::Task;

/// Micro-measurement of magic multipliers.
pub const MICRO: Micro = Micro {
    name: "magics",
    about: "Time to find a set of magic multipliers by trial and error, by the one-bits of the candidates; the fewest \
            one-bits that will do; and look-up time in the two layouts of the tables. More --time, more rows.",
    published: &[MAGIC_TIMES.source, FEWEST_BITS.source, LAYOUTS.source],
    takes: Takes { boards: false, positions: false, depth: None },
    measure,
};

/// A set takes many times as long as other things that are timed.
const TIMES_LONGER: u32 = 6;
/// Number of sets whose times were published as one: more are not needed.
const SETS: usize = 100;
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
    match slider {
        Slider::Rook => "rook",
        Slider::Bishop => "bishop",
    }
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let mut all = pinned(|| times(spec))?;
    all.extend(fewest(spec)?);
    all.extend(layouts(spec)?);
    Ok(all)
}

/// Times to find a set by trial and error.
fn times(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let rows: Vec<TimeRow> = MAGIC_TIMES.rows()?;
    let mut all = Vec::new();
    for slider in [Slider::Bishop, Slider::Rook] {
        let published = |row: &TimeRow| match slider {
            Slider::Bishop => row.bishop_100_sets_ms.map(|ms| ms / SETS as f64),
            Slider::Rook => row.rook_100_sets_ms.map(|ms| ms / SETS as f64),
        };
        let mut tasks: Vec<Task> = Square::all().map(|from| Task::new(slider, from)).collect();
        let mut found: Vec<(u32, Interval, f64)> = Vec::new();
        for row in rows.iter().filter(|row| published(row).is_some()) {
            let mut random = SplitMix::new(spec.seed ^ u64::from(row.ones));
            let sets = sets(&mut tasks, row.ones, &mut random, spec.time * TIMES_LONGER);
            let times: Vec<f64> = sets.iter().map(|set| set.milliseconds).collect();
            let Some(time) = mean_with_interval(&times) else { continue };
            let of = format!("{}, {} one-bits", name(slider), row.ones);
            let candidates = sets.iter().map(|set| set.candidates).sum::<u64>() as f64 / sets.len() as f64;
            all.push(Figure::new(&of, "candidates tried for a set", Unit::Count, candidates));
            let published = published(row);
            all.push(
                Figure::measured(&of, "time of a set", Unit::Milliseconds, time).beside(published, MAGIC_TIMES.source),
            );
            found.extend(published.map(|published| (row.ones, time, published)));
        }
        // How the time depends on the number of bits is what can be compared.
        if let Some(&(fewest, least, published)) = found.iter().min_by(|a, b| a.2.total_cmp(&b.2)) {
            for (ones, time, theirs) in &found {
                let of = format!("{}, {ones} one-bits", name(slider));
                let figure = format!("time of a set, to that of {fewest}");
                let ratio = time.estimate / least.estimate;
                let figure = Figure::new(of, figure, Unit::Ratio, ratio);
                all.push(figure.beside(Some(theirs / published), MAGIC_TIMES.source));
            }
        }
    }
    Ok(all)
}

/// Set of multipliers that has been found.
#[derive(Clone, Copy, Debug)]
struct Set {
    milliseconds: f64,
    candidates: u64,
}

/// Sets of multipliers that are found in this time. A set that is not complete by then does not count, unless it is the
/// second: so a slow kind has either no time at all or two.
fn sets(tasks: &mut [Task], ones: u32, random: &mut SplitMix, time: Duration) -> Vec<Set> {
    let start = Instant::now();
    let tried = |tasks: &[Task]| tasks.iter().map(Task::tried).sum::<u64>();
    let mut sets = Vec::new();
    while sets.len() < SETS {
        let (begun, before) = (Instant::now(), tried(tasks));
        for task in &mut *tasks {
            black_box(task.draw(ones, random));
            if start.elapsed() > time && sets.len() != 1 {
                return sets;
            }
        }
        sets.push(Set { milliseconds: begun.elapsed().as_secs_f64() * 1e3, candidates: tried(tasks) - before });
    }
    sets
}

/// Mean with the interval of Student's t; nothing of an empty sample.
fn mean_with_interval(values: &[f64]) -> Option<Interval> {
    let estimate = mean(values)?;
    let half = standard_deviation(values)
        .map(|deviation| student_factor(LEVEL, values.len() as f64 - 1.0) * deviation / (values.len() as f64).sqrt());
    // A time is not negative.
    let ends = |half: f64| Interval { estimate, low: (estimate - half).max(0.0), high: estimate + half };
    Some(half.map_or(Interval::unknown(estimate), ends))
}

/// The fewest one-bits of each square, as far as there is time, beside the published ones.
fn fewest(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let rows: Vec<FewestRow> = FEWEST_BITS.rows()?;
    let mut all = Vec::new();
    let start = Instant::now();
    for (slider, published) in
        [(Slider::Bishop, (|row| row.bishop) as fn(&FewestRow) -> u32), (Slider::Rook, |row| row.rook)]
    {
        let mut squares: Vec<Square> = Square::all().collect();
        SplitMix::new(spec.seed).shuffle(&mut squares);
        let of_square = |from: Square| {
            let is_over = start.elapsed() > spec.time * FEWEST_TIMES;
            let row = rows.iter().find(|row| row.square == from.to_string())?;
            let found = if is_over { None } else { Task::new(slider, from).fewest(MOST_ONES) };
            found.map(|(ones, _)| (ones, published(row)))
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
        let minimal = <Answers<false>>::new(slider).ok_or_else(meet)?;
        let homogeneous = <Answers<true>>::new(slider).ok_or_else(meet)?;
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
                let expected = if slider == Slider::Bishop { row.bishop } else { row.rook };
                let from: Square = square.parse().unwrap();
                assert_eq!(Task::new(slider, from).fewest(MOST_ONES).map(|(ones, _)| ones), Some(expected), "{square}");
            }
        }
    }

    #[test]
    fn a_set_is_complete_or_does_not_count() {
        let mut tasks: Vec<Task> = Square::all().take(3).map(|from| Task::new(Slider::Bishop, from)).collect();
        let mut random = SplitMix::new(1);
        assert!(sets(&mut tasks, 9, &mut random, Duration::ZERO).is_empty());
        assert_eq!(sets(&mut tasks, 9, &mut random, Duration::from_secs(600)).len(), SETS);
    }

    #[test]
    fn a_mean_has_an_interval_from_two_values_on() {
        assert_eq!(mean_with_interval(&[]), None);
        assert!(!mean_with_interval(&[3.0]).unwrap().is_known());
        let interval = mean_with_interval(&[2.0, 4.0]).unwrap();
        // Deviation 1.414, standard error 1, t = 12.7.
        assert!(interval.low == 0.0 && (interval.high - 15.706).abs() < 0.001, "{interval:?}");
    }
}
