//! The protocol of the thesis's program: exact with every set of its defects, and each of them does what its name says.

use splitpoint::counts::{Counters, Splits};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{Activity, Switching, VirtualMachine, Waiting};
use splitpoint::parallel::AsPrinted;
use splitpoint::search::Outcome;
use splitpoint::settings::{Kind, Settings};

use crate::searching::{
    SMALL_TABLE, lockless, mixed_positions, reference, search, search_by, settings, simulated, threads, virtually,
};
use crate::strategies::{accounts_are_sound, everything, scores, without_table};

/// All defects mended.
pub const MENDED: &str = "ybwc-as-printed,-defect-repeated-move,-defect-empty-split,-defect-root-never-splits,\
    -defect-alpha-private,-defect-any-helper,-defect-everybody-joins,-defect-one-global-lock,-defect-splitter-copies,\
    -defect-game-record,-defect-sorting-under-lock,-defect-stop-polling,-defect-false-sharing,-defect-polled-seats,\
    -defect-stale-killers,-defect-stale-idle-count";

fn defects() -> Vec<&'static str> {
    let names = AsPrinted::all().iter().filter(|setting| setting.kind == Kind::Switch).map(|setting| setting.name);
    names.filter(|name| name.starts_with("defect-")).collect()
}

/// As printed, with each defect mended by itself, with each left by itself, with all mended, and with what is no
/// defect.
fn variants() -> Vec<String> {
    let defects = defects();
    let without = defects.iter().map(|defect| format!("ybwc-as-printed,-{defect}"));
    let alone = defects.iter().map(|defect| format!("{MENDED},+{defect}"));
    let others = ["+guess-node-type", "-defect-stale-killers,killers=reset", "copy=compact"];
    let others = others.iter().map(|change| format!("ybwc-as-printed,{change}"));
    ["ybwc-as-printed".into(), MENDED.into()].into_iter().chain(without).chain(alone).chain(others).collect()
}

#[test]
fn mending_is_spelt_out_for_every_defect() {
    assert_eq!(defects().len(), 15);
    assert!(defects().iter().all(|defect| MENDED.contains(&format!(",-{defect}"))));
    let docs = include_str!("../../docs/search.md");
    assert!(defects().iter().all(|defect| docs.contains(&format!("`{defect}`"))));
}

#[test]
fn every_set_of_defects_is_exact() {
    for (i, setup) in mixed_positions(3, 61).iter().enumerate() {
        let settings = settings("sound", 4, i as u64);
        let none = without_table(&settings);
        let expected = scores(&search(setup, &settings, &none));
        for text in variants() {
            for processors in [2, 3, 8, 32] {
                let machine = virtually(processors, i as u64);
                let found = search_by(&machine, &text, setup, &settings, &none);
                assert_eq!(scores(&found), expected, "{setup} {text} {processors}");
            }
        }
    }
}

#[test]
fn every_set_of_defects_is_exact_on_threads() {
    let machines = [2, 8].map(threads);
    for (i, setup) in mixed_positions(5, 62).iter().enumerate() {
        let settings = settings("sound", 4, i as u64);
        let none = without_table(&settings);
        let expected = scores(&search(setup, &settings, &none));
        for machine in &machines {
            for text in variants() {
                let found = search_by(machine, &text, setup, &settings, &none);
                assert_eq!(scores(&found), expected, "{setup} {text} {}", machine.processors());
            }
        }
    }
}

#[test]
fn every_set_of_defects_is_told_by_its_seed() {
    for (i, setup) in mixed_positions(2, 63).iter().enumerate() {
        let settings = settings("thesis", 6, i as u64);
        let table = lockless(&settings, SMALL_TABLE);
        for (n, text) in variants().iter().enumerate().filter(|(n, _)| n % 2 == i) {
            let processors = [3, 20][n / 2 % 2];
            let run = |switching| {
                let machine = simulated(VirtualMachine { switching, ..reference(processors, 1) });
                everything(&search_by(&machine, text, setup, &settings, &table))
            };
            let is_told = run(Switching::AtTouch) == run(Switching::AtSpend);
            assert!(is_told, "something shared is not touched: {text} {processors}");
        }
    }
}

