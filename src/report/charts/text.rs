//! Words in charts: their sizes, their widths, and what becomes of those that are too long. The font of bitmaps is in
//! the binary, so that none need be installed; SVG files name common fonts that are hardly wider. `font/README.md` says
//! where it is from.

use std::sync::Once;

/// Part of a text that is at its place.
pub(super) use plotters::style::text_anchor::HPos as Align;
use plotters::style::text_anchor::{Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, TextStyle, register_font};

use super::palette::{Colour, INK};

/// Fonts of SVG files, as CSS has them.
pub(super) const FAMILIES: &str = "Inter, Helvetica, Arial, Liberation Sans, system-ui, sans-serif";

/// Name of the font within the binary.
const NAME: &str = "Splitpoint Sans";
const REGULAR: &[u8] = include_bytes!("font/regular.otf");
const BOLD: &[u8] = include_bytes!("font/semibold.otf");
/// Files of the font: plain letters, and bold ones.
pub(super) const FILES: [&[u8]; 2] = [REGULAR, BOLD];

/// Height of a line as plotters takes it, in heights of the font.
const LINE_HEIGHT: f64 = 1.24;

/// Height of most texts, in units.
pub(super) const USUAL_SIZE: f64 = 16.0;

/// Distance of the baseline below the place of a text in bitmaps, in heights of the font: half a line.
pub(super) const DROP_IN_BITMAPS: f64 = LINE_HEIGHT / 2.0;

/// Number of letters from which on words in a wider font would not find room.
pub(super) const LONG: usize = 16;

/// Height of capital letters and digits, in heights of the font.
const CAPITAL: f64 = 0.727;

/// Style of a text.
#[derive(Clone, Copy)]
pub(super) struct Text {
    /// Height of the font, in units.
    pub size: f64,
    pub bold: bool,
    pub colour: Colour,
    pub align: Align,
    /// Whether the text reads from bottom to top.
    pub upward: bool,
}

impl Text {
    /// Plain text that begins at its place.
    pub const fn new(size: f64) -> Self {
        Self { size, bold: false, colour: INK, align: Align::Left, upward: false }
    }

    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub const fn colour(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    pub const fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    pub const fn upward(self) -> Self {
        Self { upward: true, ..self }
    }

    /// Distance of the baseline below the middle of a line, so that capitals and digits are centred on it.
    pub fn below_middle(self) -> f64 {
        self.size * CAPITAL / 2.0
    }

    /// Width of these words, in units.
    pub fn width(self, words: &str) -> f64 {
        /// Enlargement at which widths are measured: plotters rounds them to whole steps.
        const ENLARGED: f64 = 16.0;
        let size = self.font(ENLARGED).layout_box(words);
        size.map_or(0.6 * self.size * words.chars().count() as f64, |(_, (width, _))| f64::from(width) / ENLARGED)
    }

    /// Style as plotters wants it.
    pub fn style(self, steps_per_unit: f64) -> TextStyle<'static> {
        let (red, green, blue) = self.colour;
        let transform = if self.upward { FontTransform::Rotate270 } else { FontTransform::None };
        let font = self.font(steps_per_unit).transform(transform);
        font.color(&RGBColor(red, green, blue)).pos(Pos::new(self.align, VPos::Top))
    }

