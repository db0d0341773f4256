//! Columns that several files share: how a search was configured.

use crate::record::{Configuration, Depth, Field};
use crate::table::{Columns, Table, markdown};

/// Row of a file that belongs to a configuration.
pub(crate) trait Configured {
    fn configuration(&self) -> &Configuration;

    /// Plies that were asked for, where the row has one depth.
    fn depth(&self) -> Option<u32> {
        match self.configuration().depth {
            Depth::Plies(plies) => Some(plies),
            Depth::Own | Depth::Unlimited => None,
        }
    }
}

/// Columns that say how a search was configured: one for each field of a configuration, and the rule of the depth.
pub(crate) fn configured<'a, R: Configured + 'a>() -> Columns<'a, R> {
    Configuration::ABOUT.into_iter().fold(Columns::new(), |columns, Field { name, column, meaning }| match name {
        "threads" => columns.with(column, meaning, |row| row.configuration().threads).heading("CPUs"),
        "depth" => columns.with(column, meaning, R::depth).with("depth_rule", DEPTH_RULE, |row| {
            match row.configuration().depth {
                Depth::Plies(_) => "plies".to_owned(),
                rule => rule.to_string(),
            }
        }),
        _ => columns.with(column, meaning, move |row| row.configuration().field(name)),
    })
}

const DEPTH_RULE: &str = "plies (all positions to one depth), own (each to its own) or unlimited";

/// Meaning of the rows and columns of a file, as a section of a Markdown file.
pub(super) fn documented(file: &str, rows: &str, table: &Table) -> String {
    format!("## {file}\n\n{rows}\n\n{}\n", markdown::write(&table.guide()))
}
