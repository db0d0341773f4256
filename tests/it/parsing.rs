//! Bad input of any kind: an error, never a panic, and what is accepted is written back as it was.

use splitpoint::chess::epd::Epd;
use splitpoint::chess::fen::{FenError, START};
use splitpoint::chess::mailbox::Mailbox;
use splitpoint::chess::setup::IllegalPosition;
use splitpoint::chess::suites::{SUITES, Suite};
use splitpoint::chess::{Board, Color, Keys, MoveList, PieceKind, Setup, Square};
use splitpoint::random::SplitMix;

use crate::on_every_board;

/// What is accepted can be played on by every board.
fn can_be_played<B: Board>(setup: &Setup) {
    let mut board = B::set_up(setup, Keys::of_seed(0)).unwrap();
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    board.moves(&mut list);
    list.clear();
    board.legal_moves(&mut list);
    if let Some(mv) = list.first() {
        let _ = board.make(*mv);
        assert!(board.is_consistent());
    }
}

fn try_text(text: &str) -> bool {
    let _ = Epd::parse(text);
    let Ok(setup) = text.parse::<Setup>() else { return false };
    assert_eq!(setup.to_string().parse::<Setup>().as_ref(), Ok(&setup), "{text}");
    on_every_board!(can_be_played(&setup));
    true
}

#[test]
fn random_bytes_never_panic() {
    let mut random = SplitMix::new(8);
    for _ in 0..20_000 {
        let length = random.below(90) as usize;
        let bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        try_text(&String::from_utf8_lossy(&bytes));
        // Bytes of the alphabet of FEN come further.
        const ALPHABET: &[u8] = b"pnbrqkPNBRQK12345678/// wb-KQkqabcdefgh36 0123456789;\"";
        let text: String =
            (0..length).map(|_| ALPHABET[random.below(ALPHABET.len() as u64) as usize] as char).collect();
        try_text(&text);
    }
}

#[test]
fn mutated_fens_never_panic() {
    let mut random = SplitMix::new(9);
    let fens: Vec<String> = SUITES.iter().flat_map(Suite::positions).map(|epd| epd.setup.to_string()).collect();
    let mut accepted = 0;
    for _ in 0..40_000 {
        let mut text: Vec<char> = fens[random.below(fens.len() as u64) as usize].chars().collect();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len() as u64) as usize;
            const ALPHABET: &[u8] = b"pnbrqkPNBRQK12345678/ wb-0369aceh\xC3";
            let c = ALPHABET[random.below(ALPHABET.len() as u64) as usize] as char;
            match random.below(4) {
                0 => text[at] = c,
                1 => text.insert(at, c),
                2 if text.len() > 1 => drop(text.remove(at)),
                _ => {
                    let other = random.below(text.len() as u64) as usize;
                    text.swap(at, other);
                }
            }
        }
        accepted += usize::from(try_text(&text.into_iter().collect::<String>()));
    }
    assert!(accepted > 1_000, "only {accepted} mutated positions were legal: the mutation is too wild to test much");
}

#[test]
fn fens_survive_a_round_trip() {
    for epd in SUITES.iter().flat_map(Suite::positions) {
        let fen = epd.setup.to_string();
        assert_eq!(fen.parse::<Setup>().unwrap().to_string(), fen);
        assert_eq!(Epd::parse(&epd.to_string()).as_ref(), Ok(&epd));
    }
    let double_push = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(double_push.parse::<Setup>().unwrap().to_string(), double_push);
    let board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
    assert_eq!(board.setup().to_string(), START);
}

