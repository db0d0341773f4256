//! Every figure of an analysis, worked out by hand.

mod arms;
mod changes;
mod ends;
mod explanations;
mod limits;
mod published_points;
mod schedules;
mod splitting;
mod twins;

use serde_json::json;

use super::samples::{
    self, again, configuration, deprived, description, failed, measured, one_against_four, quiet, real, record, watched,
};
use super::*;
use crate::counts::{Activity, Loss};
use crate::figures::{Figure, register};
use crate::random::SplitMix;
use crate::record::{Configuration, Defined, Factorial, IntervalKind, NamedCounts, Reference, Surroundings};
use crate::statistics::Interval;

/// Greatest difference between two ways to work out the same figure.
const ROUNDING: f64 = 1e-9;

#[track_caller]
fn expect(found: f64, expected: f64) {
    assert!((found - expected).abs() <= ROUNDING * expected.abs().max(1.0), "{found}, not {expected}");
}

/// The ends are worked out from table values of Student's t, which have five digits.
#[track_caller]
fn expect_interval(found: Interval, estimate: f64, low: f64, high: f64) {
    expect(found.estimate, estimate);
    for (found, expected) in [(found.low, low), (found.high, high)] {
        assert!((found / expected - 1.0).abs() < 1e-4, "{found}, not {expected}");
    }
}

fn four(analysis: &Analysis) -> &AgainstBaseline {
    analysis.groups[1].against_baseline.as_ref().unwrap()
}

#[test]
fn one_against_four_by_hand() {
    let (description, records) = one_against_four();
    let analysis = Analysis::of(description, &records);
    let [one, shared] = &analysis.groups[..] else { panic!("{} groups", analysis.groups.len()) };
    assert_eq!([one.label.as_str(), shared.label.as_str()], ["sequential", "ybwc"]);
    assert_eq!((shared.runs, shared.positions, shared.failed, shared.disturbed), (4, 2, 0, 0));
    assert_eq!(one.against_baseline, None);

    // The thesis counts twice as many nodes here. NPS of one: A (25 + 400) / 2, B (12.5 + 50) / 2; of four: A (800 +
    // 200) / 2, B (100 + 400) / 2.
    expect(one.thesis.nps.unwrap().estimate, 121.875);
    expect(shared.thesis.nps.unwrap().estimate, 375.0);
    expect(one.thesis.nps_speedup.unwrap().estimate, 1.0);
    expect(shared.thesis.nps_speedup.unwrap().estimate, 375.0 / 121.875);
    expect(one.thesis.nodes.unwrap().estimate, 350.0);
    expect(shared.thesis.time_s.unwrap().estimate, (2.5 + 1.0) / 2.0);
    expect(shared.means.get(&register::NPS).unwrap(), 187.5);
    expect(shared.means.get(&register::NODES).unwrap(), (400.0 + 125.0) / 2.0);
    let activities = Activity::ALL.iter().map(|&activity| shared.means.get(&register::of_activity(activity)));
    assert_eq!(activities.collect::<Vec<_>>(), [0.5, 0.25, 0.0, 0.25, 0.0, 0.0, 0.0].map(Some));

    // Times are 4 and 8 s on one processor, 2 and 1 s on four: geometric means. Speedups 2 and 8.
    let ratios = four(&analysis);
    expect(ratios.mean_of_ratios.estimate, 5.0);
    expect(ratios.median, 5.0);
    expect(shared.thesis.time_speedup.unwrap().estimate, (5.0 + 10.0) / (2.5 + 1.0));
    // In binary logarithms the runs' variances over their number are 1, 1, 1 and 0: standard error sqrt(3) / 2, with
    // all four degrees of freedom, since 3^2 / (1/3 + 1/3 + 1/3) - 2 is more: t = 2.77645.
    let width = (2.776_445 * 0.75_f64.sqrt()).exp2();
    expect_interval(ratios.time_speedup, 4.0, 4.0 / width, 4.0 * width);
    // Nodes: 200 and 100 against 400 and 100, so 2 and 1; nodes a second are 8 and 8 times as many.
    // The nodes' variances over their number are 1, 0, 0 and 1: standard error sqrt(2) / 2, 2^2 / (1/3 + 1/3) - 2 = 4
    // degrees of freedom.
    let width = (2.776_445 * 0.5_f64.sqrt()).exp2();
    expect_interval(ratios.nodes, 2.0_f64.sqrt(), 2.0_f64.sqrt() / width, 2.0_f64.sqrt() * width);
    expect(ratios.nps_speedup.estimate, 4.0 * 2.0_f64.sqrt());

    // Searching or splitting three quarters of the time, of that two thirds searching; nodes in a second of searching
    // are 50 and 12.5 on one, 400 / (4 x 2 / 2) = 100 and 100 / (4 x 1 / 2) = 50 on four.
    let factors = ratios.factors;
    expect(factors.processors, 4.0);
    expect(factors.utilisation.ratio.estimate, 0.75);
    expect(factors.productive.ratio.estimate, 2.0 / 3.0);
    expect(factors.rate.ratio.estimate, 8.0_f64.sqrt());
    expect(factors.nodes.ratio.estimate, 2.0_f64.sqrt());

    let [a, b] = &shared.by_position[..] else { panic!("two positions") };
    assert_eq!((a.position.as_str(), a.runs, b.position.as_str(), b.runs), ("A", 2, "B", 2));
    expect(a.time_s, 2.0);
    expect(a.nodes, 400.0);
    expect(a.time_speedup.unwrap(), 2.0);
    expect(a.nodes_ratio.unwrap(), 2.0);
    expect(b.time_speedup.unwrap(), 8.0);
    // Two values are as far from their median as the median of those distances.
    expect(a.z_score.unwrap(), -0.6745);

    assert_eq!(analysis.curves, [Curve { label: "ybwc".into(), groups: vec![0, 1] }]);
    // Of the baseline at A 100 and 400 nodes, at B twice 100. Logarithms ln 2 off their mean, pooled over two degrees.
    let [spread] = &analysis.baseline_spread[..] else { panic!("one baseline") };
    assert_eq!(spread.group, 0);
    let [(_, a), (_, b)] = &spread.relative_nodes[..] else { panic!("two positions") };
    a.iter().chain(b).zip([0.5, 2.0, 1.0, 1.0]).for_each(|(&found, expected)| expect(found, expected));
    expect(spread.log_sd.unwrap(), 2.0_f64.ln());
    let quality = Quality { cells: 8, virtual_records: 8, ..Quality::default() };
    assert_eq!(analysis.quality, quality);
}

