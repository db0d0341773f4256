//! `splitpoint list strategies`: ways to share a search among processors, with their parameters.

use std::io::{self, Write, stdout};

use serde::Serialize;

use crate::cli::error::CliError;
use crate::cli::output;
use crate::parallel::{AnyStrategy, Parameter};
use crate::settings::Kind;
use crate::table::{Columns, Table};

const INDENT: &str = "      ";

#[derive(Serialize)]
struct Report {
    strategies: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    strategy: &'static str,
    title: &'static str,
    parameters: Vec<ParameterEntry>,
}

#[derive(Serialize)]
struct ParameterEntry {
    parameter: &'static str,
    default: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<[i32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<&'static [&'static str]>,
    meaning: &'static str,
}

pub fn print(as_json: bool) -> Result<(), CliError> {
    let mut out = stdout().lock();
    if as_json {
        output::json(&mut out, &Report { strategies: AnyStrategy::all().iter().map(entry).collect() })?;
    } else {
        AnyStrategy::all().iter().try_for_each(|strategy| print_text(&mut out, strategy))?;
    }
    Ok(())
}

pub fn tables() -> Vec<Table> {
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

fn entry(strategy: &AnyStrategy) -> Entry {
    let parameters = strategy.parameters().into_iter().map(|parameter| {
        let Parameter { name, kind, default, meaning, .. } = parameter;
        let (range, unit, choices) = match kind {
            Kind::Switch => (None, None, None),
            Kind::Amount { least, most, unit } => (Some([least, most]), Some(unit), None),
            Kind::Choice { names } => (None, None, Some(names)),
        };
        ParameterEntry { parameter: name, default, range, unit, choices, meaning }
    });
    Entry { strategy: strategy.name(), title: strategy.title(), parameters: parameters.collect() }
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
