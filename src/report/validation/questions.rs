//! Questions that are asked of a validation, and what a reader sees first.

use serde_json::Value;

use super::{CostEffect, Validated, Validation, chart, mechanisms, summary};
use crate::record::Environment;
use crate::record::validation::{Measurements, Role, WorkCost};
use crate::report::headline::Headline;
use crate::report::page::environment;
use crate::report::question::{About, File, Question, Subject};
use crate::statistics::Interval;
use crate::table::html;
use crate::table::markup::Html;
use crate::table::number::{counted, figure, fixed, percent, range};
use crate::table::{Cell, Columns, Digits, Table};

impl Subject for Validated {
    const QUESTIONS: &'static [Question<Self>] = &[AGREEMENT, MECHANISMS, COSTS, CALIBRATION, NOISE, HOW];
    const FILES: &'static [File<Self>] = &[];

    fn about(&self) -> About<'_> {
        About {
            title: "The virtual machine against this computer",
            question: "How far can the times of the virtual machine be trusted, and on which of its costs do they depend?",
            command: &self.measurements.session.command,
            version: &self.measurements.session.version,
            ..About::default()
        }
    }

    fn headline(&self) -> Headline {
        Headline {
            alerts: surroundings(self).remedies().collect(),
            cautions: Vec::new(),
            verdict: summary::of_one(self.findings.one_processor.as_ref()),
            tiles: Vec::new(),
            table: summary::compared(&self.findings),
        }
    }
}

/// Computer and program.
fn surroundings(validated: &Validated) -> Environment {
    Environment { sessions: vec![validated.measurements.session.clone()] }
}

const AGREEMENT: Question<Validated> = Question {
    key: "agreement",
    title: "Does a search take as long on virtual processors?",
    reading: "Searches of the same positions with the same seeds, compared run by run; intervals of 95 % for positions \
              like these. 'Shown within': the difference is shown to be smaller than the margin. 'Shown outside': it \
              is shown to be larger. 'Not shown': neither.",
    sentence: |of| {
        Some(format!("{} {}", summary::of_one(of.findings.one_processor.as_ref()), summary::of_many(&of.findings)))
    },
    charts: &[("positions", "virtual / real time on one processor", chart::positions)],
    table: |of| summary::compared(&of.findings),
    ..Question::PLAIN
};

const MECHANISMS: Question<Validated> = Question {
    key: "mechanisms",
    title: "Does a single mechanism?",
    reading: "Micro-programs, each of which repeats one operation, in turns on real and on virtual processors: 10th \
              percentiles over many slices, geometric means over batches, and the 95 % interval over batches. \
              'Fitted': a cost of the model is fitted to this micro-program. 'Predicted': from costs that were measured separately.",
    sentence: |of| Some(mechanisms::sentence(&of.findings.mechanisms, of.findings.ping_pong_drift)),
    table: |of| mechanisms::table(&of.findings.mechanisms),
    body: |of, html| {
        let ratios = of.findings.mechanisms.iter();
        let meanings = ratios.map(|ratio| (ratio.mechanism.name(), ratio.mechanism.meaning().to_owned()));
        html.facts(&meanings.collect::<Vec<_>>());
    },
    ..Question::PLAIN
};

const COSTS: Question<Validated> = Question {
    key: "costs",
    title: "On which costs does it depend?",
    reading: "One cost is changed at a time, with all others as in the model, at the same positions with the same seeds.",
    sentence: |of| summary::of_costs(&of.findings.costs),
    charts: &[("costs", "effect of each cost, halved and doubled, on the time speedup", chart::costs)],
    body: |of, html| html::write(&costs(&of.findings), html),
    ..Question::PLAIN
};

const CALIBRATION: Question<Validated> = Question {
    key: "calibration",
    title: "What is the cost model here?",
    sentence: |of| {
        let work = &of.measurements.work;
        let fitted = counted(work.runs, "search", "searches");
        Some(format!("{} times the costs of 'reference' for work, fitted to {fitted}.", figure(work.multiple)))
    },
    body: |of, html| {
        write_work(html, &of.measurements);
        write_coordination(html, &of.measurements.coordination);
        html.facts(&[("Taken from 'reference'", of.measurements.assumed.join(", ").replace('_', " "))]);
        environment::write_costs(html, &surroundings(of).costs());
    },
    ..Question::PLAIN
};

const NOISE: Question<Validated> = Question {
    key: "noise",
    title: "How far can I trust it?",
    sentence: |of| Some(summary::of_trust(&of.findings.trust)),
    body: |of, html| write_trust(html, &of.findings),
    ..Question::PLAIN
};

