//! Guard of a measurement: what the system tells of the computer while it was made, and of each worker's processor.
//!
//! Each worker keeps a [`Watch`] on itself, and one [`SystemWatch`] looks at the computer. What follows from it is
//! judged where the record is made, by what the record keeps.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::host::cycles::CycleCounter;
use super::host::system_calls::{Switches, current_cpu, process_cpu_ns, thread_cpu_ns, thread_switches};
use super::host::{Files, Jiffies, Topology, current_mhz};
pub use crate::counts::Disturbance;

/// Shortest time of which the kernel's account of the computer tells, since it is kept in hundredths of a second or
/// coarser. A search that is shorter has the account of the time before it as well, so that all searches are judged by
/// the same measure.
const SHORTEST_ACCOUNT: Duration = Duration::from_millis(250);
/// Longest time that an account may be older than its search.
const OLDEST_ACCOUNT: Duration = Duration::from_secs(10);
/// Number of earlier readings of the computer that are kept: enough for searches of a millisecond.
const READINGS: usize = 256;
/// Longest time in which the step of the account of processor time is looked for.
const LONGEST_STEP: Duration = Duration::from_millis(40);

/// A watch of one thread over itself, which is begun and ended on that thread: the type is not `Send`. It costs a few
/// system calls at either end and nothing between.
#[derive(Debug)]
pub struct Watch {
    start: Instant,
    cpu_ns: Option<u64>,
    switches: Option<Switches>,
    queued_ns: Option<u64>,
    cpu: Option<usize>,
    cycles: Option<CycleCounter>,
    not_send: PhantomData<*const ()>,
}

impl Watch {
    /// Begins to watch the calling thread.
    pub fn start() -> Self {
        let (cpu, switches, queued_ns) = (current_cpu(), thread_switches(), queued_ns());
        let cycles = CycleCounter::start();
        // The two clocks last, one after the other, so that they count the same time.
        let start = Instant::now();
        Self { start, cpu_ns: thread_cpu_ns(), switches, queued_ns, cpu, cycles, not_send: PhantomData }
    }

    /// Ends the watch, on the same thread.
    pub fn stop(self) -> Disturbance {
        let cpu_ns = thread_cpu_ns();
        let wall_ns = nanoseconds(self.start);
        let switches = thread_switches();
        let of = |count: fn(Switches) -> u64| grown(self.switches.map(count), switches.map(count));
        Disturbance {
            wall_ns,
            cpu_ns: grown(self.cpu_ns, cpu_ns),
            cycles: self.cycles.as_ref().and_then(CycleCounter::cycles),
            queued_ns: grown(self.queued_ns, queued_ns()),
            voluntary_switches: of(|switches| switches.voluntary),
            involuntary_switches: of(|switches| switches.involuntary),
            has_moved: self.cpu.zip(current_cpu()).map(|(start, end)| start != end),
        }
    }
}

/// Smallest step of the system's account of a thread's processor time, in nanoseconds: a nanosecond or so on Linux,
/// hundredths of a second on some systems. If it does not move at all, the time for which it was watched.
pub fn cpu_time_step_ns() -> u64 {
    static STEP_NS: LazyLock<u64> = LazyLock::new(|| {
        let (begun, mut least, mut steps) = (Instant::now(), u64::MAX, 0);
        let mut last = thread_cpu_ns();
        while steps < 16 && begun.elapsed() < LONGEST_STEP {
            let now = thread_cpu_ns();
            if let Some(step) = grown(last, now).filter(|&step| step > 0) {
                (least, steps) = (least.min(step), steps + 1);
            }
            last = now;
        }
        least.min(LONGEST_STEP.as_nanos() as u64)
    });
    *STEP_NS
}

/// A watch over the computer as a whole during a measurement. Begin it after the run that warms the computer up: the
/// clock of a core that has just been woken is still rising.
#[derive(Debug)]
pub struct SystemWatch {
    start: Instant,
    mhz: Option<f64>,
}

