//! What does a split cost? The question of 2004: is a position too big to be handed over?

use crate::Source;
use crate::analysis::labels::apart;
use crate::analysis::{Analysis, Bin, Comparison, Group, STAGES, Size, Sizes, Splitting};
use crate::charts::figures::{boards, splitting as charts};
use crate::figures;
use crate::record::MachineKind;
use crate::sentence::Sentence;
use crate::state::is_ruined;
use crate::statistics::Interval;
use crate::table::number::{count, estimate, figure, interval, listed, range};
use crate::table::{Columns, Table, columns};

use super::rows::{self, Row, kind_of, percent as hundredths};
use super::{File, Question, processors};

pub(super) const SPLIT: Question<Source> = Question {
    key: "split",
    title: "What does a split cost?",
    reading: "Means over positions. Copying and splitting are shares of all processors' time; the time of a split is \
              that of its owner and its helpers together. The stages of one split follow one another: the owner \
              prepares, packs the position and calls; the helper notices, fetches the position, takes it over and \
              begins.",
    sentence,
    charts: &[
        ("board-times", "time of boards in simulated time, relative to the reference", boards::times),
        ("stages", "stages of a split, one after the other", charts::waterfall),
        ("copy-sizes", "time per node by the size of copies", charts::sizes),
        ("split-nodes", "cost of sharing each split node, relative to the time of its search", charts::split_nodes),
        ("splitting", "share of time that sharing nodes takes, and copying positions", charts::shares),
    ],
    columns: Some(columns),
    files: &[
        File {
            name: "copies.csv",
            rows: "One row per configuration of a sweep of the size of copies. There is no such file without a sweep.",
            table: sweeps,
        },
        File {
            name: "splits.csv",
            rows: "One row per configuration, quantity and range of it: how many split nodes lie there. Ranges \
                   double, so a quantile is known to a factor of 2. Of strategies where whoever opens a node waits \
                   there. There is no such file without split nodes.",
            table: split_nodes,
        },
    ],
    table: |source| rows::table(source, columns(source), |group| group.splitting.cost_ns.is_some()),
    ..Question::PLAIN
};

/// Share of the processors' time up to which no position is too big to be copied, in hundredths.
const MOST_PCT: f64 = 1.0;

fn sentence(source: &Source) -> Option<Sentence> {
    let analysis = &source.analysis;
    Sentence::all(
        [of_boards(analysis), of_sweep(analysis), of_machines(analysis), of_nodes(analysis)].into_iter().flatten(),
    )
}

/// What the bytes of boards cost where they are compared. Then from what size on copies cost something; without a sweep
/// of sizes, whether a position is too big.
pub(crate) fn verdict(analysis: &Analysis) -> Option<Sentence> {
    let of_copies = of_sweep(analysis).or_else(|| of_machines(analysis));
    Sentence::all(of_boards(analysis).into_iter().chain(of_copies))
}

/// Most that the bytes of one board in place of another cost in simulated time: the upper end of the interval of one
/// comparison on most processors, that with most runs, and of several such the first of the plan. So the times
/// themselves have no part in the choice, and the interval holds although it was chosen.
fn of_boards(analysis: &Analysis) -> Option<Sentence> {
    let group = |one: &Comparison| &analysis.groups[one.group];
    let mut compared = boards::in_simulated_time(analysis);
    let most = compared.iter().map(|one| group(one).configuration.threads).max()?;
    compared.retain(|one| group(one).configuration.threads == most);
    let best_known = compared.iter().copied().rev().max_by_key(|one| group(one).runs)?;
    let Comparison { change, from, time, .. } = best_known;
    let costs = match (time.low > 1.0, time.high <= 1.0) {
        (true, _) => format!("cost time, and at most {} % of it", percent_above_1(time.high)),
        (_, true) => "cost no time".to_owned(),
        _ => format!("are not shown to cost time, and cost at most {} % of it", percent_above_1(time.high)),
    };
    let circumstances = boards::circumstances(analysis, best_known);
    let with = if circumstances.is_empty() { String::new() } else { format!(" with {circumstances}") };
    let which =
        if compared.len() > 1 { format!(", one of {} comparisons there", compared.len()) } else { String::new() };
    let words = format!(
        "The bytes of {change} in place of those of {from} {costs}: {change} takes {} times the time of {from} on \
         {}{with}{which}.",
        interval(time),
        processors(&group(best_known).configuration),
    );
    Some(Sentence::stated(words, &analysis.comparisons))
}

