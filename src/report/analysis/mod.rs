//! Analysis of the records of an experiment: every figure of its tables and charts, computed once.
//!
//! A *group* is a configuration with all its records. Groups that differ in the number of processors only are a
//! *curve*. Where a figure is a ratio it is a geometric mean over positions of means over runs, with the experiment's
//! kind of interval; the columns of the thesis are arithmetic means over positions, as it has them.

mod agreement;
pub(crate) mod by_size;
pub(crate) mod comparisons;
pub(crate) mod conditions;
mod cut;
mod deepening;
pub(crate) mod diagnosis;
pub(crate) mod doubling;
mod effects;
mod explanations;
pub(crate) mod figures;
pub(crate) mod forms;
pub(crate) mod grouping;
mod hash_slope;
pub(crate) mod labels;
pub(crate) mod laws;
mod limited;
pub(crate) mod logs;
pub(crate) mod lost;
mod micro;
pub(crate) mod on_nodes;
mod outliers;
pub(crate) mod pairing;
pub(crate) mod parallelism;
mod plies;
mod pop;
pub(crate) mod price_range;
mod published_points;
pub(crate) mod quality;
mod ratios;
mod regret;
mod replications;
pub(crate) mod rivals;
pub(crate) mod ruined;
#[cfg(test)]
pub(crate) mod samples;
mod schedules;
pub(crate) mod scope;
pub(crate) mod sides;
mod sizes;
mod solving;
mod split_nodes;
mod splitting;
mod spread;
pub(crate) mod state;
mod statements;
pub(crate) mod sums;
#[cfg(test)]
mod tests;
mod thesis;
mod torn;
pub(crate) mod twins;

use std::collections::BTreeSet;

use crate::figures::Averages;
use crate::published::Published;
use crate::record::axes::{COPIER, COPY};
use crate::record::{Asks, Configuration, Description, Factorial, Judgement, Record};

pub use agreement::Agreement;
pub use by_size::Outgrowth;
pub use deepening::{AtDepth, AtIteration, ByDepth};
pub use diagnosis::{Diagnosis, Health};
pub use limited::Limited;
pub use micro::MicroFigure;
pub use on_nodes::OnNodes;
pub use regret::{MARGIN_CP, Regret, RegretAgainst, Verdict};
pub use sizes::{Size, Sizes};
pub use solving::Solving;
pub use split_nodes::Bin;
pub use splitting::{STAGES, Splitting};

pub use figures::{
    AgainstBaseline, AtSize, BaselineSpread, BySize, Comparison, Curve, CycleFactors, Effect, Ends, Factor, Factors,
    Group, PositionRow, ThesisColumns,
};

pub use explanations::{Explanation, Foretold};
use grouping::{Gathered, Gathering};
pub use hash_slope::{FALL_PCT, HashSlope};
pub use pop::Pop;
pub use published_points::{MeanError, Positions, PublishedPoint};
pub use quality::{Arm, Quality};
use regret::Worth;
pub use replications::{Dip, Replicated, Replication};
pub use rivals::{Contest, Rivalry};
pub use schedules::BestSchedule;
use scope::Holds;
pub use statements::{Family, Kind, Statement, Undermined};
pub use thesis::FORETOLD;
pub use torn::Torn;
pub use twins::Twin;

/// Figures of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Experiment that was asked for.
    pub description: Description,
    /// Groups of every configuration, in the order of the plan; baselines included.
    pub groups: Vec<Group>,
    /// Groups that differ in the number of processors only. Each begins with its baseline, if there is one.
    pub curves: Vec<Curve>,
    /// Comparisons of groups with the experiment's reference, where it has one and they differ in one field only.
    pub comparisons: Vec<Comparison>,
    /// Effects of the switches of factorial designs.
    pub effects: Vec<Effect>,
    /// Sweeps of the size of copies.
    pub sizes: Vec<Sizes>,
    /// Growth of the tree where the table finds less, by the number of processors.
    pub hash_slopes: Vec<HashSlope>,
    /// Searches on several nodes beside the same on one of them.
    pub on_nodes: Vec<OnNodes>,
    /// Figures of micro-measurements.
    pub micro: Vec<MicroFigure>,
    /// Problems, each with the configurations that might be the fastest at it.
    pub contests: Vec<Contest>,
    /// Spread of the searches of each baseline among themselves.
    pub baseline_spread: Vec<BaselineSpread>,
    /// Reasons to trust the records or not.
    pub quality: Quality,
    /// All differences that were tested.
    pub statements: Vec<Statement>,
    /// States of the parallel searches of all curves.
    pub diagnoses: Vec<Diagnosis>,
    /// Real configurations beside the virtual ones that are to predict them.
    pub twins: Vec<Twin>,
    /// Curves of the printed program beside the published rows of as many processors.
    pub replications: Vec<Replication>,
    /// Curves beside the published tables of the machines that they stand for.
    pub explanations: Vec<Explanation>,
    /// Published time speedups beside the configurations that share a search by the same rule.
    pub published_points: Vec<PublishedPoint>,
}

