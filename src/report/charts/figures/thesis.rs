//! Figures of the thesis's chapter of results: ours with the published curves beside them, both by the thesis's
//! definitions and as its arithmetic means over positions. Ours have intervals; the thesis gives none.

use crate::analysis::{Group, ThesisColumns};
use crate::distinct::distinct;
use crate::published::{THESIS_DEPTH, THESIS_SUITE, ThesisTable};
use crate::record::axes::DEPTH;
use crate::statistics::Interval;

use super::super::axis::Origin;
use super::super::lines::{Lines, Point, Reference, Series, xs};
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::style::Look;
use super::curves::{
    Machines, TOO_FEW_FOR_BARS, by_processors, common, curves_with, is_asked_for, series_beside, sheet,
};
use super::speedup::published_label;
use super::splitting::in_bars;
use crate::Source;

/// Quantity of the thesis's tables, with all that its chart needs.
pub(crate) struct Quantity {
    title: &'static str,
    /// Sentence on how to read the chart.
    reading: &'static str,
    /// Name of the axis. `{s}` stands for the unit of time, `{second}` for the unit in full.
    axis: &'static str,
    /// Figure, ours with its interval.
    figure: fn(&ThesisColumns) -> Option<Interval>,
    /// Number by which all figures are divided for the axis.
    unit: f64,
    /// Name of the chart, if it shows the same as a relative one where all curves begin at one value and nothing
    /// published stands beside them. Then it is drawn only if it is asked for.
    absolute: Option<&'static str>,
    /// Name of the chart, if of each curve it leaves out the points that lie below one on fewer processors. It is drawn
    /// if there are such points, or if it is asked for.
    trend: Option<&'static str>,
    /// Whether published curves say nothing beside ours at another depth.
    needs_same_depth: bool,
    /// Beginning of the axis. A quantity whose axis begins at zero is not known where it is not positive.
    origin: Origin,
    reference: Option<Reference>,
}

/// Place of published curves in a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    /// Beside our curves.
    Ours,
    /// In a panel of their own, since they are of another depth.
    Apart,
    /// Nowhere, since at another depth they say nothing of ours.
    LeftOut,
    /// There are none.
    Nothing,
}

const MILLION: f64 = 1e6;

/// Number of positions of the thesis.
const THESIS_POSITIONS: usize = 10;

/// Preset whose figures are compared with the published.
const AS_PRINTED: &str = "thesis-as-printed";

const PLAIN: Quantity = Quantity {
    title: "",
    reading: "",
    axis: "",
    figure: |_| None,
    unit: 1.0,
    absolute: None,
    trend: None,
    needs_same_depth: false,
    origin: Origin::Zero,
    reference: None,
};

pub(crate) const SEARCH_SPEED: Quantity = Quantity {
    title: "Search speed",
    reading: "where a line bends down, further processors add less",
    axis: "million nodes / {second}",
    figure: |columns| columns.nps,
    unit: MILLION,
    absolute: Some("search-speed"),
    ..PLAIN
};

pub(crate) const SEARCH_SPEED_TREND: Quantity = Quantity {
    title: "Search speed, general trend",
    reading: "points that lie below one on fewer processors are left out, as in the thesis, which holds other jobs on \
              the machine responsible for them",
    trend: Some("search-speed-trend"),
    absolute: None,
    ..SEARCH_SPEED
};

pub(crate) const NPS_SPEEDUP: Quantity = Quantity {
    title: "NPS relative to one processor: throughput, not time to answer",
    reading: "nodes per second relative to one processor, whether or not the nodes were needed; the 2004 thesis calls \
              this speedup",
    axis: "relative NPS",
    figure: |columns| columns.nps_speedup,
    reference: Some(Reference::Diagonal),
    ..PLAIN
};

