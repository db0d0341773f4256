//! The tree of a small search: which processor searched which node, and when. In lines for a terminal, and as a picture
//! through which a slider goes in time.

use std::io::{self, Write};

use super::{begin, duration, name_of};
use crate::commands::output::{self, Column};
use crate::engine::{Branch, Line, tree};
use crate::lab::Measurement;
use crate::search::SearchSettings;
use crate::table::markup::Html;
use crate::table::number::counted;

/// Colours of processors; with more of them, some have the same.
const COLOURS: usize = 8;
/// Distance of neighbours, and of a ply from the next, in pixels.
const ACROSS: usize = 15;
const DOWN: usize = 52;
/// Size of a node.
const RADIUS: usize = 5;
/// Widest picture of a tree: more nodes side by side nobody tells apart.
const WIDEST: usize = 24_000;

/// The last iteration of a search as a tree.
pub struct Tree {
    branches: Vec<Branch>,
    /// Places of the nodes below each.
    below: Vec<Vec<usize>>,
    /// Moment at which the iteration began.
    begin: u64,
    /// Moment at which the search ended.
    end: u64,
}

impl Tree {
    /// The tree of a search that has noted its visits. Nothing if it has noted none, or too many.
    pub fn of(measurement: &Measurement, line: Line<'_>, settings: &SearchSettings) -> Option<Self> {
        let outcome = &measurement.outcome;
        let iterations = &outcome.answer.iterations;
        let before = iterations.len().checked_sub(2).map_or(0, |place| iterations[place].nanoseconds);
        let begin = begin(outcome) + before;
        let branches = tree(line, settings, outcome, begin)?;
        // Without visits there are roots alone.
        let end = branches.iter().filter_map(|branch| branch.visit.to).max()?;
        let mut below = vec![Vec::new(); branches.len()];
        for (place, branch) in branches.iter().enumerate() {
            if let Some(above) = branch.above {
                below[above].push(place);
            }
        }
        Some(Self { branches, below, begin, end })
    }

    /// Nodes of the tree.
    pub fn len(&self) -> usize {
        self.branches.len()
    }