#[test]
fn absurd_costs_leave_no_job_undone() {
    let absurd = CostModel {
        transfer_board: 100_000,
        lock_handoff: 50_000,
        wake_park: 1_000_000,
        copy_line: 5_000,
        split: 40_000,
        join: 90_000,
        jitter_permille: 900,
        ..CostModel::reference()
    };
    for (i, setup) in mixed_positions(6, 64).iter().enumerate() {
        let settings = settings("thesis", 4, i as u64);
        let table = lockless(&settings, SMALL_TABLE);
        for (n, text) in variants().iter().enumerate() {
            for model in [&CostModel::ideal(), &absurd] {
                let machine =
                    VirtualMachine { seed: i as u64, ..VirtualMachine::new(2 + (5 * i + n) % 29, model.clone()) };
                let outcome =
                    search_by(&simulated(machine), &format!("{text},minimum-draft=1"), setup, &settings, &table);
                accounts_are_sound(&outcome);
                assert!(outcome.answer.depth == 4 || outcome.answer.best.is_none());
            }
        }
    }
}

fn bk12(text: &str, processors: usize, depth: u32) -> Outcome {
    let setup = splitpoint::chess::suites::position("BK12").unwrap().setup;
    let settings = settings("thesis-as-printed", depth, 1);
    let machine =
        VirtualMachine { seed: 1, waiting: Waiting::Spin, ..VirtualMachine::new(processors, CostModel::smp_2004()) };
    search_by(&simulated(machine), text, &setup, &settings, &lockless(&settings, 1 << 22))
}

/// Splits made, and helpers that came to them.
fn splits_of(counters: &Counters) -> (u64, u64) {
    (Splits::total(&counters.splits.made), Splits::total(&counters.splits.joined))
}

/// As printed, somebody else than the owner is given a job at each split; copies are of the printed size; and not
/// everything goes well.
#[test]
fn the_printed_protocol_is_what_the_thesis_tells() {
    let counters = bk12("ybwc-as-printed", 8, 7).counters;
    let (splits, joins) = splits_of(&counters);
    assert!(splits > 50 && joins > 2 * splits && joins <= 7 * splits);
    assert_eq!(counters.copied_bytes, 2320 * (splits + joins));
    assert!(
        counters.failed_attempts > splits / 20,
        "those who were given work still count as idle: {} of {splits}",
        counters.failed_attempts
    );
    let (splits, joins) = splits_of(&bk12("ybwc-as-printed", 2, 7).counters);
    assert_eq!(joins, splits, "there is nobody else");
}

#[test]
fn mending_does_what_it_says() {
    let mended = |defect: &str| bk12(&format!("ybwc-as-printed,-{defect}"), 8, 7).counters;
    let printed = bk12("ybwc-as-printed", 8, 7).counters;
    let few = mended("defect-everybody-joins");
    let (splits, joins) = splits_of(&few);
    assert!(joins <= 3 * splits);
    let exact = mended("defect-stale-idle-count");
    let [attempts, less] = [&printed, &exact].map(|counters| counters.failed_attempts);
    assert!(less * 4 < attempts, "{less} {attempts}");
    let short_copies = mended("defect-game-record");
    assert!(short_copies.copied_bytes < 1_000 * splits_of(&short_copies).1);
    let own_copies = mended("defect-splitter-copies");
    assert_eq!(own_copies.copied_bytes, 2320 * splits_of(&own_copies).1, "owners need none");
    // At the least depth that is split the root is the only node deep enough.
    let made = |text: &str, depth| splits_of(&bk12(text, 4, depth).counters).0;
    assert_eq!(made("ybwc-as-printed,minimum-draft=5", 3), 0);
    assert!(made("ybwc-as-printed,minimum-draft=7,-defect-root-never-splits", 7) > 0);
    assert!(mended("defect-any-helper") != printed && mended("defect-alpha-private") != printed);
    assert!(mended("defect-repeated-move") != printed && mended("defect-empty-split") != printed);
    assert!(mended("defect-stale-killers") != printed && mended("defect-stop-polling") != printed);
    let guessing = mended("defect-stale-killers,+guess-node-type").splits.made;
    let at_cut_nodes: u64 = guessing.iter().map(|by_type| by_type[1]).sum();
    assert!(Splits::total(&guessing) > 0 && at_cut_nodes == 0);
}

/// Waiting owners are given jobs elsewhere, so that little time is spent waiting.
#[test]
fn everybody_is_accounted_for() {
    for text in ["ybwc-as-printed", MENDED] {
        let outcome = bk12(text, 16, 7);
        let all = |activity| outcome.workers.iter().map(|(_, times)| times[activity]).sum::<u64>();
        // There is but one node, and nothing else to do.
        let none = [Activity::Network, Activity::Other];
        assert!(Activity::ALL.iter().all(|activity| none.contains(activity) || all(*activity) > 0));
        assert!(all(Activity::Search) > all(Activity::Split) + all(Activity::Wait));
    }
}
