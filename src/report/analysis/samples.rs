//! Hand-made records, small enough that every figure of theirs can be worked out on paper.

use serde_json::json;

use crate::random::SplitMix;
use crate::record::{
    Account, Activities, Cell, CellResult, Configuration, Description, IntervalKind, MachineKind, Measured,
    NamedCounts, PositionInfo, Record, Schedule, Surroundings, judge,
};

const SECOND_NS: u64 = 1_000_000_000;

/// Configuration on the virtual machine, one on one processor being the baseline.
pub fn configuration(strategy: &str, threads: u32) -> Configuration {
    let waiting = Some("park".into());
    let shared = Configuration { waiting, ..Configuration::sample(MachineKind::Virtual, strategy, threads) };
    if threads == 1 { shared.baseline() } else { shared }
}

/// Configuration like this one on a real machine.
pub fn real(configuration: &Configuration) -> Configuration {
    let pin = Some("cores".into());
    Configuration { machine: MachineKind::Real, pin, costs: None, ..configuration.clone() }
}

/// Record of a search of so many seconds and nodes, as many moves tried in quiescence, that cut nothing. Where it is
/// shared, of each processor's time half is spent searching, a quarter splitting and a quarter without work.
pub fn record(
    index: u64,
    configuration: &Configuration,
    position: &str,
    seed: u64,
    (seconds, nodes): (u64, u64),
) -> Record {
    let (time_ns, threads) = (seconds * SECOND_NS, u64::from(configuration.threads));
    let all_ns = time_ns * threads;
    let activities = match threads {
        1 => Activities { search_ns: all_ns, ..Activities::default() },
        _ => Activities { search_ns: all_ns / 2, split_ns: all_ns / 4, idle_ns: all_ns / 4, ..Activities::default() },
    };
    let measured = Measured {
        bestmove: Some("e2e4".into()),
        depth: 5,
        time_ns,
        elapsed_ns: time_ns,
        nodes,
        activities,
        counters: NamedCounts::of(json!({
            "main_nodes": nodes, "quiescence_tried": nodes, "tier_hits": 0, "probes": 0,
            "cutoffs": { "all": 0, "first": 0 },
        })),
        ..Measured::default()
    };
    Record {
        index,
        cell: Cell {
            configuration: configuration.clone().into(),
            position: position.into(),
            fen: "8/8/8/8/8/8/8/K1k5 w - - 0 1".into(),
            depth: Some(5),
            seed,
            repetition: 0,
        },
        attempt: 0,
        result: CellResult::Done(measured),
        surroundings: None,
        started: 1.0e9,
        host_s: 0.5,
        session: "one".into(),
    }
}

/// Mutable measurement of a record that has one.
pub fn measured(record: &mut Record) -> &mut Measured {
    match &mut record.result {
        CellResult::Done(measured) | CellResult::Cut(measured) => measured,
        CellResult::Micro(_) => panic!("this one is no search"),
        CellResult::Failed(reason) => panic!("this one failed: {reason}"),
    }
}

/// Record of a second attempt at a cell, after the first was disturbed or failed.
pub fn again(record: &Record, seconds: u64) -> Record {
    let mut again = record.clone();
    again.attempt += 1;
    if let CellResult::Done(measured) = &mut again.result {
        measured.time_ns = seconds * SECOND_NS;
    }
    again
}

/// Search on a computer of which this was seen, judged as the program judges it: quiet if nothing disturbed.
pub fn watched(mut record: Record, around: Surroundings) -> Record {
    let taken_ns = around.taken_share.unwrap_or_default() * SECOND_NS as f64;
    let account = Account { wanted_ns: SECOND_NS as f64, taken_ns, error_ns: 0.0 };
    let (state, disturbed) = judge(Some(&account), &around);
    record.surroundings = Some(Surroundings { disturbed, state, ..around });
    record
}

/// Search that nothing disturbed.
pub fn quiet(record: Record) -> Record {
    watched(record, Surroundings::default())
}

