//! States of a record: whether the limit cut its search off, and whether the computer was quiet meanwhile. Journals
//! from before these were kept tell them in other ways.

use super::cell::MachineKind;
use super::quietness::Account;
use super::result::{CellResult, Measured, OVERSUBSCRIBED, Quietness, Record};

/// Words around the limit that cut a search off.
const LIMIT_OF: &str = "the limit of ";
const AT_DEPTH: &str = " s was reached at depth ";

/// Outcome of an attempt at a cell, the least useful first: of several attempts the last of the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Cell that could not be measured.
    Failed,
    /// Search that a limit cut off before it had reached its depth.
    Cut,
    /// Measured cell, disturbed by something.
    Disturbed,
    /// Measured cell of which nobody knows whether anything disturbed it.
    Unknown,
    /// Measured cell, disturbed by nothing.
    Quiet,
}

impl Record {
    /// Outcome of this attempt at the cell.
    pub fn state(&self) -> State {
        match (&self.result, self.quietness()) {
            (CellResult::Failed(_), _) => State::Failed,
            (CellResult::Cut(_), _) => State::Cut,
            (CellResult::Micro(_), _) | (CellResult::Done(_), Quietness::Quiet) => State::Quiet,
            (CellResult::Done(_), Quietness::Disturbed) => State::Disturbed,
            (CellResult::Done(_), Quietness::Unknown) => State::Unknown,
        }
    }

    /// Measurement up to the moment at which the limit cut the search off, if it did.
    pub fn cut(&self) -> Option<&Measured> {
        if let CellResult::Cut(measured) = &self.result { Some(measured) } else { None }
    }

    /// Words for the end that the limit made of a search, if it did.
    pub fn cut_in_words(&self) -> Option<String> {
        let (limit_ns, depth) = (self.exceeds_ns()?, self.cell.depth.unwrap_or_default());
        Some(match self.cut() {
            Some(Measured { depth: reached, .. }) => {
                let limit_s = limit_ns as f64 * 1e-9;
                format!("it was cut off after {limit_s} s at depth {reached}, before depth {depth}")
            }
            None => self.failure().unwrap_or_default().to_owned(),
        })
    }

    /// Time in nanoseconds that the search would have exceeded if the limit had not cut it off. Journals from before
    /// such records had a kind of their own tell it as a reason of failure.
    pub fn exceeds_ns(&self) -> Option<u64> {
        match &self.result {
            CellResult::Done(_) | CellResult::Micro(_) => None,
            CellResult::Cut(measured) => Some(measured.time_ns),
            CellResult::Failed(reason) => {
                let limit = reason.strip_prefix(LIMIT_OF)?.split_once(AT_DEPTH)?.0;
                Some((limit.parse::<f64>().ok()? * 1e9) as u64)
            }
        }
    }

    /// Whether the search ran on a real machine.
    pub fn is_real(&self) -> bool {
        self.cell.configuration.machine == MachineKind::Real
    }

    /// Quietness of the computer while the cell was measured. Nothing can disturb a virtual machine.
    pub fn quietness(&self) -> Quietness {
        let Some(around) = &self.surroundings else {
            return if self.is_real() { Quietness::Unknown } else { Quietness::Quiet };
        };
        match around.state {
            Some(state) => state,
            None if !around.disturbed.is_empty() => Quietness::Disturbed,
            None if self.taken_share().is_some() || around.others_cpus.is_some() => Quietness::Quiet,
            None => Quietness::Unknown,
        }
    }

    /// Whether the cell was measured while the computer was known to be quiet.
    pub fn is_quiet(&self) -> bool {
        self.measured().is_some() && self.quietness() == Quietness::Quiet
    }

    /// Whether something was seen to disturb the measurement.
    pub fn is_disturbed(&self) -> bool {
        self.quietness() == Quietness::Disturbed
    }

    /// Share of the processor time that the search wanted which was taken away; worked out from the watches of its
    /// workers in a journal that does not tell it. Nothing where threads of our own would be in it.
    pub fn taken_share(&self) -> Option<f64> {
        let around = self.surroundings.as_ref()?;
        if around.state.is_some() {
            return around.taken_share;
        }
        let is_told = self.cell.configuration.disturb.is_none()
            && !around.disturbed.iter().any(|reason| reason == OVERSUBSCRIBED);
        let workers = &self.result.figures().filter(|_| is_told)?.workers;
        let watches = workers.iter().map(|worker| worker.watch.as_ref());
        Account::of(watches, around.steal_share, 0).filter(Account::is_resolved).map(|account| account.share())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_that_were_cut_off_are_known_in_old_journals_too() {
        let record = |result: &str| -> Record {
            let cell = r#"{"depth": 9}"#;
            serde_json::from_str(&format!(r#"{{"index": 0, "cell": {cell}, "result": {result}}}"#)).unwrap()
        };
        let old = "the limit of 0.02 s was reached at depth 7, before depth 9";
        let cut = "it was cut off after 0.02 s at depth 7, before depth 9";
        for (result, exceeds_ns, words) in [
            (format!(r#"{{"failed": "{old}"}}"#), Some(20_000_000), Some(old)),
            (r#"{"cut": {"time_ns": 20000000, "depth": 7}}"#.to_owned(), Some(20_000_000), Some(cut)),
            (r#"{"done": {"time_ns": 5}}"#.to_owned(), None, None),
            (r#"{"failed": "the limit of memory was reached"}"#.to_owned(), None, None),
        ] {
            let record = record(&result);
            assert_eq!((record.exceeds_ns(), record.cut_in_words().as_deref()), (exceeds_ns, words), "{result}");
            assert_eq!(record.measured().is_some(), result.contains("done"), "{result}");
        }
    }

    /// A verdict that a journal holds stands; one from before there were three states is told from what it holds.
    #[test]
    fn old_journals_have_a_state_and_a_share() {
        let surroundings = |json: &str, cpu_ns: u64, disturb: &str| -> Record {
            let watch = format!(r#"{{"wall_ns": 1000000000, "cpu_ns": {cpu_ns}, "voluntary_switches": 0}}"#);
            let configuration = format!(r#"{{"machine": "real", "disturb": "{disturb}"}}"#);
            serde_json::from_str(&format!(
                r#"{{"index": 0, "cell": {{"configuration": {configuration}}}, "surroundings": {json},
                    "result": {{"done": {{"workers": [{{"watch": {watch}}}]}}}}}}"#
            ))
            .unwrap()
        };
        for (json, cpu_ns, disturb, state, share) in [
            ("null", 1_000_000_000, "none", Quietness::Unknown, None),
            ("{}", 1_000_000_000, "none", Quietness::Quiet, Some(0.0)),
            ("{}", 998_000_000, "none", Quietness::Quiet, Some(0.002)),
            (r#"{"disturbed": ["a lorry"]}"#, 998_000_000, "none", Quietness::Disturbed, Some(0.002)),
            (r#"{"others_cpus": 0.1}"#, 500_000_000, "1 of 2", Quietness::Quiet, None),
            ("{}", 500_000_000, "1 of 2", Quietness::Unknown, None),
            (r#"{"state": "unknown", "taken_share": 0.5}"#, 0, "none", Quietness::Unknown, Some(0.5)),
        ] {
            let record = surroundings(json, cpu_ns, disturb);
            assert_eq!((record.quietness(), record.taken_share()), (state, share), "{json} {cpu_ns} {disturb}");
            assert_eq!(record.is_quiet(), state == Quietness::Quiet, "{json}");
        }
    }
}
