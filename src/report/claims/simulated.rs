//! Claims whose truth is known: verdicts come as often as their power says.

use super::file::{Claim, Measure, Term, Terms, Test};
use super::power::{ENOUGH_POWER, Planned, Power};
use super::verdict::{ClaimVerdict, Finding};
use crate::random::SplitMix;
use crate::statistics::{Contrast, Interval, LEVEL, Pairs, Scope, elo_of_odds};

const DRAWS: u32 = 200;
/// Differences between a share of 200 and its probability: three standard errors.
const NEAR: f64 = 0.11;
const SPREAD: f64 = 0.33;
/// Standard deviation of growth between positions.
const OF_GROWTH: f64 = 0.14;

/// A figure that was claimed to be 8 to 12, about 9.8.
fn band(doublings: f64, grows: Option<f64>) -> (Claim, Test) {
    let (above, below, spread, matters) = (Some(8.0), Some(12.0), Some(SPREAD), Some(1.7));
    let of = Terms::One(Term::default());
    let test = Test { of, above, below, spread, matters, grows, ..Test::default() };
    (Claim { doublings: Some(doublings), tests: vec![test.clone()], ..Claim::default() }, test)
}

fn power(claim: &Claim, test: &Test, planned: Planned) -> Power {
    Power::of(claim, test, |_| Some(planned)).unwrap()
}

fn searches(positions: usize) -> Planned {
    Planned::Searches { positions: positions as f64, runs: 1.0, baselines: 2.0, is_one_game: false }
}

fn interval(positions: usize, truth: f64, deviation: f64, random: &mut SplitMix) -> Interval {
    let values: Vec<Vec<f64>> = (0..positions).map(|_| vec![truth.ln() + deviation * random.normal()]).collect();
    Contrast::paired(&values).unwrap().interval(Scope::PositionsLikeThese, LEVEL).unwrap().exp()
}

/// Shares of the verdicts on a band.
fn shares(
    (claim, test): &(Claim, Test),
    positions: usize,
    truth: f64,
    growth: Option<f64>,
    random: &mut SplitMix,
) -> impl Fn(ClaimVerdict) -> f64 + use<> {
    let can_decide = power(claim, test, searches(positions)).decides();
    let verdicts: Vec<ClaimVerdict> = (0..DRAWS)
        .map(|_| {
            let found = Some(interval(positions, truth, SPREAD, random));
            let growth = growth.map(|growth| interval(positions, growth, OF_GROWTH, random));
            test.verdict(claim, &Finding { found, growth, ..Finding::default() }, can_decide, 0.02)
        })
        .collect();
    move |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count() as f64 / f64::from(DRAWS)
}

fn assert_near(what: &str, share: f64, probability: f64) {
    assert!((share - probability).abs() < NEAR, "{what}: {share} of {DRAWS}, not {probability}");
}

#[test]
fn what_is_true_is_reproduced_or_cannot_be_decided() {
    use ClaimVerdict::{CannotDecide, Contradicted, NotShown, Reproduced};
    let mut random = SplitMix::new(65);
    let claim = band(4.0, None);
    let claimed = 96.0_f64.sqrt();
    for (positions, decides) in [(67, true), (20, false), (8, false)] {
        let power = power(&claim.0, &claim.1, searches(positions));
        assert_eq!(power.decides(), decides, "{power:?}");
        assert_eq!(power.needed.is_some(), !decides);
        let share = shares(&claim, positions, claimed, None, &mut random);
        assert_near(&format!("true, {positions}"), share(Reproduced), power.if_true.inside);
        let undecided = if decides { NotShown } else { CannotDecide };
        assert_near(&format!("open, {positions}"), share(undecided), 1.0 - power.if_true.inside);
        assert!(share(Contradicted) < 0.05);
    }
}

