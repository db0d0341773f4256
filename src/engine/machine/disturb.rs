//! Disturbance on purpose: busy threads of our own that compete with the measured threads for their cores, as other
//! jobs do on a computer that is shared.
//!
//! `2 of 24` is two busy threads that may run on 24 CPUs: the first 24 in the order in which the measured threads are
//! pinned. They have ordinary priority and are pinned to no single CPU, so that the operating system moves them about.
//! `2` alone is two threads on all CPUs that the process may use. With `period=60s share=0.5` at the end, the threads
//! work in the first half of each minute, and sleep in the other.

use std::fmt;
use std::str::FromStr;

use super::MOST_PROCESSORS;
use super::busy::{BusyError, BusyThreads, Occupation, Post};
use super::host::{CpuList, NotAllowed, Topology};
use super::periods::Periods;
use super::real::Pin;
use crate::suggestion::WordError;

/// Busy threads of our own beside a search on a real machine. As text: `none`, `2`, `2 of 24`, `2 of 24 memory`, or
/// `2 of 24 memory period=60s share=0.5`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disturb {
    /// Number of busy threads; 0 for no disturbance.
    threads: usize,
    /// Number of CPUs that the threads may run on, if they are not all.
    cpus: Option<usize>,
    /// Work of the threads.
    occupation: Occupation,
    /// Periods in a part of which the threads work, if they do not work always.
    periods: Option<Periods>,
}

/// Reasons why a search cannot be disturbed as it is asked for.
#[derive(Debug, thiserror::Error)]
pub enum DisturbError {
    /// The text has another form.
    #[error(
        "'{0}' is not a disturbance: expected none, a number of busy threads such as 2, or 2 of 24 for two threads on \
         the first 24 CPUs; with memory after that, they stream through memory; with period=60s share=0.5 at the end, \
         they work in half of each minute"
    )]
    Unreadable(String),
    /// A number that no machine has.
    #[error("'{text}' contains {number}: must be from 1 to {most}", most = MOST_PROCESSORS)]
    Number {
        /// The whole text.
        text: String,
        /// Number in it.
        number: usize,
    },
    /// A word is no kind of work, or no setting of periods.
    #[error(transparent)]
    Word(#[from] WordError),
    /// Two busy threads would be on one CPU.
    #[error("'{0}' has more busy threads than CPUs: expected at most one per CPU")]
    TooManyThreads(String),
    /// The process may run on fewer CPUs.
    #[error("'{text}' needs {needed} CPUs, but this process may run on {has} only: {allowed}", has = allowed.len())]
    TooFewCpus {
        /// The whole text.
        text: String,
        /// Number of CPUs that it takes.
        needed: usize,
        /// CPUs that are allowed.
        allowed: CpuList,
    },
    /// A CPU on which a measured thread is to be pinned is not allowed.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    /// The threads could not be started.
    #[error(transparent)]
    Busy(#[from] BusyError),
    /// The system does not keep threads on some of the CPUs.
    #[error("'{0}': this system cannot keep a thread on CPUs {1}; a number alone lets the threads run on all CPUs")]
    NotKept(Disturb, CpuList),
}

/// Text of no disturbance.
const NONE: &str = "none";
/// Word between the number of threads and that of CPUs.
const OF: &str = "of";

impl FromStr for Disturb {
    type Err = DisturbError;

    fn from_str(text: &str) -> Result<Self, DisturbError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (words, settings) = words.split_at(words.iter().position(|word| word.contains('=')).unwrap_or(words.len()));
        let (threads, cpus, occupation) = match *words {
            [NONE] if settings.is_empty() => return Ok(Self::default()),
            [threads] => (threads, None, None),
            [threads, occupation] if occupation != OF => (threads, None, Some(occupation)),
            [threads, OF, cpus] => (threads, Some(cpus), None),
            [threads, OF, cpus, occupation] => (threads, Some(cpus), Some(occupation)),
            _ => return Err(DisturbError::Unreadable(text.to_owned())),
        };
        let number = |word: &str| match word.parse::<usize>() {
            Ok(number @ 1..=MOST_PROCESSORS) => Ok(number),
            Ok(number) => Err(DisturbError::Number { text: text.to_owned(), number }),
            Err(_) => Err(DisturbError::Unreadable(text.to_owned())),
        };
        let (threads, cpus) = (number(threads)?, cpus.map(number).transpose()?);
        if cpus.is_some_and(|cpus| threads > cpus) {
            return Err(DisturbError::TooManyThreads(text.to_owned()));
        }
        let occupation = occupation.map_or(Ok(Occupation::default()), str::parse)?;
        Ok(Self { threads, cpus, occupation, periods: Periods::of_words(settings)? })
    }
}

