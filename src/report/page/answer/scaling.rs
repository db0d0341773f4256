//! Sentence on how the time speedup grows with the number of processors, curve by curve. It claims no order: that is
//! for tests.

use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Curve};
use crate::table::number::{interval, level, listed};

/// Number of curves beyond which the tables tell more.
const MOST_CURVES: usize = 3;
/// Number of points of a curve that are named, the first and the last among them.
const NAMED_POINTS: usize = 5;

/// One sentence on all curves of this machine; none if they are many.
pub(super) fn sentences(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let curves: Vec<String> = analysis.curves.iter().filter_map(|curve| growth(analysis, curve, machine)).collect();
    if curves.is_empty() || curves.len() > MOST_CURVES {
        return Vec::new();
    }
    let holds = format!("{} intervals for {}", level(), analysis.description.interval.name());
    let on = format!("on {} processors", machine.name());
    vec![format!("Time speedup {on} ({holds}): {}.", curves.join("; "))]
}

/// `ybwc 1.80 (1.73 to 1.87) on 2 and 3.25 (3.12 to 3.38) on 4`.
fn growth(analysis: &Analysis, curve: &Curve, machine: MachineKind) -> Option<String> {
    let point = |&at: &usize| {
        let group = &analysis.groups[at];
        let configuration = &group.configuration;
        let is_point = configuration.machine == machine && configuration.threads > 1;
        Some((configuration.threads, group.against_baseline.as_ref().filter(|_| is_point)?.time_speedup))
    };
    let points: Vec<_> = curve.groups.iter().filter_map(point).collect();
    let last = points.len().checked_sub(1)?;
    let words: Vec<String> = spread(last)
        .into_iter()
        .chain([last])
        .map(|at| points[at])
        .map(|(threads, speedup)| format!("{} on {threads}", interval(&speedup)))
        .collect();
    Some(format!("{} {}", curve.label, listed(&words)))
}

/// Places of points before the last that are named, evenly spread from the first.
fn spread(count: usize) -> Vec<usize> {
    let named = count.min(NAMED_POINTS - 1);
    (0..named).map(|i| i * count / named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_points_are_spread_from_the_first() {
        assert_eq!(spread(0), Vec::<usize>::new());
        assert_eq!(spread(3), [0, 1, 2]);
        assert_eq!(spread(8), [0, 2, 4, 6]);
        assert_eq!(spread(23), [0, 5, 11, 17]);
    }
}
