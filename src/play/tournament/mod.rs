//! Tournaments: more than two players, each against each other or one against all; or each against an opponent with
//! odds that make both equal. A pairing is a [`Contest`], with a folder of its own.

mod file;
pub mod shipped;
mod staircase;

use std::collections::BTreeMap;

use super::TimeControl;
use super::contest::Contest;
use super::entrant::{Budget, Entrant, Program, Timing};
use super::game::Adjudication;
use super::openings::Openings;
use super::outside::whole_milliseconds;
use crate::record::{self, Form, GameRecord, Pairing, PlayerInfo, distinguishing};
use staircase::Staircase;

pub use file::parse;

/// A tournament, as a file asks for it.
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
}

/// A player with its name.
#[derive(Clone, Debug)]
pub struct Named {
    /// Name in tables and charts.
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

/// Names of the players of a contest: program, and what tells them apart if that is something else.
pub fn names(contest: &Contest) -> [String; 2] {
    let titles = titles(&contest.entrants.each_ref());
    let mut infos = contest.entrants.each_ref().map(|entrant| entrant.info(""));
    for (info, title) in infos.iter_mut().zip(&titles) {
        info.program.clone_from(title);
    }
    let parts = distinguishing(&infos, &[]);
    [0, 1].map(|place| match (&parts[place], &titles[place]) {
        (_, title) if parts[0] == parts[1] => format!("{title} ({})", ["A", "B"][place]),
        (part, title) if part.contains(title) => part.clone(),
        (part, title) => format!("{title} ({part})"),
    })
}

/// Description of a contest as a tournament of two players, whose games are in the folder itself.
pub fn of_contest(contest: &Contest, command: &str) -> record::Tournament {
    let names = names(contest);
    let named = names.iter().zip(&contest.entrants).map(|(name, entrant)| entrant.info(name));
    record::Tournament {
        title: format!("{} against {}", names[0], names[1]),
        question: "How much stronger is the one player than the other?".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command.to_owned(),
        games: contest.games,
        openings: contest.openings.to_string(),
        players: named.collect(),
        pairings: vec![Pairing { first: 0, second: 1, multiple: None, folder: String::new() }],
        ..record::Tournament::default()
    }
}

impl Tournament {
    /// Number of all games.
    pub fn total_games(&self) -> u32 {
        self.form.pairings(self.players.len() as u32) * self.games
    }

    /// Description without the pairings, which come when they are played.
    pub fn description(&self, command: &str) -> record::Tournament {
        let opponents = self.players.iter().zip(&self.opponents);
        let titles = titles(&self.players.iter().map(|player| &player.entrant).collect::<Vec<_>>());
        // A name that was not given holds the command of an engine.
        let name = |(player, title): (&Named, &String)| player.name.replace(&player.entrant.program.to_string(), title);
        let names = self.players.iter().zip(&titles).map(name);
        let info = |(player, name): (&Named, String)| record::PlayerInfo {
            rating: player.rating,
            ..player.entrant.info(&name)
        };
        record::Tournament {
            title: self.title.clone(),
            question: self.question.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: command.to_owned(),
            form: self.form,
            games: self.games,
            round: (self.form == Form::Odds).then_some(self.round),
            openings: self.openings.to_string(),
            players: self.players.iter().zip(names).map(info).collect(),
            opponents: opponents.map(|(player, opponent)| opponent.info(&player.name)).collect(),
            pairings: Vec::new(),
        }
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
                let folder = format!("games/{}-against-{}", file_name(&a.name), file_name(&b.name));
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::random::SplitMix;
    use crate::record::{Ending, GameResult};
    use crate::statistics::{Logistic, Observation};

    #[test]
    fn each_multiple_has_a_folder() {
        let names: Vec<String> = (-60..20).map(|step| name_of_multiple(2_f64.sqrt().powi(step))).collect();
        let different: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(different.len(), names.len(), "{names:?}");
        assert_eq!([0.354, 11.3137].map(name_of_multiple), ["0.354", "11.314"]);
    }

    #[test]
    fn engines_from_outside_get_whole_milliseconds() {
        let text = "form = \"odds\"\n[opponent]\nprogram = \"uci:other\"\nmove_time = \"5ms\"\n\
                    [[player]]\nprogram = \"modern\"\nnodes = 1000\n";
        let opponent = parsed(text).unwrap().opponents.remove(0);
        for (multiple, time_ms, real) in [(1.0, 5, 1.0), (1.35, 7, 1.4), (0.1, 1, 0.2), (0.25, 1, 0.2)] {
            let (entrant, multiple) = opponent.times(multiple);
            assert_eq!(entrant.budget.time, Some(Timing::Move(std::time::Duration::from_millis(time_ms))));
            assert_eq!(multiple, real);
        }
    }

    fn parsed(text: &str) -> Result<Tournament, String> {
        parse(Path::new("t.toml"), text, &[]).map_err(|error| error.to_string())
    }

    fn won_by_the_first(contest: &Contest, wins: bool) -> Vec<GameRecord> {
        let game = |number: u32| {
            let white = number as usize % 2;
            let first_is_white = white == 0;
            GameRecord {
                number,
                white,
                start: String::new(),
                opening: String::new(),
                moves: String::new(),
                scores: Vec::new(),
                depths: Vec::new(),
                result: if first_is_white == wins { GameResult::WhiteWins } else { GameResult::BlackWins },
                ending: Ending::Mate,
                nodes: [0; 2],
                time_ns: [0; 2],
                times_ms: Vec::new(),
                fault: None,
            }
        };
        (0..contest.games).map(game).collect()
    }

    #[test]
    fn each_plays_each_or_one_plays_all() {
        let text = "games = 4\n[every]\nnodes = 100\n[[player]]\nprogram = [\"modern\", \"thesis\"]\n[[player]]\n\
                    name = \"engine\"\nprogram = \"uci:engine\"\ndepth = 3\n";
        let played = |text: &str| {
            let (tournament, mut pairs) = (parsed(text).unwrap(), Vec::new());
            let total = tournament.total_games();
            let _ = tournament.play(|Round { pairing, contest, .. }| {
                pairs.push((pairing.first, pairing.second, contest.games));
                Ok::<_, ()>(won_by_the_first(contest, true))
            });
            (total, pairs)
        };
        assert_eq!(played(text), (12, vec![(0, 1, 4), (0, 2, 4), (1, 2, 4)]));
        assert_eq!(played(&format!("form = \"gauntlet\"\n{text}")), (8, vec![(0, 1, 4), (0, 2, 4)]));
        let tournament = parsed(text).unwrap();
        let names: Vec<&str> = tournament.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["modern, 100 nodes", "thesis, 100 nodes", "engine"]);
        // A limit of its own takes the place of the common one.
        assert_eq!(tournament.players[2].entrant.budget, Budget { depth: Some(3), ..Budget::default() });
    }

