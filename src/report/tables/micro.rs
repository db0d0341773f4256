//! Columns of micro-measurements: those of `micro.csv`, a row a figure. The table for readers shows most of them.

use crate::record::{MachineKind, Unit};
use crate::report::analysis::{Analysis, MicroFigure};
use crate::table::number::level;
use crate::table::{Cell, Columns, Table, columns};

/// Columns of `micro.csv`.
pub(super) fn columns<'a>() -> Columns<'a, &'a MicroFigure> {
    columns! { &MicroFigure, row;
        "micro" as "Measurement": "name of the micro-measurement" => row.micro.as_str();
        "of" as "Of": "position, phase of the game or other circumstance" => row.figure.of.as_str();
        "board" as "Board": "board representation, with its sliding method" => row.board();
        "figure" as "Figure": "name of the figure" => row.figure.figure.as_str();
        "unit" as "Unit": "unit of the figure and of the published one" => row.figure.unit.name();
        "runs" as "Runs": "number of repetitions" => row.runs;
        "ours" as "Ours" [with_ends]: "mean over repetitions" => value(row);
        "published" as "Published": "published value" => row.figure.published;
        "ours_over_published" as "Ours / published" [with_ends]: "ratio of the two" => row.over_published();
        "source": "source of the published value" => row.figure.source.clone();
    }
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

/// All figures, beside the published ones.
pub(crate) fn figures(analysis: &Analysis, machine: MachineKind) -> Table {
    let rows = analysis.micro.iter().filter(|_| machine == MachineKind::Real);
    let explanation = format!(
        "Means over repetitions, with intervals of {} over them; a figure that was measured once has the interval of \
         its batches. The published tables come from other computers: ratios and counts can be compared with them, \
         times cannot.",
        level()
    );
    let names = "micro of board figure unit ours published ours_over_published";
    columns().only(names).table("Micro-measurements", &explanation, rows).without_empty_columns()
}
