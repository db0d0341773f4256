//! The trace of one search as a page that needs nothing else: a row for each processor, coloured by what it did, and
//! below each its parts in shared nodes. The picture is whole without the script, which zooms and pans. So that a long
//! search fits into a browser, what is too short for the picture is drawn together, and the page says so.

mod bars;
mod tree;

use crate::lab::Measurement;
use crate::machine::{Activity, Span};
use crate::record::{Cell, MachineKind};
use crate::report::page::write_head;
use crate::search::{End, Expected, Iteration, Job, Outcome, Role, Trace};
use crate::table::markup::Html;
use crate::table::number::{self, counted, fixed};
use bars::{merged, time_in, write_bars};
pub use tree::Tree;

/// Style of the timeline, beside that of all pages.
const STYLE: &str = include_str!("timeline.css");
/// Script that zooms and pans.
const SCRIPT: &str = include_str!("timeline.js");
/// Largest size of a page in bytes.
const MOST_BYTES: usize = 1_900_000;
/// Width of the whole time in units of the picture, each of which is a whole number in the file.
const WIDTH: u64 = 1_000_000;
/// Activities with a colour: what is not accounted for has none.
const SHOWN: [Activity; 5] = [Activity::Search, Activity::Split, Activity::Lock, Activity::Idle, Activity::Wait];
/// Outcomes of parts in shared nodes, with the names of their colours.
const OUTCOMES: [(End, &str); 3] = [(End::Done, "done"), (End::Cut, "cut"), (End::Stopped, "stopped")];
/// Height of a row in pixels, and the middles of its bars.
const ROW: usize = 24;
const ACTIVITY_AT: usize = 9;
const PART_AT: usize = 19;
/// Size of the picture and of the margins at the left and at the top, in pixels.
const PICTURE: usize = 1200;
const LEFT: usize = 108;
const TOP: usize = 20;
/// Number of intervals of the axis.
const INTERVALS: usize = 6;

/// Moment at which the search began, from which its iterations are timed: before it, processors start.
pub fn begin(outcome: &Outcome) -> u64 {
    let known = outcome.spans.iter().flatten().filter(|span| span.activity != Activity::Other);
    known.map(|span| span.from).min().unwrap_or(0)
}

/// Name of an expected type.
pub fn name_of(expected: Expected) -> &'static str {
    match expected {
        Expected::Pv => "PV",
        Expected::Cut => "CUT",
        Expected::All => "ALL",
    }
}

/// A search that was traced, with its tree if that is small.
pub struct Traced<'a> {
    pub cell: &'a Cell,
    pub measurement: &'a Measurement,
    pub tree: Option<&'a Tree>,
}

/// The page of searches of one position, all on the same scale of time. Of several, by other numbers of processors, one
/// is seen at a time.
pub fn page(searches: &[Traced<'_>]) -> String {
    let own_time = |outcome: &Outcome| {
        let end = outcome.spans.iter().filter_map(|spans| spans.last()).map(|span| span.to).max();
        end.unwrap_or(0).saturating_sub(begin(outcome)).max(1)
    };
    let time = searches.iter().map(|one| own_time(&one.measurement.outcome)).max().unwrap_or(1);
    let one_ns =
        searches.iter().find(|one| one.cell.configuration.threads == 1).map(|one| one.measurement.measured.time_ns);
    // Of several, each says how much faster it is than that on one processor.
    let speedup = |one: &Traced<'_>| {
        let times = one_ns? as f64 / one.measurement.measured.time_ns as f64;
        (one.cell.configuration.threads > 1)
            .then(|| format!(" · {} times as fast as on one processor", fixed(times, 2)))
    };
    let parts = searches.iter().map(|one| {
        let outcome = &one.measurement.outcome;
        Timeline {
            processors: one.cell.configuration.threads,
            about: about(one.cell, one.measurement) + &speedup(one).unwrap_or_default(),
            machine: one.cell.configuration.machine,
            spans: &outcome.spans,
            traces: &outcome.traces,
            iterations: &outcome.answer.iterations,
            begin: begin(outcome),
            own_time: own_time(outcome),
            time,
            tree: one.tree,
        }
    });
    let position = searches.first().map_or("", |one| &one.cell.position);
    whole(position, &parts.collect::<Vec<_>>())
}

