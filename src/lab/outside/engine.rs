//! A running engine, and searches by it.

use std::time::{Duration, Instant};

use super::process::{Heard, Process};
use super::{Definition, EngineError, Info, Setting};
use crate::machine::host::CpuList;
use crate::suggestion::did_you_mean;

/// Time after which an engine that says nothing and does nothing is taken to hang, unless its definition says
/// otherwise.
const PATIENCE: Duration = Duration::from_secs(60);
/// Number of such times after which an engine that works, or may work, but tells nothing new is taken to hang as well.
const MOST_SILENCES: u32 = 10;
/// Number of such times after which an engine that tells of ever more nodes, but of no greater depth, is taken to hang.
const MOST_OF_NODES: u32 = 60;
/// Depth beyond which no search goes, whatever an engine tells.
const DEEPEST: u32 = 1_024;
/// Share of one processor that an engine must use to be taken to work, though it says nothing.
const WORKING_SHARE: f64 = 0.01;
/// Silence after which a program that has not said that it speaks the protocol is taken not to, unless its definition
/// gives it another patience.
const TIME_TO_INTRODUCE: Duration = Duration::from_secs(5);
/// Number of such times after which one that goes on talking is taken not to, as well.
const MOST_INTRODUCTIONS: u32 = 12;
/// Time that an engine gets to answer when it is told to stop.
const TIME_TO_STOP: Duration = Duration::from_secs(10);
/// Usual names of the option for the number of threads.
pub(super) const THREADS: [&str; 6] = ["Threads", "Number of Threads", "Max Threads", "Max CPUs", "CPUs", "Cores"];
/// Usual names of the option for the size of the table.
pub(super) const HASH: [&str; 3] = ["Hash", "Hash Size", "HashSize"];

/// A running engine that has told its options.
pub struct Engine {
    process: Process,
    /// Names of its options.
    options: Vec<String>,
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
    /// Number of nodes after which it is told to stop, if it reports so many.
    pub stop_after_nodes: Option<u64>,
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

/// Multiple of its limit of nodes that an engine may report before it is told to stop, and number of nodes beyond.
const NODES_GRACE: (u64, u64) = (4, 1_000_000);

/// Number of nodes at which an engine that is to stop at `limit` is known not to.
pub fn far_beyond(limit: u64) -> u64 {
    limit.saturating_mul(NODES_GRACE.0).saturating_add(NODES_GRACE.1)
}

impl Engine {
    /// Starts an engine on these CPUs, or on any if there are none, and sets its options.
    ///
    /// # Errors
    /// If it cannot be started, does not answer as the protocol says, or does not have an option that is to be set.
    pub fn start(definition: &Definition, threads: u32, hash_mib: u32, cpus: &CpuList) -> Result<Self, EngineError> {
        let process = Process::start(&definition.command, cpus)?;
        let patience = definition.patience.unwrap_or(PATIENCE);
        let mut engine = Self { process, options: Vec::new(), title: String::new(), patience };
        engine.process.tell("uci")?;
        engine.introduce(definition.patience.unwrap_or(TIME_TO_INTRODUCE))?;
        for setting in &definition.options {
            engine.set(&format!("options.{}", setting.name), setting)?;
        }
        if threads > 1 || definition.threads_option.is_some() || engine.usual(&THREADS).is_some() {
            let name = engine.named("threads_option", definition.threads_option.as_deref(), &THREADS)?;
            engine.set("threads_option", &Setting { name, value: threads.to_string() })?;
        }
        if definition.hash_option.is_some() || engine.usual(&HASH).is_some() {
            let name = engine.named("hash_option", definition.hash_option.as_deref(), &HASH)?;
            engine.set("hash_option", &Setting { name, value: hash_mib.to_string() })?;
        }
        engine.forget()?;
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
                Heard::End => return Err(self.misnamed("command", "ended instead of saying 'uciok'".to_owned())),
                Heard::Nothing => String::new(),
            };
            if line.split_whitespace().next() == Some("uciok") {
                return Ok(());
            }
            let name = line.strip_prefix("option name ").and_then(|rest| rest.split_once(" type "));
            self.options.extend(name.map(|(name, _)| name.trim().to_owned()));
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
        let (cpu_before, queued_before) = (self.process.cpu_ns(), self.process.queued_ns());
        let began = Instant::now();
        self.process.tell(&format!("go {}", request.limits))?;
        let time_to_stop = TIME_TO_STOP.min(self.patience);
        let mut stopped = None;
        let mut silence = Silence::begin(self.patience);
        let (mut deepest, mut most_nodes, mut too_deep) = (0, 0, None);
        loop {
            let to_stop = request.stop_after.filter(|_| stopped.is_none()).map(|after| began + after);
            let until = [Some(silence.until), to_stop, stopped.map(|at| at + time_to_stop)];
            let until = until.into_iter().flatten().min().unwrap_or(silence.until);
            match self.process.hear(until.saturating_duration_since(Instant::now())) {
                Heard::Line(at, line) => {
                    silence.has_talked = true;
                    let mut words = line.split_whitespace();
                    if words.next() == Some("bestmove") {
                        if let Some(depth) = too_deep {
                            let limits = request.limits;
                            let message = format!("goes on to depth {depth}, beyond its limit ({limits})");
                            return Err(self.process.failed(message));
                        }
                        let best = words.next().unwrap_or_default().to_owned();
                        let since = |now: Option<u64>, then| {
                            now.zip(then).map(|(now, then): (u64, u64)| now.saturating_sub(then))
                        };
                        let cpu_ns = since(self.process.cpu_ns(), cpu_before);
                        let queued_ns = since(self.process.queued_ns(), queued_before);
                        let elapsed = at.saturating_duration_since(began);
                        return Ok(Found { best, elapsed, cpu_ns, queued_ns, was_stopped: stopped.is_some() });
                    }
                    if let Some(info) = Info::parse(&line) {
                        each(at.saturating_duration_since(began), &info);
                        let nodes = info.nodes.zip(request.stop_after_nodes);
                        let (depth, most_depth) = (info.depth.unwrap_or_default(), request.depth.unwrap_or(u32::MAX));
                        if depth > most_depth && info.is_answer() {
                            too_deep.get_or_insert(depth);
                        }
                        let is_beyond = too_deep.is_some() || nodes.is_some_and(|(nodes, most)| nodes >= most);
                        if stopped.is_none() && is_beyond {
                            self.process.tell("stop")?;
                            stopped = Some(Instant::now());
                        }
                        let nodes = info.nodes.unwrap_or_default();
                        silence.has_more_nodes |= nodes > most_nodes;
                        if depth > deepest && depth <= most_depth.min(DEEPEST) {
                            silence = Silence::begin(self.patience);
                        }
                        (deepest, most_nodes) = (deepest.max(depth), most_nodes.max(nodes));
                    }
                }
                Heard::End => return Err(self.process.failed("ended instead of giving a move".to_owned())),
                Heard::Nothing => {}
            }
            // One that never stops talking is looked at as well.
            let now = Instant::now();
            if to_stop.is_some_and(|at| now >= at) {
                self.process.tell("stop")?;
                stopped = Some(now);
            } else if stopped.is_some_and(|at| now >= at + time_to_stop) {
                let seconds = time_to_stop.as_secs_f64();
                return Err(self.process.failed(format!("gave no move within {seconds} s of being told to stop")));
            } else if now >= silence.until {
                silence = silence.go_on(&self.process, "gives no move")?;
            }
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
        let known = if self.options.is_empty() { "none".to_owned() } else { self.options.join(", ") };
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
                Heard::End => return Err(self.failed("ended instead of saying 'readyok'".to_owned())),
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
        let has = |name: &&str| self.options.iter().find(|option| option.eq_ignore_ascii_case(name));
        names.iter().find_map(has).map(String::as_str)
    }

