//! Engines from outside in experiments, through the real binary: our own as one of them, and small programs that do
//! what none should.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use splitpoint::record::{CellResult, Record};

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, begin, done, ends_with};

/// An experiment on our own engine as if it came from outside, beside itself.
fn ours_from_outside() -> String {
    format!(
        r#"title = "Ourselves"
question = "Are we measured as others are?"
baseline = 4
repetitions = 2
order = "plan"
warm_up = false

[positions]
suite = "bratko-kopec"
ids = ["BK01", "BK04"]

[engines.mirror]
command = ["{}", "uci"]
options = {{ "Move Overhead" = 0 }}

[axes]
depth = 5
hash = 16
threads = [1, 2]

[[plan]]
strategy = "mirror"

[[plan]]
strategy = "lazy"
features = "modern"

[report]
asks = "scaling"
"#,
        env!("CARGO_BIN_EXE_splitpoint")
    )
}

fn nodes(record: &Record) -> u64 {
    record.measured().expect("it was measured").nodes
}

#[test]
fn our_engine_is_measured_from_outside() {
    let bench = Bench::new("outside-ours");
    let (file, out) = (bench.write("mirror.toml", ours_from_outside()), bench.at("out"));
    let run = done(&["run", &file, "--out", &out]);
    let told = stdout(&run);
    assert!(told.contains("Splitpoint") && told.contains("lazy"), "it is called what it calls itself: {told}");
    let records = bench.records("out");
    let of = |engine: Option<&str>, threads: u32, position: &str| -> Vec<&Record> {
        let is_it = |record: &&Record| {
            let configuration = &record.cell.configuration;
            let of_engine = (configuration.engine_name(), configuration.threads) == (engine, threads);
            of_engine && record.cell.position == position
        };
        let mut found: Vec<&Record> = records.iter().filter(is_it).collect();
        found.sort_by_key(|record| record.cell.seed);
        found
    };
    // In BK01 nobody can castle, in BK04 both sides can.
    assert_eq!(of(Some("mirror"), 1, "BK01").len(), 4);
    assert_eq!(of(Some("mirror"), 1, "BK04").len(), 2);
    assert_eq!(of(Some("mirror"), 2, "BK04").len(), 2);
    for position in ["BK01", "BK04"] {
        // The first view is the position itself, and the seed of the interface is 0.
        let (outside, inside) = (of(Some("mirror"), 1, position)[0], of(None, 1, position)[0]);
        let [outside, inside] = [outside, inside].map(|record| record.measured().unwrap());
        assert_eq!((outside.depth, &outside.bestmove), (inside.depth, &inside.bestmove));
        // The protocol rounds scores to centipawns.
        assert!((outside.score_raw - inside.score_raw).abs() <= 5, "{} {}", outside.score_raw, inside.score_raw);
        assert_eq!(outside.answers.len(), 5);
        assert!(outside.answers.iter().map(|answer| answer.time_ns).is_sorted());
        assert_eq!(outside.answers[4].time_ns, outside.time_ns);
        assert!(outside.program.as_ref().is_some_and(|name| name.starts_with("Splitpoint")));
        assert_eq!(outside.nodes, inside.nodes);
    }
    // Exchanging the colours changes nothing but the order of moves.
    let views = of(Some("mirror"), 1, "BK01");
    assert!(views.iter().all(|record| record.measured().unwrap().bestmove.is_some() && nodes(record) > 0));
    let column = |name: &str| bench.column("out", name);
    let (engines, order, hash) = (column("engine"), column("order_share"), column("ended_share"));
    let (thesis, copies, features) = (column("thesis_nodes"), column("copied_bytes"), column("features"));
    assert!(engines.iter().any(|engine| engine == "mirror") && engines.iter().any(String::is_empty));
    for (i, engine) in engines.iter().enumerate() {
        for known in [&order[i], &hash[i], &thesis[i], &copies[i], &features[i]] {
            assert_eq!(known.is_empty(), engine == "mirror", "row {i}");
        }
    }
    assert!(column("status").iter().all(|status| status == "done"));
    let summary = bench.column_of("out/summary.csv", "time_speedup");
    assert!(summary.iter().filter(|speedup| !speedup.is_empty()).count() >= 2, "{summary:?}");
    let page = bench.text("out/report.html");
    assert!(page.contains("Splitpoint"));
    // A rerun finds all done, and another command is another experiment.
    done(&["run", &file, "--out", &out, "--resume"]);
    assert_eq!(bench.records("out").len(), records.len());
    let other = ["run", &file, "--out", &out, "--resume", "--set", "engines.mirror.options.Ponder=true"];
    ends_with(2, &other);
}

