//! Guard of a measurement: was the computer quiet while it was made, and did each worker have its processor? A record
//! that was disturbed is marked and may be repeated; it is never dropped in silence.
//!
//! Each worker keeps a [`Watch`] on itself, one [`SystemWatch`] looks at the computer, and [`judge`] gives the verdict.

use std::marker::PhantomData;
use std::time::Instant;

use serde::Serialize;

use super::host::cycles::CycleCounter;
use super::host::system_calls::{Switches, current_cpu, process_cpu_ns, thread_cpu_ns, thread_switches};
use super::host::{DISTURBING_CPUS, DISTURBING_STEAL, Files, Jiffies, Topology, current_mhz};

/// Share of its time that a worker may be without its processor. More would show in a speedup given to two figures.
const LOST_SHARE: f64 = 0.01;
/// Involuntary switches per second that a worker may suffer. The kernel's own threads cause a few; more come from
/// programs that want the same core, and empty its caches even if they take little time.
const INVOLUNTARY_PER_SECOND: f64 = 20.0;
/// Involuntary switches that are forgiven however short the measurement is: the rate of so small a number is chance.
const INVOLUNTARY_FORGIVEN: u64 = 5;
/// Relative change of the mean clock between beginning and end that changes times as much as what is to be measured.
const CLOCK_CHANGE: f64 = 0.03;
/// Shortest time of which the kernel's account of the computer tells, since it is kept in hundredths of a second or
/// coarser.
const SHORTEST_ACCOUNT_S: f64 = 0.25;

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

/// Disturbance of one worker between the beginning and the end of its [`Watch`]. `None`: the system does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Disturbance {
    /// Time that has passed.
    pub wall_ns: u64,
    /// Processor time that the worker had.
    pub cpu_ns: Option<u64>,
    /// Time in which the worker waited in the queue for a processor.
    pub queued_ns: Option<u64>,
    /// Processor cycles that the worker used.
    pub cycles: Option<u64>,
    /// Times that the worker gave up its processor to wait for something.
    pub voluntary_switches: Option<u64>,
    /// Times that the worker's processor was taken away and given to another thread.
    pub involuntary_switches: Option<u64>,
    /// Logical CPU at the beginning. A worker that is pinned ends on the same.
    pub cpu_at_start: Option<usize>,
    /// Logical CPU at the end.
    pub cpu_at_end: Option<usize>,
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
            cpu_at_start: self.cpu,
            cpu_at_end: current_cpu(),
        }
    }
}

impl Disturbance {
    /// Share of its time in which the worker wanted a processor and had none. A worker that never waited for anything
    /// wanted one all the time; of one that did wait only the queue tells.
    pub fn lost_share(&self) -> Option<f64> {
        let never_waited = self.voluntary_switches == Some(0);
        let missing = self.cpu_ns.filter(|_| never_waited).map(|cpu_ns| self.wall_ns.saturating_sub(cpu_ns));
        let lost = missing.max(self.queued_ns)?;
        (self.wall_ns > 0).then(|| lost as f64 / self.wall_ns as f64)
    }
}

/// A watch over the computer as a whole during a measurement. Begin it after the run that warms the computer up: the
/// clock of a core that has just been woken is still rising.
#[derive(Debug)]
pub struct SystemWatch {
    start: Instant,
    jiffies: Option<Jiffies>,
    process_cpu_ns: Option<u64>,
    mhz: Option<f64>,
}

/// Disturbance of the computer between the beginning and the end of a [`SystemWatch`]. `None`: the system does not
/// tell, or the time was too short for its account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SystemChange {
    /// Time that has passed.
    pub wall_s: f64,
    /// Share of all processor time that the hypervisor gave to other machines, from 0 to 1.
    pub steal_share: Option<f64>,
    /// Mean number of processors that other programs kept busy.
    pub others_cpus: Option<f64>,
    /// Mean clock of the allowed processors at the beginning.
    pub mhz_at_start: Option<f64>,
    /// Mean clock of the allowed processors at the end.
    pub mhz_at_end: Option<f64>,
}

impl SystemWatch {
    /// Begins to watch the computer.
    pub fn start() -> Self {
        let files = Files::of_system();
        let mhz = current_mhz(&files, Topology::of_system().allowed.as_slice());
        let (jiffies, process_cpu_ns) = (Jiffies::read(&files), process_cpu_ns());
        Self { start: Instant::now(), jiffies, process_cpu_ns, mhz }
    }

