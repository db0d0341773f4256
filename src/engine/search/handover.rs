//! What a worker hands over with a node that another one is to search: position and past are copied by the caller, the
//! line that led there is here.

use super::node::MAX_PLY;
use super::quiescence_widths::Width;
use super::strategy::Strategy;
use super::worker::{Ply, Worker};
use crate::chess::{Board, Move};
use crate::choices::choices;
use crate::eval;
use crate::machine::Processor;

/// Number of plies below a node whose killers are handed over with it.
const KILLER_PLIES: usize = 6;

/// Line that led to a node, as far as a worker needs it that comes from elsewhere, beside position and past.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    iteration: i32,
    evaluation: eval::State,
    /// Last move of the line, and the one before.
    arrived_by: [Option<Move>; 2],
    /// Killers of the children's ply and some below.
    killers: [[Option<Move>; 2]; KILLER_PLIES],
    /// Width of quiescence, if that depends on the line.
    width: Option<Width>,
}

impl Context {
    /// Number of bytes that are copied, whatever evaluations there are to choose from.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.iteration)
            + self.evaluation.bytes()
            + size_of_val(&self.arrived_by)
            + size_of_val(&self.killers)
            + self.width.map_or(0, |width| size_of_val(&width))
    }
}

/// A worker's memory of all plies, put aside while it works elsewhere.
pub struct LineMemory(Box<[Ply]>);

impl LineMemory {
    /// Memory of a line that has not been searched yet.
    pub(crate) fn new() -> Self {
        Self(vec![Ply::default(); MAX_PLY].into_boxed_slice())
    }

    /// Memory of a line of these moves.
    pub fn of(line: &[Option<Move>]) -> Self {
        let mut memory = Self::new();
        set_line(&mut memory.0, line);
        memory
    }

    /// Line from the root to this ply.
    pub fn line_to(&self, ply: usize) -> LineTo<'_> {
        LineTo(&self.0[1..=ply])
    }
}

/// Notes the moves that led from the root to a node.
fn set_line(plies: &mut [Ply], line: &[Option<Move>]) {
    for (ply, mv) in plies[1..].iter_mut().zip(line) {
        ply.arrived_by = *mv;
    }
}

/// Line from the root to a node.
#[derive(Clone, Copy)]
pub struct LineTo<'a>(&'a [Ply]);

impl LineTo<'_> {
    /// Moves of the line; nothing for a null move.
    pub fn moves(&self) -> impl Iterator<Item = Option<Move>> + '_ {
        self.0.iter().map(|ply| ply.arrived_by)
    }
}

choices! {
    /// Killers with which a worker begins at a node that comes from elsewhere.
    pub enum Killers, "treatment of killers";
    /// The killers of the worker that the node comes from.
    Copied "copied",
    /// No killers.
    Reset "reset",
    /// The killers that the worker itself has left at these plies.
    Stale "stale",
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Line up to this ply, for another worker that is to search here.
    pub(crate) fn context(&self, ply: usize) -> Context {
        let before = ply.checked_sub(1).and_then(|before| self.plies[before].arrived_by);
        Context {
            iteration: self.iteration,
            evaluation: self.plies[ply].evaluation,
            arrived_by: [self.plies[ply].arrived_by, before],
            killers: std::array::from_fn(|i| self.plies[(ply + 1 + i).min(MAX_PLY - 1)].killers),
            width: self.features.widths.are_used.then(|| self.plies[ply].width),
        }
    }

    /// Line from the root to this ply.
    pub fn line_to(&self, ply: usize) -> LineTo<'_> {
        LineTo(&self.plies[1..=ply])
    }

    /// Takes over the moves that led from the root to a node.
    pub(crate) fn set_line(&mut self, line: &[Option<Move>]) {
        set_line(&mut self.plies, line);
    }

    /// Takes over the line of another worker up to this ply.
    pub(crate) fn adopt(&mut self, ply: usize, context: &Context, killers: Killers) {
        self.iteration = context.iteration;
        self.plies[ply].evaluation = context.evaluation;
        self.plies[ply].arrived_by = context.arrived_by[0];
        self.plies[ply].width = context.width.unwrap_or_default();
        if ply > 0 {
            self.plies[ply - 1].arrived_by = context.arrived_by[1];
        }
        match killers {
            Killers::Copied => {
                for (i, killers) in context.killers.iter().enumerate() {
                    self.plies[(ply + 1 + i).min(MAX_PLY - 1)].killers = *killers;
                }
            }
            Killers::Reset => self.plies[ply..].iter_mut().for_each(|ply| ply.killers = [None; 2]),
            Killers::Stale => {}
        }
    }

    /// Exchanges the memory of all plies for one that was put aside.
    pub(crate) fn swap_memory(&mut self, memory: &mut LineMemory) {
        std::mem::swap(&mut self.plies, &mut memory.0);
    }
}
