//! What the locators answered, read with care: whatever is malformed is left out.

use alidade_picture::{Area, Spot};
use serde_json::Value;

use super::heard::squeezed;
use super::naming;

/// Entries of one answer that are looked at.
pub(super) const MOST: usize = 500;
/// A candidate this near to the best, as a share of how sure that is, is as good.
const EQUAL: f64 = 0.89;
/// Things of one kind are seen by this much more or less surely.
const KIN: f64 = 0.35;
/// Letters of a label.
const MOST_LABEL: usize = 80;

/// How something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Its words stand there.
    Text,
    /// Words that mean the same stand there.
    Meaning,
    /// A detector knows it.
    Object,
    /// By its colour.
    Colour,
    /// By its shape.
    Shape,
    /// A control without text.
    Control,
}

/// One place that may be meant. Normalised to the picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    /// Its rectangle; a locator of points gives none.
    pub(super) area: Option<Area>,
    /// Its middle.
    pub(super) spot: Spot,
    /// What stands there, or what it is.
    pub(super) label: String,
    /// How it was found.
    pub(super) way: Way,
    /// How sure that is, 0 to 1.
    pub(super) sure: f64,
}

impl Candidate {
    /// How it was found, as it is told: words of which none was asked for are another way to say it,
    /// whatever the locator went by.
    pub(super) fn way_for(&self, phrase: &str) -> Way {
        if self.way == Way::Text && !self.label.is_empty() && !naming::shares(phrase, &self.label) {
            Way::Meaning
        } else {
            self.way
        }
    }
}

/// What a locator found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sighting {
    /// The picture, as the locator names it; handed back with a mark.
    pub(super) frame: Option<Value>,
    /// Where the picture is from.
    pub(super) source: String,
    /// Best first.
    pub(super) found: Vec<Candidate>,
    /// Whether several are equally good.
    pub(super) ambiguous: bool,
}

impl Sighting {
    /// Reads a locator's answer.
    pub(super) fn of(answer: &Value) -> Self {
        let found = answer
            .get("found")
            .and_then(Value::as_array)
            .map(|entries| entries.iter().take(MOST).filter_map(candidate).collect())
            .unwrap_or_default();
        Self {
            frame: answer
                .get("frame")
                .filter(|frame| !frame.is_null())
                .cloned(),
            source: answer
                .get("source")
                .and_then(Value::as_str)
                .unwrap_or("")
                .to_owned(),
            found,
            ambiguous: answer
                .get("ambiguous")
                .and_then(Value::as_bool)
                .unwrap_or(false),
        }
    }

