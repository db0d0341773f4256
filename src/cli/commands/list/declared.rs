//! Lists of what is declared once in the code and documented from there: axes, charts, columns, costs.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::Listing;
use crate::commands::output;
use crate::lab::axes::{About, about};
use crate::machine::cost::{Cost, CostModel, Dearer};
use crate::report::charts::catalogue;
use crate::table::{Cell, Columns, Table};

/// Width of the first column in a terminal.
const LEAD: usize = 24;

pub fn axes() -> Table {
    let code = |text: &str| if text.contains(' ') { text.to_owned() } else { format!("`{text}`") };
    Columns::new()
        .with("axis", "", |axis: &About| format!("`{}`", axis.key))
        .with("what varies", "", |axis| axis.meaning)
        .heading("meaning")
        .with("values", "", |axis| axis.values.clone())
        .with("default", "", move |axis| code(axis.default))
        .table("", "", about())
}

pub fn charts() -> Table {
    Columns::new()
        .with("chart", "", |(name, _): &(&str, &str)| format!("`{name}`"))
        .with("what it shows", "", |(_, meaning)| *meaning)
        .heading("meaning")
        .table("", "", catalogue())
}

pub fn costs() -> Table {
    let models = CostModel::NAMES.into_iter().filter_map(CostModel::named);
    let names = Columns::new().with("cost", "", |cost: &&Cost| format!("`{}`", cost.name));
    let amounts = models
        .fold(names, |columns, model| columns.with(format!("`{}`", model.name), "", move |cost| (cost.get)(&model)));
    let measured = |cost: &&Cost| match cost.dearer {
        None => "",
        Some(Dearer::Doubled) => "doubled",
        Some(Dearer::Limited) => "doubled, at least 1",
        Some(Dearer::Halved) => "halved",
    };
    amounts.with("`dear`", "", measured).with("meaning", "", |cost| cost.meaning).table("", "", CostModel::COSTS)
}

/// Tables with their text, a paragraph a row, and their JSON, an object a row.
pub fn listing(name: &str, tables: Vec<Table>) -> io::Result<Listing> {
    let plain = |text: &str| text.replace('`', "");
    let rows = tables.iter().flat_map(|table| {
        table.rows.iter().map(|row| {
            let file = (!table.title.is_empty()).then(|| ("file".to_owned(), json!(plain(&table.title))));
            let value = |cell: &Cell| match cell {
                Cell::Count(count) => json!(count),
                other => json!(plain(&other.shown())),
            };
            let fields = table.columns.iter().zip(row).map(|(column, cell)| (plain(&column.name), value(cell)));
            Value::Object(file.into_iter().chain(fields).collect::<Map<_, _>>())
        })
    });
    let json = json!({ name: rows.collect::<Vec<_>>() });
    let mut text = Vec::new();
    for table in &tables {
        if !table.title.is_empty() {
            writeln!(text, "{}", plain(&table.title))?;
        }
        for row in &table.rows {
            let cells = || table.columns.iter().zip(row).map(|(column, cell)| (&column.heading, plain(&cell.shown())));
            let lead = cells().next().map(|(_, text)| format!("{text:<LEAD$} ")).unwrap_or_default();
            let rest: Vec<String> = match table.columns.len() {
                2 => cells().skip(1).map(|(_, text)| text).collect(),
                _ => cells().skip(1).map(|(heading, text)| format!("{}: {text}", plain(heading))).collect(),
            };
            output::paragraph(&mut text, &lead, &rest.join("; "))?;
        }
    }
    Listing::new(&json, tables, text)
}
