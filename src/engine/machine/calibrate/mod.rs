//! Calibration: what coordination costs on this computer, and the cost model that follows.
//!
//! Every price follows from a low quantile over many short batches. Whatever else runs here makes some of them longer,
//! so that the low quantile is nearly the same on a busy computer as on a quiet one; a median or a mean is not. What
//! goes on between processors is measured in several passes, and one of them is taken whole: the host of a virtual
//! computer may move its processors meanwhile, nearer to each other or farther apart, and a mixture of prices from here
//! and there would be the model of no machine. What a node of a search costs is not measured here: this room knows no
//! search.

mod experiments;
mod figure;

use serde::Serialize;

use super::RealMachineError;
use super::cost::CostModel;
use super::processor::LINE_BYTES;
use super::processor::Waiting;
use crate::statistics::median;
use experiments::{
    ProbedTable, Wanted, area_line, cold_copies, free_lock, lock_handoff, ping_pong, sorting_move, step, table_field,
    transfer, wake_up,
};
pub use figure::{Figure, Sharing, WakeUp, low};

/// Measured costs of coordination, in nanoseconds; `None` where it takes two processors and there is one.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Calibration {
    /// Step of the arithmetic by which micro-programs take time.
    pub step: Figure,
    /// Low quantiles of the ping-pong between the first two processors, pass by pass.
    pub passes: Vec<f64>,
    /// Taking and giving back a lock that no other processor wants.
    pub lock_free: Figure,
    /// Costs between processors, from the pass whose ping-pong was the middle one.
    #[serde(flatten)]
    pub between: Between,
    /// Reading a further field of an entry that is at hand.
    pub table_field: Figure,
    /// Looking at one of the moves among which the best is picked.
    pub sorting_move: Figure,
    /// Reading unpredictable places of tables, by their size.
    pub probe: Vec<Probe>,
    /// Reading unpredictable places of the largest table by one processor and by all.
    pub probe_sharing: Option<Sharing>,
    /// Reading the lines of the largest table one after the other by one processor and by all.
    pub streaming: Option<Sharing>,
}

/// Costs of what goes on between processors, measured in one pass.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Between {
    /// Transfers of cache lines between every pair of processors that was tried.
    pub pairs: Vec<Pair>,
    /// A lock going from one processor to another that waits for it.
    pub lock_handoff: Option<Figure>,
    /// Latencies of waking, by how the processor waits.
    pub wake: Vec<WakeUp>,
    /// Copying a cache line that another processor has just written, the first of many.
    pub copy_first_line: Option<Figure>,
    /// Copying each further line.
    pub copy_line: Option<Figure>,
    /// Reading a line at a random place of a table of counters that another processor has changed.
    pub area_line: Option<Figure>,
}

/// Times to move a cache line between two processors.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Pair {
    /// CPU that has the line.
    pub from: usize,
    /// CPU that wants it.
    pub to: usize,
    /// Line that is handed to and fro, one way.
    pub ping_pong: Figure,
    /// Reading a line that the other has changed.
    pub to_read: Figure,
    /// Changing a line that the other has changed.
    pub to_change: Figure,
    /// Changing a line of which both have a copy.
    pub to_change_alone: Figure,
}

impl Pair {
    /// Time of a transfer: the mean of the three kinds, for which a model has one price.
    fn transfer(&self) -> f64 {
        (self.to_read.low + self.to_change.low + self.to_change_alone.low) / 3.0
    }
}

/// Time to read from a table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Probe {
    /// Size of the table.
    pub bytes: u64,
    /// Time of one read.
    pub nanoseconds: Figure,
}

impl Sharing {
    /// Share by which each further processor makes the work longer.
    pub fn slowdown(&self) -> f64 {
        let others = self.processors.saturating_sub(1).max(1) as f64;
        if self.alone.low > 0.0 { ((self.together.low / self.alone.low - 1.0) / others).max(0.0) } else { 0.0 }
    }
}

/// Number of processors of which every pair is tried.
const MOST_PAIRED: usize = 8;
/// Table sizes: the near cache, the shared one, memory.
const TABLES: [u64; 3] = [256 << 10, 8 << 20, 256 << 20];
/// Bytes copied between processors: as many as a split of the 2004 program copied for a helper.
const COPIED_BYTES: usize = 2_368;
/// Ratio of times from which on a pair of processors is taken to be farther apart than another.
const FARTHER: f64 = 1.5;
/// Share of the bandwidth of processors by themselves that they must have together. If they have less, they share a bus
/// that is full. Two that one of them could fill alone have one half.
const FULL: f64 = 0.75;

