//! Differences between positions: the spread of the speedup among them, and of the baseline within them. Outliers are
//! named, not removed.

use std::collections::BTreeSet;

use crate::report::analysis::{BaselineSpread, Group};
use crate::report::published::{DTS_SUITE, Published};

use super::super::axis::Axis;
use super::super::lines::Point;
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::strips::{Dot, Strip, Strips};
use super::super::style::Look;
use super::Source;
use super::curves::{Machines, OurCurve, PROCESSORS, curves_with, intervals_caption, is_virtual, processors_of, sheet};

/// Greatest number of strips that are wide enough in half a page.
const MOST_STRIPS_IN_HALF: usize = 8;

/// Radius of a point, in units.
const RADIUS: f64 = 4.0;

/// Time speedup of each position.
pub(super) fn positions(source: &Source<'_>) -> Option<Sheet> {
    let curves = curves_with(source.analysis, has_speedups);
    let of_curve = |curve: &OurCurve<'_>| {
        let groups = curve.groups.iter().copied().filter(|group| has_speedups(group));
        (curve.name.clone(), Look { radius: RADIUS, ..curve.look }, groups.map(strip).collect())
    };
    let mut all: Vec<(String, Look, Vec<Strip>)> = curves.iter().map(of_curve).collect();
    if all.is_empty() {
        return None;
    }
    if source.analysis.description.suite.as_deref() == Some(DTS_SUITE) {
        all.push(("Hyatt 1994, DTS, published".to_owned(), Look::of_published(0), published_strips(source.published)));
    }
    let values = all.iter().flat_map(|(_, _, strips)| strips).flat_map(|strip| {
        let centre = strip.centre.into_iter().flat_map(|centre| centre.extent().collect::<Vec<_>>());
        strip.dots.iter().map(|dot| dot.value).chain(centre)
    });
    let y = Axis::powers_of_two("time speedup", values)?;
    let caption = format!(
        "The time speedup of each position, by number of processors; black lines are their geometric means, grey ones \
         y = x. {} Ringed and named positions are outliers by a test; they count.",
        intervals_caption(source.analysis)
    );
    let most_strips = all.iter().map(|(_, _, strips)| strips.len()).max().unwrap_or(0);
    let columns = if all.len() > 1 && most_strips <= MOST_STRIPS_IN_HALF { 2 } else { 1 };
    let panel = |(title, look, strips)| {
        let strips = Strips { strips, strips_name: PROCESSORS.to_owned(), y: y.clone(), look, level: None };
        Panel { title, plot: Plot::Strips(strips) }
    };
    let panels: Vec<Panel> = all.into_iter().map(panel).collect();
    sheet(source, "Time speedup by position", &Machines::of_curves(&curves), caption).with_panels(
        panels,
        columns,
        [400.0, 280.0],
    )
}

/// Nodes of each run of the baseline.
pub(super) fn baseline(source: &Source<'_>) -> Option<Sheet> {
    let is_repeated = |spread: &&BaselineSpread| spread.relative_nodes.iter().any(|(_, runs)| runs.len() > 1);
    let spreads = source.analysis.baseline_spread.iter().filter(is_repeated);
    let spreads: Vec<(&BaselineSpread, &Group)> =
        spreads.map(|spread| (spread, &source.analysis.groups[spread.group])).collect();
    let values = spreads.iter().flat_map(|(spread, _)| &spread.relative_nodes).flat_map(|(_, runs)| runs);
    let y = Axis::logarithmic("relative nodes", values.copied().chain([1.0]))?;
    let panel = |(place, (spread, group)): (usize, &(&BaselineSpread, &Group))| {
        let strips = spread.relative_nodes.iter().map(|(position, runs)| Strip {
            name: position.clone(),
            dots: runs.iter().filter(|value| value.is_finite()).map(|&value| Dot { value, outlier: None }).collect(),
            centre: None,
            reference: None,
        });
        let deviation = spread.log_sd.map(|sd| format!("standard deviation of the logarithm {sd:.2}"));
        let name = (spreads.len() > 1).then(|| group.label.clone());
        let look = Look { radius: RADIUS, ..Look::of_curve(place, is_virtual(group)) };
        let (strips, strips_name) = (strips.collect(), "position".to_owned());
        let plot = Plot::Strips(Strips { strips, strips_name, y: y.clone(), look, level: Some(1.0) });
        Panel { title: name.into_iter().chain(deviation).collect::<Vec<_>>().join(": "), plot }
    };
    let panels: Vec<Panel> = spreads.iter().enumerate().map(panel).collect();
    let caption = "Nodes of each run of the baseline relative to their geometric mean, by position: the same search \
                   with other seeds. Every run is a point; there are no intervals.";
    let machines = Machines::of(spreads.iter().map(|(_, group)| *group));
    sheet(source, "Spread of the baseline", &machines, caption.to_owned()).with_panels(panels, 1, [360.0, 270.0])
}

fn has_speedups(group: &Group) -> bool {
    group.by_position.iter().any(|row| row.time_speedup.is_some_and(f64::is_finite))
}

/// Speedups of the positions of a group.
fn strip(group: &Group) -> Strip {
    let dots = group.by_position.iter().filter_map(|row| {
        let value = row.time_speedup.filter(|value| value.is_finite() && *value > 0.0)?;
        let is_outlier = row.is_outlier;
        Some(Dot { value, outlier: is_outlier.then(|| row.position.clone()) })
    });
    let n = processors_of(group);
    Strip {
        name: group.configuration.threads.to_string(),
        dots: dots.collect(),
        centre: group.against_baseline.as_ref().and_then(|ratios| Point::with_interval(n, ratios.time_speedup)),
        reference: Some(n),
    }
}

/// Printed speedups of dynamic tree splitting, for more than one processor.
fn published_strips(published: &Published) -> Vec<Strip> {
    let numbers: BTreeSet<u32> = published.dts.iter().map(|row| row.processors).filter(|&n| n > 1).collect();
    let of_number = |n: u32| {
        let rows = published.dts.iter().filter(|row| row.processors == n);
        let dots = rows.map(|row| Dot { value: row.speedup_printed, outlier: None }).collect();
        Strip { name: n.to_string(), dots, centre: None, reference: Some(f64::from(n)) }
    };
    numbers.into_iter().map(of_number).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::samples;
    use super::*;

    #[test]
    fn every_position_is_a_point_and_outliers_are_named() {
        let mut analysis = samples::processors(&[1, 4], &["ybwc"], samples::REAL);
        let group = analysis.curves[0].groups[1];
        analysis.groups[group].by_position[3].is_outlier = true;
        let strip = strip(&analysis.groups[group]);
        assert_eq!(strip.dots.len(), analysis.groups[group].by_position.len());
        for (dot, row) in strip.dots.iter().zip(&analysis.groups[group].by_position) {
            assert_eq!(Some(dot.value), row.time_speedup);
            assert_eq!(dot.outlier.is_some(), row.position == analysis.groups[group].by_position[3].position);
        }
    }

    #[test]
    fn published_positions_are_those_of_more_than_one_processor() {
        let strips = published_strips(&Published::load().unwrap());
        let sizes: Vec<_> = strips.iter().map(|strip| (strip.name.as_str(), strip.dots.len())).collect();
        assert_eq!(sizes, [("2", 24), ("4", 24), ("8", 24), ("16", 24)]);
    }
}
