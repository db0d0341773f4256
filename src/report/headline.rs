//! The first screen: the verdict, the numbers that carry it, what undermines it, and one small table. Sentences come
//! from one template for each kind of question. An order is claimed of times at one problem only, by paired tests that
//! are corrected for all claims, and holds for the size of the searches that it names.

use crate::record::{Asks, Configuration, Depth, MachineKind};
use crate::statistics::Interval;
use crate::table::number::{self, counted, estimate, figure, percent, range};
use crate::table::{Cell, Table, columns};

use super::Source;
use super::analysis::{AgainstBaseline, Analysis, Comparison, Contest, Group};
use super::question::Subject;
use super::questions::{self, is_shown, processors};
use super::questions::{losses, size};

#[cfg(test)]
mod tests;

/// What a reader sees first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Headline {
    /// What must be known before any figure is read, each with its remedy.
    pub alerts: Vec<String>,
    /// What limits the verdict, each with its remedy; a page shows it as a tile.
    pub cautions: Vec<String>,
    /// One or two sentences that answer the question.
    pub verdict: String,
    /// Numbers that carry the story.
    pub tiles: Vec<Tile>,
    /// The figures that the verdict stands on.
    pub table: Table,
}

/// A number with what it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tile {
    pub number: String,
    pub words: String,
    /// Whether it undermines the verdict.
    pub is_warning: bool,
}

/// Share of disturbed records from which on they are spoken of first, and share of the processors' time.
const MANY_DISTURBED: f64 = 0.1;
const MUCH_TAKEN: f64 = 0.05;
/// Share of the processors' time below which it is not what disturbed.
const LITTLE_TAKEN: f64 = 0.01;
/// Share from which on times say nothing.
const RUINED: f64 = 0.2;
/// Largest number of rows of the table.
const MOST_ROWS: usize = 8;
/// Largest number of its columns.
const MOST_COLUMNS: usize = 9;
/// Largest number of configurations that a sentence names.
const NAMED: usize = 2;
/// Factor of the size of searches within which an order must not turn.
const FORESEEN_DOUBLINGS: f64 = 4.0;

impl Headline {
    /// Headline of an analysis.
    pub fn of(source: &Source) -> Self {
        let analysis = &source.analysis;
        let state = State::of(analysis);
        let alerts: Vec<String> = missing(analysis).into_iter().chain(state.alert(analysis)).collect();
        let contests = ranked(analysis);
        let lead = contests.first().copied();
        let asks = analysis.asks();
        let is_of_speedups = matches!(asks, Asks::Best | Asks::Scaling | Asks::Published);
        let lead = lead.filter(|_| is_of_speedups || analysis.comparisons.is_empty() && analysis.effects.is_empty());
        let cautions = lead.and_then(|contest| too_small(analysis, contest)).into_iter().collect();
        let verdict = verdict(source, &contests, &state);
        let tiles = tiles(analysis, lead, &state);
        let table = match asks {
            Asks::Published => questions::beside_published(analysis),
            Asks::Splitting => Some(small(questions::first_of_splits(source))).filter(|table| !table.rows.is_empty()),
            Asks::Effect => of_question(source, "differences").or_else(|| of_question(source, "effects")),
            Asks::Best | Asks::Scaling => None,
        };
        let table = table.unwrap_or_else(|| self::table(source, &contests, &state));
        Self { alerts, cautions, verdict, tiles, table }
    }
}

/// Condition in which real searches were measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct State {
    records: usize,
    disturbed: usize,
    /// Share of records that were disturbed, or may have been.
    doubtful: f64,
    /// Mean share of the processor time wanted that was taken away.
    taken: f64,
}

impl State {
    fn of(analysis: &Analysis) -> Self {
        let quality = &analysis.quality;
        // What was disturbed on purpose is what was to be measured.
        let is_meant = |group: usize| !analysis.groups[group].configuration.disturb.is_none();
        let arms: Vec<_> = quality.arms.iter().filter(|arm| !is_meant(arm.group)).collect();
        let sum = |of: fn(&super::analysis::Arm) -> usize| arms.iter().map(|arm| of(arm)).sum::<usize>();
        let (records, disturbed, unknown) = (sum(|arm| arm.records), sum(|arm| arm.disturbed), sum(|arm| arm.unknown));
        let told: Vec<_> = arms.iter().filter_map(|arm| arm.taken).collect();
        let weight: usize = told.iter().map(|taken| taken.records).sum();
        let taken = told.iter().map(|taken| taken.mean * taken.records as f64).sum::<f64>() / weight.max(1) as f64;
        let doubtful = (disturbed + unknown) as f64 / records.max(1) as f64;
        Self { records, disturbed, doubtful, taken }
    }

