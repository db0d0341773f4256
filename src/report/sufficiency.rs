//! Judgement whether everything has been measured often enough: at enough positions, or with enough runs, for narrow
//! intervals of the time speedups.

use super::analysis::scope::Holds;
use crate::record::{Addition, BEYOND_ALL, Configuration, Description, IntervalKind, Need, Outlines, Verdict};
use crate::statistics::{Contrast, LEVEL, PlannedContrast, Scope, deviation_within, student_factor};

/// Degrees of freedom from which on the noise that was seen says how much more it takes.
const ENOUGH_FREEDOM: usize = 8;
/// Number of positions from which on their differences say how many more it takes.
const ENOUGH_POSITIONS: usize = 5;

/// Verdict on the intervals of all configurations that are divided by a baseline: which reach further from their
/// estimate than this share of it.
pub fn verdict(description: &Description, known: &Outlines, half_width: f64) -> Verdict {
    let addition = match description.interval {
        IntervalKind::ThesePositions => Addition::Runs,
        IntervalKind::PositionsLikeThese => Addition::Positions,
    };
    let times = known.log_times();
    let find = |wanted: &Configuration| times.iter().find(|(one, _)| *one == wanted).map(|(_, runs)| runs);
    // Where a search was cut off there is no time speedup, and more runs make none; positions of one game stand for no
    // others, however many there are.
    let has_intervals = addition == Addition::Runs || !description.is_one_game;
    let is_whole = |one: &Configuration| has_intervals && !known.is_cut(one);
    let shared = || times.iter().filter(|(one, _)| !one.is_baseline() && is_whole(one) && is_whole(&one.baseline()));
    let pairs: Vec<_> = shared()
        .filter_map(|(configuration, runs)| Some((*configuration, find(&configuration.baseline())?, runs)))
        .collect();
    let holds = Holds::of(description);
    let need = |(configuration, baseline, runs): &(&Configuration, &Vec<Vec<f64>>, &Vec<Vec<f64>>)| {
        let contrast = Contrast::unpaired(baseline, runs);
        let speedup = contrast.as_ref().map(|contrast| holds.ratio(contrast));
        let is_narrow = speedup.is_some_and(|speedup| {
            speedup.high / speedup.estimate - 1.0 <= half_width && 1.0 - speedup.low / speedup.estimate <= half_width
        });
        let size = || match addition {
            Addition::Runs => runs_wanted(runs, baseline, half_width),
            Addition::Positions => positions_wanted(contrast.as_ref()?, half_width),
        };
        (!is_narrow).then(|| Need { configuration: (*configuration).clone(), size: size() })
    };
    Verdict { judged: pairs.len(), addition, needs: pairs.iter().filter_map(need).collect() }
}

/// Number of runs of each position with which the interval for these positions is expected to be narrow enough, if as
/// many runs are added to the baseline.
fn runs_wanted(runs: &[Vec<f64>], baseline: &[Vec<f64>], half_width: f64) -> Option<u64> {
    let positions = runs.iter().zip(baseline).filter(|(runs, baseline)| !runs.is_empty() && !baseline.is_empty());
    let positions = positions.count();
    let freedom = |side: &[Vec<f64>]| side.iter().map(|runs| runs.len().saturating_sub(1)).sum::<usize>();
    if positions == 0 || freedom(runs).min(freedom(baseline)) < ENOUGH_FREEDOM {
        return None;
    }
    let each = |side: &[Vec<f64>]| side.iter().map(Vec::len).sum::<usize>() / positions;
    let now = PlannedContrast {
        positions,
        runs: each(runs),
        baselines: each(baseline),
        run_deviation: deviation_within(runs)?,
        baseline_deviation: deviation_within(baseline)?,
        position_deviation: 0.0,
    };
    let planned = |size: u64| {
        let more = (size as usize).saturating_sub(now.runs);
        PlannedContrast { runs: now.runs + more, baselines: now.baselines + more, ..now }
    };
    Some(least_size(now.runs as u64 + 1, |size| planned(size).half_width(Scope::ThesePositions, LEVEL), half_width))
}

/// Number of positions with which the interval for positions like these is expected to be narrow enough.
fn positions_wanted(contrast: &Contrast, half_width: f64) -> Option<u64> {
    let positions = contrast.places().len();
    let interval = contrast.interval(Scope::PositionsLikeThese, LEVEL).filter(|_| positions >= ENOUGH_POSITIONS)?;
    let factor = student_factor(LEVEL, positions as f64 - 1.0);
    // All that makes positions differ, noise of runs included.
    let position_deviation = (interval.high - interval.estimate) / factor * (positions as f64).sqrt();
    let planned = |size: u64| PlannedContrast {
        positions: size as usize,
        runs: 1,
        baselines: 1,
        run_deviation: 0.0,
        baseline_deviation: 0.0,
        position_deviation,
    };
    let half = |size: u64| planned(size).half_width(Scope::PositionsLikeThese, LEVEL);
    Some(least_size(positions as u64 + 1, half, half_width))
}

