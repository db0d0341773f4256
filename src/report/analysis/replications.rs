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
    let own = |table: &&ThesisTable| configuration.costs.as_deref().is_some_and(|costs| table.stands_for(costs));
    let main = || tables.iter().find(|table| table.is_main);
    let table = tables.iter().find(own).or_else(main).filter(|_| is_printed)?;
    let row = |&group: &usize| {
        let threads = analysis.groups[group].configuration.threads;
        let (_, published) = table.rows.iter().find(|(cpus, _)| *cpus == threads && threads > 1)?;
        Some(Replicated { group, published: *published })
    };
    let rows: Vec<Replicated> = curve.groups.iter().filter_map(row).collect();
    (!rows.is_empty()).then_some(Replication { curve: place, source: table.source, computer: table.computer, rows })
}
