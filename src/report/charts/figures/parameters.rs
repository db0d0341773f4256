//! Sweeps: what a parameter does when it alone is changed. Curves by the size of the table, and by any parameter that
//! the strategies, features or depths of an experiment give in numbers.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{Group, ThesisColumns};
use crate::distinct::distinct;
use crate::record::axes::{DEPTH, HASH, THREADS};
use crate::record::{self, Change, Configuration, Named};
use crate::statistics::Interval;

use super::super::axis::{Axis, Origin, Scale};
use super::super::lines::{Lines, Point, Reference, Series, extents, xs};
use super::super::sheet::{Panel, Sheet};
use super::super::style::Look;
use super::curves::{
    Machines, TOO_FEW_FOR_BARS, columns_for, has_speedup, held, is_virtual, on_processors, parts, sheet, times_left_out,
};
use super::speedup::time_point;
use crate::Source;
use crate::questions::table_use::slopes;

/// Least number of values of a parameter that make a sweep.
const FEWEST_VALUES: usize = 3;

/// Parameter in numbers that was changed with all else the same.
#[derive(Clone, Debug)]
struct Sweep<'a> {
    parameter: String,
    lines: Vec<Line<'a>>,
}

/// Groups that differ in one parameter only, by its value.
type Line<'a> = Vec<(f64, &'a Group)>;

/// Name of an axis, the figure of a group on it, its unit, and the beginning of the axis.
type Quantity<'a> = (&'a str, fn(&ThesisColumns) -> Option<Interval>, f64, Origin);

/// Time speedup against each parameter that is swept.
pub(crate) fn parameter(source: &Source) -> Option<Sheet> {
    let groups: Vec<&Group> = source.analysis.groups.iter().filter(|group| has_speedup(group)).collect();
    let names: BTreeSet<String> = groups.iter().flat_map(|group| parameters(group).into_keys()).collect();
    let names = names.into_iter().filter(|name| name != HASH.name);
    let sweeps: Vec<Sweep<'_>> = names.filter_map(|name| Sweep::of(&name, &groups)).collect();
    let point = |value: f64, group: &Group| time_point(group).map(|point| Point { x: value, ..point });
    let mut all: Vec<Vec<Series>> = sweeps.iter().map(|sweep| sweep.series(point)).collect();
    alike(&mut all);
    let y = Axis::of_values("time speedup", extents(all.iter().flatten()), Origin::Zero)?;
    let panel = |(sweep, series): (&Sweep<'_>, Vec<Series>)| {
        let x = axis(&sweep.parameter.replace('_', " "), &xs(&series).collect::<Vec<_>>())?;
        Some(Panel::of_lines("", Lines { x, y: y.clone(), series, reference: Some(Reference::Level(1.0, "")) }))
    };
    let panels = sweeps.iter().zip(all).map(panel).collect::<Option<Vec<_>>>()?;
    let columns = columns_for(panels.len()).min(2);
    let caption = "Along a line only one parameter changes; its best value measured is where the line \
                   is highest. Geometric means over positions.";
    let machines = Machines::of(sweeps.iter().flat_map(Sweep::groups));
    sheet(source, "Time speedup by parameter", &machines, caption).with_panels(panels, columns, [380.0, 290.0])
}

/// Hits, time and nodes by the size of the table.
pub(crate) fn hash_size(source: &Source) -> Option<Sheet> {
    let groups: Vec<&Group> = source.analysis.groups.iter().collect();
    let sweep = Sweep::of(HASH.name, &groups)?;
    let machines = Machines::of(sweep.groups());
    let time = format!("time ({})", machines.seconds());
    let quantities: [Quantity<'_>; 3] = [
        ("hash hits (%)", |figures| figures.hash_pct, 1.0, Origin::Free),
        (&time, |figures| figures.time_s, 1.0, Origin::Zero),
        ("million nodes", |figures| figures.nodes, 1e6, Origin::Zero),
    ];
    let has_ends = Cell::new(false);
    let panel = |(axis, figure, unit, origin): Quantity<'_>| {
        let point =
            |value, group: &Group| Point::with_interval(value, figure(&group.thesis)?.map(|value| value / unit));
        let series = sweep.series(point);
        let any = series.iter().flat_map(|series| &series.points).any(|point| point.ends.is_some());
        has_ends.set(has_ends.get() || any);
        let x = Axis::powers_of_two("table (MiB)", xs(&series))?;
        let y = Axis::of_values(axis, held(&series, origin), origin)?;
        Some(Panel::of_lines("", Lines { x, y, series, reference: None }))
    };
    let panels = quantities.into_iter().filter_map(panel).collect();
    let caption = "Along a line only the size of the table changes; where time no longer falls, a \
                   larger table gains nothing. Arithmetic means over positions by the definitions of the thesis.";
    let mut sheet = sheet(source, "Size of the transposition table", &machines, caption);
    sheet.notes.extend(times_left_out(source, &machines));
    sheet.notes.extend(slopes(&source.analysis));
    let sheet = if has_ends.get() { sheet } else { sheet.noting(TOO_FEW_FOR_BARS) };
    sheet.with_panels(panels, 3, [270.0; 2])
}

