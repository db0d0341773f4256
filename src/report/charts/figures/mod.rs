//! Content of charts: one small function a chart, from an analysis to what is drawn. Nothing is computed here that is
//! not in the analysis, but for changes of unit.

pub(in crate::report) mod comparisons;
mod curves;
pub(in crate::report) mod deepening;
pub(in crate::report) mod depths;
pub(in crate::report) mod micro;
pub(in crate::report) mod parameters;
pub(in crate::report) mod positions;
pub(in crate::report) mod predictions;
pub(in crate::report) mod processors;
pub(in crate::report) mod sizes;
pub(in crate::report) mod speedup;
pub(in crate::report) mod splitting;
pub(in crate::report) mod thesis;
