//! Pinning a thread to one logical CPU, so that it keeps its caches and its clock.

use core_affinity::{CoreId, set_for_current};

use super::host::system_calls::set_affinity;
use super::host::{CpuList, Topology};

/// Number of CPUs for which the set in the system call has room; a larger number would abort the process.
const PINNABLE_CPUS: usize = 1024;

/// Pins the calling thread to a CPU from now on, and tells whether that worked. A CPU that the process may not run on
/// is refused: the system would let a thread leave the mask that `taskset` has set.
///
/// Threads made later by this thread are pinned to the same CPU, so pin workers, never the main thread.
pub fn pin_this_thread(cpu: usize) -> bool {
    cpu < PINNABLE_CPUS && Topology::of_system().allowed.contains(cpu) && set_for_current(CoreId { id: cpu })
}

/// Lets the calling thread run on any of these CPUs from now on, and on no other; tells whether that worked. The system
/// moves the thread between them.
pub fn keep_this_thread_on(cpus: &CpuList) -> bool {
    let allowed = &Topology::of_system().allowed;
    match cpus.as_slice() {
        [cpu] => pin_this_thread(*cpu),
        several => {
            let are_allowed = several.iter().all(|&cpu| allowed.contains(cpu));
            let is_set = || several.iter().all(|&cpu| cpu < PINNABLE_CPUS) && set_affinity(several).is_some();
            // On all CPUs a thread is anyway, also where the system cannot be told.
            are_allowed && (is_set() || several.len() == allowed.len())
        }
    }
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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_is_kept_on_several() {
        use super::super::host::Files;

        let order = Topology::of_system().order();
        for count in 1..=order.len().min(3) {
            let cpus: CpuList = order[..count].iter().copied().collect();
            let kept = std::thread::spawn(move || {
                let is_kept = keep_this_thread_on(&cpus);
                (is_kept, cpus, Files::of_system().text("proc/thread-self/status"))
            });
            let (is_kept, cpus, status) = kept.join().unwrap();
            let line = status.as_deref().and_then(|text| text.lines().find(|line| line.starts_with("Cpus_allowed_l")));
            let mask: CpuList = line.and_then(|line| line.split_once('\t')?.1.parse().ok()).unwrap();
            let same = mask.len() == count && mask.as_slice().iter().all(|cpu| cpus.contains(*cpu));
            assert!(is_kept && same, "{cpus} {mask}");
        }
        let beyond: CpuList = [order[0], 65_535].into_iter().collect();
        assert!(!std::thread::spawn(move || keep_this_thread_on(&beyond)).join().unwrap());
    }
}
