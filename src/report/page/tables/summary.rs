//! A row for each curve and number of processors: the columns of the thesis, the speedups with their intervals, where
//! the time went, and what nodes were lost to.

use std::collections::BTreeSet;

use super::{Line, lines, marked, second, threads};
use crate::record::MachineKind;
use crate::report::analysis::{ACTIVITIES, Analysis};
use crate::report::page::numbers::{hundredths, level};
use crate::report::page::table::{Column, Entry, Table};
use crate::statistics::Interval;

const CURVE: &str = "What distinguishes these searches from the others";

/// The columns that every table of this file begins with.
fn first_columns() -> Vec<Column> {
    vec![Column::words("Curve", CURVE), Column::numbers("CPUs", "Processors")]
}

fn first_entries(line: &Line) -> Vec<Entry> {
    vec![Entry::words(line.label.as_str()), threads(line.group)]
}

/// The table of the thesis.
pub fn thesis(analysis: &Analysis, machine: MachineKind) -> Table {
    let second = second(machine);
    let mut columns = first_columns();
    columns.extend([
        Column::numbers(&format!("NPS, 1/{second}"), "Nodes a second, as the thesis counts nodes"),
        Column::numbers("Speedup (NPS)", "Nodes a second relative to one processor: a throughput"),
        Column::numbers("Nodes", "Quiescence moves counted when tried"),
        Column::numbers(&format!("Time, {second}"), "To the depth asked for"),
        Column::numbers("Hash, %", "By the thesis's formula"),
        Column::numbers("Order, %", "By the thesis's formula"),
        Column::numbers("Qn, %", "By the thesis's formula"),
    ]);
    let explanation = "Arithmetic means over positions, by the definitions of the thesis, which give no interval.";
    let mut table = super::table(analysis, machine, "The columns of the thesis", explanation, columns);
    for line in lines(analysis, machine).iter().filter(|line| line.group.runs > 0) {
        let row = line.group.thesis;
        let mut entries = first_entries(line);
        entries.extend([
            Entry::count(row.nps),
            Entry::maybe(row.nps_speedup, Entry::figure),
            Entry::count(row.nodes),
            Entry::figure(row.time_s),
            percentage(row.hash_pct),
            percentage(row.order_pct),
            percentage(row.qn_pct),
        ]);
        table.row_of_group(entries);
    }
    table
}

/// Ratios to the baseline with their intervals, and the factors.
pub fn speedups(analysis: &Analysis, machine: MachineKind) -> Table {
    let mut columns = first_columns();
    columns.extend([
        Column::numbers("Time speedup", "How many times as fast to the same depth: geometric mean"),
        Column::numbers("Nodes", "Relative to the baseline: 1 + search overhead"),
        Column::numbers("NPS", "Nodes a second relative to the baseline: geometric mean"),
        Column::numbers("Utilisation", "The share of time spent searching or splitting"),
        Column::numbers("Productive", "The share of that spent searching"),
        Column::numbers("Rate", "Nodes in a second of searching"),
    ]);
    let explanation = format!(
        "Relative to one processor, with intervals of {} for {}. Time speedup = CPUs × utilisation × productive × \
         rate / nodes; the factors without an interval are point estimates.",
        level(),
        analysis.description.interval.name()
    );
    let mut table = super::table(analysis, machine, "Speedup and what it is made of", &explanation, columns);
    for line in &lines(analysis, machine) {
        let Some(against) = &line.group.against_baseline else { continue };
        let factors = against.factors;
        let mut entries = first_entries(line);
        entries.extend([&against.time_speedup, &against.nodes, &against.nps_speedup].map(Entry::interval));
        entries.extend([factors.utilisation, factors.productive, factors.rate].map(Entry::figure));
        table.row_of_group(entries);
    }
    table
}

