//! Statistics of measurements. This room knows numbers only.

mod interval;

pub use interval::{Interval, LEVEL};
