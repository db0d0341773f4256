//! The search against itself: boards, ways of making moves and machines change nothing, and a search that is stopped
//! tells the truth about how far it got.

use std::collections::HashSet;

use splitpoint::chess::suites::Suite;
use splitpoint::chess::{Board, Keys, MoveList, Setup};
use splitpoint::counts::Splits;
use splitpoint::engine::Computer;
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{ThisThread, VirtualMachine};
use splitpoint::search::table::{Scheme, TableOptions};
use splitpoint::search::{DEEPEST, Limits, SearchSettings};

use crate::searching::{
    AnyBoard, SMALL_TABLE, alone, boards, features, lockless, mixed_positions, search, search_by, search_on, settings,
    simulated, threads, trace, virtually,
};

const PRESETS: [&str; 4] = ["thesis", "thesis-as-printed", "sound", "modern"];
const POSITIONS: usize = 72;

#[test]
fn all_boards_and_ways_of_making_moves_search_the_same_tree() {
    let boards = boards();
    for (i, setup) in mixed_positions(POSITIONS, 11).iter().enumerate() {
        let preset = PRESETS[i % PRESETS.len()];
        let depth = if preset == "sound" { 2 + (i / 4 % 2) as u32 } else { 4 + (i / 4 % 3) as u32 };
        // Every other one in the published order.
        let seed = if i % 2 == 0 { 0 } else { i as u64 };
        let made = settings(preset, depth, seed);
        let table = lockless(&made, SMALL_TABLE);
        let expected = trace(&search(setup, &made, &table));
        let has_this_trace = |settings: &SearchSettings| {
            for board in &boards {
                let this_thread = Computer::ThisThread(ThisThread);
                let found = trace(&search_on(*board, &this_thread, "sequential", setup, settings, &table));
                assert_eq!(found, expected, "{setup} on {board}, seed {seed}");
            }
        };
        has_this_trace(&made);
        let mut changed = made;
        let switches = &mut changed.features;
        let flipped = if i / 12 % 2 == 0 { &mut switches.copy_make } else { &mut switches.incremental };
        *flipped = !*flipped;
        has_this_trace(&changed);
    }
}

#[test]
fn all_machines_search_the_same_tree() {
    let real = threads(1);
    for (i, setup) in mixed_positions(24, 12).iter().enumerate() {
        for preset in PRESETS {
            let settings = settings(preset, if preset == "sound" { 3 } else { 6 }, i as u64);
            let table = lockless(&settings, SMALL_TABLE);
            let expected = trace(&search(setup, &settings, &table));
            for machine in [&real, &virtually(1, i as u64), &virtually(3, 0)] {
                assert_eq!(expected, trace(&search_by(machine, "sequential", setup, &settings, &table)));
            }
        }
    }
}

/// The iterations are those that were asked for, and a search that is exact finds the same score by any of them.
#[test]
fn a_depth_is_reached_by_any_iterations() {
    for (i, setup) in mixed_positions(6, 13).iter().enumerate() {
        let reached = |changes: &str| {
            let settings = settings(&format!("sound{changes}"), 4, i as u64);
            let answer = search(setup, &settings, &settings.table(Scheme::None, 0)).answer;
            (answer.iterations.iter().map(|iteration| iteration.depth).collect::<Vec<_>>(), answer.score)
        };
        let (all, score) = reached("");
        assert!(all.is_empty() || all == [1, 2, 3, 4], "{setup}");
        for (changes, expected) in [
            (",deepening-step=2", &[1, 3, 4][..]),
            (",deepening-from=2", &[2, 3, 4]),
            (",deepening-from=2,deepening-step=2", &[2, 4]),
            (",deepening-from=99", &[4]),
        ] {
            let expected = if all.is_empty() { &[] } else { expected };
            assert_eq!(reached(changes), (expected.to_vec(), score), "{setup} {changes}");
        }
    }
}

#[test]
fn a_limit_waits_for_the_least_depth() {
    let setup = Setup::start();
    let reached = |changes: &str| {
        let settings = settings(&format!("thesis{changes}"), DEEPEST, 0);
        let limited = SearchSettings { limits: Limits { nodes: 100, ..settings.limits }, ..settings };
        let answer = search(&setup, &limited, &limited.table(Scheme::None, 0)).answer;
        answer.iterations.last().unwrap().depth
    };
    assert!(reached("") < 4);
    assert_eq!(reached(",deepening-least=4"), 4);
}

