//! Options of our engine, as a program that plays with it can set them.

use std::time::Duration;

use super::command::Go;
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::engine::{Setup, compiled, ranks};
use crate::entrant::usual_setup;
use crate::machine::{MOST_PROCESSORS, Pin, Waiting};
use crate::parallel::AnyStrategy;
use crate::search::features::{Features, Preset, Recipe};
use crate::search::table::MOST_MIB;
use crate::settings::{self, Kind, Setting, Settings};
use crate::{Budget, Entrant};

/// Most lines that can be asked for: no position has more moves.
const MOST_LINES: usize = 218;
/// Longest overhead of a move, in milliseconds.
const LONGEST_OVERHEAD: u64 = 5_000;

/// Values of all options.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Size of the table in MiB.
    pub table_mib: u32,
    /// Number of threads that search.
    pub threads: usize,
    /// Number of nodes, each with so many threads.
    pub nodes: usize,
    /// Number of moves of the root of which the search finds the best.
    pub lines: usize,
    /// Time that passes before a move has reached the clock.
    pub overhead: Duration,
    /// Board representation.
    pub board: BoardChoice,
    /// Strategy by which threads share a search.
    pub strategy: AnyStrategy,
    /// Features of the search.
    pub features: Features,
    /// Whether every feature is declared as an option of its own. All can be set in any case.
    pub expert: bool,
}

/// Options that a search takes as they are, in lower case; others need other threads, or an empty table, since scores
/// of another search are no longer true.
const TAKEN_AS_THEY_ARE: [&str; 7] = ["multipv", "move overhead", "ponder", "board", "sliders", "strategy", "expert"];

impl Default for Options {
    fn default() -> Self {
        let features = Preset::Modern.features();
        Self {
            table_mib: Entrant::TABLE_MIB,
            threads: 1,
            nodes: 1,
            lines: 1,
            overhead: Duration::from_millis(30),
            board: BoardChoice::Bitboards(SlidersChoice::default()),
            strategy: AnyStrategy::usual(MOST_PROCESSORS as u32, &features),
            features,
            expert: false,
        }
    }
}

fn spin(name: &str, value: i64, least: i64, most: i64) -> String {
    format!("option name {name} type spin default {value} min {least} max {most}\n")
}

fn combo(name: &str, value: &str, names: &[&str]) -> String {
    let names: String = names.iter().map(|name| format!(" var {name}")).collect();
    format!("option name {name} type combo default {value}{names}\n")
}

fn check(name: &str, value: bool) -> String {
    format!("option name {name} type check default {value}\n")
}

fn text(name: &str, value: &str) -> String {
    format!("option name {name} type string default {value}\n")
}

impl Options {
    /// Set-up of a search with these options.
    pub fn setup(&self, go: &Go) -> Setup {
        let budget = Budget { nodes: go.nodes, depth: go.depth.map(|depth| depth.max(1)), time: None };
        Setup {
            board: self.board,
            strategy: self.strategy,
            on: ranks::on(Pin::None, self.nodes).expect("so many were there when it began"),
            processors: self.threads * self.nodes,
            waiting: Waiting::SpinPark,
            ..usual_setup(self.features, budget, self.table_mib)
        }
    }

    /// The lines that declare the options, with these values as their defaults: those that everybody needs, and where
    /// asked for every feature.
    pub fn declared(&self) -> String {
        let general = [
            spin("Hash", self.table_mib.into(), 1, MOST_MIB.into()),
            spin("Threads", self.threads as i64, 1, MOST_PROCESSORS as i64),
            spin("MultiPV", self.lines as i64, 1, MOST_LINES as i64),
            spin("Move Overhead", self.overhead.as_millis() as i64, 0, LONGEST_OVERHEAD as i64),
            "option name Clear Hash type button\n".to_owned(),
            check("Ponder", false),
            combo("Board", self.board.name(), &boards()),
            combo("Sliders", self.board.sliders().unwrap_or_default().name(), SlidersChoice::NAMES),
            text("Strategy", &self.strategy.to_string()),
            text("Features", Preset::Modern.name()),
            check("Expert", self.expert),
        ];
        let features = Features::all().iter().filter(|_| self.expert).map(|feature| self.declared_feature(feature));
        general.into_iter().chain(features).collect()
    }

    /// The line that declares a feature.
    fn declared_feature(&self, feature: &Setting<Features>) -> String {
        let value = (feature.get)(&self.features);
        match feature.kind {
            Kind::Switch => check(feature.name, value != 0),
            Kind::Amount { least, most, .. } => spin(feature.name, value.into(), least.into(), most.into()),
            Kind::Choice { names } => combo(feature.name, &feature.written(&self.features), names),
        }
    }

