//! `splitpoint micro`: what can be asked for. The program beside this one that makes micro-measurements takes the same
//! arguments.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::error::CliError;
use super::hand_over::hand_over;
use super::values;
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::lab::companions::MEASURER;
use crate::lab::duration;
use crate::record::{MICRO_TIME, MultiplierSet};
use crate::search::DEEPEST;

/// Name that asks for the list of what there is.
pub const LIST: &str = "list";

/// Measure single operations of boards, locks and threads, beside published tables
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint micro list
  splitpoint micro make-unmake
  splitpoint micro make-unmake --board bitboards --sliders magic --position BK09
  splitpoint micro brute-force --depth 2 --csv
  splitpoint micro bits --time 10ms --json
  splitpoint micro make-unmake --page /tmp/boards.html
  splitpoint micro magics --print --seed 7
  splitpoint micro magics --print multipliers

Times depend on the computer and on whatever else runs on it; quote ratios. Intervals are of 95 %, over batches.")]
pub struct Micro {
    /// Name of a micro-measurement, or 'list'
    pub name: String,

    /// Board representation [default: all that this processor can run]
    #[arg(long, value_name = "B", value_parser = PossibleValuesParser::new(BoardChoice::NAMES))]
    pub board: Option<String>,

    /// Sliding method of bishops and rooks on bitboards [default: all that this processor can run]
    #[arg(long, value_name = "S", value_parser = PossibleValuesParser::new(SlidersChoice::NAMES))]
    pub sliders: Option<String>,

    /// FEN, 'startpos', id of a position that ships (BK09), or name of a suite [default: the measurement's own]
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,

    /// Depth of trees and searches [default: the measurement's own]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=DEEPEST.into()))]
    pub depth: Option<u32>,

    /// Time for each figure
    #[arg(long, value_name = "TIME", value_parser = duration::parse,
          help = format!("Time for each figure, as 500ms or 2s [default: {}ms]", MICRO_TIME.as_millis()))]
    pub time: Option<Duration>,

    /// Also write a page to this file: ours beside what is published, as a picture
    #[arg(long, value_name = "FILE", conflicts_with_all = ["print", "check"])]
    pub page: Option<PathBuf>,

    /// Seed of the order of batches and of all that is drawn at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Print the figures of each position, not only their means
    #[arg(long)]
    pub rows: bool,

    /// Measure nothing: print a set of magic multipliers [without a value: seeds]
    #[arg(long, value_name = "SET", num_args = 0..=1, default_missing_value = MultiplierSet::NAMES[0],
          conflicts_with_all = ["json", "csv", "rows"],
          value_parser = values::choice(MultiplierSet::ALL, MultiplierSet::name, MultiplierSet::meaning))]
    pub print: Option<MultiplierSet>,

    /// Measure nothing: check the magic multipliers of a table with the columns slider, square, multiplier (as
    /// hexadecimal number) and, if tables are smaller or larger than usual, bits
    #[arg(long, value_name = "FILE", conflicts_with = "print")]
    pub check: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,

    /// Print comma-separated values
    #[arg(long)]
    pub csv: bool,
}

impl Micro {
    /// Starts the program with the same arguments.
    pub fn run(&self) -> Result<(), CliError> {
        // All behind the name of the command.
        hand_over(MEASURER, 2)
    }
}
