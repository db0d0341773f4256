//! Growth of searches on one processor with depth: nodes, time, and leaves beside the minimal tree, with published
//! figures. All depths come from the same runs. The intervals, which would hide the lines, are in `depths.csv`.

use crate::analysis::AtIteration;
use crate::published::{ByDepthRow, ByDepthTable};
use crate::statistics::Interval;

use super::super::axis::{Axis, Origin};
use super::super::lines::{Lines, Point, Reference, Series, extents, xs};
use super::super::sheet::{Panel, Sheet};
use super::super::style::Look;
use super::curves::{Machines, NO_BARS, OurCurve, columns_for, curves_with, is_virtual, sheet, times_left_out};
use crate::Source;

/// Height of a panel, in units.
const HEIGHT: [f64; 2] = [380.0; 2];

/// Fewest depths that are a line.
const FEWEST: usize = 2;

/// Axis from bottom to top.
#[derive(Clone, Copy)]
struct Upright {
    name: &'static str,
    /// Line at 1, and its name.
    reference: Option<&'static str>,
    /// Whether the quantity grows with depth by a factor.
    is_logarithmic: bool,
}

/// Nodes and time by depth.
pub(crate) fn nodes_by_depth(source: &Source) -> Option<Sheet> {
    let curves = with_iterations(source);
    let is_real = !curves.iter().flat_map(|curve| &curve.groups).any(|group| is_virtual(group));
    let published = |value: fn(&ByDepthRow) -> Option<f64>| {
        published(source, |table| table.is_of(&source.analysis.description.positions), value)
    };
    let nodes = Upright { name: "nodes", reference: None, is_logarithmic: true };
    let time = Upright { name: if is_real { "time (s)" } else { "time (virtual s)" }, ..nodes };
    // Virtual times and published ones are never on one axis.
    let times = if is_real { published(|row| row.time_ms.map(|ms| ms / 1e3)) } else { Vec::new() };
    let panels = [
        panel("Nodes", nodes, published(|row| row.nodes), ours(&curves, |at| Some(at.nodes))),
        panel("Time", time, times, ours(&curves, |at| Some(at.time_s))),
    ];
    let caption = "Nodes and time up to the end of the iteration of each depth, both on logarithmic \
                   axes: the steeper a line, the larger its branching factor. Geometric means over positions.";
    let mut sheet = finished(source, "Nodes and time by depth", &curves, caption, panels)?;
    sheet.notes.extend(times_left_out(source, &Machines::of_curves(&curves)));
    Some(sheet)
}

/// Factor by which time grows with a ply.
pub(crate) fn growth_by_depth(source: &Source) -> Option<Sheet> {
    let curves = with_iterations(source);
    let growth = Upright { name: "time / time of the depth before", reference: None, is_logarithmic: false };
    let published = published(source, ByDepthTable::has_growth, |row| row.growth);
    let panel = panel("", growth, published, ours(&curves, |at| at.growth));
    let caption = "At 2, a search that is one ply deeper takes twice the time. Times are up to the end \
                   of the iteration of each depth. Published factors are of other programs and positions. Geometric \
                   means over positions.";
    finished(source, "Growth of time by depth", &curves, caption, [panel])
}

/// Leaves for each of the minimal tree, by depth.
pub(crate) fn minimal_tree(source: &Source) -> Option<Sheet> {
    let curves = with_iterations(source);
    let name = "leaves / leaves of the minimal trees";
    let over_minimum = Upright { name, reference: Some("minimal tree"), is_logarithmic: true };
    let panel = panel("", over_minimum, Vec::new(), ours(&curves, |at| at.over_minimum));
    let caption = "At 1, the search has as many leaves as alpha-beta needs with the best order of \
                   moves. Leaves are nodes of the main search that go on to quiescence; the minimal tree of depth d \
                   has B^ceil(d/2) + B^floor(d/2) - 1 of them (Knuth and Moore 1975), where B is the mean number of \
                   legal moves. Both are added up over all iterations to the depth. A table, and what prunes, \
                   reduces or extends, change the number of leaves too. Geometric means over positions.";
    finished(source, "Leaves beside the minimal tree", &curves, caption, [panel])
}

