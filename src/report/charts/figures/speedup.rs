//! Time speedup: how many times as fast an answer of the same depth comes, with its intervals; and what others
//! published.

use crate::analysis::parallelism::{BY_YBWC, greedy};
use crate::analysis::{Group, ThesisColumns};
use crate::beside::BesidePoint;
use crate::distinct::{distinct, found_or_added};
use crate::published::{Published, PublishedSpeedup, THESIS_DEPTH, ThesisTable};

use super::super::axis::Origin;
use super::super::forest::{self, Forest};
use super::super::lines::{MOST_LINES, Point, Reference, Series, xs};
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::style::Look;
use super::curves::{
    Machines, OurCurve, by_processors, curves_with, first_curves, has_speedup, is_asked_for, on_processors,
    processors_of, series_beside, sheet,
};
use crate::Source;

/// Height of the panel, in units.
const HEIGHT: [f64; 2] = [420.0; 2];

/// Words in legends for the second baseline of strategies that leave out iterations.
const BEST_SCHEDULE: &str = "best schedule";

/// Number of curves beyond which their bounds are not drawn: nobody could tell them apart.
const MOST_BOUNDS: usize = 3;

/// Number of rows beyond which a chart of rows is too high for a page.
const MOST_ROWS: usize = 40;

/// Time speedup by processors: in rows where all curves have one number of processors, else as lines.
pub(crate) fn time_speedup(source: &Source) -> Option<Sheet> {
    time_speedup_in_rows(source).or_else(|| time_speedup_in_lines(source))
}

fn time_speedup_in_rows(source: &Source) -> Option<Sheet> {
    let mut curves = first_curves(&source.analysis, MOST_ROWS);
    curves.retain(|curve| curve.groups.iter().any(|group| has_speedup(group)));
    let panel = in_rows(&series_of_time_speedup(source, &curves)?)?;
    let caption = "Right of the line at 1, a search to the same depth takes less time than on one \
                   processor. Geometric means over positions.";
    let machines = Machines::of_curves(&curves).of_many(MOST_ROWS);
    let mut sheet = sheet(source, "Time speedup", &machines, caption);
    sheet.notes.extend(note_on_schedules(&curves));
    sheet.with_panels(vec![panel], 1, HEIGHT)
}

fn time_speedup_in_lines(source: &Source) -> Option<Sheet> {
    let curves = curves_with(&source.analysis, has_speedup);
    let series = series_of_time_speedup(source, &curves)?;
    let caption = "At a time speedup of 4, a search to the same depth takes a quarter of the time that \
                   it takes on one processor; the line y = x is a speedup without loss. Geometric means over \
                   positions.";
    let mut sheet = sheet(source, "Time speedup", &Machines::of_curves(&curves), caption);
    sheet.notes.extend(note_on_schedules(&curves));
    sheet.with_panels(vec![panel(series)?], 1, HEIGHT)
}

/// Name of the chart of bounds.
const BOUNDS: &str = "time-speedup-bounds";

/// Time speedup by processors with what the trees that were searched would allow, if it is asked for: most readers have
/// no use for lines of what nobody measured.
pub(crate) fn time_speedup_bounds(source: &Source) -> Option<Sheet> {
    let curves: Vec<_> = Some(curves_with(&source.analysis, has_speedup)).filter(|_| is_asked_for(source, BOUNDS))?;
    let ours = our_series(&curves);
    let with_bound = |(series, curve): (Series, &OurCurve<'_>)| Series {
        fit: if curves.len() <= MOST_BOUNDS { bound(curve) } else { Vec::new() },
        ..series
    };
    let first = source.published.thesis.len() + source.published.beside.iter().flat_map(|one| &one.curves).count();
    let limits = limits(source, first, xs(&ours).fold(1.0, f64::max));
    let bounded: Vec<Series> = ours.into_iter().zip(&curves).map(with_bound).collect();
    if limits.is_none() && bounded.iter().all(|series| series.fit.is_empty()) {
        return None;
    }
    let caption = "The same speedups as in the chart of time speedup. A thin line is the number of processors divided \
                   by the nodes relative to one processor: the tree that was searched, shared without any other loss.";
    let mut sheet = sheet(source, "Time speedup and its bounds", &Machines::of_curves(&curves), caption);
    sheet.notes.push("Thin lines: the tree that was searched, shared without loss.".to_owned());
    let series = limits.into_iter().chain(bounded).collect();
    sheet.with_panels(vec![panel(series)?], 1, HEIGHT)
}

