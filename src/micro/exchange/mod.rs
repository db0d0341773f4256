//! Exchange evaluation: who asks for it in fixed searches, after how many iterations it ends, and what its published
//! forms cost, after tables 4.2 to 4.4.
//!
//! The searches use all that asks for exchanges: ordering, reductions, extensions of pawns, evaluation of passed pawns.
//! Iterations and times are of calls about captures.
//!
//! Time is measured on exchanges that the searches asked for. To order moves, the published program asked only about
//! captures of a piece that is worth less than the one that captures; ours asks about all, so that iterations are given
//! for both. How often the assumption matters that no piece hides behind a dearer one is counted, too (`forms`).

pub mod asked;

use std::hint::black_box;

use serde::Deserialize;

use super::by_board::{Place, figures, places, run_on, take_turns_at};
use super::histogram::Histogram;
use super::listened::{Heard, phases, search_all};
use super::published::{CALLERS, ITERATIONS, STOPS};
use super::turns::{Entry, Rounds};
use super::{Figure, MAGIC, Micro, MicroError, Spec, Takes, Unit, pinned};
use crate::chess::choice::OnBoard;
use crate::chess::mailbox::Mailbox;
use crate::chess::see::forms::{Form, Stops};
use crate::chess::see::{Asker, Rules, see};
use crate::chess::{Board, Compact, Keys, Move, Score, Setup, Unsupported};
use crate::search::features::{Features, Recipe};
use asked::{Asked, ByIteration};

/// Micro-measurement of exchange evaluation.
pub const MICRO: Micro = Micro {
    name: "exchange",
    title: "exchange evaluation",
    about: "Exchange evaluation in its published forms: calls by who asks and by the iteration at which they end, in \
            fixed searches of middlegames, and time of each form with each way to stop early (K, QN, QL).",
    published: &[CALLERS.source, ITERATIONS.source, STOPS.source],
    takes: Takes { boards: true, positions: true, depth: Some(DEPTH) },
    is_averaged: false,
    measure,
    print: None,
    check: None,
    verdict: None,
};

const DEPTH: u32 = 6;
/// Features of the searches: all that ask for exchange values.
const FEATURES: &str =
    "thesis,evaluation=classical,+passed-pawns-exchange,reductions=exchange,+pawn-extension-exchange";
/// Name of a call in figures of time.
const TIME: &str = "time of a call";
/// Form in published tables to which others are related.
const K: Stops = Stops { king: true, quantity: false, quality: false };
const K_QN: Stops = Stops { quantity: true, ..K };
const K_QL: Stops = Stops { quality: true, ..K };
const K_QN_QL: Stops = Stops { quantity: true, quality: true, ..K };

/// Row of table 4.2.
#[derive(Debug, Deserialize)]
struct Caller {
    caller: String,
    calls: u64,
}

/// Row of table 4.3: calls that end at this iteration.
#[derive(Clone, Copy, Debug, Deserialize)]
struct EndsAt {
    iteration: u32,
    with_ql: u64,
    without_ql: u64,
}

/// Row of table 4.4.
#[derive(Debug, Deserialize)]
struct Time {
    stops: String,
    ms: f64,
}

/// Evaluation that is timed: the search's own evaluation, or a published form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timed {
    OfSearch,
    Published(Form),
}

impl Timed {
    /// All that are compared: K is published with and without the others.
    fn all() -> impl Iterator<Item = Self> {
        let forms = [Form::Recursion, Form::List].into_iter();
        let windows = Stops::all().filter(|stops| stops.king).map(Form::Window);
        [Self::OfSearch].into_iter().chain(forms.chain(windows).map(Self::Published))
    }

    fn name(self) -> String {
        match self {
            Self::OfSearch => "of the search".to_owned(),
            Self::Published(Form::Recursion) => "by recursion".to_owned(),
            Self::Published(Form::List) => "by a list".to_owned(),
            Self::Published(Form::Window(stops)) => format!("by a window, {}", stops.name()),
        }
    }

    /// Published time in relation to K alone.
    fn published(self, rows: &[Time]) -> Option<f64> {
        let Self::Published(Form::Window(stops)) = self else { return None };
        let time = |stops: Stops| rows.iter().find(|row| row.stops == stops.name()).map(|row| row.ms);
        Some(time(stops)? / time(K)?)
    }
}

/// Evaluation of all exchanges of a sample on one board.
struct OnSample<'a> {
    timed: Timed,
    sample: &'a [(Compact, Move)],
}

