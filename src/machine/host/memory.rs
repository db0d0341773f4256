//! Main memory and its pages. A transposition table of small pages costs an address translation with nearly every
//! probe.

use serde::Serialize;

use super::files::{Files, field};

const HUGE_PAGES: &str = "sys/kernel/mm/transparent_hugepage";

/// Main memory of the computer, as far as the system tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Memory {
    /// Size of the memory.
    pub total_bytes: Option<u64>,
    /// Memory that programs could still get.
    pub available_bytes: Option<u64>,
    /// Size of an ordinary page.
    pub page_bytes: Option<u64>,
    /// Mode of huge pages: `always` for every program, `madvise` for those that ask, `never`.
    pub huge_pages: Option<String>,
    /// Size of a huge page.
    pub huge_page_bytes: Option<u64>,
}

impl Memory {
    /// Reads the files; the size of a page is not in them.
    pub fn read(files: &Files, page_bytes: Option<u64>) -> Self {
        let account = files.text("proc/meminfo").unwrap_or_default();
        Self {
            total_bytes: kibibytes(&account, "MemTotal"),
            available_bytes: kibibytes(&account, "MemAvailable"),
            page_bytes,
            huge_pages: files.text(&format!("{HUGE_PAGES}/enabled")).and_then(|text| chosen(&text)),
            huge_page_bytes: files.value(&format!("{HUGE_PAGES}/hpage_pmd_size")),
        }
    }
}

fn kibibytes(account: &str, name: &str) -> Option<u64> {
    field(account, name)?.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The word in brackets: `always [madvise] never`.
fn chosen(text: &str) -> Option<String> {
    text.split_whitespace().find_map(|word| Some(word.strip_prefix('[')?.strip_suffix(']')?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::files::fake::Tree;
    use super::*;

    #[test]
    fn memory_is_read() {
        let tree = Tree::new(&[
            (
                "proc/meminfo",
                "MemTotal:       24684092 kB\nMemFree:  1 kB\nMemAvailable:   2048 kB\nHugePages_Total: 0\n",
            ),
            ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
            ("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n"),
        ]);
        let expected = Memory {
            total_bytes: Some(24_684_092 << 10),
            available_bytes: Some(2 << 20),
            page_bytes: Some(4096),
            huge_pages: Some("madvise".into()),
            huge_page_bytes: Some(2 << 20),
        };
        assert_eq!(Memory::read(&tree.files(), Some(4096)), expected);
    }

    #[test]
    fn what_is_strange_or_missing_is_none() {
        let tree = Tree::new(&[
            ("proc/meminfo", "MemTotal: many kB\nMemAvailable: 12 MB\n"),
            ("sys/kernel/mm/transparent_hugepage/enabled", "always madvise never"),
        ]);
        assert_eq!(Memory::read(&tree.files(), None), Memory::default());
        assert_eq!(Memory::read(&Tree::new(&[]).files(), None), Memory::default());
    }
}
