//! Columns that several files share: how a search was configured.

use crate::record::{Configuration, Depth, Field};
use crate::table::{Columns, Table, markdown};

/// Columns that say how a search was configured: one for each field of a configuration, and the rule of the depth.
/// `depth` is the plies that were asked for, where the row has one depth.
pub(crate) fn configured<'a, R: 'a>(
    configuration: fn(&R) -> &Configuration,
    depth: fn(&R) -> Option<u32>,
) -> Columns<'a, R> {
    Configuration::ABOUT.into_iter().fold(Columns::new(), |columns, Field { name, column, meaning }| match name {
        "threads" => columns.with(column, meaning, move |row| configuration(row).threads).heading("CPUs"),
        "depth" => {
            columns.with(column, meaning, depth).with("depth_rule", DEPTH_RULE, move |row| {
                match configuration(row).depth {
                    Depth::Plies(_) => "plies".to_owned(),
                    rule => rule.to_string(),
                }
            })
        }
        _ => columns.with(column, meaning, move |row| configuration(row).field(name)),
    })
}

/// Plies to which all positions are searched, if they are.
pub(crate) fn plies(configuration: &Configuration) -> Option<u32> {
    if let Depth::Plies(plies) = configuration.depth { Some(plies) } else { None }
}

const DEPTH_RULE: &str = "plies (all positions to one depth), own (each to its own) or unlimited";

/// Meaning of the rows and columns of a file, as a section of a Markdown file.
pub(super) fn documented(file: &str, rows: &str, table: &Table) -> String {
    format!("## {file}\n\n{rows}\n\n{}\n", markdown::write(&table.guide()))
}