#[test]
fn intervals_are_of_the_kind_asked_for_or_unknown() {
    let (mut description, records) = one_against_four();
    description.interval = IntervalKind::PositionsLikeThese;
    // In binary logarithms 1 and 3: mean 2, standard error 1; t with one degree of freedom is 12.7062.
    let analysis = Analysis::of(description.clone(), &records);
    let width = 12.7062_f64.exp2();
    let found = four(&analysis).time_speedup;
    expect(found.estimate, 4.0);
    assert!((found.low * width / 4.0 - 1.0).abs() < 1e-3 && (found.high / width / 4.0 - 1.0).abs() < 1e-3, "{found:?}");

    description.is_one_game = true;
    let analysis = Analysis::of(description.clone(), &records);
    assert!(!four(&analysis).time_speedup.is_known());
    expect(four(&analysis).time_speedup.estimate, 4.0);

    // The thesis's baseline: one run, which says nothing of its spread.
    description.interval = IntervalKind::ThesePositions;
    let single: Vec<Record> =
        records.iter().filter(|r| r.cell.configuration.threads == 4 || r.cell.seed == 1).cloned().collect();
    let analysis = Analysis::of(description, &single);
    assert!(!four(&analysis).time_speedup.is_known());
    expect(four(&analysis).time_speedup.estimate, 8.0); // 8 / 2 and 16 / 1
}

#[test]
fn factors_multiply_to_the_speedup() {
    let mut random = SplitMix::new(3);
    let mut some = |least: u64| least + random.next() % 1_000_000;
    let (one, eight) = (configuration("sequential", 1), configuration("lazy", 8));
    let mut records = Vec::new();
    for position in ["A", "B", "C"] {
        for seed in 0..3 {
            for configuration in [&one, &eight] {
                // The baseline lacks a run, and one position.
                let is_left_out = configuration.is_baseline() && (position == "C" || (position == "A" && seed == 2));
                if is_left_out {
                    continue;
                }
                let mut record = record(records.len() as u64, configuration, position, seed, (1, some(1)));
                let measured = measured(&mut record);
                measured.time_ns = some(1000);
                measured.activities.search_ns = some(10);
                measured.activities.split_ns = some(0);
                measured.activities.wait_ns = some(0);
                records.push(record);
            }
        }
    }
    let analysis = Analysis::of(description(&["threads"], 0), &records);
    let ratios = analysis.groups.iter().find_map(|group| group.against_baseline.as_ref()).unwrap();
    let Factors { processors, utilisation, productive, rate, nodes } = ratios.factors;
    let [utilisation, productive, rate, nodes] =
        [utilisation, productive, rate, nodes].map(|factor| factor.ratio.estimate);
    expect(processors * utilisation * productive * rate / nodes, ratios.time_speedup.estimate);
    expect(nodes, ratios.nodes.estimate);
    assert!(utilisation != 1.0 && productive != 1.0 && rate != 1.0);

    // Without an account of time there are no factors, and the speedup stands.
    let speedup = ratios.time_speedup.estimate;
    measured(&mut records[0]).activities.search_ns = 0;
    let analysis = Analysis::of(description(&["threads"], 0), &records);
    let ratios = analysis.groups.iter().find_map(|group| group.against_baseline.as_ref()).unwrap();
    expect(ratios.time_speedup.estimate, speedup);
    assert!([ratios.factors.rate, ratios.factors.utilisation].iter().all(|factor| factor.ratio.estimate.is_nan()));
}

