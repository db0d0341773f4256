//! The cost model of this computer: the small experiments and the fit that it is made of.

use serde_json::Value;

use super::Validated;
use crate::record::validation::WorkCost;
use crate::statistics::Interval;
use crate::table::markup::Html;
use crate::table::number::{counted, figure, fixed, range};
use crate::table::{Cell, Columns, Digits, html};

/// Sentence on the costs of work and how well they are known.
pub(super) fn sentence(validated: &Validated) -> Option<String> {
    let work = &validated.measurements.work;
    let strength = match work.strength {
        Some(strength) => format!("shrunk towards it with strength {strength}"),
        None => "equal to it, since nothing else predicts better".to_owned(),
    };
    let left_out = work.left_out.map_or_else(String::new, |ratio| {
        let deviation = fixed(work.left_out_deviation.exp(), 3);
        format!(
            " Positions that were left out of the fit are predicted to take {} times the measured time ({}), where one \
             standard deviation between positions is a factor of {deviation}.",
            fixed(ratio.estimate, 3),
            range(&ratio)
        )
    });
    Some(format!(
        "{} times the costs of 'reference' for work, fitted to {} of {}, of which {} disturbed; the costs are \
         {strength}, \
         and whole nanoseconds make times {} times those of the fit.{left_out}",
        figure(work.multiple),
        counted(work.runs, "search", "searches"),
        counted(work.positions, "position", "positions"),
        work.disturbed,
        fixed(work.rounding, 4)
    ))
}

/// Writes the costs of work.
pub(super) fn write_work(validated: &Validated, page: &mut Html) {
    let columns = Columns::new()
        .with("Work", "", |cost: &&WorkCost| cost.name.replace('_', " "))
        .with("Fit", "Nanoseconds", |cost| cost.interval.unwrap_or(Interval::unknown(cost.fit)))
        .with("In the model", "Whole nanoseconds", |cost| cost.model)
        .with("In 'reference'", "Nanoseconds", |cost| cost.reference);
    let explanation = "Fitted to sequential searches. Counts of different kinds of work are correlated, so that a \
                       single cost is known less well than the prediction from all of them.";
    html::write(&columns.table("Costs of work here", explanation, &validated.measurements.work.costs), page);
}

/// A small experiment, with the low quantile, the median and the high quantile of its batches, in nanoseconds.
type Batches = (String, [f64; 3]);

/// Writes the small experiments: whatever has a median is a row, named by its keys and by what stands beside it.
pub(super) fn write_coordination(validated: &Validated, page: &mut Html) {
    let nanoseconds = |time: f64| Cell::Number(time, Digits::Decimals(1));
    let mut rows = Vec::new();
    gather(&mut rows, "", &validated.measurements.coordination);
    let columns = Columns::new()
        .with("Experiment", "", |(name, _): &Batches| name.clone())
        .with("10th percentile", "ns; costs follow from this", |(_, [low, ..])| nanoseconds(*low))
        .with("Median", "ns", |(_, [_, median, _])| nanoseconds(*median))
        .with("90th percentile", "ns", |(_, [.., high])| nanoseconds(*high));
    let explanation = "Small experiments on pinned threads, many short batches of each, in nanoseconds.";
    html::write(&columns.table("Costs of coordination here", explanation, rows), page);
}

fn gather(rows: &mut Vec<Batches>, name: &str, value: &Value) {
    let numbers = ["low", "median", "high"].map(|key| value.get(key).and_then(Value::as_f64));
    if let [Some(low), Some(median), Some(high)] = numbers {
        return rows.push((name.to_owned(), [low, median, high]));
    }
    value.as_array().into_iter().flatten().for_each(|item| gather(rows, name, item));
    let Some(object) = value.as_object() else { return };
    let single = object.iter().filter(|(_, value)| value.is_number() || value.is_string());
    let in_words = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let beside: Vec<String> = single.map(|(key, value)| format!("{key} {}", in_words(value))).collect();
    for (key, value) in object {
        let words = [name, &beside.join(", "), if key == "nanoseconds" { "" } else { key }];
        let words: Vec<String> =
            words.iter().filter(|word| !word.is_empty()).map(|word| word.replace('_', " ")).collect();
        gather(rows, &words.join(", "), value);
    }
}
