//! What the games say, in sentences.

use std::collections::BTreeMap;

use super::fairness::unfair;
use super::standing::{Standing, Work};
use super::strength::Strength;
use super::{Played, Results};
use crate::record::{Ending, Pairing, PlayerInfo, Tournament};
use crate::statistics::{LEVEL, elo};
use crate::table::number::{count, counted, figure, fixed, interval, level};

/// Players that are named in a sentence; the table has all.
const MOST_NAMED: usize = 6;

/// Sentences that answer the question.
pub(super) fn verdict(results: &Results) -> Vec<String> {
    if results.played.is_empty() {
        return vec!["No game is over yet.".to_owned()];
    }
    let void = void(results);
    let mut sentences = match results.tournament.players.as_slice() {
        _ if !void.is_empty() => void,
        _ if results.has_odds() => odds(results),
        [first, second] => {
            let PairVerdict { text, more, .. } = PairVerdict::of([first, second], &results.played[0].standing);
            [Some(text), more].into_iter().flatten().collect()
        }
        _ => vec![ratings(results)],
    };
    sentences.extend(on_time(results));
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
    let limited = shown.first().map_or("limit", |first| limit(&results.tournament.opponents[first.player]));
    let more = if left_out > 0 { format!("; {left_out} more are in the table") } else { String::new() };
    let mut sentences = vec![format!(
        "Multiple of {limited} with which the opponent scores the same ({} intervals): {}{more}.",
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

/// Verdict of the games of two players.
pub struct PairVerdict {
    /// Reasons not to trust the verdict.
    pub doubts: Vec<String>,
    /// Whether the games are void, since an engine does not keep to its limit on nodes.
    pub is_void: bool,
    /// Who is stronger, or that it is not shown; first that the match was not fair, if it was not; why the games are
    /// void, if they are.
    pub text: String,
    /// Whether a move took both about as much, as far as their limit leaves it to them.
    pub is_fair: bool,
    /// Number of games that would show it, if it is not shown and the match was fair.
    pub more: Option<String>,
}

impl PairVerdict {
    /// Answer that the games of these two give.
    pub fn of(players: [&PlayerInfo; 2], standing: &Standing) -> Self {
        let void: Vec<String> =
            [0, 1].into_iter().filter_map(|side| misuse(players[side], 1.0, &standing.work[side])).collect();
        if !void.is_empty() {
            return Self { doubts: Vec::new(), is_void: true, text: void.join(" "), is_fair: true, more: None };
        }
        let doubts = [forfeited, late].iter().filter_map(|told| Some(format!("{}.", told(standing)?))).collect();
        let unfair = unfair(players, standing);
        let is_fair = unfair.is_none();
        let text = verdict_of_pair(players.map(|player| player.name.as_str()), standing, is_fair);
        let text = unfair.into_iter().chain([text]).collect::<Vec<_>>().join(" ");
        let (elo, games) = (standing.pairs.elo(), standing.games_to_show().filter(|games| *games > standing.games()));
        // More games of a match that is not fair would show no more.
        let more = games.filter(|_| is_fair && elo.low < 0.0 && elo.high > 0.0).map(|games| {
            let elo = fixed(elo.estimate.abs(), 0);
            format!("About {} games would show {elo} Elo; --sprt 0,20 ends when it is decided.", rounded(games))
        });
        Self { doubts, is_void: false, text, is_fair, more }
    }
}

/// `2 games were forfeited`; nothing if none was.
fn forfeited(standing: &Standing) -> Option<String> {
    let games = standing.endings.get(&Ending::Forfeit)?;
    Some(counted(*games, "game was forfeited", "games were forfeited"))
}

/// `2 games were lost on time`; nothing if none was.
fn late(standing: &Standing) -> Option<String> {
    let games = standing.endings.get(&Ending::Time)?;
    Some(counted(*games, "game was lost on time", "games were lost on time"))
}

/// Number rounded to two digits: `1 200`.
pub(super) fn rounded(number: u64) -> String {
    let unit = 10_u64.pow(number.checked_ilog10().unwrap_or_default().saturating_sub(1));
    count(number.div_ceil(unit) as f64 * unit as f64)
}

/// Who of two players of these names is stronger: `modern is stronger than thesis: 55 % of 400 games, Elo +35 (+12 to
/// +58).` Of a match that was not fair the points are told, and nothing follows from them.
fn verdict_of_pair([first, second]: [&str; 2], standing: &Standing, is_fair: bool) -> String {
    let (score, elo) = (standing.pairs.score(), standing.pairs.elo());
    if score.is_known() && elo.high < 0.0 || score.estimate == 0.0 {
        return verdict_of_pair([second, first], &standing.reversed(), is_fair);
    }
    let games = counted(standing.games(), "game", "games");
    if score.estimate == 1.0 {
        return won_all([first, second], &games, standing.pairs.number(), is_fair);
    }
    // One score everywhere: that of the pairs, on which intervals rest.
    let points = match standing.pairs.number() {
        0 => format!("{} % of {games}", fixed(100.0 * standing.score(), 0)),
        pairs => format!("{} % of {}", fixed(100.0 * score.estimate, 0), counted(2 * pairs, "game", "games")),
    };
    if !score.is_known() {
        let why =
            if standing.pairs.number() == 0 { "no pair of games is over" } else { "all pairs have the same points" };
        return format!("Not shown which is stronger: {why}. {first} has {points} against {second}.");
    }
    let range = match [elo.low, elo.high].map(|end| end.is_finite().then(|| signed(end))) {
        [Some(low), Some(high)] => format!("{low} to {high}"),
        [Some(low), None] => format!("from {low}"),
        [None, Some(high)] => format!("up to {high}"),
        [None, None] => "no interval".to_owned(),
    };
    let elo_words = format!("Elo {} ({range})", signed(elo.estimate));
    match (elo.low > 0.0, is_fair) {
        (true, true) => format!("{first} is stronger than {second}: {points}, {elo_words}."),
        (true, false) => {
            format!("So which is stronger is not known. {first} has {points} against {second}, {elo_words}.")
        }
        (false, _) => format!("Not shown which is stronger. {first} has {points} against {second}, {elo_words}."),
    }
}

/// Verdict on games of which one player has won all, whose scores do not vary: the lowest score that leaves so many
/// won pairs in a row the chance that an interval allows is its lower end.
fn won_all([first, second]: [&str; 2], games: &str, pairs: u64, is_fair: bool) -> String {
    let lowest = if pairs == 0 { 0.0 } else { ((1.0 - LEVEL) / 2.0).powf(1.0 / pairs as f64) };
    if !is_fair {
        return format!("{first} won all {games} against {second}.");
    }
    if lowest <= 0.5 {
        return format!("{first} won all {games} against {second}, too few to show which is stronger.");
    }
    let elo = signed(elo(lowest));
    format!(
        "{first} is stronger than {second}: it won all {games}, Elo {elo} at least. How much more, games at odds can \
         tell (--b-nodes, --b-move-time)."
    )
}

/// Whole number with its sign: `+35`.
fn signed(value: f64) -> String {
    format!("{}{}", if value >= 0.5 { "+" } else { "" }, fixed(value, 0))
}

/// Games that are void, since an engine does not keep to its limit on nodes: each such player once.
fn void(results: &Results) -> Vec<String> {
    let Tournament { players, opponents, .. } = &results.tournament;
    let misuses = |played: &Played| {
        let Pairing { first, second, multiple, .. } = played.pairing;
        let other = if multiple.is_some() { opponents.get(first) } else { players.get(second) };
        let sides = [(players.get(first), 1.0), (other, multiple.unwrap_or(1.0))];
        let told = sides.into_iter().zip(played.standing.work);
        told.filter_map(|((player, multiple), work)| Some((player?, misuse(player?, multiple, &work)?)))
            .collect::<Vec<_>>()
    };
    let told = results.played.iter().flat_map(misuses);
    told.map(|(player, text)| (&player.program, text)).collect::<BTreeMap<_, _>>().into_values().collect()
}

/// Words for what makes the games of an engine void, if it works as this.
fn misuse(player: &PlayerInfo, multiple: f64, work: &Work) -> Option<String> {
    let misuse = player.misuse(multiple, work.mean(work.nodes))?;
    let name = if multiple == 1.0 { &player.name } else { player.title.as_ref().unwrap_or(&player.program) };
    Some(format!("{name} {misuse}. Result void; try --move-time 0.05."))
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
    let known: Vec<&str> =
        results.tournament.players.iter().filter(|one| one.rating.is_some()).map(|one| one.name.as_str()).collect();
    let scale = if known.is_empty() {
        "about the mean of all".to_owned()
    } else {
        format!("on the scale of {}", known.join(", "))
    };
    format!("Ratings {scale}, in Elo with {} intervals: {}.", level(), rated.join("; "))
}

/// Sentence that no clock decided a game, if there was one.
fn on_time(results: &Results) -> Option<String> {
    let has_clock = results.tournament.players.iter().any(|player| player.limit.contains("clock"));
    let is_in_time = results.games().all(|game| game.ending != Ending::Time);
    (has_clock && is_in_time).then(|| "No game was lost on time.".to_owned())
}

/// Sentence on pairs of players.
pub(super) fn of_pairings(results: &Results) -> Option<String> {
    let games = counted(results.games().count(), "game", "games");
    match results.played.as_slice() {
        [] => None,
        [Played { pairing, standing, .. }] if pairing.multiple.is_none() => {
            let ([lost, drawn, won], [first, second]) =
                (standing.results, [pairing.first, pairing.second].map(|player| results.name(player)));
            Some(format!("{first} won {won}, drew {drawn} and lost {lost} of {games} against {second}."))
        }
        several => Some(format!("{games} of {}.", counted(several.len(), "pairing", "pairings"))),
    }
}

/// Sentence on what a move took.
pub(super) fn of_work(results: &Results) -> Option<String> {
    let words = results.entries.iter().take(2).map(|entry| {
        let work = entry.standing.work[0];
        let (nodes, ms) = (count(work.mean(work.nodes).round()), figure(work.mean(work.time_ns) * 1e-6));
        format!("{} {nodes} nodes in {ms} ms", results.name(entry.player))
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| format!("A move took {}.", words.join(", ")))
}

/// Notes on the games for a reader.
pub(super) fn notes(results: &Results) -> Vec<String> {
    let mut notes = Vec::new();
    let total = results.total();
    notes.extend(late(&total).map(|late| format!("{late}; the table of players says by whom.")));
    if let Some(forfeited) = forfeited(&total) {
        let first = results.games().find(|game| game.ending == Ending::Forfeit);
        let fault = first.and_then(|game| game.fault.as_deref()).unwrap_or("no reason is known");
        notes.push(format!("{forfeited}; the first, since {fault}."));
    }
    let alone = total.unpaired();
    if alone > 0 && total.pairs.number() > 0 {
        let (stand, those) = if alone == 1 { ("game stands", "its pair") } else { ("games stand", "their pairs") };
        notes.push(format!(
            "{alone} {stand} alone, since the other of {those} was not played to the end: among the games won, drawn \
             and lost, but not in scores and intervals."
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
    if !unrated.is_empty() && !results.has_odds() && results.tournament.players.len() > 2 {
        notes.push(format!(
            "Without a rating, since games against others that have one were all won, all lost, or too few: {}.",
            unrated.join("; ")
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameRecord, GameResult};

    fn player(name: &str, program: &str) -> PlayerInfo {
        PlayerInfo { name: name.into(), program: program.into(), limit: "70 nodes".into(), ..PlayerInfo::default() }
    }

    /// Pairs of games in which the first of two has 0 to 4 half points.
    fn standing(pairs: [u32; 5]) -> Standing {
        let half_points = (0..5_u32).flat_map(|points| (0..pairs[points as usize]).map(move |_| points));
        let of_games = half_points.flat_map(|points| [points.min(2), points - points.min(2)]);
        Standing::of(&of_games.zip(0..).map(|(points, number)| game(number, points)).collect::<Vec<_>>())
    }

    fn game(number: u32, half_points: u32) -> GameRecord {
        let white = number as usize % 2;
        let results = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];
        GameRecord {
            number,
            white,
            start: String::new(),
            opening: String::new(),
            moves: "e2e4 e7e5".into(),
            scores: vec![0; 2],
            depths: vec![1; 2],
            result: results[if white == 0 { half_points } else { 2 - half_points } as usize],
            ending: Ending::Mate,
            nodes: [70; 2],
            time_ns: [1; 2],
            times_ms: Vec::new(),
            least_left_ms: [None; 2],
            fault: None,
        }
    }

    #[test]
    fn the_verdict_is_one_sentence_with_names() {
        let players = [player("modern", "modern"), player("Ethereal 12", "uci:ethereal")];
        for (pairs, expected, more) in [
            (
                [0, 0, 4, 1, 0],
                "Not shown which is stronger. modern has 55 % of 10 games against Ethereal 12, Elo +35 (",
                "About ",
            ),
            ([1, 2, 20, 30, 10], "modern is stronger than Ethereal 12: 68 % of 126 games, Elo +", ""),
            ([10, 30, 20, 2, 1], "Ethereal 12 is stronger than modern: 68 % of 126 games, Elo +", ""),
            (
                [0, 0, 3, 0, 0],
                "Not shown which is stronger: all pairs have the same points. modern has 50 % of 6 games",
                "",
            ),
            ([0, 0, 0, 0, 5], "modern won all 10 games against Ethereal 12, too few to show", ""),
            ([5, 0, 0, 0, 0], "Ethereal 12 won all 10 games against modern, too few to show", ""),
            // Half the points win ten pairs in a row with a chance of 1 in 1024; 69.15 % of them with one of 2.5 %.
            ([0, 0, 0, 0, 10], "modern is stronger than Ethereal 12: it won all 20 games, Elo +140 at least.", ""),
            ([2, 2, 2, 2, 2], "Not shown which is stronger. modern has 50 % of 20 games against", ""),
        ] {
            let found = PairVerdict::of([&players[0], &players[1]], &standing(pairs));
            assert!(found.text.starts_with(expected) && !found.is_void, "{pairs:?}: {}", found.text);
            assert!(found.text.split_whitespace().count() <= 45, "{}", found.text);
            let told = found.more.unwrap_or_default();
            assert!(told.starts_with(more) && told.is_empty() == more.is_empty(), "{pairs:?}: {told}");
        }
        // A game without its pair is in no score.
        let mut odd = standing([0, 0, 4, 1, 0]);
        odd.add(&game(10, 2));
        let found = PairVerdict::of([&players[0], &players[1]], &odd);
        assert!(found.text.contains("has 55 % of 10 games") && odd.unpaired() == 1, "{}", found.text);
        assert_eq!([80, 84, 1_234, 7, 0].map(rounded), ["80", "84", "1\u{202f}300", "7", "0"]);
        // The bounds of 55 % in five pairs: as many games as their deviation asks for, not as there are.
        assert!(standing([0, 0, 4, 1, 0]).games_to_show().is_some_and(|games| games < 80));
    }

    /// Where one had four times the nodes of the other, its points say nothing of strength, and more games would not
    /// either.
    #[test]
    fn a_match_that_is_not_fair_names_nobody_stronger() {
        let players = ["modern", "thesis"].map(|name| PlayerInfo { limit: "depth 5".into(), ..player(name, name) });
        for (pairs, told) in
            [([1, 2, 20, 30, 10], "So which is stronger is not known. modern has 68 %"), ([0, 0, 4, 1, 0], "Not shown")]
        {
            let mut standing = standing(pairs);
            standing.work[1].nodes *= 4;
            let found = PairVerdict::of([&players[0], &players[1]], &standing);
            assert!(found.text.starts_with("Not a fair match") && found.text.contains(told), "{}", found.text);
            assert!(!found.text.contains("is stronger than") && found.more.is_none(), "{:?}", found.more);
        }
    }

    #[test]
    fn games_against_an_engine_that_ignores_its_nodes_are_void() {
        let players = [player("modern", "modern"), player("Ethereal 12", "uci:ethereal")];
        let mut standing = standing([0, 0, 4, 1, 0]);
        standing.work.iter_mut().for_each(|work| work.nodes = 6 * work.moves);
        let found = PairVerdict::of([&players[0], &players[1]], &standing);
        let told = "Ethereal 12 used 6 of 70 nodes a move: it does not know 'go nodes'. Result void";
        assert!(found.is_void && found.text.starts_with(told) && !found.text.contains("Elo"), "{}", found.text);
    }
}
