//! `splitpoint list strategies`: ways to share a search among processors, with their parameters.

use std::collections::HashSet;
use std::io::{self, Write};

use serde::Serialize;

use super::Listing;
use super::features::amount;
use crate::commands::error::{CliError, did_you_mean};
use crate::commands::output::{self, object};
use crate::parallel::{AnyStrategy, Parameter};
use crate::settings::Kind;
use crate::table::{Columns, Table};

const INDENT: &str = "      ";

/// All strategies, or those with these names.
pub fn listing(names: &[String]) -> Result<Listing, CliError> {
    let mut strategies = AnyStrategy::all();
    if let Some(unknown) = names.iter().find(|name| strategies.iter().all(|one| one.name() != name.as_str())) {
        let hint = did_you_mean(unknown, strategies.iter().map(|one| one.name().to_owned()));
        return Err(CliError::BadInput(format!("there is no strategy '{unknown}'{hint}")));
    }
    strategies.retain(|one| names.is_empty() || names.iter().any(|name| name == one.name()));
    let json = object! { strategies: strategies.iter().map(json).collect::<Vec<_>>() };
    let (mut text, mut told) = (Vec::new(), HashSet::new());
    strategies.iter().try_for_each(|strategy| print_text(&mut text, strategy, &mut told))?;
    Ok(Listing::new(&json, tables(&strategies), text)?)
}

fn tables(strategies: &[AnyStrategy]) -> Vec<Table> {
    let names = Columns::new().with("strategy", "", |strategy: &AnyStrategy| format!("`{}`", strategy.name())).with(
        "how processors share a search",
        "",
        |strategy| strategy.title(),
    );
    let of_one = |strategy: &AnyStrategy| {
        let columns = Columns::new()
            .with("parameter", "", |parameter: &Parameter| format!("`{}`", parameter.name))
            .with("default", "", |parameter| format!("{}{}", parameter.default, parameter.kind))
            .with("meaning", "", |parameter| parameter.meaning);
        columns.table(format!("Parameters of `{}`", strategy.name()), "", strategy.parameters())
    };
    let with_parameters = strategies.iter().filter(|strategy| !strategy.parameters().is_empty());
    let first = names.table("", "", strategies.iter().copied());
    std::iter::once(first).chain(with_parameters.map(of_one)).collect()
}

fn json(strategy: &AnyStrategy) -> impl Serialize + use<> {
    let parameters = strategy.parameters().into_iter().map(|Parameter { name, kind, default, meaning, .. }| {
        let choice = match kind {
            Kind::Choice { names } => Some(object! { choices: names }),
            Kind::Switch | Kind::Amount { .. } => None,
        };
        object! {
            parameter: name, default,
            #[serde(flatten)]
            amount: amount(kind),
            #[serde(flatten)]
            choice,
            meaning,
        }
    });
    object! { strategy: strategy.name(), title: strategy.title(), parameters: parameters.collect::<Vec<_>>() }
}

/// Prints a strategy with those of its parameters that no other has told; the others by their names.
fn print_text(
    out: &mut impl Write,
    strategy: &AnyStrategy,
    told: &mut HashSet<(&'static str, String, &'static str)>,
) -> io::Result<()> {
    output::paragraph(out, &format!("{:<17}", strategy.name()), strategy.title())?;
    let mut is_new = |one: &Parameter| told.insert((one.name, format!("{}{}", one.default, one.kind), one.meaning));
    let (new, again): (Vec<_>, Vec<_>) = strategy.parameters().into_iter().partition(|one| is_new(one));
    if !again.is_empty() {
        let names: Vec<&str> = again.iter().map(|one| one.name).collect();
        output::paragraph(out, "  as above: ", &names.join(", "))?;
    }
    for parameter in new {
        let value = format!("{}{}", parameter.default, parameter.kind);
        output::paragraph(out, &format!("  {:<18} ", parameter.name), &value)?;
        output::paragraph(out, INDENT, parameter.meaning)?;
    }
    Ok(())
}
