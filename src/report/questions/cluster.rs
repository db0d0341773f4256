//! Does a search gain from several nodes? Speedups over one node, by what the nodes exchange and the latency of their
//! network, beside as many processors in one box.

use crate::Source;
use crate::analysis::on_nodes::in_words;
use crate::analysis::{Analysis, OnNodes};
use crate::charts::figures::cluster as charts;
use crate::charts::figures::cluster::Sweep;
use crate::distinct::distinct;
use crate::figures;
use crate::sentence::Sentence;
use crate::table::number::{interval, listed};
use crate::table::{Cell, Columns, Table, columns};

use super::Question;
use super::by_model;
use super::rows::{Row, shown};

pub(super) const CLUSTER: Question<Source> = Question {
    key: "cluster",
    title: "Does a search gain from several nodes?",
    reading: "Time on one node relative to the time on several, each with as many processors and a memory of its own; \
              nodes of the tree and nodes a second relative to those of one node; and time of as many processors in \
              one box relative to theirs. Geometric means over positions, each interval for one ratio alone. Letters \
              and entries: arithmetic means over searches.",
    sentence: |source| verdict(&source.analysis),
    charts: &[("latency", "time speedup over one node by the latency of the network", charts::latency)],
    columns: Some(columns),
    table: for_readers,
    ..Question::PLAIN
};

/// Speedups of the largest number of nodes by their network and what they exchange, and up to which latency each
/// exchange gains.
pub(crate) fn verdict(analysis: &Analysis) -> Option<Sentence> {
    let sweeps = Sweep::of_all(analysis);
    let is_swept = |one: &OnNodes| sweeps.iter().any(|sweep| sweep.has(one));
    let plain = || analysis.on_nodes.iter().filter(|one| !is_swept(one));
    let most = plain().map(|one| one.cluster.nodes).max();
    let of_most: Vec<&OnNodes> = plain().filter(|one| Some(one.cluster.nodes) == most).collect();
    let kind = |one: &OnNodes| (one.cluster.size, one.cluster.network.clone());
    let sentences = distinct(of_most.iter().map(|one| kind(one))).into_iter().map(|(size, network)| {
        let alike = of_most.iter().filter(|one| kind(one) == (size, network.clone()));
        let speedup = |one: &&OnNodes| format!("{} with {}", interval(&one.speedup), one.cluster.exchange_in_words());
        let speedups: Vec<String> = alike.map(speedup).collect();
        let over = network.as_ref().map(|network| format!(" over {network}")).unwrap_or_default();
        let nodes = most.unwrap_or_default();
        let words = format!(
            "The time speedup of {nodes} nodes of {size}{over} over one node is {}{}.",
            listed(&speedups),
            by_model(&analysis.groups[of_most[0].group].configuration)
        );
        Sentence::stated(words, &analysis.on_nodes)
    });
    let bearing = sweeps.iter().map(|sweep| Sentence::stated(of_sweep(analysis, sweep), &analysis.on_nodes));
    Sentence::all(sentences.chain(bearing))
}

/// Latencies at which each exchange is shown to gain, and those at which it is shown to lose.
fn of_sweep(analysis: &Analysis, sweep: &Sweep<'_>) -> String {
    let lines: Vec<String> = sweep
        .lines()
        .into_iter()
        .map(|(exchange, points)| {
            let [gains, loses] = [
                points.iter().map(|(_, one)| one.speedup.low > 1.0).collect::<Vec<_>>(),
                points.iter().map(|(_, one)| one.speedup.high < 1.0).collect(),
            ];
            let at = |are: &[bool]| -> Vec<String> {
                let chosen = points.iter().zip(are).filter(|(_, is)| **is);
                chosen.map(|((latency_ns, _), _)| in_words(*latency_ns)).collect()
            };
            let gains = match at(&gains).as_slice() {
                [] => "is shown to gain at none of them".to_owned(),
                all if all.len() == points.len() => "gains at all of them".to_owned(),
                [only] => format!("gains at {only} only"),
                // All up to one.
                [.., last] if gains.is_sorted_by(|one, next| one >= next) => format!("gains up to {last}"),
                some => format!("gains at {}", listed(some)),
            };
            let loses = match at(&loses).as_slice() {
                [] => String::new(),
                all if all.len() == points.len() => " and loses at all".to_owned(),
                // All from one on.
                [first, ..] if loses.is_sorted() => format!(" and loses from {first} on"),
                some => format!(" and loses at {}", listed(some)),
            };
            format!("{exchange} {gains}{loses}")
        })
        .collect();
    let first = sweep.members[0];
    let latencies = sweep.latencies();
    let [least, most] = [latencies.first(), latencies.last()].map(|one| in_words(*one.unwrap_or(&0)));
    let by_model = by_model(&analysis.groups[first.group].configuration);
    format!(
        "At latencies from {least} to {most}, {} beside one node, each interval by itself: {}{by_model}.",
        first.cluster.in_words(),
        lines.join("; ")
    )
}

