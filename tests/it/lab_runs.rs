//! Running experiments and reporting them, through the real binary, on experiments of a second.

use std::path::Path;
use std::process::Command;

use splitpoint::lab::shipped;
use splitpoint::machine::RealMachine;

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, LONGER, TINY, begin, done, ends_with, plan};

#[test]
fn a_run_makes_its_files_and_a_report_makes_them_again() {
    let bench = Bench::new("files");
    let (file, out) = (bench.write("tiny.toml", TINY.split("[report]").next().unwrap()), bench.at("out"));
    let run = done(&["run", &file, "--out", &out]);
    assert!(stdout(&run).contains("report.html") && stdout(&run).contains("ybwc"), "{}", stdout(&run));
    let made = bench.files("out");
    for name in ["journal.jsonl", "experiment.json", "experiment.toml", "environment.json", "report.html", "runs.csv"]
        .into_iter()
        .chain(["summary.csv", "summary.md", "summary.tex", "positions.csv", "columns.md"])
        .chain(["charts/time-speedup.png", "charts/time-speedup.pdf", "charts/time-speedup.pgf", "charts/captions.tex"])
        .chain(["charts/time-speedup.svg", "charts/processors.svg"])
    {
        assert!(made.get(&format!("out/{name}")).is_some_and(|bytes| !bytes.is_empty()), "{name}");
    }

    // The planned rows in the order of the plan.
    let planned = plan("tiny.toml", &bench.text("tiny.toml"), &[]);
    let column = |name: &str| bench.column("out", name);
    let expected: Vec<String> = (0..planned.cells.len()).map(|index| index.to_string()).collect();
    assert_eq!(column("index"), expected);
    for name in ["strategy", "threads", "depth"] {
        let expected: Vec<String> = planned.cells.iter().map(|cell| cell.configuration.field(name)).collect();
        assert_eq!(column(name), expected, "{name}");
    }
    let positions_and_seeds = planned.cells.iter().map(|cell| (cell.position.to_string(), cell.seed.to_string()));
    assert!(positions_and_seeds.eq(column("position").into_iter().zip(column("seed"))));
    assert!(column("status").iter().all(|status| status == "done"));

    // A report is a function of what was recorded.
    for _ in 0..2 {
        done(&["report", &out]);
        assert!(bench.files("out") == made, "the same bytes of every file");
    }
    for name in made.keys().filter(|name| {
        let kept = ["journal.jsonl", "experiment.json", "environment.json", "experiment.toml"];
        !kept.iter().any(|kept| name.ends_with(kept))
    }) {
        std::fs::remove_file(bench.at(name)).unwrap();
    }
    done(&["report", &out]);
    let expected = made;
    assert!(bench.files("out") == expected, "the same bytes of every file, from the results alone");

    // Files of charts fill the column that is asked for; the page has its own drawings.
    done(&["report", &out, "--column", "single"]);
    let single = bench.files("out");
    assert!(bench.text("out/charts/time-speedup.svg").contains(" width=\"85mm\""));
    let changed = single.iter().filter(|(name, bytes)| expected[*name] != **bytes).map(|(name, _)| name);
    assert!(changed.into_iter().all(|name| name.starts_with("out/charts/")), "nothing else changes");
    // Bare files leave their words to the captions.
    let words = |svg: &str| bench.text(svg).contains(">Bars: ");
    assert!(words("out/charts/time-speedup.svg"));
    done(&["report", &out, "--column", "single", "--bare"]);
    assert!(!words("out/charts/time-speedup.svg"));
    let captions = bench.text("out/charts/captions.tex");
    assert!(captions.contains("else 85mm\\fi]{time-speedup.pdf}") && captions.contains("Bars: 95 \\%"));
    ends_with(2, &["report", &out, "--column", "triple"]);
}

