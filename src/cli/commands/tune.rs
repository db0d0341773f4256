//! `splitpoint tune`: fits the weights of the evaluation `classical` to games that our engine plays against itself.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use rayon::ThreadPoolBuilder;

use super::error::CliError;
use super::game_args::{MOST_GAMES, TableArgs, WorkArgs};
use super::games::{self, Games, Shown};
use super::output::{self, Meter, VERSION, object};
use super::values;
use crate::chess::PieceKind;
use crate::eval::Evaluator;
use crate::eval::classical::tuning;
use crate::play::tuner::fit::{Fit, Wishes};
use crate::play::tuner::{self, Material, Taking, Tuned};
use crate::play::{Adjudication, Contest, Entrant, OpeningRule, Openings, PlayError};
use crate::record::MachineKind;
use crate::record::folder::{TUNING, write_json};
use crate::search::features::Recipe;
use crate::table::number::{count, counted};
use crate::table::{Cell, Digits, Table, columns};

/// Name of the file of the new weights.
const WEIGHTS: &str = "weights.rs";
/// Name of the file with the curve.
const CURVE: &str = "tune.json";
/// Plies of openings: more of them, and of more lengths, than in matches, for variety.
const OPENING_PLIES: std::ops::RangeInclusive<u32> = 8..=12;
/// Largest score of an opening, in thousandths of a pawn. Games that one side is likelier to win teach more than draws.
const OPENING_BOUND: i32 = 1_500;
/// Least number of games: one of ten is held out, and one is no sample.
const LEAST_GAMES: u64 = 20;
/// Number of weights in the table of those that changed most.
const MOST_CHANGED: usize = 12;

/// Fit the weights of the evaluation 'classical' to games of our engine against itself
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint tune --out tune-1 --games 20 --nodes 200 --epochs 5
  splitpoint tune --out tune-1 --games 20 --nodes 200 --epochs 5 --pull 40 --json

Three stages: games; at most --positions quiet positions of each, labelled with the result; a fit of all weights, \
which ends when the loss of a tenth of the games, held out of the fit, no longer falls. Everything depends on the \
arguments alone, and not on board or threads. A rerun with the same --out continues; --games may then be larger, \
and only the fit is made anew if other arguments of the fit are given.

The new weights are in DIR/weights.rs: to use them, copy that file over src/engine/eval/classical/weights.rs, build, \
and see what they are worth with 'splitpoint match'. Positions from games of 2000 nodes a move need some thousand \
games.")]
pub struct Tune {
    /// Folder for games, checkpoint and weights; a rerun continues there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 2_000,
          value_parser = values::whole::<u32>(LEAST_GAMES..=MOST_GAMES))]
    games: u32,

    /// Number of nodes for each move
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = values::whole::<u64>(1..=u64::MAX))]
    nodes: u64,

    /// Features of the search that plays, with the evaluation 'classical'
    #[arg(long, value_name = "F", default_value = "modern", allow_hyphen_values = true)]
    features: Recipe,

    /// Seed of openings, of positions and of the order of the fit
    #[arg(long, value_name = "K", default_value_t = 0)]
    seed: u64,

    /// Machine on which to play, with one processor; both play the same games
    #[arg(long, value_name = "M", default_value = MachineKind::Real.name(),
          value_parser = values::choice(MachineKind::ALL, MachineKind::name, MachineKind::meaning))]
    machine: MachineKind,

    #[command(flatten)]
    work: WorkArgs,

    #[command(flatten)]
    table: TableArgs,

    /// Largest number of positions from a game
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = values::whole::<u32>(1..=1_000))]
    positions: u32,

    /// Share of the search's own score in what is expected to come of a position; by default it is the result alone,
    /// since a score by the present weights holds the new ones back
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = number(0.0, 1.0))]
    blend: f64,

    /// Pull of weights towards the present ones, for terms that few positions count: a change of a pawn costs as much
    /// as this loss, halved, in one game
    #[arg(long, value_name = "GAMES", default_value_t = 10.0, value_parser = number(0.0, 1e6))]
    pull: f64,

    /// Largest step of a weight in the first epoch, in thousandths of a pawn
    #[arg(long, value_name = "STEP", default_value_t = 8.0, value_parser = number(0.001, 1_000.0))]
    rate: f64,

    /// Largest number of epochs
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = values::whole::<u32>(1..=100_000))]
    epochs: u32,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Parser of a number in a range.
