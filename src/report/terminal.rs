//! What a terminal shows of a report: what undermines the verdict, the verdict, one small table; and on request all
//! questions with their tables.

use super::question::{Headline, Subject};
use super::questions::sentence_of;
use crate::table::Table;
use crate::table::terminal::{paragraph, width, write};

/// Number of rows of a table that are shown.
const MOST_ROWS: usize = 40;

/// The verdict, after what undermines it.
pub(super) fn verdict(headline: &Headline) -> String {
    let marked = |text: &String| paragraph("! ", text, width()) + "\n";
    let verdict = paragraph("", &headline.verdict, width()) + "\n";
    let advice = headline.advice.iter().map(|line| paragraph("", line, width()) + "\n");
    let cautions = headline.cautions.iter().map(marked);
    let next = headline.next.iter().map(|text| paragraph("next: ", text, width()) + "\n");
    headline.alerts.iter().map(marked).chain([verdict]).chain(advice).chain(cautions).chain(next).collect()
}

/// Notes for a reader.
pub(super) fn notes<S: Subject>(subject: &S) -> String {
    subject.about().notes.iter().map(|note| paragraph("note: ", &sentence_of(note), width()) + "\n").collect()
}

/// The table of the headline.
pub(super) fn table(headline: &Headline) -> String {
    let Headline { table, .. } = headline;
    let caption = if table.caption.is_empty() { String::new() } else { paragraph("", &table.caption, width()) + "\n" };
    if table.rows.is_empty() { String::new() } else { write(table, width()) + &caption }
}

/// Every question with its answer and its table.
pub(super) fn questions<S: Subject>(subject: &S) -> String {
    let answered = S::QUESTIONS.iter().filter_map(|question| {
        let mut text = format!("{}\n", question.title);
        text += &(paragraph("", &(question.sentence)(subject)?, width()) + "\n");
        let table = question.table(subject);
        if !table.rows.is_empty() {
            text += &("\n".to_owned() + &first_rows(Table { caption: String::new(), ..table }));
        }
        Some(text)
    });
    answered.collect::<Vec<_>>().join("\n")
}

/// Table with as many rows as are shown, and how many more there are.
fn first_rows(mut table: Table) -> String {
    let more = table.rows.len().saturating_sub(MOST_ROWS);
    table.rows.truncate(MOST_ROWS);
    write(&table, width()) + &if more > 0 { format!("and {more} more rows in the page\n") } else { String::new() }
}
