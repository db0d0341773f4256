//! `splitpoint list tournaments`: the tournament files that ship, what each asks, and how many games it takes.

use std::path::Path;

use super::Listing;
use crate::commands::error::CliError;
use crate::commands::output::{self, object};
use crate::play::tournament::parse;
use crate::play::tournament::shipped::TOURNAMENTS;
use crate::table::columns;

pub fn listing() -> Result<Listing, CliError> {
    let (mut entries, mut questions, mut text) = (Vec::new(), Vec::new(), Vec::new());
    for shipped in TOURNAMENTS {
        let file = format!("{}.toml", shipped.name);
        let tournament = parse(Path::new(&file), shipped.text, &[])?;
        let (games, players) = (tournament.total_games(), tournament.players.len());
        output::paragraph(&mut text, &format!("{:<16} {games:>5} games  ", shipped.name), &tournament.question)?;
        questions.push((shipped.name, tournament.question.clone()));
        let (title, question, form) = (tournament.title, tournament.question, tournament.form.name());
        entries.push(object! { tournament: shipped.name, title, question, form, players, games });
    }
    let columns = columns! { (&str, String), row;
        "tournament": "" => format!("`{}`", row.0);
        "question": "" => row.1.clone();
    };
    Ok(Listing::new(&object! { tournaments: entries }, vec![columns.table("", "", questions)], text)?)
}
