//! How much larger is the tree? Nodes relative to one processor, and why they were searched.

use crate::Source;
use crate::analysis::{AgainstBaseline, Analysis, AtDepth, AtIteration, Group};
use crate::charts::figures::{depths, processors};
use crate::figures::{self, register::NODES};
use crate::sentence::Sentence;
use crate::state::is_ruined;
use crate::table::{Columns, Table, columns, number};

use super::rows::{self, Row, kind_of};
use super::speedup::rows_ratios;
use super::{Question, is_shown, leaders};

pub(super) const TREE: Question<Source> = Question {
    key: "tree",
    title: "How much larger is the tree?",
    reading: "Nodes relative to one processor: geometric means over positions. Lost nodes count under the first cause \
              that applies, as shares of all nodes.",
    sentence,
    charts: &[
        ("overhead", "extra nodes, by cause of the work thrown away", processors::overhead),
        (
            "nodes-by-depth",
            "nodes and time of searches on one processor by depth, beside published ones",
            depths::nodes_by_depth,
        ),
        (
            "nodes-ratio",
            "nodes of searches on one processor relative to the reference, by depth",
            depths::nodes_ratio_by_depth,
        ),
        ("growth", "factor by which time grows with a ply, beside published ones", depths::growth_by_depth),
        ("minimal-tree", "leaves of the search for each of the minimal tree, by depth", depths::minimal_tree),
    ],
    columns: Some(columns),
    files: &[super::File {
        name: "depths.csv",
        rows: "One row per configuration and depth that all its runs reached. There is no such file if the records do \
               not say when each depth was reached.",
        table: depths,
    }],
    table: |source| rows::table(source, columns(source), |group| group.runs > 0),
    ..Question::PLAIN
};

fn sentence(source: &Source) -> Option<Sentence> {
    let leaders = leaders(&source.analysis);
    let Some(groups) = leaders.last() else { return of_one(&source.analysis) };
    let is_ruined = is_ruined(&source.analysis);
    let words = |group: &&Group| {
        let AgainstBaseline { nodes, factors, .. } = group.against_baseline.as_ref()?;
        nodes.estimate.is_finite().then(|| {
            let shown = match is_shown(factors.nodes.test) {
                true => "",
                false if nodes.low <= 1.0 && nodes.high >= 1.0 => ", not shown to differ from it",
                // Nothing is tested of searches that were disturbed, or too few.
                false if factors.nodes.test.is_none_or(|test| test.p() >= 1.0) => match is_ruined {
                    true => ", which is not tested, since searches were disturbed",
                    false => ", which is not tested",
                },
                // The interval is of this figure alone.
                false => ", not shown to differ from it when all tests are taken together",
            };
            format!("{} × {}{shown}", group.label, number::interval(nodes))
        })
    };
    let words: Vec<String> = groups.iter().filter_map(words).take(3).collect();
    let on = super::processors(&groups[0].configuration);
    let by: Vec<&AgainstBaseline> = groups.iter().filter_map(|group| group.against_baseline.as_ref()).collect();
    let sentence = || format!("Nodes relative to one processor, on {on}: {}.", words.join("; "));
    (!words.is_empty()).then(|| Sentence::stated(sentence(), &by))
}

/// Sentence on searches of one processor that nothing was divided by.
fn of_one(analysis: &Analysis) -> Option<Sentence> {
    let measured = analysis.groups.iter().filter(|group| group.runs > 0);
    let (group, nodes) = measured.filter_map(|group| Some((group, group.means.get(&NODES)?))).next()?;
    let nodes = number::in_words(nodes);
    Some(Sentence::described(format!("{} searched {nodes} nodes a position.", group.label)))
}

fn columns(_: &Source) -> Columns<'_, Row<'_>> {
    let ratios = columns! { AgainstBaseline, ratios;
        "nodes_ratio" as "Nodes, relative" [with_ends]: "nodes relative to the baseline: 1 + search overhead" =>
            ratios.nodes;
        "nodes_within_ratio" as "To the depth" [optional with_ends]:
            "nodes relative to the baseline, without those of iterations deeper than the depth asked for" =>
            ratios.ends.nodes_within;
    };
    ratios.of(rows_ratios).and(figures::columns("tree"))
}

/// Depth that a configuration reached on the way: its time speedup, or its searches on one processor.
struct Passed<'a> {
    place: usize,
    group: &'a Group,
    depth: u32,
    at: Option<&'a AtDepth>,
    iteration: Option<&'a AtIteration>,
}

fn depths(source: &Source) -> Table {
    let analysis = &source.analysis;
    let columns = columns! { Passed<'_>, row;
        "group": "the place of the configuration in summary.csv" => row.place;
        "label": "what distinguishes the configuration in this experiment" => row.group.label.clone();
        "machine": "real or virtual" => row.group.configuration.machine.name();
        "threads": "the number of processors" => row.group.configuration.threads;
        "depth_reached": "depth in plies" => row.depth;
        "time_speedup" [with_ends]: "time speedup to that depth" => row.at.map(|at| at.time_speedup);
        "nodes_to_depth" [with_ends]: "nodes of a search on one processor up to that depth: geometric mean" =>
            row.iteration.map(|at| at.nodes);
        "time_to_depth_s" [with_ends]: "seconds of the machine likewise" => row.iteration.map(|at| at.time_s);
        "time_growth" [with_ends]: "these seconds as a ratio to those up to the depth before" =>
            row.iteration.and_then(|at| at.growth);
        "leaves_over_minimum" [with_ends]: "over_minimum of a search on one processor up to that depth" =>
            row.iteration.and_then(|at| at.over_minimum);
        "interval": "positions for which the intervals hold; empty if there are none" =>
            row.at.map(|at| at.time_speedup).or(row.iteration.map(|at| at.nodes)).and_then(|it| kind_of(analysis, it));
    };
    let rows = analysis.groups.iter().enumerate().flat_map(|(place, group)| {
        let empty = move |depth| Passed { place, group, depth, at: None, iteration: None };
        let speedups = group.by_depth.iter().flat_map(|by_depth| &by_depth.depths);
        let speedups = speedups.map(move |at| Passed { at: Some(at), ..empty(at.depth) });
        let iterations = group.iterations.iter().map(move |at| Passed { iteration: Some(at), ..empty(at.depth) });
        speedups.chain(iterations)
    });
    columns.table("", "", rows)
}
