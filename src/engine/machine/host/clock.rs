//! Clock frequency of the processors and what sets it: a clock that changes between two measurements changes their
//! times.

use serde::Serialize;

use super::files::{Files, field};
use super::topology::Topology;
use crate::distinct::distinct;

const CPUS: &str = "sys/devices/system/cpu";

/// Clock of the processors, as far as the system tells. Virtual machines often tell nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Clock {
    /// Driver that sets the frequency.
    pub driver: Option<String>,
    /// Policy of the driver: `performance`, `powersave`, `schedutil`; or `mixed` if the allowed CPUs differ.
    pub governor: Option<String>,
    /// Lowest frequency of the allowed CPUs.
    pub min_mhz: Option<f64>,
    /// Highest frequency of the allowed CPUs.
    pub max_mhz: Option<f64>,
    /// Mean over the allowed CPUs at the moment of reading.
    pub current_mhz: Option<f64>,
    /// Frequency that `/proc/cpuinfo` states, which does not follow the real clock on most virtual machines.
    pub stated_mhz: Option<f64>,
    /// Whether cores may run above the nominal frequency, for as long as heat and the other cores let them.
    pub turbo: Option<bool>,
}

impl Clock {
    /// Reads the clock of the allowed CPUs.
    pub fn read(files: &Files, topology: &Topology) -> Self {
        let of_each = |name: &str| -> Vec<String> {
            let cpus = topology.allowed.as_slice().iter();
            cpus.filter_map(|cpu| files.text(&format!("{CPUS}/cpu{cpu}/cpufreq/{name}"))).collect()
        };
        let mhz = |name: &str| -> Vec<f64> {
            of_each(name).iter().filter_map(|khz| khz.parse::<f64>().ok()).map(|khz| khz / 1000.0).collect()
        };
        Self {
            driver: common(of_each("scaling_driver")),
            governor: common(of_each("scaling_governor")),
            min_mhz: mhz("cpuinfo_min_freq").into_iter().min_by(f64::total_cmp),
            max_mhz: mhz("cpuinfo_max_freq").into_iter().max_by(f64::total_cmp),
            current_mhz: current_mhz(files, topology.allowed.as_slice()),
            stated_mhz: files.text("proc/cpuinfo").and_then(|text| field(&text, "cpu MHz")?.parse().ok()),
            turbo: turbo(files),
        }
    }
}

/// Mean frequency of the CPUs now; `None` where the system does not follow it.
pub fn current_mhz(files: &Files, cpus: &[usize]) -> Option<f64> {
    let khz: Vec<f64> =
        cpus.iter().filter_map(|cpu| files.value(&format!("{CPUS}/cpu{cpu}/cpufreq/scaling_cur_freq"))).collect();
    (!khz.is_empty()).then(|| khz.iter().sum::<f64>() / khz.len() as f64 / 1000.0)
}

fn turbo(files: &Files) -> Option<bool> {
    let switch = |path: &str| match files.text(&format!("{CPUS}/{path}"))?.as_str() {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    };
    // The switch of Intel's own driver says whether turbo is off.
    switch("intel_pstate/no_turbo").map(|off| !off).or_else(|| switch("cpufreq/boost"))
}

fn common(values: Vec<String>) -> Option<String> {
    let mut values = distinct(values);
    if values.len() > 1 { Some("mixed".into()) } else { values.pop() }
}

#[cfg(test)]
mod tests {
    use super::super::files::fake::Tree;
    use super::*;

    fn clock(files: &[(&str, &str)]) -> Clock {
        let tree = Tree::new(files);
        tree.write("sys/devices/system/cpu/online", "0-1");
        Clock::read(&tree.files(), &Topology::read(&tree.files(), 1))
    }

    #[test]
    fn a_desktop_tells_all() {
        let clock = clock(&[
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave"),
            ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave"),
            ("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq", "800000"),
            ("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4700000"),
            ("sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "4600000"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1000000"),
            ("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2000000"),
            ("sys/devices/system/cpu/intel_pstate/no_turbo", "0"),
            ("proc/cpuinfo", "processor : 0\ncpu MHz\t\t: 2596.122\n\nprocessor : 1\ncpu MHz\t\t: 1.0\n"),
        ]);
        let expected = Clock {
            driver: Some("intel_pstate".into()),
            governor: Some("powersave".into()),
            min_mhz: Some(800.0),
            max_mhz: Some(4700.0),
            current_mhz: Some(1500.0),
            stated_mhz: Some(2596.122),
            turbo: Some(true),
        };
        assert_eq!(clock, expected);
    }

    #[test]
    fn turbo_is_switched_in_two_ways() {
        let cases = [("intel_pstate/no_turbo", "1", Some(false)), ("cpufreq/boost", "1", Some(true))];
        for (path, text, expected) in cases.into_iter().chain([("cpufreq/boost", "0", Some(false))]) {
            assert_eq!(clock(&[(&format!("{CPUS}/{path}"), text)]).turbo, expected, "{path} {text}");
        }
    }

    #[test]
    fn governors_may_differ_and_all_may_be_missing() {
        let mixed = clock(&[
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave"),
            ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance"),
        ]);
        assert_eq!(mixed.governor.as_deref(), Some("mixed"));
        assert_eq!(clock(&[]), Clock::default());
    }
}
