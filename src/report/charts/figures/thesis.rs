//! Figures of the thesis's chapter of results: ours with the published curves beside them, both by the thesis's
//! definitions and as its arithmetic means over positions. Ours have intervals; the thesis gives none.

use crate::report::analysis::{Group, ThesisColumns};
use crate::report::published::{THESIS_DEPTH, THESIS_SUITE, ThesisTable};
use crate::statistics::Interval;

use super::super::axis::Origin;
use super::super::lines::{Point, Reference, Series};
use super::super::sheet::Sheet;
use super::super::style::Look;
use super::Source;
use super::curves::{
    Machines, OurCurve, by_processors, common, curves, intervals_caption, processors_of, series_beside, sheet,
};

/// Quantity of the thesis's tables, with all that its chart needs.
pub(super) struct Quantity {
    title: &'static str,
    /// Words for what is drawn, for the caption.
    what: &'static str,
    /// Name of the axis. `{s}` stands for the unit of time, `{second}` for the unit in full.
    axis: &'static str,
    /// Figure, ours with its interval.
    figure: fn(&ThesisColumns) -> Option<Interval>,
    /// Number by which all figures are divided for the axis.
    unit: f64,
    /// Whether the published row of so many processors is drawn.
    is_drawn: fn(&ThesisTable, u32) -> bool,
    /// Whether published curves say nothing beside ours at another depth.
    needs_same_depth: bool,
    /// Beginning of the axis. A quantity whose axis begins at zero is not known where it is not positive.
    origin: Origin,
    reference: Option<Reference>,
}

const MILLION: f64 = 1e6;

/// Preset whose figures are compared with the published.
const AS_PRINTED: &str = "thesis-as-printed";

const PLAIN: Quantity = Quantity {
    title: "",
    what: "",
    axis: "",
    figure: |_| None,
    unit: 1.0,
    is_drawn: |_, _| true,
    needs_same_depth: false,
    origin: Origin::Zero,
    reference: None,
};

pub(super) const SEARCH_SPEED: Quantity = Quantity {
    title: "Search speed",
    what: "Nodes per second",
    axis: "million nodes / {second}",
    figure: |columns| columns.nps,
    unit: MILLION,
    ..PLAIN
};

pub(super) const SEARCH_SPEED_TREND: Quantity = Quantity {
    title: "Search speed, general trend",
    what: "Nodes per second relative to one processor, the published main run without the points that the thesis \
           leaves out",
    is_drawn: ThesisTable::is_in_trend,
    ..NPS_SPEEDUP
};

pub(super) const NPS_SPEEDUP: Quantity = Quantity {
    title: "NPS speedup: what the thesis calls speedup",
    what: "Nodes per second relative to one processor, which is not how many times as fast an answer comes",
    axis: "NPS speedup",
    figure: |columns| columns.nps_speedup,
    reference: Some(Reference::Diagonal),
    ..PLAIN
};

pub(super) const TREE_SIZE: Quantity = Quantity {
    title: "Size of the tree relative to one processor",
    what: "Nodes relative to those of one processor",
    axis: "nodes / nodes of one processor",
    figure: |columns| columns.nodes_ratio,
    reference: Some(Reference::Level(1.0, "one processor")),
    ..PLAIN
};

pub(super) const NODES: Quantity = Quantity {
    title: "Size of the tree",
    what: "Nodes searched",
    axis: "million nodes",
    figure: |columns| columns.nodes,
    unit: MILLION,
    needs_same_depth: true,
    ..PLAIN
};

pub(super) const TIME: Quantity = Quantity {
    title: "Time to depth",
    what: "Time to the same depth",
    axis: "time ({s})",
    figure: |columns| columns.time_s,
    needs_same_depth: true,
    ..PLAIN
};

pub(super) const HASH: Quantity = Quantity {
    title: "Hits in the transposition table",
    what: "Hits by the thesis's formula",
    axis: "hash hits (%)",
    figure: |columns| columns.hash_pct,
    origin: Origin::Free,
    ..PLAIN
};

