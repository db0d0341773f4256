//! The page of a match or a tournament: the answer first, then charts and tables, and how the games were played.

use super::{Results, answer, tables};
use crate::record::{Environment, PlayerInfo};
use crate::report::charts::Chart;
use crate::report::headline::{Headline, Tile};
use crate::report::page::{Page, Part, document, environment, write_charts};
use crate::table::markup::Html;
use crate::table::number::counted;
use crate::table::{Columns, Table, html};

/// The page, as one file of HTML that needs no other.
pub(super) fn page(results: &Results, charts: &[Chart], surroundings: &Environment) -> String {
    let tournament = &results.tournament;
    let part = |key, title, sentence: &str, fill: &dyn Fn(&mut Html)| {
        Part::new(key, title, sentence.to_owned(), |html| fill(html))
    };
    let games = counted(results.games().count(), "game", "games");
    let players = counted(tournament.players.len(), "player", "players");
    let mut parts = vec![
        part(
            "results",
            "Who beat whom?",
            &format!("All pairings, with points, lengths and depths: {games}."),
            &|html| {
                tables::all(results).iter().for_each(|table| html::write(table, html));
            },
        ),
        part("method", "How were the games played?", &format!("{players}, {}.", tournament.openings), &|html| {
            write_method(html, results);
        }),
        part("how", "On which computer?", &format!("Splitpoint {}.", tournament.version), &|html| {
            surroundings.write(html);
            environment::write_costs(html, &surroundings.costs());
        }),
    ];
    if charts.len() > 1 {
        let more = part("games", "How did the games go?", "Lengths and depths, game by game.", &|html| {
            write_charts(html, charts[1..].iter());
        });
        parts.insert(1, more);
    }
    let verdict = answer::verdict(results);
    let mut alerts = [answer::notes(results), results.warnings.clone()].concat();
    // What disturbs a real machine does not touch virtual time, nor games that no clock decides.
    let has_clock =
        tournament.players.iter().any(|player| player.limit.ends_with(" s") || player.limit.contains("clock"));
    if has_clock && !results.is_virtual() {
        alerts
            .extend(surroundings.serious().into_iter().map(|finding| format!("{}. {}", finding.what, finding.remedy)));
    }
    let headline = Headline {
        alerts,
        cautions: Vec::new(),
        verdict: verdict.first().cloned().unwrap_or_default(),
        tiles: tiles(results),
        table: Table { title: String::new(), ..tables::first(results) },
    };
    document(&Page {
        title: &tournament.title,
        question: &tournament.question,
        headline: &headline,
        chart: charts.first(),
        parts,
        command: &tournament.command,
    })
}

/// Numbers of games and of their ends.
fn tiles(results: &Results) -> Vec<Tile> {
    let all = results.games().count();
    let tile = |number: String, words: &str| Tile { number, words: words.to_owned(), is_warning: false };
    let plies = results.games().map(crate::record::GameRecord::plies).sum::<usize>() as f64 / all.max(1) as f64;
    let mut tiles = vec![
        tile(all.to_string(), "games, each opening played twice with colours reversed"),
        tile(format!("{plies:.0}"), "plies a game on average"),
    ];
    if let [one] = results.played.as_slice() {
        let games = one.standing.games_to_show();
        tiles.extend(games.map(|games| tile(games.to_string(), "games would show this difference, if it is one")));
    }
    tiles
}

fn write_method(html: &mut Html, results: &Results) {
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
