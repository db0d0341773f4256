//! `splitpoint uci`, as a chess program sees it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use super::lab_folder::{done, ends_with};

/// The engine in a session.
struct Session {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn begin() -> Self {
        Self::of(Command::new(env!("CARGO_BIN_EXE_splitpoint")).arg("uci"))
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    fn say(&mut self, lines: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{lines}").unwrap();
    }

    /// Lines up to the first that begins with this word, which is the last of them.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "ended before '{word}': {lines:?}");
            lines.push(line.trim_end().to_owned());
            if line.split_whitespace().next() == Some(word) {
                return lines;
            }
        }
    }

    fn best_move(&mut self) -> String {
        let lines = self.until("bestmove");
        lines.last().unwrap().split_whitespace().nth(1).unwrap().to_owned()
    }

    fn end(mut self) {
        self.say("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_session() {
    let mut session = Session::begin();
    session.say("uci");
    let lines = session.until("uciok");
    assert!(lines[0].starts_with("id name Splitpoint "), "{lines:?}");
    let has = |lines: &[String], option: &str| {
        lines.iter().any(|line| line.starts_with(&format!("option name {option} type ")))
    };
    for option in ["Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Strategy", "Expert"] {
        assert!(has(&lines, option), "{option}");
    }
    assert!(!has(&lines, "null-move"));
    session.say("setoption name Expert value true\nuci");
    let lines = session.until("uciok");
    assert!(has(&lines, "null-move") && has(&lines, "evaluation"), "{lines:?}");
    session.say("isready");
    session.until("readyok");
    session.say("position startpos moves e2e4 e7e5\ngo depth 6");
    let lines = session.until("bestmove");
    let depths = lines.iter().filter(|line| line.contains(" score cp ") && line.contains(" pv ")).count();
    assert_eq!(depths, 6, "{lines:?}");
    session.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo mate 1");
    let lines = session.until("bestmove");
    assert!(lines.iter().any(|line| line.contains("score mate 1")), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("bestmove a1a8"));
    session.say("setoption name MultiPV value 3\ngo depth 3");
    let lines = session.until("bestmove");
    assert!(["1", "2", "3"].iter().all(|rank| lines.iter().any(|line| line.contains(&format!("multipv {rank} ")))));
    session.say("setoption name MultiPV value 1\ngo depth 3 searchmoves a1b1");
    assert_eq!(session.best_move(), "a1b1");
    session.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3");
    assert_eq!(session.best_move(), "(none)");
    session.say("position startpos moves e2e4\nd\neval");
    assert!(
        session.until("key").iter().any(|line| line.starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"))
    );
    assert!(session.until("score").iter().any(|line| line.starts_with("tempo")));
    session.say("position startpos\ngo perft 3");
    assert_eq!(session.until("Nodes").last().unwrap(), "Nodes searched: 8902");
    session.say("go perft 9\nstop");
    assert!(session.until("info").last().unwrap().contains("stopped"));
    session.end();
}

/// A program that speaks XBoard's protocol: it is told who it is, and answers moves with one of its own. It castles
/// where a position is set up.
const OF_XBOARD: &str = r#"while read -r word rest; do case $word in
protover) echo 'feature myname="Other one" ping=1 setboard=1 memory=1 usermove=1 done=1';;
ping) echo "pong $rest";;
usermove|setboard|sd|memory) told="$told $word $rest;"; test $word = setboard && answer=O-O;;
go) echo "  2  -25  3  70  e7e5"; echo "  $told"; echo "move ${answer:-e7e5}"; told=;;
'?') echo move g8f6;;
quit) exit;;
esac; done
"#;

#[test]
fn an_engine_that_speaks_the_protocol_of_xboard_has_an_adapter() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let log = std::env::temp_dir().join(format!("splitpoint-xboard-{}", std::process::id()));
    let program = OF_XBOARD.replace("told=;;", &format!("echo \"$told\" >> {}; told=;;", log.display()));
    let adapter = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/uci-from-xboard.py");
    let mut session = Session::of(Command::new("python3").args([adapter, "sh", "-c", &program]));
    session.say("uci");
    let lines = session.until("uciok");
    assert!(lines.iter().any(|line| line == "id name Other one"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("option name Hash type spin")), "{lines:?}");
    session.say("setoption name Hash value 32\nucinewgame\nisready");
    session.until("readyok");
    session.say("position startpos moves e2e4\ngo depth 2");
    let lines = session.until("bestmove");
    assert!(lines.iter().any(|line| line == "info depth 2 score cp -25 time 30 nodes 70"), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove e7e5");
    session.say("position startpos moves e2e4 e7e5 g1f3\ngo movetime 50");
    assert_eq!(session.best_move(), "e7e5");
    session.say("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo nodes 50");
    assert_eq!(session.best_move(), "e1g1");
    session.end();
    let told = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    let told: Vec<&str> = told.lines().map(str::trim).collect();
    // The table is emptied by another size.
    let first = "memory 32; memory 1; memory 32; usermove e2e4; sd 2;";
    // Its own move and the answer are known: after a limit of depth the game is set up again all the same.
    let others = ["usermove e2e4; usermove e7e5; usermove g1f3;", "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1;"];
    assert_eq!(told, [&[first], &others[..]].concat());
}

