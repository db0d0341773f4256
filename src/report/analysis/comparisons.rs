//! Groups against the experiment's reference. A group is compared with the reference that it differs from in one field only,
//! run by run: both of a pair searched the same position with the same seed, so that what the seed does cancels.

use std::collections::{BTreeMap, HashMap};

use crate::lab::{Configuration, Description};
use crate::statistics::{Contrast, holm};

use super::Comparison;
use super::grouping::{Gathered, Gathering, Run};
use super::ratios::{log_nodes, log_time};
use super::scope::Holds;

/// All comparisons, with Holm's correction for their number.
pub(super) fn comparisons(description: &Description, gathering: &Gathering<'_>, holds: Holds) -> Vec<Comparison> {
    if description.reference.is_empty() {
        return Vec::new();
    }
    let groups = &gathering.groups;
    let is_reference = |group: &Gathered<'_>| matches(group.configuration, &description.reference);
    let mut comparisons = Vec::new();
    for (at, group) in groups.iter().enumerate().filter(|(_, group)| !is_reference(group)) {
        let references = groups.iter().enumerate().filter(|(_, group)| is_reference(group));
        let mut alike = references.filter_map(|(at, reference)| {
            Some((at, reference, only_difference(group.configuration, reference.configuration)?))
        });
        if let Some((reference_at, reference, field)) = alike.next()
            && let Some(time) = paired(group, reference, log_time)
            && let Some(nodes) = paired(group, reference, log_nodes)
        {
            comparisons.push(Comparison {
                group: at,
                reference: reference_at,
                field: field.to_owned(),
                value: group.configuration.field(field),
                time: holds.ratio(&time),
                nodes: holds.ratio(&nodes),
                time_p: holds.p_value(&time),
                nodes_p: holds.p_value(&nodes),
            });
        }
    }
    let adjusted = |p: fn(&Comparison) -> Option<f64>| holm(&comparisons.iter().map(p).collect::<Vec<_>>());
    let (time, nodes) = (adjusted(|comparison| comparison.time_p), adjusted(|comparison| comparison.nodes_p));
    for (comparison, (time_p, nodes_p)) in comparisons.iter_mut().zip(time.into_iter().zip(nodes)) {
        (comparison.time_p, comparison.nodes_p) = (time_p, nodes_p);
    }
    comparisons
}

fn matches(configuration: &Configuration, reference: &BTreeMap<String, String>) -> bool {
    reference.iter().all(|(field, value)| configuration.field(field) == *value)
}

/// The only field in which two configurations on equally many processors of the same kind differ.
fn only_difference(ours: &Configuration, theirs: &Configuration) -> Option<&'static str> {
    let mut differing: Vec<&str> =
        Configuration::FIELDS.into_iter().filter(|field| ours.field(field) != theirs.field(field)).collect();
    // The hash goes with the costs, and how pieces slide with a board that knows several ways.
    let is_another_board = differing.contains(&"board");
    differing.retain(|&field| field != "costs_hash" && !(field == "sliders" && is_another_board));
    match differing[..] {
        [field] if field != "threads" && field != "machine" => Some(field),
        _ => None,
    }
}

/// What makes runs of two groups a pair.
pub(super) fn pairing(run: Run<'_>) -> (u64, u32) {
    (run.record.cell.seed, run.record.cell.repetition)
}

/// How much more of a figure in logarithms, pair by pair.
fn paired(group: &Gathered<'_>, reference: &Gathered<'_>, figure: impl Fn(Run<'_>) -> Option<f64>) -> Option<Contrast> {
    let differences = |(ours, theirs): (&Vec<Run<'_>>, &Vec<Run<'_>>)| {
        let theirs: HashMap<_, f64> = theirs.iter().filter_map(|&run| Some((pairing(run), figure(run)?))).collect();
        ours.iter().filter_map(|&run| Some(figure(run)? - theirs.get(&pairing(run))?)).collect()
    };
    let differences: Vec<Vec<f64>> = group.runs.iter().zip(&reference.runs).map(differences).collect();
    Contrast::paired(&differences)
}
