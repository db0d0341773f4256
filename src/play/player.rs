//! A player: our engine with a recipe, or an engine from outside, and a budget for each move. On one real processor or
//! on virtual ones ours searches on the thread that asks it, so that each thread can play a game of its own.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::clock::{Allotment, Clock};
use super::entrant::{Entrant, Program, Thought, Timing};
use super::error::PlayError;
use super::game::Game;
use super::outside::OutsidePlayer;
use crate::chess::choice::BoardChoice;
use crate::chess::{Board, Move, Score};
use crate::engine::{Computer, Found, Options, SearchError, Setup};
use crate::search::table::Tables;
use crate::search::{Answer, Control, Iteration};

/// A player.
pub enum Player {
    /// Our engine.
    Own(Box<OwnPlayer>),
    /// An engine from outside.
    Outside(Box<OutsidePlayer>),
}

/// A configuration of our engine that plays.
pub struct OwnPlayer {
    setup: Setup,
    time: Option<Timing>,
    computer: Computer,
    tables: Tables,
}

impl Player {
    /// A player with an empty table; our engine searches on this board.
    ///
    /// # Errors
    /// If there is no memory for the table, or the engine from outside cannot be used.
    pub fn new(entrant: &Entrant, board: BoardChoice) -> Result<Self, PlayError> {
        let recipe = match &entrant.program {
            Program::Own(recipe) => recipe,
            Program::Outside(command) => return Ok(Self::Outside(Box::new(OutsidePlayer::start(command, entrant)?))),
        };
        let (setup, time) = (entrant.setup(recipe, board), entrant.budget.time);
        let computer = setup.computer()?;
        let tables = setup.tables(1).map_err(|error| PlayError::NoTable(error.to_string()))?;
        Ok(Self::Own(Box::new(OwnPlayer { setup, time, computer, tables })))
    }

    /// Forgets all positions, as before a new game.
    ///
    /// # Errors
    /// If the engine from outside fails.
    pub fn forget(&mut self) -> Result<(), PlayError> {
        match self {
            Self::Own(player) => player.tables.clear(1),
            Self::Outside(engine) => engine.forget()?,
        }
        Ok(())
    }

    /// Searches the present position of a game that goes on. `clocks` are those of White and Black, if it plays by a
    /// clock.
    ///
    /// # Errors
    /// If the search panics, or the engine from outside fails.
    pub fn think(&mut self, game: &Game, clocks: Option<&[Clock; 2]>) -> Result<Thought, PlayError> {
        match self {
            Self::Own(player) => {
                let thought = player.think(game, clocks)?;
                player.tables.end_search();
                Ok(thought)
            }
            Self::Outside(engine) => engine.think(game, clocks),
        }
    }

    /// The best few moves of a position with their scores, the best first. An engine from outside tells only the one.
    ///
    /// # Errors
    /// If the search panics, or the engine from outside fails.
    pub fn best_moves(&mut self, game: &Game, count: usize) -> Result<Vec<(Move, Score)>, PlayError> {
        match self {
            Self::Own(player) => {
                let moves = player.best_moves(game, count)?;
                player.tables.end_search();
                Ok(moves)
            }
            Self::Outside(_) => self.think(game, None).map(|thought| vec![(thought.best, thought.score)]),
        }
    }
}

/// Time that a thread may need to be given a processor again, on a busy computer.
const REAL_OVERHEAD: Duration = Duration::from_millis(10);
/// Time for which virtual processors may search on until they look at the clock.
const VIRTUAL_OVERHEAD: Duration = Duration::from_millis(2);

impl OwnPlayer {
    fn think(&self, game: &Game, clocks: Option<&[Clock; 2]>) -> Result<Thought, SearchError> {
        let control = Control::new(self.computer.processors(), 1);
        let overhead = if self.computer.is_virtual() { VIRTUAL_OVERHEAD } else { REAL_OVERHEAD };
        let allotment = match (self.time, clocks) {
            (Some(Timing::Move(time)), _) => Some(Allotment { last_begin: time, end: time }),
            (Some(Timing::Clock(_)), Some(clocks)) => {
                Some(Allotment::of_clock(&clocks[game.board().turn().index()], overhead))
            }
            _ => None,
        };
        if let Some(Allotment { last_begin, end }) = allotment {
            control.begin_none_from(last_begin.as_nanos() as u64);
            control.end_at(end.as_nanos() as u64);
        }
        let began = Instant::now();
        let options = Options { control: Some(&control), ..Options::default() };
        let Found { outcome, elapsed_ns, .. } = self.setup.run((&self.computer, &self.tables), game.line(), options)?;
        let nanoseconds = match self.computer.is_virtual() {
            true => elapsed_ns,
            false => began.elapsed().as_nanos() as u64,
        };
        let Answer { best, score, depth, .. } = outcome.answer;
        let best = best.expect("a game that goes on has a legal move");
        Ok(Thought { best, score, depth, nodes: outcome.counters.nodes(), nanoseconds })
    }

    /// The best few moves of the last iteration that found as many.
    fn best_moves(&self, game: &Game, count: usize) -> Result<Vec<(Move, Score)>, SearchError> {
        let count = count.min(game.legal_moves().len());
        let found = Mutex::new((Vec::new(), Vec::new()));
        let note = |iteration: &Iteration| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            let (whole, present) = &mut *found;
            if iteration.rank == 0 {
                present.clear();
            }
            present.extend(iteration.line.first().map(|mv| (*mv, iteration.score)));
            if present.len() == count {
                whole.clone_from(present);
            }
        };
        let control = Control::new(self.computer.processors(), count.max(1));
        let options = Options { watcher: Some(&note), control: Some(&control), ..Options::default() };
        self.setup.run((&self.computer, &self.tables), game.line(), options)?;
        let (mut whole, _) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        whole.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use crate::search::features::Recipe;

    #[test]
    fn what_a_player_knows_from_an_earlier_move_gives_way_if_it_ages() {
        let nodes = |recipe: &str| {
            let budget = Budget { depth: Some(6), ..Budget::default() };
            let entrant = Entrant { budget, ..Entrant::of_nodes(recipe.parse::<Recipe>().unwrap(), 1, 1) };
            let mut player = Player::new(&entrant, BoardChoice::Mailbox).unwrap();
            let mut game = Game::from_setup(&crate::chess::Setup::start());
            let first = player.think(&game, None).unwrap().nodes;
            assert!(game.play_text("e2e4") && game.play_text("e7e5"));
            (first, player.think(&game, None).unwrap().nodes)
        };
        let (kept, aged) = (nodes("thesis"), nodes("thesis,+aging"));
        assert_eq!(kept.0, aged.0);
        assert_ne!(kept.1, aged.1);
    }
}
