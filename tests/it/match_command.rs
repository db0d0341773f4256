//! `splitpoint match`, through the real binary: the games depend on the arguments alone, and survive whatever ends it.

use std::path::Path;

use serde_json::Value;

use super::command_line::{splitpoint, stderr, stdout};
use super::lab_folder::{Bench, begin, done, ends_with};

/// A match of a few short games.
const SMALL: [&str; 7] = ["match", "modern", "modern,-null-move", "--games", "6", "--nodes", "300"];

fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SMALL[..], more].concat()
}

/// The games of a folder in the order of their numbers, without the times that they took.
pub fn games(bench: &Bench, folder: &str) -> Vec<Value> {
    let text = bench.text(&format!("{folder}/games.jsonl"));
    let mut games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game["number"].as_u64());
    for game in &mut games {
        assert!(["time_ns", "crc"].iter().all(|key| game.as_object_mut().unwrap().remove(*key).is_some()));
    }
    games
}

/// Openings of a file: games begin with its positions, PGN says so, and the same games are read again as openings.
#[test]
fn openings_come_from_a_file() {
    let bench = Bench::new("match-openings");
    let epd = bench
        .write("o.epd", "4k3/8/8/8/8/8/4P3/4K2R b K - 0 1\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    let (out, pgn) = (bench.at("out"), bench.at("out.pgn"));
    let play = |openings: &str, out: &str, more: &[&str]| {
        let given = [
            &["match", "modern", "thesis", "--games", "4", "--nodes", "100", "--openings", openings, "--out", out],
            more,
        ];
        done(&given.concat())
    };
    let shown = stdout(&play(&epd, &out, &["--pgn", &pgn, "--resign", "3,2", "--draw", "never"]));
    assert!(shown.contains("openings of o.epd"), "{shown}");
    let found = games(&bench, "out");
    let start = |game: &Value| game["start"].as_str().unwrap_or_default().to_owned();
    assert_eq!(found.iter().filter(|game| start(game).contains(" b K")).count(), 2);
    assert_eq!((start(&found[0]), start(&found[2])), (start(&found[1]), start(&found[3])));
    let text = bench.text("out.pgn");
    assert_eq!(text.matches("[FEN \"4k3/8/8/8/8/8/4P3/4K2R b K - 0 1\"]").count(), 2);
    assert!(text.contains("1... "), "{text}");
    // Other openings or another end make other games.
    let wrong = ends_with(2, &["match", "modern", "thesis", "--games", "4", "--nodes", "100", "--out", &out]);
    assert!(stderr(&wrong).contains("out"), "{wrong:?}");
    let other = bench.at("other");
    play(&pgn, &other, &["--opening-plies", "2"]);
    assert!(games(&bench, "other").iter().all(|game| game["opening"].as_str().unwrap().split(' ').count() == 2));
    bench.write("bad.epd", "8/8/8/8/8/8/8/8 w - - 0 1\n");
    // An engine from outside is told where the game begins.
    let ours = format!("uci:{} uci", env!("CARGO_BIN_EXE_splitpoint"));
    let outside = bench.at("outside");
    done(&["match", "modern", &ours, "--games", "4", "--depth", "2", "--openings", &epd, "--out", &outside]);
    assert!(games(&bench, "outside").iter().all(|game| game["ending"] != "forfeit"));
    let bad = ends_with(2, &["match", "modern", "thesis", "--openings", &bench.at("bad.epd")]);
    assert!(stderr(&bad).contains("bad.epd, line 1"), "{bad:?}");
    ends_with(2, &["match", "modern", "thesis", "--resign", "3"]);
    let mated = bench.write("mated.epd", "8/8/8/8/8/8/4P3/k3K2R w K - 0 1\n7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\n");
    let over = ends_with(2, &["match", "modern", "thesis", "--openings", &mated]);
    assert!(stderr(&over).contains("after opening 2 the game is over"), "{over:?}");
    let unbalanced = done(&["match", "modern", "thesis", "--games", "2", "--nodes", "50", "--openings", "unbalanced"]);
    assert!(stdout(&unbalanced).contains("openings of unbalanced"), "{unbalanced:?}");
}

#[test]
fn any_number_of_threads_plays_the_same_games() {
    let bench = Bench::new("match-threads");
    let (one, three) = (bench.at("one"), bench.at("three"));
    let printed = done(&small(&["--threads", "1", "--out", &one, "--pgn", &bench.at("one.pgn")]));
    let more = ["--threads", "3", "--board", "mailbox", "--out", &three, "--pgn", &bench.at("three.pgn")];
    done(&small(&more));
    let found = games(&bench, "one");
    assert_eq!((found.len(), &found), (6, &games(&bench, "three")));
    assert_eq!(bench.text("one.pgn"), bench.text("three.pgn"));

    for pair in found.chunks(2) {
        assert_eq!(
            (&pair[0]["opening"], &pair[0]["white"], &pair[1]["white"]),
            (&pair[1]["opening"], &0.into(), &1.into())
        );
        assert_eq!(pair[0]["opening"].as_str().unwrap().split(' ').count(), 8);
    }
    let pgn = bench.text("one.pgn");
    for tag in ["[White \"modern\"]", "[Black \"modern\"]", "[Round \"3.2\"]", "[Result \""] {
        assert!(pgn.contains(tag), "{pgn}");
    }
    assert_eq!(pgn.matches("[Event ").count(), 6);
    assert!(pgn.lines().all(|line| line.chars().count() < 80), "{pgn}");

    assert!(pgn.contains("[TimeControl \"-\"]") && !pgn.contains("????"), "{pgn}");
    let shown = stdout(&printed);
    assert!(shown.contains("\nGames: 6, Wins: ") && shown.contains("\nPtnml(0-2): ["), "{shown}");
    for part in
        ["stronger", "score %", "nodes/move", "modern on 1 real processor, 300 nodes", "openings of the book, seed 0"]
    {
        assert!(shown.contains(part), "{shown}");
    }
}

#[test]
fn a_match_continues_where_it_was_killed() {
    let bench = Bench::new("match-kill");
    let (whole, killed) = (bench.at("whole"), bench.at("killed"));
    done(&small(&["--out", &whole]));
    let resume = small(&["--out", &killed]);
    let mut child = begin(&resume);
    while !Path::new(&bench.at("killed/match.json")).exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let _ = child.kill();
    child.wait().unwrap();
    // What a power cut leaves.
    let text = bench.text("whole/games.jsonl");
    let half: String = text.lines().take(2).map(|line| format!("{line}\n")).chain([text[..80].to_owned()]).collect();
    bench.write("killed/games.jsonl", half);
    let output = done(&resume);
    assert!(stderr(&output).contains("the last line of games.jsonl is incomplete"), "{}", stderr(&output));
    assert!(stderr(&output).contains("2 games are known"), "{}", stderr(&output));
    assert_eq!(games(&bench, "killed"), games(&bench, "whole"));
    // A folder whose games are all known plays none, and more games may be asked for.
    let json = |games: &str| -> Value {
        let arguments =
            ["match", "modern", "modern,-null-move", "--nodes", "300", "--out", &killed, "--json", "--games", games];
        serde_json::from_str(&stdout(&done(&arguments))).unwrap()
    };
    let (six, four, eight) = (json("6"), json("4"), json("8"));
    assert_eq!((&six["games"], &four["games"], &eight["games"]), (&6.into(), &4.into(), &8.into()));
    assert_eq!(games(&bench, "killed")[..6], games(&bench, "whole"));
    let sum = |value: &Value| ["won", "drawn", "lost"].iter().map(|name| value[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum(&six), sum(&eight)), (6, 8));
    assert_eq!(six["pairs"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum::<u64>(), 3);
}

#[test]
fn a_configuration_plays_evenly_against_itself() {
    let output = splitpoint(&["match", "modern", "modern", "--games", "4", "--depth", "2", "--json"]);
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&found["pairs"], &found["score"]["estimate"]), (&serde_json::json!([0, 0, 2, 0, 0]), &0.5.into()));
    assert!(found["score"]["low"].is_null() && found["superiority"].is_null(), "{found}");
}

