//! `splitpoint claims`: what others have published on parallel search, held against figures of ours.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::{CliError, did_you_mean};
use super::game_args::WorkArgs;
use super::output::{self, tell};
use super::run::{foretell, measure, order};
use super::source::{EXPERIMENT, TOURNAMENT};
use super::tournament;
use crate::lab::{Experiment, Plan};
use crate::play::tournament::{Tournament, parse};
use crate::record::CLAIMS;
use crate::record::folder::take;
use crate::report::claims::{ClaimsFile, ClaimsRun, Planned, power_table};
use crate::report::{self, Wishes, charts};
use splitpoint_experiments::CLAIMS as FILES;

/// A file of claims that ships.
struct Shipped {
    file: &'static splitpoint_experiments::Shipped,
    /// Folders of its results, of the usual size and of the full one.
    folders: [&'static str; 2],
}

/// The files of claims that ship, the usual one first.
static SHIPPED: [Shipped; 2] = [
    Shipped { file: &FILES[0], folders: ["results/claims", "results/claims-full"] },
    Shipped { file: &FILES[1], folders: ["results/claims-of-sources", "results/claims-of-sources-full"] },
];

impl Shipped {
    /// Those of a name; of none, all.
    fn named(name: Option<&Path>) -> impl Iterator<Item = &'static Self> {
        SHIPPED.iter().filter(move |one| name.is_none_or(|name| name == Path::new(one.file.name)))
    }

    fn parse(&self) -> Result<ClaimsFile, CliError> {
        Ok(ClaimsFile::parse(&PathBuf::from(format!("{}.toml", self.file.name)), self.file.text)?)
    }
}

/// Test published claims on parallel search by searches and games of this program
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint claims --list
  splitpoint claims --dry-run
  splitpoint claims too-big
  splitpoint claims
  splitpoint claims --full
  splitpoint claims --file sources
  splitpoint claims --file my-claims.toml --out results/my-claims

Each claim names the runs that test it, and where a figure of theirs lies if it is true. It is reproduced if the whole \
interval of each figure lies there, contradicted if that of one lies elsewhere, and else not shown, or the size cannot \
decide. --dry-run prints how probable each verdict is before anything is run. A rerun \
continues. What the file of claims holds is in docs/claims.md.")]
pub struct Claims {
    /// Names of the claims that are tested [default: all of the file]
    #[arg(value_name = "CLAIM")]
    claims: Vec<String>,

    /// Run all in the size in which results are published: four runs of each search, and the games of claims on
    /// strength, which the usual size leaves out as too few to decide
    #[arg(long)]
    full: bool,

    /// Folder for the results; a rerun continues there [default: results/claims, of the file 'sources'
    /// results/claims-of-sources; with --full the same with -full]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// File of claims, or the name of one that ships: 'published', on parallel search, or 'sources', those of the four
    /// sources that this program reproduces [default: the one that has the claims, else 'published']
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    work: WorkArgs,

    /// Print the claims with their sources, without running anything
    #[arg(long)]
    list: bool,

    /// Print what would be run, with the estimated times and the probabilities of all verdicts, without running it
    #[arg(long)]
    dry_run: bool,
}

impl Claims {
    pub fn run(&self) -> Result<(), CliError> {
        if self.list {
            return self.list();
        }
        let Read { text, file, folders } = self.read()?;
        let wanted = self.wanted(&file)?;
        let out = self.out.clone().unwrap_or_else(|| folders[usize::from(self.full)].into());
        let wanted = || file.runs.iter().filter(|run| wanted.contains(run.name.as_str()));
        let planned = wanted().map(|run| Ok((run.name.as_str(), self.planned(run)?)));
        let planned = planned.collect::<Result<BTreeMap<_, _>, CliError>>()?;
        let runs: Vec<&ClaimsRun> = wanted().filter(|run| self.is_made(run)).collect();
        let size_of = |run: &str| planned.get(run).copied();
        file.check_widths(size_of)?;
        if self.dry_run {
            runs.iter().try_for_each(|run| self.foretell(run, &out))?;
            return self.foretell_verdicts(&file, size_of);
        }
        let _lock = take(&out, CLAIMS)?;
        output::file_of_folder(&out.join(CLAIMS), &text)?;
        for (number, run) in runs.iter().enumerate() {
            tell(format_args!("run {} of {}: {}", number + 1, runs.len(), run.name));
            self.perform(run, &out.join(&run.name))?;
        }
        let made = report::make(&out, Wishes::default())?;
        Ok(super::report::print(&mut stdout().lock(), &made, &out, false)?)
    }

