//! The built-in draw tools: `cosmo_sdk_draw_box` and `cosmo_sdk_draw_point` (`tools.md` §8).
//!
//! They check and clamp what the model sent and hand it to a function of the application, which owns the view.

use std::future::Future;

use alidade_picture::{Area, PictureId, Spot};
use alidade_wire::{Value, draw_args, names};
use serde_json::json;

use super::{Handler, Tool, handler};
use crate::{
    Failure,
    gate::{Definition, Origin},
};

/// A box to draw, normalised to the picture the model was shown; each member 0 to 1, `x + width` may exceed 1.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawBoxRequest {
    /// Where.
    pub area: Area,
    /// What to write beside it; of any length.
    pub label: Option<String>,
    /// Which picture the place belongs to, where the server says so.
    pub frame: Option<PictureId>,
}

/// A spot to draw, normalised to the picture the model was shown.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawPointRequest {
    /// Where.
    pub spot: Spot,
    /// What to write beside it; of any length.
    pub label: Option<String>,
    /// Which picture the place belongs to, where the server says so.
    pub frame: Option<PictureId>,
}

/// Whether a mark is now to be seen (T49).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    shown: bool,
    reason: Option<String>,
}

impl Shown {
    /// It is.
    #[must_use]
    pub const fn yes() -> Self {
        Self {
            shown: true,
            reason: None,
        }
    }

    /// It is not, and there is nothing to say about it.
    #[must_use]
    pub const fn not() -> Self {
        Self {
            shown: false,
            reason: None,
        }
    }

    /// It is not, for this reason, which the model reads.
    pub fn no(reason: impl Into<String>) -> Self {
        Self {
            shown: false,
            reason: Some(reason.into()),
        }
    }

    fn into_result(self) -> Value {
        match self.reason {
            Some(reason) if !self.shown => json!({"shown": false, "reason": reason}),
            _ => json!({"shown": self.shown}),
        }
    }
}

const BOX: &str = "Draws a box over the user's live view, the preview of their camera or screen, so that they see what is meant. \
    Call it after cosmo_detect_objects and pass a box exactly as that returned it: normalized to the frame you were shown, \
    0 to 1, origin at the top left. Never guess a position. A short label may stand beside the box. It only shows: it \
    measures nothing and changes nothing.";
const POINT: &str = "Marks one single spot on the user's live view, the preview of their camera or screen. Call it after \
    cosmo_point_at_object and pass a point exactly as that returned it: normalized to the frame you were shown, 0 to 1, \
    origin at the top left. Never guess a position. A short label may stand beside the spot. It only shows: it measures \
    nothing and changes nothing.";

fn side(description: &str) -> Value {
    json!({"type": "number", "minimum": 0, "maximum": 1, "description": description})
}

fn parameters(place: &str, sides: &[(&str, &str)]) -> Value {
    let names: Vec<_> = sides.iter().map(|(name, _)| *name).collect();
    let sides: serde_json::Map<_, _> = sides
        .iter()
        .map(|(name, text)| ((*name).to_owned(), side(text)))
        .collect();
    json!({
        "type": "object",
        "properties": {
            place: {"type": "object", "properties": sides, "required": names},
            "label": {"type": "string", "maxLength": 40, "description": "A few words beside it."},
        },
        "required": [place],
    })
}

fn definition(name: &str, description: &str, parameters: Value) -> Definition {
    Definition {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
        origin: Origin::Draw,
    }
}

/// `cosmo_sdk_draw_box`: calls the function with every box the model wants shown.
pub fn draw_box<F, Fut>(show: F) -> Tool
where
    F: Fn(DrawBoxRequest) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Shown, Failure>> + Send + 'static,
{
    let run = handler::plain(move |arguments| {
        let shown = draw_args::decode_box(&arguments).map(|request| {
            let area = match request.place {
                draw_args::Place::Box {
                    x,
                    y,
                    width,
                    height,
                } => Area {
                    x,
                    y,
                    width,
                    height,
                },
                draw_args::Place::Point { x, y } => Area {
                    x,
                    y,
                    width: 0.0,
                    height: 0.0,
                },
            };
            show(DrawBoxRequest {
                area,
                label: request.label,
                frame: request.frame.map(PictureId),
            })
        });
        async move { Ok(shown?.await?.into_result()) }
    });
    let sides = [
        ("x", "Left edge."),
        ("y", "Top edge."),
        ("width", "Extent to the right."),
        ("height", "Extent downward."),
    ];
    Tool::built_in(
        definition(names::DRAW_BOX, BOX, parameters("box", &sides)),
        Handler::Plain(run),
    )
}

/// `cosmo_sdk_draw_point`: calls the function with every spot the model wants shown.
pub fn draw_point<F, Fut>(show: F) -> Tool
where
    F: Fn(DrawPointRequest) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Shown, Failure>> + Send + 'static,
{
    let run = handler::plain(move |arguments| {
        let shown = draw_args::decode_point(&arguments).map(|request| {
            let spot = match request.place {
                draw_args::Place::Box { x, y, .. } | draw_args::Place::Point { x, y } => {
                    Spot { x, y }
                }
            };
            show(DrawPointRequest {
                spot,
                label: request.label,
                frame: request.frame.map(PictureId),
            })
        });
        async move { Ok(shown?.await?.into_result()) }
    });
    let sides = [("x", "From the left edge."), ("y", "From the top edge.")];
    Tool::built_in(
        definition(names::DRAW_POINT, POINT, parameters("point", &sides)),
        Handler::Plain(run),
    )
}
