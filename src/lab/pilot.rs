//! Knowledge of how much times vary, from which the precision of a plan is predicted before it is run: from the records
//! of a pilot, else from those of earlier runs of the same kind, else as it is assumed. The source is always named.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::record::folder::FolderError;
use crate::record::journal::{self, JOURNAL};
use crate::record::{Configuration, Depth, LogTimes, MachineKind, Named, Outlines};
use crate::search::features::Preset;
use crate::statistics::{Contrast, deviation_within};

/// Standard deviations of logarithms that are assumed where no records tell: of times between runs of a position, of
/// times between runs by one processor, and of time speedups between positions. Runs of the thesis's search on 2 to 24
/// processors had 0.16 to 0.23, and its baselines 0.135.
const ASSUMED: Spread = Spread { run: 0.20, baseline: 0.135, position: 0.25 };
/// Assumed standard deviations for the search of today, whose runs had 0.19 to 0.30, and its baselines 0.22 to 0.28.
const ASSUMED_OF_MODERN: Spread = Spread { run: 0.26, baseline: 0.26, position: 0.25 };
const ASSUMPTION: &str = "assumed";
/// Degrees of freedom from which on records tell how runs vary.
const ENOUGH_FREEDOM: usize = 8;
/// Number of positions from which on records tell how positions vary.
const ENOUGH_POSITIONS: usize = 4;
/// Difference of depth, in plies, between records and searches of the same kind.
const NEAR_PLIES: u32 = 2;
/// Largest number of bytes in the journals of run folders that are looked through, the newest first.
const MOST_BYTES: u64 = 64 << 20;

/// Standard deviations of logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Deviation of times between runs of a position.
    pub run: f64,
    /// Deviation of times between runs of a position by one processor.
    pub baseline: f64,
    /// Deviation of time speedups between positions, without the noise of runs.
    pub position: f64,
}

/// Searches that vary alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// Machine of the searches.
    pub machine: MachineKind,
    /// Name of the strategy, without changes of its parameters.
    pub strategy: String,
    /// Preset of their features, without changes.
    pub preset: String,
    /// Depth of the searches.
    pub depth: Depth,
}

/// Whether searches of a kind tell something.
type IsLike<'a> = &'a dyn Fn(&Kind) -> bool;

/// Records from which something is known.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Name of each source, and outlines of its records.
    sources: Vec<(String, Outlines)>,
    /// Whether the user named the source: then records of another kind are better than none.
    is_named: bool,
}

impl Kind {
    /// Kind of the searches in a configuration.
    pub fn of(configuration: &Configuration) -> Self {
        let name = |named: &Named| named.name().to_owned();
        let Configuration { machine, strategy, features, depth, .. } = configuration;
        Self { machine: *machine, strategy: name(strategy), preset: name(features), depth: *depth }
    }

    fn is_near(&self, other: &Self) -> bool {
        let is_near_depth = match (self.depth, other.depth) {
            (Depth::Plies(one), Depth::Plies(other)) => one.abs_diff(other) <= NEAR_PLIES,
            (one, other) => one == other,
        };
        let setting = |kind: &Self| (kind.machine, kind.strategy.clone(), kind.preset.clone());
        is_near_depth && setting(self) == setting(other)
    }

    fn assumed(&self) -> Spread {
        if self.preset == Preset::Modern.name() { ASSUMED_OF_MODERN } else { ASSUMED }
    }
}

impl Evidence {
    /// Evidence on searches of these kinds: the pilot, or the newest run folders that hold some.
    ///
    /// # Errors
    /// If the pilot is no run folder.
    pub fn gather(pilot: Option<&Path>, results: &Path, kinds: &[Kind]) -> Result<Self, FolderError> {
        if let Some(folder) = pilot {
            let source = (format!("pilot {}", folder.display()), outlines(folder)?);
            return Ok(Self { sources: vec![source], is_named: true });
        }
        let mut evidence = Self::default();
        for folder in newest(results) {
            let is_told = |kind: &Kind| evidence.found(kind).is_some();
            if kinds.iter().all(is_told) {
                break;
            }
            // A folder that cannot be read tells nothing, and is no reason to stop.
            if let Ok(known) = outlines(&folder) {
                evidence.sources.push((folder.display().to_string(), known));
            }
        }
        Ok(evidence)
    }

    /// Spread of searches of this kind, and its source.
    pub fn spread(&self, kind: &Kind) -> (Spread, String) {
        self.found(kind).unwrap_or_else(|| (kind.assumed(), ASSUMPTION.to_owned()))
    }

