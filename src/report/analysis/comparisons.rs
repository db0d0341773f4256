//! Groups against the experiment's reference. A group is compared with the reference that it differs from in one field
//! only, run by run: both of a pair searched the same position with the same seed, so that what the seed does cancels.

use std::collections::BTreeSet;

use crate::record::axes::COSTS_HASH;
use crate::record::{AXES, Axis, Configuration, Description, Named, WITHOUT};
use crate::statistics::Interval;

use super::Comparison;
use super::grouping::{Gathered, Gathering};
use super::labels;
use super::logs::log_time;
use super::plies;
use super::regret::{RegretAgainst, Worth};
use super::scope::Holds;
use super::sides::{self, Sides};

/// Comparisons of all families.
pub(super) fn comparisons(
    description: &Description,
    gathering: &Gathering<'_>,
    worth: Option<&Worth>,
    holds: Holds,
    left_out: &mut BTreeSet<usize>,
) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for family in &description.references {
        let is_member =
            |group: &Gathered<'_>| family.members.is_empty() || family.members.contains(group.configuration);
        let (references, others): (Vec<_>, Vec<_>) =
            gathering.groups.iter().enumerate().filter(|(_, group)| is_member(group)).partition(|(_, group)| {
                family.fields.iter().all(|(field, value)| group.configuration.field(field) == *value)
            });
        for (at, group) in others {
            let alike = references.iter().find_map(|&(at, reference)| {
                Some((at, reference, only_difference(group.configuration, reference.configuration)?))
            });
            let Some((reference_at, reference, axis)) = alike else { continue };
            // Without a common depth neither times nor nodes say anything of the other.
            if !group.has_common_depth() || !reference.has_common_depth() {
                continue;
            }
            let sides = Sides::within([reference, group], holds, left_out);
            let Some(time) = sides.times(None) else { continue };
            let nodes = sides.nodes(None);
            let [reference, group] = &sides.groups;
            let baselines = gathering.baseline(reference).zip(gathering.baseline(group));
            let speedup = baselines.and_then(|(first, second)| {
                let relative = sides::relative([reference, group], [first, second], false, holds, log_time)?;
                Some(holds.ratio(&relative.0))
            });
            let plies = plies::plies(&sides);
            let never_acts = sides.are_the_same_searches();
            // Equal by construction: no noise was found that an interval could tell of.
            let shown = |ratio: Interval| if never_acts { Interval::unknown(ratio.estimate) } else { ratio };
            let regret = worth.and_then(|worth| worth.difference(group, reference, holds));
            let [value, from] = [group, reference].map(|group| Named::from(axis.text(group.configuration)));
            comparisons.push(Comparison {
                group: at,
                reference: reference_at,
                field: axis.name.to_owned(),
                change: named_change(&from, &value, &description.names),
                value,
                from: labels::shortest(&from, &description.names),
                never_acts,
                plies: plies.filter(|_| !never_acts),
                speedup: speedup.map(shown),
                time: shown(time.ratio),
                time_contrast: Some(time.contrast),
                nodes_contrast: nodes.as_ref().map(|nodes| nodes.contrast.clone()),
                nodes: nodes.as_ref().map_or(Interval::unknown(f64::NAN), |nodes| shown(nodes.ratio)),
                nps: sides.rates().map(|rates| shown(rates.ratio)),
                time_test: time.test,
                sign_flip: time.sign_flip,
                nodes_test: nodes.as_ref().and_then(|nodes| nodes.test),
                regret: regret.map(|regret| RegretAgainst { test: None, ..regret }),
            });
        }
    }
    comparisons
}

/// Axes in which two configurations differ.
pub(crate) fn differing(ours: &Configuration, theirs: &Configuration) -> Vec<&'static Axis> {
    AXES.iter().filter(|axis| axis.differs(ours, theirs)).collect()
}

/// Only axis in which two configurations on equally many processors of the same kind differ.
fn only_difference(ours: &Configuration, theirs: &Configuration) -> Option<&'static Axis> {
    let mut differing = differing(ours, theirs);
    // The hash goes with the costs. How pieces slide goes with a board that knows several ways, and a horizon with a
    // strategy that has one: another may have none.
    let is_missing = |axis: &Axis| axis.text(ours).is_empty() || axis.text(theirs).is_empty();
    differing.retain(|axis| **axis != COSTS_HASH && (axis.goes_with.is_none() || !is_missing(axis)));
    match differing[..] {
        [axis] if !labels::APART.contains(axis) => Some(axis),
        _ => None,
    }
}

/// Change from the one value to the other; the name of the other, if it has one of its own that says it better.
fn named_change(from: &Named, to: &Named, names: &labels::Names) -> String {
    let changed = from.changes_to(to);
    let is_plain = !changed.contains(',') && !changed.starts_with(WITHOUT);
    let name = Some(labels::shortest(to, names)).filter(|name| !is_plain && !name.contains(','));
    name.unwrap_or(changed)
}

#[cfg(test)]
mod tests {
    use super::named_change;

    #[test]
    fn a_value_that_has_a_name_is_called_by_it() {
        let names = [("bare".to_owned(), "modern,-a,-b".into())].into();
        for (from, to, expected) in [
            ("modern", "modern,-a,-b", "bare"),
            ("modern,-a,-b", "modern", "modern"),
            ("modern,-a", "modern", "+a"),
            ("modern,a=none", "modern", "modern"),
            ("modern,-a,-b", "modern,-a,-b,+c", "+c"),
        ] {
            assert_eq!(named_change(&from.into(), &to.into(), &names), expected, "{from} to {to}");
        }
    }
}
