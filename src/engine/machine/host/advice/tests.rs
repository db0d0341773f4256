//! Findings, one by one, on a computer that is calm but for one fact.

use super::super::*;

/// A real machine of eight cores on which nothing disturbs.
fn calm() -> Host {
    let cpu = |cpu| LogicalCpu {
        cpu,
        core_id: Some(cpu),
        package: Some(0),
        node: Some(0),
        siblings: [cpu].into_iter().collect(),
        capacity: None,
        kind: 0,
        l3: Some(0),
    };
    Host {
        identity: Identity { virtual_machine: Some(false), ..Identity::default() },
        topology: Topology { cpus: (0..8).map(cpu).collect(), allowed: (0..8).collect(), kinds_told_by: None },
        caches: vec![],
        quota_cpus: None,
        memory: Memory { huge_pages: Some("always".into()), ..Memory::default() },
        clock: Clock {
            governor: Some("performance".into()),
            current_mhz: Some(3000.0),
            turbo: Some(false),
            ..Clock::default()
        },
        load: Load {
            average: Some([7.0; 3]),
            since_start: Some(Shares { busy_cpus: 5.0, steal: 0.0 }),
            lately: Some(Shares { busy_cpus: 0.02, steal: 0.0 }),
            ..Load::default()
        },
    }
}

#[test]
fn nothing_disturbs_on_a_calm_machine() {
    assert_eq!(findings(&calm()), []);
}

#[test]
fn each_fact_has_its_finding() {
    use Severity::{Caution, Note, Serious};
    type Case = (fn(&mut Host), &'static str, Severity, &'static str, &'static str);
    let cases: [Case; 22] = [
        (
            |h| h.identity.virtual_machine = Some(true),
            "virtual-machine",
            Serious,
            "virtual machine",
            "physical computer",
        ),
        (|h| h.identity.lacks_popcnt = true, "no-popcnt", Caution, "counts bits in software", "x86-64-v2"),
        (|h| keep(h, 1), "one-core", Serious, "one physical core", "another computer"),
        (|h| keep(h, 2), "few-cores", Caution, "2 physical cores", "nothing else run"),
        (|h| h.quota_cpus = Some(1.5), "quota", Serious, "1.50 processors, although it sees 8", "at most 1 thread."),
        (|h| h.quota_cpus = Some(7.9), "quota", Serious, "7.90 processors", "at most 7 threads."),
        (|h| h.load.lately = shares(0.0, 0.02), "steal", Serious, "2.0 % of", "host is less busy"),
        (|h| h.load.since_start = shares(0.0, 0.002), "steal", Caution, "0.2 % of", "host is less busy"),
        (|h| h.load.lately = shares(0.2, 0.0), "load", Caution, "keep 0.2 processors busy", "see top"),
        (|h| h.load.lately = shares(3.0, 0.0), "load", Serious, "keep 3.0 processors busy", "see top"),
        (|h| h.load.lately = None, "load", Caution, "7.0 threads", "see top"),
        (uneven_cores, "uneven-cores", Serious, "4 cores are fast and 4 slow (by types of cores)", "at most 4 threads"),
        (|h| h.topology.cpus[6].l3 = Some(6), "l3-groups", Caution, "2 groups that have an L3 cache each", "spread"),
        (pair, "smt", Caution, "8 processors are hardware threads of 7 physical cores", "at most 7 threads"),
        (|h| h.topology.cpus[7].node = Some(1), "numa", Caution, "among 2 NUMA nodes", "numactl"),
        (|h| h.clock.governor = Some("powersave".into()), "governor", Caution, "'powersave'", "cpupower"),
        (|h| h.clock.turbo = Some(true), "turbo", Caution, "Turbo is on", "cpufreq/boost"),
        (|h| h.clock.current_mhz = None, "no-frequency", Note, "does not report", "Watch"),
        (|h| h.memory.huge_pages = Some("madvise".into()), "huge-pages", Note, "that ask for them", "echo always"),
        (|h| h.memory.huge_pages = Some("never".into()), "huge-pages", Caution, "'never'", "echo always"),
        (|h| h.identity.container = Some("docker".into()), "container", Note, "(docker)", "from outside"),
        (|h| h.topology.allowed = (2..7).collect(), "mask", Note, "5 of 8 processors: 2-6", "taskset"),
    ];
    for (change, key, severity, what, remedy) in cases {
        let mut host = calm();
        change(&mut host);
        let found = findings(&host);
        let [finding] = found.as_slice() else { panic!("{key}: {found:?}") };
        assert_eq!((finding.key, finding.severity), (key, severity));
        assert!(finding.what.contains(what), "{}", finding.what);
        assert!(finding.remedy.contains(remedy), "{}", finding.remedy);
    }
}

fn shares(busy_cpus: f64, steal: f64) -> Option<Shares> {
    Some(Shares { busy_cpus, steal })
}

fn keep(host: &mut Host, cpus: usize) {
    host.topology.cpus.truncate(cpus);
    host.topology.allowed = (0..cpus).collect();
}

fn uneven_cores(host: &mut Host) {
    for (i, cpu) in host.topology.cpus.iter_mut().enumerate() {
        cpu.kind = i / 4;
    }
    host.topology.kinds_told_by = Some("types of cores");
}

fn pair(host: &mut Host) {
    for cpu in [6, 7] {
        host.topology.cpus[cpu].siblings = [6, 7].into_iter().collect();
    }
}

#[test]
fn what_is_enough_or_not_known_is_no_finding() {
    let changes: [fn(&mut Host); 6] = [
        |h| h.quota_cpus = Some(8.0),
        |h| h.clock.governor = None,
        |h| h.clock.turbo = None,
        |h| h.memory.huge_pages = None,
        |h| h.identity.virtual_machine = None,
        |h| h.load = Load::default(),
    ];
    for change in changes {
        let mut host = calm();
        change(&mut host);
        assert_eq!(findings(&host), []);
    }
}

#[test]
fn intel_has_a_switch_of_its_own_for_turbo() {
    let mut host = calm();
    (host.clock.turbo, host.clock.driver) = (Some(true), Some("intel_pstate".into()));
    assert!(findings(&host)[0].remedy.contains("no_turbo"));
}

#[test]
fn the_gravest_comes_first() {
    let mut host = calm();
    host.clock.current_mhz = None;
    host.clock.turbo = Some(true);
    host.identity.virtual_machine = Some(true);
    let keys: Vec<_> = findings(&host).iter().map(|finding| finding.key).collect();
    assert_eq!(keys, ["virtual-machine", "turbo", "no-frequency"]);
}
