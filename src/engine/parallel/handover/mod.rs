//! Handing a position over to a helper. The owner packs it once, when it shares a node; every helper that comes unpacks
//! it for itself. The 2004 thesis asks whether bitboards are expensive to hand over: this room is where that is
//! decided.
//!
//! A copy mode is a [`Form`] in which a position travels, in a file of its own, and a line in the list below.

mod as_it_is;
mod compact;
mod form;
mod partial;
mod replay;

use std::fmt;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use crate::chess::{Board, Compact, History, Move, Sizes};
use crate::choices::choices;
use crate::machine::{Access, Processor, Work};
use crate::search::{Context, Killers, Strategy, Worker};
use crate::settings::settings;
use crate::suggestion::WordError;

pub(super) use as_it_is::PRINTED_POSITION;
use as_it_is::{Printed, Trimmed, Whole};
pub use form::{Destination, Origin};
use form::{Form, Past};
use partial::Partial;
use replay::Line;

macro_rules! copy_modes {
    ($( $(#[doc = $meaning:literal])+ $Mode:ident($Form:ty) $name:literal; )*) => {
        choices! {
            /// Form in which a position is copied to a helper.
            pub enum CopyMode, "copy mode";
            $( $(#[doc = $meaning])+ $Mode $name, )*
        }

        /// A position on its way from an owner to its helpers.
        enum PackedPosition<B: Board> {
            Nothing,
            $( $Mode($Form), )*
        }

        impl<B: Board> PackedPosition<B> {
            fn pack(&mut self, origin: &Origin<'_, B>, wanted: &CopyForm) {
                let parts = wanted.parts as usize;
                match (wanted.mode, self) {
                    $( (CopyMode::$Mode, Self::$Mode(form)) => Form::<B>::repack(form, origin, parts), )*
                    $( (CopyMode::$Mode, other) => *other = Self::$Mode(Form::<B>::pack(origin, parts)), )*
                }
            }

            /// Number of bytes that are copied, the fewest that are with all else, and the past that travels too.
            fn size(&self, sizes: &Sizes) -> (usize, usize, Past) {
                match self {
                    Self::Nothing => (0, 0, Past::Remade),
                    $( Self::$Mode(form) => {
                        (Form::<B>::bytes(form, sizes), <$Form as Form<B>>::AT_LEAST, <$Form as Form<B>>::PAST)
                    } )*
                }
            }

            fn unpack(&self, destination: &mut Destination<'_, B>, sizes: &Sizes) -> Option<Work> {
                match self {
                    Self::Nothing => None,
                    $( Self::$Mode(form) => form.unpack(destination, sizes), )*
                }
            }

            fn line(&self) -> Option<&[Option<Move>]> {
                match self {
                    Self::Nothing => None,
                    $( Self::$Mode(form) => Form::<B>::line(form), )*
                }
            }
        }
    };
}

copy_modes! {
    /// The board as it is, and the keys of the positions that can still be repeated.
    Trimmed(Trimmed<B>) "trimmed";
    /// The board as it is, and the keys of all earlier positions.
    Whole(Whole<B>) "whole";
    /// Squares and state; the helper rebuilds the rest.
    Compact(Compact) "compact";
    /// Squares, state and as many derived parts of the board as 'copied-parts' says; the helper rebuilds the others.
    Partial(Partial<B>) "partial";
    /// The moves from the root; the helper makes them.
    Replay(Line) "replay";
    /// The board as it is, in the 2320 bytes of the printed position.
    AsPrinted(Printed<B>) "as-printed";
}

/// Largest number of derived parts that a board has.
const MOST_PARTS: i32 = 3;
const DEFAULT_PARTS: i32 = 1;
/// Most bytes that are copied although nobody needs them.
const MOST_PADDING: i32 = 65_536;

choices! {
    /// Locks under which a position is copied. The owner of a node copies the position once, and each helper copies
    /// that copy for itself.
    pub enum Copier, "copier", by default OwnerLocked;
    /// The owner copies under the lock of its node, and helpers outside of it.
    OwnerLocked "owner-locked",
    /// The owner copies before it takes the lock, and helpers outside of it.
    Unlocked "unlocked",
    /// The owner copies before it takes the lock, and each helper under it.
    HelperLocked "helper-locked",
    /// The owner and each helper copy under the lock.
    BothLocked "both-locked",
}

impl Copier {
    /// Whether the owner copies under the lock.
    pub fn locks_owner(self) -> bool {
        matches!(self, Self::OwnerLocked | Self::BothLocked)
    }

    /// Whether helpers copy under the lock.
    pub fn locks_helpers(self) -> bool {
        matches!(self, Self::HelperLocked | Self::BothLocked)
    }
}

settings! {
    /// Parameters of handing over: what is copied, and under which locks.
    pub struct Copying, "parameter of a handover";
    copier: Copier, "copier", "who copies the position under the lock of the node: its owner, helpers, both, or nobody";
    ..form: CopyForm;
}

settings! {
    /// Form in which a position is copied, with its parameters.
    pub struct CopyForm, "parameter of a copied position";
    mode: CopyMode, "copy", "form in which a helper gets the position";
    parts: i32 [0..=3 "parts"] = 1, "copied-parts",
        "number of derived parts that are copied with 'copy=partial': of bitboards the sets of colours, of kinds and \
         rotated ones, of a mailbox the piece lists and the index board";
    padding: i32 [0..=65536 "bytes"], "padding",
        "bytes that are copied beside the position, although nobody needs them";
}

impl CopyForm {
    /// Every form, with each number of parts where that matters, and no padding.
    pub fn all_forms() -> Vec<Self> {
        let of_mode = |&mode: &CopyMode| {
            let numbers = if mode == CopyMode::Partial { 0..=MOST_PARTS } else { DEFAULT_PARTS..=DEFAULT_PARTS };
            numbers.map(move |parts| Self { mode, parts, padding: 0 })
        };
        CopyMode::ALL.iter().flat_map(of_mode).collect()
    }
}

/// `trimmed`, `partial:2`, `trimmed+4096`.
impl fmt::Display for CopyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mode.name())?;
        if self.mode == CopyMode::Partial {
            write!(f, ":{}", self.parts)?;
        }
        if self.padding > 0 {
            write!(f, "+{}", self.padding)?;
        }
        Ok(())
    }
}

impl FromStr for CopyForm {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let number = |text: &str, most: i32, what: &str| {
            let number = text.trim().parse().ok().filter(|number| (0..=most).contains(number));
            number.ok_or_else(|| WordError::new(format!("'{text}' is not a number of {what}: expected 0 to {most}")))
        };
        if let Some(bytes) = text.trim().strip_prefix("padded:") {
            return Ok(Self { padding: number(bytes, MOST_PADDING, "bytes")?, ..Self::default() });
        }
        let (form, bytes) = text.split_once('+').map_or((text, None), |(form, bytes)| (form, Some(bytes)));
        let padding = bytes.map_or(Ok(0), |bytes| number(bytes, MOST_PADDING, "bytes"))?;
        let (mode, parts) = form.split_once(':').map_or((form, None), |(mode, parts)| (mode, Some(parts)));
        let mode: CopyMode = mode.trim().parse()?;
        let parts = match parts {
            Some(parts) if mode == CopyMode::Partial => number(parts, MOST_PARTS, "parts")?,
            Some(_) => {
                return Err(WordError::new(format!("'{mode}' has no number of parts; 'partial:{DEFAULT_PARTS}' has")));
            }
            None => DEFAULT_PARTS,
        };
        Ok(Self { mode, parts, padding })
    }
}

