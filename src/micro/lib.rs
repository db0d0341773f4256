//! Micro-measurements: what single operations of the boards cost, each beside the published table that it repeats; and
//! what locks and threads cost.
//!
//! A micro-measurement is a file in this folder that ends in a [`Micro`], and a line in [`MICROS`]. It turns a [`Spec`]
//! into [`Figure`]s, which are plain data, and prints nothing. What is timed is what the search uses. Things that are
//! compared take turns (see `turns`), on a pinned thread, so that a disturbance falls on all of them alike; what can
//! be claimed is a ratio.
//!
//! The published tables are those of Reul, "New Architectures in Computer Chess" (2009), on machines of that time, most
//! of which are not named. What can be compared with them is ratios and counts.
//!
//! No interface is promised: what later versions keep are the command line, run folders and their columns.
// They panic when nothing can be written.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

use splitpoint_data::{choices, distinct, random, record, statistics, suggestion};
use splitpoint_engine::{chess, machine, parallel, search};

mod attacks;
mod bits;
mod brute_force;
mod by_board;
mod copy;
mod exchange;
mod histogram;
mod list_order;
mod listened;
mod lists;
mod magics;
mod make_unmake;
mod profile;
mod published;
mod sliders;
pub mod summary;
mod threads;
mod turns;

use std::time::Duration;

use serde::Serialize;

use crate::chess::Unsupported;
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::chess::epd::Epd;
use crate::choices::unknown_name;
use crate::machine::{Failure, Machine, Pin, Processor, Program, RealMachine, RealMachineError, Waiting};
pub use crate::record::{Figure, MultiplierSet, Unit};
use crate::suggestion::WordError;
pub use by_board::supported_boards;

/// All micro-measurements, in the order of lists.
pub static MICROS: &[&Micro] = &[
    &make_unmake::MICRO,
    &brute_force::MICRO,
    &copy::MICRO,
    &attacks::MICRO,
    &sliders::MICRO,
    &exchange::MICRO,
    &lists::MICRO,
    &profile::MICRO,
    &magics::MICRO,
    &magics::set_times::MICRO,
    &bits::MICRO,
    &threads::MICRO,
];

/// Micro-measurement.
#[derive(Debug)]
pub struct Micro {
    /// Name on the command line.
    pub name: &'static str,
    /// Subject of the measurement, in a few words.
    pub title: &'static str,
    /// Sentence that says what it measures.
    pub about: &'static str,
    /// Published tables that stand beside it; none if nobody has published one.
    pub published: &'static [&'static str],
    /// Parts of a [`Spec`] that have a meaning for it.
    pub takes: Takes,
    /// Whether its figures are of the same work at several positions, so that their mean over positions says something.
    pub is_averaged: bool,
    /// Measures.
    pub measure: fn(&Spec) -> Result<Vec<Figure>, MicroError>,
    /// Writes a set of multipliers that it finds from a seed in some time, if it is about them.
    pub print: Option<Print>,
    /// Figures of the multipliers of a table, if it is about them.
    pub check: Option<Check>,
    /// Says in a sentence what the figures show, if a question is asked of them.
    pub verdict: Option<fn(&[Figure]) -> String>,
}

/// Way to print a set of multipliers.
pub type Print = fn(&Spec, MultiplierSet) -> Result<String, MicroError>;
/// Way to check the multipliers of a table, given as text.
pub type Check = fn(&str) -> Result<Vec<Figure>, MicroError>;

/// Parts of a [`Spec`] that have a meaning for a micro-measurement, beside time and seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Takes {
    /// Whether the micro-measurement is of boards that can be chosen.
    pub boards: bool,
    /// Whether the micro-measurement can be made on other positions than its own.
    pub positions: bool,
    /// Depth by default, if it walks trees or searches.
    pub depth: Option<u32>,
}

/// Request for a micro-measurement.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Boards that are compared; none for all that this processor can run.
    pub boards: Vec<BoardChoice>,
    /// Positions to be measured on; none for those of the micro-measurement itself.
    pub positions: Vec<Epd>,
    /// Depth of trees and searches; none for that of the micro-measurement itself.
    pub depth: Option<u32>,
    /// Time that may be spent on each figure.
    pub time: Duration,
    /// Seed of all that is drawn at random.
    pub seed: u64,
}

