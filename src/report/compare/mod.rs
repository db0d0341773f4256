//! Run folders side by side: every configuration that the first folder and another have in common, over the positions
//! that both have searched. All ratios are the other folder's figure divided by the first one's.
//!
//! Runs of the two folders with the same position, seed and repetition are pairs, so that what the seed does cancels.
//! Where seeds are not common the runs of a position are compared without pairs. What is claimed is tested, with Holm's
//! correction over everything that is compared; that two are equal is claimed by an equivalence test only.

mod assembly;
mod differences;
mod json;
mod last;
mod losses;
mod matching;
mod pairs;
mod question;
mod questions;
mod side;
mod table;
#[cfg(test)]
mod tests;
mod verdict;

use std::io;
use std::path::PathBuf;

use serde::Serialize;

use crate::charts::{self, ChartError, Files};
use crate::question::Subject;
use crate::record::axes::{ENGINE, STRATEGY};
use crate::record::folder::FolderError;
use crate::record::{Configuration, IntervalKind};
use crate::statistics::{Interval, Test};
use crate::table::csv;
use crate::table::number::counted;
use crate::{page, terminal};

pub use json::json;
pub use last::since_last;
pub use question::Question;
pub(crate) use side::Side;
pub(crate) use verdict::{Measure, Verdict};

/// More folders than there are letters to name them are not compared at once.
const MOST_FOLDERS: usize = 26;

/// Folders side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct SideBySide {
    /// The folders, the first being the one that others are divided by.
    pub(crate) folders: Vec<FolderFacts>,
    /// Scope of intervals and tests.
    pub(crate) interval: IntervalKind,
    /// Share by which two may differ and still be equivalent.
    pub(crate) margin: f64,
    /// Fields in which a configuration may differ from its counterpart.
    pub(crate) ignored: Vec<String>,
    /// Differences between the folders beside their figures.
    pub(crate) differences: Vec<Difference>,
    /// Notes that a reader has to know first.
    pub(crate) notes: Vec<String>,
    /// Every configuration that was found twice.
    pub(crate) counterparts: Vec<Counterparts>,
    /// Every configuration without a counterpart.
    pub(crate) only_in: Vec<Alone>,
}

/// A folder among those that are compared, beside its figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct FolderFacts {
    /// Letter by which it is called: `A`.
    pub name: String,
    /// Path of the folder.
    pub path: String,
    /// Title of its experiment.
    pub title: String,
    /// Searches that count.
    pub searches: usize,
    /// Cells of its plan without a record.
    pub missing: u64,
    /// Cells that failed.
    pub failed: usize,
    /// Searches that count although something disturbed them.
    pub disturbed: usize,
}

/// Property in which folders differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Difference {
    /// Name of the property: `signature`.
    pub what: String,
    /// Value in each folder.
    pub values: Vec<String>,
}

/// A configuration of the first folder and its counterpart in another one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Counterparts {
    /// Place of the other folder in [`SideBySide::folders`].
    pub folder: usize,
    /// Label that distinguishes it, without the number of processors.
    pub label: String,
    /// Configuration in the first folder.
    pub configuration: Configuration,
    /// Configuration in the other folder.
    pub counterpart: Configuration,
    /// Number of positions that both have searched.
    pub positions: usize,
    /// Whether runs with the same position, seed and repetition are compared, or else all, position by position.
    pub is_paired: bool,
    /// Number of runs of the first folder and of the other.
    pub runs: [usize; 2],
    /// Ratio of times.
    pub time: Tested,
    /// Ratio of nodes.
    pub nodes: Tested,
    /// Ratio of nodes a second.
    pub nps: Interval,
    /// Ratio of time speedups, each against its own folder's baseline.
    pub speedup: Option<Speedup>,
    /// Ratio of nodes relative to the own folder's baseline: what several threads search beyond what one does.
    pub overhead: Option<Tested>,
    /// Whether all searches of the first folder, and of the other, have the nodes of their baselines: threads that do
    /// not search.
    pub are_idle: [bool; 2],
}

/// The ratio of two time speedups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Speedup {
    /// Estimate with its interval.
    pub ratio: Interval,
    /// Whether searches and baselines are paired by seed.
    pub is_paired: bool,
}

/// A ratio, and what can be claimed of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tested {
    /// Estimate with its interval.
    pub ratio: Interval,
    /// Test of a difference.
    pub test: Option<Test>,
    /// Test that a difference, if there is one, is smaller than the margin.
    pub equivalence: Option<Test>,
    /// Claim that follows.
    pub verdict: Verdict,
}

