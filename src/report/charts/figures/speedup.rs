//! Time speedup: how many times as fast an answer of the same depth comes, with its intervals; and what others
//! published.

use crate::distinct::found_or_added;
use crate::report::analysis::{Amdahl, Group};
use crate::report::published::{Published, PublishedSpeedup};
use crate::statistics::amdahl_speedup;

use super::super::axis::Origin;
use super::super::lines::{Point, Reference, Series};
use super::super::sheet::{Panel, Sheet};
use super::super::style::Look;
use super::Source;
use super::curves::{
    Machines, OurCurve, by_processors, curves, intervals_caption, processors_of, series_beside, sheet,
};

/// Height of the panel, in units.
const HEIGHT: [f64; 2] = [420.0; 2];

/// Time speedup by processors.
pub(super) fn time_speedup(source: &Source<'_>) -> Option<Sheet> {
    let curves = curves(source.analysis);
    let ours = our_series(&curves);
    if ours.is_empty() {
        return None;
    }
    let mut series = series_beside(source, |point| Point::with_interval(f64::from(point.threads), point.time_speedup?));
    series.extend(ours);
    let has_fit = series.iter().any(|series| !series.fit.is_empty());
    let fit = if has_fit { " Thin lines are Amdahl's law, fitted." } else { "" };
    let intervals = intervals_caption(source.analysis);
    let caption = format!(
        "How many times as fast a search to the same depth is: geometric means over positions. {intervals}{fit}"
    );
    let mut sheet = sheet(source, "Time speedup", &Machines::of_curves(&curves), caption);
    if has_fit {
        sheet.notes.push("Thin lines: Amdahl's law, fitted.".to_owned());
    }
    sheet.with_panels(vec![panel(series)?], 1, HEIGHT)
}

/// Time speedup by processors, with published ones.
pub(super) fn time_speedup_published(source: &Source<'_>) -> Option<Sheet> {
    let curves = curves(source.analysis);
    let ours = our_series(&curves);
    if ours.is_empty() {
        return None;
    }
    let mut series = published_series(source.published);
    series.extend(ours.into_iter().map(|series| Series { fit: Vec::new(), ..series }));
    let machines = Machines::of_curves(&curves);
    let mut caption = format!(
        "Our time speedups with their intervals, and published ones (thin and grey, without intervals) of other \
         programs, positions and baselines. {}",
        intervals_caption(source.analysis)
    );
    let mut notes = Vec::new();
    if machines.has_virtual() {
        caption.push_str(" Virtual and published time speedups stand beside each other; they cannot be ranked.");
        notes.push("Virtual and published time speedups cannot be ranked.".to_owned());
    }
    let sheet = sheet(source, "Time speedup, ours and published", &machines, caption);
    Sheet { notes, ..sheet }.with_panels(vec![panel(series)?], 1, HEIGHT)
}

fn panel(series: Vec<Series>) -> Option<Panel> {
    by_processors("time speedup", series, Origin::Zero, Some(Reference::Diagonal))
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

/// Time speedup of a group. The baseline is one times as fast as itself, exactly.
pub(super) fn time_point(group: &Group) -> Option<Point> {
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

/// Published times to depth, a series for each source, program, algorithm and set of positions.
fn published_series(published: &Published) -> Vec<Series> {
    let mut all: Vec<(String, Vec<Point>)> = Vec::new();
    for row in published.speedups.iter().filter(|row| row.measure == "time-to-depth") {
        let Some(point) = row.number().and_then(|value| Point::plain(f64::from(row.processors), value)) else {
            continue;
        };
        let name = published_name(row);
        found_or_added(&mut all, |(other, _)| *other == name, || (name.clone(), Vec::new())).1.push(point);
    }
    let series =
        |(place, (name, points)): (usize, (String, Vec<Point>))| Series::new(&name, Look::of_published(place), points);
    all.into_iter().enumerate().filter_map(series).collect()
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
        let law = fitted(Amdahl { serial: Interval { estimate: 0.1, low: 0.0, high: 0.2 }, residual: 0.0 }, &points);
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
