//! `splitpoint contribute`: files of other computers side by side, and what is kept of a measurement.

use serde_json::json;
use splitpoint::record::Session;
use splitpoint::record::contribution::{BoardTime, Contribution, Part, Point};
use splitpoint::statistics::Interval;

use crate::command_line::{splitpoint, stderr, stdout};
use crate::lab_folder::Bench;

fn contribution(computer: &str) -> Contribution {
    let about = |estimate: f64| Interval { estimate, low: 0.97 * estimate, high: 1.03 * estimate };
    let point = |threads: u32, measured: f64| Point {
        strategy: "teams".to_owned(),
        threads,
        pairs: 48,
        measured: about(measured),
        predicted: about(1.1 * measured),
        ratio: about(1.1),
        nodes_measured: about(1.2),
        nodes_predicted: about(1.3),
    };
    let part = Part {
        features: "modern".to_owned(),
        model: json!({ "split": 2100, "main_node": 150, "join": 0 }),
        assumed: vec!["split".to_owned()],
        searches: [200, 3],
        points: vec![point(2, 1.7), point(4, 2.9)],
        ..Part::default()
    };
    let board = BoardTime { board: "mailbox".to_owned(), sliders: None, node_ns: 512.0, ratio: about(1.2) };
    let host = json!({ "name": computer, "processor": "Some Processor", "cores": 4 });
    Contribution::new(&Session { host, ..Session::default() }, vec![part], vec![board])
}

#[test]
fn contributions_are_shown_side_by_side_without_names() {
    let bench = Bench::new("contributions");
    let files = ["annas-pc", "bobs-pc"].map(|name| {
        let file = bench.at(&format!("{name}.json"));
        contribution(name).write(std::path::Path::new(&file)).unwrap();
        assert!(!bench.text(&format!("{name}.json")).contains(name));
        file
    });
    let page = bench.at("page.html");
    let output = splitpoint(&["contribute", &files[0], &files[1], "--page", &page]);
    let text = stdout(&output);
    assert!(
        text.contains("Of 4 predicted speedups on 2 computers, 4 are shown to differ from what was measured"),
        "{text}"
    );
    assert!(text.contains("Error (%)") && text.contains("mailbox"), "{text}");
    assert!(bench.text("page.html").contains("Predicted / measured time speedup"));

    // A changed digit is known, and so is a file of another kind.
    let changed = bench.text("annas-pc.json").replacen("1.7", "1.9", 1);
    let file = bench.write("changed.json", changed);
    let other = bench.write("other.json", "{\"kind\": \"a letter\", \"format\": 1}");
    for (file, reason) in [(file, "checksum"), (other, "missing field"), (bench.at("nowhere.json"), "no such file")] {
        let output = splitpoint(&["contribute", &file]);
        assert_eq!(output.status.code(), Some(2), "{file}");
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
    let both = splitpoint(&["contribute", &files[0], "--quick"]);
    assert_eq!(both.status.code(), Some(2));
}

/// Those that are kept are read, whatever version has made them, and none names a computer.
#[test]
fn contributions_that_are_kept_are_read() {
    let place = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/contributed");
    let files: Vec<String> = std::fs::read_dir(place)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| path.to_str().unwrap().to_owned())
        .collect();
    let arguments: Vec<&str> = ["contribute"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let output = splitpoint(&arguments);
    assert!(output.status.success() && !files.is_empty(), "{}", stderr(&output));
    assert!(stdout(&output).contains("predicted speedups on"), "{}", stdout(&output));
    for file in files {
        let contribution = Contribution::read(std::path::Path::new(&file)).unwrap();
        let name = contribution.session.host["name"].as_str().unwrap().to_owned();
        assert!(name.len() == 12 && name.chars().all(|digit| digit.is_ascii_hexdigit()), "{file}: {name}");
        assert!(std::fs::metadata(&file).unwrap().len() < 200_000, "{file}");
    }
}

/// What is finished is not measured again: the file follows from the steps alone.
#[test]
fn a_contribution_goes_on_after_its_last_step() {
    let bench = Bench::new("contribution-steps");
    let folder = bench.at("out");
    std::fs::create_dir(&folder).unwrap();
    let Contribution { parts, boards, .. } = contribution("here");
    let size = splitpoint::record::validation::Size::quick();
    let strategies: Vec<String> = splitpoint::parallel::AnyStrategy::all()
        .into_iter()
        .map(|strategy| strategy.to_string())
        .filter(|strategy| strategy != "sequential")
        .collect();
    let step = |name: &str, size: serde_json::Value, found: serde_json::Value| {
        let signature = splitpoint::search::signature::recorded();
        let step = json!({ "signature": signature, "size": size, "found": found });
        bench.write(&format!("out/step-{name}.json"), splitpoint::record::sealed(&step.to_string()));
    };
    for features in ["thesis", "modern"] {
        let mut size = serde_json::to_value(&size).unwrap();
        size["features"] = features.into();
        size["strategies"] = strategies.clone().into();
        step(features, size, serde_json::to_value(&parts[0]).unwrap());
    }
    step("boards", serde_json::to_value(&size).unwrap(), serde_json::to_value(&boards).unwrap());
    let output = splitpoint(&["contribute", "--quick", "--out", &folder]);
    assert!(stdout(&output).contains("Of 4 predicted speedups on 1 computer"), "{}", stderr(&output));
    let file = bench.text("out/contribution.json");
    assert!(file.len() < 200_000 && file.contains("\"kind\": \"splitpoint contribution\""));
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    assert!(host.trim().len() < 4 || !file.contains(host.trim()), "{host}");
    // Others' folders are not touched.
    std::fs::create_dir(bench.at("run")).unwrap();
    bench.write("run/experiment.json", "{}");
    let refused = splitpoint(&["contribute", "--quick", "--out", &bench.at("run")]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
}
