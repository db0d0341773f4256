//! Identity of the computer: the model of its processor, its kernel, and whether it is a real machine, a virtual one,
//! or a container on either.

use serde::Serialize;

use super::files::{Files, field};

/// Names of the computer and its parts, as the system tells them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Identity {
    /// Name of the processor.
    pub processor: Option<String>,
    /// Whether the processor has an instruction that counts bits, and this build was made without it.
    pub lacks_popcnt: bool,
    /// Version of the kernel.
    pub kernel: Option<String>,
    /// Maker and model of the machine.
    pub machine: Option<String>,
    /// Whether the machine is virtual.
    pub virtual_machine: Option<bool>,
    /// Kind of container in which the process runs, if it shows.
    pub container: Option<String>,
}

/// Words in the names of virtual machines.
const VIRTUAL_MACHINES: [&str; 14] = [
    "qemu",
    "kvm",
    "virtualbox",
    "vmware",
    "virtual machine", // Hyper-V and Azure
    "bochs",
    "xen",
    "openstack",
    "ovirt",
    "google compute engine",
    "amazon ec2",
    "droplet",
    "parallels",
    "hvm domu",
];

impl Identity {
    /// Reads the names.
    pub fn read(files: &Files) -> Self {
        let cpuinfo = files.text("proc/cpuinfo").unwrap_or_default();
        let machine = machine(files);
        Self {
            processor: processor(&cpuinfo),
            lacks_popcnt: !cfg!(target_feature = "popcnt") && has_popcnt(),
            kernel: files.text("proc/sys/kernel/osrelease"),
            virtual_machine: virtual_machine(files, &cpuinfo, machine.as_deref()),
            machine,
            container: container(files),
        }
    }
}

/// Whether the processor has the instruction POPCNT.
fn has_popcnt() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("popcnt");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Name of the processor: `model name` on x86, other keys elsewhere.
fn processor(cpuinfo: &str) -> Option<String> {
    let name = ["model name", "Model", "cpu model", "cpu"].iter().find_map(|key| field(cpuinfo, key));
    name.filter(|name| !name.is_empty()).map(str::to_owned)
}

fn machine(files: &Files) -> Option<String> {
    let files = ["sys_vendor", "product_name"].map(|name| files.text(&format!("sys/class/dmi/id/{name}")));
    let names: Vec<String> = files.into_iter().flatten().collect();
    (!names.is_empty()).then(|| names.join(" "))
}

/// Whether the machine is virtual. A processor of the x86 family has a flag for it; others are known by their names
/// only.
fn virtual_machine(files: &Files, cpuinfo: &str, machine: Option<&str>) -> Option<bool> {
    let flag = field(cpuinfo, "flags").map(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"));
    if flag == Some(true) || files.has("sys/hypervisor/type") || files.has("proc/device-tree/hypervisor") {
        return Some(true);
    }
    // A cloud's bare metal carries the cloud's name too: there the flag, which is not set, or the word metal tells.
    let named = || {
        let machine = machine?.to_lowercase();
        Some(!machine.contains(".metal") && VIRTUAL_MACHINES.iter().any(|name| machine.contains(name)))
    };
    flag.or_else(named)
}

fn container(files: &Files) -> Option<String> {
    if let Some(kind) = files.text("run/systemd/container") {
        return Some(kind);
    }
    let traces = [("run/.containerenv", "podman"), (".dockerenv", "docker")];
    if let Some((_, kind)) = traces.iter().find(|(path, _)| files.has(path)) {
        return Some((*kind).to_owned());
    }
    let groups = files.text("proc/self/cgroup")?;
    let kinds = [("kubepods", "kubernetes"), ("docker", "docker"), ("libpod", "podman"), ("lxc", "lxc")];
    kinds.iter().find(|(word, _)| groups.contains(word)).map(|(_, kind)| (*kind).to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::files::fake::Tree;
    use super::*;

    #[test]
    fn real_virtual_or_not_known() {
        type Case = (&'static [(&'static str, &'static str)], Option<bool>);
        let cases: [Case; 9] = [
            (&[], None),
            (&[("proc/cpuinfo", "flags\t\t: fpu vme hypervisor lahf_lm\n")], Some(true)),
            (&[("proc/cpuinfo", "flags\t\t: fpu vme\n")], Some(false)),
            (&[("proc/cpuinfo", "flags : fpu\n"), ("sys/class/dmi/id/sys_vendor", "Amazon EC2")], Some(false)),
            (&[("proc/cpuinfo", "flags : fpu\n"), ("sys/hypervisor/type", "xen")], Some(true)),
            (&[("proc/cpuinfo", "Features : fp asimd\n")], None),
            (&[("sys/class/dmi/id/sys_vendor", "QEMU"), ("sys/class/dmi/id/product_name", "x")], Some(true)),
            (&[("sys/class/dmi/id/sys_vendor", "LENOVO")], Some(false)),
            (
                &[("sys/class/dmi/id/sys_vendor", "Amazon EC2"), ("sys/class/dmi/id/product_name", "c6g.metal")],
                Some(false),
            ),
        ];
        for (files, expected) in cases {
            assert_eq!(Identity::read(&Tree::new(files).files()).virtual_machine, expected, "{files:?}");
        }
    }

    #[test]
    fn names() {
        let tree = Tree::new(&[
            ("proc/cpuinfo", "processor : 0\nmodel : 2\nmodel name : AMD EPYC\nflags : hypervisor\n"),
            ("proc/sys/kernel/osrelease", "6.18.44\n"),
            ("sys/class/dmi/id/sys_vendor", "QEMU\n"),
            ("sys/class/dmi/id/product_name", "Standard PC\n"),
        ]);
        let expected = Identity {
            processor: Some("AMD EPYC".into()),
            lacks_popcnt: !cfg!(target_feature = "popcnt") && has_popcnt(),
            kernel: Some("6.18.44".into()),
            machine: Some("QEMU Standard PC".into()),
            virtual_machine: Some(true),
            container: None,
        };
        assert_eq!(Identity::read(&tree.files()), expected);
    }

    #[test]
    fn containers_leave_traces() {
        let cases = [
            ("run/systemd/container", "systemd-nspawn\n", Some("systemd-nspawn")),
            ("run/.containerenv", "", Some("podman")),
            (".dockerenv", "", Some("docker")),
            ("proc/self/cgroup", "4:cpu:/kubepods/burstable/pod1\n", Some("kubernetes")),
            ("proc/self/cgroup", "0::/user.slice\n", None),
        ];
        for (path, text, expected) in cases {
            assert_eq!(Identity::read(&Tree::new(&[(path, text)]).files()).container.as_deref(), expected, "{path}");
        }
    }
}
