//! What the boards cost, side by side in one run: perft against an independent library, making and taking back moves,
//! copying, generating, and the questions that a search asks most.
//!
//! `cargo bench --bench rules` runs all, `cargo bench --bench rules -- make` what has "make" in its title.

mod contest;

use std::hint::black_box;

use contest::{Contest, Unit, Work};
use cozy_chess::Board as Cozy;
use splitpoint::chess::choice::OnBoard;
use splitpoint::chess::perft::{Leaves, perft};
use splitpoint::chess::see::see;
use splitpoint::chess::suites::{Suite, position};
use splitpoint::chess::{Board, Compact, Keys, Move, MoveList, Setup};

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let run = |title: &str, bench: &dyn Fn(&str)| {
        if title.contains(&wanted) {
            bench(title);
        }
    };
    for (id, depth) in [("start", 5), ("kiwipete", 4), ("reul-open", 5)] {
        for leaves in [Leaves::Made, Leaves::Counted] {
            run(&format!("perft {id} {depth}, leaves {leaves:?}"), &|title| perft_contest(title, id, depth, leaves));
        }
    }
    let thesis = setups("thesis-10");
    let endings: Vec<Setup> = ["rook-endgame-pins", "reul-open"].iter().map(|id| position(id).unwrap().setup).collect();
    for (name, setups) in [("thesis-10", &thesis), ("endings", &endings)] {
        run(&format!("make and unmake every legal move, {name}"), &|title| on_boards(title, setups, MakeUnmake));
        run(&format!("copy and make every legal move, {name}"), &|title| on_boards(title, setups, CopyMake));
        run(&format!("hand over the whole board, {name}"), &|title| on_boards(title, setups, HandOverWhole));
        run(&format!("hand over squares and state, {name}"), &|title| on_boards(title, setups, HandOverCompact));
        run(&format!("generate all pseudo-legal moves, {name}"), &|title| on_boards(title, setups, GenerateAll));
        run(&format!("generate captures and promotions, {name}"), &|title| on_boards(title, setups, GenerateNoisy));
        run(&format!("legality test of every pseudo-legal move, {name}"), &|title| on_boards(title, setups, Legality));
        run(&format!("is the side to move in check, {name}"), &|title| on_boards(title, setups, InCheck));
        run(&format!("exchange value of every capture, {name}"), &|title| on_boards(title, setups, Exchange));
        run(&format!("mobility of every piece, {name}"), &|title| on_boards(title, setups, Mobility));
    }
}

fn setups(suite: &str) -> Vec<Setup> {
    Suite::named(suite).unwrap().positions().into_iter().map(|epd| epd.setup).collect()
}

fn board<B: Board>(setup: &Setup) -> B {
    B::set_up(setup, Keys::of_seed(0)).unwrap()
}

// Perft.

fn perft_contest(title: &str, id: &str, depth: u32, leaves: Leaves) {
    #[derive(Clone)]
    struct Counting<'a>(&'a Setup, u32, Leaves);
    impl OnBoard for Counting<'_> {
        type Output = Work<'static>;

        fn on<B: Board>(self) -> Self::Output {
            let Self(setup, depth, leaves) = self;
            let mut board: B = board(setup);
            Box::new(move || perft(&mut board, depth, leaves))
        }
    }
    let setup = position(id).unwrap().setup;
    let mut contest = Contest::new(title, Unit::Rate);
    contest.enter_boards(Counting(&setup, depth, leaves));
    let cozy: Cozy = setup.to_string().parse().unwrap();
    contest.enter("cozy-chess", move || cozy_perft(&cozy, depth, leaves));
    contest.run("cozy-chess");
}

fn cozy_perft(board: &Cozy, depth: u32, leaves: Leaves) -> u64 {
    let mut nodes = 0;
    if depth == 1 && leaves == Leaves::Counted {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += if depth == 1 {
                black_box(&child);
                1
            } else {
                cozy_perft(&child, depth - 1, leaves)
            };
        }
        false
    });
    nodes
}

