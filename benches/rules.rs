use splitpoint::chess::bitboards::{Bitboards, sliders::*};
use splitpoint::chess::mailbox::Mailbox;
use splitpoint::chess::perft::{Leaves, perft};
use splitpoint::chess::*;
use std::time::Instant;

fn run<B: Board>(name: &str, fen: &str, depth: u32, expected: u64) {
    let setup = Setup::from_fen(fen).unwrap();
    let Ok(mut b) = B::set_up(&setup, Keys::of_seed(0)) else { return };
    for leaves in [Leaves::Made, Leaves::Counted] {
        let t = Instant::now();
        let n = perft(&mut b, depth, leaves);
        println!("{name:10} {leaves:?} {n} {} {:.1} M/s", n == expected, n as f64 / t.elapsed().as_secs_f64() / 1e6);
    }
}
fn cozy(b: &cozy_chess::Board, depth: u32, bulk: bool) -> u64 {
    let mut n = 0;
    if depth == 1 && bulk {
        b.generate_moves(|m| {
            n += m.len() as u64;
            false
        });
        return n;
    }
    b.generate_moves(|ms| {
        for m in ms {
            let mut c = b.clone();
            c.play_unchecked(m);
            n += if depth == 1 {
                std::hint::black_box(&c);
                1
            } else {
                cozy(&c, depth - 1, bulk)
            };
        }
        false
    });
    n
}
fn main() {
    for (fen, d, e) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690),
    ] {
        run::<Bitboards<Magic>>("magic", fen, d, e);
        run::<Bitboards<Pext>>("pext", fen, d, e);
        run::<Bitboards<Ray>>("ray", fen, d, e);
        run::<Bitboards<Rotated>>("rotated", fen, d, e);
        run::<Mailbox>("mailbox", fen, d, e);
        let b: cozy_chess::Board = fen.parse().unwrap();
        for bulk in [false, true] {
            let t = Instant::now();
            let n = cozy(&b, d, bulk);
            println!("cozy bulk={bulk} {n} {:.1} M/s", n as f64 / t.elapsed().as_secs_f64() / 1e6);
        }
    }
}
