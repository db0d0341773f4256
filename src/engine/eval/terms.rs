//! Terms of evaluations, each of which can be left out: what is it worth, what does it cost, and what does it do to
//! trees?
//!
//! They are on unless a user turns them off, as in `-bishop-pair`; one is off unless it is turned on. A term that
//! several evaluations have is one switch, so that an experiment can compare what it does to each. They reach an
//! evaluation in its cache ([`Evaluation::cache`](super::Evaluation::cache)): one without terms of its own pays nothing
//! for them.

use crate::settings::settings;

settings! {
    /// Terms that evaluations may have. Each names its evaluations in brackets.
    pub struct Terms, "feature";
    => "Terms of evaluations", "ColChess page; Szabo 2023; Reul 2009 (exchange, weak colours); common practice",
        tried by [
            "evaluation=classical then -tapering", "evaluation=classical then -mobility",
            "evaluation=classical then -king-attack", "evaluation=classical then -king-shelter",
            "evaluation=classical then -king-lines", "evaluation=colchess then -king-corner",
            "evaluation=classical then -imbalance", "evaluation=colchess then -game-stage",
            "evaluation=classical then -bishop-pair", "evaluation=classical then -outposts",
            "evaluation=classical then -bishop-diagonals", "evaluation=classical then +weak-colours",
            "evaluation=colchess then -knight-centre", "evaluation=classical then -rook-files",
            "evaluation=colchess then -connected-rooks", "evaluation=colchess then -doubled-rooks",
            "evaluation=colchess then +queen-batteries", "evaluation=classical then -doubled-pawns",
            "evaluation=colchess then -blocked-pawns", "evaluation=classical then -pawn-chains",
            "evaluation=classical then -weak-pawns", "evaluation=classical then -passed-pawns",
            "evaluation=classical then +passed-pawns-exchange", "evaluation=classical then -space",
            "evaluation=colchess then -empty-squares", "evaluation=colchess then -board-control",
            "evaluation=classical then -threats", "evaluation=classical then -hanging-pieces",
            "evaluation=classical then -endings", "evaluation=colchess then -kings-and-pawns",
            "evaluation=classical then -tempo", "evaluation=liverpool then -tapering",
            "evaluation=colchess then -tapering",
        ];
    tapering: bool = true, "tapering",
        "mix values of the middlegame and of the endgame by the officers that are left; off: change from the ones to \
         the others when half of the officers are gone (classical, liverpool, colchess)";
    mobility: bool = true, "mobility",
        "evaluate the number of squares that officers attack and enemy pawns do not (classical, liverpool)";
    king_attack: bool = true, "king-attack",
        "evaluate attacks of officers on the squares around a king (classical, liverpool)";
    king_shelter: bool = true, "king-shelter",
        "evaluate the pawns around a king (classical, liverpool)";
    king_lines: bool = true, "king-lines",
        "evaluate open lines to a king (classical, liverpool)";
    king_corner: bool = true, "king-corner",
        "evaluate how near a king is to a corner while officers are left, and to the centre later (colchess)";
    imbalance: bool = true, "imbalance",
        "evaluate officers by the other material, such as knights by pawns and two minor pieces for a rook (classical)";
    game_stage: bool = true, "game-stage",
        "evaluate pieces by the stage of the game: bishops rise in open endgames (colchess)";
    bishop_pair: bool = true, "bishop-pair",
        "evaluate two bishops of one side (classical, colchess)";
    outposts: bool = true, "outposts",
        "evaluate knights and bishops that a pawn protects and no enemy pawn can drive away (classical)";
    bishop_diagonals: bool = true, "bishop-diagonals",
        "evaluate bishops on main diagonals, and own pawns on squares of a bishop's colour (classical)";
    weak_colours: bool, "weak-colours",
        "evaluate squares of one colour in the own half that neither the own bishop nor own pawns hold; off in every \
         preset (classical)";
    knight_centre: bool = true, "knight-centre",
        "evaluate how near knights are to the centre (colchess)";
    rook_files: bool = true, "rook-files",
        "evaluate rooks on files without own pawns and on the seventh rank (classical)";
    connected_rooks: bool = true, "connected-rooks",
        "evaluate rooks that protect each other along a rank (colchess)";
    doubled_rooks: bool = true, "doubled-rooks",
        "evaluate rooks that protect each other along a file (colchess)";
    queen_batteries: bool, "queen-batteries",
        "queens count as rooks where these protect each other; off in every preset (colchess)";
    doubled_pawns: bool = true, "doubled-pawns",
        "evaluate doubled and tripled pawns (classical, colchess)";
    blocked_pawns: bool = true, "blocked-pawns",
        "evaluate pawns with a piece in front of them (colchess)";
    pawn_chains: bool = true, "pawn-chains",
        "evaluate pawns that protect one another or stand side by side (classical, colchess)";
    weak_pawns: bool = true, "weak-pawns",
        "evaluate isolated and backward pawns (classical)";
    passed_pawns: bool = true, "passed-pawns",
        "evaluate passed pawns (classical, colchess)";
    passed_exchange: bool, "passed-pawns-exchange",
        "a passed pawn whose next square is empty counts as free only if no exchange there loses it; off in every \
         preset (classical)";
    space: bool = true, "space",
        "evaluate safe squares behind the own centre (classical)";
    empty_squares: bool = true, "empty-squares",
        "evaluate each empty square for the side that attacks it more often (colchess)";
    board_control: bool = true, "board-control",
        "evaluate the number of squares of the opponent's half that a side attacks more often (colchess)";
    threats: bool = true, "threats",
        "evaluate attacks on more valuable pieces (classical)";
    hanging_pieces: bool = true, "hanging-pieces",
        "evaluate pieces that are attacked and not protected (classical, colchess)";
    endings: bool = true, "endings",
        "evaluate known endings by what is known of them, and reduce leads that seldom win (classical)";
    kings_and_pawns: bool = true, "kings-and-pawns",
        "evaluate positions of kings and pawns by other weights (colchess)";
    tempo: bool = true, "tempo",
        "evaluate the right to move (classical)";
    pawn_table: bool = true, "pawn-table",
        "remember what follows from pawns and kings alone; off: compute it each time, with the same result";
}

impl Terms {
    /// Weight of the middlegame where officers of this weight are left of `all`: theirs, or without tapering that of
    /// all or none.
    #[inline(always)]
    pub fn middlegame(&self, left: i32, all: i32) -> i32 {
        match self.tapering {
            true => left,
            false if 2 * left > all => all,
            false => 0,
        }
    }
}
