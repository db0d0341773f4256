//! What the records of an experiment say: every figure of its tables and charts, computed once.
//!
//! A *group* is a configuration with all its records. Groups that differ in the number of processors only are a *curve*.
//! Where a figure is a ratio it is a geometric mean over positions of means over runs, with the experiment's kind of
//! interval; the columns of the thesis are arithmetic means over positions, as it has them.

pub(in crate::report) mod comparisons;
mod effects;
pub(in crate::report) mod grouping;
pub(in crate::report) mod labels;
#[cfg(test)]
pub(in crate::report) mod made;
mod means;
mod quality;
pub(in crate::report) mod ratios;
pub(in crate::report) mod scope;
mod spread;
#[cfg(test)]
mod tests;
mod thesis_intervals;

use std::collections::BTreeMap;

use crate::record::{Configuration, Description, Factorial, Record};
use crate::statistics::{Interval, LEVEL, fit_amdahl};

use grouping::{Gathered, Gathering};
use scope::Holds;

/// All that is known of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// What was asked.
    pub description: Description,
    /// Every configuration, in the order of the plan; baselines included.
    pub groups: Vec<Group>,
    /// Groups that differ in the number of processors only. Each begins with its baseline, if there is one.
    pub curves: Vec<Curve>,
    /// Each group against the experiment's reference, where it has one and they differ in one field only.
    pub comparisons: Vec<Comparison>,
    /// What each switch of a factorial design does.
    pub effects: Vec<Effect>,
    /// How the searches of the baseline differ among themselves.
    pub baseline_spread: Vec<BaselineSpread>,
    /// How well the records can be trusted.
    pub quality: Quality,
}

impl Analysis {
    /// What these records of an experiment say. They may come in any order, and of several attempts at a cell one counts.
    pub fn of(description: Description, records: &[Record]) -> Self {
        let holds = Holds::of(&description);
        let cells = grouping::cells(records);
        let gathering = Gathering::of(&description, &cells);
        let labels = labels::of_gathering(&gathering, &description.axes, &description.names);
        let group = |(group, label): (&Gathered<'_>, &String)| Group::of(group, label, &gathering, holds);
        let groups: Vec<Group> = gathering.groups.iter().zip(&labels).map(group).collect();
        let mut curves = labels::curves(&gathering, &labels);
        curves.iter_mut().for_each(|curve| curve.amdahl = fitted(curve, &groups));
        let comparisons = comparisons::comparisons(&description, &gathering, holds);
        let effects = effects::effects(&description, &gathering, holds);
        leave_out_designs(&mut curves, &groups, &comparisons, &description);
        let baseline_spread = spread::spreads(&gathering);
        let quality = quality::quality(&description, &cells, &gathering, &labels);
        Self { groups, curves, comparisons, effects, baseline_spread, quality, description }
    }
}

impl Group {
    fn of(gathered: &Gathered<'_>, label: &str, gathering: &Gathering<'_>, holds: Holds) -> Self {
        let baseline = gathering.find(&gathered.configuration.baseline()).map(|at| &gathering.groups[at]);
        // What others are divided by is not divided by itself, but for the column in which the thesis shows a 1.
        let divisor = baseline.filter(|_| !gathered.configuration.is_baseline());
        let pair = divisor.map(|baseline| ratios::Pair { group: gathered, baseline });
        Self {
            configuration: gathered.configuration.clone(),
            label: label.to_owned(),
            runs: gathered.all().count(),
            positions: gathered.runs.iter().filter(|runs| !runs.is_empty()).count(),
            failed: gathered.failed.len(),
            disturbed: gathered.all().filter(|run| !run.record.is_quiet()).count(),
            thesis: means::thesis_row(gathered, baseline),
            thesis_intervals: thesis_intervals::thesis_intervals(gathered, baseline, holds),
            means: means::means(gathered),
            against_baseline: pair.and_then(|pair| pair.against_baseline(holds)),
            by_position: ratios::by_position(gathered, divisor, &gathering.positions),
        }
    }
}

/// Runs of a factorial design are there for its effects, which have a table of their own: one by one they answer nothing.
/// Those that something is compared with stay, and so do all if nothing else would be left.
fn leave_out_designs(curves: &mut Vec<Curve>, groups: &[Group], comparisons: &[Comparison], description: &Description) {
    let is_compared = |group: &usize| comparisons.iter().any(|one| one.group == *group || one.reference == *group);
    let is_of_design = |group: &usize| {
        let is_run = |factorial: &Factorial| {
            let value = groups[*group].configuration.field(&factorial.field);
            factorial.runs.iter().any(|(run, _)| *run == value)
        };
        description.factorials.iter().any(is_run) && !is_compared(group)
    };
    let stays = |curve: &Curve| {
        let shared = curve.groups.iter().filter(|&&group| !groups[group].configuration.is_baseline());
        !shared.clone().all(is_of_design) || shared.count() == 0
    };
    if curves.iter().any(stays) {
        curves.retain(stays);
    }
}

/// Amdahl's law for the speedups of a curve.
fn fitted(curve: &Curve, groups: &[Group]) -> Option<Amdahl> {
    let point = |&at: &usize| {
        let group = &groups[at];
        Some((f64::from(group.configuration.threads), group.against_baseline.as_ref()?.time_speedup.estimate))
    };
    let points: Vec<(f64, f64)> = curve.groups.iter().filter_map(point).collect();
    fit_amdahl(&points, LEVEL).map(|serial| Amdahl { serial })
}

/// A configuration, and what all its records say.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The configuration.
    pub configuration: Configuration,
    /// What distinguishes it in this experiment, without the number of processors: `ybwc, mailbox`.
    pub label: String,
    /// Records with a measurement that count.
    pub runs: usize,
    /// Positions that were measured, of all.
    pub positions: usize,
    /// Cells that failed.
    pub failed: usize,
    /// Records that count although something disturbed them.
    pub disturbed: usize,
    /// The columns of the thesis.
    pub thesis: ThesisRow,
    /// Their intervals, of the experiment's kind.
    pub thesis_intervals: ThesisIntervals,
    /// Arithmetic means by our own definitions.
    pub means: Means,
    /// Ratios to the baseline; nothing for the baseline itself and where there is none.
    pub against_baseline: Option<AgainstBaseline>,
    /// What each position says.
    pub by_position: Vec<PositionRow>,
}

