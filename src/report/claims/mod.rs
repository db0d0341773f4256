//! Published claims, held against figures of ours: each has a source, tests of figures of runs, and a verdict that
//! follows from their intervals.

mod figure;
pub(crate) mod file;
mod power;
mod questions;
#[cfg(test)]
mod simulated;
#[cfg(test)]
mod tests;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::Source;
use crate::error::ReportError;
use crate::games::Results;
use crate::record::folder::{self, FolderError};
use crate::record::{CLAIMS, TOURNAMENT};
use crate::table::foreign;

use figure::{Ran, figure};
pub use file::{Claim, ClaimsError, ClaimsFile, ClaimsRun, Test};
pub use power::{ENOUGH_POWER, Planned, Power};
pub use questions::power_table;
pub use verdict::ClaimVerdict;
use verdict::{Finding, of_all};

/// Claims with what was found.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    file: ClaimsFile,
    claims: Vec<JudgedClaim>,
    /// Runs that are there, in the order of the file, each with how it is made again and how much there is of it.
    runs: Vec<RunFacts>,
    /// Warnings that a reader should know first.
    alerts: Vec<String>,
    /// Command that makes them again.
    command: String,
}

/// Facts on the run of a name.
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
pub(crate) struct JudgedClaim {
    claim: Claim,
    verdict: ClaimVerdict,
    tests: Vec<JudgedTest>,
}

/// A test with what was found.
#[derive(Clone, Debug, PartialEq)]
struct JudgedTest {
    test: Test,
    finding: Finding,
    /// Chances of its verdicts, by the size of its runs.
    power: Option<Power>,
    verdict: ClaimVerdict,
}

/// Runs and sizes that all claims are judged by.
struct Evidence<'a> {
    runs: &'a BTreeMap<String, Ran>,
    /// Runs of which something is missing: what is asked of them may come yet.
    unfinished: &'a BTreeSet<String>,
    /// Sizes of the runs; of those that the usual size leaves out, none.
    planned: &'a BTreeMap<String, Planned>,
    seconds_each: f64,
}

impl JudgedClaim {
    fn of(claim: &Claim, evidence: &Evidence<'_>) -> Result<Self, String> {
        let Evidence { runs, unfinished, planned, seconds_each } = *evidence;
        let level = claim.level();
        let judged = |test: &Test| -> Result<JudgedTest, String> {
            let is_told = |found: Result<_, String>| match found {
                Err(_) if test.runs().iter().any(|run| unfinished.contains(*run)) => Ok(None),
                found => found.map_err(|error| format!("'{}': {error}", test.says)),
            };
            let mut finding = Finding {
                found: is_told(figure(test, runs, level))?,
                with_less: None,
                growth: figure::growth(test, runs).or_else(|| figure::growth_of_rating(test, runs)),
                size: figure::size(test, runs),
            };
            if test.longer.is_some() {
                let with_more = is_told(figure::longer(test, runs, level))?;
                finding = Finding { found: with_more, with_less: finding.found, ..finding };
            }
            let power = Power::of(claim, test, |run| planned.get(run).copied());
            let can_decide = power.as_ref().is_none_or(Power::decides);
            let is_left_out = test.runs().iter().any(|run| !runs.contains_key(*run)) && power.is_some();
            let verdict = match is_left_out {
                true => ClaimVerdict::CannotDecide,
                false => test.verdict(claim, &finding, can_decide, seconds_each),
            };
            Ok(JudgedTest { test: test.clone(), finding, power, verdict })
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

impl Judged {
    /// Reads a folder of claims: the file, and beside it a folder for each run.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let path = folder.join(CLAIMS);
        let text = folder::text(&path)?.ok_or_else(|| FolderError::damaged(folder, format!("it has no {CLAIMS}")))?;
        let file = ClaimsFile::parse(&path, &text)?;
        let (mut runs, mut facts, mut alerts) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut planned: BTreeMap<String, Planned> = BTreeMap::new();
        let mut unfinished = BTreeSet::new();
        let mut left_out = Vec::new();
        let mut tell_left_out = |name: &str, sentences: &[String]| {
            left_out.extend(sentences.iter().map(|sentence| format!("{name}: {sentence}")));
        };
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
                    tell_left_out(&run.name, &results.left_out);
                    is_missing(&run.name, results.missing());
                    planned.insert(run.name.clone(), Planned::of_games(tournament));
                    (Ran::Games(Box::new(results)), title, command, size)
                }
                (false, true) => {
                    let source = Source::read(&place, None)?;
                    tell_left_out(&run.name, &source.left_out);
                    let description = &source.analysis.description;
                    let (title, command) = (description.title.clone(), description.command.clone());
                    let size = format!("{} searches", source.records.len());
                    let missing = crate::state::missing(&source.analysis);
                    is_missing(&run.name, missing);
                    planned.insert(run.name.clone(), Planned::of(description));
                    (Ran::Searches(Box::new(source)), title, command, size)
                }
                (false, false) => {
                    if run.full_only {
                        planned.insert(run.name.clone(), Planned::NONE);
                    }
                    continue;
                }
            };
            facts.push(RunFacts { name: run.name.clone(), title, command, size });
            runs.insert(run.name.clone(), ran);
        }
        let seconds_each = file.seconds_each;
        let evidence = Evidence { runs: &runs, unfinished: &unfinished, planned: &planned, seconds_each };
        let judged = |claim| {
            JudgedClaim::of(claim, &evidence)
                .map_err(|error| ClaimsError(format!("{}: claim '{}': {error}", path.display(), claim.name)))
        };
        let claims = file.claims.iter().map(judged).collect::<Result<Vec<_>, _>>()?;
        let command = format!("splitpoint report {}", foreign::word(&folder.to_string_lossy()));
        Ok(Self { claims, runs: facts, alerts: [left_out, alerts].concat(), command, file })
    }
}
