//! What there is to see of a position before it is searched: the board, its moves in the order of the search with what
//! exchanges win, what each evaluation says of it term by term, and an exchange step by step.

use std::fmt;

use super::Line;
use crate::chess::bitboards::{Bitboards, sliders::Magic};
use crate::chess::see::forms::{Step, Stops};
use crate::chess::see::{self, Rules, Values, valued_steps};
use crate::chess::{Board, Color, History, Move, MoveList, Numbers, Piece, Score, Setup, Square, SquareSet, notation};
use crate::eval::{Evaluator, Terms};
use crate::machine::{Machine, ThisThread};
use crate::parallel::AnyStrategy;
use crate::search::features::Features;
use crate::search::table::{Scheme, Tables};
use crate::search::{InOrder, Limits, SearchSettings, Session};
use crate::settings::{Kind, Settings};

/// A position that is looked at.
pub struct Look {
    board: Bitboards<Magic>,
    /// Source of the numbers of its key.
    numbers: Numbers,
}

/// A legal move.
pub struct SeenMove {
    /// The move.
    pub mv: Move,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Material that the move wins or loses when both sides go on capturing on its target square.
    pub exchange: Score,
}

/// Score of a position by an evaluation, term by term, from the view of the side to move.
pub struct Assessment {
    /// The evaluation.
    pub evaluator: Evaluator,
    /// Score of the position.
    pub score: Score,
    /// Material of the side to move minus that of its opponent.
    pub material: Score,
    /// Terms by name, each with the amount by which the score falls without it; terms that change nothing are left out.
    pub terms: Vec<(&'static str, Score)>,
}

impl Assessment {
    /// Part of the score that is neither material nor a term: squares of pieces, and effects of terms on one another.
    pub fn rest(&self) -> Score {
        self.terms.iter().fold(self.score - self.material, |rest, (_, term)| rest - *term)
    }

    /// The table of evaluations: a row for each term, a column for each evaluation.
    pub fn table(assessments: &[Self]) -> String {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in assessments.iter().flat_map(|one| &one.terms) {
            if !names.contains(name) {
                names.push(name);
            }
        }
        let width = names.iter().map(|name| name.len()).max().unwrap_or(0).max("material".len());
        let line = |name: &str, entry: &dyn Fn(&Self) -> String| {
            let entry = |one: &Self| format!("  {:>1$}", entry(one), one.evaluator.name().len().max(8));
            let entries: String = assessments.iter().map(entry).collect();
            format!("{name:<width$}{entries}").trim_end().to_owned() + "\n"
        };
        let row = |name: &str, value: &dyn Fn(&Self) -> Option<Score>| {
            line(name, &|one| value(one).map_or(String::new(), |score| score.to_string()))
        };
        let headings = line("", &|one| one.evaluator.name().to_owned());
        let term = |name: &str| row(name, &|one| one.terms.iter().find(|term| term.0 == name).map(|term| term.1));
        let terms: String = names.iter().map(|name| term(name)).collect();
        let material = row("material", &|one| Some(one.material));
        let rest = row("rest", &|one| Some(one.rest()));
        headings + &material + &terms + &rest + &row("score", &|one| Some(one.score))
    }
}

impl Look {
    /// The position at the end of a line of legal moves, as a search with these features knows it.
    pub fn at(line: Line<'_>, features: &Features) -> Self {
        let keys = settings(features).keys();
        let mut board = Bitboards::set_up(line.start, keys).expect("this board needs nothing special");
        for mv in line.moves {
            let _ = board.make(*mv);
        }
        Self { board, numbers: features.keys }
    }

    /// The position as text and in numbers: its fields, and the key by which tables know it (where keys have seeds, of
    /// seed 0).
    pub fn setup(&self) -> (Setup, u64) {
        (self.board.setup(), self.board.key())
    }

    /// The sets of squares that boards of twelve and two sets have, by name: `white pawns`, `black`.
    pub fn sets(&self) -> Vec<(String, SquareSet)> {
        let lower = |words: String| words.to_lowercase();
        let of_piece = |piece: Piece| {
            (lower(format!("{:?} {:?}s", piece.color(), piece.kind())), self.board.squares_of(piece).collect())
        };
        let of_color = |color: Color| {
            let pieces = Piece::all().filter(|piece| piece.color() == color);
            (lower(format!("{color:?}")), pieces.flat_map(|piece| self.board.squares_of(piece)).collect())
        };
        Piece::all().map(of_piece).chain(Color::ALL.map(of_color)).collect()
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.board.in_check()
    }

    /// All legal moves, in the order in which a search with these features tries them when it knows nothing yet.
    pub fn moves(&self, features: &Features) -> Vec<SeenMove> {
        let settings = settings(features);
        let tables = Tables::new(&settings.table(Scheme::None, 0), 1, 1);
        let (past, strategy) = (History::with_capacity(0), AnyStrategy::default());
        let session = Session::new(&self.board, &past, &settings, &tables, &strategy, 1);
        let run = ThisThread.run(&InOrder(&session)).expect("nothing fails");
        let seen = |mv| SeenMove { mv, san: notation::san(&self.board, mv), exchange: see::see(&self.board, mv) };
        run.outputs.into_iter().flatten().map(seen).collect()
    }

