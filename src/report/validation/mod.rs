//! Findings of a validation: how far the virtual machine is from this computer, on one processor, on several and
//! in single mechanisms. One page for people, one file for others.

mod agreement;
mod calibration;
mod mechanisms;
mod questions;
mod searches;
#[cfg(test)]
mod tests;
mod verdict;

use std::io;

use serde::Serialize;

use super::charts::{self, ChartError, Files};
use super::question::Subject;
use super::{page, terminal};
use crate::record::MachineKind;
use crate::record::contribution::{Part, Point};
use crate::record::validation::Measurements;
use crate::table::csv;

pub(crate) use mechanisms::MechanismRatio;
pub(crate) use searches::{ManyProcessors, OneProcessor};
pub(crate) use verdict::{Judgement, Verdict};

use searches::Searches;

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

/// The measurements with the findings: the file that can be sent to others, and what the page is about.
#[derive(Debug, Serialize)]
pub struct Validated {
    /// Kind of file.
    kind: &'static str,
    /// All that was measured.
    #[serde(flatten)]
    pub measurements: Measurements,
    /// Conclusions.
    pub findings: Validation,
}

impl Validated {
    /// Measurements with what follows from them.
    pub fn of(measurements: Measurements) -> Self {
        Self { kind: "splitpoint validation", findings: Validation::of(&measurements), measurements }
    }

    /// The page, as one file of HTML that needs no other.
    pub fn page(&self) -> Result<String, ChartError> {
        Ok(page::page(self, &self.headline(), &charts::draw(self, Files::default())?, None))
    }

    /// Figures of each strategy, as comma-separated values.
    pub fn csv(&self) -> io::Result<Vec<u8>> {
        csv::write(&agreement::file(self))
    }

    /// What this computer contributes with these features.
    pub fn contributed(&self) -> Part {
        let Measurements { size, model, assumed, coordination, work, .. } = &self.measurements;
        let point = |many: &ManyProcessors| Point {
            strategy: many.strategy.clone(),
            threads: many.threads,
            pairs: many.pairs,
            measured: many.time_speedup.real,
            predicted: many.time_speedup.simulated,
            ratio: many.time_speedup.difference,
            nodes_measured: many.node_ratio.real,
            nodes_predicted: many.node_ratio.simulated,
        };
        Part {
            features: size.features.clone(),
            size: size.clone(),
            model: model.clone(),
            assumed: assumed.clone(),
            coordination: coordination.clone(),
            work: work.clone(),
            alone: self.findings.one_processor.as_ref().map(|one| one.ratio),
            searches: [self.findings.trust.real, self.findings.trust.disturbed],
            points: self.findings.many_processors.iter().map(point).collect(),
        }
    }

    /// All questions with their answers and tables, for a terminal.
    pub fn text(&self) -> String {
        terminal::questions(self)
    }
}

impl Validation {
    /// Findings from these measurements.
    pub fn of(measurements: &Measurements) -> Self {
        let searches = Searches::of(measurements);
        let mechanisms: Vec<_> = measurements.mechanisms.iter().filter_map(MechanismRatio::of).collect();
        Self {
            one_processor: searches.one_processor(),
            many_processors: searches.many_processors(),
            ping_pong_drift: mechanisms::drift(measurements, &mechanisms),
            mechanisms,
            trust: Trust::of(measurements),
        }
    }
}

impl Trust {
    fn of(measurements: &Measurements) -> Self {
        let mut trust = Self::default();
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
