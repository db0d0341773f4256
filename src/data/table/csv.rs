//! Tables as comma-separated values with a line of headings, for other programs.

use std::io;

use super::foreign::field;
use super::{Cell, Column, Table};

/// Contents of the file.
pub fn write(table: &Table) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write_rows(&mut bytes, &table.columns, &table.rows)?;
    Ok(bytes)
}

/// Bytes of a file that are written at once: many rows.
const BUFFER: usize = 1 << 18;

/// Writes rows as they come: all of them may be larger than the memory.
pub fn write_rows<R: AsRef<[Cell]>>(
    to: impl io::Write,
    columns: &[Column],
    rows: impl IntoIterator<Item = R>,
) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().buffer_capacity(BUFFER).from_writer(to);
    writer.write_record(columns.iter().map(|column| &column.name))?;
    let mut text = String::new();
    for row in rows {
        for cell in row.as_ref() {
            text.clear();
            cell.write_exact(&mut text);
            match cell {
                Cell::Text(_) => writer.write_field(&*field(&text))?,
                _ => writer.write_field(&text)?,
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()
}
