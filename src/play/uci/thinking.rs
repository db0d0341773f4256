//! A search on behalf of the interface: what it needs, what it tells while it runs, and the move at its end.

use std::fmt::Write;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::command::Go;
use super::options;
use super::output::Output;
use crate::chess::perft::{Divide, Leaves};
use crate::chess::{Board, Move, Score};
use crate::engine::{Computer, Options, Setup};
use crate::machine::ThisThread;
use crate::machine::host::Memory;
use crate::search::table::{MOST_MIB, Tables};
use crate::search::{Control, Iteration, Outcome};
use crate::{Allotment, Game};

/// Threads and table that search.
pub struct Engine {
    computer: Computer,
    tables: Tables,
}

/// Size in MiB of the largest table for which there is memory now, beside what is used already and a reserve: the
/// system would end this program, or another one, rather than refuse what does not fit.
fn largest_table() -> u32 {
    let room = Memory::of_system().room_bytes();
    room.map_or(MOST_MIB, |room| (room >> 20).clamp(1, MOST_MIB.into()) as u32)
}

/// A search that is asked for.
pub struct Task {
    pub go: Go,
    pub game: Game,
    pub options: options::Options,
    pub control: Control,
    pub hold: Hold,
    /// Moment at which it was asked for.
    pub began: Instant,
    /// Time for the move, once the clock runs, if it runs or will.
    pub allotment: Option<Allotment>,
    pub output: Arc<Output>,
}

impl Task {
    /// Ends the search: its move is told.
    pub fn end(&self) {
        self.control.stop();
        self.hold.release();
    }
}

/// Hold on a move while the opponent is still to move, or for as long as a search is to last.
pub struct Hold {
    is_held: Mutex<bool>,
    released: Condvar,
}

impl Hold {
    /// A hold that keeps moves back or does not.
    pub fn new(is_held: bool) -> Self {
        Self { is_held: Mutex::new(is_held), released: Condvar::new() }
    }

