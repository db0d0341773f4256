//! `splitpoint search --trace`, through the real binary: the file is what viewers expect, and it says what the figures
//! say; the page is whole.

use std::collections::HashMap;

use serde_json::Value;

use crate::command_line::{splitpoint, stderr};

/// Groups of tracks.
const ACTIVITIES: u64 = 1;
const NODES: u64 = 2;
const ITERATIONS: u64 = 3;

/// Names of slices in each group.
const NAMES: [(u64, &[&str]); 3] = [
    (ACTIVITIES, &["search", "split", "lock", "idle", "wait"]),
    (NODES, &["own", "help", "search"]),
    (ITERATIONS, &["iteration"]),
];

/// Report and events of a search that was traced.
fn traced(arguments: &[&str]) -> (Value, Vec<Value>) {
    let name = arguments.join("-").replace(['=', ','], "-");
    let path = std::env::temp_dir().join(format!("splitpoint-{}-{name}.json", std::process::id()));
    let search = ["search", "BK12", "--features", "thesis", "--losses", "--json", "--trace", path.to_str().unwrap()];
    let output = splitpoint(&[&search[..], arguments].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let trace: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap();
    (report, trace["traceEvents"].as_array().unwrap().clone())
}

fn number(event: &Value, key: &str) -> u64 {
    event[key].as_u64().unwrap_or_else(|| panic!("no {key} in {event}"))
}

/// Nanoseconds of a time that is given in microseconds.
fn nanoseconds(event: &Value, key: &str) -> u64 {
    let microseconds = event[key].as_f64().unwrap_or_else(|| panic!("no {key} in {event}"));
    (microseconds * 1e3).round() as u64
}

fn span(slice: &Value) -> (u64, u64) {
    let from = nanoseconds(slice, "ts");
    (from, from + nanoseconds(slice, "dur"))
}

fn track(event: &Value) -> (u64, u64) {
    (number(event, "pid"), number(event, "tid"))
}

fn of_kind<'a>(events: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    events.iter().filter(move |event| event["ph"] == kind)
}

/// Times ascend; slices of a track lie within one another or beside one another, and have one of the few names.
fn slices_nest(events: &[Value]) {
    let mut last = 0;
    let mut open: HashMap<(u64, u64), Vec<(u64, u64)>> = HashMap::new();
    for event in events.iter().filter(|event| event["ph"] != "M") {
        let at = nanoseconds(event, "ts");
        assert!(at >= last, "{event} comes after {last}");
        last = at;
        if event["ph"] == "X" {
            let (stack, (from, to)) = (open.entry(track(event)).or_default(), span(event));
            stack.retain(|(_, end)| *end > from);
            assert!(stack.iter().all(|(_, end)| to <= *end), "{event} overlaps {stack:?}");
            stack.push((from, to));
            let (_, names) = NAMES.iter().find(|(group, _)| *group == number(event, "pid")).unwrap();
            assert!(names.contains(&event["name"].as_str().unwrap()), "{event}");
        }
    }
}

/// Every arrow begins where its owner has begun to share the node, ends where the helper begins, and never goes back in
/// time.
fn arrows_lead_from_owners_to_helpers(events: &[Value]) -> usize {
    let slices: Vec<&Value> = of_kind(events, "X").filter(|slice| number(slice, "pid") == NODES).collect();
    let begins = |name: &str, arrow: &Value| {
        let is_it = |slice: &&&Value| {
            slice["name"] == name && track(slice) == track(arrow) && span(slice).0 == nanoseconds(arrow, "ts")
        };
        slices.iter().find(is_it).unwrap_or_else(|| panic!("no slice '{name}' begins at {arrow}"))["args"].clone()
    };
    let mut starts: HashMap<u64, &Value> = HashMap::new();
    for arrow in of_kind(events, "s") {
        assert!(starts.insert(number(arrow, "id"), arrow).is_none(), "two arrows have one number: {arrow}");
    }
    let count = starts.len();
    for end in of_kind(events, "f") {
        let start = starts.remove(&number(end, "id")).unwrap_or_else(|| panic!("no beginning of {end}"));
        assert!(nanoseconds(start, "ts") <= nanoseconds(end, "ts"), "{start} {end}");
        assert_eq!((&start["name"], &start["cat"]), (&end["name"], &end["cat"]));
        let (owner, helper) = (begins("own", start), begins("help", end));
        assert_eq!(owner["owner"], start["tid"]);
        assert_eq!(helper["owner"], start["tid"]);
        assert_ne!(start["tid"], end["tid"]);
        for key in ["ply", "draft", "expected"] {
            assert_eq!(owner[key], helper[key], "{start} {end}");
        }
    }
    assert!(starts.is_empty(), "arrows without an end: {starts:?}");
    count
}

