//! Handing a position over to a helper. The owner packs it once, when it shares a node; every helper that comes unpacks
//! it for itself. The 2004 thesis asks whether bitboards are expensive to hand over: this file is where that is
//! decided.
//!
//! A new copy mode is a [`Form`] that a board can be packed into, and a line in the list below.

use crate::chess::{Board, Compact, History};
use crate::choices::choices;
use crate::machine::{Processor, Work};
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

            /// Makes a helper's board be in this position. Returns the bytes that were read, and other work.
            fn unpack(&self, board: &mut B) -> (usize, Option<Work>) {
                match self {
                    Self::Nothing => (0, None),
                    $( Self::$Mode(form) => {
                        form.unpack(board);
                        (size_of_val(form), <$Form as Form<B>>::UNPACKING)
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
    /// Knowledge of the owner about the line to the node.
    pub context: Context,
}

/// Cost of a handover to a helper. It is paid apart, for the position is copied under a lock, and only for a moment.
#[derive(Clone, Copy)]
pub struct HandoverCost {
    bytes: usize,
    unpacking: Option<Work>,
}

impl<B: Board> Handover<B> {
    /// Nothing packed yet.
    pub fn empty() -> Self {
        Self { position: PackedPosition::Nothing, past: History::with_capacity(0), context: Context::default() }
    }

    /// The owner packs what helpers at this ply need.
    pub fn pack<P: Processor, S: Strategy>(&mut self, worker: &Worker<'_, B, P, S>, ply: usize, mode: CopyMode) {
        self.position = PackedPosition::pack(mode, &worker.board);
        self.past.copy_reversible_from(&worker.past, worker.board.state());
        self.context = worker.context(ply);
    }

    /// A helper takes everything over.
    pub fn unpack<P: Processor, S: Strategy>(
        &self,
        worker: &mut Worker<'_, B, P, S>,
        ply: usize,
        killers: Killers,
    ) -> HandoverCost {
        let since = worker.processor.now();
        let (bytes, unpacking) = self.position.unpack(&mut worker.board);
        let past_bytes = worker.past.copy_reversible_from(&self.past, worker.board.state());
        worker.adopt(ply, &self.context, killers);
        worker.counters.handover_ns += worker.processor.now() - since;
        HandoverCost { bytes: bytes + past_bytes + size_of_val(&self.context), unpacking }
    }
}

impl HandoverCost {
    /// Counts the bytes, and lets the time pass that a virtual helper needs.
    pub fn pay<B: Board, P: Processor, S: Strategy>(self, worker: &mut Worker<'_, B, P, S>) {
        worker.counters.copied_bytes += self.bytes as u64;
        if P::IS_VIRTUAL {
            let since = worker.processor.now();
            worker.processor.spend(Work::Copy { bytes: self.bytes as u32 });
            if let Some(work) = self.unpacking {
                worker.processor.spend(work);
            }
            worker.counters.handover_ns += worker.processor.now() - since;
        }
    }
}
