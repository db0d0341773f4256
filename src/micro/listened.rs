//! A fixed search on a mailbox that is listened to: the same search as on the ordinary mailbox, node for node. One
//! [`Tally`] serves all that listens, so that one such search is compiled; it counts on the thread of the search.

use std::cell::Cell;

use crate::chess::epd::Epd;
use crate::chess::mailbox::{ListBoard, Tally};
use crate::chess::see::Asker;
use crate::chess::suites::{Suite, position};
use crate::chess::{Board, History, Move, PieceKind, Square, SquareSet, Task, least_by_square};
use crate::machine::{Processor, Program};
use crate::search::features::Features;
use crate::search::table::{Scheme, Tables};
use crate::search::{Limits, Part, SearchSettings, Sequential, Session};

use super::exchange::asked;
use super::list_order::{self, Orders};
use super::profile::calls;
use super::{MicroError, on_pinned};

/// Bytes of the table of such a search.
const TABLE_BYTES: u64 = 4 << 20;
/// Suite of the middlegames.
const MIDDLEGAMES: &str = "thesis-10";
/// Endgames, by their ids: all that ship with at most four pieces beside kings and pawns, and five pawns or more. Those
/// of `hyatt-24` are left out, for they are of one game.
const ENDGAMES: [&str; 7] = ["B134", "B162", "B193", "BK06", "BK08", "reul-open", "rook-endgame-pins"];
/// Longest list that is told apart: the published table ends with 8 pieces, lists of promoted pieces at 10.
const LONGEST_LIST: usize = 10;
/// Longest ray: from one edge of the board to the other.
const LONGEST_RAY: usize = 7;

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
        Phase { name: "endgame".to_owned(), positions: endgames() },
    ]
}

/// Endgames that ship.
pub fn endgames() -> Vec<Epd> {
    ENDGAMES.into_iter().filter_map(position).collect()
}

/// Part of a search that is listened to on a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// No part: nothing is counted.
    Nothing,
    /// Lists, rays, moves made, and what the order of lists would change in exchanges.
    Lists,
    /// Exchanges.
    Exchanges,
    /// Tasks and their times.
    Tasks,
}

thread_local! {
    static HEARD: Cell<Heard> = const { Cell::new(Heard::Nothing) };
    static COUNTS: Cell<Counts> = Cell::default();
}

/// Counts of lists, rays and moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub lists: [u64; LONGEST_LIST + 1],
    pub rays: [u64; LONGEST_RAY + 1],
    /// Moves that were made, and captures among them.
    pub moves: u64,
    pub captures: u64,
    pub orders: Orders,
}

/// Sets what is listened to on this thread.
pub fn hear(heard: Heard) {
    HEARD.set(heard);
}

/// Takes what has been counted on this thread.
pub fn take() -> Counts {
    COUNTS.take()
}

/// Counts a list that is read, by its length.
fn count_list(pieces: usize) {
    change(|counts| counts.lists[pieces.min(LONGEST_LIST)] += 1);
}

/// Counts a ray, by its empty cells.
fn count_ray(steps: usize) {
    change(|counts| counts.rays[steps.min(LONGEST_RAY)] += 1);
}

fn change(change: impl FnOnce(&mut Counts)) {
    if HEARD.get() != Heard::Lists {
        return;
    }
    COUNTS.with(|cell| {
        let mut counts = cell.get();
        change(&mut counts);
        cell.set(counts);
    });
}

/// Tally of all that is listened to.
#[derive(Clone, Copy, Debug)]
pub struct Listener;

impl Tally for Listener {
    fn list(pieces: usize) {
        count_list(pieces);
    }

    fn ray(steps: usize) {
        count_ray(steps);
    }

    fn begin(task: Task) {
        if HEARD.get() == Heard::Tasks {
            calls::begin(task);
        }
    }

    fn end() {
        if HEARD.get() == Heard::Tasks {
            calls::end();
        }
    }

    fn making(mv: Move) {
        change(|counts| {
            counts.moves += 1;
            counts.captures += u64::from(mv.is_capture());
        });
    }

    #[inline]
    fn least_valuable(board: &ListBoard<Self>, squares: SquareSet) -> Option<(PieceKind, Square)> {
        Some(list_order::next(board, least_by_square(board, squares)?, squares))
    }

    fn exchange(board: &ListBoard<Self>, mv: Move, asker: Asker) {
        let heard = HEARD.replace(Heard::Nothing);
        match heard {
            Heard::Nothing | Heard::Tasks => {}
            Heard::Lists => {
                let mut counts = COUNTS.get();
                counts.orders.add(board, mv);
                COUNTS.set(counts);
            }
            Heard::Exchanges => asked::gather(board, mv, asker),
        }
        hear(heard);
    }
}

/// Searches of some positions, one after the other on one thread.
struct Searches<'a, O> {
    positions: &'a [Epd],
    settings: SearchSettings,
    heard: Heard,
    /// Takes what has been gathered on this thread.
    gathered: fn() -> O,
}

