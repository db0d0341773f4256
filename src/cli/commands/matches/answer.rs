//! What the games of a match say, as JSON and in words.

use std::io::{self, Write, stdout};

use serde_json::Value;

use super::ERROR;
use crate::commands::output::{self, VERSION, object};
use crate::record::{PlayerInfo, TestInfo};
use crate::report::games::{PairVerdict, Standing, block};
use crate::statistics::{Decision, EloModel, Interval, Sequential};
use crate::table::number::{counted, figure, percent};
use crate::table::{Cell, Digits, columns};

/// A sequential test of a match, as it ended.
pub struct Tested {
    test: Sequential,
    /// The difference that it has decided for, if it has.
    decision: Option<f64>,
    /// Log-likelihood ratio at the decision, or after all games.
    log_ratio: f64,
}

impl Tested {
    /// The test, as it stands after these games.
    pub fn of(test: Sequential, decision: Option<(Decision, f64)>, standing: &Standing) -> Self {
        let elo = decision.map(|(decision, _)| match decision {
            Decision::First => test.elo[0],
            Decision::Second => test.elo[1],
        });
        let log_ratio = decision.map_or_else(|| test.log_ratio(&standing.pairs), |(_, ratio)| ratio);
        Self { test, decision: elo, log_ratio }
    }

    /// The test as the folder of the match keeps it.
    pub fn info(&self) -> TestInfo {
        let Self { test, decision, log_ratio } = *self;
        let is_normalised = test.model == EloModel::Normalised;
        TestInfo { elo: test.elo, is_normalised, decision, log_ratio, bounds: test.bounds() }
    }

    fn sentence(&self) -> String {
        let ([low, high], [first, second]) = (self.test.bounds(), self.test.elo);
        let decision = self.decision.map_or("undecided".to_owned(), |elo| format!("decided for {elo}"));
        // As all other numbers of the answer are written.
        let minus = |number: f64| format!("{number:.2}").replace('-', "−");
        format!(
            "Sequential test of {first} against {second} Elo, errors {}: {decision} (log-likelihood ratio {}, \
             bounds {} and {}). The interval above does not allow for the end that a test sets.",
            percent(ERROR),
            minus(self.log_ratio),
            minus(low),
            minus(high)
        )
    }
}

/// Prints one JSON object.
pub fn print_json(
    asked: Option<Value>,
    standing: &Standing,
    verdict: &PairVerdict,
    test: Option<&Tested>,
) -> io::Result<()> {
    let [lost, drawn, won] = standing.results;
    let work = standing.work.map(|work| {
        let (nodes, depth, ns) = (work.mean(work.nodes), work.mean(work.depths), work.mean(work.time_ns));
        object! { moves: work.moves, nodes_per_move: nodes, depth, time_per_move_s: ns * 1e-9 }
    });
    let pairs = &standing.pairs;
    let printed = object! {
        version: VERSION,
        configuration: asked,
        verdict: &verdict.text, void: verdict.is_void, fair: verdict.is_fair,
        games: standing.games(), won, drawn, lost,
        pairs: pairs.counts(), score: pairs.score(),
        elo: pairs.elo(), normalised_elo: pairs.normalised_elo(), superiority: pairs.superiority(),
        sequential_test: test.map(|tested| object! {
            elo: tested.test.elo, log_ratio: tested.log_ratio, bounds: tested.test.bounds(),
            decision: tested.decision,
        }),
        plies: standing.plies as f64 / standing.games() as f64,
        endings: &standing.endings,
        players: work,
    };
    output::json(&mut stdout(), &printed)
}

/// Prints the answer, the table that it stands on, and who has played.
pub fn print(
    players: [&PlayerInfo; 2],
    standing: &Standing,
    verdict: &PairVerdict,
    test: Option<&Tested>,
) -> io::Result<()> {
    let mut out = stdout().lock();
    for doubt in &verdict.doubts {
        output::paragraph(&mut out, "! ", doubt)?;
    }
    output::paragraph(&mut out, if verdict.is_void { "! " } else { "" }, &verdict.text)?;
    if let Some(more) = test.map(Tested::sentence).as_ref().or(verdict.more.as_ref()) {
        output::paragraph(&mut out, "", more)?;
    }
    writeln!(out)?;
    let sides = [standing.clone(), standing.reversed()];
    let rows: Vec<_> = players.into_iter().zip(&sides).collect();
    let in_hundredths = |score: Interval| score.map(|score| 100.0 * score);
    let result = columns! { &(&PlayerInfo, &Standing), row;
        "player": "Name" => row.0.name.clone();
        "won": "Games that it won" => row.1.results[2];
        "drawn": "Drawn games" => row.1.results[1];
        "lost": "Games that it lost" => row.1.results[0];
        "score" as "score %": "Its points in hundredths" => in_hundredths(row.1.pairs.score());
        "normalised" as "nElo": "Difference in rating by the deviation of a game" => row.1.pairs.normalised_elo();
        "nodes" as "nodes/move": "Mean number of nodes for a move" =>
            Cell::whole(row.1.work[0].mean(row.1.work[0].nodes));
        "depth": "Mean depth of a move" =>
            Cell::Number(row.1.work[0].mean(row.1.work[0].depths), Digits::Decimals(1));
        "time" as "ms/move": "Mean time of a move" => row.1.work[0].mean(row.1.work[0].time_ns) * 1e-6;
    };
    output::table(&mut out, &result.table("", "", &rows))?;
    writeln!(out)?;
    writeln!(out, "{}\n", block(standing, verdict.is_fair, test.map(Tested::info).as_ref()))?;
    let games = standing.games() as f64;
    let endings = standing.endings.iter().map(|(ending, count)| format!("{ending} {}", percent(*count as f64 / games)));
    let endings = endings.collect::<Vec<_>>().join(", ");
    let plies = figure(standing.plies as f64 / games);
    let games = counted(standing.games(), "game", "games");
    output::paragraph(&mut out, "", &format!("{games} of {plies} plies on average; {endings}."))?;
    for player in players {
        let name = if player.name == player.program { String::new() } else { format!("{}: ", player.name) };
        output::paragraph(&mut out, "", &format!("{name}{player}."))?;
    }
    Ok(())
}
