//! Comparison of searches with those of one thread: the speedup, and whether it says anything.

use super::report::Position;
use crate::lab::beside::{Pair, Taken, mean_time_s, speedup};
use crate::report::State;
use crate::share::is_too_small;
use crate::table::number;

/// Whether the searches are too small to say what this number of processors can do.
pub fn is_too_small_for(compared: &[&[Pair]], threads: u32) -> bool {
    !compared.is_empty() && is_too_small(mean_time_s(compared, |pair| pair.one_thread), threads)
}

/// Reason why the times of these searches say nothing, by the rule of a run.
pub fn obstacle(compared: &[&[Pair]]) -> Option<String> {
    let searches: Vec<Taken> =
        compared.iter().copied().flatten().flat_map(|pair| [pair.all_threads, pair.one_thread]).collect();
    let state = State::of_searches(&searches.iter().map(|one| (one.quietness, one.taken_share)).collect::<Vec<_>>());
    match state.is_ruined() {
        true if searches.iter().any(|one| one.is_oversubscribed) => {
            Some("the threads took turns on fewer processors".to_owned())
        }
        true => Some(state.cause()),
        false if state.is_unknown() => {
            Some("the searches were too short to tell whether other programs disturbed them".to_owned())
        }
        false => None,
    }
}

/// Pairs of the positions that have some.
pub fn pairs(positions: &[Position]) -> Vec<&[Pair]> {
    positions.iter().map(|position| &position.pairs[..]).filter(|pairs| !pairs.is_empty()).collect()
}

/// Line that sets the search beside that of one thread.
pub fn line_beside_one_thread(compared: &[&[Pair]], threads: u32, unit: &str) -> Option<String> {
    let speedup = speedup(compared)?;
    let obstacle = obstacle(compared);
    let seeds = compared.iter().map(|pairs| pairs.len()).max()?;
    let times = match speedup.is_known() {
        true => number::interval(&speedup),
        false => format!("{:.*}", if speedup.estimate < 1.0 { 2 } else { 1 }, speedup.estimate),
    };
    let hint = if seeds == 1 { "one seed; --repeat 8 for an interval" } else { "" };
    if let ([[pair]], 1) = (compared, seeds) {
        let Taken { time_s, nodes, .. } = pair.one_thread;
        let nodes = number::count(nodes as f64);
        let outcome = match obstacle {
            Some(obstacle) => format!("no speedup: {obstacle}"),
            None => format!("{times} times as fast with {threads} ({hint})"),
        };
        return Some(format!("one thread: {time_s:.3} {unit}, {nodes} nodes: {outcome}"));
    }
    let mean_time = |side| mean_time_s(compared, side);
    let (one, all) = (mean_time(|pair| pair.one_thread), mean_time(|pair| pair.all_threads));
    let places = number::counted(compared.len(), "position", "positions");
    let runs = if seeds == 1 { hint.to_owned() } else { format!("{seeds} seeds; the other lines are of the first") };
    let outcome =
        obstacle.map_or_else(|| format!("{times} times as fast"), |obstacle| format!("no speedup: {obstacle}"));
    Some(format!(
        "one thread: {one:.3} {unit}, {threads} threads: {all:.3} {unit} (geometric means, {places}, {runs}): {outcome}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Quietness;

    fn pair(all: Taken, one: Taken) -> Pair {
        Pair { seed: 0, all_threads: all, one_thread: one }
    }

    #[test]
    fn disturbed_searches_have_no_speedup() {
        let quiet = |time_s| Taken { time_s, ..Taken::sample() };
        let taken =
            |time_s, share| Taken { quietness: Quietness::Disturbed, taken_share: Some(share), ..quiet(time_s) };
        let line = |pairs: &[Pair]| line_beside_one_thread(&[pairs], 2, "s").unwrap();
        let good = pair(quiet(1.0), quiet(2.0));
        assert!(line(&[good]).ends_with("1 nodes: 2.0 times as fast with 2 (one seed; --repeat 8 for an interval)"));
        let bad = pair(taken(1.0, 0.74), taken(2.8, 0.74));
        let expected = "one thread: 2.800 s, 1 nodes: no speedup: other programs took 74.0 % of the processors";
        assert_eq!(line(&[bad]), expected);
        // One of eight searches is too few to undo them, two are not, whatever the interval.
        let one_in_eight = [good, pair(quiet(1.1), taken(2.1, 0.1)), good, good];
        assert!(line(&one_in_eight).ends_with(" times as fast"), "{}", line(&one_in_eight));
        let two_in_eight = line(&[good, pair(taken(1.1, 0.1), taken(2.1, 0.1)), good, good]);
        assert!(two_in_eight.ends_with(
            "4 seeds; the other lines are of the first): no speedup: other programs took 2.5 % of the processors"
        ));
        let busy = Taken { is_oversubscribed: true, taken_share: None, ..taken(1.0, 0.0) };
        assert!(line(&[pair(busy, quiet(2.0))]).ends_with("no speedup: the threads took turns on fewer processors"));
        let short = Taken { quietness: Quietness::Unknown, taken_share: None, ..quiet(1e-5) };
        assert!(line(&[pair(short, short)]).contains("no speedup: the searches were too short to tell"));
    }

    #[test]
    fn a_search_is_too_small_by_the_time_of_one_processor_for_each() {
        let of = |one_s: f64, threads| {
            let one = pair(Taken::sample(), Taken { time_s: one_s, ..Taken::sample() });
            is_too_small_for(&[&[one]], threads)
        };
        assert_eq!([of(0.041, 64), of(1.4, 64), of(0.041, 2), of(0.001, 1)], [true, false, false, false]);
        assert!(!is_too_small_for(&[], 64), "what is not compared");
    }
}
