//! Tournaments: players, each against each other or one against all; or each against an opponent with odds that make
//! both equal. A pairing is a [`Contest`], with a folder of its own. A match is a tournament of one pairing, with the
//! folder to itself.

mod file;
pub mod shipped;
mod staircase;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::TimeControl;
use super::contest::Contest;
use super::entrant::{Budget, Entrant, Program, Timing};
use super::game::Adjudication;
use super::openings::Openings;
use super::outside::whole_milliseconds;
use crate::record::{self, Form, GameRecord, Pairing, PlayerInfo, distinguishing};
use crate::statistics::Sequential;
use staircase::Staircase;

pub use file::parse;

/// A tournament, as a file asks for it, or a match, as its arguments do.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Title.
    pub title: String,
    /// Question that it answers.
    pub question: String,
    /// Who plays whom.
    pub form: Form,
    /// Number of games of a pairing; with odds, of a player.
    pub games: u32,
    /// With odds, number of games after which the opponent gets more or less.
    pub round: u32,
    /// Where openings come from.
    pub openings: Openings,
    /// When games end by what both sides think of them.
    pub adjudication: Adjudication,
    /// Players.
    pub players: Vec<Named>,
    /// With odds, the opponent of each player, with the limit of which it gets a multiple.
    pub opponents: Vec<Entrant>,
    /// Whether it is a match.
    pub is_match: bool,
    /// Sequential test that ends a match as soon as it is decided.
    pub test: Option<Sequential>,
}

/// A player with its name.
#[derive(Clone, Debug)]
pub struct Named {
    /// Name in tables and charts. A player of a match is named when it is described.
    pub name: String,
    /// Rating that it is known to have.
    pub rating: Option<i32>,
    /// Who it is.
    pub entrant: Entrant,
}

impl Entrant {
    /// Description of a player of this name.
    pub fn info(&self, name: &str) -> PlayerInfo {
        let shares = matches!(self.program, Program::Own(_)) && self.processors > 1;
        PlayerInfo {
            name: name.to_owned(),
            program: self.program.to_string(),
            rating: None,
            title: self.title.clone(),
            machine: self.machine,
            processors: self.processors,
            strategy: shares.then(|| self.strategy().to_string()),
            costs: self.own_costs(),
            scheme: self.own_scheme(),
            limit: self.budget.to_string(),
            table_mib: self.table_mib,
        }
    }

    /// This player with its budget multiplied, and the multiple that it really gets: the time of a move that an engine
    /// from outside is told is a whole number of milliseconds.
    fn times(&self, multiple: f64) -> (Self, f64) {
        let mut budget = self.budget.times(multiple);
        let mut real = multiple;
        if let (Program::Outside(_), Some(Timing::Move(usual)), Some(Timing::Move(time))) =
            (&self.program, self.budget.time, &mut budget.time)
        {
            *time = whole_milliseconds(*time);
            real = time.div_duration_f64(usual);
        }
        (Self { budget, ..self.clone() }, real)
    }
}

impl Budget {
    /// This budget multiplied. A depth has no multiples.
    #[must_use]
    pub fn times(self, multiple: f64) -> Self {
        let time = self.time.map(|time| match time {
            Timing::Move(time) => Timing::Move(time.mul_f64(multiple)),
            Timing::Clock(clock) => Timing::Clock(TimeControl {
                base: clock.base.mul_f64(multiple),
                increment: clock.increment.mul_f64(multiple),
                ..clock
            }),
        });
        let nodes = self.nodes.map(|nodes| ((nodes as f64 * multiple).round() as u64).max(1));
        Self { nodes, time, ..self }
    }
}

/// Games that are to be played: those of a contest from a number on. The ones before have been played.
#[derive(Clone, Debug)]
pub struct Round {
    /// Who plays, and where the games are kept.
    pub pairing: Pairing,
    /// All games of the pairing until the end of this round.
    pub contest: Contest,
    /// Number of the first game of the round.
    pub first: u32,
}

