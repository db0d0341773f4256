//! Time to solution: the time at which a run found a best move of its position and kept it to its end. It does not
//! depend on the depth at which a search ends, nor on what its depth means. A run that did not solve its position is
//! censored at its end: it might have solved it later.
//!
//! Intervals hold for positions like these, whatever the experiment asks for: how many of a set of positions are solved
//! says something only if they stand for others.

use crate::record::{Description, PositionInfo, Word};
use crate::statistics::{Interval, KaplanMeier, Observed, mean_of_means, time_ratio};

use super::deepening::SHORTEST_S;
use super::grouping::{Gathered, Gathering, Run};

/// Number of times at which the curve of solutions is told.
const TIMES_TOLD: u32 = 12;

/// Least share of the unsolved runs that are still observed, up to which a curve of solutions is told.
const LEAST_OBSERVED: f64 = 1.0 / 3.0;
/// Factor by which a power may miss the time that it is.
const ROUNDED: f64 = 1.0 + 1e-9;

/// Times at which a group found best moves and kept them to the end. Intervals are for positions like these.
#[derive(Clone, Debug, PartialEq)]
pub struct Solving {
    /// Number of positions that name best moves.
    pub positions: usize,
    /// Share of runs that end with a best move: mean over positions.
    pub solved: f64,
    /// Time in seconds by which half of the positions are solved (Kaplan and Meier), if they are; its upper end may be
    /// infinite.
    pub median_s: Option<Interval>,
    /// Share of positions solved by each of some times in seconds; none if all searches were too short.
    pub curve: Vec<(f64, Interval)>,
    /// Time of the baseline to the same share of positions solved, as a ratio to that of the group: geometric mean over
    /// the shares that both reach.
    pub speedup: Option<Interval>,
}

/// Solutions of a group; nothing if fewer than two of its positions name a best move, or if its records do not tell
/// when they had which answer.
pub(super) fn solving(group: &Gathered<'_>, gathering: &Gathering<'_>, description: &Description) -> Option<Solving> {
    let observed = observed(group, gathering, description);
    let positions = observed.iter().filter(|runs| !runs.is_empty()).count();
    let all = observed.concat();
    if positions < 2 {
        return None;
    }
    let of_sample = |interval: Interval| match description.is_one_game {
        true => Interval::unknown(interval.estimate),
        false => interval,
    };
    let curve = KaplanMeier::of(&all, all.len() as f64 / positions as f64)?;
    let solved: Vec<Vec<f64>> = observed
        .iter()
        .map(|runs| runs.iter().map(|(_, is_solved)| f64::from(u8::from(*is_solved))).collect())
        .collect();
    let end = all.iter().map(|(time, _)| *time).fold(SHORTEST_S, f64::max);
    let told = told_to(&all);
    let time = |step: u32| SHORTEST_S * (end / SHORTEST_S).powf(f64::from(step) / f64::from(TIMES_TOLD));
    let speedup = gathering.baseline(group).and_then(|baseline| {
        let theirs = self::observed(baseline, gathering, description);
        let both: (Vec<_>, Vec<_>) =
            theirs.into_iter().zip(observed.iter().cloned()).filter(|(a, b)| !a.is_empty() && !b.is_empty()).unzip();
        time_ratio(&both.0, &both.1, SHORTEST_S).map(Interval::exp)
    });
    Some(Solving {
        positions,
        solved: mean_of_means(&solved)?,
        median_s: curve.time_of(0.5).filter(|median| median.estimate <= told).map(of_sample),
        curve: (0..=TIMES_TOLD)
            .filter(|_| end > SHORTEST_S)
            .map(time)
            .take_while(|time| *time <= told * ROUNDED)
            .map(|time| (time, of_sample(curve.share(time))))
            .collect(),
        speedup: speedup.map(of_sample),
    })
}

/// Time up to which a curve of solutions says anything: as long as enough of the runs that have not solved their
/// position are still observed. Beyond it a few stand for all that ended before; if the last of them solves its
/// position, the curve jumps to all, though not all were solved.
fn told_to(all: &[Observed]) -> f64 {
    let mut times: Vec<f64> = all.iter().map(|(time, _)| *time).collect();
    times.sort_by(f64::total_cmp);
    let last = times.last().copied().unwrap_or(0.0);
    let is_any_missed = all.iter().any(|(time, is_solved)| !is_solved && *time < last);
    let ends_in_all = is_any_missed && all.iter().all(|(time, is_solved)| *time < last || *is_solved);
    let mut solved: Vec<f64> = all.iter().filter(|(_, is_solved)| *is_solved).map(|(time, _)| *time).collect();
    solved.sort_by(f64::total_cmp);
    let not_before = |sorted: &[f64], at: f64| sorted.len() - sorted.partition_point(|time| *time < at);
    let is_told = |at: &&f64| {
        let unsolved = all.len() - solved.len() + not_before(&solved, **at);
        let observed = not_before(&times, **at);
        observed as f64 >= LEAST_OBSERVED * unsolved as f64 && !(ends_in_all && **at == last)
    };
    times.iter().take_while(is_told).last().copied().unwrap_or(0.0)
}

/// Observations of each position: when a run solved it, or when it ended without.
fn observed(group: &Gathered<'_>, gathering: &Gathering<'_>, description: &Description) -> Vec<Vec<Observed>> {
    let position = |place: usize| {
        let id = gathering.positions[place];
        description.positions.iter().find(|position| position.id == id && !position.best.is_empty())
    };
    let of_position = |(place, runs): (usize, &Vec<Run<'_>>)| {
        let Some(position) = position(place) else { return Vec::new() };
        runs.iter().filter_map(|run| observe(*run, position)).collect()
    };
    group.runs.iter().enumerate().map(of_position).collect()
}

