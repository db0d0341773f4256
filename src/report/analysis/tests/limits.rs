//! Searches that a limit ended, and positions that not all configurations have.

use std::collections::BTreeMap;

use super::super::Analysis;
use super::super::cut::Beyond;
use super::super::samples::{configuration, cut, description, measured, one_against_four, record};
use super::{expect, four};
use crate::figures::register;
use crate::random::SplitMix;
use crate::record::{Configuration, Depth, PositionInfo, Record, Reference};

/// Without a common depth there is no time to it, in no form.
#[test]
fn searches_limited_by_time_have_speeds_and_depths_but_no_time_speedup() {
    let (mut description, records) = one_against_four();
    let limited = |record: &Record| -> Record {
        let mut limited = record.clone();
        let configuration = &mut limited.cell.configuration;
        (configuration.depth, configuration.time_s) = (Depth::Unlimited, Some(1.0.into()));
        // One processor reaches 5 plies and four reach 6 or 7.
        measured(&mut limited).depth += if configuration.threads == 4 { 1 + record.cell.seed as u32 % 2 } else { 0 };
        limited
    };
    let fields = BTreeMap::from([("strategy".to_owned(), "ybwc".to_owned())]);
    description.references = vec![Reference { fields, members: Vec::new() }];
    let mut records: Vec<Record> = records.iter().map(limited).collect();
    let mut lazy: Vec<Record> = records[4..].to_vec();
    for record in &mut lazy {
        record.index += 4;
        record.cell.configuration.strategy = "lazy".into();
    }
    records.append(&mut lazy);
    let analysis = Analysis::of(description, &records);
    for group in &analysis.groups[1..] {
        let ratios = group.against_baseline.as_ref().unwrap();
        expect(ratios.nps_speedup.estimate, 4.0 * 2.0_f64.sqrt());
        assert!(ratios.nps_speedup.is_known());
        for figure in [ratios.time_speedup, ratios.nodes, ratios.factors.rate.ratio, ratios.factors.nodes.ratio] {
            assert!(figure.estimate.is_nan(), "{figure:?}");
        }
        let of_sums = group.thesis.time_speedup.map_or(f64::NAN, |speedup| speedup.estimate);
        let others = [of_sums, ratios.mean_of_ratios.estimate, ratios.median];
        assert!(others.into_iter().all(f64::is_nan) && ratios.faster.is_none(), "{others:?}");
        assert!(group.by_position.iter().all(|row| row.time_speedup.is_none() && row.nodes_ratio.is_none()));
        expect(group.limited.depth.unwrap().estimate, 6.5);
        expect(group.limited.depth_gain.unwrap().estimate, 1.5);
        assert!(group.limited.depth_gain.unwrap().is_known());
    }
    assert!(analysis.contests.is_empty() && analysis.comparisons.is_empty());
}

/// A limit that ended no search before its depth changes nothing.
#[test]
fn a_limit_that_none_has_met_leaves_the_depth_common() {
    let (description, mut records) = one_against_four();
    records.iter_mut().for_each(|record| record.cell.configuration.time_s = Some(60.0.into()));
    let analysis = Analysis::of(description.clone(), &records);
    expect(four(&analysis).time_speedup.estimate, 4.0);
    assert_eq!(analysis.groups[1].limited.depth, None);
    // One baseline did not come to its depth.
    measured(&mut records[0]).depth -= 1;
    let analysis = Analysis::of(description, &records);
    assert!(four(&analysis).time_speedup.estimate.is_nan() && four(&analysis).nps_speedup.estimate.is_finite());
    expect(analysis.groups[1].limited.depth_gain.unwrap().estimate, 0.25);
}

/// A search that was cut off is a bound for its position, and no estimate is left for its configuration.
#[test]
fn searches_that_were_cut_off_bound_a_speedup() {
    let (description, records) = one_against_four();
    let with = |at: &[usize]| {
        let mut records = records.clone();
        at.iter().for_each(|&at| records[at] = cut(records[at].clone(), 8.0));
        Analysis::of(description.clone(), &records)
    };
    let analysis = with(&[5]);
    let group = &analysis.groups[1];
    assert!(four(&analysis).time_speedup.estimate.is_nan() && four(&analysis).factors.rate.ratio.estimate.is_nan());
    assert_eq!((group.limited.cut, group.limited.baseline_cut, group.failed, group.runs), (1, 0, 0, 3));
    let bound = group.limited.bound.unwrap();
    assert_eq!(bound.side, Beyond::Below);
    // At A 4 s against 1 and at least 8 s, at B 8 s against 1 s: at most sqrt(sqrt(2) x 8), and noise on top.
    assert!(bound.ratio > (2.0_f64.sqrt() * 8.0).sqrt(), "{bound:?}");
    let [a, b] = &group.by_position[..] else { panic!("two positions") };
    assert!(a.cut == 1 && a.time_speedup.is_none() && a.time_s.is_nan(), "{a:?}");
    assert!(b.cut == 0 && b.time_speedup.is_some(), "{b:?}");
    assert!(["time_s", "nodes", "nps_of_sums"].iter().all(|name| group.means.get(&register::named(name)).is_none()));
    assert!(group.thesis.time_s.is_none());

    let bounds = [&[1][..], &[1, 5]].map(|at| with(at).groups[1].limited.bound);
    assert!(bounds[0].is_some_and(|bound| bound.side == Beyond::Above) && bounds[1].is_none(), "{bounds:?}");
}

