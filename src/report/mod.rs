//! Reports: from a journal to tables, charts and a page. This room reads files only: a report can be made again years
//! later without the engine.

pub(crate) mod analysis;
mod beside;
pub mod charts;
pub(crate) mod compare;
pub(crate) mod games;
mod make;
pub(crate) mod page;
mod published;
pub(crate) mod sufficiency;
pub(crate) mod tables;
pub mod validation;

pub(crate) use make::{Made, ReportError, Wishes, make};