/// One command names the engine, finds its depth, and makes a run folder like others.
#[test]
fn an_engine_is_measured_by_one_command() {
    let bench = Bench::new("outside-engine");
    let (ours, out) = (format!("{} uci", env!("CARGO_BIN_EXE_splitpoint")), bench.at("out"));
    let small = ["engine", &ours, "--time", "50ms", "--positions", "2", "--threads", "1,2", "--out", &out, "--resume"];
    let run = done(&small);
    let (told, printed) = (stderr(&run), stdout(&run));
    let depth = told.split_once(": depth ").and_then(|(_, rest)| rest.split_once(": ")).expect("the pilot tells").0;
    assert!(told.contains(" s on one thread"), "{told}");
    assert!(printed.contains("Splitpoint"), "{printed}");
    let records = bench.records("out");
    let positions: BTreeSet<&str> = records.iter().map(|record| record.cell.position.as_str()).collect();
    assert_eq!(positions.len(), 2);
    for record in &records {
        let configuration = &record.cell.configuration;
        assert!(configuration.engine_name().is_some_and(|name| name.starts_with("Splitpoint ")));
        assert_eq!(record.cell.depth.unwrap().to_string(), depth);
        assert!(record.cell.depth >= Some(1) && record.measured().is_some());
    }
    // As it was begun, whatever a pilot would say now; and by 'run' from the file that the folder keeps.
    assert!(!stderr(&done(&small)).contains("on one thread"));
    done(&["run", &format!("{out}/experiment.toml"), "--out", &out, "--resume"]);
    assert_eq!(bench.records("out").len(), records.len());
    let other = ends_with(2, &["engine", "another", "--out", &out, "--resume"]);
    assert!(stderr(&other).contains("without the engine 'another'"), "{}", stderr(&other));
    let beside = ["engine", &ours, "--depth", "6", "--positions", "1", "--threads", "2", "--time", "10ms", "--dry-run"];
    let plan = stdout(&done(&[&beside[..], &["--beside-ours", "--reference", &ours]].concat()));
    for name in ["ybwc", "lazy", "Splitpoint ", " (2) "] {
        assert!(plan.contains(name), "{name}: {plan}");
    }
}

#[test]
fn a_program_that_cannot_be_measured_is_told_at_once() {
    let bench = Bench::new("outside-none");
    let deaf = format!("sh {}", bench.write("deaf", "echo id name Deaf; echo uciok; cat"));
    let optional = "echo id name Optional; echo option name Threads type spin default 1 min 1 max 8; \
                    echo option name Skill type spin default 20 min 0 max 20; echo uciok; cat";
    let optional = format!("sh {}", bench.write("optional", optional));
    for (program, option, expected) in [
        (
            optional.as_str(),
            "Skill=99",
            "does not take '99' for its option 'Skill': it takes a whole number from 0 to 20",
        ),
        (optional.as_str(), "threads=2", "is told its 'threads' by the axis 'threads': leave the option out"),
        ("/nowhere/engine", "A=1", "the engine '/nowhere/engine' cannot be started"),
        ("", "A=1", "names no program"),
        ("true", "A=1", "ended instead of saying 'uciok'"),
        ("false", "A=1", "ended instead of saying 'uciok' (exit status: 1)"),
        (deaf.as_str(), "Hsh=1", "has no option 'Hsh'"),
        (deaf.as_str(), "Hsh", "expected NAME=VALUE"),
    ] {
        let output = ends_with(2, &["engine", program, "--option", option, "--out", &bench.at("none")]);
        assert!(stderr(&output).contains(expected), "{program}: {}", stderr(&output));
    }
}

/// A program in a few lines of shell that answers a search with these.
fn program(bench: &Bench, name: &str, answer: &str) -> String {
    let text = format!(
        "n=0\nwhile read word rest; do case $word in\n\
         uci) echo id name Fake; echo option name Hash type spin; echo uciok;;\n\
         isready) echo readyok;;\ngo) n=$((n+1)); echo info depth 2 nodes 70 score cp 20 pv e2e4; {answer};;\n\
         quit) exit;;\nesac; done\n"
    );
    let path = bench.write(name, text);
    format!("[engines.fake]\ncommand = [\"sh\", \"{path}\"]\npatience = \"1s\"\n")
}

const PLAN: &str = "baseline = \"none\"\nrepetitions = 2\nwarm_up = false\n[positions]\nids = [\"BK01\"]\n\
                    [axes]\nstrategy = \"fake\"\nthreads = 1\ndepth = 2\n";

