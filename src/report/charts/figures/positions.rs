//! Differences between positions and between runs: the spread of the speedup among positions, of the baseline within
//! them, and of the time of every run. Outliers are named, not removed.

use std::collections::BTreeSet;

use crate::analysis::{BaselineSpread, Group};
use crate::published::{DTS_SUITE, Published};

use super::super::axis::Axis;
use super::super::point::Point;
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::strips::{Dot, Strip, Strips};
use super::super::style::Look;
use super::curves::{Arranged, Machines, NO_BARS, arranged, curves_with, is_virtual, processors_of, sheet};
use crate::Source;

/// Greatest number of strips that are wide enough in half a page.
const MOST_STRIPS_IN_HALF: usize = 8;

/// Radius of a point, in units.
const RADIUS: f64 = 4.0;

/// Time speedup of each position.
pub(crate) fn positions(source: &Source) -> Option<Sheet> {
    let curves = curves_with(&source.analysis, has_speedups);
    let mut all = arranged(&curves, |curve, group| has_speedups(group).then(|| strip(curve.look, group)));
    if all.1.is_empty() {
        return None;
    }
    if source.analysis.description.suite.as_deref() == Some(DTS_SUITE) {
        all.1.push(("Hyatt 1994, DTS, published".to_owned(), published_strips(&source.published)));
    }
    let caption = "Each point is a position; the black line is their geometric mean, the grey line is \
                   y = x. Positions with a ring and a name are outliers by a test; the means include them.";
    let sheet = sheet(source, "Time speedup by position", &Machines::of_curves(&curves).in_panels(), caption);
    with_strips(Sheet { drops_single_places: false, ..sheet }, "time speedup", all)
}

/// Chart with panels of strips, all on one axis.
fn with_strips(sheet: Sheet, axis: &str, (below, panels): Arranged<Strip>) -> Option<Sheet> {
    let strips = || panels.iter().flat_map(|(_, strips)| strips).map(|(_, strip)| strip);
    let values = strips().flat_map(|strip| {
        let centre = strip.centre.into_iter().flat_map(|centre| centre.extent().collect::<Vec<_>>());
        strip.dots.iter().map(|dot| dot.value).chain(centre)
    });
    let y = Axis::powers_of_two(axis, values)?;
    let most = panels.iter().map(|(_, strips)| strips.len()).max().unwrap_or(0);
    let columns = if panels.len() > 1 && most <= MOST_STRIPS_IN_HALF { 2 } else { 1 };
    let panel = |(title, strips): (String, Vec<(String, Strip)>)| {
        let strips = strips.into_iter().map(|(name, strip)| Strip { name, ..strip }).collect();
        Panel { title, plot: Plot::Strips(Strips { strips, strips_name: below.clone(), y: y.clone(), level: None }) }
    };
    sheet.with_panels(panels.into_iter().map(panel).collect(), columns, [400.0, 280.0])
}

/// Nodes of each run of the baseline.
pub(crate) fn baseline(source: &Source) -> Option<Sheet> {
    let is_repeated = |spread: &&BaselineSpread| spread.relative_nodes.iter().any(|(_, runs)| runs.len() > 1);
    let spreads = source.analysis.baseline_spread.iter().filter(is_repeated);
    let spreads: Vec<(&BaselineSpread, &Group)> =
        spreads.map(|spread| (spread, &source.analysis.groups[spread.group])).collect();
    let values = spreads.iter().flat_map(|(spread, _)| &spread.relative_nodes).flat_map(|(_, runs)| runs);
    let y = Axis::logarithmic("relative nodes", values.copied().chain([1.0]))?;
    let panel = |(place, (spread, group)): (usize, &(&BaselineSpread, &Group))| {
        let look = Look { radius: RADIUS, ..Look::of_curve(place, is_virtual(group)) };
        let strips = spread.relative_nodes.iter().map(|(position, runs)| Strip {
            name: position.clone(),
            look,
            dots: runs.iter().filter(|value| value.is_finite()).map(|&value| Dot { value, outlier: None }).collect(),
            centre: None,
            reference: None,
        });
        let deviation = spread.log_sd.map(|sd| format!(" (standard deviation of ln nodes: {sd:.2})"));
        let (strips, strips_name) = (strips.collect(), format!("position{}", deviation.unwrap_or_default()));
        let title = if spreads.len() > 1 { group.label.clone() } else { String::new() };
        Panel { title, plot: Plot::Strips(Strips { strips, strips_name, y: y.clone(), level: Some(1.0) }) }
    };
    let panels: Vec<Panel> = spreads.iter().enumerate().map(panel).collect();
    let caption = "Each point is the number of nodes of one search of the baseline, relative to the \
                   geometric mean at its position. The searches of a position differ in their seeds only: the spread \
                   shows how much a single search on one processor is a matter of chance.";
    let machines = Machines::of(spreads.iter().map(|(_, group)| *group)).in_panels();
    sheet(source, "Run-to-run spread of the baseline", &machines, caption).noting(NO_BARS).with_panels(
        panels,
        1,
        [360.0, 270.0],
    )
}

