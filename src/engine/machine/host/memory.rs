//! Main memory and its pages. A transposition table of small pages costs an address translation with nearly every
//! probe.

use serde::Serialize;

use super::control_groups::{self, Controller};
use super::files::{Files, field};
use super::system_calls;

const MEMORY: Controller = Controller { name: "memory", mounts_1: &["sys/fs/cgroup/memory"] };

const HUGE_PAGES: &str = "sys/kernel/mm/transparent_hugepage";

/// Main memory of the computer, as far as the system tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Memory {
    /// Size of the memory.
    pub total_bytes: Option<u64>,
    /// Memory that control groups let this process and its neighbours have, if that is limited.
    pub limit_bytes: Option<u64>,
    /// Memory that control groups still have for this process and its neighbours: what is used of their limits is
    /// taken off, but for cached files that the system gives up.
    pub free_bytes: Option<u64>,
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
    /// Memory of this computer now.
    pub fn of_system() -> Self {
        let read = Self { page_bytes: system_calls::page_bytes(), ..Self::read(&Files::of_system()) };
        let told = told_by_system();
        let (total_bytes, available_bytes) = (read.total_bytes.or(told.0), read.available_bytes.or(told.1));
        Self { total_bytes, available_bytes, address_space_bytes: addresses(read.address_space_bytes), ..read }
    }

    /// Reads the files; the size of a page is not in them.
    pub fn read(files: &Files) -> Self {
        let account = files.text("proc/meminfo").unwrap_or_default();
        Self {
            total_bytes: kibibytes(&account, "MemTotal"),
            limit_bytes: limit(files),
            free_bytes: free(files),
            address_space_bytes: address_space(files),
            available_bytes: kibibytes(&account, "MemAvailable"),
            page_bytes: None,
            huge_pages: files.text(&format!("{HUGE_PAGES}/enabled")).and_then(|text| chosen(&text)),
            huge_page_bytes: files.value(&format!("{HUGE_PAGES}/hpage_pmd_size")),
        }
    }

    /// Memory that this process can still get, less a reserve for itself and the rest of the system. Where the system
    /// does not tell what is available, that of the whole computer.
    pub fn room_bytes(&self) -> Option<u64> {
        let available = self.available_bytes.or(self.total_bytes);
        let room = available.into_iter().chain(self.free_bytes).min()?;
        Some(room.saturating_sub((room / RESERVED_SHARE).clamp(LEAST_RESERVE, LARGEST_RESERVE)))
    }
}

/// Size of the memory, and how much of it programs could still get, where they are not in files.
fn told_by_system() -> (Option<u64>, Option<u64>) {
    #[cfg(windows)]
    return super::windows::memory_bytes().unzip();
    #[cfg(target_os = "macos")]
    return (super::mac::memory_bytes(), None);
    #[cfg(not(any(windows, target_os = "macos")))]
    (None, None)
}

/// Addresses that this process can have under such a limit: with 32 bits there are never more than these can count.
fn addresses(limit: Option<u64>) -> Option<u64> {
    let counted = if usize::BITS < u64::BITS { Some(isize::MAX as u64) } else { None };
    limit.into_iter().chain(counted).min()
}

/// Share of the memory that is left that nobody is given: the system ends a program that takes the last of it.
const RESERVED_SHARE: u64 = 8;
/// Reserve on a small computer: what the program takes beside its tables.
const LEAST_RESERVE: u64 = 16 << 20;
/// Reserve on a large computer.
const LARGEST_RESERVE: u64 = 2 << 30;

/// Limit that no computer reaches: where there is none, version 1 writes one that is larger, and version 2 `max`.
const NO_LIMIT: u64 = 1 << 62;
/// Files of limits, of what is used, and name of what the system can give up of that, by version.
const ACCOUNTS: [[&str; 3]; 2] = [
    ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"],
    ["memory.max", "memory.current", "inactive_file"],
];

/// Tightest limit of the control groups of this process.
fn limit(files: &Files) -> Option<u64> {
    let [limit_1, limit_2] = ACCOUNTS.map(|[name, ..]| move |folder: &str| limit_of(files, folder, name));
    control_groups::tightest(files, &MEMORY, limit_1, limit_2)
}