#[test]
fn examples_of_the_help_run() {
    let bench = Bench::new("match-examples");
    std::fs::create_dir_all(bench.at("experiments/tournaments")).unwrap();
    bench.write("experiments/tournaments/presets.toml", include_str!("../../experiments/tournaments/presets.toml"));
    for command in ["match", "tune", "tournament"] {
        let help = stdout(&splitpoint(&[command, "--help"]));
        let examples: Vec<&str> = help.lines().filter_map(|line| line.trim().strip_prefix("splitpoint ")).collect();
        assert!(!examples.is_empty(), "{help}");
        for example in examples {
            // Many games belong to the user's patience, not the test's.
            let arguments: Vec<&str> =
                example.split_whitespace().map(|word| if word == "500" { "20" } else { word }).collect();
            let shorter = if arguments.contains(&"strength-speedup") {
                &["--set", "every.processor_time=0.2ms"][..]
            } else {
                &[]
            };
            let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_splitpoint"));
            let output = program.args(&arguments).args(shorter).current_dir(bench.at("")).output().unwrap();
            assert!(output.status.success() && !output.stdout.is_empty(), "{example}: {}", stderr(&output));
        }
    }
}

/// An engine in a few lines of shell that answers a search with this line.
fn engine(bench: &Bench, name: &str, answer: &str) -> String {
    let text = format!(
        "while read word rest; do case $word in\nuci) echo id name Fake; echo uciok;;\n\
         isready) echo readyok;;\ngo) echo info depth 3 nodes 77 score cp 20; {answer};;\nquit) exit;;\nesac; done\n"
    );
    format!("uci:sh {}", bench.write(name, text))
}