impl OnBoard for OnSample<'_> {
    type Output = Result<Entry<'static>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let mut exchanges: Vec<(B, Move)> = Vec::with_capacity(self.sample.len());
        for (position, mv) in self.sample {
            let mut board = B::set_up(&Setup::start(), Keys::of_seed(0))?;
            position.rebuild(&mut board);
            exchanges.push((board, *mv));
        }
        // A loop for each form, so that the compiler knows which it is.
        Ok(match self.timed {
            Timed::OfSearch => over(exchanges, |board, mv| see(board, mv)),
            Timed::Published(Form::Recursion) => over_form(exchanges, || Form::Recursion),
            Timed::Published(Form::List) => over_form(exchanges, || Form::List),
            Timed::Published(Form::Window(stops)) => match (stops.quantity, stops.quality) {
                (false, false) => over_form(exchanges, || Form::Window(K)),
                (true, false) => over_form(exchanges, || Form::Window(K_QN)),
                (false, true) => over_form(exchanges, || Form::Window(K_QL)),
                (true, true) => over_form(exchanges, || Form::Window(K_QN_QL)),
            },
        })
    }
}

fn over_form<B: Board>(exchanges: Vec<(B, Move)>, form: impl Fn() -> Form + 'static) -> Entry<'static> {
    over(exchanges, move |board, mv| form().evaluate(Rules::FULL, board, mv).value)
}

fn over<B: Board, T: 'static>(exchanges: Vec<(B, Move)>, evaluate: impl Fn(&B, Move) -> T + 'static) -> Entry<'static> {
    Entry::new(move || {
        for (board, mv) in &exchanges {
            black_box(evaluate(black_box(board), *mv));
        }
        exchanges.len() as u64
    })
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let depth = spec.depth.unwrap_or(DEPTH);
    // The published counts are of middlegames.
    let positions = phases(&spec.positions).swap_remove(0).positions;
    let asked = search_all(&positions, (depth, &features()), Heard::Exchanges, asked::take)?;
    if asked.sample.is_empty() {
        let message =
            format!("no exchange is evaluated in these searches to depth {depth}; a greater --depth may help");
        return Err(MicroError::BadSpec(message));
    }
    check(&asked.sample)?;
    let mut all = callers(&asked)?;
    all.extend(iterations(&asked)?);
    all.extend(lined_up(&asked));

    let places = places(&spec.boards, Timed::all(), |timed| (timed.name(), TIME));
    let on_sample = |place: &Place<Timed>| run_on(place.board, OnSample { timed: place.work, sample: &asked.sample });
    let rounds = pinned(|| take_turns_at(&places, spec, on_sample))?;
    all.extend(figures(&places, &rounds, "", |_| None));
    all.extend(to_k(&places, &rounds)?);
    Ok(all)
}

/// Compares the forms that are timed with the search's own. The list is left out: it may differ where both kings attack
/// the target.
fn check(sample: &[(Compact, Move)]) -> Result<(), MicroError> {
    let mut board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0))?;
    for (position, mv) in sample {
        position.rebuild(&mut board);
        let expected = see(&board, *mv);
        for timed in Timed::all() {
            let Timed::Published(form) = timed else { continue };
            let found = form.evaluate(Rules::FULL, &board, *mv).value;
            let is_right = if form.is_exact() { found == expected } else { found.0.signum() == expected.0.signum() };
            if !is_right && form != Form::List {
                let (name, setup, Score(expected), Score(found)) = (timed.name(), board.setup(), expected, found);
                let message = format!("{name}: {found} for {mv} in {setup}, but the search's own says {expected}");
                return Err(MicroError::Wrong(message));
            }
        }
    }
    Ok(())
}

/// Features of the searches.
fn features() -> Features {
    FEATURES.parse::<Recipe>().expect("a test reads them").features
}

/// Askers by their row of table 4.2.
const ROWS: [(&str, &[Asker]); 4] = [
    ("selective move ordering", &[Asker::Ordering, Asker::Quiescence]),
    ("interactive pawn evaluation", &[Asker::Evaluation]),
    ("selective alpha-pruning", &[Asker::Pruning]),
    ("fractional search extensions", &[Asker::Extensions]),
];

/// Calls by who asks.
fn callers(asked: &Asked) -> Result<Vec<Figure>, MicroError> {
    let rows: Vec<Caller> = CALLERS.rows()?;
    let published: u64 = rows.iter().map(|row| row.calls).sum();
    let total = asked.calls.iter().sum::<u64>();
    let calls = |askers: &[Asker]| askers.iter().map(|asker| asked.calls[*asker as usize]).sum::<u64>();
    let share = |name: &str, askers: &[Asker]| {
        Figure::new("calls", format!("share of {name}"), Unit::Share, calls(askers) as f64 / total as f64)
    };
    let of_row = |&(name, askers): &(&str, &[Asker])| {
        let theirs = rows.iter().find(|row| row.caller == name).map(|row| row.calls as f64 / published as f64);
        share(name, askers).beside(theirs, CALLERS.source)
    };
    let all = Figure::new("calls", "calls", Unit::Count, total as f64);
    let of_quiescence = share("quiescence", &[Asker::Quiescence]);
    Ok([all].into_iter().chain(ROWS.iter().map(of_row)).chain([of_quiescence]).collect())
}

