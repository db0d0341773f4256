//! Strategies in which every processor searches the root: lazy search and ABDADA, with all their parameters; and that
//! no strategy lets the depth asked for change the way to it.

use std::collections::BTreeSet;

use splitpoint::chess::Setup;
use splitpoint::engine::Computer;
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{Switching, VirtualMachine};
use splitpoint::parallel::{AnyStrategy, End, Skip};
use splitpoint::search::{DEEPEST, Horizon, Limits, Outcome, SearchSettings};

use crate::command_line::splitpoint;
use crate::searching::{
    self, SMALL_TABLE, lockless, mixed_positions, reference, search_by, settings, simulated, threads, trace, virtually,
};

/// Every way of leaving iterations out with every way of ending, and with completed jobs stopping others.
fn all_lazy() -> Vec<String> {
    let mut all = Vec::new();
    for skip in Skip::NAMES {
        for end in End::NAMES {
            all.push(format!("lazy,skip={skip},end={end}"));
        }
        all.push(format!("lazy,skip={skip},end=master,jobs-stop,aspiration-spread=50,history=shared"));
    }
    all
}

fn all() -> Vec<String> {
    let mut all = all_lazy();
    all.extend(
        [
            "lazy,jobs-stop,aspiration-spread=700,history=merged",
            "abdada",
            "abdada,minimum-draft=1,check-draft=0,table-sets=3,history=merged",
            "abdada,minimum-draft=5,check-draft=1,history=private",
        ]
        .map(str::to_owned),
    );
    all
}

fn search(machine: &Computer, text: &str, setup: &Setup, settings: &SearchSettings) -> Outcome {
    search_by(machine, text, setup, settings, &lockless(settings, SMALL_TABLE))
}

/// What every search to a depth has to be like, if there is a legal move.
fn check(outcome: &Outcome, text: &str, depth: u32, place: &str) {
    let reached = outcome.depth_reached(depth);
    assert!(reached.first.is_some(), "{place}");
    for later in [reached.master, reached.voted].into_iter().flatten() {
        assert!(reached.first <= Some(later), "{place}: {reached:?}");
    }
    if text.contains("end=master") {
        let (id, master) = &outcome.answers[0];
        assert_eq!((*id, &outcome.answer), (0, master), "{place}");
        // Only a master that skipped the depth before anybody had completed it answers with a deeper one.
        assert!(master.depth == depth || master.depth > depth && text.contains("skip=job"), "{place}");
        assert!(reached.master.is_some(), "{place}");
    } else {
        assert!(outcome.answer.depth >= depth, "{place}");
    }
    assert!(text.contains("lazy") || outcome.counters.beyond_nodes == 0, "{place}");
    assert!(outcome.counters.beyond_nodes < outcome.counters.nodes().max(1), "{place}");
    assert_eq!(outcome.answers.len(), outcome.workers.len(), "{place}");
}

/// Strategies and sets of parameters whose searches with this horizon are another one on the way to a depth if more is
/// asked for.
fn told_their_end(horizon: Horizon) -> BTreeSet<String> {
    const DEPTH: u32 = 4;
    let strategies = || AnyStrategy::all().into_iter().map(|strategy| strategy.to_string()).chain(all());
    let mut told = BTreeSet::new();
    // Endings: small trees.
    let positions = ["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/1p3k2/p3p3/P3Pp2/1P3P2/3K4/8/2B5 w - - 0 1"];
    for (i, fen) in positions.iter().enumerate() {
        let setup = fen.parse().unwrap();
        for text in strategies() {
            let run = |depth| {
                let whole = settings(if i % 2 == 0 { "modern" } else { "thesis" }, depth, i as u64);
                let limits = Limits { horizon, ..whole.limits };
                let settings = SearchSettings { limits, ..whole };
                search(&virtually(6, i as u64), &text, &setup, &settings)
            };
            let (short, long) = (run(DEPTH), run(DEPTH + 2));
            let way = |outcome: &Outcome| {
                let end = outcome.depth_reached(DEPTH).first;
                let answers = outcome.deepening().into_iter().filter(|(at, _)| Some(*at) <= end);
                format!("{:?}", answers.collect::<Vec<_>>())
            };
            if way(&short) != way(&long) {
                told.insert(text);
            }
        }
    }
    told
}

