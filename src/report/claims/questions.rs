//! Questions that are asked of published claims, and what a reader sees first.

use super::verdict::Finding;
use super::{Claim, ClaimVerdict, ClaimsFile, Judged, JudgedClaim, JudgedTest, Planned, Power, RunFacts, Test};
use crate::charts::{Ratio, RatioChart, Sheet};
use crate::claims::file::Measure;
use crate::question::{About, File, Headline, Question, Subject, Tile};
use crate::sentence::Sentence;
use crate::statistics::Interval;
use crate::table::number::{counted, figure, interval, listed, percent};
use crate::table::{Cell, Columns, Table, columns};

impl Subject for Judged {
    const QUESTIONS: &'static [Question<Self>] = &[TESTS, POWER, SOURCES, RUNS];
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
            is_warning: matches!(verdict, ClaimVerdict::NotRun | ClaimVerdict::CannotDecide | ClaimVerdict::TooSmall),
        };
        let tiles = ClaimVerdict::ALL.iter().filter(|verdict| self.count(**verdict) > 0).map(tile).collect();
        Headline {
            is_tentative: !self.alerts.is_empty(),
            alerts: self.alerts.clone(),
            verdict: verdict(self),
            tiles,
            table: first(self),
            ..Headline::default()
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
              comes nearer with the size of the search contradicts it at this size only, unless it needs more \
              doublings of that size than count: 'level' is the fewest that it needs, from the nearer end of its \
              interval at the upper end of its growth. A rating is found with two times for a move, \
              of which the longer is shown, and both must agree. \
              'Each' is the time of one processor by the number of processors: below a limit a search is too small. \
              The intervals of a claim hold together with a probability of 95 %, for positions like these or, where \
              they are of one game, for these.",
    sentence: |judged| Some(verdict(judged)),
    charts: &[("claims", "each figure relative to what was claimed", chart)],
    table: |judged| {
        let columns = Columns::new()
            .with("Claim", "", |(claim, _): &(&JudgedClaim, &JudgedTest)| claim.claim.name.as_str())
            .with("Test", "", |(_, test)| test.test.says.as_str())
            .with("Claimed", "", |(_, test)| claimed(test))
            .with("Found", "", |(_, test)| found(test))
            .with("Growth", "when the time of one processor doubles: a factor, or points", |(_, test)| {
                test.finding.growth
            })
            .with("Level", "fewest doublings to come level with the claim", |(_, test)| {
                test.test.doublings_to_claim(&test.finding)
            })
            .with("Each, s", "", |(_, test)| test.finding.size.map(|size| size.each_s))
            .with("Verdict", "", |(_, test)| test.verdict.name());
        columns.table("", "", tests(judged)).without_empty_columns()
    },
    ..Question::PLAIN
};

const POWER: Question<Judged> = Question {
    key: "power",
    title: "What could each test show?",
    reading: "Probabilities of a verdict from the size of the runs, as 'splitpoint claims --dry-run' has them: that a \
              true claim is reproduced, where the figure is as claimed, and that a false one is contradicted, where it \
              misses by what matters. The rest is not decided. A size with less than 80 % in either cannot decide; \
              what it does show stands. Needed: the size that would.",
    sentence: |judged| {
        let powers: Vec<&Power> = tests(judged).filter_map(|(_, test)| test.power.as_ref()).collect();
        let able = powers.iter().filter(|power| power.decides()).count();
        let run = powers.iter().filter(|power| power.is_run).count();
        let others = powers.len() - run;
        let others =
            if others > 0 { format!("; {} not run", counted(others, "other is", "others are")) } else { String::new() };
        let words = || match run {
            0 => "No test was run.".to_owned(),
            _ => format!("{able} of {run} tests can decide with the size that was run{others}."),
        };
        (!powers.is_empty()).then(|| Sentence::described(words()))
    },
    table: |judged| {
        let rows = tests(judged).filter_map(|(claim, test)| {
            Some(PowerRow { claim: &claim.claim.name, test: &test.test, power: test.power.clone()? })
        });
        power_columns().table("", "", rows)
    },
    ..Question::PLAIN
};

/// Words in place of the chances of a test whose runs are not made at this size.
const NOT_RUN: &str = "not run";

/// A test with its chances.
struct PowerRow<'a> {
    claim: &'a str,
    test: &'a Test,
    power: Power,
}