/// The page with these timelines.
fn whole(position: &str, parts: &[Timeline<'_>]) -> String {
    let title = format!("Timeline of {position}");
    let mut html = Html::new();
    html.markup("<!DOCTYPE html>\n");
    html.within("html", &[("lang", "en-GB")], |html| {
        html.within("head", &[], |html| {
            write_head(html, &title, SCRIPT);
            html.within("style", &[], |html| html.markup(STYLE));
        });
        html.within("body", &[], |html| {
            html.within("main", &[], |html| {
                html.element("h1", &[], &title);
                if parts.len() > 1 {
                    write_slider_of_processors(html, parts);
                }
                for part in parts {
                    let size = MOST_BYTES / parts.len();
                    html.within("section", &[], |html| html.add(&part.smallest(size)));
                }
            });
            html.within("script", &[], |html| html.markup(SCRIPT));
        });
    });
    html.into_string()
}

/// Writes the slider by which one of the timelines is chosen.
fn write_slider_of_processors(html: &mut Html, parts: &[Timeline<'_>]) {
    let last = (parts.len() - 1).to_string();
    let names: Vec<String> = parts.iter().map(|part| part.processors.to_string()).collect();
    html.within("p", &[("class", "keys")], |html| {
        html.within("label", &[("for", "processors")], |html| html.text("processors:"));
        let attributes = [("type", "range"), ("id", "processors"), ("min", "0"), ("max", &last), ("value", &last)];
        html.void("input", &[&attributes[..], &[("data-names", &names.join(" "))]].concat());
        html.within("output", &[("id", "shown")], |html| html.text(&names[names.len() - 1]));
        html.text("All have the same scale of time.");
    });
}

/// Header of the page: what was searched, how, and what came out.
fn about(cell: &Cell, measurement: &Measurement) -> String {
    let configuration = &cell.configuration;
    let (machine, measured) = (configuration.machine, &measurement.measured);
    let costs = configuration.costs.as_ref().map_or_else(String::new, |costs| format!(" ({costs})"));
    let parts = [
        cell.fen.to_string(),
        format!("{}, depth {}", configuration.features, measured.depth),
        configuration.strategy.to_string(),
        format!("{}, {} machine{costs}", counted(configuration.threads, "processor", "processors"), machine.name()),
        format!("{} {}", number::figure(measured.time_ns as f64 * 1e-9), machine.seconds()),
        counted(measured.nodes, "node", "nodes"),
        measurement.san.clone().unwrap_or_else(|| "no move".to_owned()),
    ];
    parts.join(" · ")
}

/// Timeline of one search, as a part of the page.
struct Timeline<'a> {
    processors: u32,
    about: String,
    machine: MachineKind,
    spans: &'a [Vec<Span>],
    traces: &'a [Trace],
    iterations: &'a [Iteration],
    /// Moment at which the search began, in nanoseconds of the run.
    begin: u64,
    /// Time from then to the end of the search in nanoseconds.
    own_time: u64,
    /// Time from then to the end of the picture in nanoseconds.
    time: u64,
    /// The tree of the last iteration, if it is shown.
    tree: Option<&'a Tree>,
}

/// Number of things that a picture does not show one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Left {
    merged: usize,
    dropped: usize,
}