    /// The legal move that a text means, in coordinates or in standard algebraic notation.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, text: &str) -> Result<Move, notation::MoveError> {
        let mut list = MoveList::new();
        self.board.legal_moves(&mut list);
        let by_squares = list.iter().copied().find(|mv| mv.to_string() == text);
        by_squares.map_or_else(|| notation::parse_san(&self.board, text), Ok)
    }

    /// The exchange after a legal move in these values, step by step until one of these stops, and its value.
    pub fn exchange(&self, values: &Values, mv: Move, stops: Stops) -> (Vec<Step>, Score) {
        valued_steps(values, stops, Rules::FULL, &self.board, mv)
    }

    /// Assessment by this evaluation with these terms.
    pub fn assess(&self, evaluator: Evaluator, terms: &Terms) -> Assessment {
        let state = evaluator.from_scratch(&self.board);
        let score = |terms: &Terms| state.score(&mut evaluator.cache(terms), &self.board);
        let (whole, us) = (score(terms), self.board.turn());
        let worth = |term: &crate::settings::Setting<Terms>| {
            let mut without = *terms;
            (term.set)(&mut without, 0);
            (term.name, whole - score(&without))
        };
        let switches = Terms::all().iter().filter(|term| term.kind == Kind::Switch && (term.get)(terms) != 0);
        let terms = switches.map(worth).filter(|(_, worth)| *worth != Score(0)).collect();
        Assessment { evaluator, score: whole, material: state.material(us), terms }
    }

    /// Side to move.
    pub fn turn(&self) -> Color {
        self.board.turn()
    }
}

/// Settings of a search with these features, as far as they matter before it begins.
fn settings(features: &Features) -> SearchSettings {
    SearchSettings { features: *features, limits: Limits::depth(1), seed: 0 }
}

/// The board as White sees it, the position as FEN, its key and who is to move.
impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            write!(f, "  {} ", rank + 1)?;
            for file in 0..8 {
                write!(f, " {}", self.board.piece_on(Square::at(file, rank)).map_or('.', Piece::letter))?;
            }
            writeln!(f)?;
        }
        let (setup, key) = self.setup();
        let check = if self.in_check() { ", in check" } else { "" };
        let source = match self.numbers {
            Numbers::Printed | Numbers::PrintedSwapped => format!("keys {}", self.numbers),
            Numbers::Seeded => "seed 0".to_owned(),
            Numbers::Congruential => format!("keys {}, seed 0", self.numbers),
        };
        write!(f, "     a b c d e f g h\n\n{setup}\nkey {key:016x} ({source}); {:?} to move{check}", self.turn())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::suites::SUITES;
    use crate::search::features::Recipe;

    #[test]
    fn a_position_is_seen_as_the_search_sees_it() {
        for (i, epd) in SUITES.iter().flat_map(|suite| suite.positions()).enumerate().step_by(7) {
            let recipe: Recipe = ["thesis", "modern", "sound"][i % 3].parse().unwrap();
            let look = Look::at(Line::from(&epd.setup), &recipe.features);
            let moves = look.moves(&recipe.features);
            assert_eq!(moves.len(), look.board.count_legal_moves(), "{}", epd.setup);
            assert!(moves.iter().all(|seen| look.find(&seen.san) == Ok(seen.mv)), "{}", epd.setup);
            let exact = Stops { king: true, quantity: true, quality: false };
            let agrees = |seen: &SeenMove| look.exchange(&Values::OF_SEARCH, seen.mv, exact).1 == seen.exchange;
            assert!(moves.iter().all(agrees), "{}", epd.setup);
            for &evaluator in Evaluator::ALL {
                let all = look.assess(evaluator, &Terms::DEFAULT);
                let summed = all.terms.iter().fold(all.material + all.rest(), |sum, (_, term)| sum + *term);
                assert_eq!(summed, all.score, "{}", epd.setup);
            }
        }
        let start =
            Look::at(Line::from(&Setup::start()), &Recipe::from(crate::search::features::Preset::Modern).features);
        assert!(start.to_string().starts_with("  8  r n b q k b n r\n  7  p"), "{start}");
        let sets = start.sets();
        assert_eq!(sets.len(), 14);
        let bits = |name: &str| sets.iter().find(|(other, _)| other == name).unwrap().1;
        assert_eq!((bits("white pawns").0, bits("black").0), (0xff00, 0xffff_0000_0000_0000));
        assert_eq!(start.assess(Evaluator::Classical, &Terms::DEFAULT).terms.last().map(|term| term.0), Some("tempo"));
    }
}
