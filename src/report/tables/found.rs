//! Tables for readers of what searches found and not only when: the worth of their moves, their agreement with the
//! baseline, the speedup on the way to the last depth, and the times to solutions.

use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Group, MARGIN_CP};
use crate::table::Table;
use crate::table::number::level;

use super::shown::{configurations, intervals};

/// Worth of the moves by deeper searches.
pub(crate) fn regrets(analysis: &Analysis, machine: MachineKind) -> Table {
    let deeper = analysis.description.judge.unwrap_or_default();
    let explanation = format!(
        "Regret: by how many centipawns the move played is worse than the best known move, judged by searches {deeper} \
         plies deeper. Means over positions, with {}. Verdict 'not worse': the one-sided upper bound of the difference \
         from the baseline, which allows for one blunder more than was seen, is below {MARGIN_CP} centipawns.",
        intervals(analysis)
    );
    let names = "regret_runs regret_cp regret_difference_cp regret_bound_cp moves_verdict";
    configurations(analysis, machine, "Quality of the moves", &explanation, names, |group| group.regret.is_some())
}

/// Agreement of runs with the baselines, beside that of the baselines with each other.
pub(crate) fn agreement(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = "Shares of pairs that chose the same move, and of runs whose score lies outside the range of all \
                       baselines but one: means over positions. Baselines differ among themselves too; only a \
                       difference from their shares says anything. Point estimates.";
    let names = "same_move same_move_pairs baselines_same_move_pairs score_outside baselines_score_outside";
    let is_shown = |group: &Group| group.against_baseline.is_some();
    configurations(analysis, machine, "Agreement with the baseline", explanation, names, is_shown)
}

/// Trend of the time speedup with depth.
pub(crate) fn by_depth(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Time speedup at the depths that the same runs reached, with {}: at the first depth that takes a millisecond, \
         at the last depth, and the factor by which it changes per ply (least squares).",
        intervals(analysis)
    );
    let names = "first_depth first_time_speedup last_depth last_time_speedup speedup_per_ply";
    let is_shown = |group: &Group| group.by_depth.as_ref().is_some_and(|by_depth| by_depth.depths.len() > 1);
    configurations(analysis, machine, "Speedup by depth", &explanation, names, is_shown)
}

/// Times to the solutions of positions that name best moves.
pub(crate) fn solutions(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "A position is solved when a search finds a best move that it keeps to its end; times are in {}. A search that \
         ends without a best move is censored there (Kaplan-Meier estimate). The solution speedup is the ratio of the \
         times at which the same share of positions is solved, averaged over all shares that both reach after a \
         millisecond. Intervals of {} are for positions like these.",
        machine.seconds(),
        level()
    );
    let names = "solving_positions solved_share median_solution_s solution_speedup";
    configurations(analysis, machine, "Time to solution", &explanation, names, |group| group.solving.is_some())
}
