//! Micro-measurements of an experiment: the mean of each figure over repetitions, with an interval.

use crate::distinct::found_or_added;
use crate::record::{CellResult, Figure, Record, Unit};
use crate::statistics::{Contrast, Interval, Scope};

use super::scope::Holds;

/// End of the names of figures that are ratios to the mailbox.
const TO_MAILBOX: &str = "to mailbox's";

/// Figure of a micro-measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct MicroFigure {
    /// Name of the micro-measurement.
    pub micro: String,
    /// The figure as it was measured first: circumstance, board, name, unit, published value and its source.
    pub figure: Figure,
    /// Number of repetitions.
    pub runs: usize,
    /// Mean over repetitions, with an interval over them; with that of the measurement itself if it was not repeated.
    pub mean: Interval,
}

impl MicroFigure {
    /// Whether the figure is the ratio of a time on a board to that on the mailbox.
    pub fn compares_boards(&self) -> bool {
        self.figure.unit == Unit::Ratio && self.figure.board.is_some() && self.figure.figure.ends_with(TO_MAILBOX)
    }

    /// Board in words: `bitboards, magic`; nothing if the figure is not of a board.
    pub fn board(&self) -> Option<String> {
        let board = self.figure.board.as_ref()?;
        Some(self.figure.sliders.as_ref().map_or_else(|| board.clone(), |sliders| format!("{board}, {sliders}")))
    }

    /// Ratio of the mean to the published value.
    pub fn over_published(&self) -> Option<Interval> {
        let published = self.figure.published.filter(|published| *published > 0.0)?;
        Some(self.mean.map(|value| value / published))
    }
}

/// Figures of all records of micro-measurements, in the order in which they were measured.
pub(super) fn figures(records: &[Record]) -> Vec<MicroFigure> {
    // Whatever positions stand for in searches, here repetitions are all that varies.
    let holds = Holds(Some(Scope::ThesePositions));
    let mut all: Vec<(&str, &Figure, Vec<&Figure>)> = Vec::new();
    let mut sorted: Vec<&Record> = records.iter().collect();
    sorted.sort_by_key(|record| (record.index, record.attempt));
    for record in sorted {
        let (CellResult::Micro(figures), Some(micro)) = (&record.result, &record.cell.configuration.micro) else {
            continue;
        };
        for figure in figures {
            let is_it = |(name, other, _): &(&str, &Figure, Vec<&Figure>)| {
                *name == micro.as_str()
                    && (&other.of, &other.figure, &other.board, &other.sliders)
                        == (&figure.of, &figure.figure, &figure.board, &figure.sliders)
            };
            found_or_added(&mut all, is_it, || (micro, figure, Vec::new())).2.push(figure);
        }
    }
    let mean = |runs: &[&Figure]| match runs {
        [one] => one.value(),
        _ => {
            let values: Vec<f64> = runs.iter().map(|run| run.estimate).collect();
            Contrast::paired(&[values]).map_or(Interval::unknown(f64::NAN), |contrast| holds.interval(&contrast))
        }
    };
    let figure = |(micro, figure, runs): (&str, &Figure, Vec<&Figure>)| MicroFigure {
        micro: micro.to_owned(),
        figure: figure.clone(),
        runs: runs.len(),
        mean: mean(&runs),
    };
    all.into_iter().map(figure).collect()
}