/// Cutoffs and stops lie within the slices that they belong to.
fn moments_belong_to_slices(events: &[Value]) {
    for moment in of_kind(events, "i") {
        let at = nanoseconds(moment, "ts");
        match moment["name"].as_str() {
            Some("cutoff") => {
                let is_there = |slice: &&Value| {
                    let (from, to) = span(slice);
                    track(slice) == track(moment)
                        && slice["args"]["ply"] == moment["args"]["ply"]
                        && from <= at
                        && at <= to
                };
                assert!(of_kind(events, "X").any(|slice| is_there(&slice)), "{moment} is in no slice");
            }
            Some("stop") => assert!(number(&moment["args"], "late_by_ns") <= at, "{moment}"),
            _ => panic!("{moment}"),
        }
    }
}

#[test]
fn a_trace_tells_what_every_processor_did() {
    for strategy in ["ybwc", "ybwc-as-printed", "ybwc-as-printed,-defect-stop-polling", "abdada"] {
        let (report, events) =
            traced(&["--depth", "7", "--machine", "virtual", "--threads", "4", "--strategy", strategy]);
        let position = &report["positions"][0];
        slices_nest(&events);
        moments_belong_to_slices(&events);
        let arrows = arrows_lead_from_owners_to_helpers(&events);
        assert_eq!(position["splits"]["joined"], arrows, "{strategy}");

        let slices = |group: u64, name: &'static str| {
            of_kind(&events, "X").filter(move |slice| number(slice, "pid") == group && slice["name"] == name)
        };
        let workers = position["workers"].as_array().unwrap();
        for activity in NAMES[0].1 {
            let key = format!("{activity}_ns");
            let counted: u64 = workers.iter().map(|worker| number(worker, &key)).sum();
            let shown: u64 = slices(ACTIVITIES, activity).map(|slice| nanoseconds(slice, "dur")).sum();
            assert_eq!(shown, counted, "{strategy}: {activity}");
        }
        assert_eq!(position["splits"]["made"], slices(NODES, "own").count(), "{strategy}");
        let cut = slices(NODES, "own").filter(|slice| slice["args"]["outcome"] == "cut").count();
        let cutoffs = of_kind(&events, "i").filter(|moment| moment["name"] == "cutoff").count();
        let stops = of_kind(&events, "i").filter(|moment| moment["name"] == "stop").count();
        assert_eq!(position["splits"]["stops"], stops, "{strategy}");
        if strategy == "abdada" {
            assert_eq!((arrows, cut, cutoffs), (0, 0, 0), "nothing is split");
        } else {
            assert!(arrows > 0 && stops > 0 && cut > 0 && cutoffs >= cut, "{arrows} {stops} {cut} {cutoffs}");
        }
        let depths: Vec<u64> = slices(ITERATIONS, "iteration").map(|slice| number(&slice["args"], "depth")).collect();
        assert_eq!(depths.last(), Some(&7));
        // What helpers have entered is part of all nodes; what their owners have entered meanwhile, too.
        let helped: u64 = slices(NODES, "help").map(|slice| number(&slice["args"], "nodes")).sum();
        assert!(helped <= number(position, "nodes") && (helped > 0) == (arrows > 0), "{strategy}");
    }
}

#[test]
fn real_processors_are_traced_too() {
    for strategy in ["ybwc", "ybwc-as-printed"] {
        let (report, events) = traced(&["--depth", "7", "--threads", "2", "--strategy", strategy]);
        slices_nest(&events);
        moments_belong_to_slices(&events);
        assert_eq!(report["positions"][0]["splits"]["joined"], arrows_lead_from_owners_to_helpers(&events));
    }
}

