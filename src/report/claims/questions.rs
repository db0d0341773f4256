//! Questions that are asked of published claims, and what a reader sees first.

use super::{ClaimVerdict, Judged, JudgedClaim, JudgedTest, RunFacts};
use crate::charts::{Ratio, RatioChart, Sheet};
use crate::claims::file::Measure;
use crate::question::{About, File, Headline, Question, Subject, Tile};
use crate::statistics::Interval;
use crate::table::number::{figure, interval, listed};
use crate::table::{Cell, Columns, Table, columns};

impl Subject for Judged {
    const QUESTIONS: &'static [Question<Self>] = &[TESTS, SOURCES, RUNS];
    const FILES: &'static [File<Self>] = &[FOUND];

    fn about(&self) -> About<'_> {
        About {
            title: &self.file.title,
            question: &self.file.question,
            command: &self.command,
            version: env!("CARGO_PKG_VERSION"),
            first_charts: &["claims"],
            ..About::default()
        }
    }

    fn headline(&self) -> Headline {
        let tile = |&verdict: &ClaimVerdict| Tile {
            number: self.count(verdict).to_string(),
            words: verdict.name().to_owned(),
            is_warning: verdict == ClaimVerdict::NotRun,
        };
        let tiles = ClaimVerdict::ALL.iter().filter(|verdict| self.count(**verdict) > 0).map(tile).collect();
        Headline {
            next: None,
            alerts: self.alerts.clone(),
            cautions: Vec::new(),
            verdict: verdict(self),
            tiles,
            table: first(self),
        }
    }
}

impl Judged {
    fn count(&self, verdict: ClaimVerdict) -> usize {
        self.claims.iter().filter(|claim| claim.verdict == verdict).count()
    }
}

const TESTS: Question<Judged> = Question {
    key: "tests",
    title: "What was tested, and what was found?",
    reading: "A claim is reproduced if all its figures lie where it says, with their whole intervals; it is \
              contradicted if the whole interval of one lies elsewhere. A figure of speedups that lies elsewhere and \
              comes nearer with the size of the search does not contradict: larger searches may reach what was \
              claimed. The intervals of a claim hold together with a probability of 95 %, for positions like these.",
    sentence: |judged| Some(verdict(judged)),
    charts: &[("claims", "each figure relative to what was claimed", chart)],
    table: |judged| {
        let columns = Columns::new()
            .with("Claim", "", |(claim, _): &(&JudgedClaim, &JudgedTest)| claim.claim.name.as_str())
            .with("Test", "", |(_, test)| test.test.says.as_str())
            .with("Claimed", "", |(_, test)| claimed(test))
            .with("Found", "", |(_, test)| found(test))
            .with("Growth", "of a figure of speedups, when the time of one processor doubles", |(_, test)| test.growth)
            .with("Verdict", "", |(_, test)| test.verdict.name());
        columns.table("", "", tests(judged)).without_empty_columns()
    },
    ..Question::PLAIN
};

const SOURCES: Question<Judged> = Question {
    key: "sources",
    title: "Who said it, and what is different here?",
    sentence: |judged| Some(format!("{} claims, each with its source.", judged.claims.len())),
    table: |judged| {
        let columns = Columns::new()
            .with("Claim", "", |one: &&JudgedClaim| one.claim.name.as_str())
            .with("Source", "", |one| one.claim.source.as_str())
            .with("What was measured there", "", |one| one.claim.said.as_str())
            .with("What is measured here", "", |one| one.claim.here.as_str());
        columns.table("", "", &judged.claims)
    },
    ..Question::PLAIN
};

const RUNS: Question<Judged> = Question {
    key: "runs",
    title: "What was run?",
    sentence: |judged| {
        let names: Vec<String> = judged.runs.iter().map(|run| run.name.clone()).collect();
        Some(if names.is_empty() { "Nothing yet.".to_owned() } else { format!("{}.", listed(&names)) })
    },
    table: |judged| {
        let columns = Columns::new()
            .with("Run", "", |run: &&RunFacts| run.name.as_str())
            .with("Title", "", |run| run.title.as_str())
            .with("Size", "", |run| run.size.as_str())
            .with("Command", "", |run| run.command.as_str());
        columns.table("", "", &judged.runs)
    },
    ..Question::PLAIN
};

/// Figures as a file.
const FOUND: File<Judged> = File {
    name: "claims.csv",
    rows: "One row per test of a claim.",
    table: |judged| {
        let columns = columns! { (&JudgedClaim, &JudgedTest), row;
            "claim": "name of the claim" => row.0.claim.name.as_str();
            "title": "the claim" => row.0.claim.title.as_str();
            "source": "who published it" => row.0.claim.source.as_str();
            "claim_verdict": "what all tests of the claim say together" => row.0.verdict.name();
            "instead": "what is measured in place of what the claim is about" => row.0.claim.instead.clone();
            "test": "what is tested" => row.1.test.says.as_str();
            "run": "run whose figures are tested" => row.1.test.run.as_str();
            "measure": "what is measured" => row.1.test.measure.name();
            "claimed_low": "lower end of where the figure lies if the claim is true" => row.1.test.above;
            "claimed_high": "upper end of it" => row.1.test.below;
            "found" [with_ends]:
                "the figure, with an interval that holds together with those of all tests of the claim" => row.1.found;
            "growth" [with_ends]: "of speedups: factor by which it grows when the time of one processor doubles" =>
                row.1.growth;
            "verdict": "what this test says" => row.1.verdict.name();
        };
        columns.table("", "", tests(judged))
    },
};