/// A position on its way, and what led to it.
pub struct Luggage<B: Board> {
    position: PackedPosition<B>,
    sizes: Sizes,
    past: History,
    past_bytes: usize,
    /// Bytes that are copied although nobody needs them.
    ballast: Vec<u8>,
}

/// Bytes that ballast is copied from, and to.
const BLOCK: usize = 4096;

impl<B: Board> Luggage<B> {
    /// Luggage with nothing packed yet.
    pub fn empty() -> Self {
        Self {
            position: PackedPosition::Nothing,
            sizes: Sizes::of::<B>(),
            past: History::with_capacity(0),
            past_bytes: 0,
            ballast: Vec::new(),
        }
    }

    /// Packs a position, and as much more as makes it `at_least` so many bytes, and the padding.
    #[inline]
    pub fn pack(&mut self, origin: &Origin<'_, B>, form: &CopyForm, at_least: usize) {
        self.position.pack(origin, form);
        self.sizes = origin.sizes;
        let (_, fewest, past) = self.position.size(&self.sizes);
        self.past_bytes = match past {
            Past::Reversible => self.past.copy_reversible_from(origin.past, origin.board.state()),
            Past::All => self.past.copy_from(origin.past),
            Past::Remade => 0,
        };
        let filling = at_least.max(fewest).saturating_sub(self.needed()) + form.padding as usize;
        if filling > 0 || !self.ballast.is_empty() {
            static SOURCE: [u8; BLOCK] = [0; BLOCK];
            self.ballast.resize(filling, 0);
            self.ballast.chunks_mut(BLOCK).for_each(|chunk| chunk.copy_from_slice(&SOURCE[..chunk.len()]));
        }
    }

