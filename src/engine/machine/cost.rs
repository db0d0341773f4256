//! Costs of a virtual machine: integer nanoseconds, so that equal seeds give equal bytes on every host.
//!
//! Not simulated, which is to be said wherever virtual figures are shown: instructions and branch prediction, paging,
//! hyperthreads, turbo. Busy waiting is not simulated turn by turn; spinning, yielding and parking are latencies of
//! waking.
//!
//! ```
//! use splitpoint_engine::machine::cost::CostModel;
//! use splitpoint_base::suggestion::WordError;
//!
//! # fn main() -> Result<(), WordError> {
//! let model: CostModel = "reference,lock_handoff*2".parse()?;
//! assert_eq!(model, CostModel { name: model.name.clone(), lock_handoff: 200, ..CostModel::reference() });
//! # Ok(())
//! # }
//! ```

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::MOST_PROCESSORS;
pub use super::cost_text::Unmeasured;
use super::processor::{Waiting, Work};
use crate::fingerprint::fingerprint;

/// Role of a cost in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Price of work and of memory, which the ideal machine pays too.
    Work,
    /// Price of coordination, 0 on the ideal machine.
    Coordination,
    /// Size of something: no price.
    Size,
}

/// Way in which a cost that two cores cannot measure becomes dearer. What makes it cheaper is the opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dearer {
    /// By doubling its amount.
    Doubled,
    /// By doubling its amount, which is 1 at least, since 0 stands for no limit.
    Limited,
    /// By halving its amount, to 1 at least: the fewer processors are on a board, the more are far away.
    Halved,
}

/// Declaration of one cost of a [`CostModel`].
#[derive(Debug)]
pub struct Cost {
    /// Name in files and in changes.
    pub name: &'static str,
    /// One sentence that says what this is the cost of.
    pub meaning: &'static str,
    /// Role in a model.
    pub role: Role,
    /// Way in which it becomes dearer, of a cost that only shows on more than two cores; nothing of one that two cores
    /// can measure, or that is no price of the computer.
    pub dearer: Option<Dearer>,
    /// Amounts that it can have.
    pub range: RangeInclusive<u64>,
    /// Function that reads the cost of a model.
    pub get: fn(&CostModel) -> u64,
    /// Function that sets the cost of a model.
    pub set: fn(&mut CostModel, u64),
}

/// The first of its arguments.
macro_rules! first_of {
    ($first:expr $(, $rest:expr)*) => {
        $first
    };
}

/// [`Cost::dearer`] of a declaration.
macro_rules! dearer {
    () => {
        None
    };
    ($way:ident) => {
        Some(Dearer::$way)
    };
}

/// Declares the costs in one place: name and field, role, the way in which it gets dearer if two cores cannot measure
/// it, amounts in the models of [`COLUMNS`], range if it is not that of times, and meaning.
macro_rules! costs {
    ($(
        $(#[doc = $meaning:literal])+
        $cost:ident: $Role:ident $([$way:ident])?, $amounts:expr $(, $range:expr)?;
    )*) => {
        /// A named set of costs. All times are nanoseconds.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct CostModel {
            /// Name of the model in records.
            pub name: String,
            $( $(#[doc = $meaning])+ pub $cost: u64, )*
        }

        impl CostModel {
            /// All costs, in the order of records.
            pub const COSTS: &'static [Cost] = &[$( Cost {
                name: stringify!($cost),
                meaning: concat!($($meaning),+).trim_ascii(),
                role: Role::$Role,
                dearer: dearer!($($way)?),
                range: first_of!($($range,)? 0..=MOST_TIME),
                get: |model| model.$cost,
                set: |model, amount| model.$cost = amount,
            }, )*];

            /// The model of a column of the declaration.
            fn of_column(name: &str, column: usize) -> Self {
                Self { name: name.to_owned(), $( $cost: $amounts[column], )* }
            }
        }
    };
}

/// Largest time that a model can ask for: a second. A virtual clock has room for 208 days.
const MOST_TIME: u64 = 1_000_000_000;
/// Largest share of a time that is added to it, in thousandths.
const MOST_PERMILLE: u64 = 10_000;
const MOST_BYTES: u64 = 1 << 50;

