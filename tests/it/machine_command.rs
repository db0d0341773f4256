//! `splitpoint machine`, through the real binary.

use std::process::{Command, Output};
use std::thread::available_parallelism;

use serde_json::Value;
use splitpoint::machine::cost::CostModel;

fn machine(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_splitpoint")).arg("machine").args(arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn it_reads_well() {
    let output = machine(&[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let shown = text(&output.stdout);
    let headings: Vec<&str> = shown.lines().filter(|line| line.starts_with(char::is_alphabetic)).collect();
    let expected =
        ["Processors", "Caches", "Memory", "Clock", "Load", "Curves of speedups", "What disturbs measurements here"];
    assert_eq!(headings, expected, "{shown}");
    for part in ["model", "order", "governor", "others now"] {
        assert!(shown.contains(&format!("\n  {part}  ")), "{part}: {shown}");
    }
    assert!(!shown.lines().any(|line| line.ends_with(' ')), "{shown}");
}

#[test]
fn json_has_its_keys() {
    let output = machine(&["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let keys = |path: &str| -> Vec<String> {
        report.pointer(path).and_then(Value::as_object).unwrap_or_else(|| panic!("{path}")).keys().cloned().collect()
    };
    assert_eq!(keys(""), ["bends", "findings", "host", "order", "version"]);
    assert_eq!(keys("/host"), ["caches", "clock", "identity", "load", "memory", "quota_cpus", "topology"]);
    assert_eq!(
        keys("/host/topology/cpus/0"),
        ["capacity", "core_id", "cpu", "kind", "l3", "node", "package", "siblings"],
        "of a logical CPU"
    );
    assert_eq!(
        keys("/host/identity"),
        ["container", "kernel", "lacks_popcnt", "machine", "processor", "virtual_machine"]
    );
    assert_eq!(keys("/host/load"), ["average", "lately", "runnable", "since_start", "threads"]);

    let sorted = |path: &str| -> Vec<u64> {
        let mut cpus: Vec<u64> =
            report.pointer(path).unwrap().as_array().unwrap().iter().filter_map(Value::as_u64).collect();
        cpus.sort_unstable();
        cpus
    };
    assert_eq!(sorted("/order"), sorted("/host/topology/allowed"), "each allowed CPU is given once");
    // A quota makes the standard library's figure the smaller.
    assert!(sorted("/order").len() >= available_parallelism().unwrap().get());
}

/// Whatever else the computer may be, one processor is something to find.
#[cfg(target_os = "linux")]
#[test]
fn a_smaller_mask_is_seen_and_findings_have_their_keys() {
    let [first, ..] = splitpoint::machine::host::Topology::of_system().order()[..] else { panic!("no CPU") };
    // The program inherits the mask of the thread that starts it.
    let masked = move || {
        assert!(core_affinity::set_for_current(core_affinity::CoreId { id: first }), "CPU {first}");
        machine(&["--json"])
    };
    let output = std::thread::spawn(masked).join().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["order"], serde_json::json!([first]));
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["key"] == "one-core"), "{findings:?}");
    for finding in findings {
        assert!(["serious", "caution", "note"].contains(&finding["severity"].as_str().unwrap()), "{finding}");
        assert!(["key", "what", "remedy"].iter().all(|key| finding[key].is_string()), "{finding}");
    }
}

#[test]
fn calibration_gives_a_model_that_can_be_read_back() {
    let output = machine(&["--calibrate", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let calibration = &report["calibration"];
    let model: CostModel = serde_json::from_value(calibration["model"].clone()).unwrap();
    assert_eq!((model.name.as_str(), calibration["model_hash"].as_str()), ("calibrated", Some(model.hash().as_str())));
    let low = |path: &str| calibration["measured"].pointer(path).and_then(|figure| figure["low"].as_f64());
    assert!(low("/lock_free").unwrap() > 0.0);
    let probes = calibration["measured"]["probe"].as_array().unwrap();
    let times: Vec<f64> = probes.iter().map(|probe| probe["nanoseconds"]["low"].as_f64().unwrap()).collect();
    let work = calibration["work"]["costs"].as_array().unwrap();
    let of = |name: &str| work.iter().find(|cost| cost["name"] == name).map(|cost| cost["model"].clone());
    assert_eq!(of("main_node"), Some(model.main_node.into()), "{work:?}");
    assert!(model.main_node + model.generation + model.evaluation > 0);
    assert!(times[0] < times[2], "memory is slower than the near cache: {times:?}");

    // However busy this computer is: low quantiles leave out what others take. But who yields to another program, or
    // sleeps while all processors are taken, waits for the length of a time slice every time.
    const TIME_SLICE: u64 = 100_000_000;
    let costs = |name: &str| CostModel::COSTS.iter().find(|cost| cost.name == name).map(|cost| (cost.get)(&model));
    let assumed: Vec<&str> = calibration["assumed"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(["processors_per_board", "join", "away_permille", "jitter_permille"].iter().all(|it| assumed.contains(it)));
    assert!(!assumed.contains(&"lock_free") && !assumed.contains(&"main_node"), "{assumed:?}");
    let is_alone = splitpoint::machine::RealMachine::room() < 2;
    for (name, most) in [
        ("transfer_board", 2_000),
        ("transfer_far", 5_000),
        ("area_line", 2_000),
        ("copy_line", 1_000),
        ("lock_free", 1_000),
        ("lock_handoff", TIME_SLICE),
        ("wake_spin", TIME_SLICE),
        ("wake_yield", TIME_SLICE),
        ("wake_park", TIME_SLICE),
        ("call_park", TIME_SLICE),
        ("table_field", 200),
        ("sorting_move", 500),
        ("probe_memory", 5_000),
        ("probe_sharer_permille", 5_000),
        ("memory_sharer_permille", 3_000),
        ("together_permille", 10_000),
        ("split", 1_000_000),
        ("bus_line", 500),
    ] {
        let cost = costs(name).unwrap();
        assert!(cost <= most, "{name}: {cost}, more than {most}");
        let takes_two = !["lock_free", "table_field", "sorting_move", "probe_memory"].contains(&name);
        assert_eq!(assumed.contains(&name), takes_two && is_alone, "{name} in {assumed:?}");
    }
    if !is_alone {
        // `area_line` and `lock_handoff` are differences of two times, and 0 where noise is larger than they.
        assert!(model.transfer_board > 0 && model.wake_park > 0 && model.wake_spin > 0, "{model:?}");
    }
}

#[test]
fn bad_flags_exit_2() {
    for arguments in [&["--jsn"][..], &["host"], &["--json", "--json"]] {
        let output = machine(arguments);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{arguments:?}");
        assert!(text(&output.stderr).contains("Usage: splitpoint machine"), "{}", text(&output.stderr));
    }
}

#[test]
fn the_help_has_examples_that_run() {
    let help = machine(&["--help"]);
    let examples: Vec<&str> =
        text(&help.stdout).lines().filter_map(|line| line.trim().strip_prefix("splitpoint machine")).collect();
    assert_eq!(examples, ["", " --json", " --calibrate"]);
    // The last is run where its model is read.
    for example in &examples[..2] {
        assert!(machine(&example.split_whitespace().collect::<Vec<_>>()).status.success(), "{example}");
    }
}
