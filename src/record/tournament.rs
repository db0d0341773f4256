//! A tournament, as its folder describes it: who plays, and which pairings have been played where. Plain data.

use serde::{Deserialize, Serialize};

use super::cell::MachineKind;
use crate::choices::choices;

/// Name of the file that describes the tournament of a folder.
pub const TOURNAMENT: &str = "tournament.json";

choices! {
    /// Who plays whom.
    pub enum Form, "form of a tournament";
    /// Each player against each other.
    RoundRobin "round-robin",
    /// The first player against each other.
    Gauntlet "gauntlet",
    /// Each player against an opponent that gets a multiple of its limit, round by round more or less of it, until both are
    /// equal.
    Odds "odds",
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
    /// Command that made or continued it.
    pub command: String,
    /// Who plays whom.
    pub form: Form,
    /// Number of games of a pairing; with odds, of a player.
    pub games: u32,
    /// Where openings come from.
    pub openings: String,
    /// Players.
    pub players: Vec<PlayerInfo>,
    /// With odds, the opponent of each player, with the player's own limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<PlayerInfo>,
    /// Pairings of which games have been played or begun.
    pub pairings: Vec<Pairing>,
}

/// Player of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerInfo {
    /// Name in tables and charts.
    pub name: String,
    /// Recipe of features, or command of an engine from outside.
    pub program: String,
    /// Machine that it plays on.
    pub machine: MachineKind,
    /// Number of processors, or of threads of an engine from outside.
    pub processors: u32,
    /// Strategy, if several processors of ours share a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Limit of a move, in words.
    pub limit: String,
    /// Size of its table in MiB.
    pub table_mib: u32,
}

/// Two players and their games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// Number of the first player.
    pub first: usize,
    /// Number of the second player; the number of the first stands for the opponent of a player, with odds.
    pub second: usize,
    /// With odds, multiple of the player's limit that its opponent had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiple: Option<f64>,
    /// Folder of the games, below that of the tournament.
    pub folder: String,
}

/// What tells players apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Program,
    Strategy,
    Processors,
    Limit,
    Table,
    Machine,
}

impl Part {
    const ALL: [Self; 6] =
        [Self::Program, Self::Strategy, Self::Processors, Self::Limit, Self::Table, Self::Machine];

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
}