/// A ratio of 1.0344 as `3.5`, the percentage above 1, rounded up: it is the most that something costs.
fn percent_above_1(ratio: f64) -> String {
    format!("{:.1}", (1000.0 * (ratio - 1.0) - 1e-6).ceil() / 10.0)
}

/// Share of split nodes that cost more than they bring, of the configuration on most processors that has most of them.
fn of_nodes(analysis: &Analysis) -> Option<Sentence> {
    let known = || analysis.groups.iter().filter_map(|group| Some((group, hundredths(group.splitting.costly_share)?)));
    let most = known().map(|(group, _)| group.configuration.threads).max()?;
    let largest = known().filter(|(group, _)| group.configuration.threads == most);
    let (costliest, share) = largest.max_by(|one, other| one.1.estimate.total_cmp(&other.1.estimate))?;
    let words = format!(
        "On {}, sharing takes at least as long as all else at {} % ({}) of the split nodes with {}.",
        processors(&costliest.configuration),
        estimate(&share),
        range(&share),
        costliest.label,
    );
    Some(Sentence::stated(words, &costliest.splitting))
}

fn of_machines(analysis: &Analysis) -> Option<Sentence> {
    MachineKind::ALL.iter().rev().find_map(|&machine| of_machine(analysis, machine))
}

/// Whether a position is too big to be handed over on a machine, by the intervals of all configurations on its largest
/// number of processors, corrected for their number (Bonferroni).
fn of_machine(analysis: &Analysis, machine: MachineKind) -> Option<Sentence> {
    let is_timed = |group: &&Group| {
        group.configuration.machine == machine && group.splitting.copy_share_together.is_some() && !is_padded(group)
    };
    if machine == MachineKind::Real && is_ruined(analysis) {
        let words = "On real processors it is not known what copying takes: the searches were disturbed.";
        let has_any = analysis.groups.iter().any(|group| is_timed(&group));
        return has_any.then(|| Sentence::stated(words, &analysis.quality));
    }
    let timed: Vec<&Group> = analysis.groups.iter().filter(is_timed).collect();
    let most = timed.iter().map(|group| group.configuration.threads).max()?;
    let upper = |interval: &Interval| if interval.is_known() { interval.high } else { f64::INFINITY };
    let largest: Vec<&Group> = timed.into_iter().filter(|group| group.configuration.threads == most).collect();
    let shares = largest.iter().filter_map(|group| Some((*group, hundredths(group.splitting.copy_share_together)?)));
    let shares: Vec<(&Group, Interval)> = shares.collect();
    let begins_highest = shares
        .iter()
        .filter(|(_, share)| share.is_known())
        .max_by(|one, other| one.1.low.total_cmp(&other.1.low))
        .filter(|(_, share)| share.low > MOST_PCT);
    let reaches_highest = shares.iter().max_by(|one, other| upper(&one.1).total_cmp(&upper(&other.1)))?;
    let ((named, interval), answer, why) = match begins_highest {
        Some(surest) => (surest, "Copying positions is not free", "begins"),
        None if upper(&reaches_highest.1) < MOST_PCT => {
            (reaches_highest, "No position is too big to be copied", "reaches")
        }
        None => (reaches_highest, "Whether a position is too big to be copied is not settled", "reaches"),
    };
    let which = match largest.len() {
        1 => String::new(),
        number => format!(" with {}, whose interval {why} highest of {number}", named.label),
    };
    let words = format!(
        "{answer}: on {}, copying takes {} % of the time ({}){which}.",
        processors(&named.configuration),
        estimate(interval),
        range(interval)
    );
    Some(Sentence::stated(words, &named.splitting))
}

/// Whether bytes are copied because the configuration asks for it, and not because anybody needs them.
pub(crate) fn is_padded(group: &Group) -> bool {
    group.configuration.copy.as_deref().is_some_and(|copy| copy.contains('+'))
}

