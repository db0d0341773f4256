//! `splitpoint uci`, as a chess program sees it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The engine in a session.
struct Session {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn begin() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_splitpoint"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
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
    for option in ["Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Strategy", "null-move", "evaluation"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option} type "))), "{option}");
    }
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
    session.say("position startpos\ngo perft 3");
    assert_eq!(session.until("Nodes").last().unwrap(), "Nodes searched: 8902");
    session.end();
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
fn nonsense_is_left_out() {
    let mut session = Session::begin();
    session.say(
        "hello\n\u{fffd}\nsetoption\nsetoption name Hash value many\nsetoption name Contempt value 3\nposition\n\
         position fen 8/8\nposition startpos moves e2e5\nstop\nponderhit\ngo depth x nodes 300",
    );
    let lines = session.until("bestmove");
    for told in ["unknown command: hello", "'many' is not a whole number", "'contempt' is not a feature", "e2e5 is not"]
    {
        assert!(lines.iter().any(|line| line.starts_with("info string") && line.contains(told)), "{told}: {lines:?}");
    }
    session.end();
    // The end of the input is an end, after the search that is in progress.
    let mut session = Session::begin();
    session.say("go depth 4");
    drop(session.child.stdin.take());
    session.best_move();
    assert!(session.child.wait().unwrap().success());
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
