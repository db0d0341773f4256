//! Busy threads of our own, through the real binary: beside the measured threads, and among them.

use splitpoint::machine::host::Topology;

use super::command_line::stderr;
use super::lab_folder::{Bench, done, ends_with};

/// A mate in one, which every search finds, and a position of the thesis.
const EPD: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"mate\";\n\
                   r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - bm Bf5; id \"BK12\";\n";

#[test]
fn a_disturbed_search_says_so_and_finds_the_same() {
    let bench = Bench::new("disturb");
    bench.write("positions.epd", EPD);
    let text = "baseline = 1\ndisturbed = \"repeat\"\nwarm_up = false\npositions.epd = \"positions.epd\"\n\
                report.charts = [\"speedup\"]\n\
                [axes]\nthreads = 2\ndepth = 4\nhash = 1\n\
                disturb = [\"none\", \"1\", \"1 of 1 memory period=20ms share=0.5\"]\n";
    let (file, out) = (bench.write("disturb.toml", text), bench.at("out"));
    done(&["run", &file, "--out", &out]);

    let mut searches = std::collections::BTreeMap::new();
    for record in bench.records("out") {
        let measured = record.measured().unwrap();
        let one = &record.cell.configuration;
        assert_eq!((measured.depth, measured.workers.len() as u32), (4, one.threads));
        if record.cell.position == "mate" {
            assert_eq!((measured.mate, measured.bestmove.as_deref()), (Some(1), Some("a1a8")));
        }
        // What busy threads of our own took is not told as taken by others.
        let around = record.surroundings.as_ref().unwrap();
        assert!(one.disturb.is_none() || around.taken_share.is_none(), "{around:?}");
        let key = (one.disturb.as_str().to_owned(), one.strategy.to_string(), record.cell.position.to_string());
        searches.insert(key, (measured.nodes, measured.score_raw, measured.bestmove.clone()));
    }
    assert_eq!(searches.len(), 3 * 2 * 2);
    let of = |disturb: &str, position: &str| {
        searches[&(disturb.to_owned(), "sequential".to_owned(), position.to_owned())].clone()
    };
    for (disturb, position) in [
        ("1", "mate"),
        ("1", "BK12"),
        ("1 of 1 memory period=20ms share=0.5", "mate"),
        ("1 of 1 memory period=20ms share=0.5", "BK12"),
    ] {
        assert_eq!(of(disturb, position), of("none", position), "one processor searches the same tree");
    }

    let column = bench.column("out", "disturb");
    assert!(
        ["none", "1", "1 of 1 memory period=20ms share=0.5"].iter().all(|text| column
            .iter()
            .filter(|value| value == text)
            .count()
            >= 4)
    );
    assert!(
        bench.text("out/summary.md").contains("disturbed by 1 of 1 memory period=20ms share=0.5"),
        "{}",
        bench.text("out/summary.md")
    );
    assert!(bench.column("out", "filled_with").iter().all(String::is_empty));

    let few = ["--set", "axes.disturb=\"1\"", "--set", "baseline=\"none\""];
    done(&[&["run", &file, "--out", &bench.at("few")][..], &few].concat());
    assert!(bench.column("few", "disturb").iter().all(|value| value == "1"));
}

#[test]
fn processors_are_filled_with_arithmetic_or_with_memory() {
    let bench = Bench::new("fill");
    let text = "baseline = \"none\"\nwarm_up = false\npositions.ids = \"BK03\"\nreport.charts = [\"speedup\"]\n\
                axes = { strategy = \"sequential\", threads = 1, depth = 4, hash = 1 }\n";
    let file = bench.write("fill.toml", text);
    for (fill, filled, with) in [("false", "false", ""), ("true", "true", "arithmetic"), ("memory", "true", "memory")] {
        done(&["run", &file, "--out", &bench.at(fill), "--set", &format!("fill={fill}")]);
        assert_eq!(
            (bench.column(fill, "filled"), bench.column(fill, "filled_with")),
            (vec![filled.into()], vec![with.into()])
        );
    }
    // As arithmetic on all processors is no error, neither is memory where no processor is left.
    let room = Topology::of_system().allowed.len();
    let all = format!("axes.threads={room}");
    let all =
        ["run", &file, "--out", &bench.at("all"), "--set", "fill=memory", "--set", &all, "--set", "axes.strategy=lazy"];
    done(&all);
    assert!(bench.column("all", "filled").iter().all(|filled| filled == "true"));
}

#[test]
fn what_cannot_be_disturbed_is_refused() {
    let bench = Bench::new("disturb-wrong");
    let more = Topology::of_system().allowed.len() + 1;
    let too_many = format!("axes.disturb = \"1 of {more}\"\n");
    for (text, expected) in [
        ("[axes]\ndisturb = \"3 of 2\"\n", &["line 2, key 'axes.disturb'", "more busy threads than CPUs"][..]),
        ("axes.disturb = [\"none\", \"x of 4\"]\n", &["line 1, key 'axes.disturb'", "expected none, a number"]),
        ("axes.disturb = \"1 memroy\"\n", &["key 'axes.disturb'", "did you mean 'memory'?"]),
        ("axes.disturb = \"1 period=60s\"\n", &["key 'axes.disturb'", "expected period=60s share=0.5"]),
        ("axes.disturb = 0\n", &["key 'axes.disturb'", "must be from 1 to 1024"]),
        ("fill = \"memroy\"\n", &["line 1, key 'fill'", "did you mean 'memory'?"]),
        (&too_many, &["needs", "CPUs, but this process may run on"]),
    ] {
        let file = bench.write("wrong.toml", text);
        let output = ends_with(2, &["run", &file, "--out", &bench.at("out")]);
        for part in expected {
            assert!(stderr(&output).contains(part), "{text} lacks {part:?}:\n{}", stderr(&output));
        }
    }
    assert_eq!(bench.files("").len(), 1, "nothing was begun");
}
