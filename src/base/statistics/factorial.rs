//! Factorial designs at two levels: many switches tried at once, each on in half of the runs, so that every run tells
//! of every switch.
//!
//! A fraction of all combinations confuses some effects: its *resolution* is the least number of switches whose joint
//! effect cannot be told from nothing, so at resolution IV main effects are confused with no effect of a pair. The
//! generators are looked for by the criterion of minimum aberration (Fries and Hunter, "Minimum Aberration 2^(k-p)
//! Designs", Technometrics 22, 1980): as few words of the shortest length as possible, then of the next. Words are
//! counted without listing them, by MacWilliams's identity (Tang and Wu, "Characterization of Minimum Aberration
//! 2^(n-k) Designs in Terms of Their Complementary Designs", Annals of Statistics 24, 1996). Their resolutions are
//! those of the table in Box, Hunter and Hunter, "Statistics for Experimenters", 1978, chapter 12.

use super::contrast::Contrast;
use super::sample::mean;

/// Greatest number of runs for which a fraction is looked for.
const MOST_RUNS: usize = 128;
/// Greatest number of switches.
const MOST_FACTORS: usize = 31;
/// Partial designs that are followed at a time in the search for generators: enough to find the designs of the tables.
const FOLLOWED: usize = 40;
/// Lengths of words, from 3 on, by which partial designs are compared.
const COMPARED_LENGTHS: usize = 6;

/// Two-level design: which switches are on in each run. Every switch is on in half of the runs, and any two are on
/// together in a quarter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    levels: Vec<Vec<bool>>,
}

impl Design {
    /// Best design of `factors` switches in `runs` runs. In the first run everything is off. Nothing unless the runs
    /// are a power of two, more than the switches and not more than there are combinations, and within [`MOST_RUNS`]
    /// and [`MOST_FACTORS`].
    pub fn fractional(factors: usize, runs: usize) -> Option<Self> {
        let basic = runs.checked_ilog2()? as usize;
        let fits = runs.is_power_of_two() && runs <= MOST_RUNS && factors <= MOST_FACTORS && factors < runs;
        if !fits || factors < basic || factors == 0 {
            return None;
        }
        let columns = generators(factors, basic)?;
        let is_on = |run: usize, column: usize| (run & column).count_ones() % 2 == 1;
        let levels = (0..runs).map(|run| columns.iter().map(|&column| is_on(run, column)).collect()).collect();
        Some(Self { levels })
    }

    /// Design that was made elsewhere: which switches are on in each run. Nothing if the switches are not balanced
    /// against each other, since then the effect of one contains that of another.
    pub fn from_levels(levels: &[Vec<bool>]) -> Option<Self> {
        let factors = levels.first()?.len();
        if factors == 0 || levels.iter().any(|run| run.len() != factors) {
            return None;
        }
        let agree =
            |is_same: &dyn Fn(&Vec<bool>) -> bool| 2 * levels.iter().filter(|run| is_same(run)).count() == levels.len();
        let is_balanced = (0..factors).all(|i| agree(&|run| run[i]) && (0..i).all(|j| agree(&|run| run[i] == run[j])));
        is_balanced.then(|| Self { levels: levels.to_vec() })
    }

    /// Levels of all switches, by run.
    pub fn levels(&self) -> &[Vec<bool>] {
        &self.levels
    }

    /// Number of switches.
    pub fn factors(&self) -> usize {
        self.levels[0].len()
    }

