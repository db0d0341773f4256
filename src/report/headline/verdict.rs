//! The sentence of the first screen.

use crate::Source;
use crate::analysis::labels::in_words;
use crate::analysis::{AgainstBaseline, Analysis, Contest, Group, Harder, Rivalry};
use crate::questions::{self, is_shown, processors, size};
use crate::record::{Asks, Configuration, Depth, MachineKind};
use crate::state::{State, is_anything_shown};
use crate::statistics::Interval;
use crate::table::number::{self, counted, estimate, figure, range};

/// Largest number of configurations that a sentence names.
const NAMED: usize = 2;
/// Factor of the size of searches within which an order must not turn.
const FORESEEN_DOUBLINGS: f64 = 4.0;

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

pub(super) fn verdict(source: &Source, contests: &[&Contest], state: &State) -> String {
    let analysis = &source.analysis;
    let all_real = analysis.quality.virtual_records == 0 && analysis.quality.real > 0;
    if all_real && state.is_ruined() && !is_anything_shown(analysis) {
        return format!(
            "No verdict: {} of {} disturbed.",
            state.disturbed,
            counted(state.records, "search", "searches"),
        );
    }
    let speedups = || of_contests(analysis, contests, state);
    let asked = match analysis.asks() {
        Asks::Published => questions::of_published(analysis),
        Asks::Splitting => questions::of_split(analysis),
        Asks::Effect => questions::of_differences(analysis).or_else(|| questions::of_effects(analysis)),
        Asks::Smp => questions::of_health(analysis),
        Asks::Best | Asks::Scaling => speedups(),
    };
    let others = || {
        let of_questions = questions::QUESTIONS.iter().filter_map(|question| (question.sentence)(source)).next();
        questions::of_micro(analysis).or(of_questions)
    };
    let nothing = || "There is no answer yet: nothing was measured.".to_owned();
    if analysis.groups.iter().all(|group| group.runs == 0) && analysis.micro.is_empty() {
        return nothing();
    }
    asked.or_else(speedups).or_else(others).unwrap_or_else(nothing)
}

/// What the first contest shows, and in brief that of the other machine.
fn of_contests(analysis: &Analysis, contests: &[&Contest], state: &State) -> Option<String> {
    let first = contests.first()?;
    if let Some(text) = analysis.description.size_s.and_then(|size_s| at_one_size(analysis, contests, size_s)) {
        return Some(text);
    }
    let mut text = of_contest(analysis, first, contests, state)?;
    let machine = |contest: &Contest| analysis.groups[contest.candidates[0]].configuration.machine;
    let other = contests.iter().find(|contest| machine(contest) != machine(first));
    if let Some(brief) = other.and_then(|other| in_brief(analysis, other, state)) {
        text.push_str(&format!(" {brief}"));
    }
    Some(text)
}

/// Speedups at the size that the experiment asks for, where searches of all problems can be held side by side. Nothing
/// is ranked: the order of times is that of the problem, and between problems there is none.
fn at_one_size(analysis: &Analysis, contests: &[&Contest], size_s: f64) -> Option<String> {
    let at = |&place: &usize| {
        let group = &analysis.groups[place];
        let size = group.by_size.as_ref()?.sizes.iter().find(|size| size.t1_s == size_s)?;
        Some((size.time_speedup, group))
    };
    let mut all: Vec<(Interval, &Group)> =
        contests.iter().flat_map(|contest| &contest.candidates).filter_map(at).collect();
    all.sort_by(|one, other| other.0.estimate.total_cmp(&one.0.estimate));
    let (_, first) = all.first()?;
    let on = processors(&first.configuration);
    let words: Vec<String> = all
        .iter()
        .filter(|(_, group)| group.configuration.threads == first.configuration.threads)
        .map(|(speedup, group)| format!("{} {}", group.label, number::interval(speedup)))
        .collect();
    Some(format!("Time speedup on {on}, where one takes {}: {}.", seconds(size_s), few(&words)))
}

/// Candidates of a contest by their speedup, the largest first; those without one last.
pub(super) fn by_speedup(analysis: &Analysis, contest: &Contest) -> Vec<usize> {
    let mut candidates = contest.candidates.clone();
    let time = |&place: &usize| -speedup_of(&analysis.groups[place]);
    candidates.sort_by(|one, other| match contest.between(*one, *other) {
        // Of configurations with baselines of their own times count, not speedups.
        Some(rivalry) if rivalry.time.estimate.is_finite() => 1.0_f64.total_cmp(&rivalry.time.estimate),
        _ => time(one).total_cmp(&time(other)),
    });
    candidates
}

