//! Letters for what tests tell apart: two that share a letter are not shown to differ. Piepho, "An Algorithm for a
//! Letter-Based Representation of All-Pairwise Comparisons", Journal of Computational and Graphical Statistics 13, 2004
//! (insert and absorb).

use std::collections::BTreeSet;

/// Letters of this many things, in an order in which earlier ones have earlier letters. `differ` says whether two of
/// them are shown to differ.
pub fn letters(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let mut sets: Vec<BTreeSet<usize>> = vec![(0..count).collect()];
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    for (first, second) in pairs.filter(|&(first, second)| differ(first, second)) {
        let has_both = |set: &BTreeSet<usize>| set.contains(&first) && set.contains(&second);
        let (split, whole): (Vec<_>, Vec<_>) = sets.into_iter().partition(has_both);
        sets = whole;
        for set in split {
            for left_out in [second, first] {
                let part: BTreeSet<usize> = set.iter().copied().filter(|&one| one != left_out).collect();
                if !sets.iter().any(|other| part.is_subset(other)) {
                    sets.retain(|other| !other.is_subset(&part));
                    sets.push(part);
                }
            }
        }
    }
    sets.sort();
    // Beyond the alphabet letters repeat with a number: what is shown has few rows.
    let letter = |place: usize| {
        let letter = char::from(b'a' + (place % 26) as u8);
        if place < 26 { letter.to_string() } else { format!("{letter}{}", place / 26) }
    };
    let of_one = |one: usize| {
        let places = sets.iter().enumerate().filter(|(_, set)| set.contains(&one));
        places.map(|(place, _)| letter(place)).collect()
    };
    (0..count).map(of_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn letters_by_hand() {
        let of = |count, differing: &[(usize, usize)]| letters(count, |a, b| differing.contains(&(a, b)));
        assert_eq!(of(0, &[]), [""; 0]);
        assert_eq!(of(3, &[]), ["a", "a", "a"]);
        assert_eq!(of(3, &[(0, 1), (0, 2), (1, 2)]), ["a", "b", "c"]);
        // The first is told from the last only, the one between from neither.
        assert_eq!(of(3, &[(0, 2)]), ["a", "ab", "b"]);
        assert_eq!(of(4, &[(1, 3)]), ["ab", "a", "ab", "b"]);
    }

    /// Two share a letter just where they are not shown to differ.
    #[test]
    fn letters_say_what_tests_say() {
        let mut random = SplitMix::new(8);
        for count in 1..9 {
            for _ in 0..50 {
                let differing: Vec<bool> = (0..count * count).map(|_| random.normal() > 0.3).collect();
                let differ = |a: usize, b: usize| differing[a.min(b) * count + a.max(b)];
                let all = letters(count, differ);
                for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).filter(|(a, b)| a != b) {
                    let shares = all[a].chars().any(|letter| all[b].contains(letter));
                    assert_eq!(shares, !differ(a, b), "{all:?} {a} {b}");
                }
            }
        }
    }
}