    /// Pairs of switches whose joint effect cannot be told from the effect of this one.
    pub fn aliases(&self, factor: usize) -> Vec<(usize, usize)> {
        let pairs = (0..self.factors()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let others = pairs.filter(|&(i, j)| i != factor && j != factor);
        others.filter(|&(i, j)| self.is_constant(|run| run[i] ^ run[j] ^ run[factor])).collect()
    }

    /// Main effects of the switches: the mean of the runs with it on less that of the runs with it off. `responses` are
    /// logarithms by run of the design, position and seed, in the same order everywhere; a seed counts at a position
    /// where every run has it, since only then do the effects of the other switches cancel. Nothing where there is
    /// none.
    pub fn effects(&self, responses: &[Vec<Vec<Option<f64>>>]) -> Vec<Option<Contrast>> {
        let complete = self.complete(responses);
        (0..self.factors())
            .map(|factor| {
                let difference = |runs: &Vec<f64>| {
                    let half = |is_on: bool| -> Vec<f64> {
                        let runs = runs.iter().zip(&self.levels).filter(|(_, level)| level[factor] == is_on);
                        let mut values: Vec<f64> = runs.map(|(&value, _)| value).collect();
                        // Equal halves must have equal means to the last digit, in whatever order their runs stand.
                        values.sort_by(f64::total_cmp);
                        values
                    };
                    Some(mean(&half(true))? - mean(&half(false))?)
                };
                let by_position = |seeds: &Vec<Vec<f64>>| seeds.iter().filter_map(difference).collect();
                Contrast::paired(&complete.iter().map(by_position).collect::<Vec<_>>())
            })
            .collect()
    }

    /// Values of all runs by position and seed, where all runs have one.
    fn complete(&self, responses: &[Vec<Vec<Option<f64>>>]) -> Vec<Vec<Vec<f64>>> {
        if responses.len() != self.levels.len() {
            return Vec::new();
        }
        let positions = responses.iter().map(Vec::len).min().unwrap_or_default();
        let at = |position: usize| {
            let seeds = responses.iter().map(|run| run[position].len()).min().unwrap_or_default();
            (0..seeds).filter_map(|seed| responses.iter().map(|run| run[position][seed]).collect()).collect()
        };
        (0..positions).map(at).collect()
    }

    fn is_constant(&self, of_run: impl Fn(&[bool]) -> bool) -> bool {
        let first = of_run(&self.levels[0]);
        self.levels.iter().all(|run| of_run(run) == first)
    }
}

/// Columns of the best design: each switch is on where the run's number has an odd number of bits in common with its
/// column. The first `basic` are single bits, the others their products.
///
/// Columns are added one at a time, and the best partial designs are followed.
fn generators(factors: usize, basic: usize) -> Option<Vec<usize>> {
    /// Design of the first switches.
    struct Partial {
        columns: Vec<usize>,
        /// Number of switches that are on, by run.
        on: Vec<usize>,
    }
    let with = |partial: &Partial, column: usize| Partial {
        columns: [&partial.columns[..], &[column]].concat(),
        on: partial.on.iter().enumerate().map(|(run, on)| on + (run & column).count_ones() as usize % 2).collect(),
    };
    let nothing = Partial { columns: Vec::new(), on: vec![0; 1 << basic] };
    let mut followed = vec![(0..basic).fold(nothing, |partial, bit| with(&partial, 1 << bit))];
    for count in basic + 1..=factors {
        let polynomials = krawtchouk(count);
        let mut extended: Vec<([i64; COMPARED_LENGTHS], Partial)> = Vec::new();
        for partial in &followed {
            for column in (1..1 << basic).filter(|column| !partial.columns.contains(column)) {
                let larger = with(partial, column);
                let mut runs_with = vec![0; count + 1];
                larger.on.iter().for_each(|&on| runs_with[on] += 1);
                let of_length = |length: usize| polynomials.get(length).map_or(0, |one| count_words(one, &runs_with));
                let words = std::array::from_fn(|i| of_length(i + 3));
                // Designs with equal counts of words mostly differ in the names of switches only.
                if let Err(place) = extended.binary_search_by_key(&words, |(words, _)| *words)
                    && place < FOLLOWED
                {
                    extended.insert(place, (words, larger));
                    extended.truncate(FOLLOWED);
                }
            }
        }
        followed = extended.into_iter().map(|(_, partial)| partial).collect();
    }
    Some(followed.into_iter().next()?.columns)
}

/// Krawtchouk's polynomials for words over a number of switches: values by length of the word and number of switches
/// that are on.
fn krawtchouk(factors: usize) -> Vec<Vec<i64>> {
    // The coefficient of z^length in (1 - z)^on (1 + z)^(factors - on).
    let of = |on: usize| {
        let mut coefficients = vec![0_i64; factors + 1];
        coefficients[0] = 1;
        for i in 0..factors {
            let sign = if i < on { -1 } else { 1 };
            for j in (1..=i + 1).rev() {
                coefficients[j] += sign * coefficients[j - 1];
            }
        }
        coefficients
    };
    let by_on: Vec<Vec<i64>> = (0..=factors).map(of).collect();
    (0..=factors).map(|length| by_on.iter().map(|row| row[length]).collect()).collect()
}

/// Number of words, times the number of runs, by the polynomial of their length. `counts` holds the number of runs by
/// how many switches they have on; with pairs of runs by how many switches they differ in, it is times the square of
/// the number of runs.
fn count_words(polynomial: &[i64], counts: &[i64]) -> i64 {
    polynomial.iter().zip(counts).map(|(value, count)| value * count).sum()
}

#[cfg(test)]
mod tests {
    use super::super::contrast::Scope;
    use super::super::interval::LEVEL;
    use super::*;
    use crate::random::SplitMix;

