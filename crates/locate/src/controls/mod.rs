//! Controls of a graphical interface, by their boxes: with or without a text inside.

use alidade_picture::{Area, Picture};

/// What a box looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Filled or outlined box, often with a short text: button, menu entry, tab, list row.
    Box,
    /// Empty or text-holding entry, light inside, wider than high.
    Field,
    /// Small square, with or without a tick.
    Checkbox,
    /// Small circle, with or without a dot.
    Radio,
    /// Small picture without text.
    Icon,
}

/// A candidate; many are false, so it never is an answer alone.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    /// Normalised.
    pub(crate) area: Area,
    /// What it looks like.
    pub(crate) kind: Kind,
    /// 0 to 1.
    pub(crate) sure: f32,
}

/// Boxes in a screen picture. `texts` are the areas of read lines: a text inside a box belongs to it, and
/// text itself is no icon. RGB picture.
pub(crate) fn boxes(_picture: &Picture, _texts: &[Area]) -> Vec<Control> {
    Vec::new()
}
