//! Published figures that ours are drawn beside, compiled in from `results/reference`. Each table names its source.
//! They are of other programs on other machines: what can be compared is the shape of a curve, and trees of the same
//! positions.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use splitpoint_published::table;

use super::analysis::figures::ThesisColumns;
use super::beside::Beside;
use crate::distinct::found_or_added;
use crate::record::{Named, PositionInfo};
use crate::statistics::Interval;

const MAIN: &str = table("rasmussen-2004-main.csv");
const PRELIMINARY: &str = table("rasmussen-2004-preliminary.csv");
const DEDICATED_12: &str = table("rasmussen-2004-dedicated-12.csv");
const SPEEDUPS: &str = table("published-speedups.csv");
const ORDERING: &str = table("szabo-2023-figure-46.csv");
const START_POSITION: &str = table("szabo-2023-start-position.csv");
const FIXED_DEPTH: &str = table("szabo-2023-fixed-depth.csv");
const TRICKY: &str = table("szabo-2023-figures-50-52.csv");
const MATE_DISTANCE: &str = table("szabo-2023-mate-distance.csv");
const BRANCHING: &str = table("reul-2009-tables-5.1-5.2.csv");
const DTS: &str = table("dts-1994-positions.csv");

/// The suite whose positions the thesis searched.
pub const THESIS_SUITE: &str = "thesis-10";

/// The depth to which it searched them, in plies.
pub const THESIS_DEPTH: u32 = 11;

/// The preset of its program.
pub const THESIS_FEATURES: &str = "thesis-as-printed";

/// The strategy of its program.
pub const THESIS_STRATEGY: &str = "ybwc-as-printed";

/// The suite of the positions of dynamic tree splitting.
pub const DTS_SUITE: &str = "hyatt-24";

/// All published tables.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Published {
    /// The thesis's: the main run, the preliminary one, and that of twelve processors.
    pub thesis: Vec<ThesisTable>,
    /// Speedups of other programs, by several measures.
    pub speedups: Vec<PublishedSpeedup>,
    /// Dynamic tree splitting, by position.
    pub dts: Vec<DtsRow>,
    /// Searches of other programs on one processor, by depth.
    pub by_depth: Vec<ByDepthTable>,
    /// Results of another run of ours.
    pub beside: Option<Beside>,
}

/// A table of the thesis.
#[derive(Clone, Debug, PartialEq)]
pub struct ThesisTable {
    /// Source of the table, in words.
    pub source: &'static str,
    /// Name of the computer.
    pub computer: &'static str,
    /// Means over its ten positions by the number of processors, from one. They have no intervals.
    pub rows: Vec<(u32, ThesisColumns)>,
    /// Names of the cost models that stand for the machine of the table.
    pub costs: &'static [&'static str],
    /// Whether the table is of the main run, of up to 24 processors.
    pub is_main: bool,
}

/// A figure that somebody published.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PublishedSpeedup {
    /// Author and year of the publication.
    pub source: String,
    /// Name of the program.
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
    /// Mean over positions that the value is.
    pub mean: Mean,
    /// Names of our strategies that stand beside it, with blanks between them: those that share a search by the same
    /// rule. Empty where none does, or where the measure is none of ours.
    pub ours: String,
    /// Seconds that one processor took for a position, where they are known.
    pub t1_s: Option<f64>,
}

/// Mean over positions that a published speedup is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mean {
    /// Arithmetic mean of the positions' speedups.
    Arithmetic,
    /// Geometric mean of the positions' speedups.
    Geometric,
    /// Ratio of the sums of times.
    Sums,
    /// Not told by the publication.
    Unstated,
}

/// A position of dynamic tree splitting. Times and nodes were rebuilt by its author; only the speedup is a figure.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DtsRow {
    /// The number of processors.
    pub processors: u32,
    /// Speedup as printed.
    pub speedup_printed: f64,
}