#[test]
fn the_order_of_records_does_not_matter() {
    let (description, mut records) = one_against_four();
    records[5] = failed(records[5].clone(), "a lock was lost");
    records.push(again(&records[2], 3));
    let expected = format!("{:?}", Analysis::of(description.clone(), &records));
    let mut random = SplitMix::new(1);
    for _ in 0..20 {
        random.shuffle(&mut records);
        assert_eq!(format!("{:?}", Analysis::of(description.clone(), &records)), expected);
    }
}

#[test]
fn of_several_attempts_the_last_quiet_one_counts() {
    let four = real(&configuration("ybwc", 4));
    let first = record(0, &four, "A", 1, (1, 100));
    let loud = |record: Record| deprived(record, 0.1);
    let second = || again(&first, 2);
    let third = || again(&second(), 3);
    // The records, and which seconds count.
    let cases = [
        (vec![quiet(first.clone())], Some(1.0)),
        (vec![loud(first.clone()), quiet(second())], Some(2.0)),
        (vec![quiet(first.clone()), loud(second())], Some(1.0)),
        (vec![quiet(first.clone()), quiet(second()), loud(third())], Some(2.0)),
        (vec![loud(first.clone()), loud(second())], Some(2.0)),
        (vec![loud(first.clone()), failed(second(), "no memory")], Some(1.0)),
        (vec![failed(first.clone(), "no memory"), loud(second())], Some(2.0)),
        (vec![failed(first.clone(), "no memory"), failed(second(), "still none")], None),
    ];
    for (i, (records, seconds)) in cases.into_iter().enumerate() {
        let analysis = Analysis::of(description(&[], 3), &records);
        let group = &analysis.groups[0];
        assert_eq!(group.by_position.first().map(|row| row.time_s.round()), seconds, "case {i}");
        assert_eq!(group.failed, usize::from(seconds.is_none()), "case {i}");
        assert_eq!(analysis.quality.missing, 2, "case {i}");
        assert_eq!(group.runs, usize::from(seconds.is_some()), "case {i}");
    }
}

#[test]
fn what_failed_and_what_was_disturbed_is_told() {
    let four = real(&configuration("ybwc", 4));
    let at = |index, position| record(index, &four, position, 1, (1, 100));
    let slower = Surroundings {
        taken_share: Some(0.12),
        mhz_at_start: Some(3000.0),
        mhz_at_end: Some(2400.0),
        ..Surroundings::default()
    };
    let records = [
        deprived(at(0, "A"), 0.09),
        watched(at(1, "A"), slower),
        quiet(at(2, "B")),
        failed(at(3, "B"), "out of memory"),
        record(4, &configuration("ybwc", 4), "B", 1, (1, 100)),
    ];
    let analysis = Analysis::of(description(&["machine"], 9), &records);
    let expected = Quality {
        cells: 9,
        missing: 4,
        failed: vec![("ybwc on 4 real, B, seed 1, repetition 0".into(), "out of memory".into())],
        real: 3,
        disturbed: 2,
        reasons: vec![
            ("… % of the processor time that the search wanted was taken away".into(), 2),
            ("the clock changed from … to … MHz".into(), 1),
        ],
        virtual_records: 1,
        ..Quality::default()
    };
    assert_eq!(Quality { arms: Vec::new(), ..analysis.quality.clone() }, expected);
    let [arm] = &analysis.quality.arms[..] else { panic!("one configuration on a real machine") };
    assert_eq!((arm.records, arm.disturbed, arm.unknown, arm.thrown_away), (3, 2, 0, 0));
    assert_eq!((analysis.groups[0].disturbed, analysis.groups[0].failed), (2, 1));
}

