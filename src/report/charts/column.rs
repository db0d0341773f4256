//! Column of a paper that a chart is drawn for. The size of text is fixed by what can be read in print; so a narrow
//! chart is another drawing, not a smaller copy.

pub(crate) use crate::record::Column;

impl Column {
    /// Width of a drawing, in units.
    pub(super) fn units(self) -> f64 {
        match self {
            Self::Single => 500.0,
            Self::Double => 875.0,
        }
    }

    /// Width of a drawing in print, in millimetres. With 16 units, small text has 7.7 points in a single column and 9.1
    /// across two.
    pub(super) fn millimetres(self) -> f64 {
        match self {
            Self::Single => 85.0,
            Self::Double => 175.0,
        }
    }
}
