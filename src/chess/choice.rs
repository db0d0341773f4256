//! From names to types: which board a user has chosen, and running generic code on it.

use super::bitboards::Bitboards;
use super::bitboards::sliders::{Magic, Pext, Ray, Rotated, Sliders};
use super::board::{Board, Unsupported};
use super::mailbox::Mailbox;
use crate::choices::UnknownName;

/// A board representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BoardChoice {
    Bitboards(SlidersChoice),
    Mailbox,
}

/// A way to slide on bitboards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SlidersChoice {
    Rotated,
    #[default]
    Magic,
    Pext,
    Ray,
}

/// Something to be done on a board of whatever type.
pub trait OnBoard {
    /// What comes of it.
    type Output;

    /// Does it on boards of this type.
    fn on<B: Board>(self) -> Self::Output;
}

impl SlidersChoice {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rotated, Self::Magic, Self::Pext, Self::Ray];

    /// The name on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rotated => Rotated::NAME,
            Self::Magic => Magic::NAME,
            Self::Pext => Pext::NAME,
            Self::Ray => Ray::NAME,
        }
    }

    /// What it is, in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Rotated => "three turned copies of the occupied squares, kept incrementally",
            Self::Magic => "a multiplication finds the place of the answer",
            Self::Pext => "the BMI2 instruction PEXT finds the place of the answer",
            Self::Ray => "arithmetic on each line, next to no tables",
        }
    }
}

impl BoardChoice {
    /// The names of the representations.
    pub const NAMES: [&'static str; 2] = ["bitboards", "mailbox"];

    /// The board of this name, with these sliders where it has a choice; the usual ones if none are named.
    pub fn from_names(board: &str, sliders: Option<&str>) -> Result<Self, UnknownName> {
        const SLIDERS: &[&str] = &[Rotated::NAME, Magic::NAME, Pext::NAME, Ray::NAME];
        let unknown = |found: &str, what, names| UnknownName { found: found.to_owned(), what, names };
        let found = Self::all().find(|choice| choice.name() == board);
        let found = found.ok_or_else(|| unknown(board, "board", &Self::NAMES))?;
        match sliders {
            Some(name) if found.sliders().is_some() => {
                let sliders = SlidersChoice::ALL.into_iter().find(|sliders| sliders.name() == name);
                sliders.map(Self::Bitboards).ok_or_else(|| unknown(name, "way to slide", SLIDERS))
            }
            None if found.sliders().is_some() => Ok(Self::Bitboards(SlidersChoice::default())),
            _ => Ok(found),
        }
    }

    /// Every representation with every way to slide.
    pub fn all() -> impl Iterator<Item = Self> {
        SlidersChoice::ALL.into_iter().map(Self::Bitboards).chain([Self::Mailbox])
    }

    /// The representation's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bitboards(_) => Self::NAMES[0],
            Self::Mailbox => Self::NAMES[1],
        }
    }

    /// The way to slide, where there is one.
    pub const fn sliders(self) -> Option<SlidersChoice> {
        match self {
            Self::Bitboards(sliders) => Some(sliders),
            Self::Mailbox => None,
        }
    }

    /// Does something on boards of the chosen type.
    pub fn run<T: OnBoard>(self, task: T) -> T::Output {
        match self {
            Self::Bitboards(SlidersChoice::Rotated) => task.on::<Bitboards<Rotated>>(),
            Self::Bitboards(SlidersChoice::Magic) => task.on::<Bitboards<Magic>>(),
            Self::Bitboards(SlidersChoice::Pext) => task.on::<Bitboards<Pext>>(),
            Self::Bitboards(SlidersChoice::Ray) => task.on::<Bitboards<Ray>>(),
            Self::Mailbox => task.on::<Mailbox>(),
        }
    }

    /// Whether this processor can run it.
    pub fn check(self) -> Result<(), Unsupported> {
        match self {
            Self::Bitboards(SlidersChoice::Pext) => Pext::prepare().map(|_| ()),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Display for BoardChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.sliders() {
            Some(sliders) => write!(f, "{} ({})", self.name(), sliders.name()),
            None => f.write_str(self.name()),
        }
    }
}
