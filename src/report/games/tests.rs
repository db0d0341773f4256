use super::*;
use crate::question::Subject;
use crate::random::SplitMix;
use crate::record::{Ending, GameResult, MachineKind, PlayerInfo};
use crate::statistics::elo_of_odds;
use splitpoint_data::color::Color;

/// Games between players of these differences in rating, in logarithms of odds, for the first of them.
fn games(difference: f64, number: u32, random: &mut SplitMix) -> Held<GameRecord> {
    let game = |number: u32| {
        let white = number as usize % 2;
        let wins = (random.below(1 << 20) as f64 / f64::from(1 << 20)) < 1.0 / (1.0 + (-difference).exp());
        let color = if (white == 0) == wins { Color::White } else { Color::Black };
        GameRecord {
            number,
            white,
            start: String::new(),
            opening: "e2e4 e7e5".into(),
            moves: "g1f3 b8c6 f1b5".into(),
            scores: vec![1, 2, 3],
            depths: vec![4, 7, 5],
            result: GameResult::win_of(color),
            ending: Ending::Mate,
            nodes: [30, 70],
            time_ns: [3_000_000, 7_000_000],
            times_ms: vec![1, 7, 2],
            least_left_ms: [Some(30), Some(70)],
            fault: None,
        }
    };
    Held { records: (0..number).map(game).collect(), warnings: Vec::new() }
}

fn player(name: &str, processors: u32) -> PlayerInfo {
    PlayerInfo {
        name: name.to_owned(),
        program: "modern".to_owned(),
        title: None,
        machine: MachineKind::Virtual,
        processors,
        rating: None,
        strategy: (processors > 1).then(|| "lazy".to_owned()),
        costs: None,
        scheme: None,
        limit: "0.002 s".to_owned(),
        table_mib: 16,
    }
}

fn pairing(first: usize, second: usize, multiple: Option<f64>) -> Pairing {
    Pairing { first, second, multiple, folder: String::new() }
}

#[test]
fn ratings_come_back_from_games_that_have_them() {
    let mut random = SplitMix::new(5);
    let truth = [0.8, 0.0, -0.5, -0.3];
    let (mut pairings, mut held) = (Vec::new(), Vec::new());
    for first in 0..4 {
        for second in first + 1..4 {
            pairings.push(pairing(first, second, None));
            held.push(games(truth[first] - truth[second], 600, &mut random));
        }
    }
    let players = ["a", "b", "c", "d"].map(|name| player(name, 1)).to_vec();
    let tournament = Tournament { players, pairings, ..Tournament::default() };
    let results = Results::of(tournament, held, None);
    assert_eq!(results.entries.iter().map(|entry| entry.player).collect::<Vec<_>>(), [0, 1, 3, 2], "the best first");
    for entry in &results.entries {
        let rating = entry.rating.unwrap();
        let expected = elo_of_odds(truth[entry.player]);
        assert!(rating.low < expected && expected < rating.high, "{expected} is not in {rating:?}");
        assert!(rating.high - rating.low < 60.0, "{rating:?}");
        assert_eq!((entry.standing.games(), entry.standing.pairs.number()), (1_800, 900));
    }
    let sum: f64 = results.entries.iter().map(|entry| entry.rating.unwrap().estimate).sum();
    assert!(sum.abs() < 1e-6, "ratings are about their mean");
}

