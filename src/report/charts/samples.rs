//! Analyses of searches made up for tests: records of the right size and shape, the same at every call.

mod search;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use crate::analysis::Analysis;
use crate::analysis::samples::{self, real, record};
use crate::published::{Published, THESIS_DEPTH};
use crate::record::axes::BOARD;
use crate::record::{
    Baseline, CellResult, Configuration, Defined, Depth, Description, Factorial, Figure, IntervalKind, MachineKind,
    PositionInfo, Record, Reference, SEQUENTIAL, Unit,
};
use crate::statistics::Interval;

use search::{Search, wobble};

/// A real machine.
pub const REAL: MachineKind = MachineKind::Real;
/// A virtual one.
pub const VIRTUAL: MachineKind = MachineKind::Virtual;

/// Number of searches of each position.
const SEEDS: u32 = 2;
/// Move that solves a position, and one that does not.
const MOVES: [&str; 2] = ["e2e4", "d2d4"];

/// Searches of six positions: on one node, and on four that push or ask the home of an entry, by latency.
pub fn nodes() -> Analysis {
    let on = |threads: u32, costs: &str, scheme: &str| {
        let configuration = samples::configuration("teams", threads);
        Configuration { costs: Some(costs.into()), scheme: scheme.to_owned(), ..configuration }
    };
    let mut cells = vec![(on(2, "reference", "lockless"), 600)];
    for (latency_ns, push_s, home_s) in [(0, 300, 250), (1500, 310, 590), (30_000, 320, 2_400)] {
        let costs = format!("reference,network=infiniband,net_latency={latency_ns},processors_per_node=2");
        cells.push((on(8, &costs, "lockless,exchange=push"), push_s));
        cells.push((on(8, &costs, "lockless,exchange=home"), home_s));
    }
    cells.push((on(4, "reference,network=10gbe,processors_per_node=2", "lockless"), 400));
    let mut records: Vec<Record> = Vec::new();
    for place in 0..6 {
        for (at, (configuration, seconds)) in cells.iter().enumerate() {
            let seconds = seconds + 5 * ((place + at as u64) % 5);
            let position = format!("position {place}");
            records.push(record(records.len() as u64, configuration, &position, 0, (seconds, 1000)));
        }
    }
    let description = Description { interval: IntervalKind::PositionsLikeThese, ..Description::default() };
    Analysis::of(description, &records)
}

/// A configuration.
pub fn configuration(strategy: &str, threads: u32, machine: MachineKind) -> Configuration {
    let (features, depth) = ("thesis-as-printed".into(), Depth::Plies(THESIS_DEPTH));
    let shared = Configuration { features, depth, losses: true, ..samples::configuration(strategy, threads) };
    let made = match machine {
        REAL => real(&shared),
        VIRTUAL => Configuration { costs: Some(Defined::new("smp-2004", "abc")), ..shared },
    };
    if threads == 1 { made.baseline() } else { made }
}

fn position_id(place: usize) -> String {
    format!("BK{:02}", place + 1)
}

/// An experiment that grows configuration by configuration.
#[derive(Debug)]
struct Sample {
    description: Description,
    /// Configurations, and how much they get worse with processors.
    searched: Vec<(Configuration, f64)>,
    /// Records of what is no search.
    others: Vec<Record>,
}

impl Sample {
    fn of(positions: usize) -> Self {
        let best = vec![MOVES[0].to_owned()];
        let position = |place| PositionInfo { id: position_id(place), best: best.clone(), ..PositionInfo::default() };
        let description = Description {
            title: "A test".to_owned(),
            suite: Some("thesis-10".to_owned()),
            positions: (0..positions).map(position).collect(),
            baseline: Baseline::Seeds(SEEDS),
            interval: IntervalKind::ThesePositions,
            axes: vec!["strategy".to_owned(), "threads".to_owned()],
            ..Description::default()
        };
        Self { description, searched: Vec::new(), others: Vec::new() }
    }

    /// Adds a configuration that gets this much worse with processors, unless it is there.
    fn add(&mut self, configuration: Configuration, serial: f64) {
        if self.searched.iter().all(|(other, _)| *other != configuration) {
            self.searched.push((configuration, serial));
        }
    }

    /// Adds a curve for each strategy over these numbers of processors, 1 of them the baseline.
    fn add_curves(&mut self, numbers: &[u32], strategies: &[&str], machine: MachineKind) {
        for (place, strategy) in strategies.iter().enumerate() {
            for &n in numbers {
                self.add(configuration(strategy, n, machine), 0.04 * (place + 1) as f64);
            }
        }
    }

