//! `splitpoint show`: a position before it is searched.

use std::collections::BTreeMap;
use std::io::{self, Write, stdout};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::error::CliError;
use super::output::{self, Column, VERSION, object};
use super::position_args::PositionArgs;
use super::search::timeline::{self, Traced, Tree};
use super::values;
use crate::chess::epd::Epd;
use crate::chess::see::Values;
use crate::chess::see::forms::{Step, Stops};
use crate::chess::{Move, Score, Square, SquareSet};
use crate::engine::{Assessment, Line, Look, MOST_BRANCHES, Options};
use crate::eval::Evaluator;
use crate::lab::{Choice, Conditions, Laboratory, SearchedBy, single_cell};
use crate::parallel::AnyStrategy;
use crate::record::{Depth, MachineKind};
use crate::search::features::Recipe;
use crate::search::{Limits, SearchSettings};
use crate::table::number::counted;

/// Show a position: board, moves with exchange values, evaluations term by term
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint show BK09
  splitpoint show reul-see --exchange b3b6
  splitpoint show reul-see --exchange b3b6 --values loop
  splitpoint show startpos --features thesis --json
  splitpoint show BK09 --sets
  splitpoint show BK12 --tree --depth 4 --threads 2
  splitpoint show BK12 --tree --depth 3 --threads 1,2,4,8 --page /tmp/tree.html

Moves are in the order in which a search tries them that knows nothing yet. An exchange value is what a move wins or \
loses on its square when both sides go on capturing there. A term of an evaluation is what the score would lose \
without it. A tree is the last iteration of a small search on the virtual machine: who searches which node, and when.")]
pub struct Show {
    #[command(flatten)]
    positions: PositionArgs,

    /// Preset of features, with changes, for the order of moves and the terms: modern,-bishop-pair
    #[arg(long, value_name = "F", default_value = "modern", allow_hyphen_values = true)]
    features: Recipe,

    /// Show the exchange that begins with this move, step by step
    #[arg(long, value_name = "MOVE")]
    exchange: Option<String>,

    /// Values of pawn, knight, bishop, rook and queen in that exchange: as 1,3.25,3.25,5,10, or 'search' (1,3,3,5,9) or
    /// 'loop' (those of Reul 2009, beside whose table 4.1 its example is shown)
    #[arg(long, value_name = "V", default_value = "search", requires = "exchange")]
    values: Values,

    /// Show the sets of squares of a board of bitboards, too: one for each kind of piece and each colour
    #[arg(long)]
    sets: bool,

    /// Show the tree of a small search: which virtual processor searches which node, and when
    #[arg(long, conflicts_with_all = ["exchange", "sets", "json"])]
    tree: bool,

    /// Depth of that search in plies
    #[arg(long, value_name = "N", default_value_t = 4, requires = "tree", value_parser = values::whole::<u32>(1..=20))]
    depth: u32,

    /// Number of processors of that search; of several, as in 1,2,4, the page has all, and the last one is printed
    #[arg(long, value_name = "N", default_value = "2", requires = "tree", value_delimiter = ',',
          value_parser = values::processors())]
    threads: Vec<u32>,

    /// Strategy by which they share it
    #[arg(long, value_name = "S", default_value = "ybwc", requires = "tree", allow_hyphen_values = true)]
    strategy: AnyStrategy,

    /// Plies of the tree that are printed
    #[arg(long, value_name = "N", default_value_t = 2, requires = "tree")]
    #[arg(value_parser = values::whole::<usize>(1..=20))]
    plies: usize,

    /// Also write the tree and the processors' time as a page
    #[arg(long, value_name = "FILE", requires = "tree")]
    page: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A position with all that is computed to show it.
struct Sight<'a> {
    epd: &'a Epd,
    look: Look,
    assessments: Vec<Assessment>,
    exchange: Option<Move>,
}

/// Combinations of stops whose course is shown: the exact one, and the one that only tells the sign.
const STOPS: [Stops; 2] =
    [Stops { king: true, quantity: true, quality: false }, Stops { king: true, quantity: true, quality: true }];