    /// Sets an option that this key of the definition names.
    fn set(&mut self, key: &str, Setting { name, value }: &Setting) -> Result<(), EngineError> {
        if !self.options.iter().any(|option| option.eq_ignore_ascii_case(name)) {
            return Err(self.lacks(key, &format!("option '{name}'{}", did_you_mean(name, &self.options))));
        }
        self.process.tell(&format!("setoption name {name} value {value}"))
    }
}

/// Time for which an engine has told nothing new.
struct Silence {
    patience: Duration,
    until: Instant,
    /// Processor time that it had used when its patience was renewed last.
    cpu_ns: Option<u64>,
    /// Number of times that its patience was renewed, though it told nothing new, and because of more nodes.
    renewed: u32,
    renewed_by_nodes: u32,
    /// Whether the engine has said anything since then.
    has_talked: bool,
    /// Whether the engine has told of more nodes since then.
    has_more_nodes: bool,
}

impl Silence {
    fn begin(patience: Duration) -> Self {
        let until = Instant::now() + patience;
        let (renewed, renewed_by_nodes) = (0, 0);
        Self { patience, until, cpu_ns: None, renewed, renewed_by_nodes, has_talked: false, has_more_nodes: false }
    }

    /// A longer silence, if the engine has worked or talked meanwhile, or may have worked; if not, an error that says
    /// what it does not do.
    fn go_on(&self, process: &Process, omission: &str) -> Result<Self, EngineError> {
        let cpu_ns = process.cpu_ns();
        let least = WORKING_SHARE * self.patience.as_nanos() as f64;
        let is_at_rest = !self.has_talked
            && self.cpu_ns.zip(cpu_ns).is_some_and(|(then, now)| (now.saturating_sub(then) as f64) < least);
        let seconds = |patience: Duration| patience.as_secs_f64();
        if is_at_rest {
            return Err(process.failed(format!("{omission} and has been at rest for {} s", seconds(self.patience))));
        }
        let (renewed, renewed_by_nodes) = match self.has_more_nodes {
            true => (0, self.renewed_by_nodes + 1),
            false => (self.renewed + 1, self.renewed_by_nodes),
        };
        let all = |times: u32| seconds(self.patience * times);
        if renewed == MOST_SILENCES {
            let message = format!("{omission} and has told nothing new for {} s, though it is at work", all(renewed));
            return Err(process.failed(message));
        }
        if renewed_by_nodes == MOST_OF_NODES {
            let message = format!(
                "{omission} and has told of more and more nodes, but of no greater depth, for {} s",
                all(renewed_by_nodes)
            );
            return Err(process.failed(message));
        }
        Ok(Self { cpu_ns, renewed, renewed_by_nodes, ..Self::begin(self.patience) })
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
            Engine::start(&definition, 1, 16, &CpuList::default())
        };
        assert!(start("0.7").is_ok(), "2.1 s in all, and never silent for 1.5 s");
        let told = start("4").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told.contains("it has not said 'uciok' within 1.5 s of its last line"), "{told}");
    }
}