/// Measures on these CPUs, which must be allowed: see [`Topology::order`](super::host::Topology::order). Takes some
/// seconds.
pub fn calibrate(order: &[usize]) -> Result<Calibration, RealMachineError> {
    let first = order.first().copied().unwrap_or(0);
    let mut passes = vec![Between::measure(order)?];
    let mut calibration = Calibration {
        step: step(first)?,
        lock_free: free_lock(first)?,
        table_field: table_field(first)?,
        sorting_move: sorting_move(first)?,
        ..Calibration::default()
    };
    passes.push(Between::measure(order)?);
    for bytes in TABLES {
        let table = ProbedTable::new(bytes);
        calibration.probe.push(Probe { bytes, nanoseconds: table.by_one(first)? });
        if order.len() > 1 && bytes == TABLES[TABLES.len() - 1] {
            calibration.probe_sharing = Some(table.shared(order)?);
            calibration.streaming = Some(table.streamed(order)?);
        }
        passes.push(Between::measure(order)?);
    }
    calibration.passes = passes.iter().filter_map(Between::ping_pong).collect();
    passes.sort_by(|a, b| a.ping_pong().unwrap_or(0.0).total_cmp(&b.ping_pong().unwrap_or(0.0)));
    calibration.between = passes.swap_remove(passes.len() / 2);
    Ok(calibration)
}

impl Between {
    /// Measures on these CPUs; nothing if there is only one.
    fn measure(order: &[usize]) -> Result<Self, RealMachineError> {
        let Some(pair) = order.first_chunk().copied() else { return Ok(Self::default()) };
        let paired = &order[..order.len().min(MOST_PAIRED)];
        let pairs = paired.iter().enumerate().flat_map(|(i, from)| paired[i + 1..].iter().map(|to| [*from, *to]));
        let [first, all] = [cold_copies(pair, LINE_BYTES as usize)?, cold_copies(pair, COPIED_BYTES)?];
        let further_lines = COPIED_BYTES as f64 / LINE_BYTES as f64 - 1.0;
        let further: Vec<f64> = all.iter().map(|all| ((all - low(&first)) / further_lines).max(0.0)).collect();
        Ok(Self {
            pairs: pairs.map(transfers).collect::<Result<_, _>>()?,
            lock_handoff: Some(lock_handoff(pair)?),
            wake: Waiting::ALL
                .iter()
                .filter(|waiting| !waiting.is_in_order())
                .map(|waiting| wake_up(pair, *waiting))
                .collect::<Result<_, _>>()?,
            copy_first_line: Some(Figure::of(&first)),
            copy_line: Some(Figure::of(&further)),
            area_line: Some(area_line(pair)?),
        })
    }

    /// Ping-pong between the first two processors.
    fn ping_pong(&self) -> Option<f64> {
        self.pairs.first().map(|pair| pair.ping_pong.low)
    }
}

fn transfers([from, to]: [usize; 2]) -> Result<Pair, RealMachineError> {
    // The second of the two has the lines, and the first wants them.
    let pair = [to, from];
    Ok(Pair {
        from,
        to,
        ping_pong: ping_pong(pair)?,
        to_read: transfer(pair, Wanted::ToRead)?,
        to_change: transfer(pair, Wanted::ToChange)?,
        to_change_alone: transfer(pair, Wanted::AloneToChange)?,
    })
}

