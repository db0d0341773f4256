//! What surrounds a session: the program, the command, the computer and what will disturb a measurement on it, and the cost
//! models of virtual machines.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use crate::machine::cost::CostModel;
use crate::machine::host::{Finding, Host, findings};
use crate::record::calendar;
use crate::search::signature;

/// One run of the program that made records.
#[derive(Clone, Debug, Serialize)]
pub struct Session {
    /// By which records name it.
    pub id: String,
    /// The version of the program.
    pub version: &'static str,
    /// The signature of the search.
    pub signature: u64,
    /// The command as it was given.
    pub command: String,
    /// When it began.
    pub started: String,
    /// The computer.
    pub host: Value,
    /// What will disturb a measurement on it.
    pub findings: Vec<Finding>,
    /// The cost models that it uses, by name.
    pub costs: BTreeMap<String, CostModel>,
}

/// What others do on the computer is watched for so long before a session.
const WATCHED: Duration = Duration::from_millis(250);

impl Session {
    /// The session of this process.
    pub fn begin(command: &str, costs: &BTreeMap<String, CostModel>) -> Self {
        let host = Host::read_and_watch(WATCHED);
        let now = calendar::now();
        let name = host_name();
        let started = calendar::utc(now);
        let compact: String = started.chars().filter(|c| !matches!(c, '-' | ':')).collect();
        Self {
            id: format!("{compact}-{name}-{}", std::process::id()),
            version: env!("CARGO_PKG_VERSION"),
            signature: signature::recorded(),
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
                "numa_nodes": host.topology.nodes(),
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
            }),
            findings: findings(&host),
            costs: costs.clone(),
        }
    }
}

fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let kept: String = name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).collect();
    if kept.is_empty() { "computer".to_owned() } else { kept }
}
