//! Searches that are compiled for boards of one type. Those of the usual boards are compiled here, and a program may
//! add others, or its own of the usual ones: what it compares is then compiled alike. On virtual machines no such
//! choice arises, since they search on one board, whatever the one that it stands for.

use std::marker::PhantomData;
use std::sync::OnceLock;

use super::beside::OneSearch;
use super::door::{LookedUp, SearchError, Searched};
use crate::chess::bitboards::{Bitboards, sliders::Magic};
use crate::chess::choice::{BoardChoice, OnBoard};
use crate::chess::{Board, Move, Sizes};
use crate::machine::RealMachine;
use crate::ranks::Ended;

/// Board that virtual machines search on. All boards have the same tree; the bytes in which they differ are counted
/// and paid as those of the board that was asked for.
pub(crate) type Simulated = Bitboards<Magic>;

/// No search on the board is compiled into this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no search on board '{0}' on real threads is compiled into this program")]
pub struct NotCompiled(pub BoardChoice);

/// Searches of one board, on real threads.
pub trait Compiled: Sync {
    /// Searches a position.
    fn search(&self, search: &Searched<'_>) -> Result<Ended, SearchError>;

    /// Looks up the move that the tables hold for a position.
    fn look_up(&self, look: &LookedUp<'_>) -> Result<Option<Move>, SearchError>;

    /// Nanoseconds of a node of a search that has neighbours.
    fn node_ns(&self, search: &OneSearch<'_>, machine: &RealMachine) -> Option<f64>;
}

/// Searches on boards of this type, compiled where they are asked for.
struct On<B>(PhantomData<fn() -> B>);

impl<B: Board> Compiled for On<B> {
    fn search(&self, search: &Searched<'_>) -> Result<Ended, SearchError> {
        search.on::<B>()
    }

    fn look_up(&self, look: &LookedUp<'_>) -> Result<Option<Move>, SearchError> {
        look.on::<B>()
    }

    fn node_ns(&self, search: &OneSearch<'_>, machine: &RealMachine) -> Option<f64> {
        search.on_threads::<B>(machine)
    }
}

/// Searches on boards of this type, compiled into the crate that asks for them.
pub fn searches_on<B: Board>() -> &'static dyn Compiled {
    const { &On::<B>(PhantomData) }
}

/// Function that gives the searches on a board, if it has them.
pub type Added = fn(BoardChoice) -> Option<&'static dyn Compiled>;

static ADDED: OnceLock<Added> = OnceLock::new();

/// Lets this program search with what it has compiled itself, where it has. To be called once, before the first search.
pub fn add(added: Added) {
    let _ = ADDED.set(added);
}

/// Whether this program has searches of its own.
pub fn has_own() -> bool {
    ADDED.get().is_some()
}

/// Searches on this board.
///
/// # Errors
/// If this program has none.
pub(crate) fn searches(board: BoardChoice) -> Result<&'static dyn Compiled, NotCompiled> {
    struct Usual;
    impl OnBoard for Usual {
        type Output = &'static dyn Compiled;

        fn on<B: Board>(self) -> Self::Output {
            searches_on::<B>()
        }
    }
    let added = ADDED.get().and_then(|added| added(board));
    added.or_else(|| board.run_if_usual(Usual)).ok_or(NotCompiled(board))
}

/// Boards that this program can search on, on real threads.
pub fn boards() -> impl Iterator<Item = BoardChoice> {
    BoardChoice::all().filter(|board| check(*board).is_ok())
}

/// Checks that this program can search on the board on real threads.
///
/// # Errors
/// If it cannot.
pub fn check(board: BoardChoice) -> Result<(), NotCompiled> {
    searches(board).map(|_| ())
}

/// Sizes of a board.
pub(crate) fn sizes(board: BoardChoice) -> Sizes {
    struct Measure;
    impl OnBoard for Measure {
        type Output = Sizes;

        fn on<B: Board>(self) -> Sizes {
            Sizes::of::<B>()
        }
    }
    board.run(Measure)
}
