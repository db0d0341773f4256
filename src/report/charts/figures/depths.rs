//! Growth of searches on one processor with depth: nodes, time, and leaves beside the minimal tree, with published
//! figures. All depths come from the same runs. The intervals, which would hide the lines, are in `depths.csv`.

use crate::analysis::AtIteration;
use crate::published::{ByDepthRow, ByDepthTable};
use crate::statistics::Interval;

use super::super::axis::{Axis, Origin};
use super::super::lines::{Lines, Point, Reference, Series, extents, xs};
use super::super::sheet::{Panel, Sheet};
use super::super::style::Look;
use super::curves::{Machines, NO_BARS, OurCurve, columns_for, curves_with, is_virtual, sheet};
use crate::Source;

/// Height of a panel, in units.
const HEIGHT: [f64; 2] = [380.0; 2];

/// Fewest depths that are a line.
const FEWEST: usize = 2;

/// Figure of an iteration, and the published figure like it.
struct Quantity {
    /// Name of the axis.
    axis: &'static str,
    ours: fn(&AtIteration) -> Option<Interval>,
    published: fn(&ByDepthRow) -> Option<f64>,
    reference: Option<Reference>,
    /// Whether the axis is of a quantity that grows with depth by a factor.
    is_logarithmic: bool,
}

/// Nodes and time by depth.
pub(crate) fn nodes_by_depth(source: &Source) -> Option<Sheet> {
    let curves = with_iterations(source);
    let is_real = !curves.iter().flat_map(|curve| &curve.groups).any(|group| is_virtual(group));
    let nodes = Quantity {
        axis: "nodes",
        ours: |at| Some(at.nodes),
        published: |row| row.nodes,
        reference: None,
        is_logarithmic: true,
    };
    // Virtual times and published ones are never on one axis.
    let time = Quantity {
        axis: if is_real { "time (s)" } else { "time (virtual s)" },
        ours: |at| Some(at.time_s),
        published: if is_real { |row| row.time_ms.map(|ms| ms / 1e3) } else { |_| None },
        ..nodes
    };
    let of_curves = || sets(source, |table| table.is_of(&source.analysis.description.positions));
    let panels = [("Nodes", nodes), ("Time", time)];
    let panels = panels.into_iter().filter_map(|(title, quantity)| panel(title, &quantity, &curves, of_curves()));
    let caption = "Nodes and time up to the end of the iteration of each depth, both on logarithmic \
                   axes: the steeper a line, the larger its branching factor. Geometric means over positions.";
    finished(source, "Nodes and time by depth", &curves, caption, panels.collect())
}

/// Factor by which time grows with a ply.
pub(crate) fn growth_by_depth(source: &Source) -> Option<Sheet> {
    let curves = with_iterations(source);
    let growth = Quantity {
        axis: "time / time of the depth before",
        ours: |at| at.growth,
        published: |row| row.growth,
        reference: None,
        is_logarithmic: false,
    };
    let of_curves = sets(source, |table| table.has_growth());
    let panel = panel("", &growth, &curves, of_curves);
    let caption = "At 2, a search that is one ply deeper takes twice the time. Times are up to the end \
                   of the iteration of each depth. Published factors are of other programs and positions. Geometric \
                   means over positions.";
    finished(source, "Growth of time by depth", &curves, caption, panel.into_iter().collect())
}

