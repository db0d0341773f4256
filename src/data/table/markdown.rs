//! Tables in Markdown.

use super::foreign::plain;
use super::{Cell, Table};

/// The table under its title and caption, where it has them.
pub fn write(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let title = if table.title.is_empty() { String::new() } else { format!("### {}", table.title) };
    let rule = (0..table.columns.len()).map(|at| if table.is_number(at) { "---:" } else { "---" });
    let mut lines = vec![line(table.columns.iter().map(|column| column.heading.clone()).collect())];
    lines.push(format!("|{}|", rule.collect::<Vec<_>>().join("|")));
    lines.extend(table.rows.iter().map(|row| line(row.iter().map(escaped).collect())));
    let parts = [title, table.caption.clone(), lines.join("\n")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// A [plain] text without what a reader of Markdown takes for HTML.
pub fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let text = plain(text);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '<' && rest.peek().is_some_and(|next| next.is_ascii_alphabetic() || ['/', '!', '?'].contains(next)) {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}

/// Words from a file must not end a cell.
fn escaped(cell: &Cell) -> String {
    cell.shown().replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Columns;

    #[test]
    fn titles_of_somebody_else_do_no_harm() {
        assert_eq!(harmless("# <img onerror=x>\x1b[2J</a>\n5 < 6"), "# \\<img onerror=x>[2J\\</a>\n5 < 6");
    }

    #[test]
    fn words_stand_at_the_left_and_cannot_end_a_cell() {
        let columns = Columns::new().with("Name", "", |row: &(&str, f64)| row.0).with("x", "", |row| row.1);
        let table = columns.table("Title", "Caption.", [("a|b\nc", 1.0), ("d", f64::NAN)]);
        assert_eq!(write(&table), "### Title\n\nCaption.\n\n| Name | x |\n|---|---:|\n| a\\|b c | 1.00 |\n| d | – |");
    }
}