/// Other averages of the same times, and how much stands behind them.
pub fn averages(analysis: &Analysis, machine: MachineKind) -> Table {
    let mut columns = first_columns();
    columns.extend([
        Column::numbers("Ratio of sums", "Of the times"),
        Column::numbers("Mean of ratios", "The arithmetic mean of the positions' speedups"),
        Column::numbers("Median", "Of the positions' speedups"),
        Column::numbers("Same move, %", "Runs that chose the move of most baselines"),
        Column::numbers("Runs", "Measurements that count"),
        Column::numbers("Positions", "Positions that were measured"),
        Column::numbers("Failed", "Cells that failed"),
        Column::numbers("Disturbed", "Measurements that count although something disturbed them"),
    ]);
    let subject = "Other averages of the time speedup, and what stands behind it";
    let mut table = super::table(analysis, machine, subject, "Point estimates.", columns);
    for line in &lines(analysis, machine) {
        let group = line.group;
        let against = group.against_baseline.as_ref();
        let mut entries = first_entries(line);
        entries.push(Entry::maybe(against.map(|against| against.ratio_of_sums), Entry::figure));
        entries.push(Entry::maybe(against.map(|against| against.mean_of_ratios), Entry::figure));
        entries.push(Entry::maybe(against.map(|against| against.median), Entry::figure));
        entries.push(Entry::maybe(against.and_then(|against| against.same_move), Entry::hundredths));
        entries.extend([group.runs, group.positions, group.failed, group.disturbed].map(|n| Entry::count(n as f64)));
        table.row_of_group(entries);
    }
    table
}

/// Means of counts by our own definitions.
pub fn counts(analysis: &Analysis, machine: MachineKind) -> Table {
    let second = second(machine);
    let mut columns = first_columns();
    columns.extend([
        Column::numbers(&format!("NPS, 1/{second}"), "Nodes a second"),
        Column::numbers("Nodes", "Entries into the main search and legal moves made in quiescence"),
        Column::numbers(&format!("Time, {second}"), "To the depth asked for"),
        Column::numbers("Qn, %", "The share of quiescence in nodes"),
        Column::numbers("Hash, %", "Probes that ended the node"),
        Column::numbers("Order, %", "Nodes that the first move cut, of those that a move cut"),
        Column::numbers("Splits", "Split points in a million nodes"),
        Column::numbers("Cut, %", "Split points at which a move cut"),
        Column::numbers("Helpers", "Helpers a split point"),
        Column::numbers(&format!("Stop, µ{second}"), "From a cutoff to the moment a worker noticed"),
    ]);
    let explanation =
        "Arithmetic means over positions, by the definitions below; point estimates. Splits are for a million nodes.";
    let mut table = super::table(analysis, machine, "What was counted", explanation, columns);
    for line in lines(analysis, machine).iter().filter(|line| line.group.runs > 0) {
        let means = &line.group.means;
        let mut entries = first_entries(line);
        entries.extend([Entry::count(means.nps), Entry::count(means.nodes), Entry::figure(means.time_s)]);
        entries.extend([means.qn_pct, means.hash_pct, means.order_pct].map(percentage));
        entries.push(Entry::figure(means.splits_per_million));
        entries.push(Entry::maybe(means.cut_share, Entry::hundredths));
        entries.push(Entry::maybe(means.helpers, Entry::figure));
        entries.push(Entry::maybe(means.stop_latency_us, Entry::figure));
        table.row_of_group(entries);
    }
    table
}

