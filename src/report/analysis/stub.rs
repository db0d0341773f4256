use crate::statistics::{Contrast, Interval};
pub fn holm(p: &[Option<f64>]) -> Vec<Option<f64>> {
    p.to_vec()
}
pub mod amdahl {
    use super::*;
    pub fn fit(_: &[(f64, f64)]) -> Option<Interval> {
        None
    }
}
pub mod factorial {
    use super::*;
    pub fn effects(_: &[Vec<bool>], _: &[Vec<Vec<f64>>]) -> Vec<Option<Contrast>> {
        vec![]
    }
}
