//! Published time speedups beside ours, with signed errors: a part of the question on what others published. A sentence
//! says by how much ours is higher or lower, and whether the published figure lies inside our interval; never that the
//! two agree.

use crate::Source;
use crate::analysis::{Analysis, Group, MeanError, Positions, PublishedPoint};
use crate::published::Mean;
use crate::record::MachineKind;
use crate::sentence::Sentence;
use crate::state::is_ruined;
use crate::statistics::Interval;
use crate::table::html;
use crate::table::markup::Html;
use crate::table::number::{counted, figure, interval, level, percent};
use crate::table::{Columns, Table, columns};

use super::{File, processors};

const TITLE: &str = "Published time speedups beside ours";

const READING: &str = "Error = ours / published − 1: above 0 ours is higher. Its interval is that of ours, since \
                       published figures have none. Arithmetic means over positions stand beside our arithmetic mean, \
                       ratios of sums beside ours, and all others beside our geometric mean. That a published figure \
                       lies inside our interval does not show that the two are equal. T1 is what one processor takes.";

/// Number of processors from which on points are told first: there are few published ones.
const MANY: u32 = 16;

/// Largest number of points that the sentence names.
const NAMED: usize = 3;

pub(super) const POINTS: File<Source> = File {
    name: "published-speedups.csv",
    rows: "One row per published time speedup and configuration of ours that shares its search by the same rule on as \
           many processors. There is no such file if there is none.",
    table: |source| columns(&source.analysis).table("", "", told(&source.analysis)),
};

pub(super) const MEANS: File<Source> = File {
    name: "published-errors.csv",
    rows: "One row per curve of ours and kind of positions: mean errors over all published time speedups beside it, \
           without those that were computed from others. There is no such file if there is none.",
    table: |source| mean_columns().table("", "", means(&source.analysis)),
};

/// Points of which there is a figure of ours that other programs did not ruin.
fn told(analysis: &Analysis) -> Vec<&PublishedPoint> {
    let is_ruined = is_ruined(analysis);
    let is_told = |point: &&PublishedPoint| {
        let is_real = analysis.groups[point.group].configuration.machine == MachineKind::Real;
        point.ours(analysis).is_some() && !(is_ruined && is_real)
    };
    analysis.published_points.iter().filter(is_told).collect()
}

/// By how much our speedups are higher or lower than those that were published for 16 processors and more, or else for
/// the largest number below; and the mean errors of all.
pub(super) fn sentence(analysis: &Analysis) -> Option<Sentence> {
    let points = told(analysis);
    let threads = |point: &PublishedPoint| point.published.processors;
    let most = points.iter().map(|point| threads(point)).max()?;
    let mut named: Vec<&PublishedPoint> = points.iter().copied().filter(|one| !one.published.is_derived()).collect();
    named.retain(|point| threads(point) >= most.min(MANY));
    named.sort_by_key(|point| (point.positions != Positions::Same, std::cmp::Reverse(threads(point))));
    let mut words: Vec<String> = named.iter().filter_map(|point| of_point(analysis, point)).collect();
    let more = words.len().saturating_sub(NAMED);
    words.truncate(NAMED);
    if more > 0 {
        words.push(counted(more, "other is in the table.", "others are in the table."));
    }
    let kinds = [
        ("on the same positions", [Positions::Same].as_slice()),
        ("on other positions, or on a part of them", [Positions::Part, Positions::Other].as_slice()),
    ];
    let means = kinds.into_iter().filter_map(|(kind, positions)| {
        let of_kind = points.iter().copied().filter(|point| positions.contains(&point.positions));
        // The mean of one is what has been said of it.
        MeanError::of(analysis, of_kind).filter(|error| error.points > 1).map(|error| of_means(kind, error))
    });
    words.extend(means);
    words.extend(of_sizes(analysis, &named));
    (!words.is_empty()).then(|| Sentence::stated(words.join(" "), &analysis.published_points))
}