const HOW: Question<Validated> = Question {
    key: "how",
    title: "How was it made?",
    sentence: |of| {
        Some(format!("By Splitpoint {}, with all figures in a file beside the page.", of.measurements.session.version))
    },
    body: |of, html| {
        write_method(html, &of.measurements);
        environment::write_sessions(html, &surroundings(of).sessions);
        write_keys(html);
    },
    ..Question::PLAIN
};

/// Keys of the file with what they hold.
const KEYS: [(&str, &str); 14] = [
    ("kind", "'splitpoint validation'"),
    ("session", "version, command, computer, what disturbs measurements on it, and the cost model calibrated here"),
    ("size", "numbers of positions, seeds and nodes asked for"),
    (
        "coordination",
        "the small experiments: 10th percentiles (low), medians and 90th percentiles (high), in nanoseconds",
    ),
    ("work", "the fitted costs of work with their intervals, and how well they predict positions that were left out"),
    ("model, model_hash", "the cost model that results from both, and its hash"),
    ("assumed", "names of the costs that could not be measured here and are taken from 'reference'"),
    ("positions", "each position with its role and depth"),
    ("processors", "the numbers of processors that were compared, beyond one"),
    ("records", "every search but those with changed costs, in the form of a run folder's journal"),
    ("cost_runs", "every search with changed costs: cost model, position, seed, processors, virtual time, nodes"),
    ("cost_failures", "those that failed"),
    ("mechanisms", "the micro-programs: nanoseconds per operation, batch by batch, on both machines"),
    ("findings", "the figures of this page: one_processor, many_processors, mechanisms, costs, trust"),
];

/// Effect of each changed cost.
fn costs(validation: &Validation) -> Table {
    let columns =
        Columns::new()
            .with("Cost", "", |effect: &&CostEffect| effect.name())
            .with("Processors", "Virtual", |effect| effect.threads)
            .with("Before", "Nanoseconds, unless the name says otherwise", |effect| effect.before)
            .with("After", "In the same unit", |effect| effect.after)
            .with("Time speedup", "With the changed cost / with the model's cost", |effect| effect.ratio)
            .with("Change within the margin", "By two one-sided tests at 5 %, adjusted for all changes", |effect| {
                effect.judgement.verdict.name()
            })
            .with(
                "p",
                "Probability that chance alone gives so small a change if the true one is the margin or more; adjusted",
                |effect| Cell::probability(effect.judgement.p_within),
            )
            .with("Agreement with real processors", "Whether the verdict changes at these positions", |effect| {
                match effect.agreement {
                    None => "no real processors to compare with".to_owned(),
                    Some([before, after]) if before == after => format!("{}, unchanged", after.name()),
                    Some([before, after]) => format!("{} instead of {}", after.name(), before.name()),
                }
            });
    columns.table("", "", &validation.costs)
}

fn write_work(page: &mut Html, measurements: &Measurements) {
    let work = &measurements.work;
    let columns = Columns::new()
        .with("Work", "", |cost: &&WorkCost| cost.name.replace('_', " "))
        .with("Fit", "Nanoseconds", |cost| cost.interval.unwrap_or(Interval::unknown(cost.fit)))
        .with("In the model", "Whole nanoseconds", |cost| cost.model)
        .with("In 'reference'", "Nanoseconds", |cost| cost.reference);
    let explanation = "Fitted to sequential searches. Counts of different kinds of work are correlated, so that a \
                       single cost is known less well than the prediction from all of them.";
    html::write(&columns.table("Costs of work here", explanation, &work.costs), page);
    let strength = match work.strength {
        Some(strength) => format!("shrunk towards it with strength {strength}"),
        None => "equal to it, since nothing else predicts better".to_owned(),
    };
    let left_out = work.left_out.map_or_else(String::new, |ratio| {
        format!(
            "{} times the measured time ({}); between positions, one standard deviation is a factor of {}",
            fixed(ratio.estimate, 3),
            range(&ratio),
            fixed(work.left_out_deviation.exp(), 3)
        )
    });
    let facts = [
        (
            "Fitted to",
            format!(
                "{} of {}, of which {} disturbed",
                counted(work.runs, "search", "searches"),
                counted(work.positions, "position", "positions"),
                work.disturbed
            ),
        ),
        ("Multiple of 'reference'", format!("{}; the costs are {strength}", figure(work.multiple))),
        ("Positions left out", left_out),
        (
            "Rounding",
            format!("rounding to whole nanoseconds makes times {} times those of the fit", fixed(work.rounding, 4)),
        ),
    ];
    page.facts(&facts);
}

/// A small experiment, with the low quantile, the median and the high quantile of its batches, in nanoseconds.
type Batches = (String, [f64; 3]);