    /// Least number of switches whose joint effect is confused with the mean of all; nothing if every combination
    /// occurs equally often.
    fn resolution(design: &Design) -> Option<usize> {
        let factors = design.factors();
        // How often two runs, in either order, differ in so many switches.
        let mut distances = vec![0; factors + 1];
        for a in design.levels() {
            for b in design.levels() {
                distances[a.iter().zip(b).filter(|(a, b)| a != b).count()] += 1;
            }
        }
        let polynomials = krawtchouk(factors);
        (1..=factors).find(|&length| count_words(&polynomials[length], &distances) != 0)
    }

    /// The number of sets of this many switches whose joint effect is confused with the mean, by trying them all.
    fn words(design: &Design, length: u32) -> usize {
        let sets = (0_u32..1 << design.factors()).filter(|set| set.count_ones() == length);
        let of_run = |set: u32, run: &[bool]| {
            run.iter().enumerate().filter(|&(i, &is_on)| is_on && set >> i & 1 == 1).count() % 2 == 1
        };
        sets.filter(|&set| design.is_constant(|run| of_run(set, run))).count()
    }

    /// Runs, switches, resolution and the number of shortest words as in Box, Hunter and Hunter, table 12.15, and Fries
    /// and Hunter.
    #[test]
    fn the_designs_are_those_of_the_tables() {
        for (factors, runs, least, shortest) in [
            (3, 4, 3, 1),
            (4, 8, 4, 1),
            (5, 8, 3, 2),
            (6, 8, 3, 4),
            (7, 8, 3, 7),
            (5, 16, 5, 1),
            (6, 16, 4, 3),
            (7, 16, 4, 7),
            (8, 16, 4, 14),
            (9, 16, 3, 4),
            (10, 16, 3, 8),
            (6, 32, 6, 1),
            (7, 32, 4, 1),
            (8, 32, 4, 3),
            (9, 32, 4, 6),
            (10, 32, 4, 10),
            (11, 32, 4, 25),
            (7, 64, 7, 1),
            (8, 64, 5, 2),
            (9, 64, 4, 1),
            (10, 64, 4, 2),
            (11, 64, 4, 4),
            (8, 128, 8, 1),
            (9, 128, 6, 3),
            (10, 128, 5, 3),
            (11, 128, 5, 6),
        ] {
            let design = Design::fractional(factors, runs).unwrap();
            let what = format!("{factors} switches in {runs} runs");
            assert_eq!((design.levels().len(), design.factors()), (runs, factors), "{what}");
            assert_eq!(resolution(&design), Some(least), "{what}");
            assert_eq!(words(&design, least as u32), shortest, "{what}");
            assert_eq!(Design::from_levels(design.levels()), Some(design.clone()), "{what}");
            assert!(design.levels()[0].iter().all(|is_on| !is_on), "{what}");
        }
    }

    #[test]
    fn a_design_of_all_combinations_confuses_nothing() {
        for factors in 1..=5 {
            let design = Design::fractional(factors, 1 << factors).unwrap();
            assert_eq!(resolution(&design), None);
            let mut levels = design.levels().to_vec();
            levels.sort();
            levels.dedup();
            assert_eq!(levels.len(), 1 << factors);
        }
    }

    /// With fewer switches than half of the runs there is one of resolution IV at least.
    #[test]
    fn the_largest_designs_are_found_too() {
        for (factors, runs, least) in [(16, 32, 4), (31, 32, 3), (31, 64, 4), (31, 128, 4)] {
            assert_eq!(resolution(&Design::fractional(factors, runs).unwrap()), Some(least));
        }
    }

