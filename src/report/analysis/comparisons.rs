//! Groups against the experiment's reference. A group is compared with the reference that it differs from in one field
//! only, run by run: both of a pair searched the same position with the same seed, so that what the seed does cancels.

use std::collections::BTreeSet;

use crate::record::{Configuration, Description, written};
use crate::statistics::{Contrast, Interval, Test};

use super::grouping::{Gathered, Gathering, in_common};
use super::labels;
use super::logs::{log_nodes, log_nps};
use super::pairing::{paired, paired_speedups, partners_of};
use super::regret::{RegretAgainst, Worth};
use super::scope::Holds;
use super::{Comparison, conditions, cut};

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
            let Some((reference_at, reference, field)) = alike else { continue };
            // Without a common depth neither times nor nodes say anything of the other.
            if !group.has_common_depth() || !reference.has_common_depth() {
                continue;
            }
            let common = in_common(&[reference, group], left_out);
            let [reference, group] = [reference.at(&common), group.at(&common)];
            let Some((time, time_p)) = cut::tested_times(&reference, &group, holds) else { continue };
            let pairs = partners_of([&reference, &group]);
            let is_cut = reference.is_cut() || group.is_cut();
            let nodes = paired(&pairs, log_nodes).filter(|_| !is_cut);
            let nodes_p = conditions::p_value(&reference, &group, holds, |reference, group| {
                paired(&partners_of([reference, group]), log_nodes)
            });
            let regret = worth.and_then(|worth| worth.difference(&group, &reference, holds));
            let (value, from) = (group.configuration.field(field), reference.configuration.field(field));
            comparisons.push(Comparison {
                group: at,
                reference: reference_at,
                field: field.to_owned(),
                change: named_change(&from, value.clone(), &description.names),
                value,
                from: labels::shortest(from, &description.names),
                speedup: speedups(&group, &reference, gathering).map(|speedup| holds.ratio(&speedup)),
                time: time.ratio(holds),
                nodes: nodes.map_or(Interval::unknown(f64::NAN), |nodes| holds.ratio(&nodes)),
                nps: paired(&pairs, log_nps).map(|nps| holds.ratio(&nps)),
                time_test: time_p.map(Test::of),
                sign_flip: time.contrast.sign_flip(),
                nodes_test: nodes_p.filter(|_| !is_cut).map(Test::of),
                regret: regret.map(|regret| RegretAgainst { test: None, ..regret }),
            });
        }
    }
    comparisons
}

/// Fields in which two configurations differ.
pub(crate) fn differing(ours: &Configuration, theirs: &Configuration) -> Vec<&'static str> {
    Configuration::FIELDS.into_iter().filter(|field| ours.field(field) != theirs.field(field)).collect()
}

/// Only field in which two configurations on equally many processors of the same kind differ.
fn only_difference(ours: &Configuration, theirs: &Configuration) -> Option<&'static str> {
    let mut differing = differing(ours, theirs);
    // The hash goes with the costs. How pieces slide goes with a board that knows several ways, and a horizon with a
    // strategy that has one: another may have none.
    let is_missing = |field: &str| ours.field(field).is_empty() || theirs.field(field).is_empty();
    differing.retain(|&field| field != "costs_hash" && !(["sliders", "horizon"].contains(&field) && is_missing(field)));
    match differing[..] {
        [field] if field != "threads" && field != "machine" => Some(field),
        _ => None,
    }
}

/// Change from the one value to the other; the name of the other, if it has one of its own that says it better.
fn named_change(from: &str, to: String, names: &labels::Names) -> String {
    let changed = written::between(from, &to);
    let is_plain = !changed.contains(',') && !changed.starts_with(written::WITHOUT);
    let name = Some(labels::shortest(to, names)).filter(|name| !is_plain && !name.contains(','));
    name.unwrap_or(changed)
}

/// Contrast of the time speedups of two groups, seed by seed, where both groups and both baselines have the seed.
fn speedups(group: &Gathered<'_>, reference: &Gathered<'_>, gathering: &Gathering<'_>) -> Option<Contrast> {
    let baselines = [gathering.baseline(reference)?, gathering.baseline(group)?];
    if baselines.iter().any(|baseline| baseline.is_cut()) {
        return None;
    }
    paired_speedups(&partners_of([reference, group, baselines[0], baselines[1]]))
}

#[cfg(test)]
mod tests {
    use super::named_change;

    #[test]
    fn a_value_that_has_a_name_is_called_by_it() {
        let names = [("bare".to_owned(), "modern,-a,-b".to_owned())].into();
        for (from, to, expected) in [
            ("modern", "modern,-a,-b", "bare"),
            ("modern,-a,-b", "modern", "modern"),
            ("modern,-a", "modern", "+a"),
            ("modern,a=none", "modern", "modern"),
            ("modern,-a,-b", "modern,-a,-b,+c", "+c"),
        ] {
            assert_eq!(named_change(from, to.to_owned(), &names), expected, "{from} to {to}");
        }
    }
}
