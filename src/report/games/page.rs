//! The page of a match or a tournament: the answer first, then charts and tables, and how the games were played.

use super::{Results, answer, tables};
use crate::record::{Environment, PlayerInfo};
use crate::report::charts::Chart;
use crate::report::page::{Beginning, Section, Targets, document, environment, write_charts};
use crate::table::markup::Html;
use crate::table::{Columns, html};

/// The page, as one file of HTML that needs no other.
pub(super) fn page(results: &Results, charts: &[Chart], surroundings: &Environment) -> String {
    let tournament = &results.tournament;
    let sections = [
        Section::new("charts", "Charts", |html| write_charts(html, charts, &Targets::of_charts(charts))),
        Section::new("tables", "Results", |html| {
            tables::all(results).iter().for_each(|table| html::write(table, html));
        }),
        Section::new("method", "Method", |html| write_method(html, results)),
        Section::new("environment", "Environment", |html| {
            surroundings.write(html);
            environment::write_costs(html, &surroundings.costs());
        }),
        Section::new("again", "Reproduce this", |html| {
            html.within("pre", &[], |html| html.element("code", &[], &tournament.command));
            html.facts(&[("Version", tournament.version.clone())]);
        }),
    ];
    let answer = [answer::verdict(results), answer::notes(results), results.warnings.clone()].concat();
    let beginning = Beginning {
        title: &tournament.title,
        question: &tournament.question,
        answer: &answer,
        // What disturbs a real machine does not touch virtual time.
        warnings: &if results.is_virtual() { Vec::new() } else { surroundings.serious() },
        ..Beginning::default()
    };
    document(&beginning, &sections)
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
