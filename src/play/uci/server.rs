//! The engine that obeys commands: one thread reads them, one carries them out, and one searches.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::command::{Command, Go};
use super::options::Options;
use super::output::Output;
use super::thinking::{Engine, Hold, Task};
use crate::chess::{Board, Color, Setup};
use crate::engine::{Assessment, Line, Look};
use crate::lab::outside::read_line;
use crate::search::{Control, RootStep};
use crate::{Allotment, Clock, Game};

/// Time between two reports on a search that has found nothing new.
const BETWEEN_REPORTS: Duration = Duration::from_secs(1);

/// Time between two looks at work that is done beside.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);
/// Time that work which is done beside still gets after `quit`: usually it ends, and what was asked before is answered.
const AFTER_QUIT: Duration = Duration::from_secs(1);
/// Time for which a search may go on after the end of the input.
const AFTER_INPUT: Duration = Duration::from_secs(60);
/// Longest part of a line, in bytes, that is read; the rest is passed over.
const LONGEST_LINE: u64 = 1 << 20;

/// State between commands.
struct Server {
    lines: Receiver<String>,
    /// Lines that came while something else was done.
    waiting: VecDeque<String>,
    output: Arc<Output>,
    options: Options,
    /// The position, with how the game has come there.
    game: Game,
    /// Threads and table that search; away while they do.
    engine: Option<Engine>,
    /// Whether these are not those that the options ask for.
    is_outdated: bool,
    running: Option<Running>,
    is_debugging: bool,
    /// Whether `quit` came while something else was done that took long.
    has_quit: bool,
}

/// A search in progress.
struct Running {
    task: Arc<Task>,
    thread: JoinHandle<Engine>,
}

/// Obeys the commands of the input until it ends or says `quit`, by searches on so many nodes.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static, nodes: usize) {
    let (sender, lines) = channel();
    let output = Output::new(output);
    if let Err(error) = thread::Builder::new().spawn(move || read(input, &sender)) {
        return output.say(&format!("info string cannot start a thread that reads the input: {error}"));
    }
    let mut server = Server {
        lines,
        waiting: VecDeque::new(),
        output: Arc::new(output),
        options: Options { nodes, ..Options::default() },
        game: Game::default(),
        engine: None,
        is_outdated: false,
        running: None,
        is_debugging: false,
        has_quit: false,
    };
    server.obey_all();
    server.end_search();
}

/// Hands over the lines of the input. What is no text is passed over.
fn read(mut input: impl BufRead, lines: &Sender<String>) {
    let mut line = Vec::new();
    while let Ok(true) = read_line(&mut input, LONGEST_LINE, &mut line) {
        if lines.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
    }
}

/// Does something with what it takes on a thread of its own; gives it back if the system has no thread.
fn spawn<W: Send + 'static, T: Send + 'static>(
    work: impl FnOnce(W) -> T + Send + 'static,
    with: W,
) -> Result<JoinHandle<T>, W> {
    let (give, taken) = sync_channel(1);
    let thread =
        thread::Builder::new().spawn(move || work(taken.recv().expect("it is sent to a thread that has begun")));
    match thread {
        Ok(thread) => {
            // The other end is there until the thread has received it.
            let _ = give.send(with);
            Ok(thread)
        }
        Err(_) => Err(with),
    }
}

