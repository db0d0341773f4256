//! Letters between processes that search together, each a node with memory of its own. What carries them is MPI, or, in
//! a test, the memory of one process.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Kinds of letters that are received each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Letters of a search, from any thread of a process to any of another.
    Search,
    /// Orders of rank 0 to the other processes, and their answers to it.
    Orders,
}

/// Way in which processes send one another letters, whose numbers are their *ranks*. Letters of a channel from one
/// process to another come in the order of sending, and none is lost. No call waits for another process.
pub trait Transport: Send + Sync + fmt::Debug {
    /// Rank of this process.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn ranks(&self) -> usize;

    /// Sends a letter.
    fn post(&self, to: usize, channel: Channel, words: &[u64]);

    /// Takes a letter that has come, with the rank that has sent it. While another thread looks, there is none.
    fn poll(&self, channel: Channel) -> Option<(usize, Box<[u64]>)>;

    /// Ends the correspondence, when all have sent and received what they had to.
    fn close(&self) {}
}

/// Part of a process in a search by several.
#[derive(Clone, Debug)]
pub(super) struct OneOfSeveral {
    pub transport: Arc<dyn Transport>,
    /// Number of processes that take part: the first of all.
    pub nodes: usize,
}

/// Letters of a channel that wait for a process, each with its sender.
type Inbox = Mutex<VecDeque<(usize, Box<[u64]>)>>;

/// Processes in name only, whose letters stay in the memory of one: for tests of everything but MPI.
#[derive(Debug)]
pub struct InMemory {
    rank: usize,
    /// Inboxes of each channel, by rank.
    inboxes: Arc<Vec<[Inbox; 2]>>,
}

impl InMemory {
    /// Transports of so many processes that share these inboxes, by rank.
    pub fn ranks(ranks: usize) -> Vec<Arc<dyn Transport>> {
        let inboxes: Arc<Vec<[Inbox; 2]>> = Arc::new((0..ranks).map(|_| Default::default()).collect());
        (0..ranks).map(|rank| Arc::new(Self { rank, inboxes: Arc::clone(&inboxes) }) as _).collect()
    }

    fn inbox(&self, rank: usize, channel: Channel) -> &Inbox {
        &self.inboxes[rank][channel as usize]
    }
}

impl Transport for InMemory {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.inboxes.len()
    }

    fn post(&self, to: usize, channel: Channel, words: &[u64]) {
        let inbox = self.inbox(to, channel);
        inbox.lock().unwrap_or_else(PoisonError::into_inner).push_back((self.rank, words.into()));
    }

    fn poll(&self, channel: Channel) -> Option<(usize, Box<[u64]>)> {
        self.inbox(self.rank, channel).try_lock().ok()?.pop_front()
    }
}
