//! Whether an engine keeps to the protocol: what it is asked and told, and what it answers, one check after the other.
//! An engine that ends has failed the check at which it did, and is started again for the next.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::engine::{HASH, THREADS, started};
use super::option::Described;
use super::process::{Heard, Process};
use super::{Definition, EngineError, Info, Processors};
use crate::chess::bitboards::{Bitboards, sliders::Magic};
use crate::chess::fen::START;
use crate::chess::{Board, Keys, MoveList, Setup};
use crate::choices::choices;
use crate::machine::guard::SystemWatch;
use crate::machine::host::CpuList;

choices! {
    /// Outcome of a check.
    pub enum Outcome, "outcome of a check";
    /// The engine does as the protocol says.
    Passed "passed",
    /// It does not.
    Failed "FAILED",
    /// It does not say or have what is asked for, which it need not.
    Untold "not told",
    /// It was late, but other programs kept processors busy.
    Unjudged "not judged",
}

/// A check with its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Rule of the protocol that was checked, as the rest of a sentence about the engine: `says 'uciok'`.
    pub what: &'static str,
    /// Outcome of the check: as it should be, or not.
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
/// White mates in one move.
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// Black is mated.
const MATED: &str = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
/// Promoting is the best move.
const PROMOTION: &str = "8/P6k/8/8/8/8/8/K7 w - - 0 1";

/// Number of processors that other programs may keep busy before the lateness of an engine is theirs.
const BUSY_CPUS: f64 = 0.5;

/// An engine that is being checked.
struct Talk {
    definition: Definition,
    nodes: u32,
    process: Process,
    checks: Vec<Check>,
    /// Check that comes next, as the rest of a sentence about the engine.
    next: &'static str,
    /// Name of its option for the number of threads, if it has one.
    threads: Option<String>,
}

/// Lines that an engine has said, each with its time since it was asked.
type Said = Vec<(Duration, String)>;
/// Questions that belong together, and need no answer to others.
type Questions = fn(&mut Talk) -> Result<(), EngineError>;

/// All questions after the first, in the order in which they are asked.
const ALL: [Questions; 11] = [
    Talk::is_asked_whether_it_is_ready,
    Talk::searches_to_a_depth,
    Talk::moves_for_black,
    Talk::promotes,
    Talk::mates,
    Talk::is_mated,
    Talk::searches_without_end,
    Talk::has_a_time_for_a_move,
    Talk::has_a_clock,
    Talk::has_a_number_of_nodes,
    Talk::has_two_threads,
];

/// Checks an engine on this many nodes.
///
/// # Errors
/// If it cannot be started or speaks no UCI.
pub fn check(definition: &Definition, nodes: u32) -> Result<Vec<Check>, EngineError> {
    let definition = definition.clone();
    let process = on_nodes(&definition, nodes)?;
    let mut talk = Talk { definition, nodes, process, checks: Vec::new(), next: "says 'uciok'", threads: None };
    talk.introduces_itself()?;
    for questions in ALL {
        if let Err(error) = questions(&mut talk) {
            let seen = [vec![error.message], error.last_lines.into_iter().rev().take(1).collect()].concat().join(": ");
            talk.note(talk.next, false, seen);
            if talk.begins_again().is_err() {
                talk.note("can be started again", false, String::new());
                return Ok(talk.checks);
            }
        }
    }
    talk.quits();
    Ok(talk.checks)
}

/// The engine on this many nodes of one thread.
fn on_nodes(definition: &Definition, nodes: u32) -> Result<Process, EngineError> {
    started(definition, Processors { nodes, threads: 1 }, &CpuList::default())
}

