//! Findings of a validation: how far the virtual machine is from this computer, on one processor, on several and
//! in single mechanisms, and which of its costs that depends on. One page for people, one file for others.

mod agreement;
mod chart;
mod mechanisms;
mod page;
mod sensitivity;
mod summary;
#[cfg(test)]
mod tests;
mod verdict;

use serde::Serialize;
use serde_json::Value;

use crate::record::MachineKind;
use crate::record::validation::Measurements;

pub(crate) use agreement::{ManyProcessors, OneProcessor};
pub(crate) use mechanisms::MechanismRatio;
pub use page::page;
pub(crate) use sensitivity::CostEffect;
pub(crate) use summary::{paragraphs, summary};

use agreement::Searches;

/// Findings from the measurements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// One processor, real and virtual.
    pub one_processor: Option<OneProcessor>,
    /// Several, real and virtual; nothing where there is only one real one.
    pub many_processors: Vec<ManyProcessors>,
    /// Single mechanisms, real and virtual; nothing where there is only one real processor.
    pub mechanisms: Vec<MechanismRatio>,
    /// Time of a ping-pong in the micro-program by that in the calibration.
    pub ping_pong_drift: Option<f64>,
    /// Effect of each changed cost on the time speedup.
    pub costs: Vec<CostEffect>,
    /// Quality of the records.
    pub trust: Trust,
}

/// Quality of the records.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Trust {
    /// Real searches that were measured, repeated ones among them.
    pub real: usize,
    /// Real searches that something disturbed.
    pub disturbed: usize,
    /// Virtual searches that were measured.
    #[serde(rename = "virtual")]
    pub simulated: usize,
    /// Searches that failed, with the reason.
    pub failed: Vec<String>,
}

/// Contents of the file: the measurements and the findings.
#[derive(Serialize)]
struct File<'a> {
    /// Kind of file.
    kind: &'static str,
    #[serde(flatten)]
    measurements: &'a Measurements,
    findings: &'a Validation,
}

impl Validation {
    /// Findings from these measurements.
    pub fn of(measurements: &Measurements) -> Self {
        let searches = Searches::of(measurements);
        let mechanisms = mechanisms::ratios(measurements);
        Self {
            one_processor: searches.one_processor(),
            many_processors: searches.many_processors(&measurements.processors),
            ping_pong_drift: mechanisms::drift(measurements, &mechanisms),
            mechanisms,
            costs: sensitivity::cost_effects(measurements, &searches),
            trust: Trust::of(measurements),
        }
    }
}

impl Trust {
    fn of(measurements: &Measurements) -> Self {
        let mut trust = Self { failed: measurements.cost_failures.clone(), ..Self::default() };
        trust.simulated = measurements.cost_runs.len();
        for record in &measurements.records {
            match (record.failure(), record.cell.configuration.machine) {
                (Some(reason), _) => trust.failed.push(format!("{}: {reason}", record.cell.position)),
                (_, MachineKind::Virtual) => trust.simulated += 1,
                (_, MachineKind::Real) => {
                    trust.real += 1;
                    trust.disturbed += usize::from(record.is_disturbed());
                }
            }
        }
        trust
    }
}

/// The file that can be sent to others, as JSON.
pub(crate) fn file(measurements: &Measurements, validation: &Validation) -> Value {
    let file = File { kind: "splitpoint validation", measurements, findings: validation };
    serde_json::to_value(&file).unwrap_or(Value::Null)
}
