//! Tables as comma-separated values with a line of headings, for other programs. The ends of intervals have columns of
//! their own.

use std::io;

use super::{Cell, Table};

/// Contents of the file.
pub(crate) fn write(table: &Table) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for column in &table.columns {
        let ends: &[&str] = if column.has_ends { &["", "_low", "_high"] } else { &[""] };
        ends.iter().try_for_each(|end| writer.write_field(format!("{}{end}", column.name)))?;
    }
    writer.write_record(None::<&[u8]>)?;
    for row in &table.rows {
        for (cell, column) in row.iter().zip(&table.columns) {
            writer.write_field(cell.exact())?;
            if column.has_ends {
                let ends =
                    if let Cell::Interval(interval) = cell { [interval.low, interval.high] } else { [f64::NAN; 2] };
                ends.iter().try_for_each(|end| writer.write_field(Cell::from(*end).exact()))?;
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}
