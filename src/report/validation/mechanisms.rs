//! Single mechanisms, real and virtual, as the micro-programs show them.

use serde::Serialize;

use super::searches::of_these_runs;
use super::{Validated, Validation};
use crate::record::validation::{Measurements, Mechanism, MechanismTimes};
use crate::statistics::{Interval, mean};
use crate::table::number::{figure, fixed};
use crate::table::{Columns, Table};

/// Factor by which the time of a ping-pong may change before it is told.
const DRIFTED: f64 = 1.3;

/// Factor by which the time of a mechanism may be off and yet be called close: prices are whole nanoseconds, and one of
/// them serves several kinds of access.
const CLOSE: f64 = 1.25;

/// Times of a mechanism on both machines, and how far they are apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MechanismRatio {
    /// Mechanism that the micro-program consists of.
    pub mechanism: Mechanism,
    /// Number of processors.
    pub processors: u32,
    /// Number of batches, each on both machines.
    pub batches: usize,
    /// Nanoseconds of an operation on real processors: geometric mean over batches.
    pub real_ns: f64,
    /// Nanoseconds of an operation on virtual processors: geometric mean over batches.
    pub virtual_ns: f64,
    /// Virtual by real time, with its interval over batches.
    pub ratio: Interval,
    /// Whether a price is fitted to just this, so that the ratio is 1 by construction.
    pub is_fitted: bool,
}

impl MechanismRatio {
    /// Ratio of these times; nothing if there are none.
    pub fn of(times: &MechanismTimes) -> Option<Self> {
        let both =
            times.real.iter().zip(&times.simulated).filter(|(real, simulated)| **real > 0.0 && **simulated > 0.0);
        let (real, simulated): (Vec<f64>, Vec<f64>) = both.map(|(real, simulated)| (real.ln(), simulated.ln())).unzip();
        let differences: Vec<f64> = simulated.iter().zip(&real).map(|(simulated, real)| simulated - real).collect();
        Some(Self {
            mechanism: times.mechanism,
            processors: times.processors,
            batches: real.len(),
            real_ns: mean(&real)?.exp(),
            virtual_ns: mean(&simulated)?.exp(),
            ratio: of_these_runs(&differences)?,
            is_fitted: times.mechanism.is_fitted(),
        })
    }

    /// Factor by which the times differ, either way, as a logarithm.
    fn distance(&self) -> f64 {
        self.ratio.estimate.ln().abs()
    }
}

/// Time of a ping-pong in the micro-program by that in the calibration, between the same processors. If it is not about
/// 1, the computer has changed meanwhile.
pub fn drift(measurements: &Measurements, ratios: &[MechanismRatio]) -> Option<f64> {
    let calibrated = measurements.coordination.pointer("/pairs/0/ping_pong/low")?.as_f64()?;
    let now = ratios.iter().find(|ratio| ratio.mechanism == Mechanism::PingPong)?;
    (calibrated > 0.0).then(|| now.real_ns / calibrated)
}

/// Mechanisms as a table for terminal and page.
pub(super) fn table(validated: &Validated) -> Table {
    Columns::new()
        .with("Mechanism", "", |row: &&MechanismRatio| row.mechanism.name())
        .with("Processors", "On both machines", |row| row.processors)
        .with("Real ns", "Nanoseconds per operation on this computer", |row| figure(row.real_ns))
        .with("Virtual ns", "Nanoseconds per operation on the virtual machine", |row| figure(row.virtual_ns))
        .with("Virtual / real", "Ratio, with its interval over batches", |row| row.ratio)
        .with("Basis", "Whether the virtual time is fitted or predicted", |row| {
            if row.is_fitted { "fitted" } else { "predicted" }
        })
        .table("", "", &validated.findings.mechanisms)
}

/// Findings on mechanisms in a few sentences.
pub(super) fn sentence(findings: &Validation) -> String {
    let predicted = || findings.mechanisms.iter().filter(|ratio| !ratio.is_fitted);
    let Some(farthest) = predicted().max_by(|a, b| a.distance().total_cmp(&b.distance())) else {
        return "Single mechanisms could not be compared: that needs at least two processors which this process may use."
            .to_owned();
    };
    let mut text = format!(
        "Of {} single mechanisms that the model predicts, {} take a virtual time within a factor of {CLOSE} of the \
         real time; the farthest is '{}', with {} times the real time.",
        predicted().count(),
        predicted().filter(|ratio| ratio.distance() <= CLOSE.ln()).count(),
        farthest.mechanism,
        fixed(farthest.ratio.estimate, 2)
    );
    if let Some(drift) = findings.ping_pong_drift.filter(|drift| drift.ln().abs() > DRIFTED.ln()) {
        text += &format!(
            " This computer changed during the run: a ping-pong between processors took {} times as long as during \
             calibration, so that the ratios say little. This happens when the host moves a virtual computer to other \
             processors.",
            fixed(drift, 2)
        );
    }
    text
}