/// Calls by the iteration at which they end.
fn iterations(asked: &Asked) -> Result<Vec<Figure>, MicroError> {
    let rows: Vec<EndsAt> = ITERATIONS.rows()?;
    debug_assert!(rows.iter().zip(1..).all(|(row, iteration)| row.iteration == iteration));
    let mut all = Vec::new();
    for (who, which) in [("all calls", &asked.all), ("calls for a lesser victim", &asked.lesser_victims)] {
        type Pick = fn(&EndsAt) -> u64;
        let columns: [(&str, &ByIteration, Pick); 2] =
            [("K+QN", &which.without_ql, |row| row.without_ql), ("K+QN+QL", &which.with_ql, |row| row.with_ql)];
        for (stops, ours, pick) in columns {
            let of = format!("{who}, {stops}");
            let theirs: Vec<u64> = rows.iter().map(pick).collect();
            let (published, source) = (Some(&theirs[..]), ITERATIONS.source);
            let histogram = Histogram { of: &of, smallest: 1, ours, published, source };
            let mut mean = histogram.mean("mean iteration at the end");
            if mean.estimate.is_nan() {
                mean.estimate = 0.0; // no call is of this kind
            }
            all.push(mean);
            all.extend(histogram.shares(|iteration| format!("ends at iteration {iteration}")));
        }
    }
    Ok(all)
}

/// Calls that get another value, or another sign, if nobody hides behind a dearer piece.
fn lined_up(asked: &Asked) -> [Figure; 2] {
    let calls = asked.all.with_ql.iter().sum::<u64>() as f64;
    let share = |what: &str, count: u64| {
        Figure::new("all calls, lined up", format!("share with another {what}"), Unit::Share, count as f64 / calls)
    };
    [share("value", asked.lined_up[0]), share("sign", asked.lined_up[1])]
}

/// Times in relation to the form with a window that stops at K only.
fn to_k(places: &[Place<Timed>], rounds: &Rounds) -> Result<Vec<Figure>, MicroError> {
    let rows: Vec<Time> = STOPS.rows()?;
    let k = Timed::Published(Form::Window(K));
    let ratio = |(entry, place): (usize, &Place<Timed>)| {
        let lower = places.iter().position(|other| other.work == k && other.board == place.board)?;
        let published = place.work.published(&rows).filter(|_| place.board == MAGIC);
        let figure = place.measured(format!("{TIME}, to K's"), Unit::Ratio, rounds.ratio(entry, lower));
        Some(figure.beside(published, STOPS.source))
    };
    Ok(places.iter().enumerate().filter(|(_, place)| place.work != k).filter_map(ratio).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_and_every_asker_has_its_place() {
        let rows: Vec<Caller> = CALLERS.rows().unwrap();
        assert!(rows.iter().map(|row| row.caller.as_str()).eq(ROWS.iter().map(|(name, _)| *name)));
        let mut asked = Asked::default();
        for (asker, calls) in
            [(Asker::Ordering, 50), (Asker::Quiescence, 13), (Asker::Evaluation, 21), (Asker::Pruning, 16)]
        {
            asked.calls[asker as usize] = calls;
        }
        let figures = callers(&asked).unwrap();
        let of = |pick: fn(&Figure) -> Option<f64>| -> Vec<i64> {
            figures[1..5].iter().filter_map(pick).map(|share| (100.0 * share).round() as i64).collect()
        };
        assert_eq!(of(|figure| Some(figure.estimate)), [63, 21, 16, 0]);
        assert_eq!(of(|figure| figure.published), [63, 21, 16, 1]);
    }

    #[test]
    fn published_times_are_related_to_k() {
        let rows: Vec<Time> = STOPS.rows().unwrap();
        let ratios: Vec<Option<i64>> =
            Timed::all().map(|timed| timed.published(&rows).map(|ratio| (100.0 * ratio).round() as i64)).collect();
        assert_eq!(ratios, [None, None, None, Some(100), Some(98), Some(85), Some(81)]);
    }

    #[test]
    fn the_windows_that_are_timed_are_those_that_are_named() {
        let windows = [K, K_QN, K_QL, K_QN_QL].map(|stops| Timed::Published(Form::Window(stops)));
        assert!(Timed::all().skip(3).eq(windows));
    }

    /// 10 752 377 iterations of 5 078 017 calls.
    #[test]
    fn published_iterations_have_their_mean() {
        let asked = Asked::default();
        let figures = iterations(&asked).unwrap();
        let published: Vec<f64> = figures
            .iter()
            .filter(|figure| figure.figure.starts_with("mean"))
            .filter_map(|figure| figure.published)
            .collect();
        assert!((published[1] - 10_752_377.0 / 5_078_017.0).abs() < 1e-9, "{published:?}");
    }
}