fn tests(judged: &Judged) -> impl Iterator<Item = (&JudgedClaim, &JudgedTest)> {
    judged.claims.iter().flat_map(|claim| claim.tests.iter().map(move |test| (claim, test)))
}

fn verdict(judged: &Judged) -> String {
    let count = |&verdict: &ClaimVerdict| {
        let count = judged.count(verdict);
        (count > 0).then(|| format!("{count} {}", verdict.name()))
    };
    let counts: Vec<String> = ClaimVerdict::ALL.iter().filter_map(count).collect();
    let has_other = |claim: &&JudgedClaim| claim.claim.instead.is_some() && claim.verdict != ClaimVerdict::NotRun;
    let others = match judged.claims.iter().filter(has_other).count() {
        0 => String::new(),
        others => format!("; {others} of them by another measure than the claim's"),
    };
    let all = judged.claims.len();
    format!("Of {all} published claims, by searches and games of this program: {}{others}.", listed(&counts))
}

/// The table of the first screen: a row a claim.
fn first(judged: &Judged) -> Table {
    let columns = columns! { &JudgedClaim, one;
        "claim" as "Claim": "" => one.claim.title.as_str();
        "source" as "Source": "" => one.claim.source.as_str();
        "verdict" as "Verdict": "" => one.in_words();
        "because" as "Because": "" => one.deciding().map(|test| match test.found {
            Some(found) => {
                let growth = test.growth.filter(|_| test.test.comes_nearer(found, test.growth));
                let growth = growth.map(|growth| figure(growth.estimate));
                let growth = growth.map(|growth| format!("; {growth} times that in searches of twice the time"));
                let growth = growth.unwrap_or_default();
                format!("{}: {}, claimed {}{growth}", test.test.says, interval(&found), claimed(test))
            }
            None => String::new(),
        });
    };
    columns.table("", "", &judged.claims)
}

/// `1.84 (1.60 to 2.12)`.
fn found(test: &JudgedTest) -> String {
    test.found.map_or_else(|| Cell::Nothing.shown(), |found| interval(&found))
}

/// `above 1`, `below 1`, `8.7 to 13.6`.
fn claimed(test: &JudgedTest) -> String {
    match (test.test.above, test.test.below) {
        (Some(above), Some(below)) => format!("{} to {}", figure(above), figure(below)),
        (Some(above), None) => format!("above {}", figure(above)),
        (None, Some(below)) => format!("below {}", figure(below)),
        (None, None) => String::new(),
    }
}

/// Figures relative to where a claim begins to be true, or to the middle of where it is.
fn chart(judged: &Judged) -> Option<Sheet> {
    // A difference in rating is a ratio of the odds of a game.
    let ratio = |test: &JudgedTest, value: f64| {
        if test.test.measure == Measure::Elo { 10.0_f64.powf(value / 400.0) } else { value }
    };
    let row = |is_value: bool, claim: &JudgedClaim, test: &JudgedTest| -> Option<Ratio> {
        let found = test.found?.map(|value| ratio(test, value));
        let relative: Interval = match (test.test.above, test.test.below) {
            (Some(above), Some(below)) if is_value => {
                let middle = (ratio(test, above) * ratio(test, below)).sqrt();
                found.map(|value| value / middle)
            }
            (Some(above), None) if !is_value => found.map(|value| value / ratio(test, above)),
            (None, Some(below)) if !is_value => found.map(|value| value / ratio(test, below)).inverse(),
            _ => return None,
        };
        let number = claim.tests.iter().position(|one| one == test).map_or(0, |place| place + 1);
        let name = match claim.tests.len() {
            1 => claim.claim.name.clone(),
            _ => format!("{}, {number}", claim.claim.name),
        };
        Some((name, test.verdict as usize, relative))
    };
    let rows = |is_value: bool| tests(judged).filter_map(|(claim, test)| row(is_value, claim, test)).collect();
    RatioChart {
        title: "Each figure relative to what was claimed",
        caption: "Above: right of 1 lies what was claimed. Below: 1 is the value that was claimed, or the middle of \
                  what counts as it. A claim with several tests has a row for each.",
        bars: "Bars: intervals that hold together with 95 % for all tests of a claim.",
        axis: "found relative to claimed",
        kinds: ClaimVerdict::NAMES.split_at(3).0,
        panels: vec![
            ("Claimed to be more than 1".to_owned(), rows(false)),
            ("Claimed to be about 1".to_owned(), rows(true)),
        ],
        ..RatioChart::default()
    }
    .sheet()
}
