//! From surfaces and lines of text to controls.

use super::{
    Kind,
    flat::{self, Flat},
    ink,
    rect::Rect,
    rows,
};
use crate::colour::Raster;

/// A control in pixels of the raster.
pub(super) struct Seen {
    pub(super) rect: Rect,
    pub(super) kind: Kind,
    pub(super) sure: f32,
    pub(super) texts: Vec<usize>,
    pub(super) drawn: bool,
}

/// A rectangular (or round) surface or outline.
#[derive(Clone, Copy)]
struct Shape {
    rect: Rect,
    /// Share of its bounds it takes with its holes filled.
    fullness: f32,
    /// Share of its bounds its own pixels take.
    body: f32,
    rgb: [u8; 3],
}

/// Rectangles looked at, largest first.
const MOST_SHAPES: usize = 3000;
/// What is less full than this is no rectangle.
const FULL: f32 = 0.87;
/// How full the bounds of a disc are.
const ROUND: (f32, f32) = (0.7, 0.88);

/// All controls of a screen.
pub(super) fn controls(raster: &Raster, texts: &[Rect]) -> Vec<Seen> {
    let unit = letter_height(texts);
    let flat = flat::taken_apart(raster);
    let (shapes, panels) = shapes(&flat, raster, texts, unit);
    let mut seen = Vec::new();
    let mut owned = vec![false; texts.len()];
    let frames: Vec<Rect> = shapes
        .iter()
        .filter(|s| s.fullness >= 0.93 && s.rect.height() <= 5.0 * unit)
        .filter(|s| is_square(&s.rect, unit) || s.rect.width() >= 3.0 * unit)
        .map(|s| s.rect)
        .collect();
    for (rect, at) in rows::menus(texts, &panels, &frames, unit) {
        at.iter().for_each(|n| owned[*n] = true);
        seen.push(Seen {
            rect,
            kind: Kind::Box,
            sure: 0.65,
            texts: at,
            drawn: false,
        });
    }
    ticks(&shapes, texts, unit, &mut owned, &mut seen);
    framed(&shapes, texts, unit, &mut owned, &mut seen);
    let icons = ink::clusters(&flat, raster.width, raster.height, unit, texts);
    pictures(&icons, &shapes, texts, unit, &mut seen);
    for (at, owned) in owned.iter().enumerate() {
        if *owned {
            continue;
        }
        let row = rows::row(at, texts, &panels, unit);
        let part = || rows::part_of_bar(at, texts, &panels, unit);
        if let Some(rect) = row.or_else(part) {
            seen.push(Seen {
                rect,
                kind: Kind::Box,
                sure: 0.5,
                texts: vec![at],
                drawn: false,
            });
        }
    }
    seen
}

/// The usual height of a line of text, tight around its ink.
fn letter_height(texts: &[Rect]) -> f32 {
    let mut heights: Vec<f32> = texts.iter().map(Rect::height).collect();
    heights.sort_by(f32::total_cmp);
    heights
        .get(heights.len() / 2)
        .map_or(12.0, |h| h.clamp(7.0, 80.0))
}

/// Rectangles and discs that could be controls, one for each place, and the large ones that hold them.
fn shapes(flat: &Flat, raster: &Raster, texts: &[Rect], unit: f32) -> (Vec<Shape>, Vec<Rect>) {
    let mut all: Vec<Shape> = flat
        .surfaces
        .iter()
        .filter(|s| s.width() as f32 >= 0.7 * unit && s.height() as f32 >= 0.7 * unit)
        .filter(|s| s.fullness() >= ROUND.0)
        .map(|s| Shape {
            rect: Rect::new(s.left as f32, s.top as f32, s.right as f32, s.bottom as f32),
            fullness: s.fullness(),
            body: s.body(),
            rgb: s.rgb,
        })
        .filter(|s| !is_letter(&s.rect, texts))
        .collect();
    all.sort_by(|a, b| b.rect.extent().total_cmp(&a.rect.extent()));
    all.truncate(MOST_SHAPES);
    let whole = raster.width as f32 * raster.height as f32;
    let mut panels: Vec<Rect> = Vec::new();
    let mut kept: Vec<Shape> = Vec::new();
    for shape in all {
        let rect = shape.rect;
        if shape.fullness >= 0.8 && rect.width() >= 3.0 * unit {
            panels.push(rect);
        }
        if rect.height() > 14.0 * unit || rect.extent() > 0.6 * whole {
            continue;
        }
        // An outline and the surface inside are one control; the outline is the larger and came first.
        let rim = (0.3 * unit).max(3.0);
        let outline = kept.iter_mut().rev().find(|k| {
            k.rect.around(&rect, 0.0)
                && rect.left - k.rect.left <= rim
                && rect.top - k.rect.top <= rim
                && k.rect.right - rect.right <= rim
                && k.rect.bottom - rect.bottom <= rim
        });
        match outline {
            Some(outer) if outer.body < 0.5 => {
                // The inside says what it looks like.
                outer.body = shape.body.max(outer.body);
                outer.rgb = shape.rgb;
            }
            Some(_) => {}
            None => kept.push(shape),
        }
    }
    (kept, panels)
}