/// Searches of a program on one processor, by depth.
#[derive(Clone, Debug, PartialEq)]
pub struct ByDepthTable {
    /// Source of the table, in words.
    pub source: &'static str,
    /// Figures of ours that it can stand beside.
    beside: BesideWhat,
    /// Rows of each program or set of features, by depth.
    pub series: Vec<(String, Vec<ByDepthRow>)>,
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
/// Positions of figures 50 to 52 of Szabo 2023, which ship as tricky-1 to tricky-3.
const TRICKY_POSITIONS: [&str; 3] = [
    "r3k2r/ppp1bpp1/6q1/3pP3/6p1/P1P1P2P/1B3P2/R2Q1RK1 w kq -",
    "5rrk/p1p1R3/n2pRp2/1Q1P1q1p/1P1P4/P5Pp/5P2/5NK1 w - -",
    "1n1b2rk/5r2/p1p1p3/3pP3/1P1PqNp1/Q5P1/3B1P2/2RR2K1 w - -",
];

/// Figures of ours that a table by depth can stand beside.
#[derive(Clone, Copy, Debug, PartialEq)]
enum BesideWhat {
    /// Searches of the position with this FEN, up to its clocks.
    Position(&'static str),
    /// The ratio of two searches that differ in this feature.
    Feature(&'static str),
    /// The growth of time with depth in any searches.
    Growth,
}

/// Search to a depth.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ByDepthRow {
    /// Name of the program, of what is on or off, or of the figure.
    series: String,
    /// FEN of the position, in a table of several.
    position: Option<String>,
    /// Depth in plies.
    pub depth: u32,
    /// Nodes up to the end of that iteration.
    pub nodes: Option<f64>,
    /// Milliseconds up to then.
    pub time_ms: Option<f64>,
    /// Time as a ratio to that of the depth before.
    pub growth: Option<f64>,
}

impl ByDepthTable {
    fn read(source: &'static str, beside: BesideWhat, text: &str) -> Result<Self, PublishedError> {
        let mut series: Vec<(String, Vec<ByDepthRow>)> = Vec::new();
        let is_of_it = |row: &ByDepthRow| match (beside, &row.position) {
            (BesideWhat::Position(fen), Some(own)) => own.starts_with(fen),
            _ => true,
        };
        for row in rows::<ByDepthRow>(source, text)?.into_iter().filter(is_of_it) {
            let new = || (row.series.clone(), Vec::new());
            found_or_added(&mut series, |(name, _)| *name == row.series, new).1.push(row.clone());
        }
        Ok(Self { source, beside, series })
    }

    /// Whether these are the positions that were searched.
    pub fn is_of(&self, positions: &[PositionInfo]) -> bool {
        let BesideWhat::Position(fen) = self.beside else { return false };
        !positions.is_empty() && positions.iter().all(|position| position.fen.starts_with(fen))
    }

    /// Whether the table has the ratio of two searches that differ in a feature that some of these names of features
    /// have.
    pub fn is_of_ratio(&self, features: &[String]) -> bool {
        let BesideWhat::Feature(feature) = self.beside else { return false };
        features.iter().any(|features| features.contains(feature))
    }

    /// Whether the table has the growth of time with depth.
    pub fn has_growth(&self) -> bool {
        self.beside == BesideWhat::Growth
    }
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
        let thesis = |source, computer, text, costs, is_main| {
            Ok(ThesisTable { source, computer, rows: thesis_rows(source, text)?, costs, is_main })
        };
        let szabo = |beside, text| ByDepthTable::read("Szabo 2023", beside, text);
        let mut by_depth = vec![
            szabo(BesideWhat::Position(START), ORDERING)?,
            szabo(BesideWhat::Position(START), START_POSITION)?,
            szabo(BesideWhat::Feature("mate-distance"), MATE_DISTANCE)?,
            ByDepthTable::read("Sonnabend 2006, in Reul 2009", BesideWhat::Growth, BRANCHING)?,
        ];
        for fen in TRICKY_POSITIONS {
            by_depth.push(szabo(BesideWhat::Position(fen), TRICKY)?);
        }
        by_depth.push(szabo(BesideWhat::Position(START), FIXED_DEPTH)?);
        Ok(Self {
            thesis: vec![
                thesis("Rasmussen 2004, main (E15K, 24 processors)", "E15K", MAIN, &["e15k", "smp-2004"], true)?,
                thesis(
                    "Rasmussen 2004, preliminary (SF6800, shared)",
                    "SF6800",
                    PRELIMINARY,
                    &["sun-fire-6800"],
                    false,
                )?,
                thesis("Rasmussen 2004, 12 processors (E4500)", "E4500", DEDICATED_12, &["e4500"], false)?,
            ],
            speedups: rows("published speedups", SPEEDUPS)?,
            dts: rows("Hyatt 1994", DTS)?,
            by_depth,
            beside: None,
        })
    }
}

impl ThesisTable {
    /// Whether a cost model, with or without changes, is one of this computer.
    pub fn stands_for(&self, costs: &Named) -> bool {
        self.costs.contains(&costs.name())
    }
}

impl PublishedSpeedup {
    /// The value, if it is a number.
    pub fn number(&self) -> Option<f64> {
        self.value.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// Whether a strategy of ours, with or without changes, stands beside it.
    pub fn stands_beside(&self, strategy: &Named) -> bool {
        self.ours.split_whitespace().any(|ours| ours == strategy.name())
    }

    /// Whether the value was computed here from figures that stand in another row.
    pub fn is_derived(&self) -> bool {
        self.measure == "time-to-depth-geometric"
    }

    /// Whether it gives a single point of the thesis, whose tables have the whole curves.
    pub fn is_of_thesis(&self) -> bool {
        self.source.starts_with("Rasmussen 2004")
    }
}

impl Mean {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Arithmetic => "arithmetic",
            Self::Geometric => "geometric",
            Self::Sums => "ratio of sums",
            Self::Unstated => "not told",
        }
    }
}

