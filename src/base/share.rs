//! Least size of a search that several processors can share. Waking, splitting and waiting take time that does not
//! depend on the size of a search, so that of a small one they leave little to gain.

/// Seconds of one processor, for each that searches, below which a search is too small for so many. Searches of the
/// thesis reached half of the ideal speedup on 16 processors at 0.12 s of one processor, on 32 at 0.8 s and on 64
/// beyond 2.9 s: at 8 to 45 ms for each of them.
const SMALLEST_SHARE_S: f64 = 0.02;

/// Seconds of one processor that a search must take at least to be shared by so many.
pub fn smallest_s(processors: u32) -> f64 {
    SMALLEST_SHARE_S * f64::from(processors)
}

/// Whether a search that takes one processor this many seconds is too small for so many.
pub fn is_too_small(one_s: f64, processors: u32) -> bool {
    processors > 1 && one_s < smallest_s(processors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_processor_needs_its_share() {
        assert!(is_too_small(0.2, 64) && is_too_small(1.27, 64) && !is_too_small(1.29, 64));
        assert!(!is_too_small(0.001, 1) && !is_too_small(f64::NAN, 2));
    }
}
