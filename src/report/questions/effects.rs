//! Which switches have an effect? Factorial designs: each switch on relative to off, over all settings of the others.

use crate::Source;
use crate::analysis::{Analysis, Effect};
use crate::charts::figures::comparisons as charts;
use crate::sentence::Sentence;
use crate::table::number::interval;
use crate::table::{Cell, Table, columns};

use super::differences::BY_CHANCE;
use super::rows::kind_of;
use super::{File, Question, adjusted, few, is_shown, which_by_model};

pub(super) const EFFECTS: Question<Source> = Question {
    key: "effects",
    title: "Which switches have an effect?",
    reading: "Ratios of switch on to switch off, over all settings of the other switches: geometric means, each \
              interval for one ratio alone. A p that is not small does not show that a switch has no effect.",
    sentence: |source| verdict(&source.analysis),
    charts: &[("effects", "effect of each switch of a factorial design", charts::effects)],
    files: &[File {
        name: "effects.csv",
        rows: "One row per switch of a factorial design: on relative to off, over all settings of the other switches. \
               There is no such file if the experiment has no such design.",
        table,
    }],
    table: |source| table(source).for_readers().without_empty_columns(),
    ..Question::PLAIN
};

/// Largest number of switches that the sentence names.
const NAMED: usize = 3;

/// The switches whose effects are shown.
pub(crate) fn verdict(analysis: &Analysis) -> Option<Sentence> {
    let effects = &analysis.effects;
    let all = effects.len();
    let mut shown: Vec<&Effect> = effects.iter().filter(|one| is_shown(one.time_test)).collect();
    let size = |one: &&Effect| one.time.estimate.ln().abs();
    shown.sort_by(|one, other| size(other).total_cmp(&size(one)));
    let words: Vec<String> = shown.iter().map(|one| format!("{} × {}", one.factor, interval(&one.time))).collect();
    let by_model = which_by_model(effects.iter().map(|one| (one.machine, one.threads)));
    let sentence = match words.is_empty() {
        true => format!("None of {all} effects on time is shown{by_model}."),
        false => format!("{} of {all} effects on time are shown{by_model}: {}.", words.len(), few(&words, NAMED)),
    };
    (all > 0).then(|| Sentence::stated(sentence, effects))
}

fn table(source: &Source) -> Table {
    let analysis = &source.analysis;
    let columns = columns! { &Effect, row;
        "factor" as "Switch": "switch of the design" => row.factor.clone();
        "machine" as "Setting": "kind of machine, and what else distinguishes the setting" => row.setting.clone();
        "threads" as "Processors": "the number of processors" => row.threads;
        "time_ratio" as "Time ratio" [with_ends]:
            "time with the switch on relative to off; less than 1 is faster" => row.time;
        "time_p" as "p, time": BY_CHANCE => Cell::probability(adjusted(row.time_test));
        "nodes_ratio" as "Nodes ratio" [with_ends]:
            "nodes with the switch on relative to off; less than 1 is a smaller tree" => row.nodes;
        "nodes_p" as "p, nodes": BY_CHANCE => Cell::probability(adjusted(row.nodes_test));
        "aliases" as "Confounded with" [optional]:
            "pairs of switches whose interaction the design cannot separate from this effect" => row.aliases.join("; ");
        "interval": "positions for which the intervals hold; empty if there are none" => kind_of(analysis, row.time);
    };
    columns.table("", "", &analysis.effects)
}