/// Least size from `least` on at which the interval of a logarithm is as narrow, by halving.
fn least_size(least: u64, half: impl Fn(u64) -> Option<f64>, half_width: f64) -> u64 {
    let is_enough = |size: u64| half(size).is_some_and(|half| half <= half_width.ln_1p());
    if is_enough(least) || least >= BEYOND_ALL {
        return least;
    }
    let (mut short, mut enough) = (least, BEYOND_ALL);
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if is_enough(middle) { enough = middle } else { short = middle }
    }
    enough
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;
    use crate::record::{Cell, MachineKind, Measured, Record};

    /// Outlines of runs and baselines with noise of this deviation, at positions whose speedups differ by that.
    fn outlines(positions: usize, runs: u64, noise: f64, differ: f64) -> Outlines {
        let mut random = SplitMix::new(17);
        let mut outlines = Outlines::default();
        for position in 0..positions {
            let speedup = 0.5 + differ * random.normal();
            for (strategy, threads, level) in [("sequential", 1, 0.0), ("ybwc", 2, -speedup)] {
                for seed in 0..runs {
                    let time_ns = (1e9 * (level + noise * random.normal()).exp()) as u64;
                    let measured = Measured { time_ns, nodes: 1, ..Measured::default() };
                    let configuration = Configuration::sample(MachineKind::Virtual, strategy, threads);
                    let cell = Cell::sample(configuration, &format!("P{position}"), seed);
                    outlines.add(&Record::sample(outlines.all().len() as u64, cell, measured));
                }
            }
        }
        outlines
    }

    fn judged(interval: IntervalKind, known: &Outlines, half_width: f64) -> (Addition, Option<Option<u64>>) {
        let description = Description { interval, ..Description::default() };
        let verdict = verdict(&description, known, half_width);
        assert_eq!(verdict.judged, 1);
        (verdict.addition, verdict.needs.first().map(|need| need.size))
    }

    #[test]
    fn the_size_that_is_asked_for_is_about_that_which_it_takes() {
        let like_these = IntervalKind::PositionsLikeThese;
        let (addition, size) = judged(like_these, &outlines(12, 2, 0.05, 0.2), 0.05);
        let size = size.unwrap().unwrap();
        assert!((50..120).contains(&size), "{size}");
        assert_eq!(addition, Addition::Positions);
        assert_eq!(judged(like_these, &outlines(2 * size as usize, 2, 0.05, 0.2), 0.05).1, None);
        assert!(judged(like_these, &outlines(size as usize / 2, 2, 0.05, 0.2), 0.05).1.is_some());

        // How positions differ is no matter for these positions, and more of them are not what helps.
        let these = IntervalKind::ThesePositions;
        let (addition, size) = judged(these, &outlines(5, 4, 0.2, 0.5), 0.05);
        let size = size.unwrap().unwrap();
        assert!((20..60).contains(&size), "{size}");
        assert_eq!(addition, Addition::Runs);
        assert_eq!(judged(these, &outlines(5, 2 * size, 0.2, 0.5), 0.05).1, None);
        assert!(judged(these, &outlines(5, size / 2, 0.2, 0.5), 0.05).1.is_some());
    }

    #[test]
    fn little_knowledge_gives_no_size_and_an_endless_one_is_beyond_all() {
        for (interval, positions, runs, expected) in [
            (IntervalKind::ThesePositions, 3, 2, None),
            (IntervalKind::PositionsLikeThese, 3, 9, None),
            (IntervalKind::ThesePositions, 10, 1, None),
            (IntervalKind::ThesePositions, 10, 3, Some(BEYOND_ALL)),
            (IntervalKind::PositionsLikeThese, 10, 1, Some(BEYOND_ALL)),
        ] {
            let known = outlines(positions, runs, 0.3, 0.3);
            assert_eq!(judged(interval, &known, 1e-6).1, Some(expected), "{interval:?} {positions} {runs}");
        }
    }

    #[test]
    fn what_has_no_interval_is_not_judged() {
        let known = Outlines::default();
        assert_eq!(verdict(&Description::default(), &known, 0.1).judged, 0);
        let interval = IntervalKind::PositionsLikeThese;
        let of_a_game = Description { interval, is_one_game: true, ..Description::default() };
        assert_eq!(verdict(&of_a_game, &outlines(10, 2, 0.1, 0.1), 0.1).judged, 0);
    }
}
