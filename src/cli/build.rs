//! What the program can say of its own build: the compiler, its flags, and the sources with the commit that they are
//! of. It looks at the sources only when one of them changes, and then the crate is compiled anyway: a commit by itself
//! compiles nothing. So the commit is the newest one that changed a source, and it is unknown without git. Where this
//! crate is a package, in a registry or beside the crates of another project, it asks no repository, which would be
//! somebody else's: the package says of which commit it was made.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Files and folders that are compiled into the program.
const SOURCES: [&str; 6] = ["Cargo.toml", "Cargo.lock", "src", "experiments", "positions", "results/reference"];
/// The folder in which they are, from that of this crate.
const TOP: &str = "../..";

fn main() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let top = Path::new(TOP);
    // Of this very crate, not of another project that has a folder of such a name.
    let is_ours =
        top.join("src/cli").canonicalize().is_ok_and(|cli| std::env::current_dir().is_ok_and(|here| cli == here));
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    let Provenance { commit, changes, sources } = if is_ours { of_repository(top) } else { of_package() };
    let rustc = output(&variable("RUSTC"), &["--version"], &[]);
    for (name, value) in [
        ("COMMIT", commit.unwrap_or_default()),
        ("CHANGES", changes.map_or("unknown", |changes| if changes { "yes" } else { "no" }).to_owned()),
        ("SOURCES", sources),
        ("RUSTC", rustc.unwrap_or_default()),
        ("TARGET", variable("TARGET")),
        ("FLAGS", variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ")),
        ("CPU_FEATURES", variable("CARGO_CFG_TARGET_FEATURE")),
        ("PROFILE", profile().unwrap_or_else(|| variable("PROFILE"))),
    ] {
        println!("cargo::rustc-env=SPLITPOINT_{name}={value}");
    }
}

/// Name of the profile: cargo tells build scripts only of which of its own two it is made, and names a folder by it.
fn profile() -> Option<String> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR")?);
    let above = out.ancestors().find(|folder| folder.ends_with("build"))?.parent()?;
    Some(above.file_name()?.to_str()?.to_owned())
}

/// Origin of the sources.
struct Provenance {
    commit: Option<String>,
    /// Whether they differ from the commit.
    changes: Option<bool>,
    /// Fingerprint of them, or of what names them.
    sources: String,
}

/// Provenance of sources that lie in a repository of ours, or were copied from one.
fn of_repository(top: &Path) -> Provenance {
    std::env::set_current_dir(top).expect("the sources are there");
    SOURCES.iter().for_each(|source| println!("cargo::rerun-if-changed={TOP}/{source}"));
    let commit = output("git", &["log", "-1", "--format=%H", "--"], &SOURCES);
    // Files of a tarball that lies in the tree of another project have no commit in it.
    let changes = output("git", &["status", "--porcelain", "--"], &SOURCES).filter(|_| commit.is_some());
    Provenance { commit, changes: changes.map(|changes| !changes.is_empty()), sources: fingerprint_of_sources() }
}

/// Provenance of a package, by what cargo has written into it.
fn of_package() -> Provenance {
    const RECORD: &str = ".cargo_vcs_info.json";
    println!("cargo::rerun-if-changed={RECORD}");
    let record = std::fs::read_to_string(RECORD).unwrap_or_default();
    let commit = record.split_once("\"sha1\":").and_then(|(_, rest)| rest.split('"').nth(1)).map(str::to_owned);
    let changes = commit.is_some().then(|| record.contains("\"dirty\": true"));
    let sources = fingerprint([env!("CARGO_PKG_VERSION").as_bytes(), commit.as_deref().unwrap_or_default().as_bytes()]);
    Provenance { commit, changes, sources }
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
    fingerprint(named.flat_map(|(file, contents)| {
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

/// FNV-1a of 64 bits, as `splitpoint_base::fingerprint`, which a build script could have only by compiling it twice.
fn fingerprint<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> String {
    let continued = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    let hash = parts.into_iter().fold(0xCBF2_9CE4_8422_2325, |hash, part| part.as_ref().iter().fold(hash, continued));
    format!("{hash:016x}")
}
