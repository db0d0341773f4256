//! Quality of the records, in full: what failed and why, what is missing, and what disturbed.

use crate::report::analysis::Analysis;
use crate::report::tables::shown;

use crate::table::markup::Html;
use crate::table::number::counted;
use crate::table::{Cell, Columns, html};

/// Writes the section.
pub(super) fn write(page: &mut Html, analysis: &Analysis) {
    let quality = &analysis.quality;
    let mut facts = vec![
        ("Plan", counted(quality.cells, "cell", "cells")),
        ("Without a record", counted(quality.missing, "cell", "cells")),
        ("Failed", counted(quality.failed.len(), "cell", "cells")),
    ];
    if !quality.cut.is_empty() {
        facts.push(("Cut off by the limit", counted(quality.cut.len(), "search", "searches")));
    }
    if !quality.left_out.is_empty() {
        facts.push(("Left out of comparisons", quality.left_out.join(", ")));
    }
    if quality.real > 0 {
        let real = counted(quality.real, "record", "records");
        let thrown_away = match quality.attempts.saturating_sub(quality.real) {
            0 => String::new(),
            more => format!("; {} thrown away", counted(more, "attempt", "attempts")),
        };
        let (disturbed, unknown) = (quality.disturbed, quality.unknown);
        facts.push(("Real machines", format!("{real}, {disturbed} disturbed and {unknown} unknown{thrown_away}")));
    }
    if quality.virtual_records > 0 {
        let virtual_records = counted(quality.virtual_records, "record", "records");
        facts.push(("Virtual machines", format!("{virtual_records}, which nothing can disturb")));
    }
    page.facts(&facts);

    html::write(&shown::quality(analysis), page);
    let explanation = "Attempts that were thrown away are counted too.";
    html::write(&pairs(["Reason", "Attempts"]).table("Reasons for disturbance", explanation, &quality.reasons), page);
    let cut = pairs(["Cell", "End"]);
    html::write(&cut.table("Searches cut off by the limit", "Their times are lower bounds.", &quality.cut), page);
    let failed = pairs(["Cell", "Reason"]);
    html::write(&failed.table("Cells that failed", "No mean includes them.", &quality.failed), page);
}

fn pairs<'a, T: Clone + Into<Cell>>([first, second]: [&str; 2]) -> Columns<'a, &'a (String, T)> {
    let columns = Columns::new().with(first, "", |(name, _): &&(String, T)| name.as_str());
    columns.with(second, "", |(_, value)| value.clone())
}
