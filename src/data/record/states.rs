//! States of a record: whether the limit cut its search off, and whether the computer was quiet meanwhile.

use super::cell::MachineKind;
use super::result::{CellResult, Measured, Quietness, Record};

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
        let Measured { time_ns, depth: reached, .. } = self.cut()?;
        let (limit_s, depth) = (*time_ns as f64 * 1e-9, self.cell.depth.unwrap_or_default());
        Some(format!("it was cut off after {limit_s} s at depth {reached}, before depth {depth}"))
    }

    /// Time in nanoseconds that the search would have exceeded if the limit had not cut it off.
    pub fn exceeds_ns(&self) -> Option<u64> {
        Some(self.cut()?.time_ns)
    }

    /// Whether the search ran on a real machine.
    pub fn is_real(&self) -> bool {
        self.cell.configuration.machine == MachineKind::Real
    }

    /// Quietness of the computer while the cell was measured. Nothing can disturb a virtual machine.
    pub fn quietness(&self) -> Quietness {
        match &self.surroundings {
            Some(around) => around.state,
            None if self.is_real() => Quietness::Unknown,
            None => Quietness::Quiet,
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

    /// Share of the processor time that the search wanted which was taken away. Nothing where threads of our own would
    /// be in it.
    pub fn taken_share(&self) -> Option<f64> {
        self.surroundings.as_ref()?.taken_share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_that_were_cut_off_say_where() {
        let record = |result: &str| -> Record {
            let cell = r#"{"depth": 9}"#;
            serde_json::from_str(&format!(r#"{{"index": 0, "cell": {cell}, "result": {result}}}"#)).unwrap()
        };
        let cut = "it was cut off after 0.02 s at depth 7, before depth 9";
        for (result, exceeds_ns, words) in [
            (r#"{"cut": {"time_ns": 20000000, "depth": 7}}"#, Some(20_000_000), Some(cut)),
            (r#"{"done": {"time_ns": 5}}"#, None, None),
            (r#"{"failed": "the limit of memory was reached"}"#, None, None),
        ] {
            let record = record(result);
            assert_eq!((record.exceeds_ns(), record.cut_in_words().as_deref()), (exceeds_ns, words), "{result}");
            assert_eq!(record.measured().is_some(), result.contains("done"), "{result}");
        }
    }

    #[test]
    fn real_computers_are_quiet_only_where_that_is_known() {
        let record = |machine: &str, surroundings: &str| -> Record {
            serde_json::from_str(&format!(
                r#"{{"index": 0, "cell": {{"configuration": {{"machine": "{machine}"}}}},
                    "surroundings": {surroundings},
                    "result": {{"done": {{"time_ns": 5}}}}}}"#
            ))
            .unwrap()
        };
        for (machine, surroundings, state, share) in [
            ("real", "null", Quietness::Unknown, None),
            ("virtual", "null", Quietness::Quiet, None),
            ("real", "{}", Quietness::Unknown, None),
            ("real", r#"{"state": "quiet", "taken_share": 0.002}"#, Quietness::Quiet, Some(0.002)),
            ("real", r#"{"state": "disturbed", "disturbed": ["a lorry"]}"#, Quietness::Disturbed, None),
        ] {
            let record = record(machine, surroundings);
            assert_eq!((record.quietness(), record.taken_share()), (state, share), "{machine} {surroundings}");
            assert_eq!(record.is_quiet(), state == Quietness::Quiet, "{surroundings}");
        }
    }
}