/// Nodes relative to the report's reference, by depth.
pub(crate) fn nodes_ratio_by_depth(source: &Source) -> Option<Sheet> {
    let analysis = &source.analysis;
    let reference = analysis.comparisons.first().map(|comparison| comparison.reference)?;
    let base = &analysis.groups.get(reference)?.iterations;
    let curves = with_iterations(source);
    let ratio = |curve: &OurCurve<'_>| {
        let points = iterations(curve).iter().filter_map(|at| {
            let before = base.iter().find(|other| other.depth == at.depth)?;
            Point::plain(f64::from(at.depth), at.nodes.estimate / before.nodes.estimate)
        });
        Series::new(&curve.name, curve.look, points).filter(|series| series.points.iter().any(|point| point.y != 1.0))
    };
    let of_others = |table: &ByDepthTable| {
        let [(_, without), (name, with)] = &table.series[..] else { return None };
        let point = |(without, with): (&ByDepthRow, &ByDepthRow)| {
            Point::plain(f64::from(with.depth), with.nodes? / without.nodes?)
        };
        let name = format!("{}: {name}", table.source);
        Series::new(&name, Look::of_published(0), without.iter().zip(with).filter_map(point))
    };
    let features = feature_words(source);
    let tables = source.published.by_depth.iter().filter(|table| table.is_of_ratio(&features));
    let name = "nodes / nodes of the reference";
    let nodes = Upright { name, reference: Some("reference"), is_logarithmic: false };
    let ours = curves.iter().filter_map(ratio).collect();
    let panel = panel("", nodes, tables.filter_map(of_others).collect(), ours);
    let caption = "Below 1, the search needs fewer nodes to the same depth than that with the features \
                   that others are compared with. Ratios of geometric means over positions; the intervals at the last \
                   depth are in the comparisons.";
    finished(source, "Nodes by depth, relative to the reference", &curves, caption, [panel])
}

/// Features of all groups, as they were written.
fn feature_words(source: &Source) -> Vec<String> {
    source.analysis.groups.iter().map(|group| group.configuration.features.to_string()).collect()
}

/// Curves whose searches on one processor tell of their iterations.
fn with_iterations<'a>(source: &'a Source) -> Vec<OurCurve<'a>> {
    curves_with(&source.analysis, |group| group.iterations.len() >= FEWEST)
}

fn iterations<'a>(curve: &OurCurve<'a>) -> &'a [AtIteration] {
    curve.groups.iter().map(|group| &group.iterations[..]).find(|all| all.len() >= FEWEST).unwrap_or_default()
}

/// Lines of a figure of the iterations of these curves.
fn ours(curves: &[OurCurve<'_>], figure: fn(&AtIteration) -> Option<Interval>) -> Vec<Series> {
    let point = |at: &AtIteration| Point::plain(f64::from(at.depth), figure(at)?.estimate);
    let series = |curve: &OurCurve<'_>| {
        Series::new(&curve.name, curve.look, iterations(curve).iter().filter_map(point))
            .filter(|series| series.points.len() >= FEWEST)
    };
    curves.iter().filter_map(series).collect()
}

/// Lines of a figure of the published tables that are meant.
fn published(
    source: &Source,
    is_meant: impl Fn(&ByDepthTable) -> bool,
    figure: fn(&ByDepthRow) -> Option<f64>,
) -> Vec<Series> {
    let tables = source.published.by_depth.iter().filter(|table| is_meant(table));
    let named = tables
        .flat_map(|table| table.series.iter().map(move |(name, rows)| (format!("{}: {name}", table.source), rows)));
    let series = |(place, (name, rows)): (usize, (String, &Vec<ByDepthRow>))| {
        let value = |row: &ByDepthRow| figure(row).filter(|value| *value > 0.0);
        let points = rows.iter().filter_map(|row| Point::plain(f64::from(row.depth), value(row)?));
        Series::new(&name, Look::of_published(place), points)
    };
    named.enumerate().filter_map(series).collect()
}

/// Panel of lines by depth; nothing without any of ours.
fn panel(title: &str, upright: Upright, mut series: Vec<Series>, ours: Vec<Series>) -> Option<Panel> {
    if ours.is_empty() {
        return None;
    }
    series.extend(ours);
    let x = Axis::whole("depth (plies)", xs(&series))?;
    let values = extents(&series).chain(upright.reference.map(|_| 1.0));
    let y = match upright.is_logarithmic {
        true => Axis::logarithmic(upright.name, values)?,
        false => Axis::of_values(upright.name, values, Origin::Free)?,
    };
    let reference = upright.reference.map(|name| Reference::Level(1.0, name));
    Some(Panel::of_lines(title, Lines { x, y, series, reference }))
}

fn finished<const COUNT: usize>(
    source: &Source,
    title: &str,
    curves: &[OurCurve<'_>],
    caption: &str,
    panels: [Option<Panel>; COUNT],
) -> Option<Sheet> {
    let panels: Vec<Panel> = panels.into_iter().flatten().collect();
    let mut sheet = sheet(source, title, &Machines::of_curves(curves), caption).noting(NO_BARS);
    if panels.iter().any(Panel::has_published) {
        sheet.notes.push("Published (grey): other programs, without intervals.".to_owned());
    }
    let columns = columns_for(panels.len());
    sheet.with_panels(panels, columns, HEIGHT)
}
