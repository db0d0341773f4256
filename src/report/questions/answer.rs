//! Is it the same answer? The moves that runs chose, what they are worth, and the positions that they solved.

use crate::Source;
use crate::analysis::{AgainstBaseline, Group, MARGIN_CP, Regret, RegretAgainst, Solving, Verdict};
use crate::charts::figures::deepening as charts;
use crate::sentence::Sentence;
use crate::table::number::{fixed, percent};
use crate::table::{Cell, Columns, columns};

use super::rows::{self, Row, tenths};
use super::speedup::rows_ratios;
use super::{Question, is_shown, leaders, processors};

pub(super) const ANSWER: Question<Source> = Question {
    key: "answer",
    title: "Is it the same answer?",
    reading: "The same depth is not the same result. Agreement is a share of pairs of a run and a baseline; baselines \
              differ among themselves too, so only a difference from their share says anything. Regret: by how many \
              hundredths of a pawn the move is worse than the best that deeper searches know; its bound allows for one \
              blunder more than was seen. A position is solved when a search finds a best move and keeps it.",
    sentence,
    charts: &[("solutions", "share of positions solved by time", charts::solutions)],
    columns: Some(columns),
    table: |source| {
        rows::table(source, columns(source), |group| {
            group.against_baseline.is_some() || group.regret.is_some() || group.solving.is_some()
        })
    },
    ..Question::PLAIN
};

/// Fewest positions that are solved before a solution speedup is shown without an interval: a few by chance tell
/// nothing.
const FEWEST_SOLVED: f64 = 10.0;

fn sentence(source: &Source) -> Option<Sentence> {
    let group = leaders(&source.analysis).last()?[0];
    let against = group.against_baseline.as_ref()?;
    match group.regret.and_then(|regret| Some((regret.runs, regret.against?))) {
        Some((runs, regret)) => Some(Sentence::stated(of_regret(group, runs, &regret), &regret)),
        None => of_moves(group, against).map(Sentence::described),
    }
}

fn of_moves(group: &Group, against: &AgainstBaseline) -> Option<String> {
    let words = match (against.agreement.moves, against.agreement.moves_of_baselines, against.same_move) {
        (Some(moves), Some(baselines), _) => format!(
            "chooses the same move as a search on one in {} of pairs; two searches on one agree in {}",
            percent(moves),
            percent(baselines)
        ),
        (_, _, Some(share)) => format!("chooses the usual move of one processor in {} of runs", percent(share)),
        _ => return None,
    };
    Some(format!("On {}, {} {words}.", processors(&group.configuration), group.label))
}

/// Sentence on whether the moves are worse than those of one processor.
fn of_regret(group: &Group, runs: usize, against: &RegretAgainst) -> String {
    let who = format!("On {}, the moves of {}", processors(&group.configuration), group.label);
    let by = fixed(against.difference.estimate, 1);
    let bound = against.upper.map_or_else(String::new, |upper| format!(", bound {}", fixed(upper, 1)));
    match against.verdict {
        Verdict::NotWorse => format!(
            "{who} are no worse than one processor's by more than {MARGIN_CP} hundredths of a pawn (difference \
             {by}{bound}), unless blunders of more than {} occur in fewer than {} of the moves.",
            fixed(against.blunder_cp, 0),
            percent(3.0 / runs as f64)
        ),
        _ if is_shown(against.test) && against.difference.estimate > 0.0 => {
            format!(
                "{who} are worse than one processor's by {by} hundredths of a pawn: its speedup is to the same depth \
                 only."
            )
        }
        _ => format!(
            "{who} are not shown to be as good as one processor's (difference {by}{bound} hundredths of a pawn)."
        ),
    }
}

fn columns(_: &Source) -> Columns<'_, Row<'_>> {
    let agreement = columns! { AgainstBaseline, ratios;
        "same_move" as "Usual best move, %": "the share of runs that chose the move that most baselines chose" =>
            Cell::share(ratios.same_move);
        "same_move_pairs" as "Same as one, %": "the share of pairs of a run and a baseline with the same move" =>
            Cell::share(ratios.agreement.moves);
        "baselines_same_move_pairs" as "Two single ones, %":
            "the share of pairs of baselines that chose the same move" =>
            Cell::share(ratios.agreement.moves_of_baselines);
        "score_outside" as "Score outside, %" [optional]:
            "the share of runs with a score outside the range of all baselines but one, averaged over which one is \
             left out" => Cell::share(ratios.agreement.outside);
        "baselines_score_outside" as "Baselines outside, %" [optional]:
            "the share of baselines with a score outside the range of the others" =>
            Cell::share(ratios.agreement.outside_of_baselines);
    };
    let regret = columns! { Regret, regret;
        "regret_runs": "searches whose moves were judged by deeper searches" => regret.runs;
        "regret_cp" as "Regret" [with_ends]:
            "score of the best known move minus that of the move played, by deeper searches, in centipawns" =>
            regret.mean;
        "regret_difference_cp" as "Extra regret" [with_ends]:
            "regret minus that of the baseline, in centipawns; above 0 is worse" =>
            regret.against.map(|against| against.difference);
        "regret_bound_cp" as "Bound":
            "one-sided 95 % upper bound of that difference; it allows for one blunder more than was seen" =>
            regret.against.and_then(|against| against.upper).map(tenths);
        "regret_blunder_cp": "regret of the blunder that the bound allows for: the 95th percentile of those that were \
                              seen, but at least 50, and 100 if there are fewer than 20" =>
            regret.against.map(|against| tenths(against.blunder_cp));
        "moves_verdict" as "Moves":
            "not worse (the bound is below the margin), worse (the lower bound is above 0) or not shown" =>
            regret.against.map(|against| against.verdict.name());
    };
    let solving = columns! { Solving, of;
        "solving_positions": "positions that name best moves" => of.positions;
        "solved_share" as "Solved, %": "share of runs that end with a best move: mean over positions" =>
            Cell::share(of.solved);
        "median_solution_s" as "Half solved, s" [optional with_ends]:
            "time in seconds by which half of the positions are solved (Kaplan-Meier estimate); empty if fewer are" =>
            of.median_s;
        "solution_speedup" as "Solution speedup" [optional with_ends]:
            "time in which the baseline solves a share of the positions / time in which this configuration does: mean \
             over shares; empty without an interval unless ten positions were solved" => {
            let is_told = |speedup: &crate::statistics::Interval| {
                speedup.is_known() || of.solved * of.positions as f64 >= FEWEST_SOLVED
            };
            of.speedup.filter(is_told)
        };
    };
    agreement
        .of(rows_ratios)
        .and(regret.of(|row: &Row<'_>| row.group.regret.as_ref()))
        .and(solving.of(|row: &Row<'_>| row.group.solving.as_ref()))
}
