//! Colours of paper, text and rules, and how lines are broken: what everything is drawn with.

/// Colour in shares of red, green and blue.
pub(super) type Colour = (u8, u8, u8);

/// Colour of text and axes.
pub(super) const INK: Colour = (0x1D, 0x22, 0x27);
/// Colour of text that matters less.
pub(super) const FAINT_INK: Colour = (0x5B, 0x66, 0x70);
/// Colour of the lines of the grid.
pub(super) const GRID: Colour = (0xE4, 0xE8, 0xEB);
/// Colour of lines that data are compared with.
pub(super) const REFERENCE: Colour = (0x9A, 0xA4, 0xAB);
/// Colour of paper.
pub(super) const PAPER: Colour = (0xFF, 0xFF, 0xFF);

/// Variables of a page's style sheet that stand for these colours, so that a page in the dark redraws its charts.
pub(super) const VARIABLES: [(&str, Colour); 5] =
    [("--ink", INK), ("--muted", FAINT_INK), ("--grid", GRID), ("--rule", REFERENCE), ("--card", PAPER)];

/// Pattern of a broken line: lengths of dash and gap, in units; empty for a solid line.
pub(super) type Dash = &'static [f64];

pub(super) const SOLID: Dash = &[];