#[test]
fn toml_and_json_and_set_say_the_same() {
    let bench = Bench::new("json");
    let json = r#"{"title": "Tiny", "baseline": 2, "schedules": 1, "repetitions": 2,
                   "positions": {"ids": ["BK03", "BK09"]},
                   "axes": {"machine": "virtual", "strategy": ["ybwc", "lazy"], "threads": [2, 3], "depth": 5,
                            "hash": 1},
                   "report": {"charts": ["speedup"]}}"#;
    let deeper = TINY.replace("depth = 3", "depth = 5");
    let expected = plan("x.toml", &deeper, &[]);
    for (name, text, changes) in [
        ("x.json", json, &[][..]),
        ("x.toml", TINY, &["axes.depth=5"]),
        (
            "x.toml",
            "",
            &[
                "baseline=2",
                "schedules=1",
                "repetitions=2",
                "positions.ids=[\"BK03\", \"BK09\"]",
                "axes.machine=virtual",
                "axes.strategy=[\"ybwc\", \"lazy\"]",
                "axes.threads=\"2..=3\"",
                "axes.depth=5",
                "axes.hash=1",
            ],
        ),
    ] {
        let plan = plan(name, text, changes);
        assert_eq!((plan.cells, plan.description.plan), (expected.cells.clone(), expected.description.plan.clone()));
    }

    // And so do runs, down to the bytes.
    let (toml, json) = (bench.write("x.toml", TINY), bench.write("x.json", json));
    done(&["run", &json, "--out", &bench.at("json")]);
    done(&["run", &toml, "--set", "axes.depth=5", "--out", &bench.at("toml")]);
    assert_eq!(bench.text("json/runs.csv"), bench.text("toml/runs.csv"));
    assert_eq!(bench.text("json/summary.csv"), bench.text("toml/summary.csv"));
    // What is kept of the file can be run again.
    let kept = bench.at("json/experiment.toml");
    done(&["run", &kept, "--out", &bench.at("json"), "--resume"]);
}

#[test]
fn a_dry_run_tells_the_plan_and_writes_nothing() {
    let bench = Bench::new("dry");
    bench.write("tiny.toml", TINY);
    let output = Command::new(env!("CARGO_BIN_EXE_splitpoint"))
        .args(["run", "tiny.toml", "--dry-run", "--shard", "1/2"])
        .current_dir(bench.at(""))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let shown = stdout(&output);
    for expected in ["Tiny\n", "Does everything work?", "virtual  ybwc", "searches of 2 positions", "about ", "+-"] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    let searches = |shown: &str| -> usize {
        let line = shown.lines().find(|line| line.contains(" searches of ")).unwrap();
        line.split(' ').next().unwrap().parse().unwrap()
    };
    let rest = done(&["run", &bench.at("tiny.toml"), "--dry-run", "--shard", "2/2"]);
    assert_eq!(searches(&shown) + searches(&stdout(&rest)), 20);
    assert_eq!(bench.files("").keys().collect::<Vec<_>>(), ["tiny.toml"]);
}

#[test]
fn a_cell_over_its_limit_is_cut_off_alone() {
    let bench = Bench::new("limit");
    let text = format!("limit = \"4ms\"\n{}", TINY.replace("depth = 3", "depth = [2, 7]\nfeatures = \"thesis\""));
    let file = bench.write("limit.toml", text);
    let output = done(&["run", &file, "--out", &bench.at("out")]);
    assert!(stderr(&output).contains("the limit cut off 20 searches"), "{}", stderr(&output));
    assert!(stdout(&output).contains("Of 40 searches, 20 were cut off by the limit."), "{}", stdout(&output));
    let (depth, status, error) =
        (bench.column("out", "depth"), bench.column("out", "status"), bench.column("out", "error"));
    assert_eq!(depth.len(), 40);
    for (depth, (status, error)) in depth.iter().zip(status.iter().zip(&error)) {
        let is_told = error.starts_with("it was cut off after 0.004 s at depth ");
        assert_eq!((status.as_str(), is_told), if depth == "2" { ("done", false) } else { ("cut", true) });
    }
    // Both sides are cut off there, so that not even a bound is left: the column is empty and not written.
    let summary = |name: &str| bench.column_of("out/summary.csv", name);
    let (rule, speedup) = (summary("depth"), summary("time_speedup"));
    assert!(rule.iter().zip(&speedup).all(|(depth, speedup)| depth == "2" || speedup.is_empty()), "{speedup:?}");
    assert!(!bench.text("out/summary.csv").contains("time_speedup_bound"));
    assert!(bench.text("out/report.html").contains("it was cut off after 0.004 s"));

    // Nothing is missing: a cell that was cut off would be again.
    let before = bench.read("out/journal.jsonl");
    done(&["run", &file, "--out", &bench.at("out"), "--resume"]);
    assert!(bench.read("out/journal.jsonl") == before);
}

