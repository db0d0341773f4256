//! Things each once, in the order in which they first come.

/// The items without those that have come before. It compares each with all: for lists of a few.
pub(crate) fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for item in items {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}

/// The first item that is it; if there is none, a new one is added.
pub(crate) fn found_or_added<T>(items: &mut Vec<T>, is_it: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    let place = items.iter().position(is_it).unwrap_or(items.len());
    if place == items.len() {
        items.push(new());
    }
    &mut items[place]
}
