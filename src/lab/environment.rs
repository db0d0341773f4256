//! The session of this process: the program, the command, the computer and what will disturb a measurement on it, and
//! the cost models of virtual machines.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::BUILD;
use crate::distinct::distinct;
use crate::engine::{VERSION, ranks};
use crate::machine::cost::CostModel;
use crate::machine::host::{Host, Topology, findings};
use crate::machine::stopwatch::Stopwatch;
use crate::record::{Session, calendar};
use crate::search::signature;

/// Time for which other programs are watched before a session.
const WATCHED: Duration = Duration::from_millis(250);

/// Session of this process: what its records name, and what `environment.json` says of it.
pub fn begin_session(command: &str, costs: &BTreeMap<String, CostModel>) -> Session {
    let (host, stopwatch) = (Host::read_and_watch(WATCHED), Stopwatch::of_system());
    let name = host_name();
    let started = calendar::utc(calendar::now());
    let compact: String = started.chars().filter(|c| !matches!(c, '-' | ':')).collect();
    Session {
        id: format!("{compact}-{name}-{}", std::process::id()),
        version: VERSION.to_owned(),
        signature: signature::recorded(),
        build: BUILD.get().map(|build| build()),
        command: command.to_owned(),
        started,
        host: json!({
            "name": name,
            "processor": host.identity.processor,
            "machine": host.identity.machine,
            "virtual_machine": host.identity.virtual_machine,
            "container": host.identity.container,
            "kernel": host.identity.kernel,
            "logical_cpus": host.topology.cpus.len(),
            "cores": host.topology.cores(),
            "caches": distinct(host.caches.iter().map(|cache| (cache.level, cache.kind, cache.bytes))),
            "cpu_features": cpu_features(),
            "numa_nodes": host.topology.nodes(),
            "l3_groups": host.topology.l3_groups(),
            "core_kinds": core_kinds(&host.topology),
            "smt": host.topology.shares_cores(),
            "allowed": host.topology.allowed.to_string(),
            "order": host.topology.order(),
            "quota_cpus": host.quota_cpus,
            "memory_bytes": host.memory.total_bytes,
            "huge_pages": host.memory.huge_pages,
            "governor": host.clock.governor,
            "turbo": host.clock.turbo,
            "mhz": host.clock.current_mhz,
            "load_average": host.load.average,
            "ranks": ranks::of_process().map(|ranks| ranks.members().iter().map(of_rank).collect::<Vec<_>>()),
            "stopwatch": { "source": stopwatch.source(), "reading_ns": stopwatch.reading_ns() },
        }),
        findings: plain(&findings(&host)),
        costs: plain(costs),
    }
}

/// Plain data, as files hold it, of a value of the engine.
pub(super) fn plain<T: DeserializeOwned + Default>(value: &impl Serialize) -> T {
    serde_json::to_value(value).and_then(serde_json::from_value).unwrap_or_default()
}

/// Computer of a process that searches together with this one.
fn of_rank(member: &ranks::Member) -> serde_json::Value {
    json!({ "name": member.host, "allowed": member.cpus })
}

/// Kinds of the cores that the process may use, the fastest first.
fn core_kinds(topology: &Topology) -> Vec<serde_json::Value> {
    let of_kind = |kind| json!({ "kind": topology.kind_name(kind), "cores": topology.cores_of_kind(kind) });
    (0..topology.kinds()).map(of_kind).collect()
}

/// Features of the processor that the program looks for, or that a build for this very computer would use.
fn cpu_features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let known = {
        use std::is_x86_feature_detected as has;
        [
            ("popcnt", has!("popcnt")),
            ("bmi1", has!("bmi1")),
            ("bmi2", has!("bmi2")),
            ("avx2", has!("avx2")),
            ("avx512f", has!("avx512f")),
        ]
    };
    #[cfg(not(target_arch = "x86_64"))]
    let known: [(&str, bool); 0] = [];
    known.into_iter().filter_map(|(name, has)| has.then_some(name)).collect()
}

/// Name of this computer, of letters, digits, hyphens and dots.
pub fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let kept: String = name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).collect();
    if kept.is_empty() { "computer".to_owned() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::host::Finding;
    use crate::record;

    #[test]
    fn findings_and_costs_become_plain_data() {
        // A virtual machine is something to find, whatever else this computer is.
        let mut host = Host::read();
        host.identity.virtual_machine = Some(true);
        let found = findings(&host);
        let told = |found: &Finding| {
            let severity = found.severity.name().to_owned();
            record::Finding { key: found.key.into(), severity, what: found.what.clone(), remedy: found.remedy.clone() }
        };
        let read: Vec<record::Finding> = plain(&found);
        assert!(read.iter().any(|finding| finding.key == "virtual-machine"), "{read:?}");
        assert_eq!(read, found.iter().map(told).collect::<Vec<_>>());
        let costs = BTreeMap::from([("reference".to_owned(), CostModel::reference())]);
        let session = begin_session("splitpoint", &costs);
        assert_eq!(session.host["caches"].as_array().map(Vec::is_empty), Some(host.caches.is_empty()));
        assert_eq!(session.costs["reference"]["lock_handoff"], CostModel::reference().lock_handoff);
    }
}
