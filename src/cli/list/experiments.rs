//! `splitpoint list experiments`: the experiment files that ship, what each asks, and how many searches it takes.

use std::path::Path;

use super::Listing;
use crate::cli::error::CliError;
use crate::cli::output::{self, object};
use crate::lab::shipped::EXPERIMENTS;
use crate::lab::{Experiment, Plan};
use crate::report::charts;
use crate::table::Columns;

pub fn listing() -> Result<Listing, CliError> {
    let (mut entries, mut questions, mut text) = (Vec::new(), Vec::new(), Vec::new());
    for shipped in EXPERIMENTS {
        let file = format!("{}.toml", shipped.name);
        let experiment = Experiment::parse(Path::new(&file), shipped.text, &[], &charts::names())?;
        let plan = Plan::of(&experiment, "")?;
        let question = experiment.description.question_on_one_line();
        // Searches on this computer: those on real threads depend on its cores.
        let searches = plan.cells.len();
        output::paragraph(&mut text, &format!("{:<15} {searches:>5} searches  ", shipped.name), &question)?;
        questions.push((shipped.name, question.clone()));
        entries.push(object! {
            experiment: shipped.name,
            title: experiment.description.title,
            question: question,
            searches: searches,
            positions: plan.description.positions.len(),
        });
    }
    let columns = Columns::new().with("experiment", "", |(name, _): &(&str, String)| format!("`{name}`")).with(
        "question",
        "",
        |(_, question)| question.clone(),
    );
    Ok(Listing::new(&object! { experiments: entries }, vec![columns.table("", "", questions)], text)?)
}
