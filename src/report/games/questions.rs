//! Questions that are asked of games, and what a reader sees first.

use super::fairness::is_fair;
use super::lengths::Spent;
use super::{Results, answer, charts, tables};
use crate::page::environment;
use crate::question::{About, File, Headline, Question, Subject, Tile};
use crate::record::PlayerInfo;
use crate::sentence::Sentence;
use crate::table::markup::Html;
use crate::table::number::counted;
use crate::table::{Columns, html};

impl Subject for Results {
    const QUESTIONS: &'static [Question<Self>] = &[STRENGTHS, PLAYERS, PAIRINGS, MOVES, ENDS, METHOD, HOW];
    const FILES: &'static [File<Self>] = &[tables::GAMES];

    fn about(&self) -> About<'_> {
        let tournament = &self.tournament;
        About {
            title: &tournament.title,
            question: &tournament.question,
            command: &tournament.command,
            version: &tournament.version,
            ..About::default()
        }
    }

    fn headline(&self) -> Headline {
        let mut alerts = [answer::notes(self), self.left_out.clone()].concat();
        // What disturbs a real machine does not touch virtual time, nor games that no clock decides.
        let players = &self.tournament.players;
        let has_clock = players.iter().any(|player| player.limit.ends_with(" s") || player.limit.contains("clock"));
        if has_clock && !self.is_virtual() {
            alerts.extend(self.environment.remedies());
        }
        let is_fair = self.played.iter().all(|played| is_fair(players, played));
        Headline {
            is_tentative: !is_fair || self.missing().is_some(),
            alerts,
            verdict: stated(self),
            tiles: tiles(self, is_fair),
            table: tables::first(self),
            ..Headline::default()
        }
    }
}

/// All that the games say.
fn stated(results: &Results) -> Sentence {
    Sentence::stated(answer::verdict(results).join(" "), results)
}

const STRENGTHS: Question<Results> = Question {
    key: "strength",
    title: "What is the strength worth in time?",
    reading: "k: multiple that the opponent has of its limit, which is the player's if it has none of its own. \
              Logistic regression of the scores in the logarithm of k; intervals by openings, the two games of which \
              depend on one another. Nodes are those that each program counts.",
    sentence: |results| results.has_odds().then(|| stated(results)),
    charts: &[
        ("strength-speedup", "strength speedup by number of processors", charts::strength_by_processors),
        ("elo", "difference in rating from the opponent by number of processors", charts::elo_by_processors),
        ("score", "score by the multiple of the limit", charts::score_by_multiple),
    ],
    most_charts: 3,
    table: tables::strengths,
    files: &[tables::STRENGTHS],
    ..Question::PLAIN
};

const PLAYERS: Question<Results> = Question {
    key: "players",
    title: "How strong is each player?",
    reading: "Ratings by maximum likelihood from all games, about the mean of all players; intervals by openings, the \
              two games of which depend on one another.",
    sentence: |results| {
        let first = answer::verdict(results).into_iter().next().filter(|_| !results.has_odds())?;
        Some(Sentence::stated(first, results))
    },
    charts: &[
        ("elo", "rating by number of processors", charts::elo_by_processors),
        ("pairs", "pairs of games by their points", charts::pairs),
        ("running", "difference in rating as games go on", charts::running),
        ("ratings", "rating of each player", charts::ratings),
    ],
    table: tables::players,
    files: &[tables::PLAYERS],
    body: |results, page| html::write(&tables::cross(results), page),
    ..Question::PLAIN
};

const PAIRINGS: Question<Results> = Question {
    key: "results",
    title: "Who beat whom?",
    reading: "From the view of the first player. The two games of an opening are counted as a pair, and intervals come \
              from the spread of pairs.",
    sentence: |results| answer::of_pairings(results).map(Sentence::described),
    table: tables::pairings,
    files: &[tables::PAIRINGS],
    ..Question::PLAIN
};

const MOVES: Question<Results> = Question {
    key: "moves",
    title: "What did a move take?",
    reading: "Means over all moves that were searched for.",
    sentence: |results| answer::of_work(results).map(Sentence::described),
    charts: &[
        ("time-use", "time for a move by its number", |results| charts::by_move(results, Spent::Milliseconds)),
        ("depths", "depth of a move by its number", |results| charts::by_move(results, Spent::Depth)),
    ],
    table: tables::work,
    ..Question::PLAIN
};