/// The inside of a letter, or a letter: it lies in a line of text and is no higher. The first sign of a line
/// may be a box to tick that was read as one.
fn is_letter(rect: &Rect, texts: &[Rect]) -> bool {
    texts.iter().any(|text| {
        let first = rect.left < text.left + 0.4 * text.height()
            && rect.width() > 0.7 * text.height()
            && rect.height() > 0.8 * text.height();
        text.holds(rect.middle())
            && rect.height() <= 1.1 * text.height()
            && rect.width() <= text.width().min(2.0 * text.height())
            && !first
    })
}

/// As high as wide, and the size of a box to tick.
fn is_square(rect: &Rect, unit: f32) -> bool {
    let (w, h) = (rect.width(), rect.height());
    w >= 0.75 * unit && w <= 2.3 * unit && (w - h).abs() <= (0.15 * w).max(2.0)
}

/// Small squares and discs, with the line right of them as their label.
fn ticks(shapes: &[Shape], texts: &[Rect], unit: f32, owned: &mut [bool], seen: &mut Vec<Seen>) {
    for shape in shapes {
        let rect = shape.rect;
        let (w, h) = (rect.width(), rect.height());
        if !is_square(&rect, unit) {
            continue;
        }
        let square = shape.fullness >= 0.93;
        let disc = shape.fullness < ROUND.1;
        if !square && !disc {
            continue;
        }
        // A tick or a ring is sometimes read as a sign. Where a label follows it is none.
        let signs: Vec<usize> = (0..texts.len())
            .filter(|n| rect.around(&texts[*n], 0.25 * w))
            .collect();
        let label = texts.iter().enumerate().filter(|(n, text)| {
            let gap = text.left - rect.right;
            let level = (text.middle().1 - rect.middle().1).abs() < 0.5 * unit;
            let beside = gap >= -1.2 * w && gap <= 1.6 * unit && text.right > rect.right + unit;
            level && beside && !owned[*n] && !signs.contains(n) && text.height() < 1.8 * h
        });
        let label = label.min_by(|a, b| a.1.left.total_cmp(&b.1.left));
        let kind = if square { Kind::Checkbox } else { Kind::Radio };
        let (rect, sure, texts) = match label {
            Some((n, text)) => {
                let mut all = vec![n];
                all.extend(&signs);
                all.iter().for_each(|n| owned[*n] = true);
                (rect.with(text), 0.8, all)
            }
            // Text in it and none beside it: a key or a small button.
            None if !signs.is_empty() => continue,
            None => (rect, if square { 0.35 } else { 0.25 }, Vec::new()),
        };
        seen.push(Seen {
            rect,
            kind,
            sure,
            texts,
            drawn: true,
        });
    }
}