/// Truth 1.7 times below what was claimed: without growth, and with 10 % a doubling.
#[test]
fn what_is_false_is_contradicted() {
    use ClaimVerdict::{Contradicted, Reproduced};
    let mut random = SplitMix::new(66);
    let false_truth = 96.0_f64.sqrt() / 1.7;
    let claim = band(4.0, None);
    let chances = power(&claim.0, &claim.1, searches(67));
    let share = shares(&claim, 67, false_truth, None, &mut random);
    assert!(chances.if_false.elsewhere >= ENOUGH_POWER);
    assert_near("false", share(Contradicted), chances.if_false.elsewhere);

    // One doubling more makes up for a tenth of it. After four the claim may be true.
    let share = shares(&band(1.0, None), 67, false_truth, Some(1.1), &mut random);
    assert!(share(Contradicted) >= ENOUGH_POWER, "{}", share(Contradicted));
    let share = shares(&band(4.0, None), 67, false_truth, Some(1.1), &mut random);
    assert!(share(Contradicted) < 0.2 && share(Reproduced) == 0.0, "{}", share(Contradicted));

    // A claim that is false still after the doublings that count.
    let claim = band(4.0, Some(1.1));
    let chances = power(&claim.0, &claim.1, searches(67)).if_false.elsewhere;
    let share = shares(&claim, 67, false_truth / 1.1_f64.powi(4), Some(1.1), &mut random);
    assert!(chances >= ENOUGH_POWER && share(Contradicted) >= chances - NEAR, "{chances} {}", share(Contradicted));
}

/// Two matches of some games each, with a share of draws of 0.4.
#[test]
fn ratings_are_decided_as_often_as_their_games_allow() {
    use ClaimVerdict::{CannotDecide, Contradicted, NotShown, Reproduced};
    let mut random = SplitMix::new(67);
    let test = Test { measure: Measure::Elo, above: Some(0.0), matters: Some(50.0), ..Test::default() };
    let test = Test { longer: Some("more".to_owned()), run: "less".to_owned(), ..test };
    let claim = Claim { tests: vec![test.clone()], ..Claim::default() };
    let mut found = |games: u32, points: f64| {
        let score = 1.0 / (1.0 + 10.0_f64.powf(-points / 400.0));
        let mut half_points = || {
            let drawn = random.uniform() < 0.4;
            let wins = random.uniform() < (score - 0.2) / 0.6;
            if drawn { 1 } else { 2 * u32::from(wins) }
        };
        let mut pairs = Pairs::default();
        (0..games / 2).for_each(|_| pairs.add(half_points() + half_points()));
        pairs.elo_at(claim.level())
    };
    assert!((elo_of_odds(1.0) - 173.7).abs() < 0.1);
    for (games, decides) in [(60, false), (600, true)] {
        let power = power(&claim, &test, Planned::Games(f64::from(games)));
        assert_eq!(power.decides(), decides, "{power:?}");
        for (points, wanted, chance) in
            [(50.0, Reproduced, power.if_true.inside), (-50.0, Contradicted, power.if_false.elsewhere)]
        {
            let verdicts: Vec<ClaimVerdict> = (0..DRAWS)
                .map(|_| {
                    let (less, more) = (found(games, points), found(games, points));
                    let finding = Finding { found: Some(more), with_less: Some(less), ..Finding::default() };
                    test.verdict(&claim, &finding, decides, 0.02)
                })
                .collect();
            let share = |wanted| verdicts.iter().filter(|one| **one == wanted).count() as f64 / f64::from(DRAWS);
            assert_near(&format!("{games} games, {points}"), share(wanted), chance);
            let open = if decides { NotShown } else { CannotDecide };
            assert_near("open", share(open), 1.0 - chance);
        }
    }
    let needed = power(&claim, &test, Planned::Games(60.0)).needed.unwrap();
    let games: f64 = needed.strip_suffix(" games").unwrap().parse().unwrap();
    assert!((300.0..700.0).contains(&games), "{needed}");
    assert!(power(&claim, &test, Planned::NONE).needed.is_some());
}

#[test]
fn a_region_that_is_narrower_than_its_interval_is_refused() {
    let file = super::ClaimsFile { claims: vec![band(4.0, None).0], ..super::ClaimsFile::default() };
    assert_eq!(file.check_widths(|_| Some(searches(67))), Ok(()));
    let error = file.check_widths(|_| Some(searches(8))).unwrap_err().to_string();
    for part in ["accepts 8 to 12", "a factor of 1.32", "never be reproduced", "positions"] {
        assert!(error.contains(part), "{error}");
    }
}
