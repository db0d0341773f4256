//! Contributions of computers side by side: what the virtual machine predicts beside what was measured, with its error.

use crate::charts::{self, ChartError, Files, RatioChart, Sheet};
use crate::question::{About, File, Headline, Question, Subject};
use crate::record::contribution::{BoardTime, Contribution, Part, Point};
use crate::sentence::Sentence;
use crate::statistics::Interval;
use crate::table::number::{counted, figure, interval, percent};
use crate::table::{Cell, Columns, Table};
use crate::{page, terminal};

/// Contributions, one for each computer.
pub struct Contributions(pub Vec<Contribution>);

impl Contributions {
    /// The page, as one file of HTML that needs no other.
    ///
    /// # Errors
    /// If a chart cannot be drawn.
    pub fn page(&self) -> Result<String, ChartError> {
        Ok(page::page(self, &self.headline(), &charts::draw(self, Files::default())?, None))
    }

    /// All questions with their answers and tables, for a terminal.
    pub fn text(&self) -> String {
        terminal::questions(self)
    }

    fn parts(&self) -> impl Iterator<Item = (&Contribution, &Part)> {
        self.0.iter().flat_map(|one| one.parts.iter().map(move |part| (one, part)))
    }

    fn points(&self) -> impl Iterator<Item = Row<'_>> {
        self.parts().flat_map(|(one, part)| part.points.iter().map(move |point| (one, part, point)))
    }
}

/// Speedup with the features and the computer that it belongs to.
type Row<'a> = (&'a Contribution, &'a Part, &'a Point);

impl Subject for Contributions {
    const QUESTIONS: &'static [Question<Self>] = &[PREDICTIONS, BOARDS, COSTS, COMPUTERS];
    const FILES: &'static [File<Self>] = &[];

    fn about(&self) -> About<'_> {
        About {
            title: "What computers contribute",
            question: "Does the virtual machine predict how a search scales on other computers?",
            version: self.0.first().map_or("", |one| &one.session.version),
            opened: &["predictions"],
            ..About::default()
        }
    }

    fn headline(&self) -> Headline {
        Headline { verdict: sentence(self), table: predictions(self), ..Headline::default() }
    }
}

const PREDICTIONS: Question<Contributions> = Question {
    key: "predictions",
    title: "Do predicted speedups come true?",
    reading: "Each computer searches the same positions with the same seeds on its own processors, and on virtual ones \
              with its own costs, which are fitted to other searches on it. Error: predicted by measured time speedup, \
              less 1, with an interval of 95 % for positions like these; above 0 the prediction is too optimistic.",
    sentence: |all| Some(sentence(all)),
    charts: &[("predictions", "predicted / measured time speedup", chart)],
    table: predictions,
    ..Question::PLAIN
};

const BOARDS: Question<Contributions> = Question {
    key: "boards",
    title: "What does a node take on each board?",
    reading: "Sequential searches of the same trees; the least time of several runs counts. Ratio: by the first board, \
              with an interval of 95 % for positions like these.",
    sentence: |all| {
        let boards = all.0.iter().map(|one| one.boards.len()).max().filter(|count| *count > 0)?;
        let boards = counted(boards, "board", "boards");
        Some(Sentence::described(format!("{boards} on {}.", counted(all.0.len(), "computer", "computers"))))
    },
    table: |all| {
        let rows = all.0.iter().flat_map(|one| one.boards.iter().map(move |board| (one, board)));
        Columns::new()
            .with(
                "Computer",
                "Processor, and a hash of the computer's name",
                |(one, _): &(&Contribution, &BoardTime)| one.computer(),
            )
            .with("Board", "", |(_, board)| match &board.sliders {
                Some(sliders) => format!("{} ({sliders})", board.board),
                None => board.board.clone(),
            })
            .with("Node (ns)", "Time of a node: geometric mean over positions", |(_, board)| figure(board.node_ns))
            .with("Ratio", "By the time on the first board", |(_, board)| board.ratio)
            .table("", "", rows)
    },
    ..Question::PLAIN
};

