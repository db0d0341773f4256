//! `splitpoint cite`: how to cite the program, from the citation file of its sources, and the results in a folder.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::built;
use super::error::CliError;
use crate::record::digest::{digest, simulated};
use crate::record::folder::{description, sessions};
use crate::report::export::Author;
use crate::table::latex::escaped;

/// The citation file, in the Citation File Format.
const CITATION: &str = include_str!("../CITATION.cff");

/// Print how to cite this version of the program, or the results in a folder
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint cite >> references.bib
  splitpoint cite results/quick --author 'Ada Lovelace' >> references.bib
  splitpoint cite --format biblatex
  splitpoint cite --format text
  splitpoint cite --format cff

Results are cited by their digest ('splitpoint digest DIR'), and simulated ones also by that which whoever repeats \
them gets.")]
pub struct Cite {
    /// Run folder whose results are cited, instead of the program
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Form of the citation
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Somebody who has made the run; may be given several times
    #[arg(long = "author", value_name = "NAME", requires = "folder")]
    authors: Vec<Author>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// An entry that every style of BibTeX knows
    #[default]
    Bibtex,
    /// An entry for BibLaTeX, with version and date in fields of their own
    Biblatex,
    /// A sentence
    Text,
    /// The citation file itself
    Cff,
}

impl Cite {
    pub fn run(&self) -> Result<(), CliError> {
        let work = match &self.folder {
            Some(folder) => Work::results(folder, &self.authors)?,
            None => Work::program(built::of_this_program().commit.as_deref()),
        };
        let text = match self.format {
            Format::Bibtex => work.bibtex(),
            Format::Biblatex => work.biblatex(),
            Format::Text => work.sentence(),
            Format::Cff if self.folder.is_some() => {
                return Err(CliError::BadInput("the citation file is of the program: leave DIR out".to_owned()));
            }
            Format::Cff => CITATION.to_owned(),
        };
        Ok(stdout().lock().write_all(text.as_bytes())?)
    }
}

/// Facts of a citation of the program, or of the results in a folder.
struct Work {
    /// Name of the entry.
    key: String,
    /// Kind of the entry in BibLaTeX.
    kind: &'static str,
    /// Noun in brackets at the end of the sentence: `Computer software`.
    what: &'static str,
    title: String,
    authors: Vec<String>,
    /// Whether the authors are a group, whose name is no person's.
    is_group: bool,
    version: String,
    /// Year, month and day, as far as they are known.
    date: Vec<String>,
    /// Commit or digests, by which the very thing that is cited can be told.
    notes: Vec<String>,
}

/// Names of the months in BibTeX.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

impl Work {
    /// The program, by its citation file.
    fn program(commit: Option<&str>) -> Self {
        let value = |key: &str| {
            let line = CITATION.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
            line.unwrap_or_default().trim_matches('"').to_owned()
        };
        let below = CITATION.lines().skip_while(|line| *line != "authors:").skip(1);
        let authors = below.map_while(|line| line.strip_prefix("  - name: "));
        Self {
            key: "splitpoint".to_owned(),
            kind: "software",
            what: "Computer software",
            title: value("title"),
            authors: authors.map(|name| name.trim_matches('"').to_owned()).collect(),
            is_group: true,
            version: value("version"),
            date: value("date-released").split('-').map(str::to_owned).collect(),
            notes: commit.map(|commit| format!("commit {commit}")).into_iter().collect(),
        }
    }

    /// The results in a folder.
    fn results(folder: &Path, authors: &[Author]) -> Result<Self, CliError> {
        let description = description(folder)?;
        let sessions = sessions(folder)?;
        let started = sessions.last().and_then(|session| session["started"].as_str()).unwrap_or_default();
        let day = started.get(..10).unwrap_or_default();
        let simulated = simulated(folder)?.map(|digest| format!("simulated searches {digest}"));
        let name = folder.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let letters = name.unwrap_or_default().replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        Ok(Self {
            key: format!("splitpoint-{letters}"),
            kind: "dataset",
            what: "Data set",
            title: format!("{}: results of Splitpoint", description.title),
            authors: authors.iter().map(|author| author.name.clone()).collect(),
            is_group: false,
            version: description.version,
            date: day.split('-').filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            notes: [digest(folder)?.to_string()].into_iter().chain(simulated).collect(),
        })
    }

    fn year(&self) -> &str {
        self.date.first().map_or("n.d.", String::as_str)
    }

    /// An entry with the fields of this kind that are not empty.
    fn entry(&self, kind: &str, fields: &[(&str, String)]) -> String {
        // Braces keep a group's name whole.
        let author = |name: &String| if self.is_group { braced(&escaped(name)) } else { escaped(name) };
        let authors: Vec<String> = self.authors.iter().map(author).collect();
        let known = [("title", braced(&braced(&escaped(&self.title)))), ("author", braced(&authors.join(" and ")))];
        let all = known.iter().chain(fields).filter(|(_, value)| !value.is_empty() && value != "{}");
        let lines: String = all.map(|(name, value)| format!("  {name} = {value},\n")).collect();
        format!("@{kind}{{{},\n{lines}}}\n", self.key)
    }

    fn bibtex(&self) -> String {
        let month = self.date.get(1).and_then(|month| MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?));
        let note = format!("{}, version {}, {}", self.what, self.version, self.notes.join(", "));
        let note = note.trim_end_matches([',', ' ']);
        let month = month.copied().unwrap_or_default().to_owned();
        self.entry("misc", &[("year", braced(self.year())), ("month", month), ("note", braced(note))])
    }

    fn biblatex(&self) -> String {
        let fields = [
            ("date", braced(&self.date.join("-"))),
            ("version", braced(&self.version)),
            ("note", braced(&self.notes.join(", "))),
        ];
        self.entry(self.kind, &fields)
    }

    fn sentence(&self) -> String {
        let Self { title, version, what, .. } = self;
        let authors = self.authors.join(", ");
        let by = if authors.is_empty() { String::new() } else { format!("{authors} ") };
        let notes: String = self.notes.iter().map(|note| format!(", {note}")).collect();
        format!("{by}({}). {title} (version {version}{notes}) [{what}].\n", self.year())
    }
}

/// A value of an entry, in braces.
fn braced(text: &str) -> String {
    format!("{{{text}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_what_the_citation_file_says() {
        let work = Work::program(Some("abc"));
        assert_eq!(work.version, env!("CARGO_PKG_VERSION"));
        assert_eq!(work.authors, ["The Splitpoint authors"]);
        assert!(work.title.starts_with("Splitpoint: ") && work.date.iter().all(|part| part.parse::<u32>().is_ok()));
        for entry in [work.bibtex(), work.biblatex()] {
            assert!(
                entry.contains("author = {{The Splitpoint authors}},\n") && entry.contains("commit abc},"),
                "{entry}"
            );
            assert_eq!(entry.matches('{').count(), entry.matches('}').count(), "{entry}");
        }
        assert!(work.bibtex().contains(&format!("note = {{Computer software, version {}, commit abc}}", work.version)));
        let sentence = Work::program(None).sentence();
        assert!(sentence.ends_with(&format!("(version {}) [Computer software].\n", work.version)), "{sentence}");
        assert!(sentence.starts_with("The Splitpoint authors ("), "{sentence}");
    }
}
