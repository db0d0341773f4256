//! `summary.md`: an experiment's tables for a paper, with the definitions that a reader needs to judge them.

use crate::record::{Baseline, MachineKind};
use crate::report::analysis::Analysis;
use crate::table::{markdown, number};

use super::{found, micro, shown};

/// The summary. `answer` is the answer to the experiment's question, paragraph by paragraph.
pub(crate) fn summary_md(analysis: &Analysis, answer: &[String]) -> String {
    let description = &analysis.description;
    let mut sections = vec![format!("# {}", description.title), description.question.clone()];
    sections.extend_from_slice(answer);
    for &machine in MachineKind::ALL {
        let tables = [
            shown::explanations,
            shown::replications,
            shown::predictions,
            shown::thesis,
            shown::speedups,
            found::regrets,
            found::by_depth,
            found::solutions,
            found::agreement,
            shown::factors,
            shown::splitting,
            shown::stages,
            shown::copy_sizes,
            shown::averages,
            shown::cut_off,
            shown::without_depth,
            micro::figures,
            shown::amdahl,
            shown::comparisons,
            shown::effects,
        ];
        let tables = tables.map(|table| table(analysis, machine)).into_iter().filter(|table| !table.rows.is_empty());
        let written: Vec<String> = tables.map(|table| markdown::write(&table)).collect();
        if !written.is_empty() {
            sections.push(format!("## {}", shown::heading(machine)));
            sections.extend(written);
        }
    }
    let quality = shown::quality(analysis);
    if !quality.rows.is_empty() {
        sections.push(markdown::write(&quality));
    }
    sections.push(format!("## Notes\n\n- {}", notes(analysis).join("\n- ")));
    if !description.command.is_empty() {
        sections.push(format!("Made by splitpoint {} with `{}`.", description.version, description.command));
    }
    sections.retain(|section| !section.is_empty());
    format!("{}\n", sections.join("\n\n"))
}

fn notes(analysis: &Analysis) -> Vec<String> {
    let (description, quality) = (&analysis.description, &analysis.quality);
    let mut notes = vec![format!(
        "Intervals have a level of {} and are for {}. 'No interval': none can be given, because nothing was repeated, \
         or because the positions do not stand for others.",
        number::level(),
        description.interval.name()
    )];
    if description.is_one_game {
        notes.push("The positions come from one game: they do not stand for others.".to_owned());
    }
    notes.push(match description.baseline {
        Baseline::Seeds(seeds) => {
            format!("The baseline of a position is the mean of {seeds} sequential searches with different seeds.")
        }
        Baseline::One => {
            "The baseline of a position is one sequential search, as in the thesis: a single random sample.".to_owned()
        }
        Baseline::None => "The experiment adds no baseline of its own.".to_owned(),
    });
    if analysis.groups.iter().any(|group| group.configuration.machine == MachineKind::Virtual) {
        notes.push("Virtual seconds (vs) are those of a cost model, not of a computer.".to_owned());
    }
    if quality.missing > 0 || !quality.failed.is_empty() {
        let failed = quality.failed.len();
        notes.push(format!("Of {} cells, {failed} failed and {} are missing.", quality.cells, quality.missing));
    }
    if let Some((part, of)) = description.shard {
        notes.push(format!("This is part {part} of {of} of the plan: cells may be missing that others have."));
    }
    notes
}
