//! The thesis's figures, by its own definitions: arithmetic means over positions, and speedup as a ratio of nodes a
//! second.

use crate::Source;
use crate::analysis::{Group, ThesisColumns};
use crate::charts::figures::thesis as charts;
use crate::sentence::Sentence;
use crate::statistics::Interval;
use crate::table::{Cell, Columns, Table, columns, number};

use super::rows::{self, Row};
use super::{Question, processors};

pub(super) const THESIS: Question<Source> = Question {
    key: "thesis",
    title: "How do speed, tree, hash hits and move ordering change?",
    reading: "Arithmetic means over positions, by the thesis's definitions. Its speedup is a ratio of nodes per \
              second, not of times; hash, order and quiescence are by its formulas. Charts, in its order: NPS speedup, \
              search speed, nodes, tree size, time, hash hits, move ordering, quiescence.",
    sentence,
    charts: &[
        ("search-speed", "nodes per second by the thesis's definition, with the published curves", |source| {
            charts::SEARCH_SPEED.chart(source)
        }),
        ("search-speed-trend", "the same without points below one on fewer processors", |source| {
            charts::SEARCH_SPEED_TREND.chart(source)
        }),
        ("speedup", "NPS speedup: what the thesis calls speedup", |source| charts::NPS_SPEEDUP.chart(source)),
        ("tree-size", "nodes relative to one processor", |source| charts::TREE_SIZE.chart(source)),
        ("nodes", "nodes by the thesis's definition", |source| charts::NODES.chart(source)),
        ("time", "search time by the thesis's definition", |source| charts::TIME.chart(source)),
        ("hash", "hash hits by the thesis's formula", |source| charts::HASH.chart(source)),
        ("order", "move ordering by the thesis's formula", |source| charts::ORDER.chart(source)),
        ("quiescence", "share of quiescence nodes by the thesis's formula", |source| charts::QUIESCENCE.chart(source)),
    ],
    most_charts: usize::MAX,
    columns: Some(columns),
    table,
    ..Question::PLAIN
};

fn sentence(source: &Source) -> Option<Sentence> {
    let analysis = &source.analysis;
    let several = analysis.groups.iter().filter(|group: &&Group| group.thesis.nps_speedup.is_some());
    let group = several.max_by_key(|group| group.configuration.threads).filter(|one| one.configuration.threads > 1)?;
    Some(Sentence::described(format!(
        "{} on {}: {} times the nodes a second of one processor, {} times the nodes.",
        group.label,
        processors(&group.configuration),
        number::interval(&group.thesis.nps_speedup?),
        group.thesis.nodes_ratio.map_or(number::NOTHING.to_owned(), |ratio| number::interval(&ratio))
    )))
}

/// Figure in hundredths as a share of one.
pub(crate) fn share(hundredths: Option<Interval>) -> Option<Interval> {
    hundredths.map(|interval| interval.map(|hundredths| hundredths / 100.0))
}

fn columns(_: &Source) -> Columns<'_, Row<'_>> {
    let estimate = |column: Option<Interval>| column.map(|interval| interval.estimate);
    let columns = columns! { ThesisColumns, figures;
        "thesis_nps" as "Nodes a second": "nodes per second, with nodes counted as the thesis counts them" =>
            estimate(figures.nps).map(Cell::whole);
        "thesis_nps_speedup" as "NPS speedup":
            "thesis_nps / that of the baseline: a ratio of throughputs, not of times" => estimate(figures.nps_speedup);
        "thesis_nodes" as "Nodes": "nodes as the thesis counts them: quiescence moves when tried" =>
            estimate(figures.nodes).map(Cell::whole);
        "time_s" as "Time, s": "seconds of the machine" => estimate(figures.time_s);
        "thesis_hash_share" as "Hash, %": "hash hits by the thesis's \
                                           formula" => Cell::share(estimate(share(figures.hash_pct)));
        "thesis_order_share" as "Order, %":
            "move ordering by the thesis's formula" => Cell::share(estimate(share(figures.order_pct)));
        "thesis_qn_share" as "Quiescence, %": "share of quiescence by the thesis's formula" =>
            Cell::share(estimate(share(figures.qn_pct)));
    };
    let intervals = Columns::new()
        .ends("thesis_nps", |figures: &ThesisColumns| figures.nps)
        .ends("thesis_nps_speedup", |figures| figures.nps_speedup)
        .ends("thesis_nodes", |figures| figures.nodes)
        .with("thesis_nodes_ratio", "mean thesis_nodes / those of the baseline", |figures| figures.nodes_ratio)
        .with_ends()
        .ends("time_s", |figures| figures.time_s)
        .with("ratio_of_sums", "mean time_s of the baseline / mean time_s: a time speedup", |figures| {
            figures.time_speedup
        })
        .with_ends()
        .ends("thesis_hash_share", |figures| share(figures.hash_pct))
        .ends("thesis_order_share", |figures| share(figures.order_pct))
        .ends("thesis_qn_share", |figures| share(figures.qn_pct));
    columns.and(intervals).of(|row: &Row<'_>| Some(&row.group.thesis))
}

/// Our figures, and above the published ones of as many processors where our curve is the thesis's program.
fn table(source: &Source) -> Table {
    let analysis = &source.analysis;
    let rows =
        rows::shown(analysis).into_iter().filter(|row| row.group.runs > 0 && !row.group.configuration.is_outside());
    let columns = rows::first(analysis).and(columns(source).for_readers());
    columns.table("", "", rows).without_empty_columns()
}