    /// Analysis of the experiment, computed for the first who asks for it.
    fn analysis(&self) -> Analysis {
        type Known = HashMap<String, Arc<OnceLock<Analysis>>>;
        static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
        let known = Arc::clone(KNOWN.lock().unwrap().entry(format!("{self:?}")).or_default());
        known.get_or_init(|| self.analysed()).clone()
    }

    fn analysed(&self) -> Analysis {
        let mut records = Vec::new();
        for (configuration, serial) in &self.searched {
            for place in 0..self.description.positions.len() {
                for seed in 0..SEEDS.into() {
                    records.push(Search::of(configuration, *serial, place, seed).record(records.len() as u64));
                }
            }
        }
        records.extend(self.others.iter().cloned());
        let cells = records.len() as u64;
        Analysis::of(Description { cells, own_cells: cells, ..self.description.clone() }, &records)
    }
}

/// Nothing at all.
pub fn empty() -> Analysis {
    Sample::of(0).analysis()
}

/// A curve for each strategy over these numbers of processors, 1 of them the baseline.
pub fn processors(numbers: &[u32], strategies: &[&str], machine: MachineKind) -> Analysis {
    let mut sample = Sample::of(10);
    sample.add_curves(numbers, strategies, machine);
    sample.analysis()
}

/// Analysis of strategies that were run on both machines.
pub fn mixed() -> Analysis {
    let mut sample = Sample::of(10);
    sample.add_curves(&[1, 2, 4], &["ybwc"], REAL);
    sample.add_curves(&[1, 2, 4, 8, 16, 24], &["ybwc", "lazy", "abdada"], VIRTUAL);
    sample.analysis()
}

/// Says of all real searches that they were disturbed.
pub fn disturb(analysis: &mut Analysis) {
    for arm in &mut analysis.quality.arms {
        (arm.disturbed, arm.disturbed_attempts) = (arm.records, arm.records);
    }
}

/// Searches of the printed program as in the thesis, on its main machine.
pub fn explained(published: &Published) -> Analysis {
    let mut sample = Sample::of(10);
    for n in [1, 2, 4, 8, 16, 24] {
        let costs = Some("e15k".into());
        sample.add(Configuration { costs, ..configuration("ybwc-as-printed", n, VIRTUAL) }, 0.04);
    }
    sample.analysis().beside(published)
}

/// Many positions, on a suite that others published.
pub fn many_positions(suite: &str, positions: usize) -> Analysis {
    let mut sample = Sample::of(positions);
    sample.description.suite = Some(suite.to_owned());
    sample.description.interval = IntervalKind::PositionsLikeThese;
    sample.add_curves(&[1, 4, 16], &["ybwc", "lazy", "pv-split"], REAL);
    sample.analysis()
}

/// Forty comparisons, halved and doubled costs among them, and effects of five switches.
pub fn comparisons() -> Analysis {
    let mut sample = Sample::of(10);
    sample.add_curves(&[1, 8], &["ybwc"], VIRTUAL);
    let reference = configuration("ybwc", 8, VIRTUAL);
    let fields = ["strategy", "costs"].map(|field| (field.to_owned(), reference.field(field)));
    sample.description.references = vec![Reference { fields: fields.into(), ..Reference::default() }];
    let serial = |seed: u64| 0.05 * (1.0 + 0.9 * wobble(seed));
    for draft in 1..=20 {
        let strategy = format!("ybwc,minimum-draft={draft},maximum-helpers=3,copy=whole");
        sample.add(configuration(&strategy, 8, VIRTUAL), serial(draft));
    }
    let costs = "node quiescence_node lock_handoff cache_miss copy_byte wake jitter probe store split";
    for (cost, seed) in costs.split(' ').zip(1000..) {
        for (change, seed) in [("*2", seed), ("/2", seed + 1000)] {
            let costs = Some(Defined::new(format!("smp-2004,{cost}{change}"), "other"));
            sample.add(Configuration { costs, ..reference.clone() }, serial(seed));
        }
    }
    let factors = ["null-move", "extensions", "shared-table", "killer-moves", "history"].map(str::to_owned);
    let run = |number: u32| {
        let [a, b, c] = [0, 1, 2].map(|bit| number >> bit & 1 == 1);
        let levels = vec![a, b, c, a == b, a == c];
        let off = factors.iter().zip(&levels).filter(|(_, is_on)| !**is_on).map(|(factor, _)| format!(",-{factor}"));
        (format!("modern{}", off.collect::<String>()), levels)
    };
    let runs: Vec<(String, Vec<bool>)> = (0..8).map(run).collect();
    for (features, threads) in runs.iter().flat_map(|(features, _)| [1, 16].map(|threads| (features, threads))) {
        let features = features.as_str().into();
        sample.add(Configuration { features, ..configuration("ybwc", threads, VIRTUAL) }, 0.04);
    }
    let field = "features".to_owned();
    sample.description.factorials = vec![Factorial { field, factors: factors.into(), runs }];
    sample.analysis()
}

