//! Reading: where lines of text are, and what they say.

mod boxes;
mod cache;
mod detect;
mod lines;
mod reader;
mod recognise;
mod strip;

use alidade_picture::Area;

pub(crate) use reader::Reader;

/// A word, as far as spaces show it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Word {
    /// What it says.
    pub text: String,
    /// Ink-tight box, normalised to the picture.
    #[serde(with = "area")]
    pub area: Area,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Line {
    /// What it says.
    pub text: String,
    /// Ink-tight box, normalised to the picture.
    #[serde(with = "area")]
    pub area: Area,
    /// Its words, left to right.
    pub words: Vec<Word>,
    /// Mean confidence of its characters, 0 to 1.
    pub sure: f32,
}

/// Everything that was read.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Reading {
    /// Top to bottom, then left to right.
    pub lines: Vec<Line>,
}

/// Areas as `[x, y, width, height]`.
mod area {
    use alidade_picture::Area;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(area: &Area, to: S) -> Result<S::Ok, S::Error> {
        [area.x, area.y, area.width, area.height].serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Area, D::Error> {
        let [x, y, width, height] = <[f64; 4]>::deserialize(from)?;
        Ok(Area::new(x, y, width, height))
    }
}
