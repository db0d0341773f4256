//! Tables and prose for a terminal. A table whose rows are printed as they are found has columns of fixed width
//! ([`Column`], [`headings`], [`row`]); a whole table finds its widths, and goes without optional columns rather than
//! become too wide.

use std::io::IsTerminal;
use std::sync::OnceLock;

use textwrap::{Options, WordSeparator, WordSplitter, core::Word};

use super::foreign::plain;
use super::{Cell, Digits, Table, number};

/// Width of tables and of prose beside them where no terminal says its own. Only a word that is longer itself exceeds
/// it.
pub const WIDTH: usize = 100;
/// Width of prose alone, likewise: that of the narrowest usual terminal.
const NARROW: usize = 80;
/// Narrowest terminal that is kept to, and the width beyond which nothing is easier to read.
const TERMINALS: std::ops::RangeInclusive<usize> = 40..=120;
/// Labels in the first column are given so much room before optional columns are dropped.
const LABEL_ROOM: usize = 40;
/// Prose in the last column gets at least so much room, and is wrapped.
const PROSE_ROOM: usize = 30;
/// Larger counts are shortened: `184.2 k`.
const LARGEST_COUNT: f64 = 9999.5;

/// Width of the terminal that is written to, if it is one.
fn of_terminal() -> Option<usize> {
    static WIDTH: OnceLock<Option<usize>> = OnceLock::new();
    *WIDTH.get_or_init(|| {
        let is_one = std::io::stdout().is_terminal();
        let (width, _) = terminal_size::terminal_size_of(std::io::stdout()).filter(|_| is_one)?;
        Some(usize::from(width.0).clamp(*TERMINALS.start(), *TERMINALS.end()))
    })
}

/// Width of tables and of prose beside them: that of the terminal, from 40 to 120 columns, or else 100.
pub fn width() -> usize {
    of_terminal().unwrap_or(WIDTH)
}

/// Width of lists that also other programs read: that of the terminal, and elsewhere as wide as they are.
pub fn width_of_lists() -> usize {
    of_terminal().unwrap_or(usize::MAX)
}

/// Width of prose alone: at most 80 columns.
pub fn width_of_prose() -> usize {
    of_terminal().unwrap_or(NARROW).min(NARROW)
}

/// Column of fixed width.
pub struct Column {
    heading: String,
    width: usize,
    /// Whether its entries stand at the right.
    is_number: bool,
}

impl Column {
    /// Column of words, at least as wide as its heading.
    pub fn text(heading: &str, width: usize) -> Self {
        Self { heading: heading.to_owned(), width: width.max(length(heading)), is_number: false }
    }

    /// Column of numbers, at least as wide as its heading.
    pub fn number(heading: &str, width: usize) -> Self {
        Self { is_number: true, ..Self::text(heading, width) }
    }
}

/// One line of a table, without blanks at its end.
pub fn row(columns: &[Column], entries: &[String]) -> String {
    spaced(columns, entries, 2)
}

/// Line of the headings.
pub fn headings(columns: &[Column]) -> String {
    row(columns, &columns.iter().map(|column| column.heading.clone()).collect::<Vec<_>>())
}

fn spaced(columns: &[Column], entries: &[String], gap: usize) -> String {
    let entry = |(column, entry): (&Column, &String)| {
        let (width, entry) = (column.width, plain(entry));
        if column.is_number { format!("{entry:>width$}") } else { format!("{entry:<width$}") }
    };
    let entries: Vec<String> = columns.iter().zip(entries).map(entry).collect();
    entries.join(&" ".repeat(gap)).trim_end().to_owned()
}

