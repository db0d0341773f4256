//! Regret: how much worse the moves of a configuration are than the best that are known, by searches deeper than its
//! own, and whether they are worse than those of the baseline or of another reference. Two searches to the same depth
//! are not the same work: a search that is faster because it plays worse moves is not faster.
//!
//! That moves are no worse can only be shown against a margin: the one-sided bound of the difference must lie below it.
//! The bound allows for one blunder more than was seen, since a few runs without a blunder do not show that there is
//! none.

use std::collections::HashMap;

use crate::choices::choices;
use crate::record::{Description, Judgement, Judging, Record, Subject, Word};
use crate::statistics::{Contrast, Interval, Test, quantile};

use super::grouping::{Gathered, Run};
use super::scope::Holds;

/// Margin in centipawns: moves that are worse by less are as good. One ply less of depth costs about as much; see
/// `docs/statistics.md`.
pub const MARGIN_CP: f64 = 5.0;
/// Least regret in centipawns of a blunder that was not seen, and what is taken where too few were to tell.
const LEAST_BLUNDER_CP: f64 = 50.0;
const UNTOLD_BLUNDER_CP: f64 = 100.0;
/// Fewest regrets that tell how large a blunder may be, and the share of them that are smaller.
const FEWEST_REGRETS: usize = 20;
const SHARE_BELOW_BLUNDER: f64 = 0.95;
/// Score in centipawns beyond which a game is decided, so that it does not matter by how much.
const DECIDED_CP: f64 = 1_000.0;

/// Worth of a group's moves by deeper searches: how much worse they are than the best that are known, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regret {
    /// Number of runs whose moves were judged.
    pub runs: usize,
    /// Mean over positions of means over runs.
    pub mean: Interval,
    /// Difference from the regret of the baseline; nothing for the baseline itself and where there is none.
    pub against: Option<RegretAgainst>,
}

/// Difference between the regret of a group and that of its baseline or of another group, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegretAgainst {
    /// Difference of the means, position by position; more than 0 is worse.
    pub difference: Interval,
    /// One-sided upper bound of the difference, which allows for a blunder that was not seen; nothing if it is not
    /// known.
    pub upper: Option<f64>,
    /// Regret of the blunder that the bound allows for.
    pub blunder_cp: f64,
    /// Conclusion by the bound.
    pub verdict: Verdict,
    /// Test of the difference from the baseline; nothing of the difference from another group, of which no answer
    /// speaks.
    pub test: Option<Test>,
}

choices! {
    /// Conclusion on the moves of a group, beside those of its baseline.
    pub enum Verdict, "verdict", by default NotShown;
    /// The difference is shown to be less than the margin.
    NotWorse "not worse",
    /// Moves are shown to be worse, and may be so by more than the margin.
    Worse "worse",
    /// Neither is shown.
    NotShown "not shown",
}

/// Worth of the moves of an experiment, in centipawns.
pub(super) struct Worth {
    judging: Judging,
    /// Score of each move that was judged.
    moves: HashMap<Subject, HashMap<Word, f64>>,
    /// Regret of a blunder that was not seen.
    blunder_cp: f64,
}

impl Worth {
    /// Worth by these judgements; nothing if the experiment's moves were not judged.
    pub fn of(description: &Description, records: &[Record], judgements: &[Judgement]) -> Option<Self> {
        let judging = Judging::of(records, description.judge?);
        let mut moves: HashMap<Subject, HashMap<Word, f64>> = HashMap::new();
        for judgement in judgements {
            if let Some(mv) = &judgement.chosen {
                let score = (f64::from(judgement.score_raw) / 10.0).clamp(-DECIDED_CP, DECIDED_CP);
                moves.entry(judgement.subject.clone()).or_default().insert(mv.clone(), score);
            }
        }
        let worth = Self { judging, moves, blunder_cp: UNTOLD_BLUNDER_CP };
        let regrets = records.iter().filter_map(|record| worth.regret(Run { record, measured: record.measured()? }));
        let regrets: Vec<f64> = regrets.filter(|regret| *regret > 0.0).collect();
        let large = quantile(&regrets, SHARE_BELOW_BLUNDER).filter(|_| regrets.len() >= FEWEST_REGRETS);
        let blunder_cp = large.map_or(UNTOLD_BLUNDER_CP, |large| large.max(LEAST_BLUNDER_CP));
        (!worth.moves.is_empty()).then_some(Self { blunder_cp, ..worth })
    }

