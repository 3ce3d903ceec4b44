//! Which field a text belongs to: it stands in it, before it, or above it.

use alidade_picture::Area;

use super::{Control, Kind};

/// A field for one line is not higher than this many letter heights; a higher one is to write a text in.
const ONE_LINE: f64 = 5.0;
/// No field is higher than this many letter heights: what is higher is a page.
const HIGHEST: f64 = 16.0;
/// A field begins within this many letter heights behind its label …
const BEHIND: f64 = 30.0;
/// … and where there is one under the label too, within this many.
const CLOSE: f64 = 12.0;
/// Words of a bar stand closer than this many letter heights.
const BAR: f64 = 4.0;

/// The entry that the text at this index of `texts` belongs to: the one it stands in, as what was entered or as a
/// hint of what to enter; else the one to the right of it at the same height; else the one below it that begins
/// where it begins.
pub(crate) fn field_for<'a>(
    controls: &'a [Control],
    texts: &[Area],
    at: usize,
) -> Option<&'a Control> {
    let label = texts.get(at)?;
    let unit = label.height.max(1e-6);
    let inside = controls
        .iter()
        .filter(|c| c.kind == Kind::Field && c.area.height < ONE_LINE * unit)
        .filter(|c| c.area.contains(label.centre()))
        .min_by(|a, b| a.area.extent().total_cmp(&b.area.extent()));
    if inside.is_some() {
        return inside;
    }
    // The word on a button names the button, unless the field stands in the same box, as in a row of settings.
    let own = controls
        .iter()
        .filter(|c| c.drawn && c.kind == Kind::Box && c.texts.contains(&at))
        .min_by(|a, b| a.area.extent().total_cmp(&b.area.extent()));
    let reached = |c: &&Control| {
        own.is_none_or(|own| {
            own.area.contains(c.area.centre()) && c.area.extent() < 0.9 * own.area.extent()
        })
    };
    let entry = |c: &&Control| {
        c.area.height < HIGHEST * unit
            && match c.kind {
                Kind::Field => c.area.width > 1.2 * c.area.height || c.area.width > 8.0 * unit,
                Kind::Box => {
                    c.drawn && c.area.width > 2.0 * c.area.height && c.area.height < ONE_LINE * unit
                }
                Kind::Checkbox | Kind::Radio | Kind::Icon => false,
            }
    };
    let is_bar = in_bar(controls, texts, at);
    let middle = label.centre().y;
    let right = controls
        .iter()
        .filter(entry)
        .filter(reached)
        .filter(|c| {
            let level = c.area.y <= middle && c.area.bottom() >= middle;
            level && c.area.x >= label.right() - 0.3 * unit
        })
        .map(|c| (c.area.x - label.right(), c))
        .filter(|(gap, c)| *gap < BEHIND * unit && !parted(texts, at, &c.area))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(gap, _)| !is_bar || *gap < BAR * unit);
    let below = controls
        .iter()
        .filter(|_| !is_bar)
        .filter(entry)
        .filter(reached)
        .filter(|c| {
            let gap = c.area.y - label.bottom();
            gap > -0.3 * unit
                && gap < 1.8 * unit
                && (c.area.x - label.x).abs() < 2.0 * unit
                && c.area.width > 2.0 * unit
        })
        .map(|c| (c.area.y - label.bottom(), c))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    match (right, below) {
        (Some((_, field)), None) | (None, Some((_, field))) => Some(field),
        // A field below hugs its label; one far to the right belongs to another.
        (Some((gap, beside)), Some((_, under))) => {
            Some(if gap > CLOSE * unit { under } else { beside })
        }
        (None, None) => None,
    }
}

/// Whether another text stands between a label and what follows it: then that one is the label.
fn parted(texts: &[Area], at: usize, field: &Area) -> bool {
    let Some(label) = texts.get(at) else {
        return false;
    };
    texts.iter().enumerate().any(|(n, other)| {
        let (x, y) = (other.centre().x, other.centre().y);
        n != at
            && x > label.right()
            && x < field.x
            && (label.y..=label.bottom()).contains(&y)
            && other.width > other.height
    })
}

/// Whether a text is a word of a bar: two more stand beside it, closely, and none of them in a box of its own.
fn in_bar(controls: &[Control], texts: &[Area], at: usize) -> bool {
    let Some(label) = texts.get(at) else {
        return false;
    };
    let unit = label.height.max(1e-6);
    let framed = |n: usize| controls.iter().any(|c| c.drawn && c.texts.contains(&n));
    if framed(at) {
        return false;
    }
    let mut row: Vec<&Area> = texts
        .iter()
        .enumerate()
        .filter(|(n, t)| (t.centre().y - label.centre().y).abs() < 0.5 * unit && !framed(*n))
        .map(|(_, t)| t)
        .collect();
    row.sort_by(|a, b| a.x.total_cmp(&b.x));
    let Some(here) = row.iter().position(|t| *t == label) else {
        return false;
    };
    let close = |pair: &&[&Area]| match pair {
        [a, b] => b.x - a.right() < BAR * unit,
        _ => false,
    };
    let after = row[here..].windows(2).take_while(close).count();
    let before = row[..=here].windows(2).rev().take_while(close).count();
    after + before >= 2
}
