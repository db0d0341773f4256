//! The page of a validation: the verdicts first, then what they rest on, and what the file beside it holds.

use serde_json::Value;

use super::summary::compared;
use super::{Validation, chart, paragraphs};
use crate::record::Environment;
use crate::record::validation::{Measurements, Role};
use crate::report::charts::ChartError;
use crate::report::page::html::Html;
use crate::report::page::numbers::{counted, figure, fixed, percent, probability};
use crate::report::page::table::{Column, Entry, Table};
use crate::report::page::{PageChart, Section, document, environment, write_charts, write_warnings};
use crate::statistics::Interval;

const TITLE: &str = "The virtual machine against this computer";
const QUESTION: &str = "How far can the virtual machine's times be trusted, and which of its costs do they depend on?";

/// What is in the file, by key.
const KEYS: [(&str, &str); 12] = [
    ("kind", "'splitpoint validation'"),
    ("session", "version, command, computer, what disturbs measurements on it, and the cost model made here"),
    ("size", "how many positions, seeds and nodes were asked for"),
    ("coordination", "the small experiments: medians and quartiles over batches, in nanoseconds"),
    ("work", "the fitted costs of work with their intervals, and how well they predict positions that were left out"),
    ("model, model_hash", "the cost model made of both, and its hash"),
    ("positions", "each position with its role and depth"),
    ("processors", "the numbers of processors that were compared, beyond one"),
    ("records", "every search but those with changed costs, in the form of a run folder's journal"),
    ("cost_runs", "every search with changed costs: cost model, position, seed, processors, virtual time, nodes"),
    ("cost_failures", "those that failed"),
    ("findings", "what this page says, in numbers: one_processor, many_processors, costs, trust"),
];

/// The page, as one file of HTML that needs no other.
pub fn page(measurements: &Measurements, validation: &Validation) -> Result<String, ChartError> {
    let surroundings = Environment { sessions: vec![measurements.session.clone()] };
    let charts: Vec<PageChart> = chart::charts(measurements, validation)?
        .into_iter()
        .map(|chart| PageChart {
            name: chart.name.to_owned(),
            title: chart.title,
            caption: chart.caption,
            svg: chart.svg,
        })
        .collect();
    let sections = [
        Section::new("compared", "Side by side", |html| write_compared(html, validation)),
        Section::new("charts", "Charts", |html| write_charts(html, &charts)),
        Section::new("costs", "Costs halved and doubled", |html| write_costs(html, validation)),
        Section::new("calibration", "The cost model", |html| {
            write_work(html, measurements);
            write_coordination(html, &measurements.coordination);
            environment::write_costs(html, &surroundings.costs());
        }),
        Section::new("method", "Method", |html| write_method(html, measurements)),
        Section::new("environment", "Environment", |html| surroundings.write(html)),
        Section::new("quality", "Quality of the records", |html| write_trust(html, validation)),
        Section::new("file", "The file", write_keys),
    ];
    Ok(document(TITLE, &sections, |html| {
        html.within("header", &[], |html| {
            html.element("h1", &[], TITLE);
            html.element("p", &[("class", "question")], QUESTION);
        });
        html.section("answer", "Answer", |html| {
            html.within("div", &[("class", "answer")], |html| {
                paragraphs(validation).iter().for_each(|paragraph| html.element("p", &[], paragraph));
            });
        });
        write_warnings(html, &surroundings);
    }))
}

fn write_compared(html: &mut Html, validation: &Validation) {
    let columns = vec![
        Column::words("What", ""),
        Column::numbers("Real", "On this computer"),
        Column::numbers("Virtual", "On the virtual machine; times are virtual"),
        Column::numbers("Virtual / real", "Ratio, or difference in points"),
        Column::words("Interval", "95 %, for positions like these"),
        Column::words("Margin", "Set before the measurement"),
        Column::words("Verdict", "By two one-sided tests at 5 %"),
    ];
    let explanation = "The same positions with the same seeds, differences formed run by run. 'Shown within': equal but for \
                       the margin. 'Shown outside': the difference is larger. Else neither is shown.";
    let mut table = Table::new("Real and virtual processors", explanation, columns);
    for row in compared(validation) {
        let entries = [row.what, row.real, row.simulated, row.difference, row.interval, row.margin, row.verdict];
        table.row(entries.map(Entry::words).into());
    }
    table.write(html);
    let Some(one) = &validation.one_processor else { return };
    let columns = vec![
        Column::words("Position", ""),
        Column::numbers("Depth", ""),
        Column::numbers("Pairs", "Searches with the same seed on both machines"),
        Column::numbers("Nodes", "Mean of a search; the same on both machines"),
        Column::numbers("Virtual / real time", "With the interval if this position were searched again"),
        Column::numbers("By processor time", "Against the processor time that real workers had"),
    ];
    let explanation = "Geometric means over pairs of searches that visit the same nodes.";
    let mut table = Table::new("One processor, position by position", explanation, columns);
    for position in &one.positions {
        table.row(vec![
            Entry::words(position.id.as_str()),
            Entry::count(position.depth.into()),
            Entry::count(position.pairs as f64),
            Entry::count(position.nodes),
            Entry::interval(&position.ratio),
            Entry::interval(&position.by_processor_time),
        ]);
    }
    table.write(html);
}

