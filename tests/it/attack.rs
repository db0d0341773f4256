//! The attack: whatever a user, a system or a disk may do to the program at random moments and with random input. It
//! must never panic, never lose what was measured, and never say something else afterwards. Not part of the test
//! command; `scripts/attack.sh` runs it.

use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use splitpoint::lab::shipped::EXPERIMENTS;
use splitpoint::lab::{Experiment, Plan};
use splitpoint::random::SplitMix;
use splitpoint::report::charts;

use crate::command_line::stderr;
use crate::epd_round_trip::mutated_lines;
use crate::lab_folder::{Bench, LONGER, LONGER_CELLS, TINY, begin, done};
use crate::lab_kills::with_files_of_at_most;
use crate::lab_shards::{launchers, shards};

/// Seconds for each part.
fn patience() -> Duration {
    let seconds = std::env::var("ATTACK_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(10))
}

fn first_seed() -> u64 {
    std::env::var("ATTACK_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000)
}

/// Random numbers of a part of the attack, until its time is over.
fn attempts() -> impl Iterator<Item = SplitMix> {
    let (begun, patience) = (Instant::now(), patience());
    (first_seed()..).map(SplitMix::new).take_while(move |_| begun.elapsed() < patience)
}

/// The program has ended by itself, with a status of its own and without a panic.
fn is_in_order(what: &str, output: &Output) {
    let status = output.status.code();
    assert!(matches!(status, Some(0..=2)), "{what}: {:?}\n{}", output.status, stderr(output));
    for word in ["panicked", "backtrace"] {
        assert!(!stderr(output).contains(word), "{what}\n{}", stderr(output));
    }
    assert!(status == Some(0) || stderr(output).contains("error: "), "{what}: {status:?} without a reason");
}

/// Bytes of the tables of a run folder, which are the same for the same records.
fn tables(bench: &Bench, folder: &str) -> Vec<Vec<u8>> {
    ["runs.csv", "summary.csv", "positions.csv"].map(|name| bench.read(&format!("{folder}/{name}"))).into()
}

#[test]
#[ignore = "long: scripts/attack.sh"]
fn kills() {
    let bench = Bench::new("attack-kills");
    let file = bench.write("longer.toml", LONGER);
    let begun = Instant::now();
    done(&["run", &file, "--out", &bench.at("undisturbed")]);
    let (whole, expected) = (begun.elapsed(), tables(&bench, "undisturbed"));
    let (mut kills, mut unfinished, mut runs) = (0, 0, 0);
    for mut random in attempts() {
        let name = format!("killed-{runs}");
        let resume = ["run", &file, "--out", &bench.at(&name), "--resume"];
        for _ in 0..4 {
            let mut child = begin(&resume);
            // Moments of beginning, measuring and reporting alike.
            std::thread::sleep(Duration::from_micros(random.below(whole.as_micros() as u64)));
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            unfinished += usize::from(bench.lines(&name) < LONGER_CELLS);
        }
        done(&resume);
        assert_eq!(bench.indices(&name), (0..LONGER_CELLS as u64).collect::<Vec<_>>());
        assert!(tables(&bench, &name) == expected, "run {runs} has other tables");
        runs += 1;
        std::fs::remove_dir_all(bench.at(&name)).unwrap();
    }
    println!(
        "{kills} kills in {runs} runs, {unfinished} before all was measured: the tables are those of an undisturbed run"
    );
}

/// A command that is killed, and what it leaves.
struct Killed {
    name: &'static str,
    /// Arguments before the place where it writes.
    arguments: &'static [&'static str],
    /// Files that are the same whether it was killed or not, below that place; the place itself, if it is a file.
    files: &'static [&'static str],
}

