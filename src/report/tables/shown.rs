//! Tables for readers, each built once: the page, `summary.md` and the terminal write the same. Their columns are those
//! of the files. Real and virtual machines have tables of their own, so that sorting never ranks one among the other.

use std::collections::BTreeSet;

use crate::record::MachineKind;
use crate::report::analysis::{
    ACTIVITIES, Analysis, BaselineSpread, Comparison, Curve, Effect, Group, LOSSES, PositionRow, STAGES, Size, Sizes,
};
use crate::table::number::{figure, level, percent};
use crate::table::{Cell, Columns, Table, columns};

use super::changes;
use super::groups::{self, GroupRow, InPosition};

mod published;
mod trust;

pub(crate) use published::{beside_published, explanations, predictions, replications, thesis};
pub(crate) use trust::{cut_off, quality, without_depth};

/// Mark of a virtual figure.
pub(crate) const HOLLOW_MARK: &str = "○";
/// Distance of a point from Amdahl's law beyond which the law does not describe a curve.
const LARGEST_RESIDUAL: f64 = 0.05;
/// Number of moves beyond which only the most frequent are shown.
const MOVES_SHOWN: usize = 4;

/// Heading over the tables of a machine.
pub(crate) fn heading(machine: MachineKind) -> &'static str {
    match machine {
        MachineKind::Real => "Real processors",
        MachineKind::Virtual => "○ Virtual processors",
    }
}

/// Whether there is any configuration of this machine to show.
pub(crate) fn is_any(analysis: &Analysis, machine: MachineKind) -> bool {
    !rows(analysis, machine).is_empty() || machine == MachineKind::Real && !analysis.micro.is_empty()
}

/// What the extra regret is beside, where moves were judged.
fn judged(analysis: &Analysis, other: &str) -> String {
    let is_judged = analysis.groups.iter().any(|group| group.regret.is_some());
    let explanation = || format!(" Extra regret: by how many centipawns moves are worse than the {other}'s.");
    is_judged.then(explanation).unwrap_or_default()
}

/// Ratios to the baseline with their intervals.
pub(crate) fn speedups(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation =
        format!("Relative to one processor, with {}.{}", intervals(analysis), judged(analysis, "baseline"));
    let names = "time_speedup master_time_speedup voted_time_speedup nodes_ratio nodes_within_ratio \
                 nps_ratio regret_difference_cp moves_verdict";
    configurations(analysis, machine, "Speedup", &explanation, names, |group| group.against_baseline.is_some())
}

/// Factors of the time speedup with their intervals.
pub(crate) fn factors(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Time speedup = CPUs × utilisation × productive × rate / nodes, all relative to one processor, with {}. Where \
         a search goes on after its first answer to wait for its master, its overrun is a further factor.",
        intervals(analysis)
    );
    let names = "factor_utilisation factor_productive factor_rate factor_clock factor_nodes_per_cycle factor_overrun";
    let is_shown = |group: &Group| {
        group.against_baseline.as_ref().is_some_and(|against| against.time_speedup.estimate.is_finite())
    };
    configurations(analysis, machine, "Factors of the time speedup", &explanation, names, is_shown)
}

/// Other averages of the same times, and how much stands behind them.
pub(crate) fn averages(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Ratio of sums and mean of ratios have {} (delta method); the median has no interval.",
        intervals(analysis)
    );
    let subject = "Other averages of the time speedup, and numbers of runs";
    let names = "ratio_of_sums mean_of_ratios median runs positions failed disturbed";
    configurations(analysis, machine, subject, &explanation, names, |_| true)
}

/// Means of counts by our own definitions.
pub(crate) fn counts(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Arithmetic means over positions, by the definitions below; point estimates. Splits are per million nodes; \
         times are in {}.",
        machine.seconds()
    );
    let names =
        "nps nodes qn_share ended_share order_share over_minimum splits_per_million cut_share helpers stop_latency_s";
    configurations(analysis, machine, "Counts", &explanation, names, |group| group.runs > 0)
}

/// Shares of probes that the transposition table answered, and with audit who had written it and whether it was whole.
pub(crate) fn transpositions(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = "Shares of all probes, each a part of the one before; others' entries as shares of the probes of \
                       that kind. Arithmetic means over positions; point estimates. Torn entries and \
                       false matches are per million probes.";
    let names = "found_share deep_share ended_share found_foreign_share deep_foreign_share ended_foreign_share \
                 torn_rejected_per_million torn_accepted_per_million torn_standing false_matches_per_million";
    let is_shown = |group: &Group| group.means.table.tiers[0].is_some();
    configurations(analysis, machine, "Use of the transposition table", explanation, names, is_shown)
}

