//! `splitpoint tournament`, through the real binary: games depend on the file alone, survive whatever ends the program,
//! and become tables and a page.

use std::path::Path;

use serde_json::Value;

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, begin, done, ends_with};
use super::match_command::games;

/// A small tournament with odds on virtual processors.
const ODDS: &str = "form = \"odds\"\ngames = 8\nround = 4\n[every]\nprogram = \"modern\"\nmachine = \"virtual\"\n\
                    move_time = \"0.2ms\"\n[[player]]\nprocessors = [2, 4]\nstrategy = [\"lazy\"]\n";

/// The folders of the pairings, and the description without what differs between two runs.
fn description(bench: &Bench, folder: &str) -> (Vec<String>, Value) {
    let mut value: Value = serde_json::from_str(&bench.text(&format!("{folder}/tournament.json"))).unwrap();
    ["command", "crc"].iter().for_each(|key| drop(value.as_object_mut().unwrap().remove(*key)));
    let pairings = value["pairings"].as_array().unwrap().iter();
    (pairings.map(|pairing| pairing["folder"].as_str().unwrap().to_owned()).collect(), value)
}

#[test]
fn a_virtual_tournament_is_the_same_twice() {
    let bench = Bench::new("tournament-twice");
    bench.write("odds.toml", ODDS);
    let (file, one, other) = (bench.at("odds.toml"), bench.at("one"), bench.at("other"));
    let printed = done(&["tournament", &file, "--out", &one, "--threads", "1", "--pgn", &bench.at("one.pgn")]);
    done(&["tournament", &file, "--out", &other, "--threads", "3", "--board", "mailbox"]);
    let (folders, described) = description(&bench, "one");
    assert_eq!((&folders, &described), (&description(&bench, "other").0, &description(&bench, "other").1));
    assert!(folders.len() >= 2 && folders.iter().all(|folder| folder.starts_with("games/")), "{folders:?}");
    for folder in &folders {
        assert_eq!(games(&bench, &format!("one/{folder}")), games(&bench, &format!("other/{folder}")));
    }
    for table in ["players.csv", "pairings.csv", "strength.csv", "games.csv", "charts/score.svg"] {
        assert_eq!(bench.text(&format!("one/{table}")), bench.text(&format!("other/{table}")), "{table}");
    }
    assert_eq!(bench.text("one/games.csv").lines().count(), 1 + 16);
    assert_eq!(bench.text("one.pgn").matches("[Event ").count(), 16);
    let shown = stdout(&printed);
    assert!(shown.contains("2 processors") && shown.contains("even at k") && shown.contains("report.html"), "{shown}");
    // The page is made again from the folder, with the time speedups of another run.
    bench.write("summary.csv", "label,strategy,threads,time_speedup\nlazy,lazy,2,1.5\nlazy,lazy,4,2.25\n");
    let again = stdout(&done(&["report", &one, "--tables", "--beside", &bench.at("")]));
    assert!(again.contains("2.25") && again.contains("How did the games end?"), "{again}");
}

#[test]
fn a_tournament_continues_where_it_was_killed() {
    let bench = Bench::new("tournament-kill");
    bench.write("odds.toml", ODDS);
    let (file, whole, killed) = (bench.at("odds.toml"), bench.at("whole"), bench.at("killed"));
    done(&["tournament", &file, "--out", &whole]);
    let command = ["tournament", &file, "--out", &killed];
    let mut child = begin(&command);
    let has_begun = || Path::new(&bench.at("killed/games/2-processors/1.414")).exists();
    while !has_begun() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let _ = child.kill();
    child.wait().unwrap();
    done(&command);
    assert_eq!(description(&bench, "killed").1["pairings"], description(&bench, "whole").1["pairings"]);
    for table in ["players.csv", "pairings.csv", "games.csv"] {
        assert_eq!(bench.text(&format!("killed/{table}")), bench.text(&format!("whole/{table}")), "{table}");
    }
    // More games may be asked for, and no other players.
    done(&["tournament", &file, "--out", &killed, "--set", "games=12"]);
    assert_eq!(bench.text("killed/games.csv").lines().count(), 1 + 24);
    let output = ends_with(2, &["tournament", &file, "--out", &killed, "--set", "every.move_time=1ms"]);
    assert!(stderr(&output).contains("it was begun with"), "{}", stderr(&output));
}

#[test]
fn several_players_get_ratings_and_a_page() {
    let bench = Bench::new("tournament-ratings");
    let out = bench.at("presets");
    let small = ["--set", "games=4", "--set", "every.nodes=100"];
    let shown = stdout(&done(&[&["tournament", "presets", "--out", &out][..], &small].concat()));
    assert!(shown.contains("Ratings about the mean") && shown.contains("thesis"), "{shown}");
    let page = bench.text("presets/report.html");
    for part in [
        "Points of each player against each other",
        "Each player against each other",
        "On which computer?",
        "Depth of a move",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(bench.text("presets/pairings.csv").lines().count(), 1 + 6);
    done(&["report", &out]);
    assert_eq!(page, bench.text("presets/report.html"));
    // A folder of a match is none of a tournament.
    done(&["match", "modern", "thesis", "--games", "2", "--nodes", "50", "--out", &bench.at("match")]);
    assert!(bench.text("match/report.html").contains("thesis"));
    let output = ends_with(2, &[&["tournament", "presets", "--out", &bench.at("match")][..], &small].concat());
    assert!(stderr(&output).contains("it holds a match"), "{}", stderr(&output));
}

#[test]
fn names_lead_to_the_command_that_knows_them() {
    for (arguments, part) in [
        (&["tournament", "preset"][..], "did you mean 'presets'"),
        (&["tournament", "quick"], "splitpoint run quick"),
        (&["run", "strength-speedup"], "splitpoint tournament strength-speedup"),
        (&["tournament", "presets", "--set", "form=knockout"], "knockout"),
    ] {
        let message = stderr(&ends_with(2, arguments));
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}