fn columns(source: &Source) -> Columns<'_, Row<'_>> {
    let analysis = &source.analysis;
    let beside = columns! { Row<'_>, row;
        "on_nodes": "number of nodes of the virtual machine" => of_row(analysis, row).map(|one| one.cluster.nodes);
        "processors_per_node": "number of processors of each" => of_row(analysis, row).map(|one| one.cluster.size);
        "exchange": "what the nodes exchange" => of_row(analysis, row).map(|one| Cell::word(&one.cluster.exchange));
        "network": "name of their network" => of_row(analysis, row).and_then(|one| one.cluster.network.clone());
        "latency_ns": "latency of the network in nanoseconds, if it is given by itself" =>
            of_row(analysis, row).and_then(|one| one.cluster.latency_ns);
        "speedup_of_nodes" as "Speedup over one node" [with_ends]: "time on one node relative to the time on all" =>
            of_row(analysis, row).map(|one| one.speedup);
        "tree_of_nodes" as "Tree" [with_ends]: "nodes of the tree relative to those on one node" =>
            of_row(analysis, row).map(|one| one.tree);
        "rate_of_nodes" as "Rate" [with_ends]: "nodes a second relative to those on one node" =>
            of_row(analysis, row).map(|one| one.rate);
        "speedup_of_box" as "Over one box" [with_ends]:
            "time of as many processors in one box relative to the time on all nodes" =>
            of_row(analysis, row).and_then(|one| one.of_box);
    };
    beside.and(figures::columns("cluster"))
}

/// The search of a row beside one node, if it is on several.
fn of_row<'a>(analysis: &'a Analysis, row: &Row<'_>) -> Option<&'a OnNodes> {
    analysis.on_nodes.iter().find(|one| one.group == row.place)
}

fn for_readers(source: &Source) -> Table {
    let analysis = &source.analysis;
    let rows = shown(analysis).into_iter().filter(|row| of_row(analysis, row).is_some());
    let first = columns! { Row<'_>, row;
        "label" as "Nodes": "the nodes, what they exchange and their network" => label(analysis, row);
    };
    first.and(columns(source).for_readers()).table("", "", rows).without_empty_columns()
}

/// The nodes of a row, what they exchange and their network.
fn label(analysis: &Analysis, row: &Row<'_>) -> String {
    let words = |one: &OnNodes| format!("{}, {}", one.cluster.in_words(), one.cluster.exchange_and_network());
    of_row(analysis, row).map(words).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::samples;

    #[test]
    fn it_is_said_up_to_which_latency_an_exchange_gains() {
        let source = Source::of(samples::nodes());
        let words = verdict(&source.analysis).unwrap().to_string();
        let (first, sweep) = words.split_once(" At latencies").unwrap();
        // Times are 600 to 620 s and 400 to 420 s.
        assert!(first.starts_with("The time speedup of 2 nodes of 2 over 10gbe over one node is 1.48"), "{first}");
        assert!(first.ends_with("with no exchange, by the model."), "{first}");
        let expected = " from 0 to 30 us, 4 nodes of 2 beside one node, each interval by itself: push gains at all of \
                        them; home gains at 0 only and loses from 30 us on, by the model.";
        assert_eq!(sweep, expected);
        assert!(charts::latency(&source).is_some());
    }

    #[test]
    fn rows_say_what_the_nodes_are() {
        let source = Source::of(samples::nodes());
        let table = for_readers(&source);
        assert_eq!(table.rows.len(), 7);
        let text = format!("{:?}", table.rows);
        for label in ["2 nodes of 2, no exchange, 10gbe", "4 nodes of 2, home, infiniband, latency 1.5 us"] {
            assert!(text.contains(label), "{text}");
        }
        // Without nodes there is no question.
        let others = Source::of(samples::mixed());
        assert!(verdict(&others.analysis).is_none() && for_readers(&others).rows.is_empty());
    }
}
