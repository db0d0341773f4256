//! A run beside the last one of the same plan: whether anything has changed since.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Measure, Question, SideBySide, Verdict, compare};
use crate::question::Subject;
use crate::record::folder::description;
use crate::record::journal::JOURNAL;

/// Bytes of a journal up to which it is read again for this.
const MOST_BYTES: u64 = 64 << 20;
/// Digits of a commit that tell it from others.
const DIGITS: usize = 10;

/// The last run of the plan of this folder among the folders in these places, and what has changed since, in words.
/// Nothing if there is none, or if it cannot be compared.
pub fn since_last(folder: &Path, places: &[&Path]) -> Option<(PathBuf, String)> {
    let own = description(folder).ok()?;
    let is_this = |path: &Path| path.canonicalize().ok() == folder.canonicalize().ok();
    let small = |path: &Path| path.join(JOURNAL).metadata().ok().filter(|journal| journal.len() <= MOST_BYTES);
    small(folder)?;
    let inside = places.iter().filter_map(|place| std::fs::read_dir(place).ok()).flatten().flatten();
    let found = inside.map(|entry| entry.path()).filter(|path| !is_this(path)).filter_map(|path| {
        let written = small(&path)?.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let other = description(&path).ok()?;
        ((&other.plan, other.shard) == (&own.plan, own.shard)).then_some((written, path))
    });
    let (_, last) = found.max()?;
    let both = compare(&[last.clone(), folder.to_owned()], &Question::default()).ok()?;
    Some((last, both.changes()))
}

impl SideBySide {
    /// What has changed from the first folder to the second: first the figures, then what else may be the reason.
    fn changes(&self) -> String {
        let of_times = || self.counterparts.iter().map(|pair| Measure::Time.of(pair).verdict);
        let is_same = |verdict: Verdict| matches!(verdict, Verdict::Identical | Verdict::Equal | Verdict::Equivalent);
        let figures = match self.only_in.is_empty() && of_times().all(is_same) {
            true => "no change".to_owned(),
            false => self.headline().verdict.to_string(),
        };
        let short = |commit: &str| commit.chars().take(DIGITS).collect::<String>();
        let others: Vec<String> = self
            .differences
            .iter()
            .map(|one| match one.what.as_str() {
                "commit" => format!("commit ({} to {})", short(&one.values[0]), short(&one.values[1])),
                what => what.to_owned(),
            })
            .collect();
        let others = if others.is_empty() { String::new() } else { format!("; not the same: {}", others.join(", ")) };
        format!("{}{others}", figures.trim_end_matches('.'))
    }
}