fn speedup_of(group: &Group) -> f64 {
    Some(group.time_speedup()).filter(|speedup| speedup.is_finite()).unwrap_or(0.0)
}

fn of_contest(analysis: &Analysis, contest: &Contest, all: &[&Contest], state: &State) -> Option<String> {
    let candidates = by_speedup(analysis, contest);
    let leader = *candidates.first()?;
    let group = &analysis.groups[leader];
    let against = group.against_baseline.as_ref()?;
    let is_real = group.configuration.machine == MachineKind::Real;
    if is_real && state.is_ruined() && !contest.rivalries.iter().any(|rivalry| is_shown(rivalry.p)) {
        return Some(format!(
            "No verdict on real processors: {} of {} searches disturbed.",
            state.disturbed, state.records
        ));
    }
    let on = processors(&group.configuration);
    let label = &group.label;
    let asked = asked(analysis, &group.configuration, all);
    let speedup = &against.time_speedup;
    if !speedup.estimate.is_finite() {
        let bound = group.limited.bound?;
        return Some(format!(
            "{asked}On {on} the time speedup of {label} is {} {}: the limit cut searches off.",
            bound.side.words(),
            figure(bound.ratio)
        ));
    }
    let Harder { time_speedup: speedup, faster_p, t1_s, alone, .. } = against.harder();
    let factor = format!("{} ({})", estimate(&speedup), range(&speedup));
    let shown = match (is_shown(faster_p), speedup.estimate > 1.0) {
        (true, false) => format!("{label} is slower than {alone}: {factor}"),
        (false, _) if faster_p.is_some() => format!("{label} is not shown to be faster than {alone}: {factor}"),
        _ => format!("{label} is {} times ({}) as fast as {alone}", estimate(&speedup), range(&speedup)),
    };
    // A speedup holds for the size of the searches.
    let size = format!("which takes {}", seconds(t1_s));
    Some(format!("{asked}On {on}, {shown}, {size}{}.", order(analysis, contest, &candidates)))
}

/// A time with its unit.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1e-3 => format!("{} µs", figure(seconds * 1e6)),
        seconds if seconds < 0.1 => format!("{} ms", figure(seconds * 1e3)),
        seconds => format!("{} s", figure(seconds)),
    }
}

/// Sentence on searches that are too small for their processors.
pub(super) fn too_small(analysis: &Analysis, contest: &Contest) -> Option<String> {
    let groups = contest.candidates.iter().map(|&place| &analysis.groups[place]);
    let small: Vec<&Group> = groups.filter(|group| size::is_too_small(group)).collect();
    let group = small.first()?;
    let against = group.against_baseline.as_ref()?;
    Some(format!(
        "These searches are too small for {}: one takes {}, and speedups still grow with size. Search deeper.",
        processors(&group.configuration),
        seconds(against.t1_s)
    ))
}

/// Words for the problem, where there are several.
fn asked(analysis: &Analysis, configuration: &Configuration, all: &[&Contest]) -> String {
    let of_machine = all.iter().filter(|contest| contest.problem.machine == configuration.machine).count();
    if of_machine < 2 {
        return String::new();
    }
    let varies = |field: &str| all.iter().any(|contest| contest.problem.field(field) != configuration.field(field));
    let words: Vec<String> = ["features", "engine", "depth", "costs"]
        .into_iter()
        .filter(|field| varies(field))
        .filter(|field| *field != "depth" || configuration.depth != Depth::Unlimited)
        .map(|field| in_words(field, configuration, &analysis.description.names))
        .filter(|words| !words.is_empty())
        .collect();
    if words.is_empty() { String::new() } else { format!("With {}: ", words.join(", ")) }
}

