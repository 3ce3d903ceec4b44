//! What a question came to.

use std::time::Duration;

use alidade_draw::marks::{Seen, Shape};
use alidade_picture::Picture;
use serde::Serialize;

/// The answer to one question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the agent said.
    pub text: String,
    /// What it marked, best first.
    pub marks: Vec<Seen>,
    /// Several places were equally good, and it asked which one was meant.
    pub ambiguous: bool,
    /// It looked for something and did not find it.
    pub not_found: bool,
    /// The picture the places belong to, as it was sent.
    pub picture: Option<Picture>,
    /// From the question to the end of the answer.
    pub took: Duration,
}

/// An answer as one line of JSON: coordinates 0 to 1 of the picture, best first.
#[derive(Debug, Serialize)]
pub struct Written {
    /// What the agent said.
    pub answer: String,
    /// `[x, y, width, height]` each.
    pub boxes: Vec<[f64; 4]>,
    /// `[x, y]` each.
    pub points: Vec<[f64; 2]>,
    /// See [`Answer::ambiguous`].
    pub ambiguous: bool,
    /// See [`Answer::not_found`].
    pub not_found: bool,
    /// Milliseconds from the question to the end of the answer.
    pub ms: u64,
}

impl Answer {
    /// The answer in the form that is written to files.
    #[must_use]
    pub fn written(&self) -> Written {
        let mut boxes = Vec::new();
        let mut points = Vec::new();
        for seen in &self.marks {
            match seen.mark.shape {
                Shape::Box(a) => boxes.push([a.x, a.y, a.width, a.height].map(rounded)),
                Shape::Point(s) => points.push([s.x, s.y].map(rounded)),
            }
        }
        Written {
            answer: self.text.clone(),
            boxes,
            points,
            ambiguous: self.ambiguous,
            not_found: self.not_found,
            ms: self.took.as_millis().try_into().unwrap_or(u64::MAX),
        }
    }
}

/// A millionth of a picture is far below a pixel.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
