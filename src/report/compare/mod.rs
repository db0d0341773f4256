//! Run folders side by side: every configuration that the first folder and another have in common, over the positions that
//! both have searched. All ratios are the other folder's figure divided by the first one's.
//!
//! Runs of the two folders with the same position, seed and repetition are pairs, so that what the seed does cancels. Where
//! seeds are not common the runs of a position are compared without pairs. What is claimed is tested, with Holm's
//! correction over everything that is compared; that two are equal is claimed by an equivalence test only.

mod assembly;
mod differences;
#[cfg(test)]
mod false_claims;
mod json;
mod matching;
mod pairs;
mod question;
mod side;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod verdict;

use std::path::PathBuf;

use crate::record::folder::FolderError;
use crate::record::{Configuration, IntervalKind};
use crate::statistics::Interval;

pub use json::json;
pub use question::Question;
pub use side::Side;
pub use table::csv;
pub use text::text;
pub use verdict::{Measure, Verdict};

/// More folders than there are letters to name them are not compared at once.
const MOST_FOLDERS: usize = 26;

/// Folders side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct SideBySide {
    /// The folders, the first being the one that others are divided by.
    pub folders: Vec<FolderFacts>,
    /// For what intervals and tests hold.
    pub interval: IntervalKind,
    /// How far two may differ and still be equivalent, as a share.
    pub margin: f64,
    /// Fields in which a configuration may differ from its counterpart.
    pub ignored: Vec<String>,
    /// What differs between the folders beside their figures.
    pub differences: Vec<Difference>,
    /// What a reader has to know.
    pub notes: Vec<String>,
    /// Every configuration that was found twice.
    pub counterparts: Vec<Counterparts>,
    /// Those that were not.
    pub only_in: Vec<Alone>,
}

/// What is said of a folder.
#[derive(Clone, Debug, PartialEq)]
pub struct FolderFacts {
    /// By which it is called: `A`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// The title of its experiment.
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

/// Something in which folders differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What: `signature`.
    pub what: String,
    /// It in each folder.
    pub values: Vec<String>,
}

/// A configuration of the first folder and its counterpart in another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterparts {
    /// The place of the other folder in [`SideBySide::folders`].
    pub folder: usize,
    /// What distinguishes it, without the number of processors.
    pub label: String,
    /// As the first folder has it.
    pub configuration: Configuration,
    /// As the other one has it.
    pub counterpart: Configuration,
    /// How many positions both have searched.
    pub positions: usize,
    /// Which runs are compared.
    pub runs: Runs,
    /// Time, as a ratio.
    pub time: Tested,
    /// Nodes, as a ratio.
    pub nodes: Tested,
    /// Nodes a second, as a ratio.
    pub nps: Interval,
    /// The time speedup, each against its own folder's baseline, as a ratio.
    pub speedup: Option<Speedup>,
}

/// Which runs of two folders are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// So many pairs with the same position, seed and repetition.
    Pairs(usize),
    /// So many of the first folder and so many of the other, position by position.
    Unpaired([usize; 2]),
}

/// The ratio of two time speedups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speedup {
    /// The ratio.
    pub ratio: Interval,
    /// Whether searches and baselines are paired by seed.
    pub is_paired: bool,
}

/// A ratio, and what can be claimed of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// The ratio.
    pub ratio: Interval,
    /// How likely so large a difference is by chance if there is none, adjusted for all that are tested.
    pub p: Option<f64>,
    /// How likely so small a difference is by chance if in truth it is as large as the margin, adjusted in the same way.
    pub p_equivalence: Option<f64>,
    /// In a word.
    pub verdict: Verdict,
}

/// A configuration without a counterpart.
#[derive(Clone, Debug, PartialEq)]
pub struct Alone {
    /// The place of the folder that has it.
    pub folder: usize,
    /// The place of the one that does not.
    pub missing_in: usize,
    /// What distinguishes it, without the number of processors.
    pub label: String,
    /// The configuration.
    pub configuration: Configuration,
    /// Whether both have it, but no measured position in common.
    pub lacks_positions: bool,
}

/// Why folders cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// One of them cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Fewer than two, or too many.
    #[error("{0} folders cannot be compared: give 2 to {MOST_FOLDERS}")]
    HowMany(usize),
    /// There is no such field.
    #[error("'{field}' is not a field of a configuration{suggestion}\n  Known are {known}")]
    UnknownField {
        /// What was asked for.
        field: String,
        /// The nearest name, in words.
        suggestion: String,
        /// All names.
        known: String,
    },
    /// Times of different kinds.
    #[error("seconds of a real machine and of a virtual one are not compared: 'machine' cannot be ignored")]
    Machines,
    /// With these fields ignored it is not clear what to compare.
    #[error(
        "it is not clear what to compare: without {ignored}, folder {folder} has {count} configurations that are \
         '{label}' on {threads}, on the {machine} machine\n  Ignore less, or run what is to be compared in folders of its own"
    )]
    Ambiguous {
        /// The name of the folder.
        folder: String,
        /// What is ignored.
        ignored: String,
        /// How many are alike.
        count: usize,
        /// What they are called.
        label: String,
        /// On how many processors.
        threads: u32,
        /// On what they run.
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
        /// What could be ignored, in words.
        hint: String,
    },
}

impl CompareError {
    /// Whether the user asked for something that cannot be; else something failed.
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Folder(error) => error.is_bad_input(),
            _ => true,
        }
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

/// How the folder at this place is called.
fn letter(place: usize) -> String {
    // There are no more folders than letters.
    char::from(b'A' + place as u8).to_string()
}
