//! The computer underneath: its processors, and what will disturb a measurement on it. On Linux it is read from `/proc`
//! and `/sys`; Windows and macOS are asked for little. Whatever a system does not tell is `None`, and where nothing is
//! told there are at least as many processors as the standard library knows of.

mod advice;
mod cache;
mod clock;
mod control_groups;
mod cpu_list;
mod curve;
pub(super) mod cycles;
mod files;
mod identity;
mod interleaving;
mod kinds;
mod load;
#[cfg(target_os = "macos")]
mod mac;
mod memory;
mod quota;
pub(super) mod system_calls;
mod topology;
#[cfg(windows)]
mod windows;

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use serde::Serialize;

pub use advice::{Finding, Severity, findings, popcnt};
pub use cache::{Cache, CacheKind};
pub use clock::{Clock, current_mhz};
pub use cpu_list::{CpuList, CpuListError, NotAllowed};
pub use curve::{Bend, bends, doubt, limit};
pub use files::Files;
pub use identity::Identity;
pub use interleaving::{Interleaving, NotInterleaved};
pub use load::{Jiffies, Load, Shares};
pub use memory::Memory;
pub use topology::{LogicalCpu, Topology};
#[cfg(windows)]
pub use windows::Job;

/// Everything that is known of the computer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Host {
    /// Names of the computer and its parts.
    pub identity: Identity,
    /// Processors.
    pub topology: Topology,
    /// Caches, the nearest first.
    pub caches: Vec<Cache>,
    /// Number of processors whose time the process may use, if that is limited.
    pub quota_cpus: Option<f64>,
    /// Main memory.
    pub memory: Memory,
    /// Clock of the processors.
    pub clock: Clock,
    /// Load of the processors.
    pub load: Load,
}

impl Host {
    /// Reads what this computer tells at once.
    pub fn read() -> Self {
        let read = Self::read_from(&Files::of_system(), Topology::of_system().clone());
        Self { memory: Memory::of_system(), ..read }
    }

    /// Reads what this computer tells, and what others do on it while this process sleeps for `time`.
    pub fn read_and_watch(time: Duration) -> Self {
        let mut host = Self::read();
        host.load.watch(&Files::of_system(), time);
        host
    }

    /// Reads what a computer tells whose files lie below a folder that stands for `/`.
    pub fn read_below(root: impl Into<PathBuf>) -> Self {
        let files = Files::below(root);
        let topology = Topology::read(&files, 1);
        Self::read_from(&files, topology)
    }

    /// Number of processors whose time this process may use, if a quota limits it, read once.
    pub fn quota_of_system() -> Option<f64> {
        static QUOTA: LazyLock<Option<f64>> = LazyLock::new(|| quota::read(&Files::of_system()));
        *QUOTA
    }

    fn read_from(files: &Files, topology: Topology) -> Self {
        Self {
            identity: Identity::read(files),
            caches: Cache::read_all(files, &topology),
            quota_cpus: quota::read(files),
            memory: Memory::read(files),
            clock: Clock::read(files, &topology),
            load: Load::read(files),
            topology,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::files::fake::Tree;
    use super::*;

    #[test]
    fn a_system_that_tells_nothing_still_has_processors() {
        let files = Tree::new(&[]).files();
        let host = Host::read_from(&files, Topology::read(&files, 4));
        assert_eq!(host.topology.order(), [0, 1, 2, 3]);
        assert_eq!((host.identity, host.clock, host.load), (Identity::default(), Clock::default(), Load::default()));
        assert_eq!((host.memory, host.quota_cpus, host.caches), (Memory::default(), None, vec![]));
    }
}
