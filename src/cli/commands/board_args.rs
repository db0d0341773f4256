//! `--board` and `--sliders`.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::error::CliError;
use crate::chess::choice::{BoardChoice, SlidersChoice};

/// Arguments that choose a board: one of all if `ALL`, else one that searches have.
#[derive(Args)]
pub struct BoardArgs<const ALL: bool = false> {
    /// Board representation
    #[arg(long, value_name = "B", default_value = BoardChoice::NAMES[0],
          value_parser = PossibleValuesParser::new(possible(ALL)))]
    board: String,

    #[arg(long, value_name = "S", value_parser = PossibleValuesParser::new(SlidersChoice::NAMES),
          help = format!("How bishops and rooks slide on bitboards [default: {}]", SlidersChoice::default()))]
    sliders: Option<String>,
}

/// Names of all boards. Those that no search is compiled for are not listed unless all are, but taken, so that they are
/// refused in words that say how to have them.
fn possible(all: bool) -> impl Iterator<Item = PossibleValue> {
    let is_listed = move |name| all || BoardChoice::NAMES.contains(name);
    BoardChoice::ALL_NAMES.iter().map(move |name| PossibleValue::new(*name).hide(!is_listed(name)))
}

impl<const ALL: bool> BoardArgs<ALL> {
    /// The chosen board, if it exists and this processor can run it.
    pub fn choice(&self) -> Result<BoardChoice, CliError> {
        Self::of(&self.board, self.sliders.as_deref())
    }

    /// The board of these names, if it exists and this processor can run it.
    pub fn of(board: &str, sliders: Option<&str>) -> Result<BoardChoice, CliError> {
        let from_names = if ALL { BoardChoice::any_from_names } else { BoardChoice::from_names };
        let choice = from_names(board, sliders)?;
        if let (Some(sliders), None) = (sliders, choice.sliders()) {
            let message =
                format!("--sliders {sliders} applies to bitboards only; board {board} has no sliding methods");
            return Err(CliError::BadInput(message));
        }
        choice.check()?;
        Ok(choice)
    }
}
