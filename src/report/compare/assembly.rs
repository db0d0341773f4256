//! Putting folders side by side: counterparts are found, their ratios formed, all of them tested together, and what has
//! no counterpart is listed.

use std::collections::{BTreeSet, HashSet};

use crate::record::{IntervalKind, PositionInfo, Record};
use crate::report::analysis::grouping::{Attempts, Gathering, cells};
use crate::report::analysis::scope::Holds;
use crate::statistics::{Contrast, holm};
use crate::table::number::{counted, listed};

use super::differences::differences;
use super::matching::{all_labels, by_key, fields_to_try, key};
use super::pairs::{Beside, beside, speedup};
use super::{
    Alone, CompareError, Counterparts, FolderFacts, Question, Side, SideBySide, Speedup, Tested, Verdict, letter,
};

impl SideBySide {
    /// Compares every folder with the first.
    ///
    /// # Errors
    /// Fails if the question cannot be answered with these folders, or they have nothing in common.
    pub(crate) fn of(sides: &[Side], question: &Question) -> Result<Self, CompareError> {
        let Some(first) = sides.first() else { return Err(CompareError::HowMany(0)) };
        let ignored = question.fields_to_ignore()?;
        let interval = question.interval.unwrap_or(first.description.interval);
        let is_one_game = sides.iter().any(|side| side.description.is_one_game);
        if is_one_game && question.interval == Some(IntervalKind::PositionsLikeThese) {
            return Err(CompareError::OneGame);
        }
        let attempts: Vec<Vec<Attempts<'_>>> = sides.iter().map(|side| cells(&side.records)).collect();
        let gatherings: Vec<Gathering<'_>> =
            sides.iter().zip(&attempts).map(|(side, cells)| Gathering::of(&side.description, cells)).collect();
        let table = Table {
            labels: all_labels(sides, &gatherings, &ignored),
            gatherings,
            ignored: &ignored,
            holds: Holds::of_kind(interval, is_one_game),
            margin: question.margin,
        };
        let (counterparts, only_in) = table.compared()?;
        if counterparts.is_empty() {
            return Err(CompareError::NothingInCommon { hint: hint(&only_in) });
        }
        let facts = |(place, side): (usize, &Side)| facts(place, side, &attempts[place]);
        Ok(Self {
            folders: sides.iter().enumerate().map(facts).collect(),
            interval,
            margin: question.margin,
            differences: differences(sides, &ignored, &counterparts),
            notes: notes(sides, &counterparts, &only_in, interval).into_iter().chain(cut_off(&attempts)).collect(),
            ignored,
            counterparts,
            only_in,
        })
    }
}