/// Tries all cases at once, each on a thread of its own.
fn side_by_side<T: Send, const N: usize>(cases: [T; N], check: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| check(case));
        }
    });
}

#[test]
fn an_engine_that_misbehaves_is_a_failed_record() {
    let bench = &Bench::new("outside-fakes");
    // Beside each other, for most of the time is waiting.
    side_by_side(
        [
            ("ends", "echo 'what a pity' >&2; exit", "ended instead of giving a move; the last it wrote was"),
            ("illegal", "echo bestmove a1a8", "plays 'a1a8', which is not a legal move"),
            ("empty", "echo bestmove", "plays '', which is not a legal move"),
            (
                "hangs",
                "while read more; do [ \"$more\" = quit ] && exit; done",
                "gives no move and has been at rest for 0.3 s",
            ),
            ("works", "while :; do :; done", "gives no move and has told nothing new for 3 s"),
            (
                "talks",
                "while :; do echo info depth 2 currmove e2e4; done",
                "gives no move and has told nothing new for 3 s",
            ),
            ("deaf", "echo; while :; do echo info nodes $((n+=9999)); done", "of being told to stop"),
        ],
        |(name, answer, expected)| {
            let program = program(bench, name, answer).replace("\"1s\"", "\"0.3s\"");
            let limit = if name == "deaf" { "limit = \"500ms\"\n" } else { "" };
            // The run goes on after the first that fails; those that take seconds fail once.
            let runs = if expected.ends_with(" 3 s") { 1 } else { 2 };
            let plan = PLAN.replace("repetitions = 2", &format!("repetitions = {runs}"));
            let text = format!("{limit}{plan}{program}");
            let (file, out) = (bench.write(&format!("{name}.toml"), text), bench.at(&format!("{name}-out")));
            let run = ends_with(1, &["run", &file, "--out", &out]);
            assert!(stderr(&run).contains("failed"), "{}", stderr(&run));
            let records = bench.records(&format!("{name}-out"));
            assert_eq!(records.len(), runs, "{name}: the run goes on");
            for record in records {
                let CellResult::Failed(reason) = record.result else { panic!("{name}: {:?}", record.result) };
                assert!(reason.contains(expected), "{name}: {reason}");
            }
        },
    );
}

/// What it tells grows for ever, but its search must end.
#[test]
fn an_engine_that_counts_for_ever_is_a_failed_record() {
    let bench = &Bench::new("outside-counts");
    let plan = PLAN.replace("repetitions = 2", "repetitions = 1");
    side_by_side(
        [
            (
                "nodes",
                "while :; do echo info nodes $((n+=100)); sleep 0.05; done",
                "has told of more and more nodes, but of no greater depth, for 6 s",
            ),
            ("depths", "while :; do echo info depth $((n+=1)) score cp 1; done", "of being told to stop"),
            (
                "deep",
                "echo info depth 3 score cp 1; read stop; echo bestmove d6d1",
                "goes on to depth 3, beyond its limit",
            ),
        ],
        |(name, answer, expected)| {
            let patience = if name == "nodes" { "0.1s" } else { "1s" };
            let program = program(bench, name, answer).replace("1s", patience);
            let file = bench.write(&format!("{name}.toml"), format!("{plan}{program}"));
            ends_with(1, &["run", &file, "--out", &bench.at(&format!("{name}-out"))]);
            let records = bench.records(&format!("{name}-out"));
            let CellResult::Failed(reason) = &records[0].result else { panic!("{name}: {:?}", records[0].result) };
            assert!(reason.contains(expected), "{name}: {reason}");
        },
    );
}

/// What cannot be true fails when it is measured: a report would set it aside, and every run would measure it again.
#[test]
fn figures_that_cannot_be_true_are_a_failed_record() {
    let bench = Bench::new("outside-absurd");
    let answer = "echo info nodes 18446744073709551615; echo bestmove d6d1";
    let plan = PLAN.replace("repetitions = 2", "repetitions = 1");
    let file = bench.write("absurd.toml", format!("{plan}{}", program(&bench, "absurd", answer)));
    let run = ends_with(1, &["run", &file, "--out", &bench.at("out")]);
    assert!(!stderr(&run).contains("set aside"), "{}", stderr(&run));
    let records = bench.records("out");
    let CellResult::Failed(reason) = &records[0].result else { panic!("{:?}", records[0].result) };
    assert!(reason.contains("cannot be true: one of its counts is impossibly large"), "{reason}");
}

