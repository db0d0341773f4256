//! Text that somebody else wrote, such as titles, names of engines and ids of positions, shown as text: a terminal
//! obeys no sequence in it, and a spreadsheet computes nothing.

use std::borrow::Cow;

/// Whether a terminal or a reader would do something else with a character than show it: control characters, and those
/// that turn the direction of what follows.
fn is_command(letter: char) -> bool {
    let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() && letter != '\n' || turns
}

/// The text without characters that are commands.
pub fn plain(text: &str) -> Cow<'_, str> {
    match text.chars().any(is_command) {
        true => text.chars().filter(|letter| !is_command(*letter)).collect::<String>().into(),
        false => text.into(),
    }
}

/// The text as one word of a shell, so that a command which is shown can be pasted.
pub fn word(text: &str) -> Cow<'_, str> {
    let is_plain = text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./=,+:".contains(letter));
    if is_plain && !text.is_empty() { text.into() } else { format!("'{}'", text.replace('\'', "'\\''")).into() }
}

/// The text of a cell as a file of comma-separated values has it: plain, and with an apostrophe before what
/// spreadsheets take for a formula. Numbers and lists of names, such as `-null-move`, are none.
pub fn field(text: &str) -> Cow<'_, str> {
    let text = plain(text);
    let is_name = |letter: char| letter.is_alphanumeric() || " -_,.:".contains(letter);
    let is_formula = match text.chars().next() {
        Some('=' | '@') => true,
        Some('+' | '-') => text.parse::<f64>().is_err() && !text.chars().skip(1).all(is_name),
        _ => false,
    };
    if is_formula { format!("'{text}").into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_a_command() {
        for (text, shown) in [
            ("ybwc, Müller\n÷ 2", "ybwc, Müller\n÷ 2"),
            ("\x1b]0;title\x07a\x1b[2J\r\tb", "]0;titlea[2Jb"),
            ("\u{9b}31mred", "31mred"),
            ("a\u{202e}b", "ab"),
        ] {
            assert_eq!(plain(text), shown);
        }
    }

    #[test]
    fn a_word_stays_one() {
        for (text, shown) in [("a/b-1.toml", "a/b-1.toml"), ("", "''"), ("a dir", "'a dir'"), ("it's", "'it'\\''s'")] {
            assert_eq!(word(text), shown);
        }
    }

    #[test]
    fn nothing_in_a_cell_is_a_formula() {
        for (text, cell) in [
            ("BK01", "BK01"),
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+1+1", "'+1+1"),
            ("-2+cmd|' /C calc'!A0", "'-2+cmd|' /C calc'!A0"),
            ("\t=1+1", "'=1+1"),
            ("-5", "-5"),
            ("+1.5e3", "+1.5e3"),
            ("-null-move,history", "-null-move,history"),
            ("", ""),
        ] {
            assert_eq!(field(text), cell);
        }
    }
}