impl Show {
    pub fn run(&self) -> Result<(), CliError> {
        let positions = self.positions.resolve()?;
        if self.tree {
            return self.print_tree(&positions);
        }
        let seen = positions.iter().map(|epd| self.look_at(epd)).collect::<Result<Vec<_>, _>>()?;
        if self.json {
            let positions: Vec<Value> = seen.iter().map(|sight| self.to_json(sight)).collect();
            let printed = object! { version: VERSION, features: self.features.to_string(), positions };
            return Ok(output::json(&mut stdout(), &printed)?);
        }
        let mut out = stdout().lock();
        for (i, sight) in seen.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            self.print(&mut out, sight)?;
        }
        Ok(())
    }

    /// Searches a position on the virtual machine, and prints the tree of the last iteration.
    fn print_tree(&self, positions: &[Epd]) -> Result<(), CliError> {
        let [position] = positions else {
            let count = positions.len();
            return Err(CliError::BadInput(format!("--tree takes one position, and {count} were given")));
        };
        let laboratory = Laboratory::new(Conditions::default());
        let settings = SearchSettings { features: self.features.features, limits: Limits::depth(self.depth), seed: 0 };
        let search = |threads: u32| {
            let choice = Choice {
                machine: MachineKind::Virtual,
                strategy: SearchedBy::Ours(self.strategy),
                threads,
                features: self.features,
                depth: Depth::Plies(self.depth),
                hash: Some(1),
                losses: true,
                ..Choice::default()
            };
            let cell = single_cell(&choice.configuration(), position, 0);
            let found = laboratory.measure(&cell, Options { keeps_trace: true, ..Options::default() })?;
            let tree = Tree::of(&found, Line::from(&position.setup), &settings).ok_or_else(|| {
                let text = "the last iteration has more than";
                CliError::BadInput(format!("{text} {MOST_BRANCHES} nodes: search less deep (--depth)"))
            })?;
            Ok((cell, found, tree))
        };
        let searches = self.threads.iter().map(|threads| search(*threads)).collect::<Result<Vec<_>, CliError>>()?;
        let Some((cell, _, tree)) = searches.last() else { return Ok(()) };
        let mut out = stdout().lock();
        let title = format!(
            "{}, {}, depth {}, {} on {}: {} of the last iteration",
            cell.position,
            self.features,
            self.depth,
            self.strategy,
            counted(cell.configuration.threads, "virtual processor", "virtual processors"),
            counted(tree.len() as u64, "node", "nodes")
        );
        output::paragraph(&mut out, "", &title)?;
        tree.print(&mut out, self.plies)?;
        if let Some(page) = &self.page {
            let traced = |(cell, measurement, tree)| Traced { cell, measurement, tree: Some(tree) };
            let searches: Vec<_> = searches.iter().map(|(cell, found, tree)| traced((cell, found, tree))).collect();
            output::file(page, timeline::page(&searches))?;
            writeln!(out, "page  {}", page.display())?;
        }
        Ok(())
    }

    fn look_at<'a>(&self, epd: &'a Epd) -> Result<Sight<'a>, CliError> {
        let look = Look::at(Line::from(&epd.setup), &self.features.features);
        let find = |text: &String| look.find(text).map_err(|error| CliError::BadInput(format!("--exchange: {error}")));
        let exchange = self.exchange.as_ref().map(find).transpose()?;
        let terms = self.features.features.terms;
        let assessments = Evaluator::ALL.iter().map(|evaluator| look.assess(*evaluator, &terms)).collect();
        Ok(Sight { epd, look, assessments, exchange })
    }

    fn print(&self, out: &mut impl Write, sight: &Sight<'_>) -> io::Result<()> {
        let Sight { epd, look, assessments, exchange } = sight;
        writeln!(out, "{}\n{look}", epd.id.as_deref().unwrap_or_default())?;
        if self.sets {
            print_sets(out, look)?;
        }
        if let Some(mv) = exchange {
            return self.print_exchange(out, sight, *mv);
        }
        let moves = look.moves(&self.features.features);
        let columns =
            [Column::number("", 3), Column::text("move", 5), Column::text("", 7), Column::number("exchange", 0)];
        writeln!(out, "\n{} legal moves, in the order of a search\n{}", moves.len(), output::headings(&columns))?;
        for (place, seen) in moves.iter().enumerate() {
            let entries = [(place + 1).to_string(), seen.mv.to_string(), seen.san.clone(), seen.exchange.to_string()];
            writeln!(out, "{}", output::row(&columns, &entries))?;
        }
        writeln!(out, "\nEvaluations, for the side to move, in pawns")?;
        write!(out, "{}", Assessment::table(assessments))
    }

    fn to_json(&self, sight: &Sight<'_>) -> Value {
        let Sight { epd, look, assessments, exchange } = sight;
        let (setup, key) = look.setup();
        let moves = look
            .moves(&self.features.features)
            .into_iter()
            .map(|seen| json!({ "move": seen.mv.to_string(), "san": seen.san, "exchange_raw": seen.exchange.0 }));
        let evaluations: BTreeMap<&str, Value> = assessments
            .iter()
            .map(|one| {
                let terms: BTreeMap<&str, i32> = one.terms.iter().map(|(name, score)| (*name, score.0)).collect();
                let (score, material, rest) = (one.score.0, one.material.0, one.rest().0);
                let value =
                    json!({ "score_raw": score, "material_raw": material, "rest_raw": rest, "terms_raw": terms });
                (one.evaluator.name(), value)
            })
            .collect();
        let steps = exchange.map(|mv| {
            let course = |stops| look.exchange(&self.values, mv, stops).0.iter().map(step_in_json).collect::<Vec<_>>();
            let courses: BTreeMap<&str, Vec<Value>> =
                STOPS.iter().map(|stops| (stops.name(), course(*stops))).collect();
            json!({ "move": mv.to_string(), "values": self.values.to_string(), "steps": courses })
        });
        let sets: Vec<Value> = match self.sets {
            true => look.sets().iter().map(|(name, set)| json!({ "name": name, "bits": hexadecimal(*set) })).collect(),
            false => Vec::new(),
        };
        json!({
            "sets": sets, "id": epd.id, "fen": setup.to_string(), "key": format!("{key:016x}"),
            "turn": format!("{:?}", look.turn()).to_lowercase(), "in_check": look.in_check(),
            "moves": moves.collect::<Vec<_>>(), "evaluations": evaluations,
            "exchange": steps,
        })
    }

    fn print_exchange(&self, out: &mut impl Write, sight: &Sight<'_>, mv: Move) -> io::Result<()> {
        let pawns = |name| Column::number(name, 7);
        let mut columns = vec![
            Column::number("iteration", 0),
            Column::text("piece", 5),
            pawns("alpha"),
            pawns("value"),
            pawns("beta"),
        ];
        let is_published = sight.epd.id.as_deref() == Some(PUBLISHED_OF)
            && mv.to_string() == PUBLISHED
            && self.values == Values::OF_LOOP;
        let mut published = TABLE_4_1.lines().skip(1).filter(|_| is_published);
        if is_published {
            columns.extend([pawns("published: alpha"), pawns("value"), pawns("beta")]);
        }
        let [exact, of_sign] = STOPS.map(|stops| sight.look.exchange(&self.values, mv, stops));
        writeln!(
            out,
            "\nExchange after {mv}, in pawns for the side that begins; pieces have the values {}",
            self.values
        )?;
        writeln!(out, "{}", output::headings(&columns))?;
        for (i, step) in exact.0.iter().enumerate() {
            let low = step.low.map_or(UNBOUNDED.into(), |low| low.to_string());
            let piece = format!("{}{}", step.piece.letter(), step.from);
            let mut entries = vec![(i + 1).to_string(), piece, low, step.balance.to_string(), step.high.to_string()];
            if let Some(row) = published.next() {
                entries.extend(row.split(',').skip(1).map(as_shown));
            }
            writeln!(out, "{}", output::row(&columns, &entries))?;
        }
        for (stops, (steps, value)) in STOPS.iter().zip([exact, of_sign]) {
            let says = if stops.quality { "sign only" } else { "exact" };
            writeln!(out, "{}: {value} after {} iterations, {says}", stops.name(), steps.len())?;
        }
        if is_published {
            writeln!(out, "Published: Reul 2009, table 4.1")?;
        }
        Ok(())
    }
}