    /// Score of the best move that is known less that of the move chosen; nothing for a run that was not judged.
    fn regret(&self, run: Run<'_>) -> Option<f64> {
        let moves = self.moves.get(&self.judging.subject(&run.record.cell)?)?;
        let chosen = moves.get(run.measured.bestmove.as_ref()?)?;
        Some(moves.values().copied().fold(*chosen, f64::max) - chosen)
    }

    /// Regret of a group, and its difference from that of the baseline; nothing if no run was judged.
    pub fn of_group(&self, group: &Gathered<'_>, baseline: Option<&Gathered<'_>>, holds: Holds) -> Option<Regret> {
        let regrets = group.figures(|run| self.regret(run));
        let mean = Contrast::paired(&regrets)?;
        let against = baseline.and_then(|baseline| self.difference(group, baseline, holds));
        Some(Regret { runs: regrets.iter().map(Vec::len).sum(), mean: spread(&mean, holds), against })
    }

    /// Difference between the regrets of a group and of another at the positions that both have; nothing if there is
    /// no such position.
    pub fn difference(&self, group: &Gathered<'_>, other: &Gathered<'_>, holds: Holds) -> Option<RegretAgainst> {
        let [ours, theirs] = [group, other].map(|one| one.figures(|run| self.regret(run)));
        against(&ours, &theirs, self.blunder_cp, holds)
    }
}

/// Difference between the regrets of a group and of its baseline, whose runs these are.
fn against(ours: &[Vec<f64>], theirs: &[Vec<f64>], blunder_cp: f64, holds: Holds) -> Option<RegretAgainst> {
    let difference = &Contrast::unpaired(ours, theirs)?;
    // Part of a blunder in the mean of a side.
    let blunder = |side: &[Vec<f64>]| {
        let runs: usize = difference.places().iter().map(|&place| side[place].len()).sum();
        blunder_cp / runs as f64
    };
    let upper = holds.0.and_then(|scope| difference.bound_above(scope, blunder(ours)));
    let lower = holds.0.and_then(|scope| difference.bound_below(scope, blunder(theirs)));
    let verdict = match upper {
        Some(upper) if upper < MARGIN_CP => Verdict::NotWorse,
        Some(_) if lower > Some(0.0) => Verdict::Worse,
        _ => Verdict::NotShown,
    };
    let p = holds.0.and_then(|scope| difference.p_value_beside(scope, blunder(theirs)));
    let test = p.map(Test::of);
    Some(RegretAgainst { difference: spread(difference, holds), upper, blunder_cp, verdict, test })
}

/// Figure with its interval, which is not known where nothing varies: that runs agree does not show that there is never
/// a blunder.
fn spread(contrast: &Contrast, holds: Holds) -> Interval {
    let interval = holds.interval(contrast);
    if interval.low < interval.high { interval } else { Interval::unknown(interval.estimate) }
}

#[cfg(test)]
mod tests {
    use super::super::Analysis;
    use super::super::samples::{measured, one_against_four};
    use super::*;
    use crate::record::Reference;

    /// Judgement of a move at a position by a search two plies deeper.
    fn judgement(position: &str, mv: &str, score_raw: i32) -> Judgement {
        let subject = Subject {
            position: position.into(),
            fen: "8/8/8/8/8/8/8/K1k5 w - - 0 1".into(),
            features: "thesis".into(),
            depth: 7,
        };
        Judgement { subject, chosen: Some(mv.into()), score_raw, ..Judgement::default() }
    }

    /// All choose e2e4, but one of the four shared searches d2d4.
    fn experiment() -> (Description, Vec<Record>) {
        let (description, mut records) = one_against_four();
        measured(&mut records[4]).bestmove = Some("d2d4".into());
        (Description { judge: Some(2), ..description }, records)
    }

    fn regrets(judgements: &[Judgement]) -> [Option<Regret>; 2] {
        let (description, records) = experiment();
        let analysis = Analysis::judged(description, &records, judgements);
        [analysis.groups[0].regret, analysis.groups[1].regret]
    }

