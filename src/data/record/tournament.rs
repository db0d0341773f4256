//! A tournament, as its folder describes it: who plays, and which pairings have been played where. Plain data.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::cell::MachineKind;
pub use super::folder::{CLAIMS, TOURNAMENT};
use super::folder::{FolderError, described, write_json};

use crate::choices::choices;

choices! {
    /// Who plays whom.
    pub enum Form, "form of a tournament";
    /// Each player against each other.
    RoundRobin "round-robin",
    /// The first player against each other.
    Gauntlet "gauntlet",
    /// Each player against an opponent that gets a multiple of a limit, round by round more or less of it, until both
    /// are equal.
    Odds "odds",
}

impl Form {
    /// Number of pairings of so many players; with odds, each has its own opponent.
    pub fn pairings(self, players: u32) -> u32 {
        match self {
            Self::RoundRobin => players * players.saturating_sub(1) / 2,
            Self::Gauntlet => players.saturating_sub(1),
            Self::Odds => players,
        }
    }
}

/// Description of a tournament: `tournament.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tournament {
    /// Title.
    pub title: String,
    /// Question that it answers.
    pub question: String,
    /// Version of the program that began it.
    pub version: String,
    /// Format of the folder; none before formats of tournaments had numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<u32>,
    /// Command that made or continued it.
    pub command: String,
    /// Who plays whom.
    pub form: Form,
    /// Number of games of a pairing; with odds, of a player.
    pub games: u32,
    /// With odds, number of games after which the opponent gets more or less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// Where openings come from.
    pub openings: String,
    /// Players.
    pub players: Vec<PlayerInfo>,
    /// With odds, the opponent of each player, with the limit of which it gets a multiple.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<PlayerInfo>,
    /// Pairings of which games have been played or begun.
    pub pairings: Vec<Pairing>,
    /// Sequential test that ends the games of a match, as it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TestInfo>,
}

/// Sequential test of one difference in rating against another, as it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TestInfo {
    /// The two differences, the smaller one first.
    pub elo: [f64; 2],
    /// Whether they are normalised by the deviation of a game.
    pub is_normalised: bool,
    /// Difference that it has decided for, if it has.
    pub decision: Option<f64>,
    /// Log-likelihood ratio at the decision, or after all games.
    pub log_ratio: f64,
    /// Ratios at which it decides for the first and for the second.
    pub bounds: [f64; 2],
}

impl std::fmt::Display for TestInfo {
    /// `decided for 200 (LLR 3.35)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.decision {
            Some(elo) => write!(f, "decided for {elo} (LLR {:.2})", self.log_ratio),
            None => {
                let [low, high] = self.bounds;
                write!(f, "undecided (LLR {:.2}, bounds {low:.2} and {high:.2})", self.log_ratio)
            }
        }
    }
}

impl Tournament {
    /// The tournament of a folder; nothing if it holds none.
    pub fn read(folder: &Path) -> Result<Option<Self>, FolderError> {
        described(&folder.join(TOURNAMENT))
    }

    /// Number of games when it is over.
    pub fn total_games(&self) -> u32 {
        self.form.pairings(self.players.len() as u32) * self.games
    }

    /// Writes the description of a folder's tournament anew.
    pub fn write(&self, folder: &Path) -> Result<(), FolderError> {
        write_json(&folder.join(TOURNAMENT), self)
    }

    /// First difference that makes the games of one tournament unfit for another, in words. Their number is none.
    pub fn difference(&self, now: &Self) -> Option<String> {
        let told = |what: &str, then: &dyn ToString, now: &dyn ToString| {
            let (then, now) = (then.to_string(), now.to_string());
            (then != now).then(|| format!("it was begun with {what} {then}, and now it is {now}"))
        };
        let round = |tournament: &Self| tournament.round.map_or("none".to_owned(), |round| round.to_string());
        let players = |what: &str, then: &[PlayerInfo], now: &[PlayerInfo]| {
            let number = told(&format!("a number of {what}s that is"), &then.len(), &now.len());
            let differs = |(then, now): (&PlayerInfo, &PlayerInfo)| told(what, then, now);
            number.or_else(|| then.iter().zip(now).find_map(differs))
        };
        told("the form", &self.form, &now.form)
            .or_else(|| told("rounds of games:", &round(self), &round(now)))
            .or_else(|| told("the", &self.openings, &now.openings))
            .or_else(|| players("player", &self.players, &now.players))
            .or_else(|| players("opponent", &self.opponents, &now.opponents))
    }
}

