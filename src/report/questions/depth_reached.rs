//! How deep does quiescence go?

use crate::report::Source;
use crate::report::analysis::{Group, Means};
use crate::table::{Columns, columns};

use super::Question;
use super::rows::{self, Row};

pub(super) const QUIESCENCE: Question<Source> = Question {
    key: "quiescence",
    title: "How much of the tree is quiescence?",
    sentence,
    columns: Some(columns),
    table: |source| rows::table(source, columns(source), has_row),
    ..Question::PLAIN
};

fn has_row(group: &Group) -> bool {
    group.means.nodes > 0.0
}

fn sentence(source: &Source) -> Option<String> {
    let group = source.analysis.groups.iter().find(|group| has_row(group))?;
    Some(format!("{} searches {:.0} nodes.", group.label, group.means.nodes))
}

fn columns(_: &Source) -> Columns<'_, Row<'_>> {
    let means = columns! { Means, means;
        "nodes_of_all" as "nodes": "nodes of all processors" => means.nodes;
    };
    means.of(|row: &Row<'_>| Some(&row.group.means))
}