impl fmt::Display for Disturb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.threads == 0 {
            return f.write_str(NONE);
        }
        write!(f, "{}", self.threads)?;
        self.cpus.map_or(Ok(()), |cpus| write!(f, " {OF} {cpus}"))?;
        if self.occupation != Occupation::default() {
            write!(f, " {}", self.occupation)?;
        }
        self.periods.map_or(Ok(()), |periods| write!(f, " {periods}"))
    }
}

impl Disturb {
    /// A number of threads that may run on all CPUs.
    pub fn on_all(threads: usize) -> Self {
        Self { threads, ..Self::default() }
    }

    /// Whether there is any busy thread.
    pub fn is_any(&self) -> bool {
        self.threads > 0
    }

    /// Checks that this process may run on as many CPUs.
    ///
    /// # Errors
    /// If it may run on fewer.
    pub fn check(&self, topology: &Topology) -> Result<(), DisturbError> {
        let (needed, allowed) = (self.cpus.unwrap_or(self.threads), &topology.allowed);
        if needed <= allowed.len() {
            return Ok(());
        }
        Err(DisturbError::TooFewCpus { text: self.to_string(), needed, allowed: allowed.clone() })
    }

    /// Starts the busy threads beside measured threads that are pinned like this. Returns when they are at work; they
    /// end when the result is dropped.
    ///
    /// # Errors
    /// If there are too few CPUs, or the system gives no threads, no memory or not the CPUs.
    pub fn start(&self, pin: &Pin) -> Result<BusyThreads, DisturbError> {
        if !self.is_any() {
            return Ok(BusyThreads::start(&[], self.occupation, None)?);
        }
        let cpus = self.cpus(pin, Topology::of_system())?;
        let post = |number: usize| Post { name: format!("disturb {number}"), cpus: cpus.clone() };
        let posts: Vec<Post> = (0..self.threads).map(post).collect();
        let busy = BusyThreads::start(&posts, self.occupation, self.periods)?;
        if busy.are_kept { Ok(busy) } else { Err(DisturbError::NotKept(self.clone(), cpus)) }
    }

