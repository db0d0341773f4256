//! Hits of the table that torn entries cost. With audit each word of the table is stamped with its writer, so that a
//! probe knows an entry whose words are of two stores. If the check rejects it, it can have cost one hit: it may have
//! been the entry of the position that is looked for, and may as well have been another's. If the check accepts it, the
//! probe is a hit on a score that nobody found.

use crate::statistics::{Contrast, Interval};

use super::grouping::{Gathered, Run};
use super::scope::Holds;

/// Torn entries that the searches of a configuration met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torn {
    /// Number of hits: probes that found the position.
    pub hits: u64,
    /// Torn entries for each hit, where entries were rejected: the share of hits that they can have cost at most.
    pub rejected: Interval,
    /// Share of the hits that are torn entries which the check accepted.
    pub accepted: Interval,
}

impl Torn {
    /// Whether any torn entry was met.
    pub fn is_any(&self) -> bool {
        self.rejected.estimate > 0.0 || self.accepted.estimate > 0.0
    }

    /// The shares, rejected and accepted.
    pub fn shares(&self) -> [Interval; 2] {
        [self.rejected, self.accepted]
    }
}

/// Torn entries of a group with audit, as arithmetic means over positions; nothing without audit or hits.
pub(super) fn torn(group: &Gathered<'_>, holds: Holds) -> Option<Torn> {
    if !group.configuration.audit {
        return None;
    }
    let hits = group.all().filter_map(|run| run.measured.count("found")).sum();
    let rejected = share(group, holds, |run| {
        let [torn, found] = run.measured.counts(["torn_rejected", "found"])?;
        Some([torn, torn + found])
    });
    let accepted = share(group, holds, |run| run.measured.counts(["torn_accepted", "found"]));
    Some(Torn { hits, rejected: rejected?, accepted: accepted? })
}

/// Mean share with its interval, whose lower end is no share below zero. Events that never came have no interval: their
/// spread is not known.
fn share<'a>(group: &Gathered<'a>, holds: Holds, parts: impl Fn(Run<'a>) -> Option<[u64; 2]>) -> Option<Interval> {
    let of_run = |run: Run<'a>| {
        let [part, whole] = parts(run)?;
        (whole > 0).then(|| part as f64 / whole as f64)
    };
    let contrast: Contrast = group.mean(of_run)?;
    let interval = holds.interval(&contrast);
    Some(match interval.estimate > 0.0 {
        true => Interval { low: interval.low.max(0.0), ..interval },
        false => Interval::unknown(0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Analysis;
    use super::super::samples::{measured, one_against_four};
    use crate::record::{Configuration, NamedCounts, Record};
    use crate::statistics::Interval;
    use serde_json::json;

    /// Searches on four processors: 10 torn entries are rejected beside 990 hits at the first position and 30 beside
    /// 970 at the second: at most 1 and 3 hundredths of the hits. None is accepted.
    #[test]
    fn rejected_entries_are_hits_that_may_be_lost() {
        let (description, records) = one_against_four();
        let audited = |record: &Record| {
            let mut record = record.clone();
            let configuration = Configuration { audit: true, ..(*record.cell.configuration).clone() };
            record.cell.configuration = configuration.into();
            let torn = if record.cell.position == records[0].cell.position { 10 } else { 30 };
            let counts = json!({ "found": 1000 - torn, "torn_rejected": torn, "torn_accepted": 0 });
            measured(&mut record).counters = NamedCounts::of(counts);
            record
        };
        let of = |records: &[Record]| Analysis::of(description.clone(), records).groups[1].torn;
        let torn = of(&records.iter().map(audited).collect::<Vec<_>>()).unwrap();
        assert!((torn.rejected.estimate - 0.02).abs() < 1e-12 && torn.rejected.is_known(), "{torn:?}");
        assert!(torn.accepted.estimate == 0.0 && !torn.accepted.is_known() && torn.is_any(), "{torn:?}");
        assert_eq!(torn.hits % 10, 0, "{torn:?}");
        assert!(Interval::unknown(0.0).low.is_nan());
        assert_eq!(of(&records), None, "without audit nobody knows");
    }
}