/// Search that lost this share of its processor time, and is disturbed by that or not.
pub fn deprived(record: Record, taken_share: f64) -> Record {
    watched(record, Surroundings { taken_share: Some(taken_share), ..Surroundings::default() })
}

/// Search that the limit of so many seconds cut off.
pub fn cut(mut record: Record, limit_s: f64) -> Record {
    let mut measured = measured(&mut record).clone();
    measured.time_ns = (limit_s * SECOND_NS as f64) as u64;
    measured.depth -= 1;
    record.result = CellResult::Cut(measured);
    record
}

pub fn failed(mut record: Record, reason: &str) -> Record {
    record.result = CellResult::Failed(reason.into());
    record
}

/// An experiment on the positions A and B.
pub fn description(axes: &[&str], cells: u64) -> Description {
    let position = |id: &str| PositionInfo { id: id.into(), ..PositionInfo::default() };
    Description {
        title: "Brothers".into(),
        question: "Do they help?".into(),
        cells,
        own_cells: cells,
        positions: vec![position("A"), position("B")],
        interval: IntervalKind::ThesePositions,
        axes: axes.iter().map(|&axis| axis.into()).collect(),
        ..Description::default()
    }
}

/// One processor against four, two positions, two seeds:
///
/// | | A, seed 1 | A, seed 2 | B, seed 1 | B, seed 2 |
/// |---|---|---|---|---|
/// | sequential | 8 s, 100 nodes | 2 s, 400 | 16 s, 100 | 4 s, 100 |
/// | ybwc on 4 | 1 s, 400 nodes | 4 s, 400 | 1 s, 50 | 1 s, 200 |
pub fn one_against_four() -> (Description, Vec<Record>) {
    let (one, four) = (configuration("sequential", 1), configuration("ybwc", 4));
    let records = vec![
        record(0, &one, "A", 1, (8, 100)),
        record(1, &one, "A", 2, (2, 400)),
        record(2, &one, "B", 1, (16, 100)),
        record(3, &one, "B", 2, (4, 100)),
        record(4, &four, "A", 1, (1, 400)),
        record(5, &four, "A", 2, (4, 400)),
        record(6, &four, "B", 1, (1, 50)),
        record(7, &four, "B", 2, (1, 200)),
    ];
    (description(&["threads"], 8), records)
}

/// One processor as it is and under other schedules, each so many times as fast, beside lazy search on 16 that is 8
/// times as fast as the first, and Young Brothers Wait that is 4 times: six positions, four seeds, with this noise.
pub fn under_schedules(others: &[(u32, f64)], noise: f64, seed: u64) -> (Description, Vec<Record>) {
    let (one, lazy, ybwc) = (configuration("sequential", 1), configuration("lazy", 16), configuration("ybwc", 16));
    let under = |step: u32| match step {
        1 => one.clone(),
        step => Configuration { features: format!("thesis,deepening-step={step}").into(), ..one.clone() },
    };
    let steps: Vec<(u32, f64)> = [(1, 1.0)].into_iter().chain(others.iter().copied()).collect();
    let alone = steps.iter().map(|(step, gain)| (under(*step), *gain));
    let mut random = SplitMix::new(seed);
    let mut records = Vec::new();
    for (configuration, speedup) in alone.chain([(ybwc, 4.0), (lazy.clone(), 8.0)]) {
        for place in 0..24 {
            let id = format!("P{}", place / 4);
            let mut one = record(records.len() as u64, &configuration, &id, place % 4, (1, 1000));
            measured(&mut one).time_ns = (1e10 / speedup * (noise * random.normal()).exp()) as u64;
            records.push(one);
        }
    }
    let position = |place: u32| PositionInfo { id: format!("P{place}"), ..PositionInfo::default() };
    let schedule = |(step, _): &(u32, f64)| Schedule { step: *step, alone: under(*step), of: vec![lazy.clone()] };
    let description = Description {
        positions: (0..6).map(position).collect(),
        schedules: steps.iter().map(schedule).collect(),
        ..description(&["strategy"], records.len() as u64)
    };
    (description, records)
}