pub(crate) const TREE_SIZE: Quantity = Quantity {
    title: "Size of the tree relative to one processor",
    reading: "above 1, the search visits more nodes than on one processor",
    axis: "nodes / nodes of one processor",
    figure: |columns| columns.nodes_ratio,
    needs_same_depth: true,
    reference: Some(Reference::Level(1.0, "one processor")),
    ..PLAIN
};

pub(crate) const NODES: Quantity = Quantity {
    title: "Size of the tree",
    reading: "a rising line means that more nodes are searched to the same depth",
    axis: "million nodes",
    figure: |columns| columns.nodes,
    unit: MILLION,
    needs_same_depth: true,
    absolute: Some("nodes"),
    ..PLAIN
};

pub(crate) const TIME: Quantity = Quantity {
    title: "Time to depth",
    reading: "the lower a point, the sooner the same depth is reached",
    axis: "time ({s})",
    figure: |columns| columns.time_s,
    needs_same_depth: true,
    absolute: Some("time"),
    ..PLAIN
};

pub(crate) const HASH: Quantity = Quantity {
    title: "Hits in the transposition table",
    reading: "a falling line means that fewer probes find something of use",
    axis: "hash hits (%)",
    figure: |columns| columns.hash_pct,
    origin: Origin::Free,
    ..PLAIN
};

pub(crate) const ORDER: Quantity = Quantity {
    title: "Share of cutoffs produced by the first move",
    reading: "a falling line means that the move that causes a cutoff is less often the first; note where the axis \
              begins",
    axis: "cutoffs by the first move (%)",
    figure: |columns| columns.order_pct,
    origin: Origin::Free,
    ..PLAIN
};

pub(crate) const QUIESCENCE: Quantity = Quantity {
    title: "Share of quiescence search",
    reading: "the share of all nodes that lie in quiescence search, below the depth asked for; note where the axis \
              begins",
    axis: "quiescence nodes (%)",
    figure: |columns| columns.qn_pct,
    origin: Origin::Free,
    ..PLAIN
};

impl Quantity {
    /// Chart of the quantity by number of processors.
    pub fn chart(&self, source: &Source) -> Option<Sheet> {
        let curves = curves_with(&source.analysis, |group| (self.figure)(&group.thesis).is_some());
        let point = |group: &Group| self.point(group.configuration.threads, &group.thesis);
        let ours: Vec<Series> = curves.iter().filter_map(|curve| curve.series(point)).collect();
        if ours.is_empty() {
            return None;
        }
        let has_ends = ours.iter().flat_map(|series| &series.points).any(|point| point.ends.is_some());
        let caption = format!(
            "How to read it: {}. Arithmetic means over positions by the definitions of the thesis.",
            self.reading
        );
        let mut series = series_beside(source, |point| self.point(point.threads, &point.thesis));
        let mut published = self.published_series(source);
        let beside = if published.is_empty() { Beside::Nothing } else { self.beside(source) };
        let has_published = !matches!(beside, Beside::Nothing | Beside::LeftOut);
        if beside == Beside::Ours {
            series.extend(published.iter().cloned());
        }
        if series.is_empty() && beside != Beside::Apart && self.is_repetition(source, &ours) {
            return None;
        }
        series.extend(ours);
        let mut left_out = None;
        if let Some(name) = self.trend {
            let apart = published.iter_mut().filter(|_| beside == Beside::Apart);
            let count: usize = series.iter_mut().chain(apart).map(|one| leave_out_falling(&mut one.points)).sum();
            if count == 0 && !is_asked_for(source, name) {
                return None;
            }
            left_out = Some(format!("Points left out: {count}."));
        }
        // A point with nothing beside it is better read in a table.
        if distinct(xs(&series).map(f64::to_bits)).len() < 2 {
            return None;
        }
        let machines = Machines::of_curves(&curves);
        let axis = self.axis.replace("{s}", machines.seconds()).replace("{second}", machines.second());
        let in_bars = if self.reference.is_none() && !has_published { in_bars(&axis, &series) } else { None };
        let panels = match (in_bars, beside) {
            (Some(panel), _) => vec![panel],
            (None, Beside::Apart) => self.apart(&axis, series, published)?,
            (None, _) => vec![by_processors(&axis, series, self.origin, self.reference)?],
        };
        let mut sheet = sheet(source, self.title, &machines, &caption);
        sheet.notes.extend(left_out);
        if !has_ends {
            sheet = sheet.noting(TOO_FEW_FOR_BARS);
        }
        sheet.notes.extend(published_note(source, beside));
        sheet.with_panels(panels, 2, [400.0, 320.0])
    }