/// Two boards in simulated time, which differ by the bytes of their copies.
pub fn boards() -> Analysis {
    let mut sample = Sample::of(10);
    let board = [(BOARD.name.to_owned(), "array".to_owned())];
    sample.description.references = vec![Reference { fields: board.into(), ..Reference::default() }];
    for (board, serial) in [("array", 0.05), ("pieces-rotated", 0.051)] {
        for threads in [1, 8, 24] {
            sample.add(Configuration { board: board.into(), ..configuration("ybwc", threads, VIRTUAL) }, serial);
        }
    }
    sample.analysis()
}

/// Features left out one by one, on one processor.
pub fn features() -> Analysis {
    let mut sample = Sample::of(10);
    let fields = [("features".to_owned(), "modern".to_owned())];
    sample.description.references = vec![Reference { fields: fields.into(), ..Reference::default() }];
    for features in ["modern", "modern,-null-move", "modern,-null-move,-history"] {
        sample.add(Configuration { features: features.into(), ..configuration(SEQUENTIAL, 1, VIRTUAL) }, 0.0);
    }
    sample.analysis()
}

/// Searches that count torn entries, with locks on the table and without.
pub fn torn() -> Analysis {
    let mut sample = Sample::of(10);
    for scheme in ["lockless", "striped"] {
        for threads in [1, 4, 24] {
            let shared = configuration("ybwc", threads, VIRTUAL);
            sample.add(Configuration { scheme: scheme.to_owned(), audit: true, ..shared }, 0.05);
        }
    }
    sample.analysis()
}

/// A parameter of a strategy with four values, on two numbers of processors.
pub fn sweep() -> Analysis {
    let mut sample = Sample::of(10);
    for draft in [1, 2, 4, 8] {
        let strategy = format!("ybwc,minimum-draft={draft}");
        for threads in [1, 4, 8] {
            let serial = 0.05 + 0.02 * f64::from(draft - 3).abs();
            sample.add(configuration(&strategy, threads, REAL), serial);
        }
    }
    sample.analysis()
}

/// Four sizes of the table, on one processor and on eight.
pub fn hash_sizes() -> Analysis {
    let mut sample = Sample::of(10);
    for hash_mib in [4, 16, 64, 256] {
        for threads in [1, 8] {
            let serial = 0.05 + 0.1 / f64::from(hash_mib);
            sample.add(Configuration { hash_mib, ..configuration("ybwc", threads, REAL) }, serial);
        }
    }
    sample.analysis()
}

/// Two boards whose copies carry more and more bytes, on these numbers of processors, and a micro-measurement of both.
pub fn copies(numbers: &[u32]) -> Analysis {
    let mut sample = Sample::of(10);
    for board in ["bitboards", "mailbox"] {
        for copy in ["trimmed", "trimmed+1024", "trimmed+16384"] {
            for threads in [1].iter().chain(numbers) {
                let shared = configuration("ybwc", *threads, REAL);
                let copy = (*threads > 1).then(|| copy.to_owned());
                sample.add(Configuration { board: board.into(), copy, ..shared }, 0.05);
            }
        }
    }
    let figure = |(of, estimate): (&str, f64)| {
        let ratio = Interval { estimate, low: 0.97 * estimate, high: 1.036 * estimate };
        let figure = Figure::measured(of, "time of a move, to mailbox's", Unit::Ratio, ratio);
        figure.on("bitboards", Some("rotated")).beside(Some(1.17), "table 2.2")
    };
    let figures = [("middlegame 1", 0.9), ("middlegame 2", 1.0), ("endgame 1", 1.1)].map(figure);
    let micro = Configuration { micro: Some("make-unmake".into()), ..Configuration::default() };
    let record = record(u64::MAX, &micro, "", 0, (0, 0));
    sample.others.push(Record { result: CellResult::Micro(figures.into()), ..record });
    sample.analysis()
}
