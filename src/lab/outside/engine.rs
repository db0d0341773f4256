//! A running engine, and searches by it.

use std::time::{Duration, Instant};

use super::option::Described;
use super::patience::{Silence, Watch};
use super::process::{Heard, Process};
use super::{Definition, EngineError, Info, Placeholder, Processors, Setting};
use crate::machine::host::CpuList;
use crate::suggestion::did_you_mean;

/// Time after which an engine that says nothing and does nothing is taken to hang, unless its definition says
/// otherwise.
const PATIENCE: Duration = Duration::from_secs(60);
/// Silence after which a program that has not said that it speaks the protocol is taken not to, unless its definition
/// gives it another patience.
const TIME_TO_INTRODUCE: Duration = Duration::from_secs(5);
/// Number of such times after which one that goes on talking is taken not to, as well.
const MOST_INTRODUCTIONS: u32 = 12;
/// Usual names of the option for the number of threads.
pub(super) const THREADS: [&str; 6] = ["Threads", "Number of Threads", "Max Threads", "Max CPUs", "CPUs", "Cores"];
/// Usual names of the option for the size of the table.
pub(super) const HASH: [&str; 3] = ["Hash", "Hash Size", "HashSize"];

/// A running engine that has told its options.
pub struct Engine {
    process: Process,
    options: Vec<Described>,
    /// Name that it gives itself.
    title: String,
    patience: Duration,
}

/// A search that is asked for.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Position, as the command `position` takes it.
    pub position: &'a str,
    /// Limits, as the command `go` takes them.
    pub limits: &'a str,
    /// Depth among the limits, if it is one: who tells of an answer beyond it is told to stop, and has failed.
    pub depth: Option<u32>,
    /// Time after which the engine is told to stop, if it has not ended by then.
    pub stop_after: Option<Duration>,
    /// Number of nodes that were asked for, if it was: one that tells of far more is told to stop.
    pub nodes: Option<u64>,
}

/// Outcome of a search by an engine from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The move, in coordinates, or whatever the engine says instead.
    pub best: String,
    /// Time from the command to the move.
    pub elapsed: Duration,
    /// Processor time that its threads used, where the system tells.
    pub cpu_ns: Option<u64>,
    /// Time for which its threads stood in a queue while others ran, where the system tells.
    pub queued_ns: Option<u64>,
    /// Whether the engine was told to stop.
    pub was_stopped: bool,
}

/// The program of an engine, started on these CPUs, or on any if there are none.
pub(super) fn started(definition: &Definition, processors: Processors, cpus: &CpuList) -> Result<Process, EngineError> {
    let wrong = |message: String| EngineError {
        command: definition.command.join(" "),
        key: Some("command".to_owned()),
        message,
        ..EngineError::default()
    };
    let command = definition.command_on(processors).map_err(wrong)?;
    Process::start(&command, cpus, definition.takes(Placeholder::Nodes))
}

impl Engine {
    /// Starts an engine on these CPUs, or on any if there are none, and sets its options.
    ///
    /// # Errors
    /// If it cannot be started, does not answer as the protocol says, or does not have an option that is to be set.
    pub fn start(
        definition: &Definition,
        processors: Processors,
        hash_mib: u32,
        cpus: &CpuList,
    ) -> Result<Self, EngineError> {
        let process = started(definition, processors, cpus)?;
        let threads = processors.threads;
        let patience = definition.patience.unwrap_or(PATIENCE);
        let mut engine = Self { process, options: Vec::new(), title: String::new(), patience };
        engine.process.tell("uci")?;
        engine.introduce(definition.patience.unwrap_or(TIME_TO_INTRODUCE))?;
        for setting in &definition.options {
            let key = format!("options.{}", setting.name);
            for (usual, asked, axis) in [
                (&THREADS[..], definition.threads_option.as_deref(), "threads"),
                (&HASH, definition.hash_option.as_deref(), "hash"),
            ] {
                let own = asked.or_else(|| engine.usual(usual));
                if own.is_some_and(|own| own.eq_ignore_ascii_case(&setting.name)) {
                    let message = format!("is told its '{}' by the axis '{axis}': leave the option out", setting.name);
                    return Err(EngineError { last_lines: Vec::new(), ..engine.misnamed(&key, message) });
                }
            }
            engine.set(&key, setting)?;
        }
        // A command that takes the number of threads has been told.
        let is_to_be_told = threads > 1 && !definition.takes(Placeholder::Threads);
        if is_to_be_told || definition.threads_option.is_some() || engine.usual(&THREADS).is_some() {
            let name = engine.named("threads_option", definition.threads_option.as_deref(), &THREADS)?;
            engine.set("threads_option", &Setting { name, value: threads.to_string() })?;
        }
        if definition.hash_option.is_some() || engine.usual(&HASH).is_some() {
            let name = engine.named("hash_option", definition.hash_option.as_deref(), &HASH)?;
            engine.set("hash_option", &Setting { name, value: hash_mib.to_string() })?;
        }
        engine.forget()?;
        engine.process.watch_family();
        Ok(engine)
    }