impl Talk {
    fn introduces_itself(&mut self) -> Result<(), EngineError> {
        let said = self.ask("uci", "uciok", SMALL_SEARCH)?;
        let silent = || "speaks no UCI: it has not said 'uciok'".to_owned();
        let Some(said) = said else { return Err(self.process.failed(silent())) };
        self.note("says 'uciok'", true, String::new());
        let has = |start: &str| said.iter().any(|(_, line)| line.starts_with(start));
        let missing = ["id name", "id author"].into_iter().find(|line| !has(&format!("{line} ")));
        let seen = missing.map(|line| format!("no line '{line} ...'")).unwrap_or_default();
        self.note("says its name and its author", missing.is_none(), seen);
        let options: Vec<&str> = said.iter().filter_map(|(_, line)| line.strip_prefix("option ")).collect();
        let wrong: Vec<&str> = options
            .iter()
            .copied()
            .filter(|text| !Described::of(text).is_some_and(|option| option.is_right()))
            .collect();
        let seen = wrong.first().map_or_else(|| format!("{} options", options.len()), |wrong| (*wrong).to_owned());
        self.note("describes its options with type, default and range", wrong.is_empty(), seen);
        self.has_option("has an option Hash", &options, &HASH, "");
        self.threads = self.has_option("has an option Threads", &options, &THREADS, "searches with one thread");
        Ok(())
    }

    /// Notes whether it has an option under one of the usual names, which it need not, and returns its own.
    fn has_option(&mut self, what: &'static str, all: &[&str], usual: &[&str], without: &str) -> Option<String> {
        let named = all.iter().filter_map(|option| option.strip_prefix("name ")?.split_once(" type spin"));
        let names: Vec<&str> = named.map(|(name, _)| name.trim()).collect();
        let found = usual.iter().find_map(|usual| names.iter().find(|name| name.eq_ignore_ascii_case(usual)));
        let outcome = if found.is_some() { Outcome::Passed } else { Outcome::Untold };
        let seen = found.map_or(without, |name| if *name == usual[0] { "" } else { name });
        self.checks.push(Check { what, outcome, seen: seen.to_owned() });
        found.map(|name| (*name).to_owned())
    }

    fn is_asked_whether_it_is_ready(&mut self) -> Result<(), EngineError> {
        self.is_ready("is ready when it is asked")?;
        self.process.tell("ucinewgame")?;
        self.is_ready("is ready after a new game")
    }

    fn searches_to_a_depth(&mut self) -> Result<(), EngineError> {
        let said = self.search("searches to a depth, and gives a legal move", START, &[], "depth 4")?;
        let infos: Vec<Info> = said.iter().filter_map(|(_, line)| Info::parse(line)).collect();
        let tells = infos.iter().any(|info| info.is_answer() && info.depth >= Some(4) && info.nodes.is_some());
        let seen = if tells { "" } else { "no line 'info depth 4 ... score ... nodes ...'" };
        self.note("tells the depth, its score and nodes", tells, seen.to_owned());
        let lines = said.iter().filter_map(|(_, line)| line.split_once(" pv ").map(|(_, moves)| moves));
        let wrong = lines.clone().find(|moves| after(START, &words(moves)).is_none());
        let is_right = wrong.is_none() && lines.count() > 0;
        let none = if is_right { "" } else { "no line 'info ... pv ...'" };
        self.note("tells lines of legal moves", is_right, wrong.unwrap_or(none).to_owned());
        Ok(())
    }

    fn moves_for_black(&mut self) -> Result<(), EngineError> {
        self.search("moves for Black after moves from the start", START, &["e2e4"], "depth 3").map(drop)
    }

    fn promotes(&mut self) -> Result<(), EngineError> {
        self.search("moves from a position with a promotion", PROMOTION, &[], "depth 3").map(drop)
    }

    fn mates(&mut self) -> Result<(), EngineError> {
        let said = self.search("moves from a position with a mate", MATE, &[], "depth 4")?;
        let is_mate = said.iter().any(|(_, line)| line.starts_with("bestmove a1a8"));
        let tells_mate = said.iter().any(|(_, line)| line.contains(" score mate 1"));
        let seen = match (is_mate, tells_mate) {
            (true, true) => "",
            (true, false) => "no line 'info ... score mate 1'",
            (false, _) => "not a1a8",
        };
        self.note("mates, and tells a mate in 1", is_mate && tells_mate, seen.to_owned());
        Ok(())
    }

