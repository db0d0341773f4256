use std::time::{Duration, Instant};

use super::super::{default_configuration, single_cell};
use super::*;
use crate::chess::suites;
use crate::machine::host::Files;
use crate::record::{Defined, Depth, MachineKind};
use crate::search::Iteration;

fn cell(change: impl Fn(&mut Configuration)) -> Cell {
    let mut configuration = Configuration {
        machine: MachineKind::Virtual,
        strategy: "ybwc".into(),
        threads: 3,
        depth: Depth::Plies(4),
        hash_mib: 1,
        ..default_configuration()
    };
    change(&mut configuration);
    single_cell(&configuration, &suites::position("BK12").unwrap(), 1)
}

#[test]
fn a_used_table_is_as_good_as_a_new_one() {
    let measure = |laboratory: &Laboratory, scheme: &str| {
        let cell = cell(|configuration| configuration.scheme = scheme.to_owned());
        laboratory.measure(&cell, Options::default()).unwrap().measured
    };
    let laboratory = Laboratory::new(Conditions::default());
    for scheme in ["lockless", "private", "lockless", "striped", "striped"] {
        assert_eq!(measure(&laboratory, scheme), measure(&Laboratory::new(Conditions::default()), scheme));
        assert_eq!(laboratory.tables.spare(), 1);
    }
}

#[test]
fn what_does_not_exist_is_named_with_its_field() {
    type Change = fn(&mut Configuration);
    let cases: [(Change, &str, &str); 11] = [
        (|one| one.hash_mib = u32::MAX, "hash_mib", "does not fit into the memory"),
        (|one| one.board = "mailbx".to_owned(), "board", "'mailbx'"),
        (|one| one.sliders = Some("rays".to_owned()), "board", "'rays'"),
        (|one| one.strategy = "ybcw".into(), "strategy", "'ybcw'"),
        (|one| one.features = "thesys".into(), "features", "'thesys'"),
        (|one| one.scheme = "lockles".to_owned(), "scheme", "lockless, striped"),
        (|one| one.waiting = Some("sleep".to_owned()), "waiting", "spin, yield, park, spin-park, ticket, queue"),
        (|one| one.costs = Some("smp".into()), "costs", "'smp'"),
        (|one| one.costs = Some(Defined::new("reference", "0")), "costs_hash", "'reference'"),
        (|one| disturb(one, "3 of 2"), "disturb", "more busy threads than CPUs"),
        (|one| disturb(one, "1 of 1024"), "disturb", "'1 of 1024' needs 1024 CPUs, but this process may run on"),
    ];
    let laboratory = Laboratory::new(Conditions::default());
    for (change, field, expected) in cases {
        let error = laboratory.check(&cell(change)).unwrap_err();
        assert!(matches!(error, MeasureError::Cell { field: named, .. } if named == field), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

/// Real threads with busy threads beside them.
fn disturb(one: &mut Configuration, text: &str) {
    let (machine, disturb) = (MachineKind::Real, text.to_owned().into());
    *one = Configuration { machine, disturb, pin: Some("cores".to_owned()), threads: 2, ..one.clone() };
}

#[cfg(target_os = "linux")]
#[test]
fn busy_threads_are_there_while_the_search_lasts() {
    // Threads of this process with a name that only those have which disturb a search.
    let busy = || {
        let files = Files::of_system();
        let name = |task: usize| files.text(&format!("proc/self/task/{task}/comm")).unwrap_or_default();
        files.numbered("proc/self/task", "").into_iter().filter(|task| name(*task).starts_with("disturb ")).count()
    };
    let laboratory = Laboratory::new(Conditions::default());
    for (text, expected) in [("none", 0), ("1", 1), ("1 of 1 memory", 1), ("none", 0)] {
        let counts = Mutex::new(Vec::new());
        let watcher = |_: &Iteration| counts.lock().unwrap().push(busy());
        let options = Options { watcher: Some(&watcher), ..Options::default() };
        let measured = laboratory.measure(&cell(|one| disturb(one, text)), options).unwrap();
        let counts = counts.into_inner().unwrap();
        assert!(!counts.is_empty() && counts.iter().all(|count| *count == expected), "{text}: {counts:?}");
        // The system may list a thread for a moment after it has been joined.
        let waited = Instant::now();
        while busy() > 0 {
            assert!(waited.elapsed() < Duration::from_secs(10), "{text}: they end with the search");
            std::thread::yield_now();
        }
        let around = measured.surroundings.unwrap();
        assert!(expected == 0 || around.taken_share.is_none(), "{text}: {around:?}");
        assert_eq!(measured.measured.depth, 4);
    }
}

#[test]
fn only_a_limit_cuts_a_search_off() {
    let measure = |limit_s: Option<f64>, limit_nodes: Option<u64>, fen: Option<&str>| {
        let laboratory = Laboratory::new(Conditions { limit_s, limit_nodes, ..Conditions::default() });
        let cell = cell(|_| {});
        let fen = fen.unwrap_or(&cell.fen).to_owned();
        laboratory.measure(&Cell { fen: fen.into(), ..cell }, Options::default())
    };
    let cut = measure(Some(1e-6), None, None).unwrap();
    assert_eq!(cut.cut_at_s, Some(1e-6));
    assert_eq!(cut.measured.time_ns, 1_000, "its time is the limit");
    let cut = measure(Some(1e3), Some(100), None).unwrap();
    assert!(cut.cut_at_s.is_some_and(|seconds| seconds < 1e3) && cut.measured.time_ns <= cut.measured.elapsed_ns);
    let is_whole = |limit_s, nodes| measure(limit_s, nodes, None).unwrap().cut_at_s.is_none();
    assert!(is_whole(Some(1e3), Some(1 << 40)) && is_whole(None, None));
    // Mated: there is nothing to search.
    let mated = measure(Some(1e3), None, Some("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")).unwrap();
    assert_eq!(mated.cut_at_s, None);
    let mated = mated.measured;
    assert_eq!((mated.depth, mated.mate, mated.bestmove), (0, Some(0), None));
}
