//! The tree of all legal moves of a closed and of an open position, walked in two ways, after table 2.5. The published
//! depth is not given; the times per leaf fit depth 6.

use std::cell::RefCell;

use serde::Deserialize;

use super::by_board::{Place, figures, places, run_on, take_turns_at};
use super::published::BRUTE_FORCE;
use super::turns::{Entry, Rounds, timed};
use super::{Figure, Micro, MicroError, PIECE_LISTS, ROTATED, Spec, Takes, Unit, name_of, on_pinned};
use crate::chess::choice::{BoardChoice, OnBoard};
use crate::chess::epd::Epd;
use crate::chess::mailbox::Mailbox;
use crate::chess::perft::{Leaves, perft};
use crate::chess::suites::position;
use crate::chess::{Board, Keys, Setup, Unsupported};
use crate::choices::choices;
use crate::machine::{Processor, Program};
use crate::search::brute_force::{advanced, basic};
use crate::search::features::Preset;
use crate::search::{Limits, SearchSettings};

/// Micro-measurement of walking a whole tree.
pub const MICRO: Micro = Micro {
    name: "brute-force",
    title: "walking all legal moves",
    about: "Time for a leaf of the tree of all legal moves of a closed and an open position: by making pseudo-legal \
            moves (basic), and by the search's move ordering with exchange evaluation (advanced).",
    published: &[BRUTE_FORCE.source],
    takes: Takes { boards: true, positions: true, depth: Some(DEPTH) },
    is_averaged: false,
    measure,
    print: None,
    check: None,
    verdict: None,
};

const DEPTH: u32 = 3;
/// Depth of the published walks, as the times per leaf suggest.
const PUBLISHED_DEPTH: usize = 6;
/// Positions of the table, by the names of its rows.
const POSITIONS: [(&str, &str); 2] = [("closed", "reul-closed"), ("open", "reul-open")];

choices! {
    /// Way to walk the tree.
    pub enum Walk, "walk";
    /// Pseudo-legal moves are made, and rejected if the own king is attacked.
    Basic "basic",
    /// Legal moves are handed out one at a time by the search's move ordering.
    Advanced "advanced",
}

/// Row of table 2.5.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    position: String,
    bits: u32,
    mode: Walk,
    mailbox_ms: f64,
    rotated_ms: f64,
}

/// Position with what is published of it.
struct Case {
    name: String,
    setup: Setup,
    /// Leaves of the published tree, and its rows; none for other positions.
    published: Option<(u64, Vec<Row>)>,
}

impl Case {
    /// Published nanoseconds of a leaf in programs of as many bits as this one, if they are known for this board.
    fn nanoseconds(&self, board: BoardChoice, walk: Walk) -> Option<f64> {
        let (leaves, rows) = self.published.as_ref()?;
        let row = rows.iter().find(|row| row.mode == walk && row.bits == usize::BITS)?;
        let measured = [(PIECE_LISTS, row.mailbox_ms), (ROTATED, row.rotated_ms)];
        let (_, ms) = measured.into_iter().find(|(measured, _)| *measured == board)?;
        Some(1e6 * ms / *leaves as f64)
    }
}

fn cases(positions: &[Epd]) -> Result<Vec<Case>, MicroError> {
    let own = |epd: &Epd| Case { name: name_of(epd), setup: epd.setup.clone(), published: None };
    if !positions.is_empty() {
        return Ok(positions.iter().map(own).collect());
    }
    let rows: Vec<Row> = BRUTE_FORCE.rows()?;
    let case = |(name, id): (&str, &str)| {
        let missing = || MicroError::Wrong(format!("the position {id} does not ship with its counts"));
        let epd = position(id).ok_or_else(missing)?;
        let leaves = epd.counts[PUBLISHED_DEPTH - 1].ok_or_else(missing)?;
        let rows = rows.iter().filter(|row| row.position == name).cloned().collect();
        Ok(Case { name: name.to_owned(), setup: epd.setup, published: Some((leaves, rows)) })
    };
    POSITIONS.into_iter().map(case).collect()
}