/// Names of the models whose amounts are declared, in the order of the amounts.
const COLUMNS: [&str; 5] = ["reference", "smp-2004", "e15k", "sun-fire-6800", "e4500"];

costs! {
    /// Entering a node of the main search.
    main_node: Work, [65, 3_550, 3_500, 2_490, 6_270];
    /// Entering a node of the quiescence search.
    quiescence_node: Work, [75, 1_860, 1_860, 1_312, 3_291];
    /// Evaluating a position.
    evaluation: Work, [45, 1_800, 1_800, 1_270, 3_185];
    /// Generating the moves of a position.
    generation: Work, [70, 2_000, 2_000, 1_411, 3_539];

    /// Reaching an entry of a table that fits into the core's own cache.
    probe_near: Work, [1, 20, 20, 15, 30];
    /// Reaching an entry of a table that fits into the cache that cores share.
    probe_shared_cache: Work, [3, 60, 60, 50, 90];
    /// Reaching an entry of a table in memory.
    probe_memory: Work, [12, 250, 400, 240, 320];
    /// Thousandths by which each further processor that uses the table slows reaching an entry.
    probe_sharer_permille: Coordination [Doubled], [4, 2, 2, 2, 2], 0..=MOST_PERMILLE;
    /// Reading or writing a field of an entry that has been reached, where entries are written field by field.
    table_field: Coordination, [1, 0, 10, 8, 20];
    /// Bytes of the core's own cache.
    near_cache_bytes: Size, [1 << 20, 64 << 10, 64 << 10, 64 << 10, 16 << 10], 0..=MOST_BYTES;
    /// Bytes of the shared cache.
    shared_cache_bytes: Size, [32 << 20, 8 << 20, 8 << 20, 8 << 20, 4 << 20], 0..=MOST_BYTES;

    /// Number of processors on a board: a socket, or a cluster around one cache.
    processors_per_board: Size [Halved], [32, 4, 4, 4, 2], 1..=MOST_PROCESSORS as u64;
    /// Number of processors of a node, which has a memory of its own: who is beyond it is on another node.
    processors_per_node: Size, [MOST_PROCESSORS as u64; 5], 1..=MOST_PROCESSORS as u64;
    /// Reading a shared object of which this processor has a copy, or changing one that only it has.
    transfer_own: Coordination, [2, 10, 10, 8, 20];
    /// Fetching a shared object from another processor of the same board, or making its copy invalid.
    transfer_board: Coordination, [60, 200, 280, 220, 350];
    /// Fetching a shared object from another board, or making a copy there invalid.
    transfer_far: Coordination [Doubled], [140, 400, 470, 260, 380];
    /// Fetching a cache line of a large shared object, such as the history of quiet moves, that another processor has
    /// changed.
    area_line: Coordination, [60, 0, 450, 250, 370];
    /// Copying each further cache line of something that another processor has written.
    copy_line: Coordination, [12, 60, 120, 70, 120];

    /// Taking and releasing a lock that is free.
    lock_free: Coordination, [20, 120, 120, 90, 270];
    /// Taking over a lock for which other processors wait as well.
    lock_handoff: Coordination, [100, 1_000, 1_000, 700, 1_500];
    /// Time that each further waiting processor adds to taking over a lock.
    lock_waiter: Coordination [Doubled], [40, 300, 300, 200, 400];

    /// Time from a call until a spinning processor continues.
    wake_spin: Coordination, [100, 500, 500, 350, 700];
    /// Time from a call until a yielding processor continues.
    wake_yield: Coordination, [1_500, 10_000, 10_000, 7_500, 20_000];
    /// Time from a call until a sleeping processor continues.
    wake_park: Coordination, [5_000, 30_000, 30_000, 22_000, 60_000];
    /// Time that the caller spends on calling a sleeping processor.
    call_park: Coordination, [1_500, 10_000, 10_000, 7_500, 20_000];

    /// Rebuilding a position from its squares and state.
    rebuilding: Coordination, [80, 2_000, 2_000, 1_411, 3_539];

    /// Looking at one of the moves that are left, to pick the best under a lock.
    sorting_move: Coordination, [1, 0, 10, 8, 20];
    /// Publishing a split point.
    split: Coordination, [1_400, 1_000, 1_000, 705, 1_769];
    /// Joining a split point.
    join: Coordination, [200, 800, 800, 564, 1_415];
    /// Looking, at a node or before a move, what other processors do: whether anybody waits for work, whether the
    /// result is still wanted, or whether somebody else searches the move. Strategies pay it that share any node or put
    /// off moves, on several processors.
    look_around: Coordination, [22, 0, 0, 0, 0];
    /// Thousandths of the price of a main node by which entering one takes longer if the strategy keeps nodes on a
    /// stack of its own, where others can split any of them.
    stacked_node_permille: Coordination, [250, 0, 0, 0, 0], 0..=MOST_PERMILLE;

    /// Time for which each cache line that is fetched, copied or read from memory occupies the bus; 0 for a bus without
    /// limit.
    bus_line: Coordination [Limited], [0, 0, 2, 7, 24];
    /// Number of processors outside of the search that stream through memory, a line every `copy_line` at best, and
    /// take their share of the bus.
    hogs: Coordination, [0, 0, 0, 0, 0], 0..=MOST_PROCESSORS as u64;
    /// Period in a part of which those stream; 0 if they stream always.
    hog_period: Size, [0, 0, 0, 0, 0], 0..=1_000 * MOST_TIME;
    /// Thousandths of each period for which they stream, at its beginning.
    hog_share: Size, [500, 500, 500, 500, 500], 0..=1_000;
    /// Thousandths by which each further working processor of a board slows private work.
    memory_sharer_permille: Coordination [Doubled], [1, 0, 3, 3, 3], 0..=MOST_PERMILLE;
    /// Thousandths by which private work takes longer if several processors search together, whatever their number.
    together_permille: Coordination, [50, 0, 0, 0, 0], 0..=MOST_PERMILLE;
    /// Number of fast processors of a computer with cores of two kinds: those with the lowest numbers, which are used
    /// first.
    fast_processors: Size, [MOST_PROCESSORS as u64; 5], 1..=MOST_PROCESSORS as u64;
    /// Thousandths by which private work takes longer on the other processors.
    slow_permille: Work, [0, 0, 0, 0, 0], 0..=MOST_PERMILLE;
    /// Thousandths of the time for which each processor is taken away by other programs.
    away_permille: Coordination, [0, 0, 0, 0, 0], 0..=990;
    /// Mean time for which a processor is then away.
    away_time: Size, [10_000_000, 10_000_000, 10_000_000, 10_000_000, 10_000_000], 1_000..=1_000 * MOST_TIME;

    /// Time that sending or receiving a letter between nodes takes a processor.
    net_overhead: Coordination, [0; 5];
    /// Time from the moment at which a letter has left its node to the moment at which it can be received.
    net_latency: Coordination, [0; 5];
    /// Time between two letters that a node sends, beyond what their bytes take.
    net_message: Coordination, [0; 5];
    /// Time in which a node sends 1024 bytes.
    net_kib: Coordination, [0; 5];

    /// Largest random change of the time of work, in thousandths.
    jitter_permille: Size, [50, 50, 50, 50, 50], 0..=1_000;
}