/// A configuration without a counterpart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alone {
    /// Place of the folder that has it.
    pub folder: usize,
    /// Place of the folder that does not.
    pub missing_in: usize,
    /// Label that distinguishes it, without the number of processors.
    pub label: String,
    /// The configuration itself.
    pub configuration: Configuration,
    /// Whether both have it, but no measured position in common.
    pub lacks_positions: bool,
}

/// Reasons why folders cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// One of them cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Fewer folders than two, or too many.
    #[error("{0} folders were given: expected 2 to {MOST_FOLDERS}")]
    HowMany(usize),
    /// Unknown field.
    #[error("'{field}' is not a field of a configuration{suggestion}\n  Known are {known}")]
    UnknownField {
        /// Name that was asked for.
        field: String,
        /// Nearest name, in words.
        suggestion: String,
        /// All valid names.
        known: String,
    },
    /// Times of different kinds.
    #[error("'machine' cannot be ignored: real and virtual seconds cannot be compared")]
    Machines,
    /// Several configurations that are alike but for the ignored fields.
    #[error(
        "it is not clear what to compare: ignoring {ignored}, {count} configurations in folder {folder} are the same \
         ('{label}' on the {machine} machine, processors: {threads})\n  Ignore fewer fields, or run what is to be \
         compared in folders of its own"
    )]
    Ambiguous {
        /// The name of the folder.
        folder: String,
        /// Fields that are ignored.
        ignored: String,
        /// Number of configurations that are alike.
        count: usize,
        /// Label of them.
        label: String,
        /// Number of processors.
        threads: u32,
        /// Machine on which they run.
        machine: &'static str,
    },
    /// Positions of one game do not stand for others.
    #[error(
        "the positions come from one game and do not stand for others of their kind: intervals can hold for these \
         positions only (--interval these)"
    )]
    OneGame,
    /// No configuration was found twice.
    #[error("the folders have no search in common{hint}")]
    NothingInCommon {
        /// Fields that could be ignored, in words.
        hint: String,
    },
}

impl CompareError {
    /// Whether the user asked for something that cannot be; else something failed.
    pub fn is_bad_input(&self) -> bool {
        !matches!(self, Self::Folder(error) if !error.is_bad_input())
    }
}

/// Reads folders and compares each with the first.
pub fn compare(paths: &[PathBuf], question: &Question) -> Result<SideBySide, CompareError> {
    if !(2..=MOST_FOLDERS).contains(&paths.len()) {
        return Err(CompareError::HowMany(paths.len()));
    }
    let sides = paths.iter().map(|path| Side::read(path)).collect::<Result<Vec<_>, _>>()?;
    SideBySide::of(&sides, question)
}

/// A version of an engine from outside in a run folder, which may hold others too.
#[derive(Clone, Debug)]
pub struct Version {
    /// The run folder.
    pub folder: PathBuf,
    /// Name of the engine in its experiment.
    pub engine: String,
}

/// Compares a version of an engine with the one before, whatever both are called.
pub fn versions(before: &Version, now: &Version) -> Result<SideBySide, CompareError> {
    let sides = [before, now].map(|version| Ok(Side::read(&version.folder)?.of_engine(&version.engine)));
    let sides = sides.into_iter().collect::<Result<Vec<_>, FolderError>>()?;
    let ignored = [STRATEGY, ENGINE].map(|axis| axis.name.to_owned()).to_vec();
    SideBySide::of(&sides, &Question { ignored, ..Question::default() })
}

impl SideBySide {
    /// All that a terminal shows: the verdict, and every question with its answer and its table.
    pub fn text(&self) -> String {
        format!("{}\n{}", terminal::verdict(&self.headline()), terminal::questions(self))
    }

    /// The page, as one file of HTML that needs no other.
    pub fn page(&self) -> Result<String, ChartError> {
        Ok(page::page(self, &self.headline(), &charts::draw(self, Files::default())?, None))
    }

    /// The table of all ratios, as comma-separated values.
    pub fn csv(&self) -> io::Result<Vec<u8>> {
        csv::write(&(table::COMPARED.table)(self))
    }
}

/// `1 configuration`, `2 configurations`.
fn configurations(count: usize) -> String {
    counted(count, "configuration", "configurations")
}

/// Letter of the folder at this place.
fn letter(place: usize) -> String {
    // There are no more folders than letters.
    char::from(b'A' + place as u8).to_string()
}
