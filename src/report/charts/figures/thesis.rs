//! The figures of the thesis's chapter of results: ours with the published curves beside them, both by the thesis's
//! definitions and as its arithmetic means over positions. Ours have intervals; the thesis gives none.

use crate::report::analysis::{Group, ThesisIntervals, ThesisRow};
use crate::report::published::{PublishedRow, THESIS_DEPTH, THESIS_SUITE, ThesisTable};
use crate::statistics::Interval;

use super::super::axis::{Axis, Origin, Scale};
use super::super::lines::{Lines, Point, Reference, Series};
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::style::Look;
use super::curves::{
    Machines, OurCurve, PROCESSORS, common, curves, intervals_caption, legend, processors_of, subtitle,
};
use super::{Figure, Source};

/// A quantity of the thesis's tables.
struct Quantity {
    title: &'static str,
    /// What is drawn, for the caption.
    what: &'static str,
    /// The name of its axis, by what kinds of machine there are.
    axis: fn(&Machines) -> String,
    /// From our row and that of the baseline.
    ours: fn(&ThesisRow, &ThesisRow) -> Option<f64>,
    /// Its interval, on the scale of the axis.
    interval: fn(&ThesisIntervals) -> Option<Interval>,
    /// From a published row and that of one processor.
    published: fn(&PublishedRow, &PublishedRow) -> f64,
    /// Whether a published row is drawn.
    is_drawn: fn(&ThesisTable, &PublishedRow) -> bool,
    /// Whether published curves say nothing beside ours at another depth.
    needs_same_depth: bool,
    origin: Origin,
    reference: Option<Reference>,
}

const MILLION: f64 = 1e6;

/// The preset whose figures are compared with the published.
const AS_PRINTED: &str = "thesis-as-printed";

const PLAIN: Quantity = Quantity {
    title: "",
    what: "",
    axis: |_| String::new(),
    ours: |_, _| None,
    interval: |_| None,
    published: |_, _| f64::NAN,
    is_drawn: |_, _| true,
    needs_same_depth: false,
    origin: Origin::Free,
    reference: None,
};

/// Nodes a second.
pub fn search_speed(source: &Source<'_>) -> Option<Figure> {
    Quantity {
        title: "Search speed",
        what: "Nodes per second",
        axis: |machines| match (machines.real, machines.has_virtual()) {
            (false, true) => "million nodes / virtual second".to_owned(),
            (true, true) => "million nodes / (virtual) second".to_owned(),
            (_, false) => "million nodes / second".to_owned(),
        },
        ours: |row, _| positive(row.nps / MILLION),
        interval: |ends| in_millions(ends.nps),
        published: |row, _| row.nps / MILLION,
        origin: Origin::Zero,
        ..PLAIN
    }
    .figure(source)
}

/// Nodes a second relative to one processor, the published main run without the points that the thesis leaves out.
pub fn search_speed_trend(source: &Source<'_>) -> Option<Figure> {
    Quantity {
        title: "Search speed, general trend",
        what: "Nodes per second relative to one processor, the published main run without the points that the thesis leaves out",
        axis: |_| "NPS speedup".to_owned(),
        is_drawn: ThesisTable::is_in_trend,
        ..NPS_SPEEDUP
    }
    .figure(source)
}

const NPS_SPEEDUP: Quantity = Quantity {
    title: "NPS speedup: what the thesis calls speedup",
    what: "Nodes per second relative to one processor, which is not how many times as fast an answer comes",
    axis: |_| "NPS speedup".to_owned(),
    ours: |row, baseline| positive(row.nps / baseline.nps),
    interval: |ends| ends.nps_speedup,
    published: |row, _| row.nps_speedup,
    origin: Origin::Zero,
    reference: Some(Reference::Diagonal),
    ..PLAIN
};

/// Nodes a second relative to one processor.
pub fn speedup(source: &Source<'_>) -> Option<Figure> {
    NPS_SPEEDUP.figure(source)
}

