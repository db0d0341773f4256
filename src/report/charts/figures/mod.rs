//! Content of charts: one small function a chart, from an analysis to what is drawn. Nothing is computed here that is
//! not in the analysis, but for changes of unit.

pub(crate) mod boards;
pub(crate) mod cluster;
pub(crate) mod comparisons;
mod curves;
pub(crate) mod deepening;
pub(crate) mod depths;
pub(crate) mod micro;
pub(crate) mod parameters;
pub(crate) mod positions;
pub(crate) mod predictions;
pub(crate) mod processors;
pub(crate) mod sizes;
pub(crate) mod speedup;
pub(crate) mod splitting;
pub(crate) mod thesis;
pub(crate) mod torn;
