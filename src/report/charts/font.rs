//! Font of all charts. It is in the binary, so that no font need be installed; PNG files are drawn with it, and SVG and
//! PDF files carry it inside. `font/README.md` says where it is from.

use std::sync::OnceLock;

use plotters::style::text_anchor::{Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, TextStyle, register_font};

/// Part of a text that is at its place.
pub(super) use plotters::style::text_anchor::HPos as Align;

use super::canvas::Colour;
use super::style::INK;
use super::typeface::{PER_EM, Typeface};

/// Name of the font, then fonts for an SVG viewer that cannot read the font inside.
pub(super) const FAMILY: &str = "Splitpoint Sans, Inter, Helvetica, Arial, DejaVu Sans, sans-serif";

const NAME: &str = "Splitpoint Sans";
const REGULAR_COMPRESSED: &[u8] = include_bytes!("font/regular.woff2");
const BOLD_COMPRESSED: &[u8] = include_bytes!("font/semibold.woff2");

/// Height of a line as the drawing library takes it, in heights of the font.
const LINE_HEIGHT: f64 = 1.24;

/// Height of most texts, in units.
pub(super) const USUAL_SIZE: f64 = 16.0;

/// Distance of the baseline below the place of a text in bitmaps, in heights of the font: half a line.
pub(super) const DROP_IN_BITMAPS: f64 = LINE_HEIGHT / 2.0;

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
    /// Plain black text that begins at its place.
    pub const fn new(size: f64) -> Self {
        Self { size, bold: false, colour: INK, align: Align::Left, upward: false }
    }

    /// Style in bold.
    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// Style in another colour.
    pub const fn colour(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    /// Style with another part of the text at its place.
    pub const fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    /// Style that reads from bottom to top.
    pub const fn upward(self) -> Self {
        Self { upward: true, ..self }
    }

    /// Distance of the baseline below the middle of a line, so that capitals and digits are centred on it.
    pub fn below_middle(self) -> f64 {
        self.size * CAPITAL / 2.0
    }

    /// Width of these words, in units.
    pub fn width(self, words: &str) -> f64 {
        let face = Typeface::of(self.bold);
        let width = |character| face.width(face.glyph(character));
        words.chars().map(width).sum::<f64>() * self.size / PER_EM
    }

    fn font(self, steps_per_unit: f64) -> FontDesc<'static> {
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        FontDesc::new(FontFamily::Name(FAMILY), self.size * LINE_HEIGHT * steps_per_unit, weight)
    }

    /// Words with the middle left out if they are wider than `width` units. Beginning and end say most.
    pub fn shortened(self, words: &str, width: f64) -> String {
        if self.width(words) <= width {
            return words.to_owned();
        }
        let letters: Vec<char> = words.chars().collect();
        for kept in (2..letters.len()).rev() {
            let (head, tail) = (kept.div_ceil(2), kept / 2);
            let short =
                letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect::<String>();
            if self.width(&short) <= width {
                return short;
            }
        }
        "…".to_owned()
    }

    /// Names shortened to a width. Those that would be the same lose their common beginning; if that is not enough,
    /// they are numbered.
    pub fn shortened_apart(self, names: &[&str], width: f64) -> Vec<String> {
        let mut short: Vec<String> = names.iter().map(|name| self.shortened(name, width)).collect();
        let without_beginning: Vec<String> = names
            .iter()
            .zip(&short)
            .map(|(name, mine)| {
                let others = names.iter().zip(&short).filter(|(other, theirs)| *theirs == mine && other != &name);
                let common = others.map(|(other, _)| common_letters(name, other)).min().unwrap_or(0);
                let rest: String = name.chars().skip(common).collect();
                if common == 0 { mine.clone() } else { self.cut(&format!("…{rest}"), width) }
            })
            .collect();
        for (place, name) in without_beginning.iter().enumerate() {
            let is_same = |(other, theirs): (usize, &String)| theirs == name && names[other] != names[place];
            short[place] = match without_beginning.iter().enumerate().any(is_same) {
                true => self.shortened(&format!("({}) {}", place + 1, names[place]), width),
                false => name.clone(),
            };
        }
        short
    }

    /// Words with the end left out if they are wider than `width` units.
    fn cut(self, words: &str, width: f64) -> String {
        let mut kept = words.to_owned();
        let mut shown = words.to_owned();
        while self.width(&shown) > width && kept.pop().is_some() {
            shown = format!("{kept}…");
        }
        shown
    }
}