    /// CPUs that the threads may run on: those on which measured threads are pinned come first, in that order.
    fn cpus(&self, pin: &Pin, topology: &Topology) -> Result<CpuList, DisturbError> {
        self.check(topology)?;
        let order: CpuList = pin.places(topology)?.into_iter().chain(topology.order()).collect();
        Ok(order.as_slice().iter().copied().take(self.cpus.unwrap_or(usize::MAX)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::host::LogicalCpu;
    use super::*;

    #[test]
    fn a_disturbance_is_read_as_it_is_written() {
        let periodic =
            ["2 period=60s share=0.5", "2 of 24 memory period=1.5s share=0.125", "1 period=10ms share=0.999"];
        for text in ["none", "2", "2 of 24", "1 of 1", "2 memory", "2 of 24 memory"].into_iter().chain(periodic) {
            assert_eq!(text.parse::<Disturb>().unwrap().to_string(), text);
        }
        assert_eq!("none".parse::<Disturb>().unwrap(), Disturb::default());
        assert_eq!(" 2  of 24 arithmetic ".parse::<Disturb>().unwrap().to_string(), "2 of 24");
        assert_eq!("2 share=.5 period=1m".parse::<Disturb>().unwrap().to_string(), periodic[0]);
        assert_eq!("3".parse::<Disturb>().unwrap(), Disturb::on_all(3));
        assert!(!Disturb::default().is_any() && Disturb::on_all(1).is_any());
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, expected) in [
            ("3 of 2", "'3 of 2' has more busy threads than CPUs"),
            ("x of 4", "'x of 4' is not a disturbance: expected none, a number of busy threads such as 2, or 2 of 24"),
            ("2 of x", "is not a disturbance"),
            ("2 of", "is not a disturbance"),
            ("2 off 4", "is not a disturbance"),
            ("-1", "is not a disturbance"),
            ("", "'' is not a disturbance"),
            ("none of 4", "is not a disturbance"),
            ("0", "'0' contains 0: must be from 1 to 1024"),
            ("0 of 4", "'0 of 4' contains 0"),
            ("1 of 1025", "contains 1025"),
            ("2 of 4 memroy", "did you mean 'memory'?"),
            ("2 period=60s", "'period=60s' is half of a schedule: expected period=60s share=0.5"),
            ("2 share=0.5", "is half of a schedule"),
            (
                "2 perod=60s share=0.5",
                "'perod=60s' is no setting of periods: expected period=60s share=0.5; did you mean",
            ),
            ("2 period=60s share=0.5 memory", "'memory' is no setting of periods"),
            ("2 period=soon share=0.5", "'soon' is not a duration"),
            ("2 period=9ms share=0.5", "'period=9ms' is too short a period: expected at least 10ms"),
            ("2 period=60s share=50%", "'share=50%' is no part of a period: expected 0.001 to 0.999"),
            ("2 period=60s share=1", "'share=1' is no part"),
            ("none period=60s share=0.5", "is not a disturbance"),
            ("period=60s share=0.5", "is not a disturbance"),
            ("2 memroy", "'memroy' is not a kind of work: expected arithmetic, memory"),
        ] {
            let error = text.parse::<Disturb>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    /// Four CPUs of which the process may use three; CPUs 0 and 2 are hardware threads of one core.
    fn topology() -> Topology {
        let core = |cpu: usize| if cpu == 2 { 0 } else { cpu };
        let cpu = |cpu: usize| LogicalCpu {
            cpu,
            core_id: Some(core(cpu)),
            package: None,
            node: None,
            siblings: (0..4).filter(|&other| core(other) == core(cpu)).collect(),
            capacity: None,
            kind: 0,
            l3: None,
        };
        Topology { cpus: (0..4).map(cpu).collect(), allowed: [0, 1, 2].into_iter().collect(), kinds_told_by: None }
    }

    #[test]
    fn the_cpus_of_measured_threads_come_first() {
        let cpus = |text: &str, pin: &str| {
            let disturb: Disturb = text.parse().unwrap();
            let cpus = disturb.cpus(&pin.parse().unwrap(), &topology());
            cpus.map(|cpus| cpus.as_slice().to_vec()).map_err(|error| error.to_string())
        };
        for (text, pin, expected) in [
            ("1 of 1", "cores", &[0][..]),
            ("1 of 2", "cores", &[0, 1]),
            ("2 of 2", "threads", &[0, 2]),
            ("2 of 2", "none", &[0, 1]),
            ("1 of 2", "2", &[2, 0]),
            ("2 of 3", "2,1", &[2, 1, 0]),
            ("1", "cores", &[0, 1, 2]),
        ] {
            assert_eq!(cpus(text, pin).as_deref(), Ok(expected), "{text}, {pin}");
        }
        let too_few = "'2 of 4' needs 4 CPUs, but this process may run on 3 only: 0-2";
        assert_eq!(cpus("2 of 4", "cores"), Err(too_few.to_owned()));
        let error = cpus("4", "cores").unwrap_err();
        assert!(error.contains("'4' needs 4 CPUs"), "{error}");
        assert!(cpus("1", "3").unwrap_err().contains("CPU 3 is not among"));
    }
}
