//! Sentences on micro-measurements: how the boards compare, over all circumstances of a measurement, beside what was
//! published.

use crate::distinct::distinct;
use crate::record::MachineKind;
use crate::report::analysis::{Analysis, MicroFigure};
use crate::table::number::{figure, listed};

/// Number of figures of a measurement that are spoken of.
const SPOKEN_OF: usize = 3;

/// A sentence for each micro-measurement that compares boards.
pub(super) fn sentences(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    if machine != MachineKind::Real {
        return Vec::new();
    }
    let names = distinct(analysis.micro.iter().map(|figure| figure.micro.as_str()));
    let sentences: Vec<String> = names.iter().filter_map(|name| of_micro(&analysis.micro, name)).collect();
    if sentences.is_empty() && !names.is_empty() {
        return vec![format!("The table of micro-measurements has the figures of {}.", names.join(", "))];
    }
    sentences
}

fn of_micro(all: &[MicroFigure], micro: &str) -> Option<String> {
    let ratios: Vec<&MicroFigure> = all.iter().filter(|one| one.micro == micro && one.compares_boards()).collect();
    let figures = distinct(ratios.iter().map(|one| one.figure.figure.as_str()));
    let of_figure = |name: &str| {
        let of_name: Vec<&MicroFigure> = ratios.iter().copied().filter(|one| one.figure.figure == name).collect();
        let boards = distinct(of_name.iter().filter_map(|one| one.board()));
        let words: Vec<String> = boards.iter().filter_map(|board| of_board(&of_name, board)).collect();
        format!("{name}: {}", listed(&words))
    };
    let words: Vec<String> = figures.iter().take(SPOKEN_OF).map(|name| of_figure(name)).collect();
    (!words.is_empty()).then(|| format!("Of micro-measurement {micro}, {}.", words.join("; ")))
}

/// `bitboards, rotated 0.98 (0.93 to 1.04 in 8 cases; published 1.17)`: the geometric mean, and the least and the
/// greatest. The published mean is of the same cases, or there is none.
fn of_board(figures: &[&MicroFigure], board: &str) -> Option<String> {
    let of_board = || figures.iter().filter(|one| one.board().as_deref() == Some(board));
    let ours: Vec<f64> = of_board().map(|one| one.mean.estimate).filter(|ratio| *ratio > 0.0).collect();
    let published: Vec<f64> = of_board().filter_map(|one| one.figure.published).filter(|ratio| *ratio > 0.0).collect();
    let least = ours.iter().copied().reduce(f64::min)?;
    let greatest = ours.iter().copied().reduce(f64::max)?;
    let mut about = Vec::new();
    if ours.len() > 1 {
        about.push(format!("{} to {} in {} cases", figure(least), figure(greatest), ours.len()));
    }
    let published = if published.len() == ours.len() { published } else { Vec::new() };
    about.extend(geometric_mean(&published).map(|published| format!("published {}", figure(published))));
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join("; ")) };
    Some(format!("{board} {}{about}", figure(geometric_mean(&ours)?)))
}

fn geometric_mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp())
}
