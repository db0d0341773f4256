//! Display of a validation or a calibration: on a terminal the phase and the time left, elsewhere a line for each
//! phase.

use indicatif::ProgressBar;

use super::super::output;
use crate::lab::pace::in_words;
use crate::lab::validation::PhaseObserver;

/// Display with a bar, on a terminal.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    pub fn new() -> Self {
        Self(output::bar(0, "[{bar:30}] {pos}/{len} {prefix}{msg}"))
    }

    /// Removes the display.
    pub fn clear(&self) {
        self.0.iter().for_each(ProgressBar::finish_and_clear);
    }
}

impl PhaseObserver for Progress {
    fn phase(&self, what: &str, steps: usize) {
        let Some(bar) = &self.0 else { return output::tell(what) };
        bar.reset();
        bar.set_length(steps as u64);
        bar.set_prefix(what.to_owned());
        bar.set_message("");
    }

    fn step(&self, left_s: Option<f64>) {
        let Some(bar) = &self.0 else { return };
        bar.inc(1);
        if let Some(left_s) = left_s {
            bar.set_message(format!(", about {} left", in_words(left_s)));
        }
    }
}
