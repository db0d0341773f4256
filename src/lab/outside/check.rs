//! Whether an engine keeps to the protocol: what it is asked and told, and what it answers, one check after the other.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::process::{Heard, Process};
use super::{EngineError, Info};
use crate::chess::bitboards::{Bitboards, sliders::Magic};
use crate::chess::fen::START;
use crate::chess::{Board, Keys, MoveList, Setup};
use crate::choices::choices;
use crate::machine::host::CpuList;

choices! {
    /// Outcome of a check.
    pub enum Outcome, "outcome of a check";
    /// The engine does as the protocol says.
    Passed "passed",
    /// It does not.
    Failed "FAILED",
    /// It does not say what is asked for, which it need not.
    Untold "not told",
}

/// A check with its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Rule of the protocol that was checked, as the rest of a sentence about the engine: `says 'uciok'`.
    pub what: &'static str,
    /// Whether it is as it should be.
    pub outcome: Outcome,
    /// Answer or time of the engine, if it tells more than the outcome; empty otherwise.
    pub seen: String,
}

/// Time for an answer that needs no search.
const AT_ONCE: Duration = Duration::from_secs(5);
/// Time for a small search.
const SMALL_SEARCH: Duration = Duration::from_secs(30);
/// Time that a search without an end is left alone.
const A_WHILE: Duration = Duration::from_millis(300);
/// Time for a move, and the most that an engine may take for it: hosts are busy at times.
const MOVE_TIME: (Duration, Duration) = (Duration::from_millis(200), Duration::from_millis(1_200));
/// Clock of both sides.
const CLOCK: Duration = Duration::from_secs(2);
/// Nodes of a search, of which half and twice as many are close enough.
const NODES: u64 = 20_000;
/// Types of options.
const TYPES: [&str; 5] = ["check", "spin", "combo", "button", "string"];
/// White mates in one move.
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// Black is mated.
const MATED: &str = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
/// Promoting is the best move.
const PROMOTION: &str = "8/P6k/8/8/8/8/8/K7 w - - 0 1";

/// An engine that is being checked.
struct Talk {
    process: Process,
    checks: Vec<Check>,
}

/// Lines that an engine has said, each with its time since it was asked.
type Said = Vec<(Duration, String)>;

