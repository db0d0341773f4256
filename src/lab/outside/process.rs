//! A program whose lines are read by a thread of their own, each with the moment at which it came.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::family::{Family, MARK, Times, new_mark};
use super::watchdog::{Watchdog, in_own_group};
use super::{EngineError, programs};
use crate::machine::host::CpuList;
use crate::machine::keep_this_thread_on;

/// Number of lines that wait to be looked at before the program has to wait.
const WAITING_LINES: usize = 1024;
/// Longest part of a line, in bytes, that is read; the rest is passed over.
const LONGEST_LINE: u64 = 1 << 16;
/// Number of last lines that an error tells.
const LAST_LINES: usize = 4;
/// Longest part of a line that an error tells.
const LONGEST_TOLD: usize = 200;
/// Time that a program gets to end by itself.
const TIME_TO_QUIT: Duration = Duration::from_millis(500);

/// A line that a program wrote.
struct Line {
    at: Instant,
    text: String,
    /// Whether the line came by the standard error.
    is_error: bool,
}

/// Outcome of waiting for a line.
pub enum Heard {
    /// A line, and the moment at which it was read.
    Line(Instant, String),
    /// Nothing, for as long as was to be waited.
    Nothing,
    /// The program has closed its output.
    End,
}

/// A running program. It is ended with this value, and so is all that it has started.
pub struct Process {
    command: String,
    child: Child,
    family: Family,
    /// Ends them if this process cannot. It is dropped, and does so, after [`Process::drop`].
    watchdog: Watchdog,
    input: ChildStdin,
    lines: Receiver<Line>,
    last_lines: VecDeque<String>,
}