/// Way to walk the tree of a position.
type OfCase<'a> = (&'a Case, Walk);

/// The whole measurement, on one processor.
struct Walks<'a> {
    places: &'a [Place<OfCase<'a>>],
    depth: u32,
    spec: &'a Spec,
}

impl Program for Walks<'_> {
    type Output = Result<Rounds, MicroError>;

    fn run<P: Processor>(&self, processor: &P) -> Self::Output {
        let wrong = RefCell::new(None);
        let rounds = take_turns_at(self.places, self.spec, |place| {
            let (case, walk) = place.work;
            run_on(place.board, Walked { processor, case, walk, depth: self.depth, wrong: &wrong })
        })?;
        wrong.into_inner().map_or(Ok(rounds), |message| Err(MicroError::Wrong(message)))
    }
}

/// Walk of one position on one board.
struct Walked<'a, P> {
    processor: &'a P,
    case: &'a Case,
    walk: Walk,
    depth: u32,
    /// Message about a number of leaves that is not that of perft.
    wrong: &'a RefCell<Option<String>>,
}

impl<'a, P: Processor> OnBoard for Walked<'a, P> {
    type Output = Result<Entry<'a>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let Self { processor, case: Case { name, setup, .. }, walk, depth, wrong } = self;
        let limits = Limits::depth(depth);
        let settings = SearchSettings { features: Preset::Thesis.features(), limits, seed: 0 };
        let mut board = B::set_up(setup, settings.keys())?;
        let expected = perft(&mut board, depth, Leaves::Counted);
        Ok(Entry::self_timed(move || {
            let batch = match walk {
                Walk::Basic => timed(|| basic(&mut board, depth)),
                Walk::Advanced => advanced(processor, &settings, &board, depth, |walk| timed(walk)),
            };
            if batch.operations != expected {
                let found = batch.operations;
                *wrong.borrow_mut() = Some(format!("{name}, {walk}: {found} leaves, but perft counts {expected}"));
            }
            batch
        }))
    }
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let cases = cases(&spec.positions)?;
    let depth = spec.depth.unwrap_or(DEPTH);
    let walked = cases.iter().flat_map(|case| Walk::ALL.iter().map(move |&walk| (case, walk)));
    let name = |(case, walk): OfCase<'_>| (format!("{}, {walk}", case.name), "time of a leaf");
    let places = places(&spec.boards, walked, name);
    let rounds = on_pinned(&Walks { places: &places, depth, spec })??;
    let counted = |case: &Case| {
        let mut board = Mailbox::set_up(&case.setup, Keys::of_seed(0))?;
        let leaves = perft(&mut board, depth, Leaves::Counted);
        Ok(Figure::new(&case.name, format!("leaves at depth {depth}"), Unit::Count, leaves as f64))
    };
    let counts: Vec<Figure> = cases.iter().map(counted).collect::<Result<_, MicroError>>()?;
    let published = |place: &Place<OfCase<'_>>| place.work.0.nanoseconds(place.board, place.work.1);
    let times = figures(&places, &rounds, BRUTE_FORCE.source, published);
    Ok(counts.into_iter().chain(times).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 78.00 s for 1 253 110 529 leaves, and the quotients that the table itself implies.
    #[test]
    fn published_times_are_of_a_leaf() {
        let cases = cases(&[]).unwrap();
        let at = |case: usize, board, walk| cases[case].nanoseconds(board, walk).unwrap();
        assert!((at(0, PIECE_LISTS, Walk::Basic) - 62.245).abs() < 0.001);
        for (case, walk, expected) in
            [(0, Walk::Basic, 1.040), (0, Walk::Advanced, 1.029), (1, Walk::Basic, 1.348), (1, Walk::Advanced, 1.050)]
        {
            let ratio = at(case, ROTATED, walk) / at(case, PIECE_LISTS, walk);
            assert!((ratio - expected).abs() < 0.0006, "{case} {walk}: {ratio}");
        }
    }
}