/// Disturbance of the computer between the beginning and the end of a [`SystemWatch`]. `None`: the system does not
/// tell, or this process has not run for long enough to have an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SystemChange {
    /// Time that has passed.
    pub wall_s: f64,
    /// Share of all processor time that the hypervisor gave to other machines, from 0 to 1.
    pub steal_share: Option<f64>,
    /// Mean number of processors that other programs kept busy beside those that they took from the workers.
    pub others_cpus: Option<f64>,
    /// Mean clock of the allowed processors at the beginning.
    pub mhz_at_start: Option<f64>,
    /// Mean clock of the allowed processors at the end.
    pub mhz_at_end: Option<f64>,
}

/// Reading of the kernel's account of the computer, with the processor time of this process.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: Instant,
    jiffies: Jiffies,
    own_ns: u64,
    /// Processor time that has been taken from workers since this process was started.
    taken_ns: u64,
}

/// Readings at the beginnings of the last measurements of this process, the newest last.
static EARLIER: Mutex<VecDeque<Reading>> = Mutex::new(VecDeque::new());
/// Sum of what was taken from workers. It is read and added to by those who measure on real threads, one at a time.
static TAKEN_NS: AtomicU64 = AtomicU64::new(0);

impl Reading {
    fn take(files: &Files) -> Option<Self> {
        let taken_ns = TAKEN_NS.load(Ordering::Relaxed);
        Some(Self { at: Instant::now(), jiffies: Jiffies::read(files)?, own_ns: process_cpu_ns()?, taken_ns })
    }

    /// Account since the newest of these readings that is old enough, if it is not too old: stolen share, and number of
    /// processors that others kept busy beside those that they took from workers.
    fn since(&self, earlier: &VecDeque<Self>, start: Instant) -> Option<(f64, f64)> {
        let is_old_enough = |reading: &&Self| self.at.saturating_duration_since(reading.at) >= SHORTEST_ACCOUNT;
        let then = earlier.iter().rev().find(is_old_enough)?;
        let shares = self.jiffies.since(&then.jiffies)?;
        let passed_ns = self.at.saturating_duration_since(then.at).as_nanos() as f64;
        let ours = |reading: &Self| reading.own_ns + reading.taken_ns;
        let own_cpus = ours(self).saturating_sub(ours(then)) as f64 / passed_ns;
        let is_fresh = start.saturating_duration_since(then.at) <= OLDEST_ACCOUNT;
        is_fresh.then_some((shares.steal, (shares.busy_cpus - own_cpus).max(0.0)))
    }
}

impl SystemWatch {
    /// Begins to watch the computer.
    pub fn start() -> Self {
        let files = Files::of_system();
        let mhz = current_mhz(&files, Topology::of_system().allowed.as_slice());
        if let Some(reading) = Reading::take(&files) {
            let mut earlier = EARLIER.lock().unwrap_or_else(PoisonError::into_inner);
            if earlier.len() == READINGS {
                earlier.pop_front();
            }
            earlier.push_back(reading);
        }
        Self { start: Instant::now(), mhz }
    }

    /// Ends the watch of the computer. `taken_ns` is the processor time that others took from the workers, or that a
    /// program used which is measured: neither is held against others a second time.
    pub fn stop(self, taken_ns: u64) -> SystemChange {
        TAKEN_NS.fetch_add(taken_ns, Ordering::Relaxed);
        let files = Files::of_system();
        let wall_s = nanoseconds(self.start) as f64 * 1e-9;
        let earlier = EARLIER.lock().unwrap_or_else(PoisonError::into_inner);
        let account = Reading::take(&files).and_then(|now| now.since(&earlier, self.start));
        drop(earlier);
        SystemChange {
            wall_s,
            steal_share: account.map(|(steal, _)| steal),
            others_cpus: account.map(|(_, others)| others),
            mhz_at_start: self.mhz,
            mhz_at_end: current_mhz(&files, Topology::of_system().allowed.as_slice()),
        }
    }
}

/// Time that the calling thread has waited in the queue for a processor: the second number of its `schedstat`.
fn queued_ns() -> Option<u64> {
    Files::of_system().text("proc/thread-self/schedstat")?.split_whitespace().nth(1)?.parse().ok()
}

fn grown(before: Option<u64>, after: Option<u64>) -> Option<u64> {
    Some(after?.saturating_sub(before?))
}