impl Server {
    fn obey_all(&mut self) {
        while !self.has_quit && !self.output.is_closed() {
            let line = self.waiting.pop_front().map_or_else(|| self.lines.recv_timeout(BETWEEN_REPORTS), Ok);
            match line {
                Ok(line) => match Command::of(&line) {
                    Some(Command::Quit) => return,
                    Some(command) => self.obey(command),
                    None if !line.trim().is_empty() => self.tell(&format!("unknown command: {}", line.trim())),
                    None => {}
                },
                Err(RecvTimeoutError::Timeout) => self.report(),
                Err(RecvTimeoutError::Disconnected) => return self.finish(),
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => {
                let (version, authors) = (env!("CARGO_PKG_VERSION"), "the Splitpoint authors");
                let options = Options { expert: self.options.expert, ..Options::default() }.declared();
                self.output.say(&format!("id name Splitpoint {version}\nid author {authors}\n{options}uciok"));
            }
            Command::Debug(is_on) => {
                self.is_debugging = is_on;
                self.explain(|| "debugging is on".to_owned());
            }
            Command::IsReady => {
                if self.running.is_none() {
                    self.ready();
                }
                if !self.has_quit {
                    self.output.say("readyok");
                }
            }
            Command::SetOption(name, value) => {
                self.end_search();
                match self.options.set(&name, value.as_deref()) {
                    Ok(is_made_anew) => {
                        self.is_outdated |= is_made_anew;
                        self.explain(|| format!("option {name} is set to {}", value.as_deref().unwrap_or("nothing")));
                    }
                    Err(error) => self.tell(&error),
                }
            }
            Command::NewGame => {
                self.end_search();
                if let Some(mut engine) = self.engine.take() {
                    self.engine = self.beside(move || {
                        engine.forget();
                        engine
                    });
                }
            }
            Command::Position(fen, moves) => self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => {
                if !go.misunderstood.is_empty() {
                    let left_out = go.misunderstood.join(", ");
                    self.tell(&format!("left out of 'go', since it is no limit with a number: {left_out}"));
                }
                self.go(go.within_limits(self.game.board().turn() as usize));
            }
            Command::Stop => {
                self.running.iter().for_each(|running| running.task.end());
            }
            Command::PonderHit => self.ponder_hit(),
            Command::Show => self.output.say(&Look::at(self.game.line(), &self.options.features).to_string()),
            Command::Evaluate => {
                let features = &self.options.features;
                let assessment = Look::at(self.game.line(), features).assess(features.evaluation, &features.terms);
                self.output.say(&Assessment::table(&[assessment]));
            }
            Command::Quit => {}
        }
    }

    /// Tells a person who reads along.
    fn tell(&self, text: &str) {
        self.output.say(&format!("info string {text}"));
    }

    /// Tells what is done, if that is wanted.
    fn explain(&self, text: impl FnOnce() -> String) {
        if self.is_debugging {
            self.tell(&text());
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) {
        match fen.map_or_else(|| Ok(Setup::start()), str::parse) {
            Ok(start) => self.game = Game::from_setup(&start),
            Err(error) => return self.tell(&format!("the position stays as it was: {error}")),
        }
        if let Some(text) = moves.iter().find(|text| !self.game.play_text(text)) {
            self.tell(&format!("the move {text} is not legal; it and those after it are left out"));
        }
    }

    /// Does what may take seconds, such as bringing a large table into memory, while the input is listened to. Nothing
    /// comes of it if that says `quit` and the work goes on for long.
    fn beside<T: Send + 'static>(&mut self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let work = match spawn(|work| work(), work) {
            Ok(thread) => thread,
            // Then the input waits.
            Err(work) => return Some(work()),
        };
        let mut quit: Option<Instant> = None;
        while !work.is_finished() {
            if let Some(since) = quit {
                self.has_quit = since.elapsed() > AFTER_QUIT;
                if self.has_quit {
                    return None;
                }
                thread::sleep(BETWEEN_LOOKS);
                continue;
            }
            match self.lines.recv_timeout(BETWEEN_LOOKS) {
                Ok(line) => {
                    quit = (Command::of(&line) == Some(Command::Quit)).then(Instant::now);
                    self.waiting.push_back(line);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => thread::sleep(BETWEEN_LOOKS),
            }
        }
        work.join().ok()
    }

    /// Makes everything that a search needs, with fewer threads or a smaller table if there is no room for those that
    /// were asked for. Whether a search can begin.
    fn ready(&mut self) -> bool {
        if self.engine.is_some() && !self.is_outdated {
            return true;
        }
        let (former, mut options) = (self.engine.take(), self.options.clone());
        let renewed = self.beside(move || Engine::renewed(former, &mut options).map(|renewed| (renewed, options)));
        match renewed {
            Some(Ok(((engine, fault), options))) => {
                (self.engine, self.options, self.is_outdated) = (Some(engine), options, false);
                fault.iter().for_each(|fault| self.tell(fault));
            }
            Some(Err(fault)) => self.tell(&fault),
            // It is to end, and nobody waits for an answer.
            None => {}
        }
        self.engine.is_some()
    }

    /// Plays without a search: the first legal move.
    fn play_at_once(&self) {
        let mv = self.game.legal_moves().first().map_or("(none)".to_owned(), ToString::to_string);
        self.tell("there is no memory or no thread for a search: this is the first legal move");
        self.output.say(&format!("bestmove {mv}"));
    }

    fn go(&mut self, go: Go) {
        let began = Instant::now();
        self.end_search();
        if !self.ready() {
            if !self.has_quit {
                self.play_at_once();
            }
            return;
        }
        let Some(engine) = self.engine.take() else { return };
        let allotment = self.allotment(&go, self.game.board().turn());
        self.explain(|| {
            let time = allotment.map(|Allotment { last_begin, end }| {
                let (last_begin, end) = (last_begin.as_millis(), end.as_millis());
                format!(", no new iteration after {last_begin} ms, the end after {end} ms")
            });
            let Options { threads, table_mib, strategy, .. } = &self.options;
            let Line { start, moves } = self.game.line();
            let moves = moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let time = time.unwrap_or_default();
            format!("searches {start} {moves} with {threads} threads, {strategy}, {table_mib} MiB{time}")
        });
        let task = Arc::new(Task {
            control: Control::new(self.options.threads, self.options.lines),
            hold: Hold::new(go.is_held()),
            go,
            game: self.game.clone(),
            options: self.options.clone(),
            began,
            allotment,
            output: Arc::clone(&self.output),
        });
        let own = Arc::clone(&task);
        match spawn(move |engine: Engine| engine.think(&own), engine) {
            Ok(thread) => self.running = Some(Running { task, thread }),
            // Whoever searches here does not listen, so that the search must have an end.
            Err(engine) if !task.go.is_endless() && !task.hold.is_held() => self.engine = Some(engine.think(&task)),
            Err(engine) => {
                self.engine = Some(engine);
                self.play_at_once();
            }
        }
    }

    /// Time for a move, if a clock runs or will run.
    fn allotment(&self, go: &Go, color: Color) -> Option<Allotment> {
        let overhead = self.options.overhead;
        if let Some(time) = go.move_time {
            return Some(Allotment::of_move(time, overhead));
        }
        let (left, increment) = (go.time[color.index()]?, go.increment[color.index()]);
        Some(Allotment::of_clock(&Clock { left, increment, moves_to_go: go.moves_to_go }, overhead))
    }

    /// The opponent has played the expected move: from now on the clock runs.
    fn ponder_hit(&mut self) {
        let Some(Running { task, .. }) = &self.running else { return };
        let passed = task.began.elapsed();
        if let Some(Allotment { last_begin, end }) = task.allotment {
            task.control.begin_none_from((passed + last_begin).as_nanos() as u64);
            task.control.end_at((passed + end).as_nanos() as u64);
        }
        task.hold.release();
    }

    /// Tells how far a long search is.
    fn report(&mut self) {
        if self.running.as_ref().is_some_and(|running| running.thread.is_finished()) {
            self.end_search();
        }
        if let Some(Running { task, .. }) = &self.running {
            let (nodes, passed) = (task.control.nodes(), task.began.elapsed());
            if passed >= BETWEEN_REPORTS && nodes > 0 {
                let speed = (nodes as f64 / passed.as_secs_f64()) as u64;
                let step = task.control.root_step().map_or(String::new(), |RootStep { depth, mv, number }| {
                    let depth = task.go.told_depth(depth);
                    format!("depth {depth} currmove {mv} currmovenumber {number} ")
                });
                self.output.say(&format!("info {step}time {} nodes {nodes} nps {speed}", passed.as_millis()));
            }
        }
    }

    /// Ends a search, if one is in progress: its move is told.
    fn end_search(&mut self) {
        if let Some(running) = self.running.take() {
            running.task.end();
            self.engine = running.thread.join().ok();
        }
    }

    /// The input has ended: a search that has an end of its own comes to it, if that is near and somebody reads.
    fn finish(&mut self) {
        let (ended, mut reported) = (Instant::now(), Instant::now());
        while let Some(Running { task, thread }) = &self.running {
            let is_awaited = !task.go.is_endless() && !task.hold.is_held() && !self.output.is_closed();
            if thread.is_finished() || !is_awaited || ended.elapsed() >= AFTER_INPUT {
                return self.end_search();
            }
            thread::sleep(BETWEEN_LOOKS);
            if reported.elapsed() >= BETWEEN_REPORTS {
                reported = Instant::now();
                self.report();
            }
        }
    }
}