impl Process {
    /// Starts a program on these CPUs; on any, if there are none. The processes of one that is scattered are not only
    /// its children.
    pub fn start(command: &[String], cpus: &CpuList, is_scattered: bool) -> Result<Self, EngineError> {
        let line = command.join(" ");
        let failed = |message: String| EngineError {
            command: line.clone(),
            key: Some("command".to_owned()),
            message,
            ..EngineError::default()
        };
        let (program, arguments) = command.split_first().ok_or_else(|| failed("names no program".to_owned()))?;
        let mut to_start = Command::new(program);
        to_start.args(arguments).env("PATH", path_with_games());
        let mark = new_mark();
        to_start.env(MARK, &mark);
        to_start.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        in_own_group(&mut to_start);
        let watchdog = Watchdog::start();
        let mut watchdog = watchdog.map_err(|error| failed(format!("cannot be watched: {error}")))?;
        // A program runs where the thread does that starts it.
        let started = thread::scope(|scope| {
            let start = || {
                if !cpus.is_empty() && !keep_this_thread_on(cpus) {
                    return Err(std::io::Error::other(format!("cannot be kept on CPU {cpus}")));
                }
                to_start.spawn()
            };
            let thread = thread::Builder::new().spawn_scoped(scope, start)?;
            thread.join().unwrap_or_else(|_| Err(std::io::Error::other("the thread that starts it failed")))
        });
        let mut child = started.map_err(|error| {
            let near = if error.kind() == ErrorKind::NotFound { programs::near(program, "") } else { String::new() };
            failed(format!("cannot be started: {error}{near}"))
        })?;
        let family = Family::of(child.id(), mark, is_scattered);
        // One that has ended already tells by its last lines why.
        if let Err(error) = watchdog.watch(&BTreeSet::from([child.id()]))
            && !matches!(child.try_wait(), Ok(Some(_)))
        {
            let _ = child.kill().and_then(|()| child.wait());
            return Err(failed(format!("cannot be watched: {error}")));
        }
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed("has no standard input and output".to_owned()));
        };
        let (sender, lines) = sync_channel(WAITING_LINES);
        let for_errors = sender.clone();
        // Both end with the program, or with this value.
        let readers = thread::Builder::new()
            .spawn(move || read_lines(output, &sender, false))
            .and_then(|_| thread::Builder::new().spawn(move || read_lines(errors, &for_errors, true)));
        if let Err(error) = readers {
            let _ = child.kill().and_then(|()| child.wait());
            return Err(failed(format!("cannot be listened to: {error}")));
        }
        Ok(Self { command: line, child, family, watchdog, input, lines, last_lines: VecDeque::new() })
    }

    /// Writes a line. That a program has ended is found when its answer is read.
    pub fn tell(&mut self, line: &str) -> Result<(), EngineError> {
        match writeln!(self.input, "{line}").and_then(|()| self.input.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(self.failed(format!("takes no more commands: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Waits for a line, no longer than this.
    pub fn hear(&mut self, patience: Duration) -> Heard {
        let until = Instant::now() + patience;
        loop {
            let line = match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Heard::Nothing,
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
            };
            if self.last_lines.len() == LAST_LINES {
                self.last_lines.pop_front();
            }
            self.last_lines.push_back(line.text.chars().take(LONGEST_TOLD).collect());
            if !line.is_error {
                return Heard::Line(line.at, line.text);
            }
        }
    }

    /// Times that it and the programs that it has started have used.
    pub fn times(&self) -> Times {
        self.family.times()
    }

    /// Has all that it has started by now end with it, however this process ends.
    pub fn watch_family(&mut self) {
        // A watchdog that is gone leaves the kill to what drops this value.
        let _ = self.watchdog.watch(&self.family.groups());
    }

    /// An error about this program, which has closed its output instead of doing this: with its exit status or the
    /// signal that ended it, unless all was well by its own account or it goes on.
    pub fn ended(&mut self, instead: &str) -> EngineError {
        let until = Instant::now() + TIME_TO_QUIT;
        let mut status = None;
        while status.is_none() && Instant::now() < until {
            status = self.child.try_wait().ok().flatten();
            thread::sleep(Duration::from_millis(1));
        }
        let how = status.filter(|status| !status.success()).map(|status| format!(" ({status})")).unwrap_or_default();
        self.failed(format!("ended {instead}{how}"))
    }

    /// An error about this program.
    pub fn failed(&self, message: String) -> EngineError {
        let last_lines = self.last_lines.iter().cloned().collect();
        EngineError { command: self.command.clone(), key: None, message, last_lines }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.watch_family();
        let _ = self.tell("quit");
        let until = Instant::now() + TIME_TO_QUIT;
        while Instant::now() < until {
            // It may be writing still, and would wait until it is read.
            while self.lines.try_recv().is_ok() {}
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Folders in which systems keep games, beside those of the path.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// The path, and the folders of games after it: there a program is found, and what it starts in turn.
pub(super) fn path_with_games() -> OsString {
    let path = std::env::var_os("PATH");
    let folders = path.iter().flat_map(std::env::split_paths).chain(GAMES.iter().map(PathBuf::from));
    std::env::join_paths(folders).unwrap_or_else(|_| path.clone().unwrap_or_default())
}

/// Reads lines until there are no more, or nobody wants them.
fn read_lines(from: impl Read, to: &SyncSender<Line>, is_error: bool) {
    let mut from = BufReader::new(from);
    let mut bytes = Vec::new();
    while let Ok(true) = read_line(&mut from, LONGEST_LINE, &mut bytes) {
        let at = Instant::now();
        let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if to.send(Line { at, text, is_error }).is_err() {
            return;
        }
    }
}

/// Reads a line, of a longer one this many bytes, and passes over the rest. Whether there was one.
///
/// # Errors
/// If the input cannot be read.
pub fn read_line(from: &mut impl BufRead, most: u64, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let count = from.by_ref().take(most).read_until(b'\n', line)?;
    if count as u64 == most && !line.ends_with(b"\n") {
        from.skip_until(b'\n')?;
    }
    Ok(count > 0)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn work_of_a_script_s_children_is_counted() {
        let script = "(while :; do :; done) & read line; kill $!";
        let command = ["sh", "-c", script].map(str::to_owned);
        let process = Process::start(&command, &CpuList::default(), false).unwrap();
        let began = Instant::now();
        // The shell itself waits; other tests may keep its child from working for a while.
        while process.times().cpu_ns.unwrap() < 50_000_000 {
            assert!(began.elapsed() < Duration::from_secs(20), "the child does not count");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// A rank that a daemon has started in a session of its own, whose parents have ended.
    #[test]
    fn work_of_scattered_ranks_is_counted_and_ends() {
        let rank = "while :; do :; done";
        let script = format!("(setsid sh -c '({rank}) & echo $!' &); read line");
        let command = ["sh", "-c", &script].map(str::to_owned);
        let mut process = Process::start(&command, &CpuList::default(), true).unwrap();
        let Heard::Line(_, rank) = process.hear(Duration::from_secs(20)) else { panic!("there is no rank") };
        let is_alive = || {
            let stat = std::fs::read_to_string(format!("/proc/{rank}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
        };
        let began = Instant::now();
        let wait = |what: &str| {
            assert!(began.elapsed() < Duration::from_secs(40), "{what}");
            thread::sleep(Duration::from_millis(5));
        };
        while process.times().cpu_ns.unwrap() < 50_000_000 {
            wait("the rank does not count");
        }
        assert!(is_alive());
        drop(process);
        while is_alive() {
            wait("the rank goes on");
        }
    }
}
