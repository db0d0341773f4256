//! Topology of the processors: which logical CPUs are hardware threads of one physical core, which cache and which
//! memory are near to them, which cores are fast, and which of them this process may use.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::thread::available_parallelism;

use serde::Serialize;

use super::cpu_list::{CpuList, NotAllowed};
use super::files::{Files, field};
use super::kinds;

const CPUS: &str = "sys/devices/system/cpu";
const NODES: &str = "sys/devices/system/node";

/// Logical CPUs of the computer that are switched on, and those of them that this process may run on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Topology {
    /// Logical CPUs by number, ascending.
    pub cpus: Vec<LogicalCpu>,
    /// CPUs that the process may run on: its affinity mask, as `taskset` or a container sets it.
    pub allowed: CpuList,
    /// Property by which fast cores were told from slow ones, if there are several kinds.
    pub kinds_told_by: Option<&'static str>,
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
    /// Kind of the CPU's core, 0 for the fastest of the machine.
    pub kind: usize,
    /// Lowest of the CPUs that share an L3 cache with this one, if there is such a cache.
    pub l3: Option<usize>,
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
        let parallelism = || available_parallelism().map_or(1, NonZeroUsize::get);
        TOPOLOGY.get_or_init(|| Self::read_with_levels(&Files::of_system(), parallelism(), &performance_levels()))
    }

    /// Reads the topology below a root; `fallback` is the number of CPUs to assume where it tells nothing.
    pub fn read(files: &Files, fallback: usize) -> Self {
        Self::read_with_levels(files, fallback, &[])
    }

    /// As [`read`](Self::read); where the files do not tell kinds of cores, so many CPUs are of each performance level.
    fn read_with_levels(files: &Files, fallback: usize, levels: &[usize]) -> Self {
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
        let mut cpus: Vec<LogicalCpu> = online.iter().map(|&cpu| logical_cpu(files, cpu, &nodes)).collect();
        let kinds = kinds::read(files, &online).or_else(|| kinds::by_level(levels, &online));
        for (cpu, kind) in cpus.iter_mut().zip(kinds.iter().flat_map(|kinds| &kinds.of_cpus)) {
            cpu.kind = *kind;
        }
        // The mask may name CPUs that are switched off, on which nothing can run.
        let status = files.text("proc/self/status");
        let mask: Option<CpuList> = status.and_then(|status| field(&status, "Cpus_allowed_list")?.parse().ok());
        let usable: CpuList =
            online.iter().copied().filter(|&cpu| mask.as_ref().is_none_or(|m| m.contains(cpu))).collect();
        let allowed = if usable.is_empty() { online.into_iter().collect() } else { usable };
        Self { cpus, allowed, kinds_told_by: kinds.map(|kinds| kinds.told_by) }
    }

    /// Allowed CPUs in the order in which workers get them: one hardware thread of each physical core first, the faster
    /// before the slower, by NUMA node; then their siblings in the same order.
    pub fn order(&self) -> Vec<usize> {
        self.sorted(|cpu| (cpu.node, cpu.package, None))
    }

    /// As [`order`](Self::order), but the cores that share an L3 cache stand together.
    pub fn order_compact(&self) -> Vec<usize> {
        self.sorted(|cpu| (cpu.node, cpu.package, cpu.l3))
    }

    /// As [`order`](Self::order), but as far from each other as possible: each next core of one kind is on the next
    /// NUMA node, and there in the next group of cores that share an L3 cache.
    pub fn order_spread(&self) -> Vec<usize> {
        type Group = (Option<usize>, Option<usize>, Option<usize>);
        let rank = self.ranks();
        let mut cores: BTreeMap<(usize, usize, Group), usize> = BTreeMap::new();
        let mut groups: BTreeMap<(usize, usize, Option<usize>), Vec<Group>> = BTreeMap::new();
        let mut placed: Vec<_> = self
            .order_compact()
            .into_iter()
            .filter_map(|number| {
                let cpu = self.cpu(number)?;
                let (rank, group) = (rank[&number], (cpu.node, cpu.package, cpu.l3));
                let core = cores.entry((rank, cpu.kind, group)).or_default();
                *core += 1;
                let of_node = groups.entry((rank, cpu.kind, cpu.node)).or_default();
                let known = of_node.iter().position(|other| *other == group);
                let place = known.unwrap_or_else(|| {
                    of_node.push(group);
                    of_node.len() - 1
                });
                Some(((rank, cpu.kind, *core, place, cpu.node), number))
            })
            .collect();
        placed.sort_unstable();
        placed.into_iter().map(|(_, number)| number).collect()
    }

    /// Allowed CPUs by their rank among the hardware threads of their core, their kind, and then this.
    fn sorted(&self, near: impl Fn(&LogicalCpu) -> (Option<usize>, Option<usize>, Option<usize>)) -> Vec<usize> {
        let rank = self.ranks();
        let mut order: Vec<&LogicalCpu> = self.allowed_cpus().collect();
        order.sort_by_cached_key(|cpu| (rank[&cpu.cpu], cpu.kind, near(cpu), cpu.core(), cpu.cpu));
        order.into_iter().map(|cpu| cpu.cpu).collect()
    }

    /// Rank of each allowed CPU among the allowed hardware threads of its core.
    fn ranks(&self) -> BTreeMap<usize, usize> {
        let mut threads: BTreeMap<usize, usize> = BTreeMap::new();
        let rank = |cpu: &LogicalCpu| {
            let of_core = threads.entry(cpu.core()).or_default();
            *of_core += 1;
            (cpu.cpu, *of_core - 1)
        };
        self.allowed_cpus().map(rank).collect()
    }

    /// The logical CPU of this number, if it is switched on.
    pub fn cpu(&self, number: usize) -> Option<&LogicalCpu> {
        self.cpus.binary_search_by_key(&number, |cpu| cpu.cpu).ok().map(|at| &self.cpus[at])
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
        let free = self.allowed_cpus().filter(|cpu| !is_taken(cpu.core()));
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
        count(self.allowed_cpus().map(LogicalCpu::core))
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

    /// Number of kinds of cores, some slower than others by construction, among the allowed CPUs.
    pub fn allowed_kinds(&self) -> usize {
        count(self.allowed_cpus().map(|cpu| cpu.kind))
    }

    /// Number of kinds of cores of the machine.
    pub fn kinds(&self) -> usize {
        count(self.cpus.iter().map(|cpu| cpu.kind))
    }

    /// Number of allowed physical cores of a kind.
    pub fn cores_of_kind(&self, kind: usize) -> usize {
        count(self.allowed_cpus().filter(|cpu| cpu.kind == kind).map(LogicalCpu::core))
    }

    /// Name of a kind of cores of this machine: all are `alike`, or they are `fast` and `slow`, with `middle` ones (the
    /// second, third, ... of several numbered) between them.
    pub fn kind_name(&self, kind: usize) -> String {
        match (kind, self.kinds()) {
            (_, ..=1) => "alike".to_owned(),
            (0, _) => "fast".to_owned(),
            (kind, kinds) if kind + 1 == kinds => "slow".to_owned(),
            (_, 3) => "middle".to_owned(),
            (kind, _) => format!("middle-{kind}"),
        }
    }

    /// Number of groups of the machine's CPUs that share an L3 cache; 0 where there is none, or it is not known.
    pub fn l3_groups(&self) -> usize {
        count(self.cpus.iter().filter_map(|cpu| cpu.l3))
    }

    /// Number of groups that share an L3 cache among the allowed CPUs.
    pub fn allowed_l3_groups(&self) -> usize {
        count(self.allowed_cpus().filter_map(|cpu| cpu.l3))
    }

    /// Number of NUMA nodes of the allowed CPUs; 0 where the system does not tell.
    pub fn allowed_nodes(&self) -> usize {
        count(self.allowed_cpus().filter_map(|cpu| cpu.node))
    }

    /// CPUs that the process may run on.
    pub fn allowed_cpus(&self) -> impl Iterator<Item = &LogicalCpu> {
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
        kind: 0,
        l3: l3(files, cpu),
    }
}

