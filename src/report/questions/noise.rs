//! How far can I trust it? What was taken from real searches, how much they vary, and what was tested.

use std::collections::HashMap;

use crate::Source;
use crate::analysis::{Analysis, Arm, BaselineSpread, Family, Group, Kind, Statement, Undermined};
use crate::charts::figures::positions as charts;
use crate::record::{Configuration, Promise};
use crate::sentence::Sentence;
use crate::statistics::{Interval, median};
use crate::table::number::{counted, percent};
use crate::table::{Cell, Columns, Table, columns, html};

use super::{File, Question, adjusted};

pub(super) const NOISE: Question<Source> = Question {
    key: "noise",
    title: "How far can I trust it?",
    reading: "A search is disturbed if more than a hundredth of the processor time that it wanted was taken away, if \
              other programs kept more than a quarter of a processor busy beside it, or if the clock changed. \
              Disturbed searches count unless a quiet repetition replaced them; where more than a fifth are \
              not quiet, a difference must be shown by the quiet ones alone too.",
    sentence,
    charts: &[("baseline", "spread of the baseline's searches at each position", charts::baseline)],
    most_charts: 1,
    table,
    body: |source, html| {
        let table = promises(&source.analysis);
        if !source.analysis.quality.arms.is_empty() && !table.rows.is_empty() {
            html::write(&Table { title: "Precision: predicted and reached".to_owned(), ..table }, html);
        }
    },
    files: &[File {
        name: "quality.csv",
        rows: "One row per configuration on a real machine, baselines included: the processor time that was taken away \
               from its searches, and whether that changed their times. There is no such file if nothing was measured \
               on a real machine.",
        table: arms,
    }],
    ..Question::PLAIN
};

/// Whose spread that of the baselines is, and between which of their searches: an engine from outside has no seeds, and
/// searches each position with its colours or its files exchanged.
pub(crate) fn spread_of(analysis: &Analysis) -> [&'static str; 2] {
    let is_outside = |spread: &BaselineSpread| analysis.groups[spread.group].configuration.is_outside();
    match analysis.baseline_spread.iter().all(is_outside) {
        true => ["one thread", "between a position and its mirror images"],
        false => ["one processor", "from seed to seed"],
    }
}

fn sentence(source: &Source) -> Option<Sentence> {
    let analysis = &source.analysis;
    let quality = &analysis.quality;
    let mut parts = Vec::new();
    if quality.real > 0 {
        let real = counted(quality.real, "real search", "real searches");
        parts.push(format!("{} of {real} disturbed", quality.disturbed));
    }
    let spread = analysis.baseline_spread.iter().filter_map(|spread| spread.log_sd).reduce(f64::max);
    let [who, between] = spread_of(analysis);
    parts.extend(spread.map(|sd| format!("nodes of {who} vary by {} {between}", percent(sd.exp_m1()))));
    let differences = || analysis.statements.iter().filter(|claim| claim.kind != Kind::Agreement);
    let shown = differences().filter(|claim| claim.is_shown()).count();
    if !analysis.statements.is_empty() {
        let small = |one: &&Statement| one.is_shown() && one.undermined.contains(&Undermined::TooSmall);
        let small = match differences().filter(small).count() {
            0 => String::new(),
            small => format!(", {small} of them of searches that are too small"),
        };
        let all = counted(differences().count(), "tested difference", "tested differences");
        parts.push(format!("{shown} of {all} are shown{small}"));
    }
    let odd = quality.residuals.filter(|residuals| residuals.p < NOT_NORMAL);
    parts.extend(odd.map(|odd| {
        format!(
            "times are not normal (skewness {:.2}, excess kurtosis {:.2}), so p values from signs alone stand beside \
             the others in claims.csv",
            odd.skewness, odd.kurtosis
        )
    }));
    // By the spread of this run, not by what was supposed before it.
    let tests = analysis.contests.iter().map(|contest| contest.rivalries.len()).sum();
    let rivalries = analysis.contests.iter().flat_map(|contest| &contest.rivalries);
    let kind = analysis.description.interval;
    let found = rivalries.filter_map(|rivalry| rivalry.difference_found(&analysis.groups, kind, tests));
    let found = found.filter(|one| one.is_finite()).reduce(f64::max).map(f64::exp_m1);
    parts.extend(found.map(|share| format!("a difference of {} would be found in 4 of 5 such runs", percent(share))));
    let mut text = parts.join("; ");
    let first = text.get(..1)?.to_uppercase();
    text.replace_range(..1, &first);
    Some(Sentence::stated(format!("{text}."), &analysis.statements))
}

fn table(source: &Source) -> Table {
    let analysis = &source.analysis;
    let table = match analysis.quality.arms.is_empty() {
        true => promises(analysis),
        false => arms(source).for_readers(),
    };
    table.without_empty_columns()
}

