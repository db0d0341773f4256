//! Share of positions solved by each time.

use crate::analysis::Group;
use crate::statistics::Interval;

use super::super::axis::Axis;
use super::super::lines::{Lines, Point, Series, xs};
use super::super::sheet::{Panel, Sheet};
use super::super::style::Look;
use super::curves::{Machines, OurCurve, curves_with, is_virtual, processors_of, sheet};
use crate::Source;

/// Height of a panel, in units.
const HEIGHT: [f64; 2] = [380.0; 2];

/// Least number of points of which one has a bar, among solutions.
const BARS_EVERY: usize = 4;

/// Share of positions solved by time, of the baseline and of the most processors of each curve.
pub(crate) fn solutions(source: &Source) -> Option<Sheet> {
    let curves = curves_with(&source.analysis, |group| group.solving.is_some());
    // Each line has its bars at other times than the lines beside it: one on the other, none could be read.
    let every = BARS_EVERY.max(curves.len() + 1);
    let points = |group: &Group, line: usize| -> Vec<Point> {
        let curve = group.solving.iter().flat_map(|solving| &solving.curve).enumerate();
        let point = |(place, (time, share)): (usize, &(f64, Interval))| {
            let percent = share.map(|share| 100.0 * share);
            // Intervals at all points would hide the lines.
            let has_bar = place > 0 && (place + line).is_multiple_of(every);
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
                series.extend(Series::new(&baseline.label, look, points(baseline, series.len())));
            }
            if !most.configuration.is_baseline() {
                series.extend(Series::new(&name(curve, most), curve.look, points(most, series.len())));
            }
        }
        let x = Axis::logarithmic(if of_virtual { "time (virtual s)" } else { "time (s)" }, xs(&series))?;
        let y = Axis::linear("positions solved (%)", 0.0, 100.0);
        let title = if of_virtual { "Virtual processors" } else { "Real processors" }.to_owned();
        Some(Panel::of_lines(&title, Lines { x, y, series, reference: None }))
    };
    let panels: Vec<Panel> = [false, true].into_iter().filter_map(panel).collect();
    let machines = Machines::of_curves(&curves);
    let caption = "The further left a line rises, the sooner positions are solved. A position is \
                   solved when a search finds a best move that it keeps to its end. The lines are Kaplan-Meier \
                   estimates: a search that ends without a best move is censored at its end, so that a line may end \
                   above the share of positions that were solved. It ends where fewer than a third of the searches \
                   without a solution still go on.";
    let bars = "Bars: 95 % intervals for positions like these.";
    let columns = panels.len().max(1);
    sheet(source, "Positions solved by time", &machines, caption).noting(bars).with_panels(panels, columns, HEIGHT)
}

/// `ybwc on 16`.
fn name(curve: &OurCurve<'_>, group: &Group) -> String {
    format!("{} on {}", curve.name, processors_of(group))
}

#[cfg(test)]
mod tests {
    use super::super::super::samples;
    use super::super::super::sheet::Plot;
    use super::*;

    #[test]
    fn no_two_intervals_of_solutions_lie_on_each_other() {
        let source = Source::of(samples::processors(&[1, 4], &["ybwc", "lazy", "root"], samples::VIRTUAL));
        let sheet = solutions(&source).unwrap();
        let Plot::Lines(Lines { series, .. }) = &sheet.panels[0].plot else { panic!("no lines") };
        let points = || series.iter().flat_map(|series| &series.points);
        let barred: Vec<u64> = points().filter(|point| point.ends.is_some()).map(|point| point.x.to_bits()).collect();
        let apart = crate::distinct::distinct(barred.iter().copied());
        assert!(!barred.is_empty() && apart.len() == barred.len(), "{barred:?}");
    }
}
