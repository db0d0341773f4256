//! Bars of the timeline: few enough for a browser, and short to write.

use std::fmt::Write;

use crate::machine::{Activity, Span};
use crate::table::markup::Html;

/// Draws bars that share a colour and a title as one path: a file of them is a tenth of one of rectangles.
pub fn write_bars(html: &mut Html, class: &str, middle: usize, bars: &[(u64, u64)], title: &str) {
    let (mut path, mut at) = (String::new(), 0);
    for (from, to) in bars.iter().filter(|(from, to)| from < to) {
        match path.is_empty() {
            true => _ = write!(path, "M{from} {middle}h{}", to - from),
            false => _ = write!(path, "m{} 0h{}", from - at, to - from),
        }
        at = *to;
    }
    if !path.is_empty() {
        html.within("path", &[("class", class), ("d", &path)], |html| html.element("title", &[], title));
    }
}

/// Intervals of which none is shorter than this, but at the edges of longer ones, and the number of those that were
/// merged. A run of short ones is one interval of the activity that took most of its time.
pub fn merged(spans: &[Span], shortest: u64) -> (Vec<Span>, usize) {
    let mut bars: Vec<Span> = Vec::new();
    let mut count = 0;
    let mut run: &[Span] = &[];
    let mut begin = 0;
    let mut add = |run: &[Span]| {
        let ([first, ..], [.., last]) = (run, run) else { return };
        // Of equal ones the first.
        let most = Activity::ALL.iter().rev().max_by_key(|activity| time_in(run, **activity));
        let activity = most.copied().unwrap_or(first.activity);
        count += if run.len() > 1 { run.len() } else { 0 };
        match bars.last_mut() {
            Some(bar) if bar.activity == activity && bar.to == first.from => bar.to = last.to,
            _ => bars.push(Span { activity, from: first.from, to: last.to }),
        }
    };
    for (i, span) in spans.iter().enumerate() {
        if span.to - span.from >= shortest {
            add(run);
            add(std::slice::from_ref(span));
            (run, begin) = (&[], i + 1);
            continue;
        }
        run = &spans[begin..=i];
        if span.to - run[0].from >= shortest {
            add(run);
            (run, begin) = (&[], i + 1);
        }
    }
    add(run);
    (bars, count)
}

/// Time that intervals of this activity take together.
pub fn time_in(spans: &[Span], activity: Activity) -> u64 {
    spans.iter().filter(|span| span.activity == activity).map(|span| span.to - span.from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(activity: Activity, from: u64, to: u64) -> Span {
        Span { activity, from, to }
    }

    #[test]
    fn short_intervals_become_one_of_what_took_most_of_their_time() {
        use Activity::{Idle, Lock, Search};
        let spans =
            [span(Search, 0, 10), span(Lock, 10, 11), span(Idle, 11, 13), span(Search, 13, 23), span(Lock, 23, 24)];
        assert_eq!(merged(&spans, 0), (spans.to_vec(), 0));
        let expected = vec![span(Search, 0, 10), span(Idle, 10, 13), span(Search, 13, 23), span(Lock, 23, 24)];
        assert_eq!(merged(&spans, 5), (expected, 2));
        assert_eq!(merged(&spans, 100), (vec![span(Search, 0, 24)], 5));
    }
}
