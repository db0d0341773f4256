//! Tables: one model of columns and cells, and five writers: for a terminal, in Markdown, in HTML, in LaTeX
//! and as comma-separated values. This room knows how numbers are written and nothing of what they mean.

pub mod csv;
pub mod foreign;
pub mod html;
pub mod latex;
pub mod markdown;
pub mod markup;
pub mod number;
pub mod terminal;

use std::fmt::Write;
use std::rc::Rc;

use crate::statistics::Interval;

/// Rows of cells under headings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Subject of the table.
    pub title: String,
    /// Caption: what holds for all figures.
    pub caption: String,
    /// Columns in their order.
    pub columns: Vec<Column>,
    /// Rows, with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// Column with what is under it in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Name in files.
    pub name: String,
    /// Name that readers are shown.
    pub heading: String,
    /// Meaning of its cells, in one sentence without a full stop.
    pub meaning: String,
    /// Heading that it shares with its neighbours, in a terminal.
    pub above: &'static str,
    /// Whether a terminal that is too narrow for all columns goes without it.
    pub is_optional: bool,
    /// Whether tables for readers have it, and not files only.
    pub is_shown: bool,
}

/// Cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Not known, or without a meaning here.
    Nothing,
    /// Words.
    Text(String),
    /// Whole number.
    Count(u64),
    /// Time in nanoseconds, written in seconds.
    Time(u64),
    /// Number of bytes.
    Bytes(u64),
    /// Number, with the digits that a reader is shown; files get all of them.
    Number(f64, Digits),
    /// Estimate with its interval. Files have columns of their own for the ends.
    Interval(Interval),
}

/// Number of digits that a reader is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// Three significant digits.
    Significant,
    /// Digits before the point only: means of counts.
    Whole,
    /// Fixed number of digits after the point.
    Decimals(usize),
    /// A share of one in hundredths, with one digit after the point.
    Hundredths,
    /// A probability by chance: three after the point, or that it is less.
    Probability,
}

impl Cell {
    /// Words from elsewhere: a whole number sorts as one.
    pub fn word(text: &str) -> Self {
        let number = text.parse().ok().filter(|number: &u64| number.to_string() == text);
        number.map_or_else(|| text.into(), Self::Count)
    }

    /// Number of bytes: `41.0 KiB`.
    pub fn bytes(count: usize) -> Self {
        Self::Bytes(count as u64)
    }

    /// Mean of counts: `8 720 113`.
    pub fn whole(value: f64) -> Self {
        Self::Number(value, Digits::Whole)
    }

    /// Share of one, shown in hundredths: `37.5`.
    pub fn share(share: impl Into<Option<f64>>) -> Self {
        share.into().map_or(Self::Nothing, |share| Self::Number(share, Digits::Hundredths))
    }

    /// Probability by chance: `0.012`, or `< 0.001`.
    pub fn probability(p: Option<f64>) -> Self {
        p.map_or(Self::Nothing, |p| Self::Number(p, Digits::Probability))
    }

    /// Text for a reader.
    pub fn shown(&self) -> String {
        match self {
            Self::Nothing => number::NOTHING.to_owned(),
            Self::Text(text) => foreign::plain(text).into_owned(),
            Self::Count(count) => number::count(*count as f64),
            Self::Time(nanoseconds) => number::figure(*nanoseconds as f64 * 1e-9),
            Self::Bytes(count) => number::bytes(*count as f64),
            Self::Number(value, digits) => match digits {
                Digits::Significant => number::figure(*value),
                Digits::Whole => number::count(*value),
                Digits::Decimals(decimals) => number::fixed(*value, *decimals),
                Digits::Hundredths => number::hundredths(*value),
                Digits::Probability => number::probability(*value),
            },
            Self::Interval(interval) => number::interval(interval),
        }
    }

    /// Shortest text that reads back as the same; empty for what is not known.
    pub fn exact(&self) -> String {
        let mut text = String::new();
        self.write_exact(&mut text);
        text
    }