/// Somebody else's file can be looked at without starting what it names.
#[test]
fn a_dry_run_starts_no_engine() {
    let bench = Bench::new("outside-dry");
    let started = bench.at("started");
    let engine = format!("[engines.fake]\ncommand = [\"touch\", \"{started}\"]\n");
    let file = bench.write("dry.toml", format!("{PLAN}{engine}"));
    let told = stdout(&done(&["run", &file, "--dry-run"]));
    assert!(told.contains("plus 2 searches by engines from outside, which are not started"), "{told}");
    assert!(!std::path::Path::new(&started).exists());
    ends_with(2, &["run", &file, "--out", &bench.at("out")]);
    assert!(std::path::Path::new(&started).exists(), "a run does");
}

/// Whether a process group has members that have not ended.
#[cfg(target_os = "linux")]
fn is_alive(group: &str) -> bool {
    let accounts = std::fs::read_dir("/proc").unwrap().flatten();
    let mut accounts = accounts.filter_map(|process| std::fs::read_to_string(process.path().join("stat")).ok());
    accounts.any(|account| {
        // After the name, which may have spaces: state, parent, group.
        let fields: Vec<&str> = account.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        fields.get(2) == Some(&group) && fields[0] != "Z"
    })
}

/// An engine that hears nothing, and what it has started, end with us, however we do.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_behind() {
    let bench = Bench::new("outside-left");
    let group = bench.at("group");
    let answer = |then: &str| format!("sleep 600 & echo $$ > {group}.new; mv {group}.new {group}; {then}");
    let stubborn = program(&bench, "stubborn", &answer("while :; do sleep 600; done")).replace("1s", "300s");
    let brief = program(&bench, "brief", &answer("echo bestmove d6d1"));
    let [stubborn, brief] = [("stubborn.toml", stubborn), ("brief.toml", brief)].map(|(name, engine)| {
        bench.write(name, format!("{PLAN}{engine}").replace("repetitions = 2", "repetitions = 1"))
    });
    let player = format!("uci:sh {}", bench.at("stubborn"));
    let (out, games) = (bench.at("out"), bench.at("games"));
    let run = ["run", &stubborn, "--out", &out, "--resume"];
    let game = ["match", "modern", &player, "--depth", "2", "--games", "2", "--games-at-once", "1", "--out", &games];
    let ends = ["run", &brief, "--out", &bench.at("brief-out")];
    for (arguments, signal) in [
        (&run[..], Some(libc::SIGTERM)),
        (&run, Some(libc::SIGKILL)),
        (&game, Some(libc::SIGTERM)),
        (&game, Some(libc::SIGKILL)),
        (&ends, None),
    ] {
        let mut child = begin(arguments);
        let begun = Instant::now();
        let wait_while = |what: &str, is_so: &dyn Fn() -> bool| {
            while is_so() {
                assert!(begun.elapsed() < Duration::from_secs(120), "{arguments:?} {signal:?}: {what}");
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        wait_while("no search", &|| !std::path::Path::new(&group).exists());
        let started = std::fs::read_to_string(&group).unwrap().trim().to_owned();
        std::fs::remove_file(&group).unwrap();
        if let Some(signal) = signal {
            assert!(is_alive(&started), "{arguments:?}");
            // SAFETY: it sends a signal to a process that has not been waited for.
            assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
        }
        let status = child.wait().unwrap();
        assert_eq!(status.success(), signal.is_none(), "{arguments:?} {signal:?}: {status}");
        wait_while("something is left", &|| is_alive(&started));
    }
}

#[test]
fn one_that_talks_a_lot_is_understood() {
    let bench = Bench::new("outside-flood");
    let talk = "i=0; while [ $i -lt 20000 ]; do echo info currmove e2e4 currmovenumber $i; i=$((i+1)); done; \
                head -c 65536 /dev/zero | tr '\\0' x; echo bestmove a1a8; \
                head -c 300000 /dev/zero | tr '\\0' x; echo; printf '\\377\\376\\n'; echo bestmove e5e4 ponder x";
    bench.write("p.epd", "8/8/8/4k3/8/8/4P3/4K3 b - - id \"P\";\n");
    let plan = PLAN.replace("ids = [\"BK01\"]", "epd = \"p.epd\"");
    let file = bench.write("flood.toml", format!("{plan}{}", program(&bench, "flood", talk)));
    let out = bench.at("out");
    let begun = Instant::now();
    done(&["run", &file, "--out", &out, "--set", "repetitions=1"]);
    assert!(begun.elapsed() < Duration::from_secs(60));
    let records = bench.records("out");
    let measured = records[0].measured().unwrap();
    assert_eq!((measured.nodes, measured.depth, measured.bestmove.as_deref()), (70, 2, Some("e5e4")));
}

/// What an engine does not tell is empty in tables, and what it ends early for a good reason counts.
#[test]
fn what_is_not_told_is_empty() {
    let bench = Bench::new("outside-untold");
    bench.write("p.epd", "8/8/8/4k3/8/8/4P3/4K3 b - - id \"P\";\n");
    let plan = PLAN.replace("ids = [\"BK01\"]", "epd = \"p.epd\"");
    for (name, depth, told, expected) in [
        ("score", 2, "info depth 2 score cp 20 pv e5e4", ["200", "2", "", "", ""]),
        ("mate", 9, "info depth 3 seldepth 4 nodes 50 score mate 2 pv e5e4", ["129997", "3", "4", "50", "x"]),
    ] {
        let program = program(&bench, name, "echo bestmove e5e4");
        let text = bench.text(name).replace("info depth 2 nodes 70 score cp 20 pv e2e4", told);
        bench.write(name, text);
        let plan = plan.replace("depth = 2", &format!("depth = {depth}")).replace("repetitions = 2", "repetitions = 1");
        let file = bench.write(&format!("{name}.toml"), format!("{plan}{program}"));
        done(&["run", &file, "--out", &bench.at(&format!("{name}-out"))]);
        for (column, expected) in ["score_raw", "depth_reached", "seldepth", "nodes", "nps"].iter().zip(expected) {
            let found = &bench.column_of(&format!("{name}-out/runs.csv"), column)[0];
            match expected {
                "x" => assert!(!found.is_empty(), "{name}: {column}"),
                _ => assert_eq!(found, expected, "{name}: {column}"),
            }
        }
    }
    // Without a good reason it does not count.
    let program = program(&bench, "early", "echo bestmove e5e4");
    let file = bench.write("early.toml", format!("{}{program}", plan.replace("depth = 2", "depth = 9")));
    ends_with(1, &["run", &file, "--out", &bench.at("early-out"), "--set", "repetitions=1"]);
    let CellResult::Failed(reason) = &bench.records("early-out")[0].result else { panic!("it has not failed") };
    assert!(reason.contains("without an answer of depth 9; it told only up to depth 2"), "{reason}");
}

/// A program in Python that searches nothing, and says that it does: at once to any depth, with as many nodes as this
/// says of a depth and a number of threads.
fn in_python(bench: &Bench, name: &str, threads: &str, nodes: &str, most_depth: u32) -> String {
    let text = format!(
        "import sys, time\nthreads, fen, searches = 1, '', 0\ndef say(text): print(text, flush=True)\n\
         for line in sys.stdin:\n    words = line.split()\n    if words[0] == 'uci':\n        \
         say('id name {name}\\nid author nobody\\noption name Hash type spin default 16 min 1 max 64')\n        \
         if '{threads}': say('option name {threads} type spin default 1 min 1 max 64')\n        say('uciok')\n    \
         elif words[0] == 'isready': say('readyok')\n    \
         elif words[0] == 'setoption' and 'hreads' in line: threads = int(words[-1])\n    \
         elif words[0] == 'position': fen = line\n    \
         elif words[0] == 'go':\n        searches += 1\n        \
         depth = int(words[2]) if words[1] == 'depth' else 9\n        \
         for at in range(1, min(depth, {most_depth}) + 1):\n            \
         time.sleep(0.002)\n            nodes = {nodes}\n            \
         say(f'info depth {{at}} score cp {{len(fen)}} nodes {{nodes}}')\n        \
         if words[1] == 'infinite': sys.stdin.readline()\n        say('bestmove ' + move(fen))\n    \
         elif words[0] == 'quit': break\n"
    );
    let moves = format!(
        "import functools, subprocess\n@functools.lru_cache\ndef move(fen):\n    \
         fen = fen.split('fen ')[1].strip() if 'fen ' in fen else 'startpos'\n    \
         command = ['{}', 'perft', fen, '--depth', '1', '--divide']\n    \
         out = subprocess.run(command, capture_output=True, text=True).stdout\n    \
         import re\n    found = re.search(r'\\b[a-h][1-8][a-h][1-8][qrbn]?\\b', out)\n    \
         return found.group(0) if found else '0000'\n",
        env!("CARGO_BIN_EXE_splitpoint")
    );
    format!("python3 {}", bench.write(&format!("{name}.py"), moves + &text))
}

/// Threads that search nothing leave nodes as they are, which is seen however busy the computer is.
#[test]
fn a_second_thread_that_does_nothing_is_found_out() {
    let bench = Bench::new("outside-idle");
    let engine = in_python(&bench, "Idle", "Threads", "len(fen) * at * 100", 99);
    let out = bench.at("out");
    let run = ["doctor", &engine, "--threads", "1,2", "--positions", "3", "--time", "200ms", "--out", &out];
    let told = stdout(&done(&run)).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("Idle: the second thread does not search: equal nodes in all "), "{told}");
    assert!(told.contains("Does the engine take the option Threads"), "{told}");
    assert_eq!(bench.column_of("out/health.csv", "state"), ["threads do not search"]);
    let page = bench.text("out/report.html");
    assert!(!page.contains("sequential") && !page.contains("from seed to seed"), "words of the laboratory");
}

