//! Tables with a row for each curve and number of processors: the columns of the thesis, the speedups with their intervals,
//! where the time went, and what nodes were lost to.

use std::collections::BTreeSet;

use super::{Line, lines, marked, measured, second, table};
use crate::record::MachineKind;
use crate::report::analysis::{ACTIVITIES, AgainstBaseline, Analysis, Curve, Group, ThesisRow};
use crate::statistics::Interval;
use crate::table::number::level;
use crate::table::{Cell, Columns, Digits, Table};

const CURVE: &str = "What distinguishes these searches from the others";

/// The columns that most tables of this file begin with.
fn first_columns<'a>() -> Columns<'a, Line<'a>> {
    Columns::new()
        .with("Curve", CURVE, |line: &Line<'_>| line.label.clone())
        .with("CPUs", "Processors", |line| line.group.configuration.threads)
}

/// A figure relative to the baseline, where there is one.
fn against<T>(line: &Line<'_>, figure: impl Fn(&AgainstBaseline) -> T) -> Option<T> {
    line.group.against_baseline.as_ref().map(figure)
}

/// Figure that is in hundredths.
fn hundredths(value: f64) -> Cell {
    Cell::Number(value, Digits::Decimals(1))
}

/// The columns of the thesis's tables.
fn thesis_columns<'a, R>(row: impl Fn(&R) -> Option<ThesisRow> + Copy + 'a, second: &str) -> Columns<'a, R> {
    Columns::new()
        .with("NPS", &format!("Nodes a second ({second}), as the thesis counts nodes"), move |of| {
            row(of).map(|row| Cell::whole(row.nps))
        })
        .with("Speedup", "Nodes a second relative to one processor: a throughput", move |of| row(of)?.nps_speedup)
        .with("Nodes", "Quiescence moves counted when tried", move |of| row(of).map(|row| Cell::whole(row.nodes)))
        .with("Time", &format!("To the depth asked for, in {second}"), move |of| row(of).map(|row| row.time_s))
        .with("Hash", "By the thesis's formula, in %", move |of| row(of).map(|row| hundredths(row.hash_pct)))
        .with("Order", "By the thesis's formula, in %", move |of| row(of).map(|row| hundredths(row.order_pct)))
        .with("Qn", "By the thesis's formula, in %", move |of| row(of).map(|row| hundredths(row.qn_pct)))
}

