//! Torn entries of the table by number of processors, as shares of the hash hits.

use crate::Source;
use crate::analysis::{Group, Torn};
use crate::questions::torn::{is_counted, of_a_million};

use super::super::axis::Origin;
use super::super::lines::{Point, Series};
use super::super::sheet::{Panel, Sheet};
use super::curves::{Machines, OurCurve, by_processors, curves_with, processors_of, sheet};

/// Panels: title, and the share that is drawn.
const PANELS: [(&str, &str); 2] = [("rejected", "hits lost at most, of a million"), ("accepted", "hits of a million")];

/// Torn entries that the check rejects and those that it accepts. Curves that met none are not drawn.
pub(crate) fn torn(source: &Source) -> Option<Sheet> {
    let met = |group: &Group| is_counted(group) && group.torn.as_ref().is_some_and(Torn::is_any);
    let curves = curves_with(&source.analysis, met);
    let panel = |(at, (title, axis)): (usize, &(&str, &str))| {
        let point = |group: &Group| {
            let share = group.torn.filter(|_| is_counted(group))?.shares()[at];
            Point::with_interval(processors_of(group), of_a_million(share))
        };
        let series: Vec<Series> = curves.iter().filter_map(|curve: &OurCurve<'_>| curve.series(point)).collect();
        let panel = by_processors(axis, series, Origin::Free, None)?;
        Some(Panel { title: (*title).to_owned(), ..panel })
    };
    let panels: Vec<Panel> = PANELS.iter().enumerate().filter_map(panel).collect();
    let caption = "A torn entry that the check rejects can have cost one hit; one that it accepts is a hit on a score \
                   that nobody found. Curves that met no torn entry are not drawn. Arithmetic means over positions.";
    sheet(source, "Torn entries", &Machines::of_curves(&curves), caption).with_panels(panels, 2, [400.0, 300.0])
}
