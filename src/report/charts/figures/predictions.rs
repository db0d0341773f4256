//! Published trees and search speeds beside what the best of our curves foretells for each machine of the thesis.

use crate::analysis::{Explanation, FORETOLD};
use crate::table::number::level;

use super::super::axis::Origin;
use super::super::lines::{Point, Reference, Series};
use super::super::sheet::{Panel, Sheet};
use super::super::style::Look;
use super::curves::{Machines, by_processors, sheet};
use crate::Source;

/// Panels: name of the figure, name of its axis, and the line that it is compared with.
const PANELS: [(&str, &str, Reference); 2] = [
    (FORETOLD[0], "nodes / nodes of one processor", Reference::Level(1.0, "one processor")),
    (FORETOLD[1], "NPS speedup", Reference::Diagonal),
];

/// Chart with a row of panels for each machine.
pub(crate) fn predictions(source: &Source) -> Option<Sheet> {
    let analysis = &source.analysis;
    let best: Vec<&Explanation> = analysis.explanations.iter().filter(|one| one.is_best).collect();
    let both = |one: &&Explanation| PANELS.iter().filter_map(|panel| panel_of(source, one, panel)).collect::<Vec<_>>();
    let panels: Vec<Panel> = best.iter().flat_map(both).collect();
    let groups = best.iter().flat_map(|one| &analysis.curves[one.curve].groups).map(|&at| &analysis.groups[at]);
    let caption = "Bars are our predictions for one further run on a model of each of the thesis's \
                   machines, points are the tree sizes and search speeds that were published for it. Our searches do \
                   not predict a point that lies outside its bar.";
    let bars = format!("Bars: {} prediction intervals for one further run.", level());
    sheet(source, "Published figures and our predictions", &Machines::of(groups), caption).noting(bars).with_panels(
        panels,
        2,
        [400.0, 300.0],
    )
}

fn panel_of(
    source: &Source,
    explanation: &Explanation,
    (figure, axis, reference): &(&str, &str, Reference),
) -> Option<Panel> {
    let rows = || explanation.figures.iter().filter(|one| one.figure == *figure);
    let published = rows().filter_map(|row| Point::plain(f64::from(row.cpus), row.published));
    let searched = rows().filter(|row| row.is_searched);
    let foretold = searched.filter_map(|row| Point::with_interval(f64::from(row.cpus), row.predicted));
    let label = &source.analysis.curves[explanation.curve].label;
    let series = [
        Series::new(label, Look::of_curve(0, true), foretold),
        Series::new("published", Look::of_published(0), published),
    ];
    let panel = by_processors(axis, series.into_iter().flatten().collect(), Origin::Zero, Some(*reference))?;
    Some(Panel { title: explanation.source.to_owned(), ..panel })
}
