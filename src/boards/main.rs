//! All that `splitpoint` does, on real threads with searches on more boards: those of the sources, which few runs
//! compare. `splitpoint` hands a command line over where it asks for one of them. All searches of this program on such
//! boards, and on those that they are compared with, are compiled in this crate, and so alike.

use std::process::ExitCode;

use splitpoint_cli::hand_over;
use splitpoint_engine::chess::bitboards::sliders::{Magic, Rotated};
use splitpoint_engine::chess::bitboards::{AttackMaps, Bitboards, Pieces, RotatedPieces};
use splitpoint_engine::chess::choice::{BoardChoice, SlidersChoice};
use splitpoint_engine::chess::mailbox::Mailbox;
use splitpoint_engine::chess::plain::Array;
use splitpoint_engine::compiled::{self, Compiled, searches_on};
use splitpoint_lab::companions::SEARCHER;

fn main() -> ExitCode {
    compiled::add(own);
    match hand_over::check_sources(SEARCHER) {
        Ok(()) => splitpoint_cli::run(),
        told => splitpoint_cli::end(told),
    }
}

/// Searches that are compiled here.
fn own(board: BoardChoice) -> Option<&'static dyn Compiled> {
    Some(match board {
        BoardChoice::Bitboards(SlidersChoice::Rotated) => searches_on::<Bitboards<Rotated>>(),
        BoardChoice::Bitboards(SlidersChoice::Magic) => searches_on::<Bitboards<Magic>>(),
        BoardChoice::Mailbox => searches_on::<Mailbox>(),
        BoardChoice::Array => searches_on::<Array>(),
        BoardChoice::Pieces => searches_on::<Pieces>(),
        BoardChoice::RotatedPieces => searches_on::<RotatedPieces>(),
        BoardChoice::AttackMaps => searches_on::<AttackMaps>(),
        #[cfg(feature = "every-board")]
        other => other.run(every_board::Any),
        #[cfg(not(feature = "every-board"))]
        _ => return None,
    })
}

#[cfg(feature = "every-board")]
mod every_board {
    use splitpoint_engine::chess::Board;
    use splitpoint_engine::chess::choice::OnBoard;
    use splitpoint_engine::compiled::{Compiled, searches_on};

    /// Searches on a board of any type.
    pub struct Any;

    impl OnBoard for Any {
        type Output = &'static dyn Compiled;

        fn on<B: Board>(self) -> Self::Output {
            searches_on::<B>()
        }
    }
}
