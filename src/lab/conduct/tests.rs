//! The steps of a run with a searcher that searches nothing, and all of them with the laboratory on a tiny experiment.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::super::runner::tests::{BOTH_MACHINES, CELLS, Fake, name};
use super::*;
use crate::record::MachineKind;

/// Four virtual searches of a depth that takes no time, whose moves are judged.
const TINY: &str = "title = \"Tiny\"\nbaseline = 1\njudge = 1\npositions.ids = [\"BK03\", \"BK09\"]\n\
                    axes = { machine = \"virtual\", threads = 2, depth = 1, hash = 1 }\n";

/// Notes the calls; may end the run as a signal would: when a record is written, and before anything else is done.
#[derive(Default)]
struct Log {
    events: Mutex<Vec<String>>,
    ends_after: Option<usize>,
}

impl Log {
    fn note(&self, event: impl Into<String>) {
        self.events.lock().unwrap().push(event.into());
    }

    fn count(&self, event: &str) -> usize {
        self.events.lock().unwrap().iter().filter(|one| *one == event).count()
    }

    /// The events in order; the same one again and again is one.
    fn in_short(&self) -> Vec<String> {
        let mut events = self.events.lock().unwrap().clone();
        events.dedup();
        events
    }
}

impl Observer for Log {
    fn begin(&self, machine: MachineKind, _: usize) {
        self.note(machine.name());
    }

    fn recorded(&self, _: &Record, _: f64) {
        self.note("recorded");
        assert!(self.ends_after != Some(self.count("recorded")), "the end of the program");
    }
}

impl Audience for Log {
    fn known(&self, _: &Record) {
        self.note("known");
    }

    fn line(&self, text: &str) {
        self.note(text);
    }

    fn begun(&self, _: &SharedJournal) {
        self.note("begun");
    }

    fn measured(&self) {
        self.note("measured");
    }

    fn judged(&self, _: usize, _: usize) {
        self.note("judged");
    }

    fn all_judged(&self) {
        self.note("all judged");
    }
}

/// An experiment with a folder of its own.
struct Trial {
    experiment: Experiment,
    path: PathBuf,
    resumes: bool,
    reused: Vec<PathBuf>,
    shard: Option<Shard>,
}

impl Trial {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("splitpoint-conduct-{}-{name}", std::process::id()));
        Self { experiment: parsed(text), path, resumes: false, reused: Vec::new(), shard: None }
    }

    fn order(&self) -> Order<'_> {
        Order {
            experiment: &self.experiment,
            command: "splitpoint run x.toml".to_owned(),
            out: &self.path,
            resumes: self.resumes,
            shard: self.shard,
            reused: &self.reused,
            pilot: None,
            results: Path::new("no such folder"),
        }
    }

    /// Takes all steps but those that are of the laboratory.
    fn run(&self, log: &Log, searcher: &Fake) -> Result<Finished, FolderError> {
        let order = self.order();
        let plan = order.plan().unwrap();
        let prepared = match order.prepare(&plan) {
            Ok(prepared) => prepared,
            Err(error) => panic!("{error}"),
        };
        let mut run = prepared.open(log)?;
        run.fill_in()?;
        run.measure(searcher)?;
        run.judge()?;
        Ok(run.finish())
    }

    fn records(&self) -> Vec<Record> {
        journal::read(&self.path).unwrap().records
    }

    /// Every file of the folder but the lock.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let paths = std::fs::read_dir(&self.path).unwrap().map(|entry| entry.unwrap().path());
        paths.filter(|path| !path.ends_with(".lock")).map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
    }

    /// Leaves so many lines in the journal.
    fn cut_to(&self, lines: usize) {
        let path = self.path.join(journal::JOURNAL);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, text.split_inclusive('\n').take(lines).collect::<String>()).unwrap();
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

fn parsed(text: &str) -> Experiment {
    Experiment::parse(Path::new("x.toml"), &format!("warm_up = false\n{text}"), &[], &[]).unwrap()
}

fn indices(records: &[Record]) -> Vec<u64> {
    let mut indices: Vec<u64> = records.iter().map(|record| record.index).collect();
    indices.sort_unstable();
    indices
}