    fn found(&self, wanted: &Kind) -> Option<(Spread, String)> {
        let same = |kind: &Kind| kind.is_near(wanted);
        let of_strategy = |kind: &Kind| (kind.machine, &kind.strategy) == (wanted.machine, &wanted.strategy);
        let of_machine = |kind: &Kind| kind.machine == wanted.machine;
        let choices: [(IsLike<'_>, &str); 3] =
            [(&same, ""), (&of_strategy, ", at another depth"), (&of_machine, ", of other strategies")];
        let choices = if self.is_named { &choices[..] } else { &choices[..1] };
        self.sources.iter().find_map(|(source, known)| {
            let times = known.log_times();
            choices.iter().find_map(|(is_like, other)| {
                let (spread, assumed) = spread(&times, is_like, wanted.assumed())?;
                Some((spread, format!("{source}{other}{assumed}")))
            })
        })
    }
}

/// Spread of the searches of some kinds, and words for what of it had to be assumed; nothing if too few were repeated.
fn spread(times: &LogTimes<'_>, is_like: IsLike<'_>, usual: Spread) -> Option<(Spread, &'static str)> {
    let find = |wanted: &Configuration| times.iter().find(|(one, _)| *one == wanted).map(|(_, runs)| runs);
    let like: Vec<_> = times
        .iter()
        .filter(|(configuration, _)| !configuration.is_baseline() && is_like(&Kind::of(configuration)))
        .collect();
    let runs: Vec<&Vec<f64>> = like.iter().flat_map(|(_, runs)| runs).collect();
    let freedom: usize = runs.iter().map(|runs| runs.len().saturating_sub(1)).sum();
    let run = deviation_within(&runs).filter(|_| freedom >= ENOUGH_FREEDOM)?;
    let mut baselines: Vec<Configuration> = like.iter().map(|(configuration, _)| configuration.baseline()).collect();
    baselines.sort();
    baselines.dedup();
    let baselines: Vec<&Vec<f64>> = baselines.iter().filter_map(find).flatten().collect();
    let (baseline, no_baseline) = match deviation_within(&baselines) {
        Some(deviation) => (deviation, ""),
        None => (usual.baseline, ", spread of the baseline assumed"),
    };
    let (mut squares, mut freedom) = (0.0, 0.0);
    for (configuration, runs) in &like {
        let Some(of_baseline) = find(&configuration.baseline()) else { continue };
        let Some(contrast) = Contrast::unpaired(of_baseline, runs).filter(|one| one.places().len() >= ENOUGH_POSITIONS)
        else {
            continue;
        };
        let positions = contrast.places().len() as f64;
        let all: f64 = contrast.by_position().iter().map(|speedup| (speedup - contrast.estimate()).powi(2)).sum();
        let noise = |&place: &usize| {
            run.powi(2) / runs[place].len() as f64 + baseline.powi(2) / of_baseline[place].len() as f64
        };
        squares += all - contrast.places().iter().map(noise).sum::<f64>() / positions * (positions - 1.0);
        freedom += positions - 1.0;
    }
    let (position, no_positions) = match freedom > 0.0 {
        true => ((squares / freedom).max(0.0).sqrt(), ""),
        false => (usual.position, ", spread between positions assumed"),
    };
    let assumed = if no_baseline.is_empty() { no_positions } else { no_baseline };
    Some((Spread { run, baseline, position }, assumed))
}

fn outlines(folder: &Path) -> Result<Outlines, FolderError> {
    let mut outlines = Outlines::default();
    journal::visit(folder, |record| outlines.add(&record))?;
    Ok(outlines)
}

/// Run folders below this one, the newest first, as many as can be read soon.
fn newest(results: &Path) -> Vec<PathBuf> {
    let journal = |folder: &Path| {
        let file = folder.join(JOURNAL).metadata().ok()?;
        Some((file.modified().unwrap_or(SystemTime::UNIX_EPOCH), file.len(), folder.to_owned()))
    };
    let entries = std::fs::read_dir(results).into_iter().flatten().flatten();
    let mut folders: Vec<_> = entries.filter_map(|entry| journal(&entry.path())).collect();
    folders.sort();
    let mut room = MOST_BYTES;
    let fits = |(_, bytes, folder): (SystemTime, u64, PathBuf)| {
        room = room.checked_sub(bytes)?;
        Some(folder)
    };
    folders.into_iter().rev().filter_map(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;
    use crate::record::{Cell, Measured, Record};

    const TRUE: Spread = Spread { run: 0.2, baseline: 0.1, position: 0.3 };

    fn known(machine: MachineKind, positions: usize, runs: u64) -> Outlines {
        let (mut random, mut outlines) = (SplitMix::new(5), Outlines::default());
        for position in 0..positions {
            let speedup = TRUE.position * random.normal();
            for (strategy, threads, level, noise) in
                [("sequential", 1, 0.0, TRUE.baseline), ("ybwc,minimum-draft=4", 8, -speedup, TRUE.run)]
            {
                for seed in 0..runs {
                    let time_ns = (1e9 * (level + noise * random.normal()).exp()) as u64;
                    let measured = Measured { time_ns, nodes: 1, ..Measured::default() };
                    let configuration = Configuration::sample(machine, strategy, threads);
                    let cell = Cell::sample(configuration, &format!("P{position}"), seed);
                    outlines.add(&Record::sample(outlines.all().len() as u64, cell, measured));
                }
            }
        }
        outlines
    }

    fn kind(machine: MachineKind, strategy: &str, depth: u32) -> Kind {
        let preset = Configuration::sample(machine, strategy, 2).features.into();
        Kind { machine, strategy: strategy.to_owned(), preset, depth: Depth::Plies(depth) }
    }

    #[test]
    fn what_records_vary_by_is_found_again() {
        let sources = vec![("results/a".to_owned(), known(MachineKind::Virtual, 200, 4))];
        let evidence = Evidence { sources, is_named: false };
        // The samples have depth 5.
        for depth in [5, 3, 7] {
            let (spread, source) = evidence.spread(&kind(MachineKind::Virtual, "ybwc", depth));
            for (found, expected) in
                [(spread.run, TRUE.run), (spread.baseline, TRUE.baseline), (spread.position, TRUE.position)]
            {
                assert!((found / expected - 1.0).abs() < 0.1, "{found}, not {expected}");
            }
            assert_eq!(source, "results/a");
        }
        for other in [
            kind(MachineKind::Virtual, "ybwc", 8),
            kind(MachineKind::Virtual, "lazy", 5),
            kind(MachineKind::Real, "ybwc", 5),
        ] {
            assert_eq!(evidence.spread(&other), (ASSUMED, "assumed".to_owned()), "{other:?}");
        }
    }

    #[test]
    fn what_is_assumed_is_that_of_the_preset() {
        let of = |features: &str| {
            let configuration = Configuration { features: features.into(), ..Configuration::default() };
            Evidence::default().spread(&Kind::of(&configuration)).0
        };
        assert_eq!((of("thesis,-null-move"), of("")), (ASSUMED, ASSUMED));
        assert_eq!((of("modern"), of("modern,null-move-reduction=3")), (ASSUMED_OF_MODERN, ASSUMED_OF_MODERN));
        // Records of one say nothing of the other.
        let sources = vec![("results/a".to_owned(), known(MachineKind::Virtual, 20, 4))];
        let evidence = Evidence { sources, is_named: false };
        let modern = Kind { preset: "modern".into(), ..kind(MachineKind::Virtual, "ybwc", 5) };
        assert_eq!(evidence.spread(&modern), (ASSUMED_OF_MODERN, "assumed".to_owned()));
    }

    #[test]
    fn a_pilot_tells_of_other_kinds_too_and_says_so() {
        let pilot = |positions, runs| {
            let sources = vec![("pilot p".to_owned(), known(MachineKind::Virtual, positions, runs))];
            Evidence { sources, is_named: true }
        };
        let source = |evidence: &Evidence, kind: &Kind| evidence.spread(kind).1;
        let evidence = pilot(10, 3);
        for (kind, expected) in [
            (kind(MachineKind::Virtual, "ybwc", 5), "pilot p"),
            (kind(MachineKind::Virtual, "ybwc", 9), "pilot p, at another depth"),
            (kind(MachineKind::Virtual, "lazy", 5), "pilot p, of other strategies"),
            (kind(MachineKind::Real, "ybwc", 5), "assumed"),
        ] {
            assert_eq!(source(&evidence, &kind), expected);
        }
        let ybwc = kind(MachineKind::Virtual, "ybwc", 5);
        assert_eq!(source(&pilot(3, 9), &ybwc), "pilot p, spread between positions assumed");
        assert_eq!(source(&pilot(9, 1), &ybwc), "assumed", "single runs tell nothing");
    }
}
