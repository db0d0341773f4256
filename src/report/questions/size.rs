//! Does it depend on the size of the search? Speedups by the time of one processor, and how they grow with it.

use crate::Source;
use crate::analysis::by_size::HalfEfficiency;
use crate::analysis::{AtSize, BySize, Group};
use crate::charts::figures::sizes as charts;
use crate::sentence::Sentence;
use crate::table::number::{estimate, figure, percent, range};
use crate::table::{Cell, Columns, Table, columns};

use super::rows::{self, Row, kind_of};
use super::{File, Question, adjusted, is_shown, leaders, processors};

pub(super) const SIZE: Question<Source> = Question {
    key: "size",
    title: "Does it depend on the size of the search?",
    reading: "Time speedup where one processor takes that long, between depths by straight lines in logarithms and \
              never beyond the searches; a size that too few positions reach is not there. Growth: the factor when the \
              time of one processor doubles, over the last factor of 8. Half efficiency: the time of one processor \
              from which on half of the processors are worth their time; '< x' where the smallest size x that was \
              measured is beyond it already.",
    sentence,
    charts: &[("speedup-by-size", "time speedup by the time that one processor takes", charts::speedup_by_size)],
    columns: Some(columns),
    table,
    files: &[File {
        name: "sizes.csv",
        rows: "One row per configuration and size that its searches reach: powers of two of a second that one \
               processor takes. There is no such file if the records do not say when each depth was reached.",
        table: file,
    }],
    ..Question::PLAIN
};

/// Result of a test of the growth of a speedup with the size of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Gain,
    Loss,
    NotShown,
}

/// Change of the speedup of a group with size, if it was measured.
fn change(group: &Group) -> Option<Change> {
    let by_size = group.by_size.as_ref()?;
    let growth = by_size.growth?;
    Some(match is_shown(by_size.growth_test) {
        true if growth.estimate > 1.0 => Change::Gain,
        true => Change::Loss,
        false => Change::NotShown,
    })
}

/// Growth of the speedup of a group when the time of one processor doubles.
pub(crate) fn growth(group: &Group) -> Option<crate::statistics::Interval> {
    group.by_size.as_ref()?.growth
}

fn sentence(source: &Source) -> Option<Sentence> {
    let leaders = leaders(&source.analysis);
    let groups = leaders.last()?;
    let words: Vec<String> = groups.iter().filter_map(|group| growth_in_words(group)).take(2).collect();
    let by: Vec<&BySize> = groups.iter().filter_map(|group| group.by_size.as_ref()).collect();
    let sentence = || format!("On {}, {}.", processors(&groups[0].configuration), words.join("; "));
    (!words.is_empty()).then(|| Sentence::stated(sentence(), &by))
}

/// Growth of the speedup of a group with the size of its searches.
fn growth_in_words(group: &Group) -> Option<String> {
    let growth = growth(group)?;
    let (label, per_doubling) = (&group.label, format!("× {} ({}) a doubling", estimate(&growth), range(&growth)));
    Some(match change(group)? {
        Change::Gain => format!(
            "{label} gains {} ({} to {}) whenever the time of one processor doubles",
            percent(growth.estimate - 1.0),
            figure(100.0 * (growth.low - 1.0)),
            figure(100.0 * (growth.high - 1.0))
        ),
        Change::Loss => format!("{label} loses with size: {per_doubling}"),
        Change::NotShown => format!("{label} is not shown to change with size: {per_doubling}"),
    })
}

fn columns(_: &Source) -> Columns<'_, Row<'_>> {
    let by_size = columns! { BySize, of;
        "growth_per_doubling" as "Growth per doubling" [with_ends]:
            "factor by which the time speedup grows when the time of one processor doubles" => of.growth;
        "growth_p": "probability that chance alone makes that factor differ so much from 1, adjusted" =>
            Cell::probability(adjusted(of.growth_test));
        "half_efficiency_s":
            "seconds of one processor from which on the time speedup is at least half the processors; empty if no \
             search was so large, or all were" => of.half_efficiency.and_then(HalfEfficiency::seen_s);
        "half_efficiency_at_most_s":
            "the smallest size that was measured, in seconds of one processor, where the time speedup is at least half \
             the processors already there" => of.half_efficiency.and_then(HalfEfficiency::at_most_s);
    };
    let by_depth = columns! { crate::analysis::ByDepth, of;
        "speedup_per_ply" [with_ends]: "factor by which the time speedup changes per ply" => of.per_ply;
    };
    by_size.of(|row: &Row<'_>| row.group.by_size.as_ref()).and(by_depth.of(|row: &Row<'_>| row.group.by_depth.as_ref()))
}

/// `0.0156`, or `< 0.0156` if the smallest size is beyond it already.
fn half_efficiency(half: HalfEfficiency) -> Cell {
    match half {
        HalfEfficiency::At(t1_s) => t1_s.into(),
        HalfEfficiency::AtMost(t1_s) => format!("< {}", figure(t1_s)).into(),
    }
}