/// What the pilot sees is told before anything is measured.
#[test]
fn an_engine_that_does_not_obey_is_refused_after_the_pilot() {
    let bench = Bench::new("outside-stubborn");
    // Without an end it goes to 9, but only to 5 where it is told a depth.
    let engine = in_python(&bench, "Stubborn", "Threads", "at * 100", 5);
    let script = bench.text("Stubborn.py").replace("min(depth, 5)", "min(depth, 5 if words[1] == 'depth' else 9)");
    bench.write("Stubborn.py", script);
    let out = bench.at("out");
    let run = ["doctor", &engine, "--threads", "1,2", "--positions", "3", "--time", "300ms", "--out", &out];
    let told = stderr(&ends_with(1, &run));
    assert!(told.contains("searches to depth 5 when told 9: it does not obey `go depth`"), "{told}");
    assert!(told.contains("Nothing was measured") && !std::path::Path::new(&out).exists(), "{told}");
    // Without a pilot the run stops after three equal failures, which it tells once.
    let run = ["doctor", &engine, "--threads", "2", "--positions", "5", "--depth", "7", "--out", &out];
    let told = stderr(&ends_with(1, &run));
    assert!(told.contains("on 2 has failed 3 times alike"), "{told}");
    assert_eq!(told.matches("failed: Stubborn").count(), 1, "{told}");
    assert_eq!(bench.records("out").len(), 6, "three with each number of threads");
    // Moves that are not legal are alike, whatever the position.
    let script = bench.text("Stubborn.py");
    assert!(script.contains("bestmove"), "{script}");
    bench.write("Stubborn.py", script.replace("bestmove ", "bestmove a9"));
    let run = ["doctor", &engine, "--threads", "2", "--positions", "5", "--depth", "4", "--out", &bench.at("illegal")];
    let told = stderr(&ends_with(1, &run));
    assert!(told.contains("has failed 3 times alike") && told.contains("not a legal move"), "{told}");
    assert_eq!(told.matches("failed: Stubborn").count(), 1, "{told}");
    let tables = stdout(&done(&["report", &bench.at("illegal"), "--tables"]));
    let tables = tables.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(tables.contains("Failed: 6; the first: "), "{tables}");
}

