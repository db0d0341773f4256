//! How a position reaches a helper. The owner packs it once, when it opens a node; every helper that comes unpacks it for
//! itself. What the 2004 thesis asks of bitboards, whether they are dear to hand over, is a question to this file.
//!
//! A new way is one more [`Handover`] here and its line in [`Parcel`].

use crate::chess::{Board, Compact, History};
use crate::choices::choices;
use crate::machine::{Processor, Work};
use crate::search::Context;

choices! {
    /// How a position reaches a helper.
    pub enum Copy, "way of copying";
    /// The board as it is.
    Whole "whole",
    /// Squares and state; the helper rebuilds the rest.
    Compact "compact",
}

/// A way to hand over a position.
trait Handover<B: Board> {
    /// The owner takes its position down.
    fn pack(&mut self, board: &B);

    /// A helper's board becomes that position.
    fn unpack(&self, board: &mut B);

    /// How many bytes a helper reads.
    const BYTES: usize;

    /// What a helper has to do beside reading them.
    const WORK: Option<Work>;
}

/// The board as it is.
struct Whole<B>(Option<B>);

impl<B: Board> Handover<B> for Whole<B> {
    const BYTES: usize = size_of::<B>();
    const WORK: Option<Work> = None;

    fn pack(&mut self, board: &B) {
        match &mut self.0 {
            Some(packed) => packed.clone_from(board),
            None => self.0 = Some(board.clone()),
        }
    }

    fn unpack(&self, board: &mut B) {
        if let Some(packed) = &self.0 {
            board.clone_from(packed);
        }
    }
}

/// Squares and state.
struct Rebuilt(Option<Compact>);

impl<B: Board> Handover<B> for Rebuilt {
    const BYTES: usize = size_of::<Compact>();
    const WORK: Option<Work> = Some(Work::Rebuilding);

    fn pack(&mut self, board: &B) {
        self.0 = Some(Compact::of(board));
    }

    fn unpack(&self, board: &mut B) {
        if let Some(packed) = &self.0 {
            packed.rebuild(board);
        }
    }
}

/// A position on its way from an owner to its helpers.
pub struct Parcel<B: Board> {
    whole: Whole<B>,
    rebuilt: Rebuilt,
}

impl<B: Board> Parcel<B> {
    /// Nothing packed yet.
    pub const fn empty() -> Self {
        Self { whole: Whole(None), rebuilt: Rebuilt(None) }
    }

    /// The owner packs its position.
    pub fn pack(&mut self, copy: Copy, board: &B) {
        match copy {
            Copy::Whole => self.whole.pack(board),
            Copy::Compact => self.rebuilt.pack(board),
        }
    }

    /// A helper's board becomes the position. What that costs on a virtual machine is spent apart, by [`spend`](Self::spend),
    /// for it is copied under a lock, and only for a moment.
    pub fn unpack(&self, copy: Copy, board: &mut B) {
        match copy {
            Copy::Whole => self.whole.unpack(board),
            Copy::Compact => self.rebuilt.unpack(board),
        }
    }

    /// How many bytes a helper reads.
    pub const fn bytes(copy: Copy) -> usize {
        match copy {
            Copy::Whole => <Whole<B> as Handover<B>>::BYTES,
            Copy::Compact => <Rebuilt as Handover<B>>::BYTES,
        }
    }

    /// Lets the time pass that a virtual helper needs for a position and so many bytes beside it.
    pub fn spend<P: Processor>(copy: Copy, processor: &P, beside: usize) {
        let work = match copy {
            Copy::Whole => <Whole<B> as Handover<B>>::WORK,
            Copy::Compact => <Rebuilt as Handover<B>>::WORK,
        };
        processor.spend(Work::Copy { bytes: (Self::bytes(copy) + beside) as u32 });
        if let Some(work) = work {
            processor.spend(work);
        }
    }
}

/// All that a helper takes over: a position, what led to it, and what its owner knew of the line.
pub struct Position<B: Board> {
    pub board: Parcel<B>,
    pub past: History,
    pub context: Context,
}

impl<B: Board> Position<B> {
    /// Nothing packed yet.
    pub fn empty() -> Self {
        Self { board: Parcel::empty(), past: History::with_capacity(0), context: Context::default() }
    }
}
