//! The page as a whole: well-formed, closed to everything outside, and true to the figures it is made from.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::page;
use super::samples::{baseline_only, charts, empty, environment, rich, strategies};
use crate::record::{Baseline, MachineKind};
use crate::report::analysis::{Analysis, Factor};
use crate::report::charts::Chart;
use crate::statistics::Interval;

/// Text that would do harm wherever it is not escaped.
const HOSTILE: &str = "\"'><script>alert(1)</script><b x=&amp;";
const VOID: [&str; 2] = ["!DOCTYPE", "meta"];

/// All kinds of pages.
fn pages() -> Vec<(&'static str, String)> {
    let none = Value::Null;
    vec![
        ("empty", page(&empty(), &[], &none)),
        ("baseline", page(&baseline_only(), &[], &environment())),
        ("real", page(&strategies(MachineKind::Real, &[2, 4, 8]), &charts(), &none)),
        ("virtual", page(&strategies(MachineKind::Virtual, &[2, 64, 1024]), &charts(), &environment())),
        ("rich", page(&rich(), &charts(), &environment())),
        ("hostile", page(&hostile(), &hostile_charts(), &hostile_environment())),
        ("unknown", page(&unknown(), &charts(), &none)),
    ]
}

/// An analysis in which all text that may come from files is hostile.
fn hostile() -> Analysis {
    let mut analysis = rich();
    let text = || HOSTILE.to_owned();
    let description = &mut analysis.description;
    (description.title, description.question, description.command) = (text(), text(), text());
    (description.version, description.plan, description.suite) = (text(), text(), Some(text()));
    for position in &mut description.positions {
        (position.id, position.fen, position.best) = (text(), text(), vec![text()]);
    }
    for group in &mut analysis.groups {
        group.label = text();
        group.configuration.strategy = text();
        group.configuration.costs = Some(text());
        group.configuration.costs_hash = Some(text());
        group.means.losses.insert(text(), 0.5);
        for row in &mut group.by_position {
            (row.position, row.moves) = (text(), vec![(text(), 1)]);
        }
    }
    analysis.curves.iter_mut().for_each(|curve| curve.label = text());
    for comparison in &mut analysis.comparisons {
        comparison.value = text();
    }
    for effect in &mut analysis.effects {
        (effect.factor, effect.aliases) = (text(), vec![text()]);
    }
    for spread in &mut analysis.baseline_spread {
        spread.relative_nodes.iter_mut().for_each(|(position, _)| *position = text());
    }
    analysis.quality.failed = vec![(text(), text())];
    analysis.quality.reasons = vec![(text(), 3)];
    analysis
}

fn hostile_charts() -> Vec<Chart> {
    let svg = || "<svg></svg>".to_owned();
    let (title, caption) = (HOSTILE.to_owned(), HOSTILE.to_owned());
    let (words, inline, is_broad) = (HOSTILE.to_owned(), svg(), true);
    vec![Chart { name: HOSTILE, title, caption, words, svg: svg(), png: Vec::new(), inline, is_broad }]
}

fn hostile_environment() -> Value {
    let finding = json!({"severity": HOSTILE, "what": HOSTILE, "remedy": HOSTILE});
    let serious = json!({"severity": "serious", "what": HOSTILE, "remedy": HOSTILE});
    json!({"sessions": [{
        "id": HOSTILE, "version": HOSTILE, "command": HOSTILE, "started": HOSTILE,
        "host": {HOSTILE: HOSTILE, "nested": {HOSTILE: [HOSTILE]}},
        "findings": [finding, serious],
        "costs": {HOSTILE: {HOSTILE: HOSTILE}, "other": {HOSTILE: 3}},
    }]})
}

/// One baseline search only, so that no interval is known, and nothing that can be divided.
fn unknown() -> Analysis {
    let mut analysis = rich();
    analysis.description.baseline = Baseline::One;
    let unknown = |interval: &mut Interval| (interval.low, interval.high) = (f64::NAN, f64::NAN);
    for group in &mut analysis.groups {
        group.means.nps = f64::INFINITY;
        if let Some(against) = &mut group.against_baseline {
            unknown(&mut against.time_speedup);
            unknown(&mut against.nodes);
            against.factors.rate = Factor::UNKNOWN;
            against.median = f64::NAN;
        }
    }
    analysis.comparisons.iter_mut().for_each(|comparison| unknown(&mut comparison.time));
    analysis
}

