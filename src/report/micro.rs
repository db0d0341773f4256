//! A micro-measurement as a page: what it says, a picture of ours beside what is published, and all figures.

use crate::charts::{self, ChartError, Files, Ratio, RatioChart, Sheet, ValueChart, Words};
use crate::page;
use crate::question::{About, File, Headline, Question, Subject};
use crate::sentence::Sentence;
use crate::statistics::Interval;
use crate::table::Table;

/// Rows beyond which no picture is drawn.
const MOST_ROWS: usize = 60;

/// For what, our ratio, and the published one.
pub type Beside = (String, Interval, Option<f64>);

/// Figures of a micro-measurement.
pub struct MicroFigures {
    /// Name of the measurement.
    pub name: String,
    /// What it measures, in sentences.
    pub about: String,
    /// Published tables beside it, in a sentence.
    pub source: String,
    /// What the figures say, if they are asked.
    pub verdict: Option<String>,
    /// Command that measures again.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// Ratios by the name of the figure.
    pub ratios: Vec<(String, Vec<Beside>)>,
    /// Unit of what is measured beside ratios, and the values.
    pub values: (String, Vec<(String, Interval)>),
    /// The table that is shown first.
    pub first: Table,
    /// All figures.
    pub all: Table,
}

impl MicroFigures {
    /// The page, as one file of HTML that needs no other.
    ///
    /// # Errors
    /// If a chart cannot be drawn.
    pub fn page(&self) -> Result<String, ChartError> {
        Ok(page::page(self, &self.headline(), &charts::draw(self, Files::default())?, None))
    }

    /// What the figures say, or what was measured.
    fn answer(&self) -> Sentence {
        Sentence::described(self.verdict.clone().unwrap_or_else(|| self.about.clone()))
    }
}

impl Subject for MicroFigures {
    const QUESTIONS: &'static [Question<Self>] = &[PUBLISHED, VALUES, ALL];
    const FILES: &'static [File<Self>] = &[];

    fn about(&self) -> About<'_> {
        About {
            title: &self.name,
            // Without a verdict it is what stands in its place.
            question: if self.verdict.is_some() { &self.about } else { "" },
            command: &self.command,
            version: &self.version,
            opened: &["all"],
            ..About::default()
        }
    }

    fn headline(&self) -> Headline {
        Headline { verdict: self.answer(), table: self.first.clone(), ..Headline::default() }
    }
}

const PUBLISHED: Question<MicroFigures> = Question {
    key: "published",
    title: "What is published?",
    reading: "Ratios of ours have intervals of 95 %, over batches; what is published has none.",
    sentence: |one| (!one.ratios.is_empty()).then(|| Sentence::described(one.source.clone())),
    charts: &[("ratios", "ours beside what is published", ratios)],
    ..Question::PLAIN
};

const VALUES: Question<MicroFigures> = Question {
    key: "values",
    title: "What was measured?",
    sentence: |one| {
        let (unit, values) = &one.values;
        (!values.is_empty()).then(|| Sentence::described(format!("In {unit}, with intervals of 95 % over batches.")))
    },
    charts: &[("values", "what was measured", values)],
    ..Question::PLAIN
};

const ALL: Question<MicroFigures> = Question {
    key: "all",
    title: "What are all the figures?",
    reading: "Times depend on the computer and on whatever else runs on it; quote ratios.",
    sentence: |one| Some(Sentence::described(one.source.clone())),
    table: |one| one.all.clone(),
    ..Question::PLAIN
};

fn ratios(one: &MicroFigures) -> Option<Sheet> {
    let rows: usize = one.ratios.iter().map(|(_, rows)| rows.len()).sum();
    if rows > MOST_ROWS {
        return None;
    }
    let panel = |(title, rows): &(String, Vec<Beside>)| {
        let both = |(name, ours, published): &Beside| {
            let published = published.map(|ratio| (name.clone(), 1, Interval::unknown(ratio)));
            [Some((name.clone(), 0, *ours)), published].into_iter().flatten().collect::<Vec<Ratio>>()
        };
        (title.clone(), rows.iter().flat_map(both).collect())
    };
    RatioChart {
        title: "Ours, and what is published",
        subtitle: one.name.clone(),
        caption: "A point to the right of the line takes more of what the figure measures than its reference.",
        bars: "Bars: 95 % intervals over batches; what is published has none.",
        axis: "ratio",
        kinds: &["ours", "published"],
        panels: one.ratios.iter().map(panel).collect(),
        ..RatioChart::default()
    }
    .sheet()
}

fn values(one: &MicroFigures) -> Option<Sheet> {
    let (_, values) = &one.values;
    if values.len() > MOST_ROWS {
        return None;
    }
    let words = Words {
        title: "What was measured",
        subtitle: one.name.clone(),
        caption: "A point for each figure.".to_owned(),
        notes: vec!["Bars: 95 % intervals over batches.".to_owned()],
        ..Words::default()
    };
    ValueChart { words, axis: "value", neutral: None, rows: values.clone() }.sheet()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Columns;

    #[test]
    fn a_page_has_ours_beside_what_is_published() {
        let interval = |estimate: f64| Interval { estimate, low: estimate * 0.95, high: estimate * 1.05 };
        let columns = Columns::new().with("board", "", |row: &(&str, f64)| row.0).with("ns", "", |row| row.1);
        let table = columns.table("", "", [("magic", 40.0), ("mailbox", 50.0)]);
        let figures = MicroFigures {
            name: "make-unmake".to_owned(),
            about: "Making and taking back all moves.".to_owned(),
            source: "Published: Reul 2009, table 2.1.".to_owned(),
            verdict: None,
            command: "splitpoint micro make-unmake".to_owned(),
            version: "1".to_owned(),
            ratios: vec![(String::new(), vec![("magic".to_owned(), interval(0.8), Some(0.7))])],
            values: ("ns".to_owned(), vec![("magic".to_owned(), interval(40.0))]),
            first: table.clone(),
            all: table,
        };
        let page = figures.page().unwrap();
        for part in ["Reul 2009", "published", "magic", "<svg", "mailbox"] {
            assert!(page.contains(part), "{part}");
        }
        assert!(page.matches("<figure").count() == 2, "a picture of the ratios and one of the values");
    }
}