impl Default for CostModel {
    fn default() -> Self {
        Self::reference()
    }
}

/// Costs that were not among those of the first version.
const ADDED: [&str; 19] = [
    "table_field",
    "area_line",
    "sorting_move",
    "look_around",
    "stacked_node_permille",
    "hogs",
    "hog_period",
    "hog_share",
    "memory_sharer_permille",
    "together_permille",
    "fast_processors",
    "slow_permille",
    "away_permille",
    "away_time",
    "processors_per_node",
    "net_overhead",
    "net_latency",
    "net_message",
    "net_kib",
];

/// Prices of a network between nodes, which are added to a cost model by its name.
pub(super) struct NamedNetwork {
    pub name: &'static str,
    /// Overhead, latency, gap between letters, and time of 1024 bytes.
    pub prices: [u64; 4],
}

/// All networks that have a name. Overheads of Ethernet were measured with MPI over TCP; no gap between letters has
/// been published that exceeds the overhead.
pub(super) const NETWORKS: [NamedNetwork; 4] = [
    // One-sided hardware of today: 80 picoseconds a byte.
    NamedNetwork { name: "infiniband", prices: [300, 1_500, 0, 82] },
    // 800 picoseconds a byte.
    NamedNetwork { name: "10gbe", prices: [4_000, 30_000, 0, 819] },
    // 8 nanoseconds a byte.
    NamedNetwork { name: "1gbe", prices: [4_000, 50_000, 0, 8_192] },
    // A link of the T800 of 1987: 1.8 MB/s (INMOS, Technical Note 26); some 20 microseconds a letter of a processor
    // that also routes (assumed), and nothing beside.
    NamedNetwork { name: "transputer", prices: [20_000, 0, 0, 568_889] },
];

