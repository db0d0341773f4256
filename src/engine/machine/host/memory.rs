//! Main memory and its pages. A transposition table of small pages costs an address translation with nearly every
//! probe.

use serde::Serialize;

use super::control_groups::{self, Controller};
use super::files::{Files, field};

const MEMORY: Controller = Controller { name: "memory", mounts_1: &["sys/fs/cgroup/memory"] };

const HUGE_PAGES: &str = "sys/kernel/mm/transparent_hugepage";

/// Main memory of the computer, as far as the system tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Memory {
    /// Size of the memory.
    pub total_bytes: Option<u64>,
    /// Memory that control groups let this process and its neighbours have, if that is limited.
    pub limit_bytes: Option<u64>,
    /// Addresses that this process can have (`ulimit -v`), if that is limited.
    pub address_space_bytes: Option<u64>,
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
            limit_bytes: limit(files),
            address_space_bytes: address_space(files),
            available_bytes: kibibytes(&account, "MemAvailable"),
            page_bytes,
            huge_pages: files.text(&format!("{HUGE_PAGES}/enabled")).and_then(|text| chosen(&text)),
            huge_page_bytes: files.value(&format!("{HUGE_PAGES}/hpage_pmd_size")),
        }
    }

    /// Memory that this process can have at most: that of the computer, or what control groups leave of it.
    pub fn room_bytes(&self) -> Option<u64> {
        self.total_bytes.into_iter().chain(self.limit_bytes).min()
    }
}

/// Tightest limit of the control groups of this process.
fn limit(files: &Files) -> Option<u64> {
    /// Limit that no computer reaches: where there is none, version 1 writes one that is larger, and version 2 `max`.
    const NO_LIMIT: u64 = 1 << 62;
    let [limit_1, limit_2] = ["memory.limit_in_bytes", "memory.max"].map(|name| {
        move |folder: &str| files.value(&format!("{folder}/{name}")).filter(|bytes: &u64| *bytes < NO_LIMIT)
    });
    control_groups::tightest(files, &MEMORY, limit_1, limit_2)
}

/// Limit of the process on its address space.
fn address_space(files: &Files) -> Option<u64> {
    let limits = files.text("proc/self/limits")?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
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
            (
                "proc/self/limits",
                "Limit  Soft Limit  Hard Limit  Units\nMax address space  3221225472  unlimited  bytes\n",
            ),
            ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
            ("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n"),
        ]);
        let expected = Memory {
            total_bytes: Some(24_684_092 << 10),
            limit_bytes: None,
            address_space_bytes: Some(3 << 30),
            available_bytes: Some(2 << 20),
            page_bytes: Some(4096),
            huge_pages: Some("madvise".into()),
            huge_page_bytes: Some(2 << 20),
        };
        assert_eq!(Memory::read(&tree.files(), Some(4096)), expected);
    }

    #[test]
    fn the_tightest_limit_holds() {
        const TOTAL: (&str, &str) = ("proc/meminfo", "MemTotal: 4096 kB\n");
        type Case = (&'static [(&'static str, &'static str)], Option<u64>);
        let cases: [Case; 6] = [
            (&[TOTAL], Some(4 << 20)),
            (&[TOTAL, ("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "max\n")], Some(4 << 20)),
            (&[TOTAL, ("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "1048576\n")], Some(1 << 20)),
            (
                &[
                    TOTAL,
                    ("proc/self/cgroup", "0::/a/b\n"),
                    ("sys/fs/cgroup/a/memory.max", "2048"),
                    ("sys/fs/cgroup/a/b/memory.max", "4096"),
                ],
                Some(2048),
            ),
            (
                &[
                    TOTAL,
                    ("proc/self/cgroup", "9:memory:/docker/1f\n"),
                    ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
                ],
                Some(4 << 20),
            ),
            (
                &[
                    ("proc/self/cgroup", "9:memory:/x\n0::/\n"),
                    ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "65536\n"),
                ],
                Some(65536),
            ),
        ];
        for (files, expected) in cases {
            assert_eq!(Memory::read(&Tree::new(files).files(), None).room_bytes(), expected, "{files:?}");
        }
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