/// `On 16 virtual processors, dts is 11.2 (10.6 to 11.9) times as fast as one, 1.2 % above the 11.1 that Hyatt 1994
/// published for DTS (arithmetic means), which our interval contains.`
fn of_point(analysis: &Analysis, point: &PublishedPoint) -> Option<String> {
    let group = &analysis.groups[point.group];
    let (ours, error) = (point.ours(analysis)?, point.error(analysis)?.estimate);
    let inside = match point.is_inside(analysis) {
        Some(true) => ", which our interval contains",
        Some(false) => ", which lies outside our interval",
        None => "",
    };
    let positions = match point.positions {
        Positions::Same => "",
        Positions::Part => " on more positions",
        Positions::Other => " on other positions",
    };
    let mean = match point.published.mean {
        Mean::Arithmetic => " (arithmetic means)",
        Mean::Sums => " (ratios of sums)",
        Mean::Geometric | Mean::Unstated => "",
    };
    Some(format!(
        "On {}, {} is {} times as fast as one, {} {} the {} that {} published for {}{positions}{mean}{inside}.",
        processors(&group.configuration),
        analysis.curves[point.curve].label,
        interval(&ours),
        percent(error.abs()),
        if error < 0.0 { "below" } else { "above" },
        // As it was printed, but for ratios of printed times.
        if point.published.mean == Mean::Sums { figure(point.value) } else { point.published.value.clone() },
        who(&point.published.source),
        point.published.algorithm,
    ))
}

/// Author of a publication, without where it was found.
fn who(source: &str) -> &str {
    source.split([',', '(']).next().unwrap_or(source).split(" via ").next().unwrap_or(source).trim()
}

/// `One processor of ours takes 2.05 s, a published one 2 752 s, where that is known.`
fn of_sizes(analysis: &Analysis, points: &[&PublishedPoint]) -> Option<String> {
    let ends = |sizes: Vec<f64>| {
        let (low, high) = (sizes.iter().copied().reduce(f64::min)?, sizes.iter().copied().reduce(f64::max)?);
        let [low, high] = [low, high].map(figure);
        Some(if low == high { low } else { format!("{low} to {high}") })
    };
    let t1_s = |point: &&PublishedPoint| Some(analysis.groups[point.group].t1_s()).filter(|t1_s| t1_s.is_finite());
    let ours = ends(points.iter().filter_map(t1_s).collect())?;
    let theirs = ends(points.iter().filter_map(|point| point.published.t1_s).collect());
    let theirs = theirs.map(|theirs| format!(", a published one {theirs} s, where that is known"));
    Some(format!("One processor of ours takes {ours} s{}.", theirs.unwrap_or_default()))
}

fn of_means(kind: &str, error: MeanError) -> String {
    let MeanError { points, inside, with_interval, signed, absolute } = error;
    let inside = match with_interval {
        0 => String::new(),
        all => format!("; inside our {} intervals: {inside} of {all}", level()),
    };
    format!(
        "Over {} {kind}, the mean error is {}{}, the mean absolute error {}{inside}.",
        counted(points, "published point", "published points"),
        if signed > 0.0 { "+" } else { "" },
        percent(signed),
        percent(absolute),
    )
}

/// All points, for readers.
pub(super) fn table(analysis: &Analysis) -> Table {
    columns(analysis).for_readers().table(TITLE, READING, told(analysis)).without_empty_columns()
}

pub(super) fn write_points(analysis: &Analysis, html: &mut Html) {
    let table = table(analysis);
    if !table.rows.is_empty() {
        html::write(&table, html);
    }
}

pub(super) fn write_means(analysis: &Analysis, html: &mut Html) {
    let caption = "Means over all published points beside a curve, each with the same weight.";
    let rows = means(analysis);
    if !rows.is_empty() {
        html::write(&mean_columns().table("Mean errors", caption, rows), html);
    }
}

impl Positions {
    fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Part => "part of them",
            Self::Other => "other",
        }
    }
}