impl CostModel {
    /// Names of the models that ship; the first is the default.
    pub const NAMES: [&'static str; 7] =
        ["reference", "reference-modern", "ideal", "smp-2004", "e15k", "sun-fire-6800", "e4500"];

    /// The default: a two-socket server of about 2020, on which the preset `thesis` searches.
    ///
    /// The prices of work, and of sharing a search beyond single transfers (`look_around`, `stacked_node_permille`,
    /// `together_permille`, `split`), are round numbers near those that `splitpoint validate` measured on two cores.
    /// That computer was a virtual one, where waking a sleeper took four times as long as here; a quarter is assumed.
    /// Locks and transfers within a board are near what was measured. All else is assumed.
    pub fn reference() -> Self {
        Self::of_column(COLUMNS[0], 0)
    }

    /// The machine of `reference`, with a search of today on it, the preset `modern`: measured in the same way. A node
    /// takes nearly three times as long, and publishing a split point half as long again, since the moves that are left
    /// are ranked and judged before they are listed. Being ready to share costs less than it did.
    pub fn reference_modern() -> Self {
        Self {
            name: "reference-modern".to_owned(),
            main_node: 210,
            quiescence_node: 170,
            evaluation: 125,
            generation: 110,
            probe_near: 2,
            probe_shared_cache: 6,
            probe_memory: 24,
            together_permille: 0,
            look_around: 10,
            split: 2_100,
            stacked_node_permille: 300,
            ..Self::reference()
        }
    }

    /// A machine on which coordination is free and work costs what it does in `reference`: what is lost on it, the
    /// algorithm loses.
    pub fn ideal() -> Self {
        let mut model = Self { name: "ideal".to_owned(), ..Self::reference() };
        Self::COSTS.iter().filter(|cost| cost.role == Role::Coordination).for_each(|cost| (cost.set)(&mut model, 0));
        model
    }

    /// The main machine of the 2004 thesis, a Sun Enterprise 15K with UltraSPARC-III processors of 900 MHz, as it was
    /// modelled first: without a price for the bus, large shared objects, writing the table field by field, sorting
    /// under a lock, and memory that processors share. [`e15k`](Self::e15k) has them.
    ///
    /// Stated there: 183,789 nodes a second on one processor, 5441 ns a node. Of 100 such nodes our rebuild of its
    /// search enters 81 in the main search and makes 18 in quiescence, with 74 evaluations, 40 generations and 25
    /// probes. Assumed, since no profile is published: an evaluation (from scratch, over all pieces) takes 1800, a
    /// generation with its ordering 2000, reaching an entry of the 16 MiB table 250, a move in quiescence 1860; what is
    /// left is 3550 for a main node. Rebuilding a position is taken to cost what generating its moves does. Memory: 8
    /// MiB of external cache, 4 processors on a board, about 200 ns to fetch from one's own board and 400 ns from
    /// another through the crossbar, 64 bytes a line. The program only spins. Locks: a mutex of Solaris at this clock,
    /// about a tenth of a microsecond free and a microsecond handed over.
    pub fn smp_2004() -> Self {
        Self::of_column(COLUMNS[1], 1)
    }

    /// The main machine of the 2004 thesis, a Sun Enterprise 15K with UltraSPARC-III processors of 900 MHz, with all
    /// that crosses its crossbar.
    ///
    /// - 5441 ns a node on one processor, shared out as in [`smp_2004`](Self::smp_2004) (thesis, table A.1).
    /// - reaching memory 400 ns, of which an entry of the table needs one line: between one's own board and the 16
    ///   others, with a miss of the address translation (assumed from the published latencies of this family, 180 to
    ///   440 ns from pin to pin).
    /// - fetching from a cache: 280 ns on the board, 470 ns from another (the same, a little longer than from
    ///   memory).
    /// - a line occupies the crossbar for 2 ns (43 GB/s between boards).
    /// - a further line of a copy 120 ns: stores and loads overlap four deep at best (assumed).
    /// - locks, waking, splitting and joining as in `smp-2004` (assumed).
    /// - 10 ns a field of an entry or a look at a move: some nine cycles (assumed).
    /// - 3 thousandths slower for each neighbour at work on the board (assumed).
    pub fn e15k() -> Self {
        Self::of_column(COLUMNS[2], 2)
    }

    /// The machine of the thesis's preliminary experiment, a Sun Fire 6800 with UltraSPARC-III processors of 1200 MHz.
    /// Other users worked on it: see `away_permille`, which is 0 here.
    ///
    /// - 3823 ns a node on one processor, shared out as in [`smp_2004`](Self::smp_2004) (thesis, table A.2).
    /// - reaching memory 240 ns, from a cache 220 ns on the board and 260 ns from another (assumed from the published
    ///   latencies of this family, 180 to 240 ns from pin to pin).
    /// - a line occupies the interconnect for 7 ns (9.6 GB/s, by the address bus that all share).
    /// - locks, waking, splitting and joining as in `smp-2004`, by the clock (assumed).
    /// - all else as in [`e15k`](Self::e15k), by the clock (assumed).
    pub fn sun_fire_6800() -> Self {
        Self::of_column(COLUMNS[3], 3)
    }

    /// The third machine of the thesis, a Sun Enterprise 4500 with UltraSPARC-II processors of 400 MHz that nobody else
    /// used.
    ///
    /// - 9527 ns a node on one processor, shared out as in [`smp_2004`](Self::smp_2004) (thesis, table A.3).
    /// - reaching memory 320 ns, from a cache 350 to 380 ns (assumed: a bus of 83 MHz and a pipeline in order).
    /// - a line occupies the bus for 24 ns (2.7 GB/s).
    /// - 4 MiB of external cache, 2 processors on a board (assumed).
    /// - locks, waking, splitting and joining as in `smp-2004`, by the clock (assumed).
    pub fn e4500() -> Self {
        Self::of_column(COLUMNS[4], 4)
    }

    /// The model of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ideal" => return Some(Self::ideal()),
            "reference-modern" => return Some(Self::reference_modern()),
            _ => {}
        }
        let column = COLUMNS.iter().position(|known| *known == name)?;
        Some(Self::of_column(name, column))
    }

    /// Fingerprint of the costs without the name, in sixteen hexadecimal digits. A model in which the costs that were
    /// added later are 0 has the fingerprint that it had before.
    pub fn hash(&self) -> String {
        let amounts = Self::COSTS.iter().map(|cost| (cost.name, (cost.get)(self)));
        let matters = |name: &str, amount| match name {
            "away_time" => self.away_permille > 0,
            "fast_processors" => self.slow_permille > 0,
            "hog_period" => self.hogs > 0 && amount > 0,
            "hog_share" => self.hogs > 0 && self.hog_period > 0,
            "processors_per_node" => self.has_nodes(),
            _ if name.starts_with("net_") => self.has_nodes() && amount > 0,
            _ => !ADDED.contains(&name) || amount > 0,
        };
        let amounts = amounts.filter(|(name, amount)| matters(name, *amount));
        let text: String = amounts.map(|(name, amount)| format!(",\"{name}\":{amount}")).collect();
        fingerprint(["{\"name\":\"\"", &text, "}"])
    }

    /// Thousandths by which private work takes longer on this of so many processors of a node, for good.
    pub(super) fn own_permille(&self, place: usize, processors: usize) -> u64 {
        let together = if processors > 1 { self.together_permille } else { 0 };
        let slow = if place as u64 >= self.fast_processors { self.slow_permille } else { 0 };
        together + slow + together * slow / 1000
    }

    /// Time that private work takes.
    #[inline]
    pub fn work(&self, work: Work) -> u64 {
        match work {
            Work::MainNode => self.main_node,
            Work::QuiescenceNode => self.quiescence_node,
            Work::Evaluation => self.evaluation,
            Work::Generation => self.generation,
            Work::Rebuilding { permille } => self.rebuilding * u64::from(permille) / 1000,
            Work::TableField => self.table_field,
            Work::Sorting { moves } => u64::from(moves) * self.sorting_move,
            Work::Split => self.split,
            Work::Join => self.join,
            Work::LookAround => self.look_around,
            Work::StackedNode => self.main_node * self.stacked_node_permille / 1000,
            Work::Nanoseconds(time) => time.into(),
        }
    }

    /// Time that work takes with jitter, of which `place` is drawn from 0 to twice its permille.
    #[inline(always)]
    pub(super) fn with_jitter(&self, nanoseconds: u64, place: u64) -> u64 {
        (nanoseconds * (1000 + place)).saturating_sub(nanoseconds * self.jitter_permille) / 1000
    }

    /// Time that work takes on average. Jitter makes it about half a nanosecond shorter, since clocks are whole
    /// numbers.
    pub fn mean_with_jitter(&self, nanoseconds: u64) -> f64 {
        let places = 2 * self.jitter_permille + 1;
        let sum: u64 = (0..places).map(|place| self.with_jitter(nanoseconds, place)).sum();
        sum as f64 / places as f64
    }

    /// Time to reach an entry of a table of this size that `processors` processors use.
    #[inline]
    pub fn probe(&self, bytes: u64, processors: usize) -> u64 {
        let alone = if bytes <= self.near_cache_bytes {
            self.probe_near
        } else if self.is_in_memory(bytes) {
            self.probe_memory
        } else {
            self.probe_shared_cache
        };
        alone + alone * self.probe_sharer_permille * (processors as u64 - 1) / 1000
    }

    /// Whether a table of this size is larger than all caches.
    #[inline]
    pub fn is_in_memory(&self, bytes: u64) -> bool {
        bytes > self.shared_cache_bytes
    }

    /// Board on which a processor is, by its number among those of all nodes. No board is on two nodes.
    pub fn board_of(&self, place: usize) -> usize {
        let (place, node, board) = (place as u64, self.processors_per_node.max(1), self.processors_per_board.max(1));
        (place / node * node.div_ceil(board) + place % node / board) as usize
    }

    /// Number of processors of a node of a machine with so many.
    pub fn node_size(&self, processors: usize) -> usize {
        processors.min(self.processors_per_node.max(1) as usize)
    }

    /// Number of nodes of a machine with so many processors.
    pub fn nodes(&self, processors: usize) -> usize {
        processors.div_ceil(self.node_size(processors).max(1)).max(1)
    }

    /// Sets the prices of the network.
    pub(super) fn set_network(&mut self, network: &NamedNetwork) {
        [self.net_overhead, self.net_latency, self.net_message, self.net_kib] = network.prices;
    }

    /// Whether a machine may have several nodes.
    fn has_nodes(&self) -> bool {
        self.processors_per_node < MOST_PROCESSORS as u64
    }

    /// Time to reach a shared object that need not be fetched, or is fetched from afar or from the same board.
    #[inline]
    pub fn transfer(&self, from_afar: Option<bool>) -> u64 {
        match from_afar {
            None => self.transfer_own,
            Some(false) => self.transfer_board,
            Some(true) => self.transfer_far,
        }
    }

    /// Time from a call until the processor that was called goes on.
    #[inline]
    pub fn wake(&self, waiting: Waiting) -> u64 {
        match waiting {
            Waiting::Spin | Waiting::Ticket | Waiting::Queue => self.wake_spin,
            Waiting::Yield => self.wake_yield,
            Waiting::Park | Waiting::SpinPark => self.wake_park,
        }
    }

    /// Time that a call takes the caller.
    #[inline]
    pub fn call(&self, waiting: Waiting) -> u64 {
        if waiting.sleeps() { self.call_park } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_known_by_its_hash() {
        let models = CostModel::NAMES.map(|name| CostModel::named(name).unwrap());
        assert!(CostModel::named("nobody's").is_none());
        for (model, name) in models.iter().zip(CostModel::NAMES) {
            assert_eq!(model.name, name);
            let renamed = CostModel { name: "mine".into(), ..model.clone() };
            assert_eq!(renamed.hash(), model.hash());
            let dearer = CostModel { wake_spin: model.wake_spin + 1, ..model.clone() };
            assert_ne!(dearer.hash(), model.hash());
            let text = serde_json::to_string(model).unwrap();
            assert_eq!(&serde_json::from_str::<CostModel>(&text).unwrap(), model);
        }
        // As in the records of earlier versions, which knew fewer costs.
        let old = "2d112ab3428eafef";
        let mut without_added = CostModel::smp_2004();
        // Sizes, which no model is without.
        let is_price = |name: &str| !["processors_per_node", "fast_processors"].contains(&name);
        let added = CostModel::COSTS.iter().filter(|cost| ADDED.contains(&cost.name) && is_price(cost.name));
        added.for_each(|cost| (cost.set)(&mut without_added, 0));
        assert_eq!([without_added.hash(), CostModel::smp_2004().hash()], [old, old]);
        // What has no effect does not count.
        let hash = |changes| CostModel::smp_2004().changed(changes).unwrap().hash();
        let [none, always, periodic] = ["hog_period=9,hog_share=9", "hogs=9", "hogs=9,hog_period=9"].map(hash);
        assert_eq!([&none, &hash("hogs=9,hog_share=9")], [old, &always]);
        assert_eq!(&hash("fast_processors=2"), old);
        assert_ne!(hash("fast_processors=2,slow_permille=9"), hash("slow_permille=9"));
        assert!(none != always && always != periodic && periodic != hash("hogs=9,hog_period=9,hog_share=9"));
    }

    #[test]
    fn a_block_names_what_differs_from_the_reference() {
        let model: CostModel = serde_json::from_str(r#"{"name": "slow locks", "lock_handoff": 900}"#).unwrap();
        assert_eq!(model, CostModel { name: "slow locks".into(), lock_handoff: 900, ..CostModel::reference() });
        let error = serde_json::from_str::<CostModel>(r#"{"lock_handof": 900}"#).unwrap_err().to_string();
        assert!(error.contains("lock_handof") && error.contains("lock_handoff"), "{error}");
    }

    #[test]
    fn slow_processors_come_after_the_fast_ones() {
        let model =
            CostModel { fast_processors: 2, slow_permille: 500, together_permille: 100, ..CostModel::reference() };
        assert_eq!([0, 1, 2, 3].map(|place| model.own_permille(place, 4)), [100, 100, 650, 650]);
        assert_eq!(model.own_permille(0, 1), 0);
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
        assert_eq!([None, Some(false), Some(true)].map(|from_afar| model.transfer(from_afar)), [2, 60, 140]);
        assert_eq!([0, 31, 32].map(|id| model.board_of(id)), [0, 0, 1]);
        let nodes = CostModel { processors_per_node: 40, ..model.clone() };
        assert_eq!([0, 31, 32, 39, 40, 71, 72, 80].map(|id| nodes.board_of(id)), [0, 0, 1, 1, 2, 2, 3, 4]);
        assert_eq!([1, 40, 80, 120].map(|processors| nodes.nodes(processors)), [1, 1, 2, 3]);
        assert_eq!([1 << 20, 16 << 20, 64 << 20].map(|bytes| model.probe(bytes, 1)), [1, 3, 12]);
        assert_eq!(model.probe(64 << 20, 101), 12 + 4);
    }
}