/// Ratings that Ordo 1.2.6 prints for these wins, draws and losses (`-z 200.2406`, the scale of 400 points for odds of
/// ten, and `-a 0`). And each move of the first, of 2 ms, takes 1 and then 2, or 7.
#[test]
fn ratings_are_those_of_ordo_and_late_moves_are_told() {
    let contests = [[47, 9, 4], [54, 4, 2], [49, 9, 2], [26, 19, 15], [25, 26, 9], [22, 24, 14]];
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let held = contests.map(|[won, drawn, _]: [usize; 3]| {
        let mut held = games(0.0, 60, &mut SplitMix::new(0));
        for (at, game) in held.records.iter_mut().enumerate() {
            let color = Color::ALL[if at < won { game.white } else { 1 - game.white }];
            let is_draw = (won..won + drawn).contains(&at);
            game.result = if is_draw { GameResult::Draw } else { GameResult::win_of(color) };
        }
        held
    });
    let mut tournament = Tournament {
        players: ["a", "b", "c", "d"].map(|name| player(name, 1)).to_vec(),
        pairings: pairs.map(|(first, second)| pairing(first, second, None)).to_vec(),
        ..Tournament::default()
    };
    let printed = |tournament: &Tournament| -> (Results, Vec<String>) {
        let held = held.iter().map(|held| Held { records: held.records.clone(), warnings: Vec::new() }).collect();
        let results = Results::of(tournament.clone(), held, None);
        let ratings = results.entries.iter().map(|entry| format!("{:.2}", entry.rating.unwrap().estimate)).collect();
        (results, ratings)
    };
    let (results, ratings) = printed(&tournament);
    assert_eq!(ratings, ["281.21", "-39.35", "-106.76", "-135.10"]);
    // The same on the scale of one that is known, and of two.
    tournament.players[2].rating = Some(2000);
    assert_eq!(printed(&tournament).1, ["2387.97", "2067.42", "2000.00", "1971.66"]);
    tournament.players[3].rating = Some(2100);
    let (on_scale, ratings) = printed(&tournament);
    assert_eq!(ratings, ["2452.14", "2131.59", "2064.17", "2035.83"]);
    let ends = on_scale.entries.iter().map(|entry| entry.rating.unwrap()).collect::<Vec<_>>();
    assert!(ends.iter().all(|rating| rating.low < rating.estimate && rating.estimate < rating.high), "{ends:?}");
    let work = tables::work(&results);
    let column = |name: &str| work.columns.iter().position(|column| column.name == name).unwrap();
    let [late, latest, left] =
        ["late_ms", "latest_ms", "least_left_ms"].map(|name| format!("{:?}", work.rows[0][column(name)]));
    assert!(latest.contains('5') && late.contains("1.6") && left.contains("30"), "{late} {latest} {left}");
}

/// Two games of each pairing, all 1 to 1: they have no spread, and give no interval of width zero.
#[test]
fn ratings_without_spread_have_no_interval() {
    let mut tournament = Tournament {
        players: ["a", "b", "c"].map(|name| player(name, 1)).to_vec(),
        pairings: [(0, 1), (0, 2), (1, 2)].map(|(first, second)| pairing(first, second, None)).to_vec(),
        ..Tournament::default()
    };
    tournament.players[0].rating = Some(2500);
    let drawn = || {
        let mut held = games(0.0, 2, &mut SplitMix::new(0));
        held.records.iter_mut().for_each(|game| game.result = GameResult::Draw);
        held
    };
    let results = Results::of(tournament, (0..3).map(|_| drawn()).collect(), None);
    for entry in &results.entries {
        let rating = entry.rating.unwrap();
        assert!(!rating.is_known() && (rating.estimate - 2500.0).abs() < 1e-6, "{rating:?}");
    }
    let verdict = answer::verdict(&results).join(" ");
    assert!(verdict.contains("a 2\u{202f}500 (no interval)"), "{verdict}");
}

/// Of a match of which half the games are over: they are missing, unless its sequential test has decided.
#[test]
fn games_that_a_decided_test_saves_are_not_missing() {
    use crate::record::TestInfo;
    let missing = |decision| {
        let tournament = Tournament {
            players: ["a", "b"].map(|name| player(name, 1)).to_vec(),
            pairings: vec![pairing(0, 1, None)],
            games: 40,
            test: Some(TestInfo { decision, ..TestInfo::default() }),
            ..Tournament::default()
        };
        Results::of(tournament, vec![games(0.3, 20, &mut SplitMix::new(1))], None).missing()
    };
    assert!(missing(None).is_some_and(|words| words.contains("20 of 40")));
    assert_eq!(missing(Some(10.0)), None);
}

