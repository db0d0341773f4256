//! The strategies: the sequential score wherever it is promised, the same bytes for the same seed, and nobody left
//! behind.

use std::cell::Cell;

use splitpoint::chess::choice::BoardChoice;
use splitpoint::chess::epd::Epd;
use splitpoint::chess::suites::{SUITES, Suite};
use splitpoint::chess::{Board, History, Move, MoveList, Score, Setup};
use splitpoint::counts::{Loss, Splits};
use splitpoint::engine::{self, Computer, Options};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{
    Access, Activity, Failure, LockWord, Machine, Pin, Processor, Program, RealMachine, Switching, ThisThread,
    VirtualMachine, Waiting, Work,
};
use splitpoint::parallel::AnyStrategy;
use splitpoint::random::SplitMix;
use splitpoint::search::table::{Scheme, TableOptions, Tables};
use splitpoint::search::{Horizon, Iteration, Job, Limits, Outcome, Role, SearchSettings, Session, Strategy};

use crate::as_printed::MENDED;
use crate::machines::total;
use crate::searching::{
    ANY_BOARD, AnyBoard, SMALL_TABLE, boards, chosen, evaluate, lockless, mixed_positions, outcome, reference, search,
    search_by, settings, simulated, threads, trace, virtually,
};
use crate::techniques::tried;

/// Parameters with which exact strategies are tested beside their defaults.
const EXACT_VARIANTS: [&str; 14] = [
    "pv-split,deeper=2,minimum-draft=1",
    "ybwc,minimum-draft=1,eager-draft=3,cut-after=1,helpers=4,-sends-away",
    "ybwc,minimum-draft=1,cut-after=1,all-after=0,helpers=16,history=merged,killers=reset",
    "ybwc,minimum-draft=2,helpers=1,more-helpers=0,history=private,killers=stale,copy=compact",
    MENDED,
    "abdada,minimum-draft=2,check-draft=2",
    "abdada,minimum-draft=1,check-draft=1,table-sets=1,history=merged",
    "abdada,marked=positions,minimum-draft=1",
    "teams,team=1024,minimum-draft=1",
    "teams,team=1024,minimum-draft=1,-owner-waits",
    "root,-owner-waits",
    "ybwc,minimum-draft=1,-owner-waits,copy=compact",
    "dts,minimum-draft=1,cut-after=1",
    "dts,minimum-draft=1,helpers=1,more-helpers=0,all-after=1,-gives-back,history=private,copy=compact",
];
/// Parameters with which all strategies are tested beside their defaults.
const VARIANTS: [&str; 11] = [
    "pv-split,deeper=2",
    "ybwc,minimum-draft=2,cut-after=1,all-after=0,copy=compact",
    "ybwc,history=merged,killers=stale,-helpful-master,-gives-back",
    "ybwc-as-printed,minimum-draft=2",
    MENDED,
    "lazy,history=merged",
    "lazy,skip=job,jobs-stop,end=master",
    "lazy,skip=cheng,end=master,aspiration-spread=40",
    "abdada,minimum-draft=2,check-draft=2,table-sets=1,history=private",
    "teams,team=2,minimum-draft=2",
    "teams,team=3,minimum-draft=1,-owner-waits",
];

/// Strategies with the sequential score when the table is off and all features are sound.
pub fn exact() -> Vec<String> {
    let defaults = AnyStrategy::all().into_iter().filter(Strategy::is_exact).map(|strategy| strategy.to_string());
    defaults.chain(EXACT_VARIANTS.map(str::to_owned)).collect()
}

/// Every strategy with its defaults, and variants.
pub fn all() -> Vec<String> {
    let defaults = AnyStrategy::all().into_iter().map(|strategy| strategy.to_string());
    defaults.chain(VARIANTS.map(str::to_owned)).collect()
}

pub fn without_table(settings: &SearchSettings) -> TableOptions {
    TableOptions { scheme: Scheme::None, ..lockless(settings, 0) }
}

pub fn scores(outcome: &Outcome) -> Vec<Score> {
    outcome.answer.iterations.iter().map(|iteration| iteration.score).collect()
}

