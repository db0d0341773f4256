//! Sentences on how far the records can be trusted: what was taken from the real machine, arm by arm, whether that
//! mattered, and what was left out.

use super::SIGNIFICANT_P;
use crate::report::analysis::{Analysis, Arm, Group};
use crate::statistics::holm;
use crate::table::number::{counted, interval, listed, percent, probability};

/// Number of positions and configurations beyond which only the first are named; the page has the others.
const NAMED: usize = 4;

/// Sentences on the machine, if it was real, and on what a comparison left out.
pub(super) fn sentences(analysis: &Analysis) -> Vec<String> {
    let quality = &analysis.quality;
    let mut sentences: Vec<String> = taken(analysis).into_iter().collect();
    sentences.extend(it_mattered(analysis));
    let thrown_away: usize = quality.arms.iter().map(|arm| arm.thrown_away).sum();
    if thrown_away > 0 {
        let attempts = counted(thrown_away, "disturbed attempt was", "disturbed attempts were");
        sentences.push(format!("{attempts} thrown away and repeated."));
    }
    if !quality.left_out.is_empty() {
        let mut names: Vec<String> = quality.left_out.iter().take(NAMED).cloned().collect();
        if quality.left_out.len() > NAMED {
            names.push(counted(quality.left_out.len() - NAMED, "other", "others"));
        }
        let all = analysis.description.positions.len().max(quality.left_out.len());
        let (are, them) = if quality.left_out.len() == 1 { ("is", "it") } else { ("are", "them") };
        sentences.push(format!(
            "Of {}, {} {are} left out of comparisons between configurations that do not all have {them}: {}.",
            counted(all, "position", "positions"),
            quality.left_out.len(),
            listed(&names)
        ));
    }
    sentences
}

/// Arms of one kind together: the runs on one number of processors, or the baselines.
#[derive(Clone, Copy, Default)]
struct Kind {
    records: usize,
    disturbed: usize,
    unknown: usize,
    /// Number of records that tell what was taken from them, and the sum of those shares.
    told: (usize, f64),
}

impl Kind {
    fn of<'a>(arms: impl Iterator<Item = &'a Arm>) -> Self {
        arms.fold(Self::default(), |sum, arm| {
            let told = arm.taken.map_or((0, 0.0), |taken| (taken.records, taken.mean * taken.records as f64));
            Self {
                records: sum.records + arm.records,
                disturbed: sum.disturbed + arm.disturbed,
                unknown: sum.unknown + arm.unknown,
                told: (sum.told.0 + told.0, sum.told.1 + told.1),
            }
        })
    }

    fn share(&self) -> Option<f64> {
        (self.told.0 > 0).then(|| self.told.1 / self.told.0 as f64)
    }

    /// `3.1 % of that of the baselines (2 of 30 records disturbed, 1 unknown)`.
    fn in_words(&self, whose: &str) -> String {
        let share = self.share().map_or_else(|| "an unknown share".to_owned(), percent);
        let unknown = if self.unknown > 0 { format!(", {} unknown", self.unknown) } else { String::new() };
        format!(
            "{share} {whose} ({} of {} disturbed{unknown})",
            self.disturbed,
            counted(self.records, "record", "records")
        )
    }
}

/// Sentence on the share of processor time that other work took, of the runs on the largest number of processors, of
/// those from which it took most, and of the baselines.
fn taken(analysis: &Analysis) -> Option<String> {
    let group = |arm: &Arm| -> &Group { &analysis.groups[arm.group] };
    let arms = &analysis.quality.arms;
    let is_baseline = |arm: &&Arm| group(arm).configuration.is_baseline();
    let on = |threads: u32| {
        Kind::of(arms.iter().filter(|arm| !is_baseline(arm) && group(arm).configuration.threads == threads))
    };
    let mut threads: Vec<u32> =
        arms.iter().filter(|arm| !is_baseline(arm)).map(|arm| group(arm).configuration.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let mut parts = Vec::new();
    let most = threads.last().copied();
    if let Some(most) = most {
        parts.push(on(most).in_words(&format!("of the processor time of the runs on {most} processors")));
        let share = |threads: u32| on(threads).share().unwrap_or_default();
        let worst = threads.iter().copied().max_by(|&a, &b| share(a).total_cmp(&share(b))).unwrap_or(most);
        if share(worst) > share(most) {
            parts.push(on(worst).in_words(&format!("of that of the runs on {worst}")));
        }
    }
    let baselines = Kind::of(arms.iter().filter(is_baseline));
    if baselines.records > 0 {
        let whose = if most.is_some() { "of that of the baselines" } else { "of the processor time of the searches" };
        parts.push(baselines.in_words(whose));
    }
    (!parts.is_empty()).then(|| format!("Other work took away {}.", listed(&parts)))
}

/// Sentence on whether searches that were not quiet took another time than quiet ones, if any was disturbed.
fn it_mattered(analysis: &Analysis) -> Option<String> {
    let arms = &analysis.quality.arms;
    let p = holm(&arms.iter().map(|arm| arm.p).collect::<Vec<_>>());
    let tested = p.iter().flatten().count();
    let shown: Vec<(&Arm, f64)> =
        arms.iter().zip(p).filter_map(|(arm, p)| Some((arm, p?))).filter(|(_, p)| *p < SIGNIFICANT_P).collect();
    if tested == 0 {
        let is_any_disturbed = arms.iter().any(|arm| arm.disturbed > 0);
        let untested = "Whether that changed times cannot be tested: too few positions have both quiet and disturbed \
                        searches.";
        return is_any_disturbed.then(|| untested.to_owned());
    }
    let in_words = |&(arm, p): &(&Arm, f64)| {
        let group = &analysis.groups[arm.group];
        let p = probability(p);
        let p = if p.starts_with('<') { format!("p {p}") } else { format!("p = {p}") };
        let speedups = match arm.speedup.estimate.is_finite() && arm.quiet_speedup.estimate.is_finite() {
            true => format!(
                "; its time speedup is {} from quiet records alone, {} from all",
                interval(&arm.quiet_speedup),
                interval(&arm.speedup)
            ),
            false => String::new(),
        };
        let (label, threads) = (&group.label, group.configuration.threads);
        format!("{} times as long with {label} on {threads} processors ({p}{speedups})", interval(&arm.time_ratio))
    };
    Some(match shown.as_slice() {
        [] => "No test shows that searches that were not quiet took longer or shorter than quiet ones.".to_owned(),
        shown => {
            let mut named: Vec<String> = shown.iter().take(NAMED).map(in_words).collect();
            if shown.len() > NAMED {
                named.push(counted(shown.len() - NAMED, "other configuration", "other configurations"));
            }
            format!(
                "That changed times: compared with quiet searches, those that were not quiet took {}.",
                listed(&named)
            )
        }
    })
}
