//! Analyses of searches made up for tests: records of the right size and shape, the same at every call.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use serde_json::json;

use crate::analysis::Analysis;
use crate::analysis::samples::{self, measured, quiet, real, record};
use crate::counts::{Activities, Activity, Bins, Distributions, Loss, RATIO_PARTS, SplitTimes};
use crate::published::{Published, THESIS_DEPTH};
use crate::record::{
    Baseline, Busiest, CellResult, Configuration, Defined, Depth, DepthAnswer, Description, Factorial, Figure,
    IntervalKind, MachineKind, Measured, NamedCounts, PositionInfo, Record, Reference, SEQUENTIAL, Sharing, Unit,
};
use crate::statistics::Interval;

/// A real machine.
pub const REAL: MachineKind = MachineKind::Real;
/// A virtual one.
pub const VIRTUAL: MachineKind = MachineKind::Virtual;

/// Number of searches of each position.
const SEEDS: u32 = 2;
/// Nodes of one processor, and its nodes a second.
const NODES: f64 = 8.7e6;
const NPS: f64 = 2.9e6;
/// Move that solves a position, and one that does not.
const MOVES: [&str; 2] = ["e2e4", "d2d4"];

/// From -1 to 1, by no rule that can be seen.
fn wobble(seed: u64) -> f64 {
    let mixed = (seed.wrapping_add(0x9E37_79B9)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed >> 40) as f64) / f64::from(1 << 23) - 1.0
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

/// Search made up of what the number of processors, and the share of the work that they cannot share, make of one.
struct Search<'a> {
    configuration: &'a Configuration,
    place: usize,
    seed: u64,
    /// Number of processors.
    n: f64,
    /// Beginning of what is chosen by chance: another one, other runs.
    key: u64,
    /// Tree relative to that of one processor.
    extra: f64,
    utilisation: f64,
    productive: f64,
    nodes: f64,
    time_ns: f64,
}

impl<'a> Search<'a> {
    /// Search of a configuration that gets this much worse with processors.
    fn of(configuration: &'a Configuration, serial: f64, place: usize, seed: u64) -> Self {
        let n = f64::from(configuration.threads);
        let key = u64::from(configuration.threads) * 31 + (serial * 1e6) as u64;
        let extra = 1.0 + serial * 3.0 * n.ln();
        let (utilisation, productive) = (1.0 - serial * (n - 1.0) / (n + 4.0), 1.0 - serial * 0.3);
        // Bytes that a copy carries cost time at every node.
        let rate = (1.0 - 0.004 * n.ln()) * (-1e-6 * added_bytes(configuration)).exp();
        // A feature that is left out makes the tree larger, and on many processors one position is far from the others.
        let left_out = configuration.features.changes().count() as i32;
        let odd = if place == 3 && n > 6.0 { 0.4 } else { 1.0 };
        let chance = 0.15 * wobble(key + 7 * place as u64) + 0.2 * wobble(key + 1000 + 100 * place as u64 + seed);
        let nodes = NODES * extra * 1.2_f64.powi(left_out) * chance.exp();
        let time_ns = nodes / (NPS * n * utilisation * productive * rate) * odd * 1e9;
        Self { configuration, place, seed, n, key, extra, utilisation, productive, nodes, time_ns }
    }

    fn record(&self, index: u64) -> Record {
        let seconds_and_nodes = (0, self.nodes as u64);
        let mut record = record(index, self.configuration, &position_id(self.place), self.seed, seconds_and_nodes);
        let (time_ns, busy) = (self.time_ns as u64, (1.05 * self.utilisation).min(1.0) * self.time_ns);
        let answers: Vec<DepthAnswer> = (1..=THESIS_DEPTH).map(|depth| self.answer(depth)).collect();
        let losses = Loss::ALL.iter().zip([0.2, 0.25, 0.05, 0.08, 0.05, 0.0]);
        let lost = |share: f64| (share * (1.0 - 1.0 / self.extra) * self.nodes) as u64;
        let losses: serde_json::Map<_, _> =
            losses.map(|(class, share)| (class.name().to_owned(), lost(share).into())).collect();
        let measured = measured(&mut record);
        *measured = Measured {
            bestmove: answers.last().and_then(|answer| answer.bestmove.clone()),
            depth: THESIS_DEPTH,
            time_ns,
            elapsed_ns: time_ns,
            answers,
            activities: self.activities(),
            losses: NamedCounts::of(losses),
            counters: self.counters(),
            sharing: self.sharing(),
            table_used_permille: Some(500),
            busiest: Some(Busiest {
                mean_search: self.utilisation * self.productive * self.time_ns,
                longest_search: self.productive * busy,
                longest_work: busy,
            }),
            ..measured.clone()
        };
        record.cell.depth = Some(THESIS_DEPTH);
        if self.configuration.machine == REAL { quiet(record) } else { record }
    }