#[test]
fn a_fresh_folder_is_opened_measured_and_judged() {
    let mut trial = Trial::new("fresh", &format!("judge = 1\n{BOTH_MACHINES}"));
    let (log, fake) = (Log::default(), Fake::default());
    let done = trial.run(&log, &fake).unwrap();
    let expected = ["begun", "real", "recorded", "virtual", "recorded", "measured", "all judged"];
    assert_eq!(log.in_short(), expected);
    assert_eq!((done.cut, done.failed, done.first_failure.as_deref()), (0, 0, None));
    assert_eq!(indices(&trial.records()), (0..CELLS as u64).collect::<Vec<_>>());
    let description = folder::description(&trial.path).unwrap();
    assert_eq!((description.own_cells, description.shard), (CELLS as u64, None));
    assert!(description.order_seed.is_some() && !description.fill.is_empty() && !description.promises.is_empty());
    assert!(folder::file(&trial.path).unwrap().text.contains("order_seed = "), "the file repeats the order");
    assert_eq!(folder::sessions(&trial.path).unwrap().len(), 1);

    // Who makes the report has the folder alone.
    trial.resumes = true;
    assert!(matches!(trial.run(&Log::default(), &fake), Err(FolderError::InUse(_))));
    drop(done);
    assert!(trial.run(&Log::default(), &fake).is_ok());
}

#[test]
fn a_resumed_run_measures_what_is_missing_in_the_order_of_its_beginning() {
    let mut trial = Trial::new("resumed", BOTH_MACHINES);
    let whole = Fake::default();
    drop(trial.run(&Log::default(), &whole).unwrap());
    let begun = folder::description(&trial.path).unwrap();
    trial.cut_to(7);
    let refused = trial.run(&Log::default(), &Fake::default());
    assert!(matches!(refused, Err(FolderError::Taken(_))), "{refused:?}");

    trial.resumes = true;
    let (log, fake) = (Log::default(), Fake::default());
    drop(trial.run(&log, &fake).unwrap());
    assert_eq!((log.count("known"), log.count("recorded")), (7, CELLS - 7));
    assert_eq!(log.in_short()[..2], ["known", "begun"]);
    assert_eq!(fake.names()[0], whole.names()[7], "the last of the real searches");
    assert_eq!(indices(&trial.records()), (0..CELLS as u64).collect::<Vec<_>>());
    assert!(
        folder::description(&trial.path).unwrap() == begun,
        "seed, filling and promises are those of the beginning"
    );
    assert_eq!(folder::sessions(&trial.path).unwrap().len(), 2);
}

#[test]
fn a_folder_of_another_plan_is_refused_and_left_alone() {
    let mut trial = Trial::new("another", BOTH_MACHINES);
    drop(trial.run(&Log::default(), &Fake::default()).unwrap());
    let before = trial.files();
    trial.resumes = true;
    let (other, part) = (parsed(&BOTH_MACHINES.replace("depth = 3", "depth = 4")), Shard { number: 1, of: 2 });
    for (experiment, shard, expected) in [
        (other, None, "the experiment has changed"),
        (parsed(BOTH_MACHINES), Some(part), "it holds the whole plan, and shard 1/2 was asked for"),
    ] {
        (trial.experiment, trial.shard) = (experiment, shard);
        let (log, fake) = (Log::default(), Fake::default());
        let error = trial.run(&log, &fake).unwrap_err();
        assert!(error.is_bad_input() && error.to_string().contains(expected), "{error}");
        assert_eq!((log.in_short(), fake.names()), (Vec::new(), Vec::new()));
        assert!(trial.files() == before);
    }
}

#[test]
fn an_interrupted_run_keeps_its_records_and_goes_on() {
    let mut trial = Trial::new("interrupted", BOTH_MACHINES);
    let (log, first) = (Log { ends_after: Some(5), ..Log::default() }, Fake::default());
    assert!(catch_unwind(AssertUnwindSafe(|| trial.run(&log, &first))).is_err());
    let kept = trial.records();
    assert_eq!((kept.len(), log.count("measured")), (5, 0));
    assert_eq!(kept.iter().map(|record| name(&record.cell)).collect::<Vec<_>>(), first.names());

    trial.resumes = true;
    let (log, second) = (Log::default(), Fake::default());
    drop(trial.run(&log, &second).unwrap());
    assert_eq!((log.count("known"), log.count("recorded"), log.count("measured")), (5, CELLS - 5, 1));
    assert!(trial.records()[..5] == kept, "what was there stands first, as it was");
    assert!(second.names().iter().all(|name| !first.names().contains(name)), "nothing is measured twice");
}

