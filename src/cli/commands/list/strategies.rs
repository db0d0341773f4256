//! `splitpoint list strategies`: ways to share a search among processors, with their parameters.

use std::io::{self, Write};

use serde::Serialize;

use super::Listing;
use super::features::amount;
use crate::commands::output::{self, object};
use crate::parallel::{AnyStrategy, Parameter};
use crate::settings::Kind;
use crate::table::{Columns, Table};

const INDENT: &str = "      ";

pub fn listing() -> io::Result<Listing> {
    let strategies = AnyStrategy::all();
    let json = object! { strategies: strategies.iter().map(json).collect::<Vec<_>>() };
    let mut text = Vec::new();
    strategies.iter().try_for_each(|strategy| print_text(&mut text, strategy))?;
    Listing::new(&json, tables(), text)
}

fn tables() -> Vec<Table> {
    let strategies = Columns::new()
        .with("strategy", "", |strategy: &AnyStrategy| format!("`{}`", strategy.name()))
        .with("how processors share a search", "", |strategy| strategy.title());
    let of_one = |strategy: AnyStrategy| {
        let columns = Columns::new()
            .with("parameter", "", |parameter: &Parameter| format!("`{}`", parameter.name))
            .with("default", "", |parameter| format!("{}{}", parameter.default, parameter.kind))
            .with("meaning", "", |parameter| parameter.meaning);
        columns.table(format!("Parameters of `{}`", strategy.name()), "", strategy.parameters())
    };
    let with_parameters = AnyStrategy::all().into_iter().filter(|strategy| !strategy.parameters().is_empty());
    let first = strategies.table("", "", AnyStrategy::all());
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

fn print_text(out: &mut impl Write, strategy: &AnyStrategy) -> io::Result<()> {
    output::paragraph(out, &format!("{:<17}", strategy.name()), strategy.title())?;
    for parameter in strategy.parameters() {
        let value = format!("{}{}", parameter.default, parameter.kind);
        output::paragraph(out, &format!("  {:<18} ", parameter.name), &value)?;
        output::paragraph(out, INDENT, parameter.meaning)?;
    }
    Ok(())
}
