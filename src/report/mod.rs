//! From a journal to tables, charts and a page. This room reads files only: a report can be made again years later without
//! the engine.

pub mod analysis;
pub mod charts;
pub mod compare;
mod make;
pub mod page;
pub mod published;
pub mod sufficiency;
pub mod tables;
pub mod validation;

pub use make::{Made, ReportError, make};