fn number(least: f64, most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("must be a number from {least} to {most}"))
    }
}

impl Tune {
    pub fn run(&self) -> Result<(), CliError> {
        if self.features.features.evaluation != Evaluator::Classical {
            let message = format!(
                "--features {}: the weights that are tuned are those of the evaluation 'classical'; add \
                 evaluation=classical",
                self.features
            );
            return Err(CliError::BadInput(message));
        }
        let (board, threads) = self.work.resolve()?;
        let player = Entrant { machine: self.machine, ..Entrant::of_nodes(self.features, self.nodes, self.table.hash) };
        let openings = OpeningRule { plies: OPENING_PLIES, bound: OPENING_BOUND, seed: self.seed };
        let contest = Contest {
            entrants: [player.clone(), player],
            openings: Openings::Random(openings),
            games: self.games,
            // Colours reversed would be the same game again.
            games_per_opening: 1,
            adjudication: Adjudication::default(),
        };
        let folder = games::keep(&self.out, TUNING, &contest.description())?;
        if !self.json {
            output::paragraph(&mut stdout(), "", &self.command())?;
        }
        let games = Games::new(contest.games, Shown::Number);
        let played = games.play(&contest, 0, (board, threads), Some(folder))?;
        games.end();
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(PlayError::from)?;
        let taking = Taking { features: &self.features.features, most: self.positions as usize, seed: self.seed };
        let material = pool.install(|| Material::of(&played, taking));
        let positions = material.positions();
        if positions.contains(&0) {
            let (games, [fitted, held_out]) = (played.len(), positions);
            return Err(CliError::Failed(format!(
                "of {games} games {fitted} positions are quiet and not decided, and {held_out} of those held out: play \
                 more games"
            )));
        }
        let Self { blend, pull, rate, epochs, seed, .. } = *self;
        let wishes = Wishes { blend, pull, rate, epochs, seed };
        let asked = tuner::asked(played.len(), self.positions as usize, &wishes);
        let meter = Meter::new(wishes.epochs.into(), "[{bar:30}] epoch {pos} of at most {len}{msg}");
        let watch = |fit: &Fit| {
            let state = format!(", loss of held-out games {:.5}, lowest {:.5}", fit.newest(), fit.lowest());
            meter.show(fit.epochs().into(), &format!("epoch {}", fit.epochs()), state);
        };
        let fit = pool.install(|| material.fit(&self.out, &asked, &wishes, watch));
        meter.clear();
        let fit = fit?;
        let tuned = material.tuned(&fit);
        self.write(&material, &fit, &tuned)?;
        match self.json {
            true => Ok(output::json(&mut stdout(), &self.account(&material, &fit, &tuned))?),
            false => self.print(&material, &fit, &tuned),
        }
    }

    /// The command with all values that the weights depend on.
    fn command(&self) -> String {
        let Self { games, nodes, features, seed, machine, positions, blend, pull, rate, epochs, .. } = self;
        format!(
            "splitpoint tune --games {games} --nodes {nodes} --features {features} --seed {seed} --machine {machine} \
             --table {} --positions {positions} --blend {blend} --pull {pull} --rate {rate} --epochs {epochs}",
            self.table.hash
        )
    }

    /// Writes the weights and the curve.
    fn write(&self, material: &Material, fit: &Fit, tuned: &Tuned) -> Result<(), CliError> {
        let ([fitted, held_out], games) = (material.positions(), material.games);
        let (command, present) = (self.command(), tuner::present_weights());
        let run = [
            format!("Made by `{command}`, version {VERSION}, which began with the weights {present}."),
            format!(
                "Games: {} fitted to, {} held out; positions of them: {fitted} and {held_out}. K: {:.4} a pawn. Mean \
                 loss of the held-out games: {:.5} before, {:.5} after epoch {}.",
                games[0], games[1], tuned.k[1], tuned.losses[0].estimate, tuned.losses[1].estimate, fit.best_epoch
            ),
        ];
        output::file_of_folder(&self.out.join(WEIGHTS), tuner::write_weights(&tuned.weights, &run))?;
        Ok(write_json(&self.out.join(CURVE), &self.account(material, fit, tuned))?)
    }

