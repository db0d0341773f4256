//! The command line: one file a subcommand, each thin. Results go to standard output, progress and errors to standard
//! error. Results that cannot be written end the program with an error, progress that cannot be shown ends nothing;
//! neither panics, so `println!` and `eprintln!`, which do, are not used.

mod bench;
pub mod board_args;
pub mod built;
mod cite;
mod claims;
mod compare;
mod completions;
mod contribute;
mod digest;
mod engine;
pub mod error;
mod export;
mod game_args;
mod games;
pub mod hand_over;
mod interrupt;
mod licences;
mod list;
mod machine;
mod man;
mod matches;
mod merge;
pub mod micro;
mod openings;
pub mod output;
mod perft;
pub mod position_args;
mod report;
mod reproduce;
mod run;
mod search;
mod show;
mod source;
mod together;
mod tournament;
mod tune;
mod uci;
mod uci_check;
mod validate;
pub mod values;
mod whatif;

use std::io::{Write, stdout};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::CliError;

use crate::engine::compiled;
use crate::engine::ranks::of_process;
use crate::lab::companions::SEARCHER;

/// A research laboratory for parallel game-tree search
#[derive(Parser)]
#[command(name = "splitpoint", version, max_term_width = 110, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Declares the subcommands, each with its arguments, which can be run.
macro_rules! commands {
    ($( $(#[$about:meta])* $Name:ident($Args:ty) ),* $(,)?) => {
        #[derive(Subcommand)]
        enum Command {
            $( $(#[$about])* $Name($Args), )*
        }

        impl Command {
            fn run(self) -> Result<(), CliError> {
                match self {
                    $( Self::$Name(arguments) => arguments.run(), )*
                }
            }
        }
    };
}

commands! {
    Run(run::Run),
    Reproduce(reproduce::Reproduce),
    Engine(engine::EngineArgs),
    Report(report::Report),
    Compare(compare::Compare),
    Claims(claims::Claims),
    Merge(merge::Merge),
    Export(export::Export),
    Digest(digest::DigestArgs),
    Search(Box<search::Search>),
    Bench(bench::Bench),
    Perft(perft::Perft),
    Show(Box<show::Show>),
    Match(Box<matches::Match>),
    Tournament(Box<tournament::TournamentArgs>),
    Openings(openings::Openings),
    Tune(Box<tune::Tune>),
    Uci(uci::Uci),
    UciCheck(uci_check::UciCheck),
    List(list::List),
    Machine(machine::Machine),
    Micro(micro::Micro),
    Validate(Box<validate::Validate>),
    Contribute(contribute::Contribute),
    #[command(name = "whatif")]
    WhatIf(whatif::WhatIf),
    Completions(completions::Completions),
    Man(man::Man),
    Cite(cite::Cite),
    Licences(licences::Licences),
}

/// Parses, runs and reports. Status 0: done; 1: it failed, which it also has when its results could not be written; 2:
/// bad usage or bad input.
pub fn run() -> ExitCode {
    let _ = crate::lab::BUILD.set(built::of_this_program);
    let _ = crate::record::journal::LEFT_OUT.set(output::warn_once);
    match together::join() {
        Ok(true) => together::part(run_command()),
        Ok(false) => ExitCode::SUCCESS,
        Err(error) => end(Err(error)),
    }
}

fn run_command() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => end(cli.command.run().or_else(|error| match error {
            CliError::Elsewhere(_) if !compiled::has_own() && of_process().is_none() => {
                hand_over::hand_over(SEARCHER, 1)
            }
            error => Err(error),
        })),
        Err(usage) => of_usage(&usage),
    }
}

/// Help and the version are results like others. A message about bad usage goes where other errors go, with the status
/// that belongs to it whether anybody can read it or not.
pub fn of_usage(usage: &clap::Error) -> ExitCode {
    if !usage.use_stderr() {
        return end(usage.print().map_err(CliError::from));
    }
    let _ = usage.print();
    ExitCode::from(usage.exit_code() as u8)
}

/// Writes what is left to be written, and tells of an error.
pub fn end(result: Result<(), CliError>) -> ExitCode {
    match result.and_then(|()| Ok(stdout().flush()?)) {
        Ok(()) | Err(CliError::ReaderGone) => ExitCode::SUCCESS,
        Err(error) => {
            output::tell(format_args!("error: {error}"));
            error.status()
        }
    }
}
