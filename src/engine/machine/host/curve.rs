//! What bends a curve of speedups on this computer, and from how many threads on, if each thread gets the next
//! processor in the order of `pin = "cores"`. Without it a curve shows two effects in one: how well a strategy shares
//! its work, and that a further thread gets less of a processor than those before.

use serde::Serialize;

use super::topology::{LogicalCpu, Topology};

/// Something that bends a curve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bend {
    /// Name for programs, which stays the same.
    pub key: &'static str,
    /// Largest number of threads that it does not concern.
    pub good_to: usize,
    /// Kind of processors or cores that `good_to` counts, as in 'the number of fast cores'.
    pub number_of: &'static str,
    /// Effect on the curve of more threads than `good_to`.
    pub beyond: String,
    /// Whether a further thread gets less of a processor, so that figures beyond are not those of as many equal ones.
    pub is_limit: bool,
}

/// All bends, the first at the smallest number of threads. With one processor there are none.
pub fn bends(topology: &Topology, quota_cpus: Option<f64>) -> Vec<Bend> {
    let bends = [quota(topology, quota_cpus), slow_cores(topology), l3_groups(topology), nodes(topology)];
    let bends = bends.into_iter().chain([hardware_threads(topology)]);
    let mut bends: Vec<Bend> = bends.flatten().collect();
    bends.sort_by_key(|bend| bend.good_to);
    bends
}

/// The bend from which on a further thread gets less of a processor, if there is one.
pub fn limit(topology: &Topology, quota_cpus: Option<f64>) -> Option<Bend> {
    bends(topology, quota_cpus).into_iter().find(|bend| bend.is_limit)
}

fn quota(topology: &Topology, quota_cpus: Option<f64>) -> Option<Bend> {
    let quota = quota_cpus.filter(|quota| *quota < topology.allowed.len() as f64)?;
    Some(Bend {
        key: "quota",
        good_to: quota.floor() as usize,
        number_of: "whole processors of the quota",
        beyond: format!("the quota of {quota:.2} processors stops all threads for a part of each period"),
        is_limit: true,
    })
}

fn slow_cores(topology: &Topology) -> Option<Bend> {
    (topology.allowed_kinds() > 1).then_some(())?;
    let fast = topology.cores_of_kind(topology.allowed_cpus().map(|cpu| cpu.kind).min()?);
    Some(Bend {
        key: "slow-cores",
        good_to: fast,
        number_of: "fast cores",
        beyond: "a further thread runs on a slower core".to_owned(),
        is_limit: true,
    })
}

fn hardware_threads(topology: &Topology) -> Option<Bend> {
    topology.shares_cores().then(|| Bend {
        key: "hardware-threads",
        good_to: topology.allowed_cores(),
        number_of: "physical cores",
        beyond: "two threads share a core".to_owned(),
        is_limit: true,
    })
}

fn l3_groups(topology: &Topology) -> Option<Bend> {
    let groups = topology.allowed_l3_groups();
    (groups > 1).then(|| Bend {
        key: "l3-groups",
        good_to: topology.leading(|cpu| cpu.l3),
        number_of: "cores of the first L3 cache",
        beyond: format!("threads lie in several of {groups} groups that have an L3 cache each"),
        is_limit: false,
    })
}

fn nodes(topology: &Topology) -> Option<Bend> {
    let nodes = topology.allowed_nodes();
    (nodes > 1).then(|| Bend {
        key: "numa",
        good_to: topology.leading(|cpu| cpu.node),
        number_of: "cores of the first NUMA node",
        beyond: format!("threads and their memory lie on several of {nodes} NUMA nodes"),
        is_limit: false,
    })
}

impl Topology {
    /// Number of workers, in the order in which they get processors, that agree with the first in something.
    fn leading(&self, of: impl Fn(&LogicalCpu) -> Option<usize>) -> usize {
        let order = self.order();
        let of_cpu = |cpu: &usize| self.cpus.iter().find(|other| other.cpu == *cpu).and_then(&of);
        let first = order.first().and_then(of_cpu);
        order.iter().take_while(|cpu| of_cpu(cpu) == first).count()
    }
}

/// Reason why this number of threads does not show what as many processors would do, if there is one: a sentence
/// without a full stop.
pub fn doubt(threads: usize, topology: &Topology, quota_cpus: Option<f64>) -> Option<String> {
    let passed = bends(topology, quota_cpus).into_iter().filter(|bend| bend.is_limit && threads > bend.good_to);
    let of_key = |key: &str| passed.clone().find(|bend| bend.key == key);
    let here = topology.allowed.len();
    if of_key("quota").is_some() && quota_cpus.is_some_and(|quota| (threads as f64) > quota) {
        return Some(format!(
            "a quota limits this process to the time of {:.2} processors, and {threads} threads want more: the system \
             stops them for a part of each period, so that times do not show what {threads} processors would do",
            quota_cpus.unwrap_or_default()
        ));
    }
    if threads > here {
        let processors = if here == 1 { "1 processor".to_owned() } else { format!("{here} processors") };
        return Some(format!(
            "{threads} threads take turns on {processors}: times do not show what {threads} processors would do"
        ));
    }
    let Bend { good_to, number_of, beyond, .. } = passed.clone().next()?;
    Some(format!("speedups are good to {}, the number of {number_of}: beyond, {beyond}", threads_of(good_to)))
}

fn threads_of(count: usize) -> String {
    if count == 1 { "1 thread".into() } else { format!("{count} threads") }
}