    #[test]
    fn odds_follow_the_results() {
        let text = "form = \"odds\"\ngames = 10\nround = 4\n[[player]]\nprogram = \"modern\"\nmachine = \"virtual\"\n\
                    move_time = \"4ms\"\nprocessors = [4, 16]\nstrategy = \"lazy\"\n";
        let tournament = parsed(text).unwrap();
        assert_eq!(tournament.total_games(), 20);
        let mut rounds = Vec::new();
        let _ = tournament.play(|Round { pairing, contest, first }| {
            let multiple = pairing.multiple.unwrap();
            assert_eq!(*first, 0, "no multiple comes twice here");
            let [player, opponent] = &contest.entrants;
            assert_eq!((opponent.processors, opponent.budget), (1, player.budget.times(multiple)));
            rounds.push((pairing.first, multiple, contest.games));
            // Four processors are as good as less than 4 times the time, sixteen as less than 6.
            Ok::<_, ()>(won_by_the_first(contest, multiple < [4.0, 6.0][pairing.first]))
        });
        // The low staircases, the high ones, and the low ones again.
        let expected = [(0, 1.0, 4), (1, 2.0, 4), (0, 4.0, 4), (1, 8.0, 4), (0, 2.0, 2), (1, 4.0, 2)];
        for (found, expected) in rounds.iter().zip(&expected) {
            assert!((found.1 - expected.1).abs() < 1e-9 && (found.0, found.2) == (expected.0, expected.2), "{found:?}");
        }
        assert_eq!(rounds.len(), expected.len());
    }

    /// Games of a player that is worth 5 times the limit, with openings that favour one side or the other: the multiple
    /// is found, though which games are played depends on their results. Its interval misses it in about 5 of 100, and
    /// is bounded.
    #[test]
    fn what_a_player_is_worth_comes_back_from_games_with_odds() {
        let text = "form = \"odds\"\ngames = 100\n[[player]]\nprogram = \"modern\"\nprocessors = 8\n";
        let (tournament, mut random) = (parsed(text).unwrap(), SplitMix::new(3));
        let (mut bounded, all) = (0, 1_000);
        let misses = (0..all).filter(|_| {
            let (mut observations, mut cluster) = (Vec::new(), 0);
            let _ = tournament.play(|Round { pairing, contest, first }| {
                let x = pairing.multiple.unwrap().ln();
                let mut games = won_by_the_first(contest, false);
                for pair in games[*first as usize..].chunks_mut(2) {
                    let opening = 0.8 * random.normal();
                    for (game, favour) in pair.iter_mut().zip([opening, -opening]) {
                        let expected = 1.0 / (1.0 + (0.75 * (x - 5.0_f64.ln()) - favour).exp());
                        let draws = 1.4 * expected * (1.0 - expected);
                        let drawn = random.uniform();
                        let half_points =
                            if drawn < expected - draws / 2.0 { 2 } else { u32::from(drawn < expected + draws / 2.0) };
                        let color = if half_points == 2 { game.color_of(0) } else { game.color_of(1) };
                        game.result = if half_points == 1 { GameResult::Draw } else { GameResult::win_of(color) };
                        observations.push(Observation {
                            x: vec![1.0, x],
                            score: f64::from(half_points) / 2.0,
                            cluster,
                        });
                    }
                    cluster += 1;
                }
                Ok::<_, ()>(games)
            });
            let Some(even) = Logistic::fit(&observations).map(|fit| fit.even()) else { return true };
            bounded += u32::from(even.is_known());
            !(even.low <= 5.0_f64.ln() && 5.0_f64.ln() <= even.high)
        });
        let misses = misses.count();
        assert!((30..80).contains(&misses), "{misses} of {all}");
        assert!(bounded > all * 19 / 20, "{bounded} of {all}");
    }

