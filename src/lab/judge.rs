//! Judging moves: which of the moves that runs chose is how much worse than the best that is known. A search several
//! plies deeper looks at each position, and then at the position after each move that any run chose there or that it
//! found itself: once each, by one thread with fixed seed and table, so that every judgement can be made again to the
//! last digit.
//!
//! All moves of a position are judged by searches of the same kind, and the score of the deeper search of the position
//! itself serves only to find a move that no run may have chosen: scores of two kinds of search differ a little even
//! where the move is the same.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Instant;

use super::conditions::Conditions;
use super::estimate::estimate;
use super::laboratory::{Laboratory, Searcher};
use super::pace::Pace;
use super::plan::{Plan, Shard};
use super::side_by_side;
use super::single::{cell_at, default_configuration};
use crate::chess::mailbox::Mailbox;
use crate::chess::{Board, Keys, MoveList, Setup};
use crate::engine::Options;
use crate::machine::RealMachine;
use crate::record::folder::FolderError;
use crate::record::journal::Journal;
use crate::record::{Cell, Configuration, Depth, Judgement, Judging, Measured, Record, Subject, Word};

/// Size of the table of a search that judges, in MiB.
const TABLE_MIB: u32 = 64;
/// Time that a search which judges may take, relative to the limit of the experiment's own searches.
const LIMIT_FACTOR: f64 = 10.0;
/// Number of different moves at a position that a plan allows for.
const MOVES_EXPECTED: usize = 2;

/// Judges of an experiment's moves.
pub struct Judges<'a> {
    /// Plies by which they search deeper than the runs.
    pub plies_deeper: u32,
    /// Limit of the experiment's own searches, in seconds.
    pub limit_s: Option<f64>,
    /// Id of the session that judgements name.
    pub session: &'a str,
    /// Lock that the handler of signals takes before it ends the program, so that no line is left half written.
    pub writing: &'a (dyn Fn(&mut dyn FnMut()) + Sync),
    /// Function that is told how many of the searches of a round are done.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// Position, or move at one, that has no judgement yet.
type Task = (Subject, Option<Word>);

impl Judges<'_> {
    /// Judges what has not been judged of the moves in these records. `known` are the judgements of the journal, and
    /// receive the new ones. Returns the reasons for which searches failed.
    pub fn judge(
        &self,
        records: &[Record],
        journal: &mut Journal<Judgement>,
        known: &mut Vec<Judgement>,
    ) -> Result<Vec<String>, FolderError> {
        let chosen = chosen(records, self.plies_deeper);
        let mut failures = Vec::new();
        let positions = chosen.iter().map(|(subject, _)| (subject.clone(), None)).collect();
        failures.extend(self.round(positions, journal, known)?);
        let best: HashMap<&Subject, &Word> = known
            .iter()
            .filter(|judgement| judgement.chosen.is_none())
            .filter_map(|judgement| Some((&judgement.subject, judgement.best.as_ref()?)))
            .collect();
        let moves = |(subject, moves): &(Subject, BTreeSet<Word>)| {
            let all: BTreeSet<Word> = moves.iter().chain(best.get(subject).copied()).cloned().collect();
            all.into_iter().map(|mv| (subject.clone(), Some(mv))).collect::<Vec<Task>>()
        };
        let moves = chosen.iter().flat_map(moves).collect();
        failures.extend(self.round(moves, journal, known)?);
        Ok(failures)
    }

    /// Makes searches side by side, each by one thread.
    fn round(
        &self,
        tasks: Vec<Task>,
        journal: &mut Journal<Judgement>,
        known: &mut Vec<Judgement>,
    ) -> Result<Vec<String>, FolderError> {
        let judged: HashSet<Task> = known.iter().map(|one| (one.subject.clone(), one.chosen.clone())).collect();
        let tasks: Vec<Task> = tasks.into_iter().filter(|task| !judged.contains(task)).collect();
        let (mut failures, mut done) = (Vec::new(), 0);
        // A laboratory has one set of threads, so that each of us needs one of its own.
        let search = |laboratory: &Laboratory, task: &Task| self.search(laboratory, task);
        let keep = |judged: Result<Judgement, String>, _: usize| {
            let mut written = Ok(());
            match judged {
                Ok(judgement) => {
                    (self.writing)(&mut || written = journal.append(&judgement));
                    known.push(judgement);
                }
                Err(reason) => failures.push(reason),
            }
            done += 1;
            (self.progress)(done, tasks.len());
            written
        };
        side_by_side::work(&tasks, || self.laboratory(), search, keep)?;
        failures.sort();
        Ok(failures)
    }

    fn laboratory(&self) -> Laboratory {
        let limit_s = self.limit_s.map(|limit| LIMIT_FACTOR * limit);
        Laboratory::new(Conditions { limit_s, ..Conditions::default() })
    }

    /// Judgement of a position or of a move there, or the reason why there is none.
    fn search(&self, laboratory: &Laboratory, (subject, mv): &Task) -> Result<Judgement, String> {
        let clock = Instant::now();
        let found = side_by_side::caught(|| measured(laboratory, subject, mv.as_deref()));
        let name = || [subject.position.as_str(), mv.as_deref().unwrap_or_default()].join(" ");
        let found = found.map_err(|reason| format!("{}: {reason}", name().trim_end()))?;
        Ok(Judgement {
            subject: subject.clone(),
            chosen: mv.clone(),
            score_raw: if mv.is_some() { -found.score_raw } else { found.score_raw },
            best: found.bestmove,
            nodes: found.nodes,
            host_s: clock.elapsed().as_secs_f64(),
            session: self.session.into(),
        })
    }
}