    /// Panels of our curves and of published ones of another depth, with the same axes.
    fn apart(&self, axis: &str, ours: Vec<Series>, published: Vec<Series>) -> Option<Vec<Panel>> {
        let count = published.len();
        let all = published.into_iter().chain(ours).collect();
        let Plot::Lines(mut theirs) = by_processors(axis, all, self.origin, self.reference)?.plot else { return None };
        let ours = Lines { series: theirs.series.split_off(count), ..theirs.clone() };
        let title = format!("published, depth {THESIS_DEPTH}");
        Some(vec![Panel::of_lines("ours", ours), Panel::of_lines(&title, theirs)])
    }

    /// Whether a relative chart shows the same as this one: all curves begin at the same value of one processor.
    fn is_repetition(&self, source: &Source, ours: &[Series]) -> bool {
        let first =
            |series: &Series| series.points.first().filter(|point| point.x == 1.0).map(|point| point.y.to_bits());
        let firsts = distinct(ours.iter().map(first));
        self.absolute.is_some_and(|name| !is_asked_for(source, name)) && matches!(firsts[..], [Some(_)])
    }

    /// Place of published curves: they are of the thesis's program and positions, and stand beside ours of the same
    /// depth. At another they stand apart, and some figures mean something at one depth only.
    fn beside(&self, source: &Source) -> Beside {
        let is_printed = |group: &Group| group.configuration.features.starts_with(AS_PRINTED);
        let is_same_suite = source.analysis.description.suite.as_deref() == Some(THESIS_SUITE);
        let is_same_depth = common(&source.analysis, &DEPTH) == Some(THESIS_DEPTH.to_string());
        match (is_same_suite && source.analysis.groups.iter().any(is_printed), is_same_depth) {
            (false, _) => Beside::Nothing,
            (true, true) => Beside::Ours,
            (true, false) if self.needs_same_depth => Beside::LeftOut,
            (true, false) => Beside::Apart,
        }
    }

    /// Point of these columns on so many processors. A baseline has no interval.
    fn point(&self, processors: u32, columns: &ThesisColumns) -> Option<Point> {
        let (n, interval) = (f64::from(processors), (self.figure)(columns)?.map(|figure| figure / self.unit));
        let point = if n > 1.0 { Point::with_interval(n, interval) } else { Point::plain(n, interval.estimate) };
        point.filter(|point| point.y > 0.0 || self.origin == Origin::Free)
    }

    /// Published series, of the machines of the thesis.
    fn published_series(&self, source: &Source) -> Vec<Series> {
        let of_table = |(place, table): (usize, &ThesisTable)| {
            let points = table.rows.iter().filter_map(|(cpus, columns)| self.point(*cpus, columns));
            Series::new(&published_label(table), Look::of_published(place), points)
        };
        source.published.thesis.iter().enumerate().filter_map(of_table).collect()
    }
}

/// Note on the published curves of a chart.
fn published_note(source: &Source, beside: Beside) -> Option<String> {
    match beside {
        Beside::Nothing => None,
        Beside::LeftOut => Some(format!("Published curves are left out: they are of depth {THESIS_DEPTH}.")),
        Beside::Ours | Beside::Apart => {
            let count = source.analysis.description.positions.len();
            let ours = if count < THESIS_POSITIONS { format!(", of which ours are {count}") } else { String::new() };
            Some(format!(
                "Published (grey): depth {THESIS_DEPTH}, {THESIS_POSITIONS} positions{ours}, other machines, without \
                 intervals."
            ))
        }
    }
}

