//! How many times as fast an answer of the same depth comes, with its intervals; and what others published of it.

use crate::report::analysis::{Amdahl, Group};
use crate::report::published::{Published, PublishedSpeedup};
use crate::statistics::amdahl_speedup;

use super::super::axis::Axis;
use super::super::lines::{Lines, Point, Reference, Series};
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::style::Look;
use super::curves::{Machines, OurCurve, PROCESSORS, curves, intervals_caption, legend, processors_of, subtitle};
use super::thesis::speedup_axis;
use super::{Figure, Source};

/// Time speedup by processors.
pub fn time_speedup(source: &Source<'_>) -> Option<Figure> {
    let curves = curves(source.analysis);
    let series = our_series(&curves);
    let has_fit = series.iter().any(|series| !series.fit.is_empty());
    let machines = Machines::of_curves(&curves);
    let mut caption =
        "How many times as fast a search to the same depth is: geometric means over positions.".to_owned();
    caption.push_str(&format!(" {}", intervals_caption(source.analysis)));
    if has_fit {
        caption.push_str(" Thin lines are Amdahl's law, fitted.");
    }
    caption.push_str(machines.caption());
    let entries = legend(&series, &[]);
    let mut sheet = sheet("Time speedup", source, series)?;
    sheet.legend = entries;
    sheet.mark = machines.mark(false);
    if has_fit {
        sheet.notes.push("Thin lines: Amdahl's law, fitted.".to_owned());
    }
    Some(Figure { caption, sheet })
}

/// Time speedup by processors, with published ones.
pub fn time_speedup_published(source: &Source<'_>) -> Option<Figure> {
    let curves = curves(source.analysis);
    let ours: Vec<Series> =
        our_series(&curves).into_iter().map(|series| Series { fit: Vec::new(), ..series }).collect();
    if ours.is_empty() {
        return None;
    }
    let published = published_series(source.published);
    let machines = Machines::of_curves(&curves);
    let mut caption =
        "Our time speedups with their intervals, and published ones (thin and grey, without intervals) of other \
                       programs, positions and baselines."
            .to_owned();
    caption.push_str(&format!(" {}", intervals_caption(source.analysis)));
    if machines.has_virtual() {
        caption.push_str(" Virtual and published time speedups stand beside each other; they cannot be ranked.");
    }
    caption.push_str(machines.caption());
    let entries = legend(&ours, &published);
    let mut sheet = sheet("Time speedup, ours and published", source, [published, ours].concat())?;
    sheet.legend = entries;
    sheet.mark = machines.mark(true);
    if machines.has_virtual() {
        sheet.notes.push("Virtual and published time speedups cannot be ranked.".to_owned());
    }
    Some(Figure { caption, sheet })
}

fn sheet(title: &str, source: &Source<'_>, series: Vec<Series>) -> Option<Sheet> {
    let points = || series.iter().flat_map(|series| series.points.iter());
    let x = Axis::of_processors(PROCESSORS, points().map(|point| point.x))?;
    let y = speedup_axis(&x, "time speedup", points().flat_map(Point::extent))?;
    Some(Sheet {
        title: title.to_owned(),
        subtitle: subtitle(source.analysis),
        mark: None,
        columns: 1,
        panel_height: 420.0,
        panels: vec![Panel {
            title: String::new(),
            plot: Plot::Lines(Lines { x, y, series, reference: Some(Reference::Diagonal) }),
        }],
        legend: legend(&[], &[]),
        notes: Vec::new(),
    })
}

/// Curves with at least one speedup.
fn our_series(curves: &[OurCurve<'_>]) -> Vec<Series> {
    let of_curve = |curve: &OurCurve<'_>| {
        let has_speedup = curve.groups.iter().any(|group| group.against_baseline.is_some());
        let series = has_speedup.then(|| curve.series(time_point)).flatten()?;
        let fit = curve.curve.amdahl.map(|law| fitted(law, &series.points));
        Some(Series { fit: fit.unwrap_or_default(), ..series })
    };
    curves.iter().filter_map(of_curve).collect()
}