/// The tags of a page in order, with their attributes; what is within scripts and styles is passed over.
fn tags(page: &str) -> Vec<&str> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        tags.push(tag);
        rest = &rest[end + 1..];
        if ["script", "style"].contains(&tag) {
            rest = &rest[rest.find(&format!("</{tag}>")).expect("raw text ends")..];
        }
    }
    tags
}

fn name(tag: &str) -> &str {
    tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or_default()
}

/// The values of an attribute.
fn values<'a>(tags: &[&'a str], attribute: &str) -> Vec<&'a str> {
    let begin = format!(" {attribute}=\"");
    tags.iter().filter_map(|tag| tag.split_once(&begin)?.1.split('"').next()).collect()
}

#[test]
fn every_element_is_closed_by_its_own_end() {
    for (which, page) in pages() {
        let mut open = Vec::new();
        for tag in tags(&page) {
            if let Some(closed) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(closed), "{which}");
            } else if !VOID.contains(&name(tag)) && !tag.ends_with('/') {
                open.push(name(tag));
            }
            assert!(tag.matches('"').count().is_multiple_of(2), "{which}: {tag}");
        }
        assert_eq!(open, Vec::<&str>::new(), "{which}");
    }
}

#[test]
fn names_within_the_page_are_unique_and_links_lead_somewhere() {
    for (which, page) in pages() {
        let tags = tags(&page);
        let ids = values(&tags, "id");
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len(), "{which}");
        let links = values(&tags, "href");
        assert!(links.len() >= 3, "{which}: {links:?}");
        for link in links.iter().map(|link| link.trim_start_matches('#')).chain(values(&tags, "aria-labelledby")) {
            assert!(unique.contains(link), "{which}: {link}");
        }
    }
}

#[test]
fn text_from_files_never_becomes_markup() {
    let page = page(&hostile(), &hostile_charts(), &hostile_environment());
    assert_eq!(page.matches("<script").count(), 1, "only the page's own");
    assert_eq!(page.matches("<b ").count(), 0);
    let escaped = "&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;b x=&amp;amp;";
    // More than once for each field that is set.
    assert!(page.matches(escaped).count() > 60);
    assert!(page.contains(&format!("<h1>{escaped}</h1>")) && page.contains(&format!("<title>{escaped}</title>")));
}

#[test]
fn nothing_is_loaded_from_anywhere() {
    for (which, page) in pages() {
        let page = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for load in ["http:", "https:", " src=", "<link", "<img", "<iframe", "@import", "url(", "fetch(", "import("] {
            assert!(!page.contains(load), "{which}: {load}");
        }
        assert!(page.contains("content=\"default-src &#39;none&#39;;"), "{which}");
    }
}

#[test]
fn what_is_not_known_is_never_shown_as_a_number() {
    for (which, page) in pages() {
        for word in ["NaN", ">inf", "\"inf\"", ">null<", "None<", "Some("] {
            let shown = page.split("<script>").next().unwrap_or_default();
            assert!(!shown.contains(word), "{which}: {word}");
        }
    }
    let page = page(&unknown(), &[], &Value::Null);
    assert!(page.contains("<span class=\"interval\">(no interval)</span>"));
    assert!(page.contains("How much such searches vary is not known here."));
}

#[test]
fn real_and_virtual_figures_share_no_table() {
    let page = page(&rich(), &[], &Value::Null);
    let (mut real, mut simulated) = (0, 0);
    for table in page.split("<table").skip(1).filter_map(|table| table.split("</table>").next()) {
        let rows = table.matches("<th scope=\"row\"").count();
        let marked =
            table.matches("<th scope=\"row\">○").count() + table.matches("<th scope=\"row\" data-order").count();
        match marked {
            0 => real += 1,
            marked => {
                assert_eq!(marked, rows, "{table}");
                assert!(
                    table.contains("<caption><strong>○ ") && table.contains("(virtual machine, cost model reference)")
                );
                assert!(!table.contains(", s</th>") && !table.contains("1/s</th>"), "{table}");
                simulated += 1;
            }
        }
    }
    assert!(real >= 8 && simulated >= 9, "{real} and {simulated}");
}

