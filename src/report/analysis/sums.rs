//! Sums of figures of several groups over their common positions: a speedup, a ratio of two, its growth. They are under
//! the same conditions as the comparison of two sides: the interval is that of a test, positions that a limit left
//! unfinished leave nothing certain, and where too many searches were disturbed it covers what the quiet ones say too.
//!
//! Runs are not paired, as they are not in the speedups of tables, so that both are the same number. For positions like
//! these pairs would change nothing: the positions tell the spread.

use crate::statistics::{Contrast, Interval};

use super::conditions::is_doubtful;
use super::grouping::{Gathered, Run, means_of_seeds};
use super::scope::Holds;

/// Logarithm of a figure of the runs of a group, which a sum adds or takes away.
pub(crate) struct Part<'a, 'g> {
    group: &'g Gathered<'a>,
    /// The figure of a run at the position of this place.
    figure: Box<dyn Fn(usize, Run<'a>) -> Option<f64> + 'g>,
    is_added: bool,
}

impl<'a, 'g> Part<'a, 'g> {
    pub fn new(group: &'g Gathered<'a>, is_added: bool, figure: impl Fn(usize, Run<'a>) -> Option<f64> + 'g) -> Self {
        Self { group, figure: Box::new(figure), is_added }
    }

    /// Figure of each seed among the runs that are accepted, by position.
    fn values(&self, accept: &impl Fn(usize, Run<'a>) -> bool) -> Vec<Vec<f64>> {
        let at = |(place, runs): (usize, &Vec<Run<'a>>)| {
            let accepted = runs.iter().filter(|run| accept(place, **run));
            means_of_seeds(accepted.map(|&run| (run, (self.figure)(place, run))))
        };
        self.group.runs.iter().enumerate().map(at).collect()
    }
}

/// Sum of parts, each a group of the same experiment.
#[derive(Default)]
pub(crate) struct Sum<'a, 'g>(pub Vec<Part<'a, 'g>>);

impl<'a> Sum<'a, '_> {
    /// The sum, with the interval that belongs to a test at this level. Nothing if all have searched no position.
    pub fn tested(&self, holds: Holds, level: f64) -> Option<Interval> {
        let all = self.contrast(|_, _| true)?;
        let interval = holds.interval_of_test(&all, level);
        Some(match () {
            () if self.0.iter().any(|part| part.group.is_cut()) => Interval::unknown(all.estimate()),
            () if self.0.iter().any(|part| is_doubtful(part.group)) => {
                let quiet = self.contrast(|_, run| run.record.is_quiet());
                let quiet = quiet.map(|quiet| holds.interval_of_test(&quiet, level)).filter(|quiet| quiet.is_known());
                quiet.map_or(Interval::unknown(all.estimate()), |quiet| Interval {
                    low: interval.low.min(quiet.low),
                    high: interval.high.max(quiet.high),
                    ..interval
                })
            }
            () => interval,
        })
    }

    /// Mean over the positions that no search of the parts left unfinished, by these runs.
    fn contrast(&self, accept: impl Fn(usize, Run<'a>) -> bool) -> Option<Contrast> {
        let is_whole = |place: usize| self.0.iter().all(|part| part.group.cut[place].is_empty());
        let values: Vec<Vec<Vec<f64>>> =
            self.0.iter().map(|part| part.values(&|place, run| is_whole(place) && accept(place, run))).collect();
        let of_kind = |is_added: bool| -> Vec<&[Vec<f64>]> {
            let parts = self.0.iter().zip(&values).filter(|(part, _)| part.is_added == is_added);
            parts.map(|(_, values)| values.as_slice()).collect()
        };
        Contrast::unpaired_sums(&of_kind(true), &of_kind(false))
    }
}
