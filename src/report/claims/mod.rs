//! Published claims, held against figures of ours: each has a source, tests of figures of runs, and a verdict that
//! follows from their intervals.

mod figure;
pub(crate) mod file;
mod questions;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::Source;
use crate::choices::choices;
use crate::error::ReportError;
use crate::games::Results;
use crate::record::folder::FolderError;
use crate::record::{CLAIMS, TOURNAMENT};
use crate::statistics::{Interval, LEVEL};

use figure::{Ran, figure};
pub use file::{Claim, ClaimsError, ClaimsFile, ClaimsRun, Test};

choices! {
    /// What figures say of a claim or of a test.
    pub enum ClaimVerdict, "verdict";
    /// The figures show it to be true.
    Reproduced "reproduced",
    /// The figures show it to be false.
    Contradicted "contradicted",
    /// The figures show neither.
    NotShown "not shown",
    /// A run is missing.
    NotRun "not run",
}

/// Claims with what was found.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    file: ClaimsFile,
    claims: Vec<JudgedClaim>,
    /// Runs that are there, in the order of the file, each with how it is made again and how much there is of it.
    runs: Vec<RunFacts>,
    /// What a reader should know first.
    alerts: Vec<String>,
    /// Command that makes them again.
    command: String,
}

/// What was run for a name.
#[derive(Clone, Debug, Default, PartialEq)]
struct RunFacts {
    name: String,
    title: String,
    command: String,
    /// Number of searches or games.
    size: String,
}

/// A claim with its verdict.
#[derive(Clone, Debug, PartialEq)]
struct JudgedClaim {
    claim: Claim,
    verdict: ClaimVerdict,
    tests: Vec<JudgedTest>,
}

/// A test with what was found.
#[derive(Clone, Debug, PartialEq)]
struct JudgedTest {
    test: Test,
    /// The figure, with an interval that holds together with those of all tests of the claim.
    found: Option<Interval>,
    /// Of speedups: factor by which the figure grows when the time of one processor doubles.
    growth: Option<Interval>,
    verdict: ClaimVerdict,
}

impl JudgedClaim {
    /// `unfinished` are runs of which something is missing: what is asked of them may come yet.
    fn of(claim: &Claim, runs: &BTreeMap<String, Ran>, unfinished: &BTreeSet<String>) -> Result<Self, String> {
        // If one of several tests fails by chance the claim is contradicted by chance: their intervals hold together.
        let level = 1.0 - (1.0 - LEVEL) / claim.tests.len() as f64;
        let judged = |test: &Test| -> Result<JudgedTest, String> {
            let may_come = || test.terms().any(|(term, _)| unfinished.contains(test.run_of(term)));
            let found = match figure(test, runs, level) {
                Err(_) if may_come() => None,
                found => found.map_err(|error| format!("'{}': {error}", test.says))?,
            };
            let growth = figure::growth(test, runs);
            let verdict = found.map_or(ClaimVerdict::NotRun, |found| test.verdict(found, growth));
            Ok(JudgedTest { test: test.clone(), found, growth, verdict })
        };
        let tests = claim.tests.iter().map(judged).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { claim: claim.clone(), verdict: of_all(tests.iter().map(|test| test.verdict)), tests })
    }

    /// The verdict in words: a claim of strength that time to depth speaks of is told so.
    fn in_words(&self) -> String {
        let instead = self.claim.instead.as_ref().filter(|_| self.verdict != ClaimVerdict::NotRun);
        let instead = instead.map(|instead| format!(", by {instead}")).unwrap_or_default();
        format!("{}{instead}", self.verdict)
    }

    /// The test on which the verdict rests: the first with that verdict.
    fn deciding(&self) -> Option<&JudgedTest> {
        self.tests.iter().find(|test| test.verdict == self.verdict)
    }
}

/// Verdict on a claim from those of its tests.
fn of_all(tests: impl Iterator<Item = ClaimVerdict> + Clone) -> ClaimVerdict {
    use ClaimVerdict::{Contradicted, NotRun, NotShown, Reproduced};
    let has = |verdict| tests.clone().any(|one| one == verdict);
    [NotRun, Contradicted, NotShown].into_iter().find(|&verdict| has(verdict)).unwrap_or(Reproduced)
}

impl Test {
    /// Where the figure lies if the claim is true.
    fn region(&self) -> [f64; 2] {
        [self.above.unwrap_or(f64::NEG_INFINITY), self.below.unwrap_or(f64::INFINITY)]
    }

    /// Whether a figure lies elsewhere and comes nearer with the size of the search: larger ones may reach what was
    /// claimed, so that it does not contradict.
    fn comes_nearer(&self, found: Interval, growth: Option<Interval>) -> bool {
        let ([above, below], Some(growth)) = (self.region(), growth) else { return false };
        found.high < above && growth.low > 1.0 || found.low > below && growth.high < 1.0
    }

    fn verdict(&self, found: Interval, growth: Option<Interval>) -> ClaimVerdict {
        let [above, below] = self.region();
        match () {
            () if self.above.is_none_or(|above| found.low > above)
                && self.below.is_none_or(|below| found.high < below) =>
            {
                ClaimVerdict::Reproduced
            }
            () if self.comes_nearer(found, growth) => ClaimVerdict::NotShown,
            () if found.high < above || found.low > below => ClaimVerdict::Contradicted,
            () => ClaimVerdict::NotShown,
        }
    }
}

impl Judged {
    /// Reads a folder of claims: the file, and beside it a folder for each run.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let path = folder.join(CLAIMS);
        let text = std::fs::read_to_string(&path).map_err(FolderError::io(&path))?;
        let file = ClaimsFile::parse(&path, &text)?;
        let (mut runs, mut facts, mut alerts) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut unfinished = BTreeSet::new();
        let mut is_missing = |name: &str, missing: Option<String>| {
            if let Some(missing) = missing {
                unfinished.insert(name.to_owned());
                alerts.push(format!("{name}: {missing}"));
            }
        };
        for run in &file.runs {
            let place = folder.join(&run.name);
            let (ran, title, command, size) = match (place.join(TOURNAMENT).exists(), place.exists()) {
                (true, _) => {
                    let results = Results::read(&place, None)?;
                    let tournament = results.tournament();
                    let (title, command) = (tournament.title.clone(), tournament.command.clone());
                    let size = format!("{} games", results.games().count());
                    is_missing(&run.name, results.missing());
                    (Ran::Games(Box::new(results)), title, command, size)
                }
                (false, true) => {
                    let source = Source::read(&place, None)?;
                    let description = &source.analysis.description;
                    let (title, command) = (description.title.clone(), description.command.clone());
                    let size = format!("{} searches", source.records.len());
                    let missing = crate::state::missing(&source.analysis);
                    is_missing(&run.name, missing);
                    (Ran::Searches(Box::new(source)), title, command, size)
                }
                (false, false) => continue,
            };
            facts.push(RunFacts { name: run.name.clone(), title, command, size });
            runs.insert(run.name.clone(), ran);
        }
        let judged = |claim| {
            JudgedClaim::of(claim, &runs, &unfinished)
                .map_err(|error| ClaimsError(format!("{}: claim '{}': {error}", path.display(), claim.name)))
        };
        let claims = file.claims.iter().map(judged).collect::<Result<Vec<_>, _>>()?;
        let command = format!("splitpoint report {}", folder.display());
        Ok(Self { claims, runs: facts, alerts, command, file })
    }
}