impl Timeline<'_> {
    /// The finest part of the page that has not more than so many bytes.
    fn smallest(&self, most: usize) -> Html {
        let mut shortest = self.time / WIDTH;
        loop {
            let part = self.part_from(shortest);
            let bytes = part.bytes();
            if bytes <= most || shortest >= self.time {
                return part;
            }
            shortest = (shortest * (bytes / most) as u64).max(shortest * 3 / 2 + 1);
        }
    }

    /// The part in which nothing shorter than this number of nanoseconds stands by itself.
    fn part_from(&self, shortest: u64) -> Html {
        let mut left = Left::default();
        let mut picture = Html::new();
        self.write_picture(&mut picture, shortest, &mut left);
        let mut html = Html::new();
        html.element("p", &[("class", "asked")], &self.about);
        self.write_legend(&mut html);
        html.within("div", &[("class", "picture")], |html| html.add(&picture));
        self.notes(shortest, left).iter().for_each(|note| html.element("p", &[("class", "note")], note));
        if let Some(tree) = self.tree {
            tree.write(&mut html);
        }
        html
    }

    /// Colours with what they stand for, and the share of each activity in the time of all processors.
    fn write_legend(&self, html: &mut Html) {
        let key = |html: &mut Html, class: &str, words: &str| {
            html.within("span", &[], |html| {
                html.within("i", &[("class", class)], |_| {});
                html.text(words);
            });
        };
        let whole = self.own_time as f64 * self.spans.len() as f64;
        html.within("div", &[("class", "keys")], |html| {
            for activity in SHOWN {
                let time: u64 = self.spans.iter().map(|spans| time_in(spans, activity)).sum();
                let share = number::percent(time as f64 / whole);
                let what = match activity {
                    Activity::Idle => "idle (nothing to do)",
                    Activity::Wait => "wait (an owner for its helpers)",
                    other => other.name(),
                };
                key(html, activity.name(), &format!("{what}: {share}"));
            }
            html.text("parts in shared nodes, with a line from the owner to each helper:");
            OUTCOMES.iter().for_each(|(end, class)| key(html, class, end.name()));
        });
    }

    fn write_picture(&self, html: &mut Html, shortest: u64, left: &mut Left) {
        let rows = self.spans.len() + 1;
        let (height, width) = (rows * ROW, PICTURE - LEFT);
        let size = format!("0 0 {} {}", PICTURE + 24, height + TOP + 8);
        html.within("svg", &[("viewBox", &size), ("role", "img"), ("aria-label", "timeline of processors")], |html| {
            let (per_unit, unit) = unit_of(self.time);
            let unit = if self.machine == MachineKind::Virtual { format!("virtual {unit}") } else { unit.to_owned() };
            let time = self.time as f64 / per_unit;
            html.within("g", &[("class", "plot")], |html| {
                let (x, y, w, h) = (LEFT.to_string(), TOP.to_string(), width.to_string(), height.to_string());
                let place = [("x", x.as_str()), ("y", &y), ("width", &w), ("height", &h)];
                html.within("rect", &[&[("class", "area")], &place[..]].concat(), |_| {});
                self.write_axis(html, time, &unit, height);
                let (view, time) = (format!("0 0 {WIDTH} {height}"), time.to_string());
                let attributes =
                    [("class", "bars"), ("viewBox", &view), ("preserveAspectRatio", "none"), ("data-time", &time)];
                html.within("svg", &[&attributes, &place[..]].concat(), |html| {
                    self.write_iterations(html);
                    for (id, (spans, trace)) in self.spans.iter().zip(self.traces).enumerate() {
                        let place = format!("translate(0 {})", (id + 1) * ROW);
                        html.within("g", &[("class", "row"), ("transform", &place)], |html| {
                            left.merged += self.write_activities(html, id, spans, shortest);
                            left.dropped += self.write_parts(html, id, &trace.jobs, shortest);
                        });
                    }
                    self.write_arrows(html, shortest);
                });
            });
            let names = (0..self.spans.len()).map(|id| format!("P{id}"));
            for (row, name) in ["iterations".to_owned()].into_iter().chain(names).enumerate() {
                let (x, y) = ((LEFT - 8).to_string(), (TOP + row * ROW + ACTIVITY_AT + 4).to_string());
                html.element("text", &[("x", &x), ("y", &y), ("text-anchor", "end")], &name);
            }
        });
    }

    /// Marks at equal distances, whose times the script changes with what is seen.
    fn write_axis(&self, html: &mut Html, time: f64, unit: &str, height: usize) {
        let tick = |i: usize| LEFT as f64 + (PICTURE - LEFT) as f64 * i as f64 / INTERVALS as f64;
        let middle = (TOP - 6).to_string();
        html.within("g", &[("class", "axis")], |html| {
            for i in 0..=INTERVALS {
                let (x, top, end) = (tick(i).to_string(), TOP.to_string(), (TOP + height).to_string());
                html.within("line", &[("x1", &x), ("x2", &x), ("y1", &top), ("y2", &end)], |_| {});
                let shown = format!("{:.1}", time * i as f64 / INTERVALS as f64);
                html.element("text", &[("x", &x), ("y", &middle), ("text-anchor", "middle")], &shown);
            }
        });
        html.element("text", &[("x", "0"), ("y", &middle)], unit);
    }

    fn write_iterations(&self, html: &mut Html) {
        let mut from = self.begin;
        for (i, iteration) in self.iterations.iter().enumerate() {
            let best = iteration.line.first().map_or_else(String::new, |mv| format!(", {mv}"));
            let (depth, score) = (iteration.depth, iteration.score);
            let nodes = counted(iteration.nodes, "node", "nodes");
            let title = format!("depth {depth}{best}, score {score}, {nodes} so far");
            let class = if i % 2 == 0 { "iteration" } else { "iteration other" };
            write_bars(html, class, ACTIVITY_AT, &[self.units(from, self.begin + iteration.nanoseconds)], &title);
            from = self.begin + iteration.nanoseconds;
        }
    }

    /// Draws what a processor did, a path for each activity. Returns the number of intervals that were merged.
    fn write_activities(&self, html: &mut Html, id: usize, spans: &[Span], shortest: u64) -> usize {
        let (bars, merged) = merged(spans, shortest);
        for activity in SHOWN {
            let own: Vec<(u64, u64)> =
                bars.iter().filter(|bar| bar.activity == activity).map(|bar| self.units(bar.from, bar.to)).collect();
            let share = number::percent(time_in(spans, activity) as f64 / self.own_time as f64);
            let title = format!("P{id}, {}: {share} of its time", activity.name());
            write_bars(html, activity.name(), ACTIVITY_AT, &own, &title);
        }
        merged
    }

    /// Draws a processor's parts in shared nodes, those within others above them. Returns the number of those that are
    /// too short to be drawn.
    fn write_parts(&self, html: &mut Html, id: usize, jobs: &[Job], shortest: u64) -> usize {
        let mut drawn: Vec<&Job> = jobs.iter().filter(|job| job.to - job.from >= shortest).collect();
        drawn.sort_by_key(|job| (job.from, std::cmp::Reverse(job.to)));
        for job in &drawn {
            let class = OUTCOMES.iter().find(|(end, _)| *end == job.end).map_or("", |(_, class)| class);
            let bar = [self.units(job.from, job.to)];
            write_bars(html, &format!("part {class}"), PART_AT, &bar, &words_of(job, id));
        }
        jobs.len() - drawn.len()
    }

    /// Draws a line from the owner of each node, when it was shared, to each helper, when it came.
    fn write_arrows(&self, html: &mut Html, shortest: u64) {
        let jobs = (0..).zip(self.traces).flat_map(|(id, trace)| trace.jobs.iter().map(move |job| (id, job)));
        let drawn = jobs.filter(|(_, job)| job.role == Role::Help && job.to - job.from >= shortest);
        for (id, job) in drawn.filter(|(_, job)| job.owner < self.spans.len()) {
            let (shared, came) = self.units(job.shared, job.from);
            let [from, to]: [usize; 2] = [job.owner, id].map(|row| (row + 1) * ROW + PART_AT);
            let way = format!("M{shared} {from}L{came} {to}");
            html.within("path", &[("class", "arrow"), ("d", &way)], |html| {
                html.element("title", &[], &words_of(job, id));
            });
        }
    }

    fn notes(&self, shortest: u64, left: Left) -> Vec<String> {
        let short = duration(shortest);
        let help = "The wheel over the bars or + and - zoom, dragging or the arrow keys pan, a double click or 0 shows \
                    all; pointing at a bar shows what it is.";
        let merged = format!(
            "{} shorter than {short} are drawn together, in the colour of what took most of their time.",
            counted(left.merged as u64, "interval", "intervals")
        );
        let dropped = format!(
            "{} in shared nodes, shorter than {short}, are not drawn.",
            counted(left.dropped as u64, "part", "parts")
        );
        let all = [(true, help.to_owned()), (left.merged > 0, merged), (left.dropped > 0, dropped)];
        all.into_iter().filter_map(|(is_so, note)| is_so.then_some(note)).collect()
    }

    /// Beginning and end in units of the picture.
    fn units(&self, from: u64, to: u64) -> (u64, u64) {
        let unit = |at: u64| (at.saturating_sub(self.begin) as f64 / self.time as f64 * WIDTH as f64).round() as u64;
        (unit(from), unit(to))
    }
}

