//! A search by several processes, on one computer or on several, as `mpirun` starts them. Each is a node with threads,
//! a table and histories of its own, and writes the letters to the others that nodes of a virtual machine write.
//!
//! Rank 0 alone reads what is asked and writes what was found: the other processes [follow](follow()) it. For each
//! search it tells them what to search ([`order`]), waits until all are ready, lets them begin, takes part, and puts
//! together what all have found ([`told`]). Between searches the others sleep, so that rank 0 can search alone
//! undisturbed.
//!
//! A rank whose search fails ends it for all, and says why. A process that dies is the business of `mpirun`, which ends
//! the others.

mod follow;
mod order;
mod told;

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::counts::Disturbance;
use crate::door::Searched;
use crate::machine::Pin;
use crate::machine::host::Topology;
use crate::machine::{Channel, Run, Transport};
use crate::search::{Part, farewell, next_number, signature};
use crate::{NodesError, On, VERSION};
pub use follow::follow;
use order::{Order, SearchOrder};
use told::Told;

/// The processes of a search, as rank 0 knows them.
pub struct Ranks {
    transport: Arc<dyn Transport>,
    /// Version, command and computer of each process, as it has reported them, by rank.
    members: Vec<Member>,
    /// Held by the one search at a time that all take part in.
    turn: Mutex<()>,
}

impl fmt::Debug for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ranks", self.members.len())
    }
}

/// Report of a process that is about to search with others, by which it is seen whether it belongs to them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Version of the program.
    pub version: String,
    /// Fingerprint of the sources that it was built from.
    pub sources: String,
    /// Signature of the search, which is equal where the same trees are searched.
    pub signature: u64,
    /// Command that the process was started with, without the name of the program.
    pub command: Vec<String>,
    /// Name of the computer that the process runs on.
    pub host: String,
    /// CPUs that the process may run on.
    pub cpus: String,
}

impl Member {
    /// This process: a program of these sources that was given this command.
    pub fn this_process(sources: &str, command: Vec<String>, host: String) -> Self {
        Self {
            version: VERSION.to_owned(),
            sources: sources.to_owned(),
            signature: signature::recorded(),
            command,
            host,
            cpus: Topology::of_system().allowed.to_string(),
        }
    }

    /// First difference in version, search, sources or command from another process, in words; none if both may search
    /// together.
    fn difference(&self, other: &Self) -> Option<String> {
        let of = |one: &Self| {
            let Self { version, sources, signature, command, .. } = one;
            [version.clone(), signature.to_string(), sources.clone(), format!("'{}'", command.join(" "))]
        };
        let mut aspects =
            ["version", "signature", "sources", "command"].into_iter().zip(of(self).into_iter().zip(of(other)));
        let differing = aspects.find(|(_, (ours, theirs))| ours != theirs);
        differing.map(|(aspect, (ours, theirs))| format!("has the {aspect} {theirs}, and rank 0 {ours}"))
    }
}

/// Reasons why processes do not search together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RanksError {
    /// A process is another program, or was asked for something else.
    #[error("rank {rank} on host '{host}' {difference}: all must be started with the same program and command")]
    Differs {
        /// Rank of the process.
        rank: usize,
        /// Name of the computer that the process runs on.
        host: String,
        /// First difference, in words.
        difference: String,
    },
    /// A process did not report.
    #[error("rank {rank} has not reported within {} s: is it started by the same mpirun?", TIME_TO_REPORT.as_secs())]
    Missing {
        /// Rank of the process.
        rank: usize,
    },
    /// A process could not search.
    #[error("rank {rank} on host '{host}': {message}")]
    There {
        /// Rank of the process.
        rank: usize,
        /// Name of the computer that the process runs on.
        host: String,
        /// Reason that the process gave.
        message: String,
    },
}

/// Time within which all processes must have reported.
const TIME_TO_REPORT: Duration = Duration::from_secs(60);
/// Time for which a process sleeps that waits for another, before it looks for a letter again.
const NAP: Duration = Duration::from_millis(1);
/// Longer sleep of a process that has waited for some time, so that it takes nothing from those that search.
const LONG_NAP: Duration = Duration::from_millis(20);
/// Number of short naps before the long ones.
const SHORT_NAPS: u32 = 20;

