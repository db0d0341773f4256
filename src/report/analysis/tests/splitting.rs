//! Costs of splits, sizes of copies and micro-measurements, worked out by hand.

use super::*;
use crate::counts::Distributions;
use crate::record::{CellResult, Figure, SplitTimes, Unit};

/// Two splits whose times are known, at two positions.
#[test]
fn stages_are_means_of_their_sums() {
    let split = configuration("ybwc", 2);
    let mut records = Vec::new();
    for (index, position) in [(0, "A"), (1, "B")] {
        let mut one = record(index, &split, position, 1, (1, 1_000_000));
        let of = measured(&mut one);
        of.losses = [("aborted", 30), ("useless", 10), ("beyond", 7)].into();
        of.counters = NamedCounts::of(json!({ "splits": { "made": 2, "cut": 1 + index }, "copied_bytes": 600 }));
        of.sharing.times = Some(SplitTimes {
            opened: 2,
            open_ns: 1000,
            open_held_ns: 600,
            call_ns: 100,
            packs: 2,
            pack_ns: 40,
            paid: 3,
            copies: 3,
            copy_ns: 90,
            again: 1,
            first_ns: 35,
            again_ns: 15,
            came: 3,
            notice_ns: 1500,
            join_held_ns: 400,
            joins: 2,
            join_ns: 500,
            wasted_ns: 0,
            cost_ns: 3000,
            span_ns: 60_000,
        });
        records.push(one);
    }
    records.push(record(2, &split.baseline(), "A", 1, (2, 1_000_000)));
    let groups = Analysis::of(description(&["threads"], 3), &records).groups;
    let of = groups.iter().find(|group| group.configuration == split).unwrap().splitting;
    let estimate = |figure: Option<Interval>| figure.unwrap().estimate;
    // Prepare 450 - 20, pack 20, call 50, notice 500, copy 30 - 20, fetch 35 - 15, begin 250 - 30.
    assert_eq!(of.stages.map(|stage| stage.unwrap().estimate), [430.0, 20.0, 50.0, 500.0, 10.0, 20.0, 220.0]);
    expect(estimate(of.bytes), 200.0);
    expect(estimate(of.time_share), 0.25);
    expect(estimate(of.copy_share), 130.0 / 2e9);
    expect(estimate(of.node_share), 0.05);
    expect(estimate(of.cost_ns), 1500.0);
    expect(estimate(of.held_ns), 500.0);
    expect(estimate(of.superfluous), (40.0 + 20.0) / 2.0);
    assert_eq!(groups.iter().find(|group| group.configuration.threads == 1).unwrap().splitting, Splitting::default());

    // Records of versions that took no times have shares of splitting only.
    for one in &mut records[..2] {
        measured(one).sharing.times = None;
    }
    let old = Analysis::of(description(&["threads"], 3), &records).groups;
    let of = old.iter().find(|group| group.configuration == split).unwrap().splitting;
    assert_eq!((of.copy_share, of.cost_ns, of.stages), (None, None, [None; 7]));
    expect(estimate(of.time_share), 0.25);
}

/// Two positions, one of four split nodes and one of two, count alike in the share of split nodes that cost more than
/// they bring.
#[test]
fn distributions_are_means_of_shares() {
    let split = configuration("ybwc", 2);
    let mut records = Vec::new();
    for (index, position, costs) in [(0, "A", vec![10, 20, 30, 200]), (1, "B", vec![10, 100])] {
        let mut of = Distributions::default();
        costs.iter().for_each(|cost| of.close((*cost, cost + 100), 1, None));
        let mut one = record(index, &split, position, 1, (1, 1_000_000));
        measured(&mut one).sharing.distributions = Some((&of).into());
        records.push(one);
    }
    let groups = Analysis::of(description(&["threads"], 3), &records).groups;
    let group = groups.iter().find(|group| group.configuration == split).unwrap();
    expect(group.splitting.costly_share.unwrap().estimate, (0.25 + 0.5) / 2.0);
    let of = |name: &str| &group.split_nodes.iter().find(|of| of.name == name).unwrap().bins;
    let ratios = of("cost_ratio").iter().map(|bin| (bin.from, bin.below.unwrap(), bin.count, bin.up_to.estimate));
    let expected = [(0.0625, 0.125, 2, 0.375), (0.125, 0.25, 1, 0.5), (0.25, 0.5, 1, 0.625), (1.0, 2.0, 1, 0.875)];
    let last = (2.0, 4.0, 1, 1.0);
    assert_eq!(ratios.collect::<Vec<_>>(), expected.into_iter().chain([last]).collect::<Vec<_>>());
    assert_eq!(of("helpers").iter().map(|bin| (bin.from, bin.count)).collect::<Vec<_>>(), [(1.0, 6)]);
    assert!(of("superfluous").is_empty(), "no move has cut");

    // Of one position, nothing is known of others.
    let one = Analysis::of(description(&["threads"], 3), &records[..1]).groups;
    let share = one.iter().find_map(|group| group.splitting.costly_share).unwrap();
    assert!(share.estimate == 0.25 && !share.is_known(), "{share:?}");
}

