//! Processes of a running program: the one that was started, and all that it has started in turn. Of a program on one
//! node these are its children and theirs. The ranks of a program on several nodes may be children of a daemon that is
//! nobody's child; they are known by their process group or session, or by a mark in their environment.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::machine::cpu_ns_of_process;

/// Variable of the environment by which a process is known to belong to a program.
pub const MARK: &str = "SPLITPOINT_ENGINE";

/// Value of [`MARK`] for a program that is started now: no other has it.
pub fn new_mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Processes of a program.
pub struct Family {
    /// Process that was started; it leads a group of its own.
    root: u32,
    mark: String,
    /// Whether processes are looked for among all of the computer. That takes some 10 us for each of them.
    is_scattered: bool,
}

/// Times that the processes of a program have used, where the system tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Processor time.
    pub cpu_ns: Option<u64>,
    /// Time for which threads stood in a queue while others ran.
    pub queued_ns: Option<u64>,
}

/// A process as the system lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listed {
    id: u32,
    parent: u32,
    group: u32,
    session: u32,
}

impl Listed {
    /// Reads `/proc/ID/stat`: the name of the program, in parentheses, may contain anything.
    fn parse(stat: &str) -> Option<Self> {
        let (id, rest) = stat.split_once(' ')?;
        let mut numbers = rest.rsplit_once(')')?.1.split_whitespace().skip(1).map(|word| word.parse().ok());
        let mut next = || numbers.next().flatten();
        Some(Self { id: id.parse().ok()?, parent: next()?, group: next()?, session: next()? })
    }

    /// All processes of this computer.
    fn all() -> Vec<Self> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let is_process = |name: &std::ffi::OsString| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
        let processes = entries.map(|entry| entry.file_name()).filter(is_process);
        let stat = |name| std::fs::read_to_string(PathBuf::from("/proc").join(name).join("stat")).ok();
        processes.filter_map(|name| Self::parse(&stat(name)?)).collect()
    }

    /// Whether it was started with this mark.
    fn has_mark(&self, mark: &str) -> bool {
        let Ok(environment) = std::fs::read(format!("/proc/{}/environ", self.id)) else { return false };
        let expected = format!("{MARK}={mark}");
        environment.split(|byte| *byte == 0).any(|variable| variable == expected.as_bytes())
    }
}

impl Family {
    /// The family of a process that leads a group of its own.
    pub fn of(root: u32, mark: String, is_scattered: bool) -> Self {
        Self { root, mark, is_scattered }
    }

    /// Times of all its processes; none where the system does not tell that of the first.
    pub fn times(&self) -> Times {
        let members = if self.is_scattered { self.scattered().0 } else { descendants(self.root) };
        let sum = |of: fn(u32) -> Option<u64>| {
            let own = of(self.root)?;
            Some(own + members.iter().filter(|id| **id != self.root).filter_map(|id| of(*id)).sum::<u64>())
        };
        Times { cpu_ns: sum(cpu_ns_of_process), queued_ns: sum(queued_ns_of_process) }
    }

    /// Process groups of the family.
    pub fn groups(&self) -> BTreeSet<u32> {
        if self.is_scattered { self.scattered().1 } else { BTreeSet::from([self.root]) }
    }

    /// All processes and process groups of a family that may be scattered.
    fn scattered(&self) -> (BTreeSet<u32>, BTreeSet<u32>) {
        let all = Listed::all();
        let by_kinship = kin(&all, self.root, BTreeSet::from([self.root]));
        let is_marked = |one: &&Listed| !by_kinship.contains(&one.id) && one.has_mark(&self.mark);
        let marked: Vec<u32> = all.iter().filter(is_marked).map(|one| one.id).collect();
        let members = if marked.is_empty() {
            by_kinship
        } else {
            kin(&all, self.root, by_kinship.into_iter().chain(marked).collect())
        };
        let groups = all.iter().filter(|one| members.contains(&one.id)).map(|one| one.group);
        let groups = groups.chain([self.root]).collect();
        (members, groups)
    }
}

/// These processes with their children, with those of the process groups that their family has made, and with those of
/// its sessions: all but that of the first process, which others share.
fn kin(all: &[Listed], root: u32, mut members: BTreeSet<u32>) -> BTreeSet<u32> {
    let common = all.iter().find(|one| one.id == root).map(|one| one.session);
    let mut groups = BTreeSet::from([root]);
    loop {
        let count = members.len();
        for one in all {
            let is_member = members.contains(&one.id)
                || members.contains(&one.parent)
                || groups.contains(&one.group)
                || groups.contains(&one.session);
            if is_member {
                members.insert(one.id);
                groups.insert(one.group);
                groups.extend(common.filter(|common| *common != one.session).map(|_| one.session));
            }
        }
        if members.len() == count {
            return members;
        }
    }
}

/// A process with its children, and theirs.
fn descendants(id: u32) -> BTreeSet<u32> {
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let numbers = |list: String| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>();
    let children: Vec<u32> = lists.flat_map(numbers).collect();
    children.into_iter().flat_map(descendants).chain([id]).collect()
}

/// Time that the threads of a process have stood in a queue.
fn queued_ns_of_process(id: u32) -> Option<u64> {
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).ok()?;
    let queued = threads.flatten().map(|thread| {
        let account = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        account.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    queued.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_known_by_parents_groups_and_sessions() {
        let one = |id, parent, group, session| Listed { id, parent, group, session };
        let all = [
            one(1, 0, 1, 1),
            // This program and its shell, in the session of the user.
            one(10, 1, 10, 5),
            // The launcher, a rank in a group of its own, and what that has started.
            one(20, 10, 20, 5),
            one(21, 20, 21, 5),
            one(22, 21, 21, 5),
            // An orphan of the launcher's group; a daemon with a session of its own, and an orphan of that.
            one(23, 1, 20, 5),
            one(24, 20, 24, 24),
            one(25, 1, 25, 24),
            // Neither: in the session of the user, and elsewhere.
            one(30, 1, 30, 5),
            one(31, 1, 31, 31),
        ];
        let family = kin(&all, 20, BTreeSet::from([20]));
        assert_eq!(family, BTreeSet::from([20, 21, 22, 23, 24, 25]));
        assert_eq!(kin(&all, 20, BTreeSet::from([20, 31])), BTreeSet::from([20, 21, 22, 23, 24, 25, 31]));
    }

    #[test]
    fn the_name_of_a_program_may_contain_anything() {
        let listed = Listed { id: 7, parent: 1, group: 5, session: 3 };
        assert_eq!(Listed::parse("7 (a) b (c) S 1 5 3 0 -1"), Some(listed));
        assert_eq!(Listed::parse("7 (cut"), None);
    }
}
