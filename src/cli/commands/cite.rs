//! `splitpoint cite`: how to cite the program, from the citation file of its sources.

use std::io::{Write, stdout};

use clap::{Args, ValueEnum};

use super::built;
use super::error::CliError;

/// The citation file, in the Citation File Format.
const CITATION: &str = include_str!("../CITATION.cff");

/// Print how to cite this version of the program
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint cite >> references.bib
  splitpoint cite --format text
  splitpoint cite --format cff

Cite the results of a run together with its digest: splitpoint digest DIR.")]
pub struct Cite {
    /// Form of the citation
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// An entry for BibTeX and BibLaTeX
    #[default]
    Bibtex,
    /// A sentence
    Text,
    /// The citation file itself
    Cff,
}

impl Cite {
    pub fn run(&self) -> Result<(), CliError> {
        let text = match self.format {
            Format::Bibtex => Work::cited().bibtex(built::of_this_program().commit.as_deref()),
            Format::Text => Work::cited().sentence(built::of_this_program().commit.as_deref()),
            Format::Cff => CITATION.to_owned(),
        };
        Ok(stdout().lock().write_all(text.as_bytes())?)
    }
}

/// The program as a citation names it: title, authors, version, date and licences.
struct Work<'a> {
    title: &'a str,
    authors: Vec<&'a str>,
    version: &'a str,
    /// Year, month and day.
    released: [&'a str; 3],
    licences: Vec<&'a str>,
}

impl Work<'static> {
    /// The program, by its citation file.
    fn cited() -> Self {
        let value = |key: &str| {
            let line = CITATION.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
            line.unwrap_or_default().trim_matches('"')
        };
        let items = |key: &str| {
            let below = CITATION.lines().skip_while(move |line| line.strip_suffix(':') != Some(key)).skip(1);
            let items = below.map_while(|line| line.strip_prefix("  - "));
            items.map(|item| item.trim_start_matches("name: ").trim_matches('"')).collect()
        };
        let mut released = value("date-released").split('-');
        Self {
            title: value("title"),
            authors: items("authors"),
            version: value("version"),
            released: std::array::from_fn(|_| released.next().unwrap_or_default()),
            licences: items("license"),
        }
    }

    fn bibtex(&self, commit: Option<&str>) -> String {
        let Self { title, authors, version, released: [year, month, _], licences } = self;
        // Braces keep a group's name whole.
        let authors: Vec<String> = authors.iter().map(|author| format!("{{{author}}}")).collect();
        let (authors, licences) = (authors.join(" and "), licences.join(" OR "));
        let note = commit.map(|commit| format!("  note = {{commit {commit}}},\n")).unwrap_or_default();
        format!(
            "@software{{splitpoint,\n  title = {{{{{title}}}}},\n  author = {{{authors}}},\n  \
             version = {{{version}}},\n  year = {{{year}}},\n  month = {{{month}}},\n  license = {{{licences}}},\n{note}}}\n"
        )
    }

    fn sentence(&self, commit: Option<&str>) -> String {
        let Self { title, authors, version, released: [year, ..], .. } = self;
        let commit = commit.map(|commit| format!(", commit {commit}")).unwrap_or_default();
        format!("{} ({year}). {title} (version {version}{commit}) [Computer software].\n", authors.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_what_the_citation_file_says() {
        let work = Work::cited();
        assert_eq!(work.version, env!("CARGO_PKG_VERSION"));
        assert_eq!(work.authors, ["The Splitpoint authors"]);
        assert_eq!(work.licences, ["MIT", "Apache-2.0"]);
        assert!(work.title.starts_with("Splitpoint: ") && work.released.iter().all(|part| part.parse::<u32>().is_ok()));
        let entry = work.bibtex(Some("abc"));
        assert!(entry.contains("author = {{The Splitpoint authors}},\n") && entry.contains("note = {commit abc},"));
        assert_eq!(entry.matches('{').count(), entry.matches('}').count(), "{entry}");
        assert!(work.sentence(None).ends_with(&format!("(version {}) [Computer software].\n", work.version)));
    }
}