/// Shares of all processors' time by activity.
pub(crate) fn activities(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = "Shares of all processors' time: arithmetic means over positions; point estimates.";
    let names = ACTIVITIES.map(|(name, ..)| format!("share_{name}")).join(" ");
    configurations(analysis, machine, "How processors spent their time", explanation, &names, |group| group.runs > 0)
}

/// What sharing nodes costs, where it was timed.
pub(crate) fn splitting(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Means over positions, with {}. Copying and splitting are shares of all processors' time; the time of a split \
         is that of its owner and its helpers together. NPS ratio: nodes per second relative to the reference.",
        intervals(analysis)
    );
    let nps = |row: &GroupRow<'_>| {
        let compared = || analysis.comparisons.iter();
        match compared().find(|one| one.group == row.place).and_then(|one| one.nps) {
            Some(ratio) => ratio.into(),
            None if compared().any(|one| one.reference == row.place) => Cell::from("reference"),
            None => Cell::Nothing,
        }
    };
    let columns = groups::summary(analysis)
        .only("label threads copy_bytes copy_ns copying_pct")
        .with("NPS ratio", "Nodes per second relative to the reference", nps)
        .and(
            groups::summary(analysis)
                .only("splitting_pct split_node_pct split_cost_ns split_held_ns superfluous_nodes"),
        );
    let rows = rows(analysis, machine).into_iter().filter(|row| is_timed(row.group));
    columns.table(title(analysis, machine, "What a split costs"), &explanation, rows).without_empty_columns()
}

/// Stages of a split, where they were timed.
pub(crate) fn stages(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Mean nanoseconds, with {}. An owner prepares, packs and calls; a helper notices, takes the position over, \
         part of which is fetching it from another processor, and begins.",
        intervals(analysis)
    );
    let names = STAGES.map(|(name, _)| format!("split_{name}_ns")).join(" ");
    configurations(analysis, machine, "Stages of a split", &explanation, &names, is_timed)
}

/// Sweeps of the size of copies.
pub(crate) fn copy_sizes(analysis: &Analysis, machine: MachineKind) -> Table {
    type Row<'a> = (&'a Sizes, &'a Size);
    let explanation = format!(
        "Time per node relative to that with the smallest copies, with {}. The last column is by how many bytes a copy \
         must grow until a node takes 1 % longer, if time grows evenly with them; nothing where it is not shown to \
         grow.",
        intervals(analysis)
    );
    let group = |row: &Row<'_>| &analysis.groups[row.1.group];
    let columns = columns! { Row<'_>, row;
        "Curve": "what distinguishes these searches from the others" => marked(&group(row).label, machine);
        "CPUs": "number of processors" => group(row).configuration.threads;
        "Bytes": "mean bytes copied to a helper" => Cell::whole(row.1.bytes);
        "Time per node": "relative to that with the smallest copies" => row.1.slowdown;
        "1 % longer by": "bytes more than the smallest copies" =>
            row.0.one_percent.filter(|bytes| row.1.group == row.0.smallest && bytes.high.is_finite());
    };
    let of_machine = |sizes: &&Sizes| analysis.groups[sizes.smallest].configuration.machine == machine;
    let sweeps = analysis.sizes.iter().filter(of_machine);
    let rows = sweeps.flat_map(|sizes| sizes.points.iter().map(move |size| (sizes, size)));
    columns.table(title(analysis, machine, "Sizes of copies"), &explanation, rows)
}

fn is_timed(group: &Group) -> bool {
    group.splitting.cost_ns.is_some()
}

/// Nodes by class of loss, where they were counted.
pub(crate) fn losses(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = "Each node counts under the first cause that applies; shares of all nodes, point estimates.";
    let names = LOSSES.map(|(class, _)| format!("lost_{class}")).join(" ");
    let is_shown = |group: &Group| !group.means.losses.is_empty();
    configurations(analysis, machine, "Work thrown away, by cause", explanation, &names, is_shown)
}

