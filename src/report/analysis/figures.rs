//! Figures of an analysis: plain data, computed elsewhere and read by tables, charts and the answer.

use crate::beside::AtStrength;
use crate::figures::Averages;
use crate::record::{Configuration, MachineKind, Named};
use crate::statistics::{Contrast, Interval, Test};

use super::by_size::HalfEfficiency;
use super::price_range::Repricing;
use super::split_nodes::Distribution;
use super::{
    Agreement, AtIteration, BestSchedule, ByDepth, Limited, Pop, Regret, RegretAgainst, Solving, Splitting, Torn,
};

/// Configuration, and what all its records say.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub configuration: Configuration,
    /// Label that distinguishes the group in this experiment, without the number of processors: `ybwc, mailbox`. Never
    /// empty.
    pub label: String,
    /// Number of records with a measurement that count.
    pub runs: usize,
    /// Number of positions that were measured.
    pub positions: usize,
    /// Number of cells that failed.
    pub failed: usize,
    /// Number of records that count although something disturbed them.
    pub disturbed: usize,
    /// Columns of the thesis.
    pub thesis: ThesisColumns,
    /// The figures that are [foretold](super::FORETOLD), as one further run beside one further baseline would show them
    /// by the definitions of the thesis, with intervals that hold them with the usual probability; where enough was
    /// repeated.
    pub predicted: Option<Vec<Interval>>,
    /// Arithmetic means of the figures of its searches, by our own definitions.
    pub means: Averages,
    /// Ratios to the baseline; nothing for the baseline itself and where there is none.
    pub against_baseline: Option<AgainstBaseline>,
    /// Cost of sharing nodes.
    pub splitting: Splitting,
    /// Distributions over split nodes, where records tell.
    pub split_nodes: Vec<Distribution>,
    /// Parts of the parallel efficiency, where records tell.
    pub pop: Option<Pop>,
    /// Torn entries of the table, where they were counted.
    pub torn: Option<Torn>,
    /// Parallelism of its trees by each rule of sharing, where records tell.
    pub parallelism: Option<Vec<Interval>>,
    /// Worth of its moves, where they were judged.
    pub regret: Option<Regret>,
    /// Time speedup at each depth on the way to the last, where records tell.
    pub by_depth: Option<ByDepth>,
    /// Time speedup by the size of the search, where records tell.
    pub by_size: Option<BySize>,
    /// Strength speedup in games about as large, where those of a tournament stand beside.
    pub strength: Option<AtStrength>,
    /// Changes of its time speedup with other prices of the virtual machine, where searches tell.
    pub repricings: Vec<Repricing>,
    /// Iterations of searches on one processor, where records tell.
    pub iterations: Vec<AtIteration>,
    /// Times to the solutions of positions that name best moves, where records tell.
    pub solving: Option<Solving>,
    /// Searches that a limit ended.
    pub limited: Limited,
    /// Figures of each position.
    pub by_position: Vec<PositionRow>,
}

/// Columns of the thesis's tables, with intervals of the experiment's kind: arithmetic means over positions of means
/// over runs, by its definitions; nothing where there is nothing to say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThesisColumns {
    /// Nodes a second: the mean of those of positions.
    pub nps: Option<Interval>,
    /// Nodes a second relative to the mean of the baseline's: the thesis's "speedup".
    pub nps_speedup: Option<Interval>,
    /// Nodes, quiescence moves counted when tried.
    pub nodes: Option<Interval>,
    /// Nodes relative to the baseline's.
    pub nodes_ratio: Option<Interval>,
    /// Seconds of the machine.
    pub time_s: Option<Interval>,
    /// Mean seconds of the baseline relative to them, which is the ratio of the sums over positions.
    pub time_speedup: Option<Interval>,
    /// Hash hits by the thesis's formula, in hundredths.
    pub hash_pct: Option<Interval>,
    /// Move ordering by the thesis's formula, in hundredths.
    pub order_pct: Option<Interval>,
    /// Share of quiescence by the thesis's formula, in hundredths.
    pub qn_pct: Option<Interval>,
}