    fn is_ruined(&self) -> bool {
        self.disturbed as f64 > RUINED * self.records as f64 || self.taken > RUINED
    }

    fn is_disturbed(&self) -> bool {
        self.disturbed as f64 > MANY_DISTURBED * self.records as f64 || self.taken > MUCH_TAKEN
    }

    fn alert(&self, analysis: &Analysis) -> Option<String> {
        let has_unknown = self.doubtful > RUINED && !self.is_disturbed();
        if has_unknown && analysis.quality.virtual_records == 0 {
            let unknown = counted((self.doubtful * self.records as f64).round() as u64, "search was", "searches were");
            return Some(format!(
                "{unknown} too short to tell whether other programs disturbed them: no difference is claimed. Search deeper."
            ));
        }
        self.is_disturbed().then(|| {
            let records = counted(self.records, "real search", "real searches");
            let times = if self.is_ruined() { "The real times mean nothing" } else { "The real times are doubtful" };
            let by = match self.taken >= LITTLE_TAKEN {
                true => format!("other programs took {} of the processors", percent(self.taken)),
                false => "other programs kept processors busy beside them".to_owned(),
            };
            format!(
                "{} of {records} were disturbed: {by}. {times}; run again when the computer is quiet.",
                self.disturbed
            )
        })
    }
}

/// Whether real searches were disturbed so much that their times mean nothing.
pub(in crate::report) fn is_ruined(analysis: &Analysis) -> bool {
    State::of(analysis).is_ruined()
}

