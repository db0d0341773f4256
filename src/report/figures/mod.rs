//! Figures of a search: what a run has alone, without anything beside it. Each is declared once, in the [`register`]:
//! its name, its meaning, how it is read off a run and how it is averaged. Columns of `runs.csv` and `summary.csv`,
//! tables, charts and the output of `search` are made of these declarations.
//!
//! Ratios to a baseline are no such figures: they have pairs, intervals and tests.

mod averages;
pub mod register;

pub use averages::Averages;

use crate::counts::{Activity, Loss, phrase};
use crate::questions::rows::Row;
use crate::record::Measured;
use crate::table::{Cell, Columns};

/// Figure of a search.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Name of its columns. Here, in the heading and in the meaning, `{}` stands for the member of a family.
    pub key: &'static str,
    /// Heading in tables for readers; empty for a figure that only files have.
    pub heading: &'static str,
    /// Meaning, as the guides to the columns say it.
    pub meaning: &'static str,
    /// Key of the question whose table has the figure; empty for a figure that no table has.
    pub question: &'static str,
    /// How it is read off a run.
    pub reading: Reading,
    /// Unit in which it is kept and shown.
    pub unit: Unit,
    /// Groups of which it is known.
    pub known: Known,
    /// Least mean that says something.
    pub least: f64,
    /// Whether it is a time or made of times, and so means nothing where others disturbed the searches.
    pub is_time: bool,
    /// Whether a terminal that is too narrow may go without it.
    pub is_optional: bool,
}

/// How a figure is read off a run.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    /// Number that the run has.
    Value(fn(&Measured) -> Option<f64>),
    /// Part of a whole, which are counts of the run.
    Part(fn(&Measured) -> Option<[u64; 2]>),
    /// Part of all processors' time that an activity takes.
    Activity(Activity),
    /// Part of all nodes that are lost to a cause.
    Loss(Loss),
    /// Mean of a figure by the mean of another; a run has none.
    OfMeans(&'static Figure, &'static Figure),
}

/// Unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Count, or a rate of counts.
    Whole,
    /// Number without a unit.
    Number,
    /// Share of one.
    Share,
    /// Share of one beside others that make up the whole with it.
    Portion,
    /// Share, whose mean is kept in hundredths, as tables show it; `summary.csv` has the share itself.
    Hundredths,
    /// Parts of a million.
    PerMillion,
    /// Seconds, of counts in nanoseconds.
    Seconds,
}

/// Groups of searches of which a figure is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// All that have runs with it.
    Always,
    /// Those of our engine.
    Ours,
    /// Those without searches that a limit cut off: where the long ones are missing, the others say nothing of all.
    Whole,
    /// Those with audit.
    Audited,
}

impl Figure {
    /// Name of its columns.
    pub fn name(&self) -> String {
        self.key.replace("{}", self.member().unwrap_or_default())
    }

    /// Heading in tables for readers.
    fn heading(&self) -> String {
        self.heading.replace("{}", &self.member().unwrap_or_default().replace('_', " "))
    }

    /// Meaning, as the guides to the columns say it.
    pub fn meaning(&self) -> String {
        let member = match self.reading {
            Reading::Activity(activity) => phrase(activity.meaning()),
            Reading::Loss(class) => phrase(class.meaning()),
            _ => String::new(),
        };
        self.meaning.replace("{}", &member)
    }