/// Player of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerInfo {
    /// Name in tables and charts.
    pub name: String,
    /// Recipe of features, or command of an engine from outside.
    pub program: String,
    /// Rating that it is known to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<i32>,
    /// Name that an engine from outside gives itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Machine that it plays on.
    pub machine: MachineKind,
    /// Number of processors, or of threads of an engine from outside.
    pub processors: u32,
    /// Strategy, if several processors of ours share a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Cost model of a virtual machine, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<String>,
    /// How its processors share the table, and what nodes exchange, if it is not the usual way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheme: Option<String>,
    /// Limit of a move, in words.
    pub limit: String,
    /// Size of its table in MiB.
    pub table_mib: u32,
}

impl PlayerInfo {
    /// Word before the command of an engine from outside.
    pub const OUTSIDE: &'static str = "uci:";

    /// Seconds that it has for each move, if it has that.
    pub fn move_time_s(&self) -> Option<f64> {
        self.limit_in(" s")
    }

    /// Nodes that it has for each move, if it has that.
    pub fn nodes(&self) -> Option<f64> {
        self.limit_in(" nodes")
    }

    /// Number before this unit among its limits.
    fn limit_in(&self, unit: &str) -> Option<f64> {
        self.limit.split(" and ").find_map(|limit| limit.strip_suffix(unit)?.parse().ok())
    }

    /// Complaint about the nodes that an engine from outside uses for a move, on average: `used 6 of 3000 nodes a
    /// move: it does not know 'go nodes'`. Its limit is multiplied by this, as with odds.
    pub fn misuse(&self, multiple: f64, used: f64) -> Option<String> {
        let is_alone = !self.limit.contains(" and ");
        let asked = self.nodes()? * multiple;
        if !self.program.starts_with(Self::OUTSIDE) {
            return None;
        }
        let fault = match used / asked {
            // Another limit may have ended the search before.
            share if share < FEWEST_OF_LIMIT && is_alone => "know",
            share if share > MOST_OF_LIMIT => "keep to",
            _ => return None,
        };
        Some(format!("used {used:.0} of {asked:.0} nodes a move: it does not {fault} 'go nodes'"))
    }
}

/// Share of its limit on nodes that an engine uses at least, if it knows such limits.
const FEWEST_OF_LIMIT: f64 = 0.5;
/// Share of its limit on nodes that an engine uses at most, if it keeps to such limits.
const MOST_OF_LIMIT: f64 = 2.0;

/// All of it but the name: `modern on 4 virtual processors by lazy, 0.004 s, table 16 MiB`.
impl std::fmt::Display for PlayerInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { program, machine, processors, limit, table_mib, .. } = self;
        let plural = if *processors == 1 { "" } else { "s" };
        write!(f, "{program} on {processors} {machine} processor{plural}")?;
        if let Some(strategy) = &self.strategy {
            write!(f, " by {strategy}")?;
        }
        if let Some(costs) = &self.costs {
            write!(f, ", costs {costs}")?;
        }
        write!(f, ", {limit}, table {table_mib} MiB")?;
        self.scheme.as_ref().map_or(Ok(()), |scheme| write!(f, " {scheme}"))
    }
}

/// Two players and their games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// Number of the first player.
    pub first: usize,
    /// Number of the second player; the number of the first stands for the opponent of a player, with odds.
    pub second: usize,
    /// With odds, multiple of its limit that the opponent had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiple: Option<f64>,
    /// Folder of the games, below that of the tournament.
    pub folder: String,
}

/// Settings that tell players apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Features, or command of an engine from outside.
    Program,
    /// Strategy by which processors share a search.
    Strategy,
    /// Number of processors.
    Processors,
    /// Limit of a move.
    Limit,
    /// Size of the table.
    Table,
    /// Machine.
    Machine,
    /// Cost model of a virtual machine.
    Costs,
    /// Sharing of the table.
    Scheme,
}

impl Part {
    const ALL: [Self; 8] = [
        Self::Program,
        Self::Strategy,
        Self::Processors,
        Self::Limit,
        Self::Table,
        Self::Machine,
        Self::Costs,
        Self::Scheme,
    ];