#[test]
fn searches_end_when_they_are_told_to() {
    let mut session = Session::begin();
    for threads in [1, 2] {
        session.say(&format!("setoption name Threads value {threads}\nucinewgame\nisready"));
        session.until("readyok");
        session.say("position startpos\ngo infinite\nisready");
        session.until("readyok");
        std::thread::sleep(Duration::from_millis(50));
        let stopped = Instant::now();
        session.say("stop");
        session.best_move();
        // The machine may be busy with other tests; without a reason it takes a few milliseconds.
        assert!(stopped.elapsed() < Duration::from_secs(2), "{:?}", stopped.elapsed());
        session.say("go movetime 30");
        session.best_move();
        session.say("go wtime 300 btime 300 winc 10 binc 10");
        session.best_move();
        session.say("go ponder wtime 300 btime 300\nponderhit");
        session.best_move();
        session.say("go nodes 2000");
        session.best_move();
    }
    session.end();
}

#[test]
fn a_search_can_be_stopped_before_it_has_begun() {
    let mut session = Session::begin();
    let began = Instant::now();
    for _ in 0..20 {
        session.say("go movetime 60000\nstop");
        session.best_move();
        session.say("go ponder wtime 60000 btime 60000\nstop\nponderhit");
        session.best_move();
    }
    session.say("go movetime 60000");
    session.end();
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

/// A search that is stopped at any moment, with commands beside it, gives one legal move.
#[test]
fn a_search_can_be_stopped_at_any_moment() {
    let mut session = Session::begin();
    let mut slowest = Duration::ZERO;
    for round in 0..100_u64 {
        if round % 25 == 0 {
            let strategy = ["ybwc", "lazy", "abdada", "pv-split"][round as usize / 25];
            session.say(&format!("setoption name Threads value 2\nsetoption name Strategy value {strategy}"));
        }
        // From nothing to some milliseconds, in an order without a pattern.
        let wait = Duration::from_micros(round * 7919 % 9_973);
        session.say("position startpos moves e2e4 c7c5\ngo infinite");
        std::thread::sleep(wait);
        let stopped = Instant::now();
        session.say("isready\nstop");
        session.until("readyok");
        let answer = session.best_move();
        slowest = slowest.max(stopped.elapsed());
        assert!(answer.len() == 4, "{answer}");
    }
    // Other tests keep the processors busy; by itself it is some milliseconds.
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    session.end();
}

#[test]
fn a_flood_of_commands_is_obeyed() {
    let mut session = Session::begin();
    session.say("position startpos\ngo infinite");
    let mut input = session.child.stdin.take().unwrap();
    let flood = std::thread::spawn(move || {
        for round in 0..5_000 {
            writeln!(input, "isready\nsetoptoin {round}\nstopp\n\u{1}").unwrap();
        }
        input
    });
    let mut counts = (0, 0);
    while counts != (5_000, 10_000 + 5_000) {
        let mut line = String::new();
        assert_ne!(session.output.read_line(&mut line).unwrap(), 0);
        counts.0 += usize::from(line.starts_with("readyok"));
        counts.1 += usize::from(line.starts_with("info string unknown command"));
    }
    session.child.stdin = Some(flood.join().unwrap());
    session.say("stop");
    assert!(session.until("bestmove").last().unwrap().starts_with("bestmove "));
    session.end();
}

/// A search whose line the table has cut short still names a move to ponder on.
#[test]
fn a_move_to_ponder_on_is_told() {
    let mut session = Session::begin();
    let (mut moves, mut without) = (String::new(), 0);
    for _ in 0..40 {
        session.say(&format!("position startpos{moves}\ngo nodes 4000"));
        let line = session.until("bestmove").pop().unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        without += usize::from(words.len() < 4);
        moves = format!("{} {}", if moves.is_empty() { " moves" } else { &moves }, words[1]);
    }
    assert!(without <= 2, "{without} of 40 moves");
    session.end();
}

#[test]
fn debugging_tells_what_is_done() {
    let mut session = Session::begin();
    session.say("debug on\nsetoption name Hash value 2\ngo depth 1");
    let lines = session.until("bestmove");
    for told in ["debugging is on", "option Hash is set to 2", "with 1 threads"] {
        assert!(lines.iter().any(|line| line.starts_with("info string") && line.contains(told)), "{told}: {lines:?}");
    }
    session.say("debug off\nsetoption name Hash value 1\ngo depth 1");
    assert!(session.until("bestmove").iter().all(|line| !line.starts_with("info string")));
    session.end();
}

/// Nodes of a search: its last line of figures tells them, with the depth that it has reached.
fn nodes_in_all(lines: &[String]) -> u64 {
    let last = lines.iter().rev().find(|line| line.starts_with("info depth ")).unwrap();
    assert!(!last.contains(" pv "), "{last}");
    let words: Vec<&str> = last.split_whitespace().collect();
    assert_eq!(
        (words[3], lines.iter().any(|line| line.contains(&format!("depth {} seldepth", words[2])))),
        ("nodes", true)
    );
    words[4].parse().unwrap()
}

/// What was asked before `quit` is answered, even if the engine is still making its table when it comes.
#[test]
fn what_was_asked_before_quit_is_answered() {
    for _ in 0..5 {
        let mut session = Session::begin();
        session.say("uci\nisready\nposition startpos moves e2e4\nd\nquit");
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut session.output, &mut rest).unwrap();
        assert!(session.child.wait().unwrap().success());
        let ready = rest.find("readyok").unwrap_or_else(|| panic!("{rest}"));
        assert!(rest[ready..].contains("rnbqkbnr/pppppppp/8/8/4P3"), "{rest}");
    }
}

