//! Lists of what is declared once in the code and documented from there: axes, charts, columns, costs.

use std::io::{Write, stdout};

use serde_json::{Map, Value, json};

use crate::cli::error::CliError;
use crate::cli::output;
use crate::lab::axes::{About, about};
use crate::machine::cost::{Cost, CostModel};
use crate::report::charts::catalogue;
use crate::table::{Cell, Columns, Table};

/// Width of the first column in a terminal.
const LEAD: usize = 24;

pub fn axes() -> Table {
    let code = |text: &str| if text.contains(' ') { text.to_owned() } else { format!("`{text}`") };
    Columns::new()
        .with("axis", "", |axis: &About| format!("`{}`", axis.key))
        .with("what varies", "", |axis| axis.meaning)
        .with("values", "", |axis| axis.values.clone())
        .with("default", "", move |axis| code(axis.default))
        .table("", "", about())
}

pub fn charts() -> Table {
    Columns::new()
        .with("chart", "", |(name, _): &(&str, &str)| format!("`{name}`"))
        .with("what it shows", "", |(_, meaning)| *meaning)
        .table("", "", catalogue())
}

pub fn costs() -> Table {
    let models = [CostModel::reference(), CostModel::ideal(), CostModel::smp_2004()];
    let names = Columns::new().with("cost", "", |cost: &&Cost| format!("`{}`", cost.name));
    let amounts = models
        .into_iter()
        .fold(names, |columns, model| columns.with(format!("`{}`", model.name), "", move |cost| (cost.get)(&model)));
    amounts.with("meaning", "", |cost| cost.meaning).table("", "", CostModel::COSTS)
}

/// Prints tables as text, a paragraph a row, or as JSON, an object a row.
pub fn print(name: &str, tables: &[Table], as_json: bool) -> Result<(), CliError> {
    let mut out = stdout().lock();
    let plain = |text: String| text.replace('`', "");
    if as_json {
        let rows = tables.iter().flat_map(|table| {
            table.rows.iter().map(|row| {
                let file = (!table.title.is_empty()).then(|| ("file".to_owned(), json!(plain(table.title.clone()))));
                let cells = table.columns.iter().zip(row);
                let value = |cell: &Cell| match cell {
                    Cell::Count(count) => json!(count),
                    other => json!(plain(other.shown())),
                };
                let fields = cells.map(|(column, cell)| (plain(column.name.clone()), value(cell)));
                Value::Object(file.into_iter().chain(fields).collect::<Map<_, _>>())
            })
        });
        return Ok(output::json(&mut out, &json!({ name: rows.collect::<Vec<_>>() }))?);
    }
    for table in tables {
        if !table.title.is_empty() {
            writeln!(out, "{}", plain(table.title.clone()))?;
        }
        for row in &table.rows {
            let cells = || table.columns.iter().zip(row).map(|(column, cell)| (&column.heading, plain(cell.shown())));
            let lead = cells().next().map(|(_, text)| format!("{text:<LEAD$} ")).unwrap_or_default();
            let rest: Vec<String> = match table.columns.len() {
                2 => cells().skip(1).map(|(_, text)| text).collect(),
                _ => cells().skip(1).map(|(heading, text)| format!("{}: {text}", plain(heading.clone()))).collect(),
            };
            output::paragraph(&mut out, &lead, &rest.join("; "))?;
        }
    }
    Ok(())
}
