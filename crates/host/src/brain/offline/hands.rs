//! The calls a turn makes: look, examine, draw. Each comes back as a plain outcome.

use alidade_picture::Area;
use serde_json::{Map, Value, json};

use super::intent::Manner;
use super::page::Page;
use super::seen::{Candidate, Sighting, cut};
use super::words;
use crate::brain::{DETECT_OBJECTS, Desk, END_CALL, EXAMINE_IMAGE, POINT_AT_OBJECT, ToolOutcome};

/// The renderer of boxes.
const DRAW_BOX: &str = "cosmo_sdk_draw_box";
/// The renderer of points.
const DRAW_POINT: &str = "cosmo_sdk_draw_point";
/// Fetches the body of a skill.
pub(super) const LOAD_SKILL: &str = "cosmo_sdk_load_skill";
/// Letters of the label of a mark.
const MOST_LABEL: usize = 40;
/// A thing smaller than this either way is a spot.
const SPOT: f64 = 0.006;
/// The side of a box drawn where only a spot is known.
const AROUND: f64 = 0.03;

/// Whether a tool may be called.
pub(super) fn has(desk: &dyn Desk, name: &str) -> bool {
    desk.tools().iter().any(|tool| tool.name == name)
}

/// What became of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Drawn {
    /// It is seen.
    Shown,
    /// It is not, and the reason if one was given.
    Not(Option<String>),
    /// There is nothing to draw with.
    Nowhere,
}

/// Looks for what was named.
///
/// # Errors
/// A sentence for the person.
pub(super) async fn look(
    desk: &dyn Desk,
    phrase: &str,
    manner: Manner,
) -> Result<Sighting, String> {
    let points = has(desk, POINT_AT_OBJECT) && manner == Manner::Point && has(desk, DRAW_POINT);
    let tool = if points {
        POINT_AT_OBJECT
    } else if has(desk, DETECT_OBJECTS) {
        DETECT_OBJECTS
    } else if has(desk, POINT_AT_OBJECT) {
        POINT_AT_OBJECT
    } else {
        return Err(words::CANNOT_LOOK.to_owned());
    };
    match desk.call(tool, arguments("query", phrase)).await {
        ToolOutcome::Ok(answer) => {
            let mut sighting = Sighting::of(&answer);
            sighting.settle(phrase);
            Ok(sighting)
        }
        ToolOutcome::Failed(why) if !why.trim().is_empty() => Err(words::sentence(&why)),
        ToolOutcome::Failed(_) | ToolOutcome::Deferred { .. } => Err(words::LOOK_FAILED.to_owned()),
    }
}

/// Reads the picture and lists what is in it.
///
/// # Errors
/// A sentence for the person.
pub(super) async fn examine(desk: &dyn Desk, question: &str) -> Result<Page, String> {
    if !has(desk, EXAMINE_IMAGE) {
        return Err(words::CANNOT_READ.to_owned());
    }
    match desk
        .call(EXAMINE_IMAGE, arguments("question", question))
        .await
    {
        ToolOutcome::Ok(answer) => Ok(Page::of(&answer)),
        ToolOutcome::Failed(why) if !why.trim().is_empty() => Err(words::sentence(&why)),
        ToolOutcome::Failed(_) | ToolOutcome::Deferred { .. } => Err(words::LOOK_FAILED.to_owned()),
    }
}

/// Ends the session after this turn, where the agent may.
pub(super) async fn hang_up(desk: &dyn Desk) {
    if has(desk, END_CALL) {
        desk.call(END_CALL, Map::new()).await;
    }
}

fn arguments(name: &str, value: &str) -> Map<String, Value> {
    let mut args = Map::new();
    args.insert(name.to_owned(), Value::from(value));
    args
}

/// Marks a candidate on its picture.
pub(super) async fn draw(
    desk: &dyn Desk,
    candidate: &Candidate,
    label: &str,
    manner: Manner,
    frame: Option<&Value>,
) -> Drawn {
    let boxes = has(desk, DRAW_BOX);
    let points = has(desk, DRAW_POINT);
    let tiny = candidate
        .area
        .is_none_or(|area| area.width < SPOT && area.height < SPOT);
    let point = points && (!boxes || manner == Manner::Point || (tiny && manner == Manner::Any));
    let mut args = Map::new();
    let tool = if point {
        args.insert(
            "point".to_owned(),
            json!({ "x": round(candidate.spot.x), "y": round(candidate.spot.y) }),
        );
        DRAW_POINT
    } else if boxes {
        let area = candidate
            .area
            .filter(|_| !tiny)
            .unwrap_or_else(|| around(candidate));
        args.insert(
            "box".to_owned(),
            json!({ "x": round(area.x), "y": round(area.y), "width": round(area.width), "height": round(area.height) }),
        );
        DRAW_BOX
    } else {
        return Drawn::Nowhere;
    };
    if !label.is_empty() {
        args.insert("label".to_owned(), Value::from(cut(label, MOST_LABEL)));
    }
    if let Some(frame) = frame {
        args.insert("frame".to_owned(), frame.clone());
    }
    match desk.call(tool, args).await {
        ToolOutcome::Ok(answer) => {
            if answer.get("shown").and_then(Value::as_bool) == Some(true) {
                return Drawn::Shown;
            }
            let reason = answer
                .get("reason")
                .and_then(Value::as_str)
                .map(str::trim)
                .filter(|reason| !reason.is_empty());
            Drawn::Not(reason.map(str::to_owned))
        }
        ToolOutcome::Failed(why) => {
            Drawn::Not(Some(why.trim().to_owned()).filter(|why| !why.is_empty()))
        }
        ToolOutcome::Deferred { .. } => Drawn::Not(None),
    }
}

/// Five digits, as the locators give.
fn round(value: f64) -> f64 {
    (value * 1e5).round() / 1e5
}

fn around(candidate: &Candidate) -> Area {
    let half = AROUND / 2.0;
    let x = (candidate.spot.x - half).clamp(0.0, 1.0 - AROUND);
    let y = (candidate.spot.y - half).clamp(0.0, 1.0 - AROUND);
    Area::new(x, y, AROUND, AROUND)
}