/// Name of a position that was chosen by the user: its id, or itself.
fn name_of(epd: &Epd) -> String {
    epd.id.clone().unwrap_or_else(|| epd.setup.to_string())
}

/// Reasons why a micro-measurement has no figures.
#[derive(Debug, thiserror::Error)]
pub enum MicroError {
    /// A part of the [`Spec`] has no meaning for it.
    #[error("{0}")]
    BadSpec(String),
    /// This processor cannot run a board.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The pinned threads cannot be started.
    #[error(transparent)]
    Machine(#[from] RealMachineError),
    /// A thread did not come to its end.
    #[error(transparent)]
    Failure(#[from] Failure),
    /// A published table that ships cannot be read.
    #[error("the table {0} cannot be read: {1}")]
    Published(&'static str, csv::Error),
    /// A measurement gave a wrong result.
    #[error("{0}")]
    Wrong(String),
}

impl MicroError {
    /// Whether the user asked for something impossible.
    pub fn is_bad_input(&self) -> bool {
        matches!(self, Self::BadSpec(_) | Self::Unsupported(_))
    }
}

/// Micro-measurement of this name.
pub fn named(name: &str) -> Result<&'static Micro, WordError> {
    let found = MICROS.iter().copied().find(|micro| micro.name == name);
    found.ok_or_else(|| unknown_name(name, "micro-measurement", &names()))
}

impl Micro {
    /// Measures what the spec says. Parts of it that have no meaning here are refused.
    pub fn run(&self, spec: &Spec) -> Result<Vec<Figure>, MicroError> {
        let given = [
            (!spec.boards.is_empty() && !self.takes.boards, "boards"),
            (!spec.positions.is_empty() && !self.takes.positions, "positions"),
            (spec.depth.is_some() && self.takes.depth.is_none(), "depth"),
        ];
        if let Some((_, what)) = given.into_iter().find(|(is_wrong, _)| *is_wrong) {
            return Err(MicroError::BadSpec(format!("'{}' takes no {what}", self.name)));
        }
        let boards = if spec.boards.is_empty() { supported_boards() } else { spec.boards.clone() };
        let figures = (self.measure)(&Spec { boards, ..spec.clone() })?;
        match figures.iter().find(|figure| !figure.estimate.is_finite()) {
            Some(Figure { of, figure, .. }) => Err(MicroError::Wrong(format!("'{figure}' of {of} is not a number"))),
            None => Ok(figures),
        }
    }
}

/// Names of all micro-measurements.
pub fn names() -> Vec<&'static str> {
    MICROS.iter().map(|micro| micro.name).collect()
}

/// Boards of tables 2.2 and 2.5 by the names of their columns: the one that others are compared with, and rotated ones.
/// The times of exchange values are of magic ones.
const PIECE_LISTS: BoardChoice = BoardChoice::Mailbox;
const ROTATED: BoardChoice = BoardChoice::Bitboards(SlidersChoice::Rotated);
const MAGIC: BoardChoice = BoardChoice::Bitboards(SlidersChoice::Magic);

/// Work for one pinned thread.
struct Alone<F>(F);

impl<T: Send, F: Fn() -> T + Sync> Program for Alone<F> {
    type Output = T;

    fn run<P: Processor>(&self, _: &P) -> T {
        (self.0)()
    }
}

/// Does this work on a thread that is pinned to the first core.
fn pinned<T: Send>(work: impl Fn() -> Result<T, MicroError> + Sync) -> Result<T, MicroError> {
    on_pinned(&Alone(work))?
}

/// Runs a program on a thread that is pinned to the first core.
fn on_pinned<G: Program>(program: &G) -> Result<G::Output, MicroError> {
    let run = RealMachine::new(1, &Pin::Cores, Waiting::Spin)?.run(program)?;
    run.outputs.into_iter().next().ok_or_else(|| MicroError::Wrong("the pinned thread has no result".to_owned()))
}