/// Lower bound of a side that had no choice yet.
const UNBOUNDED: &str = "-inf";
/// Position and move of table 4.1 of Reul (2009).
const PUBLISHED_OF: &str = "reul-see";
const PUBLISHED: &str = "b3b6";
/// The table: iteration, alpha, value and beta, in pawns.
const TABLE_4_1: &str = splitpoint_published::table("reul-2009-table-4.1.csv");

/// A published bound in pawns as ours are shown; no bound if there is none.
fn as_shown(pawns: &str) -> String {
    match pawns.parse::<f64>() {
        Ok(pawns) => Score((pawns * 1_000.0).round() as i32).to_string(),
        Err(_) => UNBOUNDED.to_owned(),
    }
}

/// Number of sets beside each other.
const BESIDE: usize = 4;

/// A set as the number of its bits, of which the lowest is a1 and the highest h8.
fn hexadecimal(set: SquareSet) -> String {
    format!("{:016x}", set.0)
}

/// Sets of squares as White sees them, with their bits as numbers.
fn print_sets(out: &mut impl Write, look: &Look) -> io::Result<()> {
    for sets in look.sets().chunks(BESIDE) {
        let line = |part: &dyn Fn(&(String, SquareSet)) -> String| {
            let parts: Vec<String> = sets.iter().map(|set| format!("{:<17}", part(set))).collect();
            parts.join("  ").trim_end().to_owned()
        };
        writeln!(out, "\n{}", line(&|(name, _)| name.clone()))?;
        for rank in (0..8).rev() {
            let row = |(_, set): &(String, SquareSet)| {
                let cell = |file| if set.contains(Square::at(file, rank)) { " x" } else { " ." };
                (0..8).map(cell).collect()
            };
            writeln!(out, "{}", line(&row))?;
        }
        writeln!(out, "{}", line(&|(_, set)| hexadecimal(*set)))?;
    }
    Ok(())
}

fn step_in_json(step: &Step) -> Value {
    json!({
        "piece": step.piece.letter().to_string(), "from": step.from.to_string(),
        "alpha_raw": step.low.map(|low| low.0), "value_raw": step.balance.0, "beta_raw": step.high.0,
    })
}
