//! `splitpoint machine`: the computer underneath, and what will disturb a measurement on it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::error::CliError;
use super::output::{self, VERSION, object, paragraph};
use super::validate::Progress;
use crate::lab::validation::{Calibrated, calibrated};
use crate::machine::calibrate::{Calibration, Figure, Sharing};
use crate::machine::host::{
    Bend, Cache, CacheKind, Clock, CpuList, Finding, Host, Identity, Load, Memory, Severity, Shares, Topology, bends,
    findings, limit,
};
use crate::record::validation::{Size, Together, WorkCost, WorkCosts, WorkSharing};
use crate::statistics::Interval;

/// Time for which other programs are watched: enough ticks of the kernel's clock to see a hundredth stolen.
const WATCHED: Duration = Duration::from_secs(1);
const UNKNOWN: &str = "not known";

/// Show processors, caches, memory and clock of this computer, and what disturbs measurements on it
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint machine
  splitpoint machine --json
  splitpoint machine --calibrate

The load of other programs is watched for one second. On systems other than Linux, only the number of processors is \
known.")]
pub struct Machine {
    /// Also measure the costs of coordination and work on this computer (some seconds), and print them as a cost model
    /// for the virtual machine
    #[arg(long)]
    calibrate: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Read a computer whose /proc and /sys lie below this folder
    #[arg(long, value_name = "DIR", hide = true, conflicts_with = "calibrate")]
    root: Option<PathBuf>,
}

impl Machine {
    pub fn run(&self) -> Result<(), CliError> {
        let host = match &self.root {
            Some(root) if !root.is_dir() => {
                return Err(CliError::BadInput(format!("--root: {} is not a folder", root.display())));
            }
            Some(root) => Host::read_below(root),
            None => Host::read_and_watch(WATCHED),
        };
        let (order, findings) = (host.topology.order(), findings(&host));
        let calibrated = if self.calibrate { Some(calibrate()?) } else { None };
        let mut out = stdout().lock();
        if self.json {
            let calibration = calibrated.as_ref().map(|Calibrated { coordination, work, model, assumed }| {
                let model_hash = model.hash();
                object! { calibration: object! { measured: coordination, work, assumed, model, model_hash } }
            });
            let printed = object! {
                version: VERSION, host: &host, order: &order, findings: &findings,
                bends: bends(&host.topology, host.quota_cpus),
                #[serde(flatten)]
                calibration,
            };
            return Ok(output::json(&mut out, &printed)?);
        }
        print(&mut out, &host, &order, &findings)?;
        let Some(Calibrated { coordination, work, model, assumed }) = &calibrated else { return Ok(()) };
        writeln!(out)?;
        let heading = "Measured here (10th percentiles over batches; medians to 90th percentiles in brackets)";
        section(&mut out, heading, &measured(coordination))?;
        section(&mut out, "Fitted to searches here (with 95 % intervals)", &of_work(work))?;
        writeln!(out, "Taken from 'reference'")?;
        paragraph(&mut out, "  ", &assumed.join(", "))?;
        writeln!(out, "\nCost model of this host (hash {})", model.hash())?;
        Ok(output::json(&mut out, model)?)
    }
}

fn calibrate() -> Result<Calibrated, CliError> {
    output::tell("measuring the costs of coordination and work on this computer; this takes some seconds");
    let progress = Progress::new();
    let calibrated = calibrated(&Size::for_calibration(), &progress);
    progress.clear();
    Ok(calibrated?)
}

