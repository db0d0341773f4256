//! Quality of the records, in full: what failed and why, what is missing, and what disturbed.

use crate::report::analysis::Quality;

use crate::table::markup::Html;
use crate::table::number::counted;
use crate::table::{Cell, Columns, html};

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
    html::write(&pairs(["Reason", "Records"]).table("What disturbed", explanation, &quality.reasons), page);
    let failed = pairs(["Cell", "Reason"]);
    html::write(&failed.table("Cells that failed", "They are in no mean.", &quality.failed), page);
}

fn pairs<'a, T: Clone + Into<Cell>>([first, second]: [&str; 2]) -> Columns<'a, &'a (String, T)> {
    let columns = Columns::new().with(first, "", |(name, _): &&(String, T)| name.as_str());
    columns.with(second, "", |(_, value)| value.clone())
}
