//! The end of a program and of all that it has started, however this process ends.

use std::collections::BTreeSet;
use std::io::Result;
use std::process::Command;

#[cfg(windows)]
pub use by_job::Watchdog;
#[cfg(not(windows))]
pub use by_shell::Watchdog;

/// Has a program begin a process group of its own, of which it is the leader, where there are such. Ctrl-C is not for
/// it then; on Windows it has no console either, which could be closed.
pub fn in_own_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    /// `CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW`.
    #[cfg(windows)]
    const OF_ITS_OWN: u32 = 0x0200 | 0x0800_0000;
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, OF_ITS_OWN);
    command
}

#[cfg(not(windows))]
mod by_shell {
    use std::io::Write;
    use std::process::{Child, Stdio};

    use super::*;

    /// Waits for the end of its input, which comes even if this process is killed, and kills the groups that it was
    /// told last.
    const SCRIPT: &str = "groups=; while read -r line; do groups=$line; done; \
                          for group in $groups; do kill -s KILL -- \"-$group\"; done";

    /// A shell that kills process groups when this value is dropped or this process ends. A signal at the death of the
    /// parent (`PR_SET_PDEATHSIG`) would reach neither what a program has started nor, since it comes with the end of
    /// the thread that started it, a program of a short-lived thread. What has left the groups by itself (`setsid`)
    /// goes on.
    pub struct Watchdog(Option<Child>);

    impl Watchdog {
        /// A watchdog without a group, where there are process groups.
        pub fn start() -> Result<Self> {
            if cfg!(not(unix)) {
                return Ok(Self(None));
            }
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            in_own_group(&mut shell).spawn().map(|shell| Self(Some(shell)))
        }

        /// From now on it watches the groups of these numbers.
        pub fn watch(&mut self, groups: &BTreeSet<u32>) -> Result<()> {
            let numbers: Vec<String> = groups.iter().map(u32::to_string).collect();
            let input = self.0.as_mut().and_then(|shell| shell.stdin.as_mut());
            input.map_or(Ok(()), |input| writeln!(input, "{}", numbers.join(" ")))
        }
    }

    impl Drop for Watchdog {
        fn drop(&mut self) {
            if let Some(mut shell) = self.0.take() {
                // Waiting closes its input first.
                let _ = shell.wait();
            }
        }
    }
}

#[cfg(windows)]
mod by_job {
    use super::*;
    use crate::machine::host::Job;

    /// A job, which Windows ends when this value is dropped or this process ends. What a program has started before it
    /// was put there, in its first moments, is not in it.
    pub struct Watchdog {
        job: Job,
        watched: BTreeSet<u32>,
    }

    impl Watchdog {
        /// A watchdog without a process.
        pub fn start() -> Result<Self> {
            Ok(Self { job: Job::new()?, watched: BTreeSet::new() })
        }

        /// From now on it watches the processes of these numbers, too.
        pub fn watch(&mut self, processes: &BTreeSet<u32>) -> Result<()> {
            for id in processes {
                if !self.watched.contains(id) {
                    self.job.add(*id)?;
                    self.watched.insert(*id);
                }
            }
            Ok(())
        }
    }
}
