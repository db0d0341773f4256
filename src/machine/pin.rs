//! Pinning a thread to one logical CPU, so that it keeps its caches and its clock.

use core_affinity::{CoreId, set_for_current};

use super::host::Topology;

/// Number of CPUs for which the set in the system call has room; a larger number would abort the process.
const PINNABLE_CPUS: usize = 1024;

/// Pins the calling thread to a CPU from now on, and tells whether that worked. A CPU that the process may not run on
/// is refused: the system would let a thread leave the mask that `taskset` has set.
///
/// Threads made later by this thread are pinned to the same CPU, so pin workers, never the main thread.
pub fn pin_this_thread(cpu: usize) -> bool {
    cpu < PINNABLE_CPUS && Topology::of_system().allowed.contains(cpu) && set_for_current(CoreId { id: cpu })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_allowed_is_tried() {
        let allowed = Topology::of_system().order()[0];
        let pinned = std::thread::spawn(move || {
            // Whether an allowed CPU is granted is the system's affair; asking must not end the process.
            pin_this_thread(allowed);
            [PINNABLE_CPUS, 65_535, usize::MAX].map(pin_this_thread)
        });
        assert_eq!(pinned.join().unwrap(), [false; 3]);
    }
}