/// Ratios of a group to its baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct AgainstBaseline {
    /// Time to the same depth of the baseline, as a ratio to that of the group: geometric mean. Not a number, like all
    /// that needs a common depth, if nodes or time were limited or any of the searches was cut off.
    pub time_speedup: Interval,
    /// Logarithm of the time speedup, for intervals of other levels; nothing where there is no time speedup.
    pub speedup: Option<Contrast>,
    /// Time speedup beside one processor under the best of several schedules of iterations, for a strategy that leaves
    /// out iterations.
    pub best_schedule: Option<BestSchedule>,
    /// Size of the searches: seconds and nodes of one processor, geometric means over the positions of the speedup.
    pub t1_s: f64,
    pub nodes_1: f64,
    /// Nodes, as a ratio: 1 + search overhead.
    pub nodes: Interval,
    /// Nodes a second, as a ratio.
    pub nps_speedup: Interval,
    /// Arithmetic mean of the positions' speedups.
    pub mean_of_ratios: Interval,
    /// Median of the positions' speedups, which describes them and has no interval.
    pub median: f64,
    /// Speedups that nine of ten and one of ten positions exceed.
    pub tenths: [f64; 2],
    /// Test of the time speedup's difference from 1.
    pub faster: Option<Test>,
    /// Factors of the time speedup.
    pub factors: Factors,
    /// Times by other meanings of the end of a search, where they differ.
    pub ends: Ends,
    /// Parts of the rate among the factors, where the system counts cycles.
    pub cycles: Option<CycleFactors>,
    /// Share of runs that chose the move that most baselines chose.
    pub same_move: Option<f64>,
    /// Agreement with the baselines, beside that of the baselines with each other.
    pub agreement: Agreement,
}

/// Ratios to the baseline by other meanings of the end of a search: those of strategies in which several workers search
/// the root, some of them deeper than was asked for. Nothing where they are those of the first worker.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ends {
    /// Time speedup to the moment at which worker 0 could answer.
    pub master: Option<Interval>,
    /// Time speedup to the moment at which the workers would have voted for an answer of the depth.
    pub voted: Option<Interval>,
    /// Nodes without those of iterations deeper than was asked for.
    pub nodes_within: Option<Interval>,
    /// Time to the end of the search by that to its first answer, for a search that waits for its master.
    pub overrun: Option<Interval>,
}

/// `time speedup = processors x utilisation x productive x rate / nodes`, all geometric means relative to the baseline.
/// A search that goes on after its first answer has this speedup times its [overrun](Ends::overrun).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// Number of processors.
    pub processors: f64,
    /// Share of time spent searching or splitting, to the end of the search.
    pub utilisation: Factor,
    /// Share of the time spent searching or splitting that was spent searching.
    pub productive: Factor,
    /// Nodes in a second of searching.
    pub rate: Factor,
    /// Nodes: 1 + search overhead.
    pub nodes: Factor,
}

/// Parts of the rate of nodes, whose product it is: relative to the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleFactors {
    /// Cycles in a second of processor time: what the clock did.
    pub clock: Interval,
    /// Nodes in a second of searching for each of those cycles: what is left without the clock.
    pub nodes_per_cycle: Interval,
}

/// Factor of a time speedup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor {
    /// Geometric mean relative to the baseline.
    pub ratio: Interval,
    /// Test of its difference from 1; adjusted at the largest number of processors only, of which the answer speaks.
    pub test: Option<Test>,
}

impl Group {
    /// Estimate of the time speedup; not a number where there is none.
    pub fn time_speedup(&self) -> f64 {
        self.against_baseline.as_ref().map_or(f64::NAN, |against| against.time_speedup.estimate)
    }

    /// Time in seconds of one processor; not a number where there is none.
    pub fn t1_s(&self) -> f64 {
        self.against_baseline.as_ref().map_or(f64::NAN, |against| against.t1_s)
    }
}

impl AgainstBaseline {
    /// Ratios of a baseline to itself.
    pub const ITSELF: Self = {
        let one = Interval::unknown(1.0);
        let factor = Factor { ratio: one, test: None };
        Self {
            time_speedup: one,
            speedup: None,
            best_schedule: None,
            t1_s: f64::NAN,
            nodes_1: f64::NAN,
            nodes: one,
            nps_speedup: one,
            mean_of_ratios: one,
            median: 1.0,
            tenths: [1.0; 2],
            faster: None,
            factors: Factors { processors: 1.0, utilisation: factor, productive: factor, rate: factor, nodes: factor },
            cycles: None,
            ends: Ends { master: None, voted: None, nodes_within: None, overrun: None },
            same_move: None,
            agreement: Agreement { moves: None, moves_of_baselines: None, outside: None, outside_of_baselines: None },
        }
    };
}

impl Factor {
    /// Factor of which nothing is known.
    pub const UNKNOWN: Self = Self { ratio: Interval::unknown(f64::NAN), test: None };
}

