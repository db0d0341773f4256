//! A search made up for tests: how much worse it gets with processors is chosen, and all that its record has follows.

use std::collections::BTreeMap;

use serde_json::json;

use crate::analysis::samples::{measured, quiet, record};
use crate::counts::{Activities, Activity, Bins, Counters, Distributions, Loss, RATIO_PARTS, SplitTimes};
use crate::published::THESIS_DEPTH;
use crate::record::{Busiest, Configuration, DepthAnswer, Measured, NamedCounts, Record, Sharing};

use super::{MOVES, REAL, position_id};

/// Nodes of one processor, and its nodes a second.
const NODES: f64 = 8.7e6;
const NPS: f64 = 2.9e6;
/// From -1 to 1, by no rule that can be seen.
pub(super) fn wobble(seed: u64) -> f64 {
    let mixed = (seed.wrapping_add(0x9E37_79B9)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed >> 40) as f64) / f64::from(1 << 23) - 1.0
}

/// Search of a position by a configuration.
pub(super) struct Search<'a> {
    configuration: &'a Configuration,
    place: usize,
    seed: u64,
    /// Number of processors.
    n: f64,
    /// Number that makes chance another one for other configurations.
    key: u64,
    /// Nodes relative to those of one processor.
    extra: f64,
    /// Share of the processors' time spent searching or splitting.
    utilisation: f64,
    /// Share of that spent searching.
    productive: f64,
    nodes: f64,
    time_ns: f64,
}

impl<'a> Search<'a> {
    /// Search of a configuration that gets this much worse with processors.
    pub fn of(configuration: &'a Configuration, serial: f64, place: usize, seed: u64) -> Self {
        let n = f64::from(configuration.threads);
        let features: u64 = configuration.features.bytes().map(u64::from).sum();
        let key =
            u64::from(configuration.threads) * 31 + (serial * 1e6) as u64 + bytes(configuration) as u64 + features;
        let extra = 1.0 + serial * 3.0 * n.ln();
        let (utilisation, productive) = (1.0 - serial * (n - 1.0) / (n + 4.0), 1.0 - serial * 0.3);
        // Bytes that a copy carries cost time at every node.
        let rate = (1.0 - 0.004 * n.ln()) * (-1e-6 * added_bytes(configuration)).exp();
        // A feature that is left out makes the tree larger, and on many processors one position is far from the others.
        let left_out = configuration.features.changes().count() as i32;
        let odd = if place == 3 && n > 6.0 { 2.5 } else { 1.0 };
        // What the seed does is much the same with every configuration.
        let run = 100 * place as u64 + seed;
        let chance = 0.15 * wobble(key + 7 * place as u64) + 0.2 * wobble(run) + 0.05 * wobble(key + 1000 + run);
        let nodes = NODES * extra * 1.2_f64.powi(left_out) * chance.exp();
        let rate = rate * (1.0 + 0.01 * wobble(key + 3000 + 10 * place as u64 + seed));
        let time_ns = nodes / (NPS * n * utilisation * productive * rate) * odd * 1e9;
        Self { configuration, place, seed, n, key, extra, utilisation, productive, nodes, time_ns }
    }

    /// Record of the search; on a real machine nothing disturbed it.
    pub fn record(&self, index: u64) -> Record {
        let seconds_and_nodes = (0, self.nodes as u64);
        let mut record = record(index, self.configuration, &position_id(self.place), self.seed, seconds_and_nodes);
        let (time_ns, busy) = (self.time_ns as u64, (1.05 * self.utilisation).min(1.0) * self.time_ns);
        let answers: Vec<DepthAnswer> = (1..=THESIS_DEPTH).map(|depth| self.answer(depth)).collect();
        let losses = Loss::ALL.iter().zip([0.2, 0.25, 0.05, 0.08, 0.05, 0.0, 0.0]);
        let lost = |share: f64| (share * (1.0 - 1.0 / self.extra) * self.nodes) as u64;
        let losses: serde_json::Map<_, _> =
            losses.map(|(class, share)| (class.name().to_owned(), lost(share).into())).collect();
        let measured = measured(&mut record);
        *measured = Measured {
            bestmove: answers.last().and_then(|answer| answer.bestmove.clone()),
            depth: THESIS_DEPTH,
            time_ns,
            elapsed_ns: time_ns,
            answers,
            activities: self.activities(),
            losses: NamedCounts::of(losses),
            counters: self.counters(),
            sharing: self.sharing(),
            table_used_permille: Some(500),
            busiest: Some(Busiest {
                mean_search: self.utilisation * self.productive * self.time_ns,
                longest_search: self.productive * busy,
                longest_work: busy,
            }),
            ..measured.clone()
        };
        record.cell.depth = Some(THESIS_DEPTH);
        if self.configuration.machine == REAL { quiet(record) } else { record }
    }

