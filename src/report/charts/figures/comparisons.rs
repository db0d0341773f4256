//! What a change does: ratios of time and of nodes with their intervals, the largest effect first. Where costs of the virtual
//! machine were halved and doubled, both are in one row: how much a result depends on a guess.

use std::collections::BTreeSet;

use crate::report::analysis::{Analysis, Comparison, Effect};
use crate::statistics::Interval;

use super::super::axis::Axis;
use super::super::canvas::Colour;
use super::super::forest::{Estimate, Forest, Row};
use super::super::legend::{Entry, Sample};
use super::super::lines::Point;
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::style::{Look, Marker};
use super::curves::{Machines, intervals_caption, is_virtual, legend_of, subtitle, told_apart};
use super::{Figure, Source};

/// Rows in one panel, at most.
const MOST_ROWS: usize = 60;

/// Below this probability, adjusted for all comparisons, a difference is not put down to chance.
const SIGNIFICANT: f64 = 0.05;

/// What the two columns are, as a rule.
const TIME_AND_NODES: [&str; 2] = ["time, ratio", "nodes, ratio"];

const UNDECIDED: Colour = (0x90, 0x90, 0x90);

/// The radius of a point, in units.
const RADIUS: f64 = 4.5;

/// Each group against the reference.
pub fn comparisons(source: &Source<'_>) -> Option<Figure> {
    let analysis = source.analysis;
    let (costs, others): (Vec<&Comparison>, Vec<&Comparison>) =
        analysis.comparisons.iter().partition(|comparison| CostChange::of(comparison).is_some());
    let mut panels = Vec::new();
    let mut entries = Vec::new();
    let mut notes = Vec::new();
    let has_speedups = costs.iter().any(|comparison| comparison.speedup.is_some());
    let of_costs = if has_speedups { ["time speedup, ratio", "time, ratio"] } else { TIME_AND_NODES };
    for (title, names, rows) in [
        ("Changes", TIME_AND_NODES, comparison_rows(analysis, &others, &mut entries)),
        ("Costs of the virtual machine", of_costs, cost_rows(analysis, &costs, &mut entries)),
    ] {
        panels.extend(panel(title, names, rows, &mut notes));
    }
    if let [panel] = panels.as_mut_slice() {
        panel.title.clear();
    }
    let groups = analysis.comparisons.iter().filter_map(|comparison| analysis.groups.get(comparison.group));
    let machines = Machines::of(groups);
    let reference = common_reference(analysis);
    if let Some(name) = &reference {
        notes.push(format!("Reference: {name}."));
    }
    let caption = format!(
        "{} as ratios to the reference, paired by position and seed, the largest effect first; left of the broken line is \
         less. {}{}",
        if has_speedups { "Time speedups, each against its own baseline, and times" } else { "Time and nodes" },
        intervals_caption(analysis),
        machines.caption()
    );
    figure(source, "Compared with the reference", caption, &machines, panels, entries, notes)
}

/// Switches of factorial designs.
pub fn effects(source: &Source<'_>) -> Option<Figure> {
    let analysis = source.analysis;
    let mut levels: Vec<(&str, u32)> = Vec::new();
    for effect in &analysis.effects {
        let level = (effect.machine.as_str(), effect.threads);
        if !levels.contains(&level) {
            levels.push(level);
        }
    }
    levels.sort_unstable();
    let are_mixed = levels.iter().any(|(machine, _)| *machine != levels[0].0);
    let mut entries = Vec::new();
    let mut rows: Vec<(f64, Row)> = Vec::new();
    for (place, &(machine, threads)) in levels.iter().enumerate() {
        let look = Look { radius: RADIUS, ..Look::of_curve(place, machine == "virtual") };
        let suffix = if are_mixed { format!(" ({machine})") } else { String::new() };
        let plural = if threads == 1 { "" } else { "s" };
        entries.push(Entry { name: format!("{threads} processor{plural}{suffix}"), sample: Sample::Point(look) });
    }
    let mut factors: Vec<&str> = Vec::new();
    for effect in &analysis.effects {
        if !factors.contains(&effect.factor.as_str()) {
            factors.push(&effect.factor);
        }
    }
    for factor in factors {
        let mut of_factor: Vec<&Effect> = analysis.effects.iter().filter(|effect| effect.factor == factor).collect();
        of_factor.sort_by(|one, other| (one.machine.as_str(), one.threads).cmp(&(&other.machine, other.threads)));
        let look = |effect: &Effect| {
            let place =
                levels.iter().position(|level| *level == (effect.machine.as_str(), effect.threads)).unwrap_or(0);
            Look { radius: RADIUS, ..Look::of_curve(place, effect.machine == "virtual") }
        };
        let time = of_factor.iter().filter_map(|effect| estimate(effect.time, look(effect))).collect();
        let nodes = of_factor.iter().filter_map(|effect| estimate(effect.nodes, look(effect))).collect();
        rows.push((
            size(of_factor.iter().map(|effect| effect.time)),
            Row { name: factor.to_owned(), columns: vec![time, nodes] },
        ));
    }
    let mut notes = Vec::new();
    let aliased: Vec<&str> = analysis
        .effects
        .iter()
        .filter(|effect| !effect.aliases.is_empty())
        .map(|effect| effect.factor.as_str())
        .collect();
    if !aliased.is_empty() {
        notes
            .push("Some effects cannot be told from joint effects of other switches; the tables say which.".to_owned());
    }
    let panels: Vec<Panel> = panel("", TIME_AND_NODES, rows, &mut notes).into_iter().collect();
    let machines = effect_machines(analysis);
    let caption = format!(
        "What each switch does to time and nodes, as the ratio of on to off over all settings of the others, the largest \
         effect on time first. {}{}",
        intervals_caption(analysis),
        machines.caption()
    );
    figure(source, "Effects of the switches", caption, &machines, panels, entries, notes)
}

