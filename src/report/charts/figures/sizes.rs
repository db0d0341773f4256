//! Time speedup by the size of the search: a curve for each configuration, over the time that one processor takes.

use std::collections::BTreeSet;

use crate::Source;
use crate::analysis::Group;

use super::super::axis::{Axis, Origin};
use super::super::lines::{Lines, Point, Reference, Series, extents, xs};
use super::super::sheet::{Panel, Sheet};
use super::curves::{Machines, OurCurve, curves_with, is_virtual, sheet};

/// Largest number of processors of a curve.
fn most<'a>(curve: &OurCurve<'a>) -> Option<&'a Group> {
    curve.groups.last().copied()
}

/// Time speedup by the time of one processor, of the most processors of each curve; a panel a machine and number.
pub(crate) fn speedup_by_size(source: &Source) -> Option<Sheet> {
    let curves = curves_with(&source.analysis, |group| group.by_size.is_some());
    let key = |group: &Group| (is_virtual(group), group.configuration.threads);
    let keys: BTreeSet<(bool, u32)> = curves.iter().filter_map(most).map(key).collect();
    let panel = |&(of_virtual, threads): &(bool, u32)| {
        let of_curve = |curve: &OurCurve<'_>| {
            let group = most(curve).filter(|group| key(group) == (of_virtual, threads))?;
            let sizes = &group.by_size.as_ref()?.sizes;
            let points = sizes.iter().filter_map(|size| Point::with_interval(size.t1_s, size.time_speedup));
            Series::new(&curve.name, curve.look, points).filter(|series| series.points.len() > 1)
        };
        let series: Vec<Series> = curves.iter().filter_map(of_curve).collect();
        let time = if of_virtual { "time of one processor (virtual s)" } else { "time of one processor (s)" };
        let x = Axis::logarithmic(time, xs(&series))?;
        let y = Axis::of_values("time speedup", extents(&series).chain([1.0]), Origin::Free)?;
        let half = Reference::Level(f64::from(threads) / 2.0, "half of the processors");
        let machine = if of_virtual { "virtual" } else { "real" };
        let title = format!("{threads} {machine} processors");
        Some(Panel::of_lines(&title, Lines { x, y, series, reference: Some(half) }))
    };
    let panels: Vec<Panel> = keys.iter().filter_map(panel).collect();
    let caption = "A rising line means that larger searches gain more from the same processors. The same runs give all \
                   sizes: each passes smaller depths on its way. Geometric means over the same positions.";
    let columns = panels.len().clamp(1, 2);
    let sheet = sheet(source, "Time speedup by the size of the search", &Machines::of_curves(&curves), caption);
    sheet.with_panels(panels, columns, [380.0; 2])
}
