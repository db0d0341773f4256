//! The sentence of the first screen.

use crate::Source;
use crate::analysis::{Analysis, Contest};
use crate::questions;
use crate::record::{Asks, MachineKind};
use crate::sentence::Sentence;
use crate::state::{State, is_anything_shown};
use crate::table::number::counted;

use super::contest::of_contests;

/// Contests in the order in which they are spoken of: that with most processors first, of equals the real one, then the
/// largest searches.
pub(super) fn ranked(analysis: &Analysis) -> Vec<&Contest> {
    let rank = |contest: &&Contest| {
        let group = &analysis.groups[contest.candidates[0]];
        let size = group.against_baseline.as_ref().map_or(0.0, |against| against.t1_s);
        let is_virtual = group.configuration.machine == MachineKind::Virtual;
        (std::cmp::Reverse(group.configuration.threads), is_virtual, std::cmp::Reverse(size.to_bits()))
    };
    let mut contests: Vec<&Contest> =
        analysis.contests.iter().filter(|contest| !contest.candidates.is_empty()).collect();
    contests.sort_by_key(rank);
    contests
}

pub(super) fn verdict(source: &Source, contests: &[&Contest], state: &State) -> Sentence {
    let analysis = &source.analysis;
    if let Some(failing) = questions::of_failures(analysis) {
        return failing;
    }
    let all_real = analysis.quality.virtual_records == 0 && analysis.quality.real > 0;
    if all_real && state.is_ruined() && !is_anything_shown(analysis) {
        let searches = counted(state.records, "search", "searches");
        let words = format!("No verdict: {} of {searches} disturbed.", state.disturbed);
        return Sentence::stated(words, &analysis.quality);
    }
    let by: Vec<&Contest> = contests.to_vec();
    let speedups = || of_contests(analysis, contests, state).map(|words| Sentence::stated(words, &by));
    let asked = match analysis.asks() {
        Asks::Published => questions::of_published(analysis),
        // Without a sweep of copies it is also asked which configuration takes less time.
        Asks::Splitting => questions::of_split(analysis).and_then(|split| {
            let others = questions::of_differences(analysis).filter(|_| analysis.sizes.is_empty());
            Sentence::all([Some(split), others].into_iter().flatten())
        }),
        Asks::Effect => questions::of_differences(analysis).or_else(|| questions::of_effects(analysis)),
        Asks::Machines => questions::of_machines(analysis),
        Asks::Smp => questions::of_health(analysis),
        Asks::Torn => questions::of_torn(analysis),
        Asks::Cluster => questions::of_nodes(analysis),
        Asks::Best | Asks::Scaling => speedups(),
    };
    let others = || {
        let of_questions = questions::QUESTIONS.iter().filter_map(|question| (question.sentence)(source)).next();
        questions::of_micro(analysis).or(of_questions)
    };
    let nothing = || Sentence::described("There is no answer yet: nothing was measured.");
    if analysis.groups.iter().all(|group| group.runs == 0) && analysis.micro.is_empty() {
        return nothing();
    }
    asked.or_else(speedups).or_else(others).unwrap_or_else(nothing)
}
