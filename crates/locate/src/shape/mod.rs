//! Plain shapes, and the things that printed labels belong to.

mod near;
mod outline;
mod pieces;
mod segments;

use alidade_picture::{Area, Picture};

use crate::colour::Colour;
pub(crate) use near::things_near;
use outline::Blob;

/// A shape of everyday language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    Round,
    Square,
    Rectangle,
    Triangle,
}

impl Shape {
    /// The shape a word names ("round", "circle", "rectangular" …).
    pub(crate) fn named(word: &str) -> Option<Self> {
        let word = word.trim().to_lowercase();
        let one = word.strip_suffix('s').unwrap_or(&word);
        Some(match one {
            "round" | "circle" | "circular" | "disc" | "disk" | "dot" | "oval" | "ring" => {
                Self::Round
            }
            "square" => Self::Square,
            "rectangle" | "rectangular" | "oblong" | "bar" | "strip" => Self::Rectangle,
            "triangle" | "triangular" => Self::Triangle,
            _ => return None,
        })
    }
}

/// Something of a plain outline.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    /// Its bounding box, normalised.
    pub(crate) area: Area,
    /// What it looks like.
    pub(crate) shape: Shape,
    /// 0 to 1.
    pub(crate) sure: f32,
}

/// Something compact that a label belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    /// Its bounding box, normalised.
    pub(crate) area: Area,
    /// Likeness to an ellipse, 0 to 1; a square has about 0.84.
    pub(crate) round: f32,
    /// The colour that sets it off from what is around.
    pub(crate) colour: Option<Colour>,
    /// 0 to 1.
    pub(crate) sure: f32,
}

/// Outlines in one answer.
const MOST: usize = 60;

/// Outlines in the picture, surest first; of one colour where one is asked for. RGB picture. About 0.2 s.
pub(crate) fn outlines(picture: &Picture, colour: Option<Colour>) -> Vec<Outline> {
    let pieces = match colour {
        Some(colour) => pieces::of_colour(picture, colour),
        None => pieces::pieces(picture),
    };
    let Some(pieces) = pieces else {
        return Vec::new();
    };
    let whole = (pieces.raster.width * pieces.raster.height) as f32;
    let mut found: Vec<(f32, Outline)> = Vec::new();
    for blob in &pieces.blobs {
        if blob.width() < 5 || blob.height() < 5 || blob.count as f32 > 0.4 * whole {
            continue;
        }
        let Some((shape, sure)) = form(blob) else {
            continue;
        };
        let [left, top, right, bottom] = blob.bounds.map(|v| v as f64);
        let outline = Outline {
            area: pieces.raster.area(left, top, right, bottom),
            shape,
            sure,
        };
        // A large clear shape before a small one that is as clear.
        let size = (blob.count as f32 / whole).sqrt().min(0.3);
        found.push((sure + 0.5 * size, outline));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<Outline> = Vec::new();
    for (_, outline) in found {
        // A knob has a rim, a cap and a shadow: one outline.
        let again = kept
            .iter()
            .any(|k| k.shape == outline.shape && k.area.overlap(&outline.area) > 0.6);
        if !again {
            kept.push(outline);
        }
    }
    kept.truncate(MOST);
    kept
}

/// The shape a blob has, if it has one people have a word for.
fn form(blob: &Blob) -> Option<(Shape, f32)> {
    if blob.solid < 0.85 {
        return None;
    }
    // Few pixels make every shape look like every other.
    let clear = (blob.count as f32 / 150.0).sqrt().min(1.0);
    let grade =
        |value: f32, from: f32, to: f32| ((value - from) / (to - from)).clamp(0.0, 1.0) * clear;
    let round = grade(blob.round, 0.86, 0.96);
    let straight = grade(blob.rectangular, 0.82, 0.95);
    let pointed = grade(blob.triangular, 0.72, 0.9);
    let best = round.max(straight).max(pointed);
    if best < 0.3 {
        return None;
    }
    // Seen from the side a disc is an ellipse, but not a needle.
    Some(if best == pointed && pointed > straight {
        (Shape::Triangle, pointed)
    } else if round >= straight && blob.even > 0.45 {
        (Shape::Round, round)
    } else if straight > 0.0 && blob.even > 0.75 {
        (Shape::Square, straight)
    } else if straight > 0.0 {
        (Shape::Rectangle, straight)
    } else {
        return None;
    })
}

#[cfg(test)]
mod tests;