/// A whole table under its title, in lines of at most this width where it can be. A label in the first column that
/// leaves no room for the others has a line of its own, and so have all labels of a wide table whose rows belong
/// together. Prose in the last column is wrapped.
pub fn write(table: &Table, most: usize) -> String {
    let text = |(cell, column): (&Cell, &_)| brief(cell, column);
    let texts: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.iter().zip(&table.columns).map(text).collect()).collect();
    let width = |at: usize| {
        let cells = texts.iter().map(|row| length(&row[at]));
        cells.chain([length(&table.columns[at].heading)]).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let heading_width = length(&table.columns[0].heading);
    let is_wide = widths.iter().sum::<usize>() + 2 * (widths.len() - 1) > most;
    let all_apart = is_wide && table.has_groups();
    let last = table.columns.len() - 1;
    let has_prose = is_wide && last > 0 && !table.is_number(last) && widths[last] > PROSE_ROOM;
    if has_prose {
        widths[last] = PROSE_ROOM;
    }
    let (shown, gap) = fitting(table, &widths, if all_apart { heading_width } else { widths[0].min(LABEL_ROOM) }, most);
    let others: usize = shown.iter().skip(1).map(|&at| widths[at] + gap).sum();
    if most < WIDTH && others.saturating_sub(gap) > most {
        return one_below_the_other(table, &texts, &shown, most);
    }
    let room = if all_apart { 0 } else { most.saturating_sub(others) };
    let labels = texts.iter().map(|row| length(&row[0])).filter(|&label| label <= room);
    let label_width = labels.chain([heading_width]).max().unwrap_or(0);
    let columns: Vec<Column> = shown
        .iter()
        .map(|&at| Column {
            heading: table.columns[at].heading.clone(),
            width: if at == 0 { label_width } else { widths[at] },
            is_number: table.is_number(at),
        })
        .collect();
    let mut lines = Vec::new();
    if !table.title.is_empty() {
        lines.push(paragraph("", &table.title, most.min(WIDTH)));
    }
    lines.extend(common_headings(table, &shown, &columns, gap));
    lines.push(spaced(&columns, &columns.iter().map(|column| column.heading.clone()).collect::<Vec<_>>(), gap));
    let mut last_label = None;
    for row in &texts {
        let mut entries: Vec<String> = shown.iter().map(|&at| row[at].clone()).collect();
        if all_apart || length(&row[0]) > label_width {
            entries[0].clear();
            if last_label != Some(&row[0]) {
                lines.push(paragraph("", &row[0], most.min(WIDTH)));
            }
            last_label = Some(&row[0]);
        }
        lines.push(match entries.split_last() {
            Some((prose, entries)) if has_prose && shown.last() == Some(&last) => {
                let before = columns.iter().take(entries.len()).map(|column| column.width + gap).sum();
                let lead = format!("{:<before$}", spaced(&columns, entries, gap));
                paragraph(&lead, prose, most)
            }
            _ => spaced(&columns, &entries, gap),
        });
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A table for a terminal that is narrower than its columns: below each label a line for each of its values.
fn one_below_the_other(table: &Table, texts: &[Vec<String>], shown: &[usize], most: usize) -> String {
    let heading = |at: usize| {
        let column = &table.columns[at];
        [column.above, column.heading.as_str()]
            .into_iter()
            .filter(|words| !words.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut lines = Vec::new();
    if !table.title.is_empty() {
        lines.push(paragraph("", &table.title, most));
    }
    for row in texts {
        lines.push(paragraph("", &row[0], most));
        let value = |&at: &usize| paragraph(&format!("  {}: ", heading(at)), &row[at], most);
        lines.extend(shown.iter().skip(1).filter(|&&at| !row[at].is_empty()).map(value));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The columns that fit beside a label, with the gap between them. The last optional ones are dropped first.
fn fitting(table: &Table, widths: &[usize], label: usize, most: usize) -> (Vec<usize>, usize) {
    let mut shown: Vec<usize> = (0..table.columns.len()).collect();
    loop {
        let fits = |gap: usize| label + shown.iter().skip(1).map(|&at| widths[at] + gap).sum::<usize>() <= most;
        match shown.iter().rposition(|&at| table.columns[at].is_optional) {
            _ if fits(2) => return (shown, 2),
            Some(last) => shown.remove(last),
            None => return (shown, 1),
        };
    }
}

/// Line of the headings that several columns share, if any do.
fn common_headings(table: &Table, shown: &[usize], columns: &[Column], gap: usize) -> Option<String> {
    let above = |place: usize| table.columns[shown[place]].above;
    (0..shown.len()).find(|&place| !above(place).is_empty())?;
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for (place, column) in columns.iter().enumerate() {
        match groups.last_mut() {
            Some((heading, width)) if *heading == above(place) => *width += gap + column.width,
            _ => groups.push((above(place), column.width)),
        }
    }
    let centred: Vec<String> = groups.iter().map(|(heading, width)| format!("{heading:^width$}")).collect();
    Some(centred.join(&" ".repeat(gap)).trim_end().to_owned())
}

/// A cell where there is little room: large numbers are shortened, and intervals without which a table is still of use
/// are left out.
fn brief(cell: &Cell, column: &super::Column) -> String {
    match *cell {
        Cell::Count(count) if count as f64 > LARGEST_COUNT => number::scaled(count as f64),
        Cell::Number(value, Digits::Whole | Digits::Significant) if value > LARGEST_COUNT => number::scaled(value),
        Cell::Interval(ref interval) if column.is_optional => number::figure(interval.estimate),
        _ => cell.shown(),
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// Prose after a lead, in lines of this width that begin under one another. A list without blanks, such as the
/// parameters of a strategy, is broken after its commas.
pub fn paragraph(lead: &str, text: &str, width: usize) -> String {
    let indent = " ".repeat(length(lead));
    let options = Options::new(width)
        .initial_indent(lead)
        .subsequent_indent(&indent)
        .word_separator(WordSeparator::Custom(words))
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(&plain(text), options)
}

/// Words that end with blanks, or with a comma if they are long: a name with its changes stays on one line where it
/// can.
fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    /// Number of letters beyond which a word is broken.
    const LONG: usize = 24;
    let mut rest = line;
    Box::new(std::iter::from_fn(move || {
        let is_long = rest.find(' ').unwrap_or(rest.len()) > LONG;
        let is_end = |at: &usize| {
            let (word, next) = rest.split_at(*at);
            !next.starts_with(' ') && (word.ends_with(' ') || is_long && word.ends_with(','))
        };
        let end = rest.char_indices().map(|(at, _)| at).skip(1).find(is_end).unwrap_or(rest.len());
        let (word, next) = rest.split_at(end);
        rest = next;
        (!word.is_empty()).then(|| Word::from(word))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Columns;

    fn columns() -> Columns<'static, (String, f64)> {
        Columns::new().with("Name", "", |row: &(String, f64)| row.0.clone()).with("x", "", |row| row.1)
    }

    #[test]
    fn numbers_stand_at_the_right() {
        let table = columns().with("n", "", |row| Cell::whole(row.1)).table(
            "T",
            "",
            [("a".to_owned(), 1.0), ("bcdef".to_owned(), 183_788.6)],
        );
        assert_eq!(
            write(&table, WIDTH),
            "T\nName         x        n\na         1.00        1\nbcdef  183.8 k  183.8 k\n"
        );
    }

    #[test]
    fn prose_in_the_last_column_is_wrapped() {
        let prose = |row: &(String, f64)| format!("{} {}", row.0, "words that say what it is ".repeat(2).trim_end());
        let table = columns().with("meaning", "", prose).table("", "", [("ab".to_owned(), 2.0)]);
        let expected = "\
Name     x  meaning
ab    2.00  ab words that say what it is
            words that say what it is
";
        assert_eq!(write(&table, 44), expected);
        assert_eq!(write(&table, usize::MAX).lines().count(), 2);
    }

    #[test]
    fn long_labels_have_lines_of_their_own() {
        let label = |first: &str| format!("{first}{}", ",label".repeat(20));
        let rows = |labels: [String; 3]| labels.into_iter().zip([1.0, 2.0, 3.0]);
        for (labels, expected) in [
            (
                [label("a"), label("b"), "short".to_owned()],
                [(0, "Name      x"), (3, "       1.00"), (7, "short  3.00")],
            ),
            // Rows that belong together stand under their label; then all do.
            ([label("a"), label("a"), "short".to_owned()], [(0, "Name     x"), (4, "      2.00"), (5, "short")]),
        ] {
            let text = write(&columns().table("", "", rows(labels)), WIDTH);
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
            for (place, line) in expected {
                assert_eq!(text.lines().nth(place), Some(line), "{text}");
            }
        }
    }

    #[test]
    fn optional_columns_are_dropped_from_the_last_on() {
        let wide = |text: &'static str| move |_: &(String, f64)| text.repeat(30);
        let columns = columns().with("b", "", wide("b")).optional().with("c", "", wide("c")).optional();
        let table = columns.with("d", "", wide("d")).table("", "", [("label".to_owned(), 1.0)]);
        let text = write(&table, WIDTH);
        assert!(text.starts_with("Name      x  b") && text.contains("  d") && !text.contains('c'), "{text}");
    }

    #[test]
    fn neighbours_share_a_heading() {
        let pair = || Columns::new().with("x", "", |row: &f64| *row).with("y", "", |row| *row);
        let table = Columns::new().with("n", "", |_: &f64| 4_u32).and(pair().under("ours")).table("", "", [1.0]);
        assert_eq!(write(&table, WIDTH), "      ours\nn     x     y\n4  1.00  1.00\n");
    }

    #[test]
    fn prose_is_wrapped_under_its_lead() {
        let cases = [
            ("a: ", "one two three", "a: one\n   two\n   three"),
            ("", "a ybwc,draft=4,x", "a\nybwc,draft=4,x"),
            ("", "ybwc,minimum-draft=4,x,y=5", "ybwc,\nminimum-draft=4,x,y=5"),
            ("- ", "a, b -c", "- a, b -c"),
            ("", "", ""),
        ];
        for (lead, text, expected) in cases {
            assert_eq!(paragraph(lead, text, 9), expected);
        }
    }

    #[test]
    fn a_terminal_that_is_too_narrow_has_values_below_their_label() {
        let columns = Columns::new()
            .with("strategy", "", |row: &(&str, f64, f64)| row.0)
            .with("speedup over one node", "", |row| row.1)
            .with("speed beside one box", "", |row| row.2);
        let table = columns.table("", "", [("teams", 1.82, 0.65), ("lazy", 1.42, 0.74)]);
        let narrow = write(&table, 40);
        assert_eq!(
            narrow.lines().take(3).collect::<Vec<_>>(),
            ["teams", "  speedup over one node: 1.82", "  speed beside one box: 0.650"]
        );
        assert!(write(&table, 60).starts_with("strategy  speedup over one node"));
    }
}
