//! Handing a position over to a helper. The owner packs it once, when it shares a node; every helper that comes unpacks
//! it for itself. The 2004 thesis asks whether bitboards are expensive to hand over: this file is where that is
//! decided.
//!
//! A new copy mode is a [`Form`] that a board can be packed into, and a line in the list below.

use crate::chess::{Board, Compact, History};
use crate::choices::choices;
use crate::machine::{Access, Processor, Work};
use crate::search::{Context, Killers, Strategy, Worker};

/// A form in which a position of board `B` is copied.
trait Form<B: Board> {
    /// Work of a helper beside reading the bytes.
    const UNPACKING: Option<Work> = None;

    /// The owner's position in this form.
    fn pack(board: &B) -> Self;

    /// Makes a helper's board be in this position.
    fn unpack(&self, board: &mut B);
}

impl<B: Board> Form<B> for B {
    fn pack(board: &B) -> Self {
        board.clone()
    }

    fn unpack(&self, board: &mut B) {
        board.clone_from(self);
    }
}

impl<B: Board> Form<B> for Compact {
    const UNPACKING: Option<Work> = Some(Work::Rebuilding);

    fn pack(board: &B) -> Self {
        Self::of(board)
    }

    fn unpack(&self, board: &mut B) {
        self.rebuild(board);
    }
}

macro_rules! copy_modes {
    ($( #[doc = $meaning:literal] $Mode:ident($Form:ty) $name:literal; )*) => {
        choices! {
            /// Form in which a position is copied to a helper.
            pub enum CopyMode, "copy mode";
            $( #[doc = $meaning] $Mode $name, )*
        }

        /// A position on its way from an owner to its helpers.
        enum PackedPosition<B: Board> {
            Nothing,
            $( $Mode($Form), )*
        }

        impl<B: Board> PackedPosition<B> {
            fn pack(mode: CopyMode, board: &B) -> Self {
                match mode {
                    $( CopyMode::$Mode => Self::$Mode(<$Form as Form<B>>::pack(board)), )*
                }
            }

            fn bytes(&self) -> usize {
                match self {
                    Self::Nothing => 0,
                    $( Self::$Mode(form) => size_of_val(form), )*
                }
            }

            /// Makes a helper's board be in this position. Returns the work beside reading the bytes.
            fn unpack(&self, board: &mut B) -> Option<Work> {
                match self {
                    Self::Nothing => None,
                    $( Self::$Mode(form) => {
                        form.unpack(board);
                        <$Form as Form<B>>::UNPACKING
                    } )*
                }
            }
        }
    };
}

copy_modes! {
    /// The board as it is.
    Whole(B) "whole";
    /// Squares and state; the helper rebuilds the rest.
    Compact(Compact) "compact";
}

/// All that a helper takes over: a position, what led to it, and what its owner knew of the line.
pub struct Handover<B: Board> {
    position: PackedPosition<B>,
    past: History,
    past_bytes: usize,
    /// Knowledge of the owner about the line to the node.
    pub context: Context,
    /// Bytes that are copied although nobody needs them.
    ballast: Vec<u8>,
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
        }
    }

    /// Packs what helpers at this ply need, and as much more as makes it `at_least` so many bytes.
    pub fn pack<P: Processor, S: Strategy>(
        &mut self,
        worker: &Worker<'_, B, P, S>,
        ply: usize,
        mode: CopyMode,
        at_least: usize,
    ) -> HandoverCost {
        let since = worker.processor.now();
        self.position = PackedPosition::pack(mode, &worker.board);
        self.past_bytes = self.past.copy_reversible_from(&worker.past, worker.board.state());
        self.context = worker.context(ply);
        static SOURCE: [u8; BLOCK] = [0; BLOCK];
        self.ballast.resize(at_least.saturating_sub(self.needed()), 0);
        self.ballast.chunks_mut(BLOCK).for_each(|chunk| chunk.copy_from_slice(&SOURCE[..chunk.len()]));
        let nanoseconds = worker.processor.now() - since;
        HandoverCost { bytes: self.needed() + self.ballast.len(), unpacking: None, nanoseconds }
    }

    fn needed(&self) -> usize {
        self.position.bytes() + self.past_bytes + size_of_val(&self.context)
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
        let unpacking = self.position.unpack(&mut worker.board);
        worker.past.copy_reversible_from(&self.past, worker.board.state());
        worker.adopt(ply, &self.context, killers);
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