const COSTS: Question<Contributions> = Question {
    key: "costs",
    title: "What do work and coordination cost there?",
    reading: "Nanoseconds of the cost model that was fitted to the computer, which predicts its speedups.",
    sentence: |all| {
        let models = counted(all.parts().count(), "cost model", "cost models");
        Some(Sentence::described(format!("{models}, one for each computer and set of features.")))
    },
    table: |all| {
        let rows = |(one, part)| prices(part).map(move |(name, price)| (one, part, name, price));
        Columns::new()
            .with("Computer", "", |row: &(&Contribution, &Part, String, u64)| row.0.computer())
            .with("Features", "", |row| row.1.features.clone())
            .with("Cost", "Name in the cost model", |row| row.2.clone())
            .with("Price", "Nanoseconds, thousandths or bytes, by its name", |row| row.3)
            .with("Basis", "Whether it was measured on this computer", |row| {
                if row.1.assumed.contains(&row.2) { "assumed" } else { "measured" }
            })
            .table("", "", all.parts().flat_map(rows))
    },
    ..Question::PLAIN
};

const COMPUTERS: Question<Contributions> = Question {
    key: "computers",
    title: "Which computers are these?",
    sentence: |all| Some(Sentence::described(format!("{}.", counted(all.0.len(), "computer", "computers")))),
    table: |all| {
        let of = |key: &'static str| {
            move |one: &&Contribution| match &one.session.host[key] {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.trim().to_owned(),
                value => value.to_string(),
            }
        };
        Columns::new()
            .with("Computer", "", |one: &&Contribution| one.computer())
            .with("CPUs", "Hardware threads", of("logical_cpus"))
            .with("Cores", "", of("cores"))
            .with("Kinds of cores", "The fastest first", of("core_kinds"))
            .with("L3 groups", "Groups of cores that share a last-level cache", of("l3_groups"))
            .with("NUMA nodes", "", of("numa_nodes"))
            .with("Virtual", "Whether it is a virtual computer", of("virtual_machine"))
            .with("Disturbed", "Share of its real searches that other programs disturbed", |one| {
                let [real, disturbed] = one
                    .parts
                    .iter()
                    .fold([0, 0], |sum: [usize; 2], part| [sum[0] + part.searches[0], sum[1] + part.searches[1]]);
                percent(disturbed as f64 / real.max(1) as f64)
            })
            .with("Version", "Splitpoint that measured", |one| one.session.version.clone())
            .with("Date", "", |one| one.session.started.clone())
            .table("", "", all.0.iter())
    },
    ..Question::PLAIN
};

/// Error of a prediction as a signed share.
fn error(ratio: Interval) -> Interval {
    ratio.map(|ratio| 100.0 * (ratio - 1.0))
}

/// Number of predictions that are shown to fail, with the farthest, and how much the intervals of the others leave
/// open.
fn sentence(all: &Contributions) -> Sentence {
    let rows: Vec<Row<'_>> = all.points().collect();
    if rows.is_empty() {
        return Sentence::described("No computer with several processors has contributed.");
    }
    let holds_one = |row: &Row<'_>| row.2.ratio.low <= 1.0 && row.2.ratio.high >= 1.0;
    let (open, failed): (Vec<Row<'_>>, Vec<Row<'_>>) = rows.iter().partition(|row| holds_one(row));
    let mut text = format!(
        "Of {} on {}, {} shown to differ from what was measured, each judged by its own interval",
        counted(rows.len(), "predicted speedup", "predicted speedups"),
        counted(all.0.len(), "computer", "computers"),
        match failed.len() {
            0 => "none is".to_owned(),
            1 => "1 is".to_owned(),
            many => format!("{many} are"),
        },
    );
    let far = |row: &&Row<'_>| row.2.ratio.estimate.ln().abs();
    if let Some((one, part, point)) = failed.iter().max_by(|one, other| far(one).total_cmp(&far(other))) {
        text += &format!(
            "; the farthest is {} of {} on {} processors of {}, off by {} %",
            point.strategy,
            part.features,
            point.threads,
            one.computer(),
            interval(&error(point.ratio))
        );
    }
    let bounds = open.iter().flat_map(|row| [row.2.ratio.low, row.2.ratio.high]);
    if let Some(widest) = bounds.map(|ratio| (ratio - 1.0).abs()).max_by(f64::total_cmp) {
        text += &format!("; the intervals of the others leave errors of up to {} open", percent(widest));
    }
    Sentence::described(text + ".")
}