/// Leaves for each of the minimal tree, by depth.
pub(crate) fn minimal_tree(source: &Source) -> Option<Sheet> {
    let curves = with_iterations(source);
    let over_minimum = Quantity {
        axis: "leaves / leaves of the minimal trees",
        ours: |at| at.over_minimum,
        published: |_| None,
        reference: Some(Reference::Level(1.0, "minimal tree")),
        is_logarithmic: true,
    };
    let panel = panel("", &over_minimum, &curves, Vec::new());
    let caption = "At 1, the search has as many leaves as alpha-beta needs with the best order of \
                   moves. Leaves are nodes of the main search that go on to quiescence; the minimal tree of depth d \
                   has B^ceil(d/2) + B^floor(d/2) - 1 of them (Knuth and Moore 1975), where B is the mean number of \
                   legal moves. Both are added up over all iterations to the depth. A table, and what prunes, \
                   reduces or extends, change the number of leaves too. Geometric means over positions.";
    finished(source, "Leaves beside the minimal tree", &curves, caption, panel.into_iter().collect())
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
        let points: Vec<Point> = points.collect();
        Series::new(&curve.name, curve.look, points).filter(|series| series.points.iter().any(|point| point.y != 1.0))
    };
    let mut series: Vec<Series> = Vec::new();
    for table in source.published.by_depth.iter().filter(|table| table.is_of_ratio(&feature_words(source))) {
        let [(_, without), (name, with)] = &table.series[..] else { continue };
        let point = |(without, with): (&ByDepthRow, &ByDepthRow)| {
            Point::plain(f64::from(with.depth), with.nodes? / without.nodes?)
        };
        let name = format!("{}: {name}", table.source);
        series.extend(Series::new(&name, Look::of_published(0), without.iter().zip(with).filter_map(point)));
    }
    let ours: Vec<Series> = curves.iter().filter_map(ratio).collect();
    if ours.is_empty() {
        return None;
    }
    series.extend(ours);
    let x = Axis::whole("depth (plies)", xs(&series))?;
    let y = Axis::of_values("nodes / nodes of the reference", extents(&series).chain([1.0]), Origin::Free)?;
    let panel = Panel::of_lines("", Lines { x, y, series, reference: Some(Reference::Level(1.0, "reference")) });
    let caption = "Below 1, the search needs fewer nodes to the same depth than that with the features \
                   that others are compared with. Ratios of geometric means over positions; the intervals at the last \
                   depth are in the comparisons.";
    finished(source, "Nodes by depth, relative to the reference", &curves, caption, vec![panel])
}

/// Features of all groups, as they were written.
fn feature_words(source: &Source) -> Vec<String> {
    source.analysis.groups.iter().map(|group| group.configuration.field("features")).collect()
}

/// Curves whose searches on one processor tell of their iterations.
fn with_iterations<'a>(source: &'a Source) -> Vec<OurCurve<'a>> {
    curves_with(&source.analysis, |group| group.iterations.len() >= FEWEST)
}

fn iterations<'a>(curve: &OurCurve<'a>) -> &'a [AtIteration] {
    curve.groups.iter().map(|group| &group.iterations[..]).find(|all| all.len() >= FEWEST).unwrap_or_default()
}

/// Published series of the tables that are meant, with their names.
fn sets<'a>(source: &'a Source, is_meant: impl Fn(&ByDepthTable) -> bool) -> Vec<(String, &'a [ByDepthRow])> {
    let of_table = |table: &'a ByDepthTable| {
        table.series.iter().map(move |(name, rows)| (format!("{}: {name}", table.source), &rows[..]))
    };
    source.published.by_depth.iter().filter(|table| is_meant(table)).flat_map(of_table).collect()
}

fn panel(
    title: &str,
    quantity: &Quantity,
    curves: &[OurCurve<'_>],
    published: Vec<(String, &[ByDepthRow])>,
) -> Option<Panel> {
    let point = |at: &AtIteration| Point::plain(f64::from(at.depth), (quantity.ours)(at)?.estimate);
    let ours: Vec<Series> = curves
        .iter()
        .filter_map(|curve| Series::new(&curve.name, curve.look, iterations(curve).iter().filter_map(point)))
        .filter(|series| series.points.len() >= FEWEST)
        .collect();
    if ours.is_empty() {
        return None;
    }
    let of_others = |(place, (name, rows)): (usize, (String, &[ByDepthRow]))| {
        let value = |row: &ByDepthRow| (quantity.published)(row).filter(|value| *value > 0.0);
        let points = rows.iter().filter_map(|row| Point::plain(f64::from(row.depth), value(row)?));
        Series::new(&name, Look::of_published(place), points)
    };
    let mut series: Vec<Series> = published.into_iter().enumerate().filter_map(of_others).collect();
    series.extend(ours);
    let x = Axis::whole("depth (plies)", xs(&series))?;
    let level = quantity.reference.is_some().then_some(1.0);
    let values = extents(&series).chain(level);
    let y = if quantity.is_logarithmic {
        Axis::logarithmic(quantity.axis, values)?
    } else {
        Axis::of_values(quantity.axis, values, Origin::Free)?
    };
    Some(Panel::of_lines(title, Lines { x, y, series, reference: quantity.reference }))
}

fn finished(source: &Source, title: &str, curves: &[OurCurve<'_>], caption: &str, panels: Vec<Panel>) -> Option<Sheet> {
    let mut sheet = sheet(source, title, &Machines::of_curves(curves), caption).noting(NO_BARS);
    if panels.iter().any(Panel::has_published) {
        sheet.notes.push("Published (grey): other programs, without intervals.".to_owned());
    }
    let columns = columns_for(panels.len());
    sheet.with_panels(panels, columns, HEIGHT)
}
