//! Questions that are asked of an experiment.

mod answer;
mod cluster;
mod differences;
mod effects;
mod health;
mod how;
mod laws;
mod limits;
mod machines;
mod micro;
mod noise;
mod parameters;
mod positions;
mod prices;
mod processors;
mod published;
mod published_curves;
pub(crate) mod rows;
pub(crate) mod size;
mod speedup;
mod split;
pub(crate) mod table_use;
pub(crate) mod thesis;
pub(crate) mod torn;
mod tree;
mod wherefore;

use crate::Source;
use crate::analysis::{Analysis, Group};
use crate::question::{File, Question};
use crate::record::MachineKind;
use crate::statistics::Test;
use crate::table::number;

pub(crate) use cluster::verdict as of_nodes;
pub(crate) use differences::{Asked, verdict as of_differences};
pub(crate) use effects::verdict as of_effects;
pub(crate) use health::{advice as next_of_health, failing as of_failures, verdict as of_health};
pub(crate) use how::sentence_of;
pub(crate) use machines::verdict as of_machines;
pub(crate) use micro::verdict as of_micro;
pub(crate) use noise::{CLAIMS, spread_of};
pub(crate) use processors::{by_model, is_by_model, processors, which_by_model};
pub(crate) use published::{beside as beside_published, verdict as of_published};
pub(crate) use split::{first_table as first_of_splits, is_padded, verdict as of_split};
pub(crate) use torn::verdict as of_torn;

/// All questions that are asked of an experiment, in the order of a report.
pub(crate) const QUESTIONS: &[Question<Source>] = &[
    health::HEALTH,
    speedup::SPEEDUP,
    machines::MACHINES,
    cluster::CLUSTER,
    prices::PRICES,
    differences::DIFFERENCES,
    effects::EFFECTS,
    wherefore::WHERE,
    size::SIZE,
    tree::TREE,
    limits::LIMITS,
    laws::LAWS,
    answer::ANSWER,
    split::SPLIT,
    table_use::TABLE,
    torn::TORN,
    thesis::THESIS,
    published::PUBLISHED,
    parameters::PARAMETERS,
    micro::MICRO,
    noise::NOISE,
    positions::POSITIONS,
    how::HOW,
];

/// Whether a difference was tested and is shown.
pub(crate) fn is_shown(test: Option<Test>) -> bool {
    test.is_some_and(Test::is_shown)
}

/// P value of a test, adjusted for its family.
fn adjusted(test: Option<Test>) -> Option<f64> {
    test.and_then(Test::adjusted)
}

/// Candidates of all contests with the largest number of processors of each machine, the fastest first. No machine
/// without any is among them.
fn leaders(analysis: &Analysis) -> Vec<Vec<&Group>> {
    let of_machine = |machine: &MachineKind| {
        let candidates = analysis.contests.iter().flat_map(|contest| &contest.candidates);
        let mut groups: Vec<&Group> = candidates.map(|&place| &analysis.groups[place]).collect();
        groups.retain(|group| group.configuration.machine == *machine);
        let most = groups.iter().map(|group| group.configuration.threads).max()?;
        groups.retain(|group| group.configuration.threads == most);
        groups.sort_by(|one, other| other.time_speedup().total_cmp(&one.time_speedup()));
        Some(groups)
    };
    MachineKind::ALL.iter().filter_map(of_machine).collect()
}

