//! Candidates that were named by how they look: a colour, a plain shape.

use alidade_picture::Area;

use super::{Found, Search, Way};
use crate::{
    LocateError, colour,
    controls::Kind as Seen,
    query::Kind,
    shape::{self, Shape, Thing},
};

/// What is round by its nature.
const ROUND: &[&str] = &[
    "knob", "dial", "lamp", "light", "led", "button", "gauge", "meter",
];
/// What bears no words itself.
const BARE: &[&str] = &["knob", "dial", "lamp", "light", "led", "lever", "indicator"];
/// What is small by its nature.
const SMALL: &[&str] = &["lamp", "light", "led", "indicator"];
/// A larger share of the picture is background.
const BACKGROUND: f64 = 0.5;

impl Search<'_> {
    pub(super) fn looks(&self) -> Result<Vec<Found>, LocateError> {
        let query = &self.query;
        // Something else was named as well, and neither read nor recognised: the colour alone is not enough.
        let other = query
            .terms
            .iter()
            .filter(|t| t.weight >= 0.5)
            .any(|t| !looks_like_anything(&t.token.stem));
        if other {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        if let Some(shape) = query.shape {
            found.extend(self.shaped(shape));
        } else if let Some(wanted) = query.colour {
            if matches!(
                query.kind,
                Some(Kind::Button | Kind::Field | Kind::Tab | Kind::Icon)
            ) {
                found.extend(self.coloured_controls(wanted));
            }
            found.extend(self.coloured_things(wanted));
            if found.is_empty() {
                found.extend(self.coloured(wanted));
            }
        }
        Ok(found)
    }

    fn coloured(&self, wanted: colour::Colour) -> Vec<Found> {
        let regions = colour::regions(self.picture, wanted);
        let largest = regions.iter().map(|r| r.area.extent()).fold(0.0, f64::max);
        regions
            .into_iter()
            .filter(|r| r.area.extent() < BACKGROUND && r.fill > 0.25)
            .filter(|r| self.query.kind.is_none() || !self.is_lettering(&r.area))
            .map(|r| {
                // The larger one is meant where nothing else was said.
                let size = (r.area.extent() / largest.max(1e-12)).sqrt() as f32;
                Found {
                    area: r.area,
                    says: wanted.name().to_owned(),
                    way: Way::Colour,
                    sure: (r.sure * (0.55 + 0.3 * size)).min(0.9),
                }
            })
            .collect()
    }

    /// Knobs, keys and jars of a device that have a label and this colour.
    fn coloured_things(&self, wanted: colour::Colour) -> Vec<Found> {
        if !matches!(self.query.kind, Some(Kind::Part | Kind::Button)) {
            return Vec::new();
        }
        let noun = self
            .query
            .noun
            .as_deref()
            .unwrap_or("")
            .trim_end_matches('s');
        let (round, bare, small) = (
            ROUND.contains(&noun),
            BARE.contains(&noun),
            SMALL.contains(&noun),
        );
        let things = self.named_things().iter().enumerate();
        let fitting: Vec<(usize, &Thing)> = things
            .filter_map(|(line, thing)| Some((line, thing.as_ref()?)))
            .filter(|(_, thing)| thing.colour == Some(wanted) && (!round || thing.round > 0.8))
            .filter(|(_, thing)| !(bare && self.is_inscribed(&thing.area)))
            .collect();
        let largest = fitting
            .iter()
            .map(|(_, t)| t.area.extent())
            .fold(0.0, f64::max);
        let made = fitting.into_iter().map(|(line, thing)| {
            // Knobs are larger than lamps.
            let share = (thing.area.extent() / largest.max(1e-12)).sqrt() as f32;
            let size = if small { 1.0 - share } else { share };
            Found {
                area: thing.area,
                says: self.says(Some(line), wanted),
                way: Way::Colour,
                sure: 0.5 + 0.3 * thing.sure + 0.15 * size,
            }
        });
        made.collect()
    }

    /// Whether it is made of letters: it lies in a line of text, or ends in the middle of one. A control holds
    /// its words whole.
    fn is_lettering(&self, area: &Area) -> bool {
        self.reading.lines.iter().any(|line| {
            let air = 0.3 * line.area.height;
            let holds = line.area.x >= area.x - air
                && line.area.right() <= area.right() + air
                && line.area.y >= area.y - air
                && line.area.bottom() <= area.bottom() + air;
            // The words themselves, with nothing around them, are no control either.
            let tight = area.height < 1.15 * line.area.height;
            let shared = line.area.shared(area).map_or(0.0, |s| s.extent());
            shared > 0.2 * area.extent().min(line.area.extent()) && (!holds || tight)
        })
    }

    /// Whether words stand on it.
    fn is_inscribed(&self, area: &Area) -> bool {
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        self.reading
            .lines
            .iter()
            .any(|l| letters(&l.text) > 1 && area.contains(l.area.centre()))
    }

    fn coloured_controls(&self, wanted: colour::Colour) -> Vec<Found> {
        let icon = self.query.kind == Some(Kind::Icon);
        let boxes = self
            .boxes()
            .iter()
            .filter(|c| (c.kind == Seen::Icon) == icon && c.drawn && !self.is_lettering(&c.area));
        boxes
            .filter(|c| c.area.extent() < 0.1)
            .filter_map(|c| {
                let (first, share) = colour::of(self.picture, &c.area).into_iter().next()?;
                let says = self.says(c.texts.first().copied(), wanted);
                (first == wanted && share > 0.3).then(|| Found {
                    area: c.area,
                    says,
                    way: Way::Colour,
                    sure: 0.6 + 0.35 * share.min(1.0),
                })
            })
            .collect()
    }

    fn says(&self, text: Option<usize>, wanted: colour::Colour) -> String {
        text.and_then(|t| self.reading.lines.get(t))
            .map_or_else(|| wanted.name().to_owned(), |l| l.text.clone())
    }

    fn shaped(&self, wanted: Shape) -> Vec<Found> {
        shape::outlines(self.picture, self.query.colour)
            .into_iter()
            .filter(|o| o.shape == wanted && o.area.extent() < BACKGROUND)
            .map(|o| Found {
                area: o.area,
                says: match self.query.colour {
                    Some(colour) => format!("{} shape", colour.name()),
                    None => "shape".to_owned(),
                },
                way: Way::Shape,
                sure: o.sure,
            })
            .collect()
    }
}

/// Nouns that name no thing but only that there is one.
fn looks_like_anything(stem: &str) -> bool {
    [
        "thing", "object", "item", "spot", "area", "patch", "part", "shap", "shape", "dot",
        "circl", "box", "lid", "cap", "label", "sid", "piec", "on",
    ]
    .contains(&stem)
}
