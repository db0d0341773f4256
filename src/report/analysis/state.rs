//! What undermines a statement: disturbed searches, searches that are too small for their processors, and missing ones.
//! Each is decided here and nowhere else, for sentences, tiles, tables and charts alike.

use crate::record::{Asks, MachineKind, Quietness};
use crate::share;
use crate::table::number::{self, counted, percent};

use super::{Analysis, Arm, Group, Health, Kind, Statement, Undermined};

/// Share of disturbed records from which on they are spoken of first, and share of the processors' time.
const MANY_DISTURBED: f64 = 0.1;
const MUCH_TAKEN: f64 = 0.05;
/// Share of the processors' time below which it is not what disturbed.
const LITTLE_TAKEN: f64 = 0.01;
/// Share from which on times say nothing.
const RUINED: f64 = 0.2;

/// Condition in which real searches were measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// Number of searches.
    pub records: usize,
    /// Number of searches that were disturbed.
    pub disturbed: usize,
    /// Share of records that were disturbed, or may have been.
    doubtful: f64,
    /// Mean share of the processor time wanted that was taken away.
    taken: f64,
}

impl State {
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let quality = &analysis.quality;
        // What was disturbed on purpose is what was to be measured, and so are too many threads where the experiment
        // lays them beside virtual processors.
        let is_twin =
            |group: usize| analysis.twins.iter().any(|twin| twin.is_oversubscribed && twin.groups[0] == group);
        let is_meant = |group: usize| !analysis.groups[group].configuration.disturb.is_none() || is_twin(group);
        let arms: Vec<_> = quality.arms.iter().filter(|arm| !is_meant(arm.group)).collect();
        let sum = |of: fn(&Arm) -> usize| arms.iter().map(|arm| of(arm)).sum::<usize>();
        let (records, disturbed, unknown) = (sum(|arm| arm.records), sum(|arm| arm.disturbed), sum(|arm| arm.unknown));
        let told: Vec<_> = arms.iter().filter_map(|arm| arm.taken).collect();
        let weight: usize = told.iter().map(|taken| taken.records).sum();
        let taken = told.iter().map(|taken| taken.mean * taken.records as f64).sum::<f64>() / weight.max(1) as f64;
        let doubtful = (disturbed + unknown) as f64 / records.max(1) as f64;
        Self { records, disturbed, doubtful, taken }
    }

    /// Condition of single searches, each with its quietness and the share of its processor time that was taken away,
    /// where that is known.
    pub fn of_searches(searches: &[(Quietness, Option<f64>)]) -> Self {
        let count = |state: Quietness| searches.iter().filter(|(quietness, _)| *quietness == state).count();
        let (records, disturbed, unknown) = (searches.len(), count(Quietness::Disturbed), count(Quietness::Unknown));
        let told: Vec<f64> = searches.iter().filter_map(|(_, taken)| *taken).collect();
        let taken = told.iter().sum::<f64>() / told.len().max(1) as f64;
        Self { records, disturbed, doubtful: (disturbed + unknown) as f64 / records.max(1) as f64, taken }
    }

    /// Whether the times mean nothing.
    pub fn is_ruined(&self) -> bool {
        self.disturbed as f64 > RUINED * self.records as f64 || self.taken > RUINED
    }

    /// Whether the times are doubtful.
    pub fn is_disturbed(&self) -> bool {
        self.disturbed as f64 > MANY_DISTURBED * self.records as f64 || self.taken > MUCH_TAKEN
    }

    /// Whether too many searches were too short to tell whether something disturbed them.
    pub fn is_unknown(&self) -> bool {
        self.doubtful > RUINED && !self.is_disturbed()
    }

    /// Clause on what disturbed: `other programs took 74.0 % of the processors`.
    pub fn cause(&self) -> String {
        match self.taken >= LITTLE_TAKEN {
            true => format!("other programs took {} of the processors", percent(self.taken)),
            false => "other programs kept processors busy beside them".to_owned(),
        }
    }

    pub(crate) fn alert(&self, analysis: &Analysis) -> Option<String> {
        if self.is_unknown() && analysis.quality.virtual_records == 0 {
            let unknown = counted((self.doubtful * self.records as f64).round() as u64, "search was", "searches were");
            return Some(format!(
                "{unknown} too short to tell whether other programs disturbed them: no difference is claimed. Search \
                 deeper."
            ));
        }
        self.is_disturbed().then(|| {
            let records = counted(self.records, "real search", "real searches");
            if rests_on_counts(analysis) {
                return format!(
                    "{} of {records} were disturbed: {}. The real times mean nothing; what is said rests on numbers of \
                     nodes, which that does not change.",
                    self.disturbed,
                    self.cause()
                );
            }
            let times = match (self.is_ruined(), is_anything_shown(analysis)) {
                (true, false) => "The real times mean nothing",
                (true, true) => "The real times are doubtful, though quiet searches alone show the same",
                (false, _) => "The real times are doubtful",
            };
            let by = self.cause();
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
        _ => analysis.statements.iter().any(|statement| is_of_time(statement) && statement.is_shown()),
    }
}

/// Whether a statement is about a real time, which other programs can lengthen.
fn is_of_time(statement: &Statement) -> bool {
    let is_of_machines = matches!(statement.kind, Kind::Machines | Kind::Agreement);
    is_of_machines
        || statement.machine == MachineKind::Real && matches!(statement.kind, Kind::Order | Kind::Faster | Kind::Time)
}

/// Whether what is claimed rests on counts, which nothing disturbs.
pub(crate) fn rests_on_counts(analysis: &Analysis) -> bool {
    analysis.asks() == Asks::Smp && analysis.diagnoses.first().is_some_and(|first| first.equal_pairs.is_some())
}

/// Whether real searches were disturbed so much that their times mean nothing. A diagnosis that the quiet searches
/// confirm carries the times that it rests on.
pub(crate) fn is_ruined(analysis: &Analysis) -> bool {
    let is_confirmed = analysis.asks() == Asks::Smp
        && !rests_on_counts(analysis)
        && !analysis.diagnoses.is_empty()
        && analysis.diagnoses.iter().all(|diagnosis| diagnosis.health != Health::Undecided);
    State::of(analysis).is_ruined() && !is_confirmed
}

/// Whether the searches of a group are too small for its processors: each of them has too little to do.
pub(crate) fn is_too_small(group: &Group) -> bool {
    share::is_too_small(group.t1_s(), group.configuration.threads)
}

/// Says of every statement of an analysis what undermines it.
pub(super) fn undermine(analysis: &mut Analysis) {
    let (is_ruined, is_incomplete) = (State::of(analysis).is_ruined(), analysis.quality.missing > 0);
    let Analysis { groups, statements, .. } = analysis;
    for statement in statements {
        let is_small = statement.group.is_some_and(|place| is_too_small(&groups[place]));
        let reasons = [
            (is_ruined && (statement.machine == MachineKind::Real || is_of_time(statement)), Undermined::Disturbed),
            (is_small, Undermined::TooSmall),
            (is_incomplete, Undermined::Incomplete),
        ];
        statement.undermined = reasons.into_iter().filter_map(|(is_so, reason)| is_so.then_some(reason)).collect();
    }
}

/// Sentence on cells that failed or lack a record.
pub(crate) fn missing(analysis: &Analysis) -> Option<String> {
    let quality = &analysis.quality;
    let (failed, cut) = (quality.failed.len() as u64, quality.cut.len() as u64);
    let parts = [(failed, "failed"), (cut, "were cut off by the limit"), (quality.missing, "have no record yet")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let (of, remedy) = match (quality.missing > 0, failed > 0) {
        (true, false) => ("Preliminary: of", " Continue with --resume."),
        (true, true) => ("Preliminary: of", " The reasons stand under 'How was it made?'; --resume tries the others."),
        (false, _) => ("Of", " The reasons stand under 'How was it made?'."),
    };
    let [one, many] = if analysis.micro.is_empty() { ["search", "searches"] } else { ["measurement", "measurements"] };
    (!parts.is_empty())
        .then(|| format!("{of} {}, {}.{remedy}", counted(quality.cells, one, many), number::listed(&parts)))
}