#[test]
fn groups_are_compared_on_common_positions_only() {
    let (description, mut records) = one_against_four();
    // Four processors have only failed at B: what is left is A, where NPS are 425 / 2 and 1000 / 2.
    for at in [6, 7] {
        records[at] = failed(records[at].clone(), "no memory");
    }
    let analysis = Analysis::of(description, &records);
    expect(four(&analysis).time_speedup.estimate, 2.0);
    expect(analysis.groups[1].thesis.time_speedup.unwrap().estimate, 2.0);
    expect(analysis.groups[1].thesis.nps_speedup.unwrap().estimate, 500.0 / 212.5);
    expect(analysis.groups[0].thesis.nps.unwrap().estimate, 121.875);
    assert_eq!((analysis.groups[1].positions, analysis.groups[1].failed), (1, 2));
}

#[test]
fn nothing_is_made_up_where_nothing_was_measured() {
    let analysis = Analysis::of(description(&["threads"], 4), &[]);
    assert!(analysis.groups.is_empty() && analysis.curves.is_empty());
    assert_eq!(analysis.quality.missing, 4);

    let (description, records) = one_against_four();
    let all_failed: Vec<Record> = records.iter().map(|record| failed(record.clone(), "no")).collect();
    let analysis = Analysis::of(description, &all_failed);
    let group = &analysis.groups[1];
    assert!(
        group.thesis.nps.is_none() && group.means.get(&register::ENDED).is_none() && group.against_baseline.is_none()
    );
    assert_eq!(group.thesis.nps_speedup, None);
    assert!(group.by_position.is_empty() && analysis.baseline_spread.is_empty());
}

#[test]
fn counts_become_shares() {
    let (description, mut records) = one_against_four();
    for (record, factor) in records[4..].iter_mut().zip([1, 3, 2, 2]) {
        let measured = measured(record);
        measured.counters = NamedCounts::of(json!({
            "probes": 100, "ended": 10 * factor, "tier_hits": 31 + factor,
            "cutoffs": { "all": [[0, 10]], "first": [[5], [factor]] },
            "quiescence_nodes": measured.nodes / 4,
            "splits": { "made": 4, "cut": factor, "joined": [6, 2] },
            "stops": factor - 1, "stop_ns": 2000 * (factor - 1),
        }));
        measured.losses = [("aborted", measured.nodes as i64 / 10), ("repeat", 0)].into();
    }
    let analysis = Analysis::of(description, &records);
    let mean = |figure: &Figure| analysis.groups[1].means.get(figure);
    expect(mean(&register::ENDED).unwrap(), 0.2);
    expect(mean(&register::ORDER).unwrap(), 70.0);
    expect(mean(&register::QUIESCENCE).unwrap(), ((25.0 + 25.0) / 2.0 + (24.0 + 25.0) / 2.0) / 2.0);
    expect(analysis.groups[1].thesis.hash_pct.unwrap().estimate, 32.0);
    // Without the ledger nobody knows how many nodes were repeated.
    let known = Loss::ALL.iter().filter_map(|&class| Some((class, mean(&register::of_loss(class))?)));
    assert_eq!(known.collect::<Vec<_>>(), [(Loss::Aborted, 0.1)]);
    let named = |group: usize, name: &str| analysis.groups[group].means.get(&register::named(name));
    expect(named(1, "splits_per_million").unwrap(), 1e6 * (0.01 + (0.08 + 0.02) / 2.0) / 2.0);
    expect(named(1, "cut_share").unwrap(), 0.5);
    expect(named(1, "helpers").unwrap(), 2.0);
    // A run that was never stopped has no latency.
    expect(1e6 * mean(&register::STOP_LATENCY).unwrap(), 2.0);
    // The baseline never splits, and was never asked.
    assert_eq!(["cut_share", "helpers", "ended_share"].map(|name| named(0, name)), [None; 3]);
}

#[test]
fn moves_are_compared_with_the_baselines() {
    let (description, mut records) = one_against_four();
    let moves = ["e2e4", "e2e4", "b2b3", "a2a3", "e2e4", "d2d4", "b2b3", "b2b3"];
    for (record, chosen) in records.iter_mut().zip(moves) {
        measured(record).bestmove = Some(chosen.into());
    }
    // At B the baselines are at odds: the first of the alphabet.
    let analysis = Analysis::of(description, &records);
    assert_eq!(four(&analysis).same_move, Some(0.25));
    assert_eq!(analysis.groups[1].by_position[0].moves, [("d2d4".to_owned(), 1), ("e2e4".to_owned(), 1)]);
    assert_eq!(analysis.groups[1].by_position[1].moves, [("b2b3".to_owned(), 2)]);
}

