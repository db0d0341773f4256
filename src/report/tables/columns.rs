//! Columns that several files share: how a search was configured, where the processors' time went, and which nodes were
//! lost.

use crate::record::{Activities, Configuration, Depth};
use crate::table::{Columns, Table, markdown};

/// Fields of a configuration: column, field, meaning.
const FIELDS: [(&str, &str, &str); 18] = [
    ("machine", "machine", "real (threads of a computer) or virtual (processors in simulated time)"),
    ("strategy", "strategy", "how processors share the search"),
    (THREADS, "", "the number of processors"),
    ("board", "board", "the representation of the board"),
    ("sliders", "sliders", "how bishops and rooks slide, where there is a choice"),
    ("features", "features", "the preset of the search, with changes"),
    (DEPTH, "", "plies that were asked for"),
    (DEPTH_RULE, "", "plies (all positions to one depth), own (each to its own) or unlimited"),
    ("nodes_limit", "nodes", "nodes that were allowed, if they were limited"),
    ("time_limit_s", "time_s", "seconds of the machine that were allowed, if they were limited"),
    ("hash_mib", "hash_mib", "size of the table in MiB"),
    ("scheme", "scheme", "how workers share the table"),
    ("waiting", "waiting", "how processors wait"),
    ("pin", "pin", "where real threads run"),
    ("costs", "costs", "the cost model of the virtual machine"),
    ("costs_hash", "costs_hash", "the hash of that model"),
    ("audit", "audit", "whether entries of the table carry their writers"),
    ("losses", "losses", "whether nodes that were searched a second time were counted"),
];
const THREADS: &str = "threads";
const DEPTH: &str = "depth";
const DEPTH_RULE: &str = "depth_rule";

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

/// Columns that say how a search was configured.
pub(crate) fn configured<'a, R: Configured + 'a>() -> Columns<'a, R> {
    let add = |columns: Columns<'a, R>, (name, field, meaning)| match name {
        DEPTH => columns.with(name, meaning, R::depth),
        DEPTH_RULE => columns.with(name, meaning, |row| match row.configuration().depth {
            Depth::Plies(_) => "plies".to_owned(),
            rule => rule.to_string(),
        }),
        THREADS => columns.with(name, meaning, |row| row.configuration().threads).heading("CPUs"),
        _ => columns.with(name, meaning, move |row| row.configuration().field(field)),
    };
    FIELDS.into_iter().fold(Columns::new(), add)
}

/// Meaning of the rows and columns of a file, as a section of a Markdown file.
pub(super) fn documented(file: &str, rows: &str, table: &Table) -> String {
    format!("## {file}\n\n{rows}\n\n{}\n", markdown::write(&table.guide()))
}