fn power_columns<'a>() -> Columns<'a, PowerRow<'a>> {
    let chance = |of: fn(&Power) -> f64| {
        move |row: &PowerRow<'a>| if row.power.is_run { percent(of(&row.power)) } else { NOT_RUN.to_owned() }
    };
    Columns::new()
        .with("Claim", "", |row: &PowerRow<'_>| row.claim.to_owned())
        .with("Test", "", |row| row.test.says.clone())
        .with("True: reproduced", "", chance(|power| power.if_true.inside))
        .with("contradicted", "", chance(|power| power.if_true.elsewhere))
        .with("False: contradicted", "", chance(|power| power.if_false.elsewhere))
        .with("reproduced", "", chance(|power| power.if_false.inside))
        .with("Can decide", "", |row| match row.power.decides() {
            _ if !row.power.is_run => NOT_RUN,
            true => "yes",
            false => "no",
        })
        .with("Needed", "", |row| row.power.needed.clone().unwrap_or_default())
}

/// Chances of a test whose runs are made.
fn run_power<'a>(row: &(&JudgedClaim, &'a JudgedTest)) -> Option<&'a Power> {
    row.1.power.as_ref().filter(|power| power.is_run)
}

/// Chances of all tests of the claims of these names before they are run, with the sizes of their runs.
pub fn power_table(
    file: &ClaimsFile,
    is_wanted: impl Fn(&str) -> bool,
    planned: impl Fn(&str) -> Option<Planned>,
) -> Table {
    let claims = file.claims.iter().filter(|claim| is_wanted(&claim.name));
    let tests = claims.flat_map(|claim| claim.tests.iter().map(move |test| (claim, test)));
    let rows = tests.filter_map(|(claim, test)| {
        Some(PowerRow { claim: &claim.name, test, power: Power::of(claim, test, &planned)? })
    });
    power_columns().table("", "", rows)
}

const SOURCES: Question<Judged> = Question {
    key: "sources",
    title: "Who said it, and what is different here?",
    sentence: |judged| Some(Sentence::described(format!("{} claims, each with its source.", judged.claims.len()))),
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
        let words = if names.is_empty() { "Nothing yet.".to_owned() } else { format!("{}.", listed(&names)) };
        Some(Sentence::described(words))
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
            "measure": "what is measured" => row.1.test.measured();
            "claimed_low": "lower end of where the figure lies if the claim is true" => row.1.test.above;
            "claimed_high": "upper end of it" => row.1.test.below;
            "found" [with_ends]:
                "the figure, with an interval that holds together with those of all tests of the claim" =>
                row.1.finding.found;
            "with_less" [with_ends]: "of a rating: the figure with less time for a move" => row.1.finding.with_less;
            "growth" [with_ends]:
                "factor by which it grows when the time of one processor doubles, or points when that for a move \
                 does" =>
                row.1.finding.growth;
            "doublings_to_claim": "fewest doublings after which a figure that comes nearer is level with the claim" =>
                row.1.test.doublings_to_claim(&row.1.finding);
            "doublings_that_count": "number of them above which the figure contradicts the claim" =>
                row.0.claim.reach(row.1.finding.size.map(|size| size.alone_s));
            "each_s": "time of one processor by the number of processors, in the smallest of the searches" =>
                row.1.finding.size.map(|size| size.each_s);
            "reproduced_if_true": "probability, by the size of the runs, that a true claim is reproduced" =>
                run_power(row).map(|power| power.if_true.inside);
            "contradicted_if_true": "probability that it is contradicted" =>
                run_power(row).map(|power| power.if_true.elsewhere);
            "contradicted_if_false": "probability that a claim that misses by what matters is contradicted" =>
                run_power(row).map(|power| power.if_false.elsewhere);
            "reproduced_if_false": "probability that it is reproduced" =>
                run_power(row).map(|power| power.if_false.inside);
            "needed": "size that would decide, if this one cannot" =>
                row.1.power.as_ref().and_then(|power| power.needed.clone());
            "verdict": "what this test says" => row.1.verdict.name();
        };
        columns.table("", "", tests(judged))
    },
};

fn tests(judged: &Judged) -> impl Iterator<Item = (&JudgedClaim, &JudgedTest)> {
    judged.claims.iter().flat_map(|claim| claim.tests.iter().map(move |test| (claim, test)))
}