/// The table of the first screen: what splits cost on most processors.
pub(crate) fn first_table(source: &Source) -> Table {
    let groups = &source.analysis.groups;
    let timed = groups.iter().filter(|group| group.splitting.cost_ns.is_some());
    let most = timed.map(|group| group.configuration.threads).max();
    let rows = rows::shown(&source.analysis).into_iter();
    let rows =
        rows.filter(|row| row.group.splitting.cost_ns.is_some() && Some(row.group.configuration.threads) == most);
    let columns = columns(source).only("copy_bytes copying_pct splitting_pct split_cost_ns");
    rows::first(&source.analysis).and(columns).table("", "", rows).without_empty_columns()
}

/// A group, a quantity, and a range of it.
type Range<'a> = (Row<'a>, &'a str, &'a Bin);

fn split_nodes(source: &Source) -> Table {
    let columns = columns! { Range<'_>, row;
        "group": "the place of the configuration among all, from 0" => row.0.place;
        "label": "what distinguishes the configuration in this experiment, except its number of processors" =>
            row.0.label;
        "threads": "the number of processors" => row.0.group.configuration.threads;
        "quantity": "cost_ns: nanoseconds that sharing the node took its owner and its helpers; search_ns: nanoseconds \
                     that they spent there otherwise, waiting included; cost_ratio: the first relative to the second; \
                     helpers: helpers that joined; superfluous: nodes that need not have been searched, at a node with \
                     a cutoff" => row.1;
        "from": "least value of the range" => row.2.from;
        "below": "least value above the range; empty for the last" => row.2.below;
        "split_nodes": "number of split nodes, of all runs" => row.2.count;
        "share" [with_ends]: "their share: mean over positions of means over runs" => row.2.share;
        "up_to" [with_ends]: "share of the split nodes in this range or below it" => row.2.up_to;
    };
    let rows = rows::shown(&source.analysis).into_iter().flat_map(|row| {
        let distributions = row.group.split_nodes.iter();
        distributions.flat_map(move |figure| figure.bins.iter().map(move |bin| (row, figure.name, bin)))
    });
    columns.table("", "", rows)
}

