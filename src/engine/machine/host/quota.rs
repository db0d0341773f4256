//! Quota of processor time that control groups, version 1 and 2, give to the process. A container with a quota of 1.5
//! sees all processors of its host, and is put to sleep when it has used one and a half of them.

use super::control_groups::{self, Controller};
use super::files::Files;

const CPU: Controller = Controller {
    name: "cpu",
    mounts_1: &["sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct", "sys/fs/cgroup/cpuacct,cpu"],
};

/// Number of processors whose time the process may use; `None` if there is no limit or none is known. The tightest
/// limit on the way from the group of the process up to the root holds.
pub fn read(files: &Files) -> Option<f64> {
    control_groups::tightest(files, &CPU, |folder| limit_1(files, folder), |folder| limit_2(files, folder))
}

/// Limit in `cpu.max`: `max 100000`, or the microseconds that may be used of a period.
fn limit_2(files: &Files, folder: &str) -> Option<f64> {
    let text = files.text(&format!("{folder}/cpu.max"))?;
    let mut words = text.split_whitespace();
    // The word `max` is no number, and no limit.
    share(words.next()?.parse().ok()?, words.next()?.parse().ok()?)
}

/// Limit in `cpu.cfs_quota_us`, -1 for none, of `cpu.cfs_period_us`.
fn limit_1(files: &Files, folder: &str) -> Option<f64> {
    share(files.value(&format!("{folder}/cpu.cfs_quota_us"))?, files.value(&format!("{folder}/cpu.cfs_period_us"))?)
}

fn share(quota_us: i64, period_us: i64) -> Option<f64> {
    (quota_us > 0 && period_us > 0).then(|| quota_us as f64 / period_us as f64)
}

#[cfg(test)]
mod tests {
    use super::super::files::fake::Tree;
    use super::*;

    #[test]
    fn quotas_of_both_versions() {
        type Case = (&'static [(&'static str, &'static str)], Option<f64>);
        let cases: [Case; 9] = [
            (&[], None),
            (&[("proc/self/cgroup", "0::/\n")], None),
            (&[("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/cpu.max", "max 100000\n")], None),
            (&[("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/cpu.max", "150000 100000\n")], Some(1.5)),
            // The parent's limit is tighter than the group's own.
            (
                &[
                    ("proc/self/cgroup", "0::/a/b\n"),
                    ("sys/fs/cgroup/a/cpu.max", "50000 100000"),
                    ("sys/fs/cgroup/a/b/cpu.max", "400000 100000"),
                ],
                Some(0.5),
            ),
            // The host's path, seen from inside.
            (&[("proc/self/cgroup", "0::/../../x\n"), ("sys/fs/cgroup/cpu.max", "200000 100000")], Some(2.0)),
            (
                &[
                    ("proc/self/cgroup", "5:cpuset:/\n4:cpu,cpuacct:/docker/1f\n0::/\n"),
                    ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000\n"),
                    ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
                ],
                Some(3.0),
            ),
            (
                &[
                    ("proc/self/cgroup", "1:cpu:/\n"),
                    ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"),
                    ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
                ],
                None,
            ),
            (&[("proc/self/cgroup", "rubbish\n0::/\n"), ("sys/fs/cgroup/cpu.max", "1 0")], None),
        ];
        for (files, expected) in cases {
            assert_eq!(read(&Tree::new(files).files()), expected, "{files:?}");
        }
    }
}
