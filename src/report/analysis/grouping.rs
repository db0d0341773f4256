//! Groups of records that count. Cells of one configuration are a group, its runs kept by position, in the order of the
//! experiment's positions, so that two groups can be laid beside each other.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::record::{Configuration, Depth, Description, Record, Shared, Word};
use crate::statistics::{Contrast, Mean};

pub(crate) use crate::record::{Attempts, Run, attempts as cells};

/// Cells of one configuration.
#[derive(Clone)]
pub(crate) struct Gathered<'a> {
    pub configuration: &'a Configuration,
    /// Runs by position; an empty list where nothing was measured.
    pub runs: Vec<Vec<Run<'a>>>,
    /// Searches that the limit cut off, by position. Where there is one, the runs of that position are the fast ones
    /// only.
    pub cut: Vec<Vec<&'a Record>>,
    /// Cells of which every attempt failed.
    pub failed: Vec<&'a Record>,
}

/// Groups of an experiment, in the order of the plan.
pub(crate) struct Gathering<'a> {
    pub groups: Vec<Gathered<'a>>,
    /// Groups of one processor under other schedules of iterations that are there to divide others by, and for nothing
    /// else.
    added: Vec<Gathered<'a>>,
    /// Groups with other prices of the virtual machine that are there for the range of a speedup, and for nothing else.
    repriced: Vec<Gathered<'a>>,
    /// Ids of the positions, by their place in [`Gathered::runs`].
    pub positions: Vec<&'a str>,
}

impl<'a> Gathering<'a> {
    pub fn of(description: &'a Description, cells: &[Attempts<'a>]) -> Self {
        let listed = description.positions.iter().map(|position| position.id.as_str());
        let recorded = cells.iter().map(|attempts| attempts.records[0].cell.position.as_str());
        let recorded = recorded.filter(|position| !position.is_empty());
        let (mut positions, mut places) = (Vec::new(), HashMap::new());
        for id in listed.chain(recorded) {
            places.entry(id).or_insert_with(|| {
                positions.push(id);
                positions.len() - 1
            });
        }
        let mut groups: Vec<Gathered<'a>> = Vec::new();
        let mut group_of = HashMap::new();
        // Cells of one configuration lie side by side, and so do those of a position in it: neither need be looked up
        // for each of them.
        let mut last: Option<(&Shared<Configuration>, usize)> = None;
        let mut last_position: Option<(&Word, usize)> = None;
        // Micro-measurements are no searches.
        let searches = cells.iter().filter(|attempts| attempts.records[0].cell.configuration.micro.is_none());
        for attempts in searches {
            let cell = &attempts.records[0].cell;
            let known = last.filter(|(configuration, _)| **configuration == cell.configuration);
            let (_, group) = *last.insert(known.unwrap_or_else(|| {
                let group = *group_of.entry(&cell.configuration).or_insert_with(|| {
                    let (runs, cut) = (vec![Vec::new(); positions.len()], vec![Vec::new(); positions.len()]);
                    groups.push(Gathered { configuration: &cell.configuration, runs, cut, failed: Vec::new() });
                    groups.len() - 1
                });
                (&cell.configuration, group)
            }));
            let known = last_position.filter(|(position, _)| **position == cell.position);
            let (_, place) =
                *last_position.insert(known.unwrap_or_else(|| (&cell.position, places[cell.position.as_str()])));
            match (attempts.run(), attempts.cut()) {
                (Some(run), _) => groups[group].runs[place].push(run),
                (None, Some(cut)) => groups[group].cut[place].push(cut),
                (None, None) => groups[group].failed.extend(attempts.records.last()),
            }
        }
        let is_repriced = |group: &Gathered<'_>| description.is_for_price_range(group.configuration);
        let (repriced, groups): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_repriced);
        let asked_for: HashSet<Configuration> = groups.iter().filter_map(asked_for).collect();
        let is_added = |group: &Gathered<'_>| {
            description.schedules.iter().any(|one| one.alone == *group.configuration)
                && !asked_for.contains(group.configuration)
        };
        let (added, groups) = groups.into_iter().partition(is_added);
        Self { groups, added, repriced, positions }
    }

    /// Group of one processor of this configuration, be it the ordinary baseline or under another schedule.
    pub fn alone(&self, configuration: &Configuration) -> Option<&Gathered<'a>> {
        self.groups.iter().chain(&self.added).find(|group| group.configuration == configuration)
    }

    /// Group that was searched for the range of a speedup alone.
    pub fn repriced(&self, configuration: &Configuration) -> Option<&Gathered<'a>> {
        self.repriced.iter().find(|group| group.configuration == configuration)
    }

    /// Place of the group of this configuration.
    pub fn find(&self, configuration: &Configuration) -> Option<usize> {
        self.groups.iter().position(|group| group.configuration == configuration)
    }

    /// Number of groups that share their search among as many processors of the same machine.
    pub fn like(&self, group: &Gathered<'_>) -> usize {
        let key = |of: &Gathered<'_>| (of.configuration.machine, of.configuration.threads);
        self.groups.iter().filter(|other| key(other) == key(group) && !other.configuration.is_baseline()).count()
    }

    /// Baseline by which a group is divided: none if the group is a baseline itself, or if there is none for it.
    pub fn baseline(&self, group: &Gathered<'_>) -> Option<&Gathered<'a>> {
        let place = self.find(&group.configuration.baseline()).filter(|_| !group.configuration.is_baseline())?;
        Some(&self.groups[place])
    }
}

/// Ordinary baseline of a group that is none.
fn asked_for(group: &Gathered<'_>) -> Option<Configuration> {
    (!group.configuration.is_baseline()).then(|| group.configuration.baseline())
}