    /// At A regrets of 40 and 0 centipawns against 0 and 0, at B none: a difference of 20 / 2 with a variance of
    /// 800 / 2 / 4 and one degree of freedom.
    #[test]
    fn a_regret_worked_by_hand() {
        let mut judged = vec![judgement("A", "e2e4", 500), judgement("A", "d2d4", 100), judgement("B", "e2e4", -70)];
        let [baseline, shared] = regrets(&judged).map(Option::unwrap);
        assert_eq!((baseline.runs, baseline.mean.estimate, baseline.against), (4, 0.0, None));
        assert_eq!((shared.runs, shared.mean.estimate), (4, 10.0));
        let against = shared.against.unwrap();
        assert_eq!((against.difference.estimate, against.verdict), (10.0, Verdict::NotShown));
        assert!((against.difference.high - 10.0 - 12.7062 * 10.0).abs() < 0.01, "{against:?}");
        // With t = 6.3138 and a blunder of a pawn in four runs, since too few regrets tell how large one may be.
        let expected = 10.0 + 25.0 + 6.313_75 * 10.0_f64.hypot(25.0);
        assert!((against.upper.unwrap() - expected).abs() < 1e-3, "{against:?}");
        // The best move that is known counts, whoever found it.
        judged.push(judgement("A", "g1f3", 600));
        let [baseline, shared] = regrets(&judged).map(Option::unwrap);
        assert_eq!((baseline.mean.estimate, shared.mean.estimate), (5.0, 15.0));
        assert_eq!(shared.against.unwrap().difference.estimate, 10.0);
    }

    /// Others on four processors all choose e2e4: at A they are better than the reference by 40 / 2 centipawns, at B by
    /// none.
    #[test]
    fn moves_are_compared_with_those_of_a_reference() {
        let (mut description, mut records) = experiment();
        let fields = [("strategy".to_owned(), records[4].cell.configuration.strategy.to_string())];
        description.references = vec![Reference { fields: fields.into(), members: Vec::new() }];
        let mut others: Vec<Record> =
            records.iter().filter(|record| !record.cell.configuration.is_baseline()).cloned().collect();
        for (index, other) in (records.len() as u64..).zip(&mut others) {
            other.index = index;
            other.cell.configuration.strategy = "lazy".into();
            measured(other).bestmove = Some("e2e4".into());
        }
        records.extend(others);
        let judged = [judgement("A", "e2e4", 500), judgement("A", "d2d4", 100), judgement("B", "e2e4", -70)];
        let analysis = Analysis::judged(description.clone(), &records, &judged);
        let [comparison] = &analysis.comparisons[..] else { panic!("{:?}", analysis.comparisons) };
        let regret = comparison.regret.unwrap();
        assert_eq!((regret.difference.estimate, regret.verdict, regret.test), (-10.0, Verdict::NotShown, None));
        assert_eq!(Analysis::of(description, &records).comparisons[0].regret, None);
    }

    #[test]
    fn a_game_that_is_decided_is_decided() {
        // Mate against eight pawns, and mate against twelve.
        for (other, expected) in [(8_000, 50.0), (12_000, 0.0)] {
            let judged = [judgement("A", "e2e4", 129_990), judgement("A", "d2d4", other), judgement("B", "e2e4", 0)];
            assert_eq!(regrets(&judged)[1].unwrap().mean.estimate, expected);
        }
    }

    #[test]
    fn what_was_not_judged_has_no_regret() {
        assert_eq!(regrets(&[]), [None, None]);
        // Only the position B has judgements, and of A only the move that one run chose.
        let [baseline, shared] = regrets(&[judgement("B", "e2e4", 0), judgement("A", "d2d4", 0)]).map(Option::unwrap);
        assert_eq!((baseline.runs, shared.runs), (2, 3));
        let of_other_depth = Judgement {
            subject: Subject { depth: 8, ..judgement("A", "e2e4", 0).subject },
            ..judgement("A", "e2e4", 0)
        };
        assert_eq!(regrets(&[of_other_depth]), [None, None]);
        let (description, records) = experiment();
        let description = Description { judge: None, ..description };
        assert_eq!(Analysis::judged(description, &records, &[judgement("A", "e2e4", 0)]).groups[1].regret, None);
    }

    /// Eighty runs that choose as the baselines do are shown to be as good, twenty are not.
    #[test]
    fn few_runs_without_a_blunder_show_nothing() {
        let against = |regret: f64, runs: usize| {
            let side = |regret: f64| vec![vec![regret; runs]; 10];
            let (ours, theirs) = (side(regret), side(0.0));
            let holds = Holds::of(&Description::default());
            against(&ours, &theirs, LEAST_BLUNDER_CP, holds).unwrap()
        };
        assert_eq!((against(0.0, 8).verdict, against(0.0, 2).verdict), (Verdict::NotWorse, Verdict::NotShown));
        // The same of blunders that were seen every time.
        assert_eq!((against(6.0, 8).verdict, against(6.0, 2).verdict), (Verdict::Worse, Verdict::NotShown));
        // Runs that all agree do not tell how much others would vary.
        assert!(against(6.0, 8).difference.estimate == 6.0 && !against(6.0, 8).difference.is_known());
        assert!(against(6.0, 8).test.unwrap().p() < 0.001 && against(6.0, 2).test.unwrap().p() > 0.1);
    }
}