    /// The file that is asked for: by its name, by its path, or by the claims that it has.
    fn read(&self) -> Result<Read, CliError> {
        let has_all =
            |file: &ClaimsFile| self.claims.iter().all(|name| file.claims.iter().any(|one| one.name == *name));
        let mut first = None;
        for shipped in Shipped::named(self.file.as_deref()) {
            let read = Read { text: shipped.file.text.to_owned(), file: shipped.parse()?, folders: shipped.folders };
            if has_all(&read.file) {
                return Ok(read);
            }
            first = first.or(Some(read));
        }
        if let Some(read) = first {
            return Ok(read);
        }
        // None of those that ship: then a file is named.
        let path = self.file.clone().unwrap_or_default();
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|error| CliError::BadInput(format!("{}: {error}", path.display())))?;
        Ok(Read { file: ClaimsFile::parse(&path, &text)?, text, folders: SHIPPED[0].folders })
    }

    /// Names of the runs of the claims that are asked for.
    fn wanted<'f>(&self, file: &'f ClaimsFile) -> Result<BTreeSet<&'f str>, CliError> {
        for name in &self.claims {
            if !file.claims.iter().any(|claim| claim.name == *name) {
                let shipped = Shipped::named(None).filter(|_| self.file.is_none());
                let others =
                    shipped.map(|one| Ok((one.file.name, one.parse()?))).collect::<Result<Vec<_>, CliError>>()?;
                let has = |file: &ClaimsFile| file.claims.iter().any(|claim| claim.name == *name);
                if let Some((other, _)) = others.iter().find(|(_, other)| has(other)) {
                    let words = format!("claim '{name}' is in another file than the others: --file {other} {name}");
                    return Err(CliError::BadInput(words));
                }
                let all = others.iter().map(|(_, file)| file).chain([file]);
                let names = all.flat_map(|file| &file.claims).map(|claim| claim.name.as_str());
                let near = did_you_mean(name, names);
                return Err(CliError::BadInput(format!("there is no claim '{name}'{near}")));
            }
        }
        Ok(file.claims.iter().filter(|claim| self.is_wanted(&claim.name)).flat_map(|claim| claim.runs()).collect())
    }

    fn changes(&self, run: &ClaimsRun) -> Vec<String> {
        let size = if self.full { &run.full } else { &run.small };
        run.set.iter().chain(size).cloned().collect()
    }

    fn experiment(&self, run: &ClaimsRun, path: &str) -> Result<Experiment, CliError> {
        let (name, text) = EXPERIMENT.read(Path::new(path))?;
        Ok(Experiment::parse(&name, &text, &self.changes(run), &charts::names())?)
    }

    fn tournament(&self, run: &ClaimsRun, path: &str) -> Result<Tournament, CliError> {
        let (name, text) = TOURNAMENT.read(Path::new(path))?;
        Ok(parse(&name, &text, &self.changes(run))?)
    }

    /// Runs what is missing in the folder of a run.
    fn perform(&self, run: &ClaimsRun, out: &Path) -> Result<(), CliError> {
        if let Some(path) = &run.experiment {
            let experiment = self.experiment(run, path)?;
            let (_, ended) = measure(&order(&experiment, out, true))?;
            ended?;
        }
        if let Some(path) = &run.tournament {
            let mut tournament = self.tournament(run, path)?;
            let work = self.work.resolve_for(&tournament)?;
            let _performed = tournament::perform(&mut tournament, Some(out), work)?;
            report::make(out, Wishes::default())?;
        }
        Ok(())
    }

    fn is_made(&self, run: &ClaimsRun) -> bool {
        self.full || !run.full_only
    }

    /// Size of a run.
    fn planned(&self, run: &ClaimsRun) -> Result<Planned, CliError> {
        Ok(match (&run.experiment, &run.tournament) {
            _ if !self.is_made(run) => Planned::NONE,
            (Some(path), _) => Planned::of(&Plan::of(&self.experiment(run, path)?, "")?.description),
            (None, Some(path)) => Planned::of_games(&self.tournament(run, path)?.description("")),
            (None, None) => Planned::NONE,
        })
    }

    /// Prints how probable each verdict is.
    fn foretell_verdicts(&self, file: &ClaimsFile, planned: impl Fn(&str) -> Option<Planned>) -> Result<(), CliError> {
        let table = power_table(file, |name| self.is_wanted(name), planned);
        let mut out = stdout().lock();
        let text = "Probability of the verdicts if a claim is true, and if it misses by what matters; the rest is not \
                    decided. Less than 80 % cannot decide.";
        writeln!(out)?;
        output::paragraph(&mut out, "", text)?;
        Ok(output::table(&mut out, &table)?)
    }

    /// Prints all claims with their sources: of the file that is asked for, or of all that ship.
    fn list(&self) -> Result<(), CliError> {
        let shipped: Vec<_> = Shipped::named(self.file.as_deref()).collect();
        let files = match shipped.is_empty() {
            true => vec![(String::new(), self.read()?.file)],
            false => {
                let read = |one: &&Shipped| Ok((format!("--file {}\n", one.file.name), one.parse()?));
                shipped.iter().map(read).collect::<Result<_, CliError>>()?
            }
        };
        let mut out = stdout().lock();
        for (place, (heading, file)) in files.iter().enumerate() {
            write!(out, "{}{heading}", if place > 0 { "\n" } else { "" })?;
            for claim in &file.claims {
                let words = format!("{} ({})", claim.title, claim.source);
                output::paragraph(&mut out, &format!("{:<20}  ", claim.name), &words)?;
            }
        }
        Ok(())
    }

    fn is_wanted(&self, name: &str) -> bool {
        self.claims.is_empty() || self.claims.iter().any(|claim| claim == name)
    }

    fn foretell(&self, run: &ClaimsRun, out: &Path) -> Result<(), CliError> {
        tell(format_args!("\n{}", run.name));
        if let Some(path) = &run.experiment {
            foretell(&order(&self.experiment(run, path)?, &out.join(&run.name), true), false)?;
        }
        if let Some(path) = &run.tournament {
            let tournament = self.tournament(run, path)?;
            writeln!(stdout(), "{}: {} games", tournament.title, tournament.total_games())?;
        }
        Ok(())
    }
}

