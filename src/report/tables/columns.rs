//! Columns that several files share: how a search was configured, where the processors' time went, and which nodes were
//! lost.

use crate::record::{Activities, Configuration, Depth, Field};
use crate::table::{Columns, Table, markdown};

/// Time of an activity, in nanoseconds.
type TimeOf = fn(&Activities) -> u64;

/// Activities of a processor, as files name them, with what they mean.
pub(super) const ACTIVITIES: [(&str, &str, TimeOf); 6] = [
    ("search", "searching", |time| time.search_ns),
    ("split", "making, copying, joining and leaving split points", |time| time.split_ns),
    ("lock", "waiting for a lock", |time| time.lock_ns),
    ("idle", "without work", |time| time.idle_ns),
    ("wait", "waiting for helpers, as the owner of a split point", |time| time.wait_ns),
    ("other", "doing anything else", |time| time.other_ns),
];

/// Classes of nodes that need not have been searched, with what they mean.
pub(super) const LOSSES: [(&str, &str); 6] = [
    ("aborted", "nodes whose search was stopped and brought nothing"),
    ("useless", "nodes below a brother that comes after the one that cut"),
    ("stale_window", "nodes searched with an alpha that had risen meanwhile"),
    (REPEAT, "nodes searched before, the entry lost (with losses)"),
    (DUPLICATE, "nodes that another worker was searching too (with losses)"),
    ("beyond", "nodes deeper than the search was to go"),
];
const REPEAT: &str = "repeat";
const DUPLICATE: &str = "duplicate";

/// Whether a class of loss is known only with a ledger of what was searched.
pub(super) fn needs_ledger(class: &str) -> bool {
    [REPEAT, DUPLICATE].contains(&class)
}

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
