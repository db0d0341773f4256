//! What comes on the way to the last depth: the speedup at each depth, and the share of positions solved by each time.

use crate::report::analysis::{AtDepth, Group};
use crate::statistics::Interval;

use super::super::axis::{Axis, Origin};
use super::super::lines::{Lines, Point, Reference, Series, extents, xs};
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::style::Look;
use super::curves::{Machines, OurCurve, bars, curves, is_virtual, processors_of, sheet};
use crate::report::Source;

/// Height of a panel, in units.
const HEIGHT: [f64; 2] = [380.0; 2];

/// Number of points of which one has a bar, among solutions.
const BARS_EVERY: usize = 4;

/// Time speedup at each depth, of the most processors of each curve.
pub(in crate::report) fn speedup_by_depth(source: &Source) -> Option<Sheet> {
    let curves = curves(&source.analysis);
    let point = |at: &AtDepth| Point::with_interval(f64::from(at.depth), at.time_speedup);
    let of_curve = |curve: &OurCurve<'_>| {
        let most = curve.groups.last()?;
        let depths = &most.by_depth.as_ref()?.depths;
        let points = depths.iter().filter_map(point);
        Series::new(&name(curve, most), curve.look, points).filter(|series| series.points.len() > 1)
    };
    let series: Vec<Series> = curves.iter().filter_map(of_curve).collect();
    let x = Axis::whole("depth (plies)", xs(&series))?;
    let y = Axis::of_values("time speedup", extents(&series).chain([1.0]), Origin::Free)?;
    let caption = "A rising line means that deeper searches gain more from the same processors. The \
                   same runs give all depths, from the first to the last. Geometric means over positions. Depths that \
                   take less than a millisecond are left out.";
    let bars = bars(&source.analysis);
    let plot = Plot::Lines(Lines { x, y, series, reference: Some(Reference::Level(1.0, "")) });
    let panel = Panel { title: String::new(), plot };
    sheet(source, "Time speedup by depth", &Machines::of_curves(&curves), caption, &bars).with_panels(
        vec![panel],
        1,
        HEIGHT,
    )
}

/// Share of positions solved by time, of the baseline and of the most processors of each curve.
pub(in crate::report) fn solutions(source: &Source) -> Option<Sheet> {
    let curves = curves(&source.analysis);
    let points = |group: &Group| -> Vec<Point> {
        let curve = group.solving.iter().flat_map(|solving| &solving.curve).enumerate();
        let point = |(place, (time, share)): (usize, &(f64, Interval))| {
            let percent = share.map(|share| 100.0 * share);
            // Intervals at all points would hide the lines.
            let has_bar = place > 0 && place % BARS_EVERY == 0;
            if has_bar { Point::with_interval(*time, percent) } else { Point::plain(*time, percent.estimate) }
        };
        curve.filter_map(point).collect()
    };
    let first_of_baselines = curves.len();
    // Real and virtual times are never on one axis.
    let panel = |of_virtual: bool| {
        let curves: Vec<_> =
            curves.iter().filter(|curve| curve.groups.iter().any(|one| is_virtual(one) == of_virtual)).collect();
        let mut series: Vec<Series> = Vec::new();
        for curve in &curves {
            let (Some(first), Some(most)) = (curve.groups.first(), curve.groups.last()) else { continue };
            let baseline = Some(*first).filter(|first| first.configuration.is_baseline());
            // Curves share their baseline, which is drawn once.
            if let Some(baseline) = baseline.filter(|baseline| series.iter().all(|known| known.name != baseline.label))
            {
                let look = Look::of_curve(first_of_baselines + series.len(), is_virtual(baseline));
                series.extend(Series::new(&baseline.label, look, points(baseline)));
            }
            if !most.configuration.is_baseline() {
                series.extend(Series::new(&name(curve, most), curve.look, points(most)));
            }
        }
        let x = Axis::logarithmic(if of_virtual { "time (vs)" } else { "time (s)" }, xs(&series))?;
        let y = Axis::linear("positions solved (%)", 0.0, 100.0);
        let title = if of_virtual { "Virtual processors" } else { "Real processors" }.to_owned();
        Some(Panel { title, plot: Plot::Lines(Lines { x, y, series, reference: None }) })
    };
    let panels: Vec<Panel> = [false, true].into_iter().filter_map(panel).collect();
    let machines = Machines::of_curves(&curves);
    let caption = "The further left a line rises, the sooner positions are solved. A position is \
                   solved when a search finds a best move that it keeps to its end. The lines are Kaplan-Meier \
                   estimates: a search that ends without a best move is censored at its end, so that a line may end \
                   above the share of positions that were solved.";
    let bars = "Bars: 95 % intervals for positions like these.";
    let columns = panels.len().max(1);
    sheet(source, "Positions solved by time", &machines, caption, bars).with_panels(panels, columns, HEIGHT)
}

/// `ybwc on 16`.
fn name(curve: &OurCurve<'_>, group: &Group) -> String {
    format!("{} on {}", curve.name, processors_of(group))
}
