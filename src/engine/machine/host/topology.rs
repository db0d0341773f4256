//! Topology of the processors: which logical CPUs are hardware threads of one physical core, which memory is near to
//! them, and which of them this process may use.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::thread::available_parallelism;

use serde::Serialize;

use super::cpu_list::{CpuList, NotAllowed};
use super::files::{Files, field};

const CPUS: &str = "sys/devices/system/cpu";
const NODES: &str = "sys/devices/system/node";

/// Logical CPUs of the computer that are switched on, and those of them that this process may run on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Topology {
    /// Logical CPUs by number, ascending.
    pub cpus: Vec<LogicalCpu>,
    /// CPUs that the process may run on: its affinity mask, as `taskset` or a container sets it.
    pub allowed: CpuList,
}

/// A hardware thread: what the kernel calls a CPU.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogicalCpu {
    /// Number of the CPU.
    pub cpu: usize,
    /// Number of the CPU's physical core, unique only within a package.
    pub core_id: Option<usize>,
    /// Number of the CPU's package (socket).
    pub package: Option<usize>,
    /// NUMA node whose memory is nearest.
    pub node: Option<usize>,
    /// Hardware threads of the CPU's physical core, itself among them.
    pub siblings: CpuList,
    /// Speed of the CPU, 1024 for the fastest of the machine, where the kernel tells it.
    pub capacity: Option<u32>,
}

impl LogicalCpu {
    /// Name of the physical core that is unique in the machine: its lowest hardware thread.
    fn core(&self) -> usize {
        self.siblings.as_slice().iter().copied().min().unwrap_or(self.cpu)
    }
}

