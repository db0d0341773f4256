//! The page of a validation: the verdicts first, then what they rest on, and what the file beside it holds.

use serde_json::Value;

use super::summary::compared;
use super::{CostEffect, Validation, chart, mechanisms, paragraphs};
use crate::record::Environment;
use crate::record::validation::{Measurements, Role, WorkCost};
use crate::report::charts::ChartError;
use crate::report::headline::Headline;
use crate::report::page::{Page, Part, document, environment, write_charts};
use crate::statistics::Interval;
use crate::table::html;
use crate::table::markup::Html;
use crate::table::number::{counted, figure, fixed, percent, range};
use crate::table::{Cell, Columns, Digits, Table};

const TITLE: &str = "The virtual machine against this computer";
const QUESTION: &str =
    "How far can the times of the virtual machine be trusted, and on which of its costs do they depend?";

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

/// The page, as one file of HTML that needs no other.
pub fn page(measurements: &Measurements, validation: &Validation) -> Result<String, ChartError> {
    let surroundings = Environment { sessions: vec![measurements.session.clone()] };
    let charts = chart::charts(measurements, validation)?;
    let said = paragraphs(validation);
    let sentence = |place: usize, or: &str| said.get(place).cloned().unwrap_or_else(|| or.to_owned());
    let parts = vec![
        Part::new("mechanisms", "Single mechanisms?", sentence(2, "Micro-programs on both machines."), |html| {
            write_mechanisms(html, validation);
        }),
        Part::new("costs", "On which costs does it depend?", "Each cost halved and doubled.".to_owned(), |html| {
            write_charts(html, charts.iter().skip(1));
            write_costs(html, validation);
        }),
        Part::new(
            "calibration",
            "What is the cost model here?",
            "Costs of work and of coordination.".to_owned(),
            |html| {
                write_work(html, measurements);
                write_coordination(html, &measurements.coordination);
                html.facts(&[("Taken from 'reference'", measurements.assumed.join(", ").replace('_', " "))]);
                environment::write_costs(html, &surroundings.costs());
            },
        ),
        Part::new("noise", "How far can I trust it?", "Searches that were disturbed or failed.".to_owned(), |html| {
            html.paragraphs(&said);
            write_trust(html, validation);
        }),
        Part::new("how", "How was it made?", "Method, computer, and the file of all figures.".to_owned(), |html| {
            write_method(html, measurements);
            surroundings.write(html);
            write_keys(html);
        }),
    ];
    let headline = Headline {
        alerts: surroundings.serious().iter().map(|finding| format!("{}. {}", finding.what, finding.remedy)).collect(),
        cautions: Vec::new(),
        verdict: sentence(0, "Nothing could be compared."),
        tiles: Vec::new(),
        table: Table { title: String::new(), ..compared(validation) },
    };
    Ok(document(&Page {
        title: TITLE,
        question: QUESTION,
        headline: &headline,
        chart: charts.first(),
        parts,
        command: &measurements.session.command,
    }))
}

fn write_mechanisms(page: &mut Html, validation: &Validation) {
    html::write(&mechanisms::table(&validation.mechanisms), page);
    let meanings: Vec<(&str, String)> = validation
        .mechanisms
        .iter()
        .map(|ratio| (ratio.mechanism.name(), ratio.mechanism.meaning().to_owned()))
        .collect();
    page.facts(&meanings);
}

fn write_costs(page: &mut Html, validation: &Validation) {
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
    let explanation = "One cost is changed at a time, with all others as in the model, at the same positions with the \
                       same seeds.";
    html::write(&columns.table("Effect of each cost", explanation, &validation.costs), page);
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
