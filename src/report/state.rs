//! What undermines a verdict: disturbed searches, and missing ones.

use crate::analysis::{Analysis, Arm, Claim, Health};
use crate::record::Asks;
use crate::table::number::{self, counted, percent};

/// Share of disturbed records from which on they are spoken of first, and share of the processors' time.
const MANY_DISTURBED: f64 = 0.1;
const MUCH_TAKEN: f64 = 0.05;
/// Share of the processors' time below which it is not what disturbed.
const LITTLE_TAKEN: f64 = 0.01;
/// Share from which on times say nothing.
const RUINED: f64 = 0.2;

/// Condition in which real searches were measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub records: usize,
    pub disturbed: usize,
    /// Share of records that were disturbed, or may have been.
    doubtful: f64,
    /// Mean share of the processor time wanted that was taken away.
    taken: f64,
}

impl State {
    pub fn of(analysis: &Analysis) -> Self {
        let quality = &analysis.quality;
        // What was disturbed on purpose is what was to be measured.
        let is_meant = |group: usize| !analysis.groups[group].configuration.disturb.is_none();
        let arms: Vec<_> = quality.arms.iter().filter(|arm| !is_meant(arm.group)).collect();
        let sum = |of: fn(&Arm) -> usize| arms.iter().map(|arm| of(arm)).sum::<usize>();
        let (records, disturbed, unknown) = (sum(|arm| arm.records), sum(|arm| arm.disturbed), sum(|arm| arm.unknown));
        let told: Vec<_> = arms.iter().filter_map(|arm| arm.taken).collect();
        let weight: usize = told.iter().map(|taken| taken.records).sum();
        let taken = told.iter().map(|taken| taken.mean * taken.records as f64).sum::<f64>() / weight.max(1) as f64;
        let doubtful = (disturbed + unknown) as f64 / records.max(1) as f64;
        Self { records, disturbed, doubtful, taken }
    }

    pub fn is_ruined(&self) -> bool {
        self.disturbed as f64 > RUINED * self.records as f64 || self.taken > RUINED
    }

    pub fn is_disturbed(&self) -> bool {
        self.disturbed as f64 > MANY_DISTURBED * self.records as f64 || self.taken > MUCH_TAKEN
    }

    pub fn alert(&self, analysis: &Analysis) -> Option<String> {
        let has_unknown = self.doubtful > RUINED && !self.is_disturbed();
        if has_unknown && analysis.quality.virtual_records == 0 {
            let unknown = counted((self.doubtful * self.records as f64).round() as u64, "search was", "searches were");
            return Some(format!(
                "{unknown} too short to tell whether other programs disturbed them: no difference is claimed. Search \
                 deeper."
            ));
        }
        self.is_disturbed().then(|| {
            let records = counted(self.records, "real search", "real searches");
            let times = match (self.is_ruined(), is_anything_shown(analysis) && !rests_on_counts(analysis)) {
                (true, false) => "The real times mean nothing",
                (true, true) => "The real times are doubtful, but quiet searches alone say nothing else",
                (false, _) => "The real times are doubtful",
            };
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

/// Whether anything is claimed, which quiet searches must show alone where many were disturbed.
pub(crate) fn is_anything_shown(analysis: &Analysis) -> bool {
    match analysis.asks() {
        Asks::Smp => analysis.diagnoses.first().is_some_and(|first| first.health != Health::Undecided),
        _ => analysis.claims.iter().any(Claim::is_shown),
    }
}

/// Whether what is claimed rests on counts, which nothing disturbs.
fn rests_on_counts(analysis: &Analysis) -> bool {
    analysis.asks() == Asks::Smp && analysis.diagnoses.first().is_some_and(|first| first.equal_pairs.is_some())
}

/// Whether real searches were disturbed so much that their times mean nothing.
pub(crate) fn is_ruined(analysis: &Analysis) -> bool {
    State::of(analysis).is_ruined()
}

/// Sentence on cells that failed or lack a record.
pub(crate) fn missing(analysis: &Analysis) -> Option<String> {
    let quality = &analysis.quality;
    let (failed, cut) = (quality.failed.len() as u64, quality.cut.len() as u64);
    let parts = [(failed, "failed"), (cut, "were cut off by the limit"), (quality.missing, "have no record yet")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let (of, remedy) = match quality.missing > 0 {
        true => ("Preliminary: of", " Continue with --resume."),
        false => ("Of", " The reasons stand under 'How was it made?'."),
    };
    let [one, many] = if analysis.micro.is_empty() { ["search", "searches"] } else { ["measurement", "measurements"] };
    (!parts.is_empty())
        .then(|| format!("{of} {}, {}.{remedy}", counted(quality.cells, one, many), number::listed(&parts)))
}
