//! Sentences of a report. What a sentence describes, names and figures and counts, may come from anywhere; what it
//! states, a difference, an order, a growth, a law or a state, comes from evidence and cannot be said without it.

use std::fmt;
use std::ops::Deref;

use crate::analysis::doubling::Doubling;
use crate::analysis::laws::Laws;
use crate::analysis::{
    AgainstBaseline, BySize, Comparison, Contest, Diagnosis, Effect, Explanation, HashSlope, OnNodes, PositionRow,
    PublishedPoint, Quality, RegretAgainst, Replication, Rivalry, Sizes, Splitting, Statement, Torn, Twin,
};
use crate::claims::JudgedClaim;
use crate::compare::Tested;
use crate::games::Results;
use crate::statistics::{Residuals, Test};
use crate::validation::{Judgement, MechanismRatio};

/// Words for a reader, and which of them describe.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sentence {
    text: String,
    /// Parts that describe, and state nothing.
    described: Vec<String>,
}

/// Result of tests that words may rest on. Everything that a report can state by is in the list below.
pub(crate) trait Evidence {}

/// Declares what words may rest on, each with what carries them.
macro_rules! evidence {
    ($($Type:ty: $by:literal;)*) => {
        $( #[doc = $by] impl Evidence for $Type {} )*
    };
}

evidence! {
    Test: "One test, adjusted for its family.";
    Statement: "A statement of the analysis: a test in its family.";
    Contest: "Orders of configurations, tested pair by pair.";
    Rivalry: "The order of two configurations.";
    Comparison: "Differences from a reference in time and nodes.";
    Effect: "Effects of a switch on time and nodes.";
    AgainstBaseline: "Differences from one processor: in time, and in each factor.";
    BySize: "The growth of a speedup with the size of the search.";
    RegretAgainst: "The worth of moves: a bound against a margin.";
    Twin: "A real and a virtual configuration: by a margin, in a family.";
    Diagnosis: "The state of a parallel search, from intervals that hold together.";
    Laws: "Laws that a test rejects or does not.";
    OnNodes: "Speedups over one node, with intervals.";
    Torn: "Shares of the hits that torn entries cost, with intervals.";
    Splitting: "Costs of splits: intervals corrected for their number.";
    HashSlope: "Growth of trees by the hits in the table, with its interval.";
    Sizes: "Times by the size of copies.";
    Explanation: "Published figures inside prediction intervals or not.";
    Replication: "Published rows beside ours.";
    PublishedPoint: "A published speedup inside our interval or not.";
    Quality: "Disturbances, and whether times are normal.";
    Residuals: "Whether residuals are normal.";
    PositionRow: "Whether a position is an outlier.";
    Doubling: "How losses grow with a doubling of processors.";
    Tested: "A ratio between two folders, tested for difference and for equality.";
    Judgement: "A difference and a margin, by two one-sided tests.";
    MechanismRatio: "A mechanism on both machines.";
    Results: "Games: intervals of scores, of pairs, or of a fitted curve.";
    JudgedClaim: "A published claim, by the intervals of its tests.";
}

impl<E: Evidence> Evidence for &E {}
impl<E: Evidence> Evidence for Option<E> {}
impl<E: Evidence> Evidence for [E] {}
impl<E: Evidence> Evidence for Vec<E> {}

impl Sentence {
    /// Description: names, figures and counts, which state nothing.
    pub fn described(words: impl Into<String>) -> Self {
        let text = words.into();
        Self { described: vec![text.clone()], text }
    }

    /// Statement that rests on this evidence. Where it says that something is not shown, the evidence is what does not
    /// show it.
    pub fn stated<E: Evidence + ?Sized>(words: impl Into<String>, _by: &E) -> Self {
        Self { text: words.into(), described: Vec::new() }
    }

    /// All of these, one after another; nothing if there is none.
    pub fn all(sentences: impl IntoIterator<Item = Self>) -> Option<Self> {
        sentences.into_iter().reduce(|mut first, other| {
            first.text.push(' ');
            first.text.push_str(&other.text);
            first.described.extend(other.described);
            first
        })
    }
}

impl Deref for Sentence {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
impl Sentence {
    /// Word of a description that states something: there must be none.
    pub fn unfounded(&self) -> Option<&'static str> {
        /// Words that state a difference, an order, a growth, a law or a state.
        const STATING: [&str; 22] = [
            "faster", "slower", "fastest", "slowest", "fewer", "longer", "soonest", "better", "worse", "differ",
            "gain", "lose", "lost", "grow", "larger", "largest", "follows", "fits", "healthy", "shown", "equal",
            "explains",
        ];
        let words = |text: &str| -> Vec<String> {
            text.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase).collect()
        };
        let mut words = self.described.iter().flat_map(|text| words(text));
        words.find_map(|word| STATING.into_iter().find(|stating| word.strip_suffix('s').unwrap_or(&word) == *stating))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_that_states_something_is_found() {
        assert_eq!(Sentence::described("8 searches at 4 positions.").unfounded(), None);
        assert_eq!(Sentence::described("ybwc is slower.").unfounded(), Some("slower"));
        assert_eq!(Sentence::described("It gains 4 %.").unfounded(), Some("gain"));
        let shown = Sentence::stated("ybwc is slower.", &Test::alone(0.001));
        assert_eq!((shown.unfounded(), &*shown), (None, "ybwc is slower."));
        let both = Sentence::all([shown, Sentence::described("8 searches.")]).unwrap();
        assert_eq!(both.to_string(), "ybwc is slower. 8 searches.");
        assert_eq!(both.described, ["8 searches."]);
        assert_eq!(Sentence::all([]), None);
    }
}
