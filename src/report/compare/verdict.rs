//! Claims about a ratio, in a word each. Differences and equivalences are tested apart, each family with Holm's
//! correction over all configurations of all folders. What is equal in every pair of runs needs no test.

use crate::choices::choices;
use crate::statistics::Test;
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

choices! {
    /// Claim about a ratio.
    pub(crate) enum Verdict, "verdict";
    /// No claim: searches of one folder are copied from the other.
    Copied "copied",
    /// Every run is bit-equal to its partner.
    Identical "identical",
    /// All pairs have the same figure, though not every run is the same.
    Equal "equal",
    /// Less than in the first folder.
    Less "less",
    /// More than in the first folder.
    More "more",
    /// Different by no more than the margin.
    Equivalent "equivalent",
    /// No claim: too many searches were disturbed, or may have been.
    Disturbed "disturbed",
    /// No claim: there may be a difference or none.
    NoDifferenceShown "no difference shown",
    /// No claim: there are too few runs for a test.
    NotKnown "not known",
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
    /// Verdict on a ratio by these tests.
    pub(super) fn of(ratio: f64, test: Option<Test>, equivalence: Option<Test>) -> Self {
        match test {
            None => Self::NotKnown,
            Some(test) if test.is_shown() && ratio < 1.0 => Self::Less,
            Some(test) if test.is_shown() => Self::More,
            Some(_) if equivalence.is_some_and(Test::is_shown) => Self::Equivalent,
            Some(_) => Self::NoDifferenceShown,
        }
    }

    /// Name in files, which does not change.
    pub(crate) const fn named(self, measure: Measure) -> &'static str {
        match (self, measure) {
            (Self::Less, Measure::Time) => "faster",
            (Self::Less, Measure::Nodes) => "fewer",
            (Self::More, Measure::Time) => "slower",
            _ => self.name(),
        }
    }
}

impl Tested {
    /// Whether a difference, if there is one, is shown to be within the margin; nothing where nothing is claimed.
    pub(super) fn is_within_margin(&self) -> Option<bool> {
        match self.verdict {
            Verdict::Identical | Verdict::Equal | Verdict::Equivalent => Some(true),
            Verdict::Less | Verdict::More => Some(self.equivalence.is_some_and(Test::is_shown)),
            Verdict::NoDifferenceShown => Some(false),
            Verdict::Copied | Verdict::Disturbed | Verdict::NotKnown => None,
        }
    }

    /// Verdict for a reader, with the margin as a share.
    pub(crate) fn in_words(&self, measure: Measure, margin: f64) -> String {
        let name = self.verdict.named(measure);
        let margin = set_percent(margin);
        match self.verdict {
            Verdict::Less | Verdict::More if self.is_within_margin() == Some(true) => {
                format!("{name}, within {margin}")
            }
            Verdict::Equivalent => format!("{name} within {margin}"),
            Verdict::Equal => "equal in all pairs".to_owned(),
            Verdict::NotKnown => "too few runs to tell".to_owned(),
            Verdict::Copied => "copied, not tested".to_owned(),
            Verdict::Disturbed => "not comparable: disturbed".to_owned(),
            _ => name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Interval;

    #[test]
    fn verdicts() {
        let cases = [
            (0.9, None, None, "too few runs to tell"),
            (0.9, Some(0.04), Some(0.9), "faster"),
            (1.1, Some(0.04), None, "slower"),
            (1.01, Some(0.001), Some(0.001), "slower, within 5 %"),
            (1.01, Some(0.3), Some(0.049), "equivalent within 5 %"),
            (1.01, Some(0.051), Some(0.051), "no difference shown"),
        ];
        for (ratio, p, p_equivalence, expected) in cases {
            let [test, equivalence] = [p, p_equivalence].map(|p: Option<f64>| p.map(Test::alone));
            let (verdict, ratio) = (Verdict::of(ratio, test, equivalence), Interval::unknown(ratio));
            let words = Tested { ratio, test, equivalence, verdict }.in_words(Measure::Time, 0.05);
            assert_eq!(words, expected);
        }
        assert_eq!(Verdict::NotKnown.named(Measure::Time), "not known");
        assert_eq!(Verdict::of(1.2, Some(Test::alone(0.0)), None).named(Measure::Nodes), "more");
    }
}
