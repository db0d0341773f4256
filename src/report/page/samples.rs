//! Analyses made up for the tests of the page: none of their figures was measured.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::record::{Baseline, Configuration, Depth, Description, IntervalKind, MachineKind, PositionInfo, SEQUENTIAL};
use crate::report::analysis::{
    AgainstBaseline, Amdahl, Analysis, Arm, BaselineSpread, Comparison, Curve, Effect, Factor, Factors, Group, Means,
    PositionRow, Quality, Rivalry, Taken, ThesisColumns, rivals,
};
use crate::report::charts::Chart;
use crate::statistics::Interval;

/// An interval as wide as this share of its estimate, either way.
pub(crate) fn interval(estimate: f64, share: f64) -> Interval {
    Interval { estimate, low: estimate * (1.0 - share), high: estimate * (1.0 + share) }
}

pub(crate) fn configuration(machine: MachineKind, strategy: &str, threads: u32) -> Configuration {
    let losses = true;
    let sample = Configuration::sample(machine, strategy, threads);
    Configuration { depth: Depth::Plies(11), hash_mib: 64, losses, ..sample }
}

/// A group whose time speedup is `threads` to the power of `exponent`.
pub(crate) fn group(machine: MachineKind, strategy: &str, threads: u32, exponent: f64) -> Group {
    let n = f64::from(threads);
    let speedup = n.powf(exponent);
    let nodes = 1.0 + 0.006 * (n - 1.0);
    let (productive, rate) = (0.98, 0.97);
    let by_position = (1..=10).map(|place| position_row(place, speedup, nodes)).collect();
    let is_baseline = strategy == SEQUENTIAL;
    Group {
        predicted: None,
        splitting: Default::default(),
        regret: None,
        by_depth: None,
        iterations: Vec::new(),
        solving: None,
        configuration: configuration(machine, strategy, threads),
        label: strategy.into(),
        runs: if is_baseline { 80 } else { 30 },
        positions: 10,
        failed: 0,
        disturbed: usize::from(machine == MachineKind::Real),
        thesis: ThesisColumns {
            nps: Some(Interval::unknown(1_245_310.0 * speedup * nodes)),
            nps_speedup: Some(Interval::unknown(speedup * nodes)),
            nodes: Some(Interval::unknown(8_720_113.2 * nodes)),
            nodes_ratio: None,
            time_s: Some(Interval::unknown(7.002 / speedup)),
            time_speedup: Some(interval(speedup * 0.97, 0.05)),
            hash_pct: Some(Interval::unknown(35.7)),
            order_pct: Some(Interval::unknown(91.7)),
            qn_pct: Some(Interval::unknown(17.4)),
        },
        means: Means {
            table: Default::default(),
            nps: 1_211_000.0 * speedup * nodes,
            nodes: 8_510_400.6 * nodes,
            time_s: 7.002 / speedup,
            qn_pct: 15.9,
            hash_pct: 28.1,
            order_pct: 91.64,
            over_minimum: Some(2.5),
            activities: [0.71, 0.02, 0.01, 0.2, 0.05, 0.01],
            losses: if is_baseline {
                BTreeMap::new()
            } else {
                BTreeMap::from([("aborted".into(), 0.013), ("stale_window".into(), 0.004), ("useless".into(), 0.094)])
            },
            splits_per_million: if is_baseline { 0.0 } else { 1835.0 },
            cut_share: (!is_baseline).then_some(0.121),
            helpers: (!is_baseline).then_some(1.9),
            stop_latency_us: (!is_baseline).then_some(38.4),
        },
        against_baseline: (!is_baseline).then(|| AgainstBaseline {
            time_speedup: interval(speedup, 0.04),
            nodes: interval(nodes, 0.05),
            nps_speedup: interval(speedup * nodes, 0.02),
            mean_of_ratios: interval(speedup * 1.04, 0.05),
            median: speedup * 1.01,
            simultaneous: Some(interval(speedup, 0.06)),
            faster_p: Some(0.0001),
            factors: Factors {
                processors: n,
                utilisation: factor(speedup * nodes / (n * productive * rate)),
                productive: factor(productive),
                rate: factor(rate),
                nodes: factor(nodes),
            },
            ends: Default::default(),
            cycles: None,
            same_move: Some(0.9),
            agreement: Default::default(),
        }),
        limited: Default::default(),
        by_position,
    }
}