    fn write_exact(&self, to: &mut String) {
        // Nothing fails that writes to a text.
        let _ = match self {
            Self::Nothing => Ok(()),
            Self::Text(text) => to.write_str(text),
            Self::Count(count) | Self::Bytes(count) => write!(to, "{count}"),
            Self::Time(nanoseconds) => to.write_str(&number::seconds(*nanoseconds)),
            Self::Number(value, _) | Self::Interval(Interval { estimate: value, .. }) if value.is_finite() => {
                write!(to, "{value}")
            }
            Self::Number(..) | Self::Interval(_) => Ok(()),
        };
    }

    /// Number by which rows are sorted.
    pub fn order(&self) -> Option<f64> {
        let order = match self {
            Self::Nothing | Self::Text(_) => return None,
            Self::Count(count) | Self::Time(count) | Self::Bytes(count) => *count as f64,
            Self::Number(value, _) | Self::Interval(Interval { estimate: value, .. }) => *value,
        };
        order.is_finite().then_some(order)
    }
}

impl Table {
    /// Whether a column holds numbers, which stand at the right.
    pub fn is_number(&self, column: usize) -> bool {
        !self.rows.iter().any(|row| matches!(row[column], Cell::Text(_)))
    }

    /// Whether rows that follow one another begin with the same cell, and so belong together.
    pub fn has_groups(&self) -> bool {
        self.rows.windows(2).any(|rows| rows[0].first() == rows[1].first())
    }

    /// The table with the columns that are for readers: those with a heading of their own.
    #[must_use]
    pub fn for_readers(self) -> Self {
        let shown: Vec<bool> = self.columns.iter().map(|column| column.is_shown).collect();
        let kept =
            |row: Vec<Cell>| row.into_iter().zip(&shown).filter(|(_, shown)| **shown).map(|(cell, _)| cell).collect();
        let columns = self.columns.iter().filter(|column| column.is_shown).cloned().collect();
        Self { columns, rows: self.rows.into_iter().map(kept).collect(), ..self }
    }

    /// The table without columns in which nothing is known.
    #[must_use]
    pub fn without_empty_columns(mut self) -> Self {
        let is_kept = |column: &usize| self.rows.iter().any(|row| row[*column] != Cell::Nothing);
        let kept: Vec<usize> = (0..self.columns.len()).filter(is_kept).collect();
        self.columns = kept.iter().map(|&column| self.columns[column].clone()).collect();
        self.rows = self.rows.iter().map(|row| kept.iter().map(|&column| row[column].clone()).collect()).collect();
        self
    }
}

/// Columns of a file with what they mean, as a table.
pub fn guide(columns: &[Column]) -> Table {
    Columns::new()
        .with("column", "", |column: &&Column| format!("`{}`", column.name))
        .with("meaning", "", |column| column.meaning.as_str())
        .table("", "", columns)
}

/// Function that reads a cell off a row.
type ReadOff<'a, R> = Rc<dyn Fn(&R) -> Cell + 'a>;

/// Declaration of columns: each with its heading, what it means, and how it is read off a row. So the heading, the
/// figures and the documentation cannot drift apart.
pub struct Columns<'a, R> {
    columns: Vec<Column>,
    values: Vec<ReadOff<'a, R>>,
}