impl<O: Send> Program for Searches<'_, O> {
    type Output = Result<O, MicroError>;

    fn run<P: Processor>(&self, processor: &P) -> Self::Output {
        // What an earlier search has left on this thread is not of these.
        (self.gathered)();
        hear(self.heard);
        if self.heard == Heard::Tasks {
            calls::start();
        }
        for epd in self.positions {
            search(processor, epd, &self.settings)?;
        }
        hear(Heard::Nothing);
        Ok((self.gathered)())
    }
}

/// Settings of such a search.
fn settings(depth: u32, features: &Features) -> SearchSettings {
    SearchSettings { features: *features, limits: Limits::depth(depth), seed: 0 }
}

/// Searches a position with a table of its own.
fn search<P: Processor>(processor: &P, epd: &Epd, settings: &SearchSettings) -> Result<Part, MicroError> {
    let root = ListBoard::<Listener>::set_up(&epd.setup, settings.keys())?;
    let tables = Tables::new(&settings.table(Scheme::Lockless, TABLE_BYTES), 1, 1);
    let past = History::with_capacity(0);
    Ok(Session::new(&root, &past, settings, &tables, &Sequential, 1).run(processor))
}

/// Searches positions to a depth with these features, and returns what has been gathered.
pub fn search_all<O: Send>(
    positions: &[Epd],
    (depth, features): (u32, &Features),
    heard: Heard,
    gathered: fn() -> O,
) -> Result<O, MicroError> {
    on_pinned(&Searches { positions, settings: settings(depth, features), heard, gathered })?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::choice::BoardChoice;
    use crate::chess::suites::SUITES;
    use crate::machine::Waiting;
    use crate::parallel::AnyStrategy;
    use crate::search::features::Preset;
    use splitpoint_engine::{Line, On, Options, Setup};

    /// Searches a position on the board that is listened to.
    struct Listened<'a>(&'a Epd, &'a SearchSettings);

    impl Program for Listened<'_> {
        type Output = (Part, Counts);

        fn run<P: Processor>(&self, processor: &P) -> Self::Output {
            let Self(epd, settings) = self;
            take();
            hear(Heard::Lists);
            (search(processor, epd, settings).unwrap(), take())
        }
    }

    #[test]
    fn a_board_that_is_listened_to_walks_the_same_tree() {
        let settings = settings(3, &Preset::Thesis.features());
        let table = settings.table(Scheme::Lockless, TABLE_BYTES);
        let ordinary = Setup {
            board: BoardChoice::Mailbox,
            strategy: AnyStrategy::Sequential(Sequential),
            settings,
            table,
            on: On::ThisThread,
            processors: 1,
            waiting: Waiting::Park,
            counts_losses: false,
        };
        let computer = ordinary.computer().unwrap();
        for epd in phases(&[]).iter().flat_map(|phase| &phase.positions) {
            let (heard, counts) = on_pinned(&Listened(epd, &settings)).unwrap();
            let plain = ordinary
                .run((&computer, &ordinary.tables(1).unwrap()), Line::from(&epd.setup), Options::default())
                .unwrap()
                .outcome;
            assert_eq!(heard.counters.nodes(), plain.counters.nodes(), "{:?}", epd.id);
            assert_eq!(heard.counters.evaluations, plain.counters.evaluations, "{:?}", epd.id);
            let answer = heard.answer.unwrap();
            let found = (answer.best, answer.score, answer.line);
            assert_eq!(found, (plain.answer.best, plain.answer.score, plain.answer.line), "{:?}", epd.id);
            assert!(counts.lists.iter().sum::<u64>() > plain.counters.nodes(), "{counts:?}");
            // Null moves are no moves of the board, and the root is none.
            assert!((plain.counters.nodes() / 2..plain.counters.nodes()).contains(&counts.moves), "{:?}", epd.id);
        }
    }

    #[test]
    fn endgames_are_those_with_few_pieces() {
        let count = |epd: &Epd, is_counted: fn(PieceKind) -> bool| {
            epd.setup.pieces().filter(|(_, piece)| is_counted(piece.kind())).count()
        };
        let pieces = |epd: &Epd| count(epd, |kind| !matches!(kind, PieceKind::Pawn | PieceKind::King));
        let is_endgame = |epd: &Epd| pieces(epd) <= 4 && count(epd, |kind| kind == PieceKind::Pawn) >= 5;
        let is_asked = |suite: &&Suite| !["hyatt-24", "rare"].contains(&suite.name);
        let all = SUITES.iter().filter(is_asked).flat_map(Suite::positions);
        let mut ids: Vec<String> = all.filter(is_endgame).filter_map(|epd| epd.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids, ENDGAMES);
        let phases = phases(&[]);
        assert_eq!(phases.iter().map(|phase| phase.positions.len()).collect::<Vec<_>>(), [10, ENDGAMES.len()]);
        assert!(phases[0].positions.iter().all(|epd| pieces(epd) > 4));
    }
}
