//! Putting folders side by side: counterparts are found, their ratios formed, all of them tested together, and what has
//! no counterpart is listed.

use std::collections::BTreeSet;

use crate::analysis::grouping::{Attempts, Gathering, cells};
use crate::analysis::quality::missing;
use crate::analysis::scope::Holds;
use crate::record::{Configuration, IntervalKind, PositionInfo, Record};
use crate::statistics;
use crate::table::number::{counted, listed};

use super::differences::differences;
use super::matching::{all_labels, hint, keys};
use super::pairs::{How, beside};
use super::{
    Alone, CompareError, Counterparts, FolderFacts, Question, Side, SideBySide, Tested, Verdict, configurations, letter,
};

impl SideBySide {
    /// Compares every folder with the first of several.
    ///
    /// # Errors
    /// Fails if the question cannot be answered with these folders, or they have nothing in common.
    pub(crate) fn of(sides: &[Side], question: &Question) -> Result<Self, CompareError> {
        let ignored = question.fields_to_ignore()?;
        let interval = question.interval.unwrap_or(sides[0].description.interval);
        let is_one_game = sides.iter().any(|side| side.description.is_one_game);
        if is_one_game && question.interval == Some(IntervalKind::PositionsLikeThese) {
            return Err(CompareError::OneGame);
        }
        let cells: Vec<Vec<Attempts<'_>>> = sides.iter().map(|side| cells(&side.records)).collect();
        let gatherings: Vec<Gathering<'_>> =
            sides.iter().zip(&cells).map(|(side, cells)| Gathering::of(&side.description, cells)).collect();
        let labels = all_labels(sides, &gatherings, &ignored);
        let how = How {
            ignored: &ignored,
            holds: Holds::of_kind(interval, is_one_game),
            log_margin: question.margin.ln_1p(),
        };
        let keyed = gatherings.iter().zip(&labels).enumerate().map(|(place, (gathering, labels))| {
            Ok(Folder { place, gathering, labels, keys: keys(place, gathering, labels, &ignored)? })
        });
        let folders = keyed.collect::<Result<Vec<_>, CompareError>>()?;
        let (mut counterparts, mut only_in) = (Vec::new(), Vec::new());
        for folder in &folders[1..] {
            let (found, alone) = matched(&folders[0], folder, &how);
            counterparts.extend(found);
            only_in.extend(alone);
        }
        if counterparts.is_empty() {
            return Err(CompareError::NothingInCommon { hint: hint(&only_in) });
        }
        adjust(counterparts.iter_mut().map(|pair| &mut pair.time));
        adjust(counterparts.iter_mut().map(|pair| &mut pair.nodes));
        adjust(counterparts.iter_mut().filter_map(|pair| pair.overhead.as_mut()));
        Ok(Self {
            folders: (0..sides.len()).map(|place| facts(place, &sides[place], &cells[place])).collect(),
            interval,
            margin: question.margin,
            differences: differences(sides, &ignored, &counterparts),
            notes: left_out(sides)
                .chain(notes(sides, &counterparts, &only_in, interval))
                .chain(cut_off(&cells))
                .collect(),
            ignored,
            counterparts,
            only_in,
        })
    }
}

/// Groups of a folder, each with its label and the key that its counterpart has too.
struct Folder<'a> {
    place: usize,
    gathering: &'a Gathering<'a>,
    labels: &'a [String],
    keys: Vec<Configuration>,
}

impl Folder<'_> {
    /// A group without a counterpart in another folder, or without a position in common with it.
    fn alone(&self, group: usize, other: &Self, lacks_positions: bool) -> Alone {
        Alone {
            folder: self.place,
            missing_in: other.place,
            label: self.labels[group].clone(),
            configuration: self.gathering.groups[group].configuration.clone(),
            lacks_positions,
        }
    }
}

/// Groups of the first folder beside those of another, and all that have no counterpart.
fn matched(first: &Folder<'_>, other: &Folder<'_>, how: &How<'_>) -> (Vec<Counterparts>, Vec<Alone>) {
    let (mut counterparts, mut only_in) = (Vec::new(), Vec::new());
    for (place, key) in first.keys.iter().enumerate() {
        let Some(matching) = other.keys.iter().position(|theirs| theirs == key) else {
            only_in.push(first.alone(place, other, false));
            continue;
        };
        let (ours, theirs) = (first.gathering, other.gathering);
        let groups = [&ours.groups[place], &theirs.groups[matching]];
        let has_depth = groups.iter().all(|group| group.has_common_depth());
        let baselines = ours.baseline(groups[0]).zip(theirs.baseline(groups[1])).filter(|_| has_depth);
        match beside(groups, baselines.map(Into::into), how) {
            Some(pair) => {
                counterparts.push(Counterparts { folder: other.place, label: first.labels[place].clone(), ..pair });
            }
            None => only_in.push(first.alone(place, other, true)),
        }
    }
    let left = (0..other.keys.len()).filter(|place| !first.keys.contains(&other.keys[*place]));
    only_in.extend(left.map(|place| other.alone(place, first, false)));
    (counterparts, only_in)
}

