//! What the program can say of its own build: the compiler, its flags, and the sources with the commit that they are
//! of. It looks at the sources only when one of them changes, and then the crate is compiled anyway: a commit by itself
//! compiles nothing. So the commit is the newest one that changed a source, and it is unknown without git.

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../base/fingerprint.rs"]
mod fingerprint;

/// Files and folders that are compiled into the program.
const SOURCES: [&str; 6] = ["Cargo.toml", "Cargo.lock", "src", "experiments", "positions", "results/reference"];
/// The folder in which they are, from that of this crate.
const TOP: &str = "../..";

fn main() {
    std::env::set_current_dir(TOP).expect("the sources are there");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={TOP}/{source}");
    }
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    let commit = output("git", &["log", "-1", "--format=%H", "--"], &SOURCES);
    // Files of a tarball that lies in the tree of another project have no commit in it.
    let changes = output("git", &["status", "--porcelain", "--"], &SOURCES).filter(|_| commit.is_some());
    let rustc = output(&variable("RUSTC"), &["--version"], &[]);
    for (name, value) in [
        ("COMMIT", commit.unwrap_or_default()),
        ("CHANGES", changes.map_or("unknown", |changes| if changes.is_empty() { "no" } else { "yes" }).to_owned()),
        ("SOURCES", fingerprint_of_sources()),
        ("RUSTC", rustc.unwrap_or_default()),
        ("TARGET", variable("TARGET")),
        ("FLAGS", variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ")),
        ("CPU_FEATURES", variable("CARGO_CFG_TARGET_FEATURE")),
        ("PROFILE", variable("PROFILE")),
    ] {
        println!("cargo::rustc-env=SPLITPOINT_{name}={value}");
    }
}

/// Output of a program on one line; nothing if it fails. Without changes, `git status` succeeds with an empty one.
fn output(program: &str, arguments: &[&str], more: &[&str]) -> Option<String> {
    let done = Command::new(program).args(arguments).args(more).output().ok().filter(|done| done.status.success())?;
    let text = String::from_utf8_lossy(&done.stdout);
    let is_status = arguments[0] == "status";
    let line = text.lines().next().unwrap_or_default().trim().to_owned();
    (is_status || !line.is_empty()).then_some(line)
}

/// Fingerprint of the names and contents of all sources, which is the same wherever they lie.
fn fingerprint_of_sources() -> String {
    let mut files: Vec<PathBuf> = Vec::new();
    SOURCES.iter().for_each(|source| gather(Path::new(source), &mut files));
    files.sort();
    let named = files.iter().filter_map(|file| Some((file, std::fs::read(file).ok()?)));
    fingerprint::fingerprint(named.flat_map(|(file, contents)| {
        let name = file.to_string_lossy().replace('\\', "/").into_bytes();
        [name, vec![0], contents, vec![0]]
    }))
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| gather(&entry.path(), files)),
        Err(_) => files.push(path.to_owned()),
    }
}
