//! Advice: what will disturb a measurement on this computer, and what to do about it. The facts are read elsewhere.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Host;
use super::curve;
use super::load::{DISTURBING_CPUS, DISTURBING_STEAL};
use crate::choices::choices;

/// Something that will disturb a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Name for programs, which stays the same.
    pub key: &'static str,
    /// Gravity of the finding.
    pub severity: Severity,
    /// Description of what was found and what it does to a measurement.
    pub what: String,
    /// Advice on what to do about it.
    pub remedy: String,
}

choices! {
    /// Gravity of a finding. The graver is the smaller, so that sorting puts it first.
    pub enum Severity, "severity";
    /// Times and speedups measured here are not to be trusted as they are.
    Serious "serious",
    /// Intervals will be wider, or numbers of threads not comparable, unless something is done.
    Caution "caution",
    /// To be known by whoever reads the numbers.
    Note "note",
}

/// Number of cores below which a curve of speedups has hardly a shape, and no core is left for the rest of the system.
const FEW_CORES: usize = 4;
/// Number of processors kept busy by others that leaves some worker without its own, on a small machine at least.
const CROWDING_CPUS: f64 = 0.5;
/// Share of time stolen since the computer was started that tells of a crowded host underneath, even if it is idle now.
const STEAL_SINCE_START: f64 = 0.001;
/// Load average that cannot come from this program alone, for systems that do not report the load of the moment.
const LOAD_AVERAGE: f64 = 0.5;

/// All findings, the gravest first.
pub fn findings(host: &Host) -> Vec<Finding> {
    let kinds = [
        hypervisor, cores, quota, steal, others, uneven, smt, l3_groups, nodes, governor, turbo, no_clock, popcnt,
        huge_pages, container, mask,
    ];
    let mut findings: Vec<Finding> = kinds.iter().filter_map(|kind| kind(host)).collect();
    findings.sort_by_key(|finding| finding.severity);
    findings
}