/// Part that a processor had in a shared node, in words: `P2 helps P0`.
fn words_of(job: &Job, id: usize) -> String {
    let role = match job.role {
        Role::Own => format!("P{id} shares a node"),
        Role::Help => format!("P{id} helps P{}", job.owner),
        Role::Search => format!("P{id} takes moves of its own node"),
    };
    let (ply, draft, nodes) = (job.ply, job.plies, counted(job.nodes, "node", "nodes"));
    format!(
        "{role}: ply {ply}, draft {draft}, {} expected; {}, {nodes}, {}",
        name_of(job.expected),
        job.end.name(),
        duration(job.to - job.from)
    )
}

/// Unit for times up to this one, in nanoseconds, with its name.
fn unit_of(nanoseconds: u64) -> (f64, &'static str) {
    match nanoseconds {
        1_000_000_000.. => (1e9, "s"),
        1_000_000.. => (1e6, "ms"),
        _ => (1e3, "µs"),
    }
}

fn duration(nanoseconds: u64) -> String {
    let (per_unit, unit) = unit_of(nanoseconds);
    format!("{} {unit}", number::figure(nanoseconds as f64 / per_unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Expected;

    #[test]
    fn a_page_of_a_long_search_is_small_and_says_what_was_merged() {
        let spans: Vec<Span> = (0..150_000)
            .map(|i| Span {
                activity: if i % 2 == 0 { Activity::Search } else { Activity::Split },
                from: i * 1000,
                to: (i + 1) * 1000,
            })
            .collect();
        let job = |i: u64| Job {
            role: Role::Own,
            from: i * 1000,
            to: (i + 1) * 1000,
            owner: 0,
            shared: i * 1000,
            ply: 1,
            plies: 4,
            expected: Expected::Cut,
            nodes: 9,
            end: End::Cut,
        };
        let trace = Trace { jobs: (0..150_000).map(job).collect(), ..Trace::default() };
        let timeline = |count: usize| {
            let spans = [spans[..count].to_vec()];
            let jobs = trace.jobs[..count].to_vec();
            let part = Timeline {
                processors: 1,
                about: String::new(),
                machine: MachineKind::Virtual,
                spans: &spans,
                traces: &[Trace { jobs, ..Trace::default() }],
                iterations: &[],
                begin: 0,
                own_time: count as u64 * 1000,
                time: count as u64 * 1000,
                tree: None,
            };
            whole("<b>", &[part])
        };
        let (short, long) = (timeline(100), timeline(150_000));
        assert!(!short.contains("drawn together") && short.contains("&lt;b&gt;"));
        assert_eq!(short.matches("ply 1, draft 4, CUT expected; cut, 9 nodes, 1.00 µs").count(), 100);
        assert!(long.len() < 2_000_000, "{}", long.len());
        assert!(long.contains("150\u{202f}000 intervals shorter than") && long.contains("are not drawn"));
    }
}
