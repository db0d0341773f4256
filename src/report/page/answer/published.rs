//! Sentences on what was published, beside what ours shows on as many processors: means as the thesis defines them.
//! They claim nothing; what differs between the two is said with them.

use super::processors;
use crate::record::{Configuration, Depth, MachineKind};
use crate::report::analysis::{Analysis, Group, Replication, ThesisColumns};
use crate::report::published::THESIS_DEPTH;
use crate::statistics::Interval;
use crate::table::number::{figure, interval};

/// Number of positions that the thesis searched.
const THESIS_POSITIONS: usize = 10;

/// A sentence for each curve of the printed program at its largest number of processors that was published, and one on
/// what differs.
pub(super) fn sentences(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let is_of_machine = |one: &&Replication| last(analysis, one).0.configuration.machine == machine;
    let replications: Vec<&Replication> = analysis.replications.iter().filter(is_of_machine).collect();
    let mut sentences: Vec<String> = replications.iter().filter_map(|one| beside(analysis, one)).collect();
    let first = replications.first().map(|one| last(analysis, one).0);
    sentences.extend(first.filter(|_| !sentences.is_empty()).map(what_differs));
    sentences
}

/// Group and published row of the most processors.
fn last<'a>(analysis: &'a Analysis, one: &'a Replication) -> (&'a Group, &'a ThesisColumns) {
    let row = &one.rows[one.rows.len() - 1];
    (&analysis.groups[row.group], &row.published)
}

fn beside(analysis: &Analysis, one: &Replication) -> Option<String> {
    let (group, published) = last(analysis, one);
    let Configuration { threads, machine, costs, depth, .. } = &group.configuration;
    let costs = costs.as_ref().map(|costs| format!(" (cost model {costs})")).unwrap_or_default();
    let to_depth = match depth {
        Depth::Plies(plies) => format!(" to depth {plies}"),
        _ => String::new(),
    };
    let theirs = figures(published, |figure_of| figure(figure_of.estimate))?;
    let ours = figures(&group.thesis, interval)?;
    Some(format!(
        "On {threads} processors of an {}, to depth {THESIS_DEPTH}, the 2004 thesis measured {theirs} of one \
         processor. Our searches{to_depth} on {}{costs} gave {ours}.",
        one.computer,
        processors(*threads, *machine)
    ))
}

/// `a time speedup of 1.42 with 6.07 times the nodes and 7.95 times the nodes per second`.
fn figures(columns: &ThesisColumns, written: impl Fn(&Interval) -> String) -> Option<String> {
    let [time, tree, nps] = [columns.time_speedup?, columns.nodes_ratio?, columns.nps_speedup?];
    Some(format!(
        "a time speedup of {} with {} times the nodes and {} times the nodes per second",
        written(&time),
        written(&tree),
        written(&nps)
    ))
}

/// Sentence on what the figures are, and on what keeps the two from being one experiment.
fn what_differs(group: &Group) -> String {
    let mut differences = Vec::new();
    if let Depth::Plies(plies) = group.configuration.depth
        && plies != THESIS_DEPTH
    {
        differences.push(format!("depth {plies} instead of {THESIS_DEPTH}"));
    }
    if group.positions != THESIS_POSITIONS {
        differences.push(format!("{} instead of {THESIS_POSITIONS} positions", group.positions));
    }
    let shapes = match differences.is_empty() {
        true => String::new(),
        false => {
            let differences = differences.join(", ");
            format!("; the experiments differ ({differences}), so that only the shapes of curves can be compared")
        }
    };
    format!("In the comparison with the thesis, figures are ratios of arithmetic means by its definitions{shapes}.")
}
