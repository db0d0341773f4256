//! Rows that several questions share: configurations, and their labels in tables for readers.

use crate::Source;
use crate::analysis::ruined::has_real_times;
use crate::analysis::{Analysis, Group};
use crate::record::axes::{CLUSTER_NODES, DEPTH, THREADS};
use crate::record::{AXES, Configuration, Depth, MachineKind};
use crate::state::is_ruined;
use crate::statistics::Interval;
use crate::table::{Cell, Columns, Table, columns};

/// Row of a configuration.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub place: usize,
    pub label: &'a str,
    pub group: &'a Group,
}

/// Configurations in tables for readers: curve by curve, then what is in no curve. A baseline that several curves begin
/// with stands once.
pub(crate) fn shown(analysis: &Analysis) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut push = |label, place: usize| {
        if !rows.iter().any(|row| row.place == place) {
            rows.push(Row { place, label, group: &analysis.groups[place] });
        }
    };
    for curve in &analysis.curves {
        curve.groups.iter().for_each(|&place| push(group_label(analysis, place, &curve.label), place));
    }
    // The runs of a factorial design are many and answer nothing one by one: they stand in summary.csv.
    let others = if analysis.effects.is_empty() { analysis.groups.as_slice() } else { &[] };
    others.iter().enumerate().for_each(|(place, group)| push(&group.label, place));
    rows.sort_by_key(|row| row.group.configuration.machine != MachineKind::Real);
    rows
}

/// Label of a group in its curve: a baseline is called by its own name.
fn group_label<'a>(analysis: &'a Analysis, place: usize, curve: &'a str) -> &'a str {
    let group = &analysis.groups[place];
    if group.configuration.is_baseline() { &group.label } else { curve }
}

/// First columns of tables of configurations.
pub(crate) fn first<'a>(analysis: &'a Analysis) -> Columns<'a, Row<'a>> {
    let is_real = analysis.groups.iter().all(|group| group.configuration.machine == MachineKind::Real);
    let is_ruined = is_ruined(analysis);
    let all = columns! { Row<'_>, row;
        "label" as "Configuration": "what distinguishes the configuration in this experiment" => {
            let mark = if is_ruined && has_real_times(row.group) { " (disturbed)" } else { "" };
            format!("{}{mark}", row.label)
        };
        "machine" as "Machine": "real, or virtual: in simulated time" => row.group.configuration.machine.name();
        "threads" as "Processors": "number of processors" => row.group.configuration.threads;
    };
    if is_real { all.only("label threads") } else { all }
}

/// Table for readers with a row for each configuration that has one.
pub(super) fn table<'a>(source: &'a Source, columns: Columns<'a, Row<'a>>, has_row: fn(&Group) -> bool) -> Table {
    let rows = shown(&source.analysis).into_iter().filter(|row| has_row(row.group));
    first(&source.analysis).and(columns.for_readers()).table("", "", rows).without_empty_columns()
}

/// First columns of `summary.csv`.
pub(crate) fn identity<'a>(groups: &[Group]) -> Columns<'a, Row<'a>> {
    let first = columns! { Row<'_>, row;
        "group": "the place of the configuration among all, from 0" => row.place;
        "label": "what distinguishes the configuration in this experiment, except its number of processors" =>
            row.label;
    };
    first.and(configured(
        |row: &Row<'_>| &row.group.configuration,
        |row| plies(&row.group.configuration),
        groups.iter().map(|group| &group.configuration),
    ))
}

/// Columns that say how a search was configured: one for each field of a configuration, and the rule of the depth.
/// `depth` is the plies that were asked for, where the row has one depth. Numbers of nodes have a column where one of
/// all these configurations is told.
pub(crate) fn configured<'a, 'b, R: 'a>(
    configuration: fn(&R) -> &Configuration,
    depth: fn(&R) -> Option<u32>,
    all: impl IntoIterator<Item = &'b Configuration>,
) -> Columns<'a, R> {
    // Without any configuration it is the documentation that asks.
    let mut all = all.into_iter().peekable();
    let has_nodes = all.peek().is_none() || all.any(|one| one.cluster_nodes.is_some());
    AXES.iter().filter(|axis| has_nodes || **axis != CLUSTER_NODES).fold(Columns::new(), |columns, axis| {
        let (column, meaning) = (axis.column(), axis.meaning);
        match () {
            () if *axis == THREADS => columns.with(column, meaning, move |row| configuration(row).threads),
            () if *axis == DEPTH => columns
                .with(column, meaning, depth)
                .with("depth_rule", DEPTH_RULE, move |row| depth_rule(configuration(row))),
            () => columns.with(column, meaning, move |row| axis.text(configuration(row))),
        }
    })
}

fn depth_rule(configuration: &Configuration) -> String {
    match configuration.depth {
        Depth::Plies(_) => "plies".to_owned(),
        Depth::Size(seconds) => format!("size {seconds} s"),
        rule => rule.to_string(),
    }
}

const DEPTH_RULE: &str = "plies (all positions to one depth), own (each to its own), size (each to the depth \
                          for which one processor takes about this long) or unlimited";

/// Plies to which all positions are searched, if they are.
pub(crate) fn plies(configuration: &Configuration) -> Option<u32> {
    if let Depth::Plies(plies) = configuration.depth { Some(plies) } else { None }
}

/// Name of the kind of interval that the experiment asks for, where there is one.
pub(crate) fn kind_of(analysis: &Analysis, interval: Interval) -> Option<&'static str> {
    interval.is_known().then(|| analysis.description.interval.name())
}

/// Number with one digit after the point.
pub(crate) fn tenths(value: f64) -> Cell {
    Cell::Number(value, crate::table::Digits::Decimals(1))
}

/// Share with its interval in hundredths.
pub(crate) fn percent(share: Option<Interval>) -> Option<Interval> {
    share.map(|interval| interval.map(|share| 100.0 * share))
}
