//! The strategies: the sequential score wherever it is promised, the same bytes for the same seed, and nobody left behind.

use splitpoint::chess::mailbox::Mailbox;
use splitpoint::chess::{Board, History, Score, Setup};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{Machine, Pin, RealMachine, Switching, VirtualMachine, Waiting};
use splitpoint::parallel::AnyStrategy;
use splitpoint::search::table::{Scheme, TableOptions};
use splitpoint::search::{Outcome, Sequential, Settings};

use crate::searching::{Alone, AnyBoard, SMALL_TABLE, lockless, mixed_positions, search_by, settings, trace};

/// Those that promise the sequential score when the table is off and all features are sound.
const EXACT: [&str; 7] = [
    "root",
    "pv-split",
    "ybwc",
    "ybwc,minimum-draft=1,cut-after=1,history=merged,killers=reset",
    "ybwc,minimum-draft=2,helpers=1,more-helpers=0,history=private,killers=stale",
    "abdada,minimum-draft=2,check-draft=2",
    "abdada,minimum-draft=1,check-draft=1,table-sets=1,history=merged",
];
const ALL: [&str; 11] = [
    "sequential",
    "root",
    "pv-split",
    "ybwc,minimum-draft=2",
    "ybwc,history=merged,killers=stale",
    "lazy",
    "lazy,history=merged",
    "lazy,skip=job,jobs-stop,end=master",
    "lazy,skip=cheng,end=master,aspiration-spread=40",
    "abdada",
    "abdada,minimum-draft=2,check-draft=2,table-sets=1,history=private",
];

fn strategy(text: &str) -> AnyStrategy {
    text.parse().unwrap()
}

fn search<B: Board, M: Machine>(
    machine: &M,
    text: &str,
    setup: &Setup,
    settings: &Settings,
    table: &TableOptions,
) -> Outcome {
    let root = B::set_up(setup, settings.keys()).unwrap();
    search_by(machine, &strategy(text), &root, &History::with_capacity(0), settings, table)
}

fn without_table(settings: &Settings) -> TableOptions {
    TableOptions { scheme: Scheme::None, ..lockless(settings, 0) }
}

fn virtually(processors: usize, seed: u64) -> VirtualMachine {
    VirtualMachine::new(processors, CostModel::reference()).with_seed(seed)
}

fn scores(outcome: &Outcome) -> Vec<Score> {
    outcome.answer.iterations.iter().map(|iteration| iteration.score).collect()
}

/// The score of a move, searched by itself to what is left of the depth.
fn score_of(setup: &Setup, settings: &Settings, mv: splitpoint::chess::Move) -> Score {
    let mut board = AnyBoard::set_up(setup, settings.keys()).unwrap();
    let _ = board.make(mv);
    let limits = splitpoint::search::Limits::depth(settings.limits.depth - 1);
    let below = Settings { limits, ..*settings };
    let past = History::with_capacity(0);
    -search_by(&Alone, &Sequential, &board, &past, &below, &without_table(&below)).answer.score
}

#[test]
fn exact_strategies_give_the_sequential_score() {
    for (i, setup) in mixed_positions(20, 51).iter().enumerate() {
        let settings = settings("sound", 4, i as u64);
        let none = without_table(&settings);
        let expected = search::<AnyBoard, _>(&Alone, "sequential", setup, &settings, &none);
        for text in EXACT {
            for processors in [2, 3, 8, 32] {
                let found = search::<AnyBoard, _>(&virtually(processors, i as u64), text, setup, &settings, &none);
                assert_eq!(scores(&found), scores(&expected), "{setup} {text} {processors}");
                // Sound entries change no score either, unless a node whose search was stopped has been stored.
                let table = lockless(&settings, SMALL_TABLE);
                let with_table =
                    search::<AnyBoard, _>(&virtually(processors, i as u64), text, setup, &settings, &table);
                assert_eq!(scores(&with_table), scores(&expected), "{setup} {text} {processors}, with a table");
                let best = found.answer.best;
                if let Some(mv) = best.filter(|_| best != expected.answer.best) {
                    let score = score_of(setup, &settings, mv);
                    // Mates are a ply further from the root than from the move.
                    assert!((score.0 - expected.answer.score.0).abs() <= 1, "{setup} {text} {processors} {mv}");
                }
            }
        }
    }
}

#[test]
fn exact_strategies_are_exact_on_threads() {
    let machines = [2, 8].map(|threads| RealMachine::new(threads, &Pin::None, Waiting::Park).unwrap());
    for (i, setup) in mixed_positions(24, 52).iter().enumerate() {
        let settings = settings("sound", 4, i as u64);
        let none = without_table(&settings);
        let expected = search::<AnyBoard, _>(&Alone, "sequential", setup, &settings, &none);
        for machine in &machines {
            for text in EXACT {
                let found = search::<AnyBoard, _>(machine, text, setup, &settings, &none);
                assert_eq!(scores(&found), scores(&expected), "{setup} {text} {}", machine.processors());
            }
        }
    }
}

#[test]
fn one_processor_searches_as_if_it_were_alone() {
    for (i, setup) in mixed_positions(12, 53).iter().enumerate() {
        let settings = settings("thesis", 6, i as u64);
        let table = lockless(&settings, SMALL_TABLE);
        let root = AnyBoard::set_up(setup, settings.keys()).unwrap();
        let expected = trace(&search_by(&Alone, &Sequential, &root, &History::with_capacity(0), &settings, &table));
        for text in ALL {
            assert_eq!(
                trace(&search::<AnyBoard, _>(&virtually(1, 3), text, setup, &settings, &table)),
                expected,
                "{text}"
            );
        }
    }
}

