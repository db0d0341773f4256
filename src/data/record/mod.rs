//! What outlives the engine: cells, configurations, records, journals and run folders. Plain data; no engine.
//!
//! The laboratory writes it and the report reads it. Neither knows the other.

mod attempts;
pub mod axes;
pub mod calendar;
mod cell;
pub mod contribution;
mod defined;
mod description;
pub mod digest;
mod environment;
mod figure;
pub mod folder;
mod folder_error;
mod game;
pub mod journal;
mod judgement;
mod merge;
mod named;
mod named_counts;
mod new_folder;
mod outline;
mod own_file;
mod packed;
mod promise;
mod quietness;
mod readings;
mod result;
mod sanity;
mod seal;
mod shared;
mod split_distributions;
mod states;
mod tournament;
pub mod validation;

pub use crate::counts::{Activities, Disturbance, SplitTimes};
pub use attempts::{Attempts, Run, attempts};
pub use axes::{AXES, Axis};
pub use cell::{Cell, Configuration, Depth, DisturbedBy, MachineKind, SEQUENTIAL, Seconds};
pub use defined::Defined;
pub use description::{
    Asks, Baseline, Column, Description, FORMAT, Factorial, PositionInfo, Reference, Repriced, Schedule, TwinFigure,
    Twins,
};
pub use digest::{Digest, digest};
pub use environment::{Build, Environment, Finding, SERIOUS, Session};
pub use figure::{Figure, MICRO_TIME, MICROS, MultiplierSet, Unit};
pub use game::{Ending, GameRecord, GameResult};
pub use judgement::{Judgement, Judging, Subject};
pub use merge::{MergeError, Merged, merge};
pub use named::{Change, Named, WITHOUT};
pub use named_counts::NamedCounts;
pub use new_folder::NewFolder;
pub use outline::{LogTimes, Outline, Outlines};
pub use promise::{IntervalKind, Promise};
pub use quietness::{Account, DISTURBING_NEIGHBOURS, DISTURBING_SHARE, judge};
pub use result::{
    Busiest, CellResult, DepthAnswer, Measured, OVERSUBSCRIBED, Quietness, Record, Sharing, Surroundings, WorkerRecord,
};
pub use sanity::{MOST_THREADS, contradiction};
pub use seal::sealed;
pub use shared::{Shared, Word};
pub use split_distributions::SplitDistributions;
pub use states::State;
pub use tournament::{CLAIMS, Form, Pairing, Part, PlayerInfo, TOURNAMENT, TestInfo, Tournament, distinguishing};
