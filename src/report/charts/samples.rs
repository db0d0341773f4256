//! Analyses made up for tests: figures of the right size and shape, the same at every call.

use crate::analysis::{
    AgainstBaseline, Analysis, Arm, AtDepth, AtIteration, AtSize, BaselineSpread, Bin, ByDepth, BySize, Comparison,
    Curve, Distribution, Effect, Factor, Factors, Group, MicroFigure, PositionRow, Size, Sizes, Solving, Splitting,
    ThesisColumns,
};
use crate::counts::{Activity, Loss};
use crate::figures::{Averages, register};
use crate::published::{Published, THESIS_DEPTH};
use crate::record::{
    Baseline, Configuration, Defined, Depth, Description, Figure, IntervalKind, MachineKind, PositionInfo, SEQUENTIAL,
    Unit,
};
use crate::statistics::{Interval, Test};

/// A real machine.
pub const REAL: MachineKind = MachineKind::Real;
/// A virtual one.
pub const VIRTUAL: MachineKind = MachineKind::Virtual;

/// From -1 to 1, by no rule that can be seen.
fn wobble(seed: u64) -> f64 {
    let mixed = (seed.wrapping_add(0x9E37_79B9)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed >> 40) as f64) / f64::from(1 << 23) - 1.0
}

fn around(estimate: f64, share: f64) -> Interval {
    Interval { estimate, low: estimate * (1.0 - share), high: estimate * (1.0 + share * 1.2) }
}

fn factor(ratio: f64) -> Factor {
    Factor { ratio: around(ratio, 0.02), test: None }
}

/// Iteration of a search with so many nodes to the last depth, that takes 2.4 times as long with each ply.
fn iteration(depth: u32, last: f64) -> AtIteration {
    let growth = 2.4f64;
    let nodes = last * growth.powi(depth as i32 - 11);
    AtIteration {
        depth,
        nodes: around(nodes, 0.1),
        time_s: around(nodes / 2.9e6, 0.1),
        growth: Some(around(growth, 0.05)),
        over_minimum: Some(around(0.3 * f64::from(depth), 0.1)),
    }
}

/// Speedup where one processor takes 2^power seconds.
fn at_size(speedup: f64, power: i32) -> AtSize {
    let t1_s = 2.0_f64.powi(power);
    AtSize { t1_s, time_speedup: around(speedup * 1.1_f64.powi(power), 0.1), positions: 10 }
}

/// Time speedup at a depth on the way to depth 11.
fn at_depth(speedup: f64, depth: u32) -> Interval {
    around(speedup * 1.03_f64.powi(depth as i32 - 11), 0.05)
}

/// Time and share of positions solved by then.
fn solved_by(step: u32, speedup: f64) -> (f64, Interval) {
    let share = 0.1 * f64::from(step);
    let time = 1e-3 * 3_f64.powi(step as i32) / speedup;
    (time, Interval { estimate: share, low: share * 0.8, high: (share * 1.2).min(1.0) })
}

/// A configuration.
pub fn configuration(strategy: &str, threads: u32, machine: MachineKind) -> Configuration {
    let costs = (machine == VIRTUAL).then(|| Defined::new("smp-2004", "abc"));
    let sample = Configuration::sample(machine, strategy, threads);
    let features = "thesis-as-printed".into();
    Configuration { features, depth: Depth::Plies(11), costs, losses: true, ..sample }
}

