//! Handing a position over to a helper. The owner packs it once, when it shares a node; every helper that comes unpacks
//! it for itself. The 2004 thesis asks whether bitboards are expensive to hand over: this room is where that is
//! decided.
//!
//! A copy mode is a [`Form`] in which a position travels, in a file of its own, and a line in the list below.

mod as_it_is;
mod compact;
mod partial;
mod replay;

use crate::chess::{Board, Compact, History};
use crate::choices::choices;
use crate::machine::{Access, Processor, Work};
use crate::search::{Context, Killers, Strategy, Worker};
use crate::settings::settings;

pub(super) use as_it_is::PRINTED_POSITION;
use as_it_is::{Printed, Trimmed, Whole};
use partial::Partial;
use replay::Line;

/// Form in which a position of board `B` travels from its owner to helpers.
trait Form<B: Board>: Sized {
    /// Earlier positions that travel with it.
    const PAST: Past = Past::Reversible;
    /// Fewest bytes that are copied, needed or not.
    const AT_LEAST: usize = 0;

    /// Position of the worker at this ply of its line, with as many derived parts as the form leaves open.
    fn pack<P: Processor, S: Strategy>(worker: &Worker<'_, B, P, S>, ply: usize, parts: usize) -> Self;

    /// Packs another position in place of this one.
    fn repack<P: Processor, S: Strategy>(&mut self, worker: &Worker<'_, B, P, S>, ply: usize, parts: usize) {
        *self = Self::pack(worker, ply, parts);
    }

    /// Number of bytes that are copied.
    fn bytes(&self) -> usize;

    /// Makes a helper's board be in this position. Returns the work beside reading the bytes.
    fn unpack<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>) -> Option<Work>;