    /// Number of bytes that a helper needs.
    fn needed(&self) -> usize {
        let (bytes, ..) = self.position.size(&self.sizes);
        bytes + self.past_bytes
    }

    /// Number of bytes that are copied.
    pub fn bytes(&self) -> usize {
        self.needed() + self.ballast.len()
    }

    /// Takes the position over. Returns the work beside reading the bytes.
    #[inline]
    pub fn unpack(&self, mut destination: Destination<'_, B>) -> Option<Work> {
        let work = self.position.unpack(&mut destination, &self.sizes);
        let Destination { board, past, .. } = destination;
        match self.position.size(&self.sizes) {
            (.., Past::Reversible) => {
                past.copy_reversible_from(&self.past, board.state());
            }
            (.., Past::All) => {
                past.copy_from(&self.past);
            }
            (.., Past::Remade) => {}
        }
        work
    }

    /// Copies the bytes that nobody needs, and forgets them.
    pub fn copy_ballast(&self) {
        if self.ballast.is_empty() {
            return;
        }
        let mut copy = [0; BLOCK];
        for chunk in self.ballast.chunks(BLOCK) {
            copy[..chunk.len()].copy_from_slice(chunk);
            std::hint::black_box(&copy);
        }
    }
}

/// All that a helper takes over: a position, what led to it, and what its owner knew of the line. The protocols let an
/// owner pack only while no helper takes over, so nobody waits for the lock inside; it is not one of the machine's.
pub struct Handover<B: Board>(RwLock<Packed<B>>);

struct Packed<B: Board> {
    luggage: Luggage<B>,
    /// Knowledge of the owner about the line to the node.
    context: Context,
    /// Key of the position, for a check of the helper's.
    key: u64,
}

/// Cost of a copy that was made. It is paid apart: the lock inside a [`Handover`] must not be held while others go
/// first.
#[derive(Clone, Copy)]
#[must_use]
pub struct HandoverCost {
    bytes: usize,
    unpacking: Option<Work>,
    /// Whether the copy is a helper's own.
    is_helpers: bool,
    copies_ballast: bool,
    /// Nanoseconds that it took a real thread.
    time: u64,
}

/// Number of positions taken over on a real machine of which one is taken over twice, to time the second copy.
const TWICE_OF: u64 = 4;

impl<B: Board> Handover<B> {
    /// Handover with nothing packed yet.
    pub fn empty() -> Self {
        Self(RwLock::new(Packed { luggage: Luggage::empty(), context: Context::default(), key: 0 }))
    }

    /// Packs what helpers at this ply need, and as much more as makes it `at_least` so many bytes, and the padding.
    pub fn pack<P: Processor, S: Strategy>(
        &self,
        worker: &Worker<'_, B, P, S>,
        ply: usize,
        copying: &Copying,
        at_least: usize,
    ) -> HandoverCost {
        let from = worker.processor.tick();
        let (line, sizes) = (worker.line_to(ply), worker.common.sizes);
        let origin = Origin { board: &worker.board, past: &worker.past, line, sizes };
        let mut packed = self.0.write().unwrap_or_else(PoisonError::into_inner);
        packed.context = worker.context(ply);
        let at_least = at_least.saturating_sub(packed.context.bytes());
        packed.luggage.pack(&origin, &copying.form, at_least);
        packed.key = worker.board.key();
        let time = worker.processor.between(from, worker.processor.tick());
        HandoverCost { bytes: packed.bytes(), unpacking: None, is_helpers: false, copies_ballast: true, time }
    }