fn facts(place: usize, side: &Side, cells: &[Attempts<'_>]) -> FolderFacts {
    let counting: Vec<&Record> = cells.iter().filter_map(|attempts| Some(attempts.run()?.record)).collect();
    FolderFacts {
        name: letter(place),
        path: side.path.display().to_string(),
        title: side.description.title.clone(),
        searches: counting.len(),
        missing: missing(&side.description, cells),
        failed: cells.len() - counting.len(),
        disturbed: counting.iter().filter(|record| record.is_disturbed()).count(),
    }
}

/// Adjusts the tests of one measure for everything that is compared, and says what can be claimed. What is the same in
/// every pair has none and does not count.
fn adjust<'a>(tested: impl Iterator<Item = &'a mut Tested>) {
    let mut tested: Vec<&mut Tested> = tested.collect();
    statistics::adjust(tested.iter_mut().filter_map(|one| one.test.as_mut()), 1.0);
    statistics::adjust(tested.iter_mut().filter_map(|one| one.equivalence.as_mut()), 1.0);
    for one in tested {
        one.verdict = match (one.verdict, Verdict::of(one.ratio.estimate, one.test, one.equivalence)) {
            (Verdict::NotKnown, verdict) | (Verdict::Disturbed, verdict @ (Verdict::Less | Verdict::More)) => verdict,
            (verdict, _) => verdict,
        };
    }
}

/// Note on positions at which a limit cut searches off.
fn cut_off(cells: &[Vec<Attempts<'_>>]) -> Option<String> {
    let cut = cells.iter().flatten().filter_map(|attempts| Some(attempts.cut()?.cell.position.to_string()));
    let cut: Vec<String> = cut.collect::<BTreeSet<_>>().into_iter().collect();
    (!cut.is_empty()).then(|| {
        let names = listed(&cut);
        format!(
            "At these positions a limit cut off a search, and stands for its time: where one folder has such searches, \
             the ratio of times is a bound, where both have, there is none. {names}."
        )
    })
}

/// Warnings about lines of the journals that are left out.
fn left_out(sides: &[Side]) -> impl Iterator<Item = String> + '_ {
    sides.iter().flat_map(|side| side.warnings.iter().map(|warning| format!("{}: {warning}.", side.path.display())))
}

/// Notes that have to be read before the figures.
fn notes(sides: &[Side], counterparts: &[Counterparts], only_in: &[Alone], interval: IntervalKind) -> Vec<String> {
    let of_several = |count: usize, what: &str| (count > 0).then(|| format!("{} {what}", configurations(count)));
    let copied = of_several(
        counterparts.iter().filter(|pair| pair.time.verdict == Verdict::Copied).count(),
        "on a real machine hold the same records in both folders. They are copies, not repeated measurements, and are \
         not tested.",
    );
    let known = &sides[0].description.positions;
    let in_common = sides.iter().enumerate().skip(1).filter_map(|(place, side)| {
        let others = &side.description.positions;
        let is_known = |other: &&PositionInfo| known.iter().any(|one| (&one.id, &one.fen) == (&other.id, &other.fen));
        let common = others.iter().filter(is_known).count();
        (common < known.len().max(others.len())).then(|| {
            format!(
                "{} and {} have {} in common, of {} and {}. Only those are compared.",
                letter(0),
                letter(place),
                counted(common, "position", "positions"),
                known.len(),
                others.len()
            )
        })
    });
    let is_of_one_game = sides.iter().any(|side| side.description.is_one_game);
    let of_one_game = (is_of_one_game && interval == IntervalKind::PositionsLikeThese)
        .then(|| "The positions come from one game and do not stand for others: there are no intervals.".to_owned());
    let lacking = of_several(
        only_in.iter().filter(|alone| alone.lacks_positions).count(),
        "in both folders have no measured position of the same depth in common.",
    );
    copied.into_iter().chain(in_common).chain(of_one_game).chain(lacking).collect()
}
