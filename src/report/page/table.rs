//! A table whose rows can be sorted by any column. Each entry carries the number it is sorted by, so that what is read
//! and what is compared may differ; an entry without one goes last.

use super::html::Html;
use super::numbers::{self, NOTHING};
use crate::statistics::Interval;

/// More rows than this are shown in a box of their own height.
const ROWS_IN_VIEW: usize = 24;

/// Rows under headings.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    subject: String,
    explanation: String,
    columns: Vec<Column>,
    rows: Vec<Row>,
}

/// A heading, and how what is under it is set.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    heading: String,
    meaning: String,
    is_number: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Row {
    entries: Vec<Entry>,
    begins_group: bool,
}

/// What stands at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    text: String,
    aside: Option<String>,
    order: Option<f64>,
}

impl Column {
    /// Words, the meaning of which the heading tells who points at it.
    pub fn words(heading: &str, meaning: &str) -> Self {
        Self { heading: heading.to_owned(), meaning: meaning.to_owned(), is_number: false }
    }

    /// Numbers.
    pub fn numbers(heading: &str, meaning: &str) -> Self {
        Self { is_number: true, ..Self::words(heading, meaning) }
    }
}

impl Entry {
    /// Words.
    pub fn words(text: impl Into<String>) -> Self {
        Self { text: text.into(), aside: None, order: None }
    }

    /// A number as it is shown, and as it is.
    pub fn number(text: String, value: f64) -> Self {
        let order = value.is_finite().then_some(value);
        Self { text: if order.is_some() { text } else { NOTHING.to_owned() }, aside: None, order }
    }

    /// A count.
    pub fn count(value: f64) -> Self {
        Self::number(numbers::count(value), value)
    }

    /// A figure with three digits that tell.
    pub fn figure(value: f64) -> Self {
        Self::number(numbers::figure(value), value)
    }

    /// A share of one, in hundredths.
    pub fn hundredths(share: f64) -> Self {
        Self::number(numbers::hundredths(share), share)
    }

    /// No number.
    pub fn nothing() -> Self {
        Self::words(NOTHING)
    }

    /// A figure that may be missing.
    pub fn maybe(value: Option<f64>, entry: impl FnOnce(f64) -> Self) -> Self {
        value.map_or_else(Self::nothing, entry)
    }

    /// An estimate with its interval beside it.
    pub fn interval(interval: &Interval) -> Self {
        let aside = numbers::range(interval).unwrap_or_else(|| "no interval".to_owned());
        let entry = Self::number(numbers::estimate(interval), interval.estimate);
        Self { aside: entry.order.map(|_| aside), ..entry }
    }
}

impl Table {
    /// One with no rows yet.
    pub fn new(subject: impl Into<String>, explanation: &str, columns: Vec<Column>) -> Self {
        Self { subject: subject.into(), explanation: explanation.to_owned(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, entries: Vec<Entry>) {
        debug_assert_eq!(entries.len(), self.columns.len(), "{}", self.subject);
        self.rows.push(Row { entries, begins_group: false });
    }

    /// Adds a row to those that begin with the same words; where the words are others, it is set off from those before
    /// it.
    pub fn row_of_group(&mut self, entries: Vec<Entry>) {
        let begins_group = self.rows.last().is_some_and(|last| last.entries.first() != entries.first());
        self.row(entries);
        if let Some(row) = self.rows.last_mut() {
            row.begins_group = begins_group;
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// As a part of a page; a table without rows is none.
    pub fn write(&self, html: &mut Html) {
        if self.rows.is_empty() {
            return;
        }
        let class = if self.rows.len() > ROWS_IN_VIEW { "table-box tall" } else { "table-box" };
        // Who has no mouse must be able to scroll the box, so it can be reached, and says what it is.
        let attributes = [("class", class), ("tabindex", "0"), ("role", "region"), ("aria-label", &self.subject)];
        html.within("div", &attributes, |html| {
            html.within("table", &[("class", "sortable")], |html| {
                html.within("caption", &[], |html| {
                    html.element("strong", &[], &self.subject);
                    html.markup(" ");
                    html.text(&self.explanation);
                });
                html.within("thead", &[], |html| html.within("tr", &[], |html| self.write_headings(html)));
                html.within("tbody", &[], |html| self.rows.iter().for_each(|row| self.write_row(html, row)));
            });
        });
    }

    fn write_headings(&self, html: &mut Html) {
        for column in &self.columns {
            let mut attributes = vec![("scope", "col")];
            if !column.meaning.is_empty() {
                attributes.push(("title", column.meaning.as_str()));
            }
            if column.is_number {
                attributes.push(("class", "number"));
            }
            html.element("th", &attributes, &column.heading);
        }
    }

    fn write_row(&self, html: &mut Html, row: &Row) {
        let attributes: &[_] = if row.begins_group { &[("class", "begins")] } else { &[] };
        html.within("tr", attributes, |html| {
            for (place, (entry, column)) in row.entries.iter().zip(&self.columns).enumerate() {
                let order = entry.order.map(|order| order.to_string());
                let mut attributes = Vec::new();
                if column.is_number {
                    attributes.push(("class", "number"));
                }
                if let Some(order) = &order {
                    attributes.push(("data-order", order.as_str()));
                }
                let tag = if place == 0 { "th" } else { "td" };
                if place == 0 {
                    attributes.push(("scope", "row"));
                }
                html.within(tag, &attributes, |html| {
                    html.text(&entry.text);
                    if let Some(aside) = &entry.aside {
                        html.markup(" ");
                        html.element("span", &[("class", "interval")], aside);
                    }
                });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(table: &Table) -> String {
        let mut html = Html::new();
        table.write(&mut html);
        html.into_string()
    }

    #[test]
    fn entries_carry_what_they_are_sorted_by() {
        let mut table =
            Table::new("Times", "All of them.", vec![Column::words("Curve", ""), Column::numbers("Time", "Seconds")]);
        assert_eq!(written(&table), "");
        table.row_of_group(vec![Entry::words("<ybwc>"), Entry::count(12_345.678)]);
        table.row_of_group(vec![Entry::words("<ybwc>"), Entry::count(1.0)]);
        table.row_of_group(vec![Entry::words("lazy"), Entry::figure(f64::NAN)]);
        let html = written(&table);
        for part in [
            "aria-label=\"Times\"",
            "<caption><strong>Times</strong> All of them.</caption>",
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
            (1.5, 1.4, 1.6, "1.50", Some("1.40 to 1.60")),
            (1.5, f64::NAN, f64::NAN, "1.50", Some("no interval")),
            (f64::NAN, f64::NAN, f64::NAN, "–", None),
        ];
        for (estimate, low, high, text, aside) in cases {
            let entry = Entry::interval(&Interval { estimate, low, high });
            assert_eq!((entry.text.as_str(), entry.aside.as_deref()), (text, aside));
        }
    }
}