/// Leaves out the points that lie below an earlier one. Returns their number.
fn leave_out_falling(points: &mut Vec<Point>) -> usize {
    let (before, mut highest) = (points.len(), f64::NEG_INFINITY);
    points.retain(|point| {
        let is_kept = point.y >= highest;
        highest = highest.max(point.y);
        is_kept
    });
    before - points.len()
}

#[cfg(test)]
mod tests {
    use super::super::super::samples;
    use super::*;
    use crate::published::Published;
    use crate::record::Depth;

    #[test]
    fn published_trees_stand_beside_ours_at_their_depth_only() {
        let published = Published::load().unwrap();
        let mut source = Source { published: published.clone(), ..Source::of(samples::explained(&published)) };
        source.analysis.description.suite = Some(THESIS_SUITE.to_owned());
        let has_published = |source: &Source| {
            TREE_SIZE.chart(source).unwrap().panels.iter().any(super::super::super::sheet::Panel::has_published)
        };
        assert!(has_published(&source));
        for group in &mut source.analysis.groups {
            group.configuration.depth = Depth::Plies(6);
        }
        assert!(!has_published(&source));
        let sheet = TREE_SIZE.chart(&source).unwrap();
        assert!(sheet.notes.iter().any(|note| note.starts_with("Published curves are left out")), "{:?}", sheet.notes);
    }

    /// Shares and speeds of another depth have panels of their own, with the axes of ours.
    #[test]
    fn published_curves_of_another_depth_stand_apart() {
        let published = Published::load().unwrap();
        let mut source = Source { published: published.clone(), ..Source::of(samples::explained(&published)) };
        source.analysis.description.suite = Some(THESIS_SUITE.to_owned());
        let panels = |source: &Source, quantity: &Quantity| -> Vec<(bool, Vec<f64>)> {
            let panels = quantity.chart(source).unwrap().panels;
            let axis = |panel: &Panel| match &panel.plot {
                Plot::Lines(lines) => vec![lines.y.low, lines.y.high, lines.x.low, lines.x.high],
                plot => panic!("{plot:?}"),
            };
            panels.iter().map(|panel| (panel.has_published(), axis(panel))).collect()
        };
        for quantity in [HASH, ORDER, QUIESCENCE, NPS_SPEEDUP, SEARCH_SPEED] {
            assert_eq!(panels(&source, &quantity).iter().map(|(has, _)| *has).collect::<Vec<_>>(), [true]);
            let mut shallow = Source { published: published.clone(), ..Source::of(source.analysis.clone()) };
            for group in &mut shallow.analysis.groups {
                group.configuration.depth = Depth::Plies(6);
            }
            let [(has_ours, ours), (has_theirs, theirs)] = &panels(&shallow, &quantity)[..] else { panic!() };
            assert!(!has_ours && *has_theirs && ours == theirs, "{}", quantity.title);
        }
    }

    /// The thesis's figure 7.4 goes without these.
    #[test]
    fn the_trend_of_the_published_curve_leaves_out_what_the_thesis_does() {
        let published = Published::load().unwrap();
        let main = published.thesis.iter().find(|table| table.is_main).unwrap();
        let of_row = |(cpus, columns): &(u32, ThesisColumns)| SEARCH_SPEED_TREND.point(*cpus, columns);
        let all: Vec<Point> = main.rows.iter().filter_map(of_row).collect();
        let mut kept = all.clone();
        assert_eq!(leave_out_falling(&mut kept), 11);
        let left_out = all.iter().filter(|point| !kept.contains(point)).map(|point| point.x as u32);
        assert_eq!(left_out.collect::<Vec<_>>(), [7, 10, 11, 12, 14, 15, 16, 19, 20, 23, 24]);
    }
}
