//! A fixed search on a mailbox that is listened to: the same search as on the ordinary mailbox, node for node, with a
//! [`Tally`] that counts on the thread of the search.

use crate::chess::epd::Epd;
use crate::chess::mailbox::{ListBoard, Tally};
use crate::chess::suites::Suite;
use crate::chess::{Board, History, Piece, PieceKind};
use crate::machine::{Processor, Program};
use crate::search::features::Preset;
use crate::search::table::{Scheme, Tables};
use crate::search::{Limits, Part, SearchSettings, Sequential, Session};

use super::{MicroError, on_pinned};

/// Bytes of the table of such a search.
const TABLE_BYTES: u64 = 4 << 20;
/// Most pieces beside kings and pawns in an endgame.
const ENDGAME_PIECES: u32 = 4;
/// Number of endgames: as many as there are middlegames.
const ENDGAMES: usize = 10;
/// Suite of the middlegames.
const MIDDLEGAMES: &str = "thesis-10";
/// Suite of which the endgames are those with few pieces.
const WITH_ENDGAMES: &str = "balanced-200";

/// Positions of a phase of the game, by its name in the published tables.
pub struct Phase {
    pub name: String,
    pub positions: Vec<Epd>,
}

/// Middlegames and endgames that ship, or the positions that are asked for.
pub fn phases(asked: &[Epd]) -> Vec<Phase> {
    let of_suite = |name: &str| Suite::named(name).map(Suite::positions).unwrap_or_default();
    if !asked.is_empty() {
        return vec![Phase { name: "positions given".to_owned(), positions: asked.to_vec() }];
    }
    let is_endgame = |epd: &Epd| pieces(epd) <= ENDGAME_PIECES;
    let endgames = of_suite(WITH_ENDGAMES).into_iter().filter(is_endgame).take(ENDGAMES).collect();
    vec![
        Phase { name: "middlegame".to_owned(), positions: of_suite(MIDDLEGAMES) },
        Phase { name: "endgame".to_owned(), positions: endgames },
    ]
}

/// Number of pieces beside kings and pawns.
fn pieces(epd: &Epd) -> u32 {
    let is_counted = |piece: &Piece| !matches!(piece.kind(), PieceKind::Pawn | PieceKind::King);
    epd.setup.pieces().filter(|(_, piece)| is_counted(piece)).count() as u32
}

/// Searches of some positions, one after the other on one thread.
struct Searches<'a, T, O> {
    positions: &'a [Epd],
    depth: u32,
    /// Takes what the tally has gathered on this thread.
    gathered: fn() -> O,
    tally: std::marker::PhantomData<fn() -> T>,
}

impl<T: Tally, O: Send> Program for Searches<'_, T, O> {
    type Output = Result<O, MicroError>;

    fn run<P: Processor>(&self, processor: &P) -> Self::Output {
        // What an earlier search has left on this thread is not of these.
        (self.gathered)();
        for epd in self.positions {
            search::<T, P>(processor, epd, self.depth)?;
        }
        Ok((self.gathered)())
    }
}

/// Searches a position with a table of its own.
pub fn search<T: Tally, P: Processor>(processor: &P, epd: &Epd, depth: u32) -> Result<Part, MicroError> {
    let settings = SearchSettings { features: Preset::Thesis.features(), limits: Limits::depth(depth), seed: 0 };
    let root = ListBoard::<T>::set_up(&epd.setup, settings.keys())?;
    let tables = Tables::new(&settings.table(Scheme::Lockless, TABLE_BYTES), 1, 1);
    let past = History::with_capacity(0);
    Ok(Session::new(&root, &past, &settings, &tables, &Sequential, 1).run(processor))
}

/// Searches positions to a depth, and returns what the tally has gathered.
pub fn search_all<T: Tally, O: Send>(positions: &[Epd], depth: u32, gathered: fn() -> O) -> Result<O, MicroError> {
    on_pinned(&Searches::<T, O> { positions, depth, gathered, tally: std::marker::PhantomData })?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_have_as_many_positions() {
        let phases = phases(&[]);
        assert_eq!(phases.iter().map(|phase| phase.positions.len()).collect::<Vec<_>>(), [10, ENDGAMES]);
        let most = |phase: &Phase| phase.positions.iter().map(pieces).max().unwrap();
        assert!(most(&phases[0]) > 10 && most(&phases[1]) <= ENDGAME_PIECES);
    }
}