#[test]
fn only_equal_searches_that_were_measured_are_reused() {
    let source = Trial::new("source", BOTH_MACHINES);
    let done = source.run(&Log::default(), &Fake::that_panics_at("BK09")).unwrap();
    assert_eq!((done.failed, done.first_failure.as_deref()), (CELLS / 2, Some("BK09: it panicked: a bug at BK09")));
    drop(done);
    // A third run in each configuration but the baselines.
    let more = BOTH_MACHINES.replace("repetitions = 2", "repetitions = 3");
    let mut trial = Trial::new("reuse", &more);
    trial.reused = vec![source.path.clone()];
    let (log, fake) = (Log::default(), Fake::default());
    drop(trial.run(&log, &fake).unwrap());
    let line = |count: usize| format!("reused {count} records from {}", source.path.display());
    assert_eq!(log.in_short()[..3], ["known".to_owned(), line(CELLS / 2), "begun".to_owned()]);
    let records = trial.records();
    let (copied, measured) = records.split_at(CELLS / 2);
    let theirs: Vec<Record> = source.records().into_iter().filter(|record| record.failure().is_none()).collect();
    for (ours, theirs) in copied.iter().zip(&theirs) {
        assert!(Record { index: theirs.index, ..ours.clone() } == *theirs, "a copy, but for its place in the plan");
        assert!(trial.order().plan().unwrap().cells[ours.index as usize] == ours.cell);
    }
    assert_eq!((copied.len(), measured.len()), (theirs.len(), CELLS + 4 - theirs.len()));
    assert!(fake.names().iter().all(|asked| copied.iter().all(|record| name(&record.cell) != *asked)));
    assert_eq!(indices(&records), (0..CELLS as u64 + 4).collect::<Vec<_>>());
    assert_eq!(folder::sessions(&trial.path).unwrap().len(), 2, "copies name the session that measured them");

    // Taken over once, they are not taken over again; searches to another depth are not equal.
    trial.resumes = true;
    let log = Log::default();
    drop(trial.run(&log, &Fake::default()).unwrap());
    assert_eq!(log.in_short()[..2], ["known".to_owned(), line(0)]);
    let mut deeper = Trial::new("deeper", &more.replace("depth = 3", "depth = 4"));
    deeper.reused = trial.reused.clone();
    let log = Log::default();
    drop(deeper.run(&log, &Fake::default()).unwrap());
    assert_eq!(log.in_short()[0], line(0));
}

#[test]
fn the_laboratory_takes_the_steps_in_their_order() {
    let source = Trial::new("tiny", TINY);
    let mut trial = Trial::new("tiny-again", &TINY.replace("baseline = 1", "baseline = 1\nrepetitions = 2"));
    trial.reused = vec![source.path.clone()];
    let line = |searches: usize| format!("Tiny: modern, up to 2 virtual processors: {searches} searches");
    let steps = ["begun", "virtual", "recorded", "measured", "judged", "all judged"].map(str::to_owned);
    let reused = format!("reused 4 records from {}", source.path.display());
    for (trial, first, searches) in [(&source, Vec::new(), 4), (&trial, vec!["known".to_owned(), reused], 2)] {
        let (order, log) = (trial.order(), Log::default());
        let plan = order.plan().unwrap();
        let run = order.prepare(&plan).unwrap_or_else(|error| panic!("{error}"));
        let done = run.conduct(&log).unwrap();
        assert_eq!(done.failed, 0, "{:?}", done.first_failure);
        assert_eq!(log.in_short(), [first, vec![line(searches)], steps.to_vec()].concat());
        assert!(!journal::read_lines::<crate::record::Judgement>(&trial.path).unwrap().records.is_empty());
    }
}
