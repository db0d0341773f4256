//! Tables as comma-separated values with a line of headings, for other programs.

use std::io;

use super::{Cell, Table};

/// Contents of the file.
pub fn write(table: &Table) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(table.columns.iter().map(|column| &column.name))?;
    for row in &table.rows {
        writer.write_record(row.iter().map(Cell::exact))?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}