#[test]
fn virtual_time_is_the_same_every_time() {
    let settings = settings("thesis", 6, 3);
    let table = lockless(&settings, SMALL_TABLE);
    let time = |seed| {
        let machine = virtually(1, seed);
        assert_eq!(machine.processors(), 1);
        let outcome = search_by(&machine, "sequential", &Setup::start(), &settings, &table);
        let times: Vec<u64> = outcome.answer.iterations.iter().map(|i| i.nanoseconds).collect();
        (outcome.answer.nanoseconds, times)
    };
    assert_eq!(time(1), time(1));
    assert_ne!(time(1), time(2), "jitter is seeded");
}

#[test]
fn the_machine_of_2004_is_as_fast_as_published() {
    let settings = settings("thesis-as-printed", 8, 0);
    let table = lockless(&settings, 16 << 20);
    let machine = simulated(VirtualMachine::new(1, CostModel::smp_2004()));
    let rates = Suite::named("thesis-10").unwrap().positions().into_iter().map(|epd| {
        let outcome = search_by(&machine, "sequential", &epd.setup, &settings, &table);
        outcome.counters.thesis_nodes() as f64 * 1e9 / outcome.answer.nanoseconds as f64
    });
    let mean = rates.sum::<f64>() / 10.0;
    const PUBLISHED: f64 = 183_788.6;
    assert!((mean / PUBLISHED - 1.0).abs() < 0.05, "{mean}");
}

#[test]
fn schemes_and_audit_change_nothing_for_one_worker() {
    for (i, setup) in mixed_positions(24, 13).iter().enumerate() {
        for preset in PRESETS {
            let settings = settings(preset, if preset == "sound" { 3 } else { 6 }, i as u64);
            let table = lockless(&settings, SMALL_TABLE);
            let expected = trace(&search(setup, &settings, &table));
            for scheme in [Scheme::Striped, Scheme::Private] {
                assert_eq!(expected, trace(&search(setup, &settings, &TableOptions { scheme, ..table })));
            }
            let audited = search(setup, &settings, &TableOptions { audit: true, ..table });
            assert_eq!(expected, trace(&audited));
            let counters = audited.counters;
            assert_eq!((counters.found_foreign, counters.torn_accepted, counters.torn_rejected), (0, 0, 0));
            assert_eq!(counters.false_matches, 0, "{preset} at {setup}");
        }
    }
}

/// An entry that is taken for another position's gives it a wrong score and a move that it need not have: trees and
/// scores are others then, but every move of the answer is legal.
#[test]
fn false_matches_never_play_illegal_moves() {
    let machine = virtually(3, 0);
    for (i, setup) in mixed_positions(32, 17).iter().enumerate() {
        for preset in PRESETS {
            let depth = if preset == "sound" { 3 } else { 6 };
            let [narrow, wide] = ["key-bits=8", "key-bits=64"].map(|bits| {
                let settings = settings(&format!("{preset},{bits}"), depth, i as u64);
                let table = TableOptions { audit: true, ..lockless(&settings, SMALL_TABLE) };
                let strategy = ["sequential", "ybwc", "lazy", "abdada", "dts"][i % 5];
                search_by(&machine, strategy, setup, &settings, &table)
            });
            assert_eq!(wide.counters.false_matches, 0, "{preset} at {setup}");
            let mut board = AnyBoard::set_up(setup, Keys::of_seed(0)).unwrap();
            let mut moves = MoveList::new();
            board.legal_moves(&mut moves);
            assert_eq!(narrow.answer.best.is_some(), !moves.is_empty(), "{preset} at {setup}");
            for mv in &narrow.answer.line {
                let mut moves = MoveList::new();
                board.legal_moves(&mut moves);
                assert!(moves.contains(mv), "{preset}: {mv} at {}", board.setup());
                let _ = board.make(*mv);
            }
        }
    }
    let settings = settings("thesis,key-bits=8", 6, 0);
    let table = TableOptions { audit: true, ..lockless(&settings, SMALL_TABLE) };
    let counters = search(&Setup::start(), &settings, &table).counters;
    assert!(counters.false_matches > counters.probes / 2_000, "{} of {}", counters.false_matches, counters.probes);
}

#[test]
fn seeds_search_other_trees() {
    let setup = splitpoint::chess::suites::position("BK12").unwrap().setup;
    let nodes: HashSet<u64> = (0..8)
        .map(|seed| {
            let settings = settings("thesis", 6, seed);
            search(&setup, &settings, &lockless(&settings, SMALL_TABLE)).counters.nodes()
        })
        .collect();
    assert!(nodes.len() >= 7, "{nodes:?}");
}