#[test]
fn engines_from_outside_that_fail_are_told_of() {
    let bench = Bench::new("match-engines");
    for (program, expected) in [
        ("uci:/nowhere/engine".to_owned(), "the engine '/nowhere/engine' cannot be started"),
        ("uci:sh -c exit".to_owned(), "instead of saying 'uciok'"),
    ] {
        let output = ends_with(2, &["match", "modern", &program, "--games", "2", "--nodes", "100"]);
        assert!(stderr(&output).contains(expected), "{program}: {}", stderr(&output));
    }
    // One that fails in a game has lost that game; the third in a row ends the match.
    for (program, expected) in [
        (engine(&bench, "illegal", "echo bestmove a1a8"), "plays 'a1a8', which is not a legal move, after moves"),
        (engine(&bench, "silent", "exit"), "ended instead of giving a move"),
    ] {
        let out = bench.at(&expected[..5]);
        let arguments = ["match", "modern", &program, "--games", "10", "--depth", "3", "--games-at-once", "1"];
        let output = ends_with(1, &[&arguments[..], &["--out", &out, "--json"]].concat());
        assert!(stderr(&output).contains("3 games in a row were forfeited"), "{}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{program}: {}", stderr(&output));
        let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!((&found["won"], &found["endings"]["forfeit"]), (&3.into(), &3.into()));
        assert_eq!(games(&bench, &expected[..5]).len(), 3, "what was played is kept");
    }
}

/// At equal depth one player may do many times the work of the other: that is said before who has won.
#[test]
fn a_match_at_equal_depth_between_unequal_players_is_not_fair() {
    let of = |limit: &[&str]| -> Value {
        let arguments = [&["match", "modern", "sound", "--games", "2", "--json"], limit].concat();
        serde_json::from_str(&stdout(&done(&arguments))).unwrap()
    };
    let found = of(&["--depth", "5"]);
    let nodes = [0, 1].map(|player: usize| found["players"][player]["nodes_per_move"].as_f64().unwrap());
    assert!(nodes[0].max(nodes[1]) > 2.0 * nodes[0].min(nodes[1]) && found["fair"] == false, "{found}");
    let verdict = found["verdict"].as_str().unwrap();
    assert!(
        verdict.starts_with("Not a fair match: a move took modern ") && verdict.contains("limit them by --move-time."),
        "{verdict}"
    );
    // With odds they are not meant to be alike.
    assert_eq!(of(&["--depth", "5", "--b-depth", "2"])["fair"], true);
}

/// A name that is a program, or nearly, is told how it is written.
#[test]
fn programs_are_found_by_their_names() {
    for (arguments, expected) in [
        (&["match", "modern", "sh"][..], "'sh' is not a preset; the program of this name is written uci:sh"),
        (&["match", "modern", "modrn"], "did you mean 'modern'?"),
        (&["engine", "sleepp"], "did you mean 'sleep'?"),
    ] {
        let told = stderr(&ends_with(2, arguments));
        assert!(told.contains(expected), "{told}");
    }
    let bench = Bench::new("match-xboard");
    let of_xboard = bench.write("chess", "while read -r word rest; do echo \"Illegal move: $word\"; done\n");
    let program = format!("sh {of_xboard}");
    let told = stderr(&ends_with(2, &["engine", &program, "--out", &bench.at("none")]));
    assert!(told.contains("speaks no UCI") && told.contains("try 'sh --uci', or an adapter"), "{told}");
}