/// A group whose search gets this much worse with processors.
pub fn group(configuration: Configuration, serial: f64, positions: usize) -> Group {
    let n = f64::from(configuration.threads);
    let seed = u64::from(configuration.threads) * 31 + (serial * 1e6) as u64;
    let is_baseline = configuration.strategy == SEQUENTIAL;
    let nodes = if is_baseline { 1.0 } else { 1.0 + serial * 3.0 * n.ln() + 0.01 * wobble(seed).abs() };
    let utilisation = 1.0 - serial * (n - 1.0) / (n + 4.0);
    let (productive, rate) = (1.0 - serial * 0.3, 1.0 - 0.004 * n.ln());
    let speedup = n * utilisation * productive * rate / nodes;
    let losses = Loss::ALL.iter().zip([0.3, 0.35, 0.05, 0.12, 0.1, 0.0]);
    let losses = losses.map(|(&class, share)| (register::of_loss(class), share * (nodes - 1.0) / nodes));
    let activities = [
        (Activity::Search, utilisation * productive),
        (Activity::Split, utilisation * (1.0 - productive)),
        (Activity::Lock, (1.0 - utilisation) * 0.1),
        (Activity::Idle, (1.0 - utilisation) * 0.6),
        (Activity::Wait, (1.0 - utilisation) * 0.2),
        (Activity::Other, (1.0 - utilisation) * 0.1),
    ];
    let activities = activities.map(|(activity, share)| (register::of_activity(activity), share));
    let nps = 2.9e6 * n * utilisation * productive * rate;
    let mean_nodes = 8.7e6 * nodes;
    let known = [
        (register::NODES, mean_nodes),
        (register::NPS, nps),
        (register::QUIESCENCE, 17.4),
        (register::ORDER, 91.0),
        (register::OVER_MINIMUM, 3.0),
        (register::STOP_LATENCY, 3e-6),
    ];
    Group {
        predicted: None,
        splitting: Default::default(),
        split_nodes: Vec::new(),
        pop: None,
        parallelism: None,
        regret: None,
        by_depth: (!is_baseline).then(|| ByDepth {
            depths: (6..=11).map(|depth| AtDepth { depth, time_speedup: at_depth(speedup, depth) }).collect(),
            per_ply: Some(around(1.03, 0.02)),
        }),
        by_size: (!is_baseline).then(|| BySize {
            sizes: (-4..=0).map(|power| at_size(speedup, power)).collect(),
            growth: Some(around(1.1, 0.05)),
            growth_test: Some(Test::alone(1e-4)),
            half_efficiency: None,
        }),
        strength: None,
        repricings: Vec::new(),
        iterations: (4..=11).map(|depth| iteration(depth, mean_nodes)).collect(),
        solving: Some(Solving {
            positions,
            solved: 0.7,
            median_s: Some(around(1.0 / speedup, 0.4)),
            curve: (0..=8).map(|step| solved_by(step, speedup)).collect(),
            speedup: (!is_baseline).then(|| around(speedup, 0.3)),
        }),
        label: configuration.strategy.to_string(),
        runs: positions * 8,
        positions,
        failed: 0,
        disturbed: 0,
        thesis: ThesisColumns {
            nps: Some(around(nps, 0.02)),
            nps_speedup: Some(around(nps / 2.9e6, 0.02)),
            nodes: Some(around(mean_nodes, 0.08)),
            nodes_ratio: Some(around(nodes, 0.1)),
            time_s: Some(around(mean_nodes / nps, 0.08)),
            time_speedup: Some(around(nps / 2.9e6 / nodes, 0.08)),
            hash_pct: Some(around(35.7 - 1.2 * n.ln(), 0.01)),
            order_pct: Some(around(91.7 - 0.3 * n.ln(), 0.001)),
            qn_pct: Some(around(17.4 + 0.3 * n.ln(), 0.01)),
        },
        means: Averages::sample(known.into_iter().chain(activities).chain(losses)),
        against_baseline: (!is_baseline).then(|| AgainstBaseline {
            time_speedup: around(speedup, 0.05 + 0.02 * n.ln()),
            speedup: None,
            nodes: around(nodes, 0.04),
            nps_speedup: around(nps / 2.9e6, 0.01),
            mean_of_ratios: Interval::unknown(speedup),
            tenths: [1.0, 2.0],
            median: speedup,
            t1_s: 1.0,
            nodes_1: 1e6,
            factors: Factors {
                processors: n,
                utilisation: factor(utilisation),
                productive: factor(productive),
                rate: factor(rate),
                nodes: factor(nodes),
            },
            same_move: Some(0.9),
            ..AgainstBaseline::ITSELF
        }),
        limited: Default::default(),
        by_position: (0..positions)
            .map(|place| {
                let factor = (0.3 * wobble(seed + 7 * place as u64)).exp();
                PositionRow {
                    position: position_id(place),
                    runs: 8,
                    cut: 0,
                    time_s: 3.0 / factor,
                    nodes: 8e6 / factor,
                    time_speedup: (!is_baseline).then_some(speedup * factor),
                    nodes_ratio: (!is_baseline).then_some(nodes / factor),
                    moves: vec![("e2e4".to_owned(), 8)],
                    z_score: Some(if place == 3 && n > 6.0 { 4.2 } else { wobble(seed + place as u64) }),
                    is_outlier: place == 3 && n > 6.0,
                }
            })
            .collect(),
        configuration,
    }
}

