//! Sentences on whether what a faster search found is worth as much: the same depth is not the same result. A
//! difference is named only if a test has shown it, and moves are called no worse only within a margin.

use super::is_shown;
use crate::report::analysis::{AgainstBaseline, Group, MARGIN_CP, RegretAgainst, Verdict};
use crate::statistics::Interval;
use crate::table::number::{fixed, percent};

/// Sentences on the moves of the configuration that the answer speaks of.
pub(super) fn sentences(group: &Group, against: &AgainstBaseline) -> Vec<String> {
    let regret = group.regret.and_then(|regret| regret.against).map(|against| regret(&against));
    regret.into_iter().chain(same_move(against)).collect()
}

/// Whether the moves are shown to be no worse, or to be worse.
fn regret(against: &RegretAgainst) -> String {
    let difference = against.difference.estimate;
    let by = match difference {
        0.0 => "no higher than".to_owned(),
        0.0.. => format!("{} centipawns higher than", tenths(difference)),
        _ => format!("{} centipawns lower than", tenths(-difference)),
    };
    let bound = against.upper.map_or_else(String::new, |upper| format!(", upper bound {}", tenths(upper)));
    let seen = match against.difference.is_known() {
        true => {
            let Interval { low, high, .. } = against.difference;
            format!("{by} that of one processor's moves (difference {} to {}{bound})", tenths(low), tenths(high))
        }
        false => format!("{by} that of one processor's moves (no interval can be given{bound})"),
    };
    match against.verdict {
        Verdict::NotWorse => format!(
            "Its moves are shown to be no worse, within a margin of {MARGIN_CP} centipawns: by deeper searches, their \
             regret is {seen}."
        ),
        _ if is_shown(against.p) && difference > 0.0 => format!(
            "Its moves are shown to be worse: by deeper searches, their regret is {seen}. Its time speedup is \
             therefore to the same depth, not to the same result."
        ),
        _ => {
            format!(
                "Its moves are not shown to be as good, within a margin of {MARGIN_CP} centipawns: by deeper searches, \
                 their regret is {seen}. Its time speedup is therefore to the same depth, and is not shown for the \
                 same result."
            )
        }
    }
}

/// Centipawns with one digit after the point.
fn tenths(centipawns: f64) -> String {
    fixed(centipawns, 1)
}

/// Agreement with the baselines, beside theirs with each other.
fn same_move(against: &AgainstBaseline) -> Option<String> {
    let share = against.same_move?;
    let own = match share {
        1.0 => "In all of its runs it chose the move that most baselines chose".to_owned(),
        _ => format!("In {} of its runs it chose the move that most baselines chose", percent(share)),
    };
    let agreement = against.agreement;
    Some(match (agreement.moves, agreement.moves_of_baselines) {
        (Some(moves), Some(of_baselines)) if moves < 1.0 || of_baselines < 1.0 => format!(
            "{own}; a run and a baseline chose the same move in {} of pairs, two baselines in {}.",
            percent(moves),
            percent(of_baselines)
        ),
        _ if share < 1.0 => format!("{own}: the same depth does not mean the same result."),
        _ => format!("{own}."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_as_good_only_within_a_margin() {
        let against = |difference: f64, upper: Option<f64>, verdict, p| RegretAgainst {
            difference: Interval { estimate: difference, low: difference - 1.0, high: difference + 1.0 },
            upper,
            verdict,
            p: Some(p),
        };
        for (against, expected) in [
            (
                against(0.5, Some(4.0), Verdict::NotWorse, 0.2),
                "Its moves are shown to be no worse, within a margin of 5 centipawns: by deeper searches, their \
                 regret is 0.5 centipawns higher than that of one processor's moves (difference −0.5 to 1.5, upper \
                 bound 4.0).",
            ),
            (
                against(12.0, Some(20.0), Verdict::Worse, 0.01),
                "Its moves are shown to be worse: by deeper searches, their regret is 12.0 centipawns higher than \
                 that of one processor's moves (difference 11.0 to 13.0, upper bound 20.0). Its time speedup is \
                 therefore to the same depth, not to the same result.",
            ),
            (
                // Not after the correction for all claims.
                against(12.0, Some(20.0), Verdict::Worse, 0.2),
                "Its moves are not shown to be as good, within a margin of 5 centipawns: by deeper searches, their \
                 regret is 12.0 centipawns higher than that of one processor's moves (difference 11.0 to 13.0, upper \
                 bound 20.0). Its time speedup is therefore to the same depth, and is not shown for the same result.",
            ),
            (
                RegretAgainst { difference: Interval::unknown(-3.0), ..against(0.0, None, Verdict::NotShown, 1.0) },
                "Its moves are not shown to be as good, within a margin of 5 centipawns: by deeper searches, their \
                 regret is 3.0 centipawns lower than that of one processor's moves (no interval can be given). Its \
                 time speedup is therefore to the same depth, and is not shown for the same result.",
            ),
        ] {
            assert_eq!(regret(&against), expected);
        }
    }
}