fn has_speedups(group: &Group) -> bool {
    group.by_position.iter().any(|row| row.time_speedup.is_some_and(f64::is_finite))
}

/// Speedups of the positions of a group.
fn strip(look: Look, group: &Group) -> Strip {
    let dots = group.by_position.iter().filter_map(|row| {
        let value = row.time_speedup.filter(|value| value.is_finite() && *value > 0.0)?;
        let is_outlier = row.is_outlier;
        Some(Dot { value, outlier: is_outlier.then(|| row.position.clone()) })
    });
    let n = processors_of(group);
    Strip {
        name: String::new(),
        look: Look { radius: RADIUS, ..look },
        dots: dots.collect(),
        centre: group.against_baseline.as_ref().and_then(|ratios| Point::with_interval(n, ratios.time_speedup)),
        reference: Some(n),
    }
}

/// Printed speedups of dynamic tree splitting, for more than one processor.
fn published_strips(published: &Published) -> Vec<(String, Strip)> {
    let numbers: BTreeSet<u32> = published.dts.iter().map(|row| row.processors).filter(|&n| n > 1).collect();
    let of_number = |n: u32| {
        let rows = published.dts.iter().filter(|row| row.processors == n);
        let dots = rows.map(|row| Dot { value: row.speedup_printed, outlier: None }).collect();
        let (look, reference) = (Look::of_published(0), Some(f64::from(n)));
        (n.to_string(), Strip { name: String::new(), look, dots, centre: None, reference })
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
        let strip = strip(Look::of_curve(0, false), &analysis.groups[group]);
        assert_eq!(strip.dots.len(), analysis.groups[group].by_position.len());
        for (dot, row) in strip.dots.iter().zip(&analysis.groups[group].by_position) {
            assert_eq!(Some(dot.value), row.time_speedup);
            assert_eq!(dot.outlier.is_some(), row.position == analysis.groups[group].by_position[3].position);
        }
    }

    #[test]
    fn published_positions_are_those_of_more_than_one_processor() {
        let strips = published_strips(&Published::load().unwrap());
        let sizes: Vec<_> = strips.iter().map(|(name, strip)| (name.as_str(), strip.dots.len())).collect();
        assert_eq!(sizes, [("2", 24), ("4", 24), ("8", 24), ("16", 24)]);
    }

    #[test]
    fn baselines_of_equal_figures_are_one_panel() {
        let mut analysis = samples::processors(&[1, 4], &["ybwc"], samples::REAL);
        let mut other = analysis.baseline_spread[0].clone();
        other.group = analysis.groups.len();
        analysis.groups.push(Group { label: "another".to_owned(), ..analysis.groups[0].clone() });
        analysis.baseline_spread.push(other);
        let sheet = baseline(&Source::of(analysis.clone())).unwrap();
        let titles: Vec<&str> = sheet.panels.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!(titles, [format!("{} = another", analysis.groups[0].label)]);
    }
}
