//! What a test can show before it is run: how probable each verdict is if the claim is true and if it is false. True
//! is the figure as it was claimed, and false one that misses by what matters; how certain the figure will be follows
//! from the number of positions, runs and games that are planned and from how much such figures vary, which the file
//! states or which is assumed.

use super::file::{Claim, ClaimsFile, Measure, Test};
use crate::record::{Description, Tournament};
use crate::statistics::{Chances, LEVEL, PlannedEstimate, score_of_elo};

/// Probability of the right verdict from which on a size can decide.
pub const ENOUGH_POWER: f64 = 0.8;
/// Factor by which a false claim is to miss, and points of a rating.
const MATTERS: f64 = 1.25;
const MATTERING_POINTS: f64 = 50.0;
/// Standard deviations of logarithms that are assumed: of times between runs of a position by several processors and by
/// one, and of figures between positions.
const RUN: f64 = 0.26;
const BASELINE: f64 = 0.26;
const POSITION: f64 = 0.25;
/// Standard deviation of the logarithm of the growth when the size doubles, between positions: 0.14 in searches of
/// 0.8 s.
const GROWTH: f64 = 0.14;
/// Standard deviation of the logarithm of a strength speedup that one game tells: 120 games told it to 24 %.
const GAME: f64 = 1.35;
/// Share of games that are drawn.
const DRAWS: f64 = 0.4;
/// Number of games below which a run tells nothing.
const FEWEST_GAMES: f64 = 4.0;
/// Largest multiple of a size that is worth telling.
const MOST_TIMES: f64 = 1e4;

/// Size of a run that is planned or was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Planned {
    /// Searches.
    Searches {
        /// Number of positions.
        positions: f64,
        /// Number of runs of each position.
        runs: f64,
        /// Number of runs by one processor.
        baselines: f64,
        /// Whether intervals are for these positions only.
        is_one_game: bool,
    },
    /// Games of each pair, or of each player with odds.
    Games(f64),
}

impl Planned {
    /// Size of a run that is left out.
    pub const NONE: Self = Self::Games(0.0);

    /// Size of a plan.
    pub fn of(description: &Description) -> Self {
        Self::Searches {
            positions: description.positions.len() as f64,
            runs: f64::from(description.repetitions.max(1)),
            baselines: f64::from(description.baseline.searches()),
            is_one_game: description.is_one_game,
        }
    }

    /// Size of a tournament.
    pub fn of_games(tournament: &Tournament) -> Self {
        Self::Games(f64::from(tournament.games))
    }

    /// So many times as large.
    fn times(self, times: f64) -> Self {
        match self {
            Self::Searches { positions, runs, baselines, is_one_game: true } => {
                Self::Searches { positions, runs: runs * times, baselines: baselines * times, is_one_game: true }
            }
            Self::Searches { positions, runs, baselines, is_one_game } => {
                Self::Searches { positions: positions * times, runs, baselines, is_one_game }
            }
            // What is not played at all has a size to begin from.
            Self::Games(games) if times > 1.0 => Self::Games(games.max(FEWEST_GAMES) * times),
            Self::Games(games) => Self::Games(games),
        }
    }

    /// `67 positions`, `2 runs of 24 positions`, `60 games`.
    fn in_words(self) -> String {
        match self {
            Self::Searches { positions, runs, is_one_game: true, .. } => {
                format!("{:.0} runs of {positions:.0} positions", runs.ceil())
            }
            Self::Searches { positions, .. } => format!("{:.0} positions", positions.ceil()),
            Self::Games(games) => format!("{:.0} games", games.ceil()),
        }
    }
}

/// Chances of a test before it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Power {
    /// Chances if the figure is as claimed: inside is reproduced, elsewhere contradicted.
    pub if_true: Chances,
    /// Chances if the claim misses by what matters.
    pub if_false: Chances,
    /// Size that would decide, if this one cannot: `1300 games`.
    pub needed: Option<String>,
    /// Whether all its runs are made; one that is left out has no chances.
    pub is_run: bool,
    /// Largest figure of its interval relative to the estimate: 1.2; points for a rating.
    pub half_width: f64,
    /// Whether the region is narrower than the interval.
    is_narrow: bool,
}

