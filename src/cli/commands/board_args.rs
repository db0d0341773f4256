//! `--board` and `--sliders`.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::error::CliError;
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::engine::compiled;

/// Arguments that choose a board.
#[derive(Args)]
pub struct BoardArgs {
    /// Board representation
    #[arg(long, value_name = "B", default_value = BoardChoice::NAMES[0],
          value_parser = PossibleValuesParser::new(BoardChoice::NAMES))]
    board: String,

    #[arg(long, value_name = "S", value_parser = PossibleValuesParser::new(SlidersChoice::NAMES),
          help = format!("How bishops and rooks slide on bitboards [default: {}]", SlidersChoice::default()))]
    sliders: Option<String>,
}

impl BoardArgs {
    /// The chosen board, if it exists and this processor can run it.
    pub fn choice(&self) -> Result<BoardChoice, CliError> {
        Self::of(&self.board, self.sliders.as_deref())
    }

    /// The chosen board, if it can be searched on, on real threads.
    pub fn searched(&self) -> Result<BoardChoice, CliError> {
        let choice = self.choice()?;
        compiled::check(choice)?;
        Ok(choice)
    }

    /// The board of these names, if it exists and this processor can run it.
    pub fn of(board: &str, sliders: Option<&str>) -> Result<BoardChoice, CliError> {
        let choice = BoardChoice::from_names(board, sliders)?;
        if let (Some(sliders), None) = (sliders, choice.sliders()) {
            let message =
                format!("--sliders {sliders} applies to bitboards only; board {board} has no sliding methods");
            return Err(CliError::BadInput(message));
        }
        choice.check()?;
        Ok(choice)
    }
}