fn measured(laboratory: &Laboratory, subject: &Subject, mv: Option<&str>) -> Result<Measured, String> {
    let cell = match mv {
        None => cell(subject, &subject.fen, subject.depth),
        Some(mv) => cell(subject, &after(&subject.fen, mv)?, subject.depth.saturating_sub(1).max(1)),
    };
    let measurement = laboratory.measure(&cell, Options::default());
    measurement.map(|measurement| measurement.measured).map_err(|error| error.to_string())
}

/// Subjects of the runs in the order of the plan, each with the moves that runs chose.
fn chosen(records: &[Record], plies_deeper: u32) -> Vec<(Subject, BTreeSet<Word>)> {
    let judging = Judging::of(records, plies_deeper);
    let mut sorted: Vec<&Record> = records.iter().collect();
    sorted.sort_by_key(|record| record.index);
    let mut places: HashMap<Subject, usize> = HashMap::new();
    let mut all: Vec<(Subject, BTreeSet<Word>)> = Vec::new();
    for record in sorted {
        let Some(mv) = record.measured().and_then(|measured| measured.bestmove.clone()) else { continue };
        let Some(subject) = judging.subject(&record.cell) else { continue };
        let place = *places.entry(subject.clone()).or_insert_with(|| {
            all.push((subject, BTreeSet::new()));
            all.len() - 1
        });
        all[place].1.insert(mv);
    }
    all
}

/// Position after a move.
fn after(fen: &str, mv: &str) -> Result<String, String> {
    let setup: Setup = fen.parse().map_err(|error| format!("{error}"))?;
    let mut board = Mailbox::set_up(&setup, Keys::of_seed(0)).map_err(|error| error.to_string())?;
    let mut moves = MoveList::new();
    board.legal_moves(&mut moves);
    let mv = moves.iter().copied().find(|one| one.to_string() == mv).ok_or("the move is not legal in that position")?;
    let _ = board.make(mv);
    Ok(board.setup().to_string())
}

/// Cell of a search that judges.
fn cell(subject: &Subject, fen: &str, depth: u32) -> Cell {
    let configuration = Configuration {
        features: subject.features.clone(),
        hash_mib: TABLE_MIB,
        depth: Depth::Plies(depth),
        ..default_configuration()
    };
    cell_at(configuration, subject.position.clone(), fen, None, 0)
}

/// Number of the searches that judging a plan's moves will take, as far as it can be told, and their time in seconds.
pub fn foretell(plan: &Plan, shard: Option<Shard>, searcher: &dyn Searcher) -> Option<(usize, f64)> {
    let searches = expected(&plan.part(shard), plan.description.judge?);
    if searches.is_empty() {
        // Runs that no depth limits are judged by what they will reach.
        return None;
    }
    let cells: Vec<_> = (0..).zip(&searches).collect();
    let side_by_side = RealMachine::room().min(searches.len()).max(1) as f64;
    Some((searches.len(), estimate(&cells, searcher, &Pace::default()).real_s / side_by_side))
}