/// A run that would take much longer than its help promises is refused, and one that is not deep says so.
#[test]
fn a_slow_engine_is_refused_after_the_pilot() {
    let bench = Bench::new("outside-slow");
    let engine = in_python(&bench, "Slow", "Threads", "at * 100", 99);
    // Beyond depth 1 it answers only when it is told to stop.
    let waits = "time.sleep(0.002)\n            if words[1] == 'depth' and at == 2: sys.stdin.readline(); break";
    bench.write("Slow.py", bench.text("Slow.py").replace("time.sleep(0.002)", waits));
    let out = bench.at("out");
    let run = ["doctor", &engine, "--threads", "1,2", "--positions", "3", "--time", "300ms", "--out", &out];
    let told = stderr(&ends_with(1, &run));
    assert!(
        told.contains("takes one thread more than 0.9 s") && told.contains("3 times what --help promises"),
        "{told}"
    );
    assert!(told.contains("Nothing was measured") && !std::path::Path::new(&out).exists(), "{told}");
    // There is no least depth that a slow engine would have to reach.
    let shallow = in_python(&bench, "Shallow", "Threads", "at * 100", 3);
    let run = ["doctor", &shallow, "--threads", "1,2", "--positions", "2", "--time", "300ms", "--out", &out];
    let told = stderr(&done(&run));
    assert!(told.contains("Shallow: depth 3: ") && told.contains("depth 3 leaves little to share"), "{told}");
}

