//! Parallelism of the trees of one virtual processor: their time divided by their span, by several rules of sharing.

use std::sync::LazyLock;

use crate::counts::{Counters, phrase};
use crate::record::{Configuration, MachineKind};
use crate::statistics::Interval;

use super::grouping::Gathered;
use super::scope::Holds;

/// Rule of what waits for what at a node, with the names of its span and of the parallelism by it.
pub(crate) struct Sharing {
    /// Count of the span of a tree.
    pub count: &'static str,
    /// Column of the parallelism.
    pub column: String,
    pub meaning: String,
}

/// All rules for which spans are counted, in the order of the register.
pub(crate) static RULES: LazyLock<Vec<Sharing>> = LazyLock::new(|| {
    let rule = |&(count, meaning): &(&'static str, &str)| {
        let rest = count.strip_prefix("span")?.strip_suffix("_ns")?;
        let meaning = format!("time of one virtual processor / {}", phrase(meaning));
        Some(Sharing { count, column: format!("parallelism{rest}"), meaning })
    };
    Counters::ALL.iter().filter_map(rule).collect()
});

/// Place among the rules of Young Brothers Wait, and of the weakest that waits for anything.
pub(crate) const BY_YBWC: usize = 0;
pub(crate) const OPEN: usize = 3;

/// Parallelism of a group by each rule: geometric means. None if its records do not tell it at all positions; only
/// those of one virtual processor do.
pub(super) fn parallelism(group: &Gathered<'_>, holds: Holds) -> Option<Vec<Interval>> {
    let Configuration { machine, threads, .. } = group.configuration;
    if (*machine, *threads) != (MachineKind::Virtual, 1) {
        return None;
    }
    let mean = |rule: &Sharing| {
        Some(holds.ratio(&group.mean_of_all(|run| run.measured.parallelism(rule.count).map(f64::ln))?))
    };
    RULES.iter().map(mean).collect()
}

/// Time speedup that any schedule reaches which leaves no processor without work while there is some: the span, and the
/// rest of the work shared among all (Brent 1974).
pub(crate) fn greedy(parallelism: f64, processors: f64) -> f64 {
    let span = 1.0 / parallelism;
    1.0 / (span + (1.0 - span) / processors)
}

#[cfg(test)]
mod tests {
    use super::super::Analysis;
    use super::super::samples::{measured, one_against_four};
    use super::*;

    /// Searches of 8, 2, 16 and 4 s whose spans are 2, 1, 4 and 2 s by each rule.
    #[test]
    fn parallelism_is_time_by_span() {
        let (description, mut records) = one_against_four();
        for (record, span_s) in records[..4].iter_mut().zip([2_i64, 1, 4, 2]) {
            let counts: std::collections::HashMap<&str, i64> =
                RULES.iter().map(|rule| (rule.count, span_s * 1_000_000_000)).collect();
            measured(record).counters = crate::record::NamedCounts::of(counts);
        }
        let analysis = Analysis::of(description, &records);
        let found = analysis.groups[0].parallelism.as_ref().unwrap();
        assert!(found.iter().all(|all| (all.estimate - 8_f64.sqrt()).abs() < 1e-9), "{found:?}");
        assert_eq!((found.len(), &analysis.groups[1].parallelism), (RULES.len(), &None));
        assert_eq!((RULES[BY_YBWC].column.as_str(), RULES[OPEN].column.as_str()), ("parallelism", "parallelism_open"));
        assert_eq!([1.0, 2.0, f64::INFINITY].map(|n| greedy(4.0, n)), [1.0, 1.6, 4.0]);
    }
}