/// Names of programs: features, or what an engine from outside calls itself, with its command where another is called
/// the same.
fn titles(entrants: &[&Entrant]) -> Vec<String> {
    let title = |entrant: &&Entrant| {
        let program = entrant.program.to_string();
        let Some(title) = &entrant.title else { return program };
        let is_shared = |other: &&Entrant| other.title.as_ref() == Some(title) && other.program != entrant.program;
        if !entrants.iter().any(is_shared) {
            return title.clone();
        }
        let file = |word: &str| word.rsplit(std::path::MAIN_SEPARATOR).next().unwrap_or(word).to_owned();
        let words: Vec<String> = program.trim_start_matches(PlayerInfo::OUTSIDE).split(' ').map(file).collect();
        format!("{title} ({})", words.join(" "))
    };
    entrants.iter().map(title).collect()
}

/// Names of the players of a match whose programs have these titles: the title, and what tells them apart if that is
/// something else.
fn names_in_match(entrants: &[&Entrant], titles: &[String]) -> Vec<String> {
    let info = |(entrant, title): (&&Entrant, &String)| PlayerInfo { program: title.clone(), ..entrant.info("") };
    let parts = distinguishing(&entrants.iter().zip(titles).map(info).collect::<Vec<_>>(), &[]);
    let are_same = parts.iter().all(|part| *part == parts[0]);
    let name = |((part, title), letter): ((&String, &String), char)| match part {
        _ if are_same => format!("{title} ({letter})"),
        part if part.contains(title) => part.clone(),
        part => format!("{title} ({part})"),
    };
    parts.iter().zip(titles).zip('A'..).map(name).collect()
}

impl Tournament {
    /// A match of these two.
    pub fn of_match(
        entrants: [Entrant; 2],
        games: u32,
        openings: Openings,
        adjudication: Adjudication,
        test: Option<Sequential>,
    ) -> Self {
        Self {
            title: String::new(),
            question: "How much stronger is the one player than the other?".to_owned(),
            form: Form::RoundRobin,
            games,
            round: games,
            openings,
            adjudication,
            players: entrants.map(|entrant| Named { name: String::new(), rating: None, entrant }).into(),
            opponents: Vec::new(),
            is_match: true,
            test,
        }
    }

    /// The contest of a match.
    pub fn contest_of_match(&self) -> Option<Contest> {
        match &self.players[..] {
            [a, b] if self.is_match => Some(self.contest([&a.entrant, &b.entrant], self.openings.clone(), self.games)),
            _ => None,
        }
    }

    /// Number of all games.
    pub fn total_games(&self) -> u32 {
        self.form.pairings(self.players.len() as u32) * self.games
    }

    /// Description without the pairings, which come when they are played.
    pub fn description(&self, command: &str) -> record::Tournament {
        let opponents = self.players.iter().zip(&self.opponents);
        let names = self.names();
        let info =
            |(player, name): (&Named, &String)| PlayerInfo { rating: player.rating, ..player.entrant.info(name) };
        record::Tournament {
            title: if self.is_match { names.join(" against ") } else { self.title.clone() },
            question: self.question.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: Some(record::FORMAT),
            command: command.to_owned(),
            form: self.form,
            games: self.games,
            round: (self.form == Form::Odds).then_some(self.round),
            openings: self.openings.to_string(),
            players: self.players.iter().zip(&names).map(info).collect(),
            opponents: opponents.map(|(player, opponent)| opponent.info(&player.name)).collect(),
            pairings: Vec::new(),
            test: None,
        }
    }

    /// Names of the players, with what engines from outside call themselves once they have been asked.
    fn names(&self) -> Vec<String> {
        let entrants: Vec<&Entrant> = self.players.iter().map(|player| &player.entrant).collect();
        let titles = titles(&entrants);
        if self.is_match {
            return names_in_match(&entrants, &titles);
        }
        // A name that was not given holds the command of an engine.
        let name = |(player, title): (&Named, &String)| player.name.replace(&player.entrant.program.to_string(), title);
        self.players.iter().zip(&titles).map(name).collect()
    }