/// Lowest CPU that uses the L3 cache of a CPU.
fn l3(files: &Files, cpu: usize) -> Option<usize> {
    let folder = format!("{CPUS}/cpu{cpu}/cache");
    let indices = files.numbered(&folder, "index");
    let index = indices.iter().rev().find(|index| files.value(&format!("{folder}/index{index}/level")) == Some(3))?;
    let users: CpuList = files.value(&format!("{folder}/index{index}/shared_cpu_list"))?;
    users.as_slice().iter().copied().min().filter(|_| users.contains(cpu))
}

fn count(names: impl Iterator<Item = impl Ord>) -> usize {
    names.collect::<BTreeSet<_>>().len()
}

/// Number of CPUs of each performance level, where the system tells it and not files.
fn performance_levels() -> Vec<usize> {
    #[cfg(target_os = "macos")]
    return super::mac::performance_levels();
    #[cfg(not(target_os = "macos"))]
    Vec::new()
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
        assert!(topology.shares_cores() && topology.allowed_kinds() == 1);
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
        assert_eq!((topology.allowed_kinds(), topology.kinds_told_by), (2, Some("capacities")));
        assert_eq!(["fast", "slow"], [0, 1].map(|kind| topology.kind_name(kind)));
    }

    #[test]
    fn workers_are_spread_over_caches_or_fill_them() {
        // Two L3 caches whose CPUs alternate in number, with two hardware threads a core.
        let tree = Tree::new(&[("sys/devices/system/cpu/online", "0-7")]);
        for cpu in 0..8 {
            let cpus = format!("sys/devices/system/cpu/cpu{cpu}");
            tree.write(&format!("{cpus}/topology/core_cpus_list"), &format!("{},{}", cpu % 4, cpu % 4 + 4));
            tree.write(&format!("{cpus}/cache/index3/level"), "3");
            let shared = if cpu % 2 == 0 { "0,2,4,6" } else { "1,3,5,7" };
            tree.write(&format!("{cpus}/cache/index3/shared_cpu_list"), shared);
        }
        let topology = Topology::read(&tree.files(), 1);
        assert_eq!((topology.l3_groups(), topology.order()), (2, vec![0, 1, 2, 3, 4, 5, 6, 7]));
        assert_eq!(topology.order_compact(), [0, 2, 1, 3, 4, 6, 5, 7]);
        assert_eq!(topology.order_spread(), [0, 1, 2, 3, 4, 5, 6, 7]);
        // Nodes take turns.
        let tree = server("Cpus_allowed_list:\t0-7\n");
        assert_eq!(Topology::read(&tree.files(), 1).order_spread(), [0, 1, 2, 3, 4, 5, 6, 7]);
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
