//! `splitpoint claims`, through the real binary: runs what a file of claims names, takes it up again, and holds the
//! figures against the claims.

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, done, ends_with};

/// Claims of small runs: that two processors search faster than one, that they are slower, that a player beats
/// another, and one on games that the usual size does not play.
const CLAIMS: &str = r#"
title = "Small claims"
question = "Do they hold?"
seconds_each = 0.0001

[[run]]
name = "speed"
experiment = "SPEED"
small = ["repetitions=2"]
full = ["repetitions=3"]

[[run]]
name = "games"
tournament = "GAMES"

[[run]]
name = "games-longer"
tournament = "GAMES"
set = ["every.nodes=200"]

[[run]]
name = "many"
tournament = "GAMES"
full = ["games=1000"]
full_only = true

[[run]]
name = "many-longer"
tournament = "GAMES"
set = ["every.nodes=200"]
full = ["games=1000"]
full_only = true

[[claim]]
name = "faster"
title = "Two are faster than one"
source = "Everybody"
said = "yes"
here = "the same"

[[claim.test]]
says = "time speedup on 2"
run = "speed"
measure = "speedup"
of = { threads = 2 }
above = 0.1

[[claim]]
name = "slower"
title = "Two are slower than one"
source = "Nobody"
said = "no"
here = "the same"

[[claim.test]]
says = "time on 2 by time on 1"
run = "speed"
measure = "time"
of = { threads = 2 }
to = { threads = 1 }
above = 10

[[claim]]
name = "winner"
title = "A player beats another"
source = "Nobody"
said = "no"
here = "the same"

[[claim.test]]
says = "Elo"
run = "games"
longer = "games-longer"
measure = "elo"
of = { program = "modern" }
to = { program = "thesis" }
above = 3000

[[claim]]
name = "stronger"
title = "A player is a little stronger"
source = "Nobody"
said = "no"
here = "the same"

[[claim.test]]
says = "Elo"
run = "many"
longer = "many-longer"
measure = "elo"
of = { program = "modern" }
to = { program = "thesis" }
above = 0
"#;
const SPEED: &str = "baseline = 2\npositions.ids = [\"BK03\", \"BK09\", \"BK12\"]\n[axes]\nmachine = \"virtual\"\n\
                     threads = [1, 2]\n\
                     depth = 6\nstrategy = \"lazy\"\n";
const GAMES: &str = "games = 4\n[every]\nnodes = 100\n[[player]]\nprogram = [\"modern\", \"thesis\"]\n";

