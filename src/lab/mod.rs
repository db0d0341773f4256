//! The laboratory: from an experiment file to a plan of cells, from the plan to records in a journal.

mod cell;
mod description;
mod record;

pub use cell::{Cell, Configuration, Depth, MachineKind, SEQUENTIAL};
pub use description::{Baseline, Description, Factorial, IntervalKind, PositionInfo};
pub use record::{Activities, CellResult, Measured, Record, SplitCounts, Surroundings, WorkerRecord, WorkerWatch};