/// The columns of the thesis's tables: arithmetic means over positions of means over runs, by its definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThesisRow {
    /// Nodes a second: the mean of those of positions.
    pub nps: f64,
    /// Relative to the mean of the baseline's: the thesis's "speedup".
    pub nps_speedup: Option<f64>,
    /// Nodes, quiescence moves counted when tried.
    pub nodes: f64,
    /// Seconds of the machine.
    pub time_s: f64,
    /// Hash hits by the thesis's formula, in hundredths.
    pub hash_pct: f64,
    /// Move ordering by the thesis's formula, in hundredths.
    pub order_pct: f64,
    /// The share of quiescence by the thesis's formula, in hundredths.
    pub qn_pct: f64,
}

/// Intervals of the columns of the thesis, and of the nodes relative to the baseline; nothing where there is nothing to say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThesisIntervals {
    /// Of nodes a second.
    pub nps: Option<Interval>,
    /// Of the thesis's "speedup".
    pub nps_speedup: Option<Interval>,
    /// Of nodes.
    pub nodes: Option<Interval>,
    /// Of nodes relative to the baseline's.
    pub nodes_ratio: Option<Interval>,
    /// Of seconds.
    pub time_s: Option<Interval>,
    /// Of hash hits.
    pub hash_pct: Option<Interval>,
    /// Of move ordering.
    pub order_pct: Option<Interval>,
    /// Of the share of quiescence.
    pub qn_pct: Option<Interval>,
}

/// Arithmetic means over positions of means over runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Means {
    /// Nodes a second.
    pub nps: f64,
    /// Nodes.
    pub nodes: f64,
    /// Seconds of the machine.
    pub time_s: f64,
    /// The share of quiescence in nodes, in hundredths.
    pub qn_pct: f64,
    /// Probes that ended the node, in hundredths of all.
    pub hash_pct: f64,
    /// Nodes that the first move cut, in hundredths of those that a move cut.
    pub order_pct: f64,
    /// Shares of all processors' time by activity, from 0 to 1: search, split, lock, idle, wait, other.
    pub activities: [f64; 6],
    /// Nodes by class of loss, as shares of all nodes.
    pub losses: BTreeMap<String, f64>,
    /// Split points made in a million nodes.
    pub splits_per_million: f64,
    /// Of those, the share at which a move cut.
    pub cut_share: Option<f64>,
    /// Helpers a split point.
    pub helpers: Option<f64>,
    /// Microseconds from a cutoff to the moment a worker noticed.
    pub stop_latency_us: Option<f64>,
    /// What the transposition table gave.
    pub table: TableMeans,
}

/// What probes of the transposition table gave: arithmetic means over positions of means over runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TableMeans {
    /// Probes that found the position, that found it searched deep enough, and that ended the node, as shares of all probes.
    /// Each is a part of the one before.
    pub tiers: [Option<f64>; 3],
    /// With audit: of each of these, the share whose entry another worker had written.
    pub foreign: [Option<f64>; 3],
    /// With audit: probes of a million whose two words were of different stores, the check having failed.
    pub torn_rejected: Option<f64>,
    /// The same, the check having passed: the dangerous kind.
    pub torn_accepted: Option<f64>,
    /// With audit: slots at the end whose two words are of different stores.
    pub torn_standing: Option<f64>,
}