/// Commands that write something, with little to do. Parts of a run and folders that are read are in the folder where
/// they run.
const KILLED: [Killed; 10] = [
    Killed {
        name: "match",
        arguments: &["match", "modern", "modern,-null-move", "--games", "20", "--nodes", "300", "--out"],
        files: &["pairings.csv"],
    },
    Killed {
        name: "tournament",
        arguments: &["tournament", "presets", "--set", "games=2", "--set", "every.nodes=100", "--out"],
        files: &["pairings.csv"],
    },
    Killed {
        name: "tune",
        arguments: &["tune", "--games", "40", "--nodes", "100", "--epochs", "20", "--out"],
        files: &["weights.rs"],
    },
    Killed {
        name: "openings",
        arguments: &["openings", "--count", "20", "--plies", "4", "--nodes", "300", "--nodes-at-end", "2000", "--out"],
        files: &[""],
    },
    Killed { name: "merge", arguments: &["merge", "part-1", "part-2", "--out"], files: &["journal.jsonl"] },
    Killed {
        name: "validate",
        arguments: &["validate", "--quick", "--nodes", "3000", "--seeds", "2", "--out"],
        files: &[],
    },
    Killed { name: "contribute", arguments: &["contribute", "--quick", "--nodes", "2000", "--out"], files: &[] },
    Killed {
        name: "doctor",
        arguments: &[
            "doctor",
            concat!(env!("CARGO_BIN_EXE_splitpoint"), " uci"),
            "--threads",
            "1,2",
            "--positions",
            "2",
            "--depth",
            "5",
            "--resume",
            "--out",
        ],
        files: &[],
    },
    Killed { name: "machine", arguments: &["machine", "--calibrate", "--json"], files: &[] },
    Killed { name: "report", arguments: &["report"], files: &["runs.csv", "summary.csv"] },
];

impl Killed {
    /// The command that writes to this place.
    fn command(&self, bench: &Bench, place: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_splitpoint"));
        command.args(self.arguments).current_dir(bench.at("")).stdout(Stdio::null()).stderr(Stdio::null());
        if self.name != "machine" {
            command.arg(place);
        }
        command
    }

    /// What it has left at this place.
    fn left(&self, bench: &Bench, place: &str) -> Vec<Vec<u8>> {
        self.files.iter().map(|file| bench.read(format!("{place}/{file}").trim_end_matches('/'))).collect()
    }
}

/// Every command that writes is killed at random moments, and run again until it is done: what it leaves is what it
/// leaves undisturbed. What depends on the clock is only seen to be completed.
#[test]
#[ignore = "long: scripts/attack.sh"]
fn kills_of_all_commands() {
    let bench = Bench::new("attack-commands");
    let file = bench.write("tiny.toml", TINY);
    for part in ["1", "2"] {
        done(&["run", &file, "--shard", &format!("{part}/2"), "--out", &bench.at(&format!("part-{part}"))]);
    }
    let mut kills = [0; KILLED.len()];
    let undisturbed = KILLED.map(|killed| {
        if killed.name == "report" {
            done(&["run", &file, "--out", &bench.at("report-whole")]);
        }
        let place = format!("{}-whole", killed.name);
        let begun = Instant::now();
        assert!(killed.command(&bench, &place).status().unwrap().success(), "{}", killed.name);
        (begun.elapsed(), killed.left(&bench, &place))
    });
    for (round, mut random) in attempts().enumerate() {
        let which = round % KILLED.len();
        let (killed, (whole, expected)) = (&KILLED[which], &undisturbed[which]);
        let place = format!("{}-killed", killed.name);
        if killed.name == "report" {
            done(&["run", &file, "--out", &bench.at(&place)]);
        }
        for _ in 0..4 {
            let mut child = killed.command(&bench, &place).spawn().unwrap();
            std::thread::sleep(Duration::from_micros(random.below(whole.as_micros() as u64)));
            child.kill().unwrap();
            kills[which] += usize::from(child.wait().unwrap().code().is_none());
            if killed.name == "merge" && Path::new(&bench.at(&place)).exists() {
                assert!(killed.left(&bench, &place) == *expected, "a folder is there whole or not at all");
                std::fs::remove_dir_all(bench.at(&place)).unwrap();
            }
        }
        let output = killed.command(&bench, &place).stderr(Stdio::piped()).output().unwrap();
        is_in_order(killed.name, &output);
        assert!(output.status.success(), "{}: {}", killed.name, stderr(&output));
        assert!(killed.left(&bench, &place) == *expected, "{} leaves something else", killed.name);
        let path = bench.at(&place);
        let _ = std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path));
    }
    let each = KILLED.iter().zip(kills).map(|(killed, kills)| format!("{kills} of {}", killed.name));
    println!("{} kills: {}", kills.iter().sum::<usize>(), each.collect::<Vec<_>>().join(", "));
}