fn facts(place: usize, side: &Side, cells: &[Attempts<'_>]) -> FolderFacts {
    let counting: Vec<&Record> = cells.iter().filter_map(|attempts| Some(attempts.run()?.record)).collect();
    let planned = cells.iter().filter(|attempts| attempts.is_planned(&side.description)).count() as u64;
    FolderFacts {
        name: letter(place),
        path: side.path.display().to_string(),
        title: side.description.title.clone(),
        searches: counting.len(),
        missing: side.description.own_cells.saturating_sub(planned),
        failed: cells.len() - counting.len(),
        disturbed: counting.iter().filter(|record| record.is_disturbed()).count(),
    }
}

/// Note on positions at which a limit cut searches off.
fn cut_off(attempts: &[Vec<Attempts<'_>>]) -> Option<String> {
    let cut: BTreeSet<&str> =
        attempts.iter().flatten().filter_map(|attempts| Some(attempts.cut()?.cell.position.as_str())).collect();
    let names = listed(&cut.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    (!cut.is_empty()).then(|| {
        format!("Positions at which a limit cut off a search are left out of the ratios of its configuration: {names}.")
    })
}

/// Groups of all folders, and how they are compared.
struct Table<'a> {
    gatherings: Vec<Gathering<'a>>,
    labels: Vec<Vec<String>>,
    ignored: &'a [String],
    holds: Holds,
    margin: f64,
}

impl Table<'_> {
    /// Every configuration that the first folder and another have, and those that only one of them has.
    fn compared(&self) -> Result<(Vec<Counterparts>, Vec<Alone>), CompareError> {
        let (mut found, mut only_in) = (Vec::new(), Vec::new());
        let all = self.gatherings.iter().zip(&self.labels).enumerate();
        let keys = all.map(|(folder, (gathering, labels))| by_key(folder, gathering, labels, self.ignored));
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        for (other, keys) in keys.iter().enumerate().skip(1) {
            let mut is_met = HashSet::new();
            for (place, group) in self.gatherings[0].groups.iter().enumerate() {
                let Some(&counterpart) = keys.get(&key(group.configuration, self.ignored)) else {
                    only_in.push(self.alone(0, place, other, false));
                    continue;
                };
                is_met.insert(counterpart);
                let others = &self.gatherings[other].groups[counterpart];
                match beside(group, others, self.ignored, self.holds) {
                    Some(beside) => found.push((other, place, counterpart, beside)),
                    None => only_in.push(self.alone(0, place, other, true)),
                }
            }
            let left = (0..self.gatherings[other].groups.len()).filter(|place| !is_met.contains(place));
            only_in.extend(left.map(|place| self.alone(other, place, 0, false)));
        }
        Ok((self.tested(&found), only_in))
    }

    fn alone(&self, folder: usize, place: usize, missing_in: usize, lacks_positions: bool) -> Alone {
        Alone {
            folder,
            missing_in,
            label: self.labels[folder][place].clone(),
            configuration: self.gatherings[folder].groups[place].configuration.clone(),
            lacks_positions,
        }
    }

    /// Ratios with what can be claimed of them, all tested together.
    fn tested(&self, found: &[(usize, usize, usize, Beside)]) -> Vec<Counterparts> {
        let besides: Vec<&Beside> = found.iter().map(|(.., beside)| beside).collect();
        let times = self.family(
            &besides,
            |beside| &beside.time,
            |beside| beside.sameness.is_equal_in_time,
            |beside| beside.sameness.is_disturbed_in_time,
        );
        let nodes = self.family(
            &besides,
            |beside| &beside.nodes,
            |beside| beside.sameness.is_equal_in_nodes,
            |beside| beside.sameness.is_disturbed_in_nodes,
        );
        let all = found.iter().zip(times.into_iter().zip(nodes));
        all.map(|(&(folder, place, counterpart, ref beside), (time, nodes))| {
            let (first, other) = (&self.gatherings[0], &self.gatherings[folder]);
            let groups = [&first.groups[place], &other.groups[counterpart]];
            let has_depth = groups.iter().all(|group| group.has_common_depth());
            let baselines = first.baseline(groups[0]).zip(other.baseline(groups[1])).filter(|_| has_depth);
            let speedup =
                baselines.and_then(|(ours, theirs)| speedup(groups, [ours, theirs], self.ignored, self.holds));
            Counterparts {
                folder,
                label: self.labels[0][place].clone(),
                configuration: groups[0].configuration.clone(),
                counterpart: groups[1].configuration.clone(),
                positions: beside.positions,
                runs: beside.runs,
                time,
                nodes,
                nps: beside.sameness.certain(beside.nps),
                speedup: speedup.map(|speedup| Speedup { ratio: beside.sameness.certain(speedup.ratio), ..speedup }),
            }
        })
        .collect()
    }

    /// One measure of everything that is compared. What is the same in every pair is no test and does not count as one.
    fn family(
        &self,
        besides: &[&Beside],
        contrast: fn(&Beside) -> &Contrast,
        is_equal: fn(&Beside) -> bool,
        is_disturbed: fn(&Beside) -> bool,
    ) -> Vec<Tested> {
        let log_margin = self.margin.ln_1p();
        let is_tested = |beside: &&&Beside| !beside.sameness.has_copies && !is_disturbed(beside) && !is_equal(beside);
        let test = |p_value: &dyn Fn(&Contrast) -> Option<f64>| {
            let p = |beside: &&Beside| p_value(contrast(Some(beside).filter(is_tested)?));
            holm(&besides.iter().map(p).collect::<Vec<_>>())
        };
        let p = test(&|contrast| self.holds.p_value(contrast));
        let p_equivalence = test(&|contrast| self.holds.equivalence(contrast, log_margin));
        let tested = |(beside, (p, p_equivalence)): (&&Beside, _)| {
            let ratio = self.holds.ratio(contrast(beside));
            let sameness = beside.sameness;
            let verdict = match () {
                () if sameness.has_copies => Verdict::Copied,
                () if sameness.is_identical => Verdict::Identical,
                () if is_equal(beside) => Verdict::Equal,
                () if is_disturbed(beside) => Verdict::Disturbed,
                () => Verdict::of(ratio.estimate, p, p_equivalence),
            };
            Tested { ratio: sameness.certain(ratio), p, p_equivalence, verdict }
        };
        besides.iter().zip(p.into_iter().zip(p_equivalence)).map(tested).collect()
    }
}

/// Notes that have to be read before the figures.
fn notes(sides: &[Side], counterparts: &[Counterparts], only_in: &[Alone], interval: IntervalKind) -> Vec<String> {
    let mut notes = Vec::new();
    let copied = counterparts.iter().filter(|pair| pair.time.verdict == Verdict::Copied).count();
    if copied > 0 {
        notes.push(format!(
            "{} on a real machine hold the same records in both folders. They are copies, not repeated measurements, \
             and are not tested.",
            counted(copied, "configuration", "configurations")
        ));
    }
    for (place, side) in sides.iter().enumerate().skip(1) {
        let (known, others) = (&sides[0].description.positions, &side.description.positions);
        let is_known = |other: &&PositionInfo| known.iter().any(|one| (&one.id, &one.fen) == (&other.id, &other.fen));
        let common = others.iter().filter(is_known).count();
        if common < known.len() || common < others.len() {
            notes.push(format!(
                "{} and {} have {} in common, of {} and {}. Only those are compared.",
                letter(0),
                letter(place),
                counted(common, "position", "positions"),
                known.len(),
                others.len()
            ));
        }
    }
    if sides.iter().any(|side| side.description.is_one_game) && interval == IntervalKind::PositionsLikeThese {
        notes.push("The positions come from one game and do not stand for others: there are no intervals.".to_owned());
    }
    let lacking = only_in.iter().filter(|alone| alone.lacks_positions).count();
    if lacking > 0 {
        notes.push(format!(
            "{} in both folders have no measured position of the same depth in common.",
            counted(lacking, "configuration", "configurations")
        ));
    }
    notes
}

/// Hint at the fields that could be ignored so that there is something to compare.
fn hint(only_in: &[Alone]) -> String {
    match fields_to_try(only_in) {
        Some(fields) => {
            let (named, listed) = (fields.join(" and "), fields.join(","));
            format!(": their configurations differ in {named}\n  To compare them nevertheless, use --ignore {listed}")
        }
        None => String::new(),
    }
}