/// Nodes relative to one processor.
pub fn tree_size(source: &Source<'_>) -> Option<Figure> {
    Quantity {
        title: "Size of the tree relative to one processor",
        what: "Nodes relative to those of one processor",
        axis: |_| "nodes / nodes of one processor".to_owned(),
        ours: |row, baseline| positive(row.nodes / baseline.nodes),
        interval: |ends| ends.nodes_ratio,
        published: |row, one| row.nodes / one.nodes,
        origin: Origin::Zero,
        reference: Some(Reference::Level(1.0, "one processor")),
        ..PLAIN
    }
    .figure(source)
}

/// Nodes.
pub fn nodes(source: &Source<'_>) -> Option<Figure> {
    Quantity {
        title: "Size of the tree",
        what: "Nodes searched",
        axis: |_| "million nodes".to_owned(),
        ours: |row, _| positive(row.nodes / MILLION),
        interval: |ends| in_millions(ends.nodes),
        published: |row, _| row.nodes / MILLION,
        needs_same_depth: true,
        origin: Origin::Zero,
        ..PLAIN
    }
    .figure(source)
}

/// Seconds.
pub fn time(source: &Source<'_>) -> Option<Figure> {
    Quantity {
        title: "Time to depth",
        what: "Time to the same depth",
        axis: |machines| format!("time ({})", machines.seconds()),
        ours: |row, _| positive(row.time_s),
        interval: |ends| ends.time_s,
        published: |row, _| row.time_s,
        needs_same_depth: true,
        origin: Origin::Zero,
        ..PLAIN
    }
    .figure(source)
}

/// Hash hits.
pub fn hash(source: &Source<'_>) -> Option<Figure> {
    Quantity {
        title: "Hits in the transposition table",
        what: "Hits by the thesis's formula",
        axis: |_| "hash hits (%)".to_owned(),
        ours: |row, _| Some(row.hash_pct),
        interval: |ends| ends.hash_pct,
        published: |row, _| row.hash_pct,
        ..PLAIN
    }
    .figure(source)
}

/// Move ordering.
pub fn order(source: &Source<'_>) -> Option<Figure> {
    Quantity {
        title: "Move ordering",
        what: "Cutoffs by the first move, of all cutoffs by a move",
        axis: |_| "cut by the first move (%)".to_owned(),
        ours: |row, _| Some(row.order_pct),
        interval: |ends| ends.order_pct,
        published: |row, _| row.order_pct,
        ..PLAIN
    }
    .figure(source)
}

/// The share of quiescence.
pub fn quiescence(source: &Source<'_>) -> Option<Figure> {
    Quantity {
        title: "Share of quiescence search",
        what: "Nodes in quiescence search, of all nodes",
        axis: |_| "quiescence nodes (%)".to_owned(),
        ours: |row, _| Some(row.qn_pct),
        interval: |ends| ends.qn_pct,
        published: |row, _| row.qn_pct,
        ..PLAIN
    }
    .figure(source)
}

impl Quantity {
    fn figure(&self, source: &Source<'_>) -> Option<Figure> {
        let curves = curves(source.analysis);
        let ours: Vec<Series> = curves.iter().filter_map(|curve| self.our_series(curve)).collect();
        if ours.is_empty() {
            return None;
        }
        let has_published = self.is_comparable(source);
        let published = if has_published { self.published_series(source) } else { Vec::new() };
        let machines = Machines::of_curves(&curves);
        let mut caption = format!("{} by number of processors: arithmetic means over positions", self.what);
        caption.push_str(" by the thesis's definitions.");
        if series_has_ends(&ours) {
            caption.push_str(&format!(" {}", intervals_caption(source.analysis)));
        } else {
            caption.push_str(" There are no intervals: too little was repeated.");
        }
        if has_published {
            caption.push_str(" Thin grey curves are published, without intervals, of other machines");
            caption.push_str(&format!(" to depth {THESIS_DEPTH} on the same positions."));
        }
        caption.push_str(machines.caption());
        let entries = legend(&ours, &published);
        let series = [published, ours].concat();
        let points = || series.iter().flat_map(|series| series.points.iter());
        let x = Axis::of_processors(PROCESSORS, points().map(|point| point.x))?;
        let y = self.y_axis(&x, &(self.axis)(&machines), points().flat_map(Point::extent).collect())?;
        let sheet = Sheet {
            title: self.title.to_owned(),
            subtitle: subtitle(source.analysis),
            mark: machines.mark(has_published),
            columns: 1,
            panel_height: 400.0,
            panels: vec![Panel {
                title: String::new(),
                plot: Plot::Lines(Lines { x, y, series, reference: self.reference }),
            }],
            legend: entries,
            notes: Vec::new(),
        };
        Some(Figure { caption, sheet })
    }

