//! Claims about a ratio, in a word each. Differences and equivalences are tested apart, each family with Holm's
//! correction over all configurations of all folders. What is equal in every pair of runs needs no test.

use crate::choices::choices;
use crate::statistics::LEVEL;
use crate::table::number::set_percent;

use super::{Counterparts, Tested};

choices! {
    /// Figure that is compared and tested.
    pub(crate) enum Measure, "measure";
    /// Time to depth.
    Time "time",
    /// Nodes to that depth.
    Nodes "nodes",
}

/// Claim about a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No claim: searches of one folder are copied from the other.
    Copied,
    /// Every run is bit-equal to its partner.
    Identical,
    /// All pairs have the same figure, though not every run is the same.
    Equal,
    /// Less than in the first folder.
    Less {
        /// Whether it differs by no more than the margin.
        is_within_margin: bool,
    },
    /// More than in the first folder.
    More {
        /// Whether it differs by no more than the margin.
        is_within_margin: bool,
    },
    /// Different by no more than the margin.
    Equivalent,
    /// No claim: too many searches were disturbed, or may have been.
    Disturbed,
    /// No claim: there may be a difference or none.
    NoDifferenceShown,
    /// No claim: there are too few runs for a test.
    NotKnown,
}

impl Measure {
    /// The ratio of this figure.
    pub(super) const fn of(self, pair: &Counterparts) -> Tested {
        match self {
            Self::Time => pair.time,
            Self::Nodes => pair.nodes,
        }
    }
}

impl Verdict {
    /// Verdict on a ratio with these adjusted probabilities.
    pub(super) fn of(ratio: f64, p: Option<f64>, p_equivalence: Option<f64>) -> Self {
        let is_shown = |p: f64| p < 1.0 - LEVEL;
        let is_within_margin = p_equivalence.is_some_and(is_shown);
        match p {
            None => Self::NotKnown,
            Some(p) if is_shown(p) && ratio < 1.0 => Self::Less { is_within_margin },
            Some(p) if is_shown(p) => Self::More { is_within_margin },
            Some(_) if is_within_margin => Self::Equivalent,
            Some(_) => Self::NoDifferenceShown,
        }
    }

    /// Whether a difference, if there is one, is shown to be within the margin; nothing where nothing is claimed.
    pub(super) const fn is_within_margin(self) -> Option<bool> {
        match self {
            Self::Identical | Self::Equal | Self::Equivalent => Some(true),
            Self::Less { is_within_margin } | Self::More { is_within_margin } => Some(is_within_margin),
            Self::NoDifferenceShown => Some(false),
            Self::Copied | Self::Disturbed | Self::NotKnown => None,
        }
    }

    /// Name in files, which does not change.
    pub(crate) const fn name(self, measure: Measure) -> &'static str {
        match (self, measure) {
            (Self::Copied, _) => "copied",
            (Self::Identical, _) => "identical",
            (Self::Equal, _) => "equal",
            (Self::Less { .. }, Measure::Time) => "faster",
            (Self::Less { .. }, Measure::Nodes) => "fewer",
            (Self::More { .. }, Measure::Time) => "slower",
            (Self::More { .. }, Measure::Nodes) => "more",
            (Self::Equivalent, _) => "equivalent",
            (Self::Disturbed, _) => "disturbed",
            (Self::NoDifferenceShown, _) => "no difference shown",
            (Self::NotKnown, _) => "not known",
        }
    }

    /// Verdict for a reader, with the margin as a share.
    pub(crate) fn in_words(self, measure: Measure, margin: f64) -> String {
        let name = self.name(measure);
        let margin = set_percent(margin);
        match self {
            Self::Less { is_within_margin: true } | Self::More { is_within_margin: true } => {
                format!("{name}, within {margin}")
            }
            Self::Equivalent => format!("{name} within {margin}"),
            Self::Equal => "equal in all pairs".to_owned(),
            Self::NotKnown => "too few runs to tell".to_owned(),
            Self::Copied => "copied, not tested".to_owned(),
            Self::Disturbed => "not comparable: disturbed".to_owned(),
            _ => name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        let cases = [
            (0.9, None, None, "not known"),
            (0.9, Some(0.04), Some(0.9), "faster"),
            (1.1, Some(0.04), None, "slower"),
            (1.01, Some(0.001), Some(0.001), "slower, within 5 %"),
            (1.01, Some(0.3), Some(0.049), "equivalent within 5 %"),
            (1.01, Some(0.051), Some(0.051), "no difference shown"),
        ];
        for (ratio, p, p_equivalence, expected) in cases {
            let verdict = Verdict::of(ratio, p, p_equivalence);
            let words = if verdict == Verdict::NotKnown {
                verdict.name(Measure::Time).to_owned()
            } else {
                verdict.in_words(Measure::Time, 0.05)
            };
            assert_eq!(words, expected);
        }
        assert_eq!(Verdict::of(1.2, Some(0.0), None).name(Measure::Nodes), "more");
    }
}