    /// Ends the watch of the computer.
    pub fn stop(self) -> SystemChange {
        let files = Files::of_system();
        let wall_s = nanoseconds(self.start) as f64 * 1e-9;
        let own_ns = grown(self.process_cpu_ns, process_cpu_ns());
        let shares = match (self.jiffies, Jiffies::read(&files)) {
            (Some(before), Some(after)) if wall_s >= SHORTEST_ACCOUNT_S => after.since(&before),
            _ => None,
        };
        let others = |own_ns: u64| Some((shares?.busy_cpus - own_ns as f64 * 1e-9 / wall_s).max(0.0));
        SystemChange {
            wall_s,
            steal_share: shares.map(|shares| shares.steal),
            others_cpus: own_ns.and_then(others),
            mhz_at_start: self.mhz,
            mhz_at_end: current_mhz(&files, Topology::of_system().allowed.as_slice()),
        }
    }
}

/// Verdict on whether a measurement can be trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    /// No disturbance was seen.
    Quiet,
    /// The measurement was disturbed.
    Disturbed {
        /// Reasons, in words.
        reasons: Vec<String>,
    },
}

/// Judges what the watches of the workers, in their order, and that of the computer have seen. What the system does not
/// tell is no reason; that a worker moved is none either, since one that is not pinned may move on a quiet computer.
pub fn judge(workers: &[Disturbance], system: &SystemChange) -> Verdict {
    let mut reasons = Vec::new();
    for (worker, disturbance) in workers.iter().enumerate() {
        if let Some(lost) = disturbance.lost_share().filter(|&lost| lost > LOST_SHARE) {
            reasons.push(format!("worker {worker} was without a processor for {} of its time", percent(lost)));
        }
        if let Some(switches) = disturbance.involuntary_switches.filter(|&n| n > forgiven(disturbance.wall_ns)) {
            reasons.push(format!("worker {worker} was interrupted {switches} times by other threads"));
        }
    }
    if let Some(steal) = system.steal_share.filter(|&steal| steal > DISTURBING_STEAL) {
        reasons.push(format!("the hypervisor gave {} of the processors' time to others", percent(steal)));
    }
    if let Some(cpus) = system.others_cpus.filter(|&cpus| cpus > DISTURBING_CPUS) {
        reasons.push(format!("other programs kept {cpus:.1} processors busy"));
    }
    if let (Some(start), Some(end)) = (system.mhz_at_start, system.mhz_at_end)
        && (end - start).abs() > CLOCK_CHANGE * start
    {
        reasons.push(format!("the clock changed from {start:.0} to {end:.0} MHz"));
    }
    if reasons.is_empty() { Verdict::Quiet } else { Verdict::Disturbed { reasons } }
}