    fn font(self, steps_per_unit: f64) -> FontDesc<'static> {
        static REGISTERED: Once = Once::new();
        REGISTERED.call_once(|| {
            for (style, file) in [(FontStyle::Normal, REGULAR), (FontStyle::Bold, BOLD)] {
                // A font that cannot be read is an error where it is first drawn with.
                let _ = register_font(NAME, style, file);
            }
        });
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        FontDesc::new(FontFamily::Name(NAME), self.size * LINE_HEIGHT * steps_per_unit, weight)
    }

    /// This text so small that the words are not wider than `width` units, but still legible.
    pub fn smaller(self, words: &str, width: f64) -> Self {
        /// Smallest legible size, relative to the usual one.
        const LEAST: f64 = 0.75;
        Self { size: self.size * (width / self.width(words)).clamp(LEAST, 1.0), ..self }
    }

    /// Words with the middle left out if they are wider than `width` units. Beginning and end say most.
    pub fn shortened(self, words: &str, width: f64) -> String {
        if self.width(words) <= width {
            return words.to_owned();
        }
        let letters: Vec<char> = words.chars().collect();
        let without_middle = |kept: usize| -> String {
            let (head, tail) = letters.split_at(kept.div_ceil(2));
            head.iter().chain(&['…']).chain(&tail[tail.len() - kept / 2..]).collect()
        };
        let mut shorter = (2..letters.len()).rev().map(without_middle);
        shorter.find(|short| self.width(short) <= width).unwrap_or_else(|| "…".to_owned())
    }

    /// Names shortened to a width. Those that would be the same lose their common beginning, or are numbered.
    pub fn shortened_apart(self, names: &[&str], width: f64) -> Vec<String> {
        let short: Vec<String> = names.iter().map(|name| self.shortened(name, width)).collect();
        let apart = |(place, name): (usize, &&str)| {
            let is_same = |(other, theirs): &(&&str, &String)| **theirs == short[place] && *other != name;
            let common = |(other, _): (&&str, &String)| -> usize {
                let alike = name.chars().zip(other.chars()).take_while(|(one, other)| one == other);
                alike.map(|(letter, _)| letter.len_utf8()).sum()
            };
            let Some(common) = names.iter().zip(&short).filter(is_same).map(common).min() else {
                return short[place].clone();
            };
            // From the last part that differs.
            let common = name[..common].rfind(',').map_or(common, |comma| comma + 1);
            let mut rest = name[common..].to_owned();
            let fits = |rest: &str| self.width(&format!("…{rest}…")) <= width;
            while !fits(&rest) && rest.pop().is_some() {}
            match common {
                0 => self.shortened(&format!("({}) {name}", place + 1), width),
                _ if name.ends_with(&rest) => format!("…{rest}"),
                _ => format!("…{rest}…"),
            }
        };
        names.iter().enumerate().map(apart).collect()
    }

    /// Words in lines of this width. By hand, since libraries count letters, and here widths are those of the font.
    pub fn wrapped(self, words: &str, width: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in words.split_whitespace() {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}")) <= width => *line += &format!(" {word}"),
                _ => lines.push(self.shortened(word, width)),
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const TEXT: Text = Text::new(16.0);

    #[test]
    fn long_words_lose_their_middle_and_keep_to_the_width() {
        let long = "ybwc,minimum-draft=4,maximum-helpers=3, mailbox";
        for width in [40.0, 80.0, 200.0] {
            let short = TEXT.shortened(long, width);
            assert!(TEXT.width(&short) <= width, "{short}");
            assert!(short.contains('…') && short.starts_with('y') && short.ends_with('x'), "{short}");
        }
        assert_eq!(TEXT.shortened("ybwc", 200.0), "ybwc");
        assert_eq!(TEXT.shortened("ybwc", 0.0), "…");
    }

    #[test]
    fn shortened_names_stay_different() {
        let names =
            ["thesis,+check-extension=0", "thesis,+one-reply-extension=0", "thesis,+recapture-extension=0", "thesis"];
        for width in [110.0, 130.0, 300.0] {
            let short = TEXT.shortened_apart(&names, width);
            assert!(short.iter().all(|name| TEXT.width(name) <= width), "{short:?}");
            assert_eq!(short.iter().collect::<HashSet<_>>().len(), names.len(), "{short:?}");
        }
        assert_eq!(TEXT.shortened_apart(&["a", "a"], 300.0), ["a", "a"], "equal names are");
    }

    #[test]
    fn widths_are_those_of_the_font() {
        assert!(TEXT.width("iii") < TEXT.width("MMM") / 2.0);
        assert!(TEXT.bold().width("speedup") > TEXT.width("speedup"));
        assert!((TEXT.width("speedup") * 2.0 - Text::new(32.0).width("speedup")).abs() < 0.5);
    }

    #[test]
    fn long_notes_are_broken_between_words() {
        let lines = TEXT.wrapped("as many words as a note may have in a long line", 120.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| TEXT.width(line) <= 120.0), "{lines:?}");
        assert_eq!(lines.join(" "), "as many words as a note may have in a long line");
    }
}