/// The table of checks survives the engine.
#[test]
fn an_engine_that_crashes_fails_one_check_and_is_started_again() {
    let bench = Bench::new("outside-crash");
    let engine = in_python(&bench, "Crash", "Number of Threads", "at * 100", 99);
    let script =
        bench.text("Crash.py").replace("searches += 1", "searches += 1\n        if searches == 3: sys.exit(1)");
    bench.write("Crash.py", script);
    let checked = ends_with(1, &["uci-check", &engine, "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
    let outcome = |what: &str| {
        let checks = told["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["what"] == what).unwrap_or_else(|| panic!("{what}: {told}"));
        (check["outcome"].as_str().unwrap().to_owned(), check["seen"].as_str().unwrap().to_owned())
    };
    let (failed, seen) = outcome("moves from a position with a promotion");
    assert!(failed == "FAILED" && seen.contains("ended after 'go depth 3'"), "{failed} {seen}");
    assert_eq!(outcome("moves from a position with a mate").0, "passed");
    assert_eq!(outcome("has an option Threads"), ("passed".to_owned(), "Number of Threads".to_owned()));
    assert_eq!(outcome("is ready with two threads").0, "passed");
    // One thread is no fault.
    let single = in_python(&bench, "Single", "", "at * 100", 99);
    let checked = stdout(&super::command_line::splitpoint(&["uci-check", &single]));
    let threads = checked.lines().find(|line| line.contains("has an option Threads")).unwrap_or_default();
    assert!(threads.contains("not told") && threads.contains("searches with one thread"), "{checked}");
}

/// A version that needs more nodes for the same depth with two threads is a loss; the same one is none. Both are
/// measured in one mixed order, so that what befalls the computer meanwhile befalls both.
#[test]
fn a_version_is_judged_against_the_one_before() {
    let bench = Bench::new("outside-against");
    let old = in_python(&bench, "Old", "Threads", "len(fen) * at * 100 + (threads - 1) * len(fen) % 7", 99);
    let new = in_python(&bench, "New", "Threads", "len(fen) * at * (100 if threads == 1 else 140 + len(fen) % 7)", 99);
    let idle = in_python(&bench, "Idle", "Threads", "len(fen) * at * 100", 99);
    let small = ["--threads", "1,2", "--positions", "4", "--depth", "6"];
    let against = |program: &str, before: &str, out: &str| {
        let run = ["doctor", program, "--against", before, "--out", out];
        super::command_line::splitpoint(&[&run[..], &small].concat())
    };
    let first = bench.at("first");
    let lost = against(&new, &old, &first);
    let told = stderr(&lost);
    assert_eq!(lost.status.code(), Some(3), "{told}");
    assert!(told.contains("times as many nodes relative to one thread"), "{told}");
    // Where other programs disturbed the searches, nodes of several threads are no loss of their own.
    let is_disturbed = told.contains("disturbed") || told.contains("Other programs");
    assert!(is_disturbed || told.contains("times as many nodes to the same depth"), "{told}");
    assert!(stdout(&lost).contains("Relative to one"), "{}", stdout(&lost));
    assert!(!stdout(&lost).contains("another moment"), "{}", stdout(&lost));
    let records = bench.records("first");
    let engines: Vec<&str> = records.iter().filter_map(|one| one.cell.configuration.engine_name()).collect();
    let changes = engines.windows(2).filter(|two| two[0] != two[1]).count();
    assert!(changes >= 5, "one version after the other: {engines:?}");
    let searches = |engine: &str| -> BTreeSet<_> {
        let of_it = records.iter().filter(|one| one.cell.configuration.engine_name() == Some(engine));
        of_it
            .map(|one| (&one.cell, one.cell.configuration.threads))
            .map(|(cell, threads)| (threads, cell.position.to_string(), cell.depth, cell.seed, cell.repetition))
            .collect()
    };
    assert_eq!(searches("New"), searches("Old"));
    assert_eq!(searches("New").len() * 2, records.len());
    // The folder stands for the engine that it is about.
    let same = against(&new, &first, &bench.at("second"));
    assert!(!stderr(&same).contains("nodes"), "{}", stderr(&same));
    assert!(stdout(&same).contains("measured at another moment"), "{}", stdout(&same));
    let stopped = against(&idle, &first, &bench.at("third"));
    assert_eq!(stopped.status.code(), Some(3));
    assert!(stderr(&stopped).contains("With 2 threads, only one searches"), "{}", stderr(&stopped));
    // Without a depth the pilot of the old version chooses it for both, however deep the new one gets.
    let deep = in_python(&bench, "Deep", "Threads", "len(fen) * at * 100", 99);
    let script = bench.text("Deep.py").replace("else 9", "else 12");
    bench.write("Deep.py", script);
    let few = ["--threads", "1,2", "--positions", "3", "--time", "400ms"];
    let run = ["doctor", &deep, "--against", &idle, "--out", &bench.at("piloted")];
    super::command_line::splitpoint(&[&run[..], &few].concat());
    let depths: BTreeSet<Option<u32>> = bench.records("piloted").iter().map(|one| one.cell.depth).collect();
    assert!(depths.len() == 1 && depths.first() <= Some(&Some(9)), "{depths:?}");
    // So does that of a folder.
    let run =
        ["doctor", &deep, "--against", &first, "--threads", "1,2", "--positions", "4", "--out", &bench.at("fifth")];
    super::command_line::splitpoint(&run);
    assert!(bench.records("fifth").iter().all(|one| one.cell.depth == Some(6)));
    // A version against itself has two names.
    let itself = against(&idle, &idle, &bench.at("fourth"));
    assert!(!stderr(&itself).contains("nodes"), "{}", stderr(&itself));
    let records = bench.records("fourth");
    let names: BTreeSet<_> = records.iter().filter_map(|one| one.cell.configuration.engine_name()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["Idle", "Idle (before)"]);
}

#[test]
fn a_limit_stops_an_engine() {
    let bench = Bench::new("outside-limit");
    let text = PLAN.replace("fake", "mirror").replace("depth = 2", "depth = 40").replace("BK01", "BK02");
    let command = format!("[engines.mirror]\ncommand = [\"{}\", \"uci\"]\n", env!("CARGO_BIN_EXE_splitpoint"));
    let file = bench.write("limit.toml", format!("limit = \"200ms\"\n{text}{command}"));
    done(&["run", &file, "--out", &bench.at("out"), "--set", "repetitions=1"]);
    let records = bench.records("out");
    let CellResult::Cut(measured) = &records[0].result else { panic!("{:?}", records[0].result) };
    assert!(measured.depth < 40 && measured.time_ns <= 200_000_000, "{measured:?}");
}

#[test]
fn bad_definitions_are_told_at_once() {
    let bench = Bench::new("outside-bad");
    let fake = program(&bench, "fake", "echo bestmove e2e4");
    for (definition, expected) in [
        ("", "did you mean"),
        ("[engines.fake]\n", "key 'engines.fake.command': is missing"),
        ("[engines.fake]\ncommand = \"\"\n", "names no program"),
        ("[engines.fake]\ncommand = 3\n", "expected a program"),
        (
            "[engines.fake]\ncommand = \"/nowhere/engine\"\n",
            "engines.fake.command: the engine '/nowhere/engine' cannot be started",
        ),
        ("[engines.fake]\ncommand = \"cat\"\n", "speaks no UCI: it has not said 'uciok' within 5 s of its last line"),
        ("[engines.fake]\ncommand = \"sleep 9\"\npatience = \"0.2s\"\n", "has not said 'uciok' within 0.2 s"),
        ("[engines.fake]\ncommand = \"x\"\nprotocol = \"xboard\"\n", "'xboard' is not a protocol"),
        ("[engines.fake]\ncommand = \"x\"\noption = 3\n", "did you mean 'options'"),
        ("[engines.lazy]\ncommand = \"x\"\n", "cannot be the name of an engine"),
        (&format!("{fake}options = {{ Hsh = 3 }}\n"), "engines.fake.options.Hsh: the engine"),
        (&format!("{fake}options = {{ Hsh = 3 }}\n"), "has no option 'Hsh'; did you mean 'Hash'? Its options: Hash\n"),
        (&format!("{fake}threads_option = \"Thraeds\"\n"), "has no option 'Thraeds'"),
    ] {
        let text = if definition.is_empty() { PLAN.replace("fake", "lazzy") } else { PLAN.to_owned() };
        let file = bench.write("bad.toml", format!("{text}{definition}"));
        let output = ends_with(2, &["run", &file, "--out", &bench.at("bad")]);
        assert!(stderr(&output).contains(expected), "{definition}: {}", stderr(&output));
    }
    let file = bench.write("virtual.toml", format!("{}machine = \"virtual\"\n{fake}", PLAN));
    let output = ends_with(2, &["run", &file, "--out", &bench.at("bad")]);
    assert!(stderr(&output).contains("runs on the machine 'real' only"), "{}", stderr(&output));
    let file = bench.write("threads.toml", format!("{}{fake}", PLAN.replace("threads = 1", "threads = 2")));
    let output = ends_with(2, &["run", &file, "--out", &bench.at("bad")]);
    assert!(stderr(&output).contains("has no option called Threads"), "{}", stderr(&output));
}
