//! Ordering of moves by parts, each of which can be left out or replaced.

use super::quiet_history::HistoryForm;
use crate::chess::{Move, Score};
use crate::choices::choices;
use crate::settings::settings;

choices! {
    /// Use of the table's move.
    pub enum TableMove, "use of the table's move";
    /// It comes first.
    First "first",
    /// It comes where it would without the table.
    Ignored "ignored",
}

choices! {
    /// Order of captures and promotions.
    pub enum Captures, "order of captures";
    /// By exchange value; those that lose come last.
    Exchange "exchange",
    /// The most valuable victim first, and of those the least valuable attacker.
    Victims "victims",
    /// Likewise, but those that lose come last.
    Winning "winning",
    /// By the value of the victim minus that of the attacker, the cheap estimate of an exchange (2004 thesis).
    Difference "difference",
    /// With the quiet moves, in whatever order these have.
    Quiet "quiet",
}

choices! {
    /// Order of the quiet moves that are neither the table's move nor killers.
    pub enum QuietOrder, "order of quiet moves";
    /// By history.
    History "history",
    /// Castling first, on the king's side before the queen's; the others by history (Szabo 2023).
    Castling "castling",
    /// Moves of pawns and checks, then moves towards the centre, then the others; history does not count (ColChess
    /// page).
    Classes "classes",
}

choices! {
    /// Order of the moves at the root.
    pub enum RootOrder, "order of the root's moves";
    /// By the effort that they took in the last iteration, the best first.
    Effort "effort",
    /// As they are generated.
    Unordered "unordered",
}

settings! {
    /// Parameters of move ordering beside those of the thesis.
    pub struct Ordering, "feature";
    => "Ordering by parts",
        "ColChess page (scored killers, history by ply, classes); Szabo 2023 (victims, killers before, castling, \
         relative history); common practice",
        tried by [
            "+staged-moves", "capture-order=winning", "root-order=unordered", "table-move=ignored",
            "capture-order=victims", "capture-order=difference", "capture-order=quiet", "+one-killer",
            "+killers-before", "+scored-killers", "+counter-moves", "quiet-order=castling", "quiet-order=classes",
            "history-form=gravity", "history-form=ones", "history-form=by-ply", "history-form=relative",
        ];
    root: RootOrder, "root-order",
        "order of the moves at the root: by the effort that each took in the last iteration, the best first; or none";
    table_move: TableMove, "table-move", "where the table's move comes in the order";
    staged: bool, "staged-moves",
        "moves are generated as they are needed: after the table's move captures and promotions, and quiet moves once \
         those that do not lose have been searched; off: all are generated at once";
    captures: Captures, "capture-order",
        "order of captures and promotions: by exchange value; by most valuable victim and least valuable attacker; by \
         the same, but those last that lose by exchanges; by the victim's value minus the attacker's; or like quiet \
         moves";
    one_killer: bool, "one-killer", "one killer at each ply rather than two";
    killers_before: bool, "killers-before", "the killers of two plies before are tried too, each after this ply's";
    scored_killers: bool, "scored-killers",
        "a killer is displaced only by a move with a better score, and comes before one with a worse score";
    counter_moves: bool, "counter-moves",
        "the quiet move that last cut after the opponent's last move is tried after the killers";
    quiet: QuietOrder, "quiet-order",
        "order of the quiet moves that are neither the table's move nor killers: by history; likewise, but castling \
         first; or moves of pawns and checks, then moves towards the centre, then the others";
    history: HistoryForm, "history-form",
        "what the history of a quiet move counts: the square of the draft for each cutoff, one, one by ply of the \
         line, cutoffs relative to trials, or a balance of cutoffs and failures that forgets";
}

impl Ordering {
    /// Whether moves are generated as they are needed.
    pub(super) fn are_staged(&self) -> bool {
        self.staged && self.table_move == TableMove::First && self.captures != Captures::Quiet
    }

    /// Whether moves that did not cut are noted when another has.
    pub(super) fn notes_failures(&self) -> bool {
        matches!(self.history, HistoryForm::Relative | HistoryForm::Gravity)
    }
}

/// Places of origin and target: the lowest twelve bits of a move.
const MOVES: usize = 1 << 12;

/// Quiet moves that last cut after each move of the opponent's. Each worker has its own.
pub(super) struct CounterMoves(Box<[Option<Move>]>);

impl CounterMoves {
    /// Without any; of no size if they are not used.
    pub fn new(is_used: bool) -> Self {
        Self(vec![None; if is_used { MOVES } else { 0 }].into_boxed_slice())
    }

    /// The move that last cut after this one.
    #[inline(always)]
    pub fn after(&self, mv: Option<Move>) -> Option<Move> {
        self.0.get(mv?.bits() as usize & (MOVES - 1)).copied().flatten()
    }

    /// Notes a move that cut as the answer to the move before it.
    #[inline(always)]
    pub fn note(&mut self, before: Option<Move>, mv: Move) {
        if let Some(before) = before
            && let Some(place) = self.0.get_mut(before.bits() as usize & (MOVES - 1))
        {
            *place = Some(mv);
        }
    }
}

/// Notes a killer with the score by which it cut: of three, the two with the best scores are kept, the best first.
#[inline(always)]
pub(super) fn keep_by_score(killers: &mut [Option<Move>; 2], scores: &mut [Score; 2], mv: Move, score: Score) {
    if killers[0].is_none_or(|first| first == mv || score > scores[0]) {
        if killers[0] != Some(mv) {
            (killers[1], scores[1]) = (killers[0], scores[0]);
        }
        (killers[0], scores[0]) = (Some(mv), score);
    } else if killers[1].is_none_or(|second| second == mv || score > scores[1]) {
        (killers[1], scores[1]) = (Some(mv), score);
    }
    if killers[1].is_some() && scores[1] > scores[0] {
        killers.swap(0, 1);
        scores.swap(0, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;
    use crate::chess::{Board, Keys, MoveList, Setup};

    #[test]
    fn killers_by_score_are_the_two_best_in_order() {
        let board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
        let mut list = MoveList::new();
        board.moves(&mut list);
        let (mut killers, mut scores) = ([None; 2], [Score(0); 2]);
        let mut note = |number: usize, score: i32| {
            keep_by_score(&mut killers, &mut scores, list[number], Score(score));
            killers.map(|killer| killer.and_then(|killer| list.iter().position(|mv| *mv == killer)))
        };
        assert_eq!(note(0, 50), [Some(0), None]);
        assert_eq!(note(1, 30), [Some(0), Some(1)]);
        assert_eq!(note(2, 20), [Some(0), Some(1)]);
        assert_eq!(note(2, 40), [Some(0), Some(2)]);
        // The first cuts by less than before: the second is the better one.
        assert_eq!(note(0, 10), [Some(2), Some(0)]);
        assert_eq!(note(3, 90), [Some(3), Some(2)]);
        // The better of two is never kept twice.
        assert_eq!(note(2, 95), [Some(2), Some(3)]);
    }
}
