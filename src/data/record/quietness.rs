//! Quietness of a computer during a measurement: what share of the processor time that a search wanted was taken away,
//! and whether that could have moved a figure.
//!
//! A worker that never waited of its own accord wanted its processor all the time, and what it did not get was taken:
//! by other programs, by the kernel or by the hypervisor. Of one that did wait only the queue tells, in which it stood
//! while others ran, and the account of stolen time. The share is that of all workers together. It has nanoseconds to
//! go by, so that searches of all lengths are judged by the same measure; one too short even for that is unknown, and
//! unknown is not quiet.

use super::result::{Quietness, Surroundings};
use crate::counts::Disturbance;

/// Share of the processor time wanted beyond which its loss disturbs a measurement. A search that loses a share of its
/// time takes longer by about that share, so that a speedup of which one side loses less than this is wrong by less
/// than 1 %: a fourth of the narrowest intervals that experiments of a usual size reach, 4 % to either side.
pub const DISTURBING_SHARE: f64 = 0.01;
/// Number of further processors kept busy by others beyond which they disturb. A neighbour that is at work all the time
/// slows a search by up to 4 % through caches and memory, so that a quarter of one costs it 1 % at most.
pub const DISTURBING_NEIGHBOURS: f64 = 0.25;
/// Relative change of the mean clock between beginning and end that disturbs: the mean over the search then differs
/// from that of its neighbours by half as much, more than 1 %.
const CLOCK_CHANGE: f64 = 0.03;
/// Time between the two clocks of a worker's watch: what it misses of its processor time is known no better.
const BETWEEN_CLOCKS_NS: u64 = 5_000;

/// Processor time that workers wanted, and how much of it was taken away.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    /// Nanoseconds that were wanted.
    pub wanted_ns: f64,
    /// Nanoseconds of them that were taken away.
    pub taken_ns: f64,
    /// Nanoseconds by which the account may be wrong.
    pub error_ns: f64,
}

impl Account {
    /// Account of all workers; nothing if any of them does not tell. `steal_share` is the share of processor time that
    /// the hypervisor gave to others, `step_ns` the smallest step of the system's account of processor time.
    pub fn of<'a>(
        workers: impl IntoIterator<Item = Option<&'a Disturbance>>,
        steal_share: Option<f64>,
        step_ns: u64,
    ) -> Option<Self> {
        let of_worker = |watch: Option<&Disturbance>| Self::of_watch(watch?, steal_share);
        let all: Vec<Self> = workers.into_iter().map(of_worker).collect::<Option<_>>()?;
        let error_ns = (all.len() as u64 * (step_ns + BETWEEN_CLOCKS_NS)) as f64;
        let sum = |of: fn(&Self) -> f64| all.iter().map(of).sum::<f64>();
        let account = Self { wanted_ns: sum(|one| one.wanted_ns), taken_ns: sum(|one| one.taken_ns), error_ns };
        (account.wanted_ns > 0.0).then_some(account)
    }

    fn of_watch(watch: &Disturbance, steal_share: Option<f64>) -> Option<Self> {
        let (wall_ns, cpu_ns) = (watch.wall_ns as f64, watch.cpu_ns? as f64);
        if watch.voluntary_switches == Some(0) {
            let queued_ns = watch.queued_ns.unwrap_or_default() as f64;
            let taken_ns = (wall_ns - cpu_ns).max(queued_ns).clamp(0.0, wall_ns);
            return Some(Self { wanted_ns: wall_ns, taken_ns, error_ns: 0.0 });
        }
        let ran_or_queued_ns = cpu_ns + watch.queued_ns? as f64;
        // What the hypervisor takes from a running thread is neither in its processor time nor in the queue.
        let wanted_ns = ran_or_queued_ns / (1.0 - steal_share.unwrap_or_default().clamp(0.0, 0.99));
        Some(Self { wanted_ns, taken_ns: wanted_ns - cpu_ns, error_ns: 0.0 })
    }

    /// Share of the processor time wanted that was taken away.
    pub fn share(&self) -> f64 {
        self.taken_ns / self.wanted_ns
    }

    /// Whether the account is exact enough to tell a share that disturbs from none.
    pub fn is_resolved(&self) -> bool {
        let disturbing_ns = DISTURBING_SHARE * self.wanted_ns;
        self.error_ns <= disturbing_ns || self.taken_ns - self.error_ns > disturbing_ns
    }
}

