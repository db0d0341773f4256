//! Boards in simulated time, where only the bytes that are handed over tell them apart.

use crate::Source;
use crate::analysis::labels::in_common;
use crate::analysis::{Analysis, Comparison};
use crate::distinct::distinct;
use crate::record::axes::BOARD;

use super::super::axis::Origin;
use super::super::lines::{Point, Reference, Series};
use super::super::sheet::Sheet;
use super::super::style::Look;
use super::curves::{LEFT_OUT_AS_RUINED, Machines, by_processors, is_virtual, processors_of, sheet};

/// Comparisons of boards in simulated time, on several processors: one hands nothing over.
pub(crate) fn in_simulated_time(analysis: &Analysis) -> Vec<&Comparison> {
    let is_of_bytes = |one: &&Comparison| {
        let group = &analysis.groups[one.group];
        one.field == BOARD.name && is_virtual(group) && group.configuration.threads > 1 && one.time.is_known()
    };
    analysis.comparisons.iter().filter(is_of_bytes).collect()
}

/// Strategy, processors and search of both sides of a comparison, without their boards.
pub(crate) fn circumstances(analysis: &Analysis, one: &Comparison) -> String {
    in_common(&analysis.groups[one.group].label, &analysis.groups[one.reference].label)
}

/// Time on a board relative to that on the reference, by number of processors: a line for each circumstance.
pub(crate) fn times(source: &Source) -> Option<Sheet> {
    let analysis = &source.analysis;
    let compared = in_simulated_time(analysis);
    let changes = distinct(compared.iter().map(|one| one.change.as_str()));
    let name = |one: &Comparison| match changes.len() {
        1 => circumstances(analysis, one),
        _ => format!("{}, {}", one.change, circumstances(analysis, one)),
    };
    let names = distinct(compared.iter().map(|one| name(one)));
    let of_name = |(place, wanted): (usize, &String)| {
        let points = compared.iter().filter(|one| name(one) == *wanted);
        let points =
            points.filter_map(|one| Point::with_interval(processors_of(&analysis.groups[one.group]), one.time));
        Series::new(wanted, Look::of_curve(place, true), points)
    };
    let series: Vec<Series> = names.iter().enumerate().filter_map(of_name).collect();
    let (change, from) = compared.first().map(|one| (one.change.as_str(), one.from.as_str()))?;
    let what = if changes.len() == 1 { change } else { "each board" };
    let panel = by_processors("time, ratio", series, Origin::Free, Some(Reference::Level(1.0, "equal")))?;
    let caption = format!(
        "At 1, {what} takes the time of {from}, above it longer. In simulated time boards differ by the bytes that are \
         handed over, and by nothing else: they have the same tree, and a node takes as long on all. Ratios are paired \
         by position and seed."
    );
    let machines = Machines::of(compared.iter().map(|one| &analysis.groups[one.group]));
    let machines = machines.of_many(usize::MAX);
    let title = format!("Time with {what} relative to {from}");
    let mut sheet = sheet(source, &title, &machines, &caption);
    // Times of threads are not what it is about.
    sheet.notes.retain(|note| note != LEFT_OUT_AS_RUINED);
    sheet.with_panels(vec![panel], 1, [380.0; 2])
}
