//! Sentences on the run that a reader of the answer should know: what was asked of too small a computer, and how adding
//! runs or positions ended.

use crate::report::analysis::Analysis;

/// The notes of the run, each a sentence.
pub(super) fn sentences(analysis: &Analysis) -> Vec<String> {
    analysis.description.notes.iter().map(|note| sentence(note)).collect()
}

/// Text with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let rest = letters.as_str();
    format!("{first}{rest}{}", if rest.ends_with('.') { "" } else { "." })
}
