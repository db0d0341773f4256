//! What a search does on a board, as a board that measures times is told.

use crate::choices::choices;

choices! {
    /// Task of a search. One may be part of another: an exchange asks about attacks.
    pub enum Task, "task";
    /// Static evaluation of a position.
    Evaluation "evaluation",
    /// Change of the state of the evaluation by a move.
    EvaluationChange "changes of the evaluation by moves",
    /// Exchange evaluation.
    Exchange "exchange evaluation",
    /// Generation of captures and promotions.
    NoisyMoves "generation of captures and promotions",
    /// Generation of all pseudo-legal moves, of which some boards take the quiet ones.
    AllMoves "generation of all moves",
    /// Generation and counting of legal moves.
    LegalMoves "generation of legal moves",
    /// Tests whether a move is legal.
    Legality "tests of legality",
    /// Making moves.
    Make "making moves",
    /// Unmaking moves.
    Unmake "unmaking moves",
    /// Questions about attacks.
    Attacks "questions about attacks",
}
