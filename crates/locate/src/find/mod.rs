//! All ways of looking, and one ranked answer.

use alidade_picture::Area;

/// How something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// Its words stand there.
    Text,
    /// Words that mean the same stand there.
    Meaning,
    /// An object detector knows it.
    Object,
    /// By its colour.
    Colour,
    /// By its shape.
    Shape,
    /// A control without text of its own.
    Control,
}

/// One place that answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where, normalised to the picture.
    pub area: Area,
    /// What stands there, or what it is: "Save As…", "dog".
    pub says: String,
    /// How it was found.
    pub way: Way,
    /// 0 to 1: the share of such answers that are right.
    pub sure: f32,
}

/// The answer to "where is it?".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Best first. Empty: it is not there.
    pub found: Vec<Found>,
    /// Several different places are equally good; ask which.
    pub ambiguous: bool,
}