fn figure(
    source: &Source<'_>,
    title: &str,
    caption: String,
    machines: &Machines,
    panels: Vec<Panel>,
    entries: Vec<Entry>,
    notes: Vec<String>,
) -> Option<Figure> {
    if panels.is_empty() {
        return None;
    }
    let sheet = Sheet {
        title: title.to_owned(),
        subtitle: subtitle(source.analysis),
        mark: machines.mark(false),
        columns: 1,
        panel_height: 0.0,
        panels,
        legend: legend_of(entries),
        notes,
    };
    Some(Figure { caption, sheet })
}

/// A panel of these rows, the largest effect first.
fn panel(title: &str, names: [&str; 2], mut rows: Vec<(f64, Row)>, notes: &mut Vec<String>) -> Option<Panel> {
    rows.retain(|(_, row)| row.columns.iter().any(|estimates| !estimates.is_empty()));
    // Stable, so that equal effects keep the order of the plan.
    rows.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    if rows.len() > MOST_ROWS {
        notes.push(format!("The {MOST_ROWS} largest of {} effects; the tables have all.", rows.len()));
        rows.truncate(MOST_ROWS);
    }
    let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
    let axis = |column: usize, name: &str| {
        let estimates = rows.iter().filter_map(|row| row.columns.get(column)).flatten();
        Axis::logarithmic(name, estimates.flat_map(|estimate| estimate.point.extent()).chain([1.0]))
    };
    let columns = vec![axis(0, names[0])?, axis(1, names[1])?];
    (!rows.is_empty())
        .then(|| Panel { title: title.to_owned(), plot: Plot::Forest(Forest { columns, neutral: 1.0, rows }) })
}

/// How large the largest of these ratios is, either way.
fn size(ratios: impl IntoIterator<Item = Interval>) -> f64 {
    ratios.into_iter().map(|ratio| ratio.estimate.ln().abs()).filter(|size| size.is_finite()).fold(0.0, f64::max)
}

/// An estimate of a ratio, if it is one.
fn estimate(ratio: Interval, look: Look) -> Option<Estimate> {
    let point = Point::with_interval(0.0, ratio).filter(|point| point.y > 0.0)?;
    // An interval of a ratio that reaches to nothing is cut at the edge.
    let ends = point.ends.map(|(low, high)| (low.max(f64::MIN_POSITIVE), high));
    Some(Estimate { point: Point { ends, ..point }, look })
}

