//! `curves.csv`: what a plot of curves needs, with the point at one processor in each.

use crate::report::Source;
use crate::report::analysis::{AgainstBaseline, Group};
use crate::report::question::File;
use crate::report::questions::rows::plies;
use crate::table::{Cell, Table, columns};

pub(super) const CURVES: File<Source> = File {
    name: "curves.csv",
    rows: "One row per point of a curve of time speedup, ready to be plotted: each curve begins with 1 on one \
           processor. There is no such file without speedups.",
    table: curves,
};

/// Point of a curve.
struct Point<'a> {
    curve: &'a str,
    group: &'a Group,
    /// Machine of the curve.
    ratios: AgainstBaseline,
}

fn curves(source: &Source) -> Table {
    let analysis = &source.analysis;
    let columns = columns! { Point<'_>, row;
        "curve": "what distinguishes the curve in this experiment" => row.curve;
        "machine": "real or virtual" => row.group.configuration.machine.name();
        "threads": "the number of processors" => row.group.configuration.threads;
        "depth": "depth to search to, in plies" => plies(&row.group.configuration);
        "time_speedup" [with_ends]: "how many times as fast as one processor" => row.ratios.time_speedup;
        "nodes_ratio" [with_ends]: "nodes relative to one processor" => row.ratios.nodes;
        "nps": "nodes a second" => Cell::whole(row.group.means.nps);
    };
    let rows = analysis.curves.iter().flat_map(|curve| {
        let groups = curve.groups.iter().map(|&place| &analysis.groups[place]);
        let has_speedup = groups.clone().any(|group| group.against_baseline.is_some());
        groups.filter(move |_| has_speedup).filter_map(move |group| {
            let itself = group.configuration.is_baseline().then_some(AgainstBaseline::ITSELF);
            Some(Point { curve: &curve.label, group, ratios: group.against_baseline.clone().or(itself)? })
        })
    });
    columns.table("", "", rows)
}