/// Lines on the costs of work.
fn of_work(work: &WorkCosts) -> Facts {
    let of_cost = |cost: &WorkCost| {
        let interval = cost.interval.map(|ns| format!("{:.1} to {:.1}", ns.low, ns.high));
        let interval = interval.unwrap_or_else(|| "at the bound of its range".to_owned());
        let words = format!("{:.1} ns ({interval}), in the model {}", cost.fit, cost.model);
        fact(&cost.name.replace('_', " "), words)
    };
    let times = |ratio: &Interval, what: &str| {
        format!("{:.3} times {what} ({:.3} to {:.3})", ratio.estimate, ratio.low, ratio.high)
    };
    let left_out = work.left_out.map_or(UNKNOWN.to_owned(), |ratio| times(&ratio, "the measured times"));
    let beside = work.sharing.as_ref().map(|WorkSharing { processors, positions, ratio }| {
        let times = times(ratio, "as long");
        format!(
            "a node takes {times} if {processors} processors each search a position of their own ({positions} \
             positions)"
        )
    });
    let together = work.together.as_ref().map(|together| {
        let Together { processors, positions, ratio, look_around_ns, split_ns, model_split_ns, .. } = together;
        let times = times(ratio, "as long");
        format!(
            "work takes {times} if {processors} processors share the search of a position, but no nodes ({positions} \
             positions); where they share nodes, each of them looks around for {look_around_ns:.0} ns, and a split \
             takes {split_ns:.0} ns, of which the model has {model_split_ns:.0} ns"
        )
    });
    let searches = format!("{} of {} positions, of which {} disturbed", work.runs, work.positions, work.disturbed);
    let rest = [
        fact("left out", format!("predicted times of positions left out of the fit: {left_out}")),
        fact("side by side", beside),
        fact("together", together),
        fact("searches", searches),
    ];
    work.costs.iter().map(of_cost).chain(rest).collect()
}

fn measured(measured: &Calibration) -> Facts {
    let ns = |figure: Figure| format!("{:.1} ns ({:.1} to {:.1})", figure.low, figure.median, figure.high);
    let between = &measured.between;
    let mut facts = Facts::new();
    let mut add = |name: &str, words: Option<String>| facts.push(fact(name, words));
    let passes: Vec<String> = measured.passes.iter().map(|ping_pong| format!("{ping_pong:.1}")).collect();
    if !passes.is_empty() {
        add("passes", Some(format!("ping-pong of {} ns; the median pass counts", passes.join(", "))));
    }
    for pair in &between.pairs {
        let place = format!("between CPUs {} and {}", pair.from, pair.to);
        add("ping-pong", Some(format!("{} one way {place}", ns(pair.ping_pong))));
        for (figure, what) in [
            (pair.to_read, "to read data that the other processor has changed"),
            (pair.to_change, "to change data that the other processor has changed"),
            (pair.to_change_alone, "to change data of which both have a copy"),
        ] {
            add("transfer", Some(format!("{} {what}, {place}", ns(figure))));
        }
    }
    add("free lock", Some(ns(measured.lock_free)));
    add("lock hand-off", between.lock_handoff.map(ns));
    for wake in &between.wake {
        let words = format!("{} until it runs, {} for the caller", ns(wake.nanoseconds), ns(wake.call_nanoseconds));
        add(&format!("wake, {}", wake.waiting), Some(words));
    }
    let copy = between.copy_first_line.zip(between.copy_line);
    let copy = copy.map(|(first, line)| format!("{} for the first line, {} for each further one", ns(first), ns(line)));
    add("cold copy", copy);
    let per = |figure: Figure, what: &str| format!("{} per {what}", ns(figure));
    add("counters", between.area_line.map(|line| per(line, "line that another processor has changed")));
    add("entry", Some(per(measured.table_field, "further field")));
    add("sorting", Some(per(measured.sorting_move, "move")));
    for probe in &measured.probe {
        add("table read", Some(format!("{} in {}", ns(probe.nanoseconds), large(probe.bytes))));
    }
    let both = |Sharing { processors, alone, together }: Sharing| {
        format!("{} by one processor, {} by each of {processors} at once", ns(alone), ns(together))
    };
    add("shared reads", measured.probe_sharing.map(both));
    add("streamed line", measured.streaming.map(both));
    facts
}