    /// Whether moves are kept back.
    pub fn is_held(&self) -> bool {
        *self.is_held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps nothing back any longer.
    pub fn release(&self) {
        *self.is_held.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.released.notify_all();
    }

    /// Waits until nothing is kept back.
    fn wait(&self) {
        let mut is_held = self.is_held.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_held {
            is_held = self.released.wait(is_held).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Engine {
    /// Threads and an empty table as the options ask for. Where the system has not enough of either, there are fewer
    /// threads, or a smaller table, and the options become what there is: a lack costs speed, never the game. Former
    /// threads are kept until there are as many, or more. The second value says what is missing.
    ///
    /// # Errors
    /// Fails if there is no room for the smallest table.
    pub fn renewed(former: Option<Self>, options: &mut options::Options) -> Result<(Self, Option<String>), String> {
        // The former table goes first: both may not fit in together, and what it holds is of another search.
        let former = former.map(|Self { computer, .. }| computer);
        let (computer, fewer) = threads(former, options);
        options.threads = computer.processors();
        let (tables, smaller) = table(options)?;
        let faults: Vec<String> = [fewer, smaller].into_iter().flatten().collect();
        Ok((Self { computer, tables }, (!faults.is_empty()).then(|| faults.join("; "))))
    }

    /// Forgets all positions.
    pub fn forget(&mut self) {
        self.tables.clear(self.computer.processors());
    }

    /// Searches, and tells the move.
    pub fn think(mut self, task: &Task) -> Self {
        Thinking { engine: &self, task, setup: task.options.setup(&task.go) }.run();
        self.tables.end_search();
        self
    }
}

/// As many of the threads that are asked for as the system gives, and what was missing.
fn threads(former: Option<Computer>, options: &options::Options) -> (Computer, Option<String>) {
    let asked = options.threads;
    let had = former.as_ref().map_or(0, Computer::processors);
    let mut fault = None;
    if had != asked {
        let halves = std::iter::successors(Some(asked), |threads| Some(threads / 2).filter(|half| *half > 0));
        for threads in halves.take_while(|threads| *threads == asked || *threads > had) {
            match (options::Options { threads, ..options.clone() }).setup(&Go::default()).computer() {
                Ok(computer) => return (computer, fault.map(|fault| format!("{fault}; it has {threads}"))),
                Err(error) => fault = fault.or_else(|| Some(format!("no {asked} threads: {error}"))),
            }
        }
    }
    let told = fault.map(|fault| format!("{fault}; it has {}", had.max(1)));
    // The thread that searches is there in any case.
    (former.unwrap_or(Computer::ThisThread(ThisThread)), told)
}

/// The largest table that there is room for, up to that which is asked for, and what was missing.
fn table(options: &mut options::Options) -> Result<(Tables, Option<String>), String> {
    let (asked, largest) = (options.table_mib, largest_table());
    let mut fault = (asked > largest).then(|| format!("no room for a table of {asked} MiB in memory"));
    let mut size = asked.min(largest);
    while size > 0 {
        options.table_mib = size;
        match options.setup(&Go::default()).tables(options.threads) {
            Ok(tables) => return Ok((tables, fault.map(|fault| format!("{fault}; it has {size} MiB")))),
            Err(error) => fault = fault.or_else(|| Some(format!("no room for a table of {asked} MiB: {error}"))),
        }
        size /= 2;
    }
    options.table_mib = asked;
    Err(fault.unwrap_or_default())
}

/// A search with all that it takes.
struct Thinking<'a> {
    engine: &'a Engine,
    task: &'a Task,
    setup: Setup,
}

impl Thinking<'_> {
    fn run(&self) {
        let Task { go, game, output, .. } = self.task;
        if let Some(depth) = go.perft {
            return count_lines(depth, self.task);
        }
        let legal = game.legal_moves();
        let best = self.search().or_else(|| legal.first().map(|mv| vec![*mv]));
        let mut best = best.unwrap_or_default();
        // A line that the table has cut short has no answer, but the table may have.
        if let [mv] = best[..] {
            let mut game = game.clone();
            game.play(mv);
            best.extend(self.remembered(&game));
        }
        self.task.hold.wait();
        match best.as_slice() {
            [] => output.say("bestmove (none)"),
            [mv] => output.say(&format!("bestmove {mv}")),
            [mv, answer, ..] => output.say(&format!("bestmove {mv} ponder {answer}")),
        }
    }

    /// The best line, if there is a legal move and the search does not fail.
    fn search(&self) -> Option<Vec<Move>> {
        let Task { go, game, options, control, began, output, .. } = self.task;
        let legal = game.legal_moves();
        let allowed: Vec<Move> = legal.iter().copied().filter(|mv| go.moves.contains(&mv.to_string())).collect();
        let is_forced = legal.len() == 1 && options.lines == 1;
        if let Some(Allotment { last_begin, end }) = self.task.allotment.filter(|_| !go.is_held()) {
            let passed = began.elapsed();
            let left = |time: std::time::Duration| time.saturating_sub(passed).as_nanos() as u64;
            control.begin_none_from(if is_forced { 0 } else { left(last_begin) });
            control.end_at(left(end));
        }
        // Of several workers that search the same depth, only the first is told of. One that was ahead may be the first
        // to answer the depth asked for, with a deeper iteration: that ends the search, and is told as its answer.
        let told = Mutex::new((0, 0));
        let watch = |iteration: &Iteration| {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            let depth = go.told_depth(iteration.depth);
            let place = (depth, iteration.rank + 1);
            if place > *told {
                *told = place;
                output.say(&self.line(iteration, depth));
            }
            let moves = iteration.score.mate_moves().filter(|_| iteration.rank == 0);
            if go.mate.is_some_and(|wanted| moves.is_some_and(|moves| moves > 0 && moves as u32 <= wanted)) {
                control.stop();
            }
        };
        let options = Options { watcher: Some(&watch), control: Some(control), among: &allowed, ..Options::default() };
        let Engine { computer, tables } = self.engine;
        let found = match self.setup.run((computer, tables), game.line(), options) {
            Ok(found) => found,
            Err(error) => {
                output.say(&format!("info string {error}"));
                return None;
            }
        };
        let Outcome { answer, counters, .. } = found.outcome;
        // Of what other nodes have found only their answer comes here, which may be deeper than all that has been told.
        let mut told = *told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = answer.iterations.iter().rfind(|iteration| iteration.rank == 0) {
            let depth = go.told_depth(last.depth);
            if (depth, last.rank + 1) > told {
                output.say(&self.line(last, depth));
                told = (depth, last.rank + 1);
            }
        }
        // The last iteration may have been broken off.
        let depth = if told.0 > 0 { format!("depth {} ", told.0) } else { String::new() };
        output.say(&format!("info {depth}{}", self.work(counters.nodes())));
        answer.best.map(|best| if answer.line.first() == Some(&best) { answer.line } else { vec![best] })
    }

    /// The move that the table holds for a position, if it holds one.
    fn remembered(&self, game: &Game) -> Option<Move> {
        let Engine { computer, tables } = self.engine;
        let found = self.setup.remembered((computer, tables), game.line()).ok()?;
        found.filter(|mv| game.legal_moves().iter().any(|known| known == mv))
    }

    /// Line that tells of an iteration as one of this depth.
    fn line(&self, iteration: &Iteration, depth: u32) -> String {
        let mut text = format!(
            "info depth {} seldepth {} multipv {} score {} {} pv",
            depth,
            iteration.deepest.max(iteration.depth.into()),
            iteration.rank + 1,
            score(iteration.score),
            self.work(self.task.control.nodes().max(iteration.nodes)),
        );
        iteration.line.iter().for_each(|mv| _ = write!(text, " {mv}"));
        text
    }

    /// Nodes, speed, use of the table and time of the search so far, as UCI writes them.
    fn work(&self, nodes: u64) -> String {
        let passed = self.task.began.elapsed();
        let speed = (nodes as f64 / passed.as_secs_f64().max(1e-6)) as u64;
        let filled = self.engine.tables.thousandths_used().unwrap_or(0);
        format!("nodes {nodes} nps {speed} hashfull {filled} time {}", passed.as_millis())
    }
}

/// A score as the protocol writes it.
fn score(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", score.centipawns()),
    }
}

/// Counts the lines of a length on the board that was chosen, unless it is stopped.
fn count_lines(depth: u32, Task { game, control, options, output, .. }: &Task) {
    let (setup, is_stopped) = (&game.board().setup(), &|| control.is_stopped());
    let counts =
        match (Divide { setup, depth, leaves: Leaves::Counted, progress: &|_| {}, is_stopped }).on(options.board) {
            Ok(Some(counts)) => counts,
            Ok(None) => return output.say("info string stopped before all lines were counted"),
            Err(error) => return output.say(&format!("info string {error}")),
        };
    let lines: String = counts.iter().map(|(mv, count)| format!("{mv}: {count}\n")).collect();
    let all: u64 = if depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    output.say(&format!("{lines}\nNodes searched: {all}"));
}
