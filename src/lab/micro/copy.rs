//! Handing a position over to another thread, in every form that the strategies have: packing it, and unpacking it from
//! the own cache, from memory, and from the cache of another core.
//!
//! From memory: a buffer larger than the caches is walked before each batch. From another core: a second pinned thread
//! packs the positions just before, and the two meet between its writing and the other's reading.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::by_board::{Place, figures};
use super::turns::{Batch, Entry, Rounds, rounds_for, take_turns, timed};
use super::{Figure, Micro, MicroError, Spec, Takes, Unit, pinned};
use crate::chess::choice::{BoardChoice, OnBoard};
use crate::chess::epd::Epd;
use crate::chess::suites::Suite;
use crate::chess::{Board, Keys, Unsupported};
use crate::choices::choices;
use crate::machine::host::Host;
use crate::machine::mechanisms::Meeting;
use crate::machine::{Machine, Pin, Processor, Program, RealMachine, Waiting};
use crate::parallel::{CopyMode, PackedPosition};
use crate::random::SplitMix;

/// Micro-measurement of copying positions.
pub const MICRO: Micro = Micro {
    name: "copy",
    about: "Bytes of a position on its way to another thread, and time to pack and unpack it in each copy mode: warm, \
            from memory, and from another core that has just written it.",
    published: &[],
    takes: Takes { boards: true, positions: true, depth: None },
    measure,
};

/// Number of positions in a batch. All packed ones together fit into the nearest cache.
const POSITIONS: usize = 16;
/// Distance of positions that are unpacked one after the other; it has no divisor in common with their number.
const STRIDE: usize = 5;
/// Suite whose positions are copied, as often as makes a batch.
const SUITE: &str = "thesis-10";
/// Largest buffer that is walked to empty the caches.
const MOST_FLUSHED: u64 = 128 << 20;
/// The buffer is so many times as large as the largest cache.
const FLUSHED_CACHES: u64 = 2;
/// Size of the buffer where the caches are not known.
const UNKNOWN_CACHE: u64 = 64 << 20;
const LINE_BYTES: usize = 64;

choices! {
    /// Step of a handover that the owner's or the helper's thread takes alone.
    pub enum Step, "step";
    /// The owner packs.
    PackWarm "pack, warm",
    /// The helper unpacks what is in its own cache.
    UnpackWarm "unpack, warm",
    /// The helper unpacks what is in memory.
    UnpackCold "unpack, from memory",
}

/// Name of the step that takes two threads.
const FROM_ANOTHER: &str = "unpack, from another core";

/// Buffer whose walking empties the caches.
struct Flusher(Vec<[u8; LINE_BYTES]>);

impl Flusher {
    fn new() -> Self {
        let largest = Host::read().caches.iter().filter_map(|cache| cache.bytes).max();
        let bytes = largest.map_or(UNKNOWN_CACHE, |bytes| FLUSHED_CACHES * bytes).min(MOST_FLUSHED);
        Self(vec![[1; LINE_BYTES]; bytes as usize / LINE_BYTES])
    }

    fn flush(&mut self) {
        for line in black_box(&mut self.0) {
            line[0] = line[0].wrapping_add(1);
        }
    }
}

/// Positions on boards of one type, as many as make a batch.
fn boards<B: Board>(positions: &[Epd]) -> Result<Vec<B>, Unsupported> {
    let set_up = |epd: &Epd| B::set_up(&epd.setup, Keys::of_seed(0));
    positions.iter().cycle().take(POSITIONS).map(set_up).collect()
}

/// Packed position by itself: what stands beside it would be fetched with it.
#[repr(align(1024))]
struct Apart<B: Board>(PackedPosition<B>);

/// Packs positions, each apart from the others.
fn pack_all<B: Board>(mode: CopyMode, sources: &[B]) -> Vec<Apart<B>> {
    sources.iter().map(|source| Apart(PackedPosition::pack(mode, source))).collect()
}

