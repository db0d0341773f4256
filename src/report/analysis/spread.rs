//! Spread of the searches of a baseline among themselves. A sequential search is one draw of many: with other keys and
//! another order of equal moves the same position takes another tree.

use crate::statistics::{deviation_within, mean};

use super::BaselineSpread;
use super::grouping::Gathering;
use super::logs::log_nodes;

/// Spread of every baseline that was measured.
pub(super) fn spreads(gathering: &Gathering<'_>) -> Vec<BaselineSpread> {
    let mut spreads = Vec::new();
    for (at, group) in gathering.groups.iter().enumerate().filter(|(_, group)| group.configuration.is_baseline()) {
        let logs = group.figures(log_nodes);
        let relative = |(position, logs): (&&str, &Vec<f64>)| {
            let centre = mean(logs)?;
            Some(((*position).to_owned(), logs.iter().map(|log| (log - centre).exp()).collect()))
        };
        let relative_nodes: Vec<_> = gathering.positions.iter().zip(&logs).filter_map(relative).collect();
        if !relative_nodes.is_empty() {
            spreads.push(BaselineSpread { group: at, relative_nodes, log_sd: deviation_within(&logs) });
        }
    }
    spreads
}