#[test]
fn labels_say_what_distinguishes() {
    let ybwc = configuration("ybwc", 4);
    let board = |board: &str| Configuration { board: board.into(), ..ybwc.clone() };
    let other_costs = || Configuration { costs: Some(Defined::new("ideal", "def")), ..ybwc.clone() };
    type Case<'a> = (&'a [&'a str], Vec<Configuration>, &'a [&'a str]);
    let engine = |name: &str| Configuration {
        engine: Some(Defined::new(name, format!("hash of {name}"))),
        ..configuration(name, 2)
    };
    let cases: [Case<'_>; 8] = [
        (
            &["strategy", "engine", "threads", "engine_hash"],
            vec![engine("one").baseline(), engine("one"), engine("other").baseline(), engine("other")],
            &["one thread, one", "one", "one thread, other", "other"],
        ),
        (&[], vec![ybwc.clone()], &["ybwc"]),
        (
            &["threads"],
            vec![ybwc.baseline(), Configuration { threads: 2, ..ybwc.clone() }, ybwc.clone()],
            &["sequential", "ybwc", "ybwc"],
        ),
        (
            &["strategy", "threads"],
            vec![ybwc.baseline(), ybwc.clone(), configuration("lazy", 4)],
            &["sequential", "ybwc", "lazy"],
        ),
        (
            &["board"],
            vec![ybwc.baseline(), board("mailbox").baseline(), ybwc.clone(), board("mailbox")],
            &["sequential, bitboards", "sequential, mailbox", "ybwc, bitboards", "ybwc, mailbox"],
        ),
        (
            &["strategy", "board", "hash_mib"],
            vec![ybwc.clone(), board("mailbox"), configuration("lazy", 4)],
            &["ybwc, bitboards", "ybwc, mailbox", "lazy, bitboards"],
        ),
        (
            &["hash_mib"],
            vec![ybwc.clone(), Configuration { hash_mib: 64, ..ybwc.clone() }],
            &["ybwc, 16 MiB", "ybwc, 64 MiB"],
        ),
        // What varies without being an axis is added where labels would be the same.
        (&["strategy"], vec![ybwc.clone(), other_costs()], &["ybwc, reference", "ybwc, ideal"]),
    ];
    for (axes, configurations, expected) in cases {
        let records: Vec<Record> = (0..).zip(&configurations).map(|(at, c)| record(at, c, "A", 1, (1, 1))).collect();
        let analysis = Analysis::of(description(axes, 0), &records);
        let found: Vec<&str> = analysis.groups.iter().map(|group| group.label.as_str()).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn curves_share_their_baseline() {
    let strategies = [("lazy", 8), ("ybwc", 2), ("sequential", 1), ("lazy", 2), ("ybwc", 4)];
    let mut configurations: Vec<Configuration> = strategies.map(|(name, threads)| configuration(name, threads)).into();
    configurations.push(real(&configuration("ybwc", 2)));
    configurations.push(Configuration { features: "modern".into(), ..configuration("sequential", 1) });
    let records: Vec<Record> = (0..).zip(&configurations).map(|(at, c)| record(at, c, "A", 1, (1, 1))).collect();
    let analysis = Analysis::of(description(&["machine", "strategy", "threads"], 0), &records);
    let found: Vec<(&str, &[usize])> =
        analysis.curves.iter().map(|c| (c.label.as_str(), c.groups.as_slice())).collect();
    let expected: [(&str, &[usize]); 4] = [
        ("lazy, thesis", &[2, 3, 0]),
        ("ybwc, thesis", &[2, 1, 4]),
        ("ybwc, thesis", &[5]),
        ("sequential, modern", &[6]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn runs_without_time_are_in_no_ratio() {
    let (description, mut records) = one_against_four();
    let expected = Analysis::of(description.clone(), &records);
    let mut empty = samples::record(8, &configuration("ybwc", 4), "A", 3, (0, 0));
    measured(&mut empty).activities = crate::record::Activities::default();
    records.push(empty);
    let analysis = Analysis::of(description, &records);
    assert_eq!(four(&analysis).time_speedup, four(&expected).time_speedup);
    assert_eq!(analysis.groups[1].runs, 5);
}
