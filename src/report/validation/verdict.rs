//! Whether two things have been shown to be equal but for a margin, to differ by more than it, or neither. Each claim
//! is a test of its own; of several that are made at once the probabilities are adjusted by Holm's procedure.

use serde::Serialize;

use crate::choices::choices;
use crate::statistics::{Contrast, LEVEL, Scope, holm};
use crate::table::number::{set_hundredths, set_percent};

choices! {
    /// Claim about a difference and a margin.
    pub enum Verdict, "verdict";
    /// The difference is smaller than the margin.
    ShownWithin "shown within",
    /// Neither is shown.
    NotShown "not shown",
    /// The difference is larger than the margin.
    ShownOutside "shown outside",
}

/// Verdict with the probabilities that it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// The margin, in the unit of the difference: of a ratio its logarithm.
    pub margin: f64,
    /// Probability of so small a difference by chance if it is the margin or more in truth; adjusted.
    pub p_within: Option<f64>,
    /// Probability of so large a difference by chance if it is the margin or less in truth; adjusted.
    pub p_outside: Option<f64>,
    /// Claim that follows.
    pub verdict: Verdict,
}

/// Scope of verdicts: other positions of the same kind, since a model is made to predict those.
pub const SCOPE: Scope = Scope::PositionsLikeThese;

impl Judgement {
    /// Judges a difference by a margin, as a claim by itself.
    pub(super) fn of(contrast: &Contrast, margin: f64) -> Self {
        Self::by(margin, contrast.equivalence(SCOPE, margin), contrast.larger_than(SCOPE, margin))
    }

    fn by(margin: f64, p_within: Option<f64>, p_outside: Option<f64>) -> Self {
        let is_shown = |p: Option<f64>| p.is_some_and(|p| p < 1.0 - LEVEL);
        let verdict = match (is_shown(p_within), is_shown(p_outside)) {
            (true, _) => Verdict::ShownWithin,
            (_, true) => Verdict::ShownOutside,
            _ => Verdict::NotShown,
        };
        Self { margin, p_within, p_outside, verdict }
    }

    /// The margin for a reader, who is told of a ratio or of a difference in points.
    pub fn margin(&self, is_ratio: bool) -> String {
        if is_ratio { set_percent(self.margin.exp() - 1.0) } else { format!("{} points", set_hundredths(self.margin)) }
    }
}

/// Adjusts judgements of differences that are claimed together.
pub fn adjust<'j>(judgements: impl IntoIterator<Item = &'j mut Judgement>) {
    let judgements: Vec<&mut Judgement> = judgements.into_iter().collect();
    let adjusted =
        |p: fn(&Judgement) -> Option<f64>| holm(&judgements.iter().map(|judgement| p(judgement)).collect::<Vec<_>>());
    let (within, outside) = (adjusted(|judgement| judgement.p_within), adjusted(|judgement| judgement.p_outside));
    for (judgement, (within, outside)) in judgements.into_iter().zip(within.into_iter().zip(outside)) {
        *judgement = Judgement::by(judgement.margin, within, outside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six positions whose differences are these about a centre.
    fn around(centre: f64, spread: f64) -> Contrast {
        let shares = [-1.0, -0.6, -0.2, 0.2, 0.6, 1.0];
        Contrast::paired(&shares.map(|share| vec![centre + share * spread])).unwrap()
    }

    #[test]
    fn verdicts_follow_from_centre_and_spread() {
        // Deviation 0.75 of the spread, standard error 0.306 of it, t of 5 degrees of freedom at 5 %: 2.015.
        for (centre, spread, expected) in [
            (0.0, 0.04, Verdict::ShownWithin),
            (0.0, 0.1, Verdict::NotShown),
            (0.03, 0.02, Verdict::ShownWithin),
            (0.03, 0.04, Verdict::NotShown),
            (0.05, 0.001, Verdict::NotShown),
            (0.07, 0.1, Verdict::NotShown),
            (-0.09, 0.04, Verdict::ShownOutside),
            (0.2, 0.1, Verdict::ShownOutside),
        ] {
            let judgement = Judgement::of(&around(centre, spread), 0.05);
            assert_eq!(judgement.verdict, expected, "{centre} {spread}: {judgement:?}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_shown() {
        let one = Contrast::paired(&[vec![0.0, 0.001, 0.0]]).unwrap();
        let judgement = Judgement::of(&one, 0.05);
        assert_eq!((judgement.verdict, judgement.p_within), (Verdict::NotShown, None));
    }

    #[test]
    fn several_claims_need_more() {
        // Alone this is shown with p of about 0.03; among five it is not.
        let mut five = [Judgement::of(&around(0.0, 0.066), 0.05); 5];
        assert_eq!(five[0].verdict, Verdict::ShownWithin);
        adjust(&mut five);
        assert!(five.iter().all(|judgement| judgement.verdict == Verdict::NotShown));
    }
}