#[test]
fn a_page_has_a_row_for_each_processor_and_needs_nothing_else() {
    let page = |name: &str| {
        let path = std::env::temp_dir().join(format!("splitpoint-{}-{name}.html", std::process::id()));
        let search = ["search", "BK12", "--depth", "6", "--machine", "virtual", "--threads", "3", "--alone", "--trace"];
        let output = splitpoint(&[&search[..], &[path.to_str().unwrap()]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        text
    };
    let text = page("first");
    assert!(text == page("second"), "two searches have two pages");
    assert_eq!(text.matches("<g class=\"row\"").count(), 3);
    assert!(text.starts_with("<!DOCTYPE html>") && text.contains("default-src &#39;none&#39;"));
    for loads in ["src=", "href=", "url(", "@import", "://"] {
        assert!(!text.contains(loads), "{loads}");
    }
    for part in
        ["teams · 3 processors, virtual machine (reference-modern)", "P0, search: ", "P1 helps P0: ply ", "draft "]
    {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn a_trace_that_cannot_be_written_is_refused_before_the_search() {
    for (arguments, message) in [
        (&["search", "--depth", "2", "--trace", "t.json"][..], "--trace takes one position, and 10 were given"),
        (
            &["search", "BK12", "--depth", "2", "--trace", "/nowhere/t.json"],
            "cannot write the trace to /nowhere/t.json",
        ),
    ] {
        let output = splitpoint(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

/// Lines of a tree after the heading: beginning and end in microseconds, the processor, whether it took the node from
/// another one, and the words for the node with their indentation.
fn rows(text: &str) -> Vec<(f64, f64, &str, bool, &str)> {
    let rows = text.lines().skip_while(|line| !line.trim_start().starts_with("from ")).skip(1);
    rows.take_while(|line| !line.contains("further below") && !line.starts_with("page"))
        .map(|line| {
            let time = |at: std::ops::Range<usize>| line[at].trim().parse().unwrap();
            let words = &line[33..];
            (time(0..9), time(11..20), line[22..26].trim(), line[28..33].contains('<'), words)
        })
        .collect()
}

#[test]
fn a_tree_says_who_searches_which_node() {
    let show = |more: &[&str]| {
        let output = splitpoint(&[&["show", "BK12", "--tree", "--features", "thesis"], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let depth = |words: &str| (words.len() - words.trim_start().len()) / 2;
    let alone = show(&["--depth", "3", "--threads", "1", "--plies", "9"]);
    assert!(rows(&alone).iter().all(|(_, _, by, is_taken, _)| *by == "P0" && !is_taken), "{alone}");
    let both = show(&["--depth", "3", "--threads", "2", "--plies", "9"]);
    let found = rows(&both);
    assert!(found.len() > 50 && found[0].4.contains("root"), "{both}");
    assert!(found.iter().any(|(_, _, by, is_taken, _)| *by == "P1" && *is_taken), "{both}");
    // A node is searched while the one above it is.
    let mut above: Vec<(f64, f64)> = Vec::new();
    for (from, to, .., words) in &found {
        above.truncate(depth(words.trim_end()) - depth(found[0].4.trim_end()));
        assert!(from <= to && above.last().is_none_or(|(begin, end)| begin <= from && to <= end), "{words}");
        above.push((*from, *to));
    }
    let page = std::env::temp_dir().join(format!("splitpoint-{}-tree.html", std::process::id()));
    let shown = show(&["--depth", "3", "--threads", "1,3", "--page", page.to_str().unwrap()]);
    let text = std::fs::read_to_string(&page).unwrap();
    std::fs::remove_file(&page).unwrap();
    assert!(shown.contains("on 3 virtual processors"), "{shown}");
    for part in
        ["data-names=\"1 3\"", "class=\"moment\"", "class=\"arrow\"", "class=\"taken\"", ": P2, below a node of P0, "]
    {
        assert!(text.contains(part), "{part}");
    }
    assert_eq!(text.matches("<section>").count(), 2);
    for (more, expected) in [(&["--depth", "7"][..], "search less deep"), (&["--sets"], "cannot be used with")] {
        let wrong = splitpoint(&[&["show", "BK12", "--tree", "--features", "thesis"], more].concat());
        assert!(wrong.status.code() == Some(2) && stderr(&wrong).contains(expected), "{}", stderr(&wrong));
    }
}
