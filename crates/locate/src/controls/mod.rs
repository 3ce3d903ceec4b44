//! Controls of a graphical interface, by their boxes: with or without a text inside.
//!
//! A screen is taken apart into flat surfaces; rectangles among them are buttons, fields, panels; small
//! squares and discs with a label are boxes to tick; clusters of what is left over are icons; and lines that
//! stand like entries of a menu or words of a bar are entries, though nothing is drawn around them.
//!
//! All of these are candidates. What a control is called stands in its text, which is read elsewhere.

mod classify;
mod field;
mod flat;
mod ink;
mod rect;
mod rows;

use alidade_picture::{Area, Picture};

use crate::colour::Raster;
use classify::Seen;
pub(crate) use field::field_for;
use rect::Rect;

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
    /// Normalised. Of a box to tick, its label included.
    pub(crate) area: Area,
    /// What it looks like.
    pub(crate) kind: Kind,
    /// 0 to 1.
    pub(crate) sure: f32,
    /// Indices of the texts that belong to it, from left to right.
    pub(crate) texts: Vec<usize>,
    /// Whether something is drawn around it; otherwise its edges were inferred from its neighbours.
    pub(crate) drawn: bool,
}

/// Pixels up to which a screen is taken apart at its own resolution; above, at half of it.
const FULL: u64 = 5_300_000;
/// Texts that are looked at.
const MOST_TEXTS: usize = 3000;

/// Boxes in a screen picture, surest first. `texts` are the areas of read lines: a text inside a box belongs to
/// it, and text itself is no icon. RGB picture. About 100 ms for 1920 × 1080.
pub(crate) fn boxes(picture: &Picture, texts: &[Area]) -> Vec<Control> {
    let size = picture.size();
    let side = size.width.max(size.height);
    let side = if size.pixels() > FULL { side / 2 } else { side };
    let Some(raster) = Raster::of(picture, side.max(1)) else {
        return Vec::new();
    };
    let lines: Vec<Rect> = texts
        .iter()
        .take(MOST_TEXTS)
        .map(|area| {
            let [left, top, right, bottom] = raster.pixels(area);
            Rect::new(left as f32, top as f32, right as f32, bottom as f32)
        })
        .collect();
    let seen = classify::controls(&raster, &lines);
    let mut controls: Vec<Control> = seen
        .into_iter()
        .map(
            |Seen {
                 rect,
                 kind,
                 sure,
                 texts,
                 drawn,
             }| Control {
                area: raster.area(
                    f64::from(rect.left),
                    f64::from(rect.top),
                    f64::from(rect.right),
                    f64::from(rect.bottom),
                ),
                kind,
                sure,
                texts,
                drawn,
            },
        )
        .collect();
    controls.sort_by(|a, b| b.sure.total_cmp(&a.sure));
    controls
}

/// The control that a text (its index in the `texts` given to [`boxes`]) is the name of: the button around
/// it, the box to tick before it, the row of the menu it stands in.
pub(crate) fn around(controls: &[Control], text: usize) -> Option<&Control> {
    controls
        .iter()
        .filter(|c| c.texts.contains(&text))
        .min_by(|a, b| {
            // What is drawn counts before what is inferred, then the closest fit.
            b.drawn
                .cmp(&a.drawn)
                .then(a.area.extent().total_cmp(&b.area.extent()))
        })
}

#[cfg(test)]
mod tests;
