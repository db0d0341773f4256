//! The same searches on one processor, and how many times as fast several are.

use serde::Serialize;

use super::report::{Position, seconds};
use crate::lab::Measurement;
use crate::statistics::{Contrast, Interval, LEVEL, Scope, mean};
use crate::table::number;

/// Time and nodes of a search.
#[derive(Clone, Copy, Serialize)]
pub struct Taken {
    time_s: f64,
    nodes: u64,
}

impl Taken {
    pub fn by(found: &Measurement) -> Self {
        Self { time_s: seconds(found.measured.time_ns), nodes: found.measured.nodes }
    }
}

/// Searches of one position with the same seed.
#[derive(Clone, Copy, Serialize)]
pub struct Pair {
    pub seed: u64,
    pub all_threads: Taken,
    pub one_thread: Taken,
}

/// Time of one thread divided by that of all, as a geometric mean over positions. Nothing if there are no pairs.
pub fn speedup(positions: &[Position]) -> Option<Interval> {
    let side = |of: fn(&Pair) -> Taken| -> Vec<Vec<f64>> {
        positions.iter().map(|position| logs(&position.pairs, of)).collect()
    };
    let contrast = Contrast::unpaired(&side(|pair| pair.one_thread), &side(|pair| pair.all_threads))?;
    let interval = contrast.interval(Scope::ThesePositions, LEVEL);
    Some(interval.unwrap_or(Interval::unknown(contrast.estimate())).map(f64::exp))
}

/// Logarithms of the times.
fn logs(pairs: &[Pair], of: fn(&Pair) -> Taken) -> Vec<f64> {
    pairs.iter().map(|pair| of(pair).time_s.max(1e-9).ln()).collect()
}

/// Line that sets the search beside that of one thread.
pub fn line(positions: &[Position], threads: u32, unit: &str) -> Option<String> {
    let speedup = speedup(positions)?;
    let compared: Vec<&Position> = positions.iter().filter(|position| !position.pairs.is_empty()).collect();
    let seeds = compared.iter().map(|position| position.pairs.len()).max()?;
    let times = match speedup.is_known() {
        true => number::interval(&speedup),
        false => format!("{:.*}", if speedup.estimate < 1.0 { 2 } else { 1 }, speedup.estimate),
    };
    let hint = if seeds == 1 { "one seed; --repeat 8 for an interval" } else { "" };
    if let ([position], 1) = (&compared[..], seeds) {
        let Taken { time_s, nodes } = position.pairs[0].one_thread;
        let nodes = number::count(nodes as f64);
        return Some(format!(
            "one thread: {time_s:.3} {unit}, {nodes} nodes: {times} times as fast with {threads} ({hint})"
        ));
    }
    let mean_time = |of: fn(&Pair) -> Taken| {
        let means = compared.iter().filter_map(|position| mean(&logs(&position.pairs, of)));
        mean(&means.collect::<Vec<_>>()).map_or(0.0, f64::exp)
    };
    let (one, all) = (mean_time(|pair| pair.one_thread), mean_time(|pair| pair.all_threads));
    let places = number::counted(compared.len(), "position", "positions");
    let runs = if seeds == 1 { hint.to_owned() } else { format!("{seeds} seeds") };
    Some(format!(
        "one thread: {one:.3} {unit}, {threads} threads: {all:.3} {unit} (geometric means, {places}, {runs}): {times} times as fast"
    ))
}