/// `; ybwc (2.89) is not shown to differ; root (1.22) is slower`, as tests of times have shown.
fn order(analysis: &Analysis, contest: &Contest, candidates: &[usize]) -> String {
    let Some((&leader, others)) = candidates.split_first() else { return String::new() };
    let harder = |place: usize| analysis.groups[place].against_baseline.as_ref().map(AgainstBaseline::harder);
    // The speedups of a sentence are beside one baseline.
    let step = harder(leader).and_then(|harder| harder.step);
    let name = |&place: &usize| {
        let label = &analysis.groups[place].label;
        let speedup = harder(place).filter(|harder| harder.step == step).map(|harder| harder.time_speedup);
        let speedup = speedup.filter(|speedup| speedup.estimate.is_finite());
        speedup.map_or(label.clone(), |speedup| format!("{label} ({})", estimate(&speedup)))
    };
    let named = |rivals: &[Rivalry], one: &str, many: &str| {
        let words: Vec<String> = rivals.iter().map(|rivalry| name(&rivalry.groups[1])).collect();
        (!rivals.is_empty()).then(|| format!("{} {}", few(&words), if rivals.len() == 1 { one } else { many }))
    };
    let rivalries: Vec<Rivalry> = others.iter().filter_map(|&other| contest.between(leader, other)).collect();
    if others.is_empty() {
        return String::new();
    }
    if !rivalries.is_empty() && rivalries.iter().all(|rivalry| rivalry.is_identical) {
        return format!("; all {} took the same time in every search", candidates.len());
    }
    if rivalries.iter().all(|rivalry| rivalry.p.is_none()) {
        return format!("; the order of {} cannot be tested: nothing was repeated", candidates.len());
    }
    let is_slower = |rivalry: &Rivalry| is_shown(rivalry.p) && rivalry.time.estimate > 1.0;
    let (slower, level): (Vec<Rivalry>, Vec<Rivalry>) = rivalries.into_iter().partition(is_slower);
    let first = &analysis.groups[leader].label;
    let parts = [
        named(&level, "is not shown to differ", "are not shown to differ"),
        named(&slower, &format!("is slower than {first}"), &format!("are slower than {first}"))
            .map(|words| format!("{words}{}", turning(analysis, &slower))),
    ];
    parts.into_iter().flatten().map(|part| format!("; {part}")).collect()
}

/// Qualification of an order that larger searches may turn: within a factor of 16 of the size by the growth that was
/// shown, or seen to be otherwise at a quarter of it.
fn turning(analysis: &Analysis, slower: &[Rivalry]) -> String {
    for Rivalry { groups, outgrowth, .. } in slower {
        let [first, second] = groups.map(|place| &analysis.groups[place]);
        let gap = speedup_of(first).ln() - speedup_of(second).ln();
        let Some(growth) = outgrowth.map(|outgrowth| outgrowth.ratio) else { continue };
        let may_turn = gap - FORESEEN_DOUBLINGS * growth.high.ln() < 0.0 && growth.low > 1.0;
        if may_turn {
            let level = seconds(first.t1_s() * (gap / growth.estimate.ln()).exp2());
            return format!(
                " for searches of this size; {} gains more from size, and would be level at about {level}",
                second.label
            );
        }
        if turned_at_a_quarter(first, second) {
            return " for searches of this size only".to_owned();
        }
    }
    String::new()
}

/// Whether searches of a quarter of the size have the other order.
fn turned_at_a_quarter(first: &Group, second: &Group) -> bool {
    let at = |group: &Group| {
        let sizes = &group.by_size.as_ref()?.sizes;
        let near = sizes.iter().filter(|size| size.t1_s <= first.t1_s() / 4.0 * 1.001);
        near.max_by(|one, other| one.t1_s.total_cmp(&other.t1_s)).map(|size| size.time_speedup.estimate)
    };
    matches!((at(first), at(second)), (Some(first), Some(second)) if first < second)
}

/// `On 2 real processors: lazy 1.46, ybwc 1.20.`
fn in_brief(analysis: &Analysis, contest: &Contest, state: &State) -> Option<String> {
    let candidates = by_speedup(analysis, contest);
    let group = &analysis.groups[*candidates.first()?];
    let on = processors(&group.configuration);
    if group.configuration.machine == MachineKind::Real && state.is_ruined() {
        return Some(format!("On {on}: no verdict, {} of {} searches disturbed.", state.disturbed, state.records));
    }
    let measured = candidates.iter().filter_map(|&place| {
        let group = &analysis.groups[place];
        let against = group.against_baseline.as_ref()?;
        against.time_speedup.estimate.is_finite().then_some((group, against))
    });
    let is_gain =
        |(_, against): (&Group, &AgainstBaseline)| is_shown(against.faster_p) && against.time_speedup.estimate > 1.0;
    let gain = if measured.clone().any(is_gain) { "" } else { " no gain is shown" };
    let words: Vec<String> =
        measured.map(|(group, against)| format!("{} {}", group.label, estimate(&against.time_speedup))).collect();
    (!words.is_empty()).then(|| format!("On {on}{gain}: {}.", few(&words)))
}

/// A single one more than are named is named too: `1 other` is no shorter.
fn few(words: &[String]) -> String {
    questions::few(words, if words.len() == NAMED + 1 { NAMED + 1 } else { NAMED })
}
