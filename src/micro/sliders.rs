//! Sliding methods by the phase of the game. *Blockers and beyond* takes away what lies beyond each blocker, one after
//! the other: "slow with many pieces, fast with few" (Szabo 2023, section 3.1.5). Magic bitboards take the same time
//! whatever stands on the board, and a ray looks for the first blocker of each of four lines.

use std::hint::black_box;

use super::by_board::on;
use super::listened::endgames;
use super::turns::{Entry, take_turns};
use super::{Figure, MAGIC, Micro, MicroError, Spec, Takes, Unit, pinned};
use crate::chess::bitboards::sliders::{Beyond, Magic, Ray, Slider, Sliders};
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::chess::epd::Epd;
use crate::chess::suites::Suite;
use crate::chess::{Square, SquareSet};
use crate::random::SplitMix;

/// Micro-measurement of sliding methods.
pub const MICRO: Micro = Micro {
    name: "sliders",
    title: "sliding by phase of the game",
    about: "Time to look up what a rook and a bishop attack from every square, by blockers and beyond, by magic \
            multiplication and along rays, in openings, middlegames and endgames; and the number of blockers that are \
            taken one after the other.",
    published: &[],
    takes: Takes { boards: false, positions: true, depth: None },
    is_averaged: false,
    measure,
    print: None,
    check: None,
    verdict: None,
};

/// Suites of the openings and the middlegames.
const SUITES: [&str; 2] = ["balanced-200", "thesis-10"];
/// Number of look-ups in a pass.
const LOOK_UPS: usize = 8_192;
/// Fewest pieces of an opening.
const OF_OPENING: usize = 30;
/// Sliding methods, the one that others are compared with first.
const METHODS: [BoardChoice; 3] = [MAGIC, BoardChoice::Bitboards(SlidersChoice::Ray), BoardChoice::BlockersAndBeyond];

/// Question what a slider attacks from a square.
type LookUp = (Slider, Square, SquareSet);

/// Openings, middlegames and endgames that ship, or the positions that are asked for.
fn phases(asked: &[Epd]) -> Vec<(&'static str, Vec<Epd>)> {
    if !asked.is_empty() {
        return vec![("positions given", asked.to_vec())];
    }
    let [openings, middlegames] = SUITES.map(|name| Suite::named(name).map(Suite::positions).unwrap_or_default());
    let openings = openings.into_iter().filter(|epd| epd.setup.pieces().count() >= OF_OPENING).collect();
    vec![("opening", openings), ("middlegame", middlegames), ("endgame", endgames())]
}

/// Look-ups of both sliders on all squares of the positions.
fn all_look_ups(positions: &[Epd]) -> Vec<LookUp> {
    let of_position = |epd: &Epd| {
        let occupied: SquareSet = epd.setup.pieces().map(|(square, _)| square).collect();
        [Slider::Rook, Slider::Bishop]
            .into_iter()
            .flat_map(move |slider| Square::all().map(move |from| (slider, from, occupied)))
    };
    positions.iter().flat_map(of_position).collect()
}

/// Some of them drawn at random, those of rooks first: which slider it is can be foreseen. How often a loop is passed
/// cannot, since there are as many in every phase, and more than a processor remembers.
fn drawn(all: &[LookUp], seed: u64) -> Vec<LookUp> {
    let mut random = SplitMix::new(seed);
    let number = if all.is_empty() { 0 } else { LOOK_UPS };
    let mut drawn: Vec<LookUp> = (0..number).map(|_| all[random.below(all.len() as u64) as usize]).collect();
    drawn.sort_by_key(|(slider, ..)| *slider == Slider::Bishop);
    drawn
}

/// Number of pieces on the lines of a slider that are not at the edge: passes of the loop of blockers and beyond.
fn blockers(&(slider, from, occupied): &LookUp) -> u32 {
    (occupied & slider.mask(from)).len()
}

/// Pass over the look-ups by a sliding method.
fn over<S: Sliders<Occupied = SquareSet>>(sliders: S, look_ups: &[LookUp]) -> Entry<'_> {
    Entry::new(move || {
        for &(slider, from, occupied) in look_ups {
            let (from, occupied) = black_box((from, occupied));
            black_box(match slider {
                Slider::Rook => sliders.rook(from, occupied),
                Slider::Bishop => sliders.bishop(from, occupied),
            });
        }
        look_ups.len() as u64
    })
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let mut all = Vec::new();
    for (phase, positions) in phases(&spec.positions) {
        let all_look_ups = all_look_ups(&positions);
        let sum = |of: &dyn Fn(&LookUp) -> u32| all_look_ups.iter().map(|look_up| f64::from(of(look_up))).sum::<f64>();
        let (number, pieces) = (all_look_ups.len().max(1) as f64, sum(&|(_, _, occupied)| occupied.len()));
        all.push(Figure::new(phase, "positions", Unit::Count, positions.len() as f64));
        all.push(Figure::new(phase, "mean pieces", Unit::Count, pieces / number));
        all.push(Figure::new(phase, "mean blockers of a look-up", Unit::Count, sum(&blockers) / number));
        let look_ups = drawn(&all_look_ups, spec.seed);
        let (magic, ray, beyond) = (Magic::prepare()?, Ray::prepare()?, Beyond::prepare()?);
        let rounds = pinned(|| {
            let mut entries = [over(magic, &look_ups), over(ray, &look_ups), over(beyond, &look_ups)];
            Ok(take_turns(&mut entries, spec.time, spec.seed))
        })?;
        for (entry, board) in METHODS.into_iter().enumerate() {
            let time = Figure::measured(phase, "time of a look-up", Unit::Nanoseconds, rounds.time(entry));
            all.push(on(board, time));
        }
        for (entry, board) in METHODS.into_iter().enumerate().skip(1) {
            let ratio = Figure::measured(phase, "time of a look-up, to magic's", Unit::Ratio, rounds.ratio(entry, 0));
            all.push(on(board, ratio));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_fewer_blockers_towards_the_endgame() {
        let mean = |(_, positions): &(&str, Vec<Epd>)| {
            let look_ups = all_look_ups(positions);
            assert!(positions.len() >= 7 && look_ups.len() == positions.len() * 128);
            assert_eq!(drawn(&look_ups, 1).len(), LOOK_UPS);
            look_ups.iter().map(blockers).sum::<u32>() as f64 / look_ups.len() as f64
        };
        let means: Vec<f64> = phases(&[]).iter().map(mean).collect();
        assert!(means.len() == 3 && means.is_sorted_by(|more, less| more > less), "{means:?}");
    }

    #[test]
    fn all_methods_answer_alike() {
        let (magic, ray, beyond) = (Magic::prepare().unwrap(), Ray::prepare().unwrap(), Beyond::prepare().unwrap());
        for (slider, from, occupied) in all_look_ups(&phases(&[])[1].1) {
            let expected = slider.attacks(from, occupied);
            let found = match slider {
                Slider::Rook => [magic.rook(from, occupied), ray.rook(from, occupied), beyond.rook(from, occupied)],
                Slider::Bishop => {
                    [magic.bishop(from, occupied), ray.bishop(from, occupied), beyond.bishop(from, occupied)]
                }
            };
            assert_eq!(found, [expected; 3], "{slider:?} {from}");
        }
    }
}
