//! Commands of the universal chess interface, as an engine receives them.
//!
//! Words that are not known are passed over, as the protocol asks for, and so are numbers that are none.

use std::time::Duration;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The engine is to name itself and its options.
    Uci,
    /// Further information is wanted, or no longer.
    Debug(bool),
    /// The engine is to answer as soon as it has done all before.
    IsReady,
    /// An option, and its value if it has one.
    SetOption(String, Option<String>),
    /// The next position is of another game.
    NewGame,
    /// A position, by its FEN unless it is that of the start, and the moves that follow it.
    Position(Option<String>, Vec<String>),
    /// The engine is to search.
    Go(Box<Go>),
    /// The engine is to end its search.
    Stop,
    /// The opponent has played the move that the engine searches after.
    PonderHit,
    /// The engine is to show the position.
    Show,
    /// The engine is to tell what its evaluation says of the position, term by term.
    Evaluate,
    /// The engine is to end.
    Quit,
}

/// Limits and tasks of a `go` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Time that is left to White and to Black.
    pub time: [Option<Duration>; 2],
    /// Time that White and Black get for each move.
    pub increment: [Duration; 2],
    /// Moves until more time is given.
    pub moves_to_go: Option<u32>,
    /// The move is told only when the search is stopped.
    pub is_infinite: bool,
    /// The opponent is still to move: no time passes for us.
    pub is_pondering: bool,
    /// Moves that may be played; all, if there are none.
    pub moves: Vec<String>,
    /// A mate in so many moves ends the search.
    pub mate: Option<u32>,
    /// Depth to which lines are counted instead of a search.
    pub perft: Option<u32>,
    /// Names of limits whose value is no number, and words that are no limits.
    pub misunderstood: Vec<String>,
}

impl Go {
    /// Depth as which an iteration is told: never beyond the depth asked for, although a worker that leaves out depths
    /// or runs ahead of the others may be at a deeper one.
    pub fn told_depth(&self, depth: u32) -> u32 {
        self.depth.map_or(depth, |asked| depth.min(asked.max(1)))
    }
}

impl Command {
    /// The command of a line; nothing if the line has none.
    pub fn of(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        // What comes before the first known word is passed over.
        (0..words.len()).find_map(|place| Self::of_words(words[place], &words[place + 1..]))
    }

    fn of_words(name: &str, rest: &[&str]) -> Option<Self> {
        Some(match name {
            "uci" => Self::Uci,
            "debug" => Self::Debug(rest.first() != Some(&"off")),
            "isready" => Self::IsReady,
            "setoption" => return option(rest),
            "ucinewgame" => Self::NewGame,
            "position" => return position(rest),
            "go" => Self::Go(Box::new(Go::of(rest))),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "d" => Self::Show,
            "eval" => Self::Evaluate,
            "quit" => Self::Quit,
            _ => return None,
        })
    }
}

/// `name NAME [value VALUE]`; both may have several words.
fn option(words: &[&str]) -> Option<Command> {
    let name = words.strip_prefix(&["name"])?;
    let end = name.iter().position(|word| *word == "value").unwrap_or(name.len());
    let value = name.get(end + 1..).map(|value| value.join(" "));
    (end > 0).then(|| Command::SetOption(name[..end].join(" "), value))
}

/// `startpos` or `fen FEN`, then `moves` and the moves.
fn position(words: &[&str]) -> Option<Command> {
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let fen = match words[..end].split_first()? {
        (&"startpos", _) => None,
        (&"fen", fen) => Some(fen.join(" ")),
        _ => return None,
    };
    let moves = words.get(end + 1..).unwrap_or_default().iter().map(|mv| (*mv).to_owned()).collect();
    Some(Command::Position(fen, moves))
}

/// Words of `go` that are no values.
const LIMITS: [&str; 13] = [
    "infinite",
    "ponder",
    "searchmoves",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "perft",
];

impl Go {
    fn of(words: &[&str]) -> Self {
        let mut go = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.is_infinite = true,
                "ponder" => go.is_pondering = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| is_move(word)) {
                        go.moves.push(mv.to_owned());
                    }
                }
                limit => {
                    let value = words.next_if(|word| !LIMITS.contains(word));
                    if !go.set(limit, value) {
                        let words = [Some(limit), value].into_iter().flatten().collect::<Vec<_>>();
                        go.misunderstood.push(words.join(" "));
                    }
                }
            }
        }
        go
    }

    /// Sets a limit of this name; whether there is one, and its value is a number.
    fn set(&mut self, limit: &str, value: Option<&str>) -> bool {
        fn put<T>(place: &mut Option<T>, value: Option<T>) -> bool {
            *place = value;
            place.is_some()
        }
        let time = milliseconds(value.as_ref());
        match limit {
            "depth" => put(&mut self.depth, number(value.as_ref())),
            "nodes" => put(&mut self.nodes, number(value.as_ref())),
            "movetime" => put(&mut self.move_time, time),
            "wtime" => put(&mut self.time[0], time),
            "btime" => put(&mut self.time[1], time),
            "winc" => time.map(|time| self.increment[0] = time).is_some(),
            "binc" => time.map(|time| self.increment[1] = time).is_some(),
            "movestogo" => put(&mut self.moves_to_go, number(value.as_ref())),
            "mate" => put(&mut self.mate, number(value.as_ref())),
            "perft" => put(&mut self.perft, number(value.as_ref())),
            _ => false,
        }
    }

    /// The search that is made of it, for this side (0 for White): to depth 1 where nothing that was understood would
    /// ever end it.
    pub fn within_limits(mut self, mover: usize) -> Self {
        let has_limit = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some() || self.perft.is_some();
        let has_time = self.move_time.is_some() || self.time[mover].is_some();
        if !self.misunderstood.is_empty() && !self.is_infinite && !has_limit && !has_time {
            self.depth = Some(1);
        }
        self
    }

    /// Whether its move is kept back at first.
    pub fn is_held(&self) -> bool {
        self.is_infinite || self.is_pondering
    }

    /// Whether nothing but a stop ends the search.
    pub fn is_endless(&self) -> bool {
        let has_time = self.move_time.is_some() || self.time.iter().any(Option::is_some);
        let has_limit = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some() || self.perft.is_some();
        self.is_infinite || !has_time && !has_limit
    }
}

