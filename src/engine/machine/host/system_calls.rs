//! The kernel's account of one thread or of this process, and the CPUs of a thread, for which there are only system
//! calls. Elsewhere than on Linux every answer is `None`.

/// Number of times that a thread gave up its processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Times by itself, to wait for something.
    pub voluntary: u64,
    /// Times because the kernel gave the processor to another.
    pub involuntary: u64,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::mem::zeroed;

    use super::Switches;

    /// Nanoseconds of processor time that the calling thread has used.
    pub fn thread_cpu_ns() -> Option<u64> {
        clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
    }

    /// Nanoseconds of processor time that all threads of this process have used.
    pub fn process_cpu_ns() -> Option<u64> {
        clock_ns(libc::CLOCK_PROCESS_CPUTIME_ID)
    }

    /// Nanoseconds of processor time that all threads of another process have used.
    pub fn cpu_ns_of_process(id: u32) -> Option<u64> {
        let mut clock: libc::clockid_t = 0;
        // SAFETY: the pointer is to room for the number of a clock, which the call fills or leaves alone.
        let status = unsafe { libc::clock_getcpuclockid(id.try_into().ok()?, &raw mut clock) };
        if status == 0 { clock_ns(clock) } else { None }
    }

    fn clock_ns(clock: libc::clockid_t) -> Option<u64> {
        // SAFETY: a timespec consists of integers, for which zero is a value.
        let mut time: libc::timespec = unsafe { zeroed() };
        // SAFETY: the pointer is to room for one timespec, which the call fills or leaves alone.
        if unsafe { libc::clock_gettime(clock, &raw mut time) } != 0 {
            return None;
        }
        Some(u64::try_from(time.tv_sec).ok()? * 1_000_000_000 + u64::try_from(time.tv_nsec).ok()?)
    }

    /// Switches of the calling thread since it began.
    pub fn thread_switches() -> Option<Switches> {
        // SAFETY: a rusage consists of integers, for which zero is a value.
        let mut usage: libc::rusage = unsafe { zeroed() };
        // SAFETY: the pointer is to room for one rusage, which the call fills or leaves alone.
        if unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) } != 0 {
            return None;
        }
        Some(Switches { voluntary: usage.ru_nvcsw.try_into().ok()?, involuntary: usage.ru_nivcsw.try_into().ok()? })
    }

    /// Logical CPU on which the calling thread runs at this moment.
    pub fn current_cpu() -> Option<usize> {
        // SAFETY: the call takes nothing and touches no memory of ours.
        usize::try_from(unsafe { libc::sched_getcpu() }).ok()
    }

    /// Lets the calling thread run on these CPUs only, of those that a set in the system call has room for; nothing if
    /// the system refuses.
    pub fn set_affinity(cpus: &[usize]) -> Option<()> {
        // SAFETY: the set is an array of integers, for which zero is a value: no CPU.
        let mut set: libc::cpu_set_t = unsafe { zeroed() };
        for &cpu in cpus.iter().filter(|&&cpu| cpu < 8 * size_of::<libc::cpu_set_t>()) {
            // SAFETY: the set has a bit for this CPU.
            unsafe { libc::CPU_SET(cpu, &mut set) };
        }
        // SAFETY: 0 is the calling thread; the pointer is to a set of the size that is told, which the call only reads.
        let status = unsafe { libc::sched_setaffinity(0, size_of_val(&set), &raw const set) };
        (status == 0).then_some(())
    }

    /// Size of a page of memory.
    pub fn page_bytes() -> Option<u64> {
        // SAFETY: the call takes a number and touches no memory of ours.
        u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::Switches;

    macro_rules! unknown {
        ($($name:ident: $T:ty),*) => { $( pub fn $name() -> Option<$T> { None } )* };
    }
    unknown!(thread_cpu_ns: u64, process_cpu_ns: u64, thread_switches: Switches, current_cpu: usize, page_bytes: u64);

    pub fn set_affinity(_: &[usize]) -> Option<()> {
        None
    }

    /// Unknown here.
    pub fn cpu_ns_of_process(_: u32) -> Option<u64> {
        None
    }
}

/// Policy of a thread about the NUMA nodes of its memory. The C library has no function for these calls.
#[cfg(target_os = "linux")]
pub mod memory_policy {
    use std::io;
    use std::ptr::null_mut;

    use super::super::interleaving::NotInterleaved;

    /// Bits of the sets of nodes: more than the 1024 nodes that any kernel is built for.
    const BITS: usize = 4096;
    const WORD_BITS: usize = libc::c_ulong::BITS as usize;
    const FREE: libc::c_int = 0;
    const TAKING_TURNS: libc::c_int = 3;
    const OF_ALLOWED_NODES: libc::c_ulong = 4;

    type Nodes = [libc::c_ulong; BITS / WORD_BITS];

    fn refused() -> NotInterleaved {
        let error = io::Error::last_os_error();
        NotInterleaved::Refused(match error.raw_os_error() {
            Some(libc::ENOSYS) => "this kernel is built without NUMA".to_owned(),
            Some(libc::EPERM) => "the kernel or the container does not allow it".to_owned(),
            _ => error.to_string(),
        })
    }

    /// Lets the calling thread take its memory from all allowed nodes in turns; tells their number.
    pub fn interleave() -> Result<usize, NotInterleaved> {
        let mut nodes: Nodes = [0; BITS / WORD_BITS];
        let none = null_mut::<libc::c_void>();
        // SAFETY: with this flag the call writes at most that many bits, which are there, and no policy.
        let status =
            unsafe { libc::syscall(libc::SYS_get_mempolicy, none, nodes.as_mut_ptr(), BITS, none, OF_ALLOWED_NODES) };
        if status != 0 {
            return Err(refused());
        }
        // SAFETY: the call reads that many bits, which are there.
        let status = unsafe { libc::syscall(libc::SYS_set_mempolicy, TAKING_TURNS, nodes.as_ptr(), BITS) };
        if status != 0 { Err(refused()) } else { Ok(nodes.iter().map(|word| word.count_ones() as usize).sum()) }
    }

    /// Gives the calling thread the usual policy.
    pub fn reset() {
        // SAFETY: without a set the call reads nothing.
        unsafe { libc::syscall(libc::SYS_set_mempolicy, FREE, null_mut::<libc::c_void>(), 0) };
    }

    /// Whether the calling thread takes its memory from several nodes in turns.
    #[cfg(test)]
    pub fn is_interleaved() -> bool {
        let (mut policy, none): (libc::c_int, _) = (0, null_mut::<libc::c_void>());
        // SAFETY: the call writes one policy, for which there is room, and no set.
        let status = unsafe { libc::syscall(libc::SYS_get_mempolicy, &raw mut policy, none, 0, none, 0) };
        status == 0 && policy == TAKING_TURNS
    }
}

/// No policy: other systems have none.
#[cfg(not(target_os = "linux"))]
pub mod memory_policy {
    use super::super::interleaving::NotInterleaved;

    pub fn interleave() -> Result<usize, NotInterleaved> {
        Err(NotInterleaved::NotLinux)
    }

    pub fn reset() {}

    #[cfg(test)]
    pub fn is_interleaved() -> bool {
        false
    }
}

#[cfg(not(target_os = "linux"))]
pub use elsewhere::*;
#[cfg(target_os = "linux")]
pub use linux::*;