    fn is_mated(&mut self) -> Result<(), EngineError> {
        self.next = "answers where there is no move";
        self.process.tell(&format!("position fen {MATED}"))?;
        let said = self.ask("go depth 3", "bestmove", AT_ONCE)?;
        let best = said.iter().flatten().last().map(|(_, line)| line.clone()).unwrap_or_default();
        self.note(self.next, said.is_some(), best);
        Ok(())
    }

    fn searches_without_end(&mut self) -> Result<(), EngineError> {
        self.next = "gives no move before 'stop' in a search without end";
        self.process.tell("position startpos")?;
        let early = self.ask("go infinite", "bestmove", A_WHILE)?;
        let seen = early.iter().flatten().last().map(|(at, line)| format!("{line} after {} ms", at.as_millis()));
        self.note(self.next, early.is_none(), seen.unwrap_or_default());
        self.is_ready("is ready while it searches")?;
        if early.is_none() {
            self.next = "gives its move when it is told to stop";
            self.timed("stop", AT_ONCE, Duration::from_secs(1))?;
        }
        self.next = "keeps silent after its move";
        let said = self.ask("", "", A_WHILE)?.and_then(|mut said| said.pop());
        self.note(self.next, said.is_none(), said.map(|(_, line)| line).unwrap_or_default());
        Ok(())
    }

    fn has_a_time_for_a_move(&mut self) -> Result<(), EngineError> {
        self.next = "keeps to the time for a move (200 ms)";
        let (move_time, most) = MOVE_TIME;
        self.process.tell("position startpos")?;
        self.timed(&format!("go movetime {}", move_time.as_millis()), SMALL_SEARCH, most)
    }

    fn has_a_clock(&mut self) -> Result<(), EngineError> {
        self.next = "keeps its clock (2 s for the game)";
        self.process.tell("position startpos")?;
        self.timed(&format!("go wtime {0} btime {0}", CLOCK.as_millis()), SMALL_SEARCH, CLOCK)
    }

    fn has_a_number_of_nodes(&mut self) -> Result<(), EngineError> {
        self.next = "keeps to a number of nodes (20 000)";
        self.process.tell("position startpos")?;
        let said = self.ask(&format!("go nodes {NODES}"), "bestmove", SMALL_SEARCH)?.unwrap_or_default();
        match said.iter().filter_map(|(_, line)| Info::parse(line)?.nodes).max() {
            None => self.checks.push(Check { what: self.next, outcome: Outcome::Untold, seen: String::new() }),
            Some(nodes) => {
                let is_near = (NODES / 2..=2 * NODES).contains(&nodes);
                self.note(self.next, is_near, format!("{nodes} nodes"));
            }
        }
        Ok(())
    }

    fn has_two_threads(&mut self) -> Result<(), EngineError> {
        if let Some(name) = self.threads.clone() {
            self.process.tell(&format!("setoption name {name} value 2"))?;
            self.is_ready("is ready with two threads")?;
            self.search("searches with two threads", START, &["e2e4", "e7e5"], "depth 5")?;
        }
        Ok(())
    }

    fn quits(&mut self) {
        let until = Instant::now() + AT_ONCE;
        let is_told = self.process.tell("quit").is_ok();
        let has_ended = is_told
            && loop {
                match self.process.hear(until.saturating_duration_since(Instant::now())) {
                    Heard::End => break true,
                    Heard::Nothing => break false,
                    Heard::Line(..) => {}
                }
            };
        let seen = if has_ended { String::new() } else { format!("still there after {} s", AT_ONCE.as_secs()) };
        self.note("ends when it is told to quit", has_ended, seen);
    }

    /// Starts the engine again, after it has ended.
    fn begins_again(&mut self) -> Result<(), EngineError> {
        self.process = on_nodes(&self.definition, self.nodes)?;
        let said = self.ask("uci", "uciok", SMALL_SEARCH)?;
        said.map(drop).ok_or_else(|| self.process.failed("has not said 'uciok'".to_owned()))
    }

