//! Sweeps: what a parameter does when it alone is changed. Curves by the size of the table, and by any parameter that the
//! strategies, features or depths of an experiment give in numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::Configuration;
use crate::report::analysis::Group;

use super::super::axis::{Axis, Origin, Scale};
use super::super::lines::{Lines, Point, Reference, Series};
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::style::Look;
use super::curves::{Machines, intervals_caption, is_virtual, legend, legend_of, limited, subtitle};
use super::processors::columns_for;
use super::speedup::time_point;
use super::{Figure, Source};

/// Values of a parameter that make a sweep.
const FEWEST_VALUES: usize = 3;

/// Fields whose texts may give parameters as `name=number`.
const TEXTS: [&str; 3] = ["strategy", "features", "costs"];

/// A parameter in numbers, and how often it was changed with all else the same.
#[derive(Clone, Debug)]
struct Sweep<'a> {
    parameter: String,
    lines: Vec<Line<'a>>,
}

/// Groups that differ in one parameter only.
#[derive(Clone, Debug)]
struct Line<'a> {
    name: String,
    /// By the value of the parameter.
    points: Vec<(f64, &'a Group)>,
}

/// What is drawn against the size of the table.
struct Quantity {
    axis: String,
    of: fn(&Group) -> f64,
    origin: Origin,
}

/// Time speedup against each parameter that is swept.
pub fn parameter(source: &Source<'_>) -> Option<Figure> {
    let groups: Vec<&Group> = source.analysis.groups.iter().filter(|group| group.against_baseline.is_some()).collect();
    let names: BTreeSet<String> = groups.iter().flat_map(|group| parameters(group).into_keys()).collect();
    let names = names.into_iter().filter(|name| name != "hash_mib");
    let sweeps: Vec<Sweep<'_>> = names.filter_map(|name| Sweep::of(&name, &groups)).collect();
    let mut all: Vec<Vec<Series>> = sweeps
        .iter()
        .map(|sweep| sweep.series(|value, group| time_point(group).map(|point| Point { x: value, ..point })))
        .collect();
    alike(&mut all);
    let values = all.iter().flatten().flat_map(|series| &series.points).flat_map(Point::extent);
    let y = Axis::of_values("time speedup", values, Origin::Zero)?;
    let machines = Machines::of(sweeps.iter().flat_map(Sweep::groups));
    let entries = legend_of(all.iter().flatten().map(Series::entry));
    let mut panels = Vec::new();
    for (sweep, series) in sweeps.iter().zip(all) {
        let values: Vec<f64> = series.iter().flat_map(|series| &series.points).map(|point| point.x).collect();
        let x = axis(&sweep.parameter.replace('_', " "), &values)?;
        let plot = Plot::Lines(Lines { x, y: y.clone(), series, reference: Some(Reference::Level(1.0, "")) });
        panels.push(Panel { title: String::new(), plot });
    }
    let columns = columns_for(panels.len()).min(2);
    let (panels, notes) = limited(panels, columns);
    let sheet = Sheet {
        title: "Time speedup by parameter".to_owned(),
        subtitle: subtitle(source.analysis),
        mark: machines.mark(false),
        columns,
        panel_height: if columns == 1 { 380.0 } else { 290.0 },
        panels,
        legend: entries,
        notes,
    };
    let caption = format!(
        "Time speedup against a parameter with all else the same: geometric means over positions. {}{}",
        intervals_caption(source.analysis),
        machines.caption()
    );
    Some(Figure { caption, sheet })
}

/// Hits, time and nodes by the size of the table.
pub fn hash_size(source: &Source<'_>) -> Option<Figure> {
    let groups: Vec<&Group> = source.analysis.groups.iter().collect();
    let sweep = Sweep::of("hash_mib", &groups)?;
    let machines = Machines::of(sweep.groups());
    let quantities = [
        Quantity {
            axis: "probes that end the node (%)".to_owned(),
            of: |group| group.means.hash_pct,
            origin: Origin::Free,
        },
        Quantity {
            axis: format!("time ({})", machines.seconds()),
            of: |group| group.means.time_s,
            origin: Origin::Zero,
        },
        Quantity { axis: "million nodes".to_owned(), of: |group| group.means.nodes / 1e6, origin: Origin::Zero },
    ];
    let mut panels = Vec::new();
    let mut entries = legend(&[], &[]);
    for Quantity { axis, of, origin } in quantities {
        let series = sweep.series(|value, group| Point::plain(value, of(group)));
        let points = || series.iter().flat_map(|series| &series.points);
        let x = Axis::powers_of_two("table (MiB)", points().map(|point| point.x))?;
        let y = Axis::of_values(&axis, points().map(|point| point.y), origin)?;
        entries = legend(&series, &[]);
        panels.push(Panel { title: String::new(), plot: Plot::Lines(Lines { x, y, series, reference: None }) });
    }
    let sheet = Sheet {
        title: "The size of the transposition table".to_owned(),
        subtitle: subtitle(source.analysis),
        mark: machines.mark(false),
        columns: 3,
        panel_height: 270.0,
        panels,
        legend: entries,
        notes: Vec::new(),
    };
    let caption = format!(
        "Probes of the table that end the node, time and nodes by the size of the table, with all else the same: arithmetic \
         means over positions of means over runs, without intervals.{}",
        machines.caption()
    );
    Some(Figure { caption, sheet })
}