    /// Account of the run in JSON.
    fn account(&self, material: &Material, fit: &Fit, tuned: &Tuned) -> impl serde::Serialize + use<> {
        let Tuned { k, losses: [loss_before, loss_after], gain, factor, .. } = *tuned;
        object! {
            version: VERSION,
            command: self.command(),
            games: material.games, positions: material.positions(),
            k, loss_before, loss_after, gain, best_epoch: fit.best_epoch, epochs: fit.epochs(), factor,
            curve: fit.curve.clone(),
        }
    }

    fn print(&self, material: &Material, fit: &Fit, tuned: &Tuned) -> Result<(), CliError> {
        let mut out = stdout().lock();
        let [fitted, held_out] = material.positions();
        writeln!(out)?;
        let losses = columns! { (usize, &Tuned), row;
            "games": "Number of games that were held out" => row.0;
            "before": "Mean loss with the weights of the beginning" => row.1.losses[0];
            "after": "Mean loss with the new weights" => row.1.losses[1];
            "gain": "Fall of the loss" => row.1.gain;
        };
        let title = "Loss of held-out games, as the mean over games";
        output::table(&mut out, &losses.table(title, "", [(material.games[1], tuned)]))?;
        let sentence = format!(
            "{} of {} were fitted to, and {} held out. K is {:.3} a pawn. The best of {} is number {}.",
            counted(fitted, "position", "positions"),
            counted(material.games[0], "game", "games"),
            counted(held_out, "position", "positions"),
            tuned.k[1],
            counted(fit.epochs(), "epoch", "epochs"),
            count(fit.best_epoch.into()),
        );
        output::paragraph(&mut out, "", &sentence)?;
        writeln!(out)?;
        output::table(&mut out, &pieces(tuned))?;
        writeln!(out)?;
        output::table(&mut out, &most_changed(tuned))?;
        let weights = self.out.join(WEIGHTS);
        writeln!(out, "\nweights  {}\ncurve    {}", weights.display(), self.out.join(CURVE).display())?;
        let use_them = "To use the weights, copy the file over src/engine/eval/classical/weights.rs and build.";
        Ok(output::paragraph(&mut out, "", use_them)?)
    }
}

/// A weight before and after.
struct Change {
    name: String,
    seen: Option<u32>,
    before: (i32, i32),
    after: (i32, i32),
}

fn changes(title: &str, rows: Vec<Change>) -> Table {
    let name = columns! { Change, row;
        "weight": "Term and number of the weight" => row.name.clone();
        "positions": "Number of positions that count it" => row.seen;
    };
    let phase = |of: fn((i32, i32)) -> i32, above: &'static str| {
        let both = columns! { Change, row;
            "before": "Weight at the beginning" => Cell::Number(of(row.before).into(), Digits::Whole);
            "after": "New weight" => Cell::Number(of(row.after).into(), Digits::Whole);
        };
        both.under(above)
    };
    let all = name.and(phase(|weight| weight.0, "middlegame")).and(phase(|weight| weight.1, "endgame"));
    all.table(title, "", rows).without_empty_columns()
}

fn pieces(tuned: &Tuned) -> Table {
    let kinds = PieceKind::ALL.iter().filter(|kind| **kind != PieceKind::King);
    let rows = kinds.map(|kind| {
        let place = tuning::material(*kind);
        let (before, after) = (tuning::weights()[place], tuned.weights[place]);
        Change { name: kind.name().to_owned(), seen: None, before, after }
    });
    changes("Material, in thousandths of a pawn", rows.collect())
}

fn most_changed(tuned: &Tuned) -> Table {
    let names = tuning::terms().iter().flat_map(|(name, number, _)| {
        (0..*number).map(move |i| if *number == 1 { (*name).to_owned() } else { format!("{name} {i}") })
    });
    let all = names.zip(tuning::weights()).zip(tuned.weights.iter().zip(&tuned.seen));
    let mut rows: Vec<Change> = all
        .map(|((name, before), (after, seen))| Change { name, seen: Some(*seen), before: *before, after: *after })
        .collect();
    let change = |row: &Change| (row.after.0 - row.before.0).abs() + (row.after.1 - row.before.1).abs();
    rows.sort_by_key(|row| std::cmp::Reverse(change(row)));
    rows.truncate(MOST_CHANGED);
    changes("Weights that changed most", rows)
}