    /// Answer on the way: each ply takes 2.4 times as long, and a little less of what is shared. Seven of ten positions
    /// are solved, at depths that differ.
    fn answer(&self, depth: u32) -> DepthAnswer {
        let before = f64::from(THESIS_DEPTH - depth);
        let (share, gain) = (2.4_f64.powf(-before), if self.n > 1.0 { 1.03_f64.powf(before) } else { 1.0 });
        let found = 6.0 + 4.0 * wobble(self.key + 5000 + 10 * self.place as u64 + self.seed);
        let is_solved = self.place % 10 < 7 && f64::from(depth) >= found;
        let nodes = self.nodes * share / self.n;
        DepthAnswer {
            depth,
            time_ns: (self.time_ns * share * gain) as u64,
            bestmove: Some(MOVES[usize::from(!is_solved)].into()),
            nodes: nodes as u64,
            leaves: (0.275 * nodes) as u64,
            ..DepthAnswer::default()
        }
    }

    /// Time of all processors by activity.
    fn activities(&self) -> Activities {
        let (utilisation, productive) = (self.utilisation, self.productive);
        let mut activities = Activities::default();
        for (activity, share) in [
            (Activity::Search, utilisation * productive),
            (Activity::Split, utilisation * (1.0 - productive)),
            (Activity::Lock, (1.0 - utilisation) * 0.1),
            (Activity::Idle, (1.0 - utilisation) * 0.6),
            (Activity::Wait, (1.0 - utilisation) * 0.2),
            (Activity::Other, (1.0 - utilisation) * 0.1),
        ] {
            activities[activity] = (share * self.n * self.time_ns) as u64;
        }
        activities
    }

    /// All counts of the register but spans, which only some searches find. Those of which nothing is chosen are one in
    /// a hundred nodes.
    fn counters(&self) -> NamedCounts {
        let chance = 2.0 * wobble(self.key + 9000 + 10 * self.place as u64 + self.seed);
        let of = |percent: f64, all: f64| ((percent + chance) / 100.0 * all) as u64;
        let quiescence = of(17.4 + 0.3 * self.n.ln(), self.nodes);
        let (main, splits) = (self.nodes as u64 - quiescence, self.splits());
        let is_counted = |(name, _): &&(&str, &str)| !name.starts_with("span");
        let counted = Counters::ALL.iter().filter(is_counted).map(|(name, _)| ((*name).to_owned(), main / 100));
        let mut counts = json!(counted.collect::<BTreeMap<_, _>>());
        let chosen = json!({
            "main_nodes": main, "quiescence_nodes": quiescence, "quiescence_tried": quiescence,
            "tier_hits": of(35.7 - 1.2 * self.n.ln(), main as f64), "probes": main,
            "found": main / 2, "deep": main / 3, "ended": main / 4,
            "cutoffs": { "all": main, "first": of(91.7 - 0.3 * self.n.ln(), main as f64) },
            "leaves": (0.275 * self.nodes) as u64, "counted_nodes": 1000, "counted_moves": 9000,
            "stops": 1000, "stop_ns": 3_000_000,
            "splits": { "made": splits as u64, "cut": (splits * 0.5) as u64, "joined": splits as u64 },
            "copied_bytes": (splits * bytes(self.configuration)) as u64,
        });
        chosen.as_object().into_iter().flatten().for_each(|(name, count)| counts[name] = count.clone());
        NamedCounts::of(counts)
    }

    /// Number of splits.
    fn splits(&self) -> f64 {
        if self.n > 1.0 { (self.nodes / 1000.0).floor() } else { 0.0 }
    }

    /// Times of splits and their cost, from a hundredth to all of the time there, where the form of copies is chosen.
    fn sharing(&self) -> Sharing {
        if self.configuration.copy.is_none() {
            return Sharing::default();
        }
        let splits = self.splits();
        let count = splits as u64;
        let chance = 1.0 + 0.1 * wobble(self.key + 13_000 + 10 * self.place as u64 + self.seed);
        let ns = |each: f64| (each * chance * splits) as u64;
        let copy_ns = ns(334.0 + 0.02 * bytes(self.configuration));
        let times = SplitTimes {
            opened: count,
            packs: count,
            paid: count,
            copies: count,
            again: count,
            came: count,
            joins: count,
            open_ns: ns(820.0 + 35.0 + 1400.0),
            pack_ns: ns(35.0),
            call_ns: ns(1400.0),
            copy_ns,
            first_ns: copy_ns,
            again_ns: ns(24.0),
            notice_ns: ns(5200.0),
            join_ns: copy_ns + ns(260.0),
            open_held_ns: ns(500.0),
            join_held_ns: ns(400.0),
            cost_ns: ns(3000.0),
            span_ns: ns(150_000.0),
            ..SplitTimes::default()
        };
        let mut cost_ratio = Bins::default();
        for (part, shared) in [(64, 1), (16, 2), (4, 4), (2, 2), (1, 1)] {
            (0..shared).for_each(|_| cost_ratio.count(RATIO_PARTS / part));
        }
        let distributions = Distributions { cost_ratio, ..Distributions::default() };
        Sharing { times: Some(times), distributions: Some((&distributions).into()) }
    }
}

/// Bytes that are added to each copy of a position, by its form: `trimmed+1024`.
fn added_bytes(configuration: &Configuration) -> f64 {
    let added = configuration.copy.as_ref().and_then(|copy| copy.split('+').nth(1)?.parse().ok());
    added.unwrap_or(0.0)
}

/// Bytes of a copy.
fn bytes(configuration: &Configuration) -> f64 {
    let own = if configuration.board == "mailbox" { 518.0 } else { 224.0 };
    own + added_bytes(configuration)
}