impl<'a, R: 'a> Default for Columns<'a, R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, R: 'a> Columns<'a, R> {
    /// No column yet.
    pub fn new() -> Self {
        Self { columns: Vec::new(), values: Vec::new() }
    }

    /// Adds a column.
    #[must_use]
    pub fn with<C: Into<Cell>>(self, name: impl Into<String>, meaning: &str, value: impl Fn(&R) -> C + 'a) -> Self {
        self.add(name.into(), meaning, Rc::new(move |row| value(row).into()))
    }

    /// Adds a column: compiled once for a kind of rows, not once for a column.
    fn add(mut self, name: String, meaning: &str, value: ReadOff<'a, R>) -> Self {
        let column = Column { heading: name.clone(), name, meaning: meaning.to_owned(), ..Column::default() };
        self.columns.push(column);
        self.values.push(value);
        self
    }

    /// Adds two columns, `NAME_low` and `NAME_high`: the ends of intervals whose estimates stand elsewhere.
    #[must_use]
    pub fn ends<C: Into<Cell>>(self, name: &str, value: impl Fn(&R) -> C + 'a) -> Self {
        self.both_ends(name, &format!("the 95 % interval of {name}"), Rc::new(move |row| value(row).into()))
    }

    /// Adds two columns for files, `NAME_low` and `NAME_high`: the ends of the intervals in the last column.
    #[must_use]
    pub fn with_ends(self) -> Self {
        let name = self.columns.last().map(|column| column.name.clone()).unwrap_or_default();
        let value = self.values.last().cloned().unwrap_or_else(|| Rc::new(|_| Cell::Nothing));
        self.both_ends(&name, "its 95 % interval", value)
    }

    fn both_ends(self, name: &str, interval: &str, value: ReadOff<'a, R>) -> Self {
        let end = |of: fn(Interval) -> f64, value: ReadOff<'a, R>| {
            move |row: &R| if let Cell::Interval(interval) = value(row) { of(interval).into() } else { Cell::Nothing }
        };
        self.with(format!("{name}_low"), &format!("the lower end of {interval}"), end(|ends| ends.low, value.clone()))
            .with(format!("{name}_high"), "the upper end", end(|ends| ends.high, value))
    }

    /// The columns for rows that have, or may have, what these are read off.
    #[must_use]
    pub fn of<W>(self, part: impl for<'r> Fn(&'r W) -> Option<&'r R> + Copy + 'a) -> Columns<'a, W> {
        let of_part =
            |value: ReadOff<'a, R>| -> ReadOff<'a, W> { Rc::new(move |row| part(row).map_or(Cell::Nothing, &*value)) };
        Columns { columns: self.columns, values: self.values.into_iter().map(of_part).collect() }
    }

    /// Whether there is a column of this name.
    pub fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// Adds columns that were declared elsewhere.
    #[must_use]
    pub fn and(mut self, mut more: Self) -> Self {
        self.columns.append(&mut more.columns);
        self.values.append(&mut more.values);
        self
    }

    /// The columns that are for readers: those with a heading of their own.
    #[must_use]
    pub fn for_readers(self) -> Self {
        let both = self.columns.into_iter().zip(self.values).filter(|(column, _)| column.is_shown);
        let (columns, values) = both.unzip();
        Self { columns, values }
    }

    /// The columns of these names, which stand with blanks between them, in this order.
    ///
    /// # Panics
    /// Panics if one of them was not declared.
    #[must_use]
    pub fn only(mut self, names: &str) -> Self {
        let mut only = Self::new();
        for name in names.split(' ') {
            let place = self.columns.iter().position(|column| column.name == name);
            let place = place.unwrap_or_else(|| panic!("no column {name} was declared"));
            only.columns.push(self.columns.remove(place));
            only.values.push(self.values.remove(place));
        }
        only
    }

    /// Gives the last column another heading for readers.
    #[must_use]
    pub fn heading(self, heading: impl Into<String>) -> Self {
        self.change(|column| (column.heading, column.is_shown) = (heading.into(), true))
    }

    /// Lets a terminal that is too narrow go without the last column.
    #[must_use]
    pub fn optional(self) -> Self {
        self.change(|column| column.is_optional = true)
    }

    fn change(mut self, change: impl FnOnce(&mut Column)) -> Self {
        if let Some(last) = self.columns.last_mut() {
            change(last);
        }
        self
    }

    /// Puts a common heading above all columns.
    #[must_use]
    pub fn under(mut self, above: &'static str) -> Self {
        self.columns.iter_mut().for_each(|column| column.above = above);
        self
    }

    /// The table of these rows.
    pub fn table(self, title: impl Into<String>, caption: &str, rows: impl IntoIterator<Item = R>) -> Table {
        let (columns, rows) = self.rows(rows);
        Table { title: title.into(), caption: caption.to_owned(), columns, rows: rows.collect() }
    }

    /// The columns without their values, and the cells of these rows as they are asked for.
    pub fn rows(self, rows: impl IntoIterator<Item = R>) -> (Vec<Column>, impl Iterator<Item = Vec<Cell>>) {
        let Self { columns, values } = self;
        (columns, rows.into_iter().map(move |row| values.iter().map(|value| value(&row)).collect()))
    }
}

