//! Results that ours are drawn beside: the tables that a report has written into another run folder, such as those in
//! `results/reference`. Only `summary.csv` must be there. Of a tournament with odds, `strength.csv` and
//! `tournament.json`.

mod strength;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::analysis::Group;
use super::analysis::figures::ThesisColumns;
use crate::distinct::found_or_added;
use crate::record::folder::{FolderError, open};
use crate::statistics::Interval;

pub use strength::AtStrength;
pub(crate) use strength::BesideStrength;

/// Results of another run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Beside {
    /// Curves, by the labels that they had in that run.
    pub curves: Vec<BesideCurve>,
    /// Effects of switches of factorial designs.
    pub effects: Vec<BesideEffect>,
    /// Strength speedups of the players of a tournament.
    pub strengths: Vec<BesideStrength>,
}

/// Curve of another run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BesideCurve {
    /// Name of the run's folder, with the label.
    pub name: String,
    /// Strategy, if the table names it.
    pub strategy: String,
    /// Figures by number of processors.
    pub points: Vec<BesidePoint>,
}

/// Figures of a configuration of another run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BesidePoint {
    /// Number of processors.
    pub threads: u32,
    /// Columns of the thesis.
    pub thesis: ThesisColumns,
    /// Time speedup.
    pub time_speedup: Option<Interval>,
}

/// Effect of a switch in another run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BesideEffect {
    /// Name of the switch.
    pub factor: String,
    /// Number of processors.
    pub threads: u32,
    /// Time with the switch on relative to off.
    pub time: Interval,
    /// Nodes likewise.
    pub nodes: Interval,
}

/// Reason for which the results of another run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BesideError {
    /// A table is not there, or is no table.
    #[error("{}: {cause}", path.display())]
    Table {
        /// Path of the table.
        path: PathBuf,
        /// Reason.
        cause: csv::Error,
    },
    /// The description of a tournament cannot be read.
    #[error(transparent)]
    Tournament(#[from] FolderError),
}

/// Row of a table, by the names of its columns.
type Row = HashMap<String, String>;

impl Beside {
    /// Reads the tables of a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, BesideError> {
        let strengths = strength::read(folder)?;
        if !strengths.is_empty() {
            return Ok(Self { curves: Vec::new(), effects: Vec::new(), strengths });
        }
        let run = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let mut curves: Vec<BesideCurve> = Vec::new();
        for row in rows(&folder.join("summary.csv"))? {
            let (Some(point), Some(label)) = (point(&row), row.get("label")) else { continue };
            let name = format!("{run}: {label}");
            let strategy = row.get("strategy").cloned().unwrap_or_default();
            let new = || BesideCurve { name: name.clone(), strategy, points: Vec::new() };
            found_or_added(&mut curves, |curve| curve.name == name, new).points.push(point);
        }
        curves.iter_mut().for_each(|curve| curve.points.sort_by_key(|point| point.threads));
        let path = folder.join("effects.csv");
        let effects = if path.exists() { rows(&path)?.iter().filter_map(effect).collect() } else { Vec::new() };
        Ok(Self { curves, effects, strengths })
    }

    /// Strength speedup of the strategy of a group in games about as large as its searches.
    pub(crate) fn strength_of(&self, group: &Group) -> Option<AtStrength> {
        strength::of_group(&self.strengths, group)
    }
}

fn rows(path: &Path) -> Result<Vec<Row>, BesideError> {
    let wrong = |cause| BesideError::Table { path: path.to_owned(), cause };
    let file = open(path).map_err(csv::Error::from).map_err(wrong)?;
    csv::Reader::from_reader(file).deserialize().collect::<Result<_, _>>().map_err(wrong)
}

fn number(row: &Row, column: &str) -> Option<f64> {
    row.get(column)?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Figure with its interval, if its ends are known.
fn interval(row: &Row, column: &str) -> Option<Interval> {
    let estimate = number(row, column)?;
    let end = |end: &str| number(row, &format!("{column}_{end}"));
    Some(match (end("low"), end("high")) {
        (Some(low), Some(high)) => Interval { estimate, low, high },
        _ => Interval::unknown(estimate),
    })
}

/// Figures of a configuration of more than one processor.
fn point(row: &Row) -> Option<BesidePoint> {
    let threads = number(row, "threads").filter(|threads| *threads > 1.0)? as u32;
    let ends = |column: &str| interval(row, column);
    let hundredths = |column: &str| Some(ends(column)?.map(|share| 100.0 * share));
    let thesis = ThesisColumns {
        nps: ends("thesis_nps"),
        nps_speedup: ends("thesis_nps_speedup"),
        nodes: ends("thesis_nodes"),
        nodes_ratio: ends("thesis_nodes_ratio"),
        time_speedup: ends("ratio_of_sums"),
        time_s: ends("time_s"),
        hash_pct: hundredths("thesis_hash_share"),
        order_pct: hundredths("thesis_order_share"),
        qn_pct: hundredths("thesis_qn_share"),
    };
    Some(BesidePoint { threads, thesis, time_speedup: ends("time_speedup") })
}

fn effect(row: &Row) -> Option<BesideEffect> {
    Some(BesideEffect {
        factor: row.get("factor")?.clone(),
        threads: number(row, "threads")? as u32,
        time: interval(row, "time_ratio")?,
        nodes: interval(row, "nodes_ratio")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_another_run_are_read() {
        let folder = std::env::temp_dir().join(format!("splitpoint-beside-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let summary = "label,threads,thesis_nps,thesis_nps_low,thesis_nps_high,thesis_nps_speedup,time_speedup\n\
                       \"sequential, e15k\",1,100,,,1,\n\"ybwc, e15k\",4,300,290,310,3,2.5\n\
                       \"ybwc, e15k\",2,190,,,1.9,1.7\n";
        std::fs::write(folder.join("summary.csv"), summary).unwrap();
        let beside = Beside::read(&folder).unwrap();
        let [curve] = &beside.curves[..] else { panic!("{beside:?}") };
        assert!(curve.name.ends_with(": ybwc, e15k"), "{}", curve.name);
        assert_eq!(curve.points.iter().map(|point| point.threads).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(curve.points[1].thesis.nps, Some(Interval { estimate: 300.0, low: 290.0, high: 310.0 }));
        assert!(curve.points[0].thesis.nodes.is_none() && beside.effects.is_empty());
        std::fs::write(folder.join("effects.csv"), "factor,threads,time_ratio,nodes_ratio\na,8,1.5,1.25\n").unwrap();
        assert_eq!(Beside::read(&folder).unwrap().effects[0].nodes.estimate, 1.25);
        let error = Beside::read(&folder.join("nowhere")).unwrap_err().to_string();
        assert!(error.contains("summary.csv"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