/// An engine that hangs costs no more time than the user's patience.
#[test]
fn patience_is_the_user_s() {
    let bench = Bench::new("match-patience");
    let hangs = engine(&bench, "hangs", "while read more; do [ \"$more\" = quit ] && exit; done");
    let limits = ["--depth", "3", "--games", "10", "--games-at-once", "1", "--patience", "1s"];
    let output = ends_with(1, &[&["match", "modern", &hangs][..], &limits].concat());
    assert!(stderr(&output).contains("gives no move and has been at rest for 1 s"), "{}", stderr(&output));
}

/// However slowly it counts, an engine that goes on beyond its nodes is not waited for until its patience is over again
/// and again.
#[test]
fn an_engine_that_counts_slowly_beyond_its_nodes_is_given_up() {
    let bench = Bench::new("match-slow");
    let slow = engine(&bench, "slow", "n=0; while :; do echo info depth 2 nodes $((n+=1000)); sleep 0.01; done");
    let limits = ["--nodes", "3000", "--games", "4", "--patience", "1s"];
    let output = ends_with(1, &[&["match", "modern", &slow][..], &limits].concat());
    assert!(stderr(&output).contains("gave no move within 1 s of being told to stop"), "{}", stderr(&output));
}

/// An engine from outside is asked for a move before it plays: its games mean nothing if it does not keep to its nodes.
#[test]
fn an_engine_that_ignores_its_nodes_does_not_play() {
    let bench = Bench::new("match-nodes");
    let fake =
        |nodes: u32| engine(&bench, &format!("of-{nodes}"), &format!("echo info nodes {nodes}; echo bestmove e2e4"));
    for (program, expected) in [
        (fake(6), "Fake used 6 of 3000 nodes a move: it does not know 'go nodes'. Limit it by --move-time 0.05"),
        (fake(9_000), "Fake used 9000 of 3000 nodes a move: it does not keep to 'go nodes'"),
        (engine(&bench, "endless", "echo info nodes 90000000; read stop; echo bestmove e2e4"), "limit (nodes 3000)"),
    ] {
        let out = bench.at("out");
        let output = ends_with(1, &["match", "modern", &program, "--games", "4", "--nodes", "3000", "--out", &out]);
        assert!(stderr(&output).contains(expected), "{program}: {}", stderr(&output));
        assert!(!Path::new(&out).exists(), "another limit may be tried in the same folder");
        let file = format!("[[player]]\nprogram = [\"modern\", \"{program}\"]\nnodes = 3000\n");
        let output = ends_with(1, &["tournament", &bench.write("t.toml", file), "--out", &bench.at("tournament")]);
        assert!(stderr(&output).contains(expected), "{program}: {}", stderr(&output));
    }
    // One that keeps to them plays, by the name that it gives itself.
    let ours = format!("uci:{} uci", env!("CARGO_BIN_EXE_splitpoint"));
    let pgn = bench.at("games.pgn");
    done(&["match", "modern", &ours, "--games", "2", "--nodes", "100", "--pgn", &pgn]);
    assert!(bench.text("games.pgn").contains("[White \"Splitpoint "), "{}", bench.text("games.pgn"));
    // One that keeps to them in the first search only has played for nothing.
    let text = format!(
        "n=0\nwhile read -r line; do case \"$line\" in 'go nodes'*) n=$((n+1)); [ $n -gt 1 ] && line='go nodes 20';; \
         esac; echo \"$line\"; done | {} uci\n",
        env!("CARGO_BIN_EXE_splitpoint")
    );
    let program = format!("uci:sh {}", bench.write("later", text));
    let output = ends_with(1, &["match", "modern", &program, "--games", "2", "--nodes", "200"]);
    let shown = stdout(&output);
    assert!(shown.starts_with("! Splitpoint ") && !shown.contains("Elo +"), "{shown}");
    assert!(stderr(&output).contains("of 200 nodes a move: it does not know 'go nodes'. Result void"), "{shown}");
}

/// An engine that ends between two games is started again, and has lost nothing.
#[test]
fn an_engine_that_ends_between_games_plays_on() {
    let bench = Bench::new("match-restart");
    let text = format!(
        "n=0\nwhile read -r line; do [ \"$line\" = ucinewgame ] && n=$((n+1)); [ $n = 3 ] && exit; \
         echo \"$line\"; done | {} uci\n",
        env!("CARGO_BIN_EXE_splitpoint")
    );
    let program = format!("uci:sh {}", bench.write("restart", text));
    let output = ends_with(0, &["match", "modern", &program, "--games", "4", "--nodes", "50", "--json"]);
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(found["games"] == 4 && found["endings"]["forfeit"].is_null(), "{found}");
}