impl Analysis {
    /// Analysis of these records of an experiment. They may come in any order, and of several attempts at a cell one
    /// counts.
    pub fn of(description: Description, records: &[Record]) -> Self {
        Self::judged(description, records, &[])
    }

    /// Analysis of these records, with what their moves are worth by these judgements.
    pub fn judged(mut description: Description, records: &[Record], judgements: &[Judgement]) -> Self {
        description.names = labels::with_programs(description.names, records);
        let holds = Holds::of(&description);
        let worth = Worth::of(&description, records, judgements);
        let cells = grouping::cells(records);
        let gathering = Gathering::of(&description, &cells);
        let configurations: Vec<&Configuration> = gathering.groups.iter().map(|group| group.configuration).collect();
        let labels = labels::labels(&configurations, &description.axes, &description.names, &[]);
        let group = |(group, label): (&Gathered<'_>, &String)| {
            Group::of(group, label, &gathering, &description, worth.as_ref())
        };
        let mut groups: Vec<Group> = gathering.groups.iter().zip(&labels).map(group).collect();
        let mut curves = labels::curves(&gathering, &labels);
        let mut left_out = left_out_of_speedups(&gathering);
        let comparisons = comparisons::comparisons(&description, &gathering, worth.as_ref(), holds, &mut left_out);
        let effects = effects::effects(&description, &gathering, holds, &mut left_out);
        let on_nodes = on_nodes::on_nodes(&gathering, holds, &mut left_out);
        leave_out_designs(&mut curves, &groups, &comparisons, &description);
        let contests = rivals::contests(&groups, &curves, !effects.is_empty(), &gathering, holds);
        by_size::by_size(&mut groups, &gathering, description.size_s, holds);
        outliers::mark(&mut groups, &gathering);
        let quality = quality::quality(&description, &cells, &gathering, &groups, holds);
        let diagnoses = diagnosis::diagnoses(&curves, &groups, &gathering, description.is_one_game);
        let mut analysis = Self {
            groups,
            curves,
            comparisons,
            effects,
            contests,
            baseline_spread: spread::spreads(&gathering),
            quality: Quality {
                left_out: left_out.into_iter().map(|place| gathering.positions[place].to_owned()).collect(),
                ..quality
            },
            statements: Vec::new(),
            diagnoses,
            sizes: sizes::sizes(&gathering, holds),
            hash_slopes: hash_slope::slopes(&gathering, holds),
            on_nodes,
            micro: micro::figures(records),
            twins: twins::twins(&description, &gathering, holds),
            replications: Vec::new(),
            explanations: Vec::new(),
            published_points: Vec::new(),
            description,
        };
        analysis.statements = statements::adjust(&mut analysis);
        state::undermine(&mut analysis);
        analysis
    }

    /// Copy of the analysis with the figures that others have published, and predictions of them.
    pub fn beside(mut self, published: &Published) -> Self {
        if let Some(beside) = &published.beside {
            self.groups.iter_mut().for_each(|group| group.strength = beside.strength_of(group));
        }
        self.replications = replications::replications(&self, published);
        let published_points = published_points::points(&self, published);
        Self { explanations: explanations::explanations(&self, published), published_points, ..self }
    }

