//! Folders side by side as JSON. Its keys are documented in docs/results.md; keys may be added, not renamed.

use serde_json::{Value, json};

use crate::statistics::{Interval, LEVEL};

use super::{Counterparts, Measure, Runs, SideBySide, Tested, Verdict};

/// The comparison as one object. What is not known is null.
pub fn json(whole: &SideBySide) -> Value {
    let name = |place: usize| &whole.folders[place].name;
    let only_in = whole.only_in.iter().map(|alone| {
        json!({
            "folder": name(alone.folder),
            "missing_in": name(alone.missing_in),
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
        "comparisons": whole.counterparts.iter().map(|pair| comparison(whole, pair)).collect::<Vec<_>>(),
        "only_in": only_in.collect::<Vec<_>>(),
    })
}

fn comparison(whole: &SideBySide, pair: &Counterparts) -> Value {
    let runs = pair.runs.counts();
    let speedup = pair.speedup.map(|speedup| {
        let mut value = ratio(speedup.ratio);
        value["paired"] = speedup.is_paired.into();
        value
    });
    json!({
        "folder": whole.folders[pair.folder].name,
        "against": whole.folders[0].name,
        "label": pair.label,
        "configuration": pair.counterpart,
        "configuration_against": pair.configuration,
        "positions": pair.positions,
        "paired": matches!(pair.runs, Runs::Pairs(_)),
        "runs": runs[1],
        "runs_against": runs[0],
        "time": tested(pair.time, Measure::Time),
        "nodes": tested(pair.nodes, Measure::Nodes),
        "nps": ratio(pair.nps),
        "time_speedup": speedup,
    })
}

fn ratio(interval: Interval) -> Value {
    json!({ "ratio": interval.estimate, "low": interval.low, "high": interval.high })
}

fn tested(tested: Tested, measure: Measure) -> Value {
    let is_within_margin = match tested.verdict {
        Verdict::Identical | Verdict::Equal | Verdict::Equivalent => Some(true),
        Verdict::Less { is_within_margin } | Verdict::More { is_within_margin } => Some(is_within_margin),
        Verdict::NoDifferenceShown => Some(false),
        Verdict::Copied | Verdict::Disturbed | Verdict::NotKnown => None,
    };
    let mut value = ratio(tested.ratio);
    value["p"] = tested.p.into();
    value["p_equivalence"] = tested.p_equivalence.into();
    value["verdict"] = tested.verdict.name(measure).into();
    value["within_margin"] = is_within_margin.into();
    value
}
