//! Late moves: where the ordering is good, a quiet move that comes late is seldom the best. It is searched less deep,
//! and again in full if it turns out better than alpha; near the horizon it is skipped.

use super::futility::Futile;
use super::node::{Expected, Node, ONE_PLY, Place};
use super::picker::Picker;
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::see::Asker;
use crate::chess::{Board, Move, MoveKind, PieceKind::Pawn, Score};
use crate::choices::choices;
use crate::machine::Processor;
use crate::settings::settings;

choices! {
    /// Rule for how much less deep late moves are searched.
    pub enum Reductions, "form of reductions";
    /// Late moves are searched in full.
    None "none",
    /// By the square roots of draft and number of the move (Szabo 2023).
    Roots "roots",
    /// By the product of the logarithms of draft and number of the move.
    Logarithms "logarithms",
    /// By one ply if the moved piece would be lost by exchanges (Reul 2009).
    Exchange "exchange",
}

settings! {
    /// Parameters of reductions and prunings of late moves.
    pub struct LateMoves, "feature";
    => "Late moves: reductions and prunings", "Szabo 2023 (roots); Reul 2009 (exchange); common practice",
        tried by [
            "reductions=roots,+reductions-after=3", "reductions-after=3 then reductions=roots",
            "reductions=roots,reductions-after=3 then reductions-after=6",
            "reductions=logarithms,+reductions-after=3,+reductions-slope=40",
            "reductions=exchange", "late-moves-kept=3 then late-move-pruning=3",
            "late-move-pruning=3,late-moves-kept=3 then late-moves-kept=6", "+exchange-pruning=5",
            "reductions=roots,reductions-after=3 then reductions-draft=4",
            "reductions=logarithms,reductions-after=3,reductions-slope=40 then reductions-base=100",
            "reductions=logarithms,reductions-after=3,reductions-slope=40 then reductions-slope=80",
            "reductions=roots,+reductions-after=3 then +reductions-any-move",
            "reductions=roots,+reductions-after=1,+killers-before then +reductions-spare-castling",
            "+exchange-pruning=5 then +exchange-pruning-margin=1000",
            "reductions=logarithms,reductions-after=3,reductions-slope=40 then +reductions-whole",
            "reductions=logarithms,reductions-after=3,reductions-slope=40 then +reductions-rising",
            "late-move-pruning=4,late-moves-kept=4 then +late-move-pruning-rising",
        ];
    reductions: Reductions, "reductions",
        "how much less deep quiet moves are searched that come late: not at all; by the square roots of draft and \
         number; by their logarithms; or by one ply if the moved piece would be lost";
    from: i32 [0..=60 "moves"], "reductions-after", "number of moves at a node that are always searched in full";
    draft: i32 [0..=60 "plies"], "reductions-draft", "least draft at which moves are reduced";
    any_move: bool, "reductions-any-move",
        "captures and promotions that come late are reduced too, whatever they win";
    spares_castling: bool, "reductions-spare-castling",
        "castling, and with 'killers-before' the killers of two plies before, are reduced as little as killers";
    base: i32 [0..=400 "hundredths of a ply"], "reductions-base", "amount that is added to 'logarithms'";
    slope: i32 [0..=400 "hundredths of a ply"], "reductions-slope", "factor of the product of 'logarithms'";
    rising: bool, "reductions-rising",
        "moves that are reduced are reduced by a ply more where the static evaluation is not above that of two plies \
         before";
    whole: bool, "reductions-whole",
        "reductions are whole plies, rounded to the nearest, so that drafts are those of other lines; off: hundredths";
    pruning: i32 [0..=20 "plies"], "late-move-pruning",
        "largest draft at which quiet moves that give no check are skipped when enough have been searched; 0: never";
    kept: i32 [0..=60 "moves"], "late-moves-kept",
        "number of moves that are not skipped at any draft; the square of the draft is added to it";
    pruning_rising: bool, "late-move-pruning-rising",
        "half as many moves are not skipped where the static evaluation is not above that of two plies before";
    exchange: i32 [0..=20 "plies"], "exchange-pruning",
        "largest draft at which moves are skipped that lose much by exchanges; 0: never";
    exchange_margin: i32 [0..=5_000 "thousandths of a pawn"], "exchange-pruning-margin",
        "amount for each ply of draft that a move may lose by exchanges and is not skipped";
}

