//! Calibration: what coordination costs on this computer, and the cost model that follows.
//!
//! Every figure is a median with quartiles over batches, since a busy host disturbs some of them. What a node of a
//! search costs is not measured here: this room knows no search.

mod experiments;

use serde::Serialize;

use super::RealMachineError;
use super::cost::{CostModel, LINE_BYTES};
use super::processor::Waiting;
use crate::statistics::quantile;
use experiments::{cold_copies, free_lock, lock_handoff, ping_pong, probe, wake_up};

/// Nanoseconds, measured in many batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figure {
    /// Median of the batches.
    pub median: f64,
    /// First quartile of the batches.
    pub low: f64,
    /// Third quartile of the batches.
    pub high: f64,
}

impl Figure {
    fn of(batches: &[f64]) -> Self {
        let at = |share| quantile(batches, share).unwrap_or(0.0);
        Self { median: at(0.5), low: at(0.25), high: at(0.75) }
    }

    fn rounded(self) -> u64 {
        self.median.round() as u64
    }
}

/// Measured costs of coordination, in nanoseconds; `None` where it takes two processors and there is one.
#[derive(Clone, Debug, Serialize)]
pub struct Calibration {
    /// Sending a cache line one way, for every pair of processors that was tried.
    pub ping_pong: Vec<PingPong>,
    /// Taking and giving back a lock that no other processor wants.
    pub lock_free: Figure,
    /// A lock going from one processor to another that waits for it.
    pub lock_handoff: Option<Figure>,
    /// Latencies of waking, by how the processor waits.
    pub wake: Vec<WakeUp>,
    /// Copying a cache line that another processor has just written, the first of many.
    pub copy_first_line: Option<Figure>,
    /// Copying each further line.
    pub copy_line: Option<Figure>,
    /// Reading unpredictable places of tables, by their size.
    pub probe: Vec<Probe>,
}

/// Time to send a cache line between two processors.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PingPong {
    /// CPU that sends first.
    pub from: usize,
    /// CPU that sends back.
    pub to: usize,
    /// Time of a cache line one way.
    pub nanoseconds: Figure,
}

/// Latency of waking.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WakeUp {
    /// Waiting mode of the processor that is woken.
    pub waiting: Waiting,
    /// Time from the call until the processor goes on.
    pub nanoseconds: Figure,
    /// Time that the call took the caller.
    pub call_nanoseconds: Figure,
}

/// Time to read from a table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Probe {
    /// Size of the table.
    pub bytes: u64,
    /// Time of one read.
    pub nanoseconds: Figure,
}

/// Number of processors of which every pair is tried.
const MOST_PAIRED: usize = 8;
/// Table sizes: the near cache, the shared one, memory.
const TABLES: [u64; 3] = [256 << 10, 8 << 20, 256 << 20];
/// Bytes copied between processors: as many as a split of the 2004 program copied for a helper.
const COPIED_BYTES: usize = 2_368;

/// Measures on these CPUs, which must be allowed: see [`Topology::order`](super::host::Topology::order). Takes some
/// seconds.
pub fn calibrate(order: &[usize]) -> Result<Calibration, RealMachineError> {
    let pair = order.first_chunk().copied();
    let wake = |pair| Waiting::ALL.iter().map(|waiting| wake_up(pair, *waiting)).collect::<Result<_, _>>();
    let paired = &order[..order.len().min(MOST_PAIRED)];
    let pairs = paired.iter().enumerate().flat_map(|(i, from)| paired[i + 1..].iter().map(|to| [*from, *to]));
    let copies = pair.map(|pair| (cold_copies(pair, LINE_BYTES as usize), cold_copies(pair, COPIED_BYTES)));
    let further_lines = COPIED_BYTES as f64 / LINE_BYTES as f64 - 1.0;
    let further = |(first, all): (f64, f64)| ((all - first) / further_lines).max(0.0);
    Ok(Calibration {
        wake: pair.map(wake).transpose()?.unwrap_or_default(),
        ping_pong: pairs.map(|[from, to]| PingPong { from, to, nanoseconds: ping_pong([from, to]) }).collect(),
        lock_free: free_lock()?,
        lock_handoff: pair.map(lock_handoff).transpose()?,
        copy_first_line: copies.as_ref().map(|(first, _)| Figure::of(first)),
        copy_line: copies.map(|(first, all)| Figure::of(&first.into_iter().zip(all).map(further).collect::<Vec<_>>())),
        probe: TABLES.map(|bytes| Probe { bytes, nanoseconds: probe(bytes) }).to_vec(),
    })
}

impl Calibration {
    /// Cost model of this host: what was measured, and the rest as in the reference model.
    pub fn model(&self) -> CostModel {
        let mut model = CostModel { name: "calibrated".into(), ..CostModel::reference() };
        let measured: Vec<f64> = self.ping_pong.iter().map(|pair| pair.nanoseconds.median).collect();
        if let Some(near) = measured.iter().copied().reduce(f64::min) {
            // Pairs farther apart than the nearest by half are taken to be on other boards.
            let far: Vec<f64> = measured.iter().copied().filter(|time| *time > 1.5 * near).collect();
            model.transfer_board = near.round() as u64;
            model.transfer_far = if far.is_empty() { model.transfer_board } else { Figure::of(&far).rounded() };
        }
        model.lock_free = self.lock_free.rounded();
        model.lock_handoff = self.lock_handoff.map_or(model.lock_handoff, Figure::rounded);
        model.copy_line = self.copy_line.map_or(model.copy_line, Figure::rounded);
        for wake in &self.wake {
            let latency = match wake.waiting {
                Waiting::Spin => &mut model.wake_spin,
                Waiting::Yield => &mut model.wake_yield,
                Waiting::Park => &mut model.wake_park,
            };
            *latency = wake.nanoseconds.rounded();
            if wake.waiting == Waiting::Park {
                model.call_park = wake.call_nanoseconds.rounded();
            }
        }
        if let [near, shared, memory] = self.probe[..] {
            model.probe_near = near.nanoseconds.rounded();
            model.probe_shared_cache = shared.nanoseconds.rounded();
            model.probe_memory = memory.nanoseconds.rounded();
            model.near_cache_bytes = near.bytes;
            model.shared_cache_bytes = shared.bytes;
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_quartiles() {
        let figure = Figure::of(&(0..=100).rev().map(f64::from).collect::<Vec<_>>());
        assert_eq!(figure, Figure { median: 50.0, low: 25.0, high: 75.0 });
        assert_eq!(Figure::of(&[]), Figure::default());
    }

    #[test]
    fn a_model_is_what_was_measured_and_else_the_reference() {
        let figure = |median| Figure { median, ..Figure::default() };
        let pair = |to, time| PingPong { from: 0, to, nanoseconds: figure(time) };
        let calibration = Calibration {
            ping_pong: vec![pair(1, 50.2), pair(2, 130.0), pair(3, 141.0), pair(4, 139.7)],
            lock_free: figure(11.4),
            lock_handoff: None,
            wake: vec![WakeUp {
                waiting: Waiting::Park,
                nanoseconds: figure(4_000.4),
                call_nanoseconds: figure(900.0),
            }],
            copy_first_line: Some(figure(60.0)),
            copy_line: Some(figure(7.6)),
            probe: vec![],
        };
        let expected = CostModel {
            name: "calibrated".into(),
            transfer_board: 50,
            transfer_far: 140,
            lock_free: 11,
            wake_park: 4_000,
            call_park: 900,
            copy_line: 8,
            ..CostModel::reference()
        };
        assert_eq!(calibration.model(), expected);
    }
}