// Everything else: the same small piece of work on each board.

/// How often a piece of work is repeated within a round.
const REPEATS: usize = 2_000;

/// A position with its moves.
struct Prepared<B> {
    board: B,
    legal: Vec<Move>,
    pseudo_legal: Vec<Move>,
    in_check: bool,
}

/// Work on a position. Says how many pieces of work it was.
trait Job {
    fn on<B: Board>(&self, position: &mut Prepared<B>) -> usize;
}

macro_rules! job {
    ($name:ident, |$position:ident| $work:expr) => {
        #[derive(Clone, Copy)]
        struct $name;
        impl Job for $name {
            fn on<B: Board>(&self, $position: &mut Prepared<B>) -> usize {
                $work
            }
        }
    };
}

job!(MakeUnmake, |position| {
    for &mv in &position.legal {
        let undo = position.board.make(mv);
        black_box(&mut position.board);
        position.board.unmake(mv, undo);
    }
    position.legal.len()
});
job!(CopyMake, |position| {
    for &mv in &position.legal {
        let mut child = position.board.clone();
        let _ = child.make(mv);
        black_box(&mut child);
    }
    position.legal.len()
});
job!(HandOverWhole, |position| {
    let mut helper = position.board.clone();
    black_box(&mut helper);
    1
});
job!(HandOverCompact, |position| {
    // Packed by the owner, unpacked by a helper whose board was somewhere else.
    let packed = black_box(Compact::of(black_box(&position.board)));
    packed.rebuild(&mut position.board);
    black_box(&mut position.board);
    1
});
job!(GenerateAll, |position| {
    let mut list = MoveList::new();
    black_box(&position.board).moves(&mut list);
    black_box(&list).len()
});
job!(GenerateNoisy, |position| {
    let mut list = MoveList::new();
    black_box(&position.board).noisy_moves(&mut list);
    black_box(&list);
    1
});
job!(Legality, |position| {
    for &mv in &position.pseudo_legal {
        black_box(black_box(&position.board).is_legal(mv, position.in_check));
    }
    position.pseudo_legal.len()
});
job!(InCheck, |position| {
    black_box(black_box(&position.board).in_check());
    1
});
job!(Exchange, |position| {
    let captures = position.legal.iter().filter(|mv| mv.is_capture());
    captures.fold(0, |count, mv| {
        black_box(see(black_box(&position.board), *mv));
        count + 1
    })
});
job!(Mobility, |position| {
    let board = black_box(&position.board);
    splitpoint::chess::Piece::all().flat_map(|piece| board.squares_of(piece)).fold(0, |count, square| {
        black_box(board.mobility(square));
        count + 1
    })
});

fn on_boards(title: &str, setups: &[Setup], job: impl Job + Copy + 'static) {
    #[derive(Clone)]
    struct Repeated<'a, J>(&'a [Setup], J);
    impl<J: Job + Clone + 'static> OnBoard for Repeated<'_, J> {
        type Output = Work<'static>;

        fn on<B: Board>(self) -> Self::Output {
            let Self(setups, job) = self;
            let mut prepared: Vec<Prepared<B>> = setups.iter().map(prepare).collect();
            Box::new(move || {
                let mut done = 0;
                for position in &mut prepared {
                    for _ in 0..REPEATS {
                        done += job.on(position);
                    }
                }
                done as u64
            })
        }
    }
    let mut contest = Contest::new(title, Unit::Each);
    contest.enter_boards(Repeated(setups, job));
    contest.run("bitboards (magic)");
}

fn prepare<B: Board>(setup: &Setup) -> Prepared<B> {
    let board: B = board(setup);
    let [mut legal, mut pseudo_legal] = [MoveList::new(), MoveList::new()];
    board.legal_moves(&mut legal);
    board.moves(&mut pseudo_legal);
    let in_check = board.in_check();
    Prepared { board, legal: legal.to_vec(), pseudo_legal: pseudo_legal.to_vec(), in_check }
}
