//! Folders side by side as JSON. Its keys are documented in docs/results.md; keys may be added, not renamed.

use serde_json::{Value, json};

use crate::statistics::{Interval, LEVEL, Test};

use super::{Counterparts, Measure, SideBySide, letter};

/// The comparison as one object. What is not known is null.
pub fn json(whole: &SideBySide) -> Value {
    let only_in = whole.only_in.iter().map(|alone| {
        json!({
            "folder": letter(alone.folder),
            "missing_in": letter(alone.missing_in),
            "label": alone.label,
            "configuration": alone.configuration,
            "lacks_positions": alone.lacks_positions,
        })
    });
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "level": LEVEL,
        "interval": whole.interval.hyphenated(),
        "margin": whole.margin,
        "ignored": whole.ignored,
        "folders": whole.folders,
        "differences": whole.differences,
        "notes": whole.notes,
        "comparisons": whole.counterparts.iter().map(comparison).collect::<Vec<_>>(),
        "only_in": only_in.collect::<Vec<_>>(),
    })
}

fn comparison(pair: &Counterparts) -> Value {
    let speedup = pair.speedup.map(|speedup| with_ratio(json!({ "paired": speedup.is_paired }), speedup.ratio));
    json!({
        "folder": letter(pair.folder),
        "against": letter(0),
        "label": pair.label,
        "configuration": pair.counterpart,
        "configuration_against": pair.configuration,
        "positions": pair.positions,
        "paired": pair.is_paired,
        "runs": pair.runs[1],
        "runs_against": pair.runs[0],
        "time": tested(pair, Measure::Time),
        "nodes": tested(pair, Measure::Nodes),
        "nps": with_ratio(json!({}), pair.nps),
        "time_speedup": speedup,
    })
}

fn with_ratio(mut value: Value, Interval { estimate, low, high }: Interval) -> Value {
    [value["ratio"], value["low"], value["high"]] = [estimate, low, high].map(Value::from);
    value
}

fn tested(pair: &Counterparts, measure: Measure) -> Value {
    let tested = measure.of(pair);
    let value = json!({
        "p": tested.test.and_then(Test::adjusted),
        "p_equivalence": tested.equivalence.and_then(Test::adjusted),
        "verdict": tested.verdict.named(measure),
        "within_margin": tested.is_within_margin(),
    });
    with_ratio(value, tested.ratio)
}