fn forgiven(wall_ns: u64) -> u64 {
    INVOLUNTARY_FORGIVEN.max((INVOLUNTARY_PER_SECOND * wall_ns as f64 * 1e-9) as u64)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
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

    const SECOND: u64 = 1_000_000_000;

    /// A worker that had its processor for a whole second.
    fn calm() -> Disturbance {
        Disturbance {
            wall_ns: SECOND,
            cpu_ns: Some(SECOND),
            queued_ns: Some(0),
            cycles: None,
            voluntary_switches: Some(0),
            involuntary_switches: Some(0),
            cpu_at_start: Some(1),
            cpu_at_end: Some(1),
        }
    }

    fn still() -> SystemChange {
        SystemChange {
            wall_s: 1.0,
            steal_share: Some(0.0),
            others_cpus: Some(0.0),
            mhz_at_start: Some(3000.0),
            mhz_at_end: Some(3000.0),
        }
    }

    #[test]
    fn workers_are_judged() {
        type Case = (fn(&mut Disturbance), Option<&'static str>);
        let cases: [Case; 12] = [
            (|_| {}, None),
            (|d| d.cpu_ns = Some(SECOND / 1000 * 995), None),
            (|d| d.cpu_ns = Some(SECOND / 100 * 98), Some("worker 1 was without a processor for 2.0 % of its time")),
            // Who waits for something of its own accord has less processor time, and nothing is wrong.
            (|d| (d.cpu_ns, d.voluntary_switches) = (Some(SECOND / 2), Some(3)), None),
            (
                |d| (d.cpu_ns, d.voluntary_switches, d.queued_ns) = (Some(SECOND / 2), Some(3), Some(SECOND / 10)),
                Some("worker 1 was without a processor for 10.0 % of its time"),
            ),
            (|d| (d.cpu_ns, d.voluntary_switches) = (Some(SECOND / 2), None), None),
            (|d| (d.cpu_ns, d.queued_ns) = (Some(SECOND / 2), None), Some("50.0 %")),
            (|d| d.involuntary_switches = Some(20), None),
            (|d| d.involuntary_switches = Some(21), Some("worker 1 was interrupted 21 times")),
            // Of a short time a few are forgiven.
            (|d| (d.wall_ns, d.cpu_ns, d.involuntary_switches) = (SECOND / 10, Some(SECOND / 10), Some(5)), None),
            (|d| d.cpu_at_end = Some(0), None),
            (|d| *d = Disturbance::default(), None),
        ];
        for (i, (change, expected)) in cases.into_iter().enumerate() {
            let mut disturbance = calm();
            change(&mut disturbance);
            expect(&judge(&[calm(), disturbance], &still()), expected, i);
        }
    }

    #[test]
    fn the_machine_is_judged() {
        type Case = (fn(&mut SystemChange), Option<&'static str>);
        let cases: [Case; 9] = [
            (|_| {}, None),
            (|s| s.steal_share = Some(0.005), None),
            (|s| s.steal_share = Some(0.03), Some("the hypervisor gave 3.0 % of the processors' time to others")),
            (|s| s.others_cpus = Some(0.05), None),
            (|s| s.others_cpus = Some(1.25), Some("other programs kept 1.2 processors busy")),
            (|s| s.mhz_at_end = Some(2950.0), None),
            (|s| s.mhz_at_end = Some(2400.0), Some("the clock changed from 3000 to 2400 MHz")),
            (|s| s.mhz_at_end = Some(3400.0), Some("the clock changed from 3000 to 3400 MHz")),
            (|s| *s = SystemChange::default(), None),
        ];
        for (i, (change, expected)) in cases.into_iter().enumerate() {
            let mut system = still();
            change(&mut system);
            expect(&judge(&[calm()], &system), expected, i);
        }
    }

    fn expect(verdict: &Verdict, expected: Option<&str>, case: usize) {
        match (verdict, expected) {
            (Verdict::Quiet, None) => {}
            (Verdict::Disturbed { reasons }, Some(text)) => {
                assert!(reasons.len() == 1 && reasons[0].contains(text), "case {case}: {reasons:?}");
            }
            _ => panic!("case {case}: {verdict:?} instead of {expected:?}"),
        }
    }

    #[test]
    fn every_reason_is_given() {
        let bad = Disturbance { cpu_ns: Some(0), involuntary_switches: Some(99), ..calm() };
        let system = SystemChange { steal_share: Some(0.5), others_cpus: Some(2.0), mhz_at_end: Some(1.0), ..still() };
        let verdict = judge(&[bad, calm(), bad], &system);
        let Verdict::Disturbed { reasons } = &verdict else { panic!("{verdict:?}") };
        assert_eq!(reasons.len(), 7);
        assert!(judge(&[], &still()) == Verdict::Quiet);
        assert_eq!(serde_json::json!(Verdict::Quiet).to_string(), r#"{"verdict":"quiet"}"#);
        assert_eq!(serde_json::json!(verdict)["reasons"][0], reasons[0]);
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
        let quiet = |attempt: &&Disturbance| judge(&[**attempt], &SystemChange::default()) == Verdict::Quiet;
        let best = attempts.iter().filter(quiet).filter_map(cpu_share).fold(0.0, f64::max);
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
        if let (Some(share), Some(voluntary)) = (cpu_share(&disturbance), disturbance.voluntary_switches) {
            assert!(share < 0.2 && voluntary >= 1, "{disturbance:?}");
            assert!(disturbance.lost_share().is_none_or(|lost| lost < 0.5), "{disturbance:?}");
        }
    }

    #[test]
    fn the_machine_is_watched() {
        let watch = SystemWatch::start();
        sleep(Duration::from_millis(300));
        let long = watch.stop();
        assert!(long.wall_s >= 0.3);
        assert!(long.steal_share.is_none_or(|share| (0.0..=1.0).contains(&share)), "{long:?}");
        assert!(long.others_cpus.is_none_or(|cpus| cpus >= 0.0), "{long:?}");
        let short = SystemWatch::start().stop();
        assert_eq!((short.steal_share, short.others_cpus), (None, None), "too short to tell");
    }
}