pub(super) const ORDER: Quantity = Quantity {
    title: "Move ordering",
    what: "Cutoffs by the first move, of all cutoffs by a move",
    axis: "cut by the first move (%)",
    figure: |columns| columns.order_pct,
    origin: Origin::Free,
    ..PLAIN
};

pub(super) const QUIESCENCE: Quantity = Quantity {
    title: "Share of quiescence search",
    what: "Nodes in quiescence search, of all nodes",
    axis: "quiescence nodes (%)",
    figure: |columns| columns.qn_pct,
    origin: Origin::Free,
    ..PLAIN
};

impl Quantity {
    /// Chart of the quantity by number of processors.
    pub fn chart(&self, source: &Source<'_>) -> Option<Sheet> {
        let curves = curves(source.analysis);
        let ours: Vec<Series> = curves.iter().filter_map(|curve| self.our_series(curve)).collect();
        if ours.is_empty() {
            return None;
        }
        let has_ends = ours.iter().flat_map(|series| &series.points).any(|point| point.ends.is_some());
        let intervals = match has_ends {
            true => intervals_caption(source.analysis),
            false => "There are no intervals: too little was repeated.".to_owned(),
        };
        let mut caption = format!(
            "{} by number of processors: arithmetic means over positions by the thesis's definitions. {intervals}",
            self.what
        );
        let mut series = self.series_beside(source);
        if self.is_comparable(source) {
            series.extend(self.published_series(source));
            caption.push_str(" Thin grey curves are published, without intervals, of other machines");
            caption.push_str(&format!(" to depth {THESIS_DEPTH} on the same positions."));
        }
        series.extend(ours);
        let machines = Machines::of_curves(&curves);
        let axis = self.axis.replace("{s}", machines.seconds()).replace("{second}", machines.second());
        let panel = by_processors(&axis, series, self.origin, self.reference)?;
        sheet(source, self.title, &machines, caption).with_panels(vec![panel], 1, [400.0; 2])
    }

    /// Whether published curves may stand beside ours: they are of the thesis's program and positions, and some figures
    /// mean something at its depth only.
    fn is_comparable(&self, source: &Source<'_>) -> bool {
        let is_printed = |group: &Group| group.configuration.features.starts_with(AS_PRINTED);
        let is_same_suite = source.analysis.description.suite.as_deref() == Some(THESIS_SUITE);
        let is_same_depth = || common(source.analysis, "depth") == Some(THESIS_DEPTH.to_string());
        is_same_suite && source.analysis.groups.iter().any(is_printed) && (!self.needs_same_depth || is_same_depth())
    }

    fn our_series(&self, curve: &OurCurve<'_>) -> Option<Series> {
        curve.series(|group: &Group| {
            let (n, interval) = (processors_of(group), (self.figure)(&group.thesis)?.map(|figure| figure / self.unit));
            let is_known = interval.estimate > 0.0 || self.origin == Origin::Free;
            // What others are compared with stands without its interval.
            let point = if n > 1.0 { Point::with_interval(n, interval) } else { Point::plain(n, interval.estimate) };
            point.filter(|_| is_known)
        })
    }

    /// Curves of another run.
    fn series_beside(&self, source: &Source<'_>) -> Vec<Series> {
        series_beside(source, |point| {
            let figure = (self.figure)(&point.thesis)?.map(|figure| figure / self.unit);
            Point::with_interval(f64::from(point.threads), figure)
        })
    }

    fn published_series(&self, source: &Source<'_>) -> Vec<Series> {
        let of_table = |(place, table): (usize, &ThesisTable)| {
            let rows = table.rows.iter().filter(|(cpus, _)| (self.is_drawn)(table, *cpus));
            let point = |(cpus, columns): &(u32, ThesisColumns)| {
                Point::plain(f64::from(*cpus), (self.figure)(columns)?.estimate / self.unit)
            };
            Series::new(table.source, Look::of_published(place), rows.filter_map(point))
        };
        source.published.thesis.iter().enumerate().filter_map(of_table).collect()
    }
}
