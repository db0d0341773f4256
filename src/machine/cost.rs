//! What things cost on a virtual machine: integer nanoseconds, so that equal seeds give equal bytes on every host.
//!
//! Left out, and to be said wherever virtual figures are shown: instructions and branch prediction, paging, hyperthreads,
//! turbo. Busy waiting is not simulated turn by turn; spinning, yielding and parking are latencies of waking.

use serde::{Deserialize, Serialize};

use super::processor::{Waiting, Work};
use crate::fingerprint::fingerprint;

/// A named set of costs. All times are nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CostModel {
    /// The name that stands in every record.
    pub name: String,

    /// Entering a node of the main search.
    pub main_node: u64,
    /// Entering a node of the quiescence search.
    pub quiescence_node: u64,
    /// Evaluating a position.
    pub evaluation: u64,
    /// Generating the moves of a position.
    pub generation: u64,

    /// Reaching an entry of a table that fits the core's own cache.
    pub probe_near: u64,
    /// Reaching an entry of a table that fits the cache that cores share.
    pub probe_shared_cache: u64,
    /// Reaching an entry of a table in memory.
    pub probe_memory: u64,
    /// What each further processor that uses the table adds to reaching an entry, in thousandths of it.
    pub probe_sharer_permille: u64,
    /// Bytes of the core's own cache.
    pub near_cache_bytes: u64,
    /// Bytes of the shared cache.
    pub shared_cache_bytes: u64,

    /// How many processors are on a board: a socket, or a cluster around one cache.
    pub processors_per_board: u64,
    /// Touching a shared object that this processor touched last.
    pub transfer_own: u64,
    /// Fetching a shared object from another processor of the same board.
    pub transfer_board: u64,
    /// Fetching a shared object from another board.
    pub transfer_far: u64,
    /// Copying each further cache line of something that another processor has written.
    pub copy_line: u64,

    /// Taking and giving back a lock that is free.
    pub lock_free: u64,
    /// Taking over a lock that others waited for as well.
    pub lock_handoff: u64,
    /// What each of those others adds.
    pub lock_waiter: u64,

    /// From a call to the moment a spinning processor goes on.
    pub wake_spin: u64,
    /// From a call to the moment a yielding processor goes on.
    pub wake_yield: u64,
    /// From a call to the moment a sleeping processor goes on.
    pub wake_park: u64,
    /// What a call costs the caller if the other sleeps.
    pub call_park: u64,

    /// Rebuilding a position of which only squares and state were copied.
    pub rebuilding: u64,

    /// Making a split point known.
    pub split: u64,
    /// Joining a split point.
    pub join: u64,

    /// How long each transfer occupies the bus that all share; 0 for one that is never full.
    pub bus_line: u64,

    /// Work is longer or shorter by up to this many thousandths, at random.
    pub jitter_permille: u64,
}

impl Default for CostModel {
    fn default() -> Self {
        Self::reference()
    }
}

/// Bytes of a cache line.
pub const LINE_BYTES: u64 = 64;

impl CostModel {
    /// The default: a two-socket server of about 2020. Round numbers of the right size, not the measurement of any one
    /// host.
    pub fn reference() -> Self {
        Self {
            name: "reference".into(),
            main_node: 250,
            quiescence_node: 120,
            evaluation: 80,
            generation: 60,
            probe_near: 5,
            probe_shared_cache: 25,
            probe_memory: 90,
            probe_sharer_permille: 4,
            near_cache_bytes: 1 << 20,
            shared_cache_bytes: 32 << 20,
            processors_per_board: 32,
            transfer_own: 2,
            transfer_board: 60,
            transfer_far: 140,
            copy_line: 12,
            lock_free: 20,
            lock_handoff: 100,
            lock_waiter: 40,
            wake_spin: 100,
            wake_yield: 1_500,
            wake_park: 5_000,
            call_park: 1_500,
            rebuilding: 80,
            split: 300,
            join: 200,
            bus_line: 0,
            jitter_permille: 50,
        }
    }