/// Declares [`Columns`], a line each: `"name" as "Heading" [optional]: "what it means" => value;`, where the value is
/// read off a row. The heading for readers may be left out if it is the name; the brackets hold what else there is to
/// say.
#[macro_export]
#[doc(hidden)]
macro_rules! declare_columns {
    (
        $Row:ty, $row:ident;
        $( $name:literal $( as $heading:literal )? $( [$( $more:ident )+] )?: $meaning:expr => $value:expr; )+
    ) => {
        $crate::table::Columns::<$Row>::new()
            $( .with($name, $meaning, move |$row| $value) $( .heading($heading) )? $( $( .$more() )+ )? )+
    };
}
pub use declare_columns as columns;

/// Declares the cells that values become.
macro_rules! cells {
    ($( $Value:ty, $value:ident => $cell:expr; )+) => {
        $( impl From<$Value> for Cell {
            fn from($value: $Value) -> Self {
                $cell
            }
        } )+
    };
}

cells! {
    u32, count => Self::Count(count.into());
    u64, count => Self::Count(count);
    usize, count => Self::Count(count as u64);
    i32, value => Self::Number(value.into(), Digits::Whole);
    f64, value => if value.is_nan() { Self::Nothing } else { Self::Number(value, Digits::Significant) };
    bool, value => Self::Text(value.to_string());
    &str, text => Self::Text(text.to_owned());
    String, text => Self::Text(text);
    crate::record::Word, word => Self::Text(word.into());
    Interval, interval => if interval.estimate.is_nan() { Self::Nothing } else { Self::Interval(interval) };
}

impl<C: Into<Self>> From<Option<C>> for Cell {
    fn from(value: Option<C>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_get_digits_that_tell_and_files_get_all() {
        let cases = [
            (Cell::Nothing, "–", ""),
            ("a".into(), "a", "a"),
            (12_345_u64.into(), "12\u{202f}345", "12345"),
            ((-5).into(), "−5", "-5"),
            (Cell::Time(2_000_000_005), "2.00", "2.000000005"),
            (0.1_f64.into(), "0.100", "0.1"),
            (f64::NAN.into(), "–", ""),
            (Cell::whole(12_345.6), "12\u{202f}346", "12345.6"),
            (Cell::share(0.3751), "37.5", "0.3751"),
            (Cell::probability(Some(0.0004)), "< 0.001", "0.0004"),
            (Cell::probability(None), "–", ""),
            (Some(true).into(), "true", "true"),
            (Cell::word("16"), "16", "16"),
            (Cell::word("016"), "016", "016"),
            (Interval { estimate: 1.85, low: 1.8, high: 1.9 }.into(), "1.85 (1.80 to 1.90)", "1.85"),
            (Interval::unknown(2.0).into(), "2.00 (no interval)", "2"),
        ];
        for (cell, shown, exact) in cases {
            assert_eq!((cell.shown().as_str(), cell.exact().as_str()), (shown, exact));
        }
    }

    #[test]
    fn columns_are_declared_with_their_values() {
        let interval = |row: &&f64| Interval { estimate: **row, low: 0.5, high: f64::NAN };
        let columns =
            || Columns::new().with("x", "it", interval).heading("X").with_ends().with("none", "", |_| Cell::Nothing);
        let table = columns().with("n", "", |_| 1_u32).only("n x x_low x_high").table("T", "", &[1.0, 2.0]);
        let shown = columns().for_readers().table("", "", &[1.0]);
        let headings =
            |table: &Table| table.columns.iter().map(|one| one.heading.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!((headings(&table).as_str(), headings(&shown).as_str()), ("n X x_low x_high", "X"));
        assert_eq!(csv::write(&table).unwrap(), b"n,x,x_low,x_high\n1,1,0.5,\n1,2,0.5,\n");
        let guide = guide(&table.columns);
        assert_eq!(
            guide.rows.iter().map(|row| row[0].shown()).collect::<Vec<_>>().join(" "),
            "`n` `x` `x_low` `x_high`"
        );
        assert!(table.is_number(0) && table.has_groups() && !guide.is_number(0));
        assert_eq!(headings(&columns().table("", "", &[1.0]).without_empty_columns()), "X x_low");
    }
}