#[test]
fn disturbed_cells_are_repeated() {
    let bench = Bench::new("disturbed");
    // More threads than processors always disturb each other.
    let threads = RealMachine::room() + 1;
    let text = format!(
        "disturbed = \"repeat\"\nbaseline = \"none\"\npositions.ids = [\"BK03\", \"BK09\"]\n\
         report.charts = [\"speedup\"]\n\
         axes = {{ threads = {threads}, depth = 3, hash = 1 }}\n"
    );
    let (file, out) = (bench.write("disturbed.toml", text), bench.at("out"));
    for more in [&[][..], &["--resume"]] {
        done(&[&["run", &file, "--out", &out], more].concat());
        let rows: Vec<(String, String, String)> = bench
            .column("out", "index")
            .into_iter()
            .zip(bench.column("out", "attempt"))
            .zip(bench.column("out", "counts"))
            .map(|((index, attempt), counts)| (index, attempt, counts))
            .collect();
        let row = |index: u32, attempt: u32, counts: bool| (index.to_string(), attempt.to_string(), counts.to_string());
        let of = |index: u32| (0..3).map(move |attempt| row(index, attempt, attempt == 2));
        assert_eq!(rows, of(0).chain(of(1)).collect::<Vec<_>>());
    }
    for record in bench.records("out") {
        let disturbed = record.surroundings.unwrap().disturbed;
        assert!(disturbed.iter().any(|reason| reason == "there were more threads than processors"), "{disturbed:?}");
    }
}

