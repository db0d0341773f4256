//! A fixed search on a mailbox that is listened to: the same search as on the ordinary mailbox, node for node, with a
//! [`Tally`] that counts on the thread of the search.

use crate::chess::epd::Epd;
use crate::chess::mailbox::{ListBoard, Tally};
use crate::chess::suites::{Suite, position};
use crate::chess::{Board, History};
use crate::machine::{Processor, Program};
use crate::search::features::Preset;
use crate::search::table::{Scheme, Tables};
use crate::search::{Limits, Part, SearchSettings, Sequential, Session};

use super::{MicroError, on_pinned};

/// Bytes of the table of such a search.
const TABLE_BYTES: u64 = 4 << 20;
/// Suite of the middlegames.
const MIDDLEGAMES: &str = "thesis-10";
/// Endgames, by their ids: all that ship with at most four pieces beside kings and pawns, and five pawns or more. Those
/// of `hyatt-24` are left out, for they are of one game.
const ENDGAMES: [&str; 7] = ["B134", "B162", "B193", "BK06", "BK08", "reul-open", "rook-endgame-pins"];

/// Positions of a phase of the game, by its name in the published tables.
pub struct Phase {
    pub name: String,
    pub positions: Vec<Epd>,
}

/// Middlegames and endgames that ship, or the positions that are asked for.
pub fn phases(asked: &[Epd]) -> Vec<Phase> {
    if !asked.is_empty() {
        return vec![Phase { name: "positions given".to_owned(), positions: asked.to_vec() }];
    }
    let middlegames = Suite::named(MIDDLEGAMES).map(Suite::positions).unwrap_or_default();
    vec![
        Phase { name: "middlegame".to_owned(), positions: middlegames },
        Phase { name: "endgame".to_owned(), positions: ENDGAMES.into_iter().filter_map(position).collect() },
    ]
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
    use crate::chess::PieceKind;
    use crate::chess::suites::SUITES;

    #[test]
    fn endgames_are_those_with_few_pieces() {
        let count = |epd: &Epd, is_counted: fn(PieceKind) -> bool| {
            epd.setup.pieces().filter(|(_, piece)| is_counted(piece.kind())).count()
        };
        let pieces = |epd: &Epd| count(epd, |kind| !matches!(kind, PieceKind::Pawn | PieceKind::King));
        let is_endgame = |epd: &Epd| pieces(epd) <= 4 && count(epd, |kind| kind == PieceKind::Pawn) >= 5;
        let all = SUITES.iter().filter(|suite| suite.name != "hyatt-24").flat_map(Suite::positions);
        let mut ids: Vec<String> = all.filter(is_endgame).filter_map(|epd| epd.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids, ENDGAMES);
        let phases = phases(&[]);
        assert_eq!(phases.iter().map(|phase| phase.positions.len()).collect::<Vec<_>>(), [10, ENDGAMES.len()]);
        assert!(phases[0].positions.iter().all(|epd| pieces(epd) > 4));
    }
}
