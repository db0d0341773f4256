//! The same searches on one processor, and how many times as fast several are, in a line.

use super::report::Position;
use crate::lab::beside::{Pair, Taken, mean_time_s, speedup};
use crate::table::number;

/// Pairs of the positions that have some.
pub fn pairs(positions: &[Position]) -> Vec<&[Pair]> {
    positions.iter().map(|position| &position.pairs[..]).filter(|pairs| !pairs.is_empty()).collect()
}

/// Line that sets the search beside that of one thread.
pub fn line(positions: &[Position], threads: u32, unit: &str) -> Option<String> {
    let compared = pairs(positions);
    let speedup = speedup(&compared)?;
    let seeds = compared.iter().map(|pairs| pairs.len()).max()?;
    let times = match speedup.is_known() {
        true => number::interval(&speedup),
        false => format!("{:.*}", if speedup.estimate < 1.0 { 2 } else { 1 }, speedup.estimate),
    };
    let hint = if seeds == 1 { "one seed; --repeat 8 for an interval" } else { "" };
    if let ([[pair]], 1) = (&compared[..], seeds) {
        let Taken { time_s, nodes } = pair.one_thread;
        let nodes = number::count(nodes as f64);
        return Some(format!(
            "one thread: {time_s:.3} {unit}, {nodes} nodes: {times} times as fast with {threads} ({hint})"
        ));
    }
    let mean_time = |of| mean_time_s(&compared, of);
    let (one, all) = (mean_time(|pair| pair.one_thread), mean_time(|pair| pair.all_threads));
    let places = number::counted(compared.len(), "position", "positions");
    let runs = if seeds == 1 { hint.to_owned() } else { format!("{seeds} seeds") };
    Some(format!(
        "one thread: {one:.3} {unit}, {threads} threads: {all:.3} {unit} (geometric means, {places}, {runs}): {times} \
         times as fast"
    ))
}
