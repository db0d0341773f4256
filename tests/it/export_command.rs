//! `splitpoint export`, through the real binary.

use serde_json::Value;

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, done, ends_with};

#[test]
fn a_run_folder_is_exported() {
    let bench = Bench::new("export");
    let file = bench.write(
        "small.toml",
        "repetitions = 2\npositions.ids = [\"BK03\", \"BK09\"]\n[axes]\nmachine = \"virtual\"\nthreads = [1, 2]\n\
         depth = 8\nstrategy = \"lazy\"\n",
    );
    let out = bench.at("out");
    done(&["run", &file, "--out", &out]);
    let exported = done(&["export", "extra-p", &out]);
    assert!(stderr(&exported).contains("wants measurements at 5 numbers of processors or more, and these are at 2"));
    let lines = stdout(&exported);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let times: Vec<&Value> = lines.iter().filter(|line| line["metric"] == "time" && line["params"]["p"] == 2).collect();
    assert_eq!(times.len(), 2, "a line for each seed: {lines:?}");
    assert!(times.iter().all(|line| line["value"].as_f64().unwrap() > 0.0 && line["callpath"] == "lazy"));
    let total = |metric: &str| -> f64 {
        let all = lines.iter().filter(|line| line["metric"] == metric && line["params"]["p"] == 1);
        all.map(|line| line["value"].as_f64().unwrap()).sum()
    };
    // On nodes of one there is no network, and no path for it.
    let paths = |end: &str| lines.iter().any(|line| line["callpath"].as_str().unwrap().ends_with(end));
    assert!(paths("->search") && !paths("->network"), "{lines:?}");
    // One processor searches all of its time.
    assert!((total("processor_time") / total("time") - 1.0).abs() < 0.05, "{lines:?}");

    const LICENSE: [&str; 2] = ["--license", "https://spdx.org/licenses/CC-BY-4.0"];
    const AUTHORS: [&str; 4] =
        ["--author", "Ada Lovelace, https://orcid.org/0000-0002-1825-0097", "--author", "A. Nonymous"];
    let ro_crate = [&["export", "ro-crate", out.as_str()], &LICENSE[..], &AUTHORS].concat();
    done(&ro_crate);
    let described: Value = serde_json::from_str(&bench.text("out/ro-crate-metadata.json")).unwrap();
    let graph = described["@graph"].as_array().unwrap();
    let of = |id: &str| graph.iter().find(|entity| entity["@id"] == id).unwrap();
    assert_eq!(of("ro-crate-metadata.json")["about"]["@id"], "./");
    assert_eq!(of("./")["license"]["@id"], "https://spdx.org/licenses/CC-BY-4.0");
    for part in of("./")["hasPart"].as_array().unwrap() {
        let name = part["@id"].as_str().unwrap();
        assert!(of(name)["@type"] == "File" && !bench.read(&format!("out/{name}")).is_empty(), "{name}");
    }
    assert!(of("charts/time-speedup.svg")["encodingFormat"] == "image/svg+xml");
    let authors = of("./")["author"].as_array().unwrap();
    let names: Vec<&Value> = authors.iter().map(|author| &of(author["@id"].as_str().unwrap())["name"]).collect();
    assert_eq!(names, ["Ada Lovelace", "A. Nonymous"]);
    let digest = splitpoint::record::digest::of_file(std::path::Path::new(&bench.at("out/runs.csv"))).unwrap();
    assert_eq!(of("runs.csv")["sha256"], *digest);
    // A description of the folder is not a part of itself.
    let first = bench.read("out/ro-crate-metadata.json");
    done(&ro_crate);
    assert_eq!(bench.read("out/ro-crate-metadata.json"), first);
    // Who has made the run, and the license, stay as they are until others are given.
    done(&["export", "ro-crate", &out]);
    assert_eq!(bench.read("out/ro-crate-metadata.json"), first);
    done(&["export", "ro-crate", &out, "--author", "B. Nonymous"]);
    let text = bench.text("out/ro-crate-metadata.json");
    assert!(text.contains("B. Nonymous") && !text.contains("Lovelace") && text.contains(LICENSE[1]), "{text}");
    ends_with(2, &["export", "ro-crate", &out, "--author", ", https://orcid.org/0000-0002-1825-0097"]);
    ends_with(2, &["export", "extra-p", &bench.at("nowhere")]);
}