/// Searches that judging these cells of a plan may take, for an estimate: nobody knows yet which moves will be chosen.
fn expected(cells: &[(u64, &Cell)], plies_deeper: u32) -> Vec<Cell> {
    let judging = Judging::of(&[], plies_deeper);
    let mut seen = HashSet::new();
    let subjects = cells.iter().filter_map(|(_, cell)| judging.subject(cell));
    let searches = |subject: Subject| {
        let of_position = cell(&subject, &subject.fen, subject.depth);
        let of_move = cell(&subject, &subject.fen, subject.depth.saturating_sub(1).max(1));
        [of_position].into_iter().chain(std::iter::repeat_n(of_move, MOVES_EXPECTED)).collect::<Vec<Cell>>()
    };
    subjects.filter(|subject| seen.insert(subject.clone())).flat_map(searches).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::journal;

    /// White mates with a1a8; the king's walk lets Black go on.
    const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

    fn record(index: u64, depth: Option<u32>, reached: u32, mv: Option<&str>) -> Record {
        let measured = Measured { bestmove: mv.map(Word::from), depth: reached, ..Measured::default() };
        let cell = Cell::sample(default_configuration(), "mate", index);
        Record::sample(index, Cell { fen: MATE_IN_ONE.into(), depth, ..cell }, measured)
    }

    fn judge(records: &[Record], folder: &std::path::Path) -> (Vec<Judgement>, Vec<String>) {
        let mut known = Vec::new();
        let mut journal = Journal::open(folder, |judgement: Judgement| known.push(judgement)).unwrap();
        let judges = Judges {
            plies_deeper: 2,
            limit_s: None,
            session: "s",
            writing: &|write| write(),
            progress: &|done, all| assert!(done <= all),
        };
        let failures = judges.judge(records, &mut journal, &mut known).unwrap();
        (known, failures)
    }

    #[test]
    fn each_move_is_judged_once_and_the_same_every_time() {
        let folder = std::env::temp_dir().join(format!("splitpoint-judge-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let records =
            [record(0, Some(1), 1, Some("g1f1")), record(1, Some(1), 1, Some("g1f1")), record(2, Some(1), 1, None)];
        let (mut judged, failures) = judge(&records, &folder);
        assert!(failures.is_empty(), "{failures:?}");
        judged.sort_by(|a, b| a.chosen.cmp(&b.chosen));
        let found: Vec<(Option<&str>, u32)> =
            judged.iter().map(|one| (one.chosen.as_deref(), one.subject.depth)).collect();
        // The best move, which no run chose, is judged too.
        assert_eq!(found, [(None, 3), (Some("a1a8"), 3), (Some("g1f1"), 3)]);
        assert!(judged[1].score_raw > 129_000 && judged[0].score_raw > 129_000, "{judged:?}");
        assert!(judged[2].score_raw < 20_000, "{judged:?}");

        // What is known is not judged again; a new move is.
        let more = [records.to_vec(), vec![record(3, Some(1), 1, Some("g1h1"))]].concat();
        let (again, _) = judge(&more, &folder);
        assert_eq!(again.len(), 4);
        assert_eq!(journal::read_lines::<Judgement>(&folder).unwrap().records, again);
        std::fs::remove_file(folder.join("judgements.jsonl")).unwrap();
        let figures = |mut all: Vec<Judgement>| {
            all.sort_by(|a, b| a.chosen.cmp(&b.chosen));
            all.into_iter().map(|one| (one.chosen, one.best, one.score_raw, one.nodes)).collect::<Vec<_>>()
        };
        assert_eq!(figures(judge(&more, &folder).0), figures(again));
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// Runs that a time ends are judged by a search deeper than the deepest of them.
    #[test]
    fn runs_without_a_depth_have_one_judge() {
        let records = [record(0, None, 3, Some("g1f1")), record(1, None, 5, Some("g1h1")), record(2, Some(1), 9, None)];
        let subjects = chosen(&records, 2);
        assert_eq!(subjects.iter().map(|(subject, moves)| (subject.depth, moves.len())).collect::<Vec<_>>(), [(7, 2)]);
        let cells: Vec<(u64, &Cell)> = records.iter().map(|record| (record.index, &record.cell)).collect();
        assert_eq!(expected(&cells, 2).len(), 1 + MOVES_EXPECTED);
    }

    #[test]
    fn a_move_that_cannot_be_is_no_judgement() {
        assert_eq!(after(MATE_IN_ONE, "a1a9").unwrap_err(), "the move is not legal in that position");
        assert_eq!(after(MATE_IN_ONE, "a1a8").unwrap(), "R5k1/5ppp/8/8/8/8/8/6K1 b - - 1 1");
    }
}