impl Topology {
    /// Topology of this computer, read once at the first call: pinning a thread changes the mask that it and its
    /// children see.
    pub fn of_system() -> &'static Self {
        static TOPOLOGY: OnceLock<Topology> = OnceLock::new();
        TOPOLOGY.get_or_init(|| Self::read(&Files::of_system(), available_parallelism().map_or(1, NonZeroUsize::get)))
    }

    /// Reads the topology below a root; `fallback` is the number of CPUs to assume where it tells nothing.
    pub fn read(files: &Files, fallback: usize) -> Self {
        let listed = files.value::<CpuList>(&format!("{CPUS}/online"));
        let mut online = listed.map_or_else(|| files.numbered(CPUS, "cpu"), |list| list.as_slice().to_vec());
        if online.is_empty() {
            online = (0..fallback.max(1)).collect();
        }
        online.sort_unstable();
        let nodes: Vec<(usize, CpuList)> = files
            .numbered(NODES, "node")
            .into_iter()
            .filter_map(|node| Some((node, files.value(&format!("{NODES}/node{node}/cpulist"))?)))
            .collect();
        let cpus: Vec<LogicalCpu> = online.iter().map(|&cpu| logical_cpu(files, cpu, &nodes)).collect();
        // The mask may name CPUs that are switched off, on which nothing can run.
        let status = files.text("proc/self/status");
        let mask: Option<CpuList> = status.and_then(|status| field(&status, "Cpus_allowed_list")?.parse().ok());
        let usable: CpuList =
            online.iter().copied().filter(|&cpu| mask.as_ref().is_none_or(|m| m.contains(cpu))).collect();
        let allowed = if usable.is_empty() { online.into_iter().collect() } else { usable };
        Self { cpus, allowed }
    }

    /// Allowed CPUs in the order in which workers get them: one hardware thread of each physical core first, by NUMA
    /// node, the faster before the slower; then their siblings in the same order.
    pub fn order(&self) -> Vec<usize> {
        let allowed: Vec<&LogicalCpu> = self.allowed().collect();
        let mut order = allowed.clone();
        order.sort_by_cached_key(|cpu| {
            let rank = allowed.iter().filter(|other| other.core() == cpu.core() && other.cpu < cpu.cpu).count();
            (rank, cpu.node, Reverse(cpu.capacity), cpu.package, cpu.core(), cpu.cpu)
        });
        order.into_iter().map(|cpu| cpu.cpu).collect()
    }

    /// Allowed CPUs with the hardware threads of a core one after the other, cores in the order of
    /// [`order`](Self::order).
    pub fn order_by_thread(&self) -> Vec<usize> {
        let by_core = self.order();
        let core_of = |cpu: usize| self.cpus.iter().find(|other| other.cpu == cpu).map(LogicalCpu::core);
        let first_of_core = |cpu: usize| by_core.iter().position(|other| core_of(*other) == core_of(cpu));
        let mut order = by_core.clone();
        order.sort_by_key(|cpu| first_of_core(*cpu));
        order
    }

    /// First allowed CPU of each physical core of which none of these CPUs is a hardware thread.
    pub fn cores_without(&self, taken: &[usize]) -> Vec<usize> {
        let is_taken = |core: usize| self.cpus.iter().any(|cpu| cpu.core() == core && taken.contains(&cpu.cpu));
        let mut cores = BTreeSet::new();
        let free = self.allowed().filter(|cpu| !is_taken(cpu.core()));
        free.filter(|cpu| cores.insert(cpu.core())).map(|cpu| cpu.cpu).collect()
    }

    /// Checks a user's list of CPUs against the mask of the process.
    ///
    /// # Errors
    /// If a CPU is not allowed: names the first one.
    pub fn check(&self, list: &CpuList) -> Result<(), NotAllowed> {
        let refused = list.as_slice().iter().find(|cpu| !self.allowed.contains(**cpu));
        refused.map_or(Ok(()), |&cpu| Err(NotAllowed { cpu, allowed: self.allowed.clone() }))
    }

    /// Number of physical cores of the machine.
    pub fn cores(&self) -> usize {
        count(self.cpus.iter().map(LogicalCpu::core))
    }

    /// Number of physical cores of which this process may use a hardware thread.
    pub fn allowed_cores(&self) -> usize {
        count(self.allowed().map(LogicalCpu::core))
    }

    /// Number of packages (sockets); one where the system does not tell.
    pub fn packages(&self) -> usize {
        count(self.cpus.iter().filter_map(|cpu| cpu.package)).max(1)
    }

    /// Number of NUMA nodes that have processors; one where the system does not tell.
    pub fn nodes(&self) -> usize {
        count(self.cpus.iter().filter_map(|cpu| cpu.node)).max(1)
    }

    /// Whether two of the allowed CPUs are hardware threads of one core.
    pub fn shares_cores(&self) -> bool {
        self.allowed_cores() < self.allowed.len()
    }

    /// Whether some of the allowed CPUs are slower than others by construction.
    pub fn is_uneven(&self) -> bool {
        count(self.allowed().filter_map(|cpu| cpu.capacity)) > 1
    }

    fn allowed(&self) -> impl Iterator<Item = &LogicalCpu> {
        self.cpus.iter().filter(|cpu| self.allowed.contains(cpu.cpu))
    }
}

fn logical_cpu(files: &Files, cpu: usize, nodes: &[(usize, CpuList)]) -> LogicalCpu {
    let topology = |name: &str| format!("{CPUS}/cpu{cpu}/topology/{name}");
    let siblings = ["core_cpus_list", "thread_siblings_list"] // the second is the name in kernels before 5.4
        .iter()
        .find_map(|name| files.value::<CpuList>(&topology(name)))
        .filter(|siblings| siblings.contains(cpu));
    // A virtual machine or an ARM board may tell -1 for "not known".
    let id = |name: &str| files.value::<i64>(&topology(name)).and_then(|id| usize::try_from(id).ok());
    LogicalCpu {
        cpu,
        core_id: id("core_id"),
        package: id("physical_package_id"),
        node: nodes.iter().find(|(_, cpus)| cpus.contains(cpu)).map(|(node, _)| *node),
        siblings: siblings.unwrap_or_else(|| [cpu].into_iter().collect()),
        capacity: files.value(&format!("{CPUS}/cpu{cpu}/cpu_capacity")),
    }
}