/// Amdahl's law, where it was fitted.
pub(crate) fn amdahl(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = columns! { &Curve, curve;
        "Curve": "what distinguishes these searches from the others" => marked(&curve.label, machine);
        "Serial index, %": "share of the work that would be serial if the law held" =>
            curve.amdahl.map(|law| law.serial.map(|share| 100.0 * share));
        "Farthest point, %": "its distance from the law" => Cell::share(curve.amdahl.map(|law| law.residual));
        "": "whether the law describes the points" => {
            let is_far = curve.amdahl.is_some_and(|law| law.residual > LARGEST_RESIDUAL);
            if is_far { "does not fit" } else { "" }
        };
    };
    let explanation = format!(
        "Speedup(n) = 1 / (index + (1 − index) / n), fitted to the time speedups; the interval of {} comes from the \
         distances of the points from the fitted curve. The serial index describes how the curve bends. It is not the \
         serial share of the work, since tree growth and waiting bend the curve too. Where a point lies more than {} \
         from the law, the law does not fit.",
        level(),
        percent(LARGEST_RESIDUAL)
    );
    let is_shown =
        |curve: &&Curve| curve.amdahl.is_some() && analysis.groups[curve.groups[0]].configuration.machine == machine;
    let title = title(analysis, machine, "Amdahl's law");
    columns.table(title, &explanation, analysis.curves.iter().filter(is_shown))
}

/// Each configuration against the experiment's reference.
pub(crate) fn comparisons(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Ratios to the reference, paired by position and seed: geometric means with {}, each for one ratio alone; p is \
         adjusted by Holm's method. A p that is not small does not show that the two are equal.{}",
        intervals(analysis),
        judged(analysis, "reference")
    );
    let declared = |names: &str| changes::comparisons(analysis).only(names);
    let columns = Columns::new()
        .with("Field", "Field in which the two differ", |row: &&Comparison| marked(&row.field, machine))
        .and(declared("change"))
        .with("Reference", "Value of the reference", |row| Cell::word(&row.from))
        .and(declared(
            "label threads time_ratio time_p nodes_ratio nodes_p nps_ratio speedup_ratio \
                        regret_difference_cp moves_verdict",
        ));
    let is_shown = |row: &&Comparison| analysis.groups[row.group].configuration.machine == machine;
    let title = title(analysis, machine, "Comparisons");
    let table = columns.table(title, &explanation, analysis.comparisons.iter().filter(is_shown));
    table.without_empty_columns()
}

/// Effect of each switch of a factorial design.
pub(crate) fn effects(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Ratios of switch on to switch off, over all settings of the other switches: geometric means with {}, each for \
         one ratio alone; p is adjusted by Holm's method. A p that is not small does not show that a switch has no \
         effect.",
        intervals(analysis)
    );
    let names = "threads time_ratio time_p nodes_ratio nodes_p aliases";
    let columns = Columns::new().with("Switch", "", |row: &&Effect| marked(&row.factor, machine)).with(
        "Setting",
        "What else distinguishes it from other settings",
        |row| {
            let words = row.setting.strip_prefix(machine.name()).unwrap_or(&row.setting);
            Some(words.trim_start_matches(", ").to_owned()).filter(|words| !words.is_empty())
        },
    );
    let rows = analysis.effects.iter().filter(|effect| effect.machine == machine);
    let title = title(analysis, machine, "Effects of switches");
    columns.and(changes::effects(analysis).only(names)).table(title, &explanation, rows).without_empty_columns()
}

/// Spread of nodes among the searches of each baseline.
pub(crate) fn baseline_spread(analysis: &Analysis, machine: MachineKind) -> Table {
    let group = |spread: &BaselineSpread| &analysis.groups[spread.group];
    let of_machine = |spread: &&BaselineSpread| group(spread).configuration.machine == machine;
    let spreads: Vec<&BaselineSpread> = analysis.baseline_spread.iter().filter(of_machine).collect();
    let deviation = |spread: &&BaselineSpread| Some(format!("{} for {}", figure(spread.log_sd?), group(spread).label));
    let deviations: Vec<String> = spreads.iter().filter_map(deviation).collect();
    let mut explanation = "Nodes relative to the position's geometric mean.".to_owned();
    if !deviations.is_empty() {
        explanation += " Standard deviation of the logarithm of nodes within positions: ";
        explanation += &format!("{}.", deviations.join(", "));
    }
    let extreme =
        |of: fn(f64, f64) -> f64| move |(_, _, relative): &(&str, &str, &[f64])| relative.iter().copied().reduce(of);
    let columns = Columns::new()
        .with("Position", "", |(position, ..): &(&str, &str, &[f64])| marked(position, machine))
        .with("Baseline", "", |(_, baseline, _)| *baseline)
        .with("Runs", "Searches with other seeds", |(.., relative)| relative.len())
        .with("Least", "Smallest number of nodes, relative to the geometric mean", extreme(f64::min))
        .with("Greatest", "Largest number of nodes, relative to the geometric mean", extreme(f64::max));
    let rows = spreads.into_iter().flat_map(|spread| {
        let baseline = group(spread).label.as_str();
        spread.relative_nodes.iter().map(move |(position, relative)| (position.as_str(), baseline, relative.as_slice()))
    });
    columns.table(title(analysis, machine, "Run-to-run spread of the baseline"), &explanation, rows)
}