fn verdict(judged: &Judged) -> Sentence {
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
    let words =
        format!("Of {all} published claims, by searches and games of this program: {}{others}.", listed(&counts));
    Sentence::stated(words, &judged.claims)
}

/// The table of the first screen: a row a claim.
fn first(judged: &Judged) -> Table {
    let columns = columns! { &JudgedClaim, one;
        "claim" as "Claim": "" => one.claim.title.as_str();
        "source" as "Source": "" => one.claim.source.as_str();
        "verdict" as "Verdict": "" => one.in_words();
        "because" as "Because": "" => one.deciding().map(|test| because(&one.claim, test));
    };
    columns.table("", "", &judged.claims)
}

/// The figure that decides, and what of its size or growth decides with it.
fn because(claim: &Claim, test: &JudgedTest) -> String {
    let needed = test.power.as_ref().and_then(|power| power.needed.as_ref());
    let needed = needed.filter(|_| test.verdict == ClaimVerdict::CannotDecide);
    let needed = needed.map(|needed| format!("about {needed} would decide"));
    let Finding { found, growth, size, with_less } = test.finding;
    let Some(found) = found else {
        let needed = needed.map(|needed| format!(": {needed}"));
        return format!("{}{}", test.test.says, needed.unwrap_or_default());
    };
    let mut words = vec![format!("{}: {}, claimed {}", test.test.says, interval(&found), claimed(test))];
    words.extend(with_less.map(|with_less| format!("with less time {}", interval(&with_less))));
    let doublings = test.test.doublings_to_claim(&test.finding).or_else(|| test.test.doublings_to_leave(&test.finding));
    if let (Some(growth), Some(doublings)) = (growth, doublings) {
        let reach = claim.reach(size.map(|size| size.alone_s));
        let by = match test.test.measure {
            Measure::Elo => format!("{:+.0} points", growth.estimate),
            _ => format!("{} times that", figure(growth.estimate)),
        };
        words.push(format!(
            "{by} in searches of twice the time, which crosses the end of the claim after {} doublings at the \
             soonest, and {} count",
            figure(doublings),
            figure(reach)
        ));
    }
    if test.verdict == ClaimVerdict::TooSmall {
        words.extend(size.map(|size| format!("{} ms of one processor for each", figure(size.each_s * 1e3))));
    }
    words.extend(needed);
    words.join("; ")
}

/// `1.84 (1.60 to 2.12)`.
fn found(test: &JudgedTest) -> String {
    test.finding.found.map_or_else(|| Cell::Nothing.shown(), |found| interval(&found))
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
    let rows = |is_value: bool| tests(judged).filter_map(|(claim, test)| row(claim, test, is_value)).collect();
    RatioChart {
        title: "Each figure relative to what was claimed",
        caption: "Above: right of 1 lies what was claimed. Below: 1 is the value that was claimed, or the middle of \
                  what counts as it. A claim with several tests has a row for each.",
        bars: "Bars: intervals that hold together with 95 % for all tests of a claim.",
        axis: "found relative to claimed",
        kinds: ClaimVerdict::NAMES.split_at(6).0,
        panels: vec![
            ("Claimed to be more than 1".to_owned(), rows(false)),
            ("Claimed to be about 1".to_owned(), rows(true)),
        ],
        ..RatioChart::default()
    }
    .sheet()
}

/// Figure of a test relative to the value that was claimed, or to where what was claimed begins.
fn row(claim: &JudgedClaim, test: &JudgedTest, is_value: bool) -> Option<Ratio> {
    // A difference in rating is a ratio of the odds of a game.
    let ratio = |value: f64| if test.test.measure == Measure::Elo { 10.0_f64.powf(value / 400.0) } else { value };
    let found = test.finding.found?.map(ratio);
    let relative: Interval = match (test.test.above, test.test.below) {
        (Some(above), Some(below)) if is_value => {
            let middle = (ratio(above) * ratio(below)).sqrt();
            found.map(|value| value / middle)
        }
        (Some(above), None) if !is_value => found.map(|value| value / ratio(above)),
        (None, Some(below)) if !is_value => found.map(|value| value / ratio(below)).inverse(),
        _ => return None,
    };
    let number = claim.tests.iter().position(|other| other == test).map_or(0, |place| place + 1);
    let name = match claim.tests.len() {
        1 => claim.claim.name.clone(),
        _ => format!("{}, {number}", claim.claim.name),
    };
    Some((name, test.verdict as usize, relative))
}
