//! How positions differ: the spread of the speedup among them, and of the baseline within them. Outliers are named, not
//! removed.

use crate::report::analysis::Group;
use crate::report::published::{DTS_SUITE, Published};
use crate::statistics::OUTLIER_Z;

use super::super::axis::Axis;
use super::super::lines::Point;
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::strips::{Dot, Strip, Strips};
use super::super::style::Look;
use super::curves::{
    Machines, OurCurve, PROCESSORS, curves, intervals_caption, is_virtual, legend_of, limited, processors_of, subtitle,
};
use super::{Figure, Source};

/// Strips that are wide enough in half a page.
const MOST_STRIPS_IN_HALF: usize = 8;

/// The radius of a point, in units.
const RADIUS: f64 = 4.0;

/// Time speedup of each position.
pub fn positions(source: &Source<'_>) -> Option<Figure> {
    let curves: Vec<OurCurve<'_>> = curves(source.analysis)
        .into_iter()
        .filter(|curve| curve.groups.iter().any(|group| has_speedups(group)))
        .collect();
    let ours = curves.iter().map(|curve| {
        let groups = curve.groups.iter().copied().filter(|group| has_speedups(group));
        (curve.name.clone(), Look { radius: RADIUS, ..curve.look }, groups.map(strip).collect::<Vec<_>>())
    });
    let mut all: Vec<(String, Look, Vec<Strip>)> = ours.collect();
    if all.is_empty() {
        return None;
    }
    let has_published = source.analysis.description.suite.as_deref() == Some(DTS_SUITE);
    if has_published {
        all.push(("Hyatt 1994, DTS, published".to_owned(), Look::of_published(0), published_strips(source.published)));
    }
    let values = all.iter().flat_map(|(_, _, strips)| strips).flat_map(|strip| {
        let centre = strip.centre.into_iter().flat_map(|centre| centre.extent().collect::<Vec<_>>());
        strip.dots.iter().map(|dot| dot.value).chain(centre)
    });
    let y = Axis::powers_of_two("time speedup", values)?;
    let machines = Machines::of_curves(&curves);
    let caption = format!(
        "The time speedup of each position, by number of processors; black lines are their geometric means, grey ones y = x. \
         {} Ringed and named positions have a modified z-score beyond {OUTLIER_Z}; they count.{}",
        intervals_caption(source.analysis),
        machines.caption()
    );
    let most_strips = all.iter().map(|(_, _, strips)| strips.len()).max().unwrap_or(0);
    let columns = if all.len() > 1 && most_strips <= MOST_STRIPS_IN_HALF { 2 } else { 1 };
    let panels = all.into_iter().map(|(title, look, strips)| Panel {
        title,
        plot: Plot::Strips(Strips { strips, strips_name: PROCESSORS.to_owned(), y: y.clone(), look, level: None }),
    });
    let (panels, notes) = limited(panels.collect(), columns);
    let sheet = Sheet {
        title: "Time speedup by position".to_owned(),
        subtitle: subtitle(source.analysis),
        mark: machines.mark(has_published),
        columns,
        panel_height: if panels.len() == 1 { 400.0 } else { 280.0 },
        panels,
        legend: legend_of([]),
        notes,
    };
    Some(Figure { caption, sheet })
}

/// Nodes of each run of the baseline.
pub fn baseline(source: &Source<'_>) -> Option<Figure> {
    let spreads: Vec<_> = source
        .analysis
        .baseline_spread
        .iter()
        .filter(|spread| spread.relative_nodes.iter().any(|(_, runs)| runs.len() > 1))
        .filter_map(|spread| Some((spread, source.analysis.groups.get(spread.group)?)))
        .collect();
    let values =
        spreads.iter().flat_map(|(spread, _)| &spread.relative_nodes).flat_map(|(_, runs)| runs.iter().copied());
    let y = Axis::logarithmic("relative nodes", values.chain([1.0]).filter(|_| !spreads.is_empty()))?;
    let machines = Machines::of(spreads.iter().map(|(_, group)| *group));
    let panels = spreads.iter().enumerate().map(|(place, (spread, group))| {
        let strips = spread.relative_nodes.iter().map(|(position, runs)| Strip {
            name: position.clone(),
            dots: runs.iter().filter(|value| value.is_finite()).map(|&value| Dot { value, outlier: None }).collect(),
            centre: None,
            reference: None,
        });
        let deviation = spread.log_sd.map(|sd| format!("standard deviation of the logarithm {sd:.2}"));
        let named = if spreads.len() > 1 { Some(name_of(group)) } else { None };
        Panel {
            title: named.into_iter().chain(deviation).collect::<Vec<_>>().join(": "),
            plot: Plot::Strips(Strips {
                strips: strips.collect(),
                strips_name: "position".to_owned(),
                y: y.clone(),
                look: Look { radius: RADIUS, ..Look::of_curve(place, is_virtual(group)) },
                level: Some((1.0, "")),
            }),
        }
    });
    let (panels, notes) = limited(panels.collect(), 1);
    let sheet = Sheet {
        title: "Spread of the baseline".to_owned(),
        subtitle: subtitle(source.analysis),
        mark: machines.mark(false),
        columns: 1,
        panel_height: if panels.len() == 1 { 360.0 } else { 270.0 },
        panels,
        legend: legend_of([]),
        notes,
    };
    let caption = format!(
        "Nodes of each run of the baseline relative to their geometric mean, by position: the same search with other seeds. \
         Every run is a point; there are no intervals.{}",
        machines.caption()
    );
    Some(Figure { caption, sheet })
}

fn name_of(group: &Group) -> String {
    if group.label.trim().is_empty() { group.configuration.strategy.clone() } else { group.label.clone() }
}

fn has_speedups(group: &Group) -> bool {
    group.by_position.iter().any(|row| row.time_speedup.is_some_and(f64::is_finite))
}

/// The positions of a group.
fn strip(group: &Group) -> Strip {
    let dots = group.by_position.iter().filter_map(|row| {
        let value = row.time_speedup.filter(|value| value.is_finite() && *value > 0.0)?;
        let is_outlier = row.z_score.is_some_and(|score| score.abs() > OUTLIER_Z);
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
    let mut numbers: Vec<u32> = published.dts.iter().map(|row| row.processors).filter(|&n| n > 1).collect();
    numbers.sort_unstable();
    numbers.dedup();
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
        analysis.groups[group].by_position[3].z_score = Some(-4.0);
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