/// Positions that not all have are left out of what is compared, and named.
#[test]
fn configurations_are_compared_over_the_same_positions() {
    let strategies = ["ybwc", "lazy"];
    let records = |lazy_at_c: bool| -> Vec<Record> {
        let mut records = Vec::new();
        for (position, alone) in [("A", 8), ("B", 16), ("C", 900)] {
            for seed in 0..3 {
                let noise = 1000 + 7 * seed + alone;
                let mut add = |configuration: &Configuration, seconds: u64| {
                    let mut one = record(records.len() as u64, configuration, position, seed, (seconds, 100));
                    measured(&mut one).time_ns = seconds * 1_000_000 * noise;
                    records.push(one);
                };
                add(&configuration("sequential", 1), alone);
                for strategy in strategies {
                    if lazy_at_c || strategy != "lazy" || position != "C" {
                        add(&configuration(strategy, 4), if position == "C" { alone } else { alone / 4 });
                    }
                }
            }
        }
        records
    };
    let analysis = |records: &[Record]| {
        let mut description = description(&["strategy"], records.len() as u64);
        description.positions.push(PositionInfo { id: "C".into(), ..PositionInfo::default() });
        let fields = BTreeMap::from([("strategy".to_owned(), "ybwc".to_owned())]);
        description.references = vec![Reference { fields, members: Vec::new() }];
        Analysis::of(description, records)
    };
    // At C nothing is gained. Only ybwc was measured there, and would look worse than lazy by it.
    let lacking = analysis(&records(false));
    assert_eq!(lacking.quality.left_out, ["C"]);
    expect(lacking.contests[0].rivalries[0].time.estimate, 1.0);
    expect(lacking.comparisons[0].time.estimate, 1.0);
    let whole = analysis(&records(true));
    assert!(whole.quality.left_out.is_empty());
}

/// With a fifth of the parallel searches cut off, what is reported is not better than the truth by more than chance.
#[test]
fn a_bound_holds_when_a_fifth_is_cut_off() {
    const EXPERIMENTS: usize = 200;
    const POSITIONS: usize = 8;
    const TRUTH: f64 = 4.0;
    let mut random = SplitMix::new(9);
    for uneven in [0.0, 0.7] {
        let (mut bounds, mut missed, mut dropped_too_high) = (0, 0, 0.0);
        for _ in 0..EXPERIMENTS {
            let mut records: Vec<Record> = Vec::new();
            let mut logs = [Vec::new(), Vec::new()];
            for position in 0..POSITIONS {
                let deviation = 0.3 * (uneven * random.normal()).exp();
                let level = random.normal();
                // A fifth of normal variables is larger than this.
                let limit_s = (level + 0.8416 * deviation).exp() / TRUTH;
                for seed in 0..4 {
                    for (side, threads) in [1, 4].into_iter().enumerate() {
                        let strategy = if threads == 1 { "sequential" } else { "ybwc" };
                        let configuration = configuration(strategy, threads);
                        let seconds = (level + deviation * random.normal()).exp() / [1.0, TRUTH][side];
                        let name = format!("P{position}");
                        let mut one = record(records.len() as u64, &configuration, &name, seed, (1, 100));
                        measured(&mut one).time_ns = (seconds * 1e9) as u64;
                        if threads == 4 && seconds > limit_s {
                            one = cut(one, limit_s);
                        } else {
                            logs[side].push(seconds.ln() - level);
                        }
                        records.push(one);
                    }
                }
            }
            let analysis = Analysis::of(description(&["threads"], records.len() as u64), &records);
            let group = &analysis.groups[1];
            if let Some(bound) = group.limited.bound {
                assert!(group.against_baseline.as_ref().unwrap().time_speedup.estimate.is_nan());
                bounds += 1;
                missed += usize::from(bound.ratio < TRUTH);
            }
            let mean = |logs: &[f64]| logs.iter().sum::<f64>() / logs.len() as f64;
            dropped_too_high += (mean(&logs[0]) - mean(&logs[1])).exp() / TRUTH / EXPERIMENTS as f64;
        }
        println!("uneven {uneven}: {missed} of {bounds} bounds missed; dropped, {dropped_too_high:.3} of the truth");
        assert!(bounds > EXPERIMENTS * 9 / 10, "{bounds} experiments have a bound");
        assert!(missed <= EXPERIMENTS * 5 / 100, "{missed}");
        assert!(dropped_too_high > 1.05, "dropping them would flatter: {dropped_too_high}");
    }
}

/// A search of one arm that was cut off counts with its limit, and no position leaves because of it: the ratio is a
/// bound, whose other end is open.
#[test]
fn a_comparison_keeps_positions_whose_searches_were_cut_off() {
    let (mut description, mut records) = one_against_four();
    let fields = BTreeMap::from([("strategy".to_owned(), "ybwc".to_owned())]);
    description.references = vec![Reference { fields, members: Vec::new() }];
    let others: Vec<Record> =
        records.iter().filter(|record| !record.cell.configuration.is_baseline()).cloned().collect();
    for (index, mut other) in (records.len() as u64..).zip(others) {
        (other.index, other.cell.configuration.strategy) = (index, "lazy".into());
        records.push(other);
    }
    let compare = |records: &[Record]| Analysis::of(description.clone(), records).comparisons.remove(0);
    expect(compare(&records).time.estimate, 1.0);
    // At A, seed 2, lazy takes more than 16 s where ybwc takes 4: by half of a half of four doublings.
    records[9] = cut(records[9].clone(), 16.0);
    let bound = compare(&records);
    expect(bound.time.estimate, 4.0_f64.powf(0.25));
    assert!(bound.time.high == f64::INFINITY && bound.time.low < 1.0 && bound.nodes.estimate.is_nan(), "{bound:?}");
    assert!(bound.time_test.is_some() && bound.nodes_test.is_none());
    // With cuts on both sides nothing is known.
    records[6] = cut(records[6].clone(), 2.0);
    assert!(Analysis::of(description.clone(), &records).comparisons.is_empty());
}
