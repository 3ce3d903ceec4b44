//! How likely a label is what was meant, from its words and from its meaning.
//!
//! The figures were chosen on label lists of programs and devices made up for this purpose
//! (`tests/data/labels.json`), so that of what is pointed at nearly all is right: a wrong place is worse
//! than none.

use super::lexical::{Label, Overlap};
use crate::query::{Kind, Query};

/// Below this nothing is pointed at.
pub(crate) const LEAST: f32 = 0.5;
/// Words alone are enough from here on.
const ENOUGH: f32 = 0.64;
/// Cosine at which meaning alone is as likely right as wrong, where no word is shared …
const STRANGERS: f32 = 0.62;
/// … and where a word is shared, which lifts the cosine without saying anything.
const COUSINS: f32 = 0.66;
/// A label of several words, said whole in a longer phrase: "the button that sends a test message".
const WHOLE: f32 = 0.6;
/// Who calls a thing by its name means that name.
const NAMED: f32 = 0.15;

/// 0 to 1: the chance that this label is what was meant. `cosine` is missing where it was not asked for.
pub(crate) fn worth(query: &Query, label: &Label, overlap: &Overlap, cosine: Option<f32>) -> f32 {
    if overlap.same {
        return 0.99;
    }
    if overlap.number_missing || overlap.opposite {
        return 0.0;
    }
    if query.exact.is_some() {
        // Letter by letter, perhaps inside a longer line.
        let literal = overlap.literal > 0.99;
        return if literal {
            0.6 + 0.38 * overlap.label
        } else {
            0.0
        };
    }
    // A button or a menu is called by a few words, and by all of them.
    let short = matches!(
        query.kind,
        Some(Kind::Button | Kind::Menu | Kind::Tab | Kind::Icon | Kind::Part)
    );
    let rest = if short { 0.55 } else { 0.4 };
    let mut words = overlap.said * (1.0 - rest + rest * overlap.label);
    if overlap.said < ENOUGH {
        words *= 0.75;
    }
    // A label of several words that was said whole, and little more was said: what is done with it.
    let several = label.weights.iter().filter(|w| **w > 0.9).count() > 1;
    if several && overlap.label > 0.95 && overlap.literal >= 0.55 && !query.named {
        words = words.max(WHOLE);
    }
    let sentence = label.tokens.len() > 7 && overlap.label < 0.5;
    if sentence {
        words *= 0.7;
    }
    let meaning = match cosine {
        Some(cosine) if !query.is_literal() => by_meaning(query, overlap, cosine),
        _ => 0.0,
    };
    let worth = words.max(meaning);
    // "do not save" is not "save".
    let worth = if overlap.other_sign {
        worth * 0.6
    } else {
        worth
    };
    worth.clamp(0.0, 0.98)
}

fn by_meaning(query: &Query, overlap: &Overlap, cosine: f32) -> f32 {
    let cosine = if query.named { cosine - NAMED } else { cosine };
    if overlap.label > 0.8 && overlap.said < ENOUGH {
        // All of the label was said and more was said: nothing in it stands for the rest.
        return 0.0;
    }
    let even = if overlap.said < 0.3 {
        STRANGERS
    } else {
        COUSINS
    };
    (0.5 + 2.0 * (cosine - even)).min(0.9)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use crate::{
        Models,
        find::{lexical::overlap, texts::bare},
        meaning::{Meaning, cosine},
    };

    #[derive(serde::Deserialize)]
    struct Screen {
        screen: String,
        labels: Vec<String>,
        asks: Vec<(String, Option<String>)>,
    }

    /// Screens and panels made up for this purpose, with what people may ask about them.
    #[test]
    fn what_is_pointed_at_is_nearly_always_right() {
        let screens: Vec<Screen> =
            serde_json::from_str(include_str!("../../tests/data/labels.json")).unwrap();
        let models = Models::at(concat!(env!("CARGO_MANIFEST_DIR"), "/models")).unwrap();
        let meaning = Meaning::load(&models).unwrap();
        let (mut right, mut present, mut quiet, mut absent) = (0, 0, 0, 0);
        let mut wrong = Vec::new();
        for screen in screens {
            for (ask, truth) in &screen.asks {
                let query = Query::of(ask);
                let said = [&query.name, &query.said].map(|text| meaning.direction(text).unwrap());
                let best = screen
                    .labels
                    .iter()
                    .map(|text| {
                        let label = Label::of(text);
                        let there = meaning.direction(&bare(text)).unwrap();
                        let alike = said.iter().map(|s| cosine(s, &there)).fold(-1.0, f32::max);
                        (
                            worth(&query, &label, &overlap(&query, &label), Some(alike)),
                            text,
                        )
                    })
                    .max_by(|a, b| a.0.total_cmp(&b.0));
                let pointed = best
                    .filter(|(worth, _)| *worth >= LEAST)
                    .map(|(_, text)| text);
                let hit =
                    pointed.is_some_and(|p| truth.as_ref().is_some_and(|t| bare(t) == bare(p)));
                present += usize::from(truth.is_some());
                absent += usize::from(truth.is_none());
                right += usize::from(hit);
                quiet += usize::from(truth.is_none() && pointed.is_none());
                if let Some(pointed) = pointed.filter(|_| !hit) {
                    wrong.push(format!("{}: {ask} – {pointed}", screen.screen));
                }
            }
        }
        assert!(
            wrong.len() * 20 <= present + absent,
            "{} wrong places: {wrong:#?}",
            wrong.len()
        );
        assert!(
            quiet * 100 >= absent * 94,
            "{quiet} of {absent} absent things were not pointed at: {wrong:#?}"
        );
        assert!(
            right * 100 >= present * 62,
            "{right} of {present} present things were found"
        );
    }
}