/// Largest number of sizes that the table for readers shows: the last ones.
const SIZES_SHOWN: usize = 6;

fn table(source: &Source) -> Table {
    let analysis = &source.analysis;
    let rows: Vec<Row<'_>> = rows::shown(analysis).into_iter().filter(|row| row.group.by_size.is_some()).collect();
    let mut sizes: Vec<f64> = rows
        .iter()
        .flat_map(|row| &row.group.by_size)
        .flat_map(|by_size| &by_size.sizes)
        .map(|size| size.t1_s)
        .collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let first = rows::first(analysis);
    let shown = &sizes[sizes.len().saturating_sub(SIZES_SHOWN)..];
    let sizes = shown.iter().fold(Columns::new(), |columns, &t1_s| {
        let at = move |row: &Row<'_>| {
            let by_size = row.group.by_size.as_ref()?;
            by_size.sizes.iter().find(|size| size.t1_s == t1_s).map(|size| size.time_speedup)
        };
        columns.with(format!("{} s", figure(t1_s)), "time speedup where one processor takes that long", at).optional()
    });
    let half = columns! { Row<'_>, row;
        "half_efficiency" as "Half efficiency":
            "seconds of one processor from which on the time speedup is at least half the processors" =>
            row.group.by_size.as_ref().and_then(|by_size| by_size.half_efficiency).map(half_efficiency);
    };
    let columns = first.and(sizes).and(columns(source).for_readers()).and(half);
    columns.table("", "", rows).without_empty_columns()
}

fn file(source: &Source) -> Table {
    let analysis = &source.analysis;
    type At<'a> = (usize, &'a Group, &'a AtSize);
    let columns = columns! { At<'_>, row;
        "group": "the place of the configuration in summary.csv" => row.0;
        "label": "what distinguishes the configuration in this experiment" => row.1.label.clone();
        "machine": "real or virtual" => row.1.configuration.machine.name();
        "threads": "the number of processors" => row.1.configuration.threads;
        "t1_s": "seconds that one processor takes" => row.2.t1_s;
        "time_speedup" [with_ends]: "time speedup at that size" => row.2.time_speedup;
        "positions": "positions that reach the size" => row.2.positions;
        "interval": "positions for which the intervals hold; empty if there are none" =>
            kind_of(analysis, row.2.time_speedup);
    };
    let groups = analysis.groups.iter().enumerate();
    let rows = groups.flat_map(|(place, group)| {
        group.by_size.iter().flat_map(|by_size| &by_size.sizes).map(move |size| (place, group, size))
    });
    columns.table("", "", rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::samples::processors;
    use crate::record::MachineKind;
    use crate::statistics::{Interval, Test};

    /// Words follow the test that is corrected for all others, whatever the interval leaves out.
    #[test]
    fn growth_is_told_only_if_a_test_shows_it() {
        let mut source = Source::of(processors(&[1, 4], &["ybwc"], MachineKind::Virtual));
        for (growth, growth_p, expected) in [
            ((1.1, 1.04, 1.16), Some(0.001), "gains 10.0 % (4.00 to 16.0) whenever the time of one processor"),
            ((1.1, 1.04, 1.16), Some(0.06), "is not shown to change with size: × 1.10 (1.04 to 1.16) a doubl"),
            ((1.1, 1.04, 1.16), None, "is not shown to change with size"),
            ((0.9, 0.85, 0.95), Some(0.001), "loses with size: × 0.90"),
            ((0.9, 0.85, 0.95), Some(0.06), "is not shown to change with size"),
        ] {
            let group = &mut source.analysis.groups[1];
            let by_size = group.by_size.as_mut().unwrap();
            let (estimate, low, high) = growth;
            (by_size.growth, by_size.growth_test) = (Some(Interval { estimate, low, high }), growth_p.map(Test::alone));
            group.against_baseline.as_mut().unwrap().time_speedup.estimate = 1.5;
            let words = sentence(&source).unwrap();
            assert!(words.contains(expected), "{words}");
        }
    }

    #[test]
    fn half_efficiency_below_what_was_measured_is_a_bound() {
        let mut source = Source::of(processors(&[1, 4], &["ybwc"], MachineKind::Virtual));
        for (half, shown, seen, at_most) in [
            (HalfEfficiency::At(0.25), "0.250", "0.25", ""),
            (HalfEfficiency::AtMost(0.015625), "< 0.0156", "", "0.015625"),
        ] {
            source.analysis.groups[1].by_size.as_mut().unwrap().half_efficiency = Some(half);
            let table = table(&source);
            let column = table.columns.iter().position(|column| column.heading == "Half efficiency").unwrap();
            assert_eq!(table.rows.last().unwrap()[column].shown(), shown);
            let rows = rows::shown(&source.analysis);
            let all = columns(&source).only("half_efficiency_s half_efficiency_at_most_s").table("", "", rows);
            let cells: Vec<String> = all.rows.last().unwrap().iter().map(Cell::exact).collect();
            assert_eq!(cells, [seen, at_most]);
        }
    }
}
