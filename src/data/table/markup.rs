//! Markup that is well-formed by construction: an element is closed by whoever opened it, and text is always escaped.
//! Nothing but constants of this program is written as it stands. By hand, since a page needs little more than this.

/// Piece of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Html(String);

/// Attributes of an element, by name. One without a value is left out.
pub type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Html {
    /// Piece with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Text of the piece as it stands in a file.
    pub fn into_string(self) -> String {
        self.0
    }

    /// Number of bytes so far.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    /// Adds text from anywhere.
    pub fn text(&mut self, text: &str) {
        escape_into(&mut self.0, text);
    }

    /// Adds markup that is known to be good: constants, and pictures of this program's own making.
    pub fn markup(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Adds another piece.
    pub fn add(&mut self, piece: &Self) {
        self.0.push_str(&piece.0);
    }

    /// Adds an element with whatever `fill` puts into it.
    pub fn within(&mut self, tag: &str, attributes: Attributes, fill: impl FnOnce(&mut Self)) {
        self.open(tag, attributes);
        fill(self);
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
        if !is_inline(tag) {
            self.0.push('\n');
        }
    }

    /// Adds an element with only text in it.
    pub fn element(&mut self, tag: &str, attributes: Attributes, text: &str) {
        self.within(tag, attributes, |html| html.text(text));
    }

    /// Adds an element that has no end, such as `meta`.
    pub fn void(&mut self, tag: &str, attributes: Attributes) {
        self.open(tag, attributes);
        self.0.push('\n');
    }

    /// Adds names with their meanings or values; those without a value are left out.
    pub fn facts(&mut self, facts: &[(impl AsRef<str>, impl AsRef<str>)]) {
        let known: Vec<_> = facts.iter().filter(|(_, value)| !value.as_ref().is_empty()).collect();
        if known.is_empty() {
            return;
        }
        self.within("dl", &[("class", "facts")], |html| {
            for (name, value) in known {
                html.element("dt", &[], name.as_ref());
                html.element("dd", &[], value.as_ref());
            }
        });
    }

    /// Adds a paragraph for each text.
    pub fn paragraphs(&mut self, texts: &[impl AsRef<str>]) {
        texts.iter().for_each(|text| self.element("p", &[], text.as_ref()));
    }

    fn open(&mut self, tag: &str, attributes: Attributes) {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            escape_into(&mut self.0, value);
            self.0.push('"');
        }
        self.0.push('>');
    }
}

/// Elements after which a new line would be seen as a space.
fn is_inline(tag: &str) -> bool {
    ["a", "abbr", "b", "code", "em", "span", "strong"].contains(&tag)
}

/// Writes what shows as this text, within an element or a quoted attribute. Characters that HTML forbids are replaced.
fn escape_into(target: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => target.push_str("&amp;"),
            '<' => target.push_str("&lt;"),
            '>' => target.push_str("&gt;"),
            '"' => target.push_str("&quot;"),
            '\'' => target.push_str("&#39;"),
            '\t' | '\n' => target.push(character),
            other if other.is_control() => target.push(char::REPLACEMENT_CHARACTER),
            other => target.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_wherever_it_stands() {
        let mut html = Html::new();
        html.within("p", &[("title", "\"><script>")], |html| {
            html.text("a < b & 'c'\u{0}\r");
            html.element("code", &[], "</p>");
        });
        let expected = "<p title=\"&quot;&gt;&lt;script&gt;\">a &lt; b &amp; \
                        &#39;c&#39;\u{fffd}\u{fffd}<code>&lt;/p&gt;</code></p>\n";
        assert_eq!(html.into_string(), expected);
    }

    #[test]
    fn facts_without_a_value_are_left_out() {
        let mut html = Html::new();
        html.facts(&[("kernel", "")]);
        assert_eq!(html, Html::new());
        html.facts(&[("kernel", ""), ("cores", "2")]);
        assert_eq!(html.into_string(), "<dl class=\"facts\"><dt>cores</dt>\n<dd>2</dd>\n</dl>\n");
    }
}
