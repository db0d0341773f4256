//! Calls of tasks and their times, as a tree: a task that is part of another is counted there.
//!
//! The clock is read once when a task begins and once when it ends, and the time from one reading to the next is that
//! of the task in between. What a reading and its bookkeeping take is measured by tasks that do nothing, and
//! subtracted: one part of it falls into the task itself, the other into the one around it.

use std::cell::RefCell;

use crate::chess::Task;
use crate::machine::stopwatch::Stopwatch;

/// Number of batches of empty tasks by which the cost of measuring is found.
const BATCHES: usize = 64;
/// Number of empty tasks in a batch, which is too short to be interrupted often.
const EMPTY: u64 = 250;
/// Ticks after which a stretch between two readings is taken for an interruption of the thread, and left out: some tens
/// of microseconds, where a task takes less than one.
const LONGEST: u64 = 100_000;
const TASKS: usize = Task::ALL.len();

/// Calls of a task within those of another.
#[derive(Clone, Debug, Default)]
struct Node {
    /// Task; none for the search around all.
    task: Option<Task>,
    /// Node of the task around it.
    around: usize,
    calls: u64,
    /// Time in ticks, without that of the tasks within.
    ticks: u64,
    /// Nodes of the tasks within, by task; 0 for none yet.
    within: [usize; TASKS],
}

/// Calls in progress.
#[derive(Clone, Debug, Default)]
struct Calls {
    nodes: Vec<Node>,
    /// Node of the task in progress.
    now: usize,
    /// Last reading of the clock.
    read: u64,
}

impl Calls {
    /// Calls from here on.
    fn start() -> Self {
        let mut calls = Self { nodes: Vec::with_capacity(64), now: 0, read: 0 };
        calls.nodes.push(Node { calls: 1, ..Node::default() });
        calls.read = Stopwatch::of_system().read();
        calls
    }

    /// Gives the time since the last reading to the task in progress.
    #[inline]
    fn read(&mut self) {
        let read = Stopwatch::of_system().read();
        let ticks = read.saturating_sub(self.read);
        if ticks <= LONGEST {
            self.nodes[self.now].ticks += ticks;
        }
        self.read = read;
    }

    #[inline]
    fn begin(&mut self, task: Task) {
        self.read();
        let mut node = self.nodes[self.now].within[task as usize];
        if node == 0 {
            node = self.nodes.len();
            self.nodes[self.now].within[task as usize] = node;
            self.nodes.push(Node { task: Some(task), around: self.now, ..Node::default() });
        }
        self.now = node;
        self.nodes[node].calls += 1;
    }

    #[inline]
    fn end(&mut self) {
        self.read();
        self.now = self.nodes[self.now].around;
    }
}

thread_local! {
    static CALLS: RefCell<Calls> = RefCell::default();
}

/// Starts measuring on this thread.
pub fn start() {
    CALLS.set(Calls::start());
}

/// Begins a task on this thread.
#[inline]
pub fn begin(task: Task) {
    CALLS.with_borrow_mut(|calls| calls.begin(task));
}

/// Ends the task on this thread that began last.
#[inline]
pub fn end() {
    CALLS.with_borrow_mut(Calls::end);
}

/// Ends measuring on this thread.
pub fn stop() -> Profile {
    let mut calls = CALLS.take();
    if !calls.nodes.is_empty() {
        calls.read();
    }
    Profile(calls.nodes)
}

/// Ticks that measuring a task takes.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Within the task.
    within: f64,
    /// In the task around it.
    around: f64,
}

impl Cost {
    /// Cost on this thread, by tasks that do nothing: the median over batches.
    pub fn measure() -> Self {
        let batch = |_| {
            start();
            for _ in 0..EMPTY {
                begin(Task::Attacks);
                end();
            }
            let Profile(nodes) = stop();
            [1, 0].map(|node: usize| nodes[node].ticks)
        };
        let batches: Vec<[u64; 2]> = (0..BATCHES).map(batch).collect();
        let [within, around] = [0, 1].map(|part: usize| {
            let mut ticks: Vec<u64> = batches.iter().map(|batch| batch[part]).collect();
            ticks.sort_unstable();
            ticks[BATCHES / 2] as f64 / EMPTY as f64
        });
        Self { within, around }
    }
}

/// Calls of tasks, and the time of each.
#[derive(Clone, Debug, Default)]
pub struct Profile(Vec<Node>);

impl Profile {
    /// Number of calls of a task.
    pub fn calls(&self, task: Task) -> u64 {
        self.0.iter().filter(|node| node.task == Some(task)).map(|node| node.calls).sum()
    }

