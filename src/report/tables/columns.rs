//! A table as a list of columns: each has its name, what it means, and how it is read off a row. So the heading, the figures
//! and the documentation cannot drift apart.

use std::io;

use crate::record::{Configuration, Depth};

/// A column of a table whose rows are made from `R`.
pub(in crate::report) struct Column<R> {
    /// Its heading. Others rely on it: columns may be added, not renamed.
    pub name: &'static str,
    /// What it means, in one sentence without a full stop.
    pub meaning: &'static str,
    /// What stands in a row; empty for what is not known.
    pub value: fn(&R) -> String,
}

pub(in crate::report) const fn column<R>(
    name: &'static str,
    meaning: &'static str,
    value: fn(&R) -> String,
) -> Column<R> {
    Column { name, meaning, value }
}

/// The table as comma-separated values, with a line of headings.
pub(in crate::report) fn csv<R>(columns: &[Column<R>], rows: impl IntoIterator<Item = R>) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.iter().map(|column| column.name))?;
    for row in rows {
        writer.write_record(columns.iter().map(|column| (column.value)(&row)))?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// What the columns of a file mean, as a section of a Markdown file.
pub(in crate::report) fn documented<R>(file: &str, rows: &str, columns: &[Column<R>]) -> String {
    let mut text = format!("## {file}\n\n{rows}\n\n| column | meaning |\n|---|---|\n");
    for Column { name, meaning, .. } in columns {
        text.push_str(&format!("| `{name}` | {meaning} |\n"));
    }
    text
}

/// A row that belongs to a configuration.
pub(in crate::report) trait Configured {
    fn configuration(&self) -> &Configuration;

    /// The depth that was asked for, where the row has one.
    fn depth(&self) -> Option<u32> {
        match self.configuration().depth {
            Depth::Plies(plies) => Some(plies),
            Depth::Own | Depth::Unlimited => None,
        }
    }
}

/// How a search was configured.
pub(in crate::report) fn configured<R: Configured>() -> Vec<Column<R>> {
    vec![
        column("machine", "real (threads of a computer) or virtual (processors in simulated time)", |row| {
            row.configuration().field("machine")
        }),
        column("strategy", "how processors share the search", |row| row.configuration().field("strategy")),
        column("threads", "the number of processors", |row| row.configuration().field("threads")),
        column("board", "the representation of the board", |row| row.configuration().field("board")),
        column("sliders", "how bishops and rooks slide, where there is a choice", |row| {
            row.configuration().field("sliders")
        }),
        column("features", "the preset of the search, with changes", |row| row.configuration().field("features")),
        column("depth", "plies that were asked for", |row| {
            row.depth().map(|plies| plies.to_string()).unwrap_or_default()
        }),
        column("depth_rule", "plies (all positions to one depth), own (each to its own) or unlimited", |row| match row
            .configuration()
            .depth
        {
            Depth::Plies(_) => "plies".to_owned(),
            rule => rule.to_string(),
        }),
        column("nodes_limit", "nodes that were allowed, if they were limited", |row| {
            row.configuration().field("nodes")
        }),
        column("time_limit_s", "seconds of the machine that were allowed, if they were limited", |row| {
            row.configuration().field("time_s")
        }),
        column("hash_mib", "size of the table in MiB", |row| row.configuration().field("hash_mib")),
        column("scheme", "how workers share the table", |row| row.configuration().field("scheme")),
        column("waiting", "how processors wait", |row| row.configuration().field("waiting")),
        column("pin", "where real threads run", |row| row.configuration().field("pin")),
        column("costs", "the cost model of the virtual machine", |row| row.configuration().field("costs")),
        column("costs_hash", "the hash of that model", |row| row.configuration().field("costs_hash")),
        column("audit", "whether entries of the table carry their writers", |row| row.configuration().field("audit")),
        column("losses", "whether nodes that were searched a second time were counted", |row| {
            row.configuration().field("losses")
        }),
    ]
}
