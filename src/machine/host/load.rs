//! What else the processors are doing: the load average, and the kernel's account of where their time went. The part that
//! is `stolen` was wanted by this computer and given to another by the hypervisor underneath.

use std::thread::sleep;
use std::time::Duration;

use serde::Serialize;

use super::files::Files;

/// Others that keep this many processors busy disturb: they take caches, memory and clock even where cores are left. Below
/// it lies what the kernel does for any program, and the error of an account kept in hundredths of a second.
pub const DISTURBING_CPUS: f64 = 0.1;
/// A stolen share of time that disturbs: a hundredth is as large as the differences that are to be measured.
pub const DISTURBING_STEAL: f64 = 0.01;

/// What the computer is doing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Load {
    /// Threads that run or want to, averaged over 1, 5 and 15 minutes.
    pub average: Option<[f64; 3]>,
    /// Threads that run or want to now, the one that asks included.
    pub runnable: Option<u64>,
    /// All threads.
    pub threads: Option<u64>,
    /// Where the processors' time went since the computer was started.
    pub since_start: Option<Shares>,
    /// Where it went in a moment in which this process slept: what others do.
    pub lately: Option<Shares>,
}

/// Where the time of all processors went.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Shares {
    /// How many processors were at work on the average.
    pub busy_cpus: f64,
    /// The share of all processor time that the hypervisor gave to others, from 0 to 1.
    pub steal: f64,
}

/// Time of all processors since the computer was started, in ticks of the kernel, usually hundredths of a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jiffies {
    /// At work: for programs, the kernel and interrupts.
    pub busy: u64,
    /// Given to others by the hypervisor.
    pub steal: u64,
    /// All, idle time included.
    pub total: u64,
    /// The number of processors.
    pub cpus: usize,
}

impl Load {
    /// What can be read at once.
    pub fn read(files: &Files) -> Self {
        let averages = files.text("proc/loadavg").as_deref().and_then(averages);
        Self {
            average: averages.map(|(average, ..)| average),
            runnable: averages.map(|(_, runnable, _)| runnable),
            threads: averages.map(|(.., threads)| threads),
            since_start: Jiffies::read(files).and_then(|now| now.since(&Jiffies::default())),
            lately: None,
        }
    }

    /// Sleeps for a while and notes what others do meanwhile.
    pub fn watch(&mut self, files: &Files, time: Duration) {
        let Some(before) = Jiffies::read(files) else { return };
        sleep(time);
        self.lately = Jiffies::read(files).and_then(|after| after.since(&before));
    }
}

impl Jiffies {
    /// Now.
    pub fn read(files: &Files) -> Option<Self> {
        Self::parse(&files.text("proc/stat")?)
    }

    /// From the text of `/proc/stat`.
    fn parse(stat: &str) -> Option<Self> {
        let mut fields = stat.lines().find_map(|line| line.strip_prefix("cpu "))?.split_whitespace();
        let mut next = || fields.next()?.parse::<u64>().ok();
        let [user, nice, system, idle] = [next()?, next()?, next()?, next()?];
        // Kernels before 2.6.11 tell no more; guest time, which would follow, is already in user and nice.
        let [waiting, interrupts, soft_interrupts, steal] =
            [next(), next(), next(), next()].map(Option::unwrap_or_default);
        let busy = user + nice + system + interrupts + soft_interrupts;
        let is_cpu =
            |line: &&str| line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let cpus = stat.lines().filter(is_cpu).count();
        Some(Self { busy, steal, total: busy + idle + waiting + steal, cpus: cpus.max(1) })
    }

    /// What happened since an earlier reading; `None` if not one tick did.
    pub fn since(&self, earlier: &Self) -> Option<Shares> {
        // The kernel's idle counts may run backwards a little.
        let total = self.total.checked_sub(earlier.total).filter(|&total| total > 0)? as f64;
        let part = |now: u64, then: u64| (now.saturating_sub(then) as f64 / total).min(1.0);
        Some(Shares {
            busy_cpus: part(self.busy, earlier.busy) * self.cpus as f64,
            steal: part(self.steal, earlier.steal),
        })
    }
}

/// The three averages, the runnable threads and all threads of a text such as `0.08 0.66 0.79 1/81 15250`.
fn averages(text: &str) -> Option<([f64; 3], u64, u64)> {
    let mut words = text.split_whitespace();
    let mut next = || words.next()?.parse().ok();
    let average = [next()?, next()?, next()?];
    let (runnable, threads) = words.next()?.split_once('/')?;
    Some((average, runnable.parse().ok()?, threads.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::files::fake::Tree;
    use super::*;

    const STAT: &str = "\
cpu  100 10 40 800 30 5 5 10 7 7
cpu0 50 5 20 400 15 2 3 5 0 0
cpu1 50 5 20 400 15 3 2 5 0 0
intr 123 0
ctxt 456
procs_running 1
";

    #[test]
    fn ticks_are_added() {
        assert_eq!(Jiffies::parse(STAT), Some(Jiffies { busy: 160, steal: 10, total: 1000, cpus: 2 }));
        assert_eq!(Jiffies::parse("cpu 1 2 3 4\n"), Some(Jiffies { busy: 6, steal: 0, total: 10, cpus: 1 }));
        for bad in ["", "cpu", "cpu 1 2 x 4", "cpux 1 2 3 4"] {
            assert_eq!(Jiffies::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn differences_are_shares() {
        let before = Jiffies { busy: 100, steal: 10, total: 1000, cpus: 4 };
        let after = Jiffies { busy: 200, steal: 20, total: 1400, cpus: 4 };
        assert_eq!(after.since(&before), Some(Shares { busy_cpus: 1.0, steal: 0.025 }));
        assert_eq!((before.since(&before), before.since(&after)), (None, None));
    }

    #[test]
    fn the_load_average() {
        let cases = [
            ("0.08 0.66 0.79 1/81 15250", Some(([0.08, 0.66, 0.79], 1, 81))),
            ("0.08 0.66 0.79", None),
            ("a b c 1/2 3", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(averages(text), expected, "{text}");
        }
    }

    #[test]
    fn an_account_that_stands_still_tells_nothing_of_late() {
        let tree = Tree::new(&[("proc/stat", STAT), ("proc/loadavg", "1.50 1.00 0.50 2/300 99\n")]);
        let mut load = Load::read(&tree.files());
        load.watch(&tree.files(), Duration::ZERO);
        let since_start = Some(Shares { busy_cpus: 0.32, steal: 0.01 });
        let average = Some([1.5, 1.0, 0.5]);
        assert_eq!(load, Load { average, runnable: Some(2), threads: Some(300), since_start, lately: None });
        assert_eq!(Load::read(&Tree::new(&[]).files()), Load::default());
    }
}