/// The score of a move, searched by itself to what is left of the depth.
fn score_of(setup: &Setup, settings: &SearchSettings, mv: Move) -> Score {
    let mut board = AnyBoard::set_up(setup, settings.keys()).unwrap();
    let _ = board.make(mv);
    let limits = Limits::depth(settings.limits.depth - 1);
    let below = SearchSettings { limits, ..*settings };
    -search(&board.setup(), &below, &without_table(&below)).answer.score
}

/// What is wrong with the lines of a search without a table, whose features leave the score of minimax as it is. Each
/// has to lead, by legal moves, to the end of the game or to a position with the evaluation that the score says.
pub fn wrong_line(setup: &Setup, settings: &SearchSettings, outcome: &Outcome) -> Option<String> {
    // Quiescence does not see that a game has ended, so at the horizon its end has two scores.
    let ends_in = |line: &[Move]| {
        let mut board = AnyBoard::set_up(setup, settings.keys()).unwrap();
        let mut legal = MoveList::new();
        for mv in line {
            legal.clear();
            board.legal_moves(&mut legal);
            if !legal.contains(mv) {
                return None;
            }
            let _ = board.make(*mv);
        }
        let of_game = match (board.count_legal_moves() > 0, board.in_check()) {
            (true, _) => None,
            (false, true) => Some(Score::mated_in(line.len() as u32)),
            (false, false) => Some(Score::DRAW),
        };
        let scores = [Some(evaluate(settings.features.evaluation, &board)), of_game];
        Some(scores.map(|score| if line.len().is_multiple_of(2) { score } else { score.map(|score| -score) }))
    };
    let wrong =
        |iteration: &&Iteration| ends_in(&iteration.line).is_none_or(|scores| !scores.contains(&Some(iteration.score)));
    let iteration = outcome.answer.iterations.iter().find(wrong)?;
    let line: Vec<String> = iteration.line.iter().map(Move::to_string).collect();
    Some(format!("{:?} at depth {} is not where {line:?} ends", iteration.score, iteration.depth))
}

