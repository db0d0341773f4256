//! Published figures that ours are drawn beside, compiled in from `results/reference`. Each table names its source.
//! They are of other programs on other machines: what can be compared is the shape of a curve, and trees of the same
//! positions.

use serde::Deserialize;
use serde::de::DeserializeOwned;

const MAIN: &str = include_str!("../../results/reference/rasmussen-2004-main.csv");
const PRELIMINARY: &str = include_str!("../../results/reference/rasmussen-2004-preliminary.csv");
const DEDICATED_12: &str = include_str!("../../results/reference/rasmussen-2004-dedicated-12.csv");
const SPEEDUPS: &str = include_str!("../../results/reference/published-speedups.csv");
const DTS: &str = include_str!("../../results/reference/dts-1994-positions.csv");

/// Processors whose points the thesis leaves out where it draws the general trend of its main run.
const NOT_IN_TREND: [u32; 11] = [7, 10, 11, 12, 14, 15, 16, 19, 20, 23, 24];

/// The suite whose positions the thesis searched.
pub const THESIS_SUITE: &str = "thesis-10";

/// The depth to which it searched them, in plies.
pub const THESIS_DEPTH: u32 = 11;

/// The suite of the positions of dynamic tree splitting.
pub const DTS_SUITE: &str = "hyatt-24";

/// All published tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// The thesis's: the main run, the preliminary one, and that of twelve processors.
    pub thesis: Vec<ThesisTable>,
    /// Speedups of other programs, by several measures.
    pub speedups: Vec<PublishedSpeedup>,
    /// Dynamic tree splitting, by position.
    pub dts: Vec<DtsRow>,
}

/// A table of the thesis.
#[derive(Clone, Debug, PartialEq)]
pub struct ThesisTable {
    /// Source of the table, for legends.
    pub source: &'static str,
    /// Rows by processors, from one.
    pub rows: Vec<PublishedRow>,
    /// Whether the thesis drew its general trend without some points.
    pub is_main: bool,
}

/// A row of a table of the thesis: means over its ten positions.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct PublishedRow {
    /// The number of processors.
    pub cpus: u32,
    /// Nodes a second.
    pub nps: f64,
    /// Relative to those of one processor: the thesis's "speedup".
    pub nps_speedup: f64,
    /// Nodes.
    pub nodes: f64,
    /// Seconds.
    pub time_s: f64,
    /// Hash hits, in hundredths.
    pub hash_pct: f64,
    /// Move ordering, in hundredths.
    pub order_pct: f64,
    /// The share of quiescence, in hundredths.
    pub qn_pct: f64,
}

/// A figure that somebody published.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PublishedSpeedup {
    /// Author and year of the publication.
    pub source: String,
    /// Program that was measured.
    pub engine: String,
    /// Name of the algorithm by which processors share the search.
    pub algorithm: String,
    /// Positions that were searched.
    pub positions: String,
    /// Measure: `time-to-depth` for most.
    pub measure: String,
    /// The number of processors.
    pub processors: u32,
    /// Value as printed.
    pub value: String,
    /// Certainty that this was published.
    pub status: String,
}

/// A position of dynamic tree splitting. Times and nodes were rebuilt by its author; only the speedup is a figure.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DtsRow {
    /// Id of the position.
    pub position: String,
    /// The number of processors.
    pub processors: u32,
    /// Speedup as printed.
    pub speedup_printed: f64,
}

/// A published table cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the table of {what} cannot be read: {cause}")]
pub struct PublishedError {
    what: &'static str,
    cause: csv::Error,
}

impl Published {
    /// Reads the tables.
    pub fn load() -> Result<Self, PublishedError> {
        let thesis = |source, text, is_main| Ok(ThesisTable { source, rows: rows(source, text)?, is_main });
        Ok(Self {
            thesis: vec![
                thesis("Rasmussen 2004, main (E15K, 24 processors)", MAIN, true)?,
                thesis("Rasmussen 2004, preliminary (SF6800, shared)", PRELIMINARY, false)?,
                thesis("Rasmussen 2004, 12 processors (E4500)", DEDICATED_12, false)?,
            ],
            speedups: rows("published speedups", SPEEDUPS)?,
            dts: rows("Hyatt 1994", DTS)?,
        })
    }
}

impl ThesisTable {
    /// The row of one processor, which others are divided by.
    pub fn baseline(&self) -> Option<&PublishedRow> {
        self.rows.iter().find(|row| row.cpus == 1)
    }

    /// Whether the thesis's general trend has this row.
    pub fn is_in_trend(&self, row: &PublishedRow) -> bool {
        !(self.is_main && NOT_IN_TREND.contains(&row.cpus))
    }
}

impl PublishedSpeedup {
    /// The value, if it is a number.
    pub fn number(&self) -> Option<f64> {
        self.value.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

fn rows<T: DeserializeOwned>(what: &'static str, text: &str) -> Result<Vec<T>, PublishedError> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|cause| PublishedError { what, cause })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tables_are_read_to_the_last_row() {
        let published = Published::load().unwrap();
        let ends: Vec<_> = published
            .thesis
            .iter()
            .map(|table| (table.rows.len(), table.rows.last().map(|row| (row.cpus, row.nps_speedup, row.qn_pct))))
            .collect();
        assert_eq!(
            ends,
            [(24, Some((24, 7.945, 19.7))), (22, Some((22, 7.246, 19.1))), (12, Some((12, 9.364, 18.8)))],
            "rows, and the last"
        );
        assert_eq!(published.speedups.len(), 62);
        assert_eq!(published.dts.len(), 24 * 5);
        assert_eq!(published.dts[4].speedup_printed, 9.1);
    }

    #[test]
    fn nps_speedup_is_what_its_name_says() {
        for table in Published::load().unwrap().thesis {
            let one = table.baseline().unwrap().nps;
            for row in &table.rows {
                assert!((row.nps / one - row.nps_speedup).abs() < 0.006, "{}: {} processors", table.source, row.cpus);
            }
        }
    }

    #[test]
    fn the_trend_of_the_main_run_alone_has_gaps() {
        let published = Published::load().unwrap();
        let counts: Vec<usize> = published
            .thesis
            .iter()
            .map(|table| table.rows.iter().filter(|row| table.is_in_trend(row)).count())
            .collect();
        assert_eq!(counts, [13, 22, 12]);
    }

    #[test]
    fn a_value_that_is_no_number_is_none() {
        let published = Published::load().unwrap();
        let not_numbers: Vec<&str> =
            published.speedups.iter().filter(|row| row.number().is_none()).map(|row| row.value.as_str()).collect();
        assert_eq!(not_numbers, ["2-3"]);
    }
}
