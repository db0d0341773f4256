//! An engine from outside that plays: see the room [`outside`](crate::outside).

use super::contest::PlayError;
use super::game::Game;
use super::player::{Budget, Thought};
use crate::chess::{Board, Score};
use crate::machine::host::CpuList;
use crate::outside::{Definition, Engine, Info, Request};

/// An engine with a budget for each move.
pub struct OutsidePlayer {
    engine: Engine,
    budget: Budget,
}

impl OutsidePlayer {
    /// Starts an engine, with one thread and a table of this size as far as it has options for them.
    ///
    /// # Errors
    /// If it cannot be started, or does not answer as the protocol says.
    pub fn start(command: &str, budget: Budget, table_mib: u32) -> Result<Self, PlayError> {
        let engine = Engine::start(&Definition::of_command(command), 1, table_mib, &CpuList::default())?;
        Ok(Self { engine, budget })
    }

    /// Forgets all positions, as before a new game.
    pub fn forget(&mut self) -> Result<(), PlayError> {
        Ok(self.engine.forget()?)
    }

    /// Searches the present position of a game.
    pub fn think<B: Board>(&mut self, game: &Game<B>) -> Result<Thought, PlayError> {
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let Budget { nodes, depth } = self.budget;
        let limits = [nodes.map(|nodes| format!("nodes {nodes}")), depth.map(|depth| format!("depth {depth}"))];
        let limits = limits.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let request = Request { position: &format!("startpos{moves}"), limits: &limits, stop_after: None };
        let (mut score, mut depth, mut nodes) = (Score::default(), 0, 0);
        let mut each = |info: &Info| {
            score = info.score.unwrap_or(score);
            depth = info.depth.unwrap_or(depth);
            nodes = info.nodes.unwrap_or(nodes);
        };
        let mut answer = String::new();
        // Glaurung 2.2 now and then gives up at once within a limit on nodes; asked again it searches.
        for _ in 0..2 {
            let found = self.engine.search(&request, |_, info| each(info))?;
            if let Some(best) = game.legal_moves().iter().copied().find(|mv| mv.to_string() == found.best) {
                return Ok(Thought { best, score, depth, nodes, nanoseconds: found.elapsed.as_nanos() as u64 });
            }
            answer = found.best;
        }
        Err(self.engine.failed(format!("plays '{answer}', which is not a legal move, after{moves}")).into())
    }
}
