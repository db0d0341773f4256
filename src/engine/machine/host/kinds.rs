//! Kinds of cores: fast and slow ones in one computer, as laptops and phones have them.
//!
//! What tells them apart differs between systems, so several sources are asked, in the order of hwloc, and the first
//! that sees a difference holds: the types of cores that the kernel names, capacities, the performance by ACPI CPPC,
//! the base clock, and the highest clock. Some cores of one kind reach a little more than others (favoured cores):
//! values that are close to each other are one kind.

use std::collections::BTreeSet;

use super::cpu_list::CpuList;
use super::files::Files;

const CPUS: &str = "sys/devices/system/cpu";
/// Counters of events that the kernel has for each type of core, the fastest type first.
const TYPES: [&str; 3] = ["cpu_core", "cpu_atom", "cpu_lowpower"];
/// Share of the next faster value below which a value is one of another kind: hwloc's tolerance.
const SAME_KIND: f64 = 0.9;

/// Kinds of the CPUs.
#[derive(Debug, PartialEq)]
pub(super) struct Kinds {
    /// Kind of each CPU, 0 for the fastest.
    pub of_cpus: Vec<usize>,
    /// Property by which the kinds were told apart, as in 'types of cores'.
    pub told_by: &'static str,
}

/// Kinds of these CPUs; `None` if all are alike, or the system does not tell.
pub(super) fn read(files: &Files, cpus: &[usize]) -> Option<Kinds> {
    type Source = fn(&Files, &[usize]) -> Option<Vec<usize>>;
    let sources: [(&'static str, Source); 5] = [
        ("types of cores", by_type),
        ("capacities", |files, cpus| Some(groups(&values(files, cpus, "cpu_capacity")?))),
        ("ACPI CPPC", by_cppc),
        ("base clock", |files, cpus| Some(groups(&values(files, cpus, "cpufreq/base_frequency")?))),
        ("highest clock", |files, cpus| Some(groups(&values(files, cpus, "cpufreq/cpuinfo_max_freq")?))),
    ];
    sources.into_iter().find_map(|(told_by, source)| {
        let of_cpus = source(files, cpus)?;
        of_cpus.iter().any(|kind| *kind > 0).then_some(Kinds { of_cpus, told_by })
    })
}

/// Kinds of CPUs of which it is only known how many are of each performance level: the first are taken for the fastest.
pub(super) fn by_level(levels: &[usize], cpus: &[usize]) -> Option<Kinds> {
    let of_levels = levels.iter().enumerate().flat_map(|(kind, count)| std::iter::repeat_n(kind, *count));
    let of_cpus: Vec<usize> = of_levels.take(cpus.len()).collect();
    let is_told = of_cpus.len() == cpus.len() && of_cpus.iter().any(|kind| *kind > 0);
    is_told.then_some(Kinds { of_cpus, told_by: "performance levels" })
}

/// By the types that the kernel names, and of one type by the highest clock: the slowest cores of some processors, on a
/// die of their own, are of the same type as others.
fn by_type(files: &Files, cpus: &[usize]) -> Option<Vec<usize>> {
    let of_counters = |name: &&str| files.value::<CpuList>(&format!("sys/devices/{name}/cpus"));
    let of_folder = |name: &&str| {
        let word = name.trim_start_matches("cpu_");
        let folders = files.names(&format!("{CPUS}/types")).into_iter().filter(|folder| folder.contains(word));
        let lists = folders.filter_map(|folder| files.value::<CpuList>(&format!("{CPUS}/types/{folder}/cpulist")));
        Some(lists.flat_map(|list| list.as_slice().to_vec()).collect::<CpuList>()).filter(|list| !list.is_empty())
    };
    let types: Vec<CpuList> = TYPES.iter().filter_map(|name| of_counters(name).or_else(|| of_folder(name))).collect();
    let of_cpus: Vec<usize> =
        cpus.iter().map(|cpu| types.iter().position(|of_type| of_type.contains(*cpu))).collect::<Option<_>>()?;
    let clocks = values(files, cpus, "cpufreq/cpuinfo_max_freq");
    let mut finer: Vec<(usize, usize)> = of_cpus.iter().map(|kind| (*kind, 0)).collect();
    for kind in 0..types.len() {
        let Some(clocks) = &clocks else { break };
        let members: Vec<usize> = (0..cpus.len()).filter(|at| of_cpus[*at] == kind).collect();
        let of_members: Vec<f64> = members.iter().map(|at| clocks[*at]).collect();
        for (at, group) in members.into_iter().zip(groups(&of_members)) {
            finer[at].1 = group;
        }
    }
    Some(ranks(&finer))
}

/// By the performance that ACPI states. Cores that agree in the nominal one differ in the highest as favoured cores do,
/// by up to a third, and are of one kind.
fn by_cppc(files: &Files, cpus: &[usize]) -> Option<Vec<usize>> {
    let nominal = values(files, cpus, "acpi_cppc/nominal_perf");
    let values = nominal.or_else(|| values(files, cpus, "acpi_cppc/highest_perf"))?;
    Some(groups(&values))
}

/// Values of a file of each CPU, if all have it.
fn values(files: &Files, cpus: &[usize], name: &str) -> Option<Vec<f64>> {
    let value = |cpu: &usize| files.value::<f64>(&format!("{CPUS}/cpu{cpu}/{name}"));
    cpus.iter().map(|cpu| value(cpu).filter(|value| value.is_finite() && *value > 0.0)).collect()
}

/// Number of the group of each value, 0 for that of the largest: a group ends where the next value is much smaller.
fn groups(values: &[f64]) -> Vec<usize> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let ends: Vec<f64> = sorted.windows(2).filter(|pair| pair[1] < SAME_KIND * pair[0]).map(|pair| pair[0]).collect();
    values.iter().map(|value| ends.iter().filter(|end| value < *end).count()).collect()
}