/// Players that differ in their limits only are told apart in PGN, too.
#[test]
fn twenty_games_at_odds() {
    let bench = Bench::new("match-twenty");
    let pgn = bench.at("games.pgn");
    let arguments = ["match", "modern", "modern", "--games", "20", "--nodes", "400", "--b-nodes", "100"];
    let output = ends_with(0, &[&arguments[..], &["--pgn", &pgn, "--json"]].concat());
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let of = |name: &str| found[name].as_u64().unwrap();
    assert_eq!((of("games"), of("won") + of("drawn") + of("lost")), (20, 20));
    assert!(of("won") > of("lost"), "four times the nodes are an advantage: {found}");
    let text = bench.text("games.pgn");
    let count = |tag: &str| text.matches(tag).count();
    assert_eq!(
        (count("[White \"modern (400 nodes)\"]"), count("[White \"modern (100 nodes)\"]"), count("[Event ")),
        (10, 10, 20)
    );
}

/// Who plays against one without a clock is told of two that can be understood.
#[test]
fn both_clocks_are_told() {
    let bench = Bench::new("match-clocks-told");
    let log = bench.at("log");
    let answer = format!("echo \"$rest\" >> {log}; echo bestmove a1a8");
    let clocked = engine(&bench, "clocked", &answer);
    ends_with(1, &["match", "modern", &clocked, "--games", "2", "--nodes", "100", "--b-clock", "40/5+0.05"]);
    let told = std::fs::read_to_string(&log).unwrap();
    assert_eq!(told.lines().count(), 2, "a move that is not legal is forfeited at once: {told}");
    assert!(told.lines().all(|line| line.contains("wtime 5000 btime 5000 winc 50 binc 50 movestogo 40")), "{told}");
}

#[test]
fn who_is_too_slow_has_lost() {
    let bench = Bench::new("match-clock");
    let slow = engine(&bench, "slow", "sleep 0.4; echo bestmove a1a8");
    let output = ends_with(0, &["match", "modern", &slow, "--games", "2", "--clock", "0.3+0.01", "--json"]);
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    // Its illegal move comes after its time.
    assert_eq!((&found["won"], &found["endings"]["time"]), (&2.into(), &2.into()));
    // Long games would be won no sooner.
    let out = bench.at("ours");
    let endings = bench.write("endings.epd", "8/8/8/3k4/8/8/8/R3K2R w - -\n");
    let ours = [
        "match",
        "modern",
        "modern",
        "--games",
        "2",
        "--clock",
        "1+0.05",
        "--openings",
        &endings,
        "--json",
        "--out",
        &out,
    ];
    let ours = splitpoint(&ours);
    let found: Value = serde_json::from_str(&stdout(&ours)).unwrap();
    assert!(found["endings"]["time"].is_null() && found["games"] == 2, "{found}");
    for left in bench.column_of("ours/players.csv", "least_left_ms") {
        assert!(left.parse().is_ok_and(|left: u64| left < 1000), "{left} ms left of a second and more");
    }
}

