//! The file of claims: what others have published, each with a mechanical test of figures of runs that it names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use crate::choices::choices;
use crate::figures::{Figure, register};
use crate::statistics::LEVEL;

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
    /// Time of one processor, divided by the number of processors, below which a search is too small to judge anything
    /// by, in seconds.
    #[serde(default = "usual_seconds_each")]
    pub seconds_each: f64,
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
    /// Whether the run is left out of the usual size, where it could decide nothing.
    #[serde(default)]
    pub full_only: bool,
}

/// Seconds for each processor that a search has at least: its start and its end take some milliseconds.
const fn usual_seconds_each() -> f64 {
    0.02
}

/// Doublings of the size of a search over which its growth may be continued, if the file does not say: as far as the
/// sources may have searched longer, and not without end.
const USUAL_DOUBLINGS: f64 = 4.0;

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
    /// Words for what the authors of the claim measured.
    pub said: String,
    /// Words for what our tests of the claim measure, and for how that differs from what its authors measured.
    pub here: String,
    /// Measure that our tests take in place of what the claim is about, if that differs: `time to depth, not games`.
    pub instead: Option<String>,
    /// Time that the searches of its authors would take one processor, in seconds, if it is known.
    pub searched_s: Option<f64>,
    /// Doublings of the size of our searches that a figure may need to come level with the claim, where `searched_s` is
    /// not known: one that needs more contradicts it.
    pub doublings: Option<f64>,
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
    /// Column of `runs.csv` that the measure `figure` reads.
    pub figure: Option<String>,
    /// Run of the same players with more time for a move, for the measure `elo`.
    pub longer: Option<String>,
    /// The figure as it was claimed; if it is not given, the middle of the region, or what lies inside its one end by
    /// what matters.
    pub claimed: Option<f64>,
    /// Factor by which a claim that is false is to miss for the test to find it; for `elo` a number of points.
    pub matters: Option<f64>,
    /// Standard deviation between positions of the logarithm of the figure, with the runs that are planned; for
    /// `strength` that of a game.
    pub spread: Option<f64>,
    /// Factor by which the figure is expected to grow when the time of one processor doubles. A false claim is then one
    /// that is still false after the doublings that count.
    pub grows: Option<f64>,
    /// Share of games that are expected to be drawn.
    pub draws: Option<f64>,
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
    /// Figure of a run that a test is about.
    pub enum Measure, "measure";
    /// Time speedup over one processor.
    Speedup "speedup",
    /// Time to the same depth.
    Time "time",
    /// Nodes to the same depth.
    Nodes "nodes",
    /// Time relative to a law of span and work: c times the span of the tree, and w times the work by the processors.
    BesideLaw "beside-law",
    /// A figure of each search, such as a share: that of one term as it is, of several their ratio.
    Figure "figure",
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

    /// Measure of a term.
    pub fn measure_of(&self, term: &Term) -> Measure {
        term.measure.unwrap_or(self.measure)
    }
}

impl Test {
    /// Names of the runs that it takes figures from.
    pub fn runs(&self) -> BTreeSet<&str> {
        self.terms().map(|(term, _)| self.run_of(term)).chain(self.longer.as_deref()).collect()
    }

    /// Where the figure lies if the claim is true.
    pub fn region(&self) -> [f64; 2] {
        [self.above.unwrap_or(f64::NEG_INFINITY), self.below.unwrap_or(f64::INFINITY)]
    }

    /// The figure that the measure `figure` reads; nothing if there is none of this name.
    pub fn figure(&self) -> Option<Figure> {
        register::all().find(|figure| self.figure.as_ref() == Some(&figure.name()))
    }

    /// Whether the figure is that of one term as it is, which may be 0, and no product of several.
    pub fn is_plain(&self) -> bool {
        self.measure == Measure::Figure && self.terms().count() == 1
    }

    /// Name of what is measured.
    pub fn measured(&self) -> &str {
        self.figure.as_deref().unwrap_or(self.measure.name())
    }

    /// The figure on the scale on which it grows evenly: points of a rating, or the logarithm of a ratio.
    pub fn on_scale(&self, value: f64) -> f64 {
        if self.measure == Measure::Elo { value } else { value.max(0.0).ln() }
    }
}

impl Claim {
    /// Names of the runs that test it.
    pub fn runs(&self) -> BTreeSet<&str> {
        self.tests.iter().flat_map(Test::runs).collect()
    }

    /// Doublings of the size of our searches over which growth counts.
    pub fn reach(&self, size_s: Option<f64>) -> f64 {
        let known = self.searched_s.zip(size_s).map(|(searched_s, size_s)| (searched_s / size_s).log2().max(0.0));
        known.or(self.doublings).unwrap_or(USUAL_DOUBLINGS)
    }

    /// Level of the intervals of its tests, which hold together: if one of several fails by chance, the claim is
    /// contradicted by chance.
    pub fn level(&self) -> f64 {
        1.0 - (1.0 - LEVEL) / self.tests.len() as f64
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
                if (test.measure == Measure::Elo) != test.longer.is_some() {
                    return wrong(
                        "a test of 'elo' needs 'longer', a run of the same players with more time for a move, and no \
                         other test has one: a difference in rating at one time says nothing of others",
                    );
                }
                let has_figure = test.terms().any(|(term, _)| test.measure_of(term) == Measure::Figure);
                if has_figure != test.figure.is_some() {
                    return wrong("'figure' names a column of runs.csv for the measure 'figure', and for no other");
                }
                if let (Some(name), None) = (&test.figure, test.figure()) {
                    return wrong(&format!("'{name}' is not a figure of a search"));
                }
                let is_wrong =
                    |value: Option<f64>, least: f64| value.is_some_and(|value| value.is_nan() || value <= least);
                if is_wrong(test.matters, if test.measure == Measure::Elo { 0.0 } else { 1.0 }) {
                    return wrong("'matters' is a factor above 1, or for 'elo' a number of points above 0");
                }
                if is_wrong(test.spread, 0.0) || is_wrong(test.grows, 0.0) {
                    return wrong("'spread' and 'grows' are above 0");
                }
                if test.draws.is_some_and(|draws| !(0.0..1.0).contains(&draws)) {
                    return wrong("'draws' is a share of games, below 1");
                }
            }
        }
        Ok(())
    }
}
