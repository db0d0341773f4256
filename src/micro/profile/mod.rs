//! Where the time of a search goes: calls of its tasks and their shares, after tables 2.1 and 4.5. The share of all
//! that boards do was published of three phases of the game.
//!
//! The search is that of the laboratory on a mailbox that tells when a task begins and ends. The published shares are
//! of other programs, and of two boards: table 2.1 of a mailbox, table 4.5 of magic bitboards. Ours are medians over
//! repetitions, so that they need not add up to 1.

pub mod calls;

use serde::Deserialize;

use super::listened::{Heard, Phase, phases, search_all};
use super::published::{PHASES, PROFILE, PROFILE_OF_BITBOARDS, Published};
use super::{Figure, Micro, MicroError, Spec, Takes, Unit};
use crate::chess::Task;
use crate::chess::suites::position;
use crate::search::features::Preset;
use crate::statistics::{Interval, LEVEL, quantile_interval};
use calls::{Cost, Profile};

/// Micro-measurement of the tasks of a search.
pub const MICRO: Micro = Micro {
    name: "profile",
    title: "tasks of a search",
    about: "Calls of evaluation, exchange evaluation, move generation, making and unmaking moves and questions about \
            attacks, and their shares of the time, in fixed searches with the presets thesis and modern on a mailbox: \
            of the position of table 2.1, an opening, and less deep ones of middlegames and endgames.",
    published: &[PROFILE.source, PROFILE_OF_BITBOARDS.source, PHASES.source],
    takes: Takes { boards: false, positions: true, depth: Some(DEPTH) },
    is_averaged: false,
    measure,
    print: None,
    check: None,
    verdict: None,
};

const DEPTH: u32 = 6;
/// Position of table 2.1.
const POSITION: &str = "reul-profile";
/// Plies that searches of the other phases, which have several positions, are less deep.
const LESS_DEEP: u32 = 1;
/// Name of the phase of that position.
const OPENING: &str = "opening";
/// Number of times that each search is profiled.
const REPETITIONS: usize = 15;
/// Presets whose searches are profiled: with the least evaluation, and with the one most like the published programs'.
const PRESETS: [Preset; 2] = [Preset::Thesis, Preset::Modern];
/// Tasks that a board does: what the published table calls the architecture.
const OF_BOARD: [Option<Task>; 8] = [
    Some(Task::Exchange),
    Some(Task::NoisyMoves),
    Some(Task::AllMoves),
    Some(Task::LegalMoves),
    Some(Task::Legality),
    Some(Task::Make),
    Some(Task::Unmake),
    Some(Task::Attacks),
];

/// Row of table 2.1 or 4.5.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    function: String,
    self_percent: f64,
    total_percent: f64,
}

/// Sum over the rows whose names begin so, as a share.
fn sum(table: &Published, function: &str, pick: fn(&Row) -> f64) -> Result<f64, MicroError> {
    let rows: Vec<Row> = table.rows()?;
    Ok(rows.iter().filter(|row| row.function.starts_with(function)).map(|row| pick(row) / 100.0).sum())
}

/// Published share of a task alone, or with the tasks within.
fn published(task: Task, is_whole: bool) -> Result<Option<(f64, &'static str)>, MicroError> {
    let (table, function) = match task {
        Task::Evaluation => (&PROFILE, "evaluate"),
        Task::Exchange => (&PROFILE_OF_BITBOARDS, "see"),
        Task::NoisyMoves => (&PROFILE_OF_BITBOARDS, "gen_captures"),
        _ => return Ok(None),
    };
    let share = sum(table, function, if is_whole { |row| row.total_percent } else { |row| row.self_percent })?;
    Ok(Some((share, table.source)))
}

/// Row of the shares that boards have by the phase of the game.
#[derive(Clone, Debug, Deserialize)]
struct PhaseRow {
    phase: String,
    board_percent: f64,
}

/// Published share of all that boards do in a phase; none if the positions are the user's.
fn published_of_phase(phase: &str) -> Result<Option<(f64, &'static str)>, MicroError> {
    let rows: Vec<PhaseRow> = PHASES.rows()?;
    let row = rows.iter().find(|row| row.phase == phase);
    Ok(row.map(|row| (row.board_percent / 100.0, PHASES.source)))
}

/// The opening of table 2.1 and the other phases, each with the depth of its searches; or the positions asked for.
fn sets(spec: &Spec) -> Vec<(Phase, u32)> {
    let depth = spec.depth.unwrap_or(DEPTH);
    let others = phases(&spec.positions).into_iter();
    if !spec.positions.is_empty() {
        return others.map(|phase| (phase, depth)).collect();
    }
    let opening = Phase { name: OPENING.to_owned(), positions: position(POSITION).into_iter().collect() };
    let less = depth.saturating_sub(LESS_DEEP).max(1);
    [(opening, depth)].into_iter().chain(others.map(|phase| (phase, less))).collect()
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let mut all = Vec::new();
    for (Phase { name, positions }, depth) in sets(spec) {
        for preset in PRESETS {
            let run = |_| search_all(&positions, (depth, &preset.features()), Heard::Tasks, gather);
            let runs = (0..REPETITIONS).map(run).collect::<Result<Vec<_>, _>>()?;
            all.extend(figures(preset.name(), &name, &runs)?);
        }
    }
    Ok(all)
}

