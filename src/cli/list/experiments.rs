//! `splitpoint list experiments`: the experiment files that ship, what each asks, and how many searches it takes.

use std::io::{self, Write, stdout};
use std::path::Path;

use serde::Serialize;

use crate::cli::error::CliError;
use crate::cli::output;
use crate::lab::shipped::{EXPERIMENTS, Shipped};
use crate::lab::{Experiment, Plan};
use crate::report::charts;
use crate::table::{Columns, Table};

#[derive(Serialize)]
struct Report {
    experiments: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    experiment: &'static str,
    title: String,
    question: String,
    /// Number of searches on this computer: those on real threads depend on its cores.
    searches: usize,
    positions: usize,
}

pub fn print(as_json: bool) -> Result<(), CliError> {
    let experiments = EXPERIMENTS.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    let mut out = stdout().lock();
    match as_json {
        true => output::json(&mut out, &Report { experiments })?,
        false => experiments.iter().try_for_each(|entry| print_text(&mut out, entry))?,
    }
    Ok(())
}

pub fn table() -> Result<Table, CliError> {
    let columns = Columns::new().with("experiment", "", |entry: &Entry| format!("`{}`", entry.experiment)).with(
        "question",
        "",
        |entry| entry.question.clone(),
    );
    Ok(columns.table("", "", EXPERIMENTS.iter().map(entry).collect::<Result<Vec<_>, _>>()?))
}

fn entry(shipped: &Shipped) -> Result<Entry, CliError> {
    let file = format!("{}.toml", shipped.name);
    let experiment = Experiment::parse(Path::new(&file), shipped.text, &[], &charts::names())?;
    let plan = Plan::of(&experiment, "")?;
    Ok(Entry {
        experiment: shipped.name,
        title: experiment.description.title,
        question: shipped.question(),
        searches: plan.cells.len(),
        positions: plan.description.positions.len(),
    })
}

fn print_text(out: &mut impl Write, entry: &Entry) -> io::Result<()> {
    let lead = format!("{:<15} {:>5} searches  ", entry.experiment, entry.searches);
    output::paragraph(out, &lead, &entry.question)
}