/// The script that starts shards is killed at random moments, alone or with all that it has started, as a scheduler
/// ends a job; the same command, given again, completes the run.
#[test]
#[ignore = "long: scripts/attack.sh"]
fn kills_of_launchers() {
    let bench = Bench::new("attack-launchers");
    let (file, bin) = (bench.write("longer.toml", LONGER), launchers(&bench));
    let begun = Instant::now();
    done(&["run", &file, "--out", &bench.at("undisturbed")]);
    let (whole, expected) = (begun.elapsed(), tables(&bench, "undisturbed"));
    let (mut kills, mut runs) = (0, 0);
    for mut random in attempts() {
        let launcher = ["hq", "htcondor"][runs % 2];
        let out = format!("out-{runs}");
        let begin = || {
            let mut command = shards(&bin, &[launcher, "--share", &file, &bench.at(&out), "3"]);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
            command
        };
        for _ in 0..4 {
            let mut child = begin().spawn().unwrap();
            std::thread::sleep(Duration::from_micros(random.below(2 * whole.as_micros() as u64)));
            let all = libc::pid_t::try_from(child.id()).unwrap();
            // SAFETY: system calls on a process of ours, which has not been waited for, and on its group.
            unsafe { libc::kill(if random.below(2) == 0 { all } else { -all }, libc::SIGKILL) };
            kills += usize::from(child.wait().unwrap().code().is_none());
            // Tasks whose launcher is gone go on by themselves, and nobody else may write where they do.
            drop(std::io::read_to_string(child.stderr.take().unwrap()));
        }
        if !Path::new(&bench.at(&format!("{out}/whole"))).exists() {
            let output = begin().output().unwrap();
            assert!(output.status.success(), "run {runs}, {launcher}: {}", stderr(&output));
        }
        assert!(tables(&bench, &format!("{out}/whole")) == expected, "run {runs}, {launcher}: other tables");
        runs += 1;
        std::fs::remove_dir_all(bench.at(&out)).unwrap();
    }
    println!("{kills} kills of launchers in {runs} runs: the tables are those of an undisturbed run");
}

#[test]
#[ignore = "long: scripts/attack.sh"]
fn full_disks() {
    let bench = Bench::new("attack-full");
    let file = bench.write("longer.toml", LONGER);
    let (mut refused, mut runs) = (0, 0);
    for mut random in attempts() {
        let name = format!("full-{runs}");
        let resume = ["run", &file, "--out", &bench.at(&name), "--resume"];
        for _ in 0..3 {
            let output = with_files_of_at_most(random.below(150_000), &resume);
            is_in_order("full disk", &output);
            refused += usize::from(!output.status.success());
        }
        done(&resume);
        assert_eq!(bench.indices(&name), (0..LONGER_CELLS as u64).collect::<Vec<_>>());
        runs += 1;
        std::fs::remove_dir_all(bench.at(&name)).unwrap();
    }
    println!("{runs} runs on disks that were full {refused} times: all complete in the end");
}

#[test]
#[ignore = "long: scripts/attack.sh"]
fn full_terminals() {
    let commands: [&[&str]; 8] = [
        &["search", "BK12", "--depth", "2"],
        &["search", "BK12", "--depth", "2", "--json"],
        &["perft", "perft", "--depth", "1"],
        &["list", "suites"],
        &["list", "columns"],
        &["run", "quick", "--dry-run"],
        &["completions", "zsh"],
        &["--help"],
    ];
    let mut count = 0;
    for mut random in attempts() {
        let arguments = commands[random.below(commands.len() as u64) as usize];
        let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_splitpoint"));
        command.args(arguments).current_dir(std::env::temp_dir());
        let [output_is_full, errors_are_full] = [0, 1].map(|_| random.below(2) == 0);
        if output_is_full {
            command.stdout(full());
        }
        if errors_are_full {
            command.stderr(full());
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(output_is_full)), "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
        count += 1;
    }
    println!("{count} commands whose output or errors went to a full device");
}

/// The program with at most this much address space.
fn with_address_space(bytes: u64, arguments: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_splitpoint"));
    command.args(arguments).current_dir(std::env::temp_dir());
    let limit = move || {
        let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
        // SAFETY: a system call on the new process only, with a limit that lives as long as the call.
        match unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    };
    // SAFETY: between fork and exec it makes one system call and allocates nothing.
    unsafe { command.pre_exec(limit) };
    command.output().unwrap()
}