/// What the transposition table gave, and with audit who had written it and whether it was whole.
pub fn transpositions(analysis: &Analysis, machine: MachineKind) -> Table {
    let lines = lines(analysis, machine);
    let is_audited = lines.iter().any(|line| line.group.configuration.audit);
    let tiers = ["Found, %", "Deep, %", "Ended, %"];
    let meanings = ["Probes that found the position", "That found it searched deep enough", "That ended the node"];
    let mut columns = first_columns();
    columns.extend(tiers.iter().zip(meanings).map(|(heading, meaning)| Column::numbers(heading, meaning)));
    if is_audited {
        let of_others = ["Found of others, %", "Deep of others, %", "Ended of others, %"];
        columns.extend(of_others.map(|heading| Column::numbers(heading, "Whose entry another worker had written")));
        columns.extend([
            Column::numbers("Torn, rejected", "Of a million probes: two words of different stores, the check failed"),
            Column::numbers("Torn, accepted", "Of a million probes: the check passed, which is dangerous"),
            Column::numbers("Torn, standing", "Slots at the end whose words are of different stores"),
        ]);
    }
    let explanation =
        "Shares of all probes, each a part of the one before: arithmetic means over positions; point estimates.";
    let mut table = super::table(analysis, machine, "What the transposition table gave", explanation, columns);
    for line in lines.iter().filter(|line| line.group.means.table.tiers[0].is_some()) {
        let found = &line.group.means.table;
        let mut entries = first_entries(line);
        entries.extend(found.tiers.map(|share| Entry::maybe(share, Entry::hundredths)));
        if is_audited {
            entries.extend(found.foreign.map(|share| Entry::maybe(share, Entry::hundredths)));
            let torn = [found.torn_rejected, found.torn_accepted, found.torn_standing];
            entries.extend(torn.map(|torn| Entry::maybe(torn, Entry::figure)));
        }
        table.row_of_group(entries);
    }
    table
}

/// Where all processors' time went.
pub fn activities(analysis: &Analysis, machine: MachineKind) -> Table {
    let mut columns = first_columns();
    columns.extend(ACTIVITIES.map(|name| Column::numbers(&format!("{name}, %"), "Of all processors' time")));
    let explanation = "Shares of all processors' time: arithmetic means over positions; point estimates.";
    let mut table = super::table(analysis, machine, "Where the time went", explanation, columns);
    for line in lines(analysis, machine).iter().filter(|line| line.group.runs > 0) {
        let mut entries = first_entries(line);
        entries.extend(line.group.means.activities.map(Entry::hundredths));
        table.row_of_group(entries);
    }
    table
}

/// Nodes by class of loss, where they were counted.
pub fn losses(analysis: &Analysis, machine: MachineKind) -> Table {
    let lines = lines(analysis, machine);
    let classes: BTreeSet<&String> = lines.iter().flat_map(|line| line.group.means.losses.keys()).collect();
    let mut columns = first_columns();
    columns.extend(
        classes.iter().map(|class| Column::numbers(&format!("{}, %", class.replace('_', " ")), "Of all nodes")),
    );
    let explanation = "Each node belongs to the first class that applies; shares of all nodes, point estimates.";
    let mut table = super::table(analysis, machine, "What nodes were lost to", explanation, columns);
    for line in lines.iter().filter(|line| !line.group.means.losses.is_empty()) {
        let mut entries = first_entries(line);
        let share = |class: &&String| line.group.means.losses.get(*class).copied();
        entries.extend(classes.iter().map(|class| Entry::maybe(share(class), Entry::hundredths)));
        table.row_of_group(entries);
    }
    table
}

/// Amdahl's law, where it was fitted.
pub fn amdahl(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns =
        vec![Column::words("Curve", CURVE), Column::numbers("Serial share, %", "What cannot be shared, by the fit")];
    let explanation = format!(
        "Speedup(n) = 1 / (serial + (1 − serial) / n), fitted to the time speedups, with an interval of {} from how \
         far the points lie from the curve. A description of the points, not a law of the search.",
        level()
    );
    let mut table = super::table(analysis, machine, "Amdahl's law", &explanation, columns);
    for curve in &analysis.curves {
        let first = curve.groups.first().and_then(|&place| analysis.groups.get(place));
        let (Some(amdahl), Some(group)) = (&curve.amdahl, first) else { continue };
        if group.configuration.machine != machine {
            continue;
        }
        let share = amdahl.serial;
        let serial = Interval { estimate: 100.0 * share.estimate, low: 100.0 * share.low, high: 100.0 * share.high };
        table.row(vec![Entry::words(marked(&curve.label, machine)), Entry::interval(&serial)]);
    }
    table
}

/// A figure that is already in hundredths.
fn percentage(value: f64) -> Entry {
    Entry::number(hundredths(value / 100.0), value)
}
