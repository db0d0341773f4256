//! Display of a validation or a calibration: on a terminal the phase and the time left, elsewhere a line for each
//! phase.

use indicatif::ProgressBar;

use super::super::output;
use crate::lab::pace::in_words;
use crate::lab::validation::PhaseObserver;

/// Display with a bar, on a terminal.
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new() -> Self {
        Self { bar: output::bar(0, "[{bar:30}] {pos}/{len} {prefix}{msg}") }
    }

    /// Prints a message on a line of its own.
    pub fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => output::tell(text),
        }
    }

    /// Removes the display.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl PhaseObserver for Progress {
    fn phase(&self, what: &str, steps: usize) {
        match &self.bar {
            Some(bar) => {
                bar.set_length(steps as u64);
                bar.set_position(0);
                bar.set_prefix(what.to_owned());
                bar.set_message("");
            }
            None => output::tell(what),
        }
    }

    fn step(&self, left_s: Option<f64>) {
        let Some(bar) = &self.bar else { return };
        bar.inc(1);
        if let Some(left_s) = left_s {
            bar.set_message(format!(", about {} left", in_words(left_s)));
        }
    }
}