#[test]
#[ignore = "long: scripts/attack.sh"]
fn absurd_sizes() {
    /// Room for the program with a small table and a few threads, and for nothing absurd.
    const ROOM_BYTES: u64 = 3 << 30;
    const SIZES: [&str; 12] = ["0", "1", "2", "3", "63", "65", "1000", "1024", "1025", "65536", "999999", "1048576"];
    let (mut count, mut refused) = (0, 0);
    for mut random in attempts() {
        let mut one_of = |choices: &[&str]| choices[random.below(choices.len() as u64) as usize].to_owned();
        let strategy = match one_of(&["ybwc", "lazy", "abdada", "abdada", "ybwc-as-printed"]).as_str() {
            "abdada" => format!("abdada,table-sets={}", one_of(&SIZES)),
            "ybwc-as-printed" => format!("ybwc-as-printed,helpers={}", one_of(&SIZES)),
            other => other.to_owned(),
        };
        let mut arguments: Vec<String> = ["search", "BK12", "--depth", "1", "--nodes", "500"].map(str::to_owned).into();
        for (flag, value) in [
            ("--hash", one_of(&SIZES)),
            ("--threads", one_of(&SIZES)),
            ("--strategy", strategy),
            ("--machine", one_of(&["real", "virtual", "virtual"])),
            ("--scheme", one_of(&["lockless", "striped", "private", "none"])),
        ] {
            arguments.extend([flag.to_owned(), value]);
        }
        for flag in ["--audit", "--losses"] {
            if one_of(&["yes", "no"]) == "yes" {
                arguments.push(flag.to_owned());
            }
        }
        let output = with_address_space(ROOM_BYTES, &arguments);
        is_in_order(&arguments.join(" "), &output);
        refused += usize::from(!output.status.success());
        count += 1;
    }
    println!("{count} searches of absurd sizes in {} MiB, {refused} refused", ROOM_BYTES >> 20);
}

#[test]
#[ignore = "long: scripts/attack.sh"]
fn mutated_positions() {
    const BATCH: usize = 10_000;
    let (mut lines, mut accepted) = (0, 0);
    for mut random in attempts() {
        accepted += mutated_lines(random.next(), BATCH);
        lines += BATCH;
    }
    println!("{lines} mutated lines of EPD: {accepted} accepted, written and read again as they were");
}

/// A text with a few changes of lines, words and characters.
fn mutated(random: &mut SplitMix, text: &str) -> String {
    const PIECES: [&str; 16] = [
        "\"",
        "[",
        "]",
        "=",
        ",",
        "-1",
        "0",
        "1025",
        "1e999",
        "true",
        "..",
        "{ }",
        "\u{e9}",
        "99999999999999999999",
        "'",
        "#",
    ];
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=random.below(3) {
        let at = random.below(lines.len().max(1) as u64) as usize;
        let other = random.below(lines.len().max(1) as u64) as usize;
        let piece = PIECES[random.below(PIECES.len() as u64) as usize];
        match random.below(6) {
            0 => lines.push(lines.get(other).cloned().unwrap_or_default()),
            1 if !lines.is_empty() => lines.swap(at, other),
            2 if lines.len() > 1 => drop(lines.remove(at)),
            3 if !lines.is_empty() => {
                let words: Vec<&str> = lines[other].split_whitespace().collect();
                let word =
                    words.get(random.below(words.len().max(1) as u64) as usize).copied().unwrap_or("x").to_owned();
                lines[at].push_str(&word);
            }
            _ if !lines.is_empty() => {
                let chars: Vec<char> = lines[at].chars().collect();
                let place = random.below(chars.len() as u64 + 1) as usize;
                let rest = place + (random.below(3) as usize).min(chars.len() - place);
                lines[at] =
                    chars[..place].iter().chain(&piece.chars().collect::<Vec<_>>()).chain(&chars[rest..]).collect();
            }
            _ => {}
        }
    }
    lines.join("\n")
}

#[test]
#[ignore = "long: scripts/attack.sh"]
fn mutated_experiments() {
    let (mut count, mut planned, mut slowest) = (0, 0, Duration::ZERO);
    for mut random in attempts() {
        for _ in 0..100 {
            let shipped = &EXPERIMENTS[random.below(EXPERIMENTS.len() as u64) as usize];
            let text = mutated(&mut random, shipped.text);
            let begun = Instant::now();
            let plan = catch_unwind(AssertUnwindSafe(|| {
                let experiment = Experiment::parse(Path::new("mutated.toml"), &text, &[], &charts::names());
                experiment
                    .map_err(|error| error.to_string())
                    .and_then(|experiment| Plan::of(&experiment, "").map_err(|error| error.to_string()))
            }));
            let plan = plan.unwrap_or_else(|_| panic!("this experiment panics:\n{text}"));
            assert!(plan.as_ref().err().is_none_or(|error| !error.trim().is_empty()), "no reason:\n{text}");
            (count, planned) = (count + 1, planned + usize::from(plan.is_ok()));
            slowest = slowest.max(begun.elapsed());
        }
    }
    println!("{count} mutated experiments: {planned} planned, the others refused; the slowest in {slowest:?}");
}
