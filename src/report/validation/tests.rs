use serde_json::{Value, json};

use super::searches::BothMachines;
use super::verdict::Verdict;
use super::*;
use crate::analysis::samples::{deprived, quiet};
use crate::record::validation::{Mechanism, MechanismTimes, Role, Size, UsedPosition, WorkCost, WorkCosts};
use crate::record::{
    Activities, Cell, CellResult, Configuration, Depth, Disturbance, MachineKind, Measured, NamedCounts, Record,
    SEQUENTIAL, Session, Surroundings, Word, WorkerRecord,
};
use crate::statistics::Interval;

const POSITIONS: usize = 8;
const SEEDS: u64 = 3;

fn configuration(kind: MachineKind, threads: u32) -> Configuration {
    let strategy = if threads == 1 { SEQUENTIAL } else { "ybwc" };
    Configuration { depth: Depth::Own, ..Configuration::sample(kind, strategy, threads) }
}

/// A search of these times and nodes. Others had the processor for a fifth of the time of real ones.
fn record(index: usize, kind: MachineKind, threads: u32, position: usize, seed: u64, time: f64, nodes: f64) -> Record {
    let is_real = kind == MachineKind::Real;
    let watch = Disturbance { wall_ns: 1_000, cpu_ns: Some(800), ..Disturbance::default() };
    let worker = WorkerRecord { watch: is_real.then_some(watch), ..WorkerRecord::default() };
    let idle_ns = if is_real { 200 } else { 100 };
    let measured = Measured {
        time_ns: time as u64,
        nodes: nodes as u64,
        activities: Activities { search_ns: 1_000 - idle_ns, idle_ns, ..Activities::default() },
        counters: NamedCounts::of(json!({
            "splits": { "made": if is_real { 40 } else { 50 } }, "stops": 4, "stop_ns": 8_000,
        })),
        workers: vec![worker; threads as usize],
        ..Measured::default()
    };
    Record {
        index: index as u64,
        cell: Cell {
            configuration: configuration(kind, threads).into(),
            position: format!("P{position}").into(),
            fen: Word::default(),
            depth: Some(7),
            seed,
            repetition: 0,
        },
        attempt: 0,
        result: CellResult::Done(measured),
        surroundings: is_real.then(Surroundings::default),
        started: 0.0,
        host_s: 0.1,
        session: "s".into(),
    }
}

/// Errors of a made-up virtual machine.
#[derive(Clone, Copy)]
struct Off {
    /// Virtual time on one processor, divided by the real one.
    time: f64,
    /// Virtual time speedup, divided by the real one.
    speedup: f64,
    /// Virtual nodes on two processors less the real ones, as a share of those of one.
    nodes: f64,
}

const EQUAL: Off = Off { time: 1.0, speedup: 1.0, nodes: 0.0 };