/// Treatment of a move that comes late in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Treatment {
    /// It is searched this much less deep, in hundredths of a ply.
    Searched(i32),
    /// It is not searched.
    Skipped,
}

/// Number of drafts and of moves that a table of logarithms has.
const ENTRIES: usize = 64;

/// Logarithms of whole numbers, in thousandths.
static LOGARITHMS: std::sync::LazyLock<[i32; ENTRIES]> =
    std::sync::LazyLock::new(|| std::array::from_fn(|i| (1000.0 * (i.max(1) as f64).ln()) as i32));

impl LateMoves {
    /// Whether late moves are treated in any way of their own.
    pub(in crate::search) fn is_used(&self) -> bool {
        self.reductions != Reductions::None || self.pruning > 0 || self.exchange > 0
    }

    /// Whether nodes need their static evaluation.
    pub(super) fn needs_standing(&self) -> bool {
        self.rising || self.pruning_rising
    }

    /// Whether so many moves of a node have been searched that the quiet ones which give no check are skipped.
    #[inline(always)]
    fn is_too_late(&self, node: &Node, number: u32) -> bool {
        let plies = node.plies();
        let kept = (self.kept + plies * plies) >> i32::from(self.pruning_rising && !node.is_rising());
        plies <= self.pruning && number as i32 >= kept && node.expected != Expected::Pv
    }
}

/// Whether moves of a node may be skipped.
#[inline(always)]
fn may_skip(node: &Node, alpha: Score) -> bool {
    !node.in_check && alpha > -Score::LONGEST_MATE && node.ply > 0
}

