//! Schedules: who of the virtual processors goes on at each switching point.
//!
//! The smallest clock first is the rule of simulated time, and nearly synchronous: a processor is never long ahead of
//! the others. A real processor may be, for as long as its core sleeps. The other policies here look for what goes
//! wrong then. Under them every switching point is a step, one processor goes on from it, and time is that of a single
//! core: whoever goes on, goes on at the clock of the one before. Processors may be suspended while they hold a lock.
//!
//! `pct` is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010): random
//! priorities, the highest goes on, and at D random steps the runner's falls below all. A bug that needs D + 1 events
//! in one order is found with a probability of at least 1 / (processors x steps^D).
//!
//! Whatever the policy, a schedule is where it differs from the simplest one: a list of [`Switch`]es, which can be run
//! again and made shorter. In the simplest one each processor runs until it waits, and then the lowest that can; one
//! that never waits lets the next go on now and then, since nothing is promised of a processor that sleeps for ever.

use std::fmt;
use std::str::FromStr;

use crate::random::SplitMix;

/// Policy by which the next processor is chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// The smallest clock goes on: simulated time.
    #[default]
    SmallestClock,
    /// Any processor that can run, each as likely as the others.
    Random,
    /// The one with the highest of random priorities, which change this many times within this many steps.
    Pct {
        /// Number of changes.
        changes: u32,
        /// Steps within which they lie.
        steps: u32,
    },
    /// These switches, and none beside.
    Replay(Vec<Switch>),
}

/// A departure from the simplest schedule: at this step, another processor goes on than the one that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Number of switching points before.
    pub step: u64,
    /// Processor that goes on.
    pub to: u16,
}

/// Steps within which priorities change, if the text does not say.
const USUAL_STEPS: u32 = 1_000;
/// Steps after which a processor that never waits lets another go on, whatever its priority.
const MOST_STEPS_IN_A_ROW: u32 = 2_000;

/// Text that is no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no schedule: expected smallest-clock, random, pct:CHANGES, pct:CHANGES:STEPS, or replay: with switches \
     STEP:PROCESSOR and commas between them"
)]
pub struct NoSchedule(String);

impl FromStr for Schedule {
    type Err = NoSchedule;