fn position_id(place: usize) -> String {
    format!("BK{:02}", place + 1)
}

fn empty_of(positions: usize) -> Analysis {
    Analysis {
        description: Description {
            title: "A test".to_owned(),
            suite: Some("thesis-10".to_owned()),
            positions: (0..positions)
                .map(|place| PositionInfo { id: position_id(place), ..PositionInfo::default() })
                .collect(),
            baseline: Baseline::Seeds(8),
            interval: IntervalKind::ThesePositions,
            ..Description::default()
        },
        ..Analysis::of(Description::default(), &[])
    }
}

/// Nothing at all.
pub fn empty() -> Analysis {
    empty_of(0)
}

/// A curve for each strategy over these numbers of processors, 1 of them the baseline.
pub fn processors(numbers: &[u32], strategies: &[&str], machine: MachineKind) -> Analysis {
    let mut analysis = empty_of(10);
    add_curves(&mut analysis, numbers, strategies, machine, 10);
    analysis
}

/// Analysis of strategies that were run on both machines.
pub fn mixed() -> Analysis {
    let mut analysis = processors(&[1, 2, 4], &["ybwc"], REAL);
    add_curves(&mut analysis, &[1, 2, 4, 8, 16, 24], &["ybwc", "lazy", "abdada"], VIRTUAL, 10);
    analysis
}

/// Adds real searches that all were disturbed.
pub fn disturb(analysis: &mut Analysis) {
    let nothing = Interval::unknown(f64::NAN);
    analysis.quality.arms.push(Arm {
        group: 1,
        records: 20,
        disturbed: 20,
        unknown: 0,
        thrown_away: 0,
        disturbed_attempts: 20,
        taken: None,
        taken_from_all: None,
        neighbours: None,
        speedup: nothing,
        quiet_speedup: nothing,
        time_ratio: nothing,
        test: None,
    });
}

/// Searches of the printed program as in the thesis, with what they foretell for its main machine.
pub fn explained(published: &Published) -> Analysis {
    let mut analysis = processors(&[1, 2, 4, 8, 16, 24], &["ybwc-as-printed"], VIRTUAL);
    for group in &mut analysis.groups {
        group.configuration.features = "thesis-as-printed".into();
        group.configuration.depth = Depth::Plies(THESIS_DEPTH);
        group.configuration.costs = Some("e15k".into());
        let n = f64::from(group.configuration.threads);
        let about = |estimate: f64, width: f64| Interval { estimate, low: estimate - width, high: estimate + width };
        let predicted = || {
            vec![
                about(1.0 + 0.1 * n, 0.02 * n),
                about(n.sqrt() * 2.0, 0.1 * n),
                about(-0.2 * n, 2.0),
                about(-0.1 * n, 1.0),
                about(0.1 * n, 1.0),
            ]
        };
        group.predicted = (n > 1.0).then(predicted);
    }
    analysis.beside(published)
}

/// Many positions of one game, on a suite that others published.
pub fn many_positions(suite: &str, positions: usize) -> Analysis {
    let mut analysis = empty_of(positions);
    analysis.description.suite = Some(suite.to_owned());
    analysis.description.interval = IntervalKind::PositionsLikeThese;
    add_curves(&mut analysis, &[1, 2, 4, 8, 16], &["ybwc", "lazy", "pv-split"], REAL, positions);
    analysis
}

