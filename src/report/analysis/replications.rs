//! Curves of the printed program beside the published tables, at the numbers of processors that both have. A curve of
//! virtual processors stands beside the table of the computer whose costs it has; any other beside the main one. How
//! far they may be compared is for the reader to judge, who is told both depths and how many positions were searched.

use crate::published::{Published, THESIS_FEATURES, THESIS_STRATEGY, THESIS_SUITE, ThesisTable};

use super::{Analysis, Curve, ThesisColumns};

/// Curve beside a published table.
#[derive(Clone, Debug, PartialEq)]
pub struct Replication {
    /// Place in [`Analysis::curves`].
    pub curve: usize,
    /// Source of the table.
    pub source: &'static str,
    /// Name of its computer.
    pub computer: &'static str,
    /// Rows of more than one processor that both have.
    pub rows: Vec<Replicated>,
    /// Deepest dips of search speed of our curve and of the published one, if ours has all numbers of processors.
    pub dips: Option<[Dip; 2]>,
}

/// Point of a curve that lies below one on fewer processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dip {
    /// The number of processors.
    pub processors: u32,
    /// Share by which the point lies below the highest on fewer processors; 0 if none does.
    pub share: f64,
}

/// Configuration of ours beside the published row of as many processors.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicated {
    /// Place in [`Analysis::groups`].
    pub group: usize,
    /// Figures that were published, relative to one processor where they are ratios.
    pub published: ThesisColumns,
}

/// All curves of the printed program on positions of the thesis.
pub(super) fn replications(analysis: &Analysis, published: &Published) -> Vec<Replication> {
    if analysis.description.suite.as_deref() != Some(THESIS_SUITE) {
        return Vec::new();
    }
    let curves = analysis.curves.iter().enumerate();
    curves.filter_map(|(place, curve)| replication(analysis, place, curve, &published.thesis)).collect()
}

fn replication(analysis: &Analysis, place: usize, curve: &Curve, tables: &[ThesisTable]) -> Option<Replication> {
    let configuration = &analysis.groups[*curve.groups.last()?].configuration;
    let is_printed = configuration.features == THESIS_FEATURES && configuration.strategy == THESIS_STRATEGY;
    let own = |table: &&ThesisTable| configuration.costs_name().is_some_and(|costs| table.stands_for(costs));
    let main = || tables.iter().find(|table| table.is_main);
    let table = tables.iter().find(own).or_else(main).filter(|_| is_printed)?;
    let row = |&group: &usize| {
        let threads = analysis.groups[group].configuration.threads;
        let (_, published) = table.rows.iter().find(|(cpus, _)| *cpus == threads && threads > 1)?;
        Some(Replicated { group, published: *published })
    };
    let rows: Vec<Replicated> = curve.groups.iter().filter_map(row).collect();
    let dips = dips(analysis, &rows).filter(|_| rows.len() + 1 == table.rows.len());
    let (source, computer) = (table.source, table.computer);
    (!rows.is_empty()).then_some(Replication { curve: place, source, computer, rows, dips })
}

/// Deepest dips of search speed of our curve and of the published one.
fn dips(analysis: &Analysis, rows: &[Replicated]) -> Option<[Dip; 2]> {
    let dip = |columns: &dyn Fn(&Replicated) -> ThesisColumns| {
        let point = |row: &Replicated| {
            Some((analysis.groups[row.group].configuration.threads, columns(row).nps_speedup?.estimate))
        };
        Some(deepest_dip(&rows.iter().map(point).collect::<Option<Vec<_>>>()?))
    };
    Some([dip(&|row| analysis.groups[row.group].thesis)?, dip(&|row| row.published)?])
}

/// The deepest dip of a curve relative to one processor, in the order of the numbers of processors.
fn deepest_dip(points: &[(u32, f64)]) -> Dip {
    let (mut highest, mut deepest) = (1.0, Dip { processors: 1, share: 0.0 });
    for &(processors, figure) in points {
        let share = 1.0 - figure / highest;
        if share > deepest.share {
            deepest = Dip { processors, share };
        }
        highest = figure.max(highest);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_dip_lies_below_the_highest_point_on_fewer_processors() {
        let of = |figures: &[f64]| deepest_dip(&(2..).zip(figures.iter().copied()).collect::<Vec<_>>());
        assert_eq!(of(&[2.0, 3.0, 3.5]), Dip { processors: 1, share: 0.0 });
        assert_eq!(of(&[2.0, 4.0, 3.0, 2.5, 5.0, 4.0]), Dip { processors: 5, share: 0.375 });
        assert_eq!(of(&[0.5]), Dip { processors: 2, share: 0.5 });
        let published = Published::load().unwrap();
        let main = published.thesis.iter().find(|table| table.is_main).unwrap();
        let speedups: Vec<f64> = main.rows[1..].iter().map(|(_, row)| row.nps_speedup.unwrap().estimate).collect();
        let deepest = of(&speedups);
        assert_eq!((deepest.processors, (100.0 * deepest.share).round()), (16, 28.0));
    }
}
