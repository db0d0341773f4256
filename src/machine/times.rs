//! Where a processor's time goes. Its clock is always in exactly one activity; what has passed is added when the activity
//! changes, so the sum over all activities is the time from the start, by construction and not by subtraction.

use std::cell::{Cell, RefCell};
use std::ops::Index;

/// What a processor is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Activity {
    /// Searching.
    Search,
    /// Making, copying, joining and leaving split points.
    Split,
    /// Waiting for a lock.
    Lock,
    /// Without work.
    Idle,
    /// An owner waits for its helpers.
    Wait,
    /// Anything else: starting, and what a program does not account for.
    Other,
}

impl Activity {
    /// All activities.
    pub const ALL: [Self; 6] = [Self::Search, Self::Split, Self::Lock, Self::Idle, Self::Wait, Self::Other];

    /// The name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Split => "split",
            Self::Lock => "lock",
            Self::Idle => "idle",
            Self::Wait => "wait",
            Self::Other => "other",
        }
    }
}

/// Nanoseconds by activity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Times([u64; Activity::ALL.len()]);

impl Times {
    /// All time together.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl Index<Activity> for Times {
    type Output = u64;

    fn index(&self, activity: Activity) -> &u64 {
        &self.0[activity as usize]
    }
}

/// Some time of one processor in one activity, in nanoseconds since the run began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// What it was doing.
    pub activity: Activity,
    /// From when.
    pub from: u64,
    /// Until when.
    pub to: u64,
}

/// The account of one processor while it runs.
#[derive(Debug)]
pub(super) struct Account {
    times: Cell<Times>,
    activity: Cell<Activity>,
    since: Cell<u64>,
    /// All spans, if they are kept.
    spans: Option<RefCell<Vec<Span>>>,
}

impl Account {
    /// An account that begins at 0 with [`Activity::Other`], and may keep all spans beside the sums.
    pub fn new(keeps_spans: bool) -> Self {
        Self {
            times: Cell::new(Times([0; 6])),
            activity: Cell::new(Activity::Other),
            since: Cell::new(0),
            spans: keeps_spans.then(RefCell::default),
        }
    }

    /// What is being done now.
    pub fn activity(&self) -> Activity {
        self.activity.get()
    }

    /// Changes the activity at this moment. Returns the one before.
    pub fn enter(&self, activity: Activity, now: u64) -> Activity {
        let before = self.activity.replace(activity);
        let since = self.since.replace(now);
        let mut times = self.times.get();
        times.0[before as usize] += now.saturating_sub(since);
        self.times.set(times);
        if let Some(spans) = self.spans.as_ref().filter(|_| now > since) {
            spans.borrow_mut().push(Span { activity: before, from: since, to: now });
        }
        before
    }

    /// The times, when the last processor has finished at this moment. A processor that finished before had no work since.
    pub fn close(&self, end: u64) -> Times {
        self.enter(Activity::Other, end);
        self.times.get()
    }

    /// The spans, if they are kept.
    pub fn take_spans(&self) -> Option<Vec<Span>> {
        self.spans.as_ref().map(RefCell::take)
    }
}