/// Rank of each among those that differ.
fn ranks<T: Ord>(values: &[T]) -> Vec<usize> {
    let distinct: BTreeSet<&T> = values.iter().collect();
    values.iter().map(|value| distinct.iter().position(|other| *other == value).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::files::fake::Tree;
    use super::*;

    fn told(files: &[(&str, &str)], cpus: usize) -> Option<(Vec<usize>, &'static str)> {
        let kinds = read(&Tree::new(files).files(), &(0..cpus).collect::<Vec<_>>());
        kinds.map(|kinds| (kinds.of_cpus, kinds.told_by))
    }

    /// Files of this name of several CPUs.
    fn of_each(name: &str, values: &[&str]) -> Tree {
        let tree = Tree::new(&[]);
        for (cpu, value) in values.iter().enumerate() {
            tree.write(&format!("{CPUS}/cpu{cpu}/{name}"), value);
        }
        tree
    }

    #[test]
    fn types_of_cores_come_first_and_the_clock_refines_them() {
        let types = [("sys/devices/cpu_core/cpus", "0-1"), ("sys/devices/cpu_atom/cpus", "2-4")];
        assert_eq!(told(&types, 5), Some((vec![0, 0, 1, 1, 1], "types of cores")));
        assert_eq!(told(&types, 6), None, "a CPU without a type");
        let tree = of_each("cpufreq/cpuinfo_max_freq", &["5100000", "5000000", "3800000", "3800000", "2500000"]);
        types.iter().for_each(|(path, text)| tree.write(path, text));
        let kinds = read(&tree.files(), &[0, 1, 2, 3, 4]).unwrap();
        assert_eq!((kinds.of_cpus, kinds.told_by), (vec![0, 0, 1, 1, 2], "types of cores"));
        let named = [
            ("sys/devices/system/cpu/types/intel_core_0/cpulist", "1"),
            ("sys/devices/system/cpu/types/intel_atom_0/cpulist", "0"),
        ];
        assert_eq!(told(&named, 2), Some((vec![1, 0], "types of cores")));
    }

    #[test]
    fn performance_levels_count_from_the_fastest() {
        let kinds = |levels: &[usize], count: usize| {
            by_level(levels, &(0..count).collect::<Vec<_>>()).map(|kinds| kinds.of_cpus)
        };
        assert_eq!(kinds(&[2, 3], 5), Some(vec![0, 0, 1, 1, 1]));
        assert_eq!(kinds(&[2, 3], 6), None, "a CPU without a level");
        assert_eq!(kinds(&[8], 8), None);
        assert_eq!(kinds(&[], 4), None);
    }

    #[test]
    fn other_sources_tell_where_there_are_no_types() {
        type Case = (&'static str, &'static [&'static str], Option<(&'static [usize], &'static str)>);
        let cases: [Case; 8] = [
            ("cpu_capacity", &["250", "1024", "800"], Some((&[2, 0, 1], "capacities"))),
            ("cpu_capacity", &["1024", "1024"], None),
            ("acpi_cppc/highest_perf", &["64", "39"], Some((&[0, 1], "ACPI CPPC"))),
            ("acpi_cppc/highest_perf", &["231", "226", "216", "206"], None),
            ("cpufreq/base_frequency", &["2400000", "3200000"], Some((&[1, 0], "base clock"))),
            ("cpufreq/cpuinfo_max_freq", &["5100000", "3900000"], Some((&[0, 1], "highest clock"))),
            ("cpufreq/cpuinfo_max_freq", &["5100000", "4900000"], None),
            ("cpufreq/cpuinfo_max_freq", &["5100000", "0"], None),
        ];
        for (name, values, expected) in cases {
            let cpus: Vec<usize> = (0..values.len()).collect();
            let kinds = read(&of_each(name, values).files(), &cpus);
            let seen = kinds.as_ref().map(|kinds| (&kinds.of_cpus[..], kinds.told_by));
            assert_eq!(seen, expected, "{name} {values:?}");
        }
    }

    #[test]
    fn favoured_cores_are_no_kind() {
        let tree = of_each("acpi_cppc/highest_perf", &["231", "166"]);
        for cpu in 0..2 {
            tree.write(&format!("{CPUS}/cpu{cpu}/acpi_cppc/nominal_perf"), "125");
        }
        assert_eq!(read(&tree.files(), &[0, 1]), None);
    }
}