    /// Name of the member of a family that it is of.
    fn member(&self) -> Option<&'static str> {
        match self.reading {
            Reading::Activity(activity) => Some(activity.name()),
            Reading::Loss(class) => Some(class.name()),
            _ => None,
        }
    }

    fn is(&self, other: &Self) -> bool {
        self.key == other.key && self.member() == other.member()
    }

    /// The figure of a run, in its [`unit`](Self::unit).
    pub fn of_run(&self, run: &Measured) -> Option<f64> {
        match self.reading {
            Reading::Part(parts) => {
                let [part, whole] = parts(run)?;
                self.unit.of_parts(part, whole)
            }
            _ => self.averaged(run),
        }
    }

    /// The figure of a run as files have it: shares are shares of one.
    pub(crate) fn in_files(&self, run: &Measured) -> Option<f64> {
        self.of_run(run).map(|value| if self.unit == Unit::Hundredths { value / 100.0 } else { value })
    }

    /// What is averaged of a run: shares of counts without their unit, which multiplies the mean.
    fn averaged(&self, run: &Measured) -> Option<f64> {
        match self.reading {
            Reading::Value(value) => value(run),
            Reading::Part(parts) => parts(run).and_then(|[part, whole]| Unit::Share.of_parts(part, whole)),
            Reading::Activity(activity) => Unit::Share.of_parts(run.activities[activity], run.activities.total()),
            Reading::Loss(class) => {
                (run.nodes > 0).then_some(run.losses.total(class.name())? as f64 / run.nodes as f64)
            }
            Reading::OfMeans(..) => None,
        }
    }

    /// Cell with the figure of a run or of a group.
    pub fn cell(&self, value: Option<f64>) -> Cell {
        let number = value.unwrap_or(f64::NAN);
        match self.unit {
            // These stand in a table of several groups even where none has them.
            Unit::Whole => Cell::whole(number),
            Unit::Hundredths => Cell::share(number / 100.0),
            Unit::Portion => Cell::share(number),
            Unit::Share => Cell::share(value),
            Unit::Number | Unit::PerMillion | Unit::Seconds => value.into(),
        }
    }
}

impl Unit {
    /// Part of a whole in this unit. The order of the operations is seen in the last digit of a file.
    fn of_parts(self, part: u64, whole: u64) -> Option<f64> {
        let (part, over) = (part as f64, whole as f64);
        (whole > 0).then(|| match self {
            Self::Hundredths => 100.0 * part / over,
            Self::PerMillion => part / over * 1e6,
            Self::Seconds => 1e-9 * part / over,
            Self::Whole | Self::Number | Self::Share | Self::Portion => part / over,
        })
    }

    /// Mean of parts of a whole in this unit.
    fn of_mean(self, mean: f64) -> f64 {
        match self {
            Self::Hundredths => 100.0 * mean,
            Self::PerMillion => mean * 1e6,
            Self::Seconds => 1e-6 * (mean * 1e-3),
            Self::Whole | Self::Number | Self::Share | Self::Portion => mean,
        }
    }
}

/// Columns of `summary.csv` and of the table of a question: its figures, in the order of the register.
pub(crate) fn columns<'a>(question: &str) -> Columns<'a, Row<'a>> {
    let figures = register::all().filter(|figure| figure.question == question);
    figures.fold(Columns::new(), |columns, figure| {
        let cell = move |row: &Row<'_>| figure.cell(row.group.means.get(&figure));
        let columns = columns.with(figure.name(), &figure.meaning(), cell);
        let columns = if figure.heading.is_empty() { columns } else { columns.heading(figure.heading()) };
        if figure.is_optional { columns.optional() } else { columns }
    })
}

/// Columns of `runs.csv` with these figures.
pub(crate) fn of_runs(figures: &[Figure]) -> Columns<'static, Measured> {
    figures.iter().fold(Columns::new(), |columns, &figure| {
        columns.with(figure.name(), &figure.meaning(), move |run: &Measured| figure.cell(figure.of_run(run)))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::questions::QUESTIONS;

    #[test]
    fn every_figure_has_a_name_a_meaning_and_a_question_of_the_report() {
        let mut names = HashSet::new();
        for figure in register::all() {
            let (name, meaning) = (figure.name(), figure.meaning());
            assert!(names.insert(name.clone()), "{name} is declared twice");
            let words = [&name, &figure.heading(), &meaning];
            assert!(!meaning.is_empty() && !words.iter().any(|words| words.contains("{}")), "{words:?}");
            let key = figure.question;
            assert!(key.is_empty() || QUESTIONS.iter().any(|question| question.key == key), "{name}: {key}");
        }
    }
}
