//! Judging the moves of a run when its cells have been measured, with its progress on standard error.

use std::io::{IsTerminal, stderr};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::super::error::CliError;
use super::super::output::{style, tell};
use crate::lab::judge::{Judges, expected};
use crate::lab::{Experiment, Laboratory, Plan, Shard, SharedJournal};
use crate::machine::RealMachine;
use crate::record::folder::RunFolder;
use crate::record::journal::{self, Journal};

/// Time between two lines of a log.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Judges the moves of these records, if the experiment asks for it, and keeps the judgements in the folder.
pub fn judge(
    experiment: &Experiment,
    folder: &RunFolder,
    shared: &SharedJournal,
    session: &str,
) -> Result<(), CliError> {
    let Some(plies_deeper) = experiment.description.judge else { return Ok(()) };
    let mut known = Vec::new();
    let (mut judgements, warnings) = Journal::open(&folder.path, |judgement| known.push(judgement))?;
    warnings.iter().for_each(|warning| tell(format_args!("warning: {warning}")));
    let records = journal::read(&folder.path)?;
    let bar = stderr().is_terminal().then(|| {
        let bar = ProgressBar::new(0).with_style(style("[{bar:30}] {pos}/{len} {msg}"));
        bar.with_message("positions and moves judged")
    });
    let (begun, lines) = (Instant::now(), std::sync::atomic::AtomicU64::new(0));
    let progress = |done: usize, all: usize| {
        if let Some(bar) = &bar {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            return;
        }
        let line = begun.elapsed().as_secs() / LINE_EVERY.as_secs();
        if line > lines.swap(line, std::sync::atomic::Ordering::Relaxed) {
            tell(format_args!("{done}/{all} positions and moves judged"));
        }
    };
    let writing = |write: &mut dyn FnMut()| {
        let _nobody_ends_the_program = shared.lock().unwrap_or_else(PoisonError::into_inner);
        write();
    };
    let judges =
        Judges { plies_deeper, limit_s: experiment.conduct.limit_s, session, writing: &writing, progress: &progress };
    let failures = judges.judge(&records, &mut judgements, &mut known);
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    if let [first, ..] = failures?.as_slice() {
        tell(format_args!("some moves could not be judged; the first: {first}"));
    }
    Ok(())
}

/// Number of the searches that judging a plan's moves will take, as far as it can be told, and their time in seconds.
pub fn foretell(plan: &Plan, shard: Option<Shard>, laboratory: &Laboratory) -> Option<(usize, f64)> {
    let searches = expected(&plan.part(shard), plan.description.judge?);
    if searches.is_empty() {
        // Runs that no depth limits are judged by what they will reach.
        return None;
    }
    let cells: Vec<_> = (0..).zip(&searches).collect();
    let side_by_side = RealMachine::room().min(searches.len()).max(1) as f64;
    Some((searches.len(), crate::lab::estimate::estimate(&cells, laboratory).real_s / side_by_side))
}