    /// Where one of several equals is called exactly as was asked, it is the one: "Replace" is not
    /// "Replace with".
    pub(super) fn settle(&mut self, phrase: &str) {
        if !self.ambiguous {
            return;
        }
        let name = naming::unquoted(naming::without_article(phrase)).to_lowercase();
        let mut names = vec![name.as_str()];
        if let Some((head, last)) = name.rsplit_once(' ')
            && naming::CONTROLS.contains(&last)
        {
            names.push(head);
        }
        for name in names {
            let exact: Vec<usize> = self
                .equals()
                .iter()
                .enumerate()
                .filter(|(_, found)| {
                    matches!(found.way, Way::Text)
                        && naming::tidy(&found.label).to_lowercase() == name
                })
                .map(|(index, _)| index)
                .collect();
            match exact.as_slice() {
                [] => {}
                [index] => {
                    let label = self.equals().get(*index).cloned();
                    if let Some(at) = label
                        .and_then(|wanted| self.found.iter().position(|found| *found == wanted))
                    {
                        let found = self.found.remove(at);
                        self.found.insert(0, found);
                        self.ambiguous = false;
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// The candidates that are as good as the best.
    pub(super) fn equals(&self) -> Vec<Candidate> {
        let best = self.found.first().map_or(0.0, |best| best.sure);
        self.found
            .iter()
            .filter(|other| other.sure >= best * EQUAL)
            .cloned()
            .collect()
    }

    /// The candidates of the kind of the best: all cups, also those that are seen less surely.
    pub(super) fn kin(&self) -> Vec<Candidate> {
        let Some(best) = self.found.first() else {
            return Vec::new();
        };
        self.found
            .iter()
            .filter(|other| other.way == best.way && other.sure >= best.sure - KIN)
            .filter(|other| {
                other.way != Way::Object || other.label.eq_ignore_ascii_case(&best.label)
            })
            .cloned()
            .collect()
    }
}

fn candidate(entry: &Value) -> Option<Candidate> {
    let area = entry.get("box").and_then(area);
    let spot = entry
        .get("point")
        .and_then(|point| {
            Some(Spot {
                x: within(point.get("x")?)?,
                y: within(point.get("y")?)?,
            })
        })
        .or_else(|| area.map(|area| area.centre()))?;
    let way = match entry.get("way").and_then(Value::as_str).unwrap_or("") {
        "meaning" => Way::Meaning,
        "object" => Way::Object,
        "colour" | "color" => Way::Colour,
        "shape" => Way::Shape,
        "control" => Way::Control,
        _ => Way::Text,
    };
    Some(Candidate {
        area,
        spot,
        label: label(entry.get("label").and_then(Value::as_str).unwrap_or("")),
        way,
        sure: entry
            .get("sure")
            .and_then(Value::as_f64)
            .unwrap_or(1.0)
            .clamp(0.0, 1.0),
    })
}

/// A rectangle, if it is one.
pub(super) fn area(value: &Value) -> Option<Area> {
    Some(Area::new(
        within(value.get("x")?)?,
        within(value.get("y")?)?,
        within(value.get("width")?)?,
        within(value.get("height")?)?,
    ))
}

fn within(value: &Value) -> Option<f64> {
    value
        .as_f64()
        .filter(|number| number.is_finite())
        .map(|number| number.clamp(0.0, 1.0))
}

/// A label fit to be said: one line, not long.
pub(super) fn label(text: &str) -> String {
    cut(
        &squeezed(&text.chars().take(4 * MOST_LABEL).collect::<String>()),
        MOST_LABEL,
    )
}

/// A text cut to so many letters, with an ellipsis where something is missing.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", head.trim_end())
}

/// How much two rectangles are the same, 0 to 1: what they share of what they cover.
pub(super) fn alike(a: Area, b: Area) -> f64 {
    let width = a.right().min(b.right()) - a.x.max(b.x);
    let height = a.bottom().min(b.bottom()) - a.y.max(b.y);
    if width <= 0.0 || height <= 0.0 {
        return 0.0;
    }
    let shared = width * height;
    let all = a.width * a.height + b.width * b.height - shared;
    if all > 0.0 { shared / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        reason = "tests may"
    )]

    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_malformed_is_left_out() {
        let seen = Sighting::of(&json!({
            "frame": 7, "source": "screen", "ambiguous": "no",
            "found": [
                {"box": {"x": 0.1, "y": "a", "width": 1, "height": 1}, "label": "bad"},
                {"label": "nowhere"},
                {"box": {"x": -1, "y": 0.5, "width": 3, "height": 0.1}, "label": "wide\n\u{7}", "way": "object", "sure": 7},
                {"point": {"x": 0.5, "y": 0.25}, "label": "spot"},
                null, 3,
            ],
        }));
        assert_eq!(seen.found.len(), 2);
        assert_eq!(seen.found[0].label, "wide");
        assert_eq!(seen.found[0].sure, 1.0);
        assert_eq!(seen.found[0].area, Some(Area::new(0.0, 0.5, 1.0, 0.1)));
        assert_eq!(seen.found[1].area, None);
        assert!(!seen.ambiguous);
        assert_eq!(Sighting::of(&Value::Null), Sighting::default());
    }
}