#[test]
fn two_runs_of_one_folder_exclude_each_other() {
    let bench = Bench::new("lock");
    let (file, out) = (bench.write("longer.toml", LONGER), bench.at("out"));
    let mut first = begin(&["run", &file, "--out", &out]);
    bench.wait_for_lines("out", 1, &mut first);
    let output = ends_with(1, &["run", &file, "--out", &out, "--resume"]);
    assert!(stderr(&output).contains(&format!("{out} is in use")), "{}", stderr(&output));
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn what_ships_has_a_plan() {
    assert!(shipped::EXPERIMENTS.len() >= 10);
    for experiment in shipped::EXPERIMENTS {
        let plan = plan(&format!("{}.toml", experiment.name), experiment.text, &[]);
        let Some(first) = plan.cells.first() else { panic!("{}", experiment.name) };
        assert!(!plan.description.question.is_empty(), "{}", experiment.name);
        let has_position = plan.cells.iter().any(|cell| !cell.fen.is_empty());
        assert!(has_position || first.configuration.micro.is_some(), "{}", experiment.name);
    }
    // Every file in the folder ships, and none is forgotten.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut stems: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut names: Vec<&str> = shipped::EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
    stems.retain(|stem| stem != "Cargo");
    stems.sort();
    names.sort_unstable();
    assert_eq!(stems, names);
}

#[test]
fn the_schema_that_ships_is_the_one_of_the_program() {
    let shown = stdout(&done(&["run", "--schema"]));
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/schema.json");
    assert!(
        std::fs::read_to_string(shipped).unwrap() == shown,
        "make it anew: splitpoint run --schema > experiments/schema.json"
    );
}

#[test]
fn what_another_folder_holds_is_not_searched_again() {
    let bench = Bench::new("reuse");
    let (file, first) = (bench.write("tiny.toml", TINY), bench.at("first"));
    done(&["run", &file, "--out", &first, "--set", "repetitions=1"]);
    let (more, fresh) = (bench.at("more"), bench.at("fresh"));
    let foretold = stdout(&done(&["run", &file, "--out", &more, "--reuse", &first, "--dry-run"]));
    assert!(foretold.contains("12 searches are in") && foretold.contains("already"), "{foretold}");
    let run = done(&["run", &file, "--out", &more, "--reuse", &first]);
    assert!(stderr(&run).contains("reused 12 records"), "{}", stderr(&run));
    done(&["run", &file, "--out", &fresh]);
    assert_eq!(bench.text("more/runs.csv"), bench.text("fresh/runs.csv"));
    let sessions = |name: &str| bench.text(name).matches("\"started\"").count();
    assert_eq!((sessions("more/environment.json"), sessions("fresh/environment.json")), (2, 1));
    // The records of a changed search are no good.
    let changed = bench.text("first/experiment.json").replace("\"signature\": ", "\"signature\": 1");
    bench.write_sealed("first/experiment.json", &changed);
    ends_with(2, &["run", &file, "--out", &bench.at("none"), "--reuse", &first]);
    ends_with(2, &["run", &file, "--out", &bench.at("none"), "--reuse", &first, "--dry-run"]);
    // What the folder of a run itself holds counts likewise, if it is of this plan.
    let foretold = stdout(&done(&["run", &file, "--out", &fresh, "--resume", "--dry-run"]));
    assert!(foretold.contains("searches are in") && foretold.contains("about 0 s"), "{foretold}");
    ends_with(2, &["run", &file, "--out", &fresh, "--set", "repetitions=1", "--resume", "--dry-run"]);
    // Nor are records that another version made.
    let environment = bench.text("more/environment.json");
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    bench.write_sealed("more/environment.json", &environment.replace(&version, "\"version\": \"0.0.9\""));
    let refused = ends_with(2, &["run", &file, "--out", &bench.at("old"), "--reuse", &more]);
    assert!(stderr(&refused).contains("they were made by version 0.0.9, and this is version"), "{}", stderr(&refused));
    // What is filled on this computer stands in the description of the run.
    assert!(bench.text("more/experiment.json").contains("\"fill\": \""), "{}", bench.text("more/experiment.json"));
}

/// Each point of the curve beside periodic hogs lies on that without hogs or on that beside hogs at all times.
#[test]
fn periodic_hogs_make_dips_and_the_answer_tells_them() {
    let bench = Bench::new("dips");
    let costs = "axes.costs=[\"narrow\", \"narrow-hogs\", \"narrow-periodic\"]";
    let changes = ["--set", "positions.every=10", "--set", "axes.depth=6", "--set", costs];
    let run = done(&[&["run", "dips", "--out", &bench.at("out")][..], &changes].concat());
    let answer = stdout(&run).split_whitespace().collect::<Vec<_>>().join(" ");
    let dips = answer
        .split("Deepest dips of search speed below that of fewer processors, by the model: ")
        .nth(1)
        .expect(&answer);
    assert!(dips.starts_with("narrow-periodic ") && dips.contains("; published 28 % (on 16)."), "{dips}");

    let [costs, threads, speeds] = ["costs", "threads", "nps"].map(|name| bench.column("out", name));
    let speed = |model: &str, processors: usize| {
        let is_it = |row: &usize| costs[*row] == model && threads[*row] == processors.to_string();
        speeds[(0..costs.len()).find(is_it).unwrap()].clone()
    };
    let narrow = "e15k,bus_line=24";
    let (never, always) = (narrow.to_owned(), format!("{narrow},hogs=24"));
    let periodic = format!("{always},hog_period=600000000000");
    let is_beside_hogs = |processors: usize| {
        let [never, always, it] = [&never, &always, &periodic].map(|model| speed(model, processors));
        assert!(never != always && (it == never || it == always), "{processors}: {it}, {never} and {always}");
        it == always
    };
    let beside = (2..=24).filter(|processors| is_beside_hogs(*processors)).count();
    assert!((4..20).contains(&beside), "{beside} of 23 points");
}