fn add_curves(analysis: &mut Analysis, numbers: &[u32], strategies: &[&str], machine: MachineKind, positions: usize) {
    let first = analysis.curves.len();
    let mut baseline = None;
    for (place, strategy) in strategies.iter().enumerate() {
        let serial = 0.04 * (place + 1 + first) as f64;
        let mut groups = Vec::new();
        for &n in numbers {
            if n == 1 {
                let place = *baseline.get_or_insert_with(|| {
                    analysis.groups.push(group(configuration(SEQUENTIAL, 1, machine), 0.0, positions));
                    analysis.groups.len() - 1
                });
                groups.push(place);
            } else {
                analysis.groups.push(group(configuration(strategy, n, machine), serial, positions));
                groups.push(analysis.groups.len() - 1);
            }
        }
        analysis.curves.push(Curve { label: (*strategy).to_owned(), groups });
    }
    if let Some(group) = baseline {
        analysis.baseline_spread.push(BaselineSpread {
            group,
            relative_nodes: (0..positions)
                .map(|place| {
                    let run = |run: u64| (0.35 * wobble(run + 100 * place as u64 + 17 * group as u64)).exp();
                    (position_id(place), (0..8).map(run).collect())
                })
                .collect(),
            log_sd: Some(0.21),
        });
    }
}

/// Forty comparisons, halved and doubled costs among them, and effects of five switches.
pub fn comparisons() -> Analysis {
    let mut analysis = processors(&[1, 8], &["ybwc"], VIRTUAL);
    let reference = analysis.curves[0].groups[1];
    let mut add = |field: &str, value: String, seed: u64| {
        let place = analysis.groups.len();
        analysis.groups.push(group(configuration("ybwc", 8, VIRTUAL), 0.05, 10));
        let ratio = (0.3 * wobble(seed)).exp();
        let p = if (ratio - 1.0).abs() > 0.1 { 0.003 } else { 0.4 };
        analysis.comparisons.push(Comparison {
            group: place,
            reference,
            field: field.to_owned(),
            change: value.clone(),
            from: "ybwc".to_owned(),
            value: value.into(),
            speedup: Some(around(1.0 / ratio, 0.05)),
            time: around(ratio, 0.07),
            nodes: around(ratio.sqrt(), 0.05),
            time_contrast: None,
            nodes_contrast: None,
            time_test: Some(Test::alone(p)),
            sign_flip: None,
            nps: None,
            nodes_test: Some(Test::alone(p * 2.0)),
            regret: None,
        });
    };
    for draft in 1..=20 {
        add("strategy", format!("ybwc,minimum-draft={draft},maximum-helpers=3,copy=whole"), draft);
    }
    let costs = "node quiescence_node lock_handoff cache_miss copy_byte wake jitter probe store split";
    for (place, cost) in costs.split(' ').enumerate() {
        add("costs", format!("reference,{cost}*2"), 1000 + place as u64);
        add("costs", format!("reference,{cost}/2"), 2000 + place as u64);
    }
    for (place, factor) in ["null-move", "extensions", "shared-table", "killer-moves", "history"].iter().enumerate() {
        for threads in [1, 4, 16] {
            let seed = 3000 + 10 * place as u64 + u64::from(threads);
            analysis.effects.push(Effect {
                factor: (*factor).to_owned(),
                threads,
                machine: MachineKind::Virtual,
                setting: "virtual".to_owned(),
                time: around((0.5 * wobble(seed)).exp(), 0.08),
                nodes: around((0.4 * wobble(seed + 5)).exp(), 0.06),
                time_test: Some(Test::alone(0.01)),
                nodes_test: Some(Test::alone(0.01)),
                aliases: Vec::new(),
            });
        }
    }
    analysis
}

/// A parameter of a strategy with four values, on two numbers of processors.
pub fn sweep() -> Analysis {
    let mut analysis = empty_of(10);
    analysis.groups.push(group(configuration(SEQUENTIAL, 1, REAL), 0.0, 10));
    for draft in [1, 2, 4, 8] {
        let strategy = format!("ybwc,minimum-draft={draft}");
        let mut groups = vec![0];
        for threads in [4, 8] {
            groups.push(analysis.groups.len());
            let serial = 0.05 + 0.02 * f64::from(draft - 3).abs();
            analysis.groups.push(group(configuration(&strategy, threads, REAL), serial, 10));
        }
        analysis.curves.push(Curve { label: strategy, groups });
    }
    analysis
}