/// Series of the runs beside and of these curves; nothing if the curves have no points.
fn series_of_time_speedup(source: &Source, curves: &[OurCurve<'_>]) -> Option<Vec<Series>> {
    let ours = our_series(curves);
    if ours.is_empty() {
        return None;
    }
    let point = |point: &BesidePoint| Point::with_interval(f64::from(point.threads), point.time_speedup?);
    let ours = beside_best_schedules(curves).into_iter().chain(ours);
    Some(series_beside(source, point).into_iter().chain(ours).collect())
}

/// Series of these curves beside one processor under the best schedule of iterations; none if there is no room for them
/// beside our other series.
fn beside_best_schedules(curves: &[OurCurve<'_>]) -> Vec<Series> {
    let beside: Vec<Series> = curves.iter().filter_map(beside_best_schedule).collect();
    if curves.len() + beside.len() > MOST_LINES { Vec::new() } else { beside }
}

/// Note on these series, if there are such.
fn note_on_schedules(curves: &[OurCurve<'_>]) -> Option<String> {
    let note =
        format!("'{BEST_SCHEDULE}': beside one processor that leaves out iterations too, by the best of several.");
    (!beside_best_schedules(curves).is_empty()).then_some(note)
}

/// Time speedup of a curve beside one processor under the best schedule of iterations, from one processor as it is on.
fn beside_best_schedule(curve: &OurCurve<'_>) -> Option<Series> {
    let best = |group: &Group| group.against_baseline.as_ref().and_then(|against| against.best_schedule.clone());
    let as_it_is = curve.groups.iter().rev().find_map(|group| best(group))?.gain.inverse();
    let time_speedup = |group: &Group| match best(group) {
        Some(best) => Some(best.time_speedup),
        None => group.configuration.is_baseline().then_some(as_it_is),
    };
    // No line leads through numbers of processors at which the best schedule is not known.
    let known = curve.groups.iter().rev().take_while(|group| time_speedup(group).is_some()).count();
    let points = curve.groups[curve.groups.len() - known..].iter();
    let points = points.filter_map(|group| Point::with_interval(processors_of(group), time_speedup(group)?));
    let name = format!("{}, {BEST_SCHEDULE}", curve.name);
    Series::new(&name, curve.look.beside_another_baseline(), points)
}

/// Speedups of the tree of one virtual processor, if it were shared without loss by the rule of Young Brothers Wait;
/// nothing if the experiment has several such trees.
fn limits(source: &Source, first: usize, most: f64) -> Option<Series> {
    let mut trees = source.analysis.groups.iter().filter_map(|group| group.parallelism.as_ref());
    let (tree, None) = (trees.next()?, trees.next()) else { return None };
    let numbers = std::iter::successors(Some(1.0), |n| Some(2.0 * n)).take_while(|n| *n <= most);
    let points = numbers.filter_map(|n| Point::plain(n, greedy(tree[BY_YBWC].estimate, n)));
    Series::new("tree of one processor by Young Brothers Wait, no loss", Look::of_published(first), points)
}

/// Panel with a row a curve, where several have been measured on one number of processors only.
fn in_rows(series: &[Series]) -> Option<Panel> {
    let numbers = distinct(xs(series).filter(|threads| *threads > 1.0));
    let ([threads], true) = (&numbers[..], series.len() > 1) else { return None };
    let mut rows = Vec::new();
    for Series { name, look, points, .. } in series {
        let points = points.iter().filter(|point| point.x == *threads);
        points.for_each(|point| forest::add(&mut rows, name, [point.interval()], *look));
    }
    let axis = format!("time speedup, {}", on_processors(*threads as u32));
    Some(Panel { title: String::new(), plot: Plot::Forest(Forest::of(&[&axis], rows)?) })
}

/// Time speedup by processors, with published ones.
pub(crate) fn time_speedup_published(source: &Source) -> Option<Sheet> {
    let curves = curves_with(&source.analysis, has_speedup);
    let ours = our_series(&curves);
    if ours.is_empty() {
        return None;
    }
    let mut series = published_series(&source.published);
    let most = xs(&ours).fold(1.0, f64::max);
    let left_out = without_far(&mut series, most);
    series.extend(ours);
    let machines = Machines::of_curves(&curves);
    let caption = "Each grey line is the published time speedup of one program or machine, with other \
                   positions, depths and baselines than ours: compare the shapes of curves, not their heights.";
    let mut sheet = sheet(source, "Time speedup, ours and published", &machines, caption);
    sheet.notes.push("Published (grey): without intervals.".to_owned());
    sheet.notes.extend(left_out);
    if machines.has_virtual() {
        sheet.notes.push("Virtual and published time speedups cannot be ranked.".to_owned());
    }
    sheet.with_panels(vec![panel(series)?], 1, HEIGHT)
}

/// Leaves out published points of many more processors than ours, which would squeeze all others. Returns a note that
/// gives them.
fn without_far(series: &mut Vec<Series>, most: f64) -> Option<String> {
    /// Multiple of our largest number of processors up to which published points are drawn.
    const FURTHEST: f64 = 2.0;
    let mut far = Vec::new();
    for series in series.iter_mut() {
        let (near, beyond): (Vec<Point>, Vec<Point>) =
            series.points.iter().partition(|point| point.x <= FURTHEST * most.max(16.0));
        let shown = |point: &Point| format!("{} on {}", point.y, point.x);
        if !beyond.is_empty() {
            far.push(format!("{}: {}", series.name, beyond.iter().map(shown).collect::<Vec<_>>().join(", ")));
        }
        series.points = near;
    }
    series.retain(|series| !series.points.is_empty());
    (!far.is_empty()).then(|| format!("Published for more processors, not drawn: {}.", far.join("; ")))
}

fn panel(series: Vec<Series>) -> Option<Panel> {
    by_processors("time speedup", series, Origin::Zero, Some(Reference::Diagonal))
}

/// Curves with at least one speedup.
fn our_series(curves: &[OurCurve<'_>]) -> Vec<Series> {
    let of_curve = |curve: &OurCurve<'_>| {
        let has_speedup = curve.groups.iter().any(|group| has_speedup(group));
        has_speedup.then(|| curve.series(time_point)).flatten()
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

/// Time speedup with which each number of processors would search the nodes that it did if it lost nothing else.
fn bound(curve: &OurCurve<'_>) -> Vec<(f64, f64)> {
    let of_group = |group: &&Group| {
        let nodes = group.against_baseline.as_ref().map_or(1.0, |ratios| ratios.nodes.estimate);
        let n = processors_of(group);
        nodes.is_finite().then_some((n, n / nodes))
    };
    curve.groups.iter().filter_map(of_group).collect()
}

/// Published times to depth: a series for each machine of the thesis, and for each other source, program, algorithm and
/// set of positions.
fn published_series(published: &Published) -> Vec<Series> {
    let mut all: Vec<(String, Vec<Point>)> = published.thesis.iter().map(thesis_series).collect();
    for row in published.speedups.iter().filter(|row| row.measure == "time-to-depth" && !row.is_of_thesis()) {
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

/// Time speedup of a machine of the thesis: ratios of its mean times.
fn thesis_series(table: &ThesisTable) -> (String, Vec<Point>) {
    let time = |columns: &ThesisColumns| columns.time_s.map(|time| time.estimate);
    let one = table.rows.first().and_then(|(_, columns)| time(columns));
    let point = |(cpus, columns): &(u32, ThesisColumns)| Point::plain(f64::from(*cpus), one? / time(columns)?);
    (published_label(table), table.rows.iter().filter_map(point).collect())
}

/// Name of a table of the thesis in legends: its machine and its depth.
pub(super) fn published_label(table: &ThesisTable) -> String {
    format!("Rasmussen 2004, {}, depth {THESIS_DEPTH}", table.computer)
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
    use crate::analysis::Analysis;
    use crate::analysis::samples::under_schedules;
    use crate::statistics::Interval;

    use super::super::super::samples;
    use super::super::curves::curves;
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
    fn the_bound_is_the_number_of_processors_by_the_extra_nodes() {
        let analysis = samples::processors(&[1, 4, 16], &["ybwc"], samples::VIRTUAL);
        for ((n, speedup), group) in bound(&curves(&analysis)[0]).into_iter().zip(&analysis.groups) {
            let nodes = group.against_baseline.as_ref().map_or(1.0, |ratios| ratios.nodes.estimate);
            assert!((speedup * nodes - n).abs() < 1e-9, "{n} {speedup}");
        }
    }

    /// The second baseline is a thinner line of the same colour, which begins where one processor as it is stands.
    #[test]
    fn the_best_schedule_is_a_second_line() {
        let (description, records) = under_schedules(&[(2, 1.25)], 0.01, 1);
        let analysis = Analysis::of(description, &records);
        let curves = curves(&analysis);
        let beside = beside_best_schedules(&curves);
        let [line] = &beside[..] else { panic!("{beside:?}") };
        let lazy = our_series(&curves).into_iter().find(|series| series.name == "lazy").unwrap();
        assert_eq!(line.name, "lazy, best schedule");
        assert_eq!((line.look.colour, line.look.marker), (lazy.look.colour, lazy.look.marker));
        assert!(line.look.width < lazy.look.width && line.look.radius < lazy.look.radius);
        assert!((line.points[0].y * 1.25 - 1.0).abs() < 0.02 && line.points[1].y < 0.85 * lazy.points[1].y, "{line:?}");
        assert!(note_on_schedules(&curves).is_some());
    }

    #[test]
    fn published_times_to_depth_are_all_there_and_nothing_else() {
        let published = Published::load().unwrap();
        let all = published_series(&published);
        let rows =
            published.speedups.iter().filter(|row| row.measure == "time-to-depth" && !row.is_of_thesis()).count();
        let of_thesis = published.thesis.iter().map(|table| table.rows.len()).sum::<usize>();
        assert_eq!(all.iter().map(|series| series.points.len()).sum::<usize>(), rows + of_thesis);
        let feldmann = all.iter().find(|series| series.name == "Feldmann 1994, YBWC").unwrap();
        assert_eq!(
            feldmann.points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>(),
            [(256.0, 142.0), (1024.0, 344.0)]
        );
    }

    #[test]
    fn each_machine_of_the_thesis_has_a_line_through_the_points_that_were_printed() {
        let published = Published::load().unwrap();
        let all = published_series(&published);
        for row in published.speedups.iter().filter(|row| row.measure == "time-to-depth" && row.is_of_thesis()) {
            let (n, printed) = (f64::from(row.processors), row.number().unwrap());
            let is_it = |point: &&Point| point.x == n && (point.y - printed).abs() < 0.005;
            let lines = all[..3].iter().filter(|series| series.points.iter().find(is_it).is_some()).count();
            assert_eq!(lines, 1, "{printed} of {n}");
        }
    }

    #[test]
    fn points_of_many_more_processors_are_named_and_not_drawn() {
        let published = Published::load().unwrap();
        let mut series = published_series(&published);
        let note = without_far(&mut series, 24.0).unwrap();
        assert_eq!(note, "Published for more processors, not drawn: Feldmann 1994, YBWC: 142 on 256, 344 on 1024.");
        assert!(series.iter().flat_map(|series| &series.points).all(|point| point.x <= 48.0));
        assert_eq!(without_far(&mut published_series(&published), 1024.0), None);
    }
}