    /// This part of a player in words; empty where it has none.
    fn of(self, player: &PlayerInfo) -> String {
        match self {
            Self::Program => player.program.clone(),
            Self::Strategy => player.strategy.clone().unwrap_or_default(),
            Self::Processors if player.processors == 1 => "1 processor".to_owned(),
            Self::Processors => format!("{} processors", player.processors),
            Self::Limit => player.limit.clone(),
            Self::Table => format!("{} MiB", player.table_mib),
            Self::Machine => player.machine.to_string(),
            Self::Costs => player.costs.clone().unwrap_or_default(),
            Self::Scheme => player.scheme.clone().unwrap_or_default(),
        }
    }
}

/// For each player the parts, but for those of `without`, in which not all are the same; its program if there are none.
pub fn distinguishing(players: &[PlayerInfo], without: &[Part]) -> Vec<String> {
    let differs = |part: &Part| players.iter().any(|player| part.of(player) != part.of(&players[0]));
    let parts: Vec<Part> = Part::ALL.into_iter().filter(|part| !without.contains(part)).filter(differs).collect();
    let parts = if parts.is_empty() { vec![Part::Program] } else { parts };
    let name = |player: &PlayerInfo| {
        let words: Vec<String> = parts.iter().map(|part| part.of(player)).filter(|word| !word.is_empty()).collect();
        if words.is_empty() { player.program.clone() } else { words.join(", ") }
    };
    players.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_told_apart_by_what_differs() {
        let player = |program: &str, processors: u32, strategy: Option<&str>| PlayerInfo {
            program: program.to_owned(),
            processors,
            strategy: strategy.map(str::to_owned),
            limit: "0.004 s".to_owned(),
            ..PlayerInfo::default()
        };
        let names = |players: &[PlayerInfo]| distinguishing(players, &[]);
        let one = player("modern", 1, None);
        assert_eq!(names(&[one.clone(), one.clone()]), ["modern", "modern"]);
        assert_eq!(names(&[one.clone(), player("thesis", 1, None)]), ["modern", "thesis"]);
        let four = player("modern", 4, Some("lazy"));
        assert_eq!(names(&[one.clone(), four.clone()]), ["1 processor", "lazy, 4 processors"]);
        assert_eq!(distinguishing(&[one, four], &[Part::Processors]), ["modern", "lazy"]);
        assert!(names(&[]).is_empty());
    }

    #[test]
    fn engines_that_do_not_keep_to_their_nodes_are_known() {
        let player = |program: &str, limit: &str| PlayerInfo {
            program: program.to_owned(),
            limit: limit.to_owned(),
            ..PlayerInfo::default()
        };
        for (program, limit, multiple, used, expected) in [
            ("uci:x", "3000 nodes", 1.0, 6.0, "used 6 of 3000 nodes a move: it does not know 'go nodes'"),
            ("uci:x", "3000 nodes", 1.0, 1501.0, ""),
            ("uci:x", "3000 nodes", 1.0, 5999.0, ""),
            ("uci:x", "3000 nodes", 1.0, 6001.0, "used 6001 of 3000 nodes a move: it does not keep to 'go nodes'"),
            ("uci:x", "3000 nodes", 4.0, 6001.0, ""),
            ("uci:x", "3000 nodes", 0.5, 600.0, "used 600 of 1500 nodes a move: it does not know 'go nodes'"),
            ("uci:x", "3000 nodes and depth 3", 1.0, 6.0, ""),
            (
                "uci:x",
                "3000 nodes and depth 3",
                1.0,
                9000.0,
                "used 9000 of 3000 nodes a move: it does not keep to 'go nodes'",
            ),
            ("uci:x", "depth 3", 1.0, 6.0, ""),
            ("modern", "3000 nodes", 1.0, 6.0, ""),
        ] {
            let told = player(program, limit).misuse(multiple, used);
            assert_eq!(told.unwrap_or_default(), expected, "{program} {limit} {multiple} {used}");
        }
    }

    #[test]
    fn another_tournament_is_told_from_more_games_of_the_same() {
        let player = PlayerInfo { program: "modern".into(), processors: 1, ..PlayerInfo::default() };
        let then = Tournament { games: 4, players: vec![player.clone()], ..Tournament::default() };
        assert_eq!(then.difference(&Tournament { games: 8, command: "again".into(), ..then.clone() }), None);
        let other = Tournament { players: vec![PlayerInfo { processors: 4, ..player }], ..then.clone() };
        let told = then.difference(&other).unwrap();
        assert!(told.contains("modern on 1 real processor,") && told.contains("4 real processors"), "{told}");
        let more = Tournament { players: Vec::new(), ..then.clone() };
        assert!(then.difference(&more).is_some_and(|told| told.contains("number of players")));
    }
}
