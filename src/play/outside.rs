//! An engine from outside that plays: see the room [`outside`](crate::outside).

use std::time::Duration;

use super::clock::Clock;
use super::contest::PlayError;
use super::game::Game;
use super::player::{Budget, Entrant, Thought, Timing};
use crate::chess::{Board, Score};
use crate::machine::host::CpuList;
use crate::outside::{Definition, Engine, Info, Request};

/// Time beyond its own after which an engine is told to stop.
const GRACE: Duration = Duration::from_secs(1);

/// An engine with a budget for each move.
pub struct OutsidePlayer {
    engine: Engine,
    budget: Budget,
}

impl OutsidePlayer {
    /// Starts an engine, with threads and a table as far as it has options for them.
    ///
    /// # Errors
    /// If it cannot be started, or does not answer as the protocol says.
    pub fn start(command: &str, entrant: &Entrant) -> Result<Self, PlayError> {
        let definition = Definition::of_command(command);
        let Entrant { budget, processors, table_mib, .. } = *entrant;
        let engine = Engine::start(&definition, processors, table_mib, &CpuList::default())?;
        Ok(Self { engine, budget })
    }

    /// Forgets all positions, as before a new game.
    pub fn forget(&mut self) -> Result<(), PlayError> {
        Ok(self.engine.forget()?)
    }

    /// Searches the present position of a game.
    pub fn think<B: Board>(&mut self, game: &Game<B>, clocks: Option<&[Clock; 2]>) -> Result<Thought, PlayError> {
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let limits = self.limits(clocks);
        // One that goes on when its time is over is told to stop, and has lost.
        let time = match (self.budget.time, clocks) {
            (Some(Timing::Move(time)), _) => Some(time),
            (Some(Timing::Clock(_)), Some(clocks)) => Some(clocks[game.board().turn().index()].left),
            _ => None,
        };
        let stop_after = time.map(|time| time + GRACE);
        let request = Request { position: &format!("startpos{moves}"), limits: &limits, stop_after };
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

    /// Limits of a search, as the command `go` takes them.
    fn limits(&self, clocks: Option<&[Clock; 2]>) -> String {
        let Budget { nodes, depth, time } = self.budget;
        let time = time.map(|time| match (time, clocks) {
            (Timing::Move(time), _) => format!("movetime {}", time.as_millis()),
            (Timing::Clock(_), Some([white, black])) => {
                let ms = Duration::as_millis;
                let moves = white.moves_to_go.min(black.moves_to_go).map(|moves| format!(" movestogo {moves}"));
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
