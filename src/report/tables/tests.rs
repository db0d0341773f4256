//! Files of a hand-made experiment.

use std::collections::BTreeSet;

use super::RUNS;
use super::{columns_md, files, guides, summary_md};
use crate::Source;
use crate::analysis::Analysis;
use crate::analysis::samples::one_against_four;
use crate::question::Headline;
use crate::table::csv;

fn source() -> Source {
    let (description, records) = one_against_four();
    Source { records: records.clone(), ..Source::of(Analysis::of(description, &records)) }
}

fn text_of(name: &str) -> String {
    let source = source();
    let bytes = match files::<Source>().find(|file| file.name == name) {
        Some(file) => csv::write(&(file.table)(&source)).unwrap(),
        None => {
            let ((columns, rows), mut bytes) = ((RUNS.cells)(&source), Vec::new());
            csv::write_rows(&mut bytes, &columns, rows).unwrap();
            bytes
        }
    };
    String::from_utf8(bytes).unwrap()
}

/// Value of a column in a row; numbers without what rounding leaves.
fn value(text: &str, row: usize, column: &str) -> String {
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let place = reader.headers().unwrap().iter().position(|name| name == column);
    let record = reader.records().nth(row).unwrap().unwrap();
    let value = &record[place.unwrap_or_else(|| panic!("no {column}"))];
    value.parse().map_or_else(|_| value.to_owned(), |number: f64| ((number * 1e9).round() / 1e9).to_string())
}

#[test]
fn a_summary_has_the_figures_of_all_questions() {
    let text = text_of("summary.csv");
    assert_eq!(text.lines().count(), 3);
    assert_eq!([value(&text, 0, "label"), value(&text, 1, "threads")], ["sequential", "4"]);
    assert_eq!([value(&text, 0, "time_speedup"), value(&text, 1, "time_speedup")], ["1", "4"]);
    assert_eq!(value(&text, 1, "efficiency"), "1");
    for column in ["nodes_ratio", "factor_utilisation_low", "thesis_nps", "share_search", "t1_s"] {
        assert!(!value(&text, 1, column).is_empty(), "{column}");
    }
    assert!(!text.lines().next().unwrap().contains("solved_share"), "a column without any value is left out");
}

#[test]
fn a_curve_begins_with_one_processor() {
    let text = text_of("curves.csv");
    assert_eq!([value(&text, 0, "threads"), value(&text, 0, "time_speedup")], ["1", "1"]);
    assert_eq!([value(&text, 1, "threads"), value(&text, 1, "time_speedup")], ["4", "4"]);
}

#[test]
fn claims_say_their_family_and_whether_they_are_shown() {
    let text = text_of("claims.csv");
    assert_eq!([value(&text, 0, "kind"), value(&text, 0, "family")], ["faster", "primary"]);
    assert_eq!([value(&text, 0, "than"), value(&text, 0, "claimed")], ["one processor", "0"]);
    assert!(text.lines().skip(2).all(|line| line.starts_with("secondary,factor,")), "{text}");
}

/// A name means the same in all files, and every column has a meaning.
#[test]
fn columns_are_documented_once_each() {
    let mut seen = BTreeSet::new();
    for guide in guides() {
        let names: Vec<String> = guide.rows.iter().map(|row| row[0].shown()).collect();
        let all: BTreeSet<&String> = names.iter().collect();
        assert_eq!(all.len(), names.len(), "{} has a column twice", guide.title);
        for row in &guide.rows {
            assert!(row[1].shown().len() > 3, "{}: {} has no meaning", guide.title, row[0].shown());
        }
        assert!(seen.insert(guide.title.clone()));
    }
    assert!(columns_md::<Source>().contains("## summary.csv"));
}

#[test]
fn the_summary_in_markdown_begins_with_the_verdict() {
    let source = source();
    let headline = Headline::of(&source);
    let text = summary_md(&source, &headline);
    let places: Vec<usize> =
        ["# Brothers", "Do they help?", &headline.verdict, "## How much faster", "## How was it made?"]
            .iter()
            .map(|part| text.find(part).unwrap_or_else(|| panic!("{part}: {text}")))
            .collect();
    assert!(places.is_sorted(), "{text}");
}
