//! The trace of one search in the format of Chrome's trace viewer, which Perfetto reads too: what each processor was
//! doing, at which shared nodes it was, and the iterations of those that thought.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::error::CliError;
use crate::machine::Activity;
use crate::search::{Expected, Outcome};

/// Tracks are grouped by what they show.
const ACTIVITIES: u32 = 1;
const NODES: u32 = 2;
const ITERATIONS: u32 = 3;

/// Makes sure, before a long search, that the trace can be written.
pub fn prepare(path: &Path) -> Result<(), CliError> {
    File::create(path).map(drop).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &io::Error) -> CliError {
    CliError::BadInput(format!("cannot write the trace to {}: {error}", path.display()))
}

/// Writes the trace of a search.
pub fn write(path: &Path, outcome: &Outcome) -> Result<(), CliError> {
    let failed = |error| failed(path, &error);
    let mut out = BufWriter::new(File::create(path).map_err(failed)?);
    (|| {
        writeln!(out, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        for (i, event) in events(outcome).enumerate() {
            let comma = if i == 0 { "" } else { ",\n" };
            write!(out, "{comma}{event}")?;
        }
        writeln!(out, "\n]}}")?;
        out.flush()
    })()
    .map_err(failed)
}

fn events(outcome: &Outcome) -> impl Iterator<Item = Value> + '_ {
    let groups = [(ACTIVITIES, "what each processor does"), (NODES, "shared nodes"), (ITERATIONS, "iterations")];
    let names = groups.into_iter().map(|(pid, name)| named("process_name", pid, 0, name));
    let workers = 0..outcome.workers.len();
    let tracks = workers.flat_map(|id| [ACTIVITIES, NODES].map(|pid| named("thread_name", pid, id, &format!("P{id}"))));
    let activities = outcome.spans.iter().enumerate().flat_map(|(id, spans)| {
        // What is not accounted for is no activity.
        let known = spans.iter().filter(|span| span.activity != Activity::Other);
        known.map(move |span| slice(ACTIVITIES, id, span.activity.name(), (span.from, span.to), json!({})))
    });
    let jobs = outcome.jobs.iter().enumerate().flat_map(|(id, jobs)| {
        jobs.iter().map(move |job| {
            let kind = match job.expected {
                Expected::Pv => "PV",
                Expected::Cut => "CUT",
                Expected::All => "ALL",
            };
            let whose = if job.owner == id { "owns".to_owned() } else { format!("helps P{} at", job.owner) };
            let name = format!("{whose} {kind} ply {} draft {}", job.ply, job.plies);
            let args = json!({"owner": job.owner, "ply": job.ply, "draft": job.plies, "expected": kind});
            slice(NODES, id, &name, (job.from, job.to), args)
        })
    });
    let iterations = outcome.answer.iterations.iter().scan(0, |from, iteration| {
        let span = (std::mem::replace(from, iteration.nanoseconds), iteration.nanoseconds);
        let args = json!({"score": iteration.score.0, "nodes": iteration.nodes});
        Some(slice(ITERATIONS, 0, &format!("depth {}", iteration.depth), span, args))
    });
    names.chain(tracks).chain(activities).chain(jobs).chain(iterations)
}

fn named(what: &str, pid: u32, tid: usize, name: &str) -> Value {
    json!({"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": name}})
}

/// Event with a beginning and an end. Viewers count in microseconds.
fn slice(pid: u32, tid: usize, name: &str, (from, to): (u64, u64), args: Value) -> Value {
    let microseconds = |nanoseconds: u64| nanoseconds as f64 / 1e3;
    json!({
        "ph": "X", "name": name, "pid": pid, "tid": tid,
        "ts": microseconds(from), "dur": microseconds(to - from), "args": args,
    })
}