/// Options change what searches; the board and the number of lines in it do not change the tree.
#[test]
fn options_have_their_effect() {
    let mut session = Session::begin();
    let mut nodes = |options: &str| {
        session.say(&format!("{options}\nucinewgame\nposition startpos\ngo depth 7"));
        let lines = session.until("bestmove");
        nodes_in_all(&lines)
    };
    let plain = nodes("isready");
    assert_eq!(nodes("setoption name Board value mailbox"), plain);
    assert_eq!(nodes("setoption name Board value bitboards\nsetoption name Sliders value rotated"), plain);
    assert_ne!(nodes("setoption name Evaluation value thesis"), plain);
    assert_eq!(nodes("setoption name Evaluation value classical"), plain);
    assert_ne!(nodes("setoption name Features value thesis"), plain);
    assert_eq!(nodes("setoption name Features value modern\nsetoption name Clear Hash"), plain);
    session.end();
}

/// Workers that leave out depths, or that run ahead of others for want of processors, complete deeper iterations first;
/// what is told ends at the depth asked for all the same.
#[test]
fn no_worker_tells_of_more_than_the_depth_asked_for() {
    let mut session = Session::begin();
    session.say("setoption name Threads value 16\nsetoption name Hash value 4");
    for strategy in ["teams", "lazy", "lazy,skip=cheng"] {
        session.say(&format!("setoption name Strategy value {strategy}"));
        for moves in ["", " moves e2e4", " moves e2e4 e7e5 g1f3", " moves d2d4 d7d5 c2c4 e7e6", " moves c2c4 g8f6"] {
            session.say(&format!("ucinewgame\nposition startpos{moves}\ngo depth 5"));
            let lines = session.until("bestmove");
            let depths: Vec<u32> = lines
                .iter()
                .filter_map(|line| line.strip_prefix("info depth ")?.split(' ').next()?.parse().ok())
                .collect();
            assert!(depths.is_sorted() && depths.last() == Some(&5), "{strategy}{moves}: {depths:?}");
        }
    }
    session.end();
}

/// In a game the table is kept. The first search is the same whether its entries age or not, and again in a new game.
#[test]
fn entries_of_earlier_searches_give_way_if_they_age() {
    let mut session = Session::begin();
    let mut nodes = |options: &str| {
        session.say(&format!("setoption name Hash value 1\n{options}\nucinewgame"));
        ["startpos", "startpos moves e2e4 e7e5"].map(|position| {
            session.say(&format!("position {position}\ngo depth 8"));
            let lines = session.until("bestmove");
            nodes_in_all(&lines)
        })
    };
    let (kept, aged) = (nodes("isready"), nodes("setoption name aging value true"));
    assert_eq!(kept[0], aged[0]);
    assert_ne!(kept[1], aged[1]);
    assert_eq!(nodes("isready"), aged);
    session.end();
}