fn columns<'a>(analysis: &'a Analysis) -> Columns<'a, &'a PublishedPoint> {
    let group = |point: &PublishedPoint| -> &'a Group { &analysis.groups[point.group] };
    columns! { &'a PublishedPoint, row;
        "source" as "Source": "publication" => row.published.source.clone();
        "engine" as "Engine" [optional]: "published program" => row.published.engine.clone();
        "algorithm" as "Algorithm": "published algorithm" => row.published.algorithm.clone();
        "positions" as "Positions": "our positions as against the published ones: same, part of them, or other" =>
            row.positions.name();
        "published_positions": "published positions" => row.published.positions.clone();
        "label" as "Ours": "our curve: what distinguishes it in this experiment" =>
            analysis.curves[row.curve].label.clone();
        "machine" as "Machine" [optional]: "real, or virtual: in simulated time" =>
            group(row).configuration.machine.name();
        "threads" as "Processors": "number of processors" => row.published.processors;
        "mean" as "Mean" [optional]: "published mean over positions; if it is not told, ours is geometric" =>
            row.published.mean.name();
        "published" as "Published": "time speedup that was published" => row.value;
        "ours" as "Time speedup" [with_ends]: "our time speedup, by the same mean over positions" => row.ours(analysis);
        "error" [with_ends]: "ours / published - 1, with the interval that follows from ours" => row.error(analysis);
        "error_pct" as "Error, %": "the same in hundredths" => row.error(analysis).map(hundredths);
        "inside" as "Inside": "whether our interval contains what was published" =>
            row.is_inside(analysis).map(|inside| if inside { "yes" } else { "no" });
        "averaged": "1 if the mean errors count it, 0 if it was computed from other published figures" =>
            u32::from(!row.published.is_derived());
        "t1_s" as "T1, s": "seconds that one processor of ours takes, geometric mean over positions" =>
            group(row).t1_s();
        "published_t1_s" as "Theirs, s" [optional]: "seconds that one published processor took, where that is known" =>
            row.published.t1_s;
    }
}

fn hundredths(Interval { estimate, low, high }: Interval) -> Interval {
    Interval { estimate: 100.0 * estimate, low: 100.0 * low, high: 100.0 * high }
}

/// Mean errors of a curve over its points of one kind.
struct CurveError<'a> {
    label: &'a str,
    positions: &'static str,
    error: MeanError,
}

/// Mean errors of each curve, first of its points on the same positions.
fn means(analysis: &Analysis) -> Vec<CurveError<'_>> {
    let points = told(analysis);
    let mut rows = Vec::new();
    for (place, curve) in analysis.curves.iter().enumerate() {
        for (positions, same) in [("same", true), ("part of them, or other", false)] {
            let of_kind = points.iter().copied().filter(|point| (point.positions == Positions::Same) == same);
            let of_curve = of_kind.filter(|point| point.curve == place);
            let error = MeanError::of(analysis, of_curve);
            rows.extend(error.map(|error| CurveError { label: &curve.label, positions, error }));
        }
    }
    rows
}