/// A node takes a hundredth longer with every hundred bytes.
#[test]
fn a_size_that_costs_a_hundredth_is_found() {
    let mut records = Vec::new();
    let copies = [("trimmed", 0), ("trimmed+100", 1), ("trimmed+200", 2)];
    for (copy, hundreds) in copies {
        let configuration = Configuration { copy: Some(copy.into()), ..configuration("ybwc", 2) };
        for (position, seed) in [("A", 1), ("A", 2), ("B", 1), ("B", 2)] {
            // Trees are of any size; what counts is the time of a node.
            let nodes = 1000 * (seed + 3 * hundreds);
            let mut one = record(records.len() as u64, &configuration, position, seed, (1, nodes));
            let of = measured(&mut one);
            of.time_ns = (1e3 * nodes as f64 * 1.01_f64.powi(hundreds as i32)).round() as u64 * 1000;
            of.elapsed_ns = of.time_ns;
            of.counters = [("copied_bytes", 10 * (300 + 100 * hundreds as i64))].into();
            of.sharing.times = Some(SplitTimes { paid: 10, ..SplitTimes::default() });
            records.push(one);
        }
    }
    let analysis = Analysis::of(description(&["copy"], 12), &records);
    let [sizes] = &analysis.sizes[..] else { panic!("{:?}", analysis.sizes) };
    assert_eq!(sizes.points.iter().map(|point| point.bytes).collect::<Vec<_>>(), [300.0, 400.0, 500.0]);
    assert_eq!(sizes.points[0].slowdown.estimate, 1.0);
    let close = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
    close(sizes.points[2].slowdown.estimate, 1.0201);
    let bytes = sizes.one_percent.unwrap();
    close(bytes.estimate, 100.0);
    assert!(bytes.low <= 100.01 && bytes.high >= 99.99 && bytes.high < 101.0, "{bytes:?}");
}

#[test]
fn figures_of_repetitions_have_a_mean() {
    let figure = |estimate: f64| Figure {
        of: "BK03".into(),
        board: Some("bitboards".into()),
        sliders: Some("magic".into()),
        figure: "time of a move".into(),
        unit: Unit::Nanoseconds,
        estimate,
        interval: Some([0.0, 100.0]),
        published: Some(20.0),
        source: Some("table 2.2".into()),
    };
    let micro = Configuration { micro: Some("make-unmake".into()), ..real(&configuration("", 2)) };
    let of = |index: u64, estimate: f64| {
        let mut one = record(index, &micro, "", index, (1, 1));
        one.result = CellResult::Micro(vec![figure(estimate)]);
        one
    };
    let search = record(5, &configuration("ybwc", 2), "A", 1, (1, 100));
    let analysis = Analysis::of(description(&["threads"], 3), &[of(0, 9.0), of(1, 11.0), search]);
    assert_eq!(analysis.groups.len(), 1, "a micro-measurement is no search");
    let [one] = &analysis.micro[..] else { panic!("{:?}", analysis.micro) };
    assert_eq!((one.runs, one.board().as_deref()), (2, Some("bitboards, magic")));
    // Two values 2 apart: standard error 1, one degree of freedom.
    assert_eq!(one.mean.estimate, 10.0);
    assert!((one.mean.high - 22.7062).abs() < 1e-3, "{:?}", one.mean);
    assert_eq!(one.over_published().unwrap().estimate, 0.5);
    let alone = Analysis::of(description(&["threads"], 1), &[of(0, 9.0)]);
    assert_eq!((alone.micro[0].mean.low, alone.micro[0].mean.high), (0.0, 100.0));
    assert_eq!(alone.quality.missing, 0);
}