/// Words for the first of these items, and how many more there are.
pub(crate) fn few(items: &[String], most: usize) -> String {
    let mut words: Vec<String> = items.iter().take(most).cloned().collect();
    if items.len() > most {
        words.push(number::counted(items.len() - most, "other", "others"));
    }
    number::listed(&words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::samples::under_schedules;
    use crate::analysis::{Regret, RegretAgainst, Verdict};
    use crate::charts::samples;
    use crate::published::Published;
    use crate::question::Headline;
    use crate::record::{Asks, Depth, Description};
    use crate::statistics::Interval;

    /// Statements rest on evidence: no description of any question has a word for a difference, an order, a growth, a
    /// law or a state.
    #[test]
    fn nothing_is_stated_without_evidence() {
        let mut sentences = 0;
        let virtual_ones = samples::processors(&[1, 2, 16], &["ybwc", "lazy"], MachineKind::Virtual);
        let all = [samples::mixed(), samples::comparisons(), samples::sweep(), samples::hash_sizes(), virtual_ones];
        for analysis in all {
            let source = Source::of(analysis);
            for question in QUESTIONS {
                let Some(sentence) = (question.sentence)(&source) else { continue };
                assert_eq!(sentence.unfounded(), None, "{}: {sentence}", question.key);
                sentences += 1;
            }
        }
        assert!(sentences > 25, "{sentences}");
    }

    /// Every sentence on more virtual processors than two says, once, that its figures are the model's; no sentence on
    /// others does.
    #[test]
    fn many_virtual_processors_are_told_by_the_model() {
        const BY: &str = "by the model";
        let many = |words: &str| {
            let number = words.split_whitespace().next_back().and_then(|word| word.parse::<u32>().ok());
            number.is_some_and(|number| number > 2)
        };
        let names_many = |sentence: &str| {
            let virtual_ones = sentence.match_indices(" virtual").any(|(at, _)| many(&sentence[..at]));
            let others = [" on ", "On "].iter().flat_map(|on| sentence.split(on).skip(1)).any(|rest| {
                let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
                let goes_on = &rest[number.len()..];
                number.parse::<u32>().is_ok_and(|number| number > 2) && !goes_on.starts_with(" real")
            });
            virtual_ones || others
        };
        let asking = |analysis: Analysis| {
            [Asks::Best, Asks::Scaling, Asks::Smp, Asks::Effect, Asks::Splitting].map(|asks| Analysis {
                description: Description { asks: Some(asks), ..analysis.description.clone() },
                ..analysis.clone()
            })
        };
        let shown = |machine| {
            let all = [
                samples::processors(&[1, 2, 16], &["ybwc", "lazy"], machine),
                samples::processors(&[1, 2, 4, 8, 16, 32, 64], &["ybwc"], machine),
            ];
            all.into_iter().flat_map(asking).collect::<Vec<_>>()
        };
        let (description, records) = under_schedules(&[(2, 1.25)], 0.01, 1);
        let measured = Analysis::of(description, &records);
        let mixed =
            [samples::mixed(), samples::comparisons(), samples::sweep(), samples::hash_sizes(), samples::torn()];
        // What only some experiments have: effects alone, a size that is asked for, uses of the table, copies, moves
        // that were judged, and what was published.
        let simulated = |mut analysis: Analysis| {
            analysis.groups.iter_mut().for_each(|group| group.configuration.machine = MachineKind::Virtual);
            analysis
        };
        let mut effects = Analysis { comparisons: Vec::new(), ..samples::comparisons() };
        effects.effects.iter_mut().for_each(|one| (one.machine, one.threads) = (MachineKind::Virtual, 16));
        let differences = Analysis { effects: Vec::new(), ..samples::comparisons() };
        let mut sized = samples::processors(&[1, 4], &["ybwc"], MachineKind::Virtual);
        sized.description.size_s = Some(0.25);
        let mut probed = samples::processors(&[1, 16], &["lazy"], MachineKind::Virtual);
        for group in probed.groups.iter_mut().filter(|group| group.configuration.threads > 1) {
            let against = RegretAgainst {
                difference: Interval::around(1.0, 0.5),
                upper: Some(2.0),
                blunder_cp: 100.0,
                verdict: Verdict::NotWorse,
                test: None,
            };
            group.regret = Some(Regret { runs: 80, mean: Interval::around(3.0, 1.0), against: Some(against) });
        }
        let published = Published::load().unwrap();
        let all: Vec<u32> = (1..=24).collect();
        let printed = samples::processors(&all, &["ybwc-as-printed"], MachineKind::Virtual);
        let mut shallow = printed.clone();
        shallow.groups.iter_mut().for_each(|group| group.configuration.depth = Depth::Plies(7));
        let beside = [printed, shallow].map(|analysis| analysis.beside(&published));
        let special = [effects, differences, sized, probed, simulated(samples::copies(&[2, 8]))].into_iter();
        let special = special.chain(beside).chain([samples::explained(&published)]).collect::<Vec<_>>();
        let mut told = 0;
        let mut check = |analysis: Analysis, has_many: bool| {
            let source = Source::of(analysis);
            let asked = |question: &Question<Source>| Some((question.key, (question.sentence)(&source)?.to_string()));
            let (keys, mut texts): (Vec<_>, Vec<_>) = QUESTIONS.iter().filter_map(asked).unzip();
            let headline = Headline::of(&source);
            // These name no processors, and rest on the model all the same.
            let nameless = keys.iter().zip(&texts).filter(|(key, _)| ["differences", "effects", "laws"].contains(key));
            let are_many = source.analysis.effects.iter().all(|one| one.threads > 2);
            let tiles = headline.tiles.iter().map(|tile| &tile.words);
            let largest = tiles.filter(|tile| are_many && tile.contains("largest difference"));
            for text in nameless.map(|(_, text)| text).chain(largest).filter(|_| has_many) {
                assert!(text.contains(BY), "{text}");
            }
            texts.push(headline.verdict.to_string());
            texts.extend(headline.tiles.into_iter().map(|tile| tile.words));
            for sentence in texts.iter().flat_map(|text| text.split_inclusive(". ")) {
                let times = sentence.matches(BY).count();
                let is_many = has_many && names_many(sentence);
                assert!(times <= 1 && (times == 1 || !is_many) && (has_many || times == 0), "{times}: {sentence}");
                told += times;
            }
        };
        let all = shown(MachineKind::Virtual).into_iter().chain(mixed).chain(asking(measured));
        all.chain(
            special.into_iter().flat_map(|analysis| [vec![analysis.clone()], asking(analysis).to_vec()].concat()),
        )
        .for_each(|analysis| check(analysis, true));
        shown(MachineKind::Real).into_iter().for_each(|analysis| check(analysis, false));
        check(samples::processors(&[1, 2], &["ybwc", "lazy"], MachineKind::Virtual), false);
        assert!(told > 150, "{told}");
    }
}