/// The names of [`Means::activities`].
pub const ACTIVITIES: [&str; 6] = ["search", "split", "lock", "idle", "wait", "other"];

/// Ratios to the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct AgainstBaseline {
    /// How many times as fast to the same depth: geometric mean.
    pub time_speedup: Interval,
    /// Nodes, as a ratio: 1 + search overhead.
    pub nodes: Interval,
    /// Nodes a second, as a ratio.
    pub nps_speedup: Interval,
    /// The ratio of the sums of times.
    pub ratio_of_sums: f64,
    /// The arithmetic mean of the positions' speedups.
    pub mean_of_ratios: f64,
    /// Their median.
    pub median: f64,
    /// What the time speedup is made of.
    pub factors: Factors,
    /// The share of runs that chose the move that most baselines chose.
    pub same_move: Option<f64>,
}

/// `time speedup = processors x utilisation x productive x rate / nodes`, all geometric means relative to the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// The number of processors.
    pub processors: f64,
    /// The share of time spent searching or splitting.
    pub utilisation: f64,
    /// The share of that spent searching.
    pub productive: f64,
    /// Nodes in a second of searching.
    pub rate: f64,
    /// Nodes: 1 + search overhead.
    pub nodes: f64,
}

/// One position of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionRow {
    /// Its id.
    pub position: String,
    /// How many runs.
    pub runs: usize,
    /// Geometric mean of their times, in seconds of the machine.
    pub time_s: f64,
    /// Geometric mean of their nodes.
    pub nodes: f64,
    /// How many times as fast as the baseline.
    pub time_speedup: Option<f64>,
    /// Nodes relative to the baseline.
    pub nodes_ratio: Option<f64>,
    /// The moves chosen, with how often, the most frequent first.
    pub moves: Vec<(String, usize)>,
    /// The modified z-score of its speedup among the positions; beyond 3.5 it is an outlier.
    pub z_score: Option<f64>,
}

/// Groups that differ in the number of processors only.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What distinguishes it from the other curves.
    pub label: String,
    /// Places in [`Analysis::groups`], by processors.
    pub groups: Vec<usize>,
    /// Amdahl's law fitted to its time speedups, where there are enough of them.
    pub amdahl: Option<Amdahl>,
}

/// Amdahl's law: `speedup(n) = 1 / (serial + (1 - serial) / n)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amdahl {
    /// The share that cannot be shared. Its interval says how well the law describes the curve, not how runs vary.
    pub serial: Interval,
}

/// A group against the reference, paired by position and seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The place of the group in [`Analysis::groups`].
    pub group: usize,
    /// The place of the one that it is compared with.
    pub reference: usize,
    /// The field in which they differ.
    pub field: String,
    /// Its value.
    pub value: String,
    /// The reference's value, by the name that the experiment gives it.
    pub from: String,
    /// What distinguishes that from the reference's: `-defect-empty-split`.
    pub change: String,
    /// The time speedup, as a ratio, where both have baselines.
    pub speedup: Option<Interval>,
    /// Time, as a ratio.
    pub time: Interval,
    /// Nodes, as a ratio.
    pub nodes: Interval,
    /// How likely so large a difference in time is by chance, adjusted for all comparisons (Holm).
    pub time_p: Option<f64>,
    /// The same for nodes.
    pub nodes_p: Option<f64>,
}

/// What a switch of a factorial design does: the ratio with the switch on to off, over all settings of the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The switch.
    pub factor: String,
    /// The number of processors at which it was measured.
    pub threads: u32,
    /// On what.
    pub machine: String,
    /// Time, as a ratio.
    pub time: Interval,
    /// Nodes, as a ratio.
    pub nodes: Interval,
    /// How likely so large an effect on time is by chance, adjusted for all effects (Holm).
    pub time_p: Option<f64>,
    /// The same for nodes.
    pub nodes_p: Option<f64>,
    /// Pairs of switches whose joint effect cannot be told from this one.
    pub aliases: Vec<String>,
}

/// How the searches of a baseline differ among themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineSpread {
    /// The place of the baseline in [`Analysis::groups`].
    pub group: usize,
    /// Nodes of each run relative to their geometric mean, by position.
    pub relative_nodes: Vec<(String, Vec<f64>)>,
    /// The standard deviation of the logarithm of nodes within positions.
    pub log_sd: Option<f64>,
}

/// How well the records can be trusted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quality {
    /// Cells of the plan.
    pub cells: u64,
    /// Cells without a record.
    pub missing: u64,
    /// Cells that failed, with the reasons.
    pub failed: Vec<(String, String)>,
    /// Records on real machines that count.
    pub real: usize,
    /// Those of them that were disturbed.
    pub disturbed: usize,
    /// Reasons for disturbance, with how often.
    pub reasons: Vec<(String, usize)>,
    /// Records on virtual machines that count.
    pub virtual_records: usize,
}
