//! Figures of the same work on several boards: the time on each, and its ratio to the time on the mailbox. Every
//! published comparison of boards is one with the mailbox's piece lists.

use super::turns::Rounds;
use super::{Figure, PIECE_LISTS, Unit};
use crate::chess::choice::BoardChoice;

/// Entry of a comparison, in the order of the entries.
pub struct Place {
    /// Circumstance that the boards of a comparison share.
    pub of: String,
    /// Name of the figure.
    pub figure: &'static str,
    /// Board on which the work is done.
    pub board: BoardChoice,
    /// Published time in nanoseconds.
    pub published: Option<f64>,
}

impl Place {
    /// The same work on all these boards.
    pub fn on_each(
        boards: &[BoardChoice],
        of: &str,
        figure: &'static str,
        published: impl Fn(BoardChoice) -> Option<f64>,
    ) -> Vec<Self> {
        let place = |&board: &BoardChoice| Self { of: of.to_owned(), figure, board, published: published(board) };
        boards.iter().map(place).collect()
    }

    fn is_beside(&self, other: &Self) -> bool {
        self.of == other.of && self.figure == other.figure
    }
}

/// Times, and then ratios to the mailbox where it was measured too.
pub fn figures(places: &[Place], rounds: &Rounds, source: &str) -> Vec<Figure> {
    let time = |(entry, place): (usize, &Place)| {
        Figure::measured(&place.of, place.figure, Unit::Nanoseconds, rounds.time(entry))
            .on(place.board.name(), place.board.sliders().map(|sliders| sliders.name()))
            .beside(place.published, source)
    };
    let ratio = |(entry, place): (usize, &Place)| {
        let is_lists = |other: &Place| other.board == PIECE_LISTS && other.is_beside(place);
        let lists = places.iter().position(is_lists).filter(|lists| *lists != entry)?;
        let published = place.published.zip(places[lists].published).map(|(upper, lower)| upper / lower);
        let name = format!("{}, to mailbox's", place.figure);
        let figure = Figure::measured(&place.of, name, Unit::Ratio, rounds.ratio(entry, lists));
        Some(
            figure
                .on(place.board.name(), place.board.sliders().map(|sliders| sliders.name()))
                .beside(published, source),
        )
    };
    let numbered = || places.iter().enumerate();
    numbered().map(time).chain(numbered().filter_map(ratio)).collect()
}