fn print(out: &mut impl Write, host: &Host, order: &[usize], findings: &[Finding]) -> io::Result<()> {
    section(out, "Processors", &processors(&host.identity, &host.topology, host.quota_cpus, order))?;
    section(out, "Caches", &caches(&host.caches))?;
    section(out, "Memory", &memory(&host.memory))?;
    section(out, "Clock", &clock(&host.clock))?;
    section(out, "Load", &load(&host.load))?;
    section(out, "Curves of speedups", &curve(&host.topology, host.quota_cpus))?;
    writeln!(out, "What disturbs measurements here")?;
    if findings.is_empty() {
        writeln!(out, "  Nothing was found.")?;
    }
    findings.iter().try_for_each(|finding| advise(out, finding))
}

/// Prints a heading, and a line with a name for each fact.
fn section(out: &mut impl Write, heading: &str, facts: &[(String, String)]) -> io::Result<()> {
    const NAME_WIDTH: usize = 15;
    writeln!(out, "{heading}")?;
    for (name, fact) in facts {
        paragraph(out, &format!("  {name:<NAME_WIDTH$}  "), fact)?;
    }
    writeln!(out)
}

fn advise(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    let severity = match finding.severity {
        Severity::Serious => "SERIOUS",
        Severity::Caution => "caution",
        Severity::Note => "note",
    };
    paragraph(out, &format!("  {severity:<7}  "), &finding.what)?;
    paragraph(out, "           -> ", &finding.remedy)
}

type Facts = Vec<(String, String)>;

/// A fact, or that it is not known.
fn fact(name: &str, fact: impl Into<Option<String>>) -> (String, String) {
    (name.to_owned(), fact.into().unwrap_or_else(|| UNKNOWN.to_owned()))
}

fn processors(identity: &Identity, topology: &Topology, quota: Option<f64>, order: &[usize]) -> Facts {
    let kind = match identity.virtual_machine {
        Some(true) => "virtual machine",
        Some(false) => "real machine",
        None => "real or virtual not known",
    };
    let names = [Some(kind), identity.machine.as_deref(), identity.container.as_deref().map(|_| "in a container")];
    let count = |count: usize, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
    let order: CpuList = order.iter().copied().collect();
    let l3_groups = Some(topology.l3_groups()).filter(|groups| *groups > 0);
    let cores = [
        Some(count(topology.cores(), "physical core")),
        Some(count(topology.cpus.len(), "hardware thread")),
        Some(count(topology.packages(), "package")),
        Some(count(topology.nodes(), "NUMA node")),
        l3_groups.map(|groups| count(groups, "L3 group")),
    ];
    let cores: Vec<String> = cores.into_iter().flatten().collect();
    vec![
        fact("model", identity.processor.clone()),
        fact("machine", names.into_iter().flatten().collect::<Vec<_>>().join(", ")),
        fact("kernel", identity.kernel.clone()),
        fact("cores", cores.join(", ")),
        fact("kinds of cores", kinds(topology)),
        fact("allowed", format!("{} (CPUs that this process may run on)", topology.allowed)),
        fact("order", format!("{order} (in which workers get them)")),
        fact("quota", quota.map_or("none".to_owned(), |cpus| format!("the time of {cpus:.2} CPUs"))),
    ]
}

/// Kinds of cores with their CPUs: `8 fast (CPUs 0-15), 8 slow (16-23), by types of cores`.
fn kinds(topology: &Topology) -> String {
    let Some(told_by) = topology.kinds_told_by else { return "all alike, or not known".to_owned() };
    let one = |kind: usize| {
        let cpus: Vec<_> = topology.cpus.iter().filter(|cpu| cpu.kind == kind).collect();
        let list: CpuList = cpus.iter().map(|cpu| cpu.cpu).collect();
        let cores: BTreeSet<_> = cpus.iter().map(|cpu| cpu.siblings.as_slice().iter().min()).collect();
        let word = if list.len() == 1 { "CPU" } else { "CPUs" };
        format!("{} {} ({word} {list})", cores.len(), topology.kind_name(kind))
    };
    let all: Vec<String> = (0..topology.kinds()).map(one).collect();
    format!("{}, by {told_by}", all.join(", "))
}