#[test]
fn no_search_knows_its_last_depth_unless_its_horizon_is_closed() {
    assert_eq!(told_their_end(Horizon::Open), BTreeSet::new());
    let told = told_their_end(Horizon::Closed);
    assert!(told.contains("lazy") && told.contains("lazy,skip=stockfish-7,end=first"), "{told:?}");
    let has_horizon = |text: &String| text.parse::<AnyStrategy>().unwrap().has_horizon();
    assert!(told.iter().all(has_horizon), "{told:?}");
}

#[test]
fn one_processor_searches_as_if_it_were_alone_whatever_the_parameters() {
    for (i, setup) in mixed_positions(6, 71).iter().enumerate() {
        let settings = settings("thesis", 6, i as u64);
        let table = lockless(&settings, SMALL_TABLE);
        let expected = trace(&searching::search(setup, &settings, &table));
        for text in all() {
            let found = search(&virtually(1, 3), &text, setup, &settings);
            assert_eq!(trace(&found), expected, "{text}");
        }
    }
}

#[test]
fn whatever_is_shared_is_touched_first() {
    for (i, setup) in mixed_positions(2, 72).iter().enumerate() {
        let settings = settings("thesis", 5, i as u64);
        for (n, text) in all().into_iter().enumerate().filter(|(n, _)| n % 2 == i) {
            let processors = [2, 9][n / 2 % 2];
            let run = |switching| {
                let machine = simulated(VirtualMachine { switching, ..reference(processors, 5) });
                search(&machine, &text, setup, &settings)
            };
            let first = run(Switching::AtTouch);
            check(&first, &text, 5, &format!("{setup} {text} {processors}"));
            assert!(
                format!("{first:?}") == format!("{:?}", run(Switching::AtSpend)),
                "something shared is not touched: {text} {processors}"
            );
        }
    }
}

#[test]
fn absurd_costs_change_no_promise() {
    let absurd =
        CostModel { transfer_board: 100_000, wake_park: 1_000_000, jitter_permille: 900, ..CostModel::reference() };
    for (i, setup) in mixed_positions(3, 73).iter().enumerate() {
        let settings = settings("thesis", 4, i as u64);
        for (n, text) in all().iter().enumerate() {
            // Each has every model at one position or two.
            let model = [CostModel::ideal(), absurd.clone(), CostModel::smp_2004()][(i + n) % 3].clone();
            let processors = 2 + (i * 7 + n) % 30;
            let machine = VirtualMachine { seed: n as u64, ..VirtualMachine::new(processors, model) };
            let outcome = search(&simulated(machine), text, setup, &settings);
            check(&outcome, text, 4, &format!("{setup} {text} {processors}"));
        }
    }
}

#[test]
fn threads_keep_the_promises_too() {
    let machine = threads(5);
    for (i, setup) in mixed_positions(4, 74).iter().enumerate() {
        let settings = settings("thesis", 5, i as u64);
        for text in all() {
            let outcome = search(&machine, &text, setup, &settings);
            if text.contains("end=master") {
                assert_eq!(outcome.answers[0].0, 0, "{setup} {text}");
                // Where the others are beyond the depth before anybody has completed it, the master goes with them.
                let is_level = outcome.answer.depth == 5 || text.contains("skip=job") && outcome.answer.depth > 5;
                assert!(is_level, "{setup} {text}: {}", outcome.answer.depth);
                assert_eq!(outcome.answer, outcome.answers[0].1);
            } else {
                assert!(outcome.answer.depth >= 5, "{setup} {text}");
            }
        }
    }
}

#[test]
fn limits_stop_everybody_whatever_the_parameters() {
    for (i, setup) in mixed_positions(3, 75).iter().enumerate() {
        for text in all() {
            for (nodes, nanoseconds) in [(1, u64::MAX), (3_000, u64::MAX), (u64::MAX, 900_000)] {
                let whole = settings("thesis", 20, i as u64);
                let limited = SearchSettings { limits: Limits { nodes, nanoseconds, ..whole.limits }, ..whole };
                let outcome = search(&virtually(6, i as u64), &text, setup, &limited);
                assert!(outcome.answer.best.is_some());
                assert!(outcome.counters.nodes() < 200_000, "{text}: {}", outcome.counters.nodes());
            }
        }
    }
}

