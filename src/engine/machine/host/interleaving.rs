//! Memory that is spread over the NUMA nodes in turns, page by page. A table that one thread has cleared lies on that
//! thread's node, far from half of the processors; interleaved, it is equally far from all.
//!
//! The policy belongs to a thread and to the threads that it starts, and places what they touch first: it is set while
//! a table is made, and then set back.

use super::system_calls::memory_policy;

/// Reasons why memory is not interleaved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotInterleaved {
    /// Other systems have no such call.
    #[error("only Linux can interleave memory over NUMA nodes")]
    NotLinux,
    /// The kernel refuses.
    #[error("memory cannot be interleaved over NUMA nodes: {0}")]
    Refused(String),
}

/// Interleaving of the memory that this thread, and threads that it starts, touch first, until this is dropped.
#[derive(Debug)]
pub struct Interleaving {
    /// Number of nodes that take turns.
    nodes: usize,
    /// A policy is that of a thread: this must be dropped by the thread that began it.
    _of_this_thread: std::marker::PhantomData<*const ()>,
}

impl Interleaving {
    /// Interleaves from now on, over all nodes whose memory this process may use. With one node it changes nothing.
    ///
    /// # Errors
    /// If the kernel has no memory policies, or a container forbids to set them.
    pub fn begin() -> Result<Self, NotInterleaved> {
        let nodes = memory_policy::interleave()?;
        Ok(Self { nodes, _of_this_thread: std::marker::PhantomData })
    }

    /// Number of nodes that take turns.
    pub fn nodes(&self) -> usize {
        self.nodes
    }
}

impl Drop for Interleaving {
    fn drop(&mut self) {
        memory_policy::reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_until_it_is_dropped_or_says_why_not() {
        match Interleaving::begin() {
            Ok(interleaving) => {
                assert!(interleaving.nodes() >= 1);
                assert!(memory_policy::is_interleaved());
                let child = std::thread::spawn(memory_policy::is_interleaved);
                assert!(child.join().unwrap(), "threads inherit the policy");
                drop(interleaving);
                assert!(!memory_policy::is_interleaved());
            }
            Err(error) => assert!(error.to_string().contains("interleave"), "{error}"),
        }
    }
}