/// Checks the engine of this command.
///
/// # Errors
/// If it cannot be started or speaks no UCI.
pub fn check(command: &[String]) -> Result<Vec<Check>, EngineError> {
    let mut talk = Talk { process: Process::start(command, &CpuList::default())?, checks: Vec::new() };
    let said = talk.ask("uci", "uciok", AT_ONCE)?;
    let Some(said) = said else { return Err(talk.process.failed("speaks no UCI: it has not said 'uciok'".to_owned())) };
    talk.note("says 'uciok'", true, String::new());
    let has = |start: &str| said.iter().any(|(_, line)| line.starts_with(start));
    talk.note("says its name and its author", has("id name ") && has("id author "), String::new());
    let options: Vec<&str> = said.iter().filter_map(|(_, line)| line.strip_prefix("option ")).collect();
    let wrong: Vec<&str> = options.iter().copied().filter(|option| !is_right(option)).collect();
    let seen = wrong.first().map_or_else(|| format!("{} options", options.len()), |wrong| (*wrong).to_owned());
    talk.note("describes its options with type, default and range", wrong.is_empty(), seen);
    let has_option = |name: &str| options.iter().any(|option| option.starts_with(&format!("name {name} type spin")));
    let has_threads = has_option("Threads");
    talk.note("has an option Hash", has_option("Hash"), String::new());
    talk.note("has an option Threads", has_threads, String::new());
    let is_ready = talk.ask("isready", "readyok", AT_ONCE)?.is_some();
    talk.note("is ready when it is asked", is_ready, String::new());
    talk.process.tell("ucinewgame")?;
    let is_ready = talk.ask("isready", "readyok", AT_ONCE)?.is_some();
    talk.note("is ready after a new game", is_ready, String::new());

    let said = talk.search("searches to a depth, and gives a legal move", START, &[], "depth 4")?;
    let infos: Vec<Info> = said.iter().filter_map(|(_, line)| Info::parse(line)).collect();
    let tells = infos.iter().any(|info| info.is_answer() && info.depth >= Some(4) && info.nodes.is_some());
    talk.note("tells the depth, its score and nodes", tells, String::new());
    let lines = said.iter().filter_map(|(_, line)| line.split_once(" pv ").map(|(_, moves)| moves));
    let wrong = lines.clone().find(|moves| after(START, &words(moves)).is_none());
    talk.note("tells lines of legal moves", wrong.is_none() && lines.count() > 0, wrong.unwrap_or_default().to_owned());
    talk.search("moves for Black after moves from the start", START, &["e2e4"], "depth 3")?;
    talk.search("moves from a position with a promotion", PROMOTION, &[], "depth 3")?;
    let said = talk.search("moves from a position with a mate", MATE, &[], "depth 4")?;
    let is_mate = said.iter().any(|(_, line)| line.starts_with("bestmove a1a8"));
    let tells_mate = said.iter().any(|(_, line)| line.contains(" score mate 1"));
    talk.note("mates, and tells a mate in 1", is_mate && tells_mate, String::new());
    talk.process.tell(&format!("position fen {MATED}"))?;
    let said = talk.ask("go depth 3", "bestmove", AT_ONCE)?;
    let best = said.iter().flatten().last().map(|(_, line)| line.clone()).unwrap_or_default();
    talk.note("answers where there is no move", said.is_some(), best);

    talk.process.tell("position startpos")?;
    let early = talk.ask("go infinite", "bestmove", A_WHILE)?;
    talk.note("gives no move before 'stop' in a search without end", early.is_none(), String::new());
    let is_ready = talk.ask("isready", "readyok", AT_ONCE)?.is_some();
    talk.note("is ready while it searches", is_ready, String::new());
    if early.is_none() {
        let took = talk.ask("stop", "bestmove", AT_ONCE)?.and_then(|said| Some(said.last()?.0));
        talk.timed("gives its move when it is told to stop", took, Duration::from_secs(1));
    }
    let silent = talk.ask("", "", A_WHILE)?.is_none();
    talk.note("keeps silent after its move", silent, String::new());
    let (move_time, most) = MOVE_TIME;
    let took = talk.time(&format!("go movetime {}", move_time.as_millis()))?;
    talk.timed("keeps to the time for a move (200 ms)", took, most);
    let took = talk.time(&format!("go wtime {0} btime {0}", CLOCK.as_millis()))?;
    talk.timed("keeps its clock (2 s for the game)", took, CLOCK);
    let said = talk.ask(&format!("go nodes {NODES}"), "bestmove", SMALL_SEARCH)?.unwrap_or_default();
    match said.iter().filter_map(|(_, line)| Info::parse(line)?.nodes).max() {
        None => talk.checks.push(Check {
            what: "keeps to a number of nodes (20 000)",
            outcome: Outcome::Untold,
            seen: String::new(),
        }),
        Some(nodes) => {
            let is_near = (NODES / 2..=2 * NODES).contains(&nodes);
            talk.note("keeps to a number of nodes (20 000)", is_near, format!("{nodes} nodes"));
        }
    }
    if has_threads {
        talk.process.tell("setoption name Threads value 2")?;
        let is_ready = talk.ask("isready", "readyok", AT_ONCE)?.is_some();
        talk.note("is ready with two threads", is_ready, String::new());
        talk.search("searches with two threads", START, &["e2e4", "e7e5"], "depth 5")?;
    }
    talk.process.tell("quit")?;
    let until = Instant::now() + AT_ONCE;
    let has_ended = loop {
        match talk.process.hear(until.saturating_duration_since(Instant::now())) {
            Heard::End => break true,
            Heard::Nothing => break false,
            Heard::Line(..) => {}
        }
    };
    talk.note("ends when it is told to quit", has_ended, String::new());
    Ok(talk.checks)
}

impl Talk {
    fn note(&mut self, what: &'static str, is_right: bool, seen: String) {
        let outcome = if is_right { Outcome::Passed } else { Outcome::Failed };
        self.checks.push(Check { what, outcome, seen });
    }