impl Power {
    /// Chances of a test of a claim; nothing if the size of one of its runs is not known.
    pub fn of(claim: &Claim, test: &Test, planned: impl Fn(&str) -> Option<Planned>) -> Option<Self> {
        let sizes: Vec<Planned> = test.runs().into_iter().map(planned).collect::<Option<_>>()?;
        sizes.first()?;
        let at = |times: f64| Model { claim, test, sizes: &sizes, times };
        let is_run = !sizes.contains(&Planned::NONE);
        let power = Self { is_run, ..at(1.0).power() };
        if power.decides() {
            return Some(power);
        }
        let mut times = (1..=60).map(|step| 1.2_f64.powi(step)).take_while(|times| *times <= MOST_TIMES);
        let times = times.find(|times| at(*times).power().decides());
        let needed = times.map(|times| at(times).largest().times(times).in_words());
        Some(Self { needed, ..power })
    }

    /// Whether the size finds out both what is true and what is false.
    pub fn decides(&self) -> bool {
        self.if_true.inside >= ENOUGH_POWER && self.if_false.elsewhere >= ENOUGH_POWER
    }
}

/// A test with the sizes of its runs.
struct Model<'a> {
    claim: &'a Claim,
    test: &'a Test,
    sizes: &'a [Planned],
    times: f64,
}