/// Four sizes of the table, on one processor and on eight.
pub fn hash_sizes() -> Analysis {
    let mut analysis = empty_of(10);
    for mebibytes in [4, 16, 64, 256] {
        let mut groups = Vec::new();
        for (strategy, threads) in [(SEQUENTIAL, 1), ("ybwc", 8)] {
            let configuration = Configuration { hash_mib: mebibytes, ..configuration(strategy, threads, REAL) };
            groups.push(analysis.groups.len());
            analysis.groups.push(group(configuration, 0.05 + 0.1 / f64::from(mebibytes), 10));
        }
        analysis.curves.push(Curve { label: format!("ybwc, {mebibytes} MiB"), groups });
    }
    analysis
}

/// Two boards whose copies carry more and more bytes, on 2 and on 8 processors, and a micro-measurement of both.
pub fn copies(numbers: &[u32]) -> Analysis {
    let mut analysis = empty_of(10);
    analysis.groups.push(group(configuration(SEQUENTIAL, 1, REAL), 0.0, 10));
    for (board, bytes) in [("bitboards", 224.0), ("mailbox", 518.0)] {
        let mut sweeps: Vec<Sizes> = Vec::new();
        for extra in [0, 1024, 16_384] {
            let mut groups = Vec::new();
            for &threads in numbers {
                let copy = Some(if extra == 0 { "trimmed".to_owned() } else { format!("trimmed+{extra}") });
                let configuration = Configuration { board: board.into(), copy, ..configuration("ybwc", threads, REAL) };
                let size = bytes + f64::from(extra);
                let (splitting, split_nodes) = (splitting(size), vec![cost_ratios()]);
                let of = Group { splitting, split_nodes, ..group(configuration, 0.05, 10) };
                groups.push(analysis.groups.len());
                let new = || Sizes { smallest: analysis.groups.len(), points: Vec::new(), one_percent: None };
                if extra == 0 {
                    sweeps.push(new());
                }
                let slowdown = around(1.0 + 1e-6 * f64::from(extra), 0.001);
                let place = groups.len() - 1;
                sweeps[place].points.push(Size { group: analysis.groups.len(), bytes: size, slowdown });
                analysis.groups.push(of);
            }
            analysis.curves.push(Curve { label: format!("ybwc, {board}, copy trimmed+{extra}"), groups });
        }
        analysis.sizes.extend(sweeps);
    }
    for (place, of) in ["middlegame 1", "middlegame 2", "endgame 1"].into_iter().enumerate() {
        let mean = around(0.9 + 0.1 * place as f64, 0.03);
        analysis.micro.push(MicroFigure {
            micro: "make-unmake".into(),
            figure: Figure {
                of: of.into(),
                board: Some("bitboards".into()),
                sliders: Some("rotated".into()),
                figure: "time of a move, to mailbox's".into(),
                unit: Unit::Ratio,
                estimate: mean.estimate,
                interval: Some([mean.low, mean.high]),
                published: Some(1.17),
                source: Some("table 2.2".into()),
            },
            runs: 3,
            mean,
        });
    }
    analysis
}

/// Split nodes that cost from a hundredth to all of the time there.
fn cost_ratios() -> Distribution {
    let shares = [0.1, 0.2, 0.4, 0.2, 0.1].into_iter();
    let sums = shares.clone().scan(0.0, |sum, share| {
        *sum += share;
        Some(*sum)
    });
    let bin = |(place, (share, up_to)): (i32, (f64, f64))| Bin {
        from: 4f64.powi(place - 3),
        below: Some(4f64.powi(place - 2)),
        count: (1000.0 * share) as u64,
        share: around(share, 0.01),
        up_to: around(up_to, 0.02),
    };
    Distribution { name: "cost_ratio", bins: (0..).zip(shares.zip(sums)).map(bin).collect() }
}

/// Cost of splits whose copies have this many bytes.
fn splitting(bytes: f64) -> Splitting {
    let of = |estimate: f64| Some(around(estimate, 0.1));
    Splitting {
        time_share: of(0.011),
        copy_share: of(0.0004 + 1e-8 * bytes),
        copy_share_together: of(0.0004 + 1e-8 * bytes),
        node_share: of(0.02),
        bytes: of(bytes),
        copy_ns: of(334.0),
        stages: [820.0, 35.0, 1400.0, 5200.0, 24.0, 310.0, 260.0].map(of),
        cost_ns: of(3000.0),
        held_ns: of(900.0),
        costly_share: of(0.1),
        superfluous: of(700.0),
    }
}