/// Judges what is known around a search on a real machine: its state, and in words what disturbed it. `account` is that
/// of its workers, nothing where it would tell of threads of our own. That a worker moved is no reason, since one that
/// is not pinned may move on a quiet computer.
pub fn judge(account: Option<&Account>, around: &Surroundings) -> (Quietness, Vec<String>) {
    let mut reasons = Vec::new();
    let account = account.filter(|account| account.is_resolved());
    if let Some(share) = account.map(Account::share).filter(|&share| share > DISTURBING_SHARE) {
        reasons.push(format!("{:.1} % of the processor time that the search wanted was taken away", 100.0 * share));
    }
    if let Some(cpus) = around.others_cpus.filter(|&cpus| cpus > DISTURBING_NEIGHBOURS) {
        reasons.push(format!("other programs kept {cpus:.1} further processors busy"));
    }
    if let (Some(start), Some(end)) = (around.mhz_at_start, around.mhz_at_end)
        && (end - start).abs() > CLOCK_CHANGE * start
    {
        reasons.push(format!("the clock changed from {start:.0} to {end:.0} MHz"));
    }
    let state = match account {
        _ if !reasons.is_empty() => Quietness::Disturbed,
        Some(_) => Quietness::Quiet,
        None => Quietness::Unknown,
    };
    (state, reasons)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    /// A worker that had its processor for a whole second.
    fn calm() -> Disturbance {
        Disturbance {
            wall_ns: SECOND,
            cpu_ns: Some(SECOND),
            queued_ns: Some(0),
            voluntary_switches: Some(0),
            involuntary_switches: Some(0),
            ..Disturbance::default()
        }
    }

    fn account(watches: &[Disturbance], steal_share: Option<f64>) -> Option<Account> {
        Account::of(watches.iter().map(Some), steal_share, 1)
    }

    #[test]
    fn shares_are_those_of_all_workers_together() {
        type Case = (fn(&mut Disturbance), Option<f64>, Option<f64>);
        let cases: [Case; 9] = [
            (|_| {}, None, Some(0.0)),
            (|d| d.cpu_ns = Some(SECOND / 100 * 98), None, Some(0.01)),
            // Who waits for something of its own accord has less processor time, and nothing is wrong.
            (|d| (d.cpu_ns, d.voluntary_switches) = (Some(SECOND / 2), Some(3)), None, Some(0.0)),
            // 1 s and 0.5 + 0.25 s wanted, 0.25 s of them taken.
            (
                |d| (d.cpu_ns, d.voluntary_switches, d.queued_ns) = (Some(SECOND / 2), Some(3), Some(SECOND / 4)),
                None,
                Some(0.25 / 1.75),
            ),
            // Of those who wait, the hypervisor takes its share of what they want: 0.6 s for 0.48 s.
            (|d| (d.cpu_ns, d.voluntary_switches) = (Some(SECOND / 100 * 48), Some(3)), Some(0.2), Some(0.12 / 1.6)),
            (|d| (d.queued_ns, d.voluntary_switches) = (None, Some(3)), None, None),
            (|d| (d.queued_ns, d.voluntary_switches) = (None, None), None, None),
            (|d| (d.cpu_ns, d.queued_ns) = (Some(SECOND / 2), None), None, Some(0.25)),
            (|d| *d = Disturbance::default(), None, None),
        ];
        for (i, (change, steal, expected)) in cases.into_iter().enumerate() {
            let mut watch = calm();
            change(&mut watch);
            match (account(&[calm(), watch], steal).map(|account| account.share()), expected) {
                (Some(share), Some(expected)) => assert!((share - expected).abs() < 1e-12, "case {i}: {share}"),
                (share, expected) => assert_eq!(share, expected, "case {i}"),
            }
        }
    }

    /// A thousandth of a second is judged by the same share as a second, and one too short is not called quiet.
    #[test]
    fn short_searches_are_judged_like_long_ones() {
        for (wall_ns, taken_ns, expected) in [
            (SECOND, SECOND / 500, Quietness::Quiet),
            (SECOND, SECOND / 50, Quietness::Disturbed),
            (SECOND / 1000, SECOND / 500_000, Quietness::Quiet),
            (SECOND / 1000, SECOND / 50_000, Quietness::Disturbed),
            (SECOND / 10_000, 0, Quietness::Unknown),
            (SECOND / 10_000, SECOND / 100_000, Quietness::Disturbed),
        ] {
            let watch = Disturbance { wall_ns, cpu_ns: Some(wall_ns - taken_ns), ..calm() };
            let (state, reasons) = judge(account(&[watch], None).as_ref(), &Surroundings::default());
            assert_eq!((state, reasons.len()), (expected, usize::from(expected == Quietness::Disturbed)), "{wall_ns}");
        }
    }

    #[test]
    fn an_account_in_coarse_steps_tells_nothing_of_a_short_search() {
        for (step_ns, expected) in [(1_000, Quietness::Quiet), (15_600_000, Quietness::Unknown)] {
            let account = Account::of([Some(&calm())], None, step_ns);
            assert_eq!(judge(account.as_ref(), &Surroundings::default()).0, expected);
        }
    }

    #[test]
    fn the_computer_is_judged_too() {
        type Case = (fn(&mut Surroundings), Option<&'static str>);
        let still = Surroundings {
            others_cpus: Some(0.0),
            mhz_at_start: Some(3000.0),
            mhz_at_end: Some(3000.0),
            ..Surroundings::default()
        };
        let cases: [Case; 6] = [
            (|_| {}, None),
            (|s| s.others_cpus = Some(0.2), None),
            (|s| s.others_cpus = Some(1.25), Some("other programs kept 1.2 further processors busy")),
            (|s| s.mhz_at_end = Some(2950.0), None),
            (|s| s.mhz_at_end = Some(2400.0), Some("the clock changed from 3000 to 2400 MHz")),
            (|s| *s = Surroundings::default(), None),
        ];
        for (i, (change, expected)) in cases.into_iter().enumerate() {
            let mut around = still.clone();
            change(&mut around);
            let (state, reasons) = judge(account(&[calm()], None).as_ref(), &around);
            assert_eq!(state == Quietness::Disturbed, expected.is_some(), "case {i}");
            assert_eq!(reasons.first().map(String::as_str), expected, "case {i}");
            // Without an account of the workers nothing is quiet.
            let expected = if expected.is_some() { Quietness::Disturbed } else { Quietness::Unknown };
            assert_eq!(judge(None, &around).0, expected, "case {i}");
        }
    }
}
