//! Effects of changes: ratios of time and of nodes with their intervals, the largest effect first. Where costs of the
//! virtual machine were halved and doubled, both are in one row: how much a result depends on a guess.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{Analysis, Comparison, Effect, Group};
use crate::distinct::{distinct, found_or_added};
use crate::record::axes::{COSTS, THREADS};
use crate::record::{Change, MachineKind};
use crate::statistics::{Interval, Test};
use crate::table::number::counted;

use super::super::forest::{Estimate, Forest, Row, add, rank};
use super::super::legend::{Entry, Legend};
use super::super::palette::Colour;
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::style::{Look, SQUARE};
use super::curves::{self, Machines, on_processors, sheet, times_left_out, told_apart};
use crate::Source;

/// Greatest number of estimates in a column of a panel, so that a reader can take it in.
const MOST_ESTIMATES: usize = 48;

/// Names of the two columns, as a rule.
const TIME_AND_NODES: [&str; 2] = ["time, ratio", "nodes, ratio"];

/// Colour of what is not shown to differ.
const UNDECIDED: Colour = (0x90, 0x90, 0x90);

/// Title of a panel, the names of its columns, and its rows.
type Ranking = (String, [&'static str; 2], Vec<Row>);

/// Each group against the reference.
pub(crate) fn comparisons(source: &Source) -> Option<Sheet> {
    let analysis = &source.analysis;
    let (acting, idle): (Vec<&Comparison>, Vec<&Comparison>) =
        analysis.comparisons.iter().partition(|comparison| !comparison.never_acts);
    let (costs, others): (Vec<&Comparison>, Vec<&Comparison>) =
        acting.into_iter().partition(|comparison| cost_change(comparison).is_some());
    let mut entries = Vec::new();
    let has_speedups = costs.iter().any(|comparison| comparison.speedup.is_some());
    let of_costs = if has_speedups { ["time speedup, ratio", "time, ratio"] } else { ["time, ratio", "NPS, ratio"] };
    let changes = ("Changes".to_owned(), TIME_AND_NODES, comparison_rows(analysis, &others, &mut entries));
    let rows_of_costs = cost_rows(analysis, &costs, &mut entries);
    let rankings = std::iter::once(changes).chain(rows_of_costs.into_iter().map(|(threads, rows)| {
        (format!("Costs of the virtual machine, on {}", on_processors(threads)), of_costs, rows)
    }));
    let caption = format!(
        "Left of the line at 1, a value is smaller than that of the reference, right of it larger; a \
         bar that crosses the line shows no difference. {} as ratios, paired by position and seed, the largest effect \
         that is certain first.",
        match (has_speedups, costs.is_empty()) {
            (true, _) => "Time speedups, each against its own baseline, and times",
            (false, true) => "Time and nodes",
            (false, false) => "Time, and nodes or nodes a second (NPS),",
        },
    );
    let groups = analysis.comparisons.iter().map(|comparison| &analysis.groups[comparison.group]);
    let machines = Machines::of(groups);
    let sheet = sheet(source, "Compared with the reference", &machines, &caption);
    let mut sheet = ranked(sheet, rankings, entries)?;
    sheet.notes.extend(times_left_out(source, &machines));
    sheet.notes.extend(common_reference(analysis).map(|name| format!("Reference: {name}.")));
    if !idle.is_empty() {
        sheet
            .notes
            .push(format!("Not drawn: {}, whose searches are the reference's.", counted(idle.len(), "row", "rows")));
    }
    Some(sheet)
}

/// Effects of the switches of factorial designs.
pub(crate) fn effects(source: &Source) -> Option<Sheet> {
    let analysis = &source.analysis;
    let mut effects: Vec<&Effect> = analysis.effects.iter().collect();
    effects.sort_by_key(|effect| level(effect));
    let levels: Vec<Level> = distinct(effects.iter().map(|effect| level(effect)));
    let look = |place: usize| Look::of_curve(place, is_virtual(&levels[place].0));
    let are_mixed = levels.iter().any(|(machine, _)| *machine != levels[0].0);
    let entry = |(place, (machine, threads)): (usize, &Level)| {
        let suffix = if are_mixed { format!(" ({machine})") } else { String::new() };
        Entry::point(on_processors(*threads) + &suffix, look(place))
    };
    let mut rows: Vec<Row> = Vec::new();
    for effect in effects {
        let look = look(levels.iter().position(|other| *other == level(effect)).unwrap_or(0));
        add(&mut rows, &effect.factor, [effect.time, effect.nodes], look);
    }
    let mut entries: Vec<Entry> = levels.iter().enumerate().map(entry).collect();
    add_published(source, &levels, &mut rows, &mut entries);
    let caption = "Left of the line at 1, the switch saves time or nodes; right of it, the switch \
                   costs time or nodes; a bar that crosses the line shows no effect. Ratios of on to off over all \
                   settings of the other switches, the largest effect that is certain first.";
    // Effects do not say their cost models; the groups do.
    let has_effects =
        |group: &&Group| levels.iter().any(|(machine, _)| is_virtual(machine) == curves::is_virtual(group));
    let machines = Machines::of(analysis.groups.iter().filter(has_effects));
    let mut sheet = sheet(source, "Effects of the switches", &machines, caption);
    sheet.notes.extend(times_left_out(source, &machines));
    if analysis.effects.iter().any(|effect| !effect.aliases.is_empty()) {
        let note = "Some effects are confounded with interactions of other switches; the tables say which.";
        sheet.notes.push(note.to_owned());
    }
    ranked(sheet, [(String::new(), TIME_AND_NODES, rows)], entries)
}

/// Machine, with what else tells settings apart, and number of processors at which effects were measured.
type Level = (String, u32);

fn level(effect: &Effect) -> Level {
    (effect.setting.clone(), effect.threads)
}

/// Whether the machine of a level is virtual.
fn is_virtual(machine: &str) -> bool {
    machine.starts_with(MachineKind::Virtual.name())
}

/// Adds the effects of another run: only beside the same switch on as many processors.
fn add_published(source: &Source, levels: &[Level], rows: &mut Vec<Row>, entries: &mut Vec<Entry>) {
    for effect in source.published.beside.iter().flat_map(|beside| &beside.effects) {
        let level = levels.iter().position(|(_, threads)| *threads == effect.threads);
        let Some(place) = level.filter(|_| rows.iter().any(|row| row.name == effect.factor)) else { continue };
        let look = Look::of_published(place);
        add(rows, &effect.factor, [effect.time, effect.nodes], look);
        let name = format!("{}, other run", on_processors(effect.threads));
        if !entries.iter().any(|entry| entry.name == name) {
            entries.push(Entry::point(name, look));
        }
    }
}

/// Chart with a panel for each ranking, the largest effect first. A panel that stands alone has no title.
fn ranked(mut sheet: Sheet, rankings: impl IntoIterator<Item = Ranking>, entries: Vec<Entry>) -> Option<Sheet> {
    let mut panels = Vec::new();
    for (title, names, mut rows) in rankings {
        rank(&mut rows);
        let estimates = rows.iter().flat_map(|row| &row.columns).map(Vec::len).max().unwrap_or(1);
        let most = MOST_ESTIMATES / estimates.max(1);
        if rows.len() > most {
            let note = format!("The {most} most certain of {} effects; the tables list all.", rows.len());
            sheet.notes.extend(Some(note).filter(|note| !sheet.notes.contains(note)));
            rows.truncate(most);
        }
        let plot = Forest::of(&names, rows).map(Plot::Forest);
        panels.extend(plot.map(|plot| Panel { title: title.clone(), plot }));
    }
    if let [panel] = panels.as_mut_slice() {
        panel.title.clear();
    }
    let sheet = sheet.with_panels(panels, 1, [0.0; 2])?;
    Some(Sheet { legend: Legend::of(entries.into_iter().map(|entry| vec![entry])), ..sheet })
}

/// Rows of comparisons, one each.
fn comparison_rows(analysis: &Analysis, comparisons: &[&Comparison], entries: &mut Vec<Entry>) -> Vec<Row> {
    let threads = |comparison: &Comparison| analysis.groups[comparison.group].configuration.threads;
    let hollow = |comparison: &Comparison| curves::is_virtual(&analysis.groups[comparison.group]);
    for (name, is_undecided) in [("differs (p < 0.05, adjusted)", false), ("not shown to differ", true)] {
        let is_of_kind = |test: Option<Test>| test.is_some_and(|test| test.is_shown() != is_undecided);
        let has_kind =
            |comparison: &&&Comparison| [comparison.time_test, comparison.nodes_test].into_iter().any(is_of_kind);
        if let Some(comparison) = comparisons.iter().find(has_kind) {
            entries.push(Entry::point(name, look_by_significance(is_undecided, hollow(comparison))));
        }
    }
    let say_threads = comparisons.windows(2).any(|pair| threads(pair[0]) != threads(pair[1]));
    let row = |(comparison, change): (&&Comparison, String)| {
        // Changes of parameters and features name themselves.
        let name = if Change::of(&change).is_clear() {
            change
        } else {
            format!("{} {change}", comparison.field.replace('_', " "))
        };
        let threads = (say_threads && comparison.field != THREADS.name).then(|| threads(comparison));
        let column = |ratio, test: Option<Test>| {
            let look = look_by_significance(test.is_some_and(|test| !test.is_shown()), hollow(comparison));
            Estimate::of(ratio, look).into_iter().collect()
        };
        let columns =
            vec![column(comparison.time, comparison.time_test), column(comparison.nodes, comparison.nodes_test)];
        Row { name: with_threads(name, threads), columns }
    };
    let mut rows: Vec<Row> = comparisons.iter().zip(changes_told_apart(comparisons)).map(row).collect();
    // The same change of several references, on each board, say.
    if distinct(rows.iter().map(|row| row.name.as_str())).len() < rows.len() {
        let references = comparisons.iter().map(|comparison| analysis.groups[comparison.reference].label.as_str());
        let fields = distinct(comparisons.iter().map(|comparison| comparison.field.replace('_', " ") + " "));
        for (row, own) in rows.iter_mut().zip(own_parts(&references.collect::<Vec<_>>())) {
            // A field that all of them change need not be named in each row.
            let common = fields.first().filter(|_| fields.len() == 1);
            let change = common.and_then(|field| row.name.strip_prefix(field.as_str())).unwrap_or(&row.name);
            row.name = if own.is_empty() { change.to_owned() } else { format!("{own}: {change}") };
        }
    }
    rows
}

/// What tells labels apart in short: `mailbox` and `rotated` of `ybwc, mailbox` and `ybwc, bitboards, rotated`. The
/// last part that not all have, if it is another one for each label; else all such parts.
fn own_parts(labels: &[&str]) -> Vec<String> {
    let all: Vec<Vec<&str>> = labels.iter().map(|label| label.split(", ").collect()).collect();
    let is_own = |part: &&str| !all.iter().all(|other| other.contains(part));
    let own: Vec<Vec<&str>> = all.iter().map(|parts| parts.iter().copied().filter(is_own).collect()).collect();
    let last: Vec<&str> = own.iter().map(|parts| parts.last().copied().unwrap_or_default()).collect();
    if distinct(last.iter().copied()).len() == distinct(labels.iter().copied()).len() {
        return last.into_iter().map(str::to_owned).collect();
    }
    own.into_iter().map(|parts| parts.join(", ")).collect()
}

fn with_threads(name: String, threads: Option<u32>) -> String {
    threads.map_or(name.clone(), |threads| format!("{name} on {threads}"))
}

/// Changes in words, without what all changes of the same field have in common.
fn changes_told_apart(comparisons: &[&Comparison]) -> Vec<String> {
    let shown = |comparison: &&Comparison| {
        if comparison.change.is_empty() { "none".to_owned() } else { comparison.change.clone() }
    };
    let mut changes: Vec<String> = comparisons.iter().map(shown).collect();
    let fields: BTreeSet<&str> = comparisons.iter().map(|comparison| comparison.field.as_str()).collect();
    for field in fields {
        let places: Vec<usize> = (0..changes.len()).filter(|&place| comparisons[place].field == field).collect();
        let of_field: Vec<String> = places.iter().map(|&place| changes[place].clone()).collect();
        for (place, change) in places.into_iter().zip(told_apart(&of_field)) {
            changes[place] = change;
        }
    }
    changes
}

fn look_by_significance(is_undecided: bool, hollow: bool) -> Look {
    let look = Look::of_curve(0, hollow);
    if is_undecided { Look { colour: UNDECIDED, marker: SQUARE, ..look } } else { look }
}

/// Change of one cost of the virtual machine, in a value like `reference,lock_handoff*2`.
fn cost_change(comparison: &Comparison) -> Option<Change<'_>> {
    let mut changes = comparison.value.changes().filter(|_| comparison.field == COSTS.name);
    changes.next().filter(|change| changes.next().is_none() && is_multiple(change))
}

fn is_multiple(change: &Change<'_>) -> bool {
    matches!(change.amount, Some(('*' | '/', factor)) if factor.trim_end_matches('%').parse::<f64>().is_ok())
}

/// Rows of costs, one each, with all changes of it, by the number of processors.
fn cost_rows(analysis: &Analysis, comparisons: &[&Comparison], entries: &mut Vec<Entry>) -> BTreeMap<u32, Vec<Row>> {
    let has_speedups = comparisons.iter().any(|comparison| comparison.speedup.is_some());
    let (mut rows, mut shares) = (BTreeMap::new(), Vec::new());
    for comparison in comparisons {
        let Some((change, (sign, factor))) = cost_change(comparison).and_then(|one| Some((one, one.amount?))) else {
            continue;
        };
        let look = match factor.ends_with('%') {
            true => {
                found_or_added(&mut shares, |known| *known == factor, || factor);
                Look::of_curve(shares.iter().position(|known| *known == factor).unwrap_or(0), true)
            }
            false => Look::of_change(sign == '*'),
        };
        entries.push(Entry::point(format!("cost {} {factor}", if sign == '*' { '×' } else { '÷' }), look));
        // A search of one processor that costs more is no news; what becomes of the speedup is.
        if let Some(ratios) = cost_ratios(comparison, has_speedups) {
            let threads = analysis.groups[comparison.reference].configuration.threads;
            add(rows.entry(threads).or_default(), &change.name.replace('_', " "), ratios, look);
        }
    }
    rows
}

/// Ratios that are drawn of a change of costs: the speedup and the time where any comparison has a speedup, else the
/// time and the nodes a second, of which the size of the tree, which any change disturbs, is no part.
fn cost_ratios(comparison: &Comparison, has_speedups: bool) -> Option<[Interval; 2]> {
    let unknown = Interval::unknown(f64::NAN);
    match has_speedups {
        true => Some([comparison.speedup?, comparison.time]),
        false => Some([comparison.time, comparison.nps.unwrap_or(unknown)]),
    }
}

/// Reference that all comparisons share, in words.
fn common_reference(analysis: &Analysis) -> Option<String> {
    let first = analysis.comparisons.first()?.reference;
    let is_common = analysis.comparisons.iter().all(|comparison| comparison.reference == first);
    let group = &analysis.groups[first];
    is_common.then(|| format!("{}, {}", group.label, on_processors(group.configuration.threads)))
}

#[cfg(test)]
mod tests {
    use super::super::super::samples;
    use super::*;

    #[test]
    fn only_a_change_of_one_cost_is_one() {
        for (field, value, expected) in [
            ("costs", "reference,lock_handoff*2", Some("lock_handoff")),
            ("costs", "reference,jitter/1.5", Some("jitter")),
            ("costs", "reference,one*2,two*2", None),
            ("costs", "smp-2004", None),
            ("strategy", "ybwc,a*2", None),
        ] {
            let (field, value) = (field.to_owned(), value.into());
            let comparison = Comparison { field, value, ..samples::comparisons().comparisons[0].clone() };
            assert_eq!(cost_change(&comparison).map(|change| change.name), expected, "{comparison:?}");
        }
    }

    /// The first comparison twice, of two references: both rows say which.
    #[test]
    fn equal_changes_say_of_what_they_are() {
        let mut analysis = samples::comparisons();
        let one = analysis.comparisons.iter().find(|one| cost_change(one).is_none()).unwrap().clone();
        analysis.groups[one.reference].label = "ybwc, mailbox, copy trimmed".to_owned();
        let other = analysis.groups[one.reference].clone();
        analysis.groups.push(Group { label: "ybwc, bitboards, magic, copy trimmed".to_owned(), ..other });
        let twin = Comparison { reference: analysis.groups.len() - 1, ..one.clone() };
        let names = |comparisons: &[&Comparison]| -> Vec<String> {
            comparison_rows(&analysis, comparisons, &mut Vec::new()).into_iter().map(|row| row.name).collect()
        };
        let [first, other] = &names(&[&one, &twin])[..] else { panic!("two rows") };
        assert!(first.starts_with("mailbox: ") && other.starts_with("magic: "), "{first} {other}");
        assert!(!names(&[&one])[0].contains(": "));
        let labels = ["ybwc, array, rotated", "ybwc, mailbox", "ybwc, bitboards, rotated"];
        assert_eq!(own_parts(&labels), ["array, rotated", "mailbox", "bitboards, rotated"]);
    }

    #[test]
    fn halved_and_doubled_are_in_one_row_and_the_largest_is_first() {
        let analysis = samples::comparisons();
        let costs: Vec<&Comparison> =
            analysis.comparisons.iter().filter(|comparison| cost_change(comparison).is_some()).collect();
        let rows = cost_rows(&analysis, &costs, &mut Vec::new()).remove(&8).unwrap();
        assert_eq!(rows.len() * 2, costs.len());
        assert!(rows.iter().all(|row| row.columns[0].len() == 2));
        let mut sheet = ranked(Sheet::default(), [(String::new(), TIME_AND_NODES, rows)], Vec::new()).unwrap();
        let Plot::Forest(forest) = sheet.panels.remove(0).plot else { panic!("not a forest") };
        assert!(forest.rows.is_sorted_by(|one, next| one.effect() >= next.effect()), "{:?}", forest.rows);
    }
}
