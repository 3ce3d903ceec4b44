//! Candidates that can be read.

use alidade_picture::Area;

use super::{
    Found, Search, Way,
    content::Form,
    fields,
    judge::{self, LEAST},
    lexical::{self, Label, Overlap},
    parts::{said_part, stacked},
};
use crate::{
    LocateError, colour,
    controls::{self, Kind as Seen},
    query::Kind,
};

/// Labels that are compared by meaning in one search, shortest first.
const BY_MEANING: usize = 240;
/// Words a label may have to be compared by meaning: more is a sentence of a document.
const LABEL_WORDS: usize = 12;
/// A candidate that is this good needs no help of meaning.
const GOOD: f32 = 0.93;

/// A label or a part of one, with what it is worth.
struct Candidate {
    /// Index into the reading's lines.
    line: usize,
    /// Ink-tight.
    area: Area,
    label: Label,
    overlap: Overlap,
    worth: f32,
    /// A part of a longer line.
    part: bool,
}

/// A place, and whether a field is there.
pub(super) struct Placed {
    pub(super) found: Found,
    pub(super) field: bool,
}

impl Search<'_> {
    /// What stands there and is, or means, what was said.
    pub(super) fn texts(&self) -> Result<Vec<Found>, LocateError> {
        let mut candidates = self.candidates();
        let query = &self.query;
        for candidate in &mut candidates {
            candidate.worth = judge::worth(query, &candidate.label, &candidate.overlap, None);
        }
        let best = candidates.iter().map(|c| c.worth).fold(0.0, f32::max);
        if best < GOOD && query.exact.is_none() && query.sign.is_none() {
            self.by_meaning(&mut candidates)?;
        }
        if let Some(sign) = query.sign {
            for candidate in &mut candidates {
                if candidate.label.text.trim() == sign.to_string() {
                    candidate.worth = 0.95;
                }
            }
        }
        self.by_form(&mut candidates);
        if query.travel && candidates.iter().all(|c| c.worth < LEAST) {
            for candidate in &mut candidates {
                let gate = ["goto", "jumpto"]
                    .iter()
                    .any(|g| candidate.label.joined.starts_with(g));
                candidate.worth = if gate { 0.75 } else { candidate.worth };
            }
        }
        candidates.retain(|c| c.worth >= LEAST * 0.8);
        let mut found: Vec<Placed> = candidates
            .into_iter()
            .filter_map(|c| self.placed(c))
            .collect();
        fields::first(&mut found);
        let found = found.into_iter().map(|p| p.found);
        Ok(found.filter(|f| f.sure >= LEAST).collect())
    }

    /// Every line, parts of long lines that were said, and labels of two lines.
    fn candidates(&self) -> Vec<Candidate> {
        let query = &self.query;
        let lines = &self.reading.lines;
        let mut all = Vec::with_capacity(lines.len());
        let made = |line: usize, area: Area, text: &str, part: bool| {
            let label = Label::of(text);
            let mut overlap = lexical::overlap(query, &label);
            // What is not wanted is what a box to tick turns off: "do not overwrite them".
            let ticked = || {
                controls::around(self.boxes(), line)
                    .is_some_and(|c| c.kind == Seen::Checkbox && c.drawn)
            };
            overlap.other_sign = overlap.other_sign && !ticked();
            Candidate {
                line,
                area,
                label,
                overlap,
                worth: 0.0,
                part,
            }
        };
        for (index, line) in lines.iter().enumerate() {
            let whole = made(index, line.area, &line.text, false);
            let overlap = whole.overlap;
            if line.words.len() > 1
                && overlap.said > 0.6
                && overlap.label < 0.9
                && let Some((area, text)) = said_part(query, line)
            {
                all.push(made(index, area, &text, true));
            }
            all.push(whole);
        }
        for (above, below) in stacked(lines) {
            let text = format!("{} {}", lines[above].text, lines[below].text);
            let both = made(
                above,
                lines[above].area.around(&lines[below].area),
                &text,
                false,
            );
            // Only where both lines say a part of it.
            let boxes = self.boxes();
            let of = |i: usize| controls::around(boxes, i).map(|c| c.area);
            if of(above).zip(of(below)).is_some_and(|(a, b)| a != b) {
                continue;
            }
            let alone = |i: usize| lexical::overlap(query, &Label::of(&lines[i].text)).said;
            if both.overlap.said > alone(above).max(alone(below)) + 0.1 {
                all.push(both);
            }
        }
        all
    }

    fn by_meaning(&self, candidates: &mut [Candidate]) -> Result<(), LocateError> {
        let meaning = (self.meaning)()?;
        // With the kind of thing in it and without, whichever is nearer.
        let said = [&self.query.name, &self.query.said];
        let said = said.map(|text| meaning.direction(text));
        let mut order: Vec<usize> = (0..candidates.len())
            .filter(|i| {
                let c = &candidates[*i];
                !c.part
                    && c.label.tokens.len() <= LABEL_WORDS
                    && c.label.text.chars().filter(|c| c.is_alphabetic()).count() > 2
            })
            .collect();
        order.sort_by_key(|i| candidates[*i].label.tokens.len());
        for index in order.into_iter().take(BY_MEANING) {
            self.cancel.check()?;
            let candidate = &mut candidates[index];
            let there = meaning.direction(&bare(&candidate.label.text))?;
            let mut cosine = -1.0f32;
            for said in &said {
                let said = said.as_ref().map_err(Clone::clone)?;
                cosine = cosine.max(crate::meaning::cosine(said, &there));
            }
            candidate.worth = judge::worth(
                &self.query,
                &candidate.label,
                &candidate.overlap,
                Some(cosine),
            );
        }
        Ok(())
    }

    /// A price, a path, an address that was named as such.
    fn by_form(&self, candidates: &mut [Candidate]) {
        let forms = Form::named(&self.query);
        if forms.is_empty()
            || self.query.exact.is_some()
            || candidates.iter().any(|c| c.worth >= 0.75)
        {
            return;
        }
        // "the address of a page" is an address.
        let heavy = self.query.terms.iter().filter(|t| t.weight >= 0.5);
        let only = heavy.count() == 1 || self.query.kind == Some(Kind::Field);
        for candidate in candidates {
            if only && forms.iter().any(|f| f.fits(&candidate.label.text)) {
                candidate.worth = candidate.worth.max(0.62);
            }
        }
    }

    /// The control that the label belongs to, and how well it fits what was asked for.
    fn placed(&self, candidate: Candidate) -> Option<Placed> {
        let query = &self.query;
        let boxes = self.boxes();
        let around = if candidate.part {
            None
        } else {
            controls::around(boxes, candidate.line)
        };
        // A box around many lines is a panel and no control.
        let around =
            around.filter(|c| c.area.height < 5.0 * candidate.area.height && c.texts.len() <= 4);
        // Edges that were inferred count where the label fills them, or where a whole menu vouches for them.
        let around = around
            .filter(|c| c.drawn || c.sure >= 0.6 || candidate.area.width > 0.45 * c.area.width);
        let mut area = match around {
            Some(control) => control.area.around(&candidate.area),
            None => self.aired(&candidate.area),
        };
        let mut sure = candidate.worth;
        if let Some(thing) = self.thing(&candidate, around.is_some_and(|c| c.drawn)) {
            area = thing;
            if self.is_no_key(&thing) {
                sure *= 0.65;
            }
        }
        if candidate.part {
            sure *= self.within(&candidate);
        }
        let field = self.field_of(candidate.line, candidate.part, &candidate.overlap, sure);
        if let Some((field, worth)) = field {
            (area, sure) = (field, worth);
        } else if query.kind == Some(Kind::Field) {
            sure *= fields::BARE;
        }
        match query.kind {
            Some(Kind::Button | Kind::Link) => {
                if around.is_some_and(|c| c.drawn && c.kind == Seen::Box) {
                    sure = (sure * 1.03).min(0.995);
                } else {
                    sure *= 0.97;
                }
            }
            Some(Kind::Check) => {
                if around.is_some_and(|c| matches!(c.kind, Seen::Checkbox | Seen::Radio)) {
                    sure = (sure * 1.03).min(0.995);
                } else {
                    sure *= 0.95;
                }
            }
            _ => {}
        }
        if let Some(colour) = query.colour {
            let seen = colour::of(self.picture, &area);
            let fits = seen.iter().take(2).any(|(c, v)| *c == colour && *v > 0.15);
            sure *= if fits { 1.0 } else { 0.5 };
        }
        let way = if candidate.overlap.literal > 0.6 {
            Way::Text
        } else {
            Way::Meaning
        };
        Some(Placed {
            field: field.is_some(),
            found: Found {
                area,
                says: candidate.label.text,
                way,
                sure,
            },
        })
    }

    /// What a label on a device names: the knob above it, the jar around it.
    fn thing(&self, candidate: &Candidate, in_box: bool) -> Option<Area> {
        if candidate.part || in_box && self.query.kind != Some(Kind::Part) {
            return None;
        }
        let thing = self.named_things().get(candidate.line)?.as_ref()?;
        (thing.sure >= 0.5).then_some(thing.area)
    }

    /// Keys of one device are of one size; what is far larger is a display or a plate.
    fn is_no_key(&self, thing: &Area) -> bool {
        let noun = self.query.noun.as_deref().unwrap_or("");
        if !["key", "keys", "button", "buttons"].contains(&noun) {
            return false;
        }
        let mut sizes: Vec<f64> = self
            .named_things()
            .iter()
            .flatten()
            .map(|t| t.area.extent())
            .collect();
        sizes.sort_by(f64::total_cmp);
        sizes.len() > 3
            && sizes
                .get(sizes.len() / 2)
                .is_some_and(|usual| thing.extent() > 2.5 * usual)
    }

    /// A label with the air that belongs to it: boxes of text are tight.
    fn aired(&self, area: &Area) -> Area {
        let size = self.picture.size();
        let height = area.height * f64::from(size.height);
        let (across, down) = (0.2 * height / f64::from(size.width), 0.2 * area.height);
        let wide = Area::new(
            area.x - across,
            area.y - down,
            area.width + 2.0 * across,
            area.height + 2.0 * down,
        );
        wide.inside_picture().unwrap_or(*area)
    }

    /// What a part of a line is worth: of a short label nearly all, of a sentence little, since a word in a
    /// text is seldom what was meant.
    fn within(&self, candidate: &Candidate) -> f32 {
        let query = &self.query;
        let words = self
            .reading
            .lines
            .get(candidate.line)
            .map_or(0, |l| l.words.len());
        let said = query.terms.iter().filter(|t| t.weight >= 0.5).count();
        if query.exact.is_some() || query.wording {
            1.0
        } else if query.is_literal() || said > 2 {
            0.9
        } else if words <= 3 {
            0.85
        } else if query.kind.is_none() && said > 1 {
            0.75
        } else {
            0.5
        }
    }
}

/// Without the shortcut beside it and the dots behind it.
pub(super) fn bare(text: &str) -> String {
    let kept: Vec<&str> = text
        .split_whitespace()
        .filter(|w| {
            let lower = w.to_lowercase();
            !["ctrl+", "alt+", "shift+", "cmd+"]
                .iter()
                .any(|s| lower.starts_with(s))
        })
        .collect();
    kept.join(" ")
        .trim_end_matches(['.', '…', ':', ' ', '>', '*'])
        .trim_start_matches(['<', ' '])
        .to_owned()
}
