//! The boards that there are, in one list of types and names, and generic code run on the board that a user has chosen.

use super::board::{Board, Footprint, Unsupported};
use super::setup::Setup;
use super::zobrist::Keys;
use crate::choices::{choices, unknown_name};
use crate::suggestion::WordError;

/// Work that is generic over the board.
///
/// ```
/// use splitpoint_engine::chess::choice::{BoardChoice, OnBoard};
/// use splitpoint_engine::chess::{Board, Keys, Setup, Unsupported};
///
/// struct CountMoves;
/// impl OnBoard for CountMoves {
///     type Output = Result<usize, Unsupported>;
///
///     fn on<B: Board>(self) -> Self::Output {
///         Ok(B::set_up(&Setup::start(), Keys::of_seed(0))?.count_legal_moves())
///     }
/// }
///
/// let board = BoardChoice::from_names("bitboards", Some("ray")).unwrap();
/// assert_eq!(board.run(CountMoves), Ok(20));
/// assert!(BoardChoice::from_names("bitbords", None).is_err());
/// ```
pub trait OnBoard {
    /// Result of the work.
    type Output;

    /// Does the work on boards of this type.
    fn on<B: Board>(self) -> Self::Output;
}

/// Declares the boards: the one that slides by look-up, with its sliding methods, then the others, each by the path of
/// its type in this room and its name, and then those that serve comparisons, for which no searches are compiled here:
/// see [`compiled`](crate::compiled). The first token, a dollar, stands for itself in the macros that this one defines.
macro_rules! boards {
    (
        $d:tt
        $(#[doc = $sliding_meaning:literal])+
        $sliding_room:ident::$Sliding:ident $sliding:literal, by default $default:ident {
            $( $(#[doc = $sliders_meaning:literal])+ $Sliders:ident $sliders:literal, )+
        }
        $( $(#[doc = $meaning:literal])+ $room:ident::$Board:ident $name:literal, )*
        to compare with {
            $( $(#[doc = $other_meaning:literal])+ $other_room:ident::$Other:ident $other:literal, )*
        }
    ) => {
        choices! {
            /// Sliding method of bitboards: how the attacks of bishops and rooks are looked up.
            pub enum SlidersChoice, "sliding method of bitboards", by default $default;
            $( $(#[doc = $sliders_meaning])+ $Sliders $sliders, )+
        }

        /// Board representation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum BoardChoice {
            $(#[doc = $sliding_meaning])+ $Sliding(SlidersChoice),
            $( $(#[doc = $meaning])+ $Board, )*
            $( $(#[doc = $other_meaning])+ $Other, )*
        }

        impl BoardChoice {
            /// Names of the representations, the default first.
            pub const NAMES: &'static [&'static str] = &[$sliding, $( $name, )* $( $other, )*];

            /// Every representation with every sliding method.
            pub fn all() -> impl Iterator<Item = Self> {
                let others = [$( Self::$Board, )* $( Self::$Other, )*];
                SlidersChoice::ALL.iter().copied().map(Self::$Sliding).chain(others)
            }

            /// Name of the representation on the command line, in files and in records.
            pub const fn name(self) -> &'static str {
                match self {
                    Self::$Sliding(_) => $sliding,
                    $( Self::$Board => $name, )*
                    $( Self::$Other => $other, )*
                }
            }

            /// Sliding method, if the representation has several.
            pub const fn sliders(self) -> Option<SlidersChoice> {
                match self {
                    Self::$Sliding(sliders) => Some(sliders),
                    _ => None,
                }
            }

            /// Does something on boards of the chosen type.
            pub fn run<T: OnBoard>(self, task: T) -> T::Output {
                use super::$sliding_room::{$Sliding, sliders};
                match self {
                    $( Self::$Sliding(SlidersChoice::$Sliders) => task.on::<$Sliding<sliders::$Sliders>>(), )+
                    $( Self::$Board => task.on::<super::$room::$Board>(), )*
                    $( Self::$Other => task.on::<super::$other_room::$Other>(), )*
                }
            }

            /// Does something on boards of the chosen type, unless they serve comparisons.
            pub(crate) fn run_if_usual<T: OnBoard>(self, task: T) -> Option<T::Output> {
                use super::$sliding_room::{$Sliding, sliders};
                match self {
                    $( Self::$Sliding(SlidersChoice::$Sliders) => Some(task.on::<$Sliding<sliders::$Sliders>>()), )+
                    $( Self::$Board => Some(task.on::<super::$room::$Board>()), )*
                    $( Self::$Other => None, )*
                }
            }
        }

        /// Calls a function that is generic over the board on every board that this processor can run.
        ///
        /// ```
        /// use splitpoint_engine::chess::{Board, Keys, Setup};
        ///
        /// fn has_20_moves<B: Board>(setup: &Setup) {
        ///     assert_eq!(B::set_up(setup, Keys::of_seed(0)).unwrap().count_legal_moves(), 20);
        /// }
        ///
        /// splitpoint_engine::on_every_board!(has_20_moves(&Setup::start()));
        /// ```
        #[macro_export]
        macro_rules! on_every_board {
            ($d function:ident($d($d argument:expr),*)) => {{
                use $crate::chess::choice::{BoardChoice, SlidersChoice};
                use $crate::chess::$sliding_room::{$Sliding, sliders};
                $( if BoardChoice::$Sliding(SlidersChoice::$Sliders).check().is_ok() {
                    $d function::<$Sliding<sliders::$Sliders>>($d($d argument),*);
                } )+
                $( $d function::<$crate::chess::$room::$Board>($d($d argument),*); )*
                $( $d function::<$crate::chess::$other_room::$Other>($d($d argument),*); )*
            }};
        }

        /// Calls a function that is generic over the sliding method for each of them.
        #[cfg(test)]
        macro_rules! on_all_sliders {
            ($d function:ident) => {{ $( $d function::<$crate::chess::$sliding_room::sliders::$Sliders>(); )+ }};
        }
        #[cfg(test)]
        pub(super) use on_all_sliders;
    };
}

boards! { $
    /// Sets of squares, one for each kind of piece and each colour, beside an array of squares.
    bitboards::Bitboards "bitboards", by default Magic {
        /// Three rotated copies of the occupied squares, updated incrementally.
        Rotated "rotated",
        /// Multiplication by a magic number gives the place of the attacks in a table.
        Magic "magic",
        /// The BMI2 instruction PEXT gives the place of the attacks in a table.
        Pext "pext",
        /// Arithmetic on each line, with almost no tables.
        Ray "ray",
    }
    /// A board of bytes with a guard border, and lists of pieces.
    mailbox::Mailbox "mailbox",
    to compare with {
        /// An array of 64 bytes, and nothing else.
        plain::Array "array",
        /// 16 x 8 cells, where the number of a cell tells whether it is on the board, and lists of pieces.
        plain::X88 "0x88",
        /// The 0x88 board, with lists that are read from their ends.
        plain::X88Reversed "0x88-reversed",
        /// The 0x88 board, with doubly linked lists.
        plain::X88Linked "0x88-linked",
        /// 64 bytes with a table of the next square in each direction, and lists of pieces.
        plain::Borderless "borderless",
        /// Bitboards with a set for each kind and colour, twelve and two.
        bitboards::Pieces "pieces",
        /// The seventeen sets of the 2004 thesis: a set for each kind and colour, two of colours, three rotated ones.
        bitboards::RotatedPieces "pieces-rotated",
        /// Bitboards that keep all squares that either side attacks.
        bitboards::AttackMaps "attack-maps",
        /// Magic bitboards with tables of equal parts for all squares.
        bitboards::MagicHomogeneous "magic-homogeneous",
        /// Magic bitboards with tables of single lines.
        bitboards::MagicLines "magic-lines",
        /// Bitboards whose sliders take away what lies beyond each blocker.
        bitboards::BlockersAndBeyond "blockers-and-beyond",
    }
}

impl BoardChoice {
    /// The board with these names. Without a name for the sliders they are the default ones, where there are any.
    pub fn from_names(board: &str, sliders: Option<&str>) -> Result<Self, WordError> {
        let wanted: SlidersChoice = sliders.map(str::parse).transpose()?.unwrap_or_default();
        let choice = Self::all()
            .find(|choice| choice.name() == board && choice.sliders().is_none_or(|own| own == wanted))
            .ok_or_else(|| unknown_name(board, "board", Self::NAMES))?;
        match sliders {
            Some(name) if choice.sliders().is_none() => {
                Err(WordError::new(format!("board '{board}' has no sliding methods: leave out '{name}'")))
            }
            _ => Ok(choice),
        }
    }

    /// Whether this processor can run boards of the chosen type.
    pub fn check(self) -> Result<(), Unsupported> {
        struct SetUp;
        impl OnBoard for SetUp {
            type Output = Result<(), Unsupported>;

            fn on<B: Board>(self) -> Self::Output {
                B::set_up(&Setup::start(), Keys::of_seed(0)).map(|_| ())
            }
        }
        self.run(SetUp)
    }

    /// Bytes of a board of the chosen type, and what they are for.
    pub fn footprint(self) -> Footprint {
        struct Measure;
        impl OnBoard for Measure {
            type Output = Footprint;

            fn on<B: Board>(self) -> Footprint {
                B::footprint()
            }
        }
        self.run(Measure)
    }
}

impl std::fmt::Display for BoardChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.sliders() {
            Some(sliders) => write!(f, "{} ({sliders})", self.name()),
            None => f.write_str(self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_found_by_its_names() {
        for choice in BoardChoice::all() {
            let sliders = choice.sliders().map(SlidersChoice::name);
            assert_eq!(BoardChoice::from_names(choice.name(), sliders), Ok(choice));
        }
        assert_eq!(BoardChoice::from_names("bitboards", None).unwrap().to_string(), "bitboards (magic)");
        assert_eq!(BoardChoice::from_names("mailbox", None).unwrap().to_string(), "mailbox");
    }

    #[test]
    fn an_unknown_name_is_refused() {
        let error = |board, sliders| BoardChoice::from_names(board, sliders).unwrap_err().to_string();
        let names = BoardChoice::NAMES.join(", ");
        assert_eq!(
            error("mailbx", None),
            format!("'mailbx' is not a board: expected {names}; did you mean 'mailbox'?")
        );
        assert_eq!(
            error("bitboards", Some("rays")),
            "'rays' is not a sliding method of bitboards: expected rotated, magic, pext, ray; did you mean 'ray'?"
        );
        assert_eq!(error("mailbox", Some("ray")), "board 'mailbox' has no sliding methods: leave out 'ray'");
    }
}
