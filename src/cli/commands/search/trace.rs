//! The trace of one search in the format of Chrome's trace viewer, which Perfetto reads too: what each processor was
//! doing, its parts in shared nodes with arrows from owners to helpers, cutoffs and stops, and the iterations of the
//! search. Names are few, so that viewers can add up what belongs together; all else stands in the arguments.

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::timeline::{self, Traced, Tree, begin, name_of};
use crate::commands::error::CliError;
use crate::lab::Measurement;
use crate::machine::Activity;
use crate::record::Cell;
use crate::search::{Job, Moment, Outcome, Role};

/// Tracks are grouped by what they show.
const ACTIVITIES: u32 = 1;
const NODES: u32 = 2;
const ITERATIONS: u32 = 3;

/// Event of the format, of which `ph` says what kind it is. Viewers count in microseconds.
#[derive(Serialize)]
struct Event {
    ph: &'static str,
    name: &'static str,
    pid: u32,
    tid: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(flatten)]
    more: Value,
    /// Nanoseconds from which `ts` and `dur` are made.
    #[serde(skip)]
    span: (u64, u64),
}

impl Event {
    fn new(ph: &'static str, name: &'static str, (pid, tid): (u32, usize), at: u64, more: Value) -> Self {
        Self { ph, name, pid, tid, ts: Some(microseconds(at)), dur: None, more, span: (at, at) }
    }

    /// Event with a beginning and an end.
    fn slice(name: &'static str, track: (u32, usize), (from, to): (u64, u64), args: Value) -> Self {
        let dur = Some(microseconds(to - from));
        Self { dur, span: (from, to), ..Self::new("X", name, track, from, json!({ "args": args })) }
    }

    /// Event without a duration.
    fn instant(name: &'static str, track: (u32, usize), at: u64, args: Value) -> Self {
        Self::new("i", name, track, at, json!({ "s": "t", "args": args }))
    }

    /// Name of a track or of a group of tracks.
    fn label(what: &'static str, (pid, tid): (u32, usize), name: &str) -> Self {
        Self { ts: None, ..Self::new("M", what, (pid, tid), 0, json!({ "args": { "name": name } })) }
    }
}

fn microseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e3
}

/// Makes sure, before a long search, that the trace can be written.
pub fn prepare(path: &Path) -> Result<(), CliError> {
    File::create(path).map(drop).map_err(|error| CliError::BadInput(message(path, &error)))
}

fn message(path: &Path, error: &io::Error) -> String {
    format!("cannot write the trace to {}: {error}", path.display())
}

/// Writes the trace of a search: as a page of its own if the file is one, with the tree if there is one, and for
/// viewers if not.
pub fn write(path: &Path, cell: &Cell, measurement: &Measurement, tree: Option<&Tree>) -> Result<(), CliError> {
    let (outcome, failed) = (&measurement.outcome, |error| CliError::Failed(message(path, &error)));
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html")) {
        return fs::write(path, timeline::page(&[Traced { cell, measurement, tree }])).map_err(failed);
    }
    let mut out = BufWriter::new(File::create(path).map_err(failed)?);
    (|| {
        writeln!(out, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        for (i, event) in events(outcome).iter().enumerate() {
            out.write_all(if i == 0 { b"" } else { b",\n" })?;
            serde_json::to_writer(&mut out, event)?;
        }
        writeln!(out, "\n]}}")?;
        out.flush()
    })()
    .map_err(failed)
}

/// All events: names of tracks, then what happened, in the order of time. Of slices that begin at once the longer one
/// comes first, since it encloses the other; arrows come after the slices that they belong to.
fn events(outcome: &Outcome) -> Vec<Event> {
    let (mut events, mut arrows) = (Vec::new(), 0);
    for (id, spans) in outcome.spans.iter().enumerate() {
        // What is not accounted for is no activity.
        let known = spans.iter().filter(|span| span.activity != Activity::Other);
        let slice = |name, span| Event::slice(name, (ACTIVITIES, id), span, json!({}));
        events.extend(known.map(|span| slice(span.activity.name(), (span.from, span.to))));
    }
    for (id, trace) in outcome.traces.iter().enumerate() {
        trace.jobs.iter().for_each(|job| show_job(job, id, &mut arrows, &mut events));
        events.extend(trace.moments.iter().map(|moment| show_moment(moment, id)));
    }
    let begin = begin(outcome);
    let mut from = begin;
    for iteration in &outcome.answer.iterations {
        let args = json!({
            "depth": iteration.depth, "score": iteration.score.0, "nodes": iteration.nodes,
            "move": iteration.line.first().map(ToString::to_string), "failed_window": iteration.failed_window,
        });
        events.push(Event::slice("iteration", (ITERATIONS, 0), (from, begin + iteration.nanoseconds), args));
        from = begin + iteration.nanoseconds;
    }
    events.sort_by_key(|event| (event.span.0, Reverse(event.span.1)));
    labels(outcome.workers.len()).chain(events).collect()
}

fn labels(workers: usize) -> impl Iterator<Item = Event> {
    let groups = [(ACTIVITIES, "what each processor does"), (NODES, "shared nodes"), (ITERATIONS, "iterations")];
    let groups = groups.into_iter().map(|(pid, name)| Event::label("process_name", (pid, 0), name));
    let track = |id| [ACTIVITIES, NODES].map(|pid| Event::label("thread_name", (pid, id), &format!("P{id}")));
    groups.chain((0..workers).flat_map(track))
}

/// Shows a worker's part in a shared node, and an arrow to it from the owner if the worker is a helper.
fn show_job(job: &Job, id: usize, arrows: &mut u64, events: &mut Vec<Event>) {
    let args = json!({
        "owner": job.owner, "ply": job.ply, "draft": job.plies, "expected": name_of(job.expected),
        "nodes": job.nodes, "outcome": job.end.name(),
    });
    events.push(Event::slice(job.role.name(), (NODES, id), (job.from, job.to), args));
    if job.role == Role::Help {
        *arrows += 1;
        let arrow =
            |ph, id, at| Event::new(ph, "help", (NODES, id), at, json!({ "cat": "help", "id": *arrows, "bp": "e" }));
        events.push(arrow("s", job.owner, job.shared));
        events.push(arrow("f", id, job.from));
    }
}

fn show_moment(moment: &Moment, id: usize) -> Event {
    match *moment {
        Moment::Cutoff { at, ply } => Event::instant("cutoff", (NODES, id), at, json!({ "ply": ply })),
        Moment::Stop { at, since } => {
            Event::instant("stop", (NODES, id), at, json!({ "late_by_ns": at.saturating_sub(since) }))
        }
    }
}