/// Everything that came of a search, times included.
fn everything(outcome: &Outcome) -> String {
    format!("{outcome:?}")
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_touching_is_enough() {
    for (i, setup) in mixed_positions(4, 54).iter().enumerate() {
        let settings = settings("thesis", 6, i as u64);
        let table = lockless(&settings, SMALL_TABLE);
        for text in ALL {
            for processors in [2, 7, 24] {
                let run = |switching, seed| {
                    let machine = virtually(processors, seed).with_switching(switching);
                    everything(&search::<AnyBoard, _>(&machine, text, setup, &settings, &table))
                };
                let first = run(Switching::AtTouch, 1);
                assert!(first == run(Switching::AtTouch, 1), "{text} {processors}");
                assert!(first == run(Switching::AtSpend, 1), "something shared is not touched: {text} {processors}");
            }
        }
    }
}

/// Nodes and nanoseconds of a search on six virtual processors, as they were when this was written.
const RECORDED: [(&str, u64, u64); 7] = [
    ("sequential", 505_650, 161_466_188),
    ("root", 506_421, 110_323_145),
    ("pv-split", 531_211, 34_253_912),
    ("ybwc", 475_239, 30_311_434),
    ("lazy,skip=alternate", 1_200_789, 63_719_145),
    ("lazy", 887_136, 47_005_769),
    ("abdada", 540_756, 28_937_384),
];

#[test]
fn virtual_searches_are_the_recorded_ones() {
    let setup = splitpoint::chess::suites::position("BK12").unwrap().setup;
    let settings = settings("thesis", 8, 1);
    let found = RECORDED.map(|(text, ..)| {
        let table = lockless(&settings, 1 << 20);
        let outcome = search::<AnyBoard, _>(&virtually(6, 1), text, &setup, &settings, &table);
        (text, outcome.counters.nodes(), outcome.answer.nanoseconds)
    });
    assert_eq!(found, RECORDED, "if the change was meant, write it down");
}

#[test]
fn both_boards_search_the_same_tree_in_parallel() {
    for (i, setup) in mixed_positions(6, 55).iter().enumerate() {
        let settings = settings("thesis", 6, i as u64);
        let table = lockless(&settings, SMALL_TABLE);
        // Copying is the only cost that depends on the board.
        let model = CostModel { copy_line: 0, ..CostModel::reference() };
        for text in ALL {
            let machine = VirtualMachine::new(6, model.clone()).with_seed(9);
            let on_bitboards = search::<AnyBoard, _>(&machine, text, setup, &settings, &table);
            let on_mailbox = search::<Mailbox, _>(&machine, text, setup, &settings, &table);
            assert_eq!(on_bitboards.counters.nodes(), on_mailbox.counters.nodes(), "{text}");
            assert_eq!(on_bitboards.answer, on_mailbox.answer, "{text}");
        }
    }
}

#[test]
fn absurd_costs_leave_nobody_behind() {
    let absurd = CostModel {
        transfer_board: 100_000,
        lock_handoff: 50_000,
        wake_park: 1_000_000,
        split: 40_000,
        join: 90_000,
        jitter_permille: 900,
        ..CostModel::reference()
    };
    let positions = mixed_positions(12, 56);
    for (i, setup) in positions.iter().enumerate() {
        let settings = settings("thesis", 4, i as u64);
        let table = lockless(&settings, SMALL_TABLE);
        for (n, text) in ALL.iter().enumerate() {
            for model in [&CostModel::ideal(), &absurd, &CostModel::smp_2004()] {
                for seed in 0..4 {
                    let processors = 2 + (seed as usize * 5 + n) % 14;
                    let machine = VirtualMachine::new(processors, model.clone()).with_seed(seed);
                    let outcome = search::<AnyBoard, _>(&machine, text, setup, &settings, &table);
                    let sum: u64 = outcome.workers.iter().map(|(counters, _)| counters.nodes()).sum();
                    assert_eq!(sum, outcome.counters.nodes());
                    assert!(outcome.counters.aborted_nodes <= sum);
                    assert!(outcome.counters.splits_alone <= outcome.counters.splits);
                    assert!(outcome.answer.depth == 4 || outcome.answer.best.is_none());
                }
            }
        }
    }
}

#[test]
fn limits_stop_everybody() {
    let real = RealMachine::new(6, &Pin::None, Waiting::Park).unwrap();
    for (i, setup) in mixed_positions(10, 57).iter().enumerate() {
        for text in ALL {
            for nodes in [1, 100, 3_000] {
                let whole = settings("thesis", 9, i as u64);
                let limits = splitpoint::search::Limits { nodes, ..whole.limits };
                let limited = Settings { limits, ..whole };
                let table = lockless(&limited, SMALL_TABLE);
                for outcome in [
                    search::<AnyBoard, _>(&virtually(5, i as u64), text, setup, &limited, &table),
                    search::<AnyBoard, _>(&real, text, setup, &limited, &table),
                ] {
                    let answer = outcome.answer;
                    assert!(answer.depth as usize >= answer.iterations.len());
                    assert!(
                        answer.best.is_some()
                            || splitpoint::chess::Board::count_legal_moves(
                                &AnyBoard::set_up(setup, limited.keys()).unwrap()
                            ) == 0
                    );
                }
            }
        }
    }
}