#[test]
fn an_error_names_the_field_and_the_character() {
    let cases = [
        ("", "field 1 (piece placement), character 1: the text ends, expected eight ranks of eight squares"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1",
            "field 1 (piece placement), character 43: found 'X', expected a piece (PNBRQK or pnbrqk) or a number \
             of empty squares (1-8)",
        ),
        (
            "rnbqkbnr/ppppppp/8/8/8/8/8/8 w - - 0 1",
            "field 1 (piece placement), character 17: found '/', but this rank has fewer than eight squares",
        ),
        (
            "rnbqkbnr/ppppppppp/8/8/8/8/8/8 w - - 0 1",
            "field 1 (piece placement), character 18: found 'p', but this rank has eight squares already: expected '/'",
        ),
        (
            "rnbqkbnr/ppppp4/8/8/8/8/8/8 w - - 0 1",
            "field 1 (piece placement), character 15: found '4', but this rank has fewer squares left",
        ),
        ("8/8/8/8/8/8/8/8", "field 2 (side to move), character 16: the text ends, expected 'w' or 'b'"),
        ("8/8/8/8/8/8/8/8 x", "field 2 (side to move), character 17: found 'x', expected 'w' or 'b'"),
        (
            "8/8/8/8/8/8/8/8 w",
            "field 3 (castling rights), character 18: the text ends, expected some of KQkq, or '-' for none",
        ),
        (
            "8/8/8/8/8/8/8/8 w KQ",
            "field 4 (en passant square), character 21: the text ends, expected the square a pawn has just passed \
             (a3-h3, a6-h6), or '-'",
        ),
        (
            "8/8/8/8/8/8/8/8 w KX - 0 1",
            "field 3 (castling rights), character 20: found 'X', expected some of KQkq, or '-' for none",
        ),
        (
            "8/8/8/8/8/8/8/8 w KK - 0 1",
            "field 3 (castling rights), character 20: found 'K', but this right was given before",
        ),
        (
            "8/8/8/8/8/8/8/8 w - e4 0 1",
            "field 4 (en passant square), character 22: found '4', expected the square a pawn has just passed (a3-h3, \
             a6-h6), or '-'",
        ),
        ("8/8/8/8/8/8/8/8 w - - x 1", "field 5 (halfmove clock), character 23: found 'x', expected a number"),
        (
            "8/8/8/8/8/8/8/8 w - - 0",
            "field 6 (move number), character 24: the text ends, expected the number of the move",
        ),
        ("8/8/8/8/8/8/8/8 w - - 0 1x", "field 6 (move number), character 26: found 'x', expected a digit"),
        ("8/8/8/8/8/8/8/8 w - - 0 1 x", "after the last field, character 27: found 'x', expected the end of the text"),
        (
            "8/8/8/8/8/8/8/8 w - - 99999999999 1",
            "field 5 (halfmove clock), character 32: found '9', but the number is too large",
        ),
    ];
    for (fen, message) in cases {
        assert_eq!(fen.parse::<Setup>().unwrap_err().to_string(), message, "{fen}");
    }
}

#[test]
fn illegal_positions_are_refused_with_the_reason() {
    use IllegalPosition as Why;
    let cases = [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", Why::NoKing(Color::White)),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", Why::SeveralKings(Color::White, 2)),
        ("4k3/8/8/8/8/8/8/4KP2 w - - 0 1", Why::PawnOnLastRank(Square::F1)),
        ("4kp2/8/8/8/8/8/8/4K3 w - - 0 1", Why::PawnOnLastRank(Square::F8)),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", Why::OpponentInCheck(Color::Black)),
        ("4k3/8/8/8/8/8/8/3K4 w - - 0 0", Why::Fullmove(0)),
        ("4k3/8/8/8/8/8/8/3K4 w - - 151 90", Why::HalfmoveClock(151)),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", Why::TooMany(Color::Black, PieceKind::Pawn)),
        ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", Why::TooMany(Color::White, PieceKind::Queen)),
        ("4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1", Why::TooMany(Color::White, PieceKind::Bishop)),
        ("4k3/8/8/8/8/8/PPPPPPP1/NNN1KNN1 w - - 0 1", Why::TooMany(Color::White, PieceKind::Knight)),
        ("4k3/8/8/8/8/8/PPPPPPPP/RRRRK3 w - - 0 1", Why::TooMany(Color::White, PieceKind::Rook)),
    ];
    for (fen, why) in cases {
        assert_eq!(fen.parse::<Setup>(), Err(FenError::Illegal(why)), "{fen}");
    }
    let texts = [
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "illegal position: castling right K: there is no R on h1"),
        ("r3k3/8/8/8/8/8/8/R2K4 w Q - 0 1", "illegal position: castling right Q: there is no K on e1"),
        (
            "4k3/8/8/8/8/8/8/4K3 b - e3 0 1",
            "illegal position: en passant square e3: there is no pawn in front of it that could have \
             made a double step",
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
            "illegal position: en passant square e3: it is on the wrong rank for the side to move",
        ),
        (
            "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1",
            "illegal position: en passant square e3: the squares of the double step are not empty",
        ),
        ("4k3/8/8/8/4P2Q/8/8/4K2R b - e3 0 1", ""),
        (
            "3k4/8/8/8/4P2Q/8/8/4K3 b - e3 0 1",
            "illegal position: en passant square e3: the check against the side to move cannot result from a \
             double step",
        ),
    ];
    for (fen, message) in texts {
        let result = fen.parse::<Setup>().map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(result, message, "{fen}");
    }
    // A check that the double step uncovered, or gives itself, is possible.
    assert!("8/8/8/2k5/3P4/8/8/4K3 b - d3 0 1".parse::<Setup>().is_ok());
    assert!("4k3/8/8/8/1k2P2R/8/8/4K3 b - e3 0 1".parse::<Setup>().is_err());
    assert!("8/8/8/8/3P3k/8/8/B3K3 b - d3 0 1".parse::<Setup>().is_ok());
    assert!("7k/8/8/8/8/8/8/B3K3 b - - 0 1".parse::<Setup>().is_ok());
}
