//! Computers that we do not have: `/proc` and `/sys` of each as a tree of files. What `splitpoint machine` says of
//! them, as a user reads it, lies beside their trees.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use splitpoint::machine::Pin;
use splitpoint::machine::host::{Files, Topology, bends, doubt, limit};

const NAMES: [&str; 7] = [
    "hybrid-laptop",
    "epyc-eight-l3",
    "two-sockets",
    "arm-big-little",
    "container-cgroup-v1",
    "container-cgroup-v2",
    "256-cpus",
];

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/computers").join(name)
}

/// A folder that stands for `/` of a computer, removed at the end.
struct Computer(PathBuf);

impl Computer {
    fn named(name: &str) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("splitpoint-{name}-{}-{number}", std::process::id()));
        for line in
            fs::read_to_string(kept(&format!("{name}.txt"))).unwrap().lines().filter(|line| !line.starts_with('#'))
        {
            let (path, text) = line.split_once(": ").unwrap_or_else(|| panic!("{name}: {line}"));
            for (path, text) in expanded(path, text) {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text.replace("\\n", "\n").replace("\\t", "\t")).unwrap();
            }
        }
        Self(root)
    }

    fn topology(&self) -> Topology {
        Topology::read(&Files::below(&self.0), 1)
    }

    fn machine(&self, arguments: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_splitpoint");
        Command::new(program).args(["machine", "--root"]).arg(&self.0).args(arguments).output().unwrap()
    }
}