fn columns(source: &Source) -> Columns<'_, Row<'_>> {
    let analysis = &source.analysis;
    let costs = columns! { Splitting, of;
        "copy_bytes" as "Bytes" [with_ends]: "bytes copied to a helper" => of.bytes;
        "copy_ns" as "Copy, ns" [with_ends]:
            "nanoseconds in which a helper takes a position over, fetching it included" => of.copy_ns;
        "copying_pct" as "Copying, %" [with_ends]:
            "percentage of all processors' time spent packing positions and taking them over" =>
            hundredths(of.copy_share);
        "splitting_pct" as "Splitting, %" [optional with_ends]:
            "percentage of all processors' time spent making, copying, joining and leaving split points" =>
            hundredths(of.time_share);
        "split_node_pct" as "Of split nodes, %" [optional with_ends]:
            "percentage of the time that owners and helpers spend at split nodes which sharing these takes" =>
            hundredths(of.node_share);
        "costly_splits_pct" as "Costly splits, %" [optional with_ends]:
            "percentage of split nodes at which sharing takes at least as long as everything else there" =>
            hundredths(of.costly_share);
        "split_cost_ns" as "Split, ns" [optional with_ends]:
            "nanoseconds that sharing a node takes its owner and its helpers together" => of.cost_ns;
        "split_held_ns" as "Locks held, ns" [optional with_ends]:
            "nanoseconds that locks are held to share a node" => of.held_ns;
        "superfluous_nodes" as "Superfluous nodes" [optional with_ends]:
            "nodes at a split node with a cutoff that need not have been searched: in searches that were stopped, and \
             below moves after the one that caused the cutoff" => of.superfluous;
    };
    let stages = STAGES.into_iter().enumerate().fold(costs, |columns, (place, (name, meaning))| {
        let stage = move |of: &Splitting| of.stages[place];
        columns
            .with(format!("split_{name}_ns"), &format!("mean nanoseconds, {meaning}"), stage)
            .heading(format!("{name}, ns"))
            .optional()
            .with_ends()
    });
    let rates = columns! { Row<'_>, row;
        "reference_nps_ratio" as "Nodes a second" [with_ends]: "nodes per second relative to the reference" =>
            analysis.comparisons.iter().find(|one| one.group == row.place).and_then(|one| one.nps);
    };
    stages.of(|row: &Row<'_>| Some(&row.group.splitting)).and(figures::columns("split")).and(rates)
}

fn sweeps(source: &Source) -> Table {
    let analysis = &source.analysis;
    type At<'a> = (&'a Sizes, &'a Size);
    let columns = columns! { At<'_>, row;
        "group": "the place of the configuration in summary.csv" => row.1.group;
        "label": "what distinguishes these searches from the others" => analysis.groups[row.1.group].label.clone();
        "machine": "real or virtual" => analysis.groups[row.1.group].configuration.machine.name();
        "threads": "the number of processors" => analysis.groups[row.1.group].configuration.threads;
        "copied_bytes": "mean bytes copied to a helper" => row.1.bytes;
        "time_per_node" [with_ends]: "time per node relative to that with the smallest copies" => row.1.slowdown;
        "one_percent_bytes" [with_ends]: "bytes more than the smallest by which a node takes 1 % longer, if time grows \
                                          evenly with them" => row.0.one_percent;
        "interval": "positions for which the intervals hold; empty if there are none" =>
            kind_of(analysis, row.1.slowdown);
    };
    let rows = analysis.sizes.iter().flat_map(|sizes| sizes.points.iter().map(move |size| (sizes, size)));
    columns.table("", "", rows)
}

/// Sentence on the bytes by which a copy must grow until a node takes 1 % longer, for the sweeps on most processors:
/// that which feels it soonest, and that which feels it last.
fn of_sweep(analysis: &Analysis) -> Option<Sentence> {
    let threads = |sizes: &Sizes| analysis.groups[sizes.smallest].configuration.threads;
    let most = analysis.sizes.iter().map(threads).max()?;
    let group = |sizes: &Sizes| &analysis.groups[sizes.smallest];
    let labels: Vec<&str> = analysis.sizes.iter().map(|sizes| group(sizes).label.as_str()).collect();
    let names = apart(&labels);
    let known = |sizes: &Sizes| sizes.one_percent.filter(|bytes| bytes.high.is_finite());
    let of_most = analysis.sizes.iter().zip(names).filter(|(sizes, _)| threads(sizes) == most);
    let mut sweeps: Vec<(Interval, String)> = of_most.filter_map(|(sizes, name)| Some((known(sizes)?, name))).collect();
    sweeps.sort_by(|(one, _), (other, _)| one.estimate.total_cmp(&other.estimate));
    let words = |(bytes, name): &(Interval, String), place: &str| {
        let range = format!("{} to {}", count(bytes.low), count(bytes.high));
        format!("{} bytes more ({range}) with {name}{place}", count(bytes.estimate))
    };
    let ends = match sweeps.as_slice() {
        [one] => vec![words(one, "")],
        [first, .., last] => vec![words(first, " (the soonest)"), words(last, " (the latest)")],
        [] => {
            let sizes = analysis.sizes.iter().max_by_key(|sizes| threads(sizes))?;
            let on = processors(&group(sizes).configuration);
            let (first, last) = (sizes.points.first()?, sizes.points.last()?);
            let words = format!(
                "From {} to {} bytes a copy, a node is not shown to take longer on {on}: {} of the time ({}).",
                count(first.bytes),
                count(last.bytes),
                figure(last.slowdown.estimate),
                range(&last.slowdown)
            );
            return Some(Sentence::stated(words, sizes));
        }
    };
    let first = analysis.sizes.iter().find(|sizes| threads(sizes) == most)?;
    let on = processors(&group(first).configuration);
    let words = format!("On {on}, a node takes 1 % longer when a copy has {}.", listed(&ends));
    Some(Sentence::stated(words, &analysis.sizes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::samples;

    /// Share of time that copying takes, of boards on two processors.
    fn told(shares: &[[f64; 3]]) -> String {
        let mut analysis = samples::processors(&[1, 2], &["ybwc", "lazy", "abdada"], MachineKind::Virtual);
        let mut shares = shares.iter();
        for group in analysis.groups.iter_mut().filter(|group| group.configuration.threads == 2) {
            let share = shares.next().map(|&[estimate, low, high]| Interval { estimate, low, high });
            group.splitting.copy_share_together = share;
        }
        verdict(&analysis).unwrap().to_string()
    }

    /// A small share that is hardly known may be the largest of all, so that it bounds them.
    #[test]
    fn the_share_that_is_named_is_the_one_that_decides() {
        let fine = told(&[[0.004, 0.003, 0.005], [0.002, 0.001, 0.008], [0.001, 0.001, 0.001]]);
        assert!(fine.starts_with("No position is too big to be copied: "), "{fine}");
        assert!(
            fine.contains("0.200 % of the time (0.100 to 0.800) with lazy, whose interval reaches highest"),
            "{fine}"
        );
        let dear = told(&[[0.03, 0.001, 0.09], [0.02, 0.015, 0.025]]);
        assert!(dear.starts_with("Copying positions is not free: "), "{dear}");
        assert!(dear.contains("2.00 % of the time (1.50 to 2.50) with lazy, whose interval begins highest"), "{dear}");
        let open = told(&[[0.03, 0.001, 0.09], [0.002, 0.001, 0.004]]);
        assert!(open.starts_with("Whether a position is too big to be copied is not settled: "), "{open}");
        assert!(open.contains("with ybwc, whose interval reaches highest"), "{open}");
    }

    /// Analysis in which a board is compared with another on virtual processors; `times` of each number of processors.
    fn compared(times: &[(u32, [f64; 3])]) -> Analysis {
        let numbers: Vec<u32> = std::iter::once(1).chain(times.iter().map(|(threads, _)| *threads)).collect();
        let mut analysis = samples::processors(&numbers, &["ybwc"], MachineKind::Virtual);
        let usual = samples::comparisons().comparisons.swap_remove(0);
        let place = |threads| analysis.groups.iter().position(|group| group.configuration.threads == threads).unwrap();
        let of = |(threads, [estimate, low, high]): &(u32, [f64; 3])| Comparison {
            group: place(*threads),
            reference: place(*threads),
            field: "board".to_owned(),
            change: "pieces-rotated".to_owned(),
            from: "array".to_owned(),
            time: Interval { estimate: *estimate, low: *low, high: *high },
            time_contrast: None,
            ..usual.clone()
        };
        analysis.comparisons = times.iter().map(of).collect();
        analysis
    }

    #[test]
    fn the_most_that_bytes_cost_is_the_upper_end_of_an_interval_chosen_by_runs() {
        let told = |times: &[(u32, [f64; 3])]| of_boards(&compared(times)).map(|sentence| sentence.to_string());
        // Neither the highest nor the narrowest interval, but that of the comparison with most runs.
        let times = [(24, [1.001, 0.99, 1.01]), (64, [1.02, 0.96, 1.1]), (64, [1.002, 0.97, 1.0344])];
        let mut analysis = compared(&times);
        let mut more = analysis.groups[analysis.comparisons[2].group].clone();
        more.runs += 1;
        analysis.groups.push(more);
        analysis.comparisons[2].group = analysis.groups.len() - 1;
        let at_most = of_boards(&analysis).unwrap().to_string();
        let expected = "The bytes of pieces-rotated in place of those of array are not shown to cost time, and cost \
                        at most 3.5 % of it: pieces-rotated takes 1.002 (0.970 to 1.034) times the time of array on \
                        64 virtual processors, by the model with ybwc, one of 2 comparisons there.";
        assert_eq!(at_most, expected);
        let dear = told(&[(8, [1.02, 1.01, 1.03])]).unwrap();
        assert!(dear.contains(" cost time, and at most 3.0 % of it: ") && !dear.contains("one of"), "{dear}");
        assert!(told(&[(8, [0.98, 0.97, 0.99])]).unwrap().contains(" cost no time: "));
        assert_eq!(told(&[(1, [1.1, 1.0, 1.2])]), None, "one processor hands nothing over");
        // On real threads boards have speeds of their own.
        let mut real = compared(&[(8, [1.1, 1.0, 1.2])]);
        real.groups.iter_mut().for_each(|group| group.configuration.machine = MachineKind::Real);
        assert_eq!(of_boards(&real), None);
    }
}