fn comparison_rows(analysis: &Analysis, comparisons: &[&Comparison], entries: &mut Vec<Entry>) -> Vec<(f64, Row)> {
    let threads =
        |comparison: &Comparison| analysis.groups.get(comparison.group).map(|group| group.configuration.threads);
    let say_threads = comparisons.windows(2).any(|pair| threads(pair[0]) != threads(pair[1]));
    let row = |(comparison, change): (&&Comparison, &String)| {
        let hollow = analysis.groups.get(comparison.group).is_some_and(is_virtual);
        let column =
            |ratio: Interval, p: Option<f64>| estimate(ratio, look_by_significance(p, hollow)).into_iter().collect();
        // Changes of parameters and features name themselves.
        let names_itself = change.starts_with(['+', '-']) || change.contains(['*', '/', '=']);
        let mut name = match names_itself {
            true => change.clone(),
            false => format!("{} {change}", comparison.field.replace('_', " ")),
        };
        if let Some(threads) = threads(comparison).filter(|_| say_threads && comparison.field != "threads") {
            name.push_str(&format!(" (n = {threads})"));
        }
        let columns = vec![column(comparison.time, comparison.time_p), column(comparison.nodes, comparison.nodes_p)];
        (size([comparison.time]), Row { name, columns })
    };
    for (name, is_significant) in [("differs (p < 0.05, adjusted)", true), ("not shown to differ", false)] {
        let of_kind = |p: &Option<f64>| p.is_some_and(|p| (p < SIGNIFICANT) == is_significant);
        let mut all = comparisons.iter().flat_map(|comparison| {
            let hollow = analysis.groups.get(comparison.group).is_some_and(is_virtual);
            [(comparison.time_p, hollow), (comparison.nodes_p, hollow)]
        });
        if let Some((p, hollow)) = all.find(|(p, _)| of_kind(p)) {
            entries.push(Entry { name: name.to_owned(), sample: Sample::Point(look_by_significance(p, hollow)) });
        }
    }
    comparisons.iter().zip(&changes_told_apart(comparisons)).map(row).collect()
}

/// What was changed, without what all changes of the same field have in common.
fn changes_told_apart(comparisons: &[&Comparison]) -> Vec<String> {
    let shown = |comparison: &&Comparison| {
        if comparison.change.is_empty() { "none".to_owned() } else { comparison.change.clone() }
    };
    let mut changes: Vec<String> = comparisons.iter().map(shown).collect();
    let fields: BTreeSet<&str> = comparisons.iter().map(|comparison| comparison.field.as_str()).collect();
    for field in fields {
        let places: Vec<usize> = (0..changes.len()).filter(|&place| comparisons[place].field == field).collect();
        let of_field: Vec<String> = places.iter().map(|&place| changes[place].clone()).collect();
        for (place, change) in places.into_iter().zip(told_apart(&of_field)) {
            changes[place] = change;
        }
    }
    changes
}

fn look_by_significance(p: Option<f64>, hollow: bool) -> Look {
    let look = Look { radius: RADIUS, ..Look::of_curve(0, hollow) };
    if p.is_some_and(|p| p >= SIGNIFICANT) { Look { colour: UNDECIDED, marker: Marker::Square, ..look } } else { look }
}

/// One cost of the virtual machine, multiplied or divided.
#[derive(Clone, Debug, PartialEq)]
struct CostChange<'a> {
    cost: &'a str,
    is_more: bool,
    factor: &'a str,
}

impl<'a> CostChange<'a> {
    /// From a value like `reference,lock_handoff*2`; nothing if it is none or more than one.
    fn of(comparison: &'a Comparison) -> Option<Self> {
        if comparison.field != "costs" {
            return None;
        }
        let (_, change) = comparison.value.split_once(',')?;
        let (place, sign) = change.char_indices().find(|(_, c)| matches!(c, '*' | '/'))?;
        let (cost, factor) = (change[..place].trim(), change[place + 1..].trim());
        let is_one = !cost.is_empty() && factor.parse::<f64>().is_ok();
        is_one.then_some(Self { cost, is_more: sign == '*', factor })
    }

    fn look(&self) -> Look {
        // All costs are virtual.
        let (place, marker) = if self.is_more { (1, Marker::Triangle) } else { (0, Marker::TriangleDown) };
        Look { radius: RADIUS, marker, ..Look::of_curve(place, true) }
    }

    fn name(&self) -> String {
        format!("cost {} {}", if self.is_more { '×' } else { '÷' }, self.factor)
    }
}