/// Writes the small experiments: whatever has a median is a row, named by its keys and by what stands beside it.
fn write_coordination(page: &mut Html, coordination: &Value) {
    let nanoseconds = |time: f64| Cell::Number(time, Digits::Decimals(1));
    let mut rows = Vec::new();
    gather(&mut rows, "", coordination);
    let columns = Columns::new()
        .with("Experiment", "", |(name, _): &Batches| name.clone())
        .with("10th percentile", "ns; costs follow from this", |(_, [low, ..])| nanoseconds(*low))
        .with("Median", "ns", |(_, [_, median, _])| nanoseconds(*median))
        .with("90th percentile", "ns", |(_, [.., high])| nanoseconds(*high));
    let explanation = "Small experiments on pinned threads, many short batches of each, in nanoseconds.";
    html::write(&columns.table("Costs of coordination here", explanation, rows), page);
}

fn gather(rows: &mut Vec<Batches>, name: &str, value: &Value) {
    let number = |key: &str| value.get(key).and_then(Value::as_f64);
    if let (Some(median), Some(low), Some(high)) = (number("median"), number("low"), number("high")) {
        return rows.push((name.to_owned(), [low, median, high]));
    }
    match value {
        Value::Object(object) => {
            let single = object.iter().filter(|(_, value)| value.is_number() || value.is_string());
            let in_words = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let beside: Vec<String> = single.map(|(key, value)| format!("{key} {}", in_words(value))).collect();
            for (key, value) in object {
                let key = if key == "nanoseconds" { "" } else { key };
                let words = [name, &beside.join(", "), key].map(|word| word.replace('_', " "));
                let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
                gather(rows, &words.join(", "), value);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| gather(rows, name, item)),
        _ => {}
    }
}

fn write_method(html: &mut Html, measurements: &Measurements) {
    let size = &measurements.size;
    let count = |role| measurements.positions.iter().filter(|position| position.role == role).count();
    let paragraphs = [
        format!(
            "Small experiments on pinned threads measured the costs of coordination here, each as the 10th percentile \
             of many short batches. The costs of work were fitted to searches on one processor at {} positions; each \
             search was run several times, and its shortest time counts. At {} other positions, the same searches were \
             run on one real and on one virtual processor, and at the first {} of those on several processors, with {} \
             each. Each position is searched to the last depth that one processor completes within {} nodes, so that \
             every computer searches the same trees.",
            count(Role::Calibration),
            count(Role::Check),
            size.positions.min(count(Role::Check)),
            counted(size.seeds, "seed", "seeds"),
            figure(size.nodes as f64)
        ),
        "Real searches ran one at a time on pinned threads, after a warm-up search that does not count, in a seeded \
         random order over all positions, seeds and numbers of processors, including the searches of the fit. Each was \
         watched for disturbance. Disturbed searches were repeated once (at most a quarter of all) and count if no \
         quiet search replaced them."
            .to_owned(),
        "One processor visits the same nodes on both machines, so that times differ because of the model alone. On \
         several real processors, a search takes another course in every run, so that comparing them needs many runs. \
         The margins were set beforehand: 3 % for time on one processor, 5 % for the time speedup, 3 percentage points \
         for nodes. Verdicts come from two one-sided tests at 5 % over the means of positions, so that they hold for \
         positions like these. The verdicts on several processors are adjusted together by Holm's procedure, and so \
         are those on costs."
            .to_owned(),
        "The model leaves out instructions and branch prediction, paging, hardware threads that share a core, and \
         turbo. Costs are whole nanoseconds. Virtual figures are in virtual seconds, and are never ranked against real \
         ones of other computers."
            .to_owned(),
    ];
    html.paragraphs(&paragraphs);
}

fn write_trust(page: &mut Html, validation: &Validation) {
    let trust = &validation.trust;
    let share = if trust.real > 0 { trust.disturbed as f64 / trust.real as f64 } else { 0.0 };
    let facts = [
        ("Real searches", format!("{}, of which {} disturbed ({})", trust.real, trust.disturbed, percent(share))),
        ("Virtual searches", format!("{}, which nothing can disturb", trust.simulated)),
        ("Failed", counted(trust.failed.len(), "search", "searches")),
        (
            "Different trees",
            validation.one_processor.as_ref().map_or_else(String::new, |one| {
                format!("{} of {} pairs of searches on one processor", one.other_trees, one.pairs)
            }),
        ),
    ];
    page.facts(&facts);
    let columns = Columns::new().with("Search and reason", "", |failure: &&String| failure.as_str());
    html::write(&columns.table("Searches that failed", "No mean includes them.", &trust.failed), page);
}

fn write_keys(html: &mut Html) {
    html.element(
        "p",
        &[],
        "Beside this page is a file of the same name that ends in .json. It holds everything that was measured, and is \
         the file to send to others: it lets a model be checked on computers that its authors do not have. Its keys:",
    );
    html.facts(&KEYS);
}