/// Buttons and fields: rectangles of a control's height.
fn framed(shapes: &[Shape], texts: &[Rect], unit: f32, owned: &mut [bool], seen: &mut Vec<Seen>) {
    for shape in shapes {
        let rect = shape.rect;
        let (w, h) = (rect.width(), rect.height());
        if shape.fullness < FULL || h < 1.15 * unit || w < 1.15 * unit {
            continue;
        }
        let mut inside: Vec<usize> = (0..texts.len())
            .filter(|n| rect.around(&texts[*n], 0.15 * unit))
            .collect();
        inside.sort_by(|a, b| texts[*a].left.total_cmp(&texts[*b].left));
        let low = h <= 5.0 * unit;
        if low && !is_one(&inside, &rect, texts, unit) {
            continue;
        }
        let neutral = chroma(shape.rgb) < 28;
        let (kind, sure) = match inside.as_slice() {
            [] if low && w >= 3.0 * unit && h >= 1.4 * unit && neutral => (Kind::Field, 0.5),
            [] if low && w <= 2.5 * h => (Kind::Box, 0.3),
            // Room for several lines.
            [] if !low && w >= 8.0 * unit && neutral => (Kind::Field, 0.3),
            [] => continue,
            [first, ..] if inside.len() <= 4 && low => {
                let before = texts[*first].left - rect.left;
                let last = inside.iter().map(|n| texts[*n].right).fold(0.0, f32::max);
                let after = rect.right - last;
                // Words of a button stand in its middle, those of an entry at its beginning.
                let begins = before < 1.6 * unit && after > 2.5 * unit + 2.0 * before;
                if begins && neutral && w >= 6.0 * unit {
                    (Kind::Field, 0.6)
                } else if w <= 45.0 * unit {
                    (Kind::Box, 0.75)
                } else {
                    continue;
                }
            }
            // Several lines of text in a large light box: a page to write on.
            _ if shape.body > 0.6 && neutral && h >= 5.0 * unit && w >= 12.0 * unit => {
                (Kind::Field, 0.2)
            }
            _ => continue,
        };
        if low {
            // Whole lines of a bar or a page are not the text of one button.
            for n in &inside {
                owned[*n] = true;
            }
        }
        let belongs = low && inside.len() <= 4;
        seen.push(Seen {
            rect,
            kind,
            sure,
            texts: if belongs { inside } else { Vec::new() },
            drawn: true,
        });
    }
}

/// Whether these texts are words of one control: on one line without wide gaps, or centred below each other.
/// Rows of a menu between two separators, and the words of a bar, are not.
fn is_one(inside: &[usize], rect: &Rect, texts: &[Rect], unit: f32) -> bool {
    inside.windows(2).all(|pair| {
        let (a, b) = (&texts[pair[0]], &texts[pair[1]]);
        let beside = a.level_with(b) > 0.5 && (-unit..=unit).contains(&(b.left - a.right));
        // The arrow at the end of a list to choose from, read as a sign.
        let arrow =
            b.width() <= 1.3 * unit && rect.right - b.right < 1.6 * unit && inside.len() == 2;
        let below = (a.middle().0 - b.middle().0).abs() < unit && a.level_with(b) < 0.2;
        beside || arrow || below
    })
}

/// Icons, as large as the button around them or as the room they have.
fn pictures(icons: &[Rect], shapes: &[Shape], texts: &[Rect], unit: f32, seen: &mut Vec<Seen>) {
    for icon in icons {
        if seen.iter().any(|s| {
            matches!(s.kind, Kind::Checkbox | Kind::Radio)
                && s.rect.shared(icon) > 0.5 * icon.extent()
        }) {
            continue;
        }
        let button = shapes
            .iter()
            .filter(|s| s.fullness >= FULL && s.rect.around(icon, 1.0))
            .filter(|s| s.rect.width() <= 2.6 * icon.width().max(icon.height()))
            .filter(|s| s.rect.height() <= 2.6 * icon.width().max(icon.height()))
            .filter(|s| !texts.iter().any(|t| s.rect.holds(t.middle())))
            .min_by(|a, b| a.rect.extent().total_cmp(&b.rect.extent()));
        let (rect, sure) = match button {
            Some(button) => (button.rect, 0.6),
            None => {
                // Toolbars leave about a third of an icon's size around it.
                let room = |gap: f32| (gap / 2.0).min(0.3 * icon.width().max(icon.height()));
                let mut gaps = [f32::INFINITY; 2];
                for other in icons
                    .iter()
                    .chain(texts)
                    .filter(|o| o.level_with(icon) > 0.3)
                {
                    if other.left >= icon.right {
                        gaps[1] = gaps[1].min(other.left - icon.right);
                    } else if other.right <= icon.left {
                        gaps[0] = gaps[0].min(icon.left - other.right);
                    }
                }
                let pad = room(f32::INFINITY).min(0.5 * unit);
                let rect = Rect::new(
                    (icon.left - room(gaps[0])).max(0.0),
                    (icon.top - pad).max(0.0),
                    icon.right + room(gaps[1]),
                    icon.bottom + pad,
                );
                (rect, 0.4)
            }
        };
        seen.push(Seen {
            rect,
            kind: Kind::Icon,
            sure,
            texts: Vec::new(),
            drawn: button.is_some(),
        });
    }
}

fn chroma(rgb: [u8; 3]) -> u8 {
    let most = rgb.into_iter().max().unwrap_or(0);
    let least = rgb.into_iter().min().unwrap_or(0);
    most - least
}
