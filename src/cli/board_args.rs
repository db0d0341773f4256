//! `--board` and `--sliders`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::error::CliError;
use crate::chess::choice::{BoardChoice, SlidersChoice};

#[derive(Args)]
pub struct BoardArgs {
    /// Board representation
    #[arg(long, value_name = "B", default_value = BoardChoice::NAMES[0],
          value_parser = PossibleValuesParser::new(BoardChoice::NAMES))]
    board: String,

    /// How bishops and rooks slide on bitboards [default: magic]
    #[arg(long, value_name = "S",
          value_parser = PossibleValuesParser::new(SlidersChoice::ALL.map(SlidersChoice::name)).map(sliders_named))]
    sliders: Option<SlidersChoice>,
}

fn sliders_named(name: String) -> SlidersChoice {
    SlidersChoice::ALL.into_iter().find(|sliders| sliders.name() == name).unwrap_or_default()
}

impl BoardArgs {
    /// The chosen board, if it exists and this processor can run it.
    pub fn choice(&self) -> Result<BoardChoice, CliError> {
        let is_mailbox = self.board == BoardChoice::Mailbox.name();
        let choice = match self.sliders {
            Some(sliders) if is_mailbox => {
                return Err(CliError::BadInput(format!(
                    "--sliders {} belongs to bitboards; the mailbox slides square by square",
                    sliders.name()
                )));
            }
            None if is_mailbox => BoardChoice::Mailbox,
            sliders => BoardChoice::Bitboards(sliders.unwrap_or_default()),
        };
        choice.check()?;
        Ok(choice)
    }
}
