//! Tables in HTML, whose rows can be sorted by any column and made into a file. Each cell carries the number it is
//! sorted by and the ends of its interval, so that what is read and what is compared may differ; a cell without a
//! number goes last.

use super::markup::Html;
use super::{Cell, Table, number};

/// More rows than this are shown in a box of their own height.
const ROWS_IN_VIEW: usize = 24;

/// Adds a table to a page; one without rows is left out.
pub fn write(table: &Table, html: &mut Html) {
    if table.rows.is_empty() {
        return;
    }
    let class = if table.rows.len() > ROWS_IN_VIEW { "table-box tall" } else { "table-box" };
    // Who has no mouse must be able to scroll the box, so it can be reached, and says what it is.
    let first: Vec<&str> = table.columns.iter().map(|column| column.heading.as_str()).take(4).collect();
    let name = if table.title.is_empty() { &first.join(", ") } else { &table.title };
    let attributes = [("class", class), ("tabindex", "0"), ("role", "group"), ("aria-label", name)];
    html.within("div", &attributes, |html| {
        html.within("table", &[("class", "sortable")], |html| {
            if !table.title.is_empty() {
                html.within("caption", &[], |html| html.element("strong", &[], &table.title));
            }
            html.within("thead", &[], |html| html.within("tr", &[], |html| headings(table, html)));
            html.within("tbody", &[], |html| rows(table, html));
        });
    });
    // Below the box, so that it does not scroll away with a wide table.
    if !table.caption.is_empty() {
        html.element("p", &[("class", "note")], &table.caption);
    }
}

fn headings(table: &Table, html: &mut Html) {
    for (place, column) in table.columns.iter().enumerate() {
        let class = class_of(table.is_number(place));
        let name = if column.name == column.heading { "" } else { &column.name };
        let attributes = [("scope", "col"), ("title", &column.meaning), ("data-name", name), class];
        html.element("th", &attributes, &column.heading);
    }
}

fn class_of(is_number: bool) -> (&'static str, &'static str) {
    ("class", if is_number { "number" } else { "" })
}

fn rows(table: &Table, html: &mut Html) {
    let is_grouped = table.has_groups();
    let are_numbers: Vec<bool> = (0..table.columns.len()).map(|column| table.is_number(column)).collect();
    let mut last = table.rows.first().and_then(|row| row.first());
    for row in &table.rows {
        let begins_group = is_grouped && row.first() != last;
        last = row.first();
        html.within("tr", &[("class", if begins_group { "begins" } else { "" })], |html| {
            for (place, (cell, is_number)) in row.iter().zip(&are_numbers).enumerate() {
                write_cell(cell, place == 0, *is_number, html);
            }
        });
    }
}

fn write_cell(cell: &Cell, is_label: bool, is_number: bool, html: &mut Html) {
    let order = cell.order().map_or_else(String::new, rounded);
    let (tag, scope) = if is_label { ("th", "row") } else { ("td", "") };
    let ends = match cell {
        Cell::Interval(ends) if ends.is_known() => format!("{} {}", rounded(ends.low), rounded(ends.high)),
        _ => String::new(),
    };
    let attributes = [class_of(is_number), ("data-order", &order), ("data-ends", &ends), ("scope", scope)];
    html.within(tag, &attributes, |html| match cell {
        Cell::Interval(interval) if !order.is_empty() => {
            html.text(&number::estimate(interval));
            html.markup(" ");
            html.element("span", &[("class", "interval")], &format!("({})", number::range(interval)));
        }
        _ => html.text(&cell.shown()),
    });
}

/// Number as text: whole numbers as they are, others with more digits than mean something and fewer than there are,
/// since a page has thousands of them.
fn rounded(number: f64) -> String {
    if number.fract() == 0.0 {
        return number.to_string();
    }
    format!("{number:.8e}").parse().map_or_else(|_| number.to_string(), |short: f64| short.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Interval;
    use crate::table::Columns;

    fn written(table: &Table) -> String {
        let mut html = Html::new();
        write(table, &mut html);
        html.into_string()
    }

    #[test]
    fn cells_carry_what_they_are_sorted_by() {
        let table = |rows: &[(&'static str, f64)]| {
            let columns = Columns::new().with("Curve", "", |row: &(&str, f64)| row.0);
            columns.with("Time", "Seconds", |row| Cell::whole(row.1)).table("Times", "All of them.", rows.to_vec())
        };
        assert_eq!(written(&table(&[])), "");
        let html = written(&table(&[("<ybwc>", 12_345.678), ("<ybwc>", 1.0), ("lazy", f64::NAN)]));
        for part in [
            "aria-label=\"Times\"",
            "<caption><strong>Times</strong></caption>",
            "</div>\n<p class=\"note\">All of them.</p>",
            "<th scope=\"col\" title=\"Seconds\" class=\"number\">Time</th>",
            "<tr><th scope=\"row\">&lt;ybwc&gt;</th>\n<td class=\"number\" data-order=\"1\">",
            "<tr class=\"begins\"><th scope=\"row\">lazy</th>",
            "<td class=\"number\" data-order=\"12345.678\">12\u{202f}346</td>",
            "<td class=\"number\">–</td>",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }

    #[test]
    fn an_interval_that_is_not_known_is_said_to_be_so() {
        let cases = [
            (1.5, 1.4, 1.6, "1.50 <span class=\"interval\">(1.40 to 1.60)</span>"),
            (1.5, f64::NAN, f64::NAN, "1.50 <span class=\"interval\">(no interval)</span>"),
            (f64::NAN, f64::NAN, f64::NAN, ">–</th>"),
        ];
        for (estimate, low, high, expected) in cases {
            let interval = Interval { estimate, low, high };
            let html = written(&Columns::new().with("x", "", |row: &Interval| *row).table("", "", [interval]));
            assert!(html.contains(expected), "{expected} in {html}");
        }
    }
}
