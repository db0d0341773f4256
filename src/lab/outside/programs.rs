//! Programs that are found by their names alone: on the path, and in the folders of games.

use std::path::{Path, PathBuf};

use super::process::path_with_games;
use crate::suggestion::did_you_mean;

/// Number of letters by which the name of a program that may be meant is longer or shorter.
const NEAR_LENGTH: usize = 2;

/// Program of this name, which is found without its folder.
pub fn program(name: &str) -> Option<PathBuf> {
    let is_name = !name.is_empty() && !name.contains(std::path::MAIN_SEPARATOR);
    let path = path_with_games();
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(name));
    is_name.then(|| places.find(|place| is_program(place)))?
}

/// `; did you mean 'stockfish'?` if the name of a program is near, else nothing. What a name stands for is written
/// after this prefix.
pub fn near(name: &str, prefix: &str) -> String {
    near_among(name, prefix, &std::env::split_paths(&path_with_games()).collect::<Vec<_>>())
}

fn near_among(name: &str, prefix: &str, folders: &[PathBuf]) -> String {
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let likely = |other: &String| {
        // Of the thousands of names on a path some are always a little like it.
        other.chars().next() == name.chars().next() && other.len().abs_diff(name.len()) <= NEAR_LENGTH
    };
    let named = entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())));
    let programs = named.filter(|(other, path)| likely(other) && is_program(path));
    did_you_mean(&format!("{prefix}{name}"), programs.map(|(other, _)| format!("{prefix}{other}")))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_those_of_programs() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("splitpoint-programs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, mode) in [("stockfish", 0o755), ("stockfisch", 0o644), ("toga2", 0o755)] {
            std::fs::write(folder.join(name), "").unwrap();
            std::fs::set_permissions(folder.join(name), PermissionsExt::from_mode(mode)).unwrap();
        }
        let folders = [folder.join("none"), folder.clone()];
        for (name, prefix, expected) in [
            ("stockfis", "", "; did you mean 'stockfish'?"),
            ("stockfis", "uci:", "; did you mean 'uci:stockfish'?"),
            ("toga", "", "; did you mean 'toga2'?"),
            ("engine", "", ""),
        ] {
            assert_eq!(near_among(name, prefix, &folders), expected, "{name}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(program("sh").is_some_and(|path| path.is_absolute()) && program("/bin/sh").is_none());
    }
}
