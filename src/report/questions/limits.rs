//! How far can the tree be shared? Its parallelism, by several rules of what waits for what.

use crate::Source;
use crate::analysis::Group;
use crate::analysis::parallelism::{BY_YBWC, OPEN, RULES};
use crate::sentence::Sentence;
use crate::table::{Columns, number};

use super::Question;
use super::rows::{self, Row};

pub(super) const LIMITS: Question<Source> = Question {
    key: "limits",
    title: "How far can the tree be shared?",
    reading: "Parallelism is the time of one processor divided by the longest chain of work that depends on what is \
              before it: no number of processors is faster by more, if nodes are shared by the rule of the column and \
              the tree stays the same. Where sharing takes time, that is part of the chain. Geometric means over \
              positions.",
    sentence,
    columns: Some(columns),
    table: |source| rows::table(source, columns(source), |group| group.parallelism.is_some()),
    ..Question::PLAIN
};

/// Headings for readers, in the order of the rules.
const HEADINGS: [&str; 8] = [
    "Young Brothers Wait",
    "One move at CUT",
    "ALL at once",
    "Both",
    "No wait",
    "Minimal tree, no wait",
    "Young Brothers Wait, burdened",
    "Both, burdened",
];

fn sentence(source: &Source) -> Option<Sentence> {
    let told = |group: &Group| {
        let all = group.parallelism.as_ref()?;
        let [by_ybwc, open] = [BY_YBWC, OPEN].map(|rule| number::interval(&all[rule]));
        Some(Sentence::described(format!(
            "By the rule of Young Brothers Wait the tree of one processor ({}) has a parallelism of {by_ybwc}. If \
             expected ALL nodes waited for no move and expected CUT nodes for one only, it would be {open}.",
            group.label
        )))
    };
    source.analysis.groups.iter().find_map(told)
}

fn columns(_: &Source) -> Columns<'_, Row<'_>> {
    RULES.iter().zip(HEADINGS).enumerate().fold(Columns::new(), |columns, (place, (rule, heading))| {
        let value = move |row: &Row<'_>| row.group.parallelism.as_ref().map(|all| all[place]);
        columns.with(&rule.column, &rule.meaning, value).heading(heading).with_ends()
    })
}