#[test]
fn claims_are_run_and_judged() {
    let bench = Bench::new("claims");
    let (speed, games) = (bench.write("speed.toml", SPEED), bench.write("games.toml", GAMES));
    let file = bench.write("small.toml", CLAIMS.replace("SPEED", &speed).replace("GAMES", &games));
    let out = bench.at("out");
    let command = |more: &[&str]| -> Vec<String> {
        ["claims", "--file", &file, "--out", &out].iter().chain(more).map(|word| (*word).to_owned()).collect()
    };
    let run = |more: &[&str]| {
        let words = command(more);
        done(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    // One claim needs one run; the others are not judged yet.
    let one = stdout(&run(&["faster"]));
    assert!(one.contains("1 reproduced, 1 contradicted"), "{one}");
    let verdicts = || bench.column_of("out/claims.csv", "claim_verdict");
    assert_eq!(verdicts(), ["reproduced", "contradicted", "not run", "this size cannot decide"]);
    assert!(!std::path::Path::new(&bench.at("out/many")).exists());
    assert!(!std::path::Path::new(&bench.at("out/games")).exists());
    // All of them: what is there is not searched again.
    let journal = bench.read("out/speed/journal.jsonl");
    let all = stdout(&run(&[]));
    assert!(all.contains("report.html") && all.contains("Two are faster"), "{all}");
    assert_eq!(bench.read("out/speed/journal.jsonl"), journal);
    assert_eq!(&verdicts()[..2], ["reproduced", "contradicted"]);
    assert!(verdicts()[2] != "not run" && verdicts()[2] != "reproduced");
    // The report of the folder is the same again.
    let files = bench.files("out");
    done(&["report", &out]);
    assert_eq!(bench.files("out"), files);
    // A run of its own is a run folder, with its tables and where it was made.
    for file in ["environment.json", "summary.csv", "experiment.toml"] {
        assert!(std::path::Path::new(&bench.at(&format!("out/speed/{file}"))).exists(), "{file}");
    }
    let foretold = run(&["--dry-run"]);
    let words = stdout(&foretold);
    for part in ["4 games", "True: reproduced", "False: contradicted", "games"] {
        assert!(words.contains(part), "{words}");
    }
    // Games that this size does not play have no chances, and are not said to have none.
    let row = |text: &str| {
        let is_it = |line: &&str| line.contains("stronger") && line.contains("Elo");
        text.lines().rfind(is_it).map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(row(&words).matches("not run").count(), 5, "{words}");
    assert!(!row(&words).contains('%') && row(&words).contains(" games"), "{words}");
    let page = bench.text("out/summary.md");
    assert_eq!(row(&page).matches("not run").count(), 5, "{page}");
    assert!(page.contains("tests can decide with the size that was run; 1 other is not run."), "{page}");
    assert!(bench.column_of("out/claims.csv", "reproduced_if_true")[3].is_empty());
    assert!(row(&stdout(&run(&["--dry-run", "--full", "stronger"]))).contains('%'));
    assert!(!stderr(&foretold).contains("many") && stderr(&foretold).contains("speed"), "{foretold:?}");
    assert!(stdout(&run(&["--dry-run", "--full", "stronger"])).contains("1000 games"));

    // A region that its interval is wider than, and searches that are too small.
    let narrow = bench.text("small.toml").replace("above = 0.1", "above = 1\nbelow = 1.01");
    let narrow = bench.write("narrow.toml", narrow);
    let refused = stderr(&ends_with(2, &["claims", "--file", &narrow, "faster", "--out", &bench.at("narrow")]));
    assert!(refused.contains("accepts 1 to 1.01") && refused.contains("never be reproduced"), "{refused}");
    let text = bench.text("out/claims.toml");
    bench.write("out/claims.toml", text.replace("seconds_each = 0.0001", "seconds_each = 100"));
    done(&["report", &out]);
    assert_eq!(verdicts()[..2], ["too small to judge", "too small to judge"]);
    bench.write("out/claims.toml", text);

    let missing = stderr(&ends_with(2, &["claims", "--file", &file, "fastest"]));
    assert!(missing.contains("no claim 'fastest'") && missing.contains("faster"), "{missing}");
    ends_with(2, &["claims", "--file", &bench.at("nowhere.toml")]);
    let wrong = bench.write("wrong.toml", CLAIMS.replace("threads = 2 }\nabove", "threads = 5 }\nabove"));
    let wrong = std::fs::read(wrong).unwrap();
    bench.write("out/claims.toml", wrong);
    let error = stderr(&ends_with(2, &["report", &out]));
    assert!(error.contains("claim 'faster'") && error.contains("nothing in the run has threads = 5"), "{error}");
}

#[test]
fn the_claims_that_ship_are_listed_and_can_be_run() {
    let listed = stdout(&done(&["claims", "--list"]));
    for name in ["lazy-over-ybwc", "work-and-span", "too-big"] {
        assert!(listed.contains(name), "{listed}");
    }
    // Runs of both sizes are possible ones.
    for more in [&[][..], &["--full"]] {
        let words = [&["claims", "--dry-run", "lazy-over-ybwc", "abdada-over-lazy"], more];
        let foretold = stdout(&done(&words.concat()));
        assert!(foretold.matches("games").count() >= 2 && foretold.contains("Can decide"), "{foretold}");
    }
    // A claim is found in the file that has it, and one of another file is said to be there.
    let of_sources = stdout(&done(&["claims", "--dry-run", "too-big"]));
    assert!(of_sources.contains("too-big"), "{of_sources}");
    let error = stderr(&ends_with(2, &["claims", "--dry-run", "lazy-over-ybwc", "too-big"]));
    assert!(error.contains("--file sources too-big"), "{error}");
}