const ENDS: Question<Results> = Question {
    key: "games",
    title: "How did the games end?",
    sentence: |results| {
        let total = results.total();
        let mean_plies = total.plies as f64 / total.games() as f64;
        let words = || format!("After {mean_plies:.0} plies on average, those of the opening included.");
        (total.games() > 0).then(|| Sentence::described(words()))
    },
    charts: &[("lengths", "share of games that are over by number of plies", charts::game_lengths)],
    table: tables::endings,
    ..Question::PLAIN
};

const METHOD: Question<Results> = Question {
    key: "method",
    title: "How were the games played?",
    sentence: |results| {
        let players = counted(results.tournament.players.len(), "player", "players");
        Some(Sentence::described(format!("{players}, {}.", results.tournament.openings)))
    },
    body: write_method,
    ..Question::PLAIN
};

const HOW: Question<Results> = Question {
    key: "how",
    title: "On which computer?",
    sentence: |results| Some(Sentence::described(format!("Splitpoint {}.", results.tournament.version))),
    body: |results, html| {
        environment::write_sessions(html, &results.environment.sessions);
        environment::write_costs(html, &results.environment.costs());
    },
    ..Question::PLAIN
};

/// Numbers of games and of their ends.
fn tiles(results: &Results, is_fair: bool) -> Vec<Tile> {
    let tile = |number: String, words: &str| Tile { number, words: words.to_owned(), is_warning: false };
    let games = results.games().count().to_string();
    let mut tiles = vec![tile(games, "games, each opening played twice with colours reversed")];
    let limits = crate::distinct::distinct(results.tournament.players.iter().map(|player| player.limit.as_str()));
    if let [limit] = limits[..] {
        tiles.push(tile(limit.to_owned(), "limit of a move of each player"));
    }
    if let Some(test) = results.tournament.test {
        let [first, second] = test.elo;
        let normalised = if test.is_normalised { ", normalised" } else { "" };
        tiles.push(tile(format!("SPRT {first}, {second}{normalised}"), &test.to_string()));
    }
    if let [one] = results.played.as_slice()
        && !results.has_odds()
        && results.tournament.test.is_none()
        && is_fair
    {
        let elo = one.standing.pairs.elo();
        let is_open = elo.low < 0.0 && elo.high > 0.0;
        let more = one.standing.games_to_show().filter(|games| is_open && *games > one.standing.games());
        let words = "games in all would show who is stronger, if the score stays as it is";
        tiles.extend(more.map(|games| tile(format!("about {}", answer::rounded(games)), words)));
    }
    tiles
}

fn write_method(results: &Results, html: &mut Html) {
    let tournament = &results.tournament;
    let mut paragraphs = vec![format!(
        "{} {}, each played twice with colours reversed. Games end by the rules; as a win when both sides have seen 10 \
         pawns or more for 4 plies; as a draw when both have seen at most 0.1 pawns for 10 plies after ply 80, or at \
         ply 400. A side that exceeds its clock has lost, and so has an engine that ends, hangs or plays an illegal \
         move.",
        tournament.form.meaning().trim_end_matches('.'),
        format_args!("with {}", tournament.openings)
    )];
    if results.has_odds() {
        paragraphs.push(
            "After each round the opponent gets more of the limit or less, by what the player has scored: two steps of \
             a factor of the square root of 2 until the direction changes, then one. Rounds go in turn to where the \
             player scores 70 % and to where it scores 30 %. Scores are fitted by a logistic curve in the logarithm of \
             the multiple, and the multiple of an even score has the interval of Fieller, from a covariance in which \
             the two games of an opening are one cluster."
                .to_owned(),
        );
    } else {
        paragraphs.push(
            "The interval of a pairing comes from the spread of its pairs of games. Ratings of several players are \
             those with which the points of all games are likeliest, if the expected score is the logistic curve of \
             the difference; their covariance takes the two games of an opening as one cluster."
                .to_owned(),
        );
    }
    if results.is_virtual() {
        paragraphs.push(
            "All players play on the virtual machine: times are simulated, and the games are the same on every \
             computer."
                .to_owned(),
        );
    }
    html.paragraphs(&paragraphs);
    let columns = |title: &str, players: &[PlayerInfo]| {
        Columns::new()
            .with("Player", "", |player: &&PlayerInfo| player.name.as_str())
            .with("Program", "", |player| player.program.as_str())
            .with("Machine", "", |player| player.machine.name())
            .with("Processors", "", |player| player.processors)
            .with("Strategy", "", |player| player.strategy.clone())
            .with("Limit", "Of a move", |player| player.limit.as_str())
            .with("Table", "In MiB", |player| player.table_mib)
            .table(title, "", players)
    };
    html::write(&columns("Players", &tournament.players), html);
    html::write(&columns("Their opponents", &tournament.opponents), html);
}
