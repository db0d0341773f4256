//! List of the features. A new one is one line here and its use in the search; a preset that wants it on says so.

use crate::chess::Numbers;
use crate::eval::{Evaluator, Terms};
use crate::settings::settings;

settings! {
    /// Features of the search. Small and plain, so that every worker has a copy at hand. For a defect, the meaning says
    /// what the printed program does, and then what it does mended.
    pub struct Features, "feature";

    => "Aspiration windows", "2004 thesis",
        tried by [
            "-aspiration", "aspiration=50", "+aspiration=50,aspiration-widening=doubling",
            "+aspiration=50,aspiration-widening=two-steps",
        ];
    aspiration: i32 [0..=20_000 "thousandths of a pawn"], "aspiration",
        "half-width of the aspiration window around the score of the last iteration; 0: always the full window";
    => "Null move", "2004 thesis, after Donninger 1993",
        tried by [
            "-null-move", "null-move-reduction=3", "null-move-deep-draft=4 then null-move-deep-reduction=4",
            "null-move-deep-draft=4", "null-move-material=0",
        ];
    null_move: bool, "null-move",
        "null move: let the opponent move twice, and return a cutoff if a shallower search still fails high; not in \
         check, and not after another null move";
    null_move_reduction: i32 [1..=5 "plies"], "null-move-reduction",
        "reduction of the search after a null move, in addition to the ply of the null move itself";
    null_move_deep_reduction: i32 [1..=6 "plies"], "null-move-deep-reduction",
        "reduction of the search after a null move from 'null-move-deep-draft' on";
    null_move_deep_draft: i32 [0..=99 "plies"], "null-move-deep-draft",
        "least draft at which 'null-move-deep-reduction' applies";
    null_move_material: i32 [0..=50_000 "thousandths of a pawn"], "null-move-material",
        "material in pieces, without pawns and king, that the side to move needs for a null move";
    => "Extensions", "2004 thesis; ColChess page",
        tried by [
            "-check-extension", "-one-reply-extension", "-recapture-extension", "-pawn-extension",
            "extension-budget=20", "extension-halving=1",
        ];
    check_extension: i32 [0..=200 "hundredths of a ply"], "check-extension",
        "extension if the side to move is in check; of fractions of a ply, 1/4 is 25 hundredths, 1/12 is 8, 1/16 is 6 \
         and 1/36 is 3, rounded";
    one_reply_extension: i32 [0..=200 "hundredths of a ply"], "one-reply-extension",
        "extension if the side to move is in check and has one legal move";
    recapture_extension: i32 [0..=200 "hundredths of a ply"], "recapture-extension",
        "extension if the last two moves captured pieces of equal value on one square";
    pawn_extension: i32 [0..=200 "hundredths of a ply"], "pawn-extension",
        "extension if the last move was a pawn's to its seventh rank";
    extension_budget: i32 [0..=200 "hundredths of a ply"], "extension-budget",
        "largest sum of the extensions on a line, for each ply of the line";
    extension_halving: i32 [0..=10 "times the iteration's depth"], "extension-halving",
        "ply beyond which extensions are halved; 0: never";
    => "Quiescence", "2004 thesis", tried by ["-delta-pruning", "delta-margin=0", "+losing-captures"];
    delta_pruning: bool, "delta-pruning",
        "in quiescence, leave out captures that cannot raise the material to alpha";
    delta_margin: i32 [0..=20_000 "thousandths of a pawn"], "delta-margin",
        "margin that delta pruning adds to the material that a capture would win";
    losing_captures: bool, "losing-captures",
        "in quiescence, also search captures that lose material by static exchange";
    => "Ordering of quiet moves", "2004 thesis; ColChess page; Szabo 2023", tried by ["-killers", "-history"];
    killers: bool, "killers",
        "try the two quiet moves that last caused a cutoff at the same ply before other quiet moves";
    history: bool, "history",
        "order quiet moves by how often they have caused cutoffs at any node";
    => "Search without alpha-beta", "ColChess page", tried by ["+minimax"];
    minimax: bool, "minimax",
        "every move is searched with the full window, and nothing is cut off";
    => "Draws", "rules of chess", tried by ["-repetition-draws", "-fifty-move-draws"];
    repetition_draws: bool, "repetition-draws",
        "a position that occurred earlier in the line, or twice in the game, is a draw";
    fifty_move_draws: bool, "fifty-move-draws",
        "a hundred plies without a capture or pawn move are a draw";
    => "Transposition table", "2004 thesis",
        tried by ["+equal-draft", "-two-tier", "keys=printed", "keys=congruential"];
    equal_draft: bool, "equal-draft",
        "an entry of the table ends a node only if its draft equals the one asked for; off: or is greater";
    two_tier: bool, "two-tier",
        "one table for each side to move, a third of it for the deepest entries and the rest for the latest; off: \
         buckets of one cache line";
    keys: Numbers, "keys",
        "where the numbers of keys come from, and with them the slots of a table in two tiers";
    => "Evaluation, and boards", "2004 thesis; Szabo 2023 (liverpool); ColChess page (colchess); common practice",
        tried by [
            "evaluation=classical", "evaluation=liverpool", "evaluation=colchess",
        ];
    evaluation: Evaluator, "evaluation",
        "static evaluation of positions";
    incremental: bool, "incremental",
        "the evaluation is updated from move to move; off: computed from scratch each time, with the same result";
    copy_make: bool, "copy-make",
        "the board is copied before a move and restored from the copy; off: the move is unmade";

    => "Printed defects", "2004 thesis",
        tried by [
            "+defect-demotion-key", "+defect-en-passant-key", "+defect-fail-low-forgets-move",
            "+defect-null-move-forgets-move", "+defect-null-move-mate", "+defect-mate-bounds",
            "+defect-first-index-window", "+defect-unbounded-history", "+defect-pawn-extension-dead",
            "+defect-null-recapture", "+defect-en-passant-exchange", "+defect-promotion-exchange",
            "+defect-promotion-victim", "+defect-repetition-across-null", "+defect-fifty-before-mate",
        ];
    defect_demotion_key: bool, "defect-demotion-key",
        "an entry displaced from the first tier is stored at a place computed from its stored word, where no probe \
         looks; mended: computed from its key";
    defect_unsafe_store: bool, "defect-unsafe-store",
        "an entry of the table is written field by field, and read again after its check, so that another processor \
         may write in between; mended: each of its two words is written and read once";
    defect_en_passant_key: bool, "defect-en-passant-key",
        "every double push of a pawn changes the position's key; mended: only if the en passant capture is legal";
    defect_fail_low_forgets_move: bool, "defect-fail-low-forgets-move",
        "a node that fails low is stored without a move, which erases the known move; mended: the known move is kept";
    defect_null_move_forgets_move: bool, "defect-null-move-forgets-move",
        "a cutoff by null move is stored without a move, which erases the known move; mended: the known move is kept";
    defect_null_move_mate: bool, "defect-null-move-mate",
        "a mate found after a null move is returned as a mate; mended: as beta";
    defect_mate_bounds: bool, "defect-mate-bounds",
        "bounds that are mate scores are clamped to the longest mate on one side and stored as they are on the other; \
         mended: counted from the position, like exact scores";
    defect_first_index_window: bool, "defect-first-index-window",
        "the first move of the list gets the full window, and none does if that move is illegal; mended: the first \
         legal move gets it";
    defect_unbounded_history: bool, "defect-unbounded-history",
        "the history count of a move grows without bound, above the ranks of killers and captures; mended: all counts \
         are halved before one reaches the rank of killers";
    defect_pawn_extension_dead: bool, "defect-pawn-extension-dead",
        "the extension for a pawn on its seventh rank tests the wrong colour and is never given; mended: it is given";
    defect_null_recapture: bool, "defect-null-recapture",
        "a quiet move to a1 after or before a null move counts as a recapture; mended: two captures are needed";
    defect_en_passant_exchange: bool, "defect-en-passant-exchange",
        "the exchange value of an en passant capture leaves out the captured pawn; mended: it includes it";
    defect_promotion_exchange: bool, "defect-promotion-exchange",
        "in an exchange, pawns do not promote; mended: they become queens";
    defect_promotion_victim: bool, "defect-promotion-victim",
        "promotions are ordered without the piece that they capture; mended: with it";
    defect_repetition_across_null: bool, "defect-repetition-across-null",
        "a position counts as repeated even if a null move lies between; mended: it does not";
    defect_fifty_before_mate: bool, "defect-fifty-before-mate",
        "the fifty-move draw comes before mate; mended: mate comes first";

    ..aging: crate::search::table::Aging;
    ..key_width: crate::search::table::KeyWidth;
    ..windows: crate::search::windows::Windows;
    ..aspire: crate::search::aspiration::Aspiration;
    ..deepening: crate::search::deepening::Deepening;
    ..early_stop: crate::search::early_stop::EarlyStop;
    ..ordering: crate::search::ordering::Ordering;
    ..null: crate::search::null_move::NullMove;
    ..extensions: crate::search::extensions::Extensions;
    ..singular: crate::search::singular::Singular;
    ..multi_cut: crate::search::multi_cut::MultiCut;
    ..prob_cut: crate::search::prob_cut::ProbCut;
    ..mate_distance: crate::search::mate_distance::MateDistance;
    ..reverse_futility: crate::search::reverse_futility::ReverseFutility;
    ..razoring: crate::search::razoring::Razoring;
    ..internal_deepening: crate::search::internal_deepening::InternalDeepening;
    ..late_moves: crate::search::late_moves::LateMoves;
    ..further_reductions: crate::search::further_reductions::FurtherReductions;
    ..second_search: crate::search::second_search::SecondSearch;
    ..futility: crate::search::futility::Futility;
    ..contexts: crate::search::contexts::Contexts;
    ..corrections: crate::search::corrections::Corrections;
    ..quiescence: crate::search::quiescence::Quiescence;
    ..widths: crate::search::quiescence_widths::Widths;
    ..quiescence_table: crate::search::quiescence_table::QuiescenceTable;
    ..terms: Terms;
}
