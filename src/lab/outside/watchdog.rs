//! The end of a program and of all that it has started, however this process ends.

use std::collections::BTreeSet;
use std::io::{Result, Write};
use std::process::{Child, Command, Stdio};

/// Waits for the end of its input, which comes even if this process is killed, and kills the groups that it was told
/// last.
const SCRIPT: &str = "groups=; while read -r line; do groups=$line; done; \
                      for group in $groups; do kill -s KILL -- \"-$group\"; done";

/// A shell that kills process groups when this value is dropped or this process ends. A signal at the death of the
/// parent (`PR_SET_PDEATHSIG`) would reach neither what a program has started nor, since it comes with the end of the
/// thread that started it, a program of a short-lived thread. What has left the groups by itself (`setsid`) goes on.
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

/// Has a program begin a process group of its own, of which it is the leader, where there are such.
pub fn in_own_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}
