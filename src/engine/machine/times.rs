//! The account of a processor's time. Its clock is always in exactly one activity; what has passed is added when the
//! activity changes, so the sum over all activities is the time from the start, by construction and not by subtraction.

use std::cell::{Cell, RefCell};

use crate::counts::{Activities, Activity};

/// An interval that one processor spent in one activity, in nanoseconds since the run began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Activity of the processor.
    pub activity: Activity,
    /// Beginning of the interval.
    pub from: u64,
    /// End of the interval.
    pub to: u64,
}

/// Running account of one processor.
#[derive(Debug)]
pub(super) struct Account {
    times: RefCell<Activities>,
    activity: Cell<Activity>,
    since: Cell<u64>,
    /// Spans, if they are kept.
    spans: Option<RefCell<Vec<Span>>>,
}

impl Account {
    /// An account that begins at 0 with [`Activity::Other`], and may keep spans beside the sums.
    pub fn new(keeps_spans: bool) -> Self {
        Self {
            times: RefCell::default(),
            activity: Cell::new(Activity::Other),
            since: Cell::new(0),
            spans: keeps_spans.then(RefCell::default),
        }
    }

    /// The present activity.
    pub fn activity(&self) -> Activity {
        self.activity.get()
    }

    /// Changes the activity now. Returns the one before.
    pub fn enter(&self, activity: Activity, now: u64) -> Activity {
        let before = self.activity.replace(activity);
        let since = self.since.replace(now);
        self.times.borrow_mut()[before] += now.saturating_sub(since);
        if let Some(spans) = self.spans.as_ref().filter(|_| now > since) {
            spans.borrow_mut().push(Span { activity: before, from: since, to: now });
        }
        before
    }

    /// Closes the account at the end of the run and returns the times.
    pub fn close(&self, end: u64) -> Activities {
        self.enter(Activity::Other, end);
        *self.times.borrow()
    }

    /// Removes the spans and returns them; `None` if they are not kept.
    pub fn take_spans(&self) -> Option<Vec<Span>> {
        self.spans.as_ref().map(RefCell::take)
    }
}