impl<'a> Sweep<'a> {
    /// Of this parameter, if it was changed often enough.
    fn of(parameter: &str, groups: &[&'a Group]) -> Option<Self> {
        let mut lines: BTreeMap<(Configuration, u32), Vec<(f64, &'a Group)>> = BTreeMap::new();
        for &group in groups {
            let Some(value) = parameters(group).get(parameter).copied() else { continue };
            let threads = group.configuration.threads;
            lines.entry((all_else(group, parameter), threads)).or_default().push((value, group));
        }
        let mut lines: Vec<Line<'_>> = lines
            .into_values()
            .filter(|points| points.len() >= FEWEST_VALUES)
            .map(|points| Line { name: line_name(&points), points })
            .collect();
        for line in &mut lines {
            line.points.sort_by(|one, other| one.0.total_cmp(&other.0));
        }
        (!lines.is_empty()).then(|| Self { parameter: parameter.to_owned(), lines })
    }

    fn groups(&self) -> impl Iterator<Item = &'a Group> {
        self.lines.iter().flat_map(|line| line.points.iter().map(|(_, group)| *group))
    }

    fn series(&self, point: impl Fn(f64, &Group) -> Option<Point>) -> Vec<Series> {
        let of_line = |(place, line): (usize, &Line<'_>)| {
            let points: Vec<Point> = line.points.iter().filter_map(|(value, group)| point(*value, group)).collect();
            let look = Look::of_curve(place, line.points.iter().any(|(_, group)| is_virtual(group)));
            (!points.is_empty()).then(|| Series { name: line.name.clone(), look, points, fit: Vec::new() })
        };
        self.lines.iter().enumerate().filter_map(of_line).collect()
    }
}

/// The axis of a parameter, logarithmic if each value is twice another; with a little room at both ends.
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

/// Every parameter of a group that is a number, by name.
fn parameters(group: &Group) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    for field in ["depth", "hash_mib"] {
        if let Ok(value) = group.configuration.field(field).parse() {
            found.insert(field.to_owned(), value);
        }
    }
    for field in TEXTS {
        let text = group.configuration.field(field);
        for (name, value) in text.split(',').filter_map(|item| item.split_once('=')) {
            if let Ok(value) = value.trim().parse() {
                found.insert(name.trim().trim_start_matches('+').to_owned(), value);
            }
        }
    }
    found
}

/// What a group is except for one parameter and the number of processors.
fn all_else(group: &Group, parameter: &str) -> Configuration {
    // Another value is another text, and a changed cost another hash.
    let rest =
        [parameter, "threads", "costs_hash"].iter().fold(group.configuration.clone(), |rest, it| rest.without(it));
    Configuration {
        strategy: without(&rest.strategy, parameter),
        features: without(&rest.features, parameter),
        costs: rest.costs.as_deref().map(|costs| without(costs, parameter)),
        ..rest
    }
}

fn without(text: &str, parameter: &str) -> String {
    let is_other =
        |item: &&str| item.split_once('=').is_none_or(|(name, _)| name.trim().trim_start_matches('+') != parameter);
    text.split(',').filter(is_other).collect::<Vec<_>>().join(",")
}

/// A line is named by what the labels of all its groups have in common, and its number of processors.
fn line_name(points: &[(f64, &Group)]) -> String {
    let Some((_, first)) = points.first() else { return String::new() };
    let parts = |group: &Group| -> Vec<String> {
        let text = if group.label.trim().is_empty() { &group.configuration.strategy } else { &group.label };
        text.split(',').map(|part| part.trim().to_owned()).collect()
    };
    let is_common = |part: &String| points.iter().all(|(_, group)| parts(group).contains(part));
    let mut common: Vec<String> = parts(first).into_iter().filter(is_common).collect();
    if is_virtual(first) && !common.iter().any(|part| part == "virtual") {
        common.push("virtual".to_owned());
    }
    common.push(format!("n = {}", first.configuration.threads));
    common.join(", ")
}

/// Gives the same look to lines of the same name in all panels.
fn alike(panels: &mut [Vec<Series>]) {
    let mut names: Vec<String> = Vec::new();
    for series in panels.iter_mut().flatten() {
        let place = names.iter().position(|name| *name == series.name).unwrap_or_else(|| {
            names.push(series.name.clone());
            names.len() - 1
        });
        series.look = Look::of_curve(place, series.look.hollow);
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
        for Line { points, .. } in &sweep.lines {
            assert_eq!(points.iter().map(|(value, _)| *value).collect::<Vec<_>>(), [1.0, 2.0, 4.0, 8.0]);
            assert!(points.windows(2).all(|pair| pair[0].1.configuration.threads == pair[1].1.configuration.threads));
        }
        assert!(Sweep::of("depth", &groups).is_none(), "there is one depth");
    }

    #[test]
    fn a_parameter_is_found_and_taken_out_by_its_name() {
        assert_eq!(without("ybwc,minimum-draft=4,helpers=2", "minimum-draft"), "ybwc,helpers=2");
        assert_eq!(without("thesis,+draft=4", "draft"), "thesis");
        assert_eq!(without("ybwc", "draft"), "ybwc");
    }
}