    /// Coordination is free and work costs what it does in `reference`: what is lost on it, the algorithm loses.
    pub fn ideal() -> Self {
        Self {
            name: "ideal".into(),
            probe_sharer_permille: 0,
            transfer_own: 0,
            transfer_board: 0,
            transfer_far: 0,
            copy_line: 0,
            lock_free: 0,
            lock_handoff: 0,
            lock_waiter: 0,
            wake_spin: 0,
            wake_yield: 0,
            wake_park: 0,
            call_park: 0,
            rebuilding: 0,
            split: 0,
            join: 0,
            ..Self::reference()
        }
    }

    /// The main machine of the 2004 thesis, a Sun Enterprise 15K with UltraSPARC-III processors of 900 MHz.
    ///
    /// Stated there: 183,789 nodes a second on one processor, 5441 ns a node. Of 100 such nodes our rebuild of its search
    /// enters 81 in the main search and makes 18 in quiescence, with 74 evaluations, 40 generations and 25 probes.
    /// Assumed, since no profile is published: an evaluation (from scratch, over all pieces) takes 1800, a generation with its
    /// ordering 2000, reaching an entry of the 16 MiB table 250, a move in quiescence 1860; what is left is 3550 for a main
    /// node. Rebuilding a position is taken to cost what generating its moves does. Memory: 8 MiB of external cache, 4 processors on a board, about 200 ns to fetch from one's own board and 400 ns
    /// from another through the crossbar, 64 bytes a line. The program only spins. Locks: a mutex of Solaris at this clock,
    /// about a tenth of a microsecond free and a microsecond handed over.
    pub fn smp_2004() -> Self {
        Self {
            name: "smp-2004".into(),
            main_node: 3_550,
            quiescence_node: 1_860,
            evaluation: 1_800,
            generation: 2_000,
            probe_near: 20,
            probe_shared_cache: 60,
            probe_memory: 250,
            probe_sharer_permille: 2,
            near_cache_bytes: 64 << 10,
            shared_cache_bytes: 8 << 20,
            processors_per_board: 4,
            transfer_own: 10,
            transfer_board: 200,
            transfer_far: 400,
            copy_line: 60,
            lock_free: 120,
            lock_handoff: 1_000,
            lock_waiter: 300,
            wake_spin: 500,
            wake_yield: 10_000,
            wake_park: 30_000,
            call_park: 10_000,
            rebuilding: 2_000,
            split: 1_000,
            join: 800,
            bus_line: 0,
            jitter_permille: 50,
        }
    }

