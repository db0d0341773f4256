//! Positions whose time speedup does not belong with those of the others. They are pointed out and kept.

use crate::statistics::outliers;

use super::Group;
use super::grouping::{Gathered, Gathering, Run};
use super::logs::log_time;

/// Marks the outliers of all groups that have a time speedup.
pub(super) fn mark(groups: &mut [Group], gathering: &Gathering<'_>) {
    let has_speedup = |group: &Group| group.by_position.iter().any(|row| row.time_speedup.is_some());
    let looked_at = groups.iter().filter(|group| has_speedup(group)).count();
    for (group, gathered) in groups.iter_mut().zip(&gathering.groups) {
        let Some(baseline) = gathering.baseline(gathered).filter(|_| has_speedup(group)) else { continue };
        let is_whole = |place: usize, _: Run<'_>| gathered.cut[place].is_empty() && baseline.cut[place].is_empty();
        let times = |of: &Gathered<'_>| of.filtered(is_whole).figures(log_time);
        let found = outliers(&times(baseline), &times(gathered), looked_at);
        for place in found {
            let rows = group.by_position.iter_mut();
            rows.filter(|row| row.position == gathering.positions[place]).for_each(|row| row.is_outlier = true);
        }
    }
}
