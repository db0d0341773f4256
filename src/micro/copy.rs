//! Handing a position over to another thread, in every form that the strategies have: packing it with the positions
//! before it, and taking it over from the own cache, from memory, and from the cache of another core.
//!
//! From memory: a buffer larger than the caches is walked before each batch. From another core: a second pinned thread
//! packs the positions just before, and the two meet between its writing and the other's reading.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::by_board::{Place, figures, on, places, run_on, take_turns_at};
use super::turns::{Batch, Entry, Rounds, rounds_for, timed};
use super::{Figure, Micro, MicroError, Spec, Takes, Unit, pinned};
use crate::chess::choice::OnBoard;
use crate::chess::epd::Epd;
use crate::chess::suites::Suite;
use crate::chess::{Board, History, Keys, Move, MoveList, Sizes, Unsupported};
use crate::choices::choices;
use crate::machine::host::{Host, Topology};
use crate::machine::mechanisms::Meeting;
use crate::machine::{Machine, Pin, Processor, Program, RealMachine, Waiting};
use crate::parallel::{CopyForm, Destination, Luggage, Origin};
use crate::random::SplitMix;
use crate::search::LineMemory;

/// Micro-measurement of handing positions over.
pub const MICRO: Micro = Micro {
    name: "copy",
    title: "copying a position",
    about: "Bytes of a position on its way to another thread, and time to pack and unpack it in each copy mode: warm, \
            from memory, and from another core that has just written it.",
    published: &[],
    takes: Takes { boards: true, positions: true, depth: None },
    is_averaged: false,
    measure,
    print: None,
    check: None,
    verdict: None,
};

/// Number of positions in a batch. All packed ones together fit into the nearest cache.
const POSITIONS: usize = 16;
/// Plies of a position below the root of its search, about those at which nodes are shared.
const PLIES: usize = 5;
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

/// Position some moves below the root of a search, as an owner has it.
struct Owned<B> {
    root: B,
    board: B,
    past: History,
    before: History,
    line: LineMemory,
}

impl<B: Board> Owned<B> {
    /// A position that moves drawn at random lead to.
    fn below(epd: &Epd, seed: u64) -> Result<Self, Unsupported> {
        let root = B::set_up(&epd.setup, Keys::of_seed(0))?;
        let mut random = SplitMix::new(seed);
        let (mut board, mut past) = (root.clone(), History::with_capacity(PLIES));
        let mut line: Vec<Option<Move>> = Vec::new();
        past.mark_root();
        while line.len() < PLIES {
            let mut moves = MoveList::new();
            board.legal_moves(&mut moves);
            let Some(&mv) = moves.get(random.below(moves.len().max(1) as u64) as usize) else { break };
            past.push(board.key());
            let _ = board.make(mv);
            line.push(Some(mv));
        }
        Ok(Self { root, board, past, before: History::with_capacity(0), line: LineMemory::of(&line) })
    }

    fn origin(&self) -> Origin<'_, B> {
        let line = self.line.line_to(self.past.plies());
        Origin { board: &self.board, past: &self.past, line, sizes: Sizes::of::<B>() }
    }
}

/// Positions on boards of one type, as many as make a batch.
fn owned<B: Board>(positions: &[Epd]) -> Result<Vec<Owned<B>>, Unsupported> {
    positions.iter().cycle().take(POSITIONS).zip(0..).map(|(epd, seed)| Owned::below(epd, seed)).collect()
}

/// Helper that takes positions over.
struct Helper<B> {
    board: B,
    past: History,
}

impl<B: Board> Helper<B> {
    fn new(board: &B) -> Self {
        Self { board: board.clone(), past: History::with_capacity(2 * PLIES) }
    }
}

/// Packed position by itself: what stands beside it would be fetched with it.
#[repr(align(1024))]
struct Apart<B: Board>(Luggage<B>);

/// Packs positions, each apart from the others.
fn pack_all<B: Board>(form: &CopyForm, sources: &[Owned<B>]) -> Vec<Apart<B>> {
    let mut packed: Vec<Apart<B>> = sources.iter().map(|_| Apart(Luggage::empty())).collect();
    pack_anew(form, &mut packed, sources);
    packed
}

/// Packs positions in the places of others.
fn pack_anew<B: Board>(form: &CopyForm, packed: &mut [Apart<B>], sources: &[Owned<B>]) -> u64 {
    for (slot, source) in packed.iter_mut().zip(sources) {
        slot.0.pack(&black_box(source).origin(), form, 0);
    }
    sources.len() as u64
}

/// Unpacks positions one after the other, in an order that nothing in the processor foresees.
fn unpack_all<B: Board>(packed: &[Apart<B>], sources: &[Owned<B>], helper: &mut Helper<B>) -> u64 {
    for number in 0..packed.len() {
        let place = number * STRIDE % packed.len();
        let root = (&sources[place].root, &sources[place].before);
        let luggage = &black_box(&packed[place]).0;
        let _ = luggage.unpack(Destination { board: &mut helper.board, past: &mut helper.past, root });
        luggage.copy_ballast();
        black_box(&mut *helper);
    }
    packed.len() as u64
}

