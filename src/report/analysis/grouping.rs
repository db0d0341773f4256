//! Groups of records that count. Cells of one configuration are a group, its runs kept by position, in the order of the
//! experiment's positions, so that two groups can be laid beside each other.

use std::collections::HashMap;

use crate::record::{Configuration, Description, Record};

pub(in crate::report) use crate::record::{Attempts, Run, attempts as cells};

/// Cells of one configuration.
pub(in crate::report) struct Gathered<'a> {
    pub configuration: &'a Configuration,
    /// Runs by position; an empty list where nothing was measured.
    pub runs: Vec<Vec<Run<'a>>>,
    /// Cells of which every attempt failed.
    pub failed: Vec<&'a Record>,
}

/// Groups of an experiment, in the order of the plan.
pub(in crate::report) struct Gathering<'a> {
    pub groups: Vec<Gathered<'a>>,
    /// Ids of the positions, by their place in [`Gathered::runs`].
    pub positions: Vec<&'a str>,
}

impl<'a> Gathering<'a> {
    pub fn of(description: &'a Description, cells: &[Attempts<'a>]) -> Self {
        let listed = description.positions.iter().map(|position| position.id.as_str());
        let recorded = cells.iter().map(|attempts| attempts.records[0].cell.position.as_str());
        let (mut positions, mut places) = (Vec::new(), HashMap::new());
        for id in listed.chain(recorded) {
            places.entry(id).or_insert_with(|| {
                positions.push(id);
                positions.len() - 1
            });
        }
        let mut groups: Vec<Gathered<'a>> = Vec::new();
        let mut group_of = HashMap::new();
        for attempts in cells {
            let cell = &attempts.records[0].cell;
            let group = *group_of.entry(&cell.configuration).or_insert_with(|| {
                let runs = vec![Vec::new(); positions.len()];
                groups.push(Gathered { configuration: &cell.configuration, runs, failed: Vec::new() });
                groups.len() - 1
            });
            match attempts.run() {
                Some(run) => groups[group].runs[places[cell.position.as_str()]].push(run),
                None => groups[group].failed.extend(attempts.records.last()),
            }
        }
        Self { groups, positions }
    }

    /// Place of the group of this configuration.
    pub fn find(&self, configuration: &Configuration) -> Option<usize> {
        self.groups.iter().position(|group| group.configuration == configuration)
    }

    /// Baseline by which a group is divided: none if the group is a baseline itself, or if there is none for it.
    pub fn baseline(&self, of: &Gathered<'_>) -> Option<&Gathered<'a>> {
        let place = self.find(&of.configuration.baseline()).filter(|_| !of.configuration.is_baseline())?;
        Some(&self.groups[place])
    }
}

impl<'a> Gathered<'a> {
    /// Figure of each run, by position; runs without it are left out.
    pub fn figures(&self, figure: impl Fn(Run<'a>) -> Option<f64>) -> Vec<Vec<f64>> {
        self.runs.iter().map(|runs| runs.iter().filter_map(|&run| figure(run)).collect()).collect()
    }

    /// Runs at all positions.
    pub fn all(&self) -> impl Iterator<Item = Run<'a>> {
        self.runs.iter().flatten().copied()
    }
}
