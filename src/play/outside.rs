//! An engine from outside, which speaks the universal chess interface (UCI) through its standard input and output.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::contest::PlayError;
use super::game::Game;
use super::player::{Budget, Thought};
use crate::chess::{Board, Score};

/// Time after which an engine that says nothing is taken to hang.
const PATIENCE: Duration = Duration::from_secs(60);
/// Thousandths of a pawn in a hundredth.
const CENTIPAWN: i32 = 10;

/// A running engine. It is ended with this value.
pub struct OutsideEngine {
    command: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    budget: Budget,
}

impl OutsideEngine {
    /// Starts an engine, with one thread and a table of this size as far as it has options for them.
    ///
    /// # Errors
    /// If it cannot be started, or does not answer as the protocol says.
    pub fn start(command: &str, budget: Budget, table_mib: u32) -> Result<Self, PlayError> {
        let failed = |message: String| PlayError::Engine { command: command.to_owned(), message };
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| failed("no program is named".to_owned()))?;
        let started = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = started.map_err(|error| failed(format!("cannot be started: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("has no standard input and output".to_owned()));
        };
        let (sender, lines) = channel();
        // It ends with the engine's output.
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = Self { command: command.to_owned(), child, input, lines, budget };
        engine.tell("uci")?;
        let mut options = Vec::new();
        engine.read_until("uciok", |line| {
            let name = line.strip_prefix("option name ").and_then(|rest| rest.split_once(" type "));
            options.extend(name.map(|(name, _)| name.to_owned()));
        })?;
        for (name, value) in [("Threads", 1), ("Hash", table_mib)] {
            if options.iter().any(|option| option == name) {
                engine.tell(&format!("setoption name {name} value {value}"))?;
            }
        }
        engine.forget()?;
        Ok(engine)
    }

    /// Forgets all positions, as before a new game.
    pub fn forget(&mut self) -> Result<(), PlayError> {
        self.tell("ucinewgame")?;
        self.wait()
    }

    /// Waits until the engine has done all that it has been told.
    fn wait(&mut self) -> Result<(), PlayError> {
        self.tell("isready")?;
        self.read_until("readyok", |_| {}).map(drop)
    }

    /// Searches the present position of a game.
    pub fn think<B: Board>(&mut self, game: &Game<B>) -> Result<Thought, PlayError> {
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let Budget { nodes, depth } = self.budget;
        let limits = [nodes.map(|nodes| format!(" nodes {nodes}")), depth.map(|depth| format!(" depth {depth}"))];
        let limits: String = limits.into_iter().flatten().collect();
        let began = Instant::now();
        let mut told = Told::default();
        let mut answer = String::new();
        // Glaurung 2.2 now and then gives up at once within a limit on nodes; asked again it searches.
        for _ in 0..2 {
            // Some engines are still at their last search when they have given its move, and miss a command.
            self.wait()?;
            self.tell(&format!("position startpos{moves}"))?;
            self.tell(&format!("go{limits}"))?;
            answer = self.read_until("bestmove", |line| told.note(line))?;
            let text = answer.split_whitespace().nth(1).unwrap_or_default();
            if let Some(best) = game.legal_moves().iter().copied().find(|mv| mv.to_string() == text) {
                let nanoseconds = began.elapsed().as_nanos() as u64;
                return Ok(Thought { best, score: told.score, depth: told.depth, nodes: told.nodes, nanoseconds });
            }
        }
        Err(self.failed(format!("says '{answer}', which is not a legal move, after{moves}")))
    }

    /// Writes a line. That an engine has ended is found when its answer is read.
    fn tell(&mut self, line: &str) -> Result<(), PlayError> {
        match writeln!(self.input, "{line}").and_then(|()| self.input.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(self.failed(format!("takes no more commands: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Reads lines until one begins with this word, and returns it.
    fn read_until(&mut self, word: &str, mut each: impl FnMut(&str)) -> Result<String, PlayError> {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(line),
                Ok(line) => each(&line),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(self.failed(format!("has not said '{word}' for {} s", PATIENCE.as_secs())));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.failed(format!("ended instead of saying '{word}'")));
                }
            }
        }
    }

    fn failed(&self, message: String) -> PlayError {
        PlayError::Engine { command: self.command.clone(), message }
    }
}

impl Drop for OutsideEngine {
    fn drop(&mut self) {
        let _ = self.tell("quit");
        // It may not listen.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What an engine has told of its search.
#[derive(Default)]
struct Told {
    score: Score,
    depth: u32,
    nodes: u64,
}

impl Told {
    /// Notes what a line `info ...` tells of the search as a whole.
    fn note(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        while let Some(word) = words.next() {
            match word {
                // What follows is text.
                "string" => break,
                "depth" => self.depth = number(words.next()).unwrap_or(self.depth),
                "nodes" => self.nodes = number(words.next()).unwrap_or(self.nodes),
                "score" => {
                    let (kind, amount) = (words.next(), number::<i32>(words.next()));
                    self.score = match (kind, amount) {
                        (Some("cp"), Some(amount)) => Score(amount.saturating_mul(CENTIPAWN).clamp(-MOST, MOST)),
                        (Some("mate"), Some(moves)) => mate(moves),
                        _ => self.score,
                    };
                }
                _ => {}
            }
        }
    }
}

/// Largest score that is not a mate.
const MOST: i32 = Score::LONGEST_MATE.0;

/// Score of a mate in so many moves of the side to move, or of being mated in as many if it is not positive.
fn mate(moves: i32) -> Score {
    let plies = moves.unsigned_abs().min(140) * 2;
    if moves > 0 { Score::mate_in(plies - 1) } else { Score::mated_in(plies) }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_tells_is_understood() {
        let mut told = Told::default();
        for line in [
            "info string score cp 999 nodes 7",
            "info depth 9 seldepth 20 score cp -35 lowerbound time 1 nodes 1234 nps 9 pv e2e4",
            "info depth 10 currmove e2e4 currmovenumber 1",
            "bestmove depth 99",
        ] {
            told.note(line);
        }
        assert_eq!((told.score, told.depth, told.nodes), (Score(-350), 10, 1_234));
        for (text, score) in [("mate 3", Score::mate_in(5)), ("mate -2", Score::mated_in(4)), ("mate 0", -Score::MATE)]
        {
            told.note(&format!("info score {text}"));
            assert_eq!(told.score, score);
        }
        told.note("info score cp many nodes x");
        assert_eq!((told.score, told.nodes), (-Score::MATE, 1_234));
    }
}
