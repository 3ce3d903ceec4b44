//! Candidates that an object detector has a word for.

use super::{Found, Search, Way};
use crate::{LocateError, colour, objects};

/// Detectors' answers below this are not given.
const LEAST: f32 = 0.5;

impl Search<'_> {
    pub(super) fn things(&self) -> Result<Vec<Found>, LocateError> {
        let query = &self.query;
        // Parts of things ("the cat's nose") have no detector, and the whole would be a wrong answer.
        if query.exact.is_some() || query.whole.is_some() {
            return Ok(Vec::new());
        }
        let Some(names) = self.named() else {
            return Ok(Vec::new());
        };
        let objects = (self.detectors)()?.detect(self.picture, self.cancel)?;
        let mut found = Vec::new();
        for object in objects
            .into_iter()
            .filter(|o| names.contains(&o.name.as_str()) && o.sure >= LEAST)
        {
            let mut sure = object.sure;
            if let Some(wanted) = query.colour {
                let fits = colour::of(self.picture, &object.area)
                    .iter()
                    .take(2)
                    .any(|(c, _)| *c == wanted);
                sure *= if fits { 1.0 } else { 0.6 };
            }
            found.push(Found {
                area: object.area,
                says: object.name,
                way: Way::Object,
                sure,
            });
        }
        // Detectors are not so exact that a tenth more means another dog.
        if let Some(best) = found.iter().map(|f| f.sure).reduce(f32::max) {
            for one in &mut found {
                if one.sure > 0.6 * best {
                    one.sure = one.sure.max(0.91 * best);
                }
            }
        }
        Ok(found)
    }

    /// Names of the detectors for the noun that was said: all of it, or its last word.
    fn named(&self) -> Option<Vec<&'static str>> {
        let query = &self.query;
        let said: Vec<&str> = query
            .terms
            .iter()
            .filter(|t| t.weight > 0.0)
            .map(|t| t.word.as_str())
            .chain(query.noun.as_deref())
            .collect();
        let whole = said.join(" ").to_lowercase();
        if let Some(names) = objects::knows(&whole) {
            return Some(names);
        }
        // "the tower of the bridge" is about a tower.
        let spoken: Vec<String> = crate::query::split(&query.name)
            .iter()
            .map(|w| w.to_lowercase())
            .collect();
        let joint = spoken
            .iter()
            .position(|w| ["of", "in", "on", "with", "for", "from", "that"].contains(&w.as_str()));
        let head = spoken[..joint.unwrap_or(spoken.len())].last()?;
        objects::knows(head)
    }
}