/// There is an end even where there is no deeper iteration left to wait with.
#[test]
fn helpers_of_a_master_run_out_of_iterations() {
    let two_kings: Setup = "8/8/4k3/8/8/4K3/8/8 w - - 0 1".parse().unwrap();
    let stalemate: Setup = "8/8/8/8/8/k7/p7/K7 w - - 0 1".parse().unwrap();
    let settings = settings("thesis", DEEPEST, 0);
    for text in all_lazy().iter().filter(|text| text.contains("end=master")) {
        let outcome = search(&virtually(3, 1), text, &two_kings, &settings);
        check(&outcome, text, DEEPEST, text);
        assert!(outcome.answers.iter().all(|(_, answer)| answer.depth <= DEEPEST));
        let without_moves = search(&virtually(3, 1), text, &stalemate, &settings);
        assert!(without_moves.answer.best.is_none());
    }
}

#[test]
fn moves_are_put_off_and_nodes_are_ended_elsewhere() {
    let setup = splitpoint::chess::suites::position("BK12").unwrap().setup;
    let settings = settings("thesis", 8, 0);
    let counts = |text| search(&virtually(8, 1), text, &setup, &settings).counters;
    let usual = counts("abdada");
    assert!(usual.put_off > 1_000 && usual.ended_elsewhere > 10 && usual.second_looks > usual.ended_elsewhere);
    let never = counts("abdada,minimum-draft=99");
    assert_eq!((never.put_off, never.second_looks), (0, 0));
    let blind = counts("abdada,check-draft=0");
    assert!(blind.put_off > 1_000 && blind.second_looks == 0);
    assert!(usual.nodes() < never.nodes(), "{} {}", usual.nodes(), never.nodes());
    let of_positions = counts("abdada,marked=positions");
    assert!(of_positions.put_off > 1_000 && of_positions.put_off != usual.put_off, "{}", of_positions.put_off);
    assert!(of_positions.nodes() < never.nodes(), "{} {}", of_positions.nodes(), never.nodes());
}

#[test]
fn records_say_when_the_depth_was_reached() {
    let json = |strategy: &str, seed: &str| -> serde_json::Value {
        let arguments = ["search", "BK12", "--depth", "7", "--machine", "virtual", "--threads", "6", "--json"];
        let output = splitpoint(&[&arguments[..], &["--strategy", strategy, "--seed", seed]].concat());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        report["positions"][0].clone()
    };
    let first = json("lazy", "1");
    let times = &first["times"];
    assert_eq!((&times["first_s"], &first["depth"]), (&first["time_s"], &7.into()));
    assert!(times["voted_move"].is_string());
    // Whoever is deepest at the end left iterations out, but the search has answers of all depths on the way.
    let depths =
        |list: &str| first[list].as_array().unwrap().iter().map(|one| one["depth"].as_u64().unwrap()).collect();
    let (answers, iterations): (Vec<u64>, Vec<u64>) = (depths("answers"), depths("iterations"));
    assert_eq!((answers, first["answers"][6]["time_s"].clone()), ((1..=7).collect(), first["time_s"].clone()));
    assert!(iterations.len() < 7, "{iterations:?}");
    let master = json("lazy,skip=none,end=master", "0");
    let times = &master["times"];
    // Time is when the first could answer, also in a search that goes on until worker 0 can: as in records.
    assert_eq!((&times["first_s"], &master["depth"]), (&master["time_s"], &7.into()));
    assert!(times["first_s"].as_f64() < times["master_s"].as_f64());
    assert!(master["counters"]["beyond_nodes"].as_u64() > Some(0));
    let one_thinks = json("ybwc", "0");
    assert_eq!(one_thinks["times"]["master_s"], one_thinks["time_s"]);
    assert_eq!(one_thinks["times"]["voted_move"], one_thinks["bestmove"]);
}
