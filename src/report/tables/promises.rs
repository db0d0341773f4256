//! The table of precision: what the plan promised before it was run, and what came.

use std::collections::HashMap;

use crate::record::{Configuration, MachineKind, Promise};
use crate::report::analysis::{Analysis, Group};
use crate::statistics::{Interval, median};
use crate::table::{Cell, Columns, Table};

use super::shown::{marked, title};

/// A promise beside the half-widths that came, relative to their estimates: those of the members with an interval.
struct Kept<'a> {
    promise: &'a Promise,
    promised: Option<f64>,
    came: Vec<f64>,
    runs: usize,
}

/// Half-widths of the intervals of time speedups that were promised, beside those that came.
pub(crate) fn promises(analysis: &Analysis, machine: MachineKind) -> Table {
    let kind = analysis.description.interval;
    let explanation = format!(
        "Half-widths of the intervals of time speedups for {kind}, in % of the speedup: predicted when the run began, \
         from the variation of earlier times, and reached. Where the interval is wider than predicted, times varied \
         more than the earlier ones, or runs are missing; where it is narrower, they varied less, or runs or positions \
         were added."
    );
    let groups: HashMap<&Configuration, &Group> =
        analysis.groups.iter().map(|group| (&group.configuration, group)).collect();
    let kept = |promise: &'_ Promise| {
        let members = || promise.members.iter().filter_map(|member| groups.get(member));
        let speedups = members().filter_map(|group| Some(group.against_baseline.as_ref()?.time_speedup));
        let half = |speedup: Interval| speedup.is_known().then(|| speedup.high / speedup.estimate - 1.0);
        (speedups.filter_map(half).collect::<Vec<f64>>(), members().map(|group| group.runs).sum::<usize>())
    };
    let rows = analysis.description.promises.iter().filter(|promise| promise.machine == machine).map(|promise| {
        let (came, runs) = kept(promise);
        Kept { promise, promised: promise.half_width(kind), came, runs }
    });
    let processors = |row: &Kept<'_>| {
        let threads = || row.promise.members.iter().map(|member| member.threads);
        let (least, most) = (threads().min().unwrap_or(1), threads().max().unwrap_or(1));
        if least == most { least.to_string() } else { format!("{least} to {most}") }
    };
    let columns = Columns::new()
        .with("Strategy", "", move |row: &Kept<'_>| marked(&row.promise.strategy, machine))
        .with("CPUs", "", move |row| Cell::word(&processors(row)))
        .with("Searches", "Number of runs that count, of all these configurations", |row| row.runs)
        .with("Predicted", "Expected half-width, in %", |row| Cell::share(row.promised))
        .with("Reached", "Median half-width of these configurations, in %", |row| Cell::share(median(&row.came)))
        .with("Widest", "Largest half-width of these configurations, in %", |row| {
            Cell::share(row.came.iter().copied().reduce(f64::max))
        })
        .with("Predicted from", "Records from which the half-width was predicted", |row| row.promise.source.as_str());
    columns.table(title(analysis, machine, "Precision: predicted and reached"), &explanation, rows)
}
