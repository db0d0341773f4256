//! The command line: one file a subcommand, each thin. Results go to standard output, progress and errors to standard
//! error.

mod bench;
mod board_args;
mod compare;
mod completions;
mod error;
mod interrupt;
mod list;
mod machine;
mod merge;
mod output;
mod perft;
mod position_args;
mod report;
mod reproduce;
mod run;
mod search;
mod validate;
mod values;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::CliError;

/// A research laboratory for parallel game-tree search
#[derive(Parser)]
#[command(name = "splitpoint", version, max_term_width = 110, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Reproduce(reproduce::Reproduce),
    Report(report::Report),
    Compare(compare::Compare),
    Merge(merge::Merge),
    Search(Box<search::Search>),
    Bench(bench::Bench),
    Perft(perft::Perft),
    List(list::List),
    Machine(machine::Machine),
    Validate(validate::Validate),
    Completions(completions::Completions),
}

/// Parses, runs and reports. Status 0: done; 1: it failed; 2: bad usage or bad input.
pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Run(run) => run.run(),
        Command::Reproduce(reproduce) => reproduce.run(),
        Command::Report(report) => report.run(),
        Command::Compare(compare) => compare.run(),
        Command::Merge(merge) => merge.run(),
        Command::Search(search) => search.run(),
        Command::Bench(bench) => bench.run(),
        Command::Perft(perft) => perft.run(),
        Command::List(list) => list.run(),
        Command::Machine(machine) => machine.run(),
        Command::Validate(validate) => validate.run(),
        Command::Completions(completions) => completions.run(),
    };
    match result {
        Ok(()) | Err(CliError::ReaderGone) => ExitCode::SUCCESS,
        Err(error) => {
            output::tell(format_args!("error: {error}"));
            error.status()
        }
    }
}
