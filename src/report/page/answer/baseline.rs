//! Sentences on a machine on which one processor searched and nothing was divided by it: its nodes, its speed, and
//! how much its searches differ among themselves.

use super::{is_measured, processors};
use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Group};
use crate::table::number::{counted, figure, in_words};

/// Number of configurations beyond which only the first are spoken of; the tables have the others.
const SPOKEN_OF: usize = 3;

/// A sentence for each of the first configurations, and how many more there are.
pub(super) fn sentences(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let measured: Vec<(usize, &Group)> =
        analysis.groups.iter().enumerate().filter(|(_, group)| is_measured(group, machine)).collect();
    let mut sentences: Vec<String> =
        measured.iter().take(SPOKEN_OF).map(|&(place, group)| sentence(analysis, place, group)).collect();
    if measured.len() > SPOKEN_OF {
        let more = counted(measured.len() - SPOKEN_OF, "further configuration", "further configurations");
        sentences.push(format!("The tables have {more}."));
    }
    sentences
}

fn sentence(analysis: &Analysis, place: usize, group: &Group) -> String {
    let (machine, means) = (group.configuration.machine, &group.means);
    let per_second = match machine {
        MachineKind::Real => "per second",
        MachineKind::Virtual => "per virtual second",
    };
    let spread = analysis.baseline_spread.iter().find(|spread| spread.group == place).and_then(|spread| spread.log_sd);
    let spread = spread.map_or_else(String::new, |sd| {
        let sd = figure(sd);
        format!("; between its searches of one position, the logarithm of nodes has a standard deviation of {sd}")
    });
    format!(
        "On {}, {} searched {} nodes at {} nodes {per_second} (arithmetic means over {}, {}){spread}.",
        processors(group.configuration.threads, machine),
        group.label,
        in_words(means.nodes),
        in_words(means.nps),
        counted(group.positions, "position", "positions"),
        counted(group.runs, "run", "runs"),
    )
}
