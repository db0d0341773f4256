//! Chart of micro-measurements that compare boards: our ratios beside the published ones.

use crate::analysis::MicroFigure;
use crate::distinct::distinct;
use crate::statistics::Interval;
use crate::table::number::level;

use super::super::forest::{self, Forest, Row};
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::style::Look;
use super::curves::{Machines, columns_for, sheet};
use crate::Source;

/// Largest number of rows of a panel.
const MOST_ROWS: usize = 16;

/// Ratios of boards, a panel for each measurement and figure.
pub(crate) fn micro(source: &Source) -> Option<Sheet> {
    let ratios: Vec<&MicroFigure> =
        source.analysis.micro.iter().filter(|one| one.compares_boards() && one.mean.estimate > 0.0).collect();
    let kinds = distinct(ratios.iter().map(|one| (one.micro.as_str(), one.figure.figure.as_str())));
    let panel = |(micro, figure): &(&str, &str)| {
        let of_kind = || ratios.iter().filter(|one| one.micro == *micro && one.figure.figure == *figure);
        let mut rows: Vec<Row> = Vec::new();
        for one in of_kind() {
            // Of bitboards, only the sliding method tells them apart.
            let board = one.figure.sliders.as_ref().or(one.figure.board.as_ref()).map_or("", String::as_str);
            let name = format!("{}: {board}", one.figure.of);
            forest::add(&mut rows, &name, [one.mean], Look::of_curve(0, false));
            if let Some(published) = one.figure.published {
                forest::add(&mut rows, &name, [Interval::unknown(published)], Look::of_published(0));
            }
        }
        let title = match rows.len() {
            all if all > MOST_ROWS => format!("{micro}: {figure} ({MOST_ROWS} of {all})"),
            _ => format!("{micro}: {figure}"),
        };
        // Of many the ones shown are spread over all.
        let every = rows.len().div_ceil(MOST_ROWS);
        let rows: Vec<Row> = rows.into_iter().step_by(every).take(MOST_ROWS).collect();
        Some(Panel { title, plot: Plot::Forest(Forest::of(&["ratio"], rows)?) })
    };
    let panels: Vec<Panel> = kinds.iter().filter_map(panel).collect();
    let caption = "Times relative to those of the mailbox at the same work, ours with intervals and \
                   published ones as diamonds; left of the dashed line a board is faster than the mailbox.";
    let columns = columns_for(panels.len()).min(2);
    let bars = format!("Bars: {} intervals over repetitions, or over batches of one. Diamonds: published.", level());
    let sheet = sheet(source, "Boards relative to the mailbox", &Machines::default(), caption).noting(bars);
    sheet.with_panels(panels, columns, [0.0; 2])
}