    /// The names of the models that ship.
    pub const NAMES: [&'static str; 3] = ["reference", "ideal", "smp-2004"];

    /// The model of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "reference" => Some(Self::reference()),
            "ideal" => Some(Self::ideal()),
            "smp-2004" => Some(Self::smp_2004()),
            _ => None,
        }
    }

    /// Sixteen hexadecimal digits that change with any of the costs (FNV-1a of the model as JSON, without its name).
    pub fn hash(&self) -> String {
        let nameless = Self { name: String::new(), ..self.clone() };
        let text = serde_json::to_string(&nameless).expect("numbers and a text can be written");
        fingerprint(text.bytes())
    }

    /// Private work.
    #[inline]
    pub fn work(&self, work: Work) -> u64 {
        match work {
            Work::MainNode => self.main_node,
            Work::QuiescenceNode => self.quiescence_node,
            Work::Evaluation => self.evaluation,
            Work::Generation => self.generation,
            Work::Rebuilding => self.rebuilding,
            Work::Split => self.split,
            Work::Join => self.join,
            Work::Copy { bytes } => u64::from(bytes).div_ceil(LINE_BYTES) * self.copy_line,
            Work::Nanoseconds(time) => time.into(),
        }
    }

    /// What work of so many nanoseconds takes at one place of the jitter, which is from 0 to twice its permille.
    #[inline(always)]
    pub(super) fn with_jitter(&self, nanoseconds: u64, place: u64) -> u64 {
        (nanoseconds * (1000 + place)).saturating_sub(nanoseconds * self.jitter_permille) / 1000
    }

    /// What work of so many nanoseconds takes on average: less than that by about half a nanosecond if there is jitter,
    /// since what is added to clocks is whole.
    pub fn mean_with_jitter(&self, nanoseconds: u64) -> f64 {
        let places = 2 * self.jitter_permille + 1;
        let sum: u64 = (0..places).map(|place| self.with_jitter(nanoseconds, place)).sum();
        sum as f64 / places as f64
    }

    /// Reaching an entry of a table of this size that so many processors use.
    #[inline]
    pub fn probe(&self, bytes: u64, processors: usize) -> u64 {
        let alone = if bytes <= self.near_cache_bytes {
            self.probe_near
        } else if bytes <= self.shared_cache_bytes {
            self.probe_shared_cache
        } else {
            self.probe_memory
        };
        alone + alone * self.probe_sharer_permille * (processors as u64 - 1) / 1000
    }

    /// Touching a shared object that `last` had, and whether it has to be fetched.
    #[inline]
    pub fn transfer(&self, id: usize, last: Option<usize>) -> (u64, bool) {
        let board = |id: usize| id as u64 / self.processors_per_board.max(1);
        match last {
            None => (self.transfer_own, false),
            Some(last) if last == id => (self.transfer_own, false),
            Some(last) if board(last) == board(id) => (self.transfer_board, true),
            Some(_) => (self.transfer_far, true),
        }
    }

    /// From a call to the moment the other goes on.
    #[inline]
    pub fn wake(&self, waiting: Waiting) -> u64 {
        match waiting {
            Waiting::Spin => self.wake_spin,
            Waiting::Yield => self.wake_yield,
            Waiting::Park => self.wake_park,
        }
    }

    /// What a call costs the caller.
    #[inline]
    pub fn call(&self, waiting: Waiting) -> u64 {
        if waiting == Waiting::Park { self.call_park } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_known_by_its_hash() {
        let models = CostModel::NAMES.map(|name| CostModel::named(name).unwrap());
        for (model, name) in models.iter().zip(CostModel::NAMES) {
            assert_eq!(model.name, name);
            let renamed = CostModel { name: "mine".into(), ..model.clone() };
            assert_eq!(renamed.hash(), model.hash());
            let dearer = CostModel { wake_spin: model.wake_spin + 1, ..model.clone() };
            assert_ne!(dearer.hash(), model.hash());
            let text = serde_json::to_string(model).unwrap();
            assert_eq!(&serde_json::from_str::<CostModel>(&text).unwrap(), model);
        }
        assert_ne!(models[0].hash(), models[1].hash());
    }

    #[test]
    fn a_block_names_what_differs_from_the_reference() {
        let model: CostModel = serde_json::from_str(r#"{"name": "slow locks", "lock_handoff": 900}"#).unwrap();
        assert_eq!(model, CostModel { name: "slow locks".into(), lock_handoff: 900, ..CostModel::reference() });
        let error = serde_json::from_str::<CostModel>(r#"{"lock_handof": 900}"#).unwrap_err().to_string();
        assert!(error.contains("lock_handof") && error.contains("lock_handoff"), "{error}");
    }

    #[test]
    fn jitter_is_cut_to_whole_nanoseconds() {
        let calm = CostModel { jitter_permille: 0, ..CostModel::reference() };
        assert_eq!(calm.mean_with_jitter(17), 17.0);
        // Of 20 with 50 permille: 19 below 20 (50 places), 20 from there to below 21 (50), 21 at the end (1).
        let mean = CostModel::reference().mean_with_jitter(20);
        assert!((mean - (19.0 * 50.0 + 20.0 * 50.0 + 21.0) / 101.0).abs() < 1e-12, "{mean}");
    }

    #[test]
    fn distance_and_size_cost() {
        let model = CostModel::reference();
        assert_eq!(model.transfer(3, None), (2, false));
        assert_eq!(model.transfer(3, Some(3)), (2, false));
        assert_eq!(model.transfer(3, Some(31)), (60, true));
        assert_eq!(model.transfer(3, Some(32)), (140, true));
        assert_eq!([1 << 20, 16 << 20, 64 << 20].map(|bytes| model.probe(bytes, 1)), [5, 25, 90]);
        assert_eq!(model.probe(64 << 20, 101), 90 + 36);
        assert_eq!(model.work(Work::Copy { bytes: 65 }), 24);
    }
}
