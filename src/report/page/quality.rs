//! How well the records can be trusted, in full: what failed and why, what is missing, and what disturbed.

use crate::report::analysis::Quality;

use super::html::Html;
use super::numbers::counted;
use super::table::{Column, Entry, Table};

/// The section.
pub fn write(html: &mut Html, quality: &Quality) {
    let count = |number: usize| counted(number as u64, "record", "records");
    let mut facts = vec![
        ("Plan".to_owned(), counted(quality.cells, "cell", "cells")),
        ("Without a record".to_owned(), counted(quality.missing, "cell", "cells")),
        ("Failed".to_owned(), counted(quality.failed.len() as u64, "cell", "cells")),
        ("Real machines".to_owned(), format!("{} of which {} disturbed", count(quality.real), quality.disturbed)),
        ("Virtual machines".to_owned(), format!("{}, which nothing can disturb", count(quality.virtual_records))),
    ];
    facts.retain(|(name, _)| {
        (name != "Real machines" || quality.real > 0) && (name != "Virtual machines" || quality.virtual_records > 0)
    });
    html.facts(&facts);

    let explanation = "Records that were disturbed count, unless a quiet one of the same cell took their place.";
    let columns = vec![Column::words("Reason", ""), Column::numbers("Records", "")];
    let mut disturbed = Table::new("What disturbed", explanation, columns);
    for (reason, often) in &quality.reasons {
        disturbed.row(vec![Entry::words(reason.as_str()), Entry::count(*often as f64)]);
    }
    disturbed.write(html);

    let columns = vec![Column::words("Cell", ""), Column::words("Reason", "")];
    let mut failed = Table::new("Cells that failed", "They are in no mean.", columns);
    for (cell, reason) in &quality.failed {
        failed.row(vec![Entry::words(cell.as_str()), Entry::words(reason.as_str())]);
    }
    failed.write(html);
}