    fn y_axis(&self, x: &Axis, name: &str, mut values: Vec<f64>) -> Option<Axis> {
        if let Some(Reference::Level(level, _)) = self.reference {
            values.push(level);
        }
        match self.reference {
            Some(Reference::Diagonal) => speedup_axis(x, name, values),
            _ => Axis::of_values(name, values, self.origin),
        }
    }

    /// Published curves are of the thesis's program and positions, and some figures mean something at its depth only.
    fn is_comparable(&self, source: &Source<'_>) -> bool {
        let is_printed = |group: &Group| group.configuration.features.starts_with(AS_PRINTED);
        if !source.analysis.groups.iter().any(is_printed) {
            return false;
        }
        let is_same_suite = source.analysis.description.suite.as_deref() == Some(THESIS_SUITE);
        let is_same_depth = common(source.analysis, "depth") == Some(THESIS_DEPTH.to_string());
        is_same_suite && (is_same_depth || !self.needs_same_depth)
    }

    fn our_series(&self, curve: &OurCurve<'_>) -> Option<Series> {
        let baseline = curve.groups.iter().find(|group| group.configuration.is_baseline());
        curve.series(|group: &Group| {
            // Without a baseline only figures that need none are left: others are divided by nothing.
            let nothing = ThesisRow { nps: f64::NAN, nodes: f64::NAN, ..ThesisRow::default() };
            let baseline = baseline.map_or(nothing, |baseline| baseline.thesis);
            let value = (self.ours)(&group.thesis, &baseline)?;
            let ends = (self.interval)(&group.thesis_intervals).filter(|_| group.configuration.threads > 1);
            let interval = ends.map(|ends| Interval { estimate: value, ..ends });
            match interval {
                Some(interval) => Point::with_interval(processors_of(group), interval),
                None => Point::plain(processors_of(group), value),
            }
        })
    }

    fn published_series(&self, source: &Source<'_>) -> Vec<Series> {
        let of_table = |(place, table): (usize, &ThesisTable)| {
            let one = table.baseline()?;
            let points = table
                .rows
                .iter()
                .filter(|row| (self.is_drawn)(table, row))
                .filter_map(|row| Point::plain(f64::from(row.cpus), (self.published)(row, one)))
                .collect();
            Some(Series { name: table.source.to_owned(), look: Look::of_published(place), points, fit: Vec::new() })
        };
        source.published.thesis.iter().enumerate().filter_map(of_table).collect()
    }
}

fn series_has_ends(series: &[Series]) -> bool {
    series.iter().flat_map(|series| &series.points).any(|point| point.ends.is_some())
}

fn in_millions(interval: Option<Interval>) -> Option<Interval> {
    interval.map(|Interval { estimate, low, high }| Interval {
        estimate: estimate / MILLION,
        low: low / MILLION,
        high: high / MILLION,
    })
}

/// The axis of a speedup: of the same kind as that of processors, so that y = x is straight.
pub fn speedup_axis(x: &Axis, name: &str, values: impl IntoIterator<Item = f64>) -> Option<Axis> {
    let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    match x.scale {
        Scale::Logarithmic => Axis::powers_of_two(name, values),
        Scale::Linear => {
            super::super::axis::extremes(&values).map(|(low, high)| Axis::linear(name, low.min(0.0), high))
        }
    }
}

fn positive(value: f64) -> Option<f64> {
    (value > 0.0 && value.is_finite()).then_some(value)
}