impl Calibration {
    /// Costs that were measured, by their names. Where the virtual machine adds up several prices, what the others
    /// account for is taken off.
    pub fn prices(&self) -> Vec<(&'static str, u64)> {
        let mut prices = Vec::new();
        let mut set = |name, nanoseconds: f64| prices.push((name, nanoseconds.max(0.0).round() as u64));
        let permille = |share: f64| 1000.0 * share;
        let between = &self.between;
        let transfers: Vec<f64> = between.pairs.iter().map(Pair::transfer).collect();
        let near = transfers.iter().copied().reduce(f64::min);
        if let Some(near) = near {
            let far: Vec<f64> = transfers.iter().copied().filter(|time| *time > FARTHER * near).collect();
            set("transfer_board", near);
            set("transfer_far", median(&far).unwrap_or(near));
        }
        let transfer = near.unwrap_or(0.0);
        // A lock that is free is reached besides.
        set("lock_free", self.lock_free.low - CostModel::reference().transfer_own as f64);
        if let Some(handoff) = between.lock_handoff {
            // The line of the lock is fetched besides.
            set("lock_handoff", handoff.low - transfer);
        }
        for wake in &between.wake {
            // What the caller has to say is written by one and read by the other.
            let nanoseconds = wake.nanoseconds.low - 2.0 * transfer;
            match wake.waiting {
                Waiting::Spin => set("wake_spin", nanoseconds),
                Waiting::Yield => set("wake_yield", nanoseconds),
                Waiting::Park => {
                    set("wake_park", nanoseconds);
                    set("call_park", wake.call_nanoseconds.low - transfer);
                }
                // They are like others; the first depending on how long it lasts.
                Waiting::SpinPark | Waiting::Ticket | Waiting::Queue => {}
            }
        }
        for (name, figure) in [("copy_line", between.copy_line), ("area_line", between.area_line)] {
            if let Some(figure) = figure {
                set(name, figure.low);
            }
        }
        set("table_field", self.table_field.low);
        set("sorting_move", self.sorting_move.low);
        if let [near, shared, memory] = self.probe[..] {
            set("probe_near", near.nanoseconds.low);
            set("probe_shared_cache", shared.nanoseconds.low);
            set("probe_memory", memory.nanoseconds.low);
            set("near_cache_bytes", near.bytes as f64);
            set("shared_cache_bytes", shared.bytes as f64);
        }
        if let Some(sharing) = self.probe_sharing {
            set("probe_sharer_permille", permille(sharing.slowdown()));
        }
        if let Some(Sharing { processors, alone, together }) = self.streaming {
            // If the processors do not get in each other's way, how much the bus carries is not known.
            let is_full = alone.low < FULL * together.low;
            set("bus_line", if is_full { together.low / processors as f64 } else { 0.0 });
        }
        prices
    }

    /// Cost model of this host: what was measured, and the rest as in the reference model.
    pub fn model(&self) -> CostModel {
        let mut model = CostModel { name: "calibrated".into(), ..CostModel::reference() };
        for (name, amount) in self.prices() {
            CostModel::COSTS.iter().filter(|cost| cost.name == name).for_each(|cost| (cost.set)(&mut model, amount));
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_quantiles() {
        let figure = Figure::of(&(0..=100).rev().map(f64::from).collect::<Vec<_>>());
        assert_eq!(figure, Figure { low: 10.0, median: 50.0, high: 90.0 });
        assert_eq!(Figure::of(&[]), Figure::default());
    }

    fn figure(low: f64) -> Figure {
        Figure { low, median: 7.0 * low, high: 9.0 * low }
    }

    fn sharing(alone: f64, together: f64) -> Option<Sharing> {
        Some(Sharing { processors: 3, alone: figure(alone), together: figure(together) })
    }

    #[test]
    fn a_model_is_what_was_measured_and_else_the_reference() {
        let pair = |to, time| Pair {
            to,
            to_read: figure(time),
            to_change: figure(time - 6.0),
            to_change_alone: figure(time + 6.0),
            ..Pair::default()
        };
        let woken = WakeUp { waiting: Waiting::Park, nanoseconds: figure(4_100.4), call_nanoseconds: figure(900.0) };
        let between = Between {
            pairs: vec![pair(1, 50.2), pair(2, 130.0), pair(3, 141.0), pair(4, 139.7)],
            wake: vec![woken],
            copy_first_line: Some(figure(60.0)),
            copy_line: Some(figure(7.6)),
            area_line: Some(figure(33.0)),
            ..Between::default()
        };
        let calibration = Calibration {
            between,
            lock_free: figure(11.4),
            sorting_move: figure(1.6),
            probe_sharing: sharing(80.0, 88.0),
            streaming: sharing(2.0, 4.4),
            ..Calibration::default()
        };
        let expected = CostModel {
            name: "calibrated".into(),
            transfer_board: 50,
            transfer_far: 140,
            lock_free: 9,
            wake_park: 4_000,
            call_park: 850,
            copy_line: 8,
            area_line: 33,
            table_field: 0,
            sorting_move: 2,
            probe_sharer_permille: 50,
            bus_line: 1,
            ..CostModel::reference()
        };
        assert_eq!(calibration.model(), expected);
    }

    #[test]
    fn a_bus_that_is_not_full_has_no_price() {
        for (alone, together, expected) in [(6.0, 6.3, 0), (6.0, 9.0, 3), (9.0, 27.0, 9), (0.0, 0.0, 0)] {
            let calibration = Calibration { streaming: sharing(alone, together), ..Calibration::default() };
            assert_eq!(calibration.model().bus_line, expected, "{alone} {together}");
        }
    }

    #[test]
    fn one_processor_leaves_coordination_to_the_reference() {
        assert!(Between::measure(&[0]).unwrap().ping_pong().is_none());
        let measured: Vec<&str> = Calibration::default().prices().iter().map(|(name, _)| *name).collect();
        assert_eq!(measured, ["lock_free", "table_field", "sorting_move"]);
    }
}
