//! Writing results: tables that read well in a terminal, and JSON.

use std::io::{self, Write};

use serde::Serialize;

/// A column: its heading and width, and whether its entries are numbers, which stand at the right.
pub struct Column {
    pub heading: &'static str,
    pub width: usize,
    pub is_number: bool,
}

impl Column {
    pub fn text(heading: &'static str, width: usize) -> Self {
        Self { heading, width: width.max(heading.len()), is_number: false }
    }

    pub fn number(heading: &'static str, width: usize) -> Self {
        Self { heading, width: width.max(heading.len()), is_number: true }
    }
}

/// One line of a table, without blanks at its end.
pub fn row(columns: &[Column], entries: &[String]) -> String {
    let line: Vec<String> = columns
        .iter()
        .zip(entries)
        .map(
            |(Column { width, is_number, .. }, entry)| {
                if *is_number { format!("{entry:>width$}") } else { format!("{entry:<width$}") }
            },
        )
        .collect();
    line.join("  ").trim_end().to_owned()
}

/// The line of headings.
pub fn headings(columns: &[Column]) -> String {
    row(columns, &columns.iter().map(|column| column.heading.to_owned()).collect::<Vec<_>>())
}

/// A whole table whose columns are as wide as their widest entry.
pub fn table(out: &mut impl Write, mut columns: Vec<Column>, rows: &[Vec<String>]) -> io::Result<()> {
    for (i, column) in columns.iter_mut().enumerate() {
        column.width = rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0).max(column.width);
    }
    writeln!(out, "{}", headings(&columns))?;
    rows.iter().try_for_each(|entries| writeln!(out, "{}", row(&columns, entries)))
}

/// Lines of prose are broken here, so that they read well in the narrowest usual terminal.
const LINE_WIDTH: usize = 80;

/// Words in lines that begin under one another.
pub fn paragraph(out: &mut impl Write, lead: &str, text: &str) -> io::Result<()> {
    let mut line = lead.to_owned();
    for word in text.split(' ') {
        let is_begun = line.len() > lead.len();
        if is_begun && line.len() + 1 + word.len() > LINE_WIDTH {
            writeln!(out, "{line}")?;
            line = " ".repeat(lead.len());
        } else if is_begun {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{line}")
}

/// One JSON object.
pub fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// JSON object with these fields in this order, as a value of a type without a name: `object! { depth: 7, nodes: 1_000
/// }`. A field may have attributes of serde.
macro_rules! object {
    ($( $(#[$attribute:meta])* $field:ident: $value:expr ),* $(,)?) => {{
        // The types of the fields are parameters, each with the name of its field.
        #[allow(non_camel_case_types)]
        let object = {
            #[derive(serde::Serialize)]
            struct Object<$($field),*> {
                $( $(#[$attribute])* $field: $field, )*
            }
            Object { $( $field: $value, )* }
        };
        object
    }};
}
pub(super) use object;

/// A number of bytes: `800 B`, `41.0 KiB`.
pub fn bytes(count: usize) -> String {
    match count {
        0..1024 => format!("{count} B"),
        _ => format!("{:.1} KiB", count as f64 / 1024.0),
    }
}

/// A rate with its unit: `95.3 M`.
pub fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 1e9 => format!("{:.2} G", r / 1e9),
        r if r >= 1e6 => format!("{:.1} M", r / 1e6),
        r if r >= 1e3 => format!("{:.1} k", r / 1e3),
        r => format!("{r:.0}"),
    }
}