    /// Nodes without one above.
    fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.branches.len()).filter(|&place| self.branches[place].above.is_none())
    }

    /// Worker from which another one took the node, if one did.
    fn taken_from(&self, place: usize) -> Option<usize> {
        let branch = &self.branches[place];
        branch.above.map(|above| self.branches[above].worker).filter(|above| *above != branch.worker)
    }

    fn ended(&self, place: usize) -> u64 {
        self.branches[place].visit.to.unwrap_or(self.end)
    }

    /// A node in words, without its times.
    fn words(&self, place: usize) -> String {
        let Branch { by, visit, .. } = &self.branches[place];
        let stopped = if visit.has_result { "" } else { ", stopped" };
        format!("{by}  {} {}{stopped}", name_of(visit.expected), visit.plies)
    }

    /// Prints the nodes down to this ply, each below the one above it, in the order in which they were entered.
    pub fn print(&self, out: &mut impl Write, plies: usize) -> io::Result<()> {
        let columns = [
            Column::number("from µs", 9),
            Column::number("to µs", 9),
            Column::text("by", 4),
            Column::text("from", 5),
            Column::text("node, its expected type, and its depth", 0),
        ];
        writeln!(out, "{}", output::headings(&columns))?;
        let mut left: Vec<usize> = self.roots().collect();
        left.reverse();
        let mut hidden = 0;
        while let Some(place) = left.pop() {
            let Branch { worker, visit, .. } = &self.branches[place];
            if visit.ply > plies {
                hidden += 1;
            } else {
                let time = |at: u64| format!("{:.1}", at.saturating_sub(self.begin) as f64 / 1e3);
                let taken = self.taken_from(place).map_or_else(String::new, |from| format!("< P{from}"));
                let words = "  ".repeat(visit.ply) + &self.words(place);
                let entries = [time(visit.from), time(self.ended(place)), format!("P{worker}"), taken, words];
                writeln!(out, "{}", output::row(&columns, &entries))?;
            }
            left.extend(self.below[place].iter().rev());
        }
        if hidden > 0 {
            writeln!(out, "{} further below", counted(hidden, "node", "nodes"))?;
        }
        Ok(())
    }

    /// Writes the picture with its slider.
    pub fn write(&self, html: &mut Html) {
        let mut across = vec![0; self.branches.len()];
        let mut next = 0;
        self.roots().for_each(|root| self.place(root, &mut across, &mut next));
        let deepest = self.branches.iter().map(|branch| branch.visit.ply).max().unwrap_or(0);
        let (width, height) = (next * ACROSS + 2 * ACROSS, deepest * DOWN + 2 * DOWN / 2 + RADIUS);
        if width > WIDEST {
            return;
        }
        html.element("h2", &[], "Who searches which node, and when");
        html.element("p", &[("class", "note")], &self.reading());
        let last = (self.end - self.begin).to_string();
        // It stands at the first split, where the rings show one, and at the end of a tree without any.
        let taken = (0..self.branches.len()).filter(|&place| self.taken_from(place).is_some());
        let split = taken.map(|place| self.branches[place].visit.from).min().unwrap_or(self.end);
        let moment = split.saturating_sub(self.begin);
        html.within("p", &[("class", "keys")], |html| {
            html.within("label", &[], |html| {
                html.text("moment, from the beginning of the last iteration: ");
                let attributes = [
                    ("type", "range"),
                    ("class", "moment"),
                    ("min", "0"),
                    ("max", &last),
                    ("value", &moment.to_string()),
                ];
                html.void("input", &attributes);
            });
            html.within("output", &[("class", "at")], |html| html.text(&duration(moment)));
            let workers = self.branches.iter().map(|branch| branch.worker).max().unwrap_or(0);
            for worker in 0..=workers {
                html.within("span", &[], |html| {
                    html.within("i", &[("class", &format!("by{}", worker % COLOURS))], |_| {});
                    html.text(&format!("P{worker}"));
                });
            }
        });
        let (view, wide) = (format!("0 0 {width} {height}"), width.to_string());
        html.within("div", &[("class", "tree")], |html| {
            let attributes = [("viewBox", view.as_str()), ("width", &wide), ("role", "img"), ("aria-label", "tree")];
            html.within("svg", &attributes, |html| {
                let at = |place: usize| {
                    (ACROSS + across[place] * ACROSS / 2, DOWN / 2 + self.branches[place].visit.ply * DOWN)
                };
                for place in 0..self.branches.len() {
                    let Branch { above, worker, visit, .. } = &self.branches[place];
                    let (x, y) = at(place);
                    let [from, to] =
                        [visit.from, self.ended(place)].map(|at| (at.saturating_sub(self.begin)).to_string());
                    html.within("g", &[("data-from", &from), ("data-to", &to)], |html| {
                        if let Some(above) = above {
                            let (before, top) = at(*above);
                            let class = if self.taken_from(place).is_some() { "taken" } else { "" };
                            let way = format!("M{before} {top}L{x} {y}");
                            html.within("path", &[("d", &way), ("class", class)], |_| {});
                        }
                        let (cx, cy, r) = (x.to_string(), y.to_string(), RADIUS.to_string());
                        let class = format!("by{}", worker % COLOURS);
                        html.within("circle", &[("cx", &cx), ("cy", &cy), ("r", &r), ("class", &class)], |html| {
                            html.element("title", &[], &self.title(place));
                        });
                    });
                }
            });
        });
    }

    /// Places a node and all below it, in halves of the distance of neighbours.
    fn place(&self, place: usize, across: &mut [usize], next: &mut usize) {
        let below = &self.below[place];
        if below.is_empty() {
            across[place] = 2 * *next;
            *next += 1;
            return;
        }
        below.iter().for_each(|&child| self.place(child, across, next));
        across[place] = (across[below[0]] + across[below[below.len() - 1]]) / 2;
    }

    fn title(&self, place: usize) -> String {
        let Branch { worker, visit, .. } = &self.branches[place];
        let taken = self.taken_from(place).map_or_else(String::new, |from| format!(", below a node of P{from}"));
        let [from, to] = [visit.from, self.ended(place)].map(|at| duration(at.saturating_sub(self.begin)));
        format!("{}: P{worker}{taken}, {from} to {to}", self.words(place))
    }

    fn reading(&self) -> String {
        format!(
            "The last iteration, {}: a circle for each node that was searched to a depth of one ply or more and that \
             the table did not end, in the colour of the processor that searched it, and below it those after its \
             moves. A dashed line leads to a node that another processor has taken: that is a split, or a search of \
             the same node by several. Move the slider: a circle with a ring is being searched at that moment.",
            counted(self.len() as u64, "node", "nodes")
        )
    }
}
