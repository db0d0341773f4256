//! Reasons for which charts cannot be drawn.

/// Reason for which charts cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// Name that no chart has.
    #[error("'{0}' is not a chart")]
    Unknown(String),
    /// Chart that was asked for, and for which the folder has no figures.
    #[error("the folder has no figures for the chart '{0}'")]
    NoFigures(String),
    /// Failure of the drawing library.
    #[error("cannot draw a chart: {0}")]
    Drawing(String),
    /// Font within this program that is damaged.
    #[error("cannot draw a chart: the font within this program cannot be read")]
    Font,
    /// Chart whose drawing panicked.
    #[error("the chart '{0}' could not be drawn, which is a bug of this program; all else was written")]
    Panic(String),
    /// Bytes that cannot be compressed.
    #[error("cannot write a chart: {0}")]
    Png(#[from] png::EncodingError),
}