static OF_PROCESS: OnceLock<Arc<Ranks>> = OnceLock::new();

/// The processes that were started with this one, if it is rank 0 of several.
pub fn of_process() -> Option<&'static Arc<Ranks>> {
    OF_PROCESS.get()
}

/// Lets all searches of this process know the others. To be called once.
pub fn set_of_process(ranks: Ranks) {
    let _ = OF_PROCESS.set(Arc::new(ranks));
}

/// Machine of a search on so many nodes, which are processes if there are several.
///
/// # Errors
/// If fewer processes were started.
pub fn on(pin: Pin, nodes: usize) -> Result<On, NodesError> {
    let started = of_process().map_or(1, |ranks| ranks.count());
    match of_process() {
        _ if nodes == 1 => Ok(On::Real(pin)),
        Some(ranks) if started >= nodes => Ok(On::Ranks { pin, nodes, ranks: Arc::clone(ranks) }),
        _ => Err(NodesError::Ranks { nodes, ranks: started }),
    }
}

impl Ranks {
    /// Rank 0, once all others have reported and are like it.
    ///
    /// # Errors
    /// If one does not report or differs; the others are then told that it is over.
    pub fn gather(transport: Arc<dyn Transport>, this: Member) -> Result<Self, RanksError> {
        let mut members: Vec<Option<Member>> = vec![None; transport.ranks()];
        members[0] = Some(this);
        let begin = Instant::now();
        while let Some(missing) = members.iter().position(Option::is_none) {
            match receive::<Told>(&*transport) {
                Some((rank, Told::Member(member))) => members[rank] = Some(member),
                _ if begin.elapsed() > TIME_TO_REPORT => return Err(RanksError::Missing { rank: missing }),
                _ => std::thread::sleep(NAP),
            }
        }
        let ranks = Self { transport, members: members.into_iter().flatten().collect(), turn: Mutex::default() };
        let others = ranks.members.iter().enumerate().skip(1);
        let differing = others.filter_map(|(rank, other)| Some((rank, other, ranks.members[0].difference(other)?)));
        let first = differing.map(|(rank, other, difference)| RanksError::Differs {
            rank,
            host: other.host.clone(),
            difference,
        });
        match first.into_iter().next() {
            Some(error) => {
                ranks.end();
                Err(error)
            }
            None => Ok(ranks),
        }
    }

    /// Number of processes.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// Number of the first so many processes that may run on the CPUs of the first one: on its computer, and not bound
    /// to others.
    pub fn sharing(&self, nodes: usize) -> usize {
        let of = |member: &Member| (member.host.clone(), member.cpus.clone());
        self.members.iter().take(nodes.max(1)).filter(|&member| of(member) == of(&self.members[0])).count()
    }

    /// Host, version and signature that each process has told, by rank.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Number of the first so many processes that run on the computer of rank 0.
    pub fn beside_this(&self, nodes: usize) -> usize {
        self.members.iter().take(nodes).filter(|member| member.host == self.members[0].host).count()
    }

    /// Tells the other processes that nothing more is asked of them.
    pub fn end(&self) {
        self.tell_all(self.count(), &Order::End);
        self.transport.close();
    }

    pub(crate) fn transport(&self) -> &Arc<dyn Transport> {
        &self.transport
    }

    fn tell_all(&self, nodes: usize, order: &Order) {
        (1..nodes).for_each(|rank| send(&*self.transport, rank, order));
    }

    /// Number of threads of lower ranks that would run on the same CPUs as those of this one.
    fn threads_before(&self, rank: usize, threads: usize) -> usize {
        let this = &self.members[rank];
        let same = |other: &&Member| (&other.host, &other.cpus) == (&this.host, &this.cpus);
        threads * self.members[..rank].iter().filter(same).count()
    }