/// Positions at which all of these groups were searched, to the end or not, since only there can they be compared.
/// Positions at which only some were are added to `left_out`.
pub(crate) fn in_common(groups: &[&Gathered<'_>], left_out: &mut BTreeSet<usize>) -> BTreeSet<usize> {
    let searched = (0..groups.first().map_or(0, |group| group.runs.len()))
        .filter(|&place| groups.iter().any(|group| group.is_searched_at(place)));
    let (common, others): (BTreeSet<usize>, BTreeSet<usize>) =
        searched.partition(|&place| groups.iter().all(|group| group.is_searched_at(place)));
    left_out.extend(others);
    common
}

/// Mean of the figures of each seed class, in the order in which the classes first appear.
pub(crate) fn means_of_seeds<'a>(figures: impl Iterator<Item = (Run<'a>, Option<f64>)>) -> Vec<f64> {
    let mut means: Vec<(u64, Mean)> = Vec::new();
    // As long as each class is above all before it, as in the order of a plan, none of them need be looked up.
    let mut places: Option<HashMap<u64, usize>> = None;
    for (run, figure) in figures {
        let Some(figure) = figure else { continue };
        let class = run.record.cell.seed_class();
        let is_new = means.last().is_none_or(|(last, _)| class > *last);
        let known = match &mut places {
            None if is_new => None,
            None if means.last().is_some_and(|(last, _)| class == *last) => Some(means.len() - 1),
            places => {
                let all = means.iter().map(|(class, _)| *class).zip(0..);
                places.get_or_insert_with(|| all.collect()).get(&class).copied()
            }
        };
        match known {
            Some(place) => means[place].1 = means[place].1.with(figure),
            None => {
                if let Some(places) = &mut places {
                    places.insert(class, means.len());
                }
                means.push((class, Mean::of(figure)));
            }
        }
    }
    means.into_iter().map(|(_, mean)| mean.value()).collect()
}

impl<'a> Gathered<'a> {
    /// Figure of each seed, by position: the mean over its runs, since runs of one seed are one sample of what the
    /// search does. Runs without the figure are left out.
    pub fn figures(&self, figure: impl Fn(Run<'a>) -> Option<f64>) -> Vec<Vec<f64>> {
        (0..self.runs.len()).map(|place| self.figures_at(place, &figure)).collect()
    }

    /// Such figures at one position.
    pub fn figures_at(&self, place: usize, figure: impl Fn(Run<'a>) -> Option<f64>) -> Vec<f64> {
        means_of_seeds(self.runs[place].iter().map(|&run| (run, figure(run))))
    }

    /// Mean of a figure over positions.
    pub fn mean(&self, figure: impl Fn(Run<'a>) -> Option<f64>) -> Option<Contrast> {
        Contrast::paired(&self.figures(figure))
    }

    /// Such a mean, if the figure is known at all positions that have runs.
    pub fn mean_of_all(&self, figure: impl Fn(Run<'a>) -> Option<f64>) -> Option<Contrast> {
        let figures = self.figures(figure);
        let are_all = figures.iter().zip(&self.runs).all(|(figures, runs)| figures.is_empty() == runs.is_empty());
        Contrast::paired(&figures).filter(|_| are_all)
    }

    /// Difference of a figure from that of another group.
    pub fn less(&self, other: &Self, figure: impl Fn(Run<'a>) -> Option<f64>) -> Option<Contrast> {
        Contrast::unpaired(&self.figures(&figure), &other.figures(&figure))
    }

    /// Whether all searches of a position end with the same depth, so that they have a time to it: if nodes or time are
    /// limited, only where none was ended by that.
    pub fn has_common_depth(&self) -> bool {
        let has_reached = |run: Run<'_>| {
            // Where there is no legal move there is nothing to search.
            run.measured.bestmove.is_none() || Some(run.measured.depth) >= run.record.cell.depth
        };
        let configuration = self.configuration;
        configuration.depth != Depth::Unlimited && (!configuration.is_limited() || self.all().all(has_reached))
    }

    /// Whether any search was cut off.
    pub fn is_cut(&self) -> bool {
        self.cut.iter().any(|cut| !cut.is_empty())
    }

    /// Whether anything was searched at the position, to its end or not.
    pub fn is_searched_at(&self, place: usize) -> bool {
        !self.runs[place].is_empty() || !self.cut[place].is_empty()
    }

    /// The group with those of its runs that are accepted.
    pub fn filtered(&self, accept: impl Fn(usize, Run<'a>) -> bool) -> Self {
        let accepted = |(place, runs): (usize, &Vec<Run<'a>>)| -> Vec<Run<'a>> {
            runs.iter().copied().filter(|&run| accept(place, run)).collect()
        };
        let runs = self.runs.iter().enumerate().map(accepted).collect();
        Self { configuration: self.configuration, runs, cut: self.cut.clone(), failed: self.failed.clone() }
    }

    /// The group with its quiet runs alone.
    pub fn quiet(&self) -> Self {
        self.filtered(|_, run| run.record.is_quiet())
    }

    /// The group at these positions alone.
    pub fn at(&self, places: &BTreeSet<usize>) -> Self {
        let mut group = self.filtered(|place, _| places.contains(&place));
        let others = group.cut.iter_mut().enumerate().filter(|(place, _)| !places.contains(place));
        others.for_each(|(_, cut)| cut.clear());
        group
    }

    /// Runs at all positions.
    pub fn all(&self) -> impl Iterator<Item = Run<'a>> {
        self.runs.iter().flatten().copied()
    }
}
