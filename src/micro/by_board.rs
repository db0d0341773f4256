//! Figures of the same work on several boards: the time on each, and its ratio to the time on the mailbox. Every
//! published comparison of boards is one with the mailbox's piece lists.

use super::turns::{Entry, Rounds, take_turns};
use super::{Figure, MAGIC, MicroError, PIECE_LISTS, ROTATED, Spec, Unit};
use crate::chess::Unsupported;
use crate::chess::choice::{BoardChoice, OnBoard};
use crate::statistics::Interval;

/// Entry of a comparison of boards.
pub struct Place<W> {
    /// Work that is done there.
    pub work: W,
    /// Circumstance that the boards of a comparison share.
    pub of: String,
    /// Name of the figure.
    pub figure: &'static str,
    /// Board on which the work is done.
    pub board: BoardChoice,
}

/// Each work on all boards; `name` tells its circumstance and its figure.
pub fn places<W: Copy>(
    boards: &[BoardChoice],
    works: impl IntoIterator<Item = W>,
    name: impl Fn(W) -> (String, &'static str),
) -> Vec<Place<W>> {
    let on_each = |work: W| {
        let (of, figure) = name(work);
        boards.iter().map(move |&board| Place { work, of: of.clone(), figure, board })
    };
    works.into_iter().flat_map(on_each).collect()
}

impl<W> Place<W> {
    fn is_beside(&self, other: &Self) -> bool {
        self.of == other.of && self.figure == other.figure
    }

    /// Measured figure of the board.
    pub fn measured(&self, figure: String, unit: Unit, value: Interval) -> Figure {
        on(self.board, Figure::measured(&self.of, figure, unit, value))
    }
}

/// All boards that this processor can run; for the tests of the units, which take seconds to compile for each, few of
/// them. Those of the program, tests/command.rs, run on all.
pub fn supported_boards() -> Vec<BoardChoice> {
    let is_tested = |board: &BoardChoice| !cfg!(test) || [PIECE_LISTS, ROTATED, MAGIC].contains(board);
    BoardChoice::all().filter(|board| is_tested(board) && board.check().is_ok()).collect()
}

/// Does a work on boards of the chosen type, one of those that are supported.
pub fn run_on<T: OnBoard>(board: BoardChoice, work: T) -> T::Output {
    #[cfg(not(test))]
    return board.run(work);
    #[cfg(test)]
    match board {
        PIECE_LISTS => work.on::<crate::chess::mailbox::Mailbox>(),
        ROTATED => work.on::<crate::chess::bitboards::Bitboards<crate::chess::bitboards::sliders::Rotated>>(),
        MAGIC => work.on::<crate::chess::bitboards::Bitboards<crate::chess::bitboards::sliders::Magic>>(),
        other => panic!("{other:?} is none of the boards of tests"),
    }
}

/// The figure as one of this board.
pub fn on(board: BoardChoice, figure: Figure) -> Figure {
    figure.on(board.name(), board.sliders().map(|sliders| sliders.name()))
}

/// Lets the works of all places take turns.
pub fn take_turns_at<'a, W>(
    places: &[Place<W>],
    spec: &Spec,
    entry: impl Fn(&Place<W>) -> Result<Entry<'a>, Unsupported>,
) -> Result<Rounds, MicroError> {
    let mut entries = places.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    Ok(take_turns(&mut entries, spec.time, spec.seed))
}

/// Times, and then ratios to the mailbox where it was measured too; `published` tells the nanoseconds of the source.
pub fn figures<W>(
    places: &[Place<W>],
    rounds: &Rounds,
    source: &str,
    published: impl Fn(&Place<W>) -> Option<f64>,
) -> Vec<Figure> {
    let time = |(entry, place): (usize, &Place<W>)| {
        let time = place.measured(place.figure.to_owned(), Unit::Nanoseconds, rounds.time(entry));
        time.beside(published(place), source)
    };
    let ratio = |(entry, place): (usize, &Place<W>)| {
        let is_lists = |other: &Place<W>| other.board == PIECE_LISTS && other.is_beside(place);
        let lists = places.iter().position(is_lists).filter(|lists| *lists != entry)?;
        let ratio = published(place).zip(published(&places[lists])).map(|(upper, lower)| upper / lower);
        let name = format!("{}, to mailbox's", place.figure);
        Some(place.measured(name, Unit::Ratio, rounds.ratio(entry, lists)).beside(ratio, source))
    };
    let numbered = || places.iter().enumerate();
    numbered().map(time).chain(numbered().filter_map(ratio)).collect()
}