fn write_costs(html: &mut Html, validation: &Validation) {
    let columns = vec![
        Column::words("Cost", ""),
        Column::numbers("Processors", "Virtual"),
        Column::numbers("Before", "Nanoseconds, where the name does not say otherwise"),
        Column::numbers("After", "In the same unit"),
        Column::numbers("Time speedup", "With the changed cost by that with the model's"),
        Column::words("Change within the margin", "By two one-sided tests at 5 %, adjusted for all changes"),
        Column::numbers("p", "How likely so small a change is by chance if it is the margin or more; adjusted"),
        Column::words("Agreement with real processors", "Whether its verdict becomes another one at these positions"),
    ];
    let explanation = "Every cost by itself, all others as in the model, at the same positions with the same seeds.";
    let mut table = Table::new("What depends on a cost", explanation, columns);
    for effect in &validation.costs {
        let change = if effect.is_doubled { "doubled" } else { "halved" };
        let agreement = match effect.agreement {
            None => "no real processors to agree with".to_owned(),
            Some([before, after]) if before == after => format!("{} as before", after.name()),
            Some([before, after]) => format!("{} instead of {}", after.name(), before.name()),
        };
        table.row(vec![
            Entry::words(format!("{} {change}", effect.cost.replace('_', " "))),
            Entry::count(effect.threads.into()),
            Entry::count(effect.before as f64),
            Entry::count(effect.after as f64),
            Entry::interval(&effect.ratio),
            Entry::words(effect.judgement.verdict.name()),
            Entry::maybe(effect.judgement.p_within, |p| Entry::number(probability(p), p)),
            Entry::words(agreement),
        ]);
    }
    table.write(html);
}

fn write_work(html: &mut Html, measurements: &Measurements) {
    let work = &measurements.work;
    let columns = vec![
        Column::words("Work", ""),
        Column::numbers("Fit", "Nanoseconds"),
        Column::numbers("In the model", "Whole nanoseconds"),
        Column::numbers("In 'reference'", "Nanoseconds"),
    ];
    let explanation = "Fitted to sequential searches. Counts of different work grow together, so that one cost by itself is \
                       known less well than what all of them predict.";
    let mut table = Table::new("What work costs here", explanation, columns);
    for cost in &work.costs {
        table.row(vec![
            Entry::words(cost.name.replace('_', " ")),
            Entry::interval(&cost.interval.unwrap_or(Interval::unknown(cost.fit))),
            Entry::count(cost.model as f64),
            Entry::count(cost.reference as f64),
        ]);
    }
    table.write(html);
    let strength = match work.strength {
        Some(strength) => format!("drawn towards it with strength {strength}"),
        None => "equal to it, since nothing else predicts better".to_owned(),
    };
    let left_out = work.left_out.map_or_else(String::new, |ratio| {
        format!(
            "{} times what was measured ({} to {}); from position to position within a factor of {} (one standard deviation)",
            fixed(ratio.estimate, 3),
            fixed(ratio.low, 3),
            fixed(ratio.high, 3),
            fixed(work.left_out_deviation.exp(), 3)
        )
    });
    let facts = [
        (
            "Fitted to",
            format!(
                "{} of {}, of which {} disturbed",
                counted(work.runs as u64, "search", "searches"),
                counted(work.positions as u64, "position", "positions"),
                work.disturbed
            ),
        ),
        ("Multiple of 'reference'", format!("{}; the costs are {strength}", figure(work.multiple))),
        ("Positions left out", left_out),
        ("Rounding", format!("whole nanoseconds make times {} times those of the fit", fixed(work.rounding, 4))),
    ];
    html.facts(&facts.map(|(name, value)| (name.to_owned(), value)));
}