fn predictions(all: &Contributions) -> Table {
    Columns::new()
        .with("Computer", "Processor, and a hash of the computer's name", |row: &Row<'_>| row.0.computer())
        .with("Features", "", |row| row.1.features.clone())
        .with("Strategy", "By which processors share a search", |row| row.2.strategy.clone())
        .with("Processors", "Processors", |row| row.2.threads)
        .with("Measured", "Time speedup on this computer", |row| row.2.measured)
        .with("Predicted", "Time speedup on virtual processors with its costs", |row| row.2.predicted)
        .with("Error (%)", "Predicted by measured, less 1", |row| Cell::from(interval(&error(row.2.ratio))))
        .with("Nodes measured", "Relative to one processor", |row| figure(row.2.nodes_measured.estimate))
        .with("Nodes predicted", "Likewise", |row| figure(row.2.nodes_predicted.estimate))
        .table("", "", all.points())
}

fn chart(all: &Contributions) -> Option<Sheet> {
    let panel = |(one, part): (&Contribution, &Part)| {
        let row = |point: &Point| (format!("{} on {}", point.strategy, point.threads), 0, point.ratio);
        (format!("{}, {}", one.computer(), part.features), part.points.iter().map(row).collect())
    };
    RatioChart {
        title: "Predicted / measured time speedup",
        subtitle: "each computer with its own costs, at positions that they were not fitted to".to_owned(),
        caption: "At 1, the virtual machine predicts the real time speedup; right of 1 it is too optimistic, left of 1 \
                  too pessimistic.",
        bars: "Bars: 95 % intervals for positions like these.",
        axis: "predicted / measured time speedup",
        kinds: &["time speedup"],
        panels: all.parts().map(panel).collect(),
        ..RatioChart::default()
    }
    .sheet()
}

/// Prices of the model of a computer that are not 0.
fn prices(part: &Part) -> impl Iterator<Item = (String, u64)> {
    let prices = part.model.as_object().into_iter().flatten();
    prices.filter_map(|(name, price)| Some((name.clone(), price.as_u64().filter(|price| *price > 0)?)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::record::Session;

    fn contribution(name: &str, ratio: Interval) -> Contribution {
        let point = Point {
            strategy: "ybwc".to_owned(),
            threads: 8,
            pairs: 24,
            measured: Interval { estimate: 5.0, low: 4.8, high: 5.2 },
            predicted: Interval { estimate: 5.5, low: 5.3, high: 5.7 },
            ratio,
            nodes_measured: ratio,
            nodes_predicted: ratio,
        };
        let part = Part {
            features: "modern".to_owned(),
            model: json!({ "split": 2100, "join": 0 }),
            assumed: vec!["split".to_owned()],
            searches: [100, 4],
            points: vec![point],
            ..Part::default()
        };
        let host = json!({ "name": name, "processor": "Some Processor", "cores": 8, "l3_groups": 1 });
        let board = BoardTime { board: "mailbox".to_owned(), sliders: None, node_ns: 500.0, ratio };
        Contribution::new(&Session { host, ..Session::default() }, vec![part], vec![board])
    }

    #[test]
    fn a_prediction_that_fails_is_named_with_its_error() {
        let off = Interval { estimate: 1.1, low: 1.05, high: 1.15 };
        let right = Interval { estimate: 0.98, low: 0.95, high: 1.01 };
        let all = Contributions(vec![contribution("one", off), contribution("two", right)]);
        // Without the breaks of lines.
        let text = all.text().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            text.contains("Of 2 predicted speedups on 2 computers, 1 is shown to differ from what was measured"),
            "{text}"
        );
        assert!(text.contains("ybwc of modern on 8 processors of Some Processor"), "{text}");
        assert!(text.contains("off by 10.0 (5.0 to 15.0) %"), "{text}");
        assert!(text.contains("the intervals of the others leave errors of up to 5.0 % open"), "{text}");
        let page = all.page().unwrap();
        for part in ["Do predicted speedups come true?", "mailbox", "assumed", "4.0 %"] {
            assert!(page.contains(part), "{part}");
        }
        assert!(Contributions(Vec::new()).text().contains("No computer"));
    }
}
