//! A picture with its marks painted on.
//!
//! Everything scales with the picture. The outline has a light or brass core between two dark lines, so
//! that it reads on any ground; it runs around the thing and never over it, except at the picture's own
//! edge. Labels stand beside their thing, see [`placement`](crate::placement).

mod canvas;
mod text;

use alidade_picture::{Picture, Size};
use canvas::{Canvas, Colour};
use text::Line;

use crate::{
    geometry::{Extent, Mode, Rect, View, box_rect, point_position},
    label::shorten,
    marks::{Seen, Shape},
    placement::{Surroundings, place},
};

/// The accent: brass, as the instrument.
pub const BRASS: [u8; 3] = [233, 176, 62];
/// Dark lines, and text on light ground.
pub const INK: [u8; 3] = [24, 20, 14];
/// Light lines, and text on dark ground.
pub const PAPER: [u8; 3] = [250, 247, 240];

/// How strongly the dark lines cover what is under them.
const SHADE: f32 = 0.85;

/// All measures of one picture's marks, in its pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Look {
    /// Free room between the thing and its outline.
    room: f64,
    /// Width of the light or brass line.
    core: f64,
    /// Width of each of the two dark lines beside it.
    halo: f64,
    /// Radius of a box's corners.
    corner: f64,
    /// Radius of a point's ring, to the middle of its line.
    ring: f64,
    /// Radius of a point's dot.
    dot: f64,
    /// Height of the label's letters, from ascender to descender.
    text: f64,
    /// Distance of a label from things and other labels.
    gap: f64,
}

impl Look {
    fn of(size: Size) -> Self {
        // One at VGA and below, 1.5 at full HD, 3 at 4K.
        let unit = ((size.pixels() as f64).sqrt() / 960.0).max(1.0);
        // Whole pixels: a line of one and a half is a blur.
        Self {
            room: unit.round(),
            core: (2.0 * unit).round(),
            halo: unit.round(),
            // Any rounder, and the line would cut the thing's own corners.
            corner: 2.5 * unit.round(),
            ring: 10.0 * unit,
            dot: 2.5 * unit,
            text: 13.5 * unit,
            gap: 3.0 * unit,
        }
    }

    /// From the inner to the outer edge of an outline.
    fn line(&self) -> f64 {
        self.core + 2.0 * self.halo
    }
}

/// The picture with the marks painted on, in order, the last on top; same id, size and time. What lies
/// outside the picture is cut off.
#[must_use]
pub fn paint(picture: &Picture, marks: &[Seen]) -> Picture {
    let size = picture.size();
    let look = Look::of(size);
    let view = View::new(size, size).mode(Mode::Contain);
    let whole = Rect::new(0.0, 0.0, f64::from(size.width), f64::from(size.height));
    let mut canvas = Canvas::new(size, picture.rgb().into_owned());
    let inner: Vec<Rect> = marks
        .iter()
        .map(|seen| match seen.mark.shape {
            Shape::Box(area) => framed(&box_rect(area, &view), &whole, &look),
            Shape::Point(spot) => {
                let centre = point_position(spot, &view);
                Rect::new(centre.x, centre.y, 0.0, 0.0).grown(look.ring - look.line() / 2.0)
            }
        })
        .collect();
    for (seen, rect) in marks.iter().zip(&inner) {
        outline(&mut canvas, rect, seen, &look);
    }
    let marked: Vec<Rect> = inner.iter().map(|r| r.grown(look.line())).collect();
    let mut labels: Vec<Rect> = Vec::new();
    // The newest label has the first choice of a place.
    for (seen, rect) in marks.iter().zip(&marked).rev() {
        let around = Surroundings {
            view: whole.grown(-look.halo),
            marked: &marked,
            labels: &labels,
            gap: look.gap,
        };
        if let Some(taken) = Plate::new(seen, size, &look)
            .and_then(|plate| plate.paint(&mut canvas, rect, &around, seen))
        {
            labels.push(taken);
        }
    }
    let rgb = canvas.into_rgb();
    match Picture::from_rgb(picture.id(), size, rgb) {
        Ok(marked) => marked
            .with_time(picture.taken())
            .with_region(picture.region())
            .with_rotation(picture.rotation()),
        Err(_) => picture.clone(),
    }
}

/// The inner edge of a box's outline: around the thing, large enough to be seen, inside the picture.
fn framed(thing: &Rect, whole: &Rect, look: &Look) -> Rect {
    let least = 4.0 * look.halo;
    let (missing_x, missing_y) = (
        (least - thing.width).max(0.0) / 2.0,
        (least - thing.height).max(0.0) / 2.0,
    );
    let line = look.line();
    // At the picture's edge the outline comes inside, or it would not be seen.
    let inside = |start: f64, end: f64, limit: f64| {
        let start = start.max(line).min(limit - line - least);
        (start, end.min(limit - line).max(start + least))
    };
    let around = thing.grown(look.room);
    let (left, right) = inside(
        (around.x - missing_x).floor(),
        (around.right() + missing_x).ceil(),
        whole.width,
    );
    let (top, bottom) = inside(
        (around.y - missing_y).floor(),
        (around.bottom() + missing_y).ceil(),
        whole.height,
    );
    Rect::new(left, top, right - left, bottom - top)
}