    /// Sets an option, whose name may be written in any case. Whether threads and table have to be made anew.
    ///
    /// # Errors
    /// The fault, in a sentence.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<bool, String> {
        let value = value.unwrap_or_default();
        let name = name.to_lowercase();
        let number = |least: u64, most: u64| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("'{value}' is not a whole number from {least} to {most}"))
        };
        match name.as_str() {
            "hash" => self.table_mib = number(1, MOST_MIB.into())? as u32,
            "clear hash" => {}
            "threads" => self.threads = number(1, MOST_PROCESSORS as u64)? as usize,
            "multipv" => self.lines = number(1, MOST_LINES as u64)? as usize,
            "move overhead" => self.overhead = Duration::from_millis(number(0, LONGEST_OVERHEAD)?),
            // Whether it ponders is up to whoever plays with it.
            "ponder" => {}
            "board" => self.set_board(value, self.board.sliders().map(SlidersChoice::name))?,
            "sliders" if self.board.sliders().is_some() => self.set_board(self.board.name(), Some(value))?,
            "sliders" => return Err(format!("the board '{}' has no sliding methods", self.board.name())),
            "strategy" => self.strategy = value.parse().map_err(|error| format!("{error}"))?,
            "expert" => self.expert = value.parse().map_err(|_| format!("'{value}' is neither true nor false"))?,
            "features" => self.features = value.parse::<Recipe>().map_err(|error| error.to_string())?.features,
            feature => {
                let change = match value.to_lowercase().as_str() {
                    "true" => format!("+{feature}"),
                    "false" => format!("-{feature}"),
                    value => format!("{feature}={value}"),
                };
                let mut changed = self.features;
                if !Features::all().iter().any(|known| known.name == feature) {
                    return Err(format!("there is no option '{feature}'"));
                }
                settings::change(&mut changed, &change).map_err(|error| error.to_string())?;
                if let Some(message) = changed.contradiction() {
                    return Err(message.to_owned());
                }
                self.features = changed;
            }
        }
        Ok(!TAKEN_AS_THEY_ARE.contains(&name.as_str()))
    }

    fn set_board(&mut self, name: &str, sliders: Option<&str>) -> Result<(), String> {
        let sliders = sliders.filter(|_| name == BoardChoice::NAMES[0]);
        let known = boards();
        if !known.contains(&name) {
            return Err(format!("'{name}' is no board of this program: expected {}", known.join(", ")));
        }
        let board = BoardChoice::from_names(name, sliders).map_err(|error| error.to_string())?;
        compiled::check(board).map_err(|error| error.to_string())?;
        board.check().map_err(|error| error.to_string())?;
        self.board = board;
        Ok(())
    }
}

/// Names of the boards that can be searched on.
fn boards() -> Vec<&'static str> {
    BoardChoice::NAMES.iter().copied().filter(|name| compiled::boards().any(|board| board.name() == *name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_its_default() {
        let options = Options { expert: true, ..Options::default() };
        let mut seen = 0;
        for line in options.declared().lines() {
            let rest = line.strip_prefix("option name ").unwrap();
            let (name, rest) = rest.split_once(" type ").unwrap();
            let default = rest.split_once(" default ").map(|(_, rest)| rest);
            let default = default.map(|rest| rest.split([' ']).next().unwrap());
            let mut changed = options.clone();
            changed.set(name, default).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(changed, options, "{line}");
            seen += 1;
        }
        assert_eq!(seen, 11 + Features::all().len());
        assert_eq!(Options::default().declared().lines().count(), 11, "few enough for a dialog");
    }

    #[test]
    fn options_change_what_they_name() {
        let mut options = Options::default();
        for (name, value, is_made_anew) in [
            ("hash", "64", true),
            ("THREADS", "3", true),
            ("MultiPV", "4", false),
            ("Move Overhead", "100", false),
            ("Board", "mailbox", false),
            ("Strategy", "lazy", false),
            ("Expert", "true", false),
            ("Evaluation", "thesis", true),
            ("null-move", "false", true),
            ("aspiration", "500", true),
        ] {
            assert_eq!(options.set(name, Some(value)), Ok(is_made_anew), "{name}");
        }
        let expected: Recipe = "modern,evaluation=thesis,-null-move,aspiration=500".parse().unwrap();
        assert_eq!(options.features, expected.features);
        assert_eq!((options.table_mib, options.threads, options.lines), (64, 3, 4));
        assert_eq!((options.board.name(), options.strategy.to_string().as_str()), ("mailbox", "lazy"));
        options.set("fail-soft", Some("false")).unwrap();
        options.set("fail-hard", Some("true")).unwrap();
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "x"),
            ("Threads", "-1"),
            ("Sliders", "ray"),
            ("Board", "wood"),
            ("Features", "old"),
            ("null-move", "perhaps"),
            ("fail-soft", "true"),
            ("Contempt", "3"),
            ("Strategy", "alone"),
        ] {
            assert!(options.set(name, Some(value)).is_err(), "{name} {value}");
        }
    }
}
