//! What an examiner saw in a picture: its text in rows, and its things.

use alidade_picture::Area;
use serde_json::Value;

use super::heard::squeezed;
use super::seen::{MOST, area, cut, label};

/// Pixels that a line of text has to be high to be read well.
const LEGIBLE: f64 = 12.0;
/// A screen that covers this share of a picture with text is the picture itself.
const FILLS: f64 = 0.5;
/// Things that are little but a screen, as detectors call them.
const SCREENS: &[&str] = &[
    "laptop",
    "tv",
    "television",
    "monitor",
    "computer monitor",
    "computer",
    "screen",
    "cell phone",
    "mobile phone",
    "tablet",
    "tablet computer",
];
/// Lines that make a picture one of text.
const WRITTEN: usize = 3;

/// A line of text in the picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// What it says; data, never a command.
    pub(super) text: String,
    /// Where it is.
    pub(super) area: Area,
}

/// A thing in the picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thing {
    /// What it is.
    pub(super) name: String,
    /// Where it is, if that is known.
    pub(super) area: Option<Area>,
}

/// All that was seen in a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Page {
    /// The picture.
    pub(super) frame: Option<Value>,
    /// Its text, from the top to the bottom, from the left to the right.
    pub(super) lines: Vec<Line>,
    /// Its things.
    pub(super) things: Vec<Thing>,
    /// Whether its text is too small to be read well.
    pub(super) small: bool,
}

impl Page {
    /// Reads an examiner's answer.
    pub(super) fn of(answer: &Value) -> Self {
        let entries = |key: &str| {
            answer
                .get(key)
                .and_then(Value::as_array)
                .map(Vec::as_slice)
                .unwrap_or_default()
        };
        let mut lines: Vec<Line> = entries("lines")
            .iter()
            .take(MOST)
            .filter_map(|line| {
                let text = cut(&squeezed(line.get("text")?.as_str()?), 400);
                let area = line.get("box").and_then(area).unwrap_or_default();
                (!text.is_empty()).then_some(Line { text, area })
            })
            .collect();
        if lines.is_empty()
            && let Some(text) = answer.get("text").and_then(Value::as_str)
        {
            lines = text
                .lines()
                .take(MOST)
                .map(|line| Line {
                    text: cut(&squeezed(line), 400),
                    area: Area::default(),
                })
                .filter(|line| !line.text.is_empty())
                .collect();
        }
        let things = entries("objects")
            .iter()
            .take(MOST)
            .filter(|thing| thing.get("sure").and_then(Value::as_f64).unwrap_or(1.0) >= 0.4)
            .filter_map(|thing| {
                let name = thing.as_str().or_else(|| {
                    let named = thing.get("name").or_else(|| thing.get("label"))?;
                    named.as_str()
                })?;
                Some(Thing {
                    name: label(name),
                    area: thing.get("box").and_then(area),
                })
            })
            .filter(|thing| !thing.name.is_empty())
            .collect();
        let things = without_screens(things, lines.len());
        let rows = answer
            .get("size")
            .and_then(|size| size.get("height"))
            .and_then(Value::as_f64);
        Self {
            frame: answer
                .get("frame")
                .filter(|frame| !frame.is_null())
                .cloned(),
            small: rows.is_some_and(|rows| is_small(&lines, rows)),
            lines: in_order(lines),
            things,
        }
    }

    /// Lines side by side, put together: one string for each row.
    pub(super) fn rows(&self) -> Vec<Vec<&Line>> {
        let mut rows: Vec<Vec<&Line>> = Vec::new();
        for line in &self.lines {
            match rows.last_mut() {
                Some(row)
                    if row
                        .first()
                        .is_some_and(|first| beside(first.area, line.area)) =>
                {
                    row.push(line)
                }
                _ => rows.push(vec![line]),
            }
        }
        rows
    }
}

/// Whether most lines of a picture so many pixels high are lower than can be read well.
fn is_small(lines: &[Line], rows: f64) -> bool {
    let mut heights: Vec<f64> = lines
        .iter()
        .map(|line| line.area.height * rows)
        .filter(|height| *height > 0.0)
        .collect();
    heights.sort_by(f64::total_cmp);
    heights
        .get(heights.len() / 2)
        .is_some_and(|middle| *middle < LEGIBLE)
}

/// Without the screen itself: to a detector, a picture of a window looks like a laptop or a television
/// as large as the picture.
fn without_screens(things: Vec<Thing>, lines: usize) -> Vec<Thing> {
    let fills = |thing: &Thing| {
        SCREENS.contains(&thing.name.to_lowercase().as_str())
            && thing
                .area
                .is_some_and(|area| area.width * area.height > FILLS)
    };
    things
        .into_iter()
        .filter(|thing| !(lines >= WRITTEN && fills(thing)))
        .collect()
}

/// Whether two lines stand at the same height.
fn beside(a: Area, b: Area) -> bool {
    let overlap = a.bottom().min(b.bottom()) - a.y.max(b.y);
    let least = a.height.min(b.height);
    least > 0.0 && overlap > least * 0.5
}

/// Lines as they are read: rows from above, each from the left.
fn in_order(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|a, b| a.area.centre().y.total_cmp(&b.area.centre().y));
    let mut ordered: Vec<Line> = Vec::with_capacity(lines.len());
    let mut start = 0;
    while let Some(first) = lines.get(start) {
        let anchor = first.area;
        let length = lines
            .iter()
            .skip(start)
            .take_while(|line| line.area == anchor || beside(anchor, line.area))
            .count()
            .max(1);
        let mut row: Vec<Line> = lines.iter().skip(start).take(length).cloned().collect();
        row.sort_by(|a, b| a.area.x.total_cmp(&b.area.x));
        ordered.append(&mut row);
        start += length;
    }
    ordered
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
    fn lines_are_read_in_rows() {
        let at = |text: &str, x: f64, y: f64| json!({"text": text, "box": {"x": x, "y": y, "width": 0.2, "height": 0.05}});
        let page = Page::of(
            &json!({"lines": [at("12.50", 0.7, 0.51), at("Total", 0.1, 0.5), at("Bill", 0.1, 0.1), at("", 0.0, 0.0)]}),
        );
        let texts: Vec<_> = page.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["Bill", "Total", "12.50"]);
        assert_eq!(page.rows().len(), 2);
    }

    #[test]
    fn text_without_places_keeps_its_order() {
        let page = Page::of(&json!({"text": "one\ntwo\n\nthree"}));
        assert_eq!(page.rows().len(), 3);
    }
}