#[test]
fn who_has_won_all_has_no_rating_and_the_others_have() {
    let mut random = SplitMix::new(6);
    let pairings = vec![pairing(0, 1, None), pairing(0, 2, None), pairing(1, 2, None)];
    let held = vec![games(90.0, 20, &mut random), games(90.0, 20, &mut random), games(0.3, 40, &mut random)];
    let players = ["first", "b", "c"].map(|name| player(name, 1)).to_vec();
    let results = Results::of(Tournament { players, pairings, ..Tournament::default() }, held, None);
    let rated: Vec<bool> = results.entries.iter().map(|entry| entry.rating.is_some()).collect();
    assert_eq!(rated, [false, true, true]);
    assert!(answer::notes(&results).iter().any(|note| note.contains("first")));
}

/// A player that is worth 3 and one that is worth 6 times the time: the multiples come back, and stand by processors
/// beside the time speedup.
#[test]
fn strengths_come_back_from_games_with_odds() {
    let mut random = SplitMix::new(7);
    let (mut pairings, mut held) = (Vec::new(), Vec::new());
    for (place, worth) in [(0, 3.0_f64), (1, 6.0)] {
        for multiple in [2.0, 4.0, 8.0] {
            pairings.push(pairing(place, place, Some(multiple)));
            held.push(games(1.5 * (worth / multiple).ln(), 200, &mut random));
        }
    }
    let tournament = Tournament {
        form: Form::Odds,
        round: Some(20),
        players: vec![player("4 processors", 4), player("8 processors", 8)],
        opponents: vec![player("4 processors", 1), player("8 processors", 1)],
        pairings,
        ..Tournament::default()
    };
    let folder = std::env::temp_dir().join(format!("splitpoint-games-beside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let summary = "label,strategy,threads,time_speedup\nlazy,lazy,4,2.5\nlazy,lazy,8,5\nybwc,ybwc,4,1.5\n";
    std::fs::write(folder.join("summary.csv"), summary).unwrap();
    let beside = Beside::read(&folder).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let results = Results::of(tournament, held, Some(&beside));
    for (strength, (worth, time_speedup)) in results.strengths.iter().zip([(3.0, 2.5), (6.0, 5.0)]) {
        let even = strength.even.unwrap();
        assert!(even.low < worth && worth < even.high && even.high < 1.5 * even.low, "{worth}: {even:?}");
        let elo = strength.elo.unwrap();
        let expected = elo_of_odds(1.5 * worth.ln());
        assert!(elo.low < expected && expected < elo.high, "{expected} is not in {elo:?}");
        assert_eq!((strength.games, strength.is_beyond()), (600, false));
        assert_eq!(strength.time_speedup.unwrap().estimate, time_speedup);
    }
    let charts = crate::charts::draw(&results, Default::default()).unwrap();
    let names: Vec<&str> = charts.iter().map(|chart| chart.name).collect();
    assert_eq!(names, ["strength-speedup", "elo", "score", "time-use", "depths", "lengths"]);
    assert!(charts[0].svg.contains("time speedup") && charts[2].svg.contains("8 processors"));
    let page = crate::page::page(&results, &results.headline(), &charts, None);
    assert!(page.contains("even at k") && page.contains("Fieller"));
    let verdict = answer::verdict(&results).join(" ");
    assert!(verdict.contains("8 processors") && !verdict.contains("; 4 processors"), "{verdict}");
}

/// Where players have the same processor time for a move, a curve is of that, and not of a time that each number of
/// processors has another of.
#[test]
fn curves_are_of_equal_processor_time() {
    let mut random = SplitMix::new(9);
    let settings = [(4, "0.02 s"), (8, "0.01 s"), (4, "0.08 s"), (8, "0.04 s")];
    let player = |processors: u32, limit: &str| PlayerInfo { limit: limit.to_owned(), ..player("", processors) };
    let (mut pairings, mut held) = (Vec::new(), Vec::new());
    for place in 0..settings.len() {
        for multiple in [2.0, 4.0, 8.0] {
            pairings.push(pairing(place, place, Some(multiple)));
            held.push(games(1.5 * (4.0_f64 / multiple).ln(), 200, &mut random));
        }
    }
    let tournament = Tournament {
        form: Form::Odds,
        players: settings.map(|(processors, limit)| player(processors, limit)).to_vec(),
        opponents: settings.map(|(_, limit)| player(1, limit)).to_vec(),
        pairings,
        ..Tournament::default()
    };
    let charts = crate::charts::draw(&Results::of(tournament, held, None), Default::default()).unwrap();
    for time in ["80 ms of processor time a move", "320 ms of processor time a move"] {
        assert!(charts[0].name == "strength-speedup" && charts[0].svg.contains(time), "{time}");
    }
    assert!(!charts[0].svg.contains("0.02 s"));
}

/// The first picture of games is their result, whoever won them: pairs of a small match, the difference as a longer one
/// goes on, ratings of several players by their names.
#[test]
fn the_first_picture_is_the_result() {
    let mut random = SplitMix::new(8);
    let mut drawn = |names: &[&str], difference: f64, number: u32| {
        let of = |name: &&str| PlayerInfo { program: (*name).to_owned(), ..player(name, 1) };
        let players: Vec<PlayerInfo> = names.iter().map(of).collect();
        let firsts = 0..names.len();
        let pairings: Vec<Pairing> =
            firsts.flat_map(|first| (first + 1..names.len()).map(move |second| pairing(first, second, None))).collect();
        let held = pairings.iter().map(|_| games(difference, number, &mut random)).collect();
        let results = Results::of(Tournament { players, pairings, ..Tournament::default() }, held, None);
        crate::charts::draw(&results, Default::default()).unwrap()
    };
    let two = ["modern", "thesis"];
    for (names, difference, number, expected) in [
        (&two[..], 90.0, 4, "pairs"),
        (&two, 0.3, 40, "pairs"),
        (&two, 0.3, 80, "running"),
        (&["first", "second", "third"], 0.3, 40, "ratings"),
    ] {
        let charts = drawn(names, difference, number);
        assert_eq!(charts[0].name, expected, "{names:?} {number}");
        let has_names = names.iter().all(|name| charts[0].svg.contains(name));
        assert!(expected != "ratings" || has_names, "{names:?}");
    }
}

/// A score at a single multiple has no axis of multiples.
#[test]
fn a_single_multiple_has_no_picture() {
    let names = |multiples: &[f64]| {
        let mut random = SplitMix::new(9);
        let tournament = Tournament {
            form: Form::Odds,
            players: vec![player("4 processors", 4)],
            opponents: vec![player("4 processors", 1)],
            pairings: multiples.iter().map(|multiple| pairing(0, 0, Some(*multiple))).collect(),
            ..Tournament::default()
        };
        let held = multiples.iter().map(|_| games(0.2, 100, &mut random)).collect();
        let charts = crate::charts::draw(&Results::of(tournament, held, None), Default::default()).unwrap();
        charts.iter().map(|chart| chart.name).collect::<Vec<_>>()
    };
    assert!(!names(&[0.7]).contains(&"score"));
    assert!(names(&[0.7, 1.4]).contains(&"score"));
}

/// A pair of one point is two draws or a win each way, which only the games tell apart.
#[test]
fn pairs_of_two_draws_are_counted() {
    let games = games(0.0, 4, &mut SplitMix::new(1)).records;
    let with = |results: [Option<usize>; 4]| {
        let game = |(game, winner): (&GameRecord, Option<usize>)| GameRecord {
            result: winner.map_or(GameResult::Draw, |player| GameResult::win_of(game.color_of(player))),
            ..game.clone()
        };
        let all: Vec<GameRecord> = games.iter().zip(results).map(game).collect();
        let standing = Standing::of(&all);
        (standing.pairs.counts(), standing.drawn_pairs)
    };
    assert_eq!(with([None, None, Some(0), Some(1)]), ([0, 0, 2, 0, 0], 1));
    assert_eq!(with([Some(0), Some(0), None, Some(0)]), ([0, 0, 0, 1, 1], 0));
}