/// Time in seconds at which a run solved its position for good, or at which it ended.
fn observe(run: Run<'_>, position: &PositionInfo) -> Option<Observed> {
    let measured = run.measured;
    let solves = |mv: &Option<Word>| mv.as_ref().is_some_and(|mv| position.is_solved_by(mv) == Some(true));
    if measured.answers.is_empty() || measured.time_ns == 0 {
        return None;
    }
    let end = measured.time_ns as f64 * 1e-9;
    if !solves(&measured.bestmove) {
        return Some((end, false));
    }
    // The move of an iteration that was not completed counts from the end.
    let kept = measured.answers.iter().rev().take_while(|answer| solves(&answer.bestmove)).last();
    Some((kept.map_or(end, |answer| answer.time_ns.max(1) as f64 * 1e-9).min(end), true))
}

#[cfg(test)]
mod tests {
    use super::super::Analysis;
    use super::super::samples::{configuration, description, measured, record};
    use super::*;
    use crate::record::{DepthAnswer, Record};

    fn run(index: u64, threads: u32, position: &str, moves: &[(&str, u64)], last: &str) -> Record {
        let strategy = if threads == 1 { "sequential" } else { "ybwc" };
        let mut record = record(index, &configuration(strategy, threads), position, index, (8, 100));
        let answer = |(depth, (mv, seconds)): (u32, &(&str, u64))| DepthAnswer {
            depth,
            time_ns: seconds * 1_000_000_000,
            bestmove: Some((*mv).into()),
            ..DepthAnswer::default()
        };
        let measured = measured(&mut record);
        measured.answers = (1..).zip(moves).map(answer).collect();
        measured.bestmove = Some(last.into());
        record
    }

    #[test]
    fn a_solution_is_found_and_kept() {
        let position = PositionInfo { best: vec!["a".to_owned()], ..PositionInfo::default() };
        for (moves, last, expected) in [
            (&[("a", 1), ("b", 2), ("a", 4), ("a", 8)][..], "a", (4.0, true)),
            (&[("a", 1), ("a", 8)], "a", (1.0, true)),
            (&[("a", 1), ("b", 8)], "b", (8.0, false)),
            // Found in an iteration that was not completed, and lost in one.
            (&[("b", 1), ("b", 4)], "a", (8.0, true)),
            (&[("a", 1), ("a", 4)], "b", (8.0, false)),
        ] {
            let record = run(0, 1, "A", moves, last);
            let run = Run { record: &record, measured: record.measured().unwrap() };
            assert_eq!(observe(run, &position), Some(expected), "{moves:?} {last}");
        }
    }

    #[test]
    fn a_curve_ends_where_few_stand_for_all_that_ended_before() {
        let solved = |time: f64, count: usize| vec![(time, true); count];
        let missed = |time: f64, count: usize| vec![(time, false); count];
        for (what, observed, expected) in [
            ("the last of ten solves its position", [solved(1.0, 4), missed(2.0, 5), solved(8.0, 1)], 2.0),
            ("two of six are left", [solved(1.0, 4), missed(2.0, 4), missed(8.0, 2)], 8.0),
            ("one of two solves it", [missed(1.0, 1), solved(8.0, 1), Vec::new()], 1.0),
            ("all are solved", [solved(1.0, 4), solved(2.0, 5), solved(8.0, 1)], 8.0),
            ("none is", [missed(1.0, 4), missed(2.0, 5), missed(8.0, 1)], 2.0),
        ] {
            assert_eq!(told_to(&observed.concat()), expected, "{what}");
        }
    }

    #[test]
    fn the_curve_does_not_jump_to_all_where_half_was_solved() {
        let mut asked = description(&["threads"], 4);
        asked.positions.iter_mut().for_each(|position| position.best = vec!["a".to_owned()]);
        let mut records = [run(0, 1, "A", &[("b", 1), ("b", 2)], "b"), run(1, 1, "B", &[("b", 1), ("a", 8)], "a")];
        super::super::samples::measured(&mut records[0]).time_ns = 2_000_000_000;
        let solving = Analysis::of(asked, &records).groups[0].solving.clone().unwrap();
        assert_eq!((solving.solved, solving.median_s), (0.5, None), "{solving:?}");
        assert!(solving.curve.iter().all(|(time, share)| *time <= 2.0 * ROUNDED && share.estimate == 0.0));
    }

    #[test]
    fn solutions_of_a_group_beside_its_baseline() {
        let mut asked = description(&["threads"], 4);
        asked.positions.iter_mut().for_each(|position| position.best = vec!["a".to_owned()]);
        let records = [
            run(0, 1, "A", &[("b", 1), ("a", 4), ("a", 8)], "a"),
            run(1, 1, "B", &[("b", 1), ("b", 8)], "b"),
            run(2, 4, "A", &[("a", 1), ("a", 8)], "a"),
            run(3, 4, "B", &[("b", 1), ("b", 8)], "b"),
        ];
        let analysis = Analysis::of(asked.clone(), &records);
        let [one, four] = [0, 1].map(|place| analysis.groups[place].solving.clone().unwrap());
        assert_eq!((one.positions, one.solved, one.median_s.unwrap().estimate, one.speedup), (2, 0.5, 4.0, None));
        assert!((four.speedup.unwrap().estimate - 4.0).abs() < 1e-9, "{four:?}");
        assert_eq!(four.curve.last().map(|(time, share)| (time.round(), share.estimate)), Some((8.0, 0.5)));
        // Positions that name no best move are not asked.
        asked.positions[1].best.clear();
        assert_eq!(Analysis::of(asked, &records).groups[0].solving, None);
    }
}