    fn from_str(text: &str) -> Result<Self, NoSchedule> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let schedule = match (name, rest) {
            ("smallest-clock", None) => Some(Self::SmallestClock),
            ("random", None) => Some(Self::Random),
            ("pct", Some(rest)) => {
                let (changes, steps) = rest.split_once(':').map_or((rest, None), |(a, b)| (a, Some(b)));
                let steps = steps.map_or(Some(USUAL_STEPS), |steps| steps.parse().ok()).filter(|steps| *steps > 0);
                changes.parse().ok().zip(steps).map(|(changes, steps)| Self::Pct { changes, steps })
            }
            ("replay", Some(rest)) => {
                let switch = |text: &str| {
                    let (step, to) = text.split_once(':')?;
                    Some(Switch { step: step.parse().ok()?, to: to.parse().ok()? })
                };
                let switches: Option<Vec<Switch>> =
                    rest.split(',').filter(|text| !text.is_empty()).map(switch).collect();
                switches.filter(|all| all.is_sorted_by(|a, b| a.step < b.step)).map(Self::Replay)
            }
            _ => None,
        };
        schedule.ok_or_else(|| NoSchedule(text.to_owned()))
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SmallestClock => f.write_str("smallest-clock"),
            Self::Random => f.write_str("random"),
            Self::Pct { changes, steps } => write!(f, "pct:{changes}:{steps}"),
            Self::Replay(switches) => {
                f.write_str("replay:")?;
                for (i, Switch { step, to }) in switches.iter().enumerate() {
                    write!(f, "{}{step}:{to}", if i > 0 { "," } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

/// A schedule that is being run.
#[derive(Debug)]
pub(super) struct Policy {
    schedule: Schedule,
    random: SplitMix,
    /// Priorities of the processors, if they matter: the highest goes on.
    priorities: Vec<i64>,
    /// Steps at which priorities change, the last first.
    changes: Vec<u64>,
    /// Priority below all others.
    lowest: i64,
    steps_in_a_row: u32,
    /// Number of steps so far.
    pub step: u64,
    /// Processors that can run beside the runner, in order.
    ready: Vec<usize>,
    /// Processor that goes on, as [`Policy::choose`] has found.
    chosen: usize,
    /// Departures from the simplest schedule.
    pub made: Vec<Switch>,
}

impl Policy {
    /// A policy of so many processors, all of which can run; the first is the runner.
    pub fn new(schedule: Schedule, processors: usize, seed: u64) -> Self {
        let mut random = SplitMix::new(seed);
        let (mut priorities, mut changes) = (Vec::new(), Vec::new());
        if let Schedule::Pct { changes: count, steps } = schedule {
            priorities = (0..processors as i64).collect();
            random.shuffle(&mut priorities);
            changes = (0..count).map(|_| 1 + random.below(steps.into())).collect();
            changes.sort_unstable_by(|a, b| b.cmp(a));
        }
        Self {
            schedule,
            random,
            priorities,
            changes,
            lowest: 0,
            steps_in_a_row: 0,
            step: 0,
            ready: (1..processors).collect(),
            chosen: 0,
            made: Vec::new(),
        }
    }

    /// Chooses who goes on, the runner, if it can, or one of the others, and tells whether that is another than the
    /// runner. Nothing if nobody can.
    pub fn choose(&mut self, runner: Option<usize>) -> Option<bool> {
        let first = self.ready.first().copied();
        let simplest = match runner {
            Some(runner) if self.steps_in_a_row < MOST_STEPS_IN_A_ROW => runner,
            Some(runner) => self.ready.iter().copied().find(|id| *id > runner).or(first).unwrap_or(runner),
            None => first?,
        };
        self.chosen = self.choice(runner, simplest);
        if self.chosen != simplest {
            self.made.push(Switch { step: self.step, to: self.chosen as u16 });
        }
        self.step += 1;
        let goes_on = runner == Some(self.chosen);
        self.steps_in_a_row = if goes_on { self.steps_in_a_row + 1 } else { 0 };
        Some(!goes_on)
    }

    fn choice(&mut self, runner: Option<usize>, simplest: usize) -> usize {
        match &self.schedule {
            Schedule::SmallestClock => simplest,
            Schedule::Random => {
                let others = self.ready.len();
                let drawn = self.random.below((others + usize::from(runner.is_some())) as u64) as usize;
                self.ready.get(drawn).copied().unwrap_or(simplest)
            }
            Schedule::Pct { .. } => {
                if let Some(runner) = runner {
                    let mut falls = self.steps_in_a_row >= MOST_STEPS_IN_A_ROW;
                    while self.changes.last().is_some_and(|step| *step <= self.step) {
                        self.changes.pop();
                        falls = true;
                    }
                    if falls {
                        self.lowest -= 1;
                        self.priorities[runner] = self.lowest;
                    }
                }
                let all = self.ready.iter().copied().chain(runner);
                all.max_by_key(|id| self.priorities[*id]).unwrap_or(simplest)
            }
            Schedule::Replay(switches) => {
                let here = switches.binary_search_by_key(&self.step, |switch| switch.step);
                let to = here.ok().map(|i| usize::from(switches[i].to));
                to.filter(|to| self.ready.binary_search(to).is_ok()).unwrap_or(simplest)
            }
        }
    }

    /// The processor that was chosen, which is no longer among the others.
    pub fn take_chosen(&mut self) -> usize {
        if let Ok(place) = self.ready.binary_search(&self.chosen) {
            self.ready.remove(place);
        }
        self.chosen
    }

    /// Notes that a processor that does not run can.
    pub fn add(&mut self, id: usize) {
        if let Err(place) = self.ready.binary_search(&id) {
            self.ready.insert(place, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_are_written() {
        for text in ["smallest-clock", "random", "pct:3:500", "replay:", "replay:7:1", "replay:7:1,12:0,40:1023"] {
            assert_eq!(text.parse::<Schedule>().unwrap().to_string(), text);
        }
        assert_eq!("pct:2".parse(), Ok(Schedule::Pct { changes: 2, steps: USUAL_STEPS }));
        for text in ["", "clock", "random:", "pct", "pct:", "pct:2:0", "pct:-1", "replay", "replay:1", "replay:5:1,5:0"]
        {
            assert!(text.parse::<Schedule>().is_err(), "{text}");
        }
    }
}