/// The table of the thesis.
pub(in crate::report) fn thesis(analysis: &Analysis, machine: MachineKind) -> Table {
    let second = second(machine);
    let explanation = format!(
        "Arithmetic means over positions, by the definitions of the thesis, which give no interval. Speedup is a ratio of \
         nodes a second, not of times; times are in {second}; hash, order and qn are in %."
    );
    let columns = first_columns().and(thesis_columns(|line: &Line<'_>| Some(line.group.thesis), second));
    table(analysis, machine, "The columns of the thesis", &explanation, columns, measured(analysis, machine))
}

/// One curve in the columns of the thesis, beside the published rows of the same numbers of processors.
pub(in crate::report) fn beside_published(analysis: &Analysis, curve: &Curve, published: &[(u32, ThesisRow)]) -> Table {
    let groups = curve.groups.iter().map(|&at| &analysis.groups[at]);
    let mut columns = Columns::new().with("CPUs", "", |group: &&Group| group.configuration.threads);
    let ours = thesis_columns(|group: &&Group| Some(group.thesis), "s");
    columns = match published {
        [] => columns.and(ours),
        _ => {
            let theirs = |group: &&Group| {
                let cpus = group.configuration.threads;
                published.iter().find(|(known, _)| *known == cpus).map(|(_, row)| *row)
            };
            let theirs = thesis_columns(theirs, "s").under("published");
            columns.and(ours.under("ours")).with("|", "", |_| "|").and(theirs)
        }
    };
    columns.table(curve.label.as_str(), "", groups)
}

/// Ratios to the baseline with their intervals, and the factors.
pub(in crate::report) fn speedups(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = first_columns()
        .with("Time speedup", "How many times as fast to the same depth: geometric mean", |line| {
            against(line, |ratios| ratios.time_speedup)
        })
        .with("Nodes", "Relative to the baseline: 1 + search overhead", |line| against(line, |ratios| ratios.nodes))
        .with("NPS", "Nodes a second relative to the baseline: geometric mean", |line| {
            against(line, |ratios| ratios.nps_speedup)
        })
        .optional()
        .with("Utilisation", "The share of time spent searching or splitting", |line| {
            against(line, |ratios| ratios.factors.utilisation)
        })
        .with("Productive", "The share of that spent searching", |line| {
            against(line, |ratios| ratios.factors.productive)
        })
        .with("Rate", "Nodes in a second of searching", |line| against(line, |ratios| ratios.factors.rate));
    let explanation = format!(
        "Relative to one processor, with intervals of {} for {}. Time speedup = CPUs × utilisation × productive × \
         rate / nodes; the factors without an interval are point estimates.",
        level(),
        analysis.description.interval.name()
    );
    let rows = lines(analysis, machine).into_iter().filter(|line| line.group.against_baseline.is_some());
    table(analysis, machine, "Speedup and what it is made of", &explanation, columns, rows)
}

/// Other averages of the same times, and how much stands behind them.
pub(in crate::report) fn averages(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = first_columns()
        .with("Ratio of sums", "Of the times", |line| against(line, |ratios| ratios.ratio_of_sums))
        .with("Mean of ratios", "The arithmetic mean of the positions' speedups", |line| {
            against(line, |ratios| ratios.mean_of_ratios)
        })
        .with("Median", "Of the positions' speedups", |line| against(line, |ratios| ratios.median))
        .with("Same move, %", "Runs that chose the move of most baselines", |line| {
            Cell::share(against(line, |ratios| ratios.same_move).flatten())
        })
        .with("Runs", "Measurements that count", |line| line.group.runs)
        .with("Positions", "Positions that were measured", |line| line.group.positions)
        .with("Failed", "Cells that failed", |line| line.group.failed)
        .with("Disturbed", "Measurements that count although something disturbed them", |line| line.group.disturbed);
    let subject = "Other averages of the time speedup, and what stands behind it";
    table(analysis, machine, subject, "Point estimates.", columns, lines(analysis, machine))
}

/// Means of counts by our own definitions.
pub(in crate::report) fn counts(analysis: &Analysis, machine: MachineKind) -> Table {
    let second = second(machine);
    let columns = first_columns()
        .with(format!("NPS, 1/{second}"), "Nodes a second", |line| Cell::whole(line.group.means.nps))
        .with("Nodes", "Entries into the main search and legal moves made in quiescence", |line| {
            Cell::whole(line.group.means.nodes)
        })
        .with(format!("Time, {second}"), "To the depth asked for", |line| line.group.means.time_s)
        .with("Qn, %", "The share of quiescence in nodes", |line| hundredths(line.group.means.qn_pct))
        .with("Hash, %", "Probes that ended the node", |line| hundredths(line.group.means.hash_pct))
        .with("Order, %", "Nodes that the first move cut, of those that a move cut", |line| {
            hundredths(line.group.means.order_pct)
        })
        .with("Splits", "Split points in a million nodes", |line| line.group.means.splits_per_million)
        .with("Cut, %", "Split points at which a move cut", |line| Cell::share(line.group.means.cut_share))
        .with("Helpers", "Helpers a split point", |line| line.group.means.helpers)
        .with(format!("Stop, µ{second}"), "From a cutoff to the moment a worker noticed", |line| {
            line.group.means.stop_latency_us
        });
    let explanation =
        "Arithmetic means over positions, by the definitions below; point estimates. Splits are for a million nodes.";
    table(analysis, machine, "What was counted", explanation, columns, measured(analysis, machine))
}

/// What the transposition table gave, and with audit who had written it and whether it was whole.
pub(in crate::report) fn transpositions(analysis: &Analysis, machine: MachineKind) -> Table {
    let mut lines = lines(analysis, machine);
    let is_audited = lines.iter().any(|line| line.group.configuration.audit);
    lines.retain(|line| line.group.means.table.tiers[0].is_some());
    let tiers = [
        ("Found", "Probes that found the position"),
        ("Deep", "That found it searched deep enough"),
        ("Ended", "That ended the node"),
    ];
    let mut columns = first_columns();
    for (tier, (name, meaning)) in tiers.into_iter().enumerate() {
        let share = move |line: &Line<'_>| Cell::share(line.group.means.table.tiers[tier]);
        columns = columns.with(format!("{name}, %"), meaning, share);
    }
    if is_audited {
        for (tier, (name, _)) in tiers.into_iter().enumerate() {
            let share = move |line: &Line<'_>| Cell::share(line.group.means.table.foreign[tier]);
            columns = columns.with(format!("{name} of others, %"), "Whose entry another worker had written", share);
        }
        columns = columns
            .with("Torn, rejected", "Of a million probes: two words of different stores, the check failed", |line| {
                line.group.means.table.torn_rejected
            })
            .with("Torn, accepted", "Of a million probes: the check passed, which is dangerous", |line| {
                line.group.means.table.torn_accepted
            })
            .with("Torn, standing", "Slots at the end whose words are of different stores", |line| {
                line.group.means.table.torn_standing
            });
    }
    let explanation =
        "Shares of all probes, each a part of the one before: arithmetic means over positions; point estimates.";
    table(analysis, machine, "What the transposition table gave", explanation, columns, lines)
}

/// Where all processors' time went.
pub(in crate::report) fn activities(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = ACTIVITIES.into_iter().enumerate().fold(first_columns(), |columns, (at, name)| {
        columns.with(format!("{name}, %"), "Of all processors' time", move |line| {
            Cell::share(line.group.means.activities[at])
        })
    });
    let explanation = "Shares of all processors' time: arithmetic means over positions; point estimates.";
    table(analysis, machine, "Where the time went", explanation, columns, measured(analysis, machine))
}

/// Nodes by class of loss, where they were counted.
pub(in crate::report) fn losses(analysis: &Analysis, machine: MachineKind) -> Table {
    let mut lines = lines(analysis, machine);
    lines.retain(|line| !line.group.means.losses.is_empty());
    let classes: BTreeSet<String> = lines.iter().flat_map(|line| line.group.means.losses.keys().cloned()).collect();
    let columns = classes.into_iter().fold(first_columns(), |columns, class| {
        columns.with(format!("{}, %", class.replace('_', " ")), "Of all nodes", move |line| {
            Cell::share(line.group.means.losses.get(&class).copied())
        })
    });
    let explanation = "Each node belongs to the first class that applies; shares of all nodes, point estimates.";
    table(analysis, machine, "What nodes were lost to", explanation, columns, lines)
}

/// Amdahl's law, where it was fitted.
pub(in crate::report) fn amdahl(analysis: &Analysis, machine: MachineKind) -> Table {
    let serial = |curve: &&Curve| {
        let Interval { estimate, low, high } = curve.amdahl?.serial;
        Some(Interval { estimate: 100.0 * estimate, low: 100.0 * low, high: 100.0 * high })
    };
    let columns = Columns::new().with("Curve", CURVE, |curve: &&Curve| marked(&curve.label, machine)).with(
        "Serial share, %",
        "What cannot be shared, by the fit",
        serial,
    );
    let explanation = format!(
        "Speedup(n) = 1 / (serial + (1 − serial) / n), fitted to the time speedups, with an interval of {} from how \
         far the points lie from the curve. A description of the points, not a law of the search.",
        level()
    );
    let is_shown = |curve: &&Curve| {
        let first = curve.groups.first().and_then(|&place| analysis.groups.get(place));
        curve.amdahl.is_some() && first.is_some_and(|group| group.configuration.machine == machine)
    };
    table(analysis, machine, "Amdahl's law", &explanation, columns, analysis.curves.iter().filter(is_shown))
}