#[test]
fn tables_show_the_figures_of_the_analysis() {
    let page = page(&rich(), &[], &Value::Null);
    let rows: Vec<String> = page.split("<tr").skip(1).map(text).collect();
    let expected = [
        // The columns of the thesis.
        "ybwc 4 4\u{202f}118\u{202f}853 3.31 8\u{202f}877\u{202f}075 2.16 35.7 91.7 17.4",
        // The speedups: 3.249 with four per cent either way, 1.018 nodes; and the factors, with two per cent either
        // way.
        "ybwc 4 3.25 (3.12 to 3.38) 1.02 (0.97 to 1.07) 3.31 (3.24 to 3.37)",
        "ybwc 4 0.870 (0.852 to 0.887) 0.980 (0.960 to 1.000) 0.970 (0.951 to 0.989)",
        // Other averages, and what stands behind them.
        "ybwc 4 90.0",
        "ybwc 4 3.15 (2.99 to 3.31) 3.38 (3.21 to 3.55) 3.28 30 10 0 1",
        // Where the time went.
        "ybwc 4 71.0 2.0 1.0 20.0 5.0 1.0",
        // Aborted, useless and stale window.
        "○ ybwc 64 1.3 9.4 0.4",
        "○ ybwc 4.10 (3.28 to 4.92) 8.0 does not fit",
        "strategy lazy ybwc lazy 2 1.23 (1.16 to 1.30) 0.004 1.22 (1.15 to 1.29) 0.008",
        "○ killers 64 0.720 (0.662 to 0.778) < 0.001 0.734 (0.683 to 0.786) < 0.001 null-move x history",
        "BK01 sequential 8 0.900 1.10",
        "ybwc 4 BK07 2.83 4.20",
        "ybwc 4 BK07 3 2.48 9\u{202f}950\u{202f}950 2.83 1.17 e2e4 × 2, d2d4 × 1",
        "ybwc, 4 processors, BK07, seed 3 the virtual machine found a <deadlock>",
    ];
    for row in expected {
        let near = rows.iter().filter(|text| text.starts_with(&row[..6.min(row.len())])).collect::<Vec<_>>();
        assert!(rows.iter().any(|text| text == row), "{row}: {near:?}");
    }
}

/// Text of a row of a table, without markup.
fn text(row: &str) -> String {
    let row = row.split("</tr>").next().and_then(|row| row.split_once('>')).map_or("", |(_, row)| row);
    let mut text = String::new();
    for piece in row.split('<') {
        text.push(' ');
        text.push_str(piece.split_once('>').map_or(piece, |(_, text)| text));
    }
    let words: Vec<&str> = text.split([' ', '\n']).filter(|word| !word.is_empty()).collect();
    words.join(" ").replace("&lt;", "<").replace("&gt;", ">")
}

#[test]
fn sections_come_in_order_and_only_where_there_is_something() {
    let all = ["answer", "charts", "real", "virtual", "method", "environment", "quality", "again"];
    let cases = [
        ("rich", page(&rich(), &charts(), &environment()), all.to_vec()),
        ("empty", page(&empty(), &[], &Value::Null), vec!["answer", "method", "environment", "quality"]),
    ];
    for (which, page, expected) in cases {
        let sections: Vec<&str> = tags(&page).into_iter().filter(|tag| name(tag) == "section").collect();
        assert_eq!(values(&sections, "id"), expected, "{which}");
    }
}

#[test]
fn what_spoils_real_times_stands_beside_them_only() {
    let found = |analysis: &Analysis| page(analysis, &[], &environment()).contains("<aside");
    assert!(found(&rich()));
    assert!(!found(&strategies(MachineKind::Virtual, &[2])), "virtual time is not disturbed");
}

#[test]
fn the_same_analysis_gives_the_same_bytes() {
    let first = page(&rich(), &charts(), &environment());
    // Another file of the same contents, with its keys in another order.
    let text = environment().to_string().replacen("\"id\"", "\"z\":1,\"id\"", 1);
    let environment: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(page(&rich(), &charts(), &environment), first);
}

#[test]
fn what_is_incomplete_is_said_before_any_figure() {
    let mut analysis = rich();
    analysis.quality.failed.clear();
    (analysis.quality.cells, analysis.quality.missing) = (128, 115);
    let page = page(&analysis, &charts(), &Value::Null);
    let notice = page.find("Preliminary: of 128 cells, ").expect("it is said");
    assert!(notice < page.find("id=\"answer\"").expect("there is an answer"));
    analysis.quality.missing = 0;
    assert!(!super::page(&analysis, &charts(), &Value::Null).contains("class=\"notice\""));
}

#[test]
fn tables_carry_what_their_files_are_made_of() {
    let page = page(&rich(), &[], &Value::Null);
    // The name that the column has in files, the estimate, and the ends of its interval.
    for part in ["data-name=\"time_speedup\"", "data-ends=\"", "data-order=\"3.2"] {
        assert!(page.contains(part), "{part}");
    }
}
