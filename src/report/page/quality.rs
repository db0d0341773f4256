//! Quality of the records, in full: what failed and why, what is missing, and what disturbed.

use crate::report::analysis::Quality;

use crate::table::markup::Html;
use crate::table::number::counted;
use crate::table::{Columns, html};

/// Writes the section.
pub(super) fn write(page: &mut Html, quality: &Quality) {
    let mut facts = vec![
        ("Plan", counted(quality.cells, "cell", "cells")),
        ("Without a record", counted(quality.missing, "cell", "cells")),
        ("Failed", counted(quality.failed.len(), "cell", "cells")),
    ];
    if quality.real > 0 {
        let real = counted(quality.real, "record", "records");
        facts.push(("Real machines", format!("{real} of which {} disturbed", quality.disturbed)));
    }
    if quality.virtual_records > 0 {
        let virtual_records = counted(quality.virtual_records, "record", "records");
        facts.push(("Virtual machines", format!("{virtual_records}, which nothing can disturb")));
    }
    page.facts(&facts);

    let explanation = "Records that were disturbed count, unless a quiet one of the same cell took their place.";
    let disturbed = Columns::new().with("Reason", "", |(reason, _): &&(String, usize)| reason.as_str()).with(
        "Records",
        "",
        |(_, records)| *records,
    );
    html::write(&disturbed.table("What disturbed", explanation, &quality.reasons), page);
    let failed = Columns::new().with("Cell", "", |(cell, _): &&(String, String)| cell.as_str()).with(
        "Reason",
        "",
        |(_, reason)| reason.as_str(),
    );
    html::write(&failed.table("Cells that failed", "They are in no mean.", &quality.failed), page);
}
