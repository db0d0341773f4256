//! Whatever ends a run, its journal is whole and --resume completes it: kills at random moments, Ctrl-C, a batch
//! system's signal, a full disk, and journals that were damaged.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::Duration;

use splitpoint::random::SplitMix;

use super::command_line::stderr;
use super::lab_folder::{Bench, LONGER, LONGER_CELLS, TINY, begin, done, ends_with};

/// How often a run is killed.
const KILLS: usize = 8;
/// At which moments.
const SEED: u64 = 2004;

#[test]
fn a_run_that_is_killed_again_and_again_is_the_same_run() {
    let bench = Bench::new("kill");
    let file = bench.write("longer.toml", LONGER);
    let (undisturbed, killed) = (bench.at("undisturbed"), bench.at("killed"));
    let resume = ["run", &file, "--out", &killed, "--resume"];
    done(&["run", &file, "--out", &undisturbed]);
    let mut chance = SplitMix::new(SEED);
    let mut unfinished = 0;
    for _ in 0..KILLS {
        let mut child = begin(&resume);
        // At once, or when some more cells are done, and then at any moment of the next.
        let more = chance.below(5) as usize;
        bench.wait_for_lines("killed", bench.lines("killed") + more, &mut child);
        std::thread::sleep(Duration::from_millis(chance.below(40)));
        child.kill().unwrap();
        child.wait().unwrap();
        unfinished += usize::from(bench.lines("killed") < LONGER_CELLS);
    }
    assert!(unfinished >= KILLS / 2, "the kills came too late to matter: {unfinished}");
    done(&resume);
    assert_eq!(bench.indices("killed"), (0..LONGER_CELLS as u64).collect::<Vec<_>>());
    for name in ["runs.csv", "summary.csv", "positions.csv"] {
        assert!(bench.read(&format!("killed/{name}")) == bench.read(&format!("undisturbed/{name}")), "{name}");
    }
}

#[test]
fn a_half_line_is_set_aside_and_measured_again() {
    let bench = Bench::new("half-line");
    let (file, out) = (bench.write("tiny.toml", TINY), bench.at("out"));
    done(&["run", &file, "--out", &out]);
    let (table, journal) = (bench.read("out/runs.csv"), bench.text("out/journal.jsonl"));
    let lines: Vec<&str> = journal.lines().collect();
    let whole = lines[..7].join("\n") + "\n";
    // A line that was being written; one of which nothing but the end of line is missing; what a disk left of one.
    for (half, measured) in [(&lines[7][..100], 7), (lines[7], 7), ("\0\0\0\0", 7), ("]\n", 7), ("", 7)] {
        bench.write("out/journal.jsonl", format!("{whole}{half}"));
        done(&["report", &out]);
        assert_eq!(bench.column("out", "index").len(), measured, "a report leaves {half:?} out");
        let output = done(&["run", &file, "--out", &out, "--resume"]);
        assert_eq!(stderr(&output).contains("is incomplete"), !half.is_empty(), "{}", stderr(&output));
        if !half.is_empty() {
            assert_eq!(bench.text("out/journal.half-line"), half);
        }
        assert!(bench.text("out/journal.jsonl").starts_with(&whole));
        assert_eq!(bench.indices("out"), (0..20).collect::<Vec<_>>());
        assert!(bench.read("out/runs.csv") == table, "the same table again after {half:?}");
    }
}