    /// Question that the answer begins with: the experiment's own, or else what its records can answer.
    pub fn asks(&self) -> Asks {
        let varies_copies = self.description.axes.iter().any(|axis| [COPY.name, COPIER.name].contains(&axis.as_str()));
        self.description.asks.unwrap_or(match () {
            () if !self.description.twins.is_empty() => Asks::Machines,
            () if !self.on_nodes.is_empty() => Asks::Cluster,
            () if varies_copies => Asks::Splitting,
            () if !self.explanations.is_empty() => Asks::Published,
            () if !self.comparisons.is_empty() || !self.effects.is_empty() => Asks::Effect,
            () if self.contests.iter().any(|contest| !contest.rivalries.is_empty()) => Asks::Best,
            () => Asks::Scaling,
        })
    }
}

impl Group {
    fn of(
        gathered: &Gathered<'_>,
        label: &str,
        gathering: &Gathering<'_>,
        description: &Description,
        worth: Option<&Worth>,
    ) -> Self {
        let holds = Holds::of(description);
        let baseline = gathering.find(&gathered.configuration.baseline()).map(|at| &gathering.groups[at]);
        // What others are divided by is not divided by itself, but for the column in which the thesis shows a 1.
        let divisor = baseline.filter(|_| !gathered.configuration.is_baseline());
        let pair = divisor.and_then(|baseline| ratios::Pair::of(gathered, baseline));
        Self {
            configuration: gathered.configuration.clone(),
            label: label.to_owned(),
            runs: gathered.all().count(),
            positions: (0..gathered.runs.len()).filter(|&place| gathered.is_searched_at(place)).count(),
            failed: gathered.failed.len(),
            disturbed: gathered.all().filter(|run| run.record.is_disturbed()).count(),
            thesis: thesis::columns(gathered, baseline, holds),
            predicted: thesis::predicted(gathered, divisor),
            means: Averages::of(gathered),
            against_baseline: pair.as_ref().map(|pair| AgainstBaseline {
                best_schedule: schedules::best_schedule(gathered, gathering, description, holds),
                ..pair.against_baseline(holds)
            }),
            splitting: splitting::splitting(gathered, gathering.like(gathered), holds),
            split_nodes: split_nodes::distributions(gathered, holds),
            pop: pop::pop(gathered, holds),
            torn: torn::torn(gathered, holds),
            parallelism: parallelism::parallelism(gathered, holds),
            regret: worth.and_then(|worth| worth.of_group(gathered, divisor, holds)),
            by_depth: divisor.and_then(|baseline| deepening::by_depth(gathered, baseline, holds)),
            by_size: None,
            strength: None,
            repricings: price_range::repricings(gathered, gathering, description),
            iterations: deepening::iterations(gathered, holds),
            solving: solving::solving(gathered, gathering, description),
            limited: Limited::of(gathered, divisor, holds),
            by_position: ratios::by_position(gathered, pair.as_ref(), &gathering.positions),
        }
    }
}

/// Positions at which a group or its baseline was searched to the end, but not both: its time speedup leaves them out.
fn left_out_of_speedups(gathering: &Gathering<'_>) -> BTreeSet<usize> {
    let mut left_out = BTreeSet::new();
    for group in gathering.groups.iter().filter(|group| group.has_common_depth()) {
        if let Some(baseline) = gathering.baseline(group) {
            grouping::in_common(&[group, baseline], &mut left_out);
        }
    }
    left_out
}

/// Leaves out the curves of runs of a factorial design. They are there for its effects, which have a table of their
/// own: one by one they answer nothing. Those that something is compared with stay, and so do all if nothing else would
/// be left. A configuration that equals a run of the design at another depth, where most runs were not measured, is
/// none of them.
fn leave_out_designs(curves: &mut Vec<Curve>, groups: &[Group], comparisons: &[Comparison], description: &Description) {
    let is_compared = |group: &usize| comparisons.iter().any(|one| one.group == *group || one.reference == *group);
    let is_of_design = |group: &usize| {
        let is_run = |factorial: &Factorial| {
            let value = |configuration: &Configuration| {
                let value = factorial.value(configuration);
                factorial.runs.iter().any(|(run, _)| *run == value).then_some(value)
            };
            let configuration = &groups[*group].configuration;
            let rest = factorial.rest(configuration);
            let beside = groups.iter().filter(|other| factorial.rest(&other.configuration) == rest);
            let measured: BTreeSet<String> = beside.filter_map(|other| value(&other.configuration)).collect();
            value(configuration).is_some() && 2 * measured.len() > factorial.runs.len()
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