    /// Reads the name and the options of the engine, which a program that is none does not tell. It gets this time for
    /// each line, since a busy computer is slow.
    fn introduce(&mut self, time: Duration) -> Result<(), EngineError> {
        let (mut until, last) = (Instant::now() + time, Instant::now() + MOST_INTRODUCTIONS * time);
        loop {
            let line = match self.process.hear(until.saturating_duration_since(Instant::now())) {
                Heard::Line(at, line) => {
                    until = last.min(at + time);
                    line
                }
                Heard::End => {
                    let ended = self.process.ended("instead of saying 'uciok'");
                    return Err(EngineError { key: Some("command".to_owned()), ..ended });
                }
                Heard::Nothing => String::new(),
            };
            if line.split_whitespace().next() == Some("uciok") {
                return Ok(());
            }
            self.options.extend(line.strip_prefix("option ").and_then(Described::of));
            if let Some(name) = line.strip_prefix("id name ") {
                name.trim().clone_into(&mut self.title);
            }
            if Instant::now() >= until {
                let message =
                    format!("speaks no UCI: it has not said 'uciok' within {} s of its last line", time.as_secs_f64());
                return Err(self.misnamed("command", message).with_adapter());
            }
        }
    }

    /// Name that the engine gives itself.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Whether the engine has an option for the number of threads under one of the usual names.
    pub fn takes_threads(&self) -> bool {
        self.usual(&THREADS).is_some()
    }

    /// Forgets all positions, as before a new game.
    ///
    /// # Errors
    /// If it ends or hangs.
    pub fn forget(&mut self) -> Result<(), EngineError> {
        self.process.tell("ucinewgame")?;
        self.wait()
    }

    /// Searches. `each` gets what the engine tells, with the time since the search was asked for.
    ///
    /// # Errors
    /// If it ends, hangs, or does not stop when it is told to.
    pub fn search(
        &mut self,
        request: &Request<'_>,
        mut each: impl FnMut(Duration, &Info),
    ) -> Result<Found, EngineError> {
        // Some engines are still at their last search when they have given its move, and miss a command.
        self.wait()?;
        self.process.tell(&format!("position {}", request.position))?;
        let before = self.process.times();
        let mut watch = Watch::begin(request, self.patience);
        self.process.tell(&format!("go {}", request.limits))?;
        loop {
            match self.process.hear(watch.until().saturating_duration_since(Instant::now())) {
                Heard::Line(at, line) => {
                    watch.silence.has_talked = true;
                    let mut words = line.split_whitespace();
                    if words.next() == Some("bestmove") {
                        watch.check_limits(&self.process)?;
                        let times = self.process.times();
                        let since = |now: Option<u64>, then| {
                            now.zip(then).map(|(now, then): (u64, u64)| now.saturating_sub(then))
                        };
                        return Ok(Found {
                            best: words.next().unwrap_or_default().to_owned(),
                            elapsed: at.saturating_duration_since(watch.began),
                            cpu_ns: since(times.cpu_ns, before.cpu_ns),
                            queued_ns: since(times.queued_ns, before.queued_ns),
                            was_stopped: watch.stopped.is_some(),
                        });
                    }
                    if let Some(info) = Info::parse(&line) {
                        each(at.saturating_duration_since(watch.began), &info);
                        watch.note(&info, &mut self.process)?;
                    }
                }
                Heard::End => return Err(self.process.ended("instead of giving a move")),
                Heard::Nothing => {}
            }
            // One that never stops talking is looked at as well.
            watch.look(&mut self.process)?;
        }
    }