    /// Time of a node in ticks, without tasks within and the cost of measuring.
    fn own(&self, node: &Node, cost: Cost) -> f64 {
        let within: u64 = node.within.iter().filter(|node| **node != 0).map(|node| self.0[*node].calls).sum();
        let measuring = node.task.map_or(0.0, |_| node.calls as f64 * cost.within) + within as f64 * cost.around;
        (node.ticks as f64 - measuring).max(0.0)
    }

    /// Share of the nodes for which this holds in all time.
    fn share(&self, cost: Cost, holds: impl Fn(&Node) -> bool) -> f64 {
        let time = |is_meant: &dyn Fn(&Node) -> bool| {
            self.0.iter().filter(|node| is_meant(node)).map(|node| self.own(node, cost)).sum::<f64>()
        };
        time(&holds) / time(&|_| true).max(1.0)
    }

    /// Share of the time of some tasks without the tasks within, or of the search without all tasks if it is none.
    pub fn own_share(&self, cost: Cost, tasks: &[Option<Task>]) -> f64 {
        self.share(cost, |node| tasks.contains(&node.task))
    }

    /// Share of the time of a task with all tasks within.
    pub fn whole_share(&self, cost: Cost, task: Task) -> f64 {
        self.share(cost, |node| self.is_within(node, task))
    }

    /// Whether a node is of a task, or within one that is.
    fn is_within(&self, node: &Node, task: Task) -> bool {
        node.task == Some(task) || node.task.is_some() && self.is_within(&self.0[node.around], task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Cost = Cost { within: 0.0, around: 0.0 };

    /// A search of 100 ticks with an evaluation of 40, half of which are an exchange within; another exchange takes 10.
    #[test]
    fn shares_worked_by_hand() {
        let mut calls = Calls::start();
        let mut after = |ticks: u64, task: Option<Task>| {
            calls.nodes[calls.now].ticks += ticks;
            // The reading itself adds nothing.
            calls.read = u64::MAX;
            match task {
                Some(task) => calls.begin(task),
                None => calls.end(),
            }
            calls.clone()
        };
        after(30, Some(Task::Evaluation));
        after(20, Some(Task::Exchange));
        after(20, None);
        after(0, None);
        after(20, Some(Task::Exchange));
        let profile = Profile(after(10, None).nodes);
        assert_eq!((profile.calls(Task::Exchange), profile.calls(Task::Evaluation)), (2, 1));
        let own = |cost, task| profile.own_share(cost, &[task]);
        assert_eq!(own(FREE, None), 0.5);
        assert_eq!(own(FREE, Some(Task::Evaluation)), 0.2);
        assert_eq!(own(FREE, Some(Task::Exchange)), 0.3);
        assert_eq!(profile.own_share(FREE, &[Some(Task::Evaluation), Some(Task::Exchange)]), 0.5);
        assert_eq!(profile.whole_share(FREE, Task::Evaluation), 0.4);
        assert_eq!(profile.whole_share(FREE, Task::Exchange), 0.3);
        // Three tasks of 2 ticks within and 5 around: the search had two of them, the evaluation one.
        let cost = Cost { within: 2.0, around: 5.0 };
        assert_eq!(own(cost, None), 40.0 / 79.0);
        assert_eq!(own(cost, Some(Task::Evaluation)), 13.0 / 79.0);
        assert_eq!(profile.whole_share(cost, Task::Evaluation), 31.0 / 79.0);
    }

    #[test]
    fn interruptions_are_left_out() {
        start();
        std::thread::sleep(std::time::Duration::from_millis(5));
        let Profile(nodes) = stop();
        assert_eq!(nodes[0].ticks, 0);
    }

    #[test]
    fn measuring_costs_something_and_is_taken_off() {
        let cost = Cost::measure();
        assert!(cost.within > 0.0 && cost.around > 0.0, "{cost:?}");
        // Most of ten are not interrupted while they measure.
        let share = |_| {
            start();
            for round in 0..100_000 {
                if std::hint::black_box(round) % 100 == 0 {
                    begin(Task::Attacks);
                    end();
                }
            }
            let profile = stop();
            assert_eq!(profile.calls(Task::Attacks), 1_000);
            profile.own_share(cost, &[Some(Task::Attacks)])
        };
        let least = (0..10).map(share).fold(1.0, f64::min);
        assert!(least < 0.05, "{least} of the time for nothing, {cost:?}");
        assert_eq!(stop().calls(Task::Attacks), 0);
    }
}