/// Factor with two per cent either way, which a test has found to be other than 1 if it is farther from 1.
fn factor(estimate: f64) -> Factor {
    Factor { ratio: interval(estimate, 0.02), p: Some(if (estimate - 1.0).abs() > 0.02 { 0.001 } else { 0.4 }) }
}

/// Pairs of all groups with the largest number of processors of their machine; a test has settled their order if their
/// intervals do not overlap.
pub fn rivalries(analysis: &Analysis) -> Vec<Rivalry> {
    let candidates = rivals::candidates(&analysis.groups, &analysis.curves, !analysis.effects.is_empty());
    let mut rivalries = Vec::new();
    for (at, &first) in candidates.iter().enumerate() {
        for &other in &candidates[at + 1..] {
            let [one, two] = [first, other].map(|place| &analysis.groups[place]);
            let of = |group: &Group| group.against_baseline.as_ref().map(|against| against.time_speedup);
            let Some((a, b)) = of(one).zip(of(two)) else { continue };
            let costs = |group: &Group| (group.configuration.machine, group.configuration.costs.clone());
            if costs(one) != costs(two) {
                continue;
            }
            let is_settled = a.low > b.high || b.low > a.high;
            rivalries.push(Rivalry {
                groups: [first, other],
                time: interval(a.estimate / b.estimate, 0.05),
                p: (a.is_known() && b.is_known()).then_some(if is_settled { 0.001 } else { 0.4 }),
                is_identical: false,
            });
        }
    }
    rivalries
}

fn position_row(place: u32, speedup: f64, nodes: f64) -> PositionRow {
    let wave = 1.0 + 0.1 * f64::from(place % 4) - 0.15;
    PositionRow {
        position: format!("BK{place:02}"),
        runs: 3,
        cut: 0,
        time_s: 7.0 * wave / speedup,
        run_times_s: vec![7.0 * wave / speedup; 3],
        nodes: 8.5e6 * wave * nodes,
        time_speedup: (speedup > 1.0).then_some(speedup / wave),
        nodes_ratio: (speedup > 1.0).then_some(nodes * wave),
        moves: vec![("e2e4".into(), 2), ("d2d4".into(), 1)],
        z_score: (speedup > 1.0).then_some(if place == 7 { 4.2 } else { 0.4 }),
        is_outlier: speedup > 1.0 && place == 7,
    }
}

/// Nothing at all.
pub(crate) fn empty() -> Analysis {
    Analysis {
        sizes: Vec::new(),
        micro: Vec::new(),
        explanations: Vec::new(),
        claims: 0,
        replications: Vec::new(),
        description: Description::default(),
        groups: vec![],
        curves: vec![],
        comparisons: vec![],
        effects: vec![],
        rivalries: vec![],
        baseline_spread: vec![],
        quality: Quality::default(),
    }
}

fn description() -> Description {
    Description {
        title: "Young brothers & others on the thesis's positions".into(),
        question: "How does time to depth fall with the number of processors?".into(),
        version: "0.1.0".into(),
        signature: 4_182_377,
        plan: "5d0c2e91".into(),
        cells: 640,
        suite: Some("thesis-10".into()),
        positions: (1..=10)
            .map(|place| PositionInfo {
                avoid: Vec::new(),
                id: format!("BK{place:02}"),
                fen: "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 1".into(),
                best: vec!["e2e4".into()],
            })
            .collect(),
        baseline: Baseline::Seeds(8),
        repetitions: 3,
        interval: IntervalKind::ThesePositions,
        axes: vec!["machine".into(), "strategy".into(), "threads".into()],
        command: "splitpoint run experiments/strategies.toml".into(),
        ..Description::default()
    }
}