/// Number of letters that two names begin with alike.
fn common_letters(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// Style as the drawing library wants it.
pub(super) fn style(text: Text, steps_per_unit: f64) -> TextStyle<'static> {
    let (red, green, blue) = text.colour;
    let transform = if text.upward { FontTransform::Rotate270 } else { FontTransform::None };
    text.font(steps_per_unit)
        .transform(transform)
        .color(&RGBAColor(red, green, blue, 1.0))
        .pos(Pos::new(text.align, VPos::Top))
}

/// Makes the font known to the drawing library. Further calls do nothing.
pub(super) fn register() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        for (style, is_bold) in [(FontStyle::Normal, false), (FontStyle::Bold, true)] {
            // A font that cannot be read is an error where it is first drawn with.
            let _ = register_font(FAMILY, style, Typeface::of(is_bold).file);
        }
    });
}

/// Style sheet that gives an SVG, or a page with drawings in it, the font.
pub(crate) fn faces() -> String {
    let face = |weight: &str, bytes: &[u8]| {
        format!(
            "@font-face{{font-family:\"{NAME}\";font-weight:{weight};src:url(data:font/woff2;base64,{}) \
             format(\"woff2\")}}",
            base64(bytes)
        )
    };
    face("normal", REGULAR_COMPRESSED) + &face("bold", BOLD_COMPRESSED)
}

/// Base 64 as in RFC 4648. By hand, since it is shorter than the reason for a library.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = three.iter().chain([0, 0].iter()).take(3).fold(0, |word, &byte| word << 8 | usize::from(byte));
        for place in 0..4 {
            let is_padding = place > three.len();
            text.push(if is_padding { '=' } else { char::from(LETTERS[word >> (18 - 6 * place) & 63]) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (plain, encoded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
    }

    #[test]
    fn long_words_lose_their_middle_and_keep_to_the_width() {
        let text = Text::new(16.0);
        let long = "ybwc,minimum-draft=4,maximum-helpers=3, mailbox";
        for width in [40.0, 80.0, 200.0] {
            let short = text.shortened(long, width);
            assert!(text.width(&short) <= width, "{short}");
            assert!(short.contains('…') && short.starts_with('y') && short.ends_with('x'), "{short}");
        }
        assert_eq!(text.shortened("ybwc", 200.0), "ybwc");
        assert_eq!(text.shortened("ybwc", 0.0), "…");
    }

    #[test]
    fn shortened_names_stay_different() {
        let text = Text::new(16.0);
        let names =
            ["thesis,+check-extension=0", "thesis,+one-reply-extension=0", "thesis,+recapture-extension=0", "thesis"];
        for width in [110.0, 130.0, 300.0] {
            let short = text.shortened_apart(&names, width);
            assert!(short.iter().all(|name| text.width(name) <= width), "{short:?}");
            assert_eq!(short.iter().collect::<std::collections::HashSet<_>>().len(), names.len(), "{short:?}");
        }
        assert_eq!(text.shortened_apart(&["a", "a"], 300.0), ["a", "a"], "equal names are");
        let [one, other] = ["a", "b"].map(|middle| format!("{}{middle}{}", "x".repeat(100), "y".repeat(100)));
        assert_eq!(text.shortened_apart(&[&one, &other], 80.0)[0].chars().take(2).collect::<String>(), "…a");
    }

    #[test]
    fn widths_are_those_of_the_font() {
        let text = Text::new(16.0);
        assert!(text.width("iii") < text.width("MMM") / 2.0);
        assert!(text.bold().width("speedup") > text.width("speedup"));
        assert!((text.width("speedup") * 2.0 - Text::new(32.0).width("speedup")).abs() < 0.5);
    }
}