impl Drop for Computer {
    fn drop(&mut self) {
        // Nothing depends on whether a temporary folder is left behind.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Files of a line: one for each number n of `{first-last}` or `{first-last/step}` in the path, with `<n/2*2+1>`, taken
/// from left to right, in the text.
fn expanded(path: &str, text: &str) -> Vec<(String, String)> {
    let Some((before, rest)) = path.split_once('{') else { return vec![(path.to_owned(), text.to_owned())] };
    let (range, after) = rest.split_once('}').unwrap();
    let (range, step) = range.split_once('/').unwrap_or((range, "1"));
    let (first, last) = range.split_once('-').unwrap();
    let numbers = (first.parse().unwrap()..=last.parse::<usize>().unwrap()).step_by(step.parse().unwrap());
    numbers.map(|n| (format!("{before}{n}{after}"), with_number(text, n))).collect()
}

fn with_number(text: &str, n: usize) -> String {
    let Some((before, rest)) = text.split_once('<') else { return text.to_owned() };
    let (formula, after) = rest.split_once('>').unwrap();
    let mut terms = formula.strip_prefix('n').unwrap();
    let mut value = n;
    while let Some(operator) = terms.chars().next() {
        let end = terms[1..].find(|c: char| !c.is_ascii_digit()).map_or(terms.len(), |end| end + 1);
        let number: usize = terms[1..end].parse().unwrap();
        value = match operator {
            '+' => value + number,
            '*' => value * number,
            '/' => value / number,
            '%' => value % number,
            other => panic!("{other} in <{formula}>"),
        };
        terms = &terms[end..];
    }
    format!("{before}{value}{}", with_number(after, n))
}

/// To renew the texts after a change, set `SPLITPOINT_RENEW` and read what has become of them.
#[test]
fn a_user_reads_of_each() {
    for name in NAMES {
        let output = Computer::named(name).machine(&[]);
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{name}");
        let shown = String::from_utf8(output.stdout).unwrap();
        let file = kept(&format!("{name}.machine"));
        if std::env::var_os("SPLITPOINT_RENEW").is_some() {
            fs::write(&file, &shown).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap();
        assert_eq!(shown, expected, "{name}");
    }
}

#[test]
fn programs_read_what_bends_a_curve() {
    let output = Computer::named("hybrid-laptop").machine(&["--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let bends: Vec<(&str, u64, bool)> = told["bends"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bend| {
            let key = bend["key"].as_str().unwrap();
            (key, bend["good_to"].as_u64().unwrap(), bend["is_limit"].as_bool().unwrap())
        })
        .collect();
    assert_eq!(bends, [("slow-cores", 8, true), ("hardware-threads", 16, true)]);
    let keys: Vec<&str> =
        told["findings"].as_array().unwrap().iter().filter_map(|finding| finding["key"].as_str()).collect();
    assert!(keys.contains(&"uneven-cores") && keys.contains(&"smt"), "{keys:?}");
}

/// CPUs of the first workers by each placement.
#[test]
fn workers_get_fast_cores_first_and_are_spread_or_stand_together() {
    type Case = (&'static str, &'static str, usize, &'static str);
    let cases: [Case; 17] = [
        ("hybrid-laptop", "cores", 16, "0,2,4,6,8,10,12,14,16-23"),
        ("hybrid-laptop", "spread", 16, "0,2,4,6,8,10,12,14,16-23"),
        ("hybrid-laptop", "compact", 9, "0,2,4,6,8,10,12,14,16"),
        ("hybrid-laptop", "threads", 4, "0-3"),
        ("epyc-eight-l3", "cores", 16, "0-15"),
        ("epyc-eight-l3", "compact", 16, "0-15"),
        ("epyc-eight-l3", "spread", 10, "0,8,16,24,32,40,48,56,1,9"),
        ("two-sockets", "cores", 4, "0,2,4,6"),
        ("two-sockets", "compact", 17, "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,1"),
        ("two-sockets", "spread", 4, "0-3"),
        ("two-sockets", "threads", 4, "0,32,2,34"),
        ("arm-big-little", "cores", 8, "7,4-6,0-3"),
        ("arm-big-little", "spread", 5, "7,4-6,0"),
        ("256-cpus", "spread", 10, "0,16,32,48,64,80,96,112,8,24"),
        ("256-cpus", "compact", 10, "0-9"),
        ("256-cpus", "cores", 130, "0-129"),
        ("container-cgroup-v2", "cores", 3, "0-2"),
    ];
    let topologies: BTreeMap<&str, Topology> =
        NAMES.iter().map(|name| (*name, Computer::named(name).topology())).collect();
    for (name, pin, threads, expected) in cases {
        let topology = &topologies[name];
        let cpus = pin.parse::<Pin>().unwrap().cpus(threads, topology).unwrap();
        assert_eq!(cpus.to_string(), expected, "{name} {pin}");
    }
    for (name, topology) in &topologies {
        for pin in ["cores", "spread", "compact", "threads"] {
            let mut cpus = pin.parse::<Pin>().unwrap().cpus(usize::MAX, topology).unwrap().as_slice().to_vec();
            cpus.sort_unstable();
            assert_eq!(cpus, topology.allowed.as_slice(), "{name} {pin}: each CPU once");
        }
    }
}

#[test]
fn what_a_number_of_threads_does_not_show_is_said() {
    type Case = (&'static str, Option<f64>, usize, Option<&'static str>);
    let cases: [Case; 11] = [
        ("hybrid-laptop", None, 8, None),
        ("hybrid-laptop", None, 9, Some("good to 8 threads, the number of fast cores")),
        ("hybrid-laptop", None, 25, Some("25 threads take turns on 24 processors")),
        ("hybrid-laptop", Some(4.0), 5, Some("a quota limits this process to the time of 4.00 processors")),
        ("epyc-eight-l3", None, 64, None),
        ("two-sockets", None, 32, None),
        ("two-sockets", None, 33, Some("good to 32 threads, the number of physical cores")),
        ("arm-big-little", None, 2, Some("good to 1 thread, the number of fast cores")),
        ("256-cpus", None, 128, None),
        ("container-cgroup-v1", Some(2.5), 2, None),
        ("container-cgroup-v1", Some(2.5), 3, Some("the time of 2.50 processors, and 3 threads want more")),
    ];
    for (name, quota, threads, expected) in cases {
        let told = doubt(threads, &Computer::named(name).topology(), quota);
        match expected {
            None => assert_eq!(told, None, "{name} {threads}"),
            Some(part) => assert!(told.as_ref().is_some_and(|told| told.contains(part)), "{name} {threads}: {told:?}"),
        }
    }
    let topology = Computer::named("epyc-eight-l3").topology();
    assert_eq!((limit(&topology, None), bends(&topology, None).len()), (None, 1), "eight caches are no limit");
    let topology = Computer::named("256-cpus").topology();
    let told: Vec<(&str, usize)> = bends(&topology, None).iter().map(|bend| (bend.key, bend.good_to)).collect();
    assert_eq!(told, [("l3-groups", 8), ("numa", 16), ("hardware-threads", 128)]);
}

#[test]
fn a_root_must_be_a_folder() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_splitpoint")).args(["machine", "--root", "/no/such"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such is not a folder"));
}
