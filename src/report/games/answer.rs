//! What the games say, in sentences.

use super::Results;
use super::strength::Strength;
use crate::record::{Ending, GameRecord, PlayerInfo};
use crate::table::number::{counted, figure, interval, level};

/// Players that are named in a sentence; the table has all.
const MOST_NAMED: usize = 6;

/// Sentences that answer the question.
pub(super) fn verdict(results: &Results) -> Vec<String> {
    if results.played.is_empty() {
        return vec!["No game is over yet.".to_owned()];
    }
    let mut sentences = match results.has_odds() {
        true => odds(results),
        false if results.tournament.players.len() == 2 => vec![pair(results)],
        false => vec![ratings(results)],
    };
    sentences.push(games(results));
    sentences
}

/// Word for what a player is limited by.
fn limit(player: &PlayerInfo) -> &'static str {
    let words = [(" nodes", "nodes"), (" s", "time")];
    words.into_iter().find(|(end, _)| player.limit.ends_with(end)).map_or("limit", |(_, word)| word)
}

fn odds(results: &Results) -> Vec<String> {
    let processors = |strength: &Strength| results.tournament.players[strength.player].processors;
    // Those of the largest number of processors say most; the table and the chart have all.
    let most = results.strengths.iter().map(processors).max().unwrap_or_default();
    let mut shown: Vec<&Strength> = results.strengths.iter().filter(|one| processors(one) == most).collect();
    let left_out = shown.len().saturating_sub(MOST_NAMED);
    shown.truncate(MOST_NAMED);
    let named: Vec<String> = shown
        .iter()
        .map(|one| match one.even {
            Some(even) => format!("{} {}", results.name(one.player), interval(&even)),
            None => format!("{} unknown, since its games allow no fit", results.name(one.player)),
        })
        .collect();
    let of = shown.first().map_or("limit", |first| limit(&results.tournament.opponents[first.player]));
    let more = if left_out > 0 { format!("; {left_out} more are in the table") } else { String::new() };
    let mut sentences = vec![format!(
        "Multiple of {of} with which the opponent scores the same ({} intervals): {}{more}.",
        level(),
        named.join("; ")
    )];
    let beside: Vec<String> = shown
        .iter()
        .filter_map(|one| Some(format!("{} {}", results.name(one.player), interval(&one.time_speedup?))))
        .collect();
    if !beside.is_empty() {
        sentences.push(format!("Time speedup to the same depth, from the run beside: {}.", beside.join("; ")));
    }
    sentences
}

fn pair(results: &Results) -> String {
    let [Some(first), Some(second)] = [0, 1].map(|player| results.tournament.players.get(player)) else {
        return String::new();
    };
    let standing = &results.played[0].standing;
    let in_hundredths = standing.pairs.score().map(|score| 100.0 * score);
    let elo = standing.pairs.elo();
    let difference = match standing.pairs.score().is_known() {
        true => format!("a difference in rating of {} Elo", interval(&elo)),
        false => "which gives no interval: all pairs of games have the same points".to_owned(),
    };
    format!("{} scored {} % against {}, {difference}.", first.name, interval(&in_hundredths), second.name)
}

fn ratings(results: &Results) -> String {
    let rated: Vec<String> = results
        .entries
        .iter()
        .filter_map(|entry| Some(format!("{} {}", results.name(entry.player), interval(&entry.rating?))))
        .take(MOST_NAMED)
        .collect();
    if rated.is_empty() {
        return "The games give no ratings: there are too few, or each player has won or lost all of them.".to_owned();
    }
    format!("Ratings about the mean of all, in Elo with {} intervals: {}.", level(), rated.join("; "))
}

fn games(results: &Results) -> String {
    let all = results.games().count();
    let plies = results.games().map(GameRecord::plies).sum::<usize>() as f64 / all as f64;
    let has_clock = results.tournament.players.iter().any(|player| player.limit.contains("clock"));
    let is_in_time = results.games().all(|game| game.ending != Ending::Time);
    let clock = if has_clock && is_in_time { " None was lost on time." } else { "" };
    format!("{} of {} plies on average.{clock}", counted(all, "game", "games"), figure(plies))
}

/// What a reader should know of the games.
pub(super) fn notes(results: &Results) -> Vec<String> {
    let mut notes = Vec::new();
    let of = |ending: Ending| results.games().filter(move |game| game.ending == ending);
    let late = of(Ending::Time).count();
    if late > 0 {
        notes.push(format!(
            "{} on time; the table of players says by whom.",
            counted(late, "game was lost", "games were lost")
        ));
    }
    if let Some(first) = of(Ending::Forfeit).next() {
        let fault = first.fault.as_deref().unwrap_or("no reason is known");
        notes.push(format!(
            "{}; the first, since {fault}.",
            counted(of(Ending::Forfeit).count(), "game was forfeited", "games were forfeited")
        ));
    }
    let beyond: Vec<&str> =
        results.strengths.iter().filter(|one| one.is_beyond()).map(|one| results.name(one.player)).collect();
    if !beyond.is_empty() {
        notes.push(format!(
            "The multiple at which both score the same is outside of those that were played, and follows from the \
             fitted curve alone: {}.",
            beyond.join("; ")
        ));
    }
    let unrated = results.entries.iter().filter(|entry| entry.rating.is_none());
    let unrated: Vec<&str> = unrated.map(|entry| results.name(entry.player)).collect();
    if !unrated.is_empty() && !results.has_odds() {
        notes.push(format!(
            "Without a rating, since games against others that have one were all won, all lost, or too few: {}.",
            unrated.join("; ")
        ));
    }
    notes
}