fn limit_of(files: &Files, folder: &str, name: &str) -> Option<u64> {
    files.value(&format!("{folder}/{name}")).filter(|bytes: &u64| *bytes < NO_LIMIT)
}

/// Least that the control groups of this process have left of their limits.
fn free(files: &Files) -> Option<u64> {
    let [free_1, free_2] = ACCOUNTS.map(|[limit, usage, cache]| {
        move |folder: &str| {
            let limit = limit_of(files, folder, limit)?;
            let used = files.value::<u64>(&format!("{folder}/{usage}")).unwrap_or_default();
            let statistics = files.text(&format!("{folder}/memory.stat")).unwrap_or_default();
            let mut lines = statistics.lines().filter_map(|line| line.split_once(' '));
            let cached = lines.find(|(name, _)| *name == cache).and_then(|(_, bytes)| bytes.trim().parse::<u64>().ok());
            Some(limit.saturating_sub(used.saturating_sub(cached.unwrap_or_default())))
        }
    });
    control_groups::tightest(files, &MEMORY, free_1, free_2)
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
            free_bytes: None,
            address_space_bytes: Some(3 << 30),
            available_bytes: Some(2 << 20),
            page_bytes: None,
            huge_pages: Some("madvise".into()),
            huge_page_bytes: Some(2 << 20),
        };
        assert_eq!(Memory::read(&tree.files()), expected);
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
            let memory = Memory::read(&Tree::new(files).files());
            assert_eq!(memory.limit_bytes.or(memory.total_bytes), expected, "{files:?}");
        }
    }

    /// A group of 1 GiB in which a program holds 600 MiB, 100 of them cached files, has 524 MiB left.
    #[test]
    fn what_is_used_is_taken_off() {
        const MIB: u64 = 1 << 20;
        let mib = |mib: u64| (mib * MIB).to_string();
        let reserve = |left: u64| left - (left / 8).max(16 * MIB);
        let group = |memory: &str, [limit, usage, cache]: [&str; 3]| {
            let tree = Tree::new(&[
                ("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n"),
                ("proc/self/cgroup", memory),
            ]);
            let folder = if memory.starts_with('0') { "sys/fs/cgroup/x" } else { "sys/fs/cgroup/memory/x" };
            tree.write(&format!("{folder}/{limit}"), &mib(1024));
            tree.write(&format!("{folder}/{usage}"), &mib(600));
            tree.write(&format!("{folder}/memory.stat"), &format!("cache 7\n{cache} {}\n", mib(100)));
            Memory::read(&tree.files())
        };
        for (line, account) in [("9:memory:/x\n", ACCOUNTS[0]), ("0::/x\n", ACCOUNTS[1])] {
            let memory = group(line, account);
            assert_eq!((memory.limit_bytes, memory.free_bytes), (Some(1024 * MIB), Some(524 * MIB)), "{line}");
            assert_eq!(memory.room_bytes(), Some(reserve(524 * MIB)), "{line}");
        }
        let memory = |total: u64, available: Option<u64>| Memory {
            total_bytes: Some(total * MIB),
            available_bytes: available.map(|mib| mib * MIB),
            ..Memory::default()
        };
        assert_eq!(memory(1024, None).room_bytes(), Some(896 * MIB), "what is available is not known");
        assert_eq!(memory(24 << 10, Some(16 << 10)).room_bytes(), Some(14 << 30), "others have a part");
        assert_eq!(memory(1 << 20, Some(1 << 20)).room_bytes(), Some((1 << 40) - (2 << 30)));
        assert_eq!(memory(64, Some(8)).room_bytes(), Some(0));
        assert_eq!(Memory::default().room_bytes(), None);
    }

    #[test]
    fn what_is_strange_or_missing_is_none() {
        let tree = Tree::new(&[
            ("proc/meminfo", "MemTotal: many kB\nMemAvailable: 12 MB\n"),
            ("sys/kernel/mm/transparent_hugepage/enabled", "always madvise never"),
        ]);
        assert_eq!(Memory::read(&tree.files()), Memory::default());
        assert_eq!(Memory::read(&Tree::new(&[]).files()), Memory::default());
    }
}