fn mean_columns<'a>() -> Columns<'a, CurveError<'a>> {
    columns! { CurveError<'_>, row;
        "label" as "Ours": "our curve: what distinguishes it in this experiment" => row.label;
        "positions" as "Positions": "our positions as against the published ones" => row.positions;
        "points" as "Points": "number of published points" => row.error.points;
        "inside" as "Inside": "number of those that our intervals contain" => row.error.inside;
        "with_interval" as "Of": "number of points at which ours has an interval" => row.error.with_interval;
        "mean_error" as "Mean error": "mean of ours / published - 1" => row.error.signed;
        "mean_absolute_error" as "Mean absolute error": "mean of the same without signs" => row.error.absolute;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::samples;
    use crate::published::{DTS_SUITE, Published};

    /// Curves of these strategies on 16 and 32 virtual processors, 1.02 times as fast by the arithmetic mean as by the
    /// geometric one, with intervals of 5 % of the estimate; one processor takes a second.
    fn analysis(strategies: &[&str], speedup: f64, suite: &str) -> Analysis {
        let mut analysis = samples::processors(&[1, 16, 32], strategies, samples::VIRTUAL);
        analysis.description.suite = Some(suite.to_owned());
        for against in analysis.groups.iter_mut().filter_map(|group| group.against_baseline.as_mut()) {
            against.time_speedup = Interval::around(speedup, 0.05 * speedup);
            against.t1_s = 1.0;
            against.mean_of_ratios = Interval::around(1.02 * speedup, 0.05 * speedup);
        }
        analysis.beside(&Published::load().unwrap())
    }

    fn said(strategies: &[&str], speedup: f64, suite: &str) -> Option<String> {
        sentence(&analysis(strategies, speedup, suite)).map(|sentence| sentence.to_string())
    }

    /// A mean of 24 printed speedups that was computed here is in the table and in no mean.
    #[test]
    fn errors_have_signs_and_say_what_contains_what() {
        let dts = analysis(&["dts"], 10.0, DTS_SUITE);
        let on = processors(&dts.groups[dts.published_points[0].group].configuration);
        assert_eq!(
            sentence(&dts).unwrap().to_string(),
            format!(
                "On {on}, dts is 10.2 (9.7 to 10.7) times as fast as one, 8.1 % below the 11.1 that Hyatt 1994 \
                 published for DTS (arithmetic means), which lies outside our interval. One processor of ours takes \
                 1.00 s, a published one 2\u{202f}752 s, where that is known."
            )
        );
        assert_eq!((told(&dts).len(), means(&dts).len()), (2, 1));
        let above = said(&["dts"], 11.0, DTS_SUITE).unwrap();
        assert!(above.contains("1.1 % above the 11.1") && above.contains("which our interval contains"), "{above}");
    }

    #[test]
    fn other_positions_are_told_apart() {
        let said = said(&["dts"], 10.0, "wac").unwrap();
        assert!(said.contains("for DTS on other positions (arithmetic means)"), "{said}");
        assert!(!said.contains("same"), "{said}");
    }

    #[test]
    fn the_most_processors_on_the_same_positions_come_first() {
        let said = said(&["abdada"], 10.0, DTS_SUITE).unwrap();
        let places =
            ["39.1 % below the 16.75", "6.3 % below the 10.88", "33.7 % below the 15.39"].map(|it| said.find(it));
        assert!(places.is_sorted() && places[0].is_some(), "{said}");
        assert!(said.contains("1 other is in the table."), "{said}");
        let means = [
            "Over 2 published points on the same positions, the mean error is −22.7 %",
            "Over 2 published points on other",
        ];
        assert!(means.iter().all(|mean| said.contains(mean)), "{said}");
    }

    /// Fewer than 16 processors are in the table and in the means, and of those only the largest number is spoken of,
    /// if there is no larger one.
    #[test]
    fn fewer_processors_are_told_where_there_are_no_more() {
        let of = |numbers: &[u32]| {
            let mut analysis = samples::processors(numbers, &["dts"], samples::VIRTUAL);
            analysis.description.suite = Some(DTS_SUITE.to_owned());
            let analysis = analysis.beside(&Published::load().unwrap());
            let threads: Vec<u32> = told(&analysis).iter().map(|point| point.published.processors).collect();
            (sentence(&analysis).unwrap().to_string(), threads)
        };
        let (many, threads) = of(&[1, 2, 8, 16]);
        assert!(many.starts_with("On 16 ") && !many.contains("On 8 ") && !many.contains("On 2 "), "{many}");
        assert!(threads.contains(&8) && threads.contains(&2), "{threads:?}");
        let (few, _) = of(&[1, 2, 8]);
        assert!(few.starts_with("On 8 ") && !few.contains("On 2 "), "{few}");
    }

    /// Of real searches that other programs ruined nothing is said, whatever was published.
    #[test]
    fn ruined_searches_have_no_error() {
        let mut analysis = samples::processors(&[1, 16], &["dts"], samples::REAL);
        analysis.description.suite = Some(DTS_SUITE.to_owned());
        let mut analysis = analysis.beside(&Published::load().unwrap());
        assert!(sentence(&analysis).is_some() && !table(&analysis).rows.is_empty());
        samples::disturb(&mut analysis);
        assert_eq!(sentence(&analysis), None);
        assert!(table(&analysis).rows.is_empty() && means(&analysis).is_empty());
    }

    #[test]
    fn a_rule_that_nobody_published_has_no_row() {
        assert_eq!(said(&["lazy", "ybwc", "teams"], 10.0, DTS_SUITE), None);
        assert!(table(&analysis(&["lazy"], 10.0, DTS_SUITE)).rows.is_empty());
    }
}
