//! The analysis as readers see it when other programs ruined the real searches: without any figure that their times
//! touch. What is drawn or printed is made of this, so that no picture or table shows what the text refuses. Counts
//! stay: nodes, hits of the table, moves. Files for other programs keep all that was measured.

use crate::record::MachineKind;
use crate::statistics::Interval;

use super::{
    AgainstBaseline, Analysis, AtIteration, Comparison, Effect, Ends, Factor, Factors, Group, Limited, PositionRow,
    Splitting, ThesisColumns,
};

/// Interval of which nothing is known.
const UNKNOWN: Interval = Interval::unknown(f64::NAN);

impl Analysis {
    /// Copy of the analysis without figures of the times of real searches, but for those that were disturbed on
    /// purpose.
    pub(crate) fn without_real_times(&self) -> Self {
        let is_timed = |group: &Group| !has_real_times(group);
        let group = |group: &Group| if is_timed(group) { group.clone() } else { without_times(group) };
        let is_kept = |place: usize| is_timed(&self.groups[place]);
        let comparison = |one: &Comparison| match is_kept(one.group) && is_kept(one.reference) {
            true => one.clone(),
            false => {
                let times = Comparison { plies: None, speedup: None, time: UNKNOWN, nps: None, ..one.clone() };
                Comparison { time_test: None, sign_flip: None, ..times }
            }
        };
        let effect = |one: &Effect| match one.machine {
            MachineKind::Virtual => one.clone(),
            MachineKind::Real => Effect { time: UNKNOWN, time_test: None, ..one.clone() },
        };
        let is_curve_kept = |curve: usize| self.curves[curve].groups.iter().all(|&place| is_kept(place));
        Self {
            groups: self.groups.iter().map(group).collect(),
            comparisons: self.comparisons.iter().map(comparison).collect(),
            effects: self.effects.iter().map(effect).collect(),
            sizes: self.sizes.iter().filter(|sizes| is_kept(sizes.smallest)).cloned().collect(),
            replications: self.replications.iter().filter(|one| is_curve_kept(one.curve)).cloned().collect(),
            twins: Vec::new(),
            ..self.clone()
        }
    }
}

/// Whether a group was measured in real time, and was not disturbed on purpose.
pub(crate) fn has_real_times(group: &Group) -> bool {
    let configuration = &group.configuration;
    configuration.machine == MachineKind::Real && configuration.disturb.is_none()
}

fn without_times(group: &Group) -> Group {
    let iteration = |at: &AtIteration| AtIteration { time_s: UNKNOWN, growth: None, ..*at };
    let position = |row: &PositionRow| PositionRow {
        time_s: f64::NAN,
        time_speedup: None,
        z_score: None,
        is_outlier: false,
        ..row.clone()
    };
    Group {
        thesis: ThesisColumns { nps: None, nps_speedup: None, time_s: None, time_speedup: None, ..group.thesis },
        predicted: None,
        means: group.means.without_times(),
        against_baseline: group.against_baseline.as_ref().map(ratios_without_times),
        splitting: Splitting {
            bytes: group.splitting.bytes,
            superfluous: group.splitting.superfluous,
            ..Splitting::default()
        },
        split_nodes: Vec::new(),
        pop: None,
        by_depth: None,
        by_size: None,
        iterations: group.iterations.iter().map(iteration).collect(),
        solving: None,
        limited: Limited { bound: None, depth: None, depth_gain: None, ..group.limited },
        by_position: group.by_position.iter().map(position).collect(),
        ..group.clone()
    }
}

fn ratios_without_times(ratios: &AgainstBaseline) -> AgainstBaseline {
    AgainstBaseline {
        time_speedup: UNKNOWN,
        speedup: None,
        best_schedule: None,
        t1_s: f64::NAN,
        nps_speedup: UNKNOWN,
        mean_of_ratios: UNKNOWN,
        median: f64::NAN,
        tenths: [f64::NAN; 2],
        faster: None,
        factors: Factors {
            utilisation: Factor::UNKNOWN,
            productive: Factor::UNKNOWN,
            rate: Factor::UNKNOWN,
            ..ratios.factors
        },
        ends: Ends { nodes_within: ratios.ends.nodes_within, ..Ends::default() },
        cycles: None,
        ..ratios.clone()
    }
}
