//! What does the parameter do? Time speedup by the value of a parameter that the experiment varies.

use crate::Source;
use crate::charts::figures::parameters as charts;
use crate::table::number::interval;

use super::{Question, leaders, processors};

pub(super) const PARAMETERS: Question<Source> = Question {
    key: "parameters",
    title: "Which value of the parameter is best?",
    reading: "Time speedup by the value of the parameter; its figures are those of the table of speedups.",
    sentence,
    charts: &[("parameter", "time speedup by the value of a parameter", charts::parameter)],
    ..Question::PLAIN
};

fn sentence(source: &Source) -> Option<String> {
    charts::parameter(source)?;
    let best = leaders(&source.analysis).last()?[0];
    let speedup = best.against_baseline.as_ref()?.time_speedup;
    Some(format!(
        "The largest time speedup on {} is that of {}, {}; tests of the order stand above.",
        processors(&best.configuration),
        best.label,
        interval(&speedup)
    ))
}