fn nanoseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    /// A search of 10 ms has the account of the quarter of a second before it, one of a second its own.
    #[test]
    fn short_searches_have_an_account_too() {
        let origin = Instant::now();
        let after = |ms: u64| origin + Duration::from_millis(ms);
        let reading = |ms: u64, busy: u64, own_ms: u64| Reading {
            at: after(ms),
            // Two processors and a tick of 10 ms.
            jiffies: Jiffies { busy, steal: 0, total: 2 * ms / 10, cpus: 2 },
            own_ns: own_ms * 1_000_000,
            taken_ns: 0,
        };
        let earlier: VecDeque<Reading> = [reading(0, 0, 0), reading(1000, 150, 1000), reading(1200, 170, 1200)].into();
        // One of two processors is ours all the time, and half of the other is another's in the first second.
        let account = |ms: u64, busy: u64, start: u64| reading(ms, busy, ms).since(&earlier, after(start));
        assert_eq!(account(1260, 176, 1250).map(|(_, others)| (others * 100.0).round()), Some(0.0));
        assert_eq!(account(1240, 174, 1230).map(|(_, others)| (others * 100.0).round()), Some(40.0));
        assert_eq!(account(1240, 174, 30_000), None, "an old account tells nothing");
        let deprived = Reading { taken_ns: 501_000_000, ..reading(1240, 174, 1240) };
        assert_eq!(deprived.since(&earlier, after(1230)).map(|(_, others)| others), Some(0.0), "taken from workers");
        assert!(reading(100, 15, 100).since(&[reading(0, 0, 0)].into(), after(50)).is_none());
    }

    #[test]
    fn the_step_of_processor_time_is_found() {
        assert!((1..=LONGEST_STEP.as_nanos() as u64).contains(&cpu_time_step_ns()));
    }

    fn spin(time: Duration) -> Disturbance {
        let watch = Watch::start();
        let start = Instant::now();
        while start.elapsed() < time {
            std::hint::spin_loop();
        }
        watch.stop()
    }

    /// Processor time as a share of the time that passed.
    fn cpu_share(disturbance: &Disturbance) -> Option<f64> {
        Some(disturbance.cpu_ns? as f64 / disturbance.wall_ns as f64)
    }

    #[test]
    fn a_thread_that_calculates_has_its_processor() {
        // Others may be at work here, so there are many attempts, each shorter than the time that the kernel lets a
        // thread run before another's turn comes: the best must be good, and none may be impossible.
        let time = Duration::from_millis(2);
        let attempts: Vec<Disturbance> = (0..200).map(|_| spin(time)).collect();
        for attempt in &attempts {
            assert!(attempt.wall_ns >= time.as_nanos() as u64);
            assert!(cpu_share(attempt).is_none_or(|share| share < 1.1), "{attempt:?}");
        }
        let best = attempts.iter().filter_map(cpu_share).fold(0.0, f64::max);
        if attempts[0].cpu_ns.is_some() {
            assert!(best > 0.95, "{attempts:?}");
        }
    }

    #[test]
    fn a_thread_that_sleeps_has_not_lost_its_processor() {
        let watch = Watch::start();
        sleep(Duration::from_millis(100));
        let disturbance = watch.stop();
        assert!(disturbance.wall_ns >= 100_000_000);
        let told = cpu_share(&disturbance).zip(disturbance.voluntary_switches);
        assert!(told.is_some() || cfg!(not(target_os = "linux")), "Linux tells both: {disturbance:?}");
        assert!(told.is_none_or(|(share, voluntary)| share < 0.2 && voluntary >= 1), "{disturbance:?}");
    }

    #[test]
    fn the_machine_is_watched() {
        let watch = SystemWatch::start();
        sleep(Duration::from_millis(300));
        let long = watch.stop(0);
        assert!(long.wall_s >= 0.3);
        assert!(long.steal_share.is_none_or(|share| (0.0..=1.0).contains(&share)), "{long:?}");
        assert!(long.others_cpus.is_none_or(|cpus| cpus >= 0.0), "{long:?}");
        let short = SystemWatch::start().stop(0);
        assert_eq!(short.others_cpus.is_some(), long.others_cpus.is_some(), "the time before it is known");
    }
}