    fn is_ready(&mut self, what: &'static str) -> Result<(), EngineError> {
        self.next = what;
        let is_ready = self.ask("isready", "readyok", AT_ONCE)?.is_some();
        let seen = if is_ready { String::new() } else { format!("no 'readyok' within {} s", AT_ONCE.as_secs()) };
        self.note(what, is_ready, seen);
        Ok(())
    }

    fn note(&mut self, what: &'static str, is_right: bool, seen: String) {
        let outcome = if is_right { Outcome::Passed } else { Outcome::Failed };
        self.checks.push(Check { what, outcome, seen });
    }

    /// Notes the time until the move after this command, which has to be at most this: unless other programs keep the
    /// engine from its processors.
    fn timed(&mut self, command: &str, time: Duration, most: Duration) -> Result<(), EngineError> {
        let watch = SystemWatch::start();
        let before = self.process.times().cpu_ns.unwrap_or_default();
        let took = self.ask(command, "bestmove", time)?.and_then(|said| Some(said.last()?.0));
        let own_ns = self.process.times().cpu_ns.unwrap_or_default().saturating_sub(before);
        let others = watch.stop(own_ns).others_cpus;
        let (outcome, seen) = judged(took, most, others);
        self.checks.push(Check { what: self.next, outcome, seen });
        Ok(())
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
                Heard::End => return Err(self.process.ended(&format!("after '{command}'"))),
            }
        }
    }

    /// Has it search, and notes whether it gives a legal move.
    fn search(&mut self, what: &'static str, fen: &str, moves: &[&str], limits: &str) -> Result<Said, EngineError> {
        self.next = what;
        let moves_made = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.process.tell(&format!("position fen {fen}{moves_made}"))?;
        let said = self.ask(&format!("go {limits}"), "bestmove", SMALL_SEARCH)?.unwrap_or_default();
        let best = said.last().and_then(|(_, line)| words(line).get(1).map(|best| (*best).to_owned()));
        let is_legal = best.as_ref().is_some_and(|best| after(fen, &[moves, &[best]].concat()).is_some());
        self.note(what, is_legal, best.unwrap_or_else(|| "no move".to_owned()));
        Ok(said)
    }
}

/// Outcome of a move that has to be there after so much time at most, and took this, while other programs kept so many
/// processors busy.
fn judged(took: Option<Duration>, most: Duration, others: Option<f64>) -> (Outcome, String) {
    let seen = took.map_or_else(|| "no move".to_owned(), |took| format!("{} ms", took.as_millis()));
    match (took.is_some_and(|took| took <= most), others.filter(|others| *others > BUSY_CPUS)) {
        (true, _) => (Outcome::Passed, seen),
        (false, None) => (Outcome::Failed, seen),
        (false, Some(others)) => {
            (Outcome::Unjudged, format!("{seen}, while other programs kept {others:.1} processors busy"))
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine that is late beside other programs may be late because of them.
    #[test]
    fn lateness_on_a_busy_computer_is_not_judged() {
        let of = |ms: Option<u64>, others| judged(ms.map(Duration::from_millis), Duration::from_secs(1), others);
        for (ms, others, outcome, seen) in [
            (Some(900), Some(3.0), Outcome::Passed, "900 ms"),
            (Some(3_434), Some(0.1), Outcome::Failed, "3434 ms"),
            (Some(3_434), None, Outcome::Failed, "3434 ms"),
            (None, Some(0.2), Outcome::Failed, "no move"),
            (Some(3_434), Some(1.5), Outcome::Unjudged, "3434 ms, while other programs kept 1.5 processors busy"),
            (None, Some(1.5), Outcome::Unjudged, "no move, while other programs kept 1.5 processors busy"),
        ] {
            assert_eq!(of(ms, others), (outcome, seen.to_owned()), "{ms:?} {others:?}");
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