/// Every exact strategy gives the sequential scores of a position, with their lines, and a move of equal value.
pub fn is_exact(setup: &Setup, depth: u32, seed: u64) {
    let settings = settings("sound", depth, seed);
    let none = without_table(&settings);
    let expected = search(setup, &settings, &none);
    for (n, text) in exact().iter().enumerate() {
        for processors in [[2, 8], [3, 32]][(seed as usize + n) % 2] {
            let found = search_by(&virtually(processors, seed), text, setup, &settings, &none);
            assert_eq!(scores(&found), scores(&expected), "{setup} {text} {processors}");
            assert_eq!(wrong_line(setup, &settings, &found), None, "{setup} {text} {processors}");
            assert_eq!(found.answer.depth, depth, "{setup} {text} {processors}");
            // Sound entries change no score either, unless a node whose search was stopped has been stored.
            let table = lockless(&settings, SMALL_TABLE);
            let with_table = search_by(&virtually(processors, seed), text, setup, &settings, &table);
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

/// Whoever gets a lock next, exact strategies give the sequential scores; on threads there is one more than cores.
#[test]
fn scores_do_not_depend_on_who_gets_a_lock_next() {
    for waiting in [Waiting::Ticket, Waiting::Queue] {
        let real = Computer::Real(RealMachine::new(RealMachine::room() + 1, &Pin::None, waiting).unwrap());
        for (setup, seed) in mixed_positions(6, 61).iter().zip(0..) {
            let settings = settings("sound", 3, seed);
            let none = without_table(&settings);
            let expected = scores(&search(setup, &settings, &none));
            for text in exact() {
                let simulated = simulated(VirtualMachine { waiting, ..reference(4 + seed as usize, seed) });
                for machine in [&simulated, &real] {
                    let found = search_by(machine, &text, setup, &settings, &none);
                    assert_eq!(scores(&found), expected, "{setup} {text} {waiting}, seed {seed}");
                }
            }
        }
    }
}

/// However many there are, those who are called find the work, wherever it is; where there is enough of it, all do.
#[test]
fn work_spreads_among_any_number_of_processors() {
    let setup = splitpoint::chess::suites::position("BK12").unwrap().setup;
    // As printed, a splitter calls everybody and copies 2320 bytes for each under one lock: beyond some ten processors
    // more of them make the search slower. Where only few are called, they do not.
    for (text, depth, processors, least_at_work, least_speedup) in [
        ("root", 6, 100, 0.05, 1.0),
        ("pv-split", 6, 100, 0.05, 1.5),
        ("ybwc", 8, 500, 1.0, 8.0),
        ("teams,team=1024", 8, 1024, 0.99, 8.0),
        ("ybwc-as-printed", 6, 64, 0.05, 0.1),
        ("ybwc-as-printed,-defect-everybody-joins", 6, 64, 0.05, 1.2),
        (MENDED, 6, 200, 0.05, 1.5),
    ] {
        let settings = settings("thesis", depth, 0);
        let table = lockless(&settings, 1 << 22);
        let alone = search_by(&virtually(1, 0), "sequential", &setup, &settings, &table);
        let found = search_by(&virtually(processors, 0), text, &setup, &settings, &table);
        let at_work = found.workers.iter().filter(|(counters, _)| counters.nodes() > 0).count();
        let speedup = alone.answer.nanoseconds as f64 / found.answer.nanoseconds as f64;
        let joined = Splits::total(&found.counters.splits.joined);
        let is_spread = joined > 0 && at_work as f64 >= least_at_work * processors as f64;
        assert!(is_spread, "{text} on {processors}: {at_work} at work, {joined} joined");
        assert!(speedup >= least_speedup, "{text} on {processors}: {speedup}");
    }
}

/// A node that is opened on demand is opened if, and only if, somebody waits for work.
#[test]
fn nodes_are_opened_on_demand() {
    let setup = splitpoint::chess::suites::position("BK12").unwrap().setup;
    let settings = settings("thesis", 7, 0);
    let table = lockless(&settings, 1 << 22);
    let splits = |text, processors| {
        let splits = search_by(&virtually(processors, 0), text, &setup, &settings, &table).counters.splits;
        (Splits::total(&splits.made), Splits::total(&splits.joined))
    };
    let ((always, _), (asked, joined)) = (splits("ybwc", 2), splits("ybwc,eager-draft=99", 2));
    assert!(joined > 0 && asked < always / 2, "{asked} of {always} on demand, {joined} joined");
    let ((_, along), (_, deeper)) = (splits("pv-split", 8), splits("pv-split,deeper=2", 8));
    assert!(2 * deeper > 3 * along, "{along} joined, {deeper} with enhanced PV splitting");
}

/// Blunders of another program (Szabo 2023): deep enough, no strategy plays them, exact or not.
#[test]
fn published_blunders_are_avoided_by_all_strategies() {
    let positions = SUITES.iter().flat_map(Suite::positions).filter(|epd| !epd.avoid.is_empty());
    let mut searched = 0;
    for Epd { setup, avoid, .. } in positions {
        let settings = settings("modern", 14, 0);
        let table = lockless(&settings, 1 << 22);
        for (n, strategy) in AnyStrategy::all().iter().enumerate() {
            let (text, machine) = (strategy.to_string(), if n % 2 == 0 { threads(2) } else { virtually(4, 0) });
            let best = search_by(&machine, &text, &setup, &settings, &table).answer.best.unwrap();
            assert!(!avoid.contains(&best), "{setup} {text} {best}");
            searched += 1;
        }
    }
    assert!(searched >= 10, "{searched}");
}

#[test]
fn exact_strategies_give_the_sequential_score() {
    for (i, setup) in mixed_positions(3, 51).iter().enumerate() {
        is_exact(setup, 4, i as u64);
    }
}

/// Scores below alpha that split nodes return are true: a narrow window is widened by them, and entries are stored.
#[test]
fn exact_strategies_return_true_scores_below_alpha() {
    for (i, setup) in mixed_positions(6, 58).iter().enumerate() {
        let seed = i as u64;
        let plain = settings("sound", 4, seed);
        let expected = scores(&search(setup, &plain, &without_table(&plain)));
        let soft = settings("sound,+fail-soft,+aspiration=20,aspiration-widening=two-steps", 4, seed);
        for text in &exact() {
            for table in [without_table(&soft), lockless(&soft, SMALL_TABLE)] {
                let found = search_by(&virtually(8, seed), text, setup, &soft, &table);
                assert_eq!(scores(&found), expected, "{setup} {text} {:?}", table.scheme);
            }
        }
    }
}

#[test]
fn exact_strategies_are_exact_on_threads() {
    let machines = [2, 8].map(threads);
    for (i, setup) in mixed_positions(12, 52).iter().enumerate() {
        let settings = settings("sound", 4, i as u64);
        let none = without_table(&settings);
        let expected = search(setup, &settings, &none);
        for machine in &machines {
            for text in &exact() {
                let found = search_by(machine, text, setup, &settings, &none);
                assert_eq!(scores(&found), scores(&expected), "{setup} {text} {}", machine.processors());
                assert_eq!(wrong_line(setup, &settings, &found), None, "{setup} {text} {}", machine.processors());
            }
        }
    }
}

#[test]
fn one_processor_searches_as_if_it_were_alone() {
    for (i, setup) in mixed_positions(6, 53).iter().enumerate() {
        let settings = settings("thesis", 6, i as u64);
        let table = lockless(&settings, SMALL_TABLE);
        let expected = trace(&search(setup, &settings, &table));
        for text in &all() {
            assert_eq!(trace(&search_by(&virtually(1, 3), text, setup, &settings, &table)), expected, "{text}");
        }
    }
}

/// Techniques that no preset has, and that search a node or a move more than once.
const SEARCHED_AGAIN: &str = "modern,+fail-soft,internal-deepening=1,multi-cut=4,probcut=3,probcut-margin=500,\
     singular-extension=4,singular-twice=100,+singular-multi-cut,singular-negative=1,\
     second-search-deeper=100,second-search-shallower=20,reductions-once-pv=50,reductions-history=300,\
     +quiescence-table";

/// The explicit stack of dynamic tree splitting holds the tree of the recursive search.
#[test]
fn an_explicit_stack_searches_the_same_tree() {
    let boards = boards();
    for (i, position) in mixed_positions(300, 57).iter().enumerate() {
        for (preset, depth) in [("thesis", 4), ("modern", 6), (SEARCHED_AGAIN, 7)] {
            let settings = settings(preset, depth, i as u64);
            let found = |board, text| {
                let machine = Computer::ThisThread(ThisThread);
                let setup = chosen(board, &machine, text, &settings, &lockless(&settings, SMALL_TABLE));
                let setup = engine::Setup { counts_losses: true, ..setup };
                trace(&outcome(&machine, &setup, position.into(), Options::default()))
            };
            let expected = found(BoardChoice::Mailbox, "sequential");
            assert_eq!(found(boards[i % boards.len()], "dts"), expected, "{position} {preset}");
        }
    }
}

/// Everything that came of a search, times included.
pub fn everything(outcome: &Outcome) -> String {
    format!("{outcome:?}")
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_touching_is_enough() {
    for (i, setup) in mixed_positions(3, 54).iter().enumerate() {
        let settings = settings(["thesis", "modern", SEARCHED_AGAIN][i], 5 + i as u32, i as u64);
        let table = lockless(&settings, SMALL_TABLE);
        for (n, text) in all().iter().enumerate() {
            let processors = [2, 7, 24][(i + n) % 3];
            let run = |switching, seed| {
                let machine = simulated(VirtualMachine { switching, ..reference(processors, seed) });
                everything(&search_by(&machine, text, setup, &settings, &table))
            };
            let first = run(Switching::AtTouch, 1);
            assert!(first == run(Switching::AtTouch, 1), "{text} {processors}");
            assert!(first == run(Switching::AtSpend, 1), "something shared is not touched: {text} {processors}");
        }
    }
}

#[test]
fn what_a_technique_shares_is_touched() {
    let setup = &mixed_positions(1, 54)[0];
    for recipe in tried().iter().map(|(base, change)| format!("{base},{change}")) {
        let settings = settings(&recipe, 4, 0);
        let table = lockless(&settings, SMALL_TABLE);
        let run = |switching| {
            let machine = simulated(VirtualMachine { switching, ..reference(3, 1) });
            everything(&search_by(&machine, "abdada", setup, &settings, &table))
        };
        assert!(run(Switching::AtTouch) == run(Switching::AtSpend), "something shared is not touched: {recipe}");
    }
}

/// One team is young brothers wait, and teams of one are lazy search.
#[test]
fn teams_reach_from_young_brothers_wait_to_lazy_search() {
    let same = [
        ("teams,team=1024", "ybwc,cut-after=1,helpers=16,eager-draft=7,-sends-away"),
        ("teams,team=6,cut-after=3,helpers=2,eager-draft=0,history=private,+sends-away", "ybwc,history=private"),
        ("teams,team=1,history=private", "lazy"),
        ("teams,team=1,skip=none,history=shared", "lazy,skip=none,history=shared"),
    ];
    for (i, setup) in mixed_positions(1, 57).iter().enumerate() {
        for features in ["thesis", "modern"] {
            let settings = settings(features, 7, i as u64);
            let table = lockless(&settings, SMALL_TABLE);
            for horizon in [Horizon::Open, Horizon::Closed] {
                let settings = SearchSettings { limits: Limits { horizon, ..settings.limits }, ..settings };
                let run = |text| everything(&search_by(&virtually(6, 1), text, setup, &settings, &table));
                same.iter().for_each(|(teams, known)| assert!(run(teams) == run(known), "{setup} {teams}"));
            }
        }
    }
}

/// Nodes, nanoseconds, and nanoseconds without work of a search on six virtual processors, as they were when this was
/// written: whoever is idle for longer than before, or searches more, is seen here, whatever the score.
const RECORDED: [(&str, &str, Horizon, u64, u64, u64); 17] = [
    ("sequential", "lockless", Horizon::Open, 499_722, 66_524_976, 332_624_880),
    ("root", "lockless", Horizon::Open, 503_430, 46_161_375, 208_196_022),
    ("pv-split", "lockless", Horizon::Open, 487_343, 13_789_138, 12_656_440),
    ("ybwc", "lockless", Horizon::Open, 478_877, 15_069_959, 15_060_435),
    ("ybwc", "distributed", Horizon::Open, 512_648, 38_881_115, 22_987_536),
    ("ybwc", "unawaited", Horizon::Open, 627_084, 39_617_530, 22_247_572),
    ("ybwc-as-printed", "lockless", Horizon::Open, 491_712, 18_876_364, 35_858_998),
    (MENDED, "lockless", Horizon::Open, 476_630, 14_098_730, 11_677_700),
    ("lazy,skip=alternate", "lockless", Horizon::Open, 1_418_785, 31_103_806, 185),
    ("lazy,skip=alternate", "lockless", Horizon::Closed, 1_418_785, 31_103_806, 185),
    ("lazy", "lockless", Horizon::Open, 990_151, 21_662_481, 1_116),
    ("lazy", "lockless", Horizon::Closed, 863_281, 18_752_084, 4_268),
    ("abdada", "lockless", Horizon::Open, 507_799, 11_880_790, 13_993),
    ("abdada,marked=positions", "lockless", Horizon::Open, 573_562, 13_548_743, 958),
    ("dts", "lockless", Horizon::Open, 476_461, 14_309_662, 9_538_727),
    ("teams", "lockless", Horizon::Open, 501_992, 13_697_871, 7_745_303),
    ("teams,team=3", "lockless", Horizon::Open, 643_131, 16_081_871, 3_351_700),
];

/// A cutoff reaches everybody below it soon, in quiescence too: 64 nodes of this machine take less than 40
/// microseconds.
#[test]
fn nobody_goes_on_for_long() {
    let mut stopped = std::collections::BTreeSet::new();
    for setup in &mixed_positions(2, 59) {
        let settings = settings("thesis", 6, 1);
        for text in &all() {
            let outcome = search_by(&virtually(8, 1), text, setup, &settings, &lockless(&settings, 1 << 20));
            let longest_ns = outcome.counters.longest_stop_ns;
            assert!(longest_ns < 40_000, "{text} {longest_ns}");
            if longest_ns > 0 {
                stopped.insert(text.clone());
            }
        }
    }
    // A strategy may stop nobody in searches as small as these, but most do.
    let never: Vec<String> = all().into_iter().filter(|text| !stopped.contains(text)).collect();
    assert!(never[0] == "sequential" && never.len() <= 1 + all().len() / 8, "nobody is stopped: {never:?}");
}

#[test]
fn virtual_searches_are_the_recorded_ones() {
    let setup = splitpoint::chess::suites::position("BK12").unwrap().setup;
    let whole = settings("thesis", 8, 1);
    let found = RECORDED.map(|(text, scheme, horizon, ..)| {
        let settings = SearchSettings { limits: Limits { horizon, ..whole.limits }, ..whole };
        let table = settings.table(scheme.parse().unwrap(), 1 << 20);
        let machine = virtually(6, 1);
        let chosen = chosen(ANY_BOARD, &machine, text, &settings, &table);
        let tables = Tables::new(&table, 6, 1);
        let found = chosen.run((&machine, &tables), (&setup).into(), Options::default()).unwrap().outcome;
        let idle = found.workers.iter().map(|(_, times)| times[Activity::Idle]).sum();
        (text, scheme, horizon, found.counters.nodes(), found.answer.nanoseconds, idle)
    });
    assert_eq!(found, RECORDED, "if the change was meant, write it down");
    // A strategy that is not here may be slow without anybody's notice.
    let is_here = |strategy: &str| RECORDED.iter().any(|(text, ..)| text.split(',').next() == Some(strategy));
    assert!(AnyStrategy::all().iter().all(|strategy| is_here(&strategy.to_string())));
}

/// Every class of loss has some nodes or none, together no more than there are; and splits that failed or cut were
/// made.
pub fn accounts_are_sound(outcome: &Outcome) {
    let counters = &outcome.counters;
    let lost: Vec<i64> = Loss::ALL.iter().map(|loss| counters.losses.of(*loss)).collect();
    assert!(lost.iter().all(|nodes| *nodes >= 0), "{lost:?}");
    assert!(lost.iter().sum::<i64>() <= counters.nodes() as i64, "{lost:?} of {}", counters.nodes());
    let Splits { made, failed, cut, joined, .. } = &counters.splits;
    let [made, failed, cut, joined] = [made, failed, cut, joined].map(Splits::total);
    assert!(failed <= made && cut <= made && failed + joined >= made);
    assert!(counters.stop_ns >= counters.longest_stop_ns);
}

/// A small search by every strategy, on a machine whose costs are anything from nothing to absurd.
pub fn leaves_nobody_behind(setup: &Setup, seed: u64) {
    let mut random = SplitMix::new(seed);
    let mut cost = |most: u64| if random.below(3) == 0 { 0 } else { random.below(most) };
    let model = CostModel {
        main_node: cost(2_000),
        quiescence_node: cost(2_000),
        probe_memory: cost(5_000),
        transfer_board: cost(100_000),
        lock_handoff: cost(50_000),
        lock_free: cost(5_000),
        wake_park: cost(1_000_000),
        call_park: cost(50_000),
        split: cost(40_000),
        join: cost(90_000),
        copy_line: cost(1_000),
        rebuilding: cost(20_000),
        jitter_permille: cost(999),
        ..CostModel::reference()
    };
    let settings = settings("thesis", 4, seed);
    let table = lockless(&settings, SMALL_TABLE);
    for text in &all() {
        let processors = 2 + random.below(14) as usize;
        let machine = simulated(VirtualMachine { seed, ..VirtualMachine::new(processors, model.clone()) });
        let outcome = search_by(&machine, text, setup, &settings, &table);
        accounts_are_sound(&outcome);
        assert!(outcome.counters.copied_bytes >= 40 * Splits::total(&outcome.counters.splits.joined));
        // Lazy workers may be deeper when the depth is first reached.
        assert!(outcome.answer.depth >= 4 || outcome.answer.best.is_none());
    }
}

#[test]
fn absurd_costs_leave_nobody_behind() {
    let positions = mixed_positions(12, 56);
    for seed in 0..28 {
        leaves_nobody_behind(&positions[seed as usize % positions.len()], seed);
    }
}

#[test]
fn nodes_searched_a_second_time_are_counted_and_nothing_changes() {
    let setup = splitpoint::chess::suites::position("BK12").unwrap().setup;
    let settings = settings("thesis", 7, 1);
    let table = lockless(&settings, SMALL_TABLE);
    for text in &all() {
        let run = |switching, counts| {
            let machine = simulated(VirtualMachine { switching, keeps_spans: true, ..reference(6, 1) });
            let chosen = chosen(ANY_BOARD, &machine, text, &settings, &table);
            let options = Options { keeps_trace: counts, ..Options::default() };
            outcome(&machine, &engine::Setup { counts_losses: counts, ..chosen }, (&setup).into(), options)
        };
        let counted = run(Switching::AtTouch, true);
        accounts_are_sound(&counted);
        assert!(everything(&counted) == everything(&run(Switching::AtSpend, true)), "{text}");
        let [repeat, duplicate] = [Loss::Repeat, Loss::Duplicate].map(|loss| counted.counters.losses.of(loss));
        assert!(repeat > 0, "{text}: a small table loses entries");
        assert_eq!(duplicate > 0, text != "sequential", "{text}");
        let plain = run(Switching::AtTouch, false);
        assert_eq!((plain.counters.nodes(), &plain.answer), (counted.counters.nodes(), &counted.answer), "{text}");

        // All of each processor's time stands in its spans, and jobs lie within the run.
        for (spans, (_, times)) in counted.spans.iter().zip(&counted.workers) {
            assert!(spans.windows(2).all(|pair| pair[0].to == pair[1].from), "{text}");
            assert_eq!(spans.iter().map(|span| span.to - span.from).sum::<u64>(), total(times), "{text}");
        }
        let joined: u64 = counted.counters.splits.joined.iter().flatten().sum();
        let jobs = |role| counted.traces.iter().flat_map(|trace| &trace.jobs).filter(move |job| job.role == role);
        assert_eq!(jobs(Role::Help).count() as u64, joined, "{text}");
        let made: u64 = counted.counters.splits.made.iter().flatten().sum();
        assert_eq!(jobs(Role::Own).count() as u64, made, "{text}");
        let splits = &counted.counters.splits;
        let [cost, span] = [splits.cost_ns, splits.span_ns].map(|of| of.iter().flatten().sum::<u64>());
        assert!((cost > 0) == (made > 0) && cost < span.max(1), "{text}: sharing {cost} of {span} ns");
        assert_eq!((counted.counters.times.cost_ns, counted.counters.times.span_ns), (cost, span), "{text}");
        let is_sound = |job: &Job| job.shared <= job.from && job.from <= job.to && job.plies > 0;
        assert!(Role::ALL.iter().flat_map(|role| jobs(*role)).all(is_sound), "{text}");
    }
}

/// Lets one processor panic when it has entered so many nodes.
struct Sabotaged<'a, G> {
    program: &'a G,
    processor: usize,
    at: u64,
}

/// A processor of any machine, so that one search is compiled for real and for virtual ones.
struct Saboteur<'a> {
    processor: &'a dyn AnyProcessor,
    left: Cell<u64>,
}

impl<G: Program> Program for Sabotaged<'_, G> {
    type Output = G::Output;

    fn run<P: Processor>(&self, processor: &P) -> G::Output {
        let left = if Processor::id(processor) == self.processor { self.at } else { u64::MAX };
        self.program.run(&Saboteur { processor, left: Cell::new(left) })
    }
}

/// What is passed on to the processor behind.
macro_rules! passed_on {
    ($(fn $name:ident(&self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?;)*) => {
        trait AnyProcessor {
            fn spend(&self, work: Work);
            $(fn $name(&self $(, $argument: $type)*) $(-> $result)?;)*
        }

        impl<P: Processor> AnyProcessor for P {
            fn spend(&self, work: Work) {
                Processor::spend(self, work);
            }

            $(fn $name(&self $(, $argument: $type)*) $(-> $result)? {
                Processor::$name(self $(, $argument)*)
            })*
        }

        // SAFETY: what concerns locks is passed on.
        unsafe impl Processor for Saboteur<'_> {
            // Of either kind: nothing that virtual processors do beyond keeping time matters here.
            const IS_VIRTUAL: bool = false;
            const MAY_HAVE_NODES: bool = false;

            fn spend(&self, work: Work) {
                self.left.set(self.left.get() - 1);
                assert!(self.left.get() > 0, "sabotage");
                self.processor.spend(work);
            }

            $(fn $name(&self $(, $argument: $type)*) $(-> $result)? {
                self.processor.$name($($argument),*)
            })*
        }
    };
}

passed_on! {
    fn id(&self) -> usize;
    fn count(&self) -> usize;
    fn now(&self) -> u64;
    fn touch(&self, access: Access<'_>);
    fn park(&self, what: &'static str);
    fn unpark(&self, id: usize);
    fn stop(&self);
    fn is_stopped(&self) -> bool;
    fn is_busy(&self, id: usize) -> bool;
    fn enter(&self, activity: Activity) -> Activity;
    fn acquire(&self, lock: &LockWord);
    fn try_acquire(&self, lock: &LockWord) -> bool;
    fn release(&self, lock: &LockWord);
}

fn survives_a_panic<M: Machine>(machine: &M, text: &str, at: u64) {
    let setup = splitpoint::chess::suites::position("BK12").unwrap().setup;
    let settings = settings("thesis", 30, 1);
    let root = AnyBoard::set_up(&setup, settings.keys()).unwrap();
    let (past, strategy) = (History::with_capacity(0), text.parse::<AnyStrategy>().unwrap());
    let workers = machine.processors();
    let tables = Tables::new(&lockless(&settings, SMALL_TABLE), workers, 1);
    let session = Session::new(&root, &past, &settings, &tables, &strategy, workers);
    let failure = machine.run(&Sabotaged { program: &session, processor: 1, at }).unwrap_err();
    assert_eq!(failure, Failure::Panic { processor: 1, message: "sabotage".into() }, "{text}");
}

#[test]
fn a_helper_that_panics_ends_the_search() {
    let real = RealMachine::new(4, &Pin::None, Waiting::Park).unwrap();
    for text in all().iter().filter(|text| *text != "sequential") {
        for at in [1, 30, 2_000, 30_000] {
            survives_a_panic(&reference(4, at), text, at);
            survives_a_panic(&real, text, at);
        }
    }
}

/// A search on threads that is stopped after so many nanoseconds leaves a legal move.
pub fn is_stopped_in_time(machine: &Computer, text: &str, setup: &Setup, nanoseconds: u64) {
    let whole = settings("thesis", 30, nanoseconds);
    let limited = SearchSettings { limits: Limits { nanoseconds, ..whole.limits }, ..whole };
    let outcome = search_by(machine, text, setup, &limited, &lockless(&limited, SMALL_TABLE));
    let mut legal = MoveList::new();
    AnyBoard::set_up(setup, limited.keys()).unwrap().legal_moves(&mut legal);
    assert!(outcome.answer.best.map_or(legal.is_empty(), |best| legal.contains(&best)));
    accounts_are_sound(&outcome);
}

#[test]
fn threads_are_stopped_at_any_moment() {
    let positions = mixed_positions(8, 58);
    let mut random = SplitMix::new(58);
    for threads in [1, 2, 4 * RealMachine::room()] {
        let machine = Computer::Real(RealMachine::new(threads, &Pin::None, Waiting::default()).unwrap());
        for (setup, text) in positions.iter().zip(all().iter().cycle()) {
            is_stopped_in_time(&machine, text, setup, random.below(8_000_000));
        }
    }
}

#[test]
fn limits_stop_everybody() {
    let real = threads(6);
    for (i, setup) in mixed_positions(10, 57).iter().enumerate() {
        for text in &all() {
            for nodes in [1, 100, 3_000] {
                let whole = settings("thesis", 9, i as u64);
                let limits = Limits { nodes, ..whole.limits };
                let limited = SearchSettings { limits, ..whole };
                let table = lockless(&limited, SMALL_TABLE);
                for outcome in [
                    search_by(&virtually(5, i as u64), text, setup, &limited, &table),
                    search_by(&real, text, setup, &limited, &table),
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
