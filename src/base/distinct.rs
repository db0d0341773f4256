//! Things each once, in the order in which they first come or by how often they come.

use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The items without those that have come before. It compares each with all: for lists of a few.
pub fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for item in items {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}

/// The first item that is it; if there is none, a new one is added.
pub fn found_or_added<T>(items: &mut Vec<T>, is_it: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    let place = items.iter().position(is_it).unwrap_or(items.len());
    if place == items.len() {
        items.push(new());
    }
    &mut items[place]
}

/// The items with how often they come: the most frequent first, of equals the smallest.
pub fn by_frequency<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    let mut counts: Vec<(T, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| Reverse(count));
    counts
}