    /// All who play.
    pub fn entrants(&mut self) -> impl Iterator<Item = &mut Entrant> {
        self.players.iter_mut().map(|player| &mut player.entrant).chain(&mut self.opponents)
    }

    /// Plays all games: `play` plays those of a round and returns all of its contest.
    ///
    /// # Errors
    /// If `play` fails.
    pub fn play<E>(&self, play: impl FnMut(&Round) -> Result<Vec<GameRecord>, E>) -> Result<(), E> {
        match self.form {
            Form::RoundRobin => self.play_pairings(self.players.len(), play),
            Form::Gauntlet => self.play_pairings(1, play),
            Form::Odds => self.play_with_odds(play),
        }
    }

    /// Each of the first players against each that comes later.
    fn play_pairings<E>(
        &self,
        firsts: usize,
        mut play: impl FnMut(&Round) -> Result<Vec<GameRecord>, E>,
    ) -> Result<(), E> {
        for first in 0..firsts {
            for second in first + 1..self.players.len() {
                let [a, b] = [first, second].map(|place| &self.players[place]);
                let names = [a, b].map(|player| file_name(&player.name));
                let folder = if self.is_match { String::new() } else { format!("games/{}", names.join("-against-")) };
                let pairing = Pairing { first, second, multiple: None, folder };
                let contest = self.contest([&a.entrant, &b.entrant], self.openings.clone(), self.games);
                play(&Round { pairing, contest, first: 0 })?;
            }
        }
        Ok(())
    }

    /// A round of all players, then the next: whenever it is interrupted, all have played about as much. Each multiple
    /// has openings of its own, so that its games say something new; they are the same for all players.
    fn play_with_odds<E>(&self, mut play: impl FnMut(&Round) -> Result<Vec<GameRecord>, E>) -> Result<(), E> {
        let start = |player: &Named| Staircase::pair(f64::from(player.entrant.processors).sqrt());
        let mut stairs: Vec<[Staircase; 2]> = self.players.iter().map(start).collect();
        let mut played: Vec<BTreeMap<i32, u32>> = vec![BTreeMap::new(); stairs.len()];
        for (number, begins) in (0..self.games).step_by(self.round as usize).enumerate() {
            let of_round = self.round.min(self.games - begins);
            for (place, player) in self.players.iter().enumerate() {
                let stairs = &mut stairs[place][number % 2];
                let (multiple, step) = (stairs.multiple(), stairs.place());
                let games = played[place].entry(step).or_default();
                let first = *games;
                *games += of_round;
                let folder = format!("games/{}/{}", file_name(&player.name), name_of_multiple(multiple));
                let (opponent, multiple) = self.opponents[place].times(multiple);
                let contest = self.contest([&player.entrant, &opponent], self.openings.others(step), *games);
                let pairing = Pairing { first: place, second: place, multiple: Some(multiple), folder };
                let games = play(&Round { pairing, contest, first })?;
                let new = games.iter().filter(|game| game.number >= first);
                let half_points: u32 = new.map(|game| game.half_points(0)).sum();
                *stairs = stairs.after(f64::from(half_points) / f64::from(2 * of_round));
            }
        }
        Ok(())
    }

    fn contest(&self, entrants: [&Entrant; 2], openings: Openings, games: u32) -> Contest {
        Contest {
            entrants: entrants.map(Entrant::clone),
            openings,
            games,
            games_per_opening: 2,
            adjudication: self.adjudication,
        }
    }

    /// A name that stands for two players in names of files.
    fn repeated_name(&self) -> Option<&str> {
        let mut names: Vec<(String, &str)> =
            self.players.iter().map(|player| (file_name(&player.name), player.name.as_str())).collect();
        names.sort();
        names.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1)
    }
}

/// A multiple as the name of a folder, different for each step.
fn name_of_multiple(multiple: f64) -> String {
    if multiple < 0.01 { format!("{multiple:.2e}") } else { format!("{multiple:.3}") }
}

/// A name as that of a folder.
fn file_name(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' => text.push(c),
            _ if text.ends_with('-') || text.is_empty() => {}
            _ => text.push('-'),
        }
    }
    text.trim_end_matches('-').to_owned()
}
