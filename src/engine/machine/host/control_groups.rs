//! Control groups, version 1 and 2, that limit what the process may use: of each limit, the tightest on the way from
//! the group of the process up to the root.

use super::files::Files;

/// Mount points of version 2: alone, or beside version 1.
const MOUNTS_2: [&str; 2] = ["sys/fs/cgroup", "sys/fs/cgroup/unified"];

/// Kind of thing that control groups give out.
pub struct Controller {
    /// Name of the controller in version 1.
    pub name: &'static str,
    /// Mount points in version 1.
    pub mounts_1: &'static [&'static str],
}

/// Smallest limit that holds for the process, if there is one. A limit is read from the folder of a group, by
/// `limit_1` in version 1 and by `limit_2` in version 2.
pub fn tightest<T: PartialOrd>(
    files: &Files,
    controller: &Controller,
    limit_1: impl Fn(&str) -> Option<T>,
    limit_2: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let groups = files.text("proc/self/cgroup")?;
    let of_line = |line: &str| {
        // `7:cpu,cpuacct:/some/group`; version 2 has `0::/some/group`.
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, group) = (parts.next()?, parts.next()?);
        if controllers.is_empty() {
            of_group(&MOUNTS_2, group, &limit_2)
        } else if controllers.split(',').any(|name| name == controller.name) {
            of_group(controller.mounts_1, group, &limit_1)
        } else {
            None
        }
    };
    smallest(groups.lines().filter_map(of_line))
}

/// Smallest limit of a group and of those above it. Inside a container the path may be the host's: the folders that do
/// not exist here then have no limit, and the mount itself is the container's group.
fn of_group<T: PartialOrd>(mounts: &[&str], group: &str, limit: impl Fn(&str) -> Option<T>) -> Option<T> {
    let names: Vec<&str> = group.split('/').filter(|name| !name.is_empty() && *name != "..").collect();
    let folders = |mount: &&str| -> Vec<String> {
        let mount = (*mount).to_owned();
        (0..=names.len()).map(|depth| [&[mount.as_str()], &names[..depth]].concat().join("/")).collect()
    };
    smallest(mounts.iter().flat_map(folders).filter_map(|folder| limit(&folder)))
}

fn smallest<T: PartialOrd>(limits: impl Iterator<Item = T>) -> Option<T> {
    limits.reduce(|least, limit| if limit < least { limit } else { least })
}