#[test]
fn nonsense_is_left_out() {
    let mut session = Session::begin();
    session.say(
        "hello\n\u{fffd}\nsetoption\nsetoption name Hash value many\nsetoption name Contempt value 3\nposition\n\
         position fen 8/8\nposition startpos moves e2e5\nstop\nponderhit\ngo depth x nodes 300",
    );
    let lines = session.until("bestmove");
    for told in
        ["unknown command: hello", "'many' is not a whole number", "there is no option 'contempt'", "e2e5 is not"]
    {
        assert!(lines.iter().any(|line| line.starts_with("info string") && line.contains(told)), "{told}: {lines:?}");
    }
    session.end();
    // The end of the input is an end, after the search that is in progress.
    for search in ["go depth 4", "go", "go infinite"] {
        let mut session = Session::begin();
        session.say(search);
        drop(session.child.stdin.take());
        session.best_move();
        assert!(session.child.wait().unwrap().success());
    }
    // A move that is left out does not count for whose clock it is.
    let mut session = Session::begin();
    session.say("position startpos moves e2e5\ngo wtime 100 btime 600000");
    let began = Instant::now();
    session.best_move();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    session.end();
}

/// A table larger than the memory is not even tried, and one of half the memory does not make the engine deaf.
#[test]
fn a_table_beyond_the_memory_is_made_smaller() {
    let mut session = Session::begin();
    session.say("setoption name Hash value 1048576\ngo depth 1\nquit");
    let mut rest = String::new();
    let began = Instant::now();
    std::io::Read::read_to_string(&mut session.output, &mut rest).unwrap();
    assert!(session.child.wait().unwrap().success());
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}: {rest}", began.elapsed());
    assert!(rest.is_empty() || rest.contains("no room for a table of 1048576 MiB"), "{rest}");
}

/// A lack of threads costs speed, and not the game: under a limit of addresses that holds few stacks, it plays with
/// those that it gets.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_are_not_to_be_had_are_done_without() {
    use std::os::unix::process::CommandExt;

    for (resource, most) in [(libc::RLIMIT_AS, 1 << 30), (libc::RLIMIT_AS, 300 << 20)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_splitpoint"));
        command.arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
        // SAFETY: between fork and exec there is only this call, which is allowed there.
        unsafe {
            command.pre_exec(move || match libc::setrlimit(resource, &raw const limit) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            });
        }
        let mut child = command.spawn().unwrap();
        let commands = "setoption name Hash value 16\nsetoption name Threads value 1024\nisready\ngo depth 3\n";
        child.stdin.as_mut().unwrap().write_all(commands.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{most}: {} {told}", output.status);
        assert!(told.contains("no 1024 threads: cannot start the threads"), "{most}: {told}");
        let best = told.lines().find_map(|line| line.strip_prefix("bestmove "));
        assert!(best.is_some_and(|best| best != "(none)"), "{most}: {told}");
        assert!(told.contains("info depth 3"), "it has searched: {told}");
    }
}

/// Nobody reads any more, or nobody can stop it any more and it has no end that is near.
#[cfg(unix)]
#[test]
fn a_search_ends_when_nobody_reads() {
    for (search, keeps_input) in [("go depth 60", false), ("go movetime 600000", true), ("go wtime 9999999", false)] {
        let mut session = Session::begin();
        session.say(search);
        session.until("info");
        let input = session.child.stdin.take().filter(|_| keeps_input);
        drop(session.output);
        let began = Instant::now();
        while session.child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < Duration::from_secs(60), "{search}");
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(input);
    }
}

#[test]
fn the_rest_of_an_endless_line_is_passed_over() {
    let mut session = Session::begin();
    session.say(&format!("{}isready\nposition startpos\ngo depth 1", "x ".repeat(3 << 20)));
    let lines = session.until("bestmove");
    assert!(lines.iter().all(|line| line != "readyok" && line.len() < (2 << 20)), "it is one line");
    session.end();
}

#[test]
fn a_long_search_tells_how_far_it_is() {
    let mut session = Session::begin();
    session.say("position startpos\ngo infinite");
    let line = loop {
        let lines = session.until("info");
        let line = lines.last().unwrap().clone();
        if line.contains(" currmove ") {
            break line;
        }
    };
    assert!(["depth", "currmovenumber", "nodes", "nps", "time"].iter().all(|word| line.contains(word)));
    session.say("stop");
    session.best_move();
    session.end();
}

/// Our own engine passes all checks of the protocol, and a program that is none is refused.
#[test]
fn the_engine_keeps_to_the_protocol() {
    let ours = concat!(env!("CARGO_BIN_EXE_splitpoint"), " uci");
    let checked = done(&["uci-check", ours, "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
    let checks = told["checks"].as_array().unwrap();
    assert!(checks.len() > 20 && checks.iter().all(|check| check["outcome"] == "passed"), "{checks:?}");
    ends_with(2, &["uci-check", "true"]);
}
