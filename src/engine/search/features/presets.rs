//! Named sets of features.

use super::Features;
use crate::chess::Numbers;
use crate::choices::choices;
use crate::eval::Evaluator;
use crate::eval::Terms;
use crate::search::aspiration::{Aspiration, Widening};
use crate::search::deepening::Deepening;
use crate::search::further_reductions::FurtherReductions;
use crate::search::futility::Futility;
use crate::search::internal_deepening::InternalDeepening;
use crate::search::late_moves::{LateMoves, Reductions};
use crate::search::mate_distance::MateDistance;
use crate::search::null_move::NullMove;
use crate::search::ordering::Ordering;
use crate::search::prob_cut::ProbCut;
use crate::search::quiescence_table::QuiescenceTable;
use crate::search::quiet_history::HistoryForm;
use crate::search::razoring::{Razor, Razoring};
use crate::search::reverse_futility::ReverseFutility;
use crate::search::singular::Singular;
use crate::search::table::KeyWidth;
use crate::search::windows::Windows;

choices! {
    /// A named set of features.
    pub enum Preset, "preset";
    /// The program of the 2004 thesis with its defects mended.
    Thesis "thesis",
    /// The program of the 2004 thesis as it is printed, defects included.
    ThesisAsPrinted "thesis-as-printed",
    /// Features that leave the score of plain minimax unchanged.
    Sound "sound",
    /// Techniques of a good program of today without a neural network.
    Modern "modern",
}

/// Features of the thesis, without the defects of its printed program.
const THESIS: Features = Features {
    aspiration: 333,
    null_move: true,
    null_move_reduction: 2,
    null_move_deep_reduction: 3,
    null_move_deep_draft: 7,
    null_move_material: 6_000,
    check_extension: 75,
    one_reply_extension: 75,
    recapture_extension: 75,
    pawn_extension: 75,
    extension_budget: 100,
    extension_halving: 2,
    delta_pruning: true,
    delta_margin: 1_000,
    killers: true,
    history: true,
    repetition_draws: true,
    fifty_move_draws: true,
    deepening: Deepening { from: 1, step: 1, least: 0 },
    keys: Numbers::Seeded,
    key_width: KeyWidth::DEFAULT,
    two_tier: true,
    incremental: true,
    terms: Terms::DEFAULT,
    ..Features::NOTHING
};

/// Features of the printed program, with its defects.
const AS_PRINTED: Features = Features {
    incremental: false,
    defect_demotion_key: true,
    defect_unsafe_store: true,
    defect_en_passant_key: true,
    defect_fail_low_forgets_move: true,
    defect_null_move_forgets_move: true,
    defect_null_move_mate: true,
    defect_mate_bounds: true,
    defect_first_index_window: true,
    defect_unbounded_history: true,
    defect_pawn_extension_dead: true,
    defect_null_recapture: true,
    defect_en_passant_exchange: true,
    defect_promotion_exchange: true,
    defect_promotion_victim: true,
    defect_repetition_across_null: true,
    defect_fifty_before_mate: true,
    ..THESIS
};

/// Features without those that may change the score: extensions and repetitions depend on the line and so on the table;
/// null moves and delta pruning guess.
const SOUND: Features = Features {
    null_move: false,
    check_extension: 0,
    one_reply_extension: 0,
    recapture_extension: 0,
    pawn_extension: 0,
    delta_pruning: false,
    repetition_draws: false,
    fifty_move_draws: false,
    equal_draft: true,
    two_tier: false,
    ..THESIS
};

/// Features of a program of today.
const MODERN: Features = Features {
    evaluation: Evaluator::Classical,
    aspiration: 250,
    aspire: Aspiration { widening: Widening::Doubling, from: 4, ..Aspiration::NOTHING },
    null_move_reduction: 3,
    null_move_deep_reduction: 3,
    null_move_material: 1_000,
    null: NullMove { by_draft: 4, by_margin: 2_000, above: true, not_pv: true, ..NullMove::NOTHING },
    check_extension: 100,
    one_reply_extension: 0,
    recapture_extension: 0,
    pawn_extension: 0,
    two_tier: false,
    ordering: Ordering { staged: true, counter_moves: true, history: HistoryForm::Gravity, ..Ordering::NOTHING },
    singular: Singular { margin: 20, ..Singular::NOTHING },
    prob_cut: ProbCut { draft: 0, margin: 1_000, reduction: 3 },
    mate_distance: MateDistance { is_used: true },
    reverse_futility: ReverseFutility { draft: 8, margin: 700, rising: true, ..ReverseFutility::NOTHING },
    razoring: Razoring { way: Razor::Captures, draft: 2, margin: 3_000, per_ply: 2_000, ..Razoring::NOTHING },
    internal_deepening: InternalDeepening { reduction: 3, ..InternalDeepening::NOTHING },
    late_moves: LateMoves {
        reductions: Reductions::Logarithms,
        from: 2,
        draft: 2,
        any_move: true,
        base: 60,
        slope: 45,
        rising: true,
        whole: true,
        pruning: 4,
        kept: 3,
        pruning_rising: true,
        exchange: 6,
        exchange_margin: 700,
        ..LateMoves::NOTHING
    },
    further_reductions: FurtherReductions { less_captures: 100, ..FurtherReductions::NOTHING },
    futility: Futility { draft: 7, margin: 900, per_ply: 700, ..Futility::NOTHING },
    windows: Windows { fail_soft: true, ..Windows::NOTHING },
    quiescence_table: QuiescenceTable { is_used: true },
    ..THESIS
};

impl Preset {
    /// Features of this preset.
    pub const fn features(self) -> Features {
        match self {
            Self::Thesis => THESIS,
            Self::ThesisAsPrinted => AS_PRINTED,
            Self::Sound => SOUND,
            Self::Modern => MODERN,
        }
    }

    /// Size of the transposition table that a search with this preset has by default, in MiB.
    pub const fn table_mib(self) -> u32 {
        16
    }
}
