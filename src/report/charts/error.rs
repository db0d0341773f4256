//! Reasons for which charts cannot be drawn.

/// Reason for which charts cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// Name that no chart has.
    #[error("'{0}' is not a chart")]
    Unknown(String),
    /// Failure of the drawing library.
    #[error("cannot draw a chart: {0}")]
    Drawing(String),
    /// Bytes that cannot be compressed.
    #[error("cannot write a chart: {0}")]
    Png(#[from] png::EncodingError),
}