    /// Hands everything over to a helper, with the ballast if it makes its own copy.
    pub fn unpack<P: Processor, S: Strategy>(
        &self,
        worker: &mut Worker<'_, B, P, S>,
        ply: usize,
        killers: Killers,
        copies_ballast: bool,
    ) -> HandoverCost {
        let packed = self.read();
        let from = worker.processor.tick();
        let unpacking = packed.take_over(worker, copies_ballast);
        let time = worker.processor.between(from, worker.processor.tick());
        debug_assert_eq!(worker.board.key(), packed.key, "the helper is in the position of its owner");
        packed.adopt(worker, ply, killers);
        let bytes = packed.bytes() - if copies_ballast { 0 } else { packed.luggage.ballast.len() };
        HandoverCost { bytes, unpacking, is_helpers: true, copies_ballast, time }
    }

    /// Lets a helper that has just taken over do so again now and then: what the first time took longer was fetching.
    /// Outside of all locks, which it would hold for longer than without. Returns the nanoseconds that this took. On a
    /// virtual machine nothing is taken over twice.
    pub fn unpack_again<P: Processor, S: Strategy>(
        &self,
        worker: &mut Worker<'_, B, P, S>,
        first: HandoverCost,
    ) -> u64 {
        if P::IS_VIRTUAL || worker.counters.times.copies % TWICE_OF != 1 {
            return 0;
        }
        let packed = self.read();
        let from = worker.processor.tick();
        packed.take_over(worker, first.copies_ballast);
        let again_ns = worker.processor.between(from, worker.processor.tick());
        let times = &mut worker.counters.times;
        (times.again, times.first_ns, times.again_ns) =
            (times.again + 1, times.first_ns + first.time, times.again_ns + again_ns);
        again_ns
    }

    /// Hands over what the owner knew of the line, to a worker that is in the position already.
    pub fn adopt<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>, ply: usize, killers: Killers) {
        self.read().adopt(worker, ply, killers);
    }

    fn read(&self) -> RwLockReadGuard<'_, Packed<B>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<B: Board> Packed<B> {
    fn bytes(&self) -> usize {
        self.luggage.bytes() + self.context.bytes()
    }

    /// Puts position and past into their places, and copies the ballast if a helper does. Returns the work beside
    /// reading the bytes.
    fn take_over<P: Processor, S: Strategy>(
        &self,
        worker: &mut Worker<'_, B, P, S>,
        copies_ballast: bool,
    ) -> Option<Work> {
        let (board, past, root) = (&mut worker.board, &mut worker.past, worker.root);
        let work = self.luggage.unpack(Destination { board, past, root });
        if copies_ballast {
            self.luggage.copy_ballast();
        }
        work
    }

    fn adopt<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>, ply: usize, killers: Killers) {
        if let Some(line) = self.luggage.position.line() {
            worker.set_line(line);
        }
        worker.adopt(ply, &self.context, killers);
    }
}

impl HandoverCost {
    /// Counts the bytes of a copy, and lets its time pass.
    pub fn pay<B: Board, P: Processor, S: Strategy>(self, worker: &mut Worker<'_, B, P, S>) {
        worker.counters.copied_bytes += self.bytes as u64;
        worker.counters.times.paid += 1;
        self.pass(worker);
    }

    /// Lets the time of a copy pass whose bytes are counted elsewhere.
    pub fn pass<B: Board, P: Processor, S: Strategy>(self, worker: &mut Worker<'_, B, P, S>) {
        let mut time = self.time;
        if P::IS_VIRTUAL {
            let since = worker.processor.now();
            worker.processor.touch(Access::Copy { bytes: self.bytes as u32 });
            let fetched = worker.processor.now();
            if let Some(work) = self.unpacking {
                worker.processor.spend(work);
            }
            time = worker.processor.now() - since;
            if self.is_helpers {
                // Of a position that is at hand only the work would be left.
                let times = &mut worker.counters.times;
                (times.again, times.first_ns) = (times.again + 1, times.first_ns + time);
                times.again_ns += worker.processor.now() - fetched;
            }
        }
        let times = &mut worker.counters.times;
        if self.is_helpers {
            (times.copies, times.copy_ns) = (times.copies + 1, times.copy_ns + time);
        } else {
            (times.packs, times.pack_ns) = (times.packs + 1, times.pack_ns + time);
        }
    }
}
