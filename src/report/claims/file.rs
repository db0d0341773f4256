//! The file of claims: what others have published, each with a mechanical test of figures of runs that it names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use crate::choices::choices;

/// Error in a file of claims, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ClaimsError(pub String);

/// Published claims, and the runs that test them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimsFile {
    /// Title of the page.
    pub title: String,
    /// Question that all claims answer together.
    pub question: String,
    /// Runs, in the order in which they are made.
    #[serde(rename = "run", default)]
    pub runs: Vec<ClaimsRun>,
    /// The claims, in the order of the page.
    #[serde(rename = "claim", default)]
    pub claims: Vec<Claim>,
}

/// A run whose figures test claims.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimsRun {
    /// Name, by which tests know it; its folder is named so too.
    pub name: String,
    /// Experiment that is run: one that ships, or a file.
    pub experiment: Option<String>,
    /// Tournament that is played, in place of an experiment.
    pub tournament: Option<String>,
    /// Changes of it, as `--set` has them.
    #[serde(default)]
    pub set: Vec<String>,
    /// Further changes for the usual size.
    #[serde(default)]
    pub small: Vec<String>,
    /// Further changes for the size in which results are published.
    #[serde(default)]
    pub full: Vec<String>,
}

/// A published claim.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Name on the command line.
    pub name: String,
    /// The claim in a sentence.
    pub title: String,
    /// Who published it, and when.
    pub source: String,
    /// What the authors of the claim measured, in words.
    pub said: String,
    /// What our tests of the claim measure, and how that differs from what its authors measured.
    pub here: String,
    /// What our tests measure in place of what the claim is about, if that differs: `time to depth, not games`.
    pub instead: Option<String>,
    /// Tests: the claim is reproduced if all are passed, and contradicted if one is shown to fail.
    #[serde(rename = "test")]
    pub tests: Vec<Test>,
}

/// A test: a figure, and where it lies if the claim is true.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// The statement that the test checks, in words.
    pub says: String,
    /// Run whose figures are tested, where a term does not name another.
    #[serde(default)]
    pub run: String,
    /// Measure of the terms that name none of their own.
    pub measure: Measure,
    /// Terms that the figure is the product of.
    pub of: Terms,
    /// Terms that it is divided by.
    #[serde(default)]
    pub to: Terms,
    /// Lower end of where the figure lies if the claim is true.
    pub above: Option<f64>,
    /// Upper end of it.
    pub below: Option<f64>,
    /// The factors of span and work of a law, for the measure `beside-law`.
    #[serde(default)]
    pub law: [f64; 2],
}

/// One term or several.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Terms {
    One(Term),
    Several(Vec<Term>),
}

/// Configuration of a run, or player of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Term {
    /// Run that has it, if it is another than the test's.
    pub run: Option<String>,
    /// Measure of this term, if it is another than the test's.
    pub measure: Option<Measure>,
    /// Time of one processor, in seconds, at which a speedup is measured; the end of the search if it is not given.
    pub at: Option<f64>,
    /// Values of fields by which it is found.
    #[serde(flatten)]
    pub fields: BTreeMap<String, toml::Value>,
}

choices! {
    /// What is measured.
    pub enum Measure, "measure";
    /// Time speedup over one processor.
    Speedup "speedup",
    /// Time to the same depth.
    Time "time",
    /// Nodes to the same depth.
    Nodes "nodes",
    /// Time relative to a law of span and work: c times the span of the tree, and w times the work by the processors.
    BesideLaw "beside-law",
    /// Multiple of its opponent's limit at which a player scores one half.
    Strength "strength",
    /// Difference in rating between two players, in points of Elo's scale.
    Elo "elo",
}

impl Default for Terms {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl Terms {
    pub fn all(&self) -> &[Term] {
        match self {
            Self::One(term) => std::slice::from_ref(term),
            Self::Several(terms) => terms,
        }
    }
}

impl Term {
    /// Texts of the values of its fields.
    pub fn wanted(&self) -> Vec<(&str, String)> {
        let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.fields.iter().map(|(field, value)| (field.as_str(), text(value))).collect()
    }
}

impl Test {
    /// Terms, and whether the figure is their product or divided by them.
    pub fn terms(&self) -> impl Iterator<Item = (&Term, bool)> {
        let of = self.of.all().iter().map(|term| (term, true));
        of.chain(self.to.all().iter().map(|term| (term, false)))
    }

    /// Name of the run of a term.
    pub fn run_of<'a>(&'a self, term: &'a Term) -> &'a str {
        term.run.as_deref().unwrap_or(&self.run)
    }

    /// What is measured of a term.
    pub fn measure_of(&self, term: &Term) -> Measure {
        term.measure.unwrap_or(self.measure)
    }
}

impl Claim {
    /// Names of the runs that test it.
    pub fn runs(&self) -> BTreeSet<&str> {
        self.tests.iter().flat_map(|test| test.terms().map(|(term, _)| test.run_of(term))).collect()
    }
}

impl ClaimsFile {
    /// Reads and checks a file of this name and text.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ClaimsError> {
        let wrong = |message: String| ClaimsError(format!("{}: {message}", path.display()));
        let file: Self = toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        file.check().map_err(wrong)?;
        Ok(file)
    }

    fn check(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for run in &self.runs {
            if run.experiment.is_some() == run.tournament.is_some() {
                return Err(format!("run '{}' needs an experiment or a tournament, and not both", run.name));
            }
            let is_plain = run.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
            if !is_plain || run.name.starts_with(['.', '-']) || run.name.is_empty() {
                return Err(format!("run '{}': its folder cannot be named so", run.name));
            }
            if !names.insert(&run.name) {
                return Err(format!("two runs are named '{}'", run.name));
            }
        }
        let mut claims = BTreeSet::new();
        for claim in &self.claims {
            let wrong = |message: &str| Err(format!("claim '{}': {message}", claim.name));
            if !claims.insert(&claim.name) {
                return wrong("another one has this name");
            }
            if let Some(run) = claim.runs().into_iter().find(|run| !names.contains(&(*run).to_owned())) {
                return wrong(&format!("there is no run '{run}'"));
            }
            if claim.tests.is_empty() {
                return wrong("it has no [[claim.test]]");
            }
            for test in &claim.tests {
                if test.above.is_none() && test.below.is_none() {
                    return wrong("a test needs 'above' or 'below', or both");
                }
                if test.of.all().is_empty() {
                    return wrong("'of' is empty");
                }
                if test.measure == Measure::Elo && (test.of.all().len(), test.to.all().len()) != (1, 1) {
                    return wrong("a difference in rating is of one player to one other");
                }
            }
        }
        Ok(())
    }
}
