//! Tables beside what is published: the columns of the thesis, and its figures beside ours.

use crate::record::{Configuration, Depth, MachineKind};
use crate::report::analysis::{Analysis, Curve, Explanation, FORETOLD, Group, Replicated, Replication, ThesisColumns};
use crate::report::published::THESIS_DEPTH;
use crate::statistics::Interval;
use crate::table::number::level;
use crate::table::{Columns, Table, columns};

use super::{changes, configurations, groups, intervals, marked, title};

/// The columns of the thesis.
pub(crate) fn thesis(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Arithmetic means over positions, by the thesis's definitions, without intervals. Speedup here is a ratio of \
         nodes per second, not of times. Times are in {}; hash, order and qn are in %.",
        machine.seconds()
    );
    let names =
        "thesis_nps thesis_nps_speedup thesis_nodes time_s thesis_hash_share thesis_order_share thesis_qn_share";
    configurations(analysis, machine, "Figures by the thesis's definitions", &explanation, names, |group| {
        group.runs > 0
    })
}

/// One curve in the columns of the thesis, beside the published rows of the same numbers of processors.
pub(crate) fn beside_published(analysis: &Analysis, curve: &Curve, published: &[(u32, ThesisColumns)]) -> Table {
    type Row<'a> = (&'a Group, Option<&'a ThesisColumns>);
    let row = |&at: &usize| {
        let group = &analysis.groups[at];
        (group, published.iter().find(|(cpus, _)| *cpus == group.configuration.threads).map(|(_, row)| row))
    };
    let cpus = Columns::new().with("CPUs", "", |(group, _): &Row<'_>| group.configuration.threads);
    let ours = groups::thesis().of(|(group, _): &Row<'_>| Some(&group.thesis));
    let columns = if published.is_empty() {
        cpus.and(ours)
    } else {
        let theirs = groups::thesis().of(|(_, theirs): &Row<'_>| *theirs);
        cpus.and(ours.under("ours")).with("|", "", |_| "|").and(theirs.under("published"))
    };
    columns.table(curve.label.as_str(), "", curve.groups.iter().map(row))
}

/// Curves of the printed program beside the published rows of as many processors, in ratios to one processor.
pub(crate) fn replications(analysis: &Analysis, machine: MachineKind) -> Table {
    type Row<'a> = (&'a Replication, &'a Replicated);
    let group = |row: &Row<'_>| &analysis.groups[row.1.group];
    let explanation = format!(
        "Relative to one processor, as the thesis defines its figures: ratios of arithmetic means over positions, ours \
         with {}. The thesis searched its ten positions once, to depth {THESIS_DEPTH}.",
        intervals(analysis)
    );
    let curve = move |row: &Row<'_>| {
        let Configuration { depth, costs, .. } = &group(row).configuration;
        let plies = match depth {
            Depth::Plies(plies) => format!(", depth {plies}"),
            _ => String::new(),
        };
        let costs = costs.as_ref().map(|costs| format!(", {costs}")).unwrap_or_default();
        let label = marked(&analysis.curves[row.0.curve].label, machine);
        format!("{label}{plies}{costs}; published: Rasmussen 2004, {}, depth {THESIS_DEPTH}", row.0.computer)
    };
    let first = Columns::new().with("Curve", "", curve).with("CPUs", "", move |row| group(row).configuration.threads);
    let ratios = |of: fn(&ThesisColumns) -> Option<Interval>, row: &ThesisColumns| of(row);
    let ours = columns! { ThesisColumns, row;
        "Time speedup": "mean time of one processor / mean time" => ratios(|of| of.time_speedup, row);
        "Nodes": "mean nodes / mean nodes of one processor" => ratios(|of| of.nodes_ratio, row);
        "NPS": "mean nodes per second / those of one processor" => ratios(|of| of.nps_speedup, row);
    };
    let estimate = |interval: Option<Interval>| interval.map(|interval| interval.estimate);
    let theirs = columns! { ThesisColumns, row;
        "time": "published time speedup" => estimate(row.time_speedup);
        "nodes": "published nodes, relative to one processor" => estimate(row.nodes_ratio);
        "nps": "published nodes per second, relative to one processor" => estimate(row.nps_speedup);
    };
    let ours = ours.under("ours").of(move |row: &Row<'_>| Some(&analysis.groups[row.1.group].thesis));
    let theirs = theirs.under("published").of(|row: &Row<'_>| Some(&row.1.published));
    let of_machine = |one: &&Replication| {
        one.rows.first().is_some_and(|row| analysis.groups[row.group].configuration.machine == machine)
    };
    let rows =
        analysis.replications.iter().filter(of_machine).flat_map(|one| one.rows.iter().map(move |row| (one, row)));
    let columns = first.and(ours).with("|", "", |_| "|").and(theirs);
    columns.table(title(analysis, machine, "Our figures and the published ones"), &explanation, rows)
}

/// Each curve beside the published table of the machine that it stands for.
pub(crate) fn explanations(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "How many of the published figures that our searches predict lie inside the {} prediction interval for one \
         further run of ours. Rows of even numbers of processors choose among the curves of a machine: the best curve \
         has the smallest misfit, the root mean square of the logarithms of published / predicted tree sizes and \
         search speeds. The other rows judge that curve.",
        level()
    );
    let mut columns = Columns::new()
        .with("Published run", "", |row: &&Explanation| row.source)
        .with("Curve", "", |row| marked(&analysis.curves[row.curve].label, machine))
        .with("Misfit", "In the half of the rows that chooses", |row| row.misfit)
        .with("Best", "", |row| if row.is_best { "yes" } else { "" });
    for judging_only in [false, true] {
        for figure in FORETOLD {
            let heading = if judging_only { format!("{figure}, judging half") } else { figure.to_owned() };
            columns = columns.with(heading, "Inside, of all", move |row: &&Explanation| {
                let (inside, all) = row.inside(figure, judging_only);
                format!("{inside} of {all}")
            });
        }
    }
    let rows = analysis.explanations.iter().filter(|_| machine == MachineKind::Virtual);
    columns.table(title(analysis, machine, "Published figures that our searches predict"), &explanation, rows)
}

/// Every published row beside what the best curve of its machine foretells.
pub(crate) fn predictions(analysis: &Analysis, machine: MachineKind) -> Table {
    type Row<'a> = (&'a Explanation, u32);
    let explanation = "Predictions by the best curve of each machine. Nodes and speed are relative to one processor; \
                       the other figures are differences from one processor in percentage points. Outside: the \
                       published value lies outside the prediction interval.";
    let find = |(explanation, cpus): &Row<'_>, figure: &str| {
        explanation.figures.iter().find(|one| one.cpus == *cpus && one.figure == figure).cloned()
    };
    let mut columns = Columns::new()
        .with("Published run", "", |row: &Row<'_>| row.0.source)
        .with("CPUs", "", |row| row.1)
        .with("Row", "Whether the row chooses among curves or judges", move |row| {
            find(row, FORETOLD[0]).map(|one| changes::half(&one).to_owned())
        });
    for figure in FORETOLD {
        columns = columns
            .with(figure, "Published", move |row: &Row<'_>| Some(find(row, figure)?.published))
            .with(
                format!("predicted {figure}"),
                "With the prediction interval for one further run",
                move |row: &Row<'_>| Some(find(row, figure)?.predicted),
            )
            .with_ends()
            .with("", "", move |row: &Row<'_>| {
                find(row, figure).map(|one| if one.is_inside() { "" } else { "outside" }.to_owned())
            });
    }
    let best = analysis.explanations.iter().filter(|one| one.is_best && machine == MachineKind::Virtual);
    let rows = best.flat_map(|explanation| {
        let first = explanation.figures.iter().filter(|one| one.figure == FORETOLD[0]);
        first.map(move |one| (explanation, one.cpus))
    });
    columns.table(title(analysis, machine, "Published figures and our predictions, row by row"), explanation, rows)
}
