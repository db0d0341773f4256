//! Writing results: tables and prose that read well in a terminal, and JSON.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::table::Table;
use crate::table::terminal::{NARROW, paragraph as filled, write};

pub(crate) use crate::table::number::scaled as rate;
pub(crate) use crate::table::terminal::{Column, headings, row};

/// Prints a whole table, as wide as it is.
pub fn table(out: &mut impl Write, table: &Table) -> io::Result<()> {
    write!(out, "{}", write(table, usize::MAX))
}

/// Prints prose after a lead, in lines that begin under one another.
pub fn paragraph(out: &mut impl Write, lead: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{}", filled(lead, text, NARROW))
}

/// Prints one JSON object.
pub fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Prints a line on standard error. A run whose progress nobody reads any more (`2>&1 | head`) goes on.
pub fn tell(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Time between two lines of a log.
pub const LINE_EVERY: Duration = Duration::from_secs(30);

/// Bar of this length on standard error, if that is a terminal.
pub fn bar(length: u64, template: &str) -> Option<ProgressBar> {
    io::stderr().is_terminal().then(|| ProgressBar::new(length).with_style(style(template)))
}

/// Style of a progress display.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
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