/// A row for each cost, with all that was done to it.
fn cost_rows(analysis: &Analysis, comparisons: &[&Comparison], entries: &mut Vec<Entry>) -> Vec<(f64, Row)> {
    let reference =
        |comparison: &Comparison| analysis.groups.get(comparison.reference).map(|group| group.configuration.threads);
    let has_speedups = comparisons.iter().any(|comparison| comparison.speedup.is_some());
    let mut shown = comparisons.iter().filter(|comparison| cost_ratios(comparison, has_speedups).is_some());
    let first = shown.next();
    let say_threads = shown.any(|other| first.is_some_and(|first| reference(first) != reference(other)));
    let mut rows: Vec<(f64, Row)> = Vec::new();
    for comparison in comparisons {
        let Some(change) = CostChange::of(comparison) else { continue };
        entries.push(Entry { name: change.name(), sample: Sample::Point(change.look()) });
        let mut name = change.cost.replace('_', " ");
        if let Some(threads) = reference(comparison).filter(|_| say_threads) {
            name.push_str(&format!(" (n = {threads})"));
        }
        // A search of one processor that costs more is no news; what becomes of the speedup is.
        let Some(ratios) = cost_ratios(comparison, has_speedups) else { continue };
        let estimates = ratios.map(|ratio| estimate(ratio, change.look()));
        let place = rows.iter().position(|(_, row)| row.name == name).unwrap_or_else(|| {
            rows.push((0.0, Row { name, columns: vec![Vec::new(), Vec::new()] }));
            rows.len() - 1
        });
        let (largest, row) = &mut rows[place];
        *largest = largest.max(size([ratios[0]]));
        for (column, estimate) in row.columns.iter_mut().zip(estimates) {
            column.extend(estimate);
        }
    }
    rows
}

/// What is drawn of a change of costs: the speedup and the time where any comparison has a speedup, else time and nodes.
fn cost_ratios(comparison: &Comparison, has_speedups: bool) -> Option<[Interval; 2]> {
    if has_speedups { Some([comparison.speedup?, comparison.time]) } else { Some([comparison.time, comparison.nodes]) }
}

/// The reference that all comparisons share, in words.
fn common_reference(analysis: &Analysis) -> Option<String> {
    let first = analysis.comparisons.first()?.reference;
    let is_common = analysis.comparisons.iter().all(|comparison| comparison.reference == first);
    let group = analysis.groups.get(first).filter(|_| is_common)?;
    let label = if group.label.trim().is_empty() { &group.configuration.strategy } else { &group.label };
    let plural = if group.configuration.threads == 1 { "" } else { "s" };
    Some(format!("{label}, {} processor{plural}", group.configuration.threads))
}

fn effect_machines(analysis: &Analysis) -> Machines {
    let kinds: Vec<bool> = analysis.effects.iter().map(|effect| effect.machine == "virtual").collect();
    // Effects do not say their cost models; the groups do.
    let of_groups = Machines::of(&analysis.groups);
    Machines {
        real: kinds.contains(&false),
        cost_models: if kinds.contains(&true) { of_groups.cost_models } else { Vec::new() },
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::samples;
    use super::*;

    #[test]
    fn only_a_change_of_one_cost_is_one() {
        let comparison = |field: &str, value: &str| Comparison {
            field: field.to_owned(),
            value: value.to_owned(),
            ..samples::comparisons().comparisons[0].clone()
        };
        for (field, value, expected) in [
            ("costs", "reference,lock_handoff*2", Some(("lock_handoff", true, "2"))),
            ("costs", "reference,lock_handoff/2", Some(("lock_handoff", false, "2"))),
            ("costs", "reference,jitter*1.5", Some(("jitter", true, "1.5"))),
            ("costs", "reference,one*2,two*2", None),
            ("costs", "smp-2004", None),
            ("strategy", "ybwc,a*2", None),
        ] {
            let comparison = comparison(field, value);
            let found = CostChange::of(&comparison).map(|change| (change.cost, change.is_more, change.factor));
            assert_eq!(found, expected, "{field} {value}");
        }
    }

    #[test]
    fn halved_and_doubled_are_in_one_row_and_the_largest_is_first() {
        let analysis = samples::comparisons();
        let costs: Vec<&Comparison> =
            analysis.comparisons.iter().filter(|comparison| CostChange::of(comparison).is_some()).collect();
        let rows = cost_rows(&analysis, &costs, &mut Vec::new());
        assert_eq!(rows.len() * 2, costs.len());
        assert!(rows.iter().all(|(_, row)| row.columns[0].len() == 2));
        let panel = panel("", TIME_AND_NODES, rows, &mut Vec::new()).unwrap();
        let Plot::Forest(forest) = panel.plot else { panic!("not a forest") };
        let sizes: Vec<f64> = forest
            .rows
            .iter()
            .map(|row| row.columns[0].iter().map(|estimate| estimate.point.y.ln().abs()).fold(0.0, f64::max))
            .collect();
        assert!(sizes.is_sorted_by(|one, next| one >= next), "{sizes:?}");
    }
}
