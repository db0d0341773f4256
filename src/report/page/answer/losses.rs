//! Sentences on where the rest of the processors went: the factors of a time speedup, the costliest first, and apart
//! from them those that gain.

use crate::report::analysis::Factors;
use crate::table::number::{figure, listed, percent};

/// Share by which a factor must change the time to be worth a word.
const WORTH_A_WORD: f64 = 0.005;

/// One sentence or two; none if the factors are not known.
pub(super) fn sentence(speedup: f64, factors: &Factors) -> Option<String> {
    let share = speedup / factors.processors;
    let mut parts = parts(factors);
    parts.retain(|(factor, ..)| factor.is_finite());
    if parts.is_empty() || !share.is_finite() {
        return None;
    }
    parts.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    let in_words = |value: f64, words: &str| words.replace("{}", &figure(value));
    let losses = parts.iter().filter(|(factor, ..)| *factor < 1.0 - WORTH_A_WORD);
    let losses: Vec<String> = losses.map(|&(_, value, loss, _)| in_words(value, loss)).collect();
    let gains = parts.iter().rev().filter(|(factor, ..)| *factor > 1.0 + WORTH_A_WORD);
    let gains: Vec<String> = gains.map(|&(_, value, _, gain)| in_words(value, gain)).collect();
    let mut text = format!("That is an efficiency of {}", percent(share));
    match losses.split_first() {
        Some((first, [])) => text.push_str(&format!(": what costs is {first}")),
        Some((first, rest)) => text.push_str(&format!(": {first} cost most, then {}", listed(rest))),
        None => {}
    }
    if !gains.is_empty() {
        text.push_str(&format!("; gained is {}", listed(&gains)));
    }
    text.push('.');
    Some(text)
}

/// Factors of a speedup: each with its figure, and words for it where it costs and where it gains.
fn parts(factors: &Factors) -> Vec<(f64, f64, &'static str, &'static str)> {
    let Factors { utilisation, productive, rate, nodes, .. } = *factors;
    let less_idling = "less idling than the baseline (utilisation {})";
    let less_coordination = "less coordination than the baseline (productive share {})";
    vec![
        (utilisation, utilisation, "idle processors (utilisation {})", less_idling),
        (1.0 / nodes, nodes, "extra nodes ({} times the baseline's)", "a smaller tree ({} times the baseline's nodes)"),
        (rate, rate, "slower nodes (rate {})", "faster nodes (rate {})"),
        (productive, productive, "coordination (productive share {})", less_coordination),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_costliest_comes_first_and_gains_stand_apart() {
        let factors =
            |utilisation, productive, rate, nodes| Factors { processors: 16.0, utilisation, productive, rate, nodes };
        let cases = [
            (
                8.0,
                factors(0.7, 0.98, 0.95, 1.3),
                "That is an efficiency of 50.0 %: idle processors (utilisation 0.700) cost most, then \
                 extra nodes (1.30 times the baseline's), slower nodes (rate 0.950) and coordination (productive \
                 share 0.980).",
            ),
            (
                14.0,
                factors(0.8, 1.0, 1.001, 0.9),
                "That is an efficiency of 87.5 %: what costs is idle processors (utilisation 0.800); gained \
                 is a smaller tree (0.900 times the baseline's nodes).",
            ),
            (16.0, factors(1.0, 1.0, 1.0, 1.0), "That is an efficiency of 100.0 %."),
        ];
        for (speedup, factors, expected) in cases {
            assert_eq!(sentence(speedup, &factors).as_deref(), Some(expected));
        }
        assert_eq!(sentence(f64::NAN, &factors(1.0, 1.0, 1.0, 1.0)), None);
        assert_eq!(sentence(8.0, &factors(f64::NAN, f64::NAN, f64::NAN, f64::NAN)), None);
    }
}
