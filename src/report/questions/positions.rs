//! What happened at each position? Times, nodes and moves, position by position.

use crate::Source;
use crate::analysis::{Group, PositionRow};
use crate::charts::figures::positions as charts;
use crate::distinct::distinct;
use crate::sentence::Sentence;
use crate::table::number::{counted, figure, percent};
use crate::table::{Cell, Table, columns};

use super::rows::{configured, plies};
use super::{File, Question, few, leaders, processors};

pub(super) const POSITIONS: Question<Source> = Question {
    key: "positions",
    title: "What happened at each position?",
    reading: "Geometric means over runs, without intervals. An outlier is a position whose time speedup lies farther \
              from the others than their spread and the noise of its own runs explain; all means include it.",
    sentence,
    charts: &[("positions", "time speedup of each position", charts::positions)],
    files: &[File {
        name: "positions.csv",
        rows: "One row per configuration and position at which it was measured. Means over runs are geometric.",
        table,
    }],
    table: |source| table(source).for_readers().without_empty_columns(),
    ..Question::PLAIN
};

/// Largest number of outliers that are named.
const NAMED: usize = 3;

fn sentence(source: &Source) -> Option<Sentence> {
    let analysis = &source.analysis;
    let outliers = analysis.groups.iter().flat_map(|group| &group.by_position).filter(|row| row.is_outlier);
    let outliers = distinct(outliers.map(|row| row.position.clone()));
    let leaders = leaders(analysis);
    let spread = leaders.last().and_then(|groups| {
        let tenth = groups[0].against_baseline.as_ref()?.tenths[0];
        let Group { label, configuration, .. } = groups[0];
        let who = format!("On {}, {label}", processors(configuration));
        let words =
            || format!("{who} is at least {} times as fast as one at {} of positions", figure(tenth), percent(0.9));
        tenth.is_finite().then(words)
    });
    let outliers = match outliers.len() {
        0 => None,
        number => Some(format!("{}: {}", counted(number, "outlier", "outliers"), few(&outliers, NAMED))),
    };
    let positions = analysis.groups.iter().map(|group| group.positions).max().unwrap_or(0);
    let all: Vec<&PositionRow> = analysis.groups.iter().flat_map(|group| &group.by_position).collect();
    let outliers = outliers.map(|words| Sentence::stated(format!("{words}."), &all));
    let spread = spread.map(|words| Sentence::described(format!("{words}.")));
    let searched = || Sentence::described(format!("{} searched.", counted(positions, "position", "positions")));
    let said = Sentence::all(spread.into_iter().chain(outliers));
    (positions > 0).then(|| said.unwrap_or_else(searched))
}

/// Place of a configuration, the configuration, and one of its positions.
type At<'a> = (usize, &'a Group, &'a PositionRow);

fn table(source: &Source) -> Table {
    let analysis = &source.analysis;
    let first = columns! { At<'_>, of;
        "group": "the place of the configuration in summary.csv" => of.0;
        "label" as "Configuration": "what distinguishes the configuration in this experiment" => of.1.label.clone();
    };
    let cpus = columns! { At<'_>, of;
        "cpus" as "Processors": "the number of processors, as in threads" => of.1.configuration.threads;
    };
    let configured = configured(
        |of: &At<'_>| &of.1.configuration,
        |of| plies(&of.1.configuration),
        analysis.groups.iter().map(|group| &group.configuration),
    );
    let columns = first.and(configured).and(cpus).and(columns! { At<'_>, of;
        "position" as "Position": "the id of the position" => of.2.position.clone();
        "runs" as "Runs": "searches that count" => of.2.runs;
        "cut": "searches that the limit cut off; if there are any, times and nodes are empty" => of.2.cut;
        "time_s" as "Time, s": "the mean of their times, in seconds of the machine" => of.2.time_s;
        "nodes" as "Nodes": "the mean of their nodes" => Cell::whole(of.2.nodes);
        "time_speedup" as "Time speedup": "how many times as fast as the baseline" => of.2.time_speedup;
        "nodes_ratio" as "Nodes, relative": "nodes relative to the baseline" => of.2.nodes_ratio;
        "z_score": "0.6745 (x - median) / median absolute deviation, where x is the logarithm of its time speedup" =>
            of.2.z_score;
        "outlier": "1 if a test shows that its time speedup lies far from those of the other positions" =>
            u32::from(of.2.is_outlier);
        "moves" as "Moves": "the moves chosen, and how often each" => moves(of.2);
    });
    let groups = analysis.groups.iter().enumerate();
    let rows = groups.flat_map(|(place, group)| group.by_position.iter().map(move |row| (place, group, row)));
    columns.table("", "", rows)
}

fn moves(row: &PositionRow) -> String {
    let moves: Vec<String> = row.moves.iter().map(|(name, often)| format!("{name} {often}")).collect();
    moves.join("; ")
}