    /// Takes over what a worker needs that is in the position already, in order to hand it over in this form.
    fn adopt<P: Processor, S: Strategy>(&self, _worker: &mut Worker<'_, B, P, S>) {}
}

/// Earlier positions that a helper gets with a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Past {
    /// Those that can still be repeated.
    Reversible,
    /// Those of the whole game and line.
    All,
    /// None: it makes them for itself.
    Remade,
}

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
            fn pack<P: Processor, S: Strategy>(
                &mut self,
                mode: CopyMode,
                worker: &Worker<'_, B, P, S>,
                ply: usize,
                parts: usize,
            ) {
                match (mode, self) {
                    $( (CopyMode::$Mode, Self::$Mode(form)) => Form::<B>::repack(form, worker, ply, parts), )*
                    $( (CopyMode::$Mode, other) => *other = Self::$Mode(Form::<B>::pack(worker, ply, parts)), )*
                }
            }

            /// Number of bytes that are copied, and the fewest that are, with the earlier positions that travel too.
            fn luggage(&self) -> (usize, usize, Past) {
                match self {
                    Self::Nothing => (0, 0, Past::Remade),
                    $( Self::$Mode(form) => {
                        (Form::<B>::bytes(form), <$Form as Form<B>>::AT_LEAST, <$Form as Form<B>>::PAST)
                    } )*
                }
            }

            fn unpack<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>) -> Option<Work> {
                match self {
                    Self::Nothing => None,
                    $( Self::$Mode(form) => form.unpack(worker), )*
                }
            }

            fn adopt<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>) {
                match self {
                    Self::Nothing => {}
                    $( Self::$Mode(form) => form.adopt(worker), )*
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

settings! {
    /// Parameters of handing over: what is copied.
    pub struct Copying, "parameter of a handover";
    mode: CopyMode, "copy", "form in which a helper gets the position";
    parts: i32 [0..=3 "parts"] = 1, "copied-parts",
        "number of derived parts that are copied with 'copy=partial': of bitboards the sets of colours, of kinds and \
         rotated ones, of a mailbox the piece lists and the index board";
    padding: i32 [0..=65536 "bytes"], "padding", "bytes that are copied beside the position, although nobody needs them";
}

/// All that a helper takes over: a position, what led to it, and what its owner knew of the line.
pub struct Handover<B: Board> {
    position: PackedPosition<B>,
    past: History,
    past_bytes: usize,
    /// Knowledge of the owner about the line to the node.
    context: Context,
    /// Bytes that are copied although nobody needs them.
    ballast: Vec<u8>,
    /// Key of the position, for a check of the helper's.
    key: u64,
}

/// Cost of copying a position. It is paid apart, for the copy is made under a lock, and only for a moment.
#[derive(Clone, Copy)]
pub struct HandoverCost {
    bytes: usize,
    unpacking: Option<Work>,
    /// Time that it took a real thread.
    nanoseconds: u64,
}

/// Bytes that ballast is copied from, and to.
const BLOCK: usize = 4096;

impl<B: Board> Handover<B> {
    /// Handover with nothing packed yet.
    pub fn empty() -> Self {
        Self {
            position: PackedPosition::Nothing,
            past: History::with_capacity(0),
            past_bytes: 0,
            context: Context::default(),
            ballast: Vec::new(),
            key: 0,
        }
    }

    /// Packs what helpers at this ply need, and as much more as makes it `at_least` so many bytes, and the padding.
    pub fn pack<P: Processor, S: Strategy>(
        &mut self,
        worker: &Worker<'_, B, P, S>,
        ply: usize,
        copying: &Copying,
        at_least: usize,
    ) -> HandoverCost {
        let since = worker.processor.now();
        self.position.pack(copying.mode, worker, ply, copying.parts as usize);
        let (_, fewest, past) = self.position.luggage();
        self.past_bytes = match past {
            Past::Reversible => self.past.copy_reversible_from(&worker.past, worker.board.state()),
            Past::All => self.past.copy_from(&worker.past),
            Past::Remade => 0,
        };
        self.context = worker.context(ply);
        self.key = worker.board.key();
        static SOURCE: [u8; BLOCK] = [0; BLOCK];
        let filling = at_least.max(fewest).saturating_sub(self.needed());
        self.ballast.resize(filling + copying.padding as usize, 0);
        self.ballast.chunks_mut(BLOCK).for_each(|chunk| chunk.copy_from_slice(&SOURCE[..chunk.len()]));
        let nanoseconds = worker.processor.now() - since;
        HandoverCost { bytes: self.needed() + self.ballast.len(), unpacking: None, nanoseconds }
    }

    fn needed(&self) -> usize {
        let (bytes, ..) = self.position.luggage();
        bytes + self.past_bytes + size_of_val(&self.context)
    }

    /// Hands everything over to a helper, with the ballast if it makes its own copy.
    pub fn unpack<P: Processor, S: Strategy>(
        &self,
        worker: &mut Worker<'_, B, P, S>,
        ply: usize,
        killers: Killers,
        copies_ballast: bool,
    ) -> HandoverCost {
        let since = worker.processor.now();
        let unpacking = self.position.unpack(worker);
        match self.position.luggage() {
            (.., Past::Reversible) => {
                worker.past.copy_reversible_from(&self.past, worker.board.state());
            }
            (.., Past::All) => {
                worker.past.copy_from(&self.past);
            }
            (.., Past::Remade) => {}
        }
        debug_assert_eq!(worker.board.key(), self.key, "the helper is in the position of its owner");
        self.adopt(worker, ply, killers);
        let mut bytes = self.needed();
        if copies_ballast {
            let mut copy = [0; BLOCK];
            for chunk in self.ballast.chunks(BLOCK) {
                copy[..chunk.len()].copy_from_slice(chunk);
                std::hint::black_box(&copy);
            }
            bytes += self.ballast.len();
        }
        HandoverCost { bytes, unpacking, nanoseconds: worker.processor.now() - since }
    }

    /// Hands over what the owner knew of the line, to a worker that is in the position already.
    pub fn adopt<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>, ply: usize, killers: Killers) {
        self.position.adopt(worker);
        worker.adopt(ply, &self.context, killers);
    }
}

impl HandoverCost {
    /// Counts the bytes of a copy, and lets its time pass.
    pub fn pay<B: Board, P: Processor, S: Strategy>(self, worker: &mut Worker<'_, B, P, S>) {
        worker.counters.copied_bytes += self.bytes as u64;
        self.pass(worker);
    }

    /// Lets the time pass that a helper needs to read a copy that its owner has made and paid for.
    pub fn pass<B: Board, P: Processor, S: Strategy>(self, worker: &mut Worker<'_, B, P, S>) {
        worker.counters.handover_ns += self.nanoseconds;
        if P::IS_VIRTUAL {
            let since = worker.processor.now();
            worker.processor.touch(Access::Copy { bytes: self.bytes as u32 });
            if let Some(work) = self.unpacking {
                worker.processor.spend(work);
            }
            worker.counters.handover_ns += worker.processor.now() - since;
        }
    }
}
