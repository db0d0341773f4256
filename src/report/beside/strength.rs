//! Strength speedups from a tournament, beside time speedups of the same strategy: by how many times the time of a move
//! one processor plays as well. They are only set side by side where the games were about as large as the searches.

use std::path::Path;

use super::{BesideError, Row, interval, rows};
use crate::analysis::Group;
use crate::record::{PlayerInfo, Tournament};
use crate::statistics::Interval;

/// Table of strengths in the folder of a tournament.
const STRENGTHS: &str = "strength.csv";
/// Largest factor between the time of a move of one processor and that of a search to be called about as large.
const ABOUT_AS_LARGE: f64 = 4.0;

/// Player of a tournament with its strength speedup.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BesideStrength {
    player: PlayerInfo,
    speedup: Interval,
    /// Seconds of a move of the opponent on one processor where both score the same.
    move_s: f64,
}

/// Strength speedup that stands beside a time speedup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtStrength {
    /// Multiple of the time of a move with which one processor scores the same.
    pub speedup: Interval,
    /// Seconds of a move of that one processor.
    pub move_s: f64,
}

/// Strength speedups of a folder; none if it is not that of a tournament with odds.
pub(super) fn read(folder: &Path) -> Result<Vec<BesideStrength>, BesideError> {
    let path = folder.join(STRENGTHS);
    let tournament = Tournament::read(folder)?;
    let Some(tournament) = tournament.filter(|_| path.exists()) else { return Ok(Vec::new()) };
    let strength = |row: &Row| {
        let player = tournament.players.iter().find(|player| Some(&player.name) == row.get("player"))?;
        let speedup = interval(row, "even_multiple")?;
        Some(BesideStrength { player: player.clone(), speedup, move_s: player.move_time_s()? * speedup.estimate })
    };
    Ok(rows(&path)?.iter().filter_map(strength).collect())
}

impl BesideStrength {
    /// Whether the player searches as this group does, but for its limit.
    fn is_of(&self, group: &Group) -> bool {
        let (player, configuration) = (&self.player, &group.configuration);
        let is_model = |costs: &String| configuration.costs_name().is_some_and(|own| own == costs.as_str());
        let costs = player.costs.as_ref().is_none_or(is_model);
        let strategy = player.strategy.as_ref().is_some_and(|strategy| configuration.strategy == strategy.as_str());
        let program = configuration.features == player.program.as_str() && player.machine == configuration.machine;
        program && strategy && costs && player.processors == configuration.threads
    }
}

/// Strength speedup in games about as large as the searches of this group: in those that are nearest.
pub(crate) fn of_group(all: &[BesideStrength], group: &Group) -> Option<AtStrength> {
    let distance = |one: &BesideStrength| (one.move_s / group.t1_s()).ln().abs();
    let near = all.iter().filter(|one| one.is_of(group) && distance(one) <= ABOUT_AS_LARGE.ln());
    let nearest = near.min_by(|one, other| distance(one).total_cmp(&distance(other)))?;
    Some(AtStrength { speedup: nearest.speedup, move_s: nearest.move_s })
}

#[cfg(test)]
mod tests {
    use super::super::Beside;
    use super::*;
    use crate::analysis::Analysis;
    use crate::analysis::samples::under_schedules;
    use crate::record::MachineKind;
    use crate::record::TOURNAMENT;

    /// Lazy search on 16, and one processor that takes 10 s.
    #[test]
    fn games_of_the_size_of_the_searches_stand_beside_them() {
        let folder = std::env::temp_dir().join(format!("splitpoint-strength-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let player = |(name, strategy, program, limit): (&str, &str, &str, &str)| PlayerInfo {
            name: name.to_owned(),
            program: program.to_owned(),
            rating: None,
            title: None,
            machine: MachineKind::Virtual,
            processors: 16,
            strategy: Some(strategy.to_owned()),
            costs: Some("reference".to_owned()),
            scheme: None,
            limit: limit.to_owned(),
            table_mib: 16,
        };
        let players = [
            ("near", "lazy", "thesis", "1 s"),
            ("far", "lazy", "thesis", "0.1 s"),
            ("other", "lazy", "modern", "2 s"),
            ("another", "ybwc", "thesis", "0.1 s"),
        ];
        let tournament = Tournament { players: players.map(player).into(), ..Tournament::default() };
        std::fs::write(folder.join(TOURNAMENT), serde_json::to_string(&tournament).unwrap()).unwrap();
        let table = "player,processors,even_multiple,even_multiple_low,even_multiple_high\n\
                     near,16,5,4,6\nfar,16,3,2,4\nother,16,7,6,8\nanother,16,3,2,4\n";
        std::fs::write(folder.join(STRENGTHS), table).unwrap();
        let strengths = Beside::read(&folder).unwrap().strengths;
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(strengths.len(), 4);
        let (description, records) = under_schedules(&[], 0.01, 1);
        let analysis = Analysis::of(description, &records);
        let found: Vec<(&str, Option<AtStrength>)> =
            analysis.groups.iter().map(|group| (group.label.as_str(), of_group(&strengths, group))).collect();
        let near = AtStrength { speedup: Interval { estimate: 5.0, low: 4.0, high: 6.0 }, move_s: 5.0 };
        assert_eq!(found, [("sequential", None), ("ybwc", None), ("lazy", Some(near))]);
    }
}