    #[test]
    fn engines_have_the_names_that_they_give_themselves() {
        let file = "[[player]]\nname = \"mine\"\nprogram = \"uci:/a/one -x\"\n[[player]]\nprogram = [\"uci:/b/two\", \
                    \"modern\"]\n";
        let mut tournament = parsed(file).unwrap();
        let entrants = tournament.players.iter().map(|player| player.entrant.clone());
        let [one, two, modern]: [Entrant; 3] = entrants.collect::<Vec<_>>().try_into().unwrap();
        let titled = |entrant: &Entrant, title: &str| Entrant { title: Some(title.to_owned()), ..entrant.clone() };
        let named = |a: &Entrant, b: &Entrant| names(&tournament.contest([a, b], Openings::Book { seed: 0 }, 2));
        assert_eq!(named(&one, &modern), ["uci:/a/one -x", "modern"], "one that has not been asked");
        assert_eq!(named(&titled(&one, "Fake 1"), &modern), ["Fake 1", "modern"]);
        assert_eq!(named(&titled(&one, "Fake"), &titled(&two, "Fake")), ["Fake (one -x)", "Fake (two)"]);
        let same = titled(&one, "Fake");
        assert_eq!(named(&same, &same), ["Fake (A)", "Fake (B)"]);
        let more = Entrant { processors: 4, ..same.clone() };
        assert_eq!(named(&same, &more), ["Fake (1 processor)", "Fake (4 processors)"]);
        tournament.entrants().take(2).for_each(|entrant| entrant.title = Some("Fake".to_owned()));
        let players = tournament.description("").players;
        let told: Vec<_> = players.iter().map(|player| (player.name.as_str(), player.program.as_str())).collect();
        assert_eq!(told, [("mine", "uci:/a/one -x"), ("Fake (two)", "uci:/b/two"), ("modern", "modern")]);
    }

    #[test]
    fn an_opponent_may_have_a_limit_of_its_own() {
        let text = "form = \"odds\"\ngames = 2\n[every]\npatience = \"2s\"\n[opponent]\n\
                    program = \"modern\"\nnodes = 300\n[[player]]\n\
                    program = \"uci:engine\"\ndepth = 5\n";
        let tournament = parsed(text).unwrap();
        let _ = tournament.play(|Round { pairing, contest, .. }| {
            let nodes = (300.0 * pairing.multiple.unwrap()).round() as u64;
            assert!(contest.entrants.iter().all(|one| one.patience == Some(std::time::Duration::from_secs(2))));
            let [player, opponent] = contest.entrants.each_ref().map(|entrant| entrant.budget);
            assert_eq!(player, Budget { depth: Some(5), ..Budget::default() });
            assert_eq!(opponent, Budget { nodes: Some(nodes), ..Budget::default() });
            Ok::<_, ()>(won_by_the_first(contest, true))
        });
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, parts) in [
            ("[[player]]\nprogram = \"modern\"\n", &["player", "2 or more"][..]),
            ("form = \"knockout\"\n", &["line 1", "knockout", "round-robin"]),
            ("games = 3\n[[player]]\nprogram = \"modern\"\n[[player]]\nprogram = \"thesis\"\n", &["games", "even"]),
            ("form = \"odds\"\n[[player]]\nprogram = \"modern\"\ndepth = 4\n", &["form", "multiples"]),
            (
                "form = \"odds\"\n[opponent]\nnodes = [1, 2]\n[[player]]\nprogram = \"modern\"\n",
                &["line 3", "one limit"],
            ),
            ("[[player]]\nprogramme = \"modern\"\n", &["line 2", "'programme'", "program"]),
            ("[[player]]\nprogram = \"modern,+nul-move\"\n", &["line 2", "null-move"]),
            ("[[player]]\nnodes = 5\n", &["program", "is missing"]),
            (
                "[opponent]\nprogram = \"modern\"\n[[player]]\nprogram = [\"modern\", \"thesis\"]\n",
                &["opponent", "odds"],
            ),
            ("[[player]]\nprogram = [\"modern\", \"modern\"]\n", &["two players"]),
            ("[[player]]\nprogram = \"modern\"\nclock = \"1+0\"\nmove_time = 1\n", &["clock"]),
        ] {
            let message = parsed(text).expect_err(text);
            assert!(parts.iter().all(|part| message.contains(part)), "{text}: {message}");
        }
    }

    #[test]
    fn names_of_folders_are_plain() {
        assert_eq!(file_name("uci:/usr/games/toga2, 4 processors"), "uci-usr-games-toga2-4-processors");
        assert_eq!(file_name("modern,+null-move"), "modern-null-move");
    }
}
