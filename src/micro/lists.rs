//! How many pieces the mailbox's lists hold when they are read, and how far its rays go, in fixed searches: tables 2.3
//! and 2.4. They explain why a mailbox gets faster towards the endgame: lists are shorter, and that outweighs longer
//! rays. Beside them: captures among the moves made (footnote 17), and what the order of lists would change.

use serde::Deserialize;

use super::histogram::Histogram;
use super::list_order::Orders;
use super::listened::{Counts, Heard, phases, search_all, take};
use super::published::{CAPTURES, LISTS, Published, RAYS};
use super::{Figure, Micro, MicroError, Spec, Takes, Unit};
use crate::search::features::Preset;

/// Micro-measurement of lists and rays.
pub const MICRO: Micro = Micro {
    name: "lists",
    title: "lists and rays of a mailbox",
    about: "Number of pieces in a list of the mailbox each time it is read, number of empty cells on each ray, \
            captures among moves made, and exchanges that the order of lists would change, in fixed searches of \
            middlegames and endgames.",
    published: &[LISTS.source, RAYS.source, CAPTURES.source],
    takes: Takes { boards: false, positions: true, depth: Some(DEPTH) },
    is_averaged: false,
    measure,
    print: None,
    check: None,
    verdict: None,
};

const DEPTH: u32 = 5;

/// Row of table 2.3 or 2.4.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Row {
    #[serde(alias = "pieces", alias = "steps")]
    size: usize,
    middlegame: u64,
    endgame: u64,
}

/// Row of footnote 17.
#[derive(Clone, Debug, Deserialize)]
struct MovesRow {
    phase: String,
    captures: f64,
}

/// Published counts of a phase, by size; none for positions that are not of a phase.
fn published(table: &Published, phase: &str) -> Result<Option<Vec<u64>>, MicroError> {
    let rows: Vec<Row> = table.rows()?;
    debug_assert!(rows.iter().enumerate().all(|(size, row)| row.size == size));
    Ok(match phase {
        "middlegame" => Some(rows.iter().map(|row| row.middlegame).collect()),
        "endgame" => Some(rows.iter().map(|row| row.endgame).collect()),
        _ => None,
    })
}

/// Figures of one histogram beside a published one.
fn figures(phase: &str, what: [&str; 2], counts: &[u64], table: &Published) -> Result<Vec<Figure>, MicroError> {
    let published = published(table, phase)?;
    let [things, unit] = what;
    let total = Figure::new(phase, things, Unit::Count, counts.iter().sum::<u64>() as f64);
    let source = table.source;
    let histogram = Histogram { of: phase, smallest: 0, ours: counts, published: published.as_deref(), source };
    let mean = histogram.mean(format!("mean {unit} of {things}"));
    let deviation = histogram.deviation(format!("standard deviation of {unit} of {things}"));
    let shares = histogram.shares(|size| format!("{things} with {size} {unit}"));
    Ok([total, mean, deviation].into_iter().chain(shares).collect())
}

/// Share of captures, and what the order of lists would change in exchanges.
fn of_moves(phase: &str, counts: &Counts) -> Result<Vec<Figure>, MicroError> {
    let rows: Vec<MovesRow> = CAPTURES.rows()?;
    let published = rows.iter().find(|row| row.phase == phase).map(|row| row.captures);
    let share =
        |figure: &str, part: u64, of: u64| Figure::new(phase, figure, Unit::Share, part as f64 / of.max(1) as f64);
    let Orders { exchanges, pieces, values, values_by_rooks } = counts.orders;
    Ok(vec![
        share("captures among moves made", counts.captures, counts.moves).beside(published, CAPTURES.source),
        Figure::new(phase, "exchanges", Unit::Count, exchanges as f64),
        share("exchanges in which another piece captures in the order of lists", pieces, exchanges),
        share("exchanges that have another value in the order of lists", values, exchanges),
        share("exchanges that have another value because of the order of rooks", values_by_rooks, exchanges),
    ])
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let depth = spec.depth.unwrap_or(DEPTH);
    let mut all = Vec::new();
    for phase in phases(&spec.positions) {
        let counts = search_all(&phase.positions, (depth, &Preset::Thesis.features()), Heard::Lists, take)?;
        all.extend(figures(&phase.name, ["lists", "pieces"], &counts.lists, &LISTS)?);
        all.extend(figures(&phase.name, ["rays", "empty cells"], &counts.rays, &RAYS)?);
        all.extend(of_moves(&phase.name, &counts)?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::histogram::{deviation, mean};
    use super::super::listened::{Listener, hear};
    use super::*;
    use crate::chess::mailbox::{ListBoard, Untallied};
    use crate::chess::perft::{Leaves, perft};
    use crate::chess::{Board, Color, Keys, Piece, PieceKind, Square};

    /// Means and standard deviations that follow from the table. Printed are 1.45 and 1.00, 0.60 and 0.63 of lists, and
    /// 1.20 and 1.00, 1.80 and 1.30 of rays.
    #[test]
    fn published_means_follow_from_the_counts() {
        let expected = [
            (LISTS, "middlegame", [1.405, 1.014]),
            (LISTS, "endgame", [0.590, 0.851]),
            (RAYS, "middlegame", [1.271, 1.635]),
            (RAYS, "endgame", [1.902, 1.784]),
        ];
        for (table, phase, expected) in expected {
            let counts = published(&table, phase).unwrap().unwrap();
            let found = [mean(&counts, 0), deviation(&counts, 0)];
            assert!((0..2).all(|at| (found[at] - expected[at]).abs() < 0.0006), "{phase}: {found:?}");
        }
    }

    #[test]
    fn a_board_that_counts_has_the_same_moves_and_the_same_size() {
        let epd = crate::chess::suites::position("kiwipete").unwrap();
        let mut board = ListBoard::<Listener>::set_up(&epd.setup, Keys::of_seed(0)).unwrap();
        assert_eq!(perft(&mut board, 3, Leaves::Counted), 97_862);
        assert_eq!(size_of_val(&board), size_of::<ListBoard<Untallied>>());
    }

    /// A queen on d4 with a pawn on d6, and what is asked about them.
    #[test]
    fn lists_and_rays_counted_by_hand() {
        let setup = "8/8/3p4/8/3Q4/7k/8/K7 w - - 0 1".parse().unwrap();
        let board = ListBoard::<Listener>::set_up(&setup, Keys::of_seed(0)).unwrap();
        hear(Heard::Lists);
        take();
        // Empty cells up to the pawn 1, down 3, right 4, left 3, to h8 4, towards the king on a1 2, to g1 3, to a7 3.
        assert_eq!(board.attacks_from(Square::D4).len(), 25);
        let rays = take().rays;
        assert_eq!(rays, [0, 1, 1, 4, 2, 0, 0, 0]);
        let _ = board.squares_of(Piece::new(Color::White, PieceKind::Queen)).count();
        let _ = board.squares_of(Piece::new(Color::White, PieceKind::Pawn)).count();
        let _ = board.squares_of(Piece::new(Color::White, PieceKind::King)).count();
        let lists = take().lists;
        assert_eq!(lists[..3], [1, 1, 0], "the king's is no list");
    }
}
