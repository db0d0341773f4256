//! Speedups of several nodes over one, by the latency of their network.

use crate::Source;
use crate::analysis::on_nodes::{in_words, without_nodes};
use crate::analysis::{Analysis, OnNodes};
use crate::distinct::{distinct, found_or_added};
use crate::record::Configuration;

use super::super::axis::{Axis, Origin};
use super::super::lines::{Lines, Point, Reference, Series, extents};
use super::super::sheet::{Panel, Sheet};
use super::super::style::Look;
use super::curves::{Machines, columns_for, sheet};

/// Least number of latencies that make a sweep.
const FEWEST_LATENCIES: usize = 3;

/// Points of one exchange, each a latency in nanoseconds and the search on nodes, by latency.
type Points<'a> = Vec<(u64, &'a OnNodes)>;

/// Searches on as many nodes that differ in what they exchange and in the latency of their network alone.
pub(crate) struct Sweep<'a> {
    pub members: Vec<&'a OnNodes>,
}

impl<'a> Sweep<'a> {
    /// All sweeps of the latency.
    pub fn of_all(analysis: &'a Analysis) -> Vec<Self> {
        /// All else that the members of a sweep have in common, their network and their number of nodes.
        type Key<'a> = (Configuration, Option<&'a str>, u32);
        let mut sweeps: Vec<(Key<'_>, Vec<&OnNodes>)> = Vec::new();
        for one in analysis.on_nodes.iter().filter(|one| one.cluster.latency_ns.is_some()) {
            let all_else = without_nodes(&analysis.groups[one.group].configuration);
            let key = (all_else, one.cluster.network.as_deref(), one.cluster.nodes);
            found_or_added(&mut sweeps, |(known, _)| *known == key, || (key.clone(), Vec::new())).1.push(one);
        }
        let sweeps = sweeps.into_iter().map(|(_, members)| Self { members });
        sweeps.filter(|sweep| sweep.latencies().len() >= FEWEST_LATENCIES).collect()
    }

    /// Whether this search is a part of it.
    pub fn has(&self, one: &OnNodes) -> bool {
        self.members.iter().any(|member| member.group == one.group)
    }

    /// Its latencies in nanoseconds, ascending.
    pub fn latencies(&self) -> Vec<u64> {
        let mut all = distinct(self.members.iter().filter_map(|one| one.cluster.latency_ns));
        all.sort_unstable();
        all
    }

    /// Points by what is exchanged.
    pub fn lines(&self) -> Vec<(&'a str, Points<'a>)> {
        let mut lines: Vec<(&str, Points<'a>)> = Vec::new();
        for &one in &self.members {
            let name = one.cluster.exchange_in_words();
            let line = found_or_added(&mut lines, |(known, _)| *known == name, || (name, Vec::new()));
            line.1.extend(one.cluster.latency_ns.map(|latency_ns| (latency_ns, one)));
        }
        lines.iter_mut().for_each(|(_, points)| points.sort_by_key(|(latency_ns, _)| *latency_ns));
        lines
    }

    /// Panel of its lines, with the level at which several nodes are as fast as one.
    fn panel(&self) -> Option<Panel> {
        let latencies: Vec<f64> = self.latencies().into_iter().map(|ns| ns as f64).collect();
        let (x, zero) = Axis::measured("latency of the network, one way", &latencies, |ns| in_words(ns as u64))?;
        let series = |(place, (name, points)): (usize, (&str, Points<'a>))| {
            let point =
                |(ns, one): (u64, &OnNodes)| Point::with_interval(if ns == 0 { zero } else { ns as f64 }, one.speedup);
            Series::new(name, Look::of_curve(place, true), points.into_iter().filter_map(point))
        };
        let series: Vec<Series> = self.lines().into_iter().enumerate().filter_map(series).collect();
        let y = Axis::of_values("time speedup over one node", extents(&series).chain([1.0]), Origin::Zero)?;
        let title = self.members[0].cluster.in_words();
        let reference = Some(Reference::Level(1.0, "as fast as one node"));
        Some(Panel { title, ..Panel::of_lines("", Lines { x, y, series, reference }) })
    }
}

/// Time speedup over one node by the latency of the network.
pub(crate) fn latency(source: &Source) -> Option<Sheet> {
    let sweeps = Sweep::of_all(&source.analysis);
    let panels: Vec<Panel> = sweeps.iter().filter_map(Sweep::panel).collect();
    let members = sweeps.iter().flat_map(|sweep| &sweep.members);
    let machines = Machines::of(members.map(|one| &source.analysis.groups[one.group]));
    let caption = "Along a line only the latency changes. Where a line crosses 1, several nodes break even with one. \
                   Geometric means over positions.";
    let columns = columns_for(panels.len()).min(2);
    sheet(source, "Time speedup over one node by latency", &machines, caption).with_panels(
        panels,
        columns,
        [420.0, 300.0],
    )
}