/// Packs positions in the places of others.
fn pack_anew<B: Board>(mode: CopyMode, packed: &mut [Apart<B>], sources: &[B]) -> u64 {
    for (slot, source) in packed.iter_mut().zip(sources) {
        slot.0 = PackedPosition::pack(mode, black_box(source));
    }
    sources.len() as u64
}

/// Unpacks positions one after the other, in an order that nothing in the processor foresees.
fn unpack_all<B: Board>(packed: &[Apart<B>], helper: &mut B) -> u64 {
    for number in 0..packed.len() {
        let _ = black_box(&packed[number * STRIDE % packed.len()]).0.unpack(helper);
        black_box(&mut *helper);
    }
    packed.len() as u64
}

/// One step, on one board in one mode.
struct Alone<'a> {
    step: Step,
    mode: CopyMode,
    positions: &'a [Epd],
    flusher: &'a RefCell<Flusher>,
}

impl<'a> OnBoard for Alone<'a> {
    type Output = Result<Entry<'a>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let Self { step, mode, positions, flusher } = self;
        let sources: Vec<B> = boards(positions)?;
        let mut packed = pack_all(mode, &sources);
        let mut helper = sources[0].clone();
        Ok(match step {
            Step::PackWarm => Entry::new(move || {
                let count = pack_anew(mode, &mut packed, &sources);
                black_box(&mut packed);
                count
            }),
            Step::UnpackWarm => Entry::new(move || unpack_all(&packed, &mut helper)),
            Step::UnpackCold => Entry::self_timed(move || {
                flusher.borrow_mut().flush();
                timed(|| unpack_all(&packed, &mut helper))
            }),
        })
    }
}

/// Number of bytes that are copied.
struct Bytes<'a>(CopyMode, &'a [Epd]);

impl OnBoard for Bytes<'_> {
    type Output = Result<usize, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let boards: Vec<B> = boards(self.1)?;
        Ok(boards.iter().map(|board| PackedPosition::pack(self.0, board).bytes()).max().unwrap_or(0))
    }
}

/// Positions that one thread packs and the other unpacks.
trait Crossing: Sync {
    /// Packs all positions.
    fn write(&self);
    /// Unpacks all positions.
    fn read(&self) -> Batch;
}

struct Crossed<B: Board> {
    mode: CopyMode,
    sources: Vec<B>,
    packed: Mutex<Vec<Apart<B>>>,
    helper: Mutex<B>,
}

impl<B: Board> Crossing for Crossed<B> {
    fn write(&self) {
        let mut packed = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        pack_anew(self.mode, &mut packed, &self.sources);
    }

    fn read(&self) -> Batch {
        let packed = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut helper = self.helper.lock().unwrap_or_else(PoisonError::into_inner);
        timed(|| unpack_all(&packed, &mut helper))
    }
}

struct MakeCrossing<'a>(CopyMode, &'a [Epd]);

impl OnBoard for MakeCrossing<'_> {
    type Output = Result<Box<dyn Crossing + Send>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let sources: Vec<B> = boards(self.1)?;
        let packed = pack_all(self.0, &sources);
        let helper = Mutex::new(sources[0].clone());
        Ok(Box::new(Crossed { mode: self.0, sources, packed: Mutex::new(packed), helper }))
    }
}

/// Handovers between two threads, in turn.
struct Handovers<'a> {
    crossings: &'a [Box<dyn Crossing + Send>],
    time: Duration,
    seed: u64,
    meeting: Meeting,
}