/// Only searches by one processor.
pub(crate) fn baseline_only() -> Analysis {
    let analysis = Analysis {
        sizes: Vec::new(),
        micro: Vec::new(),
        explanations: Vec::new(),
        claims: 0,
        replications: Vec::new(),
        description: description(),
        groups: vec![group(MachineKind::Real, SEQUENTIAL, 1, 0.0)],
        curves: vec![Curve { label: SEQUENTIAL.into(), groups: vec![0], amdahl: None }],
        baseline_spread: vec![spread(0)],
        quality: Quality { cells: 80, real: 80, ..Quality::default() },
        ..empty()
    };
    Analysis { quality: Quality { arms: arms(&analysis), ..analysis.quality.clone() }, ..analysis }
}

fn spread(group: usize) -> BaselineSpread {
    let relative = |place: u32| (0..8).map(|run| 1.0 + 0.05 * f64::from((place + run) % 5) - 0.1).collect();
    BaselineSpread {
        group,
        relative_nodes: (1..=10).map(|place| (format!("BK{place:02}"), relative(place))).collect(),
        log_sd: Some(0.314),
    }
}

/// A baseline and three strategies at several numbers of processors, on one machine.
pub(crate) fn strategies(machine: MachineKind, numbers: &[u32]) -> Analysis {
    let mut analysis = Analysis { description: description(), ..empty() };
    analysis.groups.push(group(machine, SEQUENTIAL, 1, 0.0));
    for (strategy, exponent) in [("lazy", 0.7), ("ybwc", 0.85), ("abdada", 0.8)] {
        let mut groups = vec![0];
        for &threads in numbers {
            groups.push(analysis.groups.len());
            analysis.groups.push(group(machine, strategy, threads, exponent));
        }
        let amdahl = (numbers.len() > 2).then(|| Amdahl { serial: interval(0.041, 0.2), residual: 0.08 });
        analysis.curves.push(Curve { label: strategy.into(), groups, amdahl });
    }
    analysis.baseline_spread.push(spread(0));
    let records = analysis.groups.iter().map(|group| group.runs).sum();
    analysis.quality.cells = 640;
    match machine {
        MachineKind::Real => (analysis.quality.real, analysis.quality.arms) = (records, arms(&analysis)),
        MachineKind::Virtual => analysis.quality.virtual_records = records,
    }
    analysis
}

/// Both machines, with comparisons, effects, disturbances, failures and missing cells.
pub(crate) fn rich() -> Analysis {
    let mut analysis = strategies(MachineKind::Real, &[2, 4]);
    let simulated = strategies(MachineKind::Virtual, &[2, 4, 8, 16, 32, 64]);
    let offset = analysis.groups.len();
    analysis.groups.extend(simulated.groups);
    analysis.curves.extend(
        simulated
            .curves
            .into_iter()
            .map(|curve| Curve { groups: curve.groups.iter().map(|g| g + offset).collect(), ..curve }),
    );
    analysis.baseline_spread.push(spread(offset));
    analysis.comparisons = [(1, 1.231, 0.06, 0.004), (5, 1.034, 0.05, 0.41)]
        .into_iter()
        .map(|(group, ratio, share, p)| Comparison {
            group,
            reference: 3,
            field: "strategy".into(),
            value: analysis.groups[group].configuration.strategy.clone(),
            change: analysis.groups[group].configuration.strategy.clone(),
            speedup: None,
            from: "ybwc".into(),
            time: interval(ratio, share),
            nodes: interval(ratio * 0.99, share),
            time_p: Some(p),
            nps: None,
            nodes_p: Some(p * 2.0),
            regret: None,
        })
        .collect();
    analysis.effects = [("killers", 0.72, 0.0002), ("null-move", 0.31, 0.00001), ("internal-iteration", 0.99, 0.7)]
        .into_iter()
        .map(|(factor, ratio, p)| Effect {
            factor: factor.into(),
            threads: 64,
            machine: MachineKind::Virtual,
            setting: "virtual".into(),
            time: interval(ratio, 0.08),
            nodes: interval(ratio * 1.02, 0.07),
            time_p: Some(p),
            nodes_p: Some(p),
            aliases: if factor == "killers" { vec!["null-move x history".into()] } else { vec![] },
        })
        .collect();
    analysis.quality = Quality {
        cells: 640,
        missing: 3,
        failed: vec![("ybwc, 4 processors, BK07, seed 3".into(), "the virtual machine found a <deadlock>".into())],
        real: 260,
        disturbed: 7,
        reasons: vec![
            ("… % of the processor time that the search wanted was taken away".into(), 5),
            ("other programs kept … further processors busy".into(), 2),
        ],
        virtual_records: 620,
        arms: arms(&analysis),
        ..Quality::default()
    };
    analysis
}