fn arms(source: &Source) -> Table {
    let analysis = &source.analysis;
    let group = |row: &&Arm| -> &Group { &analysis.groups[row.group] };
    let columns = columns! { &Arm, row;
        "group": "the place of the configuration in summary.csv" => row.group;
        "label" as "Configuration": "what distinguishes the configuration in this experiment" =>
            group(row).label.clone();
        "threads" as "Processors": "the number of processors" => group(row).configuration.threads;
        "records" as "Searches": "searches that count" => row.records;
        "disturbed" as "Disturbed": "searches that count and were disturbed" => row.disturbed;
        "unknown" as "Not known": "searches that count and of which this is not known" => row.unknown;
        "thrown_away" as "Thrown away" [optional]: "further attempts that do not count, since they were disturbed" =>
            row.thrown_away;
        "disturbed_attempts": "disturbed attempts, including those thrown away" => row.disturbed_attempts;
        "taken_mean" as "Taken, %":
            "mean share of the processor time wanted that was taken away, of searches that count" =>
            Cell::share(row.taken.map(|taken| taken.mean));
        "taken_worst" as "Worst, %" [optional]: "largest of those shares" =>
            Cell::share(row.taken.map(|taken| taken.worst));
        "taken_known": "searches that count whose share is known" => row.taken.map_or(0, |taken| taken.records);
        "taken_mean_attempts": "the mean over all attempts" => Cell::share(row.taken_from_all.map(|taken| taken.mean));
        "taken_worst_attempts": "the largest over all attempts" =>
            Cell::share(row.taken_from_all.map(|taken| taken.worst));
        "neighbours" as "Busy beside" [optional]: "mean number of further processors that other programs kept busy" =>
            row.neighbours;
        "time_speedup" [with_ends]: "time speedup from all records" => row.speedup;
        "quiet_time_speedup" as "Speedup of quiet ones" [optional with_ends]: "time speedup from quiet records alone" =>
            row.quiet_speedup;
        "time_ratio" as "Not quiet / quiet" [optional with_ends]:
            "time of searches that were not quiet relative to quiet ones at the same positions" => row.time_ratio;
        "p" as "p": "probability that chance alone gives so large a difference, adjusted" =>
            Cell::probability(adjusted(row.test));
    };
    columns.table("", "", &analysis.quality.arms)
}

/// P value below which residuals are said not to be normal.
const NOT_NORMAL: f64 = 0.01;

/// Claims that were tested, for `claims.csv`.
pub(crate) const CLAIMS: File<Source> = File {
    name: "claims.csv",
    rows: "One row per difference that was tested, with the family in which it was corrected. There is no such file if \
           nothing was tested.",
    table: claims,
};

fn claims(source: &Source) -> Table {
    let analysis = &source.analysis;
    let columns = columns! { &Statement, row;
        "family": "primary: what the experiment asks for, at 4 %; secondary: all else, at 1 %, or at 5 % if every \
                   primary claim is shown" => Family::name(row.family);
        "kind": "what kind of difference it is; agreement: that it is smaller than 5 %" => row.kind.name();
        "machine": "real or virtual" => row.machine.name();
        "threads": "the number of processors" => row.threads;
        "problem": "what was asked for" => row.problem.clone();
        "t1_s": "size of the searches: seconds that one processor takes; empty where none was searched by one" =>
            row.size.map(|size| size.t1_s);
        "nodes_1": "nodes that one processor searches likewise" =>
            row.size.map_or(Cell::Nothing, |size| Cell::whole(size.nodes_1));
        "subject": "configuration that is spoken of" => row.subject.clone();
        "than": "what it is compared with" => row.than.clone();
        "figure": "figure of which the ratio is, the subject's to the other's" => row.figure;
        "ratio" [with_ends]: "ratio; for moves a difference in centipawns" => row.ratio;
        "interval": "positions for which interval and test hold" => row.population.name();
        "p": "probability that chance alone gives a difference at least as large" => row.test.p();
        "p_sign_flip": "the same from the signs of the differences at the positions alone, which supposes no \
                        distribution; for orders and times" => row.sign_flip;
        "p_adjusted": "p, adjusted for all claims of its family and for its part of the level" => row.test.adjusted();
        "claimed": "1 if p_adjusted is below 0.05: the difference is shown" => u32::from(row.is_shown());
        "undermined": "what undermines it: disturbed, too small, incomplete; empty if nothing does" =>
            row.undermined.iter().map(|reason| reason.name()).collect::<Vec<_>>().join(", ");
    };
    columns.table("", "", &analysis.statements)
}

/// A promise beside the half-widths that came, relative to their estimates: those of the members with an interval.
struct Kept<'a> {
    promise: &'a Promise,
    promised: Option<f64>,
    came: Vec<f64>,
    runs: usize,
}

/// Half-widths of the intervals of time speedups that were promised, beside those that came.
fn promises(analysis: &Analysis) -> Table {
    let kind = analysis.description.interval;
    let groups: HashMap<&Configuration, &Group> =
        analysis.groups.iter().map(|group| (&group.configuration, group)).collect();
    let rows = analysis.description.promises.iter().map(|promise| {
        let members = || promise.members.iter().filter_map(|member| groups.get(member));
        let speedups = members().filter_map(|group| Some(group.against_baseline.as_ref()?.time_speedup));
        let half = |speedup: Interval| speedup.is_known().then(|| speedup.high / speedup.estimate - 1.0);
        let runs = members().map(|group| group.runs).sum();
        Kept { promise, promised: promise.half_width(kind), came: speedups.filter_map(half).collect(), runs }
    });
    let columns = Columns::new()
        .with("Strategy", "", |row: &Kept<'_>| row.promise.strategy.clone())
        .with("Machine", "", |row| row.promise.machine.name())
        .with("Searches", "Number of runs that count, of all these configurations", |row| row.runs)
        .with("Predicted, ± %", "Expected half-width of the interval of a time speedup", |row| {
            Cell::share(row.promised)
        })
        .with("Reached, ± %", "Median half-width of these configurations", |row| Cell::share(median(&row.came)))
        .with("Widest, ± %", "Largest half-width of these configurations", |row| {
            Cell::share(row.came.iter().copied().reduce(f64::max))
        })
        .with("Predicted from", "Records from which the half-width was predicted", |row| row.promise.source.as_str());
    columns.table("", "", rows)
}
