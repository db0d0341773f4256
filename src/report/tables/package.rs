//! `datapackage.json`: the tables of a folder in the form of a Data Package (datapackage.org), so that programs know
//! the type, the unit and the meaning of every column.

use serde_json::{Value, json};

use crate::table::{Cell, Column};

/// Name of the file.
pub const NAME: &str = "datapackage.json";

/// Ends of names of columns that tell their unit, but for an `_low` or `_high` behind them.
const UNITS: [(&str, &str); 6] =
    [("_ns", "ns"), ("_s", "s"), ("_bytes", "B"), ("_kib", "KiB"), ("_pct", "%"), ("_mhz", "MHz")];

/// Type of the cells of a column, the narrowest that holds all of them.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Type {
    #[default]
    Any,
    Integer,
    Number,
    Text,
}

impl Type {
    fn of(cell: &Cell) -> Self {
        match cell {
            Cell::Nothing => Self::Any,
            Cell::Count(_) | Cell::Bytes(_) => Self::Integer,
            Cell::Time(_) | Cell::Number(..) | Cell::Interval(_) => Self::Number,
            Cell::Text(_) => Self::Text,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Text => "string",
        }
    }
}

/// A table that is written, and the types of the cells that have passed.
pub struct Resource {
    file: &'static str,
    columns: Vec<(Column, Type)>,
}

impl Resource {
    pub fn new(file: &'static str, columns: &[Column]) -> Self {
        Self { file, columns: columns.iter().map(|column| (column.clone(), Type::Any)).collect() }
    }

    /// Notes the types of the cells of a row.
    pub fn see(&mut self, row: &[Cell]) {
        for ((_, known), cell) in self.columns.iter_mut().zip(row) {
            *known = Type::of(cell).max(*known);
        }
    }

    fn described(&self) -> Value {
        let field = |(column, cells): &(Column, Type)| {
            let mut field = json!({ "name": column.name, "type": cells.name(), "description": column.meaning });
            if let Some(unit) = unit(&column.name) {
                field["unit"] = unit.into();
            }
            field
        };
        let fields: Vec<Value> = self.columns.iter().map(field).collect();
        let name = self.file.trim_end_matches(".csv");
        json!({
            "name": name,
            "path": self.file,
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "schema": { "fields": fields, "missingValues": [""] },
        })
    }
}

/// Unit of a column, if its name tells.
fn unit(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix("_low").or_else(|| name.strip_suffix("_high")).unwrap_or(name);
    UNITS.iter().find_map(|(end, unit)| name.ends_with(end).then_some(*unit))
}

/// Text of the file, for a run of this title by this version of the program.
pub fn text(title: &str, version: &str, resources: &[Resource]) -> String {
    let resources: Vec<Value> = resources.iter().map(Resource::described).collect();
    let package = json!({ "title": title, "version": version, "resources": resources });
    serde_json::to_string_pretty(&package).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_the_narrowest_type_and_its_unit() {
        let column = |name: &str| Column { name: name.into(), meaning: format!("the {name}"), ..Column::default() };
        let columns = ["label", "nodes", "time_s_low", "often", "never"].map(column);
        let mut resource = Resource::new("summary.csv", &columns);
        let row = |first: Cell, often: Cell| vec![first, Cell::Count(1), Cell::Time(5), often, Cell::Nothing];
        resource.see(&row(Cell::Count(7), Cell::Count(2)));
        resource.see(&row("seven".into(), Cell::share(0.5)));
        let text = text("A run", "1", &[resource]);
        let package: Value = serde_json::from_str(&text).unwrap();
        let fields = package["resources"][0]["schema"]["fields"].as_array().unwrap();
        let types: Vec<&str> = fields.iter().map(|field| field["type"].as_str().unwrap()).collect();
        assert_eq!(types, ["string", "integer", "number", "number", "any"]);
        assert_eq!((&fields[2]["unit"], &fields[1]["unit"]), (&json!("s"), &Value::Null));
        assert_eq!(fields[1]["description"], "the nodes");
    }
}
