//! Does it depend on the size of the search? Speedups by the time of one processor, and how they grow with it.

use crate::Source;
use crate::analysis::{AtSize, BySize, Group};
use crate::charts::figures::sizes as charts;
use crate::table::number::{estimate, figure, percent, range};
use crate::table::{Columns, Table, columns};

use super::rows::{self, Row, kind_of};
use super::{File, Question, leaders};

pub(super) const SIZE: Question<Source> = Question {
    key: "size",
    title: "Does it depend on the size of the search?",
    reading: "Time speedup where one processor takes that long, between depths by straight lines in logarithms and \
              never beyond the searches; a size that too few positions reach is not there. Growth: the factor when the \
              time of one processor doubles, over the last factor of 8. Half efficiency: the time of one processor \
              from which on half of the processors are worth their time.",
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

/// Growth of the speedup of a group when the time of one processor doubles.
pub(crate) fn growth(group: &Group) -> Option<crate::statistics::Interval> {
    group.by_size.as_ref()?.growth
}

fn sentence(source: &Source) -> Option<String> {
    let grows = |group: &&Group| {
        let growth = growth(group)?;
        let (label, per_doubling) = (&group.label, format!("× {} ({}) a doubling", estimate(&growth), range(&growth)));
        Some(match (growth.low > 1.0, growth.high < 1.0) {
            (true, _) => format!(
                "{label} gains {} ({} to {}) whenever the time of one processor doubles",
                percent(growth.estimate - 1.0),
                figure(100.0 * (growth.low - 1.0)),
                figure(100.0 * (growth.high - 1.0))
            ),
            (_, true) => format!("{label} loses with size: {per_doubling}"),
            _ => format!("{label} is not shown to change with size: {per_doubling}"),
        })
    };
    let leaders = leaders(&source.analysis);
    let groups = leaders.last()?;
    let words: Vec<String> = groups.iter().filter_map(grows).take(2).collect();
    (!words.is_empty()).then(|| format!("On {}, {}.", groups[0].configuration.threads, words.join("; ")))
}

fn columns(_: &Source) -> Columns<'_, Row<'_>> {
    let by_size = columns! { BySize, of;
        "growth_per_doubling" as "Growth per doubling" [with_ends]:
            "factor by which the time speedup grows when the time of one processor doubles" => of.growth;
        "half_efficiency_s" as "Half efficiency":
            "seconds of one processor from which on the time speedup is at least half the processors; empty if no \
             search was so large" => of.half_efficiency_s;
    };
    let by_depth = columns! { crate::analysis::ByDepth, of;
        "speedup_per_ply" [with_ends]: "factor by which the time speedup changes per ply" => of.per_ply;
    };
    by_size.of(|row: &Row<'_>| row.group.by_size.as_ref()).and(by_depth.of(|row: &Row<'_>| row.group.by_depth.as_ref()))
}

/// Largest number of sizes that the table for readers shows: the last ones.
const SIZES_SHOWN: usize = 6;

fn table(source: &Source) -> Table {
    let analysis = &source.analysis;
    let rows: Vec<Row<'_>> = rows::shown(analysis).into_iter().filter(|row| row.group.by_size.is_some()).collect();
    let mut sizes: Vec<f64> =
        rows.iter().flat_map(|row| &row.group.by_size).flat_map(|of| &of.sizes).map(|size| size.t1_s).collect();
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
    let columns = first.and(sizes).and(columns(source).for_readers());
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
    let rows = groups
        .flat_map(|(place, group)| group.by_size.iter().flat_map(|of| &of.sizes).map(move |size| (place, group, size)));
    columns.table("", "", rows)
}