#[test]
fn virtual_processors_play_the_same_games_again() {
    let bench = Bench::new("match-virtual");
    let play = |out: &str, threads: &str| {
        let out = bench.at(out);
        let arguments = "match modern modern --games 4 --machine virtual --move-time 0.0004 --processors 4 --strategy \
                         lazy --b-processors 1 --b-move-time 0.0008";
        let more = ["--out", &out, "--threads", threads];
        done(&arguments.split_whitespace().chain(more).collect::<Vec<_>>());
    };
    play("one", "1");
    play("two", "2");
    let in_order = |folder: &str| -> Vec<String> {
        let mut lines: Vec<String> = bench.text(&format!("{folder}/games.jsonl")).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(in_order("one"), in_order("two"), "byte by byte, times included");
    let game: Value = serde_json::from_str(&in_order("one")[0]).unwrap();
    assert!(game["times_ms"].is_array() && game["time_ns"][0].as_u64() > Some(0));
    let described: Value = serde_json::from_str(&bench.text("one/match.json")).unwrap();
    assert_eq!((&described["processors"], &described["b_processors"]), (&4.into(), &Value::Null));
    assert_eq!((&described["time"], &described["b_time"]), (&"0.0004 s".into(), &"0.0008 s".into()));
    assert_eq!(described["costs"], "reference-modern", "the prices are those of the preset");
}

/// Several processors share a search though no strategy is named, of either player.
#[test]
fn several_processors_search_by_the_usual_strategy() {
    let bench = Bench::new("match-usual");
    for (name, processors, of) in [
        ("both", &["--processors", "4"][..], ["strategy", "b_strategy"]),
        ("b", &["--b-processors", "4"], ["b_strategy", "strategy"]),
    ] {
        let out = bench.at(name);
        let arguments = "match modern modern --games 2 --machine virtual --nodes 200".split(' ');
        done(&arguments.chain(processors.iter().copied()).chain(["--out", &out]).collect::<Vec<_>>());
        let described: Value = serde_json::from_str(&bench.text(&format!("{name}/match.json"))).unwrap();
        assert_eq!((&described[of[0]], &described[of[1]]), (&"teams".into(), &Value::Null), "{name}: {described}");
    }
}

#[test]
fn a_sequential_test_ends_a_match() {
    let bench = Bench::new("match-sprt");
    let out = bench.at("out");
    let arguments = ["match", "modern", "thesis", "--depth", "3", "--sprt", "0,100", "--out", &out, "--json"];
    let found: Value = serde_json::from_str(&stdout(&done(&arguments))).unwrap();
    let (games, test) = (found["games"].as_u64().unwrap(), &found["sequential_test"]);
    assert!(games < 4_000 && test["decision"].is_number(), "{found}");
    assert!(test["log_ratio"].as_f64().unwrap().abs() > 2.94);
    // The page says so too.
    let (page, ratio) = (bench.text("out/report.html"), test["log_ratio"].as_f64().unwrap());
    let told = format!("decided for {} (LLR {ratio:.2})", test["decision"].as_f64().unwrap());
    assert!(page.contains("SPRT 0, 100") && page.contains(&told), "{told}");
    assert!(page.contains("LOS, %") && page.contains("pairs 0 to 2"), "the first table");
    // What is decided stays so.
    let again: Value = serde_json::from_str(&stdout(&done(&arguments))).unwrap();
    assert_eq!(again["games"], games);
}

#[test]
fn bad_input_is_told_at_once() {
    let bench = Bench::new("match-bad");
    let out = bench.at("out");
    done(&["match", "modern", "thesis", "--games", "2", "--depth", "1", "--out", &out]);
    std::fs::create_dir(bench.at("foreign")).unwrap();
    bench.write("foreign/games.jsonl", "{}\n");
    for (arguments, expected) in [
        (&["match", "modern"][..], "required"),
        (&["match", "modern", "modren"], "did you mean 'modern'"),
        (&["match", "modern", "uci: "], "names no program"),
        (&["match", "modern", "/usr/games/engine"], "an engine is written uci:/usr/games/engine"),
        (&["match", "modern", "thesis", "--games", "7"], "must be even"),
        (&["match", "modern", "thesis", "--games", "0"], "from 2"),
        (&["match", "modern", "thesis", "--nodes", "0"], "at least 1"),
        (&["match", "modern", "thesis", "--depth", "61"], "from 1 to 60"),
        (&["match", "modern", "thesis", "--opening-plies", "1", "--games", "100"], "only 20 different openings"),
        (&["match", "modern", "thesis", "--games", "1000000"], "different openings of this kind"),
        (&["match", "modern", "thesis", "--clock", "0+1"], "is no time control"),
        (&["match", "modern", "thesis", "--clock", "5", "--move-time", "1"], "cannot be used with"),
        (&["match", "modern", "thesis", "--sprt", "5,0"], "the smaller one first"),
        (&["match", "modern", "thesis", "--hash", "1048576", "--games-at-once", "64"], "do not fit into memory"),
        (
            &["match", "modern", "thesis", "--games", "2", "--depth", "2", "--out", &out],
            "begun with depth = 1, and now it is 2",
        ),
        (&["match", "modern", "sound", "--games", "2", "--depth", "1", "--out", &out], "begun with b = \"thesis\""),
        (&["match", "modern", "thesis", "--out", &bench.at("foreign")], "but no match.json"),
    ] {
        let output = ends_with(2, arguments);
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
}

/// Players whose moves have a time need their processors for themselves.
#[test]
fn games_that_take_time_from_each_other_are_warned_of() {
    let played = |at_once: &[&str]| {
        let fixed = "match modern modern --games 2 --move-time 0.001 --processors 2 --hash 1";
        let output = splitpoint(&[&fixed.split(' ').collect::<Vec<_>>()[..], at_once].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    let room = splitpoint::machine::RealMachine::room();
    assert!(played(&["--games-at-once", &room.to_string()]).contains("take time from each other"));
    if room >= 2 {
        assert!(!played(&[]).contains("take time from each other"));
    }
}