/// Profile of the search that has been made on this thread, with the cost of measuring there.
fn gather() -> (Profile, Cost) {
    (calls::stop(), Cost::measure())
}

/// Figures of the searches of a phase with a preset. Shares of tasks were published of the opening.
fn figures(preset: &str, phase: &str, runs: &[(Profile, Cost)]) -> Result<Vec<Figure>, MicroError> {
    let of = &format!("{preset}, {phase}");
    let published = |task, is_whole| if phase == OPENING { published(task, is_whole) } else { Ok(None) };
    let share = |name: String, of_run: &dyn Fn(&Profile, Cost) -> f64, published: Option<(f64, &'static str)>| {
        let shares: Vec<f64> = runs.iter().map(|(profile, cost)| of_run(profile, *cost)).collect();
        let interval = quantile_interval(&shares, 0.5, LEVEL).unwrap_or(Interval::unknown(shares[0]));
        let (value, source) = published.unzip();
        Figure::measured(of, name, Unit::Share, interval).beside(value, source.unwrap_or_default())
    };
    let mut all = Vec::new();
    for &task in Task::ALL {
        let calls = runs.first().map_or(0, |(profile, _)| profile.calls(task));
        if calls == 0 {
            continue;
        }
        all.push(Figure::new(of, format!("calls of {task}"), Unit::Count, calls as f64));
        let own = |profile: &Profile, cost| profile.own_share(cost, &[Some(task)]);
        let whole = |profile: &Profile, cost| profile.whole_share(cost, task);
        all.push(share(format!("share of {task} alone"), &own, published(task, false)?));
        all.push(share(format!("share of {task}"), &whole, published(task, true)?));
    }
    let board = |profile: &Profile, cost| profile.own_share(cost, &OF_BOARD);
    all.push(share("share of all that boards do".to_owned(), &board, published_of_phase(phase)?));
    let rest = |profile: &Profile, cost| profile.own_share(cost, &[None]);
    all.push(share("share of the rest of the search".to_owned(), &rest, None));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_shares_are_read() {
        let percent = |share: f64| (share * 1000.0).round() / 10.0;
        let of = |task, is_whole| published(task, is_whole).unwrap().map(|(share, _)| percent(share));
        assert_eq!((of(Task::Evaluation, false), of(Task::Evaluation, true)), (Some(10.8), Some(15.0)));
        assert_eq!((of(Task::Exchange, false), of(Task::Exchange, true)), (Some(6.4), Some(13.5)));
        assert_eq!((of(Task::NoisyMoves, true), of(Task::Make, true)), (Some(1.8), None));
        // The share of boards in table 2.1 includes the function that all calls were wrapped in, which was taken off.
        let of_phase = |phase| published_of_phase(phase).unwrap().map(|(share, _)| percent(share));
        assert_eq!(percent(sum(&PROFILE, "cca", |row| row.total_percent - row.self_percent).unwrap()), 47.1);
        let phases = ["opening", "middlegame", "endgame", "positions given"];
        assert_eq!(phases.map(of_phase), [Some(47.1), Some(46.9), Some(42.1), None]);
        let spec = Spec { boards: vec![], positions: vec![], depth: None, time: std::time::Duration::ZERO, seed: 0 };
        let sets = sets(&spec);
        assert_eq!(
            sets.iter().map(|(phase, depth)| (phase.name.as_str(), *depth)).collect::<Vec<_>>(),
            [("opening", 6), ("middlegame", 5), ("endgame", 5),]
        );
    }

    #[test]
    fn a_search_is_divided_into_tasks() {
        let positions = [position(POSITION).unwrap()];
        let run = |preset: Preset| search_all(&positions, (3, &preset.features()), Heard::Tasks, gather).unwrap();
        for preset in PRESETS {
            let (profile, cost) = run(preset);
            let calls = |task| profile.calls(task);
            // Castling is made on a copy to see whether it gives check.
            assert!(calls(Task::Make) >= calls(Task::Unmake) && calls(Task::Unmake) > 100, "{preset:?}");
            assert_eq!(calls(Task::EvaluationChange), calls(Task::Unmake), "{preset:?}");
            for task in [Task::Evaluation, Task::Exchange, Task::NoisyMoves, Task::Legality, Task::Attacks] {
                assert!(calls(task) > 100, "{preset:?}: {task}");
            }
            let own: f64 = Task::ALL.iter().map(|task| profile.own_share(cost, &[Some(*task)])).sum();
            let all = own + profile.own_share(cost, &[None]);
            assert!((all - 1.0).abs() < 1e-9, "{preset:?}: {all}");
            assert!(profile.whole_share(cost, Task::Exchange) > 0.0, "{preset:?}");
            assert_eq!(run(preset).0.calls(Task::Attacks), calls(Task::Attacks), "{preset:?}");
        }
    }
}
