//! Sentences on what the best curve of each machine foretells of what was published.

use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Explanation, FORETOLD};
use crate::table::number::{level, listed};

/// Share of the published figures that a model explains if it is right, but for bad luck.
const EXPLAINED: f64 = 0.9;

/// A sentence for each published table, and one on all trees.
pub(super) fn sentences(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let best = || analysis.explanations.iter().filter(|one| one.is_best && machine == MachineKind::Virtual);
    let of_table = |one: &Explanation| {
        let counts = FORETOLD.map(|figure| {
            let (inside, all) = one.inside(figure, false);
            format!("{inside} of {all} for {figure}")
        });
        let label = &analysis.curves[one.curve].label;
        format!(
            "Of the figures in {}, {label} predicts {} within {} prediction intervals.",
            one.source,
            listed(&counts),
            level()
        )
    };
    let mut sentences: Vec<String> = best().map(of_table).collect();
    if !sentences.is_empty() {
        let (inside, all) = best()
            .map(|one| one.inside(FORETOLD[0], false))
            .fold((0, 0), |sum, (inside, all)| (sum.0 + inside, sum.1 + all));
        let is_explained = inside as f64 >= EXPLAINED * all as f64;
        let verdict = if is_explained { "explains" } else { "does not explain" };
        sentences.push(format!(
            "{inside} of {all} published tree sizes lie inside their prediction intervals: this model {verdict} the \
             growth of the trees."
        ));
    }
    sentences
}