/// A file of claims that was read.
struct Read {
    text: String,
    file: ClaimsFile,
    /// Folders of its results, of the usual size and of the full one.
    folders: [&'static str; 2],
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::report::claims::Power;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        claims: Claims,
    }

    /// Claims on strength need games that take days; nearly all others can be decided in the usual size.
    #[test]
    fn most_claims_that_ship_can_be_decided() {
        for (words, undecided) in [
            (&["claims"][..], &["lazy-over-ybwc", "abdada-over-lazy", "lazy-widens"][..]),
            (&["claims", "--full"], &["abdada-over-lazy"]),
            // The suites have no more tactical positions and mates, and terms of an evaluation are worth little.
            (&["claims", "--file", "sources"], &["first-moves", "ordered-growth", "mate-distance", "king-safety"]),
            (&["claims", "--file", "sources", "--full"], &["first-moves", "ordered-growth", "mate-distance"]),
        ] {
            let claims = Line::parse_from(words).claims;
            let file = claims.read().unwrap().file;
            let planned: BTreeMap<&str, Planned> =
                file.runs.iter().map(|run| (run.name.as_str(), claims.planned(run).unwrap())).collect();
            let size_of = |run: &str| planned.get(run).copied();
            assert_eq!(file.check_widths(size_of), Ok(()));
            let can_decide = |claim: &&crate::report::claims::Claim| {
                claim.tests.iter().all(|test| Power::of(claim, test, size_of).unwrap().decides())
            };
            let found: Vec<&str> =
                file.claims.iter().filter(|one| !can_decide(one)).map(|one| one.name.as_str()).collect();
            assert_eq!(found, undecided, "{words:?}");
        }
    }

    #[test]
    fn a_claim_is_found_in_the_file_that_has_it() {
        let folder = |words: &[&str]| Line::parse_from(words).claims.read().unwrap().folders[0];
        for (words, expected) in [
            (&["claims"][..], "results/claims"),
            (&["claims", "seven-tenths"], "results/claims"),
            (&["claims", "too-big"], "results/claims-of-sources"),
            (&["claims", "--file", "sources"], "results/claims-of-sources"),
        ] {
            assert_eq!(folder(words), expected, "{words:?}");
        }
    }
}