impl Program for Handovers<'_> {
    type Output = Vec<Vec<f64>>;

    fn run<P: Processor>(&self, processor: &P) -> Self::Output {
        let mut order: Vec<usize> = (0..self.crossings.len()).collect();
        let mut random = SplitMix::new(self.seed);
        let mut times = vec![Vec::new(); order.len()];
        let mut met = 0;
        let mut meet = || {
            self.meeting.meet(processor, met);
            met += 1;
        };
        for _ in 0..rounds_for(self.time) {
            // Both threads have the same order.
            random.shuffle(&mut order);
            for &place in &order {
                if processor.id() == 1 {
                    self.crossings[place].write();
                }
                meet();
                if processor.id() == 0 {
                    let batch = self.crossings[place].read();
                    times[place].push(batch.nanoseconds / batch.operations.max(1) as f64);
                }
                meet();
            }
        }
        times
    }
}

fn between_cores(crossings: &[Box<dyn Crossing + Send>], spec: &Spec) -> Result<Rounds, MicroError> {
    let machine = RealMachine::new(2, &Pin::Cores, Waiting::Spin)?;
    let program = Handovers { crossings, time: spec.time, seed: spec.seed, meeting: Meeting::default() };
    let run = machine.run(&program)?;
    Ok(Rounds::between_threads(run.outputs.into_iter().next().unwrap_or_default()))
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let own: Vec<Epd> = Suite::named(SUITE).map(Suite::positions).unwrap_or_default();
    let positions = if spec.positions.is_empty() { &own } else { &spec.positions };
    let combinations = || CopyMode::ALL.iter().flat_map(|&mode| spec.boards.iter().map(move |&board| (mode, board)));
    let bytes = |(mode, board): (CopyMode, BoardChoice)| {
        let bytes = board.run(Bytes(mode, positions))?;
        Ok(Figure::new(mode.name(), "bytes copied", Unit::Bytes, bytes as f64).on(board))
    };
    let mut all: Vec<Figure> = combinations().map(bytes).collect::<Result<_, Unsupported>>()?;

    let alone = |mode: CopyMode| Step::ALL.iter().map(move |&step| (mode, step));
    let places: Vec<Place> = CopyMode::ALL
        .iter()
        .flat_map(|&mode| alone(mode))
        .flat_map(|(mode, step)| Place::on_each(&spec.boards, mode.name(), step.name(), |_| None))
        .collect();
    let rounds = pinned(|| {
        let flusher = RefCell::new(Flusher::new());
        let mut entries = Vec::new();
        for (mode, step) in CopyMode::ALL.iter().flat_map(|&mode| alone(mode)) {
            for board in &spec.boards {
                entries.push(board.run(Alone { step, mode, positions, flusher: &flusher })?);
            }
        }
        Ok(take_turns(&mut entries, spec.time, spec.seed))
    })?;
    all.extend(figures(&places, &rounds, ""));

    // With one core there is no other.
    if RealMachine::room() > 1 {
        let crossings: Vec<_> =
            combinations().map(|(mode, board)| board.run(MakeCrossing(mode, positions))).collect::<Result<_, _>>()?;
        let of_mode = |mode: &CopyMode| Place::on_each(&spec.boards, mode.name(), FROM_ANOTHER, |_| None);
        let places: Vec<Place> = CopyMode::ALL.iter().flat_map(of_mode).collect();
        all.extend(figures(&places, &between_cores(&crossings, spec)?, ""));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;

    /// Whatever the mode, the helper is where the owner was.
    #[test]
    fn what_is_written_is_what_is_read() {
        let positions = Suite::named(SUITE).unwrap().positions();
        for &mode in CopyMode::ALL {
            let sources: Vec<Mailbox> = boards(&positions).unwrap();
            assert_eq!(sources.len(), POSITIONS);
            let last = sources[(POSITIONS - 1) * STRIDE % POSITIONS].clone();
            let crossed = Crossed {
                mode,
                packed: Mutex::new(pack_all(mode, &sources)),
                helper: Mutex::new(sources[0].clone()),
                sources,
            };
            crossed.write();
            assert_eq!(crossed.read().operations, POSITIONS as u64);
            // Of 16, five apart, the last to be unpacked is number 15 x 5 % 16.
            assert_eq!(*crossed.helper.lock().unwrap(), last, "{mode}");
        }
    }
}