/// Rows of a table of the thesis, whose columns are in this order.
fn thesis_rows(source: &'static str, text: &str) -> Result<Vec<(u32, ThesisColumns)>, PublishedError> {
    let rows: Vec<(u32, [f64; 7])> = rows(source, text)?;
    let of_one = |column: usize| rows.first().map_or(f64::NAN, |(_, figures)| figures[column]);
    let (nodes_of_one, time_of_one) = (of_one(2), of_one(3));
    let columns = |figures: [f64; 7]| {
        let nodes_ratio = Some(Interval::unknown(figures[2] / nodes_of_one));
        let time_speedup = Some(Interval::unknown(time_of_one / figures[3]));
        let figures = figures.map(|figure| Some(Interval::unknown(figure)));
        let [nps, nps_speedup, nodes, time_s, hash_pct, order_pct, qn_pct] = figures;
        ThesisColumns { nps, nps_speedup, nodes, nodes_ratio, time_s, time_speedup, hash_pct, order_pct, qn_pct }
    };
    Ok(rows.into_iter().map(|(cpus, figures)| (cpus, columns(figures))).collect())
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
        let last = |table: &ThesisTable| {
            let (cpus, columns) = table.rows.last().unwrap();
            (*cpus, columns.nps_speedup.unwrap().estimate, columns.qn_pct.unwrap().estimate)
        };
        let ends: Vec<_> = published.thesis.iter().map(|table| (table.rows.len(), last(table))).collect();
        let expected = [(24, (24, 7.945, 19.7)), (22, (22, 7.246, 19.1)), (12, (12, 9.364, 18.8))];
        assert_eq!(ends, expected, "rows, and the last");
        assert_eq!(published.speedups.len(), 64);
        assert_eq!(published.dts.len(), 24 * 5);
        let lengths = |table: &ByDepthTable| table.series.iter().map(|(_, rows)| rows.len()).collect::<Vec<_>>();
        let by_depth: Vec<Vec<usize>> = published.by_depth.iter().map(lengths).collect();
        assert_eq!(by_depth[..3], [vec![15, 12], vec![20], vec![10, 10]]);
        assert_eq!((by_depth[3].len(), by_depth[3].iter().sum::<usize>()), (10, 55));
        assert_eq!(by_depth[4..], [vec![22], vec![19], vec![21], vec![1]]);
        assert_eq!(published.by_depth[0].series[1].1[11].nodes, Some(421_392_711.0));
        assert_eq!(published.dts[4].speedup_printed, 9.1);
    }

    #[test]
    fn nps_speedup_is_what_its_name_says() {
        for table in Published::load().unwrap().thesis {
            let estimates =
                |columns: &ThesisColumns| [columns.nps, columns.nps_speedup].map(|figure| figure.unwrap().estimate);
            let [one, _] = estimates(&table.rows[0].1);
            for (cpus, columns) in &table.rows {
                let [nps, nps_speedup] = estimates(columns);
                assert!((nps / one - nps_speedup).abs() < 0.006, "{}: {cpus} processors", table.source);
            }
        }
    }

    /// The table of a position stands beside searches of that one only; it ends with 8 578 056 nodes in 9.9 s.
    #[test]
    fn tables_of_positions_stand_beside_their_positions() {
        let published = Published::load().unwrap();
        let info = |fen: &str| PositionInfo { fen: format!("{fen} 0 17"), ..PositionInfo::default() };
        for (i, fen) in TRICKY_POSITIONS.into_iter().enumerate() {
            let beside: Vec<usize> = (0..7).filter(|at| published.by_depth[*at].is_of(&[info(fen)])).collect();
            assert_eq!(beside, [4 + i]);
        }
        assert!(!published.by_depth[4].is_of(&TRICKY_POSITIONS.map(info)) && !published.by_depth[4].is_of(&[]));
        let last = published.by_depth[4].series[0].1.last().unwrap();
        assert_eq!((last.depth, last.nodes, last.time_ms), (22, Some(8_578_056.0), Some(9_916.0)));
    }

    /// Which strategies stand beside which published algorithm is told in one place, and only of time speedups.
    #[test]
    fn time_speedups_stand_beside_strategies_of_their_rule() {
        let published = Published::load().unwrap();
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for row in published.speedups.iter().filter(|row| !row.ours.is_empty()) {
            assert!(["time-to-depth", "time-to-depth-geometric", "speedup"].contains(&row.measure.as_str()), "{row:?}");
            let pair = (row.algorithm.as_str(), row.ours.as_str());
            pairs.extend((!pairs.contains(&pair)).then_some(pair));
        }
        pairs.sort_unstable();
        let expected = [
            ("DTS", "dts"),
            ("PV splitting", "pv-split"),
            ("YBWC", "ybwc teams"),
            ("YBWC", "ybwc-as-printed"),
            ("lazy SMP with PV work sharing", "lazy"),
            ("root splitting", "root"),
            ("simplified ABDADA", "abdada"),
        ];
        assert_eq!(pairs, expected);
        let dts = published.speedups.iter().find(|row| row.algorithm == "DTS").unwrap();
        assert!(dts.stands_beside(&"dts,minimum-draft=2".into()) && !dts.stands_beside(&"ybwc".into()));
    }

    #[test]
    fn a_value_that_is_no_number_is_none() {
        let published = Published::load().unwrap();
        let not_numbers: Vec<&str> =
            published.speedups.iter().filter(|row| row.number().is_none()).map(|row| row.value.as_str()).collect();
        assert_eq!(not_numbers, ["2-3"]);
    }
}