/// In a folder from before checksums were required, and a journal that has none: nobody can tell whether the line is
/// damaged or of a newer version.
#[test]
fn an_old_line_that_is_no_record_stops_everything_and_destroys_nothing() {
    let bench = Bench::new("damaged");
    let (file, out) = (bench.write("tiny.toml", TINY), bench.at("out"));
    done(&["run", &file, "--out", &out]);
    bench.make_format_3("out");
    let mut lines: Vec<String> = bench.text("out/journal.jsonl").lines().map(str::to_owned).collect();
    lines[2] = lines[2].replacen("\"index\"", "\"indes\"", 1);
    bench.write("out/journal.jsonl", lines.join("\n") + "\n");
    let before = bench.files("out");
    for arguments in [
        &["run", &file, "--out", &out, "--resume"][..],
        &["report", &out],
        &["merge", &out, "--out", &bench.at("merged")],
    ] {
        let output = ends_with(1, arguments);
        assert!(stderr(&output).contains("journal.jsonl, line 3 is not a record"), "{}", stderr(&output));
        assert!(bench.files("out") == before, "{arguments:?}");
    }
    assert!(!std::path::Path::new(&bench.at("merged")).exists());
}

fn send(signal: i32, child: &Child) {
    // SAFETY: a system call on a process that this test has begun and not yet waited for.
    assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, signal) }, 0);
}

#[test]
fn signals_end_a_run_with_its_journal_whole() {
    let bench = Bench::new("signals");
    // One on the virtual machine, one on threads.
    let real = LONGER.replace("virtual", "real").replace("depth = 6", "depth = 7").replace("[2, 3]", "2");
    for (signal, status, text, cells) in
        [(libc::SIGINT, 130, LONGER, LONGER_CELLS), (libc::SIGTERM, 143, real.as_str(), 24)]
    {
        let name = format!("out-{signal}");
        let (file, out) = (bench.write("longer.toml", text), bench.at(&name));
        let mut child = begin(&["run", &file, "--out", &out]);
        bench.wait_for_lines(&name, 2, &mut child);
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
        let advice = format!("continue with --resume --out {out}");
        assert!(stderr(&output).contains(&advice), "{}", stderr(&output));
        let kept = bench.records(&name).len();
        assert!((2..cells).contains(&kept), "{kept}");
        done(&["run", &file, "--out", &out, "--resume"]);
        assert_eq!(bench.indices(&name), (0..cells as u64).collect::<Vec<_>>());
    }
}

/// The program with a disk that is full when a file has so many bytes.
pub fn with_files_of_at_most(bytes: u64, arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_splitpoint"));
    command.args(arguments).current_dir(std::env::temp_dir());
    let limit = move || {
        let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
        // SAFETY: system calls on the new process only, with a limit that lives as long as the call.
        let is_set = unsafe {
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN) != libc::SIG_ERR
                && libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) == 0
        };
        if is_set { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    };
    // SAFETY: between fork and exec it makes two system calls and allocates nothing.
    unsafe { command.pre_exec(limit) };
    command.output().unwrap()
}

#[test]
fn a_full_disk_loses_one_record_at_most() {
    /// Room for what is written before the journal, and for some of it.
    const ROOM_BYTES: u64 = 40_000;
    let bench = Bench::new("full");
    let (file, out) = (bench.write("longer.toml", LONGER), bench.at("out"));
    let run = ["run", &file, "--out", &out, "--resume"];
    // The second time there is no room from the beginning, unless for a record that is a few bytes shorter.
    let mut kept = Vec::new();
    for _ in 0..2 {
        let output = with_files_of_at_most(ROOM_BYTES, &run);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        for part in ["cannot write", "journal.jsonl", "continue with --resume"] {
            assert!(stderr(&output).contains(part), "{}", stderr(&output));
        }
        kept.push(bench.records("out").len());
    }
    assert!(kept[0] > 2 && kept[0] <= kept[1] && kept[1] < LONGER_CELLS, "{kept:?}");
    done(&run);
    assert_eq!(bench.indices("out"), (0..LONGER_CELLS as u64).collect::<Vec<_>>());

    // A report that finds no room says so, and can be made when there is some.
    let made = bench.files("out");
    let output = with_files_of_at_most(ROOM_BYTES, &["report", &out]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains(&out), "{}", stderr(&output));
    done(&["report", &out]);
    assert!(made.iter().all(|(name, bytes)| bench.read(name) == *bytes));
}