fn core_colour(seen: &Seen) -> Colour {
    if seen.newest { BRASS } else { PAPER }
}

fn outline(canvas: &mut Canvas, inner: &Rect, seen: &Seen, look: &Look) {
    let alpha = seen.strength;
    let radius = match seen.mark.shape {
        Shape::Box(_) => look.corner,
        Shape::Point(_) => inner.width / 2.0,
    };
    let (core, line) = (look.halo + look.core, look.line());
    canvas.band(inner, radius, 0.0, line, INK, SHADE * alpha);
    canvas.band(inner, radius, look.halo, core, core_colour(seen), alpha);
    if let Shape::Point(_) = seen.mark.shape {
        let dot = inner.grown(look.dot - inner.width / 2.0);
        canvas.fill(&dot.grown(look.halo), f64::INFINITY, INK, SHADE * alpha);
        canvas.fill(&dot, f64::INFINITY, core_colour(seen), alpha);
    }
}

/// A label's plate: a number in a disc, then the text.
struct Plate {
    number: Option<Line>,
    text: Option<Line>,
    /// Room around the text.
    pad: f64,
    /// Width of the number's disc and what follows it.
    disc: f64,
    size: Extent,
}

impl Plate {
    /// `None` where there is nothing to show.
    fn new(seen: &Seen, picture: Size, look: &Look) -> Option<Self> {
        let number = seen
            .mark
            .number
            .and_then(|n| Line::new(&n.to_string(), look.text));
        let pad = look.text * 0.4;
        let disc = number
            .as_ref()
            .map_or(0.0, |n| n.width.max(pad) + 2.0 * pad);
        let most = f64::from(picture.width) * 0.6 - disc - 2.0 * pad;
        let text = seen
            .mark
            .label
            .as_deref()
            .and_then(|label| fitting(label, look.text, most));
        let height = look.text * 1.5;
        let width = match (&number, &text) {
            (None, None) => return None,
            (Some(_), None) => disc.max(height),
            (_, Some(text)) => disc + text.width + 2.0 * pad,
        };
        Some(Self {
            number,
            text,
            pad,
            disc: disc.max(if disc > 0.0 { height } else { 0.0 }),
            size: Extent::new(width, height),
        })
    }

    /// Paints it beside `thing`, and answers the place it took.
    fn paint(
        &self,
        canvas: &mut Canvas,
        thing: &Rect,
        around: &Surroundings<'_>,
        seen: &Seen,
    ) -> Option<Rect> {
        let found = place(self.size, thing, around)?;
        let rect = Rect::new(found.x.round(), found.y.round(), found.width, found.height);
        let alpha = seen.strength;
        let (ground, ink) = if seen.newest {
            (BRASS, INK)
        } else {
            (INK, PAPER)
        };
        let radius = rect.height * 0.25;
        let rim = around.gap / 3.0;
        let other = if seen.newest { INK } else { PAPER };
        canvas.fill(&rect, radius, other, SHADE * alpha);
        canvas.fill(&rect.grown(-rim), radius - rim, ground, alpha);
        let middle = rect.y + rect.height / 2.0;
        let mut left = rect.x;
        if let Some(number) = &self.number {
            let disc = Rect::new(rect.x, rect.y, self.disc, rect.height).grown(-2.0 * rim);
            canvas.fill(&disc, radius - 2.0 * rim, ink, alpha);
            let start = rect.x + (self.disc - number.width) / 2.0;
            number.paint(canvas, start, middle, ground, alpha);
            left += self.disc - self.pad / 2.0;
        }
        if let Some(text) = &self.text {
            text.paint(canvas, left + self.pad, middle, ink, alpha);
        }
        Some(rect)
    }
}

/// The label as a line of at most `most` pixels, shortened where it is longer.
fn fitting(label: &str, size: f64, most: f64) -> Option<Line> {
    let mut label = label.to_owned();
    loop {
        let line = Line::new(&label, size)?;
        if line.width <= most {
            return Some(line);
        }
        if label.ends_with('…') {
            label.pop();
        }
        label.chars().nth(1)?;
        shorten(&mut label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_grow_with_the_picture() {
        let small = Look::of(Size::new(640, 480));
        let large = Look::of(Size::new(3840, 2160));
        assert_eq!((small.core, large.core), (2.0, 6.0));
        assert_eq!(Look::of(Size::new(1, 1)), small);
    }

    #[test]
    fn an_outline_runs_around_its_thing_and_stays_in_the_picture() {
        let look = Look::of(Size::new(640, 480));
        let whole = Rect::new(0.0, 0.0, 640.0, 480.0);
        let thing = Rect::new(100.0, 100.0, 50.0, 20.0);
        assert!(framed(&thing, &whole, &look).holds(&thing));
        for thing in [
            whole,
            Rect::new(-50.0, -50.0, 40.0, 40.0),
            Rect::new(640.0, 480.0, 0.0, 0.0),
            Rect::new(0.0, 0.0, 0.0, 0.0),
        ] {
            let outer = framed(&thing, &whole, &look).grown(look.line());
            assert!(whole.grown(1e-9).holds(&outer), "{thing:?} {outer:?}");
        }
    }
}
