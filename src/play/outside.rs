//! An engine from outside that plays: see the room [`outside`](crate::lab::outside).

use std::time::Duration;

use super::clock::Clock;
use super::entrant::{Budget, Entrant, Program, Thought, Timing};
use super::error::PlayError;
use super::game::Game;
use crate::chess::{Board, Color, Score, Setup};
use crate::lab::outside::{Definition, Engine, Info, Processors, Request};
use crate::machine::host::CpuList;

/// Time beyond its own after which an engine is told to stop.
const GRACE: Duration = Duration::from_secs(1);
/// Words of engines for 'no move'.
const NO_MOVE: [&str; 2] = ["(none)", "0000"];

/// An engine with a budget for each move.
pub struct OutsidePlayer {
    engine: Engine,
    command: String,
    entrant: Entrant,
    /// Whether the engine has failed, and is to be started anew.
    has_failed: bool,
}

impl OutsidePlayer {
    /// Starts an engine, with threads and a table as far as it has options for them.
    ///
    /// # Errors
    /// If it cannot be started, or does not answer as the protocol says.
    pub fn start(command: &str, entrant: &Entrant) -> Result<Self, PlayError> {
        let definition = Definition { patience: entrant.patience, ..Definition::of_command(command) };
        let engine = Engine::start(
            &definition,
            Processors::of_one_node(entrant.processors),
            entrant.table_mib,
            &CpuList::default(),
        )?;
        Ok(Self { engine, command: command.to_owned(), entrant: entrant.clone(), has_failed: false })
    }

    /// Name that the engine gives itself.
    pub fn title(&self) -> &str {
        self.engine.title()
    }

    /// Forgets all positions, as before a new game. An engine that has failed meanwhile is started anew.
    ///
    /// # Errors
    /// If it cannot be started again.
    pub fn forget(&mut self) -> Result<(), PlayError> {
        if self.has_failed || self.engine.forget().is_err() {
            *self = Self::start(&self.command, &self.entrant)?;
        }
        Ok(())
    }

    /// Searches the present position of a game.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn think(&mut self, game: &Game, clocks: Option<&[Clock; 2]>) -> Result<Thought, PlayError> {
        let thought = self.search(game, clocks);
        self.has_failed |= thought.is_err();
        thought
    }

    fn search(&mut self, game: &Game, clocks: Option<&[Clock; 2]>) -> Result<Thought, PlayError> {
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let Budget { nodes: node_limit, depth, time } = self.entrant.budget;
        let limits = self.limits(clocks, game.board().turn());
        // One that goes on when its time is over is told to stop, and has lost.
        let time = match (time, clocks) {
            (Some(Timing::Move(time)), _) => Some(time),
            (Some(Timing::Clock(_)), Some(clocks)) => Some(clocks[game.board().turn().index()].left),
            _ => None,
        };
        let stop_after = time.map(|time| time + GRACE);
        let start = Some(game.line().start).filter(|start| **start != Setup::start());
        let position = format!("{}{moves}", start.map_or("startpos".to_owned(), |start| format!("fen {start}")));
        let request = Request { position: &position, limits: &limits, depth, stop_after, nodes: node_limit };
        let (mut score, mut reached, mut nodes) = (Score::default(), 0, 0);
        let mut each = |info: &Info| {
            nodes = info.nodes.unwrap_or(nodes);
            if info.is_answer() {
                score = info.score.unwrap_or(score);
                reached = info.depth.unwrap_or(reached);
            }
        };
        let has_clock = self.entrant.budget.has_clock();
        let mut spent = Duration::ZERO;
        let mut has_given_up = false;
        loop {
            let found = self.engine.search(&request, |_, info| each(info))?;
            spent += found.elapsed;
            if found.was_stopped && !has_clock {
                return Err(self.engine.failed(format!("goes on far beyond its limit ({limits})")).into());
            }
            if let Some(best) = game.legal_moves().iter().copied().find(|mv| mv.to_string() == found.best) {
                return Ok(Thought { best, score, depth: reached, nodes, nanoseconds: spent.as_nanos() as u64 });
            }
            // Glaurung 2.2 now and then says that there is no move, if its limit on nodes is low; asked again it
            // searches.
            if has_given_up || has_clock || !NO_MOVE.contains(&found.best.as_str()) {
                let message = format!("plays '{}', which is not a legal move, after{moves}", found.best);
                return Err(self.engine.failed(message).into());
            }
            has_given_up = true;
        }
    }

    /// Limits of a search, as the command `go` takes them.
    fn limits(&self, clocks: Option<&[Clock; 2]>, turn: Color) -> String {
        let Budget { nodes, depth, time } = self.entrant.budget;
        let time = time.map(|time| match (time, clocks) {
            (Timing::Move(time), _) => format!("movetime {}", whole_milliseconds(time).as_millis()),
            (Timing::Clock(_), Some(clocks @ [white, black])) => {
                let ms = Duration::as_millis;
                let moves = clocks[turn.index()].moves_to_go.map(|moves| format!(" movestogo {moves}"));
                format!(
                    "wtime {} btime {} winc {} binc {}{}",
                    ms(&white.left),
                    ms(&black.left),
                    ms(&white.increment),
                    ms(&black.increment),
                    moves.unwrap_or_default()
                )
            }
            (Timing::Clock(_), None) => String::new(),
        });
        let nodes = nodes.map(|nodes| format!("nodes {nodes}"));
        let limits = [nodes, depth.map(|depth| format!("depth {depth}")), time];
        limits.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// The nearest time for a move that the protocol can tell.
pub fn whole_milliseconds(time: Duration) -> Duration {
    Duration::from_millis(((time.as_secs_f64() * 1e3).round() as u64).max(1))
}

impl Entrant {
    /// Starts the engine from outside that this is, if it is one, and learns its name. One that is limited by nodes
    /// searches the start position, and must use about as many.
    ///
    /// # Errors
    /// If it cannot be started, fails, or does not keep to its limit on nodes.
    pub fn meet(&mut self) -> Result<(), PlayError> {
        let Program::Outside(command) = &self.program else { return Ok(()) };
        let mut player = OutsidePlayer::start(command, self)?;
        self.title = Some(player.title().to_owned()).filter(|title| !title.is_empty());
        if self.budget.nodes.is_none() || self.budget.has_clock() {
            return Ok(());
        }
        let thought = player.think(&Game::default(), None)?;
        let name = self.title.as_ref().unwrap_or(command);
        match self.info(name).misuse(1.0, thought.nodes as f64) {
            Some(misuse) => Err(PlayError::Misuse(format!("{name} {misuse}"))),
            None => Ok(()),
        }
    }
}
