//! Exchanges that a search asks for, gathered by listening to its board: who asks, after how many iterations the
//! published form ends, and a sample on which forms can be timed.

use std::cell::RefCell;

use crate::chess::see::forms::{Form, Stops, lined_up};
use crate::chess::see::{Asker, Rules, value};
use crate::chess::{Board, Compact, Move};

/// Most iterations that are told apart.
pub const MOST_ITERATIONS: usize = 12;
/// Number of exchanges in the sample at most: few enough for their boards to stay in a near cache.
const SAMPLE: usize = 256;

/// Calls by the iteration at which they end, from the first.
pub type ByIteration = [u64; MOST_ITERATIONS];

/// Calls of one kind by the iteration at which they end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// With K and QN.
    pub without_ql: ByIteration,
    /// With K, QN and QL.
    pub with_ql: ByIteration,
}

/// Exchanges that were asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Number of calls by who asks.
    pub calls: [u64; Asker::ALL.len()],
    /// All calls to order captures.
    pub all: Ends,
    /// Calls for captures of a piece that is worth less than the one that captures, and for moves that capture nothing.
    pub lesser_victims: Ends,
    /// Number of calls to order captures that get another value if hidden pieces are lined up, and another sign.
    pub lined_up: [u64; 2],
    /// Exchanges at equal distances, the whole search over.
    pub sample: Vec<(Compact, Move)>,
    /// Distance of the exchanges of the sample.
    every: u64,
}

impl Default for Asked {
    fn default() -> Self {
        let (calls, all, lesser_victims, lined_up) = Default::default();
        Self { calls, all, lesser_victims, lined_up, sample: Vec::new(), every: 1 }
    }
}

thread_local! {
    static ASKED: RefCell<Asked> = RefCell::default();
}

/// Takes what has been gathered on this thread.
pub fn take() -> Asked {
    ASKED.take()
}

/// Gathers an exchange on this thread.
pub fn gather<B: Board>(board: &B, mv: Move, asker: Asker) {
    // Neither quiet moves nor steps of whichever side are what the published counts are of.
    if !matches!(asker, Asker::Ordering | Asker::Quiescence) {
        return ASKED.with_borrow_mut(|asked| asked.calls[asker as usize] += 1);
    }
    let [exact, by_sign] = [false, true].map(|quality| {
        let stops = Stops { king: true, quantity: true, quality };
        Form::Window(stops).evaluate(Rules::FULL, board, mv)
    });
    let [without_ql, with_ql] = [exact, by_sign].map(|found| found.iterations as usize);
    let assumed = lined_up(Rules::FULL, board, mv);
    let has_lesser_victim =
        mv.promoted().is_none() && mv.captured().is_none_or(|victim| value(victim) < value(mv.piece()));
    ASKED.with_borrow_mut(|asked| {
        asked.add_to_sample(|| (Compact::of(board), mv));
        asked.calls[asker as usize] += 1;
        let kinds = [Some(&mut asked.all), has_lesser_victim.then_some(&mut asked.lesser_victims)];
        asked.lined_up[0] += u64::from(assumed != exact.value);
        asked.lined_up[1] += u64::from(assumed.0.signum() != exact.value.0.signum());
        for ends in kinds.into_iter().flatten() {
            ends.without_ql[without_ql.min(MOST_ITERATIONS) - 1] += 1;
            ends.with_ql[with_ql.min(MOST_ITERATIONS) - 1] += 1;
        }
    });
}

impl Asked {
    /// Number of calls about captures to be searched.
    fn captures(&self) -> u64 {
        self.calls[Asker::Ordering as usize] + self.calls[Asker::Quiescence as usize]
    }

    /// Adds an exchange if its turn has come. When the sample is full, every other one is dropped, and from then on
    /// only every other one is taken.
    fn add_to_sample(&mut self, exchange: impl FnOnce() -> (Compact, Move)) {
        let number = self.captures();
        if !number.is_multiple_of(self.every) {
            return;
        }
        if self.sample.len() == SAMPLE {
            let mut place = 0;
            self.sample.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.every *= 2;
            if !number.is_multiple_of(self.every) {
                return;
            }
        }
        self.sample.push(exchange());
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::histogram::mean;
    use super::super::super::listened::{Heard, phases, search_all};
    use super::*;
    use crate::chess::mailbox::Mailbox;
    use crate::chess::{Keys, MoveList, Setup};

    #[test]
    fn a_search_asks_for_exchanges_of_legal_captures() {
        let positions = phases(&[]).remove(0).positions;
        let asked = search_all(&positions[..3], (4, &super::super::features()), Heard::Exchanges, take).unwrap();
        let total = asked.captures();
        assert!(asked.calls.iter().all(|calls| *calls > 0), "{:?}", asked.calls);
        assert_eq!(asked.all.with_ql.iter().sum::<u64>(), total);
        let [values, signs] = asked.lined_up;
        assert!(signs <= values && 0 < values && values < total / 20, "{values} and {signs} of {total}");
        assert_eq!(asked.all.without_ql[0], asked.all.with_ql[0], "QL stops no call at the first iteration");
        let lesser = &asked.lesser_victims;
        assert_eq!(lesser.without_ql[1], lesser.with_ql[1], "nor at the second, if the victim is worth less");
        assert!(mean(&asked.all.with_ql, 1) < mean(&asked.all.without_ql, 1));
        assert!((SAMPLE / 2..=SAMPLE).contains(&asked.sample.len()), "{}", asked.sample.len());
        for (position, mv) in &asked.sample {
            let mut board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
            position.rebuild(&mut board);
            let mut list = MoveList::new();
            board.moves(&mut list);
            assert!(list.contains(mv) && mv.is_capture(), "{} {mv}", board.setup());
        }
    }

    #[test]
    fn the_sample_is_spread_evenly() {
        let mut asked = Asked::default();
        let board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
        let mut list = MoveList::new();
        board.moves(&mut list);
        for number in 0..10_000 {
            asked.add_to_sample(|| (Compact::of(&board), list[number % list.len()]));
            asked.calls[0] += 1;
        }
        // 256 x 64 is more than 10 000, 256 x 32 is less.
        assert_eq!((asked.every, asked.sample.len()), (64, 10_000_usize.div_ceil(64)));
        assert_eq!(asked.sample[3].1, list[3 * 64 % list.len()]);
    }
}