/// One step, on one board in one mode.
struct Alone<'a> {
    step: Step,
    form: CopyForm,
    positions: &'a [Epd],
    flusher: &'a RefCell<Flusher>,
}

impl<'a> OnBoard for Alone<'a> {
    type Output = Result<Entry<'a>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let Self { step, form, positions, flusher } = self;
        let sources: Vec<Owned<B>> = owned(positions)?;
        let mut packed = pack_all(&form, &sources);
        let mut helper = Helper::new(&sources[0].board);
        Ok(match step {
            Step::PackWarm => Entry::new(move || {
                let count = pack_anew(&form, &mut packed, &sources);
                black_box(&mut packed);
                count
            }),
            Step::UnpackWarm => Entry::new(move || unpack_all(&packed, &sources, &mut helper)),
            Step::UnpackCold => Entry::self_timed(move || {
                flusher.borrow_mut().flush();
                timed(|| unpack_all(&packed, &sources, &mut helper))
            }),
        })
    }
}

/// Positions that one thread packs and the other unpacks.
trait Crossing: Sync {
    /// Packs all positions.
    fn write(&self);
    /// Unpacks all positions.
    fn read(&self) -> Batch;
    /// Mean number of bytes of a packed position.
    fn bytes(&self) -> f64;
}

struct Crossed<B: Board> {
    form: CopyForm,
    sources: Vec<Owned<B>>,
    packed: Mutex<Vec<Apart<B>>>,
    helper: Mutex<Helper<B>>,
}

impl<B: Board> Crossing for Crossed<B> {
    fn write(&self) {
        let mut packed = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        pack_anew(&self.form, &mut packed, &self.sources);
    }

    fn read(&self) -> Batch {
        let packed = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut helper = self.helper.lock().unwrap_or_else(PoisonError::into_inner);
        timed(|| unpack_all(&packed, &self.sources, &mut helper))
    }

    fn bytes(&self) -> f64 {
        let packed = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        packed.iter().map(|packed| packed.0.bytes()).sum::<usize>() as f64 / packed.len().max(1) as f64
    }
}

struct MakeCrossing<'a>(CopyForm, &'a [Epd]);

impl OnBoard for MakeCrossing<'_> {
    type Output = Result<Box<dyn Crossing + Send>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let sources: Vec<Owned<B>> = owned(self.1)?;
        let packed = Mutex::new(pack_all(&self.0, &sources));
        let helper = Mutex::new(Helper::new(&sources[0].board));
        Ok(Box::new(Crossed { form: self.0, sources, packed, helper }))
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
    let forms = CopyForm::all_forms();
    let crossed = places(&spec.boards, forms.iter().copied(), |form| (form.to_string(), FROM_ANOTHER));
    let crossing = |place: &Place<CopyForm>| run_on(place.board, MakeCrossing(place.work, positions));
    let crossings = crossed.iter().map(crossing).collect::<Result<Vec<_>, _>>()?;
    let mut all: Vec<Figure> = Vec::new();
    for (place, crossing) in crossed.iter().zip(&crossings) {
        let bytes = Figure::new(&place.of, "bytes copied", Unit::Bytes, crossing.bytes());
        all.push(on(place.board, bytes));
    }

    let steps = forms.iter().flat_map(|&form| Step::ALL.iter().map(move |&step| (form, step)));
    let alone = places(&spec.boards, steps, |(form, step)| (form.to_string(), step.name()));
    let rounds = pinned(|| {
        let flusher = RefCell::new(Flusher::new());
        take_turns_at(&alone, spec, |place| {
            let (form, step) = place.work;
            run_on(place.board, Alone { step, form, positions, flusher: &flusher })
        })
    })?;
    all.extend(figures(&alone, &rounds, "", |_| None));

    // With one core there is no other.
    if Topology::of_system().allowed_cores() > 1 {
        all.extend(figures(&crossed, &between_cores(&crossings, spec)?, "", |_| None));
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
        for form in CopyForm::all_forms() {
            let sources: Vec<Owned<Mailbox>> = owned(&positions).unwrap();
            assert_eq!(sources.len(), POSITIONS);
            // Of 16, five apart, the last to be unpacked is number 15 x 5 % 16.
            let last = sources[(POSITIONS - 1) * STRIDE % POSITIONS].board.clone();
            let packed = Mutex::new(pack_all(&form, &sources));
            let helper = Mutex::new(Helper::new(&sources[0].board));
            let crossed = Crossed { form, packed, helper, sources };
            crossed.write();
            assert_eq!(crossed.read().operations, POSITIONS as u64);
            assert_eq!(crossed.helper.lock().unwrap().board, last, "{form}");
        }
    }
}
