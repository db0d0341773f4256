//! Aspiration: each iteration is searched in a window around the score of the last, and again in a wider one if its
//! score is not inside.

use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, Score};
use crate::choices::choices;
use crate::machine::Processor;
use crate::settings::settings;

choices! {
    /// Window of an iteration whose score was outside of the last.
    pub enum Widening, "way of widening";
    /// The full window.
    Full "full",
    /// Everything beyond the bound that was missed, and the full window if the other bound is missed then.
    TwoSteps "two-steps",
    /// The bound that was missed moves away by twice as much as before, and from four pawns on to the end.
    Doubling "doubling",
}

settings! {
    /// Parameters of aspiration windows beside their width.
    pub struct Aspiration, "feature";
    => "Aspiration windows: widening", "ColChess page (two-steps); Szabo 2023 (full, from depth 4, not mates); \
         common practice",
        tried by [
            "+aspiration=50,aspiration-widening=doubling then +aspiration-from=5",
            "+aspiration=50,aspiration-widening=doubling then +aspiration-not-mates",
            "aspiration=50 then aspiration-widening=doubling",
        ];
    widening: Widening, "aspiration-widening",
        "window of an iteration whose score was outside of the last: the full window; everything beyond the bound that \
         was missed; or the bound moves away by twice as much each time";
    from: i32 [0..=60 "plies"], "aspiration-from", "depth of the first iteration with a narrow window";
    not_mates: bool, "aspiration-not-mates", "an iteration that follows one with a mate score has the full window";
}

/// Half-width from which a bound moves to the end, in thousandths of a pawn.
const WIDEST: i32 = 4_000;

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Score of one iteration, and whether it took a second search.
    pub(super) fn aspire(&mut self, depth: u32, expected: Score) -> Option<(Score, bool)> {
        let features = &self.features;
        let is_mate = expected.mate_moves().is_some();
        let is_narrow = features.aspiration > 0
            && depth as i32 >= features.aspire.from
            && !(is_mate && features.aspire.not_mates)
            && !features.minimax;
        if !is_narrow {
            return Some((self.search_root(-Score::MATE, Score::MATE)?, false));
        }
        let half_width = self.features.aspiration + self.strategy.wider_window(self.processor.place());
        let (mut alpha, mut beta) = (expected - Score(half_width), expected + Score(half_width));
        let mut score = self.search_root(alpha, beta)?;
        if alpha < score && score < beta {
            return Some((score, false));
        }
        let mut width = half_width;
        let mut steps = 0;
        loop {
            steps += 1;
            width = width.saturating_mul(2);
            let is_low = score <= alpha;
            match self.features.aspire.widening {
                Widening::TwoSteps if steps == 1 && is_low => (alpha, beta) = (-Score::MATE, score + Score(1)),
                Widening::TwoSteps if steps == 1 => (alpha, beta) = (score - Score(1), Score::MATE),
                Widening::Doubling if width < WIDEST && is_low => alpha = score - Score(width),
                Widening::Doubling if width < WIDEST => beta = score + Score(width),
                Widening::Doubling if is_low && alpha > -Score::MATE => alpha = -Score::MATE,
                Widening::Doubling if !is_low && beta < Score::MATE => beta = Score::MATE,
                _ => (alpha, beta) = (-Score::MATE, Score::MATE),
            }
            score = self.search_root(alpha, beta)?;
            let is_full = alpha <= -Score::MATE && beta >= Score::MATE;
            if is_full || alpha < score && score < beta {
                return Some((score, true));
            }
        }
    }
}