impl Model<'_> {
    fn power(&self) -> Power {
        let estimate = self.estimate();
        let test = self.test;
        // A rating is the score that is expected; its interval is one of the score.
        let to_score = |points: f64| if self.is_rating() { score_of_elo(points) } else { test.on_scale(points) };
        let [low, high] = test.region();
        // An end that is open stays so.
        let region = [low, high].map(|end| if end.is_finite() { to_score(end) } else { end });
        let matters = test.matters.unwrap_or(if self.is_rating() { MATTERING_POINTS } else { MATTERS });
        let by = |value: f64, steps: i32| match self.is_rating() {
            true => value + matters * f64::from(steps),
            false => value * matters.powi(steps),
        };
        let (as_claimed, missing): (f64, Vec<f64>) = match (test.above, test.below) {
            (Some(above), None) => (by(above, 1), vec![by(above, -1)]),
            (None, Some(below)) => (by(below, -1), vec![by(below, 1)]),
            (above, below) => {
                let (above, below) = (above.unwrap_or(1.0), below.unwrap_or(1.0));
                let middle = if self.is_rating() { f64::midpoint(above, below) } else { (above * below).sqrt() };
                let claimed = test.claimed.unwrap_or(middle);
                (claimed, vec![by(claimed, -1), by(claimed, 1)])
            }
        };
        let claimed = to_score(test.claimed.unwrap_or(as_claimed));
        let chances = |truth: f64| self.both(estimate.chances(truth, region));
        let if_false = missing.iter().map(|truth| self.if_false(&estimate, to_score(*truth), region));
        let least = |one: Chances, other: Chances| if other.elsewhere < one.elsewhere { other } else { one };
        let half = estimate.half_width();
        Power {
            if_true: chances(claimed),
            if_false: if_false.reduce(least).unwrap_or_default(),
            needed: None,
            is_run: true,
            half_width: if self.is_rating() { half * 4.0 * 400.0 / std::f64::consts::LN_10 } else { half.exp() },
            is_narrow: half.is_finite() && half * 2.0 > region[1] - region[0],
        }
    }

    /// Chances if the claim is false. If the figure grows, it is false still after the doublings that count: it lies
    /// lower by their growth, of which the upper end must not reach the claim.
    fn if_false(&self, estimate: &PlannedEstimate, truth: f64, region: [f64; 2]) -> Chances {
        let reach = self.claim.reach(None);
        let (true, Planned::Searches { positions, runs, is_one_game, .. }) =
            (self.test.grows.is_some_and(|grows| grows > 1.0), self.sized(self.largest()))
        else {
            return self.both(estimate.chances(truth, region));
        };
        let error = reach * GROWTH / positions.sqrt() / if is_one_game { runs.sqrt() } else { 1.0 };
        let both = PlannedEstimate { standard_error: estimate.standard_error.hypot(error), ..*estimate };
        // The two half widths add up, where one of both together would be their hypotenuse.
        let more =
            estimate.half_width() + PlannedEstimate { standard_error: error, level: LEVEL, ..*estimate }.half_width();
        let less = both.half_width() - more;
        let inside = estimate.chances(truth, region).inside;
        Chances { inside, ..both.chances(truth, [region[0] + less, region[1] - less]) }
    }

    /// A rating is measured twice, and both must agree.
    fn both(&self, chances: Chances) -> Chances {
        match self.is_rating() {
            true => Chances { inside: chances.inside.powi(2), elsewhere: chances.elsewhere.powi(2) },
            false => chances,
        }
    }

    fn is_rating(&self) -> bool {
        self.test.measure == Measure::Elo
    }

    /// The run by which the test is made larger: its games, if it has some.
    fn largest(&self) -> Planned {
        let is_played = |size: &&Planned| matches!(size, Planned::Games(_));
        *self.sizes.iter().find(is_played).unwrap_or(&self.sizes[0])
    }

    /// A run as large as it is in this model.
    fn sized(&self, size: Planned) -> Planned {
        let is_larger = matches!(size, Planned::Games(_)) || !matches!(self.largest(), Planned::Games(_));
        if is_larger { size.times(self.times) } else { size }
    }

    fn estimate(&self) -> PlannedEstimate {
        let level = self.claim.level();
        let parts: Vec<(f64, f64)> = self.sizes.iter().map(|size| self.uncertainty(self.sized(*size))).collect();
        let standard_error = match self.is_rating() {
            // The two runs of a rating are not added up.
            true => parts.iter().map(|part| part.0).fold(0.0, f64::max),
            false => parts.iter().map(|part| part.0.powi(2)).sum::<f64>().sqrt(),
        };
        let freedom = parts.iter().map(|part| part.1).fold(f64::INFINITY, f64::min);
        PlannedEstimate { standard_error, freedom, level }
    }

    /// Standard error of what a run of this size says, and its degrees of freedom.
    fn uncertainty(&self, size: Planned) -> (f64, f64) {
        match size {
            Planned::Games(games) if games < FEWEST_GAMES => (f64::INFINITY, 1.0),
            Planned::Games(games) if self.is_rating() => {
                let deviation = (1.0 - self.test.draws.unwrap_or(DRAWS)).sqrt() / 2.0;
                (deviation / games.sqrt(), games / 2.0 - 1.0)
            }
            Planned::Games(games) => (self.test.spread.unwrap_or(GAME) / games.sqrt(), games / 2.0 - 1.0),
            Planned::Searches { positions, runs, baselines, is_one_game } => {
                let freedom = if is_one_game { positions * (runs - 1.0) } else { positions - 1.0 };
                let deviation = self.test.spread.unwrap_or_else(|| {
                    let terms = self.test.terms().count() as f64;
                    let is_speedup = terms == 1.0 && baselines > 0.0;
                    let of_baseline = if is_speedup { BASELINE.powi(2) / baselines } else { 0.0 };
                    let of_positions = if is_one_game { 0.0 } else { POSITION.powi(2) };
                    (terms * RUN.powi(2) / runs + of_baseline + of_positions).sqrt()
                });
                (deviation / positions.sqrt(), freedom)
            }
        }
    }
}

impl ClaimsFile {
    /// Complaint about a region that is narrower than the interval of its figure, so that it could never be reproduced.
    ///
    /// # Errors
    /// If there is one.
    pub fn check_widths(&self, planned: impl Fn(&str) -> Option<Planned>) -> Result<(), super::ClaimsError> {
        for claim in &self.claims {
            for test in &claim.tests {
                let Some(power) = Power::of(claim, test, &planned).filter(|power| power.is_narrow) else { continue };
                let by = match test.measure {
                    Measure::Elo => format!("+-{:.0} points", power.half_width),
                    _ => format!("a factor of {:.2} to each side", power.half_width),
                };
                let [low, high] = test.region();
                let needed = power.needed.map(|needed| format!(", or run about {needed}")).unwrap_or_default();
                return Err(super::ClaimsError(format!(
                    "claim '{}': '{}' accepts {low} to {high}, and its interval is going to be {by}, so that it could \
                     never be reproduced: accept more{needed}",
                    claim.name, test.says
                )));
            }
        }
        Ok(())
    }
}
