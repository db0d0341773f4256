//! `splitpoint compare`: run folders side by side.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::error::CliError;
use super::output;
use crate::lab::share;
use crate::record::IntervalKind;
use crate::report::compare::{self, Question};

/// Compare run folders: ratios with intervals, and what can be claimed
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint reproduce --quick --out /tmp/c1
  splitpoint reproduce --quick --out /tmp/c2
  splitpoint compare /tmp/c1 /tmp/c2
  splitpoint compare /tmp/c1 /tmp/c2 --margin 10% --csv /tmp/compared.csv --page /tmp/compared.html
  splitpoint compare /tmp/c1 /tmp/c2 --ignore board,features --json

Each folder is compared with the first, configuration by configuration, at the positions that both have searched.")]
pub struct Compare {
    /// Run folders; the others are compared with the first
    #[arg(value_name = "DIR", required = true, num_args = 2..)]
    folders: Vec<PathBuf>,

    /// Positions for which intervals and tests hold [default: as in the first folder]
    #[arg(long, value_enum)]
    interval: Option<Interval>,

    /// Largest difference that still counts as equivalent, such as 5% or 0.05
    #[arg(long, default_value = "5%", value_parser = margin)]
    margin: f64,

    /// Fields in which two configurations may differ and still be compared, such as board,features
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    ignore: Vec<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Also write a page to this file
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Also write the comparison to this file, as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Interval {
    /// These positions, searched again: only runs vary
    These,
    /// Other positions of the same kind: runs and positions vary
    Like,
}

fn margin(text: &str) -> Result<f64, String> {
    share(text).ok_or_else(|| "expected a share such as 5% or 0.05".to_owned())
}

impl Compare {
    pub fn run(&self) -> Result<(), CliError> {
        let interval = self.interval.map(|interval| match interval {
            Interval::These => IntervalKind::ThesePositions,
            Interval::Like => IntervalKind::PositionsLikeThese,
        });
        let question = Question { interval, margin: self.margin, ignored: self.ignore.clone() };
        let compared = compare::compare(&self.folders, &question)?;
        if let Some(path) = &self.csv {
            output::file(path, compared.csv()?)?;
        }
        if let Some(path) = &self.page {
            output::file(path, compared.page()?)?;
        }
        let mut out = stdout().lock();
        match self.json {
            true => output::json(&mut out, &compare::json(&compared))?,
            false => write!(out, "{}", compared.text())?,
        }
        Ok(())
    }
}
