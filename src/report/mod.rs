//! Reports: from a journal to tables, charts and a page. This module reads files only: a report can be made again years
//! later without the engine.
//!
//! Records become an `analysis`, where every figure is computed once; the analysis answers `questions`; page,
//! terminal, Markdown and CSV files are made of their answers. The `headline` is what a reader sees first.

pub(crate) mod analysis;
mod beside;
pub mod charts;
pub(crate) mod compare;
pub(crate) mod games;
mod headline;
mod make;
pub(crate) mod page;
mod published;
pub(crate) mod questions;
pub(crate) mod sufficiency;
pub(crate) mod tables;
mod terminal;
pub mod validation;

pub(crate) use make::{Made, ReportError, Wishes, make};

/// Figures that questions and charts are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// Our figures.
    pub analysis: &'a analysis::Analysis,
    /// Figures of others.
    pub published: &'a published::Published,
}