    /// Runs a search on the first so many ranks, of which this is one.
    pub(crate) fn search(&self, nodes: usize, search: &Searched<'_>) -> Result<Ended, RanksFailure> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let number = next_number();
        let threads = search.setup.processors / nodes;
        for rank in 1..nodes {
            let skipped = self.threads_before(rank, threads);
            let order = Order::Search(Box::new(SearchOrder::of(search, (nodes, number), skipped)));
            send(&*self.transport, rank, &order);
        }
        let told = self.await_all(nodes);
        if let Some(error) = told.iter().find_map(|told| self.failure_of(told)) {
            self.tell_all(nodes, &Order::NeverMind);
            return Err(error.into());
        }
        self.tell_all(nodes, &Order::Go);
        let own = search.part((0, nodes), number);
        if own.is_err() {
            bid_farewell(&*self.transport, nodes, number);
        }
        let told = self.await_all(nodes);
        let mut ended = own?;
        if let Some(error) = told.iter().find_map(|told| self.failure_of(told)) {
            return Err(error.into());
        }
        for (rank, found) in told {
            if let Told::Found(found) = found {
                if self.members[rank].host == self.members[0].host {
                    ended.cpu_ns_beside += found.cpu_ns;
                }
                found.join(&mut ended, search).ok_or_else(|| self.there(rank, "told what cannot be".to_owned()))?;
            }
        }
        ended.make_equally_long();
        Ok(ended)
    }

    /// Next letters of all other ranks that take part, in the order of the ranks.
    fn await_all(&self, nodes: usize) -> Vec<(usize, Told)> {
        let mut told = Vec::with_capacity(nodes - 1);
        while told.len() + 1 < nodes {
            match receive(&*self.transport) {
                Some(one) => told.push(one),
                None => std::thread::yield_now(),
            }
        }
        told.sort_by_key(|(rank, _)| *rank);
        told
    }

    fn failure_of(&self, (rank, told): &(usize, Told)) -> Option<RanksError> {
        match told {
            Told::Failed(message) => Some(self.there(*rank, message.clone())),
            Told::Member(_) | Told::Ready | Told::Found(_) => None,
        }
    }

    fn there(&self, rank: usize, message: String) -> RanksError {
        RanksError::There { rank, host: self.members[rank].host.clone(), message }
    }
}

/// Ends a search for the other ranks, in place of workers of this one that cannot.
fn bid_farewell(transport: &dyn Transport, nodes: usize, number: u32) {
    for rank in (0..nodes).filter(|rank| *rank != transport.rank()) {
        farewell(number).iter().for_each(|letter| transport.post(rank, Channel::Search, letter));
    }
}

/// Reason why a search by several ranks has failed.
pub(crate) enum RanksFailure {
    /// Another rank.
    Ranks(RanksError),
    /// This one.
    Search(crate::SearchError),
}

impl From<RanksError> for RanksFailure {
    fn from(error: RanksError) -> Self {
        Self::Ranks(error)
    }
}

impl From<crate::SearchError> for RanksFailure {
    fn from(error: crate::SearchError) -> Self {
        Self::Search(error)
    }
}

/// Results of a search on real processors, or of one process's part in it.
pub struct Ended {
    /// Results of the workers.
    pub run: Run<Part>,
    /// Disturbances of each real thread, if the threads were watched.
    pub disturbances: Vec<Disturbance>,
    /// Processor time that other processes of the same search have used on this computer.
    pub cpu_ns_beside: u64,
}

impl Ended {
    /// Ends the time of all processors at that of the last: each knows only when its own process was done.
    fn make_equally_long(&mut self) {
        let longest = self.run.times.iter().map(crate::counts::Activities::total).max().unwrap_or_default();
        self.run.elapsed = longest;
        for times in &mut self.run.times {
            times.idle_ns += longest - times.total();
        }
    }
}

/// Sends a value to a rank.
fn send(transport: &dyn Transport, to: usize, value: &impl Serialize) {
    let text = serde_json::to_vec(value).expect("plain data");
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let words: Vec<u64> = [text.len() as u64].into_iter().chain(text.chunks(8).map(word)).collect();
    transport.post(to, Channel::Orders, &words);
}

/// The next value that has come, with its sender.
///
/// # Panics
/// If it is none: all processes are of the same program.
fn receive<T: DeserializeOwned>(transport: &dyn Transport) -> Option<(usize, T)> {
    let (from, words) = transport.poll(Channel::Orders)?;
    let (length, text) = words.split_first().expect("a letter has a length");
    let text: Vec<u8> = text.iter().flat_map(|word| word.to_le_bytes()).take(*length as usize).collect();
    Some((from, serde_json::from_slice(&text).expect("a letter of the same program")))
}