/// Quality of the records of all groups on real machines: the parallel ones lost more than their baseline.
fn arms(analysis: &Analysis) -> Vec<Arm> {
    let arm = |(place, group): (usize, &Group)| {
        let mean = if group.configuration.is_baseline() { 0.002 } else { 0.031 };
        let taken = Some(Taken { records: 30, mean, worst: 3.0 * mean });
        let speedup = group.against_baseline.as_ref().map_or(Interval::unknown(f64::NAN), |one| one.time_speedup);
        Arm {
            group: place,
            records: 30,
            disturbed: if mean > 0.01 { 7 } else { 0 },
            unknown: 0,
            thrown_away: 2,
            disturbed_attempts: 9,
            taken,
            taken_from_all: taken,
            neighbours: Some(0.02),
            speedup,
            quiet_speedup: speedup,
            time_ratio: interval(1.03, 0.02),
            p: Some(0.2),
        }
    };
    let real = |(_, group): &(usize, &Group)| group.configuration.machine == MachineKind::Real;
    analysis.groups.iter().enumerate().filter(real).map(arm).collect()
}

/// Description of a computer, as a run folder has it.
pub(crate) fn environment() -> Value {
    json!({"sessions": [
        {
            "id": "2026-11-21T10-40-00", "version": "0.1.0", "command": "splitpoint run experiments/strategies.toml",
            "started": "2026-11-21T10:40:00Z",
            "host": {"name": "bench", "processor": "AMD EPYC 7B13", "kernel": "6.18.44", "logical_cpus": 4,
            "allowed": "0-3",
                "memory_bytes": 25_282_000_000_u64, "machine": "QEMU Standard PC", "virtual_machine": true,
                "governor": null},
            "findings": [
                {"severity": "serious", "what": "This is a virtual machine: others may take its processors at any \
                  moment.",
                    "remedy": "Measure on a machine of your own."},
                {"severity": "note", "what": "The clock is not told.", "remedy": ""},
            ],
            "costs": {"reference": {"name": "reference", "main_node": 250, "quiescence_node": 120, "evaluation": 80,
                "generation": 60, "probe_near": 5, "probe_shared_cache": 25, "probe_memory": 90, "lock_free": 20,
                "lock_handoff": 100, "wake_spin": 100, "wake_yield": 1500, "wake_park": 5000, "split": 300,
                "join": 200},
                "reference,lock_handoff*2": {"name": "reference,lock_handoff*2", "main_node": 250,
                "quiescence_node": 120,
                "evaluation": 80, "generation": 60, "probe_near": 5, "probe_shared_cache": 25, "probe_memory": 90,
                "lock_free": 20, "lock_handoff": 200, "wake_spin": 100, "wake_yield": 1500, "wake_park": 5000,
                "split": 300,
                "join": 200}}
        },
        {"id": "2026-11-22T09-00-00", "command": "splitpoint run --resume"},
    ]})
}

/// Charts with nothing in them but a line.
pub(crate) fn charts() -> Vec<Chart> {
    let chart = |name: &'static str, title: &str| Chart {
        name,
        title: title.into(),
        caption: format!(
            "{title}. Points are geometric means over positions, bars intervals of 95 % for these \
                          positions."
        ),
        inline: "<svg width=\"960\" height=\"600\" viewBox=\"0 0 960 600\" \
              xmlns=\"http://www.w3.org/2000/svg\">\
              <rect width=\"960\" height=\"600\" fill=\"#fff\"/><path d=\"M90 520 L900 60\" stroke=\"#0072b2\" \
              fill=\"none\"/>\
              <text x=\"480\" y=\"40\" font-size=\"24\" text-anchor=\"middle\">A chart</text></svg>\n"
            .into(),
        is_broad: name == "overhead",
        words: String::new(),
        svg: String::new(),
        png: Vec::new(),
    };
    vec![
        chart("time-speedup", "Time speedup by processors"),
        chart("processors", "How processors spent their time"),
        chart("overhead", "Work thrown away"),
    ]
}