    /// Notes a time, which has to be at most this.
    fn timed(&mut self, what: &'static str, took: Option<Duration>, most: Duration) {
        let seen = took.map_or_else(|| "no move".to_owned(), |took| format!("{} ms", took.as_millis()));
        self.note(what, took.is_some_and(|took| took <= most), seen);
    }

    /// Writes a command, and reads until a line begins with these words. Nothing if none does in time.
    fn ask(&mut self, command: &str, end: &str, time: Duration) -> Result<Option<Said>, EngineError> {
        let began = Instant::now();
        if !command.is_empty() {
            self.process.tell(command)?;
        }
        let mut said = Said::new();
        loop {
            match self.process.hear((began + time).saturating_duration_since(Instant::now())) {
                Heard::Line(at, line) => {
                    let is_last = line.trim_start().starts_with(end);
                    said.push((at.saturating_duration_since(began), line));
                    if is_last {
                        return Ok(Some(said));
                    }
                }
                Heard::Nothing => return Ok(None),
                Heard::End => return Err(self.process.failed(format!("ended after '{command}'"))),
            }
        }
    }

    /// Time until the move after this command.
    fn time(&mut self, command: &str) -> Result<Option<Duration>, EngineError> {
        self.process.tell("position startpos")?;
        Ok(self.ask(command, "bestmove", SMALL_SEARCH)?.and_then(|said| Some(said.last()?.0)))
    }

    /// Has it search, and notes whether it gives a legal move.
    fn search(&mut self, what: &'static str, fen: &str, moves: &[&str], limits: &str) -> Result<Said, EngineError> {
        let moves_made = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.process.tell(&format!("position fen {fen}{moves_made}"))?;
        let said = self.ask(&format!("go {limits}"), "bestmove", SMALL_SEARCH)?.unwrap_or_default();
        let best = said.last().and_then(|(_, line)| words(line).get(1).map(|best| (*best).to_owned()));
        let is_legal = best.as_ref().is_some_and(|best| after(fen, &[moves, &[best]].concat()).is_some());
        self.note(what, is_legal, best.unwrap_or_else(|| "no move".to_owned()));
        Ok(said)
    }
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Board after these moves; nothing if one of them is not legal.
fn after(fen: &str, moves: &[&str]) -> Option<Bitboards<Magic>> {
    let mut board = Bitboards::<Magic>::set_up(&fen.parse::<Setup>().ok()?, Keys::of_seed(0)).ok()?;
    for text in moves {
        let mut legal = MoveList::new();
        board.legal_moves(&mut legal);
        let mv = legal.iter().copied().find(|mv| mv.to_string() == *text)?;
        let _ = board.make(mv);
    }
    Some(board)
}

/// Whether an option has a known type, and as a number a default within its range.
fn is_right(option: &str) -> bool {
    let Some((_, rest)) = option.split_once(" type ") else { return false };
    let words = words(rest);
    let number = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse::<i64>().ok()
    };
    let Some(kind) = words.first().filter(|kind| TYPES.contains(kind)) else { return false };
    match (*kind, number("min"), number("default"), number("max")) {
        ("spin", Some(least), Some(usual), Some(most)) => (least..=most).contains(&usual),
        ("spin", ..) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_looked_at() {
        for (option, expected) in [
            ("name Hash type spin default 16 min 1 max 1024", true),
            ("name Hash type spin default 0 min 1 max 1024", false),
            ("name Hash type spin default 16", false),
            ("name Style type combo default Solid var Solid var Risky", true),
            ("name Clear Hash type button", true),
            ("name Hash type number default 16", false),
            ("Hash", false),
        ] {
            assert_eq!(is_right(option), expected, "{option}");
        }
    }

    #[test]
    fn positions_of_the_checks_are_what_they_are_said_to_be() {
        let mut legal = MoveList::new();
        after(MATED, &[]).unwrap().legal_moves(&mut legal);
        assert!(legal.is_empty());
        assert!(after(MATE, &["a1a8"]).is_some() && after(PROMOTION, &["a7a8q"]).is_some());
        assert!(after(START, &["e2e4", "e2e4"]).is_none());
    }
}