fn count(names: impl Iterator<Item = impl Ord>) -> usize {
    names.collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::super::files::fake::Tree;
    use super::*;

    /// Two nodes of two cores of two threads, numbered as most servers are: the siblings come last.
    fn server(status: &str) -> Tree {
        let tree = Tree::new(&[
            ("sys/devices/system/cpu/online", "0-7"),
            ("sys/devices/system/node/node0/cpulist", "0,2,4,6"),
            ("sys/devices/system/node/node1/cpulist", "1,3,5,7"),
            ("proc/self/status", status),
        ]);
        for cpu in 0..8 {
            let topology = format!("sys/devices/system/cpu/cpu{cpu}/topology");
            tree.write(&format!("{topology}/core_cpus_list"), &format!("{},{}", cpu % 4, cpu % 4 + 4));
            tree.write(&format!("{topology}/core_id"), &format!("{}", cpu % 4 / 2));
            tree.write(&format!("{topology}/physical_package_id"), &format!("{}", cpu % 2));
        }
        tree
    }

    #[test]
    fn cores_come_before_siblings_and_nodes_stay_together() {
        let tree = server("Name:\tsplitpoint\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n");
        let topology = Topology::read(&tree.files(), 1);
        assert_eq!(topology.order(), [0, 2, 1, 3, 4, 6, 5, 7]);
        assert_eq!((topology.cores(), topology.allowed_cores()), (4, 4));
        assert_eq!((topology.packages(), topology.nodes()), (2, 2));
        assert!(topology.shares_cores() && !topology.is_uneven());
        let cpu = &topology.cpus[6];
        assert_eq!((cpu.cpu, cpu.core_id, cpu.package, cpu.node), (6, Some(1), Some(0), Some(0)));
        assert_eq!(cpu.siblings.to_string(), "2,6");
    }

    #[test]
    fn only_allowed_cpus_are_given() {
        // Of core 0 only the second thread is allowed: it is then that core's first.
        let tree = server("Cpus_allowed_list:\t2-4,6\n");
        let topology = Topology::read(&tree.files(), 1);
        assert_eq!(topology.order(), [4, 2, 3, 6]);
        assert_eq!((topology.cores(), topology.allowed_cores(), topology.allowed.len()), (4, 3, 4));
        assert_eq!(topology.check(&"6,2".parse().unwrap()), Ok(()));
        let error = topology.check(&"2,5".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "CPU 5 is not among the CPUs that this process may run on: 2-4,6");
    }

    #[test]
    fn a_mask_may_name_cpus_that_are_off() {
        let tree =
            Tree::new(&[("sys/devices/system/cpu/online", "0-1"), ("proc/self/status", "Cpus_allowed_list: 1-127")]);
        assert_eq!(Topology::read(&tree.files(), 9).order(), [1]);
    }

    #[test]
    fn faster_cores_come_first() {
        let tree = Tree::new(&[("sys/devices/system/cpu/online", "0-3")]);
        for (cpu, capacity) in [(0, "400"), (1, "400"), (2, "1024"), (3, "1024")] {
            tree.write(&format!("sys/devices/system/cpu/cpu{cpu}/cpu_capacity"), capacity);
        }
        let topology = Topology::read(&tree.files(), 1);
        assert_eq!(topology.order(), [2, 3, 0, 1]);
        assert!(topology.is_uneven());
    }

    #[test]
    fn without_any_file_the_fallback_holds() {
        let topology = Topology::read(&Tree::new(&[]).files(), 3);
        assert_eq!(topology.order(), [0, 1, 2]);
        assert_eq!((topology.cores(), topology.packages(), topology.nodes()), (3, 1, 1));
    }

    #[test]
    fn what_makes_no_sense_is_not_believed() {
        let tree = Tree::new(&[
            ("sys/devices/system/cpu/online", "rubbish"),
            ("sys/devices/system/cpu/cpu0/topology/core_cpus_list", "5"),
            ("sys/devices/system/cpu/cpu0/topology/physical_package_id", "-1"),
            ("proc/self/status", "Cpus_allowed_list:\t7"),
        ]);
        let topology = Topology::read(&tree.files(), 4);
        assert_eq!(topology.order(), [0]);
        assert_eq!((topology.cpus[0].siblings.as_slice(), topology.cpus[0].package), (&[0][..], None));
    }

    #[test]
    fn this_computer_has_a_processor() {
        let topology = Topology::of_system();
        let order: CpuList = topology.order().into_iter().collect();
        assert!(!order.is_empty());
        assert_eq!((order.len(), topology.check(&order)), (topology.allowed.len(), Ok(())));
    }
}