    /// An error about this engine.
    pub fn failed(&self, message: String) -> EngineError {
        self.process.failed(message)
    }

    /// An error about a key of its definition.
    fn misnamed(&self, key: &str, message: String) -> EngineError {
        EngineError { key: Some(key.to_owned()), ..self.failed(message) }
    }

    /// An error about an option that the engine does not have; what it wrote last does not matter.
    fn lacks(&self, key: &str, what: &str) -> EngineError {
        let known = if self.options.is_empty() { "none".to_owned() } else { self.names().join(", ") };
        let end = if what.ends_with('?') { "" } else { "." };
        EngineError { last_lines: Vec::new(), ..self.misnamed(key, format!("has no {what}{end} Its options: {known}")) }
    }

    /// Waits until the engine has done all that it has been told.
    fn wait(&mut self) -> Result<(), EngineError> {
        self.process.tell("isready")?;
        let mut silence = Silence::begin(self.patience);
        loop {
            match self.process.hear(silence.until.saturating_duration_since(Instant::now())) {
                Heard::Line(_, line) if line.split_whitespace().next() == Some("readyok") => return Ok(()),
                Heard::End => return Err(self.process.ended("instead of saying 'readyok'")),
                Heard::Line(..) | Heard::Nothing => {}
            }
            if Instant::now() >= silence.until {
                silence = silence.go_on(&self.process, "does not say 'readyok'")?;
            }
        }
    }

    /// Name of an option: the one that is asked for, or a usual one.
    fn named(&self, key: &str, asked: Option<&str>, usual: &[&str]) -> Result<String, EngineError> {
        let found = asked.or_else(|| self.usual(usual)).map(str::to_owned);
        found.ok_or_else(|| self.lacks(key, &format!("option called {}", usual.join(" or "))))
    }

    fn usual(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.described(name)).map(|option| option.name.as_str())
    }

    fn described(&self, name: &str) -> Option<&Described> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    fn names(&self) -> Vec<&str> {
        self.options.iter().map(|option| option.name.as_str()).collect()
    }

    /// Sets an option that this key of the definition names.
    fn set(&mut self, key: &str, Setting { name, value }: &Setting) -> Result<(), EngineError> {
        let Some(option) = self.described(name) else {
            return Err(self.lacks(key, &format!("option '{name}'{}", did_you_mean(name, self.names()))));
        };
        if let Some(expected) = option.refuses(value) {
            let message = format!("does not take '{value}' for its option '{name}': it takes {expected}");
            return Err(EngineError { last_lines: Vec::new(), ..self.misnamed(key, message) });
        }
        self.process.tell(&format!("setoption name {name} value {value}"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Patience is with a silence, not with a whole introduction: a busy computer is slow.
    #[test]
    fn an_engine_may_introduce_itself_slowly() {
        let start = |pause: &str| {
            let script = format!(
                "read -r uci; for line in one two three; do sleep {pause}; echo id author $line; done; echo uciok; \
                 while read -r line; do case $line in isready) echo readyok;; quit) exit;; esac; done"
            );
            let command = ["sh", "-c", &script].map(str::to_owned).to_vec();
            let patience = Some(Duration::from_millis(1_500));
            let definition = Definition { name: "slow".into(), command, patience, ..Definition::default() };
            Engine::start(&definition, Processors::of_one_node(1), 16, &CpuList::default())
        };
        assert!(start("0.7").is_ok(), "2.1 s in all, and never silent for 1.5 s");
        let told = start("4").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told.contains("it has not said 'uciok' within 1.5 s of its last line"), "{told}");
    }
}