    /// Answer on the way: each ply takes 2.4 times as long, and a little less of what is shared. Seven of ten positions
    /// are solved, at depths that differ.
    fn answer(&self, depth: u32) -> DepthAnswer {
        let before = f64::from(THESIS_DEPTH - depth);
        let (share, gain) = (2.4_f64.powf(-before), if self.n > 1.0 { 1.03_f64.powf(before) } else { 1.0 });
        let found = 6.0 + 4.0 * wobble(self.key + 5000 + 10 * self.place as u64 + self.seed);
        let is_solved = self.place % 10 < 7 && f64::from(depth) >= found;
        let nodes = self.nodes * share / self.n;
        DepthAnswer {
            depth,
            time_ns: (self.time_ns * share * gain) as u64,
            bestmove: Some(MOVES[usize::from(!is_solved)].into()),
            nodes: nodes as u64,
            leaves: (0.275 * nodes) as u64,
            ..DepthAnswer::default()
        }
    }

    fn activities(&self) -> Activities {
        let (utilisation, productive) = (self.utilisation, self.productive);
        let mut activities = Activities::default();
        for (activity, share) in [
            (Activity::Search, utilisation * productive),
            (Activity::Split, utilisation * (1.0 - productive)),
            (Activity::Lock, (1.0 - utilisation) * 0.1),
            (Activity::Idle, (1.0 - utilisation) * 0.6),
            (Activity::Wait, (1.0 - utilisation) * 0.2),
            (Activity::Other, (1.0 - utilisation) * 0.1),
        ] {
            activities[activity] = (share * self.n * self.time_ns) as u64;
        }
        activities
    }

    fn counters(&self) -> NamedCounts {
        let chance = 2.0 * wobble(self.key + 9000 + 10 * self.place as u64 + self.seed);
        let of = |percent: f64, all: f64| ((percent + chance) / 100.0 * all) as u64;
        let quiescence = of(17.4 + 0.3 * self.n.ln(), self.nodes);
        let (main, splits) = (self.nodes as u64 - quiescence, self.splits());
        NamedCounts::of(json!({
            "main_nodes": main, "quiescence_nodes": quiescence, "quiescence_tried": quiescence,
            "tier_hits": of(35.7 - 1.2 * self.n.ln(), main as f64), "probes": main,
            "found": main / 2, "deep": main / 3, "ended": main / 4,
            "cutoffs": { "all": main, "first": of(91.7 - 0.3 * self.n.ln(), main as f64) },
            "leaves": (0.275 * self.nodes) as u64, "counted_nodes": 1000, "counted_moves": 9000,
            "stops": 1000, "stop_ns": 3_000_000,
            "splits": { "made": splits as u64, "cut": (splits * 0.5) as u64, "joined": splits as u64 },
            "copied_bytes": (splits * bytes(self.configuration)) as u64,
        }))
    }

    fn splits(&self) -> f64 {
        if self.n > 1.0 { (self.nodes / 1000.0).floor() } else { 0.0 }
    }

    /// Times of splits and their cost, from a hundredth to all of the time there, where the form of copies is chosen.
    fn sharing(&self) -> Sharing {
        if self.configuration.copy.is_none() {
            return Sharing::default();
        }
        let splits = self.splits();
        let count = splits as u64;
        let chance = 1.0 + 0.1 * wobble(self.key + 13_000 + 10 * self.place as u64 + self.seed);
        let ns = |each: f64| (each * chance * splits) as u64;
        let copy_ns = ns(334.0 + 0.02 * bytes(self.configuration));
        let times = SplitTimes {
            opened: count,
            packs: count,
            paid: count,
            copies: count,
            again: count,
            came: count,
            joins: count,
            open_ns: ns(820.0 + 35.0 + 1400.0),
            pack_ns: ns(35.0),
            call_ns: ns(1400.0),
            copy_ns,
            first_ns: copy_ns,
            again_ns: ns(24.0),
            notice_ns: ns(5200.0),
            join_ns: copy_ns + ns(260.0),
            open_held_ns: ns(500.0),
            join_held_ns: ns(400.0),
            cost_ns: ns(3000.0),
            span_ns: ns(150_000.0),
            ..SplitTimes::default()
        };
        let mut cost_ratio = Bins::default();
        for (part, shared) in [(64, 1), (16, 2), (4, 4), (2, 2), (1, 1)] {
            (0..shared).for_each(|_| cost_ratio.count(RATIO_PARTS / part));
        }
        let distributions = Distributions { cost_ratio, ..Distributions::default() };
        Sharing { times: Some(times), distributions: Some(Box::new(distributions)) }
    }
}

/// Bytes that are added to each copy of a position, by its form: `trimmed+1024`.
fn added_bytes(configuration: &Configuration) -> f64 {
    let added = configuration.copy.as_ref().and_then(|copy| copy.split('+').nth(1)?.parse().ok());
    added.unwrap_or(0.0)
}

/// Bytes of a copy.
fn bytes(configuration: &Configuration) -> f64 {
    let own = if configuration.board == "mailbox" { 518.0 } else { 224.0 };
    own + added_bytes(configuration)
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
    sample.add_curves(&[1, 2, 4, 8, 16], &["ybwc", "lazy", "pv-split"], REAL);
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
    for (features, threads) in runs.iter().flat_map(|(features, _)| [1, 4, 16].map(|threads| (features, threads))) {
        let features = features.as_str().into();
        sample.add(Configuration { features, ..configuration("ybwc", threads, VIRTUAL) }, 0.04);
    }
    let field = "features".to_owned();
    sample.description.factorials = vec![Factorial { field, factors: factors.into(), runs }];
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
