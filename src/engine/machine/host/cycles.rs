//! Processor cycles that a thread has used, where the system counts them: a measure that does not change with the
//! clock. Linux on real processors counts; most virtual machines, and systems that forbid it, do not.

/// A counter of the cycles of the thread that began it, until it is dropped.
#[derive(Debug)]
pub struct CycleCounter {
    #[cfg(target_os = "linux")]
    file: std::os::fd::OwnedFd,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

    use super::CycleCounter;

    /// The kernel's `perf_event_attr` in its first version, which every later kernel accepts.
    #[repr(C)]
    #[derive(Default)]
    struct Attributes {
        kind: u32,
        size: u32,
        config: u64,
        sample_period: u64,
        sample_type: u64,
        read_format: u64,
        flags: u64,
        wakeup_events: u32,
        breakpoint_type: u32,
        breakpoint_address: u64,
    }

    /// Kind of events that the processor itself counts.
    const HARDWARE: u32 = 0;
    const CYCLES: u64 = 0;
    /// Flags that leave out the kernel and the hypervisor, whose cycles an ordinary user may not count.
    const USER_ONLY: u64 = 1 << 5 | 1 << 6;

    impl CycleCounter {
        /// Begins to count for the calling thread, if the system lets it.
        pub fn start() -> Option<Self> {
            let attributes = Attributes {
                kind: HARDWARE,
                size: size_of::<Attributes>() as u32,
                config: CYCLES,
                flags: USER_ONLY,
                ..Attributes::default()
            };
            // SAFETY: the kernel reads as many bytes of the attributes as they say they have. The other arguments ask
            // for this thread on any CPU, in no group, without flags.
            let file = unsafe { libc::syscall(libc::SYS_perf_event_open, &raw const attributes, 0, -1, -1, 0) };
            let file = i32::try_from(file).ok().filter(|file| *file >= 0)?;
            // SAFETY: the kernel has just opened it, and nobody else knows of it.
            Some(Self { file: unsafe { OwnedFd::from_raw_fd(file) } })
        }

        /// Cycles since the beginning.
        pub fn cycles(&self) -> Option<u64> {
            let mut count = 0_u64;
            // SAFETY: the pointer is to room for the eight bytes that are asked for.
            let read = unsafe { libc::read(self.file.as_raw_fd(), (&raw mut count).cast(), size_of::<u64>()) };
            // A counter that never ran, since the processor has none, stands at 0.
            (read == size_of::<u64>() as isize && count > 0).then_some(count)
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl CycleCounter {
    /// Begins to count for the calling thread, if the system lets it.
    pub fn start() -> Option<Self> {
        None
    }

    /// Cycles since the beginning.
    pub fn cycles(&self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::CycleCounter;

    #[test]
    fn cycles_grow_where_they_are_counted() {
        let Some(counter) = CycleCounter::start() else { return };
        let Some(before) = counter.cycles() else { return };
        let work: u64 = (0..1_000_000_u64).fold(0, |sum, n| std::hint::black_box(sum ^ n));
        let after = counter.cycles().unwrap();
        assert!(after > before + 100_000, "{before} {after} {work}");
    }
}
