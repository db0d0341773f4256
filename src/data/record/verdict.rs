//! Findings of a judge of the precision of a run: the report judges and the laboratory adds, and neither knows the
//! other. Plain data.

use super::cell::Configuration;

/// Size of an experiment that is as good as endless.
pub const BEYOND_ALL: u64 = 1 << 20;

/// Thing that makes intervals narrower when there is more of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addition {
    /// Runs of each position: only runs vary.
    Runs,
    /// Positions: they vary too.
    Positions,
}

/// Configuration whose interval is too wide.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// The configuration.
    pub configuration: Configuration,
    /// Number of runs of each position, or of positions, with which the interval is expected to be narrow enough, up to
    /// [`BEYOND_ALL`]; none while too little is known to say so.
    pub size: Option<u64>,
}

/// Judgement on all intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Number of configurations with a time speedup.
    pub judged: usize,
    /// Thing to add.
    pub addition: Addition,
    /// Configurations whose interval is too wide, or not known.
    pub needs: Vec<Need>,
}
