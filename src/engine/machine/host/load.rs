//! Load of the processors: the load average, and the kernel's account of where their time went. Time is `stolen` if
//! this computer wanted it and the hypervisor underneath gave it to another.

use std::thread::sleep;
use std::time::Duration;

use serde::Serialize;

use super::files::Files;

/// Number of processors kept busy by others from which on they disturb: they take caches, memory and clock even where
/// cores are left. Less is what the kernel does for any program, and the error of an account kept in hundredths of a
/// second.
pub const DISTURBING_CPUS: f64 = 0.1;
/// Stolen share of time from which on it disturbs: a hundredth is as large as the differences that are to be measured.
pub const DISTURBING_STEAL: f64 = 0.01;

/// Load of the computer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Load {
    /// Number of threads that run or want to, averaged over 1, 5 and 15 minutes.
    pub average: Option<[f64; 3]>,
    /// Number of threads that run or want to now, the one that asks included.
    pub runnable: Option<u64>,
    /// Number of all threads.
    pub threads: Option<u64>,
    /// Use of the processors since the computer was started.
    pub since_start: Option<Shares>,
    /// Use of the processors by others, seen in a moment in which this process slept.
    pub lately: Option<Shares>,
}

/// Use of all processors over some time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Shares {
    /// Mean number of processors at work.
    pub busy_cpus: f64,
    /// Share of all processor time that the hypervisor gave to others, from 0 to 1.
    pub steal: f64,
}

/// Time of all processors since the computer was started, in ticks of the kernel, usually hundredths of a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jiffies {
    /// Ticks at work, for programs, the kernel and interrupts.
    pub busy: u64,
    /// Ticks given to others by the hypervisor.
    pub steal: u64,
    /// All ticks, idle ones included.
    pub total: u64,
    /// Number of processors.
    pub cpus: usize,
}

impl Load {
    /// Reads what can be read at once.
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
    /// Reads the present ticks.
    pub fn read(files: &Files) -> Option<Self> {
        Self::parse(&files.text("proc/stat")?)
    }

    /// Reads the text of `/proc/stat`.
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

    /// Use of the processors since an earlier reading; `None` if not one tick has passed.
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

/// Reads the three averages, the runnable threads and all threads of a text such as `0.08 0.66 0.79 1/81 15250`.
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
