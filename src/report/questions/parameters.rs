//! What does the parameter do? Time speedup by the value of a parameter that the experiment varies.

use crate::Source;
use crate::charts::figures::parameters as charts;
use crate::sentence::Sentence;
use crate::table::number::figure;

use super::{Question, leaders, processors};

pub(super) const PARAMETERS: Question<Source> = Question {
    key: "parameters",
    title: "Which value of the parameter is best?",
    reading: "Time speedup by the value of the parameter; its figures are those of the table of speedups.",
    sentence,
    charts: &[("parameter", "time speedup by the value of a parameter", charts::parameter)],
    ..Question::PLAIN
};

fn sentence(source: &Source) -> Option<Sentence> {
    charts::parameter(source)?;
    let leaders = leaders(&source.analysis);
    let all = leaders.last()?;
    let speedups = || all.iter().map(|group| group.time_speedup()).filter(|speedup| speedup.is_finite());
    let (low, high) = (speedups().reduce(f64::min)?, speedups().reduce(f64::max)?);
    Some(Sentence::described(format!(
        "On {}, time speedups are from {} to {}; tests of their order stand above.",
        processors(&all[0].configuration),
        figure(low),
        figure(high)
    )))
}