impl<'a> Sweep<'a> {
    /// Sweep of this parameter, if it was changed often enough.
    fn of(parameter: &str, groups: &[&'a Group]) -> Option<Self> {
        let mut lines: BTreeMap<(Configuration, u32), Line<'a>> = BTreeMap::new();
        for &group in groups {
            let Some(value) = parameters(group).get(parameter).copied() else { continue };
            let threads = group.configuration.threads;
            lines.entry((all_else(group, parameter), threads)).or_default().push((value, group));
        }
        let mut lines: Vec<Line<'a>> = lines.into_values().filter(|line| line.len() >= FEWEST_VALUES).collect();
        lines.iter_mut().for_each(|line| line.sort_by(|one, other| one.0.total_cmp(&other.0)));
        (!lines.is_empty()).then(|| Self { parameter: parameter.to_owned(), lines })
    }

    fn groups(&self) -> impl Iterator<Item = &'a Group> {
        self.lines.iter().flatten().map(|(_, group)| *group)
    }

    fn series(&self, point: impl Fn(f64, &Group) -> Option<Point>) -> Vec<Series> {
        let of_line = |(place, line): (usize, &Line<'_>)| {
            let look = Look::of_curve(place, line.iter().any(|(_, group)| is_virtual(group)));
            Series::new(&line_name(line), look, line.iter().filter_map(|(value, group)| point(*value, group)))
        };
        self.lines.iter().enumerate().filter_map(of_line).collect()
    }
}

/// Axis of a parameter, logarithmic if each value is twice another; with a little room at both ends.
fn axis(name: &str, values: &[f64]) -> Option<Axis> {
    if values.iter().all(|value| *value > 0.0 && value.log2().fract() == 0.0) {
        return Axis::powers_of_two(name, values.iter().copied());
    }
    let axis = Axis::of_values(name, values.iter().copied(), Origin::Free)?;
    Some(match axis.scale {
        Scale::Logarithmic => axis,
        Scale::Linear => {
            let margin = (axis.high - axis.low) * 0.04;
            Axis { low: axis.low - margin, high: axis.high + margin, ..axis }
        }
    })
}

/// Parameters of a group that are numbers, by name.
fn parameters(group: &Group) -> BTreeMap<String, f64> {
    let configuration = &group.configuration;
    let of_axis = |axis: &record::Axis| Some((axis.name.to_owned(), axis.text(configuration).parse().ok()?));
    let of_change = |change: Change<'_>| {
        let (_, amount) = change.amount.filter(|(sign, _)| *sign == '=')?;
        Some((change.name.to_owned(), amount.parse().ok()?))
    };
    let changes = configuration.named().flat_map(Named::changes);
    [DEPTH, HASH].iter().filter_map(of_axis).chain(changes.filter_map(of_change)).collect()
}

/// Configuration of a group without one parameter and the number of processors.
fn all_else(group: &Group, parameter: &str) -> Configuration {
    let rest = group.configuration.without(parameter).without(THREADS.name);
    Configuration {
        strategy: rest.strategy.without(parameter),
        features: rest.features.without(parameter),
        // A changed cost has another hash.
        costs: rest.costs_name().map(|costs| costs.without(parameter).into()),
        ..rest
    }
}

/// Name of a line: what the labels of all its groups have in common, and the number of processors.
fn line_name(points: &[(f64, &Group)]) -> String {
    let Some((_, first)) = points.first() else { return String::new() };
    let is_common = |part: &&str| points.iter().all(|(_, group)| parts(&group.label).contains(part));
    let mut common: Vec<&str> = parts(&first.label).into_iter().filter(is_common).collect();
    if is_virtual(first) && !common.contains(&"virtual") {
        common.push("virtual");
    }
    let threads = first.configuration.threads;
    let threads = on_processors(threads);
    common.into_iter().chain([threads.as_str()]).collect::<Vec<_>>().join(", ")
}

/// Gives the same look to lines of the same name in all panels.
fn alike(panels: &mut [Vec<Series>]) {
    let names = distinct(panels.iter().flatten().map(|series| series.name.clone()));
    for series in panels.iter_mut().flatten() {
        let place = names.iter().position(|name| *name == series.name);
        series.look = Look::of_curve(place.unwrap_or(0), series.look.hollow);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::samples;
    use super::*;

    #[test]
    fn a_sweep_is_of_groups_that_differ_in_one_number() {
        let analysis = samples::sweep();
        let groups: Vec<&Group> = analysis.groups.iter().filter(|group| group.against_baseline.is_some()).collect();
        let sweep = Sweep::of("minimum-draft", &groups).unwrap();
        assert_eq!(sweep.lines.len(), 2, "one a number of processors");
        for points in &sweep.lines {
            assert_eq!(points.iter().map(|(value, _)| *value).collect::<Vec<_>>(), [1.0, 2.0, 4.0, 8.0]);
            assert!(points.windows(2).all(|pair| pair[0].1.configuration.threads == pair[1].1.configuration.threads));
        }
        assert!(Sweep::of("depth", &groups).is_none(), "there is one depth");
    }
}