/// The time speedup of a group. The baseline is one times as fast as itself, exactly.
pub fn time_point(group: &Group) -> Option<Point> {
    match &group.against_baseline {
        Some(ratios) => Point::with_interval(processors_of(group), ratios.time_speedup),
        None if group.configuration.is_baseline() => Point::plain(processors_of(group), 1.0),
        None => None,
    }
}

/// Amdahl's law from one processor to the largest number there is.
fn fitted(law: Amdahl, points: &[Point]) -> Vec<(f64, f64)> {
    const PIECES: u32 = 100;
    let serial = law.serial.estimate;
    let most = points.iter().map(|point| point.x).fold(1.0, f64::max);
    // Equal ratios, which is fine enough on either scale.
    (0..=PIECES)
        .map(|piece| most.powf(f64::from(piece) / f64::from(PIECES)))
        .map(|n| (n, amdahl_speedup(serial, n)))
        .filter(|(_, speedup)| speedup.is_finite())
        .collect()
}

/// Times to depth, a series for each source, program, algorithm and set of positions.
fn published_series(published: &Published) -> Vec<Series> {
    let mut all: Vec<(String, Vec<Point>)> = Vec::new();
    for row in published.speedups.iter().filter(|row| row.measure == "time-to-depth") {
        let Some(point) = row.number().and_then(|value| Point::plain(f64::from(row.processors), value)) else {
            continue;
        };
        let name = published_name(row);
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some((_, points)) => points.push(point),
            None => all.push((name, vec![point])),
        }
    }
    let looks = (0..).map(Look::of_published);
    all.into_iter().zip(looks).map(|((name, points), look)| Series { name, look, points, fit: Vec::new() }).collect()
}

fn published_name(row: &PublishedSpeedup) -> String {
    // Where a figure was found matters less than whose it is.
    let source = row.source.split(" via ").next().unwrap_or(&row.source);
    let positions = match row.positions.as_str() {
        "other" | "unstated" => "",
        positions => positions,
    };
    let parts = [source, row.algorithm.as_str(), positions];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use crate::statistics::Interval;

    use super::super::super::samples;
    use super::*;

    #[test]
    fn points_are_the_intervals_of_the_analysis() {
        let analysis = samples::processors(&[1, 2, 4, 8], &["ybwc", "lazy"], samples::REAL);
        let curves = curves(&analysis);
        let all = our_series(&curves);
        assert_eq!(all.len(), 2);
        for (series, curve) in all.iter().zip(&analysis.curves) {
            assert_eq!(series.points.len(), curve.groups.len());
            assert_eq!(series.points[0], Point { x: 1.0, y: 1.0, ends: None }, "the baseline");
            for (point, &group) in series.points.iter().zip(&curve.groups).skip(1) {
                let group = &analysis.groups[group];
                let Interval { estimate, low, high } = group.against_baseline.as_ref().unwrap().time_speedup;
                let expected =
                    Point { x: f64::from(group.configuration.threads), y: estimate, ends: Some((low, high)) };
                assert_eq!(*point, expected);
            }
        }
    }

    #[test]
    fn the_fit_is_amdahls_law() {
        let points = [1.0, 4.0, 16.0].map(|x| Point { x, y: 1.0, ends: None });
        let law = fitted(Amdahl { serial: Interval { estimate: 0.1, low: 0.0, high: 0.2 } }, &points);
        assert_eq!(law.first(), Some(&(1.0, 1.0)));
        let (n, speedup) = *law.last().unwrap();
        assert!((n - 16.0).abs() < 1e-9 && (speedup - 6.4).abs() < 1e-9, "{n} {speedup}");
    }

    #[test]
    fn published_times_to_depth_are_all_there_and_nothing_else() {
        let published = Published::load().unwrap();
        let all = published_series(&published);
        let count = published.speedups.iter().filter(|row| row.measure == "time-to-depth").count();
        assert_eq!(all.iter().map(|series| series.points.len()).sum::<usize>(), count);
        let feldmann = all.iter().find(|series| series.name == "Feldmann 1994, YBWC").unwrap();
        assert_eq!(
            feldmann.points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>(),
            [(256.0, 142.0), (1024.0, 344.0)]
        );
    }
}