/// Whether a word looks like a move: two squares, and perhaps a piece.
fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_square = |at: usize| matches!(bytes[at], b'a'..=b'h') && matches!(bytes[at + 1], b'1'..=b'8');
    matches!(bytes.len(), 4 | 5) && is_square(0) && is_square(2)
}

fn number<T: std::str::FromStr>(word: Option<&&str>) -> Option<T> {
    word?.parse().ok()
}

/// A time in milliseconds. Some programs that lose on time tell of a negative one.
fn milliseconds(word: Option<&&str>) -> Option<Duration> {
    let milliseconds: i64 = number(word)?;
    Some(Duration::from_millis(milliseconds.max(0) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_understood() {
        for (line, expected) in [
            ("uci", Some(Command::Uci)),
            ("  joho   isready \t now", Some(Command::IsReady)),
            ("debug off", Some(Command::Debug(false))),
            ("debug", Some(Command::Debug(true))),
            ("setoption name Clear Hash", Some(Command::SetOption("Clear Hash".to_owned(), None))),
            (
                "setoption name Features value modern, -null-move",
                Some(Command::SetOption("Features".to_owned(), Some("modern, -null-move".to_owned()))),
            ),
            ("setoption name X value", Some(Command::SetOption("X".to_owned(), Some(String::new())))),
            ("setoption value 3", None),
            ("setoption name", None),
            ("position startpos", Some(Command::Position(None, Vec::new()))),
            (
                "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2 c1c2",
                Some(Command::Position(
                    Some("8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned()),
                    vec!["a1a2".to_owned(), "c1c2".to_owned()],
                )),
            ),
            ("position", None),
            ("position e2e4", None),
            ("", None),
            ("\u{fffd}\0 nonsense", None),
        ] {
            assert_eq!(Command::of(line), expected, "{line}");
        }
    }

    #[test]
    fn searches_are_understood() {
        let go = |line: &str| match Command::of(line) {
            Some(Command::Go(go)) => *go,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(go("go"), Go::default());
        assert_eq!(
            go("go wtime 1000 btime -5 winc 10 binc x movestogo 7 ponder"),
            Go {
                time: [Some(Duration::from_secs(1)), Some(Duration::ZERO)],
                increment: [Duration::from_millis(10), Duration::ZERO],
                moves_to_go: Some(7),
                is_pondering: true,
                misunderstood: vec!["binc x".to_owned()],
                ..Go::default()
            }
        );
        assert_eq!(
            go("go searchmoves e2e4 e7e8q depth 5 nodes 99999999999 mate 3"),
            Go {
                moves: vec!["e2e4".to_owned(), "e7e8q".to_owned()],
                depth: Some(5),
                nodes: Some(99_999_999_999),
                mate: Some(3),
                ..Go::default()
            }
        );
        let misunderstood = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let forever = go("go infinite depth").within_limits(0);
        let expected = Go { is_infinite: true, misunderstood: misunderstood(&["depth"]), ..Go::default() };
        assert_eq!(forever, expected, "it was asked for");
        let cases: [(&str, &[&str], Option<u32>); 8] = [
            ("go depth -3", &["depth -3"], Some(1)),
            ("go movetime abc", &["movetime abc"], Some(1)),
            ("go depth 5 searchmoves e2e4 zzzz", &["zzzz"], Some(5)),
            ("go depth movetime 20", &["depth"], None),
            ("go wtime 1000 btime x", &["btime x"], None),
            ("go wtime x btime 1000", &["wtime x"], Some(1)),
            ("go ponder wtime x btime y", &["wtime x", "btime y"], Some(1)),
            ("go depth 99999999999", &["depth 99999999999"], Some(1)),
        ];
        for (line, words, depth) in cases {
            let found = go(line).within_limits(0);
            assert_eq!((found.misunderstood, found.depth), (misunderstood(words), depth), "{line}");
        }
        assert_eq!(go("go movetime 20 perft 4").perft, Some(4));
        assert_eq!(go("go depth 99999999999").depth, None);
    }
}
