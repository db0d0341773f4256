//! `curves.csv`: what a plot of curves needs, with the point at one processor in each.

use crate::Source;
use crate::analysis::{AgainstBaseline, Group};
use crate::figures::register::NPS;
use crate::question::File;
use crate::questions::rows::plies;
use crate::questions::thesis::share;
use crate::record::axes::{BOARD, SLIDERS, STRATEGY};
use crate::table::{Table, columns};

pub(super) const CURVES: File<Source> = File {
    name: "curves.csv",
    rows: "One row per point of a curve of time speedup, ready to be plotted: each curve begins with 1 on one \
           processor. There is no such file without speedups.",
    table: curves,
};

/// Label of the curve, a group on it, and its ratios.
type Point<'a> = (&'a str, &'a Group, AgainstBaseline);

fn curves(source: &Source) -> Table {
    let analysis = &source.analysis;
    let columns = columns! { Point<'_>, row;
        "curve": "what distinguishes the curve in this experiment" => row.0;
        "machine": "real or virtual" => row.1.configuration.machine.name();
        "threads": "the number of processors" => row.1.configuration.threads;
        "strategy": STRATEGY.meaning => STRATEGY.text(&row.1.configuration);
        "board": BOARD.meaning => BOARD.text(&row.1.configuration);
        "sliders": SLIDERS.meaning => SLIDERS.text(&row.1.configuration);
        "depth": "depth to search to, in plies" => plies(&row.1.configuration);
        "time_speedup" [with_ends]: "how many times as fast as one processor" => row.2.time_speedup;
        "time_speedup_best_schedule" [with_ends]:
            "how many times as fast as one processor that leaves out iterations too, by the best of the schedules that \
             are declared; empty for strategies that leave out none" =>
            row.2.best_schedule.as_ref().map(|best| best.time_speedup);
        "best_schedule": "plies from one iteration to the next by that schedule" =>
            row.2.best_schedule.as_ref().map(|best| best.step);
        "nodes_ratio" [with_ends]: "nodes relative to one processor" => row.2.nodes;
        "nps": NPS.meaning => NPS.cell(row.1.means.get(&NPS));
        "thesis_nps" [with_ends]: "nodes per second, with nodes counted as the thesis counts them" => row.1.thesis.nps;
        "thesis_hash_share" [with_ends]: "hash hits by the thesis's formula" => share(row.1.thesis.hash_pct);
        "thesis_order_share" [with_ends]: "move ordering by the thesis's formula" => share(row.1.thesis.order_pct);
    };
    let rows = analysis.curves.iter().flat_map(|curve| {
        let groups = curve.groups.iter().map(|&place| &analysis.groups[place]);
        let has_speedup = groups.clone().any(|group| group.against_baseline.is_some());
        groups.filter(move |_| has_speedup).filter_map(move |group| {
            let itself = group.configuration.is_baseline().then_some(AgainstBaseline::ITSELF);
            Some((curve.label.as_str(), group, group.against_baseline.clone().or(itself)?))
        })
    });
    columns.table("", "", rows)
}
