//! `splitpoint completions`: what a shell needs to complete our commands, with the names that arguments take.

use std::io::{Write, stdout};

use clap::builder::PossibleValuesParser;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;

use super::error::CliError;
use super::position_args;
use crate::lab::shipped::{EXPERIMENTS, Shipped};
use crate::machine::cost::CostModel;
use crate::parallel::AnyStrategy;
use crate::play::tournament::shipped::TOURNAMENTS;
use crate::record::{MICROS, MachineKind, axes};
use crate::search::features::Preset;

/// Print the completion script for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint completions bash
  splitpoint completions zsh

For bash: splitpoint completions bash > ~/.local/share/bash-completion/completions/splitpoint
Scripts hold the names of strategies, experiments, positions and so on: make them again after a new version.")]
pub struct Completions {
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(&self) -> Result<(), CliError> {
        // Into memory first: the generator panics when nobody reads its output.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(), "splitpoint", &mut script);
        stdout().lock().write_all(&script)?;
        Ok(())
    }
}

/// Our commands, with the names that arguments take as their values. Only scripts are made of it: most of these
/// arguments also take what is no name, such as a file, or a name with changes.
fn command() -> Command {
    super::Cli::command().mut_subcommands(|subcommand| {
        let name = subcommand.get_name().to_owned();
        subcommand.mut_args(|arg| match names(&name, arg.get_id().as_str()) {
            Some(names) => arg.value_parser(PossibleValuesParser::new(names)),
            None => arg,
        })
    })
}

/// Names that an argument of a subcommand takes, where the argument does not list them itself.
fn names(subcommand: &str, argument: &str) -> Option<Vec<&'static str>> {
    let shipped = |files: &[Shipped]| files.iter().map(|file| file.name).collect();
    Some(match (subcommand, argument) {
        ("run", "experiment") => shipped(EXPERIMENTS),
        ("tournament", "file") => shipped(TOURNAMENTS),
        ("micro", "name") => MICROS.into_iter().chain([super::micro::LIST]).collect(),
        ("match", "a" | "b") | (_, "features") => Preset::NAMES.to_vec(),
        ("compare", "ignore") => axes::names().collect(),
        (_, "strategy" | "b_strategy") => AnyStrategy::NAMES.to_vec(),
        (_, "costs") => CostModel::NAMES.to_vec(),
        (_, "machine") => MachineKind::NAMES.to_vec(),
        // A shell would take a name with a blank for two. Names are kept until the program ends, soon after.
        (_, "position") => {
            position_args::names().filter(|name| !name.contains(' ')).map(|name| &*name.leak()).collect()
        }
        _ => return None,
    })
}