/// Sentence on cells that failed or lack a record.
fn missing(analysis: &Analysis) -> Option<String> {
    let quality = &analysis.quality;
    let (failed, cut) = (quality.failed.len() as u64, quality.cut.len() as u64);
    let parts = [(failed, "failed"), (cut, "were cut off by the limit"), (quality.missing, "have no record yet")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let (of, remedy) = match quality.missing > 0 {
        true => ("Preliminary: of", " Continue with --resume."),
        false => ("Of", " The reasons stand under 'How was it made?'."),
    };
    (!parts.is_empty())
        .then(|| format!("{of} {}, {}.{remedy}", counted(quality.cells, "cell", "cells"), number::listed(&parts)))
}

/// Sentence on searches that are too small for their processors.
fn too_small(analysis: &Analysis, contest: &Contest) -> Option<String> {
    let groups = contest.candidates.iter().map(|&place| &analysis.groups[place]);
    let small: Vec<&Group> = groups.filter(|group| size::is_too_small(group)).collect();
    let group = small.first()?;
    let against = group.against_baseline.as_ref()?;
    Some(format!(
        "These searches are too small for {}: one takes {}, and speedups still grow with size. Search deeper.",
        processors(group.configuration.threads, group.configuration.machine),
        seconds(against.t1_s)
    ))
}

/// Contests in the order in which they are spoken of: that with most processors first, of equals the real one, then the
/// largest searches.
fn ranked(analysis: &Analysis) -> Vec<&Contest> {
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

fn verdict(source: &Source, contests: &[&Contest], state: &State) -> String {
    let analysis = &source.analysis;
    let all_real = analysis.quality.virtual_records == 0 && analysis.quality.real > 0;
    if all_real && state.is_ruined() && !analysis.claims.iter().any(super::analysis::Claim::is_shown) {
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
        Asks::Best | Asks::Scaling => speedups(),
    };
    let others = || {
        let of_questions = Source::QUESTIONS.iter().filter_map(|question| (question.sentence)(source)).next();
        questions::of_micro(analysis).or(of_questions)
    };
    let nothing = || "There is no answer yet: nothing was measured.".to_owned();
    let has_any = analysis.groups.iter().any(|group| group.runs > 0) || !analysis.micro.is_empty();
    if !has_any {
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
    if let Some(other) = contests.iter().find(|contest| machine(contest) != machine(first)) {
        text.push_str(&in_brief(analysis, other, state).map(|brief| format!(" {brief}")).unwrap_or_default());
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
    let on = processors(first.configuration.threads, first.configuration.machine);
    let words: Vec<String> = all
        .iter()
        .filter(|(_, group)| group.configuration.threads == first.configuration.threads)
        .map(|(speedup, group)| format!("{} {}", group.label, number::interval(speedup)))
        .collect();
    Some(format!("Time speedup on {on}, where one takes {}: {}.", seconds(size_s), few(&words)))
}

/// Candidates of a contest by their speedup, the largest first; those without one last.
fn by_speedup(analysis: &Analysis, contest: &Contest) -> Vec<usize> {
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
    let speedup = group.against_baseline.as_ref().map_or(f64::NAN, |against| against.time_speedup.estimate);
    if speedup.is_finite() { speedup } else { 0.0 }
}

fn of_contest(analysis: &Analysis, contest: &Contest, all: &[&Contest], state: &State) -> Option<String> {
    let candidates = by_speedup(analysis, contest);
    let leader = *candidates.first()?;
    let group = &analysis.groups[leader];
    let against = group.against_baseline.as_ref()?;
    let machine = group.configuration.machine;
    if machine == MachineKind::Real && state.is_ruined() && !any_shown(contest) {
        return Some(format!(
            "No verdict on real processors: {} of {} searches disturbed.",
            state.disturbed, state.records
        ));
    }
    let on = processors(group.configuration.threads, machine);
    let label = &group.label;
    let at = at_size(against);
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
    let is_faster = is_shown(against.faster_p);
    let shown = match (is_faster, speedup.estimate > 1.0) {
        (true, true) | (false, _) if against.faster_p.is_none() || is_faster => {
            format!("{label} is {} times as fast as one ({})", estimate(speedup), range(speedup))
        }
        (true, false) => format!("{label} is slower than one: {} ({})", estimate(speedup), range(speedup)),
        _ => format!("{label} is not shown to be faster than one: {} ({})", estimate(speedup), range(speedup)),
    };
    Some(format!("{asked}On {on}, {shown}, {at}{}.", order(analysis, contest, &candidates)))
}

/// `which takes 0.23 s`: a speedup holds for the size of the searches.
fn at_size(against: &AgainstBaseline) -> String {
    format!("which takes {}", seconds(against.t1_s))
}

/// A time with its unit.
fn seconds(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1e-3 => format!("{} µs", figure(seconds * 1e6)),
        seconds if seconds < 0.1 => format!("{} ms", figure(seconds * 1e3)),
        seconds => format!("{} s", figure(seconds)),
    }
}

/// What was asked for, where there are several problems.
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
        .map(|field| super::analysis::labels::in_words(field, configuration, &analysis.description.names))
        .filter(|words| !words.is_empty())
        .collect();
    if words.is_empty() { String::new() } else { format!("With {}: ", words.join(", ")) }
}

fn any_shown(contest: &Contest) -> bool {
    contest.rivalries.iter().any(|rivalry| is_shown(rivalry.p))
}

/// `; ybwc (2.89) is not shown to differ; root (1.22) is slower`, as tests of times have shown.
fn order(analysis: &Analysis, contest: &Contest, candidates: &[usize]) -> String {
    let Some((&leader, others)) = candidates.split_first() else { return String::new() };
    let name = |&place: &usize| {
        let group = &analysis.groups[place];
        let speedup = group.against_baseline.as_ref().map(|against| against.time_speedup);
        let speedup = speedup.filter(|speedup| speedup.estimate.is_finite());
        speedup.map_or(group.label.clone(), |speedup| format!("{} ({})", group.label, estimate(&speedup)))
    };
    let named = |places: &[usize], one: &str, many: &str| {
        let words: Vec<String> = places.iter().map(name).collect();
        (!places.is_empty()).then(|| format!("{} {}", few(&words), if places.len() == 1 { one } else { many }))
    };
    let rivalries: Vec<_> = others.iter().filter_map(|&other| Some((other, contest.between(leader, other)?))).collect();
    if others.is_empty() {
        return String::new();
    }
    if !rivalries.is_empty() && rivalries.iter().all(|(_, rivalry)| rivalry.is_identical) {
        return format!("; all {} took the same time in every search", candidates.len());
    }
    if rivalries.iter().all(|(_, rivalry)| rivalry.p.is_none()) {
        return format!("; the order of {} cannot be tested: nothing was repeated", candidates.len());
    }
    let is_slower = |rivalry: &super::analysis::Rivalry| is_shown(rivalry.p) && rivalry.time.estimate > 1.0;
    let (slower, level): (Vec<_>, Vec<_>) = rivalries.iter().partition(|(_, rivalry)| is_slower(rivalry));
    let slower: Vec<usize> = slower.iter().map(|(other, _)| *other).collect();
    let level: Vec<usize> = level.iter().map(|(other, _)| *other).collect();
    let first = &analysis.groups[leader].label;
    let parts = [
        named(&level, "is not shown to differ", "are not shown to differ"),
        named(&slower, &format!("is slower than {first}"), &format!("are slower than {first}"))
            .map(|words| format!("{words}{}", turning(analysis, leader, &slower))),
    ];
    parts.into_iter().flatten().map(|part| format!("; {part}")).collect()
}

/// Qualification of an order that larger searches may turn: within a factor of 16 of the size by the growth that was
/// shown, or seen to be otherwise at a quarter of it.
fn turning(analysis: &Analysis, leader: usize, slower: &[usize]) -> String {
    for &other in slower {
        let [first, second] = [leader, other].map(|place| &analysis.groups[place]);
        let gap = speedup_of(first).ln() - speedup_of(second).ln();
        let Some(growth) = outgrowth(analysis, leader, other) else { continue };
        let may_turn = gap - FORESEEN_DOUBLINGS * growth.high.ln() < 0.0 && growth.low > 1.0;
        if may_turn {
            let t1_s = first.against_baseline.as_ref().map_or(f64::NAN, |against| against.t1_s);
            let level = seconds(t1_s * (gap / growth.estimate.ln()).exp2());
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

/// Factor by which the speedup of the second grows relative to that of the first when searches double.
fn outgrowth(analysis: &Analysis, first: usize, second: usize) -> Option<Interval> {
    analysis.outgrowths.iter().find_map(|one| match one.groups {
        [a, b] if [a, b] == [first, second] => Some(one.ratio),
        [a, b] if [b, a] == [first, second] => Some(one.ratio.inverse()),
        _ => None,
    })
}

/// Whether searches of a quarter of the size have the other order.
fn turned_at_a_quarter(first: &Group, second: &Group) -> bool {
    let t1_s = first.against_baseline.as_ref().map_or(f64::NAN, |against| against.t1_s);
    let at = |group: &Group| {
        let sizes = &group.by_size.as_ref()?.sizes;
        let near = sizes.iter().filter(|size| size.t1_s <= t1_s / 4.0 * 1.001);
        near.max_by(|one, other| one.t1_s.total_cmp(&other.t1_s)).map(|size| size.time_speedup.estimate)
    };
    matches!((at(first), at(second)), (Some(first), Some(second)) if first < second)
}

/// `On 2 real processors: lazy 1.46, ybwc 1.20.`
fn in_brief(analysis: &Analysis, contest: &Contest, state: &State) -> Option<String> {
    let candidates = by_speedup(analysis, contest);
    let group = &analysis.groups[*candidates.first()?];
    let on = processors(group.configuration.threads, group.configuration.machine);
    if group.configuration.machine == MachineKind::Real && state.is_ruined() {
        return Some(format!("On {on}: no verdict, {} of {} searches disturbed.", state.disturbed, state.records));
    }
    let words = candidates.iter().filter_map(|&place| {
        let group = &analysis.groups[place];
        let speedup = group.against_baseline.as_ref()?.time_speedup;
        speedup.estimate.is_finite().then(|| format!("{} {}", group.label, estimate(&speedup)))
    });
    let words: Vec<String> = words.collect();
    let is_gain = |&place: &usize| {
        let against = analysis.groups[place].against_baseline.as_ref();
        against.is_some_and(|against| is_shown(against.faster_p) && against.time_speedup.estimate > 1.0)
    };
    let gain = if candidates.iter().any(is_gain) { "" } else { " no gain is shown" };
    (!words.is_empty()).then(|| format!("On {on}{gain}: {}.", few(&words)))
}

fn few(words: &[String]) -> String {
    let mut named: Vec<String> = words.iter().take(NAMED).cloned().collect();
    match words.len() - named.len() {
        0 => {}
        1 => named.extend(words.last().cloned()),
        more => named.push(format!("{more} others")),
    }
    number::listed(&named)
}

fn tiles(analysis: &Analysis, lead: Option<&Contest>, state: &State) -> Vec<Tile> {
    let mut tiles = Vec::new();
    let tile = |number: String, words: String, is_warning: bool| Tile { number, words, is_warning };
    let is_measurable = |group: &&Group| group.configuration.machine != MachineKind::Real || !state.is_ruined();
    let group = lead.and_then(|contest| analysis.groups.get(*by_speedup(analysis, contest).first()?));
    if let Some(group) = group.filter(is_measurable)
        && let Some(against) = group.against_baseline.as_ref()
        && against.time_speedup.estimate.is_finite()
    {
        let on = format!("{} on {} {}", group.label, group.configuration.threads, group.configuration.machine.name());
        let efficiency = percent(against.time_speedup.estimate / against.factors.processors);
        // Beside the thesis its own average speaks.
        if analysis.asks() != Asks::Published {
            tiles.push(tile(
                estimate(&against.time_speedup),
                format!("time speedup of {on}: efficiency {efficiency}"),
                false,
            ));
        }
        if let Some(loss) = losses(against).first() {
            tiles.push(tile(percent(loss.share), format!("lost to {}: the largest loss of {on}", loss.name), false));
        }
        let grows = size::growth(group)
            .filter(|growth| growth.low > 1.0)
            .map(|growth| format!("; the speedup grows by {} when that time doubles", percent(growth.estimate - 1.0)));
        let nodes = number::in_words(against.nodes_1);
        tiles.push(tile(
            seconds(against.t1_s),
            match size::is_too_small(group) {
                true => format!(
                    "a search on one processor: too small for {} processors{}; search deeper",
                    group.configuration.threads,
                    grows.unwrap_or_default()
                ),
                false => format!("a search on one processor, {nodes} nodes{}", grows.unwrap_or_default()),
            },
            size::is_too_small(group),
        ));
    }
    tiles.extend(tiles_of_differences(analysis));
    let spread = analysis.baseline_spread.iter().filter_map(|spread| spread.log_sd).reduce(f64::max);
    if let Some(sd) = spread {
        let words = "spread of the nodes of one processor from seed to seed (standard deviation)".to_owned();
        tiles.push(tile(format!("± {}", percent(sd.exp_m1())), words, false));
    }
    if state.records > 0 {
        let words = "real searches disturbed by other programs".to_owned();
        tiles.push(tile(format!("{} of {}", state.disturbed, state.records), words, state.is_disturbed()));
    }
    tiles
}

/// The strongest difference in time, and how many are shown; or what a split costs.
fn tiles_of_differences(analysis: &Analysis) -> Vec<Tile> {
    let tile = |number: String, words: String| Tile { number, words, is_warning: false };
    let mut tiles = Vec::new();
    if analysis.asks() == Asks::Splitting {
        let usual = analysis.groups.iter().filter(|group| !questions::is_padded(group));
        let costly = usual.filter_map(|group| Some((group.splitting.cost_ns?, group)));
        if let Some((cost, group)) = costly.max_by(|one, other| one.0.estimate.total_cmp(&other.0.estimate)) {
            let on = format!("{} on {}", group.label, group.configuration.threads);
            tiles.push(tile(
                seconds(cost.estimate * 1e-9),
                format!("a split of {on}, owner and helpers together: the longest without added bytes"),
            ));
        }
    }
    if matches!(analysis.asks(), Asks::Effect | Asks::Splitting) {
        let than = |one: &Comparison| format!("{} instead of {}", one.change, one.from);
        let times = analysis.comparisons.iter().map(|one| (one.time, one.time_p, than(one)));
        let times: Vec<_> =
            times.chain(analysis.effects.iter().map(|one| (one.time, one.time_p, one.factor.clone()))).collect();
        let known = times.iter().filter(|(time, ..)| time.estimate.is_finite());
        let size = |time: &Interval| time.estimate.ln().abs();
        if let Some((time, _, what)) = known.max_by(|one, other| size(&one.0).total_cmp(&size(&other.0))) {
            tiles.push(tile(format!("× {}", estimate(time)), format!("time with {what}: the largest difference")));
        }
        let shown = times.iter().filter(|(_, p, _)| is_shown(*p)).count();
        if !times.is_empty() {
            tiles.push(tile(
                format!("{shown} of {}", times.len()),
                "differences in time are larger than chance explains".to_owned(),
            ));
        }
    }
    tiles
}

/// Row of the table: the largest number of processors of a curve.
struct Row<'a> {
    group: &'a Group,
    against: &'a AgainstBaseline,
    /// Whether its times mean nothing.
    is_ruined: bool,
}

fn table(source: &Source, contests: &[&Contest], state: &State) -> Table {
    let analysis = &source.analysis;
    let places = contests.iter().flat_map(|contest| by_speedup(analysis, contest));
    let row = |place: usize| {
        let group = &analysis.groups[place];
        let is_ruined = state.is_ruined() && group.configuration.machine == MachineKind::Real;
        Some(Row { group, against: group.against_baseline.as_ref()?, is_ruined })
    };
    let rows: Vec<Row<'_>> = places.filter_map(row).take(MOST_ROWS).collect();
    let columns = columns! { Row<'_>, row;
        "label" as "Configuration": "what distinguishes the configuration in this experiment" => {
            let mark = if row.is_ruined { " (disturbed)" } else { "" };
            format!("{}{mark}", row.group.label)
        };
        "machine" as "Machine": "real, or virtual: in simulated time" => row.group.configuration.machine.name();
        "threads" as "CPUs": "number of processors" => row.group.configuration.threads;
        "time_speedup" as "Time speedup": "how many times as fast as one processor" =>
            Some(row.against.time_speedup).filter(|_| !row.is_ruined);
        "nodes_ratio" as "Nodes": "nodes relative to one processor" => {
            let nodes = row.against.nodes.estimate;
            if nodes.is_finite() { Cell::Number(nodes, crate::table::Digits::Decimals(2)) } else { Cell::Nothing }
        };
        "regret_difference_cp" as "Extra regret" [optional]:
            "by how many hundredths of a pawn moves are worse than one processor's" =>
            row.group.regret.and_then(|regret| regret.against).map(|against| against.difference);
        "waiting" as "Waiting, %": "share of all processors' time without work or waiting for helpers" => {
            let [_, _, _, idle, wait, _] = row.group.means.activities;
            Cell::share(Some(idle + wait).filter(|share| share.is_finite() && !row.is_ruined))
        };
    };
    let caption = match analysis.quality.virtual_records {
        0 => "",
        _ => " Virtual: in simulated time.",
    };
    let caption = format!(
        "Geometric means over positions; {} intervals for {}, not corrected for the number of figures.{caption}",
        number::level(),
        analysis.description.interval.name()
    );
    let table = columns.table("", &caption, rows);
    let others = || ["differences", "effects", "micro", "tree"].iter().find_map(|key| of_question(source, key));
    if table.rows.is_empty() { others().unwrap_or_default() } else { table.without_empty_columns() }
}

/// First rows of the table of a question; nothing if it has none.
fn of_question(source: &Source, key: &str) -> Option<Table> {
    let question = Source::QUESTIONS.iter().find(|question| question.key == key)?;
    Some(small(question.table(source))).filter(|table| !table.rows.is_empty())
}

/// First rows and columns of a table.
fn small(mut table: Table) -> Table {
    let more = table.rows.len().saturating_sub(MOST_ROWS);
    table.rows.truncate(MOST_ROWS);
    table.columns.truncate(MOST_COLUMNS);
    table.rows.iter_mut().for_each(|row| row.truncate(MOST_COLUMNS));
    let caption = if more > 0 { format!("{more} more rows below.") } else { String::new() };
    Table { title: String::new(), caption, ..table }
}