#[test]
fn counts_fit_together() {
    for (i, setup) in mixed_positions(60, 14).iter().enumerate() {
        let preset = PRESETS[i % PRESETS.len()];
        let settings = settings(preset, if preset == "sound" { 4 } else { 6 }, 0);
        let outcome = search(setup, &settings, &lockless(&settings, SMALL_TABLE));
        let c = outcome.counters;
        assert!(c.probes >= c.found && c.found >= c.deep && c.deep >= c.ended, "{c:?}");
        assert!(c.tier_hits >= c.deep && c.tier_hits <= 2 * c.deep);
        assert!(c.only_move <= c.found - c.ended);
        assert!(c.quiescence_tried >= c.quiescence_nodes);
        let [cutoffs, by_first] = [c.cutoffs.all, c.cutoffs.first].map(|counts| Splits::total(&counts));
        assert!(cutoffs >= by_first);
        assert!(c.cutoffs.places.iter().sum::<u64>() >= cutoffs);
        assert!(c.null_moves >= c.null_cuts && c.main_nodes > c.null_moves);
        assert_eq!(c.nodes(), outcome.workers.iter().map(|(counters, _)| counters.nodes()).sum::<u64>());
        assert_eq!(outcome.answer.iterations.last().map_or(0, |i| i.nodes), c.nodes());
        assert_eq!(c.nodes(), c.main_nodes + c.quiescence_nodes);
    }
}

fn is_legal(setup: &Setup, mv: Option<splitpoint::chess::Move>) -> bool {
    let board = AnyBoard::set_up(setup, splitpoint::chess::Keys::of_seed(0)).unwrap();
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    mv.map_or(list.is_empty(), |mv| list.contains(&mv))
}

#[test]
fn a_search_stopped_anywhere_has_a_legal_move_and_knows_its_depth() {
    for (i, setup) in mixed_positions(40, 15).iter().enumerate() {
        let preset = PRESETS[i % PRESETS.len()];
        let whole = settings(preset, if preset == "sound" { 4 } else { 5 }, i as u64);
        let table = lockless(&whole, SMALL_TABLE);
        let full = search(setup, &whole, &table);
        for nodes in [1, 2, 3, 10, 50, 100, 333, 1_000, 2_000, 5_000, 20_000] {
            let limited = SearchSettings { limits: Limits { nodes, ..whole.limits }, ..whole };
            let found = search(setup, &limited, &table);
            let answer = &found.answer;
            assert!(is_legal(setup, answer.best), "{setup} after {nodes} nodes");
            assert_eq!(answer.line.first(), answer.best.as_ref());
            assert_eq!(answer.depth as usize, answer.iterations.len());
            assert!(found.counters.nodes() <= nodes + 1, "{} nodes of {nodes}", found.counters.nodes());
            for (ours, theirs) in answer.iterations.iter().zip(&full.answer.iterations) {
                assert_eq!(
                    (ours.depth, ours.score, &ours.line, ours.nodes),
                    (theirs.depth, theirs.score, &theirs.line, theirs.nodes)
                );
            }
            let is_cut_short = answer.iterations.len() < full.answer.iterations.len();
            assert_eq!(is_cut_short, full.answer.best.is_some() && full.counters.nodes() > found.counters.nodes());
        }
    }
}

#[test]
fn time_limits_hold_on_every_machine() {
    let setup = Setup::start();
    // On a host with much else to do, the first of these pass before the first node is searched.
    let milliseconds = 200;
    let limits = Limits { nanoseconds: milliseconds * 1_000_000, ..Limits::depth(DEEPEST) };
    let settings = SearchSettings { features: features("thesis"), limits, seed: 0 };
    let table = lockless(&settings, 1 << 20);
    for machine in [alone(), threads(1), virtually(1, 0)] {
        let answer = search_by(&machine, "sequential", &setup, &settings, &table).answer;
        assert!(answer.depth >= 1 && answer.depth < DEEPEST);
        assert!(is_legal(&setup, answer.best));
        // The limit counts from the beginning of the run. The clock is looked at in time; a busy host may add to it.
        let ended = answer.began + answer.nanoseconds;
        assert!(ended / 1_000_000 < 5 * milliseconds, "{ended} ns");
        assert!(ended / 1_000_000 + 5 >= milliseconds, "{ended} ns");
    }
}