/// Square root of a small number.
fn root(number: i32) -> f64 {
    f64::from(number.max(0)).sqrt()
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Treatment of a legal move that is not the first of its node.
    #[inline(never)]
    pub(super) fn treat(&mut self, node: &Node, alpha: Score, mv: Move, number: u32) -> Treatment {
        let rule = &self.features.late_moves;
        let plies = node.plies();
        let is_quiet = mv.is_quiet();
        let may_skip = may_skip(node, alpha);
        let mut gives_check = None;
        let mut checks = || *gives_check.get_or_insert_with(|| self.board.gives_check(mv));
        let (mut reduction, mut of_futile) = (0, 0);
        if may_skip && is_quiet {
            let is_too_late = rule.is_too_late(node, number);
            let futility = &self.features.futility;
            let is_spared = futility.spares_killers && self.comes_early(node, mv);
            let futile = if is_spared { Futile::No } else { futility.judge(node, alpha) };
            if (is_too_late || futile != Futile::No) && !checks() {
                if is_too_late || futile == Futile::Skipped {
                    return Treatment::Skipped;
                }
                of_futile = ONE_PLY;
            }
        }
        if may_skip && plies <= rule.exchange {
            let least = Score(-rule.exchange_margin * plies);
            if !self.plan.exchange_reaches(&self.board, mv, least, Asker::Pruning) && !checks() {
                return Treatment::Skipped;
            }
        }
        let is_late = number as i32 >= rule.from && plies >= rule.draft;
        self.counters.late_moves += u64::from(is_late && rule.reductions == Reductions::Exchange);
        if is_late && (is_quiet || rule.any_move || self.plan.varies_reductions && self.is_reduced_capture(mv)) {
            reduction += self.reduction(node, mv, number as i32, !node.in_check && checks());
        }
        // A late move is left at least one ply, so that it is not judged by its captures alone. A futile one is: at
        // draft 2 the ply less leaves nothing else.
        let late = reduction.min(node.draft - 2 * ONE_PLY - of_futile).max(0);
        Treatment::Searched(late + of_futile)
    }

    /// Leaves out the quiet moves of a node that give no check, if all of them would be skipped after this number of
    /// moves.
    #[inline(always)]
    pub(super) fn leave_out_late_quiet(&mut self, node: &Node, alpha: Score, number: u32, picker: &mut Picker) {
        if self.plan.treats_late_moves
            && number > 0
            && !picker.is_without_quiet
            && self.skips_quiet(node, alpha, number)
        {
            self.leave_out_quiet(picker);
        }
    }

    /// Picks the best legal move that is left and will be searched, with its place. `number` is that of the next legal
    /// move.
    pub(crate) fn pick_to_search(
        &mut self,
        node: &Node,
        alpha: Score,
        number: &mut u32,
        picker: &mut Picker,
    ) -> Option<(Move, Place)> {
        // In a null window alpha stays as it is.
        let is_known = node.beta.0 - node.alpha.0 == 1;
        loop {
            self.leave_out_late_quiet(node, alpha, *number, picker);
            let mv = self.pick(picker)?;
            if node.in_check || self.board.is_legal(mv, false) {
                *number += 1;
                let before = *number - 1;
                let is_treated = self.plan.treats_late_moves && before > 0;
                let treatment = if is_treated { self.treat(node, alpha, mv, before) } else { Treatment::Searched(0) };
                if let Treatment::Searched(less) = treatment {
                    let reduction = Some(less).filter(|_| is_known);
                    return Some((mv, Place { number: before, is_eldest: before == 0, reduction }));
                }
                self.counters.skipped_moves += 1;
                picker.has_skipped = true;
            }
            picker.mark_untried(&mut self.moves);
        }
    }

    /// Whether every quiet move of a node that gives no check would now be skipped.
    #[inline(always)]
    pub(super) fn skips_quiet(&self, node: &Node, alpha: Score, number: u32) -> bool {
        let futility = &self.features.futility;
        let is_futile = || !futility.spares_killers && futility.judge(node, alpha) == Futile::Skipped;
        may_skip(node, alpha) && (self.features.late_moves.is_too_late(node, number) || is_futile())
    }

    /// Whether a quiet move is a killer, or is taken for one.
    #[inline(always)]
    fn comes_early(&self, node: &Node, mv: Move) -> bool {
        self.plies[node.ply].killers.contains(&Some(mv))
            || self.features.late_moves.spares_castling && self.is_ordered_late(node, mv)
    }

    /// Whether a quiet move comes before others in the order of 2023, though it is no killer of its ply.
    #[inline(never)]
    fn is_ordered_late(&self, node: &Node, mv: Move) -> bool {
        let is_killer_before = self.features.ordering.killers_before
            && node.ply.checked_sub(2).is_some_and(|before| self.plies[before].killers.contains(&Some(mv)));
        mv.kind() == MoveKind::Castling || is_killer_before
    }

    #[inline(always)]
    fn reduction(&mut self, node: &Node, mv: Move, number: i32, gives_check: bool) -> i32 {
        let rule = &self.features.late_moves;
        let is_pv = node.expected == Expected::Pv;
        let spared = i32::from(self.comes_early(node, mv)) + i32::from(node.in_check || gives_check);
        let further = if self.plan.varies_reductions { self.further_reduction(node, mv) } else { 0 };
        match rule.reductions {
            Reductions::None => 0,
            Reductions::Roots => {
                let plies = (root(node.plies() - 1) + root(number - 1)) as i32;
                (ONE_PLY * (plies - 2 * i32::from(is_pv) - spared) + further).max(0)
            }
            Reductions::Logarithms => {
                let place = |number: i32| LOGARITHMS[(number as usize).min(ENTRIES - 1)];
                let product = place(node.plies()) * place(number) / 1000;
                let falls = i32::from(rule.rising && !node.is_rising() && !node.in_check);
                let plies = falls - i32::from(is_pv) - spared;
                let amount = (rule.base + rule.slope * product / 1000 + ONE_PLY * plies + further).max(0);
                if rule.whole { (amount + ONE_PLY / 2) / ONE_PLY * ONE_PLY } else { amount }
            }
            Reductions::Exchange => {
                let is_asked = !is_pv && !node.in_check && !gives_check && mv.is_quiet() && mv.piece() != Pawn;
                self.counters.late_exchanges += u64::from(is_asked);
                let is_lost = is_asked && !self.plan.exchange_reaches(&self.board, mv, Score(0), Asker::Pruning);
                if is_lost { ONE_PLY } else { 0 }
            }
        }
    }
}