/// A little noise that is the same in every test: from -1 to 1.
fn noise(position: usize, seed: u64, salt: u64) -> f64 {
    let mixed = crate::random::SplitMix::new(position as u64 * 100 + seed * 10 + salt).next();
    (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Eight positions with three seeds each on one and two processors.
fn measurements(off: Off) -> Measurements {
    let mut records = Vec::new();
    let mut positions = vec![UsedPosition { id: "C0".into(), role: Role::Calibration, depth: 6, ..Default::default() }];
    for position in 0..POSITIONS {
        let id = format!("P{position}");
        positions.push(UsedPosition { id: id.clone(), role: Role::Check, depth: 7, ..Default::default() });
        for seed in 1..=SEEDS {
            let alone = 1e8 * (1.0 + position as f64);
            let nodes = alone / 100.0;
            let speedup = 1.8 + 0.1 * noise(position, seed, 1);
            let simulated = speedup * off.speedup * (1.0 + 0.01 * noise(position, seed, 2));
            let virtual_alone = alone * off.time * (1.0 + 0.005 * noise(position, seed, 3));
            let share = 1.05 + 0.01 * noise(position, seed, 4);
            let other_share = share + off.nodes + 0.005 * noise(position, seed, 5);
            for (kind, threads, time, nodes) in [
                (MachineKind::Real, 1, alone, nodes),
                (MachineKind::Virtual, 1, virtual_alone, nodes),
                (MachineKind::Real, 2, alone / speedup, nodes * share),
                (MachineKind::Virtual, 2, virtual_alone / simulated, nodes * other_share),
            ] {
                records.push(record(records.len(), kind, threads, position, seed, time, nodes));
            }
        }
    }
    let work = WorkCost {
        name: "main_node".into(),
        fit: 60.4,
        interval: Some(Interval { estimate: 60.4, low: 50.0, high: 70.0 }),
        model: 60,
        reference: 250,
    };
    Measurements {
        session: Session { id: "s".into(), host: json!({"processor": "<made up>"}), ..Session::default() },
        size: Size::quick(),
        coordination: json!({
            "pairs": [{"ping_pong": {"median": 99.0, "low": 98.0, "high": 101.0}}],
            "lock_free": {"median": 11.0, "low": 10.0, "high": 12.0},
            "wake": [{"waiting": "park", "nanoseconds": {"median": 5000.0, "low": 4000.0, "high": 6000.0}}],
        }),
        work: WorkCosts { costs: vec![work], rounding: 1.0, positions: 1, runs: 2, ..WorkCosts::default() },
        model: json!({"name": "calibrated", "wake_park": 5000}),
        model_hash: "0123456789abcdef".into(),
        positions,
        processors: vec![2],
        records,
        assumed: vec!["lock_waiter".into()],
        mechanisms: vec![
            times(Mechanism::PingPong, [100.0, 110.0, 90.0], 1.2),
            times(Mechanism::AllAdd, [300.0, 310.0, 320.0], 0.5),
            times(Mechanism::SearchBesideSearch, [200.0, 210.0, 190.0], 1.0),
        ],
    }
}

/// Micro-program whose virtual times are these real ones times a factor.
fn times(mechanism: Mechanism, real: [f64; 3], factor: f64) -> MechanismTimes {
    let simulated = real.map(|time| time * factor).to_vec();
    MechanismTimes { mechanism, processors: 2, real: real.to_vec(), simulated }
}

fn judged(both: &BothMachines) -> Verdict {
    both.judgement.unwrap().verdict
}

#[test]
fn verdicts_follow_what_was_made_up() {
    use Verdict::{NotShown, ShownOutside, ShownWithin};
    for (off, expected) in [
        (EQUAL, [ShownWithin, ShownWithin, ShownWithin]),
        (Off { time: 1.01, ..EQUAL }, [ShownWithin, ShownWithin, ShownWithin]),
        (Off { time: 1.03, ..EQUAL }, [NotShown, ShownWithin, ShownWithin]),
        (Off { time: 0.9, ..EQUAL }, [ShownOutside, ShownWithin, ShownWithin]),
        (Off { speedup: 1.2, ..EQUAL }, [ShownWithin, ShownOutside, ShownWithin]),
        (Off { nodes: -0.06, ..EQUAL }, [ShownWithin, ShownWithin, ShownOutside]),
    ] {
        let validation = Validation::of(&measurements(off));
        let one = validation.one_processor.as_ref().unwrap();
        let [two] = &validation.many_processors[..] else { panic!() };
        let found = [one.judgement.verdict, judged(&two.time_speedup), judged(&two.node_ratio)];
        assert_eq!(found, expected, "{} {} {}", off.time, off.speedup, off.nodes);
        assert!((one.ratio.estimate / off.time - 1.0).abs() < 0.01);
        assert!((two.time_speedup.difference.estimate / off.speedup - 1.0).abs() < 0.01);
        assert!((two.node_ratio.difference.estimate - off.nodes).abs() < 0.005);
        assert!((two.time_speedup.real.estimate - 1.8).abs() < 0.1);
        // Four fifths of the real time were the searches' own.
        assert!((one.by_processor_time.estimate / off.time - 1.25).abs() < 0.01);
        assert_eq!((one.positions.len(), one.pairs, one.other_trees, two.pairs), (POSITIONS, 24, 0, 24));
    }
}

#[test]
fn what_has_no_margin_is_shown_side_by_side() {
    let validation = Validation::of(&measurements(EQUAL));
    let [two] = &validation.many_processors[..] else { panic!() };
    let of =
        |both: &Option<BothMachines>| both.as_ref().map(|both| (both.real.estimate, both.simulated.estimate)).unwrap();
    let (real, simulated) = of(&two.splits);
    assert!((real - 40.0).abs() < 1e-9 && (simulated - 50.0).abs() < 1e-9);
    assert_eq!(of(&two.idle_share), (0.2, 0.1));
    let (real, simulated) = of(&two.stop_ns);
    assert!((real - 2_000.0).abs() < 1e-9 && (simulated - 2_000.0).abs() < 1e-9);
    let unjudged = [&two.splits, &two.idle_share, &two.stop_ns];
    assert!(unjudged.iter().all(|both| both.as_ref().is_some_and(|both| both.judgement.is_none())));
}

/// A strategy whose virtual processors are too fast is told from one whose are not.
#[test]
fn strategies_are_judged_one_by_one() {
    let of_two = with_strategies(measurements(EQUAL), &[("lazy", Off { speedup: 1.2, ..EQUAL })]);
    let validation = Validation::of(&of_two);
    let found: Vec<_> =
        validation.many_processors.iter().map(|many| (many.strategy.as_str(), judged(&many.time_speedup))).collect();
    assert_eq!(found, [("ybwc", Verdict::ShownWithin), ("lazy", Verdict::ShownOutside)]);
    let text = Validated::of(of_two).text().replace('\n', " ");
    let expected = "2 virtual processors are shown to have the time speedup of real ones within 5 % with ybwc, and \
                    shown to miss it by more with lazy (1.20 times it";
    assert!(text.contains(expected), "{text}");
    assert!(!text.contains("neither"), "{text}");
}

/// These measurements with those of another computer for each further strategy.
fn with_strategies(mut measurements: Measurements, others: &[(&str, Off)]) -> Measurements {
    for (strategy, off) in others {
        let mut other = self::measurements(*off).records;
        other.retain(|record| record.cell.configuration.threads > 1);
        for record in &mut other {
            let configuration = (*record.cell.configuration).clone();
            record.cell.configuration = Configuration { strategy: (*strategy).into(), ..configuration }.into();
        }
        measurements.records.extend(other);
    }
    for (index, record) in measurements.records.iter_mut().enumerate() {
        record.index = index as u64;
    }
    measurements
}

/// A strategy whose virtual trees are too small is told from one whose are not.
#[test]
fn trees_are_judged_by_strategy() {
    let both = with_strategies(measurements(EQUAL), &[("lazy", Off { nodes: -0.06, ..EQUAL })]);
    let found = Validation::of(&both).many_processors;
    let found: Vec<_> = found.iter().map(|many| (judged(&many.node_ratio), judged(&many.time_speedup))).collect();
    use Verdict::{ShownOutside, ShownWithin};
    assert_eq!(found, [(ShownWithin, ShownWithin), (ShownOutside, ShownWithin)]);
}

/// What is claimed of many strategies is claimed together: the largest error that is shown to lie within the margin for
/// one is not shown for six.
#[test]
fn claims_of_many_strategies_need_more() {
    let of = |off: Off, more: &[&str]| {
        let others: Vec<(&str, Off)> = more.iter().map(|name| (*name, off)).collect();
        let found = Validation::of(&with_strategies(measurements(off), &others)).many_processors;
        found.iter().map(|many| judged(&many.time_speedup)).collect::<Vec<_>>()
    };
    let mut offs = (0..100).map(|step| Off { speedup: 1.0 + 5e-4 * f64::from(step), ..EQUAL });
    let farthest = offs.rfind(|off| of(*off, &[]) == [Verdict::ShownWithin]).unwrap();
    assert!(farthest.speedup > 1.03, "{}", farthest.speedup);
    assert_eq!(of(farthest, &["lazy", "abdada", "teams", "dts", "root"]), [Verdict::NotShown; 6]);
}

#[test]
fn mechanisms_are_shown_with_their_basis() {
    let mut measurements = measurements(EQUAL);
    let validation = Validation::of(&measurements);
    let [ping_pong, all_add, beside] = &validation.mechanisms[..] else { panic!("{:?}", validation.mechanisms) };
    assert_eq!(
        [ping_pong, all_add, beside].map(|one| (one.batches, one.is_fitted)),
        [(3, false), (3, false), (3, true)]
    );
    for (found, expected) in [(ping_pong, 1.2), (all_add, 0.5), (beside, 1.0)] {
        let Interval { estimate, low, high } = found.ratio;
        assert!((estimate - expected).abs() < 1e-9 && (high - low).abs() < 1e-9, "{found:?}");
        assert!((found.virtual_ns / found.real_ns - expected).abs() < 1e-9);
    }
    let text = Validated::of(measurements.clone()).text().replace('\n', " ");
    assert!(text.contains("predicted") && text.contains("fitted"), "{text}");
    assert!(text.contains("farthest is 'shared counter, all add', with 0.50 times"), "{text}");
    assert!(!text.contains("changed during the run"), "{text}");
    measurements.mechanisms[0] = times(Mechanism::PingPong, [400.0; 3], 1.2);
    let text = Validated::of(measurements.clone()).text().replace('\n', " ");
    assert!(text.contains("a ping-pong between processors took 4.08 times as long"), "{text}");
    measurements.mechanisms.clear();
    let text = Validated::of(measurements.clone()).text().replace('\n', " ");
    assert!(text.contains("Single mechanisms could not be compared"), "{text}");
}

#[test]
fn another_tree_on_one_processor_is_an_error_that_is_told() {
    let mut measurements = measurements(EQUAL);
    if let CellResult::Done(measured) = &mut measurements.records[1].result {
        measured.nodes += 1;
    }
    let validation = Validation::of(&measurements);
    assert_eq!(validation.one_processor.as_ref().map(|one| (one.other_trees, one.pairs)), Some((1, 24)));
    assert!(
        Validated::of(measurements.clone()).text().replace('\n', " ").contains("1 of 24 searches had another tree")
    );
}

#[test]
fn disturbed_and_failed_searches_are_told() {
    let mut measurements = measurements(EQUAL);
    // Repeated, and quiet: the second attempt counts.
    let again = Record { attempt: 1, ..quiet(measurements.records[0].clone()) };
    measurements.records[0] = deprived(measurements.records[0].clone(), 0.1);
    if let CellResult::Done(measured) = &mut measurements.records[0].result {
        measured.time_ns *= 100;
    }
    measurements.records.push(again);
    measurements.records[3].result = CellResult::Failed("it panicked".into());
    let validation = Validation::of(&measurements);
    assert_eq!((validation.trust.real, validation.trust.disturbed, validation.trust.failed.len()), (49, 1, 1));
    let [two] = &validation.many_processors[..] else { panic!() };
    assert_eq!(two.pairs, 23, "the failed one has no partner");
    assert_eq!(validation.one_processor.as_ref().map(|one| one.judgement.verdict), Some(Verdict::ShownWithin));
    let text = Validated::of(measurements.clone()).text().replace('\n', " ");
    assert!(text.contains("Of 49 real searches, 1 was disturbed") && text.contains("it panicked"), "{text}");
}

#[test]
fn one_processor_alone_is_not_compared_with_several() {
    let mut measurements = measurements(EQUAL);
    measurements.processors.clear();
    measurements.records.retain(|record| record.cell.configuration.threads == 1);
    let validation = Validation::of(&measurements);
    assert!(validation.many_processors.is_empty() && validation.one_processor.is_some());
    let validated = Validated::of(measurements);
    assert!(validated.text().contains("that needs at least two"), "{}", validated.text());
    assert!(validated.page().unwrap().contains("that needs at least two"));
}

#[test]
fn nothing_measured_is_no_verdict() {
    let nothing = Measurements::default();
    let validation = Validation::of(&nothing);
    assert_eq!(validation.one_processor, None);
    assert!(Validated::of(nothing).page().unwrap().contains("No search on one processor was measured"));
}

#[test]
fn the_table_of_the_terminal_is_narrow_and_says_the_verdicts() {
    let text = Validated::of(measurements(Off { speedup: 1.2, ..EQUAL })).text();
    assert!(text.lines().all(|line| line.chars().count() <= 110 && !line.ends_with(' ')), "{text}");
    let text = text.replace('\n', " ");
    for part in [
        "takes the time of a real one within 3 %",
        "within 5 % with no strategy, and shown to miss it by more with ybwc (1.20 times it, 1.20 to 1.20)",
        "outside 5 %",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn the_file_is_read_back_and_the_page_is_made_of_it_again() {
    let measurements = measurements(EQUAL);
    let validated = Validated::of(measurements.clone());
    let text = serde_json::to_string(&validated).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["kind"], "splitpoint validation");
    assert_eq!(value["findings"]["one_processor"]["judgement"]["verdict"], "shown within");
    assert!(value["findings"]["many_processors"][0]["time_speedup"]["virtual"]["estimate"].is_number());
    let again: Measurements = serde_json::from_value(value).unwrap();
    assert_eq!(again, measurements);
    assert_eq!(Validated::of(again).page().unwrap(), validated.page().unwrap());
}

#[test]
fn the_page_has_all_parts_and_loads_nothing() {
    let html = Validated::of(measurements(EQUAL)).page().unwrap();
    for part in ["id=\"verdict\"", "id=\"mechanisms\"", "id=\"calibration\"", "id=\"noise\"", "id=\"how\""] {
        assert!(html.contains(part), "{part}");
    }
    for text in [
        "Time of a node",
        "waiting park",
        "lock free",
        "&lt;made up&gt;",
        "within 5 %",
        "within 3 points",
        "60.4",
        "lock waiter",
    ] {
        assert!(html.contains(text), "{text}");
    }
    assert!(html.contains("Content-Security-Policy") && !html.contains("<made up>"));
}
