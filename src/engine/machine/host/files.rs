//! Small text files below a root folder: `/` on a real computer, a few files of its own in a test. A file that is
//! missing or cannot be read is `None`, never an error: kernels, containers and other systems differ in what they show.

use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

/// A root folder to read from.
#[derive(Clone, Debug)]
pub struct Files {
    root: PathBuf,
}

impl Files {
    /// The files of this computer.
    pub fn of_system() -> Self {
        Self::below("/")
    }

    /// The files below a folder that stands for `/`.
    pub fn below(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Text of a file, without blanks around it; `None` if it is missing, unreadable or empty.
    pub fn text(&self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.root.join(path)).ok()?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Value of a file that holds only one.
    pub fn value<T: FromStr>(&self, path: &str) -> Option<T> {
        self.text(path)?.parse().ok()
    }

    /// Whether there is such a file or folder.
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Names of the entries of a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.root.join(folder)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.to_owned())).collect();
        names.sort_unstable();
        names
    }

    /// Numbers N of the entries `prefixN` of a folder, ascending: `cpu0`, `cpu1`, ...
    pub fn numbered(&self, folder: &str, prefix: &str) -> Vec<usize> {
        let names = self.names(folder);
        let mut numbers: Vec<usize> = names.iter().filter_map(|name| name.strip_prefix(prefix)?.parse().ok()).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// Value of `key` in lines such as `model name : AMD EPYC`.
pub fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim())
}

#[cfg(test)]
pub mod fake {
    //! A tree of small files that stands for a computer.

    use std::fs;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Files;

    /// A folder of its own for each test, removed at the end.
    pub struct Tree(PathBuf);

    impl Tree {
        pub fn new(files: &[(&str, &str)]) -> Self {
            static NEXT: AtomicUsize = AtomicUsize::new(0);
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let tree = Self(std::env::temp_dir().join(format!("splitpoint-host-{}-{number}", std::process::id())));
            fs::create_dir_all(&tree.0).unwrap();
            for (path, text) in files {
                tree.write(path, text);
            }
            tree
        }

        pub fn write(&self, path: &str, text: &str) {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        pub fn files(&self) -> Files {
            Files::below(&self.0)
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            // Nothing depends on whether a temporary folder is left behind.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fake::Tree;
    use super::*;

    #[test]
    fn what_is_missing_is_none() {
        let tree =
            Tree::new(&[("a/number", " 42\n"), ("a/word", "x"), ("a/empty", "\n"), ("a/cpu10", ""), ("a/cpu9", "")]);
        let files = tree.files();
        assert_eq!(files.value::<u32>("a/number"), Some(42));
        assert_eq!((files.value::<u32>("a/word"), files.text("a/empty"), files.text("b")), (None, None, None));
        assert_eq!((files.has("a"), files.has("b")), (true, false));
        assert_eq!(files.names("a"), ["cpu10", "cpu9", "empty", "number", "word"]);
        assert_eq!((files.numbered("a", "cpu"), files.numbered("b", "cpu")), (vec![9, 10], vec![]));
    }

    #[test]
    fn fields_are_found_by_their_whole_name() {
        let text = "model\t\t: 2\nmodel name\t: AMD EPYC\nflags : a b: c\n\n";
        assert_eq!(field(text, "model"), Some("2"));
        assert_eq!(field(text, "model name"), Some("AMD EPYC"));
        assert_eq!(field(text, "flags"), Some("a b: c"));
        assert_eq!(field(text, "name"), None);
    }
}