/// Positions whose speedup a test shows to lie far from those of the others.
pub(crate) fn outliers(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Positions whose time speedup lies farther from the others than the spread of the positions and the noise of \
         its own runs explain, by two tests at {} for all positions and configurations together. All means include \
         them.",
        level()
    );
    let columns = groups::positions().only("label threads position time_speedup z_score");
    let is_outlier = |row: &InPosition<'_>| row.position.is_outlier;
    let title = title(analysis, machine, "Outliers");
    columns.table(title, &explanation, positions(analysis, machine).filter(is_outlier))
}

/// Table with a row for each configuration and position.
pub(crate) fn by_position(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!("Geometric means over runs; point estimates. Times are in {}.", machine.seconds());
    let names = "label threads position runs time_s nodes time_speedup nodes_ratio";
    let columns = groups::positions()
        .only(names)
        .with("Moves", "The moves chosen, and how often each", |row| moves(row.position));
    let title = title(analysis, machine, "Results by position");
    columns.table(title, &explanation, positions(analysis, machine))
}

fn moves(row: &PositionRow) -> String {
    let mut moves: Vec<String> =
        row.moves.iter().take(MOVES_SHOWN).map(|(name, often)| format!("{name} × {often}")).collect();
    if row.moves.len() > MOVES_SHOWN {
        moves.push(format!("{} others", row.moves.len() - MOVES_SHOWN));
    }
    moves.join(", ")
}

/// A table of configurations with these columns of `summary.csv`; those without any figure are left out.
pub(super) fn configurations(
    analysis: &Analysis,
    machine: MachineKind,
    subject: &str,
    explanation: &str,
    names: &str,
    is_shown: impl Fn(&Group) -> bool,
) -> Table {
    let rows = rows(analysis, machine).into_iter().filter(|row| is_shown(row.group));
    let columns = groups::summary(analysis).only(&format!("label threads {names}"));
    columns.table(title(analysis, machine, subject), explanation, rows).without_empty_columns()
}

/// The configurations of a machine: curve by curve, then what is in no curve. A baseline that several curves begin with
/// comes in each.
fn rows(analysis: &Analysis, machine: MachineKind) -> Vec<GroupRow<'_>> {
    let mut rows = Vec::new();
    let mut push = |label: &str, place: usize| {
        let group = &analysis.groups[place];
        if group.configuration.machine == machine {
            rows.push(GroupRow { place, label: marked(label, machine), group });
        }
    };
    for curve in &analysis.curves {
        curve.groups.iter().for_each(|&place| push(&curve.label, place));
    }
    // The runs of a factorial design are many and answer nothing one by one: they stand in summary.csv.
    let others = if analysis.effects.is_empty() { analysis.groups.as_slice() } else { &[] };
    for (place, group) in others.iter().enumerate() {
        if !analysis.curves.iter().any(|curve| curve.groups.contains(&place)) {
            push(&group.label, place);
        }
    }
    rows
}

fn positions(analysis: &Analysis, machine: MachineKind) -> impl Iterator<Item = InPosition<'_>> {
    let groups = analysis.groups.iter().enumerate();
    groups.filter(move |(_, group)| group.configuration.machine == machine).flat_map(move |(place, group)| {
        let row = move |position| InPosition { place, label: marked(&group.label, machine), group, position };
        group.by_position.iter().map(row)
    })
}

/// A label, with the hollow mark if its figures are virtual.
pub(super) fn marked(label: &str, machine: MachineKind) -> String {
    match machine {
        MachineKind::Real => label.to_owned(),
        MachineKind::Virtual => format!("{HOLLOW_MARK} {label}"),
    }
}

/// `intervals of 95 % for these positions`.
pub(super) fn intervals(analysis: &Analysis) -> String {
    format!("intervals of {} for {}", level(), analysis.description.interval.name())
}

/// A title that says on what machine the figures were found.
pub(super) fn title(analysis: &Analysis, machine: MachineKind, subject: &str) -> String {
    if machine == MachineKind::Real {
        return subject.to_owned();
    }
    let of_machine = analysis.groups.iter().filter(|group| group.configuration.machine == machine);
    let models: BTreeSet<&String> = of_machine.filter_map(|group| group.configuration.costs.as_ref()).collect();
    let costs = match models.first() {
        Some(model) if models.len() == 1 => format!(", cost model {model}"),
        Some(_) => format!(", {} cost models", models.len()),
        None => String::new(),
    };
    format!("{HOLLOW_MARK} {subject} (virtual machine{costs})")
}