    #[test]
    fn what_is_no_design_is_nothing() {
        for (factors, runs) in [(3, 6), (8, 8), (3, 16), (0, 1), (1, 1), (32, 64), (10, 256), (3, 0)] {
            assert_eq!(Design::fractional(factors, runs), None, "{factors} {runs}");
        }
        let unbalanced = [vec![false, false], vec![true, true], vec![true, false], vec![false, false]];
        assert_eq!(Design::from_levels(&unbalanced), None);
        assert_eq!(Design::from_levels(&[vec![false, false], vec![true, true]]), None, "one is the other");
        assert_eq!(Design::from_levels(&[]), None);
    }

    #[test]
    fn aliases_are_those_of_the_generators() {
        // Three in four runs: each is the product of the others.
        let design = Design::fractional(3, 4).unwrap();
        assert_eq!([0, 1, 2].map(|factor| design.aliases(factor)), [vec![(1, 2)], vec![(0, 2)], vec![(0, 1)]]);
        // Seven in eight: each is confused with three pairs, which are all pairs.
        let design = Design::fractional(7, 8).unwrap();
        assert!((0..7).all(|factor| design.aliases(factor).len() == 3));
        // Four in eight: main effects are clear.
        let design = Design::fractional(4, 8).unwrap();
        assert!((0..4).all(|factor| design.aliases(factor).is_empty()));
    }

    /// Logarithms of times with known effects of nine switches, a pair that works together, a level for each position
    /// and noise.
    fn respond(design: &Design, noise: f64) -> Vec<Vec<Vec<Option<f64>>>> {
        let mut random = SplitMix::new(51);
        let mut time = |run: &[bool], position: usize| {
            let main: f64 = run.iter().zip(EFFECTS).filter(|(is_on, _)| **is_on).map(|(_, effect)| effect).sum();
            let joint = if run[0] == run[1] { 0.3 } else { -0.3 };
            Some(main + joint + position as f64 + noise * random.normal())
        };
        let mut seeds = |run: &Vec<bool>, position| (0..4).map(|_| time(run, position)).collect::<Vec<_>>();
        let mut positions = |run: &Vec<bool>| (0..5).map(|position| seeds(run, position)).collect::<Vec<_>>();
        design.levels().iter().map(&mut positions).collect()
    }

    const EFFECTS: [f64; 9] = [0.5, -0.4, 0.3, -0.2, 0.1, 0.0, 0.0, 0.05, -0.05];

    #[test]
    fn known_effects_are_recovered() {
        let design = Design::fractional(9, 32).unwrap();
        for (effect, expected) in design.effects(&respond(&design, 0.0)).into_iter().zip(EFFECTS) {
            let effect = effect.unwrap();
            assert!((effect.estimate() - expected).abs() < 1e-12 && effect.by_position().len() == 5);
        }
        let effects: Vec<Contrast> = design.effects(&respond(&design, 0.1)).into_iter().flatten().collect();
        for (effect, expected) in effects.iter().zip(EFFECTS) {
            let interval = effect.interval(Scope::ThesePositions, LEVEL).unwrap();
            // 32 runs, 5 positions and 4 seeds: the standard error is 0.2 / sqrt(640) = 0.008.
            assert!((interval.high - interval.low) < 7.0 * 0.008, "{interval:?}");
            assert!((effect.estimate() - expected).abs() < 3.5 * 0.008, "{expected}: {interval:?}");
        }
        assert!(effects[5].p_value(Scope::ThesePositions).unwrap() > 0.001);
        assert!(effects[4].p_value(Scope::ThesePositions).unwrap() < 1e-6);
    }

    /// Without the run that failed the halves would hold other switches' effects: the seed is left out, and no other.
    #[test]
    fn a_seed_counts_where_every_run_has_it() {
        let design = Design::fractional(9, 32).unwrap();
        let mut responses = respond(&design, 0.0);
        responses[17][2][1] = None;
        responses[3][4].clear();
        for (effect, expected) in design.effects(&responses).into_iter().zip(EFFECTS) {
            let effect = effect.unwrap();
            assert!((effect.estimate() - expected).abs() < 1e-12);
            assert_eq!(effect.places(), [0, 1, 2, 3]);
        }
        responses.pop();
        assert!(design.effects(&responses).iter().all(Option::is_none), "a run is missing");
    }
}
