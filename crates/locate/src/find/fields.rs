//! What was asked for is a field: the label, the hint in it or what was entered lead to it.

use alidade_picture::Area;

use super::{Search, lexical::Overlap, texts::Placed};
use crate::{controls, query::Kind, view::is_drawn};

/// Of a text that belongs to no field, so much is left where a field was asked for …
pub(super) const BARE: f32 = 0.8;
/// … and so much where a field was found as well: a menu called "Search" is another thing.
const BESIDE: f32 = 0.65;
/// A field this likely makes others than fields unlikely.
const LIKELY: f32 = 0.55;
/// What a hint in a field is worth that says all that was said, however much more it says.
const HINT: f32 = 0.86;
/// A hint says at least so much of it.
const SAID: f32 = 0.85;

impl Search<'_> {
    /// The field a line belongs to, with what it is worth; nothing where no field was asked for.
    pub(super) fn field_of(
        &self,
        line: usize,
        part: bool,
        overlap: &Overlap,
        worth: f32,
    ) -> Option<(Area, f32)> {
        let query = &self.query;
        // "which box …" is a field on a screen, and a box on a shelf.
        let boxed = query.kind == Some(Kind::Part)
            && matches!(query.noun.as_deref(), Some("box" | "boxes"))
            && is_drawn(self.picture);
        if query.kind != Some(Kind::Field) && !boxed {
            return None;
        }
        let texts: Vec<Area> = self.reading.lines.iter().map(|l| l.area).collect();
        let field = controls::field_for(self.boxes(), &texts, line)?;
        let inside = field.area.contains(texts.get(line)?.centre());
        if part && !inside {
            return None;
        }
        let worth = (worth * 1.05).min(0.99);
        let says_all = inside && overlap.said >= SAID && !overlap.opposite && query.exact.is_none();
        Some((field.area, if says_all { worth.max(HINT) } else { worth }))
    }
}

/// Where there are fields, what is none is no answer to who asked for one.
pub(super) fn first(found: &mut [Placed]) {
    if !found.iter().any(|p| p.field && p.found.sure >= LIKELY) {
        return;
    }
    for other in found.iter_mut().filter(|p| !p.field) {
        other.found.sure *= BESIDE;
    }
}
