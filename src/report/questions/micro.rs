//! What do the boards cost by themselves? Micro-measurements, beside what was published.

use crate::Source;
use crate::analysis::{Analysis, MicroFigure};
use crate::charts::figures::micro as charts;
use crate::distinct::distinct;
use crate::record::Unit;
use crate::sentence::Sentence;
use crate::table::number::figure;
use crate::table::{Cell, Table, columns};

use super::{File, Question, few};

pub(super) const MICRO: Question<Source> = Question {
    key: "micro",
    title: "What do the boards cost by themselves?",
    reading: "Means over repetitions, with intervals over them; a figure that was measured once has the interval of \
              its batches. The published tables come from other computers: ratios and counts can be compared with \
              them, times cannot.",
    sentence: |source| verdict(&source.analysis),
    charts: &[(
        "micro",
        "micro-measurements of boards relative to the mailbox, beside published ratios",
        charts::micro,
    )],
    files: &[File {
        name: "micro.csv",
        rows: "One row per figure of a micro-measurement. There is no such file if the experiment has none.",
        table,
    }],
    table: |source| table(source).for_readers().without_empty_columns(),
    ..Question::PLAIN
};

/// Largest number of boards that the sentence names.
const NAMED: usize = 4;

/// Geometric mean over all circumstances of the first measurement that compares boards.
pub(crate) fn verdict(analysis: &Analysis) -> Option<Sentence> {
    let ratios: Vec<&MicroFigure> = analysis.micro.iter().filter(|one| one.compares_boards()).collect();
    let Some(first) = ratios.first() else {
        let names = distinct(analysis.micro.iter().map(|figure| figure.micro.clone()));
        return (!names.is_empty())
            .then(|| Sentence::described(format!("The table has the figures of {}.", few(&names, NAMED))));
    };
    let of_first = || ratios.iter().filter(|one| one.micro == first.micro && one.figure.figure == first.figure.figure);
    let of_board = |board: &String| {
        let all: Vec<f64> =
            of_first().filter(|one| one.board().as_ref() == Some(board)).map(|one| one.mean.estimate.ln()).collect();
        let mean = (all.iter().sum::<f64>() / all.len() as f64).exp();
        format!("{board} {}", figure(mean))
    };
    let boards: Vec<String> = distinct(of_first().filter_map(|one| one.board())).iter().map(of_board).collect();
    let boards = few(&boards, NAMED);
    Some(Sentence::described(format!("{}, {}: {boards} (geometric means).", first.micro, first.figure.figure)))
}

fn table(source: &Source) -> Table {
    let analysis = &source.analysis;
    let columns = columns! { &MicroFigure, row;
        "micro" as "Measurement": "name of the micro-measurement" => row.micro.as_str();
        "of" as "Of": "position, phase of the game or other circumstance" => row.figure.of.as_str();
        "board" as "Board": "board representation, with its sliding method" => row.board();
        "figure" as "Figure": "name of the figure" => row.figure.figure.as_str();
        "unit" as "Unit": "unit of the figure and of the published one" => row.figure.unit.name();
        "runs": "number of repetitions" => row.runs;
        "ours" as "Ours" [with_ends]: "mean over repetitions" => value(row);
        "published" as "Published": "published value" => row.figure.published;
        "ours_over_published" as "Ours / published" [with_ends]: "ratio of the two" => row.over_published();
        "source": "source of the published value" => row.figure.source.clone();
    };
    columns.table("", "", &analysis.micro)
}

fn value(row: &MicroFigure) -> Cell {
    match row.figure.unit {
        // What was counted is whole, a mean, or a share.
        Unit::Count | Unit::Bytes if !row.mean.is_known() && row.mean.estimate.fract() == 0.0 => {
            Cell::whole(row.mean.estimate)
        }
        _ => row.mean.into(),
    }
}
