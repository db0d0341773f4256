//! Patience with an engine: what it has told so far decides whether it is waited for any longer, told to stop, or given
//! up.

use std::time::{Duration, Instant};

use super::process::Process;
use super::{EngineError, Info, Request};

/// Number of silences after which an engine that works, or may work, but tells nothing new is taken to hang as well.
const MOST_SILENCES: u32 = 10;
/// Number of silences after which an engine that tells of ever more nodes, but of no greater depth, is taken to hang.
const MOST_OF_NODES: u32 = 60;
/// Depth beyond which no search goes, whatever an engine tells.
const DEEPEST: u32 = 1_024;
/// Multiple of its limit of nodes that an engine may tell of for a moment, since it does not look after each one.
const NODES_GRACE: u64 = 4;
/// Number of nodes beyond that multiple at which it is known at once that it does not keep to its limit.
const NODES_AT_ONCE: u64 = 1_000_000;
/// Time after which it is known that an engine beyond that multiple goes on, however slowly it counts.
const TIME_BEYOND: Duration = Duration::from_secs(2);
/// Share of one processor that an engine must use to be taken to work, though it says nothing.
const WORKING_SHARE: f64 = 0.01;
/// Time that an engine gets to answer when it is told to stop.
const TIME_TO_STOP: Duration = Duration::from_secs(10);

/// Time for which an engine has told nothing new.
pub(super) struct Silence {
    patience: Duration,
    pub until: Instant,
    /// Processor time that it had used when its patience was renewed last.
    cpu_ns: Option<u64>,
    /// Number of times that its patience was renewed, though it told nothing new, and because of more nodes.
    renewed: u32,
    renewed_by_nodes: u32,
    /// Whether the engine has said anything since then.
    pub has_talked: bool,
    /// Whether the engine has told of more nodes since then.
    has_more_nodes: bool,
}

impl Silence {
    pub fn begin(patience: Duration) -> Self {
        let until = Instant::now() + patience;
        let (renewed, renewed_by_nodes) = (0, 0);
        Self { patience, until, cpu_ns: None, renewed, renewed_by_nodes, has_talked: false, has_more_nodes: false }
    }

    /// A longer silence, if the engine has worked or talked meanwhile, or may have worked; if not, an error that says
    /// what it does not do.
    pub fn go_on(&self, process: &Process, omission: &str) -> Result<Self, EngineError> {
        let cpu_ns = process.times().cpu_ns;
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

/// Watch on a search: an engine is told to stop when it is beyond what was asked for, and given up when it hangs.
pub(super) struct Watch<'a> {
    request: &'a Request<'a>,
    pub began: Instant,
    /// Time at which it was told to stop.
    pub stopped: Option<Instant>,
    /// Time that it gets to answer then.
    time_to_stop: Duration,
    pub silence: Silence,
    deepest: u32,
    most_nodes: u64,
    /// First depth of an answer beyond the depth that was asked for.
    too_deep: Option<u32>,
    /// Time at which it first told of many more nodes than it was asked for.
    beyond_since: Option<Instant>,
    /// Whether it is known to go on beyond its nodes.
    is_beyond: bool,
}

impl<'a> Watch<'a> {
    pub fn begin(request: &'a Request<'a>, patience: Duration) -> Self {
        Self {
            request,
            began: Instant::now(),
            stopped: None,
            time_to_stop: TIME_TO_STOP.min(patience),
            silence: Silence::begin(patience),
            deepest: 0,
            most_nodes: 0,
            too_deep: None,
            beyond_since: None,
            is_beyond: false,
        }
    }

    /// Time at which the engine is to be told to stop, unless it has been.
    fn to_stop(&self) -> Option<Instant> {
        self.request.stop_after.filter(|_| self.stopped.is_none()).map(|after| self.began + after)
    }

    /// Time at which an engine that goes on beyond its nodes is told to stop, unless it has been.
    fn to_end(&self) -> Option<Instant> {
        self.beyond_since.filter(|_| self.stopped.is_none()).map(|since| since + TIME_BEYOND)
    }

    /// Time at which a stopped engine must have answered.
    fn to_have_stopped(&self) -> Option<Instant> {
        self.stopped.map(|at| at + self.time_to_stop)
    }

    /// Time at which the search is to be looked at, unless the engine says something before.
    pub fn until(&self) -> Instant {
        [self.to_stop(), self.to_end(), self.to_have_stopped()]
            .into_iter()
            .flatten()
            .fold(self.silence.until, Instant::min)
    }

    fn stop(&mut self, process: &mut Process) -> Result<(), EngineError> {
        process.tell("stop")?;
        self.stopped = Some(Instant::now());
        Ok(())
    }

    /// Notes what the engine has told, and stops it if that is beyond its depth or its nodes.
    pub fn note(&mut self, info: &Info, process: &mut Process) -> Result<(), EngineError> {
        let (depth, most_depth) = (info.depth.unwrap_or_default(), self.request.depth.unwrap_or(u32::MAX));
        if depth > most_depth && info.is_answer() {
            self.too_deep.get_or_insert(depth);
        }
        let nodes = info.nodes.unwrap_or_default();
        let most = self.request.nodes.unwrap_or(u64::MAX).saturating_mul(NODES_GRACE);
        self.is_beyond |= nodes > most.saturating_add(NODES_AT_ONCE);
        if nodes > most {
            self.beyond_since.get_or_insert_with(Instant::now);
        }
        if self.stopped.is_none() && (self.too_deep.is_some() || self.is_beyond) {
            self.stop(process)?;
        }
        self.silence.has_more_nodes |= nodes > self.most_nodes;
        if depth > self.deepest && depth <= most_depth.min(DEEPEST) {
            self.silence = Silence::begin(self.silence.patience);
        }
        (self.deepest, self.most_nodes) = (self.deepest.max(depth), self.most_nodes.max(nodes));
        Ok(())
    }

    /// Stops an engine whose time is over; an error if it does not answer then, or hangs.
    pub fn look(&mut self, process: &mut Process) -> Result<(), EngineError> {
        let now = Instant::now();
        if self.to_stop().is_some_and(|at| now >= at) {
            self.stop(process)?;
        } else if self.to_end().is_some_and(|at| now >= at) {
            self.is_beyond = true;
            self.stop(process)?;
        } else if self.to_have_stopped().is_some_and(|at| now >= at) {
            let seconds = self.time_to_stop.as_secs_f64();
            return Err(process.failed(format!("gave no move within {seconds} s of being told to stop")));
        } else if now >= self.silence.until {
            self.silence = self.silence.go_on(process, "gives no move")?;
        }
        Ok(())
    }

    /// An error if the engine has gone beyond the depth or the nodes that were asked for.
    pub fn check_limits(&self, process: &Process) -> Result<(), EngineError> {
        let limits = self.request.limits;
        match self.too_deep {
            Some(depth) => Err(process.failed(format!("goes on to depth {depth}, beyond its limit ({limits})"))),
            None if self.is_beyond => Err(process.failed(format!("goes on far beyond its limit ({limits})"))),
            None => Ok(()),
        }
    }
}