/// Largest number of threads with equal processors, and what changes with more.
fn curve(topology: &Topology, quota: Option<f64>) -> Facts {
    let threads = |count: usize| if count == 1 { "1 thread".to_owned() } else { format!("{count} threads") };
    let good_to = match limit(topology, quota) {
        Some(bend) => format!("{}, the number of {}", threads(bend.good_to), bend.number_of),
        None => format!("{}, the number of processors", threads(topology.allowed.len())),
    };
    let bend = |Bend { good_to, beyond, .. }: Bend| fact(&format!("from {} on", good_to + 1), beyond);
    [fact("good to", good_to)].into_iter().chain(bends(topology, quota).into_iter().map(bend)).collect()
}

/// Caches of one level, kind, size and number of users are one line.
fn caches(caches: &[Cache]) -> Facts {
    let mut counts = BTreeMap::new();
    for Cache { level, kind, bytes, line_bytes, shared_by, .. } in caches {
        *counts.entry((level, *kind, *bytes, *line_bytes, shared_by.len())).or_insert(0) += 1;
    }
    if counts.is_empty() {
        return vec![fact("all", None)];
    }
    let line = |((level, kind, bytes, line_bytes, users), count): ((_, _, Option<u64>, Option<u32>, usize), u32)| {
        let kind = match kind {
            CacheKind::Data => " data",
            CacheKind::Instruction => " instructions",
            CacheKind::Unified => "",
        };
        let size = bytes.map_or(UNKNOWN.to_owned(), large);
        let users = if users == 1 { "1 CPU".to_owned() } else { format!("{users} CPUs") };
        let line = line_bytes.map_or_else(String::new, |bytes| format!(", lines of {bytes} B"));
        fact(&format!("L{level}{kind}"), format!("{count} x {size}, each for {users}{line}"))
    };
    counts.into_iter().map(line).collect()
}

fn memory(memory: &Memory) -> Facts {
    let huge = memory.huge_pages.as_ref().map(|mode| match memory.huge_page_bytes {
        Some(bytes) => format!("{mode}, {}", large(bytes)),
        None => mode.clone(),
    });
    vec![
        fact("total", memory.total_bytes.map(large)),
        fact("limit", memory.limit_bytes.map_or("none".to_owned(), large)),
        fact("left of limit", memory.free_bytes.map_or("no limit".to_owned(), large)),
        fact("available", memory.available_bytes.map(large)),
        fact("for tables", memory.room_bytes().map(|bytes| format!("{}, less a reserve", large(bytes)))),
        fact("page", memory.page_bytes.map(large)),
        fact("huge pages", huge),
    ]
}

fn clock(clock: &Clock) -> Facts {
    let mhz = |mhz: Option<f64>| mhz.map(|mhz| format!("{mhz:.0} MHz"));
    vec![
        fact("now", mhz(clock.current_mhz)),
        fact("lowest", mhz(clock.min_mhz)),
        fact("highest", mhz(clock.max_mhz)),
        fact("stated", mhz(clock.stated_mhz)),
        fact("governor", clock.governor.clone()),
        fact("turbo", clock.turbo.map(|is_on| if is_on { "on" } else { "off" }.to_owned())),
    ]
}

fn load(load: &Load) -> Facts {
    let average = load.average.map(|[one, five, fifteen]| format!("{one:.2}, {five:.2}, {fifteen:.2} (1, 5, 15 min)"));
    let shares = |shares: Shares| format!("{:.2} CPUs busy, {:.2} % stolen", shares.busy_cpus, shares.steal * 100.0);
    vec![
        fact("average", average),
        fact("others now", load.lately.map(shares)),
        fact("since start", load.since_start.map(shares)),
    ]
}

/// Size in the largest unit that keeps a digit before the point.
fn large(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) if bytes.is_multiple_of(unit) => format!("{} {name}", bytes / unit),
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / unit as f64),
        None => format!("{bytes} B"),
    }
}
