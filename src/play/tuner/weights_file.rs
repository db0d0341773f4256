//! The file of weights that a tuning run makes, in the form of `src/engine/eval/classical/weights.rs`.

use std::fmt::Write;

use crate::eval::classical::tuning::terms;

/// Number of weights in a line.
const IN_A_LINE: usize = 8;
/// Length of a line of the comment.
const WIDTH: usize = 120;

/// Text of the file with these weights. `run` says in paragraphs how they were found.
pub fn write(weights: &[(i32, i32)], run: &[String]) -> String {
    let mut text =
        String::from("//! Weights of all terms, in thousandths of a pawn: for the middlegame and for the endgame.\n");
    for paragraph in run {
        let options = textwrap::Options::new(WIDTH)
            .initial_indent("//! ")
            .subsequent_indent("//! ")
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .break_words(false);
        let _ = writeln!(text, "//!\n{}", textwrap::fill(paragraph, options));
    }
    text += "\n#[rustfmt::skip]\npub static WEIGHTS: [(i32, i32); super::terms::NUMBER] = [\n";
    let mut rest = weights;
    for (name, count, _) in terms() {
        let (own, others) = rest.split_at(*count);
        rest = others;
        let _ = writeln!(text, "    // {name}");
        for line in own.chunks(IN_A_LINE) {
            let pairs: Vec<String> = line.iter().map(|(middle, end)| format!("({middle}, {end})")).collect();
            let _ = writeln!(text, "    {},", pairs.join(", "));
        }
    }
    text + "];\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::tuning::weights;

    #[test]
    fn the_present_weights_give_the_present_file() {
        let present = include_str!("../../engine/eval/classical/weights.rs");
        let numbers = |text: &str| text.split_once("#[rustfmt::skip]").unwrap().1.to_owned();
        let written = write(weights(), &["One run.".to_owned(), "word ".repeat(40)]);
        assert_eq!(numbers(&written), numbers(present));
        assert!(written.contains("\n//!\n//! One run.\n//!\n//! word word"));
        assert!(written.lines().all(|line| line.chars().count() <= WIDTH));
    }
}
