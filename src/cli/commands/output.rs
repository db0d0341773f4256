//! Writing results: tables and prose that read well in a terminal, and JSON.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::error::CliError;
use crate::record::folder::write_whole;
use crate::table::Table;
use crate::table::foreign::plain;
use crate::table::terminal::{paragraph as filled, width_of_lists, width_of_prose, write};

pub(crate) use crate::table::number::scaled as rate;
pub(crate) use crate::table::terminal::{Column, headings, row};

/// Prints a whole table, as wide as the terminal, and elsewhere as it is.
pub fn table(out: &mut impl Write, table: &Table) -> io::Result<()> {
    write!(out, "{}", write(table, width_of_lists()))
}

/// Prints prose after a lead, in lines that begin under one another.
pub fn paragraph(out: &mut impl Write, lead: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{}", filled(lead, text, width_of_prose()))
}

/// Prints one JSON object.
pub fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Writes a whole file that the user has named: of a link what it leads to, and what is no regular file, such as a
/// device or a pipe, as it is.
pub fn file(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), CliError> {
    let found = path.canonicalize();
    // Behind an open file, as /dev/stdout is one, may stand a regular one to which others write.
    let is_system = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|open| path.starts_with(open));
    let is_dangling = found.is_err() && path.is_symlink();
    let is_other = path.metadata().is_ok_and(|known| !known.is_file());
    if is_system || is_dangling || is_other {
        let opened = OpenOptions::new().write(true).create(is_dangling).open(path);
        return told(path, opened.and_then(|mut file| file.write_all(contents.as_ref())));
    }
    told(path, write_whole(&found.unwrap_or_else(|_| path.to_owned()), contents.as_ref()))
}

/// Writes a whole file of a folder of results, in which links lead nowhere.
pub fn file_of_folder(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), CliError> {
    told(path, write_whole(path, contents.as_ref()))
}

fn told(path: &Path, written: io::Result<()>) -> Result<(), CliError> {
    written.map_err(|error| CliError::Failed(format!("cannot write {}: {error}", path.display())))
}

/// Prints a line on standard error. A run whose progress nobody reads any more (`2>&1 | head`) goes on.
pub fn tell(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", plain(&line.to_string()));
}

/// Prints a warning on standard error, unless it was printed before.
pub fn warn_once(warning: String) {
    static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let is_new = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(warning.clone());
    if is_new {
        tell(format_args!("warning: {warning}"));
    }
}

/// Time between two lines of a log.
pub const LINE_EVERY: Duration = Duration::from_secs(30);

/// Bar of this length on standard error, if that is a terminal.
pub fn bar(length: u64, template: &str) -> Option<ProgressBar> {
    io::stderr().is_terminal().then(|| ProgressBar::new(length).with_style(style(template)))
}

/// Display of work that goes on: on a terminal a bar, elsewhere a line now and then.
#[derive(Clone)]
pub struct Meter {
    /// The bar, on a terminal.
    pub bar: Option<ProgressBar>,
    last_line: Arc<Mutex<Instant>>,
}

impl Meter {
    /// Display of work of this length.
    pub fn new(length: u64, template: &str) -> Self {
        Self { bar: bar(length, template), last_line: Arc::new(Mutex::new(Instant::now())) }
    }

    /// Shows how much is done, with a message: beside the bar, or after these words in a line.
    pub fn show(&self, done: u64, words: &str, message: String) {
        let mut last_line = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(message);
        } else if last_line.elapsed() >= LINE_EVERY {
            *last_line = Instant::now();
            tell(format_args!("{words}{message}"));
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// Style of a progress display.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// JSON object with these fields in this order, as a value of a type without a name: `object! { depth: 7, nodes }`,
/// where a field without a value is the variable of its name. A field may have attributes of serde.
#[macro_export]
#[doc(hidden)]
macro_rules! json_object {
    (@value $field:ident) => { $field };
    (@value $field:ident $value:expr) => { $value };
    ($( $(#[$attribute:meta])* $field:ident $(: $value:expr)? ),* $(,)?) => {{
        // The types of the fields are parameters, each with the name of its field.
        #[allow(non_camel_case_types)]
        let object = {
            #[derive(serde::Serialize)]
            struct Object<$($field),*> {
                $( $(#[$attribute])* $field: $field, )*
            }
            Object { $( $field: $crate::json_object!(@value $field $($value)?), )* }
        };
        object
    }};
}
pub use json_object as object;

/// Version of the program, as all JSON has it.
pub use crate::engine::VERSION;
