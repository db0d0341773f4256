//! From a journal to tables, charts and a page. This room reads files only: a report can be made again years later without
//! the engine.

pub(crate) mod analysis;
pub mod charts;
pub(crate) mod compare;
mod make;
pub mod page;
pub(crate) mod published;
pub(crate) mod sufficiency;
pub mod tables;
pub mod validation;

pub use make::{Made, ReportError, make};