/// Speedup of a group by the size of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct BySize {
    /// Speedups by size: powers of two of a second, and last the size that the experiment asks for.
    pub sizes: Vec<AtSize>,
    /// Factor by which the speedup grows when T1 doubles.
    pub growth: Option<Interval>,
    /// Test of its difference from 1; adjusted at the largest number of processors only.
    pub growth_test: Option<Test>,
    /// Size from which on at least half of the processors are worth their time, if a search was so large.
    pub half_efficiency: Option<HalfEfficiency>,
}

/// Speedup at a size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtSize {
    /// Time of one processor in seconds of the machine.
    pub t1_s: f64,
    pub time_speedup: Interval,
    /// Number of positions that reach the size.
    pub positions: usize,
}

/// Figures of one position of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionRow {
    /// Id of the position.
    pub position: String,
    /// Number of runs.
    pub runs: usize,
    /// Number of searches that the limit cut off. Where there is one, times and nodes are not known.
    pub cut: usize,
    /// Geometric mean of the times of runs, in seconds of the machine.
    pub time_s: f64,
    /// Geometric mean of the nodes of runs.
    pub nodes: f64,
    /// Time of the baseline, as a ratio to that of the group.
    pub time_speedup: Option<f64>,
    /// Nodes relative to the baseline.
    pub nodes_ratio: Option<f64>,
    /// Moves chosen, with their frequencies, the most frequent first.
    pub moves: Vec<(String, usize)>,
    /// Modified z-score of the speedup among the positions.
    pub z_score: Option<f64>,
    /// Whether a test shows the speedup to lie farther from the others than its own noise and their spread explain.
    pub is_outlier: bool,
}

/// Groups that differ in the number of processors only.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Label that distinguishes the curve from the others.
    pub label: String,
    /// Places in [`groups`](super::Analysis::groups), by processors.
    pub groups: Vec<usize>,
}

/// Comparison of a group with the reference, paired by position and seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Place of the group in [`groups`](super::Analysis::groups).
    pub group: usize,
    /// Place of the group that it is compared with.
    pub reference: usize,
    /// Field in which they differ.
    pub field: String,
    /// Value of that field.
    pub value: Named,
    /// Value of the reference, by the name that the experiment gives it.
    pub from: String,
    /// Change from the value of the reference: `-defect-empty-split`.
    pub change: String,
    /// Whether all searches were those of the reference, node by node and to the nanosecond of virtual processors: the
    /// change never acted, and the ratios say nothing of positions where it would.
    pub never_acts: bool,
    /// Plies by which searches on one processor are deeper in the time of the reference; described only, without a
    /// test.
    pub plies: Option<Interval>,
    /// Time speedup, as a ratio, where both have baselines.
    pub speedup: Option<Interval>,
    /// Time, as a ratio.
    pub time: Interval,
    /// Logarithm of the ratio of times, for intervals of other levels.
    pub time_contrast: Option<Contrast>,
    /// Logarithm of the ratio of nodes, for intervals of other levels.
    pub nodes_contrast: Option<Contrast>,
    /// Nodes, as a ratio.
    pub nodes: Interval,
    /// Nodes a second, as a ratio; described only, without a test.
    pub nps: Option<Interval>,
    /// Test of the difference in time.
    pub time_test: Option<Test>,
    /// P value of the difference in time, by itself, from the signs of its positions alone.
    pub sign_flip: Option<f64>,
    /// Test of the difference in nodes.
    pub nodes_test: Option<Test>,
    /// Difference between the worths of their moves, where they were judged; described only, without a test.
    pub regret: Option<RegretAgainst>,
}

/// Effect of a switch of a factorial design: the ratio with the switch on to off, over all settings of the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Name of the switch.
    pub factor: String,
    /// Number of processors at which the effect was measured.
    pub threads: u32,
    pub machine: MachineKind,
    /// Machine in words, and what else tells the setting from others: `virtual, depth 9`.
    pub setting: String,
    /// Time, as a ratio.
    pub time: Interval,
    /// Nodes, as a ratio.
    pub nodes: Interval,
    /// Test of the effect on time.
    pub time_test: Option<Test>,
    /// Test of the effect on nodes.
    pub nodes_test: Option<Test>,
    /// Pairs of switches whose joint effect cannot be told from this one.
    pub aliases: Vec<String>,
}

/// Spread of the searches of a baseline among themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineSpread {
    /// Place of the baseline in [`groups`](super::Analysis::groups).
    pub group: usize,
    /// Nodes of each run relative to their geometric mean, by position.
    pub relative_nodes: Vec<(String, Vec<f64>)>,
    /// Standard deviation of the logarithm of nodes within positions.
    pub log_sd: Option<f64>,
}