/// The small experiments: whatever has a median is a row, named by its keys and by what stands beside it.
fn write_coordination(html: &mut Html, coordination: &Value) {
    let columns =
        vec![Column::words("Experiment", ""), Column::numbers("Median", "ns"), Column::numbers("Quartiles", "ns")];
    let explanation = "Small experiments on pinned threads, many batches of each, in nanoseconds.";
    let mut table = Table::new("What coordination costs here", explanation, columns);
    gather(&mut table, "", coordination);
    table.write(html);
}

fn gather(table: &mut Table, name: &str, value: &Value) {
    let number = |key: &str| value.get(key).and_then(Value::as_f64);
    if let (Some(median), Some(low), Some(high)) = (number("median"), number("low"), number("high")) {
        let quartiles = format!("{} to {}", fixed(low, 1), fixed(high, 1));
        table.row(vec![Entry::words(name), Entry::number(fixed(median, 1), median), Entry::words(quartiles)]);
        return;
    }
    match value {
        Value::Object(object) => {
            let beside: Vec<String> = object
                .iter()
                .filter(|(_, value)| value.is_number() || value.is_string())
                .map(|(key, value)| {
                    format!("{key} {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
                })
                .collect();
            for (key, value) in object {
                let key = if key == "nanoseconds" { "" } else { key };
                let words = [name, &beside.join(", "), key].map(|word| word.replace('_', " "));
                let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
                gather(table, &words.join(", "), value);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| gather(table, name, item)),
        _ => {}
    }
}

fn write_method(html: &mut Html, measurements: &Measurements) {
    let size = &measurements.size;
    let count = |role| measurements.positions.iter().filter(|position| position.role == role).count();
    let paragraphs = [
        format!(
            "Small experiments on pinned threads measured what coordination costs here. The costs of work were fitted to \
             searches of one processor at {} positions. At {} others the same searches were run on one real and one virtual \
             processor, and at the first {} of those on several, with {} each. Positions are searched to the last depth that \
             one processor completes within {} nodes, so that every computer searches the same trees.",
            count(Role::Calibration),
            count(Role::Check),
            size.positions.min(count(Role::Check)),
            counted(size.seeds, "seed", "seeds"),
            figure(size.nodes as f64)
        ),
        "Real searches ran one at a time on pinned threads, after one that was not counted, in a seeded random order over all \
         positions, seeds and numbers of processors, those of the fit among them. Each was watched for what disturbs; \
         disturbed ones were repeated once, a quarter of all at most, and count if no quiet one took their place."
            .to_owned(),
        "One processor visits the same nodes on both machines, so that its times differ by the model alone. Several take \
         another course in every run on a real machine, which is why their comparison needs many. Margins were set before: 3 % \
         for time on one processor, 5 % for the time speedup, 3 points for nodes. Verdicts come from two one-sided tests at 5 % \
         over the means of positions, so that they hold for positions like these; those on several processors are adjusted \
         together by Holm's procedure, and those on costs together."
            .to_owned(),
        "The model leaves out instructions and branch prediction, paging, hardware threads that share a core, and turbo. \
         Costs are whole nanoseconds. Virtual figures are in virtual seconds, and are never ranked beside real ones of other \
         computers."
            .to_owned(),
    ];
    paragraphs.iter().for_each(|paragraph| html.element("p", &[], paragraph));
}

fn write_trust(html: &mut Html, validation: &Validation) {
    let trust = &validation.trust;
    let share = if trust.real > 0 { trust.disturbed as f64 / trust.real as f64 } else { 0.0 };
    let facts = [
        ("Real searches", format!("{}, of which {} disturbed ({})", trust.real, trust.disturbed, percent(share))),
        ("Virtual searches", format!("{}, which nothing can disturb", trust.simulated)),
        ("Failed", counted(trust.failed.len() as u64, "search", "searches")),
        (
            "Other trees",
            validation.one_processor.as_ref().map_or_else(String::new, |one| {
                format!("{} of {} pairs of searches of one processor", one.other_trees, one.pairs)
            }),
        ),
    ];
    html.facts(&facts.map(|(name, value)| (name.to_owned(), value)));
    let mut table =
        Table::new("Searches that failed", "They are in no mean.", vec![Column::words("Search and reason", "")]);
    trust.failed.iter().for_each(|failure| table.row(vec![Entry::words(failure.as_str())]));
    table.write(html);
}

fn write_keys(html: &mut Html) {
    html.element(
        "p",
        &[],
        "Beside this page is a file of the same name that ends in .json. It holds all that was measured, and is what to send \
         to others: with it a model can be checked on computers that its makers do not have. Its keys:",
    );
    html.facts(&KEYS.map(|(key, meaning)| (key.to_owned(), meaning.to_owned())));
}