impl Severity {
    fn finding(self, key: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Option<Finding> {
        Some(Finding { key, severity: self, what: what.into(), remedy: remedy.into() })
    }
}

fn hypervisor(host: &Host) -> Option<Finding> {
    host.identity.virtual_machine.filter(|&is_virtual| is_virtual)?;
    Severity::Serious.finding(
        "virtual-machine",
        "This computer is itself a virtual machine: its processors belong to a host that others may use too. Times are \
         noisy, cores may be hardware threads of one physical core, and clock and caches may differ from what the \
         system reports.",
        "Repeat each run and look at the spread; compare only runs that were measured in turns, close together. For \
         times to be published, use a physical computer.",
    )
}

/// The finding that this build leaves an instruction of the processor unused.
pub fn popcnt(host: &Host) -> Option<Finding> {
    host.identity.lacks_popcnt.then_some(())?;
    Severity::Caution.finding(
        "no-popcnt",
        "This program counts bits in software, although the processor has an instruction for it: it was built without \
         .cargo/config.toml of its sources. Searches of 'modern' take about a seventh more instructions.",
        "Build with RUSTFLAGS=\"-C target-cpu=x86-64-v2\", or in the folder of the sources.",
    )
}

fn cores(host: &Host) -> Option<Finding> {
    let cores = host.topology.allowed_cores();
    match cores {
        0..=1 => Severity::Serious.finding(
            "one-core",
            "There is only one physical core: parallel search cannot be faster than sequential search here.",
            "Measure speedups on another computer. Node counts can be measured here.",
        ),
        2..FEW_CORES => Severity::Caution.finding(
            "few-cores",
            format!(
                "There are {cores} physical cores: speedups can be measured for up to {cores} threads, and with \
                 {cores} threads no core is left for the rest of the system."
            ),
            "Let nothing else run. For more threads, use a larger computer.",
        ),
        _ => None,
    }
}

fn quota(host: &Host) -> Option<Finding> {
    let quota = host.quota_cpus?;
    let cpus = host.topology.allowed.len();
    if quota >= cpus as f64 {
        return None;
    }
    let whole = (quota.floor() as usize).max(1);
    Severity::Serious.finding(
        "quota",
        format!(
            "A quota limits this process to the time of {quota:.2} processors, although it sees {cpus}: when the quota \
             is used up, all its threads stop for the rest of the period."
        ),
        format!("Raise the quota of the control group (docker run --cpus), or use at most {}.", threads(whole)),
    )
}

fn steal(host: &Host) -> Option<Finding> {
    let (severity, has_given, share, when) = match (host.load.lately, host.load.since_start) {
        (Some(lately), _) if lately.steal >= DISTURBING_STEAL => {
            (Severity::Serious, "gives", lately.steal, "right now")
        }
        (_, Some(ever)) if ever.steal >= STEAL_SINCE_START => {
            (Severity::Caution, "has given", ever.steal, "since this computer was started")
        }
        _ => return None,
    };
    severity.finding(
        "steal",
        format!("The hypervisor {has_given} {:.1} % of the processors' time to others {when}.", share * 100.0),
        "Measure when the host is less busy, or on a computer with processors of its own.",
    )
}

fn others(host: &Host) -> Option<Finding> {
    let remedy = "Stop the other programs (see top), or wait until they end.";
    if let Some(lately) = host.load.lately {
        let severity = match lately.busy_cpus {
            busy if busy >= CROWDING_CPUS => Severity::Serious,
            busy if busy >= DISTURBING_CPUS => Severity::Caution,
            _ => return None,
        };
        let what = format!("Other programs keep {:.1} processors busy right now.", lately.busy_cpus);
        return severity.finding("load", what, remedy);
    }
    let [minute, ..] = host.load.average?;
    if minute < LOAD_AVERAGE {
        return None;
    }
    let what = format!("In the last minute, {minute:.1} threads on average were running or ready to run.");
    Severity::Caution.finding("load", what, remedy)
}

fn uneven(host: &Host) -> Option<Finding> {
    let topology = &host.topology;
    (topology.allowed_kinds() > 1).then_some(())?;
    let kinds: BTreeSet<usize> = topology.allowed_cpus().map(|cpu| cpu.kind).collect();
    let fast = topology.cores_of_kind(*kinds.first()?);
    let count = |(at, kind): (usize, &usize)| {
        let (count, name) = (topology.cores_of_kind(*kind), topology.kind_name(*kind));
        match (at, count) {
            (0, 1) => format!("1 core is {name}"),
            (0, _) => format!("{count} cores are {name}"),
            _ => format!("{count} {name}"),
        }
    };
    let counts: Vec<String> = kinds.iter().enumerate().map(count).collect();
    let (last, first) = counts.split_last()?;
    let first = first.join(", ");
    let told_by = topology.kinds_told_by.unwrap_or("the system");
    Severity::Serious.finding(
        "uneven-cores",
        format!(
            "{first} and {last} (by {told_by}): speedups are good to {}, the number of fast cores. Beyond, a curve \
             mixes what the search loses with what a slower core lacks.",
            threads(fast)
        ),
        format!(
            "Workers get the fast cores first, unless pin = \"none\": use at most {}, or run under taskset -c with \
             cores of one kind.",
            threads(fast)
        ),
    )
}

fn l3_groups(host: &Host) -> Option<Finding> {
    let bend = curve::bends(&host.topology, None).into_iter().find(|bend| bend.key == "l3-groups")?;
    let groups = host.topology.allowed_l3_groups();
    Severity::Caution.finding(
        "l3-groups",
        format!(
            "The cores lie in {groups} groups that have an L3 cache each: {} stay within one, further ones exchange \
             data through memory, so that a curve mixes two effects.",
            if bend.good_to == 1 { "1 worker does".into() } else { format!("the first {} workers", bend.good_to) }
        ),
        "pin = \"spread\" gives each next worker another cache from the beginning, \"compact\" fills one after the \
         other; compare both.",
    )
}

fn smt(host: &Host) -> Option<Finding> {
    host.topology.shares_cores().then_some(())?;
    let (cpus, cores) = (host.topology.allowed.len(), host.topology.allowed_cores());
    Severity::Caution.finding(
        "smt",
        format!(
            "The {cpus} processors are hardware threads of {cores} physical {}: two workers on one core slow each \
             other down.",
            if cores == 1 { "core" } else { "cores" }
        ),
        format!(
            "Use at most {}: workers get one hardware thread of each core first. Or switch off the second hardware \
             threads: echo off | sudo tee /sys/devices/system/cpu/smt/control",
            threads(cores)
        ),
    )
}

fn nodes(host: &Host) -> Option<Finding> {
    let nodes = host.topology.nodes();
    (nodes > 1).then_some(())?;
    Severity::Caution.finding(
        "numa",
        format!(
            "Memory is divided among {nodes} NUMA nodes: a table on one of them is far from the processors of the \
             others."
        ),
        "Spread large tables with --interleave (or numactl --interleave=all), or stay on one node with numactl \
         --cpunodebind=0 --membind=0.",
    )
}

fn governor(host: &Host) -> Option<Finding> {
    let governor = host.clock.governor.as_deref().filter(|&governor| governor != "performance")?;
    Severity::Caution.finding(
        "governor",
        format!("The clock governor is '{governor}': cores start at a low clock and change it during measurements."),
        "sudo cpupower frequency-set -g performance",
    )
}

fn turbo(host: &Host) -> Option<Finding> {
    host.clock.turbo.filter(|&is_on| is_on)?;
    let command = match host.clock.driver.as_deref() {
        Some("intel_pstate") => "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo",
        _ => "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost",
    };
    Severity::Caution.finding(
        "turbo",
        "Turbo is on: a single thread runs at a higher clock than many threads, so that measured speedups are too \
         small.",
        format!("Switch it off: {command}"),
    )
}

fn no_clock(host: &Host) -> Option<Finding> {
    host.clock.current_mhz.is_none().then_some(())?;
    Severity::Note.finding(
        "no-frequency",
        "The system does not report the clock frequency: a change during a measurement will not be noticed.",
        "Watch whether one thread becomes slower in the course of the runs.",
    )
}

fn huge_pages(host: &Host) -> Option<Finding> {
    let (severity, what) = match host.memory.huge_pages.as_deref()? {
        "always" => return None,
        "madvise" => {
            (Severity::Note, "Huge pages are given only to programs that ask for them: other tables".to_owned())
        }
        mode => (Severity::Caution, format!("The mode of huge pages is '{mode}': large tables")),
    };
    let what = format!("{what} have small pages and slower probes.");
    severity.finding("huge-pages", what, "echo always | sudo tee /sys/kernel/mm/transparent_hugepage/enabled")
}

fn container(host: &Host) -> Option<Finding> {
    let kind = host.identity.container.as_deref()?;
    Severity::Note.finding(
        "container",
        format!(
            "This process runs in a container ({kind}): other programs on the same computer may not be visible from \
             here."
        ),
        "Check the load of the computer from outside too.",
    )
}

fn mask(host: &Host) -> Option<Finding> {
    let (allowed, all) = (&host.topology.allowed, host.topology.cpus.len());
    (allowed.len() < all).then_some(())?;
    Severity::Note.finding(
        "mask",
        format!("This process may run on {} of {all} processors: {allowed}.", allowed.len()),
        "If this is not intended, see taskset -p, or the cpuset of the container.",
    )
}

fn threads(count: usize) -> String {
    if count == 1 { "1 thread".into() } else { format!("{count} threads") }
}

#[cfg(test)]
mod tests;
